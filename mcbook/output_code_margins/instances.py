"""Samples on which the bounds of the chapter are equalities or nearly so, and a learner that just keeps its promise."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mcbook.boosting.algorithm.adaboost import WeakFit
from mcbook.foundation.checks import require_share, require_whole
from mcbook.foundation.types import Array, Labels
from mcbook.output_code_errors.instances import closest_rows


class TwoRounds(NamedTuple):
    """A code, the hypotheses of two rounds, ``pool (2, n_samples, n_columns)``, and the labels of the examples.

    >>> M, pool, y, n_mistaken = two_round_sample(np.array([[-1], [1]]), Fraction(1, 4))
    >>> M[y].shape == pool[0].shape, [int((answers != M[y]).sum()) for answers in pool], n_mistaken
    (True, [2, 3], 5)
    """

    M: Array
    pool: Array
    y: Labels
    n_mistaken: int


def two_round_sample(M: Array, error: Fraction) -> TwoRounds:
    """A sample on which two rounds of this weighted error leave as many mistakes as there can be.

    All examples have one label.  Where a rival's row is opposite to it, in the fewest columns that two rows can be
    opposite in, the first hypothesis errs on some examples and the second on others; everywhere else both are right,
    and the columns that the label leaves out speak for the rival.  On an example with an error the two rounds cancel
    out in those columns, and label and rival tie.

    >>> sample = two_round_sample(np.array([[-1], [1]]), Fraction(1, 4))
    >>> len(sample.y), sample.n_mistaken
    (8, 5)
    """
    M = np.asarray(M)
    require_share(error, "error", zero=False, one=False)
    label, rival = closest_rows(M)
    opposite, asked = M[label] * M[rival] < 0, M[label] != 0
    per_pair = Fraction(int(asked.sum()), int(opposite.sum()))
    shares = error * per_pair, 2 * error * (1 - error) * per_pair
    if sum(shares) > 1:
        raise ValueError(
            f"expected an error so small that (N/delta)(3 eps - 2 eps^2) <= 1, got {error}: it is {sum(shares)}"
        )
    n_samples = math.lcm(*(share.denominator for share in shares))
    first, second = (int(share * n_samples) for share in shares)
    answers = np.where(asked, M[label], np.where(M[rival] != 0, M[rival], 1))
    pool = np.tile(answers, (2, n_samples, 1))
    pool[0, :first] *= np.where(opposite, -1, 1)
    pool[1, first : first + second] *= np.where(opposite, -1, 1)
    return TwoRounds(M, pool, np.full(n_samples, label), first + second)


class CloseFunctions(NamedTuple):
    """Two answers to one example, which differ by theta everywhere, a code, the label, and two parameters.

    >>> pair = close_functions(2, Fraction(1, 10), Fraction(5))
    >>> pair.f.tolist(), pair.M.tolist(), pair.label
    ([[Fraction(9, 10), Fraction(-4, 5)]], [[1, 1], [-1, -1]], 0)
    """

    f: Array
    g: Array
    M: Array
    label: int
    eta: Fraction
    theta: Fraction


def close_functions(n_columns: int, theta: Fraction, eta: Fraction) -> CloseFunctions:
    """Answers whose margins are nearly 3 theta / 2 apart, if there are many columns and eta is large.

    The rows of the two classes are opposite.  One answer is for the label, all others are against it, and those of g
    are lower by theta.  For large eta a vote is the smallest of its terms.  The grid's largest parameter is smaller:
    there the rival's vote, whose smallest term stands alone, rises by theta, and the label's hardly moves.

    >>> from mcbook.output_code_margins import decoding_margins
    >>> f, g, M, label, eta, theta = close_functions(1000, Fraction(1, 10), Fraction(200))
    >>> margins = [decoding_margins(answers.astype(float), M, [label], float(eta))[0] for answers in (f, g)]
    >>> round(float((margins[0] - margins[1]) / theta), 2)
    1.0
    """
    require_whole(n_columns, "n_columns", at_least=2)
    M = np.array([np.ones(n_columns, dtype=int), -np.ones(n_columns, dtype=int)])
    high = Fraction(9, 10)
    f = np.array([[high] + [-high + theta] * (n_columns - 1)], dtype=object)
    return CloseFunctions(f, f - theta, M, 0, eta, theta)


# Sums of floats that should be equal may differ by so much.
_ROUNDING = 1e-12


class ReluctantLearner:
    """A base learner that has the edge it promises in every round, and helps no more than it must.

    It is wrong where the weights are smallest, which is where the margins are largest, as long as its errors weigh no
    more than 1/2 - edge.  So all pairs keep nearly the same margin, which tends to theta*(edge).

    >>> learner = ReluctantLearner(edge=0.1)
    >>> learner.learn(np.array([[0.2, -0.3, 0.5]])).outputs.tolist()
    [[-1, -1, 1]]
    """

    real_valued = False

    def __init__(self, edge: float) -> None:
        require_share(2 * edge, "2 edge", "the learner must have an edge", zero=False, one=False)
        self.edge = edge

    def learn(self, S: Array) -> WeakFit:
        """Answers for signed weights: the signs that are wanted, but for the pairs of smallest weight."""
        weights = np.abs(np.asarray(S, dtype=float))
        wrong = np.zeros(weights.shape, dtype=bool)
        left = 0.5 - self.edge
        # Weights that differ by rounding alone count as equal, and the first goes first.
        with np.errstate(divide="ignore"):
            levels = np.round(np.log(weights), 9)
        for index in np.argsort(levels, axis=None, kind="stable"):
            place = np.unravel_index(index, weights.shape)
            if weights[place] <= left + _ROUNDING:
                wrong[place] = True
                left -= weights[place]
        signs = np.where(np.asarray(S) >= 0, 1, -1)
        return WeakFit(None, np.where(wrong, -signs, signs))
