"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.foundation.answers import Case, as_numbers, close_to
from mcbook.foundation.types import Signs
from mcbook.weak_learning import (
    best_correlation,
    fewest_runs,
    lead_weight,
    majority_value,
    rounds_for_error,
    runs_for_confidence,
    selection_size,
    solve_game,
    stored_items,
    validation_size,
)

TENTH, QUARTER = Fraction(1, 10), Fraction(1, 4)
TWO_RULES = np.array([[1, 1, -1], [1, -1, 1]])


def edge_of_two() -> Fraction:
    return Fraction(best_correlation(TWO_RULES, np.array([Fraction(1, 2), QUARTER, QUARTER])) / 2)


def value_of_two() -> Fraction:
    return solve_game(TWO_RULES).value


def value_of_five() -> Fraction:
    return solve_game(1 - 2 * np.eye(5, dtype=int)).value


def order_of_the_proof() -> tuple[int, ...]:
    return (0, 1, 2, 3, 4, 5)


def value_of_three_rounds() -> Fraction:
    return Fraction(majority_value(QUARTER, 3))


def value_of_four_rounds() -> Fraction:
    return Fraction(majority_value(QUARTER, 4))


def weight_of_lead_zero() -> Fraction:
    return lead_weight(QUARTER, 2, 0)


def weight_of_lead_four() -> Fraction:
    return lead_weight(QUARTER, 2, 4)


def runs_by_the_formula() -> int:
    return runs_for_confidence(QUARTER, TENTH)


def runs_that_are_enough() -> int:
    return fewest_runs(QUARTER, TENTH)


def fresh_by_tails() -> int:
    return validation_size(TENTH, 50, Fraction(1, 20))


def fresh_by_comparison() -> int:
    return selection_size(TENTH, TENTH, 50, Fraction(1, 20))


def rounds_to_one_per_cent() -> int:
    return rounds_for_error(TENTH, Fraction(1, 100))


def items_in_store() -> int:
    return int(stored_items(rounds_to_one_per_cent(), 500))


def worst_weights(rng: np.random.Generator) -> Iterator[Case]:
    skew = np.array([[1, 1, -1, 1], [1, -1, 1, 1], [-1, 1, 1, -1]])
    games = [("three rules", skew), *((f"{n} rules", rng.choice([-1, 1], (n, n + 2))) for n in (2, 4, 7))]
    for name, A in games:
        yield Case(f"{name} on {A.shape[1]} examples", (A,), _Worst(A))


class _Worst:
    """The feedback on weights that are none, or that leave more than the value of the game."""

    def __init__(self, A: Signs) -> None:
        self.A, self.value = A, float(solve_game(A).value)

    def __call__(self, reply: object) -> str:
        weights, complaint = as_numbers(reply)
        if complaint:
            return complaint
        if weights.shape != self.A.shape[1:]:
            return f"expected a weight for each example, shape {self.A.shape[1:]}, got shape {weights.shape}"
        if weights.min() < -1e-9 or abs(weights.sum() - 1) > 1e-6:
            return "expected weights >= 0 that sum to 1"
        if best_correlation(self.A, weights) > self.value + 1e-6:
            return "these weights leave a larger correlation than there need be"
        return ""


def majority_weights(rng: np.random.Generator) -> Iterator[Case]:
    for t, n_rounds, m, edge in ((1, 3, 4, QUARTER), (2, 8, 10, TENTH), (6, 15, 30, Fraction(2, 5))):
        agrees = rng.choice([-1, 1], (t, m))
        weights = np.array([float(lead_weight(edge, n_rounds - t - 1, int(s))) for s in agrees.sum(axis=0)])
        description = f"{t} of {n_rounds} rounds on {m} examples, edge {edge}"
        yield Case(description, (agrees, n_rounds, float(edge)), close_to(weights / weights.sum()))
