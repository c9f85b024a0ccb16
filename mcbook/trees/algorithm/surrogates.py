"""Surrogate questions: who answers when the feature that a node asks about is missing.

Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)``, an example ``x (n_features,)``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mcbook.foundation.types import Floats, Integers, Labels
from mcbook.trees.algorithm.growth import Tree, grow_tree, leaves_of


class Surrogate(NamedTuple):
    """x_j <= threshold, turned around if ``flipped``, says on ``n_agree`` examples what the node's question says.

    >>> Surrogate(feature=1, threshold=7.0, flipped=True, n_agree=4).flipped  # x_1 > 7 goes to the left
    True
    """

    feature: int
    threshold: float
    flipped: bool
    n_agree: int


class SurrogateTree(NamedTuple):
    """A tree with thresholds, the surrogates of each node, the best first, and where examples go that none decides.

    >>> X = np.array([[0.0, 6.0], [1.0, 5.0], [2.0, 5.0], [3.0, 6.0], [4.0, 5.0]])  # no question on x_1 does better
    >>> model = with_surrogates(X, np.array([0, 0, 1, 1, 1]), 2)
    >>> model.surrogates[0], model.default_left[0]
    ([], False)
    """

    tree: Tree
    surrogates: list[list[Surrogate]]
    default_left: list[bool]


def with_surrogates(X: Floats, y: Labels, n_classes: int, max_depth: int | None = None) -> SurrogateTree:
    """Grow a tree on complete examples and give every node the surrogates that beat going with the majority.

    Source: Mohri et al. (2018), section 9.3.3.

    >>> X = np.array([[0.0, 5.0], [1.0, 6.0], [2.0, 9.0], [3.0, 8.0]])
    >>> model = with_surrogates(X, np.array([0, 0, 1, 1]), 2)
    >>> model.surrogates[0]
    [Surrogate(feature=1, threshold=7.0, flipped=False, n_agree=4)]
    >>> label_of(model, np.array([np.nan, 8.5])), label_of(model, np.array([np.nan, np.nan]))
    (1, 0)
    """
    tree = grow_tree(X, y, n_classes, max_depth=max_depth)
    surrogates: list[list[Surrogate]] = []
    default_left: list[bool] = []
    inside = _members(tree, X)
    for node in range(tree.n_nodes):
        found: list[Surrogate] = []
        goes_left = np.zeros(0, bool)
        if tree.feature[node] >= 0:
            here = X[inside[node]]
            goes_left = here[:, tree.feature[node]] <= tree.threshold[node]
            found = [
                best
                for j in range(X.shape[1])
                if j != tree.feature[node] and (best := _best_surrogate(here[:, j], goes_left, j)) is not None
            ]
        surrogates.append(sorted(found, key=lambda one: -one.n_agree))
        default_left.append(bool(2 * goes_left.sum() >= len(goes_left)))
    return SurrogateTree(tree, surrogates, default_left)


def label_of(model: SurrogateTree, x: Floats) -> int:
    """The label of an example, any of whose features may be missing (NaN).

    Source: Mohri et al. (2018), section 9.3.3.

    >>> model = with_surrogates(np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 1]), 2)
    >>> label_of(model, np.array([0.25])), label_of(model, np.array([np.nan]))
    (0, 1)
    """
    tree, node = model.tree, 0
    while tree.feature[node] >= 0:
        node = int(tree.children[node, 0 if _goes_left(model, node, x) else 1])
    return int(tree.value[node].argmax())


def _goes_left(model: SurrogateTree, node: int, x: Floats) -> bool:
    tree = model.tree
    if not np.isnan(x[tree.feature[node]]):
        return bool(x[tree.feature[node]] <= tree.threshold[node])
    for surrogate in model.surrogates[node]:
        if not np.isnan(x[surrogate.feature]):
            return bool((x[surrogate.feature] <= surrogate.threshold) != surrogate.flipped)
    return model.default_left[node]


def _best_surrogate(column: Floats, goes_left: np.ndarray, j: int) -> Surrogate | None:
    """The question on a column that agrees with most examples, if it beats the larger side."""
    values = np.unique(column)
    best, n_agree = None, max(int(goes_left.sum()), int((~goes_left).sum()))
    for threshold in (values[:-1] + values[1:]) / 2:
        agree = int(((column <= threshold) == goes_left).sum())
        flipped = 2 * agree < len(column)
        if max(agree, len(column) - agree) > n_agree:
            n_agree = max(agree, len(column) - agree)
            best = Surrogate(j, float(threshold), flipped, n_agree)
    return best


def _members(tree: Tree, X: Floats) -> list[Integers]:
    """The examples of every node."""
    leaves = leaves_of(tree, X)
    inside = [np.flatnonzero(leaves == node) for node in range(tree.n_nodes)]
    for node in range(tree.n_nodes - 1, -1, -1):
        if tree.feature[node] >= 0:
            left, right = tree.children[node]
            inside[node] = np.sort(np.concatenate([inside[left], inside[right]]))
    return inside
