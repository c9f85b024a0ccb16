"""Edges against margins, and weak against strong learning."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.boosting import FinitePool, GivenSequence, run_adaboost, squared_votes
from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.laws import FiniteLaw, random_probabilities, uniform_law
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Exact, Signs
from mcbook.weak_learning import (
    best_correlation,
    boost_by_majority,
    equal_votes_margin,
    examples_for_strong,
    false_survivor_bound,
    least_margin,
    majority_value,
    mostly_plus_concepts,
    rounds_until_perfect,
    solve_game,
    uniform_only_pool,
    unseen_error,
    vote_with_constant_step,
)

Found = Iterator[Evidence]
# Places of a sample or labels there, and what a learner that guesses has answered to both.
Atoms = tuple[int, ...]
Answers = dict[tuple[Atoms, Atoms], Signs]

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def random_game(rng: np.random.Generator, most: int = 9) -> Exact:
    """Agreements of a few hypotheses with a few examples, whole numbers of Python's own."""
    return rng.choice([-1, 1], tuple(int(n) for n in rng.integers(2, most, 2))).astype(object)


def uniform(m: int) -> Exact:
    """Equal weights."""
    return np.full(m, Fraction(1, m))


def ones(n: int) -> Signs:
    """Labels that are all +, so that outputs are agreements."""
    return np.ones(n, dtype=int)


# --- R.minimax: an edge everywhere is a margin everywhere -------------------------------------------------------------

duality = Claim(
    "R.minimax",
    implements=(solve_game, best_correlation, least_margin, vote_with_constant_step, equal_votes_margin),
    formula=(
        Formula("eq-edge-and-margin", best_correlation, side=0),
        Formula("eq-edge-and-margin", least_margin, side=1),
        Formula("eq-equal-votes-margin", equal_votes_margin, numbers="balls"),
    ),
)


@duality.check("random games: weights and votes in fractions that prove each other")
def solved_in_fractions(rng: np.random.Generator) -> Found:
    for _ in range(30):
        A = random_game(rng)
        game = solve_game(A)
        yield equal("best correlation under D, the value", best_correlation(A, game.D), game.value)
        yield equal("least margin of the vote w, the value", least_margin(A, game.w), game.value)
        yield equal("sum of D, 1", sum(game.D), 1)
        yield equal("sum of w, 1", sum(game.w), 1)
        yield at_least("smallest entry of D and w, 0", min(*game.D, *game.w), 0)


@duality.check("no weights and no votes at random do better than the two")
def nobody_does_better(rng: np.random.Generator) -> Found:
    for _ in range(20):
        A = random_game(rng)
        value = solve_game(A).value
        for _ in range(4):
            D, w = random_probabilities(rng, A.shape[1]), random_probabilities(rng, A.shape[0])
            yield at_least("best correlation under weights, the value", best_correlation(A, D), value)
            yield at_most("least margin of a vote, the value", least_margin(A, w), value)


@duality.check("the votes of the proof, with three steps: their margin against their mean correlation, and the value")
def votes_of_the_proof(rng: np.random.Generator) -> Found:
    for growth, T in itertools.product((Fraction(11, 10), Fraction(5, 4), Fraction(2)), (5, 30)):
        A = random_game(rng)
        run = vote_with_constant_step(FinitePool(A), ones(A.shape[1]), growth, T)
        margin = Fraction(int(run.leads[-1].min()), T)
        bound = equal_votes_margin(2 * sum(run.edges) / T, ball(growth).log(), A.shape[1], T)
        yield at_least(f"least margin of equal votes, bound: growth {growth}, T = {T}", margin, bound)
        value = solve_game(A).value
        yield at_most(f"least margin of equal votes, value: growth {growth}, T = {T}", margin, value)
        yield at_least(f"mean correlation, value: growth {growth}, T = {T}", 2 * sum(run.edges) / T, value)


@duality.strengthened(
    "the margin that an edge everywhere gives",
    by=Fraction(101, 100),
    told="With one per cent more it is false: the best vote of the three rules has the margin {left}, "
    "and {right} would be asked for.",
)
def one_per_cent_more(factor: Fraction) -> Found:
    A = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]], dtype=object)
    game = solve_game(A)
    yield at_least("margin of the best vote, value", least_margin(A, game.w), factor * best_correlation(A, game.D))


