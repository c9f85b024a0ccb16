"""Joint features that are sums over the positions and edges of a chain or tree.

    Psi(x, y) = sum_t e_(y_t) (x) x_t + sum over edges e_(y_parent) (x) e_(y_t) + e_(y_first) + sum over ends e_(y_end)

Laid side by side these are the rows of one table with a column for each label, so weights w and features Psi are tables
of the same shape, and the score is the sum of their products.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from mcbook.foundation.checks import require_finite, require_labels, require_matrix, require_same_length
from mcbook.foundation.types import Array, ArrayLike, Integers, Labels, Matrix
from mcbook.structured.algorithm.forest import Forest


class Scores(NamedTuple):
    """What inference needs: ``E (n_positions, n_labels)`` and ``T (n_labels, n_labels)``, the parent's label first.

    >>> E, T = Scores(np.zeros((3, 2)), np.eye(2))
    >>> E.shape, T.shape
    ((3, 2), (2, 2))
    """

    E: Array
    T: Array


class Parts(NamedTuple):
    """Weights by what they multiply: ``W (n_features, n_labels)``, ``T (n_labels, n_labels)``, those of both ends.

    >>> parts = JointFeatures(1, 2).parts(np.arange(10))
    >>> [part.tolist() for part in parts]
    [[[0, 1]], [[2, 3], [4, 5]], [6, 7], [8, 9]]
    """

    W: Array
    T: Array
    start: Array
    end: Array


@dataclass(frozen=True)
class Structures:
    """Observations ``X (n_positions, n_features)``, dense or CSR, on the positions of a forest.

    >>> from mcbook.structured import chains
    >>> data = structures([[1.0], [2.0], [3.0]], chains([2, 1]))
    >>> data.n_features, data.only([1]).X.tolist()
    (1, [[3.0]])
    """

    X: Matrix
    forest: Forest

    @property
    def n_features(self) -> int:
        return int(self.X.shape[1])

    def only(self, chosen: ArrayLike) -> Structures:
        """The chosen sequences alone, in the order given."""
        forest, positions = self.forest.only(np.asarray(chosen))
        return Structures(self.X[positions], forest)


def structures(X: Matrix, forest: Forest) -> Structures:
    """The observations checked, and in the layout in which they are fast; dtype object stays exact.

    >>> from mcbook.structured import chains
    >>> structures([[1, 0], [0, 2]], chains([2])).X.tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    if sp.issparse(X):
        X = sp.csr_array(X, dtype=float)
        require_finite(X.data, "entries of X")
    else:
        X = require_matrix(X, shape="(n_positions, n_features)", exact=True)
    if X.shape[0] != forest.n_positions:
        raise ValueError(f"expected a row of X for each of {forest.n_positions} positions, got {X.shape[0]}")
    return Structures(X, forest)


