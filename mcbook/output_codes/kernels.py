"""The sums of decoding in the order of the columns."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit("void(float64[:, ::1], float64[:, ::1], float64, int8[:, ::1], float64[:, ::1])", cache=True)
def summed_losses(for_plus, for_minus, for_zero, columns, table):
    """``table[i, r]`` = sum_s, for the entry ``columns[s, r]`` of row r, of example i's loss for that entry.

    Each sum runs through the columns in their order, however many examples there are; a product of matrices does not.
    """
    n_samples, n_columns = for_plus.shape
    n_classes = table.shape[1]
    for i in range(n_samples):
        for r in range(n_classes):
            table[i, r] = 0.0
        for s in range(n_columns):
            plus, minus = for_plus[i, s], for_minus[i, s]
            for r in range(n_classes):
                entry = columns[s, r]
                table[i, r] += plus if entry > 0 else (minus if entry < 0 else for_zero)


@njit("void(float64[:, ::1], float64[::1], float64, int64[::1], boolean[::1])", cache=True)
def nearest_classes(table, sizes, rounding, chosen, several):
    """For each example the first class at the smallest distance, and whether other classes tie with it.

    They do when they are farther by no more than ``rounding`` times the example's size, or the smallest distance where
    no ``sizes`` are given.  A smallest distance of NaN counts as a tie.
    """
    n_samples, n_classes = table.shape
    for i in range(n_samples):
        nearest, smallest, second = 0, table[i, 0], np.inf
        for r in range(1, n_classes):
            distance = table[i, r]
            if distance < smallest:
                nearest, smallest, second = r, distance, smallest
            elif distance < second:
                second = distance
        limit = smallest + rounding * (sizes[i] if len(sizes) else smallest)
        several[i] = not second > limit
        if several[i]:
            nearest = 0
            while table[i, nearest] > limit:
                nearest += 1
        chosen[i] = nearest


@njit("void(float64[:, ::1], float64[::1], float64, int64[::1], boolean[:, ::1])", cache=True)
def tied_classes(table, sizes, rounding, rows, tied):
    """Which classes tie with the nearest, for the examples of these rows; one row of ``tied`` for each of them."""
    for j in range(len(rows)):
        i = rows[j]
        smallest = table[i].min()
        limit = smallest + rounding * (sizes[i] if len(sizes) else smallest)
        for r in range(table.shape[1]):
            tied[j, r] = not table[i, r] > limit


@njit("void(float64[:, ::1], float64[:, ::1], int64[::1], boolean[:, ::1], float64, int64[::1])", cache=True)
def largest_margins(F, M, rows, tied, rounding, chosen):
    """For the examples of these rows the first of the tied classes with the largest sum_s M_rs f_s.

    Two classes are compared on the columns in which they differ; what rounding may have made is no lead.
    """
    for j in range(len(rows)):
        f = F[rows[j]]
        # Sums of what is large would overflow.
        scale = 1e-200 if np.abs(f).max() > 1e200 else 1.0
        best = -1
        for r in range(tied.shape[1]):
            if not tied[j, r]:
                continue
            if best < 0:
                best = r
                continue
            lead = size = 0.0
            for s in range(len(f)):
                term = (M[r, s] - M[best, s]) * (scale * f[s])
                lead += term
                size += abs(term)
            if lead > rounding * size:
                best = r
        chosen[rows[j]] = best
