"""What the claims on support vector machines share: samples, and how close two certified values must be."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.binary_svm import binary_sample, soft_margin_path
from mcbook.binary_svm.algorithm.path import SoftMarginPath
from mcbook.claims import Evidence, at_most, equal
from mcbook.foundation.programs import Optimum
from mcbook.foundation.proof import Known
from mcbook.foundation.types import Array, ArrayLike, Number, Scalar

Found = Iterator[Evidence]
RELATIVE = 1e-9
TINY = Fraction(1, 10**6)


def agree(what: str, left: Optimum | Scalar, right: Optimum | Scalar, relative: float = RELATIVE) -> Evidence:
    """Evidence that two values known by certificates agree to the given relative accuracy."""
    first, second = (v.value if isinstance(v, Optimum) else v for v in (left, right))
    size = max(1.0, abs(second.middle if isinstance(second, Known) else float(second)))
    return equal(what, first, second, within=relative * size)


def close(what: str, left: Array, right: ArrayLike, within: Scalar = TINY) -> Evidence:
    """Evidence that a point of a solver is near another one, by the squared distance.

    The floats of a solver are exact numbers (`as_given`), but which point they should be is known nearly only.
    """
    return equal(f"|{what}|² ≈ 0", squared(left - right), 0, within=float(within))


def no_more(what: str, left: Optimum, right: Optimum) -> Evidence:
    """Evidence that one certified optimum is at most another, to the relative accuracy of both."""
    return at_most(what, left.value, right.value + Fraction(RELATIVE * max(1.0, float(right))))


def trade_offs(rng: np.random.Generator) -> Fraction:
    return Fraction(int(rng.integers(1, 30)), 10)


def paths(rng: np.random.Generator, count: int, *, separable: bool = False) -> Iterator[SoftMarginPath]:
    for _ in range(count):
        X, signs = binary_sample(rng, int(rng.integers(2, 4)), int(rng.integers(5, 11)), separable=separable)
        yield soft_margin_path(X, signs)


def squared(array: ArrayLike) -> Number:
    return (np.asarray(array) * np.asarray(array)).sum()
