"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.types import Scalar
from mcbook.structured import Scores, chains, hamming_cost, margin_rescaled
from mcbook.structured.algorithm.inference import all_labellings
from mcbook.structured_margins import (
    ScoredChain,
    enumerated_problem,
    frank_wolfe,
    most_violated_margin,
    planes_needed,
    slack_rescaled,
)
from mcbook.structured_margins.algorithm.frank_wolfe import FrankWolfeRun

_THREE = np.array([1, 2, 3], dtype=object), np.array([Fraction(1, 2), 1, 2], dtype=object)


def demands() -> int:
    return len(all_labellings(3, 6)) - 1


def charged_by_margin() -> Scalar:
    return margin_rescaled(*_THREE)


def charged_by_slack() -> Scalar:
    return slack_rescaled(*_THREE)


def _one_step() -> FrankWolfeRun:
    one = enumerated_problem([np.array([0, 1], dtype=object)], [np.array([[0], [2]], dtype=object)], 1)
    return frank_wolfe(one, [0])


def share_of_the_step() -> Scalar:
    return _one_step().alpha[0][1]


def value_after_the_step() -> Scalar:
    return _one_step().duals[-1]


def order_of_the_proof() -> tuple[int, ...]:
    return (0, 1, 2, 3, 4)


def planes_by_violation() -> int:
    return planes_needed(2, 9, Fraction(1, 10))


def planes_by_gap() -> int:
    return planes_needed(2, 9, Fraction(1, 10), "gap")


def most_differences() -> int:
    return max(sum(a != b for a, b in ((z[0], z[1]), (z[1], z[2]), (z[2], z[0]))) for z in all_labellings(2, 3))


def _random_chains(rng: np.random.Generator) -> Iterator[ScoredChain]:
    for length, k in ((1, 2), (2, 3), (4, 3), (6, 2)):
        E, T = rng.normal(size=(length, k)), rng.normal(size=(k, k))
        yield ScoredChain(Scores(E, T), chains([length]), rng.integers(0, k, length))


def augmented_value(rng: np.random.Generator) -> Iterator[Case]:
    for chain in _random_chains(rng):
        k = chain.scores.E.shape[1]
        right = most_violated_margin(chain.scores, chain.forest, chain.y, hamming_cost(k)).values[0]
        name = f"{len(chain.y)} positions, {k} labels"
        yield Case(name, (chain.scores.E, chain.scores.T, chain.y), close_to(float(right)))


def counted_scores(rng: np.random.Generator) -> Iterator[Case]:
    for chain in _random_chains(rng):
        _, errors, leads = chain.cloud()
        right = [-leads[errors == e].min() for e in range(len(chain.y) + 1)]
        name = f"{len(chain.y)} positions, {chain.scores.E.shape[1]} labels"
        yield Case(name, (chain.scores.E, chain.scores.T, chain.y), close_to(np.array(right)))


def weights_after_steps(rng: np.random.Generator) -> Iterator[Case]:
    for n_planes, n_features, n_steps in ((2, 1, 1), (3, 2, 4), (6, 3, 12)):
        b = np.r_[0.0, rng.uniform(0.5, 3, n_planes - 1)]
        G = np.vstack([np.zeros((1, n_features)), rng.normal(size=(n_planes - 1, n_features))])
        problem = enumerated_problem([b], [G], 1.5)
        right = problem.weights(frank_wolfe(problem, [0] * n_steps).alpha)
        yield Case(f"{n_planes} planes, {n_steps} steps", (b, G, 1.5, n_steps), close_to(right))
