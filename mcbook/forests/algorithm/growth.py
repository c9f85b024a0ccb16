"""A forest: trees of the compiled core on bootstrap counts, with features drawn for every split or for every tree."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from mcbook.forests.algorithm.bootstrap import bootstrap_counts
from mcbook.foundation.checks import require_at_most, require_labels, require_one_of, require_weights, require_whole
from mcbook.foundation.threads import at_the_same_time
from mcbook.foundation.types import Array, ArrayLike, Floats, Labels
from mcbook.trees import grow_tree, leaves_of
from mcbook.trees.algorithm.columns import Columns, sort_columns
from mcbook.trees.algorithm.growth import Tree, tree_grower

# For which the features are drawn anew.
Draw: TypeAlias = Literal["split", "tree"]
# The number of parts into which a thread divides its share of the trees: to hand over single trees costs too much.
_SHARES = 16


class GrownForest(NamedTuple):
    """Trees, and how often each had each example, ``counts (n_trees, n_samples)``.

    >>> forest = grow_forest([[1.0], [4.0]], [0, 1], n_trees=3, bootstrap=False)
    >>> len(forest.trees), forest.counts.tolist(), forest.n_classes
    (3, [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]], 2)
    """

    trees: tuple[Tree, ...]
    counts: Array
    n_classes: int


def grow_forest(
    X: ArrayLike,
    y: ArrayLike,
    n_classes: int | None = None,
    *,
    n_trees: int = 100,
    max_features: int | None = None,
    draw: Draw = "split",
    bootstrap: bool = True,
    weight: ArrayLike | None = None,
    categorical: ArrayLike | None = None,
    seed: int = 0,
    n_jobs: int | None = 1,
    on_tree: Callable[[], None] = lambda: None,
    **rules: Any,
) -> GrownForest:
    """Grow ``n_trees`` trees, each on its own bootstrap sample, with ``max_features`` drawn for every split or tree.

    The draws of a bootstrap are in proportion to ``weight``, as many as there are examples with a weight; ``rules``
    are those of `grow_tree`.  The columns are sorted once for all trees.  ``on_tree`` is called once for each grown
    tree.

    Source: Lecture 13, section 1.3; Roth (2018), slide on random forests.

    >>> forest = grow_forest([[1.0], [2.0], [4.0], [5.0]], [0, 0, 1, 1], n_trees=5)
    >>> forest.counts.sum(axis=1).tolist()
    [4.0, 4.0, 4.0, 4.0, 4.0]
    """
    X = np.ascontiguousarray(X, dtype=float)
    require_one_of(draw, Draw, "draw")
    columns, labels = sort_columns(X, categorical=categorical), require_labels(y, n_classes)
    k = max(int(labels.max()) + 1 if n_classes is None else n_classes, 2)
    n_drawn = columns.n_features if max_features is None else require_whole(max_features, "max_features", at_least=1)
    require_at_most(n_drawn, columns.n_features, "max_features", "no more features can be drawn than there are")
    weights, rng = require_weights(weight, len(labels)), np.random.default_rng(seed)
    shape = (require_whole(n_trees, "n_trees", at_least=1), len(labels))
    counts = bootstrap_counts(X, labels, weights, rng, n_trees) if bootstrap else np.broadcast_to(weights, shape)
    seeds = rng.integers(0, 2**31, n_trees).tolist()
    if draw == "split" or n_drawn == columns.n_features:
        grow = tree_grower(columns, labels, k, max_features=n_drawn, **rules)
    else:
        grow = partial(_grow_on_drawn, columns, labels, k, n_drawn, rules)
    return GrownForest(_grow_all(grow, counts, seeds, n_jobs, on_tree), counts, k)


def _grow_all(
    grow: Callable[[Floats, int], Tree],
    counts: Array,
    seeds: list[int],
    n_jobs: int | None,
    on_tree: Callable[[], None],
) -> tuple[Tree, ...]:
    """All trees, grown by threads that take several of them at a time."""
    step = 1 if n_jobs is None or n_jobs == 1 else max(1, len(seeds) // (_SHARES * n_jobs))
    parts = [slice(begin, begin + step) for begin in range(0, len(seeds), step)]
    sizes = iter([len(seeds[part]) for part in parts])

    def grow_some(part: slice) -> list[Tree]:
        return [grow(count, seed) for count, seed in zip(counts[part], seeds[part], strict=True)]

    def on_part() -> None:
        for _ in range(next(sizes)):
            on_tree()

    grown = at_the_same_time([partial(grow_some, part) for part in parts], n_jobs, on_part)
    return tuple(itertools.chain.from_iterable(grown))


def _grow_on_drawn(
    columns: Columns, y: Labels, k: int, n_drawn: int, rules: dict[str, Any], weight: Floats, seed: int
) -> Tree:
    chosen = np.sort(np.random.default_rng(seed).permutation(columns.n_features)[:n_drawn])
    ranks, n_values, low, high, categorical = columns
    own = Columns(ranks[chosen], n_values[chosen], low[chosen], high[chosen], categorical[chosen])
    tree = grow_tree(own, y, k, weight=weight, **rules)
    # In the tree features are counted among those chosen.
    return tree._replace(feature=np.where(tree.feature < 0, -1, chosen[tree.feature]))


def tree_labels(forest: GrownForest, X: ArrayLike) -> Labels:
    """The label that each tree gives to each example, ``(n_trees, n_samples)``; of equal shares the first.

    Source: Lecture 13, section 1.3.

    >>> tree_labels(grow_forest([[1.0], [4.0]], [0, 1], n_trees=3, bootstrap=False), [[0.0], [9.0]]).tolist()
    [[0, 1], [0, 1], [0, 1]]
    """
    return np.array([tree.value.argmax(axis=1)[leaves_of(tree, X)] for tree in forest.trees])


def label_votes(labels: Labels, n_classes: int) -> Array:
    """How many of the trees' labels ``(n_trees, n_samples)`` are each class, ``(n_samples, n_classes)``.

    Source: Lecture 13, section 1.3.

    >>> label_votes(np.array([[0, 1], [1, 1], [1, 1]]), 2).tolist()
    [[1.0, 2.0], [0.0, 3.0]]
    """
    return np.asarray((labels[:, :, None] == np.arange(n_classes)).sum(axis=0), dtype=float)


def out_of_bag_votes(forest: GrownForest, X: ArrayLike) -> Array:
    """For each example of the sample the votes of the trees that did not have it, ``(n_samples, n_classes)``.

    Source: Lecture 13, section 1.3.

    >>> X = [[1.0], [2.0], [4.0], [5.0]]
    >>> forest = grow_forest(X, [0, 0, 1, 1], n_trees=5)
    >>> (out_of_bag_votes(forest, X).sum(axis=1) == (forest.counts == 0).sum(axis=0)).all()  # a vote of each
    np.True_
    """
    votes = np.zeros((forest.counts.shape[1], forest.n_classes))
    for labels, count in zip(tree_labels(forest, X), forest.counts, strict=True):
        outside = np.flatnonzero(count == 0)
        np.add.at(votes, (outside, labels[outside]), 1)
    return votes


def mean_vote_correlation(labels: Labels, y: Labels) -> float:
    """The correlation of being right, averaged over the pairs of trees of which each is sometimes right and wrong.

    Source: Lecture 13, section 1.3; Roth (2018), slide on random forests.

    >>> mean_vote_correlation(np.array([[0, 1, 1], [0, 1, 1]]), np.array([0, 0, 1]))
    1.0
    """
    right = np.asarray(labels == y, dtype=float)
    centred = right - right.mean(axis=1, keepdims=True)
    lengths = np.sqrt((centred**2).sum(axis=1))
    n = int((lengths > 0).sum())
    if n < 2:
        raise ValueError("expected two trees that are right on some examples and wrong on others: take more examples")
    unit = centred[lengths > 0] / lengths[lengths > 0, None]
    table = unit @ unit.T
    return float((table.sum() - np.trace(table)) / (n * (n - 1)))
