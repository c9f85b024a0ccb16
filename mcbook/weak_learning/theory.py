"""The formulas of weak and strong learning: edges and margins, what rounds are worth, what runs are worth.

``A (n_hypotheses, n_samples)`` holds agreements: +1 where a hypothesis is right on an example and -1 where it is wrong.
An edge is what a hypothesis is better than a coin, 1/2 - error.  Counts come from balls of python-flint, so no rounding
decides them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from fractions import Fraction
from numbers import Rational

import numpy as np

from mcbook.foundation.checks import require_at_least, require_nonnegative, require_share, require_whole
from mcbook.foundation.numbers import ball, quotient, square_root
from mcbook.foundation.types import Array, Ball, NumberKind, Scalar, Values

# Edges and margins.


def best_correlation(A: Array, D: Array) -> Values:
    """max_j sum_i D(i) A_ji: twice the best edge that the pool has under the weights.

    >>> best_correlation(np.array([[1, 1, -1], [1, -1, 1]]), np.array([Fraction(1, 2), 0, Fraction(1, 2)]))
    Fraction(1, 1)
    """
    return max((np.asarray(A) @ np.asarray(D)).tolist())


def least_margin(A: Array, w: Array) -> Values:
    """min_i sum_j w_j A_ji: the smallest margin of the vote with the shares w.

    >>> least_margin(np.array([[1, 1, -1], [1, -1, 1]]), np.array([Fraction(1, 2), Fraction(1, 2)]))
    Fraction(0, 1)
    """
    return min((np.asarray(w) @ np.asarray(A)).tolist())


def equal_votes_margin(mean_correlation: Scalar, step: Scalar, n_samples: Scalar, n_rounds: Scalar) -> Scalar:
    """r - a/2 - ln m / (a T): T equal votes with the mean correlation r, from weights e^(-a lead), have this margin.

    >>> round(float(equal_votes_margin(Fraction(1, 2), Fraction(1, 10), 10, 1000)), 4)
    0.427
    """
    r, a = _as_ball(mean_correlation), _as_ball(step)
    return r - a / 2 - _as_ball(n_samples).log() / (a * _as_ball(n_rounds))


# What rounds are worth.


def majority_value(edge: NumberKind, n_rounds: Scalar) -> NumberKind:
    """V_T = Pr[Bin(T, 1/2 + edge) <= T / 2]: the value of the boosting game of T rounds.

    >>> majority_value(Fraction(1, 4), 4)
    Fraction(67, 256)
    """
    T = require_whole(n_rounds, "n_rounds", at_least=1)
    return binomial_at_most(T, Fraction(1, 2) + edge, T // 2)


def binomial_at_most(n_draws: int, probability: Scalar, most: int) -> Values:
    """Pr[Bin(n, p) <= most], a fraction where p is one.

    >>> binomial_at_most(3, Fraction(1, 3), 1)
    Fraction(20, 27)
    """
    n, last = require_whole(n_draws, "n_draws", at_least=0), min(most, n_draws)
    if not isinstance(probability, Rational):
        return sum(math.comb(n, j) * probability**j * (1 - probability) ** (n - j) for j in range(last + 1))
    # Whole numbers over one denominator: fractions would be reduced at every term.
    above, below = probability.numerator, probability.denominator
    terms = (math.comb(n, j) * above**j * (below - above) ** (n - j) for j in range(last + 1))
    return Fraction(sum(terms), below**n)


@functools.cache
def lead_weight(edge: Fraction, n_left: int, lead: int) -> Fraction:
    """binom(n, j) (1/2 + edge)^j (1/2 - edge)^(n - j) with j = floor((n + 1 - lead) / 2): what the next vote decides.

    It is the probability that an example which leads by so many votes, before a round that leaves n more, is won in the
    end if that round gets it right, and lost if not, when the later votes are coins with the probability 1/2 + edge.

    >>> lead_weight(Fraction(1, 4), 1, 1), lead_weight(Fraction(1, 4), 1, 3)
    (Fraction(1, 4), Fraction(0, 1))
    """
    n = require_whole(n_left, "n_left", at_least=0)
    j = (n + 1 - lead) // 2
    if not 0 <= j <= n:
        return Fraction(0)
    return math.comb(n, j) * (Fraction(1, 2) + edge) ** j * (Fraction(1, 2) - edge) ** (n - j)


@functools.cache
def lead_potential(edge: Fraction, n_left: int, lead: int) -> Fraction:
    """Pr[lead + X_1 + ... + X_n <= 0] for independent X = ±1, +1 with probability 1/2 + edge.

    >>> lead_potential(Fraction(1, 4), 2, 0), lead_potential(Fraction(1, 4), 0, 1)
    (Fraction(7, 16), Fraction(0, 1))
    """
    n = require_whole(n_left, "n_left", at_least=0)
    return Fraction(binomial_at_most(n, Fraction(1, 2) + edge, (n - lead) // 2))


def accounted_error(edge: NumberKind, n_rounds: int, totals: Iterable[Scalar], edges: Iterable[Scalar]) -> Scalar:
    """V_T + sum_t (edge - edge_t) W_t: the share of mistakes after T rounds of boosting by majority.

    ``totals`` are the W_t, the mean weights before they are divided by their sum, and ``edges`` those that were met.

    >>> accounted_error(Fraction(1, 4), 1, [Fraction(1)], [Fraction(1, 2)])
    Fraction(0, 1)
    """
    return majority_value(edge, n_rounds) + sum((edge - e) * W for W, e in zip(totals, edges, strict=True))


def rounds_until_perfect(edge: Scalar, n_samples: Scalar) -> int:
    """floor(ln m / (2 edge^2)) + 1, the first T with exp(-2 edge^2 T) < 1 / m.

    >>> rounds_until_perfect(Fraction(1, 10), 1000)
    346
    """
    _require_edge(edge)
    return _whole((_as_ball(n_samples).log() / (2 * _as_ball(edge) ** 2)).floor()) + 1


def rounds_by_product(edge: Fraction, n_samples: int) -> int:
    """The first T with (1 - 4 edge^2)^(T / 2) < 1 / m, what AdaBoost's bound asks for.

    >>> rounds_by_product(Fraction(1, 10), 1000)
    339
    """
    _require_edge(edge)
    m = require_whole(n_samples, "n_samples", at_least=1)
    return _whole((2 * ball(m).log() / -(1 - 4 * ball(edge) ** 2).log()).floor()) + 1


def rounds_by_majority(edge: Fraction, n_samples: int) -> int:
    """The first T with V_T < 1 / m: so many equal votes are enough for m examples.

    Even numbers of rounds are never the first, as V_2n >= V_(2n - 1); among odd ones V_T falls.

    >>> rounds_by_majority(Fraction(1, 10), 1000)
    235
    """
    _require_edge(edge)
    m = require_whole(n_samples, "n_samples", at_least=1)
    low, high = 0, rounds_until_perfect(edge, m) // 2 + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if majority_value(edge, 2 * middle + 1) * m < 1 else (middle + 1, high)
    return 2 * low + 1


# Weak and strong.


def compressed_survivor_bound(n_rounds: int, n_called: int, epsilon: NumberKind, n_samples: int) -> NumberKind:
    """m^(T m0) (1 - epsilon)^(m - T m0): the probability that a vote of risk > epsilon is right on all m examples.

    The vote is one of T answers that a learner gives to ``n_called`` = m0 examples of the sample each, however these
    are chosen; a sequence of T m0 places names it, and the other examples do not know of it.

    >>> compressed_survivor_bound(1, 1, Fraction(1, 2), 5)
    Fraction(5, 16)
    """
    n, m = _examples_of_the_vote(n_rounds, n_called, n_samples), int(n_samples)
    return m**n * (1 - epsilon) ** (m - n)


def compressed_risk_bound(n_rounds: int, n_called: int, n_samples: int, delta: Scalar) -> Ball:
    """(T m0 ln m + ln(1/delta)) / (m - T m0): such a vote has at most this risk with probability 1 - delta.

    >>> round(float(compressed_risk_bound(116, 2, 10**4, Fraction(1, 20))), 3)
    0.219
    """
    n, m = _examples_of_the_vote(n_rounds, n_called, n_samples), int(n_samples)
    require_share(delta, "delta", zero=False, one=False)
    return (n * ball(m).log() + _as_ball(quotient(1, delta)).log()) / (m - n)


def _examples_of_the_vote(n_rounds: int, n_called: int, n_samples: int) -> int:
    n = require_whole(n_rounds, "n_rounds", at_least=1) * require_whole(n_called, "n_called", at_least=1)
    require_whole(n_samples, "n_samples", at_least=n + 1)
    return n


def false_survivor_bound(n_hypotheses: int, n_rounds: int, epsilon: Scalar, n_samples: int) -> Scalar:
    """N^T (1 - epsilon)^m: the probability that some vote of T out of N has error > epsilon and none on m examples.

    >>> false_survivor_bound(2, 3, Fraction(1, 2), 4)
    Fraction(1, 2)
    """
    return n_hypotheses**n_rounds * (1 - epsilon) ** n_samples


def examples_for_strong(edge: Fraction, n_hypotheses: int, epsilon: Fraction, delta: Fraction) -> int:
    """The first power of two m with N^T (1 - epsilon)^m <= delta for T = floor(ln m / (2 edge^2)) + 1 rounds.

    >>> examples_for_strong(Fraction(1, 4), 12, Fraction(1, 10), Fraction(1, 20))
    2048
    """
    require_share(epsilon, "epsilon", zero=False, one=False)
    require_share(delta, "delta", zero=False, one=False)
    N, m = ball(require_whole(n_hypotheses, "n_hypotheses", at_least=1)), 1
    while True:
        bound = rounds_until_perfect(edge, m) * N.log() + m * ball(1 - epsilon).log()
        if bound <= ball(delta).log():
            return m
        m *= 2


def unseen_error(n_points: Scalar, n_samples: int) -> Scalar:
    """(1 - 1/M)^m / 8: the mean error of every learner on the concepts that are free on a quarter of M equal points.

    Exactly so for learners that repeat what they have seen, and at least so for all.

    >>> unseen_error(4, 1)
    Fraction(3, 32)
    """
    require_at_least(n_points, 4, "n_points", "a quarter of them is free")
    return quotient(1, 8) * (1 - quotient(1, n_points)) ** n_samples


# Memory.


def rounds_for_error(edge: Scalar, epsilon: Scalar) -> int:
    """ceil(ln(1/epsilon) / (2 edge^2)): after so many rounds V_T <= exp(-2 edge^2 T) <= epsilon.

    >>> rounds_for_error(Fraction(1, 10), Fraction(1, 100))
    231
    """
    _require_edge(edge)
    require_share(epsilon, "epsilon", zero=False, one=False)
    return _whole((_as_ball(quotient(1, epsilon)).log() / (2 * _as_ball(edge) ** 2)).ceil())


def stored_items(n_rounds: int, n_kept: int) -> int:
    """T + n: the hypotheses, and the subsample of one round.

    >>> stored_items(10, 50)
    60
    """
    return n_rounds + n_kept


# The confidence.


def all_runs_fail(success: NumberKind, n_runs: int) -> NumberKind:
    """(1 - success)^k: none of k independent runs succeeds.

    >>> all_runs_fail(Fraction(1, 10), 2)
    Fraction(81, 100)
    """
    require_share(success, "success")
    return (1 - success) ** n_runs


def runs_for_confidence(success: Scalar, delta: Scalar) -> int:
    """ceil(ln(2/delta) / success): so many runs all fail with probability at most delta / 2.

    >>> runs_for_confidence(Fraction(1, 2), Fraction(1, 20))
    8
    """
    require_share(success, "success", zero=False)
    require_share(delta, "delta", zero=False, one=False)
    return _whole((_as_ball(quotient(2, delta)).log() / _as_ball(success)).ceil())


def fewest_runs(success: NumberKind, delta: Scalar) -> int:
    """ceil(ln(2/delta) / ln(1/(1 - success))): the least k with (1 - success)^k <= delta / 2.

    >>> fewest_runs(Fraction(1, 2), Fraction(1, 20))
    6
    """
    require_share(success, "success", zero=False, one=False)
    require_share(delta, "delta", zero=False, one=False)
    # The quotient of the logarithms may be a whole number, so powers decide.
    k = max(1, math.floor(math.log(2 / delta) / -math.log1p(-success)) - 1)
    while 2 * all_runs_fail(success, k) > delta:
        k += 1
    return k


def validation_size(gamma: Scalar, n_runs: int, delta: Scalar) -> int:
    """ceil(2 / gamma^2 * ln(4k/delta)): on so many examples all k errors are known to gamma / 2.

    >>> validation_size(Fraction(1, 10), 50, Fraction(1, 20))
    1659
    """
    _require_sizes(gamma, n_runs, delta)
    return _whole((2 / _as_ball(gamma) ** 2 * _as_ball(quotient(4 * n_runs, delta)).log()).ceil())


def selection_base(epsilon: Scalar, gamma: Scalar) -> Values:
    """q = 1 - (sqrt(epsilon + gamma) - sqrt(epsilon))^2, computed with the one root that is left when it is expanded.

    >>> selection_base(0, Fraction(1, 4))
    Fraction(3, 4)
    """
    require_nonnegative(epsilon, "epsilon", "it is an error")
    return 1 - gamma - 2 * epsilon + 2 * square_root(epsilon * (epsilon + gamma))


def selection_bound(success: NumberKind, n_runs: int, epsilon: Scalar, gamma: Scalar, n_fresh: int) -> Scalar:
    """(1 - success)^k + (k - 1) q^n: the choice on n fresh examples among k runs fails at most with this probability.

    >>> selection_bound(Fraction(1, 2), 2, 0, Fraction(1, 2), 3)
    Fraction(3, 8)
    """
    return all_runs_fail(success, n_runs) + (n_runs - 1) * selection_base(epsilon, gamma) ** n_fresh


def selection_size(epsilon: Scalar, gamma: Scalar, n_runs: int, delta: Scalar) -> int:
    """ceil(ln(2(k - 1)/delta) / ln(1/q)), the least n with (k - 1) q^n <= delta / 2, for k >= 2 runs.

    >>> selection_size(Fraction(1, 10), Fraction(1, 10), 50, Fraction(1, 20))
    439
    """
    _require_sizes(gamma, n_runs, delta)
    require_at_least(n_runs, 2, "n_runs", "among fewer there is no choice")
    q = selection_base(_as_ball(epsilon), _as_ball(gamma))
    return _whole((_as_ball(quotient(2 * (n_runs - 1), delta)).log() / (1 / q).log()).ceil())


def simple_selection_size(epsilon: Scalar, gamma: Scalar, n_runs: int, delta: Scalar) -> int:
    """ceil((sqrt(epsilon + gamma) + sqrt(epsilon))^2 / gamma^2 * ln(2(k - 1)/delta)), which is never less.

    >>> simple_selection_size(Fraction(1, 10), Fraction(1, 10), 50, Fraction(1, 20))
    442
    """
    _require_sizes(gamma, n_runs, delta)
    require_at_least(n_runs, 2, "n_runs", "among fewer there is no choice")
    roots = _as_ball(epsilon + gamma).sqrt() + _as_ball(epsilon).sqrt()
    return _whole((roots**2 / _as_ball(gamma) ** 2 * _as_ball(quotient(2 * (n_runs - 1), delta)).log()).ceil())


def _require_edge(edge: Scalar) -> None:
    require_share(2 * edge, "2 edge", "an edge lies between 0 and 1/2", zero=False, one=False)


def _require_sizes(gamma: Scalar, n_runs: int, delta: Scalar) -> None:
    require_share(gamma, "gamma", zero=False)
    require_at_least(n_runs, 1, "n_runs")
    require_share(delta, "delta", zero=False, one=False)


def _as_ball(value: Scalar) -> Ball:
    return ball(value) if isinstance(value, Rational | float) else value


def _whole(value: Ball) -> int:
    found = value.unique_fmpz()
    if found is None:
        raise ValueError(
            f"expected a number that is not next to a whole one, got {value}: change the arguments a little"
        )
    return int(found)
