"""Boosting many labels: objectives and bounds, runs over pools and with stumps, estimators."""

import itertools
import pickle
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from estimator_checks import OF_EXACT_STUMPS, run_check
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook import AdaBoostMH, AdaBoostMR
from mcbook.boosting import FinitePool, GivenSequence, StumpLearner, run_adaboost
from mcbook.boosting_many_labels import (
    LabelStumps,
    argmax_error_bound,
    best_shift,
    boost_pairs,
    boost_rankings,
    half_start_sample,
    half_start_square,
    label_blind_pool,
    label_signs,
    least_shifted_loss,
    mean_margin_bound,
    mean_margin_objective,
    mean_margin_step,
    one_label_wrong,
    pair_loss,
    pair_objective,
    preference_pairs,
    ranking_error_bound,
    ranking_loss,
    ranking_objective,
    run_adaboost_mr,
    run_mean_margin,
    run_rankboost,
    square_labels,
    start_weights,
    started_error_bound,
    stump_cost,
    three_by_three,
    tied_rival,
    wrong_pairs,
)
from mcbook.boosting_many_labels.kernels import reweigh_pairs, reweigh_rivals, weigh_answers, weigh_rivals
from mcbook.foundation.compiled import python_original

seeds = st.integers(0, 2**32 - 1)


class TestFormulas:
    def test_objectives_add_up_pair_by_pair(self):
        scores, Y, y = np.array([[1.0, -2.0, 0.5], [0.0, 3.0, 1.0]]), label_signs([0, 1], 3), np.array([0, 1])
        pairs = [np.exp(-Y[i, z] * scores[i, z]) for i in range(2) for z in range(3)]
        assert pair_objective(scores, Y) == pytest.approx(sum(pairs))
        ranked = [np.exp(scores[i, z] - scores[i, y[i]]) for i in range(2) for z in range(3) if z != y[i]]
        assert ranking_objective(scores, y) == pytest.approx(sum(ranked))
        means = [np.exp(-(Y[i] * scores[i]).mean()) for i in range(2)]
        assert mean_margin_objective(scores, Y) == pytest.approx(sum(means))

    def test_a_score_of_0_is_wrong(self):
        assert wrong_pairs([[0, 1, -1]], [[1, 1, 1]]) == Fraction(2, 3)

    def test_start_weights_sum_to_1_with_their_share_on_the_labels(self):
        for share in (Fraction(1, 3), 0.5, None):
            D = start_weights([2, 0, 1, 1], 4, share)
            assert float(D.sum()) == pytest.approx(1)
            assert float(sum(D[range(4), [2, 0, 1, 1]])) == pytest.approx(float(share or Fraction(1, 4)))

    def test_bounds(self):
        assert argmax_error_bound(10, [0.5, 0.5]) == pytest.approx(1.25)
        assert started_error_bound(10, 0.1, [0.5, 0.5]) == pytest.approx(1.25)
        assert started_error_bound(10, Fraction(1, 2), [1]) == 3
        assert ranking_error_bound(10, [0.5, 0.5]) == pytest.approx(2.25)
        assert mean_margin_bound([]) == 1
        assert mean_margin_step(Fraction(3, 5)) == pytest.approx(np.log(2))
        assert half_start_square(2, 5) == 1
        assert stump_cost(1, 1, 1, 1) == 1
        assert stump_cost(5, 2, 3, 4) == 3 * 5 * 3 + 5 * 2 * 3 * 4

    def test_the_best_shift_is_the_lowest_point(self):
        rng = np.random.default_rng(0)
        for _ in range(20):
            f, y = rng.normal(size=4), int(rng.integers(0, 4))
            c = best_shift(f, y, 2.0, 0.5)
            least = pair_loss(f + c, y, 2.0, 0.5)
            assert least == pytest.approx(least_shifted_loss(f, y, 2.0, 0.5))
            assert least < min(pair_loss(f + c + e, y, 2.0, 0.5) for e in (-0.01, 0.01))
            assert ranking_loss(f + c, y) == pytest.approx(ranking_loss(f, y))

    @pytest.mark.parametrize(
        ("call", "says"),
        [
            (lambda: start_weights([0], 3, 1), "share"),
            (lambda: start_weights([0], 1), "2 classes"),
            (lambda: pair_objective([[1.0]], [[1, -1]]), "one shape"),
            (lambda: pair_objective([1.0], [1]), "one shape"),
            (lambda: wrong_pairs([[1.0]], [[2]]), "signs"),
            (lambda: stump_cost(0, 1, 1, 1), ">= 1"),
            (lambda: one_label_wrong(2, 1), "2 classes"),
        ],
    )
    def test_bad_input_is_named(self, call, says):
        with pytest.raises(ValueError, match=says):
            call()


