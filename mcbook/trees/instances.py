"""Samples on which trees are put on trial and shown."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from mcbook.foundation.types import Array, Floats, Labels


def parity_cube(n_relevant: int, n_bits: int) -> tuple[Labels, Labels]:
    """All points of {0, 1}^n, labelled by the parity of the first ``n_relevant`` bits; XOR for 2 of 2.

    >>> X, y = parity_cube(2, 2)
    >>> X.tolist(), y.tolist()
    ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    """
    X = np.array(list(itertools.product((0, 1), repeat=n_bits)))
    return X, X[:, :n_relevant].sum(axis=1) % 2


def helpful_bit(beta: Fraction) -> tuple[Labels, Labels]:
    """XOR of two bits with a third that agrees with the label on a share 1/2 + beta of the points.

    >>> X, y = helpful_bit(Fraction(1, 4))
    >>> len(y), (X[:, 2] == y).mean()
    (16, np.float64(0.75))
    """
    agree, n = (Fraction(1, 2) + beta).as_integer_ratio()
    differ = n - agree
    rows = [(a, b, a ^ b) for a in (0, 1) for b in (0, 1) for _ in range(agree)]
    rows += [(a, b, 1 - (a ^ b)) for a in (0, 1) for b in (0, 1) for _ in range(differ)]
    X = np.array(rows)
    return X, X[:, 0] ^ X[:, 1]


def two_leaves() -> tuple[Labels, Labels]:
    """One feature with three values: after the first split, a leaf with labels (1, 1) and one with (900, 100) stay.

    The second feature would part both of them perfectly.

    >>> X, y = two_leaves()
    >>> [np.bincount(y[X[:, 0] == value]).tolist() for value in (0, 1)], (X[:, 1] == y).all()
    ([[1, 1], [900, 100]], np.True_)
    """
    rows = [(0, 0, 0), (0, 1, 1), *[(1, 0, 0)] * 900, *[(1, 1, 1)] * 100]
    table = np.array(rows)
    return table[:, :2], table[:, 2]


def noisy_bits(n_bits: int, edge: Fraction) -> tuple[Labels, Labels, Array]:
    """A distribution: a fair label, and bits that agree with it with probability 1/2 + edge, independent given the label.

    Points, labels and probabilities, as fractions.

    >>> X, y, weight = noisy_bits(1, Fraction(1, 4))
    >>> X.ravel().tolist(), y.tolist(), [str(w) for w in weight]
    ([0, 1, 0, 1], [0, 0, 1, 1], ['3/8', '1/8', '1/8', '3/8'])
    """
    X, y, weight = [], [], []
    for label, *bits in itertools.product((0, 1), repeat=n_bits + 1):
        X.append(bits)
        y.append(label)
        n_agree = sum(bit == label for bit in bits)
        weight.append((Fraction(1, 2) + edge) ** n_agree * (Fraction(1, 2) - edge) ** (n_bits - n_agree) / 2)
    return np.array(X), np.array(y), np.array(weight, dtype=object)


def spirals(rng: np.random.Generator, n_samples: int = 240) -> tuple[Floats, Labels]:
    """Three arms of a spiral in the plane.

    >>> X, y = spirals(np.random.default_rng(0), n_samples=30)
    >>> X.shape, np.bincount(y).tolist()
    ((30, 2), [10, 10, 10])
    """
    y = np.arange(n_samples) % 3
    turn = np.sqrt(rng.random(n_samples)) * 1.15
    angle = 2 * np.pi * (turn * 0.75 + y / 3)
    return np.column_stack([turn * np.cos(angle), turn * np.sin(angle)]) + rng.normal(0, 0.03, (n_samples, 2)), y
