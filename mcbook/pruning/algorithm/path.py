"""The weakest-link sequence of a tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.foundation.checks import require_whole
from mcbook.foundation.types import Array, Booleans, Integers, Scalar
from mcbook.pruning.algorithm.prunings import CostedTree, Pruning

# Penalties of equally weak links may differ by the rounding of sums of costs, which is some units in the last place.
_ROUNDING = 2.0**-46


@dataclass(frozen=True)
class PruningPath:
    """The trees T^(0), the full one, to T^(N), the root alone, each a pruning of the one before.

    ``thresholds (n_trees - 1,)`` increase strictly: T^(i) is the smallest best pruning for lambda from
    ``thresholds[i - 1]`` on and below ``thresholds[i]``.  ``costs (n_trees,)`` R(T^(i)), ``n_leaves (n_trees,)``.
    ``steps (n_nodes,)`` is the first i at which the node is no inner node of T^(i): 0 for the leaves of the full tree.
    ``parents (n_nodes,)``, -1 for the root.

    >>> from mcbook.pruning.algorithm.prunings import costed_tree
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

    >>> from mcbook.pruning.algorithm.prunings import costed_tree
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
    from mcbook.pruning import kernels

    kernel = getattr(kernels, name)
    return python_original(kernel) if exact else kernel
