"""Convex programs with their certificates, and the quadratic program of the multi-class SVMs from its parts.

    minimise  N(W) + C sum_i xi_i   subject to   (w_y_i - w_z) . x_i >= 1 - xi_i  for z != y_i,   xi_i >= 0.

N is half the squared Frobenius norm unless another one is given; the slacks are one for each example (Crammer and
Singer), or one for each example and rival (Weston and Watkins); with C = None there are none, the hard margin.  The
dual runs over flows alpha (n_samples, n_classes), whose rows sum to 0 with alpha_iz <= 0 for rivals z.

A problem that is wrong on purpose, for a control, is put together by the claim from the same parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mcbook.foundation.checks import require_one_of, require_positive, require_sample
from mcbook.foundation.proof import Known
from mcbook.foundation.proof.certified import certified_optimum
from mcbook.foundation.types import Array, Floats, Labels
from mcbook.foundation.vocabulary import SlackLoss

# An expression of cvxpy, a constraint on one, or a whole problem: cvxpy carries no types.
Expression = Any
# The variable W to its norm term and the constraints that belong to it.
Norm = Callable[[Expression], tuple[Expression, list[Expression]]]


@dataclass(frozen=True)
class Optimum:
    """A certified optimal value, the point that attains it, and what belongs to the constraints there.

    ``multipliers`` has the dual variables of every constraint in the order in which they were given.
    """

    value: Known
    point: Floats
    n_constraints: int
    slack: Floats | None = None
    multipliers: tuple[Floats, ...] = ()

    def __float__(self) -> float:
        return self.value.middle


def solve_certified(
    objective: Expression,
    constraints: Sequence[Expression],
    point: Expression,
    slack: Expression | None = None,
    *,
    accuracy: float = 1e-7,
    tolerance: float = 1e-11,
) -> Optimum:
    """Solve a problem of cvxpy and certify its optimum; ``accuracy`` and ``tolerance`` as in `certified_optimum`."""
    import cvxpy as cp

    problem = cp.Problem(objective, list(constraints))
    value = certified_optimum(problem, accuracy=accuracy, tolerance=tolerance).value
    return Optimum(
        value,
        np.asarray(point.value),
        count_constraints(problem),
        None if slack is None else np.asarray(slack.value),
        tuple(np.asarray(constraint.dual_value) for constraint in constraints),
    )


def count_constraints(problem: Expression) -> int:
    """Scalar constraints, the signs of variables among them."""
    signed = sum(variable.size for variable in problem.variables() if variable.is_nonneg())
    return int(signed + sum(constraint.size for constraint in problem.constraints))


# The parts of the multi-class problem.


@dataclass(frozen=True)
class Margins:
    """The margins over every rival: which example, which rival, and the expression (w_y - w_z) . x, entry by entry."""

    examples: Labels
    rivals: Labels
    gaps: Expression


def margins_over_rivals(X: Array, y: Labels, W: Expression) -> Margins:
    """All the margins that the problem asks for, for weights ``W (n_classes, n_features)``."""
    n_classes = W.shape[0]
    examples, rivals = np.nonzero(np.eye(n_classes)[y] == 0)
    table = X @ W.T
    return Margins(examples, rivals, table[examples, y[examples]] - table[examples, rivals])


def frobenius(W: Expression) -> tuple[Expression, list[Expression]]:
    """1/2 sum_l |w_l|^2."""
    import cvxpy as cp

    return cp.sum_squares(W) / 2, []


def solve_multiclass_svm(
    X: Array,
    y: Array,
    n_classes: int,
    C: float | None,
    *,
    norm: Norm = frobenius,
    loss: SlackLoss = "crammer-singer",
    accuracy: float = 1e-7,
    tolerance: float = 1e-11,
) -> Optimum:
    """The problem above; ``multipliers[0]`` are those of the margins, as `margins_over_rivals` orders them.

    Cones, as another ``norm`` may bring them, end less accurately: ask for accuracy 1e-6 and tolerance 1e-9.

    >>> round(float(solve_multiclass_svm([[1.0], [-1.0]], [0, 1], 2, None)), 6)  # w_0 = 1/2, w_1 = -1/2
    0.25
    """
    import cvxpy as cp

    X, y = require_sample(X, y, n_classes)
    W = cp.Variable((n_classes, X.shape[1]))
    margins = margins_over_rivals(X, y, W)
    cost, bounds = norm(W)
    if C is None:
        xi, asked = None, 1
    else:
        one_each = has_one_slack_each(loss)
        xi = cp.Variable(len(X) if one_each else len(margins.rivals), nonneg=True)
        cost += float(require_positive(C, "C", "it is the cost of a slack")) * cp.sum(xi)
        asked = 1 - (xi[margins.examples] if one_each else xi)
    constraints = [margins.gaps >= asked, *bounds]
    return solve_certified(cp.Minimize(cost), constraints, W, xi, accuracy=accuracy, tolerance=tolerance)


def flow_constraints(
    alpha: Expression, y: Labels, C: float | None, loss: SlackLoss = "crammer-singer"
) -> list[Expression]:
    """What a flow alpha (n_samples, n_classes) must meet: signs, the limit C of its loss (none for None), sums of 0."""
    import cvxpy as cp

    own = np.eye(alpha.shape[1])[y]
    rivals_give = [cp.multiply(1 - own, alpha) <= 0]
    if C is not None:
        limit = float(require_positive(C, "C", "it is the cost of a slack"))
        one_each = has_one_slack_each(loss)
        rivals_give = [alpha <= limit * own] if one_each else [*rivals_give, alpha >= -limit * (1 - own)]
    return [*rivals_give, cp.sum(alpha, axis=1) == 0]


def has_one_slack_each(loss: SlackLoss) -> bool:
    """Whether an example has one slack for all its rivals."""
    return require_one_of(loss, SlackLoss, "loss") == "crammer-singer"
