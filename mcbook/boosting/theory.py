"""The formulas of AdaBoost: steps, normalisers, and bounds on the training error.

They take floats as well as exact numbers; where a root or a logarithm is to be known with its rounding, give balls of
python-flint.  An error is a share of the current weights, 0 < error < 1/2 for a hypothesis that is worth a vote; its
edge is 1/2 - error.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from mcbook.foundation.checks import require_at_least, require_share, require_whole
from mcbook.foundation.numbers import logarithm, quotient, square_root
from mcbook.foundation.types import Array, NumberKind, Scalar, Values

# One round.


def vote_odds(error: NumberKind) -> NumberKind:
    """(1 - error) / error = e^(2 alpha): what a vote of the hypothesis multiplies the squared odds by.

    >>> vote_odds(Fraction(3, 10))
    Fraction(7, 3)
    """
    require_share(
        error, "error", "a share of the weights; of an error of 0 the step is infinite", zero=False, one=False
    )
    return quotient(1 - error, error)


def step_size(error: NumberKind) -> Scalar:
    """alpha = 1/2 ln((1 - error) / error), the vote of a hypothesis.

    >>> round(step_size(Fraction(3, 10)), 4)
    0.4236
    """
    return logarithm(vote_odds(error)) / 2


def normaliser(error: Scalar) -> Scalar:
    """Z = 2 sqrt(error (1 - error)), the least value over all steps of `normaliser_at`.

    >>> normaliser(Fraction(1, 10))
    Fraction(3, 5)
    """
    return 2 * square_root(error * (1 - error))


def normaliser_at(error: NumberKind, growth: Scalar) -> NumberKind:
    """(1 - error) / growth + error growth: the sum of the new weights for the step alpha = ln growth.

    >>> normaliser_at(Fraction(1, 10), 3)
    Fraction(3, 5)
    """
    return quotient(1 - error, growth) + error * growth


# Many rounds.


def squared_votes(odds: Iterable[Values], agreements: Array) -> Array:
    """e^(2 y f) = prod_t odds_t^(y h_t): exact where the odds are, and > 1 exactly where the vote is right.

    ``agreements (n_rounds, n_samples)`` has +1 where hypothesis t is right and -1 where it is wrong.

    >>> squared_votes([Fraction(3), Fraction(2)], np.array([[1, -1], [-1, -1]])).tolist()
    [Fraction(3, 2), Fraction(1, 6)]
    """
    product = np.full(np.shape(agreements)[1:], Fraction(1), dtype=object)
    for base, row in zip(odds, agreements, strict=True):
        product = product * np.where(row > 0, base, quotient(1, base))
    return product


def training_error_bound(errors: Iterable[Scalar]) -> Scalar:
    """prod_t 2 sqrt(error_t (1 - error_t)): the training error is at most this.

    >>> training_error_bound([Fraction(1, 10), Fraction(1, 2)])
    Fraction(3, 5)
    """
    return math.prod(map(normaliser, errors))


def squared_training_error_bound(errors: Iterable[Scalar]) -> Values:
    """prod_t 4 error_t (1 - error_t), the square of the bound, which is rational with the errors.

    >>> squared_training_error_bound([Fraction(1, 4), Fraction(1, 4)])
    Fraction(9, 16)
    """
    return math.prod(4 * error * (1 - error) for error in errors)


def bound_with_edges(edges: Iterable[Scalar]) -> Scalar:
    """prod_t sqrt(1 - 4 edge_t^2), the same bound in terms of the edges.

    >>> bound_with_edges([Fraction(2, 5)])
    Fraction(3, 5)
    """
    return math.prod(square_root(1 - 4 * edge * edge) for edge in edges)


def exponential_bound(edges: Iterable[Scalar]) -> Scalar:
    """exp(-2 sum_t edge_t^2), simpler than the product and never less.

    >>> round(exponential_bound([0.3, 0.4]), 4)
    0.6065
    """
    total = sum(edge * edge for edge in edges)
    exponent = -2 * total
    return exponent.exp() if hasattr(exponent, "exp") else math.exp(exponent)


def bound_with_least_edge(edge: Scalar, n_rounds: int) -> Scalar:
    """(1 - 4 edge^2)^(T / 2), what the bound says to one who knows only the least edge.

    >>> bound_with_least_edge(Fraction(2, 5), 2)
    Fraction(9, 25)
    """
    base = 1 - 4 * edge * edge
    whole, odd = divmod(n_rounds, 2)
    return base**whole * (square_root(base) if odd else 1)


# How good the bound is.


def binomial_error(error: Scalar, n_rounds: Scalar) -> Values:
    """Pr[Bin(T, error) >= T/2]: the training error where all hypotheses err independently of each other.

    >>> binomial_error(Fraction(1, 4), 2)
    Fraction(7, 16)
    """
    T = require_whole(n_rounds, "n_rounds", at_least=1)
    terms = (math.comb(T, wrong) * error**wrong * (1 - error) ** (T - wrong) for wrong in range(-(-T // 2), T + 1))
    return sum(terms)


def mass_bound(normaliser_product: Scalar, total: Scalar, theta: Scalar = 0) -> Scalar:
    """(Pi - e^-A) / (e^(-theta A) - e^-A): most of the weight that margins <= theta can have, -1 <= theta < 1.

    ``normaliser_product`` is Pi = prod_t Z_t and ``total`` is A = sum_t alpha_t, a float or a ball.

    >>> round(float(mass_bound(0.75, math.log(3.0))), 4)
    0.625
    """
    least = _exp(-total)
    return quotient(normaliser_product - least, _exp(-theta * total) - least)


def worst_training_error(error: NumberKind, n_rounds: int) -> NumberKind:
    """p_T: no training error after T rounds of the same error is larger; attained where p_T >= error.

    ((4 e (1 - e))^(T/2) - kappa^(T/2)) / (1 - kappa^(T/2)) for even T, kappa = e / (1 - e), and
    (2 e (4 e (1 - e))^((T-1)/2) - kappa^((T+1)/2)) / (1 - kappa^((T+1)/2)) for odd T.

    >>> worst_training_error(Fraction(1, 4), 2), worst_training_error(Fraction(1, 4), 1)
    (Fraction(5, 8), Fraction(1, 4))
    """
    T = require_whole(n_rounds, "n_rounds", at_least=1)
    return worst_error_even(error, T) if T % 2 == 0 else worst_error_odd(error, T)


def worst_error_even(error: NumberKind, n_rounds: int) -> NumberKind:
    """p_T for even T.

    >>> worst_error_even(Fraction(1, 4), 2)
    Fraction(5, 8)
    """
    half = n_rounds // 2
    least = quotient(error, 1 - error) ** half
    return quotient((4 * error * (1 - error)) ** half - least, 1 - least)


def worst_error_odd(error: NumberKind, n_rounds: int) -> NumberKind:
    """p_T for odd T.

    >>> worst_error_odd(Fraction(1, 4), 1)
    Fraction(1, 4)
    """
    half = (n_rounds - 1) // 2
    least = quotient(error, 1 - error) ** (half + 1)
    return quotient(2 * error * (4 * error * (1 - error)) ** half - least, 1 - least)


def relative_margins(agreements: Array, steps: Array) -> Array:
    """sum_t alpha_t y h_t / sum_t alpha_t, in [-1, 1], from ``agreements (n_rounds, ...)`` of +1 and -1.

    >>> relative_margins(np.array([[1, -1], [1, 1]]), np.array([1.0, 3.0])).tolist()
    [1.0, 0.5]
    """
    steps = np.asarray(steps)
    return np.asarray(np.tensordot(steps, np.asarray(agreements), axes=1) / steps.sum())


# The distribution behind the sample.


def expected_exponential_loss(probability: Scalar, score: Scalar) -> Scalar:
    """p e^-f + (1 - p) e^f: the mean loss of the score f where the label is +1 with probability p.

    >>> float(expected_exponential_loss(0.75, 0.0))
    1.0
    """
    return probability * _exp(-score) + (1 - probability) * _exp(score)


def half_log_odds(probability: Scalar) -> Scalar:
    """1/2 ln(p / (1 - p)), the score with the least expected exponential loss.

    >>> half_log_odds(0.5)
    np.float64(0.0)
    """
    require_share(probability, "probability", zero=False, one=False)
    return logarithm(quotient(probability, 1 - probability)) / 2


def least_exponential_loss(probability: Scalar) -> Scalar:
    """2 sqrt(p (1 - p)), the expected exponential loss of the best score.

    >>> least_exponential_loss(Fraction(4, 5))
    Fraction(4, 5)
    """
    return normaliser(probability)


def memorising_risk(n_points: Scalar, n_samples: Scalar) -> Scalar:
    """1 - m / N: a rule that knows its m examples and errs on all else has at least this risk on N equal points.

    >>> memorising_risk(10, 3)
    Fraction(7, 10)
    """
    require_at_least(n_points, n_samples, "n_points", "with more examples than points it says nothing")
    return 1 - quotient(n_samples, n_points)


def _exp(value: Scalar) -> Scalar:
    if hasattr(value, "exp"):
        return value.exp()
    return np.exp(float(value)) if isinstance(value, int | Fraction) else np.exp(value)
