"""The most violated labelling under slack rescaling with the Hamming loss: Viterbi that counts errors."""

from __future__ import annotations

from numba import njit


@njit(
    "(float64[:, ::1], float64[:, ::1], int64[::1], int64[::1], float64[:, :, ::1], int64[:, :, ::1], "
    "int64[::1], float64[::1])",
    cache=True,
    nogil=True,
)
def slack_viterbi(E, T, y, offsets, best, follows, labels, values):
    """For each chain the labelling z with the largest L(y, z) (1 - score(y) + score(z)), L the number of errors.

    ``best[t, e, i]`` is the best score of the first t + 1 labels if they have e errors and end with i, and
    ``follows[t, e, i]`` the label before; both are long enough for the longest chain.  The best score with e errors in
    all then competes with e in front: n^2 K^2 operations for a chain of n positions.
    """
    n_labels = E.shape[1]
    for number in range(offsets.shape[0] - 1):
        first, n = offsets[number], offsets[number + 1] - offsets[number]
        own = E[first, y[first]]
        for i in range(n_labels):
            best[0, int(i != y[first]), i] = E[first, i]
        for t in range(1, n):
            at = first + t
            own += T[y[at - 1], y[at]] + E[at, y[at]]
            for i in range(n_labels):
                wrong = int(i != y[at])
                # Before the label i there are e errors in t positions; the one right label has none, the others all.
                for e in range(t + 1):
                    chosen = -1
                    top = E[at, i]
                    for j in range(n_labels):
                        if (e == 0 and j != y[at - 1]) or (e == t and j == y[at - 1]):
                            continue
                        total = best[t - 1, e, j] + T[j, i]
                        if chosen < 0 or total > top:
                            top = total
                            chosen = j
                    best[t, e + wrong, i] = top + E[at, i]
                    follows[t, e + wrong, i] = chosen
        values[number] = 0 * own
        last, errors = y[first + n - 1], 0
        for e in range(1, n + 1):
            for i in range(n_labels):
                if e == n and i == y[first + n - 1]:
                    continue
                value = e * (1 - own + best[n - 1, e, i])
                if value > values[number]:
                    values[number] = value
                    last, errors = i, e
        if errors == 0:
            for t in range(n):
                labels[first + t] = y[first + t]
            continue
        for t in range(n - 1, -1, -1):
            labels[first + t] = last
            last, errors = follows[t, errors, last], errors - int(last != y[first + t])
