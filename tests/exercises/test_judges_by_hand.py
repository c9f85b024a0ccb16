"""Judges of exercises on answers that come close."""

from __future__ import annotations

import itertools

import pytest

from mcbook.claims.one_vs_rest_and_pairs.judges import _fault_of_survivor


def outcomes(*winners: int) -> list[int]:
    """Ten duels of five classes, 1 to 5, by their winners."""
    pairs = itertools.combinations(range(1, 6), 2)
    return [1 if winner == first else -1 for winner, (first, _) in zip(winners, pairs, strict=True)]


@pytest.mark.parametrize(
    ("winners", "fault"),
    [
        ((1, 1, 1, 5, 2, 2, 5, 4, 3, 4), ""),
        ((1, 1, 1, 1, 2, 2, 5, 4, 3, 4), "class 1 loses no duel"),
        ((1, 1, 1, 5, 2, 2, 2, 4, 3, 4), "class 1 is not alone at the top"),
        ((1, 1, 1, 5, 2, 2, 5, 4, 5, 4), "class 1 is not alone at the top"),
    ],
)
def test_one_class_survives_alone_although_it_lost(winners, fault):
    assert _fault_of_survivor(outcomes(*winners)) == fault
