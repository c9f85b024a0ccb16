"""The smoothed multi-class hinge loss of an augmented Lagrangian, and the curvature of its pieces.

Every example i has flows alpha_i out of {alpha_z <= 0 for rivals, alpha_y = - their sum <= capacity}, and a centre
among these.  The smoothed loss is the largest of alpha_y - <alpha, scores> - |alpha - centre|^2 / (2 tau capacity).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.svm.kernels.ascent import hinge_slack, market_price, offers


@njit(
    "UniTuple(float64, 2)(float64[:, ::1], int64[::1], float64[::1], float64[:, ::1], float64, float64[:, ::1],"
    " boolean[:, ::1], int64[::1], float64[::1])",
    cache=True,
)
def smoothed_losses(scores, y, capacity, centres, tau, flows, free, support, room):
    """Fill ``flows`` with the maximisers; the classes whose flow may move either way are ``free``, ``support`` of them.

    A rival is free while it gives something, the own class while it could take more.  ``room``: how far the scores of
    an example may move against each other while its one free class, the same as at its centre, stays the only one;
    below 0 where there is none such.  Returns the sum of the smoothed losses and that of capacity * slack.
    """
    n_samples, n_classes = scores.shape
    values = np.empty(n_classes)
    smoothed, hinges = 0.0, 0.0
    for i in range(n_samples):
        label, c = y[i], capacity[i]
        slack = hinge_slack(scores[i], label)
        offers(scores[i], label, slack, tau * c, centres[i], values)
        demand = centres[i, label] + tau * c * slack
        price = market_price(values, demand, c)
        values[label] = c - demand
        loss, taken, distance, size, next_below = 0.0, 0.0, 0.0, 0, -np.inf
        for z in range(n_classes):
            u = values[z] - price
            free[i, z] = u > 0.0
            if u > 0.0:
                size += 1
            else:
                next_below = max(next_below, u)
                u = 0.0
            if z != label:
                taken += u
                loss += u * (scores[i, z] - scores[i, label] + 1.0)
                distance += (u + centres[i, z]) ** 2
                flows[i, z] = -u
        flows[i, label] = taken
        distance += (taken - centres[i, label]) ** 2
        support[i] = size
        room[i] = -next_below / (tau * c) if size == 1 and distance <= 1e-24 * c * c else -1.0
        smoothed += loss - distance / (2.0 * tau * c)
        hinges += c * slack
    return smoothed, hinges


@njit("float64[:, ::1](float64[:, ::1], boolean[:, ::1], int64[::1], float64[::1])", cache=True)
def curvature(X, free, support, taus):
    """The lower half of I + sum_i tau_i J_i (x) x_i x_i', where J_i centres vectors on the free classes.

    Shape (n_classes * n_features,) twice, classes outermost.
    """
    n_classes, n_features = free.shape[1], X.shape[1]
    split = np.flatnonzero(support > 1)
    H = np.zeros((n_classes * n_features, n_classes * n_features))
    left, right = np.empty((len(split), n_features)), np.empty((len(split), n_features))
    for a in range(n_classes):
        for b in range(a + 1):
            n = 0
            for i in split:
                if free[i, a] and free[i, b]:
                    weight = -taus[i] / support[i]
                    if a == b:
                        weight += taus[i]
                    for j in range(n_features):
                        left[n, j] = weight * X[i, j]
                        right[n, j] = X[i, j]
                    n += 1
            if n > 0:
                block = np.dot(left[:n].T, right[:n])
                H[a * n_features : (a + 1) * n_features, b * n_features : (b + 1) * n_features] = block
    for j in range(H.shape[0]):
        H[j, j] += 1.0
    return H


@njit("Tuple((int64[::1], float64[:, ::1]))(boolean[:, ::1], int64[::1])", cache=True)
def centred_bases(free, support):
    """Orthonormal vectors that span, for each example, what sums to 0 on its free classes.

    Returns the examples (one for each vector, in order) and the vectors as rows: Helmert's, each the difference of a
    free class and the mean of the free classes before it.
    """
    n_samples, n_classes = free.shape
    n_rows = (support - 1).sum()
    examples, Q = np.empty(n_rows, np.int64), np.zeros((n_rows, n_classes))
    row = 0
    for i in range(n_samples):
        before = 0
        for z in range(n_classes):
            if free[i, z]:
                if before > 0:
                    examples[row] = i
                    scale = 1.0 / np.sqrt(before * (before + 1.0))
                    for a in range(z):
                        if free[i, a]:
                            Q[row, a] = -scale
                    Q[row, z] = before * scale
                    row += 1
                before += 1
    return examples, Q
