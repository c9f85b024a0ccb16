"""A pass of block-coordinate Frank–Wolfe over chains and trees, in terms of the marginals of their labels.

A block's weights are a distribution on its labellings.  Features and loss depend on it only through the marginals ``P``
of labels at positions and the sums ``pairs`` of those of neighbours, so these are all that is kept.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.structured.kernels import read_scores


@njit(
    "(float64[::1], int64[::1], int64[::1], int64[::1], int64[::1], boolean[::1], int64[::1], float64[:, ::1], "
    "float64[::1], float64[:, ::1], float64[:, ::1], float64[:, :, ::1], float64[::1], int64[::1])",
    cache=True,
    nogil=True,
    # Sums may be taken in any order: in the order of the loop they could not use the processor's wide registers.
    fastmath={"reassoc", "contract", "nsz"},
)
def frank_wolfe_pass(data, indices, starts, offsets, parents, leaves, y, cost, slack_costs, w, P, pairs, losses, order):
    """Visit the sequences in this order; ``w``, ``P``, ``pairs`` and the mean ``losses`` of their distributions are moved.

    ``slack_costs`` are those of the slacks; the rows of X are sparse, ``parents`` counted within each sequence;
    ``w (n_features + n_labels + 2, n_labels)`` has the weights of features, of pairs, of first and of last labels one
    below the other.
    """
    k = w.shape[1]
    d = w.shape[0] - k - 2
    longest = np.diff(offsets).max()
    V, plain = np.empty((longest, k)), np.empty((longest, k))
    z = np.empty(longest, np.int64)
    turned, change = np.empty((k, k)), np.empty((k, k))
    move, moved, ends = np.zeros((d, k)), np.empty(k), np.zeros((2, k))
    touched, is_touched = np.empty(d, np.int64), np.zeros(d, np.bool_)
    for i in order:
        first, n, C = offsets[i], offsets[i + 1] - offsets[i], slack_costs[i]
        for t in range(n):
            at = first + t
            for a in range(k):
                plain[t, a] = w[d + k, a] if t == 0 else 0.0
            if leaves[at]:
                for a in range(k):
                    plain[t, a] += w[d + k + 1, a]
            # Four features at once, so that a row of scores is written a quarter as often.
            p = starts[at]
            while p + 4 <= starts[at + 1]:
                f0, f1, f2, f3 = indices[p], indices[p + 1], indices[p + 2], indices[p + 3]
                x0, x1, x2, x3 = data[p], data[p + 1], data[p + 2], data[p + 3]
                for a in range(k):
                    plain[t, a] += x0 * w[f0, a] + x1 * w[f1, a] + x2 * w[f2, a] + x3 * w[f3, a]
                p += 4
            while p < starts[at + 1]:
                x, f = data[p], indices[p]
                for a in range(k):
                    plain[t, a] += x * w[f, a]
                p += 1
            for a in range(k):
                V[t, a] = plain[t, a] + cost[y[at], a]
        for a in range(k):
            for b in range(k):
                turned[b, a] = w[d + a, b]
                change[a, b] = -pairs[i, a, b]
        read_scores(V[:n], turned, parents[first : first + n], z[:n])
        # From the distribution of the block towards the labelling found: in marginals, and what it does to gap and
        # features.
        loss, gap, n_touched = 0.0, 0.0, 0
        ends[:] = 0.0
        for t in range(n):
            at = first + t
            loss += cost[y[at], z[t]]
            if parents[at] >= 0:
                change[z[parents[at]], z[t]] += 1.0
            if P[at, z[t]] == 1.0:
                continue
            for a in range(k):
                moved[a] = (1.0 if a == z[t] else 0.0) - P[at, a]
                gap += moved[a] * plain[t, a]
                if t == 0:
                    ends[0, a] += moved[a]
                if leaves[at]:
                    ends[1, a] += moved[a]
            for p in range(starts[at], starts[at + 1]):
                x, f = data[p], indices[p]
                if not is_touched[f]:
                    is_touched[f] = True
                    touched[n_touched] = f
                    n_touched += 1
                for a in range(k):
                    move[f, a] += x * moved[a]
        gap += loss - losses[i]
        length = 0.0
        for a in range(k):
            length += ends[0, a] ** 2 + ends[1, a] ** 2
            for b in range(k):
                gap += change[a, b] * w[d + a, b]
                length += change[a, b] ** 2
        for place in range(n_touched):
            f = touched[place]
            of_feature = 0.0
            for a in range(k):
                of_feature += move[f, a] * move[f, a]
            length += of_feature
        step = 0.0
        if gap > 0.0:
            step = 1.0 if C * length == 0.0 else min(1.0, gap / (C * length))
        for place in range(n_touched):
            f = touched[place]
            is_touched[f] = False
            for a in range(k):
                w[f, a] -= C * step * move[f, a]
                move[f, a] = 0.0
        for a in range(k):
            w[d + k, a] -= C * step * ends[0, a]
            w[d + k + 1, a] -= C * step * ends[1, a]
            for b in range(k):
                w[d + a, b] -= C * step * change[a, b]
                pairs[i, a, b] += step * change[a, b]
        losses[i] += step * (loss - losses[i])
        for t in range(n):
            for a in range(k):
                P[first + t, a] += step * ((1.0 if a == z[t] else 0.0) - P[first + t, a])
