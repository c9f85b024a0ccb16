"""The best subset of the categories: they that go to the left, as the bits of a mask.

A table holds the content of every category of a node, missing values being one more category.  For two classes and for
squares some best subset consists of the first categories in the order of their share of class 1, or mean; for more
classes all subsets are tried while there are few categories, and beyond that those that begin the order of one class.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.trees.kernels.columns import INDEX, SHIFT
from mcbook.trees.kernels.scores import SQUARES, side_score, size_of

# With more categories in a node than this, and more than two classes, not all subsets are tried.
EXACT = 10
# A mask has 64 bits, one of them the sign; one is for missing values.
MOST_CATEGORIES = 62


@njit(cache=True, nogil=True)
def add_content(criterion, content, i, labels, targets, weight):
    """Put example i into a side; without weights all are 1."""
    w = weight[i] if weight.shape[0] else 1.0
    if criterion == SQUARES:
        wy = w * targets[i]
        content[0] += w
        content[1] += wy
        content[2] += wy * targets[i]
    else:
        content[labels[i]] += w


@njit(cache=True, nogil=True)
def tabulate(criterion, entries, row, begin, end, n_values, labels, targets, weight, whole):
    """The content of every category of a node, and how many examples it has."""
    table, counts = np.zeros((n_values + 1, whole.shape[0])), np.zeros(n_values + 1, np.int64)
    for p in range(begin, end):
        category = entries[row, p] >> SHIFT
        counts[category] += 1
        add_content(criterion, table[category], entries[row, p] & INDEX, labels, targets, weight)
    return table, counts


@njit(cache=True, nogil=True)
def is_heavy(criterion, left, right, least_weight):
    return min(size_of(criterion, left), size_of(criterion, right)) >= least_weight


@njit(cache=True, nogil=True)
def best_prefix(criterion, table, counts, ordered, least, least_weight, n):
    """The best of the subsets that begin a list of categories: its score, and how many it has."""
    best, size, n_left = -np.inf, 0, 0
    left, right = np.zeros(table.shape[1]), np.zeros(table.shape[1])
    for category in ordered:
        right += table[category]
    for p in range(len(ordered) - 1):
        left += table[ordered[p]]
        right -= table[ordered[p]]
        n_left += counts[ordered[p]]
        if n_left >= least and n - n_left >= least:
            score = side_score(criterion, left) + side_score(criterion, right)
            if score > best and is_heavy(criterion, left, right, least_weight):
                best, size = score, p + 1
    return best, size


@njit(cache=True, nogil=True)
def best_of_all(criterion, table, counts, present, least, least_weight, n):
    """The best of all subsets that leave out the last category present, each one category away from the one before."""
    best, mask, code, n_left = -np.inf, 0, 0, 0
    left, right = np.zeros(table.shape[1]), np.zeros(table.shape[1])
    for category in present:
        right += table[category]
    for step in range(1, 1 << (len(present) - 1)):
        p = 0
        while not (step >> p) & 1:
            p += 1
        category = present[p]
        code ^= np.int64(1) << category
        sign = 1 if (code >> category) & 1 else -1
        left += sign * table[category]
        right -= sign * table[category]
        n_left += sign * counts[category]
        if n_left >= least and n - n_left >= least:
            score = side_score(criterion, left) + side_score(criterion, right)
            if score > best and is_heavy(criterion, left, right, least_weight):
                best, mask = score, code
    return best, mask


@njit(cache=True, nogil=True)
def mask_of(categories):
    mask = np.int64(0)
    for category in categories:
        mask |= np.int64(1) << category
    return mask


@njit(cache=True, nogil=True)
def best_subset(criterion, table, counts, least, least_weight):
    """The best score and the mask of the categories on the left; -inf and 0 where there is nothing to part."""
    present = np.flatnonzero(counts)
    n = counts.sum()
    if len(present) < 2:
        return -np.inf, np.int64(0)
    size = table.shape[1]
    one_order = criterion == SQUARES or size == 2
    if not one_order and len(present) <= EXACT:
        return best_of_all(criterion, table, counts, present, least, least_weight, n)
    best, mask = -np.inf, np.int64(0)
    for c in range(1 if one_order else 0, 2 if one_order else size):
        share = np.empty(len(present))
        for p in range(len(present)):
            row = table[present[p]]
            share[p] = row[c] / (row[0] if criterion == SQUARES else row.sum())
        ordered = present[np.argsort(share, kind="mergesort")]
        score, length = best_prefix(criterion, table, counts, ordered, least, least_weight, n)
        if score > best:
            best, mask = score, mask_of(ordered[:length])
    return best, mask
