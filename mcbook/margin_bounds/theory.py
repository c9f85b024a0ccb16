"""The margin bounds as formulas of their symbols.

They take floats and arrays, which broadcast, and balls of python-flint (`mcbook.foundation.proof.exact.ball`), with
which the claims compare them without rounding.  Ints and fractions are taken too; the logarithm then makes a float of
the result.

Sources in Mohri et al. (2018): `margin_bound` and `two_class_margin_bound` are Theorem 9.2; `truncated_margins`,
`scores_complexity_bound` and `margins_complexity_bound` are steps of its proof, `uniform_margin_bound` is the remark
after it, `kernel_margin_bound` Corollary 9.4, `svm_margin_bound` (9.12), `multi_label_margin_bound` Exercises 9.1 and
9.2.

>>> truncated_margins(np.array([[3, 1, 0], [0, 2, 2]]), np.array([0, 0]), 1).tolist()
[1, -2]
>>> from fractions import Fraction
>>> scores_complexity_bound(Fraction(1, 9), 3)
Fraction(1, 3)
>>> margins_complexity_bound(Fraction(1, 9), 3)
Fraction(2, 3)
>>> round(float(margin_bound(0.1, 0.01, 1.0, 2, 0.05, 10_000)), 4)
0.1922
>>> round(float(two_class_margin_bound(0.1, 0.01, 1.0, 0.05, 10_000)), 4)
0.1522
>>> round(float(uniform_margin_bound(0.1, 0.01, 1.0, 2, 0.05, 10_000)), 4)
0.2736
>>> round(float(kernel_margin_bound(0.1, 1.0, 1.0, 1.0, 2, 0.05, 10_000)), 4)
0.1922
>>> round(float(svm_margin_bound(0.2, 1.0, 1.0, 2, 0.05, 10_000)), 4)
0.2922
>>> round(float(multi_label_margin_bound(0.1, 0.01, 1.0, 2, 0.05, 10_000)), 4)
0.1645
"""

from __future__ import annotations

from fractions import Fraction
from numbers import Rational

import numpy as np

from mcbook.foundation.checks import (
    require_at_least,
    require_at_most,
    require_labels,
    require_nonnegative,
    require_positive,
    require_same_length,
    require_share,
)
from mcbook.foundation.numbers import logarithm, quotient, square_root
from mcbook.foundation.types import Array, Labels, Scalar, Values
from mcbook.rademacher import (
    confidence_term,
    contraction_bound,
    generalisation_bound,
    kernel_complexity_bound,
    maxima_bound,
)

_MARGIN = "it is the margin that the bound asks for"
_AVERAGE = "average the margin losses over the sample"


def truncated_margins(scores: Array, y: Labels, theta: Scalar) -> Array:
    """rho_theta,h(x, y) = min over all y' of h(x, y) - h(x, y') + theta [y' = y], for each row of scores.

    Shapes: ``scores (n_samples, n_classes)``, ``y (n_samples,)``.  The minimum is over all labels, so that it no longer
    depends on y which labels take part in it.
    """
    table = np.asarray(scores)
    if table.ndim != 2:
        raise ValueError(f"expected scores (n_samples, n_classes), got shape {table.shape}")
    labels = require_labels(y, table.shape[1])
    require_same_length(scores=table, y=labels)
    require_positive(theta, "theta", _MARGIN)
    own = labels[:, None] == np.arange(table.shape[1])
    return np.asarray((table[own][:, None] - table + theta * own.astype(int)).min(axis=1))


def scores_complexity_bound(complexity: Values, n_classes: Values) -> Values:
    """k R_m(Pi_1(H)): a bound on (1/m) E sup_h sum_i sigma_i h(x_i, y_i).

    The same bound holds for the largest scores, with max_y (h(x_i, y) - theta [y = y_i]) in the place of h(x_i, y_i).
    """
    require_at_least(n_classes, 2, "n_classes")
    require_nonnegative(complexity, "complexity")
    return n_classes * complexity


def margins_complexity_bound(complexity: Values, n_classes: Values) -> Values:
    """2k R_m(Pi_1(H)): a bound on the complexity of the truncated margins, one k for each of their two terms."""
    one_term = scores_complexity_bound(complexity, n_classes)
    return maxima_bound(one_term, one_term)


