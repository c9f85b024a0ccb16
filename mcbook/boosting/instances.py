"""Samples and pools on which AdaBoost is put on trial: ten points, independent errors, the worst case."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mcbook.boosting.theory import worst_training_error
from mcbook.foundation.checks import require_share, require_whole
from mcbook.foundation.types import Array, Exact, Floats, Signs


class PoolSample(NamedTuple):
    """Weights of the examples (fractions that sum to 1), and agreements ``H (n_hypotheses, n_samples)``: y h(x).

    >>> sample = worst_sample(Fraction(1, 4), 2)
    >>> [str(each) for each in (1 - sample.H) // 2 @ sample.weights]
    ['1/4', '3/8']
    """

    weights: Exact
    H: Signs


def ten_points() -> tuple[Floats, Signs]:
    """Ten points of the plane, five of each sign, which no stump separates and three stumps together do.

    >>> X, y = ten_points()
    >>> X.shape, int(y.sum())
    ((10, 2), 0)
    """
    plus = [[1, 2], [2, 4], [3.5, 9], [5, 7], [6.5, 8]]
    minus = [[3, 1], [4, 5], [6, 3], [8, 6], [9, 10]]
    return np.array(plus + minus, dtype=float), np.repeat([1, -1], 5)


class PlaneStump(NamedTuple):
    """The sign of ``side * (x[feature] - threshold)``, -1 on the threshold itself for side +1."""

    feature: int
    threshold: float
    side: int

    def outputs(self, X: Array) -> Signs:
        """One column of signs."""
        return np.where(X[:, self.feature] > self.threshold, self.side, -self.side)[:, None]


def all_stumps(X: Floats) -> list[PlaneStump]:
    """Every stump that differs on the sample: thresholds in the middle of neighbours, and below all, of both sides.

    >>> len(all_stumps(np.array([[0.0], [1.0], [3.0]])))
    6
    """
    found = []
    for feature, column in enumerate(X.T):
        values = np.unique(column)
        thresholds = [values[0] - 1, *(values[:-1] + values[1:]) / 2]
        found += [PlaneStump(feature, float(t), side) for t, side in itertools.product(thresholds, (-1, 1))]
    return found


def stump_pool(X: Floats) -> Signs:
    """The outputs of all stumps, ``(n_stumps, n_samples)``; with each its negative is there too.

    >>> stump_pool(np.array([[0.0], [1.0]])).tolist()
    [[-1, -1], [1, 1], [1, -1], [-1, 1]]
    """
    return np.array([stump.outputs(X)[:, 0] for stump in all_stumps(X)])


def independent_errors(error: Fraction, n_rounds: int) -> PoolSample:
    """Hypotheses that err independently: the examples are all patterns of right and wrong, each with its probability.

    The record of the rounds so far says nothing about the next one, so every round has the same error.

    >>> sample = independent_errors(Fraction(1, 4), 2)
    >>> [str(weight) for weight in sample.weights], sample.H.tolist()
    (['9/16', '3/16', '3/16', '1/16'], [[1, 1, -1, -1], [1, -1, 1, -1]])
    """
    patterns = np.array(list(itertools.product((1, -1), repeat=require_whole(n_rounds, "n_rounds", at_least=1))))
    weights = [math.prod(1 - error if sign > 0 else error for sign in pattern) for pattern in patterns.tolist()]
    return PoolSample(np.array(weights, dtype=object), patterns.T)


def worst_sample(error: Fraction, n_rounds: int) -> PoolSample:
    """A sample on which T rounds, all of this error, leave the training error p_T, the largest that is possible.

    A share 1 - p of the weight is never missed.  The rest is doomed: after t rounds its examples have e_t or e_t + 1
    mistakes, the share pi_t of them one more, and all end with ceil(T/2).  Numbered by u in [0, 1), those with
    u < pi_t are the ones with one more; T + 1 examples are enough.

    >>> sample = worst_sample(Fraction(1, 4), 2)
    >>> [str(weight) for weight in sample.weights], sample.H.tolist()
    (['3/8', '3/8', '1/4'], [[1, 1, -1], [1, -1, 1]])
    """
    require_share(2 * error, "2 error", "the learner must have an edge", zero=False, one=False)
    T, p = require_whole(n_rounds, "n_rounds", at_least=1), worst_training_error(error, n_rounds)
    if p < error:
        raise ValueError(
            f"expected few enough rounds that p_T >= error, got p_{T} = {float(p):.3g} < {float(error):.3g}: "
            "beyond that the worst case is smaller, see worst_case"
        )
    levels = [_level(error, p, t) for t in range(T + 1)]
    ends = sorted({Fraction(0), Fraction(1), *(share for _, share in levels)})
    doomed = list(itertools.pairwise(ends))
    # From u = 1 down, so that those who are right first come first.
    doomed.reverse()
    mistakes = np.array([[count + (low < share) for low, _ in doomed] for count, share in levels])
    H = 1 - 2 * np.diff(mistakes, axis=0)
    weights = [1 - p, *(p * (high - low) for low, high in doomed)]
    return PoolSample(np.array(weights, dtype=object), np.hstack([np.ones((T, 1), dtype=H.dtype), H]))


def _level(error: Fraction, p: Fraction, t: int) -> tuple[int, Fraction]:
    """The mistakes of most of the doomed after t rounds, and the share of them that has one more."""
    kappa = error / (1 - error)
    # Mean of kappa^(-mistakes) over the doomed, which the error of every round asks for.
    mean = ((2 - 2 * error) ** t - (1 - p)) / p
    count = 0
    while kappa ** -(count + 1) <= mean:
        count += 1
    return count, (mean * kappa**count - 1) / (1 / kappa - 1)
