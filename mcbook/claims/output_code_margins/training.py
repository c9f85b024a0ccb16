"""AdaBoost.MO, and the margins that it leaves on the training sample."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from mcbook.boosting import FinitePool, run_adaboost, worst_case
from mcbook.claims import Claim, at_least, at_most, equal
from mcbook.claims.output_code_margins.samples import (
    THETAS,
    Found,
    exact_run,
    half_log,
    mistaken_share,
    random_run,
    random_sign_code,
)
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Array, Ball, Scalar
from mcbook.output_code_margins import adaboost_mo, decoding_margins, training_margin_bound, two_round_sample
from mcbook.output_code_margins.algorithm.votes import share_of_margins
from mcbook.output_codes import (
    all_pairs_code,
    boost,
    minimal_distance,
    one_vs_rest_code,
    random_sparse_code,
)

# --- AdaBoost on pairs -----------------------------------------------------------------------------------------------

algorithm = Claim(
    "alg-adaboost-mo",
    "equivalence",
    "exact",
    source="allwein2000",
    where="§5, (13)–(14)",
    implements=adaboost_mo,
    no_formula="a procedure; its bounds are stated after it",
)


def as_printed(
    M: Array, y: Array, pool: Array, n_rounds: int
) -> tuple[list[int], list[Fraction], dict[tuple[int, int], Fraction]]:
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


@algorithm.check("random codes of signs and pools: the same choices, errors and last weights as printed, in fractions")
def runs_as_printed(rng: np.random.Generator) -> Found:
    for _ in range(40):
        M = random_sign_code(rng)
        y, pool = random_task(rng, M)
        run = exact_run(M, y, pool, 4)
        chosen, errors, D = as_printed(M, y, pool, 4)
        made = len(errors)
        for t in range(made):
            yield equal("choice = as printed", run.hypotheses[t], chosen[t], at=f"round {t + 1}")
            yield equal("error = as printed", run.errors[t], errors[t], at=f"round {t + 1}")
        for pair, weight in D.items():
            if made == 4:
                yield equal("weight = as printed", run.D[pair], weight, at="after round 4")


@algorithm.check("one-vs-rest: the run of AdaBoost.MH, whose labels are +1 for the class and -1 for the others")
def one_vs_rest_is_mh(rng: np.random.Generator) -> Found:
    for k in (2, 3, 4):
        for _ in range(8):
            M = one_vs_rest_code(k)
            y, pool = random_task(rng, M)
            signs = np.where(np.arange(k) == y[:, None], 1, -1)
            run = exact_run(M, y, pool, 4)
            mh = run_adaboost(FinitePool(pool), signs, 4, weights=np.full(signs.shape, Fraction(1)))
            yield equal("rounds = rounds of AdaBoost.MH", run.n_rounds, mh.n_rounds, at=f"k = {k}")
            for ours, theirs in zip(run.errors, mh.errors, strict=True):
                yield equal("error = error of AdaBoost.MH", ours, theirs, at=f"k = {k}")


@algorithm.check("a code with zeros: AdaBoost on the pairs whose entry is not 0, as if there were no others")
def zeros_have_no_weight(rng: np.random.Generator) -> Found:
    for seed in range(20):
        M = random_sparse_code(4, 5, n_candidates=20, random_state=seed)
        y = rng.integers(0, 4, 5)
        asked = M[y] != 0
        pool = np.where(asked, M[y], 1) * np.where(rng.random((6, *asked.shape)) < 0.3, -1, 1)
        run, alone = exact_run(M, y, pool, 3), boost(pool[:, asked], M[y][asked], 3)
        for ours, theirs in zip(run.errors, alone.errors, strict=False):
            yield equal("error = error on the pairs asked", ours, theirs)


@algorithm.control(
    "Pairs with the entry 0 have to be left out: asked for as $+1$ in the code of all pairs of three "
    "classes, they raise the error of a hypothesis from {right} to {left}.",
)
def zeros_asked_for() -> Found:
    M = all_pairs_code(3)
    y = np.array([0, 1, 2])
    pool = np.array([np.where(M[y] == 0, -1, M[y]) * np.array([[-1, 1, 1], [1, 1, 1], [1, 1, 1]])])
    full = np.where(M == 0, 1, M)
    yield equal(
        "error with the zeros = error on the pairs asked",
        exact_run(full, y, pool, 1).errors[0],
        boost(pool[:, M[y] != 0], M[y][M[y] != 0], 1).errors[0],
    )


# --- the training bound ----------------------------------------------------------------------------------------------

training = Claim(
    "thm-code-margin-training-bound",
    "upper bound",
    "certified",
    source="allwein2000",
    where="Theorem 6, (23)–(26)",
    errata=("E44",),
    implements=training_margin_bound,
    formula=Formula("eq-code-training-margins", training_margin_bound, where=r"\rho\le\ell", numbers="balls"),
)


@training.check(
    "exact runs over random pools: random codes of signs, up to six rounds, seven margins θ from −1/2 to 4/5"
)
def runs_within_the_bound(rng: np.random.Generator) -> Found:
    for _ in range(80):
        M = random_sign_code(rng)
        run = random_run(rng, M, int(rng.integers(1, 7)))
        if run is None:
            continue
        margins = decoding_margins(run.F, M, run.y, run.eta)
        for theta in THETAS:
            bound = training_margin_bound([ball(e) for e in run.errors], M.shape[1], minimal_distance(M), theta)
            yield at_most("(share of margins ≤ θ) ≤ bound", share_of_margins(margins, theta), bound, at=f"θ = {theta}")


@training.check("the worst data there can be for equal errors, two classes and one column, by linear programs")
def worst_data(rng: np.random.Generator) -> Found:
    for per_cent, twentieths, n_rounds in ((30, 4, 10), (40, 0, 12), (20, 5, 8), (45, 2, 20), (30, -10, 4)):
        error, theta = Fraction(per_cent, 100), Fraction(twentieths, 20)
        bound = training_margin_bound([float(error)] * n_rounds, 1, 1, float(theta))
        yield at_most(
            "worst share ≤ bound", worst_case(error, n_rounds, theta).error, certified(bound), at=f"T = {n_rounds}"
        )


def certified(value: Scalar) -> Ball:
    """A short formula in floats beside an optimum that is known to 6 digits."""
    return ball(value)


@training.extremal("twenty rounds of error 0.3, θ = 1/5: the worst data use 0.9999 of the bound")
def twenty_rounds() -> Found:
    bound = training_margin_bound([0.3] * 20, 1, 1, 0.2)
    worst = worst_case(Fraction(3, 10), 20, Fraction(1, 5)).error
    yield at_most("worst share ≤ bound", worst, certified(bound), at="T = 20", statement=True)


@training.trace("one-vs-rest for three classes, two rounds of error 1/8, θ = 0")
def proof_of_the_training_bound() -> Found:
    sample = two_round_sample(one_vs_rest_code(3), Fraction(1, 8))
    run = exact_run(sample.M, sample.y, sample.pool, 2)
    M, label, rival = sample.M, int(sample.y[0]), int(sample.y[0] == 0)
    # Both rounds have the weight ln(7) / 2, so e^(-eta z) is 7^-v for the mean v of the two answers.
    F = sample.pool.sum(axis=0) // 2
    costs = np.array([[sum(Fraction(7) ** int(-v) for v in row) for row in f * M] for f in F], dtype=object)
    wrong = [i for i, cost in enumerate(costs) if min(np.delete(cost, label)) <= cost[label]]
    first = wrong[0]
    yield at_most("the rival's sum ≤ the label's", costs[first][rival], costs[first][label], at="𝓜 ≤ 0")
    opposite = M[label] != M[rival]
    means = [(Fraction(7) ** int(-v) + Fraction(7) ** int(v)) / 2 for v in F[first][opposite]]
    yield at_least("the label's sum ≥ Σ over S_Δ of (e^−z + e^z)/2", costs[first][label], sum(means))
    yield at_least("each mean of a number and its inverse ≥ 1", min(means), 1)
    yield equal("|S_Δ| = ρ", int(opposite.sum()), 2)
    total, product = costs[:, label].sum(), 4 * run.errors[0] * (1 - run.errors[0])
    yield equal("ε₁ = ε₂", run.errors[0], run.errors[1])
    yield equal("Σ over all pairs of e^(−η M f) = mℓ Z₁Z₂", total, product * F.size)
    yield at_most("(examples with 𝓜 ≤ 0) ≤ mℓ Z₁Z₂/ρ", len(wrong), total / 2)
    share = Fraction(len(wrong), len(F))
    yield at_most("share ≤ (ℓ/ρ) Z₁Z₂", share, training_margin_bound([ball(e) for e in run.errors], 3, 2))


@training.strengthened(
    "With $\\rho+1$ in place of $\\rho$ the bound is too small: after two rounds of error $\\frac18$ with "
    "one-vs-rest for three classes a share of {left} is mistaken, and {right} would be allowed.",
    by=Fraction(2, 3),
    story=True,
)
def one_more_than_rho(factor: Fraction) -> Found:
    error = Fraction(1, 8)
    sample = two_round_sample(one_vs_rest_code(3), error)
    errors = exact_run(sample.M, sample.y, sample.pool, 2).errors
    bound = training_margin_bound([ball(e) for e in errors], 3, 2)
    yield at_most("(share of margins ≤ 0) ≤ bound", mistaken_share(sample, error), ball(factor) * bound)


@training.control(
    "Zeros in the code break it: if each example of all pairs of sixteen classes loses one duel, to a "
    "rival that wins all of its own, the share of mistakes after one round is {left}, and {right} would "
    "be allowed.",
    story=True,
)
def zeros_break_it() -> Found:
    M = all_pairs_code(16)
    lost = np.where(M[1] != 0, M[1], M[0])
    F = np.array([lost])
    margins = decoding_margins(F.astype(object), M, np.array([0]), half_log(Fraction(1, 15)), skip_zeros=True)
    yield at_most(
        "(share of margins ≤ 0) ≤ bound",
        share_of_margins(margins, 0),
        training_margin_bound([ball(Fraction(1, 15))], 120, minimal_distance(M)),
    )
