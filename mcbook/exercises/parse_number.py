"""Numbers as people type them, and when one of them is the number that is wanted; the page reads them likewise."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

# Longer exponents are nobody's answer, and may make numbers that no memory holds.
_DECIMAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
NUMBER = re.compile(rf"([-+]?{_DECIMAL}(?:e[-+]?[0-9]{{1,2}})?)(?:\s*/\s*({_DECIMAL}))?\s*(%?)", re.IGNORECASE)
# 14979 or 14.979: what may be either is asked for again.
AMBIGUOUS = re.compile(r"[-+]?[1-9][0-9]{0,2}(?:,[0-9]{3})+")
WRITTEN = re.compile(r"[-+]?0*([0-9]*)(?:\.([0-9]+))?\s*(%?)")
EXPECTED_OF_A_TEXT = "a number, such as 3000, 0.75 or 3/4"
# With fewer digits it might be another number; one with more was computed, and what it lacks is an error.
DIGITS_OF_A_ROUNDING = range(3, 13)
# Of a number that has to be rounded up or down nobody writes more than is needed to see how.
DIGITS_BEFORE_ROUNDING = range(2, 13)


def read_number(answer: Any) -> Fraction | None:
    """The number exactly as given; nothing for what is no finite real number.

    Text is read as on the page; a list or an array of one number as that number.
    """
    if isinstance(answer, np.ndarray | list | tuple) and np.size(answer) == 1:
        answer = np.asarray(answer, dtype=object).ravel()[0]
    # A complex number of numpy says that it is a float, and drops a part of itself.
    if isinstance(answer, bool | np.bool_ | complex | np.complexfloating):
        return None
    try:
        if isinstance(answer, str):
            match = NUMBER.fullmatch(_plain(answer))
            return match and Fraction(match[1]) / Fraction(match[2] or 1) / (100 if match[3] else 1)
        if isinstance(answer, Rational):
            return Fraction(int(answer.numerator), int(answer.denominator))
        return Fraction(float(answer))
    except (TypeError, ValueError, OverflowError, ArithmeticError):
        return None


def _plain(text: str) -> str:
    """With a point before the decimals and a hyphen for the minus sign; empty where a comma may be for thousands."""
    text = text.strip().replace("−", "-")
    return "" if AMBIGUOUS.fullmatch(text) else text.replace(",", ".")


def is_near(given: Fraction, wanted: Fraction, tolerance: float) -> bool:
    """Within the tolerance of the part, or of what floating point loses."""
    return abs(given - wanted) <= max(Fraction(tolerance), Fraction(1, 10**9), abs(wanted) / 10**9)


def rounds_to(answer: Any, given: Fraction, wanted: Fraction, digits: range = DIGITS_OF_A_ROUNDING) -> bool:
    """A decimal fraction of three digits or more stands for each number that it is the rounding of.

    ``given`` is the answer as a number; of text the digits count that are written.
    """
    written = _digits_written(answer) if isinstance(answer, str) else _digits_of(given)
    if written is None:
        return False
    places, n_digits = written
    return n_digits in digits and abs(given - wanted) <= Fraction(5000001, 10**7) / 10**places


def _digits_written(text: str) -> tuple[int, int] | None:
    """Decimal places and digits that count; a percentage has two places more than are written."""
    match = WRITTEN.fullmatch(_plain(text))
    if match is None or not (match[2] or match[3]):
        return None
    decimals = match[2] or ""
    return len(decimals) + 2 * bool(match[3]), len((match[1] + decimals).lstrip("0"))


def _digits_of(given: Fraction) -> tuple[int, int] | None:
    if abs(given) >= 10**DIGITS_OF_A_ROUNDING.stop:
        return None
    written = Decimal(repr(float(given))).normalize()
    places = -int(written.as_tuple().exponent)
    return (places, len(written.as_tuple().digits)) if places >= 1 else None
