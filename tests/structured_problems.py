"""What the tests of structured margins share."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from mcbook.structured import chains, structures
from mcbook.structured_margins import chain_problem

LENGTHS = (3, 1, 2, 3)


def float_problem(seed=0, *, rescaling="margin", lengths=LENGTHS, n_labels=3, C=0.5, cost=None):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(sum(lengths), 2)), rng.integers(0, n_labels, sum(lengths))
    return chain_problem(structures(X, chains(lengths)), y, n_labels, C, rescaling=rescaling, cost=cost)


# Sequences by the parents of their positions, within each: chains and trees, the longest first, last or in between.
FORESTS = [
    [[-1, 0, 1], [-1], [-1, 0]],
    [[-1], [-1, 0], [-1, 0, 0, 1]],
    [[-1, 0], [-1, 0, 0], [-1]],
    [[-1]],
    [[-1, 0, 0, 2]],
]

# What no kernel writes: found again where nothing was to be filled in.
UNTOUCHED = 99


def entries_apart(X):
    """Values, columns, where values begin, where columns begin: the columns do not stand where their values do."""
    rows = sp.csr_array(X)
    begins = rows.indptr.astype(np.int64)
    return rows.data.astype(float), np.r_[0, 0, rows.indices].astype(np.int64), begins, begins[:-1] + 2


@dataclass
class Sequences:
    """Sequences whose joint features, and those of distributions of labellings, are written out as tables."""

    parents: list[list[int]]
    X: np.ndarray
    y: np.ndarray
    k: int

    def __post_init__(self):
        self.offsets = np.concatenate([[0], np.cumsum([len(own) for own in self.parents])])
        self.within = np.concatenate(self.parents)
        self.leaves = np.concatenate([[t not in own for t in range(len(own))] for own in self.parents])
        rows = sp.csr_array(self.X, dtype=float)
        self.rows = rows.data, rows.indices.astype(np.int64), rows.indptr.astype(np.int64)
        self.shape = self.X.shape[1] + self.k + 2, self.k

    @classmethod
    def drawn(cls, rng, parents, k, d):
        """Some rows of X are empty, others have more than a few entries; all are small integers."""
        n = sum(map(len, parents))
        X = rng.integers(-2, 3, (n, d)) * (rng.random((n, d)) < rng.random((n, 1)))
        return cls(parents, X.astype(float), rng.integers(0, k, n), k)

    def at(self, i):
        return slice(self.offsets[i], self.offsets[i + 1])

    def labellings(self, i):
        """All of this sequence, in the order of a dictionary."""
        return [np.array(z) for z in itertools.product(range(self.k), repeat=len(self.parents[i]))]

    def marginals(self, i, z):
        """Those of the distribution that has all its weight on one labelling: of labels, and of pairs."""
        pairs = np.zeros((self.k, self.k))
        for t, p in enumerate(self.parents[i]):
            if p >= 0:
                pairs[z[p], z[t]] += 1
        return np.eye(self.k)[z], pairs

    def joint(self, i, P, pairs):
        """The expected joint features, in the shape of the weights."""
        ends = P[[0]], P[self.leaves[self.at(i)]].sum(axis=0, keepdims=True)
        return np.vstack([self.X[self.at(i)].T @ P, pairs, *ends])

    def features(self, i, z):
        return self.joint(i, *self.marginals(i, z))
