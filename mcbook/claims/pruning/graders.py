"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.types import Number
from mcbook.pruning import (
    CostedTree,
    best_pruning,
    cost_complexity_path,
    count_prunings,
    errors_along_path,
    link_strength,
    most_optimal_prunings,
    optimal_prunings_bound,
    pruning_code_length,
    pruning_objective,
    random_counted_tree,
    worked_tree,
)
from mcbook.pruning.instances import Shape, random_costed_tree, two_equal_links, with_leaf_counts
from mcbook.pruning.theory import occam_penalty


def _value_at_two(place: int) -> Number:
    path = cost_complexity_path(worked_tree().costed())
    return pruning_objective(path.costs[place], int(path.n_leaves[place]), 2)


def value_with_five_leaves() -> Number:
    return _value_at_two(1)


def value_with_two_leaves() -> Number:
    return _value_at_two(3)


def penalty_of_the_branch() -> Number:
    return link_strength(14, 2, 4)


def _complete(depth: int) -> CostedTree:
    shape: Shape = None
    for _ in range(depth):
        shape = (shape, shape)
    return with_leaf_counts(shape, [[1]] * 2**depth).costed()


def prunings_of_eight() -> int:
    return count_prunings(_complete(3))


def prunings_of_sixteen() -> int:
    return count_prunings(_complete(4))


def order_of_the_proof() -> tuple[int, ...]:
    return (0, 1, 2, 3, 4, 5)


def most_for_four() -> int:
    return most_optimal_prunings(4, 4)


def bound_for_four() -> float:
    return float(optimal_prunings_bound(4, 4))


def penalty_for_all() -> float:
    return round(0.002 * 1500, 9)


def penalty_for_folds() -> float:
    return round(0.002 * 1500 * 9 / 10, 9)


def bits_of_ten_leaves() -> Number:
    return pruning_code_length(10, 10)


def penalty_of_ten_leaves() -> float:
    return float(occam_penalty(59, 2000, 0.05))


def _trees(rng: np.random.Generator) -> Iterator[tuple[str, CostedTree]]:
    """Whole costs, so that equally good prunings are equally good in floats too; the worked case has no such."""
    yield "the worked case", worked_tree().costed()
    yield "two equally weak links", two_equal_links()
    for n_leaves in (3, 6, 12):
        yield f"a random sample in {n_leaves} leaves", random_counted_tree(rng, n_leaves).costed()
        yield f"random costs, {n_leaves} leaves", random_costed_tree(rng, n_leaves)


def sizes_of_best_prunings(rng: np.random.Generator) -> Iterator[Case]:
    for description, tree in _trees(rng):
        for lam in (0, 1, 3):
            right = best_pruning(tree, lam).n_leaves
            inputs = tree.children.tolist(), tree.costs.tolist(), lam
            yield Case(f"{description} at the penalty {lam}", inputs, close_to(right))


def thresholds_of_trees(rng: np.random.Generator) -> Iterator[Case]:
    for description, tree in _trees(rng):
        right = cost_complexity_path(tree).thresholds.astype(float)
        yield Case(description, (tree.children.tolist(), tree.costs.tolist()), close_to(right))


def errors_along_sequences(rng: np.random.Generator) -> Iterator[Case]:
    for description, tree in _trees(rng):
        path = cost_complexity_path(tree)
        errors = rng.integers(0, 9, tree.n_nodes).astype(float)
        yield Case(description, (path.steps, path.parents, errors), close_to(errors_along_path(path, errors)))
