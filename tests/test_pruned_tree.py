"""The tree that is grown, cross-validated and pruned: its folds, the estimator, scikit-learn's contract."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.pruning import (
    PrunedTree,
    noisy_room,
)
from mcbook.pruning.estimator.validated import fold_numbers


class TestFolds:
    @settings(max_examples=30, deadline=None)
    @given(st.integers(0, 2**32 - 1), st.integers(2, 7))
    def test_equal_examples_stay_together_and_order_does_not_matter(self, seed, n_folds):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(0, 4, (50, 2)).astype(float), rng.integers(0, 3, 50)
        numbers = fold_numbers(X, y, n_folds, 7)
        table = {}
        for row, label, number in zip(X.tolist(), y.tolist(), numbers.tolist(), strict=True):
            assert table.setdefault((*row, label), number) == number
        order = rng.permutation(50)
        assert fold_numbers(X[order], y[order], n_folds, 7).tolist() == numbers[order].tolist()
        assert set(numbers.tolist()) == set(range(min(n_folds, len(table))))

    def test_classes_are_represented_alike(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(100, 2)), np.repeat([0, 1, 2], [60, 30, 10])
        numbers = fold_numbers(X, y, 10, 0)
        for fold in range(10):
            assert np.bincount(y[numbers == fold]).tolist() == [6, 3, 1]

    def test_zero_has_no_sign_and_missing_values_are_values(self):
        X = np.array([[0.0], [-0.0], [np.nan], [np.nan]])
        numbers = fold_numbers(X, np.zeros(4, dtype=int), 2, 0)
        assert numbers[0] == numbers[1] != numbers[2] == numbers[3]


class TestEstimator:
    def test_it_prunes_noise_away(self):
        X, y = noisy_room(np.random.default_rng(0), 400, 0.15)
        fresh, truth = noisy_room(np.random.default_rng(1), 2000, 0.15)
        model = PrunedTree(random_state=0).fit(X, y)
        full = DecisionTreeClassifier(random_state=0).fit(X, y)
        assert model.tree_.n_leaves < 12 < model.full_tree_.n_leaves
        assert model.score(fresh, truth) > full.score(fresh, truth) + 0.05
        assert model.validation_.errors.min() == model.validation_.least

    def test_one_standard_error_gives_smaller_trees(self):
        X, y = load_digits(return_X_y=True)
        sizes = [
            PrunedTree(rule=rule, random_state=0).fit(X[:900], y[:900]).tree_.n_leaves
            for rule in ("least", "one standard error")
        ]
        assert sizes[1] < sizes[0]

    def test_weights_are_repetitions_and_weight_zero_is_absence(self):
        rng = np.random.default_rng(0)
        X, y = noisy_room(rng, 120, 0.2)
        weight = rng.integers(0, 4, 120)
        weighted = PrunedTree(random_state=3).fit(X, y, sample_weight=weight)
        repeated = PrunedTree(random_state=3).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
        assert weighted.price_ == pytest.approx(repeated.price_)
        assert weighted.predict_proba(X) == pytest.approx(repeated.predict_proba(X))

    def test_folds_of_the_callers_own(self):
        X, y = noisy_room(np.random.default_rng(0), 150, 0.2)
        folds = KFold(5, shuffle=True, random_state=1)
        by_splitter = PrunedTree(cv=folds).fit(X, y)
        by_pairs = PrunedTree(cv=list(folds.split(X))).fit(X, y)
        assert by_splitter.validation_.errors.tolist() == by_pairs.validation_.errors.tolist()

    def test_names_missing_values_and_copies(self):
        X, y = noisy_room(np.random.default_rng(2), 200, 0.1)
        X[::9, 0] = np.nan
        names = np.array(["out", "in"])[y]
        model = PrunedTree(cv=5, random_state=0).fit(X, names)
        assert set(model.predict(X)) == {"in", "out"}
        assert model.classes_.tolist() == ["in", "out"]
        assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)
        again = pickle.loads(pickle.dumps(model))
        assert (again.predict(X) == model.predict(X)).all()
        assert clone(model).fit(X, names).price_ == model.price_

    def test_features_that_tell_nothing_leave_the_root_alone(self):
        model = PrunedTree(random_state=0).fit(np.zeros((60, 3)), np.r_[np.zeros(45), np.ones(15)])
        assert model.tree_.n_leaves == 1
        assert model.price_ == math.inf

    def test_bad_parameters_are_refused(self):
        X, y = noisy_room(np.random.default_rng(0), 30, 0.1)
        for parameters in ({"rule": "best"}, {"prune_by": "variance"}, {"min_samples_leaf": 0}):
            with pytest.raises(ValueError, match=next(iter(parameters))):
                PrunedTree(**parameters).fit(X, y)


@parametrize_with_checks([PrunedTree(cv=3, random_state=0)])
def test_scikit_learns_contract(estimator, check):
    check(estimator)


def test_the_room_without_noise_has_the_walls_that_are_told():
    X, y = noisy_room(np.random.default_rng(0), 20_000, 0.0)
    inside = (abs(X[:, 0] - 0.5) < 0.25) & (abs(X[:, 1] - 0.45) < 0.25)
    np.testing.assert_array_equal(y, inside)


def test_missing_values_are_welcome_and_said_to_be():
    model = PrunedTree(cv=2, random_state=0)
    assert get_tags(model).input_tags.allow_nan
    assert model.fit([[0.0], [np.nan], [1.0], [1.0]], [0, 0, 1, 1]).predict([[np.nan]]).shape == (1,)
