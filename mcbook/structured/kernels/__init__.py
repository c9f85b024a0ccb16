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


@njit(cache=True, nogil=True)
def larger(a, b):
    """The larger of two numbers that are no NaN: one instruction, where `max` needs several."""
    return b if b > a else a


@njit(cache=True, nogil=True)
def add_best_below(V, turned, parents, follows):
    """Turn the scores ``V`` into the best totals at and below every position.

    ``follows`` gets the best labels, as `viterbi` says, unless it is None, which takes less time.
    """
    n_positions, n_labels = V.shape
    best = np.empty(n_labels, V.dtype)
    # The first position has no parent.
    for t in range(n_positions - 1, 0, -1):
        p = parents[t]
        if p < 0:
            continue
        for i in range(n_labels):
            best[i] = turned[0, i] + V[t, 0]
        if follows is not None:
            chosen = follows[t]
            chosen[:] = 0
            for j in range(1, n_labels):
                below = V[t, j]
                for i in range(n_labels):
                    total = turned[j, i] + below
                    better = total > best[i]
                    best[i] = total if better else best[i]
                    chosen[i] = j if better else chosen[i]
        else:
            j = 1
            # Four labels at once, so that the maxima are read and written a quarter as often.
            while j + 4 <= n_labels:
                b0, b1, b2, b3 = V[t, j], V[t, j + 1], V[t, j + 2], V[t, j + 3]
                for i in range(n_labels):
                    first = larger(turned[j, i] + b0, turned[j + 1, i] + b1)
                    second = larger(turned[j + 2, i] + b2, turned[j + 3, i] + b3)
                    best[i] = larger(best[i], larger(first, second))
                j += 4
            while j < n_labels:
                for i in range(n_labels):
                    best[i] = larger(best[i], turned[j, i] + V[t, j])
                j += 1
        for i in range(n_labels):
            V[p, i] += best[i]


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
    n_positions, n_labels = V.shape
    add_best_below(V, turned, parents, follows)
    for t in range(n_positions):
        p = parents[t]
        if p >= 0:
            labels[t] = follows[t, labels[p]]
            continue
        labels[t] = 0
        for i in range(1, n_labels):
            if V[t, i] > V[t, labels[t]]:
                labels[t] = i


# Sums may be taken in any order: in the order of the loop they could not use the processor's wide registers.
_ANY_ORDER = {"reassoc", "contract", "nsz"}


@njit(cache=True, nogil=True, fastmath=_ANY_ORDER)
def sum_rows(table, factors, sums):
    """Fill ``sums`` with those of the rows of the square table, each row times its factor."""
    n = len(factors)
    sums[:] = 0
    j = 0
    # Four rows at once, so that the sums are read and written a quarter as often.
    while j + 4 <= n:
        f0, f1, f2, f3 = factors[j], factors[j + 1], factors[j + 2], factors[j + 3]
        for i in range(n):
            sums[i] += f0 * table[j, i] + f1 * table[j + 1, i] + f2 * table[j + 2, i] + f3 * table[j + 3, i]
        j += 4
    while j < n:
        for i in range(n):
            sums[i] += factors[j] * table[j, i]
        j += 1


