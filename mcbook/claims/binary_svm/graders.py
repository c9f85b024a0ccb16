"""What the exercises on the binary SVM are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.binary_svm import (
    binary_dual,
    binary_primal,
    binary_sample,
    separable_labellings,
    signed_gram,
    soft_margin_path,
)
from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.types import Array, Number
from mcbook.perceptron import frobenius_product

TWO = np.array([[2, 0], [0, -4]], dtype=object), np.array([1, -1], dtype=object)
ON_THE_LINE = np.array([[1], [2]], dtype=object), np.array([1, 1], dtype=object)


def squared_length_of_two() -> Number:
    w, _ = soft_margin_path(*TWO).hard_margin()
    return frobenius_product(w, w)


def first_multiplier_of_two() -> Number:
    return soft_margin_path(*TWO).hard_margin()[1][0]


def weight_of_one() -> Number:
    return soft_margin_path(np.array([[2]], dtype=object), np.array([1], dtype=object)).w(Fraction(1, 8))[0]


def squared_length_with_bias() -> Number:
    X, signs = np.array([[1, 1], [3, 1]], dtype=object), np.array([1, -1], dtype=object)
    w, _ = soft_margin_path(X, signs).hard_margin()
    return frobenius_product(w, w)


def labellings_of_five() -> int:
    return separable_labellings(5, 2)


def labellings_with_offset() -> int:
    return separable_labellings(4, 3)


def corners_of_two() -> int:
    return len(soft_margin_path(*ON_THE_LINE).knots)


def stretch_of_two() -> Fraction:
    first, second, _ = soft_margin_path(*ON_THE_LINE).knots
    return second - first


def dual_values(rng: np.random.Generator) -> Iterator[Case]:
    for d, m in ((1, 2), (2, 5), (4, 9)):
        X, signs, alpha, _ = _drawn(rng, d, m)
        value = binary_dual(alpha, signed_gram(X @ X.T, signs))
        yield Case(f"{m} examples with {d} features", (alpha, X, signs), close_to(value))


def gaps(rng: np.random.Generator) -> Iterator[Case]:
    for d, m in ((1, 3), (3, 6), (5, 12)):
        X, signs, alpha, C = _drawn(rng, d, m)
        w = rng.normal(size=d)
        gap = binary_primal(w, X, signs, C) - binary_dual(alpha, signed_gram(X @ X.T, signs))
        yield Case(f"{m} examples with {d} features", (w, alpha, X, signs, C), close_to(gap))


def _drawn(rng: np.random.Generator, d: int, m: int) -> tuple[Array, Array, Array, float]:
    """A sample in floats, multipliers and their limit."""
    X, signs = binary_sample(rng, d, m)
    C = float(rng.uniform(0.5, 2))
    return X.astype(float), signs.astype(float), rng.uniform(0, C, m), C
