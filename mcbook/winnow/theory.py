"""Multiplicative updates: the divergence that an update gains, and the bounds on the number of mistakes.

The bounds take floats as well as exact numbers; where a logarithm is to be known with its rounding, give balls of
python-flint for all arguments.  Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)`` with labels
0 .. n_classes - 1, weights ``W (n_classes, n_features)``; U is a distribution on the entries of W, the weights that one
would like to have.
"""

from __future__ import annotations

from fractions import Fraction
from numbers import Rational

import numpy as np

from mcbook.foundation.checks import require_whole
from mcbook.foundation.numbers import logarithm, quotient
from mcbook.foundation.types import Array, Scalar, Values


def relative_entropy(U: Array, W: Array) -> Values:
    """sum_zj U_zj ln(U_zj / W_zj) of two distributions on the same entries, 0 ln 0 being 0.

    >>> round(relative_entropy([1, 0], [Fraction(1, 2), Fraction(1, 2)]), 6)
    0.693147
    """
    pairs = zip(np.ravel(U).tolist(), np.ravel(W).tolist(), strict=True)
    return sum(u * logarithm(quotient(u, w)) for u, w in pairs if u != 0)


def entropy_of_weights(U: Array) -> Values:
    """H(U) = -sum_zj U_zj ln U_zj: 0 for a distribution on one entry, the logarithm of their number for the uniform one.

    >>> round(float(entropy_of_weights(np.full((2, 2), 0.25))), 4)  # ln 4
    1.3863
    """
    return -sum(u * logarithm(u) for u in np.ravel(U).tolist() if u != 0)


def gain_of_an_update(gamma: Scalar) -> Values:
    """D(gamma) = ((1 + gamma) ln(1 + gamma) + (1 - gamma) ln(1 - gamma)) / 2, at least gamma^2 / 2, for 0 < gamma <= 1.

    Source: this book, by the method of Kivinen and Warmuth (1997).

    >>> round(gain_of_an_update(1), 6)
    0.693147
    """
    if not (gamma > 0 and gamma <= 1):
        raise ValueError(f"expected a margin 0 < gamma <= 1, got {gamma}: features in [-1, 1], and a U that separates")
    left = 0 if gamma == 1 else (1 - gamma) * logarithm(1 - gamma)
    return ((1 + gamma) * logarithm(1 + gamma) + left) / 2


def gain_with_factor(gamma: Scalar, factor: Scalar) -> Values:
    """eta gamma - ln cosh eta for factor = e^eta: what an update gains with any factor.

    It is largest, D(gamma), at factor = sqrt((1 + gamma) / (1 - gamma)).

    Source: this book, by the method of Kivinen and Warmuth (1997).

    >>> round(gain_with_factor(Fraction(3, 5), 2) - gain_of_an_update(Fraction(3, 5)), 12)
    0.0
    """
    mean = (factor + quotient(1, factor)) / 2
    return gamma * logarithm(factor) - logarithm(mean)


def winnow_bound(n_classes: Scalar, n_features: Scalar, gamma: Scalar, uncertainty: Scalar = 0) -> Values:
    """(ln(n_classes n_features) - H(U)) / D(gamma), the most updates of the multi-class Winnow with the best factor.

    ``uncertainty`` is H(U) in nats; leaving it at 0 gives the bound that needs no U.

    Source: this book, by the method of Kivinen and Warmuth (1997).

    >>> round(winnow_bound(2, 512, 1), 6)
    10.0
    """
    return quotient(logarithm(n_classes * n_features) - uncertainty, gain_of_an_update(gamma))


def disjunction_bound(n_relevant: Scalar, n_features: Scalar, threshold: Scalar, factor: Scalar) -> Values:
    """alpha s (log_alpha theta + 1) + d / theta for s of d attributes (Littlestone 1988, Theorem 7).

    >>> disjunction_bound(2, 1024, 1024, 2)
    45.0
    """
    levels = quotient(logarithm(threshold), logarithm(factor)) + 1
    return factor * n_relevant * levels + quotient(n_features, threshold)


def promotions_needed(threshold: int, factor: int) -> int:
    """ceil(log_alpha theta), the fewest doublings (alpha = 2) that take a weight from 1 to theta.

    >>> [promotions_needed(theta, 2) for theta in (1, 2, 3, 4, 5)]
    [0, 1, 2, 2, 3]
    """
    require_whole(threshold, "threshold", at_least=1)
    require_whole(factor, "factor", at_least=2)
    q = 0
    while factor**q < threshold:
        q += 1
    return q


def disjunction_worst_case(n_relevant: int, n_features: int, threshold: int, factor: int = 2) -> int:
    """s q + floor((d + s (alpha - 1)(theta - 1) q - s alpha^q) / theta), q = ceil(log_alpha theta).

    No run of Winnow with elimination makes more mistakes, and for alpha = 2, an even theta and enough attributes
    (`attributes_for_worst_case`) one makes as many.

    Source: this book; sharpens Littlestone (1988), Theorem 7.

    >>> disjunction_worst_case(1, 64, 16), disjunction_worst_case(3, 200, 16)
    (10, 32)
    """
    s, q = n_relevant, promotions_needed(threshold, factor)
    rest = n_features + s * (factor - 1) * (threshold - 1) * q - s * factor**q
    return s * q + rest // threshold


def attributes_for_worst_case(n_relevant: int, threshold: int) -> int:
    """s (q (theta - 1) - 2^q + 2): as many attributes attain the worst case of factor 2.

    Source: this book; sharpens Littlestone (1988), Theorem 7.

    >>> attributes_for_worst_case(2, 4)
    8
    """
    q = promotions_needed(threshold, 2)
    return n_relevant * (q * (threshold - 1) - 2**q + 2)


def exponentiated_gradient_step(W: Array, D: Array, factor: Scalar) -> Array:
    """The distribution proportional to W_zj factor^(D_zj): the V that minimises KL(V | W) - eta <V, D>, where factor = e^eta.

    Source: Kivinen and Warmuth (1997), section 3.

    >>> exponentiated_gradient_step(np.array([Fraction(1, 2), Fraction(1, 2)]), np.array([1, -1]), 2).tolist()
    [Fraction(4, 5), Fraction(1, 5)]
    """
    grown = np.asarray(W) * powers(D, factor)
    return np.array([quotient(w, grown.sum()) for w in grown.ravel()]).reshape(grown.shape)


def powers(D: Array, factor: Scalar) -> Array:
    """factor^D entry by entry; fractions where D holds whole numbers and the factor is rational.

    A power with a fraction as its exponent is seldom a fraction, so exact exponents have to be whole numbers.

    >>> powers(np.array([1, -1], dtype=object), 2).tolist()
    [Fraction(2, 1), Fraction(1, 2)]
    """
    D = np.asarray(D)
    if D.dtype.kind == "f":
        return np.asarray(float(factor) ** D)
    broken = [exponent for exponent in D.ravel().tolist() if exponent != int(exponent)]
    if broken:
        raise ValueError(
            f"expected whole numbers as features, because they are the exponents of the factor, got {broken[0]}: "
            "powers of the factor are then no fractions; give floats instead"
        )
    base = Fraction(factor) if isinstance(factor, Rational) else factor
    return np.frompyfunc(lambda exponent: base ** int(exponent), 1, 1)(D)
