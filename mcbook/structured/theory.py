"""How many labellings there are, what inference costs, and the losses of structured prediction as formulas.

``losses`` and ``gaps`` have one entry for each labelling z, that of the truth among them: the loss L(y, z), and
w . (Psi(x, y) - Psi(x, z)), by which the truth is ahead of z.  The formulas take floats, fractions, balls and symbols.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.numbers import as_scalar
from mcbook.foundation.types import Array, Scalar, Values


def number_of_labellings(n_labels: Scalar, length: Scalar) -> Scalar:
    """k^n labellings of n positions by k labels.

    >>> number_of_labellings(26, 8)
    208827064576
    """
    return n_labels**length  # type: ignore[operator]  # a Known takes whole exponents, as here


def number_of_constraints(n_samples: Scalar, n_labels: Scalar, length: Scalar) -> Scalar:
    """m (k^n - 1): a margin for each sequence and each wrong labelling of it.

    >>> number_of_constraints(5, 2, 3)
    35
    """
    return n_samples * (number_of_labellings(n_labels, length) - 1)


def inference_additions(n_labels: Scalar, length: Scalar) -> Scalar:
    """(n - 1) (k^2 + k): the additions of Viterbi's algorithm on a chain of n positions with k labels.

    >>> inference_additions(26, 8)
    4914
    """
    return (length - 1) * (n_labels**2 + n_labels)


def log_sum_exp(x: Array | Sequence[Scalar]) -> Scalar:
    """ln sum_j e^(x_j), between max x and max x + ln k.

    >>> round(float(log_sum_exp([0.0, 0.0])), 6)
    0.693147
    """
    arithmetic, entries = arithmetic_of(*np.ravel(np.asarray(x, dtype=object)).tolist())
    # Floats may overflow in the exponential, the other kinds do not.
    shift = max(entries) if isinstance(entries[0], np.ndarray) else 0
    return shift + arithmetic.log(sum(arithmetic.exp(entry - shift) for entry in entries))


def margin_rescaled(losses: Array | Sequence[Scalar], leads: Array | Sequence[Scalar]) -> Scalar:
    """max_z max(0, L(y, z) - lead_z), the loss of a max-margin Markov network, (9.22) in the book of Mohri et al.

    Every labelling must trail by its loss.  The truth, with loss and lead 0, may be among them or left out.

    >>> margin_rescaled([1, 2], [3, 1])
    Fraction(1, 1)
    """
    arithmetic, values = arithmetic_of(0, *_differences(losses, leads))
    return as_scalar(functools.reduce(arithmetic.maximum, values))


def softmax_margin(losses: Array | Sequence[Scalar], gaps: Array | Sequence[Scalar]) -> Scalar:
    """ln sum_z e^(L(y, z) - gap_z), (9.24) in the book of Mohri et al.; with losses 0 it is -ln p(y | x) of the CRF.

    >>> round(float(softmax_margin([0, 0], [0, 0])), 6)
    0.693147
    """
    return log_sum_exp(np.array(_differences(losses, gaps), dtype=object))


def softmax_margin_factor(largest_loss: Scalar) -> Scalar:
    """Lambda / ln(1 + e^Lambda): so many times the softmax-margin bounds a loss that is at most Lambda.

    >>> round(float(softmax_margin_factor(1)), 4)
    0.7615
    """
    arithmetic, (most,) = arithmetic_of(largest_loss)
    return most / arithmetic.log1pexp(most)


def _differences(losses: Values, gaps: Values) -> list[Scalar]:
    return [loss - gap for loss, gap in zip(np.ravel(losses).tolist(), np.ravel(gaps).tolist(), strict=True)]
