"""What a sample says of the next example: bounds by margins and by counting.

Balls of python-flint in, balls out, with the rounding of roots and logarithms inside.
"""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Rational

import numpy as np

from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.checks import require_at_least, require_nonnegative, require_share, require_whole
from mcbook.foundation.numbers import as_scalar, logarithm, quotient
from mcbook.foundation.types import Scalar, Values


def compression_bound(n_samples: int, n_used: int, delta: Scalar) -> Values:
    """(ln C(m, q) + ln(m / delta)) / (m - q): the risk of what q of m examples determine and the others agree with.

    ``n_used`` is q, the number of examples on which the Perceptron made an update.  A version of the margin bound of
    Roth's slides that is true.

    >>> round(float(compression_bound(1000, 20, 0.05)), 3)
    0.108
    """
    m = require_whole(n_samples, "n_samples", at_least=1)
    q = require_whole(n_used, "n_used", at_least=0)
    if q >= m:
        raise ValueError(f"expected fewer examples with updates than examples, got {q} of {m}: the bound needs others")
    require_share(delta, "delta", zero=False, one=False)
    # The number of subsets is beyond the range of floats.
    return _log(quotient(math.comb(m, q) * m, Fraction(delta) if isinstance(delta, float) else delta)) / (m - q)


def _log(value: Scalar) -> Values:
    if isinstance(value, Rational):
        return logarithm(value)
    arithmetic, (number,) = arithmetic_of(value)
    return as_scalar(arithmetic.log(number))


def _root(value: Scalar) -> Values:
    arithmetic, (number,) = arithmetic_of(value)
    return as_scalar(arithmetic.sqrt(number))


def risk_budget(mistake_bound: Scalar, delta: Scalar) -> float:
    """P > B with P - B - B ln(P / B) = ln(1 / delta): what the risks of all m hypotheses sum to, at most.

    Source: this book; the constants of the margin bound that Roth's slides (2018) leave open.

    >>> round(risk_budget(100, 0.05), 2)
    126.51
    """
    from scipy.special import lambertw

    B = float(require_nonnegative(mistake_bound, "mistake_bound"))
    L = -math.log(float(require_share(delta, "delta", zero=False, one=False)))
    return L if B == 0 else float(-B * lambertw(-np.exp(-1 - L / B), k=-1).real)


def risk_budget_limit(mistake_bound: Scalar, log_chance: Scalar) -> Values:
    """B + L + sqrt(L^2 + 2 B L) for B = R^2 / gamma^2 and L = ln(1 / delta), which is above the budget.

    Source: this book; the constants of the margin bound that Roth's slides (2018) leave open.

    >>> round(float(risk_budget_limit(100, 3)), 2)
    127.68
    """
    B, L = require_nonnegative(mistake_bound, "mistake_bound"), require_nonnegative(log_chance, "log_chance")
    return B + L + _root(L * L + 2 * B * L)


def log_growth_bound(n_samples: Scalar, n_classes: int, n_features: int) -> Values:
    """dk (1 + ln(mk / 2d)): at least the logarithm of how many labellings the argmax of linear scores makes.

    For mk >= 2d; below it is false.  With the exponential, (emk / 2d)^(dk).

    Source: Roth (2018), slide on the VC bound.

    >>> round(float(log_growth_bound(100, 3, 2)), 2)
    31.9
    """
    k, d = n_classes, n_features
    require_at_least(n_samples * k, 2 * d, "n_samples * n_classes", "below 2 n_features the bound is false")
    return d * k * (1 + _log(quotient(n_samples * k, 2 * d)))


def growth_risk_bound(training_error: Scalar, log_growth: Scalar, n_samples: int, log_chance: Scalar) -> Values:
    """error + sqrt(2 ln Pi / m) + sqrt(ln(1 / delta) / 2m): true for all classifiers of the family at once.

    Source: Roth (2018), slide on the VC bound.

    >>> round(float(growth_risk_bound(0.1, 30, 10_000, 3)), 3)
    0.19
    """
    require_share(training_error, "training_error")
    return training_error + _root(quotient(2 * log_growth, n_samples)) + _root(quotient(log_chance, 2 * n_samples))


def ranking_count_bound(n_samples: int, n_classes: int, n_features: int) -> int:
    """2 sum over i < (k - 1) d of [t^i] (1 + t)^(m - 1) prod_j (1 + jt)^m, j = 2 .. k - 1: tuples of rankings.

    Source: this book; sharper than the VC bound of Roth's slides (2018).

    >>> ranking_count_bound(3, 2, 2), ranking_count_bound(2, 3, 2)
    (6, 36)
    """
    m = require_whole(n_samples, "n_samples", at_least=1)
    k = require_whole(n_classes, "n_classes", at_least=2)
    d = require_whole(n_features, "n_features", at_least=1)
    polynomial = [1]
    for factor, times in [(1, m - 1), *((j, m) for j in range(2, k))]:
        for _ in range(times):
            shifted = [0, *(factor * c for c in polynomial)]
            polynomial = [a + b for a, b in zip([*polynomial, 0], shifted, strict=True)]
    return 2 * sum(polynomial[: (k - 1) * d])


def plane_ranking_count(n_samples: int) -> int:
    """2m (m^2 + 3m - 1): the tuples of rankings of three labels on m pairwise non-collinear points of the plane.

    Source: this book; sharper than the VC bound of Roth's slides (2018).

    >>> [plane_ranking_count(m) for m in (1, 2, 3, 4)]
    [6, 36, 102, 216]
    """
    m = n_samples
    return 2 * m * (m * m + 3 * m - 1)


def line_shattering_size(n_classes: int) -> int:
    """2 floor(k / 2): the most points of a line that affine scores of k classes shatter in Natarajan's sense.

    Source: this book; sharper than the VC bound of Roth's slides (2018), for the dimension of Natarajan (1989).

    >>> [line_shattering_size(k) for k in (2, 3, 4, 5)]
    [2, 2, 4, 4]
    """
    return 2 * (require_whole(n_classes, "n_classes", at_least=2) // 2)
