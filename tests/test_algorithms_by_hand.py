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
