"""The columns of a sample in order, which every tree and stump on this sample shares."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from mcbook.foundation.threads import in_pieces
from mcbook.foundation.types import Array, ArrayLike, Booleans, Floats, Integers
from mcbook.trees.kernels.categories import MOST_CATEGORIES
from mcbook.trees.kernels.columns import merge_ranks, rank_column, rank_few, sort_entries

# Threads pay from about this many numbers on.
_WORTH_A_THREAD = 20_000
# A cell has its number in 32 bits.
_MOST_CELLS = 2**32


class _Columns(NamedTuple):
    ranks: Array
    n_values: Integers
    low: Floats
    high: Floats
    categorical: Booleans


class Columns(_Columns):
    """A sample by columns, each with its distinct values counted from the smallest.

    ``ranks (n_features, n_samples)`` int32, the number of the example's value, and n_values where it is missing;
    ``n_values (n_features,)``; ``low`` and ``high (n_features, most values)``, the least and the greatest value of a
    rank, the same unless values were merged into bins; ``categorical (n_features,)`` bool.

    >>> columns = sort_columns([[3.0, 0.0], [1.0, 0.0]])
    >>> columns.n_values.tolist(), columns.cells.tolist()
    ([2, 1], [[2, 1], [0, 1]])
    """

    @property
    def n_features(self) -> int:
        return self.ranks.shape[0]

    @property
    def n_samples(self) -> int:
        return self.ranks.shape[1]

    @cached_property
    def cells(self) -> Array:
        """Of a table with a row for each rank and a column for each feature, the cell in which each value is counted.

        ``(n_samples, n_features)`` uint32: rank * n_features + feature, if that many numbers have room there.
        """
        largest = (int(self.n_values.max()) + 1) * self.n_features
        if largest > _MOST_CELLS:
            raise ValueError(
                f"expected a table of at most 2^32 cells, ranks times features, got {largest}: put neighbouring values "
                "into fewer bins (max_bins), or take fewer features"
            )
        features = np.arange(self.n_features, dtype=np.uint32)
        return np.ascontiguousarray(self.ranks.T).astype(np.uint32) * np.uint32(self.n_features) + features

    @cached_property
    def only_numbers(self) -> bool:
        """Whether no column is categorical, and no value is missing."""
        return not (self.categorical.any() or (self.ranks == self.n_values[:, None]).any())


def to_write(array: ArrayLike, dtype: type | None = None) -> Array:
    """The array, or a copy of one that may only be read or is not in order, for which kernels are not compiled."""
    return np.asarray(np.require(array, dtype, ["C", "W"]))


def writable(columns: Columns) -> Columns:
    """The same columns, in arrays that may be written."""
    return columns if all(array.flags.writeable for array in columns) else Columns(*map(to_write, columns))


def sort_columns(X: ArrayLike, *, categorical: ArrayLike | None = None, max_bins: int | None = None) -> Columns:
    """Rank every column of ``X (n_samples, n_features)``, NaN being a missing value.

    ``categorical`` says by a mask which columns hold categories, as codes 0, 1, ... of which there may be 62.  With
    ``max_bins``, neighbouring values of a numeric column with more of them are merged into as many bins of about equal
    size; thresholds then lie between bins.

    >>> columns = sort_columns([[3.0], [1.0], [3.0], [np.nan]])
    >>> columns.ranks.tolist(), columns.n_values.tolist(), columns.low.tolist()
    ([[1, 0, 1, 2]], [2], [[1.0, 3.0, 0.0, 0.0]])
    """
    values = np.ascontiguousarray(np.asarray(X, dtype=float).T)
    if values.ndim != 2 or not values.size:
        raise ValueError(f"expected X of shape (n_samples, n_features), both at least 1, got {values.shape[::-1]}")
    if np.isinf(values).any():
        raise ValueError("expected X with finite numbers, or NaN where one is missing, got infinity: clip or drop it")
    n_features, n_samples = values.shape
    asked = _category_mask(categorical, n_features)
    ranks, n_values = np.empty((n_features, n_samples), np.int32), np.zeros(n_features, np.int64)
    # Zeros of both signs are equal, so they become one of them.
    bits = (values + 0.0).view(np.uint64)
    low = np.zeros_like(values)
    high = low if max_bins is None else np.zeros_like(values)

    def rank(begin: int, end: int) -> None:
        for j in range(begin, end):
            if asked[j]:
                n_values[j] = _rank_categories(values[j], ranks[j], low[j], j)
            else:
                n_values[j] = rank_few(values[j], bits[j], low[j], ranks[j])
                if n_values[j] < 0:
                    n_values[j] = rank_column(values[j], np.argsort(values[j]), low[j], ranks[j])
            if max_bins is not None:
                high[j] = low[j]
                if n_values[j] > max_bins and not asked[j]:
                    n_values[j] = merge_ranks(ranks[j], n_values[j], max_bins, low[j], high[j])

    in_pieces(rank, n_features, 1 + _WORTH_A_THREAD // n_samples)
    return Columns(ranks, n_values, low, high, asked)


def sorted_entries(columns: Columns, examples: Integers) -> Integers:
    """The entries (rank * 2^32 + index) of these examples in order, ``(n_features, len(examples))``.

    >>> (sorted_entries(sort_columns([[3.0], [1.0], [2.0]]), np.arange(3)) % 2**32).tolist()
    [[1, 2, 0]]
    """
    columns, examples = writable(columns), to_write(examples, np.int64)
    entries = np.empty((columns.n_features, len(examples)), np.int64)

    def sort(begin: int, end: int) -> None:
        for j in range(begin, end):
            sort_entries(columns.ranks[j], columns.n_values[j], examples, entries[j])

    in_pieces(sort, columns.n_features, 1 + _WORTH_A_THREAD // len(examples))
    return entries


def _category_mask(categorical: ArrayLike | None, n_features: int) -> Booleans:
    mask = np.zeros(n_features, bool) if categorical is None else np.asarray(categorical)
    if mask.dtype != bool or mask.shape != (n_features,):
        raise ValueError(
            f"expected categorical to be a mask of {n_features} truth values, one for each column, got {categorical!r}"
        )
    return mask


def _rank_categories(column: Floats, ranks: Array, low: Floats, j: int) -> int:
    """A category's rank is its code; returns one more than the largest code."""
    present = ~np.isnan(column)
    codes = column[present]
    if (codes != np.floor(codes)).any() or (codes < 0).any() or (codes >= MOST_CATEGORIES).any():
        raise ValueError(
            f"expected column {j} to hold categories as codes 0 .. {MOST_CATEGORIES - 1}, got values from "
            f"{codes.min():g} to {codes.max():g}: number the categories, join rare ones, or take the column as numeric"
        )
    n_values = int(codes.max()) + 1 if codes.size else 0
    ranks[present], ranks[~present] = codes, n_values
    low[:n_values] = np.arange(min(n_values, len(low)))
    return n_values
