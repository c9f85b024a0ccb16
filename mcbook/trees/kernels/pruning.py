"""The weakest-link sequence of a tree.

A tree is ``children (n_nodes, 2)``: the left and the right child of each node, -1 at a leaf.  Node 0 is the root, and
children stand behind their parents.
"""

from __future__ import annotations

import heapq

import numpy as np
from numba import njit


@njit(["int64[::1](int64[:, ::1])"], cache=True)
def parents_of(children):
    """The parent of each node, -1 for the root."""
    parents = np.full(children.shape[0], -1, np.int64)
    for t in range(children.shape[0]):
        left, right = children[t, 0], children[t, 1]
        if left >= 0:
            parents[left] = parents[right] = t
    return parents


@njit(["void(int64[:, ::1], float64[::1], int64[::1])"], cache=True)
def sum_branches(children, costs, n_leaves):
    """Replace the cost of each inner node by that of the leaves below it, and count these."""
    for t in np.arange(children.shape[0])[::-1]:
        left, right = children[t, 0], children[t, 1]
        n_leaves[t] = 1
        if left >= 0:
            costs[t] = costs[left] + costs[right]
            n_leaves[t] = n_leaves[left] + n_leaves[right]


@njit(["void(int64[:, ::1], int64[::1], int64, int64)"], cache=True)
def mark_branch(children, steps, top, step):
    """Write the step into the inner nodes of the branch that are not marked yet."""
    waiting = [top]
    while len(waiting) > 0:
        t = waiting.pop()
        if steps[t] < 0:
            steps[t] = step
            waiting.append(children[t, 0])
            waiting.append(children[t, 1])


@njit(
    ["int64(int64[:, ::1], int64[::1], float64[::1], float64, int64[::1], float64[::1], float64[::1], int64[::1])"],
    cache=True,
)
def weakest_links(children, parents, costs, rounding, steps, thresholds, path_costs, path_leaves):
    """Collapse the weakest links, step after step, until the root is alone; returns the number of trees.

    Fills ``steps`` with the step at which each node stops being an inner node (0 for the leaves of the full tree), and
    for each tree of the sequence its threshold (that of the full tree is left alone), cost and number of leaves.
    Links whose penalties differ by less than ``rounding`` of the node's own cost, for each leaf that they would save,
    are taken for equally weak.

    The penalty of a node only grows while others collapse below it.  So penalties may grow old in the heap: whoever
    comes up with an old one goes back with the new one.
    """
    branch, n_leaves = costs.copy(), np.ones(children.shape[0], np.int64)
    sum_branches(children, branch, n_leaves)
    for t in range(children.shape[0]):
        is_inner = n_leaves[t] > 1
        steps[t] = -1 if is_inner else 0
    heap = [((costs[t] - branch[t]) / (n_leaves[t] - 1), t) for t in range(children.shape[0]) if steps[t] < 0]
    heapq.heapify(heap)
    n_trees, last = 1, costs[0]
    path_costs[0], path_leaves[0] = branch[0], n_leaves[0]
    while len(heap) > 0:
        penalty, t = heapq.heappop(heap)
        if steps[t] >= 0:
            continue
        saved, rise = n_leaves[t] - 1, costs[t] - branch[t]
        if rise / saved > penalty:
            heapq.heappush(heap, (rise / saved, t))
            continue
        if n_trees == 1 or (penalty - last) * saved > rounding * abs(costs[t]):
            thresholds[n_trees] = last = penalty
            n_trees += 1
        mark_branch(children, steps, t, n_trees - 1)
        while t >= 0:
            branch[t] += rise
            n_leaves[t] -= saved
            t = parents[t]
        path_costs[n_trees - 1], path_leaves[n_trees - 1] = branch[0], n_leaves[0]
    return n_trees
