"""The bounds of the chapter on output codes, as functions of their symbols.

They take floats, ints and fractions, and arrays of them; from exact numbers they make exact ones.  ``n_columns`` is the
length of the code, ``rho`` the smallest distance of two of its rows, ``at_zero`` the loss L(0) of no opinion.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from mcbook.foundation.checks import (
    require_at_least,
    require_classes,
    require_one_of,
    require_whole,
)
from mcbook.foundation.numbers import quotient
from mcbook.foundation.types import Scalar


def plotkin_bound(n_columns: Scalar, n_classes: Scalar) -> Scalar:
    """(l / 2) k / (k - 1): no code with entries -1, 0, +1 has a larger minimal distance.

    >>> plotkin_bound(3, 3)
    Fraction(9, 4)
    """
    require_at_least(n_classes, 2, "n_classes", "a distance needs two rows")
    return quotient(n_columns * n_classes, 2 * (n_classes - 1))


def standard_columns(code: str, n_classes: int) -> int:
    """The number of columns of a standard code: k, k (k - 1) / 2 or 2^(k-1) - 1.

    >>> standard_columns("all-pairs", 5), standard_columns("complete", 5)
    (10, 15)
    """
    return _standard(code)[0](require_classes(n_classes))


def standard_distance(code: str, n_classes: int) -> Fraction:
    """The minimal distance of a standard code: 2, (l - 1) / 2 + 1 or (l + 1) / 2.

    >>> standard_distance("all-pairs", 5), standard_distance("complete", 5)
    (Fraction(11, 2), Fraction(8, 1))
    """
    return _standard(code)[1](standard_columns(code, n_classes))


_STANDARD: dict[str, tuple[Callable[[int], int], Callable[[int], Fraction]]] = {
    "one-vs-rest": (lambda k: k, lambda n_columns: Fraction(2)),
    "all-pairs": (lambda k: math.comb(k, 2), lambda n_columns: Fraction(n_columns - 1, 2) + 1),
    "complete": (lambda k: dichotomies(k), lambda n_columns: Fraction(n_columns + 1, 2)),
}


def _standard(code: str) -> tuple[Callable[[int], int], Callable[[int], Fraction]]:
    return _STANDARD[require_one_of(code, _STANDARD, "code")]


def correction_radius(distance: int) -> int:
    """floor((d - 1) / 2): so many wrong signs do no harm to a code of signs whose rows differ in d places or more.

    >>> correction_radius(5), correction_radius(6)
    (2, 2)
    """
    return (require_whole(distance, "distance", at_least=1) - 1) // 2


def least_columns(n_classes: int) -> int:
    """ceil(log2 k): with fewer columns of signs two of the rows are equal.

    >>> least_columns(8), least_columns(9)
    (3, 4)
    """
    return (require_classes(n_classes) - 1).bit_length()


def dichotomies(n_classes: int) -> int:
    """2^(k-1) - 1: the ways to split k classes into two sides, neither of them empty.

    >>> dichotomies(4)
    7
    """
    return 2 ** (require_classes(n_classes) - 1) - 1


def separable_labellings_bound(n_points: int, n_features: int) -> int:
    """2 sum_{i <= n} C(k - 1, i): affine functions on R^n give k points no more different vectors of signs.

    >>> separable_labellings_bound(6, 2)
    32
    """
    require_whole(n_points, "n_points", at_least=1)
    require_whole(n_features, "n_features", at_least=1)
    return 2 * sum(math.comb(n_points - 1, i) for i in range(n_features + 1))
