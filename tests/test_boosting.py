"""AdaBoost: formulas, runs over pools and stumps, the worst case."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from mcbook.boosting import (
    FinitePool,
    GivenSequence,
    OnPairs,
    StumpLearner,
    all_stumps,
    binomial_error,
    bound_with_edges,
    bound_with_least_edge,
    coordinate_descent,
    dual_bound,
    exponential_bound,
    half_log_odds,
    independent_errors,
    mass_bound,
    memorising_risk,
    normaliser,
    normaliser_at,
    relative_margins,
    run_adaboost,
    run_samme,
    samme_scores,
    squared_votes,
    staged_votes,
    step_size,
    stump_pool,
    ten_points,
    training_error_bound,
    vote_odds,
    votes_on,
    worst_case,
    worst_sample,
    worst_training_error,
)

QUARTER = Fraction(1, 4)


def ones(n):
    return np.array([Fraction(1)] * n)


def random_signs(rng, *shape):
    return rng.choice([-1, 1], shape)


def plain_adaboost(H, start, n_rounds):
    """The algorithm word by word in floats, for labels that are all +1."""
    D, chosen, steps = start, [], []
    for _ in range(n_rounds):
        errors = [D[h < 0].sum() for h in H]
        t = int(np.argmin(errors))
        steps.append(0.5 * math.log((1 - errors[t]) / errors[t]))
        D = D * np.exp(-steps[-1] * H[t])
        D /= D.sum()
        chosen.append(t)
    return chosen, steps, D


class TestTheory:
    def test_steps_and_normalisers(self):
        assert vote_odds(Fraction(1, 5)) == 4
        assert step_size(0.2) == pytest.approx(math.log(2))
        assert normaliser(Fraction(1, 5)) == Fraction(4, 5)
        assert normaliser_at(Fraction(1, 5), 2) == Fraction(4, 5)
        assert normaliser_at(Fraction(1, 5), 1) == 1

    @pytest.mark.parametrize("error", [0, 1, -0.1, 1.2, math.nan])
    def test_an_error_without_a_finite_step_is_refused(self, error):
        with pytest.raises(ValueError, match="error"):
            step_size(error)

    def test_the_bounds_agree_and_are_ordered(self):
        errors = [0.1, 0.25, 0.4]
        edges = [0.5 - e for e in errors]
        assert training_error_bound(errors) == pytest.approx(bound_with_edges(edges))
        assert (
            bound_with_edges(edges) < exponential_bound(edges) == pytest.approx(math.exp(-2 * (0.16 + 0.0625 + 0.01)))
        )
        assert bound_with_least_edge(0.3, 3) == pytest.approx(0.64**1.5)

    def test_votes_in_fractions_have_the_sign_of_the_vote(self):
        rng = np.random.default_rng(0)
        agrees = random_signs(rng, 5, 20)
        odds = [Fraction(int(a), int(b)) for a, b in rng.integers(1, 9, (5, 2))]
        logs = np.array([math.log(value) for value in squared_votes(odds, agrees)])
        assert logs == pytest.approx(np.array([math.log(o) for o in odds]) @ agrees)

    def test_the_worst_error_has_its_small_cases(self):
        for error in (Fraction(1, 10), Fraction(1, 3)):
            assert worst_training_error(error, 1) == error
            assert worst_training_error(error, 2) == 3 * error - 2 * error**2
        assert worst_training_error(QUARTER, 4) == Fraction(65, 128)

    def test_the_mass_bound_is_the_worst_error_at_equal_errors(self):
        for error, T in ((0.25, 4), (0.4, 6), (0.25, 3), (0.4, 7)):
            product, total = training_error_bound([error] * T), T * step_size(error)
            theta = -1 / T if T % 2 else 0
            assert mass_bound(product, total, theta) == pytest.approx(float(worst_training_error(Fraction(error), T)))

    def test_the_binomial_tail(self):
        assert binomial_error(Fraction(1, 2), 3) == Fraction(1, 2)
        assert binomial_error(0.3, 4) == pytest.approx(1 - 0.7**4 - 4 * 0.3 * 0.7**3)

    def test_what_memory_is_worth(self):
        assert memorising_risk(4, 1) == Fraction(3, 4)
        with pytest.raises(ValueError, match="n_points"):
            memorising_risk(3, 4)

    def test_half_the_log_odds(self):
        assert half_log_odds(0.8) == pytest.approx(math.log(2))
        with pytest.raises(ValueError, match="probability"):
            half_log_odds(1)


class TestRun:
    def test_it_is_the_algorithm_word_by_word(self):
        rng = np.random.default_rng(1)
        for _ in range(20):
            H = random_signs(rng, 6, 15)
            H = np.vstack([H, -H])
            start = rng.dirichlet(np.ones(15))
            run = run_adaboost(FinitePool(H), np.ones(15, int), 6, weights=start)
            if run.ending != "rounds":
                continue
            chosen, steps, D = plain_adaboost(H, start, 6)
            assert list(run.hypotheses) == chosen
            assert run.steps == pytest.approx(steps)
            assert run.D[:, 0] == pytest.approx(D)
            assert run.votes[:, 0] == pytest.approx(np.array(steps) @ H[chosen])

    def test_fractions_and_floats_agree(self):
        X, y = ten_points()
        H = stump_pool(X)
        exact = run_adaboost(FinitePool(H), y, 6, weights=ones(10))
        floats = run_adaboost(FinitePool(H), y, 6)
        assert exact.hypotheses == floats.hypotheses
        assert floats.errors == pytest.approx(exact.errors.astype(float))
        assert exact.D.sum() == 1
        assert [str(error) for error in exact.errors[:3]] == ["3/10", "3/14", "3/22"]

    @pytest.mark.parametrize("exact", [True, False])
    def test_many_columns_are_one_column_of_pairs_to_the_last_bit(self, exact):
        rng = np.random.default_rng(2)
        Y, H = random_signs(rng, 30, 4), random_signs(rng, 12, 30, 4)
        Y[rng.random(Y.shape) < 0.2] = 0
        weights = rng.integers(1, 5, 30)
        given = np.array([Fraction(int(w)) for w in weights]) if exact else weights.astype(float)
        many = run_adaboost(FinitePool(H), Y, 5, weights=given)
        pairs = run_adaboost(FinitePool(H.reshape(12, -1)), Y.ravel(), 5, weights=np.repeat(given, 4))
        assert many.hypotheses == pairs.hypotheses
        for name in ("errors", "steps", "odds"):
            assert getattr(many, name).tolist() == getattr(pairs, name).tolist()
        assert many.D.ravel().tolist() == pairs.D.ravel().tolist()
        assert many.votes.ravel().tolist() == pairs.votes.ravel().tolist()
        assert (many.D[Y == 0] == 0).all()

    @pytest.mark.parametrize("real", [False, True])
    def test_stumps_on_columns_are_stumps_on_pairs_to_the_last_bit(self, real):
        rng = np.random.default_rng(3)
        X, Y = rng.normal(size=(60, 3)), random_signs(rng, 60, 5)
        many = run_adaboost(StumpLearner(X, real_valued=real), Y, 8)
        pairs = run_adaboost(OnPairs(StumpLearner(X, real_valued=real), 5), Y.ravel(), 8)
        assert many.D.ravel().tolist() == pairs.D.ravel().tolist()
        assert many.normalisers.tolist() == pairs.normalisers.tolist()
        assert [stump.question for stump in many.hypotheses] == [stump.question for stump in pairs.hypotheses]

    def test_a_perfect_hypothesis_has_the_last_word(self):
        H = np.array([[1] * 9 + [-1], [1] * 10])
        run = run_adaboost(GivenSequence(H), np.ones(10, int), 2)
        assert run.ending == "perfect"
        assert (run.votes > 0).all()
        assert run.steps[1] > run.steps[0] > 1
        assert "no error" in run.message
        assert run_adaboost(FinitePool(H), np.ones(10, int), 5).n_rounds == 1

    def test_a_useless_learner_ends_the_run_before_its_round(self):
        H = np.array([[1, 1, -1, -1]])
        for weights in (None, ones(4)):
            run = run_adaboost(FinitePool(H), np.ones(4, int), 3, weights=weights)
            assert (run.ending, run.n_rounds) == ("useless", 0)
            assert "nothing better than a guess" in run.message
        # After one round its own equaliser makes the only hypothesis useless.
        run = run_adaboost(FinitePool(np.array([[1, 1, 1, -1]])), np.ones(4, int), 3)
        assert (run.ending, run.n_rounds) == ("useless", 1)
        real = run_adaboost(StumpLearner(np.zeros((4, 1)), real_valued=True), np.array([1, -1, 1, -1]), 3)
        assert real.ending == "useless"

    def test_what_is_wrong_with_the_input_is_said(self):
        pool = FinitePool(np.array([[1, -1]]))
        for Y, weights, word in (
            ([2, 1], None, "Y -1"),
            ([0, 0], None, "not 0"),
            ([[[1]]], None, "shape"),
            ([1, 1], [1.0], "weights for 2"),
            ([1, 1], [-1.0, 2.0], ">= 0"),
            ([1, 1], [0.0, 0.0], "not all 0"),
            ([1, 1], [math.nan, 1.0], ">= 0"),
            ([1, 1, 1], None, "signed weights"),
        ):
            with pytest.raises(ValueError, match=word):
                run_adaboost(pool, np.array(Y), 1, weights=None if weights is None else np.array(weights))
        with pytest.raises(ValueError, match="n_rounds"):
            run_adaboost(pool, np.array([1, 1]), 0)
        with pytest.raises(ValueError, match="at most 1 rounds"):
            run_adaboost(GivenSequence(np.array([[1, 1, -1]])), np.ones(3, int), 2)
        with pytest.raises(ValueError, match="n_hypotheses"):
            FinitePool(np.array([1, -1]))

    def test_each_round_is_reported(self):
        X, y = ten_points()
        seen = []
        run = run_adaboost(FinitePool(stump_pool(X)), y, 4, on_round=lambda t, error: seen.append((t, error)))
        assert seen == list(enumerate(run.errors))

    def test_staged_votes_end_at_the_votes(self):
        X, y = ten_points()
        run = run_adaboost(StumpLearner(X), y, 5)
        *_, last = staged_votes(run, X)
        assert last == pytest.approx(run.votes)
        assert votes_on(run, X) == pytest.approx(run.votes)
        assert relative_margins(np.ones((2, 3)), np.array([1.0, 2.0])).tolist() == [1, 1, 1]


class TestDescent:
    def test_it_stops_at_the_bottom(self):
        H = np.array([[1, 1, 1, -1]])
        assert coordinate_descent(np.vstack([H, -H]), np.ones(4, int), 5).coordinates.tolist() == [0]

    def test_it_stops_where_a_line_has_no_lowest_point(self):
        assert len(coordinate_descent(np.array([[1, 1]]), np.ones(2, int), 5).coordinates) == 0

    def test_the_loss_is_that_of_the_coefficients(self):
        rng = np.random.default_rng(4)
        H = random_signs(rng, 5, 9)
        path = coordinate_descent(np.vstack([H, -H]), np.ones(9, int), 4)
        a = np.array([math.log(value) / 2 for value in path.coefficients])
        loss = np.exp(-(a @ np.vstack([H, -H]))).mean()
        assert loss**2 == pytest.approx(float(path.squared_losses[-1]))


class TestSmallEdges:
    @pytest.mark.parametrize("edge", [Fraction(1, 50), Fraction(1, 10**3), Fraction(1, 10**6)])
    def test_floats_go_on_where_there_is_little_to_gain(self, edge):
        """A hypothesis that is hardly better than a coin still has a vote, and only rounding counts as no edge."""
        weights = np.array([Fraction(1, 2) + edge, Fraction(1, 2) - edge])
        H = np.array([[1, -1]])
        exact = run_adaboost(GivenSequence(H), np.ones(2, int), 1, weights=weights)
        run = run_adaboost(GivenSequence(H), np.ones(2, int), 1, weights=weights.astype(float))
        assert (run.ending, run.n_rounds) == ("rounds", 1)
        assert run.errors[0] == pytest.approx(float(exact.errors[0]))
        assert run.D.ravel() == pytest.approx([0.5, 0.5])

    def test_floats_and_fractions_stay_together_as_edges_sink(self):
        """Two hypotheses, each wrong where the other is right: the edges are 1/4, 1/6, 1/8 and so on."""
        H, start = np.array([[1, -1, 1], [-1, 1, 1]]), np.array([Fraction(1, 2), QUARTER, QUARTER])
        exact = run_adaboost(FinitePool(H), np.ones(3, int), 60, weights=start)
        run = run_adaboost(FinitePool(H), np.ones(3, int), 60, weights=start.astype(float))
        assert (Fraction(1, 2) - exact.errors).tolist() == [Fraction(1, 2 * t + 4) for t in range(60)]
        assert (run.ending, run.hypotheses) == ("rounds", exact.hypotheses)
        assert run.errors == pytest.approx(exact.errors.astype(float))


class TestWorstCase:
    @pytest.mark.parametrize(
        ("error", "T"), [(Fraction(1, 10), 1), (QUARTER, 5), (Fraction(2, 5), 9), (Fraction(3, 7), 12)]
    )
    def test_the_sample_is_small_and_attains_it(self, error, T):
        weights, H = worst_sample(error, T)
        assert weights.sum() == 1
        assert len(weights) == T + 1
        run = run_adaboost(GivenSequence(H), np.ones(len(weights), int), T, weights=weights)
        assert set(run.errors) == {error}
        lost = np.array([2 * (path < 0).sum() >= T for path in H.T])
        assert weights[lost].sum() == worst_training_error(error, T)

    def test_beyond_its_rounds_it_is_refused(self):
        with pytest.raises(ValueError, match="few enough rounds"):
            worst_sample(QUARTER, 10)
        with pytest.raises(ValueError, match="edge"):
            worst_sample(Fraction(3, 4), 2)

    def test_the_programme_and_its_certificate(self):
        found = worst_case(QUARTER, 10)
        assert float(found.error) == pytest.approx(0.2340210, abs=1e-6)
        assert float(dual_bound(QUARTER, 10, found.multipliers)) == pytest.approx(float(found.error), abs=1e-8)
        assert dual_bound(QUARTER, 3, [0, 0, 0]) >= worst_training_error(QUARTER, 3)
        for missed in found.missed:
            assert missed.sum() == pytest.approx(0.25)

    def test_margins_up_to_theta(self):
        # One round leaves its error at 0 and everything at 1; by two rounds three quarters err once or twice.
        assert float(worst_case(Fraction(3, 10), 1).error) == pytest.approx(0.3, abs=1e-6)
        assert float(worst_case(Fraction(3, 10), 1, 1).error) == pytest.approx(1, abs=1e-6)
        assert float(worst_case(QUARTER, 2).error) == pytest.approx(0.625, abs=1e-6)
        # A margin that equals theta counts: 3 of 10 rounds were wrong.
        counted, larger = (worst_case(QUARTER, 10, theta) for theta in (Fraction(2, 5), Fraction(39, 100)))
        assert float(counted.error) > float(larger.error) + 0.1
        for found, theta in ((counted, Fraction(2, 5)), (larger, Fraction(39, 100))):
            assert float(dual_bound(QUARTER, 10, found.multipliers, theta)) == pytest.approx(
                float(found.error), abs=1e-6
            )
        with pytest.raises(ValueError, match="theta"):
            worst_case(QUARTER, 2, -2)
        with pytest.raises(ValueError, match="n_rounds"):
            worst_case(QUARTER, 0)

    def test_independent_errors_are_a_law(self):
        weights, H = independent_errors(Fraction(1, 3), 4)
        assert weights.sum() == 1
        assert [weights[row < 0].sum() for row in H] == [Fraction(1, 3)] * 4


class TestStumps:
    def test_it_finds_the_best_of_all_stumps(self):
        rng = np.random.default_rng(5)
        for _ in range(20):
            X, y = rng.integers(0, 6, (25, 3)).astype(float), random_signs(rng, 25)
            S = rng.random(25) * y
            stump, outputs = StumpLearner(X).learn(S[:, None] / np.abs(S).sum())
            best = max(float(np.abs(S) @ (row == np.sign(S))) for row in stump_pool(X))
            assert float(np.abs(S) @ (outputs[:, 0] == np.sign(S))) == pytest.approx(best)
            assert stump.outputs(X).tolist() == outputs.tolist()

    def test_columns_vote_apart(self):
        X = np.arange(4.0)[:, None]
        stump, outputs = StumpLearner(X).learn(np.array([[1, 1, -1, -1], [-1, -1, 1, 1], [1, 1, 1, 1]]).T / 12)
        assert stump.question.threshold == 1.5
        assert outputs.T.tolist() == [[1, 1, -1, -1], [-1, -1, 1, 1], [1, 1, 1, 1]]

    def test_missing_values_are_a_side_of_their_own(self):
        X = np.array([[0.0], [1.0], [np.nan], [np.nan], [2.0]])
        signs = np.array([1, 1, -1, -1, 1])[:, None]
        stump, outputs = StumpLearner(X).learn(signs / 5)
        assert (outputs == signs).all()
        assert stump.outputs(np.array([[np.nan], [7.0]])).ravel().tolist() == [-1, 1]

    def test_where_nothing_was_missing_the_sample_decides(self):
        stump, _ = StumpLearner(np.arange(3.0)[:, None]).learn(np.array([[0.5], [0.3], [-0.2]]))
        assert stump.outputs(np.array([[np.nan]])).ravel().tolist() == [1]

    def test_categories_are_asked_for_by_name(self):
        X = np.array([[0.0], [1.0], [2.0], [1.0], [0.0]])
        signs = np.array([-1, 1, -1, 1, -1])[:, None]
        stump, outputs = StumpLearner(X, categorical=[True]).learn(signs / 5)
        assert (outputs == signs).all()
        assert (stump.question.cut, stump.outputs(np.array([[9.0], [1.0]])).ravel().tolist()) == (1, [-1, 1])

    def test_real_votes_are_half_the_log_odds_and_minimise_the_normaliser(self):
        rng = np.random.default_rng(6)
        X, y = rng.integers(0, 5, (40, 2)).astype(float), random_signs(rng, 40)
        S = (y / 40)[:, None]
        stump, outputs = StumpLearner(X, real_valued=True, smoothing=0.0).learn(S)
        left = X[:, stump.question.feature] <= stump.question.threshold
        up, down = (left & (y > 0)).sum(), (left & (y < 0)).sum()
        assert stump.votes[0, 0] == pytest.approx(math.log(up / down) / 2)
        values = []
        for feature, threshold in itertools.product(range(2), np.arange(-0.5, 5)):
            sides = X[:, feature] <= threshold
            values.append(
                2 * sum(math.sqrt((s & (y > 0)).sum() / 40 * ((s & (y < 0)).sum() / 40)) for s in (sides, ~sides))
            )
        assert float((np.abs(S) * np.exp(-np.sign(S) * outputs)).sum()) == pytest.approx(min(values))

    def test_bins_lose_little(self):
        X, y = load_breast_cancer(return_X_y=True)
        signs = np.where(y == 1, 1, -1)
        exact, binned = (run_adaboost(StumpLearner(X, max_bins=bins), signs, 20) for bins in (None, 64))
        assert np.prod(binned.normalisers) < 1.3 * np.prod(exact.normalisers)

    def test_thresholds_between_neighbouring_floats_still_divide_them(self):
        low, high = 1.0, np.nextafter(1.0, 2.0)
        X, signs = np.array([[low], [high]]), np.array([[1], [-1]])
        stump, outputs = StumpLearner(X).learn(signs / 2)
        assert stump.outputs(X).tolist() == outputs.tolist() == signs.tolist()

    def test_a_sample_of_another_size_is_refused(self):
        with pytest.raises(ValueError, match="each example"):
            StumpLearner(np.zeros((3, 1))).learn(np.zeros((2, 1)))

    def test_the_plain_stumps_of_the_pictures(self):
        stumps = all_stumps(np.array([[0.0, 5.0], [1.0, 5.0]]))
        assert len(stumps) == 6
        assert len({tuple(row) for row in stump_pool(np.array([[0.0, 5.0], [1.0, 5.0]]))}) == 4


class TestSamme:
    @pytest.mark.parametrize("n_classes", [2, 3, 10])
    def test_scikit_learn_chooses_the_same_stumps(self, n_classes):
        X, y = load_digits(n_class=n_classes, return_X_y=True)
        # Other values than whole ones, so that no two stumps are equally good.
        X = X + np.random.default_rng(0).random(X.shape).astype(np.float32)
        X = X.astype(np.float32).astype(float)
        peer = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=15, random_state=0).fit(X, y)
        run = run_samme(X, y, n_classes, 15)
        trees = [model.tree_ for model in peer.estimators_]
        assert run.features.tolist() == [tree.feature[0] for tree in trees]
        assert run.thresholds == pytest.approx([tree.threshold[0] for tree in trees], rel=1e-6)
        assert run.steps == pytest.approx(peer.estimator_weights_)
        scores = samme_scores(run, X, n_classes)
        assert (scores.argmax(axis=1) == peer.predict(X)).mean() > 0.999

    def test_it_ends_at_a_stump_without_error_and_at_a_guess(self):
        assert run_samme([[0.0], [1.0]], [0, 1], 2, 5).errors.tolist() == [0.0]
        X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
        assert run_samme(X, [0, 1, 1, 0], 2, 5).n_rounds == 0
