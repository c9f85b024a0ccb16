"""Numbers together with how well they are known.

They are computed with like other numbers: the ends are those of interval arithmetic, rounded outward where they are
floats, and the tier is the weaker one of what went in.  A plain float that goes in is sampled, and so is the result.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

from mcbook.foundation.proof import intervals
from mcbook.foundation.proof.intervals import Interval, Number

# Plain floating point carries no proof.  A float is taken to be right to this relative accuracy, far more than the
# rounding of the short computations it is used for; a comparison closer than that is answered 'undecided'.
FLOAT_ACCURACY = 2.0**-40


class Tier(enum.IntEnum):
    """How strong a check is; a larger value is a stronger tier."""

    SAMPLED = 1
    STATISTICAL = 2
    CERTIFIED = 3
    EXACT = 4
    RIGOROUS = 5

    @property
    def word(self) -> str:
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> Tier:
        try:
            return cls[word.upper()]
        except KeyError:
            raise ValueError(f"unknown tier {word!r}: expected one of {', '.join(t.word for t in cls)}") from None


class Verdict(enum.Enum):
    """What a comparison of known numbers says."""

    HOLDS = "holds"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Known:
    """A number that lies in ``[lower, upper]``, and the tier of that knowledge.

    ``<``, ``<=``, ``>`` and ``>=`` are true where the ends leave no doubt and false otherwise, as for the balls of
    python-flint, so ``not a <= b`` does not mean ``a > b``; `at_most` and `below` tell doubt from falsehood.  ``==``
    asks for the same ends and tier.

    >>> print(1 / (4 * Known(2, 4, Tier.CERTIFIED)))
    0.09375
    """

    lower: Number
    upper: Number
    tier: Tier

    def __post_init__(self) -> None:
        # A NaN compares false with everything, so it is caught here too.
        if not self.lower <= self.upper:
            raise ValueError(f"a known number needs lower <= upper, got [{self.lower}, {self.upper}]")

    def __str__(self) -> str:
        # A fraction with many digits tells a reader less than its decimals.
        if self.lower == self.upper and isinstance(self.lower, Rational):
            size = self.lower.numerator.bit_length() + self.lower.denominator.bit_length()
            if size < 60 and len(str(self.lower)) <= 15:
                return str(self.lower)
        middle = float(self.lower + self.upper) / 2
        # So little of what a solver found is its rounding, which differs from machine to machine.
        rounding = self.tier < Tier.EXACT and abs(middle) < 1e-6
        return f"{middle:.1g}" if rounding else f"{middle:.6g}"

    @property
    def middle(self) -> float:
        return float(self.lower) if self.lower == self.upper else float(self.lower + self.upper) / 2

    def __float__(self) -> float:
        return self.middle

    @property
    def ends(self) -> Interval:
        return self.lower, self.upper

    def __add__(self, other: object) -> Known:
        return self._with(other, intervals.add)

    __radd__ = __add__

    def __sub__(self, other: object) -> Known:
        return self._with(other, lambda a, b: intervals.add(a, intervals.negate(b)))

    def __rsub__(self, other: object) -> Known:
        return self._with(other, lambda a, b: intervals.add(b, intervals.negate(a)))

    def __mul__(self, other: object) -> Known:
        return self._with(other, intervals.multiply)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Known:
        return self._with(other, intervals.divide)

    def __rtruediv__(self, other: object) -> Known:
        return self._with(other, lambda a, b: intervals.divide(b, a))

    def __pow__(self, exponent: Any) -> Known:
        if exponent == Fraction(1, 2):
            return self.sqrt()
        if not isinstance(exponent, Integral):
            raise TypeError(f"expected a whole exponent, or 1/2 for the root, got {exponent!r}: use exp and log")
        return Known(*intervals.power(self.ends, int(exponent)), self.tier)

    def __neg__(self) -> Known:
        return Known(*intervals.negate(self.ends), self.tier)

    def __pos__(self) -> Known:
        return self

    def __abs__(self) -> Known:
        return Known(*intervals.absolute(self.ends), self.tier)

    # numpy's functions of the same names call these for arrays of dtype object.

    def sqrt(self) -> Known:
        return Known(*intervals.square_root(self.ends), self.tier)

    def log(self) -> Known:
        return Known(*intervals.logarithm(self.ends), self.tier)

    def exp(self) -> Known:
        return Known(*intervals.exponential(self.ends), self.tier)

    def at_most(self, other: object) -> Verdict:
        """Whether this number is <= the other."""
        right = known(other)
        if self.upper <= right.lower:
            return Verdict.HOLDS
        return Verdict.REFUTED if self.lower > right.upper else Verdict.UNDECIDED

    def below(self, other: object) -> Verdict:
        """Whether this number is < the other."""
        right = known(other)
        if self.upper < right.lower:
            return Verdict.HOLDS
        return Verdict.REFUTED if self.lower >= right.upper else Verdict.UNDECIDED

    def __le__(self, other: object) -> bool:
        right = _operand(other)
        return NotImplemented if right is None else self.upper <= right.lower

    def __lt__(self, other: object) -> bool:
        right = _operand(other)
        return NotImplemented if right is None else self.upper < right.lower

    def __ge__(self, other: object) -> bool:
        right = _operand(other)
        return NotImplemented if right is None else self.lower >= right.upper

    def __gt__(self, other: object) -> bool:
        right = _operand(other)
        return NotImplemented if right is None else self.lower > right.upper

    def _with(self, other: object, operation: Callable[[Interval, Interval], Interval]) -> Known:
        right = _operand(other)
        if right is None:
            return NotImplemented
        return Known(*operation(self.ends, right.ends), min(self.tier, right.tier))


def _operand(value: object) -> Known | None:
    """None for what is no number, so that Python asks the other side, an array for instance."""
    try:
        return known(value)
    except TypeError:
        return None


def known(value: object) -> Known:
    """The value as a `Known`: rationals are exact, balls keep their radius, floats get the tier 'sampled'.

    A float stays sampled.  ``Fraction(x)`` of a float that was computed hides this: the fraction is exactly the float,
    but the float need not be what the formula says.  Take fractions of floats only where they are inputs or witnesses
    whose exact value is what counts, and say so with `mcbook.foundation.numbers.as_given`.
    """
    if isinstance(value, Known):
        return value
    if isinstance(value, Integral | bool):
        return Known(int(value), int(value), Tier.EXACT)
    if isinstance(value, Rational):
        fraction = Fraction(int(value.numerator), int(value.denominator))
        return Known(fraction, fraction, Tier.EXACT)
    if isinstance(value, Real):
        return _from_float(float(value))
    ball = getattr(value, "mid_rad_10exp", None)
    if ball is not None:
        return _from_ball(value)
    raise TypeError(f"expected a number (int, Fraction, float, a ball of python-flint, Known), got {value!r}")


def _from_float(value: float) -> Known:
    if math.isnan(value):
        raise ValueError("NaN is not a known number: find out where it comes from")
    if math.isinf(value):
        return Known(value, value, Tier.SAMPLED)
    margin = abs(value) * FLOAT_ACCURACY
    return Known(value - margin, value + margin, Tier.SAMPLED)


def _from_ball(ball: Any) -> Known:
    return Known(*intervals.ball_ends(ball), Tier.EXACT)
