"""The problems of the multi-class SVM: primal, dual, that of the bound, and brackets without a solver.

`solve_multiclass_svm` is put together by the foundation, as the margin of the Perceptron and the bounds with other
norms, which come before this chapter, need it, too.
`exact_bracket` does without any solver: two witnesses are rounded to rationals, the flows are made feasible, and both
objectives are computed exactly.

Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)``, ``W (n_classes, n_features)``,
``alpha (n_samples, n_classes)``.

Source of `solve_least_slack`: Mohri et al. (2018), section 9.3.1.

>>> import numpy as np
>>> round(float(solve_least_slack(np.eye(2), np.array([0, 1]), 2, radius=0.5)), 3)  # two margins of 1/2
1.0
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.binary_svm.theory import slack_cost
from mcbook.foundation.checks import require_positive, require_sample
from mcbook.foundation.linear import gram_root
from mcbook.foundation.numbers import nearby_fractions, rational
from mcbook.foundation.programs import (
    Optimum,
    flow_constraints,
    has_one_slack_each,
    margins_over_rivals,
    solve_certified,
)
from mcbook.foundation.programs import solve_multiclass_svm as solve_multiclass_svm
from mcbook.foundation.proof import Known, Tier
from mcbook.foundation.types import Array, Exact, Labels, Scalar
from mcbook.foundation.vocabulary import SlackLoss
from mcbook.svm.theory import dual_objective, primal_objective


def solve_least_slack(X: Array, y: Labels, n_classes: int, radius: float) -> Optimum:
    """min sum_i xi_i over |W|_F <= radius: what the generalisation bound asks for, to an accuracy of 1e-5.

    The ball is a cone, on which the solver ends less accurately than on problems with quadratic costs: asked for
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


def exact_bracket(W: Array, alpha: Array, X: Array, y: Labels, C: Scalar, loss: SlackLoss = "crammer-singer") -> Known:
    """The optimum between the dual value of the flows next to alpha and the primal value of W, both in rationals.

    >>> import numpy as np
    >>> W = alpha = np.array([[0.5, -0.5], [-0.5, 0.5]])
    >>> print(exact_bracket(W, alpha, np.eye(2, dtype=int), np.array([0, 1]), 1))  # both ends are the optimum
    1/2
    """
    X, limit = rational(X), Fraction(slack_cost(C))
    flows = feasible_flows(alpha, y, limit, loss)
    primal: Any = primal_objective(nearby_fractions(W), X, y, limit, loss)
    dual: Any = dual_objective(flows, X @ X.T, y)
    return Known(dual, primal, Tier.CERTIFIED)


def solve_flows(K: Array, y: Array, n_classes: int, C: float | None, loss: SlackLoss = "crammer-singer") -> Optimum:
    """max sum_i alpha_iy - 1/2 sum_l alpha_l' K alpha_l over flows: the dual of `solve_multiclass_svm`.

    >>> round(float(solve_flows(np.array([[1.0, -1.0], [-1.0, 1.0]]), [0, 1], 2, None)), 6)
    0.25
    """
    import cvxpy as cp

    _, y = require_sample(K, y, n_classes)
    alpha = cp.Variable((len(y), n_classes))
    own = cp.sum(cp.multiply(np.eye(n_classes)[y], alpha))
    value = own - cp.sum_squares(gram_root(K).T @ alpha) / 2
    return solve_certified(cp.Maximize(value), flow_constraints(alpha, y, C, loss), alpha)


def feasible_flows(alpha: Array, y: Labels, C: Scalar, loss: SlackLoss = "crammer-singer") -> Exact:
    """Rational flows next to alpha that meet every constraint of the dual exactly."""
    flows: Exact = nearby_fractions(alpha)
    limit = rational([require_positive(C, "C", "it is the cost of a slack")])[0]
    own = np.asarray(y)[:, None] == np.arange(flows.shape[1])
    given = np.where(own, 0, np.minimum(flows, 0))
    if not has_one_slack_each(loss):
        given = np.maximum(given, -limit)
    totals = -given.sum(axis=1)
    if has_one_slack_each(loss):
        shrink = np.array([limit / total if total > limit else 1 for total in totals], dtype=object)
        given, totals = given * shrink[:, None], totals * shrink
    return np.where(own, totals[:, None], given)
