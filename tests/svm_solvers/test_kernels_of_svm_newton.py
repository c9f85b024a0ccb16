"""The kernels of the smoothed losses, of their curvature and of sub-gradient steps, against a few lines of numpy."""

import itertools

import numpy as np
import pytest
from svm_samples import BOTH, best_flows, flows_of_an_example, hinges_of

from mcbook.svm_solvers.kernels import newton, subgradient


def smoothed_example(scores, label, capacity, centre, tau, one_slack):
    """Loss, flows, free classes, and their number with the label where that is free, as they are defined."""
    rivals = np.arange(len(scores)) != label
    excess = np.where(rivals, 1 + scores - scores[label], 0)
    if one_slack:
        flows = best_flows(scores, label, capacity, 1 / (tau * capacity), centre, True)
        free = np.where(rivals, flows < 0, flows < capacity * (1 - 1e-12))
        support, counted = free.sum(), np.ones(len(scores), bool)
    else:
        wanted = tau * capacity * excess - centre
        flows = np.where(rivals, -np.clip(wanted, 0, capacity), 0)
        flows[label] = -flows.sum()
        free = rivals & (wanted > 0) & (wanted < capacity)
        free[label] = free.any()
        support, counted = max(free.sum(), 1), rivals
    distance = ((flows - centre)[counted] ** 2).sum()
    potentials = np.sort(excess)
    room = potentials[-1] - potentials[-2] if one_slack else np.abs(excess[rivals]).min()
    allowed = room if support == 1 and distance <= 1e-20 * capacity**2 else -1
    return -(flows @ excess) - distance / (2 * tau * capacity), flows, free, support, allowed


def corner_of_an_example(rng, n_classes, label, capacity, one_slack):
    """Flows that stand in a corner, and scores with which they stay there."""
    centre, scores = np.zeros(n_classes), rng.uniform(-0.8, 0, n_classes)
    giving = rng.random(n_classes) < 0.5
    if one_slack:
        giving[:] = np.arange(n_classes) == rng.integers(n_classes)
    giving[label] = False
    scores[giving] += 4
    scores[label] = 1.5
    centre[giving] = -capacity
    centre[label] = -centre.sum()
    return centre, scores


@BOTH
@pytest.mark.parametrize("seed", range(8))
def test_every_example_has_its_maximum_over_the_flows(seed, one_slack):
    rng, tau = np.random.default_rng(seed), [0.3, 2.0][seed % 2]
    m, k = 14, int(rng.integers(2, 6))
    scores, y, capacity = rng.normal(size=(m, k)), rng.integers(0, k, m), rng.uniform(0.2, 3, m)
    centres = np.empty((m, k))
    for i in range(m):
        if i % 2:
            centres[i] = flows_of_an_example(rng, k, y[i], capacity[i], one_slack)
        else:
            centres[i], scores[i] = corner_of_an_example(rng, k, y[i], capacity[i], one_slack)
    flows, free, support, allowed = np.empty((m, k)), np.empty((m, k), bool), np.zeros(m, int), np.empty(m)
    given = [table.copy() for table in (scores, y, capacity, centres)]
    smoothed, hinges = newton.smoothed_losses(
        scores, y, capacity, centres, tau, one_slack, flows, free, support, allowed
    )
    expected = [
        smoothed_example(*example, tau, one_slack) for example in zip(scores, y, capacity, centres, strict=True)
    ]
    assert smoothed == pytest.approx(sum(one[0] for one in expected), rel=1e-11)
    assert hinges == pytest.approx(capacity @ hinges_of(scores, y, one_slack), rel=1e-12)
    for i, (_, flow, is_free, n_free, shift) in enumerate(expected):
        np.testing.assert_allclose(flows[i], flow, atol=1e-12)
        assert free[i].tolist() == is_free.tolist()
        assert support[i] == n_free
        assert allowed[i] == pytest.approx(shift, rel=1e-10)
    assert (allowed >= 0).any()
    for mine, before in zip((scores, y, capacity, centres), given, strict=True):
        np.testing.assert_array_equal(mine, before)


def free_classes(rng, m, k, one_slack):
    free, y = rng.random((m, k)) < 0.6, rng.integers(0, k, m)
    if one_slack:
        free[~free.any(axis=1), k - 1] = True
        return free, y, free.sum(axis=1)
    free[np.arange(m), y] = False
    free[np.arange(m), y] = free.any(axis=1)
    return free, y, np.maximum(free.sum(axis=1), 1)


def coupled(mask, label, one_slack):
    if one_slack:
        return np.diag(mask.astype(float)) - np.outer(mask, mask) / mask.sum()
    rivals = mask & (np.arange(len(mask)) != label)
    differences = np.eye(len(mask))[rivals] - np.eye(len(mask))[label]
    return differences.T @ differences


