"""Parts of learners against their definitions: surrogates, drawn codes, units and features drawn."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.sparse as sp

from mcbook.output_codes import minimal_distance, random_dense_code, random_sparse_code
from mcbook.output_codes.algorithm import codes
from mcbook.output_codes.algorithm.column_newton import solve_columns
from mcbook.structured import chains, rooted_trees, structures
from mcbook.structured.algorithm.features import JointFeatures
from mcbook.structured.algorithm.reading import read_labels
from mcbook.structured.algorithm.training import _shares, _Units
from mcbook.trees import spirals
from mcbook.trees.algorithm.surrogates import _best_surrogate, with_surrogates

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


# Codes.


@pytest.mark.parametrize("draw", [random_dense_code, random_sparse_code])
def test_drawn_codes_have_both_signs_in_every_column_and_none_twice(draw):
    for k, seed in itertools.product((3, 4, 5), range(5)):
        M = draw(k, n_candidates=20, random_state=seed)
        assert (M.max(axis=0) == 1).all()
        assert (M.min(axis=0) == -1).all()
        assert len(np.unique(M.T, axis=0)) == M.shape[1]
        assert minimal_distance(M) > 0


def test_default_numbers_of_columns():
    """10 log2 k and 15 log2 k, rounded up, or half of what different columns there are."""
    wanted = {3: (3, 6), 4: (7, 25), 6: (26, 39), 8: (30, 45)}
    for k, (dense, sparse) in wanted.items():
        assert random_dense_code(k, n_candidates=3, random_state=0).shape == (k, dense)
        assert random_sparse_code(k, n_candidates=3, random_state=0).shape == (k, sparse)


def test_as_many_columns_as_there_are_and_not_one_more():
    all_of_three = random_dense_code(3, 6, n_candidates=5, random_state=0)
    assert len(np.unique(all_of_three.T, axis=0)) == 6
    with pytest.raises(ValueError, match="6 different columns"):
        random_dense_code(3, 7)
    assert random_dense_code(3, 7, n_candidates=5, random_state=0, repeated_columns=True).shape == (3, 7)
    assert random_sparse_code(3, 12, n_candidates=50, random_state=0).shape == (3, 12)
    with pytest.raises(ValueError, match="12 different columns"):
        random_sparse_code(3, 13)


def test_the_code_that_is_kept_is_the_best_that_was_drawn(monkeypatch):
    """Drawn in one block or in several, and the first of equally good ones."""
    drawn = []
    call = codes._Draw.__call__

    def noted(self, rng, count):
        found = call(self, rng, count)
        drawn.extend(found.copy())
        return found

    monkeypatch.setattr(codes._Draw, "__call__", noted)
    for entries, seed in itertools.product((2**21, 4 * 9 * 7, 1), range(4)):
        drawn.clear()
        monkeypatch.setattr(codes, "_BLOCK_ENTRIES", entries)
        M = random_dense_code(4, 9, n_candidates=30, random_state=seed)
        distances = [minimal_distance(one) for one in drawn]
        assert len(drawn) == 30
        assert minimal_distance(M) == max(distances)
        assert M.tolist() == drawn[distances.index(max(distances))].tolist()


# Columns.


def test_columns_are_counted_and_certified_each_for_itself():
    rng = np.random.default_rng(1)
    X, C = rng.normal(size=(40, 3)), 0.7
    signs = np.where(X @ rng.normal(size=(3, 4)) + rng.normal(size=(40, 4)) > 0, 1, -1)
    weight = rng.uniform(0.5, 2, 40)
    for most in (0, 1, 2, 100):
        found = solve_columns(X, signs, C, tol=1e-10, max_iter=most, sample_weight=weight)
        assert (found.n_iter <= most).all()
        slack = np.maximum(1 - signs * (X @ found.W.T), 0)
        primal = 0.5 * (found.W**2).sum(axis=1) + C * (weight[:, None] * slack**2).sum(axis=0)
        np.testing.assert_allclose(found.primal, primal, rtol=1e-12)
        pull = 2 * C * weight[:, None] * slack * signs
        gap = 0.5 * ((found.W - pull.T @ X) ** 2).sum(axis=1)
        np.testing.assert_allclose(found.primal - found.dual, gap, atol=1e-12)
        assert (found.converged == (gap <= 1e-10 * primal)).all()
        assert found.converged.all() == (most == 100)
        if not most:
            assert not found.W.any()
    alone = [solve_columns(X, signs[:, [s]], C, tol=1e-10, max_iter=100, sample_weight=weight) for s in range(4)]
    assert found.n_iter.tolist() == [int(one.n_iter[0]) for one in alone]


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


# Readings of labels, and points of a spiral.


@pytest.mark.parametrize("forest", [chains([3, 1, 4]), rooted_trees([[-1, 0, 0], [-1], [-1, 0, 0, 0]])])
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
