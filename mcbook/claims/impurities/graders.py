"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from scipy.optimize import brentq

from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.types import Number
from mcbook.impurities import (
    entropy,
    entropy_bound,
    gini,
    largest_gini,
    least_entropy,
    least_gini,
    split_gain,
    threshold_splits,
)

_THREE = [4, 2, 2]


def gini_of_three() -> Number:
    return gini(_THREE)


def entropy_of_three() -> Number:
    return entropy(_THREE)


def gain_of_b() -> Number:
    return split_gain("gini", [[8, 4], [0, 4]])


def gain_without_the_pure_child() -> Number:
    return split_gain("gini", [[8, 4]])


def entropy_lost_by_merging() -> Number:
    return entropy(_THREE) - entropy([4, 4])


def gini_lost_by_merging() -> Number:
    return gini(_THREE) - gini([4, 4])


def order_of_the_steps() -> tuple[int, ...]:
    return (0, 1, 2, 3, 4, 5)


def random_label_of_two() -> Number:
    return least_gini(Fraction(1, 5))


def random_label_of_three() -> Number:
    return largest_gini(Fraction(1, 5), 3)


def best_line() -> int:
    return max(range(1, 9), key=lambda j: float(entropy_bound(0.7, j)))


def bits_at_three_quarters() -> float:
    return float(least_entropy(0.75))


def _rise(p: float) -> float:
    """What a split into the shares 0 and 2p adds to the square of Gini impurity."""
    return -float(split_gain(lambda weights: gini(weights) ** 2, [[0, 1], [2 * p, 1 - 2 * p]]))


def limit_of_the_square() -> float:
    return float(brentq(_rise, 0.1, 0.4, xtol=1e-15))


def gains_of_children(rng: np.random.Generator) -> Iterator[Case]:
    for n_children, n_classes in ((2, 2), (2, 3), (4, 5)):
        children = rng.integers(1, 20, (n_children, n_classes)) * np.arange(1, n_children + 1)[:, None]
        right = float(split_gain("gini", children))
        yield Case(f"{n_children} children, {n_classes} classes", (children,), close_to(right))


def best_thresholds(rng: np.random.Generator) -> Iterator[Case]:
    # Mirror images gain the same in every way of computing.
    mirrored = np.array([0.0, 1.0, 2.0]), np.array([0, 1, 0])
    yield Case("3 examples, 2 classes", mirrored, close_to(0.5))
    for n_samples, n_classes in ((6, 2), (30, 3), (60, 4)):
        best = second = 0.0
        # Gains that are nearly equal would be ordered by rounding.
        while best < second + 1e-6:
            y = np.sort(rng.integers(0, n_classes, n_samples))
            # Rounded, so that some values are equal.
            values = np.round(y + rng.normal(scale=1.5, size=n_samples), 1)
            found = threshold_splits(values, y, n_classes)
            gains = split_gain("gini", found.children.astype(float))
            second, best = np.sort(gains)[-2:]
        threshold = found.thresholds[gains.argmax()]
        yield Case(f"{n_samples} examples, {n_classes} classes", (values, y), close_to(threshold))
