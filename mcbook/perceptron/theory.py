"""Linear multi-class classifiers: scores, gaps, margins and the Perceptron's mistake bound.

Every function here takes floats as well as exact numbers (arrays of ints or fractions), and gives back the same kind.
Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)`` with labels 0 .. n_classes - 1, ``W (n_classes, n_features)``.

Source of `mistake_bound`: Tao, the theorem.
"""

from __future__ import annotations

import itertools

import numpy as np

from mcbook.foundation.checks import require_labels
from mcbook.foundation.numbers import quotient, square_root
from mcbook.foundation.types import Array, Labels, Scalar, Values
from mcbook.problem import predict_from_scores, score_margins


def scores(W: Array, X: Array) -> Array:
    """The scores w_z . x, shape (n_samples, n_classes).

    Source: Tao, definition of a linear classifier.

    >>> scores(np.array([[1, 0], [0, 1]]), np.array([[2, 5]])).tolist()
    [[2, 5]]
    """
    return np.asarray(X) @ np.asarray(W).T


def predict(W: Array, X: Array) -> Labels:
    """argmax_z w_z . x; among equal scores the smaller label (Tao, the definition of a linear classifier).

    Source: Tao, definition of a linear classifier.

    >>> predict([[2, 0], [0, 2], [1, 1]], [[3, 1], [1, 3], [1, 1]]).tolist()
    [0, 1, 0]
    """
    return predict_from_scores(scores(W, X))


def gaps(W: Array, X: Array, y: Labels) -> Array:
    """min over z != y of (w_y - w_z) . x for each example: positive where the label wins alone.

    >>> gaps(np.array([[1, 0], [0, 1]]), np.array([[2, 1], [1, 1]]), np.array([0, 0])).tolist()
    [1, 0]
    """
    return score_margins(scores(W, X), y)


def frobenius_product(A: Array, B: Array) -> Values:
    """The inner product of matrices, sum_ij A_ij B_ij.

    Source: Tao, slide on the Frobenius norm.

    >>> int(frobenius_product([[1, 2], [3, 4]], [[1, 0], [0, 1]]))
    5
    """
    return (np.asarray(A) * np.asarray(B)).sum()


def squared_radius(X: Array) -> Values:
    """R^2 = max_i |x_i|^2 for ``X (n_samples, n_features)``.

    >>> int(squared_radius(np.array([[3, 4], [1, 1]])))
    25
    """
    return (np.asarray(X) * np.asarray(X)).sum(axis=1).max()


def margins(W: Array, X: Array, y: Labels) -> Array:
    """margin(x | W) = min over z != y of (w_y - w_z) . x / (sqrt(2) |W|_F) for each example (Tao, its definition).

    Exact where the data are and 2 |W|_F^2 is the square of a rational number; floats otherwise.

    Source: Tao, definition of the margin.

    >>> margins([[1, 0], [0, 1]], [[3, 1]], [0]).tolist()
    [Fraction(1, 1)]
    """
    length = square_root(2 * frobenius_product(W, W))
    if length == 0:
        raise ValueError("the margin is not defined for W = 0: fit first, or give a W that separates the sample")
    return np.array([quotient(gap, length) for gap in gaps(W, X, y)])


def squared_margin(W: Array, X: Array, y: Labels) -> Values:
    """margin(W)^2 = (smallest gap)^2 / (2 |W|_F^2), a rational number when the data are.

    Source: Tao, definition of the margin.

    >>> squared_margin(np.array([[1, 0], [0, 1]]), np.array([[2, 1], [1, 3]]), np.array([0, 1]))
    Fraction(1, 4)
    """
    smallest = gaps(W, X, y).min()
    if not smallest > 0:
        raise ValueError(f"expected a W that separates the sample strictly; its smallest gap is {smallest}")
    return quotient(smallest * smallest, 2 * frobenius_product(W, W))


def mistake_bound(squared_radius: Scalar, squared_margin: Scalar) -> Values:
    """R^2 / gamma^2, the number of updates that the Perceptron makes at most (Tao, the theorem).

    R is the length of the longest example and gamma the best margin.  The squares
    are asked for because they, unlike R and gamma, are rational when the data are.

    >>> from fractions import Fraction
    >>> mistake_bound(9, Fraction(9, 4))
    Fraction(4, 1)
    """
    if not (squared_radius >= 0 and squared_margin > 0):
        raise ValueError(
            f"expected R^2 >= 0 and gamma^2 > 0, got {squared_radius} and {squared_margin}: is the sample separable?"
        )
    return quotient(squared_radius, squared_margin)


def kesler_vectors(X: Array, y: Labels, n_classes: int) -> Array:
    """The vectors D with <W, D> = (w_y - w_z) . x, flattened: +x in block y, -x in block z, for every z != y.

    Shape (n_samples * (n_classes - 1), n_classes * n_features), rivals of an example next to each other.

    Source: Tao, definition of linear separability.

    >>> kesler_vectors([[2, 1]], [0], 3).tolist()
    [[2, 1, -2, -1, 0, 0], [2, 1, 0, 0, -2, -1]]
    """
    X, y = np.asarray(X), require_labels(y, n_classes)
    rows = []
    for x, label in zip(X, y, strict=True):
        for z in range(n_classes):
            if z != label:
                block = np.zeros((n_classes, X.shape[1]), dtype=X.dtype)
                block[label] += x
                block[z] -= x
                rows.append(block.ravel())
    return np.array(rows, dtype=X.dtype).reshape(-1, n_classes * X.shape[1])


def decision_rays(W: Array) -> list[tuple[int, int]]:
    """The rays in the plane on which the two best scores tie while no third one is larger.

    For rows of integers each ray is given by its shortest integer direction, so that equal rays are counted once.

    Source: Tao, figure with three rays.

    >>> decision_rays(np.array([[1, 0], [-1, 0]]))
    [(0, -1), (0, 1)]
    """
    rays = set()
    for v, w in itertools.combinations(np.asarray(W), 2):
        a, b = w - v
        for direction in ((-b, a), (b, -a)) if a or b else ():
            if (W @ np.array(direction) <= w @ np.array(direction)).all():
                rays.add(_primitive(direction))
    return sorted(rays, key=lambda ray: float(np.arctan2(float(ray[1]), float(ray[0]))))


def _primitive(direction: tuple[int, int]) -> tuple[int, int]:
    divisor = int(np.gcd(int(direction[0]), int(direction[1])))
    if any(int(part) != part for part in direction):
        raise ValueError(f"rays are counted exactly, so W must hold integers; got a direction {direction}")
    return int(direction[0]) // divisor, int(direction[1]) // divisor
