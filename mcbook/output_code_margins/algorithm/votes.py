"""Votes and margins of loss-based decoding, example by example.

``F (n_samples, n_columns)`` answers f(x_i, s) between -1 and 1, floats or exact numbers, ``M (n_classes, n_columns)``
a code with entries -1, 0, +1, ``y (n_samples,)`` labels.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.foundation.checks import require_labels, require_signs
from mcbook.foundation.numbers import ball, is_exact
from mcbook.foundation.types import Array, Floats, Scalar
from mcbook.output_code_margins.theory.margin import soft_average


def soft_votes(F: Array, M: Array, eta: Scalar, *, skip_zeros: bool = False) -> Array:
    """nu(f, eta, x, r) = -(1 / eta) ln(1 / l sum_s exp(-eta M_rs f(x, s))), shape (n_samples, n_classes).

    The class with the largest vote is the one with the smallest exponential loss of eta f.  A zero entry counts as an
    answer of 0; with ``skip_zeros`` it is left out, and the mean is over the others.  Exact answers give balls.

    >>> soft_votes(np.array([[0.5, -0.5]]), [[1, 1], [1, -1]], eta=2.0).round(3)
    array([[-0.217,  0.5  ]])
    """
    F, M = _answers(F, M)
    votes = [-soft_average(-(F * row)[:, row != 0 if skip_zeros else ...], eta) for row in M]
    return np.stack(votes, axis=1)


def decoding_margins(F: Array, M: Array, y: Array, eta: Scalar, *, skip_zeros: bool = False) -> Array:
    """(nu(y) - max over r != y of nu(r)) / 2 for every example: positive where the label alone is decoded.

    Allwein, Schapire and Singer (2000), section 5.

    >>> decoding_margins(np.array([[1.0, 1.0], [1.0, -1.0]]), [[1, 1], [-1, -1]], [0, 0], 2.0).round(6).tolist()
    [1.0, 0.0]
    """
    votes = soft_votes(F, M, eta, skip_zeros=skip_zeros)
    labels = require_labels(y, len(M))
    own = votes[np.arange(len(votes)), labels]
    rivals = votes[np.arange(len(M)) != labels[:, None]].reshape(len(votes), -1)
    return (own - rivals.max(axis=1)) / 2


def share_of_margins(margins: Array, theta: Scalar) -> Fraction:
    """Pr_S[M <= theta], the share of examples whose margin is theta or less; a ball that reaches down to it counts.

    >>> share_of_margins([-0.5, 0.0, 0.25, 1.0], 0)
    Fraction(1, 2)
    """
    margins = np.asarray(margins)
    limit: Scalar = ball(Fraction(theta)) if margins.dtype == object and is_exact(theta) else theta  # type: ignore[arg-type]  # exact
    small = [not margin > limit for margin in margins.tolist()]
    return Fraction(sum(small), len(small))


def answers_of(rounds: Array, weights: Array) -> tuple[Array, Scalar]:
    """f = sum_t alpha_t h_t / eta and eta = sum_t alpha_t, for ``rounds (n_rounds, ...)`` of signs and alphas >= 0.

    >>> f, eta = answers_of(np.array([[[1, -1]], [[1, 1]]]), np.array([3, 1]))
    >>> f.tolist(), int(eta)
    ([[1.0, -0.5]], 4)
    """
    weights = np.asarray(weights)
    eta = weights.sum()
    if not eta > 0:
        raise ValueError("expected a round with a positive weight, got none: without one there is no vote")
    return np.asarray(np.tensordot(weights / eta, np.asarray(rounds), axes=1)), eta


def margins_by_round(rounds: Array, weights: Floats, M: Array, y: Array) -> Floats:
    """The margins after each round, shape (n_rounds, n_samples), from ``rounds (n_rounds, n_samples, n_columns)``.

    >>> rounds = np.array([[[1, -1]], [[1, 1]]])
    >>> margins_by_round(rounds, np.array([1.0, 1.0]), [[1, 1], [-1, -1]], [0]).round(4).tolist()
    [[0.0], [0.5]]
    """
    F = np.cumsum(np.asarray(rounds) * np.asarray(weights)[:, None, None], axis=0)
    etas = np.cumsum(weights)
    return np.array([decoding_margins(f / eta, M, y, eta) for f, eta in zip(F, etas, strict=True)])


def _answers(F: Array, M: Array) -> tuple[Array, Array]:
    F, M = np.asarray(F), require_signs(M, "entries of the code", zero=True)
    if F.ndim != 2 or M.ndim != 2 or F.shape[1] != M.shape[1]:
        raise ValueError(
            "expected answers (n_samples, n_columns) and a code (n_classes, n_columns) with as many columns, "
            f"got shapes {F.shape} and {M.shape}"
        )
    if any(value > 1 or value < -1 for value in (F.max(), F.min())):
        raise ValueError(f"expected answers between -1 and 1, got some from {F.min()} to {F.max()}: divide them by eta")
    return F, M
