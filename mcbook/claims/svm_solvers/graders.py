"""What the exercises on the solvers are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.binary_svm import binary_sample
from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.types import Scalar
from mcbook.perceptron import kesler_vectors, squared_radius
from mcbook.svm_solvers import (
    block_step,
    random_draws,
    run_subgradient,
    simplex_projection,
    step_direction,
    subgradient_bound,
)

HALF = Fraction(1, 2)


def weight_after_step() -> Scalar:
    w = np.array([1], dtype=object)
    return (w - step_direction(w, np.array([2], dtype=object), 1, HALF, 2) * Fraction(1, 4))[0]


def bound_for_two() -> Scalar:
    return subgradient_bound(1, 1, 1, 2)


def first_of_projection() -> Scalar:
    return simplex_projection(np.array([1, HALF, 0], dtype=object), 1)[0]


def taken_in_block() -> Scalar:
    return block_step(as_integers(np.zeros(3, dtype=int)), 0, 1, 2)[0]


def smoothed_loss() -> Fraction:
    """The largest of b e - (b^2 + b^2) / (2 tau C), by the block step with tau C in place of 1 / K(x, x)."""
    excess, tau = Fraction(1, 5), 4
    flow = block_step(np.array([1 - excess, 0], dtype=object), 0, 1, Fraction(1, tau))[0]
    return Fraction(flow * excess - flow * flow / Fraction(tau))


def first_weight_of_step() -> Scalar:
    """The minimum of 1/2 |W|^2 + tau C / 2 |J (W + (0, 1, 1))|^2."""
    J = as_integers(np.eye(3, dtype=int)) - Fraction(1, 3)
    scale = Fraction(2)
    # On vectors whose entries sum to 0, J is the identity.
    return (-(scale / (1 + scale)) * (J @ np.array([0, 1, 1], dtype=object)))[0]


def squared_length_of_a_move() -> Scalar:
    X = as_integers(np.array([[3, 4]]))
    return Fraction(squared_radius(kesler_vectors(X, np.array([1]), 3))) / squared_radius(X)


def projections(rng: np.random.Generator) -> Iterator[Case]:
    for n, size in ((2, 2), (3, 3), (5, 8)):
        V, total = rng.normal(size=(n, size)), float(rng.uniform(0.2, 2))
        # In each row one entry far below 0 is cut off, and one is positive.
        V[:, 0], V[:, 1] = -3.0, np.abs(V[:, 1])
        projected = np.array([simplex_projection(v, total) for v in V])
        yield Case(f"{n} rows of {size} numbers", (V, total), close_to(projected))


def means_of_steps(rng: np.random.Generator) -> Iterator[Case]:
    for d, m in ((1, 2), (2, 5), (3, 9)):
        X, signs = binary_sample(rng, d, m, largest=3)
        C, draws = float(rng.uniform(0.1, 1)) / m, random_draws(rng, m, 2).ravel()
        mean = run_subgradient(X.astype(float), signs, C, draws).mean
        inputs = X.astype(float), signs.astype(float), C, draws
        yield Case(f"{m} examples, {len(draws)} steps", inputs, close_to(mean))
