"""The sub-problem of one example as a problem, for comparison with its exact step.

Shapes: ``others (n_classes,)``, the scores of the example without its own flows; its flows are ``(n_classes,)``, too.
"""

from __future__ import annotations

import numpy as np

from mcbook.binary_svm.theory import slack_cost
from mcbook.foundation.programs import Optimum, solve_certified
from mcbook.foundation.types import Array


def solve_block(others: Array, label: int, C: float, squared_norm: float) -> Optimum:
    """The sub-problem of one example as a problem: max a_y - <a, others> - K_ii / 2 |a|^2 over its flows a.

    >>> found = solve_block([0.0, 0.0, 0.0], label=0, C=1.0, squared_norm=1.0)
    >>> round(float(found), 6), found.point.round(3).tolist()
    (0.333333, [0.667, -0.333, -0.333])
    """
    import cvxpy as cp

    others = np.asarray(others, dtype=float)
    flow, own = cp.Variable(len(others)), np.eye(len(others))[label]
    value = flow[label] - others @ flow - float(squared_norm) / 2 * cp.sum_squares(flow)
    return solve_certified(cp.Maximize(value), [flow <= float(slack_cost(C)) * own, cp.sum(flow) == 0], flow)
