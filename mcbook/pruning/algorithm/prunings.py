"""The prunings of a tree, one by one: what the fast algorithms are checked against."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

from mcbook.foundation.types import Scalar
from mcbook.trees.algorithm.weakest_links import CostedTree as CostedTree
from mcbook.trees.algorithm.weakest_links import Pruning


def all_prunings(tree: CostedTree, top: int = 0) -> Iterator[Pruning]:
    """Every pruning of the branch of a node, the collapsed one first; there may be very many.

    >>> from mcbook.trees.algorithm.weakest_links import costed_tree
    >>> len(list(all_prunings(costed_tree([[1, 2], [3, 4]] + 3 * [[-1, -1]], [9, 4, 3, 1, 2]))))
    3
    """
    yield Pruning(frozenset([top]), tree.costs[top])
    if tree.below(top):
        branches = (list(all_prunings(tree, child)) for child in tree.below(top))
        for one, two in itertools.product(*branches):
            yield Pruning(one.leaves | two.leaves, one.cost + two.cost)


def count_prunings(tree: CostedTree) -> int:
    """How many prunings there are: one more than the product of those of the children.

    >>> from mcbook.trees.algorithm.weakest_links import costed_tree
    >>> count_prunings(costed_tree([[1, 2], [3, 4]] + 3 * [[-1, -1]], [9, 4, 3, 1, 2]))
    3
    """
    counts = [1] * tree.n_nodes
    for t in reversed(range(tree.n_nodes)):
        if tree.below(t):
            counts[t] += math.prod(counts[child] for child in tree.below(t))
    return counts[0]


def best_pruning(tree: CostedTree, lam: Scalar) -> Pruning:
    """The smallest pruning with the least R(T) + lam |T~|, from the leaves upwards: a tie is collapsed.

    Source: Mohri et al. (2018), section 9.3.3; Lecture 13, section 1.2.4.

    >>> from mcbook.trees.algorithm.weakest_links import costed_tree
    >>> tree = costed_tree([[1, 2], [3, 4]] + 3 * [[-1, -1]], [9, 4, 3, 1, 2])
    >>> sorted(best_pruning(tree, 1).leaves), sorted(best_pruning(tree, 2).leaves)
    ([1, 2], [0])
    """
    best: list[Pruning] = [Pruning(frozenset([t]), cost) for t, cost in enumerate(tree.costs.tolist())]
    for t in reversed(range(tree.n_nodes)):
        if tree.below(t):
            one, two = (best[child] for child in tree.below(t))
            below = Pruning(one.leaves | two.leaves, one.cost + two.cost)
            if best[t].cost + lam > below.cost + lam * below.n_leaves:
                best[t] = below
    return best[0]


def least_costs(tree: CostedTree) -> list[Scalar]:
    """The least cost of a pruning with 1, 2, ... leaves; place 0 has that of the root alone.

    A branch of n leaves puts i of them left and n - i right, whatever the sizes do to each other elsewhere.

    Source: this book; the penalty is that of Mohri et al. (2018), (9.15).

    >>> from mcbook.trees.algorithm.weakest_links import costed_tree
    >>> least_costs(costed_tree([[1, 2], [3, 4]] + 3 * [[-1, -1]], [9, 4, 3, 1, 2]))
    [9, 7, 6]
    """
    tables: list[list[Scalar]] = [[cost] for cost in tree.costs.tolist()]
    for t in reversed(range(tree.n_nodes)):
        if tree.below(t):
            tables[t] += _least_sums(*(tables[child] for child in tree.below(t)))
    return tables[0]


def _least_sums(one: list[Scalar], two: list[Scalar]) -> list[Scalar]:
    """Over i + j = n leaves the least sum of both tables, for n = 2, 3, ..."""
    return [
        min(one[i - 1] + two[n - i - 1] for i in range(max(1, n - len(two)), min(len(one), n - 1) + 1))
        for n in range(2, len(one) + len(two) + 1)
    ]


def best_under_penalty(tree: CostedTree, penalty: Callable[[int], Scalar]) -> list[Pruning]:
    """All prunings with the least R(T) + penalty(|T~|), by looking at every pruning.

    Source: this book; the penalty is that of Mohri et al. (2018), (9.15).

    >>> from mcbook.trees.algorithm.weakest_links import costed_tree
    >>> tree = costed_tree([[1, 2], [3, 4]] + 3 * [[-1, -1]], [9, 4, 3, 1, 2])
    >>> [sorted(one.leaves) for one in best_under_penalty(tree, lambda n_leaves: n_leaves)]  # 1 is a threshold
    [[1, 2], [2, 3, 4]]
    """
    candidates = list(all_prunings(tree))
    values = [one.cost + penalty(one.n_leaves) for one in candidates]
    least = min(values)
    return [one for one, value in zip(candidates, values, strict=True) if value == least]
