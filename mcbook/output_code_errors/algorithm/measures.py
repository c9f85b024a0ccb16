"""What the bounds are compared with: errors with ties counted, losses where an entry is not 0, shares of zeros.

``F (n_samples, n_columns)`` outputs, ``y (n_samples,)`` labels, ``M (n_classes, n_columns)``.  Outputs of ints and
fractions (dtype object) are measured exactly if the loss is rational.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.foundation.checks import require_labels
from mcbook.foundation.types import Array, Booleans, Function, Scalar
from mcbook.foundation.vocabulary import MARKED
from mcbook.output_codes.algorithm.decoding import decode, find_decoder
from mcbook.output_codes.algorithm.measures import code_margins, exact_mean


def restricted_loss(F: Array, M: Array, y: Array, loss: str | Function) -> Scalar:
    """eps', the same average over the pairs of example and column whose entry is not 0.

    >>> restricted_loss(np.array([[0.5, -2.0]]), [[1, 0], [-1, 1]], [0], "hinge")
    0.5
    """
    return exact_mean(find_decoder(loss)(code_margins(F, M, y)[_asked(M, y)]))


def restricted_error(F: Array, M: Array, y: Array) -> Fraction:
    """The share of margins that are not positive among the pairs whose entry is not 0.

    >>> restricted_error(np.array([[0.5, -2.0], [0.5, -2.0]]), [[1, 0], [-1, 1]], [0, 1])
    Fraction(2, 3)
    """
    wrong = code_margins(F, M, y)[_asked(M, y)] <= 0
    return Fraction(int(wrong.sum()), wrong.size)


def ignored_share(M: Array, y: Array) -> Fraction:
    """q, the share of pairs of example and column whose entry is 0.

    >>> ignored_share([[1, 0], [-1, 1]], [0, 1])
    Fraction(1, 4)
    """
    asked = _asked(M, y)
    return Fraction(int((~asked).sum()), asked.size)


def training_error(F: Array, M: Array, y: Array, loss: str | Function = "hamming") -> Fraction:
    """The share of examples whose label is not decoded, a tie with another class counted as an error.

    The second example ties, which counts as an error:

    >>> str(training_error(np.array([[2.0, 1.0], [1.0, 0.0]]), [[1, 1], [1, -1]], [0, 0]))
    '1/2'
    """
    labels = decode(F, M, loss, ties="mark")
    wrong = (labels == MARKED) | (labels != require_labels(y, len(M)))
    return Fraction(int(wrong.sum()), wrong.size)


def opposite_columns(M: Array) -> int:
    """delta, the least number of columns in which two rows have opposite signs.

    >>> opposite_columns([[1, 1, 0], [-1, 0, 1], [0, -1, -1]])
    1
    """
    signs = np.sign(np.asarray(M)).astype(np.int64)
    products = signs[:, None, :] * signs[None, :, :]
    return int((products < 0).sum(axis=2)[np.triu_indices(len(signs), 1)].min())


def equal_nonzeros(M: Array) -> int:
    """N, the number of non-zero entries that every row has.

    >>> equal_nonzeros([[1, 1, 0], [-1, 0, 1], [0, -1, -1]])
    2
    """
    counts = (np.asarray(M) != 0).sum(axis=1)
    if len(set(counts.tolist())) != 1:
        raise ValueError(
            f"expected rows with equally many non-zero entries, got {counts.tolist()}: "
            "without that the sharper bound is false, use loss_decoding_bound"
        )
    return int(counts[0])


def _asked(M: Array, y: Array) -> Booleans:
    return np.asarray(np.asarray(M)[require_labels(y, len(M))] != 0)
