"""A column as ranks, and its examples in order.

The distinct values of a column, counted from the smallest, are the *ranks*; a missing value has the rank after the
largest.  An *entry* is rank * 2^32 + index: entries in order are the examples in order, and two neighbours have equal
values where they agree above the lower half.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.trees.kernels.loops import loop

SHIFT = 32
INDEX = (1 << SHIFT) - 1
# Up to this many distinct values are found without sorting a column, in four times as many slots, the powers of two.
FEW_VALUES = 64
SLOTS = 4 * FEW_VALUES
# Fewer entries, for each digit of the ranks, are sorted by comparing all of them: counting the digits costs more.
FEW = 24


@njit("int64(float64[::1], int64[::1], float64[::1], int32[::1])", cache=True, nogil=True)
def rank_column(column, order, low, ranks):
    """Fill ``ranks`` with the rank of every example and ``low`` with the distinct values; return how many there are.

    ``order`` sorts the column, missing values last, and equal values in any way.
    """
    n_values = 0
    for p in range(len(order)):
        value = column[order[p]]
        if np.isnan(value):
            ranks[order[p]] = n_values
        else:
            if n_values == 0 or value != low[n_values - 1]:
                low[n_values] = value
                n_values += 1
            ranks[order[p]] = n_values - 1
    return n_values


@njit("int64(float64[::1], uint64[::1], float64[::1], int32[::1])", cache=True, nogil=True)
def rank_few(column, bits, low, ranks):
    """The same for a column with at most `FEW_VALUES` distinct values, found by hashing; -1 if there are more.

    ``bits`` are those of the numbers, of which equal ones have the same.
    """
    values = np.empty(FEW_VALUES)
    number, n_values = np.full(SLOTS, -1, np.int64), 0
    for i in range(len(column)):
        if np.isnan(column[i]):
            ranks[i] = FEW_VALUES
            continue
        slot = (bits[i] * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(56)
        while number[slot] >= 0 and values[number[slot]] != column[i]:
            slot = (slot + np.uint64(1)) % np.uint64(SLOTS)
        if number[slot] < 0:
            if n_values == FEW_VALUES:
                return -1
            number[slot], values[n_values] = n_values, column[i]
            n_values += 1
        ranks[i] = number[slot]
    rank_of = np.zeros(FEW_VALUES + 1, np.int32)
    rank_of[FEW_VALUES] = n_values
    for a in range(n_values):
        for b in range(n_values):
            rank_of[a] += values[b] < values[a]
        low[rank_of[a]] = values[a]
    for i in range(len(column)):
        ranks[i] = rank_of[ranks[i]]
    return n_values


@njit("int64(int32[::1], int64, int64, float64[::1], float64[::1])", cache=True, nogil=True)
def merge_ranks(ranks, n_values, n_bins, low, high):
    """Merge neighbouring ranks into at most ``n_bins`` bins of about as many examples; return how many there are.

    ``low`` and ``high`` become the least and the greatest value in each bin.
    """
    n_samples = len(ranks)
    counts = np.zeros(n_values + 1, np.int64)
    for i in range(n_samples):
        counts[ranks[i]] += 1
    n_present = n_samples - counts[n_values]
    bin_of = np.empty(n_values + 1, np.int32)
    b, below = -1, 0
    for r in range(n_values):
        # The first bin begins at once, each further one when those before have their share of the examples seen so far.
        if below * n_bins >= (b + 1) * n_present:
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
    place, n_before = np.zeros(n_values + 1, np.int64), 0
    for p in range(len(examples)):
        place[ranks[examples[p]]] += 1
    for r in range(n_values + 1):
        place[r], n_before = n_before, n_before + place[r]
    for p in range(len(examples)):
        i = examples[p]
        r = ranks[i]
        entries[place[r]] = (np.int64(r) << SHIFT) | i
        place[r] += 1


@loop
def digits_of(n_values):
    """How many digits a rank is sorted by, and how many bits, 8 at most, a digit has."""
    n_bits = 1
    while n_values >> n_bits:
        n_bits += 1
    n_digits = (n_bits + 7) // 8
    return n_digits, (n_bits + n_digits - 1) // n_digits


@loop
def sort_row(entries, row, spare, n, n_values, place):
    """Sort the first n entries of a row into itself; ``place`` has room for 257 numbers.

    Few entries are to stand in the row ``spare``, and each goes to the place of as many as are smaller: that takes n^2
    comparisons, eight at a time.  Others are sorted by the digits of their ranks; they stand in the spare row where
    these are odd in number, and change rows with every digit.
    """
    n_digits, n_bits = digits_of(n_values)
    if n < FEW * n_digits:
        for p in range(n):
            entry, n_smaller = entries[spare, p], 0
            for q in range(n):
                n_smaller += entries[spare, q] < entry
            entries[row, n_smaller] = entry
        return
    source, target = (spare, row) if n_digits % 2 else (row, spare)
    for digit in range(n_digits):
        shift = SHIFT + n_bits * digit
        count_places(entries, source, n, shift, 1 << n_bits, place)
        for p in range(n):
            entry = entries[source, p]
            d = (entry >> shift) & ((1 << n_bits) - 1)
            entries[target, place[d]] = entry
            place[d] += 1
        source, target = target, source


@loop
def count_places(entries, row, n, shift, base, place):
    """Where the entries with each digit begin, when they are sorted by it."""
    for d in range(base + 1):
        place[d] = 0
    for p in range(n):
        place[((entries[row, p] >> shift) & (base - 1)) + 1] += 1
    for d in range(base):
        place[d + 1] += place[d]
