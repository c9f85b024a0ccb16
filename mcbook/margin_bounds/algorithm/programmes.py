"""The machine that bounds a group norm of W: (sum_l |w_l|^p)^(1/p), above all the longest row, p = inf.

Primal: min 1/2 |W|_p^2 + C sum_i xi_i under (w_y - w_z) . x >= 1 - xi for z != y, xi >= 0.  Dual, with 1/p + 1/q = 1:
max over flows alpha of sum_i alpha_iy - 1/2 (sum_l |v_l|^q)^(2/q) with v_l = sum_i alpha_il x_i, whose lengths are
sqrt(alpha_l' K alpha_l).  Flows have 0 <= alpha_iy <= C, alpha_iz <= 0 for z != y, and rows that sum to 0.
"""

from __future__ import annotations

import math
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
class GroupNormOptimum:
    """The certified optimum and where it is attained: W (n_classes, n_features), or alpha (n_samples, n_classes)."""

    value: Known
    point: Array


def conjugate_exponent(p: Any) -> Any:
    """q with 1/p + 1/q = 1, for p >= 1: 1 for p = inf, and inf for p = 1."""
    if not p >= 1:
        raise ValueError(f"expected p >= 1, got {p}: below 1 this is no norm")
    if p in (1, math.inf):
        return math.inf if p == 1 else 1
    return Fraction(p) / (Fraction(p) - 1)


def solve_group_norm_primal(X: Array, y: Array, n_classes: int, C: float, p: Any = math.inf) -> GroupNormOptimum:
    """min 1/2 (sum_l |w_l|^p)^(2/p) + C sum_i xi_i, as a cone programme with its certificate."""
    import cvxpy as cp

    X, y = _sample(X, y, n_classes)
    W, lengths, xi = cp.Variable((n_classes, X.shape[1])), cp.Variable(n_classes), cp.Variable(len(X), nonneg=True)
    constraints = [cp.norm(W[label], 2) <= lengths[label] for label in range(n_classes)]
    examples, rivals = np.nonzero(np.eye(n_classes)[y] == 0)
    table = X @ W.T
    constraints += [table[examples, y[examples]] - table[examples, rivals] >= 1 - xi[examples]]
    value = cp.square(_norm_of(lengths, p)) / 2 + _trade_off(C) * cp.sum(xi)
    return _certified(cp.Minimize(value), constraints, W)


def solve_group_norm_dual(K: Array, y: Array, n_classes: int, C: float, p: Any = math.inf) -> GroupNormOptimum:
    """max sum_i alpha_iy - 1/2 (sum_l (alpha_l' K alpha_l)^(q/2))^(2/q) over flows, a certified cone programme.

    For p = inf that is sum_i alpha_iy - 1/2 (sum_l sqrt(alpha_l' K alpha_l))^2.
    """
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
    value = cp.sum(cp.multiply(own, alpha)) - cp.square(_norm_of(lengths, conjugate_exponent(p))) / 2
    return _certified(cp.Maximize(value), constraints, alpha)


def group_norm_primal_value(W: Array, X: Array, y: Array, C: Any, p: Any = math.inf) -> Any:
    """1/2 |W|_p^2 + C sum_i max(0, 1 - rho(x_i, y_i)): for ints and fractions exact, or a ball if p is not 2 or inf."""
    W, X = np.asarray(W), np.asarray(X)
    slacks = hinge(score_margins(X @ W.T, y)).sum()
    return _half_square((W * W).sum(axis=1), p, C * slacks)


def group_norm_dual_value(alpha: Array, K: Array, y: Array, p: Any = math.inf) -> Any:
    """sum_i alpha_iy - 1/2 (sum_l (alpha_l' K alpha_l)^(q/2))^(2/q): for ints and fractions exact, or a ball."""
    alpha, K = np.asarray(alpha), np.asarray(K)
    linear = alpha[np.arange(len(alpha)), y].sum()
    squares = np.array([column @ K @ column for column in alpha.T])
    return -_half_square(squares, conjugate_exponent(p), -linear)


def recovered_rows(alpha: Array, X: Array, p: Any = math.inf) -> Array:
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


def feasible_flows(alpha: Array, y: Array, C: Any, grid: int = 2**40) -> Array:
    """Fractions next to alpha that meet every constraint of the dual exactly."""
    flows, C = rational_rows(alpha, grid), Fraction(C)
    own = np.eye(flows.shape[1], dtype=bool)[np.asarray(y)]
    given = np.where(own, 0, np.minimum(flows, 0))
    totals = -given.sum(axis=1)
    shrink = np.array([C / total if total > C else 1 for total in totals], dtype=object)
    return np.where(own, (totals * shrink)[:, None], given * shrink[:, None])


def rational_rows(W: Array, grid: int = 2**40) -> Array:
    """The rows rounded to fractions, for values without rounding."""
    return rational(np.round(np.asarray(W, dtype=float) * grid)) * Fraction(1, grid)


def _norm_of(lengths: Any, p: Any) -> Any:
    """The p-norm of variables, which for these p is made of second-order cones without approximation."""
    import cvxpy as cp

    if p in (1, 2, math.inf):
        return cp.norm(lengths, "inf" if p == math.inf else int(p))
    return cp.pnorm(lengths, Fraction(p))


def _half_square(squares: Array, p: Any, rest: Any) -> Any:
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


def _certified(objective: Any, constraints: list[Any], point: Any) -> GroupNormOptimum:
    import cvxpy as cp

    from mcbook.foundation.proof.certified import certified_optimum

    found = certified_optimum(cp.Problem(objective, constraints), accuracy=1e-6, tolerance=_TOLERANCE)
    return GroupNormOptimum(found.value, np.asarray(point.value))


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
