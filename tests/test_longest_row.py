"""The machine of the longest row, and margin bounds on ordinary data."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.datasets import load_digits

from mcbook.foundation.programmes import feasible_flows, solve_flows
from mcbook.foundation.proof import Verdict
from mcbook.margin_bounds import (
    LabelledAtoms,
    bound_coverage,
    conjugate_exponent,
    group_norm_dual_value,
    group_norm_primal_value,
    means_weights,
    recovered_rows,
    solve_group_norm_dual,
    solve_group_norm_primal,
    unit_atoms,
)

HALF, HALF_ROOT = Fraction(1, 2), math.sqrt(0.5)


class TestLongestRow:
    X = np.array([[2, 0], [1, 1], [-1, 2], [-2, 1], [0, -1], [1, -2]])
    y = np.array([0, 0, 1, 1, 2, 2])

    def test_primal_and_dual_agree_and_the_rows_are_recovered(self):
        primal = solve_group_norm_primal(self.X, self.y, 3, 0.25)
        dual = solve_group_norm_dual(self.X @ self.X.T, self.y, 3, 0.25)
        assert float(primal.value.middle) == pytest.approx(float(dual.value.middle), abs=1e-6)
        rows = recovered_rows(dual.point, self.X)
        active = (rows != 0).any(axis=1)
        assert active.sum() >= 2
        assert rows[active] == pytest.approx(primal.point[active], abs=1e-3)
        assert np.ptp(np.linalg.norm(rows[active], axis=1)) < 1e-9

    def test_values_by_hand(self):
        X, y = np.array([[1, 0], [0, 1]], dtype=object), np.array([0, 1])
        W = np.array([[HALF, 0], [0, Fraction(1, 4)]], dtype=object)
        assert group_norm_primal_value(W, X, y, 2) == Fraction(1, 8) + 2 * (HALF + Fraction(3, 4))
        alpha = np.array([[1, -1], [-1, 1]], dtype=object)
        assert float(group_norm_dual_value(alpha, X @ X.T, y).mid()) == pytest.approx(2 - (2 * math.sqrt(2)) ** 2 / 2)
        assert group_norm_dual_value(alpha.astype(float), np.eye(2), y) == pytest.approx(2 - 4)

    def test_a_large_trade_off_separates(self):
        primal = solve_group_norm_primal(np.eye(2), np.array([0, 1]), 2, 100.0)
        assert group_norm_primal_value(primal.point, np.eye(2), np.array([0, 1]), 100.0) == pytest.approx(0.25)

    def test_flows_next_to_a_point_meet_every_constraint(self):
        alpha = np.array([[0.3, -0.2, 0.1], [-0.4, 0.4, 1e-9], [-2.0, -1.0, 0.1]])
        flows, C = feasible_flows(alpha, [0, 1, 2], Fraction(1, 4)), Fraction(1, 4)
        assert (flows.sum(axis=1) == 0).all()
        own = np.eye(3, dtype=bool)
        assert (flows[own] <= C).all()
        assert (flows[~own] <= 0).all()
        assert flows[2].tolist() == [-C * Fraction(2, 3), -C * Fraction(1, 3), C]

    def test_rows_from_a_dual_by_hand(self):
        # v = (1, -0.7, -0.3): all lengths count, the short one too.
        alpha, X = np.array([[1.0, -0.7, -0.3]]), np.array([[1.0]])
        assert recovered_rows(alpha, X).ravel() == pytest.approx([2, -2, -2])
        assert recovered_rows(alpha, X, 2).ravel() == pytest.approx([1, -0.7, -0.3])
        lengths = np.array([1, 0.7, 0.3])
        third = (lengths ** (4 / 3)).sum() ** (1 / 2) * lengths ** (1 / 3)
        assert recovered_rows(alpha, X, 4).ravel() == pytest.approx(third * [1, -1, -1])
        assert recovered_rows(np.array([[1.0, -1.0, 0.0]]), X)[2, 0] == 0

    @pytest.mark.parametrize("scale", [1e-6, 1e6])
    def test_the_unit_of_the_features_does_not_matter_to_the_rows(self, scale):
        alpha = [[1.0, -0.7, -0.3]]
        for p in (2, 4, math.inf):
            rows = recovered_rows(alpha, [[scale]], p)
            assert rows == pytest.approx(scale * recovered_rows(alpha, [[1.0]], p))

    def test_rows_much_shorter_than_the_longest_are_kept(self):
        rows = recovered_rows([[1, -0.9, -0.1]], [[2, 0]], 2)
        assert rows == pytest.approx(np.array([[2, 0], [-1.8, 0], [-0.2, 0]]))
        assert recovered_rows([[1, -0.99998, -0.00002]], [[1]], 2).ravel() == pytest.approx([1, -0.99998, -0.00002])

    def test_the_usual_machine_is_the_one_for_p_2(self):
        primal = solve_group_norm_primal(self.X, self.y, 3, 0.25, 2)
        dual = solve_flows(self.X @ self.X.T, self.y, 3, 0.25)
        assert float(primal) == pytest.approx(float(dual), abs=1e-6)

    def test_conjugate_exponents(self):
        assert [conjugate_exponent(p) for p in (1, 2, 4, math.inf)] == [math.inf, 2, Fraction(4, 3), 1]

    def test_values_for_other_norms_by_hand(self):
        X, y = np.array([[1, 0], [0, 1]], dtype=object), np.array([0, 1])
        W = np.array([[HALF, 0], [0, 0]], dtype=object)
        slacks = HALF + 1
        for p in (1, Fraction(3, 2), 2, math.inf):
            value = float(group_norm_primal_value(W, X, y, 2, p))
            assert value == pytest.approx(1 / 8 + 2 * slacks)
            assert group_norm_primal_value(W.astype(float), X.astype(float), y, 2, p) == pytest.approx(value)
        opposite = np.array([[HALF, 0], [-HALF, 0]], dtype=object)
        assert float(group_norm_primal_value(opposite, X, y, 0, 4)) == pytest.approx(2**0.5 / 8)

    def test_bad_input_is_named(self):
        with pytest.raises(ValueError, match="p >= 1"):
            solve_group_norm_dual(np.eye(2), np.array([0, 1]), 2, 1, p=0.5)
        with pytest.raises(ValueError, match="p > 1"):
            recovered_rows(np.eye(2), np.eye(2), 1)
        with pytest.raises(ValueError, match="C > 0"):
            solve_group_norm_primal(np.eye(2), np.array([0, 1]), 2, 0)
        with pytest.raises(ValueError, match=r"labels 0 \.\. 1"):
            solve_group_norm_primal(np.eye(2), np.array([0, 2]), 2, 1)
        with pytest.raises(ValueError, match="semi-definite"):
            solve_group_norm_dual(-np.eye(2), np.array([0, 1]), 2, 1)


class TestOrdinaryData:
    atoms = unit_atoms(*load_digits(return_X_y=True), 10)

    def test_inputs_have_length_one_and_rows_at_most(self):
        W = means_weights(self.atoms, self.atoms.draw(500, np.random.default_rng(0)))
        assert np.linalg.norm(self.atoms.X, axis=1) == pytest.approx(1)
        assert np.linalg.norm(W, axis=1).max() == pytest.approx(1)
        assert self.atoms.risk(W) < 0.2

    def test_examples_of_later_labels_are_left_out(self):
        atoms = unit_atoms([[1.0, 0.0], [0.0, 2.0], [9.0, 9.0], [2.0, 1.0]], [0, 1, 2, 0], 2)
        assert atoms.y.tolist() == [0, 1, 0]
        # Less their mean (1, 1), and of length 1.
        assert pytest.approx(np.array([[0, -1], [-HALF_ROOT, HALF_ROOT], [1, 0]])) == atoms.X

    def test_rows_of_means_sum_to_zero(self):
        W = means_weights(self.atoms, self.atoms.draw(500, np.random.default_rng(0)))
        assert W.sum(axis=0) == pytest.approx(0, abs=1e-12)

    def test_losses_are_weighted_by_the_sample(self):
        W = means_weights(self.atoms, self.atoms.draw(500, np.random.default_rng(0)))
        once = np.zeros(len(self.atoms.y), dtype=int)
        once[3] = 7
        margin = self.atoms.margins(W)[3]
        assert self.atoms.empirical_margin_loss(W, once, 2.0) == pytest.approx(min(1, max(0, 1 - margin / 2)))

    def test_coverage_holds_and_without_the_complexity_term_it_is_refuted(self):
        rng = np.random.default_rng(1)
        assert bound_coverage(self.atoms, 0.3, 10**6, 0.1, 100, rng).verdict is Verdict.HOLDS
        assert bound_coverage(self.atoms, 0.3, 10, 0.1, 100, rng, 0.0).verdict is Verdict.REFUTED

    @pytest.mark.parametrize(("limit", "n_failures"), [(0.0, 0), (-0.01, 7)])
    def test_a_risk_as_large_as_its_bound_does_not_break_it(self, monkeypatch, limit, n_failures):
        # The points and the rows have length 1.
        asked = (0.0, 1.0, 1.0, 0.5, 2, 0.1, 100)
        bound = "mcbook.margin_bounds.instances.means.kernel_margin_bound"
        monkeypatch.setattr(bound, lambda *given: limit if given == asked else math.nan)
        atoms = LabelledAtoms(np.eye(2), np.array([0, 1]))
        assert bound_coverage(atoms, 0.5, 100, 0.1, 7, np.random.default_rng(0)).n_failures == n_failures

    def test_bad_input_is_named(self):
        with pytest.raises(ValueError, match="all 3 classes"):
            unit_atoms(np.eye(2), [0, 1], 3)
        with pytest.raises(ValueError, match="same number of rows"):
            unit_atoms(np.eye(2), [0], 2)
        with pytest.raises(ValueError, match="mean of all"):
            unit_atoms([[0.0], [1.0], [-1.0]], [0, 1, 0], 2)