@njit(
    ["(float64[:, ::1], float64[:, ::1], float64[:, ::1], int64[::1], float64[:, ::1], float64[:, ::1], float64[::1])"],
    cache=True,
    nogil=True,
    fastmath=_ANY_ORDER,
)
def sum_product(B, M, turned, parents, ratios, P, scales):
    """Marginals of all positions, from factors >= 0 in place of scores: ``B (n_positions, n_labels)`` and ``M``.

    ``B`` ends as the distribution of the label from what lies below; the product of the ``scales (n_positions,)`` of a
    sequence is its partition function.  ``P (n_positions, n_labels)`` gets the marginals, and ``ratios`` what makes
    pairs of them: the distribution of the labels of t's parent and of t is ratios[t, i] M[i, j] B[t, j].
    """
    n_labels = B.shape[1]
    message = np.empty(n_labels, B.dtype)
    for t in range(B.shape[0] - 1, -1, -1):
        total = B[t, 0]
        for i in range(1, n_labels):
            total += B[t, i]
        scales[t] = total
        share = 1 / total
        for i in range(n_labels):
            B[t, i] *= share
        p = parents[t]
        if p < 0:
            continue
        sum_rows(turned, B[t], message)
        for i in range(n_labels):
            B[p, i] *= message[i]
            ratios[t, i] = message[i]
    for t in range(B.shape[0]):
        p = parents[t]
        if p < 0:
            for i in range(n_labels):
                P[t, i], ratios[t, i] = B[t, i], 0
            continue
        for i in range(n_labels):
            # Where the message is 0 the parent never has this label, and the 0 stays.
            ratios[t, i] = P[p, i] / ratios[t, i] if ratios[t, i] > 0 else ratios[t, i]
        sum_rows(M, ratios[t], message)
        for j in range(n_labels):
            P[t, j] = B[t, j] * message[j]


@njit(
    ["(float64[:, ::1], float64[:, ::1], int64[::1], float64[::1], float64[:, ::1], float64[:, ::1], float64[:, ::1])"],
    cache=True,
    nogil=True,
)
def log_sum_product(V, T, parents, weight, messages, P, pairs):
    """The same from scores that may lie far apart or be -inf: slower, since every term needs an exponential.

    ``V`` holds the scores E and ends as the log-sum-exp of all totals at and below t if t has the label i; ``pairs``
    gets the sum of the distributions of all pairs, each times the ``weight (n_positions,)`` of its second position.
    """
    n_positions, n_labels = V.shape
    # The first position has no parent.
    for t in range(n_positions - 1, 0, -1):
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
    for t in range(n_positions):
        p = parents[t]
        P[t] = 0
        if p < 0:
            top, total = V[t].max(), 0.0
            for i in range(n_labels):
                P[t, i] = np.exp(V[t, i] - top)
                total += P[t, i]
            for i in range(n_labels):
                P[t, i] /= total
            continue
        for i in range(n_labels):
            if P[p, i] > 0:
                for j in range(n_labels):
                    pair = P[p, i] * np.exp(T[i, j] + V[t, j] - messages[t, i])
                    P[t, j] += pair
                    pairs[i, j] += weight[t] * pair


@njit(cache=True, nogil=True)
def score_positions(W, values, columns, begin, place, first, E):
    """Fill ``E`` with the scores of the positions from ``first`` on, of as many as it has rows."""
    E[:] = 0
    for t in range(E.shape[0]):
        for p in range(begin[first + t + 1] - begin[first + t]):
            value = values[begin[first + t] + p]
            row = columns[place[first + t] + p]
            for i in range(E.shape[1]):
                E[t, i] += value * W[row, i]


@njit(cache=True, nogil=True)
def score_sequence(table, values, columns, begin, place, first, parents, V):
    """Fill ``V`` with the scores of one sequence, those of its first and last labels included."""
    n_labels = table.shape[1]
    d = table.shape[0] - n_labels - 2
    score_positions(table, values, columns, begin, place, first, V)
    has_child = np.zeros(len(parents), np.int64)
    for t in range(len(parents) - 1, -1, -1):
        if parents[t] >= 0:
            has_child[parents[t]] = 1
        for i in range(n_labels):
            if parents[t] < 0:
                V[t, i] += table[d + n_labels, i]
            if not has_child[t]:
                V[t, i] += table[d + n_labels + 1, i]


