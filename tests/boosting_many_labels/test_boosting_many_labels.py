"""Boosting many labels: runs over pools and with stumps, their endings, and the estimators with their bounds."""

import numpy as np
import pytest
import scipy.sparse as sp
from estimator_checks import OF_EXACT_STUMPS, run_check
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook import boosting_many_labels as many
from mcbook.boosting import FinitePool, StumpLearner, run_adaboost
from mcbook.boosting_many_labels import AdaBoostMH, AdaBoostMR
from mcbook.boosting_many_labels.algorithm.stump_rounds import boost_rankings

LINE, THREE = np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 2])
ROWS = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0], [4.0, 3.0], [5.0, 0.0]]
REFUSED = [
    (lambda: many.start_weights([0], 2, 0), "share"),
    (lambda: many.start_weights([0], 1), "2 classes"),
    (lambda: many.pair_objective([[1.0]], [[1, -1]]), "one shape"),
    (lambda: many.wrong_pairs([[1.0]], [[2]]), "signs"),
    (lambda: many.stump_cost(0, 1, 1, 1), "size"),
    (lambda: many.one_label_wrong(2, 1), "2 classes"),
    (lambda: many.run_rankboost(np.array([[1, 0]]), np.array([[0, 1]]), 0), "n_rounds"),
    (
        lambda: many.run_adaboost_mr(FinitePool(many.label_blind_pool(2, 3)), [0, 1], 3, 1, weights=np.ones(3)),
        "2 examples",
    ),
    (lambda: AdaBoostMH(label_share=1.0).fit(LINE, THREE), "label_share"),
    (lambda: AdaBoostMH(label_share=0.5).fit(LINE, np.eye(3, dtype=int)), "indicator matrix"),
    (lambda: AdaBoostMH(class_weight="balanced").fit(LINE, np.eye(3, dtype=int)), "indicator matrix"),
    (lambda: AdaBoostMR("real stump").fit(LINE, THREE), "estimator"),
]


@pytest.mark.parametrize(("call", "says"), REFUSED)
def test_what_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()


class TestRanking:
    def test_it_stops_at_a_perfect_and_at_a_useless_hypothesis(self):
        y = np.array([0, 1])
        perfect = many.run_adaboost_mr(FinitePool(many.label_signs(y, 3)[None]), y, 3, 5)
        assert (perfect.ending, perfect.n_rounds, perfect.normalisers[0]) == ("perfect", 1, 0)
        assert "all pairs right" in perfect.message
        blind = many.run_adaboost_mr(FinitePool(many.label_blind_pool(2, 3)), y, 3, 5)
        assert (blind.ending, blind.n_rounds) == ("useless", 0)
        assert "ranks more pairs right than wrong" in blind.message

    def test_with_two_classes_it_is_adaboost_with_half_the_votes(self):
        rng = np.random.default_rng(2)
        y, h = rng.integers(0, 2, 12), rng.choice([-1, 1], (20, 12))
        H = np.stack([h, -h], axis=2)
        weights = rng.random(12)
        run = many.run_adaboost_mr(FinitePool(H), y, 2, 8, weights=weights)
        other = run_adaboost(FinitePool(h), np.where(y == 0, 1, -1), 8, weights=weights)
        assert run.hypotheses == other.hypotheses
        assert 2 * run.steps == pytest.approx(other.steps)
        assert run.normalisers == pytest.approx(other.normalisers)


class TestMeanMargin:
    def test_it_stops_without_an_edge_and_where_all_is_right(self):
        Y = np.array([[1, -1]])
        assert many.run_mean_margin(FinitePool(many.label_blind_pool(1, 2)), Y, 3).ending == "useless"
        assert many.run_mean_margin(FinitePool(Y[None]), Y, 3).ending == "perfect"


class TestStumpRounds:
    def test_they_are_adaboost_with_stumps(self):
        rng = np.random.default_rng(0)
        for k in (2, 3, 5):
            X, Y = rng.normal(size=(40, 3)), rng.choice([-1, 1], (40, k))
            X[rng.random(X.shape) < 0.1] = np.nan
            weights = rng.random((40, k))
            run, other = (
                many.boost_pairs(many.LabelStumps(X), Y, 15, weights=weights),
                run_adaboost(StumpLearner(X), Y, 15, weights=weights),
            )
            assert [h.question.feature for h in run.hypotheses] == [h.question.feature for h in other.hypotheses]
            assert [h.question.threshold for h in run.hypotheses] == [h.question.threshold for h in other.hypotheses]
            assert run.steps == pytest.approx(other.steps, rel=1e-9)
            assert pytest.approx(other.D, rel=1e-9) == run.D

    def test_they_are_adaboost_mr_with_stumps(self):
        rng = np.random.default_rng(1)
        for k in (2, 3, 5):
            X, y = rng.normal(size=(40, 3)), rng.integers(0, k, 40)
            weights = rng.random(40)
            run = boost_rankings(many.LabelStumps(X), y, k, 15, weights=weights)
            other = many.run_adaboost_mr(StumpLearner(X), y, k, 15, weights=weights)
            assert [h.question.threshold for h in run.hypotheses] == [h.question.threshold for h in other.hypotheses]
            assert run.steps == pytest.approx(other.steps, rel=1e-9)
            assert pytest.approx(other.D, rel=1e-9) == run.D

    def test_it_ends_early_and_says_why(self):
        X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
        perfect = many.boost_pairs(many.LabelStumps(X), many.label_signs(y, 2), 5)
        assert (perfect.ending, perfect.n_rounds) == ("perfect", 1)
        assert "answers all pairs rightly" in perfect.message
        flat = many.boost_pairs(many.LabelStumps(0 * X), many.label_signs(y, 2), 5)
        assert (flat.ending, flat.n_rounds) == ("useless", 0)
        assert "richer estimator" in flat.message
        seen = []
        many.boost_pairs(
            many.LabelStumps(X), np.array([[1, -1], [1, 1]]), 1, on_round=lambda t, error: seen.append((t, error))
        )
        assert seen == [(0, 0.0)]
        assert boost_rankings(many.LabelStumps(X), y, 2, 5).ending == "perfect"
        assert boost_rankings(many.LabelStumps(0 * X), y, 2, 5).ending == "useless"

    def test_an_edge_that_is_rounding_is_none(self):
        """0.1 + 0.2 + 0.3 is not 0.6 in floats, so a constant answer puts a hair more right than wrong."""
        X, y, weights = np.zeros((4, 1)), np.array([0, 0, 0, 1]), np.array([0.1, 0.2, 0.3, 0.6])
        for run in (
            boost_rankings(many.LabelStumps(X), y, 2, 3, weights=weights),
            many.run_adaboost_mr(StumpLearner(X), y, 2, 3, weights=weights),
        ):
            assert (run.ending, run.n_rounds) == ("useless", 0)


