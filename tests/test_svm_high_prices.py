"""Features so large, or slack so dear, that the solution is read off its path."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_iris, load_wine
from svm_samples import LOSSES

from mcbook.foundation.numbers import rational
from mcbook.svm import primal_objective
from mcbook.svm_solvers import MulticlassSVM, Problem, solve_multiclass
from mcbook.svm_solvers.algorithm.high_prices import _feasible, highest_price

pytestmark = pytest.mark.usefixtures("sparse_stays_sparse")

IRIS, SPECIES = load_iris(return_X_y=True)


def exact_dual(alpha, X, y):
    flows, rows = rational(alpha), rational(X)
    W = flows.T @ rows
    return float(sum(flows[i, label] for i, label in enumerate(y)) - (W * W).sum() / 2)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("scale", [1e4, 1e6, 1e8])
def test_no_scale_of_the_features_keeps_the_solver_from_the_gap(scale, loss):
    """The dual value is worked out anew, exactly: flows of this size cancel in floats."""
    X = scale * IRIS
    solution = solve_multiclass(X, SPECIES, 3, loss=loss, tol=1e-7)
    assert solution.converged
    assert 0 <= solution.gap <= 1e-7
    assert (solution.alpha[np.arange(150), SPECIES] >= 0).all()
    assert np.abs(solution.alpha.sum(axis=1)).max() <= 1e-12
    primal = primal_objective(solution.W, X, SPECIES, 1.0, loss)
    assert 0 <= primal - exact_dual(solution.alpha, X, SPECIES) <= 1.01e-7 * primal
    assert primal == pytest.approx(solution.primal, rel=1e-12)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_large_features_beside_an_intercept(form):
    """The column of ones stays as it is, while the rest is divided: the intercept keeps its price."""
    X = form(np.column_stack([1e8 * IRIS, np.ones(150)]))
    solution = solve_multiclass(X, SPECIES, 3, tol=1e-8)
    assert solution.converged
    assert np.abs(solution.W[:, -1]).max() > 0.1
    rows = X.toarray() if sparse.issparse(X) else X
    primal = primal_objective(solution.W, rows, SPECIES, 1.0)
    assert 0 <= primal - exact_dual(solution.alpha, rows, SPECIES) <= 1.01e-8 * primal


def test_estimator_on_features_of_this_scale(recwarn):
    machine = MulticlassSVM(random_state=0).fit(1e8 * IRIS, SPECIES)
    assert machine.converged_
    assert not [w for w in recwarn if "gap" in str(w.message)]
    assert machine.score(1e8 * IRIS, SPECIES) > 0.95


def test_separable_data_have_the_weights_of_the_hard_margin():
    """The same at every price that is high enough; no slack is paid, and margins are 1 to rounding."""
    X, y = load_wine(return_X_y=True)
    hard = solve_multiclass(X, y, 3, 1e6, tol=1e-8)
    harder = solve_multiclass(1e8 * X, y, 3, 1.0, tol=1e-8)
    assert hard.converged
    assert harder.converged
    assert np.allclose(1e8 * harder.W, hard.W, atol=1e-3 * np.abs(hard.W).max())
    assert 0.5 * float((harder.W**2).sum()) == pytest.approx(harder.primal, rel=1e-7)


def test_least_slack_is_found_as_its_price_grows():
    """The sum of the slacks falls to its least value, and half the squared weights are all that is left beside it."""
    values = [solve_multiclass(IRIS, SPECIES, 3, C, tol=1e-9) for C in (1e8, 1e12, 1e16)]
    assert all(found.converged for found in values)
    sums = [found.primal / C for found, C in zip(values, (1e8, 1e12, 1e16), strict=True)]
    assert sums[1] == pytest.approx(sums[2], rel=1e-8)
    assert sums[0] == pytest.approx(sums[2], rel=1e-4)
    assert sums[0] > sums[2]


def test_moderate_prices_do_not_take_the_path():
    assert (
        highest_price(Problem.checked(IRIS, SPECIES, 3, 1.0))
        < 1
        < highest_price(Problem.checked(1e8 * IRIS, SPECIES, 3, 1.0))
    )


@pytest.mark.parametrize("loss", LOSSES)
def test_flows_out_of_bounds_are_put_back(loss):
    """Within 0 and the capacity, and rows that sum to 0; flows within bounds stay as they are."""
    problem = Problem.checked(np.ones((3, 1)), np.array([0, 1, 2]), 3, 2.0, loss)
    inside = np.array([[1.5, -0.5, -1.0], [-2.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    assert np.array_equal(_feasible(problem, inside), inside)
    outside = np.array([[9.0, -3.0, -3.0], [1.0, 0.5, -1.5], [-1e-9, 5.0, 3.0]])
    found = _feasible(problem, outside)
    assert np.allclose(found.sum(axis=1), 0)
    given = np.delete(-found.ravel(), [0, 4, 8])
    assert (given >= 0).all()
    own = found[np.arange(3), [0, 1, 2]]
    assert (own <= 2).all() if loss == "crammer-singer" else (given <= 2).all()
