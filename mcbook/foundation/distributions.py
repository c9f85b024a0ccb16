"""Finite distributions, on which every probability and every mean is a fraction.

A distribution has atoms 0 .. n_atoms - 1, and whatever belongs to the atoms (labels, outputs, scores) stands in arrays
with one entry for each of them.  A chapter's distribution is a subclass with such arrays as further fields.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

import numpy as np

from mcbook.foundation.checks import require_exact_probabilities, require_same_length, require_whole
from mcbook.foundation.numbers import rational
from mcbook.foundation.proof.exact import count_vectors, multinomial_probability
from mcbook.foundation.types import Array, ArrayLike, Exact, Integers, Real, Values

# Whatever can be put in order.
Value = TypeVar("Value", bound=Real | str | tuple[Real, ...])


@dataclass(frozen=True, eq=False)
class FiniteDistribution:
    """Atoms with their ``probabilities (n_atoms,)``, fractions that sum to 1.

    >>> distribution = FiniteDistribution([Fraction(1, 4), Fraction(3, 4)])
    >>> distribution.expectation([4, 8]), distribution.probability([True, False])
    (Fraction(7, 1), Fraction(1, 4))
    """

    probabilities: Exact

    def __post_init__(self) -> None:
        object.__setattr__(self, "probabilities", require_exact_probabilities(self.probabilities))

    def _keep(self, **fields: Sized) -> None:
        """Put checked values into fields, for the ``__post_init__`` of a subclass, which calls this one first.

        Each field must have an entry for each atom.
        """
        require_same_length(probabilities=self.probabilities, **fields)
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @property
    def n_atoms(self) -> int:
        return len(self.probabilities)

    def expectation(self, values: ArrayLike) -> Values:
        """E of values on the atoms, which are their last axis: a fraction, or one for each index of the other axes."""
        table = rational(values)
        if table.shape[-1:] != (self.n_atoms,):
            raise ValueError(f"expected values on {self.n_atoms} atoms as the last axis, got shape {table.shape}")
        mean = table @ self.probabilities
        return rational(mean) if np.ndim(mean) else Fraction(mean)

    def probability(self, event: ArrayLike) -> Values:
        """The probability of an event, given as one truth for each atom; of several, if it has further axes before."""
        happens = np.asarray(event)
        if happens.dtype != np.bool_:
            raise ValueError(f"expected an event, one truth for each atom, got entries of type {happens.dtype}")
        if happens.shape[-1:] != (self.n_atoms,):
            raise ValueError(f"expected truths for {self.n_atoms} atoms as the last axis, got shape {happens.shape}")
        # Sums of ints over one denominator: fractions would be brought to it anew at every atom.
        numerators, denominator = self._over_one_denominator
        found = happens.astype(object) @ numerators
        return rational(found * Fraction(1, denominator)) if np.ndim(found) else Fraction(int(found), denominator)

    @cached_property
    def _over_one_denominator(self) -> tuple[Exact, int]:
        denominator = math.lcm(*(Fraction(mass).denominator for mass in self.probabilities))
        return rational(self.probabilities * denominator), denominator

    def conditional(self, event: Array | Sequence[bool]) -> FiniteDistribution:
        """The distribution given the event, on the same atoms."""
        mass = self.probability(event)
        if mass == 0:
            raise ValueError("expected an event of positive probability, got one of probability 0: nothing is given")
        return FiniteDistribution(np.where(event, self.probabilities / mass, 0))

    def distribution_of(self, values: Iterable[Value]) -> dict[Value, Fraction]:
        """The values that occur with positive probability and how probable each is, in increasing order."""
        found: dict[Value, Fraction] = {}
        for value, probability in zip(values, self.probabilities, strict=True):
            found[value] = found.get(value, Fraction(0)) + probability
        return {value: found[value] for value in sorted(found) if found[value]}

    def product(self, other: FiniteDistribution) -> FiniteDistribution:
        """Both distributions independently: atom i of this one and j of the other make atom i * other.n_atoms + j."""
        return FiniteDistribution(np.outer(self.probabilities, other.probabilities).ravel())

    def samples(self, n_samples: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        """Every iid sample of the size, known by its counts on the atoms, with its probability; impossible ones not."""
        for counts in count_vectors(require_whole(n_samples, "n_samples", at_least=0), self.n_atoms):
            probability = multinomial_probability(counts, self.probabilities)
            if probability:
                yield counts, probability

    def sequences(self, n_samples: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        """Every iid sample as the sequence of its atoms, with its probability; impossible ones not."""
        possible = [atom for atom, probability in enumerate(self.probabilities) if probability]
        for atoms in itertools.product(possible, repeat=require_whole(n_samples, "n_samples", at_least=0)):
            yield atoms, math.prod((Fraction(self.probabilities[atom]) for atom in atoms), start=Fraction(1))

    def draw(self, rng: np.random.Generator, n_samples: int) -> Integers:
        """The atoms of one iid sample, drawn with exactly these probabilities."""
        whole = math.lcm(*(Fraction(p).denominator for p in self.probabilities))
        if whole >= 2**63:
            raise ValueError(f"expected probabilities with a common denominator below 2^63, got {whole}: round them")
        ends = np.cumsum([int(p * whole) for p in self.probabilities])
        return np.asarray(np.searchsorted(ends, rng.integers(0, whole, n_samples), side="right"))


def probabilities_from_counts(counts: Iterable[Real]) -> Exact:
    """Fractions in proportion to whole numbers, or to fractions.

    >>> probabilities_from_counts([1, 3]).tolist()
    [Fraction(1, 4), Fraction(3, 4)]
    """
    weights = [Fraction(weight) for weight in rational(list(counts)).tolist()]
    if not weights or min(weights) < 0 or not sum(weights):
        raise ValueError(f"expected counts >= 0, not all of them 0, got {[str(weight) for weight in weights]}")
    return np.array([weight / sum(weights) for weight in weights], dtype=object)


def distribution_from_counts(counts: Iterable[Real]) -> FiniteDistribution:
    """The distribution whose probabilities are in proportion to the counts; that of a sample, if they are its counts."""
    return FiniteDistribution(probabilities_from_counts(counts))


def uniform_distribution(n_atoms: int) -> FiniteDistribution:
    """The same probability for each atom: drawing from a sample."""
    return distribution_from_counts([1] * require_whole(n_atoms, "n_atoms", at_least=1))


def random_probabilities(rng: np.random.Generator, n_atoms: int, largest: int = 9) -> Exact:
    """Positive fractions in proportion to random whole numbers of at most this size."""
    return probabilities_from_counts(rng.integers(1, largest + 1, n_atoms))
