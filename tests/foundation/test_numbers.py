"""Exact numbers: what is kept exact, what is refused, and where floats begin."""

import math
from fractions import Fraction

import flint
import numpy as np
import pytest

from mcbook.foundation.numbers import (
    as_fraction,
    as_given,
    as_integers,
    as_scalar,
    ball,
    exact_or_float,
    is_exact,
    logarithm,
    nearby_fractions,
    quotient,
    rational,
    square_root,
)
from mcbook.foundation.proof import Known, Tier, known


def test_exact_is_what_has_no_float_in_it():
    assert is_exact(1, Fraction(1, 2), np.int64(3), np.array([1, 2]), np.array([Fraction(1, 2)], dtype=object))
    assert not any(is_exact(*values) for values in ((1, 0.5), (np.array([0.5]),), (flint.arb(1),)))
    assert exact_or_float(np.array([1, Fraction(1, 2)], dtype=object)).tolist() == [1, Fraction(1, 2)]
    assert exact_or_float(np.array([1], dtype=np.float32)).dtype == exact_or_float([1, 2]).dtype == np.float64
    assert not isinstance(as_scalar(np.array(1.5)), np.ndarray)
    assert as_scalar("as it is") == "as it is"


def test_fractions_are_made_of_pythons_integers():
    """So that they do not overflow where numpy's would."""
    largest = np.int64(2**62)
    assert as_fraction(largest) * 4 == 2**64
    assert type(rational(np.array([largest]))[0]) is int
    assert as_integers(np.array([[largest]]))[0, 0] * 4 == 2**64
    assert quotient(largest, np.int64(3)) * 3 * 4 == 2**64
    assert as_integers([2.0, Fraction(4, 2)]).tolist() == [2, 2]
    with pytest.raises(ValueError, match=r"whole numbers, got 0.5"):
        as_integers([0.5])


def test_floats_as_given_are_the_binary_fractions_that_they_are():
    assert as_given([0.1]).tolist() == [Fraction(3602879701896397, 36028797018963968)]
    assert nearby_fractions([0.1], bits=3).tolist() == [Fraction(1, 8)]
    assert abs(nearby_fractions([math.pi])[0] - Fraction(math.pi)) <= Fraction(1, 2**41)


def test_quotients_roots_and_logarithms_stay_exact_where_they_can():
    assert (quotient(1, 3), quotient(1.0, 4)) == (Fraction(1, 3), 0.25)
    assert quotient(1, Known(2, 4, Tier.CERTIFIED)) == Known(Fraction(1, 4), Fraction(1, 2), Tier.CERTIFIED)
    assert square_root(np.int64(9)) == 3
    assert type(square_root(np.int64(9))) is Fraction
    assert square_root(2) == math.sqrt(2)
    assert square_root(known(Fraction(1, 4))) == known(Fraction(1, 2))
    assert square_root(ball(4)).contains(2)
    assert square_root(np.array([4.0, 9.0])).tolist() == [2, 3]
    assert logarithm(Fraction(1, 8)) == pytest.approx(-3 * math.log(2), rel=1e-15)
    assert logarithm(Fraction(1, 10**400)) == pytest.approx(-400 * math.log(10))
    assert logarithm(ball(Fraction(1))).contains(0)
    assert logarithm(known(2)).lower < math.log(2) < logarithm(known(2)).upper
    assert logarithm(np.array([1.0])).tolist() == [0]
