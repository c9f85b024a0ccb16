"""What the hypotheses of one run decide together: by plurality, and pair by pair."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import cache

import numpy as np

from mcbook.claims import Evidence, at_most
from mcbook.claims.constraint_classification.margin_bounds import drawn, online
from mcbook.constraint_classification import (
    constraints_from_classes,
    constraints_from_label_sets,
    constraints_from_rankings,
    run_constraints,
    violated_examples,
)
from mcbook.constraint_classification.theory.constraints import Constraints
from mcbook.foundation.distributions import FiniteDistribution, uniform_distribution
from mcbook.foundation.numbers import as_integers, rational

Found = Iterator[Evidence]
Predict = Callable[[np.ndarray], Hashable]


def ranking(scores: np.ndarray) -> tuple[int, ...]:
    return tuple(sorted(range(len(scores)), key=lambda z: (-scores[z], z)))


def top_two(scores: np.ndarray) -> frozenset[int]:
    return frozenset(ranking(scores)[:2])


def top(scores: np.ndarray) -> int:
    return ranking(scores)[0]


def learner(X: np.ndarray, constraints: Constraints) -> Callable[[tuple[int, ...]], list[np.ndarray]]:
    """The weights held before each example of one pass over the atoms that it is given."""
    start = np.zeros((constraints.n_classes, X.shape[1]), dtype=object)

    @cache
    def after(atoms: tuple[int, ...]) -> np.ndarray:
        return run_constraints(*drawn(X, constraints, atoms), max_epochs=1).W

    return lambda atoms: [start, *(after(atoms[:t]) for t in range(1, len(atoms)))]


def mean_risk(
    distribution: FiniteDistribution, X: np.ndarray, constraints: Constraints, held: list[np.ndarray]
) -> Fraction:
    risks = [distribution.probability(violated_examples(W, X, constraints)) for W in held]
    return Fraction(1, len(held)) * sum(risks, Fraction(0))


def plurality_risk(
    distribution: FiniteDistribution, X: np.ndarray, right: list[Hashable], held: list[np.ndarray], predict: Predict
) -> Fraction:
    """The probability that the most frequent prediction is not the right one, or not alone the most frequent."""
    wrong = []
    for x, answer in zip(X, right, strict=True):
        votes = Counter(predict(W @ x) for W in held)
        wrong.append(any(votes[other] >= votes[answer] for other in votes if other != answer) or not votes[answer])
    return distribution.probability(np.array(wrong))


def pairwise_risk(
    distribution: FiniteDistribution, X: np.ndarray, constraints: Constraints, held: list[np.ndarray]
) -> Fraction:
    """The probability of an example with a pair that half of the hypotheses or fewer meet."""
    wrong = np.zeros(len(X), dtype=bool)
    for example, i, j in zip(constraints.examples, constraints.preferred, constraints.rivals, strict=True):
        wrong[example] |= 2 * sum((W[i] - W[j]) @ X[example] > 0 for W in held) <= len(held)
    return distribution.probability(wrong)


def tasks(rng: np.random.Generator) -> Iterator[tuple[np.ndarray, Constraints, list[Hashable], Predict]]:
    """Three points with classes, rankings and sets of two labels that scores without ties give."""
    for predict in (top, ranking, top_two):
        while True:
            W, X = rng.integers(-3, 4, (4, 2)), rng.integers(-3, 4, (3, 2))
            scores = X @ W.T
            if all(len(set(row)) == 4 for row in scores.tolist()):
                break
        order = np.argsort(-scores, axis=1)
        sets = np.zeros((3, 4), dtype=int)
        np.put_along_axis(sets, order[:, :2], 1, axis=1)
        made = {
            top: constraints_from_classes(order[:, 0], 4),
            ranking: constraints_from_rankings(order),
            top_two: constraints_from_label_sets(sets),
        }
        yield as_integers(X), made[predict], [predict(row) for row in scores], predict


@online.check("classes, rankings and sets of two labels: the plurality has at most twice the mean risk, all sequences")
def plurality(rng: np.random.Generator) -> Found:
    distribution = uniform_distribution(3)
    for X, constraints, right, predict in tasks(rng):
        learn = learner(X, constraints)
        for atoms in itertools.product(range(3), repeat=4):
            held = learn(atoms)
            twice = 2 * mean_risk(distribution, X, constraints, held)
            yield at_most(
                "risk of the plurality, twice the mean risk",
                plurality_risk(distribution, X, right, held, predict),
                twice,
            )


def one_pair_of_four_labels() -> tuple[FiniteDistribution, np.ndarray, Constraints, list[np.ndarray]]:
    """The example of the page: one pair (1, 2), which 12 of 20 hypotheses meet, and 7 others agree on a wrong ranking.

    They come from one run. Atom 0 is nearly all the mass and is never drawn; the others are rare and turn its ranking.
    """
    X = as_integers([[1, 2, 1, 2], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    preferred, rivals = np.array([0, 1, 0, 3, 2]), np.array([1, 0, 1, 2, 3])
    constraints = Constraints(np.arange(5), preferred, rivals, 5, 4)
    distribution = FiniteDistribution(rational([Fraction(99, 100), *[Fraction(1, 400)] * 4]))
    return distribution, X, constraints, learner(X, constraints)((1,) * 7 + (2,) * 4 + (3,) * 4 + (4,) * 5)


@online.check("any pairs: voting pair by pair has at most twice the mean risk, where pairs leave the ranking open too")
def pair_by_pair(rng: np.random.Generator) -> Found:
    distribution, X, constraints, held = one_pair_of_four_labels()
    pairwise = pairwise_risk(distribution, X, constraints, held)
    yield at_most(
        "risk of the vote pair by pair, twice the mean risk",
        pairwise,
        2 * mean_risk(distribution, X, constraints, held),
    )
    for X, constraints, *_ in tasks(rng):
        learn = learner(X, constraints)
        for atoms in itertools.product(range(3), repeat=3):
            held = learn(atoms)
            risk = pairwise_risk(uniform_distribution(3), X, constraints, held)
            yield at_most(
                "risk of the vote pair by pair, twice the mean risk",
                risk,
                2 * mean_risk(uniform_distribution(3), X, constraints, held),
            )


@online.control(
    "the plurality of whole rankings, where one pair of four labels is asked for",
    told="A plurality needs pairs that fix the prediction. In one run with a single pair of four labels 12 of 20 "
    "hypotheses meet the pair, four each with one of three rankings; 7 agree on a ranking that violates it, and win. "
    "The vote has the risk {left}, and twice the mean risk is {right}.",
)
def pairs_that_fix_no_prediction() -> Found:
    distribution, X, constraints, held = one_pair_of_four_labels()
    # Any ranking with label 0 before label 1 is right; the most frequent one is not.
    wrong = []
    for x, i, j in zip(X, constraints.preferred, constraints.rivals, strict=True):
        (winner, _), *_ = Counter(ranking(W @ x) for W in held).most_common()
        wrong.append(winner.index(i) > winner.index(j))
    vote = distribution.probability(np.array(wrong))
    yield at_most("risk of the plurality, twice the mean risk", vote, 2 * mean_risk(distribution, X, constraints, held))
