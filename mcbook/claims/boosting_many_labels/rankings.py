"""The two exercises: the objective that bounds no Hamming error, and AdaBoost.MR; and what MR has to do with MH."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import sympy

from mcbook.boosting import FinitePool, normaliser, run_adaboost, squared_training_error_bound, squared_votes
from mcbook.boosting_many_labels import (
    RankingRun,
    as_single_column,
    best_shift,
    label_signs,
    least_shifted_loss,
    mean_margin_bound,
    mean_margin_objective,
    one_label_wrong,
    pair_loss,
    pair_objective,
    preference_pairs,
    ranking_error_bound,
    ranking_loss,
    ranking_normaliser,
    ranking_objective,
    run_adaboost_mr,
    run_mean_margin,
    run_rankboost,
    tied_rival,
    wrong_pairs,
)
from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than, proved
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball, quotient, square_root
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.rigorous import prove_identity, prove_sign
from mcbook.problem import score_margins

Found = Iterator[Evidence]

balls = np.frompyfunc(ball, 1, 1)
# For the rounding of balls where both sides may be equal.
HAIR = Fraction(1, 10**10)


def same(A: Any, B: Any) -> bool:
    return bool(np.shape(A) == np.shape(B) and (np.asarray(A) == np.asarray(B)).all())


def product(factors: Any) -> Any:
    return functools.reduce(operator.mul, list(factors), 1)


def log_two(whole: Any) -> np.ndarray:
    """Whole numbers times ln 2, as balls: their exponentials are powers of two."""
    return balls(whole) * ball(2).log()


# --- X9.3: the mean margin -------------------------------------------------------------------------------------------

mean_margin = Claim(
    "X9.3",
    implements=(mean_margin_objective, mean_margin_bound, run_mean_margin),
    formula=(
        Formula("eq-mean-margin-objective", mean_margin_objective, numbers="balls"),
        Formula("eq-mean-margin-bound", mean_margin_bound, numbers="balls"),
    ),
)


@mean_margin.check("scores that are whole multiples of ln 2: between the examples with a mean margin ≤ 0 and F/k")
def between_its_neighbours(rng: np.random.Generator) -> Found:
    for _ in range(60):
        m, k = (int(n) for n in rng.integers((1, 2), (5, 6)))
        scores, Y = rng.integers(-3, 4, (m, k)), rng.choice([-1, 1], (m, k))
        G = mean_margin_objective(log_two(scores), Y)
        yield at_most("G, F/k", G - ball(HAIR), pair_objective(log_two(scores), Y) / k)
        yield at_most("examples with a mean margin ≤ 0, G", int(((scores * Y).sum(axis=1) <= 0).sum()), G + ball(HAIR))


@mean_margin.check("runs in balls: G/m is the product of the normalisers, and within its bound")
def runs_on_the_mean(rng: np.random.Generator) -> Found:
    for _ in range(25):
        m, k = (int(n) for n in rng.integers(2, 5, 2))
        Y = rng.choice([-1, 1], (m, k))
        H = np.where(rng.random((8, m, k)) < 0.6, Y, -Y)
        run = run_mean_margin(FinitePool(H), Y, 5, weights=np.array([ball(1)] * m, dtype=object))
        if run.n_rounds:
            scores = sum(step * H[j].astype(object) for step, j in zip(run.steps, run.hypotheses, strict=True))
            G, Z = mean_margin_objective(scores, Y) / m, product(run.normalisers)
            yield at_most("|G/m − ∏ Z|, 10⁻⁹", abs(G - Z), Fraction(1, 10**9))
            yield at_most("G/m, ∏ √(1 − r²)", G, mean_margin_bound(run.edges) + ball(HAIR))


@mean_margin.extremal("equality in F/k where all margins of an example are the same")
def equal_margins() -> Found:
    for k in (2, 5):
        scores, Y = np.full((1, k), sympy.log(2)), np.ones((1, k), dtype=int)
        yield equal(f"G, F/k, k = {k}", mean_margin_objective(scores, Y), quotient(pair_objective(scores, Y), k))


@mean_margin.extremal("equality in √(1 − r²) where each hypothesis is right on all labels of an example or on none")
def all_or_none() -> Found:
    Y = np.ones((5, 3), dtype=int)
    H = Y.copy()
    H[0] = -1
    run = run_mean_margin(FinitePool(H[None]), Y, 1, weights=np.array([Fraction(1)] * 5, dtype=object))
    yield equal("edge", run.edges[0], Fraction(3, 5))
    # Two fifths of 2, and 1/2 of four fifths: e^alpha = 2.
    yield equal("G/m, √(1 − r²)", Fraction(1, 5) * 2 + Fraction(4, 5) / 2, mean_margin_bound(run.edges))


@mean_margin.strengthened("F/k", by=Fraction(99, 100))
def less_than_the_mean(by: Fraction) -> Found:
    scores, Y = np.full((1, 3), sympy.log(2)), np.ones((1, 3), dtype=int)
    yield at_most("G, F/k", mean_margin_objective(scores, Y), by * quotient(pair_objective(scores, Y), 3))


@mean_margin.control(
    "G/m bounds the share of wrong pairs, as the exercise has it",
    told="Two labels with the margins $-3$ and $7$: half of the pairs are wrong, and $G={right}$ is below {left}.",
)
def two_margins() -> Found:
    # The votes 5 and 2 of a hypothesis that is right on the second label alone, and of one that is right on both.
    scores, Y = 5 * np.array([[-1, 1]]) + 2 * np.array([[1, 1]]), np.array([[1, 1]])
    yield at_most("wrong pairs, G", wrong_pairs(scores, Y), mean_margin_objective(balls(scores), Y))


@mean_margin.control(
    "driving G to 0 drives the Hamming error down",
    told="And a run does the same: after 120 rounds $\\frac Gm$ is at most {right}, and {left} of all pairs are as "
    "wrong as they were.",
)
def a_run_that_never_learns() -> Found:
    Y, H = one_label_wrong(4, 3)
    # Balls widen from round to round; with so many digits they stay narrow.
    with flint.ctx.workprec(400):
        run = run_mean_margin(FinitePool(H), Y, 120, weights=np.array([ball(1)] * 4, dtype=object))
        bound = mean_margin_bound(run.edges)
    yield at_most("wrong pairs, G/m", wrong_pairs(run.votes, Y), bound)


# --- X9.4: AdaBoost.MR -----------------------------------------------------------------------------------------------

ranking_bound = Claim(
    "X9.4",
    implements=(ranking_error_bound, ranking_objective, run_adaboost_mr, ranking_normaliser),
    formula=(
        Formula("eq-mr-objective", ranking_objective, numbers="balls"),
        Formula("eq-mr-bound", ranking_error_bound),
        Formula("eq-mr-normaliser", ranking_normaliser, numbers="balls"),
    ),
)


def rational_runs(rng: np.random.Generator, count: int) -> Iterator[tuple[np.ndarray, np.ndarray, RankingRun]]:
    """Runs of AdaBoost.MR of up to three rounds in which every root is rational, so that all numbers are fractions.

    A pool is made round by round: of many hypotheses one is taken for which e+ e- is a square and whose edge is the
    largest in its own round only.
    """
    while count:
        m, k = (int(n) for n in rng.integers(2, 5, 2))
        y = rng.integers(0, k, m)
        own = np.arange(k) == y[:, None]
        pool: list[np.ndarray] = []
        D = np.where(own, 0, 1).astype(object)
        passed: list[tuple[np.ndarray, Any]] = []
        for _ in range(3):
            drawn = np.where(rng.random((300, m, k)) < 0.7, 2 * own - 1, 1 - 2 * own)
            found = next((h for h in drawn if _fits(h, own, D, pool, passed)), None)
            if found is None:
                break
            pool.append(found)
            right, wrong = _put(found, own, D)
            passed.append((D, right - wrong))
            D = exact_ranking(y, np.array(pool), len(pool)).D
        if len(pool) > 1:
            H = np.array(pool)
            yield y, H, exact_ranking(y, H, len(pool))
            count -= 1


def _put(h: np.ndarray, own: np.ndarray, D: np.ndarray) -> tuple[Any, Any]:
    """The weight that h puts right, and the weight that it puts wrong."""
    order = np.where(own, 0, h[own][:, None] - h)
    return D[order > 0].sum(), D[order < 0].sum()


def _fits(
    h: np.ndarray, own: np.ndarray, D: np.ndarray, pool: list[np.ndarray], passed: list[tuple[np.ndarray, Any]]
) -> bool:
    right, wrong = _put(h, own, D)
    if any(np.subtract(*_put(other, own, D)) >= right - wrong for other in pool):
        return False
    if not right > wrong > 0 or not isinstance(square_root(Fraction(right) * Fraction(wrong)), Fraction):
        return False
    return all(better > np.subtract(*_put(h, own, before)) for before, better in passed)


def exact_ranking(y: np.ndarray, H: np.ndarray, n_rounds: int) -> RankingRun:
    weights = np.array([Fraction(1)] * len(y), dtype=object)
    return run_adaboost_mr(FinitePool(H), y, H.shape[2], n_rounds, weights=weights, keep_history=True)


def powers(y: np.ndarray, H: np.ndarray, run: RankingRun) -> np.ndarray:
    """e^(-(f(x_i, y_i) - f(x_i, l))) from the steps alone: a product of rational e^(-2 alpha_t) and their inverses."""
    own = np.arange(H.shape[2]) == y[:, None]
    table = np.full(own.shape, Fraction(1), dtype=object)
    for j, right, wrong in zip(run.hypotheses, run.right, run.wrong, strict=True):
        odds = Fraction(wrong) / Fraction(right)
        order = np.where(own, 0, (H[j][own][:, None] - H[j]) // 2)
        table = table * np.vectorize(lambda o, odds=odds: odds ** int(o), otypes=[object])(order)
    return np.where(own, 0, np.frompyfunc(square_root, 1, 1)(table))


@ranking_bound.check("runs in fractions: F = m (k − 1) ∏ Z, and the share of mistakes, ties among them, is at most F/m")
def mistakes_within_the_bound(rng: np.random.Generator) -> Found:
    for y, H, run in rational_runs(rng, 12):
        m, k = H.shape[1:]
        table = powers(y, H, run)
        F = table.sum()
        yield equal("F, m (k − 1) ∏ Z", F, m * (k - 1) * product(run.normalisers))
        yield holds("weights are e^(−…) / F", same(run.D, table * Fraction(1, F)), Tier.EXACT)
        wrong = Fraction(int((table.max(axis=1) >= 1).sum()), m)
        yield at_most("mistakes, F/m", wrong, ranking_error_bound(k, run.normalisers))


@ranking_bound.check("scores that are whole multiples of ln 2, any number of examples and labels")
def any_scores(rng: np.random.Generator) -> Found:
    for _ in range(60):
        m, k = (int(n) for n in rng.integers((1, 2), (6, 7)))
        scores, y = rng.integers(-4, 5, (m, k)), rng.integers(0, k, m)
        mistakes = int((score_margins(scores, y) <= 0).sum())
        yield at_most("mistakes, F", mistakes, ranking_objective(log_two(scores), y) + ball(HAIR))


@ranking_bound.check("no step leaves a smaller normaliser than α, by squares: e⁺/s² + e⁻ s² − 2 √(e⁺ e⁻)")
def best_step(rng: np.random.Generator) -> Found:
    for _ in range(20):
        a, b, c = (int(n) for n in rng.integers(1, 6, 3))
        right, wrong = Fraction(a * a, a * a + b * b + c), Fraction(b * b, a * a + b * b + c)
        least = ranking_normaliser(right, wrong)
        for growth in (Fraction(a, b), Fraction(a + 1, b), Fraction(a, b + 1), Fraction(1)):
            left = 1 - right - wrong + right / growth + wrong * growth
            yield at_least("Z with another step, Z", left, least)


@ranking_bound.extremal("equality in the limit: one rival tied, the others ever further below")
def one_rival_tied() -> Found:
    for k, depth in itertools.product((3, 10), (10, 30)):
        scores = np.array([[0, 0, *[-depth] * (k - 2)]])
        yield at_most(f"mistakes, F/m, k = {k}", 1, ranking_objective(log_two(scores), np.array([0])))


@ranking_bound.extremal("and by a run: the hypothesis that never parts label and rival, for 30 rounds")
def a_run_to_the_tie() -> Found:
    yield at_most("mistakes, F/m, k = 9", 1, ranking_error_bound(9, tied_run(30).normalisers))


@functools.cache
def tied_run(n_rounds: int) -> RankingRun:
    """Of nine labels, so that the step taken where nothing is wrong, odds of 1 + 8 to 1, has a rational root."""
    y, H = tied_rival(9)
    return exact_ranking(y, H, n_rounds)


@ranking_bound.trace("two rounds in fractions, line by line")
def proof_on_a_run() -> Found:
    y, H, run = next(iter(rational_runs(np.random.default_rng(5), 1)))
    m, k = H.shape[1:]
    table = powers(y, H, run)
    for t, Z in enumerate(run.normalisers):
        right, wrong = run.right[t], run.wrong[t]
        yield equal(f"round {t + 1}: Z, 1 − e⁺ − e⁻ + 2 √(e⁺ e⁻)", Z, ranking_normaliser(right, wrong))
        yield less_than(f"round {t + 1}: Z, 1", Z, 1)
    for i, row in enumerate(table):
        wrong = int(row.max() >= 1)
        yield at_least(f"example {i + 1}: the sum over its rivals, [it is wrong]", row.sum(), wrong)
    yield equal("the sum over the examples, F = m (k − 1) ∏ Z", table.sum(), m * (k - 1) * product(run.normalisers))
    wrong = Fraction(int((table.max(axis=1) >= 1).sum()), m)
    yield at_most("mistakes, (k − 1) ∏ Z", wrong, ranking_error_bound(k, run.normalisers))


@ranking_bound.strengthened("F/m", by=Fraction(99, 100))
def less_than_the_objective(by: Fraction) -> Found:
    yield at_most("mistakes, F/m", 1, by * ranking_error_bound(9, tied_run(30).normalisers))


@ranking_bound.control(
    "F/(k − 1), as the exercise has it, in place of F/m",
    told="With $\\frac1{{k-1}}F$ it is false for $m<k-1$: a run of 30 rounds on one example, whose label ties with one "
    "of eight rivals and beats the others, ends with the error {left} and $\\frac1{{k-1}}F={right}$.",
)
def the_printed_constant() -> Found:
    m, k = 1, 9
    yield at_most("mistakes, F/(k − 1)", 1, m * ranking_error_bound(k, tied_run(30).normalisers) / (k - 1))


@ranking_bound.control("F/(m (k − 1)), the mean over all pairs")
def the_mean_over_pairs() -> Found:
    yield at_most("mistakes, F/(m (k − 1))", 1, ranking_error_bound(2, tied_run(30).normalisers))


# --- X9.4c: RankBoost ------------------------------------------------------------------------------------------------

rankboost = Claim(
    "X9.4c",
    implements=(run_adaboost_mr, run_rankboost, preference_pairs),
    no_formula="an equivalence of two algorithms",
)


def as_rankboost(y: np.ndarray, H: np.ndarray, n_rounds: int, pairs: np.ndarray | None = None) -> RankingRun:
    chosen = preference_pairs(y, H.shape[2]) if pairs is None else pairs
    weights = np.array([Fraction(1)] * len(chosen), dtype=object)
    return run_rankboost((as_single_column(H) + 1) // 2, chosen, n_rounds, weights=weights, keep_history=True)


@rankboost.check("both runs in fractions: the same choices, the same weights before every round, the same ranking")
def two_runs(rng: np.random.Generator) -> Found:
    for y, H, run in rational_runs(rng, 12):
        other = as_rankboost(y, H, run.n_rounds)
        rivals = np.arange(H.shape[2]) != y[:, None]
        yield holds("same choices", run.hypotheses == other.hypotheses, Tier.EXACT)
        same_weights = all(same(D[rivals], E) for D, E in zip(run.history, other.history, strict=True))
        yield holds("same weights", same_weights, Tier.EXACT)
        yield holds("same normalisers", same(run.normalisers, other.normalisers), Tier.EXACT)
        # e^(2 alpha) of RankBoost is the square of e^(2 alpha) of AdaBoost.MR, from the same weights e+ and e-.
        yield holds("steps twice as long", same(run.right, other.right) and same(run.wrong, other.wrong), Tier.EXACT)
        yield holds("every item in the same place", same(places(run.votes), places(other.votes)), Tier.EXACT)


def places(votes: np.ndarray) -> np.ndarray:
    """The place of each item among all, up to the rounding of the votes."""
    flat = votes.ravel()
    return np.array([int((flat > value + 1e-9).sum()) for value in flat])


@rankboost.check("runs in floats, of thirty rounds: weights to the last few bits, and the same choices")
def long_runs(rng: np.random.Generator) -> Found:
    for _ in range(10):
        m, k = (int(n) for n in rng.integers(5, 9, 2))
        y = rng.integers(0, k, m)
        H = np.where(rng.random((40, m, k)) < 0.6, label_signs(y, k), -label_signs(y, k))
        run = run_adaboost_mr(FinitePool(H), y, k, 30)
        other = run_rankboost((as_single_column(H) + 1) // 2, preference_pairs(y, k), 30)
        yield holds("same choices", run.hypotheses == other.hypotheses, Tier.EXACT)


@rankboost.control("with preferences between items of different examples, too")
def other_preferences() -> Found:
    y, H, run = next(iter(rational_runs(np.random.default_rng(0), 1)))
    m, k = H.shape[1:]
    above = np.arange(m) * k + y
    below = np.setdiff1d(np.arange(m * k), above)
    every = np.array(list(itertools.product(above.tolist(), below.tolist())))
    yield equal("weight that is put right", run.right[0], as_rankboost(y, H, 1, every).right[0])


@rankboost.strengthened("the step of RankBoost, twice that of AdaBoost.MR", by=Fraction(101, 100))
def other_steps(by: Fraction) -> Found:
    y, H, run = next(iter(rational_runs(np.random.default_rng(0), 1)))
    other = as_rankboost(y, H, run.n_rounds)
    yield equal("steps", by * Fraction(2 * float(run.steps[0])), Fraction(float(other.steps[0])))


# --- N.4: the same loss up to a shift --------------------------------------------------------------------------------

shifted = Claim(
    "N.4",
    implements=(least_shifted_loss, pair_loss, ranking_loss, best_shift),
    formula=Formula("eq-mh-least-shifted", least_shifted_loss, numbers="balls"),
)

V, W, C = sympy.symbols("v w c", positive=True)


def symbolic_scores(k: int) -> tuple[np.ndarray, Any]:
    """Scores ln u_l for positive u, in which both losses are rational, and the sum of the rivals' u."""
    u = sympy.symbols(f"u0:{k}", positive=True)
    return np.array([sympy.log(each) for each in u], dtype=object), sum(u[1:]) / u[0]


