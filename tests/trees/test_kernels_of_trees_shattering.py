"""Loops of the trees' chapter against brute force: labellings by few questions, and stumps for signed weights."""

import itertools

import numpy as np
import pytest
from new_arrays import fill_new_arrays_with_nan

from mcbook.trees.kernels.shattering import halves, shattered
from mcbook.trees.kernels.signed import (
    best_cut,
    best_cuts,
    best_cuts_of_table,
    sum_cells,
)
from mcbook.trees.kernels.vectors import WIDTH

# What no kernel writes; an index of this size is none.
UNTOUCHED = -(10**6)


@pytest.fixture(autouse=True)
def _new_arrays_hold_nothing(monkeypatch):
    fill_new_arrays_with_nan(monkeypatch)


def first_sides(heights, points):
    """What is left of, or below, each line that divides the points, one line after the other."""
    m = len(heights)
    places = [range(m), heights]
    sides = [sum(1 << i for i in range(m) if points >> i & 1 and at[i] < cut) for at in places for cut in range(m)]
    return [side for side in sides if side not in (0, points)]


def all_labellings(heights, points, n_questions):
    """The points labelled 1, by trees with at most so many questions: a constant, or a question and two trees."""
    found = {0, points}
    for side in first_sides(heights, points) if n_questions else ():
        for on_first in range(n_questions):
            one = all_labellings(heights, side, on_first)
            other = all_labellings(heights, points & ~side, n_questions - 1 - on_first)
            found |= {a | b for a in one for b in other}
    return found


def orders(m):
    return [np.array(order, np.int64) for order in itertools.permutations(range(m))]


def test_a_set_is_halved_by_each_line_that_divides_it():
    for heights in [*orders(1), *orders(2), *orders(3), *orders(4)]:
        for points in range(1 << len(heights)):
            wanted = [side for side, _ in itertools.groupby(first_sides(heights, points))]
            # What stands in the last place is compared with nothing.
            found = np.full(2 * len(heights) + 1, UNTOUCHED)
            found[-1] = wanted[0] if wanted else UNTOUCHED
            n = halves(heights, points, found)
            assert found[:n].tolist() == wanted
            assert (found[n:-1] == UNTOUCHED).all()


@pytest.mark.parametrize("n_questions", [1, 2, 3])
def test_points_are_shattered_when_trees_give_them_every_labelling(n_questions):
    # The seven points are shattered, and for some of the labellings one side has to have all three questions.
    seven = [np.array([0, 4, 5, 3, 2, 1, 6]), np.array([0, 3, 5, 4, 2, 6, 1])]
    several = {1: [*orders(3), *orders(4)[::3]], 2: orders(5)[::6], 3: [*orders(6)[::90], *seven]}
    found = []
    for heights in [np.zeros(0, np.int64), *orders(1), *several[n_questions]]:
        m = len(heights)
        found.append(shattered(heights, n_questions))
        assert found[-1] == (len(all_labellings(heights, (1 << m) - 1, n_questions)) == 1 << m)
    assert len(set(found)) == 2


def worth(side, real):
    """The absolute sums of a side, or -2 sqrt(W+ W-): the first half of its columns is W+, the second W-."""
    if real:
        plus, minus = np.split(side, 2)
        return -2 * np.sqrt(np.maximum(plus * minus, 0)).sum()
    return abs(side).sum()


def wanted_cut(sums, categorical, real):
    """Of the cuts that leave values on both sides, or of one value, the first of the best."""
    *present, missing = sums
    n = len(present)
    if not n:
        return worth(missing, real), -1
    lefts = present if categorical else np.cumsum(present, axis=0)[: max(n - 1, 1)]
    worths = [worth(a, real) + worth(np.sum(present, axis=0) - a, real) + worth(missing, real) for a in lefts]
    return max(worths), int(np.argmax(worths))


def signed_sample(rng, n_samples, n_columns, real, n_values=(4, 1, 0, 6, 2)):
    """Ranks of features with so many values, which need not all occur, and whole weights, so that sums are exact."""
    ranks = np.array([rng.integers(0, n + 1, n_samples) for n in n_values], np.int32)
    A = rng.integers(0 if real else -5, 6, (n_samples, n_columns * (2 if real else 1))).astype(float)
    return ranks, np.array(n_values, np.int64), rng.random(len(n_values)) < 0.5, A


def sums_of_ranks(ranks, n_values, A):
    return np.array([A[ranks == r].sum(axis=0) for r in range(n_values + 1)])


@pytest.mark.parametrize("n_values", [1, 2, 3])
def test_values_stay_on_one_side_only_where_there_is_but_one(n_values):
    rng = np.random.default_rng(4)
    for _ in range(60):
        # All ranks have the same votes, some more than others: any cut is worth what none is, but for the rounding.
        sums = rng.random((n_values + 1, 1)) * rng.random(6)
        found, cut = best_cut(sums, n_values, False, True)
        assert found == pytest.approx(worth(sums.sum(axis=0), True), rel=1e-14)
        assert 0 <= cut < max(n_values - 1, 1)


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("n_columns", [1, 3, 4, 5, 8])
def test_the_best_cuts_of_some_features_from_their_ranks_and_from_a_table(real, n_columns):
    rng = np.random.default_rng(3)
    for begin, end in ((0, 5), (1, 4), (2, 3), (1, 2), (4, 5)):
        ranks, n_values, categorical, A = signed_sample(rng, 12, n_columns, real)
        wanted = [
            wanted_cut(sums_of_ranks(ranks[j], n_values[j], A), categorical[j], real)
            if begin <= j < end
            else (-7.5, -7)
            for j in range(5)
        ]
        worths, cuts = np.full(5, -7.5), np.full(5, -7)
        best_cuts(ranks, n_values, categorical, A, real, begin, end, worths, cuts)
        np.testing.assert_allclose(worths, [w for w, _ in wanted], rtol=1e-13)
        padded = np.zeros((12, -(-A.shape[1] // WIDTH) * WIDTH))
        padded[:, : A.shape[1]] = A
        table = np.zeros((padded.shape[1] // WIDTH, (n_values.max() + 1) * 5 * WIDTH))
        cells = np.ascontiguousarray(ranks.T * 5 + np.arange(5)).astype(np.uint32)
        sum_cells(cells, padded, begin, end, table)
        others, other_cuts = np.full(5, -7.5), np.full(5, -7)
        best_cuts_of_table(table, n_values, categorical, A.shape[1], real, begin, end, others, other_cuts)
        np.testing.assert_array_equal(others, worths)
        np.testing.assert_array_equal(other_cuts, cuts)
        assert real or cuts.tolist() == [cut for _, cut in wanted]
