"""Conditional random fields and the softmax-margin: one regularised objective, its exact gradient, its minimum.

    1/2 |w|^2 + C sum_i ln sum_y exp(L(y_i, y) - w . (Psi(x_i, y_i) - Psi(x_i, y)))

With a loss L it is the softmax-margin, with L = 0 the negative log-likelihood of the conditional random field.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.linalg import cholesky, solve_triangular

from mcbook.foundation.blas import limited_blas
from mcbook.foundation.checks import require_positive, require_weights, require_whole
from mcbook.foundation.types import Array, Floats, Integers, Labels, Matrix
from mcbook.foundation.vocabulary import LOOSE_TOL
from mcbook.structured.algorithm.batched_chains import Block, block_of
from mcbook.structured.algorithm.features import JointFeatures, Structures, require_labelling
from mcbook.structured.algorithm.forest import Forest
from mcbook.structured.algorithm.inference import require_cost
from mcbook.structured.algorithm.lbfgs import minimise

# The number of scores worked on at a time: they stay in the processor's cache from the first pass over them on.
_BLOCK = 1 << 17
# p (1 - p) of a label, as a share of 1 / n_labels; and the most features whose table X'X is worth factorising.
_SPREAD, _MOST_FACTORISED = 0.2, 500
# At w = 0 p (1 - p) is nearly 1 / n_labels, and the curvature 1 / _SPREAD in those units; a fifth of Newton's step
# does not shoot beyond where the curvature has changed.
_FIRST = 0.2 * _SPREAD


class Loss(NamedTuple):
    """The sum of the losses of all sequences, and its gradient."""

    value: float
    gradient: Floats


@dataclass(frozen=True)
class LikelihoodSolution:
    """The weights ``w``, the objective there, and ``gap``, by which part of it the optimum can lie below at most.

    >>> from mcbook.structured import chains, structures
    >>> found = fit_likelihood(structures([[1.0], [-1.0]], chains([1, 1])), np.array([0, 1]), 2, C=1.0)
    >>> found.converged, bool(found.gap <= 1e-4), found.w.shape
    (True, True, (10,))
    """

    w: Floats
    objective: float
    gap: float
    n_iter: int
    n_evaluations: int
    converged: bool


class SequenceLoss:
    """The sum over the sequences of ln sum_y exp(cost(y_i, y) + score(y)) - score(y_i), as a function of the weights.

    ``cost (n_labels, n_labels)`` are the costs of a label in place of another, added up along the sequence; without
    them it is the negative log-likelihood.  ``weight (n_sequences,)``, if given, multiplies the terms of the sum.
    Sequences are worked on in blocks, ``n_jobs`` of them at the same time; the sums are taken in the same order
    whatever their number.

    At w = 0 every labelling is as likely as any other:

    >>> from mcbook.structured import chains, structures
    >>> loss = SequenceLoss(structures([[1.0], [-1.0]], chains([2])), np.array([0, 1]), JointFeatures(1, 2))
    >>> round(float(np.exp(loss(np.zeros(10)).value)), 6)
    4.0
    """

    def __init__(
        self,
        data: Structures,
        y: Labels,
        features: JointFeatures,
        *,
        cost: Array | None = None,
        weight: Array | None = None,
        n_jobs: int = 1,
    ) -> None:
        self.data, self.features, self.n_jobs = data, features, n_jobs
        self.y = require_labelling(y, data.forest, features.n_labels)
        table = None if cost is None else require_cost(cost, features.n_labels)
        self.weight = each = None if weight is None else require_weights(weight, data.forest.n_sequences, "weight")
        self.observed = features.vector(data, self.y, each)
        # All marginals in one table: a sparse table of observations is large and better multiplied as a whole.
        self.P = np.empty((data.forest.n_positions, features.n_labels))
        self.blocks, orders, first = list[Block](), [], 0
        for forest, at in data.forest.blocks(_per_block(data.forest, features.n_labels)):
            own = None if each is None else each[first : first + forest.n_sequences]
            first += forest.n_sequences
            self.blocks.append(block_of(Structures(data.X[at], forest), self.y[at], table, own, self.P[at]))
            orders.append(at.start + self.blocks[-1].order)
        # By rows, so that a product with it reads and writes everything once; in parts, one for each thread.
        turned = data.X[np.concatenate(orders)].T.tocsr() if sp.issparse(data.X) else None
        self.turned = [] if turned is None else [turned[at] for at in _shares(turned.indptr, n_jobs)]

    def __call__(self, w: Floats) -> Loss:
        # The blocks are for the cores, if any; threads of the products would take them from each other.
        with limited_blas(1):
            found = list(self._map(lambda block: self._expect(block, w), self.blocks))
            if self.turned:
                of_observations = np.concatenate(list(self._map(lambda rows: rows @ self.P, self.turned)))
            else:
                of_observations = np.sum([each[2] for each in found], axis=0)
        value = sum(each[0] for each in found) - float(w @ self.observed)
        of_labels = np.sum([each[1] for each in found], axis=0)
        return Loss(value, np.concatenate([of_observations.ravel(), of_labels.ravel()]) - self.observed)

    def _expect(self, block: Block, w: Floats) -> tuple[float, Floats, Floats]:
        value, of_labels = block.expect(self.features, w)
        return value, of_labels, block.P if self.turned else block.X.T @ block.P

    @cached_property
    def _map(self) -> Callable[..., Iterable[Any]]:
        return map if self.n_jobs == 1 else ThreadPoolExecutor(self.n_jobs).map


def _per_block(forest: Forest, n_labels: int) -> int:
    """Positions in a block: as many blocks as are needed, and one more if that makes them even, for two cores."""
    needed = math.ceil(forest.n_positions * n_labels / _BLOCK)
    # A block ends with a sequence, and what it leaves must not pile up to a block of its own.
    return math.ceil(forest.n_positions / (needed + needed % 2)) + int(forest.lengths.max())


def _shares(begin: Integers, number: int) -> list[slice]:
    """The rows of a sparse table in so many parts with about as many entries each."""
    ends = np.searchsorted(begin, np.arange(1, number) * begin[-1] / number)
    return [slice(int(a), int(b)) for a, b in itertools.pairwise([0, *ends, len(begin) - 1])]


def fit_likelihood(
    data: Structures,
    y: Labels,
    n_labels: int,
    C: float,
    *,
    cost: Array | None = None,
    weight: Array | None = None,
    tol: float = LOOSE_TOL,
    max_iter: int = 1000,
    n_jobs: int = 1,
) -> LikelihoodSolution:
    """The weights with the least objective, by L-BFGS; ``cost`` and ``weight`` as in `SequenceLoss`.

    The objective is 1/2 |w|^2 plus a convex function, so the optimum lies at most |gradient|^2 / 2 below its value; it
    stops when that is at most ``tol`` of the value.

    >>> from mcbook.structured import chains, structures
    >>> found = fit_likelihood(structures([[1.0], [-1.0]], chains([1, 1])), np.array([0, 1]), 2, C=1.0)
    >>> found.w.reshape(5, 2).round(2)[0].tolist()
    [0.52, -0.52]
    """
    require_positive(C, "C", "it is the cost of the loss")
    seen = _seen(data.X)
    if len(seen) < data.n_features:
        fewer = Structures(data.X[:, seen], data.forest)
        options: dict[str, Any] = {"cost": cost, "weight": weight, "tol": tol, "max_iter": max_iter, "n_jobs": n_jobs}
        among = fit_likelihood(fewer, y, n_labels, C, **options)
        return replace(among, w=_with_unseen(among.w, seen, data.n_features, n_labels))
    features = JointFeatures(data.n_features, n_labels)
    loss = SequenceLoss(data, y, features, cost=cost, weight=weight, n_jobs=n_jobs)
    most = require_whole(max_iter, "max_iter", at_least=1)
    with limited_blas(1):
        units = _Units(data, features, C, loss.weight)

        def objective(v: Floats) -> tuple[float, Floats]:
            w = units.weights(v)
            value, gradient = loss(w)
            return float(w @ w) / 2 + C * value, units.slope(w + C * gradient)

        def gap(value: float, slope: Floats) -> float:
            gradient = units.gradient(slope)
            return float(gradient @ gradient) / (2 * value)

        found = minimise(
            objective,
            np.zeros(features.size),
            is_good=lambda value, slope: gap(value, slope) <= tol,
            max_iter=most,
            first=_FIRST,
        )
        reached, w = gap(found.value, found.gradient), units.weights(found.w)
    return LikelihoodSolution(w, found.value, reached, found.n_steps, found.n_evaluations, found.converged)


def _times(X: Matrix, factors: Floats) -> Matrix:
    return X.multiply(factors[:, None]).tocsr() if sp.issparse(X) else factors[:, None] * X


def _seen(X: Matrix) -> Integers:
    """The columns that have an entry: what a table of all words has of a text is a small part."""
    if not sp.issparse(X):
        return np.arange(X.shape[1])
    return np.flatnonzero(np.bincount(X.indices, minlength=X.shape[1]))


def _with_unseen(w: Floats, seen: Integers, n_features: int, n_labels: int) -> Floats:
    """The weights with 0 for all columns that have no entry, where the objective is least."""
    parts = JointFeatures(len(seen), n_labels).parts(w)
    W = np.zeros((n_features, n_labels))
    W[seen] = parts.W
    return np.asarray(JointFeatures(n_features, n_labels).join(parts._replace(W=W)))


class _Units:
    """Units v in place of the weights w, in which the curvature is about the same in all directions.

    The curvature of the loss in the weights of a label is about the sum of p (1 - p) x x' over positions; with one
    guess of p (1 - p) for all it is a share of X'X.  Where that is small enough to factorise, the weights of the
    observations are W = A^-T V for 1 + C share X'X = A A'; elsewhere its diagonal has to do, as for pairs and ends.
    """

    def __init__(self, data: Structures, features: JointFeatures, C: float, weight: Floats | None) -> None:
        share, d, k, forest = C * _SPREAD / features.n_labels, features.n_features, features.n_labels, data.forest
        # An observation counts as often as its sequence.
        X = data.X if weight is None else _times(data.X, np.sqrt(np.repeat(weight, forest.lengths)))
        squares = X.multiply(X) if sp.issparse(X) else X**2
        sizes = np.asarray(squares.sum(axis=0)).ravel()
        ends = [np.full(k, len(forest.children) / k), [forest.n_sequences, len(forest.leaves)]]
        self.shape, self.d = features.shape, d
        self.lengths = 1 / np.sqrt(1 + share * np.concatenate([sizes, *ends]))[:, None]
        dense = not sp.issparse(data.X) and d <= _MOST_FACTORISED
        self.A = cholesky(np.eye(d) + share * (X.T @ X), lower=True) if dense else None

    def weights(self, v: Floats) -> Floats:
        return self._apply(v, self.lengths, lambda A, V: solve_triangular(A, V, lower=True, trans="T"))

    def slope(self, gradient: Floats) -> Floats:
        """The gradient in v from that in w."""
        return self._apply(gradient, self.lengths, lambda A, G: solve_triangular(A, G, lower=True))

    def gradient(self, slope: Floats) -> Floats:
        """And back."""
        return self._apply(slope, 1 / self.lengths, np.matmul)

    def _apply(self, vector: Floats, lengths: Floats, to_observations: Callable[[Floats, Floats], Floats]) -> Floats:
        table = vector.reshape(self.shape)
        moved = lengths * table
        if self.A is not None:
            moved[: self.d] = to_observations(self.A, table[: self.d])
        return np.asarray(moved.ravel())
