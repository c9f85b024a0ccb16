"""The edge that a pool is sure to have, by a linear program."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from mcbook.foundation.checks import require_signs
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.proof import Known, Tier
from mcbook.foundation.types import Array, Exact

# Solutions are rounded to multiples of its inverse; both bounds hold for what they are rounded to.
_GRID = 2.0**40


@dataclass(frozen=True)
class SureEdge:
    """The edge gamma that some hypothesis of a pool has under every distribution, between two bounds.

    ``mixture`` is a distribution on the hypotheses under which every point has the margin 2 gamma.lower at least, which
    is why; under ``weights``, a distribution on the points, no hypothesis has an edge above gamma.upper.

    >>> found = sure_edge([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])
    >>> [str(share) for share in found.mixture], [str(weight) for weight in found.weights]
    (['1/3', '1/3', '1/3'], ['1/3', '1/3', '1/3'])
    """

    gamma: Known
    mixture: Exact
    weights: Exact


def sure_edge(agreements: Array) -> SureEdge:
    """Half the value of the game of hypotheses against points: ``agreements (n_hypotheses, n_points)`` are +1 or -1.

    Both ends are those of rational distributions, which a linear program in floating point has suggested.

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
        raise RuntimeError(f"the linear program of the game was not solved: {found.message}")
    mixture, weights = _distribution(found.x[:-1]), _distribution(-found.ineqlin.marginals)
    exact = as_integers(A)
    lower, upper = (mixture @ exact).min(), (exact @ weights).max()
    return SureEdge(Known(Fraction(lower) / 2, Fraction(upper) / 2, Tier.CERTIFIED), mixture, weights)


def _distribution(floats: Array) -> Exact:
    whole = as_integers(np.round(np.maximum(floats, 0) * _GRID))
    total = whole.sum()
    return np.asarray([Fraction(int(value), int(total)) for value in whole], dtype=object)
