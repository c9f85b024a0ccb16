"""Finite distributions: means, events, samples, and what a chapter adds to them."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from mcbook.foundation.laws import (
    FiniteLaw,
    law_from_counts,
    probabilities_from_counts,
    uniform_law,
)
from mcbook.foundation.types import Array

LAW = law_from_counts([1, 2, 3])
HALF = Fraction(1, 2)


def test_means_and_probabilities_are_fractions():
    assert LAW.expectation([6, 3, 2]) == 3
    assert type(LAW.expectation([6, 3, 2])) is Fraction
    assert LAW.expectation([[6, 0, 0], [0, 0, 6]]).tolist() == [1, 3]
    assert LAW.probability([True, False, True]) == Fraction(2, 3)
    assert LAW.probability(np.array([[True, False, False], [False] * 3])).tolist() == [Fraction(1, 6), 0]


def test_refusals():
    for make, message in (
        (lambda: LAW.probability([0, 2]), "one truth for each atom"),
        (lambda: LAW.expectation([1, 2]), "values on 3 atoms"),
        (lambda: LAW.conditional([True, True, False]).conditional([False, False, True]), "positive probability"),
        (lambda: list(LAW.samples(-1)), "n_samples >= 0, got -1"),
        (lambda: list(LAW.sequences(-1)), "n_samples >= 0, got -1"),
        (lambda: uniform_law(0), "n_atoms >= 1, got 0"),
        *((lambda bad=bad: FiniteLaw(bad), "sum to 1") for bad in ([HALF] * 3, [HALF * 3, -HALF], [0.1] * 10, [])),
        *((lambda b=b: probabilities_from_counts(b), "counts >= 0, not all of") for b in ([], [0, 0], [-1, 2])),
    ):
        with pytest.raises(ValueError, match=message):
            make()


def test_conditional_distribution_and_product():
    assert LAW.conditional([True, True, False]).probabilities.tolist() == [Fraction(1, 3), Fraction(2, 3), 0]
    law = law_from_counts([1, 2, 0, 3])
    assert list(law.distribution([5, 4, 0, 5]).items()) == [(4, Fraction(1, 3)), (5, Fraction(2, 3))]
    both = LAW.product(uniform_law(2))
    assert both.expectation(np.add.outer([6, 3, 2], [0, 10]).ravel()) == 3 + 5
    assert both.probabilities[2 * 1 + 0] == Fraction(1, 3) * HALF


def test_samples_by_counts_are_the_sequences_sorted():
    by_counts, total = dict(LAW.samples(3)), Fraction(0)
    for atoms, probability in LAW.sequences(3):
        by_counts[tuple(Counter(atoms)[atom] for atom in range(3))] -= probability
        total += probability
    assert total == 1
    assert set(by_counts.values()) == {0}
    assert len(list(LAW.sequences(3))) == 27
    # What cannot happen is left out, and there is one sample of size 0.
    law = law_from_counts([1, 0, 1])
    assert [atoms for atoms, _ in law.sequences(2)] == list(itertools.product((0, 2), repeat=2))
    assert [counts[1] for counts, _ in law.samples(2)] == [0, 0, 0]
    assert (list(law.samples(0)), list(law.sequences(0))) == ([((0, 0, 0), 1)], [((), 1)])


def test_a_law_draws_each_atom_as_often_as_it_is_probable():
    law = FiniteLaw([Fraction(1, 6), Fraction(0), Fraction(1, 3), HALF])

    class Counted:
        """Whole numbers below the common denominator, each once."""

        def integers(self, low, high, size):
            assert (low, high, size) == (0, 6, 6)
            return np.arange(6)

    assert law.draw(Counted(), 6).tolist() == [0, 2, 2, 3, 3, 3]
    smallest = Fraction(1, 2**62)
    assert FiniteLaw([smallest, 1 - smallest]).draw(np.random.default_rng(0), 1).shape == (1,)
    with pytest.raises(ValueError, match="common denominator below"):
        FiniteLaw([smallest / 2, 1 - smallest / 2]).draw(np.random.default_rng(0), 1)


@dataclass(frozen=True, eq=False)
class LabelledLaw(FiniteLaw):
    labels: Array

    def __post_init__(self) -> None:
        super().__post_init__()
        self._keep(labels=np.asarray(self.labels))


def test_a_subclass_adds_what_belongs_to_the_atoms():
    law = LabelledLaw([HALF, HALF], [0, 1])
    assert law.probability(law.labels == 1) == HALF
    with pytest.raises(ValueError, match="rows in probabilities and labels, got 2 and 1"):
        LabelledLaw([HALF, HALF], [0])
