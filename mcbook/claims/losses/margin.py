"""The margin loss between two indicators, and its average over a sample."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.proof import Tier
from mcbook.losses import empirical_margin_loss, margin_loss, share_of_small_margins

Found = Iterator[Evidence]
WIDTHS = (Fraction(1, 3), 1, Fraction(5, 2))


def grid(rho: Fraction | int) -> list[Fraction]:
    """Arguments from -2 rho to 3 rho in steps of rho / 8, so that 0 and rho are among them."""
    return [Fraction(rho) * step / 8 for step in range(-16, 25)]


phi = Claim(
    "lem-margin-loss-between-indicators",
    "upper bound",
    "exact",
    source="mohri2018",
    where="Definition 5.5, used in §9.2",
    implements=margin_loss,
    formula=Formula("eq-margin-loss-definition", margin_loss),
)


@phi.check("between the indicators of u ≤ 0 and u ≤ ρ, and below the hinge, on grids that contain 0 and ρ")
def between_the_indicators(rng: np.random.Generator) -> Found:
    for rho in WIDTHS:
        for u in grid(rho):
            value = margin_loss(u, rho)
            yield at_most("⟦u ≤ 0⟧ ≤ Φ(u)", int(u <= 0), value)
            yield at_most("Φ(u) ≤ ⟦u ≤ ρ⟧", value, int(u <= rho))
            yield at_most("Φ(u) ≤ (1 - u/ρ)₊", value, max(Fraction(0), 1 - u / rho))


@phi.check("slopes of all chords of the grid at most 1/ρ")
def slopes_of_chords(rng: np.random.Generator) -> Found:
    for rho in WIDTHS:
        points = grid(rho)
        for u in points[::3]:
            for v in points:
                yield at_most(
                    "|Φ(u) - Φ(v)| ≤ |u - v|/ρ", abs(margin_loss(u, rho) - margin_loss(v, rho)), abs(u - v) / rho
                )


@phi.extremal("both indicators are met outside of (0, ρ], the slope and the hinge inside of it")
def where_the_bounds_are_met() -> Found:
    for rho in WIDTHS:
        for u in (Fraction(-1), Fraction(0)):
            yield equal("Φ(u) = ⟦u ≤ 0⟧", margin_loss(u, rho), 1, at=f"u = {u}, ρ = {rho}", statement=True)
        beyond = margin_loss(rho + Fraction(1, 10**9), rho)
        yield equal("Φ(u) = ⟦u ≤ ρ⟧", beyond, 0, at=f"u just beyond ρ = {rho}", statement=True)
        inside = [Fraction(rho) * step / 8 for step in range(9)]
        for u in inside:
            yield equal("Φ(u) = 1 - u/ρ", margin_loss(u, rho), 1 - u / rho, at=f"u = {u}, ρ = {rho}", statement=True)
        fall = margin_loss(0, rho) - margin_loss(rho, rho)
        yield equal("|Φ(0) - Φ(ρ)| = |0 - ρ|/ρ", fall, 1, at=f"ρ = {rho}", statement=True)


@phi.control(
    "The Lipschitz constant $0.99/\\rho$ is too small: between 0 and $\\rho$ the margin loss falls by "
    "{left}, and {right} would be allowed.",
)
def smaller_lipschitz_constant() -> Found:
    yield at_most("|Φ(0) - Φ(ρ)| ≤ 0.99 |0 - ρ|/ρ", margin_loss(0, 2) - margin_loss(2, 2), Fraction(99, 100))


@phi.control(
    "The indicator of $u<\\rho$ is no lower bound: at $u=\\rho/2$ it is {right}, and the margin loss is only {left}.",
)
def above_the_larger_indicator() -> Found:
    yield at_least("Φ(ρ/2) ≥ ⟦ρ/2 < ρ⟧", margin_loss(1, 2), 1)


@phi.control(
    "A hinge of width $0.99\\rho$ is too narrow to lie above: at $u=\\rho/2$ the margin loss is {left}, "
    "and this hinge is {right}.",
)
def below_a_narrower_hinge() -> Found:
    yield at_most("Φ(u) ≤ 1 - u/(0.99 ρ)", margin_loss(Fraction(1, 2), 1), 1 - Fraction(100, 99) / 2)


average = Claim(
    "prp-empirical-margin-loss",
    "upper bound",
    "exact",
    source="mohri2018",
    where="§9.2, (9.5)–(9.6)",
    implements=(empirical_margin_loss, share_of_small_margins),
    formula=(
        Formula("eq-mean-margin-loss", empirical_margin_loss),
        Formula("eq-empirical-margin-loss", share_of_small_margins),
    ),
    symbols=(Reading(r"\rho_i", "real", slots=("i",), shape=("m",), arguments={"margins": r"\rho_i"}),),
)


def random_margins(rng: np.random.Generator) -> np.ndarray:
    """Quarters between -2 and 3, with many of them equal to 0 or to a margin that is asked for."""
    return np.array([Fraction(int(v), 4) for v in rng.integers(-8, 13, int(rng.integers(1, 9)))], dtype=object)


@average.check("the margin loss of a sample against the share of small margins, with equality just when it is claimed")
def margin_loss_against_share(rng: np.random.Generator) -> Found:
    for _ in range(150):
        margins, rho = random_margins(rng), Fraction(int(rng.integers(1, 9)), 4)
        loss, share = empirical_margin_loss(margins, rho), share_of_small_margins(margins, rho)
        yield at_most("margin loss ≤ (share of margins ≤ ρ)", loss, share)
        yield equal("margin loss = its definition", loss, sum(margin_loss(u, rho) for u in margins) / len(margins))
        yield equal("share = its definition", share, Fraction(sum(u <= rho for u in margins), len(margins)))
        between = any(0 < u <= rho for u in margins)
        yield holds("equal just when no margin lies in (0, ρ]", (loss == share) is not between, Tier.EXACT)


@average.extremal("no margin in (0, ρ]; one just beyond ρ counts on neither side, and one at ρ on the right only")
def no_margin_between_0_and_rho() -> Found:
    beyond = Fraction(1001, 1000)
    margins = np.array([Fraction(-1), Fraction(0), beyond, Fraction(3)], dtype=object)
    yield equal(
        "margin loss = (share of margins ≤ ρ)",
        empirical_margin_loss(margins, 1),
        share_of_small_margins(margins, 1),
        at="ρ = 1",
        statement=True,
    )
    yield equal("share of margins up to ρ", share_of_small_margins(margins, 1), Fraction(1, 2), at="ρ = 1")
    below = share_of_small_margins(margins, 3 / beyond)
    yield equal("share of margins up to ρ", below, Fraction(3, 4), at="ρ just below the margin 3")
    yield equal("share of margins up to ρ", share_of_small_margins(margins, 3), 1, at="ρ equal to the margin 3")


@average.control(
    "One per cent less is too little: with the margins $-1$, 0 and 2 and $\\rho=1$ the margin loss is "
    "{left}, and {right} would be allowed.",
)
def smaller_share() -> Found:
    margins = np.array([Fraction(-1), Fraction(0), Fraction(2)], dtype=object)
    yield at_most(
        "margin loss ≤ 0.99 (share of margins ≤ ρ)",
        empirical_margin_loss(margins, 1),
        share_of_small_margins(margins, 1) * Fraction(99, 100),
    )


@average.strengthened(
    "The threshold of the share cannot be $0.99\\rho$: with the margins 1.99 and 3 and $\\rho=2$ the "
    "margin loss is {left}, but the share is {right}.",
    by=Fraction(99, 100),
)
def smaller_threshold(factor: Fraction) -> Found:
    margins, rho = np.array([Fraction(199, 100), Fraction(3)], dtype=object), 2
    share = share_of_small_margins(margins, factor * rho)
    yield at_most("margin loss ≤ (share of margins ≤ threshold)", empirical_margin_loss(margins, rho), share)


@average.control(
    "With the share of margins less than $\\rho$, no strict inequality holds: for the margins 1 and 2 "
    "and $\\rho=1$ the margin loss is {left}, and this share is {right}.",
)
def strictly_below_the_share() -> Found:
    margins = np.array([Fraction(1), Fraction(2)], dtype=object)
    yield less_than(
        "margin loss < (share of margins < ρ)",
        empirical_margin_loss(margins, 1),
        Fraction(sum(u < 1 for u in margins), 2),
    )