def label_by_label_complexity_bound(complexity: Values, n_classes: Values) -> Values:
    """k^2 R_m(Pi_1(H)): a bound on the complexity of the margins that are not truncated, one label after the other.

    The maximum over the rivals of a label costs k - 1 and its own score 1, for each of the k labels that may be the
    true one.  This is how bounds that grow with the square of k come about.

    Source: Mohri et al. (2018), section 9.6.

    >>> from fractions import Fraction
    >>> label_by_label_complexity_bound(Fraction(1, 9), 3)
    Fraction(1, 1)
    """
    require_at_least(n_classes, 2, "n_classes")
    require_nonnegative(complexity, "complexity")
    return n_classes**2 * complexity


def margin_bound(
    empirical_margin_loss: Values,
    complexity: Values,
    rho: Values,
    n_classes: Values,
    delta: Values,
    n_samples: Values,
) -> Values:
    """mean of Phi_rho on the sample + (4k / rho) R_m(Pi_1(H)) + sqrt(ln(1/delta) / (2m)).

    With probability at least 1 - delta over the sample it is at least Pr[rho_h(x, y) <= 0], for all h in H at once.
    """
    require_share(empirical_margin_loss, "empirical_margin_loss", _AVERAGE)
    margins = margins_complexity_bound(complexity, n_classes)
    losses = contraction_bound(margins, _steepness(rho))
    return generalisation_bound(empirical_margin_loss, losses, delta, n_samples)


def two_class_margin_bound(
    empirical_margin_loss: Values, complexity: Values, rho: Values, delta: Values, n_samples: Values
) -> Values:
    """mean of Phi_rho on the sample + (4 / rho) R_m(Pi_1(H)) + sqrt(ln(1/delta) / (2m)), for two classes.

    This is 2k instead of 4k: with two classes the margin is, up to its sign, the difference of the two scores.
    """
    require_share(empirical_margin_loss, "empirical_margin_loss", _AVERAGE)
    margins = maxima_bound(complexity, complexity)
    losses = contraction_bound(margins, _steepness(rho))
    return generalisation_bound(empirical_margin_loss, losses, delta, n_samples)


def uniform_margin_bound(
    empirical_margin_loss: Values,
    complexity: Values,
    rho: Values,
    n_classes: Values,
    delta: Values,
    n_samples: Values,
    largest_rho: Values = 1,
) -> Values:
    """The margin bound for all rho in (0, r] at once, r = ``largest_rho``.

    mean of Phi_rho on the sample + (8k / rho) R_m(Pi_1(H)) + sqrt(ln log_2(2r / rho) / m) + sqrt(ln(2/delta) / (2m)):
    rho may be chosen after the sample was seen.  Beyond r the third term has no meaning, and rho is refused.
    """
    require_positive(rho, "rho", _MARGIN)
    require_positive(largest_rho, "largest_rho", _MARGIN)
    if not np.all(np.asarray(rho) <= np.asarray(largest_rho)):
        raise ValueError(
            f"expected rho <= {largest_rho}, got {rho}: the bound covers margins up to largest_rho, which must be "
            "fixed before the sample is seen"
        )
    require_share(delta, "delta", "it is the probability with which the bound may fail", zero=False)
    half, halved = quotient(rho, 2), quotient(delta, 2)
    fixed = margin_bound(empirical_margin_loss, complexity, half, n_classes, halved, n_samples)
    return fixed + square_root(logarithm(_octaves(rho, largest_rho)) / n_samples)


def kernel_margin_bound(
    empirical_margin_loss: Values,
    squared_radius: Values,
    squared_norm: Values,
    rho: Values,
    n_classes: Values,
    delta: Values,
    n_samples: Values,
) -> Values:
    """mean of Phi_rho on the sample + 4k sqrt(r^2 Lambda^2 / (rho^2 m)) + sqrt(ln(1/delta) / (2m)).

    For scores <w_l, Phi(x)> with K(x, x) <= r^2 and a group norm |W|_(H,p) <= Lambda, p >= 1; it is enough that no row
    of W is longer than Lambda.
    """
    complexity = kernel_complexity_bound(squared_radius, squared_norm, n_samples)
    return margin_bound(empirical_margin_loss, complexity, rho, n_classes, delta, n_samples)


def informative_sample_size(
    squared_radius: Values,
    squared_norm: Values,
    rho: Values,
    n_classes: Values,
    delta: Values = 1,
    empirical_margin_loss: Values = 0,
) -> Values:
    """The sample size at which `kernel_margin_bound` comes down to 1: it says something only for m above this.

    That is ((4k r Lambda / rho + sqrt(ln(1/delta) / 2)) / (1 - margin loss))^2, and 16 k^2 r^2 Lambda^2 / rho^2 where
    delta is 1 and the margin loss 0.

    Source: Mohri et al. (2018), Corollary 9.4.

    >>> informative_sample_size(1, 1, 1, 3)  # 16 k^2
    Fraction(144, 1)
    """
    require_share(empirical_margin_loss, "empirical_margin_loss", "no sample is large enough for 1", one=False)
    excess = kernel_margin_bound(0 * empirical_margin_loss, squared_radius, squared_norm, rho, n_classes, delta, 1)
    return (excess / (1 - empirical_margin_loss)) ** 2