@BOTH
@pytest.mark.parametrize("seed", range(6))
def test_the_lower_half_is_the_sum_over_the_examples_in_whatever_order(seed, one_slack):
    rng = np.random.default_rng(seed)
    m, k, d = 11, int(rng.integers(2, 5)), 2
    X, taus = rng.normal(size=(m, d)), rng.uniform(0.2, 2, m)
    free, y, support = free_classes(rng, m, k, one_slack)
    expected = np.eye(k * d)
    for x, mask, label, tau in zip(X, free, y, taus, strict=True):
        expected += np.kron(coupled(mask, label, one_slack), tau * np.outer(x, x))
    lower = np.tril_indices(k * d)
    kinds = newton.kinds(free, y, one_slack)
    for order in (np.arange(m), rng.permutation(m), np.argsort(kinds, kind="stable")):
        H = newton.curvature(X, y, free, support, taus, order, one_slack)
        assert H.shape == expected.shape
        np.testing.assert_allclose(H[lower], expected[lower], atol=1e-12)


@BOTH
def test_examples_are_of_one_kind_where_their_curvature_is_the_same(one_slack):
    """All sets of free classes, with each label; the first and the last class tell kinds apart, too."""
    masks = list(itertools.product([False, True], repeat=4))
    free, y = np.array([mask for mask in masks for _ in range(4)]), np.tile(np.arange(4), len(masks))
    kinds = newton.kinds(free, y, one_slack)
    assert kinds.dtype == np.uint64
    for i in range(len(y)):
        for j in range(0, len(y), 3):
            same = (free[i] == free[j]).all() and (one_slack or y[i] == y[j])
            assert newton.same_kind(free, y, i, j, one_slack) == same
            assert (kinds[i] == kinds[j]) == same


def test_directions_are_those_of_helmert():
    free = np.array([[True, False, True, True], [False, True, False, False], [True] * 4, [False, False, False, True]])
    examples, Q = newton.flow_directions(free, free.sum(axis=1), np.array([0, 1, 3, 3]), True)
    assert examples.tolist() == [0, 0, 2, 2, 2]
    expected = [[-1, 0, 1, 0], [-1, 0, -1, 2], [-1, 1, 0, 0], [-1, -1, 2, 0], [-1, -1, -1, 3]]
    np.testing.assert_allclose(Q, [row / np.linalg.norm(row) for row in expected], atol=1e-15)


def test_directions_of_many_slacks_are_rivals_less_the_label():
    free = np.array([[True, False, True, True], [False, False, False, False], [True, True, True, True]])
    examples, Q = newton.flow_directions(free, np.array([3, 1, 4]), np.array([2, 1, 0]), False)
    assert examples.tolist() == [0, 0, 2, 2, 2]
    assert Q.tolist() == [[1, 0, -1, 0], [0, 0, -1, 1], [-1, 1, 0, 0], [-1, 0, 1, 0], [-1, 0, 0, 1]]


@pytest.mark.parametrize(("n_features", "pull"), [(1, 0.7), (2, 3.0), (4, 0.7), (2, 0.0)])
def test_steps_of_two_classes_follow_the_rule(n_features, pull):
    rng = np.random.default_rng(n_features)
    X, signs, draws = rng.normal(size=(6, n_features)), rng.choice([-1.0, 1.0], 6), rng.integers(0, 6, 9)
    w, total = rng.normal(size=n_features), rng.normal(size=n_features)
    expected, sums = w.copy(), total.copy()
    for t, i in enumerate(draws, 4):
        sums += expected
        force = pull * signs[i] * X[i] if signs[i] * (X[i] @ expected) <= 1 else 0.0
        expected = expected + (force - expected) / t
    assert subgradient.subgradient_steps(X, signs, draws, w, total, 3.0, pull) == 12
    np.testing.assert_allclose(w, expected, atol=1e-12)
    np.testing.assert_allclose(total, sums, atol=1e-12)


@pytest.mark.parametrize(("n_features", "pull"), [(1, 0.7), (2, 3.0), (4, 0.7), (2, 0.0)])
def test_steps_of_many_classes_follow_the_rule(n_features, pull):
    rng = np.random.default_rng(n_features)
    X, y, draws = rng.normal(size=(6, n_features)), rng.integers(0, 3, 6), rng.integers(0, 6, 9)
    W, total = rng.normal(size=(3, n_features)), rng.normal(size=(3, n_features))
    expected, sums = W.copy(), total.copy()
    for t, i in enumerate(draws, 4):
        sums += expected
        excess = 1 + expected @ X[i] - expected[y[i]] @ X[i]
        excess[y[i]] = -np.inf
        costliest = excess.argmax()
        expected = expected - expected / t
        if excess[costliest] >= 0:
            expected[y[i]] += pull * X[i] / t
            expected[costliest] -= pull * X[i] / t
    assert subgradient.multiclass_subgradient_steps(X, y, draws, W, total, 3.0, pull) == 12
    np.testing.assert_allclose(W, expected, atol=1e-12)
    np.testing.assert_allclose(total, sums, atol=1e-12)
