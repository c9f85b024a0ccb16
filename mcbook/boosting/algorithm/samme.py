"""SAMME: AdaBoost's step for k classes at once, over the stumps that scikit-learn's classifier trains.

The stump has the least Gini impurity under the weights, each side votes for its heaviest class, and the weights of
what was wrong are multiplied by (k - 1)(1 - error) / error (Zhu, Zou, Rosset and Hastie 2009).  For two classes this is
AdaBoost, with another way to choose the stump.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mcbook.boosting.kernels import reweigh, weigh_sides
from mcbook.foundation.checks import require_classes, require_labels, require_same_length, require_whole
from mcbook.foundation.types import ArrayLike, Floats, Integers, Labels
from mcbook.trees.algorithm.columns import Columns, sort_columns, sorted_entries, to_write, writable
from mcbook.trees.algorithm.stumps import best_split


class SammeRun(NamedTuple):
    """The stumps: ``features``, ``thresholds``, ``votes (T, 2)`` for a class on the left and on the right; the
    ``steps`` and ``errors`` of the rounds.

    >>> run = run_samme([[1.0], [2.0], [4.0], [5.0]], [0, 0, 1, 2], 3, 2)
    >>> run.n_rounds, run.features.tolist(), run.errors.round(6).tolist()
    (2, [0, 0], [0.25, 0.111111])
    """

    features: Integers
    thresholds: Floats
    votes: Labels
    steps: Floats
    errors: Floats

    @property
    def n_rounds(self) -> int:
        return len(self.features)


def run_samme(X: ArrayLike | Columns, labels: ArrayLike, n_classes: int, n_rounds: int) -> SammeRun:
    """Boost for at most ``n_rounds`` rounds on ``X (n_samples, n_features)``, or its `Columns`; no value is missing.

    Ends early after a stump without error, and before one that is no better than a guess, error >= 1 - 1 / k.

    >>> run = run_samme([[1.0], [2.0], [4.0], [5.0]], [0, 0, 1, 2], 3, 2)
    >>> run.thresholds.tolist(), run.votes.tolist()
    ([3.0, 4.5], [[0, 1], [0, 2]])
    """
    columns = writable(X) if isinstance(X, Columns) else sort_columns(X)
    y = to_write(require_labels(labels, require_classes(n_classes)))
    require_same_length(X=columns.ranks[0], y=y)
    short = y.astype(np.int16)
    entries = sorted_entries(columns, np.arange(len(y)))
    D = np.full(len(y), 1 / len(y))
    made: list[tuple[int, float, Labels, float, float]] = []
    for _ in range(require_whole(n_rounds, "n_rounds", at_least=1)):
        split = best_split(columns, entries, short, D, n_classes)
        if split.feature < 0:
            break
        ranks, weights = columns.ranks[split.feature], np.zeros((2, n_classes))
        weigh_sides(ranks, split.cut, y, D, weights)
        votes = weights.argmax(axis=1)
        total, right = weights.sum(), weights.max(axis=1).sum()
        weights[[0, 1], votes] = 0
        wrong = weights.sum()
        error = float(wrong / total)
        if error >= 1 - 1 / n_classes:
            break
        growth = (n_classes - 1) * (1 - error) / error if error > 0 else np.e
        made.append((split.feature, split.threshold, votes, np.log(growth), error))
        if error == 0:
            break
        share = 1 / (right + growth * wrong)
        reweigh(ranks, split.cut, y, D, votes, share, growth * share)
    features, thresholds, sides, steps, errors = zip(*made, strict=True) if made else ((),) * 5
    return SammeRun(
        np.array(features, dtype=np.int64),
        np.array(thresholds, dtype=float),
        np.array(sides, dtype=np.int64).reshape(-1, 2),
        np.array(steps, dtype=float),
        np.array(errors, dtype=float),
    )
