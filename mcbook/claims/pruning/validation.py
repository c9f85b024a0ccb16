"""The penalty per leaf by cross-validation: finitely many penalties are enough, and which."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mcbook.claims import Claim, Evidence, at_most, equal
from mcbook.foundation.types import Array
from mcbook.pruning import (
    CostedTree,
    best_pruning,
    between_the_means,
    cost_complexity_path,
    costs_of_nodes,
    cross_validation,
    errors_along_path,
    errors_of_nodes,
    geometric_means,
    held_out_counts,
)
from mcbook.pruning.algorithm.validation import CrossValidation
from mcbook.trees import grow_tree, leaves_of
from mcbook.trees.algorithm.growth import Tree
from mcbook.trees.algorithm.weakest_links import costed_tree

Found = Iterator[Evidence]

finite = Claim(
    "prp-finitely-many-lambdas",
    "equivalence",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.3.3; §1.2.4",
    implements=(cross_validation, errors_along_path, cost_complexity_path),
    no_formula="it says where a function can change and states no value of it",
)


class Fold(NamedTuple):
    """The tree that was grown without the fold, its exact costs, and the examples of the fold."""

    tree: Tree
    costed: CostedTree
    X: np.ndarray
    y: np.ndarray
    n_grown_from: int


def exact_tree(X: np.ndarray, y: np.ndarray, n_classes: int) -> tuple[Tree, CostedTree]:
    """A fully grown tree with its errors as whole numbers."""
    tree = grow_tree(X, y, n_classes)
    return tree, costed_tree(tree.children, costs_of_nodes(np.round(tree.value).astype(int)))


def folds_of(X: np.ndarray, y: np.ndarray, n_classes: int, folds: Sequence[tuple[Array, Array]]) -> list[Fold]:
    return [Fold(*exact_tree(X[a], y[a], n_classes), X[b], y[b], len(a)) for a, b in folds]


def in_one_pass(folds: list[Fold], n_classes: int) -> CrossValidation:
    """The held-out errors as a step function, thresholds per example as fractions."""
    found = []
    for fold in folds:
        path = cost_complexity_path(fold.costed)
        counts = held_out_counts(fold.tree.children, leaves_of(fold.tree, fold.X), fold.y, n_classes)
        errors = errors_along_path(path, errors_of_nodes(counts, fold.tree.value.argmax(axis=1)).astype(int))
        found.append((path.thresholds / fold.n_grown_from, errors))
    return cross_validation(found, sum(len(fold.y) for fold in folds))


def by_hand(folds: list[Fold], lam: Fraction) -> int:
    """The same at one penalty, from the definition: prune every fold's tree, send every held-out example down."""
    wrong = 0
    for fold in folds:
        leaves = best_pruning(fold.costed, lam * fold.n_grown_from).leaves
        for x, label in zip(fold.X, fold.y.tolist(), strict=True):
            node = 0
            while node not in leaves:
                node = fold.tree.children[node, int(x[fold.tree.feature[node]] > fold.tree.threshold[node])]
            wrong += int(fold.tree.value[node].argmax()) != label
    return wrong


def small_samples(
    rng: np.random.Generator, count: int
) -> Iterator[tuple[np.ndarray, np.ndarray, int, Sequence[tuple[Array, Array]]]]:
    for _ in range(count):
        m, d, k, n = (int(v) for v in rng.integers((8, 1, 2, 2), (26, 3, 4, 6)))
        X, y = rng.integers(0, 12, (m, d)).astype(float), rng.integers(0, k, m)
        parts = np.array_split(rng.permutation(m), n)
        yield X, y, k, [(np.concatenate(parts[:i] + parts[i + 1 :]), part) for i, part in enumerate(parts)]


@finite.check("random samples and folds: the step function of one pass is what pruning fold by fold gives")
def steps_are_right(rng: np.random.Generator) -> Found:
    for X, y, k, parts in small_samples(rng, 16):
        folds = folds_of(X, y, k, parts)
        found = in_one_pass(folds, k)
        ends = found.thresholds.tolist()
        for lam in (*ends[::2], *(((a + b) / 2) for a, b in itertools.pairwise(ends[:6])), ends[-1] + 1):
            yield equal("errors in one pass = by hand", int(found.at(lam)), by_hand(folds, lam))


def errors_of_intervals(folds: list[Fold], found: CrossValidation) -> tuple[list[Fraction], list[int]]:
    """The positive thresholds, and the errors by hand at one penalty below, between and above them."""
    ends = [end for end in found.thresholds.tolist() if end > 0]
    inside = [(a + b) / 2 for a, b in itertools.pairwise([Fraction(0), *ends])]
    return ends, [by_hand(folds, lam) for lam in (*inside, max([Fraction(0), *ends]) + 1)]


@finite.check(
    "one penalty from each interval, by hand: none on a grid is better, and the chosen one is in the last best"
)
def no_grid_is_better(rng: np.random.Generator) -> Found:
    for X, y, k, parts in small_samples(rng, 24):
        folds = folds_of(X, y, k, parts)
        found = in_one_pass(folds, k)
        ends, errors = errors_of_intervals(folds, found)
        yield equal("fewest errors in one pass = over the intervals by hand", int(found.least), min(errors))
        grid = min(by_hand(folds, Fraction(int(v), 997)) for v in rng.integers(0, 400, 20))
        yield at_most("fewest errors over the intervals ≤ fewest over the grid", min(errors), grid)
        last = max(i for i, n in enumerate(errors) if n == min(errors))
        yield equal("interval of the choice = last with the fewest errors", bisect.bisect(ends, found.choice()), last)


@finite.control(
    "The intervals of the whole sample are not enough: on twenty points geometric means of its "
    "thresholds make {left} held-out errors at best, and another penalty makes {right}.",
    story=True,
)
def means_of_the_whole_sample() -> Found:
    X, y, parts = between_the_means(6)
    found = in_one_pass(folds_of(X, y, 2, parts), 2)
    means = geometric_means(cost_complexity_path(exact_tree(X, y, 2)[1]).thresholds) / len(y)
    at_means, least = int(found.at(means).min()), int(found.least)
    yield at_most("fewest errors over the geometric means ≤ fewest over all penalties", at_means, least)


@finite.control(
    "The penalty has to be per example: with one total penalty for trees that were grown from fewer "
    "examples one pass counts {left} errors, and pruning every fold by hand gives {right}.",
)
def penalties_not_per_example() -> Found:
    X, y, parts = between_the_means(6)
    folds = folds_of(X, y, 2, parts)
    found = in_one_pass([fold._replace(n_grown_from=len(y)) for fold in folds], 2)
    for lam in found.thresholds.tolist():
        yield equal("errors in one pass = by hand", int(found.at(lam)), by_hand(folds, lam))
