"""Three notions of separability with exact certificates, and the peeling of classes.

Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)``, weights ``(n_classes, n_features)``.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mcbook.foundation.checks import require_sample
from mcbook.foundation.numbers import rational
from mcbook.foundation.proof.alternatives import Alternative, strict_alternative
from mcbook.foundation.types import Array, Exact, Labels
from mcbook.perceptron import separability
from mcbook.perceptron.algorithm.separation import Separability


@dataclass(frozen=True, eq=False)
class SeparabilityChain:
    """What is separable about a sample, decided when it is asked for, each answer with its certificate.

    ``from_rest`` has one alternative for each class against the union of the others, ``pairs`` one for each pair of
    classes; a solution separates, multipliers show that nothing does.

    >>> chain = separability_chain(np.array([[-1, 1], [0, 1], [1, 1]]), np.array([0, 1, 2]), 3)
    >>> [one.solvable for one in chain.from_rest], chain.by_argmax  # the middle is not one side of a point
    ([True, False, True], True)
    """

    X: Exact
    y: Labels
    n_classes: int

    @cached_property
    def from_rest(self) -> tuple[Alternative, ...]:
        return tuple(separation_of(self.X, np.where(self.y == label, 1, -1)) for label in range(self.n_classes))

    @cached_property
    def argmax(self) -> Separability:
        return separability(self.X, self.y, self.n_classes)

    @cached_property
    def pairs(self) -> dict[tuple[int, int], Alternative]:
        found = {}
        for a, b in itertools.combinations(np.unique(self.y).tolist(), 2):
            chosen = (self.y == a) | (self.y == b)
            found[a, b] = separation_of(self.X[chosen], np.where(self.y[chosen] == a, 1, -1))
        return found

    @property
    def one_vs_rest(self) -> bool:
        return all(found.solvable for found in self.from_rest)

    @property
    def by_argmax(self) -> bool:
        return self.argmax.separable

    @property
    def pairwise(self) -> bool:
        return all(found.solvable for found in self.pairs.values())

    @property
    def levels(self) -> tuple[bool, bool, bool]:
        """One-vs-rest, argmax, pairwise."""
        return self.one_vs_rest, self.by_argmax, self.pairwise


def separability_chain(X: Array, y: Labels, n_classes: int) -> SeparabilityChain:
    """The three separabilities of a sample, to be decided exactly; append a feature 1 to X for affine scores.

    Source: Roth (2018), slides on expressiveness.

    >>> X, y = np.array([[-1, 1], [0, 1], [1, 1]]), np.array([0, 1, 2])
    >>> separability_chain(X, y, 3).levels
    (False, True, True)
    """
    X, y = require_sample(X, y, n_classes, exact=True)
    return SeparabilityChain(rational(X), y, n_classes)


def separation_of(X: Exact, signs: Array) -> Alternative:
    """A vector with sign_i (w . x_i) > 0 for every row, or multipliers that show that there is none.

    >>> X = np.array([[-1], [1]], dtype=object)
    >>> separation_of(X, [-1, 1]).solvable, separation_of(X, [1, 1]).multipliers
    (True, (1, 1))
    """
    return strict_alternative(np.asarray(signs)[:, None] * X)


def peeling_weights(X: Array, y: Labels, order: Sequence[int]) -> Exact | None:
    """Weights of an argmax rule from peeling the classes off in this order, or None where a class does not come off.

    Each class is separated from the union of the later ones by some h_i, in integers; f_i = M^(k - i) h_i for M larger
    than every |h_i(x)|, and 0 for the last.

    Source: this book; sharper than Roth's slides on expressiveness (2018).

    >>> peeling_weights(np.array([[-1, 1], [0, 1], [1, 1]]), np.array([0, 1, 2]), [0, 1, 2]).shape
    (3, 2)
    """
    points, labels = rational(X), np.asarray(y)
    functions = np.zeros((len(order), points.shape[1]), dtype=object)
    left = np.ones(len(points), dtype=bool)
    for label in order[:-1]:
        found = separation_of(points[left], np.where(labels[left] == label, 1, -1))
        if found.solution is None:
            return None
        functions[label] = found.solution
        left &= labels != label
    large = 1 + max(abs(int(value)) for value in (points @ functions.T).ravel())
    for place, label in enumerate(order):
        functions[label] *= large ** (len(order) - 1 - place)
    return functions
