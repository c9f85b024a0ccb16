"""What the chapter's exercises are marked against."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from sklearn.base import BaseEstimator

from mcbook.boosting import (
    FinitePool,
    binomial_error,
    relative_margins,
    run_adaboost,
    squared_training_error_bound,
    stump_pool,
    worst_training_error,
)
from mcbook.boosting.algorithm.adaboost import BoostingRun
from mcbook.boosting.algorithm.learners import GivenSequence
from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.types import ArrayLike, Exact, Floats, Signs

THIRD, QUARTER = Fraction(1, 3), Fraction(1, 4)


def _after_one_round() -> Exact:
    """The weights of ten points after a hypothesis that missed the first two."""
    agrees = np.array([[-1, -1, *[1] * 8]])
    weights = np.array([Fraction(1, 10)] * 10)
    return run_adaboost(GivenSequence(agrees), np.ones(10, dtype=int), 1, weights=weights).D[:, 0]


def weight_of_a_miss() -> Fraction:
    return Fraction(_after_one_round()[0])


def weight_of_a_hit() -> Fraction:
    return Fraction(_after_one_round()[-1])


def rounds_for_one_per_cent() -> int:
    return _first_round(Fraction(1, 10), 0.01)


def _first_round(edge: Fraction, share: float) -> int:
    return next(T for T in range(1, 1000) if math.exp(-2 * float(edge) ** 2 * T) < share)


def order_of_the_proof() -> tuple[int, ...]:
    return (0, 1, 2, 3, 4, 5)


def product_of_two_thirds() -> Fraction:
    return Fraction(squared_training_error_bound([THIRD]))


def worst_of_two_thirds() -> Fraction:
    return Fraction(worst_training_error(THIRD, 2))


def independent_three() -> Fraction:
    return Fraction(binomial_error(QUARTER, 3))


def narrow_margin() -> float:
    return float(relative_margins(np.array([[-1], [-1], [1]]), np.array([1.0, 2.0, 4.0]))[0])


def probability_of_ln_three() -> float:
    return float(1 / (1 + np.exp(-2 * np.log(3))))


def _random_agreements(rng: np.random.Generator, n_rounds: int, n_samples: int) -> Signs:
    """Rows of which each is right on more than half of the weight when its turn comes, and wrong on some."""
    rows: list[Signs] = []
    D = np.full(n_samples, 1 / n_samples)
    while len(rows) < n_rounds:
        row = rng.choice([-1, 1], n_samples)
        row = row if row @ D > 0 else -row
        error = D[row < 0].sum()
        if 0.02 < error < 0.48:
            rows.append(row)
            D = np.where(row > 0, D / (2 - 2 * error), D / (2 * error))
    return np.array(rows)


def final_weights(rng: np.random.Generator) -> Iterator[Case]:
    for n_rounds, n_samples in ((1, 5), (3, 8), (6, 20), (15, 60)):
        agrees = _random_agreements(rng, n_rounds, n_samples)
        right = run_adaboost(GivenSequence(agrees), np.ones(n_samples, dtype=int), n_rounds).D[:, 0]
        yield Case(f"{n_rounds} rounds on {n_samples} examples", (agrees,), close_to(right))


def stump_booster(rng: np.random.Generator) -> Iterator[Case]:
    for n_samples, n_features in ((12, 1), (30, 2), (60, 3)):
        X = rng.normal(size=(n_samples, n_features))
        y = np.where(X.sum(axis=1) + 0.5 * rng.normal(size=n_samples) > 0, 1, -1)
        # Weights at random, so that no two stumps are equally good.
        weights = rng.uniform(0.5, 1.5, n_samples)
        run = run_adaboost(FinitePool(stump_pool(X)), y, 20, weights=weights)
        yield Case(
            f"{n_samples} examples of {n_features} features",
            (X, y, weights),
            _BoosterFeedback(y, run),
            _learn,
            ("predictions", "errors_"),
        )


def _learn(estimator: BaseEstimator, X: Floats, y: Signs, weights: Floats) -> tuple[object, object]:
    """Its predictions, asked for in another order than the sample had, and the errors of its rounds."""
    fitted = estimator.fit(X, y, weights)
    turned = np.random.default_rng(len(y)).permutation(len(y))
    predicted = np.asarray(fitted.predict(X[turned]))
    if predicted.shape == y.shape:
        predicted = predicted[np.argsort(turned)]
    return predicted, getattr(fitted, "errors_", None)


class _BoosterFeedback:
    """The feedback on predictions on the sample and of the errors of the rounds."""

    def __init__(self, y: Signs, run: BoostingRun) -> None:
        self.y, self.run = y, run

    def __call__(self, reply: tuple[ArrayLike, ArrayLike | None]) -> str:
        predicted, errors = np.asarray(reply[0]), reply[1]
        if predicted.shape != self.y.shape or not set(predicted.tolist()) <= {-1, 1}:
            return "expected a prediction of -1 or +1 for each example"
        if errors is None:
            return "it has no errors of its rounds, errors_"
        given, right = np.asarray(errors, dtype=float).ravel(), self.run.errors.astype(float)
        if len(given) != len(right):
            return f"errors_ has {len(given)} rounds in place of {len(right)}"
        if not np.allclose(given, right, atol=1e-9):
            return f"errors_ is first wrong in round {1 + int(np.argmin(np.isclose(given, right, atol=1e-9)))}"
        expected = np.where(self.run.votes[:, 0] > 0, 1, -1)
        # Rounding may decide where the vote is a tie.
        clear = np.abs(self.run.votes[:, 0]) > 1e-9
        return "" if (predicted == expected)[clear].all() else "its vote is not the weighted one"
