"""The dual over the labellings kept of each sequence, by steps that move weight from one of them to another.

A kept labelling differs from the right one at some positions and in some pairs, first and last labels; these alone are
listed.  Position ``position[p]`` has the label ``ours[p]`` in the right labelling and ``theirs[p]`` in the kept one;
what is no observation has a place of its own in the weights, ``given[q]`` for the right and ``taken[q]`` for the kept.
"""

from __future__ import annotations

import numpy as np
from numba import njit

_ROWS = "float64[::1], int64[::1], int64[::1], int64"
_PLANES = "int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], float64[::1]"


@njit(f"({_ROWS}, {_PLANES}, float64[::1], float64[::1])", cache=True, nogil=True)
def add_working_set(
    data, indices, begin, k, first, position, ours, theirs, first_place, given, taken, scale, coefficients, w
):
    """Add to ``w`` the gradients of all kept labellings, times their scales and these coefficients."""
    for plane in range(len(coefficients)):
        factor = coefficients[plane] * scale[plane]
        if factor != 0.0:
            for p in range(first[plane], first[plane + 1]):
                for e in range(begin[position[p]], begin[position[p] + 1]):
                    w[indices[e] * k + ours[p]] += factor * data[e]
                    w[indices[e] * k + theirs[p]] -= factor * data[e]
            for q in range(first_place[plane], first_place[plane + 1]):
                w[given[q]] += factor
                w[taken[q]] -= factor


@njit(cache=True, nogil=True)
def row_product(data, indices, begin, s, t):
    """The inner product of two sparse rows whose columns are in order."""
    a, b, total = begin[s], begin[t], 0.0
    while a < begin[s + 1] and b < begin[t + 1]:
        if indices[a] == indices[b]:
            total += data[a] * data[b]
            a, b = a + 1, b + 1
        elif indices[a] < indices[b]:
            a += 1
        else:
            b += 1
    return total


@njit(cache=True, nogil=True)
def shared_labels(given, taken, p, q):
    """What two exchanges have in common: <e_given - e_taken, e_given' - e_taken'>."""
    return int(given[p] == given[q]) - int(given[p] == taken[q]) - int(taken[p] == given[q]) + int(taken[p] == taken[q])


@njit(cache=True, nogil=True)
def ascend_simplex(gram, values, shares, m, capacity, within):
    """Move shares from the smallest value to the largest until the excess is at most so much, or after 20 m moves."""
    for _ in range(20 * m):
        up, down = 0, -1
        for a in range(m):
            if values[a] > values[up]:
                up = a
            if shares[a] > 0.0 and (down < 0 or values[a] < values[down]):
                down = a
        excess = values[up] - values[down]
        if excess <= within:
            return
        length = capacity * (gram[up, up] - 2.0 * gram[up, down] + gram[down, down])
        step = shares[down]
        if length > 0.0:
            step = min(step, excess / length)
        shares[up] += step
        # At most all of it, so that no share is ever below 0.
        shares[down] -= step
        for a in range(m):
            values[a] -= capacity * step * (gram[a, up] - gram[a, down])


@njit(
    f"float64({_ROWS}, {_PLANES}, float64[::1], int64[::1], int64[::1], int64[::1], int64[::1], float64, float64[::1], "
    "float64[::1], float64[::1], float64, float64)",
    cache=True,
    nogil=True,
)
def ascend_working_set(
    data, indices, begin, k, first, position, ours, theirs, first_place, given, taken, scale,
    offsets, listed, starts, bounds, order, capacity, alpha, w, slacks, share, least,
):  # fmt: skip
    """Visit the sequences in this order, none twice, and make their weights nearly the best for what is kept of them.

    Sequence i has the labellings listed[starts[i]] .. listed[starts[i + 1] - 1], whose shares ``alpha`` sum to 1, and
    the positions bounds[i] .. bounds[i + 1] - 1.  A visit ends when the largest value exceeds the smallest one with a
    share by at most ``share`` of what it did at first; where the gap is at most ``least`` nothing is moved.  Returns
    the sum of the gaps that the visits began with; ``slacks`` gets the largest values, as they were then.
    """
    most, longest = np.diff(starts).max(), np.diff(bounds).max()
    values, shares, chosen = np.empty(most), np.empty(most), np.empty(most, np.int64)
    gram = np.empty((most, most))
    # Scores of labels at positions and inner products of observations are computed once in a visit, if they are needed.
    scores, scored = np.empty((longest, k)), np.full((longest, k), -1)
    products, multiplied = np.empty((longest, longest)), np.full((longest, longest), -1)
    total = 0.0
    for i in order:
        n, base = starts[i + 1] - starts[i], bounds[i]
        top, low, mean = -np.inf, np.inf, 0.0
        for j in range(n):
            plane = listed[starts[i] + j]
            lead = 0.0
            for p in range(first[plane], first[plane + 1]):
                t = position[p] - base
                for label in (ours[p], theirs[p]):
                    if scored[t, label] != i:
                        score = 0.0
                        for e in range(begin[base + t], begin[base + t + 1]):
                            score += data[e] * w[indices[e] * k + label]
                        scores[t, label] = score
                        scored[t, label] = i
                lead += scores[t, ours[p]] - scores[t, theirs[p]]
            for q in range(first_place[plane], first_place[plane + 1]):
                lead += w[given[q]] - w[taken[q]]
            values[j] = offsets[plane] - scale[plane] * lead
            top = max(top, values[j])
            mean += alpha[plane] * values[j]
            if alpha[plane] > 0.0:
                low = min(low, values[j])
        slacks[i] = top
        total += capacity * (top - mean)
        if capacity * (top - mean) <= least:
            continue
        # Of the others none gains weight before these have moved.
        # For a plain 0 `ascend_simplex` would be compiled once more.
        m = np.int64(0)
        for j in range(n):
            plane = listed[starts[i] + j]
            if alpha[plane] > 0.0 or values[j] > low:
                chosen[m], values[m], shares[m] = plane, values[j], alpha[plane]
                m += 1
        for a in range(m):
            for b in range(a + 1):
                one, other = chosen[a], chosen[b]
                product = 0.0
                for p in range(first[one], first[one + 1]):
                    for q in range(first[other], first[other + 1]):
                        common = shared_labels(ours, theirs, p, q)
                        if common != 0:
                            s, t = position[p] - base, position[q] - base
                            if multiplied[s, t] != i:
                                products[s, t] = row_product(data, indices, begin, position[p], position[q])
                                multiplied[s, t] = i
                            product += common * products[s, t]
                for p in range(first_place[one], first_place[one + 1]):
                    for q in range(first_place[other], first_place[other + 1]):
                        product += shared_labels(given, taken, p, q)
                gram[a, b] = gram[b, a] = scale[one] * scale[other] * product
        ascend_simplex(gram, values, shares, m, capacity, share * (top - low))
        for a in range(m):
            plane = chosen[a]
            factor = capacity * (shares[a] - alpha[plane]) * scale[plane]
            alpha[plane] = shares[a]
            if factor != 0.0:
                for p in range(first[plane], first[plane + 1]):
                    for e in range(begin[position[p]], begin[position[p] + 1]):
                        w[indices[e] * k + ours[p]] += factor * data[e]
                        w[indices[e] * k + theirs[p]] -= factor * data[e]
                for q in range(first_place[plane], first_place[plane + 1]):
                    w[given[q]] += factor
                    w[taken[q]] -= factor
    return total
