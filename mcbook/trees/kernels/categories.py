"""The best subset of the categories: they that go to the left, as the bits of a mask.

A table holds the content of every category of a node, missing values being one more category.  For two classes and for
squares some best subset consists of the first categories in the order of their share of class 1, or mean; for more
classes all subsets are tried while there are few categories, and beyond that those that begin the order of one class.
"""

from __future__ import annotations

import numpy as np

from mcbook.trees.kernels.columns import INDEX, SHIFT
from mcbook.trees.kernels.loops import loop, making_arrays
from mcbook.trees.kernels.scores import SQUARES, side_score, size_of

# With more categories in a node than this, and more than two classes, not all subsets are tried.
EXACT = 10
# A mask has 64 bits, one of them the sign; one is for missing values.
MOST_CATEGORIES = 62


@loop
def add_contents(criterion, contents, side, examples, begin, end, labels, targets, weight):
    """Put some of the examples, or of their entries, into a side, one of the rows of ``contents``."""
    for p in range(begin, end):
        i = examples[p] & INDEX
        w = weight[i] if len(weight) else 1.0
        if criterion == SQUARES:
            wy = w * targets[i]
            contents[side, 0] += w
            contents[side, 1] += wy
            contents[side, 2] += wy * targets[i]
        else:
            contents[side, labels[i]] += w


@loop
def move(table, category, sign, left, right):
    """Bring a category to the left side, or with the sign -1 back to the right."""
    for c in range(len(left)):
        left[c] += sign * table[category, c]
        right[c] -= sign * table[category, c]


@loop
def score_sides(criterion, left, right, n_left, n, least, least_weight):
    """What the partition is worth, and -inf where a side is too small."""
    if n_left < least or n - n_left < least:
        return -np.inf
    if min(size_of(criterion, left), size_of(criterion, right)) < least_weight:
        return -np.inf
    return side_score(criterion, left) + side_score(criterion, right)


@making_arrays
def best_prefix(criterion, table, counts, ordered, n_present, least, least_weight, n):
    """The best of the subsets that begin a list of categories: its score and its mask."""
    best, mask, code, n_left = -np.inf, np.int64(0), np.int64(0), 0
    left, right = np.zeros(table.shape[1]), np.zeros(table.shape[1])
    for p in range(n_present):
        move(table, ordered[p], -1, left, right)
    for c in range(len(left)):
        left[c] = 0
    for p in range(n_present - 1):
        move(table, ordered[p], 1, left, right)
        code |= np.int64(1) << ordered[p]
        n_left += counts[ordered[p]]
        score = score_sides(criterion, left, right, n_left, n, least, least_weight)
        if score > best:
            best, mask = score, code
    return best, mask


@making_arrays
def best_of_all(criterion, table, counts, present, n_present, least, least_weight, n):
    """The best of all subsets that leave out the last category present, each one category away from the one before."""
    best, mask, code, n_left = -np.inf, np.int64(0), np.int64(0), 0
    left, right = np.zeros(table.shape[1]), np.zeros(table.shape[1])
    for p in range(n_present):
        move(table, present[p], -1, left, right)
    for c in range(len(left)):
        left[c] = 0
    for step in range(1, 1 << (n_present - 1)):
        p = 0
        while not (step >> p) & 1:
            p += 1
        category = present[p]
        code ^= np.int64(1) << category
        sign = 1 if (code >> category) & 1 else -1
        move(table, category, sign, left, right)
        n_left += sign * counts[category]
        score = score_sides(criterion, left, right, n_left, n, least, least_weight)
        if score > best:
            best, mask = score, code
    return best, mask


@loop
def sort_by_share(criterion, table, present, n_present, c, share, ordered):
    """Fill ``ordered`` with the categories in the order of their share of class c, or of their mean."""
    for p in range(n_present):
        category = present[p]
        size = table[category, 0] if criterion == SQUARES else size_of(criterion, table[category])
        own, q = table[category, c] / size, p
        while q > 0 and share[q - 1] > own:
            share[q], ordered[q] = share[q - 1], ordered[q - 1]
            q -= 1
        share[q], ordered[q] = own, category


@making_arrays
def best_subset(criterion, entries, row, begin, end, n_values, labels, targets, weight, size, least, least_weight):
    """The best score and the mask of the categories on the left; -inf and 0 where there is nothing to part."""
    table, counts = np.zeros((n_values + 1, size)), np.zeros(n_values + 1, np.int64)
    for p in range(begin, end):
        category = entries[row, p] >> SHIFT
        counts[category] += 1
        add_contents(criterion, table, category, entries[row], p, p + 1, labels, targets, weight)
    n_present, n = np.int64(0), end - begin
    present, ordered, share = np.empty_like(counts), np.empty_like(counts), np.empty(len(counts))
    for category in range(len(counts)):
        if counts[category]:
            present[n_present] = category
            n_present += 1
    best, mask = -np.inf, np.int64(0)
    one_order = criterion == SQUARES or size == 2
    if not one_order and n_present <= EXACT:
        return best_of_all(criterion, table, counts, present, n_present, least, least_weight, n)
    for c in range(1 if one_order else 0, 2 if one_order else size):
        sort_by_share(criterion, table, present, n_present, c, share, ordered)
        score, code = best_prefix(criterion, table, counts, ordered, n_present, least, least_weight, n)
        if score > best:
            best, mask = score, code
    return best, mask
