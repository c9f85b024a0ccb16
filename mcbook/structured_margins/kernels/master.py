"""The dual over the planes found so far, by steps that move weight from one plane of an example to another."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit("(float64[:, ::1], float64[::1], int64[::1], int64[::1], float64[::1], float64, float64, int64)", cache=True)
def ascend_restricted(gram, offsets, order, starts, alpha, capacity, tol, most):
    """Maximise <alpha, b> - 1/2 alpha' G alpha where the weights of every example are >= 0 and sum to the capacity.

    Example i has the planes order[starts[i]] .. order[starts[i + 1] - 1].  A step takes the plane with the largest
    value b_j - (G alpha)_j and the one of positive weight with the smallest, and moves as much as is best.  Ends when
    the gap, the capacity times these differences and so at least the distance from the optimum, is at most ``tol``.
    """
    n = len(offsets)
    values = np.empty(n)
    for j in range(n):
        values[j] = offsets[j]
        for k in range(n):
            values[j] -= gram[j, k] * alpha[k]
    for _ in range(most):
        gap = 0.0
        for i in range(len(starts) - 1):
            up, down = -1, -1
            for place in range(starts[i], starts[i + 1]):
                j = order[place]
                if up < 0 or values[j] > values[up]:
                    up = j
                if alpha[j] > 0.0 and (down < 0 or values[j] < values[down]):
                    down = j
            excess = values[up] - values[down]
            gap += capacity * excess
            if excess <= 0.0:
                continue
            length = gram[up, up] - 2.0 * gram[up, down] + gram[down, down]
            step = alpha[down]
            if length > 0.0:
                step = min(step, excess / length)
            alpha[up] += step
            # At most all of it, so that no weight is ever below 0.
            alpha[down] -= step
            for j in range(n):
                values[j] -= step * (gram[j, up] - gram[j, down])
        if gap <= tol:
            return
