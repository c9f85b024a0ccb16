"""The multi-class Perceptron's pass over the data."""

from __future__ import annotations

import numpy as np
from numba import njit

# Sums may be re-ordered, which lets the compiler use vector instructions; nothing else of IEEE arithmetic is given up.
_REORDERED_SUMS = {"reassoc", "contract", "nsz"}


@njit(cache=True, fastmath=_REORDERED_SUMS)
def score_all(W, x, scores):
    """Fill ``scores`` with W @ x, five classes at a time, so that x is read once for the five."""
    n_classes, n_features = W.shape
    z = 0
    while z + 5 <= n_classes:
        a, b, c, d, e = W[z, 0] * x[0], W[z + 1, 0] * x[0], W[z + 2, 0] * x[0], W[z + 3, 0] * x[0], W[z + 4, 0] * x[0]
        for j in range(1, n_features):
            a += W[z, j] * x[j]
            b += W[z + 1, j] * x[j]
            c += W[z + 2, j] * x[j]
            d += W[z + 3, j] * x[j]
            e += W[z + 4, j] * x[j]
        scores[z], scores[z + 1], scores[z + 2], scores[z + 3], scores[z + 4] = a, b, c, d, e
        z += 5
    while z < n_classes:
        a = W[z, 0] * x[0]
        for j in range(1, n_features):
            a += W[z, j] * x[j]
        scores[z] = a
        z += 1


@njit(cache=True)
def rivals_score(scores, label):
    """The largest score of the classes other than ``label``, without a branch to be guessed."""
    largest = scores[1] if label == 0 else scores[0]
    for z in range(scores.shape[0]):
        score = largest if z == label else scores[z]
        largest = score if score > largest else largest
    return largest


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
        if scores[label] <= rivals_score(scores, label):
            rival = strongest_rival(scores, label)
            if scores[label] < scores[rival] or ties_violate or rival < label:
                move(W, delayed, label, rival, X[i], rate, step)
                updates[n_updates, 0], updates[n_updates, 1] = i, rival
                n_updates += 1
        step += 1
    return n_updates
