"""The block of one example: its slack, and the flows that are best for it while all others stay.

Of rows of scores and flows the first n entries count: a shorter row is not cut off, as views take longer to make than
most rows to read.
"""

from __future__ import annotations

import numpy as np
from numba import njit

# Sums may be re-ordered, which lets the compiler use vector instructions; nothing else of IEEE arithmetic is given up.
REORDERED_SUMS = {"reassoc", "contract", "nsz"}


@njit(cache=True)
def copy_row(table, i, row):
    """Fill ``row`` with that of the table: a view of it, whose uses are counted, takes longer to make than to read."""
    for z in range(row.shape[0]):
        row[z] = table[i, z]


@njit(cache=True)
def copy_table(table, copy):
    """As ``copy[:] = table``, without its message about shapes, which takes a second to compile."""
    for i in range(table.shape[0]):
        for z in range(table.shape[1]):
            copy[i, z] = table[i, z]


@njit(cache=True)
def highest(values, begin, end):
    """The largest of values[begin:end]; a loop that does nothing else becomes vector instructions."""
    high = -np.inf
    for z in range(begin, end):
        high = max(high, values[z])
    return high


@njit(cache=True)
def hinge_slack(scores, n, label):
    """Crammer–Singer's slack: the largest of 0 and 1 + score of a rival - score of the label."""
    rival = max(highest(scores, 0, label), highest(scores, label + 1, n))
    return max(0.0, 1.0 + rival - scores[label])


@njit(cache=True)
def hinge_slacks(scores, n, label):
    """Weston–Watkins' slacks, summed over the rivals."""
    total = 0.0
    for z in range(n):
        if z != label:
            total += max(0.0, 1.0 + scores[z] - scores[label])
    return total


@njit(cache=True)
def rival_values(scores, n, label, slack, step, old, values):
    """v_z of each rival: what it gives at the threshold 0, a step after its old flow; -inf for the label.

    Scores count relative to the best rival where that is ahead: what flows in the end then is a difference of small
    numbers and loses nothing to rounding.
    """
    for z in range(n):
        values[z] = step * (scores[z] - scores[label] + 1.0 - slack) - old[z]
    values[label] = -np.inf


@njit(cache=True, fastmath=REORDERED_SUMS)
def balancing_threshold(values, n, demand, capacity):
    """The p at which the rivals give what the label takes: sum max(values - p, 0) = min(demand + p, capacity).

    Newton's method from the left: supply minus demand is convex and falls in p, so from a point where it is too large
    each step stays on that side, and the search is over when rounding leaves no step.
    """
    p = max(-demand, highest(values, 0, n) - capacity)
    while True:
        surplus, count = 0.0, 0
        for z in range(n):
            surplus += max(values[z] - p, 0.0)
            count += 1 if values[z] > p else 0
        if demand + p < capacity:
            surplus -= demand + p
            count += 1
        else:
            surplus -= capacity
        if count == 0 or p + surplus / count <= p:
            return p
        p += surplus / count


@njit(cache=True, fastmath=REORDERED_SUMS)
def example_gap(scores, n, label, loss, flows):
    """What one example adds to primal - dual: its loss - the flow into its class + <flows, scores>."""
    total = loss - flows[label]
    for z in range(n):
        total += flows[z] * scores[z]
    return total


@njit(cache=True, fastmath=REORDERED_SUMS)
def crammer_singer_block(scores, n, label, capacity, squared_norm, old, new):
    """Fill ``new`` with the flows that maximise the dual over one example, given its scores and its ``old`` flows.

    Returns what the example adds to the duality gap.
    """
    step, slack = 1.0 / squared_norm, hinge_slack(scores, n, label)
    rival_values(scores, n, label, slack, step, old, new)
    threshold = balancing_threshold(new, n, old[label] + step * slack, capacity)
    taken = 0.0
    for z in range(n):
        given = max(new[z] - threshold, 0.0)
        new[z] = -given
        taken += given
    new[label] = taken
    return example_gap(scores, n, label, capacity * slack, old)


@njit(cache=True)
def weston_watkins_block(scores, n, label, capacity, squared_norm, old, new):
    """The same for one slack for each rival: b_z = clip(c_z - s, 0, capacity) with s = sum of the b_z, new = -b.

    The root s of the falling function sum_z clip(c_z - s, 0, capacity) - s is searched by Newton steps in a bracket,
    which is halved where a step leads to an end of it: the function bends both ways, and steps alone might go in a
    circle.
    """
    others = scores[label] - squared_norm * old[label]
    highest = 0.0
    for z in range(n):
        if z != label:
            new[z] = (1.0 - others + scores[z]) / squared_norm - old[z]
            highest = max(highest, new[z])
    limit = min(highest, capacity * (n - 1))
    # Its ends are known not to be the root; the limit may be.
    low, high = 0.0, limit + capacity
    s = min(old[label], limit)
    for _ in range(200):
        value, slope = -s, -1.0
        for z in range(n):
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
        if abs(step - s) <= 1e-16 * (capacity + abs(s)):
            break
        if step <= low or step >= high:
            step = 0.5 * (low + high)
            if step in (low, high):
                break
        s = step
    flow = 0.0
    for z in range(n):
        if z != label:
            b = min(max(new[z] - s, 0.0), capacity)
            new[z] = -b
            flow += b
    new[label] = flow
    return example_gap(scores, n, label, capacity * hinge_slacks(scores, n, label), old)
