"""What is measured on a sample of outputs: average losses, shares of zeros, and errors with ties counted.

``F (n_samples, n_columns)`` outputs, ``y (n_samples,)`` labels, ``M (n_classes, n_columns)``.  Outputs of ints and
fractions (dtype object) are measured exactly if the loss is rational.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.foundation.checks import require_labels
from mcbook.foundation.numbers import rational
from mcbook.foundation.types import Array, Booleans, Function, Scalar
from mcbook.foundation.vocabulary import MARKED
from mcbook.output_codes.algorithm.decoding import decode, find_decoder


def code_margins(F: Array, M: Array, y: Array) -> Array:
    """M(y_i, s) f_s(x_i): positive where a binary output is on the label's side, 0 where the column leaves it out."""
    F, entries = np.asarray(F), np.asarray(M)[require_labels(y, len(M))]
    if F.shape != entries.shape:
        raise ValueError(
            f"expected an output for each example and column, shape {entries.shape}, got {F.shape}: "
            "the code has one column for each binary problem"
        )
    return rational(F) * entries if F.dtype == object else F * entries


def average_loss(F: Array, M: Array, y: Array, loss: str | Function) -> Scalar:
    """eps = 1/(m l) sum_i sum_s L(M(y_i, s) f_s(x_i)), a zero entry costing L(0).

    Allwein, Schapire and Singer (2000), (3).

    >>> average_loss([[0.5, -2.0]], [[1, 1], [-1, 1]], [0], "hinge")
    1.75
    """
    return _mean(find_decoder(loss)(code_margins(F, M, y)))


def restricted_loss(F: Array, M: Array, y: Array, loss: str | Function) -> Scalar:
    """eps', the same average over the pairs of example and column whose entry is not 0."""
    return _mean(find_decoder(loss)(code_margins(F, M, y)[_asked(M, y)]))


def restricted_error(F: Array, M: Array, y: Array) -> Fraction:
    """The share of margins that are not positive among the pairs whose entry is not 0."""
    wrong = code_margins(F, M, y)[_asked(M, y)] <= 0
    return Fraction(int(wrong.sum()), wrong.size)


def ignored_share(M: Array, y: Array) -> Fraction:
    """q, the share of pairs of example and column whose entry is 0."""
    asked = _asked(M, y)
    return Fraction(int((~asked).sum()), asked.size)


def training_error(F: Array, M: Array, y: Array, loss: str | Function = "hamming") -> Fraction:
    """The share of examples whose label is not decoded, a tie with another class counted as an error."""
    labels = decode(F, M, loss, ties="mark")
    wrong = (labels == MARKED) | (labels != np.asarray(y))
    return Fraction(int(wrong.sum()), wrong.size)


def opposite_columns(M: Array) -> int:
    """delta, the least number of columns in which two rows have opposite signs."""
    signs = np.sign(np.asarray(M)).astype(np.int64)
    products = signs[:, None, :] * signs[None, :, :]
    return int((products < 0).sum(axis=2)[np.triu_indices(len(signs), 1)].min())


def equal_nonzeros(M: Array) -> int:
    """N, the number of non-zero entries that every row has."""
    counts = (np.asarray(M) != 0).sum(axis=1)
    if len(set(counts.tolist())) != 1:
        raise ValueError(
            f"expected rows with equally many non-zero entries, got {counts.tolist()}: "
            "without that the sharper bound is false, use loss_decoding_bound"
        )
    return int(counts[0])


def _asked(M: Array, y: Array) -> Booleans:
    return np.asarray(np.asarray(M)[require_labels(y, len(M))] != 0)


def _mean(values: Array) -> Scalar:
    if not values.size:
        raise ValueError("expected at least one pair of example and column with a non-zero entry, got none")
    total = values.sum()
    return Fraction(total) / values.size if values.dtype == object else float(total / values.size)
