"""Exact inference on chains and trees: the best labelling, the partition function, marginals, and losses added."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from mcbook.foundation.checks import require_matrix
from mcbook.foundation.types import Array, ArrayLike, Floats, Labels
from mcbook.structured.algorithm.features import Scores, score_of
from mcbook.structured.algorithm.forest import Forest

# Exponentials of numbers within this range neither overflow nor vanish, nor do the products of two of them.
_RANGE = 300.0


class Best(NamedTuple):
    """The best labelling ``labels (n_positions,)`` of all sequences, and the ``values (n_sequences,)`` it reaches.

    >>> from mcbook.structured import chains
    >>> labels, values = best_labelling(Scores([[0.0, 1.0], [2.0, 0.0]], np.zeros((2, 2))), chains([1, 1]))
    >>> labels.tolist(), values.tolist()
    ([1, 0], [1.0, 2.0])
    """

    labels: Labels
    values: Array


class Marginals(NamedTuple):
    """What is asked of the distribution p(y) proportional to e^score.

    ``log_partition (n_sequences,)``, the distributions ``P (n_positions, n_labels)`` of the labels, and the sum
    ``pairs (n_labels, n_labels)``, over all edges, of the distributions of the two labels there, times the sequence's
    weight.

    >>> from mcbook.structured import chains
    >>> _, P, pairs = sum_over_labellings(Scores(np.zeros((3, 2)), np.zeros((2, 2))), chains([3]))
    >>> P.round(6).tolist(), pairs.round(6).tolist()
    ([[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]], [[0.5, 0.5], [0.5, 0.5]])
    """

    log_partition: Floats
    P: Floats
    pairs: Floats


def best_labelling(scores: Scores, forest: Forest) -> Best:
    """Viterbi's algorithm: n_labels^2 operations for each edge.

    Of equally good labellings it is the first in dictionary order.  Exact scores (dtype object) are added exactly.

    >>> from mcbook.structured import chains
    >>> best_labelling(Scores([[1.0, 0], [0, 0]], [[0, 2.0], [0, 0]]), chains([2]))
    Best(labels=array([0, 1]), values=array([3.]))
    """
    from mcbook.structured.kernels import viterbi

    E, T = _checked(scores, forest)
    V, labels = E.copy(), np.zeros(len(E), dtype=np.int64)
    suited(viterbi, V)(V, np.ascontiguousarray(T.T), forest.parents, np.zeros(V.shape, dtype=np.int64), labels)
    return Best(labels, V[forest.roots, labels[forest.roots]])


def sum_over_labellings(scores: Scores, forest: Forest, weight: Floats | None = None) -> Marginals:
    """Forward and backward: the partition function, and the marginals of labels and of pairs.

    Scores of -inf forbid what they belong to.  ``weight (n_sequences,)`` is 1 unless it is given.

    >>> from mcbook.structured import chains
    >>> found = sum_over_labellings(Scores(np.zeros((3, 2)), np.zeros((2, 2))), chains([3]))
    >>> round(float(np.exp(found.log_partition[0])), 9), found.P[0].tolist()
    (8.0, [0.5, 0.5])
    """
    E, T = _checked(scores, forest)
    way = _by_factors if is_moderate(E, T, int(forest.n_children.max())) else _by_logarithms
    return way(E, T, forest, None if weight is None else np.repeat(weight, forest.lengths))


def is_moderate(E: Floats, T: Floats, ways: int) -> bool:
    """Whether no factor below can vanish beside another of its position, which has at most so many children.

    A message differs by at most the range of T between labels, the product at a position by that for each child.
    """
    # Of infinite scores the range is infinite or none.
    with np.errstate(invalid="ignore"):
        return bool(ways * (T.max() - T.min()) + (E.max() - E.min()) < _RANGE)


def _by_factors(E: Floats, T: Floats, forest: Forest, weight: Floats | None) -> Marginals:
    top, of_pair = E.max(), T.max()
    B = E - top
    found = multiply_out(np.exp(B, out=B), np.exp(T - of_pair), forest, weight)
    logs = forest.sums(np.log(found.scales))
    return Marginals(logs + top * forest.lengths + of_pair * (forest.lengths - 1), found.P, found.pairs)


class Products(NamedTuple):
    """What the factors multiply out to: the product of the ``scales`` of a sequence is its partition function."""

    scales: Array
    P: Array
    pairs: Array


def multiply_out(B: Array, M: Array, forest: Forest, weight: Array | None = None) -> Products:
    """The same from factors in place of scores, e^E and e^T; exact for fractions.  ``B`` is overwritten.

    ``weight (n_positions,)`` multiplies what each position and the one before it add to the pairs.

    >>> import math
    >>> from fractions import Fraction
    >>> from mcbook.structured import chains
    >>> ones = np.array([[Fraction(1)] * 2] * 3)
    >>> math.prod(multiply_out(ones, ones[:2], chains([3])).scales)
    Fraction(8, 1)
    """
    from mcbook.structured.kernels import sum_product

    ratios, P, scales = np.empty_like(B), np.empty_like(B), np.empty(len(B), dtype=B.dtype)
    suited(sum_product, B)(B, M, np.ascontiguousarray(M.T), forest.parents, ratios, P, scales)
    weighted = ratios if weight is None else ratios * weight[:, None]
    return Products(scales, P, M * (weighted.T @ B))


def _by_logarithms(E: Floats, T: Floats, forest: Forest, weight: Floats | None) -> Marginals:
    from mcbook.structured.kernels import log_sum_product

    V, P, pairs = E.copy(), np.empty_like(E), np.zeros_like(T)
    each = np.ones(len(E)) if weight is None else weight
    with np.errstate(invalid="ignore"):
        log_sum_product(V, T, forest.parents, each, np.empty_like(E), P, pairs)
    roots = V[forest.roots]
    tops = roots.max(axis=1)
    if not (tops > -np.inf).all():
        number = int(np.flatnonzero(~(tops > -np.inf))[0])
        raise ValueError(f"expected at least one allowed labelling of every sequence, sequence {number} has none")
    return Marginals(tops + np.log(np.exp(roots - tops[:, None]).sum(axis=1)), P, pairs)


def add_losses(scores: Scores, y: Labels, cost: Array, weights: Array | None = None) -> Scores:
    """Scores to which cost[y_t, label] is added at every position, times the position's weight.

    `best_labelling` of them is inference with the loss L(y, z) = sum_t weight_t cost[y_t, z_t] added; the cost 1 off
    the diagonal (`hamming_cost`) makes it the Hamming loss.

    >>> add_losses(Scores(np.zeros((1, 2)), np.zeros((2, 2))), [0], hamming_cost(2)).E.tolist()
    [[0.0, 1.0]]
    """
    added = np.asarray(cost)[np.asarray(y)]
    if weights is not None:
        added = np.asarray(weights)[:, None] * added
    return Scores(np.asarray(scores.E) + added, scores.T)


def hamming_cost(n_labels: int) -> Floats:
    """The table of costs with 0 on the diagonal and 1 elsewhere.

    >>> hamming_cost(3).tolist()
    [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    return 1 - np.eye(n_labels)


def require_cost(cost: ArrayLike, n_labels: int) -> Floats:
    """A table of finite costs >= 0 with 0 on the diagonal, row the true label.

    >>> require_cost([[0, 1], [2, 0]], 2).tolist()
    [[0.0, 1.0], [2.0, 0.0]]
    """
    table = require_matrix(cost, "cost", "(n_labels, n_labels)")
    if table.shape != (n_labels, n_labels) or (table < 0).any() or table.diagonal().any():
        raise ValueError(
            f"expected cost ({n_labels}, {n_labels}) >= 0 with zeros on its diagonal, got shape {table.shape} with "
            f"entries from {table.min():g}: row and column are the true and the given label"
        )
    return table


def loss_of(y: Labels, z: Labels, cost: Array, forest: Forest, weights: Array | None = None) -> Array:
    """L(y, z) of each sequence: the costs of its positions, added up.

    >>> from mcbook.structured import chains
    >>> loss_of(np.array([0, 1, 1]), np.array([0, 0, 1]), hamming_cost(2), chains([2, 1])).tolist()
    [1.0, 0.0]
    """
    costs = np.asarray(cost)[y, z]
    return forest.sums(costs if weights is None else weights * costs)


# By brute force: what all of this is compared with.


def all_labellings(n_labels: int, length: int) -> Labels:
    """Every labelling of so many positions, in dictionary order, as a row.

    >>> all_labellings(2, 2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    return np.array(list(itertools.product(range(n_labels), repeat=length)), dtype=np.int64)


def every_score(scores: Scores, forest: Forest) -> Iterator[tuple[Labels, Array]]:
    """For each sequence by itself all its labellings and their scores.

    >>> from mcbook.structured import chains
    >>> Y, values = next(every_score(Scores([[1.0, 0.0]], np.zeros((2, 2))), chains([1])))
    >>> Y.tolist(), values.tolist()
    ([[0], [1]], [1.0, 0.0])
    """
    E, T = np.asarray(scores.E), np.asarray(scores.T)
    for number in range(forest.n_sequences):
        own, positions = forest.only(np.array([number]))
        Y = all_labellings(E.shape[1], own.n_positions)
        yield Y, np.array([score_of(Scores(E[positions], T), own, y)[0] for y in Y])


def _checked(scores: Scores, forest: Forest) -> tuple[Array, Array]:
    E, T = (require_matrix(table, name, exact=True, finite=False) for table, name in zip(scores, "ET", strict=True))
    k = E.shape[1]
    if E.shape[0] != forest.n_positions or T.shape != (k, k):
        raise ValueError(
            f"expected scores E ({forest.n_positions}, n_labels) and T (n_labels, n_labels), "
            f"got shapes {E.shape} and {T.shape}"
        )
    if E.dtype.kind == "f" and (np.isnan(E).any() or np.isnan(T).any()):
        raise ValueError("expected scores that are numbers or -inf, got NaN: look at the weights and the observations")
    return E, T


def suited(kernel: Any, array: Array) -> Callable[..., Any]:
    """The kernel compiled for floats, the same lines uncompiled for exact numbers."""
    from mcbook.foundation.compiled import python_original

    return python_original(kernel) if array.dtype == object else kernel
