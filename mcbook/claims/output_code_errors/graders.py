"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.foundation.answers import Case, close_to, itself
from mcbook.foundation.numbers import rational
from mcbook.foundation.types import Scalar
from mcbook.output_code_errors import (
    cheapest_mistake,
    hamming_decoding_bound,
    hinge_mistake_cost,
    ignored_contribution,
    loss_bound_with_ignored,
    loss_decoding_bound,
    sharp_loss_decoding_bound,
)
from mcbook.output_codes import (
    all_pairs_code,
    average_loss,
    complete_code,
    decoding_distances,
    minimal_distance,
    one_vs_rest_code,
    random_sparse_code,
)

UNEQUAL = np.array([[0, -1], [1, 1]])


def bound_by_hand() -> Scalar:
    return loss_decoding_bound(Fraction(1, 10), 15, 8)


def hamming_bound_by_hand() -> Scalar:
    return hamming_decoding_bound(Fraction(1, 10), 15, 8)


def cost_of_ten() -> Fraction:
    return cheapest_mistake(one_vs_rest_code(10), 0).cost


def limit_of_half_zeros() -> Scalar:
    """A long code has the distance l/2 between any two rows, and half of its entries are zeros."""
    return ignored_contribution(Fraction(1, 2), 1000, 500)


def first_for_ten() -> Scalar:
    return loss_bound_with_ignored(Fraction(4, 5), Fraction(1, 20), 45, minimal_distance(all_pairs_code(10)))


def sharp_for_ten() -> Scalar:
    return sharp_loss_decoding_bound(Fraction(1, 20), 9, 1)


def least_loss_for_a_hundredth() -> Fraction:
    M = complete_code(5)
    return cheapest_mistake(M, 0).cost / (100 * M.shape[1])


def exponential_cost_of_three() -> float:
    """By the dual function on a fine grid."""
    D, A, B, Z = 3, 8, 0, 0
    lam = np.linspace(0, 1, 1_000_001)
    return round(float((2 * D * np.sqrt(lam * (1 - lam)) + lam * A + (1 - lam) * B + Z).max()), 6)


def mistaken_for_half(rng: np.random.Generator) -> Iterator[Case]:
    yield Case("your outputs", (), _feedback_on_half, itself)


def _feedback_on_half(reply: object) -> str:
    f, complaint = _outputs(reply, 2, "two")
    if complaint:
        return complaint
    own, rival = decoding_distances(f[None, :], UNEQUAL, "hinge")[0]
    if own < rival:
        return "class 1 is not mistaken: its row costs less"
    return "" if max(0, 1 + f[1]) <= Fraction(1, 2) else "its non-zero entry costs more than one half"


def cheapest_of_five(rng: np.random.Generator) -> Iterator[Case]:
    yield Case("your outputs", (), _feedback_on_cheapest, itself)


def _feedback_on_cheapest(reply: object) -> str:
    M = all_pairs_code(5)
    f, complaint = _outputs(reply, 10, "ten")
    if complaint:
        return complaint
    costs = decoding_distances(f[None, :], M, "hinge")[0]
    if costs[0] < costs[1:].min():
        return "class 1 is not mistaken: its row costs less than every other"
    least = min(hinge_mistake_cost(M[0], rival) for rival in M[1:])
    return "" if costs[0] <= least else "a mistake could be cheaper"


def _outputs(reply: object, length: int, word: str) -> tuple[Any, str]:
    try:
        given = np.asarray(reply, dtype=float)
    except (TypeError, ValueError):
        return None, f"expected {word} numbers"
    if given.shape != (length,) or not np.isfinite(given).all():
        return None, f"expected {word} numbers, got the shape {given.shape}"
    return rational(given), ""


def first_bound(rng: np.random.Generator) -> Iterator[Case]:
    for n_classes, n_columns in ((3, 5), (4, 8), (5, 10)):
        M = random_sparse_code(n_classes, n_columns, 50, int(rng.integers(2**31)))
        y = rng.integers(0, n_classes, 9)
        F = M[y] + rng.normal(size=(9, n_columns))
        right = loss_decoding_bound(average_loss(F, M, y, "hinge"), n_columns, float(minimal_distance(M)))
        yield Case(f"9 examples, {n_classes} classes, {n_columns} columns", (F, M, y), close_to(right))


def costs_of_rows(rng: np.random.Generator) -> Iterator[Case]:
    for n_columns in (3, 6, 9, 12, 15):
        u, v = rng.integers(-1, 2, (2, n_columns))
        u[0] = -1 if v[0] == 0 else -v[0]
        u[1], v[1], u[2], v[2] = 0, 0, 0, 1
        yield Case(f"two rows of {n_columns} entries", (u, v), close_to(float(hinge_mistake_cost(u, v))))
