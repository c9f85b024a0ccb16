"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.laws import probabilities_from_counts
from mcbook.problem import best_labels, best_prediction, expected_costs, one_hot, risk, tree_distances

CAR, CAT, DOG = 0, 1, 2


def risk_of_saying_nothing() -> Any:
    code = one_hot(np.arange(7), 7)
    return risk(np.zeros_like(code), code)


def risk_of_a_tie_of_three() -> Fraction:
    return fair_risk(np.array([[1, 1, 0, 1, 0]]), np.array([0]))


def ratio_of_the_rare_label() -> Fraction:
    return Fraction(probabilities_from_counts([8, 2])[1] / probabilities_from_counts([95, 5])[1])


def least_depth_for_the_cat() -> int:
    return next(depth for depth in range(60) if best_prediction(_LAW, _distances(depth)) == CAT)


def order_at_depth_thirty() -> list[int]:
    costs = expected_costs(_LAW, _distances(30))
    names = (CAT, DOG, CAR)
    return sorted(range(3), key=lambda place: costs[names[place]])


_LAW = probabilities_from_counts([49, 26, 25])


def _distances(depth: int) -> Any:
    branch = tuple(f"level {level}" for level in range(depth))
    return tree_distances([("car",), (*branch, "cat"), (*branch, "dog")])


def fair_risk(scores: Any, y: Any) -> Fraction:
    """The mean probability of an error when a fair draw breaks ties."""
    best = best_labels(scores)
    right = [Fraction(int(row[label]), int(row.sum())) for row, label in zip(best, y, strict=True)]
    return 1 - sum(right, Fraction(0)) / len(right)


def fair_draw(rng: np.random.Generator) -> Iterator[Case]:
    for n_samples, n_classes in ((1, 2), (4, 3), (9, 4), (30, 5)):
        scores, y = rng.integers(0, 3, (n_samples, n_classes)), rng.integers(0, n_classes, n_samples)
        if n_samples > 1:
            # One example is sure to be wrong and one to tie, so that no other rule for ties agrees by chance.
            scores[0], y[0] = np.arange(n_classes), 0
            scores[1], y[1] = 1, n_classes - 1
        yield Case(f"{n_samples} rows of {n_classes} scores", (scores, y), close_to(fair_risk(scores, y)))


def balanced_label(rng: np.random.Generator) -> Iterator[Case]:
    yield _balanced_case(np.array([0.8, 0.2]), np.array([0.95, 0.05]))
    for n_classes in (2, 3, 4, 6, 6, 6):
        yield _balanced_case(rng.dirichlet(np.ones(n_classes)), rng.dirichlet(np.ones(n_classes)))


def _balanced_case(probabilities: Any, priors: Any) -> Case:
    k = len(priors)
    costs = (1 - np.eye(k)) * (1 / (k * priors))[:, None]
    return Case(f"{k} labels", (probabilities, priors), close_to(best_prediction(probabilities, costs)))
