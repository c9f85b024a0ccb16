"""The kernels of the bootstrap, each called with small arrays, against what they are said to do."""

import numpy as np
import pytest

from mcbook.forests import kernels

# Integers of 64 bits wrap around on purpose, of which plain numpy warns.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar:RuntimeWarning")
WRAP = 2**64
LARGE = [0, 1, 2**31, 2**33 + 5, 2**63, WRAP - 1, 0x9E3779B97F4A7C15]


def mixed(z):
    """The last steps of SplitMix64, in Python's integers."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WRAP
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WRAP
    return z ^ (z >> 31)


@pytest.mark.parametrize("n_features", [0, 1, 3])
def test_a_fingerprint_tells_label_values_and_their_places(n_features):
    bits = np.array([[z ^ (j * 77) for j in range(n_features)] for z in LARGE], dtype=np.uint64)
    labels = np.array([0, 1, 0, 2, 5, 0, 1], dtype=np.uint64)
    expected = []
    for row, label in zip(bits.tolist(), labels.tolist(), strict=True):
        z = mixed(label)
        for place, value in enumerate(row, start=1):
            z = mixed(z ^ mixed((value + place) % WRAP))
        expected.append(z)
    assert kernels.fingerprints(bits, labels).tolist() == expected


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_every_drawn_place_counts_one_for_its_example(kind):
    places = np.array([[0.0, 1.99, 3.0, 0.5], [4.0, 2.0, 3.5, 2.9]]).astype(kind)
    order, counts = np.array([2, 0, 3, 1]), np.ones((2, 5))
    kernels.count_drawn(places, order, counts)
    # The place 4 stands behind the last example, which is example 1.
    assert counts.tolist() == [[2, 2, 3, 1, 1], [1, 3, 1, 3, 1]]
