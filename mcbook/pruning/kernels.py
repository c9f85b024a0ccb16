"""How many examples pass each node of a tree."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(["void(int64[:, ::1], float64[:, ::1])"], cache=True)
def sum_counts(children, counts):
    """Fill in the rows of inner nodes, each the sum of those of its children."""
    for t in np.arange(children.shape[0])[::-1]:
        left, right = children[t, 0], children[t, 1]
        if left >= 0:
            for c in range(counts.shape[1]):
                counts[t, c] = counts[left, c] + counts[right, c]
