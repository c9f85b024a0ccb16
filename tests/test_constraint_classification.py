"""Constraint classification: constraints, runs in d dimensions, counts, estimator."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from estimator_checks import run_check
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning, DataConversionWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.constraint_classification import (
    ConstraintClassifier,
    Constraints,
    collinear_sample,
    compression_bound,
    constraint_gaps,
    constraint_history,
    constraint_vectors,
    constraints_from_classes,
    constraints_from_label_sets,
    constraints_from_orders,
    constraints_from_rankings,
    leading_margin,
    log_growth_bound,
    noisy_rankings,
    peeling_weights,
    plane_ranking_count,
    ranking_count_bound,
    realised_patterns,
    risk_budget,
    risk_budget_limit,
    run_constraint_winnow,
    run_constraints,
    separability_chain,
    separable_rankings,
    solve_constraint_machine,
    violated_examples,
    voronoi_sample,
)
from mcbook.constraint_classification.algorithm.machine import ConstraintMachine
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.proof.exact import ball
from mcbook.perceptron import MulticlassPerceptron, separable_sample

seeds = st.integers(0, 2**32 - 1)
RULES = ("each", "worst", "mean")


class TestConstraints:
    def test_pairs_are_sorted_by_example_and_keep_their_order(self):
        pairs = Constraints([2, 0, 2, 0], [1, 0, 0, 2], [0, 1, 2, 1], 3, 3)
        assert [pairs.of(e) for e in range(3)] == [[(0, 1), (2, 1)], [], [(1, 0), (0, 2)]]
        assert pairs.starts.tolist() == [0, 2, 2, 4]
        assert repr(pairs) == "<4 constraints on 3 examples and 3 labels>"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (([0], [1], [1], 1, 2), "two labels in each pair"),
            (([1], [0], [1], 1, 2), "examples 0 .. 0"),
            (([0], [2], [1], 1, 2), "preferred 0 .. 1"),
            (([0], [0], [5], 1, 2), "rivals 0 .. 1"),
            (([0, 0], [0], [1], 1, 2), "same number of rows"),
            (([0], [0], [1], 1, 1), "at least 2 classes"),
            (([], [], [], 0, 2), "n_samples >= 1"),
            (([0, 0], [1, 0], [1, 0], 1, 2), r"got \(1, 1\)"),
        ],
    )
    def test_what_is_no_pair_is_refused(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            Constraints(*arguments)

    @pytest.mark.parametrize(
        ("build", "message"),
        [
            (lambda: constraints_from_label_sets([[0, 2]]), "indicator matrix"),
            (lambda: constraints_from_label_sets([0, 1]), "indicator matrix"),
            (lambda: constraints_from_rankings([[0, 0, 1]]), "each row the labels"),
            (lambda: constraints_from_rankings([["a", "b"]]), "each row the labels"),
            (lambda: constraints_from_orders([[], [(0, 1), (1, 2), (2, 0)]], 3), "example 1, got a cycle"),
            (lambda: constraints_from_classes(["a"], 2), "strings"),
        ],
    )
    def test_what_is_no_task_is_refused(self, build, message):
        with pytest.raises(ValueError, match=message):
            build()

    def test_empty_and_full_sets_say_nothing(self):
        assert len(constraints_from_label_sets([[0, 0, 0], [1, 1, 1]])) == 0

    def test_vectors_and_gaps_agree(self):
        rng = np.random.default_rng(0)
        X, constraints = separable_rankings(rng, 4, 3, 6)
        W = as_integers(rng.integers(-5, 6, (4, 3)))
        products = constraint_vectors(X, constraints) @ W.ravel()
        assert products.tolist() == constraint_gaps(W, X, constraints).tolist()

    def test_an_example_with_one_violated_pair_is_violated(self):
        constraints = constraints_from_rankings([[0, 1, 2], [2, 1, 0]])
        W = as_integers([[2], [1], [1]])
        assert violated_examples(W, as_integers([[1], [1]]), constraints).tolist() == [True, True]
        assert (
            violated_examples(as_integers([[2], [1], [0]]), as_integers([[1], [-1]]), constraints).tolist()
            == [False] * 2
        )


class TestRuns:
    @settings(max_examples=25, deadline=None)
    @given(seeds, st.sampled_from(RULES))
    def test_compiled_and_exact_runs_agree_update_by_update(self, seed, rule):
        X, constraints = separable_rankings(np.random.default_rng(seed), 3, 3, 8)
        # A mean of three vectors is no float; the others are exact in both.
        exact, floats = (run_constraints(A, constraints, rule=rule, max_epochs=3) for A in (X, X.astype(float)))
        if rule != "mean":
            assert floats.updates == exact.updates
            assert floats.W.tolist() == exact.W.astype(float).tolist()
            assert floats.W_average == pytest.approx(exact.W_average.astype(float))
        assert exact.W.tolist() == list(constraint_history(exact, X, constraints))[-1].tolist()

    def test_a_step_of_the_mean_by_hand(self):
        run = run_constraints(as_integers([[6]]), constraints_from_classes([1], 4), rule="mean")
        assert [row[0] for row in run.W.tolist()] == [-2, 6, -2, -2]
        assert run.updates == [[0, 1, 2]]

    def test_the_worst_pair_is_the_first_of_equals(self):
        run = run_constraints(as_integers([[1]]), constraints_from_rankings([[2, 0, 1]]), rule="worst", max_epochs=1)
        assert run.updates == [[0]]
        run = run_constraints(as_integers([[1]]), constraints_from_rankings([[2, 0, 1]]), rule="worst", max_epochs=2)
        assert run.updates == [[0], [1]]

    def test_a_later_pair_of_an_example_sees_the_update_of_an_earlier_one(self):
        # (1, 0) makes w_1 = 1, w_0 = -1, after which (1, 2) is met.
        run = run_constraints(as_integers([[1]]), constraints_from_classes([1], 3), max_epochs=1)
        assert run.updates == [[0]]

    def test_weights_multiply_the_step(self):
        constraints = constraints_from_classes([0], 2)
        run = run_constraints(np.array([[2.0]]), constraints, sample_weight=np.array([3.0]))
        assert run.W.tolist() == [[6.0], [-6.0]]

    def test_the_average_is_the_mean_of_the_weights_after_each_visit(self):
        X, y = separable_sample(np.random.default_rng(5), 3, 2, 7)
        constraints = constraints_from_classes(y, 3)
        weights, run = [], None
        for e in range(len(X)):
            run = run_constraints(X, constraints, start=run, order=lambda _, e=e: np.array([e]), max_epochs=1)
            weights.append(run.W)
        assert run.W_average.tolist() == (sum(weights) * Fraction(1, len(weights))).tolist()

    def test_winnow_by_hand_and_within_its_range(self):
        run = run_constraint_winnow(as_integers([[1, -1]]), constraints_from_classes([0], 2), 3)
        assert run.above.tolist() == [[3, Fraction(1, 3)], [Fraction(1, 3), 3]]
        assert (run.above * run.below == 1).all()
        clash = constraints_from_classes([0, 0], 2)
        hot = run_constraint_winnow(np.array([[900.0, 1.0], [-800.0, 1.0]]), clash, 10.0, max_epochs=50)
        assert np.isfinite(hot.W).all()
        with pytest.raises(ValueError, match="base"):
            run_constraint_winnow(np.eye(2), clash, 0.5)

    def test_the_machine_stops_at_its_gap_and_keeps_to_its_limits(self):
        X, learnt = noisy_rankings(np.random.default_rng(0), np.random.default_rng(1).normal(size=(4, 3)), 60, 1.0)
        constraints = constraints_from_rankings(learnt)
        found = solve_constraint_machine(X, constraints, 0.3, tol=1e-5)
        assert found.gap <= 1e-5
        assert found.dual <= found.primal
        assert 0 <= found.alpha.min() <= found.alpha.max() <= 0.3
        assert found.W.ravel() == pytest.approx(found.alpha @ constraint_vectors(X, constraints))

    def test_the_machine_is_without_an_example_of_weight_0(self):
        found = solve_constraint_machine(
            np.eye(2), constraints_from_classes([0, 1], 2), 1.0, sample_weight=np.array([1.0, 0.0])
        )
        assert found.alpha.tolist() == [0.5, 0]
        assert found.W.tolist() == [[0.5, 0], [-0.5, 0]]
        assert (found.primal, found.dual) == (0.25, 0.25)

    def test_the_gap_is_relative_to_the_primal_value(self):
        assert ConstraintMachine(np.zeros((2, 1)), np.zeros(1), primal=4.0, dual=3.0, n_epochs=1).gap == 0.25
        assert ConstraintMachine(np.zeros((2, 1)), np.zeros(1), primal=0.0, dual=0.0, n_epochs=1).gap == 0
        exact = solve_constraint_machine(as_integers(np.eye(2, dtype=int)), constraints_from_classes([0, 1], 2), tol=0)
        assert (exact.gap, exact.n_epochs) == (0, 1)

    def test_passes_end_with_one_that_changes_nothing(self):
        X, constraints = np.eye(2), constraints_from_classes([0, 1], 2)
        for run in (run_constraints(X, constraints), run_constraint_winnow(X, constraints)):
            assert (run.n_epochs, run.converged) == (2, True)

    def test_zero_inputs_and_wrong_sizes(self):
        constraints = constraints_from_classes([0, 1], 2)
        assert not solve_constraint_machine(np.zeros((2, 2)), constraints, 1.0, max_epochs=2).W.any()
        with pytest.raises(ValueError, match="2 rows of X"):
            run_constraints(np.eye(3), constraints)
        with pytest.raises(ValueError, match="rule to be one of"):
            run_constraints(np.eye(2), constraints, rule="all")


class TestTheory:
    def test_bounds_of_hand_computed_cases(self):
        assert compression_bound(2, 1, 0.5) == pytest.approx(np.log(2) + np.log(4))
        assert float(compression_bound(10**6, 1000, 1e-9)) < 0.01
        assert risk_budget(0, np.exp(-2)) == pytest.approx(2)
        assert risk_budget_limit(2, 1) == pytest.approx(3 + np.sqrt(5))
        assert float(log_growth_bound(ball(4), 2, 4)) == pytest.approx(8)
        assert plane_ranking_count(1) == ranking_count_bound(1, 3, 2) == 6

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: compression_bound(3, 3, 0.1), "fewer examples with updates"),
            (lambda: compression_bound(3, 1, 1.5), "0 < delta < 1"),
            (lambda: log_growth_bound(1, 2, 10), "bound is false"),
            (lambda: risk_budget(-1, 0.1), "mistake_bound >= 0"),
            (lambda: realised_patterns(np.eye(2), 2, "sets"), "what to be one of"),
        ],
    )
    def test_what_has_no_bound_is_refused(self, call, message):
        with pytest.raises(ValueError, match=message):
            call()

    def test_leading_margin_of_ties_is_0(self):
        assert leading_margin([[1, 3, 3], [4, 1, 2]]).tolist() == [0, 2]

    def test_a_class_that_does_not_come_off_gives_no_peeling(self):
        X, y = collinear_sample()
        assert peeling_weights(X, y, [1, 0, 2]) is None

    @pytest.mark.parametrize("seed", range(6))
    def test_peeling_gives_every_class_its_points(self, seed):
        """Classes in blocks on a line come off in any order that begins at an end."""
        rng = np.random.default_rng(seed)
        line = np.sort(rng.choice(np.arange(-9, 10), 8, replace=False))
        X, y = as_integers(np.c_[line, np.ones(8, dtype=int)]), np.sort(np.r_[np.arange(4), rng.integers(0, 4, 4)])
        for order in ([0, 1, 2, 3], [3, 2, 1, 0], [0, 3, 1, 2]):
            W = peeling_weights(X, y, order)
            assert (leading_margin(X @ W.T) > 0).all()
            assert (np.asarray(X @ W.T, dtype=float).argmax(axis=1) == y).all()
            assert not W[order[-1]].any()

    def test_classes_that_are_missing_are_no_pairs(self):
        chain = separability_chain(as_integers([[1, 1], [2, 1]]), np.array([0, 2]), 3)
        assert list(chain.pairs) == [(0, 2)]

    def test_little_noise_changes_few_rankings(self):
        _, rankings = noisy_rankings(np.random.default_rng(0), [[1.0], [0.0], [-1.0]], 20_000, 1e-3)
        assert 0 < (rankings[:, 1] != 1).mean() < 3e-3

    def test_voronoi_points_are_off_the_boundaries(self):
        X, y = voronoi_sample(np.random.default_rng(0), [[0, 0], [4, 0]], 30)
        assert len(X) == 30
        assert all((x[0] < 2) == (label == 0) and x[0] != 2 for x, label in zip(X, y, strict=True))


NOT_OF_A_LEARNER_BY_STEPS = {
    "check_sample_weight_equivalence_on_dense_data": "a weight lengthens a step, and a machine stops at its gap",
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


class TestEstimator:
    @pytest.mark.parametrize("method", ["perceptron", "winnow", "svm"])
    @pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
    def test_it_learns_the_digits(self, digits, method):
        X, y = digits
        names = np.array([f"digit {label}" for label in range(10)])[y]
        model = ConstraintClassifier(method=method, C=0.1, tol=1e-2, random_state=0).fit(X[:1300], names[:1300])
        assert model.score(X[1300:], names[1300:]) > 0.88
        assert model.n_constraints_ == 1300 * 9

    def test_worst_is_the_multi_class_perceptron(self, digits):
        X, y = digits
        ours = ConstraintClassifier(update="worst", shuffle=False, max_iter=3).fit(X[:300], y[:300])
        other = MulticlassPerceptron(shuffle=False, max_iter=3).fit(X[:300], y[:300])
        assert ours.coef_ == pytest.approx(other.coef_)
        assert ours.intercept_ == pytest.approx(other.intercept_)

    def test_label_sets_come_back_as_indicator_rows(self, digits):
        X, y = digits
        Y = np.c_[y % 2 == 0, y >= 5, y % 3 == 0].astype(int)
        model = ConstraintClassifier(random_state=0).fit(X[:1200], Y[:1200])
        predicted = model.predict(X[1200:])
        assert predicted.shape == (597, 3)
        assert (predicted == Y[1200:]).mean() > 0.85
        assert model.coef_.shape == (3, 64)
        assert model.n_constraints_ == (Y[:1200].sum(axis=1) * (3 - Y[:1200].sum(axis=1))).sum() + 3600

    def test_labels_are_in_the_set_where_they_outscore_the_cut_off(self):
        X, sets = np.array([[0.1], [0.2], [-0.1], [0.3]]), [[1, 0, 1], [1, 1, 0], [0, 0, 1], [1, 1, 1]]
        model = ConstraintClassifier(random_state=0).fit(X, sets)
        scores = model.decision_function(X)
        assert ((scores > -1) & (scores < 0)).any()
        assert (model.predict(X) == (scores > 0)).all()

    def test_rankings_come_back_as_rankings(self):
        rng = np.random.default_rng(2)
        W = rng.normal(size=(4, 5))
        X, learnt = noisy_rankings(rng, W, 400, 0.0)
        T, truth = noisy_rankings(rng, W, 100, 0.0)
        model = ConstraintClassifier(fit_intercept=False, max_iter=100, random_state=0).fit(X, learnt)
        assert (np.sort(model.predict(T), axis=1) == np.arange(4)).all()
        assert model.score(T, truth) > 0.8
        assert model.decision_function(T).shape == (100, 4)

    def test_scores_of_rankings_and_the_share_of_right_ones(self):
        X, rankings = np.array([[1.0], [2.0], [-1.0], [3.0]]), [[0, 1, 2], [0, 1, 2], [2, 1, 0], [2, 1, 0]]
        model = ConstraintClassifier(random_state=0).fit(X[:3], rankings[:3])
        assert model.decision_function(X) == pytest.approx(X @ model.coef_.T + model.intercept_, rel=1e-12)
        assert model.classes_.tolist() == [0, 1, 2]
        assert model.score(X, rankings) == 0.75
        assert model.score(X, rankings, sample_weight=[1, 1, 1, 7]) == pytest.approx(0.3)

    def test_weights_of_winnow_are_for_features_as_they_are_given(self):
        X, y = np.array([[4.0, 1.0], [2.0, -2.0], [-4.0, 0.5]]), np.array([0, 1, 2])
        options = {"shuffle": False, "fit_intercept": False, "eta": 0.5}
        model = ConstraintClassifier(method="winnow", **options).fit(X, y)
        run = run_constraint_winnow(X / [4, 2], constraints_from_classes(y, 3), np.exp(0.5), max_epochs=20)
        assert model.coef_ == pytest.approx(run.W / [4, 2], rel=1e-12)
        assert model.n_iter_ == run.n_epochs

    def test_two_labels_in_a_matrix_are_sets_unless_it_is_said(self):
        X, y = np.array([[1.0], [-1.0]]), np.array([[0, 1], [1, 0]])
        assert ConstraintClassifier(random_state=0).fit(X, y).task_ == "label sets"
        ranker = ConstraintClassifier(task="rankings", random_state=0).fit(X, y)
        assert ranker.predict(X).tolist() == [[0, 1], [1, 0]]

    @pytest.mark.parametrize("task", ["label sets", "rankings"])
    def test_a_task_that_y_does_not_fit_is_refused(self, task):
        with pytest.raises(ValueError, match=r"expected (an indicator|rankings)"):
            ConstraintClassifier(task=task).fit([[1.0], [2.0]], [[0, 3], [3, 3]])

    def test_weight_0_is_as_if_left_out_and_float32_is_computed_in_float64(self, digits):
        X, y = digits
        weight = np.r_[np.ones(200), np.zeros(50)]
        model = ConstraintClassifier(shuffle=False, max_iter=5)
        with_zeros = clone(model).fit(X[:250], y[:250], sample_weight=weight)
        without = clone(model).fit(X[:200], y[:200])
        assert (with_zeros.coef_ == without.coef_).all()
        assert clone(model).fit(X[:200].astype(np.float32), y[:200]).coef_.dtype == np.float64

    def test_class_weight_lengthens_steps(self):
        X, y = [[1.0], [-1.0]], [0, 1]
        options = {"shuffle": False, "average": False, "fit_intercept": False}
        plain = ConstraintClassifier(**options).fit(X, y)
        heavy = ConstraintClassifier(class_weight={0: 5.0, 1: 1.0}, **options).fit(X, y)
        assert (heavy.coef_ == 5 * plain.coef_).all()

    def test_columns_are_classes_with_a_warning(self):
        with pytest.warns(DataConversionWarning):
            model = ConstraintClassifier(random_state=0).fit([[1.0], [-1.0]], [[0], [1]])
        assert model.task_ == "classes"

    def test_last_weights_of_an_unfinished_run_are_warned_of(self):
        X, y = [[1.0], [1.0], [-1.0]], [0, 1, 1]
        with pytest.warns(ConvergenceWarning, match="violated pairs left") as caught:
            ConstraintClassifier(average=False, max_iter=2).fit(X, y)
        with pytest.warns(ConvergenceWarning, match="duality gap") as of_machine:
            ConstraintClassifier(method="svm", tol=1e-12, max_iter=1).fit(X, y)
        assert [one.filename for one in (*caught, *of_machine)] == [__file__] * 2

    def test_it_is_pickled_with_its_predictions(self, digits):
        X, y = digits
        model = ConstraintClassifier(max_iter=2, random_state=0).fit(X[:200], y[:200])
        again = pickle.loads(pickle.dumps(model))
        assert (again.predict(X) == model.predict(X)).all()
