"""Questions that a node can ask: who goes to the left.

Shapes: ``X (n_samples, n_features)``; a ``normal`` and a ``centre (n_features,)``.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np

from mcbook.foundation.types import Array, Booleans, Scalar


class Question(Protocol):
    """Anything that says of each row of ``X`` whether it goes to the left.

    >>> question: Question = Threshold(0, 1)
    >>> question.left(np.array([[0], [1], [2]])).tolist()
    [True, True, False]
    """

    def left(self, X: Array) -> Booleans: ...


class Threshold(NamedTuple):
    """x_j <= value.

    >>> str(Threshold(feature=1, value=5)), Threshold(1, 5).left(np.array([[9, 4], [0, 6]])).tolist()
    ('x2 <= 5', [True, False])
    """

    feature: int
    value: Scalar

    def left(self, X: Array) -> Booleans:
        return np.asarray(X[:, self.feature] <= self.value, dtype=bool)

    def __str__(self) -> str:
        return f"x{self.feature + 1} <= {self.value}"


class Halfspace(NamedTuple):
    """w . x <= offset: an oblique question, of binary space partition trees.

    >>> Halfspace(np.array([1, -1]), 0).left(np.array([[1, 2], [2, 1]])).tolist()
    [True, False]
    """

    normal: Array
    offset: Scalar

    def left(self, X: Array) -> Booleans:
        return np.asarray(X @ self.normal <= self.offset, dtype=bool)


class Ball(NamedTuple):
    """|x - centre|^2 <= squared_radius: a sphere question.

    >>> Ball(np.array([0, 0]), 2).left(np.array([[1, 1], [2, 0]])).tolist()
    [True, False]
    """

    centre: Array
    squared_radius: Scalar

    def left(self, X: Array) -> Booleans:
        away = X - self.centre
        return np.asarray((away * away).sum(axis=1) <= self.squared_radius, dtype=bool)


def threshold_questions(X: Array) -> list[Threshold]:
    """One threshold between each two neighbouring values of a feature, as a fraction.

    >>> [str(question) for question in threshold_questions(np.array([[0, 1], [1, 1]]))]
    ['x1 <= 1/2']
    """
    found = []
    for j in range(X.shape[1]):
        values = [Fraction(value) for value in sorted(set(X[:, j].tolist()))]
        found += [Threshold(j, (a + b) / 2) for a, b in itertools.pairwise(values)]
    return found


def ball_of_halfspace(halfspace: Halfspace, X: Array) -> Ball:
    """A ball that has the same points of ``X`` inside as the half-space has: so large that it looks flat from them.

    With the centre -t w the ball is w . x + |x|^2 / (2 t) <= (r^2 - t^2 |w|^2) / (2 t); the second term is smaller than
    the least distance of a point from being on the other side when t is large.

    Source: Mohri et al. (2018), section 9.3.3; Lecture 13, Remark 2.

    >>> X = np.array([[0, 0], [2, 0], [0, 2]], dtype=object)
    >>> flat = Halfspace(np.array([1, 0], dtype=object), 1)
    >>> ball_of_halfspace(flat, X).left(X).tolist()
    [True, False, True]
    """
    w, heights = halfspace.normal, X @ halfspace.normal
    above = [Fraction(h) for h in heights.tolist() if h > halfspace.offset]
    inside = max((Fraction(h) for h in heights.tolist() if h <= halfspace.offset), default=None)
    if inside is None:
        return Ball(X[0], Fraction(-1))
    gap = min(above, default=inside + 1) - inside
    largest = max(int(s) for s in (X * X).sum(axis=1).tolist())
    t = Fraction(largest + 1) / gap
    return Ball(-t * w, t * t * (w @ w) + 2 * t * (inside + gap / 2))
