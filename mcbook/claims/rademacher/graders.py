"""What the chapter's exercises are marked against."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.foundation.answers import Case, close_to, itself
from mcbook.foundation.proof.exact import sign_vectors
from mcbook.foundation.types import Array, ArrayLike, Scalar
from mcbook.rademacher import (
    all_patterns,
    confidence_term,
    exact_complexity,
    interval_labellings,
    products_class,
    vc_dimension,
)


def pair_of_constants() -> Scalar:
    return exact_complexity(np.array([[1, 1], [-1, -1]]))


def scaled_and_shifted() -> Scalar:
    quarter = np.array([[1, 1, 1, 1], [1, 1, 1, -1]])
    return exact_complexity(np.array([5, -2, 0, 7]) - 3 * quarter)


def examples_for_a_hundredth() -> int:
    return next(m for m in range(14_000, 30_000) if confidence_term(0.05, m) <= 0.01)


def lines_of_the_finite_class() -> list[int]:
    """The lines of the proof for six functions on five points, sorted by their values."""
    values, rate = np.random.default_rng(0).normal(size=(6, 5)), 0.5
    sums = np.array([values @ np.array(signs) for signs in sign_vectors(5)])
    longest = np.linalg.norm(values, axis=1).max()
    lines = [
        sums.max(axis=1).mean(),
        np.log(np.exp(rate * sums).max(axis=1).mean()) / rate,
        np.log(np.exp(rate * sums).sum(axis=1).mean()) / rate,
        np.log(len(values)) / rate + rate * longest**2 / 2,
    ]
    return [int(place) for place in np.argsort(lines)]


def two_that_differ_at_four() -> Scalar:
    pair = np.ones((2, 10), dtype=int)
    pair[1, :4] = -1
    return exact_complexity(pair)


def two_intervals(n_points: int) -> Array:
    one = interval_labellings(n_points)
    return np.unique((one[:, None] | one[None]).reshape(-1, n_points), axis=0)


def dimension_of_two_intervals() -> int:
    return vc_dimension(two_intervals(6))


def labellings_by_two_intervals() -> int:
    return len(two_intervals(6))


def quotient_of_all_patterns() -> Fraction:
    patterns = all_patterns(3)
    return Fraction(exact_complexity(products_class(patterns, patterns)) / (2 * exact_complexity(patterns)))


def enumerated(rng: np.random.Generator) -> Iterator[Case]:
    for n_functions, m in ((1, 3), (2, 1), (3, 4), (5, 6)):
        values = rng.integers(-4, 5, (n_functions, m))
        right = float(exact_complexity(values))
        yield Case(f"{n_functions} functions on {m} points", (values,), close_to(right))


def width_of_the_interval(rng: np.random.Generator) -> Iterator[Case]:
    for n_functions, m, n_draws, alpha in ((2, 5, 10, 0.1), (6, 3, 100, 0.01), (4, 20, 7, 0.5)):
        values = rng.integers(-4, 5, (n_functions, m))
        spread = np.ptp(values, axis=0)
        right = math.sqrt(math.log(2 / alpha) * float(spread @ spread) / (2 * n_draws)) / m
        yield Case(f"{n_functions} functions on {m} points, {n_draws} draws", (values, n_draws, alpha), close_to(right))


def absolute_values_double(rng: np.random.Generator) -> Iterator[Case]:
    yield Case("your class", (), _feedback_on_class, itself)


def _feedback_on_class(values: ArrayLike) -> str:
    table = np.asarray(values)
    if table.dtype.kind == "f" and np.isin(table, np.arange(-1000, 1001)).all():
        table = table.astype(int)
    if table.ndim != 2 or 0 in table.shape or table.dtype.kind not in "iu":
        return "expected a matrix of whole numbers with a row for each function"
    if table.shape[1] > 12 or len(table) > 1000:
        return "expected at most 12 points and 1000 functions"
    if table.any(axis=1).all():
        return "the function 0 is not in it"
    one_sided = exact_complexity(table)
    if one_sided == 0:
        return "its complexity is 0"
    # The supremum of absolute values is that over the class and its negatives.
    return "" if exact_complexity(np.concatenate([table, -table])) == 2 * one_sided else "not twice the complexity"
