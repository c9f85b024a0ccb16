"""The multi-class Perceptron: certificates, runs, estimator."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from estimator_checks import run_check
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.model_selection import train_test_split
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.foundation.numbers import as_integers, rational
from mcbook.foundation.proof.alternatives import NotDecided
from mcbook.perceptron import (
    MulticlassPerceptron,
    best_margin,
    binary_perceptron,
    decision_rays,
    kesler_vectors,
    margins,
    mistake_bound,
    run_perceptron,
    separability,
    separable_sample,
    squared_margin,
    squared_radius,
    tight_sample,
)

seeds = st.integers(0, 2**32 - 1)


# Certificates.


def test_of_the_pages_two_data_sets_the_digits_are_separable_and_the_irises_are_not():
    digits, truth = load_digits(return_X_y=True)
    X, _, y, _ = train_test_split(digits, truth, test_size=0.4, random_state=0)
    run = run_perceptron(X, y, 10)
    assert run.converged
    W, points = as_integers(run.W), as_integers(X)
    # The last weights have a smaller margin than the best ones, so their bound is larger.
    assert run.n_updates <= mistake_bound(squared_radius(points), squared_margin(W, points, y))
    irises, species = load_iris(return_X_y=True)
    weights = np.array(separability(irises, species, 3).multipliers, dtype=object)
    assert min(weights) >= 0 < max(weights)
    assert not (weights @ kesler_vectors(rational(irises), species, 3)).any()


def test_whole_numbers_and_fractions_are_not_taken_for_floats():
    """A point between two others, which it is not exactly in floats; and thirds, of which both bounds are exact."""
    line = np.array([[0, 0, 1], [1, Fraction(1, 3), 1], [Fraction(3, 10), Fraction(1, 10), 1]], dtype=object)
    assert not separability(line, np.array([0, 0, 1]), 2).separable
    thirds = np.array([[Fraction(1, 3), Fraction(0)], [Fraction(0), Fraction(1, 3)]])
    assert best_margin(thirds, np.array([0, 1]), 2).squared.lower == Fraction(1, 18)


def test_a_margin_below_the_accuracy_of_the_solver_is_not_decided():
    assert separability(np.array([[0.1, 1.0], [0.1 + 1e-6, 1.0]]), np.array([0, 1]), 2).separable
    with pytest.raises(NotDecided, match="scale the data"):
        separability(np.array([[0.1, 1.0], [0.1 + 1e-12, 1.0]]), np.array([0, 1]), 2)


# Runs.


@settings(max_examples=40)
@given(seeds, st.integers(2, 6), st.sampled_from(["mistake", "first"]), st.sampled_from([3, 47]))
def test_compiled_and_exact_runs_agree_update_by_update(seed, k, ties, width):
    """Rows of 47 numbers are widened to 48, whole lines of the cache."""
    X, y = separable_sample(np.random.default_rng(seed), k, 3, 12)
    X = np.tile(X, 16)[:, :width]
    exact, compiled = run_perceptron(X, y, k, ties=ties), run_perceptron(X.astype(float), y, k, ties=ties)
    assert exact.updates.tolist() == compiled.updates.tolist()
    assert exact.W.tolist() == compiled.W.tolist()
    assert exact.W_average.astype(float) == pytest.approx(compiled.W_average)


def test_a_run_may_go_on_from_another():
    X, y = separable_sample(np.random.default_rng(6), 4, 3, 30)
    whole, part = run_perceptron(X, y, 4), run_perceptron(X, y, 4, max_epochs=1)
    kept = part.W.copy()
    rest = run_perceptron(X, y, 4, start=part)
    assert (kept == part.W).all()
    assert (rest.W == whole.W).all()
    assert (rest.W_average == whole.W_average).all()
    assert part.n_updates + rest.n_updates == whole.n_updates


def test_passes_end_with_one_that_changes_nothing_or_with_the_last_allowed():
    run = run_perceptron(np.eye(2), np.array([0, 1]), 2)
    assert (run.n_epochs, run.converged, run.n_updates) == (2, True, 2)
    run = run_perceptron(np.ones((2, 1)), np.array([0, 1]), 2, max_epochs=5)
    assert (run.n_epochs, run.converged) == (5, False)
    assert binary_perceptron([[1]], [1], max_epochs=2).updates == [0]
    with pytest.raises(RuntimeError, match="1 passes"):
        binary_perceptron([[1]], [1], max_epochs=1)


ONE, TWO = np.array([0]), np.array([0, 1])
REFUSED = [
    (lambda: run_perceptron(np.ones(3), np.zeros(3, int), 2), "n_samples, n_features"),
    (lambda: run_perceptron(np.ones((3, 2)), np.zeros(2, int), 2), "same number of rows"),
    (lambda: run_perceptron(np.ones((2, 1)), ["cat", "dog"], 2), "strings such as 'cat'"),
    (lambda: run_perceptron(np.ones((2, 1)), np.array([0, 2]), 2), "labels 0 .. 1"),
    (lambda: run_perceptron(np.ones((2, 1)), TWO, 1), "2 classes"),
    (lambda: run_perceptron(np.array([[np.nan], [1.0]]), TWO, 2), "finite"),
    (lambda: run_perceptron(np.ones((1, 1)), ONE, 2, ties="coin"), "first"),
    (lambda: run_perceptron(np.ones((1, 1)), ONE, 2, max_epochs=0), "max_epochs >= 1"),
    (lambda: run_perceptron(np.ones((1, 1)), ONE, 2, start=np.ones((1, 2))), r"shape \(2, 1\)"),
    (lambda: tight_sample(1), "at least 2"),
    (lambda: decision_rays(np.array([[0.5, 0.0], [0.0, 0.0]])), "integers"),
    (lambda: margins(np.zeros((2, 2)), np.ones((1, 2)), ONE), "W = 0"),
    (lambda: squared_margin(np.eye(2), np.array([[1.0, 1.0]]), ONE), "separates"),
    *((lambda r=r, g=g: mistake_bound(r, g), "separable") for r, g in ((1, 0), (-1, 1), (1, float("nan")))),
    (lambda: MulticlassPerceptron(class_weight="balanced").partial_fit([[0.0], [1.0]], [0, 1]), "as a dict"),
    (lambda: MulticlassPerceptron().partial_fit([[0.0], [1.0]], ["a", "b"]).partial_fit([[2.0]], ["c"]), "'c'"),
]


@pytest.mark.parametrize(("call", "says"), REFUSED)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()


# The estimator.

NOT_OF_THE_PERCEPTRON = {
    "check_sample_weight_equivalence_on_dense_data": "a weight lengthens a step; an example seen twice may move W once",
    "check_class_weight_classifiers": "on noise the heavy class has as many as the order makes it: .84 for .87",
}


@parametrize_with_checks(
    [MulticlassPerceptron(), MulticlassPerceptron(average=False, fit_intercept=False)],
    expected_failed_checks=lambda estimator: NOT_OF_THE_PERCEPTRON,
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    run_check(check, estimator)


@pytest.fixture(scope="module")
def digits():
    return load_digits(return_X_y=True)


def test_without_averaging_it_is_the_algorithm_of_the_theorem():
    X, y = tight_sample(4)
    model = MulticlassPerceptron(average=False, shuffle=False, fit_intercept=False).fit(X.astype(float), y)
    run = run_perceptron(X, y - 1, 3)
    assert model.coef_.tolist() == run.W.tolist()
    assert (model.n_updates_, model.converged_) == (run.n_updates, True)
    assert model.classes_.tolist() == [1, 2, 3]


def test_the_rule_for_ties_is_handed_on():
    model = MulticlassPerceptron(ties="first", shuffle=False, average=False).fit([[1.0], [3.0], [-2.0]], [0, 0, 1])
    assert model.n_updates_ == 1


def test_partial_fit_in_pieces_is_one_pass(digits):
    X, y = digits
    pieces = MulticlassPerceptron()
    for part in np.array_split(np.arange(len(X)), 5):
        pieces.partial_fit(X[part], y[part], classes=range(10))
    whole = MulticlassPerceptron(max_iter=1, shuffle=False).fit(X, y)
    assert pieces.coef_ == pytest.approx(whole.coef_)
    assert pieces.intercept_ == pytest.approx(whole.intercept_)
    assert pieces.n_updates_ == whole.n_updates_
    assert (pieces.n_iter_, whole.n_iter_) == (5, 1)


def test_a_weight_multiplies_the_step():
    X, y = separable_sample(np.random.default_rng(2), 3, 2, 15)
    weights = np.random.default_rng(3).integers(1, 4, 15)
    model = MulticlassPerceptron(average=False, shuffle=False, fit_intercept=False, max_iter=1000)
    model.fit(X.astype(float), y, sample_weight=weights)
    run = run_perceptron(X * weights[:, None], y, 3)
    assert model.coef_.tolist() == run.W.tolist()
    assert model.n_iter_ == run.n_epochs > 2


def test_weights_of_classes_and_of_examples_are_multiplied_and_weight_0_leaves_out(digits):
    """Exactly, and in the same random order."""
    X, y = digits
    weights = np.random.default_rng(0).random(len(X))
    model = MulticlassPerceptron(random_state=0, max_iter=2)
    by_class = clone(model).set_params(class_weight={3: 2.0}).fit(X, y, sample_weight=weights)
    by_example = clone(model).fit(X, y, sample_weight=weights * np.where(y == 3, 2.0, 1.0))
    assert (by_class.coef_ == by_example.coef_).all()
    kept = weights < 0.5
    left_out = clone(model).fit(X, y, sample_weight=kept)
    assert (left_out.coef_ == clone(model).fit(X[kept], y[kept]).coef_).all()
    whole, part = MulticlassPerceptron(), MulticlassPerceptron()
    for _ in range(2):
        whole.partial_fit(X, y, classes=range(10), sample_weight=kept)
        part.partial_fit(X[kept], y[kept], classes=range(10))
        assert (whole.coef_ == part.coef_).all()


def test_sparse_pieces_are_refused():
    with pytest.raises(TypeError, match="Sparse data was passed"):
        MulticlassPerceptron().partial_fit(sp.csr_array(np.eye(2)), [0, 1])


def test_the_best_margin_is_the_root_of_its_square():
    best = best_margin(np.eye(2), np.array([0, 1]), 2)
    assert best.squared.lower <= Fraction(1, 2) <= best.squared.upper
    assert best.value == pytest.approx(0.5**0.5)
