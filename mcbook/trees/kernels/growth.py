"""A whole tree from sorted columns.

The frontier holds the leaves for which a question is known.  The next of them is split, its children are searched for
questions of their own, and so on until the frontier is empty or there are leaves enough.  The entries of every column
stay in order on each side of a split (a stable partition), so nothing is sorted twice; where only some columns are
drawn for a node, the node's entries of these are sorted instead.
"""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np
from numba import njit

from mcbook.trees.kernels.categories import add_content
from mcbook.trees.kernels.columns import INDEX, SHIFT
from mcbook.trees.kernels.scores import SQUARES, impurity_of, side_score, size_of
from mcbook.trees.kernels.search import draw_rows, search_rows

DEPTH_FIRST, LARGEST_DECREASE, LARGEST_MEAN_DECREASE = 0, 1, 2
# Where the columns of a node's record stand in ``limits`` and ``question``.
BEGIN, END, DEPTH = 0, 1, 2
CUT, AFTER, MISSING_LEFT, MASK = 0, 1, 2, 3


@njit(cache=True, nogil=True)
def partition(entries, begin, end, goes_left, spare):
    """Bring the entries of the left side before the others in every row, each side in the order it had.

    Rows that are constant are left as they are: their column is never asked about again below the node.
    """
    for row in range(entries.shape[0]):
        if entries[row, begin] >> SHIFT == entries[row, end - 1] >> SHIFT:
            continue
        n_left, n_right = begin, 0
        for p in range(begin, end):
            # Both are written and only one of them counts, which costs less than a guess at the branch.
            entry = entries[row, p]
            entries[row, n_left] = entry
            spare[n_right] = entry
            n_left += goes_left[entry & INDEX]
            n_right += 1 - goes_left[entry & INDEX]
        for p in range(n_right):
            entries[row, n_left + p] = spare[p]


@njit(cache=True, nogil=True)
def partition_examples(examples, begin, end, goes_left, spare):
    """The same for the examples themselves."""
    n_left, n_right = begin, 0
    for p in range(begin, end):
        i = examples[0, p]
        if goes_left[i]:
            examples[0, n_left] = i
            n_left += 1
        else:
            spare[n_right] = i
            n_right += 1
    for p in range(n_right):
        examples[0, n_left + p] = spare[p]


@njit(cache=True, nogil=True)
def is_pure(criterion, content, examples, begin, end, targets):
    """Whether all examples of a node have the same label or target."""
    if criterion == SQUARES:
        p = begin + 1
        while p < end and targets[examples[0, p]] == targets[examples[0, begin]]:
            p += 1
        return p == end
    n_present = 0
    for c in range(content.shape[0]):
        n_present += content[c] > 0
    return n_present < 2


@njit(cache=True, nogil=True)
def between(lower, upper):
    """The middle of two neighbouring values, or the lower where rounding would reach the upper."""
    middle = lower / 2 + upper / 2
    return middle if middle < upper else lower


@njit(cache=True, nogil=True)
def longer(array, length):
    """The same rows, and room for more."""
    grown = np.empty((length, *array.shape[1:]), array.dtype)
    grown[: array.shape[0]] = array
    return grown


@njit(cache=True, nogil=True)
def part(
    criterion, ranks, j, examples, begin, end, n_values, question, labels, targets, weight, goes_left, left, right
):
    """Note for each example of a node whether it goes to the left, and fill the contents of the two sides.

    Returns how many go to the left, and the ranks that occur, as a mask (of categories), and whether any is missing.
    """
    cut, missing_left, mask = question[CUT], question[MISSING_LEFT], question[MASK]
    left[:] = 0
    right[:] = 0
    n_left, seen, missing = 0, np.int64(0), False
    for p in range(begin, end):
        i = examples[0, p]
        r = np.int64(ranks[j, i])
        if cut < 0:
            goes = (mask >> r) & 1
            seen |= np.int64(1) << r
        elif r == n_values:
            goes, missing = missing_left, True
        else:
            goes = np.int64(r <= cut)
        goes_left[i] = goes
        n_left += goes
        add_content(criterion, left if goes else right, i, labels, targets, weight)
    return n_left, seen, missing


