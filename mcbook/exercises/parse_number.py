"""Numbers as people write them, and when one of them is the number that is wanted; the page reads them likewise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

SIGNS = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8"}
# Longer exponents are nobody's answer, and may make numbers that no memory holds.
NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,2})?)(?:/(\d+\.?\d*|\.\d+))?(%?)", re.IGNORECASE)
MIXED = re.compile(r"([-+]?)(\d+)\s+(\d+)\s*/\s*(\d+)")
GROUPED = re.compile(r"[-+]?[1-9]\d{0,2}(?:([.,\s'’])\d{3})(?:\1\d{3})*")
TWO_NUMBERS = re.compile(r"\d\s+[\d.,]")
DECIMALS = re.compile(r"[-+]?0*(\d*)(?:[.,](\d+))?\s*(%?)")
LARGEST_EXPONENT = 99
INFINITE = re.compile(r"[-+]?\s*(?:inf|infinity|∞)", re.IGNORECASE)
EXPRESSION = re.compile(r"ln|log|exp|sqrt|tanh|\bpi\b|[√π^*·×!()]|\d\s*\+\s*\d", re.IGNORECASE)
# With fewer digits it might be another number; one with more was computed, and what it lacks is an error.
DIGITS_OF_A_ROUNDING = range(3, 13)
# Of a number that has to be rounded up or down nobody writes more than is needed to see how.
DIGITS_BEFORE_ROUNDING = range(2, 13)


def parse_numbers(answer: Any) -> list[Fraction]:
    """The numbers that may be meant, exactly as given; none for what is no finite real number.

    Text is read as on the page, where "14,979" is a decimal fraction or has a comma for thousands; a list or an array
    of one number as that number.
    """
    if isinstance(answer, np.ndarray | list | tuple) and np.size(answer) == 1:
        answer = np.asarray(answer, dtype=object).ravel()[0]
    try:
        if isinstance(answer, str):
            # Digits of other scripts are none to the page.
            return list(_readings(_plain(answer))) if all(c.isascii() for c in answer if c.isdigit()) else []
        # A complex number of numpy says that it is a float, and drops a part of itself.
        if isinstance(answer, bool | np.bool_ | complex | np.complexfloating):
            return []
        if isinstance(answer, Rational):
            return [Fraction(int(answer.numerator), int(answer.denominator))]
        if isinstance(answer, Decimal):
            return [Fraction(answer)] if abs(answer.adjusted()) <= LARGEST_EXPONENT else []
        if isinstance(answer, np.integer):
            return [Fraction(int(answer))]
        return [Fraction(float(answer))] if hasattr(answer, "__float__") else []
    except (TypeError, ValueError, OverflowError, ArithmeticError):
        return []


def expected_of(text: str) -> str:
    """What can be typed in place of a text that is no number."""
    if INFINITE.fullmatch(_plain(text)):
        return "a finite number"
    if EXPRESSION.search(text):
        return "the value of the expression, a number such as 1.0986"
    return "a number, such as 3, 0.75 or 3/4"


def _plain(text: str) -> str:
    plain = text.replace("−", "-").replace("–", "-")
    for sign, fraction in SIGNS.items():
        plain = plain.replace(sign, f" {fraction}")
    return re.sub(r"^[=≈~]\s*", "", plain.strip())


def _readings(plain: str) -> Iterator[Fraction]:
    if mixed := MIXED.fullmatch(plain):
        size = int(mixed[2]) + Fraction(int(mixed[3]), int(mixed[4]))
        yield -size if mixed[1] == "-" else size
        return
    match = NUMBER.fullmatch(re.sub(r"\s", "", plain).replace(",", ".", 1))
    if match and not TWO_NUMBERS.search(plain):
        yield Fraction(match[1]) / Fraction(match[2] or 1) / (100 if match[3] else 1)
    if GROUPED.fullmatch(plain):
        yield Fraction(re.sub(r"[.,\s'’]", "", plain))


def is_near(given: Fraction, wanted: Fraction, tolerance: float) -> bool:
    """Within the tolerance of the part, or of what floating point loses."""
    return abs(given - wanted) <= max(Fraction(tolerance), Fraction(1, 10**9), abs(wanted) / 10**9)


def rounds_to(answer: Any, given: Fraction, wanted: Fraction, digits: range = DIGITS_OF_A_ROUNDING) -> bool:
    """A decimal fraction of three digits or more stands for each number that it is the rounding of.

    ``given`` is the first reading of the answer; of text the digits count that are written.
    """
    written = _digits_written(answer) if isinstance(answer, str) else _digits_of(given)
    if written is None:
        return False
    places, n_digits = written
    return n_digits in digits and abs(given - wanted) <= Fraction(5000001, 10**7) / 10**places


def _digits_written(text: str) -> tuple[int, int] | None:
    """Decimal places and digits that count; a percentage has two places more than are written."""
    match = DECIMALS.fullmatch(_plain(text))
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
