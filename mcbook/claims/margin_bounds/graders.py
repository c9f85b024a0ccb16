"""What the chapter's exercises are marked against."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims.margin_bounds.bounds import small_distribution
from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.numbers import rational
from mcbook.foundation.types import Number
from mcbook.losses import empirical_margin_loss, margin_loss
from mcbook.margin_bounds import (
    ScoredDistribution,
    block_complexity,
    informative_sample_size,
    margin_bound,
    margins_complexity_bound,
    two_class_margin_bound,
    uniform_margin_bound,
)
from mcbook.problem import score_margins
from mcbook.rademacher import group_norm

ROWS, TRUTH = rational([[3, 1, 0], [1, 2, 0], [0, 1, 2]]), np.array([0, 0, 2])


def margin_of_the_second() -> Number:
    return score_margins(ROWS, TRUTH)[1]


def loss_of_the_table() -> Number:
    return empirical_margin_loss(score_margins(ROWS, TRUTH), Fraction(2))


def size_without_loss() -> Number:
    return informative_sample_size(1, 1, Fraction(1, 5), 100)


def size_with_half_the_loss() -> Number:
    return informative_sample_size(1, 1, Fraction(1, 5), 100, 1, Fraction(1, 2))


def violated_from() -> int:
    distribution = ScoredDistribution(rational([1]), rational([[[2, 0]]]), np.array([1]))
    return next(m for m in range(1, 200) if margin_bound(0, float(distribution.complexity(m)), 2, 2, 0.05, m) < 1)


def times_for_twice_the_classes() -> Number:
    return informative_sample_size(1, 1, 1, 10) / informative_sample_size(1, 1, 1, 5)


def times_for_longer_rows() -> Number:
    return informative_sample_size(1, 9, 1, 10) / informative_sample_size(1, 1, 1, 5)


def lines_of_the_margin_bound() -> list[int]:
    """The lines of the proof for the distribution of its trace, sorted by their values."""
    distribution, rho, m = small_distribution(), Fraction(1), 3
    cut = distribution.truncated(2 * rho)
    scores = distribution.mean_complexity(distribution.own_scores, m) + distribution.mean_complexity(
        distribution.highest_scores(2 * rho), m
    )
    lines = [
        distribution.mean_complexity(margin_loss(cut, rho), m),
        distribution.mean_complexity(cut, m) / rho,
        scores / rho,
        margins_complexity_bound(distribution.complexity(m), distribution.n_classes) / rho,
    ]
    return sorted(range(4), key=lambda place: lines[place])


def share_of_five_free_labels() -> Number:
    # Scores 0 and -1 that are free at every input have the complexity 1/2.
    return 1 / Fraction(margin_bound(0, Fraction(1, 2), 1, 5, 1, 100))


def bound_of_two_draws() -> Number:
    return two_class_margin_bound(0, block_complexity(2, 2), 1, 1, 2)


def place_on_the_grid() -> int:
    return next(j for j in range(1, 20) if Fraction(2, 3) ** j < Fraction(1, 5))


def norms_of_five_rows() -> Number:
    lengths = np.array([2] * 5)
    return Fraction(int(group_norm(lengths, 1)), int(group_norm(lengths, math.inf)))


def margin_loss_of_scores(rng: np.random.Generator) -> Iterator[Case]:
    for n_samples, n_classes, rho in ((1, 2, 1.0), (5, 3, 0.5), (40, 6, 2.0), (12, 3, 10.0)):
        scores, y = rng.normal(size=(n_samples, n_classes)) - 1, rng.integers(0, n_classes, n_samples)
        right = empirical_margin_loss(score_margins(scores, y), rho)
        yield Case(f"{n_samples} rows of {n_classes} scores, rho = {rho}", (scores, y, rho), close_to(right))


def best_margin_of_the_grid(rng: np.random.Generator) -> Iterator[Case]:
    for n_samples, complexity, k in ((200, 1e-3, 3), (1000, 1e-4, 10), (5000, 3e-5, 2)):
        margins, grid = rng.normal(0.4, 0.2, n_samples).clip(-1, 1), np.geomspace(0.02, 1, 25)
        losses = np.array([empirical_margin_loss(margins, rho) for rho in grid])
        bounds = uniform_margin_bound(losses, complexity, grid, k, 0.05, n_samples)
        case = (margins, complexity, k, 0.05, grid)
        yield Case(f"{n_samples} margins, {k} classes", case, close_to(grid[np.argmin(bounds)]))
