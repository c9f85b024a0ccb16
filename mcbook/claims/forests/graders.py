"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.forests import (
    all_bootstraps,
    breiman_bound,
    fewest_draws,
    out_of_bag_mixture,
    seen_share,
    worst_forest_error,
)
from mcbook.forests.theory import out_of_bag_share
from mcbook.foundation.answers import Case, close_to


def share_of_three() -> Fraction:
    return seen_share(3)


def nobody_votes() -> Fraction:
    return out_of_bag_share(2) ** 3


def draws_of_four() -> int:
    return fewest_draws(4)


def worst_of_a_half() -> Fraction:
    return Fraction(worst_forest_error(Fraction(1, 2), Fraction(1, 3)))


def breiman_of_a_half() -> Fraction:
    return Fraction(breiman_bound(Fraction(1, 2), Fraction(1, 3)))


def fully_correlated() -> Fraction:
    return Fraction(worst_forest_error(Fraction(1, 5), 1))


def bagged_median() -> Fraction:
    return sum((p for counts, p in all_bootstraps(3) if counts[2] >= 2), start=Fraction(0))


def mixture_of_two() -> Fraction:
    return Fraction(out_of_bag_mixture([Fraction(1, 2), Fraction(1, 4)], 2))


def order_of_the_proof() -> tuple[int, ...]:
    return (0, 1, 2, 3, 4)


def votes_out_of_bag(rng: np.random.Generator) -> Iterator[Case]:
    for n_trees, n_samples, k in ((1, 3, 2), (4, 5, 3), (9, 12, 4)):
        labels = rng.integers(0, k, (n_trees, n_samples))
        counts = rng.integers(0, 3, (n_trees, n_samples))
        right = np.zeros((n_samples, k))
        for row, count in zip(labels, counts, strict=True):
            for i in np.flatnonzero(count == 0):
                right[i, row[i]] += 1
        yield Case(f"{n_trees} trees, {n_samples} examples, {k} classes", (labels, counts, k), close_to(right))


def margins_of_votes(rng: np.random.Generator) -> Iterator[Case]:
    for n_trees, n_samples, k in ((3, 2, 2), (7, 6, 3), (20, 12, 4)):
        labels, y = rng.integers(0, k, (n_trees, n_samples)), rng.integers(0, k, n_samples)
        right = []
        for i in range(n_samples):
            shares = [float((labels[:, i] == c).mean()) for c in range(k)]
            own = shares.pop(int(y[i]))
            right.append(own - max(shares))
        yield Case(f"{n_trees} trees, {n_samples} examples, {k} classes", (labels, y, k), close_to(right))
