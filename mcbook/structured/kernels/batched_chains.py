"""Dynamic programming on chains that walk in step: one step of all of them is one product of matrices.

Positions stand in the order of their places, and at each place those of the longer chains first.  So the place t has
the rows starts[t] .. starts[t + 1] - 1, and their parents are the first rows of the place before.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(
    ["(float64[:, ::1], float64[:, ::1], float64[:, ::1], int64[::1], float64[:, ::1], float64[:, ::1], float64[::1])"],
    cache=True,
    nogil=True,
    # Sums may be taken in any order: in the order of the loop they could not use the processor's wide registers.
    fastmath={"reassoc", "contract", "nsz"},
)
def sum_batched_chains(B, M, turned, starts, ratios, P, scales):
    """What `sum_product` fills in, on chains in step."""
    n_labels, last = B.shape[1], len(starts) - 2
    for t in range(last, -1, -1):
        a, b = starts[t], starts[t + 1]
        for row in range(a, b):
            total = 0.0
            for i in range(n_labels):
                total += B[row, i]
            scales[row] = total
            share = 1 / total
            for i in range(n_labels):
                B[row, i] *= share
        if t > 0:
            p = starts[t - 1]
            np.dot(B[a:b], turned, ratios[a:b])
            above, messages = B[p : p + b - a].ravel(), ratios[a:b].ravel()
            for entry in range(above.size):
                above[entry] *= messages[entry]
    for row in range(starts[1]):
        for i in range(n_labels):
            P[row, i], ratios[row, i] = B[row, i], 0
    for t in range(1, last + 1):
        a, b, p = starts[t], starts[t + 1], starts[t - 1]
        above, own = P[p:a].ravel(), ratios[a:b].ravel()
        for entry in range(own.size):
            # Where the message is 0 the parent never has this label.
            own[entry] = above[entry] / own[entry] if own[entry] > 0 else 0.0
        np.dot(ratios[a:b], M, P[a:b])
        distribution, below = P[a:b].ravel(), B[a:b].ravel()
        for entry in range(distribution.size):
            distribution[entry] *= below[entry]
