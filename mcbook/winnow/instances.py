"""Samples on which Winnow is put on trial: its worst cases, the Perceptron's, and streams of random attributes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.foundation.numbers import as_integers
from mcbook.foundation.types import Array, Exact, Floats, Labels
from mcbook.winnow.theory import attributes_for_worst_case, promotions_needed


def disjunction_adversary(n_relevant: int, n_features: int, threshold: int) -> tuple[Labels, Labels]:
    """Attributes and answers on which Winnow with factor 2 and elimination is wrong every time, as often as can be.

    The target is the disjunction of the first ``n_relevant`` attributes.  First each relevant attribute is shown with
    so many fresh irrelevant ones that the sum stays one below the threshold; then the irrelevant ones, whose weights
    are 1 and 2 by now, in groups of the sum ``threshold``, the twos first.

    >>> X, y = disjunction_adversary(1, 6, threshold=4)
    >>> X.tolist(), y.tolist()
    ([[1, 1, 1, 0, 0, 0], [1, 0, 0, 1, 0, 0], [0, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]], [1, 1, 0, 0])
    """
    least = attributes_for_worst_case(n_relevant, threshold)
    if threshold % 2 or n_features < least:
        raise ValueError(
            f"expected an even threshold and at least {least} attributes, got {threshold} and {n_features}: "
            "elsewhere the worst case need not be attained"
        )
    rows, weights, fresh = [], np.ones(n_features, dtype=int), n_relevant
    for relevant in range(n_relevant):
        for promotion in range(promotions_needed(threshold, 2)):
            chosen = [relevant, *range(fresh, fresh + threshold - 1 - 2**promotion)]
            fresh += len(chosen) - 1
            weights[chosen] *= 2
            rows.append(chosen)
    n_promotions = len(rows)
    irrelevant = n_relevant + np.argsort(-weights[n_relevant:], kind="stable")
    sums = np.cumsum(weights[irrelevant])
    # Groups end where the sum reaches a multiple of the threshold, which even thresholds and twos first never skip.
    ends = 1 + np.flatnonzero(sums % threshold == 0)
    rows += [part.tolist() for part in np.split(irrelevant, ends)[: len(ends)]]
    X = np.zeros((len(rows), n_features), dtype=np.int64)
    for row, chosen in zip(X, rows, strict=True):
        row[chosen] = 1
    return X, (np.arange(len(rows)) < n_promotions).astype(np.int64)


def winnow_tight_sample(n_updates: int) -> tuple[Exact, Labels]:
    """The sample on which the multi-class Winnow's bound is attained: r examples in 2^(r - 1) features, all of class 0.

    The weights of both classes are numbered by b in {-1, 1}^r, class 1 having -b where class 0 has b; feature j of
    example t is the sign b_t that belongs to j.

    >>> winnow_tight_sample(3)[0].tolist()
    [[1, 1, 1, 1], [1, 1, -1, -1], [1, -1, 1, -1]]
    """
    half = np.arange(2 ** (n_updates - 1))
    signs = [1 - 2 * ((half >> (n_updates - 1 - t)) & 1) for t in range(n_updates)]
    return as_integers(np.array(signs)), np.zeros(n_updates, dtype=np.int64)


def winnow_tight_mixture(n_updates: int, gamma: Fraction) -> Exact:
    """U(b) = prod_t (1 + gamma b_t) / 2 for the tight sample: every example has the margin gamma under it.

    >>> [[str(u) for u in row] for row in winnow_tight_mixture(1, Fraction(1, 3))]  # 2/3 - 1/3 = 1/3
    [['2/3'], ['1/3']]
    """
    X, _ = winnow_tight_sample(n_updates)
    halves = [[math.prod((1 + sign * gamma * b) / 2 for b in column) for column in X.T.tolist()] for sign in (1, -1)]
    return np.array(halves, dtype=object)


def overshooting_sample() -> tuple[Exact, Labels]:
    """Four examples of margin 1/3 on which small factors end after 6 updates, and those from 5/2 on go round for ever.

    >>> overshooting_sample()[1].tolist()
    [1, 1, 0, 0]
    """
    X = np.array([[0, 0, -1, -1], [-1, -1, 1, -1], [-1, 1, 1, -1], [1, -1, 1, 1]])
    return as_integers(X), np.array([1, 1, 0, 0])


def hadamard_rows(exponent: int) -> Array:
    """The 2^r rows of Sylvester's Hadamard matrix, signs that are orthogonal to each other.

    >>> hadamard_rows(2).tolist()
    [[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]
    """
    H = np.ones((1, 1), dtype=np.int64)
    for _ in range(exponent):
        H = np.block([[H, H], [H, -H]])
    return H


def hadamard_sample(exponent: int) -> tuple[Exact, Labels]:
    """The rows of Sylvester's matrix, labelled by their last sign: one attribute decides, 2^r - 1 have no say.

    Source: a special case of the lower bound of Kivinen, Warmuth and Auer (1997).

    >>> X, y = hadamard_sample(1)
    >>> X.tolist(), y.tolist()
    ([[1, 1], [1, -1]], [0, 1])
    """
    H = hadamard_rows(exponent)
    return as_integers(H), (H[:, -1] < 0).astype(np.int64)


def majority_stream(
    rng: np.random.Generator, n_relevant: int, n_features: int, n_samples: int, *, block: int = 64
) -> Iterator[tuple[Floats, Labels]]:
    """Random signs, and the majority of the first ``n_relevant`` (an odd number) of them as label: 0 for +1.

    It comes in blocks of examples, so that a stream of many attributes never stands in memory as a whole.

    >>> blocks = list(majority_stream(np.random.default_rng(0), n_relevant=1, n_features=3, n_samples=100))
    >>> [X.shape for X, y in blocks], all(((X[:, 0] < 0) == y).all() for X, y in blocks)
    ([(64, 3), (36, 3)], True)
    """
    if n_relevant % 2 == 0 or not 0 < n_relevant <= n_features:
        raise ValueError(
            f"expected an odd number of relevant attributes up to {n_features}, got {n_relevant}: an even vote ties"
        )
    for begin in range(0, n_samples, block):
        shape = min(block, n_samples - begin), n_features
        bits = np.unpackbits(rng.integers(0, 256, (shape[0], -(-n_features // 8)), dtype=np.uint8), axis=1)
        X = np.ascontiguousarray(1.0 - 2.0 * bits[:, :n_features])
        yield X, (X[:, :n_relevant].sum(axis=1) < 0).astype(np.int64)
