"""Preferences between labels as data, and Kesler's vectors, which turn each of them into one positive example.

Shapes: ``X (n_samples, n_features)``, ``W (n_classes, n_features)``, labels 0 .. n_classes - 1.  All functions of X and
W take floats as well as exact numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mcbook.foundation.checks import require_classes, require_labels, require_same_length, require_whole
from mcbook.foundation.types import Array, ArrayLike, Booleans, Integers, Labels

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Constraints:
    """Preference pairs of the examples of a sample: at ``examples[p]``, ``preferred[p]`` shall outscore ``rivals[p]``.

    The pairs of an example stand together, in the order given.  Made by `constraints_from_classes`,
    `constraints_from_label_sets`, `constraints_from_rankings` and `constraints_from_orders`.

    >>> pairs = Constraints([1, 0, 0], [2, 0, 0], [0, 1, 2], n_samples=2, n_classes=3)
    >>> pairs.examples.tolist(), pairs.preferred.tolist(), pairs.of(0)
    ([0, 0, 1], [0, 0, 2], [(0, 1), (0, 2)])
    """

    examples: Integers
    preferred: Labels
    rivals: Labels
    n_samples: int
    n_classes: int

    def __post_init__(self) -> None:
        require_classes(self.n_classes)
        require_whole(self.n_samples, "n_samples", at_least=1)
        examples = require_labels(self.examples, self.n_samples, "examples")
        preferred = require_labels(self.preferred, self.n_classes, "preferred")
        rivals = require_labels(self.rivals, self.n_classes, "rivals")
        require_same_length(examples=examples, preferred=preferred, rivals=rivals)
        if (preferred == rivals).any():
            where = int(np.flatnonzero(preferred == rivals)[0])
            raise ValueError(f"expected two labels in each pair, got ({preferred[where]}, {rivals[where]}): drop it")
        order = np.argsort(examples, kind="stable")
        for name, values in (("examples", examples), ("preferred", preferred), ("rivals", rivals)):
            object.__setattr__(self, name, np.ascontiguousarray(values[order]))

    def __len__(self) -> int:
        return len(self.examples)

    @cached_property
    def starts(self) -> Integers:
        """Where the pairs of each example begin, and at last where they end, shape (n_samples + 1,)."""
        return np.searchsorted(self.examples, np.arange(self.n_samples + 1))

    def of(self, example: int) -> list[Pair]:
        """The pairs (preferred, rival) of one example."""
        here = slice(self.starts[example], self.starts[example + 1])
        return list(zip(self.preferred[here].tolist(), self.rivals[here].tolist(), strict=True))

    def __repr__(self) -> str:
        return f"<{len(self)} constraints on {self.n_samples} examples and {self.n_classes} labels>"


def constraints_from_classes(y: ArrayLike, n_classes: int) -> Constraints:
    """The label before each other one: n_classes - 1 pairs for an example, in the order of `kesler_vectors`.

    Source: Roth (2018), slides on constraint classification.

    >>> constraints_from_classes([1], 3).of(0)
    [(1, 0), (1, 2)]
    """
    labels = require_labels(y, require_classes(n_classes))
    examples, rivals = np.nonzero(np.arange(n_classes) != labels[:, None])
    return Constraints(examples, labels[examples], rivals, len(labels), n_classes)


def constraints_from_label_sets(Y: ArrayLike) -> Constraints:
    """Each label of the set before each one outside: |A| (k - |A|) pairs for a set A, an indicator row of ``Y``.

    Source: Roth (2018), slides on constraint classification.

    >>> constraints_from_label_sets([[1, 0, 1, 0]]).of(0)
    [(0, 1), (0, 3), (2, 1), (2, 3)]
    """
    inside = require_label_sets(Y)
    examples, preferred, rivals = np.nonzero(inside[:, :, None] & ~inside[:, None, :])
    return Constraints(examples, preferred, rivals, *inside.shape)


def constraints_from_rankings(rankings: ArrayLike) -> Constraints:
    """Each label before the next: k - 1 pairs for a row of labels from best to worst.

    Source: Roth (2018), slides on constraint classification.

    >>> constraints_from_rankings([[2, 0, 1]]).of(0)
    [(2, 0), (0, 1)]
    """
    table = require_rankings(rankings)
    n_samples, n_classes = table.shape
    examples = np.repeat(np.arange(n_samples), n_classes - 1)
    return Constraints(examples, table[:, :-1].ravel(), table[:, 1:].ravel(), n_samples, n_classes)


def constraints_from_orders(orders: Sequence[Iterable[Pair]], n_classes: int) -> Constraints:
    """The pairs (preferred, rival) of each example as they are given; a cycle among them is refused.

    Source: Roth (2018), slides on constraint classification.

    >>> constraints_from_orders([[(0, 2)], [], [(1, 0), (1, 2)]], 3)
    <3 constraints on 3 examples and 3 labels>
    >>> constraints_from_orders([[(0, 1), (1, 0)]], 2)
    Traceback (most recent call last):
    ValueError: expected a partial order at example 0, got a cycle: label 0 would be before itself
    """
    rows = [[(i, *pair) for pair in order] for i, order in enumerate(orders)]
    flat = np.array([entry for row in rows for entry in row], dtype=np.int64).reshape(-1, 3)
    constraints = Constraints(flat[:, 0], flat[:, 1], flat[:, 2], len(rows), n_classes)
    for example in range(constraints.n_samples):
        on_itself = np.flatnonzero(np.diag(transitive_closure(constraints.of(example), n_classes)))
        if len(on_itself):
            raise ValueError(
                f"expected a partial order at example {example}, got a cycle: "
                f"label {on_itself[0]} would be before itself"
            )
    return constraints


def require_label_sets(Y: ArrayLike) -> Booleans:
    """An indicator matrix (n_samples, n_classes) as truths.

    >>> require_label_sets([[1, 0], [1, 1]]).tolist()
    [[True, False], [True, True]]
    """
    table = np.asarray(Y)
    if table.ndim != 2 or table.shape[1] < 2 or not np.isin(table, (0, 1)).all():
        raise ValueError(
            f"expected an indicator matrix (n_samples, n_classes) of 0 and 1, got shape {table.shape}: "
            "encode label sets with sklearn.preprocessing.MultiLabelBinarizer"
        )
    return table.astype(bool)


def require_rankings(rankings: ArrayLike) -> Labels:
    """A matrix (n_samples, n_classes) whose rows hold each label once.

    >>> require_rankings([[2, 0, 1]]).tolist()
    [[2, 0, 1]]
    """
    table = np.asarray(rankings)
    is_ranking = table.ndim == 2 and table.shape[1] >= 2 and table.dtype.kind in "iufO"
    if not is_ranking or not (np.sort(table, axis=1) == np.arange(table.shape[1])).all():
        raise ValueError(
            f"expected rankings (n_samples, n_classes), each row the labels 0 .. n_classes - 1 from best to worst, got "
            f"shape {table.shape}: turn scores into rankings with numpy.argsort(-scores, axis=1)"
        )
    return table.astype(np.int64)


def transitive_closure(pairs: Iterable[Pair], n_classes: int) -> Booleans:
    """Entry (i, j): whether i comes before j by some chain of the pairs (Warshall).

    Source: Roth (2018), slides on constraint classification.

    >>> transitive_closure([(2, 0), (0, 1)], 3).astype(int).tolist()
    [[0, 1, 0], [0, 0, 0], [1, 1, 0]]
    """
    before = np.zeros((n_classes, n_classes), dtype=bool)
    for i, j in pairs:
        before[i, j] = True
    for middle in range(n_classes):
        before |= before[:, middle, None] & before[middle]
    return before


# --- Kesler's construction ------------------------------------------------------------------------------------------


def kesler_embedding(x: Array, i: int, j: int, n_classes: int) -> Array:
    """x_ij, shape (n_classes * n_features,): x in block i, -x in block j (Roth, Kesler's construction).

    Source: Roth (2018), Kesler's construction.

    >>> kesler_embedding([2, 1], 0, 2, 3).tolist()
    [2, 1, 0, 0, -2, -1]
    """
    x = np.asarray(x)
    blocks = np.zeros((n_classes, len(x)), dtype=x.dtype)
    blocks[i] += x
    blocks[j] -= x
    return blocks.ravel()


def constraint_vectors(X: Array, constraints: Constraints) -> Array:
    """The Kesler vector of every pair, shape (n_pairs, n_classes * n_features): what the lifted SVMs learn from.

    Source: Roth (2018), Kesler's construction.

    >>> constraint_vectors(np.array([[2, 1]]), constraints_from_classes([1], 2)).tolist()
    [[-2, -1, 2, 1]]
    """
    X = np.asarray(X)
    blocks = np.zeros((len(constraints), constraints.n_classes, X.shape[1]), dtype=X.dtype)
    pairs = np.arange(len(constraints))
    blocks[pairs, constraints.preferred] = X[constraints.examples]
    blocks[pairs, constraints.rivals] = -X[constraints.examples]
    return blocks.reshape(len(constraints), -1)


def kesler_sample(X: Array, y: Labels, n_classes: int) -> tuple[Array, Integers]:
    """The positive and the negative examples of the construction, 2 n_samples (n_classes - 1) of them, and their signs.

    Source: Roth (2018), Kesler's construction.

    >>> points, signs = kesler_sample(np.array([[1]]), [0], 2)
    >>> points.tolist(), signs.tolist()
    ([[1, -1], [-1, 1]], [1, -1])
    """
    positive = constraint_vectors(np.asarray(X), constraints_from_classes(y, n_classes))
    return np.concatenate([positive, -positive]), np.repeat([1, -1], len(positive))


def constraint_gaps(W: Array, X: Array, constraints: Constraints) -> Array:
    """(w_i - w_j) . x for every pair: positive where the preference is met.

    Source: Roth (2018), Kesler's construction.

    >>> W, X = np.array([[1, 0], [0, 1], [0, 0]]), np.array([[2, 1]])
    >>> constraint_gaps(W, X, constraints_from_classes([0], 3)).tolist()
    [1, 2]
    """
    scores = np.asarray(X) @ np.asarray(W).T
    return scores[constraints.examples, constraints.preferred] - scores[constraints.examples, constraints.rivals]


def violated_examples(W: Array, X: Array, constraints: Constraints) -> Booleans:
    """Which examples have a constraint that is not met, a tie being none.

    Source: Roth (2018), slides on constraint classification.

    >>> W, X = np.array([[1, 0], [0, 1]]), np.array([[2, 1], [1, 1]])
    >>> violated_examples(W, X, constraints_from_classes([0, 0], 2)).tolist()
    [False, True]
    """
    wrong = np.zeros(constraints.n_samples, dtype=bool)
    wrong[constraints.examples[np.asarray(constraint_gaps(W, X, constraints) <= 0, dtype=bool)]] = True
    return wrong
