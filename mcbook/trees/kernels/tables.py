"""The best threshold by the Gini index, from a table of what the ranks of all columns contain: for few values.

The table ``(size, n_ranks * n_lanes)`` has the weight of each class in each *cell*, and a rank of a column has the cell
rank * n_lanes + lane: so the columns stand side by side, and each step is done for several of them at once.  An example
is added once for each column, and nothing is sorted.  Lanes are numbers without sign: one with a sign might count from
the end, and a loop that has to ask for that takes one step at a time.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.trees.kernels.loops import loop
from mcbook.trees.kernels.search import draw_next

# The memory of a search has a row for each class, of the left side, and these.
W_RANK, W_LEFT, SQUARES_LEFT, SQUARES_RIGHT, SCORE, LAST, BEST, CUT, AFTER, N_MORE = range(10)


@loop
def clear(table, n_ranks, n_lanes, first, last, whole):
    """Empty the rows of the classes that occur; the others are not looked at."""
    for c in range(table.shape[0]):
        if whole[c] == 0:
            continue
        for r in range(n_ranks):
            for q in range(first, last):
                table[c, np.uint64(r * n_lanes) + q] = 0.0


@loop
def count_all(cells, first, last, examples, begin, end, labels, weight, table):
    """Add examples to the cells of their values in the columns first .. last - 1: ``cells (n_samples, n_features)``."""
    unit = len(weight) == 0
    for p in range(begin, end):
        i = examples[p]
        row, contents = cells[i], table[labels[i]]
        w = 1.0 if unit else weight[i]
        for q in range(first, last):
            contents[row[q]] += w


@loop
def count_some(ranks, columns, n_lanes, examples, begin, end, labels, weight, table):
    """The same in the first ``n_lanes`` of the ``columns``, of which the table has no others."""
    unit = len(weight) == 0
    for p in range(begin, end):
        i = examples[p]
        contents = table[labels[i]]
        w = 1.0 if unit else weight[i]
        for q in range(n_lanes):
            contents[np.uint64(ranks[columns[q], i]) * np.uint64(n_lanes) + np.uint64(q)] += w


@loop
def search_table(table, n_ranks, n_lanes, first, last, whole, memory):
    """The best cut in the lanes first .. last - 1: lane (-1 if none), score, last rank on the left, next that occurs.

    Of equal cuts the first lane wins, and in it the smallest rank.  ``memory`` has a row for each class and `N_MORE`.
    """
    size, total = table.shape[0], 0.0
    more = memory[size:]
    for c in range(size):
        total += whole[c]
    for row in range(size + N_MORE):
        for q in range(first, last):
            memory[row, q] = 0.0
    for q in range(first, last):
        more[SCORE, q], more[BEST, q] = -np.inf, -np.inf
    for r in range(n_ranks):
        add_rank(table, np.uint64(r * n_lanes), first, last, whole, memory)
        close_rank(more, r, first, last, total)
    lane, best = np.int64(-1), -np.inf
    for q in range(first, last):
        if more[BEST, q] > best:
            lane, best = np.int64(q), more[BEST, q]
    if lane < 0:
        return lane, best, np.int64(-1), np.int64(-1)
    return lane, best, np.int64(more[CUT, lane]), np.int64(more[AFTER, lane])


@loop
def add_rank(table, start, first, last, whole, memory):
    """Bring the examples of a rank to the left side in every lane, and square what both sides then contain."""
    size = table.shape[0]
    more = memory[size:]
    for row in (W_RANK, SQUARES_LEFT, SQUARES_RIGHT):
        for q in range(first, last):
            more[row, q] = 0.0
    for c in range(size):
        if whole[c] == 0:
            continue
        for q in range(first, last):
            moved = table[c, start + q]
            left = memory[c, q] + moved
            right = whole[c] - left
            memory[c, q] = left
            more[W_RANK, q] += moved
            more[SQUARES_LEFT, q] += left * left
            more[SQUARES_RIGHT, q] += right * right


@loop
def close_rank(more, r, first, last, total):
    """Accept the cut behind the last rank that occurs, if another one does and it is the best, and score the next cut.

    Lanes differ in what happens, so nothing is branched on: every number is either changed or written again.
    """
    for q in range(first, last):
        occurs = more[W_RANK, q] > 0
        score, best, behind = more[SCORE, q], more[BEST, q], more[LAST, q]
        better = occurs & (score > best)
        more[BEST, q] = score if better else best
        more[CUT, q] = behind if better else more[CUT, q]
        more[AFTER, q] = r if better else more[AFTER, q]
        more[LAST, q] = r if occurs else behind
        left = more[W_LEFT, q] + more[W_RANK, q]
        more[W_LEFT, q] = left
        cut = more[SQUARES_LEFT, q] / left + more[SQUARES_RIGHT, q] / (total - left)
        more[SCORE, q] = cut if occurs else score


@njit(
    "Tuple((int64, float64, int64, int64))(uint32[:, ::1], int64, uint64, uint64, int64[::1], int64, int64, int16[::1],"
    " float64[::1], float64[::1], float64[:, ::1], float64[:, ::1])",
    cache=True,
    nogil=True,
    error_model="numpy",
    _nrt=False,
)
def search_all(cells, n_ranks, first, last, examples, begin, end, labels, weight, whole, table, memory):
    """The best cut of examples begin .. end - 1 in the columns first .. last - 1."""
    clear(table, n_ranks, cells.shape[1], first, last, whole)
    count_all(cells, first, last, examples, begin, end, labels, weight, table)
    return search_table(table, n_ranks, cells.shape[1], first, last, whole, memory)


@loop
def search_drawn(
    ranks, n_ranks, n_drawn, features, state, columns, examples, begin, end, labels, weight, whole, table, memory
):
    """The best cut in columns that are drawn as `draw_rows` does: place among the ``columns``, score, and ranks."""
    lane, score, cut, after = -1, -np.inf, np.int64(-1), np.int64(-1)
    drawn, n_lanes, zero = np.int64(0), n_drawn, np.uint64(0)
    while lane < 0 and drawn < len(features):
        for q in range(n_lanes):
            columns[q] = draw_next(features, drawn, state)
            drawn += 1
        clear(table, n_ranks, n_lanes, zero, np.uint64(n_lanes), whole)
        count_some(ranks, columns, n_lanes, examples, begin, end, labels, weight, table)
        lane, score, cut, after = search_table(table, n_ranks, n_lanes, zero, np.uint64(n_lanes), whole, memory)
        n_lanes = 1
    return lane, score, cut, after
