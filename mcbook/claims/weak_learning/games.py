"""Edges against margins, and what the worst weak learner makes of a booster's weights."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.boosting import FinitePool
from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.distributions import random_probabilities
from mcbook.foundation.numbers import ball
from mcbook.foundation.programs import solve_certified
from mcbook.foundation.proof import Known
from mcbook.foundation.types import Exact, Scalar, Signs
from mcbook.weak_learning import (
    best_correlation,
    equal_votes_margin,
    least_margin,
    solve_game,
    uniform_only_pool,
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


def worst_learner(edge: Fraction, n_rounds: int, weight: Callable[[int, int], Scalar]) -> Known:
    """The largest share of mistakes of T equal votes, over all samples and all learners that keep the edge.

    ``weight(t, lead)`` is what the booster gives to an example of this lead before round t, counted from 0.  An example
    is known by how many votes were right: a linear program moves the shares of examples from round to round.
    """
    import cvxpy as cp

    share, rules, none = np.ones(1), [], np.zeros(1)
    right = [cp.Variable(t + 1, nonneg=True) for t in range(n_rounds)]
    wrong = [cp.Variable(t + 1, nonneg=True) for t in range(n_rounds)]
    for t, (won, lost) in enumerate(zip(right, wrong, strict=True)):
        weights = np.array([float(weight(t, 2 * j - t)) for j in range(t + 1)])
        rules += [won + lost == share, weights @ won >= float(HALF + edge) * (weights @ share)]
        share = cp.hstack([none, won]) + cp.hstack([lost, none])
    mistakes = np.array([float(2 * j <= n_rounds) for j in range(n_rounds + 1)])
    return solve_certified(cp.Maximize(mistakes @ share), rules, share, accuracy=1e-6).value


# --- an edge everywhere is a margin everywhere -----------------------------------------------------------------------

duality = Claim(
    "thm-edge-and-margin-duality",
    "equivalence",
    "certified",
    source="roth-cis519",
    where="implicit in the boosting slides",
    implements=(solve_game, best_correlation, least_margin, vote_with_constant_step, equal_votes_margin),
    formula=(
        Formula("eq-edge-and-margin", best_correlation, side=0),
        Formula("eq-edge-and-margin", least_margin, side=1),
        Formula("eq-equal-votes-margin", equal_votes_margin, numbers="balls"),
    ),
    symbols=(
        Reading(r"\bar r", "real", arguments={"mean_correlation": r"\bar r"}),
        Reading(r"\alpha", "positive", arguments={"step": r"\alpha"}),
    ),
)


@duality.check("random games: weights and votes in fractions that prove each other")
def solved_in_fractions(rng: np.random.Generator) -> Found:
    for _ in range(30):
        A = random_game(rng)
        game = solve_game(A)
        yield equal("best correlation under D = the value", best_correlation(A, game.D), game.value)
        yield equal("least margin of the vote w = the value", least_margin(A, game.w), game.value)
        yield equal("sum of D = 1", sum(game.D), 1)
        yield equal("sum of w = 1", sum(game.w), 1)
        yield at_least("smallest entry of D and w ≥ 0", min(*game.D, *game.w), 0)


@duality.check("no weights and no votes at random do better than the two")
def nobody_does_better(rng: np.random.Generator) -> Found:
    for _ in range(20):
        A = random_game(rng)
        value = solve_game(A).value
        for _ in range(4):
            D, w = random_probabilities(rng, A.shape[1]), random_probabilities(rng, A.shape[0])
            yield at_least("best correlation under weights ≥ the value", best_correlation(A, D), value)
            yield at_most("least margin of a vote ≤ the value", least_margin(A, w), value)


@duality.check("the votes of the proof, with three steps: their margin against their mean correlation, and the value")
def votes_of_the_proof(rng: np.random.Generator) -> Found:
    for growth, T in itertools.product((Fraction(11, 10), Fraction(5, 4), Fraction(2)), (5, 30)):
        A = random_game(rng)
        run = vote_with_constant_step(FinitePool(A), ones(A.shape[1]), growth, T)
        margin = Fraction(int(run.leads[-1].min()), T)
        bound = equal_votes_margin(2 * sum(run.edges) / T, ball(growth).log(), A.shape[1], T)
        where = f"T = {T}, e^α = {growth}"
        yield at_least("least margin of equal votes ≥ bound", margin, bound, at=where)
        value = solve_game(A).value
        yield at_most("least margin of equal votes ≤ the value", margin, value, at=where)
        yield at_least("mean correlation ≥ the value", 2 * sum(run.edges) / T, value, at=where)


@duality.strengthened(
    "One per cent more is too much: the best vote of the three rules has the margin {left}, and {right} "
    "would be asked for.",
    by=Fraction(101, 100),
    story=True,
)
def one_per_cent_more(factor: Fraction) -> Found:
    A = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]], dtype=object)
    game = solve_game(A)
    yield at_least(
        "margin of the best vote ≥ 1.01 × the value", least_margin(A, game.w), factor * best_correlation(A, game.D)
    )


@duality.control(
    "An edge under equal weights alone gives no margin: the best correlation under them is {right}, and "
    "the best vote of the pool has the margin {left}.",
)
def equal_weights_alone() -> Found:
    for n in (2, 3):
        A = uniform_only_pool(n).A.astype(object)
        equal_weights = np.array([Fraction(1, A.shape[1])] * A.shape[1])
        game = solve_game(A)
        yield at_least(
            "margin of the best vote ≥ best correlation", least_margin(A, game.w), best_correlation(A, equal_weights)
        )
