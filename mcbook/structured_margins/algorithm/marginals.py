"""Distributions on all labellings of one chain and their marginals; exact on fractions."""

from __future__ import annotations

import numpy as np

from mcbook.foundation.numbers import quotient
from mcbook.foundation.types import Array
from mcbook.structured.algorithm.inference import all_labellings


def marginals_of_distribution(distribution: Array, length: int, n_labels: int) -> tuple[Array, Array]:
    """The distributions of labels ``(length, n_labels)`` and of neighbours ``(length - 1, n_labels, n_labels)``.

    ``distribution (n_labels ** length,)`` has the probabilities of all labellings in dictionary order.

    >>> P, pairs = marginals_of_distribution(np.array([0.5, 0.0, 0.25, 0.25]), 2, 2)
    >>> P.tolist(), pairs.tolist()
    ([[0.5, 0.5], [0.75, 0.25]], [[[0.5, 0.0], [0.25, 0.25]]])
    """
    table = np.asarray(distribution).reshape((n_labels,) * length)
    axes = range(length)
    P = np.array([table.sum(axis=tuple(a for a in axes if a != t)) for t in axes])
    pairs = [table.sum(axis=tuple(a for a in axes if a not in (t, t + 1))) for t in range(length - 1)]
    return P, np.array(pairs, dtype=table.dtype).reshape(length - 1, n_labels, n_labels)


def distribution_from_marginals(P: Array, pairs: Array) -> Array:
    """The Markov chain with these marginals: prod_t P(y_t, y_t+1) / prod of P(y_t) at inner positions.

    >>> distribution_from_marginals(np.array([[0.5, 0.5]] * 2), np.array([[[0.5, 0.0], [0.0, 0.5]]])).tolist()
    [0.5, 0.0, 0.0, 0.5]
    """
    P, pairs = np.asarray(P), np.asarray(pairs)
    distribution = []
    for y in all_labellings(P.shape[1], len(P)).tolist():
        value = P[0, y[0]]
        for t in range(len(P) - 1):
            value = value * quotient(pairs[t, y[t], y[t + 1]], P[t, y[t]]) if value else value
        distribution.append(value)
    return np.array(distribution, dtype=P.dtype)