@parametrize_with_checks(
    [
        AdaBoostMH(n_estimators=5),
        AdaBoostMH("real stump", 4),
        AdaBoostMR(n_estimators=5),
        AdaBoostMR(LogisticRegression(), 2),
    ],
    expected_failed_checks=lambda estimator: OF_EXACT_STUMPS if estimator.estimator == "stump" else {},
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    run_check(check, estimator)


@pytest.fixture(scope="module")
def digits():
    return load_digits(return_X_y=True)


BOTH = pytest.mark.parametrize("kind", [AdaBoostMH, AdaBoostMR])


class TestEstimators:
    @BOTH
    def test_it_learns_the_digits_within_its_bound(self, digits, kind):
        X, y = digits
        model = kind(n_estimators=150).fit(X[:1300], y[:1300])
        assert model.score(X[1300:], y[1300:]) > 0.85
        assert 1 - model.score(X[:1300], y[:1300]) <= model.training_error_bound_
        assert model.n_iter_ == 150

    @BOTH
    def test_stages_end_with_the_prediction(self, digits, kind):
        X, y = digits[0][:300], digits[1][:300]
        model = kind(n_estimators=12).fit(X, y)
        assert (list(model.staged_predict(X))[-1] == model.predict(X)).all()
        assert list(model.staged_score(X, y))[-1] == model.score(X, y)
        assert len(list(model.staged_decision_function(X))) == 12

    @BOTH
    def test_scikit_learn_is_told_of_matrices_of_answers(self, kind):
        assert get_tags(kind()).classifier_tags.multi_label == (kind is AdaBoostMH)

    def test_a_matrix_of_answers(self):
        X, Y = many.square_labels(np.random.default_rng(0), 300)
        model = AdaBoostMH(n_estimators=80).fit(X[:200], Y[:200] > 0)
        predicted = model.predict(X[200:])
        assert predicted.dtype == np.int64
        assert ((predicted > 0) == (Y[200:] > 0)).mean() > 0.93
        assert many.wrong_pairs(model.decision_function(X[:200]), Y[:200]) <= model.training_error_bound_
        assert list(model.staged_score(X, (Y > 0).astype(int)))[-1] == model.score(X, (Y > 0).astype(int))
        sparse = clone(model).fit(X[:200], sp.csr_matrix(Y[:200] > 0))
        assert (sparse.predict(X) == model.predict(X)).all()

    def test_examples_of_weight_0_are_left_out_of_an_indicator_matrix(self):
        """The third example would move the threshold to its own half."""
        X, Y = [[0.0], [1.0], [0.6]], np.array([[1, 0], [0, 1], [1, 1]])
        kept = AdaBoostMH(n_estimators=2).fit(X[:2], Y[:2])
        model = AdaBoostMH(n_estimators=2).fit(X, Y, sample_weight=[1, 1, 0])
        assert model.decision_function(X).tolist() == kept.decision_function(X).tolist()
        assert model.estimators_[0].question.threshold == 0.5


class TestBounds:
    def normalisers(self, model):
        return 2 * np.sqrt(model.estimator_errors_ * (1 - model.estimator_errors_))

    def test_of_indicator_matrices(self):
        Y = np.array([[1, 0], [1, 1], [0, 1], [0, 0], [1, 1], [0, 1]])
        model = AdaBoostMH(n_estimators=3).fit(ROWS, Y)
        assert model.training_error_bound_ == pytest.approx(self.normalisers(model).prod(), rel=1e-12)
        assert np.abs(model.decision_function(ROWS)).min() < 1
        assert (model.predict(ROWS) == (model.decision_function(ROWS) > 0)).all()
        sparse = AdaBoostMH(n_estimators=3).fit(ROWS, sp.csr_array(Y))
        assert sparse.estimator_errors_.tolist() == model.estimator_errors_.tolist()

    def test_of_rankings(self):
        y = np.array([0, 1, 2, 2, 1, 0])
        model = AdaBoostMR(n_estimators=3).fit(ROWS, y)
        run = many.run_adaboost_mr(StumpLearner(np.array(ROWS)), y, 3, 3)
        assert model.estimator_errors_ == pytest.approx(run.wrong, abs=1e-12)
        assert model.training_error_bound_ == pytest.approx(2 * run.normalisers.prod())
