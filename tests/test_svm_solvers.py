"""Solvers' formulas: blocks of the dual, stochastic steps, and the comparison with one-vs-rest."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.multiclass import OneVsRestClassifier

from mcbook.binary_svm import (
    binary_sample,
)
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.programmes import solve_multiclass_machine
from mcbook.svm import (
    flow_violation,
    noisy_sample,
    primal_objective,
)
from mcbook.svm_solvers import (
    LinearSVM,
    MulticlassSVM,
    block_step,
    compare_on_gaussians,
    last_weights_bound,
    multiclass_subgradient,
    random_draws,
    run_subgradient,
    simplex_projection,
    solve_block,
    step_direction,
    subgradient_bound,
)

seeds = st.integers(0, 2**32 - 1)
few = settings(deadline=None, max_examples=15)


def noisy(seed, k=3, d=2, m=12):
    return noisy_sample(np.random.default_rng(seed), k, d, m)


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
        # The sum of 300 terms is still a fraction, that of 301 is known between two floats.
        assert isinstance(subgradient_bound(1, 1, 1, 301), Fraction)
        assert not isinstance(subgradient_bound(1, 1, 1, 302), Fraction)

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


class TestComparison:
    def test_a_comparison_is_that_of_the_estimators(self):
        found = compare_on_gaussians(np.random.default_rng(0), 3, n_train=60, n_test=200, C=1.0)
        X, y, X_test, y_test = gaussians(np.random.default_rng(0), 3)
        joint = MulticlassSVM(C=1.0).fit(X, y).predict(X_test) != y_test
        apart = OneVsRestClassifier(LinearSVM(C=1.0)).fit(X, y).predict(X_test) != y_test
        counts = 200, joint.sum(), apart.sum(), (joint & ~apart).sum(), (apart & ~joint).sum()
        assert dataclasses.astuple(found) == counts
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
