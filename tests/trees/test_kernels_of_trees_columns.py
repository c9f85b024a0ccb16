"""Loops of the trees' chapter against brute force: columns as ranks, tables of what the ranks contain."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from mcbook.trees.kernels import columns

# What no kernel writes; an index of this size is none.
UNTOUCHED = -(10**6)


# --- Columns ---------------------------------------------------------------------------------------------------------


def column_of(rng, n_values, n_copies, n_missing):
    values = np.unique(np.r_[0.0, rng.normal(size=n_values)])[:n_values]
    return rng.permutation(np.r_[values, rng.choice(values, n_copies) if n_values else [], np.full(n_missing, np.nan)])


def assert_ranks(column, n_values, low, ranks, rest):
    distinct = np.unique(column[~np.isnan(column)])
    assert n_values == len(distinct)
    np.testing.assert_array_equal(low, np.r_[distinct, np.full(len(low) - len(distinct), rest)])
    np.testing.assert_array_equal(ranks, np.where(np.isnan(column), n_values, np.searchsorted(distinct, column)))


@pytest.mark.parametrize(("n_values", "n_copies", "n_missing"), [(0, 0, 3), (1, 0, 0), (1, 2, 1), (5, 9, 0), (9, 9, 4)])
def test_a_column_in_order_gives_ranks_and_distinct_values(n_values, n_copies, n_missing):
    rng = np.random.default_rng(0)
    for _ in range(10):
        column = column_of(rng, n_values, n_copies, n_missing)
        # The values that stand there before are the least of the column: nothing is compared with them.
        low, ranks = np.full(20, np.fmin.reduce(column)), np.full(len(column), UNTOUCHED, np.int32)
        rest = low[0]
        found = columns.rank_column(column, np.argsort(column), low, ranks)
        assert_ranks(column, found, low, ranks, rest)


@pytest.mark.parametrize("n_values", [0, 1, 2, 40, columns.FEW_VALUES - 1, columns.FEW_VALUES])
def test_few_values_are_ranked_as_in_order(n_values):
    rng = np.random.default_rng(1)
    for _ in range(25):
        # So many values that some share a slot.
        column = column_of(rng, n_values, 5, 2) if n_values else np.full(3, np.nan)
        low, ranks = np.full(70, np.inf), np.full(len(column), UNTOUCHED, np.int32)
        found = columns.rank_few(column, column.view(np.uint64), low, ranks)
        assert_ranks(column, found, low, ranks, np.inf)


def test_more_than_few_values_are_too_many():
    column = column_of(np.random.default_rng(2), columns.FEW_VALUES + 1, 3, 1)
    assert columns.rank_few(column, column.view(np.uint64), np.empty(80), np.empty(len(column), np.int32)) == -1


def test_neighbouring_ranks_are_merged_into_bins_of_about_as_many_examples():
    rng = np.random.default_rng(3)
    for n_values, n_bins, n_missing in itertools.product((1, 2, 5, 9), (1, 2, 3, 4, 8), (0, 4)):
        ranks = rng.permutation(np.r_[np.arange(n_values), rng.integers(0, n_values, 12), np.full(n_missing, n_values)])
        values = np.sort(rng.normal(size=n_values))
        n_present, wanted, below = len(ranks) - n_missing, [0], 0
        for r in range(n_values):
            full = Fraction(below, n_present) >= Fraction(wanted[-1] + 1, n_bins)
            wanted.append(wanted[-1] + full)
            below += int((ranks == r).sum())
        bins = np.array(wanted[1:])
        found, low, high = ranks.astype(np.int32), np.r_[values, np.nan], np.r_[values, np.nan]
        assert columns.merge_ranks(found, n_values, n_bins, low, high) == bins[-1] + 1 <= n_bins
        np.testing.assert_array_equal(found, np.r_[bins, bins[-1] + 1][ranks])
        for b in range(bins[-1] + 1):
            assert (low[b], high[b]) == (values[bins == b].min(), values[bins == b].max())


def test_entries_are_those_of_the_examples_in_order():
    rng = np.random.default_rng(4)
    for n_values in (0, 1, 3, 6):
        ranks = rng.integers(0, n_values + 1, 12).astype(np.int32)
        for examples in (rng.permutation(12), rng.integers(0, 12, 9), np.zeros(0, np.int64)):
            entries = np.full(len(examples), UNTOUCHED)
            columns.sort_entries(ranks, n_values, examples, entries)
            in_order = examples[np.argsort(ranks[examples], kind="stable")]
            np.testing.assert_array_equal(entries, ranks[in_order].astype(np.int64) * 2**32 + in_order)
            np.testing.assert_array_equal(entries & columns.INDEX, in_order)


def test_a_rank_is_sorted_by_as_few_digits_of_at_most_eight_bits_as_it_takes():
    for n_values in (0, 1, 2, 3, 4, 127, 128, 255, 256, 1023, 1024, 2**16 - 1, 2**16, 2**17, 2**24, 2**31 - 1):
        n_bits = max(n_values.bit_length(), 1)
        n_digits = -(-n_bits // 8)
        assert columns.digits_of(n_values) == (n_digits, -(-n_bits // n_digits))


@pytest.mark.parametrize("n_values", [1, 40, 255, 256, 1000, 2**16 - 1, 2**17])
def test_rows_are_sorted_and_others_are_left_as_they_are(n_values):
    rng = np.random.default_rng(5)
    n_digits, _ = columns.digits_of(n_values)
    few = columns.FEW * n_digits
    for n in (0, 1, 2, few - 1, few, few + 1):
        ranks, indices = rng.integers(0, n_values + 1, n), rng.permutation(n)
        ranks[:1] = n_values
        rows = rng.integers(0, 2**32, (4, n + 2))
        source = 1 if n >= few and n_digits % 2 == 0 else 2
        # As they are drawn: with the indices in any order.
        rows[source, :n] = [int(r) * 2**32 + int(i) for r, i in zip(ranks, indices, strict=True)]
        wanted = rows.copy()
        wanted[1, :n] = np.sort(rows[source, :n])
        if n >= few:
            # The digits that count least come first, and equal ones keep their order.
            wanted[1, :n] = rows[source, :n][np.argsort(ranks, kind="stable")]
        columns.sort_row(rows, 1, 2, n, n_values, np.full(257, UNTOUCHED))
        if n >= few and n_digits > 1:
            wanted[2, :n] = rows[2, :n]
        np.testing.assert_array_equal(rows, wanted)
