"""Arithmetic of known numbers: what they enclose, how well, and where it ends."""

from __future__ import annotations

import math
import operator
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mcbook.foundation.proof import Known, Tier, Verdict, known
from mcbook.perceptron import best_margin, mistake_bound, squared_radius
from mcbook.perceptron.instances import tight_sample

HALF = Fraction(1, 2)
fractions = st.fractions(min_value=-50, max_value=50, max_denominator=60)


@st.composite
def numbers_inside(draw):
    """A known number with a point of its interval; the ends are fractions, or floats."""
    ends = sorted((draw(fractions), draw(fractions)))
    if draw(st.booleans()):
        ends = [float(end) for end in ends]
    share = draw(st.fractions(min_value=0, max_value=1, max_denominator=7))
    point = Fraction(ends[0]) + share * (Fraction(ends[1]) - Fraction(ends[0]))
    return Known(*ends, draw(st.sampled_from(Tier))), point


def precisely(value):
    return flint.arb(flint.fmpq(*Fraction(value).as_integer_ratio()))


def holds(interval, value):
    return Fraction(interval.lower) <= value <= Fraction(interval.upper)


@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.mul, operator.truediv])
@given(left=numbers_inside(), right=numbers_inside())
def test_every_operation_encloses_what_it_makes_of_points(operation, left, right):
    (a, x), (b, y) = left, right
    assume(operation is not operator.truediv or not b.lower <= 0 <= b.upper)
    result = operation(a, b)
    assert holds(result, operation(x, y))
    assert result.tier is min(a.tier, b.tier)
    assert holds(operation(a, y), operation(x, y))
    assume(operation is not operator.truediv or not b.lower <= 0 <= b.upper)
    assert holds(operation(x, b), operation(x, y))


@given(numbers_inside(), st.integers(0, 5))
def test_powers_and_the_absolute_value_enclose_points(pair, exponent):
    a, x = pair
    assert holds(a**exponent, x**exponent)
    assert holds(abs(a), abs(x))
    assert holds(-a, -x)


def test_even_powers_of_what_may_be_0_are_not_negative():
    assert Known(-2, 1, Tier.EXACT) ** 2 == Known(0, 4, Tier.EXACT)
    assert Known(-2, 1, Tier.EXACT) ** 3 == Known(-8, 1, Tier.EXACT)
    assert Known(2, 4, Tier.EXACT) ** -1 == Known(Fraction(1, 4), HALF, Tier.EXACT)
    assert Known(-2, 1, Tier.EXACT) ** 0 == known(1)


def test_fractions_stay_exact_and_are_not_widened():
    third = known(Fraction(1, 3))
    assert third + third + third == known(1)
    assert (1 - third) / 2 == third
    assert Known(2, 3, Tier.CERTIFIED) - 1 == Known(1, 2, Tier.CERTIFIED)
    assert 1 - Known(2, 3, Tier.CERTIFIED) == Known(-2, -1, Tier.CERTIFIED)


def test_floats_are_rounded_outward_by_one_place_at_most():
    tenth = Known(0.1, 0.1, Tier.CERTIFIED)
    total = tenth + Known(0.2, 0.2, Tier.CERTIFIED)
    assert total.lower < Fraction(0.1) + Fraction(0.2) < total.upper
    assert total.upper == math.nextafter(total.lower, math.inf)
    third = tenth / 3
    assert third.lower < Fraction(0.1) / 3 < third.upper
    assert Known(0.5, 0.5, Tier.CERTIFIED) * 2 == Known(1.0, 1.0, Tier.CERTIFIED)


def test_a_float_makes_the_result_sampled():
    assert (known(1) + 0.5).tier is Tier.SAMPLED
    assert (0.5 * known(1)).tier is Tier.SAMPLED
    assert (np.float64(0.5) * known(1)).tier is Tier.SAMPLED
    assert known(Fraction(1, 2) * known(0.5)).tier is Tier.SAMPLED


