"""What large margins on the sample say of new examples: covers, the bound that they give, and one without them.

Functions take floats, exact numbers and balls of python-flint.  ``dimension`` is the VC-dimension d of the base class
on pairs of an input and a column.

>>> round(float(sloppy_cover_tail(100.0, 0.1, 10**4)), 6)
0.000745
>>> round(float(printed_cover_tail(100.0, 0.1, 10**5)), 12)
3e-12
>>> round(float(cover_sloppiness(0.5, 7, 100)), 6)
5.2e-05
>>> round(float(cover_size(0.5, 2, 10, 1, 1)), 2)
108.73
"""

from __future__ import annotations

from collections.abc import Callable

from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.checks import require_at_least, require_share, require_whole
from mcbook.foundation.numbers import ball, is_exact, logarithm, quotient, square_root
from mcbook.foundation.types import Scalar
from mcbook.output_code_margins.theory.margin import grid_size
from mcbook.rademacher.theory.bounds import confidence_term, sauer_power_bound


def sloppy_cover_tail(cover_size: Scalar, epsilon: Scalar, n_samples: Scalar) -> Scalar:
    """2 N exp(-eps^2 m / 8): with at most this probability some F has Pr_D[F <= 0] > Pr_S[F <= theta] + eps.

    ``cover_size`` is the largest size needed for an eps/8-sloppy theta/2-cover on 2m points.
    """
    return 2 * require_at_least(cover_size, 1, "cover_size") * _exp(quotient(-epsilon * epsilon * n_samples, 8))


def printed_cover_tail(cover_size: Scalar, epsilon: Scalar, n_samples: Scalar) -> Scalar:
    """N exp(-eps^2 m / 32), at least the same probability, as Schapire, Freund, Bartlett and Lee (1998) state it."""
    return require_at_least(cover_size, 1, "cover_size") * _exp(quotient(-epsilon * epsilon * n_samples, 32))


def cover_sloppiness(theta: Scalar, n_columns: Scalar, n_sampled: Scalar) -> Scalar:
    """2 l exp(-N theta^2 / 2), the share of points that an average of N hypotheses may miss by more than 2 theta."""
    require_at_least(n_sampled, 1, "n_sampled")
    return 2 * n_columns * _exp(quotient(-n_sampled * theta * theta, 2))


def cover_size(
    theta: Scalar, n_columns: int, n_samples: Scalar, dimension: int, n_sampled: int, e: Scalar | None = None
) -> Scalar:
    """|E_theta| (e l m / d)^(d N), at least the number of margins of averages of N hypotheses on m points."""
    require_whole(n_sampled, "n_sampled", at_least=1)
    euler = ball(1).exp() if e is None else e
    return grid_size(theta, n_columns) * sauer_power_bound(n_columns * n_samples, dimension, euler) ** n_sampled


def code_margin_excess(n_samples: Scalar, n_columns: Scalar, dimension: Scalar, theta: Scalar, delta: Scalar) -> Scalar:
    """sqrt((8 / m) [ln(9 ln l / (delta theta^2)) + (9 d / theta^2) ln(2 e l m / d) ln(e l^2 m / d)]).

    With probability 1 - delta no risk Pr_D[M <= 0] exceeds Pr_S[M <= theta] by more than this.

    >>> round(float(code_margin_excess(10**8, 7, 5, 0.5, 0.05)), 4)
    0.0799
    """
    confidence, capacity = _two_parts(n_samples, n_columns, dimension, theta, delta, 9)
    return square_root(8 * (confidence + 9 * capacity) / n_samples)


def source_margin_excess(
    n_samples: Scalar, n_columns: Scalar, dimension: Scalar, theta: Scalar, delta: Scalar
) -> Scalar:
    """16 sqrt(ln(16 ln l / (delta theta^2)) / (8 m) + (2 d / (m theta^2)) ln(2 e l m / d) ln(e l^2 m / d)).

    The excess with the constants of the proof of Allwein, Schapire and Singer (2000), Theorem 3.

    >>> round(float(source_margin_excess(10**8, 7, 5, 0.5, 0.05)), 4)
    0.2132
    """
    confidence, capacity = _two_parts(n_samples, n_columns, dimension, theta, delta, 16)
    return 16 * square_root((confidence / 8 + 2 * capacity) / n_samples)


def _two_parts(
    n_samples: Scalar, n_columns: Scalar, dimension: Scalar, theta: Scalar, delta: Scalar, scale: int
) -> tuple[Scalar, Scalar]:
    """ln(scale ln l / (delta theta^2)) and (d / theta^2) ln(2 e l m / d) ln(e l^2 m / d)."""
    n_samples, n_columns, dimension, theta, delta = _known(n_samples, n_columns, dimension, theta, delta)
    _require_setting(n_samples, n_columns, dimension, theta)
    require_share(delta, "delta", "it is the probability with which the bound may fail", zero=False, one=False)
    points = n_columns * n_samples / dimension
    confidence = logarithm(scale * logarithm(n_columns) / (delta * theta * theta))
    logs = (logarithm(2 * points) + 1) * (logarithm(n_columns * points) + 1)
    return confidence, dimension * logs / (theta * theta)


