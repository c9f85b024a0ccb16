"""The smoothed multi-class hinge loss of an augmented Lagrangian, and the curvature of its pieces.

Every example i has a point u_i of the simplex {u >= 0, sum u = capacity}, its centre; with delta_l = 1 for rivals and 0
for y, the smoothed loss is max over u of <u - capacity e_y, z> + <u, delta> - |u - centre|^2 / (2 sigma capacity).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.kernels.svm import hinge_slack, simplex_threshold


@njit(
    "UniTuple(float64, 2)(float64[:, ::1], int64[::1], float64[::1], float64[:, ::1], float64, float64[:, ::1],"
    " float64[:, ::1], int64[::1])",
    cache=True,
)
def smoothed_losses(scores, y, capacity, centres, sigma, u, flows, support):
    """Fill ``u`` with the maximisers, ``flows`` with capacity e_y - u, ``support`` with how many of u_i are positive.

    Returns the sum of the smoothed losses and that of capacity * slack.
    """
    n_samples, n_classes = scores.shape
    smoothed, hinges = 0.0, 0.0
    for i in range(n_samples):
        label, c = y[i], capacity[i]
        # Scores relative to the largest: what is positive in the end then is small, and loses nothing to rounding.
        largest = scores[i].max()
        for z in range(n_classes):
            u[i, z] = centres[i, z] + sigma * c * (scores[i, z] - largest)
        u[i, label] -= sigma * c
        tau = simplex_threshold(u[i], c)
        loss, distance, size = -c * scores[i, label], 0.0, 0
        for z in range(n_classes):
            value = max(u[i, z] - tau, 0.0)
            size += value > 0.0
            u[i, z] = value
            flows[i, z] = -value
            loss += value * (scores[i, z] + 1.0)
            distance += (value - centres[i, z]) ** 2
        flows[i, label] += c
        support[i] = size
        smoothed += loss - u[i, label] - distance / (2.0 * sigma * c)
        hinges += c * hinge_slack(scores[i], label)
    return smoothed, hinges


@njit("float64[:, ::1](float64[:, ::1], float64[:, ::1], int64[::1], float64[::1])", cache=True)
def curvature(X, u, support, sigmas):
    """The lower half of I + sum_i sigma_i J_i (x) x_i x_i', where J_i centres vectors on the positive entries of u_i.

    Shape (n_classes * n_features,) twice, classes outermost.
    """
    n_classes, n_features = u.shape[1], X.shape[1]
    split = np.flatnonzero(support > 1)
    H = np.zeros((n_classes * n_features, n_classes * n_features))
    left, right = np.empty((len(split), n_features)), np.empty((len(split), n_features))
    for a in range(n_classes):
        for b in range(a + 1):
            n = 0
            for i in split:
                if u[i, a] > 0.0 and u[i, b] > 0.0:
                    weight = -sigmas[i] / support[i]
                    if a == b:
                        weight += sigmas[i]
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


@njit("Tuple((int64[::1], float64[:, ::1]))(float64[:, ::1], int64[::1])", cache=True)
def centred_bases(u, support):
    """Orthonormal vectors that span, for each example, what sums to 0 on the positive entries of u_i.

    Returns the examples (one for each vector, in order) and the vectors as rows: Helmert's, each the difference of a
    positive entry and the mean of the positive entries before it.
    """
    n_samples, n_classes = u.shape
    n_rows = (support - 1).sum()
    examples, Q = np.empty(n_rows, np.int64), np.zeros((n_rows, n_classes))
    row = 0
    for i in range(n_samples):
        before = 0
        for z in range(n_classes):
            if u[i, z] > 0.0:
                if before > 0:
                    examples[row] = i
                    scale = 1.0 / np.sqrt(before * (before + 1.0))
                    for a in range(z):
                        if u[i, a] > 0.0:
                            Q[row, a] = -scale
                    Q[row, z] = before * scale
                    row += 1
                before += 1
    return examples, Q
