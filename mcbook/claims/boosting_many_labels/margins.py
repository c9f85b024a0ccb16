"""AdaBoost.MR on fresh examples: margins of all rivals together, and of one that is drawn."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mcbook.boosting import FinitePool
from mcbook.boosting_many_labels import (
    margin_factor,
    margin_share_bound,
    one_rival_bound,
    ranking_risk_bound,
    run_adaboost_mr,
    tied_rival,
)
from mcbook.boosting_many_labels.algorithm.ranking import RankingRun
from mcbook.claims import Claim, Evidence, at_most, covered, equal, less_than
from mcbook.claims.boosting_many_labels.exact_runs import HAIR
from mcbook.claims.boosting_many_labels.rankings import exact_ranking, rational_runs, tied_run
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.statistical import Coverage
from mcbook.foundation.types import Ball, Scalar
from mcbook.problem import score_margins

Found = Iterator[Evidence]

# Of floats that are nearer than this nothing is said: a margin counts as too small unless it is larger for certain.
BLUR = 1e-9
DELTA, N_TRIALS = Fraction(1, 10), 120


def step_of(right: Fraction, wrong: Fraction) -> Ball:
    """ln(e+ / e-) / 4 as a ball."""
    return (ball(right) / ball(wrong)).log() / 4


def differences(y: np.ndarray, H: np.ndarray, run: RankingRun, steps: list[Ball]) -> np.ndarray:
    """f(x_i, y_i) - f(x_i, l) for every rival, row by row ``(m, k - 1)``."""
    own = np.arange(H.shape[2]) == y[:, None]
    scores = sum(float(step) * H[j] for step, j in zip(steps, run.hypotheses, strict=True))
    return (scores[own][:, None] - scores)[~own].reshape(len(y), -1)


def share(small: np.ndarray) -> Fraction:
    return Fraction(int(small.sum()), small.size)


# --- all rivals ------------------------------------------------------------------------------------------------------

all_rivals = Claim(
    "prp-mr-margins",
    "upper bound",
    "statistical",
    source="mohri2018",
    where="Exercise 9.4 (d)",
    implements=(margin_share_bound, ranking_risk_bound, margin_factor),
    formula=(
        Formula("eq-mr-margin-share", margin_share_bound, numbers="balls"),
        Formula("eq-mr-risk-bound", ranking_risk_bound, numbers="balls"),
        Formula("eq-mr-margin-factor", margin_factor, numbers="balls", where="2\\gamma<1"),
    ),
    symbols=(
        Reading(r"\gamma", "probability", arguments={"edge": r"\gamma"}),
        Reading(r"\alpha_t", "positive", slots=("t",), shape=("T",), arguments={"steps": r"\alpha_t"}),
    ),
)


@all_rivals.check("runs in fractions: the share of margins ≤ ρ, for ρ from 0 to 2")
def small_margins(rng: np.random.Generator) -> Found:
    for y, H, run in rational_runs(rng, 12):
        steps = [step_of(right, wrong) for right, wrong in zip(run.right, run.wrong, strict=True)]
        margins = differences(y, H, run, steps).min(axis=1)
        for rho in (Fraction(0), Fraction(1, 3), Fraction(1), Fraction(5, 3), Fraction(2)):
            small = margins <= float(rho) * sum(map(float, steps)) + BLUR
            allowed = margin_share_bound(H.shape[2], map(ball, run.normalisers), steps, ball(rho))
            yield at_most("share of margins ≤ bound", share(small), allowed + ball(HAIR), at=f"ρ = {rho}")


@all_rivals.check("larger edges have smaller factors up to ρ = 4 γ, and all are below 1 for ρ = 2 γ")
def factors(rng: np.random.Generator) -> Found:
    for _ in range(40):
        low, high = sorted(Fraction(int(n), 200) for n in rng.integers(1, 100, 2))
        rho = 4 * low * Fraction(int(rng.integers(0, 11)), 10)
        # e+ and e- of a round with the edge `high` that leaves no pair as it is.
        right, wrong = Fraction(1, 2) + high, Fraction(1, 2) - high
        made = 2 * (ball(right) * ball(wrong)).sqrt() * (ball(rho) * step_of(right, wrong)).exp()
        yield at_most("Z exp(ρ α) ≤ factor of γ", made, margin_factor(ball(low), ball(rho)) + ball(HAIR))
        yield less_than("factor < 1", margin_factor(ball(low), ball(2 * low)), 1, at="ρ = 2 γ")


class Distribution(NamedTuple):
    """Six inputs with three labels, one of them likely; hypotheses on all pairs, of which most are mostly right."""

    probabilities: np.ndarray
    y: np.ndarray
    H: np.ndarray


@functools.cache
def distribution() -> Distribution:
    rng = np.random.default_rng(6)
    k, inputs = 3, np.arange(6)
    y = np.tile(np.arange(k), len(inputs))
    probabilities = np.where(y == np.repeat(inputs % k, k), 498, 1) / (500 * len(inputs))
    signs = np.where(np.arange(k) == (inputs % k)[:, None], 1, -1)
    table = np.where(rng.random((10, len(inputs), k)) < 0.85, signs, -signs)
    # The inputs with each of their labels are the examples of the distribution.
    return Distribution(probabilities, y, np.repeat(table, k, axis=1))


def run_on(counts: np.ndarray) -> RankingRun:
    return run_adaboost_mr(FinitePool(distribution().H), distribution().y, 3, 12, weights=counts)


def risk_of(run: RankingRun) -> float:
    return float(distribution().probabilities @ (score_margins(run.votes, distribution().y) <= 0))


def massart(n_functions: int, n_samples: int) -> float:
    """At least the complexity of so many functions with values -1 and +1."""
    return math.sqrt(2 * math.log(n_functions) / n_samples)


RHO, M = Fraction(1, 4), 10**6


def bound_of(run: RankingRun) -> Scalar:
    # Three functions of the input for each of the ten hypotheses.
    return ranking_risk_bound(
        3, map(ball, run.normalisers), map(ball, run.steps), ball(massart(30, M)), ball(RHO), ball(DELTA), M
    )


@all_rivals.check("an illustration: 120 samples of a million noisy examples, with bounds below 1 that are never near")
def fresh_examples(rng: np.random.Generator) -> Found:
    # No sample can break the bound. If on every input a hypothesis says yes to one label and no to another, the
    # complexity is about 0.8/√m, so 4k/ρ times it is at least 3.2/√m, and even the share of the mistakes of one fixed
    # function strays so far with probability 10⁻⁸ at most.
    runs = [run_on(counts) for counts in rng.multinomial(M, distribution().probabilities, size=N_TRIALS)]
    bounds = [bound_of(run) for run in runs]
    failures = sum(risk_of(run) > float(bound) for run, bound in zip(runs, bounds, strict=True))
    yield less_than("largest bound < 1", max(bounds, key=float), 1)
    yield covered("samples on which the run breaks the bound", Coverage(failures, N_TRIALS, float(DELTA)))


@all_rivals.check(
    "what the three terms are worth, each by itself: the share of margins, the complexity, the confidence"
)
def three_terms(rng: np.random.Generator) -> Found:
    normalisers, steps = [ball(Fraction(3, 4))] * 3, [ball(Fraction(1, 2))] * 3
    for k, rho, m in ((2, Fraction(1, 3), 100), (5, Fraction(2), 10**6)):

        def bound(complexity: Fraction, delta: Fraction, k: int = k, rho: Fraction = rho, m: int = m) -> Ball:
            return ranking_risk_bound(k, normalisers, steps, ball(complexity), ball(rho), ball(delta), m)

        nothing, where = bound(Fraction(0), Fraction(1)), f"k = {k}, ρ = {rho}, m = {m}"
        share = margin_share_bound(k, normalisers, steps, ball(rho))
        yield at_most("|bound − share| ≤ 10⁻¹⁰, with no complexity and δ = 1", abs(nothing - share), HAIR, at=where)
        learnt = bound(Fraction(1, 20), Fraction(1)) - nothing
        yield at_most("|complexity term − 4k/(20ρ)| ≤ 10⁻¹⁰", abs(learnt - ball(4 * k / (20 * rho))), HAIR, at=where)
        trusted = bound(Fraction(0), DELTA) - nothing
        off = abs(2 * m * trusted**2 - ball(1 / DELTA).log())
        yield at_most("|2m times the square of the confidence term − ln 10| ≤ 10⁻⁹", off, Fraction(1, 10**9), at=where)


@all_rivals.extremal("equality in the limit at ρ = 0: the run that never separates label and rival")
def a_tie() -> Found:
    normalisers = [ball(Z) for Z in tied_run(10).normalisers]
    allowed = margin_share_bound(9, normalisers, [ball(0)] * 10, ball(0))
    yield at_most("share of margins ≤ bound", 1, allowed, at="ρ = 0", statement=True)


@all_rivals.extremal("nearly equality at ρ = 2: one round that is hardly better than a guess")
def one_round() -> Found:
    yield at_most("share of margins ≤ bound", 1, after_one_round(), at="ρ = 2", statement=True)


def after_one_round() -> Scalar:
    """The bound after a round with e+ : e- = 500² : 499², so that the roots are fractions."""
    y, H = np.zeros(2, dtype=int), np.array([[[1, -1], [-1, 1]]])
    weights = np.array([Fraction(500**2), Fraction(499**2)], dtype=object)
    run = run_adaboost_mr(FinitePool(H), y, 2, 1, weights=weights)
    return margin_share_bound(2, map(ball, run.normalisers), [step_of(run.right[0], run.wrong[0])], ball(2))


@all_rivals.strengthened(
    "One per cent less would be too little: after one round that is hardly better than a guess, the "
    "share of margins of at most 2 is {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def less_than_the_product(by: Fraction) -> Found:
    yield at_most("share of margins ≤ bound", 1, ball(by) * after_one_round(), at="ρ = 2")


@all_rivals.control(
    r"Beyond $\rho=4\gamma$ the factor is too small: with $\gamma=\frac1{10}$ and $\rho=1$ it is "
    r"{right}, but a round with the larger edge $\frac14$ has $Ze^{\rho\alpha}$ equal to {left}.",
    story=True,
)
def beyond_the_edge() -> Found:
    right, wrong = Fraction(3, 4), Fraction(1, 4)
    made = 2 * (ball(right) * ball(wrong)).sqrt() * step_of(right, wrong).exp()
    yield at_most("Z exp(ρ α) ≤ factor of γ", made, margin_factor(ball(Fraction(1, 10)), ball(1)))


# --- one rival -------------------------------------------------------------------------------------------------------

one_rival = Claim(
    "prp-mr-one-rival",
    "upper bound",
    "statistical",
    source="mohri2018",
    where="Exercise 9.4 (e)",
    implements=(one_rival_bound, margin_share_bound),
    formula=Formula("eq-mr-one-rival", one_rival_bound, numbers="balls"),
    symbols=(
        Reading(r"\widehat P_\rho", "share", arguments={"pair_share": r"\widehat P_\rho"}),
        Reading(
            r"\mathfrak R_m^{\mathrm{own}}(\mathcal H)",
            "nonnegative",
            arguments={"own_complexity": r"\mathfrak R_m^{\mathrm{own}}(\mathcal H)"},
        ),
        Reading(
            r"\mathfrak R_m^{\mathrm{rival}}(\mathcal H)",
            "nonnegative",
            arguments={"rival_complexity": r"\mathfrak R_m^{\mathrm{rival}}(\mathcal H)"},
        ),
    ),
)


@one_rival.check("runs in fractions: mistakes against pairs, and the pairs of a margin ≤ ρ against the product")
def mistakes_and_pairs(rng: np.random.Generator) -> Found:
    for y, H, run in rational_runs(rng, 12):
        k, steps = H.shape[2], [step_of(right, wrong) for right, wrong in zip(run.right, run.wrong, strict=True)]
        table = differences(y, H, run, steps)
        # What rounding leaves of a zero is a tie on both sides.
        yield at_most("mistakes ≤ (k − 1) pairs", share(table.min(axis=1) <= BLUR), (k - 1) * share(table <= BLUR))
        for rho in (Fraction(1, 3), Fraction(1), Fraction(2)):
            small = (k - 1) * share(table <= float(rho) * sum(map(float, steps)) + BLUR)
            allowed = margin_share_bound(k, map(ball, run.normalisers), steps, ball(rho))
            yield at_most("(k − 1) pairs ≤ bound", small, allowed + ball(HAIR), at=f"ρ = {rho}")


@one_rival.check("an illustration: 120 samples of a million noisy examples, each with one rival, and bounds below 1")
def drawn_rivals(rng: np.random.Generator) -> Found:
    here, failures, bounds = distribution(), 0, []
    for _ in range(N_TRIALS):
        pairs = rng.multinomial(M, np.repeat(here.probabilities / 2, 2)).reshape(-1, 2)
        run = run_on(pairs.sum(axis=1))
        small = differences(here.y, here.H, run, list(run.steps)) <= float(RHO) * run.steps.sum()
        simple = ball(massart(10, M))
        bounds.append(
            one_rival_bound(ball(Fraction(int(pairs[small].sum()), M)), simple, simple, ball(RHO), 3, ball(DELTA), M)
        )
        failures += risk_of(run) > float(bounds[-1])
    yield less_than("largest bound < 1", max(bounds, key=float), 1)
    yield covered("samples on which the run breaks the bound", Coverage(failures, N_TRIALS, float(DELTA)))


def strays(share_of_the_term: Fraction) -> tuple[Fraction, Fraction]:
    """The probability that the bound is broken with this share of the confidence term, and δ.

    One function that always ties with one of two rivals and beats the other one by 2 after scaling: its risk is 1, and
    each of a hundred examples draws the rival that ties with probability 1/2.
    """
    k, m, delta = 3, 100, Fraction(1, 100)
    confidence = ball(share_of_the_term) * one_rival_bound(ball(0), ball(0), ball(0), ball(1), k, ball(delta), m)
    broken = (c for c in range(m + 1) if (k - 1) * ball(Fraction(c, m)) + confidence < 1)
    return sum((Fraction(math.comb(m, c), 2**m) for c in broken), Fraction(0)), delta


@one_rival.check("one function that ties with one of two rivals: the exact probability that a hundred draws mislead")
def misleading_draws(rng: np.random.Generator) -> Found:
    probability, delta = strays(Fraction(1))
    yield at_most("probability of a failure ≤ δ", probability, delta)
    yield less_than("0 < probability of a failure", 0, probability)


@one_rival.strengthened(
    "Half of the confidence term is too little: a function that always ties with one of two rivals then escapes a "
    r"hundred draws with probability {left}, more than $\delta$, which is {right}.",
    by=Fraction(1, 2),
)
def half_of_the_confidence(by: Fraction) -> Found:
    yield at_most("probability of a failure ≤ δ", *strays(by))


@one_rival.extremal("equality: one of eight rivals is tied, the others are beaten")
def one_tie() -> Found:
    yield equal("mistakes = (k − 1) pairs", *tied_shares(), statement=True)


def tied_shares() -> tuple[Fraction, Fraction]:
    y, H = tied_rival(9)
    run = exact_ranking(y, H, 3)
    table = differences(y, H, run, list(run.steps))
    return share(table.min(axis=1) <= 0), 8 * share(table <= 0)


@one_rival.strengthened(
    "The factor $k-1$ cannot shrink by one per cent: where one of eight rivals ties with the label, "
    "the error is {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def less_than_all_rivals(by: Fraction) -> Found:
    # With nothing to learn and no confidence asked for, the bound is that of the reduction alone.
    mistakes, pairs = tied_shares()
    allowed = one_rival_bound(ball(pairs / 8), ball(0), ball(0), ball(1), 9, ball(1), 1)
    yield at_most("mistakes ≤ (k − 1) pairs", mistakes, ball(by) * allowed + ball(HAIR))


@one_rival.control(
    "If the confidence term counted once instead of $k-1$ times, a function that always loses to one "
    r"of eight rivals would escape eight drawn pairs with probability {left}, more than $\delta$, which "
    "is {right}.",
    story=True,
)
def the_confidence_term_once() -> Found:
    # One function that is always wrong, with one rival: of eight drawn rivals none is that one.
    unseen, delta, m = Fraction(7, 8) ** 8, Fraction(3, 10), 8
    confidence = one_rival_bound(ball(0), ball(0), ball(0), ball(1), 9, ball(delta), m) / 8
    yield at_most("probability of a failure ≤ δ", unseen if confidence < 1 else 0, delta)