@dataclass(frozen=True)
class JointFeatures:
    """The joint features of observations with ``n_features`` entries and of ``n_labels`` labels.

    >>> from mcbook.structured import chains
    >>> joint, data = JointFeatures(n_features=1, n_labels=2), structures([[5.0], [7.0]], chains([2]))
    >>> joint.vector(data, np.array([0, 1])).reshape(joint.shape).tolist()
    [[5.0, 7.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    """

    n_features: int
    n_labels: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.n_features + self.n_labels + 2, self.n_labels

    @property
    def size(self) -> int:
        """The dimension N of Psi(x, y)."""
        return self.shape[0] * self.shape[1]

    def parts(self, w: Array) -> Parts:
        """Views of the weights ``w (size,)``, by what they multiply."""
        table, d, k = np.asarray(w).reshape(self.shape), self.n_features, self.n_labels
        return Parts(table[:d], table[d : d + k], table[d + k], table[d + k + 1])

    def join(self, parts: Parts) -> Array:
        """The weights as one vector: the inverse of `parts`."""
        return np.vstack([parts.W, parts.T, parts.start, parts.end]).ravel()

    def scores(self, w: Array, data: Structures) -> Scores:
        """The scores of labels at their positions, and of pairs on the edges.

        >>> from mcbook.structured import chains, structures
        >>> E, T = JointFeatures(1, 2).scores(np.arange(10.0), structures([[1.0], [2.0]], chains([2])))
        >>> E.tolist(), T.tolist()
        ([[6.0, 8.0], [8.0, 11.0]], [[2.0, 3.0], [4.0, 5.0]])
        """
        W, T, start, end = self.parts(w)
        E = np.asarray(data.X @ W)
        E[data.forest.roots] += start
        E[data.forest.leaves] += end
        return Scores(E, np.ascontiguousarray(T))

    def combine(self, data: Structures, P: Array, pairs: Array) -> Array:
        """Psi as a linear function of who has which label: ``P (n_positions, n_labels)`` and the sums ``pairs``.

        For the indicators of a labelling it is the sum of Psi over all sequences, for marginals its expectation.
        """
        return np.vstack([data.X.T @ P, self.combine_labels(data.forest, P, pairs)]).ravel()

    def combine_labels(self, forest: Forest, P: Array, pairs: Array) -> Array:
        """The rows of it that see no observations: pairs, first and last labels."""
        return np.vstack([pairs, P[forest.roots].sum(axis=0), P[forest.leaves].sum(axis=0)])

    def vector(self, data: Structures, y: Labels, weight: Array | None = None) -> Array:
        """The sum of Psi(x, y) over all sequences, each times its ``weight (n_sequences,)`` if there is one."""
        exact, forest, k = data.X.dtype == object, data.forest, self.n_labels
        if weight is None:
            return self.combine(data, indicators(y, k, exact), pair_counts(y, forest, k))
        each, at = np.repeat(weight, forest.lengths), forest.children
        pairs = np.zeros((k, k), dtype=each.dtype)
        np.add.at(pairs, (y[forest.parents[at]], y[at]), each[at])
        return self.combine(data, indicators(y, k, exact) * each[:, None], pairs)


def indicators(y: ArrayLike, n_labels: int, exact: bool = False) -> Array:
    """The table (n_positions, n_labels) with a 1 at each position's label.

    >>> indicators(np.array([0, 2]), 3).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    labels = require_labels(y, n_labels)
    table = np.zeros((len(labels), n_labels), dtype=object if exact else float)
    table[np.arange(len(labels)), labels] = 1
    return table


def pair_counts(y: ArrayLike, forest: Forest, n_labels: int) -> Integers:
    """How often each label of a parent (row) stands beside each label of a child (column), over all edges.

    >>> from mcbook.structured import chains
    >>> pair_counts(np.array([0, 1, 1]), chains([3]), 2).tolist()
    [[0, 1], [0, 1]]
    """
    labels = require_labelling(y, forest, n_labels)
    flat = labels[forest.parents[forest.children]] * n_labels + labels[forest.children]
    return np.bincount(flat, minlength=n_labels**2).reshape(n_labels, n_labels)


def require_labelling(y: ArrayLike, forest: Forest, n_labels: int) -> Labels:
    """One label 0 .. n_labels - 1 for each position.

    >>> from mcbook.structured import chains
    >>> require_labelling([0, 1], chains([2]), n_labels=2).tolist()
    [0, 1]
    """
    labels = require_labels(y, n_labels)
    require_same_length(positions=forest.parents, labels=labels)
    return labels


def score_of(scores: Scores, forest: Forest, y: Labels) -> Array:
    """The total score of the labelling, one number for each sequence.

    >>> from mcbook.structured import chains
    >>> score_of(Scores(np.eye(2), np.ones((2, 2))), chains([2]), np.array([0, 1]))
    array([3.])
    """
    own = scores.E[np.arange(len(y)), y].copy()
    at = forest.children
    own[at] = own[at] + scores.T[y[forest.parents[at]], y[at]]
    return forest.sums(own)


def entries_of(X: Matrix) -> tuple[Array, Integers, Integers, Integers]:
    """The entries of X row by row: values, columns, where those of each row begin, and where their columns do."""
    if sp.issparse(X):
        begin = X.indptr.astype(np.int64)
        return X.data, X.indices.astype(np.int64), begin, begin[:-1]
    n_rows, n_columns = X.shape
    return X.ravel(), np.arange(n_columns), n_columns * np.arange(n_rows + 1), np.zeros(n_rows, dtype=np.int64)
