"""The most violated labelling under slack rescaling, on chains and trees: Viterbi that counts what the errors cost."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(
    "(float64[:, ::1], float64[:, ::1], int64[::1], int64[:, ::1], float64, int64[::1], int64[::1], int64[::1], "
    "float64[::1])",
    cache=True,
    nogil=True,
)
def slack_viterbi(E, turned, y, steps, unit, parents, offsets, labels, values):
    """For each sequence the labelling z with the largest L(y, z) (1 - score(y) + score(z)).

    Of equally good ones it is one with the least loss; in a chain, of these, the first in dictionary order.

    An error costs steps[y_t, z_t] times the unit, so that losses are levels e = 0, 1, 2, ... of it.  ``best[t, e, i]``
    is the best score at and below position t if t has the label i and errors of the level e; ``follows[t, e, i]`` and
    ``shares[t, e, i]`` are the label of t and its level where its parent has the label i and, with all that has been
    joined to it by then, the level e.  The best score of each level then competes with the level in front: for unit
    costs n^2 K^2 operations for a sequence of n positions.
    """
    n_labels = E.shape[1]
    longest, highest = np.diff(offsets).max(), 0
    for number in range(len(offsets) - 1):
        level = 1
        for at in range(offsets[number], offsets[number + 1]):
            level += steps[y[at]].max()
        highest = max(highest, level)
    best = np.empty((longest, highest, n_labels), E.dtype)
    follows = np.empty((longest, highest, n_labels), np.int64)
    shares = np.empty((longest, highest, n_labels), np.int64)
    reached = np.zeros((longest, highest, n_labels), np.bool_)
    message, joined = np.empty((highest, n_labels), E.dtype), np.empty((highest, n_labels), E.dtype)
    is_sent, is_joined = np.zeros(highest, np.bool_), np.zeros((highest, n_labels), np.bool_)
    top, level_of = np.empty(longest, np.int64), np.empty(longest, np.int64)
    for number in range(len(offsets) - 1):
        first, n = offsets[number], offsets[number + 1] - offsets[number]
        own = 0 * E[first, 0]
        for t in range(n):
            at = first + t
            top[t] = steps[y[at]].max()
            reached[t] = False
            for i in range(n_labels):
                best[t, steps[y[at], i], i] = E[at, i]
                reached[t, steps[y[at], i], i] = True
            own = own + E[at, y[at]]
            if parents[at] >= 0:
                own = own + turned[y[at], y[parents[at]]]
        for t in range(n - 1, 0, -1):
            p = parents[first + t] - first
            for e in range(top[t] + 1):
                is_sent[e] = False
                for j in range(n_labels):
                    if not reached[t, e, j]:
                        continue
                    below = best[t, e, j]
                    if not is_sent[e]:
                        is_sent[e] = True
                        for i in range(n_labels):
                            message[e, i] = turned[j, i] + below
                            follows[t, e, i] = j
                    else:
                        for i in range(n_labels):
                            total = turned[j, i] + below
                            better = total > message[e, i]
                            message[e, i] = total if better else message[e, i]
                            follows[t, e, i] = j if better else follows[t, e, i]
            is_joined[: top[p] + top[t] + 1] = False
            for before in range(top[p] + 1):
                for i in range(n_labels):
                    if not reached[p, before, i]:
                        continue
                    for e in range(top[t] + 1):
                        if is_sent[e]:
                            total = best[p, before, i] + message[e, i]
                            if not is_joined[before + e, i] or total > joined[before + e, i]:
                                is_joined[before + e, i] = True
                                joined[before + e, i] = total
                                shares[t, before + e, i] = e
            top[p] += top[t]
            for e in range(top[p] + 1):
                for i in range(n_labels):
                    reached[p, e, i] = is_joined[e, i]
                    if is_joined[e, i]:
                        best[p, e, i] = joined[e, i]
        values[number] = 0 * own
        level_of[0] = 0
        for e in range(1, top[0] + 1):
            for i in range(n_labels):
                if reached[0, e, i]:
                    value = unit * e * (1 - own + best[0, e, i])
                    if value > values[number]:
                        values[number] = value
                        labels[first], level_of[0] = i, e
        if level_of[0] == 0:
            for t in range(n):
                labels[first + t] = y[first + t]
            continue
        # What was joined last is taken away first: the children in their order.
        for t in range(1, n):
            p = parents[first + t] - first
            above = labels[first + p]
            level_of[t] = shares[t, level_of[p], above]
            level_of[p] -= level_of[t]
            labels[first + t] = follows[t, level_of[t], above]
