"""Constraint classification: constraints, runs in d dimensions, counts, estimator."""

from fractions import Fraction

import numpy as np
import pytest
from estimator_checks import run_check
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.constraint_classification import (
    ConstraintClassifier,
    compression_bound,
    constraint_vectors,
    constraints_from_classes,
    constraints_from_label_sets,
    constraints_from_orders,
    constraints_from_rankings,
    growth_risk_bound,
    line_shattering_size,
    log_growth_bound,
    noisy_rankings,
    ranking_count_bound,
    realised_patterns,
    risk_budget,
    run_constraint_winnow,
    run_constraints,
    solve_constraint_svm,
)
from mcbook.constraint_classification.algorithm.lifted import lifted_winnow
from mcbook.constraint_classification.algorithm.run import constraint_history
from mcbook.constraint_classification.algorithm.svm import ConstraintSVMSolution, solve_constraint_program
from mcbook.constraint_classification.instances import separable_rankings
from mcbook.constraint_classification.theory.constraints import Constraints
from mcbook.foundation.numbers import as_integers
from mcbook.perceptron import MulticlassPerceptron, separable_sample

ONE, CLASH, BOTH = as_integers([[1]]), constraints_from_classes([0, 0], 2), constraints_from_classes([0, 1], 2)


# Constraints.


def test_pairs_are_sorted_by_example_and_keep_their_order():
    pairs = Constraints([2, 0, 2, 0], [1, 0, 0, 2], [0, 1, 2, 1], 3, 3)
    assert [pairs.of(e) for e in range(3)] == [[(0, 1), (2, 1)], [], [(1, 0), (0, 2)]]
    assert pairs.starts.tolist() == [0, 2, 2, 4]
    assert len(constraints_from_label_sets([[0, 0, 0], [1, 1, 1]])) == 0


HALF = Fraction(1, 2)
REFUSED = [
    (lambda: Constraints([0], [1], [1], 1, 2), "two labels in each pair"),
    (lambda: Constraints([1], [0], [1], 1, 2), "examples 0 .. 0"),
    (lambda: Constraints([0], [2], [1], 1, 2), "preferred 0 .. 1"),
    (lambda: Constraints([0], [0], [5], 1, 2), "rivals 0 .. 1"),
    (lambda: Constraints([0, 0], [0], [1], 1, 2), "same number of rows"),
    (lambda: Constraints([0], [0], [1], 1, 1), "at least 2 classes"),
    (lambda: Constraints([], [], [], 0, 2), "n_samples >= 1"),
    (lambda: Constraints([0, 0], [1, 0], [1, 0], 1, 2), r"got \(1, 1\)"),
    (lambda: constraints_from_label_sets([[0, 2]]), "indicator matrix"),
    (lambda: constraints_from_rankings([[0, 0, 1]]), "each row the labels"),
    (lambda: constraints_from_rankings([["a", "b"]]), "each row the labels"),
    (lambda: constraints_from_orders([[], [(0, 1), (1, 2), (2, 0)]], 3), "example 1, got a cycle"),
    (lambda: constraints_from_classes(["a"], 2), "strings"),
    (lambda: run_constraints(np.eye(3), BOTH), "2 rows of X"),
    (lambda: run_constraints(np.eye(2), BOTH, rule="all"), "rule to be one of"),
    (lambda: run_constraint_winnow(np.eye(2), CLASH, 0.5), "base"),
    *(
        (lambda f=f: f(np.eye(2), BOTH, max_epochs=0), "max_epochs >= 1")
        for f in (run_constraints, run_constraint_winnow)
    ),
    (lambda: solve_constraint_svm(np.eye(2), BOTH, max_epochs=0), "max_epochs >= 1"),
    (lambda: solve_constraint_svm(np.eye(2), BOTH, 0), "C > 0"),
    (lambda: compression_bound(0, 0, HALF), "n_samples"),
    (lambda: compression_bound(3, -1, HALF), "n_used"),
    (lambda: compression_bound(3, 3, 0.1), "fewer examples with updates"),
    *((lambda d=d: compression_bound(3, 1, d), "0 < delta < 1") for d in (0, 1, 1.5)),
    (lambda: log_growth_bound(1, 3, 2), "bound is false"),
    (lambda: growth_risk_bound(1.1, 1, 4, 2), "training_error"),
    (lambda: risk_budget(-1, 0.1), "mistake_bound >= 0"),
    *((lambda d=d: risk_budget(1, d), "delta") for d in (0, 1)),
    *((lambda a=a, n=n: ranking_count_bound(*a), n) for a, n in (((0, 2, 1), "n_samples"), ((1, 1, 1), "n_classes"))),
    (lambda: ranking_count_bound(1, 2, 0), "n_features"),
    (lambda: line_shattering_size(1), "n_classes"),
    (lambda: realised_patterns(np.eye(2), 2, "sets"), "what to be one of"),
    *(
        (lambda task=task: ConstraintClassifier(task=task).fit([[1.0], [2.0]], [[0, 3], [3, 3]]), f"expected {what}")
        for task, what in (("label sets", "an indicator"), ("rankings", "rankings"))
    ),
]


