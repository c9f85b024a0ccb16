"""A learner that is good under one distribution only."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.boosting import FinitePool, run_adaboost, squared_votes
from mcbook.claims import Claim, Evidence, at_least, equal
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.claims.weak_learning.games import HALF, QUARTER, Answers, Atoms, uniform
from mcbook.foundation.types import Signs
from mcbook.weak_learning import (
    best_correlation,
    boost_by_majority,
    mostly_plus_concepts,
    solve_game,
    uniform_only_pool,
    unseen_error,
)

Found = Iterator[Evidence]

one = Claim(
    "prp-weak-under-one-distribution",
    "existence",
    "certified",
    source="roth-cis519",
    where="weak and strong learning slides",
    implements=(uniform_only_pool, solve_game, unseen_error, mostly_plus_concepts),
    formula=Formula("eq-unseen-error", unseen_error, where=r"M\ge4"),
    no_trace="two examples, each computed in a few lines",
    symbols=(Reading("M", "count", arguments={"n_points": "M"}),),
)


@one.check("good under equal weights only: errors of the pool, the value of its game, boosting that gets nowhere")
def good_under_equal_weights_only(rng: np.random.Generator) -> Found:
    for n in (2, 3, 4):
        cube = uniform_only_pool(n)
        A, m = cube.A.astype(object), len(cube.y)
        equal_weights = uniform(m)
        yield equal(
            "best edge under equal weights = 1/4", best_correlation(A, equal_weights) / 2, QUARTER, at=f"n = {n}"
        )
        smallest = HALF - best_correlation(A, cube.hard_half) / 2
        yield equal("smallest error on the hard half = 1/2", smallest, HALF, at=f"n = {n}")
        yield equal("value of the game = 0", solve_game(A).value, 0, at=f"n = {n}")
        run = run_adaboost(FinitePool(cube.H), cube.y, 8, weights=equal_weights)
        lost = equal_weights[squared_votes(run.odds, A[list(run.hypotheses)].astype(int)) <= 1].sum()
        yield equal("AdaBoost's training error = 1/4", lost, QUARTER, at=f"n = {n}, {run.n_rounds} rounds")
        votes = boost_by_majority(FinitePool(cube.H), cube.y, QUARTER, 15)
        yield at_least(
            "share of mistakes of 15 equal votes ≥ one example",
            votes.share_lost(equal_weights),
            Fraction(1, m),
            at=f"n = {n}",
        )


@one.check("all concepts, all samples: the mean error of learners, of the one that repeats what it saw and of others")
def every_learner_on_what_it_has_not_seen(rng: np.random.Generator) -> Found:
    for M, m in ((4, 1), (4, 3), (8, 1), (8, 2)):
        yield equal("mean error = bound", mean_error(repeats, M, m), unseen_error(M, m), at=f"M = {M}, m = {m}")
        for _ in range(3):
            answers: Answers = {}

            def at_random(atoms: Atoms, labels: Atoms, answers: Answers = answers, M: int = M) -> Signs:
                return answers.setdefault((atoms, labels), rng.choice([-1, 1], M))

            yield at_least(
                "mean error ≥ bound", mean_error(at_random, M, m), unseen_error(M, m), at=f"M = {M}, m = {m}"
            )


def repeats(atoms: Atoms, labels: Atoms, M: int) -> Signs:
    """The labels that were seen, + elsewhere."""
    guess = np.ones(M, dtype=int)
    guess[list(atoms)] = labels
    return guess


def mean_error(learner: Callable[..., Signs], n_points: int, n_samples: int) -> Fraction:
    """The error of a learner under equal weights, averaged over all concepts and all samples."""
    concepts = mostly_plus_concepts(n_points)
    mistakes = 0
    for concept in concepts:
        for atoms in itertools.product(range(n_points), repeat=n_samples):
            mistakes += int((learner(atoms, tuple(concept[list(atoms)].tolist()), M=n_points) != concept).sum())
    return Fraction(mistakes, len(concepts) * n_points ** (n_samples + 1))


@one.control(
    "An edge under equal weights is not enough: the pool has the edge {right} under them, and {left} "
    "under the worst weights.",
    story=True,
)
def the_edge_of_equal_weights() -> Found:
    cube = uniform_only_pool(3)
    A = cube.A.astype(object)
    equal_weights = np.full(8, Fraction(1, 8))
    yield at_least(
        "edge under the worst weights ≥ edge under equal ones",
        solve_game(A).value / 2,
        best_correlation(A, equal_weights) / 2,
    )


@one.strengthened(
    "One per cent more is too much: a learner that repeats what it saw has the mean error {left}, and "
    "at least {right} would be asked for.",
    by=Fraction(101, 100),
)
def one_per_cent_above(factor: Fraction) -> Found:
    for M, m in ((4, 2), (8, 1)):
        yield at_least(
            "mean error ≥ bound", mean_error(repeats, M, m), factor * unseen_error(M, m), at=f"M = {M}, m = {m}"
        )
