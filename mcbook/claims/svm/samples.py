"""What the claims on multi-class SVMs share: their samples."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mcbook.foundation.types import Exact, Labels
from mcbook.svm import noisy_sample


def samples(rng: np.random.Generator, count: int, fewest: int = 2) -> Iterator[tuple[Exact, Labels, int]]:
    """Samples of integers that mostly are not separable, with at least ``fewest`` classes."""
    for _ in range(count):
        k = int(rng.integers(fewest, 6))
        X, y = noisy_sample(rng, k, int(rng.integers(2, 5)), int(rng.integers(8, 20)))
        yield X, y, k
