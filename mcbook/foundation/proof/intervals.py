"""Arithmetic of intervals whose ends are exact, or floats that are rounded outward.

Every operation is computed in fractions first.  Only where an end of an operand is a float is the result rounded to
floats, the lower end down and the upper end up, so that the true result never leaves the interval.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

Number: TypeAlias = int | Fraction | float
Interval: TypeAlias = tuple[Number, Number]

# Roots of fractions are enclosed to this many binary digits.
_ROOT_BITS = 64


def add(a: Interval, b: Interval) -> Interval:
    return _outward(_plus(a[0], b[0]), _plus(a[1], b[1]), (*a, *b))


def negate(a: Interval) -> Interval:
    return -a[1], -a[0]


def multiply(a: Interval, b: Interval) -> Interval:
    products = [_times(x, y) for x, y in itertools.product(a, b)]
    return _outward(min(products), max(products), (*a, *b))


def divide(a: Interval, b: Interval) -> Interval:
    if b[0] <= 0 <= b[1]:
        raise ZeroDivisionError(
            f"expected a divisor that is known not to be 0, got one that lies in [{b[0]}, {b[1]}]: know it better first"
        )
    quotients = [_over(x, y) for x, y in itertools.product(a, b)]
    return _outward(min(quotients), max(quotients), (*a, *b))


def power(a: Interval, exponent: int) -> Interval:
    if exponent < 0:
        return divide((1, 1), power(a, -exponent))
    # As large as both ends may be, an even power comes down to 0 between ends of different signs.
    powers = [_exact(end) ** exponent for end in a]
    powers += [Fraction(0)] if exponent and exponent % 2 == 0 and a[0] <= 0 <= a[1] else []
    return _outward(min(powers), max(powers), a)


def absolute(a: Interval) -> Interval:
    if a[0] >= 0:
        return a
    return negate(a) if a[1] <= 0 else (0, max(-a[0], a[1]))


def square_root(a: Interval) -> Interval:
    if a[0] < 0:
        raise ValueError(f"expected a number known to be >= 0, got one in [{a[0]}, {a[1]}]: it may have no root")
    return _outward(_root(a[0])[0], _root(a[1])[1], a)


def logarithm(a: Interval) -> Interval:
    if a[0] <= 0:
        raise ValueError(f"expected a number known to be > 0, got one in [{a[0]}, {a[1]}]: it may have no logarithm")
    return _rising(math.log, "log", a)


def exponential(a: Interval) -> Interval:
    return _rising(math.exp, "exp", a)


# What two ends make: a fraction, or infinity as the float that it is.


def _exact(end: Number) -> Number:
    return end if isinstance(end, float) and math.isinf(end) else Fraction(end)


def _plus(x: Number, y: Number) -> Number:
    return _exact(x) + _exact(y)


def _times(x: Number, y: Number) -> Number:
    # The end 0 of an interval stays 0 however far the other interval reaches.
    return Fraction(0) if x == 0 or y == 0 else _exact(x) * _exact(y)


def _over(x: Number, y: Number) -> Number:
    return _times(x, Fraction(0) if math.isinf(y) else 1 / Fraction(y))


def _root(end: Number) -> Interval:
    """Fractions below and above the root; equal where it is rational."""
    if isinstance(end, float) and math.isinf(end):
        return end, end
    fraction = Fraction(end)
    root = Fraction(math.isqrt(fraction.numerator), math.isqrt(fraction.denominator))
    if root * root == fraction:
        return root, root
    # sqrt(n / d) = sqrt(n d 4^b) / (d 2^b), whose numerator lies between two neighbouring integers.
    below = math.isqrt(fraction.numerator * fraction.denominator << 2 * _ROOT_BITS)
    scale = fraction.denominator << _ROOT_BITS
    return Fraction(below, scale), Fraction(below + 1, scale)


def _rising(of_infinity: Callable[[float], float], name: str, a: Interval) -> Interval:
    """A rising function of both ends, by balls that keep track of their rounding."""
    import flint

    def enclosed(end: Number) -> Interval:
        if isinstance(end, float) and math.isinf(end):
            return of_infinity(end), of_infinity(end)
        fraction = Fraction(end)
        return ball_ends(getattr(flint.arb(flint.fmpq(fraction.numerator, fraction.denominator)), name)())

    return enclosed(a[0])[0], enclosed(a[1])[1]


def ball_ends(ball: object) -> tuple[float, float]:
    """The end points of a python-flint ball, rounded outward to floats."""
    lower, upper = float(ball.lower()), float(ball.upper())  # type: ignore[attr-defined]  # flint carries no types
    return math.nextafter(lower, -math.inf), math.nextafter(upper, math.inf)


def _outward(lower: Number, upper: Number, ends: tuple[Number, ...]) -> Interval:
    if not any(isinstance(end, float) for end in ends):
        return lower, upper
    return _down(lower), -_down(-upper)


def _down(value: Number) -> float:
    """The largest float that is not above the value."""
    try:
        nearest = float(value)
    except OverflowError:
        return sys.float_info.max if value > 0 else -math.inf
    # Python compares floats with fractions exactly.
    return nearest if nearest <= value else math.nextafter(nearest, -math.inf)
