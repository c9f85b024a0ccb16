"""Passes of the ascent over its active examples, in random order."""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.svm_solvers.kernels.ascent import add_flows, below, contest, duel, read_scores
from mcbook.svm_solvers.kernels.blocks import copy_table, crammer_singer_block, weston_watkins_block
from mcbook.svm_solvers.kernels.momentum import go_on


@njit(cache=True)
def shuffle(items, n, seed):
    """Put the first n items into random order; changes the seed."""
    for last in range(n - 1, 0, -1):
        other = below(seed, last + 1)
        items[last], items[other] = items[other], items[last]


@njit(cache=True)
def ascent_pass(
    rows, active, n_active, starts, listed, squared_norms, y, capacity, alpha, state, quiet, patience, one_slack,
    moved, work,
):  # fmt: skip
    """Maximise the dual over each of the first n_active examples in turn, between its listed classes.

    Changes ``alpha`` and the ``state`` of the scores; ``moved``, by how much, at the places of ``listed``; and
    ``quiet``, how many visits in a row left an example as it was; at ``patience`` of them it is moved behind the active
    ones.  Returns how many stay active, and sums over the examples when they were visited: of their duality gaps, of
    the dual's slope along their steps, and of what each step alone adds to |W|^2.
    """
    scores, old, new = work
    gap, slope, squares = 0.0, 0.0, 0.0
    place = 0
    while place < n_active:
        i = active[place]
        begin, end = starts[i], starts[i + 1]
        n = label = end - begin
        read_scores(rows, state, i, listed, begin, end, scores)
        for c in range(n):
            z = listed[begin + c]
            old[c] = alpha[i, z]
            if z == y[i]:
                label = c
        if n == 2:
            gap += duel(scores, label, capacity[i], squared_norms[i], old, new)
        elif n == 3 and one_slack:
            gap += contest(scores, label, capacity[i], squared_norms[i], old, new)
        elif one_slack:
            gap += crammer_singer_block(scores, n, label, capacity[i], squared_norms[i], old, new)
        else:
            gap += weston_watkins_block(scores, n, label, capacity[i], squared_norms[i], old, new)
        largest, square = 0.0, 0.0
        for c in range(n):
            alpha[i, listed[begin + c]] = new[c]
            new[c] -= old[c]
            moved[begin + c] = new[c]
            largest = max(largest, abs(new[c]))
            slope -= new[c] * (1.0 + scores[c] - scores[label]) if c != label else 0.0
            square += new[c] * new[c]
        squares += square * squared_norms[i]
        if largest > 1e-14 * capacity[i]:
            add_flows(rows, state, i, listed, begin, end, new)
            quiet[i] = 0
        else:
            quiet[i] += 1
            if quiet[i] >= patience:
                n_active -= 1
                active[place], active[n_active] = active[n_active], i
                continue
        place += 1
    return n_active, gap, slope, squares


_LISTS = "int64[::1], int64, int64[::1], int32[::1], float64[::1], int64[::1], float64[::1], float64[:, ::1]"
_DENSE = "UniTuple(float64[:, ::1], 1)"
_SINGLE = "UniTuple(float32[:, ::1], 1)"
_GRAM = "Tuple((float64[:, ::1], int64[::1]))"
_SPARSE = "Tuple((float64[::1], int64[::1], int64[::1]))"


@njit(
    [
        f"Tuple((int64, int64, float64))({rows}, {_LISTS}, {state}[:, ::1], int64[::1], int64, boolean, boolean,"
        f" float64, int64, uint64[::1])"
        for rows, state in ((_DENSE, "float64"), (_SINGLE, "float32"), (_GRAM, "float64"), (_SPARSE, "float64"))
    ],
    cache=True,
)
def ascent_passes(
    rows, active, n_active, starts, listed, squared_norms, y, capacity, alpha, state, quiet, patience, one_slack,
    has_momentum, goal, most, seed,
):  # fmt: skip
    """Passes in random order until the gap seems to be at the goal, all examples are quiet or so many were made.

    A pass sees the gap as it was on its way; what is left by it is taken to have fallen once more as it did from pass
    to pass, by the less of the last two falls.  With momentum, between two passes the flows go on in the plane of the
    last steps; the state must be weights.
    Returns how many were made, how many examples stay active, and the gap expected after the last.
    """
    n_classes = alpha.shape[1]
    work = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    moved, visited, n_visited = np.empty(starts[-1]), active[:n_active].copy(), n_active
    shape = state.shape if has_momentum and most > 1 else (0, 0)
    last, pass_way, last_way = np.zeros(starts[-1]), np.empty(shape), np.zeros(shape)
    n_passes, seen, fall, rest = 0, np.inf, 1.0, 0.0
    while True:
        shuffle(active, n_active, seed)
        if shape[0] > 0:
            copy_table(state, pass_way)
        before, fall_before = seen, fall
        n_active, seen, slope, squares = ascent_pass(
            rows, active, n_active, starts, listed, squared_norms, y, capacity, alpha, state, quiet, patience,
            one_slack, moved, work,
        )  # fmt: skip
        n_passes += 1
        fall = min(seen / before, 1.0) if n_passes > 1 else 1.0
        expected = max(fall, fall_before) * seen
        if n_passes >= most or n_active == 0 or expected <= goal:
            return n_passes, n_active, expected
        if shape[0] > 0:
            n_visited, rest = go_on(
                rows, visited, n_visited, starts, listed, y, capacity, alpha, state, quiet, patience, one_slack, moved,
                last, pass_way, last_way, slope, squares, rest, work,
            )  # fmt: skip
