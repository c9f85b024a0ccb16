"""Two margins that are both called the multi-class margin, and the nearest centre as a linear rule.

Shapes: ``X (n_samples, n_features)``, ``centres (n_classes, n_features)``.
"""

from __future__ import annotations

import numpy as np

from mcbook.foundation.types import Array, Labels, Values
from mcbook.problem import predict_from_scores


def leading_margin(scores: Array) -> Values:
    """The largest score less the second largest, shape (n_samples,): never negative (Roth, "Multiclass Margin").

    Source: Roth (2018), slides on the multi-class margin.

    >>> leading_margin([[1, 5, 3]]).tolist()
    [2]
    """
    ordered = np.sort(np.asarray(scores), axis=1)
    return ordered[:, -1] - ordered[:, -2]


def centre_scores(centres: Array) -> Array:
    """Rows (c_i, -|c_i|^2 / 2), to be multiplied with (x, 1): the linear rule that takes the nearest centre.

    Source: Roth (2018), slide on Voronoi diagrams.

    >>> centre_scores([[2, 0], [0, 4]]).tolist()
    [[4, 0, -4], [0, 8, -16]]

    The rows are doubled, which no prediction notices and which keeps integers integers.
    """
    centres = np.asarray(centres)
    squares = (centres * centres).sum(axis=1)
    return np.c_[2 * centres, -squares]


def nearest_centre(centres: Array, X: Array) -> Labels:
    """The centre at the smallest distance from each row of X; among equal ones the first.

    Source: Roth (2018), slide on Voronoi diagrams.

    >>> nearest_centre([[0, 0], [4, 0]], [[1, 1], [3, 1]]).tolist()
    [0, 1]
    """
    away = np.asarray(X)[:, None, :] - np.asarray(centres)[None, :, :]
    return predict_from_scores(-(away * away).sum(axis=2))