def excess_order(n_samples: Scalar, n_columns: Scalar, dimension: Scalar, theta: Scalar, delta: Scalar) -> Scalar:
    """sqrt((d ln(l m / d)^2 / theta^2 + ln(1 / delta)) / m), the order of the excess as the source prints it.

    >>> round(float(excess_order(10**8, 7, 5, 0.5, 0.05)), 4)
    0.0084
    """
    n_samples, n_columns, dimension, theta, delta = _known(n_samples, n_columns, dimension, theta, delta)
    _require_setting(n_samples, n_columns, dimension, theta)
    log = logarithm(n_columns * n_samples / dimension)
    return square_root((dimension * log * log / (theta * theta) - logarithm(delta)) / n_samples)


def contraction_margin_excess(
    n_samples: Scalar, n_columns: int, dimension: Scalar, theta: Scalar, delta: Scalar, share: Scalar
) -> Scalar:
    """4 / ((1 - c) theta) sqrt(l d ln(e l m / d) / m) + sqrt(ln(ceil(ln l / (2 c^2 theta^2)) / delta) / (2 m)).

    The excess of the theorem by Rademacher complexity; ``share`` = c, 0 < c < 1, divides theta between the slope of the
    margin loss and the grid of eta.

    >>> round(float(contraction_margin_excess(10**8, 7, 5, 0.5, 0.05, 0.5)), 4)
    0.0422
    """
    require_share(share, "share", "it divides theta in two", zero=False, one=False)
    size = grid_size(share * theta, n_columns)
    return _complexity_part(n_samples, n_columns, dimension, theta, share) + confidence_term(
        _quotient_of(delta, size), n_samples
    )


def fixed_eta_margin_excess(
    n_samples: Scalar, n_columns: int, dimension: Scalar, theta: Scalar, delta: Scalar
) -> Scalar:
    """4 / theta sqrt(l d ln(e l m / d) / m) + sqrt(ln(1 / delta) / (2 m)), for one fixed eta; here l may be 1.

    >>> round(float(fixed_eta_margin_excess(10**8, 7, 5, 0.5, 0.05)), 4)
    0.0212
    """
    return _complexity_part(n_samples, n_columns, dimension, theta, 0) + confidence_term(_known(delta)[0], n_samples)


def _complexity_part(n_samples: Scalar, n_columns: Scalar, dimension: Scalar, theta: Scalar, share: Scalar) -> Scalar:
    n_samples, n_columns, dimension, theta, share = _known(n_samples, n_columns, dimension, theta, share)
    _require_setting(n_samples, n_columns, dimension, theta, least_columns=1)
    log = logarithm(n_columns * n_samples / dimension) + 1
    return 4 / ((1 - share) * theta) * square_root(n_columns * dimension * log / n_samples)


def _quotient_of(delta: Scalar, size: int) -> Scalar:
    return _known(delta)[0] / size


def first_informative_size(excess: Callable[[int], Scalar], *, least: int = 1, most: int = 2**60) -> int:
    """The smallest number of examples from ``least`` on at which a falling excess, as a function of it, is below 1.

    >>> first_informative_size(lambda m: 10 / m)
    11
    """
    low, high = least, least
    while not excess(high) < 1:
        if high >= most:
            raise ValueError(f"expected an excess that falls below 1, got none up to {most} examples")
        low, high = high + 1, min(2 * high, most)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if excess(middle) < 1 else (middle + 1, high)
    return low


def _require_setting(
    n_samples: Scalar, n_columns: Scalar, dimension: Scalar, theta: Scalar, least_columns: int = 2
) -> None:
    require_at_least(n_columns, least_columns, "n_columns", "ln l has to be positive")
    require_at_least(dimension, 1, "dimension")
    require_at_least(n_columns * n_samples, dimension, "n_columns * n_samples", "there have to be d points at least")
    require_share(theta, "theta", "margins lie between -1 and 1", zero=False)


def _known(*values: Scalar) -> tuple[Scalar, ...]:
    """Exact numbers as balls, which keep track of rounding; with a float among them, floats."""
    if any(isinstance(value, float) for value in values):
        return tuple(float(value) for value in values)
    return tuple(ball(value) if is_exact(value) else value for value in values)


def _exp(exponent: Scalar) -> Scalar:
    arithmetic, (number,) = arithmetic_of(ball(exponent) if is_exact(exponent) else exponent)
    return arithmetic.exp(number)


def memorised_share(n_atoms: int, n_samples: int) -> Scalar:
    """(1 - 1/n)^m, the mean share of n equally likely atoms that a sample of m does not contain.

    >>> memorised_share(4, 2)
    Fraction(9, 16)
    """
    require_whole(n_atoms, "n_atoms", at_least=1)
    return (1 - quotient(1, n_atoms)) ** require_whole(n_samples, "n_samples", at_least=0)
