"""Viterbi's algorithm on many chains side by side: inner loops run over sequences, which do not wait for each other.

Chains are taken in groups, sorted by their lengths.  Of a group the place t has the scores V[k starts[t]] and so on, a
row for each of the k labels and in it an entry for each sequence that is longer than t; those are the first ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numba.extending import overload

from mcbook.structured.kernels import larger

# The number of sequences in a group, as long as it has no more scores than stay in the processor's cache.
_FEWEST, _MOST, _SCORES = 32, 128, 1 << 16
_CHAINS = "int64[::1], int64, int64, float64[:, ::1], float64[:, ::1], int64[::1]"


@njit(cache=True, nogil=True)
def longest_first(offsets, first, last):
    """The sequences first .. last - 1, those with more positions before those with fewer."""
    lengths = offsets[first + 1 : last + 1] - offsets[first:last]
    shorter = lengths.max() - lengths
    counts = np.bincount(shorter)
    begin = np.cumsum(counts) - counts
    order = np.empty(last - first, np.int64)
    for s in range(last - first):
        order[begin[shorter[s]]] = first + s
        begin[shorter[s]] += 1
    return order


@njit(cache=True, nogil=True)
def group_size(offsets, order, n_labels):
    """How many sequences the groups have; the first of all is the longest."""
    longest = offsets[order[0] + 1] - offsets[order[0]]
    return max(_FEWEST, min(_MOST, _SCORES // (n_labels * longest)))


@njit(cache=True, nogil=True)
def begin_places(offsets, group, starts):
    """Fill ``starts`` with where the places of the group's positions begin; returns how many places there are."""
    longest = offsets[group[0] + 1] - offsets[group[0]]
    m = len(group)
    starts[0] = 0
    for t in range(longest):
        while offsets[group[m - 1] + 1] - offsets[group[m - 1]] <= t:
            m -= 1
        starts[t + 1] = starts[t] + m
    return longest


@njit(cache=True, nogil=True)
def add_ends(V, table, offsets, group, starts):
    """Add to the scores those of first and last labels, the two last rows of the table."""
    k = table.shape[1]
    for s in range(len(group)):
        t = offsets[group[s] + 1] - offsets[group[s]] - 1
        m = starts[t + 1] - starts[t]
        for i in range(k):
            V[i * len(group) + s] += table[table.shape[0] - 2, i]
            V[k * starts[t] + i * m + s] += table[table.shape[0] - 1, i]


@njit(cache=True, nogil=True)
def read_group(V, T, turned, starts, n_places, found):
    """Fill ``found`` with the best labels of all places of the group, of equally good ones the first."""
    k, widest = T.shape[0], starts[1]
    best, totals = np.empty(widest), np.empty(widest)
    for t in range(n_places - 1, 0, -1):
        m, above = starts[t + 1] - starts[t], starts[t] - starts[t - 1]
        own = V[k * starts[t] : k * starts[t + 1]].reshape((k, m))
        for i in range(k):
            top = best[:m]
            # Four labels at once, so that the maxima are read and written a quarter as often.
            for j in range(0, k - 3, 4):
                t0, t1, t2, t3 = T[i, j], T[i, j + 1], T[i, j + 2], T[i, j + 3]
                if j == 0:
                    for s in range(m):
                        first, second = larger(t0 + own[0, s], t1 + own[1, s]), larger(t2 + own[2, s], t3 + own[3, s])
                        top[s] = larger(first, second)
                else:
                    for s in range(m):
                        first = larger(t0 + own[j, s], t1 + own[j + 1, s])
                        second = larger(t2 + own[j + 2, s], t3 + own[j + 3, s])
                        top[s] = larger(top[s], larger(first, second))
            for j in range(k - k % 4, k):
                for s in range(m):
                    total = T[i, j] + own[j, s]
                    top[s] = larger(top[s], total) if j > 0 else total
            row = k * starts[t - 1] + i * above
            joined = V[row : row + m]
            for s in range(m):
                joined[s] += top[s]
    for t in range(n_places):
        m = starts[t + 1] - starts[t]
        own = V[k * starts[t] : k * starts[t + 1]].reshape((k, m))
        labels = found[starts[t] : starts[t] + m]
        parents = found[starts[t - 1] : starts[t]] if t > 0 else labels
        top = best[:m]
        for j in range(k):
            values = own[j] if t == 0 else totals[:m]
            if t > 0:
                for s in range(m):
                    values[s] = turned[j, parents[s]] + own[j, s]
            if j == 0:
                for s in range(m):
                    top[s], labels[s] = values[s], 0
            else:
                for s in range(m):
                    is_better = values[s] > top[s]
                    top[s] = values[s] if is_better else top[s]
                    labels[s] = j if is_better else labels[s]


