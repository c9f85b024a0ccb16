"""All scores trained together: the multi-class support vector machine with a certificate for its weights."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mcbook.foundation.checks import require_sample
from mcbook.foundation.programs import solve_multiclass_svm
from mcbook.foundation.proof.certified import NotCertified
from mcbook.foundation.proof.known import Known, Tier
from mcbook.foundation.types import Array, Floats, Labels


@dataclass(frozen=True)
class CertifiedWeights:
    """Weights found, ``W (n_classes, n_features)``, and a radius around them in which the true optimum lies.

    >>> found, again = CertifiedWeights(np.array([[3.0, 4.0]]), 0.5), CertifiedWeights(np.zeros((1, 2)), 0.5)
    >>> distance = found.distance_of_rows(again, 0)
    >>> float(distance.lower), float(distance.upper), distance.tier.word
    (4.0, 6.0, 'certified')
    """

    W: Floats
    radius: float

    def distance_of_rows(self, other: CertifiedWeights, row: int, other_row: int | None = None) -> Known:
        """The distance of a row of the two optima, as far as it is known."""
        found = float(np.linalg.norm(self.W[row] - other.W[row if other_row is None else other_row]))
        error = self.radius + other.radius
        return Known(max(0.0, found - error), found + error, Tier.CERTIFIED)


def joint_weights(X: Array, y: Array, n_classes: int, C: float = 1.0, radius: float = 1e-4) -> CertifiedWeights:
    """The W that minimises 1/2 |W|^2 + C sum_i max_l (w_l . x_i + [l != y_i] - w_{y_i} . x_i).

    The objective P is 1-strongly convex, so 1/2 |W - W*|^2 <= P(W) - P(W*) for any W.  P(W) is computed here, and P(W*)
    has a certified lower bound; the difference must not exceed what the radius asked for allows.

    >>> found = joint_weights(np.array([[1.0], [-1.0]]), np.array([0, 1]), 2)
    >>> found.W.round(2).tolist(), found.radius
    ([[0.5], [-0.5]], 0.0001)
    """
    X, y = require_sample(X, y, n_classes)
    found = solve_multiclass_svm(X, y, n_classes, C)
    excess = objective(found.point, X, y, C) - float(found.value.lower)
    # The objective is a sum of so few floats that its rounding is far below this.
    if 2 * (excess + 1e-12) > radius**2:
        raise NotCertified(
            f"the weights lie within {math.sqrt(2 * (excess + 1e-12)):.1e} of the optimum, {radius:g} was asked for"
        )
    return CertifiedWeights(found.point, radius)


def objective(W: Array, X: Array, y: Labels, C: float) -> float:
    """The value of the multi-class support vector machine's problem at W."""
    table = X @ W.T
    rows = np.arange(len(X))
    table = table - table[rows, y][:, None] + 1
    table[rows, y] -= 1
    return float((W * W).sum() / 2 + C * table.max(axis=1).sum())
