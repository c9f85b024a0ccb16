"""The multi-class Perceptron's pass over the data."""

from __future__ import annotations

import numpy as np
from numba import njit

# Sums may be re-ordered, which lets the compiler use vector instructions; nothing else of IEEE arithmetic is given up.
_REORDERED_SUMS = {"reassoc", "contract", "nsz"}


@njit(cache=True, fastmath=_REORDERED_SUMS)
def score_all(W, x, scores):
    """Fill ``scores`` with W @ x, four classes at a time, so that x is read once for the four."""
    n_classes, n_features = W.shape
    z = 0
    while z + 4 <= n_classes:
        a, b, c, d = W[z, 0] * x[0], W[z + 1, 0] * x[0], W[z + 2, 0] * x[0], W[z + 3, 0] * x[0]
        for j in range(1, n_features):
            a += W[z, j] * x[j]
            b += W[z + 1, j] * x[j]
            c += W[z + 2, j] * x[j]
            d += W[z + 3, j] * x[j]
        scores[z], scores[z + 1], scores[z + 2], scores[z + 3] = a, b, c, d
        z += 4
    while z < n_classes:
        a = W[z, 0] * x[0]
        for j in range(1, n_features):
            a += W[z, j] * x[j]
        scores[z] = a
        z += 1


@njit(cache=True)
def strongest_rival(scores, label):
    """The class other than ``label`` with the largest score; among equals the smallest index."""
    rival = 1 if label == 0 else 0
    for z in range(rival + 1, scores.shape[0]):
        if z != label and scores[z] > scores[rival]:
            rival = z
    return rival


@njit(cache=True)
def move(W, delayed, label, rival, x, rate, step):
    """Add rate * x to the label's weights and take it from the rival's; the same, times step, in ``delayed``."""
    for j in range(x.shape[0]):
        change = rate * x[j]
        W[label, j] += change
        W[rival, j] -= change
        delayed[label, j] += step * change
        delayed[rival, j] -= step * change


@njit(
    [
        "int64(float64[:, ::1], int64[::1], int64[::1], float64[:, ::1], float64[:, ::1], int64, float64, boolean,"
        " int64[:, ::1])"
    ],
    cache=True,
)
def perceptron_epoch(X, y, order, W, delayed, step, rate, ties_violate, updates):
    """Visit the examples in the given order; returns the number of updates made.

    Changes ``W (n_classes, n_features)``; ``delayed`` of the same shape, to which every update is added as many times
    as there were steps before it; and ``updates (len(order), 2)``, the example and rival of each update.
    """
    scores = np.empty(W.shape[0], W.dtype)
    n_updates = 0
    for i in order:
        label = y[i]
        score_all(W, X[i], scores)
        rival = strongest_rival(scores, label)
        tie_lost = scores[label] == scores[rival] and (ties_violate or rival < label)
        if scores[label] < scores[rival] or tie_lost:
            move(W, delayed, label, rival, X[i], rate, step)
            updates[n_updates, 0], updates[n_updates, 1] = i, rival
            n_updates += 1
        step += 1
    return n_updates
