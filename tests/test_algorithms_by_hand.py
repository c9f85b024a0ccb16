"""Steps of algorithms on cases small enough for a pencil, where a wrong step would cost no more than time later on."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from mcbook.boosting import FinitePool
from mcbook.boosting.algorithm.samme import run_samme
from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.proof.exact import ball
from mcbook.output_code_errors import worst_error
from mcbook.output_code_errors.algorithm.worst_case import _best_mixture
from mcbook.output_code_margins import ReluctantLearner, adaboost_mo, column_runs
from mcbook.output_codes import check_code, decoding_scores
from mcbook.structured.algorithm.lbfgs import _MOST_TRIALS, _line_search
from mcbook.svm_solvers import Problem
from mcbook.svm_solvers.algorithm.ascent import WeightRun


def test_a_step_that_is_too_long_is_halved_until_it_gains():
    """25 w^2 from w = 1 along the steepest descent: the best length is 1/50, and only lengths below 1/25 gain."""
    length, value, gradient, trials = _line_search(
        lambda w: (25.0 * float(w @ w), 50.0 * w), np.array([1.0]), 25.0, np.array([50.0]), np.array([-50.0])
    )
    assert (length, trials) == (1 / 32, 6)
    assert value == pytest.approx(25 * (1 - 50 / 32) ** 2)
    assert gradient == pytest.approx([50 * (1 - 50 / 32)])


def test_a_step_that_is_too_short_is_doubled():
    length, _, _, trials = _line_search(
        lambda w: (0.005 * float(w @ w), 0.01 * w), np.array([1.0]), 0.005, np.array([0.01]), np.array([-0.01])
    )
    assert length == 2.0 ** (trials - 1) > 1


def test_where_no_length_gains_the_search_is_given_up_after_its_trials():
    tried = []

    def rising(w):
        tried.append(float(w[0]))
        return 1.0 + abs(float(w[0])), np.sign(w)

    assert _line_search(rising, np.array([0.0]), 1.0, np.array([1.0]), np.array([-1.0])) is None
    assert tried == [-(0.5**n) for n in range(_MOST_TRIALS)]


@pytest.mark.parametrize(
    ("costs", "wrong", "budget", "error", "shares"),
    [
        ([0, 4], [False, True], 1, Fraction(1, 4), [Fraction(3, 4), Fraction(1, 4)]),
        ([0, 4], [True, True], 1, 1, [1, 0]),
        ([0, 4, 2], [False, True, True], 1, Fraction(1, 2), [Fraction(1, 2), 0, Fraction(1, 2)]),
        ([2, 3], [True, True], 1, -1, [0]),
    ],
)
def test_the_worst_mixture_within_a_budget(costs, wrong, budget, error, shares):
    found = _best_mixture([Fraction(cost) for cost in costs], np.array(wrong), Fraction(budget))
    assert found == (error, shares)


def test_the_smaller_and_the_larger_of_two_balls():
    arithmetic, (x, y) = arithmetic_of(ball(1), 2)
    assert arithmetic.minimum(x, y) == 1
    assert arithmetic.maximum(x, y) == 2
    assert arithmetic.minimum(3, y) == 2
    assert arithmetic.maximum(3, y) == 3


def test_an_ascent_begins_with_all_classes_of_all_examples_listed():
    rng = np.random.default_rng(0)
    run = WeightRun(Problem.checked(rng.normal(size=(5, 2)), rng.integers(0, 3, 5), 3, 1.0))
    run.begin()
    assert run.starts.tolist() == [0, 3, 6, 9, 12, 15]
    assert run.listed.tolist() == 5 * [0, 1, 2]
    assert (run.primal, run.dual) == (5, 0)


def test_a_budget_that_only_pays_for_the_zeros_buys_no_mistake():
    M = [[1, 1, 0], [-1, 0, 1], [0, -1, -1]]
    worst = worst_error(M, Fraction(1, 3))
    assert worst.error.lower == 0
    assert sum(worst.shares) == 1


def test_entries_0_have_no_part_in_margins_that_break_ties():
    # Distances 1/2 and 2, margins 2 and -1 of 3, a fifth of which is added.
    scores = decoding_scores([[1.0, 1.0, 1.0]], [[1, 1, 0], [-1, 0, 0]], ties="margin")
    assert scores[0] == pytest.approx([-1 / 2 + 2 / 15, -2 - 1 / 15])


def test_codes_with_equal_columns_are_boosted():
    M, y, H = np.array([[1, 1], [-1, -1]]), np.array([0, 1]), np.array([[[1, 1], [-1, -1]]])
    assert adaboost_mo(FinitePool(H), M, y, 3).ending == "perfect"
    assert [run.ending for run in column_runs(lambda rows: FinitePool(H[:, rows, :1]), M, y, 3)] == ["perfect"] * 2


def test_a_code_of_fractions_stays_one():
    M = np.array([[Fraction(1, 2), Fraction(1)], [Fraction(-1), Fraction(-1, 3)]])
    assert check_code(M).tolist() == M.tolist()
    assert check_code(M).dtype == object
    assert check_code([[2, 1], [-1, -1]]).dtype == float


def test_a_learner_that_may_just_be_wrong_once_is():
    outputs = ReluctantLearner(0.25).learn(np.full((1, 4), 0.25)).outputs
    assert outputs.tolist() == [[-1, 1, 1, 1]]
    outputs = ReluctantLearner(0.2).learn(np.array([[0.3, -0.3, 0.4]])).outputs
    assert outputs.tolist() == [[-1, -1, 1]]


def test_without_a_question_samme_makes_no_round():
    assert run_samme([[1.0], [1.0], [1.0]], [0, 0, 1], 2, 3).n_rounds == 0
