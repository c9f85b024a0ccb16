"""The binary machine: formulas, exact paths, labellings counted, samples."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from mcbook.binary_svm import (
    Degenerate,
    binary_dual,
    binary_primal,
    binary_sample,
    binary_weights,
    blobs,
    forced_sample,
    general_position,
    separable_labellings,
    signed_gram,
    soft_margin_path,
    solve_binary_dual,
    solve_binary_primal,
)
from mcbook.foundation.proof.exact import rational_rank
from mcbook.perceptron import separability

seeds = st.integers(0, 2**32 - 1)
few = settings(deadline=None, max_examples=15)


class TestObjectives:
    def test_a_hand_computed_binary_case(self):
        X, signs = np.array([[2.0], [-1.0]]), np.array([1, 1])
        assert binary_primal(np.array([1.0]), X, signs, 3) == 0.5 + 3 * 2
        alpha = np.array([1.0, 2.0])
        assert binary_dual(alpha, signed_gram(X @ X.T, signs)) == 3 - 0.5 * (4 - 8 + 4)
        assert binary_weights(alpha, X, signs).tolist() == [0.0]


class TestPath:
    @few
    @given(seeds, st.booleans(), st.integers(1, 3))
    def test_no_gap_anywhere(self, seed, separable, d):
        X, signs = binary_sample(np.random.default_rng(seed), d, 7, separable=separable)
        path, Q = soft_margin_path(X, signs), signed_gram(X @ X.T, signs)
        for C in (Fraction(1, 1000), *path.knots[::3], Fraction(7, 5), 50):
            alpha = path.alpha(C)
            assert alpha.min() >= 0
            assert alpha.max() <= C
            assert binary_primal(path.w(C), X, signs, C) == binary_dual(alpha, Q)

    def test_against_scikit_learn(self):
        X, signs = binary_sample(np.random.default_rng(4), 2, 12)
        path = soft_margin_path(X, signs)
        for C in (0.01, 0.3):
            K = (X @ X.T).astype(float)
            # Its machine has a bias, so its value is that of the balanced dual, and ours without one is never below.
            reference = solve_binary_dual(K, signs, C, with_bias=True)
            machine = SVC(kernel="precomputed", C=C, tol=1e-8).fit(K, signs.astype(int))
            coefficients = machine.dual_coef_[0]
            value = (
                np.abs(coefficients).sum()
                - coefficients @ K[np.ix_(machine.support_, machine.support_)] @ coefficients / 2
            )
            assert value == pytest.approx(float(reference), rel=1e-5)
            assert float(reference) <= float(binary_primal(path.w(Fraction(C)), X, signs, Fraction(C))) + 1e-9

    def test_the_end_is_the_hard_margin_machine(self):
        X, signs = binary_sample(np.random.default_rng(0), 3, 9, separable=True)
        w, alpha = soft_margin_path(X, signs).hard_margin()
        assert (signs * (X @ w)).min() == 1
        assert w.tolist() == binary_weights(alpha, X, signs).tolist()
        assert solve_binary_primal(X, signs, None).point == pytest.approx(w.astype(float), abs=1e-5)

    def test_the_forced_sample(self):
        w, alpha = soft_margin_path(*forced_sample()).hard_margin()
        assert w.tolist() == alpha.tolist() == [1, 0]

    def test_without_separation_there_is_no_hard_margin(self):
        with pytest.raises(ValueError, match="not separable"):
            soft_margin_path([[1], [2]], [1, -1]).hard_margin()

    def test_equal_points_do_not_confuse_it(self):
        X, signs = np.array([[1, 2], [1, 2], [1, 2], [-1, 0]]), np.array([1, 1, 1, -1])
        path = soft_margin_path(X, signs)
        assert binary_primal(path.w(3), X, signs, 3) == binary_dual(path.alpha(3), signed_gram(X @ X.T, signs))

    @pytest.mark.parametrize(("X", "signs"), [([[1]], [2]), ([[1]], [1, -1]), ([1, 2], [1, -1])])
    def test_bad_input_is_named(self, X, signs):
        with pytest.raises(ValueError, match=r"signs|n_features"):
            soft_margin_path(X, signs)

    def test_a_path_may_have_as_many_pieces_as_are_allowed_and_no_more(self, monkeypatch):
        assert len(soft_margin_path([[1], [-2]], [1, -1]).pieces) == 4
        most = "mcbook.binary_svm.algorithm.path._MOST_PIECES"
        monkeypatch.setattr(most, 4)
        assert len(soft_margin_path([[1], [-2]], [1, -1]).pieces) == 4
        monkeypatch.setattr(most, 3)
        with pytest.raises(Degenerate, match="more than 3 pieces"):
            soft_margin_path([[1], [-2]], [1, -1])

    def test_degenerate_is_a_value_error(self):
        assert issubclass(Degenerate, ValueError)


class TestLabellings:
    @pytest.mark.parametrize(("m", "d"), [(1, 1), (4, 2), (5, 3)])
    def test_labellings_counted_by_trying_many_hyperplanes(self, m, d):
        X = general_position(np.random.default_rng(m), m, d).astype(float)
        tried = np.random.default_rng(0).normal(size=(20000, d))
        assert len({tuple(row) for row in np.sign(tried @ X.T)}) == separable_labellings(m, d)

    def test_all_labellings_of_few_points(self):
        assert [separable_labellings(m, 4) for m in (1, 2, 3, 4)] == [2, 4, 8, 16]
        with pytest.raises(ValueError, match="n_points"):
            separable_labellings(0, 3)

    @pytest.mark.parametrize(
        ("corners", "missing"),
        [
            ([[0, 0], [4, 0], [4, 4], [0, 4]], (0, 1, 0, 1)),
            ([[0, 0], [4, 0], [0, 4], [1, 1]], (0, 0, 0, 1)),
        ],
        ids=["opposite corners", "an inner point"],
    )
    def test_of_four_points_two_labellings_are_missing_those_whose_hulls_meet(self, corners, missing):
        with_one = np.c_[corners, np.ones(4, dtype=int)]
        found = {labels: separability(with_one, labels, 2).separable for labels in itertools.product((0, 1), repeat=4)}
        assert sum(found.values()) == 14
        assert [labels for labels, separable in found.items() if not separable] == [
            missing,
            tuple(1 - z for z in missing),
        ]


class TestSamples:
    def test_general_position(self):
        X = general_position(np.random.default_rng(0), 5, 3)
        assert all(rational_rank(X[list(rows)]) == 3 for rows in itertools.combinations(range(5), 3))

    def test_clouds_spread_alike_in_all_directions(self):
        X, y = blobs(np.random.default_rng(0), 3, 3000, spread=0.5)
        centres = blobs(np.random.default_rng(0), 3, 3, spread=0.0)[0]
        np.testing.assert_allclose(np.cov((X - centres[y]).T), 0.25 * np.eye(2), atol=0.02)

    def test_separable_samples_are(self):
        X, signs = binary_sample(np.random.default_rng(1), 3, 10, separable=True)
        soft_margin_path(X, signs).hard_margin()
