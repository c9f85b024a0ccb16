"""Pools and concepts on which weak learning is put on trial and shown."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mcbook.boosting.algorithm.adaboost import WeakFit
from mcbook.boosting.algorithm.learners import FinitePool
from mcbook.boosting.instances import stump_pool
from mcbook.foundation.checks import require_whole
from mcbook.foundation.numbers import as_given
from mcbook.foundation.types import Array, Exact, Floats, Signs
from mcbook.weak_learning.algorithm.sampled_boosting import Answer


class PoolOfCubes(NamedTuple):
    """Points of a cube ``X (2^n, n)`` of bits, the labels ``y`` and the outputs ``H`` of a pool on them.

    >>> cube = uniform_only_pool(2)
    >>> cube.X.tolist(), [str(weight) for weight in cube.hard_half], int(max(cube.A @ cube.hard_half))
    ([[0, 0], [0, 1], [1, 0], [1, 1]], ['0', '0', '1/2', '1/2'], 0)
    """

    X: Signs
    y: Signs
    H: Signs

    @property
    def A(self) -> Signs:
        """Agreements: +1 where a member is right."""
        return self.H * self.y

    @property
    def hard_half(self) -> Exact:
        """The weights that are equal where the first bit is 1, and 0 elsewhere."""
        return np.array([Fraction(2 * bit, len(self.y)) for bit in self.X[:, 0].tolist()], dtype=object)


def uniform_only_pool(n_bits: int) -> PoolOfCubes:
    """A pool with the edge 1/4 under equal weights and none on the hard half of the points.

    The label is + where the first bit is 0, and the parity of the other bits where it is 1.  The pool has all parities,
    and their negatives, that leave out one of these other bits; the parity of no bits is the constant +.

    >>> cube = uniform_only_pool(3)
    >>> cube.y.tolist(), len(cube.H), int((cube.A @ np.ones(8, dtype=int)).max())
    ([1, 1, 1, 1, 1, -1, -1, 1], 12, 4)
    """
    n = require_whole(n_bits, "n_bits", at_least=2)
    X = np.array(list(itertools.product((0, 1), repeat=n)))
    parity = np.where(X[:, 1:].sum(axis=1) % 2, -1, 1)
    y = np.where(X[:, 0] == 1, parity, 1)
    sets = [bits for bits in itertools.product((0, 1), repeat=n) if not all(bits[1:])]
    H = np.array([np.where(X @ bits % 2, -1, 1) for bits in sets])
    return PoolOfCubes(X, y, np.vstack([H, -H]))


def mostly_plus_concepts(n_points: int) -> Signs:
    """All labellings of M points, a multiple of four, that are + on the first three quarters: ``(2^(M/4), M)``.

    >>> mostly_plus_concepts(4).tolist()
    [[1, 1, 1, 1], [1, 1, 1, -1]]
    """
    M = require_whole(n_points, "n_points", at_least=4)
    if M % 4:
        raise ValueError(f"expected a multiple of 4 points, so that a quarter of them can be free, got {M}")
    free = list(itertools.product((1, -1), repeat=M // 4))
    return np.array([[1] * (3 * M // 4) + list(signs) for signs in free])


def threshold_of_examples(x: Array, y: Signs) -> Answer:
    """The learner of thresholds: + from the smallest positive example on; without one, + beyond all examples.

    Called with two examples of a concept that is + to the right of a point, it has the edge 1/5 with probability 51/100
    under every distribution.

    >>> threshold_of_examples(np.array([2.0, 3.0]), np.array([-1, 1]))(np.array([1.0, 2.5, 3.0])).tolist()
    [-1, -1, 1]
    """
    positive = x[y > 0]
    if len(positive):
        return lambda new: np.where(new >= positive.min(), 1, -1)
    return lambda new: np.where(new > x.max(), 1, -1)


class GroupedPool(FinitePool):
    """A finite pool whose exact sums are taken over one denominator: the same choices, in a fraction of the time.

    >>> pool = GroupedPool(np.array([[1, 1, -1], [-1, 1, 1]]))
    >>> pool.learn(np.array([Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)])).hypothesis
    1
    """

    def learn(self, S: Array) -> WeakFit:
        """The member with the largest sum S * h, the first of equals."""
        whole = S * math.lcm(*(value.denominator for value in S.ravel()))
        return super().learn(np.frompyfunc(int, 1, 1)(whole))


def distinct_stumps(X: Floats) -> Signs:
    """The outputs of all stumps on the sample, each only once, in an order that depends on nothing else.

    >>> distinct_stumps(np.array([[0.0, 5.0], [1.0, 6.0]])).tolist()
    [[-1, -1], [-1, 1], [1, -1], [1, 1]]
    """
    return np.unique(stump_pool(as_given(X).astype(float)), axis=0)


def cuts_on_a_line(y: Signs) -> Signs:
    """Agreements with the labels y of points on a line: every cut, first those that are + on its left, then -.

    >>> cuts_on_a_line(np.array([1, -1])).tolist()
    [[1, 1], [1, -1], [-1, -1], [-1, 1]]
    """
    left = np.tri(len(y), dtype=int) * 2 - 1
    return np.vstack([left, -left]) * np.asarray(y)


# The games of the explorer: agreements, a row for each hypothesis.
GAMES: dict[str, Signs] = {
    "three": 1 - 2 * np.eye(3, dtype=int)[::-1],
    "line": cuts_on_a_line(np.array([1, 1, -1, -1, 1])),
    "uniform": np.array([[1, 1, 1, -1, -1], [1, 1, -1, 1, 1], [1, 1, 1, -1, 1], [1, 1, -1, 1, -1]]),
}
