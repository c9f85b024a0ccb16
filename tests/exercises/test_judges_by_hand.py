"""Judges of exercises on answers that come close."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import numpy as np
import pytest

from mcbook import check
from mcbook.claims.one_vs_rest_and_pairs.judges import _fault_of_survivor
from mcbook.exercises import find_part


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


class Remembers:
    """Learns what it should, and then predicts what it has predicted once, whatever is asked."""

    def __init__(self, right: Any) -> None:
        self.right = right

    def fit(self, X: Any, *others: Any) -> Remembers:
        fitted = copy.deepcopy(self.right).fit(X, *others)
        self.kept = fitted.predict(X)
        self.errors_ = getattr(fitted, "errors_", None)
        return self

    def predict(self, X: Any) -> Any:
        return self.kept


class AsATuple:
    """Its predictions are those of another, in a tuple."""

    def __init__(self, right: Any) -> None:
        self.right = right

    def fit(self, X: Any, *others: Any) -> AsATuple:
        self.right.fit(X, *others)
        self.errors_ = getattr(self.right, "errors_", None)
        return self

    def predict(self, X: Any) -> Any:
        return tuple(self.right.predict(X))


@pytest.mark.parametrize("exercise", ["boosting-learner-estimator", "structured-perceptron-estimator"])
def test_an_estimator_has_to_look_at_what_it_predicts(exercise: str) -> None:
    part, scope = find_part(exercise), {"np": np}
    exec(part.answer, scope)
    right = scope[part.variable]
    assert check(exercise, AsATuple(right))
    assert not check(exercise, Remembers(right))
