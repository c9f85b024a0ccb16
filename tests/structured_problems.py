"""What the tests of structured margins share."""

from __future__ import annotations

import numpy as np

from mcbook.structured import chains, structures
from mcbook.structured_margins import chain_problem

LENGTHS = (3, 1, 2, 3)


def float_problem(seed=0, *, rescaling="margin", lengths=LENGTHS, n_labels=3, C=0.5, cost=None):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(sum(lengths), 2)), rng.integers(0, n_labels, sum(lengths))
    return chain_problem(structures(X, chains(lengths)), y, n_labels, C, rescaling=rescaling, cost=cost)
