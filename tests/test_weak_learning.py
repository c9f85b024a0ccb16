"""Weak and strong learning: games, what rounds are worth, filtering, the choice among runs."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from mcbook.boosting import FinitePool, GivenSequence, run_adaboost, worst_sample
from mcbook.foundation.laws import law_from_counts, uniform_law
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.certified import NotCertified
from mcbook.weak_learning import (
    CalledLearner,
    GroupedPool,
    accounted_error,
    all_runs_fail,
    best_correlation,
    binomial_at_most,
    boost_by_filtering,
    boost_by_majority,
    choice_fails,
    compressed_risk_bound,
    compressed_survivor_bound,
    cuts_on_a_line,
    distinct_stumps,
    equal_votes_margin,
    examples_for_strong,
    false_survivor_bound,
    fewest_mistakes,
    fewest_runs,
    lead_potential,
    lead_weight,
    least_margin,
    majority_value,
    mostly_plus_concepts,
    rounds_by_majority,
    rounds_by_product,
    rounds_for_error,
    rounds_until_perfect,
    runs_for_confidence,
    selection_base,
    selection_bound,
    selection_failure,
    selection_size,
    simple_selection_size,
    solve_game,
    stored_items,
    threshold_of_examples,
    uniform_only_pool,
    unseen_error,
    validation_size,
    vote_with_constant_step,
    worse_is_kept,
)
from mcbook.weak_learning.algorithm import game as game_module

HALF, QUARTER, TENTH = Fraction(1, 2), Fraction(1, 4), Fraction(1, 10)
THREE = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])


def ones(n):
    return np.ones(n, dtype=int)


class TestGames:
    def test_small_games_are_solved(self):
        assert solve_game(THREE).value == Fraction(1, 3)
        assert solve_game(THREE[:2]).D.tolist() == [0, HALF, HALF]
        assert solve_game(1 - 2 * np.eye(6, dtype=int)).value == Fraction(2, 3)
        assert solve_game([[1, 1], [-1, 1]]).value == 1
        assert solve_game([[-1], [-1]]).value == -1

    def test_both_sides_are_the_same_fraction(self):
        rng = np.random.default_rng(0)
        for _ in range(40):
            A = rng.choice([-1, 1], tuple(rng.integers(1, 12, 2)))
            found = solve_game(A)
            assert best_correlation(A, found.D) == least_margin(A, found.w) == found.value
            assert sum(found.D) == sum(found.w) == 1
            assert min(*found.D, *found.w) >= 0

    def test_games_as_large_as_sixty_examples(self):
        rng = np.random.default_rng(1)
        A = rng.choice([-1, 1], (90, 60))
        found = solve_game(A)
        assert best_correlation(A, found.D) == least_margin(A, found.w) == found.value

    def test_a_solver_that_misses_the_vertex_is_not_believed(self, monkeypatch):
        right = game_module._in_floats

        def wrong(rows):
            point, value = right(rows)
            return np.eye(len(point))[0], value

        monkeypatch.setattr(game_module, "_in_floats", wrong)
        with pytest.raises(NotCertified, match="prove each other"):
            solve_game(THREE)

    @pytest.mark.parametrize("A", [[[1, 0]], [1, -1], [[]]])
    def test_what_is_no_table_of_agreements_is_refused(self, A):
        with pytest.raises(ValueError, match="expected"):
            solve_game(A)

    def test_weights_and_votes_are_means_of_rows_and_columns(self):
        D, w = np.array([0.2, 0.3, 0.5]), np.array([0.6, 0.4, 0.0])
        assert best_correlation(THREE, D) == pytest.approx(0.6)
        assert least_margin(THREE, w) == pytest.approx(-0.2)

    def test_a_grouped_pool_chooses_as_a_finite_pool_does(self):
        rng = np.random.default_rng(2)
        H = rng.choice([-1, 1], (9, 7))
        for _ in range(10):
            S = np.array([Fraction(int(a), int(b)) for a, b in rng.integers(1, 30, (7, 2))]) * rng.choice([-1, 1], 7)
            assert GroupedPool(H).learn(S[:, None]).hypothesis == FinitePool(H).learn(S[:, None]).hypothesis

    def test_the_instances(self):
        cube = uniform_only_pool(3)
        assert best_correlation(cube.A, cube.hard_half) == best_correlation(cube.A, -cube.hard_half) == 0
        assert best_correlation(cube.A, np.full(8, Fraction(1, 8))) == HALF
        assert len(np.unique(cube.H, axis=0)) == 12
        assert mostly_plus_concepts(8)[:, :6].min() == 1
        assert len(np.unique(mostly_plus_concepts(8), axis=0)) == 4
        assert solve_game(cuts_on_a_line(np.array([1, -1, 1]))).value == Fraction(1, 3)
        assert len(distinct_stumps(np.array([[0.0, 5.0], [1.0, 6.0], [2.0, 7.0]]))) == 6
        with pytest.raises(ValueError, match="multiple of 4"):
            mostly_plus_concepts(6)
        with pytest.raises(ValueError, match="n_bits"):
            uniform_only_pool(1)


class TestRounds:
    @pytest.mark.parametrize("edge", [0.05, 0.25, 0.4])
    def test_the_value_is_a_binomial_tail(self, edge):
        for T in (1, 2, 7, 30):
            tail = binom.cdf(T // 2, T, 0.5 + edge)
            assert majority_value(edge, T) == pytest.approx(tail)
            assert float(majority_value(Fraction(edge).limit_denominator(20), T)) == pytest.approx(tail)
        assert binomial_at_most(4, QUARTER, 9) == 1
        assert binomial_at_most(4, QUARTER, -1) == 0

    def test_weights_are_what_the_next_vote_changes(self):
        for n, lead in itertools.product(range(6), range(-7, 8)):
            wins = {
                now: sum(
                    math.prod(Fraction(3, 5) if x > 0 else Fraction(2, 5) for x in later)
                    for later in itertools.product((-1, 1), repeat=n)
                    if lead + now + sum(later) > 0
                )
                for now in (-1, 1)
            }
            assert lead_weight(TENTH, n, lead) == wins[1] - wins[-1]
            assert lead_potential(TENTH, n, lead + 1) == 1 - wins[1]

    def test_a_run_weighs_by_what_is_left(self):
        A = np.array([[1, 1, -1, -1], [1, -1, 1, -1]])
        run = boost_by_majority(GivenSequence(A), ones(4), QUARTER, 2)
        assert run.D[1].tolist() == [lead_weight(QUARTER, 0, s) / 2 for s in (1, 1, -1, -1)]
        assert run.leads.tolist() == [[0] * 4, [1, 1, -1, -1], [2, 0, 0, -2]]
        assert run.share_lost(np.full(4, QUARTER)) == Fraction(3, 4)
        assert run.totals[1] == HALF
        assert run.edges.tolist() == [0, 0]
        assert run.n_rounds == 2

    def test_where_nothing_is_left_to_decide_there_is_no_edge(self):
        run = boost_by_majority(FinitePool(np.ones((1, 2), dtype=int)), ones(2), QUARTER, 3)
        assert (run.edges.tolist(), run.totals.tolist()[2]) == ([HALF, HALF, 0], 0)
        assert run.D[2].tolist() == [HALF, HALF]

    def test_labels_and_laws_enter(self):
        rng = np.random.default_rng(3)
        H, y = rng.choice([-1, 1], (5, 6)), rng.choice([-1, 1], 6)
        P = np.array([Fraction(n, 21) for n in range(1, 7)])
        ours = boost_by_majority(FinitePool(H), y, TENTH, 7, P)
        agreements = boost_by_majority(FinitePool(H * y), ones(6), TENTH, 7, P)
        assert ours.hypotheses == agreements.hypotheses
        assert ours.leads.tolist() == agreements.leads.tolist()
        assert ours.share_lost(P) == accounted_error(TENTH, 7, ours.totals, ours.edges)

    def test_a_constant_step_is_adaboost_with_that_step(self):
        A = np.array([[1, 1, 1, -1], [1, -1, 1, 1]])
        run = vote_with_constant_step(GivenSequence(A), ones(4), Fraction(3), 2)
        ada = run_adaboost(GivenSequence(A), ones(4), 1, weights=np.full(4, QUARTER))
        # One mistake in four: the odds are 3, so AdaBoost's growth is their root.
        rooted = vote_with_constant_step(GivenSequence(A), ones(4), Fraction(17321, 10000), 2)
        assert run.D[1].tolist() == [Fraction(1, 12)] * 3 + [Fraction(3, 4)]
        assert rooted.D[1].astype(float) == pytest.approx(ada.D[:, 0].astype(float), abs=1e-4)

    def test_the_bound_on_equal_votes(self):
        assert float(equal_votes_margin(0.5, 0.2, 7, 50)) == pytest.approx(0.5 - 0.1 - math.log(7) / 10)

    def test_numbers_of_rounds_are_the_first(self):
        for edge, m in ((TENTH, 7), (QUARTER, 100), (Fraction(2, 5), 1000)):
            first = next(T for T in itertools.count(1) if m * majority_value(edge, T) < 1)
            assert rounds_by_majority(edge, m) == first
            product = next(T for T in itertools.count(1) if m * m * (1 - 4 * edge**2) ** T < 1)
            assert rounds_by_product(edge, m) == product
            simple = next(T for T in itertools.count(1) if m * math.exp(-2 * float(edge) ** 2 * T) < 1)
            assert rounds_until_perfect(edge, m) == simple
        epsilon = Fraction(1, 30)
        reached = next(T for T in itertools.count(1) if math.exp(-2 * 0.01 * T) <= 1 / 30)
        assert rounds_for_error(TENTH, epsilon) == reached

    def test_adaboost_may_do_worse(self):
        sample = worst_sample(QUARTER, 4)
        run = boost_by_majority(GivenSequence(sample.H), ones(len(sample.weights)), QUARTER, 4, sample.weights)
        assert run.share_lost(sample.weights) > majority_value(QUARTER, 4)
        assert run.share_lost(sample.weights) == accounted_error(QUARTER, 4, run.totals, run.edges)

    @pytest.mark.parametrize("edge", [0, HALF, -TENTH])
    def test_what_is_no_edge_is_refused(self, edge):
        for function in (rounds_by_majority, rounds_by_product, rounds_until_perfect):
            with pytest.raises(ValueError, match="2 edge"):
                function(edge, 10)
        with pytest.raises(ValueError, match="2 edge"):
            boost_by_majority(FinitePool(THREE), ones(3), edge, 3)

    def test_growth_below_1_is_refused(self):
        with pytest.raises(ValueError, match="growth"):
            vote_with_constant_step(FinitePool(THREE), ones(3), HALF, 3)

    def test_strong_learning_in_numbers(self):
        assert false_survivor_bound(3, 2, HALF, 5) == Fraction(9, 32)
        m = examples_for_strong(QUARTER, 10, TENTH, TENTH)

        def log_bound(n):
            return rounds_until_perfect(QUARTER, n) * math.log(10) + n * math.log(0.9)

        assert log_bound(m) <= math.log(0.1) < log_bound(m // 2)
        assert unseen_error(8, 2) == Fraction(49, 512)
        with pytest.raises(ValueError, match="n_points"):
            unseen_error(3, 1)


class TestCalledLearner:
    def test_it_is_called_until_it_has_the_edge(self):
        """One of two examples teaches a hypothesis that is right on most of the weight; the other does not."""

        def right_near(x, y):
            return lambda new: np.where(new == x[0], 1, -1)

        D = np.array([Fraction(3, 4), QUARTER])
        called = CalledLearner(right_near, np.array([0.0, 1.0]), 1, QUARTER, np.random.default_rng(0))
        for _ in range(40):
            places, outputs = called.learn(D)
            assert (places, outputs.tolist()) == ((0,), [1, -1])
        # Draws hit the first example three times in four.
        assert sum(called.calls) == pytest.approx(40 * 4 / 3, rel=0.2)
        with pytest.raises(ValueError, match=r"edge 2/5 within 7 calls.*keep its promise"):
            CalledLearner(
                right_near, np.array([0.0, 1.0]), 1, Fraction(2, 5), np.random.default_rng(0), most_calls=7
            ).learn(D)

    def test_labels_come_with_the_weights(self):
        seen = []

        def learner(x, y):
            seen.append(dict(zip(x.tolist(), y.tolist(), strict=True)))
            return threshold_of_examples(x, y)

        called = CalledLearner(learner, np.array([1.0, 2.0, 3.0]), 2, TENTH, np.random.default_rng(1))
        assert called.learn(np.array([-0.25, 0.5, 0.25])).outputs.tolist() == [-1, 1, 1]
        assert all(labels.items() <= {1.0: -1, 2.0: 1, 3.0: 1}.items() for labels in seen)

    @pytest.mark.parametrize(("change", "message"), [({"edge": HALF}, "2 edge"), ({"n_called": 0}, "n_called")])
    def test_what_makes_no_sense_is_refused(self, change, message):
        given = {"learner": threshold_of_examples, "X": np.arange(3.0), "n_called": 2, "edge": TENTH} | change
        with pytest.raises(ValueError, match=message):
            CalledLearner(**given, rng=np.random.default_rng(0))

    def test_thresholds_of_examples(self):
        new = np.array([0.0, 1.0, 1.5, 2.0, 3.0])
        for x, y, expected in (
            ([2.0, 1.0], [1, 1], [-1, 1, 1, 1, 1]),
            ([2.0, 1.0], [1, -1], [-1, -1, -1, 1, 1]),
            ([1.5, 1.0], [-1, -1], [-1, -1, -1, 1, 1]),
        ):
            assert threshold_of_examples(np.array(x), np.array(y))(new).tolist() == expected

    def test_bounds_of_compressed_votes(self):
        assert compressed_survivor_bound(2, 1, QUARTER, 4) == 16 * Fraction(9, 16)
        risk = float(compressed_risk_bound(3, 2, 1000, TENTH))
        assert risk == pytest.approx((6 * math.log(1000) + math.log(10)) / 994)
        with pytest.raises(ValueError, match="n_samples"):
            compressed_survivor_bound(2, 2, HALF, 4)
        with pytest.raises(ValueError, match="delta"):
            compressed_risk_bound(1, 1, 10, 1)


class TestFiltering:
    def test_what_is_kept_follows_the_weights(self):
        # After one round example 0 is behind, and one more vote cannot win it.
        A = np.array([[1, -1, -1], [-1, 1, 1]])
        rng = np.random.default_rng(4)
        source = itertools.cycle(range(3))
        run = boost_by_filtering(source, A, QUARTER, 2, 300, rng)
        assert run.hypotheses == (1, 1)
        assert run.kept == (300, 300)
        # So two of three examples are kept in the last round, all that come.
        assert run.drawn == (300, 450)
        assert run.most_stored == stored_items(2, 300)

    def test_a_round_without_open_examples_ends(self):
        A = np.array([[1, 1, 1]])
        run = boost_by_filtering(itertools.cycle(range(3)), A, QUARTER, 3, 5, np.random.default_rng(0), patience=40)
        assert run.kept == (5, 5, 0)
        assert run.drawn[2] == 40
        # Two hypotheses and the example that is looked at; in the second round two and the one that is kept.
        run = boost_by_filtering(itertools.cycle(range(3)), A, QUARTER, 3, 1, np.random.default_rng(0), patience=40)
        assert (run.kept, run.most_stored) == ((1, 1, 0), 3)

    def test_it_learns_a_law(self):
        law, rng = law_from_counts([1, 2, 3]), np.random.default_rng(5)
        source = iter(law.draw(rng, 200_000).tolist())
        run = boost_by_filtering(source, THREE, TENTH, 9, 200, rng, patience=3000)
        replay = boost_by_majority(GivenSequence(THREE[list(run.hypotheses)]), ones(3), TENTH, 9, law.probabilities)
        assert replay.share_lost(law.probabilities) == 0


class TestConfidence:
    def test_numbers_of_runs(self):
        for success, delta in ((0.1, 0.05), (0.5, 0.01), (0.9, 0.3)):
            assert runs_for_confidence(success, delta) == math.ceil(math.log(2 / delta) / success)
            assert fewest_runs(success, delta) == next(k for k in itertools.count(1) if (1 - success) ** k <= delta / 2)
        assert fewest_runs(HALF, HALF) == 2
        assert all_runs_fail(QUARTER, 3) == Fraction(27, 64)

    def test_sizes(self):
        for gamma, k, delta in ((0.1, 50, 0.05), (0.3, 4, 0.2)):
            assert validation_size(gamma, k, delta) == math.ceil(2 / gamma**2 * math.log(4 * k / delta))
            for epsilon in (0.02, 0.3):
                q = 1 - (math.sqrt(epsilon + gamma) - math.sqrt(epsilon)) ** 2
                assert selection_base(epsilon, gamma) == pytest.approx(q)
                needed = math.ceil(math.log(2 * (k - 1) / delta) / -math.log(q))
                assert selection_size(epsilon, gamma, k, delta) == needed
                wide = (math.sqrt(epsilon + gamma) + math.sqrt(epsilon)) ** 2 / gamma**2
                assert simple_selection_size(epsilon, gamma, k, delta) == math.ceil(
                    wide * math.log(2 * (k - 1) / delta)
                )
                bound = (1 - 0.5) ** k + (k - 1) * q**30
                assert selection_bound(0.5, k, epsilon, gamma, 30) == pytest.approx(bound)

    def test_the_worse_of_two_by_enumeration(self):
        a, b = Fraction(1, 3), Fraction(1, 5)
        for n in (1, 2, 4):
            total = sum(
                math.prod({1: a, -1: b, 0: 1 - a - b}[x] for x in draws)
                for draws in itertools.product((1, -1, 0), repeat=n)
                if sum(draws) <= 0
            )
            assert worse_is_kept(n, a, b) == total
        with pytest.raises(ValueError, match="exclude"):
            worse_is_kept(3, Fraction(2, 3), HALF)

    def test_the_choice_among_runs_by_enumeration(self):
        s, k, n, good, bad = Fraction(1, 3), 3, 4, Fraction(1, 5), HALF
        counts = {e: [math.comb(n, c) * e**c * (1 - e) ** (n - c) for c in range(n + 1)] for e in (good, bad)}
        fails = Fraction(0)
        for kinds in itertools.product((good, bad), repeat=k):
            for mistakes in itertools.product(range(n + 1), repeat=k):
                best_bad = min((c for e, c in zip(kinds, mistakes, strict=True) if e == bad), default=n + 1)
                best_good = min((c for e, c in zip(kinds, mistakes, strict=True) if e == good), default=n + 1)
                chance = math.prod(
                    (s if e == good else 1 - s) * counts[e][c] for e, c in zip(kinds, mistakes, strict=True)
                )
                fails += chance * (best_bad <= best_good)
        assert choice_fails(s, k, n, good, bad) == fails

    def test_validation_samples_are_enumerated(self):
        law = uniform_law(4)
        wrong = np.array([[True, True, False, False], [False, False, True, False]])
        # The first has the error 1/2, the second 1/4; they err on different atoms.
        assert selection_failure(law, wrong, 5, QUARTER) == worse_is_kept(5, HALF, QUARTER)
        assert selection_failure(law, wrong, 5, HALF) == 0
        assert selection_failure(law, wrong[::-1], 3, QUARTER) == worse_is_kept(3, HALF, QUARTER)
        assert fewest_mistakes([2, 0, 5, 0]) == 1

    def test_shares_out_of_range_are_refused(self):
        with pytest.raises(ValueError, match="success"):
            runs_for_confidence(0, TENTH)
        with pytest.raises(ValueError, match="delta"):
            fewest_runs(HALF, 2)
        with pytest.raises(ValueError, match="gamma"):
            validation_size(0, 3, TENTH)
        with pytest.raises(ValueError, match="n_runs"):
            selection_size(TENTH, TENTH, 1, TENTH)
        with pytest.raises(ValueError, match="whole"):
            # So small that the ball cannot say on which side of a whole number the count lies.
            validation_size(ball(TENTH).union(ball(Fraction(1, 5))), 3, TENTH)
