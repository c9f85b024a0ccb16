"""Linear multi-class classifiers: scores, gaps, margins and the Perceptron's mistake bound.

Every function here takes floats as well as exact numbers (arrays of ints or fractions), and gives back the same kind.
Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)`` with labels 0 .. n_classes - 1, ``W (n_classes, n_features)``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcbook.problem import score_margins

Array = NDArray[Any]


def scores(W: Array, X: Array) -> Array:
    """The scores w_z . x, shape (n_samples, n_classes)."""
    return np.asarray(X) @ np.asarray(W).T


def predict(W: Array, X: Array) -> Array:
    """argmax_z w_z . x; among equal scores the smaller label."""
    return np.argmax(scores(W, X), axis=1)


def gaps(W: Array, X: Array, y: Array) -> Array:
    """min over z != y of (w_y - w_z) . x for each example: positive where the label wins alone."""
    return score_margins(scores(W, X), y)


def frobenius(A: Array, B: Array) -> Any:
    """The inner product of matrices, sum_ij A_ij B_ij."""
    return (np.asarray(A) * np.asarray(B)).sum()


def squared_radius(X: Array) -> Any:
    """R^2 = max |x|^2."""
    return (np.asarray(X) * np.asarray(X)).sum(axis=1).max()


def margins(W: Array, X: Array, y: Array) -> NDArray[np.float64]:
    """margin(x | W) = gap(x) / sqrt(2 |W|_F^2) for each example."""
    squared_norm = float(frobenius(W, W))
    if squared_norm == 0:
        raise ValueError("the margin is not defined for W = 0: fit first, or give a W that separates the sample")
    return np.asarray(gaps(W, X, y), dtype=float) / np.sqrt(2 * squared_norm)


def squared_margin(W: Array, X: Array, y: Array) -> Any:
    """margin(W)^2 = (smallest gap)^2 / (2 |W|_F^2), a rational number when the data are."""
    smallest = gaps(W, X, y).min()
    if not smallest > 0:
        raise ValueError(f"expected a W that separates the sample strictly; its smallest gap is {smallest}")
    return ratio(smallest * smallest, 2 * frobenius(W, W))


def mistake_bound(squared_radius: Any, squared_margin: Any) -> Any:
    """R^2 / gamma^2, the number of updates that the Perceptron makes at most.

    R is the length of the longest example and gamma the best margin.  The squares
    are asked for because they, unlike R and gamma, are rational when the data are.
    """
    if not (squared_radius >= 0 and squared_margin > 0):
        raise ValueError(
            f"expected R^2 >= 0 and gamma^2 > 0, got {squared_radius} and {squared_margin}: is the sample separable?"
        )
    return ratio(squared_radius, squared_margin)


def ratio(numerator: Any, denominator: Any) -> Any:
    """numerator / denominator, as a fraction when both are exact."""
    from fractions import Fraction
    from numbers import Rational

    if isinstance(numerator, Rational) and isinstance(denominator, Rational):
        return Fraction(int(numerator.numerator), int(numerator.denominator)) / Fraction(
            int(denominator.numerator), int(denominator.denominator)
        )
    return numerator / denominator


def kesler_vectors(X: Array, y: Array, n_classes: int) -> Array:
    """The vectors D with <W, D> = (w_y - w_z) . x, flattened: +x in block y, -x in block z, for every z != y.

    Shape (n_samples * (n_classes - 1), n_classes * n_features), rivals of an example next to each other.
    """
    X, y = np.asarray(X), np.asarray(y)
    rows = []
    for x, label in zip(X, y, strict=True):
        for z in range(n_classes):
            if z != label:
                block = np.zeros((n_classes, X.shape[1]), dtype=X.dtype)
                block[label] += x
                block[z] -= x
                rows.append(block.ravel())
    return np.array(rows, dtype=X.dtype).reshape(-1, n_classes * X.shape[1])


def decision_rays(W: Array) -> list[tuple[Any, Any]]:
    """The rays in the plane on which the two best scores tie while no third one is larger.

    For rows of integers each ray is given by its shortest integer direction, so that equal rays are counted once.
    """
    rays = set()
    for i in range(len(W)):
        for j in range(i):
            a, b = W[i][0] - W[j][0], W[i][1] - W[j][1]
            for direction in ((-b, a), (b, -a)) if a or b else ():
                tied = W[i][0] * direction[0] + W[i][1] * direction[1]
                if all(w[0] * direction[0] + w[1] * direction[1] <= tied for w in W):
                    rays.add(_primitive(direction))
    return sorted(rays, key=lambda ray: float(np.arctan2(float(ray[1]), float(ray[0]))))


def _primitive(direction: tuple[Any, Any]) -> tuple[int, int]:
    divisor = int(np.gcd(int(direction[0]), int(direction[1])))
    if any(int(part) != part for part in direction):
        raise ValueError(f"rays are counted exactly, so W must hold integers; got a direction {direction}")
    return int(direction[0]) // divisor, int(direction[1]) // divisor
