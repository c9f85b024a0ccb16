"""How many margins can be small when every round has the same error: a linear program, and its certificate.

An example is known by how often it has been missed.  In round t the weight g(j) lies on examples with j mistakes so
far, w(j) of it on those that are missed now, sum w = error.  AdaBoost then multiplies what was right by
1 / (2 (1 - error)) and what was wrong by 1 / (2 error).  In the end an example with j mistakes in T rounds carries
kappa^(-j) / (2 (1 - error))^T times its share of the sample, kappa = error / (1 - error), and has the margin
1 - 2 j / T.  So the share of margins <= theta, for theta = 0 the training error, is linear in g.  Every sample, every
pool and every learner is a point of this problem.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mcbook.foundation.checks import require_at_least, require_share, require_whole
from mcbook.foundation.numbers import nearby_fractions
from mcbook.foundation.programs import Expression, solve_certified
from mcbook.foundation.proof import Known
from mcbook.foundation.types import Array, ArrayLike, Floats, Scalar


class WorstRun(NamedTuple):
    """The certified optimum, the weights missed in each round ``(T, T)`` by mistakes so far, and the multipliers.

    >>> worst = worst_case(Fraction(1, 4), 2)
    >>> worst.error.tier.word, worst.missed.sum(axis=1).round(4).tolist()
    ('certified', [0.25, 0.25])
    """

    error: Known
    missed: Floats
    multipliers: Array


def worst_case(error: Fraction, n_rounds: int, theta: Scalar = 0) -> WorstRun:
    """The largest training error after T rounds of the same error, ties counted, by linear programming.

    With ``theta`` the largest share of margins <= theta, which lie between -1 and 1.

    >>> round(float(worst_case(Fraction(1, 4), 2).error), 6)
    0.625
    """
    import cvxpy as cp

    T = _checked(error, n_rounds, theta)
    missed = [cp.Variable(t + 1, nonneg=True) for t in range(T)]
    got = [cp.Variable(t + 1, nonneg=True) for t in range(T)]
    weight: Expression = np.ones(1)
    splits, none = [], np.zeros(1)
    for wrong, right in zip(missed, got, strict=True):
        splits.append(wrong + right == weight)
        weight = cp.hstack([right / float(2 - 2 * error), none]) + cp.hstack([none, wrong / float(2 * error)])
    asked = [cp.sum(wrong) == float(error) for wrong in missed]
    # In units of the largest share the coefficients lie between 0 and 1.
    shares = np.array(_final_shares(error, T, theta), dtype=float)
    unit = float(shares.max())
    table = cp.vstack([cp.hstack([wrong, np.zeros(T - t)]) for t, wrong in enumerate(missed, start=1)])
    found = solve_certified(cp.Maximize(shares / unit @ weight), [*asked, *splits], table, accuracy=1e-6)
    multipliers = unit * np.array([float(np.ravel(each)[0]) for each in found.multipliers[:T]])
    return WorstRun(found.value * Known(unit, unit, found.value.tier), found.point, multipliers)


def dual_bound(error: Fraction, n_rounds: int, multipliers: ArrayLike, theta: Scalar = 0) -> Fraction:
    """No training error, or share of margins <= theta, is above this, for any multipliers: a certificate in fractions.

    Let Phi_T(j) be the share of an example with j mistakes where these make the margin too small, and going back
    Phi_t(j) = max(Phi_(t+1)(j) / (2 (1 - error)), Phi_(t+1)(j + 1) / (2 error) - multiplier_t).  Then the training
    error is at most Phi_0(0) + error * sum of the multipliers: weight can do no better at any node, and sum w = error.

    >>> dual_bound(Fraction(1, 4), 2, [0, 0])
    Fraction(1, 1)
    """
    T = _checked(error, n_rounds, theta)
    chosen = [Fraction(value) for value in nearby_fractions(multipliers)]
    potential = _final_shares(error, T, theta)
    for t in reversed(range(T)):
        potential = [
            max(potential[j] / (2 - 2 * error), potential[j + 1] / (2 * error) - chosen[t]) for j in range(t + 1)
        ]
    return potential[0] + error * sum(chosen)


def _final_shares(error: Fraction, T: int, theta: Scalar) -> list[Fraction]:
    """The share of the sample for each unit of final weight at j mistakes, 0 where the margin is larger."""
    kappa = error / (1 - error)
    return [kappa**j * (2 - 2 * error) ** T if T - 2 * j <= theta * T else Fraction(0) for j in range(T + 1)]


def _checked(error: Fraction, n_rounds: int, theta: Scalar) -> int:
    require_at_least(theta, -1, "theta", "no margin is smaller")
    require_share(2 * error, "2 error", "the learner must have an edge", zero=False, one=False)
    return require_whole(n_rounds, "n_rounds", at_least=1)
