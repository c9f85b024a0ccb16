"""Dual block-coordinate ascent for multi-class support vector machines, one block of flows for each example.

An example i carries flows ``alpha[i]``, a row that sums to 0: what its own class takes in, the rivals give.  With
capacity c = C_i, no rival's Crammer–Singer flow is above 0 and the own class takes in at most c; the Weston–Watkins
flows lie in [-c, 0] for every rival.  Weights are kept transposed, ``V (n_features, n_classes)``, so that the scores
of an example are a sum of rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.extending import overload

# Sums may be re-ordered, which lets the compiler use vector instructions; nothing else of IEEE arithmetic is given up.
_REORDERED_SUMS = {"reassoc", "contract", "nsz"}


@njit(cache=True)
def hinge_slack(scores, label):
    """Crammer–Singer's slack: the largest of 0 and 1 + score of a rival - score of the label."""
    worst = 0.0
    for z in range(scores.shape[0]):
        if z != label:
            worst = max(worst, 1.0 + scores[z] - scores[label])
    return worst


@njit(cache=True)
def offers(scores, label, slack, step, old, values):
    """What each rival would give for nothing, a step after its old flow; the label offers nothing.

    Scores count relative to the best rival where that is ahead: what flows in the end then is a difference of small
    numbers and loses nothing to rounding.
    """
    for z in range(scores.shape[0]):
        values[z] = step * (scores[z] - scores[label] + 1.0 - slack) - old[z]
    values[label] = -np.inf


@njit(cache=True, fastmath=_REORDERED_SUMS)
def market_price(values, demand, capacity):
    """The price p at which the rivals give what the label takes: sum max(values - p, 0) = min(demand + p, capacity).

    Newton's method from the left: supply minus demand is convex and falls in p, so from a point where it is too large
    each step stays on that side, and the search is over when rounding leaves no step.
    """
    p = max(values.max() - capacity, -demand)
    while True:
        surplus, count = 0.0, 0
        for v in values:
            if v > p:
                surplus += v - p
                count += 1
        if demand + p < capacity:
            surplus -= demand + p
            count += 1
        else:
            surplus -= capacity
        if count == 0 or p + surplus / count <= p:
            return p
        p += surplus / count


@njit(cache=True)
def crammer_singer_block(scores, label, capacity, squared_norm, old, new):
    """Fill ``new`` with the flows that maximise the dual over one example, given its scores and its ``old`` flows."""
    step, slack = 1.0 / squared_norm, hinge_slack(scores, label)
    offers(scores, label, slack, step, old, new)
    price = market_price(new, old[label] + step * slack, capacity)
    taken = 0.0
    for z in range(scores.shape[0]):
        given = max(new[z] - price, 0.0)
        new[z] = -given
        taken += given
    new[label] = taken


@njit(cache=True)
def weston_watkins_block(scores, label, capacity, squared_norm, old, new):
    """The same for one slack for each rival: b_z = clip(c_z - s, 0, capacity) with s = sum of the b_z, new = -b.

    The root s of the falling function sum_z clip(c_z - s, 0, capacity) - s is searched by Newton steps in a bracket.
    """
    n_classes = scores.shape[0]
    others = scores[label] - squared_norm * old[label]
    highest = 0.0
    for z in range(n_classes):
        if z != label:
            new[z] = (1.0 - others + scores[z]) / squared_norm - old[z]
            highest = max(highest, new[z])
    low, high = 0.0, min(highest, capacity * (n_classes - 1))
    s = min(old[label], high)
    for _ in range(200):
        value, slope = -s, -1.0
        for z in range(n_classes):
            if z != label:
                b = new[z] - s
                if b >= capacity:
                    value += capacity
                elif b > 0.0:
                    value += b
                    slope -= 1.0
        if value > 0.0:
            low = s
        else:
            high = s
        step = s - value / slope
        if step < low or step > high:
            step = 0.5 * (low + high)
        if abs(step - s) <= 1e-16 * (capacity + abs(s)):
            break
        s = step
    flow = 0.0
    for z in range(n_classes):
        if z != label:
            b = min(max(new[z] - s, 0.0), capacity)
            new[z] = -b
            flow += b
    new[label] = flow


@njit(cache=True)
def hinge_slacks(scores, label):
    """Weston–Watkins' slacks, summed over the rivals."""
    total = 0.0
    for z in range(scores.shape[0]):
        if z != label:
            total += max(0.0, 1.0 + scores[z] - scores[label])
    return total


def _dense_scores(rows, V, i, scores):
    X = rows[0]
    n_features, n_classes = V.shape
    scores[:] = 0.0
    j = 0
    while j + 4 <= n_features:
        a, b, c, d = X[i, j], X[i, j + 1], X[i, j + 2], X[i, j + 3]
        for z in range(n_classes):
            scores[z] += a * V[j, z] + b * V[j + 1, z] + c * V[j + 2, z] + d * V[j + 3, z]
        j += 4
    while j < n_features:
        for z in range(n_classes):
            scores[z] += X[i, j] * V[j, z]
        j += 1