@duality.control("a margin of twice the edge under equal weights alone")
def equal_weights_alone() -> Found:
    for n in (2, 3):
        A = uniform_only_pool(n).A.astype(object)
        equal_weights = np.array([Fraction(1, A.shape[1])] * A.shape[1])
        game = solve_game(A)
        yield at_least(
            "margin of the best vote, correlation", least_margin(A, game.w), best_correlation(A, equal_weights)
        )


# --- R.weak: weak learnability, and why it must hold for every distribution -------------------------------------------

weak = Claim(
    "R.weak",
    implements=(
        boost_by_majority,
        rounds_until_perfect,
        false_survivor_bound,
        examples_for_strong,
        uniform_only_pool,
        solve_game,
        unseen_error,
        mostly_plus_concepts,
    ),
    formula=(
        Formula("eq-rounds-until-perfect", rounds_until_perfect, where=r"\gamma<\frac12"),
        Formula("eq-false-survivors", false_survivor_bound),
        Formula("eq-unseen-error", unseen_error, where=r"N\ge4"),
    ),
)


@weak.check("random pools with an edge under all weights: T equal votes make no mistake on a sample")
def no_mistake_on_the_sample(rng: np.random.Generator) -> Found:
    found = 0
    while found < 12:
        A = random_game(rng, 7)
        value = solve_game(A).value
        if value <= 0:
            continue
        found += 1
        # A perfect member would allow an edge of 1/2, where nothing is left to boost.
        edge, m = min(value / 2, Fraction(2, 5)), int(rng.integers(2, 9))
        sample = A[:, uniform_law(A.shape[1]).draw(rng, m)]
        T = rounds_until_perfect(edge, m)
        run = boost_by_majority(FinitePool(sample), ones(m), edge, T)
        yield less_than(f"m V, 1: T = {T}, γ = {edge}", m * majority_value(edge, T), 1)
        yield equal(f"share of mistakes, 0: T = {T}, γ = {edge}", run.share_lost(uniform(m)), 0)


@weak.check("all votes of three out of five, all samples: a vote with error > ε survives as rarely as is said")
def survivors_are_rare(rng: np.random.Generator) -> Found:
    for _ in range(6):
        H, law = rng.choice([-1, 1], (5, 4)), FiniteLaw(random_probabilities(rng, 4))
        votes = np.unique(
            [np.sign(H[list(chosen)].sum(axis=0)) for chosen in itertools.product(range(5), repeat=3)], axis=0
        )
        wrong = votes < 0
        for epsilon, m in itertools.product((Fraction(1, 10), Fraction(1, 3), HALF), (4, 8)):
            bad = wrong[law.probability(wrong) > epsilon]
            survives = sum(
                (p for counts, p in law.samples(m) if len(bad) and (bad @ np.array(counts) == 0).any()), Fraction(0)
            )
            yield at_most(f"some bad vote survives, bound, m = {m}", survives, false_survivor_bound(5, 3, epsilon, m))


@weak.check("so many examples are enough: the bound is at most δ")
def enough_examples(rng: np.random.Generator) -> Found:
    for edge, N, epsilon in itertools.product((Fraction(1, 10), QUARTER), (3, 50), (Fraction(1, 10), Fraction(1, 100))):
        delta = Fraction(1, 20)
        m = examples_for_strong(edge, N, epsilon, delta)
        bound = N ** rounds_until_perfect(edge, m) * ball(1 - epsilon) ** m
        yield at_most(f"a bad vote survives, δ; γ = {edge}, N = {N}, ε = {epsilon}, m = {m}", bound, delta)


@weak.check("good under equal weights only: errors of the pool, the value of its game, boosting that gets nowhere")
def good_under_equal_weights_only(rng: np.random.Generator) -> Found:
    for n in (2, 3, 4):
        cube = uniform_only_pool(n)
        A, m = cube.A.astype(object), len(cube.y)
        equal_weights = uniform(m)
        yield equal(f"best edge under equal weights, 1/4, n = {n}", best_correlation(A, equal_weights) / 2, QUARTER)
        smallest = HALF - best_correlation(A, cube.hard_half) / 2
        yield equal(f"smallest error on the hard half, 1/2, n = {n}", smallest, HALF)
        yield equal(f"value of the game, 0, n = {n}", solve_game(A).value, 0)
        run = run_adaboost(FinitePool(cube.H), cube.y, 8, weights=equal_weights)
        lost = equal_weights[squared_votes(run.odds, A[list(run.hypotheses)].astype(int)) <= 1].sum()
        yield equal(f"AdaBoost's training error after {run.n_rounds} rounds, 1/4, n = {n}", lost, QUARTER)
        votes = boost_by_majority(FinitePool(cube.H), cube.y, QUARTER, 15)
        yield at_least(
            f"mistakes of 15 equal votes, one example, n = {n}", votes.share_lost(equal_weights), Fraction(1, m)
        )


