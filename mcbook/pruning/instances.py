"""The trees on which pruning is tried and shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from mcbook.foundation.checks import require_whole
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.types import Array, Floats, Integers
from mcbook.pruning.algorithm.costs import costs_of_nodes
from mcbook.trees.algorithm.weakest_links import CostedTree, costed_tree

# A tree in words: None is a leaf, a pair an inner node with its two branches.
Shape: TypeAlias = "tuple[Shape, Shape] | None"


class CountedTree(NamedTuple):
    """A tree, its ``children (n_nodes, 2)`` and the class counts of its nodes, ``counts (n_nodes, n_classes)``.

    >>> tree = with_leaf_counts((None, None), [[3, 1], [0, 2]])
    >>> tree.counts.tolist(), tree.costed().costs.tolist()
    ([[3, 3], [3, 1], [0, 2]], [3, 1, 0])
    """

    children: Integers
    counts: Array

    def costed(self, impurity: str = "misclassification") -> CostedTree:
        """|n| F(n) at each node, exact: for misclassification the errors of the majority label."""
        return costed_tree(self.children, costs_of_nodes(self.counts, impurity))


def all_shapes(n_leaves: int) -> Iterator[Shape]:
    """Every binary tree with so many leaves: 1, 1, 2, 5, 14, 42, ... of them.

    >>> [len(list(all_shapes(n))) for n in range(1, 7)]
    [1, 1, 2, 5, 14, 42]
    """
    if require_whole(n_leaves, "n_leaves", at_least=1) == 1:
        yield None
    for first in range(1, n_leaves):
        for one in all_shapes(first):
            for two in all_shapes(n_leaves - first):
                yield one, two


def random_shape(rng: np.random.Generator, n_leaves: int) -> Shape:
    """A tree with so many leaves; at each node, any division of them is equally likely."""
    if n_leaves == 1:
        return None
    first = int(rng.integers(1, n_leaves))
    return random_shape(rng, first), random_shape(rng, n_leaves - first)


def with_leaf_counts(shape: Shape, leaf_counts: Sequence[Sequence[int]]) -> CountedTree:
    """The tree of this shape whose leaves, from left to right, hold these counts of the classes.

    >>> with_leaf_counts(((None, None), None), [[3, 0], [0, 1], [1, 2]]).costed().costs.tolist()
    [3, 1, 0, 0, 1]
    """
    children: list[list[int]] = []
    counts: list[Any] = []
    leaves = iter(leaf_counts)

    def grow(branch: Shape) -> int:
        t = len(children)
        children.append([-1, -1])
        counts.append(None)
        if branch is None:
            counts[t] = as_integers(next(leaves))
        else:
            children[t] = [grow(part) for part in branch]
            counts[t] = sum(counts[child] for child in children[t])
        return t

    grow(shape)
    return CountedTree(np.array(children), np.array(counts))


def random_counted_tree(rng: np.random.Generator, n_leaves: int, n_classes: int = 3, largest: int = 5) -> CountedTree:
    """A random shape with random class counts in its leaves, each leaf with at least one example.

    >>> tree = random_counted_tree(np.random.default_rng(0), n_leaves=4)
    >>> tree.counts.shape, (tree.counts[0] == tree.counts[tree.children[:, 0] < 0].sum(axis=0)).all()
    ((7, 3), np.True_)
    """
    counts = rng.integers(0, largest + 1, (n_leaves, n_classes))
    counts[np.arange(n_leaves), rng.integers(0, n_classes, n_leaves)] += 1
    return with_leaf_counts(random_shape(rng, n_leaves), counts.tolist())


def random_costed_tree(rng: np.random.Generator, n_leaves: int, largest: int = 12) -> CostedTree:
    """A random shape with any whole costs at its nodes: no sample need have them.

    >>> tree = random_costed_tree(np.random.default_rng(0), n_leaves=4)
    >>> tree.n_leaves, tree.n_nodes
    (4, 7)
    """
    shaped = with_leaf_counts(random_shape(rng, n_leaves), [[1]] * n_leaves)
    return costed_tree(shaped.children, rng.integers(0, largest + 1, 2 * n_leaves - 1))


def worked_tree() -> CountedTree:
    """Six leaves, 39 examples of two classes: small enough to prune by hand.

    >>> tree = worked_tree()
    >>> tree.counts[0].tolist(), tree.costed().n_leaves
    ([21, 18], 6)
    """
    leaves = [[16, 0], [0, 5], [0, 1], [0, 12], [1, 0], [4, 0]]
    return with_leaf_counts((((None, None), None), ((None, None), None)), leaves)


def two_equal_links() -> CostedTree:
    """Four leaves under two links that are equally weak: a collapse of either costs 1.

    >>> from mcbook.pruning import cost_complexity_path
    >>> cost_complexity_path(two_equal_links()).n_leaves.tolist()  # both collapse at once
    [4, 2, 1]
    """
    shaped = with_leaf_counts(((None, None), (None, None)), [[1]] * 4)
    return costed_tree(shaped.children, [8, 1, 0, 0, 1, 0, 0])


def coprime_steps(s: int) -> list[tuple[int, int]]:
    """All pairs of coprime numbers (a, b) with a + b <= s, which is a set of steps that leaves nothing to gain.

    >>> coprime_steps(4)
    [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1)]
    """
    return [(a, total - a) for total in range(2, s + 1) for a in range(1, total) if math.gcd(a, total - a) == 1]


def chain_of_links(steps: Sequence[tuple[int, int]]) -> CountedTree:
    """A tree whose weakest links give up a leaves for b errors, for one (a, b) of the steps after the other.

    Every inner node has a leaf on its left, so the tree is a chain.  The deepest leaf holds most examples, all of one
    class; those of the other leaves are of classes of their own, so each is an error where it is not alone.  From the
    deepest leaf upwards there are a leaves with b such examples for each step, the smallest penalty b / a first.

    >>> from mcbook.pruning import cost_complexity_path
    >>> cost_complexity_path(chain_of_links([(1, 2), (2, 1)]).costed()).thresholds.tolist()
    [Fraction(1, 2), Fraction(2, 1)]
    """
    sizes: list[int] = []
    for a, b in sorted(steps, key=lambda step: Fraction(step[1], step[0])):
        # The larger ones deeper, so that the step is taken as a whole.
        sizes += [b // a + (i < b % a) for i in range(a)]
    sizes.reverse()
    n_inner, most = len(sizes), max(sizes, default=0) + 1
    counts = np.zeros((2 * n_inner + 1, n_inner + 1), dtype=object)
    counts[-1, -1] = most
    for i, size in enumerate(sizes):
        # A leaf without errors holds an example of the common class.
        counts[2 * i + 1, i if size else -1] = size or 1
    for i in reversed(range(n_inner)):
        counts[2 * i] = counts[2 * i + 1] + counts[2 * i + 2]
    children = np.full((2 * n_inner + 1, 2), -1)
    children[:-1:2] = np.arange(1, 2 * n_inner + 1).reshape(-1, 2)
    return CountedTree(children, counts)


def between_the_means(r: int) -> tuple[Array, Integers, list[tuple[Integers, Integers]]]:
    """3 r + 2 points on a line and three folds: the best penalties lie where no geometric mean of the thresholds is.

    The labels are 0 1, and then 0 1 1 again and again; every third point is in the same fold.

    >>> between_the_means(1)[1].tolist()
    [0, 1, 0, 1, 1]
    """
    r = require_whole(r, "r", at_least=1)
    y = np.array([0, 1] + [0, 1, 1] * r)
    places = np.arange(len(y))
    folds = [(places[places % 3 != f], places[places % 3 == f]) for f in range(3)]
    return places[:, None].astype(float), y, folds


def noisy_room(rng: np.random.Generator, n_samples: int, noise: float) -> tuple[Floats, Integers]:
    """Points of the unit square: class 1 inside a room, class 0 outside, and a share of labels turned around.

    >>> X, y = noisy_room(np.random.default_rng(0), 40, noise=0.0)
    >>> bool((y == ((abs(X[:, 0] - 0.5) < 0.25) & (abs(X[:, 1] - 0.45) < 0.25))).all())
    True
    """
    X = rng.random((n_samples, 2))
    inside = (X[:, 0] > 0.25) & (X[:, 0] < 0.75) & (X[:, 1] > 0.2) & (X[:, 1] < 0.7)
    return X, (inside != (rng.random(n_samples) < noise)).astype(np.int64)
