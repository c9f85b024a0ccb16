"""A whole tree from sorted columns.

The frontier holds the leaves for which a question is known.  The next of them is split, its children are searched for
questions of their own, and so on until the frontier is empty or there are leaves enough.  The entries of every column
stay in order on each side of a split (a stable partition), so nothing is sorted twice; where only some columns are
drawn for a node, the node's entries of these are sorted instead.  Where columns have few values, a table of what the
ranks contain takes the place of the entries in order.
"""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np
from numba import njit

from mcbook.trees.kernels.categories import add_contents
from mcbook.trees.kernels.columns import INDEX, SHIFT
from mcbook.trees.kernels.loops import loop
from mcbook.trees.kernels.scores import SQUARES, impurity_of, side_score, size_of
from mcbook.trees.kernels.search import draw_rows, search_rows
from mcbook.trees.kernels.tables import N_MORE, search_all, search_drawn

DEPTH_FIRST, LARGEST_DECREASE, LARGEST_MEAN_DECREASE = 0, 1, 2
# The columns of a node's record: its children and its feature, -1 in leaves; where its examples begin and end; its
# depth; whether it may be split; and its question, the last rank on the left and the next one that occurs, or -1 and
# the mask of the categories.
LEFT, RIGHT, FEATURE, BEGIN, END, DEPTH, OPEN, CUT, AFTER, MISSING_LEFT, MASK = range(11)
# A table of drawn columns pays for a node with an example for each so many cells of its ranks and classes.
WORTH_A_TABLE = 2


@loop
def partition(entries, begin, end, goes_left, spare):
    """Bring the entries of the left side before the others in every row, each side in the order it had.

    Rows that are constant are left as they are: their column is never asked about again below the node.
    """
    for row in range(entries.shape[0]):
        if entries[row, begin] >> SHIFT == entries[row, end - 1] >> SHIFT:
            continue
        # 64 bits also where this runs uncompiled: sums of the short numbers in goes_left stay short there.
        n_left, n_right = begin, np.int64(0)
        for p in range(begin, end):
            # Both are written and only one of them counts, which costs less than a guess at the branch.
            entry = entries[row, p]
            entries[row, n_left] = entry
            spare[n_right] = entry
            n_left += goes_left[entry & INDEX]
            n_right += 1 - goes_left[entry & INDEX]
        for p in range(n_right):
            entries[row, n_left + p] = spare[p]


@loop
def part(
    criterion, ranks, j, examples, begin, end, n_values, question, labels, targets, weight, goes_left, spare, content,
    left,
):  # fmt: skip
    """Bring the examples of the left side before the others, and fill the contents of the children left, left + 1.

    Returns how many go to the left, the ranks that occur, as a mask (of categories), and whether any is missing.
    """
    cut, missing_left, mask = question[CUT], question[MISSING_LEFT], question[MASK]
    for c in range(content.shape[1]):
        content[left, c], content[left + 1, c] = 0, 0
    n_left, n_right, seen, missing = begin, 0, np.int64(0), False
    for p in range(begin, end):
        i = examples[p]
        r = np.int64(ranks[j, i])
        if cut < 0:
            goes = (mask >> r) & 1
            seen |= np.int64(1) << r
        elif r == n_values:
            goes, missing = missing_left, True
        else:
            goes = np.int64(r <= cut)
        goes_left[i] = goes
        examples[n_left], spare[n_right] = i, i
        n_left += goes
        n_right += 1 - goes
    for p in range(n_right):
        examples[n_left + p] = spare[p]
    add_contents(criterion, content, left, examples, begin, n_left, labels, targets, weight)
    add_contents(criterion, content, left + 1, examples, n_left, end, labels, targets, weight)
    return n_left - begin, seen, missing


@loop
def is_pure(criterion, content, examples, begin, end, targets):
    """Whether all examples of a node have the same label or target."""
    if criterion == SQUARES:
        p = begin
        while p < end and targets[examples[p]] == targets[examples[begin]]:
            p += 1
        return p == end
    return n_present(content) < 2


@loop
def n_present(content):
    """How many classes a node has."""
    n = 0
    for c in range(len(content)):
        n += content[c] > 0
    return n


