"""What a bootstrap counts: numbers that tell examples apart, and how often each example is drawn."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit("uint64(uint64)", cache=True, nogil=True)
def mixed(z):
    """The last steps of SplitMix64."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit("uint64[::1](uint64[:, ::1], uint64[::1])", cache=True, nogil=True)
def fingerprints(bits, labels):
    """A number for each example from the bits of its values and its label, the same for equal examples."""
    found = np.empty(bits.shape[0], np.uint64)
    for i in range(bits.shape[0]):
        z = mixed(labels[i])
        for j in range(bits.shape[1]):
            z = mixed(z ^ mixed(bits[i, j] + np.uint64(j + 1)))
        found[i] = z
    return found


@njit([f"void({kind}[:, ::1], int64[::1], float64[:, ::1])" for kind in ("int64", "float64")], cache=True, nogil=True)
def count_drawn(places, order, counts):
    """For each tree add one to the count of the example at each drawn place of the order, ``places`` rounded down.

    A product that was rounded up to the total stands behind the last example, and counts for it.
    """
    for t in range(places.shape[0]):
        for p in range(places.shape[1]):
            counts[t, order[min(np.int64(places[t, p]), len(order) - 1)]] += 1
