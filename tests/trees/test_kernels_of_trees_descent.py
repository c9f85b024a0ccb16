"""Scores, scans, searches and descents: the kernels on small nodes against what the long way finds."""

import itertools

import numba
import numpy as np
import pytest
from numba import njit
from plain_trees import (
    CRITERIA,
    Draws,
    impurity,
    weight_of,
    worth,
)

from mcbook.trees.kernels import vectors
from mcbook.trees.kernels.descent import find_leaves, goes_left
from mcbook.trees.kernels.scores import ENTROPY, ERROR, GINI, ROOT, SQUARES, impurity_of, side_score, size_of
from mcbook.trees.kernels.search import draw_next, next_random
from mcbook.trees.kernels.vectors import WIDTH, add_four, take_four

CLASSES = {GINI: 3, ENTROPY: 3, ERROR: 4, SQUARES: 3, ROOT: 2}
each_criterion = pytest.mark.parametrize("criterion", CRITERIA.values(), ids=CRITERIA)


def contents(rng, criterion):
    if criterion == SQUARES:
        w, y = rng.integers(1, 9, 5) / 4, rng.normal(size=5)
        return np.array([w.sum(), (w * y).sum(), (w * y * y).sum()])
    return rng.integers(0, 4, CLASSES[criterion]) / rng.choice([1, 4]) + np.eye(CLASSES[criterion])[0] / 8


@each_criterion
def test_sides_and_impurities_are_worth_what_their_formulas_say(criterion):
    rng = np.random.default_rng(0)
    for _ in range(30):
        content = contents(rng, criterion)
        assert side_score(criterion, content) == pytest.approx(worth(criterion, content), abs=1e-12)
        assert impurity_of(criterion, content) == pytest.approx(impurity(criterion, content), abs=1e-12)
        assert size_of(criterion, content) == weight_of(criterion, content)


def test_rounding_makes_no_impurity_negative():
    assert impurity_of(SQUARES, np.array([1.0, 1.0, 1 - 2**-53])) == 0
    content = np.array([0.1, 0.0, 0.0])
    for criterion in (GINI, ENTROPY, ERROR):
        assert impurity_of(criterion, content) == 0
    assert impurity_of(ROOT, np.array([3.0, 0.0])) == 0
    assert side_score(ROOT, np.array([3.0, -1e-17])) == 0


def test_the_generator_is_that_of_its_authors_and_columns_are_drawn_with_it():
    state, draws = np.array([0], np.uint64), Draws(0, 5)
    wanted = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]
    assert [int(next_random(state)) for _ in range(4)] == wanted == [draws.number() for _ in range(4)]
    assert int(state[0]) == draws.state
    features = np.arange(5)
    for _ in range(6):
        for drawn in range(5):
            assert draw_next(features, drawn, state) == draws.next_column(drawn)
            assert features.tolist() == draws.features
    assert int(state[0]) == draws.state


def test_a_value_goes_left_by_its_threshold_its_category_or_because_it_is_missing():
    for missing_left in (False, True):
        assert goes_left(np.nan, 0.5, 0, missing_left) == missing_left
        assert goes_left(np.nan, np.nan, 0b111, missing_left) == missing_left
        assert [goes_left(x, 0.5, 0, missing_left) for x in (-1.0, 0.5, 0.75)] == [True, True, False]
        assert [goes_left(x, np.nan, 0b1011, missing_left) for x in (0.0, 1.0, 2.0, 3.0, 4.0)] == [1, 1, 0, 1, 0]
        # A mask has no bit for these codes; of a shift by 64 the machine makes one by 0.
        for code in (62.0, 63.0, 64.0, 65.0, 66.0, 2.0**32, 1e300, -1.0):
            assert goes_left(code, np.nan, 0b1011, missing_left) == missing_left


def test_examples_find_their_leaves_and_those_outside_are_left_alone():
    #        0: x_1 <= 2
    #   1: x_0 in {0, 2}     2
    #     3      4
    children = np.array([[1, 2], [3, 4], [-1, -1], [-1, -1], [-1, -1]])
    feature, threshold = np.array([1, 0, -1, -1, -1]), np.array([2.0, np.nan, np.nan, np.nan, np.nan])
    categories, missing_left = np.array([0, 0b101, 0, 0, 0]), np.array([True, False, False, False, False])
    X = np.array([[0.0, 9.0], [0.0, 2.0], [1.0, 1.0], [2.0, np.nan], [np.nan, 0.0], [0.0, 2.5], [0.0, 0.0]])
    wanted = [2, 3, 4, 3, 4, 2, 3]
    for begin, end in itertools.combinations_with_replacement(range(8), 2):
        leaves = np.full(7, -7)
        find_leaves(X, children, feature, threshold, categories, missing_left, begin, end, leaves)
        assert leaves.tolist() == [wanted[i] if begin <= i < end else -7 for i in range(7)]


def test_four_numbers_are_taken_and_added_wherever_they_stand(monkeypatch):
    # Compiled even where kernels are plain Python: what the compiler puts in the place of the plain lines.
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 0)

    @njit
    def compiled(target, at, source, start):
        vectors._add(target, at, vectors._take(source, start))

    assert WIDTH == 4
    source = np.arange(1.0, 16.0).reshape(3, 5)
    for run in (compiled, lambda target, at, source, start: add_four(target, at, take_four(source, start))):
        for at, start in itertools.product((0, 3, 4, 6), (0, 1, 7, 11)):
            target = np.linspace(0.0, 1.0, 10).reshape(2, 5)
            wanted = target.ravel().copy()
            wanted[at : at + 4] += source.ravel()[start : start + 4]
            run(target, at, source, start)
            assert target.ravel().tolist() == wanted.tolist()
