"""Finite laws: means, events, samples, and what a chapter adds to them."""

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
    random_probabilities,
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


def test_indexes_are_not_taken_for_events_nor_other_lengths_for_values():
    with pytest.raises(ValueError, match="one truth for each atom"):
        LAW.probability([0, 2])
    with pytest.raises(ValueError, match="values on 3 atoms"):
        LAW.expectation([1, 2])


@pytest.mark.parametrize("bad", [[HALF, HALF, HALF], [Fraction(3, 2), -HALF], [0.1] * 10, []])
def test_probabilities_that_are_none_are_refused(bad):
    with pytest.raises(ValueError, match="sum to 1"):
        FiniteLaw(bad)


def test_the_conditional_law():
    given = LAW.conditional([True, True, False])
    assert given.probabilities.tolist() == [Fraction(1, 3), Fraction(2, 3), 0]
    with pytest.raises(ValueError, match="positive probability"):
        given.conditional([False, False, True])


def test_the_distribution_of_a_variable_adds_equal_values_and_drops_impossible_ones():
    law = law_from_counts([1, 2, 0, 3])
    assert list(law.distribution([5, 4, 0, 5]).items()) == [(4, Fraction(1, 3)), (5, Fraction(2, 3))]


def test_the_product_law_is_row_by_row():
    both = LAW.product(uniform_law(2))
    values = np.add.outer([6, 3, 2], [0, 10]).ravel()
    assert both.expectation(values) == 3 + 5
    assert both.probabilities[2 * 1 + 0] == Fraction(1, 3) * HALF


def test_samples_by_counts_are_the_sequences_sorted():
    by_counts, total = dict(LAW.samples(3)), Fraction(0)
    for atoms, probability in LAW.sequences(3):
        counts = tuple(Counter(atoms)[atom] for atom in range(3))
        by_counts[counts] -= probability
        total += probability
    assert total == 1
    assert set(by_counts.values()) == {0}
    assert len(list(LAW.sequences(3))) == 27


def test_what_cannot_happen_is_left_out():
    law = law_from_counts([1, 0, 1])
    assert [atoms for atoms, _ in law.sequences(2)] == list(itertools.product((0, 2), repeat=2))
    assert all(counts[1] == 0 for counts, _ in law.samples(2))
    assert len(list(law.samples(2))) == 3


def test_a_drawn_sample_has_the_frequencies_of_the_law():
    drawn = law_from_counts([1, 0, 2, 1]).draw(np.random.default_rng(0), 4000)
    counts = np.bincount(drawn, minlength=4)
    assert counts[1] == 0
    assert np.abs(counts / 4000 - [0.25, 0, 0.5, 0.25]).max() < 0.04
    with pytest.raises(ValueError, match="denominator below"):
        law_from_counts([1, 10**30]).draw(np.random.default_rng(0), 1)


def test_random_probabilities_are_positive_and_sum_to_one():
    found = random_probabilities(np.random.default_rng(3), 5, largest=4)
    assert sum(found) == 1
    assert min(found) > 0
    weights = np.random.default_rng(3).integers(1, 5, 5)
    assert found.tolist() == [Fraction(int(w), int(weights.sum())) for w in weights]


@pytest.mark.parametrize("bad", [[], [0, 0], [-1, 2]])
def test_counts_that_make_no_law_are_refused(bad):
    with pytest.raises(ValueError, match="counts >= 0, not all of them 0"):
        probabilities_from_counts(bad)


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
