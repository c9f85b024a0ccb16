"""Exact numbers: making them, computing with them beside the other kinds, and saying which floats are taken for them.

The four kinds of numbers and their operations are in `mcbook.foundation.arithmetic`; here is what formulas and checks
need besides, for single numbers and, where it says so, for arrays.
"""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational

import numpy as np

from mcbook.foundation.types import Array, ArrayLike, Ball, Exact, Scalar, Values


def is_exact(*values: Values) -> bool:
    """Whether all of these are ints or fractions, or arrays of them (of an integer type, or of dtype object)."""
    return all(
        value.dtype.kind in "iuO" if isinstance(value, np.ndarray) else isinstance(value, Rational) for value in values
    )


def as_fraction(value: int | Rational) -> Fraction:
    """The fraction, of Python's own integers; numpy's would overflow in it.

    >>> as_fraction(np.int64(3))
    Fraction(3, 1)
    """
    return Fraction(int(value.numerator), int(value.denominator))


def rational(array: ArrayLike) -> Exact:
    """The array with every entry an exact number: ints stay ints, and a float becomes the fraction that it is.

    This makes no float right: of one that was computed the fraction is as wrong as the float.  Use it for ints and
    fractions, `as_given` where floats are the exact inputs, `nearby_fractions` for witnesses from a solver.

    >>> rational([[Fraction(1, 2), 3]])
    array([[Fraction(1, 2), 3]], dtype=object)
    """
    return np.frompyfunc(_exact_number, 1, 1)(np.asarray(array, dtype=object))


def _exact_number(value: int | float | Fraction) -> int | Fraction:
    fraction = Fraction(value)
    return int(fraction) if fraction.denominator == 1 else fraction


def as_given(array: ArrayLike) -> Exact:
    """Floats taken as the exact inputs they are: what follows from them in fractions is exact about these very floats.

    Right for data, and for a solver's point whose objective is then computed; wrong for the value of a formula, whose
    rounding it would hide.

    >>> as_given([0.5, 3])
    array([Fraction(1, 2), 3], dtype=object)
    """
    return rational(np.asarray(array, dtype=float))


def nearby_fractions(array: ArrayLike, bits: int = 40) -> Exact:
    """The nearest multiples of 2^-bits: fractions short enough to go on computing with, next to a solver's floats.

    >>> nearby_fractions([0.3], bits=2)
    array([Fraction(1, 4)], dtype=object)
    """
    return rational(np.round(np.asarray(array, dtype=float) * 2.0**bits)) * Fraction(1, 2**bits)


def as_integers(array: ArrayLike) -> Exact:
    """The same whole numbers as Python's own integers, which know no overflow.

    >>> as_integers(np.eye(2, dtype=int))[0]
    array([1, 0], dtype=object)
    """
    return np.frompyfunc(_whole_number, 1, 1)(np.asarray(array, dtype=object))


def _whole_number(value: int | float | Fraction) -> int:
    if value != int(value):
        raise ValueError(f"expected whole numbers, got {value!r}: use rational for fractions")
    return int(value)


def as_scalar(value: Values) -> Values:
    """An array without axes as the number that it holds; anything else as it is.

    >>> as_scalar(np.array(2.5))
    np.float64(2.5)
    """
    return value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value


def ball(value: Scalar) -> Ball:
    """The number as a ball of python-flint, in which formulas with roots and logarithms keep track of their rounding.

    A float is taken as the exact number that it is.

    >>> ball(Fraction(1, 4)).sqrt()
    0.500000000000000
    """
    import flint

    fraction = Fraction(value)  # type: ignore[arg-type]  # of a Known it says that it is no one number
    return flint.arb(flint.fmpq(fraction.numerator, fraction.denominator))


def quotient(numerator: Values, denominator: Values) -> Values:
    """numerator / denominator, as a fraction when both are ints or fractions.

    >>> quotient(3, 4)
    Fraction(3, 4)
    """
    if isinstance(numerator, Rational) and isinstance(denominator, Rational):
        return as_fraction(numerator) / as_fraction(denominator)
    return numerator / denominator


def square_root(value: Values) -> Values:
    """The root: a fraction for the square of a rational number, else as numpy has it, or as the object's own method.

    >>> square_root(Fraction(9, 4)), square_root(4.0)
    (Fraction(3, 2), np.float64(2.0))
    """
    if not isinstance(value, Rational):
        return np.sqrt(value)
    fraction = as_fraction(value)
    root = Fraction(math.isqrt(fraction.numerator), math.isqrt(fraction.denominator))
    return root if root * root == fraction else math.sqrt(fraction)


def logarithm(value: Values) -> Values:
    """The natural logarithm: a float for ints and fractions, else as numpy has it, or as the object's own method.

    Of a ball or a `Known` the result is one too, so give ``ball(value)`` where the rounding of the logarithm matters.

    >>> logarithm(Fraction(1))
    0.0
    """
    if not isinstance(value, Rational):
        return np.log(value)
    fraction = as_fraction(value)
    # In two parts, as a fraction may lie outside the range of floats.
    return math.log(fraction.numerator) - math.log(fraction.denominator)


def exact_or_float(array: ArrayLike) -> Array:
    """An array of dtype object with exact entries, or of floats: what the functions that take both compute with."""
    given = np.asarray(array)
    return rational(given) if given.dtype == object else np.ascontiguousarray(given, dtype=float)
