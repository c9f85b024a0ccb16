"""What a round of SAMME does with the weights of the examples after its stump.

An example is on the left side, 0, if the rank of its value is at most ``cut``, and else on the right, 1.
"""

from __future__ import annotations

from numba import njit


@njit("void(int32[::1], int64, int64[::1], float64[::1], float64[:, ::1])", cache=True, nogil=True)
def weigh_sides(ranks, cut, y, D, weights):
    """Add the weight of every example to its side and class, ``weights (2, n_classes)``."""
    for i in range(len(D)):
        weights[int(ranks[i] > cut), y[i]] += D[i]


@njit("void(int32[::1], int64, int64[::1], float64[::1], int64[::1], float64, float64)", cache=True, nogil=True)
def reweigh(ranks, cut, y, D, votes, of_right, of_wrong):
    """Multiply the weights of what the side's vote names rightly by ``of_right``, the others by ``of_wrong``."""
    for i in range(len(D)):
        D[i] *= of_right if votes[int(ranks[i] > cut)] == y[i] else of_wrong
