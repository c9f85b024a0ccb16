"""What dual block-coordinate ascent reads, writes and lists: one block of flows for each example.

An example i carries flows ``alpha[i]``, a row that sums to 0: what its own class takes in, the rivals give.  With
capacity c = C_i, no rival's Crammer–Singer flow is above 0 and the own class takes in at most c; the Weston–Watkins
flows lie in [-c, 0] for every rival.  What the scores are read from is the ``state``: the
weights (n_classes, n_features) with dense data, transposed with sparse data, and the scores themselves, (n_classes,
n_samples), with a Gram matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.extending import overload

from mcbook.svm_solvers.kernels.blocks import (
    REORDERED_SUMS,
    balancing_threshold,
    copy_row,
    hinge_slack,
    hinge_slacks,
    rival_values,
)

# Where a class in so many is listed at least, the scores of all are read, as rows of weights are read the fastest.
_MANY = 3


def _dense_scores(rows, state, i, listed, begin, end, scores):
    X = rows[0]
    # Two at a time, which read the example once and do not wait for each other's sums.
    for c in range(begin, end, 2):
        last = min(c + 1, end - 1)
        one, other, a, b = listed[c], listed[last], 0.0, 0.0
        for j in range(X.shape[1]):
            a += state[one, j] * X[i, j]
            b += state[other, j] * X[i, j]
        scores[last - begin] = b
        scores[c - begin] = a


def _sparse_scores(rows, state, i, listed, begin, end, scores):
    data, indices, starts = rows
    if _MANY * (end - begin) >= state.shape[1]:
        scores[:] = 0.0
        for p in range(starts[i], starts[i + 1]):
            x, j = data[p], indices[p]
            for z in range(state.shape[1]):
                scores[z] += x * state[j, z]
        for c in range(begin, end):
            scores[c - begin] = scores[listed[c]]
        return
    # Two at a time, whose sums then stay out of memory.
    for c in range(begin, end, 2):
        one, other, a, b = listed[c], listed[min(c + 1, end - 1)], 0.0, 0.0
        for p in range(starts[i], starts[i + 1]):
            x, j = data[p], indices[p]
            a += x * state[j, one]
            b += x * state[j, other]
        scores[min(c + 1, end - 1) - begin] = b
        scores[c - begin] = a


def _gram_scores(rows, state, i, listed, begin, end, scores):
    for c in range(begin, end):
        scores[c - begin] = state[listed[c], i]


def _dense_flows(rows, state, i, listed, begin, end, change):
    X = rows[0]
    for c in range(begin, end):
        z, flow = listed[c], state.dtype.type(change[c - begin])
        if flow != 0.0:
            for j in range(X.shape[1]):
                state[z, j] += flow * X[i, j]


def _sparse_flows(rows, state, i, listed, begin, end, change):
    data, indices, starts = rows
    for c in range(begin, end, 2):
        last = min(c + 1, end - 1)
        one, other, a, b = listed[c], listed[last], change[c - begin], change[last - begin] if last > c else 0.0
        if a != 0.0 or b != 0.0:
            for p in range(starts[i], starts[i + 1]):
                x, j = data[p], indices[p]
                state[j, one] += a * x
                state[j, other] += b * x


def _gram_flows(rows, state, i, listed, begin, end, change):
    K, position = rows
    row = position[i]
    for c in range(begin, end):
        z, flow = listed[c], change[c - begin]
        if flow != 0.0:
            for j in range(K.shape[1]):
                state[z, j] += K[row, j] * flow


# The number of arrays decides which form the data have: (X,), (K, position) or (data, indices, starts).
_SCORES: dict[int, Any] = {1: _dense_scores, 2: _gram_scores, 3: _sparse_scores}
_FLOWS: dict[int, Any] = {1: _dense_flows, 2: _gram_flows, 3: _sparse_flows}


def read_scores(rows: Any, state: Any, i: int, listed: Any, begin: int, end: int, scores: Any) -> None:
    """Fill ``scores`` with those of example i for the classes ``listed[begin:end]``, in their order.

    Bounds are passed instead of a slice, whose making takes longer than the score of a short row.
    """
    _SCORES[len(rows)](rows, state, i, listed, begin, end, scores)


def add_flows(rows: Any, state: Any, i: int, listed: Any, begin: int, end: int, change: Any) -> None:
    """Add to the state what a change of example i's flows of these classes brings."""
    _FLOWS[len(rows)](rows, state, i, listed, begin, end, change)


