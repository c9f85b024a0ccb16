"""The multi-class SVM: residuals of single examples, the refusals, samples."""

from fractions import Fraction

import numpy as np
import pytest

from mcbook.binary_svm import polynomial_gram, solve_binary_primal
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.programs import solve_multiclass_svm
from mcbook.losses import hinge, ramp
from mcbook.svm import (
    any_norm_margin_bound,
    class_weights,
    gap_parts,
    kkt_residuals,
    least_on_line,
    noisy_sample,
    norm_octave,
    primal_objective,
    signed_squared_distance,
    solve_flows,
)
from mcbook.svm.algorithm.programs import feasible_flows

EYE, PAIR = np.eye(2), np.array([0, 1])


def test_one_example_that_fails_a_condition_is_enough():
    alpha, no_bias = np.array([[0.5, -0.5], [0.0, 0.0]]), np.zeros(2)
    W = class_weights(alpha, EYE)
    # The second example has no multiplier and a gap of 0, so its slack is 1 at least and pays the whole cost.
    assert kkt_residuals(W, no_bias, alpha, EYE, PAIR, 1).primal == 1
    assert kkt_residuals(10 * np.array([[1, -1], [-1, 1]]), np.array([-0.25, 0]), alpha, EYE, PAIR, 1).primal == 0.25
    assert kkt_residuals(W + np.diag([0, 3]), no_bias, alpha, EYE, PAIR, 1).stationarity == 3
    assert kkt_residuals(W, np.array([0, 2]), alpha, EYE, PAIR, 1).complementarity == 2
    assert kkt_residuals(W, np.array([3, 0]), alpha, EYE, PAIR, 0.5).complementarity == 1.5
    assert kkt_residuals(W, no_bias, alpha, EYE, PAIR, 0.25).dual == 0.25
    assert gap_parts(W + np.diag([0, 3]), np.array([3.0, 2.0]), alpha, EYE, PAIR, 1) == (4.5, 1.5, 3.5)


def test_no_point_of_a_grid_is_lower_than_the_least():
    rng, grid = np.random.default_rng(0), np.linspace(-6, 6, 601)
    for loss in (hinge, ramp()) * 5:
        z, C = rng.integers(-4, 5, 5), Fraction(int(rng.integers(1, 60)), 100)
        _, value = least_on_line(z, C, loss)
        assert min(w * w / 2 + float(C) * loss(w * z).sum() for w in grid) >= float(value) - 1e-12


def test_a_kernel_and_its_features_have_the_same_optimum():
    X, y = noisy_sample(np.random.default_rng(1), 3, 2, 12)
    features = np.array([np.outer(x, x).ravel() for x in X])
    by_kernel = solve_flows(polynomial_gram(X, X), y, 3, 0.1)
    assert float(by_kernel) == pytest.approx(float(solve_multiclass_svm(features, y, 3, 0.1)), rel=1e-9)


@pytest.mark.parametrize("loss", ["crammer-singer", "weston-watkins"])
def test_repaired_flows_meet_every_constraint(loss):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 4, 6)
        flows = feasible_flows(rng.normal(size=(6, 4)), y, Fraction(1, 3), loss)
        rivals = np.arange(4) != y[:, None]
        assert (flows.sum(axis=1) == 0).all()
        assert flows[rivals].max() <= 0
        assert (flows[~rivals] if loss == "crammer-singer" else -flows[rivals]).max() <= Fraction(1, 3)


REFUSED = [
    ("C > 0", lambda: primal_objective(EYE, EYE, PAIR, 0)),
    ("C > 0", lambda: primal_objective(EYE, EYE, PAIR, float("nan"))),
    ("positive semi-definite", lambda: solve_flows(EYE[::-1].copy(), PAIR, 2, 1.0)),
    (r"labels 0 \.\. 1", lambda: solve_multiclass_svm(EYE, np.array([0, 2]), 2, 1.0)),
    ("weston-watkins", lambda: solve_multiclass_svm(EYE, PAIR, 2, 1.0, loss="both")),
    ("signs", lambda: solve_binary_primal(EYE, PAIR, 1.0)),
    ("W = 0", lambda: signed_squared_distance(0 * as_integers(EYE), as_integers(EYE), PAIR)),
    ("octave >= 1, got 0", lambda: any_norm_margin_bound(0.25, 0, 3, 0.1, 10_000)),
    ("0 < delta <= 1, got 0", lambda: any_norm_margin_bound(0.25, 1, 3, 0, 10_000)),
    ("squared_norm >= 0", lambda: norm_octave(1, -1)),
]


@pytest.mark.parametrize(("message", "call"), REFUSED)
def test_bad_input_is_named(message, call):
    with pytest.raises(ValueError, match=message):
        call()
