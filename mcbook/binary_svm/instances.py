"""Samples of two classes on which support vector machines are put on trial."""

from __future__ import annotations

import itertools

import numpy as np

from mcbook.foundation.numbers import as_integers
from mcbook.foundation.types import Exact, Floats, Labels


def binary_sample(
    rng: np.random.Generator, n_features: int, n_samples: int, *, separable: bool = False, largest: int = 9
) -> tuple[Exact, Exact]:
    """Integer points with signs -1 and +1, both present; from a random w when they should be separable.

    >>> X, signs = binary_sample(np.random.default_rng(0), n_features=2, n_samples=5)
    >>> X.shape, sorted(set(signs.tolist()))
    ((5, 2), [-1, 1])
    """
    while True:
        X = rng.integers(-largest, largest + 1, (n_samples, n_features))
        scores = X @ rng.integers(-largest, largest + 1, n_features)
        signs = np.sign(scores) if separable else rng.choice([-1, 1], n_samples)
        if set(signs.tolist()) == {-1, 1} and (X != 0).any(axis=1).all():
            return as_integers(X), np.array([int(s) for s in signs], dtype=object)


def forced_sample() -> tuple[Exact, Exact]:
    """Two positive points, both on the margin of the hard SVM, of which one cannot have a positive multiplier.

    >>> X, signs = forced_sample()
    >>> X.tolist(), signs.tolist()
    ([[1, 0], [1, 5]], [1, 1])
    """
    return as_integers(np.array([[1, 0], [1, 5]])), np.array([1, 1], dtype=object)


def general_position(rng: np.random.Generator, n_points: int, n_features: int, largest: int = 9) -> Exact:
    """Integer points of which any ``n_features`` are linearly independent (all, if there are fewer).

    >>> (a, b), (c, d) = general_position(np.random.default_rng(0), n_points=2, n_features=2).tolist()
    >>> a * d != b * c
    True
    """
    from mcbook.foundation.proof.exact import rational_rank

    size = min(n_points, n_features)
    while True:
        X = as_integers(rng.integers(-largest, largest + 1, (n_points, n_features)))
        if all(rational_rank(X[list(rows)]) == size for rows in itertools.combinations(range(n_points), size)):
            return X


def blobs(rng: np.random.Generator, n_classes: int, n_samples: int, spread: float = 0.8) -> tuple[Floats, Labels]:
    """Gaussian clouds around points of a circle, one for each class.

    >>> X, y = blobs(np.random.default_rng(0), n_classes=2, n_samples=3, spread=0.0)
    >>> X.round(9).tolist(), y.tolist()
    ([[1.414213562, 1.414213562], [-1.414213562, -1.414213562], [1.414213562, 1.414213562]], [0, 1, 0])
    """
    y = np.arange(n_samples) % n_classes
    angle = 2 * np.pi * (y + 0.25) / n_classes
    centres = 2 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return centres + spread * rng.normal(size=(n_samples, 2)), y
