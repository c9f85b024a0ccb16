"""Which way is taken to the optimum of the support vector machines, what it has cost, and what is certified on it."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from svm_samples import LOSSES, overlapping

import mcbook.svm_solvers.algorithm.ascent as ascent
import mcbook.svm_solvers.algorithm.high_prices as high_prices
import mcbook.svm_solvers.algorithm.newton as newton
import mcbook.svm_solvers.algorithm.pace as pace
from mcbook.svm_solvers import Problem, solve_binary, solve_kernel, solve_multiclass
from mcbook.svm_solvers.algorithm.objective import GapPoint, SVMSolution


@pytest.fixture
def rng():
    return np.random.default_rng(7)


# The pace of an ascent.


def paced(*looks):
    found = pace.Pace()
    found.looks = list(looks)
    return found


FOUR_LOOKS = (0.0, 0, 0.0), (10.0, 5, -1.0), (20.0, 12, -2.0), (40.0, 20, -4.0)


def test_the_rest_of_an_ascent_is_told_from_its_last_looks():
    # The gap has fallen by four digits and has to fall by two more: half of what it has cost.
    assert paced(*FOUR_LOOKS).rest(1e-6) == pytest.approx((20, 10))
    assert paced((-1e9, 0, 7.0), *FOUR_LOOKS).rest(1e-6) == pytest.approx((20, 10))
    assert paced(*FOUR_LOOKS[2:]).rest(1e-6) == pytest.approx((20, 8))
    assert paced((0.0, 0, -1.0), (1.0, 2, -1.25)).rest(1e-6) == pytest.approx((19, 38))


def test_an_ascent_that_gains_nothing_never_ends():
    for looks in (FOUR_LOOKS[:1], ((0.0, 0, -1.0), (1.0, 2, -1.0)), ((0.0, 0, -2.0), (1.0, 2, -1.0)), ()):
        assert paced(*looks).rest(1e-6) == (math.inf, math.inf)


def test_a_look_is_noted_with_the_gap_to_the_least_primal_value():
    found = pace.Pace()
    for cost, n_iter, primal, dual in ((1.0, 2, 10.0, 9.0), (3.0, 4, 20.0, 9.9), (4.0, 5, 8.0, 8.0)):
        found.note(SimpleNamespace(cost=cost, n_iter=n_iter, primal=primal, dual=dual))
    assert found.looks == [(1.0, 2, pytest.approx(-1)), (3.0, 4, pytest.approx(-2)), (4.0, 5, pytest.approx(-300))]


@pytest.fixture
def pays(monkeypatch):
    """Whether Newton's method pays where it costs 10, ascent has cost ``spent`` and would cost ``rest`` more."""
    for name, value in {"_RISK": 1.5, "_HIGH_RISK": 4.0, "_CHEAP": 0.5, "_ENOUGH": 0.5, "_USED": 0.25}.items():
        monkeypatch.setattr(pace, name, value)
    monkeypatch.setattr(pace, "_WINDOW", 4)
    monkeypatch.setattr(pace, "_ENOUGH_LOOKS", 3)
    monkeypatch.setattr(pace, "newton_steps", lambda gap, tol: 5.0)
    monkeypatch.setattr(pace, "cost_of_newton_step", lambda problem, n_free, n_active: 2.0)

    def found(spent, rest, passes=0.0, n_looks=4, n_active=10, climb=math.inf, n_iter=1, left=100):
        run = SimpleNamespace(
            gap=1e-2, problem=SimpleNamespace(y=np.zeros(20)), n_free=3, n_active=n_active, n_iter=n_iter, cost=spent
        )
        run.cost_of_climb = lambda: climb
        one = paced(*[(0.0, 0, 0.0)] * n_looks)
        one.rest = lambda tol: (rest, passes)
        return one.newton_pays(run, 1e-6, left)

    return found


def test_newton_pays_where_what_is_left_and_what_is_spent_are_more_than_it_costs(pays):
    assert pays(15.5, 10.5)
    assert not pays(15.5, 10.0)  # it would not cost more
    assert not pays(1.0, 100.0)  # hardly begun: 100 < 150
    assert not pays(1.5, 100.0)
    assert pays(1.6, 100.0)


def test_newton_pays_later_where_a_system_of_the_face_is_cheap(pays):
    assert not pays(15.5, 12.0, climb=4.9)
    assert pays(15.5, 12.0, climb=5.0)
    assert pays(40.5, 10.5, climb=0.0)


