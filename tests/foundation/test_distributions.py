"""Finite distributions: means, events, samples, and what a chapter adds to them."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from mcbook.foundation.distributions import (
    FiniteDistribution,
    distribution_from_counts,
    probabilities_from_counts,
    uniform_distribution,
)
from mcbook.foundation.types import Array

DISTRIBUTION = distribution_from_counts([1, 2, 3])
HALF = Fraction(1, 2)


def test_means_and_probabilities_are_fractions():
    assert DISTRIBUTION.expectation([6, 3, 2]) == 3
    assert type(DISTRIBUTION.expectation([6, 3, 2])) is Fraction
    assert DISTRIBUTION.expectation([[6, 0, 0], [0, 0, 6]]).tolist() == [1, 3]
    assert DISTRIBUTION.probability([True, False, True]) == Fraction(2, 3)
    assert DISTRIBUTION.probability(np.array([[True, False, False], [False] * 3])).tolist() == [Fraction(1, 6), 0]


def test_refusals():
    for make, message in (
        (lambda: DISTRIBUTION.probability([0, 2]), "one truth for each atom"),
        (lambda: DISTRIBUTION.expectation([1, 2]), "values on 3 atoms"),
        (
            lambda: DISTRIBUTION.conditional([True, True, False]).conditional([False, False, True]),
            "positive probability",
        ),
        (lambda: list(DISTRIBUTION.samples(-1)), "n_samples >= 0, got -1"),
        (lambda: list(DISTRIBUTION.sequences(-1)), "n_samples >= 0, got -1"),
        (lambda: uniform_distribution(0), "n_atoms >= 1, got 0"),
        *(
            (lambda bad=bad: FiniteDistribution(bad), "sum to 1")
            for bad in ([HALF] * 3, [HALF * 3, -HALF], [0.1] * 10, [])
        ),
        *((lambda b=b: probabilities_from_counts(b), "counts >= 0, not all of") for b in ([], [0, 0], [-1, 2])),
    ):
        with pytest.raises(ValueError, match=message):
            make()


def test_conditional_distribution_and_product():
    assert DISTRIBUTION.conditional([True, True, False]).probabilities.tolist() == [Fraction(1, 3), Fraction(2, 3), 0]
    distribution = distribution_from_counts([1, 2, 0, 3])
    assert list(distribution.distribution_of([5, 4, 0, 5]).items()) == [(4, Fraction(1, 3)), (5, Fraction(2, 3))]
    both = DISTRIBUTION.product(uniform_distribution(2))
    assert both.expectation(np.add.outer([6, 3, 2], [0, 10]).ravel()) == 3 + 5
    assert both.probabilities[2 * 1 + 0] == Fraction(1, 3) * HALF


def test_samples_by_counts_are_the_sequences_sorted():
    by_counts, total = dict(DISTRIBUTION.samples(3)), Fraction(0)
    for atoms, probability in DISTRIBUTION.sequences(3):
        by_counts[tuple(Counter(atoms)[atom] for atom in range(3))] -= probability
        total += probability
    assert total == 1
    assert set(by_counts.values()) == {0}
    assert len(list(DISTRIBUTION.sequences(3))) == 27
    # What cannot happen is left out, and there is one sample of size 0.
    distribution = distribution_from_counts([1, 0, 1])
    assert [atoms for atoms, _ in distribution.sequences(2)] == list(itertools.product((0, 2), repeat=2))
    assert [counts[1] for counts, _ in distribution.samples(2)] == [0, 0, 0]
    assert (list(distribution.samples(0)), list(distribution.sequences(0))) == ([((0, 0, 0), 1)], [((), 1)])


def test_a_distribution_draws_each_atom_as_often_as_it_is_probable():
    distribution = FiniteDistribution([Fraction(1, 6), Fraction(0), Fraction(1, 3), HALF])

    class Counted:
        """Whole numbers below the common denominator, each once."""

        def integers(self, low, high, size):
            assert (low, high, size) == (0, 6, 6)
            return np.arange(6)

    assert distribution.draw(Counted(), 6).tolist() == [0, 2, 2, 3, 3, 3]
    smallest = Fraction(1, 2**62)
    assert FiniteDistribution([smallest, 1 - smallest]).draw(np.random.default_rng(0), 1).shape == (1,)
    with pytest.raises(ValueError, match="common denominator below"):
        FiniteDistribution([smallest / 2, 1 - smallest / 2]).draw(np.random.default_rng(0), 1)


@dataclass(frozen=True, eq=False)
class LabelledDistribution(FiniteDistribution):
    labels: Array

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep(labels=np.asarray(self.labels))


def test_a_subclass_adds_what_belongs_to_the_atoms():
    distribution = LabelledDistribution([HALF, HALF], [0, 1])
    assert distribution.probability(distribution.labels == 1) == HALF
    with pytest.raises(ValueError, match="rows in probabilities and labels, got 2 and 1"):
        LabelledDistribution([HALF, HALF], [0])
