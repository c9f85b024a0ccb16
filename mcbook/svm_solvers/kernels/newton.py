"""The smoothed multi-class hinge losses of an augmented Lagrangian, and the curvature of their pieces.

Every example i has flows alpha_i out of {alpha_z <= 0 for rivals, alpha_y = - their sum <= capacity}, and a centre
among these.  Crammer-Singer's smoothed loss is the largest of alpha_y - <alpha, scores> - |alpha - centre|^2 /
(2 tau capacity).  Weston-Watkins' flows have alpha_z in [-capacity, 0] for every rival, and its smoothed loss leaves
the label out of the distance: then it is a sum over the rivals, each with an interval of its own.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.svm_solvers.kernels.blocks import balancing_threshold, copy_row, hinge_slack, hinge_slacks, rival_values


@njit(cache=True)
def smoothed_slack(scores, label, c, centre, step, flows, free, values):
    """Crammer-Singer's smoothed loss of one example, slack, number of free classes, and how far scores may move."""
    n, slack = scores.shape[0], hinge_slack(scores, scores.shape[0], label)
    rival_values(scores, n, label, slack, step, centre, values)
    demand = centre[label] + step * slack
    threshold = balancing_threshold(values, n, demand, c)
    values[label] = c - demand
    loss, taken, distance, size, next_below = 0.0, 0.0, 0.0, 0, -np.inf
    for z in range(scores.shape[0]):
        u = values[z] - threshold
        free[z] = u > 0.0
        if u > 0.0:
            size += 1
        else:
            next_below = max(next_below, u)
            u = 0.0
        if z != label:
            taken += u
            loss += u * (scores[z] - scores[label] + 1.0)
            distance += (u + centre[z]) ** 2
            flows[z] = -u
    flows[label] = taken
    distance += (taken - centre[label]) ** 2
    allowed_shift = -next_below / step if size == 1 and distance <= 1e-24 * c * c else -1.0
    return loss - 0.5 * distance / step, slack, size, allowed_shift


@njit(cache=True)
def smoothed_slacks(scores, label, c, centre, step, flows, free):
    """The same for Weston-Watkins; the label is free where a rival is."""
    loss, taken, distance, size, allowed_shift = 0.0, 0.0, 0.0, 1, np.inf
    for z in range(scores.shape[0]):
        free[z] = False
        if z != label:
            excess = 1.0 + scores[z] - scores[label]
            wanted = step * excess - centre[z]
            flow = min(max(wanted, 0.0), c)
            if 0.0 < wanted < c:
                free[z] = True
                size += 1
            else:
                allowed_shift = min(allowed_shift, max(-wanted, wanted - c) / step)
            loss += flow * excess
            distance += (flow + centre[z]) ** 2
            taken += flow
            flows[z] = -flow
    flows[label] = taken
    free[label] = size > 1
    if size > 1 or distance > 1e-24 * c * c:
        allowed_shift = -1.0
    return loss - 0.5 * distance / step, hinge_slacks(scores, scores.shape[0], label), size, allowed_shift


@njit(
    "UniTuple(float64, 2)(float64[:, ::1], int64[::1], float64[::1], float64[:, ::1], float64, boolean,"
    " float64[:, ::1], boolean[:, ::1], int64[::1], float64[::1])",
    cache=True,
)
def smoothed_losses(scores, y, capacity, centres, tau, one_slack, flows, free, support, allowed_shift):
    """Fill ``flows`` with the maximisers; the classes whose flow may move either way are ``free``, ``support`` of them.

    A rival is free while it gives something (Weston-Watkins: and not all it may), the label while it could take more
    (Weston-Watkins: while a rival is free).  ``allowed_shift``: how far the scores of an example may move against each
    other while its flows stay at the centre, in a corner; below 0 where they are in none or elsewhere than there.
    Returns the sum of the smoothed losses and that of capacity * slack.
    """
    n_samples, n_classes = scores.shape
    smoothed, hinges, values = 0.0, 0.0, np.empty(n_classes)
    row, centre, moved = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    is_free = np.empty(n_classes, np.bool_)
    for i in range(n_samples):
        label, c = y[i], capacity[i]
        copy_row(scores, i, row)
        copy_row(centres, i, centre)
        if one_slack:
            found = smoothed_slack(row, label, c, centre, tau * c, moved, is_free, values)
        else:
            found = smoothed_slacks(row, label, c, centre, tau * c, moved, is_free)
        smoothed += found[0]
        hinges += c * found[1]
        support[i], allowed_shift[i] = found[2], found[3]
        for z in range(n_classes):
            flows[i, z], free[i, z] = moved[z], is_free[z]
    return smoothed, hinges


