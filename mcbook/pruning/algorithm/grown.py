"""Grown trees: what their nodes cost, what is left of them when they are pruned, and their folds."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from mcbook.foundation.checks import require_labels, require_matrix, require_weights
from mcbook.foundation.threads import in_pieces
from mcbook.foundation.types import ArrayLike, Floats, Integers, Labels
from mcbook.pruning.algorithm.costs import costs_of_nodes
from mcbook.pruning.algorithm.validation import (
    CrossValidation,
    cross_validation,
    errors_along_path,
    errors_of_nodes,
    held_out_counts,
)
from mcbook.trees import grow_tree, leaves_of
from mcbook.trees.algorithm.columns import Columns, sort_columns
from mcbook.trees.algorithm.growth import Tree
from mcbook.trees.algorithm.weakest_links import CostedTree, PruningPath, prune_tree
from mcbook.trees.algorithm.weakest_links import cost_complexity_path as cost_complexity_path


def tree_costs(tree: Tree, impurity: str = "misclassification") -> CostedTree:
    """|n| F(n) at each node of a classification tree, |n| being the weight of its examples.

    >>> tree_costs(grow_tree([[1.0], [2.0], [4.0]], [0, 0, 1])).costs.tolist()
    [1.0, 0.0, 0.0]
    """
    return CostedTree(tree.children, costs_of_nodes(tree.value, impurity))


class ValidatedPath(NamedTuple):
    """A tree grown from all examples, its path, and the errors of its folds as a function of the penalty per example.

    >>> X, y, halves = np.arange(4.0)[:, None], np.array([0, 0, 1, 1]), (np.array([0, 2]), np.array([1, 3]))
    >>> found = validated_path(X, y, 2, [halves, halves[::-1]])
    >>> found.tree.n_leaves, found.pruned_at(0.1).n_leaves, found.pruned_at(0.5).n_leaves
    (2, 2, 1)
    """

    tree: Tree
    path: PruningPath
    validation: CrossValidation

    def pruned_at(self, penalty: float) -> Tree:
        """The smallest best pruning at this penalty, which is for one example."""
        place = self.path.place_of(penalty * self.tree.weight[0])
        return prune_tree(self.tree, self.path.leaves_of(place))


def validated_path(
    X: ArrayLike,
    y: ArrayLike,
    n_classes: int,
    folds: Iterable[tuple[Integers, Integers]],
    *,
    weight: ArrayLike | None = None,
    impurity: str = "misclassification",
    **growth: Any,
) -> ValidatedPath:
    """Grow a tree from all examples and one without each fold, and find the held-out errors at every penalty.

    The columns of ``X (n_samples, n_features)`` are sorted once for all trees, which share the cores.  ``folds`` are
    pairs of indices, those to grow from and those held out.  ``growth`` are the arguments of `mcbook.trees.grow_tree`.
    The errors are weighted as the examples are.

    >>> X, y, halves = np.arange(4.0)[:, None], np.array([0, 0, 1, 1]), (np.array([0, 2]), np.array([1, 3]))
    >>> found = validated_path(X, y, 2, [halves, halves[::-1]])
    >>> found.validation.thresholds.tolist(), found.validation.errors.tolist()
    ([0.5], [1.0, 2.0])
    """
    X = require_matrix(X, finite=False)
    labels, weights = require_labels(y, n_classes), require_weights(weight, len(X))
    sample = _Sample(X, sort_columns(X), labels, n_classes, weights, impurity, growth)
    tree, path = sample.grown(weights)
    pairs = list(folds)
    pieces = in_pieces(lambda begin, end: [sample.held_out(*fold) for fold in pairs[begin:end]], len(pairs))
    found = list(itertools.chain.from_iterable(pieces))
    n_held_out = sum(float(weights[held_out].sum()) for _, held_out in pairs)
    return ValidatedPath(tree, path, cross_validation(found, n_held_out))


class _Sample(NamedTuple):
    """What the trees of all folds share."""

    X: Floats
    columns: Columns
    y: Labels
    n_classes: int
    weights: Floats
    impurity: str
    growth: dict[str, Any]

    def grown(self, weights: Floats) -> tuple[Tree, PruningPath]:
        tree = grow_tree(self.columns, self.y, self.n_classes, weight=weights, **self.growth)
        return tree, cost_complexity_path(tree_costs(tree, self.impurity))

    def held_out(self, inside: Integers, outside: Integers) -> tuple[Floats, Floats]:
        """The thresholds per example of the tree grown from the examples inside, and its errors on those outside."""
        weights = np.zeros_like(self.weights)
        weights[inside] = self.weights[inside]
        tree, path = self.grown(weights)
        leaves = leaves_of(tree, self.X[outside])
        counts = held_out_counts(tree.children, leaves, self.y[outside], self.n_classes, self.weights[outside])
        errors = errors_along_path(path, errors_of_nodes(counts, tree.value.argmax(axis=1)))
        return path.thresholds / tree.weight[0], errors
