"""The structured Perceptron: Viterbi with the weights so far, and on a mistake the difference of the joint features."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mcbook.foundation.checks import require_classes, require_weights, require_whole
from mcbook.foundation.types import Array, Integers, Labels
from mcbook.structured.algorithm.features import JointFeatures, Structures, entries_of, require_labelling
from mcbook.structured.algorithm.inference import suited


@dataclass(frozen=True)
class StructuredRun:
    """What a run did: the last weights ``w``, the mistakes of each pass, ``delayed`` for the mean of the weights.

    >>> from mcbook.structured import chains, structures
    >>> run = run_structured_perceptron(structures([[1.0], [-1.0]], chains([1, 1])), [0, 1], 2)
    >>> run.mistakes.tolist(), run.w.tolist()[:2], run.w_average.tolist()[:2]
    ([1, 1, 0], [2.0, -2.0], [1.5, -1.5])
    """

    w: Array
    delayed: Array
    mistakes: Integers
    n_steps: int

    @property
    def n_updates(self) -> int:
        return int(self.mistakes.sum())

    @property
    def converged(self) -> bool:
        """Whether the last pass was without a mistake."""
        return bool(self.mistakes[-1] == 0)

    @property
    def w_average(self) -> Array:
        """The mean of the weights after each visit: an update made at visit s is missing from the s before it."""
        share = Fraction(1, self.n_steps) if self.w.dtype == object else 1 / self.n_steps
        return np.asarray(self.w - self.delayed * share)


def run_structured_perceptron(
    data: Structures,
    y: Labels,
    n_labels: int,
    *,
    order: Callable[[int], Integers] | None = None,
    max_epochs: int = 100,
    weight: Array | None = None,
) -> StructuredRun:
    """Passes over the sequences from weights 0, until one is without a mistake or ``max_epochs`` were made.

    A sequence whose best labelling z is not y adds Psi(x, y) - Psi(x, z) to the weights (Collins 2002), times its
    ``weight (n_sequences,)`` if there is one.  Of equally good labellings the first in dictionary order is predicted.
    Whole numbers of dtype object are processed exactly.

    >>> from mcbook.structured import chains, structures
    >>> run = run_structured_perceptron(structures([[1.0], [-1.0]], chains([1, 1])), [0, 1], 2)
    >>> run.converged, run.n_updates
    (True, 2)
    """
    from mcbook.structured.kernels import perceptron_epoch

    features, forest = JointFeatures(data.n_features, require_classes(n_labels, at_least=1)), data.forest
    labels = require_labelling(y, forest, n_labels)
    entries = entries_of(data.X)
    table = np.zeros(features.shape, dtype=object if data.X.dtype == object else float)
    delayed, n_steps = table.copy(), 0
    if weight is None:
        times = np.ones(forest.n_sequences, dtype=table.dtype)
    else:
        times = require_weights(weight, forest.n_sequences, "weight").astype(table.dtype)
    mistakes: list[int] = []
    for epoch in range(require_whole(max_epochs, "max_epochs", at_least=1)):
        chosen = np.arange(forest.n_sequences) if order is None else np.ascontiguousarray(order(epoch), dtype=np.int64)
        made = suited(perceptron_epoch, table)(
            *entries, forest.offsets, forest.within, labels, times, chosen, table, delayed, n_steps
        )
        n_steps += len(chosen)
        mistakes.append(made)
        if made == 0:
            break
    return StructuredRun(table.ravel(), delayed.ravel(), np.array(mistakes, dtype=np.int64), n_steps)
