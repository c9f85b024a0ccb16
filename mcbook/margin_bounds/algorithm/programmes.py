"""The machine that bounds the longest row of W: max_l |w_l| in place of the Frobenius norm.

Primal: min 1/2 max_l |w_l|^2 + C sum_i xi_i under (w_y - w_z) . x >= 1 - xi for z != y, xi >= 0.  Dual: max over flows
alpha of sum_i alpha_iy - 1/2 (sum_l |v_l|)^2 with v_l = sum_i alpha_il x_i, whose lengths are sqrt(alpha_l' K alpha_l).
Flows have 0 <= alpha_iy <= C, alpha_iz <= 0 for z != y, and rows that sum to 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcbook.foundation.proof import Known
from mcbook.foundation.proof.exact import ball, rational
from mcbook.losses import hinge
from mcbook.problem import score_margins

Array = NDArray[Any]

# Second-order cones end a little less accurately than quadratic programmes.
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class InfinityNormOptimum:
    """The certified optimum and where it is attained: W (n_classes, n_features), or alpha (n_samples, n_classes)."""

    value: Known
    point: Array


def solve_infinity_norm_primal(X: Array, y: Array, n_classes: int, C: float) -> InfinityNormOptimum:
    """min 1/2 max_l |w_l|^2 + C sum_i xi_i, as a cone programme with its certificate."""
    import cvxpy as cp

    X, y = _sample(X, y, n_classes)
    W, longest, xi = cp.Variable((n_classes, X.shape[1])), cp.Variable(), cp.Variable(len(X), nonneg=True)
    constraints = [cp.norm(W[label], 2) <= longest for label in range(n_classes)]
    examples, rivals = np.nonzero(np.eye(n_classes)[y] == 0)
    table = X @ W.T
    constraints += [table[examples, y[examples]] - table[examples, rivals] >= 1 - xi[examples]]
    return _certified(cp.Minimize(cp.square(longest) / 2 + _trade_off(C) * cp.sum(xi)), constraints, W)


def solve_infinity_norm_dual(K: Array, y: Array, n_classes: int, C: float) -> InfinityNormOptimum:
    """max sum_i alpha_iy - 1/2 (sum_l sqrt(alpha_l' K alpha_l))^2 over flows, a cone programme with its certificate."""
    import cvxpy as cp

    values, vectors = np.linalg.eigh(np.asarray(K, dtype=float))
    if values[0] < -1e-8 * max(1.0, values[-1]):
        raise ValueError(f"expected a positive semidefinite Gram matrix, got the eigenvalue {values[0]:.3g}")
    keep = values > 1e-12 * values[-1]
    root = (vectors[:, keep] * np.sqrt(values[keep])).T
    own = np.eye(n_classes)[np.asarray(y)]
    alpha, lengths = cp.Variable(own.shape), cp.Variable(n_classes)
    constraints = [cp.norm(root @ alpha[:, label], 2) <= lengths[label] for label in range(n_classes)]
    constraints += [alpha <= _trade_off(C) * own, cp.sum(alpha, axis=1) == 0]
    value = cp.sum(cp.multiply(own, alpha)) - cp.square(cp.sum(lengths)) / 2
    return _certified(cp.Maximize(value), constraints, alpha)


def infinity_norm_primal_value(W: Array, X: Array, y: Array, C: Any) -> Any:
    """1/2 max_l |w_l|^2 + C sum_i max(0, 1 - rho(x_i, y_i)): exact for ints and fractions."""
    W, X = np.asarray(W), np.asarray(X)
    slacks = hinge(score_margins(X @ W.T, y)).sum()
    longest = (W * W).sum(axis=1).max()
    return (Fraction(longest) if W.dtype == object else longest) / 2 + C * slacks


def infinity_norm_dual_value(alpha: Array, K: Array, y: Array) -> Any:
    """sum_i alpha_iy - 1/2 (sum_l sqrt(alpha_l' K alpha_l))^2; a ball for ints and fractions, else a float."""
    alpha, K = np.asarray(alpha), np.asarray(K)
    linear = alpha[np.arange(len(alpha)), y].sum()
    squares = [column @ K @ column for column in alpha.T]
    if alpha.dtype == object:
        return ball(linear) - sum((ball(square).sqrt() for square in squares), ball(0)) ** 2 / 2
    return linear - np.sqrt(np.maximum(squares, 0)).sum() ** 2 / 2


def recovered_rows(alpha: Array, X: Array) -> Array:
    """w_l = v_l / |v_l| times the sum of all lengths |v_l'|: the rows that belong to an optimal alpha.

    A label with v_l = 0 gets the row 0; the dual does not determine that row.
    """
    v = np.asarray(alpha, dtype=float).T @ np.asarray(X, dtype=float)
    lengths = np.linalg.norm(v, axis=1)
    active = lengths > 1e-6 * lengths.max()
    return np.where(active[:, None], v / np.where(active, lengths, 1)[:, None], 0) * lengths.sum()


def rational_rows(W: Array, grid: int = 2**40) -> Array:
    """The rows rounded to fractions, for values without rounding."""
    return rational(np.round(np.asarray(W, dtype=float) * grid)) * Fraction(1, grid)


def _certified(objective: Any, constraints: list[Any], point: Any) -> InfinityNormOptimum:
    import cvxpy as cp

    from mcbook.foundation.proof.certified import certified_optimum

    found = certified_optimum(cp.Problem(objective, constraints), accuracy=1e-6, tolerance=_TOLERANCE)
    return InfinityNormOptimum(found.value, np.asarray(point.value))


def _trade_off(C: Any) -> float:
    if not C > 0:
        raise ValueError(f"expected a trade-off C > 0, got {C}: it multiplies the sum of the slacks")
    return float(C)


def _sample(X: Array, y: Array, n_classes: int) -> tuple[Array, Array]:
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=int)
    if X.ndim != 2 or y.shape != X.shape[:1] or len(y) == 0 or y.min() < 0 or y.max() >= n_classes:
        raise ValueError(
            f"expected X (n_samples, n_features) and labels 0 .. {n_classes - 1}, got shapes {X.shape} and {y.shape}"
        )
    return X, y
