"""What the tests of the online algorithms' kernels share."""

import itertools

import numpy as np


def assert_strongest_rivals(kernel):
    """The kernel's rival is the first of the largest scores other than the label's, for all small scores with ties."""
    for n_classes in (2, 3, 4):
        for scores in itertools.product((-1.0, 0.0, 1.0), repeat=n_classes):
            for label in range(n_classes):
                others = [z for z in range(n_classes) if z != label]
                assert kernel(np.array(scores), label) == max(others, key=scores.__getitem__), (scores, label)
