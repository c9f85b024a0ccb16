"""AdaBoost.MO, and the margins that it leaves on the training sample."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from mcbook.boosting import FinitePool, run_adaboost
from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than, proved
from mcbook.claims.output_code_margins.common import Found, random_run, random_sign_code
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.rigorous import prove_identity, prove_nonnegative, prove_sign
from mcbook.foundation.types import Array
from mcbook.output_code_errors import equal_nonzeros, opposite_columns
from mcbook.output_code_margins import (
    ReluctantLearner,
    adaboost_mo,
    answers_of,
    decoding_margins,
    edge_factor,
    edge_margin_bound,
    margin_threshold,
    mistake_bound_with_zeros,
    rounds_for_margin,
    share_of_margins,
    sure_edge,
    training_margin_bound,
    training_margin_bound_with_zeros,
    two_round_sample,
    worst_margin_share,
)
from mcbook.output_codes import (
    all_pairs_code,
    boost,
    complete_code,
    hadamard_code,
    minimal_distance,
    one_vs_rest_code,
    random_sparse_code,
)

# --- MO.alg: AdaBoost on pairs ---------------------------------------------------------------------------------------

algorithm = Claim("MO.alg", implements=adaboost_mo, no_formula="a procedure; its bounds are stated after it")


def as_printed(M: Array, y: Array, pool: Array, n_rounds: int) -> tuple[list[int], list[Fraction], dict[Any, Fraction]]:
    """The rounds as the source prints them, (13) and (14): weights of pairs in a table, updated by e^(-alpha M h) / Z.

    In units of e^-alpha, and Z = sum of what was not yet divided, so that all numbers are fractions.
    """
    pairs = list(itertools.product(range(len(y)), range(M.shape[1])))
    D = {pair: Fraction(1, len(pairs)) for pair in pairs}
    chosen, errors = [], []
    for _ in range(n_rounds):
        missed = [sum(D[i, s] for i, s in pairs if M[y[i], s] != h[i, s]) + Fraction(0) for h in pool]
        best = min(range(len(pool)), key=missed.__getitem__)
        epsilon = missed[best]
        if not 0 < epsilon < Fraction(1, 2):
            break
        squared_step = (1 - epsilon) / epsilon
        raised = {(i, s): D[i, s] * (1 if M[y[i], s] == pool[best][i, s] else squared_step) for i, s in pairs}
        Z = sum(raised.values())
        D = {pair: weight / Z for pair, weight in raised.items()}
        chosen.append(best)
        errors.append(epsilon)
    return chosen, errors, D


def random_task(rng: np.random.Generator, M: Array) -> tuple[Array, Array]:
    """Labels and a pool of answers that are right more often than not."""
    y = rng.integers(0, len(M), int(rng.integers(2, 6)))
    return y, M[y] * np.where(rng.random((6, len(y), M.shape[1])) < 0.3, -1, 1)


def exact_mo(M: Array, y: Array, pool: Array, n_rounds: int) -> Any:
    weights = np.array([Fraction(1)] * len(y), dtype=object)
    return adaboost_mo(FinitePool(pool), M, y, n_rounds, sample_weight=weights)


@algorithm.check("random codes of signs and pools: the same choices, errors and last weights as printed, in fractions")
def runs_as_printed(rng: np.random.Generator) -> Found:
    for _ in range(40):
        M = random_sign_code(rng)
        y, pool = random_task(rng, M)
        run = exact_mo(M, y, pool, 4)
        chosen, errors, D = as_printed(M, y, pool, 4)
        made = len(errors)
        for t in range(made):
            yield equal(f"choice of round {t + 1}", run.hypotheses[t], chosen[t])
            yield equal(f"error of round {t + 1}", run.errors[t], errors[t])
        for pair, weight in D.items():
            if made == 4:
                yield equal("a weight after round 4", run.D[pair], weight)


@algorithm.check("one-vs-rest: the run of AdaBoost.MH, whose labels are +1 for the class and -1 for the others")
def one_vs_rest_is_mh(rng: np.random.Generator) -> Found:
    for k in (2, 3, 4):
        for _ in range(8):
            M = one_vs_rest_code(k)
            y, pool = random_task(rng, M)
            signs = np.where(np.arange(k) == y[:, None], 1, -1)
            run = exact_mo(M, y, pool, 4)
            mh = run_adaboost(FinitePool(pool), signs, 4, weights=np.full(signs.shape, Fraction(1)))
            yield equal("rounds", run.n_rounds, mh.n_rounds)
            for ours, theirs in zip(run.errors, mh.errors, strict=True):
                yield equal("error", ours, theirs)


@algorithm.check("a code with zeros: AdaBoost on the pairs whose entry is not 0, as if there were no others")
def zeros_have_no_weight(rng: np.random.Generator) -> Found:
    for seed in range(20):
        M = random_sparse_code(4, 5, n_candidates=20, random_state=seed)
        y = rng.integers(0, 4, 5)
        asked = M[y] != 0
        pool = np.where(asked, M[y], 1) * np.where(rng.random((6, *asked.shape)) < 0.3, -1, 1)
        run, alone = exact_mo(M, y, pool, 3), boost(pool[:, asked], M[y][asked], 3)
        for ours, theirs in zip(run.errors, alone.errors, strict=False):
            yield equal("error", ours, theirs)


@algorithm.control("a zero entry asked for as a sign, +1")
def zeros_asked_for() -> Found:
    M = all_pairs_code(3)
    y = np.array([0, 1, 2])
    pool = np.array([np.where(M[y] == 0, -1, M[y]) * np.array([[-1, 1, 1], [1, 1, 1], [1, 1, 1]])])
    full = np.where(M == 0, 1, M)
    yield equal("error of the first round", exact_mo(full, y, pool, 1).errors[0], boost(pool[:, M[y] != 0], M[y][M[y] != 0], 1).errors[0])


# --- A.T6: the training bound ----------------------------------------------------------------------------------------

training = Claim(
    "A.T6",
    implements=training_margin_bound,
    formula=Formula("eq-code-training-margins", training_margin_bound, where=r"\rho\le\ell", numbers="balls"),
)
THETAS = tuple(Fraction(n, 10) for n in (-5, -2, 0, 1, 2, 4, 8))


@training.check("exact runs over random pools: random codes of signs, up to six rounds, seven margins θ from −1/2 to 4/5")
def runs_within_the_bound(rng: np.random.Generator) -> Found:
    for _ in range(80):
        M = random_sign_code(rng)
        run = random_run(rng, M, int(rng.integers(1, 7)))
        if run is None:
            continue
        margins = decoding_margins(run.F, M, run.y, run.eta)
        for theta in THETAS:
            bound = training_margin_bound([ball(e) for e in run.errors], M.shape[1], minimal_distance(M), theta)
            yield at_most(f"share of margins ≤ θ, bound, θ = {theta}", share_of_margins(margins, theta), bound)


@training.check("the worst data there can be for equal errors, two classes and one column, by linear programmes")
def worst_data(rng: np.random.Generator) -> Found:
    for error, theta, n_rounds in ((0.3, 0.2, 10), (0.4, 0.0, 12), (0.2, 0.25, 8), (0.45, 0.1, 20), (0.3, -0.5, 4)):
        bound = training_margin_bound([error] * n_rounds, 1, 1, theta)
        yield at_most(f"worst share, bound, T = {n_rounds}", worst_margin_share(error, theta, n_rounds), certified(bound))


def certified(value: float) -> Any:
    """A short formula in floats beside an optimum that is known to 6 digits."""
    return ball(value)


@training.extremal("twenty rounds of error 0.3, θ = 1/5: the worst data use 0.9999 of the bound")
def twenty_rounds() -> Found:
    bound = training_margin_bound([0.3] * 20, 1, 1, 0.2)
    yield at_most("worst share, bound", worst_margin_share(0.3, 0.2, 20), certified(bound))


@training.trace("one-vs-rest for three classes, two rounds of error 1/8, θ = 0")
def proof_of_the_training_bound() -> Found:
    sample = two_round_sample(one_vs_rest_code(3), Fraction(1, 8))
    run = exact_mo(sample.M, sample.y, sample.pool, 2)
    M, label, rival = sample.M, int(sample.y[0]), int(sample.y[0] == 0)
    # Both rounds have the weight ln(7) / 2, so e^(-eta z) is 7^-v for the mean v of the two answers.
    F = sample.pool.sum(axis=0) // 2
    costs = np.array([[sum(Fraction(7) ** int(-v) for v in row) for row in f * M] for f in F], dtype=object)
    wrong = [i for i, cost in enumerate(costs) if min(np.delete(cost, label)) <= cost[label]]
    first = wrong[0]
    yield at_most("𝓜 ≤ 0: the rival's sum, the label's", costs[first][rival], costs[first][label])
    opposite = M[label] != M[rival]
    means = [(Fraction(7) ** int(-v) + Fraction(7) ** int(v)) / 2 for v in F[first][opposite]]
    yield at_least("the label's sum, Σ over S_Δ of (e^−z + e^z)/2", costs[first][label], sum(means))
    yield at_least("each mean of a number and its inverse, 1", min(means), 1)
    yield equal("|S_Δ|, ρ", int(opposite.sum()), 2)
    total, product = costs[:, label].sum(), 4 * run.errors[0] * (1 - run.errors[0])
    yield equal("Z₁ and Z₂ are equal: ε₁, ε₂", run.errors[0], run.errors[1])
    yield equal("Σ over all pairs of e^(−η M f), mℓ Z₁Z₂", total, product * F.size)
    yield at_most("examples with 𝓜 ≤ 0, that over ρ", len(wrong), total / 2)
    share = Fraction(len(wrong), len(F))
    yield at_most("share, (ℓ/ρ) Z₁Z₂", share, training_margin_bound([ball(e) for e in run.errors], 3, 2))


def mistaken_share(sample: Any, error: Fraction) -> Fraction:
    """The share of margins <= 0 after two rounds of equal weight, in fractions: e^-eta is error / (1 - error)."""
    F = sample.pool.sum(axis=0) // 2
    faintest = error / (1 - error)
    wrong = 0
    for f, label in zip(F, sample.y, strict=True):
        costs = [sum((faintest ** int(v) for v in (f * row)[row != 0]), Fraction(0)) for row in sample.M]
        wrong += min(cost for r, cost in enumerate(costs) if r != label) <= costs[label]
    return Fraction(wrong, len(F))


@training.strengthened(
    "the bound with ρ + 1 in place of ρ",
    by=Fraction(2, 3),
    told="With $\\rho+1$ in place of $\\rho$ it is false: one-vs-rest for three classes, two rounds of error $\\frac18$, and a "
    "share of {left} of the examples is mistaken, where {right} would be allowed.",
)
def one_more_than_rho(factor: Fraction) -> Found:
    error = Fraction(1, 8)
    sample = two_round_sample(one_vs_rest_code(3), error)
    errors = exact_mo(sample.M, sample.y, sample.pool, 2).errors
    bound = training_margin_bound([ball(e) for e in errors], 3, 2)
    yield at_most("share of margins ≤ 0, bound", mistaken_share(sample, error), ball(factor) * bound)


@training.control(
    "codes with zeros, the bound with ℓ/ρ",
    told="For codes with zeros it is false as it stands. All pairs of sixteen classes, one round, each example loses one "
    "duel, to a rival that wins all of its own: a share of {left} is mistaken, and {right} would be allowed.",
)
def zeros_break_it() -> Found:
    M = all_pairs_code(16)
    lost = np.where(M[1] != 0, M[1], M[0])
    F = np.array([lost])
    margins = decoding_margins(F.astype(object), M, np.array([0]), half_log(Fraction(1, 15)), skip_zeros=True)
    yield at_most(
        "share of margins ≤ 0, bound",
        share_of_margins(margins, 0),
        training_margin_bound([ball(Fraction(1, 15))], 120, minimal_distance(M)),
    )


def half_log(error: Fraction) -> Any:
    return ball((1 - error) / error).log() / 2


# --- N.6: codes with zeros -------------------------------------------------------------------------------------------

zeros = Claim(
    "N.6",
    implements=(training_margin_bound_with_zeros, mistake_bound_with_zeros),
    formula=(
        Formula("eq-code-training-margins-zeros", training_margin_bound_with_zeros, where=r"\delta\le N_{\mathrm{nz}}", numbers="balls"),
        Formula(
            "eq-code-mistakes-zeros",
            mistake_bound_with_zeros,
            given={"Z": r"e^{-\eta}+c(1-e^{-\eta})"},
            where=r"\delta\le N_{\mathrm{nz}}",
            numbers="balls",
        ),
    ),
)


def codes_with_equal_zeros(rng: np.random.Generator) -> list[Array]:
    """All pairs, and codes of signs to which columns of all pairs are joined."""
    codes = [all_pairs_code(k) for k in (3, 4, 5)]
    return [*codes, *(np.hstack([M, complete_code(len(M))[:, : int(rng.integers(1, 3))]]) for M in codes)]


@zeros.check("exact runs: all pairs of 3 to 5 classes alone and joined with columns of signs, seven margins θ")
def runs_with_zeros_within_both_bounds(rng: np.random.Generator) -> Found:
    for M in codes_with_equal_zeros(rng) * 6:
        run = random_run(rng, M, int(rng.integers(1, 5)))
        if run is None:
            continue
        n_nonzero, delta = equal_nonzeros(M), opposite_columns(M)
        margins = decoding_margins(run.F, M, run.y, run.eta, skip_zeros=True)
        errors = [ball(e) for e in run.errors]
        for theta in THETAS:
            bound = training_margin_bound_with_zeros(errors, n_nonzero, delta, theta)
            yield at_most(f"share of margins ≤ θ, bound, θ = {theta}", share_of_margins(margins, theta), bound)
        product = training_margin_bound(errors, 1, 1)
        refined = mistake_bound_with_zeros(product, (-run.eta).exp(), n_nonzero, delta)
        yield at_most("share of margins ≤ 0, refined bound", share_of_margins(margins, 0), refined)


def two_rounds(M: Array, error: Fraction) -> tuple[Fraction, Fraction]:
    """The share of mistakes on the sample of two rounds, and the refined bound, both as fractions."""
    sample = two_round_sample(M, error)
    errors = exact_mo(sample.M, sample.y, sample.pool, 2).errors
    for found in errors:
        if found != error:
            raise ValueError(f"expected two rounds of error {error}, got {errors}")
    bound = mistake_bound_with_zeros(4 * error * (1 - error), error / (1 - error), equal_nonzeros(M), opposite_columns(M))
    return mistaken_share(sample, error), Fraction(bound)


@zeros.extremal("two rounds: equality for all pairs of 3 to 6 classes, for one-vs-rest, Hadamard's and the complete code")
def equality_after_two_rounds() -> Found:
    cases = [(all_pairs_code(k), Fraction(1, n)) for k, n in ((3, 8), (4, 10), (5, 16), (6, 20))]
    cases += [(one_vs_rest_code(3), Fraction(1, 8)), (hadamard_code(4), Fraction(1, 4)), (complete_code(4), Fraction(1, 5))]
    for M, error in cases:
        share, bound = two_rounds(M, error)
        yield equal(f"share of mistakes, refined bound, ε = {error}", share, bound)


@zeros.trace("all pairs of three classes, two rounds of error 1/8")
def proof_with_zeros() -> Found:
    error = Fraction(1, 8)
    M = all_pairs_code(3)
    sample = two_round_sample(M, error)
    faintest, F = error / (1 - error), sample.pool.sum(axis=0) // 2
    label = int(sample.y[0])
    own = [sum((faintest ** int(v) for v in (f * M[label])[M[label] != 0]), Fraction(0)) for f in F]
    yield equal("Σ over non-zero pairs of e^(−η M f), m N Z₁Z₂", sum(own), len(F) * 2 * 4 * error * (1 - error))
    share = mistaken_share(sample, error)
    n_wrong = int(share * len(F))
    for what, value in (("a mistaken example pays, δ + (N − δ) e^−η", own[0]), ("any other, N e^−η", own[-1])):
        least = 1 + faintest if value == own[0] else 2 * faintest
        yield at_least(what, value, least)
    yield equal("so P m (δ + (N − δ) e^−η) + (1 − P) m N e^−η, the sum", n_wrong * (1 + faintest) + (len(F) - n_wrong) * 2 * faintest, sum(own))
    yield equal("P, (N/δ)(Z₁Z₂ − e^−η)/(1 − e^−η)", share, two_rounds(M, error)[1])
    yield at_most("P, (N/δ) Z₁Z₂", share, training_margin_bound_with_zeros([ball(error)] * 2, 2, 1, Fraction(0)))


@zeros.strengthened(
    "the refined bound",
    by=Fraction(99, 100),
    told="One per cent less is too little: all pairs of three classes, two rounds of error $\\frac18$, and a share of {left} "
    "is mistaken, {right} being allowed.",
)
def one_per_cent_less(factor: Fraction) -> Found:
    share, bound = two_rounds(all_pairs_code(3), Fraction(1, 8))
    yield at_most("share of mistakes, refined bound", share, factor * bound)


@zeros.control("with ℓ/ρ in place of N/δ: all pairs of sixteen classes after one round")
def distance_in_place_of_opposite_columns() -> Found:
    M = all_pairs_code(16)
    F = np.array([np.where(M[1] != 0, M[1], M[0])]).astype(object)
    margins = decoding_margins(F, M, np.array([0]), half_log(Fraction(1, 15)), skip_zeros=True)
    bound = training_margin_bound_with_zeros([ball(Fraction(1, 15))], 120, minimal_distance(M), Fraction(0))
    yield at_most("share of margins ≤ 0, bound", share_of_margins(margins, 0), bound)


# --- A.T6s: the threshold --------------------------------------------------------------------------------------------

# An edge is below 1/2, and with c < 1 the margin is small enough.
SMALL_EDGE = {r"\gamma": r"\frac\delta2"}

threshold = Claim(
    "A.T6s",
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
    yield proved("2 ln b = ln(1 + u) + ln(1 − u) + θ (ln(1 + u) − ln(1 − u)), u = 2γ", prove_identity(2 * written, up + down + free * (up - down)))
    yield proved("γ < θ*(γ), 0.1 ≤ γ ≤ 0.49", prove_nonnegative(lambda g: margin_threshold(g) - g, [(0.1, 0.49)]))
    yield proved("θ*(γ) < 2γ, 0.02 ≤ γ ≤ 0.49", prove_nonnegative(lambda g: 2 * g - margin_threshold(g), [(0.02, 0.49)]))


@threshold.extremal("equal errors: the bound is that of the theorem, of which the worst data use 0.9999")
def equal_errors() -> Found:
    bound = edge_margin_bound(Fraction(1, 5), 20, 1, 1, Fraction(1, 5))
    of_theorem = training_margin_bound([Fraction(3, 10)] * 20, 1, 1, Fraction(1, 5))
    yield at_most("|(ℓ/ρ) b^T − (ℓ/ρ) Π 2√…|, 10⁻¹²", abs(bound - of_theorem), Fraction(1, 10**12))
    yield at_most("worst share, (ℓ/ρ) b^T", worst_margin_share(0.3, 0.2, 20), bound)


@threshold.control(
    "decay for every θ below 2γ",
    told="That the bound decays for every $\\theta<2\\gamma$ is false: for $\\gamma=\\frac14$ and $\\theta=\\frac25$ each round "
    "multiplies it by {left}.",
)
def decay_up_to_twice_the_edge() -> Found:
    yield less_than("b, 1", edge_factor(Fraction(1, 4), Fraction(2, 5)), 1)


@threshold.control("a larger edge, a smaller factor, for θ beyond 2γ: γ = 1/20 and 9/20, θ = 9/10")
def substitution_beyond_twice_the_edge() -> Found:
    theta = Fraction(9, 10)
    yield at_most("b(9/20), b(1/20)", edge_factor(Fraction(9, 20), theta), edge_factor(Fraction(1, 20), theta))


# --- A.incr: small margins disappear ---------------------------------------------------------------------------------

gone = Claim(
    "A.incr",
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


@gone.check("three codes, pools whose edge is certified, θ of 1/10, 1/2 and 9/10 of the threshold: no small margin is left")
def no_small_margin_is_left(rng: np.random.Generator) -> Found:
    for M, m, size in ((one_vs_rest_code(3), 4, 3), (hadamard_code(4), 4, 4), (np.array([[-1], [1]]), 8, 2)):
        y = np.arange(m) % len(M)
        agreements = flips(m * M.shape[1], size)[rng.permutation(len(flips(m * M.shape[1], size)))]
        edge = sure_edge(agreements)
        gamma = Fraction(edge.gamma.lower).limit_denominator(10**6) - Fraction(1, 10**6)
        yield at_least("certified edge, γ", edge.gamma, gamma)
        for part in (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)):
            theta = Fraction(float(margin_threshold(gamma))).limit_denominator(10**4) * part
            rounds = rounds_for_margin(m, M.shape[1], minimal_distance(M), gamma, theta)
            n_rounds = int(rounds.ceil().unique_fmpz()) + 1
            margins, worst = run_in_balls(M, y, agreements, n_rounds)
            yield at_most("largest error of a round, ½ − γ", worst, Fraction(1, 2) - gamma)
            yield equal(f"examples with a margin ≤ θ after {n_rounds} rounds, 0", certain_share(margins, theta), ball(0), within=1e-12)


def certain_share(margins: Array, theta: Fraction) -> Any:
    return ball(share_of_margins(margins, theta))


# Binary digits of the balls: a replay of many rounds loses a few in each.
_DIGITS = 400


def run_in_balls(M: Array, y: Array, agreements: Array, n_rounds: int) -> tuple[Array, Any]:
    """AdaBoost.MO chooses in floats; its errors and margins are then those of balls, which hide no rounding."""
    signs = M[y]
    run = adaboost_mo(FinitePool(agreements.reshape(-1, *signs.shape) * signs), M, y, n_rounds)
    with flint.ctx.workprec(_DIGITS):
        return replayed_in_balls(M, y, agreements[list(run.hypotheses)])


def replayed_in_balls(M: Array, y: Array, rounds: Array) -> tuple[Array, Any]:
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


@gone.extremal("36 examples, error 1/4 in every round, θ = 1/10: after round 40 a small margin is possible, 40.3 are allowed")
def forty_rounds() -> Found:
    yield still_possible(Fraction(1))


def still_possible(factor: Fraction) -> Evidence:
    """T rounds after which one of 36 examples can have a margin of theta, by the worst data."""
    n_rounds = 40 if worst_margin_share(0.25, 0.1, 40).lower >= 1 / 36 else 0
    bound = rounds_for_margin(36, 1, 1, Fraction(1, 4), Fraction(1, 10))
    return at_most("rounds after which a margin of 1/10 is possible, bound", n_rounds, ball(factor) * bound)


@gone.control(
    "a margin between θ*(1/4) and 1/2 after as many rounds as θ = 1/4 needs: a learner that helps no more than it must",
    told="Beyond $\\theta^*$ no number of rounds is enough. A learner that keeps its edge of $\\frac14$ and helps no more "
    "leaves a share of {left} of the margins below 0.3 after as many rounds as $\\theta=\\frac14$ needs, not {right}.",
)
def beyond_the_threshold() -> Found:
    M = hadamard_code(4)
    y = np.arange(12) % 4
    n_rounds = int(float(rounds_for_margin(12, 3, 2, Fraction(1, 4), Fraction(1, 4)))) + 1
    run = adaboost_mo(ReluctantLearner(0.25), M, y, n_rounds, keep_history=True)
    F, eta = answers_of(run.history, run.steps.astype(float))
    margins = decoding_margins(np.clip(F, -1, 1), M, y, eta)
    yield at_most("share of margins ≤ 3/10 after those rounds, 0", share_of_margins(margins, 0.3), 0)


@gone.strengthened("the number of rounds", by=Fraction(99, 100))
def fewer_rounds(factor: Fraction) -> Found:
    yield still_possible(factor)

