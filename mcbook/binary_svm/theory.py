"""The binary support vector machine in formulas: primal and dual objective, and how many labellings a plane can have.

Every function takes floats as well as exact numbers (arrays of ints or fractions), and gives back the same kind.
Shapes: ``X (n_samples, n_features)``, ``signs (n_samples,)`` with entries -1 and +1, ``w (n_features,)``,
``K (n_samples, n_samples)``, ``alpha (n_samples,)``.  ``C`` multiplies the sum of the slacks.

Source of `binary_dual` and `binary_weights`: Roth (2018), slide on the kernel dual.

>>> signed_gram(np.array([[2, 1], [1, 3]]), np.array([1, -1])).tolist()
[[2, -1], [-1, 3]]
>>> binary_dual(np.array([1, 1]), np.array([[1, 0], [0, 1]]))
Fraction(1, 1)
>>> binary_weights(np.array([1, 2]), np.array([[1, 0], [0, 3]]), np.array([1, -1])).tolist()
[1, -6]
"""

from __future__ import annotations

import math

import numpy as np

from mcbook.foundation.checks import require_positive, require_whole
from mcbook.foundation.numbers import quotient
from mcbook.foundation.types import Array, Scalar, Values
from mcbook.losses import hinge
from mcbook.perceptron.theory import frobenius_product


def slack_cost(C: Scalar) -> Values:
    """C as it came, if it is positive."""
    return require_positive(C, "C", "it is the cost of a slack")


def binary_primal(w: Array, X: Array, signs: Array, C: Scalar) -> Scalar:
    """1/2 |w|^2 + C sum_i max(0, 1 - s_i w . x_i), the soft-margin SVM (Roth, CIS 519, slide on soft SVM).

    >>> binary_primal(np.array([1.0]), np.array([[2.0], [-1.0]]), np.array([1, 1]), 3)
    np.float64(6.5)
    """
    return quotient(frobenius_product(w, w), 2) + slack_cost(C) * hinge(np.asarray(signs) * (np.asarray(X) @ w)).sum()


def signed_gram(K: Array, signs: Array) -> Array:
    """Q_ij = s_i s_j K(x_i, x_j)."""
    signs = np.asarray(signs)
    return np.asarray(K) * signs[:, None] * signs[None, :]


def binary_dual(alpha: Array, Q: Array) -> Scalar:
    """sum_i alpha_i - 1/2 alpha' Q alpha, which on 0 <= alpha <= C is at most the primal optimum."""
    alpha = np.asarray(alpha)
    return alpha.sum() - quotient(alpha @ np.asarray(Q) @ alpha, 2)


def binary_weights(alpha: Array, X: Array, signs: Array) -> Array:
    """w = sum_i alpha_i s_i x_i."""
    return np.asarray((np.asarray(alpha) * signs) @ np.asarray(X))


def polynomial_gram(X: Array, Z: Array, degree: int = 2, constant: Scalar = 0) -> Array:
    """(x . z + constant)^degree for all pairs.

    >>> polynomial_gram(np.array([[1, 2]]), np.array([[3, 1], [0, 1]]), degree=2, constant=1).tolist()
    [[36, 9]]
    """
    return np.asarray((np.asarray(X) @ np.asarray(Z).T + constant) ** degree)


def separable_labellings(n_points: int, n_features: int) -> int:
    """2 sum_{i < d} binom(m - 1, i): labellings of m points in general position that a plane through 0 separates.

    Any min(m, d) of the points have to be linearly independent (Cover 1965, theorem 1).

    >>> [separable_labellings(m, 3) for m in (1, 2, 3, 4, 6)]
    [2, 4, 8, 14, 32]
    """
    require_whole(n_points, "n_points", at_least=1)
    require_whole(n_features, "n_features", at_least=1)
    return 2 * sum(math.comb(n_points - 1, i) for i in range(n_features))