@njit(cache=True)
def coupling(a, b, label, size, one_slack):
    """The entry of J_i for two free classes: the derivative of minus the flow of a by the score of b, over its step."""
    if one_slack:
        return (1.0 if a == b else 0.0) - 1.0 / size
    if a == b:
        return size - 1.0 if a == label else 1.0
    return -1.0 if label in (a, b) else 0.0


@njit("uint64[::1](boolean[:, ::1], int64[::1], boolean)", cache=True)
def kinds(free, y, one_slack):
    """A number for each example, equal for those with the same free classes (Weston-Watkins: and the same label).

    Others may share it, if only by a rare accident.
    """
    found = np.zeros(free.shape[0], np.uint64)
    for i in range(free.shape[0]):
        number = np.uint64(0 if one_slack else y[i] + 1)
        for z in range(free.shape[1]):
            number = number * np.uint64(6364136223846793005) + np.uint64(1 if free[i, z] else 0)
            number ^= number >> np.uint64(29)
        found[i] = number
    return found


@njit(cache=True)
def same_kind(free, y, i, j, one_slack):
    """Whether J_i = J_j."""
    if not one_slack and y[i] != y[j]:
        return False
    for z in range(free.shape[1]):  # noqa: SIM110 - numba compiles no generators inside all()
        if free[i, z] != free[j, z]:
            return False
    return True


@njit(
    "float64[:, ::1](float64[:, ::1], int64[::1], boolean[:, ::1], int64[::1], float64[::1], int64[::1], boolean)",
    cache=True,
)
def curvature(X, y, free, support, taus, order, one_slack):
    """The lower half of I + sum_i tau_i J_i (x) x_i x_i'; Crammer-Singer's J_i centres vectors on the free classes.

    Neighbours in the ``order`` with the same J_i share one sum of x_i x_i'.
    Shape (n_classes * n_features,) twice, classes outermost.
    """
    n_classes, n_features = free.shape[1], X.shape[1]
    H = np.zeros((n_classes * n_features, n_classes * n_features))
    rows = np.empty((X.shape[0], n_features))
    begin = 0
    while begin < X.shape[0]:
        first, end = order[begin], begin
        while end < X.shape[0] and same_kind(free, y, first, order[end], one_slack):
            i = order[end]
            weight = np.sqrt(taus[i])
            for j in range(n_features):
                rows[end, j] = weight * X[i, j]
            end += 1
        squares = np.dot(rows[begin:end].T, rows[begin:end])
        for a in range(n_classes):
            for b in range(a + 1):
                if free[first, a] and free[first, b]:
                    entry = coupling(a, b, y[first], support[first], one_slack)
                    if entry != 0.0:
                        for p in range(n_features):
                            for q in range(n_features):
                                H[a * n_features + p, b * n_features + q] += entry * squares[p, q]
        begin = end
    for j in range(H.shape[0]):
        H[j, j] += 1.0
    return H


@njit("Tuple((int64[::1], float64[:, ::1]))(boolean[:, ::1], int64[::1], int64[::1], boolean)", cache=True)
def flow_directions(free, support, y, one_slack):
    """Vectors q with J_i = sum q q' over those of example i: in what ways its flows can move.

    Returns the examples (one for each vector, in order) and the vectors as rows: Helmert's for Crammer-Singer, each the
    scaled difference of a free class and the mean of the free classes before it; a rival less the label for
    Weston-Watkins.
    """
    n_samples, n_classes = free.shape
    n_rows = (support - 1).sum()
    examples, Q = np.empty(n_rows, np.int64), np.zeros((n_rows, n_classes))
    row = 0
    for i in range(n_samples):
        before = 0
        for z in range(n_classes):
            if not free[i, z] or (z == y[i] and not one_slack):
                continue
            if one_slack and before > 0:
                scale = 1.0 / np.sqrt(before * (before + 1.0))
                for a in range(z):
                    if free[i, a]:
                        Q[row, a] = -scale
                Q[row, z] = before * scale
            elif not one_slack:
                Q[row, z], Q[row, y[i]] = 1.0, -1.0
            if before > 0 or not one_slack:
                examples[row] = i
                row += 1
            before += 1
    return examples, Q
