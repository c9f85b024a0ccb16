"""How the impurities of a node, and the gains of a split, bound one another.

The formulas take exact numbers, floats and, where a logarithm is to be known with its rounding, balls of python-flint.
"""

from __future__ import annotations

import math

from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.checks import require_at_most, require_classes, require_nonnegative, require_share, require_whole
from mcbook.foundation.numbers import as_scalar, is_exact, quotient
from mcbook.foundation.types import Array, Scalar, Values
from mcbook.impurities.theory.impurity import log2


def entropy_bound(gini_impurity: Scalar | Array, n_points: int) -> Values:
    """log2 j + (j + 1) log2(1 + 1/j) (j G - j + 1): the j-th linear bound on the entropy in bits (j = ``n_points``).

    Every node of Gini impurity G has at least this entropy; those uniform on j or on j + 1 classes have no more.  With
    j = 1 it is 2 G (Harremoës and Topsøe 2001).

    >>> entropy_bound(0.5, 1).item()
    1.0
    """
    j = require_whole(n_points, "n_points", at_least=1)
    arithmetic, (impurity, here, step) = arithmetic_of(gini_impurity, j, quotient(j + 1, j))
    return as_scalar(log2(arithmetic, here) + (j + 1) * log2(arithmetic, step) * (j * impurity - (j - 1)))


def least_entropy(gini_impurity: Scalar) -> Values:
    """The largest of the linear bounds, that of j = floor(1 / (1 - G)): the largest convex function below the entropy.

    Source: the inequality of Harremoës and Topsøe (2001), proved anew.

    >>> [round(float(least_entropy(g)), 6) for g in (0.5, 2 / 3, 0.75)]
    [1.0, 1.584963, 2.0]
    """
    require_nonnegative(gini_impurity, "gini_impurity")
    if not gini_impurity < 1:
        raise ValueError(f"expected gini_impurity < 1, got {gini_impurity}: no node has more than 1 - 1/k")
    # At the points where two bounds meet both of them are the largest, so rounding does no harm.
    return entropy_bound(gini_impurity, max(1, math.floor(1 / (1 - float(gini_impurity)) + 1e-9)))


def least_gini(error: Scalar) -> Values:
    """1 - nu (1 - e)^2 - (1 - nu (1 - e))^2, nu = floor(1 / (1 - e)): the least Gini impurity at the error e.

    Source: Ben-Bassat and Raviv (1978), for the entropies of order 2; the upper end is from Cover and Hart (1967).

    >>> from fractions import Fraction
    >>> least_gini(Fraction(2, 5))
    Fraction(12, 25)
    """
    largest = 1 - _require_error(error)
    full = math.floor(1 / largest)
    return 1 - full * largest**2 - (1 - full * largest) ** 2


def largest_gini(error: Scalar, n_classes: int) -> Values:
    """2 e - k / (k - 1) e^2: the largest Gini impurity of a node of k classes whose majority label errs on the share e.

    Source: Cover and Hart (1967).

    >>> from fractions import Fraction
    >>> largest_gini(Fraction(2, 5), 3)
    Fraction(14, 25)
    """
    k = require_classes(n_classes)
    if is_exact(error):
        require_at_most(error, quotient(k - 1, k), "error", f"the majority label of {k} classes errs no more often")
    return 2 * _require_error(error) - quotient(k, k - 1) * error**2


def entropy_gain_bound(gini_gain: Scalar | Array) -> Values:
    """GG / ln 2: no split gains less entropy in bits than this, GG being its gain in Gini impurity.

    Source: this book; Mohri et al. (2018), section 9.3.3, order the impurities themselves.

    >>> round(float(entropy_gain_bound(0.5)), 6)
    0.721348
    """
    arithmetic, (gain, two) = arithmetic_of(gini_gain, 2)
    return as_scalar(gain / arithmetic.log(two))


def gini_gain_bound(error_gain: Scalar, share: Scalar) -> Values:
    """MG^2 / (2 eta (1 - eta)): no split into two children with shares eta and 1 - eta gains less Gini impurity.

    MG is its gain in misclassification; the bound is at least 2 MG^2.

    >>> gini_gain_bound(0.1, 0.5)
    0.020000000000000004
    """
    require_share(share, "share", "each child has some of the examples", zero=False, one=False)
    return quotient(error_gain**2, 2 * share * (1 - share))


def gini_gain_of_classes(share: Scalar, first_squares: Scalar, second_squares: Scalar) -> Values:
    """b/a s_A + a/b s_B: what a split that sends whole classes to each side gains in Gini impurity.

    The classes of the first child have the share a (= ``share``) of the examples, the others b = 1 - a; s_A and s_B are
    the sums of the squares of their shares.

    Source: Breiman (1996), Some properties of splitting criteria.

    >>> from fractions import Fraction
    >>> gini_gain_of_classes(Fraction(2, 5), Fraction(4, 25), Fraction(27, 200))
    Fraction(33, 100)
    """
    require_share(share, "share", "each child has some of the classes", zero=False, one=False)
    return quotient((1 - share) * first_squares, share) + quotient(share * second_squares, 1 - share)


def _require_error(error: Scalar) -> Values:
    require_share(error, "error", "a majority label is right somewhere", one=False)
    return error