@overload(read_scores, jit_options={"fastmath": REORDERED_SUMS})
def _compiled_scores(rows, state, i, listed, begin, end, scores):
    return _SCORES[len(rows)]


@overload(add_flows, jit_options={"fastmath": REORDERED_SUMS})
def _compiled_flows(rows, state, i, listed, begin, end, change):
    return _FLOWS[len(rows)]


@njit(cache=True)
def below(seed, n):
    """A random number 0 .. n - 1, by George Marsaglia's xorshift; changes the seed."""
    seed[0] ^= seed[0] << np.uint64(13)
    seed[0] ^= seed[0] >> np.uint64(7)
    seed[0] ^= seed[0] << np.uint64(17)
    return np.int64(((seed[0] >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@njit(cache=True)
def duel(scores, label, capacity, squared_norm, old, new):
    """The block of either loss with one rival; returns what the example adds to the gap."""
    excess, flow = 1.0 + scores[1 - label] - scores[label], old[label]
    new[label] = min(max(flow + 0.5 * excess / squared_norm, 0.0), capacity)
    new[1 - label] = -new[label]
    return capacity * max(excess, 0.0) - flow * excess


@njit(cache=True)
def threshold_of_two(v, w, demand, capacity):
    """`balancing_threshold` for two rivals: one of them gives something, or both do."""
    p = max(0.5 * (max(v, w) - demand), max(v, w) - capacity)
    return p if min(v, w) <= p else max((v + w - demand) / 3.0, 0.5 * (v + w - capacity))


@njit(cache=True)
def contest(scores, label, capacity, squared_norm, old, new):
    """The Crammer-Singer block with two rivals; returns what the example adds to the gap."""
    a = 1 if label == 0 else 0
    b = 3 - label - a
    one, other, step = 1.0 + scores[a] - scores[label], 1.0 + scores[b] - scores[label], 1.0 / squared_norm
    slack = max(0.0, one, other)
    v, w, demand = step * (one - slack) - old[a], step * (other - slack) - old[b], old[label] + step * slack
    gap = capacity * slack + old[a] * one + old[b] * other
    threshold = threshold_of_two(v, w, demand, capacity)
    given, also_given = max(v - threshold, 0.0), max(w - threshold, 0.0)
    new[a], new[b], new[label] = -given, -also_given, given + also_given
    return gap


@njit(cache=True)
def excess_that_moves(scores, label, capacity, squared_norm, old, values):
    """Crammer-Singer: a rival without flow gets some in the next step if 1 + its score - the label's exceeds it.

    Above 0 only where the label would take in all that it can.
    """
    step = 1.0 / squared_norm
    if scores.shape[0] <= 3:
        a = 1 if label == 0 else 0
        one, other, w = 1.0 + scores[a] - scores[label], 0.0, -np.inf
        if scores.shape[0] == 3:
            other = 1.0 + scores[3 - label - a] - scores[label]
        slack = max(0.0, one, other)
        v = step * (one - slack) - old[a]
        if scores.shape[0] == 3:
            w = step * (other - slack) - old[3 - label - a]
        return slack + squared_norm * threshold_of_two(v, w, old[label] + step * slack, capacity)
    n, slack = scores.shape[0], hinge_slack(scores, scores.shape[0], label)
    rival_values(scores, n, label, slack, step, old, values)
    return slack + squared_norm * balancing_threshold(values, n, old[label] + slack / squared_norm, capacity)


@njit(cache=True)
def largest_excess(scores, i, label):
    """The largest 1 + score of a rival - score of the label of example i."""
    highest = -np.inf
    for z in range(scores.shape[1]):
        highest = max(highest, scores[i, z] if z != label else -np.inf)
    return 1.0 + highest - scores[i, label]


@njit("float64(float64[:, ::1], int64[::1], float64[::1], boolean)", cache=True)
def weighted_slacks(scores, y, capacity, one_slack):
    """The sum of capacity * slack over all examples."""
    n_samples, n_classes = scores.shape
    total, row = 0.0, np.empty(n_classes)
    for i in range(n_samples):
        copy_row(scores, i, row)
        slack = hinge_slack(row, n_classes, y[i]) if one_slack else hinge_slacks(row, n_classes, y[i])
        total += capacity[i] * slack
    return total


@njit(
    "Tuple((int64, int64, float64))(float64[:, ::1], int64[::1], float64[::1], float64[:, ::1], float64[::1], float64,"
    " boolean, int64[::1], int32[::1], int64[::1])",
    cache=True,
)
def list_rivals(scores, y, capacity, alpha, squared_norms, score_shift, one_slack, starts, listed, active):
    """List the classes between which an example's flows may move while its scores move by less than ``score_shift``.

    Those of example i, in order, go to ``listed[starts[i] : starts[i + 1]]``; where nothing may move there are none,
    as with most examples: no flow, no slack, and all rivals farther behind than that.
    Fills ``active`` with the others.  Returns how many these are, how many flows are free to move either way (less one
    for an example with one slack), and the sum of capacity * slack over all examples.
    """
    n_samples, n_classes = scores.shape
    values, row, flows = np.empty(n_classes), np.empty(n_classes), np.empty(n_classes)
    n_active, n_free, end, hinges = 0, 0, 0, 0.0
    for i in range(n_samples):
        starts[i] = end
        label, c = y[i], capacity[i]
        if alpha[i, label] == 0.0 and largest_excess(scores, i, label) <= -max(score_shift, 0.0):
            continue
        copy_row(scores, i, row)
        copy_row(alpha, i, flows)
        own = row[label]
        hinges += c * (hinge_slack(row, n_classes, label) if one_slack else hinge_slacks(row, n_classes, label))
        level = excess_that_moves(row, label, c, squared_norms[i], flows, values) if one_slack else 0.0
        givers, inside, settled, begin = 0, 0, True, end
        for z in range(n_classes):
            excess, flow = 1.0 + row[z] - own, -flows[z]
            if z == label or flow > 0.0 or excess > level - score_shift:
                listed[end] = z
                end += 1
                if z != label:
                    givers += 1
                    inside += 1 if flow > 0.0 and (one_slack or flow < c) else 0
                    settled = settled and flow == c and excess > score_shift
        if givers == 0 or c == 0.0 or (settled and (givers == 1 or not one_slack)):
            end = begin
        else:
            active[n_active] = i
            n_active += 1
            n_free += inside - (1 if one_slack and inside > 0 and alpha[i, label] >= c else 0)
    starts[n_samples] = end
    return n_active, n_free, hinges


@njit("int64(int64[::1], int32[::1], int64[::1], int64, uint64[::1])", cache=True)
def list_all(starts, listed, active, size, seed):
    """List all classes of about so many examples, drawn at random, or of all; returns how many these are."""
    n_samples = starts.shape[0] - 1
    n_classes = listed.shape[0] // n_samples
    n_active, end = 0, 0
    for i in range(n_samples):
        starts[i] = end
        if size >= n_samples or below(seed, n_samples) < size:
            active[n_active] = i
            n_active += 1
            for z in range(n_classes):
                listed[end + z] = z
            end += n_classes
    starts[n_samples] = end
    return n_active


@njit("float64(float64[:, ::1], float64[:, ::1])", cache=True)
def largest_shift(scores, before):
    """How far the scores of an example have moved against each other at most."""
    largest = 0.0
    for i in range(scores.shape[0]):
        low = high = scores[i, 0] - before[i, 0]
        for z in range(1, scores.shape[1]):
            change = scores[i, z] - before[i, z]
            low, high = min(low, change), max(high, change)
        largest = max(largest, high - low)
    return largest