@shifted.check("by algebra, k = 2, 3: with a shift the loss exceeds 2 √(v w MR) by a square that vanishes once")
def excess_is_a_square(rng: np.random.Generator) -> Found:
    for k in (2, 3):
        f, ratio = symbolic_scores(k)
        yield proved(f"MR, Σ u_l / u_y, k = {k}", prove_identity(sympy.simplify(ranking_loss(f, 0)), ratio))
        # The shift is ln c; the loss is A / c + B c.
        A, B = V * sympy.exp(-f[0]), W * sum(sympy.exp(s) for s in f[1:])
        loss = sympy.simplify(pair_loss(f + sympy.log(C), 0, V, W))
        yield proved(f"the loss, A/c + B c, k = {k}", prove_identity(loss, A / C + B * C))
        least = least_shifted_loss(f, 0, V, W)
        yield proved(
            f"the least value squared, 4 A B, k = {k}", prove_identity(sympy.expand(least**2), sympy.expand(4 * A * B))
        )
        at_best = sympy.exp(2 * best_shift(f, 0, V, W))
        yield proved(
            f"c² at the best shift, A/B, k = {k}", prove_identity(sympy.simplify(at_best), sympy.simplify(A / B))
        )
    a, b = sympy.symbols("a b", positive=True)
    square = (a / sympy.sqrt(C) - b * sympy.sqrt(C)) ** 2
    yield proved("a²/c + b² c − 2 a b ≥ 0", prove_sign(a**2 / C + b**2 * C - 2 * a * b, square))