class TestRanking:
    def test_a_round_by_hand(self):
        # Two examples of three labels; the hypothesis puts both pairs of the first right, one of the second wrong.
        y, H = np.array([0, 1]), np.array([[[1, -1, -1], [1, -1, -1]]])
        weights = np.array([Fraction(2), Fraction(1)], dtype=object)
        run = run_adaboost_mr(GivenSequence(H), y, 3, 1, weights=weights)
        assert (run.right[0], run.wrong[0]) == (Fraction(2, 3), Fraction(1, 6))
        assert run.normalisers[0] == Fraction(1, 6) + 2 * Fraction(1, 3)
        assert run.steps[0] == pytest.approx(np.log(4) / 4)
        assert run.D.tolist() == [[0, Fraction(1, 5), Fraction(1, 5)], [Fraction(2, 5), 0, Fraction(1, 5)]]
        assert run.votes[0].tolist() == pytest.approx((run.steps[0] * H[0, 0]).tolist())
        assert run.message == "all 1 rounds were made"

    def test_it_stops_at_a_perfect_and_at_a_useless_hypothesis(self):
        y = np.array([0, 1])
        perfect = run_adaboost_mr(FinitePool(label_signs(y, 3)[None]), y, 3, 5)
        assert (perfect.ending, perfect.n_rounds, perfect.normalisers[0]) == ("perfect", 1, 0)
        assert "all pairs right" in perfect.message
        blind = run_adaboost_mr(FinitePool(label_blind_pool(2, 3)), y, 3, 5)
        assert (blind.ending, blind.n_rounds) == ("useless", 0)
        assert "ranks more pairs right than wrong" in blind.message

    def test_where_nothing_is_wrong_the_step_is_finite_and_the_product_is_the_objective(self):
        y, H = tied_rival(9)
        run = run_adaboost_mr(FinitePool(H), y, 9, 4)
        assert run.steps == pytest.approx(np.log(9) / 4)
        assert ranking_objective(run.votes, y) == pytest.approx(8 * np.prod(run.normalisers))

    def test_with_two_classes_it_is_adaboost_with_half_the_votes(self):
        rng = np.random.default_rng(2)
        y, h = rng.integers(0, 2, 12), rng.choice([-1, 1], (20, 12))
        H = np.stack([h, -h], axis=2)
        weights = rng.random(12)
        run = run_adaboost_mr(FinitePool(H), y, 2, 8, weights=weights)
        other = run_adaboost(FinitePool(h), np.where(y == 0, 1, -1), 8, weights=weights)
        assert run.hypotheses == other.hypotheses
        assert 2 * run.steps == pytest.approx(other.steps)
        assert run.normalisers == pytest.approx(other.normalisers)

    def test_rankboost_on_items_by_hand(self):
        run = run_rankboost(np.array([[1, 0, 0], [0, 1, 0]]), np.array([[0, 1], [0, 2], [1, 2]]), 1)
        assert (run.hypotheses, run.right[0], run.wrong[0]) == ((0,), pytest.approx(2 / 3), 0)
        with pytest.raises(ValueError, match="n_rounds"):
            run_rankboost(np.array([[1, 0]]), np.array([[0, 1]]), 0)

    @settings(max_examples=25, deadline=None)
    @given(seeds)
    def test_products_and_objectives_agree(self, seed):
        rng = np.random.default_rng(seed)
        m, k = int(rng.integers(2, 7)), int(rng.integers(2, 5))
        y = rng.integers(0, k, m)
        H = np.where(rng.random((9, m, k)) < 0.65, label_signs(y, k), -label_signs(y, k))
        # Weights without ties, which rounding would break; hypotheses may still rank all pairs alike.
        weights = rng.random(m)
        run = run_adaboost_mr(FinitePool(H), y, k, 6, weights=weights, keep_history=True)
        if run.ending == "rounds":
            start = run.history[0]
            F = sum(
                start[i, z] * np.exp(run.votes[i, z] - run.votes[i, y[i]])
                for i in range(m)
                for z in range(k)
                if z != y[i]
            )
            assert pytest.approx(np.prod(run.normalisers)) == F
            assert run.D.sum() == pytest.approx(1)
            assert len(run.history) == run.n_rounds + 1
            pairs = preference_pairs(y, k)
            other = run_rankboost((H.reshape(9, -1) + 1) // 2, pairs, 6, weights=np.repeat(weights, k - 1))
            assert pytest.approx(run.D.ravel()[pairs[:, 1]]) == other.D
            assert other.steps == pytest.approx(2 * run.steps)

    def test_weights_of_another_number_are_refused(self):
        with pytest.raises(ValueError, match="weights for 2 examples"):
            run_adaboost_mr(FinitePool(label_blind_pool(2, 3)), np.array([0, 1]), 3, 1, weights=np.ones(3))


class TestMeanMargin:
    def test_the_product_is_the_objective(self):
        rng = np.random.default_rng(3)
        Y = rng.choice([-1, 1], (6, 3))
        H = np.where(rng.random((12, 6, 3)) < 0.6, Y, -Y)
        run = run_mean_margin(FinitePool(H), Y, 7)
        assert mean_margin_objective(run.votes, Y) == pytest.approx(6 * np.prod(run.normalisers))
        assert np.prod(run.normalisers) <= mean_margin_bound(run.edges)
        assert run.D.sum() == pytest.approx(1)

    def test_it_stops_without_an_edge_and_where_all_is_right(self):
        Y = np.array([[1, -1]])
        assert run_mean_margin(FinitePool(label_blind_pool(1, 2)), Y, 3).ending == "useless"
        assert run_mean_margin(FinitePool(Y[None]), Y, 3).ending == "perfect"


class TestInstances:
    def test_the_tied_label_never_wins(self):
        Y, H = half_start_sample(5)
        assert (H[:, 0, 0] == H[:, 0, 1]).all()
        assert (-H[:2] == H[2:]).all()
        assert Y.tolist() == [[1, -1, -1, -1, -1]]

    def test_three_by_three(self):
        Y, H = three_by_three()
        assert (H != Y).sum(axis=(1, 2)).tolist() == [4, 4, 4, 2, 2, 2]

    def test_square_labels_are_what_they_say(self):
        X, Y = square_labels(np.random.default_rng(0), 50)
        assert set(Y.ravel()) == {-1, 1}
        assert ((X[:, 0] + X[:, 1] > 1) == (Y[:, 2] > 0)).all()


class TestStumpRounds:
    def test_they_are_adaboost_with_stumps(self):
        rng = np.random.default_rng(0)
        for k in (2, 3, 5):
            X, Y = rng.normal(size=(40, 3)), rng.choice([-1, 1], (40, k))
            X[rng.random(X.shape) < 0.1] = np.nan
            weights = rng.random((40, k))
            run, other = (
                boost_pairs(LabelStumps(X), Y, 15, weights=weights),
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
            run = boost_rankings(LabelStumps(X), y, k, 15, weights=weights)
            other = run_adaboost_mr(StumpLearner(X), y, k, 15, weights=weights)
            assert [h.question.threshold for h in run.hypotheses] == [h.question.threshold for h in other.hypotheses]
            assert run.steps == pytest.approx(other.steps, rel=1e-9)
            assert pytest.approx(other.D, rel=1e-9) == run.D

    def test_the_stump_is_the_best_of_all(self):
        rng = np.random.default_rng(4)
        X, A = rng.integers(0, 4, (9, 2)).astype(float), rng.normal(size=(9, 2))
        A /= np.abs(A).sum()
        _, side, votes = LabelStumps(X).ask(A)
        best = max(
            (A * np.where((X[:, [j]] <= cut), left, right)).sum()
            for j, cut in itertools.product(range(2), range(-1, 4))
            for left in itertools.product((-1, 1), repeat=2)
            for right in itertools.product((-1, 1), repeat=2)
        )
        assert (A * votes[side]).sum() == pytest.approx(best)

    def test_it_ends_early_and_says_why(self):
        X, y = np.array([[0.0], [1.0]]), np.array([0, 1])
        perfect = boost_pairs(LabelStumps(X), label_signs(y, 2), 5)
        assert (perfect.ending, perfect.n_rounds) == ("perfect", 1)
        assert "answers all pairs rightly" in perfect.message
        flat = boost_pairs(LabelStumps(0 * X), label_signs(y, 2), 5)
        assert (flat.ending, flat.n_rounds) == ("useless", 0)
        assert "richer estimator" in flat.message
        seen = []
        boost_pairs(LabelStumps(X), np.array([[1, -1], [1, 1]]), 1, on_round=lambda t, error: seen.append((t, error)))
        assert seen == [(0, 0.0)]
        assert boost_rankings(LabelStumps(X), y, 2, 5).ending == "perfect"
        assert boost_rankings(LabelStumps(0 * X), y, 2, 5).ending == "useless"

    def test_kernels_on_two_examples(self):
        A, side = np.array([[0.4, -0.1], [-0.2, 0.3]]), np.array([0, 1], dtype=np.int32)
        votes = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, 1.0]])
        for kernel in (weigh_answers, python_original(weigh_answers)):
            assert kernel(A, side, votes, 0, 2) == pytest.approx((0.6, 0.4))
        reweigh_pairs(A, side, votes, 2.0, 10.0, 1, 2)
        assert A.ravel().tolist() == pytest.approx([0.4, -0.1, -0.4, 3.0])
        # Three labels, the first is right: its half of the weights is 0.3, the rivals' are 0.2 and 0.1.
        A, y = np.array([[0.3, -0.2, -0.1]]), np.array([0])
        votes = np.array([[1.0, -1.0, 1.0]] * 3)
        assert weigh_rivals(A, y, side[:1], votes, 0, 1) == pytest.approx((0.4, 0.0))
        assert weigh_rivals(A, y, side[:1], -votes, 0, 1) == pytest.approx((0.0, 0.4))
        reweigh_rivals(A, y, side[:1], votes, 0.5, 2.0, 0, 1)
        assert A.ravel().tolist() == pytest.approx([0.4, -0.2, -0.2])


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
    def test_two_classes_have_one_score(self, kind):
        X = np.array([[0.0], [1.0], [2.0], [3.0]])
        model = kind(n_estimators=3).fit(X, ["no", "yes", "no", "yes"])
        assert model.decision_function(X).shape == (4,)
        assert (model.predict(X) == model.classes_[(model.decision_function(X) > 0).astype(int)]).all()

    @BOTH
    def test_weights_are_repetitions_and_0_leaves_out(self, digits, kind):
        X, y = digits[0][:150], digits[1][:150]
        weights = np.random.default_rng(0).integers(0, 3, 150)
        weighted = kind(n_estimators=6).fit(X, y, sample_weight=weights)
        repeated = kind(n_estimators=6).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
        assert weighted.decision_function(X) == pytest.approx(repeated.decision_function(X))

    @BOTH
    def test_any_classifier_and_pickles(self, digits, kind):
        X, y = digits[0][:200], digits[1][:200]
        model = kind(DecisionTreeClassifier(max_depth=3), 4, random_state=0).fit(X, y)
        assert model.score(X, y) > 0.8
        copy = pickle.loads(pickle.dumps(model))
        assert (copy.decision_function(X) == model.decision_function(X)).all()

    @BOTH
    def test_it_says_when_there_is_nothing_to_boost(self, kind):
        with pytest.warns(ConvergenceWarning, match="features"):
            model = kind().fit(np.zeros((4, 1)), [0, 1, 0, 1])
        assert (model.ending_, model.n_iter_) == ("useless", 0)
        assert model.predict([[1.0]]).tolist() == [0]

    @BOTH
    def test_scikit_learn_is_told_of_matrices_of_answers(self, kind):
        assert get_tags(kind()).classifier_tags.multi_label == (kind is AdaBoostMH)

    def test_a_matrix_of_answers(self):
        X, Y = square_labels(np.random.default_rng(0), 300)
        model = AdaBoostMH(n_estimators=80).fit(X[:200], Y[:200] > 0)
        predicted = model.predict(X[200:])
        assert predicted.dtype == np.int64
        assert ((predicted > 0) == (Y[200:] > 0)).mean() > 0.93
        assert wrong_pairs(model.decision_function(X[:200]), Y[:200]) <= model.training_error_bound_
        assert list(model.staged_score(X, (Y > 0).astype(int)))[-1] == model.score(X, (Y > 0).astype(int))
        sparse = clone(model).fit(X[:200], sp.csr_matrix(Y[:200] > 0))
        assert (sparse.predict(X) == model.predict(X)).all()

    def test_a_matrix_has_no_start_of_its_own(self):
        X, Y = square_labels(np.random.default_rng(0), 20)
        for settings_ in ({"label_share": 0.5}, {"class_weight": "balanced"}):
            with pytest.raises(ValueError, match="indicator matrix"):
                AdaBoostMH(**settings_).fit(X, Y > 0)

    def test_half_of_the_weight_on_the_label(self, digits):
        X, y = digits[0][:300], digits[1][:300]
        model = AdaBoostMH(n_estimators=40, label_share=0.5).fit(X, y)
        Z = boost_pairs(LabelStumps(X), label_signs(y, 10), 40, weights=start_weights(y, 10, 0.5)).normalisers
        assert model.training_error_bound_ == pytest.approx(3 * np.prod(Z))
        with pytest.raises(ValueError, match="label_share"):
            AdaBoostMH(label_share=1.0).fit(X, y)

    def test_missing_values_and_categories(self):
        X = np.array([[0.0, 1.0], [np.nan, 0.0], [1.0, 2.0], [2.0, np.nan], [np.nan, 1.0], [0.5, 2.0]])
        y = np.array([0, 1, 2, 1, 0, 2])
        for kind in (AdaBoostMH, AdaBoostMR):
            model = kind(n_estimators=20, categorical_features=[1]).fit(X, y)
            assert (model.predict(X) == y).all()
        with pytest.raises(ValueError, match="estimator"):
            AdaBoostMR("real stump").fit(X, y)
