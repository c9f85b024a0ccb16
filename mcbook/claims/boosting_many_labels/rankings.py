"""AdaBoost.MR: what it bounds, and that it is RankBoost."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.boosting import FinitePool
from mcbook.boosting_many_labels import (
    label_signs,
    preference_pairs,
    ranking_error_bound,
    ranking_normaliser,
    ranking_objective,
    run_adaboost_mr,
    run_rankboost,
    tied_rival,
)
from mcbook.boosting_many_labels.algorithm.ranking import RankingRun
from mcbook.boosting_many_labels.instances import as_single_column
from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than
from mcbook.claims.boosting_many_labels.exact_runs import HAIR, log_two, product, same
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import as_given, ball, square_root
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Scalar
from mcbook.problem import score_margins

Found = Iterator[Evidence]


ranking_bound = Claim(
    "thm-mr-training-error",
    "upper bound",
    "exact",
    source="mohri2018",
    where="Exercise 9.4 (a), (b)",
    errata=("E9",),
    implements=(ranking_error_bound, ranking_objective, run_adaboost_mr, ranking_normaliser),
    formula=(
        Formula("eq-mr-objective", ranking_objective, numbers="balls"),
        Formula("eq-mr-bound", ranking_error_bound),
        Formula("eq-mr-normaliser", ranking_normaliser, numbers="balls"),
    ),
    symbols=(
        Reading("f(x_i,l)", "real", slots=("i", "l"), shape=("m", "k"), arguments={"scores": "f(x_i,l)"}),
        Reading(r"\epsilon^+", "probability", arguments={"right": r"\epsilon^+"}),
        Reading(r"\epsilon^-", "probability", arguments={"wrong": r"\epsilon^-"}),
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
        passed: list[tuple[np.ndarray, Scalar]] = []
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
    h: np.ndarray, own: np.ndarray, D: np.ndarray, pool: list[np.ndarray], passed: list[tuple[np.ndarray, Scalar]]
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
        yield equal("F = m (k − 1) ∏ Z", F, m * (k - 1) * product(run.normalisers))
        yield holds("weights are e^(−…) / F", same(run.D, table * Fraction(1, F)), Tier.EXACT)
        wrong = Fraction(int((table.max(axis=1) >= 1).sum()), m)
        yield at_most("mistakes ≤ F/m", wrong, ranking_error_bound(k, run.normalisers))


@ranking_bound.check("scores that are whole multiples of ln 2, any number of examples and labels")
def any_scores(rng: np.random.Generator) -> Found:
    for _ in range(60):
        m, k = (int(n) for n in rng.integers((1, 2), (6, 7)))
        scores, y = rng.integers(-4, 5, (m, k)), rng.integers(0, k, m)
        mistakes = int((score_margins(scores, y) <= 0).sum())
        yield at_most("mistakes ≤ F", mistakes, ranking_objective(log_two(scores), y) + ball(HAIR))


@ranking_bound.check("no step leaves a smaller normaliser than α, by squares: e⁺/s² + e⁻ s² − 2 √(e⁺ e⁻)")
def best_step(rng: np.random.Generator) -> Found:
    for _ in range(20):
        a, b, c = (int(n) for n in rng.integers(1, 6, 3))
        right, wrong = Fraction(a * a, a * a + b * b + c), Fraction(b * b, a * a + b * b + c)
        least = ranking_normaliser(right, wrong)
        for growth in (Fraction(a, b), Fraction(a + 1, b), Fraction(a, b + 1), Fraction(1)):
            left = 1 - right - wrong + right / growth + wrong * growth
            yield at_least("Z with another step ≥ Z", left, least)


@ranking_bound.extremal("equality in the limit: one rival tied, the others ever further below")
def one_rival_tied() -> Found:
    for k, depth in itertools.product((3, 10), (10, 30)):
        scores = np.array([[0, 0, *[-depth] * (k - 2)]])
        yield at_most(
            "mistakes ≤ F/m", 1, ranking_objective(log_two(scores), np.array([0])), at=f"k = {k}", statement=True
        )


@ranking_bound.extremal("a run that comes as near: the hypothesis that never separates label and rival, for 30 rounds")
def a_run_to_the_tie() -> Found:
    yield at_most("mistakes ≤ F/m", 1, ranking_error_bound(9, tied_run(30).normalisers), at="k = 9", statement=True)


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
        yield equal("Z = 1 − e⁺ − e⁻ + 2 √(e⁺ e⁻)", Z, ranking_normaliser(right, wrong), at=f"round {t + 1}")
        yield less_than("Z < 1", Z, 1, at=f"round {t + 1}")
    for i, row in enumerate(table):
        wrong = int(row.max() >= 1)
        yield at_least("sum over its rivals ≥ [mistake]", row.sum(), wrong, at=f"example {i + 1}")
    yield equal("sum over the examples = m (k − 1) ∏ Z", table.sum(), m * (k - 1) * product(run.normalisers))
    wrong = Fraction(int((table.max(axis=1) >= 1).sum()), m)
    yield at_most("mistakes ≤ (k − 1) ∏ Z", wrong, ranking_error_bound(k, run.normalisers))


@ranking_bound.strengthened(
    r"One per cent less than $\frac1mF$ is too little: where the label ties with one of eight rivals "
    "for 30 rounds, the error is {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def less_than_the_objective(by: Fraction) -> Found:
    yield at_most("mistakes ≤ F/m", 1, by * ranking_error_bound(9, tied_run(30).normalisers))


@ranking_bound.control(
    r"The printed $\frac1{k-1}F$ is too small for $m<k-1$: after 30 rounds on one example, whose label "
    r"ties with one of eight rivals and beats the others, the error is {left}, but $\frac1{k-1}F$ is "
    "{right}.",
    story=True,
)
def the_printed_constant() -> Found:
    m, k = 1, 9
    yield at_most("mistakes ≤ F/(k − 1)", 1, m * ranking_error_bound(k, tied_run(30).normalisers) / (k - 1))


@ranking_bound.control(
    r"The mean over all pairs, $\frac1{m(k-1)}F$, does not bound the error: where the label ties with "
    "one of eight rivals for 30 rounds, the error is {left}, and that mean is {right}."
)
def the_mean_over_pairs() -> Found:
    yield at_most("mistakes ≤ F/(m (k − 1))", 1, ranking_error_bound(2, tied_run(30).normalisers))


rankboost = Claim(
    "prp-mr-is-rankboost",
    "equivalence",
    "exact",
    source=("mohri2018", "freund2003"),
    where="Exercise 9.4 (c); §3",
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


@rankboost.check("runs in floats, of thirty rounds: the same choices")
def long_runs(rng: np.random.Generator) -> Found:
    for _ in range(10):
        m, k = (int(n) for n in rng.integers(5, 9, 2))
        y = rng.integers(0, k, m)
        H = np.where(rng.random((40, m, k)) < 0.6, label_signs(y, k), -label_signs(y, k))
        # Without ties, which rounding would break.
        weights = rng.random(m)
        run = run_adaboost_mr(FinitePool(H), y, k, 30, weights=weights)
        pairs, spread = preference_pairs(y, k), np.repeat(weights, k - 1)
        other = run_rankboost((as_single_column(H) + 1) // 2, pairs, 30, weights=spread)
        yield holds("same choices", run.hypotheses == other.hypotheses, Tier.EXACT)


@rankboost.control(
    "If RankBoost also compares items of different examples, the runs differ: the first hypothesis "
    "puts the weight {right} in the right order, and with AdaBoost.MR's pairs {left}."
)
def other_preferences() -> Found:
    y, H, run = next(iter(rational_runs(np.random.default_rng(0), 1)))
    m, k = H.shape[1:]
    above = np.arange(m) * k + y
    below = np.setdiff1d(np.arange(m * k), above)
    every = np.array(list(itertools.product(above.tolist(), below.tolist())))
    yield equal("weight that is put right = weight with all pairs", run.right[0], as_rankboost(y, H, 1, every).right[0])


@rankboost.strengthened(
    "The steps of RankBoost are twice as long and no longer: its first step is {right}, and twice that "
    "of AdaBoost.MR plus one per cent is {left}.",
    by=Fraction(101, 100),
)
def other_steps(by: Fraction) -> Found:
    y, H, run = next(iter(rational_runs(np.random.default_rng(0), 1)))
    other = as_rankboost(y, H, run.n_rounds)
    twice, step = as_given([2 * run.steps[0], other.steps[0]])
    yield equal("twice the step of AdaBoost.MR = step of RankBoost", by * twice, step)
