"""The best threshold of a sorted column: one pass in which each example moves from the right to the left.

All scans have the same arguments.  ``entries[row, begin:end]`` are a node's examples in the order of a column; those
before ``stop`` are moved one by one, and after each that differs from its neighbour the partition is scored.
``whole`` is the content of the node, ``left`` that of the left side, which a scan of classes changes: at first
nothing, or the ``n_left`` examples with a missing value, when they go there; ``start`` are the `sums_of` both.  Each
side keeps at least ``least`` examples and ``least_weight``.  Returned are the largest score above ``best`` and how far
the entries were then moved, or ``best`` and ``begin``.  Without weights all are 1.
"""

from __future__ import annotations

import numpy as np

from mcbook.trees.kernels.columns import INDEX, SHIFT
from mcbook.trees.kernels.loops import loop, making_arrays
from mcbook.trees.kernels.scores import ENTROPY, SQUARES, side_score, xlogx

# Products and quotients of the same numbers differ by a few roundings, far less than this.
NEARLY = 1 - 1e-12


@loop
def sums_of(criterion, left, whole):
    """|l|, |r|, and what a scan keeps of l and of r: the sum of squares, of logarithms, or of targets."""
    if criterion == SQUARES:
        return left[0], whole[0] - left[0], left[1], whole[1] - left[1]
    w_left, w_right, sum_left, sum_right = 0.0, 0.0, 0.0, 0.0
    for c in range(len(whole)):
        right = whole[c] - left[c]
        w_left += left[c]
        w_right += right
        sum_left += xlogx(left[c]) if criterion == ENTROPY else left[c] * left[c]
        sum_right += xlogx(right) if criterion == ENTROPY else right * right
    return w_left, w_right, sum_left, sum_right


@loop
def scan_gini(entries, row, begin, end, stop, n_left, start, labels, weight, left, whole, least, least_weight, best):
    """sum_c l_c^2 / |l| + sum_c r_c^2 / |r|: moving w of class c adds w (2 l_c + w) to the first sum of squares.

    With the whole t = l + r the other one is the sum of t_c^2 - 2 t_c l_c + l_c^2.
    """
    nearly, place, unit = best * NEARLY, begin, len(weight) == 0
    w_left, w_right, squares_left, squares_right = start
    first, last = begin + least - n_left, end - least - n_left
    entry = entries[row, begin]
    for p in range(begin, stop):
        i = entry & INDEX
        c = labels[i]
        w = 1.0 if unit else weight[i]
        gained = w * (2 * left[c] + w)
        left[c] += w
        squares_left += gained
        squares_right += gained - 2 * w * whole[c]
        w_left += w
        w_right -= w
        before, entry = entry, entries[row, p + 1]
        # Divisions are slow: only what is nearly the best is divided.
        if (
            (before ^ entry) >> SHIFT
            and first <= p + 1 <= last
            and squares_left * w_right + squares_right * w_left > nearly * w_left * w_right
        ):
            score = squares_left / w_left + squares_right / w_right
            if score > best and w_left >= least_weight and w_right >= least_weight:
                best, nearly, place = score, score * NEARLY, p + 1
    return best, place


@loop
def scan_entropy(entries, row, begin, end, stop, n_left, start, labels, weight, left, whole, least, least_weight, best):
    """sum_c l_c log2 l_c - |l| log2 |l| and the same of r: moving w of class c changes one term of each sum."""
    place, unit = begin, len(weight) == 0
    w_left, w_right, sum_left, sum_right = start
    first, last = begin + least - n_left, end - least - n_left
    entry = entries[row, begin]
    for p in range(begin, stop):
        i = entry & INDEX
        c = labels[i]
        w = 1.0 if unit else weight[i]
        sum_left -= xlogx(left[c])
        sum_right -= xlogx(whole[c] - left[c])
        left[c] += w
        sum_left += xlogx(left[c])
        sum_right += xlogx(whole[c] - left[c])
        w_left += w
        w_right -= w
        before, entry = entry, entries[row, p + 1]
        if (before ^ entry) >> SHIFT and first <= p + 1 <= last:
            score = sum_left - xlogx(w_left) + sum_right - xlogx(w_right)
            if score > best and w_left >= least_weight and w_right >= least_weight:
                best, place = score, p + 1
    return best, place


@loop
def scan_squares(
    entries, row, begin, end, stop, n_left, start, targets, weight, left, whole, least, least_weight, best
):
    """(sum_l w y)^2 / |l| + (sum_r w y)^2 / |r|."""
    nearly, place, unit = best * NEARLY, begin, len(weight) == 0
    w_left, w_right, sum_left, sum_right = start
    first, last = begin + least - n_left, end - least - n_left
    entry = entries[row, begin]
    for p in range(begin, stop):
        i = entry & INDEX
        w = 1.0 if unit else weight[i]
        wy = w * targets[i]
        w_left += w
        w_right -= w
        sum_left += wy
        sum_right -= wy
        before, entry = entry, entries[row, p + 1]
        # Divisions are slow: only what is nearly the best is divided.
        if (
            (before ^ entry) >> SHIFT
            and first <= p + 1 <= last
            and sum_left * sum_left * w_right + sum_right * sum_right * w_left > nearly * w_left * w_right
        ):
            score = sum_left * sum_left / w_left + sum_right * sum_right / w_right
            if score > best and w_left >= least_weight and w_right >= least_weight:
                best, nearly, place = score, score * NEARLY, p + 1
    return best, place


@making_arrays
def scan_any(
    criterion, entries, row, begin, end, stop, n_left, start, labels, weight, left, whole, least, least_weight, best
):
    """Any criterion of classes, scored from the contents at every change of the value: k steps each."""
    place, unit = begin, len(weight) == 0
    right = np.empty(len(whole))
    w_left, w_right, _, _ = start
    for c in range(len(whole)):
        right[c] = whole[c] - left[c]
    first, last = begin + least - n_left, end - least - n_left
    for p in range(begin, stop):
        i = entries[row, p] & INDEX
        w = 1.0 if unit else weight[i]
        left[labels[i]] += w
        right[labels[i]] -= w
        w_left += w
        w_right -= w
        if (entries[row, p] ^ entries[row, p + 1]) >> SHIFT and first <= p + 1 <= last:
            score = side_score(criterion, left) + side_score(criterion, right)
            if score > best and w_left >= least_weight and w_right >= least_weight:
                best, place = score, p + 1
    return best, place
