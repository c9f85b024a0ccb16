"""The chains and planes on which the chapter is tried and shown."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mcbook.foundation.numbers import as_integers
from mcbook.foundation.types import Array, Floats, Labels, Scalar
from mcbook.structured import Scores, chains, score_of, structures
from mcbook.structured.algorithm.features import Structures
from mcbook.structured.algorithm.forest import Forest
from mcbook.structured.algorithm.inference import all_labellings
from mcbook.structured_margins.algorithm.chains import ChainProblem, chain_problem
from mcbook.structured_margins.algorithm.enumerated import EnumeratedProblem
from mcbook.structured_margins.theory import Rescaling


class ScoredChain(NamedTuple):
    """One chain with its scores and right labels.

    >>> chain = tied_chain(2, 2)
    >>> Y, errors, leads = chain.cloud()
    >>> Y.tolist(), errors.tolist(), leads.tolist()
    ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 2], [0, 0, 0, 0])
    """

    scores: Scores
    forest: Forest
    y: Labels

    def cloud(self) -> tuple[Labels, Array, Array]:
        """All labellings, the number of errors of each, and by how much the right labels lead."""
        Y = all_labellings(self.scores.E.shape[1], len(self.y))
        totals = np.array([score_of(self.scores, self.forest, z)[0] for z in Y])
        errors = (self.y != Y).sum(axis=1)
        own = totals[(self.y == Y).all(axis=1)][0]
        return Y, errors.astype(object) if totals.dtype == object else errors, own - totals


def hidden_chain() -> ScoredChain:
    """Three positions, two labels: slack rescaling wants what no Viterbi run finds, whatever the loss weighs.

    >>> Y, errors, leads = hidden_chain().cloud()
    >>> [int(e) for e in errors], [str(m) for m in leads]
    ([0, 1, 1, 2, 1, 2, 2, 3], ['0', '1', '3/2', '19/10', '-9/10', '1/10', '0', '2/5'])
    """
    E = np.array([[0, 9], [0, -15], [0, -10]], dtype=object)
    T = np.array([[0, 0], [0, 6]], dtype=object)
    return ScoredChain(Scores(E * Fraction(1, 10), T * Fraction(1, 10)), chains([3]), np.zeros(3, dtype=np.int64))


def tied_chain(length: int, n_labels: int) -> ScoredChain:
    """All scores 0: every labelling is highest-scoring, the one without a right label too.

    >>> set(tied_chain(3, 2).cloud()[2].tolist())
    {0}
    """
    zeros = np.zeros((length, n_labels), dtype=object), np.zeros((n_labels, n_labels), dtype=object)
    return ScoredChain(Scores(*zeros), chains([length]), np.zeros(length, dtype=np.int64))


def random_chain(rng: np.random.Generator, length: int, n_labels: int, largest: int = 4) -> ScoredChain:
    """Random whole scores and labels.

    >>> chain = random_chain(np.random.default_rng(0), 3, 2, largest=4)
    >>> chain.scores.E.shape, bool(max(chain.scores.E.ravel()) <= 4), chain.scores.E.dtype
    ((3, 2), True, dtype('O'))
    """
    E = as_integers(rng.integers(-largest, largest + 1, (length, n_labels)))
    T = as_integers(rng.integers(-largest, largest + 1, (n_labels, n_labels)))
    return ScoredChain(Scores(E, T), chains([length]), rng.integers(0, n_labels, length))


def random_problem(
    rng: np.random.Generator,
    lengths: tuple[int, ...],
    n_labels: int,
    C: Scalar,
    *,
    n_features: int = 2,
    rescaling: Rescaling = "margin",
) -> ChainProblem:
    """Chains of whole random observations with random labels, exact.

    >>> problem = random_problem(np.random.default_rng(0), (2, 3), 2, Fraction(1, 2))
    >>> problem.n_blocks, problem.data.X.shape, problem.data.X.dtype
    (2, (5, 2), dtype('O'))
    """
    n = sum(lengths)
    X = as_integers(rng.integers(-2, 3, (n, n_features)))
    return chain_problem(structures(X, chains(lengths)), rng.integers(0, n_labels, n), n_labels, C, rescaling=rescaling)


def orthogonal_planes(C: Scalar, radius: Scalar, largest_loss: Scalar, n_planes: int) -> EnumeratedProblem:
    """One example whose planes have equal offsets and gradients along different axes: each must be found by itself.

    >>> problem = orthogonal_planes(1, 2, 3, 2)
    >>> problem.offsets[0].tolist(), problem.gradients[0].tolist()
    ([0, 3, 3], [[0, 0], [2, 0], [0, 2]])
    """
    G = np.zeros((n_planes + 1, n_planes), dtype=object)
    G[np.arange(1, n_planes + 1), np.arange(n_planes)] = radius
    return EnumeratedProblem((np.array([0, *[largest_loss] * n_planes], dtype=object),), (G,), C)


def flat_blocks(n_blocks: int, size: Scalar) -> EnumeratedProblem:
    """Examples with one rival each, of loss 1, and gradients of the given size along axes of their own.

    >>> [G.tolist() for G in flat_blocks(2, 3).gradients]
    [[[0, 0], [3, 0]], [[0, 0], [0, 3]]]
    """
    G = [np.zeros((2, n_blocks), dtype=object) for _ in range(n_blocks)]
    for i, gradients in enumerate(G):
        gradients[1, i] = size
    return EnumeratedProblem(tuple(np.array([0, 1], dtype=object) for _ in G), tuple(G), Fraction(1))


def ring_chains(rng: np.random.Generator, n_chains: int, length: int) -> tuple[Floats, Labels, Forest]:
    """Chains of points on two rings around the origin, whose label says which: no linear score can tell.

    >>> X, y, forest = ring_chains(np.random.default_rng(0), 2, 3)
    >>> forest.lengths.tolist(), bool(((np.hypot(*X.T) > 1) == (y == 1)).all())
    ([3, 3], True)
    """
    ring = rng.integers(0, 2, (n_chains, length))
    angle = rng.uniform(0, 2 * np.pi, ring.shape)
    radius = 0.5 + ring
    X = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1).reshape(-1, 2)
    return X, ring.ravel().astype(np.int64), chains([length] * n_chains)


class Sequences(NamedTuple):
    """Labelled sequences: their observations on chains, and the labels of all positions one after the other.

    >>> rows = Sequences(structures([[1.0], [2.0], [3.0]], chains([2, 1])), np.array([0, 1, 1]))
    >>> [labels.tolist() for labels in rows.labels], rows.apart().data.forest.n_sequences
    ([[0, 1], [1]], 3)
    """

    data: Structures
    y: Labels

    @property
    def inputs(self) -> list[Array]:
        """One array of observations for each sequence."""
        return self.data.forest.split(self.data.X)

    @property
    def labels(self) -> list[Labels]:
        return self.data.forest.split(self.y)

    def apart(self) -> Sequences:
        """The same positions, each a sequence by itself."""
        return Sequences(structures(self.data.X, chains(np.ones(len(self.y), dtype=np.int64))), self.y)


def digit_sequences(rng: np.random.Generator, n_sequences: int, length: int, *, test: bool = False) -> Sequences:
    """Handwritten digits in a row, each larger than the one before by 1, 2 or 5, counted modulo 10.

    The images are scikit-learn's, pixels divided by their largest value; those for ``test`` are others than the rest.

    >>> rows = digit_sequences(np.random.default_rng(0), 2, 4)
    >>> [X.shape for X in rows.inputs], all(set(np.diff(y) % 10) <= {1, 2, 5} for y in rows.labels)
    ([(4, 64), (4, 64)], True)
    """
    from sklearn.datasets import load_digits

    X, labels = load_digits(return_X_y=True)
    half = slice(len(X) // 2, None) if test else slice(0, len(X) // 2)
    X, labels = X[half] / 16, labels[half]
    first = rng.integers(0, 10, (n_sequences, 1))
    steps = rng.choice([1, 2, 5], (n_sequences, length - 1))
    y = (np.cumsum(np.hstack([first, steps]), axis=1) % 10).ravel()
    places = [np.flatnonzero(labels == digit) for digit in range(10)]
    chosen = [places[digit][rng.integers(len(places[digit]))] for digit in y]
    return Sequences(structures(X[chosen], chains([length] * n_sequences)), y.astype(np.int64))
