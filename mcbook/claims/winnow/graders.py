"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from sklearn.base import BaseEstimator

from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.types import Array, Number
from mcbook.winnow import (
    attributes_for_worst_case,
    balanced_winnow,
    disjunction_bound,
    disjunction_worst_case,
    winnow_bound,
    winnow_on_disjunction,
)


def bound_at_1024() -> Number:
    return round(disjunction_bound(2, 1024, 1024, 2), 9)


def more_at_2048() -> Number:
    return round(disjunction_bound(2, 2048, 2048, 2) - disjunction_bound(2, 1024, 1024, 2), 9)


_BY_HAND = np.array([[1, 1, 0, 0], [0, 1, 1, 1], [1, 0, 1, 0], [1, 0, 0, 1], [1, 1, 0, 0]])


def mistakes_by_hand() -> int:
    return winnow_on_disjunction(_BY_HAND, _BY_HAND[:, 0], threshold=3).n_mistakes


def weight_by_hand() -> int:
    return int(winnow_on_disjunction(_BY_HAND, _BY_HAND[:, 0], threshold=3).weights[-1, 0])


def best_factor_of_three_fifths() -> float:
    return float(np.exp(np.arctanh(0.6)))


def margin_of_three() -> float:
    return float(np.tanh(np.log(3)))


def order_of_the_proof() -> tuple[int, ...]:
    return (0, 1, 2, 3, 4, 5)


def account_at_100() -> int:
    return disjunction_worst_case(2, 100, 8)


def attributes_of_the_account() -> int:
    return attributes_for_worst_case(2, 8)


def fewer_with_four_copies() -> float:
    return float(winnow_bound(2, 64, 1) - winnow_bound(2, 64, 1, uncertainty=np.log(4)))


def balanced_mistakes(rng: np.random.Generator) -> Iterator[Case]:
    for n_features, n_samples in ((1, 3), (3, 8), (4, 20), (6, 40)):
        X, signs = rng.choice([-1, 1], (n_samples, n_features)), rng.choice([-1, 1], n_samples)
        right = len(balanced_winnow(X.astype(object), signs, Fraction(3, 2), max_epochs=1).updates)
        yield Case(f"{n_samples} examples of {n_features} signs", (X.astype(float), signs, 1.5), close_to(right))


def labels_of_exponents(rng: np.random.Generator) -> Iterator[Case]:
    for size in (1, 30, 3000):
        shared = size * rng.normal(size=6)
        E, X = shared + rng.normal(size=(3, 6)), rng.choice([-1.0, 1.0], (20, 6))
        # In units of the largest entry, so that nothing can overflow.
        right = (X @ np.exp(np.log(2) * (E - E.max())).T).argmax(axis=1)
        yield Case(f"exponents of the size {size}", (E, 2.0, X), close_to(right))


def disjunction_learner(rng: np.random.Generator) -> Iterator[Case]:
    for n_relevant, n_features, n_samples in ((1, 6, 60), (2, 12, 60), (3, 20, 60), (1, 4, 8)):
        X = (rng.random((n_samples, n_features)) < 0.3).astype(int)
        y = X[:, :n_relevant].any(axis=1).astype(int)
        limit = disjunction_bound(n_relevant, n_features, n_features, 2)
        # More passes than the bound allows mistakes: the last is clean.
        passes = 2 + int(limit)
        run = winnow_on_disjunction(np.tile(X, (passes, 1)), np.tile(y, passes), threshold=n_features)
        yield Case(
            f"a disjunction of {n_relevant} of {n_features}",
            (X, y),
            _LearnerFeedback(y, run.n_mistakes),
            _learn,
            ("predictions", "n_mistakes_"),
        )


def _learn(estimator: BaseEstimator, X: Array, y: Array) -> tuple[Array, object]:
    fitted = estimator.fit(X, y)
    return fitted.predict(X), getattr(fitted, "n_mistakes_", None)


class _LearnerFeedback:
    """The feedback on predictions and a count of mistakes."""

    def __init__(self, y: Array, made: int) -> None:
        self.y, self.made = y, made

    def __call__(self, reply: tuple[Array, object]) -> str:
        predicted, n_mistakes = np.asarray(reply[0]), reply[1]
        if predicted.shape != self.y.shape or not set(predicted.tolist()) <= {0, 1}:
            return "expected a prediction of 0 or 1 for each example"
        wrong = int((predicted != self.y).sum())
        if wrong:
            return f"it calls {wrong} examples of its own sample wrong"
        if isinstance(n_mistakes, bool) or not isinstance(n_mistakes, int | np.integer):
            return "it has no count of its mistakes, n_mistakes_"
        return "" if n_mistakes == self.made else "n_mistakes_ is not the number of mistakes in all passes together"
