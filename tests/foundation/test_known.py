"""Arithmetic of known numbers: what they enclose, how well, and where it ends."""

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


def exactly(lower, upper):
    return Known(lower, upper, Tier.EXACT)


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


def test_what_is_known_of_a_value():
    """Rationals are exact; floats are samples, taken to forty bits; balls keep their radius, rounded outwards."""
    assert known(Fraction(1, 3)) == exactly(Fraction(1, 3), Fraction(1, 3))
    assert known(np.int64(7)).tier is Tier.EXACT
    assert known(-4.0) == Known(-4 - 2.0**-38, -4 + 2.0**-38, Tier.SAMPLED)
    assert known(flint.arb(1)) == exactly(math.nextafter(1, 0), math.nextafter(1, 2))
    root = known(flint.arb(2).sqrt())
    assert root.lower < math.sqrt(2) < root.upper < root.lower + 1e-14
    shown = [str(known(Fraction(*one))) for one in ((7, 3), (10**5000 + 1, 10**5000), (10**20 + 1, 3))]
    assert shown == ["7/3", "1", "3.33333e+19"]
    for bad in (math.nan, "1", None):
        with pytest.raises((TypeError, ValueError), match=r"number|NaN"):
            known(bad)
    with pytest.raises(ValueError, match="lower <= upper"):
        exactly(2, 1)
    with pytest.raises(ValueError, match="rigorous"):
        Tier.of("certain")


@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.mul, operator.truediv])
@given(left=numbers_inside(), right=numbers_inside())
def test_every_operation_encloses_what_it_makes_of_points(operation, left, right):
    (a, x), (b, y) = left, right
    assume(operation is not operator.truediv or not b.lower <= 0 <= b.upper)
    result = operation(a, b)
    assert holds(result, operation(x, y))
    assert result.tier is min(a.tier, b.tier)
    assert holds(operation(a, y), operation(x, y))
    assert holds(operation(x, b), operation(x, y))


@given(numbers_inside(), st.integers(0, 5))
def test_powers_and_the_absolute_value_enclose_points(pair, exponent):
    a, x = pair
    assert holds(a**exponent, x**exponent)
    assert holds(abs(a), abs(x))
    assert holds(-a, -x)


def test_intervals_over_0_are_no_wider_than_they_have_to_be():
    for ends, size in (((-2, 1), (0, 2)), ((-HALF, 2), (0, 2)), ((-2, -HALF), (HALF, 2)), ((1, 3), (1, 3))):
        assert abs(exactly(*ends)) == exactly(*size)
        assert exactly(*ends) ** 2 == exactly(size[0] ** 2, size[1] ** 2)
    assert exactly(-2, 1) ** 3 == exactly(-8, 1)
    assert exactly(2, 4) ** -1 == exactly(Fraction(1, 4), HALF)
    assert exactly(-2, 1) ** 0 == known(1)
    for sign in (-1, 1):
        assert known(sign) * known(3) == known(3) * known(sign) == known(3 * sign)


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
    mixed = Known(0.5, 0.5, Tier.CERTIFIED) + Fraction(1, 3)
    assert [type(end) for end in mixed.ends] == [float, float]


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
    assert known(Fraction(9, 4)).sqrt() == known(Fraction(9, 4)) ** HALF == known(Fraction(3, 2))
    root = known(2).sqrt()
    assert root.lower**2 < 2 < root.upper**2
    assert root.upper - root.lower == Fraction(1, 2**64)
    assert root.tier is Tier.EXACT
    huge = known(10**700 + 1).sqrt()
    assert huge.lower**2 < 10**700 + 1 < huge.upper**2


def test_what_is_not_known_well_enough_is_refused():
    for divisor in (exactly(0, 0), exactly(-1, 1), exactly(0.0, 2.0)):
        with pytest.raises(ZeroDivisionError, match=r"known not to be 0.*know it better"):
            1 / divisor
        with pytest.raises(ZeroDivisionError, match="known not to be 0"):
            divisor**-1
    with pytest.raises(ValueError, match="known to be >= 0"):
        exactly(-1, 4).sqrt()
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
    assert Known(-math.inf, math.inf, Tier.CERTIFIED).exp() == Known(0.0, math.inf, Tier.CERTIFIED)
    assert (Known(-1e308, 1e308, Tier.CERTIFIED) * 1000).ends == (-math.inf, math.inf)
    assert (Known(1e308, 1e308, Tier.CERTIFIED) * 1000).lower < math.inf


def test_comparisons_are_true_only_without_doubt():
    a = exactly(1, 3)
    assert all((a > 0, a >= 1, a <= 3, operator.lt(HALF, a), operator.lt(np.int64(0), a)))
    assert not any((a < 3, a > 1, a <= exactly(2, 4), a >= exactly(2, 4)))
    assert [a.at_most(x) for x in (3, 2, HALF)] == [Verdict.HOLDS, Verdict.UNDECIDED, Verdict.REFUTED]
    assert [a.at_most(1), a.below(1)] == [Verdict.UNDECIDED, Verdict.REFUTED]
    assert [a.below(x) for x in (4, 3, 0)] == [Verdict.HOLDS, Verdict.UNDECIDED, Verdict.REFUTED]


def test_arrays_and_formulas_take_known_numbers():
    a, table = known(2), np.array([1, HALF], dtype=object)
    assert list(a * table) == list(table * a) == [known(2), known(1)]
    assert np.sqrt(np.array([known(4)], dtype=object))[0] == known(2)
    with pytest.raises(TypeError):
        a + "1"
    X, y = tight_sample(3)
    best = best_margin(X, y, 3).squared
    bound = mistake_bound(squared_radius(X), best)
    assert bound == Known(squared_radius(X) / best.upper, squared_radius(X) / best.lower, best.tier)
    assert isinstance(float(bound), float)
    with pytest.raises(ValueError, match="separable"):
        mistake_bound(1, Known(0, 1, Tier.CERTIFIED))
