"""The margin bound for all margins up to a fixed one at once."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than
from mcbook.claims.margin_bounds.bounds import (
    DRAWS,
    HALF,
    RARE,
    TENTH,
    TWENTIETH,
    bound,
    coin,
    rare_but_real,
    small_distribution,
)
from mcbook.claims.rademacher.generalisation import THROWS, rare_failure
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Ball, Number
from mcbook.margin_bounds import block_complexity_limits, two_block_complexity, uniform_margin_bound
from mcbook.margin_bounds.algorithm.distributions import ScoredDistribution, uniform_failure_limit
from mcbook.rademacher import kernel_complexity_bound

Found = Iterator[Evidence]

theorem = Claim(
    "thm-margin-bound-uniform",
    "upper bound",
    "exact",
    source="mohri2018",
    where="§9.2, remark after Theorem 9.2",
    errata=("E4",),
    implements=uniform_margin_bound,
    formula=Formula("eq-bounds-uniform", uniform_margin_bound, where=r"\rho\le1", numbers="balls"),
)


def uniform(
    loss: Number, complexity: Number, rho: Number, n_classes: int, delta: Number, n_samples: int, largest: Number = 1
) -> Number:
    """The uniform bound as a ball."""
    return uniform_margin_bound(
        ball(loss), ball(complexity), ball(rho), n_classes, ball(delta), n_samples, ball(largest)
    )


GRID = [Fraction(i, 8) for i in range(1, 9)]


@theorem.check("coins with scores ±1/2: all margins in (0, 1] and both functions, every sample, bounds that do fail")
def coins_with_scores_half(rng: np.random.Generator) -> Found:
    for error, m in ((Fraction(4, 5), 400), (Fraction(int(rng.integers(7, 10)), 10), 500)):
        distribution = coin(error)
        complexity = distribution.complexity(m)
        for delta in (HALF, RARE):
            limit = uniform(0, complexity, 1, 2, delta, m)
            yield less_than("bound at margin loss 0 < risk", limit, error, at=f"ρ = 1, m = {m}")
            failure = uniform_failure_limit(distribution, m, delta, GRID)
            yield from rare_but_real(f"risk {error}, m = {m}, all ρ", failure, delta)


@theorem.check("beyond ρ = 1 the bound is refused")
def beyond_rho_1_the_bound_is_refused(rng: np.random.Generator) -> Found:
    for rho in (Fraction(101, 100), Fraction(3, 2), Fraction(2)):
        yield holds(f"ρ = {rho} is refused", _refused(rho), Tier.EXACT)


def _refused(rho: Fraction) -> bool:
    try:
        uniform(0, 1, rho, 2, TENTH, 10)
    except ValueError:
        return True
    return False


@theorem.extremal("scaling scores, margins and r together changes nothing: margins up to r in place of 1")
def margins_up_to_r_in_place_of_1() -> Found:
    for rho, r in product((HALF / 2, Fraction(1)), (Fraction(1, 8), Fraction(7, 2))):
        plain = uniform(0, Fraction(1, 7), rho, 3, TENTH, 50)
        scaled = uniform(0, r / 7, rho * r, 3, TENTH, 50, r)
        yield equal("bound ≈ bound of the scaled problem", plain, scaled, within=1e-12, at=f"ρ = {rho}, r = {r}")


@theorem.extremal("at ρ = 1 the third term is 0: the fixed bound at ρ = 1/2 and δ/2")
def at_rho_1_the_third_term_is_0() -> Found:
    for m, loss in product((1, 10, 1000), (Fraction(0), HALF)):
        halved = bound(loss, Fraction(1, 9), HALF, 3, TENTH / 2, m)
        yield equal(
            "uniform bound ≈ fixed bound at ρ/2 and δ/2",
            uniform(loss, Fraction(1, 9), 1, 3, TENTH, m),
            halved,
            within=1e-12,
            at=f"m = {m}",
        )


@theorem.extremal(
    "two classes on the block class: 4 (1 + 2 binom(2m, m) / 4^m) + √(ln(2/δ)/2m) at ρ = 1, for 1. Of the 4 a factor "
    "of 2 is 4k where 2k is enough, and one is the grid's, which a finer grid lowers at the cost of the third term"
)
def two_classes_on_the_block_class() -> Found:
    for m in (4, 1000, 10_000):
        complexity = two_block_complexity(m)
        square = (uniform(0, complexity, 1, 2, 1, m) - 16 * ball(complexity)) ** 2 * 2 * m
        yield equal("2m (confidence term)² ≈ ln 2", square, ball(2).log(), within=1e-6, at=f"m = {m}")
        yield at_most("supremum 1 ≤ bound", 1, uniform(0, complexity, 1, 2, 1, m), at=f"m = {m}", statement=True)


@theorem.extremal("at ρ = 2^(1-j) the extra term is √(ln j / m)")
def at_rho_2_the_extra_term_is_root() -> Found:
    for j in (2, 3, 8):
        for m in (10, 1000):
            rho = Fraction(2, 2**j)
            extra = uniform(0, 0, rho, 3, TENTH, m) - bound(0, 0, rho / 2, 3, TENTH / 2, m)
            yield equal(
                "m (extra term)² ≈ ln j", extra * extra * m, ball(j).log(), within=1e-10, at=f"j = {j}, m = {m}"
            )


@theorem.trace("the distribution of the fixed bound's trace, six draws, δ = 1/2, margins 1/2, 1/4, 1/8, 1/16")
def the_distribution_of_the_fixed_bounds_trace_six_draws() -> Found:
    distribution, m, k, delta = small_distribution(), 6, 3, HALF
    complexity = distribution.complexity(m)
    base = (ball(2 / delta).log() / (2 * m)).sqrt()
    allowed: Ball = ball(0)
    for j in range(1, 5):
        rho, excess = Fraction(1, 2**j), base + (ball(j).log() / m).sqrt()
        share = (-2 * m * excess * excess).exp()
        threshold = bound(0, complexity, rho, k, 1, m) + excess
        yield at_most(
            "failure of the bound with ρ_j and ε_j ≤ e^(−2mε_j^2)",
            distribution.failure(rho, m, threshold),
            share,
            at=f"j = {j}",
        )
        part = ball(delta) / (2 * j * j)
        if j == 1:
            yield equal("e^(−2mε_1^2) ≈ δ/2", share, part, within=1e-12, at="j = 1")
        else:
            yield at_most("e^(−2mε_j^2) ≤ j^(−2) δ/2", share, part, at=f"j = {j}")
        allowed += share
    tail = ball(delta) / 2 * (1 / ball(4))
    yield at_most("Σ_j e^(−2mε_j^2) ≤ δ", allowed + tail, delta, at="all j, those beyond 4 at most δ/8")
    for rho in (Fraction(1), Fraction(3, 10)):
        yield from _from_grid(distribution, rho, complexity, m, k, delta)


def _from_grid(
    distribution: ScoredDistribution, rho: Fraction, complexity: Fraction, m: int, k: int, delta: Fraction
) -> Found:
    """From the margin of the grid next below rho to rho itself."""
    j = next(j for j in range(1, 60) if Fraction(1, 2**j) < rho)
    below = Fraction(1, 2**j)
    grown = (distribution.margin_losses(below) <= distribution.margin_losses(rho)).all()
    yield holds(f"margin losses at {below} are no larger", bool(grown), Tier.EXACT, at=f"ρ = {rho}")
    yield at_most("1/ρ_j ≤ 2/ρ", 1 / below, 2 / rho, at=f"ρ = {rho}")
    yield at_most("2^j ≤ 2/ρ", Fraction(2) ** j, 2 / rho, at=f"ρ = {rho}")
    excess = (ball(2 / delta).log() / (2 * m)).sqrt() + (ball(j).log() / m).sqrt()
    grid = bound(0, complexity, below, k, 1, m) + excess
    limit = uniform(0, complexity, rho, k, delta, m)
    if rho == 1:
        yield equal("bound with ρ_j ≈ uniform bound", grid, limit, within=1e-12, at="ρ = 1")
    else:
        yield at_most("bound with ρ_j ≤ uniform bound", grid, limit, at=f"ρ = {rho}")


@theorem.control(
    r"The bound does not hold for all $\rho>0$, as printed: it needs $\log_2(2/\rho)\ge1$, but at "
    r"$\rho=\frac32$ this logarithm is {left}, not at least {right}, and the third term has no value."
)
def as_printed_for_all_rho_0() -> Found:
    yield at_least("log₂(4/3) ≥ 1", ball(Fraction(4, 3)).log() / ball(2).log(), 1)
    yield holds("the bound has a value at ρ = 3/2", not _refused(Fraction(3, 2)), Tier.EXACT)


@theorem.strengthened(
    "Less than a quarter of $8k$ is not enough: on the block class some function has risk {left} and "
    r"margin loss 0, and with $0.249\cdot8k$ the bound would be {right}.",
    by=Fraction(249, 1000),
    story=True,
)
def less_than_a_quarter_of_8k(factor: int | Fraction) -> Found:
    for k in (2, 5):
        complexity = factor * block_complexity_limits(k, DRAWS * k).upper
        yield at_most("supremum 1 ≤ bound", 1, uniform(0, complexity, 1, k, TWENTIETH, DRAWS * k), at=f"k = {k}")


@theorem.strengthened(
    "The last term cannot be three per cent smaller: for a fair coin the logarithm of the failure "
    "probability would be {left}, above the {right} allowed.",
    by=Fraction(97, 100),
)
def the_confidence_term(factor: int | Fraction) -> Found:
    # The complexity of the two constants ±1/2 is at most 1/2 √m, by Khinchine's inequality.
    complexity = kernel_complexity_bound(ball(HALF) ** 2, ball(1), THROWS)
    yield from rare_failure(lambda delta: uniform_margin_bound(ball(0), complexity, ball(1), 2, delta, THROWS), factor)


@theorem.strengthened(
    "Two per cent less than the margin loss is too little: a function that is always wrong has risk "
    "{left}, and the bound would be {right}.",
    by=Fraction(98, 100),
)
def the_margin_loss(factor: int | Fraction) -> Found:
    yield at_most("risk 1 ≤ bound at margin loss 1", 1, uniform(factor, 0, 1, 2, TWENTIETH, 10**6))
