"""Finite distributions, on which every error is a fraction, and those that attain the bounds of the chapter."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mcbook.foundation.checks import require_labels
from mcbook.foundation.distributions import FiniteDistribution, random_probabilities
from mcbook.foundation.numbers import quotient, rational
from mcbook.foundation.types import Array, Exact, Integers, Labels
from mcbook.one_vs_rest_and_pairs.algorithm.reductions import all_pairs_code


@dataclass(frozen=True, eq=False)
class OutputsDistribution(FiniteDistribution):
    """Atoms with labels and with the outputs that the binary classifiers give there.

    ``probabilities (n_atoms,)`` sum to 1, ``labels (n_atoms,)``, ``outputs (n_atoms, n_columns)``, exact numbers.

    >>> quarters = np.array([Fraction(1, 4), Fraction(3, 4)])
    >>> distribution = OutputsDistribution(quarters, np.array([0, 1]), np.array([[-1], [-1]]))
    >>> str(distribution.error(np.array([1, 1])))
    '1/4'
    >>> [str(each) for each in distribution.binary_masses(np.array([[1], [-1]]))]
    ['1/4']
    """

    labels: Labels
    outputs: Exact

    def __post_init__(self) -> None:
        super().__post_init__()
        outputs = rational(self.outputs)
        if outputs.ndim != 2:
            raise ValueError(f"expected outputs (n_atoms, n_columns), got shape {outputs.shape}")
        self._keep(labels=require_labels(self.labels), outputs=outputs)

    def error(self, predictions: Array) -> Fraction:
        """The probability that the prediction is not the label."""
        return self.probability(np.asarray(predictions) != self.labels)

    def binary_masses(self, M: Array) -> list[Fraction]:
        """For each column, the probability that it is asked, by its non-zero entries, and errs; 0 is never right."""
        entries = M[self.labels]
        wrong = (entries != 0) & (entries * self.outputs <= 0)
        return list(self.probability(wrong.T.astype(bool)))

    def binary_errors(self, M: Array) -> list[Fraction]:
        """For each column, the probability that it errs given that it is asked; 0 where it never is."""
        asked = list(self.probability((M[self.labels] != 0).T))
        return [
            quotient(wrong, mass) if mass else Fraction(0)
            for wrong, mass in zip(self.binary_masses(M), asked, strict=True)
        ]


def one_vs_rest_extremal_distribution(n_classes: int, r: Fraction | int) -> OutputsDistribution:
    """The distribution on which one-vs-rest errs with probability k r although every binary error is r.

    Each class has one atom of mass r on which the score of the next class is a false positive, and a very large one.

    >>> from mcbook.one_vs_rest_and_pairs.algorithm.reductions import one_vs_rest_code
    >>> distribution = one_vs_rest_extremal_distribution(3, Fraction(1, 9))
    >>> str(distribution.error(distribution.outputs.argmax(axis=1)))
    '1/3'
    >>> [str(each) for each in distribution.binary_errors(one_vs_rest_code(3))]
    ['1/9', '1/9', '1/9']
    """
    k, r = n_classes, Fraction(r)
    if not 0 <= k * r <= 1:
        raise ValueError(f"expected 0 <= r <= 1/k, got r = {r} for k = {k}")
    right = 2 * np.eye(k, dtype=int) - 1
    loud = right.copy()
    loud[np.arange(k), (np.arange(k) + 1) % k] = 100
    return OutputsDistribution(
        np.array([r] * k + [Fraction(1, k) - r] * k, dtype=object), np.tile(np.arange(k), 2), np.vstack([loud, right])
    )


def extremal_duels(priors: Sequence[Fraction | int], r: Fraction | int) -> OutputsDistribution:
    """The distribution on which one-vs-one errs with probability (k - 1) r, each duel with r given its two classes.

    Class l has a part of conditional mass r for every other class q, on which q wins all its duels; on the rest l wins
    all of its own.

    >>> from mcbook.one_vs_rest_and_pairs import majority
    >>> distribution = extremal_duels([Fraction(1, 3)] * 3, Fraction(1, 9))
    >>> str(distribution.error(majority(distribution.outputs, 3)))
    '2/9'
    >>> [str(each) for each in distribution.binary_errors(all_pairs_code(3))]
    ['1/9', '1/9', '1/9']
    """
    priors, r = [Fraction(prior) for prior in priors], Fraction(r)
    k = len(priors)
    if k < 2 or min(priors) < 0 or sum(priors) != 1:
        raise ValueError(f"expected at least 2 priors >= 0 that sum to 1, got {[str(p) for p in priors]}")
    if not 0 <= (k - 1) * r <= 1:
        raise ValueError(f"expected 0 <= r <= 1/(k - 1), got r = {r} for k = {k}")
    masses, labels, outputs = [], [], []
    for label, winner in itertools.product(range(k), repeat=2):
        masses.append(priors[label] * (1 - (k - 1) * r if winner == label else r))
        labels.append(label)
        outputs.append(champions_duels(k, winner, label))
    return OutputsDistribution(np.array(masses, dtype=object), np.array(labels), np.array(outputs))


def extremal_masses(n_classes: int, r: Fraction | int) -> OutputsDistribution:
    """The distribution on which one-vs-one errs with probability k (k - 1) / 2 r.

    Every duel has the mass r of errors under the full distribution.

    Each pair has one atom of this mass: it has the label of the first class, and the second wins all its duels.

    >>> from mcbook.one_vs_rest_and_pairs import majority
    >>> distribution = extremal_masses(3, Fraction(1, 9))
    >>> str(distribution.error(majority(distribution.outputs, 3)))
    '1/3'
    >>> [str(each) for each in distribution.binary_masses(all_pairs_code(3))]
    ['1/9', '1/9', '1/9']
    """
    k, r = n_classes, Fraction(r)
    pairs = list(itertools.combinations(range(k), 2))
    if not 0 <= len(pairs) * r <= 1:
        raise ValueError(f"expected 0 <= r <= 2/(k (k - 1)), got r = {r} for k = {k}")
    masses = [r] * len(pairs) + [1 - len(pairs) * r]
    labels = [first for first, _ in pairs] + [0]
    outputs = [champions_duels(k, second, first) for first, second in pairs] + [champions_duels(k, 0, 1)]
    return OutputsDistribution(np.array(masses, dtype=object), np.array(labels), np.array(outputs))


def champions_duels(n_classes: int, first: int, second: int) -> Integers:
    """Outcomes, one for each pair, by a ranking: ``first`` beats all, ``second`` all others, then smaller labels.

    >>> champions_duels(3, 2, 0).tolist()
    [1, -1, -1]
    """
    rank = {label: place for place, label in enumerate(dict.fromkeys((first, second, *range(n_classes))))}
    return np.array([1 if rank[i] < rank[j] else -1 for i, j in itertools.combinations(range(n_classes), 2)])


def random_distribution(
    rng: np.random.Generator, n_classes: int, n_columns: int, largest: int, n_atoms: int = 6
) -> OutputsDistribution:
    """A random distribution with integer outputs of at most this size, small so that ties are common.

    >>> distribution = random_distribution(np.random.default_rng(0), 3, 2, largest=1)
    >>> distribution.n_atoms, distribution.outputs.shape, str(distribution.probabilities.sum())
    (6, (6, 2), '1')
    """
    outputs = rational(rng.integers(-largest, largest + 1, (n_atoms, n_columns)))
    return OutputsDistribution(random_probabilities(rng, n_atoms, 19), rng.integers(0, n_classes, n_atoms), outputs)


def mostly_right_distribution(
    rng: np.random.Generator, n_classes: int, turned: float = 0.06, n_atoms: int = 24
) -> OutputsDistribution:
    """A random distribution on which most duels of the true class are right: each is turned with the given probability.

    >>> from mcbook.one_vs_rest_and_pairs import majority
    >>> distribution = mostly_right_distribution(np.random.default_rng(0), 3, turned=0)
    >>> str(distribution.error(majority(distribution.outputs, 3)))
    '0'
    """
    distribution = random_distribution(rng, n_classes, 1, 1, n_atoms)
    entries = all_pairs_code(n_classes)[distribution.labels]
    outputs = np.where(entries == 0, rng.choice([-1, 1], entries.shape), entries)
    outputs = np.where(rng.random(entries.shape) < turned, -outputs, outputs)
    return OutputsDistribution(distribution.probabilities, distribution.labels, outputs)