def svm_margin_bound(
    mean_slack: Values,
    squared_radius: Values,
    squared_norm: Values,
    n_classes: Values,
    delta: Values,
    n_samples: Values,
) -> Values:
    """mean of the slacks + 4k sqrt(r^2 Lambda^2 / m) + sqrt(ln(1/delta) / (2m)): the kernel bound at rho = 1.

    The slack of an example is max(0, 1 - rho_h(x, y)), which may exceed 1, or the ramp min(1, max(0, 1 - rho_h(x, y))).
    """
    require_nonnegative(mean_slack, "mean_slack")
    return mean_slack + kernel_margin_bound(0, squared_radius, squared_norm, 1, n_classes, delta, n_samples)


def multi_label_margin_bound(
    empirical_margin_loss: Values,
    complexity: Values,
    rho: Values,
    n_classes: Values,
    delta: Values,
    n_samples: Values,
) -> Values:
    """mean of sum_l Phi_rho(y_l h(x, l)) on the sample + (2k / rho) R_m(Pi_1(H)) + k sqrt(ln(1/delta) / (2m)).

    It bounds the expected number of wrong labels, which lies between 0 and k.
    """
    require_at_least(n_classes, 1, "n_classes")
    require_nonnegative(empirical_margin_loss, "empirical_margin_loss")
    advice = f"of {n_classes} labels at most all are wrong; sum over the labels, average over the sample"
    require_at_most(empirical_margin_loss, n_classes, "empirical_margin_loss", advice)
    one_label = contraction_bound(complexity, _steepness(rho))
    return empirical_margin_loss + n_classes * (2 * one_label + confidence_term(delta, n_samples))


def labels_factor(n_classes: int) -> Fraction:
    """c_k = 2 - 2^(-n) with the least n >= 0 for which k <= 3 2^n: 1 for k = 2, 3, then 3/2, 7/4, ..., below 2.

    It is how often the margins pay for the complexity of every label: once for up to three labels, and once and a half
    of what half of the labels pay for more.

    >>> [str(labels_factor(k)) for k in (2, 3, 4, 6, 7, 12, 13)]
    ['1', '1', '3/2', '3/2', '7/4', '7/4', '15/8']
    """
    require_at_least(n_classes, 2, "n_classes")
    n_halvings = 0
    while n_classes > 3 * 2**n_halvings:
        n_halvings += 1
    return 2 - Fraction(1, 2**n_halvings)


def labels_margin_bound(
    empirical_margin_loss: Values,
    total_complexity: Values,
    rho: Values,
    n_classes: int,
    delta: Values,
    n_samples: Values,
) -> Values:
    """mean of Phi_rho on the sample + (2 c_k / rho) sum_y R_m(H(., y)) + sqrt(ln(1/delta) / (2m)).

    ``total_complexity`` is the sum of the complexities of the labels' scores, and c_k is `labels_factor`.

    >>> round(float(labels_margin_bound(0.1, 0.02, 1, 3, 0.05, 1000)), 4)
    0.1787
    """
    require_share(empirical_margin_loss, "empirical_margin_loss", _AVERAGE)
    require_nonnegative(total_complexity, "total_complexity")
    factor = labels_factor(n_classes)
    margins = total_complexity * factor.numerator / factor.denominator
    losses = contraction_bound(margins, _steepness(rho))
    return generalisation_bound(empirical_margin_loss, losses, delta, n_samples)


def vector_contraction_bound(joint_complexity: Values, lipschitz: Values) -> Values:
    """sqrt(2) L J_S(F): a bound on the complexity of {Psi_i(f(x_i))} for maps Psi_i of vectors that are L-Lipschitz.

    ``joint_complexity`` is (1/m) E sup_f sum_il sigma_il f_l(x_i), with a sign for every point and every component.

    Source: Maurer (2016), Corollary 4.

    >>> round(float(vector_contraction_bound(0.5, 2)), 4)
    1.4142
    """
    require_nonnegative(joint_complexity, "joint_complexity")
    require_nonnegative(lipschitz, "lipschitz")
    return lipschitz * joint_complexity * square_root(2 + 0 * joint_complexity)


