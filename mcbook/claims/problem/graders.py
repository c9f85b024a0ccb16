"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.distributions import probabilities_from_counts
from mcbook.foundation.types import Array, Labels, Scalar
from mcbook.problem import (
    balanced_risk,
    best_labels,
    best_prediction,
    class_errors,
    count_coherent_subsets,
    expected_costs,
    one_hot,
    risk,
    score_margins,
    tree_distances,
    zero_one_costs,
)

CAR, CAT, DOG = 0, 1, 2


def margin_of_the_third() -> int:
    return int(score_margins(np.array([[3, 7, 5, 7]]), [2])[0])


def risk_of_saying_nothing() -> Scalar:
    code = one_hot(np.arange(7), 7)
    return risk(np.zeros_like(code), code)


def risk_of_a_tie_of_three() -> Fraction:
    return fair_risk(np.array([[1, 1, 0, 1, 0]]), np.array([0]))


def ratio_of_the_rare_label() -> Fraction:
    return Fraction(probabilities_from_counts([8, 2])[1] / probabilities_from_counts([95, 5])[1])


def coherent_of_four() -> int:
    return count_coherent_subsets([None, 0, 0, None])


def coherent_of_five() -> int:
    return count_coherent_subsets([None, 0, 0, None, 1])


def alarm_threshold() -> Fraction:
    """Where the mean costs of both answers, straight lines in the probability of the illness, meet."""
    costs = np.array([[0, 1], [20, 0]])
    well, ill = (expected_costs(probabilities_from_counts(counts), costs) for counts in ([1, 0], [0, 1]))
    rise, fall = ill[0] - well[0], well[1] - ill[1]
    return Fraction((well[1] - well[0]) / (rise + fall))


def worst_digit() -> int:
    """The digit of the test pictures that the nearest mean misreads most often, with the chapter's split."""
    X, y = load_digits(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=0)
    means = np.array([X_train[y_train == label].mean(axis=0) for label in range(10)])
    predicted = np.linalg.norm(X_test[:, None] - means, axis=2).argmin(axis=1)
    return int(np.argmax(np.array(class_errors(predicted, y_test, 10), dtype=float)))


def useless_from() -> Fraction:
    """With equal probabilities the best label costs most."""
    return Fraction(min(expected_costs(probabilities_from_counts([1, 1, 1, 1]), zero_one_costs(4))))


def least_depth_for_the_cat() -> int:
    return next(depth for depth in range(60) if best_prediction(_DISTRIBUTION, _distances(depth)) == CAT)


def order_at_depth_thirty() -> list[int]:
    costs = expected_costs(_DISTRIBUTION, _distances(30))
    names = (CAT, DOG, CAR)
    return sorted(range(3), key=lambda place: costs[names[place]])


_DISTRIBUTION = probabilities_from_counts([49, 26, 25])


def _distances(depth: int) -> Array:
    branch = tuple(f"level {level}" for level in range(depth))
    return tree_distances([("car",), (*branch, "cat"), (*branch, "dog")])


def fair_risk(scores: Array, y: Labels) -> Fraction:
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


def _balanced_case(probabilities: Array, priors: Array) -> Case:
    k = len(priors)
    costs = (1 - np.eye(k)) * (1 / (k * priors))[:, None]
    return Case(f"{k} labels", (probabilities, priors), close_to(best_prediction(probabilities, costs)))


def balanced_risks(rng: np.random.Generator) -> Iterator[Case]:
    for n_samples, n_classes in ((8, 2), (20, 3), (60, 5)):
        # A first class that is larger than the others, and all of them present.
        truth = np.concatenate(
            [np.arange(n_classes), np.minimum(rng.integers(0, 2 * n_classes, n_samples), n_classes - 1)]
        )
        predicted = np.where(rng.random(len(truth)) < 0.6, truth, rng.integers(0, n_classes, len(truth)))
        predicted[:2] = 1, 1
        right = balanced_risk(class_errors(predicted, truth, n_classes))
        yield Case(f"{len(truth)} examples of {n_classes} classes", (predicted, truth), close_to(right))
    # A label between others that does not occur.
    yield Case("the labels 0 and 2", (np.array([0, 2, 1, 2]), np.array([0, 0, 2, 2])), close_to(0.5))


def answer_or_not(rng: np.random.Generator) -> Iterator[Case]:
    for n_classes in (2, 3, 5, 8):
        distribution = rng.dirichlet(np.ones(n_classes))
        least = 1 - distribution.max()
        for cost, right in ((0.5 * least, -1), (0.5 * (1 + least), int(distribution.argmax())), (0.9 * least, -1)):
            yield Case(f"{n_classes} labels, cost {cost:.2f}", (distribution, cost), close_to(right))
    yield Case("3 labels, cost 0.50", (np.array([0.25, 0.5, 0.25]), 0.5), close_to(1))
