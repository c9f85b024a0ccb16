"""The formulas of the chapter on forests, as pure functions of their symbols."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from mcbook.foundation.checks import require_at_most, require_positive, require_share, require_whole
from mcbook.foundation.numbers import quotient
from mcbook.foundation.types import Scalar, Values


def seen_share(n_samples: int, n_draws: int | None = None) -> Fraction:
    """1 - (1 - 1/m)^b, the chance that a bootstrap of b draws has a given one of m examples; b = m unless given.

    It is the expected share of the examples that are in the bootstrap, `prp-bagging`.

    >>> seen_share(2), seen_share(3, 1)
    (Fraction(3, 4), Fraction(1, 3))
    """
    return 1 - out_of_bag_share(n_samples, n_draws)


def out_of_bag_share(n_samples: int, n_draws: int | None = None) -> Fraction:
    """q = (1 - 1/m)^b, the chance that a bootstrap misses a given example.

    >>> out_of_bag_share(2), out_of_bag_share(4, 2)
    (Fraction(1, 4), Fraction(9, 16))
    """
    m = require_whole(n_samples, "n_samples", at_least=1)
    b = m if n_draws is None else require_whole(n_draws, "n_draws", at_least=0)
    return Fraction(m - 1, m) ** b


def nearest_share(place: int, n_samples: int, n_draws: int) -> Fraction:
    """w_j = (1 - (j-1)/m)^b - (1 - j/m)^b: how often the j-th neighbour is the nearest in a bootstrap.

    Source: made exact from Hall and Samworth (2005), section 1.

    >>> [str(nearest_share(j, 3, 3)) for j in (1, 2, 3)]
    ['19/27', '7/27', '1/27']
    """
    m, b = require_whole(n_samples, "n_samples", at_least=1), require_whole(n_draws, "n_draws", at_least=1)
    j = require_at_most(require_whole(place, "place", at_least=1), m, "place", "it counts the examples")
    return Fraction(m - j + 1, m) ** b - Fraction(m - j, m) ** b


def fewest_draws(n_samples: int) -> int:
    """The least b with (1 - 1/m)^b < 1/2, from which on a bagged nearest neighbour is the nearest neighbour.

    Source: made exact from Hall and Samworth (2005), section 1.

    >>> [fewest_draws(m) for m in (2, 10, 100, 1000)]
    [2, 7, 69, 693]
    """
    m = require_whole(n_samples, "n_samples", at_least=2)
    b = max(1, math.floor((m - 1) * math.log(2)))
    while 2 * (m - 1) ** b >= m**b:
        b += 1
    return b


def breiman_bound(strength: Scalar, correlation: Scalar) -> Values:
    """rho (1 - s^2) / s^2, which no forest's error exceeds; it may be far above 1.

    Source: Breiman (2001), Theorem 2.3.

    >>> breiman_bound(Fraction(1, 2), Fraction(1, 4))
    Fraction(3, 4)
    """
    s, rho = _forest(strength, correlation)
    return quotient(rho * (1 - s * s), s * s)


def best_known_bound(strength: Scalar, correlation: Scalar) -> Values:
    """min(1 - s, rho (1 - s^2) / (rho (1 - s^2) + s^2)), which no forest's error exceeds, whatever its classes.

    Source: this book, with the C-bound of Lacasse et al. (2006).

    >>> best_known_bound(Fraction(1, 4), Fraction(11, 15))
    Fraction(3, 4)
    """
    s, rho = _forest(strength, correlation)
    variance = rho * (1 - s * s)
    first, second = 1 - s, quotient(variance, variance + s * s)
    return min(first, second)


def worst_error_low(strength: Scalar, correlation: Scalar) -> Values:
    """rho (1 - s^2) / (rho (1 - s^2) + s^2), the largest error for rho <= s / (1 + s).

    >>> worst_error_low(Fraction(1, 2), Fraction(1, 4))
    Fraction(3, 7)
    """
    s, rho = _forest(strength, correlation)
    variance = rho * (1 - s * s)
    return quotient(variance, variance + s * s)


def worst_error_high(strength: Scalar, correlation: Scalar) -> Values:
    """(1 - s) (2 + s - rho (1 + s)) / 2, the largest error for rho >= s / (1 + s).

    >>> worst_error_high(Fraction(1, 2), Fraction(1, 2))
    Fraction(7, 16)
    """
    s, rho = _forest(strength, correlation)
    return quotient((1 - s) * (2 + s - rho * (1 + s)), 2)


def worst_forest_error(strength: Scalar, correlation: Scalar) -> Values:
    """The largest error of a forest for two classes whose trees all have this strength: `thm-worst-forest`.

    >>> worst_forest_error(Fraction(1, 3), Fraction(1, 16)), worst_forest_error(Fraction(1, 4), Fraction(11, 15))
    (Fraction(1, 3), Fraction(1, 2))
    """
    low = correlation * (1 + strength) <= strength
    return (worst_error_low if low else worst_error_high)(strength, correlation)


def _forest(strength: Scalar, correlation: Scalar) -> tuple[Scalar, Scalar]:
    s = require_positive(strength, "strength", "a forest of strength 0 may be wrong everywhere")
    require_at_most(s, 1, "strength")
    return s, require_share(correlation, "correlation", "it is a variance over a squared mean deviation")


def out_of_bag_mixture(errors: Sequence[Scalar], n_samples: int) -> Values:
    """sum_b C(B, b) q^b (1 - q)^(B - b) e_b, with q = (1 - 1/m)^m and the errors e_1 .. e_B of votes of b trees.

    Source: this book, on the estimate of Breiman (1996).

    >>> out_of_bag_mixture([Fraction(1, 2)], 2)
    Fraction(1, 8)
    """
    q, n_trees = out_of_bag_share(n_samples), len(errors)
    return sum(
        math.comb(n_trees, b) * q**b * (1 - q) ** (n_trees - b) * error for b, error in enumerate(errors, start=1)
    )
