"""Every operation of the four arithmetics at points on both sides of 0 and at 0, against their definitions."""

from __future__ import annotations

import math
from fractions import Fraction

import flint
import numpy as np
import pytest
import sympy

from mcbook.foundation import vocabulary
from mcbook.foundation.arithmetic import EXACT, FLOATS, _exact, _through_floats, arithmetic_of
from mcbook.foundation.laws import FiniteLaw, random_probabilities, uniform_law

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
@pytest.mark.parametrize("name", OF_ONE)
def test_functions_of_one_number(kind, name):
    for point in POINTS:
        arithmetic, (given,) = arithmetic_of(KINDS[kind](point))
        assert float(getattr(arithmetic, name)(given)) == pytest.approx(OF_ONE[name](float(point)), abs=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_roots_logarithms_and_the_larger_and_smaller_of_two(kind):
    arithmetic, (quarter, two) = arithmetic_of(*map(KINDS[kind], (Fraction(1, 4), Fraction(2))))
    assert float(arithmetic.sqrt(quarter)) == pytest.approx(0.5)
    assert float(arithmetic.log(quarter)) == pytest.approx(math.log(0.25))
    for one, other in ((quarter, two), (two, quarter)):
        assert float(arithmetic.maximum(one, other)) == 2
        assert float(arithmetic.minimum(one, other)) == 0.25


def test_what_is_exact_stays_so():
    for name in ("absolute", "sign", "step"):
        assert type(getattr(EXACT, name)(Fraction(-1, 3))) is Fraction
    assert EXACT.absolute(Fraction(-1, 3)) == Fraction(1, 3)
    table = np.array([Fraction(-1, 3), 0, 2], dtype=object)
    assert EXACT.sign(table).tolist() == [-1, 0, 1]
    assert EXACT.step(table).tolist() == [0, 0, 1]
    assert EXACT.maximum(table, 0).tolist() == [0, 0, 2]
    assert EXACT.minimum(table, 0).tolist() == [Fraction(-1, 3), 0, 0]


def test_a_ball_over_0_has_every_sign_that_it_may_have():
    arithmetic, (over,) = arithmetic_of(flint.arb(0, 1))
    step, sign = arithmetic.step(over), arithmetic.sign(over)
    assert (step.contains(0), step.contains(1), step.contains(2)) == (True, True, False)
    assert sign.contains(-1)
    assert sign.contains(1)
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
    assert arithmetic.exp is sympy.exp
    assert values[1] == 1
    _, (ball, third) = arithmetic_of(flint.arb(1), Fraction(1, 3))
    assert isinstance(ball, flint.arb)
    assert third.overlaps(flint.arb(1) / 3)
    assert np.isinf(FLOATS.exp(np.array(1e4)))


def test_the_defaults_of_the_book():
    assert (vocabulary.DEFAULT_TOL, vocabulary.LOOSE_TOL, vocabulary.MARKED) == (1e-8, 1e-4, -1)


# Samples of no atoms, and others at the ends of what laws take.


def test_of_the_sample_of_size_0_there_is_one():
    law = FiniteLaw([Fraction(1, 4), Fraction(3, 4)])
    assert list(law.samples(0)) == [((0, 0), 1)]
    assert list(law.sequences(0)) == [((), 1)]
    for samples in (law.samples, law.sequences):
        with pytest.raises(ValueError, match="n_samples >= 0, got -1"):
            list(samples(-1))
    assert uniform_law(1).probabilities.tolist() == [1]
    with pytest.raises(ValueError, match="n_atoms >= 1, got 0"):
        uniform_law(0)


def test_random_probabilities_are_in_proportion_to_numbers_up_to_the_largest():
    rng, seen = np.random.default_rng(0), set()
    for _ in range(200):
        one, other = random_probabilities(rng, 2, largest=3)
        seen.add(one / other)
    assert seen == {Fraction(a, b) for a in (1, 2, 3) for b in (1, 2, 3)}


def test_a_law_draws_each_atom_as_often_as_it_is_probable():
    law = FiniteLaw([Fraction(1, 6), Fraction(0), Fraction(1, 3), Fraction(1, 2)])
    counts = np.bincount(law.draw(np.random.default_rng(1), 60_000), minlength=4)
    assert counts[1] == 0
    assert counts / 60_000 == pytest.approx([1 / 6, 0, 1 / 3, 1 / 2], abs=0.01)

    # Whole numbers below the common denominator fall between the ends of the atoms.
    class Counted:
        def integers(self, low, high, size):
            assert (low, high, size) == (0, 6, 6)
            return np.arange(6)

    assert law.draw(Counted(), 6).tolist() == [0, 2, 2, 3, 3, 3]
    smallest = Fraction(1, 2**62)
    assert FiniteLaw([smallest, 1 - smallest]).draw(np.random.default_rng(0), 1).shape == (1,)
    with pytest.raises(ValueError, match="common denominator below"):
        FiniteLaw([smallest / 2, 1 - smallest / 2]).draw(np.random.default_rng(0), 1)


def test_operations_on_single_numbers_become_such_on_arrays():
    larger = _exact(max, 2)([Fraction(1, 3), 2], [1, Fraction(5, 3)])
    assert (larger.tolist(), larger.dtype) == ([1, 2], object)
    assert _exact(abs)([-1, Fraction(-1, 2)]).tolist() == [1, Fraction(1, 2)]
    assert _through_floats(np.sqrt)([Fraction(1, 4), 4]).tolist() == [0.5, 2]
