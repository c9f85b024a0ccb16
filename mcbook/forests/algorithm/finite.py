"""Forests on a finite distribution: margins, strength, correlation and error as exact numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from mcbook.foundation.checks import require_classes, require_labels
from mcbook.foundation.distributions import FiniteDistribution
from mcbook.foundation.numbers import ball, rational
from mcbook.foundation.types import Exact, Labels, Scalar


@dataclass(frozen=True, eq=False)
class FiniteForest(FiniteDistribution):
    """A forest of equally likely trees on a finite distribution: ``votes (n_trees, n_atoms)`` and the labels ``y (n_atoms,)``.

    >>> forest = FiniteForest([Fraction(1, 2)] * 2, [[0, 1], [0, 0], [0, 1]], [0, 1], 2)
    >>> forest.strength, forest.error
    (Fraction(2, 3), Fraction(0, 1))
    """

    votes: Labels
    y: Labels
    n_classes: int

    def __post_init__(self) -> None:
        super().__post_init__()
        k = require_classes(self.n_classes)
        votes = np.array([require_labels(row, k, "votes") for row in np.atleast_2d(self.votes)])
        self._keep(y=require_labels(self.y, k))
        if votes.shape[1] != self.n_atoms:
            raise ValueError(f"expected votes of each tree on {self.n_atoms} atoms, got shape {votes.shape}")
        object.__setattr__(self, "votes", votes)

    @cached_property
    def counts(self) -> Exact:
        """How many trees give each label to each atom, ``(n_atoms, n_classes)``."""
        return rational((self.votes[:, :, None] == np.arange(self.n_classes)).sum(axis=0))

    @cached_property
    def rivals(self) -> Labels:
        """The strongest rival of each atom's label, of equally strong ones the first."""
        others = self.counts.copy()
        others[np.arange(self.n_atoms), self.y] = -1
        return np.asarray(others.astype(np.int64).argmax(axis=1))

    @cached_property
    def margins(self) -> Exact:
        """mr on the atoms: the share of the trees that are right less that of the strongest rival."""
        here = np.arange(self.n_atoms)
        return (self.counts[here, self.y] - self.counts[here, self.rivals]) * Fraction(1, len(self.votes))

    @cached_property
    def raw_margins(self) -> Exact:
        """[h = y] - [h = rival] for each tree and atom: -1, 0 or 1."""
        return rational((self.votes == self.y).astype(np.int64) - (self.votes == self.rivals))

    @property
    def strength(self) -> Fraction:
        """s = E mr."""
        return Fraction(self.expectation(self.margins))

    @property
    def variance(self) -> Fraction:
        """The variance of mr, which is the mean covariance of the raw margins of two trees."""
        return Fraction(self.expectation(self.margins**2)) - self.strength**2

    @property
    def tree_strengths(self) -> Exact:
        """The mean raw margin of each tree."""
        return rational(self.expectation(self.raw_margins))

    @property
    def correlation(self) -> Scalar:
        """Var(mr) over the squared mean of the trees' deviations: a fraction, or a ball where roots are left."""
        variances = rational(self.expectation(self.raw_margins**2)) - self.tree_strengths**2
        if not variances.any():
            raise ValueError("expected a tree that is neither always right nor always wrong: no deviation is left")
        if not self.variance:
            return Fraction(0)
        if len(set(variances.tolist())) == 1:
            return Fraction(self.variance) / Fraction(variances[0])
        mean = sum((ball(v).sqrt() for v in variances.tolist()), start=ball(0)) / len(variances)
        return ball(self.variance) / mean**2

    @property
    def error(self) -> Fraction:
        """Pr[mr <= 0]: the vote of all trees, of which a tie counts as an error."""
        return Fraction(self.probability((self.margins <= 0).astype(bool)))

    @property
    def mean_tree_error(self) -> Fraction:
        return Fraction(sum(self.probability(row != self.y) for row in self.votes)) / len(self.votes)


@dataclass(frozen=True, eq=False)
class VoteDistribution(FiniteDistribution):
    """A distribution of the margin mr of a forest for two classes: values in [-1, 1] with their probabilities.

    >>> distribution = VoteDistribution([Fraction(1, 4), Fraction(3, 4)], [0, 1])
    >>> distribution.strength, distribution.correlation, distribution.error
    (Fraction(3, 4), Fraction(3, 7), Fraction(1, 4))
    """

    values: Exact

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep(values=rational(self.values))

    @property
    def strength(self) -> Fraction:
        return Fraction(self.expectation(self.values))

    @property
    def correlation(self) -> Fraction:
        """Var(mr) / (1 - s^2): where all trees have the same strength, each has the variance 1 - s^2."""
        s = self.strength
        return (Fraction(self.expectation(self.values**2)) - s * s) / (1 - s * s)

    @property
    def error(self) -> Fraction:
        return Fraction(self.probability((self.values <= 0).astype(bool)))


def errors_as_trees_are_added(forest: FiniteForest, order: Sequence[int] | None = None) -> list[Fraction]:
    """The error of the vote of the first 1, 2, ... trees in the order; a tie counts as an error.

    >>> forest = FiniteForest([Fraction(1, 2)] * 2, [[0, 1], [1, 1], [0, 0]], [0, 1], 2)
    >>> [str(error) for error in errors_as_trees_are_added(forest)], str(errors_as_trees_are_added(forest, [2, 1])[1])
    (['0', '1/2', '0'], '1')
    """
    chosen = list(range(len(forest.votes)) if order is None else order)
    tables = [forest.votes[chosen[:n]] for n in range(1, len(chosen) + 1)]
    return [FiniteForest(forest.probabilities, votes, forest.y, forest.n_classes).error for votes in tables]
