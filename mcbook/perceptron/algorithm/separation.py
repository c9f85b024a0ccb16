"""Linear separability of a multi-class sample and its best margin, both with certificates."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.foundation.proof import Known, Tier
from mcbook.foundation.proof.alternatives import strict_alternative
from mcbook.foundation.proof.exact import rational
from mcbook.perceptron.theory import Array, kesler_vectors, squared_margin

_GRID = 2**40


class NotSeparable(ValueError):
    """No W gives every example's own label the strictly largest score; carries the integers that prove it."""

    def __init__(self, message: str, multipliers: tuple[int, ...]) -> None:
        super().__init__(message)
        self.multipliers = multipliers


@dataclass(frozen=True)
class Separability:
    """Whether a sample is linearly separable, and why: an integer W, or non-negative multipliers of Kesler vectors."""

    W: Array | None
    multipliers: tuple[int, ...] | None

    @property
    def separable(self) -> bool:
        return self.W is not None


def separability(X: Array, y: Array, n_classes: int) -> Separability:
    """Decide linear separability with an exact certificate.

    Either ``W`` holds integers under which every gap is positive, or ``multipliers`` (one for each example and rival,
    in the order of `kesler_vectors`) are non-negative integers, not all 0, with which the Kesler vectors sum to 0.
    """
    found = strict_alternative(kesler_vectors(rational(X), y, n_classes))
    if found.solution is None:
        return Separability(None, found.multipliers)
    return Separability(np.array(found.solution, dtype=object).reshape(n_classes, -1), None)


@dataclass(frozen=True)
class BestMargin:
    """The best margin gamma of a sample, squared, between two rational bounds with their witnesses.

    ``W`` separates the sample, so margin(W) bounds gamma from below.  ``multipliers`` are non-negative weights a of the
    Kesler vectors D; no W of norm 1 has every <W, D> larger than |sum a D| / sum a, which bounds gamma from above.
    """

    squared: Known
    W: Array
    multipliers: Array

    @property
    def value(self) -> float:
        return float(self.squared.middle) ** 0.5


def best_margin(X: Array, y: Array, n_classes: int) -> BestMargin:
    """gamma^2 = 1 / (2 min |W|_F^2 subject to (w_y - w_z) . x >= 1), with a primal and a dual witness.

    The quadratic programme is solved in floating point; its two solutions are then rounded to rationals, for which
    both bounds hold exactly, so rounding can only widen the bracket.
    """
    D = kesler_vectors(rational(X), y, n_classes)
    W, weights = _solve(D.astype(float), X, y, n_classes)
    primal = np.array([round(v * _GRID) for v in W.ravel()], dtype=object)
    dual = np.array([round(max(v, 0.0) / weights.max() * _GRID) for v in weights], dtype=object)
    lower = squared_margin(primal.reshape(n_classes, -1), rational(X), y)
    combination = dual @ D
    upper = Fraction((combination * combination).sum()) / (2 * Fraction(dual.sum()) ** 2)
    return BestMargin(Known(lower, upper, Tier.CERTIFIED), primal.reshape(n_classes, -1), dual)


def _solve(D: Any, X: Array, y: Array, n_classes: int) -> tuple[Any, Any]:
    import cvxpy as cp

    from mcbook.foundation.proof.certified import NotCertified, certified_optimum

    w = cp.Variable(D.shape[1])
    constraints = [D @ w >= 1]
    try:
        certified_optimum(cp.Problem(cp.Minimize(cp.sum_squares(w) / 2), constraints))
    except NotCertified as failure:
        found = separability(X, y, n_classes)
        if found.multipliers is None:
            raise
        raise NotSeparable(
            "the sample is not linearly separable, so it has no margin: with these multipliers its Kesler vectors "
            "sum to 0; use the averaged Perceptron or another chapter's classifier",
            found.multipliers,
        ) from failure
    return np.asarray(w.value), np.asarray(constraints[0].dual_value)
