"""Samples of many classes on which support vector machines are put on trial."""

from __future__ import annotations

import numpy as np

from mcbook.foundation.numbers import as_integers
from mcbook.foundation.types import Exact, Floats, Labels
from mcbook.perceptron.instances import Sample


def noisy_sample(
    rng: np.random.Generator, n_classes: int, n_features: int, n_samples: int, largest: int = 5, noise: float = 0.2
) -> Sample:
    """Integer points labelled by a random integer W, a share of them with a random label; every class is present.

    >>> X, y = noisy_sample(np.random.default_rng(0), n_classes=3, n_features=2, n_samples=12)
    >>> X.shape, sorted(set(y.tolist()))
    ((12, 2), [0, 1, 2])
    """
    while True:
        W = rng.integers(-largest, largest + 1, (n_classes, n_features))
        X = rng.integers(-largest, largest + 1, (n_samples, n_features))
        wrong = rng.random(n_samples) < noise
        y = np.where(wrong, rng.integers(0, n_classes, n_samples), (X @ W.T).argmax(axis=1))
        if len(np.unique(y)) == n_classes and (X != 0).any(axis=1).all():
            return as_integers(X), y.astype(np.int64)


def hinge_against_ramp() -> Exact:
    """Four positive examples on the line for which hinge and ramp choose weights of opposite signs.

    >>> w = np.array([-1, 1])  # the hinge's sum is less for the one, and the ramp's for the other
    >>> margins = np.outer(w, hinge_against_ramp()).astype(int)
    >>> np.maximum(0, 1 - margins).sum(axis=1).tolist(), np.clip(1 - margins, 0, 1).sum(axis=1).tolist()
    ([6, 5], [3, 1])
    """
    return np.array([1, 1, 1, -4], dtype=object)


def rings(rng: np.random.Generator, n_classes: int, n_samples: int) -> tuple[Floats, Labels]:
    """Points in rings around (1/2, 1/4), one for each class: no linear SVM separates them.

    >>> X, y = rings(np.random.default_rng(0), n_classes=3, n_samples=30)
    >>> distance = np.hypot(X[:, 0] - 0.5, X[:, 1] - 0.25)
    >>> [bool((distance[y == z] < z + 0.9).all()) for z in range(3)]
    [True, True, True]
    """
    y = np.arange(n_samples) % n_classes
    angle = rng.uniform(0, 2 * np.pi, n_samples)
    radius = 0.55 + y + rng.uniform(-0.3, 0.3, n_samples)
    return np.stack([0.5 + radius * np.cos(angle), 0.25 + radius * np.sin(angle)], axis=1), y
