"""One call for all columns or one call for each: exact minimisers, exact boosting, and a learner that keeps rows apart.

A binary sample is a vector of signs over its points; a pool of hypotheses holds one such vector in each row.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from mcbook.foundation.numbers import rational
from mcbook.foundation.types import Array, Function, Signs


class TableLearner(ClassifierMixin, BaseEstimator):
    """A learner for finite data, which learns every distinct row of features by itself: the mean of the signs seen.

    With the column as a feature, rows of different columns are different, so that it treats columns independently.

    >>> learner = TableLearner().fit([[0.0], [0.0], [1.0]], [1, -1, -1])
    >>> learner.decision_function([[0.0], [1.0], [2.0]]).tolist()
    [0.0, -1.0, 0.0]
    """

    def fit(self, X: Array, y: Array) -> Self:
        """Average the signs of each distinct row."""
        self.classes_ = np.unique(y)
        rows: dict[tuple[float, ...], list[float]] = {}
        for row, sign in zip(np.asarray(X).tolist(), np.asarray(y).tolist(), strict=True):
            rows.setdefault(tuple(row), []).append(sign)
        self.table_ = {row: sum(signs) / len(signs) for row, signs in rows.items()}
        return self

    def decision_function(self, X: Array) -> Array:
        """The means; 0, no opinion, for a row that was not seen."""
        return np.array([self.table_.get(tuple(row), 0.0) for row in np.asarray(X).tolist()])

    def predict(self, X: Array) -> Array:
        return np.where(self.decision_function(X) > 0, 1, -1)


@dataclass(frozen=True)
class BoostedVote:
    """The hypotheses that AdaBoost chose and the weighted error of each, exactly; alpha_t = ln((1 - e_t) / e_t) / 2.

    >>> [str(odds) for odds in BoostedVote((0,), (Fraction(1, 4),)).odds([[1, -1]])]
    ['3', '1/3']
    """

    chosen: tuple[int, ...]
    errors: tuple[Fraction, ...]

    def odds(self, pool: Array) -> list[Fraction]:
        """exp(2 f) at every point, f = sum_t alpha_t h_t: a product of rational odds, above 1 where f > 0."""
        result = []
        for point in range(np.asarray(pool).shape[1]):
            value = Fraction(1)
            for index, error in zip(self.chosen, self.errors, strict=True):
                value *= ((1 - error) / error) ** int(pool[index][point])
            result.append(value)
        return result


def boost(pool: Array, signs: Signs, n_rounds: int) -> BoostedVote:
    """AdaBoost over a finite pool in exact fractions, the first of equally good hypotheses being chosen.

    After each round the wrong points carry half of the weight, which needs no roots.  It stops at a hypothesis
    without error, which AdaBoost would give infinite weight, and at one no better than chance.

    >>> run = boost([[1, 1, 1, -1], [1, -1, 1, 1]], [1, 1, 1, 1], 2)
    >>> run.chosen, [str(error) for error in run.errors]
    ((0, 1), ['1/4', '1/6'])
    """
    pool, signs = np.asarray(pool), np.asarray(signs)
    if pool.ndim != 2 or signs.shape != pool.shape[1:]:
        raise ValueError(f"expected a pool (n_hypotheses, n_points) and signs, got {pool.shape} and {signs.shape}")
    weights = [Fraction(1, len(signs))] * len(signs)
    chosen, errors = [], []
    for _ in range(n_rounds):
        wrong = pool != signs
        found = [sum((w for w, bad in zip(weights, row, strict=True) if bad), Fraction(0)) for row in wrong]
        best = min(range(len(pool)), key=found.__getitem__)
        error = found[best]
        if not 0 < error < Fraction(1, 2):
            break
        chosen.append(best)
        errors.append(error)
        weights = [w / (2 * (error if bad else 1 - error)) for w, bad in zip(weights, wrong[best], strict=True)]
    return BoostedVote(tuple(chosen), tuple(errors))


def product_pool(pools: Sequence[Array]) -> Array:
    """All ways to take one hypothesis for each column, over the points of all columns one after the other.

    >>> product_pool([[[1, 1], [-1, -1]], [[1, -1]]]).tolist()
    [[1, 1, 1, -1], [-1, -1, 1, -1]]
    """
    return np.array([np.concatenate(parts) for parts in itertools.product(*pools)])


def best_hypothesis(pool: Array, signs: Signs, loss: Function) -> tuple[int, Fraction]:
    """The first hypothesis of a pool of outputs with the least average loss, and that loss, exactly.

    >>> from mcbook.losses import hinge
    >>> best_hypothesis([[1, 1, 1], [2, -1, 1]], [1, -1, 1], hinge)
    (1, Fraction(0, 1))
    """
    averages = [Fraction(loss(row).sum()) / len(signs) for row in rational(pool) * np.asarray(signs)]
    best = min(range(len(averages)), key=averages.__getitem__)
    return best, averages[best]
