"""The best stump for a matrix of signed weights ``A (n_samples, n_columns)``, whose columns vote apart.

A column is a label, or a column of a code; one column is AdaBoost with two classes.  ``A[i, c]`` is the weight of
example i in column c with the sign that a vote should have.  A stump has two sides and, for missing values, a third;
on every side each column votes for itself:

- a vote of -1 or +1 wins |sum of A| on its side, so the best stump has the largest
  sum_c |left_c| + |right_c| + |missing_c|;
- a real-valued vote, half the logarithm of W+ / W-, leaves 2 sqrt(W+ W-) of the exponential loss on its side, so the
  best stump has the smallest sum of these.

Both are returned as a number to be made large, the second with a minus.  For it the positive and the negative parts
stand beside each other in A.  Columns are given by the ranks of the examples: the sums of the ranks take one pass over
A, m n_columns steps, and the partitions n_columns steps for each rank.  Where the ranks are few, the sums of all
columns are made at the same time, so that an addition need not wait for the one before, to the same sum.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.trees.kernels.vectors import WIDTH, add_four, take_four


@njit(cache=True, nogil=True)
def sum_by_rank(ranks, A, sums):
    """Fill ``sums (n_values + 1, n_columns)``; the last row is that of missing values."""
    sums[:] = 0
    for i in range(A.shape[0]):
        r = ranks[i]
        for c in range(A.shape[1]):
            sums[r, c] += A[i, c]


@njit("void(uint32[:, ::1], float64[:, ::1], int64, int64, float64[:, ::1])", cache=True, nogil=True)
def sum_cells(cells, A, begin, end, table):
    """The same for the columns begin .. end - 1, whose ranks are cells of a table: four columns of A at a time.

    ``table (n_columns / 4, n_cells * 4)`` has the four sums of a cell side by side.
    """
    n_columns = A.shape[1]
    for c in range(0, n_columns, WIDTH):
        sums = table[c // WIDTH]
        for i in range(A.shape[0]):
            numbers = take_four(A, n_columns * i + c)
            for j in range(begin, end):
                add_four(sums, WIDTH * cells[i, j], numbers)


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def worth_of_sides(left, present, real):
    """The worth of the sides ``left`` and ``present - left``."""
    worth = 0.0
    if real:
        n_columns = len(left) // 2
        for c in range(n_columns):
            d = n_columns + c
            worth -= np.sqrt(max(left[c] * left[d], 0.0))
            worth -= np.sqrt(max((present[c] - left[c]) * (present[d] - left[d]), 0.0))
        return 2 * worth
    for c in range(len(left)):
        worth += abs(left[c]) + abs(present[c] - left[c])
    return worth


@njit(cache=True, nogil=True)
def best_cut(sums, n_values, categorical, real):
    """The best question on a column, from the sums of its ranks: its worth, and the rank at which it cuts.

    A numeric column is cut behind the rank, x <= value; a categorical one asks whether x is the category.  No cut is
    worth less than to leave the values on one side, so that is done only where there is but one, or none (rank -1).
    """
    size = sums.shape[1]
    present, left, zeros = np.zeros(size), np.zeros(size), np.zeros(size)
    for r in range(n_values):
        for c in range(size):
            present[c] += sums[r, c]
    missing = worth_of_sides(zeros, sums[n_values], real)
    best, cut = -np.inf, -1
    for r in range(n_values if categorical else max(n_values - 1, min(n_values, 1))):
        for c in range(size):
            left[c] = sums[r, c] if categorical else left[c] + sums[r, c]
        worth = worth_of_sides(left, present, real) + missing
        if worth > best:
            best, cut = worth, r
    return (best if n_values else missing), cut


@njit(
    "void(int32[:, ::1], int64[::1], boolean[::1], float64[:, ::1], boolean, int64, int64, float64[::1], int64[::1])",
    cache=True,
    nogil=True,
)
def best_cuts(ranks, n_values, categorical, A, real, begin, end, worths, cuts):
    """Fill ``worths`` and ``cuts`` for the columns begin .. end - 1."""
    n_ranks = n_values[begin:end].max() + 1
    sums = np.empty((n_ranks, A.shape[1]))
    for j in range(begin, end):
        some = sums[: n_values[j] + 1]
        sum_by_rank(ranks[j], A, some)
        worths[j], cuts[j] = best_cut(some, n_values[j], categorical[j], real)


@njit(
    "void(float64[:, ::1], int64[::1], boolean[::1], int64, boolean, int64, int64, float64[::1], int64[::1])",
    cache=True,
    nogil=True,
)
def best_cuts_of_table(table, n_values, categorical, n_columns, real, begin, end, worths, cuts):
    """The same from the sums in a table."""
    n_ranks = n_values[begin:end].max() + 1
    sums, step = np.empty((n_ranks, n_columns)), WIDTH * len(n_values)
    for j in range(begin, end):
        for first in range(0, n_columns, WIDTH):
            own, n_own = table[first // WIDTH], min(WIDTH, n_columns - first)
            for r in range(n_values[j] + 1):
                for c in range(n_own):
                    sums[r, first + c] = own[step * r + WIDTH * j + c]
        worths[j], cuts[j] = best_cut(sums, n_values[j], categorical[j], real)
