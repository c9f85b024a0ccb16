"""Forests that are as bad as their strength and correlation allow."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.forests.algorithm.finite import FiniteForest, VoteDistribution
from mcbook.foundation.checks import require_at_most, require_positive, require_share
from mcbook.foundation.numbers import as_fraction, rational


def worst_vote_distribution(strength: int | Fraction, correlation: int | Fraction) -> VoteDistribution:
    """The distribution of the margin with the largest error of all with this strength and correlation, exact.

    >>> distribution = worst_vote_distribution(Fraction(1, 3), Fraction(1, 16))
    >>> [str(v) for v in distribution.values], [str(p) for p in distribution.probabilities], str(distribution.error)
    (['0', '1/2'], ['1/3', '2/3'], '1/3')
    """
    s = as_fraction(require_at_most(require_positive(strength, "strength"), Fraction(99, 100), "strength"))
    rho = as_fraction(require_share(correlation, "correlation"))
    variance = rho * (1 - s * s)
    if rho * (1 + s) <= s:
        tie = variance / (variance + s * s)
        return VoteDistribution(rational([tie, 1 - tie]), rational([0, s + variance / s]))
    q = variance + s * s
    return VoteDistribution(rational([(q - s) / 2, 1 - q, (q + s) / 2]), rational([-1, 0, 1]))


def circular_forest(distribution: VoteDistribution, n_trees: int) -> FiniteForest:
    """A forest whose margin has the distribution, its trees all of one strength.

    An atom is a value of the margin and a place on a circle of ``n_trees`` places; at the margin x, tree t is right on
    the n (1 + x) / 2 places that follow t.  So n (1 + x) / 2 has to be whole for every value x.

    >>> forest = circular_forest(VoteDistribution([Fraction(1, 3), Fraction(2, 3)], [0, 1]), n_trees=2)
    >>> [str(margin) for margin in forest.margins], forest.error, len(set(forest.tree_strengths.tolist()))
    (['0', '0', '1', '1'], Fraction(1, 3), 1)
    """
    right = [n_trees * (1 + x) / 2 for x in distribution.values.tolist()]
    if any(Fraction(r).denominator > 1 for r in right):
        raise ValueError(
            f"expected n_trees with whole n (1 + x) / 2 for the margins {[str(x) for x in distribution.values]}, got {n_trees}"
        )
    places = np.arange(n_trees)
    votes = [((places[None, :] - places[:, None]) % n_trees >= int(r)).astype(np.int64) for r in right]
    probabilities = [p / n_trees for p in distribution.probabilities.tolist() for _ in places]
    return FiniteForest(rational(probabilities), np.hstack(votes), np.zeros(n_trees * len(right), np.int64), 2)
