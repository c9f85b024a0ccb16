"""The bounds on the training error of output codes, as functions of their symbols.

They take floats, ints and fractions, and arrays of them; from exact numbers they make exact ones.  ``n_columns`` is the
length of the code, ``rho`` the smallest distance of two of its rows, ``at_zero`` the loss L(0) of no opinion.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.checks import (
    require_at_least,
    require_at_most,
    require_classes,
    require_nonnegative,
    require_positive,
    require_share,
)
from mcbook.foundation.numbers import as_fraction, as_scalar, quotient
from mcbook.foundation.types import Ball, Function, Scalar
from mcbook.output_codes.theory import standard_columns, standard_distance


def scaled_loss_bound(average_loss: Scalar, at_zero: Scalar) -> Scalar:
    """(average loss) / L(0): at least the share of margins that are not positive, if L >= L(0) > 0 there and L >= 0.

    >>> scaled_loss_bound(Fraction(1, 10), Fraction(1, 2))
    Fraction(1, 5)
    """
    require_nonnegative(average_loss, "average_loss", "use a loss that is nowhere negative")
    require_positive(at_zero, "L(0)", "a loss that costs nothing at 0 bounds no error")
    return quotient(average_loss, at_zero)


def code_factor(n_columns: Scalar, rho: Scalar) -> Scalar:
    """l / rho: what the code contributes to the bounds.

    >>> code_factor(6, Fraction(7, 2))
    Fraction(12, 7)
    """
    require_at_least(n_columns, 1, "n_columns")
    require_positive(rho, "rho", "two equal rows cannot be told apart")
    require_at_most(quotient(rho, n_columns), 1, "rho / n_columns", "rows differ once in each column")
    return quotient(n_columns, rho)


def loss_decoding_bound(average_loss: Scalar, n_columns: Scalar, rho: Scalar, at_zero: Scalar = 1) -> Scalar:
    """l eps / (rho L(0)), at least the training error of loss-based decoding, ties counted as errors.

    For codes with entries -1, 0 and 1 and rho > 0, and losses L >= 0 with (L(z) + L(-z)) / 2 >= L(0) > 0 for all z.
    Allwein, Schapire and Singer (2000), Theorem 1.

    >>> loss_decoding_bound(Fraction(1, 10), n_columns=4, rho=2)
    Fraction(1, 5)
    """
    return code_factor(n_columns, rho) * scaled_loss_bound(average_loss, at_zero)


def hamming_decoding_bound(average_loss: Scalar, n_columns: Scalar, rho: Scalar, at_zero: Scalar = 1) -> Scalar:
    """2 l eps / (rho L(0)), at least the training error of Hamming decoding, ties counted as errors.

    For losses with L >= 0 and L(z) >= L(0) > 0 for z < 0.  With the average of (1 - sign z) / 2 in place of the loss
    and 1 in place of L(0) it is the first, sharper form of the bound.  Allwein, Schapire and Singer (2000),
    Corollary 2.

    >>> hamming_decoding_bound(Fraction(1, 10), 7, 4)
    Fraction(7, 20)
    """
    return 2 * loss_decoding_bound(average_loss, n_columns, rho, at_zero)


def ignored_contribution(ignored: Scalar, n_columns: Scalar, rho: Scalar) -> Scalar:
    """(l / rho) q: what a share q of zero entries adds to the bounds, however good the binary learners are.

    >>> ignored_contribution(Fraction(1, 2), 6, Fraction(7, 2))
    Fraction(6, 7)
    """
    return code_factor(n_columns, rho) * require_share(ignored, "ignored")


def all_pairs_contribution(n_classes: int) -> Fraction:
    """That contribution for all pairs: 2 l / (l + 1) (1 - 2 / k) with l = k (k - 1) / 2.

    >>> all_pairs_contribution(4)
    Fraction(6, 7)
    """
    ignored = 1 - Fraction(2, require_classes(n_classes))
    n_columns, rho = standard_columns("all-pairs", n_classes), standard_distance("all-pairs", n_classes)
    return as_fraction(ignored_contribution(ignored, n_columns, rho))  # type: ignore[arg-type]  # of fractions one


def loss_bound_with_ignored(
    ignored: Scalar, restricted_loss: Scalar, n_columns: Scalar, rho: Scalar, at_zero: Scalar = 1
) -> Scalar:
    """(l / rho) (q + (1 - q) eps' / L(0)), eps' the average loss over non-zero entries: the loss bound written out.

    >>> loss_bound_with_ignored(Fraction(1, 2), Fraction(1, 10), 6, Fraction(7, 2))
    Fraction(33, 35)
    """
    paid = (1 - require_share(ignored, "ignored")) * scaled_loss_bound(restricted_loss, at_zero)
    return ignored_contribution(ignored, n_columns, rho) + code_factor(n_columns, rho) * paid


def hamming_bound_with_ignored(ignored: Scalar, restricted_error: Scalar, n_columns: Scalar, rho: Scalar) -> Scalar:
    """(l / rho) (q + 2 (1 - q) eps'), eps' the share of margins <= 0 over non-zero entries.

    >>> hamming_bound_with_ignored(Fraction(1, 2), Fraction(1, 10), 6, Fraction(7, 2))
    Fraction(36, 35)
    """
    return loss_bound_with_ignored(ignored, 2 * require_share(restricted_error, "restricted_error"), n_columns, rho)


def sharp_loss_decoding_bound(
    restricted_loss: Scalar, n_nonzero: Scalar, n_opposite: Scalar, at_zero: Scalar = 1
) -> Scalar:
    """(N / delta) eps' / L(0), for codes all of whose rows have N non-zero entries.

    ``n_opposite`` = delta >= 1 is the number of columns in which any two rows are opposite at least, eps' the average
    loss over non-zero entries.

    >>> sharp_loss_decoding_bound(Fraction(1, 10), 3, 1)
    Fraction(3, 10)
    """
    require_at_least(n_opposite, 1, "n_opposite", "no decoder tells apart rows that are nowhere opposite")
    require_at_most(quotient(n_opposite, n_nonzero), 1, "n_opposite / n_nonzero", "opposite entries are not zero")
    return quotient(n_nonzero, n_opposite) * scaled_loss_bound(restricted_loss, at_zero)


def random_factor_bound(n_columns: int, n_classes: int, delta: Scalar) -> Scalar:
    """2 / (1 - sqrt(2 ln(k (k - 1) / (2 delta)) / l)).

    l / rho of independent fair signs exceeds it with probability delta at most; infinite where the code is too short.
    A ball in the place of delta gives a ball that holds the value.

    >>> round(float(random_factor_bound(100, 10, 0.05)), 4)
    3.1688
    """
    require_share(delta, "delta", "choose how often it may fail", zero=False, one=False)
    pairs = math.comb(require_classes(n_classes), 2)
    arithmetic, (allowed,) = arithmetic_of(delta)
    shortfall = arithmetic.sqrt(2 * arithmetic.log(pairs / allowed) / n_columns)
    return as_scalar(2 / (1 - shortfall)) if shortfall < 1 else math.inf


def brownboost_potential(s: Scalar, c: Scalar) -> Function:
    """The loss z -> 1 - erf((z + s) / sqrt(c)), for s >= 0 and c > 0; for numbers, arrays, symbols and balls.

    >>> round(float(brownboost_potential(0.0, 1.0)(0.0)), 4), round(float(brownboost_potential(1.0, 4.0)(1.0)), 4)
    (1.0, 0.1573)
    """
    require_nonnegative(s, "s", "it is the time that is left")
    require_positive(c, "c", "it is how long the time was")
    return lambda z: _erf_complement(z, s, c)


def _erf_complement(z: Ball, s: Ball, c: Ball) -> Ball:
    modules = {type(value).__module__.split(".")[0] for value in (z, s, c)}
    if "sympy" in modules:
        import sympy

        return 1 - sympy.erf((z + s) / sympy.sqrt(c))
    if "flint" in modules:
        _, (z, s, c) = arithmetic_of(z, s, c)
        return 1 - ((z + s) / c.sqrt()).erf()
    from scipy.special import erfc

    return as_scalar(erfc((np.asarray(z, dtype=float) + float(s)) / math.sqrt(c)))
