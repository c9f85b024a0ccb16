"""The training error of AdaBoost, the worst that it can be, margins after it is zero, and what it does not say."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.boosting import (
    binomial_error,
    bound_with_edges,
    bound_with_least_edge,
    dual_bound,
    exponential_bound,
    memorising_risk,
    normaliser,
    relative_margins,
    run_adaboost,
    squared_training_error_bound,
    squared_votes,
    step_size,
    stump_pool,
    ten_points,
    training_error_bound,
    worst_case,
    worst_sample,
)
from mcbook.boosting.algorithm.adaboost import BoostingRun
from mcbook.boosting.instances import independent_errors
from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than
from mcbook.claims.boosting.rounds import agreements, balls, exact_run, given_run, random_pool, training_error
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.distributions import FiniteDistribution, random_probabilities, uniform_distribution
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Ball, Exact, Scalar

Found = Iterator[Evidence]

# An edge lies between -1/2 and 1/2: it is made of an error.
EDGE = {r"\gamma_t": r"\frac12-\epsilon_t"}
QUARTER, HALF = Fraction(1, 4), Fraction(1, 2)


def uniform(m: int) -> Exact:
    return np.array([Fraction(1, m)] * m)


# --- the training-error theorem --------------------------------------------------------------------------------------

theorem = Claim(
    "thm-adaboost-training-error",
    "upper bound",
    "exact",
    source="roth-cis519",
    where="training-error theorem",
    implements=(
        training_error_bound,
        squared_training_error_bound,
        bound_with_edges,
        exponential_bound,
        binomial_error,
        run_adaboost,
        worst_case,
        dual_bound,
    ),
    formula=(
        Formula("eq-adaboost-bound", training_error_bound, side=0, numbers="balls"),
        Formula("eq-adaboost-bound", bound_with_edges, side=1, given=EDGE, numbers="balls"),
        Formula("eq-adaboost-bound", exponential_bound, side=2, given=EDGE, numbers="balls"),
    ),
)


@theorem.check("random pools and weights: error² ≤ ∏ 4ε(1 − ε), both sides being fractions, ties counted as errors")
def runs_within_the_bound(rng: np.random.Generator) -> Found:
    for _ in range(40):
        m = int(rng.integers(4, 14))
        start = random_probabilities(rng, m)
        run = exact_run(random_pool(rng, m, int(rng.integers(3, 9))), 6, start)
        if run.ending != "rounds":
            continue
        error, square = training_error(run, start), squared_training_error_bound(run.errors)
        yield at_most("error² ≤ ∏ 4ε(1 − ε)", error**2, square)
        edges = HALF - run.errors
        yield equal("∏ 4ε(1 − ε) = ∏ (1 − 4γ²)", square, math.prod(1 - 4 * edge * edge for edge in edges))
        simpler = exponential_bound(balls(edges))
        yield at_most("∏ 2√(ε(1 − ε)) ≤ e^(−2 Σ γ²)", training_error_bound(balls(run.errors)), simpler)
        yield at_most("∏ √(1 − 4γ²) ≤ e^(−2 Σ γ²)", bound_with_edges(balls(edges)), simpler)


@theorem.extremal("independent errors of 3/10: the right rate, an exact binomial tail against the product")
def product_space() -> Found:
    for T in (2, 4, 8):
        sample = independent_errors(Fraction(3, 10), T)
        run = given_run(sample.H, sample.weights, T)
        yield equal("largest |error − 3/10| of a round = 0", max(abs(run.errors - Fraction(3, 10))), 0, at=f"T = {T}")
        error = training_error(run, sample.weights)
        yield equal("training error = Pr[Bin(T, ε) ≥ T/2]", error, binomial_error(Fraction(3, 10), T), at=f"T = {T}")
        yield at_most("training error ≤ bound", error, training_error_bound(balls(run.errors)), at=f"T = {T}")
    # The quotient falls as √(2/(πT)) / (1 − κ) for even T and as √κ times that for odd T, with κ = ε/(1 − ε).
    half_pi = ball(0).acos()
    limit = (1 / half_pi).sqrt() / (1 - ball(Fraction(3, 7)))
    for T, constant in ((2000, limit), (2001, limit * ball(Fraction(3, 7)).sqrt())):
        used = binomial_error(ball(Fraction(3, 10)), T) / training_error_bound([ball(Fraction(3, 10))] * T)
        yield at_most("√T × error / bound ≤ its limit", ball(T).sqrt() * used, constant, at=f"T = {T}")
        yield at_least("√T × error / bound ≥ 99/100 of it", ball(T).sqrt() * used, constant * 99 / 100, at=f"T = {T}")


@theorem.extremal("no constant below 1 can stand in front: samples of ε = 9/20 that use 99.7 per cent of the bound")
def nearly_attained() -> Found:
    for T in (10, 30, 50):
        yield at_most("training error ≤ bound", *worst_at(Fraction(9, 20), T), at=f"T = {T}", statement=True)


@theorem.extremal("odd T leave no ties, so that √(ε/(1 − ε)) is the constant: samples of ε = 9/20 that use 99 per cent")
def odd_rounds() -> Found:
    error = Fraction(9, 20)
    for T, share in ((11, Fraction(9, 10)), (49, Fraction(99, 100))):
        sample = worst_sample(error, T)
        run = given_run(sample.H, sample.weights, T)
        reached = training_error(run, sample.weights) ** 2
        allowed = error / (1 - error) * squared_training_error_bound(run.errors)
        yield at_most("error² ≤ ε/(1 − ε) × bound²", reached, allowed, at=f"T = {T}")
        yield at_least(f"error² ≥ ({share})² ε/(1 − ε) × bound²", reached, share**2 * allowed, at=f"T = {T}")


def worst_at(error: Fraction, T: int) -> tuple[Fraction, Scalar]:
    """The training error on the worst sample, replayed in fractions, and the product bound."""
    sample = worst_sample(error, T)
    run = given_run(sample.H, sample.weights, T)
    return training_error(run, sample.weights), squared_training_error_bound(run.errors[: T // 2])


@theorem.extremal("linear programs over all samples with ε = 1/4: their share of the bound tends to 1 with T")
def problems() -> Found:
    for T in (2, 4, 10):
        found = worst_case(QUARTER, T)
        above = dual_bound(QUARTER, T, found.multipliers)
        bound = squared_training_error_bound([QUARTER] * (T // 2))
        yield at_most("optimum ≤ product bound", found.error, bound, at=f"T = {T}")
        yield equal("optimum ≈ the certificate in fractions", found.error, above, within=1e-6, at=f"T = {T}")


@theorem.trace("the three steps on the ten points after three rounds, everything squared so that it is rational")
def three_steps() -> Found:
    X, y = ten_points()
    run = exact_run(stump_pool(X) * y, 3)
    votes = squared_votes(run.odds, agreements(run))
    square = squared_training_error_bound(run.errors)
    for i in (0, 2, 5, 8, 9):
        yield equal(
            "D² (m ∏Z)² = e^(−2yf)", run.D[i, 0] ** 2 * 100 * square, 1 / votes[i], at=f"step 1, example {i + 1}"
        )
    for i in (0, 2, 5, 8, 9):
        yield at_most("[y f ≤ 0] ≤ e^(−2yf)", int(bool(votes[i] <= 1)), 1 / votes[i], at=f"step 2, example {i + 1}")
    mean = sum((1 / ball(vote)).sqrt() for vote in votes) / 10
    yield at_most("training error ≤ mean of e^(−yf)", training_error(run, uniform(10)), mean, at="step 2")
    yield equal(
        "mean of e^(−yf) ≈ ∏Z",
        mean,
        training_error_bound(balls(run.errors)),
        within=1e-12,
        at="step 2",
    )
    for t, error in enumerate(run.errors):
        root = ball(run.odds[t]).sqrt()
        sums = (1 - ball(error)) / root + ball(error) * root
        yield equal(
            "(1 − ε)e^(−α) + ε e^α ≈ 2√(ε(1 − ε))",
            sums,
            normaliser(ball(error)),
            within=1e-12,
            at=f"step 3, round {t + 1}",
        )
        edge = ball(HALF - error)
        yield at_most(
            "√(1 − 4γ²) ≤ e^(−2γ²)", normaliser(ball(error)), exponential_bound([edge]), at=f"step 3, round {t + 1}"
        )


@theorem.strengthened(
    r"One per cent less would be too strong: on 51 weighted examples, with $\epsilon_t=\frac9{20}$ in each "
    "of 50 rounds, the training error is {left}, more than {right}.",
    by=Fraction(99, 100),
    story=True,
)
def one_per_cent_less(factor: Fraction) -> Found:
    error, _ = worst_at(Fraction(9, 20), 50)
    yield at_most("training error ≤ bound", error, ball(factor) * training_error_bound([ball(Fraction(9, 20))] * 50))


@theorem.strengthened(
    "The exponent 2 Σ γ² cannot be five per cent larger: with the error 9/20 in each of 40 rounds the "
    "training error is {left}, more than {right}.",
    by=Fraction(21, 20),
)
def larger_exponent(factor: Fraction) -> Found:
    error, _ = worst_at(Fraction(9, 20), 40)
    allowed = exponential_bound([ball(Fraction(1, 20)) * ball(factor).sqrt()] * 40)
    yield at_most("training error ≤ bound", error, allowed)


# --- it need not know the edges --------------------------------------------------------------------------------------

adaptive = Claim(
    "cor-adaboost-is-adaptive",
    "upper bound",
    "exact",
    source="roth-cis519",
    where="AdaBoost remarks",
    implements=(bound_with_least_edge, bound_with_edges),
    formula=(
        Formula(
            "eq-adaboost-adapts",
            bound_with_least_edge,
            arguments={"n_rounds": "T"},
            given={r"\gamma": r"\frac12-\epsilon"},
            numbers="balls",
        ),
        Formula("eq-adaboost-adapts", bound_with_edges, side=0, given=EDGE, numbers="balls"),
    ),
    no_trace="a product of factors that are compared one by one",
    symbols=(Reading(r"\gamma", "probability", arguments={"edge": r"\gamma"}),),
)


# Edges for which the root of 1 - 4 edge^2 is rational: half the shorter sides of right-angled triangles.
EDGES = [
    Fraction(0),
    *(Fraction(*pair) / 2 for pair in ((3, 5), (4, 5), (5, 13), (12, 13), (8, 17), (7, 25), (20, 29))),
]


def compared_bounds(edges: list[Fraction]) -> tuple[Scalar, Scalar]:
    """The bound with all edges, and the one with the least."""
    return bound_with_edges(edges), bound_with_least_edge(min(edges), len(edges))


@adaptive.check("random edges whose roots are rational, and in squares the edges of runs on random pools")
def never_worse(rng: np.random.Generator) -> Found:
    for _ in range(40):
        edges = [EDGES[int(j)] for j in rng.integers(0, len(EDGES), int(rng.integers(1, 12)))]
        yield at_most("∏ √(1 − 4γ²) ≤ (1 − 4γ²)^(T/2) with the least γ", *compared_bounds(edges))
    for _ in range(10):
        run = exact_run(random_pool(rng, 10, 6), 6)
        if run.ending == "rounds":
            square = squared_training_error_bound(run.errors)
            least = bound_with_least_edge(min(HALF - run.errors), 2 * run.n_rounds)
            yield at_most("∏ (1 − 4γ²) ≤ (1 − 4γ²)^T with the least γ", square, least)


@adaptive.extremal("equality where all edges are equal")
def equal_edges() -> Found:
    for edge in EDGES:
        yield at_most("∏ √(1 − 4γ²) ≤ (1 − 4γ²)^(T/2)", *compared_bounds([edge] * 5), at=f"γ = {edge}", statement=True)


@adaptive.control(
    "The largest edge cannot replace the least: for the edges 3/10, 3/10 and 2/5 the product is {left}, "
    "more than {right}."
)
def largest_edge() -> Found:
    edges = [Fraction(3, 10), Fraction(3, 10), Fraction(2, 5)]
    yield at_most(
        "∏ √(1 − 4γ²) ≤ (1 − 4γ²)^(T/2) with the largest γ",
        bound_with_edges(edges),
        bound_with_least_edge(max(edges), 3),
    )


# --- margins grow after the error is zero ----------------------------------------------------------------------------

growing = Claim(
    "prp-margins-grow-after-zero-error",
    "existence",
    "exact",
    source="roth-cis519",
    where="slide on margins after zero error",
    implements=(relative_margins, run_adaboost, ten_points),
    no_formula="an existence, shown by a run",
    no_trace="an existence, shown by a run",
    no_extremal="an existence has no slack",
)


def least_margin(run: BoostingRun, T: int) -> Ball:
    """min y f / sum alpha after T rounds, in balls."""
    steps = np.array([step_size(ball(error)) for error in run.errors[:T]], dtype=object)
    margins = relative_margins(agreements(run)[:T].astype(object), steps)
    return min(margins.tolist(), key=float)


@growing.check("the ten points with all stumps: error 0 after 3 rounds, and the smallest margin of every later round")
def ten_points_go_on(rng: np.random.Generator) -> Found:
    X, y = ten_points()
    run = exact_run(stump_pool(X) * y, 12)
    for T, wrong in ((1, 3), (2, 3), (3, 0), (12, 0)):
        votes = squared_votes(run.odds[:T], agreements(run)[:T])
        yield equal(f"training errors = {wrong}", sum(bool(vote <= 1) for vote in votes), wrong, at=f"after round {T}")
    for T in range(3, 12):
        yield less_than(
            f"smallest margin after round {T} < after round {T + 1}", least_margin(run, T), least_margin(run, T + 1)
        )


@growing.control(
    "The smallest margin need not grow in every round: with four hypotheses on four examples it falls "
    "from {left} after round 3 to {right} after round 4."
)
def it_may_fall() -> Found:
    H = np.array([[-1, 1, -1, -1], [-1, 1, 1, 1], [1, -1, -1, 1], [1, 1, 1, -1]])
    run = exact_run(H, 4)
    yield at_most("smallest margin after round 3 ≤ after round 4", least_margin(run, 3), least_margin(run, 4))


# --- training error alone bounds nothing -----------------------------------------------------------------------------

memory = Claim(
    "prp-training-error-is-not-enough",
    "existence",
    "exact",
    source="roth-cis519",
    where="slide asking why training error",
    implements=memorising_risk,
    formula=Formula("eq-memorising-risk", memorising_risk, where="N \\ge m"),
    no_trace="one line: it errs on all points but those it has seen",
    symbols=(Reading("N", "count", arguments={"n_points": "N"}),),
)


def risk_of_memory(distribution: FiniteDistribution, atoms: tuple[int, ...]) -> Fraction:
    """The risk of the rule that knows the labels of these atoms and errs on the others."""
    return Fraction(distribution.probability(~np.isin(np.arange(distribution.n_atoms), atoms)))


@memory.check("every sample of up to three examples on up to five points")
def all_samples(rng: np.random.Generator) -> Found:
    for N, m in itertools.product(range(3, 6), range(1, 4)):
        distribution = uniform_distribution(N)
        for atoms, _ in distribution.sequences(m):
            yield at_least("risk ≥ 1 − m/N", risk_of_memory(distribution, atoms), memorising_risk(N, m))


@memory.extremal("equality wherever no point is drawn twice")
def distinct_points() -> Found:
    for N, m in ((4, 2), (10, 3), (100, 10)):
        yield at_least(
            "risk ≥ 1 − m/N",
            risk_of_memory(uniform_distribution(N), tuple(range(m))),
            memorising_risk(N, m),
            at=f"N = {N}",
            statement=True,
        )


@memory.strengthened(
    "The risk need not be one per cent larger: a rule that knows ten of a hundred points has the risk "
    "{left}, less than {right}.",
    by=Fraction(101, 100),
    story=True,
)
def one_per_cent_more(factor: Fraction) -> Found:
    yield at_least(
        "risk ≥ 1 − m/N", risk_of_memory(uniform_distribution(100), tuple(range(10))), factor * memorising_risk(100, 10)
    )


@memory.control(
    "The points have to be equally likely: if one of three has probability 1/2, a rule that knows this "
    "point has the risk {left}, less than {right}."
)
def likely_points() -> Found:
    distribution = FiniteDistribution(np.array([HALF, QUARTER, QUARTER]))
    yield at_least("risk ≥ 1 − m/N", risk_of_memory(distribution, (0,)), memorising_risk(3, 1))
