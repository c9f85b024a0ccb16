"""What trees cost, gain and can express, as formulas."""

from __future__ import annotations

import math

from mcbook.foundation.checks import require_share, require_whole
from mcbook.foundation.numbers import logarithm
from mcbook.foundation.types import Scalar, Values


def variance_decrease(share_left: Scalar, mean_left: Scalar, mean_right: Scalar) -> Values:
    """How much a split lowers the variance: eta_+ eta_- (mu_+ - mu_-)^2, with shares eta and means mu of the children.

    Source: Mohri et al. (2018), chapter 9, footnote 14.

    >>> variance_decrease(0.5, 0, 2)
    1.0
    """
    require_share(share_left, "share_left")
    return share_left * (1 - share_left) * (mean_left - mean_right) ** 2


def worst_potential(n_doublings: int, n_extra: int, shrinkage: Scalar) -> Values:
    """The largest potential of top-down induction with 2^j + i leaves: lam^j (1 - (1 - lam) i / 2^j), 0 <= i < 2^j.

    ``shrinkage`` is lam = sqrt(1 - 4 gamma^2), what a question with the edge gamma leaves of a leaf; the potential
    sum 2 sqrt(P_+ P_-) of the root is 1.  Training error is at most half the potential.

    Source: this book, after Kearns and Mansour (1999).

    >>> worst_potential(1, 1, 0.5)
    0.375
    """
    require_share(shrinkage, "shrinkage")
    j, i = require_whole(n_doublings, "n_doublings", at_least=0), require_whole(n_extra, "n_extra", at_least=0)
    if i >= 2**j:
        raise ValueError(f"expected n_extra < 2^n_doublings = {2**j}, got {i}: count another doubling instead")
    return shrinkage**j * (1 - (1 - shrinkage) * i / 2**j)


def induction_bound(n_leaves: Scalar, edge: Scalar) -> Values:
    """t^(-2 gamma^2 / ln 2), which the training error of top-down induction with t leaves does not pass.

    Source: Mohri et al. (2018), section 9.6; Kearns and Mansour (1999).

    >>> round(induction_bound(2, 0.5), 6)
    0.606531
    """
    # A 2 of the same kind as the number of leaves, so that balls stay balls.
    return n_leaves ** (-2 * edge * edge / logarithm(n_leaves - n_leaves + 2))


def vc_of_boolean_stumps(n_features: int) -> int:
    """The VC-dimension of one question on one of d binary features: floor(log2(d + 1)) + 1.

    Source: Mohri et al. (2018), Exercise 9.5.

    >>> [vc_of_boolean_stumps(n) for n in (1, 2, 3, 7)]
    [2, 2, 3, 4]
    """
    return (require_whole(n_features, "n_features", at_least=1) + 1).bit_length()


def vc_at_least(n_levels: int, n_features: int) -> int:
    """2^a (floor(log2(d - a + 1)) + 1): points that 2^(a + 1) - 1 questions on d binary features shatter.

    The first a features are the address of a group of points, and one question on the other features is left for each
    of the 2^a groups.

    >>> [vc_at_least(a, 4) for a in (0, 1, 2, 3)]
    [3, 6, 8, 16]
    """
    a, d = require_whole(n_levels, "n_levels", at_least=0), require_whole(n_features, "n_features", at_least=1)
    if a >= d:
        raise ValueError(f"expected n_levels < n_features = {d}, got {a}: leave a feature for the last questions")
    return 2**a * vc_of_boolean_stumps(d - a)


def labellings_at_most(n_points: int, n_questions: int, n_features: int) -> int:
    """Cat(n) d^n C(m+n, n) 2^(n+1): trees with n threshold questions on d features label m points in no more ways.

    A tree's shape, the feature at each question and the numbers of points in its leaves fix the partition.

    Source: Mohri et al. (2018), Exercise 9.5.

    >>> labellings_at_most(2, 1, 1)
    12
    """
    n = require_whole(n_questions, "n_questions", at_least=1)
    shapes = math.comb(2 * n, n) // (n + 1)
    return shapes * n_features**n * math.comb(n_points + n, n) * 2 ** (n + 1)


def vc_at_most(n_questions: int, n_features: int) -> int:
    """The largest number of points for which `labellings_at_most` reaches 2^m: the VC-dimension is not larger.

    Source: Mohri et al. (2018), Exercise 9.5.

    >>> vc_at_most(1, 2)
    5
    """
    m = n_questions
    while labellings_at_most(m + 1, n_questions, n_features) >= 2 ** (m + 1):
        m += 1
    return m
