"""The worst sample for the training bound, and the edge that a pool is sure to have: linear programmes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from mcbook.foundation.checks import require_at_least, require_share, require_signs, require_whole
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.programmes import solve_certified
from mcbook.foundation.proof import Known, Tier
from mcbook.foundation.types import Array, Exact

# Solutions are rounded to multiples of its inverse; both bounds hold for what they are rounded to.
_GRID = 2.0**40


def worst_margin_share(error: float, theta: float, n_rounds: int) -> Known:
    """The largest share of margins <= theta that AdaBoost can leave after rounds of this weighted error, over all data.

    For two classes and one column.  All rounds have one alpha, so an example is known by how often it was wrong.  The
    programme follows the weights D_t: a part ``wrong[t][c]`` of the weight that c earlier rounds were wrong on is
    answered wrongly and grows by 1 / (2 eps), the rest shrinks by 1 / (2 (1 - eps)), and the wrong parts are eps
    together in every round.  At the end D_(T+1) tells the shares of the examples again.
    """
    import cvxpy as cp

    require_share(error, "error", zero=False, one=False)
    require_whole(n_rounds, "n_rounds", at_least=1)
    require_at_least(theta, -1, "theta", "no margin is smaller")
    wrong = [cp.Variable(t + 1, nonneg=True) for t in range(n_rounds)]
    right = [cp.Variable(t + 1, nonneg=True) for t in range(n_rounds)]
    constraints, weight = [], np.ones(1)
    for t in range(n_rounds):
        constraints += [wrong[t] + right[t] == weight, cp.sum(wrong[t]) == error]
        grown, shrunk = wrong[t] / (2 * error), right[t] / (2 * (1 - error))
        weight = cp.hstack([shrunk, np.zeros(1)]) + cp.hstack([np.zeros(1), grown])
    log_odds = math.log((1 - error) / error)
    margins = 1 - 2 * np.arange(n_rounds + 1) / n_rounds
    # e^(alpha T margin) prod Z undoes the weighting; margins that equal theta up to rounding count.
    undone = np.exp(n_rounds * (margins * log_odds / 2 + math.log(4 * error * (1 - error)) / 2))
    counted = np.where(margins <= theta + 1e-12, undone, 0.0)
    # In units of the largest the coefficients lie between 0 and 1.
    unit = float(counted.max())
    return solve_certified(cp.Maximize(counted / unit @ weight), constraints, wrong[0], accuracy=1e-6).value * Known(
        unit, unit, Tier.CERTIFIED
    )


@dataclass(frozen=True)
class SureEdge:
    """The edge gamma that some hypothesis of a pool has under every distribution, between two bounds.

    ``mixture`` is a law on the hypotheses under which every point has the margin 2 gamma.lower at least, which is why;
    under ``weights``, a law on the points, no hypothesis has an edge above gamma.upper.
    """

    gamma: Known
    mixture: Exact
    weights: Exact


def sure_edge(agreements: Array) -> SureEdge:
    """Half the value of the game of hypotheses against points: ``agreements (n_hypotheses, n_points)`` are +1 or -1.

    Both ends are those of rational laws, which a linear programme in floating point has suggested.

    >>> print(sure_edge([[1, 1, -1], [1, -1, 1], [-1, 1, 1]]).gamma)
    1/6
    """
    A = require_signs(agreements, "agreements")
    n_hypotheses, n_points = A.shape
    found = linprog(
        np.r_[np.zeros(n_hypotheses), -1.0],
        A_ub=np.c_[-A.T, np.ones(n_points)],
        b_ub=np.zeros(n_points),
        A_eq=np.r_[np.ones(n_hypotheses), 0.0][None],
        b_eq=[1.0],
        bounds=[(0, None)] * n_hypotheses + [(None, None)],
        method="highs",
    )
    if found.status != 0:
        raise RuntimeError(f"the linear programme of the game was not solved: {found.message}")
    mixture, weights = _law(found.x[:-1]), _law(-found.ineqlin.marginals)
    exact = as_integers(A)
    lower, upper = (mixture @ exact).min(), (exact @ weights).max()
    return SureEdge(Known(Fraction(lower) / 2, Fraction(upper) / 2, Tier.CERTIFIED), mixture, weights)


def _law(floats: Array) -> Exact:
    whole = as_integers(np.round(np.maximum(floats, 0) * _GRID))
    total = whole.sum()
    return np.asarray([Fraction(int(value), int(total)) for value in whole], dtype=object)
