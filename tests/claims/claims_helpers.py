"""What the claims of the tests are about."""

from fractions import Fraction

HALF = Fraction(1, 2)


def bound(value):
    return value
