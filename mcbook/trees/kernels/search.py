"""The best question for a node, over columns whose entries are in order."""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.trees.kernels.categories import add_contents, best_subset
from mcbook.trees.kernels.columns import FEW, SHIFT, digits_of, sort_row
from mcbook.trees.kernels.loops import loop
from mcbook.trees.kernels.scans import scan_any, scan_entropy, scan_gini, scan_squares, sums_of
from mcbook.trees.kernels.scores import ENTROPY, GINI, SQUARES


@njit(
    "Tuple((int64, float64, int64, int64, boolean, int64))(int64, int64[:, ::1], int64[::1], int64, int64, int64,"
    " int64, int64[::1], boolean[::1], int16[::1], float64[::1], float64[::1], float64[::1], float64[:, ::1], int64,"
    " float64)",
    cache=True,
    nogil=True,
    error_model="numpy",
    _nrt=False,
)
def search_rows(
    criterion,
    entries,
    columns,
    first,
    last,
    begin,
    end,
    n_values,
    categorical,
    labels,
    targets,
    weight,
    whole,
    sides,
    least,
    least_weight,
):
    """The best question on the columns whose entries stand in the rows first .. last - 1; of equal ones the first.

    Returns the row (-1 if there is no question), the score, cut, the rank after it, whether missing values go left, and
    the mask.  A numeric column is cut between two ranks, with missing values sent either way; for a categorical one
    the mask says who goes to the left, and the cut is -1.  ``sides`` has one row, for the content of the left side.
    """
    # The rows are looked at in one function, as a call for each would count references to all arrays again.
    best, best_row, cut, after, best_missing, best_mask = -np.inf, -1, np.int64(-1), np.int64(-1), False, np.int64(0)
    left = sides[0]
    for c in range(len(left)):
        left[c] = 0
    start = sums_of(criterion, left, whole)
    for row in range(first, last):
        top = entries[row, end - 1]
        if (entries[row, begin] ^ top) >> SHIFT == 0:
            continue
        j = columns[row]
        if categorical[j]:
            score, mask = best_subset(
                criterion, entries, row, begin, end, n_values[j], labels, targets, weight, len(left), least,
                least_weight,
            )  # fmt: skip
            if score > best:
                best, best_row, cut, best_mask = score, row, np.int64(-1), mask
                best_missing = (mask >> n_values[j]) & 1 == 1
            continue
        present = end
        while entries[row, present - 1] >> SHIFT == n_values[j]:
            present -= 1
        # Missing values on the right, when all that are present may stand on the left; then on the left.
        for missing_left in range(1 if present == end else 2):
            n_left = end - present if missing_left else 0
            stop = end - 1 if present == end else present - missing_left
            for c in range(len(left)):
                left[c] = 0
            if missing_left:
                add_contents(criterion, sides, np.int64(0), entries[row], present, end, labels, targets, weight)
            sums = sums_of(criterion, left, whole) if missing_left else start
            if criterion == GINI:
                score, place = scan_gini(
                    entries, row, begin, end, stop, n_left, sums, labels, weight, left, whole, least, least_weight, best
                )
            elif criterion == ENTROPY:
                score, place = scan_entropy(
                    entries, row, begin, end, stop, n_left, sums, labels, weight, left, whole, least, least_weight, best
                )
            elif criterion == SQUARES:
                score, place = scan_squares(
                    entries,
                    row,
                    begin,
                    end,
                    stop,
                    n_left,
                    sums,
                    targets,
                    weight,
                    left,
                    whole,
                    least,
                    least_weight,
                    best,
                )
            else:
                score, place = scan_any(
                    criterion, entries, row, begin, end, stop, n_left, sums, labels, weight, left, whole, least,
                    least_weight, best,
                )  # fmt: skip
            if score > best:
                best, best_row, best_missing, best_mask = score, row, missing_left == 1, np.int64(0)
                cut, after = entries[row, place - 1] >> SHIFT, entries[row, place] >> SHIFT
    return best_row, best, cut, after, best_missing, best_mask


@loop
def next_random(state):
    """A 64-bit number from the state of a generator, which it moves on (SplitMix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@loop
def draw_next(features, drawn, state):
    """The next column that is drawn without replacement, ``drawn`` being those before; ``features`` is shuffled on."""
    other = drawn + np.int64(next_random(state) % np.uint64(len(features) - drawn))
    features[drawn], features[other] = features[other], features[drawn]
    return features[drawn]


@loop
def draw_rows(ranks, examples, begin, end, n_values, n_drawn, features, state, entries, columns, place):
    """Draw columns without replacement, and write the sorted entries of those that are not constant into rows.

    ``n_drawn`` columns are drawn, and more until one is not constant.  ``features`` is a permutation of the columns,
    which is shuffled on; ``entries`` has a row more than are drawn, to sort with.  Returns how many rows were filled.
    """
    n_rows, n, spare = np.int64(0), end - begin, entries.shape[0] - 1
    for drawn in range(len(features)):
        if drawn >= n_drawn and n_rows > 0:
            break
        j = draw_next(features, drawn, state)
        # Where sorting begins in the spare row it ends in the other one.
        n_digits, _ = digits_of(n_values[j])
        source = n_rows if n >= FEW * n_digits and n_digits % 2 == 0 else spare
        low = high = ranks[j, examples[begin]]
        for p in range(n):
            i = examples[begin + p]
            r = ranks[j, i]
            entries[source, p] = (np.int64(r) << SHIFT) | i
            low, high = min(low, r), max(high, r)
        if low < high:
            sort_row(entries, n_rows, spare, n, n_values[j], place)
            columns[n_rows] = j
            n_rows += 1
    return n_rows
