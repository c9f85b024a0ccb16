"""Samples, orders and distributions on which the chapter is tried and shown, in integers unless it says otherwise.

Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)``; ``centres`` and ``W (n_classes, n_features)``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mcbook.constraint_classification.theory.constraints import Constraints, constraints_from_rankings
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.types import Array, Exact, Labels
from mcbook.perceptron.instances import Sample


def collinear_sample() -> Sample:
    """-1, 0, 1 on a line, a class each, with a last feature 1: argmax-separable, but not one against the rest.

    Source: Roth (2018), slides on expressiveness.

    >>> X, y = collinear_sample()
    >>> X.tolist(), y.tolist()
    ([[-1, 1], [0, 1], [1, 1]], [0, 1, 2])
    """
    return as_integers([[-1, 1], [0, 1], [1, 1]]), np.arange(3)


def pinwheel_sample() -> Sample:
    """Six points of the plane in three classes, with a last feature 1: pairwise separable, and not by an argmax.

    Source: Roth (2018), slides on expressiveness.

    >>> X, y = pinwheel_sample()
    >>> X[0].tolist(), y.tolist()
    ([-3, 3, 1], [0, 0, 1, 1, 2, 2])
    """
    points = [[-3, 3], [-2, -2], [-3, -3], [0, -1], [1, -1], [-2, 0]]
    return as_integers([[*point, 1] for point in points]), np.array([0, 0, 1, 1, 2, 2])


PINWHEEL_MULTIPLIERS = {(0, 1): 1, (0, 2): 3, (1, 1): 12, (2, 0): 4, (3, 2): 24, (4, 1): 15, (5, 0): 12}


def cyclic_sample() -> Sample:
    """Another such sample of six points, mapped to itself, class to class, by (a, b) -> (-b, a - b).

    Source: this book; sharper than Roth's slides on expressiveness (2018).

    >>> X, _ = cyclic_sample()
    >>> sorted((-b, a - b) for a, b, _ in X.tolist()) == sorted((a, b) for a, b, _ in X.tolist())
    True
    """
    points = [[-2, -2], [0, 1], [2, 0], [-1, -1], [0, 2], [1, 0]]
    return as_integers([[*point, 1] for point in points]), np.array([0, 0, 1, 1, 2, 2])


def voronoi_sample(rng: np.random.Generator, centres: Array, n_samples: int, largest: int = 9) -> Sample:
    """Integer points, none of them as near to two centres, labelled by the nearest, with a last feature 1.

    >>> X, y = voronoi_sample(np.random.default_rng(0), [[-5], [5]], n_samples=20)
    >>> X.shape, ((X[:, 0] > 0) == (y == 1)).all()
    ((20, 2), np.True_)
    """
    centres = np.asarray(centres, dtype=int)
    X = rng.integers(-largest, largest + 1, (20 * n_samples, centres.shape[1]))
    away = ((X[:, None, :] - centres) ** 2).sum(axis=2)
    ordered = np.sort(away, axis=1)
    clear = ordered[:, 0] < ordered[:, 1]
    X, y = X[clear][:n_samples], away[clear].argmin(axis=1)[:n_samples]
    return as_integers(np.c_[X, np.ones(len(X), dtype=int)]), y


def separable_rankings(
    rng: np.random.Generator, n_classes: int, n_features: int, n_samples: int, largest: int = 9
) -> tuple[Exact, Constraints]:
    """Integer points ranked by the scores of a random integer W, no two scores of a point being equal.

    >>> X, constraints = separable_rankings(np.random.default_rng(0), n_classes=3, n_features=2, n_samples=5)
    >>> X.shape, constraints.n_samples, len(constraints)  # a ranking of 3 labels has 2 pairs
    ((5, 2), 5, 10)
    """
    W = rng.integers(-largest, largest + 1, (n_classes, n_features))
    X = rng.integers(-largest, largest + 1, (60 * n_samples, n_features))
    scores = X @ W.T
    clear = (np.diff(np.sort(scores, axis=1), axis=1) > 0).all(axis=1)
    if clear.sum() < n_samples:
        return separable_rankings(rng, n_classes, n_features, n_samples, largest)
    chosen = np.flatnonzero(clear)[:n_samples]
    return as_integers(X[chosen]), constraints_from_rankings(np.argsort(-scores[chosen], axis=1))


def orthonormal_sample(n_points: int) -> Sample:
    """The axes of R^n, all of them of the first of two classes: one update for each, R^2 / gamma^2 = n.

    >>> X, y = orthonormal_sample(2)
    >>> X.tolist(), y.tolist()
    ([[1, 0], [0, 1]], [0, 0])
    """
    return as_integers(np.eye(n_points, dtype=int)), np.zeros(n_points, dtype=np.int64)


def plane_shattering(first: Sequence[bool]) -> tuple[Exact, Exact, list[tuple[int, int]]]:
    """k points of the plane with two options each, and weights that give point i its first option where ``first`` says.

    The rows (i, i^2) are the corners of a polygon; the points are the normals of its sides, so that at point i exactly
    the labels i and i + 1 tie on top.  A small vector added to row i + 1, orthogonal to the next normal, breaks the tie
    at point i as wanted and touches no other.  Returns X, W and the options, all in integers.

    Source: this book; sharper than the VC bound of Roth's slides (2018), for the dimension of Natarajan (1989).

    >>> X, W, options = plane_shattering([True, False, True])
    >>> (X @ W.T).argmax(axis=1).tolist(), options
    ([0, 2, 2], [(0, 1), (1, 2), (2, 0)])
    """
    k = len(first)
    corners = [(i, i * i) for i in range(k)]
    sides = [(corners[(i + 1) % k][0] - a, corners[(i + 1) % k][1] - b) for i, (a, b) in enumerate(corners)]
    normals = [(b, -a) for a, b in sides]
    W = as_integers(corners) * 10_000 * k**4
    for i, wins in enumerate(first):
        x, following = normals[i], normals[(i + 1) % k]
        v = (-following[1], following[0])
        rises = v[0] * x[0] + v[1] * x[1] > 0
        sign = -1 if rises == wins else 1
        W[(i + 1) % k] += sign * as_integers(v)
    return as_integers(normals), W, [(i, (i + 1) % k) for i in range(k)]


def noisy_rankings(rng: np.random.Generator, W: Array, n_samples: int, noise: float) -> tuple[Array, Labels]:
    """Normal points and the rankings of their scores under W with normal noise; floats.

    >>> W = np.array([[1.0], [0.0], [-1.0]])
    >>> _, rankings = noisy_rankings(np.random.default_rng(0), W, n_samples=20, noise=0.0)
    >>> sorted(set(map(tuple, rankings.tolist())))  # without noise the middle label is never first or last
    [(0, 1, 2), (2, 1, 0)]
    """
    X = rng.normal(size=(n_samples, np.shape(W)[1]))
    scores = X @ np.asarray(W).T + noise * rng.normal(size=(n_samples, len(W)))
    return X, np.argsort(-scores, axis=1)
