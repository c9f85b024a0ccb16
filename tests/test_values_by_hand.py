"""Values of the theory computed a second time from the printed formula, where other tests compare functions only."""

from __future__ import annotations

import math
from fractions import Fraction

import flint
import numpy as np
import pytest
import sympy

import mcbook as mc
from mcbook.boosting.theory import agreements_of


@pytest.mark.parametrize(
    ("m", "l", "d", "theta", "delta", "c"), [(5000, 6, 3, 0.4, 0.05, 0.25), (900, 2, 1, 1, 0.2, 0.5)]
)
def test_the_excess_by_rademacher_complexity(m, l, d, theta, delta, c):  # noqa: E741 - the letters of the formula
    size = math.ceil(math.log(l) / (2 * c**2 * theta**2))
    expected = 4 / ((1 - c) * theta) * math.sqrt(l * d * math.log(math.e * l * m / d) / m)
    expected += math.sqrt(math.log(size / delta) / (2 * m))
    assert float(mc.contraction_margin_excess(m, l, d, theta, delta, c)) == pytest.approx(expected, rel=1e-12)


def test_some_instances_need_so_many_planes():
    # C R^2 / epsilon = 10, half as many for the gap
    assert [mc.planes_needed(2, Fraction(1, 2), Fraction(1, 10), rule) for rule in ("violation", "gap")] == [10, 5]


def test_before_the_first_round_all_odds_are_even():
    assert mc.squared_votes([], np.empty((0, 3))).tolist() == [1, 1, 1]


def test_exact_scores_have_the_objectives_of_floats():
    scores, signs, y = np.array([[0.5, -1.0, 0.25], [2.0, 0.0, -0.5]]), np.array([[1, -1, 1], [-1, 1, 1]]), [0, 2]
    for kind in (Fraction, flint.arb):
        exact = np.frompyfunc(kind, 1, 1)(scores)
        assert float(mc.pair_objective(exact, signs)) == pytest.approx(mc.pair_objective(scores, signs))
        assert float(mc.mean_margin_objective(exact, signs)) == pytest.approx(mc.mean_margin_objective(scores, signs))
        assert float(mc.ranking_objective(exact, y)) == pytest.approx(mc.ranking_objective(scores, y))
        assert float(mc.ranking_loss(exact[0], 1)) == pytest.approx(mc.ranking_loss(scores[0], 1))


def test_fractions_have_the_exponential_losses_of_floats():
    expected = mc.expected_exponential_loss(0.75, 0.5)
    assert expected == pytest.approx(0.75 * math.exp(-0.5) + 0.25 * math.exp(0.5))
    assert mc.expected_exponential_loss(Fraction(3, 4), Fraction(1, 2)) == pytest.approx(expected)
    assert float(mc.expected_exponential_loss(0.75, flint.arb(0.5))) == pytest.approx(expected)
    assert mc.mass_bound(Fraction(3, 4), 1, Fraction(1, 2)) == pytest.approx(mc.mass_bound(0.75, 1.0, 0.5))
    assert agreements_of([2, -1, 1, -1], [1, 1, 0, -1]).tolist() == [1, -1, 0, 1]


def test_margins_of_codes_by_their_formulas():
    m, l, d, theta, delta = 5000, 6, 3, 0.4, 0.05  # noqa: E741 - the letters of the formula
    logs = math.log(2 * math.e * l * m / d) * math.log(math.e * l**2 * m / d)
    confidence = math.log(9 * math.log(l) / (delta * theta**2))
    assert mc.code_margin_excess(m, l, d, theta, delta) == pytest.approx(
        math.sqrt(8 / m * (confidence + 9 * d / theta**2 * logs))
    )
    confidence = math.log(16 * math.log(l) / (delta * theta**2))
    assert mc.source_margin_excess(m, l, d, theta, delta) == pytest.approx(
        16 * math.sqrt(confidence / (8 * m) + 2 * d / (m * theta**2) * logs)
    )
    assert mc.round_factor(0.2, 0.5) == pytest.approx(2 * math.sqrt(0.2**0.5 * 0.8**1.5))
    assert mc.margin_share_bound(3, [0.5], [2.0], 0.25) == pytest.approx(math.exp(0.5))
    assert float(mc.nearest_eta(Fraction(5, 2), Fraction(1, 10), 7)) == pytest.approx(mc.nearest_eta(2.5, 0.1, 7))
    # (k - 1) (share + 2 (a + b) / rho + sqrt(ln(1 / delta) / (2 m)))
    assert mc.one_rival_bound(0.1, 0.01, 0.02, 0.5, 3, 0.05, 10_000) == pytest.approx(
        2 * (0.1 + 2 * 0.03 / 0.5 + math.sqrt(math.log(20) / 20_000))
    )


def test_exact_numbers_are_known_with_their_rounding():
    exact = (1000, 3, 2, Fraction(1, 2), Fraction(1, 20))
    for found in (mc.code_margin_excess(*exact), mc.sloppy_cover_tail(100, Fraction(1, 10), 10**4)):
        assert isinstance(found, flint.arb)


def test_a_round_without_mistakes_leaves_no_share_of_small_margins():
    found = mc.ranking_risk_bound(3, [0.0], [1.0], 0.001, 0.5, 0.05, 10_000)
    assert found == pytest.approx(4 * 3 / 0.5 * 0.001 + math.sqrt(math.log(20) / 20_000))


def test_symbols_stay_in_the_sum_that_was_written():
    x, y = sympy.symbols("x y")
    assert mc.log_sum_exp([x, y]) == sympy.log(sympy.exp(x) + sympy.exp(y))
    assert mc.log_sum_exp([x]) == sympy.log(sympy.exp(x))