@given(numbers_inside())
def test_roots_logarithms_and_exponentials_enclose(pair):
    a, _ = pair
    for function, reference in (("sqrt", flint.arb.sqrt), ("log", flint.arb.log), ("exp", flint.arb.exp)):
        if function != "exp" and a.lower <= 0:
            continue
        result = getattr(a, function)()
        with flint.ctx.workprec(200):
            for end in map(precisely, (a.lower, a.upper)):
                assert precisely(result.lower) <= reference(end) <= precisely(result.upper)
        assert result.tier is a.tier


def test_the_root_of_a_square_is_exact_and_any_other_is_close():
    assert known(Fraction(9, 4)).sqrt() == known(Fraction(3, 2))
    assert known(Fraction(9, 4)) ** HALF == known(Fraction(3, 2))
    root = known(2).sqrt()
    assert root.lower**2 < 2 < root.upper**2
    assert root.upper - root.lower < Fraction(1, 2**63)
    assert root.tier is Tier.EXACT
    huge = known(10**700 + 1).sqrt()
    assert huge.lower**2 < 10**700 + 1 < huge.upper**2


@pytest.mark.parametrize("divisor", [Known(0, 0, Tier.EXACT), Known(-1, 1, Tier.EXACT), Known(0.0, 2.0, Tier.EXACT)])
def test_a_divisor_that_may_be_0_is_refused(divisor):
    with pytest.raises(ZeroDivisionError, match=r"known not to be 0.*know it better"):
        1 / divisor
    with pytest.raises(ZeroDivisionError, match="known not to be 0"):
        divisor**-1


def test_what_may_be_negative_has_no_root_and_no_logarithm():
    with pytest.raises(ValueError, match="known to be >= 0"):
        Known(-1, 4, Tier.EXACT).sqrt()
    with pytest.raises(ValueError, match="known to be > 0"):
        known(0).log()
    with pytest.raises(TypeError, match="whole exponent"):
        known(2) ** 0.3


def test_infinite_ends_stay_infinite():
    far = Known(1, math.inf, Tier.CERTIFIED)
    assert far + 1 == Known(2.0, math.inf, Tier.CERTIFIED)
    assert far * 0 == Known(0.0, 0.0, Tier.CERTIFIED)
    assert 1 / far == Known(0.0, 1.0, Tier.CERTIFIED)
    assert -far == Known(-math.inf, -1, Tier.CERTIFIED)
    assert (Known(1.0, 1e308, Tier.CERTIFIED) * 1000).upper == math.inf
    assert (Known(1e308, 1e308, Tier.CERTIFIED) * 1000).lower < math.inf


def test_comparisons_are_true_only_without_doubt():
    a = Known(1, 3, Tier.EXACT)
    assert a > 0
    assert a >= 1
    assert a <= 3
    assert Fraction(1, 2) < a
    assert np.int64(0) < a
    assert not a < 3
    assert not a > 1
    assert not a <= Known(2, 4, Tier.EXACT)
    assert not a >= Known(2, 4, Tier.EXACT)


def test_verdicts_tell_doubt_from_falsehood():
    a = Known(1, 3, Tier.EXACT)
    assert [a.at_most(x) for x in (3, 2, Fraction(1, 2))] == [Verdict.HOLDS, Verdict.UNDECIDED, Verdict.REFUTED]
    assert [a.at_most(1), a.below(1)] == [Verdict.UNDECIDED, Verdict.REFUTED]
    assert [a.below(x) for x in (4, 3, 0)] == [Verdict.HOLDS, Verdict.UNDECIDED, Verdict.REFUTED]


def test_arrays_are_computed_with_entry_by_entry():
    a = known(2)
    table = np.array([1, Fraction(1, 2)], dtype=object)
    assert list(a * table) == list(table * a) == [known(2), known(1)]
    assert np.sqrt(np.array([known(4)], dtype=object))[0] == known(2)
    with pytest.raises(TypeError):
        a + "1"


def test_a_formula_takes_known_numbers():
    X, y = tight_sample(3)
    best = best_margin(X, y, 3).squared
    bound = mistake_bound(squared_radius(X), best)
    assert bound == Known(squared_radius(X) / best.upper, squared_radius(X) / best.lower, best.tier)
    assert isinstance(float(bound), float)
    with pytest.raises(ValueError, match="separable"):
        mistake_bound(1, Known(0, 1, Tier.CERTIFIED))
