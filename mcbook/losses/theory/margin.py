"""The margin loss of the margin bounds, and its average over a sample."""

from __future__ import annotations

import numpy as np

from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.checks import require_positive
from mcbook.foundation.types import Array, ArrayLike, Scalar, Values
from mcbook.losses.theory.catalogue import ramp


def margin_loss(u: Scalar | Array, rho: Scalar) -> Values:
    """Phi_rho(u) = min(1, max(0, 1 - u/rho)): 1 up to margin 0, 0 from margin rho on, straight in between.

    Source: Mohri et al. (2018), Definition 5.5.

    >>> from fractions import Fraction
    >>> margin_loss(Fraction(1, 2), 2)
    Fraction(3, 4)
    """
    return ramp(rho)(u)


def empirical_margin_loss(margins: Array, rho: Scalar) -> Values:
    """The mean of Phi_rho over the margins of a sample (last axis).

    Source: Mohri et al. (2018), (9.5) and (9.6).

    >>> float(empirical_margin_loss(np.array([-1.0, 0.5, 2.0, 3.0]), 1.0))
    0.375
    """
    return _mean(margin_loss(_margins(margins), rho))


def share_of_small_margins(margins: Array, rho: Scalar) -> Values:
    """The share of the margins (last axis) that are at most rho, exact when the margins are.

    Source: Mohri et al. (2018), (9.5) and (9.6).

    >>> float(share_of_small_margins(np.array([-1, 1, 2, 3]), 1))
    0.5
    """
    require_positive(rho, "rho", "choose the margin that is asked for")
    arithmetic, (margins, threshold) = arithmetic_of(_margins(margins), rho)
    return _mean(1 - arithmetic.step(margins - threshold))


def _mean(values: Array) -> Values:
    return values.sum(axis=-1) / values.shape[-1]


def _margins(margins: ArrayLike) -> Array:
    array = np.asarray(margins)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise ValueError(f"expected the margins of at least one example, got an array of shape {array.shape}")
    return array