def test_the_pace_is_known_from_fewer_looks_where_most_examples_are_active(pays):
    assert not pays(100.0, 100.0, n_looks=3, n_active=10)
    assert pays(100.0, 100.0, n_looks=3, n_active=11)
    assert not pays(100.0, 100.0, n_looks=2, n_active=11)


def test_ascent_is_not_relied_on_where_the_passes_might_not_do(pays):
    assert pays(0.0, 0.0, passes=31.0, n_iter=21, left=60)
    assert not pays(0.0, 0.0, passes=30.0, n_iter=21, left=60)
    assert not pays(0.0, 0.0, passes=100.0, n_iter=20, left=60)
    assert pays(0.0, 0.0, passes=100.0, n_looks=0, n_iter=21, left=60)


# Ascent.


@pytest.mark.parametrize("loss", LOSSES)
def test_without_flows_the_values_are_those_of_weights_0(rng, loss):
    X, y = overlapping(rng)
    problem = Problem.checked(X, y, 3, 0.7, loss, rng.uniform(0.5, 2, len(y)))
    run = ascent.WeightRun(problem)
    run.begin()
    assert run.primal == pytest.approx(problem.primal(np.zeros((3, 4))), rel=1e-12)
    assert (run.dual, run.n_iter, run.n_looks, len(run.history)) == (0, 0, 1, 1)


