"""All splits of a node by a threshold on one feature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mcbook.foundation.checks import require_classes, require_finite, require_labels, require_same_length
from mcbook.foundation.types import Array, Integers, Labels


class ThresholdSplits(NamedTuple):
    """The thresholds halfway between neighbouring values, and the class counts (n_splits, 2, n_classes) they make.

    Child 0 has the examples whose value is at most the threshold, child 1 the others.

    >>> threshold_splits([2.0, 2.0], [0, 1], 2).children.shape  # equal values cannot be split
    (0, 2, 2)
    """

    thresholds: Array
    children: Integers


def threshold_splits(values: Array | Sequence[float], y: Labels | Sequence[int], n_classes: int) -> ThresholdSplits:
    """The splits "value <= threshold" of a node, one for each two neighbouring values; none if all are equal.

    ``values (n_samples,)`` of one feature, ``y (n_samples,)`` with labels 0 .. n_classes - 1.

    >>> found = threshold_splits([1.0, 3.0, 3.0, 5.0], [0, 0, 1, 1], 2)
    >>> found.thresholds.tolist(), found.children.tolist()
    ([2.0, 4.0], [[[1, 0], [1, 2]], [[2, 1], [0, 1]]])
    """
    feature = require_finite(np.asarray(values, dtype=float), "values")
    labels = require_labels(y, require_classes(n_classes))
    require_same_length(values=feature, y=labels)
    order = np.argsort(feature, kind="stable")
    ordered = feature[order]
    below = np.eye(n_classes, dtype=np.int64)[labels[order]].cumsum(axis=0)
    last = np.flatnonzero(ordered[:-1] < ordered[1:])
    children = np.stack([below[last], below[-1] - below[last]], axis=1)
    return ThresholdSplits((ordered[last] + ordered[last + 1]) / 2, children)
