"""Exhaustive search: the best tree of a size or depth, against which greedy growth is measured.

Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)`` with labels 0 .. n_classes - 1.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mcbook.foundation.types import Array, Labels
from mcbook.trees.algorithm.greedy import n_errors, total_impurity
from mcbook.trees.algorithm.questions import Question


def fewest_errors(X: Array, y: Labels, questions: Sequence[Question], n_splits: int) -> int:
    """The fewest training errors of all trees with at most so many splits.

    Source: Mohri et al. (2018), section 9.3.3.

    >>> from mcbook.trees.algorithm.questions import threshold_questions
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> [fewest_errors(X, np.array([0, 1, 1, 0]), threshold_questions(X), n) for n in range(4)]
    [2, 2, 1, 0]
    """
    sides = _sides(X, questions)

    @functools.cache
    def fewest(points: int, splits: int) -> int:
        best = n_errors(y[_members(points, len(y))])
        if best and splits:
            for left, right in _parts(points, sides):
                for s in range(splits):
                    best = min(best, fewest(left, s) + fewest(right, splits - 1 - s))
        return best

    return fewest((1 << len(y)) - 1, n_splits)


def least_impurity(
    X: Array, y: Labels, n_classes: int, questions: Sequence[Question], depth: int, criterion: str = "gini"
) -> Fraction:
    """The least total impurity of all trees of at most this depth: what looking so far ahead finds.

    Source: Lecture 13, Remark 7.

    >>> from mcbook.trees.algorithm.questions import threshold_questions
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> [str(least_impurity(X, np.array([0, 1, 1, 0]), 2, threshold_questions(X), d)) for d in range(3)]
    ['2', '2', '0']
    """
    sides = _sides(X, questions)

    @functools.cache
    def least(points: int, levels: int) -> Fraction:
        best = total_impurity(y[_members(points, len(y))], n_classes, criterion)
        if best and levels:
            for left, right in _parts(points, sides):
                best = min(best, least(left, levels - 1) + least(right, levels - 1))
        return best

    return least((1 << len(y)) - 1, depth)


def _sides(X: Array, questions: Sequence[Question]) -> list[int]:
    return [sum(1 << i for i in np.flatnonzero(question.left(X)).tolist()) for question in questions]


def _parts(points: int, sides: Sequence[int]) -> set[tuple[int, int]]:
    found = {(points & side, points & ~side) for side in sides}
    return {pair for pair in found if pair[0] and pair[1]}


def _members(points: int, n_samples: int) -> Array:
    return np.array([i for i in range(n_samples) if points >> i & 1], dtype=np.int64)
