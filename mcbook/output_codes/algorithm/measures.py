"""What is measured on a sample of outputs: average losses, shares of zeros, and errors with ties counted.

``F (n_samples, n_columns)`` outputs, ``y (n_samples,)`` labels, ``M (n_classes, n_columns)``.  Outputs of ints and
fractions (dtype object) are measured exactly if the loss is rational.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.foundation.checks import require_labels
from mcbook.foundation.numbers import rational
from mcbook.foundation.types import Array, Function, Scalar
from mcbook.output_codes.algorithm.decoding import find_decoder


def code_margins(F: Array, M: Array, y: Array) -> Array:
    """M(y_i, s) f_s(x_i): positive where a binary output is on the label's side, 0 where the column leaves it out.

    >>> code_margins([[0.5, -2.0, 1.0]], [[1, 1, 0], [-1, 1, 1]], [0]).tolist()
    [[0.5, -2.0, 0.0]]
    """
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
    return exact_mean(find_decoder(loss)(code_margins(F, M, y)))


def exact_mean(values: Array) -> Scalar:
    """The mean of losses, as a fraction where they are exact."""
    if not values.size:
        raise ValueError("expected at least one pair of example and column with a non-zero entry, got none")
    total = values.sum()
    return Fraction(total) / values.size if values.dtype == object else float(total / values.size)
