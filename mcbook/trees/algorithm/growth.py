"""A tree as flat arrays: how it is grown from sorted columns, and how examples go down it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from mcbook.foundation.checks import require_labels, require_one_of, require_same_length, require_weights, require_whole
from mcbook.foundation.threads import at_the_same_time, in_pieces
from mcbook.foundation.types import Array, ArrayLike, Booleans, Floats, Integers
from mcbook.trees.algorithm.columns import Columns, sort_columns, sorted_entries, to_write, writable
from mcbook.trees.kernels.descent import find_leaves
from mcbook.trees.kernels.growth import (
    BEGIN,
    DEPTH,
    DEPTH_FIRST,
    END,
    FEATURE,
    LARGEST_DECREASE,
    LARGEST_MEAN_DECREASE,
    LEFT,
    MASK,
    MISSING_LEFT,
    RIGHT,
    grow,
    thresholds_of,
)
from mcbook.trees.kernels.scores import ENTROPY, ERROR, GINI, ROOT, SQUARES

# Which impurity a split shall lower: "root" is 2 sqrt(p_0 p_1), of two classes.
Criterion: TypeAlias = Literal["gini", "entropy", "misclassification", "root"]
# Which leaf is split next: the last that was made; the one whose split lowers the total impurity |n| F(n) most; or the
# one whose split lowers the impurity F of its own examples most, whatever their number.
LeafOrder: TypeAlias = Literal["depth-first", "largest-decrease", "largest-mean-decrease"]

_CRITERIA = {"gini": GINI, "entropy": ENTROPY, "misclassification": ERROR, "root": ROOT, "squares": SQUARES}
_GROWTHS = {
    "depth-first": DEPTH_FIRST,
    "largest-decrease": LARGEST_DECREASE,
    "largest-mean-decrease": LARGEST_MEAN_DECREASE,
}
_UNLIMITED = 2**31 - 1
# Kernels get labels of 16 bits.
_MOST_CLASSES = 2**15
# The rules of the kernel in its order.
_RULES = ("criterion", "order", "max_depth", "min_split", "least", "max_leaves", "n_drawn")
# With so many entries a tree is begun, and the parts below its leaves, of which there are so many, grow in threads.
_WORTH_SHARING, _SHARES = 60_000, 8
# A tree on columns with so few ranks times classes is grown by tables, for which entries need no order.
_FEW_CELLS = 256
# The number of examples from which a thread is worth its cost.
_WORTH_A_THREAD = 4000


class Tree(NamedTuple):
    """A binary tree in arrays, one entry for each node; the root is node 0, and children stand after their parents.

    ``children (n_nodes, 2)``, left and right, -1 in leaves; ``feature (n_nodes,)``, -1 in leaves; an example goes left
    if its value is at most ``threshold`` (NaN in leaves and where a category is asked for), or if the bit of its
    category in ``categories`` is 1; one whose value is missing goes left if ``missing_left``.  ``value`` is the weight
    of each class ``(n_nodes, n_classes)``, or the mean of the targets ``(n_nodes, 1)``; ``impurity`` that of the node's
    examples, ``n_samples`` and ``weight`` their number and total weight, ``depth`` the questions before the node.

    >>> tree = grow_tree([[1.0], [2.0], [4.0]], [0, 0, 1])
    >>> tree.n_nodes, tree.n_leaves, tree.children.tolist(), tree.depth.tolist()
    (3, 2, [[1, 2], [-1, -1], [-1, -1]], [0, 1, 1])
    """

    children: Integers
    feature: Integers
    threshold: Floats
    categories: Integers
    missing_left: Booleans
    value: Floats
    impurity: Floats
    n_samples: Integers
    weight: Floats
    depth: Integers

    @property
    def n_nodes(self) -> int:
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        return int((self.feature < 0).sum())

    @property
    def is_leaf(self) -> Booleans:
        return np.asarray(self.feature < 0)


def grow_tree(
    X: ArrayLike,
    y: ArrayLike,
    n_classes: int | None = None,
    *,
    weight: ArrayLike | None = None,
    seed: int = 0,
    **rules: Any,
) -> Tree:
    """Grow a classification tree on ``X (n_samples, n_features)``, or on its `Columns`, and labels from 0.

    Every split has the question that lowers the impurity most, of equal ones that on the first feature with the
    smallest threshold; a threshold lies in the middle of two neighbouring values.  Examples of weight 0 are left out.
    ``rules`` are those of `tree_grower`.

    >>> tree = grow_tree([[1.0], [2.0], [4.0]], [0, 0, 1])
    >>> tree.threshold.tolist(), tree.value.tolist()
    ([3.0, nan, nan], [[2.0, 1.0], [2.0, 0.0], [0.0, 1.0]])
    """
    return tree_grower(X, y, n_classes, **rules)(weight, seed)


def tree_grower(
    X: ArrayLike,
    y: ArrayLike,
    n_classes: int | None = None,
    *,
    criterion: Criterion = "gini",
    growth: LeafOrder = "depth-first",
    max_depth: int | None = None,
    min_samples_split: int = 2,
    min_samples_leaf: int = 1,
    max_leaf_nodes: int | None = None,
    min_weight_fraction_leaf: float = 0.0,
    min_impurity_decrease: float = 0.0,
    max_features: int | None = None,
) -> Callable[[ArrayLike | None, int], Tree]:
    """The function that grows a tree from a weight for each example and a seed: for many trees on the same sample.

    A node with examples of two classes is split even where nothing is gained, unless ``min_impurity_decrease``, the
    least decrease as a share of the total weight, says otherwise.  A leaf keeps the share ``min_weight_fraction_leaf``
    of the weight.  With ``max_features``, the seed draws so many features for every node.

    >>> grow = tree_grower([[1.0], [2.0], [4.0]], [0, 0, 1])
    >>> [grow(weight, 0).threshold[0].item() for weight in ([1, 1, 1], [1, 0, 1])]
    [3.0, 2.5]
    """
    labels = require_labels(y, n_classes)
    size = max(int(labels.max()) + 1 if n_classes is None else n_classes, 2)
    if size > _MOST_CLASSES:
        raise ValueError(f"expected at most {_MOST_CLASSES} classes, got {size}: join rare ones into one class")
    require_one_of(criterion, Criterion, "criterion")
    if criterion == "root" and size > 2:
        raise ValueError(f"expected two classes for the criterion 'root', got {size}: take 'gini' or 'entropy'")
    rules = (max_depth, min_samples_split, min_samples_leaf, max_leaf_nodes, max_features)
    least = (min_impurity_decrease, min_weight_fraction_leaf)
    return _grower(X, labels.astype(np.int16), np.zeros(0), size, criterion, growth, rules, least)


def grow_regression_tree(
    X: ArrayLike,
    targets: ArrayLike,
    *,
    weight: ArrayLike | None = None,
    growth: LeafOrder = "depth-first",
    max_depth: int | None = None,
    min_samples_split: int = 2,
    min_samples_leaf: int = 1,
    max_leaf_nodes: int | None = None,
    min_weight_fraction_leaf: float = 0.0,
    min_impurity_decrease: float = 0.0,
    max_features: int | None = None,
    seed: int = 0,
) -> Tree:
    """The same for targets that are numbers, with the variance as impurity and the mean as value of a leaf.

    >>> grow_regression_tree([[1.0], [2.0], [4.0]], [0.0, 0.0, 6.0]).value.tolist()
    [[2.0], [0.0], [6.0]]
    """
    targets = to_write(targets, float)
    if targets.ndim != 1 or not np.isfinite(targets).all():
        raise ValueError(f"expected finite targets of shape (n_samples,), got shape {targets.shape} or NaN or infinity")
    # Sums of squares keep more digits about a number in their middle.
    middle = float(targets.mean())
    rules = (max_depth, min_samples_split, min_samples_leaf, max_leaf_nodes, max_features)
    no_columns = np.zeros(0, np.int16)
    least = (min_impurity_decrease, min_weight_fraction_leaf)
    tree = _grower(X, no_columns, targets - middle, 3, "squares", growth, rules, least)(weight, seed)
    return tree._replace(value=tree.value[:, 1:2] / tree.value[:, :1] + middle)


def leaves_of(tree: Tree, X: ArrayLike) -> Integers:
    """The leaf that each row of ``X`` reaches.

    >>> leaves_of(grow_tree([[1.0], [2.0], [4.0]], [0, 0, 1]), [[3.5], [-1.0]]).tolist()
    [2, 1]
    """
    X = np.require(X, dtype=float, requirements=["C", "W"])
    if X.ndim != 2 or X.shape[1] <= tree.feature.max():
        raise ValueError(f"expected X with the features that the tree was grown on, got shape {X.shape}")
    leaves = np.empty(len(X), np.int64)
    # An array from a file may be read only, for which the kernel is not compiled.
    arrays = [
        np.require(array, requirements=["C", "W"])
        for array in (tree.children, tree.feature, tree.threshold, tree.categories, tree.missing_left)
    ]
    in_pieces(lambda begin, end: find_leaves(X, *arrays, begin, end, leaves), len(X), _WORTH_A_THREAD)
    return leaves


def _grower(
    X: ArrayLike,
    labels: Array,
    targets: Floats,
    size: int,
    criterion: str,
    growth: LeafOrder,
    rules: tuple[int | None, ...],
    least: tuple[float, float],
) -> Callable[[ArrayLike | None, int], Tree]:
    """All that does not depend on the weights is checked and made ready here, once."""
    columns = writable(X) if isinstance(X, Columns) else sort_columns(X)
    require_same_length(X=columns.ranks[0], y=labels if len(labels) else targets)
    names = ("max_depth", "min_samples_split", "min_samples_leaf", "max_leaf_nodes", "max_features")
    most = (_UNLIMITED, 2, 1, _UNLIMITED, columns.n_features)
    whole = [
        default if given is None else require_whole(given, name, at_least=1)
        for name, given, default in zip(names, rules, most, strict=True)
    ]
    drawing = whole[4] < columns.n_features
    order = _GROWTHS[require_one_of(growth, LeafOrder, "growth")]
    may_count = criterion == "gini" and whole[2] == 1 and not least[1]
    n_ranks = _ranks_of_a_table(columns, 1 if drawing else size) if may_count else 0
    settings = (_CRITERIA[criterion], order, *whole)
    return partial(_grow, columns, n_ranks, drawing, labels, targets, size, settings, least)


def _grow(
    columns: Columns,
    n_ranks: int,
    drawing: bool,
    labels: Array,
    targets: Floats,
    size: int,
    settings: tuple[int, ...],
    least: tuple[float, float],
    weight: ArrayLike | None,
    seed: int,
) -> Tree:
    weights = to_write(require_weights(weight, columns.n_samples))
    examples = np.flatnonzero(weights > 0)
    # Sums of whole numbers are exact, so that a table finds the very cuts that a scan finds.
    n_ranks = n_ranks if n_ranks and (weights == np.floor(weights)).all() else 0
    tabled = n_ranks > 0 and not drawing
    kept = np.empty((0, 0), np.int64) if drawing or tabled else sorted_entries(columns, examples)
    cells = columns.cells if tabled else np.empty((0, 0), np.uint32)
    weights = np.zeros(0) if (weights == 1).all() else weights
    total = float(weights.sum() if len(weights) else len(examples))
    data = (labels, targets, weights)
    task = _Task(columns, cells, n_ranks, data, size, settings, least[0] * total, least[1] * total, seed)
    rules = dict(zip(_RULES, settings, strict=True))
    in_any_order = rules["order"] == DEPTH_FIRST and rules["max_leaves"] == _UNLIMITED
    shared = in_any_order and kept.size >= _WORTH_SHARING
    nodes, value, impurity = _grow_in_threads(task, kept, examples) if shared else task.grow(kept, examples)
    return Tree(
        nodes[:, [LEFT, RIGHT]],
        nodes[:, FEATURE].copy(),
        thresholds_of(nodes, columns.n_values, columns.low, columns.high),
        nodes[:, MASK].copy(),
        nodes[:, MISSING_LEFT] > 0,
        value,
        impurity,
        nodes[:, END] - nodes[:, BEGIN],
        np.asarray(value[:, 0] if rules["criterion"] == SQUARES else value.sum(axis=1)),
        nodes[:, DEPTH].copy(),
    )


def _ranks_of_a_table(columns: Columns, size: int) -> int:
    """The ranks of a table of columns, or 0 where there are too many, or a table does not do for them."""
    n_ranks = int(columns.n_values.max())
    return n_ranks if n_ranks * size <= _FEW_CELLS and columns.only_numbers else 0


class _Task(NamedTuple):
    """What the growth of a tree and of its parts have in common; ``least_decrease`` and ``least_weight`` as weights."""

    columns: Columns
    cells: Array
    n_ranks: int
    data: tuple[Array, Floats, Floats]
    size: int
    settings: tuple[int, ...]
    least_decrease: float
    least_weight: float
    seed: int

    def grow(self, kept: Integers, examples: Integers, **changed: int) -> tuple[Integers, Floats, Floats]:
        """The records of the nodes, their contents and impurities; ``changed`` replaces rules."""
        rules = dict(zip(_RULES, self.settings, strict=True)) | changed
        weights = self.data[2]
        least = self.least_decrease
        if least:
            least /= float(weights[examples].sum()) if len(weights) else float(len(examples))
        columns = self.columns
        found: tuple[Integers, Floats, Floats] = grow(
            kept,
            self.cells,
            self.n_ranks,
            columns.ranks,
            examples,
            columns.n_values,
            columns.categorical,
            self.data,
            self.size,
            tuple(rules.values()),
            least,
            self.least_weight,
            np.uint64(self.seed),
        )
        return found


def _grow_in_threads(task: _Task, kept: Integers, examples: Integers) -> tuple[Integers, Floats, Floats]:
    """Begin the tree, grow what its leaves still lack at the same time, and put the parts together.

    The cuts do not depend on how many threads there are, so neither does the numbering of the nodes.
    """
    nodes, value, impurity = task.grow(kept, examples, order=LARGEST_DECREASE, max_leaves=_SHARES)
    max_depth = dict(zip(_RULES, task.settings, strict=True))["max_depth"]
    is_open = (nodes[:, FEATURE] < 0) & (impurity > 0) & (nodes[:, DEPTH] < max_depth)
    leaves = sorted(np.flatnonzero(is_open).tolist(), key=lambda leaf: nodes[leaf, BEGIN] - nodes[leaf, END])

    def part(leaf: int) -> tuple[Integers, Floats, Floats]:
        begin, end, depth = nodes[leaf, [BEGIN, END, DEPTH]].tolist()
        own = np.ascontiguousarray(kept[:, begin:end])
        return task.grow(own, examples[begin:end].copy(), max_depth=max_depth - depth)

    grown = at_the_same_time([partial(part, leaf) for leaf in leaves])
    place = len(nodes)
    for leaf, (below, contents, impurities) in zip(leaves, grown, strict=True):
        # The part's root is the leaf itself, and its other nodes come after all that there are.
        below[:, [LEFT, RIGHT]] += np.where(below[:, [LEFT]] < 0, 0, place - 1)
        below[:, [BEGIN, END, DEPTH]] += nodes[leaf, [BEGIN, BEGIN, DEPTH]]
        nodes[leaf], value[leaf], impurity[leaf] = below[0], contents[0], impurities[0]
        place += len(below) - 1
    return (
        np.concatenate([nodes, *(part[0][1:] for part in grown)]),
        np.concatenate([value, *(part[1][1:] for part in grown)]),
        np.concatenate([impurity, *(part[2][1:] for part in grown)]),
    )
