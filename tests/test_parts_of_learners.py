"""Parts of learners against their definitions: orders of passes, surrogates, drawn codes, units and features drawn."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.sparse as sp

from mcbook.perceptron import MulticlassPerceptron
from mcbook.perceptron import estimator as perceptron
from mcbook.rademacher import monte_carlo_complexity
from mcbook.structured import chains, structures, trees
from mcbook.structured.algorithm.features import JointFeatures
from mcbook.structured.algorithm.reading import read_labels
from mcbook.structured.algorithm.training import _shares, _Units
from mcbook.trees import spirals
from mcbook.trees.algorithm.surrogates import _best_surrogate, with_surrogates

# Orders.


@pytest.mark.parametrize("n_samples", [1, 1024, 1025, 1088, 1500])
def test_a_pass_visits_every_example_once_and_of_many_neighbours_together(n_samples):
    rng = np.random.RandomState(3)
    order = perceptron._pass_order(n_samples, rng)
    assert sorted(order.tolist()) == list(range(n_samples))
    assert perceptron._pass_order(n_samples, None).tolist() == list(range(n_samples))
    together = np.mean(np.diff(order) == 1) if n_samples > 1 else 0
    if n_samples <= 1024:
        assert together < 0.02
        assert order.tolist() == np.random.RandomState(3).permutation(n_samples).tolist()
    else:
        # Blocks of 64 in the order of a permutation; the last one may be shorter.
        starts = order[np.r_[True, np.diff(order) != 1]]
        assert (starts % 64 == 0).all()
        expected = 64 * np.random.RandomState(3).permutation(math.ceil(n_samples / 64))
        blocks = [np.arange(start, min(start + 64, n_samples)) for start in expected]
        assert order.tolist() == np.concatenate(blocks).tolist()


def test_a_first_or_later_part_of_the_sample_leaves_out_what_has_no_weight():
    X, y = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([0, 1, 0])
    whole, part = MulticlassPerceptron(shuffle=False), MulticlassPerceptron(shuffle=False)
    for _ in range(2):
        whole.partial_fit(X, y, classes=[0, 1], sample_weight=[1.0, 2.0, 0.0])
        part.partial_fit(X[:2], y[:2], classes=[0, 1], sample_weight=[1.0, 2.0])
        assert whole.n_updates_ == part.n_updates_
        assert whole.converged_ == part.converged_
        np.testing.assert_array_equal(whole.coef_, part.coef_)


# Surrogates.


def surrogate_of(column, goes_left):
    """The first of the best questions, by trying all of them both ways; None where the larger side is as good."""
    values = sorted(set(column.tolist()))
    best, most = None, max(goes_left.sum(), (~goes_left).sum())
    for low, high in itertools.pairwise(values):
        for flipped in (False, True):
            agree = sum(((x <= (low + high) / 2) != flipped) == side for x, side in zip(column, goes_left, strict=True))
            if agree > most:
                best, most = ((low + high) / 2, flipped, agree), agree
    return best


@pytest.mark.parametrize("seed", range(30))
def test_a_surrogate_is_the_first_question_that_agrees_most_and_beats_the_majority(seed):
    rng = np.random.default_rng(seed)
    column, goes_left = rng.integers(0, 4, 7) * 1.5, rng.random(7) < 0.5
    found, expected = _best_surrogate(column, goes_left, 5), surrogate_of(column, goes_left)
    assert (None if found is None else tuple(found)) == (None if expected is None else (5, *expected))


def test_a_surrogate_parts_numbers_next_to_each_other():
    # Half way between them is, rounded, the lower one.
    found = _best_surrogate(np.array([1.0, np.nextafter(1, 2)]), np.array([True, False]), 0)
    assert found is not None
    assert (found.threshold, found.flipped, found.n_agree) == (1.0, False, 2)


@pytest.mark.parametrize("seed", range(6))
def test_nodes_have_the_surrogates_of_their_own_examples_the_best_first(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (24, 4)).astype(float)
    y = (X[:, 0] + rng.integers(0, 3, 24) > 3).astype(int) + (X[:, 1] > 3)
    machine = with_surrogates(X, y, 3, max_depth=3)
    tree, inside = machine.tree, {0: np.arange(24)}
    for node in range(tree.n_nodes):
        j = tree.feature[node]
        if j < 0:
            assert machine.surrogates[node] == []
            continue
        left = X[inside[node], j] <= tree.threshold[node]
        for child, side in zip(tree.children[node], (left, ~left), strict=True):
            inside[child] = inside[node][side]
        wanted = {i: surrogate_of(X[inside[node], i], left) for i in range(4) if i != j}
        found = machine.surrogates[node]
        assert {s.feature: (s.threshold, s.flipped, s.n_agree) for s in found} == {
            i: one for i, one in wanted.items() if one is not None
        }
        assert [s.n_agree for s in found] == sorted((s.n_agree for s in found), reverse=True)
        assert machine.default_left[node] == (left.sum() >= (~left).sum())


def test_where_as_many_go_left_as_right_the_default_is_left():
    machine = with_surrogates(np.array([[0.0], [1.0]]), np.array([0, 1]), 2)
    assert machine.default_left[0]


# Units of a random field.


@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_units_turn_weights_and_slopes_into_each_other(form):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(7, 3))
    data, features = structures(form(X), chains([3, 4])), JointFeatures(3, 2)
    units = _Units(data, features, 5.0, np.array([1.0, 2.0]))
    v, g = rng.normal(size=features.size), rng.normal(size=features.size)
    np.testing.assert_allclose(units.gradient(units.slope(g)), g, atol=1e-12)
    assert units.weights(v) @ g == pytest.approx(v @ units.slope(g), rel=1e-12)
    if form is np.asarray:
        share = 5.0 * 0.2 / 2
        rows = np.repeat([1.0, 2.0], [3, 4])[:, None] * X
        np.testing.assert_allclose(units.A @ units.A.T, np.eye(3) + share * X.T @ rows, atol=1e-12)


def test_rows_are_shared_out_by_their_entries():
    begin = np.array([0, 4, 4, 5, 9, 10, 12])
    assert _shares(begin, 1) == [slice(0, 6)]
    for number in (2, 3, 4):
        parts = _shares(begin, number)
        assert len(parts) == number
        assert [part.start for part in parts] == [0, *(part.stop for part in parts[:-1])]
        assert parts[-1].stop == 6
        for place, part in enumerate(parts[:-1], 1):
            # No row earlier would do.
            assert begin[part.stop] >= 12 * place / number > begin[part.stop - 1]


# An estimate of a complexity.


def test_the_limits_of_an_estimate_are_those_of_bounded_differences():
    values = np.array([[0.0, 1.0, -2.0], [1.0, 1.0, 0.0], [0.5, 3.0, 0.0]])
    found = monte_carlo_complexity(values, 50, np.random.default_rng(0), confidence=0.9)
    signs = 2 * np.random.default_rng(0).integers(0, 2, (3, 50), dtype=np.int8) - 1.0
    sums = values @ signs
    assert found.estimate == pytest.approx((sums.max(axis=0) - sums.min(axis=0)).mean() / 6)
    half = math.sqrt((1 + 4 + 4) * math.log(2 / 0.1) / (2 * 50)) / 3
    assert found.upper == pytest.approx(found.estimate + half)
    assert found.lower == pytest.approx(max(0, found.estimate - half))
    assert (found.confidence, found.n_draws) == (0.9, 50)
    assert monte_carlo_complexity(values, 5000, np.random.default_rng(0)).lower > 0


# Readings of labels, and points of a spiral.


@pytest.mark.parametrize("forest", [chains([3, 1, 4]), trees([[-1, 0, 0], [-1], [-1, 0, 0, 0]])])
def test_tables_of_both_forms_are_read_as_the_best_of_all_labellings(forest):
    rng = np.random.default_rng(5)
    X, features = rng.normal(size=(8, 2)), JointFeatures(2, 3)
    for _ in range(5):
        w = rng.normal(size=features.size) * 2
        found = [read_labels(features, w, structures(form(X), forest)) for form in (np.asarray, sp.csr_matrix)]
        assert found[0].tolist() == found[1].tolist()
        begin = 0
        for length in forest.lengths.tolist():
            at = np.arange(begin, begin + length)
            own, _ = forest.only(np.arange(forest.n_sequences) == np.searchsorted(forest.offsets, begin))
            data = structures(X[at], own)
            best = max(
                itertools.product(range(3), repeat=length),
                key=lambda y, data=data: features.vector(data, np.array(y)) @ w,
            )
            assert found[0][at].tolist() == list(best)
            begin += length


def test_three_arms_turn_by_three_quarters_for_each_unit_of_their_length():
    X, y = spirals(np.random.default_rng(0), 600)
    length = np.hypot(*X.T)
    assert length.max() < 1.3
    assert np.bincount(y).tolist() == [200, 200, 200]
    far = length > 0.5
    off = np.arctan2(X[:, 1], X[:, 0]) - 2 * np.pi * (0.75 * length + y / 3)
    assert np.abs(np.angle(np.exp(1j * off)))[far].max() < 0.5
    # Uniform on a disc, so that three quarters lie in the outer half.
    assert far.mean() == pytest.approx(1 - (0.5 / 1.15) ** 2, abs=0.06)
