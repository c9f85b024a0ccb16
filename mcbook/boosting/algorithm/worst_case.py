"""How large the training error can be when every round has the same error: a linear programme, and its certificate.

An example is known by how often it has been missed.  In round t the weight g(j) lies on examples with j mistakes so
far, w(j) of it on those that are missed now, sum w = error.  AdaBoost then multiplies what was right by
1 / (2 (1 - error)) and what was wrong by 1 / (2 error).  In the end an example with j mistakes in T rounds carries
kappa^(-j) / (2 (1 - error))^T times its share of the sample, kappa = error / (1 - error), so the share of those with
2 j >= T is linear in g.  Every sample, every pool and every learner is a point of this programme.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from mcbook.foundation.checks import require_share, require_whole
from mcbook.foundation.numbers import nearby_fractions
from mcbook.foundation.programmes import solve_certified
from mcbook.foundation.proof import Known
from mcbook.foundation.types import Array, Floats


class WorstRun(NamedTuple):
    """The certified optimum, the weights missed in each round ``(T, T)`` by mistakes so far, and the multipliers."""

    error: Known
    missed: Floats
    multipliers: Array


def worst_case(error: Fraction, n_rounds: int) -> WorstRun:
    """The largest training error after T rounds of the same error, ties counted, by linear programming.

    >>> round(float(worst_case(Fraction(1, 4), 2).error), 6)
    0.625
    """
    import cvxpy as cp

    T = _checked(error, n_rounds)
    missed = cp.Variable((T, T), nonneg=True)
    weight: Any = np.eye(1, T + 1)[0]
    limits, asked = [], []
    for t in range(T):
        now = cp.hstack([missed[t, : t + 1], np.zeros(T - t)])
        limits.append(now <= weight)
        asked.append(cp.sum(missed[t, : t + 1]) == float(error))
        shifted = cp.hstack([np.zeros(1), missed[t, : t + 1], np.zeros(T - t - 1)])
        weight = (weight - now) / float(2 - 2 * error) + shifted / float(2 * error)
    # In units of the product bound the coefficients lie between 0 and 1.
    unit = float((4 * error * (1 - error)) ** Fraction(T, 2))
    value = cp.Maximize(np.array(_final_shares(error, T), dtype=float) @ weight / unit)
    found = solve_certified(value, [*asked, *limits], missed, accuracy=1e-6, tolerance=1e-10)
    multipliers = unit * np.array([float(np.ravel(each)[0]) for each in found.multipliers[:T]])
    return WorstRun(found.value * Known(unit, unit, found.value.tier), np.tril(found.point), multipliers)


def dual_bound(error: Fraction, n_rounds: int, multipliers: Any) -> Fraction:
    """No training error is above this, for any multipliers: a certificate in fractions.

    Let Phi_T(j) be the share of an example with j mistakes where 2 j >= T, and going back
    Phi_t(j) = max(Phi_(t+1)(j) / (2 (1 - error)), Phi_(t+1)(j + 1) / (2 error) - multiplier_t).  Then the training
    error is at most Phi_0(0) + error * sum of the multipliers: weight can do no better at any node, and sum w = error.

    >>> dual_bound(Fraction(1, 4), 2, [0, 0])
    Fraction(1, 1)
    """
    T = _checked(error, n_rounds)
    chosen = [Fraction(value) for value in nearby_fractions(multipliers)]
    potential = _final_shares(error, T)
    for t in reversed(range(T)):
        potential = [
            max(potential[j] / (2 - 2 * error), potential[j + 1] / (2 * error) - chosen[t]) for j in range(t + 1)
        ]
    return potential[0] + error * sum(chosen)


def _final_shares(error: Fraction, T: int) -> list[Fraction]:
    """The share of the sample for each unit of final weight at j mistakes, 0 where the vote is right."""
    kappa = error / (1 - error)
    return [kappa**j * (2 - 2 * error) ** T if 2 * j >= T else Fraction(0) for j in range(T + 1)]


def _checked(error: Fraction, n_rounds: int) -> int:
    require_share(2 * error, "2 error", "the learner must have an edge", zero=False, one=False)
    return require_whole(n_rounds, "n_rounds", at_least=1)
