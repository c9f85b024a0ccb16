"""The multi-class Winnow's pass over the data.

An example is a list of entries, ``values`` in their ``columns``; those that are 0 leave scores and weights as they are
and may be left out, or not: a dense example has all its columns.  The weights lie with a row for each feature, so that
an entry meets its k weights side by side.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.perceptron.kernels import strongest_rival


@njit(cache=True)
def score_all(W, columns, values, scores):
    """Fill ``scores`` with the scores of all classes, for ``W (n_features, n_classes)``."""
    scores[:] = 0
    for p in range(len(columns)):
        j, value = columns[p], values[p]
        for z in range(len(scores)):
            scores[z] += value * W[j, z]


@njit(cache=True)
def multiply(W, E, label, rival, columns, values, factor, top):
    """Multiply the label's weights by factor^x and divide the rival's by it.

    ``E`` holds the exponents, and W[j, z] = factor^(E[j, z] - top): a weight is computed anew from its exponent, so a
    thousand steps up and down leave nothing behind, and one too small for a float comes back.
    """
    for p in range(len(columns)):
        j, value = columns[p], values[p]
        if value == 0:
            continue
        E[j, label] += value
        E[j, rival] -= value
        W[j, label] = factor ** (E[j, label] - top)
        W[j, rival] = factor ** (E[j, rival] - top)


@njit(cache=True)
def count_late(delayed, label, rival, columns, values, step):
    """Add the step's exponents, times the visits before it, to ``delayed``: what their mean has to leave out."""
    for p in range(len(columns)):
        delayed[columns[p], label] += step * values[p]
        delayed[columns[p], rival] -= step * values[p]


@njit(cache=True)
def rescale(W, E, factor):
    """Divide all weights by the largest of them, which changes no prediction; returns its exponent."""
    top = E.max()
    for j in range(E.shape[0]):
        for z in range(E.shape[1]):
            W[j, z] = factor ** (E[j, z] - top)
    return top


@njit(
    [
        "int64(float64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], float64[:, ::1],"
        " float64[:, ::1], float64[:, ::1], int64, float64, int64, boolean, int64[:, ::1])"
    ],
    cache=True,
)
def winnow_epoch(values, columns, begin, place, y, order, W, E, delayed, step, factor, period, ties_violate, updates):
    """Visit the examples in the given order; returns the number of updates made.

    Example i has the entries begin[i] .. begin[i + 1] - 1 of ``values``, and their columns from place[i] on.  Changes
    ``W``, ``E`` and ``delayed``, all ``(n_features, n_classes)``, and ``updates (len(order), 2)``, the example and
    rival of each update.  The largest weight is 1 at first and after every ``period`` updates, within which none may
    leave the floats' range.
    """
    scores = np.empty(W.shape[1], W.dtype)
    top = rescale(W, E, factor)
    n_updates = 0
    for i in order:
        now, label = values[begin[i] : begin[i + 1]], y[i]
        here = columns[place[i] : place[i] + len(now)]
        score_all(W, here, now, scores)
        rival = strongest_rival(scores, label)
        tie_lost = scores[label] == scores[rival] and (ties_violate or rival < label)
        if scores[label] < scores[rival] or tie_lost:
            multiply(W, E, label, rival, here, now, factor, top)
            count_late(delayed, label, rival, here, now, step)
            updates[n_updates, 0], updates[n_updates, 1] = i, rival
            n_updates += 1
            if n_updates % period == 0:
                top = rescale(W, E, factor)
        step += 1
    return n_updates
