"""The multi-class machine: formulas, certified programmes, spaces of functions, samples."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcbook.binary_svm import (
    binary_sample,
    blobs,
    polynomial_gram,
    solve_binary_primal,
)
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.programmes import feasible_flows, solve_flows, solve_multiclass_machine
from mcbook.losses import hinge, ramp
from mcbook.margin_bounds import svm_margin_bound
from mcbook.svm import (
    any_norm_margin_bound,
    class_weights,
    dual_objective,
    exact_bracket,
    flow_violation,
    gap_parts,
    hinge_against_ramp,
    intrinsic_dimension,
    kkt_residuals,
    least_on_line,
    n_weights,
    noisy_sample,
    norm_octave,
    primal_objective,
    projected_section,
    rings,
    rival_slacks,
    section_norms,
    signed_squared_distance,
    slacks,
)

seeds = st.integers(0, 2**32 - 1)
few = settings(deadline=None, max_examples=15)


def noisy(seed, k=3, d=2, m=12):
    return noisy_sample(np.random.default_rng(seed), k, d, m)


class TestOnTheLine:
    def test_on_the_line_hinge_and_ramp_choose_opposite_signs(self):
        assert least_on_line(hinge_against_ramp(), Fraction(1, 2)) == (Fraction(-1, 4), Fraction(61, 32))
        assert least_on_line(hinge_against_ramp(), Fraction(1, 2), ramp()) == (1, 1)

    @settings(deadline=None, max_examples=15)
    @given(seeds, st.sampled_from([hinge, ramp()]))
    def test_no_point_of_a_grid_is_lower(self, seed, loss):
        rng = np.random.default_rng(seed)
        z, C = rng.integers(-4, 5, 5), Fraction(int(rng.integers(1, 60)), 100)
        _, value = least_on_line(z, C, loss)
        grid = np.linspace(-6, 6, 601)
        assert min(w * w / 2 + float(C) * loss(w * z).sum() for w in grid) >= float(value) - 1e-12


class TestObjectives:
    def test_a_hand_computed_multiclass_case(self):
        W, X, y = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.5]]), np.array([[1.0, 3.0]]), np.array([0])
        assert rival_slacks(W, X, y).tolist() == [[3.0, 1.5]]
        assert slacks(W, X, y).tolist() == [3.0]
        assert slacks(W, X, y, "weston-watkins").tolist() == [4.5]
        assert primal_objective(W, X, y, 2) == 1.125 + 6
        assert primal_objective(W, X, y, 2, "weston-watkins") == 1.125 + 9

    def test_the_double_sum_counts_all_pairs(self):
        alpha = np.array([[1.0, -1.0], [1.0, -1.0]])
        assert dual_objective(alpha, np.ones((2, 2)), np.array([0, 0])) == 2 - 0.5 * 4 * 2
        assert dual_objective(alpha, np.eye(2), np.array([0, 0])) == 2 - 0.5 * 2 * 2

    def test_residuals_name_the_condition_that_fails(self):
        X, y = np.eye(2), np.array([0, 1])
        alpha = np.array([[0.5, -0.5], [-0.5, 0.5]])
        W, nothing = class_weights(alpha, X), np.zeros(2)
        assert kkt_residuals(W, nothing, alpha, X, y, 1).worst == 0
        assert kkt_residuals(W + 0.1, nothing, alpha, X, y, 1).stationarity == pytest.approx(0.1)
        assert kkt_residuals(0.5 * W, nothing, alpha, X, y, 1).primal == pytest.approx(0.5)
        assert kkt_residuals(W, nothing + 1, alpha, X, y, 1).complementarity == pytest.approx(0.5)
        assert kkt_residuals(W, nothing, alpha, X, y, 0.25).dual == pytest.approx(0.25)

    def test_one_example_that_fails_a_condition_is_enough(self):
        X, y = np.eye(2), np.array([0, 1])
        alpha = np.array([[0.5, -0.5], [0.0, 0.0]])
        W = class_weights(alpha, X)
        # The second example has no multiplier and a gap of 0, so its slack is 1 at least and pays the whole price.
        assert kkt_residuals(W, np.zeros(2), alpha, X, y, 1).primal == 1
        assert kkt_residuals(10 * np.array([[1, -1], [-1, 1]]), np.array([-0.25, 0]), alpha, X, y, 1).primal == 0.25
        assert kkt_residuals(W + np.diag([0, 3]), np.zeros(2), alpha, X, y, 1).stationarity == 3
        assert kkt_residuals(W, np.array([0, 2]), alpha, X, y, 1).complementarity == 2
        assert kkt_residuals(W, np.array([3, 0]), alpha, X, y, 0.5).complementarity == 1.5

    def test_the_parts_of_a_gap_by_hand(self):
        X, y, alpha, slack = np.eye(2), np.array([0, 1]), np.array([[0.5, -0.5], [0.0, 0.0]]), np.array([3.0, 2.0])
        W = class_weights(alpha, X)
        assert gap_parts(W, slack, alpha, X, y, 1) == (0, 1.5, 3.5)
        assert gap_parts(W + np.diag([0, 3]), slack, alpha, X, y, 1)[0] == 4.5

    @pytest.mark.parametrize(
        ("alpha", "violation"),
        [([[1, -1]], 0), ([[2, -2]], 1), ([[1, 1]], 2), ([[1, 0]], 1), ([[-1, 1]], 1)],
    )
    def test_flow_violation(self, alpha, violation):
        assert flow_violation(np.array(alpha), np.array([0]), 1) == violation

    @pytest.mark.parametrize("C", [0, -1, float("nan")])
    def test_a_price_that_is_not_positive_is_named(self, C):
        with pytest.raises(ValueError, match="C > 0"):
            primal_objective(np.eye(2), np.eye(2), np.array([0, 1]), C)


class TestProgrammes:
    @pytest.mark.parametrize("loss", ["crammer-singer", "weston-watkins"])
    @pytest.mark.parametrize("k", [2, 3, 5])
    def test_primal_is_dual_to_a_billionth(self, k, loss):
        X, y = noisy(k, k=k, d=3, m=15)
        primal, dual = solve_multiclass_machine(X, y, k, 0.7, loss=loss), solve_flows(X @ X.T, y, k, 0.7, loss)
        assert abs(float(primal) - float(dual)) <= 1e-9 * float(primal)
        bracket = exact_bracket(primal.point, dual.point, X, y, Fraction(7, 10), loss)
        assert 0 <= (bracket.upper - bracket.lower) / bracket.upper <= Fraction(1, 10**9)

    def test_a_kernel_and_its_features_agree(self):
        X, y = noisy(1)
        features = np.array([np.outer(x, x).ravel() for x in X])
        by_kernel = solve_flows(polynomial_gram(X, X), y, 3, 0.1)
        assert float(by_kernel) == pytest.approx(float(solve_multiclass_machine(features, y, 3, 0.1)), rel=1e-9)

    @few
    @given(seeds, st.sampled_from(["crammer-singer", "weston-watkins"]))
    def test_repaired_flows_meet_every_constraint(self, seed, loss):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 4, 6)
        flows = feasible_flows(rng.normal(size=(6, 4)), y, Fraction(1, 3), loss)
        rivals = np.arange(4) != y[:, None]
        assert (flows.sum(axis=1) == 0).all()
        assert flows[rivals].max() <= 0
        limit = flows[np.arange(6), y] if loss == "crammer-singer" else -flows[rivals]
        assert limit.max() <= Fraction(1, 3)

    def test_what_is_no_kernel_is_refused(self):
        with pytest.raises(ValueError, match="positive semi-definite"):
            solve_flows(np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0, 1]), 2, 1.0)

    def test_bad_input_is_named(self):
        with pytest.raises(ValueError, match=r"labels 0 \.\. 1"):
            solve_multiclass_machine(np.eye(2), np.array([0, 2]), 2, 1.0)
        with pytest.raises(ValueError, match="weston-watkins"):
            solve_multiclass_machine(np.eye(2), np.array([0, 1]), 2, 1.0, loss="both")
        with pytest.raises(ValueError, match="signs"):
            solve_binary_primal(np.eye(2), np.array([0, 1]), 1.0)


class TestSpaces:
    def test_norms_and_projection_of_sections(self):
        K = np.array([[2, 1], [1, 1]], dtype=object)
        assert section_norms(np.array([[1], [-1]], dtype=object), K).tolist() == [1]
        assert projected_section(K, np.array([3, 2], dtype=object)).tolist() == [1, 1]

    def test_counts_of_weights(self):
        assert (n_weights(4, 3), intrinsic_dimension(4, 3)) == (12, 9)

    def test_the_signed_distance_of_a_misclassified_point_is_negative(self):
        W = as_integers(np.array([[1, 0], [0, 1]]))
        assert signed_squared_distance(W, as_integers(np.array([[1, 3]])), np.array([0])).tolist() == [-2]
        with pytest.raises(ValueError, match="W = 0"):
            signed_squared_distance(0 * W, W, np.array([0, 1]))


class TestSamples:
    def test_every_class_and_both_signs_are_there(self):
        assert set(noisy(0, k=4, m=15)[1]) == {0, 1, 2, 3}
        assert set(binary_sample(np.random.default_rng(0), 2, 4)[1]) == {-1, 1}
        for draw in (rings, blobs):
            X, y = draw(np.random.default_rng(0), 3, 30)
            assert X.shape == (30, 2)
            assert set(y) == {0, 1, 2}

    def test_rings_lie_all_the_way_around_and_part_the_classes(self):
        X, y = rings(np.random.default_rng(0), 3, 6000)
        x, height = (X - [0.5, 0.25]).T
        eighths, _ = np.histogram(np.arctan2(height, x), 8, (-np.pi, np.pi))
        assert abs(eighths / 6000 - 1 / 8).max() < 0.02
        for label in range(3):
            distance = np.hypot(x, height)[y == label] - label
            assert (distance.min(), distance.max()) == pytest.approx((0.25, 0.85), abs=0.002)


@pytest.mark.parametrize(
    ("squared_radius", "squared_norm", "octave"), [(1, 0, 1), (1, 4, 1), (2, 2, 1), (1, Fraction(17, 4), 2), (4, 64, 4)]
)
def test_the_octave_is_the_first_power_of_two_that_is_long_enough(squared_radius, squared_norm, octave):
    assert norm_octave(squared_radius, squared_norm) == octave


def test_the_bound_for_any_length_is_that_for_a_power_of_two_with_its_part_of_delta():
    for octave, length, part in ((1, 2, 2), (3, 8, 12)):
        fixed = svm_margin_bound(0.25, 1.0, float(length) ** 2, 3, 0.1 / part, 10_000)
        assert any_norm_margin_bound(0.25, octave, 3, 0.1, 10_000) == pytest.approx(fixed)


def test_the_bound_for_any_length_refuses_what_it_does_not_mean():
    with pytest.raises(ValueError, match="octave >= 1, got 0"):
        any_norm_margin_bound(0.25, 0, 3, 0.1, 10_000)
    with pytest.raises(ValueError, match="0 < delta <= 1, got 0"):
        any_norm_margin_bound(0.25, 1, 3, 0, 10_000)
    with pytest.raises(ValueError, match="squared_norm >= 0"):
        norm_octave(1, -1)
