"""The multi-class optimisation problem from its parts: values known beforehand, duality, and refusals."""

import cvxpy as cp
import numpy as np
import pytest

from mcbook.foundation.programs import (
    flow_constraints,
    margins_over_rivals,
    solve_certified,
    solve_multiclass_svm,
)
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.certified import NotCertified
from mcbook.svm import solve_flows

RNG = np.random.default_rng(8)
X, Y = RNG.normal(size=(9, 3)), np.tile(np.arange(3), 3)


def overlap(one, other, within=1e-6):
    return one.lower - within <= other.upper and other.lower - within <= one.upper


def test_an_optimum_that_is_known():
    # Two examples on opposite sides: w_0 = 1/2, w_1 = -1/2 meets both margins.
    found = solve_multiclass_svm([[1.0], [-1.0]], [0, 1], 2, None)
    assert overlap(found.value, found.value * 0 + 0.25)
    assert found.value.tier is Tier.CERTIFIED
    np.testing.assert_allclose(found.point, [[0.5], [-0.5]], atol=1e-6)
    assert (found.slack, found.n_constraints) == (None, 2)
    np.testing.assert_allclose(found.multipliers[0].sum(), 0.5, atol=1e-6)


@pytest.mark.parametrize("loss", ["crammer-singer", "weston-watkins"])
def test_weights_and_flows_have_one_value_and_the_slacks_of_the_loss(loss):
    primal, dual = solve_multiclass_svm(X, Y, 3, 0.7, loss=loss), solve_flows(X @ X.T, Y, 3, 0.7, loss)
    assert overlap(primal.value, dual.value)
    np.testing.assert_allclose(dual.point.T @ X, primal.point, atol=1e-4)
    margins = margins_over_rivals(X, Y, cp.Variable((3, 3)))
    flows = np.zeros((9, 3))
    np.add.at(flows, (margins.examples, margins.rivals), -primal.multipliers[0])
    np.add.at(flows, (margins.examples, Y[margins.examples]), primal.multipliers[0])
    np.testing.assert_allclose(flows.T @ X, primal.point, atol=1e-4)
    scores = X @ primal.point.T
    violations = np.maximum(0, 1 + scores - scores[np.arange(9), Y][:, None])
    violations[np.arange(9), Y] = 0
    wanted = violations.max(axis=1) if loss == "crammer-singer" else violations.sum(axis=1)
    assert primal.slack.sum() == pytest.approx(wanted.sum(), abs=1e-5)
    assert primal.n_constraints == 18 + (9 if loss == "crammer-singer" else 18)


def test_flows_without_a_limit_belong_to_the_hard_margin():
    points, labels = 3 * np.eye(3), np.arange(3)
    hard = solve_multiclass_svm(points, labels, 3, None)
    assert overlap(hard.value, solve_flows(points @ points.T, labels, 3, None).value)


def test_a_claim_puts_a_wrong_problem_together_from_the_parts():
    alpha = cp.Variable((9, 3))
    value = cp.sum(cp.multiply(np.eye(3)[Y], alpha)) - cp.sum_squares(X.T @ alpha) / 2
    found = solve_certified(cp.Maximize(value), flow_constraints(alpha, Y, 0.7)[:-1], alpha)
    assert found.value > solve_flows(X @ X.T, Y, 3, 0.7).value


def test_refusals():
    with pytest.raises(NotCertified, match="feasible"):
        solve_multiclass_svm([[1.0], [1.0]], [0, 1], 2, None)
    for arguments, message in (
        ((X, Y, 3, 0), "C > 0, got 0: it is the cost"),
        ((X, Y, 2, 1), "labels 0 .. 1"),
        ((X, list("abcabcabc"), 3, 1), "strings such as 'a'"),
        ((X, Y[:4], 3, 1), "rows in X and y"),
        ((X, Y, 3, 1, "hinge"), "loss to be one of"),
    ):
        with pytest.raises(ValueError, match=message):
            solve_multiclass_svm(*arguments[:4], **({"loss": arguments[4]} if arguments[4:] else {}))
