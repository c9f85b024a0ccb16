"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.numbers import as_given
from mcbook.foundation.types import Number
from mcbook.losses import (
    CATALOGUE,
    best_leaf_value,
    empirical_margin_loss,
    hinge,
    leaf_loss,
    logistic,
    splitting_criterion,
)


def hinge_by_hand() -> Number:
    return hinge(Fraction(-2))


def order_at_minus_two() -> list[int]:
    charged = [float(CATALOGUE[n](-2.0)) for n in ("sigmoid", "hinge", "logistic", "exponential", "square")]
    return sorted(range(5), key=lambda place: charged[place])


def ramp_of_five() -> Fraction:
    return Fraction(empirical_margin_loss(np.array([-1, 0, 1, 2, 3], dtype=object), 2))


def best_exponential() -> float:
    return float(best_leaf_value("exponential", 0.9, 0.1))


def far_on_the_wrong_side() -> float:
    return float(logistic(-1000.0))


def weight_that_tips() -> Fraction:
    """By bisection on the sign of the best value."""
    low, high = Fraction(1), Fraction(50)
    while high - low > Fraction(1, 10**7):
        middle = (low + high) / 2
        low, high = (low, middle) if best_leaf_value("exponential", float(middle) * 0.1, 0.9) > 0 else (middle, high)
    return high


def stretch_of_the_logistic_loss() -> Fraction:
    points = np.array([-2.0, 0.5, 3.0])
    candidates = [Fraction(sign * n, 2) for n in range(1, 7) for sign in (1, -1)]
    return next(a for a in candidates if np.allclose(logistic(float(a) * points), np.log1p(np.exp(-points))))


def clipped_excess(height: Number, z: Number) -> Number:
    """The excess of the hinge that is cut off at a height."""

    def loss(margin: Number) -> Number:
        return min(height, hinge(margin))

    return (loss(z) + loss(-z)) / Fraction(2) - loss(0)


def least_height() -> Fraction:
    points = [Fraction(n, 8) for n in range(-40, 41)]
    heights = (1 + Fraction(n, 20) for n in range(60))
    return next(height for height in heights if all(clipped_excess(height, z) >= 0 for z in points))


def criterion_of_the_squared_hinge() -> float:
    values = np.linspace(-3, 3, 60001)
    losses = 0.8 * np.maximum(0, 1 - values) ** 2 + 0.2 * np.maximum(0, 1 + values) ** 2
    return float(losses.min())


def order_of_criteria() -> list[int]:
    criteria = [splitting_criterion(name, 0.8, 0.2) for name in ("hinge", "logistic", "square", "exponential")]
    return sorted(range(4), key=lambda place: criteria[place])


def infimum_of_the_sigmoid_leaf() -> float:
    return float(leaf_loss("sigmoid", 0.8, 0.2, 30.0))


def clipped_hinge(rng: np.random.Generator) -> Iterator[Case]:
    for height in (1.0, 1.5, 2.0, 3.0):
        z = rng.uniform(-4, 4, 9)
        right = [float(clipped_excess(Fraction(height), value)) for value in as_given(z)]
        yield Case(f"cut off at {height:g}, nine points", (height, z), close_to(right))


def mean_logistic(rng: np.random.Generator) -> Iterator[Case]:
    for largest in (1.0, 5.0, 1000.0):
        z = np.concatenate([rng.uniform(-largest, largest, 8), [-largest, largest]])
        yield Case(f"margins from {-largest:g} to {largest:g}", (z,), close_to(float(np.mean(logistic(z)))))


def weighted_leaf(rng: np.random.Generator) -> Iterator[Case]:
    for a in (0.5, 2.0, 9.0):
        p, q = rng.dirichlet([1, 1])
        yield Case(f"costs of {a:g} to 1", (p, q, a), close_to(float(best_leaf_value("exponential", a * p, q))))
