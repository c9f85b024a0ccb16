"""Dynamic programming on many chains and trees at once.

All positions lie one after the other; ``parents[t] < t`` is the position before t, or above it in a tree, and -1 at the
first position of a sequence.  A chain is the tree in which everybody has one child.  So one sweep from the last
position to the first collects what lies below every position, and one sweep back hands out what lies around it.

Scores are ``E (n_positions, n_labels)`` for a label at its place and ``T (n_labels, n_labels)`` for a label of the
parent (row) beside one of the child (column); ``turned`` is T transposed, in memory too, so that the inner loops run
along rows.  The two kernels without a logarithm run on fractions as well.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(
    ["(float64[:, ::1], float64[:, ::1], int64[::1], int64[:, ::1], int64[::1])"],
    cache=True,
    nogil=True,
)
def viterbi(V, turned, parents, follows, labels):
    """Fill ``labels`` with the best labelling of every sequence, of equally good ones the first in dictionary order.

    ``V`` holds the scores E and ends as V[t, i], the best total at and below t if t has the label i; ``follows[t, i]``
    is the first best label of t if its parent has the label i.
    """
    n_labels = V.shape[1]
    best = np.empty(n_labels, V.dtype)
    for t in range(V.shape[0] - 1, -1, -1):
        p = parents[t]
        if p < 0:
            continue
        chosen = follows[t]
        for i in range(n_labels):
            best[i] = turned[0, i] + V[t, 0]
            chosen[i] = 0
        for j in range(1, n_labels):
            below = V[t, j]
            for i in range(n_labels):
                total = turned[j, i] + below
                better = total > best[i]
                best[i] = total if better else best[i]
                chosen[i] = j if better else chosen[i]
        for i in range(n_labels):
            V[p, i] += best[i]
    for t in range(V.shape[0]):
        p = parents[t]
        if p >= 0:
            labels[t] = follows[t, labels[p]]
            continue
        labels[t] = 0
        for i in range(1, n_labels):
            if V[t, i] > V[t, labels[t]]:
                labels[t] = i


@njit(
    ["(float64[:, ::1], float64[:, ::1], float64[:, ::1], int64[::1], float64[:, ::1], float64[:, ::1], float64[::1])"],
    cache=True,
    nogil=True,
    # Sums may be taken in any order: in the order of the loop they could not use the processor's wide registers.
    fastmath={"reassoc", "contract", "nsz"},
)
def sum_product(B, M, turned, parents, ratios, P, scales):
    """Marginals of all positions, from factors >= 0 in place of scores: ``B (n_positions, n_labels)`` and ``M``.

    ``B`` ends as the law of the label from what lies below; the product of the ``scales (n_positions,)`` of a sequence
    is its partition function.  ``P (n_positions, n_labels)`` gets the marginals, and ``ratios`` what makes pairs of
    them: the law of the labels of t's parent and of t is ratios[t, i] M[i, j] B[t, j].
    """
    n_labels = B.shape[1]
    message = np.empty(n_labels, B.dtype)
    for t in range(B.shape[0] - 1, -1, -1):
        total = B[t, 0]
        for i in range(1, n_labels):
            total += B[t, i]
        scales[t] = total
        for i in range(n_labels):
            B[t, i] /= total
        p = parents[t]
        if p < 0:
            continue
        message[:] = 0
        for j in range(n_labels):
            below = B[t, j]
            for i in range(n_labels):
                message[i] += turned[j, i] * below
        for i in range(n_labels):
            B[p, i] *= message[i]
            ratios[t, i] = message[i]
    for t in range(B.shape[0]):
        p = parents[t]
        if p < 0:
            P[t] = B[t]
            ratios[t] = 0
            continue
        message[:] = 0
        for i in range(n_labels):
            # Where the message is 0 the parent never has this label.
            ratio = P[p, i] / ratios[t, i] if ratios[t, i] > 0 else 0 * P[p, i]
            ratios[t, i] = ratio
            for j in range(n_labels):
                message[j] += ratio * M[i, j]
        for j in range(n_labels):
            P[t, j] = B[t, j] * message[j]


@njit(
    ["(float64[:, ::1], float64[:, ::1], int64[::1], float64[:, ::1], float64[:, ::1], float64[:, ::1])"],
    cache=True,
    nogil=True,
)
def log_sum_product(V, T, parents, messages, P, pairs):
    """The same from scores that may lie far apart or be -inf: slower, since every term needs an exponential.

    ``V`` holds the scores E and ends as the log-sum-exp of all totals at and below t if t has the label i; ``pairs``
    gets the sum of the laws of all pairs.
    """
    n_labels = V.shape[1]
    for t in range(V.shape[0] - 1, -1, -1):
        p = parents[t]
        if p < 0:
            continue
        for i in range(n_labels):
            top = -np.inf
            for j in range(n_labels):
                top = max(top, T[i, j] + V[t, j])
            total = 0.0
            if top > -np.inf:
                for j in range(n_labels):
                    total += np.exp(T[i, j] + V[t, j] - top)
                top += np.log(total)
            messages[t, i] = top
            V[p, i] += top
    for t in range(V.shape[0]):
        p = parents[t]
        P[t] = 0
        if p < 0:
            top = V[t].max()
            for i in range(n_labels):
                P[t, i] = np.exp(V[t, i] - top)
            P[t] /= P[t].sum()
            continue
        for i in range(n_labels):
            if P[p, i] > 0:
                for j in range(n_labels):
                    pair = P[p, i] * np.exp(T[i, j] + V[t, j] - messages[t, i])
                    P[t, j] += pair
                    pairs[i, j] += pair
