"""What the claims on support vector machines share: samples, and how close two certified values must be."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Evidence, at_most, equal
from mcbook.foundation.proof import Known
from mcbook.foundation.proof.exact import rational
from mcbook.svm import Optimum, SoftMarginPath, binary_sample, noisy_sample, soft_margin_path

Found = Iterator[Evidence]
RELATIVE = 1e-9
TINY = Fraction(1, 10**6)


def agree(what: str, left: Any, right: Any, relative: float = RELATIVE) -> Evidence:
    """Evidence that two values known by certificates agree to the given relative accuracy."""
    first, second = (v.value if isinstance(v, Optimum) else v for v in (left, right))
    size = max(1.0, abs(second.middle if isinstance(second, Known) else float(second)))
    return equal(what, first, second, within=relative * size)


def no_more(what: str, left: Optimum, right: Optimum) -> Evidence:
    """Evidence that one certified optimum is at most another, to the relative accuracy of both."""
    room = RELATIVE * max(1.0, abs(right.value.middle))
    return at_most(what, left.value, Known(right.value.lower + room, right.value.upper + room, right.value.tier))


def samples(rng: np.random.Generator, count: int, fewest: int = 2) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """Samples of integers that mostly are not separable, with at least ``fewest`` classes."""
    for _ in range(count):
        k = int(rng.integers(fewest, 6))
        X, y = noisy_sample(rng, k, int(rng.integers(2, 5)), int(rng.integers(8, 20)))
        yield X, y, k


def trade_offs(rng: np.random.Generator) -> Fraction:
    return Fraction(int(rng.integers(1, 30)), 10)


def paths(rng: np.random.Generator, count: int, *, separable: bool = False) -> Iterator[SoftMarginPath]:
    for _ in range(count):
        X, signs = binary_sample(rng, int(rng.integers(2, 4)), int(rng.integers(5, 11)), separable=separable)
        yield soft_margin_path(X, signs)


def exactly(array: Any) -> np.ndarray:
    """What a solver returned, as the fractions that the floats are: nothing computed from them is rounded."""
    return rational(np.asarray(array, dtype=float))


def squared(array: Any) -> Any:
    return (np.asarray(array) * np.asarray(array)).sum()
