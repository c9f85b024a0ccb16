"""What out-of-bag votes estimate, by enumeration of all samples and all bootstraps of a finite distribution.

Shapes: ``y (n_atoms,)``, and a learner gives a label for each of the atoms.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from mcbook.forests.algorithm.bootstrap import all_bootstraps
from mcbook.foundation.distributions import FiniteDistribution
from mcbook.foundation.types import Labels

# From the sorted atoms of a bootstrap to the label that the tree grown on them gives to every atom.
Learner: TypeAlias = Callable[[tuple[int, ...]], Sequence[int]]


def expected_vote_error(
    distribution: FiniteDistribution, y: Labels, learn: Learner, n_samples: int, n_draws: int, n_trees: int
) -> Fraction:
    """e_{m', m}(b): the expected error of the vote of b trees on bootstraps of m draws from m' iid examples.

    Ties of the vote go to the first label.

    Source: this book, on the estimate of Breiman (1996).

    >>> from mcbook.foundation.distributions import uniform_distribution
    >>> def memory(atoms):  # is right on the atoms that it has seen, and says 0 elsewhere
    ...     return [1 if atom in atoms else 0 for atom in (0, 1)]
    >>> expected_vote_error(uniform_distribution(2), np.array([1, 1]), memory, n_samples=1, n_draws=1, n_trees=1)
    Fraction(1, 2)
    """
    total = Fraction(0)
    for atoms, probability in distribution.sequences(n_samples):
        error = Fraction(0)
        for trees, chance in _forests(atoms, learn, n_draws, n_trees):
            wrong = np.array([_vote([tree[x] for tree in trees]) != y[x] for x in range(distribution.n_atoms)])
            error += chance * distribution.probability(wrong)
        total += probability * error
    return total


def expected_out_of_bag(
    distribution: FiniteDistribution, y: Labels, learn: Learner, n_samples: int, n_trees: int
) -> tuple[Fraction, Fraction]:
    """The expected share of examples that their out-of-bag vote misclassifies, and of those that have such a vote.

    Source: this book, on the estimate of Breiman (1996).

    >>> from mcbook.foundation.distributions import uniform_distribution
    >>> expected_out_of_bag(uniform_distribution(2), np.array([1, 1]), lambda atoms: [0, 0], n_samples=2, n_trees=1)
    (Fraction(1, 4), Fraction(1, 4))
    """
    wrong, voted = Fraction(0), Fraction(0)
    bootstraps = list(all_bootstraps(n_samples))
    for atoms, probability in distribution.sequences(n_samples):
        grown = [(counts, learn(_drawn(atoms, counts)), chance) for counts, chance in bootstraps]
        for chosen in itertools.product(grown, repeat=n_trees):
            weight = probability * math.prod(chance for _, _, chance in chosen) / n_samples
            for i, atom in enumerate(atoms):
                votes = [labels[atom] for counts, labels, _ in chosen if not counts[i]]
                if votes:
                    voted += weight
                    wrong += weight if _vote(votes) != y[atom] else 0
    return wrong, voted


def _forests(
    atoms: tuple[int, ...], learn: Learner, n_draws: int, n_trees: int
) -> list[tuple[tuple[Sequence[int], ...], Fraction]]:
    grown = [(learn(_drawn(atoms, counts)), chance) for counts, chance in all_bootstraps(len(atoms), n_draws)]
    return [
        (tuple(tree for tree, _ in chosen), math.prod((chance for _, chance in chosen), start=Fraction(1)))
        for chosen in itertools.product(grown, repeat=n_trees)
    ]


def _drawn(atoms: tuple[int, ...], counts: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(atom for atom, count in zip(atoms, counts, strict=True) for _ in range(count)))


def _vote(labels: Sequence[int]) -> int:
    return int(np.bincount(labels).argmax())
