"""Up to which margin the training bound decays, and after how many rounds no smaller margin is left."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from fractions import Fraction

import flint
import numpy as np

from mcbook.boosting import FinitePool, worst_case
from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than, proved
from mcbook.claims.output_code_margins.samples import (
    Found,
)
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.rigorous import prove_identity, prove_nonnegative, prove_sign
from mcbook.foundation.types import Array, Ball
from mcbook.output_code_margins import (
    ReluctantLearner,
    adaboost_mo,
    decoding_margins,
    edge_factor,
    edge_margin_bound,
    margin_threshold,
    rounds_for_margin,
    sure_edge,
    training_margin_bound,
)
from mcbook.output_code_margins.algorithm.votes import answers_of, share_of_margins
from mcbook.output_codes import (
    hadamard_code,
    minimal_distance,
    one_vs_rest_code,
)

# --- the threshold ---------------------------------------------------------------------------------------------------

# An edge is below 1/2, and with c < 1 the margin is small enough.
SMALL_EDGE = {r"\gamma": r"\frac\delta2"}

threshold = Claim(
    "cor-code-margin-threshold",
    "upper bound",
    "rigorous",
    source="allwein2000",
    where="§5, after Theorem 6",
    errata=("E44",),
    implements=(edge_factor, edge_margin_bound, margin_threshold),
    formula=(
        Formula("eq-code-edge-factor", edge_factor, given=SMALL_EDGE, numbers="balls"),
        Formula(
            "eq-code-edge-bound",
            edge_margin_bound,
            given=SMALL_EDGE | {r"\theta": r"2\gamma c"},
            where=r"\rho\le\ell",
            numbers="balls",
        ),
        Formula("eq-code-threshold", margin_threshold, given=SMALL_EDGE, numbers="balls"),
    ),
)


@threshold.check("the substitution, the sign of ln b below θ*, and γ < θ* < 2γ, for all γ, θ and ε")
def threshold_for_every_edge(rng: np.random.Generator) -> Found:
    import sympy

    u, a, c = sympy.Symbol("u", positive=True), sympy.Symbol("a", nonnegative=True), sympy.Symbol("c", nonnegative=True)
    # With eps = 1/2 - gamma - a and theta = 2 gamma - c the derivative of ln of the factor has the sign of 2a + c.
    eps, theta = sympy.Rational(1, 2) - u / 2 - a, u - c
    yield proved("1 − θ − 2ε ≥ 0 for ε ≤ ½ − γ, θ ≤ 2γ", prove_sign(1 - theta - 2 * eps, 2 * a + c))
    lower = -sympy.log(1 - u**2) - u * sympy.atanh(u)
    yield proved("(−ln(1 − u²) − u artanh u)″ ≥ 0", prove_identity(sympy.diff(lower, u, 2), 2 * u**2 / (1 - u**2) ** 2))
    upper = 2 * u * sympy.atanh(u) + sympy.log(1 - u**2)
    yield proved("(2u artanh u + ln(1 − u²))′ = 2 artanh u", prove_identity(sympy.diff(upper, u), 2 * sympy.atanh(u)))
    free = sympy.Symbol("theta", real=True)
    up, down = sympy.log(1 + u), sympy.log(1 - u)
    written = sympy.expand_log(sympy.log(edge_factor(u / 2, free)), force=True)
    yield proved(
        "2 ln b = ln(1 + u) + ln(1 − u) + θ (ln(1 + u) − ln(1 − u))",
        prove_identity(2 * written, up + down + free * (up - down)),
        at="u = 2γ",
    )
    yield proved("γ < θ*(γ), 0.1 ≤ γ ≤ 0.49", prove_nonnegative(lambda g: margin_threshold(g) - g, [(0.1, 0.49)]))
    yield proved(
        "θ*(γ) < 2γ, 0.02 ≤ γ ≤ 0.49", prove_nonnegative(lambda g: 2 * g - margin_threshold(g), [(0.02, 0.49)])
    )


@threshold.extremal("equal errors: the bound is that of the theorem, of which the worst data use 0.9999")
def equal_errors() -> Found:
    bound = edge_margin_bound(Fraction(1, 5), 20, 1, 1, Fraction(1, 5))
    of_theorem = training_margin_bound([Fraction(3, 10)] * 20, 1, 1, Fraction(1, 5))
    yield equal("bound of the theorem ≈ (ℓ/ρ) b^T", of_theorem, bound, within=1e-12, statement=True)
    yield at_most("worst share ≤ (ℓ/ρ) b^T", worst_case(Fraction(3, 10), 20, Fraction(1, 5)).error, bound)


@threshold.control(
    "The bound does not decay for every $\\theta<2\\gamma$: for $\\gamma=\\frac14$ and $\\theta=\\frac25$ "
    "each round multiplies it by {left}, which is more than {right}.",
    story=True,
)
def decay_up_to_twice_the_edge() -> Found:
    yield less_than("b < 1", edge_factor(Fraction(1, 4), Fraction(2, 5)), 1, at="γ = 1/4, θ = 2/5")


@threshold.control(
    "For $\\theta>2\\gamma$ a smaller error can mean a larger factor: at $\\theta=\\frac9{10}$ a learner of "
    "edge $\\frac9{20}$ has the factor {left}, and $b$ for $\\gamma=\\frac1{20}$ is only {right}.",
)
def substitution_beyond_twice_the_edge() -> Found:
    theta = Fraction(9, 10)
    yield at_most(
        "factor for γ = 9/20 ≤ factor for γ = 1/20",
        edge_factor(Fraction(9, 20), theta),
        edge_factor(Fraction(1, 20), theta),
    )


# --- small margins disappear -----------------------------------------------------------------------------------------

gone = Claim(
    "cor-boosting-increases-margins",
    "upper bound",
    "certified",
    source="allwein2000",
    where="§5",
    errata=("E44",),
    implements=(rounds_for_margin, sure_edge),
    formula=Formula(
        "eq-code-rounds-for-margin",
        rounds_for_margin,
        given=SMALL_EDGE | {r"\theta": r"\gamma c"},
        where=r"\rho\le\ell",
        numbers="balls",
    ),
)


def flips(n_pairs: int, size: int) -> Array:
    """A pool of agreements: each hypothesis is wrong on the pairs of one set of the size, every set having its own."""
    rows = []
    for chosen in itertools.combinations(range(n_pairs), size):
        row = np.ones(n_pairs, dtype=int)
        row[list(chosen)] = -1
        rows.append(row)
    return np.array(rows)


@gone.check(
    "three codes, pools whose edge is certified, θ of 1/10, 1/2 and 9/10 of the threshold: no small margin is left"
)
def no_small_margin_is_left(rng: np.random.Generator) -> Found:
    for M, m, size in ((one_vs_rest_code(3), 4, 3), (hadamard_code(4), 4, 4), (np.array([[-1], [1]]), 8, 2)):
        y = np.arange(m) % len(M)
        agreements = flips(m * M.shape[1], size)[rng.permutation(len(flips(m * M.shape[1], size)))]
        edge = sure_edge(agreements)
        gamma = Fraction(edge.gamma.lower).limit_denominator(10**3) - Fraction(1, 10**6)
        yield at_least("certified edge ≥ γ", edge.gamma, gamma)
        for part in (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)):
            theta = Fraction(float(margin_threshold(gamma))).limit_denominator(10**4) * part
            rounds: Ball = rounds_for_margin(m, M.shape[1], minimal_distance(M), gamma, theta)
            n_rounds = int(rounds.ceil().unique_fmpz()) + 1
            margins, worst = run_in_balls(M, y, agreements, n_rounds)
            yield at_most("largest error of a round ≤ ½ − γ", worst, Fraction(1, 2) - gamma)
            yield equal(
                "share of margins up to θ ≈ 0",
                certain_share(margins, theta),
                ball(0),
                within=1e-12,
                at=f"after {n_rounds} rounds",
            )


def certain_share(margins: Array, theta: Fraction) -> Ball:
    return ball(share_of_margins(margins, theta))


# Binary digits of the balls: a replay of many rounds loses a few in each.
_DIGITS = 400


def run_in_balls(M: Array, y: Array, agreements: Array, n_rounds: int) -> tuple[Array, Ball]:
    """AdaBoost.MO chooses in floats; its errors and margins are then those of balls, which hide no rounding."""
    signs = M[y]
    run = adaboost_mo(FinitePool(agreements.reshape(-1, *signs.shape) * signs), M, y, n_rounds)
    with flint.ctx.workprec(_DIGITS):
        return replayed_in_balls(M, y, (agreements[chosen] for chosen in run.hypotheses))


def replayed_in_balls(M: Array, y: Array, rounds: Iterable[Array]) -> tuple[Array, Ball]:
    signs = M[y]
    weight = np.array([ball(1) for _ in range(signs.size)], dtype=object)
    votes = np.array([ball(0) for _ in range(signs.size)], dtype=object)
    eta, worst = ball(0), ball(0)
    for row in rounds:
        of_wrong, total = weight[row < 0].sum(), weight.sum()
        error = of_wrong / total
        weight = np.where(row > 0, weight / (2 * (1 - error)), weight / (2 * error))
        alpha = ((1 - error) / error).log() / 2
        votes, eta, worst = votes + alpha * row, eta + alpha, worst.max(error)
    F = (votes / eta).reshape(signs.shape) * signs
    clipped = np.frompyfunc(lambda v: v.max(ball(-1)).min(ball(1)), 1, 1)(F)
    return decoding_margins(clipped, M, y, eta), worst


@gone.extremal(
    "36 examples, error 1/4 in every round, θ = 1/10: after round 40 a small margin is possible, 40.3 are allowed"
)
def forty_rounds() -> Found:
    yield still_possible(Fraction(1))


def still_possible(factor: Fraction) -> Evidence:
    """T rounds after which one of 36 examples can have a margin of theta, by the worst data."""
    n_rounds = 40 if worst_case(Fraction(1, 4), 40, Fraction(1, 10)).error.lower >= 1 / 36 else 0
    bound = rounds_for_margin(36, 1, 1, Fraction(1, 4), Fraction(1, 10))
    return at_most(
        "rounds after which a margin of 1/10 is possible ≤ bound", n_rounds, ball(factor) * bound, statement=True
    )


@gone.control(
    "Beyond $\\theta^*$ it is false: with a learner that gives no more than the edge $\\frac14$ the share "
    "of margins at 0.3 or below is {left}, not {right}, after the rounds that suffice for "
    "$\\theta=\\frac14$.",
    story=True,
)
def beyond_the_threshold() -> Found:
    M = hadamard_code(4)
    y = np.arange(12) % 4
    n_rounds = int(float(rounds_for_margin(12, 3, 2, Fraction(1, 4), Fraction(1, 4)))) + 1
    run = adaboost_mo(ReluctantLearner(0.25), M, y, n_rounds, keep_history=True)
    F, eta = answers_of(np.asarray(run.history), run.steps.astype(float))
    margins = decoding_margins(np.clip(F, -1, 1), M, y, eta)
    yield at_most("(share of margins ≤ 3/10) ≤ 0", share_of_margins(margins, 0.3), 0, at=f"after {n_rounds} rounds")


@gone.strengthened(
    "One per cent fewer rounds are too few: with errors of $\\frac14$ and 36 examples a margin of "
    "$\\frac1{10}$ is still possible after {left} rounds, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def fewer_rounds(factor: Fraction) -> Found:
    yield still_possible(factor)
