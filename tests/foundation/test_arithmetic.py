"""Every operation of the four arithmetics at points on both sides of 0 and at 0, against their definitions."""

import math
from fractions import Fraction

import flint
import numpy as np
import pytest
import sympy

from mcbook.foundation.arithmetic import EXACT, FLOATS, arithmetic_of

POINTS = [Fraction(-5, 2), Fraction(0), Fraction(3, 4)]
OF_ONE = {
    "exp": math.exp,
    "log1pexp": lambda x: math.log(1 + math.exp(x)),
    "expit": lambda x: 1 / (1 + math.exp(-x)),
    "absolute": abs,
    "sign": lambda x: (x > 0) - (x < 0),
    "step": lambda x: int(x > 0),
}
KINDS = {
    "floats": float,
    "exact": Fraction,
    "symbols": lambda x: sympy.Rational(x.numerator, x.denominator),
    "balls": lambda x: flint.arb(flint.fmpq(x.numerator, x.denominator)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_operation(kind):
    for name, function in OF_ONE.items():
        for point in POINTS:
            arithmetic, (given,) = arithmetic_of(KINDS[kind](point))
            wanted = pytest.approx(function(float(point)), abs=1e-14)
            assert float(getattr(arithmetic, name)(given)) == wanted, (name, point)
    arithmetic, (quarter, two) = arithmetic_of(*map(KINDS[kind], (Fraction(1, 4), Fraction(2))))
    assert float(arithmetic.sqrt(quarter)) == pytest.approx(0.5)
    assert float(arithmetic.log(quarter)) == pytest.approx(math.log(0.25))
    for one, other in ((quarter, two), (two, quarter)):
        assert float(arithmetic.maximum(one, other)) == 2
        assert float(arithmetic.minimum(one, other)) == 0.25


def test_what_is_exact_stays_so():
    for name in ("absolute", "sign", "step"):
        assert type(getattr(EXACT, name)(Fraction(-1, 3))) is Fraction
    table = np.array([Fraction(-1, 3), 0, 2], dtype=object)
    assert EXACT.absolute(table).tolist() == [Fraction(1, 3), 0, 2]
    assert EXACT.sign(table).tolist() == [-1, 0, 1]
    assert EXACT.step(table).tolist() == [0, 0, 1]
    assert EXACT.maximum(table, 0).tolist() == [0, 0, 2]
    assert EXACT.minimum(table, 0).tolist() == [Fraction(-1, 3), 0, 0]


def test_a_ball_over_0_has_every_sign_that_it_may_have():
    arithmetic, (over,) = arithmetic_of(flint.arb(0, 1))
    step, sign = arithmetic.step(over), arithmetic.sign(over)
    assert (step.contains(0), step.contains(1), step.contains(2)) == (True, True, False)
    assert (sign.contains(-1), sign.contains(1)) == (True, True)
    assert float(arithmetic.step(flint.arb(0))) == 0
    assert float(arithmetic.maximum(2, flint.arb(1))) == 2
    assert float(arithmetic.minimum(flint.arb(1), 2)) == 1


def test_one_number_decides_in_which_arithmetic_all_are_taken():
    assert arithmetic_of(Fraction(1), 2)[0] is EXACT
    assert [type(value) for value in arithmetic_of(1, np.int64(2))[1]] == [Fraction, Fraction]
    assert arithmetic_of(Fraction(1), 2.0)[0] is FLOATS
    assert arithmetic_of(np.array([1]), 2)[0] is FLOATS
    assert arithmetic_of(np.array([1], dtype=object), 2)[0] is EXACT
    arithmetic, values = arithmetic_of(sympy.Symbol("x"), 1)
    assert (arithmetic.exp, values[1]) == (sympy.exp, 1)
    _, (ball, third) = arithmetic_of(flint.arb(1), Fraction(1, 3))
    assert isinstance(ball, flint.arb)
    assert third.overlaps(flint.arb(1) / 3)
    assert np.isinf(FLOATS.exp(np.array(1e4)))