@njit(["(float64[:, ::1], float64[:, ::1], int64[::1], int64[::1])"], cache=True, nogil=True)
def read_scores(V, turned, parents, labels):
    """What `viterbi` fills in, in less time: the maxima are taken without a note of where they are.

    On the way back those along the best labelling are looked for again, which costs n_labels additions for each edge
    and saves the back pointers of all others.
    """
    n_labels = V.shape[1]
    add_best_below(V, turned, parents, None)
    for t in range(V.shape[0]):
        p = parents[t]
        if p >= 0:
            for j in range(n_labels):
                V[t, j] += turned[j, labels[p]]
        label, top = 0, V[t, 0]
        for j in range(1, n_labels):
            if V[t, j] > top:
                label, top = j, V[t, j]
        labels[t] = label


@njit(
    [
        "(float64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], float64[:, ::1],"
        " float64[:, ::1], int64, int64, int64[::1])"
    ],
    cache=True,
    nogil=True,
)
def read_sequences(values, columns, begin, place, offsets, parents, table, turned, first, last, labels):
    """Fill ``labels`` with the best labellings of the sequences first .. last - 1, scored as in `perceptron_epoch`."""
    longest = 0
    for i in range(first, last):
        longest = max(longest, offsets[i + 1] - offsets[i])
    V = np.empty((longest, table.shape[1]), table.dtype)
    for i in range(first, last):
        a, b = offsets[i], offsets[i + 1]
        score_sequence(table, values, columns, begin, place, a, parents[a:b], V[: b - a])
        read_scores(V[: b - a], turned, parents[a:b], labels[a:b])


@njit(cache=True)
def shift_weights(table, values, columns, begin, place, first, parents, labels, step):
    """Add ``step`` times the joint features of the labelling to the table of weights."""
    n_labels = table.shape[1]
    d = table.shape[0] - n_labels - 2
    has_child = np.zeros(len(parents), np.int64)
    for t in range(len(parents)):
        for p in range(begin[first + t + 1] - begin[first + t]):
            table[columns[place[first + t] + p], labels[t]] += step * values[begin[first + t] + p]
        if parents[t] < 0:
            table[d + n_labels, labels[t]] += step
        else:
            has_child[parents[t]] = 1
            table[d + labels[parents[t]], labels[t]] += step
    for t in range(len(parents)):
        if not has_child[t]:
            table[d + n_labels + 1, labels[t]] += step


@njit(
    [
        "int64(float64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], float64[::1],"
        " int64[::1], float64[:, ::1], float64[:, ::1], int64)"
    ],
    cache=True,
)
def perceptron_epoch(values, columns, begin, place, offsets, parents, y, weight, order, table, delayed, step):
    """Visit the sequences in the given order; returns the number of those whose best labelling was wrong.

    An update is made as often as the ``weight`` of the sequence says.  Position t has the entries
    begin[t] .. begin[t + 1] - 1 of ``values``, their columns from place[t] on; ``parents`` are counted within the
    sequence.  Changes the weights ``table (n_features + n_labels + 2, n_labels)`` and
    ``delayed``, of that shape: every update times the visits before it.
    """
    n_labels = table.shape[1]
    d = table.shape[0] - n_labels - 2
    n_updates = 0
    turned = np.empty((n_labels, n_labels), table.dtype)
    for i in order:
        a, b = offsets[i], offsets[i + 1]
        V = np.empty((b - a, n_labels), table.dtype)
        above, truth = parents[a:b], y[a:b]
        score_sequence(table, values, columns, begin, place, a, above, V)
        for j in range(n_labels):
            for above_it in range(n_labels):
                turned[j, above_it] = table[d + above_it, j]
        found = np.zeros(b - a, np.int64)
        viterbi(V, turned, above, np.zeros((b - a, n_labels), np.int64), found)
        if (found != truth).any():
            for labels, times in ((truth, weight[i]), (found, -weight[i])):
                shift_weights(table, values, columns, begin, place, a, above, labels, times)
                shift_weights(delayed, values, columns, begin, place, a, above, labels, times * step)
            n_updates += 1
        step += 1
    return n_updates