@pytest.mark.parametrize(("call", "says"), REFUSED)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()


# Runs.


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["each", "worst", "mean"]))
def test_compiled_and_exact_runs_agree_update_by_update(seed, rule):
    X, constraints = separable_rankings(np.random.default_rng(seed), 3, 3, 8)
    exact, floats = (run_constraints(A, constraints, rule=rule, max_epochs=3) for A in (X, X.astype(float)))
    if rule != "mean":  # a mean of three vectors is no float
        assert floats.updates == exact.updates
        assert floats.W.tolist() == exact.W.astype(float).tolist()
        assert floats.W_average == pytest.approx(exact.W_average.astype(float))
    assert exact.W.tolist() == list(constraint_history(exact, X, constraints))[-1].tolist()


def test_a_run_goes_on_and_its_average_is_the_mean_after_each_visit():
    X, y = separable_sample(np.random.default_rng(5), 3, 2, 7)
    constraints, weights, run = constraints_from_classes(y, 3), [], None
    for e in range(len(X)):
        run = run_constraints(X, constraints, start=run, order=lambda _, e=e: np.array([e]), max_epochs=1)
        weights.append(run.W)
    assert run.W_average.tolist() == (sum(weights) * Fraction(1, len(weights))).tolist()


def test_passes_end_with_one_that_changes_nothing_or_with_the_last_allowed():
    for run in (run_constraints(np.eye(2), BOTH), run_constraint_winnow(np.eye(2), BOTH)):
        assert (run.n_epochs, run.converged) == (2, True)
    vectors = np.array([[3, -1], [-1, 2]], dtype=object)
    above, below, mistakes = lifted_winnow(vectors, Fraction(3, 2))
    assert (vectors @ (above - below) > 0).all()
    assert mistakes.tolist() == [0, 1, 1, 0, 1]
    assert lifted_winnow(vectors, Fraction(3, 2), max_epochs=1)[2].tolist() == [0, 1]


def test_the_svm_stops_at_its_gap_and_keeps_to_its_limits():
    X, learnt = noisy_rankings(np.random.default_rng(0), np.random.default_rng(1).normal(size=(4, 3)), 60, 1.0)
    constraints = constraints_from_rankings(learnt)
    found = solve_constraint_svm(X, constraints, 0.3, tol=1e-5)
    assert found.gap <= 1e-5
    assert found.dual <= found.primal
    assert 0 <= found.alpha.min() <= found.alpha.max() <= 0.3
    assert found.W.ravel() == pytest.approx(found.alpha @ constraint_vectors(X, constraints))
    assert float(solve_constraint_program(X, constraints, 0.3)) == pytest.approx(found.primal, rel=1e-4)


def test_the_svm_without_weights_inputs_or_a_gap():
    """Its gap is relative to the primal value."""
    found = solve_constraint_svm(np.eye(2), BOTH, 1.0, sample_weight=np.array([1.0, 0.0]))
    assert found.alpha.tolist() == [0.5, 0]
    assert (found.primal, found.dual) == (0.25, 0.25)
    assert not solve_constraint_svm(np.zeros((2, 2)), BOTH, 1.0, max_epochs=2).W.any()
    for primal, dual, gap in ((4.0, 3.0, 0.25), (0.5, 0.25, 0.5), (0.0, 0.0, 0)):
        assert ConstraintSVMSolution(np.zeros((2, 1)), np.zeros(1), primal=primal, dual=dual, n_epochs=1).gap == gap
    exact = solve_constraint_svm(as_integers(np.eye(2, dtype=int)), BOTH, tol=0)
    assert (exact.gap, exact.n_epochs) == (0, 1)


# Separability, counts, samples.


# The estimator.

NOT_OF_A_LEARNER_BY_STEPS = {
    "check_sample_weight_equivalence_on_dense_data": "a weight lengthens a step, and a SVM stops at its gap",
    "check_class_weight_classifiers": "on noise the heavy class has as many as the order makes it",
}


