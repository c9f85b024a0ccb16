"""The leaf that an example reaches."""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.trees.kernels.categories import MOST_CATEGORIES


@njit(cache=True, nogil=True)
def goes_left(x, threshold, categories, missing_left):
    """Whether a value goes to the left: by its bit in ``categories`` for a category, where ``threshold`` is NaN.

    A code for which no mask has a bit is a category that was never seen, and goes where missing values go.
    """
    if np.isnan(x):
        return missing_left
    if np.isnan(threshold):
        # A shift by more bits than a number has would begin again at the first.
        if x < 0 or x >= MOST_CATEGORIES:
            return missing_left
        return (categories >> np.int64(x)) & 1 == 1
    return x <= threshold


@njit(
    "void(float64[:, ::1], int64[:, ::1], int64[::1], float64[::1], int64[::1], boolean[::1], int64, int64,"
    " int64[::1])",
    cache=True,
    nogil=True,
)
def find_leaves(X, children, feature, threshold, categories, missing_left, begin, end, leaves):
    """Fill ``leaves`` with the leaf of each of the examples begin .. end - 1."""
    for i in range(begin, end):
        node = 0
        while children[node, 0] >= 0:
            x = X[i, feature[node]]
            left = goes_left(x, threshold[node], categories[node], missing_left[node])
            node = children[node, 0] if left else children[node, 1]
        leaves[i] = node
