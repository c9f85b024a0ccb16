"""The risk of votes by codes, by their margins."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, at_least, at_most, less_than
from mcbook.claims.output_code_margins.coverage import coverage_of, falls_on_memorisers
from mcbook.claims.output_code_margins.samples import Found
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Ball, Scalar
from mcbook.output_code_margins import (
    code_margin_excess,
    cover_sloppiness,
    excess_order,
    grid_size,
    source_margin_excess,
)

EXACT_ORDER = 20

risk = Claim(
    "thm-code-margin-generalisation",
    "upper bound",
    "statistical",
    source="allwein2000",
    where="Theorem 3, (22)",
    errata=("E43",),
    implements=(code_margin_excess, source_margin_excess, excess_order),
    formula=(
        Formula("eq-code-margin-excess", code_margin_excess, where=r"\ell m\ge d", numbers="balls"),
        Formula("eq-code-margin-excess-source", source_margin_excess, where=r"\ell m\ge d", numbers="balls"),
        Formula("eq-code-margin-excess-order", excess_order, where=r"\ell m\ge d", numbers="balls"),
    ),
)
SETTING: dict[str, Any] = {"n_columns": 3, "dimension": 2, "theta": Fraction(1, 2), "delta": Fraction(1, 20)}


@risk.check(
    "200 samples of 130 000 examples, where the excess is just below 1 and a failure hardly possible: it always holds"
)
def coverage_where_it_speaks(rng: np.random.Generator) -> Found:
    m = 130_000
    yield less_than("excess < 1", code_margin_excess(m, **SETTING), 1, at=f"m = {m}")
    yield coverage_of(lambda size: code_margin_excess(size, **SETTING), SETTING, m, rng)


@risk.check("the probability of failure that the proof arrives at is at most δ, for 300 settings")
def arithmetic_of_the_proof(rng: np.random.Generator) -> Found:
    for _ in range(300):
        setting = random_setting(rng)
        yield from failure_of_the_proof(setting)


def random_setting(rng: np.random.Generator) -> dict[str, Any]:
    n_columns, d = int(rng.integers(2, 80)), int(rng.integers(1, 40))
    least = -(-d // n_columns)
    m = least * int(10 ** rng.uniform(0, 7))
    theta, delta = Fraction(int(rng.integers(1, 101)), 100), Fraction(1, int(10 ** rng.uniform(0.31, 6)))
    return {"n_samples": m, "n_columns": n_columns, "dimension": d, "theta": theta, "delta": delta}


def failure_of_the_proof(setting: dict[str, Any]) -> Found:
    """The logarithm of 2 |E| (2 e l m / d)^(d N) e^(-eps^2 m / 8), where eps < 1, for a cover with theta / 3."""
    epsilon = code_margin_excess(**setting)
    yield at_most("excess ≤ excess with the source's constants", epsilon, source_margin_excess(**setting))
    m, n_columns, d, theta, delta = (
        setting[name] for name in ("n_samples", "n_columns", "dimension", "theta", "delta")
    )
    if not epsilon < 1:
        return
    sampled = int((ball(18 / theta**2) * (16 * n_columns / epsilon).log()).ceil().unique_fmpz())
    log_size = ball(grid_size(theta / 3, n_columns)).log() + d * sampled * (
        ball(Fraction(2 * n_columns * m, d)).log() + 1
    )
    yield at_most("ln of the failure ≤ ln δ", ball(2).log() + log_size - epsilon * epsilon * m / 8, ball(delta).log())


@risk.check("where m ≥ dℓ the excess is at most 20 times the printed order")
def printed_order_where_it_is_right(rng: np.random.Generator) -> Found:
    for _ in range(200):
        setting = random_setting(rng)
        setting["n_samples"] += setting["dimension"] * setting["n_columns"]
        yield at_most("excess ≤ 20 × order", code_margin_excess(**setting), EXACT_ORDER * excess_order(**setting))


@risk.extremal(
    "a class that memorises n = m examples: 2 per cent of the excess are used, and no instance is known to use more"
)
def memorisers_use_little() -> Found:
    yield falls_on_memorisers(lambda m: memoriser_excess(m), 10_000, "excess")


def memoriser_excess(m: int) -> Scalar:
    """The excess for all functions on m atoms and two columns, a class of dimension 2m, at theta = 1."""
    return code_margin_excess(m, n_columns=2, dimension=2 * m, theta=1, delta=Fraction(1, 20))


@risk.trace("ℓ = 3, d = 2, θ = 1/2, δ = 1/20, m = 200 000")
def proof_of_the_excess() -> Found:
    m, n_columns, d = 200_000, 3, 2
    theta, delta = SETTING["theta"], SETTING["delta"]
    epsilon: Ball = code_margin_excess(m, **SETTING)
    first, second = (ball(Fraction(2 * n_columns * m, d)).log() + 1, ball(Fraction(n_columns**2 * m, d)).log() + 1)
    yield at_least(
        "ε ≥ √(72 d ln(2eℓm/d) ln(eℓ²m/d) / m) / θ", epsilon, (72 * d * first * second / m).sqrt() / ball(theta)
    )
    log_needed = (16 * n_columns / epsilon).log()
    yield at_most("ln(16ℓ/ε) ≤ ½ ln(eℓ²m/d) − 7/18", log_needed, second / 2 - ball(Fraction(7, 18)))
    sampled = int((ball(18 / theta**2) * log_needed).ceil().unique_fmpz())
    yield at_most("hypotheses sampled N ≤ (9/θ²) ln(eℓ²m/d) − 6", sampled, ball(9 / theta**2) * second - 6)
    yield at_most("sloppiness of the cover ≤ ε/8", cover_sloppiness(theta / 3, n_columns, sampled), epsilon / 8)
    members = grid_size(theta / 3, n_columns)
    yield at_most("|E| ≤ 9 ln ℓ / θ²", members, ball(9 / theta**2) * ball(n_columns).log())
    log_size = ball(members).log() + d * sampled * first
    yield at_most(
        "ln 2 + ln of the cover's size ≤ ε²m/8 + ln δ", ball(2).log() + log_size, epsilon**2 * m / 8 + ball(delta).log()
    )
    yield at_most("ε ≤ excess with the source's constants", epsilon, source_margin_excess(m, **SETTING))


@risk.strengthened(
    "A hundredth of the excess is too little: a class that memorises 10 000 points is wrong on a share "
    "of {left}, and {right} would be allowed.",
    by=Fraction(1, 100),
)
def a_hundredth_of_the_excess(factor: Fraction) -> Found:
    yield falls_on_memorisers(lambda m: ball(factor) * memoriser_excess(m), 10_000, "excess")


@risk.control(
    "The condition $m\\ge d\\ell$ is needed: with $\\ell m=d$ the logarithm of the order is 0, and for "
    "$m=10^5$ even 20 times the order is {right}, but a class that memorises is wrong on a share of "
    "{left}.",
    story=True,
)
def the_order_at_its_edge() -> Found:
    yield falls_on_memorisers(
        lambda m: EXACT_ORDER * excess_order(m, 2, 2 * m, 1, Fraction(1, 20)), 100_000, "20 × order"
    )


@risk.control(
    "The share of small margins cannot be left out: if a coin toss gives the labels, every classifier "
    "has the risk {left}, and for $m=10^7$ the excess is {right}.",
)
def without_the_sample() -> Found:
    yield at_most("risk of any classifier ≤ excess", Fraction(1, 2), code_margin_excess(10**7, **SETTING))
