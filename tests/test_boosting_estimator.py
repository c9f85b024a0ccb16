"""AdaBoost as an estimator: scikit-learn's contract, weights, stages, missing values and categories."""

from __future__ import annotations

import itertools
from fractions import Fraction

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

from mcbook.boosting import AdaBoost, ClassifierLearner, FinitePool, GivenSequence, run_adaboost
from mcbook.boosting.algorithm.adaboost import votes_on
from mcbook.boosting.algorithm.coordinates import coordinate_descent
from mcbook.boosting.algorithm.samme import run_samme, samme_scores
from mcbook.boosting.instances import ten_points


class Recorder(DecisionTreeClassifier):
    """A tree that keeps the weights that it was trained with."""

    def fit(self, X, y, sample_weight=None):
        self.weights_ = sample_weight
        return super().fit(X, y, sample_weight=sample_weight)


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

    def test_missing_values_are_for_stumps_alone(self):
        with pytest.raises(ValueError, match="AdaBoost does not accept missing values"):
            AdaBoost(DecisionTreeClassifier(max_depth=1)).fit([[0.0], [np.nan], [1.0]], [0, 1, 1])

    def test_columns_of_a_learner_that_sees_one_sign_are_constant(self):
        X = np.arange(6.0)[:, None]
        Y = np.array([[1, 1], [1, 1], [1, -1], [1, -1], [1, -1], [1, 1]])
        learner = ClassifierLearner(LogisticRegression(), X, random_state=0)
        found, outputs = learner.learn(Y / 12)
        assert outputs[:, 0].tolist() == [1] * 6
        assert found.outputs(X).tolist() == outputs.tolist()

    def test_a_column_of_one_sign_has_that_sign_and_one_without_weight_says_yes(self):
        learner = ClassifierLearner(LogisticRegression(), np.arange(3.0)[:, None])
        found, outputs = learner.learn(np.array([[-0.2, 0.0], [-0.5, 0.0], [0.0, 0.0]]))
        assert found.estimators == (-1, 1)
        assert outputs.tolist() == [[-1, 1]] * 3

    @pytest.mark.parametrize(("total", "given"), [(None, [1.8, 1.2]), (10.0, [6.0, 4.0])])
    def test_a_classifier_gets_weights_of_the_given_sum(self, total, given):
        learner = ClassifierLearner(Recorder(), np.arange(3.0)[:, None], total=total)
        found, _ = learner.learn(np.array([[0.3], [-0.2], [0.0]]))
        assert found.estimators[0].weights_ == pytest.approx(given)

    def test_what_is_random_in_the_learner_has_the_seed(self, cancer):
        X, y = cancer
        model = AdaBoost(DecisionTreeClassifier(max_depth=1, max_features=1), 10, random_state=3)
        first, second = clone(model).fit(X, y), clone(model).fit(X, y)
        assert first.estimator_errors_.tolist() == second.estimator_errors_.tolist()
        assert (
            first.estimator_errors_.tolist()
            != clone(model).set_params(random_state=4).fit(X, y).estimator_errors_.tolist()
        )

    @pytest.mark.parametrize("features", [[0], [True, False]])
    def test_a_category_is_asked_for_whether_it_is_named_by_index_or_by_mask(self, features):
        X = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]])
        assert AdaBoost(n_estimators=1, categorical_features=features).fit(X, [0, 1, 0]).ending_ == "perfect"
        assert AdaBoost(n_estimators=1).fit(X, [0, 1, 0]).ending_ == "rounds"

    def test_without_a_round_there_are_no_votes(self):
        run = run_adaboost(FinitePool(np.array([[1, 1, -1, -1]])), np.ones(4, dtype=int), 3)
        assert run.n_rounds == 0
        assert votes_on(run, np.zeros((3, 1))).tolist() == [[0.0]] * 3


def test_a_value_on_the_threshold_is_on_the_left_of_a_stump_of_samme():
    run = run_samme([[1.0], [2.0], [4.0], [5.0]], [0, 0, 1, 1], 2, 1)
    assert run.thresholds.tolist() == [3.0]
    assert samme_scores(run, np.array([[3.0], [3.1]]), 2).argmax(axis=1).tolist() == [0, 1]


def test_slopes_that_no_float_tells_apart_are_told_apart():
    """The weights are 1, 1, 1 and a little more than 1, on which the first of the pool errs."""
    H, start = np.array([[1, 1, 1, -1], [1, 1, -1, 1]]), np.array([1 + Fraction(1, 10**30), Fraction(1)])
    assert coordinate_descent(H, np.ones(4, dtype=int), 1, start=start).coordinates.tolist() == [1]


def test_exact_weights_have_an_edge_where_it_is_no_more_than_rounding():
    hair = Fraction(1, 10**13)
    pool, weights = FinitePool(np.array([[1, -1]])), np.array([Fraction(1, 2) + hair, Fraction(1, 2) - hair])
    signs = np.array([1, 1])
    assert run_adaboost(pool, signs, 1, weights=weights).errors.tolist() == [Fraction(1, 2) - hair]
    assert run_adaboost(pool, signs, 1, weights=weights.astype(float)).ending == "useless"


def test_the_ten_points_have_every_height_once():
    X, y = ten_points()
    assert sorted(X[:, 0].tolist()) == [1, 2, 3, 3.5, 4, 5, 6, 6.5, 8, 9]
    assert sorted(X[:, 1].tolist()) == list(range(1, 11))
    # From left to right, and from below.
    assert y[np.argsort(X[:, 0])].tolist() == [1, 1, -1, 1, -1, 1, -1, 1, -1, -1]
    assert y[np.argsort(X[:, 1])].tolist() == [-1, 1, -1, 1, -1, -1, 1, 1, 1, -1]


def test_given_hypotheses_are_numbered_in_their_order():
    sequence = GivenSequence(np.array([[1, 1, 1, -1], [1, -1, 1, 1]]))
    assert run_adaboost(sequence, np.ones(4, dtype=int), 2).hypotheses == (0, 1)
