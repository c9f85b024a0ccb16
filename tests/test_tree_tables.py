"""Columns with few values: ranks found by hashing, tables in place of orders, and arrays that may only be read."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from mcbook.boosting import run_samme
from mcbook.boosting_many_labels import LabelStumps, boost_pairs, label_signs
from mcbook.forests import grow_forest
from mcbook.foundation.compiled import python_original
from mcbook.trees import Columns, best_split, best_stump, grow_tree, sort_columns, sorted_entries
from mcbook.trees.algorithm.columns import writable
from mcbook.trees.kernels.columns import FEW_VALUES
from mcbook.trees.kernels.signed import sum_by_rank, sum_cells
from mcbook.trees.kernels.vectors import WIDTH, add_four, take_four

GROWTH, STUMPS = "mcbook.trees.algorithm.growth", "mcbook.trees.algorithm.stumps"


def few_values(rng, m=300, d=9, k=5):
    X, y = rng.integers(0, 8, (m, d)).astype(float), rng.integers(0, k, m)
    # A column that is constant, and one that says a little about the label.
    X[:, 2], X[:, 5] = 3.0, (y + rng.integers(0, 3, m)) % 8
    return X, y


def assert_equal(one, other):
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("n_values", [1, 2, FEW_VALUES, FEW_VALUES + 1, 200])
def test_ranks_are_those_of_the_distinct_values(n_values):
    rng = np.random.default_rng(0)
    values = np.r_[0.0, rng.normal(size=n_values - 1)] * 10.0 ** rng.integers(-3, 4)
    x = rng.permutation(np.r_[values, rng.choice(values, 400), [-0.0, np.nan, np.nan]])
    columns = sort_columns(x[:, None])
    distinct = np.unique(values)
    ranks = np.where(np.isnan(x), n_values, np.searchsorted(distinct, x))
    assert columns.n_values[0] == n_values
    np.testing.assert_array_equal(columns.ranks[0], ranks)
    np.testing.assert_array_equal(columns.low[0, :n_values], distinct)
    np.testing.assert_array_equal(columns.cells[:, 0], ranks)
    assert not columns.only_numbers
    assert sort_columns(values[:, None]).only_numbers


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"max_depth": 3},
        {"min_impurity_decrease": 0.004},
        {"max_leaf_nodes": 9, "growth": "largest-decrease"},
        {"max_features": 1, "seed": 3},
        {"max_features": 3, "seed": 4},
        {"min_samples_leaf": 20},
        {"min_weight_fraction_leaf": 0.1},
        {"criterion": "entropy", "max_depth": 4},
    ],
    ids=str,
)
def test_a_table_finds_the_cuts_that_a_scan_finds(monkeypatch, rules):
    for seed, weighted in enumerate([False, True] * 3):
        rng = np.random.default_rng(seed)
        X, y = few_values(rng)
        weight = rng.integers(0, 4, len(y)) if weighted else None
        tables = grow_tree(X, y, 5, weight=weight, **rules)
        with monkeypatch.context() as patch:
            patch.setattr(f"{GROWTH}._FEW_CELLS", 0)
            scans = grow_tree(X, y, 5, weight=weight, **rules)
        assert tables.n_leaves > 2
        assert_equal(tables, scans)


def test_forests_by_tables_are_those_by_scans(monkeypatch):
    X, y = few_values(np.random.default_rng(7))
    tables = grow_forest(X, y, 5, n_trees=6, max_features=3, seed=1)
    monkeypatch.setattr(f"{GROWTH}._FEW_CELLS", 0)
    for one, other in zip(tables.trees, grow_forest(X, y, 5, n_trees=6, max_features=3, seed=1).trees, strict=True):
        assert_equal(one, other)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_the_first_split_in_tables_is_that_in_order(monkeypatch, n_threads):
    rng = np.random.default_rng(8)
    monkeypatch.setattr("mcbook.foundation.threads.n_threads", lambda: n_threads)
    monkeypatch.setattr(f"{STUMPS}._WORTH_A_THREAD_OF_TABLES", 0)
    for _ in range(8):
        X, y = few_values(rng)
        columns, weight = sort_columns(X), rng.random(len(y))
        entries, short = sorted_entries(columns, np.arange(len(y))), y.astype(np.int16)
        found = best_split(columns, entries, short, weight, 5)
        columns.__dict__["only_numbers"] = False
        wanted = best_split(columns, entries, short, weight, 5)
        assert found[:5] == wanted[:5]
        assert found.decrease == pytest.approx(wanted.decrease, rel=1e-12)


@pytest.mark.parametrize("n_columns", [1, 2, 3, 4, 5, 10])
@pytest.mark.parametrize("real_votes", [False, True])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_stumps_from_a_table_are_those_from_columns(monkeypatch, n_columns, real_votes, n_threads):
    rng = np.random.default_rng(9)
    monkeypatch.setattr("mcbook.foundation.threads.n_threads", lambda: n_threads)
    monkeypatch.setattr(f"{STUMPS}._WORTH_A_THREAD_OF_TABLES", 0)
    for missing, categorical in [(0, None), (0.1, np.arange(9) % 2 == 0)]:
        X, _ = few_values(rng)
        X[rng.random(X.shape) < missing] = np.nan
        columns, A = sort_columns(X, categorical=categorical), rng.normal(size=(len(X), n_columns))
        table = best_stump(columns, A, real_votes=real_votes)
        with monkeypatch.context() as patch:
            patch.setattr(f"{STUMPS}._MOST_OF_A_TABLE", 0)
            assert best_stump(columns, A, real_votes=real_votes) == table


def test_a_table_has_the_sums_of_every_column():
    rng = np.random.default_rng(10)
    columns, A = sort_columns(few_values(rng, m=40)[0]), rng.normal(size=(40, 8))
    n_ranks = int(columns.n_values.max()) + 1
    for kernel in (sum_cells, python_original(sum_cells)):
        table = np.zeros((2, n_ranks * columns.n_features * WIDTH))
        kernel(columns.cells, A, 0, columns.n_features, table)
        sums = table.reshape(2, n_ranks, columns.n_features, WIDTH)
        for j in range(columns.n_features):
            wanted = np.zeros((n_ranks, 8))
            sum_by_rank(columns.ranks[j], A, wanted)
            np.testing.assert_array_equal(np.hstack([sums[0, :, j], sums[1, :, j]]), wanted)


def test_four_numbers_are_added_as_one_by_one():
    @njit
    def compiled(target, at, source, start):
        add_four(target, at, take_four(source, start))

    rng = np.random.default_rng(11)
    target, source = rng.normal(size=20), rng.normal(size=(4, 5))
    wanted = target.copy()
    add_four(wanted, 3, take_four(source, 7))
    assert (wanted != target).sum() == WIDTH
    compiled(target, 3, source, 7)
    np.testing.assert_array_equal(target, wanted)


@pytest.mark.parametrize("few", [True, False])
def test_columns_that_may_only_be_read_are_taken(few):
    rng = np.random.default_rng(12)
    X, y = few_values(rng)
    X = X if few else X + rng.normal(size=X.shape)
    columns, A, weight = sort_columns(X), rng.normal(size=(len(y), 2)), rng.random(len(y))
    fixed = Columns(*(array.copy() for array in columns))
    for array in (*fixed, A, weight):
        array.flags.writeable = False
    entries, short = sorted_entries(columns, np.arange(len(y))), y.astype(np.int16)
    assert_equal(sorted_entries(fixed, np.arange(len(y))), entries)
    entries.flags.writeable = short.flags.writeable = False
    assert_equal(grow_tree(fixed, y, 5, weight=weight), grow_tree(columns, y, 5, weight=weight.copy()))
    assert_equal(grow_tree(fixed, y, 5), grow_tree(columns, y, 5))
    assert best_stump(fixed, A) == best_stump(columns, A.copy())
    split = best_split(columns, entries.copy(), short.copy(), weight.copy(), 5)
    assert best_split(fixed, entries, short, weight, 5) == split
    assert_equal(run_samme(fixed, y, 5, 4), run_samme(columns, y, 5, 4))
    run = boost_pairs(LabelStumps(fixed), label_signs(y, 5), 4)
    assert run.hypotheses[0].question == boost_pairs(LabelStumps(columns), label_signs(y, 5), 4).hypotheses[0].question
    forest = grow_forest(X, y, 5, n_trees=2, bootstrap=False, weight=weight)
    assert_equal(forest.trees[0], grow_tree(columns, y, 5, weight=weight.copy()))


@pytest.mark.parametrize("read_only", range(5))
def test_columns_with_one_array_that_may_only_be_read_are_copied(read_only):
    columns = Columns(*(array.copy() for array in sort_columns([[1.0], [2.0]])))
    assert writable(columns) is columns
    columns[read_only].flags.writeable = False
    copied = writable(columns)
    assert all(array.flags.writeable for array in copied)
    assert_equal(copied, columns)


def test_as_many_values_as_bins_are_not_merged():
    # Most examples have the last value: bins of about equal size would join all.
    X = np.array([[0.0], [1.0], [2.0]] + [[3.0]] * 20 + [[np.nan]])
    plain = sort_columns(X)
    for max_bins in (4, 5):
        assert_equal(sort_columns(X, max_bins=max_bins), plain._replace(high=plain.low))
    merged = sort_columns(X, max_bins=3)
    assert (merged.n_values[0], merged.ranks[0, [0, 2, 3, -1]].tolist()) == (1, [0, 0, 0, 1])


def test_many_threads_find_what_one_finds(monkeypatch):
    rng = np.random.default_rng(13)
    for few in (True, False):
        # So many examples and columns that there are fewer pieces than threads.
        X, y = few_values(rng, m=7000, d=100)
        X = X if few else X + rng.normal(size=X.shape)
        A, weight, found = rng.normal(size=(len(y), 1)), rng.random(len(y)), []
        for n_threads in (1, 64):
            monkeypatch.setattr("mcbook.foundation.threads.n_threads", lambda n_threads=n_threads: n_threads)
            columns = sort_columns(X)
            entries = sorted_entries(columns, np.arange(len(y)))
            split = best_split(columns, entries, y.astype(np.int16), weight, 5)
            found.append((*columns, entries, best_stump(columns, A), split))
        assert_equal(*found)


def test_the_first_split_lies_in_the_middle_of_its_neighbours():
    columns = sort_columns([[1.0], [2.0], [4.0]])
    entries, weight = sorted_entries(columns, np.arange(3)), np.ones(3)
    for few in (True, False):
        columns.__dict__["only_numbers"] = few
        low, high = (best_split(columns, entries, np.array(y, np.int16), weight, 2) for y in ([0, 1, 1], [0, 0, 1]))
        assert (low.cut, low.threshold, high.cut, high.threshold) == (0, 1.5, 1, 3.0)
        # Three examples of which two agree: 3 * 4/9 less nothing.
        assert low.decrease == high.decrease == pytest.approx(4 / 3)
