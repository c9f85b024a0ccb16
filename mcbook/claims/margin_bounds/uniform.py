"""The margin bound for all margins up to a fixed one at once."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.margin_bounds.bounds import HALF, TENTH, TWENTIETH, bound, small_law
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.exact import ball
from mcbook.margin_bounds import (
    block_complexity_limits,
    random_scored_law,
    two_block_complexity,
    uniform_failure_limit,
    uniform_margin_bound,
)

Found = Iterator[Evidence]

theorem = Claim(
    "T9.2u",
    implements=uniform_margin_bound,
    formula=Formula("eq-bounds-uniform", uniform_margin_bound, where=r"\rho\le1", numbers="balls"),
)


def uniform(loss: Any, complexity: Any, rho: Any, n_classes: int, delta: Any, n_samples: int, largest: Any = 1) -> Any:
    """The uniform bound as a ball."""
    return uniform_margin_bound(
        ball(loss), ball(complexity), ball(rho), n_classes, ball(delta), n_samples, ball(largest)
    )


@theorem.check("failure probability over all margins in (0, 1] and all functions, every sample enumerated")
def failure_probability_over_all_margins_in_0_1(rng: np.random.Generator) -> Found:
    grid = [Fraction(i, 16) for i in range(1, 17)]
    for n_atoms, k, m in ((2, 2, 40), (2, 3, 20), (3, 3, 6)):
        for _ in range(2):
            law = random_scored_law(rng, 3, n_atoms, k, largest=1)
            failure = uniform_failure_limit(law, m, TENTH, grid)
            yield at_most(f"failure, δ ({n_atoms} atoms, m = {m})", failure, TENTH)


@theorem.check("margins up to r in place of 1: scaling scores, margins and r together changes nothing")
def margins_up_to_r_in_place_of_1(rng: np.random.Generator) -> Found:
    for _ in range(20):
        rho, r = Fraction(int(rng.integers(1, 20)), 20), Fraction(int(rng.integers(1, 50)), 10)
        plain = uniform(0, Fraction(1, 7), rho, 3, TENTH, 50)
        scaled = uniform(0, r / 7, rho * r, 3, TENTH, 50, r)
        yield equal("bound, bound of the scaled problem", plain, scaled, within=1e-12)


@theorem.check("the third term is 0 at ρ = 1, and beyond it the bound is refused")
def the_third_term_is_0_at_rho_1_and_beyond_it(rng: np.random.Generator) -> Found:
    for m in (1, 10, 1000):
        halved = bound(0, Fraction(1, 9), HALF, 3, TENTH / 2, m)
        yield equal(
            "uniform bound at 1, fixed bound at ½ with δ/2",
            uniform(0, Fraction(1, 9), 1, 3, TENTH, m),
            halved,
            within=1e-12,
        )
    for rho in (Fraction(101, 100), Fraction(2)):
        yield holds(f"ρ = {rho} is refused", _refused(rho), Tier.EXACT)


def _refused(rho: Fraction) -> bool:
    try:
        uniform(0, 1, rho, 2, TENTH, 10)
    except ValueError:
        return True
    return False


@theorem.extremal("two classes on the block class: 4 (1 + 2 binom(2m, m) / 4^m) + √(ln(2/δ)/2m) at ρ = 1, for 1")
def two_classes_on_the_block_class() -> Found:
    for m in (4, 1000, 10_000):
        complexity = two_block_complexity(m)
        square = (uniform(0, complexity, 1, 2, 1, m) - 16 * ball(complexity)) ** 2 * 2 * m
        yield equal(f"confidence term, m = {m}", square, ball(2).log(), within=1e-6)
        yield at_most(f"supremum 1, bound, m = {m}", 1, uniform(0, complexity, 1, 2, 1, m))


@theorem.extremal("at ρ = 2^(1-j) the extra term is √(ln j / m)")
def at_rho_2_the_extra_term_is_root() -> Found:
    for j in (2, 3, 8):
        for m in (10, 1000):
            rho = Fraction(2, 2**j)
            extra = uniform(0, 0, rho, 3, TENTH, m) - bound(0, 0, rho / 2, 3, TENTH / 2, m)
            yield equal(f"m times its square, ln {j}", extra * extra * m, ball(j).log(), within=1e-10)


@theorem.trace("the law of the fixed bound's trace, six draws, δ = 1/2, margins 1/2, 1/4, 1/8, 1/16")
def the_law_of_the_fixed_bounds_trace_six_draws() -> Found:
    law, m, k, delta = small_law(), 6, 3, HALF
    complexity = law.complexity(m)
    base = (ball(2 / delta).log() / (2 * m)).sqrt()
    allowed: Any = ball(0)
    for j in range(1, 5):
        rho, excess = Fraction(1, 2**j), base + (ball(j).log() / m).sqrt()
        share = (-2 * m * excess * excess).exp()
        threshold = bound(0, complexity, rho, k, 1, m) + excess
        yield at_most(f"j = {j}: fixed bound at ρ = {rho} with excess ε_j", law.failure(rho, m, threshold), share)
        part = ball(delta) / (2 * j * j)
        if j == 1:
            yield equal("j = 1: e^(-2mε_1²), δ/2", share, part, within=1e-12)
        else:
            yield at_most(f"j = {j}: e^(-2mε_j²) ≤ j^(-2) δ/2", share, part)
        allowed += share
    tail = ball(delta) / 2 * (1 / ball(4))
    yield at_most("all j: Σ j^(-2) δ/2 ≤ δ, the terms beyond 4 being at most δ/8", allowed + tail, delta)
    for rho in (Fraction(1), Fraction(3, 10)):
        yield from _from_grid(law, rho, complexity, m, k, delta)


def _from_grid(law: Any, rho: Fraction, complexity: Fraction, m: int, k: int, delta: Fraction) -> Found:
    """From the margin of the grid next below rho to rho itself."""
    j = next(j for j in range(1, 60) if Fraction(1, 2**j) < rho)
    below = Fraction(1, 2**j)
    grown = (law.margin_losses(below) <= law.margin_losses(rho)).all()
    yield holds(f"ρ = {rho}: margin losses at {below} are no larger", bool(grown), Tier.EXACT)
    yield at_most(f"ρ = {rho}: 1/{below} ≤ 2/ρ", 1 / below, 2 / rho)
    yield at_most(f"ρ = {rho}: j = {j} ≤ log₂(2/ρ), as powers of 2", Fraction(2) ** j, 2 / rho)
    excess = (ball(2 / delta).log() / (2 * m)).sqrt() + (ball(j).log() / m).sqrt()
    grid = bound(0, complexity, below, k, 1, m) + excess
    limit = uniform(0, complexity, rho, k, delta, m)
    if rho == 1:
        yield equal("ρ = 1: bound of the grid, uniform bound", grid, limit, within=1e-12)
    else:
        yield at_most(f"ρ = {rho}: bound of the grid, uniform bound", grid, limit)


@theorem.control("as printed, for all ρ > 0: the third term needs log₂(2/ρ) ≥ 1, here at ρ = 3/2")
def as_printed_for_all_rho_0() -> Found:
    yield at_least("log₂(4/3), 1", ball(Fraction(4, 3)).log() / ball(2).log(), 1)


@theorem.control("1.9k in place of 8k, on the block class at ρ = 1")
def control_1_9k_in_place_of_8k_on_the_block_class_at_rho_1() -> Found:
    for k, m in ((2, 10**4), (5, 10**5)):
        complexity = two_block_complexity(m) if k == 2 else block_complexity_limits(k, m).upper
        shrunk = Fraction(19, 80) * complexity
        yield at_most(f"supremum 1, bound, k = {k}", 1, uniform(0, shrunk, 1, k, TWENTIETH, m))
