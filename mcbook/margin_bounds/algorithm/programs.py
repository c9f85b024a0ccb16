"""The SVM that bounds a group norm of W: (sum_l |w_l|^p)^(1/p), above all the longest row, p = inf.

Primal: min 1/2 |W|_p^2 + C sum_i xi_i under (w_y - w_z) . x >= 1 - xi for z != y, xi >= 0.  Dual, with 1/p + 1/q = 1:
max over flows alpha of sum_i alpha_iy - 1/2 (sum_l |v_l|^q)^(2/q) with v_l = sum_i alpha_il x_i, whose lengths are
sqrt(alpha_l' K alpha_l).  Flows have 0 <= alpha_iy <= C, alpha_iz <= 0 for z != y, and rows that sum to 0.

Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)``, ``W (n_classes, n_features)``, ``K (n_samples, n_samples)``,
``alpha (n_samples, n_classes)``.

Source: Mohri et al. (2018), Exercises 9.1 and 9.2.

Of two axes, one for each class:

>>> round(float(solve_group_norm_dual(np.eye(2), np.array([0, 1]), 2, C=1.0)), 4)
0.25
>>> recovered_rows(np.array([[0.25, -0.25], [-0.25, 0.25]]), np.eye(2)).round(6).tolist()
[[0.5, -0.5], [-0.5, 0.5]]
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from mcbook.foundation.checks import require_at_least, require_labels, require_sample
from mcbook.foundation.linear import gram_root
from mcbook.foundation.numbers import ball
from mcbook.foundation.programs import (
    Expression,
    Optimum,
    flow_constraints,
    solve_certified,
    solve_multiclass_svm,
)
from mcbook.foundation.types import Array, Floats, Scalar, Values
from mcbook.losses import hinge
from mcbook.problem import score_margins

# Second-order cones end a little less accurately than quadratic programs.
_ACCURACY, _TOLERANCE = 1e-6, 1e-9

# p >= 1, infinity included.
Exponent: TypeAlias = int | float | Fraction


def conjugate_exponent(p: Exponent) -> Exponent:
    """q with 1/p + 1/q = 1, for p >= 1: 1 for p = inf, and inf for p = 1.

    >>> conjugate_exponent(4)
    Fraction(4, 3)
    """
    require_at_least(p, 1, "p", "below 1 this is no norm")
    if p in (1, math.inf):
        return math.inf if p == 1 else 1
    return Fraction(p) / (Fraction(p) - 1)


def solve_group_norm_primal(X: Array, y: Array, n_classes: int, C: float, p: Exponent = math.inf) -> Optimum:
    """min 1/2 (sum_l |w_l|^p)^(2/p) + C sum_i xi_i, certified; the point is W (n_classes, n_features).

    Source: Mohri et al. (2018), Exercises 9.1 and 9.2.

    >>> round(float(solve_group_norm_primal(np.eye(2), np.array([0, 1]), 2, C=1.0)), 4)
    0.25
    """
    import cvxpy as cp

    def half_squared_norm(W: Expression) -> tuple[Expression, list[Expression]]:
        lengths = cp.Variable(n_classes)
        return cp.square(_norm_of(lengths, p)) / 2, [
            cp.norm(W[label], 2) <= lengths[label] for label in range(n_classes)
        ]

    return solve_multiclass_svm(X, y, n_classes, C, norm=half_squared_norm, accuracy=_ACCURACY, tolerance=_TOLERANCE)


def solve_group_norm_dual(K: Array, y: Array, n_classes: int, C: float, p: Exponent = math.inf) -> Optimum:
    """max sum_i alpha_iy - 1/2 (sum_l (alpha_l' K alpha_l)^(q/2))^(2/q) over flows, certified; the point is alpha.

    For p = inf that is sum_i alpha_iy - 1/2 (sum_l sqrt(alpha_l' K alpha_l))^2.
    """
    import cvxpy as cp

    root = gram_root(K).T
    _, y = require_sample(K, y, n_classes)
    alpha, lengths = cp.Variable((len(y), n_classes)), cp.Variable(n_classes)
    constraints = [cp.norm(root @ alpha[:, label], 2) <= lengths[label] for label in range(n_classes)]
    own = cp.sum(cp.multiply(np.eye(n_classes)[y], alpha))
    value = own - cp.square(_norm_of(lengths, conjugate_exponent(p))) / 2
    return solve_certified(
        cp.Maximize(value),
        [*constraints, *flow_constraints(alpha, y, C)],
        alpha,
        accuracy=_ACCURACY,
        tolerance=_TOLERANCE,
    )


def group_norm_primal_value(W: Array, X: Array, y: Array, C: Scalar, p: Exponent = math.inf) -> Values:
    """1/2 |W|_p^2 + C sum_i max(0, 1 - rho(x_i, y_i)): for ints and fractions exact, or a ball if p is not 2 or inf.

    >>> W = np.array([[1, -1], [-1, 1]], dtype=object)
    >>> group_norm_primal_value(W, np.eye(2, dtype=int), np.array([0, 1]), C=1)  # all margins are 2
    Fraction(1, 1)
    """
    W, X = np.asarray(W), np.asarray(X)
    slacks = hinge(score_margins(X @ W.T, y)).sum()
    return _half_square((W * W).sum(axis=1), p, C * slacks)


def group_norm_dual_value(alpha: Array, K: Array, y: Array, p: Exponent = math.inf) -> Values:
    """sum_i alpha_iy - 1/2 (sum_l (alpha_l' K alpha_l)^(q/2))^(2/q): for ints and fractions exact, or a ball.

    >>> alpha = np.array([[0.25, -0.25], [-0.25, 0.25]])
    >>> round(float(group_norm_dual_value(alpha, np.eye(2), np.array([0, 1]))), 6)
    0.25
    """
    alpha, K = np.asarray(alpha), np.asarray(K)
    linear = alpha[np.arange(len(alpha)), require_labels(y, alpha.shape[1])].sum()
    squares = np.array([column @ K @ column for column in alpha.T], dtype=alpha.dtype)
    return -_half_square(squares, conjugate_exponent(p), -linear)


def recovered_rows(alpha: Array, X: Array, p: Exponent = math.inf) -> Floats:
    """w_l = v_l |v_l|^(q-2) (sum_l' |v_l'|^q)^(2/q-1): the rows that belong to an optimal alpha, for p > 1.

    For p = inf that is v_l / |v_l| times the sum of all lengths.  A label with v_l = 0 gets the row 0; for p = inf the
    dual does not determine that row.
    """
    q = conjugate_exponent(p)
    if q == math.inf:
        raise ValueError("expected p > 1, got 1: the dual does not determine the lengths of the rows")
    v = np.asarray(alpha, dtype=float).T @ np.asarray(X, dtype=float)
    lengths, power = np.linalg.norm(v, axis=1), float(q)
    active = lengths > 1e-6 * lengths.max()
    factors = np.where(active, lengths, 1.0) ** (power - 2) * (lengths**power).sum() ** (2 / power - 1)
    return np.where(active[:, None], v * factors[:, None], 0)


def _norm_of(lengths: Expression, p: Exponent) -> Expression:
    """The p-norm of variables, which for these p is made of second-order cones without approximation."""
    import cvxpy as cp

    if p in (1, 2, math.inf):
        return cp.norm(lengths, "inf" if p == math.inf else int(p))
    return cp.pnorm(lengths, Fraction(p))


def _half_square(squares: Array, p: Exponent, rest: Values) -> Values:
    """1/2 (sum_l |v_l|^p)^(2/p) + rest, from the squared lengths."""
    if p in (2, math.inf):
        whole = squares.max() if p == math.inf else squares.sum()
        return (Fraction(whole) if squares.dtype == object else whole) / 2 + rest
    if squares.dtype == object:
        positive, power = [ball(square) for square in squares if square > 0], ball(Fraction(p) / 2)
        norm = sum((square**power for square in positive), ball(0)) ** (1 / power) if positive else ball(0)
        return norm / 2 + ball(rest)
    power = float(p) / 2
    return (np.maximum(squares, 0) ** power).sum() ** (1 / power) / 2 + rest
