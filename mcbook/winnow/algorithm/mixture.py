"""The best mixture of the weights: the largest gamma of a sample, between two rational witnesses.

Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)``, ``U (n_classes, n_features)``, and one multiplier for each of
the n_samples (n_classes - 1) Kesler vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from mcbook.foundation.checks import require_sample
from mcbook.foundation.numbers import as_integers, rational
from mcbook.foundation.proof import Known, Tier
from mcbook.foundation.types import Array, Exact, Labels
from mcbook.perceptron import kesler_vectors, separability
from mcbook.perceptron.algorithm.separation import NotSeparable

# Solutions are rounded to multiples of its inverse; both bounds hold for what they are rounded to.
_GRID = 2.0**40


@dataclass(frozen=True)
class BestMixture:
    """The largest gamma with (u_y - u_z) . x >= gamma for a U >= 0 whose entries sum to 1, between two bounds.

    ``U (n_classes, n_features)`` reaches the lower end.  ``multipliers`` are a distribution on the Kesler vectors D; no
    entry of its mean exceeds the upper end, so no U has all its products above it.

    >>> found = best_mixture([[1, 0], [0, 1]], [0, 1], 2)
    >>> found.U.tolist(), found.multipliers.tolist()
    ([[Fraction(1, 2), Fraction(0, 1)], [Fraction(0, 1), Fraction(1, 2)]], [Fraction(1, 2), Fraction(1, 2)])
    """

    gamma: Known
    U: Exact
    multipliers: Exact


def best_mixture(X: Array, y: Labels, n_classes: int) -> BestMixture:
    """gamma = max over U of the smallest <U, D>: the value of the game of entries against Kesler vectors.

    A linear program is solved in floating point; its solution and that of its dual are then rounded to rationals,
    for which both bounds hold exactly.

    >>> print(best_mixture([[1, 0], [0, 1]], [0, 1], 2).gamma)
    1/2
    """
    X, y = require_sample(X, y, n_classes, exact=True)
    D = kesler_vectors(rational(X), y, n_classes)
    n_rows, n_entries = D.shape
    # Of max g over U, with <U, D> >= g: the last variable is g.
    found = linprog(
        np.r_[np.zeros(n_entries), -1.0],
        A_ub=np.c_[-D.astype(float), np.ones(n_rows)],
        b_ub=np.zeros(n_rows),
        A_eq=np.r_[np.ones(n_entries), 0.0][None],
        b_eq=[1.0],
        bounds=[(0, None)] * n_entries + [(None, None)],
        method="highs",
    )
    if found.status != 0:
        raise RuntimeError(f"the linear program of the best mixture was not solved: {found.message}")
    U, weights = _distribution(found.x[:n_entries]), _distribution(-found.ineqlin.marginals)
    lower, upper = (D @ U).min(), (weights @ D).max()
    if not lower > 0:
        raise NotSeparable(
            "no U >= 0 separates the sample, so it has no gamma: Winnow's bound does not speak of it",
            separability(X, y, n_classes).multipliers or (),
        )
    return BestMixture(Known(lower, upper, Tier.CERTIFIED), U.reshape(n_classes, -1), weights)


def _distribution(floats: Array) -> Exact:
    whole = as_integers(np.round(np.maximum(floats, 0) * _GRID))
    return np.asarray(whole * Fraction(1, whole.sum()))