@parametrize_with_checks(
    [ConstraintClassifier(), ConstraintClassifier(method="winnow"), ConstraintClassifier(method="svm", update="mean")],
    expected_failed_checks=lambda estimator: (
        NOT_OF_A_LEARNER_BY_STEPS
        if estimator.method == "perceptron"
        else {name: NOT_OF_A_LEARNER_BY_STEPS[name] for name in list(NOT_OF_A_LEARNER_BY_STEPS)[:1]}
    ),
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    run_check(check, estimator)


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X / 16, y


@pytest.mark.parametrize("method", ["perceptron", "winnow", "svm"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_it_learns_the_digits(digits, method):
    X, y = digits
    names = np.array([f"digit {label}" for label in range(10)])[y]
    model = ConstraintClassifier(method=method, C=0.1, tol=1e-2, random_state=0).fit(X[:1300], names[:1300])
    assert model.score(X[1300:], names[1300:]) > 0.88
    assert model.n_constraints_ == 1300 * 9


def test_worst_is_the_multi_class_perceptron(digits):
    X, y = digits
    ours = ConstraintClassifier(update="worst", shuffle=False, max_iter=3).fit(X[:300], y[:300])
    other = MulticlassPerceptron(shuffle=False, max_iter=3).fit(X[:300], y[:300])
    assert ours.coef_ == pytest.approx(other.coef_)
    assert ours.intercept_ == pytest.approx(other.intercept_)


def test_label_sets_come_back_as_those_that_outscore_the_cut_off(digits):
    X, y = digits
    Y = np.c_[y % 2 == 0, y >= 5, y % 3 == 0].astype(int)
    model = ConstraintClassifier(random_state=0).fit(X[:1200], Y[:1200])
    predicted, scores = model.predict(X[1200:]), model.decision_function(X[1200:])
    assert (predicted == Y[1200:]).mean() > 0.85
    assert (predicted == (scores > 0)).all()
    assert ((scores > -1) & (scores < 0)).any()
    assert model.coef_.shape == (3, 64)
    assert model.n_constraints_ == (Y[:1200].sum(axis=1) * (3 - Y[:1200].sum(axis=1))).sum() + 3600


def test_scores_of_rankings_and_the_share_of_right_ones():
    X, rankings = np.array([[1.0], [2.0], [-1.0], [3.0]]), [[0, 1, 2], [0, 1, 2], [2, 1, 0], [2, 1, 0]]
    model = ConstraintClassifier(random_state=0).fit(X[:3], rankings[:3])
    assert model.decision_function(X) == pytest.approx(X @ model.coef_.T + model.intercept_, rel=1e-12)
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.score(X, rankings) == 0.75
    assert model.score(X, rankings, sample_weight=[1, 1, 1, 7]) == pytest.approx(0.3)


def test_weights_of_winnow_are_for_features_as_they_are_given():
    X, y = np.array([[4.0, 1.0], [2.0, -2.0], [-4.0, 0.5]]), np.array([0, 1, 2])
    options = {"shuffle": False, "fit_intercept": False, "eta": 0.5}
    model = ConstraintClassifier(method="winnow", **options).fit(X, y)
    run = run_constraint_winnow(X / [4, 2], constraints_from_classes(y, 3), np.exp(0.5), max_epochs=20)
    assert model.coef_ == pytest.approx(run.W / [4, 2], rel=1e-12)
    assert model.n_iter_ == run.n_epochs


def test_two_labels_in_a_matrix_are_sets_unless_it_is_said():
    X, y = np.array([[1.0], [-1.0]]), np.array([[0, 1], [1, 0]])
    assert ConstraintClassifier(random_state=0).fit(X, y).task_ == "label sets"
    ranker = ConstraintClassifier(task="rankings", random_state=0).fit(X, y)
    assert ranker.predict(X).tolist() == [[0, 1], [1, 0]]
    with pytest.warns(DataConversionWarning):
        assert ConstraintClassifier(random_state=0).fit(X, [[0], [1]]).task_ == "classes"


def test_weights_lengthen_steps_and_weight_0_leaves_out(digits):
    X, y = digits
    model, weight = ConstraintClassifier(shuffle=False, max_iter=5), np.r_[np.ones(200), np.zeros(50)]
    with_zeros = clone(model).fit(X[:250], y[:250], sample_weight=weight)
    assert (with_zeros.coef_ == clone(model).fit(X[:200], y[:200]).coef_).all()
    X, y, model = [[1.0], [-1.0]], [0, 1], ConstraintClassifier(shuffle=False, average=False, fit_intercept=False)
    heavy = clone(model).set_params(class_weight={0: 5.0, 1: 1.0}).fit(X, y)
    assert (heavy.coef_ == 5 * clone(model).fit(X, y).coef_).all()
