"""Trees with a cost at each node, and their prunings, one by one: what the fast algorithms are checked against."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from mcbook.foundation.checks import require_finite, require_same_length
from mcbook.foundation.numbers import exact_or_float
from mcbook.foundation.types import Array, Integers, Scalar


class CostedTree(NamedTuple):
    """A binary tree whose node t costs ``costs[t]`` as a leaf.

    ``left (n_nodes,)``, ``right (n_nodes,)`` are the children of each node, -1 at a leaf; node 0 is the root, and
    children stand behind their parents.  ``costs`` are floats, or exact numbers of dtype object.
    """

    left: Integers
    right: Integers
    costs: Array

    @property
    def n_leaves(self) -> int:
        return int((self.left < 0).sum())

    def is_leaf(self, t: int) -> bool:
        return bool(self.left[t] < 0)


def costed_tree(left: Any, right: Any, costs: Any) -> CostedTree:
    """The tree of these arrays, checked; ints become exact numbers.

    >>> costed_tree([1, -1, -1], [2, -1, -1], [5, 1, 2]).n_leaves
    2
    """
    down, up = (np.ascontiguousarray(each, dtype=np.int64) for each in (left, right))
    given = np.asarray(costs)
    values = exact_or_float(given.astype(object) if given.dtype.kind in "iu" else given)
    require_same_length(left=down, right=up, costs=values)
    require_finite(values, "costs", "each node needs one")
    inner = np.flatnonzero(down >= 0)
    children = np.r_[down[inner], up[inner]]
    in_place = ((down >= 0) == (up >= 0)).all() and (down[inner] > inner).all() and (up[inner] > inner).all()
    if not in_place or not np.array_equal(np.sort(children), np.arange(1, len(down))):
        raise ValueError(
            "expected a binary tree with root 0 and every other node the child of one that stands before it, "
            f"got left = {down.tolist()}, right = {up.tolist()}: number parents before children, -1 for no child"
        )
    return CostedTree(down, up, values)


class Pruning(NamedTuple):
    """A pruning by its ``leaves``, nodes of the full tree; their number is its size, their costs add up to ``cost``."""

    leaves: frozenset[int]
    cost: Any

    @property
    def n_leaves(self) -> int:
        return len(self.leaves)

    def refines(self, other: Pruning, tree: CostedTree) -> bool:
        """Whether the other is a pruning of this one: each of this one's leaves lies at or below a leaf of it."""
        return other.leaves <= ancestors_of(self.leaves, tree)


def ancestors_of(leaves: frozenset[int], tree: CostedTree) -> set[int]:
    """The leaves and all nodes above them."""
    found = set(leaves)
    for t in reversed(range(len(tree.left))):
        if not tree.is_leaf(t) and (tree.left[t] in found or tree.right[t] in found):
            found.add(t)
    return found


def all_prunings(tree: CostedTree, top: int = 0) -> Iterator[Pruning]:
    """Every pruning of the branch of a node, the collapsed one first; there may be very many.

    >>> len(list(all_prunings(costed_tree([1, 3, -1, -1, -1], [2, 4, -1, -1, -1], [9, 4, 3, 1, 2]))))
    3
    """
    yield Pruning(frozenset([top]), tree.costs[top])
    if not tree.is_leaf(top):
        branches = (list(all_prunings(tree, int(child))) for child in (tree.left[top], tree.right[top]))
        for one, two in itertools.product(*branches):
            yield Pruning(one.leaves | two.leaves, one.cost + two.cost)


def count_prunings(tree: CostedTree) -> int:
    """How many prunings there are: one more than the product of those of the children.

    >>> count_prunings(costed_tree([1, 3, -1, -1, -1], [2, 4, -1, -1, -1], [9, 4, 3, 1, 2]))
    3
    """
    counts = [1] * len(tree.left)
    for t in reversed(range(len(counts))):
        if not tree.is_leaf(t):
            counts[t] += counts[tree.left[t]] * counts[tree.right[t]]
    return counts[0]


def best_pruning(tree: CostedTree, lam: Scalar) -> Pruning:
    """The smallest pruning with the least R(T) + lam |T~|, from the leaves upwards: a tie is collapsed.

    >>> tree = costed_tree([1, 3, -1, -1, -1], [2, 4, -1, -1, -1], [9, 4, 3, 1, 2])
    >>> sorted(best_pruning(tree, 1).leaves), sorted(best_pruning(tree, 2).leaves)
    ([1, 2], [0])
    """
    best: list[Pruning] = [Pruning(frozenset([t]), cost) for t, cost in enumerate(tree.costs.tolist())]
    for t in reversed(range(len(best))):
        if not tree.is_leaf(t):
            one, two = best[tree.left[t]], best[tree.right[t]]
            below = Pruning(one.leaves | two.leaves, one.cost + two.cost)
            if best[t].cost + lam > below.cost + lam * below.n_leaves:
                best[t] = below
    return best[0]


def least_costs(tree: CostedTree) -> list[Any]:
    """The least cost of a pruning with 1, 2, ... leaves; place 0 has that of the root alone.

    A branch of n leaves puts i of them left and n - i right, whatever the sizes do to each other elsewhere.

    >>> least_costs(costed_tree([1, 3, -1, -1, -1], [2, 4, -1, -1, -1], [9, 4, 3, 1, 2]))
    [9, 7, 6]
    """
    tables: list[list[Any]] = [[cost] for cost in tree.costs.tolist()]
    for t in reversed(range(len(tables))):
        if not tree.is_leaf(t):
            tables[t] += _least_sums(tables[tree.left[t]], tables[tree.right[t]])
    return tables[0]


def _least_sums(one: list[Any], two: list[Any]) -> list[Any]:
    """Over i + j = n leaves the least sum of both tables, for n = 2, 3, ..."""
    return [
        min(one[i - 1] + two[n - i - 1] for i in range(max(1, n - len(two)), min(len(one), n - 1) + 1))
        for n in range(2, len(one) + len(two) + 1)
    ]


def best_under_penalty(tree: CostedTree, penalty: Callable[[int], Any]) -> list[Pruning]:
    """All prunings with the least R(T) + penalty(|T~|), by looking at every pruning."""
    candidates = list(all_prunings(tree))
    values = [one.cost + penalty(one.n_leaves) for one in candidates]
    least = min(values)
    return [one for one, value in zip(candidates, values, strict=True) if value == least]
