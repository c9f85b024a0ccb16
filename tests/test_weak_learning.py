"""Weak and strong learning: games, what rounds are worth, filtering, the choice among runs."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from mcbook import weak_learning as weak
from mcbook.boosting import FinitePool
from mcbook.boosting.algorithm.learners import GivenSequence
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.certified import NotCertified
from mcbook.weak_learning.algorithm import game as game_module
from mcbook.weak_learning.theory import binomial_at_most

HALF, QUARTER, TENTH = Fraction(1, 2), Fraction(1, 4), Fraction(1, 10)
THREE = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])


def ones(n):
    return np.ones(n, dtype=int)


FIFTH = Fraction(1, 5)
REFUSED = [
    (lambda: weak.solve_game([[1, 0]]), ""),
    (lambda: weak.solve_game([1, -1]), ""),
    (lambda: weak.solve_game([[]]), ""),
    (lambda: weak.mostly_plus_concepts(6), "multiple of 4"),
    (lambda: weak.uniform_only_pool(1), "n_bits"),
    (lambda: weak.majority_value(QUARTER, 0), "n_rounds"),
    (lambda: binomial_at_most(-1, HALF, 0), "n_draws"),
    (lambda: weak.lead_potential(QUARTER, -1, 0), "n_left"),
    (lambda: weak.lead_weight(QUARTER, -1, 0), "n_left"),
    (lambda: weak.rounds_until_perfect(0, 1), "edge"),
    (lambda: weak.rounds_by_product(-TENTH, 10), "edge"),
    (lambda: weak.rounds_by_product(FIFTH, 0), "n_samples"),
    (lambda: weak.rounds_by_majority(HALF, 10), "edge"),
    (lambda: weak.rounds_by_majority(FIFTH, 0), "n_samples"),
    (lambda: weak.boost_by_majority(FinitePool(THREE), ones(3), 0, 3), "edge"),
    (lambda: weak.vote_with_constant_step(FinitePool(THREE), ones(3), HALF, 3), "growth"),
    (lambda: weak.examples_for_strong(FIFTH, 0, HALF, HALF), "n_hypotheses"),
    (lambda: weak.examples_for_strong(FIFTH, 1, 1, HALF), "epsilon"),
    (lambda: weak.examples_for_strong(FIFTH, 1, HALF, 0), "delta"),
    (lambda: weak.unseen_error(3, 1), "n_points"),
    (lambda: weak.rounds_for_error(FIFTH, 0), "epsilon"),
    (lambda: called(edge=HALF), "edge"),
    (lambda: called(n_called=0), "n_called"),
    (lambda: weak.compressed_survivor_bound(2, 2, HALF, 4), "n_samples"),
    (lambda: weak.compressed_risk_bound(1, 1, 10, 1), "delta"),
    (lambda: weak.worse_is_kept(3, Fraction(2, 3), HALF), "exclude"),
    (lambda: weak.runs_for_confidence(0, TENTH), "success"),
    (lambda: weak.runs_for_confidence(HALF, 1), "delta"),
    (lambda: weak.fewest_runs(1, HALF), "success"),
    (lambda: weak.fewest_runs(HALF, 0), "delta"),
    (lambda: weak.validation_size(0, 3, TENTH), "gamma"),
    (lambda: weak.validation_size(HALF, 0, HALF), "n_runs"),
    (lambda: weak.validation_size(HALF, 1, 1), "delta"),
    # So small that the ball cannot say on which side of a whole number the count lies.
    (lambda: weak.validation_size(ball(TENTH).union(ball(FIFTH)), 3, TENTH), "whole"),
    (lambda: weak.selection_size(TENTH, TENTH, 1, TENTH), "n_runs"),
    (lambda: weak.simple_selection_size(HALF, FIFTH, 1, HALF), "n_runs"),
]


def called(**change):
    given = {"learner": weak.threshold_of_examples, "X": np.arange(3.0), "n_called": 2, "edge": TENTH} | change
    return weak.CalledLearner(**given, rng=np.random.default_rng(0))


@pytest.mark.parametrize(("call", "word"), REFUSED)
def test_what_is_refused(call, word):
    with pytest.raises(ValueError, match=f"expected.*{word}"):
        call()


class TestGames:
    def test_both_sides_are_the_same_fraction(self):
        rng = np.random.default_rng(0)
        for _ in range(40):
            A = rng.choice([-1, 1], tuple(rng.integers(1, 12, 2)))
            found = weak.solve_game(A)
            assert weak.best_correlation(A, found.D) == weak.least_margin(A, found.w) == found.value
            assert sum(found.D) == sum(found.w) == 1
            assert min(*found.D, *found.w) >= 0

    def test_a_solver_that_misses_the_vertex_is_not_believed(self, monkeypatch):
        right = game_module._in_floats

        def wrong(rows):
            point, value = right(rows)
            return np.eye(len(point))[0], value

        monkeypatch.setattr(game_module, "_in_floats", wrong)
        with pytest.raises(NotCertified, match="prove each other"):
            weak.solve_game(THREE)

    def test_a_grouped_pool_chooses_as_a_finite_pool_does(self):
        rng = np.random.default_rng(2)
        H = rng.choice([-1, 1], (9, 7))
        for _ in range(10):
            S = np.array([Fraction(int(a), int(b)) for a, b in rng.integers(1, 30, (7, 2))]) * rng.choice([-1, 1], 7)
            assert weak.GroupedPool(H).learn(S[:, None]).hypothesis == FinitePool(H).learn(S[:, None]).hypothesis


class TestRounds:
    def test_a_run_weighs_by_what_is_left(self):
        A = np.array([[1, 1, -1, -1], [1, -1, 1, -1]])
        run = weak.boost_by_majority(GivenSequence(A), ones(4), QUARTER, 2)
        assert run.D[1].tolist() == [weak.lead_weight(QUARTER, 0, s) / 2 for s in (1, 1, -1, -1)]
        assert run.leads.tolist() == [[0] * 4, [1, 1, -1, -1], [2, 0, 0, -2]]
        assert run.share_lost(np.full(4, QUARTER)) == Fraction(3, 4)
        assert run.totals[1] == HALF
        assert run.edges.tolist() == [0, 0]
        assert run.n_rounds == 2

    def test_labels_and_distributions_enter(self):
        rng = np.random.default_rng(3)
        H, y = rng.choice([-1, 1], (5, 6)), rng.choice([-1, 1], 6)
        P = np.array([Fraction(n, 21) for n in range(1, 7)])
        ours = weak.boost_by_majority(FinitePool(H), y, TENTH, 7, P)
        agreements = weak.boost_by_majority(FinitePool(H * y), ones(6), TENTH, 7, P)
        assert ours.hypotheses == agreements.hypotheses
        assert ours.leads.tolist() == agreements.leads.tolist()
        assert ours.share_lost(P) == weak.accounted_error(TENTH, 7, ours.totals, ours.edges)


class TestCalledLearner:
    def test_it_is_called_until_it_has_the_edge(self):
        """One of two examples teaches a hypothesis that is right on most of the weight; the other does not."""

        def right_near(x, y):
            return lambda new: np.where(new == x[0], 1, -1)

        D = np.array([Fraction(3, 4), QUARTER])
        called = weak.CalledLearner(right_near, np.array([0.0, 1.0]), 1, QUARTER, np.random.default_rng(0))
        for _ in range(40):
            places, outputs = called.learn(D)
            assert (places, outputs.tolist()) == ((0,), [1, -1])
        # Draws hit the first example three times in four.
        assert sum(called.calls) == pytest.approx(40 * 4 / 3, rel=0.2)
        with pytest.raises(ValueError, match=r"edge 2/5 within 7 calls.*keep its promise"):
            weak.CalledLearner(
                right_near, np.array([0.0, 1.0]), 1, Fraction(2, 5), np.random.default_rng(0), most_calls=7
            ).learn(D)


class TestFiltering:
    def test_what_is_kept_follows_the_weights(self):
        # After one round example 0 is behind, and one more vote cannot win it.
        A = np.array([[1, -1, -1], [-1, 1, 1]])
        rng = np.random.default_rng(4)
        source = itertools.cycle(range(3))
        run = weak.boost_by_filtering(source, A, QUARTER, 2, 300, rng)
        assert run.hypotheses == (1, 1)
        assert run.kept == (300, 300)
        # So two of three examples are kept in the last round, all that come.
        assert run.drawn == (300, 450)
        assert run.most_stored == weak.stored_items(2, 300)

    def test_a_round_without_open_examples_ends(self):
        A = np.array([[1, 1, 1]])
        run = weak.boost_by_filtering(
            itertools.cycle(range(3)), A, QUARTER, 3, 5, np.random.default_rng(0), patience=40
        )
        assert run.kept == (5, 5, 0)
        assert run.drawn[2] == 40
        # Two hypotheses and the example that is looked at; in the second round two and the one that is kept.
        run = weak.boost_by_filtering(
            itertools.cycle(range(3)), A, QUARTER, 3, 1, np.random.default_rng(0), patience=40
        )
        assert (run.kept, run.most_stored) == ((1, 1, 0), 3)


class TestConfidence:
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
        assert weak.choice_fails(s, k, n, good, bad) == fails
