"""Boosting by filtering: the booster draws examples, keeps few of them for one round, and forgets them.

An example that comes from the source gets the weight that boosting by majority would give it, which needs nothing but
the hypotheses so far, and is kept with a probability in proportion to it.  So those that are kept are a sample from the
reweighted distribution, whose support may be as large as it likes.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mcbook.foundation.checks import require_share, require_signs, require_whole
from mcbook.foundation.types import Signs
from mcbook.weak_learning.theory import lead_weight


class FilteringRun(NamedTuple):
    """The ``hypotheses`` of the rounds; how many examples were ``drawn`` in each; and ``most_stored``, the largest
    number of things that were in store at once: hypotheses, kept examples, the one that is looked at.

    ``examples`` has those that each round kept, in their order.  This record is for who looks on: the booster forgets
    them when the round ends.  In the first round all weights are equal, so all that is drawn is kept.

    >>> import itertools
    >>> A = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])
    >>> run = boost_by_filtering(itertools.cycle(range(3)), A, Fraction(1, 6), 1, 30, np.random.default_rng(0))
    >>> run.hypotheses, run.drawn, run.kept, run.most_stored
    ((0,), (30,), (30,), 31)
    """

    hypotheses: tuple[int, ...]
    drawn: tuple[int, ...]
    examples: tuple[tuple[int, ...], ...]
    most_stored: int

    @property
    def kept(self) -> tuple[int, ...]:
        """How many examples each round kept."""
        return tuple(map(len, self.examples))


def boost_by_filtering(
    source: Iterator[int],
    A: Signs,
    edge: Fraction,
    n_rounds: int,
    n_kept: int,
    rng: np.random.Generator,
    *,
    patience: int = 20_000,
) -> FilteringRun:
    """T rounds; each keeps ``n_kept`` examples, and takes the hypothesis that is right on most of them.

    ``source`` yields examples, as columns of the agreements ``A (n_hypotheses, n_points)``, for ever.  A round that has
    drawn as many as ``patience`` goes on with what it has: then almost every example is decided.

    >>> import itertools
    >>> A = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])
    >>> run = boost_by_filtering(itertools.cycle(range(3)), A, Fraction(1, 6), 3, 30, np.random.default_rng(0))
    >>> run.most_stored, run.kept
    (33, (30, 30, 30))
    """
    require_share(2 * edge, "2 edge", "an edge lies between 0 and 1/2", zero=False, one=False)
    T, n = require_whole(n_rounds, "n_rounds", at_least=1), require_whole(n_kept, "n_kept", at_least=1)
    A = require_signs(A, "A")
    hypotheses: list[int] = []
    votes: list[list[int]] = []
    drawn, examples, most_stored = [], [], 0
    for t in range(T):
        chances = _chances(edge, T, t)
        kept: list[int] = []
        n_drawn = 0
        while len(kept) < n and n_drawn < patience:
            example = next(source)
            n_drawn += 1
            most_stored = max(most_stored, len(hypotheses) + len(kept) + 1)
            lead = sum(row[example] for row in votes)
            if rng.random() < chances[lead]:
                kept.append(example)
        hypotheses.append(int(np.argmax(A[:, kept].sum(axis=1))))
        votes.append(A[hypotheses[-1]].tolist())
        drawn.append(n_drawn)
        examples.append(tuple(kept))
        most_stored = max(most_stored, len(hypotheses) + len(kept))
    return FilteringRun(tuple(hypotheses), tuple(drawn), tuple(examples), most_stored)


def _chances(edge: Fraction, n_rounds: int, t: int) -> dict[int, float]:
    """The probability with which an example of each lead is kept, 1 for the leads of the largest weight."""
    weights = {lead: lead_weight(edge, n_rounds - 1 - t, lead) for lead in range(-t, t + 1)}
    largest = max(weights.values())
    return {lead: float(weight / largest) for lead, weight in weights.items()}
