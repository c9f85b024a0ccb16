"""Conjugate directions of passes: after each, the flows go on to the best point of the plane that two steps span.

One is the step that the pass has made, the other the whole step before it, its own pass and what was added then.  With
passes that go forth and back this would be the method of conjugate gradients, with the pass as its preconditioner;
with passes in random order the dual value still never falls.  Weights are linear in flows, so the way of the weights
in the pass is all that the products need: no example is read again, but those that would leave their bounds, which
stay where they are.
"""

from __future__ import annotations

from numba import njit

from mcbook.svm_solvers.kernels.ascent import add_flows, read_scores
from mcbook.svm_solvers.kernels.blocks import REORDERED_SUMS

# Two steps are taken to be parallel where the square of the sine between them is at most this.
_PARALLEL = 1e-8
# A label this little above its capacity, relative to it, stands there by rounding.
_ROUNDING = 1e-12


@njit(cache=True, fastmath=REORDERED_SUMS)
def pass_products(state, pass_way, last_way):
    """Turn the ``pass_way`` from the weights before a pass into their way in it; its products, |s|^2, s.p, |p|^2."""
    ss = sp = pp = 0.0
    for a in range(state.shape[0]):
        for b in range(state.shape[1]):
            s, p = state[a, b] - pass_way[a, b], last_way[a, b]
            pass_way[a, b] = s
            ss += s * s
            sp += s * p
            pp += p * p
    return ss, sp, pp


@njit(cache=True)
def best_in_plane(ss, sp, pp, slope_s, slope_p):
    """The a, b with the largest a slope_s + b slope_p - |a s + b p|^2 / 2; b = 0 where s and p are parallel."""
    determinant = ss * pp - sp * sp
    if determinant > _PARALLEL * ss * pp:
        return (slope_s * pp - slope_p * sp) / determinant, (slope_p * ss - slope_s * sp) / determinant
    return (slope_s / ss if ss > 0.0 else 0.0), 0.0


@njit(cache=True)
def planned(i, listed, begin, end, label, capacity, alpha, one_slack, a, b, moved, last):
    """Turn ``last[begin:end]`` into the step a s + b p of an example, and tell whether it stays within the bounds."""
    stays = True
    for c in range(begin, end):
        z = listed[c]
        step = a * moved[c] + b * last[c]
        flow = alpha[i, z] + step
        if z != label:
            stays = stays and (step == 0.0 or (flow < 0.0 and (one_slack or flow >= -capacity)))
        elif one_slack:
            stays = stays and flow <= (1.0 + _ROUNDING) * capacity
        last[c] = step
    return stays


@njit(cache=True)
def slope_of_example(scores, listed, begin, end, label, step):
    """The dual's derivative along a step of one example, whose scores are given; the step sums to 0."""
    slope, own = 0.0, 0.0
    for c in range(begin, end):
        if listed[c] == label:
            own = scores[c - begin]
    for c in range(begin, end):
        if listed[c] != label:
            slope -= step[c] * (1.0 + scores[c - begin] - own)
    return slope


@njit(cache=True, fastmath=REORDERED_SUMS)
def combined(a, pass_way, b, last_way):
    """Turn ``last_way`` into a times the one plus b times the other."""
    for x in range(last_way.shape[0]):
        for j in range(last_way.shape[1]):
            last_way[x, j] = a * pass_way[x, j] + b * last_way[x, j]


@njit(cache=True, fastmath=REORDERED_SUMS)
def square_and_product(V, S):
    """|V|^2 and their product."""
    square = product = 0.0
    for a in range(V.shape[0]):
        for b in range(V.shape[1]):
            square += V[a, b] * V[a, b]
            product += V[a, b] * S[a, b]
    return square, product


@njit(cache=True)
def go_on(
    rows, visited, n_visited, starts, listed, y, capacity, alpha, state, quiet, patience, one_slack, moved, last,
    pass_way, last_way, slope, squares, rest, work,
):  # fmt: skip
    """Add to flows and weights the best of the plane; returns how many examples are still active, and ``rest``.

    ``moved`` and ``last`` are the steps of the flows in the pass and the whole ones before it, ``last_way`` that of the
    weights, and ``pass_way`` the weights before the pass.  ``slope`` and ``squares``: what the pass has seen of the
    dual's slope along its step, example by example, and of what each step alone adds to |W|^2.  ``rest``: the slope
    along the whole last step where that ended.
    """
    scores, change, _ = work
    ss, sp, pp = pass_products(state, pass_way, last_way)
    # While an example was visited the weights had come as far as those before it: half of all products of two of them.
    slope_s, slope_p = slope - 0.5 * (ss + squares), rest - sp
    a, b = best_in_plane(ss, sp, pp, slope_s, slope_p)
    ahead, n_active = a * slope_s + b * slope_p, 0
    combined(a, pass_way, b, last_way)
    for place in range(n_visited):
        i = visited[place]
        begin, end, label = starts[i], starts[i + 1], y[i]
        is_active = quiet[i] < patience
        if is_active:
            visited[n_active] = i
            n_active += 1
        if not planned(i, listed, begin, end, label, capacity[i], alpha, one_slack, a, b, moved, last) or not is_active:
            read_scores(rows, state, i, listed, begin, end, scores)
            ahead -= slope_of_example(scores, listed, begin, end, label, last)
            for c in range(begin, end):
                change[c - begin] = -last[c]
                last[c] = 0.0
            add_flows(rows, last_way, i, listed, begin, end, change)
    square, product = square_and_product(last_way, pass_way)
    length = min(max(ahead / square, 0.0), 1.0) if square > 0.0 else 0.0
    for place in range(n_active):
        i = visited[place]
        taken = 0.0
        for c in range(starts[i], starts[i + 1]):
            step = length * last[c]
            last[c] = moved[c] + step
            if listed[c] != y[i]:
                alpha[i, listed[c]] += step
                taken -= alpha[i, listed[c]]
        alpha[i, y[i]] = min(taken, capacity[i]) if one_slack else taken
    for x in range(state.shape[0]):
        for j in range(state.shape[1]):
            step = length * last_way[x, j]
            state[x, j] += step
            last_way[x, j] = pass_way[x, j] + step
    return n_active, slope_s + length * ahead - length * (product + length * square)
