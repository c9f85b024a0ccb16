"""The soft average of a code's answers, how it changes with its parameter, and the bounds on small training margins.

Functions take floats, exact numbers and balls of python-flint, which carry their rounding.  ``n_columns`` is the length
l of the code, ``rho`` the smallest distance of two of its rows, ``eta`` the parameter of the average, ``theta`` the
margin that is asked for, ``errors`` the weighted errors of the rounds and ``edge`` what they stay below 1/2 by.

>>> round(float(nearest_eta(3.0, 0.1, 7)), 4)
2.7799
>>> from fractions import Fraction
>>> margin_shift_bound(Fraction(1, 3))
Fraction(1, 2)
>>> round(float(rounds_for_margin(1000, 7, 4, 0.3, 0.1)), 2)
48.54
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from mcbook.foundation.arithmetic import Arithmetic, arithmetic_of
from mcbook.foundation.checks import require_at_least, require_at_most, require_positive, require_share, require_whole
from mcbook.foundation.numbers import as_scalar, ball, is_exact, logarithm, quotient, square_root
from mcbook.foundation.types import Array, NumberKind, Scalar, Values
from mcbook.output_code_errors.theory import code_factor


def soft_average(z: Array, eta: Values) -> Values:
    """A(eta, z) = (1 / eta) ln(1 / l sum_s exp(eta z_s)) along the last axis: from the mean (eta -> 0) to the largest.

    Exact numbers are computed with as balls.

    >>> soft_average(np.array([1.0, -1.0]), 1e-9).round(6), soft_average(np.array([1.0, -1.0]), 1e6).round(6)
    (np.float64(0.0), np.float64(0.999999))
    """
    z = np.asarray(z)
    if z.dtype != object:
        require_positive(eta, "eta", "0 stands for the mean, infinity for the largest entry")
        largest = z.max(axis=-1, keepdims=True)
        # Not the exponentials themselves: they overflow for large eta, and lose what is left of 1 for small ones.
        lifted = np.log1p(np.expm1(eta * (z - largest)).mean(axis=-1)) / eta
        return np.minimum(largest[..., 0] + lifted, largest[..., 0])
    arithmetic, (eta,), z = _computable(z, eta)
    powers = np.frompyfunc(arithmetic.exp, 1, 1)(eta * z)
    mean = powers.sum(axis=-1) / z.shape[-1]
    return np.frompyfunc(arithmetic.log, 1, 1)(mean) / eta


def soft_average_slope(z: Array, eta: Scalar) -> Scalar:
    """dA / d eta = (ln l - H(p)) / eta^2 for one vector z, p_s in proportion to exp(eta z_s), H the entropy in nats.

    >>> round(float(soft_average_slope(np.array([0.0, 1.0]), 1.0)), 4)
    0.1109
    """
    arithmetic, (eta,), z = _computable(np.asarray(z, dtype=object), eta)
    powers = [arithmetic.exp(eta * value) for value in z.tolist()]
    shares = [power / sum(powers) for power in powers]
    entropy = -sum(share * arithmetic.log(share) for share in shares)
    return (arithmetic.log(eta * 0 + len(powers)) - entropy) / (eta * eta)


def _computable(z: Array, *values: Scalar) -> tuple[Arithmetic, tuple[Scalar, ...], Array]:
    """The arithmetic of the numbers, with exact ones as balls, which have exponentials."""
    given = [ball(value) if is_exact(value) else value for value in (*values, *z.ravel().tolist())]
    arithmetic, numbers = arithmetic_of(*given)
    entries = np.empty(z.size, dtype=object)
    entries[:] = numbers[len(values) :]
    return arithmetic, tuple(numbers[: len(values)]), entries.reshape(z.shape)


def soft_average_growth(smaller: Scalar, larger: Scalar, n_columns: Scalar) -> Scalar:
    """(1 / eta_1 - 1 / eta_2) ln l, at least A(eta_2, z) - A(eta_1, z) for eta_1 <= eta_2.

    Allwein, Schapire and Singer (2000), Lemma 4, (20).

    >>> round(float(soft_average_growth(1.0, 2.0, 7)), 4)
    0.973
    """
    require_positive(smaller, "the smaller eta")
    require_at_least(larger, smaller, "the larger eta")
    return (quotient(1, smaller) - quotient(1, larger)) * logarithm(n_columns)


def grid_size(theta: Scalar, n_columns: int) -> int:
    """I = ceil(ln l / (2 theta^2)): so many parameters stand for all of them, up to theta.

    >>> from fractions import Fraction
    >>> grid_size(Fraction(1, 10), 7)
    98
    """
    require_share(theta, "theta", "margins lie between -1 and 1", zero=False)
    require_whole(n_columns, "n_columns", at_least=2)
    if not is_exact(theta):
        return math.ceil(math.log(n_columns) / (2 * float(theta) ** 2))
    return int((ball(n_columns).log() / (2 * ball(theta) ** 2)).ceil().unique_fmpz())


def eta_grid(theta: Scalar, n_columns: int) -> list[Scalar]:
    """E_theta = {ln l / (i theta): i = 1, ..., I}, the largest first; balls for exact theta.

    >>> [round(eta, 3) for eta in eta_grid(0.5, 3)]
    [2.197, 1.099, 0.732]
    """
    size = grid_size(theta, n_columns)
    log = ball(n_columns).log() if is_exact(theta) else math.log(n_columns)
    return [log / (i * theta if not is_exact(theta) else ball(i * theta)) for i in range(1, size + 1)]


def nearest_eta(eta: Scalar, theta: Scalar, n_columns: int) -> Scalar:
    """The member of the grid that stands for eta: the largest that is not above it, or the smallest of all."""
    grid = eta_grid(theta, n_columns)
    eta = ball(eta) if is_exact(theta) and is_exact(eta) else eta
    return next((candidate for candidate in grid if candidate <= eta), grid[-1])


def margin_shift_bound(theta: Scalar) -> Scalar:
    """3 theta / 2, at least |M_(f, eta) - M_(g, eta')| where |f - g| <= theta and eta' stands for eta up to theta."""
    return quotient(3 * theta, 2)


def round_factor(error: Scalar, theta: Scalar = 0) -> Scalar:
    """2 sqrt(eps^(1 - theta) (1 - eps)^(1 + theta)), what a round of weighted error eps leaves of the bound.

    >>> round(float(round_factor(0.2)), 4)  # 2 sqrt(0.2 * 0.8)
    0.8
    """
    require_share(error, "error", "it is a weighted error", zero=False, one=False)
    if is_exact(theta) and theta == 0:
        return 2 * square_root(error * (1 - error))
    return 2 * _power(error, quotient(1 - theta, 2)) * _power(1 - error, quotient(1 + theta, 2))


def _power(base: Values, exponent: Values) -> Values:
    if is_exact(base, exponent):
        base, exponent = ball(base), ball(exponent)
    return base**exponent


def _times(a: Scalar, b: Scalar) -> Values:
    """The product, of an exact number and a ball too."""
    _, (left, right) = arithmetic_of(a, b)
    return as_scalar(left * right)


def training_margin_bound(errors: Iterable[Scalar], n_columns: Scalar, rho: Scalar, theta: Scalar = 0) -> Scalar:
    """(l / rho) prod_t 2 sqrt(eps_t^(1 - theta) (1 - eps_t)^(1 + theta)): at least the share of margins <= theta.

    Allwein, Schapire and Singer (2000), Theorem 6, for codes without zeros.

    >>> round(float(training_margin_bound([0.2, 0.2], 7, 4)), 4)
    1.12
    """
    return _times(code_factor(n_columns, rho), math.prod(round_factor(error, theta) for error in errors))


def training_margin_bound_with_zeros(
    errors: Iterable[Scalar], n_nonzero: Scalar, n_opposite: Scalar, theta: Scalar
) -> Scalar:
    """(N / delta) prod_t 2 sqrt(eps_t^(1 - theta) (1 - eps_t)^(1 + theta)), if every row has N non-zero entries.

    Any two rows are opposite in ``n_opposite`` = delta columns at least.

    >>> round(float(training_margin_bound_with_zeros([0.2, 0.2], 3, 1, 0)), 4)
    1.92
    """
    return training_margin_bound(errors, n_nonzero, _opposite(n_opposite), theta)


def mistake_bound_with_zeros(
    normaliser: NumberKind, faintest: NumberKind, n_nonzero: Scalar, n_opposite: Scalar
) -> NumberKind:
    """(N / delta) (prod_t Z_t - e^-eta) / (1 - e^-eta), at least the share of margins <= 0.

    ``normaliser`` = prod_t Z_t, ``faintest`` = e^-eta, the weight that a pair keeps if every round is right on it.

    >>> from fractions import Fraction
    >>> mistake_bound_with_zeros(Fraction(7, 16), Fraction(1, 7), 2, 1)
    Fraction(11, 16)
    """
    require_share(faintest, "faintest", "it is e^-eta for eta > 0", zero=False, one=False)
    require_at_least(normaliser, faintest, "normaliser", "no pair keeps less than e^-eta")
    factor = code_factor(n_nonzero, _opposite(n_opposite))
    return _times(factor, quotient(normaliser - faintest, 1 - faintest))


def _opposite(n_opposite: Scalar) -> Scalar:
    return require_at_least(n_opposite, 1, "n_opposite", "no decoder tells apart rows that are nowhere opposite")


def edge_factor(edge: Scalar, theta: Scalar) -> Scalar:
    """b = sqrt((1 - 2 gamma)^(1 - theta) (1 + 2 gamma)^(1 + theta)), a round's factor at the error 1/2 - gamma.

    >>> round(float(edge_factor(0.3, 0.0)), 4)  # 2 sqrt(0.2 * 0.8)
    0.8
    """
    _require_edge(edge)
    return _power(1 - 2 * edge, quotient(1 - theta, 2)) * _power(1 + 2 * edge, quotient(1 + theta, 2))


def edge_margin_bound(edge: Scalar, n_rounds: int, n_columns: Scalar, rho: Scalar, theta: Scalar) -> Scalar:
    """(l / rho) b^T, at least the share of margins <= theta after T rounds of edge gamma, for 0 <= theta <= 2 gamma.

    >>> round(float(edge_margin_bound(0.3, 20, 7, 4, 0.1)), 4)
    0.0807
    """
    require_at_least(theta, 0, "theta")
    require_at_most(theta, 2 * edge, "theta", "beyond twice the edge a larger edge makes the bound larger")
    kept = edge_factor(edge, theta) ** require_whole(n_rounds, "n_rounds", at_least=0)
    return _times(code_factor(n_columns, rho), kept)


def margin_threshold(edge: Scalar) -> Values:
    """theta*(gamma) = -ln(1 - 4 gamma^2) / ln((1 + 2 gamma) / (1 - 2 gamma)): up to here the training bound decays.

    >>> [round(float(margin_threshold(edge)), 4) for edge in (0.1, 0.25, 0.4)]
    [0.1007, 0.2619, 0.465]
    """
    _require_edge(edge)
    arithmetic, (edge,) = arithmetic_of(ball(edge) if is_exact(edge) else edge)
    return as_scalar(-arithmetic.log(1 - 4 * edge * edge) / arithmetic.log((1 + 2 * edge) / (1 - 2 * edge)))


def rounds_for_margin(n_samples: Scalar, n_columns: Scalar, rho: Scalar, edge: Scalar, theta: Scalar) -> Scalar:
    """ln(m l / rho) / ln(1 / b): after more rounds of this edge no margin of m examples is theta or less.

    For 0 <= theta < theta*(gamma).
    """
    require_at_least(n_samples, 1, "n_samples")
    factor = edge_factor(edge, theta)
    if not factor < 1:
        raise ValueError(
            f"expected theta below theta*(gamma) = {float(margin_threshold(edge)):.4g}, got {float(theta):.4g}: "
            "from there on the bound does not decay"
        )
    total = n_samples * code_factor(n_columns, rho)
    return logarithm(total if isinstance(factor, float) or not is_exact(total) else ball(total)) / -logarithm(factor)


def _require_edge(edge: Scalar) -> None:
    require_positive(edge, "edge", "a base learner without an edge cannot be boosted")
    require_positive(1 - 2 * edge, "1 - 2 edge", "an edge of 1/2 leaves no errors, and one round is enough")
