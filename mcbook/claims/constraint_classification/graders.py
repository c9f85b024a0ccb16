"""What the chapter's exercises are marked against."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from operator import index

import numpy as np

from mcbook.constraint_classification import (
    constraint_gaps,
    constraints_from_classes,
    constraints_from_label_sets,
    constraints_from_rankings,
    cyclic_sample,
    kesler_embedding,
    kesler_sample,
    line_shattering_size,
    line_shatterings,
    plane_ranking_count,
    ranking_count_bound,
    run_constraints,
    transitive_closure,
)
from mcbook.constraint_classification.instances import orthonormal_sample
from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.types import Array, Values
from mcbook.perceptron import best_margin, mistake_bound


def lifted_examples() -> int:
    return len(kesler_sample(np.ones((100, 1)), np.zeros(100, dtype=int), 5)[0])


def pairs_of_the_set() -> int:
    return len(constraints_from_label_sets([[1, 1, 1, 0, 0, 0, 0, 0]]))


def pairs_of_the_ranking() -> int:
    return int(transitive_closure(constraints_from_rankings([list(range(8))]).of(0), 8).sum())


def rivals_at_zero() -> int:
    constraints = constraints_from_classes([0], 10)
    return int((constraint_gaps(np.zeros((10, 1)), np.ones((1, 1)), constraints) <= 0).sum())


def bound_at_one_point() -> Fraction:
    return Fraction(mistake_bound(1, best_margin(np.ones((1, 1)), np.array([0]), 10).squared.middle)).limit_denominator(
        100
    )


def cyclic_multiplier() -> int:
    X, y = cyclic_sample()

    def left(a: int) -> Values:
        weights = {(0, 1): 1, (2, 2): 1, (4, 0): 1, (1, 2): a, (3, 0): a, (5, 1): a}
        return sum(w * kesler_embedding(X[p], int(y[p]), rival, 3) for (p, rival), w in weights.items())

    return next(a for a in range(10) if not left(a).any())


def expected_sum() -> Fraction:
    """All sequences of three of two atoms, each risk the mass of what has not been seen."""
    sums = [
        sum(Fraction(2 - len(set(atoms[:t])), 2) for t in range(3)) for atoms in itertools.product(range(2), repeat=3)
    ]
    return Fraction(sum(sums, Fraction(0)), len(sums))


def squared_gap() -> Fraction:
    X, y = orthonormal_sample(50)
    constraints = constraints_from_classes(y, 2)
    W = run_constraints(X, constraints).W
    gap = constraint_gaps(W, X, constraints).min()
    return Fraction(gap * gap) / Fraction((W * W).sum())


def updates_allowed() -> Fraction:
    return 2 / (100 * squared_gap())


def five_points() -> int:
    return plane_ranking_count(5)


def four_labels() -> int:
    return ranking_count_bound(2, 4, 2)


def shattered_by_seven() -> int:
    return line_shattering_size(7)


def ways_of_four() -> int:
    return sum(1 for _ in line_shatterings(4, 4))


def pairs_of_groups(rng: np.random.Generator) -> Iterator[Case]:
    for sizes in ((1, 1), (2, 1), (1, 2, 1), (2, 2, 3), (1, 1, 1, 1)):
        labels = rng.permutation(sum(sizes)).tolist()
        ends = np.cumsum((0, *sizes))
        groups = [labels[a:b] for a, b in itertools.pairwise(ends)]
        yield Case(f"groups of {', '.join(map(str, sizes))} labels", (groups,), _Pairs(groups))


class _Pairs:
    """The feedback on a set of pairs."""

    def __init__(self, groups: list[list[int]]) -> None:
        self.right = {pair for a, b in itertools.pairwise(groups) for pair in itertools.product(a, b)}

    def __call__(self, reply: object) -> str:
        if not isinstance(reply, set | frozenset | list | tuple):
            return "expected a set of pairs"
        try:
            given = {(index(i), index(j)) for i, j in reply}
        except (TypeError, ValueError):
            return "expected a set of pairs of labels"
        if given - self.right:
            return f"a pair is not asked for: {sorted(given - self.right)[0]}"
        return f"{len(self.right - given)} pairs are missing" if self.right - given else ""


def mean_update(rng: np.random.Generator) -> Iterator[Case]:
    for k, d in ((3, 1), (3, 2), (4, 3), (5, 2), (4, 2)):
        pairs = [(i, j) for i, j in itertools.permutations(range(k), 2) if rng.random() < 0.6] or [(0, 1)]
        W = np.zeros((k, d)) if d == 1 else rng.integers(-2, 3, (k, d)).astype(float)
        x = rng.integers(1, 4, d).astype(float)
        description = f"{len(pairs)} pairs of {k} labels, {d} features"
        yield Case(description, (W, x, pairs), close_to(_mean_step(W, x, pairs)))


def _mean_step(W: Array, x: Array, pairs: list[tuple[int, int]]) -> Array:
    vectors = [kesler_embedding(x, i, j, len(W)) for i, j in pairs]
    wrong = [v for v in vectors if v @ W.ravel() <= 0]
    return W + (np.mean(wrong, axis=0).reshape(W.shape) if wrong else 0)
