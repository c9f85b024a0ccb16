"""Steepest coordinate descent on the exponential loss over a finite pool, in exact arithmetic.

Nothing of AdaBoost is used here: the loss sum_i e^(-y_i f(x_i)), f = sum_j a_j h_j, is held by the numbers
e^(2 a_j), which stay rational, and each step goes along the coordinate with the most negative slope to the lowest point
of that line.  Steps go forwards: a coefficient is only ever raised.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mcbook.foundation.checks import require_signs, require_whole
from mcbook.foundation.numbers import quotient
from mcbook.foundation.types import Exact, Integers, Signs


class DescentRun(NamedTuple):
    """The coordinates in order, e^(2 step) of each step, and the losses' squares relative to the start: (F / m)^2.

    ``coefficients`` are e^(2 a_j) at the end.

    >>> run = coordinate_descent(np.array([[1, 1, -1], [1, -1, 1]]), np.array([1, 1, 1]), 1)
    >>> run.coordinates.tolist(), run.squared_steps.tolist(), run.coefficients.tolist()
    ([0], [Fraction(2, 1)], [Fraction(2, 1), Fraction(1, 1)])
    """

    coordinates: Integers
    squared_steps: Exact
    squared_losses: Exact
    coefficients: Exact


def coordinate_descent(H: Signs, y: Signs, n_steps: int, *, start: Exact | None = None) -> DescentRun:
    """Steepest descent with exact line search; ``H (n_hypotheses, n_samples)`` has the outputs of the pool.

    Stops early where no slope is negative, or where a line has no lowest point.  ``start`` are the e^(2 a_j) to begin
    with; all are 1 if None.

    >>> run = coordinate_descent(np.array([[1, 1, 1, -1], [1, -1, 1, 1]]), np.array([1, 1, 1, 1]), 1)
    >>> run.coordinates.tolist(), run.squared_steps.tolist(), run.squared_losses.tolist()
    ([0], [Fraction(3, 1)], [Fraction(3, 4)])
    """
    agreements = require_signs(H, "H") * require_signs(y, "y")
    a = np.array([Fraction(1)] * len(agreements), dtype=object) if start is None else start.copy()
    chosen, steps, losses = [], [], []
    for _ in range(require_whole(n_steps, "n_steps", at_least=1)):
        weights, squared_unit = _exponentials(agreements, a)
        slopes = -(agreements.astype(object) @ weights)
        j = int(np.argmin(slopes))
        right, wrong = weights[agreements[j] > 0].sum(), weights[agreements[j] < 0].sum()
        if slopes[j] >= 0 or wrong == 0:
            break
        squared_step = quotient(right, wrong)
        a[j] = a[j] * squared_step
        # On this line the loss is right e^-s + wrong e^s, at its lowest twice the root of the product.
        chosen.append(j)
        steps.append(squared_step)
        losses.append(4 * right * wrong * squared_unit * Fraction(1, len(weights) ** 2))
    return DescentRun(
        np.array(chosen, dtype=np.int64), np.array(steps, dtype=object), np.array(losses, dtype=object), a
    )


def _exponentials(agreements: Signs, a: Exact) -> tuple[Exact, Fraction]:
    """e^(-y f) of each example in units of the first one's, and the square of this unit: all of them rational."""
    halves = (agreements[:, :1] - agreements) // 2
    weights = np.array([Fraction(1)] * agreements.shape[1], dtype=object)
    unit = Fraction(1)
    for j, base in enumerate(a):
        if base != 1:
            weights = weights * np.array([base ** int(power) for power in halves[j]], dtype=object)
            unit *= base ** int(-agreements[j, 0])
    return weights, unit
