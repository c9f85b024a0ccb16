"""The learner that trains all columns of a code together: its optimality, and that together is as one by one."""

import copy
import itertools
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.svm import LinearSVC
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.output_codes import (
    OutputCode,
    all_pairs_code,
    one_vs_rest_code,
    random_dense_code,
    random_sparse_code,
)
from mcbook.svm_solvers import SquaredHingeClassifier
from mcbook.svm_solvers.algorithm import column_newton
from mcbook.svm_solvers.algorithm.column_newton import solve_columns

X_iris, y_iris = load_iris(return_X_y=True)
X_digits, y_digits = load_digits(return_X_y=True)
X_digits = X_digits / 16
CODES = {
    "one-vs-rest": one_vs_rest_code(10),
    "all-pairs": all_pairs_code(10),
    "dense": random_dense_code(10, 20, 10, random_state=0),
    "sparse": random_sparse_code(10, 20, 10, random_state=0),
}


def objective(coef, intercept, X, signs, C=1.0, weight=1.0):
    """From the definition."""
    slack = np.maximum(0, 1 - signs * (X @ coef + intercept))
    return (coef @ coef + intercept**2) / 2 + C * (weight * slack**2 * (signs != 0)).sum()


@parametrize_with_checks([SquaredHingeClassifier(), OutputCode(SquaredHingeClassifier(), "all-pairs")])
def test_scikit_learn_accepts_the_estimator(estimator, check):
    check(estimator)


class TestOptimum:
    @pytest.mark.parametrize(("code", "C"), [("one-vs-rest", 1e-3), ("all-pairs", 1.0), ("sparse", 100.0)])
    def test_the_objective_is_that_of_liblinear(self, code, C):
        signs = CODES[code][y_digits]
        for s, model in enumerate(SquaredHingeClassifier(C, tol=1e-11).fit_columns(X_digits, signs)[:3]):
            used = signs[:, s] != 0
            X, y = X_digits[used], signs[used, s]
            theirs = LinearSVC(C=C, dual=False, tol=1e-9, max_iter=10_000).fit(X, y)
            ours = objective(model.coef_[0], model.intercept_[0], X, y, C)
            their_value = objective(theirs.coef_[0], theirs.intercept_[0], X, y, C)
            assert ours == pytest.approx(their_value, rel=1e-6)
            assert ours <= their_value * (1 + 1e-11)
            assert model.primal_ == pytest.approx(ours, rel=1e-12)

    @given(
        seed=st.integers(0, 2**32 - 1),
        n_samples=st.integers(2, 40),
        n_features=st.integers(1, 8),
        log_C=st.floats(-4, 4),
        log_scale=st.floats(-3, 3),
    )
    @settings(max_examples=60, deadline=None)
    def test_any_problem_is_solved(self, seed, n_samples, n_features, log_C, log_scale):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(n_samples, n_features)) * 10**log_scale
        signs = rng.choice([-1, 0, 1], (n_samples, 3))
        signs[:2] = [[1, 1, -1], [-1, -1, 1]]
        found = solve_columns(X, signs, 10**log_C, tol=1e-8, max_iter=100)
        assert found.converged.all()
        assert (found.primal >= found.dual).all()

    def test_a_gap_as_large_as_it_may_be_ends_the_search(self):
        # At 0 the loss is 1, the gradient -2 / 2, and the gap half of its square.
        found = solve_columns(np.array([[0.5]]), np.array([[1]]), 1.0, tol=0.5, max_iter=3)
        assert (found.n_iter[0], found.primal[0], found.dual[0], found.converged[0]) == (0, 1.0, 0.5, True)
        assert solve_columns(np.array([[0.5]]), np.array([[1]]), 1.0, tol=0.499, max_iter=3).n_iter[0] == 1

    def test_columns_are_counted_and_certified_each_for_itself(self):
        rng = np.random.default_rng(1)
        X, C = rng.normal(size=(40, 3)), 0.7
        signs = np.where(X @ rng.normal(size=(3, 4)) + rng.normal(size=(40, 4)) > 0, 1, -1)
        weight = rng.uniform(0.5, 2, 40)
        for most in (0, 1, 2, 100):
            found = solve_columns(X, signs, C, tol=1e-10, max_iter=most, sample_weight=weight)
            assert (found.n_iter <= most).all()
            slack = np.maximum(1 - signs * (X @ found.W.T), 0)
            primal = 0.5 * (found.W**2).sum(axis=1) + C * (weight[:, None] * slack**2).sum(axis=0)
            np.testing.assert_allclose(found.primal, primal, rtol=1e-12)
            pull = 2 * C * weight[:, None] * slack * signs
            gap = 0.5 * ((found.W - pull.T @ X) ** 2).sum(axis=1)
            np.testing.assert_allclose(found.primal - found.dual, gap, atol=1e-12)
            assert (found.converged == (gap <= 1e-10 * primal)).all()
            assert found.converged.all() == (most == 100)
            if not most:
                assert not found.W.any()
        alone = [solve_columns(X, signs[:, [s]], C, tol=1e-10, max_iter=100, sample_weight=weight) for s in range(4)]
        assert found.n_iter.tolist() == [int(one.n_iter[0]) for one in alone]


