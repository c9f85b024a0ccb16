"""Boosters whose hypotheses all have the same vote: the weight of an example depends on its lead alone.

The lead of an example is the number of right votes minus that of wrong ones so far.  Boosting by majority (Freund 1995)
knows the edge and the number of rounds, and gives the weight that says how much the next vote decides; a constant
step gives growth^(-lead), whatever is to come.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from mcbook.boosting.algorithm.adaboost import WeakLearner
from mcbook.foundation.checks import (
    require_at_least,
    require_probabilities,
    require_share,
    require_signs,
    require_whole,
)
from mcbook.foundation.types import ArrayLike, Exact, Integers, Signs
from mcbook.weak_learning.theory import lead_potential, lead_weight

# The round, counted from 0, and a lead, to a weight.
Weigh = Callable[[int, int], Fraction]


class EqualVotesRun(NamedTuple):
    """What happened in T rounds.

    ``hypotheses``; ``leads (T + 1, n_samples)`` before each round and at the end; ``totals (T,)``, the mean weights
    W_t; ``edges (T,)`` of the hypotheses under the weights of their rounds, 0 where all weights were 0; and
    ``D (T, n_samples)``, the weights of the rounds, each with sum 1.

    >>> from mcbook.boosting import FinitePool
    >>> pool = FinitePool(np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]]))
    >>> run = boost_by_majority(pool, np.ones(3, dtype=int), Fraction(1, 6), 3)
    >>> equal = np.array([Fraction(1, 3)] * 3)
    >>> str(run.share_lost(equal)), [str(each) for each in run.potentials(equal, Fraction(1, 6))]
    ('0', ['7/27', '7/27', '2/9', '0'])
    """

    hypotheses: tuple[Any, ...]
    leads: Integers
    totals: Exact
    edges: Exact
    D: Exact

    @property
    def n_rounds(self) -> int:
        return len(self.hypotheses)

    def share_lost(self, probabilities: Exact) -> Fraction:
        """The probability of the examples that the vote gets wrong, ties among them."""
        return Fraction(sum(np.asarray(probabilities)[self.leads[-1] <= 0]))

    def potentials(self, probabilities: Exact, edge: Fraction) -> list[Fraction]:
        """The mean chance of being lost in the end, before each round and after the last, if later edges are this."""
        T = self.n_rounds
        chances = [[lead_potential(edge, T - t, int(lead)) for lead in row] for t, row in enumerate(self.leads)]
        return [Fraction(np.asarray(probabilities) @ np.array(row, dtype=object)) for row in chances]


def boost_by_majority(
    learner: WeakLearner, signs: Signs, edge: Fraction, n_rounds: int, probabilities: Exact | None = None
) -> EqualVotesRun:
    """T rounds with the weights P(i) binom(n, j) (1/2 + edge)^j (1/2 - edge)^(n - j) of `lead_weight`, n rounds left.

    ``signs (n_samples,)`` are the labels, ``probabilities`` the distribution P of the examples, equal ones if None.

    >>> from mcbook.boosting import FinitePool
    >>> pool = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])
    >>> run = boost_by_majority(FinitePool(pool), np.ones(3, dtype=int), Fraction(1, 6), 3)
    >>> run.hypotheses, run.leads[-1].tolist(), [str(edge) for edge in run.edges]
    ((0, 1, 2), [1, 1, 1], ['1/6', '1/4', '1/2'])
    """
    require_share(2 * edge, "2 edge", "an edge lies between 0 and 1/2", zero=False, one=False)
    T = require_whole(n_rounds, "n_rounds", at_least=1)
    return _run(learner, signs, T, lambda t, lead: lead_weight(edge, T - 1 - t, lead), probabilities)


def vote_with_constant_step(
    learner: WeakLearner, signs: Signs, growth: Fraction, n_rounds: int, probabilities: Exact | None = None
) -> EqualVotesRun:
    """T rounds with the weights P(i) growth^(-lead), growth > 1: AdaBoost with the same step ln(growth) in every round.

    >>> from mcbook.boosting import FinitePool
    >>> pool = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])
    >>> vote_with_constant_step(FinitePool(pool), np.ones(3, dtype=int), Fraction(2), 6).leads[-1].tolist()
    [2, 2, 2]
    """
    require_at_least(growth, 1, "growth", "a right vote is to lower the weight")
    T = require_whole(n_rounds, "n_rounds", at_least=1)
    return _run(learner, signs, T, lambda t, lead: Fraction(growth) ** -lead, probabilities)


def _run(learner: WeakLearner, signs: Signs, n_rounds: int, weigh: Weigh, probabilities: Exact | None) -> EqualVotesRun:
    y = require_signs(signs)
    m = len(y)
    P = np.full(m, Fraction(1, m)) if probabilities is None else require_probabilities(probabilities, m)
    leads, made = [np.zeros(m, dtype=np.int64)], []
    for t in range(n_rounds):
        weights = P * [weigh(t, int(lead)) for lead in leads[-1]]
        total = weights.sum()
        # Where nothing can be won or lost any more, every hypothesis is as good.
        D = weights * (1 / total) if total else P
        hypothesis, outputs = learner.learn(D[:, None] * y[:, None])
        right = np.ravel(outputs) == y
        edge = D[right].sum() - Fraction(1, 2) if total else Fraction(0)
        leads.append(leads[-1] + np.where(right, 1, -1))
        made.append((hypothesis, total, edge, D))
    hypotheses, totals, edges, rows = zip(*made, strict=True)
    return EqualVotesRun(hypotheses, np.array(leads), _exact(totals), _exact(edges), np.array(rows, dtype=object))


def _exact(values: ArrayLike) -> Exact:
    return np.array(values, dtype=object)
