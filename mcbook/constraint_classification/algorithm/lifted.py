"""The construction's side: the same learners on the lifted vectors, in k d dimensions, as the text books write them.

They exist to be compared with; nothing that has to be fast calls them.

Shapes: ``vectors (n_pairs, n_classes * n_features)``, weights ``(n_classes * n_features,)``, a multiplier for each
pair.
"""

from __future__ import annotations

import numpy as np

from mcbook.foundation.numbers import quotient
from mcbook.foundation.types import Array, Integers, Scalar
from mcbook.perceptron import binary_perceptron


def lifted_perceptron(vectors: Array, max_epochs: int = 1000) -> tuple[Array, list[int]]:
    """Rosenblatt's Perceptron on lifted vectors that all are positive: the weights, and the vectors it added.

    Source: Roth (2018), Kesler Perceptron and conservative update.

    >>> w, added = lifted_perceptron(np.array([[1, 0, -1, 0], [0, -1, 0, 1]]))
    >>> w.tolist(), added
    ([1.0, -1.0, -1.0, 1.0], [0, 1])
    """
    run = binary_perceptron(vectors, np.ones(len(vectors), dtype=int), max_epochs=max_epochs)
    return run.w, run.updates


def lifted_winnow(vectors: Array, base: Scalar, max_epochs: int = 1000) -> tuple[Array, Array, Integers]:
    """Balanced Winnow with threshold 0 on lifted vectors that all are positive: both weights, and its mistakes.

    Exact for whole vectors and a ``base`` that is a fraction.

    >>> from fractions import Fraction
    >>> above, below, mistakes = lifted_winnow(np.array([[1, -1]], dtype=object), Fraction(2))
    >>> [str(w) for w in above], [str(w) for w in below], mistakes.tolist()
    (['2', '1/2'], ['1/2', '2'], [0])
    """
    above, below = (np.array([base / base] * vectors.shape[1], dtype=vectors.dtype) for _ in range(2))
    mistakes: list[int] = []
    for _ in range(max_epochs):
        before = len(mistakes)
        for p, v in enumerate(vectors):
            if (above - below) @ v <= 0:
                factors = np.array([base**entry for entry in v], dtype=vectors.dtype)
                above, below = above * factors, below / factors
                mistakes.append(p)
        if len(mistakes) == before:
            break
    return above, below, np.array(mistakes, dtype=np.int64)


def lifted_ascent(vectors: Array, C: Scalar, n_epochs: int) -> tuple[Array, Array]:
    """Dual coordinate ascent of the binary SVM on lifted vectors that all are positive: weights, multipliers.

    >>> w, alpha = lifted_ascent(np.array([[1.0, -1.0]]), C=1.0, n_epochs=1)
    >>> w.tolist(), alpha.tolist()
    ([0.5, -0.5], [0.5])
    """
    w, alpha = 0 * vectors[0], np.array([0 * C] * len(vectors), dtype=vectors.dtype)
    for _ in range(n_epochs):
        for p, v in enumerate(vectors):
            square = v @ v
            if square:
                wanted = alpha[p] + quotient(1 - w @ v, square)
                move = min(max(wanted, 0), C) - alpha[p]
                alpha[p] += move
                w = w + move * v
    return w, alpha