@weak.check("all concepts, all samples: the mean error of learners, of the one that repeats what it saw and of others")
def every_learner_on_what_it_has_not_seen(rng: np.random.Generator) -> Found:
    for N, m in ((4, 1), (4, 3), (8, 1), (8, 2)):
        yield equal(f"mean error, bound; N = {N}, m = {m}", mean_error(repeats, N, m), unseen_error(N, m))
        for _ in range(3):
            answers: Answers = {}

            def at_random(atoms: Atoms, labels: Atoms, answers: Answers = answers, N: int = N) -> Signs:
                return answers.setdefault((atoms, labels), rng.choice([-1, 1], N))

            yield at_least(f"mean error, bound; N = {N}, m = {m}", mean_error(at_random, N, m), unseen_error(N, m))


def repeats(atoms: Atoms, labels: Atoms, N: int) -> Signs:
    """The labels that were seen, + elsewhere."""
    guess = np.ones(N, dtype=int)
    guess[list(atoms)] = labels
    return guess


def mean_error(learner: Callable[..., Signs], n_points: int, n_samples: int) -> Fraction:
    """The error of a learner under equal weights, averaged over all concepts and all samples."""
    concepts = mostly_plus_concepts(n_points)
    mistakes = 0
    for concept in concepts:
        for atoms in itertools.product(range(n_points), repeat=n_samples):
            mistakes += int((learner(atoms, tuple(concept[list(atoms)].tolist()), N=n_points) != concept).sum())
    return Fraction(mistakes, len(concepts) * n_points ** (n_samples + 1))


@weak.control(
    "an edge under equal weights for an edge under all",
    told="An edge under equal weights is not enough: there the pool has {right}, and under the worst weights {left}.",
)
def the_edge_of_equal_weights() -> Found:
    cube = uniform_only_pool(3)
    A = cube.A.astype(object)
    equal_weights = np.full(8, Fraction(1, 8))
    yield at_least(
        "edge under the worst weights, under equal ones",
        solve_game(A).value / 2,
        best_correlation(A, equal_weights) / 2,
    )


@weak.strengthened("what no learner can do better", by=Fraction(101, 100))
def one_per_cent_above(factor: Fraction) -> Found:
    for N, m in ((4, 2), (8, 1)):
        yield at_least(f"mean error, bound; N = {N}, m = {m}", mean_error(repeats, N, m), factor * unseen_error(N, m))


@weak.strengthened("the number of rounds, as a share of it", by=HALF)
def half_the_rounds(factor: Fraction) -> Found:
    for edge, m in ((Fraction(1, 10), 1000), (QUARTER, 10**4)):
        T = int(factor * rounds_until_perfect(edge, m))
        yield less_than(f"m V, 1; γ = {edge}, m = {m}", m * majority_value(edge, T), 1)


@weak.strengthened("the number of votes among which one may survive", by=Fraction(1, 5))
def survivors_of_one_hypothesis(factor: Fraction) -> Found:
    # Every vote of one among five errs on a part of its own.
    law, wrong = uniform_law(5), np.eye(5, dtype=bool)
    survives = sum((p for counts, p in law.samples(1) if (wrong @ np.array(counts) == 0).any()), Fraction(0))
    yield at_most("some bad vote survives, bound", survives, factor * false_survivor_bound(5, 1, Fraction(1, 6), 1))


@weak.trace("four examples and three rules: the edge under all weights, the rounds, the equal vote")
def from_weak_to_strong() -> Found:
    A = np.array([[1, 1, -1, 1], [1, -1, 1, 1], [-1, 1, 1, -1]], dtype=object)
    game = solve_game(A)
    yield equal("value of the game, 1/3", game.value, Fraction(1, 3))
    edge, m = game.value / 2, 4
    T = rounds_until_perfect(edge, m)
    yield less_than("m V, 1", m * majority_value(edge, T), 1)
    run = boost_by_majority(FinitePool(A), ones(4), edge, T)
    open_rounds = [e for e, W in zip(run.edges, run.totals, strict=True) if W]
    yield at_least("smallest edge of the rounds in which something is open, γ", min(open_rounds), edge)
    replay = boost_by_majority(GivenSequence(A[list(run.hypotheses)].astype(int)), ones(4), edge, T)
    yield equal("share of mistakes of the equal vote, 0", replay.share_lost(uniform(4)), 0)
