"""The problems of the binary SVM, each solved to an optimum that is certified before its use.

Shapes: ``X (n_samples, n_features)``, ``signs (n_samples,)`` of -1 and +1, ``K (n_samples, n_samples)``; the points are
w ``(n_features,)`` and alpha ``(n_samples,)``.

Sources: Roth (2018), the slides on the hard and the soft SVM, and for `solve_binary_dual` that on the kernel dual.

Of two points of the line, the hard margin, the cost 1/4, which leaves w = 1/2 and slacks of 1/2, and its dual:

>>> import numpy as np
>>> X, signs = np.array([[1.0], [-1.0]]), np.array([1, -1])
>>> [round(float(solve_binary_primal(X, signs, C)), 6) for C in (None, 0.25)]
[0.5, 0.375]
>>> [round(float(one), 6) for one in (solve_hinge(X, signs, 0.25), solve_binary_dual(X @ X.T, signs, 0.25))]
[0.375, 0.375]
"""

from __future__ import annotations

from mcbook.binary_svm.theory import slack_cost
from mcbook.foundation.checks import require_signed_sample, require_signs
from mcbook.foundation.linear import gram_root
from mcbook.foundation.programs import Optimum, solve_certified
from mcbook.foundation.types import Array


def solve_binary_primal(X: Array, signs: Array, C: float | None) -> Optimum:
    """min 1/2 |w|^2 + C sum_i xi_i under s_i w . x_i >= 1 - xi_i, xi >= 0; with C=None the hard margin, xi = 0."""
    import cvxpy as cp

    X, signs = require_signed_sample(X, signs)
    w = cp.Variable(X.shape[1])
    margins = cp.multiply(signs, X @ w)
    if C is None:
        return solve_certified(cp.Minimize(cp.sum_squares(w) / 2), [margins >= 1], w)
    xi = cp.Variable(len(X), nonneg=True)
    cost = cp.sum_squares(w) / 2 + float(slack_cost(C)) * cp.sum(xi)
    return solve_certified(cp.Minimize(cost), [margins >= 1 - xi], w, xi)


def solve_hinge(X: Array, signs: Array, C: float) -> Optimum:
    """min 1/2 |w|^2 + C sum_i max(0, 1 - s_i w . x_i), without constraints."""
    import cvxpy as cp

    X, signs = require_signed_sample(X, signs)
    w = cp.Variable(X.shape[1])
    paid = cp.sum(cp.pos(1 - cp.multiply(signs, X @ w)))
    return solve_certified(cp.Minimize(cp.sum_squares(w) / 2 + float(slack_cost(C)) * paid), [], w)


def solve_binary_dual(K: Array, signs: Array, C: float | None, *, with_bias: bool = False) -> Optimum:
    """max sum_i alpha_i - 1/2 alpha' Q alpha over 0 <= alpha <= C; C=None: over alpha >= 0.

    ``with_bias`` adds sum_i alpha_i s_i = 0, the constraint of the SVM whose score is w . x + b.
    """
    import cvxpy as cp

    root, signs = gram_root(K), require_signs(signs)
    alpha = cp.Variable(len(signs), nonneg=True)
    constraints = [] if C is None else [alpha <= float(slack_cost(C))]
    constraints += [signs @ alpha == 0] if with_bias else []
    value = cp.sum(alpha) - cp.sum_squares(root.T @ cp.multiply(signs, alpha)) / 2
    return solve_certified(cp.Maximize(value), constraints, alpha)
