"""The solvers of the SVMs from without: optima with their certificates, forms of data, refusals, large C."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_iris, load_wine
from svm_samples import LOSSES, assert_certified, overlapping

import mcbook.svm_solvers.algorithm.large_C as large_C
import mcbook.svm_solvers.algorithm.objective as objective
from mcbook.binary_svm import binary_sample
from mcbook.foundation.linear import NotPositive, require_gram
from mcbook.foundation.numbers import as_integers, rational
from mcbook.svm import primal_objective
from mcbook.svm_solvers import (
    LinearSVM,
    Problem,
    block_step,
    compare_on_gaussians,
    last_weights_bound,
    multiclass_subgradient,
    random_draws,
    run_subgradient,
    simplex_projection,
    solve_binary,
    solve_multiclass,
    step_direction,
    subgradient_bound,
)
from mcbook.svm_solvers.algorithm.kernel_solver import GramRows, solve_rows

pytestmark = pytest.mark.usefixtures("sparse_stays_sparse")
IRIS, SPECIES = load_iris(return_X_y=True)
FORMS = [np.asarray, sparse.csr_matrix]


def solve_gram(K, y, n_classes, C=1.0, **options):
    """From a Gram matrix that is given, as `KernelMulticlassSVM` does it."""
    return solve_rows(GramRows.whole(require_gram(K)), y, n_classes, C, **options)


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.mark.parametrize(("loss", "solver"), [(LOSSES[0], "newton"), (LOSSES[0], "coordinate"), (LOSSES[1], "auto")])
def test_solutions_carry_their_certificate(rng, loss, solver):
    for n_classes, C in ((2, 1.0), (3, 0.01), (3, 30.0), (7, 1.0)):
        X, y = overlapping(rng, n_classes=n_classes)
        solution = solve_multiclass(X, y, n_classes, C, loss=loss, tol=1e-9, max_iter=100_000, solver=solver)
        assert_certified(solution, X, y, n_classes, C, loss, 1e-9)
        assert Problem.checked(X, y, n_classes, C, loss).primal(solution.W) == pytest.approx(solution.primal, rel=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
def test_the_solvers_and_the_forms_of_the_data_agree(rng, loss):
    X, y = overlapping(rng)
    X[np.abs(X) < 0.5] = 0
    options = {"loss": loss, "tol": 1e-10, "max_iter": 100_000}
    reference = solve_multiclass(X, y, 3, **options)
    by_passes = solve_multiclass(X, y, 3, solver="coordinate", **options)
    sparse_rows = solve_multiclass(sparse.csr_matrix(X), y, 3, **options)
    gram = solve_gram(X @ X.T, y, 3, **options)
    few_rows = GramRows(len(X), lambda examples: X[examples] @ X.T, (X**2).sum(axis=1), 7)
    cached = solve_rows(few_rows, y, 3, **options)
    for other in (by_passes, sparse_rows, gram, cached):
        assert other.primal == pytest.approx(reference.primal, rel=2e-10)
        np.testing.assert_allclose(other.alpha.T @ X, reference.W, atol=1e-4)
    assert gram.W is None
    counts = [solve_gram(X @ X.T, y, 3, 3.0, loss=loss, tol=1e-12, max_iter=most).n_iter for most in range(1, 20)]
    assert counts == list(range(1, 20))


def test_two_classes_are_the_binary_svm(rng):
    X, y = overlapping(rng, n_classes=2)
    signs = 2 * y - 1
    solution = solve_binary(X, signs, 0.7, tol=1e-10)
    assert 0 <= solution.alpha.min() <= solution.alpha.max() <= 0.7 * (1 + 1e-12)
    np.testing.assert_allclose(solution.w, (solution.alpha * signs) @ X, atol=1e-10)
    half = 0.5 * solution.w @ solution.w
    assert solution.primal == pytest.approx(half + 0.7 * np.maximum(0, 1 - signs * (X @ solution.w)).sum(), rel=1e-12)
    assert solution.dual == pytest.approx(solution.alpha.sum() - half, rel=1e-11)
    assert solution.gap <= 1e-10
    last = solution.history[-1]
    assert (last.primal, last.dual) == pytest.approx((solution.primal, solution.dual), rel=1e-12)


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


@pytest.mark.parametrize(("n_filled", "is_sparse"), [(8, True), (9, False)])
def test_a_sparse_matrix_that_is_filled_by_more_than_a_third_is_solved_as_a_dense_one(monkeypatch, n_filled, is_sparse):
    monkeypatch.setattr(objective, "_DENSE", 1 / 3)
    X = np.zeros(24)
    X[:n_filled] = np.arange(1.0, n_filled + 1)
    X, y = X.reshape(4, 6), np.array([0, 1, 2, 0])
    problem = Problem.checked(sparse.coo_array(X), y, 3, 1.0)
    assert sparse.issparse(problem.X) == is_sparse
    np.testing.assert_array_equal(problem.X.toarray() if is_sparse else problem.X, X)


def test_data_on_which_no_weights_help(rng):
    """With contradictory labels W = 0 is optimal: every slack is 1."""
    X, _ = overlapping(rng)
    X, y = np.r_[X, X, X], np.repeat([0, 1, 2], len(X))
    for solver in ("newton", "coordinate"):
        solution = solve_multiclass(X, y, 3, solver=solver, tol=1e-6, max_iter=100_000)
        assert solution.converged
        assert solution.primal == pytest.approx(len(y), rel=2e-6)


def test_what_the_first_passes_show_chooses_the_solver(rng):
    """Few examples that matter: ascent to the end; many, or too few passes: second-order steps."""
    y = rng.integers(0, 10, 2000)
    apart = rng.normal(size=(2000, 30)) + 3 * rng.normal(size=(10, 30))[y]
    easy = solve_multiclass(apart, y, 10, 1e-4, tol=1e-3)
    hard = solve_multiclass(rng.normal(size=(2000, 30)), y % 3, 3, 10.0)
    short = solve_multiclass(sparse.csr_matrix(IRIS), SPECIES, 3, 100.0, max_iter=500)
    assert (easy.solver, hard.solver, short.solver) == ("coordinate", "newton", "newton")
    assert (easy.converged, hard.converged, short.converged) == (True, True, True)
    passes = solve_multiclass(sparse.csr_matrix(IRIS), SPECIES, 3, 100.0, solver="coordinate", max_iter=500)
    assert not passes.converged


def test_the_binary_svm_solves_sparse_data_at_a_large_price_of_slack():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 2, 60)
    svms = [LinearSVM(C=100).fit(form(X), y) for form in FORMS]
    assert [svm.converged_ for svm in svms] == [True, True]
    np.testing.assert_allclose(svms[0].coef_, svms[1].coef_, rtol=1e-3)


PAIR, TWO = np.ones((2, 1)), np.array([1, -1])
X, Y = overlapping(np.random.default_rng(5))
REFUSED = [
    ("expected labels", lambda: solve_multiclass(X, Y + 1, 3)),
    ("expected X", lambda: solve_multiclass(X[:-1], Y, 3)),
    ("expected a finite C > 0", lambda: solve_multiclass(X, Y, 3, -1.0)),
    ("finite features", lambda: solve_multiclass(X * np.nan, Y, 3)),
    ("expected loss to be one of", lambda: solve_multiclass(X, Y, 3, loss="hinge")),
    ("relative gap", lambda: solve_multiclass(X, Y, 3, tol=2)),
    ("sample weights", lambda: solve_multiclass(X, Y, 3, sample_weight=-np.ones(60))),
    ("only zeros", lambda: solve_multiclass(X, Y, 3, sample_weight=np.zeros(60))),
    ("expected solver to be one of", lambda: solve_multiclass(X, Y, 3, solver="simplex")),
    ("signs -1 and", lambda: solve_binary(X, Y)),
    ("symmetric", lambda: solve_gram(np.array([[1.0, 0.5], [0.0, 1.0]]), np.array([0, 1]), 2)),
    ("leave it out", lambda: block_step(np.zeros(3), 0, 1.0, 0.0)),
    ("total > 0", lambda: simplex_projection(np.ones(3), 0)),
    ("draws", lambda: run_subgradient(PAIR, TWO, 1, [[2]])),
    ("number of rows", lambda: run_subgradient(PAIR, TWO[:1], 1, [[0]])),
    (r"labels 0 \.\. 1", lambda: multiclass_subgradient(PAIR, np.array([0, 2]), 2, 1, [[0]])),
    ("n_steps", lambda: subgradient_bound(1, 1, 1, 0)),
    ("2 features", lambda: compare_on_gaussians(np.random.default_rng(0), 1)),
]


@pytest.mark.parametrize(("message", "call"), REFUSED)
def test_bad_input_is_named(message, call):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_gram_matrix_that_is_none_is_refused_with_its_eigenvalue():
    with pytest.raises(NotPositive, match="eigenvalue -1"):
        solve_gram(np.diag([1.0, -1.0, 1.0]), np.array([0, 1, 2]), 3)


# Stochastic steps.


def test_compiled_and_exact_steps_agree():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, signs = binary_sample(rng, 2, 6)
        # No score is ever exactly 1 at this cost, where rounding would decide.
        draws, C = random_draws(rng, 6, 3), Fraction(1999, 997 * 6)
        exact, compiled = run_subgradient(X, signs, C, draws), run_subgradient(X.astype(float), signs, C, draws)
        assert exact.last.astype(float) == pytest.approx(compiled.last, abs=1e-9)
        assert exact.mean.astype(float) == pytest.approx(compiled.mean, abs=1e-9)
        assert exact.n_steps == compiled.n_steps == 18


def test_multiclass_steps_against_the_rule():
    rng = np.random.default_rng(5)
    X, y = as_integers(rng.integers(-3, 4, (7, 2))), rng.integers(0, 3, 7)
    draws, W = random_draws(rng, 7, 2), as_integers(np.zeros((3, 2), dtype=int))
    for t, i in enumerate(draws.ravel(), 1):
        lead = [W[z] @ X[i] - W[y[i]] @ X[i] + (z != y[i]) for z in range(3)]
        rivals = [z for z in range(3) if z != y[i] and lead[z] == max(lead)]
        W = W - W * Fraction(1, t)
        if rivals:
            W[y[i]] += Fraction(2, t) * X[i]
            W[rivals[-1]] -= Fraction(2, t) * X[i]
    run = multiclass_subgradient(X, y, 3, Fraction(2, 7), draws)
    assert run.last.tolist() == W.tolist()
    assert len(run.means) == 2


def test_the_bounds_after_few_steps_and_after_many():
    assert subgradient_bound(2, 5, 9, 2) == 450 * Fraction(3, 2)
    assert last_weights_bound(2, 5, 9, 3) == 1200
    many = subgradient_bound(1, 1, 1, 1001)
    assert many.lower <= Fraction(1 + 7.485470860550345 / 2) / 1001 <= many.upper
    assert many.upper - many.lower < 1e-15
    # The sum of 300 terms is still a fraction, that of 301 is known between two floats.
    assert isinstance(subgradient_bound(1, 1, 1, 301), Fraction)
    assert not isinstance(subgradient_bound(1, 1, 1, 302), Fraction)
    one = np.array([1.0])
    assert step_direction(one, one, 1, 5, 3).tolist() == [-14.0]
    assert step_direction(one, one, 1, 5, 3, threshold=0).tolist() == [1.0]


# Features so large, or slack so costly, that the solution is read off its path.


def exact_dual(alpha, X, y):
    """Flows of this size cancel in floats."""
    flows, rows = rational(alpha), rational(X)
    W = flows.T @ rows
    return float(sum(flows[i, label] for i, label in enumerate(y)) - (W * W).sum() / 2)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("scale", [1e4, 1e6, 1e8])
def test_no_scale_of_the_features_keeps_the_solver_from_the_gap(scale, loss):
    X = scale * IRIS
    solution = solve_multiclass(X, SPECIES, 3, loss=loss, tol=1e-7)
    assert solution.converged
    assert 0 <= solution.gap <= 1e-7
    assert (solution.alpha[np.arange(150), SPECIES] >= 0).all()
    assert np.abs(solution.alpha.sum(axis=1)).max() <= 1e-12
    primal = primal_objective(solution.W, X, SPECIES, 1.0, loss)
    assert 0 <= primal - exact_dual(solution.alpha, X, SPECIES) <= 1.01e-7 * primal
    assert primal == pytest.approx(solution.primal, rel=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_large_features_beside_an_intercept(form):
    """The column of ones stays as it is, while the rest is divided: the intercept keeps its cost."""
    rows = np.column_stack([1e8 * IRIS, np.ones(150)])
    solution = solve_multiclass(form(rows), SPECIES, 3, tol=1e-8)
    assert solution.converged
    assert np.abs(solution.W[:, -1]).max() > 0.1
    primal = primal_objective(solution.W, rows, SPECIES, 1.0)
    assert 0 <= primal - exact_dual(solution.alpha, rows, SPECIES) <= 1.01e-8 * primal
    large = form(np.array([[1e8, 1.0, -10.0], [0.0, 1.0, 1100.0]]))
    assert large_C._large_columns(large).tolist() == [True, False, True]


def test_separable_data_have_the_weights_of_the_hard_margin():
    """The same at every cost that is high enough; no slack is paid, and margins are 1 to rounding."""
    X, y = load_wine(return_X_y=True)
    hard, harder = solve_multiclass(X, y, 3, 1e6, tol=1e-8), solve_multiclass(1e8 * X, y, 3, 1.0, tol=1e-8)
    assert (hard.converged, harder.converged) == (True, True)
    assert np.allclose(1e8 * harder.W, hard.W, atol=1e-3 * np.abs(hard.W).max())
    assert 0.5 * float((harder.W**2).sum()) == pytest.approx(harder.primal, rel=1e-7)
