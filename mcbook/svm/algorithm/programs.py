"""The programmes of the support vector machines, each solved to an optimum that is certified before it is used.

`Optimum.value` brackets the optimal value by weak duality (see `mcbook.foundation.proof.certified`).  `exact_bracket`
does without any solver: two witnesses are rounded to rationals, the flows are made feasible, and both objectives are
computed exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.foundation.proof import Known, Tier
from mcbook.foundation.proof.certified import certified_optimum
from mcbook.foundation.proof.exact import rational
from mcbook.svm.algorithm.objective import Loss
from mcbook.svm.theory import Array, dual_objective, primal_objective, trade_off, weston_watkins_objective

_GRID = 2**48


@dataclass(frozen=True)
class Optimum:
    """A certified optimal value with the point that attains it: weights, slacks, or dual variables."""

    value: Known
    point: Array
    n_constraints: int
    slack: Array | None = None

    def __float__(self) -> float:
        return self.value.middle


# --- two classes -----------------------------------------------------------------------------------------------------


def solve_binary_primal(X: Array, signs: Array, C: float | None) -> Optimum:
    """min 1/2 |w|^2 + C sum_i xi_i under s_i w . x_i >= 1 - xi_i, xi >= 0; with C=None the hard margin, xi = 0."""
    import cvxpy as cp

    X, signs = _binary(X, signs)
    w = cp.Variable(X.shape[1])
    margins = cp.multiply(signs, X @ w)
    if C is None:
        return _certified(cp.Minimize(cp.sum_squares(w) / 2), [margins >= 1], w)
    xi = cp.Variable(len(X), nonneg=True)
    cost = cp.sum_squares(w) / 2 + float(trade_off(C)) * cp.sum(xi)
    return _certified(cp.Minimize(cost), [margins >= 1 - xi], w, xi)


def solve_hinge(X: Array, signs: Array, C: float) -> Optimum:
    """min 1/2 |w|^2 + C sum_i max(0, 1 - s_i w . x_i), without constraints."""
    import cvxpy as cp

    X, signs = _binary(X, signs)
    w = cp.Variable(X.shape[1])
    paid = cp.sum(cp.pos(1 - cp.multiply(signs, X @ w)))
    return _certified(cp.Minimize(cp.sum_squares(w) / 2 + float(trade_off(C)) * paid), [], w)


def solve_binary_dual(K: Array, signs: Array, C: float | None, *, with_bias: bool = False) -> Optimum:
    """max sum_i alpha_i - 1/2 alpha' Q alpha over 0 <= alpha <= C; C=None: over alpha >= 0.

    ``with_bias`` adds sum_i alpha_i s_i = 0, the constraint of the machine whose score is w . x + b.
    """
    import cvxpy as cp

    root, signs = _root(K), np.asarray(signs, dtype=float)
    alpha = cp.Variable(len(signs), nonneg=True)
    constraints = [] if C is None else [alpha <= float(trade_off(C))]
    constraints += [signs @ alpha == 0] if with_bias else []
    value = cp.sum(alpha) - cp.sum_squares(root.T @ cp.multiply(signs, alpha)) / 2
    return _certified(cp.Maximize(value), constraints, alpha)


# --- many classes ----------------------------------------------------------------------------------------------------


def solve_multiclass_primal(
    X: Array, y: Array, n_classes: int, C: float | None, loss: Loss = "crammer-singer"
) -> Optimum:
    """min 1/2 |W|^2 + C sum xi under (w_y - w_z) . x >= 1 - xi for z != y, xi >= 0; with C=None the hard margin.

    One slack for each example (Crammer and Singer), or one for each example and rival (Weston and Watkins).
    """
    import cvxpy as cp

    X, y = _multiclass(X, y, n_classes)
    W = cp.Variable((n_classes, X.shape[1]))
    examples, rivals, gaps = _gaps(X, y, n_classes, W)
    if C is None:
        return _certified(cp.Minimize(cp.sum_squares(W) / 2), [gaps >= 1], W)
    xi = cp.Variable(len(X) if _one_each(loss) else len(rivals), nonneg=True)
    slack = xi[examples] if _one_each(loss) else xi
    cost = cp.sum_squares(W) / 2 + float(trade_off(C)) * cp.sum(xi)
    return _certified(cp.Minimize(cost), [gaps >= 1 - slack], W, xi)


def solve_multiclass_dual(
    K: Array, y: Array, n_classes: int, C: float, loss: Loss = "crammer-singer", *, balanced: bool = True
) -> Optimum:
    """max sum_i alpha_iy - 1/2 sum_ij <alpha_i, alpha_j> K_ij over flows.

    Flows have alpha_iz <= 0 for rivals z and rows that sum to 0.  Crammer and Singer: alpha_iy <= C; Weston and
    Watkins: alpha_iz >= -C.  ``balanced=False`` leaves the condition on the sums out, as a control.
    """
    import cvxpy as cp

    root, own = _root(K), np.eye(n_classes)[np.asarray(y)]
    C = float(trade_off(C))
    alpha = cp.Variable((len(own), n_classes))
    constraints = [alpha <= C * own] if _one_each(loss) else [cp.multiply(1 - own, alpha) <= 0, alpha >= -C * (1 - own)]
    constraints += [cp.sum(alpha, axis=1) == 0] if balanced else []
    value = cp.sum(cp.multiply(own, alpha)) - cp.sum_squares(root.T @ alpha) / 2
    return _certified(cp.Maximize(value), constraints, alpha)


def solve_single_sum_dual(K: Array, y: Array, n_classes: int, C: float) -> Optimum:
    """The dual as it is printed with one sum only: the quadratic term sum_i |alpha_i|^2 K_ii without pairs i != j."""
    return solve_multiclass_dual(np.diag(np.diag(np.asarray(K, dtype=float))), y, n_classes, C)


def solve_least_slack(X: Array, y: Array, n_classes: int, radius: float) -> Optimum:
    """min sum_i xi_i over |W|_F <= radius: what the generalisation bound asks for."""
    import cvxpy as cp

    X, y = _multiclass(X, y, n_classes)
    W, xi = cp.Variable((n_classes, X.shape[1])), cp.Variable(len(X), nonneg=True)
    examples, _, gaps = _gaps(X, y, n_classes, W)
    bounded = [cp.norm(cp.vec(W, order="C"), 2) <= 1]
    problem = cp.Problem(cp.Minimize(cp.sum(xi)), [float(radius) * gaps >= 1 - xi[examples], *bounded])
    value = certified_optimum(problem, tolerance=1e-9).value
    return Optimum(value, float(radius) * np.asarray(W.value), _n_constraints(problem), np.asarray(xi.value))


def solve_block(others: Array, label: int, C: float, squared_norm: float) -> Optimum:
    """The sub-problem of one example as a programme: max a_y - <a, others> - K_ii / 2 |a|^2 over its flows a."""
    import cvxpy as cp

    others = np.asarray(others, dtype=float)
    flow, own = cp.Variable(len(others)), np.eye(len(others))[label]
    value = flow[label] - others @ flow - float(squared_norm) / 2 * cp.sum_squares(flow)
    return _certified(cp.Maximize(value), [flow <= float(trade_off(C)) * own, cp.sum(flow) == 0], flow)


# --- brackets without a solver ---------------------------------------------------------------------------------------


def feasible_flows(alpha: Array, y: Array, C: Any, loss: Loss = "crammer-singer") -> Array:
    """Rational flows next to alpha that meet every constraint of the dual exactly."""
    flows, C = rational(np.round(np.asarray(alpha, dtype=float) * _GRID)) * Fraction(1, _GRID), Fraction(C)
    own = np.eye(flows.shape[1], dtype=bool)[np.asarray(y)]
    given = np.where(own, 0, np.minimum(flows, 0))
    if not _one_each(loss):
        given = np.maximum(given, -C)
    totals = -given.sum(axis=1)
    if _one_each(loss):
        shrink = np.array([Fraction(C) / total if total > C else 1 for total in totals], dtype=object)
        given, totals = given * shrink[:, None], totals * shrink
    return np.where(own, totals[:, None], given)


def exact_bracket(W: Array, alpha: Array, X: Array, y: Array, C: Any, loss: Loss = "crammer-singer") -> Known:
    """The optimum between the dual value of the flows next to alpha and the primal value of W, both in rationals."""
    X, C = rational(X), Fraction(C)
    W = rational(np.round(np.asarray(W, dtype=float) * _GRID)) * Fraction(1, _GRID)
    primal = primal_objective if _one_each(loss) else weston_watkins_objective
    flows = feasible_flows(alpha, y, C, loss)
    return Known(dual_objective(flows, X @ X.T, y), primal(W, X, y, C), Tier.CERTIFIED)


# --- shared parts ----------------------------------------------------------------------------------------------------


def _certified(objective: Any, constraints: list[Any], point: Any, slack: Any = None) -> Optimum:
    import cvxpy as cp

    problem = cp.Problem(objective, constraints)
    value = certified_optimum(problem).value
    slacks = None if slack is None else np.asarray(slack.value)
    return Optimum(value, np.asarray(point.value), _n_constraints(problem), slacks)


def _n_constraints(problem: Any) -> int:
    """Scalar constraints, the signs of variables among them."""
    signed = sum(variable.size for variable in problem.variables() if variable.is_nonneg())
    return int(signed + sum(constraint.size for constraint in problem.constraints))


def _gaps(X: Array, y: Array, n_classes: int, W: Any) -> tuple[Array, Array, Any]:
    """The examples and rivals of all margin constraints, and (w_y - w_z) . x for each."""
    examples, rivals = np.nonzero(np.eye(n_classes)[y] == 0)
    table = X @ W.T
    return examples, rivals, table[examples, y[examples]] - table[examples, rivals]


def _root(K: Array) -> Array:
    """A matrix with K = root root', from the eigenvalues; a kernel must have none below 0."""
    K = np.asarray(K, dtype=float)
    values, vectors = np.linalg.eigh(K)
    if values[0] < -1e-8 * max(1.0, values[-1]):
        raise ValueError(
            f"expected a positive semidefinite Gram matrix, got an eigenvalue {values[0]:.3g}: not a kernel"
        )
    return vectors * np.sqrt(np.maximum(values, 0))


def _one_each(loss: str) -> bool:
    if loss not in ("crammer-singer", "weston-watkins"):
        raise ValueError(f"loss must be 'crammer-singer' or 'weston-watkins', got {loss!r}")
    return loss == "crammer-singer"


def _binary(X: Array, signs: Array) -> tuple[Array, Array]:
    X, signs = np.asarray(X, dtype=float), np.asarray(signs, dtype=float)
    if X.ndim != 2 or signs.shape != X.shape[:1] or not set(signs.tolist()) <= {-1.0, 1.0}:
        raise ValueError(f"expected X (n_samples, n_features) and signs -1 or +1, got shapes {X.shape}, {signs.shape}")
    return X, signs


def _multiclass(X: Array, y: Array, n_classes: int) -> tuple[Array, Array]:
    X, y = np.asarray(X, dtype=float), np.asarray(y, dtype=int)
    if X.ndim != 2 or y.shape != X.shape[:1] or len(y) == 0 or y.min() < 0 or y.max() >= n_classes:
        raise ValueError(
            f"expected X (n_samples, n_features) and labels 0 .. {n_classes - 1}, got {X.shape}, {y.shape}"
        )
    return X, y
