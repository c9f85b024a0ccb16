"""The objectives of boosting with many labels, what they bound, and what a round costs.

Shapes: ``scores (n_samples, n_classes)`` holds f(x_i, l), ``signs (n_samples, n_classes)`` the answers y_i[l] = -1 or
+1, ``y (n_samples,)`` single labels from 0.  Scores may be floats, fractions, balls of python-flint or symbols of
sympy; exponentials of fractions are floats, so give balls where their rounding is to be known.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.checks import require_classes, require_share, require_signs, require_whole
from mcbook.foundation.numbers import logarithm, quotient, square_root
from mcbook.foundation.types import Array, Exact, Integers, Labels, Scalar, Signs, Values
from mcbook.losses.theory.catalogue import exponential
from mcbook.margin_bounds import margin_bound
from mcbook.problem import one_hot
from mcbook.rademacher import contraction_bound, generalisation_bound

# Answers to pairs.


def label_signs(y: Labels, n_classes: int) -> Integers:
    """Single labels as answers: +1 for the label and -1 for every other.

    >>> label_signs([1, 0], 3).tolist()
    [[-1, 1, -1], [1, -1, -1]]
    """
    return np.asarray(2 * one_hot(y, n_classes) - 1)


def start_weights(y: Labels, n_classes: int, share: Scalar | None = None) -> Exact:
    """D_1 with the share a of every example's weight on its own label and the rest spread over the others.

    Without ``share`` all pairs have the same weight, which is a = 1 / n_classes.

    >>> start_weights([0], 3, Fraction(1, 2))[0].tolist()
    [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]
    """
    own = one_hot(y, require_classes(n_classes)) == 1
    a = require_share(Fraction(1, n_classes) if share is None else share, "share", zero=False, one=False)
    weights = np.empty(own.shape, dtype=object)
    weights[own] = quotient(a, len(own))
    weights[~own] = quotient(1 - a, len(own) * (n_classes - 1))
    return weights


# AdaBoost.MH.


def pair_objective(scores: Array, signs: Signs) -> Values:
    """F = sum_i sum_l exp(-y_i[l] f(x_i, l)), the objective of AdaBoost.MH (Mohri et al., (9.13)).

    >>> float(pair_objective([[0.0, 0.0]], [[1, -1]]))
    2.0
    """
    return _exponentials(_pair_margins(scores, signs)).sum()


def wrong_pairs(scores: Array, signs: Signs) -> Fraction:
    """The share of pairs with y_i[l] f(x_i, l) <= 0: a score of 0 counts as wrong.

    >>> wrong_pairs([[2, -1], [0, -3]], [[1, 1], [1, -1]])
    Fraction(1, 2)
    """
    margins = _pair_margins(scores, signs)
    return Fraction(int((margins <= 0).sum()), margins.size)


def argmax_error_bound(n_classes: Scalar, normalisers: Iterable[Scalar]) -> Scalar:
    """k / 2 times prod_t Z_t, which the error of AdaBoost.MH's arg max does not exceed.

    >>> argmax_error_bound(4, [Fraction(1, 2), Fraction(1, 2)])
    Fraction(1, 2)
    """
    return quotient(n_classes * _product(normalisers), 2)


def started_error_bound(n_classes: Scalar, share: Scalar, normalisers: Iterable[Scalar]) -> Scalar:
    """sqrt((k - 1) / (a (1 - a))) / 2 times prod_t Z_t, the bound for the share a of weight on the label at the start.

    >>> started_error_bound(5, Fraction(1, 2), [Fraction(1, 4)])
    Fraction(1, 2)
    """
    constant = square_root(quotient(n_classes - 1, share * (1 - share)))
    return quotient(constant * _product(normalisers), 2)


def half_start_square(n_classes: Scalar, n_steps: Scalar) -> Scalar:
    """((k - 2)(T + 1) + 1) / ((k - 1)((k - 2) T + 1)): the square of prod_t Z_t on the run that attains sqrt(k - 1).

    >>> half_start_square(10, 10)
    Fraction(89, 729)
    """
    k, T = n_classes, n_steps
    return quotient((k - 2) * (T + 1) + 1, (k - 1) * ((k - 2) * T + 1))


def stump_cost(n_samples: int, n_classes: int, n_features: int, n_rounds: int) -> int:
    """d m ceil(log2 m) + m k d N: comparisons to sort the features once, and additions to scan the pairs N times.

    >>> stump_cost(100, 10, 4, 2) - stump_cost(100, 10, 4, 1)
    4000
    """
    m, k, d, N = (require_whole(n, "each size", at_least=1) for n in (n_samples, n_classes, n_features, n_rounds))
    # ceil(log2 m) without rounding.
    return d * m * (m - 1).bit_length() + m * k * d * N


# The mean margin.


def mean_margin_objective(scores: Array, signs: Signs) -> Values:
    """G = sum_i exp(-sum_l y_i[l] f(x_i, l) / k) (Mohri et al., (9.25)).

    >>> round(float(mean_margin_objective([[3.0, 7.0]], [[-1, 1]])), 6)
    0.135335
    """
    margins = _pair_margins(scores, signs)
    total = margins.sum(axis=1)
    return _exponentials(np.array([quotient(t, margins.shape[1]) for t in total.tolist()])).sum()


def mean_margin_step(edge: Scalar) -> Scalar:
    """ln((1 + r) / (1 - r)) / 2, the step of coordinate descent on the chords above G.

    >>> round(float(mean_margin_step(0.5)), 4)  # half of ln 3
    0.5493
    """
    return logarithm(quotient(1 + edge, 1 - edge)) / 2


def mean_margin_bound(edges: Iterable[Scalar]) -> Scalar:
    """prod_t sqrt(1 - r_t^2), which G / m does not exceed.

    >>> mean_margin_bound([Fraction(3, 5), Fraction(4, 5)])
    Fraction(12, 25)
    """
    return _product(square_root(1 - r * r) for r in edges)


# AdaBoost.MR.


def ranking_objective(scores: Array, y: Labels) -> Values:
    """F = sum_i sum_(l != y_i) exp(-(f(x_i, y_i) - f(x_i, l))), the objective of AdaBoost.MR (Mohri et al., (9.26)).

    >>> float(ranking_objective([[0.0, 0.0, 0.0]], [0]))
    2.0
    """
    scores, own = np.asarray(scores), one_hot(y, np.shape(scores)[1]) == 1
    # The label against itself would add e^0.
    return _exponentials((scores[own][:, None] - scores)[~own]).sum()


def ranking_error_bound(n_classes: Scalar, normalisers: Iterable[Scalar]) -> Scalar:
    """(k - 1) prod_t Z_t, which the error of AdaBoost.MR's arg max does not exceed.

    >>> float(ranking_error_bound(3, [0.5, 0.5]))
    0.5
    """
    return (n_classes - 1) * _product(normalisers)


def ranking_normaliser(right: Scalar, wrong: Scalar) -> Scalar:
    """1 - e+ - e- + 2 sqrt(e+ e-), the Z of a round of AdaBoost.MR and of RankBoost, with alpha = ln(e+ / e-) / 4.

    >>> ranking_normaliser(Fraction(4, 9), Fraction(1, 9))
    Fraction(8, 9)
    """
    return 1 - right - wrong + 2 * square_root(right * wrong)


def margin_share_bound(
    n_classes: Scalar, normalisers: Iterable[Scalar], steps: Iterable[Scalar], rho: Scalar
) -> Scalar:
    """(k - 1) prod_t Z_t exp(rho alpha_t): no larger share of the examples has a margin <= rho, for votes of sum 1.

    >>> float(margin_share_bound(4, [0.5, 0.5], [1.0, 2.0], 0))
    0.75
    """
    pairs = zip(normalisers, steps, strict=True)
    return ranking_error_bound(n_classes, [Z * exponential(-rho * step) for Z, step in pairs])


def margin_factor(edge: Scalar, rho: Scalar) -> Scalar:
    """sqrt((1 - 2 gamma)^(1 - rho/2) (1 + 2 gamma)^(1 + rho/2)): Z_t exp(rho alpha_t) if no pair is left as it is.

    >>> round(float(margin_factor(0.3, 0.6)), 4)
    0.9849
    """
    half = quotient(rho, 2)
    return square_root((1 - 2 * edge) ** (1 - half) * (1 + 2 * edge) ** (1 + half))


def ranking_risk_bound(
    n_classes: Scalar,
    normalisers: Iterable[Scalar],
    steps: Iterable[Scalar],
    complexity: Scalar,
    rho: Scalar,
    delta: Scalar,
    n_samples: Scalar,
) -> Scalar:
    """`margin_share_bound` in the place of the margin loss in `mcbook.margin_bounds.margin_bound`.

    ``complexity`` is that of the base hypotheses, R_m(Pi_1(H)).

    >>> round(float(ranking_risk_bound(3, [0.5] * 20, [1.0] * 20, 0.001, 0.1, 0.05, 100_000)), 4)
    0.1239
    """
    share = margin_share_bound(n_classes, normalisers, steps, rho)
    return share + margin_bound(0 * share, complexity, rho, n_classes, delta, n_samples)


def one_rival_bound(
    pair_share: Scalar,
    own_complexity: Scalar,
    rival_complexity: Scalar,
    rho: Scalar,
    n_classes: Scalar,
    delta: Scalar,
    n_samples: Scalar,
) -> Scalar:
    """(k - 1) times the margin bound for pairs of the label and one rival, of which each example draws one.

    ``pair_share`` is the share of these pairs with a difference of the scores <= rho; the complexities are those of the
    base hypotheses at the examples with their labels, and with the rivals.

    >>> round(float(one_rival_bound(0.1, 0.01, 0.01, 1.0, 3, 0.05, 10_000)), 4)
    0.3045
    """
    complexity = contraction_bound(own_complexity + rival_complexity, 1 / rho)
    return (n_classes - 1) * generalisation_bound(pair_share, complexity, delta, n_samples)


def divided(numbers: Values, by: Values) -> Values:
    """numbers / by, entry by entry, with quotients of whole numbers as fractions in arrays of dtype object.

    >>> divided(np.array([1, 2], dtype=object), 4).tolist()
    [Fraction(1, 4), Fraction(1, 2)]
    """
    if isinstance(numbers, np.ndarray):
        return np.frompyfunc(quotient, 2, 1)(numbers, by) if numbers.dtype == object else numbers / by
    return quotient(numbers, by)


# Both losses of one example.


def pair_loss(f: Array, y: int, own: Scalar = 1, rival: Scalar = 1) -> Values:
    """v exp(-f_y) + w sum_(l != y) exp(f_l): what one example of label y pays in AdaBoost.MH.

    >>> float(pair_loss(np.array([0.0, 0.0, 0.0]), 1))
    3.0
    """
    f = np.asarray(f)
    return own * exponential(f[y]) + rival * _exponentials(-np.delete(f, y)).sum()


def ranking_loss(f: Array, y: int) -> Values:
    """MR = sum_(l != y) exp(f_l - f_y): what one example of label y pays in AdaBoost.MR.

    >>> float(ranking_loss(np.array([0.0, 0.0, 0.0]), 1))
    2.0
    """
    f = np.asarray(f)
    return _exponentials(f[y] - np.delete(f, y)).sum()


def least_shifted_loss(f: Array, y: int, own: Scalar = 1, rival: Scalar = 1) -> Values:
    """2 sqrt(v w MR), the least value of `pair_loss` when a constant may be added to all scores.

    >>> float(least_shifted_loss([0.0, 0.0], 0))
    2.0
    """
    arithmetic, (product,) = arithmetic_of(own * rival * ranking_loss(f, y))
    return 2 * arithmetic.sqrt(product)


def best_shift(f: Array, y: int, own: Scalar = 1, rival: Scalar = 1) -> Values:
    """The constant with which the least value is taken: half the logarithm of the label's share over the rivals'.

    >>> round(float(best_shift(np.array([0.0, 0.0, 0.0]), 0)), 4)  # half of ln(1/2)
    -0.3466
    """
    f = np.asarray(f)
    arithmetic, (odds,) = arithmetic_of(own * exponential(f[y]) / (rival * _exponentials(-np.delete(f, y)).sum()))
    return arithmetic.log(odds) / 2


def _pair_margins(scores: Array, signs: Signs) -> Array:
    scores, signs = np.asarray(scores), require_signs(signs)
    if scores.ndim != 2 or scores.shape != signs.shape:
        raise ValueError(
            f"expected scores and signs of one shape (n_samples, n_classes), got {scores.shape} and {signs.shape}"
        )
    # Python's own numbers, which balls and symbols can be multiplied with.
    return scores * signs.astype(object) if scores.dtype == object else scores * signs


def _exponentials(margins: Array) -> Array:
    """exp(-z) entry by entry, whatever kind of numbers the entries are."""
    margins = np.asarray(margins)
    return np.asarray(np.frompyfunc(exponential, 1, 1)(margins) if margins.dtype == object else exponential(margins))


def _product(factors: Iterable[Scalar]) -> Scalar:
    values = list(factors)
    return functools.reduce(operator.mul, values, 1)
