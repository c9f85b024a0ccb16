"""Expectations for training: all sequences of a block at once, in arrays that are made once and filled again and again.

Chains walk in step: their positions are sorted by place, and one step of all of them is one product of matrices.  Trees
have no such order, and scores that lie too far apart for exponentials take the way of logarithms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mcbook.foundation.types import Array, Floats, Integers, Labels, Matrix
from mcbook.structured.algorithm.features import JointFeatures, Scores, Structures
from mcbook.structured.algorithm.forest import Forest
from mcbook.structured.algorithm.inference import is_moderate, sum_over_labellings


def places_of_chains(forest: Forest) -> tuple[Integers, Integers]:
    """The positions sorted by their place, at each place the longer chains first, and where each place begins.

    >>> from mcbook.structured import chains
    >>> [part.tolist() for part in places_of_chains(chains([1, 2]))]
    [[1, 0, 2], [0, 2, 3]]
    """
    lengths = forest.lengths
    rank = np.empty(len(lengths), dtype=np.int64)
    rank[np.argsort(-lengths, kind="stable")] = np.arange(len(lengths))
    place = np.arange(forest.n_positions) - np.repeat(forest.roots, lengths)
    starts = np.concatenate([[0], np.cumsum(np.bincount(place))])
    return np.lexsort((np.repeat(rank, lengths), place)), starts


@dataclass
class Block:
    """Sequences of which expectations are asked again and again: ``P (n_positions, n_labels)`` gets the marginals.

    ``order`` says which position each row of X and of P is.
    """

    X: Matrix
    forest: Forest
    order: Integers
    starts: Integers | None
    leaves: Integers
    added: tuple[Floats, Labels] | None
    weight: Floats | None
    P: Floats

    def __post_init__(self) -> None:
        self.ratios, self.scales = np.empty_like(self.P), np.empty(len(self.P))
        each = np.ones(self.forest.n_sequences) if self.weight is None else self.weight
        rows = np.repeat(each, self.forest.lengths)[self.order]
        self.of_rows, self.total = rows, (float(rows.sum()), float(rows.sum() - each.sum()))

    def expect(self, features: JointFeatures, w: Floats) -> tuple[float, Floats]:
        """The weighted sum of ln Z, and the expected features of labels alone; ``P`` gets the weighted marginals."""
        W, T, start, end = features.parts(w)
        E = np.asarray(self.X @ W)
        E[self.roots] += start
        E[self.leaves] += end
        if self.added is not None:
            cost, y = self.added
            E += cost[y]
        if self.starts is not None and is_moderate(E, T, 1):
            value, pairs = self._batched(E, T, self.starts)
        else:
            value, pairs = self._one_by_one(E, T)
        return value, np.vstack([pairs, self.P[self.roots].sum(axis=0), self.P[self.leaves].sum(axis=0)])

    @property
    def roots(self) -> Any:
        return self.forest.roots if self.starts is None else slice(self.starts[1])

    def _batched(self, E: Floats, T: Floats, starts: Integers) -> tuple[float, Floats]:
        from mcbook.structured.kernels.batched_chains import sum_batched_chains

        top, of_pair = E.max(), T.max()
        E -= top
        M = np.exp(T - of_pair)
        sum_batched_chains(np.exp(E, out=E), M, np.ascontiguousarray(M.T), starts, self.ratios, self.P, self.scales)
        value = float(self.of_rows @ np.log(self.scales) + top * self.total[0] + of_pair * self.total[1])
        if self.weight is not None:
            self.P *= self.of_rows[:, None]
            self.ratios *= self.of_rows[:, None]
        return value, M * (self.ratios.T @ E)

    def _one_by_one(self, E: Floats, T: Floats) -> tuple[float, Floats]:
        given = np.empty_like(E)
        given[self.order] = E
        found = sum_over_labellings(Scores(given, T), self.forest, self.weight)
        np.multiply(found.P[self.order], self.of_rows[:, None], out=self.P)
        each = 1.0 if self.weight is None else self.weight
        return float((each * found.log_partition).sum()), found.pairs


def block_of(data: Structures, y: Labels, cost: Array | None, weight: Floats | None, P: Floats) -> Block:
    """The block of these sequences, whose marginals go to ``P``; ``cost`` is what is added to the scores."""
    forest = data.forest
    is_chains = int(forest.n_children.max()) <= 1
    order, starts = places_of_chains(forest) if is_chains else (np.arange(forest.n_positions), None)
    row = np.empty_like(order)
    row[order] = np.arange(len(order))
    added = None if cost is None else (np.asarray(cost, dtype=float), y[order])
    return Block(data.X[order], forest, order, starts, row[forest.leaves], added, weight, P)
