"""Coordinate ascent: first passes, certificates, single precision, and when it gives way to Newton's method."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from svm_samples import LOSSES, assert_certified, overlapping

import mcbook.svm_solvers.algorithm.ascent as ascent
import mcbook.svm_solvers.algorithm.solver_choice as solver_choice
from mcbook.svm import dual_objective, primal_objective
from mcbook.svm_solvers import Problem, solve_multiclass

pytestmark = pytest.mark.usefixtures("sparse_stays_sparse")
FORMS = [np.asarray, sparse.csr_matrix]


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.mark.parametrize(("distance", "seen"), [(12.0, "a sample"), (1.0, "all")])
def test_a_first_pass_sees_a_sample_where_few_examples_keep_flows(rng, distance, seen):
    """Where many do, all begins as if nothing had been tried."""
    y = rng.integers(0, 3, 6000)
    X = rng.normal(size=(6000, 4)) + distance * np.eye(3, 4)[y]
    run = ascent.WeightRun(Problem.checked(X, y, 3, 0.1), 0)
    begun = run.seed.copy()
    run.begin()
    if seen == "a sample":
        assert 0 < run.alpha.any(axis=1).sum() < 600
        assert 0 < run.n_active < 2000
        assert run.dual > 0
        assert [h.n_iter for h in run.history] == [0, 1]
        np.testing.assert_allclose(run.W, run.alpha.T @ X, atol=1e-12)
    else:
        assert (run.n_active, run.n_iter) == (6000, 0)
        assert not run.alpha.any()
        assert not run.state.any()
        assert (run.seed == begun).all()
        assert (run.primal, run.dual) == (pytest.approx(600), 0)
    found = solve_multiclass(X, y, 3, 0.1, tol=1e-8, max_iter=100_000)
    assert_certified(found, X, y, 3, 0.1, "crammer-singer", 1e-8)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("max_iter", [3, 40, 10_000])
def test_weights_that_passes_have_spoiled_are_not_what_is_certified(rng, monkeypatch, form, max_iter):
    """As if rounding had done it: the weights that passes keep stand a little beside those of the flows."""

    class Spoiled(ascent.WeightRun):
        def passes(self, goal, most):
            made = super().passes(goal, most)
            self.state *= 1 + 1e-7
            return made

    monkeypatch.setattr(ascent, "_SMALL", 0)
    X, y = overlapping(rng)
    run = Spoiled(Problem.checked(form(X), y, 3, 0.3), 0)
    run.until(1e-6, max_iter)
    solution = run.solution(1e-6)
    np.testing.assert_allclose(solution.W, solution.alpha.T @ X, atol=1e-13)
    assert solution.converged == (solution.gap <= 1e-6) == (max_iter == 10_000)
    assert primal_objective(solution.W, X, y, 0.3) == pytest.approx(solution.primal, rel=1e-13)
    assert dual_objective(solution.alpha, X @ X.T, y) == pytest.approx(solution.dual, rel=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("kind", ["double", "single", "sparse"])
def test_a_glance_at_the_weights_of_passes_sees_what_a_look_at_the_flows_sees(rng, monkeypatch, loss, kind):
    monkeypatch.setattr(ascent, "_SMALL", 0)
    monkeypatch.setattr(ascent, "_WIDE", 0 if kind == "single" else 10**9)
    X, y = overlapping(rng, n_samples=300, n_features=30, n_classes=6)
    X = sparse.csr_matrix(X * (X > 1.5)) if kind == "sparse" else X
    run = ascent.WeightRun(Problem.checked(X, y, 6, 1.0, loss))
    run.begin()
    run.advance(1e-9, 1000)
    assert not run.certified
    assert run.is_single == (kind == "single")
    seen = run.primal, run.dual
    run.look()
    assert run.certified
    assert seen == pytest.approx((run.primal, run.dual), rel=1e-5 if kind == "single" else 1e-12)
    assert run.n_looks == len(run.history) == 3


@pytest.mark.parametrize("loss", LOSSES)
def test_ascent_never_makes_more_passes_than_it_may(rng, monkeypatch, loss):
    for small, n_features in ((0, 4), (0, 20), (10**9, 4), (10**9, 20)):
        monkeypatch.setattr(ascent, "_SMALL", small)
        X, y = overlapping(rng, n_features=n_features)
        problem = Problem.checked(X, y, 3, 3.0, loss)
        counts = [ascent.ascend(problem, tol=1e-12, max_iter=most).n_iter for most in range(1, 40)]
        assert counts[:3] == [1, 2, 3]
        assert all(0 < count <= most for most, count in enumerate(counts, 1))


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_small_data_in_one_compiled_call_reach_what_calls_for_each_look_reach(rng, monkeypatch, loss, n_classes):
    X, y = overlapping(rng, n_samples=90, n_features=3, n_classes=n_classes)
    options = {"loss": loss, "solver": "coordinate", "tol": 1e-8, "sample_weight": rng.uniform(0.5, 2, 90)}
    compiled = solve_multiclass(X, y, n_classes, 0.3, **options)
    monkeypatch.setattr(ascent, "_SMALL", 0)
    apart = solve_multiclass(X, y, n_classes, 0.3, **options)
    assert compiled.converged
    assert len(compiled.history) < len(apart.history)
    np.testing.assert_allclose(compiled.W, compiled.alpha.T @ X, atol=1e-12)
    last = compiled.history[-1]
    assert (last.primal, last.dual) == pytest.approx((compiled.primal, compiled.dual), rel=1e-12)
    assert compiled.primal == pytest.approx(apart.primal, rel=2e-8)


# Passes in single precision only lead the way, and give way where they cannot.

K, LOOSE = 8, {"tol": 1e-3, "max_iter": 1000}


@pytest.fixture
def kinds(monkeypatch):
    """The precision of the state in the passes that are made, in order; any weights count as too many."""
    monkeypatch.setattr(ascent, "_WIDE", 0)
    monkeypatch.setattr(ascent, "_SMALL", 0)
    seen, passes = [], ascent.WeightRun.run_passes

    def noted(self, rows, active, state, goal, most):
        assert rows[0].dtype == state.dtype
        seen.append(str(state.dtype))
        return passes(self, rows, active, state, goal, most)

    monkeypatch.setattr(ascent.WeightRun, "run_passes", noted)
    return seen


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("tol", [1e-4, 1e-9])
def test_the_certificate_is_that_of_double_precision(rng, kinds, loss, tol):
    X, y = overlapping(rng, n_samples=80, n_features=60, n_classes=K)
    found = ascent.ascend(Problem.checked(X, y, K, 0.5, loss), tol=tol, max_iter=100_000)
    assert_certified(found, X, y, K, 0.5, loss, tol)
    assert found.W.dtype == found.alpha.dtype == np.float64
    assert (kinds[0], kinds[-1]) == ("float32", "float32" if tol > ascent._SINGLE_GOAL else "float64")
    assert kinds == sorted(kinds)  # and never back


@pytest.mark.parametrize("offset", [0.0, 10.0, 1e3, 1e5, 1e7])
def test_where_scores_cancel_or_little_is_gained_double_precision_takes_over(rng, kinds, monkeypatch, offset):
    if not offset:
        monkeypatch.setattr(ascent, "_SINGLE_FALL", 0.0)
    X, y = overlapping(rng, n_samples=60, n_features=30, n_classes=K)
    problem = Problem.checked(X + offset, y, K, 1 / (1 + offset**2))
    found = (
        ascent.ascend(problem, tol=1e-9, max_iter=10_000)
        if not offset
        else solve_multiclass(X + offset, y, K, 1 / (1 + offset**2), tol=1e-8)
    )
    assert found.converged
    assert kinds[0] == "float32"
    assert set(kinds[1:]) == {"float64"}


# The pace of an ascent.


def gap_history(*looks):
    found = solver_choice.GapHistory()
    found.looks = list(looks)
    return found


FOUR_LOOKS = (0.0, 0, 0.0), (10.0, 5, -1.0), (20.0, 12, -2.0), (40.0, 20, -4.0)


def test_the_rest_of_an_ascent_follows_from_its_last_looks():
    # The gap has fallen by four digits and has to fall by two more: half of what it has cost.
    assert gap_history(*FOUR_LOOKS).rest(1e-6) == pytest.approx((20, 10))
    assert gap_history((-1e9, 0, 7.0), *FOUR_LOOKS).rest(1e-6) == pytest.approx((20, 10))
    assert gap_history(*FOUR_LOOKS[2:]).rest(1e-6) == pytest.approx((20, 8))
    # One that gains nothing never ends.
    for looks in (FOUR_LOOKS[:1], ((0.0, 0, -1.0), (1.0, 2, -1.0)), ((0.0, 0, -2.0), (1.0, 2, -1.0)), ()):
        assert gap_history(*looks).rest(1e-6) == (math.inf, math.inf)
    found = solver_choice.GapHistory()  # the gap is that to the least primal value
    for cost, n_iter, primal, dual in ((1.0, 2, 10.0, 9.0), (3.0, 4, 20.0, 9.9), (4.0, 5, 8.0, 8.0)):
        found.note(SimpleNamespace(cost=cost, n_iter=n_iter, primal=primal, dual=dual))
    assert found.looks == [(1.0, 2, pytest.approx(-1)), (3.0, 4, pytest.approx(-2)), (4.0, 5, pytest.approx(-300))]
