"""The support vector machine on constraints: dual coordinate ascent in d dimensions, and its problem.

Shapes: ``X (n_samples, n_features)``, ``W (n_classes, n_features)``, ``alpha (n_pairs,)`` with a multiplier for each
pair of the constraints, lifted ``vectors (n_pairs, n_classes * n_features)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mcbook.constraint_classification.algorithm.run import Order, _kernel, _sample, _zeros
from mcbook.constraint_classification.theory.constraints import Constraints, constraint_gaps
from mcbook.foundation.checks import require_positive, require_whole
from mcbook.foundation.programs import Expression, Optimum, solve_certified
from mcbook.foundation.types import Array, Scalar
from mcbook.foundation.vocabulary import LOOSE_TOL


@dataclass(frozen=True)
class ConstraintSVMSolution:
    """Weights, multipliers and the two objectives between which the optimum lies.

    >>> from mcbook.constraint_classification import constraints_from_classes
    >>> found = solve_constraint_svm(np.eye(2), constraints_from_classes([0, 1], 2), C=1.0)
    >>> found.gap < 1e-8, found.alpha.round(6).tolist()
    (True, [0.5, 0.5])
    """

    W: Array
    alpha: Array
    primal: Scalar
    dual: Scalar
    n_epochs: int

    @property
    def gap(self) -> float:
        """The relative duality gap (primal - dual) / primal."""
        return float((self.primal - self.dual) / max(self.primal, 1e-300))


def solve_constraint_svm(
    X: Array,
    constraints: Constraints,
    C: int | float | Fraction = 1,
    *,
    tol: float = LOOSE_TOL,
    order: Order | None = None,
    sample_weight: Array | None = None,
    max_epochs: int = 1000,
) -> ConstraintSVMSolution:
    """min 1/2 |W|_F^2 + C sum over pairs of max(0, 1 - (w_i - w_j) . x), by dual coordinate ascent.

    The binary SVM without a bias on the Kesler vectors, all of them positive; for classes the SVM of Weston and
    Watkins.  A pair costs O(d), once its example's scores are there.

    Source: Roth (2018), Kesler Perceptron and conservative update.

    >>> from mcbook.constraint_classification import constraints_from_classes
    >>> found = solve_constraint_svm(np.eye(2), constraints_from_classes([0, 1], 2), C=1.0)
    >>> found.W.round(6).tolist(), round(float(found.primal), 6)
    ([[0.5, -0.5], [-0.5, 0.5]], 0.5)
    """
    X, weight = _sample(X, constraints, sample_weight)
    limits = np.asarray(weight[constraints.examples] * require_positive(C, "C", "it is the cost of a slack"))
    visit = _kernel("ascent_pass", X.dtype)
    W, alpha = _zeros((constraints.n_classes, X.shape[1]), X.dtype), np.asarray(0 * limits)
    for epoch in range(require_whole(max_epochs, "max_epochs", at_least=1)):
        chosen = np.arange(len(X)) if order is None else np.ascontiguousarray(order(epoch), dtype=np.int64)
        visit(X, constraints.starts, constraints.preferred, constraints.rivals, chosen, limits, W, alpha)
        found = _both_objectives(W, alpha, X, constraints, limits, epoch + 1)
        if found.gap <= tol:
            break
    return found


def _both_objectives(
    W: Array, alpha: Array, X: Array, constraints: Constraints, limits: Array, n_epochs: int
) -> ConstraintSVMSolution:
    half = (W * W).sum() / 2
    slacks = np.maximum(1 - constraint_gaps(W, X, constraints), 0)
    return ConstraintSVMSolution(W, alpha, half + (limits * slacks).sum(), alpha.sum() - half, n_epochs)


def solve_constraint_program(X: Array, constraints: Constraints, C: float | None) -> Optimum:
    """The same optimum in d dimensions from a generic solver, certified; without C the hard margin.

    >>> from mcbook.constraint_classification import constraints_from_classes
    >>> round(float(solve_constraint_program(np.eye(2), constraints_from_classes([0, 1], 2), C=1.0)), 6)
    0.5
    """
    import cvxpy as cp

    W = cp.Variable((constraints.n_classes, np.shape(X)[1]))
    table = np.asarray(X, dtype=float) @ W.T
    gaps = table[constraints.examples, constraints.preferred] - table[constraints.examples, constraints.rivals]
    return _solved(gaps, W, C)


def solve_lifted_program(vectors: Array, C: float | None) -> Optimum:
    """min 1/2 |w|^2 + C sum max(0, 1 - w . v) over the Kesler vectors v, certified; without C the hard margin.

    >>> round(float(solve_lifted_program(np.array([[1, 0, -1, 0], [0, -1, 0, 1]]), C=1.0)), 6)
    0.5
    """
    import cvxpy as cp

    w = cp.Variable(np.shape(vectors)[1])
    return _solved(np.asarray(vectors, dtype=float) @ w, w, C)


def _solved(gaps: Expression, weights: Expression, C: float | None) -> Optimum:
    import cvxpy as cp

    cost = cp.sum_squares(weights) / 2
    if C is None:
        return solve_certified(cp.Minimize(cost), [gaps >= 1], weights)
    xi = cp.Variable(gaps.shape[0], nonneg=True)
    return solve_certified(cp.Minimize(cost + C * cp.sum(xi)), [gaps >= 1 - xi], weights, xi)
