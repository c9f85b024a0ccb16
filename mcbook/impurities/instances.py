"""Nodes and splits on which the impurities are put on trial: simplices, integer splits, XOR, extremal shares."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from mcbook.foundation.checks import require_at_most, require_classes, require_share
from mcbook.foundation.types import Exact, Floats, Labels

Counts = tuple[int, ...]


def uniform_shares(n_classes: int) -> Exact:
    """(1/k, ..., 1/k), the most mixed node.

    >>> uniform_shares(2).tolist()
    [Fraction(1, 2), Fraction(1, 2)]
    """
    return np.array([Fraction(1, require_classes(n_classes, at_least=1))] * n_classes, dtype=object)


def integer_splits(counts: Sequence[int]) -> Iterator[tuple[Counts, Counts]]:
    """Every division of a node's examples between two non-empty children, as class counts; each pair once.

    >>> list(integer_splits([2, 1]))
    [((0, 1), (2, 0)), ((1, 0), (1, 1))]
    """
    for left in itertools.product(*(range(count + 1) for count in counts)):
        right = tuple(count - one for count, one in zip(counts, left, strict=True))
        if sum(left) and left <= right:
            yield left, right


def xor_sample() -> tuple[Floats, Labels]:
    """The four points (-1, -1), (-1, 1), (1, -1), (1, 1); label 1 where the two signs differ.

    >>> xor_sample()[1].tolist()
    [0, 1, 1, 0]
    """
    X = np.array(list(itertools.product((-1.0, 1.0), repeat=2)))
    return X, (X[:, 0] != X[:, 1]).astype(np.int64)


def least_mixed_shares(error: Fraction, n_classes: int) -> Exact:
    """The shares of least Gini impurity among those whose majority label errs on the share ``error``.

    As many classes as can have the share 1 - error, and one more with the rest.

    >>> [str(share) for share in least_mixed_shares(Fraction(3, 5), 4)]
    ['2/5', '2/5', '1/5', '0']
    """
    largest = 1 - _require_error(error, n_classes)
    full = math.floor(1 / largest)
    shares = [largest] * full + [1 - full * largest] + [Fraction(0)] * n_classes
    return np.array(shares[:n_classes], dtype=object)


def most_mixed_shares(error: Fraction, n_classes: int) -> Exact:
    """The shares of largest Gini impurity among those whose majority label errs on the share ``error``.

    All the other classes are equal.

    >>> [str(share) for share in most_mixed_shares(Fraction(3, 5), 4)]
    ['2/5', '1/5', '1/5', '1/5']
    """
    error = _require_error(error, n_classes)
    return np.array([1 - error] + [error / (n_classes - 1)] * (n_classes - 1), dtype=object)


def _require_error(error: Fraction, n_classes: int) -> Fraction:
    k = require_classes(n_classes)
    require_at_most(error, Fraction(k - 1, k), "error", f"the majority label of {k} classes errs no more often")
    return require_share(Fraction(error), "error")
