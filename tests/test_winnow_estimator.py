"""Winnow as an estimator: scikit-learn's contract, scaling, averages."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
import scipy.sparse as sp
from estimator_checks import run_check
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.winnow import (
    MulticlassWinnow,
    run_winnow,
    winnow_tight_sample,
)

NOT_OF_WINNOW = {
    "check_sample_weight_equivalence_on_dense_data": "a weight lengthens a step; an example seen twice may move W once",
    "check_sample_weight_equivalence_on_sparse_data": "as on dense data",
}


NOT_WITHOUT_AN_INTERCEPT = {
    "check_class_weight_classifiers": "through the origin one class cannot have nearly all of a cloud around it",
}


@parametrize_with_checks(
    [MulticlassWinnow(), MulticlassWinnow(average=False, fit_intercept=False)],
    expected_failed_checks=lambda estimator: (
        NOT_OF_WINNOW if estimator.fit_intercept else NOT_OF_WINNOW | NOT_WITHOUT_AN_INTERCEPT
    ),
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    run_check(check, estimator)


@pytest.fixture(scope="module")
def digits():
    return load_digits(return_X_y=True)


class TestEstimator:
    def test_it_learns_the_digits(self, digits):
        X, y = digits
        model = MulticlassWinnow(random_state=0).fit(X[:1300], y[:1300])
        assert model.score(X[1300:], y[1300:]) > 0.88
        assert model.scale_ == 16

    def test_without_averaging_it_is_the_algorithm_of_the_theorem(self):
        X, _ = winnow_tight_sample(4)
        names = np.where(np.arange(4) < 0, "b", "a")
        X, names = np.r_[X.astype(float), -X.astype(float)], np.r_[names, np.full(4, "b")]
        model = MulticlassWinnow(eta=math.log(2), average=False, shuffle=False, fit_intercept=False).fit(X, names)
        run = run_winnow(X, (names == "b").astype(int), 2, factor=math.exp(math.log(2)))
        assert model.coef_.tolist() == run.W.tolist()
        assert model.n_updates_ == run.n_updates
        assert model.classes_.tolist() == ["a", "b"]
        assert model.predict(X).tolist() == names.tolist()

    def test_a_scale_in_front_of_the_features_changes_nothing(self, digits):
        X, y = digits
        model = MulticlassWinnow(random_state=0, max_iter=2).fit(X, y)
        larger = clone(model).fit(1024 * X, y)
        assert larger.coef_ == pytest.approx(model.coef_ / 1024)
        assert (larger.predict(1024 * X) == model.predict(X)).all()

    def test_partial_fit_in_pieces_is_one_pass(self, digits):
        X, y = digits
        pieces = MulticlassWinnow()
        for part in np.array_split(np.arange(len(X)), 5):
            pieces.partial_fit(X[part], y[part], classes=range(10))
        whole = MulticlassWinnow(max_iter=1, shuffle=False).fit(X, y)
        assert pieces.coef_ == pytest.approx(whole.coef_)
        assert pieces.intercept_ == pytest.approx(whole.intercept_)
        assert pieces.n_updates_ == whole.n_updates_

    def test_the_scale_stays_that_of_the_first_examples(self):
        model = MulticlassWinnow().partial_fit([[2.0], [-4.0]], [0, 1])
        assert model.partial_fit([[100.0], [1.0]], [0, 1]).scale_ == 4
        assert MulticlassWinnow().fit([[0.0], [0.0]], [0, 1]).scale_ == 1
        assert MulticlassWinnow().fit([[0.5], [-0.25]], [0, 1]).scale_ == 0.5

    def test_pieces_may_be_sparse(self):
        X, y = np.array([[2.0, 0.0], [0.0, -4.0], [1.0, 1.0]]), [0, 1, 0]
        dense, sparse = MulticlassWinnow().partial_fit(X, y), MulticlassWinnow().partial_fit(sp.csr_array(X), y)
        assert sparse.coef_ == pytest.approx(dense.coef_)
        with pytest.raises(ValueError, match="at least one row"):
            MulticlassWinnow(class_weight={0: 0.0, 1: 0.0}).partial_fit(X, y)

    def test_sparse_and_dense_input_agree(self, digits):
        X, y = digits
        weights = np.random.default_rng(0).random(len(X))
        dense = MulticlassWinnow(random_state=0, max_iter=3).fit(X, y, sample_weight=weights)
        sparse = MulticlassWinnow(random_state=0, max_iter=3).fit(sp.csc_matrix(X), y, sample_weight=weights)
        assert sparse.coef_ == pytest.approx(dense.coef_)
        assert (sparse.predict(sp.csr_matrix(X)) == dense.predict(X)).all()

    def test_a_weight_multiplies_the_step(self):
        rng = np.random.default_rng(2)
        X, y = rng.choice([-1.0, 1.0], (15, 4)), rng.integers(0, 3, 15)
        weights = rng.integers(1, 4, 15)
        model = MulticlassWinnow(average=False, shuffle=False, fit_intercept=False, max_iter=3, eta=0.5)
        with pytest.warns(ConvergenceWarning, match="average=True"):
            model.fit(X, y, sample_weight=weights)
        run = run_winnow(X * weights[:, None], y, 3, factor=math.exp(0.5), max_epochs=3)
        assert model.coef_.tolist() == run.W.tolist()

    def test_weight_zero_leaves_an_example_out(self, digits):
        X, y = digits
        kept = np.random.default_rng(0).random(len(X)) < 0.5
        model = MulticlassWinnow(random_state=0, max_iter=2)
        weighted = clone(model).fit(X, y, sample_weight=kept)
        assert (weighted.coef_ == clone(model).fit(X[kept], y[kept]).coef_).all()

    def test_class_weights_multiply_sample_weights(self, digits):
        X, y = digits
        weights = np.random.default_rng(0).random(len(X))
        model = MulticlassWinnow(random_state=0, max_iter=2)
        by_class = clone(model).set_params(class_weight={3: 2.0}).fit(X, y, sample_weight=weights)
        by_example = clone(model).fit(X, y, sample_weight=weights * np.where(y == 3, 2.0, 1.0))
        assert (by_class.coef_ == by_example.coef_).all()

    def test_single_precision_is_computed_in_double(self, digits):
        X, y = digits
        model = MulticlassWinnow(random_state=0, max_iter=2)
        assert (clone(model).fit(X.astype(np.float32), y).coef_ == clone(model).fit(X, y).coef_).all()

    def test_it_survives_pickling_and_goes_on_from_there(self, digits):
        X, y = digits
        model = MulticlassWinnow(random_state=0, max_iter=2).fit(X, y)
        copy = pickle.loads(pickle.dumps(model))
        assert (copy.partial_fit(X, y).coef_ == model.partial_fit(X, y).coef_).all()

    def test_a_step_that_no_float_can_hold_is_refused(self):
        with pytest.raises(ValueError, match=r"got eta=500 and weights that reach 1:.* or take a smaller eta"):
            MulticlassWinnow(eta=500.0).fit([[1.0], [-1.0]], [0, 1])
        with pytest.raises(ValueError, match=r"got eta=0.1 and weights that reach 1e\+12: divide sample_weight"):
            MulticlassWinnow(eta=0.1).fit([[1.0], [-1.0]], [0, 1], sample_weight=[1e12, 1e12])
        with pytest.raises(ValueError, match="eta"):
            MulticlassWinnow(eta=0.0).fit([[1.0], [-1.0]], [0, 1])