@loop
def make_node(criterion, nodes, node, begin, end, depth, content, examples, targets, min_split, max_depth):
    """Write the record of a leaf, and whether it may be split."""
    nodes[node, LEFT], nodes[node, RIGHT], nodes[node, FEATURE], nodes[node, CUT] = -1, -1, -1, -1
    nodes[node, BEGIN], nodes[node, END], nodes[node, DEPTH] = begin, end, depth
    nodes[node, AFTER], nodes[node, MISSING_LEFT], nodes[node, MASK] = 0, 0, 0
    may_split = end - begin >= min_split and depth < max_depth
    nodes[node, OPEN] = may_split and not is_pure(criterion, content[node], examples, begin, end, targets)


@njit(cache=True, nogil=True, error_model="numpy")
def longer(rows, length):
    """The same rows, and room for more."""
    grown = np.empty((length, rows.shape[1]), rows.dtype)
    for row in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            grown[row, column] = rows[row, column]
    return grown


@njit(
    "Tuple((int64[:, ::1], float64[:, ::1], float64[::1]))"
    "(int64[:, ::1], uint32[:, ::1], int64, int32[:, ::1], int64[::1], int64[::1], boolean[::1], Tuple((int16[::1],"
    " float64[::1], float64[::1])), int64, UniTuple(int64, 7), float64, float64, uint64)",
    cache=True,
    nogil=True,
    error_model="numpy",
)
def grow(
    kept, cells, n_ranks, ranks, examples, n_values, categorical, data, size, rules, least_decrease, least_weight, seed
):  # fmt: skip
    """Grow a tree on the examples; returns the records of its nodes, their contents, and their impurities.

    ``kept (n_features, n_examples)`` are the sorted entries of the examples, which are changed; there are none where
    columns are drawn, or where ``cells (n_samples, n_features)`` say where the values are counted in a table of all
    columns.  ``n_ranks``, if it is not 0, are those of a table.  ``ranks (n_features, n_samples)``; ``data`` labels,
    targets and weights; ``size`` that of a content.
    ``rules``: the criterion; which leaf is split next; most depth; least examples of a node that is split; least
    examples of a leaf; most leaves; columns drawn for a node.  ``least_decrease`` is a share of the total weight,
    ``least_weight`` that of a leaf.
    """
    criterion, order, max_depth, min_split, least, max_leaves, n_drawn = rules
    n_features, n_examples, drawing = ranks.shape[0], len(examples), n_drawn < ranks.shape[0]
    labels, targets, weight = data
    spare, goes_left = np.empty(n_examples, np.int64), np.zeros(ranks.shape[1], np.int8)
    columns, features, state = np.arange(n_features), np.arange(n_features), np.empty(1, np.uint64)
    state[0] = seed
    # Rows for the columns drawn, and one to sort with.
    rows = np.empty((n_drawn + 1, n_examples), np.int64) if drawing else kept
    place, sides, n_rows = np.empty(257, np.int64), np.empty((1, size)), n_features
    table, memory = np.empty((size, n_ranks * n_drawn)), np.empty((size + N_MORE, n_drawn))

    most_nodes = min(2 * n_examples, 2 * max_leaves, 512)
    nodes, content = np.empty((most_nodes, 11), np.int64), np.zeros((most_nodes, size))
    root = np.int64(0)
    add_contents(criterion, content, root, examples, root, n_examples, labels, targets, weight)
    total = size_of(criterion, content[root])
    min_split = max(min_split, 2 * least)
    make_node(criterion, nodes, root, root, n_examples, root, content, examples, targets, min_split, max_depth)
    frontier = [(total, root) for _ in range(0)]
    first, n_nodes, n_leaves = root, 1, 1
    while True:
        # Search the nodes that are new: the root, or the children of the node just split.
        for node in range(first, n_nodes):
            if not nodes[node, OPEN]:
                continue
            begin, end, whole = nodes[node, BEGIN], nodes[node, END], content[node]
            missing_left, mask = False, np.int64(0)
            if len(cells):
                row, score, cut, after = search_all(
                    cells, n_ranks, np.uint64(0), np.uint64(n_features), examples, begin, end, labels, weight, whole,
                    table, memory,
                )  # fmt: skip
            elif n_ranks and n_ranks * n_present(whole) <= WORTH_A_TABLE * (end - begin):
                row, score, cut, after = search_drawn(
                    ranks, n_ranks, n_drawn, features, state, columns, examples, begin, end, labels, weight, whole,
                    table, memory,
                )  # fmt: skip
            else:
                if drawing:
                    n_rows = draw_rows(
                        ranks, examples, begin, end, n_values, n_drawn, features, state, rows, columns, place
                    )
                    begin, end = 0, end - begin
                row, score, cut, after, missing_left, mask = search_rows(
                    criterion, rows, columns, 0, n_rows, begin, end, n_values, categorical, labels, targets, weight,
                    whole, sides, least, least_weight,
                )  # fmt: skip
            decrease = score - side_score(criterion, whole)
            # As rounding may leave a little less than what is asked for.
            if row < 0 or decrease / total < least_decrease - 1e-15:
                continue
            nodes[node, FEATURE], nodes[node, CUT], nodes[node, AFTER] = columns[row], cut, after
            nodes[node, MISSING_LEFT], nodes[node, MASK] = missing_left, mask
            urgency = np.float64(node) if order == DEPTH_FIRST else decrease
            if order == LARGEST_MEAN_DECREASE:
                urgency /= size_of(criterion, whole)
            heappush(frontier, (-urgency, np.int64(node)))
        if not frontier or n_leaves >= max_leaves:
            break

        # Split the most urgent leaf.
        node = int(heappop(frontier)[1])
        left, right = n_nodes, n_nodes + 1
        if right >= most_nodes:
            most_nodes *= 2
            nodes, content = longer(nodes, most_nodes), longer(content, most_nodes)
        begin, end, depth, j = nodes[node, BEGIN], nodes[node, END], nodes[node, DEPTH] + 1, nodes[node, FEATURE]
        n_left, seen, missing = part(
            criterion, ranks, j, examples, begin, end, n_values[j], nodes[node], labels, targets, weight, goes_left,
            spare, content, left,
        )  # fmt: skip
        # What no example of the node has goes where most of them go.
        to_left = size_of(criterion, content[left]) > size_of(criterion, content[right])
        if nodes[node, CUT] >= 0:
            if not missing:
                nodes[node, MISSING_LEFT] = to_left
        else:
            everything = (np.int64(1) << (n_values[j] + 1)) - 1
            nodes[node, MASK] |= (everything & ~seen) if to_left else np.int64(0)
            nodes[node, MISSING_LEFT] = (nodes[node, MASK] >> n_values[j]) & 1
        nodes[node, LEFT], nodes[node, RIGHT] = left, right
        middle = begin + n_left
        make_node(criterion, nodes, left, begin, middle, depth, content, examples, targets, min_split, max_depth)
        make_node(criterion, nodes, right, middle, end, depth, content, examples, targets, min_split, max_depth)
        first, n_nodes, n_leaves = np.int64(left), n_nodes + 2, n_leaves + 1
        # Leaves that are never split need no order.
        if nodes[left, OPEN] or nodes[right, OPEN]:
            partition(kept, begin, end, goes_left, spare)

    impurity = np.empty(n_nodes)
    for node in range(n_nodes):
        impurity[node] = impurity_of(criterion, content[node])
        if nodes[node, LEFT] < 0:
            nodes[node, FEATURE], nodes[node, CUT], nodes[node, MASK], nodes[node, MISSING_LEFT] = -1, -1, 0, 0
    return nodes[:n_nodes].copy(), content[:n_nodes].copy(), impurity


@loop
def threshold_between(n_values, low, high, j, cut, after):
    """The middle of a rank's greatest value and the least value of the next rank that occurs.

    It is the former where rounding would reach the latter, and infinite where only missing values come after.
    """
    if after == n_values[j]:
        return np.inf
    middle = high[j, cut] / 2 + low[j, after] / 2
    return middle if middle < low[j, after] else high[j, cut]


@njit("float64[::1](int64[:, ::1], int64[::1], float64[:, ::1], float64[:, ::1])", cache=True, nogil=True)
def thresholds_of(nodes, n_values, low, high):
    """The threshold of every node, NaN where it is a leaf or asks for a category."""
    found = np.full(nodes.shape[0], np.nan)
    for node in range(nodes.shape[0]):
        if nodes[node, CUT] >= 0:
            found[node] = threshold_between(
                n_values, low, high, nodes[node, FEATURE], nodes[node, CUT], nodes[node, AFTER]
            )
    return found
