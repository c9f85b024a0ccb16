"""Winnow's kernels, each called with small arrays, against what they are said to do."""

from __future__ import annotations

import numpy as np
import pytest
from rivals import assert_strongest_rivals

from mcbook.winnow import kernels


def whole(rng, *shape):
    return rng.integers(-2, 3, shape).astype(float)


def entries(rng, n_features, at_most):
    """The columns of an example, in any order, and its values, of which some are 0."""
    columns = rng.permutation(n_features)[: int(rng.integers(0, at_most + 1))]
    return columns, whole(rng, len(columns))


SEEDS = pytest.mark.parametrize("seed", range(12))


@SEEDS
def test_scores_are_the_sums_of_an_examples_entries(seed):
    rng = np.random.default_rng(seed)
    n_features, n_classes = int(rng.integers(1, 6)), int(rng.integers(2, 6))
    W, scores, (columns, values) = (
        whole(rng, n_features, n_classes),
        np.full(n_classes, 9.0),
        entries(rng, n_features, 4),
    )
    kernels.score_all(W, columns, values, scores)
    assert scores.tolist() == (values @ W[columns]).tolist()


def test_the_strongest_rival_is_the_first_of_the_largest_scores():
    assert_strongest_rivals(kernels.strongest_rival)


def test_a_step_computes_the_weights_that_it_moves_from_their_exponents():
    E, W = np.arange(15.0).reshape(5, 3) - 7, np.full((5, 3), 99.0)
    columns, values, top = np.array([4, 0, 2, 1]), np.array([2.0, 1.0, 0.0, -1.0]), 3.0
    expected, powers = E.copy(), W.copy()
    for j, value in ((4, 2), (0, 1), (1, -1)):
        expected[j, 2] += value
        expected[j, 0] -= value
        powers[j, [2, 0]] = 2.0 ** (expected[j, [2, 0]] - top)
    kernels.multiply(W, E, 2, 0, columns, values, 2.0, top)
    assert E.tolist() == expected.tolist()
    assert W.tolist() == powers.tolist()


def test_what_comes_late_is_counted_once_for_each_visit_before_it():
    delayed = np.arange(8.0).reshape(4, 2)
    kernels.count_late(delayed, 1, 0, np.array([3, 1]), np.array([2.0, -0.5]), 3)
    assert delayed.tolist() == [[0, 1], [2 + 1.5, 3 - 1.5], [4, 5], [6 - 6, 7 + 6]]


@SEEDS
def test_after_rescaling_the_largest_weight_is_one(seed):
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(1, 5)), int(rng.integers(2, 5)))
    E, W = rng.permutation(np.prod(shape)).astype(float).reshape(shape) - 9, np.full(shape, 99.0)
    before = E.copy()
    assert kernels.rescale(W, E, 2.0) == before.max()
    assert W.tolist() == (2.0 ** (before - before.max())).tolist()
    assert E.tolist() == before.tolist()


def epoch_by_definition(examples, y, order, E, delayed, step, period, ties_violate):
    """The same pass with the factor 2 and examples as rows; returns the weights and the updates."""
    updates, top = [], E.max()
    for late, i in enumerate(order, start=step):
        scores, label = examples[i] @ 2.0 ** (E - top), y[i]
        rival = max((z for z in range(E.shape[1]) if z != label), key=scores.__getitem__)
        lost = scores[label] == scores[rival] and (ties_violate or rival < label)
        if scores[label] < scores[rival] or lost:
            for z, sign in ((label, 1), (rival, -1)):
                E[:, z] += sign * examples[i]
                delayed[:, z] += late * sign * examples[i]
            updates.append([int(i), rival])
            top = E.max() if len(updates) % period == 0 else top
    return 2.0 ** (E - top), updates


@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize("seed", range(40))
def test_an_epoch_makes_the_updates_of_the_definition(seed, dense):
    rng = np.random.default_rng(seed)
    n_features, n_classes, n_samples = int(rng.integers(1, 7)), int(rng.integers(2, 6)), int(rng.integers(1, 7))
    examples = whole(rng, n_samples, n_features)
    if dense:
        columns, place = rng.permutation(n_features), np.zeros(n_samples, dtype=np.int64)
        begin, values = n_features * np.arange(n_samples + 1), examples[:, columns].ravel()
    else:
        parts = [rng.permutation(np.flatnonzero(row)) for row in examples]
        begin = np.cumsum([0, *map(len, parts)])
        values = np.concatenate([row[part] for row, part in zip(examples, parts, strict=True)])
        # The columns stand one place further on than the values.
        columns, place = np.concatenate([[0], *parts]).astype(np.int64), begin[:-1] + 1
    y, order = rng.integers(0, n_classes, n_samples), rng.integers(0, n_samples, n_samples + 5)
    E, delayed = whole(rng, n_features, n_classes) * (seed % 2), whole(rng, n_features, n_classes)
    W, updates = np.full(E.shape, 99.0), np.full((len(order), 2), -5)
    step, period, ties_violate = int(rng.integers(0, 4)), int(rng.integers(1, 5)), bool(rng.integers(0, 2))
    expected, later = E.copy(), delayed.copy()
    powers, made = epoch_by_definition(examples, y, order, expected, later, step, period, ties_violate)
    n_updates = kernels.winnow_epoch(
        *(values, columns, begin, place, y, order, W, E, delayed, step, 2.0, period, ties_violate, updates)
    )
    assert (n_updates, updates[:n_updates].tolist()) == (len(made), made)
    assert (updates[n_updates:] == -5).all()
    assert E.tolist() == expected.tolist()
    assert delayed.tolist() == later.tolist()
    assert W.tolist() == powers.tolist()
