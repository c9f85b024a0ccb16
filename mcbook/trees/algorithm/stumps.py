"""Trees of one question on sorted columns, as boosting asks for them in every round.

Shapes: signed weights ``A (n_samples, n_columns)``, ``entries (n_features, n_samples)``, ``y`` and
``weight (n_samples,)``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mcbook.foundation.threads import in_pieces
from mcbook.foundation.types import Array, ArrayLike, Floats, Integers
from mcbook.trees.algorithm.columns import Columns, to_write, writable
from mcbook.trees.kernels.growth import threshold_between
from mcbook.trees.kernels.scores import ENTROPY, ERROR, GINI, ROOT, side_score
from mcbook.trees.kernels.search import search_rows
from mcbook.trees.kernels.signed import best_cuts, best_cuts_of_table, sum_cells
from mcbook.trees.kernels.tables import N_MORE, search_all
from mcbook.trees.kernels.vectors import WIDTH

LEFT, RIGHT, MISSING = 0, 1, 2
_CRITERIA = {"gini": GINI, "entropy": ENTROPY, "misclassification": ERROR, "root": ROOT}
# Threads pay from about this many numbers on.
_WORTH_A_THREAD, _WORTH_A_THREAD_OF_TABLES = 60_000, 300_000
# A table of all columns pays for few columns of weights, and while it fits into a cache.
_FEW_COLUMNS, _MOST_OF_A_TABLE = 16, 2**15
_ROUNDING = 1e-12


class Stump(NamedTuple):
    """A question whose two sides, and a third one for missing values, vote apart in each of the columns of A.

    ``cut`` is the last rank on the left, or the category that is asked for, ``threshold`` the same as a value of the
    feature (infinite if all values are on the left); ``worth`` is what the stump is chosen by.

    >>> Stump(feature=0, cut=1, threshold=3.0, categorical=False, worth=1.0).threshold
    3.0
    """

    feature: int
    cut: int
    threshold: float
    categorical: bool
    worth: float


def best_stump(columns: Columns, A: ArrayLike, *, real_votes: bool = False) -> Stump:
    """The best stump for signed weights ``A (n_samples, n_columns)``, in n_samples * n_columns * n_features steps.

    With votes of -1 and +1 the worth, to be large, is the sum over columns and sides of |sum of A on the side|; with
    real-valued votes it is minus the sum of 2 sqrt(W+ W-), W+ and W- being the positive and the negative part.
    Of equally good stumps the first feature wins, and on it the smallest cut.

    >>> from mcbook.trees.algorithm.columns import sort_columns
    >>> best_stump(sort_columns([[1.0], [2.0], [4.0]]), [[0.5], [0.25], [-0.25]])[:4]
    (0, 1, 3.0, False)
    """
    A = to_write(A, float)
    if A.ndim != 2 or len(A) != columns.n_samples:
        raise ValueError(f"expected A of shape ({columns.n_samples}, n_columns), got {A.shape}: a row for each example")
    parts = np.hstack([np.maximum(A, 0), np.maximum(-A, 0)]) if real_votes else A
    worths, cuts = _best_cuts(writable(columns), parts, real_votes)
    # Equal worths differ by rounding, and by another one where an example is weighted twice or stands there twice.
    j = int(np.argmax(worths >= worths.max() - _ROUNDING * np.abs(worths).max()))
    return Stump(j, int(cuts[j]), _threshold(columns, j, int(cuts[j])), bool(columns.categorical[j]), float(worths[j]))


def _best_cuts(columns: Columns, A: Floats, real_votes: bool) -> tuple[Floats, Integers]:
    """The worth of the best cut of each column, and the cut; from a table of all columns where it is small."""
    n_features, (n_samples, n_columns) = columns.n_features, A.shape
    worths, cuts = np.empty(n_features), np.empty(n_features, np.int64)
    n_quads, n_cells = -(-n_columns // WIDTH), (int(columns.n_values.max()) + 1) * n_features
    worth_a_thread = _WORTH_A_THREAD // A.size
    small = n_columns <= _FEW_COLUMNS and n_quads * WIDTH * n_cells <= min(_MOST_OF_A_TABLE, A.size * n_features)
    if small:
        padded, table = np.zeros((n_samples, n_quads * WIDTH)), np.zeros((n_quads, n_cells * WIDTH))
        padded[:, :n_columns] = A
        asked = (columns.n_values, columns.categorical, n_columns, real_votes)
        worth_a_thread = _WORTH_A_THREAD_OF_TABLES // (n_samples * n_quads)

        def fill(begin: int, end: int) -> None:
            sum_cells(columns.cells, padded, begin, end, table)
            best_cuts_of_table(table, *asked, begin, end, worths, cuts)

    else:
        given = (columns.ranks, columns.n_values, columns.categorical, A, real_votes)

        def fill(begin: int, end: int) -> None:
            best_cuts(*given, begin, end, worths, cuts)

    in_pieces(fill, n_features, 1 + worth_a_thread)
    return worths, cuts


def sides_of(stump: Stump, columns: Columns) -> Integers:
    """`LEFT`, `RIGHT` or `MISSING` for every example of the columns.

    >>> from mcbook.trees.algorithm.columns import sort_columns
    >>> columns = sort_columns([[1.0], [2.0], [4.0], [np.nan]])
    >>> sides_of(best_stump(columns, [[0.5], [0.25], [-0.25], [0.0]]), columns).tolist()
    [0, 0, 1, 2]
    """
    ranks = columns.ranks[stump.feature]
    if columns.only_numbers:
        return np.asarray(ranks > stump.cut, dtype=np.int64)
    left = ranks == stump.cut if stump.categorical else ranks <= stump.cut
    return np.where(ranks == columns.n_values[stump.feature], MISSING, np.where(left, LEFT, RIGHT))


def sides_of_values(stump: Stump, X: ArrayLike) -> Integers:
    """The same for the rows of ``X``.

    >>> sides_of_values(Stump(0, 1, 3.0, False, 1.0), [[2.5], [3.5], [np.nan]]).tolist()
    [0, 1, 2]
    """
    X = np.asarray(X, dtype=float)
    x = X[:, stump.feature]
    left = x == stump.threshold if stump.categorical else x <= stump.threshold
    return np.where(np.isnan(x), MISSING, np.where(left, LEFT, RIGHT))


class Split(NamedTuple):
    """The question that lowers the impurity of all examples most: as in `Tree`, and the decrease of |n| F(n).

    >>> Split(feature=0, cut=1, threshold=3.0, categories=0, missing_left=False, decrease=4 / 3).feature
    0
    """

    feature: int
    cut: int
    threshold: float
    categories: int
    missing_left: bool
    decrease: float


def best_split(
    columns: Columns, entries: Integers, y: Array, weight: Floats, n_classes: int, criterion: str = "gini"
) -> Split:
    """The first split of `grow_tree`, for weights that change from round to round while the ``entries`` stay.

    ``entries`` are those of all examples, from `sorted_entries`; ``y`` int16.

    >>> from mcbook.trees.algorithm.columns import sort_columns, sorted_entries
    >>> columns = sort_columns([[1.0], [2.0], [4.0]])
    >>> entries = sorted_entries(columns, np.arange(3))
    >>> best_split(columns, entries, np.array([0, 0, 1], np.int16), np.ones(3), 2).threshold
    3.0
    """
    entries, y, weight = map(to_write, (entries, y, weight))
    whole = np.asarray(np.bincount(y, weights=weight, minlength=n_classes), dtype=float)
    code, columns = _CRITERIA[criterion], writable(columns)
    if criterion == "gini" and int(columns.n_values.max()) * n_classes <= columns.n_samples and columns.only_numbers:
        found = _found_in_tables(columns, y, weight, whole)
    else:
        found = _found_in_order(code, columns, entries, y, weight, whole)
    # Of equal scores the first piece has the smaller features.
    feature, score, cut, after, missing_left, mask = max(found, key=lambda one: one[1])
    if feature < 0:
        return Split(-1, -1, np.nan, 0, False, 0.0)
    sizes, low, high = columns.n_values, columns.low, columns.high
    threshold = np.nan if cut < 0 else threshold_between(sizes, low, high, feature, cut, after)
    decrease = score - side_score(code, whole)
    return Split(feature, cut, float(threshold), mask, bool(missing_left), float(decrease))


def _found_in_order(
    code: int, columns: Columns, entries: Integers, y: Array, weight: Floats, whole: Floats
) -> list[tuple[int, float, int, int, bool, int]]:
    """Of pieces of the columns the best feature, its score, cut, next rank, where missing values go, and mask."""
    every, size = np.arange(columns.n_features, dtype=np.int64), len(whole)
    common = (0, entries.shape[1], columns.n_values, columns.categorical, y, np.zeros(0), weight, whole)
    return in_pieces(
        lambda begin, end: search_rows(code, entries, every, begin, end, *common, np.empty((1, size)), 1, 0.0),
        columns.n_features,
        1 + _WORTH_A_THREAD // columns.n_samples,
    )


def _found_in_tables(
    columns: Columns, y: Array, weight: Floats, whole: Floats
) -> list[tuple[int, float, int, int, bool, int]]:
    """The same by the Gini index, for columns of numbers with few values and none missing."""
    n_ranks, size = int(columns.n_values.max()), len(whole)
    table, memory = np.empty((size, n_ranks * columns.n_features)), np.empty((size + N_MORE, columns.n_features))
    common = (np.arange(columns.n_samples, dtype=np.int64), 0, columns.n_samples, y, weight, whole, table, memory)
    found = in_pieces(
        lambda begin, end: search_all(columns.cells, n_ranks, np.uint64(begin), np.uint64(end), *common),
        columns.n_features,
        1 + _WORTH_A_THREAD_OF_TABLES // columns.n_samples,
    )
    return [(*one, False, 0) for one in found]


def _threshold(columns: Columns, j: int, cut: int) -> float:
    if columns.categorical[j]:
        return float(cut)
    return float(threshold_between(columns.n_values, columns.low, columns.high, j, cut, cut + 1))