@njit(
    "Tuple((int64[:, ::1], int64[::1], float64[::1], int64[:, ::1], float64[:, ::1], float64[::1], int64[:, ::1]))"
    "(int64[:, ::1], int32[:, ::1], int64[:, ::1], int64[::1], boolean[::1], UniTuple(float64[:, ::1], 2),"
    " Tuple((int16[::1], float64[::1], float64[::1])), int64, UniTuple(int64, 7), float64, float64, uint64)",
    cache=True,
    nogil=True,
)
def grow(kept, ranks, examples, n_values, categorical, edges, data, size, rules, least_decrease, least_weight, seed):
    """Grow a tree on the examples; returns its arrays, which `mcbook.trees.algorithm.growth.Tree` names.

    ``kept (n_features, n_examples)`` are the sorted entries of the examples, which are changed; without rows, columns
    are drawn.  ``ranks (n_features, n_samples)``; ``examples`` in one row; ``edges`` the least and the greatest value
    of every rank; ``data`` labels, targets and weights; ``size`` that of a content.  ``rules``: the criterion; which
    leaf is split next; most depth; least examples of a node that is split; least examples of a leaf; most leaves;
    columns drawn for a node.  ``least_decrease`` is a share of the total weight, ``least_weight`` that of a leaf.
    """
    criterion, order, max_depth, min_split, least, max_leaves, n_drawn = rules
    n_features, n_examples = ranks.shape[0], examples.shape[1]
    labels, targets, weight = data
    spare, goes_left = np.empty(n_examples, np.int64), np.zeros(ranks.shape[1], np.int8)
    columns, features, state = np.arange(n_features), np.arange(n_features), np.full(1, seed)
    # Rows for the columns drawn, and one to sort with.
    drawn = np.empty((0 if kept.shape[0] else n_drawn + 2, n_examples), np.int64)

    room = min(2 * n_examples, 2 * max_leaves, 512)
    children, limits, question = (
        np.empty((room, 2), np.int64),
        np.empty((room, 3), np.int64),
        np.empty((room, 4), np.int64),
    )
    feature, threshold, content = np.empty(room, np.int64), np.empty(room), np.empty((room, size))
    content[0] = 0
    for p in range(n_examples):
        add_content(criterion, content[0], examples[0, p], labels, targets, weight)
    total = size_of(criterion, content[0])
    limits[0, BEGIN], limits[0, END], limits[0, DEPTH] = 0, n_examples, 0
    frontier = [(0.0, np.int64(0)) for _ in range(0)]
    first, n_nodes, n_leaves = 0, 1, 1
    closed = np.zeros(2, np.bool_)
    closed[0] = n_examples < max(min_split, 2 * least)
    closed[0] = closed[0] or is_pure(criterion, content[0], examples, 0, n_examples, targets)
    while True:
        # Search the nodes that are new: the root, or the children of the node just split.
        for node in range(first, n_nodes):
            begin, end, depth = limits[node, BEGIN], limits[node, END], limits[node, DEPTH]
            whole = content[node]
            children[node, 0], children[node, 1], feature[node], threshold[node] = -1, -1, -1, np.nan
            if closed[node - first]:
                continue
            if kept.shape[0]:
                row, score, cut, after, missing_left, mask = search_rows(
                    criterion, kept, columns, 0, n_features, begin, end, n_values, categorical, labels, targets,
                    weight, whole, least, least_weight,
                )  # fmt: skip
            else:
                n_rows = draw_rows(ranks, examples, begin, end, n_values, n_drawn, features, state, drawn, columns)
                row, score, cut, after, missing_left, mask = search_rows(
                    criterion, drawn, columns, 0, n_rows, 0, end - begin, n_values, categorical, labels, targets,
                    weight, whole, least, least_weight,
                )  # fmt: skip
            decrease = score - side_score(criterion, whole)
            # As rounding may leave a little less than what is asked for.
            if row < 0 or decrease / total < least_decrease - 1e-15:
                continue
            feature[node] = columns[row]
            question[node, CUT], question[node, AFTER], question[node, MISSING_LEFT] = cut, after, missing_left
            question[node, MASK] = mask
            urgency = np.float64(node) if order == DEPTH_FIRST else decrease
            if order == LARGEST_MEAN_DECREASE:
                urgency /= size_of(criterion, whole)
            heappush(frontier, (-urgency, np.int64(node)))
        if not frontier or n_leaves >= max_leaves:
            break

        # Split the most urgent leaf.
        node = int(heappop(frontier)[1])
        left, right = n_nodes, n_nodes + 1
        if right >= room:
            room *= 2
            children, limits, question = longer(children, room), longer(limits, room), longer(question, room)
            feature, threshold, content = longer(feature, room), longer(threshold, room), longer(content, room)
        begin, end, depth, j = limits[node, BEGIN], limits[node, END], limits[node, DEPTH] + 1, feature[node]
        n_left, seen, missing = part(
            criterion, ranks, j, examples, begin, end, n_values[j], question[node], labels, targets, weight, goes_left,
            content[left], content[right],
        )  # fmt: skip
        # What no example of the node has goes where most of them go.
        to_left = size_of(criterion, content[left]) > size_of(criterion, content[right])
        if question[node, CUT] >= 0:
            lower, after = edges[1][j, question[node, CUT]], question[node, AFTER]
            threshold[node] = np.inf if after == n_values[j] else between(lower, edges[0][j, after])
            if not missing:
                question[node, MISSING_LEFT] = to_left
        else:
            everything = (np.int64(1) << (n_values[j] + 1)) - 1
            question[node, MASK] |= (everything & ~seen) if to_left else np.int64(0)
            question[node, MISSING_LEFT] = (question[node, MASK] >> n_values[j]) & 1
        children[node, 0], children[node, 1] = left, right
        limits[left, BEGIN], limits[left, END], limits[left, DEPTH] = begin, begin + n_left, depth
        limits[right, BEGIN], limits[right, END], limits[right, DEPTH] = begin + n_left, end, depth
        first, n_nodes, n_leaves = left, n_nodes + 2, n_leaves + 1
        partition_examples(examples, begin, end, goes_left, spare)
        for side in range(2):
            node = left + side
            begin_side, end_side = limits[node, BEGIN], limits[node, END]
            small = end_side - begin_side < max(min_split, 2 * least) or depth >= max_depth
            closed[side] = small or is_pure(criterion, content[node], examples, begin_side, end_side, targets)
        # Leaves that are never split need no order.
        if not (closed[0] and closed[1]):
            partition(kept, begin, end, goes_left, spare)

    impurity = np.empty(n_nodes)
    for node in range(n_nodes):
        impurity[node] = impurity_of(criterion, content[node])
        if children[node, 0] < 0:
            feature[node], question[node, MASK], question[node, MISSING_LEFT] = -1, 0, 0
    return (
        children[:n_nodes].copy(), feature[:n_nodes].copy(), threshold[:n_nodes].copy(), question[:n_nodes].copy(),
        content[:n_nodes].copy(), impurity, limits[:n_nodes].copy(),
    )  # fmt: skip
