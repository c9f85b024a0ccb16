"""Samples of many classes on which support vector machines are put on trial."""

from __future__ import annotations

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


def hinge_against_ramp() -> Exact:
    """Four positive examples on the line for which hinge and ramp choose weights of opposite signs."""
    return np.array([1, 1, 1, -4], dtype=object)


def rings(rng: np.random.Generator, n_classes: int, n_samples: int) -> tuple[Floats, Labels]:
    """Points in rings around (1/2, 1/4), one for each class: no linear machine separates them."""
    y = np.arange(n_samples) % n_classes
    angle = rng.uniform(0, 2 * np.pi, n_samples)
    radius = 0.55 + y + rng.uniform(-0.3, 0.3, n_samples)
    return np.stack([0.5 + radius * np.cos(angle), 0.25 + radius * np.sin(angle)], axis=1), y
