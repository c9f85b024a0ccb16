"""Linear separability of a multi-class sample and its best margin, both with certificates.

Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)`` with labels 0 .. n_classes - 1, ``W (n_classes, n_features)``;
there are n_samples (n_classes - 1) Kesler vectors and multipliers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mcbook.foundation.checks import require_sample
from mcbook.foundation.numbers import as_integers, rational
from mcbook.foundation.proof import Known, Tier
from mcbook.foundation.proof.alternatives import strict_alternative
from mcbook.foundation.proof.certified import NotCertified
from mcbook.foundation.types import Array, Exact, Labels
from mcbook.perceptron.theory import kesler_vectors, squared_margin

# Solutions are rounded to multiples of its inverse; both bounds hold for what they are rounded to.
_GRID = 2.0**40


class NotSeparable(ValueError):
    """No W gives every example's own label the strictly largest score; carries the integers that prove it.

    >>> NotSeparable("the Kesler vectors sum to 0", multipliers=(1, 1)).multipliers
    (1, 1)
    """

    def __init__(self, message: str, multipliers: tuple[int, ...]) -> None:
        super().__init__(message)
        self.multipliers = multipliers


@dataclass(frozen=True)
class Separability:
    """Whether a sample is linearly separable, and why: an integer W, or non-negative multipliers of Kesler vectors.

    >>> separability(np.ones((2, 1)), np.array([0, 1]), 2).multipliers  # the two Kesler vectors sum to 0
    (1, 1)
    """

    W: Exact | None
    multipliers: tuple[int, ...] | None

    @property
    def separable(self) -> bool:
        return self.W is not None


def separability(X: Array, y: Labels, n_classes: int) -> Separability:
    """Decide linear separability with an exact certificate; floats are taken for the fractions that they are.

    Either ``W`` holds integers under which every gap is positive, or ``multipliers`` (one for each example and rival,
    in the order of `kesler_vectors`) are non-negative integers, not all 0, with which the Kesler vectors sum to 0.

    Source: Tao, definition of linear separability.

    >>> separability(np.eye(2), np.array([0, 1]), 2).separable, separability(np.ones((2, 1)), np.array([0, 1]), 2).W
    (True, None)
    """
    X, y = require_sample(X, y, n_classes, exact=True)
    found = strict_alternative(kesler_vectors(rational(X), y, n_classes))
    if found.solution is None:
        return Separability(None, found.multipliers)
    return Separability(np.array(found.solution, dtype=object).reshape(n_classes, -1), None)


@dataclass(frozen=True)
class BestMargin:
    """The best margin gamma of a sample, squared, between two rational bounds with their witnesses.

    ``W`` separates the sample, so margin(W) bounds gamma from below.  ``multipliers`` are non-negative weights a of the
    Kesler vectors D; no W of norm 1 has every <W, D> larger than |sum a D| / sum a, which bounds gamma from above.

    >>> squared = best_margin(np.eye(2), np.array([0, 1]), 2).squared
    >>> squared.lower <= Fraction(1, 2) <= squared.upper, squared.tier.word
    (True, 'certified')
    """

    squared: Known
    W: Exact
    multipliers: Exact

    @property
    def value(self) -> float:
        return float(self.squared.middle) ** 0.5


def best_margin(X: Array, y: Labels, n_classes: int) -> BestMargin:
    """gamma^2 = 1 / (2 min |W|_F^2 subject to (w_y - w_z) . x >= 1), with a primal and a dual witness.

    The quadratic program is solved in floating point; its two solutions are then rounded to rationals, for which
    both bounds hold exactly, so rounding can only widen the bracket.

    Source: Tao, definition of gamma.

    >>> round(best_margin(np.eye(2), np.array([0, 1]), 2).value ** 2, 9)
    0.5
    """
    from mcbook.foundation.programs import solve_multiclass_svm

    X, y = require_sample(X, y, n_classes, exact=True)
    try:
        optimum = solve_multiclass_svm(X.astype(float), y, n_classes, C=None)
    except NotCertified as failure:
        found = separability(X, y, n_classes)
        if found.multipliers is None:
            raise
        raise NotSeparable(
            "the sample is not linearly separable, so it has no margin: with these multipliers its Kesler vectors "
            "sum to 0; use the averaged Perceptron or another chapter's classifier",
            found.multipliers,
        ) from failure
    # In the order of the Kesler vectors: by example, then by rival.
    weights = np.maximum(optimum.multipliers[0], 0)
    W, multipliers = (
        as_integers(np.round(optimum.point * _GRID)),
        as_integers(np.round(weights / weights.max() * _GRID)),
    )
    lower = squared_margin(W, rational(X), y)
    combination = multipliers @ kesler_vectors(rational(X), y, n_classes)
    upper = Fraction(combination @ combination) / (2 * Fraction(multipliers.sum()) ** 2)
    return BestMargin(Known(lower, upper, Tier.CERTIFIED), W, multipliers)
