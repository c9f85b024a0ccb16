"""Samples on which support vector machines are put on trial."""

from __future__ import annotations

import itertools

import numpy as np

from mcbook.foundation.numbers import as_integers
from mcbook.foundation.types import Exact, Floats, Labels
from mcbook.perceptron.instances import Sample


def noisy_sample(
    rng: np.random.Generator, n_classes: int, n_features: int, n_samples: int, largest: int = 5, noise: float = 0.2
) -> Sample:
    """Integer points labelled by a random integer W, a share of them with a random label; every class is present."""
    while True:
        W = rng.integers(-largest, largest + 1, (n_classes, n_features))
        X = rng.integers(-largest, largest + 1, (n_samples, n_features))
        wrong = rng.random(n_samples) < noise
        y = np.where(wrong, rng.integers(0, n_classes, n_samples), (X @ W.T).argmax(axis=1))
        if len(np.unique(y)) == n_classes and (X != 0).any(axis=1).all():
            return as_integers(X), y.astype(np.int64)


def binary_sample(
    rng: np.random.Generator, n_features: int, n_samples: int, *, separable: bool = False, largest: int = 9
) -> tuple[Exact, Exact]:
    """Integer points with signs -1 and +1, both present; from a random w when they should be separable."""
    while True:
        X = rng.integers(-largest, largest + 1, (n_samples, n_features))
        scores = X @ rng.integers(-largest, largest + 1, n_features)
        signs = np.sign(scores) if separable else rng.choice([-1, 1], n_samples)
        if set(signs.tolist()) == {-1, 1} and (X != 0).any(axis=1).all():
            return as_integers(X), np.array([int(s) for s in signs], dtype=object)


def forced_sample() -> tuple[Exact, Exact]:
    """Two positive points, both on the margin of the hard machine, of which one cannot have a positive multiplier."""
    return as_integers(np.array([[1, 0], [1, 5]])), np.array([1, 1], dtype=object)


def hinge_against_ramp() -> Exact:
    """Four positive examples on the line for which hinge and ramp choose weights of opposite signs."""
    return np.array([1, 1, 1, -4], dtype=object)


def general_position(rng: np.random.Generator, n_points: int, n_features: int, largest: int = 9) -> Exact:
    """Integer points of which any ``n_features`` are linearly independent (all, if there are fewer)."""
    from mcbook.foundation.proof.exact import rational_rank

    size = min(n_points, n_features)
    while True:
        X = as_integers(rng.integers(-largest, largest + 1, (n_points, n_features)))
        if all(rational_rank(X[list(rows)]) == size for rows in itertools.combinations(range(n_points), size)):
            return X


def rings(rng: np.random.Generator, n_classes: int, n_samples: int) -> tuple[Floats, Labels]:
    """Points in rings around (1/2, 1/4), one for each class: no linear machine separates them."""
    y = np.arange(n_samples) % n_classes
    angle = rng.uniform(0, 2 * np.pi, n_samples)
    radius = 0.55 + y + rng.uniform(-0.3, 0.3, n_samples)
    return np.stack([0.5 + radius * np.cos(angle), 0.25 + radius * np.sin(angle)], axis=1), y


def blobs(rng: np.random.Generator, n_classes: int, n_samples: int, spread: float = 0.8) -> tuple[Floats, Labels]:
    """Gaussian clouds around points of a circle, one for each class."""
    y = np.arange(n_samples) % n_classes
    angle = 2 * np.pi * (y + 0.25) / n_classes
    centres = 2 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return centres + spread * rng.normal(size=(n_samples, 2)), y
