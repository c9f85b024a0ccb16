"""Values of the theory computed a second time from the printed formula, where other tests compare functions only."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy

import mcbook as mc


@pytest.mark.parametrize(
    ("m", "l", "d", "theta", "delta", "c"), [(5000, 6, 3, 0.4, 0.05, 0.25), (900, 2, 1, 1, 0.2, 0.5)]
)
def test_the_excess_by_rademacher_complexity(m, l, d, theta, delta, c):  # noqa: E741 - the letters of the formula
    size = math.ceil(math.log(l) / (2 * c**2 * theta**2))
    expected = 4 / ((1 - c) * theta) * math.sqrt(l * d * math.log(math.e * l * m / d) / m)
    expected += math.sqrt(math.log(size / delta) / (2 * m))
    assert float(mc.contraction_margin_excess(m, l, d, theta, delta, c)) == pytest.approx(expected, rel=1e-12)


def test_the_adversary_of_winnow_needs_so_many_attributes():
    # s (q (theta - 1) - 2^q + 2) with q = ceil(log2 theta)
    assert [mc.attributes_for_worst_case(1, theta) for theta in (2, 4, 8, 16)] == [1, 4, 15, 46]
    assert mc.attributes_for_worst_case(3, 8) == 45


def test_some_instances_need_so_many_planes():
    # C R^2 / epsilon = 10, half as many for the gap
    assert [mc.planes_needed(2, Fraction(1, 2), Fraction(1, 10), rule) for rule in ("violation", "gap")] == [10, 5]


def test_without_errors_there_is_exactly_one_best_pruning():
    for found in (mc.optimal_prunings_bound(3, 0), mc.optimal_prunings_bound(0, 3)):
        assert type(found) is int
        assert found == 1


def test_before_the_first_round_all_odds_are_even():
    assert mc.squared_votes([], np.empty((0, 3))).tolist() == [1, 1, 1]


def test_exact_scores_have_the_objectives_of_floats():
    scores, signs, y = np.array([[0.5, -1.0, 0.25], [2.0, 0.0, -0.5]]), np.array([[1, -1, 1], [-1, 1, 1]]), [0, 2]
    exact = np.frompyfunc(Fraction, 1, 1)(scores)
    assert float(mc.pair_objective(exact, signs)) == pytest.approx(mc.pair_objective(scores, signs))
    assert float(mc.mean_margin_objective(exact, signs)) == pytest.approx(mc.mean_margin_objective(scores, signs))
    assert float(mc.ranking_objective(exact, y)) == pytest.approx(mc.ranking_objective(scores, y))
    assert float(mc.ranking_loss(exact[0], 1)) == pytest.approx(mc.ranking_loss(scores[0], 1))


def test_a_round_without_mistakes_leaves_no_share_of_small_margins():
    found = mc.ranking_risk_bound(3, [0.0], [1.0], 0.001, 0.5, 0.05, 10_000)
    assert found == pytest.approx(4 * 3 / 0.5 * 0.001 + math.sqrt(math.log(20) / 20_000))


def test_symbols_stay_in_the_sum_that_was_written():
    x, y = sympy.symbols("x y")
    assert mc.log_sum_exp([x, y]) == sympy.log(sympy.exp(x) + sympy.exp(y))
    assert mc.log_sum_exp([x]) == sympy.log(sympy.exp(x))
