"""Structured margins: rescalings, chains, listed problems, their duals."""

from fractions import Fraction

import numpy as np
import pytest
from structured_problems import float_problem

from benchmarks import structured_race
from mcbook.foundation.pages import measured
from mcbook.structured import (
    Scores,
    chains,
    structures,
)
from mcbook.structured_margins import (
    chain_problem,
    digit_sequences,
    enumerated_problem,
    most_violated_margin,
    planes_bound,
    planes_needed,
    rounds_bound,
)
from mcbook.structured_margins.algorithm.chains import cost_levels
from mcbook.structured_margins.theory import frank_wolfe_step, planes_of


class TestTheory:
    @pytest.mark.parametrize("epsilon", [0, -1, float("nan")])
    def test_an_epsilon_that_is_not_positive_is_refused(self, epsilon):
        for bound in (planes_bound, rounds_bound):
            arguments = (1, 1, 1) if bound is planes_bound else (1, 1, 1, 1)
            with pytest.raises(ValueError, match="epsilon > 0"):
                bound(*arguments, epsilon)

    def test_words_and_ranges_are_checked(self):
        with pytest.raises(ValueError, match="rescaling"):
            planes_of([1], [[0]], "both")
        with pytest.raises(ValueError, match="epsilon <= 4 C R"):
            planes_bound(1, 1, 1, 5)
        with pytest.raises(ValueError, match="rule"):
            planes_needed(1, 1, 1, "luck")


class TestInference:
    @pytest.mark.parametrize("weight", [[1.0, -1.0], [1.0], [1.0, np.nan]])
    def test_weights_of_sequences_are_checked(self, weight):
        data = structures([[1.0], [-1.0]], chains([1, 1]))
        with pytest.raises(ValueError, match="weight"):
            chain_problem(data, np.array([0, 1]), 2, C=1.0, weight=np.array(weight))

    def test_weights_of_exact_sequences_stay_exact(self):
        data = structures(np.array([[1], [-1]], dtype=object), chains([1, 1]))
        weight = np.array([Fraction(1, 3), Fraction(2)])
        problem = chain_problem(data, np.array([0, 1]), 2, C=1, weight=weight)
        assert problem.primal(np.zeros(problem.n_features, dtype=int) + Fraction(0)) == Fraction(7, 3)

    def test_large_whole_costs_are_not_taken_for_floats(self):
        steps, unit = cost_levels(np.array([[0, 2**60 + 1], [2**61 + 2, 0]], dtype=object))
        assert (steps.tolist(), unit) == ([[0, 1], [2, 0]], 2**60 + 1)

    def test_an_asymmetric_cost_has_the_right_label_first(self):
        cost = np.array([[0.0, 5.0], [1.0, 0.0]])
        zero = Scores(np.zeros((1, 2)), np.zeros((2, 2)))
        assert most_violated_margin(zero, chains([1]), np.array([0]), cost).values.tolist() == [5]
        assert most_violated_margin(zero, chains([1]), np.array([1]), cost).values.tolist() == [1]


class TestEnumerated:
    def test_planes_of_a_chain_are_those_of_its_listed_problem(self):
        rng = np.random.default_rng(2)
        for rescaling in ("margin", "slack"):
            problem = float_problem(rescaling=rescaling)
            listed = problem.listed()
            for _ in range(5):
                w = rng.normal(size=problem.n_features)
                (b, G), (c, H) = problem.planes(w), listed.planes(w)
                assert b - G @ w == pytest.approx(c - H @ w)
                assert problem.primal(w) == pytest.approx(listed.primal(w))
                total, gradient = problem.total_plane(w)
                assert total == pytest.approx(b.sum())
                assert gradient == pytest.approx(G.sum(axis=0))

    def test_the_own_plane_is_needed_and_offsets_are_not_negative(self):
        with pytest.raises(ValueError, match=r"plane \(0, 0\)"):
            enumerated_problem([np.array([1.0])], [np.array([[1.0]])], 1.0)
        with pytest.raises(ValueError, match="offsets >= 0"):
            enumerated_problem([np.array([0.0, -1.0])], [np.array([[0.0], [1.0]])], 1.0)
        with pytest.raises(ValueError, match="C > 0"):
            enumerated_problem([np.array([0.0])], [np.array([[0.0]])], 0)


def test_sequences_of_digits_follow_their_rule():
    data = digit_sequences(np.random.default_rng(0), 20, 5)
    steps = np.diff(np.array(data.labels), axis=1) % 10
    assert set(np.unique(steps)) == {1, 2, 5}
    assert [len(x) for x in data.apart().inputs] == [1] * 100
    test = digit_sequences(np.random.default_rng(0), 20, 5, test=True)
    assert not {x.tobytes() for x in data.data.X} & {x.tobytes() for x in test.data.X}


def test_the_race_is_recorded_for_the_chapter(tmp_path):
    target = tmp_path / "race.json"
    assert structured_race.record(target, 6, 0.2) == "race.json"
    kept = measured("structured_gap_against_time")["curves"]
    for curve in kept.values():
        assert curve["seconds"] == sorted(curve["seconds"])
        assert curve["gap"][-1] <= 1e-3 < curve["gap"][0]


def test_steps_and_bounds_by_hand():
    assert (frank_wolfe_step(1, 0), frank_wolfe_step(1.0, 4.0)) == (1, 0.25)
    assert (planes_bound(1, 1, 5, Fraction(1, 2)), planes_bound(1, 1, 4, Fraction(1, 2), "gap")) == (33, 16)