@pytest.mark.parametrize("loss", LOSSES)
def test_from_given_flows_the_first_values_are_theirs(rng, loss):
    X, y = overlapping(rng)
    start = solve_multiclass(X, y, 3, loss=loss, solver="coordinate", max_iter=2)
    assert (start.alpha == 0).all(axis=1).any()
    first = ascent.ascend(Problem.checked(X, y, 3, 1.0, loss), alpha=start.alpha, tol=1e-9, max_iter=1).history[0]
    assert (first.primal, first.dual) == pytest.approx((start.primal, start.dual), rel=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("small", [0, 10**9])
@pytest.mark.parametrize("n_features", [4, 20])
def test_ascent_never_makes_more_passes_than_it_may(rng, monkeypatch, loss, small, n_features):
    monkeypatch.setattr(ascent, "_SMALL", small)
    X, y = overlapping(rng, n_features=n_features)
    problem = Problem.checked(X, y, 3, 3.0, loss)
    counts = [ascent.ascend(problem, tol=1e-12, max_iter=most).n_iter for most in range(1, 40)]
    assert all(count == most for most, count in enumerate(counts[:3], 1))
    assert all(0 < count <= most for most, count in enumerate(counts, 1))


def test_no_more_is_left_to_systems_than_may_still_be_made(rng, monkeypatch):
    monkeypatch.setattr(ascent, "_SMALL", 0)
    X, y = overlapping(rng)
    asked = {}
    for most in (10, 12, 60):
        run = ascent.WeightRun(Problem.checked(X, y, 3, 3.0))
        run.begin()
        run.passes = lambda goal, most: 8
        run.climb = lambda left, most=most: asked.update({most: left})
        run.advance(1e-12, most)
    assert asked == {10: 2, 12: 4, 60: 10}


@pytest.mark.parametrize("loss", LOSSES)
def test_passes_over_a_gram_matrix_are_as_many_as_they_may_be(rng, loss):
    X, y = overlapping(rng)
    counts = [solve_kernel(X @ X.T, y, 3, 3.0, loss=loss, tol=1e-12, max_iter=most).n_iter for most in range(1, 20)]
    assert counts == list(range(1, 20))


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


# Newton's method.


@pytest.mark.parametrize("loss", LOSSES)
def test_what_smoothing_takes_off_is_the_distance_from_the_centre(rng, loss):
    X, y = overlapping(rng)
    problem = Problem.checked(X, y, 3, 1.0, loss, rng.uniform(0.5, 2, len(y)))
    start = solve_multiclass(X, y, 3, loss=loss, solver="coordinate", max_iter=2)
    losses = newton.first_point(problem, start, 0.7).losses
    moved = rng.normal(size=losses.centre.shape)
    squares = moved**2
    if loss == "weston-watkins":
        squares[np.arange(len(y)), y] = 0
    expected = sum(squares[i].sum() / (2 * 0.7 * problem.capacity[i]) for i in range(len(y)))
    assert losses.distance(losses.centre + moved) == pytest.approx(expected, rel=1e-12)
    assert losses.distance(losses.centre) == 0


def solution(primal, dual, n_iter, *history):
    points = tuple(GapPoint(n, seconds, primal, dual) for n, seconds in history)
    return SVMSolution(np.zeros((2, 1)), np.zeros((1, 2)), primal, dual, n_iter, False, "newton", points)


def test_of_two_solutions_the_one_with_the_smaller_gap_is_kept_at_the_cost_of_both():
    before, after = solution(2.0, 1.5, 7, (3, 0.5), (7, 1.5)), solution(2.0, 1.0, 4, (1, 0.25), (4, 0.5))
    for one, other, best in ((before, after, 1.5), (after, before, 1.5)):
        found = newton._better(one, other)
        assert (found.dual, found.n_iter) == (best, 11)
    counts = [(point.n_iter, point.seconds) for point in newton._better(before, after).history]
    assert counts == [(3, 0.5), (7, 1.5), (8, 1.75), (11, 2.0)]


def test_the_history_of_two_classes_ends_with_their_values(rng):
    X, y = overlapping(rng, n_classes=2)
    found = solve_binary(X, 2 * y - 1, 3.0)
    assert (found.history[-1].primal, found.history[-1].dual) == pytest.approx((found.primal, found.dual), rel=1e-12)


def test_examples_without_weight_have_no_flows_and_no_say(rng):
    X, y = overlapping(rng)
    weight = np.where(np.arange(len(y)) % 3 == 1, 0.0, 1.5)
    found = solve_multiclass(X, y, 3, solver="newton", sample_weight=weight)
    kept = weight > 0
    alone = solve_multiclass(X[kept], y[kept], 3, solver="newton", sample_weight=weight[kept])
    assert not found.alpha[~kept].any()
    np.testing.assert_array_equal(found.alpha[kept], alone.alpha)
    np.testing.assert_array_equal(found.W, alone.W)
    assert found.alpha.shape == (len(y), 3)


# High prices.


@pytest.mark.parametrize("max_iter", [20, 200, 1000])
def test_the_path_costs_half_of_the_iterations_at_most(rng, monkeypatch, max_iter):
    X, y = overlapping(rng)
    problem, asked = Problem.checked(1e7 * X, y, 3, 1.0), []

    def solve(part, tol, most):
        found = solve_multiclass(part.X, part.y, 3, tol=tol, max_iter=max(most, 1))
        asked.append((tol, most, float(part.squared_norms.max()), found.n_iter))
        return found

    found = high_prices.solve_by_path(problem, solve, 1e-6, max_iter)
    tols, limits, squares, made = zip(*asked, strict=True)
    assert tols == pytest.approx([1e-3 * 1e-6] * len(tols))
    assert limits[0] == max_iter // 2 // high_prices._MOST_POINTS
    for number, limit in enumerate(limits):
        assert limit == (max_iter // 2 - sum(made[:number])) // (high_prices._MOST_POINTS - number)
    assert found.n_iter == sum(made) <= max_iter // 2
    # The first look is where the largest price is as said, the next ones where it is ten times that.
    assert squares[0] == pytest.approx(high_prices._BEGINNING, rel=1e-9)
    assert np.divide(squares[1:], squares[:-1]) == pytest.approx(high_prices._FACTOR, rel=1e-9)
    assert [point.n_iter for point in found.history] == [0, *np.cumsum(made)[1:]]
    assert found.converged == (found.gap <= 1e-6)
    assert (found.history[-1].primal, found.history[-1].dual) == (found.primal, found.dual)


def test_two_points_on_the_last_piece_tell_all_of_it(rng):
    """Separable data: the weights stand still, and a third point is not looked at."""
    y = np.arange(40) % 2
    X = 1e7 * np.column_stack([np.where(y, 1.5, -0.5), rng.normal(size=40)])
    problem, calls = Problem.checked(X, y, 2, 1.0), []

    def solve(part, tol, most):
        calls.append(most)
        return solve_multiclass(part.X, part.y, 2, tol=tol)

    found = high_prices.solve_by_path(problem, solve, 1e-8, 10_000)
    assert found.converged
    assert len(calls) == 2
    assert problem.primal(found.W) == found.primal


def test_columns_that_are_small_already_stay_as_they_are():
    for form in (np.asarray, sparse.csr_matrix):
        X = form(np.array([[1e8, 1.0, -10.0], [0.0, 1.0, 1100.0]]))
        assert high_prices._large_columns(X).tolist() == [True, False, True]
        scaled = high_prices._scaled(X, np.array([0.5, 1.0, 2.0]))
        scaled = scaled.toarray() if sparse.issparse(scaled) else scaled
        assert scaled.tolist() == [[5e7, 1.0, -20.0], [0.0, 1.0, 2200.0]]
