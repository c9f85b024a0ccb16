"""The risk of votes by codes, by their margins."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, at_least, at_most
from mcbook.claims.output_code_margins.coverage import (
    THETA,
    a_fair_coin_for_labels,
    falls_on_memorisers,
    memorisers_are_what_they_are_said_to_be,
)
from mcbook.claims.output_code_margins.samples import Found
from mcbook.claims.rademacher.generalisation import LOG_DELTA, THROWS, log_fair_tail
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Ball, Scalar
from mcbook.output_code_margins import (
    code_margin_excess,
    cover_size,
    cover_sloppiness,
    excess_order,
    grid_size,
    printed_cover_tail,
    sloppy_cover_tail,
    source_margin_excess,
)

EXACT_ORDER = 20

risk = Claim(
    "thm-code-margin-generalisation",
    "upper bound",
    "exact",
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


@risk.check("labels by 10⁹ throws of a fair coin, δ = exp(−200001): an excess below the risk, which may fail")
def the_bound_may_fail(rng: np.random.Generator) -> Found:
    for n_columns in (2, 7):
        yield from a_fair_coin_for_labels(coin_excess(n_columns), n_columns, Fraction(1))


def coin_excess(n_columns: int) -> Callable[[Ball], Ball]:
    """The excess for a class of dimension 1 on the coin's examples, as a function of delta."""
    return lambda delta: code_margin_excess(THROWS, n_columns=n_columns, dimension=1, theta=THETA, delta=delta)


@risk.check("the probability of failure that the proof arrives at is at most δ, for 300 settings, the source's too")
def arithmetic_of_the_proof(rng: np.random.Generator) -> Found:
    for _ in range(300):
        setting = random_setting(rng)
        epsilon, source = code_margin_excess(**setting), source_margin_excess(**setting)
        yield at_most("excess ≤ excess with the source's constants", epsilon, source)
        yield at_most("excess with the source's constants ≤ 8/3 excess", source, ball(Fraction(8, 3)) * epsilon)
        yield from failure_of_the_proof(setting, epsilon, Fraction(1, 3), sloppy_cover_tail)
        yield from failure_of_the_proof(setting, source, Fraction(1, 4), printed_cover_tail)


def random_setting(rng: np.random.Generator) -> dict[str, Any]:
    n_columns, d = int(rng.integers(2, 80)), int(rng.integers(1, 40))
    least = -(-d // n_columns)
    m = least * int(10 ** rng.uniform(0, 7))
    theta, delta = Fraction(int(rng.integers(1, 101)), 100), Fraction(1, int(10 ** rng.uniform(0.31, 6)))
    return {"n_samples": m, "n_columns": n_columns, "dimension": d, "theta": theta, "delta": delta}


def failure_of_the_proof(
    setting: dict[str, Any], epsilon: Ball, share: Fraction, tail: Callable[[Scalar, Ball, int], Ball]
) -> Found:
    """What the proof arrives at with polls for ``share`` theta, and a tail for the cover that they give."""
    if not epsilon < 1:
        return
    m, n_columns, d, delta = (setting[name] for name in ("n_samples", "n_columns", "dimension", "delta"))
    theta = share * setting["theta"]
    sampled = int((ball(2 / theta**2) * (16 * n_columns / epsilon).log()).ceil().unique_fmpz())
    yield at_most("sloppiness of the cover ≤ ε/8", cover_sloppiness(theta, n_columns, sampled), epsilon / 8)
    size = cover_size(theta, n_columns, 2 * m, d, sampled)
    yield at_most("ln of the failure ≤ ln δ", tail(size, epsilon, m).log(), ball(delta).log())


@risk.check("where m ≥ dℓ the excess is at most 20 times the printed order")
def printed_order_where_it_is_right(rng: np.random.Generator) -> Found:
    for _ in range(200):
        setting = random_setting(rng)
        setting["n_samples"] += setting["dimension"] * setting["n_columns"]
        yield at_most("excess ≤ 20 × order", code_margin_excess(**setting), EXACT_ORDER * excess_order(**setting))


@risk.extremal(
    "a class that memorises m = 10⁶ examples: a twentieth of the excess is used. No instance is known that needs more "
    "of the part with d, and the steps of the proof need more than three quarters of it: what is between is open"
)
def memorisers_use_little() -> Found:
    yield at_least("excess ≥ 9 × order", code_margin_excess(10**9, **SETTING), 9 * excess_order(10**9, **SETTING))
    yield from memorisers_are_what_they_are_said_to_be(n_columns=2)
    yield falls_on_memorisers(memoriser_excess(10**6), "excess")


def memoriser_excess(m: int) -> Scalar:
    """The excess for functions that may be right on 2m pairs with two columns: a class of dimension 2m."""
    return code_margin_excess(m, n_columns=2, dimension=2 * m, theta=THETA, delta=Fraction(1, 20))


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
    "Less than a quarter of the excess is too little: if $10^9$ throws of a fair coin give the labels and "
    "$\\delta=e^{-200001}$, the bound would fail with a probability whose logarithm is at least "
    "{left}, more than {right}.",
    by=Fraction(24, 100),
)
def a_quarter_of_the_excess(factor: Fraction) -> Found:
    allowed = ball(factor) * coin_excess(2)(ball(LOG_DELTA).exp())
    yield at_most("ln of the failure probability ≤ ln δ", log_fair_tail(allowed, THROWS)[0], LOG_DELTA)


@risk.strengthened(
    "The part with $d$ cannot be 21 times smaller: a class that memorises $10^6$ examples has risk {left} "
    "and no small margin on the sample, and {right} would be allowed.",
    by=Fraction(1, 21),
)
def a_small_part_of_the_excess(factor: Fraction) -> Found:
    yield falls_on_memorisers(ball(factor) * memoriser_excess(10**6), "excess")


@risk.strengthened(
    "With three quarters of the excess the proof breaks: for three columns, $d=2$, $\\theta=\\frac12$ and "
    "$m=2\\cdot10^5$ the logarithm of its probability of failure would be {left}, and {right} is allowed.",
    by=Fraction(3, 4),
)
def the_proof_with_less(factor: Fraction) -> Found:
    setting = {"n_samples": 200_000, **SETTING}
    *_, last = failure_of_the_proof(
        setting, ball(factor) * code_margin_excess(**setting), Fraction(1, 3), sloppy_cover_tail
    )
    yield last


@risk.control(
    "The condition $m\\ge d\\ell$ is needed: with $\\ell m=d$ the logarithm of the order is 0, and for "
    "$m=10^5$ even 20 times the order is {right}, but a class that memorises has risk {left} and no small "
    "margin on the sample.",
    story=True,
)
def the_order_at_its_edge() -> Found:
    m = 100_000
    yield falls_on_memorisers(EXACT_ORDER * excess_order(m, 2, 2 * m, THETA, Fraction(1, 20)), "20 × order")


@risk.control(
    "The share of small margins cannot be left out: if a coin toss gives the labels, every classifier "
    "has the risk {left}, and for $m=10^7$ the excess is {right}.",
)
def without_the_sample() -> Found:
    yield at_most("risk of any classifier ≤ excess", Fraction(1, 2), code_margin_excess(10**7, **SETTING))
