"""The bounds of the chapter on output codes, as functions of their symbols.

They take floats, ints and fractions, and arrays of them; from exact numbers they make exact ones.  ``n_columns`` is the
length of the code, ``rho`` the smallest distance of two of its rows, ``at_zero`` the loss L(0) of no opinion.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.numbers import as_scalar
from mcbook.perceptron.theory import ratio


def scaled_loss_bound(average_loss: Any, at_zero: Any) -> Any:
    """(average loss) / L(0): at least the share of margins that are not positive, if L >= L(0) > 0 there and L >= 0."""
    _expect(average_loss, lambda e: e >= 0, "an average loss >= 0", "use a loss that is nowhere negative")
    _expect(at_zero, lambda a: a > 0, "a loss L(0) > 0", "a loss that costs nothing at 0 bounds no error")
    return ratio(average_loss, at_zero)


def code_factor(n_columns: Any, rho: Any) -> Any:
    """l / rho: what the code contributes to the bounds."""
    _expect(n_columns, lambda n: n >= 1, "at least 1 column", "give the code's number of columns")
    _expect(rho, lambda r: r > 0, "a distance rho > 0", "two equal rows cannot be told apart")
    _expect(ratio(rho, n_columns), lambda s: s <= 1, "a distance rho <= n_columns", "rows differ once in each column")
    return ratio(n_columns, rho)


def loss_decoding_bound(average_loss: Any, n_columns: Any, rho: Any, at_zero: Any = 1) -> Any:
    """l eps / (rho L(0)), at least the training error of loss-based decoding, ties counted as errors.

    For losses with (L(z) + L(-z)) / 2 >= L(0) > 0 and L >= 0.
    """
    return code_factor(n_columns, rho) * scaled_loss_bound(average_loss, at_zero)


def hamming_decoding_bound(average_loss: Any, n_columns: Any, rho: Any, at_zero: Any = 1) -> Any:
    """2 l eps / (rho L(0)), at least the training error of Hamming decoding, ties counted as errors.

    For losses with L >= 0 and L(z) >= L(0) > 0 for z < 0.  With the average of (1 - sign z) / 2 in place of the loss
    and 1 in place of L(0) it is the first, sharper form of the bound.
    """
    return 2 * loss_decoding_bound(average_loss, n_columns, rho, at_zero)


def ignored_contribution(ignored: Any, n_columns: Any, rho: Any) -> Any:
    """(l / rho) q: what a share q of zero entries adds to the bounds, however good the binary learners are."""
    return code_factor(n_columns, rho) * _share(ignored)


def all_pairs_contribution(n_classes: int) -> Fraction:
    """That contribution for all pairs: 2 l / (l + 1) (1 - 2 / k) with l = k (k - 1) / 2."""
    ignored = 1 - Fraction(2, _classes(n_classes))
    return Fraction(
        ignored_contribution(
            ignored, standard_columns("all-pairs", n_classes), standard_distance("all-pairs", n_classes)
        )
    )


def loss_bound_with_ignored(ignored: Any, restricted_loss: Any, n_columns: Any, rho: Any, at_zero: Any = 1) -> Any:
    """(l / rho) (q + (1 - q) eps' / L(0)), eps' the average loss over non-zero entries: the loss bound written out."""
    paid = (1 - _share(ignored)) * scaled_loss_bound(restricted_loss, at_zero)
    return ignored_contribution(ignored, n_columns, rho) + code_factor(n_columns, rho) * paid


def hamming_bound_with_ignored(ignored: Any, restricted_error: Any, n_columns: Any, rho: Any) -> Any:
    """(l / rho) (q + 2 (1 - q) eps'), eps' the share of margins <= 0 over non-zero entries."""
    return loss_bound_with_ignored(ignored, 2 * _share(restricted_error), n_columns, rho)


def sharp_loss_decoding_bound(restricted_loss: Any, n_nonzero: Any, n_opposite: Any, at_zero: Any = 1) -> Any:
    """(N / delta) eps' / L(0), for codes all of whose rows have N non-zero entries.

    ``n_opposite`` = delta >= 1 is the number of columns in which any two rows are opposite at least, eps' the average
    loss over non-zero entries.
    """
    _expect(n_opposite, lambda d: d >= 1, "rows that are opposite in at least 1 column", "no decoder tells them apart")
    _expect(ratio(n_opposite, n_nonzero), lambda s: s <= 1, "n_opposite <= n_nonzero", "opposite entries are not zero")
    return ratio(n_nonzero, n_opposite) * scaled_loss_bound(restricted_loss, at_zero)


def plotkin_bound(n_columns: Any, n_classes: Any) -> Any:
    """(l / 2) k / (k - 1): no code with entries -1, 0, +1 has a larger minimal distance."""
    _expect(n_classes, lambda k: k >= 2, "at least 2 classes", "a distance needs two rows")
    return ratio(n_columns * n_classes, 2 * (n_classes - 1))


def random_factor_bound(n_columns: int, n_classes: int, delta: float) -> float:
    """2 / (1 - sqrt(2 ln(k (k - 1) / (2 delta)) / l)).

    l / rho of independent fair signs exceeds it with probability delta at most; infinite where the code is too short.
    """
    _expect(delta, lambda d: 0 < d < 1, "a probability 0 < delta < 1", "choose how often it may fail")
    pairs = math.comb(_classes(n_classes), 2)
    shortfall = math.sqrt(2 * math.log(pairs / delta) / n_columns)
    return 2 / (1 - shortfall) if shortfall < 1 else math.inf


def standard_columns(code: str, n_classes: int) -> int:
    """The number of columns of a standard code: k, k (k - 1) / 2 or 2^(k-1) - 1."""
    return _standard(code)[0](_classes(n_classes))


def standard_distance(code: str, n_classes: int) -> Fraction:
    """The minimal distance of a standard code: 2, (l - 1) / 2 + 1 or (l + 1) / 2."""
    return _standard(code)[1](standard_columns(code, n_classes))


_STANDARD: dict[str, tuple[Callable[[int], int], Callable[[int], Fraction]]] = {
    "one-vs-rest": (lambda k: k, lambda n_columns: Fraction(2)),
    "all-pairs": (lambda k: math.comb(k, 2), lambda n_columns: Fraction(n_columns - 1, 2) + 1),
    "complete": (lambda k: dichotomies(k), lambda n_columns: Fraction(n_columns + 1, 2)),
}


def _standard(code: str) -> tuple[Callable[[int], int], Callable[[int], Fraction]]:
    if code not in _STANDARD:
        raise ValueError(f"expected one of {', '.join(map(repr, _STANDARD))}, got {code!r}")
    return _STANDARD[code]


def correction_radius(distance: int) -> int:
    """floor((d - 1) / 2): so many wrong signs do no harm to a code of signs whose rows differ in d places or more."""
    if distance != int(distance) or distance < 1:
        raise ValueError(f"expected a whole distance d >= 1, got {distance}: zeros in a code give halves")
    return (int(distance) - 1) // 2


def least_columns(n_classes: int) -> int:
    """ceil(log2 k): with fewer columns of signs two of the rows are equal."""
    return (_classes(n_classes) - 1).bit_length()


def dichotomies(n_classes: int) -> int:
    """2^(k-1) - 1: the ways to split k classes into two sides, neither of them empty."""
    return 2 ** (_classes(n_classes) - 1) - 1


def separable_labellings_bound(n_points: int, n_features: int) -> int:
    """2 sum_{i <= n} C(k - 1, i): affine functions on R^n give k points no more different vectors of signs."""
    if n_points < 1 or n_features < 1:
        raise ValueError(f"expected at least 1 point and 1 feature, got {n_points} and {n_features}")
    return 2 * sum(math.comb(n_points - 1, i) for i in range(n_features + 1))


def brownboost_potential(s: Any, c: Any) -> Callable[[Any], Any]:
    """The loss z -> 1 - erf((z + s) / sqrt(c)), for s >= 0 and c > 0; for numbers, arrays, symbols and balls."""
    for value, test, expected in ((s, "is_negative", "s >= 0"), (c, "is_nonpositive", "c > 0")):
        wrong = getattr(value, test, None)
        if wrong or (wrong is None and ((value < 0) if expected == "s >= 0" else not value > 0)):
            raise ValueError(f"expected {expected}, got {value}: s is the time that is left, c > 0 how long it was")
    return lambda z: _erf_complement(z, s, c)


def _erf_complement(z: Any, s: Any, c: Any) -> Any:
    modules = {type(value).__module__.split(".")[0] for value in (z, s, c)}
    if "sympy" in modules:
        import sympy

        return 1 - sympy.erf((z + s) / sympy.sqrt(c))
    if "flint" in modules:
        _, (z, s, c) = arithmetic_of(z, s, c)
        return 1 - ((z + s) / c.sqrt()).erf()
    from scipy.special import erfc

    return as_scalar(erfc((np.asarray(z, dtype=float) + float(s)) / math.sqrt(c)))


def _share(value: Any) -> Any:
    _expect(value, lambda v: (v >= 0) & (v <= 1), "a share between 0 and 1", "divide by the number of all entries")
    return value


def _classes(n_classes: int) -> int:
    _expect(n_classes, lambda k: k >= 2, "at least 2 classes", "one class needs no code")
    return int(n_classes)


def _expect(value: Any, test: Callable[[Any], Any], what: str, advice: str) -> None:
    if not np.all(test(np.asarray(value) if isinstance(value, list) else value)):
        raise ValueError(f"expected {what}, got {value}: {advice}")