def shared_norm_margin_bound(
    empirical_margin_loss: Values,
    squared_radius: Values,
    squared_norm: Values,
    rho: Values,
    n_classes: Values,
    delta: Values,
    n_samples: Values,
) -> Values:
    """mean of Phi_rho on the sample + (4 Lambda r / rho) sqrt((k - 1) / m) + sqrt(ln(1/delta) / (2m)).

    For scores <w_l, Phi(x)> with K(x, x) <= r^2 where the squared lengths of all rows sum to at most Lambda^2.

    >>> round(float(shared_norm_margin_bound(0.1, 1, 1, 1, 10, 0.05, 10000)), 4)
    0.2322
    """
    require_share(empirical_margin_loss, "empirical_margin_loss", _AVERAGE)
    require_at_least(n_classes, 2, "n_classes")
    one_row = kernel_complexity_bound(squared_radius, squared_norm, n_samples)
    losses = contraction_bound(2 * one_row * square_root((n_classes - 1) + 0 * one_row), _steepness(rho))
    return generalisation_bound(empirical_margin_loss, losses, delta, n_samples)


def normal_tail(u: Values) -> Values:
    """The probability that a standard normal variable exceeds u, for numbers, arrays and balls.

    >>> normal_tail(0.0), round(float(normal_tail(2.0)), 4)
    (np.float64(0.5), 0.0228)
    """
    if hasattr(u, "erfc"):  # a ball
        return (u / (2 + 0 * u).sqrt()).erfc() / 2
    from scipy.special import ndtr  # slow to import, and needed here alone

    return ndtr(-np.asarray(u, dtype=float))


def smoothed_margin_bound(
    share_below: Values,
    squared_radius: Values,
    squared_norm: Values,
    rho: Values,
    n_classes: Values,
    delta: Values,
    n_samples: Values,
    own_width: Values,
    rival_width: Values,
) -> Values:
    """(share + (k - 1) q(u_2) + sqrt((((u_1 + u_2) Lambda r / rho)^2 + ln(1/delta)) / (2m))) / (1 - q(u_1)).

    ``share_below`` is the share of margins below rho on the sample, u_1 is ``own_width`` and u_2 ``rival_width``, and
    q is `normal_tail`.  For linear scores with |x| <= r where the squared lengths of all rows sum to at most Lambda^2.

    >>> round(float(smoothed_margin_bound(0.1, 1.0, 1.0, 0.1, 100, 0.05, 10**5, 3.0, 4.5)), 4)
    0.2684
    """
    require_share(share_below, "share_below", "it is the share of the sample whose margins are below rho")
    require_at_least(n_classes, 2, "n_classes")
    for name, width in (("own_width", own_width), ("rival_width", rival_width)):
        require_positive(width, name, "it is a number of standard deviations of the noise")
    require_positive(rho, "rho", _MARGIN)
    root = kernel_complexity_bound(squared_radius, squared_norm, 1) * (own_width + rival_width) / rho
    confidence = confidence_term(delta, n_samples)
    excess = square_root(root * root / (2 * n_samples) + confidence * confidence)
    return (share_below + (n_classes - 1) * normal_tail(rival_width) + excess) / (1 - normal_tail(own_width))


def necessary_class_factor(n_classes: Values, *, one_norm: bool = True) -> Values:
    """sqrt(k / (k - 1)) where all rows share one norm, k / sqrt(k - 1) where each row has a norm of its own.

    No margin bound for linear scores has a smaller factor in front of Lambda r / (rho sqrt(m)).

    >>> [round(float(necessary_class_factor(10, one_norm=one)), 3) for one in (True, False)]
    [1.054, 3.333]
    """
    require_at_least(n_classes, 2, "n_classes")
    top = square_root(n_classes) if one_norm else n_classes
    return top / square_root(n_classes - 1)


def _steepness(rho: Values) -> Values:
    """1/rho, with which the margin loss is Lipschitz: an int where it is one, as balls multiply with ints alone."""
    inverse = quotient(1, require_positive(rho, "rho", _MARGIN))
    return inverse.numerator if isinstance(inverse, Rational) and inverse.denominator == 1 else inverse


def _octaves(rho: Values, largest_rho: Values) -> Values:
    """log_2(2r / rho), at least 1, and exactly 1 at rho = r, whatever kind of number is given."""
    ratio = quotient(largest_rho, rho)
    if not isinstance(ratio, np.ndarray) and ratio == 1:
        return ratio
    if isinstance(ratio, Rational):
        ratio = float(ratio)
    # The 2 as a number of the same kind, so that its logarithm is as well known as the other.
    return 1 + np.log(ratio) / np.log(2 + 0 * ratio)
