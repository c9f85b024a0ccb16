"""Hoeffding's lemma and McDiarmid's inequality: how near a function of many independent variables stays to its mean."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most
from mcbook.claims.rademacher.generalisation import log_fair_tail
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.distributions import (
    FiniteDistribution,
    distribution_from_counts,
    random_probabilities,
    uniform_distribution,
)
from mcbook.foundation.numbers import ball, square_root
from mcbook.foundation.types import Ball, Number
from mcbook.rademacher import bounded_differences_exponent, bounded_differences_tail, hoeffding_exponent, hoeffding_tail

Found = Iterator[Evidence]
Table = np.ndarray

RATES = (Fraction(-7, 2), Fraction(-1, 3), Fraction(1, 2), Fraction(2), Fraction(5))
# Where sinh and cosh are their first terms, to a few hundredths of a per cent.
SMALL = Fraction(1, 20)
NEARLY = Fraction(999, 1000)
FAIR = uniform_distribution(2)
# Heads in a million throws of a fair coin, more than half of them by sixty standard deviations.
THROWS, EXCESS = 10**6, 30_000


def exponential(exponent: Number) -> Ball:
    return ball(exponent).exp()


def log_moment(distribution: FiniteDistribution, values: Sequence[Number], rate: Fraction) -> Ball:
    """ln E exp(rate * value), as a ball."""
    return sum(ball(p) * exponential(rate * v) for p, v in zip(distribution.probabilities, values, strict=True)).log()


hoeffding = Claim(
    "lem-hoeffding",
    "upper bound",
    "exact",
    source=("hoeffding1963", "allwein2000"),
    where="(4.16) and Theorem 2; used in Lemma 4 and Theorem 3 of the latter",
    implements=(hoeffding_exponent, hoeffding_tail),
    formula=(
        Formula("eq-hoeffding", hoeffding_exponent, result=exponential),
        Formula("eq-hoeffding-tail", hoeffding_tail, numbers="balls"),
    ),
    symbols=(
        Reading(r"\lambda", "real", arguments={"rate": r"\lambda"}),
        Reading("N", "count", arguments={"n_signs": "N"}),
        Reading(r"\theta", "nonnegative", arguments={"deviation": r"\theta"}),
        Reading("c", "nonnegative", arguments={"width": "c"}),
    ),
)


@hoeffding.check("random distributions with two to four atoms, centred, tilted to either side")
def random_centred_distributions(rng: np.random.Generator) -> Found:
    for _ in range(40):
        n_atoms = int(rng.integers(2, 5))
        distribution = FiniteDistribution(random_probabilities(rng, n_atoms))
        values = rng.choice(np.arange(-9, 10), n_atoms, replace=False).astype(object) * Fraction(1, 4)
        centred = values - distribution.expectation(values)
        for rate in RATES:
            limit = hoeffding_exponent(rate, max(values) - min(values))
            yield at_most("ln E exp(λV) ≤ λ²c²/8", log_moment(distribution, centred, rate), limit)


@hoeffding.check("the mean of up to forty signs of one distribution, every count of them, up to the largest deviation")
def the_mean_of_signs(rng: np.random.Generator) -> Found:
    for n_signs in (1, 7, 40):
        positive = Fraction(int(rng.integers(1, 8)), 8)
        for deviation in (Fraction(1, 10), Fraction(1, 2), Fraction(3, 2)):
            tail = binomial_deviation(n_signs, positive, deviation)
            yield at_most("Pr[|mean − E| > θ] ≤ 2 exp(−Nθ²/2)", tail, hoeffding_tail(ball(deviation), n_signs))


def binomial_deviation(n_signs: int, positive: Fraction, deviation: Fraction) -> Fraction:
    """The probability that the mean of the signs is further than this from its expectation, by counts."""
    return sum(
        (
            math.comb(n_signs, n) * positive**n * (1 - positive) ** (n_signs - n)
            for n in range(n_signs + 1)
            if abs(Fraction(2 * n - n_signs, n_signs) - (2 * positive - 1)) > deviation
        ),
        Fraction(0),
    )


def fair_sign(rate: Fraction) -> Number:
    return log_moment(FAIR, (-1, 1), rate)


@hoeffding.extremal("a fair sign under a small tilt: more than 0.999 of the exponent")
def a_fair_sign_under_a_small_tilt() -> Found:
    for rate in (SMALL, -SMALL / 10):
        found, limit = fair_sign(rate), hoeffding_exponent(rate, 2)
        yield at_most("ln E exp(λV) ≤ λ²c²/8", found, limit, at=f"λ = {rate}", statement=True)
        yield at_least("ln cosh λ ≥ 0.999 λ²/2", found, NEARLY * limit, at=f"λ = {rate}")


@hoeffding.strengthened(
    "The exponent cannot be a thousandth smaller: for a fair sign and λ = 1/20, ln E exp(λV) is {left}, "
    "more than {right}.",
    by=NEARLY,
)
def the_exponent(factor: int | Fraction) -> Found:
    yield at_most("ln cosh λ ≤ λ²/2", fair_sign(SMALL), factor * hoeffding_exponent(SMALL, 2))


@hoeffding.control(
    "The mean has to be 0: for a sign that is positive with probability 3/4, and λ = 1/20, ln E exp(λV) "
    "is {left}, more than {right}."
)
def a_mean_that_is_not_zero() -> Found:
    distribution = distribution_from_counts([1, 3])
    yield at_most("ln E exp(λV) ≤ λ²c²/8", log_moment(distribution, (-1, 1), SMALL), hoeffding_exponent(SMALL, 2))


def log_two_sided_tail(factor: int | Fraction) -> tuple[Ball, Ball]:
    """ln of the probability that the mean of a million fair signs is far from 0, and of what is allowed."""
    deviation = Fraction(2 * EXCESS - 1, THROWS)
    # A mean further than this from 0 is a share of heads further than half of it from 1/2, on either side.
    tail = log_fair_tail(ball(deviation) / 2, THROWS)[0] + ball(2).log()
    return tail, hoeffding_tail(ball(deviation) * square_root(ball(factor)), THROWS).log()


@hoeffding.extremal("a million fair signs: ln of the tail is within a hundredth of ln of the bound")
def a_million_fair_signs() -> Found:
    tail, allowed = log_two_sided_tail(1)
    yield at_most("ln Pr[|mean| > θ] ≤ ln 2 − Nθ²/2", tail, allowed)
    yield at_least("ln Pr[|mean| > θ] ≥ 1.01 (ln 2 − Nθ²/2)", tail, allowed * 101 / 100)


@hoeffding.strengthened(
    "The factor 2 in front cannot be 1.6: one fair sign is further than 0.999 from 0 with probability {left}, more "
    "than {right}.",
    by=Fraction(4, 5),
)
def the_factor_of_two_sides(factor: int | Fraction) -> Found:
    deviation = Fraction(999, 1000)
    tail = binomial_deviation(1, Fraction(1, 2), deviation)
    yield at_most("Pr[|mean − E| > θ] ≤ 2 exp(−Nθ²/2)", tail, ball(factor) * hoeffding_tail(ball(deviation), 1))


@hoeffding.strengthened(
    "The exponent Nθ²/2 cannot be one per cent larger: the logarithm of the tail of a million fair signs "
    "is {left}, more than the {right} that this would allow.",
    by=Fraction(101, 100),
)
def the_exponent_of_the_two_sided_tail(factor: int | Fraction) -> Found:
    yield at_most("ln Pr[|mean| > θ] ≤ ln 2 − Nθ²/2", *log_two_sided_tail(factor))


mcdiarmid = Claim(
    "lem-bounded-differences",
    "upper bound",
    "exact",
    source="mcdiarmid1989",
    where="Lemma 1.2",
    implements=(bounded_differences_exponent, bounded_differences_tail),
    formula=(
        Formula("eq-bounded-differences", bounded_differences_exponent, result=exponential),
        Formula("eq-mcdiarmid", bounded_differences_tail, numbers="balls"),
    ),
    symbols=(
        Reading(r"\lambda", "real", arguments={"rate": r"\lambda"}),
        Reading("c_i", "positive", slots=("i",), shape=("m",), arguments={"differences": "c_i"}),
        Reading("t", "nonnegative", arguments={"excess": "t"}),
    ),
)


def largest_changes(values: Table) -> list[Number]:
    """By how much each variable alone can move a function given by its table, one axis for each variable."""
    return [np.max(values.max(axis=i) - values.min(axis=i)) for i in range(values.ndim)]


@mcdiarmid.check("random functions of one to four independent variables, all values enumerated")
def random_functions_of_independent_variables(rng: np.random.Generator) -> Found:
    for _ in range(25):
        n_values = [int(n) for n in rng.integers(2, 4, int(rng.integers(1, 5)))]
        distributions = [FiniteDistribution(random_probabilities(rng, n)) for n in n_values]
        values = rng.integers(-3, 4, n_values).astype(object)
        distribution = functools.reduce(FiniteDistribution.product, distributions)
        centred, changes = values.ravel() - distribution.expectation(values.ravel()), largest_changes(values)
        if not any(changes):
            continue
        for rate in RATES[1:4]:
            limit = bounded_differences_exponent(rate, changes)
            yield at_most("ln E exp(λ(F − EF)) ≤ (λ²/8) Σ cᵢ²", log_moment(distribution, centred, rate), limit)
        for excess in (Fraction(1, 3), Fraction(2), max(centred)):
            tail = distribution.probability((centred >= excess).astype(bool))
            yield at_most("Pr[F ≥ EF + t] ≤ exp(−2t²/Σcᵢ²)", tail, bounded_differences_tail(ball(excess), changes))


def log_tail(factor: int | Fraction) -> tuple[Ball, Ball]:
    """ln of the probability of so many heads, and of what the inequality allows, its exponent taken that often."""
    heads = log_fair_tail(ball(EXCESS - Fraction(1, 2)) / THROWS, THROWS)
    allowed = bounded_differences_tail(ball(EXCESS), np.ones(THROWS, dtype=np.int64))
    return heads, ball(factor) * allowed.log()


@mcdiarmid.extremal("heads in a million throws: ln of the tail is within a hundredth of −2t²/Σcᵢ²")
def heads_in_a_million_throws() -> Found:
    (lower, upper), allowed = log_tail(1)
    yield at_most("ln Pr[F ≥ EF + t] ≤ −2t²/Σcᵢ²", upper, allowed)
    yield at_least("ln Pr[F ≥ EF + t] ≥ −1.01 · 2t²/Σcᵢ²", lower, allowed * 101 / 100)


@mcdiarmid.extremal("three fair signs under a small tilt: more than 0.999 of the exponent")
def three_fair_signs_under_a_small_tilt() -> Found:
    limit = bounded_differences_exponent(SMALL, [2, 2, 2])
    yield at_most("ln E exp(λ(F − EF)) ≤ (λ²/8) Σ cᵢ²", 3 * fair_sign(SMALL), limit, at="F = Σσᵢ", statement=True)
    yield at_least("ln E exp(λΣσᵢ) ≥ 0.999 (λ²/8) Σ cᵢ²", 3 * fair_sign(SMALL), NEARLY * limit)


@mcdiarmid.strengthened(
    "The exponent of the tail cannot be one per cent larger: for the heads in a million throws the "
    "logarithm of the probability is at least {left}, more than {right}.",
    by=Fraction(101, 100),
)
def the_exponent_of_the_tail(factor: int | Fraction) -> Found:
    (lower, upper), allowed = log_tail(factor)
    yield at_most("ln Pr[F ≥ EF + t] ≤ −2t²/Σcᵢ²", lower if factor != 1 else upper, allowed)


@mcdiarmid.strengthened(
    "The tail cannot have a factor of 0.98 in front: one throw that shows heads in 99 of 100 cases is 1/100 above its "
    "mean with probability {left}, more than {right}.",
    by=Fraction(98, 100),
)
def the_factor_in_front(factor: int | Fraction) -> Found:
    share = Fraction(99, 100)
    allowed = ball(factor) * bounded_differences_tail(ball(1 - share), [1])
    yield at_most("Pr[F ≥ EF + t] ≤ exp(−2t²/Σcᵢ²)", share, allowed, at="t = 1/100")


@mcdiarmid.strengthened(
    "The constant 1/8 cannot be a thousandth smaller: for the sum of three fair signs, and λ = 1/20, ln E "
    "exp(λF) is {left}, more than {right}.",
    by=NEARLY,
)
def the_exponent_of_the_moments(factor: int | Fraction) -> Found:
    limit = factor * bounded_differences_exponent(SMALL, [2, 2, 2])
    yield at_most("ln E exp(λΣσᵢ) ≤ (λ²/8) Σ cᵢ²", 3 * fair_sign(SMALL), limit)


@mcdiarmid.control(
    "The variables have to be independent: one coin that is read four times shows two heads more than the "
    "mean with probability {left}, and independent coins do so with at most {right}.",
    story=True,
)
def one_coin_read_four_times() -> Found:
    tail = Fraction(1, 2)  # four heads, two more than the mean
    yield at_most("Pr[F ≥ EF + 2] ≤ exp(−2)", tail, bounded_differences_tail(ball(2), [1] * 4))


@mcdiarmid.control(
    "The largest change cannot replace the sum over all variables: ten throws show at least two heads "
    "more than the mean with probability {left}, more than {right}."
)
def one_change_for_all() -> Found:
    tail = Fraction(sum(math.comb(10, heads) for heads in range(7, 11)), 2**10)
    yield at_most("Pr[F ≥ EF + t] ≤ exp(−2t²/c²)", tail, bounded_differences_tail(ball(2), [1]))
