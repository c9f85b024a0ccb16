"""The kernels of SAMME's rounds, each called with small arrays, against what they are said to do."""

import numpy as np

from mcbook.boosting import kernels

# The examples with ranks 3, 1 and 4 are on the left of the cut after rank 4.
RANKS, CUT = np.array([5, 3, 9, 1, 4, 6], dtype=np.int32), 4
Y, D = np.array([2, 0, 1, 0, 1, 2]), np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])


def test_every_weight_is_added_to_its_side_and_class():
    weights = np.full((2, 3), 0.5)
    kernels.weigh_sides(RANKS, CUT, Y, D, weights)
    assert weights.tolist() == [[10.5, 16.5, 0.5], [0.5, 4.5, 33.5]]


def test_weights_are_multiplied_by_what_their_sides_vote_deserves():
    weights = D.copy()
    kernels.reweigh(RANKS, CUT, Y, weights, np.array([1, 2]), 3.0, 0.25)
    assert weights.tolist() == [3.0, 0.5, 1.0, 2.0, 48.0, 96.0]
