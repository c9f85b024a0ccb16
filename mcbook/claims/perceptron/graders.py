"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from sklearn.base import BaseEstimator

from mcbook.foundation.answers import Case, close_to, itself
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.types import Array, Labels, Number
from mcbook.perceptron import (
    best_margin,
    decision_rays,
    gaps,
    mistake_bound,
    run_perceptron,
    separable_sample,
    squared_radius,
)


def rays_of_the_three() -> int:
    return len(decision_rays(np.array([[4, 0], [0, 4], [1, 3]], dtype=object)))


def smallest_squared_norm() -> Fraction:
    W = np.array([[4, 0], [0, 4], [2, 2]], dtype=object)
    centred = W - Fraction(1, len(W)) * W.sum(axis=0)
    return Fraction((centred * centred).sum())


def updates_on_seven() -> int:
    return run_perceptron(as_integers(np.eye(7, dtype=int)), np.full(7, 3), 4).n_updates


def share_of_five() -> Fraction:
    X, y = as_integers(np.eye(3, dtype=int)), np.full(3, 4)
    return Fraction(run_perceptron(X, y, 5).n_updates) / mistake_bound(1, best_margin(X, y, 5).squared.middle)


def bid_after_update() -> int:
    rows, x = np.array([[1, 0], [0, 1], [-1, -1]]), np.array([1, 2])
    rival = 1 + int(np.argmax(rows[1:] @ x))
    rows[0] += x
    rows[rival] -= x
    return int(rows[0] @ x)


def updates_allowed() -> Fraction:
    return Fraction(mistake_bound(5**2, Fraction(1, 2) ** 2))


def bound_in_other_units() -> Fraction:
    return Fraction(mistake_bound(50**2, Fraction(5) ** 2)) / updates_allowed()


def most_passes() -> Fraction:
    return mistake_bound(1, Fraction(1, 10) ** 2) + 1


def order_of_the_chain() -> list[int]:
    X, y = separable_sample(np.random.default_rng(4), n_classes=4, n_features=2, n_samples=40)
    run, best = run_perceptron(X, y, n_classes=4), best_margin(X, y, n_classes=4)
    star, last, t = best.W.astype(float), run.W.astype(float), run.n_updates
    lengths = [np.linalg.norm(star), np.linalg.norm(last), float(squared_radius(X)) ** 0.5]
    numbers = [
        lengths[0] * lengths[1],
        2**0.5 * best.value * t * lengths[0],
        lengths[0] * (2 * t) ** 0.5 * lengths[2],
        float((star * last).sum()),
    ]
    return np.argsort(numbers).tolist()


def margin_with_third_row() -> Fraction:
    W, x = np.array([[1, 0], [-1, 0], [0, 0]], dtype=object), np.array([[3, 4]], dtype=object)
    gap, squared_length = gaps(W, x, np.array([0]))[0], (W * W).sum()
    # sqrt(2 |W|^2) is 2.
    return Fraction(gap, round((2 * squared_length) ** 0.5))


def distance_with_third_row() -> Fraction:
    W, x = np.array([[1, 0], [-1, 0], [0, 0]]), np.array([3, 4])
    return min(Fraction(int((W[0] - W[z]) @ x), int(np.linalg.norm(W[0] - W[z]))) for z in (1, 2))


def centred_rows(rng: np.random.Generator) -> Iterator[Case]:
    for n_classes, n_features in ((2, 2), (3, 2), (4, 3), (7, 5)):
        W = rng.normal(size=(n_classes, n_features))
        yield Case(f"{n_classes} rows of {n_features} numbers", (W,), close_to(W - W.mean(axis=0)))


def stops_early(rng: np.random.Generator) -> Iterator[Case]:
    yield Case("your sample", (), _feedback_on_early_sample, itself)


def _feedback_on_early_sample(sample: object) -> str:
    if not isinstance(sample, tuple | list) or len(sample) != 2:
        return "expected a tuple (X, y)"
    X, y = np.asarray(sample[0]), np.asarray(sample[1])
    if X.ndim != 2 or len(X) != 2 or X.size == 0 or y.shape != (2,):
        return f"expected two points and two labels, got the shapes {X.shape} and {y.shape}"
    if (X.astype(int) != X).any() or np.abs(X.astype(int)).max() > 10**6:
        return "expected integers of at most six digits"
    if sorted(y.tolist()) != [0, 1]:
        return "expected both labels, 0 and 1"
    points, labels = as_integers(X), y.astype(np.int64)
    run = run_perceptron(points, labels, 2, ties="first", max_epochs=1000)
    if not run.converged:
        return "the rule does not stop within 1000 passes"
    if not run.W.any():
        return "the rule stops at W = 0"
    return "it stops at a W that separates the sample strictly" if (gaps(run.W, points, labels) > 0).all() else ""


def shared_blame(rng: np.random.Generator) -> Iterator[Case]:
    for n_classes, n_samples in ((2, 6), (3, 8), (4, 10), (5, 12), (4, 12)):
        X, y = separable_sample(rng, n_classes, 3, n_samples)
        right = shared_updates(X, y, n_classes)
        yield Case(f"{n_samples} points of {n_classes} classes", (X, y, n_classes), close_to(right))


def shared_updates(X: Array, y: Labels, n_classes: int) -> int:
    """The updates of the rule that takes equal parts of x from all rivals, ties being mistakes."""
    W = np.zeros((n_classes, X.shape[1]), dtype=object)
    n_updates, mistakes = 0, True
    while mistakes:
        mistakes = False
        for x, label in zip(X, y, strict=True):
            rivals = [z for z in range(n_classes) if z != label and W[z] @ x >= W[label] @ x]
            if rivals:
                mistakes, n_updates = True, n_updates + 1
                W[label] += x
                W[rivals] -= Fraction(1, len(rivals)) * x
    return n_updates


def shared_estimator(rng: np.random.Generator) -> Iterator[Case]:
    for n_classes, n_samples in ((3, 10), (4, 12)):
        X, y = separable_sample(rng, n_classes, 3, n_samples)
        names = np.array(["ash", "birch", "cedar", "dogwood"])[y]
        limit = mistake_bound(squared_radius(X), best_margin(X, y, n_classes).squared.upper)
        yield Case(
            f"{n_samples} points of {n_classes} classes",
            (X.astype(float), names),
            _Fitted(names, limit),
            _fit,
            ("predictions", "n_updates_"),
        )


def _fit(estimator: BaseEstimator, X: Array, names: Array) -> tuple[Array, object]:
    fitted = estimator.fit(X, names)
    return fitted.predict(X), getattr(fitted, "n_updates_", None)


class _Fitted:
    """The feedback on predictions and a count of updates."""

    def __init__(self, names: Array, limit: Number) -> None:
        self.names, self.limit = names, limit

    def __call__(self, reply: tuple[Array, object]) -> str:
        predicted, n_updates = np.asarray(reply[0]), reply[1]
        if predicted.shape != self.names.shape or not set(predicted.tolist()) <= set(self.names.tolist()):
            return "expected a prediction for each point, among the names of the labels"
        wrong = int((predicted != self.names).sum())
        if wrong:
            return f"it calls {wrong} points of its own sample wrong"
        if isinstance(n_updates, bool) or not isinstance(n_updates, int | np.integer):
            return "it has no count of its updates, n_updates_"
        return "" if 0 < n_updates <= self.limit else "n_updates_ contradicts the mistake bound"
