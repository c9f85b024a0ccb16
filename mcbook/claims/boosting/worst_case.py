"""The exact worst case of AdaBoost, and the constant in front of its bound."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.boosting import (
    dual_bound,
    mass_bound,
    relative_margins,
    squared_votes,
    step_size,
    training_error_bound,
    worst_case,
    worst_sample,
    worst_training_error,
)
from mcbook.boosting.algorithm.adaboost import BoostingRun
from mcbook.boosting.theory import worst_error_even, worst_error_odd
from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than
from mcbook.claims.boosting.rounds import agreements, balls, exact_run, given_run, random_pool, training_error
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.distributions import random_probabilities
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Ball, Exact

Found = Iterator[Evidence]

QUARTER, HALF = Fraction(1, 4), Fraction(1, 2)

# --- the exact worst case --------------------------------------------------------------------------------------------

EVEN: dict[str, Any] = {
    "arguments": {"n_rounds": "T"},
    "given": {"T": r"2\cdot m"},
    "where": r"\epsilon<\frac12",
}
ODD: dict[str, Any] = EVEN | {"given": {"T": r"2\cdot m-1"}}

worst = Claim(
    "thm-adaboost-worst-case",
    "upper bound",
    "exact",
    source="roth-cis519",
    where="this book, as far as we know; the bound that it sharpens is the training-error theorem there",
    implements=(
        mass_bound,
        worst_training_error,
        worst_error_even,
        worst_error_odd,
        worst_sample,
        worst_case,
        dual_bound,
    ),
    formula=(
        Formula("eq-adaboost-mass", mass_bound, numbers="balls", where=r"\theta<1"),
        Formula("eq-adaboost-worst-even", worst_error_even, **EVEN),
        Formula("eq-adaboost-worst-odd", worst_error_odd, **ODD),
    ),
    symbols=(
        Reading(r"\Pi", "positive", arguments={"normaliser_product": r"\Pi"}),
        Reading("A", "positive", arguments={"total": "A"}),
        Reading(r"\theta", "real", arguments={"theta": r"\theta"}),
        Reading(r"\kappa", means=r"\frac\epsilon{1-\epsilon}"),
    ),
)

RATES = (Fraction(1, 10), QUARTER, Fraction(1, 3), Fraction(2, 5), Fraction(9, 20))


# Margins that are asked for, negative ones too.
THETAS = (Fraction(-1), Fraction(-1, 2), Fraction(-1, 5), Fraction(0), Fraction(1, 5), HALF, Fraction(9, 10))


@worst.check("random pools and weights: the mass of margins up to θ against the bound, θ = −1 … 9/10")
def masses_within_the_bound(rng: np.random.Generator) -> Found:
    for _ in range(25):
        m = int(rng.integers(4, 12))
        start = random_probabilities(rng, m)
        run = exact_run(random_pool(rng, m, int(rng.integers(3, 9))), 5, start)
        if run.ending != "rounds":
            continue
        steps = np.array([step_size(ball(error)) for error in run.errors], dtype=object)
        margins = relative_margins(agreements(run).astype(object), steps)
        product, total = training_error_bound(balls(run.errors)), sum(steps)
        simple = mass_bound(product, total, ball(0))
        yield at_most("training error ≤ bound", training_error(run, start), simple)
        yield less_than("bound < ∏Z", simple, product, at="θ = 0")
        for theta in THETAS:
            below = start[np.array([bool(margin <= ball(theta)) for margin in margins])].sum() + Fraction(0)
            yield at_most("Pr[yf ≤ θA] ≤ bound", below, mass_bound(product, total, ball(theta)), at=f"θ = {theta}")
            plain = product * (ball(theta) * total).exp()
            if plain < 1:
                bound = mass_bound(product, total, ball(theta))
                yield less_than("bound < ∏Z e^(θA)", bound, plain, at=f"θ = {theta}")


@worst.check("the sample of the proof, for every rate and T up to 12: AdaBoost replayed in fractions")
def replayed(rng: np.random.Generator) -> Found:
    for error, T in itertools.product(RATES, range(1, 13)):
        if worst_training_error(error, T) >= error:
            sample = worst_sample(error, T)
            run = given_run(sample.H, sample.weights, T)
            context = f"ε = {error}, T = {T}"
            yield equal("largest |error − ε| of a round = 0", max(abs(run.errors - error)), 0, at=context)
            reached = training_error(run, sample.weights)
            yield equal("training error = p", reached, worst_training_error(error, T), at=context)
            yield equal("examples = T + 1", len(sample.weights), T + 1, at=context)


@worst.extremal("p is the bound of part 1: at θ = 0 for even T, at θ = −1/T for odd T, one round among them")
def the_number_is_the_bound() -> Found:
    for error, T in itertools.product(RATES, range(1, 10)):
        errors = [ball(error)] * T
        theta = Fraction(-1, T) if T % 2 else Fraction(0)
        bound = mass_bound(training_error_bound(errors), T * step_size(ball(error)), ball(theta))
        p = worst_training_error(error, T)
        at = f"ε = {error}, T = {T}, θ = {theta}"
        yield equal("p ≈ bound of part 1", ball(p), bound, within=1e-12, at=at)


@worst.check("no sample is worse: linear programs over all of them, with certificates in fractions")
def nothing_is_worse(rng: np.random.Generator) -> Found:
    for error, T in ((QUARTER, 3), (QUARTER, 6), (Fraction(2, 5), 5), (Fraction(2, 5), 8), (QUARTER, 12)):
        found = worst_case(error, T)
        p = worst_training_error(error, T)
        above = dual_bound(error, T, found.multipliers)
        context = f"ε = {error}, T = {T}"
        if p >= error:
            yield at_least("certified maximum ≥ p", above, p, at=context)
            yield at_most("certified maximum ≤ 1.000001 p", above, p * (1 + Fraction(1, 10**6)), at=context)
        else:
            yield less_than("certified maximum < p", above, p, at=f"{context}, p below ε")


@worst.extremal("the optima of the linear programs themselves")
def optima() -> Found:
    for error, T in ((QUARTER, 4), (Fraction(2, 5), 7)):
        optimum = worst_case(error, T).error
        p, at = worst_training_error(error, T), f"ε = {error}, T = {T}"
        yield equal("optimum ≈ p", optimum, p, within=1e-6, at=at)


@worst.extremal("equality for every T with p ≥ ε, here at ε = 1/4 with 2, 4 and 8 rounds")
def attained() -> Found:
    for T in (2, 4, 8):
        sample = worst_sample(QUARTER, T)
        run = given_run(sample.H, sample.weights, T)
        yield at_most(
            "training error ≤ p",
            training_error(run, sample.weights),
            worst_training_error(QUARTER, T),
            at=f"T = {T}",
            statement=True,
        )


@worst.trace("ε = 1/4 and two rounds: three examples of the weights 3/8, 3/8, 1/4")
def proof_on_three_examples() -> Found:
    sample = worst_sample(QUARTER, 2)
    run = given_run(sample.H, sample.weights, 2)
    p, kappa = worst_training_error(QUARTER, 2), Fraction(1, 3)
    total: Ball = sum(step_size(ball(error)) for error in run.errors)
    product = training_error_bound(balls(run.errors))
    yield equal("mean of e^(−yf) ≈ ∏Z", mean_loss(run, sample.weights), product, within=1e-12)
    votes = squared_votes(run.odds, sample.H)
    yield equal("e^(−2yf) = 1", max(votes[1:]), 1, at="examples misclassified")
    yield equal("e^(−A) ≈ κ", (-total).exp(), ball(kappa), within=1e-12, at="the other example")
    yield equal("p + (1 − p) e^(−A) ≈ ∏Z", ball(p) + ball(1 - p) * (-total).exp(), product, within=1e-12)
    yield equal("p ≈ (∏Z − e^(−A)) / (1 − e^(−A))", ball(p), mass_bound(product, total, ball(0)), within=1e-12)
    for t, error in enumerate(run.errors):
        yield equal("error = 1/4", error, QUARTER, at=f"round {t + 1}")
    yield equal("training error = 5/8", training_error(run, sample.weights), Fraction(5, 8))


def mean_loss(run: BoostingRun, weights: Exact) -> Ball:
    votes = squared_votes(run.odds, agreements(run))
    return sum(ball(weight) / ball(vote).sqrt() for weight, vote in zip(weights, votes, strict=True))


@worst.strengthened(
    r"The worst case cannot be one per cent smaller: with $\epsilon=\frac14$ four rounds can end with the "
    "training error {left}, more than {right}.",
    by=Fraction(99, 100),
    story=True,
)
def one_per_cent_below(factor: Fraction) -> Found:
    sample = worst_sample(QUARTER, 4)
    run = given_run(sample.H, sample.weights, 4)
    yield at_most("training error ≤ p", training_error(run, sample.weights), factor * worst_training_error(QUARTER, 4))


@worst.control(
    r"The number $p_T$ is not attained for every $T$: with $\epsilon=\frac14$ and ten rounds no sample has "
    "a training error above {left}, less than $p_T$, which is {right}."
)
def not_for_every_number_of_rounds() -> Found:
    found = worst_case(QUARTER, 10)
    yield at_least(
        "certified maximum ≥ p",
        dual_bound(QUARTER, 10, found.multipliers),
        worst_training_error(QUARTER, 10),
    )
