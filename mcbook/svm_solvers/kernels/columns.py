"""The squared hinge loss of many binary problems on the same examples at once."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(
    "void(float64[:, ::1], int8[:, ::1], float64[::1], float64[:, ::1], boolean[:, ::1], float64[::1])",
    cache=True,
    fastmath={"reassoc", "contract"},
)
def squared_hinges(scores, signs, weight, pull, active, losses):
    """For each column s (a row here) and example i with slack = max(0, 1 - sign score), where the sign is not 0:

    ``pull`` = weight sign slack, ``active`` = slack > 0, ``losses[s]`` = sum_i weight slack^2.  Where it is 0, nothing.
    """
    n_columns, n_samples = scores.shape
    for s in range(n_columns):
        total = 0.0
        for i in range(n_samples):
            sign = np.float64(signs[s, i])
            slack = max(1.0 - sign * scores[s, i], 0.0) * abs(sign)
            weighted = weight[i] * slack
            pull[s, i] = sign * weighted
            active[s, i] = slack > 0.0
            total += weighted * slack
        losses[s] = total
