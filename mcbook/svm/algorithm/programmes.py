"""The programmes of the binary machine and of single parts, each solved to an optimum that is certified before its use.

Those of the multi-class machine, primal and dual, are `solve_multiclass_machine` and `solve_flows` of
`mcbook.foundation.programmes`.  `exact_bracket` does without any solver: two witnesses are rounded to rationals, the
flows are made feasible, and both objectives are computed exactly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.foundation.checks import require_sample, require_signed_sample, require_signs
from mcbook.foundation.linear import gram_root
from mcbook.foundation.numbers import nearby_fractions, rational
from mcbook.foundation.programmes import Optimum, has_one_slack_each, margins_over_rivals, solve_certified
from mcbook.foundation.proof import Known, Tier
from mcbook.foundation.types import Array, Exact, Labels, Scalar
from mcbook.foundation.vocabulary import SlackLoss
from mcbook.svm.theory import dual_objective, price, primal_objective

# Witnesses are rounded to multiples of 2^-48.
_BITS = 48


# --- two classes -----------------------------------------------------------------------------------------------------


def solve_binary_primal(X: Array, signs: Array, C: float | None) -> Optimum:
    """min 1/2 |w|^2 + C sum_i xi_i under s_i w . x_i >= 1 - xi_i, xi >= 0; with C=None the hard margin, xi = 0."""
    import cvxpy as cp

    X, signs = require_signed_sample(X, signs)
    w = cp.Variable(X.shape[1])
    margins = cp.multiply(signs, X @ w)
    if C is None:
        return solve_certified(cp.Minimize(cp.sum_squares(w) / 2), [margins >= 1], w)
    xi = cp.Variable(len(X), nonneg=True)
    cost = cp.sum_squares(w) / 2 + float(price(C)) * cp.sum(xi)
    return solve_certified(cp.Minimize(cost), [margins >= 1 - xi], w, xi)


def solve_hinge(X: Array, signs: Array, C: float) -> Optimum:
    """min 1/2 |w|^2 + C sum_i max(0, 1 - s_i w . x_i), without constraints."""
    import cvxpy as cp

    X, signs = require_signed_sample(X, signs)
    w = cp.Variable(X.shape[1])
    paid = cp.sum(cp.pos(1 - cp.multiply(signs, X @ w)))
    return solve_certified(cp.Minimize(cp.sum_squares(w) / 2 + float(price(C)) * paid), [], w)


def solve_binary_dual(K: Array, signs: Array, C: float | None, *, with_bias: bool = False) -> Optimum:
    """max sum_i alpha_i - 1/2 alpha' Q alpha over 0 <= alpha <= C; C=None: over alpha >= 0.

    ``with_bias`` adds sum_i alpha_i s_i = 0, the constraint of the machine whose score is w . x + b.
    """
    import cvxpy as cp

    root, signs = gram_root(K), require_signs(signs)
    alpha = cp.Variable(len(signs), nonneg=True)
    constraints = [] if C is None else [alpha <= float(price(C))]
    constraints += [signs @ alpha == 0] if with_bias else []
    value = cp.sum(alpha) - cp.sum_squares(root.T @ cp.multiply(signs, alpha)) / 2
    return solve_certified(cp.Maximize(value), constraints, alpha)


# --- many classes ----------------------------------------------------------------------------------------------------


def solve_least_slack(X: Array, y: Labels, n_classes: int, radius: float) -> Optimum:
    """min sum_i xi_i over |W|_F <= radius: what the generalisation bound asks for, to an accuracy of 1e-5.

    The ball is a cone, on which the solver ends less accurately than on programmes with quadratic costs: asked for
    more, it answers on some samples that it may be wrong.
    """
    import cvxpy as cp

    X, y = require_sample(X, y, n_classes)
    W, xi = cp.Variable((n_classes, X.shape[1])), cp.Variable(len(X), nonneg=True)
    margins = margins_over_rivals(X, y, W)
    bounded = [cp.norm(cp.vec(W, order="C"), 2) <= 1]
    asked = [float(radius) * margins.gaps >= 1 - xi[margins.examples], *bounded]
    found = solve_certified(cp.Minimize(cp.sum(xi)), asked, W, xi, accuracy=1e-5, tolerance=1e-8)
    return Optimum(found.value, float(radius) * found.point, found.n_constraints, found.slack)


def solve_block(others: Array, label: int, C: float, squared_norm: float) -> Optimum:
    """The sub-problem of one example as a programme: max a_y - <a, others> - K_ii / 2 |a|^2 over its flows a."""
    import cvxpy as cp

    others = np.asarray(others, dtype=float)
    flow, own = cp.Variable(len(others)), np.eye(len(others))[label]
    value = flow[label] - others @ flow - float(squared_norm) / 2 * cp.sum_squares(flow)
    return solve_certified(cp.Maximize(value), [flow <= float(price(C)) * own, cp.sum(flow) == 0], flow)


# --- brackets without a solver ---------------------------------------------------------------------------------------


def feasible_flows(alpha: Array, y: Labels, C: Scalar, loss: SlackLoss = "crammer-singer") -> Exact:
    """Rational flows next to alpha that meet every constraint of the dual exactly."""
    flows: Exact = nearby_fractions(alpha, _BITS)
    limit: Any = Fraction(price(C))
    own = np.asarray(y)[:, None] == np.arange(flows.shape[1])
    given = np.where(own, 0, np.minimum(flows, 0))
    if not has_one_slack_each(loss):
        given = np.maximum(given, -limit)
    totals = -given.sum(axis=1)
    if has_one_slack_each(loss):
        shrink = np.array([limit / total if total > limit else 1 for total in totals], dtype=object)
        given, totals = given * shrink[:, None], totals * shrink
    return np.where(own, totals[:, None], given)


def exact_bracket(W: Array, alpha: Array, X: Array, y: Labels, C: Scalar, loss: SlackLoss = "crammer-singer") -> Known:
    """The optimum between the dual value of the flows next to alpha and the primal value of W, both in rationals."""
    X, limit = rational(X), Fraction(price(C))
    flows = feasible_flows(alpha, y, limit, loss)
    primal: Any = primal_objective(nearby_fractions(W, _BITS), X, y, limit, loss)
    dual: Any = dual_objective(flows, X @ X.T, y)
    return Known(dual, primal, Tier.CERTIFIED)
