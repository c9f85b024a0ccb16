"""The one-sided generalisation bound."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import flint
import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball, rational
from mcbook.foundation.proof.exact import count_vectors, sign_vectors
from mcbook.foundation.types import Ball, Number
from mcbook.rademacher import (
    all_patterns,
    average_complexity,
    confidence_term,
    deviation_distribution,
    failure_probability,
    generalisation_bound,
)
from mcbook.rademacher.algorithm.distributions import bound_failure_probability

Found = Iterator[Evidence]
Table = np.ndarray
Distribution = list[Fraction]

bound = Claim(
    "thm-rademacher-generalisation",
    "upper bound",
    "exact",
    source="mohri2018",
    where="Theorem 3.3, used in §9.2",
    implements=(generalisation_bound, failure_probability, deviation_distribution),
    formula=Formula("eq-rademacher-bound", generalisation_bound, numbers="balls"),
)

HALF = Fraction(1, 2)
DELTAS = (Fraction(1, 20), HALF, Fraction(9, 10))


def threshold(values: Table, distribution: Distribution, n_samples: int, delta: Fraction) -> Number:
    """By how much the bound allows a mean to exceed the average on the sample."""
    complexity = average_complexity(values, distribution, n_samples)
    return generalisation_bound(ball(0), ball(complexity), ball(delta), n_samples)


def instances(rng: np.random.Generator) -> Iterator[tuple[Table, Distribution, int]]:
    for n_atoms, n_samples in ((2, 4), (2, 10), (2, 30), (3, 8), (4, 3), (4, 10)):
        yield all_patterns(n_atoms, (0, 1)), [Fraction(1, n_atoms)] * n_atoms, n_samples
    for _ in range(25):
        n_atoms = int(rng.integers(2, 5))
        weights = rng.integers(1, 9, n_atoms)
        distribution = [Fraction(int(w), int(weights.sum())) for w in weights]
        values = rng.integers(0, 5, (int(rng.integers(2, 7)), n_atoms)).astype(object) * Fraction(1, 4)
        yield values, distribution, int(rng.integers(1, 8))


@bound.check("exact failure probability on at most four atoms")
def exact_failure_probability_on_at_most_four_atoms(rng: np.random.Generator) -> Found:
    for values, distribution, n_samples in instances(rng):
        for delta in DELTAS:
            failure = failure_probability(
                values, distribution, n_samples, threshold(values, distribution, n_samples, delta)
            )
            yield at_most("failure probability ≤ δ", failure, delta, at=f"m = {n_samples}")


@bound.check("one indicator of a biased coin: the bound with the average of each sample, where failures do occur")
def one_indicator_of_a_biased_coin(rng: np.random.Generator) -> Found:
    for mean, m, delta in product((Fraction(1, 2), Fraction(4, 5)), (100, 200), (Fraction(1, 4), Fraction(1, 10**12))):

        def limit(average: Fraction, m: int = m, delta: Fraction = delta) -> Number:
            return generalisation_bound(ball(average), ball(0), ball(delta), m)

        failure = bound_failure_probability([[1, 0]], [mean, 1 - mean], m, limit)
        yield less_than("0 < failure probability", 0, failure, at=f"mean = {mean}, m = {m}")
        yield at_most("failure probability ≤ δ", failure, delta, at=f"mean = {mean}, m = {m}")


@bound.check("the step in the mean: E sup (Eg − average of g) ≤ 2 Rₘ")
def the_step_in_the_mean(rng: np.random.Generator) -> Found:
    for values, distribution, n_samples in instances(rng):
        mean = sum(deviation * p for deviation, p in deviation_distribution(values, distribution, n_samples))
        twice = generalisation_bound(0, average_complexity(values, distribution, n_samples), 1, n_samples)
        yield at_most("E sup ≤ 2 Rₘ", mean, twice)


def all_functions(n_atoms: int, n_samples: int) -> tuple[Fraction, Fraction]:
    """E sup and R_m of all [0, 1]-valued functions on equally likely atoms, of which there are more than samples.

    The function that is 1 on the atoms not seen and 0 elsewhere is the worst: its mean is the share of atoms not seen.
    For given signs the best function is 1 on the atoms whose signs have a positive sum, and the sum of the positive
    parts is half the sum of the absolute values, as the sums themselves have mean 0.
    """
    p = Fraction(1, n_atoms)
    positive = Fraction(0)
    for count in range(1, n_samples + 1):
        chance = math.comb(n_samples, count) * p**count * (1 - p) ** (n_samples - count)
        walk = sum(math.comb(count, j) * abs(2 * j - count) for j in range(count + 1))
        positive += chance * Fraction(walk, 2 * 2**count)
    return (1 - p) ** n_samples, n_atoms * positive / n_samples


@bound.extremal("all functions on many atoms: the factor 2 in front of Rₘ is attained in the limit")
def all_functions_on_many_atoms() -> Found:
    small = all_patterns(4, (0, 1)), [Fraction(1, 4)] * 4
    for m in (2, 3):
        supremum, complexity = all_functions(4, m)
        yield equal("Rₘ by the formula = over all samples", complexity, average_complexity(*small, m), at=f"m = {m}")
        mean = sum(deviation * p for deviation, p in deviation_distribution(*small, m))
        yield equal("E sup by the formula = over all samples", supremum, mean, at=f"m = {m}")
    for n_atoms in (10**4, 10**6):
        supremum, complexity = all_functions(n_atoms, 10)
        limit = generalisation_bound(0, complexity, 1, 10)
        yield at_most("E sup ≤ 2 Rₘ", supremum, limit, at=f"N = {n_atoms}")
        yield at_least("E sup ≥ 0.999 · 2 Rₘ", supremum, limit * Fraction(999, 1000), at=f"N = {n_atoms}")
    # 10^8 draws from 10^16 atoms: g is 1 on the atoms that are not drawn, and R_m is 1/2 but for about 10^-8.
    n_atoms, m = 10**16, 10**8
    limit = generalisation_bound(ball(0), ball(HALF), ball(Fraction(1, 20)), m)
    what, at = "Eg ≤ Êg + 2 Rₘ + √(ln(1/δ)/(2m))", "N = 10¹⁶, m = 10⁸, δ = 1/20"
    yield at_most(what, 1 - Fraction(m, n_atoms), limit, at=at, statement=True)


def log_fair_tail(threshold: Number, m: int) -> tuple[Ball, Ball]:
    """Bounds on ln Pr[a fair coin's share of heads in m throws is below 1/2 by more than the threshold].

    The largest term of the tail bounds it from below, and the geometric series with the ratio of the first two terms
    from above.
    """
    ones = math.ceil(float(m / 2 - m * threshold)) - 1
    assert ball(ones) < m / ball(2) - m * threshold < ball(ones + 1), "the tail begins at another count"
    term = _log_factorial(m) - _log_factorial(ones) - _log_factorial(m - ones) - m * ball(2).log()
    ratio = ball(Fraction(ones, m - ones + 1))
    return term, term - (1 - ratio).log()


def _log_factorial(n: int) -> Ball:
    return flint.arb(n + 1).lgamma()


# The confidence term is used up where δ is tiny and m much larger than ln(1/δ): 10⁹ throws of a fair coin.
THROWS, LOG_DELTA = 10**9, -200_001


def rare_failure(threshold: Callable[[Ball], Ball], factor: int | Fraction) -> Found:
    """Failures of a bound for one fair indicator, if its confidence term, that of δ in ``threshold``, has the factor.

    The factor is put into δ: sqrt(ln(1/δ)) has the factor f for δ to the power f².
    """
    limit = threshold((ball(LOG_DELTA) * ball(factor) ** 2).exp())
    yield at_most("ln of the failure probability ≤ ln δ", log_fair_tail(limit, THROWS)[0], LOG_DELTA)


@bound.check("the probability of failure itself: a fair coin misses its mean by more than 1/4 as binomials say")
def failure_of_a_fair_coin(rng: np.random.Generator) -> Found:
    for m in (2, 5, 8):
        rare = sum(math.comb(m, heads) for heads in range(m + 1) if HALF - Fraction(heads, m) > Fraction(1, 4))
        failure = failure_probability([[1, 0]], [HALF, HALF], m, Fraction(1, 4))
        yield equal("failure probability = share of the samples", failure, Fraction(rare, 2**m), at=f"m = {m}")


@bound.extremal("one fair indicator: ln of the failure probability is within a thousandth of ln δ, at δ = exp(−200001)")
def one_fair_indicator() -> Found:
    limit = generalisation_bound(ball(0), ball(0), ball(LOG_DELTA).exp(), THROWS)
    lower, upper = log_fair_tail(limit, THROWS)
    yield at_most("ln of the failure probability ≤ ln δ", upper, LOG_DELTA)
    yield at_least("ln of the failure probability ≥ 1.001 ln δ", lower, ball(LOG_DELTA) * 1001 / 1000)


@bound.trace("three functions on two atoms, samples of three points, δ = 1/2")
def three_functions_on_two_atoms_samples_of_three() -> Found:
    values = np.array([[0, 1], [1, Fraction(1, 2)], [Fraction(1, 4), 0]], dtype=object)
    distribution, m, delta = [Fraction(1, 3), Fraction(2, 3)], 3, Fraction(1, 2)
    deviations = deviation_distribution(values, distribution, m)
    mean = sum(deviation * p for deviation, p in deviations)
    ghost, swapped = _ghost_samples(values, distribution, m)
    complexity = average_complexity(values, distribution, m)
    yield at_most("E sup (Eg − Êg) ≤ E sup (Ê′g − Êg)", mean, ghost, at="a second sample S′")
    yield equal("E sup (Ê′g − Êg) = E sup mean of σᵢ(g(z′ᵢ) − g(zᵢ))", ghost, swapped, at="pairs swapped by fair signs")
    yield at_most("E sup mean of σᵢ(g(z′ᵢ) − g(zᵢ)) ≤ 2 Rₘ", swapped, 2 * complexity, at="split in two")
    yield at_most(
        "largest change of the supremum ≤ 1/m",
        _largest_change(values, distribution, m),
        Fraction(1, m),
        at="one point changed",
    )
    t = confidence_term(ball(delta), m)
    rate = 4 * m * t
    moment = sum(ball(p) * (rate * (ball(deviation) - ball(mean))).exp() for deviation, p in deviations)
    yield at_most("E exp(λ(sup − E sup)) ≤ exp(λ²/8m)", moment, (rate * rate / (8 * m)).exp(), at="λ = 4mt")
    above = failure_probability(values, distribution, m, ball(mean) + t)
    yield at_most(
        "Pr[sup > E sup + t] ≤ E exp(λ(sup − E sup)) / exp(λt)", above, moment / (rate * t).exp(), at="Markov"
    )
    yield equal("exp(λ²/8m − λt) = exp(−2mt²) ≈ δ", (-2 * m * t * t).exp(), delta, within=1e-12)
    failure = failure_probability(values, distribution, m, threshold(values, distribution, m, delta))
    yield at_most("failure probability ≤ δ", failure, delta, at="together")


def _ghost_samples(values: Table, distribution: Distribution, m: int) -> tuple[Fraction, Fraction]:
    """E sup over two independent samples, as it stands and with the pairs swapped by fair signs."""
    plain, swapped = Fraction(0), Fraction(0)
    samples = list(product(range(len(distribution)), repeat=m))
    for first, second in product(samples, samples):
        weight = math.prod((distribution[a] for a in first + second), start=Fraction(1))
        differences = values[:, list(second)] - values[:, list(first)]
        plain += weight * Fraction(max(differences.sum(axis=1))) / m
        for signs in sign_vectors(m):
            swapped += weight * Fraction(max(differences @ np.array(signs, dtype=object))) / m / 2**m
    return plain, swapped


def _largest_change(values: Table, distribution: Distribution, m: int) -> Fraction:
    """The largest difference of the supremum between two samples that differ in one point."""
    means = values @ np.array(distribution, dtype=object)

    def supremum(counts: Table) -> Fraction:
        return Fraction(max(means - values @ counts.astype(object) * Fraction(1, m)))

    largest = Fraction(0)
    for counts in count_vectors(m - 1, len(distribution)):
        reached = [supremum(np.array(counts) + added) for added in np.eye(len(distribution), dtype=int)]
        largest = max(largest, max(reached) - min(reached))
    return largest


@bound.control(
    "Without the complexity the bound is false: for all indicator functions on four equally likely atoms, "
    "and ten draws, it fails with probability {left}, where δ = {right} is allowed.",
    story=True,
)
def without_the_complexity_on_four_equally_likely() -> Found:
    term = confidence_term(ball(Fraction(1, 2)), 10)
    failure = failure_probability(all_patterns(4, (0, 1)), [Fraction(1, 4)] * 4, 10, term)
    yield at_most("failure probability ≤ δ", failure, Fraction(1, 2), at="m = 10")


@bound.control(
    "Two atoms are enough to need the complexity: without it the bound for their indicator functions "
    "fails on two draws with probability {left}, where δ = {right} is allowed."
)
def without_the_complexity_on_two_equally_likely() -> Found:
    allowed = Fraction(2, 5)
    failure = failure_probability(all_patterns(2, (0, 1)), [HALF] * 2, 2, confidence_term(ball(allowed), 2))
    yield at_most("failure probability ≤ δ", failure, allowed, at="m = 2")


@bound.control(
    "The values have to lie in [0, 1]: for a fair coin that pays 0 or 3, and ten throws, the bound fails with "
    "probability {left}, where δ = {right} is allowed."
)
def values_up_to_3() -> Found:
    coin, fair, delta = rational([[0, 3]]), [HALF, HALF], Fraction(1, 10)
    failure = failure_probability(coin, fair, 10, threshold(coin, fair, 10, delta))
    yield at_most("failure probability ≤ δ", failure, delta, at="m = 10")


@bound.control(
    "The draws have to be independent: if one throw of a fair coin is written down ten times, the bound for m = 10 "
    "fails with probability {left}, where δ = {right} is allowed."
)
def one_throw_ten_times() -> Found:
    coin, fair, delta = rational([[0, 1]]), [HALF, HALF], Fraction(1, 10)
    # The average of ten copies is that of a sample of one.
    failure = failure_probability(coin, fair, 1, threshold(coin, fair, 10, delta))
    yield at_most("failure probability ≤ δ", failure, delta, at="m = 10")


@bound.strengthened(
    "The factor 2 cannot be 1.998: almost all of 10¹⁶ atoms are missed by 10⁸ draws, so for all indicator "
    "functions the bound would fail with probability {left}, where δ = {right} is allowed.",
    by=Fraction(999, 1000),
)
def twice_the_complexity(factor: int | Fraction) -> Found:
    n_atoms, m, delta = 10**16, 10**8, Fraction(1, 20)
    # R_m <= 1/2, and whatever the sample, at least N - m of the atoms are not in it.
    allowed = generalisation_bound(ball(0), ball(factor * HALF), ball(delta), m)
    fails_always = ball(1 - Fraction(m, n_atoms)) > allowed
    yield at_most("failure probability ≤ δ", int(fails_always), delta)


@bound.strengthened(
    "The last term cannot be a thousandth smaller: on 10⁹ throws of a fair coin, with δ = exp(−200001), "
    "the bound would fail with a probability whose logarithm is at least {left}, more than {right}.",
    by=Fraction(999, 1000),
)
def the_confidence_term(factor: int | Fraction) -> Found:
    yield from rare_failure(lambda delta: generalisation_bound(ball(0), ball(0), delta, THROWS), factor)
