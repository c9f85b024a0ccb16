"""Newton's step of the dual on the face that the flows stand on: all flows strictly between their bounds move at once.

A direction is (example, taker, giver): one unit of flow less for the giver, one more for the taker.  The taker is the
label while it can take more, and otherwise the rival that gives the most, so that the label's flow stays.  On a face
the dual is a quadratic, and its best point solves one linear system with a row for each direction.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.svm_solvers.kernels.blocks import REORDERED_SUMS

# A label this close to its capacity, relative to it, takes no more; flows this small are rounding.
_FULL, _NEGLIGIBLE = 1e-12, 1e-15
# The curvature gets this part of the largest square added, so that dependent directions make no system singular; where
# they must be dependent, flows are drawn to where they are as by tau = 1 / this in Newton's method.
_RIDGE, _PULL = 1e-9, 0.3
# Systems have no more rows than this, and faces no more than twenty times as many directions.
_LARGEST = 1000
# Squares above this would overflow in a system.
_HUGE = 1e100
# Where the whole step leaves the face, shorter ones bent at the bounds are tried, down to this part of it.
_SHORTER, _SHORTEST = 0.35, 1e-3


@njit(cache=True)
def cost_of_climb(n, W):
    """Nanoseconds of a common machine for a system of so many directions, or of the weights where these are fewer."""
    d = W.shape[1]
    if n <= most_independent(W):
        return 3e3 + n * (40.0 + 2.0 * d) + n * n * (0.04 * d + 2.0) + 0.02 * n**3
    return 3e3 + n * (50.0 + 2.0 * d**2) + 0.02 * W.size**3 if max(W.size, n / 20) <= _LARGEST else np.inf


@njit(cache=True)
def most_independent(W):
    """So many directions can be independent, or be put into one system."""
    return min((W.shape[0] - 1) * W.shape[1], _LARGEST)


@njit(cache=True)
def list_directions(alpha, y, capacity, active, n_active, most):
    """The directions of the active examples: example, taker and giver of each, and their number; -1 if above most."""
    examples, takers, givers = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    n = 0
    for place in range(n_active):
        i = active[place]
        taker = y[i]
        if alpha[i, taker] >= (1.0 - _FULL) * capacity[i]:
            taker = 1 if y[i] == 0 else 0
            for z in range(alpha.shape[1]):
                if z != y[i] and alpha[i, z] < alpha[i, taker]:
                    taker = z
        for z in range(alpha.shape[1]):
            if z != taker and alpha[i, z] < 0.0 and z != y[i]:
                if n == most:
                    return examples, takers, givers, -1
                examples[n], takers[n], givers[n] = i, taker, z
                n += 1
    return examples[:n], takers[:n], givers[:n], n


@njit(cache=True)
def face_slopes(X, y, W, examples, takers, givers):
    """The examples' rows, and the dual's derivatives along the directions."""
    n, n_features = examples.shape[0], X.shape[1]
    rows, slopes = np.empty((n, n_features)), np.empty(n)
    for r in range(n):
        i, a, z = examples[r], takers[r], givers[r]
        slope = 1.0 if a == y[i] else 0.0
        for j in range(n_features):
            rows[r, j] = X[i, j]
            slope += X[i, j] * (W[z, j] - W[a, j])
        slopes[r] = slope
    return rows, slopes


@njit(cache=True)
def step_by_directions(rows, takers, givers, slopes, ridge):
    """The step to the best point of the face, from a system with a row for each direction."""
    n = rows.shape[0]
    curvature = np.dot(rows, rows.T)
    for r in range(n):
        a, z = takers[r], givers[r]
        for s in range(n):
            b, v = takers[s], givers[s]
            shared = (1.0 if a == b else 0.0) + (1.0 if z == v else 0.0)
            shared -= (1.0 if a == v else 0.0) + (1.0 if z == b else 0.0)
            curvature[r, s] *= shared
        curvature[r, r] += ridge
    return np.linalg.solve(curvature, slopes)


@njit(cache=True)
def step_by_weights(rows, takers, givers, slopes, ridge, n_classes):
    """The same from a system with a row for each weight."""
    n, d = rows.shape
    H, right = np.zeros((n_classes * d, n_classes * d)), np.zeros(n_classes * d)
    for r in range(n):
        a, z = takers[r] * d, givers[r] * d
        for p in range(d):
            x = rows[r, p]
            right[a + p] += slopes[r] * x
            right[z + p] -= slopes[r] * x
            for q in range(d):
                square = x * rows[r, q]
                H[a + p, a + q] += square
                H[z + p, z + q] += square
                H[a + p, z + q] -= square
                H[z + p, a + q] -= square
    for p in range(n_classes * d):
        H[p, p] += ridge
    V = np.linalg.solve(H, right)
    step = np.empty(n)
    for r in range(n):
        a, z = takers[r] * d, givers[r] * d
        moved = slopes[r]
        for p in range(d):
            moved -= rows[r, p] * (V[a + p] - V[z + p])
        step[r] = moved / ridge
    return step


@njit(cache=True)
def bounded(alpha, y, capacity, examples, takers, givers, step, bent):
    """How much of a step stays within the bounds, at most 1; fills ``bent`` with it, bent at the bounds it meets."""
    length, n, begin = 1.0, step.shape[0], 0
    while begin < n:
        i, taker, end, taken, given = examples[begin], takers[begin], begin, 0.0, 0.0
        while end < n and examples[end] == i:
            flow = alpha[i, givers[end]]
            if step[end] < flow:
                length = min(length, flow / step[end])
            bent[end] = max(step[end], flow)
            taken += step[end]
            given += max(step[end], 0.0)
            end += 1
        available = capacity[i] - alpha[i, taker] if taker == y[i] else -alpha[i, taker]
        if taken > available:
            length = min(length, max(available, 0.0) / taken)
        lowered = 0.0
        for r in range(begin, end):
            lowered += min(bent[r], 0.0)
        if given + lowered > available:
            for r in range(begin, end):
                if bent[r] > 0.0:
                    bent[r] *= max(available - lowered, 0.0) / given
        begin = end
    return length


@njit(cache=True, fastmath=REORDERED_SUMS)
def rise(rows, takers, givers, slopes, step, V):
    """What a step adds to the dual; ``V`` is room for what it adds to the weights."""
    V[:] = 0.0
    total = 0.0
    for r in range(step.shape[0]):
        total += step[r] * slopes[r]
        for j in range(rows.shape[1]):
            V[takers[r], j] += step[r] * rows[r, j]
            V[givers[r], j] -= step[r] * rows[r, j]
    return total - 0.5 * (V * V).sum()


@njit(cache=True)
def move_flows(rows, y, capacity, alpha, W, examples, takers, givers, step):
    """Change flows and weights by the step; what rounding leaves within a hair of a bound is put on it."""
    for r in range(step.shape[0]):
        i, a, z, flow = examples[r], takers[r], givers[r], step[r]
        if flow - alpha[i, z] <= _NEGLIGIBLE * capacity[i]:
            flow = alpha[i, z]
            alpha[i, z] = 0.0
        else:
            alpha[i, z] -= flow
        alpha[i, a] += flow
        for j in range(rows.shape[1]):
            W[a, j] += flow * rows[r, j]
            W[z, j] -= flow * rows[r, j]
        # Before an example's last direction its taker may stand beyond the bound for a moment.
        if r + 1 == step.shape[0] or examples[r + 1] != i:
            if a == y[i]:
                alpha[i, a] = min(max(alpha[i, a], 0.0), capacity[i])
            elif alpha[i, a] >= -_NEGLIGIBLE * capacity[i]:
                alpha[i, a] = 0.0


@njit(cache=True)
def largest_square(rows):
    """The largest |x|^2."""
    largest = 0.0
    for r in range(rows.shape[0]):
        square = 0.0
        for j in range(rows.shape[1]):
            square += rows[r, j] * rows[r, j]
        largest = max(largest, square)
    return largest


@njit(
    "Tuple((int64, float64))(UniTuple(float64[:, ::1], 1), int64[::1], float64[::1], float64[:, ::1],"
    " float64[:, ::1], int64[::1], int64, float64, int64)",
    cache=True,
)
def climb_face(data, y, capacity, alpha, W, active, n_active, budget, most):
    """Newton steps on the faces met until one stays within its face, for ``most`` systems and the budget at most.

    A face with more directions than can be independent is left soon: there a proximal step is bent at all the bounds
    that it meets.  Returns how many systems were solved and what they cost; each raises the dual.
    """
    X, n_solved, spent, added = data[0], 0, 0.0, np.empty(W.shape)
    widest = min(n_active * (W.shape[0] - 1), 20 * _LARGEST)
    while n_solved < most:
        examples, takers, givers, n = list_directions(alpha, y, capacity, active, n_active, widest)
        by_weights, cost = n > most_independent(W), cost_of_climb(n, W)
        if n <= 0 or spent + cost > budget:
            break
        rows, slopes = face_slopes(X, y, W, examples, takers, givers)
        largest = largest_square(rows)
        if not 0.0 < largest < _HUGE:
            break
        if by_weights:
            pull = max(_PULL / capacity[examples].max(), _RIDGE * n * largest)
            whole = step_by_weights(rows, takers, givers, slopes, pull, W.shape[0])
        else:
            whole = step_by_directions(rows, takers, givers, slopes, _RIDGE * largest)
        spent += cost
        n_solved += 1
        bent = np.empty(n)
        length = bounded(alpha, y, capacity, examples, takers, givers, whole, bent)
        step, part, bends = length * whole, 1.0, False
        if length < 1.0:
            goal = rise(rows, takers, givers, slopes, step, added)
            while part > max(length, _SHORTEST) and not bends:
                bounded(alpha, y, capacity, examples, takers, givers, part * whole, bent)
                bends = rise(rows, takers, givers, slopes, bent, added) > goal
                part *= _SHORTER
        move_flows(rows, y, capacity, alpha, W, examples, takers, givers, bent if bends else step)
        if length == 1.0 and not by_weights:
            break
    return n_solved, spent