@shifted.extremal("equality at the best shift: k = 3, with v = 2, w = 1, where both halves of the loss are 4")
def at_the_best_shift() -> Found:
    # e^(-f_y) = 2, the rivals' e^f are 1 and 3: both halves are 4.
    f = np.array([-sympy.log(2), sympy.Integer(0), sympy.log(3)], dtype=object)
    yield equal(
        "the loss, 2 √(v w MR)", int(pair_loss(f, 0, 2, 1)), int(sympy.simplify(least_shifted_loss(f, 0, 2, 1)))
    )


@shifted.extremal("runs of AdaBoost.MH in fractions: mistakes, the mean of min(1, √MR), k/2 ∏ Z")
def roots_within_the_bound() -> Found:
    rng = np.random.default_rng(0)
    for _ in range(40):
        m, k = (int(n) for n in rng.integers(2, 6, 2))
        y = rng.integers(0, k, m)
        H = np.where(rng.random((12, m, k)) < 0.6, label_signs(y, k), -label_signs(y, k))
        weights = np.full((m, k), Fraction(1), dtype=object)
        run = run_adaboost(FinitePool(H), label_signs(y, k), 4, weights=weights, keep_history=True)
        if not run.n_rounds or run.ending == "perfect":
            continue
        f = np.frompyfunc(lambda square: ball(square).log() / 2, 1, 1)(squared_votes(run.odds, run.history))
        roots = [min(ball(1), ranking_loss(row, label).sqrt(), key=float) for row, label in zip(f, y, strict=True)]
        mean = sum(roots[1:], roots[0]) / m
        mistakes = int((score_margins(squared_votes(run.odds, run.history), y) <= 0).sum())
        yield at_most("mistakes, the mean root", Fraction(mistakes, m), mean + ball(HAIR))
        allowed = k * product(normaliser(ball(error)) for error in run.errors) / 2
        yield at_most("the mean root, k/2 ∏ Z", mean, allowed + ball(HAIR))
        assert squared_training_error_bound(run.errors) <= 1


@shifted.strengthened("2 √(v w MR)", by=Fraction(101, 100))
def a_hundredth_more(by: Fraction) -> Found:
    f = np.array([-sympy.log(2), sympy.Integer(0), sympy.log(3)], dtype=object)
    least = int(sympy.simplify(least_shifted_loss(f, 0, 2, 1)))
    yield at_least("the loss, 2 √(v w MR)", int(pair_loss(f, 0, 2, 1)), by * least)


@shifted.control(
    "without the shift: the loss is at most 100 times the root of MR",
    told="Without the shift no factor will do: with the scores $f=(\\ln500,\\ln500)$ and weights 1 the loss is above "
    "{left}, and $100\\sqrt{{\\mathrm{{MR}}}}$ is {right}.",
)
def no_shift() -> Found:
    f = np.array([sympy.log(500), sympy.log(500)], dtype=object)
    paid = Fraction(str(pair_loss(f, 0)))
    yield at_most("the loss, 100 √MR", int(paid), 100 * int(sympy.sqrt(ranking_loss(f, 0))))
