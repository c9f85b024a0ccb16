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
