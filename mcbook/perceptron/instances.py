"""Samples on which the Perceptron is put on trial, all of them with integer features."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from mcbook.foundation.numbers import as_integers
from mcbook.foundation.types import Exact, Labels

Sample: TypeAlias = tuple[Exact, Labels]


def separable_sample(
    rng: np.random.Generator, n_classes: int, n_features: int, n_samples: int, largest: int = 9
) -> Sample:
    """Integer points labelled by a random integer W, every class present and no point on a boundary.

    >>> X, y = separable_sample(np.random.default_rng(0), n_classes=3, n_features=2, n_samples=9)
    >>> X.shape, sorted(set(y.tolist()))
    ((9, 2), [0, 1, 2])
    """
    while True:
        W = rng.integers(-largest, largest + 1, (n_classes, n_features))
        X = rng.integers(-largest, largest + 1, (8 * n_samples, n_features))
        table = X @ W.T
        ordered = np.sort(table, axis=1)
        clear = ordered[:, -1] > ordered[:, -2]
        X, y = X[clear][:n_samples], table[clear].argmax(axis=1)[:n_samples]
        if len(X) == n_samples and len(np.unique(y)) == n_classes:
            return as_integers(X), y.astype(np.int64)


def tight_sample(n_classes: int, copies: int = 1) -> Sample:
    """The sample on which the mistake bound is attained, 2 (k - 1) updates for each copy.

    With axes e_1 .. e_{k-1} and e_0 in k dimensions, the points are p_j = k e_j and their mirror images
    q_j = k e_j - 2 (e_1 + ... + e_{k-1}) + 2 e_0, each with label j; the p_j come first.  Copies use axes of their own.

    >>> X, y = tight_sample(3)
    >>> X.tolist(), y.tolist()
    ([[3, 0, 0], [0, 3, 0], [1, -2, 2], [-2, 1, 2]], [1, 2, 1, 2])
    """
    k = n_classes
    if k < 2 or copies < 1:
        raise ValueError(f"expected at least 2 classes and 1 copy, got {k} and {copies}")
    p = np.zeros((k - 1, k), dtype=int)
    p[np.arange(k - 1), np.arange(k - 1)] = k
    q = p.copy()
    q[:, : k - 1] -= 2
    q[:, k - 1] += 2
    block = np.r_[p, q]
    X = np.kron(np.eye(copies, dtype=int), block)
    y = np.tile(np.r_[np.arange(1, k), np.arange(1, k)], copies)
    return as_integers(X), y.astype(np.int64)
