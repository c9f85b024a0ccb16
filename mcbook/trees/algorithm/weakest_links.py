"""Trees with a cost at each node, their prunings, and the sequence of the weakest links.

The chapter on pruning derives them; they stand here because `DecisionTree` prunes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from mcbook.foundation.checks import require_finite, require_same_length, require_whole
from mcbook.foundation.numbers import exact_or_float
from mcbook.foundation.types import Array, ArrayLike, Booleans, Integers, Scalar
from mcbook.trees.algorithm.growth import Tree

# Penalties of equally weak links may differ by the rounding of sums of costs, which is some units in the last place.
_ROUNDING = 2.0**-46


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
    >>> from mcbook.pruning import best_pruning
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


@dataclass(frozen=True)
class PruningPath:
    """The trees T^(0), the full one, to T^(N), the root alone, each a pruning of the one before.

    ``thresholds (n_trees - 1,)`` increase strictly: T^(i) is the smallest best pruning for lambda from
    ``thresholds[i - 1]`` on and below ``thresholds[i]``.  ``costs (n_trees,)`` R(T^(i)), ``n_leaves (n_trees,)``.
    ``steps (n_nodes,)`` is the first i at which the node is no inner node of T^(i): 0 for the leaves of the full tree.
    ``parents (n_nodes,)``, -1 for the root.

    >>> path = cost_complexity_path(costed_tree([[1, 2], [3, 4]] + 3 * [[-1, -1]], [9, 4, 3, 1, 2]))
    >>> path.n_trees, path.place_of(Fraction(3, 2)), sorted(path.pruning(1).leaves)
    (3, 1, [1, 2])
    """

    thresholds: Array
    costs: Array
    n_leaves: Integers
    steps: Integers
    parents: Integers

    @property
    def n_trees(self) -> int:
        return len(self.costs)

    def place_of(self, lam: Scalar) -> int:
        """The i of the smallest best pruning at the penalty lam."""
        return int(np.searchsorted(self.thresholds, lam, side="right"))  # type: ignore[call-overload]  # exact numbers

    def leaves_of(self, place: int) -> Booleans:
        """Which nodes are the leaves of T^(place)."""
        place = require_whole(place, "place", at_least=0)
        if place >= self.n_trees:
            raise ValueError(f"expected the place of one of the {self.n_trees} trees from 0 on, got {place}")
        # The root has no parent that could have been collapsed; place + 1 stands for one that has not.
        above = np.where(self.parents < 0, place + 1, self.steps[self.parents])
        return (self.steps <= place) & (above > place)

    def pruning(self, place: int) -> Pruning:
        """T^(place) by its leaves."""
        return Pruning(frozenset(np.flatnonzero(self.leaves_of(place)).tolist()), self.costs[place])


def cost_complexity_path(tree: CostedTree) -> PruningPath:
    """Weakest-link pruning (Breiman et al. 1984; Mohri et al., section 9.3.3), in O(n log n + n depth) steps.

    Costs of dtype object are treated exactly.  With floats, links are equally weak if rounding cannot tell them apart.

    >>> tree = costed_tree([[1, 2], [3, 4]] + 3 * [[-1, -1]], [9, 4, 3, 1, 2])
    >>> path = cost_complexity_path(tree)
    >>> path.thresholds.tolist(), path.costs.tolist(), path.n_leaves.tolist()
    ([Fraction(1, 1), Fraction(2, 1)], [Fraction(6, 1), Fraction(7, 1), Fraction(9, 1)], [3, 2, 1])
    """
    exact = tree.costs.dtype.hasobject
    # What was read from a file may not be written to, and the compiled loops know only arrays that may.
    children = np.require(tree.children, requirements=("C", "W"))
    costs = _of_fractions(tree.costs) if exact else np.require(tree.costs, requirements=("C", "W"))
    parents = _kernel("parents_of", exact)(children)
    n_nodes, dtype = tree.n_nodes, tree.costs.dtype
    steps, n_leaves = np.empty(n_nodes, np.int64), np.empty(n_nodes, np.int64)
    thresholds, path_costs = np.empty(n_nodes, dtype), np.empty(n_nodes, dtype)
    n_trees = _kernel("weakest_links", exact)(
        *(children, parents, costs, 0 if exact else _ROUNDING, steps, thresholds, path_costs, n_leaves)
    )
    kept = slice(0, n_trees)
    return PruningPath(thresholds[1:n_trees].copy(), path_costs[kept].copy(), n_leaves[kept].copy(), steps, parents)


def _of_fractions(costs: Array) -> Array:
    """Fractions throughout, so that no quotient of ints turns into a float."""
    return np.array([Fraction(cost) for cost in costs.tolist()], dtype=object)


def _kernel(name: str, exact: bool) -> Callable[..., Any]:
    """The compiled loop, or the same lines uncompiled for exact numbers."""
    from mcbook.foundation.compiled import python_original
    from mcbook.trees.kernels import pruning as kernels

    kernel = getattr(kernels, name)
    return python_original(kernel) if exact else kernel


def prune_tree(tree: Tree, leaves: Booleans) -> Tree:
    """The pruning with these leaves ``(n_nodes,)``, as a tree of its own; nodes keep their order.

    >>> from mcbook.trees import grow_tree
    >>> tree = grow_tree([[1.0], [2.0], [4.0]], [0, 0, 1])
    >>> prune_tree(tree, np.array([True, False, False])).value.tolist()
    [[2.0, 1.0]]
    """
    require_same_length(children=tree.children, leaves=leaves)
    kept = np.zeros(tree.n_nodes, bool)
    kept[0] = True
    for t in np.flatnonzero(~tree.is_leaf):
        kept[tree.children[t]] = kept[t] and not leaves[t]
    # The place of each node among those that stay; -1, for no child, stays -1.
    places = np.r_[np.cumsum(kept) - 1, -1]
    shown = tree._replace(**{name: array[kept] for name, array in tree._asdict().items()})
    ends = leaves[kept]
    return shown._replace(
        children=np.where(ends[:, None], -1, places[shown.children]),
        feature=np.where(ends, -1, shown.feature),
        threshold=np.where(ends, np.nan, shown.threshold),
        categories=np.where(ends, 0, shown.categories),
    )
