"""The penalty per leaf by cross-validation: every penalty at once, in one pass down each fold's tree.

Shapes: ``counts (n_nodes, n_classes)``, ``labels`` and ``node_errors (n_nodes,)``, thresholds ``(n_trees - 1,)``,
errors along a path ``(n_trees,)``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from mcbook.foundation.checks import require_labels, require_one_of, require_same_length
from mcbook.foundation.types import Array, ArrayLike, Floats, Integers, Labels
from mcbook.trees.algorithm.weakest_links import PruningPath

# How a penalty is chosen: the one with the least error, or the largest one within a standard error of that.
SelectionRule: TypeAlias = Literal["least", "one standard error"]

# As many held-out errors that differ only by the rounding of their weights are taken for equal.
_ROUNDING = 1e-9


def held_out_counts(
    children: Integers, leaves: Integers, y: Labels, n_classes: int, weights: Floats | None = None
) -> Floats:
    """How many held-out examples of each class pass through each node, ``(n_nodes, n_classes)``.

    ``leaves (n_samples,)`` are the leaves of the full tree in which they end.

    >>> held_out_counts(np.array([[1, 2], [-1, -1], [-1, -1]]), np.array([1, 2, 2]), np.array([0, 1, 1]), 2)
    array([[1., 2.],
           [1., 0.],
           [0., 2.]])
    """
    from mcbook.pruning.kernels import sum_counts

    y = require_labels(y, n_classes)
    require_same_length(leaves=leaves, y=y)
    counts = (
        np.bincount(leaves * n_classes + y, weights, len(children) * n_classes).astype(float).reshape(-1, n_classes)
    )
    sum_counts(np.require(children, requirements=("C", "W")), counts)
    return counts


def errors_of_nodes(counts: Floats, labels: Labels) -> Floats:
    """The held-out errors that each node would make as a leaf with its label: all that pass it but those of its class.

    >>> errors_of_nodes(np.array([[1.0, 2.0], [1.0, 0.0]]), np.array([1, 1])).tolist()
    [1.0, 1.0]
    """
    return np.asarray(counts.sum(axis=1) - counts[np.arange(len(counts)), labels])


def errors_along_path(path: PruningPath, node_errors: Array) -> Array:
    """The errors of every tree of the sequence, ``(n_trees,)``.

    The node t is a leaf from the tree at which it is collapsed up to the one at which its parent is: two entries for
    each node, and one running sum.

    Source: Mohri et al. (2018), section 9.3.3; Lecture 13, section 1.2.4.

    >>> from mcbook.pruning import cost_complexity_path
    >>> from mcbook.trees.algorithm.weakest_links import costed_tree
    >>> path = cost_complexity_path(costed_tree([[1, 2], [3, 4]] + 3 * [[-1, -1]], [9, 4, 3, 1, 2]))
    >>> errors_along_path(path, np.array([5, 2, 1, 1, 2])).tolist()
    [4, 3, 5]
    """
    require_same_length(steps=path.steps, node_errors=node_errors)
    changes = np.zeros(path.n_trees, node_errors.dtype)
    np.add.at(changes, path.steps, node_errors)
    np.subtract.at(changes, path.steps[path.parents[1:]], node_errors[1:])
    return np.asarray(changes.cumsum())


@dataclass(frozen=True)
class CrossValidation:
    """The held-out errors of all folds together as a function of the penalty, which is a step function.

    ``thresholds (n_steps,)`` increase; ``errors (n_steps + 1,)`` are those below the first, between neighbours (each
    threshold belongs to the step above it) and from the last one on.  ``n_samples`` is what they are errors of.

    >>> found = CrossValidation(np.array([1.0, 4.0]), np.array([3, 1, 5]), n_samples=20)
    >>> found.at([0.5, 1.0, 9.0]).tolist(), found.least, found.choice()
    ([3, 1, 5], 1.0, 2.0)
    """

    thresholds: Array
    errors: Array
    n_samples: float

    def at(self, lam: ArrayLike) -> Array:
        """The errors at these penalties."""
        return np.asarray(self.errors[np.searchsorted(self.thresholds, lam, side="right")])  # type: ignore[call-overload]  # exact numbers

    @property
    def least(self) -> float:
        """The least errors at any penalty >= 0; only splits that gain nothing have a threshold that is not above 0."""
        return float(self.errors[self._first :].min())

    @property
    def _first(self) -> int:
        return int(np.searchsorted(self.thresholds, 0, side="right"))

    @property
    def standard_error(self) -> float:
        """Of the least share of errors, as of that many tosses of a coin; in errors."""
        share = self.least / self.n_samples
        return float(np.sqrt(share * (1 - share) * self.n_samples))

    def choice(self, rule: SelectionRule = "least") -> float:
        """The penalty: the geometric mean of the ends of the last step that is good enough.

        Among equally good steps the last is taken, which has the smallest trees; it is infinity if the root alone is
        good enough everywhere.
        """
        extra = 0.0 if require_one_of(rule, SelectionRule, "rule") == "least" else self.standard_error
        good = np.flatnonzero(self.errors[self._first :] <= self.least + extra + _ROUNDING)
        step = self._first + int(good[-1])
        if step == len(self.thresholds):
            return float("inf")
        below = 0.0 if step == self._first else float(self.thresholds[step - 1])
        return float(np.sqrt(below * float(self.thresholds[step])))


def cross_validation(folds: Iterable[tuple[Array, Array]], n_samples: float) -> CrossValidation:
    """Add up the folds, each the thresholds of its path and the held-out errors along it.

    The thresholds are penalties for which one leaf costs the same in every fold: with costs that are sums over
    examples, divide them by the number of examples that the fold's tree was grown from.

    Source: Mohri et al. (2018), section 9.3.3; Lecture 13, section 1.2.4.

    >>> one = (np.array([1.0, 3.0]), np.array([4, 2, 5]))
    >>> two = (np.array([2.0]), np.array([3, 1]))
    >>> found = cross_validation([one, two], 20)
    >>> found.thresholds.tolist(), found.errors.tolist()
    ([1.0, 2.0, 3.0], [7, 5, 3, 6])
    """
    pairs = [(np.asarray(thresholds), np.asarray(errors)) for thresholds, errors in folds]
    places = np.concatenate([thresholds for thresholds, _ in pairs])
    jumps = np.concatenate([np.diff(errors) for _, errors in pairs])
    thresholds, step_of = np.unique(places, return_inverse=True)
    changes = np.zeros(len(thresholds) + 1, jumps.dtype)
    changes[0] = sum(errors[0] for _, errors in pairs)
    np.add.at(changes, step_of + 1, jumps)
    return CrossValidation(thresholds, changes.cumsum(), n_samples)


def geometric_means(thresholds: Array) -> Floats:
    """One penalty inside each interval between the thresholds of a path: 0, the roots of their products, and infinity.

    >>> geometric_means(np.array([1.0, 4.0, 9.0])).tolist()
    [0.0, 2.0, 6.0, inf]
    """
    ends = np.asarray(thresholds, dtype=float)
    return np.r_[0.0, np.sqrt(ends[:-1] * ends[1:]), np.inf]