@njit(cache=True, nogil=True)
def put_back(found, offsets, group, starts, n_places, labels):
    """Labels in the order of the positions."""
    for t in range(n_places):
        for s in range(starts[t + 1] - starts[t]):
            labels[offsets[group[s]] + t] = found[starts[t] + s]


def _dense_place(rows, offsets, group, t, table, own):
    (E,) = rows
    for s in range(own.shape[1]):
        row = E[offsets[group[s]] + t]
        for i in range(table.shape[1]):
            own[i, s] = row[i]


def _sparse_place(rows, offsets, group, t, table, own):
    values, columns, begins, place = rows
    k = table.shape[1]
    for s in range(own.shape[1]):
        at = offsets[group[s]] + t
        n, value, column = begins[at + 1] - begins[at], values[begins[at] :], columns[place[at] :]
        # Four labels at once, so that their scores wait in the processor's registers for all entries.
        i = 0
        while i + 4 <= k:
            e0, e1, e2, e3 = 0.0, 0.0, 0.0, 0.0
            for p in range(n):
                x, row = value[p], table[column[p], i : i + 4]
                e0 += x * row[0]
                e1 += x * row[1]
                e2 += x * row[2]
                e3 += x * row[3]
            own[i, s], own[i + 1, s], own[i + 2, s], own[i + 3, s] = e0, e1, e2, e3
            i += 4
        while i < k:
            own[i, s] = 0.0
            for p in range(n):
                own[i, s] += value[p] * table[column[p], i]
            i += 1


# The number of arrays decides what scores are read from: (E,) or (values, columns, begins, place).
_PLACES: dict[int, Any] = {1: _dense_place, 4: _sparse_place}


def score_place(rows: Any, offsets: Any, group: Any, t: int, table: Any, own: Any) -> None:
    """Fill ``own (n_labels, ...)`` with the scores at place t of all that are longer, but those of ends."""
    _PLACES[len(rows)](rows, offsets, group, t, table, own)


@overload(score_place)
def _compiled_place(rows, offsets, group, t, table, own):
    return _PLACES[len(rows)]


@njit(
    [
        f"(Tuple((float64[:, ::1],)), {_CHAINS})",
        f"(Tuple((float64[::1], int64[::1], int64[::1], int64[::1])), {_CHAINS})",
    ],
    cache=True,
    nogil=True,
)
def read_chains(rows, offsets, first, last, table, turned, labels):
    """Fill ``labels`` with the best labellings of the sequences first .. last - 1.

    ``rows`` are (E,), the scores of labels at positions but those of ends, or the entries (values, columns, begins,
    place) of the observations, as in `perceptron_epoch`.
    """
    k = table.shape[1]
    T = table[table.shape[0] - k - 2 : table.shape[0] - 2]
    order = longest_first(offsets, first, last)
    starts = np.empty(offsets[order[0] + 1] - offsets[order[0]] + 1, np.int64)
    size = group_size(offsets, order, k)
    for begin in range(0, len(order), size):
        group = order[begin : begin + size]
        n_places = begin_places(offsets, group, starts)
        V, found = np.empty(k * starts[n_places]), np.empty(starts[n_places], np.int64)
        for t in range(n_places):
            m = starts[t + 1] - starts[t]
            own = V[k * starts[t] : k * starts[t + 1]].reshape((k, m))
            score_place(rows, offsets, group, t, table, own)
        add_ends(V, table, offsets, group, starts)
        read_group(V, T, turned, starts, n_places, found)
        put_back(found, offsets, group, starts, n_places, labels)
