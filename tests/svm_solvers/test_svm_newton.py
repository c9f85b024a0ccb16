"""The second-order solver of the support vector machines, and what it is made of."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from svm_samples import LOSSES, assert_certified, overlapping

import mcbook.svm_solvers.algorithm.newton as newton
import mcbook.svm_solvers.algorithm.smoothed as smoothed
from mcbook.foundation.linear import Unsolved
from mcbook.svm import dual_objective, primal_objective
from mcbook.svm_solvers import Problem, solve_multiclass
from mcbook.svm_solvers.algorithm.objective import GapPoint, SVMSolution

pytestmark = pytest.mark.usefixtures("sparse_stays_sparse")


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.mark.parametrize("separation", [0.3, 4.0])
def test_newton_copes_with_any_scale(rng, separation):
    """From data that are separable, where C has no say, to such where every example is at its capacity."""
    y = rng.integers(0, 4, 300)
    X = rng.normal(size=(300, 8)) + separation * rng.normal(size=(4, 8))[y]
    for C, scale in ((1e3, 1.0), (1.0, 100.0), (1e3, 100.0), (1e-3, 0.01)):
        solution = solve_multiclass(scale * X, y, 4, C, tol=1e-6, max_iter=400)
        assert solution.converged
        assert primal_objective(solution.W, scale * X, y, C) == pytest.approx(solution.primal, rel=1e-12)
        # Flows in the hundreds of thousands cancel in the double sum: floats would lose the digits that are compared.
        alpha, rows = (np.asarray(table, dtype=np.longdouble) for table in (solution.alpha, scale * X))
        assert float(dual_objective(alpha, rows @ rows.T, y)) == pytest.approx(solution.dual, rel=1e-9)


def first_smoothed_point(rng, tau, passes=3, loss=LOSSES[0], weight=None):
    X, y = overlapping(rng, n_samples=200, n_classes=5)
    problem = Problem.checked(X, y, 5, 1.0, loss, weight)
    start = solve_multiclass(X, y, 5, loss=loss, solver="coordinate", max_iter=passes, tol=1e-12)
    return newton.first_point(problem, start, tau)


@pytest.mark.parametrize("loss", LOSSES)
def test_half_the_squared_gradient_is_the_gap_of_the_smoothed_problem(rng, loss):
    for tau in (0.1, 1.0, 30.0):
        point = first_smoothed_point(rng, tau, loss=loss, weight=rng.uniform(0.5, 2, 200))
        moved = (point.alpha - point.losses.centre) ** 2
        if loss == "weston-watkins":
            moved[np.arange(200), point.losses.y] = 0
        moved = (moved / (2 * tau * point.losses.capacity[:, None])).sum()
        assert point.losses.distance(point.alpha) == pytest.approx(moved, rel=1e-12)
        assert point.smoothed_gap == pytest.approx(point.smoothed - (point.dual - moved), rel=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_the_newton_direction_is_the_same_by_all_three_ways(rng, monkeypatch, loss):
    """Where no flow is free it is that of the gradient."""
    monkeypatch.setattr(smoothed, "_RESIDUAL", 1e-12)
    point = first_smoothed_point(rng, 3.0, loss=loss)
    losses = point.losses
    by_weights = losses.by_weights(point)
    corner = replace(point, free=np.eye(5, dtype=bool)[losses.y], support=np.ones(200, dtype=np.int64))
    for way in (losses.by_weights, losses.by_examples, losses.by_products):
        np.testing.assert_allclose(way(point), by_weights, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(way(corner), -point.gradient, rtol=1e-12)


@pytest.mark.parametrize("seed", [3, 39])
def test_conjugate_gradients_serve_where_both_systems_are_large(seed, monkeypatch):
    X, y = overlapping(np.random.default_rng(seed), n_samples=300, n_features=10, n_classes=5)
    reference = solve_multiclass(X, y, 5, tol=1e-9)
    monkeypatch.setattr(smoothed, "MOST_ROWS", 5)
    solution = solve_multiclass(X, y, 5, tol=1e-9)
    assert_certified(solution, X, y, 5, 1.0, LOSSES[0], 1e-9, weights_of_flows=False)
    assert solution.primal == pytest.approx(reference.primal, rel=2e-9)


def test_the_iterations_are_counted_and_limited(rng):
    X, y = overlapping(rng)
    for max_iter in (1, 7, 30, 10_000):
        solution = solve_multiclass(X, y, 3, 30.0, max_iter=max_iter, solver="newton", tol=1e-6)
        counts = [point.n_iter for point in solution.history]
        assert counts == sorted(counts)
        assert counts[-1] <= solution.n_iter <= max_iter
        assert solution.converged == (solution.gap <= 1e-6) == (max_iter == 10_000)


def test_a_gap_that_rounding_forbids_ends_at_the_limit():
    for rng in [np.random.default_rng(seed) for seed in (4, 14, 27)] * 10:
        X, y = rng.integers(-3, 4, size=(12, 3)).astype(float), np.arange(12) % 2
        solution = solve_multiclass(X, y, 2, 0.01, tol=1e-16, max_iter=100, sample_weight=rng.uniform(0.5, 2, 12))
        assert solution.n_iter <= 100
        assert solution.gap < 1e-12


def test_a_system_that_cannot_be_solved_leaves_the_rest_to_ascent(rng, monkeypatch):
    def fails(*arguments):
        raise Unsolved

    X, y = overlapping(rng)
    ticks = itertools.count()
    monkeypatch.setattr(smoothed, "solve_positive", fails)
    monkeypatch.setattr("time.perf_counter", lambda: float(next(ticks)))
    solution = solve_multiclass(X, y, 3, max_iter=100_000, solver="newton")
    assert solution.solver == "coordinate"
    assert not solve_multiclass(X, y, 3, 30.0, solver="newton", tol=1e-10, max_iter=20).converged
    # The clock goes on where ascent takes over.
    seconds = [point.seconds for point in solution.history]
    assert len(seconds) > 3
    assert seconds == sorted(set(seconds))
    assert_certified(solution, X, y, 3, 1.0, LOSSES[0], 1e-6)


@pytest.mark.parametrize("part", [0.0, 1e-3])
def test_examples_left_out_too_early_are_taken_back(rng, monkeypatch, part):
    X, y = overlapping(rng, n_samples=400, n_classes=5)
    reference = solve_multiclass(X, y, 5, tol=1e-9)
    monkeypatch.setattr(newton, "_PART_OF_SHIFT", part)
    solution = solve_multiclass(X, y, 5, tol=1e-9, solver="newton")
    assert solution.solver == "newton"
    assert_certified(solution, X, y, 5, 1.0, LOSSES[0], 1e-9)
    assert solution.primal == pytest.approx(reference.primal, rel=2e-9)


def test_a_proximal_step_that_is_too_hard_is_tried_again_more_gently(rng, monkeypatch):
    """Heavy tails and a large C; the reference takes its time."""
    X, y = overlapping(rng, n_samples=800, n_features=6, n_classes=4)
    X = X**3
    monkeypatch.setattr(newton, "_INNER_STEPS", 4)
    solution = solve_multiclass(X, y, 4, 1e3, tol=1e-6, max_iter=1000, solver="newton")
    assert solution.solver == "newton"
    assert solution.converged


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_second_order_steps_alone_reach_the_certified_optimum(rng, loss, form):
    X, y = overlapping(rng, n_samples=150, n_classes=5)
    solution = solve_multiclass(form(X), y, 5, 10.0, loss=loss, tol=1e-9, solver="newton")
    assert solution.solver == "newton"
    assert_certified(solution, X, y, 5, 10.0, loss, 1e-9)


def solution(primal, dual, n_iter, *history):
    points = tuple(GapPoint(n, seconds, primal, dual) for n, seconds in history)
    return SVMSolution(np.zeros((2, 1)), np.zeros((1, 2)), primal, dual, n_iter, False, "newton", points)


def test_a_restricted_problem_agrees_with_the_whole_as_long_as_the_others_keep_their_corner(rng):
    point = first_smoothed_point(rng, 3.0, passes=200)
    near = point.allowed_shift <= 0.1
    assert 0 < near.sum() < 0.7 * len(near)
    part = point.losses.restricted(point, near)
    W = point.W + 0.01 * rng.normal(size=point.W.shape)
    whole = point.losses.at(W, point.losses.scores(W))
    assert (whole.allowed_shift[~near] >= 0).all()
    moved = part.losses.at(W, part.losses.scores(W))
    for name in ("smoothed", "primal", "dual", "smoothed_gap"):
        assert getattr(moved, name) == pytest.approx(getattr(whole, name), rel=1e-10)
