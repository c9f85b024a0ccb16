"""The kernels of output codes, each called with small arrays, against what they are said to do."""

import numpy as np
import pytest

from mcbook.output_codes import kernels

SEEDS = pytest.mark.parametrize("seed", range(6))
EMPTY = np.empty(0)


@SEEDS
def test_losses_are_summed_by_the_entries_of_each_row(seed):
    rng = np.random.default_rng(seed)
    n_samples, n_columns, n_classes = (int(rng.integers(1, 6)) for _ in range(3))
    plus, minus, zero = rng.normal(size=(n_samples, n_columns)), rng.normal(size=(n_samples, n_columns)), 0.75
    columns, table = rng.integers(-1, 2, (n_columns, n_classes)).astype(np.int8), np.full((n_samples, n_classes), 9.0)
    expected = np.zeros_like(table)
    for s, entries in enumerate(columns):
        expected += np.where(entries > 0, plus[:, [s]], np.where(entries < 0, minus[:, [s]], zero))
    kernels.summed_losses(plus, minus, zero, columns, table)
    assert table.tolist() == expected.tolist()


def nearest_by_definition(table, sizes, rounding):
    """For each example which classes are farther than the nearest by no more than its share of rounding."""
    smallest = table.min(axis=1, keepdims=True)
    return table <= smallest + rounding * (sizes[:, None] if len(sizes) else smallest)


# In quarters nothing is rounded, and some classes lie on the very border of a tie.
@pytest.mark.parametrize("rounding", [0.0, 0.25])
@pytest.mark.parametrize("sized", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_the_nearest_class_is_the_first_of_those_that_tie(seed, sized, rounding):
    rng = np.random.default_rng(seed)
    n_samples, n_classes = int(rng.integers(1, 9)), int(rng.integers(1, 6))
    table = rng.integers(-8 if sized else 0, 9, (n_samples, n_classes)) / 4
    sizes = rng.integers(1, 6, n_samples).astype(float) if sized else EMPTY
    chosen, several = np.full(n_samples, -7), rng.integers(0, 2, n_samples).astype(bool)
    ties = nearest_by_definition(table, sizes, rounding)
    kernels.nearest_classes(table, sizes, rounding, chosen, several)
    assert chosen.tolist() == ties.argmax(axis=1).tolist()
    assert several.tolist() == (ties.sum(axis=1) > 1).tolist()
    rows = rng.permutation(n_samples)[: n_samples // 2 + 1]
    tied = rng.integers(0, 2, (len(rows), n_classes)).astype(bool)
    kernels.tied_classes(table, sizes, rounding, rows, tied)
    assert tied.tolist() == ties[rows].tolist()


def largest_by_definition(f, M, tied, rounding):
    """The first of the tied classes, and then each that leads by more than rounding over the one before."""
    best, *others = np.flatnonzero(tied)
    for r in others:
        terms = (M[r] - M[best]) * f
        best = r if terms.sum() > rounding * abs(terms).sum() else best
    return int(best)


@pytest.mark.parametrize("rounding", [0.0, 0.25, 0.5])
@pytest.mark.parametrize("seed", range(6))
def test_the_largest_margin_among_those_that_tie_wins(seed, rounding):
    rng = np.random.default_rng(seed)
    n_samples, n_columns, n_classes = int(rng.integers(1, 7)), int(rng.integers(1, 5)), int(rng.integers(2, 6))
    F, M = rng.integers(-4, 5, (n_samples, n_columns)) / 2, rng.choice([-1.0, 0.0, 1.0], (n_classes, n_columns))
    rows, chosen = rng.permutation(n_samples)[: n_samples // 2 + 1], np.full(n_samples, -7)
    tied = rng.integers(0, 2, (len(rows), n_classes)).astype(bool)
    tied[np.arange(len(rows)), rng.integers(0, n_classes, len(rows))] = True
    expected = chosen.copy()
    for row, places in zip(rows, tied, strict=True):
        expected[row] = largest_by_definition(F[row], M, places, rounding)
    kernels.largest_margins(F, M, rows, tied, rounding, chosen)
    assert chosen.tolist() == expected.tolist()
