"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.base import BaseEstimator

from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.types import Array, Scalar
from mcbook.structured import (
    Scores,
    best_labelling,
    chains,
    inference_additions,
    number_of_constraints,
    number_of_labellings,
    softmax_margin,
    sum_over_labellings,
)
from mcbook.structured.algorithm.forest import rooted_trees
from mcbook.structured.algorithm.inference import Marginals, every_score


def labellings() -> Scalar:
    return number_of_labellings(2, 6)


def constraints() -> Scalar:
    return number_of_constraints(5, 2, 6)


_BY_HAND = Scores(np.array([[0.0, 1], [2, 0], [0, 1]]), np.array([[0.0, 1], [1, 0]]))


def largest_by_hand() -> float:
    return float(best_labelling(_BY_HAND, chains([3])).values[0])


def how_many_by_hand() -> int:
    ((_, totals),) = every_score(_BY_HAND, chains([3]))
    return int((totals == totals.max()).sum())


def additions_more() -> Scalar:
    return inference_additions(10, 11) - inference_additions(5, 11)


def marginal_of_a_tie() -> float:
    return round(float(_all_tied().P[0, 0]), 12)


def bits_of_a_tie() -> float:
    return round(float(_all_tied().log_partition[0] / np.log(2)), 9)


def _all_tied() -> Marginals:
    return sum_over_labellings(Scores(np.zeros((3, 4)), np.zeros((4, 4))), chains([3]))


def order_of_the_proof() -> tuple[int, ...]:
    return (0, 1, 2, 3, 4)


def softmax_margin_of_a_tie() -> float:
    return float(softmax_margin([0.0, 1.0], [0.0, 0.0]))


def bits_of_two() -> float:
    return float(softmax_margin([0.0, 0.0], [0.0, 0.0]) / np.log(2))


def log_partitions(rng: np.random.Generator) -> Iterator[Case]:
    for n, k, size in ((1, 3, 1), (5, 2, 1), (8, 4, 1), (6, 3, 3000)):
        E, T = size * rng.normal(size=(n, k)), size * rng.normal(size=(k, k))
        right = sum_over_labellings(Scores(E, T), chains([n])).log_partition[0]
        yield Case(f"{n} positions, {k} labels, scores of the size {size}", (E, T), close_to(right))


def best_trees(rng: np.random.Generator) -> Iterator[Case]:
    for parents in ([-1], [-1, 0, 1], [-1, 0, 0, 0], [-1, 0, 0, 1, 1, 2]):
        E, T = rng.normal(size=(len(parents), 3)), rng.normal(size=(3, 3))
        right = best_labelling(Scores(E, T), rooted_trees([parents])).values[0]
        yield Case(f"the tree {parents}", (E, T, np.array(parents)), close_to(right))


def chain_learner(rng: np.random.Generator) -> Iterator[Case]:
    """Rows in which what is seen decides, rows in which the order helps, and rows in which it alone decides.

    In the last two only one position of a row can be read, and each label is the next of three after the one before:
    what is taken position by position must fail there, and from left to right where the last one is read.
    """
    for name, seen in (("what is seen decides", 3.0), ("a label follows itself", 0.6)):
        X, y = [], []
        for _ in range(12):
            labels = np.repeat(rng.permutation(3), 3)
            # Where little is seen the first of three is clear, and the other two are weaker.
            strength = np.where(np.arange(9) % 3 == 0, 3.0, seen)
            X.append(np.c_[strength[:, None] * np.eye(3)[labels], np.ones(9)])
            y.append(labels)
        yield Case(name, (X, y), _LearnerFeedback(y), _learn)
    for name, place in (("only the first position can be read", 0), ("only the last position can be read", 4)):
        y = [(first + np.arange(5)) % 3 for first in rng.permutation(np.repeat(np.arange(3), 4))]
        X = [np.c_[(np.arange(5) == place)[:, None] * np.eye(3)[labels], np.ones(5)] for labels in y]
        yield Case(name, (X, y), _LearnerFeedback(y), _learn)


def _learn(estimator: BaseEstimator, X: list[Array], y: list[Array]) -> object:
    """Its predictions, asked for in the opposite order."""
    predicted = estimator.fit(X, y).predict(X[::-1])
    return list(predicted)[::-1] if np.iterable(predicted) else predicted


class _LearnerFeedback:
    """The feedback on a list of predictions."""

    def __init__(self, y: list[Array]) -> None:
        self.y = y

    def __call__(self, reply: object) -> str:
        if not isinstance(reply, list) or [np.shape(one) for one in reply] != [np.shape(one) for one in self.y]:
            return "expected a list with an array of labels for each sequence"
        wrong = int(sum((np.asarray(a) != b).sum() for a, b in zip(reply, self.y, strict=True)))
        return f"it labels {wrong} positions of its own sample wrong" if wrong else ""