class TestTogetherIsAsOneByOne:
    def test_the_same_weights(self):
        for code, fit_intercept in itertools.product(CODES, (True, False)):
            learner = SquaredHingeClassifier(tol=1e-12, fit_intercept=fit_intercept)
            signs = CODES[code][y_digits][:, :4]
            for s, model in enumerate(learner.fit_columns(X_digits, signs)):
                used = signs[:, s] != 0
                alone = clone(learner).fit(X_digits[used], signs[used, s])
                assert model.coef_ == pytest.approx(alone.coef_, abs=1e-7)
                assert model.intercept_ == pytest.approx(alone.intercept_, abs=1e-7)
                assert vars(model).keys() == vars(alone).keys()
                assert model.classes_.tolist() == alone.classes_.tolist() == [-1, 1]

    def test_output_codes_do_train_together(self, monkeypatch):
        calls = []
        whole = SquaredHingeClassifier.fit_columns
        monkeypatch.setattr(
            SquaredHingeClassifier, "fit_columns", lambda self, X, Y: calls.append(Y.shape) or whole(self, X, Y)
        )
        model = OutputCode(SquaredHingeClassifier(), "all-pairs").fit(X_iris, y_iris)
        assert calls == [(150, 3)]
        assert not hasattr(model.estimator, "coef_")

    def test_columns_in_blocks_give_the_same(self, monkeypatch):
        signs = CODES["sparse"][y_digits]
        whole = solve_columns(X_digits, signs, 1.0, tol=1e-12, max_iter=100)
        monkeypatch.setattr(column_newton, "_BLOCK_ENTRIES", 7 * 64**2)
        parts = solve_columns(X_digits, signs, 1.0, tol=1e-12, max_iter=100)
        assert np.allclose(parts.W, whole.W, rtol=0, atol=1e-8)
        assert (parts.n_iter == whole.n_iter).all()

    @pytest.mark.parametrize("most_features", [1000, 1])
    def test_sparse_and_wide_features_take_another_way_to_the_same_end(self, monkeypatch, most_features):
        signs = CODES["dense"][y_digits]
        learner = SquaredHingeClassifier(tol=1e-12)
        dense = learner.fit_columns(X_digits, signs)
        monkeypatch.setattr(column_newton, "_MOST_FEATURES", most_features)
        X = X_digits if most_features == 1 else sp.csr_matrix(X_digits)
        for one, other in zip(dense, learner.fit_columns(X, signs), strict=True):
            assert other.converged_
            assert other.coef_ == pytest.approx(one.coef_, abs=1e-4)
            assert other.primal_ == pytest.approx(one.primal_, rel=1e-11)


class TestWeights:
    @pytest.mark.parametrize("class_weight", ["balanced", {-1: 2.0, 1: 0.5}])
    def test_weights_of_sides_are_those_of_each_column(self, class_weight):
        signs = CODES["sparse"][y_digits]
        learner = SquaredHingeClassifier(tol=1e-12, class_weight=class_weight)
        for s, model in enumerate(learner.fit_columns(X_digits, signs[:, :3])):
            used = signs[:, s] != 0
            weight = compute_sample_weight(class_weight, signs[used, s])
            alone = SquaredHingeClassifier(tol=1e-12).fit(X_digits[used], signs[used, s], weight)
            assert model.coef_ == pytest.approx(alone.coef_, abs=1e-6)


class TestErrors:
    @pytest.mark.parametrize(
        ("Y", "says"),
        [
            (np.full((150, 2), 0.5), r"entries \+1, -1 or 0 in Y, got \[0.5\]"),
            (np.column_stack([np.where(y_iris, 1, -1), np.where(y_iris, 1, 0)]), "no negative example.*column 1"),
            (np.zeros((150, 1)), "no positive example.*column 0"),
            (np.ones((149, 1)), "150 examples, got 149"),
            (np.ones(150), "2D"),
            (np.full((150, 1), np.nan), "NaN"),
        ],
    )
    def test_bad_columns_are_named(self, Y, says):
        with pytest.raises(ValueError, match=says):
            SquaredHingeClassifier().fit_columns(X_iris, Y)

    def test_examples_without_weight_do_not_make_a_side(self):
        with pytest.raises(ValueError, match="no positive example with weight > 0 in column 0"):
            SquaredHingeClassifier().fit_columns(X_iris, one_vs_rest_code(3)[y_iris], y_iris > 0)
        with pytest.raises(ValueError, match="1 class only"):
            SquaredHingeClassifier().fit(X_iris, y_iris > 0, y_iris > 0)


def test_trained_learners_live_by_themselves():
    learner = SquaredHingeClassifier()
    models = learner.fit_columns(X_iris, one_vs_rest_code(3)[y_iris])
    assert not hasattr(learner, "classes_")
    for model in models:
        again = pickle.loads(pickle.dumps(copy.deepcopy(model)))
        assert (again.predict(X_iris) == model.predict(X_iris)).all()
        assert set(again.predict(X_iris)) <= {-1, 1}
    models[0].fit(X_iris[50:], y_iris[50:])
    assert models[1].classes_.tolist() == [-1, 1]
