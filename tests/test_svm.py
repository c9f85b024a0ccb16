"""Support vector machines: formulas, exact paths, certified programmes, sub-gradient steps, samples, claims' tools."""

from __future__ import annotations

import dataclasses
import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from mcbook.foundation.numbers import as_integers
from mcbook.foundation.programmes import solve_flows, solve_multiclass_machine
from mcbook.foundation.proof.exact import rational_rank
from mcbook.losses import hinge, ramp
from mcbook.svm import (
    Degenerate,
    LinearSVM,
    MulticlassSVM,
    binary_dual,
    binary_primal,
    binary_sample,
    binary_weights,
    blobs,
    block_step,
    class_weights,
    compare_on_gaussians,
    dual_objective,
    exact_bracket,
    feasible_flows,
    flow_violation,
    forced_sample,
    general_position,
    hinge_against_ramp,
    intrinsic_dimension,
    kkt_residuals,
    last_weights_bound,
    least_on_line,
    multiclass_subgradient,
    n_weights,
    noisy_sample,
    polynomial_gram,
    primal_objective,
    projected_section,
    random_draws,
    rings,
    rival_slacks,
    run_subgradient,
    section_norms,
    separable_labellings,
    signed_gram,
    signed_squared_distance,
    simplex_projection,
    slacks,
    soft_margin_path,
    solve_binary_dual,
    solve_binary_primal,
    solve_block,
    step_direction,
    subgradient_bound,
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
    def test_a_hand_computed_binary_case(self):
        X, signs = np.array([[2.0], [-1.0]]), np.array([1, 1])
        assert binary_primal(np.array([1.0]), X, signs, 3) == 0.5 + 3 * 2
        alpha = np.array([1.0, 2.0])
        assert binary_dual(alpha, signed_gram(X @ X.T, signs)) == 3 - 0.5 * (4 - 8 + 4)
        assert binary_weights(alpha, X, signs).tolist() == [0.0]

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


class TestBlocks:
    def test_a_hand_computed_projection(self):
        assert simplex_projection(np.array([3, Fraction(1, 2), 2, -1], dtype=object), 2).tolist() == [
            Fraction(3, 2),
            0,
            Fraction(1, 2),
            0,
        ]

    @few
    @given(seeds)
    def test_the_projection_is_nearest(self, seed):
        rng = np.random.default_rng(seed)
        v = rng.normal(size=5)
        p = simplex_projection(v, 1.5)
        assert p.sum() == pytest.approx(1.5)
        others = 1.5 * rng.dirichlet(np.ones(5), 50)
        assert (np.linalg.norm(others - v, axis=1) >= np.linalg.norm(p - v) - 1e-12).all()

    @few
    @given(seeds)
    def test_a_block_is_at_least_as_good_as_other_flows(self, seed):
        rng = np.random.default_rng(seed)
        others, norm = rng.normal(size=4), float(rng.uniform(0.1, 5))

        def value(flow):
            return flow[1] - flow @ others - norm / 2 * flow @ flow

        best = block_step(others, 1, 1.0, norm)
        assert flow_violation(best[None], np.array([1]), 1.0) < 1e-12
        for share in rng.dirichlet(np.ones(4), 50):
            flow = -share
            flow[1] += 1.0
            assert value(best) >= value(flow) - 1e-12

    def test_it_agrees_with_its_programme(self):
        others = np.array([0.3, -1.0, 0.8])
        found = solve_block(others, 2, 0.7, 1.9)
        assert found.point == pytest.approx(block_step(others, 2, 0.7, 1.9), abs=1e-6)

    def test_examples_without_length_are_refused(self):
        with pytest.raises(ValueError, match="leave it out"):
            block_step(np.zeros(3), 0, 1.0, 0.0)
        with pytest.raises(ValueError, match="total > 0"):
            simplex_projection(np.ones(3), 0)


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

    def test_degenerate_is_a_value_error(self):
        assert issubclass(Degenerate, ValueError)


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


class TestSubgradient:
    @few
    @given(seeds)
    def test_compiled_and_exact_steps_agree(self, seed):
        rng = np.random.default_rng(seed)
        X, signs = binary_sample(rng, 2, 6)
        # No score is ever exactly 1 at this price, where rounding would decide.
        draws, price = random_draws(rng, 6, 3), Fraction(1999, 997 * 6)
        exact, compiled = run_subgradient(X, signs, price, draws), run_subgradient(X.astype(float), signs, price, draws)
        assert exact.last.astype(float) == pytest.approx(compiled.last, abs=1e-9)
        assert exact.mean.astype(float) == pytest.approx(compiled.mean, abs=1e-9)
        assert exact.n_steps == compiled.n_steps == 18

    def test_multiclass_steps_against_the_rule(self):
        rng = np.random.default_rng(5)
        X, y = as_integers(rng.integers(-3, 4, (7, 2))), rng.integers(0, 3, 7)
        draws = random_draws(rng, 7, 2)
        W = as_integers(np.zeros((3, 2), dtype=int))
        for t, i in enumerate(draws.ravel(), 1):
            lead = [W[z] @ X[i] - W[y[i]] @ X[i] + (z != y[i]) for z in range(3)]
            rivals = [z for z in range(3) if z != y[i] and lead[z] == max(lead)]
            W = W - W * Fraction(1, t)
            if rivals:
                W[y[i]] += Fraction(2, t) * X[i]
                W[rivals[-1]] -= Fraction(2, t) * X[i]
        assert multiclass_subgradient(X, y, 3, Fraction(2, 7), draws).last.tolist() == W.tolist()

    def test_the_mean_approaches_the_optimum(self):
        X, y = noisy(0, m=20)
        run = multiclass_subgradient(X.astype(float), y, 3, 0.05, random_draws(np.random.default_rng(0), 20, 2000))
        value = float(solve_multiclass_machine(X, y, 3, 0.05))
        assert value <= primal_objective(run.mean, X.astype(float), y, 0.05) <= 1.005 * value
        assert len(run.means) == 2000

    def test_the_bounds_after_few_steps_and_after_many(self):
        assert subgradient_bound(2, 5, 9, 1) == 900
        assert subgradient_bound(2, 5, 9, 2) == 450 * Fraction(3, 2)
        assert subgradient_bound(1, 1, 1, 3) == Fraction(7, 12)
        many = subgradient_bound(1, 1, 1, 1001)
        assert many.lower <= Fraction(1 + 7.485470860550345 / 2) / 1001 <= many.upper
        assert many.upper - many.lower < 1e-15
        assert last_weights_bound(2, 5, 9, 3) == 1200

    def test_the_threshold_and_the_pull_of_a_direction(self):
        one = np.array([1.0])
        assert step_direction(one, one, 1, 5, 3).tolist() == [-14.0]
        assert step_direction(one, one, 1, 5, 3, threshold=0).tolist() == [1.0]

    def test_bad_input_is_named(self):
        X, signs = np.ones((2, 1)), np.array([1, -1])
        with pytest.raises(ValueError, match="draws"):
            run_subgradient(X, signs, 1, [[2]])
        with pytest.raises(ValueError, match="number of rows"):
            run_subgradient(X, signs[:1], 1, [[0]])
        with pytest.raises(ValueError, match=r"labels 0 \.\. 1"):
            multiclass_subgradient(X, np.array([0, 2]), 2, 1, [[0]])
        with pytest.raises(ValueError, match="n_steps"):
            subgradient_bound(1, 1, 1, 0)


class TestSpaces:
    def test_norms_and_projection_of_sections(self):
        K = np.array([[2, 1], [1, 1]], dtype=object)
        assert section_norms(np.array([[1], [-1]], dtype=object), K).tolist() == [1]
        assert projected_section(K, np.array([3, 2], dtype=object)).tolist() == [1, 1]

    def test_counts_of_weights(self):
        assert (n_weights(4, 3), intrinsic_dimension(4, 3)) == (12, 9)

    @pytest.mark.parametrize(("m", "d"), [(1, 1), (4, 2), (5, 3)])
    def test_labellings_counted_by_trying_many_hyperplanes(self, m, d):
        X = general_position(np.random.default_rng(m), m, d).astype(float)
        tried = np.random.default_rng(0).normal(size=(20000, d))
        assert len({tuple(row) for row in np.sign(tried @ X.T)}) == separable_labellings(m, d)

    def test_all_labellings_of_few_points(self):
        assert [separable_labellings(m, 4) for m in (1, 2, 3, 4)] == [2, 4, 8, 16]
        with pytest.raises(ValueError, match="n_points"):
            separable_labellings(0, 3)

    def test_the_signed_distance_of_a_misclassified_point_is_negative(self):
        W = as_integers(np.array([[1, 0], [0, 1]]))
        assert signed_squared_distance(W, as_integers(np.array([[1, 3]])), np.array([0])).tolist() == [-2]
        with pytest.raises(ValueError, match="W = 0"):
            signed_squared_distance(0 * W, W, np.array([0, 1]))


class TestSamples:
    def test_general_position(self):
        X = general_position(np.random.default_rng(0), 5, 3)
        assert all(rational_rank(X[list(rows)]) == 3 for rows in itertools.combinations(range(5), 3))

    def test_every_class_and_both_signs_are_there(self):
        assert set(noisy(0, k=4, m=15)[1]) == {0, 1, 2, 3}
        assert set(binary_sample(np.random.default_rng(0), 2, 4)[1]) == {-1, 1}
        for draw in (rings, blobs):
            X, y = draw(np.random.default_rng(0), 3, 30)
            assert X.shape == (30, 2)
            assert set(y) == {0, 1, 2}

    def test_separable_samples_are(self):
        X, signs = binary_sample(np.random.default_rng(1), 3, 10, separable=True)
        soft_margin_path(X, signs).hard_margin()

    def test_a_comparison_is_that_of_the_estimators(self):
        found = compare_on_gaussians(np.random.default_rng(0), 3, n_train=60, n_test=200)
        X, y, X_test, y_test = gaussians(np.random.default_rng(0), 3)
        joint = MulticlassSVM(C=0.1).fit(X, y).predict(X_test) != y_test
        apart = OneVsRestClassifier(LinearSVM(C=0.1)).fit(X, y).predict(X_test) != y_test
        counts = 200, joint.sum(), apart.sum(), (joint & ~apart).sum(), (apart & ~joint).sum()
        # It solves to a gap of 1e-3, and so need not agree on every point.
        assert dataclasses.astuple(found) == pytest.approx(counts, abs=8)
        assert found.discordant == found.only_joint_wrong + found.only_one_vs_rest_wrong
        with pytest.raises(ValueError, match="2 features"):
            compare_on_gaussians(np.random.default_rng(0), 1)


def gaussians(rng, d):
    """What compare_on_gaussians draws, with 60 examples to learn from and 200 to try."""
    centres = rng.normal(size=(6, d))
    centres *= 6 / np.linalg.norm(centres, axis=1, keepdims=True)
    y, y_test = np.arange(60) % 6, np.arange(200) % 6
    X = centres[y] + rng.normal(size=(60, d))
    return X, y, centres[y_test] + rng.normal(size=(200, d)), y_test
