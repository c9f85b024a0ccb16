"""What counting labellings promises for the next example."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from math import comb

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.constraint_classification import (
    growth_risk_bound,
    log_growth_bound,
    ranking_count_bound,
    realised_patterns,
)
from mcbook.foundation.distributions import uniform_distribution
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.proof.exact import ball

Found = Iterator[Evidence]


# --- by counting labellings ------------------------------------------------------------------------------------------

growth = Claim(
    "thm-argmax-growth-function",
    "upper bound",
    "exact",
    source="roth-cis519",
    where="VC bound slide",
    implements=(log_growth_bound, growth_risk_bound, realised_patterns),
    formula=(
        Formula("eq-log-growth", log_growth_bound, numbers="balls", where=r"mk\ge2d"),
        Formula(
            "eq-growth-risk",
            growth_risk_bound,
            numbers="balls",
            arguments={"log_chance": r"\ln\frac1\delta", "log_growth": r"\ln\Pi(m)"},
        ),
    ),
    symbols=(Reading(r"\widehat R_S(h)", "share", arguments={"training_error": r"\widehat R_S(h)"}),),
)


def tied_labellings_on_a_line(X: list[int], k: int) -> int:
    """All labellings of points ±x of the line through 0, ties to the smaller label, by all weak orders of the w_z."""
    return len(
        {tuple(max(range(k), key=lambda z: (w[z] * x, -z)) for x in X) for w in itertools.product(range(k), repeat=k)}
    )


@growth.check("complete counts, without ties in one and two dimensions and with ties on a line, against the bound")
def counts_against_the_bound(rng: np.random.Generator) -> Found:
    for k, d, m in ((2, 1, 3), (2, 2, 4), (3, 2, 3), (2, 3, 4), (4, 1, 2)):
        X = as_integers(rng.integers(-5, 6, (m, d)))
        X[~X.any(axis=1)] = 1
        count = len(realised_patterns(X, k))
        yield at_most(f"k = {k}, d = {d}, m = {m}: ln count", ball(count).log(), log_growth_bound(ball(m), k, d))
    for k in (2, 3, 4):
        count = tied_labellings_on_a_line([1, -1, 2], k)
        yield at_most(f"ties, k = {k}: ln count", ball(count).log(), log_growth_bound(ball(3), k, 1))


def failure_of_uniform_bound(delta: Fraction, factor: int | Fraction = 1) -> Fraction:
    """Points ±1 with random labels, m = 16: exact probability that some of the three rules of k = 2 is too good."""
    distribution, m = uniform_distribution(4), 16
    # Atoms (x, y): (1, 1), (1, 2), (-1, 1), (-1, 2); rules as the atoms they get wrong.
    rules = ([1, 2], [0, 3], [1, 3])
    failure = Fraction(0)
    for sample, probability in distribution.samples(m):
        for wrong in rules:
            training = Fraction(sum(sample[a] for a in wrong), m)
            deviation = growth_risk_bound(ball(training), ball(3).log(), m, -ball(delta).log()) - ball(training)
            if ball(Fraction(1, 2) - training) > ball(Fraction(factor)) * deviation:
                failure += probability
                break
    return failure


@growth.check("exact probability that some rule is better on 16 examples than the bound allows: positive, at most δ")
def uniform_bound(rng: np.random.Generator) -> Found:
    yield equal("labellings of ±1 by two labels, ties included", tied_labellings_on_a_line([1, -1], 2), 3)
    for delta in (Fraction(4, 5), Fraction(9, 10)):
        failure = failure_of_uniform_bound(delta)
        yield less_than("0, probability of failure", 0, failure)
        yield at_most("probability of failure, δ", failure, delta)


@growth.extremal("two labels, many points in general position: by Cover's count the logarithm is up to half the bound")
def half_the_bound() -> Found:
    yield equal(
        "Cover's count for 4 points of the plane",
        len(realised_patterns(general_position(4), 2)),
        ranking_count_bound(4, 2, 2),
    )
    m, d = 10**9, 30
    cover = 2 * sum(comb(m - 1, i) for i in range(d))
    yield at_most("ln count, bound", ball(cover).log(), log_growth_bound(ball(m), 2, d))


def general_position(m: int) -> np.ndarray:
    return as_integers([[1, t] for t in range(m)])


@growth.trace("two labels, two points of the plane, and a sample of sixteen")
def proof_on_two_points() -> Found:
    k, d, m = 2, 2, 2
    N, D = m * k * (k - 1) // 2, d * k
    count = len(realised_patterns(general_position(m), k))
    yield equal("1. hyperplanes mk(k − 1)/2", N, 2)
    cells = sum(comb(N, i) for i in range(D + 1))
    yield at_most("2. labellings, Σ binom(N, i) over i ≤ dk", count, cells)
    wide = Fraction(m * k * k, 2)
    yield at_least("3. N' = mk²/2 is at least dk", wide, D)
    yield at_most("4. Σ N'^i / i!, (e N' / dk)^(dk)", cells, (D * (1 + (ball(wide) / D).log())).exp())
    yield equal(
        "5. its logarithm, the bound", D * (1 + (ball(wide) / D).log()), log_growth_bound(ball(m), k, d), within=1e-9
    )
    m = 16
    mean_of_maxima = Fraction(0)
    for ones in range(m + 1):
        # Three sign sums: their maximum has a mean of at most √(2 m ln 3 / 4) for 0-1 vectors moved by 1/2.
        mean_of_maxima += Fraction(comb(m, ones), 2**m) * max(ones - Fraction(m, 2), Fraction(m, 2) - ones)
    yield at_most("6. E max of two opposite sums, √(m ln 2 / 2)", mean_of_maxima, (ball(m) * ball(2).log() / 2).sqrt())
    yield equal(
        "7. √(2 ln Π/m) + √(ln(1/δ)/2m) at training error 0",
        growth_risk_bound(ball(0), ball(3).log(), m, ball(2).log()),
        (2 * ball(3).log() / m).sqrt() + (ball(2).log() / (2 * m)).sqrt(),
        within=1e-9,
    )


@growth.control("the count below m = 2d/k: one point of ten dimensions")
def too_few_points() -> Found:
    count = len(realised_patterns(as_integers([[1] * 10]), 2))
    m, k, d = 1, 2, 10
    yield at_most("ln count, dk (1 + ln(mk/2d))", ball(count).log(), d * k * (1 + ball(Fraction(m * k, 2 * d)).log()))


@growth.strengthened("half of dk in place of dk", by=Fraction(9, 20))
def a_smaller_exponent(factor: Fraction) -> Found:
    m, d = 10**9, 30
    cover = 2 * sum(comb(m - 1, i) for i in range(d))
    yield at_most("ln count, bound", ball(cover).log(), ball(Fraction(factor)) * log_growth_bound(ball(m), 2, d))


@growth.strengthened("the deviation of the uniform bound", by=Fraction(1, 5))
def a_smaller_deviation(factor: Fraction) -> Found:
    yield at_most("probability of failure, δ", failure_of_uniform_bound(Fraction(1, 2), factor), Fraction(1, 2))
