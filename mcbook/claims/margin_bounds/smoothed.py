"""The margin bound by adding noise to the weights: the number of classes costs a logarithm."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than
from mcbook.claims.margin_bounds.bounds import HALF, RARE, TWENTIETH, rare_but_real
from mcbook.claims.margin_bounds.kernels import opposite_rows
from mcbook.claims.margin_bounds.linear import norm_by_heart
from mcbook.claims.rademacher.generalisation import THROWS, rare_failure
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Ball, Number
from mcbook.margin_bounds import normal_tail, smoothed_margin_bound

Found = Iterator[Evidence]
MANY = 10**12
CLOSE = Fraction(1, 10**6)
HALF_BALL = ball(HALF)

claim = Claim(
    "thm-smoothed-margin-bound",
    "upper bound",
    "exact",
    source=("langford-shawe-taylor2002", "mcallester2003"),
    where="this book; the method for two classes is theirs",
    implements=(smoothed_margin_bound, normal_tail),
    formula=Formula("eq-bounds-smoothed", smoothed_margin_bound, numbers="balls"),
    symbols=(
        Reading("q", of=("u",), means=r"\frac{1-\operatorname{erf}(\frac{u}{\sqrt2})}{2}"),
        Reading("u_1", "positive", arguments={"own_width": "u_1"}),
        Reading("u_2", "positive", arguments={"rival_width": "u_2"}),
        Reading(r"\widehat P_\rho(h)", "share", arguments={"share_below": r"\widehat P_\rho(h)"}),
    ),
)


def bound(
    share: Number,
    norm2: Number,
    rho: Number,
    n_classes: int,
    delta: Number,
    n_samples: int,
    own_width: Number,
    rival_width: Number,
) -> Ball:
    """The bound for inputs of length at most 1, as a ball."""
    widths = ball(own_width), ball(rival_width)
    return smoothed_margin_bound(
        ball(share), ball(1), ball(norm2), ball(rho), n_classes, ball(delta), n_samples, *widths
    )


@claim.check("the exponential moment of the proof, one noisy classifier with error e: at most exp(λ²/8m), all samples")
def the_exponential_moment(rng: np.random.Generator) -> Found:
    for m in (1, 5, 20):
        for error in (HALF, Fraction(int(rng.integers(1, 10)), 10)):
            for rate in (m, 4 * m):
                terms = (
                    ball(math.comb(m, wrong) * error**wrong * (1 - error) ** (m - wrong))
                    * (rate * (ball(error) - ball(Fraction(wrong, m)))).exp()
                    for wrong in range(m + 1)
                )
                moment: Ball = sum(terms, ball(0))
                yield at_most(f"moment, exp(λ²/8m); m = {m}", moment, (ball(Fraction(rate * rate, 8 * m))).exp())


@claim.check("opposite rows of length ½, ρ = 1: bounds below the risk, which fail")
def opposite_rows_of_length_half(rng: np.random.Generator) -> Found:
    m, width = 400, 2
    for wrong in (Fraction(4, 5), Fraction(int(rng.integers(8, 10)), 10)):
        distribution = opposite_rows(wrong)
        for delta in (HALF, RARE):
            # The margins are 1 and -1, so the share below ρ = 1 is the margin loss.
            def limit(share: Number, delta: Fraction = delta) -> Ball:
                return bound(share, HALF, 1, 2, delta, m, width, width)

            yield less_than("bound with no margin below ρ, risk", limit(0), wrong)
            yield from rare_but_real(f"risk {wrong}", distribution.bound_failure(Fraction(1), m, limit), delta)


@claim.check("a sample learnt by heart, of 10¹² inputs: risk 1, and the bound is above it for 400 pairs of widths")
def a_sample_learnt_by_heart(rng: np.random.Generator) -> Found:
    for k in (2, 3, 10, 100):
        for own in range(1, 11):
            for rival in range(1, 11):
                widths = Fraction(own, 3), Fraction(rival, 2)
                value = bound(0, norm_by_heart(k, 10**6), 1, k, TWENTIETH, 10**6, *widths)
                yield at_most(f"risk 1, bound; k = {k}", 1, value)


@claim.check("with u₂ = √(2 ln(k√m)) the term of the rivals is at most 1/(2√m)")
def the_term_of_the_rivals(rng: np.random.Generator) -> Found:
    for k in (2, 3, 10, 1000, 10**6):
        for m in (1, 100, 10**6):
            width = (2 * (ball(k) * ball(m).sqrt()).log()).sqrt()
            yield at_most(f"(k − 1) q(u₂), 1/(2√m); k = {k}", (k - 1) * normal_tail(width), 1 / (2 * ball(m).sqrt()))


@claim.extremal("W = 0, and widths so large that the tails vanish: the share below ρ, and the confidence term")
def without_a_norm() -> Found:
    value = bound(1, 0, 1, 2, 1, 10, 40, 40)
    yield equal("bound at share 1, 1", value, 1, within=1e-12)
    for m in (10, 1000):
        gap = bound(0, 0, 1, 2, TWENTIETH, m, 40, 40)
        yield equal(f"2m times the squared excess, ln 20; m = {m}", gap * gap * 2 * m, ball(20).log(), within=1e-9)


@claim.extremal("a sample of two classes learnt by heart: as both widths tend to 0 the bound comes down to 1, the risk")
def widths_that_tend_to_zero() -> Found:
    for width in (Fraction(1, 100), Fraction(1, 10**4)):
        value = bound(0, norm_by_heart(2, MANY), 1, 2, TWENTIETH, MANY, CLOSE, width)
        yield at_least("bound, 1", value, 1)
        yield at_most(f"bound, 1 + width; width {width}", value, 1 + width)


@claim.strengthened(
    "Λr/ρ, for a sample of two classes learnt by heart: three quarters of it are too little",
    by=Fraction(3, 4),
    told=r"With three quarters of $\Lambda r/\rho$ it is false: of a sample of two classes that is learnt by heart the "
    "risk is {left}, and the bound would be {right}.",
)
def the_norm(factor: int | Fraction) -> Found:
    value = bound(0, factor**2 * norm_by_heart(2, MANY), 1, 2, TWENTIETH, MANY, CLOSE, Fraction(1, 5))
    yield at_most("1 - m/N, bound", 1 - Fraction(1, MANY), value)


@claim.control("k − 1 left out of the step for the rivals: 1000 classes, all rivals behind by exactly ρ, u₂ = 2")
def without_the_number_of_rivals() -> Found:
    # Half of the time the own score does not rise; then each rival, independently, crosses if it rises by √2 u₂.
    crossing = (1 - (1 - normal_tail(ball(2).sqrt() * 2)) ** 999) / 2
    yield at_most("least chance of a margin below κρ, q(u₂)", crossing, normal_tail(ball(2)))


@claim.control("the share of training errors in place of that below ρ: learnt by heart with margins ρ/1000")
def training_errors_in_place_of_the_share() -> Found:
    value = bound(0, norm_by_heart(3, 10**6) / 10**6, 1, 3, TWENTIETH, 10**6, 3, 4)
    yield at_most("1 - m/N, bound", 1 - Fraction(1, 10**6), value)


@claim.control("without 1 − q(u₁) on the left: a sample of two classes learnt by heart, u₁ near 0, u₂ = 1")
def without_the_factor_on_the_left() -> Found:
    value = bound(0, norm_by_heart(2, MANY), 1, 2, TWENTIETH, MANY, CLOSE, 1)
    yield at_most("1 - m/N, bound", 1 - Fraction(1, MANY), value * (1 - normal_tail(ball(CLOSE))))


@claim.strengthened("ln(1/δ) under the root: opposite rows of length ½, δ = exp(−200001)", by=Fraction(98, 100))
def the_confidence(factor: int | Fraction) -> Found:
    def threshold(delta: Ball) -> Ball:
        """By how much the share of margins below ρ may fall short of the risk ½ at most."""
        one, width = ball(1), ball(9)
        value = smoothed_margin_bound(ball(0), one, ball(HALF), one, 2, delta, THROWS, width, width)
        return value * (1 - normal_tail(width)) + normal_tail(width) / 2

    yield from rare_failure(threshold, factor)


@claim.trace("one input, three classes, W = ((1), (0), (0)) and ρ = 1, Λ = r = 1, u₁ = u₂ = 2, so τ = 1/(4√2), κ = ½")
def the_three_steps() -> Found:
    noise, own, rival = 1 / (4 * ball(2).sqrt()), ball(2), ball(2)
    spread = noise * ball(2).sqrt()  # of the difference of two noisy scores at the input
    yield equal("KL(Q_W, P) = |W|²/2τ², (u₁ + u₂)² Λ² r²/ρ²", 1 / (2 * noise * noise), 16, within=1e-12)
    # Label 2 is the true one: label 1 leads it by 1, so the margin of W is -1.
    stays = 1 - normal_tail((1 + HALF_BALL) / spread)
    yield at_least("left: Pr[(v₂ − v₁)·x < κρ], 1 − q(u₁)", stays, 1 - normal_tail(own))
    worst = normal_tail(HALF_BALL / spread)
    yield equal("left: with margin 0 the tail is q(u₁) exactly", worst, normal_tail(own), within=1e-12)
    # Label 1 is the true one: both rivals are behind by ρ = 1.
    yield equal("right: Pr[(v₁ − v₂)·x < κρ], q(u₂)", worst, normal_tail(rival), within=1e-12)
    yield at_most(
        "right: Pr[one of the two leads < κρ], 2 q(u₂)", one_of_two(HALF_BALL / noise), 2 * normal_tail(rival)
    )
    m, cost = 100, 16 + ball(20).log()
    rate = (8 * m * cost).sqrt()
    root = (cost / (2 * m)).sqrt()
    yield equal("(KL + ln(1/δ))/λ + λ/8m at the best λ, the root", cost / rate + rate / (8 * m), root, within=1e-12)
    whole = bound(0, 1, 1, 3, TWENTIETH, m, 2, 2)
    parts = (2 * normal_tail(rival) + root) / (1 - normal_tail(own))
    yield equal("together: the bound with no margin below ρ", whole, parts, within=1e-12)


def one_of_two(lead: Ball) -> Ball:
    """The chance that one of two independent normal variables exceeds a third one plus the lead, as a ball."""
    import flint

    def both_below(t: Ball, _: bool) -> Ball:
        below = 1 - ((t + lead) / ball(2).sqrt()).erfc() / 2
        return (-t * t / 2).exp() / (2 * flint.acb.pi()).sqrt() * below * below

    # Beyond 12 on either side the density has less than this.
    rest = 2 * normal_tail(ball(12))
    return 1 - flint.acb.integral(both_below, -12, 12).real + rest
