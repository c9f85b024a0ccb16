"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from sklearn.base import BaseEstimator

from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.types import Array, Labels
from mcbook.trees import (
    fewest_errors,
    grow_greedily,
    least_impurity,
    parity_cube,
    threshold_questions,
    variance_decrease,
    vc_of_boolean_stumps,
    worst_potential,
)
from mcbook.trees.algorithm.greedy import total_impurity


def first_decrease() -> Fraction:
    y = np.array([0, 0, 1, 1])
    return total_impurity(y, 2) - total_impurity(y[:3], 2) - total_impurity(y[3:], 2)


def decrease_of_fifty() -> int:
    return int(total_impurity(np.repeat([0, 1], [40, 10]), 2))


def splits_on_a_line() -> int:
    X, y = np.arange(8)[:, None], np.array([0, 0, 1, 2, 2, 0, 1, 1])
    return len(grow_greedily(X, y, 3, threshold_questions(X)).steps)


def error_at_depth_two() -> Fraction:
    X, y = parity_cube(3, 4)
    return least_impurity(X, y, 2, threshold_questions(X), 2, "misclassification") / len(y)


def fall_of_the_variance() -> Fraction:
    return Fraction(variance_decrease(Fraction(3, 4), 0, 8))


def leaves_for_a_quarter() -> int:
    j = 0
    while worst_potential(j, 0, Fraction(4, 5)) > Fraction(1, 2):
        j += 1
    return 2**j


def order_of_the_proof() -> tuple[int, ...]:
    return (0, 1, 2, 3, 4)


def stumps_on_31() -> int:
    return vc_of_boolean_stumps(31)


def thresholds(rng: np.random.Generator) -> Iterator[Case]:
    for n_samples, n_classes in ((2, 2), (5, 2), (9, 3), (30, 4)):
        while True:
            steps = rng.integers(1, 6, n_samples)
            x, y = rng.permutation(steps.cumsum()) / 2, rng.integers(0, n_classes, n_samples)
            y[0], y[1] = 0, n_classes - 1
            found = _thresholds_by_total(x, y, n_classes)
            if len(found) < 2 or found[0][0] < found[1][0]:
                break
        yield Case(f"{n_samples} values, {n_classes} classes", (x, y), close_to(found[0][1]))


def _thresholds_by_total(x: Array, y: Labels, n_classes: int) -> list[tuple[Fraction, float]]:
    ordered = np.sort(x)
    middles = (ordered[:-1] + ordered[1:]) / 2
    return sorted(
        (total_impurity(y[x <= a], n_classes) + total_impurity(y[x > a], n_classes), float(a)) for a in middles
    )


def stump_learner(rng: np.random.Generator) -> Iterator[Case]:
    # The feature that tells most is not always the last, nor are the ones always on its right.
    for n_samples, n_features, informative in ((6, 1, 0), (12, 2, 0), (20, 3, 1), (15, 3, 2)):
        X = rng.permuted(np.tile(np.arange(n_samples), (n_features, 1)), axis=1).T.astype(float)
        y = (X[:, informative] > n_samples // 3).astype(int) ^ int(n_features == 2)
        y[rng.integers(0, n_samples)] ^= 1
        least = fewest_errors(X.astype(int), y, threshold_questions(X.astype(int)), 1)
        yield Case(f"{n_samples} examples with {n_features} features", (X, y), _Fitted(y, least), _fit)


def _fit(estimator: BaseEstimator, X: Array, y: Array) -> Array:
    return estimator.fit(X, y).predict(X)


class _Fitted:
    """The feedback on predictions on the sample that was learnt."""

    def __init__(self, y: Labels, least: int) -> None:
        self.y, self.least = y, least

    def __call__(self, reply: Array) -> str:
        predicted = np.asarray(reply)
        if predicted.shape != self.y.shape or not set(predicted.tolist()) <= {0, 1}:
            return "expected a prediction of 0 or 1 for each example"
        wrong = int((predicted != self.y).sum())
        if wrong < self.least:
            return "fewer errors than one question can make: does it ask only one?"
        return "" if wrong == self.least else f"it makes {wrong} errors, and some stump makes fewer"
