"""A data set of a moment, made here: the whole grid can be tried on it with no data and no network."""

from __future__ import annotations

import numpy as np

from mcbook.experiments.tables import Table

NAME = "tiny"
N_CLASSES, N_FEATURES, N_SAMPLES = 4, 3, 84


def tiny_table() -> Table:
    """Four clouds of 21 points that touch each other, on a grid of eighths, so that sums of them are exact."""
    rng = np.random.default_rng(20000)
    y = np.arange(N_SAMPLES) % N_CLASSES
    centres = np.array([[0, 0, 0], [2, 0, 1], [0, 2, 1], [2, 2, 0]])
    X = centres[y] + rng.integers(-10, 11, (N_SAMPLES, N_FEATURES)) / 8
    names = tuple(f"x{j + 1}" for j in range(N_FEATURES))
    none = np.zeros(N_FEATURES, dtype=bool)
    return Table(NAME, X, y, np.arange(N_CLASSES), names, none, ((),) * N_FEATURES, None)
