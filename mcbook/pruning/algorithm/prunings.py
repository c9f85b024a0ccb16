"""Trees with a cost at each node, and their prunings, one by one: what the fast algorithms are checked against."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from mcbook.foundation.checks import require_finite, require_same_length
from mcbook.foundation.numbers import exact_or_float
from mcbook.foundation.types import Array, ArrayLike, Integers, Scalar


class CostedTree(NamedTuple):
    """A binary tree whose node t costs ``costs[t]`` as a leaf.

    ``children (n_nodes, 2)``, left and right, -1 in leaves; node 0 is the root, and children stand after their parents,
    as in `mcbook.trees.Tree`.  ``costs (n_nodes,)`` are floats, or exact numbers of dtype object.

    >>> tree = costed_tree([[1, 2], [3, 4]] + 3 * [[-1, -1]], [9, 4, 3, 1, 2])
    >>> tree.n_nodes, tree.n_leaves, tree.below(1), tree.below(2)
    (5, 3, [3, 4], [])
    """

    children: Integers
    costs: Array

    @property
    def n_nodes(self) -> int:
        return len(self.costs)

    @property
    def n_leaves(self) -> int:
        return int((self.children[:, 0] < 0).sum())

    def below(self, t: int) -> list[int]:
        """The two children of a node, or none."""
        left, right = self.children[t].tolist()
        return [left, right] if left >= 0 else []


def costed_tree(children: ArrayLike, costs: ArrayLike) -> CostedTree:
    """The tree of these arrays, checked; ints become exact numbers.

    >>> costed_tree([[1, 2], [-1, -1], [-1, -1]], [5, 1, 2]).n_leaves
    2
    """
    pairs = np.ascontiguousarray(children, dtype=np.int64)
    given = np.asarray(costs)
    values = exact_or_float(given.astype(object) if given.dtype.kind in "iu" else given)
    require_same_length(children=pairs, costs=values)
    require_finite(values, "costs", "each node needs one")
    inner = np.flatnonzero((pairs >= 0).any(axis=1)) if pairs.ndim == 2 else np.zeros(0, int)
    named = pairs[inner]
    in_place = pairs.shape[1:] == (2,) and (named > inner[:, None]).all()
    if not in_place or not np.array_equal(np.sort(named.ravel()), np.arange(1, len(pairs))):
        raise ValueError(
            "expected children (n_nodes, 2) of a binary tree with root 0, every other node the child of one that "
            f"stands before it, got {pairs.tolist()}: number parents before children, -1 for no child"
        )
    return CostedTree(pairs, values)


class Pruning(NamedTuple):
    """A pruning by its ``leaves``, nodes of the full tree; their number is its size, their costs add up to ``cost``.

    >>> tree = costed_tree([[1, 2], [3, 4]] + 3 * [[-1, -1]], [9, 4, 3, 1, 2])
    >>> small, large = best_pruning(tree, 1), best_pruning(tree, 0)
    >>> large.n_leaves, large.cost, large.refines(small, tree), small.refines(large, tree)
    (3, 6, True, False)
    """

    leaves: frozenset[int]
    cost: Scalar

    @property
    def n_leaves(self) -> int:
        return len(self.leaves)

    def refines(self, other: Pruning, tree: CostedTree) -> bool:
        """Whether the other is a pruning of this one: each of this one's leaves lies at or below a leaf of it."""
        return other.leaves <= ancestors_of(self.leaves, tree)


def ancestors_of(leaves: frozenset[int], tree: CostedTree) -> set[int]:
    """The leaves and all nodes above them."""
    found = set(leaves)
    for t in reversed(range(tree.n_nodes)):
        if not found.isdisjoint(tree.below(t)):
            found.add(t)
    return found


def all_prunings(tree: CostedTree, top: int = 0) -> Iterator[Pruning]:
    """Every pruning of the branch of a node, the collapsed one first; there may be very many.

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

    >>> tree = costed_tree([[1, 2], [3, 4]] + 3 * [[-1, -1]], [9, 4, 3, 1, 2])
    >>> [sorted(one.leaves) for one in best_under_penalty(tree, lambda n_leaves: n_leaves)]  # 1 is a threshold
    [[1, 2], [2, 3, 4]]
    """
    candidates = list(all_prunings(tree))
    values = [one.cost + penalty(one.n_leaves) for one in candidates]
    least = min(values)
    return [one for one, value in zip(candidates, values, strict=True) if value == least]
