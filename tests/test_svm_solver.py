"""The support vector machines' solvers and estimators."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

import mcbook.svm.algorithm.ascent as ascent
import mcbook.svm.algorithm.newton as newton
import mcbook.svm.algorithm.smoothed as smoothed
from mcbook.foundation.linear import Unsolved
from mcbook.svm import (
    GramRows,
    KernelMulticlassSVM,
    LinearSVM,
    MulticlassSVM,
    NotPositive,
    Problem,
    crammer_singer_step,
    dual_value,
    primal_value,
    solve_binary,
    solve_kernel,
    solve_multiclass,
    solve_rows,
    weston_watkins_step,
)
from mcbook.svm.algorithm.objective import relative_gap
from mcbook.svm.kernels.newton import curvature, kinds

LOSSES = ["crammer-singer", "weston-watkins"]


# Some checks set a small max_iter, and scikit-learn itself lets a classifier warn about that.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks([MulticlassSVM(), LinearSVM(), KernelMulticlassSVM()])
def test_estimators_keep_the_conventions_of_scikit_learn(estimator, check):
    check(estimator)


def overlapping(rng, n_samples=60, n_features=4, n_classes=3):
    y = rng.integers(0, n_classes, n_samples)
    return rng.normal(size=(n_samples, n_features)) + 0.7 * rng.normal(size=(n_classes, n_features))[y], y


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def assert_certified(solution, X, y, n_classes, C, loss, gap):
    """The flows are feasible, they make the weights, and both values are what the definitions say."""
    rows = np.arange(len(y))
    capacity = np.broadcast_to(C, len(y))
    alpha = solution.alpha
    own, others = alpha[rows, y], np.delete(alpha.ravel(), rows * n_classes + y)
    np.testing.assert_allclose(alpha.sum(axis=1), 0, atol=1e-11 * max(capacity))
    assert (own >= 0).all()
    assert (others <= 0).all()
    if loss == "crammer-singer":
        assert (own <= capacity * (1 + 1e-12)).all()
    else:
        assert (alpha >= -capacity[:, None]).all()
    np.testing.assert_allclose(solution.W, alpha.T @ X, atol=1e-10)
    scores = X @ solution.W.T
    excess = np.maximum(scores - scores[rows, y][:, None] + 1, 0)
    excess[rows, y] = 0
    slack = excess.max(axis=1) if loss == "crammer-singer" else excess.sum(axis=1)
    half = 0.5 * (solution.W**2).sum()
    assert solution.primal == pytest.approx(half + capacity @ slack, rel=1e-12)
    assert solution.dual == pytest.approx(own.sum() - half, rel=1e-11)
    assert 0 <= solution.gap <= gap
    assert solution.converged


@pytest.mark.parametrize(("loss", "method"), [(LOSSES[0], "newton"), (LOSSES[0], "coordinate"), (LOSSES[1], "auto")])
@pytest.mark.parametrize(("n_classes", "C"), [(2, 1.0), (3, 0.01), (3, 30.0), (7, 1.0)])
def test_solutions_carry_their_certificate(rng, loss, method, n_classes, C):
    X, y = overlapping(rng, n_classes=n_classes)
    solution = solve_multiclass(X, y, n_classes, C, loss=loss, gap=1e-9, max_iter=100_000, method=method)
    assert_certified(solution, X, y, n_classes, C, loss, 1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_the_solvers_and_the_forms_of_the_data_agree(rng, loss):
    X, y = overlapping(rng)
    X[np.abs(X) < 0.5] = 0
    options = {"loss": loss, "gap": 1e-10, "max_iter": 100_000}
    reference = solve_multiclass(X, y, 3, **options)
    by_passes = solve_multiclass(X, y, 3, method="coordinate", **options)
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
    solution = solve_binary(X, signs, 0.7, gap=1e-10)
    assert (solution.alpha >= 0).all()
    assert (solution.alpha <= 0.7 * (1 + 1e-12)).all()
    np.testing.assert_allclose(solution.w, (solution.alpha * signs) @ X, atol=1e-10)
    half = 0.5 * solution.w @ solution.w
    assert solution.primal == pytest.approx(half + 0.7 * np.maximum(0, 1 - signs * (X @ solution.w)).sum(), rel=1e-12)
    assert solution.dual == pytest.approx(solution.alpha.sum() - half, rel=1e-11)
    assert solution.gap <= 1e-10


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("method", ["auto", "coordinate"])
def test_weights_stand_for_repeated_examples(rng, loss, method):
    X, y = overlapping(rng)
    times = rng.integers(0, 4, len(y))
    options = {"loss": loss, "gap": 1e-10, "method": method, "max_iter": 100_000}
    weighted = solve_multiclass(X, y, 3, sample_weight=times, **options)
    repeated = solve_multiclass(np.repeat(X, times, axis=0), np.repeat(y, times), 3, **options)
    assert weighted.primal == pytest.approx(repeated.primal, rel=2e-10)
    assert not weighted.alpha[times == 0].any()
    np.testing.assert_allclose(weighted.alpha.T @ X, weighted.W, atol=1e-10)


def test_values_agree_with_the_solution(rng):
    X, y = overlapping(rng)
    solution = solve_multiclass(X, y, 3, 2.0)
    assert primal_value(solution.W, X, y, 2.0) == pytest.approx(solution.primal, rel=1e-12)
    assert dual_value(solution.alpha, X, y) == pytest.approx(solution.dual, rel=1e-12)
    assert primal_value(np.zeros((3, 4)), X, y, 2.0) == 2.0 * len(y)


def test_the_origin_is_an_example_like_any_other(rng):
    X, y = overlapping(rng)
    X[:5] = 0
    for loss in LOSSES:
        solution = solve_multiclass(X, y, 3, loss=loss, method="coordinate", gap=1e-9, max_iter=100_000)
        assert_certified(solution, X, y, 3, 1.0, loss, 1e-9)


def test_data_on_which_no_weights_help(rng):
    """With contradictory labels W = 0 is optimal: every slack is 1."""
    X, _ = overlapping(rng)
    X, y = np.r_[X, X, X], np.repeat([0, 1, 2], len(X))
    for method in ("newton", "coordinate"):
        solution = solve_multiclass(X, y, 3, method=method, gap=1e-6, max_iter=100_000)
        assert solution.converged
        assert solution.primal == pytest.approx(len(y), rel=2e-6)


def test_what_the_first_passes_show_chooses_the_solver(rng):
    """Few examples that matter: ascent to the end; many: second-order steps; in both cases to the gap."""
    y = rng.integers(0, 10, 2000)
    apart = rng.normal(size=(2000, 30)) + 3 * rng.normal(size=(10, 30))[y]
    easy = solve_multiclass(apart, y, 10, 1e-4, gap=1e-3)
    hard = solve_multiclass(rng.normal(size=(2000, 30)), y % 3, 3, 10.0)
    assert (easy.method, hard.method) == ("coordinate", "newton")
    assert easy.converged
    assert hard.converged


def test_passes_that_would_not_suffice_are_left_for_second_order_steps(rng):
    X, y = load_iris(return_X_y=True)
    passes = solve_multiclass(X, y, 3, 100.0, method="coordinate", max_iter=500)
    both = solve_multiclass(X, y, 3, 100.0, max_iter=500)
    assert not passes.converged
    assert both.converged
    assert both.method == "newton"


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_a_large_price_of_slack_is_solved_for_both_losses_and_forms(loss, form):
    X, y = load_iris(return_X_y=True)
    solution = solve_multiclass(form(X), y, 3, 1000.0, loss=loss, gap=1e-8)
    assert solution.converged
    reference = solve_multiclass(X, y, 3, 1000.0, loss=loss, gap=1e-10)
    assert solution.primal == pytest.approx(reference.primal, rel=2e-8)


def test_the_binary_machine_solves_sparse_data_at_a_large_price_of_slack():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 2, 60)
    machines = [LinearSVM(C=100).fit(form(X), y) for form in (np.asarray, sparse.csr_matrix)]
    assert [machine.converged_ for machine in machines] == [True, True]
    np.testing.assert_allclose(machines[0].coef_, machines[1].coef_, rtol=1e-3)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_second_order_steps_alone_reach_the_certified_optimum(rng, loss, form):
    X, y = overlapping(rng, n_samples=150, n_classes=5)
    solution = solve_multiclass(form(X), y, 5, 10.0, loss=loss, gap=1e-9, method="newton")
    assert solution.method == "newton"
    assert_certified(solution, X, y, 5, 10.0, loss, 1e-9)


GAPS = [(0.5, 0.4, 0.2), (4.0, 3.0, 0.25), (1e-6, 0.0, 1.0), (2.0, 2.1, 0)]


@pytest.mark.parametrize(("primal", "dual", "gap"), GAPS)
def test_the_relative_gap_divides_by_the_primal_value_however_small(primal, dual, gap):
    assert relative_gap(primal, dual) == pytest.approx(gap)


@pytest.mark.parametrize("max_iter", [1, 3, 10, 30, 60, 100, 200, 1000])
def test_ascent_says_that_it_has_converged_only_at_the_gap(rng, max_iter):
    X, y = overlapping(rng)
    solution = solve_multiclass(X, y, 3, 0.3, method="coordinate", gap=1e-6, max_iter=max_iter)
    assert solution.converged == (solution.gap <= 1e-6)
    assert solution.gap == pytest.approx(relative_gap(solution.primal, solution.dual))


def test_ascent_stopped_just_short_of_the_gap_is_not_converged(rng):
    """Its gap is within a thousand times what was asked for, and that is not enough."""
    X, y = overlapping(rng)
    runs = [solve_multiclass(X, y, 3, 0.3, method="coordinate", gap=1e-6, max_iter=n) for n in range(1, 80)]
    short = [run for run in runs if 1e-6 < run.gap < 1e-3]
    assert short
    assert not any(run.converged for run in short)


def test_what_is_handed_to_ascent_and_not_finished_is_not_converged(rng, monkeypatch):
    def fails(*arguments):
        raise Unsolved

    X, y = overlapping(rng)
    monkeypatch.setattr(smoothed, "solve_positive", fails)
    solution = solve_multiclass(X, y, 3, 30.0, method="newton", gap=1e-10, max_iter=20)
    assert solution.gap > 1e-10
    assert not solution.converged


@pytest.mark.parametrize(("C", "scale"), [(1e3, 1.0), (1.0, 100.0), (1e3, 100.0), (1e-3, 0.01)])
@pytest.mark.parametrize("separation", [0.3, 4.0])
def test_newton_copes_with_any_scale(rng, C, scale, separation):
    """From data that are separable, where C has no say, to such where every example is at its capacity."""
    y = rng.integers(0, 4, 300)
    X = scale * (rng.normal(size=(300, 8)) + separation * rng.normal(size=(4, 8))[y])
    solution = solve_multiclass(X, y, 4, C, gap=1e-6, max_iter=400)
    assert solution.converged
    assert primal_value(solution.W, X, y, C) == pytest.approx(solution.primal, rel=1e-12)
    assert dual_value(solution.alpha, X, y) == pytest.approx(solution.dual, rel=1e-9)


def first_smoothed_point(rng, tau, passes=3):
    X, y = overlapping(rng, n_samples=200, n_classes=5)
    problem = Problem.checked(X, y, 5, 1.0)
    start = solve_multiclass(X, y, 5, method="coordinate", max_iter=passes, gap=1e-12)
    return newton.first_point(problem, start, tau)


def test_half_the_squared_gradient_is_the_gap_of_the_smoothed_problem(rng):
    for tau in (0.1, 1.0, 30.0):
        point = first_smoothed_point(rng, tau)
        moved = ((point.alpha - point.losses.centre) ** 2).sum() / (2 * tau)
        assert point.smoothed_gap == pytest.approx(point.smoothed - (point.dual - moved), rel=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_small_data_in_one_compiled_call_reach_what_calls_for_each_look_reach(rng, monkeypatch, loss, n_classes):
    X, y = overlapping(rng, n_samples=90, n_features=3, n_classes=n_classes)
    options = {"loss": loss, "method": "coordinate", "gap": 1e-8, "sample_weight": rng.uniform(0.5, 2, 90)}
    compiled = solve_multiclass(X, y, n_classes, 0.3, **options)
    monkeypatch.setattr(ascent, "_SMALL", 0)
    apart = solve_multiclass(X, y, n_classes, 0.3, **options)
    assert compiled.converged
    assert len(compiled.history) < len(apart.history)
    np.testing.assert_allclose(compiled.W, compiled.alpha.T @ X, atol=1e-12)
    assert compiled.history[-1].primal == pytest.approx(compiled.primal, rel=1e-12)
    assert compiled.history[-1].dual == pytest.approx(compiled.dual, rel=1e-12)
    assert compiled.primal == pytest.approx(apart.primal, rel=2e-8)


@pytest.mark.parametrize("loss", LOSSES)
def test_examples_with_one_curvature_share_their_sum_wherever_they_stand(rng, loss):
    X, y, one_slack = rng.normal(size=(120, 3)), rng.integers(0, 4, 120), loss == "crammer-singer"
    free = rng.random((120, 4)) < 0.7
    if not one_slack:
        free[np.arange(120), y] = True
    support, taus = free.sum(axis=1), rng.uniform(0.5, 2, 120)
    order = np.argsort(kinds(free, y, one_slack), kind="stable")
    found = curvature(X, y, free, support, taus, order, one_slack)
    expected = np.eye(12)
    for x, label, mask, tau in zip(X, y, free, taus, strict=True):
        J = np.diag(mask.astype(float)) - np.outer(mask, mask) / max(mask.sum(), 1)
        if not one_slack:
            differences = np.eye(4)[mask & (np.arange(4) != label)] - np.eye(4)[label]
            J = differences.T @ differences
        expected += tau * np.kron(J, np.outer(x, x))
    lower = np.tril_indices(12)
    np.testing.assert_allclose(found[lower], expected[lower], rtol=1e-10, atol=1e-10)
    assert len(np.unique(kinds(free, y, one_slack))) == len(np.unique(free if one_slack else np.c_[free, y], axis=0))


def test_the_newton_direction_is_the_same_by_all_three_ways(rng, monkeypatch):
    point = first_smoothed_point(rng, 3.0)
    losses = point.losses
    by_weights, by_examples = losses.by_weights(point), losses.by_examples(point)
    monkeypatch.setattr(smoothed, "_RESIDUAL", 1e-12)
    by_products = losses.by_products(point)
    np.testing.assert_allclose(by_examples, by_weights, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(by_products, by_weights, rtol=1e-8, atol=1e-10)


def test_conjugate_gradients_serve_where_both_systems_are_large(rng, monkeypatch):
    X, y = overlapping(rng, n_samples=300, n_features=10, n_classes=5)
    reference = solve_multiclass(X, y, 5, gap=1e-9)
    monkeypatch.setattr(smoothed, "MOST_ROWS", 5)
    solution = solve_multiclass(X, y, 5, gap=1e-9)
    assert_certified(solution, X, y, 5, 1.0, LOSSES[0], 1e-9)
    assert solution.primal == pytest.approx(reference.primal, rel=2e-9)


@pytest.mark.parametrize("max_iter", [1, 7, 30, 10_000])
def test_the_iterations_are_counted_and_limited(rng, max_iter):
    X, y = overlapping(rng)
    solution = solve_multiclass(X, y, 3, 30.0, max_iter=max_iter, method="newton")
    counts = [point.n_iter for point in solution.history]
    assert counts == sorted(counts)
    assert counts[-1] <= solution.n_iter <= max_iter
    assert solution.converged == (solution.gap <= 1e-6) == (max_iter == 10_000)
    assert solution.gap == pytest.approx(relative_gap(solution.primal, solution.dual))


@pytest.mark.parametrize("seed", [4, 14, 27])
def test_a_gap_that_rounding_forbids_ends_at_the_limit(seed):
    rng = np.random.default_rng(seed)
    for _ in range(10):
        X, y = rng.integers(-3, 4, size=(12, 3)).astype(float), np.arange(12) % 2
        weight = rng.uniform(0.5, 2, 12)
        solution = solve_multiclass(X, y, 2, 0.01, gap=1e-16, max_iter=100, sample_weight=weight)
        assert solution.n_iter <= 100
        assert solution.gap < 1e-12


def test_what_is_handed_to_ascent_is_never_returned_worse(monkeypatch):
    calls, ascents = [], []

    def sometimes_fails(*arguments):
        calls.append(arguments)
        if len(calls) > 15:
            raise Unsolved
        return solve(*arguments)

    def watched(*arguments, **options):
        ascents.append(ascend(*arguments, **options))
        return ascents[-1]

    solve, ascend = smoothed.solve_positive, newton.ascend
    monkeypatch.setattr(smoothed, "solve_positive", sometimes_fails)
    monkeypatch.setattr(newton, "ascend", watched)
    worse = 0
    for seed in range(20):
        calls.clear()
        ascents.clear()
        X, y = overlapping(np.random.default_rng(seed))
        solution = solve_multiclass(X, y, 3, 10.0, gap=1e-12, max_iter=32, method="newton")
        assert all(solution.gap <= ascent.gap for ascent in ascents)
        worse += any(solution.gap < ascent.gap for ascent in ascents)
    assert worse > 0


def test_a_class_without_weight_is_no_class():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="1 class only"):
        MulticlassSVM(class_weight={0: 0, 1: 1, 2: 0}).fit(X, y)


def test_one_number_serves_as_weight_of_all_examples():
    X, y = load_iris(return_X_y=True)
    for machine in (KernelMulticlassSVM(), MulticlassSVM()):
        scaled = clone(machine).set_params(C=2.0).fit(X, y)
        assert clone(machine).fit(X, y, sample_weight=2.0).primal_ == pytest.approx(scaled.primal_, rel=1e-6)


def test_a_system_that_cannot_be_solved_leaves_the_rest_to_ascent(rng, monkeypatch):
    def fails(*arguments):
        raise Unsolved

    X, y = overlapping(rng)
    monkeypatch.setattr(smoothed, "solve_positive", fails)
    solution = solve_multiclass(X, y, 3, max_iter=100_000)
    assert solution.method == "coordinate"
    assert_certified(solution, X, y, 3, 1.0, LOSSES[0], 1e-6)


@pytest.mark.parametrize("reach", [0.0, 1e-3])
def test_examples_left_out_too_early_are_taken_back(rng, monkeypatch, reach):
    X, y = overlapping(rng, n_samples=400, n_classes=5)
    reference = solve_multiclass(X, y, 5, gap=1e-9)
    monkeypatch.setattr(newton, "_REACH", reach)
    solution = solve_multiclass(X, y, 5, gap=1e-9)
    assert solution.method == "newton"
    assert_certified(solution, X, y, 5, 1.0, LOSSES[0], 1e-9)
    assert solution.primal == pytest.approx(reference.primal, rel=2e-9)


def test_a_proximal_step_is_solved_however_few_examples_it_starts_with(rng, monkeypatch):
    monkeypatch.setattr(smoothed, "_WORTHWHILE", 0.0)
    point = first_smoothed_point(rng, 3.0, passes=1)
    reference, _ = point.losses.minimised(point, 1e-9, 100)
    left = np.zeros(len(point.room), dtype=bool)
    for reach in (0.0, np.inf):
        for found, _ in newton.proximal_step(point, reach, 1e-9, 100):
            left |= (point.room > reach) & (found.room < 0)
        assert found.losses.solved(found, 1e-9)
        assert found.smoothed == pytest.approx(reference.smoothed, rel=1e-3)
    assert left.any()


def test_a_proximal_step_that_is_too_hard_is_tried_again_more_gently(rng, monkeypatch):
    """Heavy tails and a large C; the reference takes its time."""
    X, y = overlapping(rng, n_samples=800, n_features=6, n_classes=4)
    X = X**3
    monkeypatch.setattr(newton, "_INNER_STEPS", 4)
    solution = solve_multiclass(X, y, 4, 1e3, gap=1e-6, max_iter=1000)
    assert solution.method == "newton"
    assert solution.converged


def test_a_restricted_problem_agrees_with_the_whole_as_long_as_the_others_keep_their_corner(rng):
    point = first_smoothed_point(rng, 3.0, passes=200)
    near = point.room <= 0.1
    assert 0 < near.sum() < 0.7 * len(near)
    part = point.losses.restricted(point, near)
    W = point.W + 0.01 * rng.normal(size=point.W.shape)
    whole = point.losses.at(W, point.losses.scores(W))
    assert (whole.room[~near] >= 0).all()
    moved = part.losses.at(W, part.losses.scores(W))
    for name in ("smoothed", "primal", "dual", "smoothed_gap"):
        assert getattr(moved, name) == pytest.approx(getattr(whole, name), rel=1e-10)


MACHINES_STOPPED_EARLY = [
    MulticlassSVM(solver="coordinate", max_iter=3),
    MulticlassSVM(solver="newton", max_iter=8),
    KernelMulticlassSVM(max_iter=3),
]


@pytest.mark.parametrize("machine", MACHINES_STOPPED_EARLY)
def test_the_iteration_limit_warns_with_the_gap_reached(machine):
    X, y = load_iris(return_X_y=True)
    with pytest.warns(ConvergenceWarning, match="relative duality gap") as caught:
        machine.fit(X, y)
    assert f"{machine.gap_:.3g}" in str(caught[0].message)
    assert machine.gap_ > machine.tol
    assert not machine.converged_


def test_class_weight_is_a_weight_for_each_example():
    X, y = load_iris(return_X_y=True)
    weight = {0: 1.0, 1: 3.0, 2: 0.5}
    by_class = MulticlassSVM(class_weight=weight).fit(X, y)
    by_example = MulticlassSVM().fit(X, y, sample_weight=[weight[label] for label in y])
    assert by_class.primal_ == pytest.approx(by_example.primal_, rel=2e-6)
    assert by_class.primal_ != pytest.approx(MulticlassSVM().fit(X, y).primal_, rel=1e-2)


def test_class_weight_multiplies_sample_weight():
    X, y = load_iris(return_X_y=True)
    weight, of_class = np.random.default_rng(0).uniform(0.5, 2, len(y)), {0: 1.0, 1: 3.0, 2: 0.5}
    product = weight * [of_class[label] for label in y]
    for machine in (MulticlassSVM(), KernelMulticlassSVM(kernel="linear", tol=1e-7)):
        both = clone(machine).set_params(class_weight=of_class).fit(X, y, sample_weight=weight)
        assert both.primal_ == pytest.approx(clone(machine).fit(X, y, sample_weight=product).primal_, rel=1e-6)


WITHOUT_INTERCEPT = [MulticlassSVM(fit_intercept=False), KernelMulticlassSVM(kernel="linear", tol=1e-4)]


@pytest.mark.parametrize("machine", WITHOUT_INTERCEPT)
def test_of_two_classes_the_second_less_the_first_decides_and_a_tie_goes_to_the_first(machine):
    X, y = load_iris(return_X_y=True)
    X, y = X[50:], np.where(y[50:] == 1, "first", "second")
    machine.fit(X, y)
    origin = np.zeros((1, 4))
    assert machine.decision_function(origin) == 0
    assert machine.predict(origin) == ["first"]
    W = machine.coef_ if isinstance(machine, MulticlassSVM) else machine.dual_coef_.T @ X[machine.support_]
    np.testing.assert_allclose(machine.decision_function(X), X @ (W[1] - W[0]), rtol=1e-8, atol=1e-10)


def test_flows_however_small_are_support():
    X, y = load_iris(return_X_y=True)
    machine = KernelMulticlassSVM(1e-7, kernel="linear").fit(X, y)
    assert len(machine.support_) > 100
    assert 0 < np.abs(machine.dual_coef_).max() <= 1.001e-7
    assert machine.predict(X).tolist() != [0] * len(y)


def test_kernels_agree_with_their_gram_matrix():
    X, y = load_iris(return_X_y=True)
    rbf = KernelMulticlassSVM(kernel="rbf", gamma=0.5, cache_size=0.02).fit(X, y)
    gram = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    precomputed = KernelMulticlassSVM(kernel="precomputed").fit(gram, y)
    assert rbf.primal_ == pytest.approx(precomputed.primal_, rel=3e-6)
    np.testing.assert_allclose(rbf.decision_function(X), precomputed.decision_function(gram), atol=0.02)
    assert rbf.score(X, y) > 0.96


def test_bad_input_is_named(rng):
    X, y = overlapping(rng)
    for arguments, message in [
        (((X, y + 1, 3),), "expected labels"),
        (((X[:-1], y, 3),), "expected X"),
        (((X, y, 3, -1.0),), "expected a finite C > 0"),
        (((X * np.nan, y, 3),), "finite features"),
        (((X, y, 3), {"loss": "hinge"}), "loss must be"),
        (((X, y, 3), {"gap": 2}), "relative gap"),
        (((X, y, 3), {"sample_weight": -np.ones(60)}), "sample weights"),
        (((X, y, 3), {"sample_weight": np.zeros(60)}), "only zeros"),
        (((X, y, 3), {"method": "simplex"}), "method must be"),
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
