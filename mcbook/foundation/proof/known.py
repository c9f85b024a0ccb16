"""Numbers together with how well they are known."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, TypeAlias

Number: TypeAlias = int | Fraction | float

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
    """A number that lies in ``[lower, upper]``, and the tier of that knowledge."""

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
        return f"{float(self.lower + self.upper) / 2:.6g}"

    @property
    def middle(self) -> float:
        return float(self.lower) if self.lower == self.upper else float(self.lower + self.upper) / 2


def known(value: Any) -> Known:
    """The value as a `Known`: rationals are exact, balls keep their radius, floats get the tier 'sampled'."""
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
    """The end points of a python-flint ball, rounded outward to floats."""
    lower, upper = float(ball.lower()), float(ball.upper())
    return Known(math.nextafter(lower, -math.inf), math.nextafter(upper, math.inf), Tier.EXACT)
