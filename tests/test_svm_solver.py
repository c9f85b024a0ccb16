"""The solvers of the support vector machines: certificates, forms of data, ascent."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from svm_samples import LOSSES, assert_certified, overlapping

import mcbook.svm_solvers.algorithm.ascent as ascent
import mcbook.svm_solvers.algorithm.objective as objective
import mcbook.svm_solvers.algorithm.smoothed as smoothed
from mcbook.foundation.linear import NotPositive, Unsolved
from mcbook.svm import dual_objective, primal_objective
from mcbook.svm_solvers import (
    GramRows,
    LinearSVM,
    Problem,
    crammer_singer_step,
    solve_binary,
    solve_kernel,
    solve_multiclass,
    solve_rows,
    weston_watkins_step,
)
from mcbook.svm_solvers.algorithm.objective import relative_gap

pytestmark = pytest.mark.usefixtures("sparse_stays_sparse")


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.mark.parametrize(("loss", "solver"), [(LOSSES[0], "newton"), (LOSSES[0], "coordinate"), (LOSSES[1], "auto")])
@pytest.mark.parametrize(("n_classes", "C"), [(2, 1.0), (3, 0.01), (3, 30.0), (7, 1.0)])
def test_solutions_carry_their_certificate(rng, loss, solver, n_classes, C):
    X, y = overlapping(rng, n_classes=n_classes)
    solution = solve_multiclass(X, y, n_classes, C, loss=loss, tol=1e-9, max_iter=100_000, solver=solver)
    assert_certified(solution, X, y, n_classes, C, loss, 1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_the_solvers_and_the_forms_of_the_data_agree(rng, loss):
    X, y = overlapping(rng)
    X[np.abs(X) < 0.5] = 0
    options = {"loss": loss, "tol": 1e-10, "max_iter": 100_000}
    reference = solve_multiclass(X, y, 3, **options)
    by_passes = solve_multiclass(X, y, 3, solver="coordinate", **options)
    sparse_rows = solve_multiclass(sparse.csr_matrix(X), y, 3, **options)
    gram = solve_kernel(X @ X.T, y, 3, **options)
    few_rows = GramRows(len(X), lambda examples: X[examples] @ X.T, (X**2).sum(axis=1), 7)
    cached = solve_rows(few_rows, y, 3, **options)
    for other in (by_passes, sparse_rows, gram, cached):
        assert other.primal == pytest.approx(reference.primal, rel=2e-10)
        W = other.alpha.T @ X
        np.testing.assert_allclose(W, reference.W, atol=1e-4)
    assert gram.W is None


@pytest.mark.parametrize("step", [crammer_singer_step, weston_watkins_step])
def test_the_block_step_satisfies_its_optimality_conditions(rng, step):
    for _ in range(200):
        k = int(rng.integers(2, 8))
        scores, label = rng.normal(size=k) * rng.choice([0.1, 1, 10]), int(rng.integers(k))
        capacity, norm = rng.uniform(0.1, 5), rng.uniform(0.1, 5)
        flows = step(scores, label, capacity, norm)
        assert flows.sum() == pytest.approx(0, abs=1e-12 * k * capacity)
        rivals = np.arange(k) != label
        # what a unit of flow from a rival to the label gains
        gain = 1 - norm * flows[label] - scores[label] + norm * flows[rivals] + scores[rivals]
        given = -flows[rivals]
        spare = capacity - flows[label] if step is crammer_singer_step else None
        if spare is None:
            assert (gain[given < capacity * (1 - 1e-12)] <= 1e-9).all()
            assert (gain[given > 1e-12] >= -1e-9).all()
        else:
            price = 0.0 if spare > 1e-9 else gain[given > 1e-12].min()
            assert (gain <= price + 1e-9).all()
            np.testing.assert_allclose(gain[given > 1e-12], price, atol=1e-9)


def test_two_classes_are_the_binary_machine(rng):
    X, y = overlapping(rng, n_classes=2)
    signs = 2 * y - 1
    solution = solve_binary(X, signs, 0.7, tol=1e-10)
    assert (solution.alpha >= 0).all()
    assert (solution.alpha <= 0.7 * (1 + 1e-12)).all()
    np.testing.assert_allclose(solution.w, (solution.alpha * signs) @ X, atol=1e-10)
    half = 0.5 * solution.w @ solution.w
    assert solution.primal == pytest.approx(half + 0.7 * np.maximum(0, 1 - signs * (X @ solution.w)).sum(), rel=1e-12)
    assert solution.dual == pytest.approx(solution.alpha.sum() - half, rel=1e-11)
    assert solution.gap <= 1e-10


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("solver", ["auto", "coordinate"])
def test_weights_stand_for_repeated_examples(rng, loss, solver):
    X, y = overlapping(rng)
    times = rng.integers(0, 4, len(y))
    options = {"loss": loss, "tol": 1e-10, "solver": solver, "max_iter": 100_000}
    weighted = solve_multiclass(X, y, 3, sample_weight=times, **options)
    repeated = solve_multiclass(np.repeat(X, times, axis=0), np.repeat(y, times), 3, **options)
    assert weighted.primal == pytest.approx(repeated.primal, rel=2e-10)
    assert not weighted.alpha[times == 0].any()
    np.testing.assert_allclose(weighted.alpha.T @ X, weighted.W, atol=1e-10)


def test_values_agree_with_the_solution(rng):
    X, y = overlapping(rng)
    solution = solve_multiclass(X, y, 3, 2.0)
    assert primal_objective(solution.W, X, y, 2.0) == pytest.approx(solution.primal, rel=1e-12)
    assert dual_objective(solution.alpha, X @ X.T, y) == pytest.approx(solution.dual, rel=1e-12)
    assert Problem.checked(X, y, 3, 2.0).primal(np.zeros((3, 4))) == 2.0 * len(y)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_weights_come_from_the_examples_that_carry_flows(rng, form):
    X, y = overlapping(rng)
    for part in (0.1, 0.9):
        alpha = rng.normal(size=(len(y), 3)) * (rng.random((len(y), 1)) < part)
        W = Problem.checked(form(X), y, 3, 1.0).weights(alpha, alpha.any(axis=1))
        np.testing.assert_allclose(W, alpha.T @ X, atol=1e-12)


@pytest.mark.parametrize(("n_filled", "is_sparse"), [(8, True), (9, False)])
def test_a_sparse_matrix_that_is_filled_by_more_than_a_third_is_solved_as_a_dense_one(monkeypatch, n_filled, is_sparse):
    monkeypatch.setattr(objective, "_DENSE", 1 / 3)
    X = np.zeros(24)
    X[:n_filled] = np.arange(1.0, n_filled + 1)
    X, y = X.reshape(4, 6), np.array([0, 1, 2, 0])
    problem = Problem.checked(sparse.coo_array(X), y, 3, 1.0)
    assert sparse.issparse(problem.X) == is_sparse
    np.testing.assert_array_equal(problem.X.toarray() if is_sparse else problem.X, X)


@pytest.mark.parametrize(("distance", "seen"), [(12.0, "a sample"), (1.0, "all")])
def test_a_first_pass_sees_a_sample_where_few_examples_keep_flows(rng, distance, seen):
    """Where many do, all begins as if nothing had been tried."""
    y = rng.integers(0, 3, 6000)
    X = rng.normal(size=(6000, 4)) + distance * np.eye(3, 4)[y]
    problem = Problem.checked(X, y, 3, 0.1)
    run = ascent.WeightRun(problem, 0)
    begun = run.seed.copy()
    run.begin()
    if seen == "a sample":
        carry = run.alpha.any(axis=1)
        assert 0 < carry.sum() < 600
        assert 0 < run.n_active < 2000
        assert run.dual > 0
        assert [h.n_iter for h in run.history] == [0, 1]
        np.testing.assert_allclose(run.W, run.alpha.T @ X, atol=1e-12)
    else:
        assert run.n_active == 6000
        assert run.n_iter == 0
        assert not run.alpha.any()
        assert not run.state.any()
        assert (run.seed == begun).all()
        assert (run.primal, run.dual) == (pytest.approx(600), 0)
    found = solve_multiclass(X, y, 3, 0.1, tol=1e-8, max_iter=100_000)
    assert_certified(found, X, y, 3, 0.1, "crammer-singer", 1e-8)


def test_the_origin_is_an_example_like_any_other(rng):
    X, y = overlapping(rng)
    X[:5] = 0
    for loss in LOSSES:
        solution = solve_multiclass(X, y, 3, loss=loss, solver="coordinate", tol=1e-9, max_iter=100_000)
        assert_certified(solution, X, y, 3, 1.0, loss, 1e-9)


def test_data_on_which_no_weights_help(rng):
    """With contradictory labels W = 0 is optimal: every slack is 1."""
    X, _ = overlapping(rng)
    X, y = np.r_[X, X, X], np.repeat([0, 1, 2], len(X))
    for solver in ("newton", "coordinate"):
        solution = solve_multiclass(X, y, 3, solver=solver, tol=1e-6, max_iter=100_000)
        assert solution.converged
        assert solution.primal == pytest.approx(len(y), rel=2e-6)


def test_what_the_first_passes_show_chooses_the_solver(rng):
    """Few examples that matter: ascent to the end; many: second-order steps; in both cases to the gap."""
    y = rng.integers(0, 10, 2000)
    apart = rng.normal(size=(2000, 30)) + 3 * rng.normal(size=(10, 30))[y]
    easy = solve_multiclass(apart, y, 10, 1e-4, tol=1e-3)
    hard = solve_multiclass(rng.normal(size=(2000, 30)), y % 3, 3, 10.0)
    assert (easy.solver, hard.solver) == ("coordinate", "newton")
    assert easy.converged
    assert hard.converged


def test_passes_that_would_not_suffice_are_left_for_second_order_steps(rng):
    X, y = load_iris(return_X_y=True)
    X = sparse.csr_matrix(X)
    passes = solve_multiclass(X, y, 3, 100.0, solver="coordinate", max_iter=500)
    both = solve_multiclass(X, y, 3, 100.0, max_iter=500)
    assert not passes.converged
    assert both.converged
    assert both.solver == "newton"


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_a_large_price_of_slack_is_solved_for_both_losses_and_forms(loss, form):
    X, y = load_iris(return_X_y=True)
    solution = solve_multiclass(form(X), y, 3, 1000.0, loss=loss, tol=1e-8)
    assert solution.converged
    reference = solve_multiclass(X, y, 3, 1000.0, loss=loss, tol=1e-10)
    assert solution.primal == pytest.approx(reference.primal, rel=2e-8)


def test_the_binary_machine_solves_sparse_data_at_a_large_price_of_slack():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 2, 60)
    machines = [LinearSVM(C=100).fit(form(X), y) for form in (np.asarray, sparse.csr_matrix)]
    assert [machine.converged_ for machine in machines] == [True, True]
    np.testing.assert_allclose(machines[0].coef_, machines[1].coef_, rtol=1e-3)


GAPS = [(0.5, 0.4, 0.2), (4.0, 3.0, 0.25), (1e-6, 0.0, 1.0), (2.0, 2.1, 0)]


@pytest.mark.parametrize(("primal", "dual", "gap"), GAPS)
def test_the_relative_gap_divides_by_the_primal_value_however_small(primal, dual, gap):
    assert relative_gap(primal, dual) == pytest.approx(gap)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
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


def test_a_run_left_between_two_looks_certifies_before_it_gives_its_solution(rng):
    X, y = overlapping(rng, n_samples=2000, n_features=30)
    run = ascent.WeightRun(Problem.checked(X, y, 3, 1.0), 0)
    run.begin()
    run.advance(1e-9, 1000)
    assert not run.certified
    run.state += 1e-3
    solution = run.solution(1e-9)
    np.testing.assert_allclose(solution.W, solution.alpha.T @ X, atol=1e-12)
    assert solution.dual <= solution.primal


@pytest.mark.parametrize("max_iter", [1, 3, 10, 30, 60, 100, 200, 1000])
def test_ascent_says_that_it_has_converged_only_at_the_gap(rng, max_iter):
    X, y = overlapping(rng)
    solution = solve_multiclass(X, y, 3, 0.3, solver="coordinate", tol=1e-6, max_iter=max_iter)
    assert solution.converged == (solution.gap <= 1e-6)
    assert solution.gap == pytest.approx(relative_gap(solution.primal, solution.dual))


def test_ascent_stopped_just_short_of_the_gap_is_not_converged(rng):
    """Its gap is within a thousand times what was asked for, and that is not enough."""
    X, y = overlapping(rng)
    runs = [solve_multiclass(X, y, 3, 0.3, solver="coordinate", tol=1e-6, max_iter=n) for n in range(1, 80)]
    short = [run for run in runs if 1e-6 < run.gap < 1e-3]
    assert short
    assert not any(run.converged for run in short)


def test_what_is_handed_to_ascent_and_not_finished_is_not_converged(rng, monkeypatch):
    def fails(*arguments):
        raise Unsolved

    X, y = overlapping(rng)
    monkeypatch.setattr(smoothed, "solve_positive", fails)
    solution = solve_multiclass(X, y, 3, 30.0, solver="newton", tol=1e-10, max_iter=20)
    assert solution.gap > 1e-10
    assert not solution.converged


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
    assert compiled.history[-1].primal == pytest.approx(compiled.primal, rel=1e-12)
    assert compiled.history[-1].dual == pytest.approx(compiled.dual, rel=1e-12)
    assert compiled.primal == pytest.approx(apart.primal, rel=2e-8)


def test_bad_input_is_named(rng):
    X, y = overlapping(rng)
    for arguments, message in [
        (((X, y + 1, 3),), "expected labels"),
        (((X[:-1], y, 3),), "expected X"),
        (((X, y, 3, -1.0),), "expected a finite C > 0"),
        (((X * np.nan, y, 3),), "finite features"),
        (((X, y, 3), {"loss": "hinge"}), "expected loss to be one of"),
        (((X, y, 3), {"tol": 2}), "relative gap"),
        (((X, y, 3), {"sample_weight": -np.ones(60)}), "sample weights"),
        (((X, y, 3), {"sample_weight": np.zeros(60)}), "only zeros"),
        (((X, y, 3), {"solver": "simplex"}), "expected solver to be one of"),
    ]:
        positional, named = arguments[0], arguments[1] if len(arguments) > 1 else {}
        with pytest.raises(ValueError, match=message):
            solve_multiclass(*positional, **named)
    with pytest.raises(ValueError, match="signs -1 and"):
        solve_binary(X, y)
    with pytest.raises(NotPositive, match="eigenvalue -1"):
        solve_kernel(np.diag([1.0, -1.0, 1.0]), np.array([0, 1, 2]), 3)
    with pytest.raises(ValueError, match="symmetric"):
        solve_kernel(np.array([[1.0, 0.5], [0.0, 1.0]]), np.array([0, 1]), 2)
