"""A column as ranks, and its examples in order.

The distinct values of a column, counted from the smallest, are the *ranks*; a missing value has the rank after the
largest.  An *entry* is rank * 2^32 + index: entries in order are the examples in order, and two neighbours have equal
values where they agree above the lower half.
"""

from __future__ import annotations

import numpy as np
from numba import njit

SHIFT = 32
INDEX = (1 << SHIFT) - 1
# Shorter runs are sorted by insertion: counting their digits costs more than moving them.
INSERTION = 40


@njit("int64(float64[::1], int64[::1], float64[::1], int32[::1])", cache=True, nogil=True)
def rank_column(column, order, low, ranks):
    """Fill ``ranks`` with the rank of every example and ``low`` with the distinct values; return how many there are.

    ``order`` sorts the column, missing values last, and equal values in any way.
    """
    n_values = 0
    for p in range(order.shape[0]):
        value = column[order[p]]
        if np.isnan(value):
            ranks[order[p]] = n_values
        else:
            if n_values == 0 or value != low[n_values - 1]:
                low[n_values] = value
                n_values += 1
            ranks[order[p]] = n_values - 1
    return n_values


@njit("int64(int32[::1], int64, int64, float64[::1], float64[::1])", cache=True, nogil=True)
def merge_ranks(ranks, n_values, n_bins, low, high):
    """Merge neighbouring ranks into at most ``n_bins`` bins of about as many examples; return how many there are.

    ``low`` and ``high`` become the least and the greatest value in each bin.
    """
    n_samples = ranks.shape[0]
    counts = np.zeros(n_values + 1, np.int64)
    for i in range(n_samples):
        counts[ranks[i]] += 1
    n_present = n_samples - counts[n_values]
    bin_of = np.empty(n_values + 1, np.int32)
    b, below = 0, 0
    for r in range(n_values):
        # A bin is left when it has its share of the examples seen so far.
        if r > 0 and below * n_bins >= (b + 1) * n_present:
            b += 1
            low[b] = low[r]
        bin_of[r] = b
        high[b] = high[r]
        below += counts[r]
    bin_of[n_values] = b + 1
    for i in range(n_samples):
        ranks[i] = bin_of[ranks[i]]
    return b + 1


@njit("void(int32[::1], int64, int64[::1], int64[::1])", cache=True, nogil=True)
def sort_entries(ranks, n_values, examples, entries):
    """Fill ``entries`` with those of the ``examples`` in order, of equal ranks the first of the examples first."""
    place = np.zeros(n_values + 2, np.int64)
    for p in range(examples.shape[0]):
        place[ranks[examples[p]] + 1] += 1
    for r in range(n_values + 1):
        place[r + 1] += place[r]
    for p in range(examples.shape[0]):
        i = examples[p]
        r = ranks[i]
        entries[place[r]] = (np.int64(r) << SHIFT) | i
        place[r] += 1


@njit(cache=True, nogil=True)
def sort_few(entries, row, n, n_values):
    """Sort the first n entries of a row, by insertion or by the digits of their ranks; the row below it is spare."""
    if n < INSERTION:
        for p in range(1, n):
            moved, q = entries[row, p], p
            while q > 0 and entries[row, q - 1] > moved:
                entries[row, q] = entries[row, q - 1]
                q -= 1
            entries[row, q] = moved
        return
    shift, source = SHIFT, row
    place = np.empty(257, np.int64)
    while n_values > 0:
        place[:] = 0
        target = 2 * row + 1 - source
        for p in range(n):
            place[((entries[source, p] >> shift) & 255) + 1] += 1
        for digit in range(256):
            place[digit + 1] += place[digit]
        for p in range(n):
            digit = (entries[source, p] >> shift) & 255
            entries[target, place[digit]] = entries[source, p]
            place[digit] += 1
        source, shift, n_values = target, shift + 8, n_values >> 8
    if source != row:
        for p in range(n):
            entries[row, p] = entries[source, p]
