"""AdaBoost as an estimator: scikit-learn's contract, weights, stages, missing values and categories."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from estimator_checks import OF_EXACT_STUMPS, run_check
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.boosting import (
    AdaBoost,
    ClassifierLearner,
)


@parametrize_with_checks(
    [AdaBoost(n_estimators=10), AdaBoost("real stump", 5), AdaBoost(LogisticRegression(), 3)],
    expected_failed_checks=lambda estimator: OF_EXACT_STUMPS if estimator.estimator == "stump" else {},
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    run_check(check, estimator)


def test_by_definition_the_first_stump_fails_the_check_on_class_weights():
    """Of all stumps the one with the least error names the light class too often, and its vote outweighs all others."""
    X, y = make_blobs(centers=2, random_state=0, cluster_std=20)
    X, fresh, y, _ = train_test_split(X, y, test_size=0.5, random_state=0)
    weight = np.where(y == 0, 1000, 0.0001)
    errors = {
        (j, threshold, left): weight[np.where(X[:, j] <= threshold, left, 1 - left) != y].sum()
        for j, left in itertools.product(range(2), range(2))
        for threshold in [np.inf, *np.convolve(np.sort(X[:, j]), [0.5, 0.5], "valid")]
    }
    j, threshold, left = min(errors, key=errors.__getitem__)
    named = np.where(fresh[:, j] <= threshold, left, 1 - left)
    # The constant that the check would like errs on more.
    assert errors[j, threshold, left] < errors[0, np.inf, 0]
    assert (named == 0).mean() < 0.87
    model = AdaBoost(n_estimators=10, class_weight={0: 1000, 1: 0.0001}).fit(X, y)
    assert model.estimator_weights_[0] > 2 * model.estimator_weights_[1:].sum()
    assert (model.predict(fresh) == named).all()


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True)


class TestEstimator:
    @pytest.mark.parametrize("weak", ["stump", "real stump", DecisionTreeClassifier(max_depth=2)])
    def test_it_learns_and_keeps_its_promise(self, cancer, weak):
        X, y = cancer
        model = AdaBoost(weak, 60, random_state=0).fit(X[::2], y[::2])
        assert model.score(X[1::2], y[1::2]) > 0.94
        assert 1 - model.score(X[::2], y[::2]) <= model.training_error_bound_

    def test_stages_end_at_the_prediction(self, cancer):
        X, y = cancer
        model = AdaBoost(n_estimators=12).fit(X, y)
        stages, scores = list(model.staged_predict(X)), list(model.staged_decision_function(X))
        assert len(stages) == len(scores) == model.n_iter_ == 12
        assert (stages[-1] == model.predict(X)).all()
        assert scores[-1] == pytest.approx(model.decision_function(X))
        assert list(model.staged_score(X, y))[-1] == model.score(X, y)

    def test_weights_are_repetitions(self, cancer):
        X, y = cancer
        weights = np.random.default_rng(0).integers(0, 3, len(y))
        weighted = AdaBoost(n_estimators=10).fit(X, y, sample_weight=weights)
        repeated = AdaBoost(n_estimators=10).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
        assert weighted.estimator_errors_ == pytest.approx(repeated.estimator_errors_)

    def test_class_weights_multiply_sample_weights(self, cancer):
        X, y = cancer
        by_class = AdaBoost(n_estimators=5, class_weight={0: 3.0}).fit(X, y)
        by_example = AdaBoost(n_estimators=5).fit(X, y, sample_weight=np.where(y == 0, 3.0, 1.0))
        assert by_class.estimator_errors_.tolist() == by_example.estimator_errors_.tolist()

    def test_a_perfect_learner_ends_the_run(self):
        model = AdaBoost(n_estimators=9).fit([[0.0], [1.0], [2.0]], ["no", "yes", "yes"])
        assert (model.ending_, model.n_iter_, model.predict([[0.4]]).tolist()) == ("perfect", 1, ["no"])

    def test_a_useless_learner_is_reported(self):
        with pytest.warns(ConvergenceWarning, match="richer class"):
            model = AdaBoost().fit([[0.0], [0.0]], [0, 1])
        assert model.predict([[0.0]]).tolist() == [0]

    def test_missing_values_and_categories(self, cancer):
        X, y = cancer
        rng = np.random.default_rng(0)
        holes = np.where(rng.random(X.shape) < 0.2, np.nan, X)
        assert AdaBoost(n_estimators=50).fit(holes[::2], y[::2]).score(holes[1::2], y[1::2]) > 0.9
        codes = rng.integers(0, 5, (200, 2)).astype(float)
        labels = np.isin(codes[:, 1], (1, 3))
        for features in ([1], [False, True]):
            model = AdaBoost(n_estimators=20, categorical_features=features).fit(codes, labels)
            assert model.score(codes, labels) == 1
        with pytest.raises(ValueError, match="indices from 0 to 1"):
            AdaBoost(categorical_features=[2]).fit(codes, labels)

    def test_columns_of_a_learner_that_sees_one_sign_are_constant(self):
        X = np.arange(6.0)[:, None]
        Y = np.array([[1, 1], [1, 1], [1, -1], [1, -1], [1, -1], [1, 1]])
        learner = ClassifierLearner(LogisticRegression(), X, random_state=0)
        found, outputs = learner.learn(Y / 12)
        assert outputs[:, 0].tolist() == [1] * 6
        assert found.outputs(X).tolist() == outputs.tolist()

    def test_what_is_random_in_the_learner_has_the_seed(self, cancer):
        X, y = cancer
        model = AdaBoost(DecisionTreeClassifier(max_depth=1, max_features=1), 10, random_state=3)
        first, second = clone(model).fit(X, y), clone(model).fit(X, y)
        assert first.estimator_errors_.tolist() == second.estimator_errors_.tolist()
        assert (
            first.estimator_errors_.tolist()
            != clone(model).set_params(random_state=4).fit(X, y).estimator_errors_.tolist()
        )