def _sparse_scores(rows, V, i, scores):
    data, indices, starts = rows
    scores[:] = 0.0
    for p in range(starts[i], starts[i + 1]):
        for z in range(V.shape[1]):
            scores[z] += data[p] * V[indices[p], z]


def _gram_scores(rows, V, i, scores):
    scores[:] = V[i]


def _dense_flows(rows, V, i, change):
    X = rows[0]
    for j in range(V.shape[0]):
        for z in range(V.shape[1]):
            V[j, z] += X[i, j] * change[z]


def _sparse_flows(rows, V, i, change):
    data, indices, starts = rows
    for p in range(starts[i], starts[i + 1]):
        for z in range(V.shape[1]):
            V[indices[p], z] += data[p] * change[z]


def _gram_flows(rows, V, i, change):
    K, position = rows
    row = K[position[i]]
    for j in range(V.shape[0]):
        for z in range(V.shape[1]):
            V[j, z] += row[j] * change[z]


# The form of the data is told by how many arrays hold it: (X,), (K, position) or (data, indices, starts).
_SCORES: dict[int, Any] = {1: _dense_scores, 2: _gram_scores, 3: _sparse_scores}
_FLOWS: dict[int, Any] = {1: _dense_flows, 2: _gram_flows, 3: _sparse_flows}


def read_scores(rows: Any, V: Any, i: int, scores: Any) -> None:
    """Fill ``scores`` with those of example i."""
    _SCORES[len(rows)](rows, V, i, scores)


def add_flows(rows: Any, V: Any, i: int, change: Any) -> None:
    """Add to the state V what a change of example i's flows brings."""
    _FLOWS[len(rows)](rows, V, i, change)


@overload(read_scores, jit_options={"fastmath": _REORDERED_SUMS})
def _compiled_scores(rows, V, i, scores):
    return _SCORES[len(rows)]


@overload(add_flows, jit_options={"fastmath": _REORDERED_SUMS})
def _compiled_flows(rows, V, i, change):
    return _FLOWS[len(rows)]


@njit(cache=True)
def example_gap(scores, label, capacity, flows, one_slack):
    """What one example adds to primal - dual: capacity * slack - flow into its class + <flows, scores>."""
    slack = hinge_slack(scores, label) if one_slack else hinge_slacks(scores, label)
    total = capacity * slack - flows[label]
    for z in range(scores.shape[0]):
        total += flows[z] * scores[z]
    return total


_STATE = "int64[::1], int64, float64[::1], int64[::1], float64[::1], float64[:, ::1], float64[:, ::1], int64[::1]"
_DENSE = "UniTuple(float64[:, ::1], 1)"
_GRAM = "Tuple((float64[:, ::1], int64[::1]))"
_SPARSE = "Tuple((float64[::1], int64[::1], int64[::1]))"


@njit(
    [f"Tuple((int64, float64))({rows}, {_STATE}, int64, boolean)" for rows in (_DENSE, _GRAM, _SPARSE)],
    cache=True,
)
def ascent_pass(rows, active, n_active, squared_norms, y, capacity, alpha, V, quiet, patience, one_slack):
    """Maximise the dual over each of the first n_active examples in turn.

    Changes ``alpha`` and the state ``V`` (weights, or the table of scores where rows is a Gram matrix), and ``quiet``,
    how many visits in a row left an example as it was; at ``patience`` of them it is moved behind the active ones.
    Returns how many stay active, and the sum of their duality gaps when they were visited.
    """
    n_classes = alpha.shape[1]
    scores, new = np.empty(n_classes), np.empty(n_classes)
    gap = 0.0
    place = 0
    while place < n_active:
        i = active[place]
        read_scores(rows, V, i, scores)
        gap += example_gap(scores, y[i], capacity[i], alpha[i], one_slack)
        if one_slack:
            crammer_singer_block(scores, y[i], capacity[i], squared_norms[i], alpha[i], new)
        else:
            weston_watkins_block(scores, y[i], capacity[i], squared_norms[i], alpha[i], new)
        largest = 0.0
        for z in range(n_classes):
            change = new[z] - alpha[i, z]
            alpha[i, z] = new[z]
            new[z] = change
            largest = max(largest, abs(change))
        if largest > 1e-14 * capacity[i]:
            add_flows(rows, V, i, new)
            quiet[i] = 0
        else:
            quiet[i] += 1
            if quiet[i] >= patience:
                n_active -= 1
                active[place], active[n_active] = active[n_active], i
                continue
        place += 1
    return n_active, gap
