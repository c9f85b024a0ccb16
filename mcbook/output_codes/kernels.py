"""The squared hinge loss of many columns at once, and the sums of decoding in the order of the columns."""

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


@njit("void(float64[:, ::1], float64[:, ::1], float64, int8[:, ::1], float64[:, ::1])", cache=True)
def summed_losses(for_plus, for_minus, for_zero, columns, table):
    """``table[i, r]`` = sum_s, for the entry ``columns[s, r]`` of row r, of example i's loss for that entry.

    Each sum runs through the columns in their order, however many examples there are; a product of matrices does not.
    """
    n_samples, n_columns = for_plus.shape
    n_classes = table.shape[1]
    for i in range(n_samples):
        for r in range(n_classes):
            table[i, r] = 0.0
        for s in range(n_columns):
            plus, minus = for_plus[i, s], for_minus[i, s]
            for r in range(n_classes):
                entry = columns[s, r]
                table[i, r] += plus if entry > 0 else (minus if entry < 0 else for_zero)


@njit("void(float64[:, ::1], float64[:, ::1], boolean[:, ::1], float64, int64[::1])", cache=True)
def largest_margins(F, M, tied, rounding, chosen):
    """For each example the first of the tied classes with the largest sum_s M_rs f_s.

    Two classes are compared on the columns in which they differ; what rounding may have made is no lead.
    """
    n_samples, n_classes = tied.shape
    for i in range(n_samples):
        best = -1
        for r in range(n_classes):
            if not tied[i, r]:
                continue
            if best < 0:
                best = r
                continue
            lead = size = 0.0
            for s in range(F.shape[1]):
                term = (M[r, s] - M[best, s]) * F[i, s]
                lead += term
                size += abs(term)
            if lead > rounding * size:
                best = r
        chosen[i] = best
