"""Winnow for two labels: on disjunctions, balanced, and as it runs in Kesler's space.

Shapes: ``X (n_samples, n_features)``, labels and signs ``(n_samples,)``, weights ``(n_updates + 1, n_features)``: one
row before the first update and one after each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mcbook.foundation.checks import require_matrix, require_same_length, require_signed_sample, require_whole
from mcbook.foundation.numbers import quotient
from mcbook.foundation.types import Array, Integers, Labels, Scalar, Signs
from mcbook.winnow.theory import powers


class DisjunctionRun(NamedTuple):
    """What Winnow did: the weights before each mistake and after the last, and the mistakes of both kinds in order.

    >>> winnow_on_disjunction([[1, 0, 1], [0, 1, 1], [0, 0, 1]], [1, 0, 0], threshold=3).n_mistakes
    2
    """

    weights: Array
    promotions: Integers
    eliminations: Integers

    @property
    def n_mistakes(self) -> int:
        return len(self.promotions) + len(self.eliminations)


def winnow_on_disjunction(X: Array, y: Labels, *, threshold: Scalar, factor: Scalar = 2) -> DisjunctionRun:
    """Littlestone's first Winnow, in one pass: say 1 where w . x >= threshold, from weights 1.

    A 1 that was missed multiplies the weights of the attributes that are on by the factor (a promotion); a false alarm
    sets them to 0 (an elimination).  ``X (n_samples, n_features)`` and ``y (n_samples,)`` hold 0 and 1.

    >>> run = winnow_on_disjunction([[1, 0, 1], [0, 1, 1], [0, 0, 1]], [1, 0, 0], threshold=3)
    >>> run.weights.tolist(), run.promotions.tolist(), run.eliminations.tolist()
    ([[1, 1, 1], [2, 1, 2], [2, 0, 0]], [0], [1])
    """
    X, y = _booleans(X, "X"), _booleans(y, "y")
    require_same_length(X=X, y=y)
    w = np.ones(X.shape[1], dtype=object)
    weights, promotions, eliminations = [w.copy()], [], []
    for i, (x, label) in enumerate(zip(X, y, strict=True)):
        says = w[x].sum() >= threshold
        if label and not says:
            w[x] *= factor
            promotions.append(i)
        elif says and not label:
            w[x] = 0
            eliminations.append(i)
        else:
            continue
        weights.append(w.copy())
    return DisjunctionRun(np.array(weights), np.array(promotions, dtype=int), np.array(eliminations, dtype=int))


def _booleans(array: Array, name: str) -> Array:
    given = np.asarray(array)
    if not np.isin(given, (0, 1)).all():
        raise ValueError(f"expected {name} of 0 and 1, got other numbers: attributes are on or off")
    return given.astype(bool)


class MultiplicativeRun(NamedTuple):
    """The weights, as distributions, before the first update and after each one, and the examples of the updates.

    >>> multiplicative_run(np.array([[1, -1], [1, 1]], dtype=object), 2).updates  # the second row is right at once
    [0]
    """

    weights: Array
    updates: list[int]

    @property
    def n_updates(self) -> int:
        return len(self.updates)


def multiplicative_run(D: Array, factor: Scalar, *, max_epochs: int = 1000) -> MultiplicativeRun:
    """Keep one vector of positive weights, and at a row D_i with w . D_i <= 0 multiply it by factor^(D_i).

    This is Winnow in Kesler's space, where an example and a rival are one row (`mcbook.perceptron.kesler_vectors`): it
    knows of no classes.  ``D (n_rows, n_entries)``; whole numbers of dtype object with a rational factor are exact.

    Source: Roth (2018), Winnow's extensions.

    >>> multiplicative_run(np.array([[1, -1]], dtype=object), 2).weights.tolist()
    [[Fraction(1, 2), Fraction(1, 2)], [Fraction(4, 5), Fraction(1, 5)]]
    """
    D = require_matrix(D, "D", "(n_rows, n_entries)", exact=True)
    w = powers(np.zeros_like(D[0]), factor)
    w = w * quotient(1, w.sum())
    weights = [w]
    updates: list[int] = []
    for _ in range(require_whole(max_epochs, "max_epochs", at_least=1)):
        before = len(updates)
        for i, row in enumerate(D):
            if w @ row <= 0:
                w = w * powers(row, factor)
                w = w * quotient(1, w.sum())
                weights.append(w)
                updates.append(i)
        if len(updates) == before:
            break
    return MultiplicativeRun(np.array(weights), updates)


class BalancedRun(NamedTuple):
    """The weights w+ and w- before the first update and after each one, and the examples of the updates.

    >>> run = balanced_winnow(np.array([[1], [-1]], dtype=object), [1, 1], 2, max_epochs=3)
    >>> run.updates, len(run.positive)
    ([0, 1, 0, 1, 0, 1], 7)
    """

    positive: Array
    negative: Array
    updates: list[int]


def balanced_winnow(
    X: Array, signs: Signs, factor: Scalar, *, threshold: Scalar = 0, max_epochs: int = 1000
) -> BalancedRun:
    """Balanced Winnow: read the sign of (w+ - w-) . x - threshold; mistakes multiply w+ by factor^(sign x).

    They divide w- by the same.  A value of 0 is a mistake.  Starts from weights 1.  ``X (n_samples, n_features)``,
    ``signs (n_samples,)`` -1 and +1.

    Source: Roth (2018), Winnow's extensions.

    >>> run = balanced_winnow(np.array([[1, 0]], dtype=object), [1], 2)
    >>> run.positive[-1].tolist(), run.negative[-1].tolist()
    ([Fraction(2, 1), Fraction(1, 1)], [Fraction(1, 2), Fraction(1, 1)])
    """
    X, signs = require_signed_sample(X, signs, exact=True)
    positive = powers(np.zeros_like(X[0]), factor)
    negative = positive
    kept = [(positive, negative)]
    updates: list[int] = []
    for _ in range(require_whole(max_epochs, "max_epochs", at_least=1)):
        before = len(updates)
        for i, (x, sign) in enumerate(zip(X, signs.tolist(), strict=True)):
            if sign * ((positive - negative) @ x - threshold) <= 0:
                positive, negative = positive * powers(sign * x, factor), negative * powers(-sign * x, factor)
                kept.append((positive, negative))
                updates.append(i)
        if len(updates) == before:
            break
    up, down = (np.array(each) for each in zip(*kept, strict=True))
    return BalancedRun(up, down, updates)
