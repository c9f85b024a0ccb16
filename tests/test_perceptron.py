"""The multi-class Perceptron: formulas, certificates, runs, estimator."""

from __future__ import annotations

import pickle
import warnings
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.foundation.numbers import as_integers, rational
from mcbook.foundation.proof.alternatives import NotDecided
from mcbook.perceptron import (
    MulticlassPerceptron,
    NotSeparable,
    best_margin,
    decision_rays,
    frobenius_product,
    gaps,
    history,
    kesler_vectors,
    margins,
    mistake_bound,
    predict,
    random_orders,
    run_perceptron,
    separability,
    separable_sample,
    squared_margin,
    squared_radius,
    tight_sample,
)
from mcbook.perceptron.algorithm.run import _in_whole_lines

seeds = st.integers(0, 2**32 - 1)


class TestTheory:
    def test_the_mistake_bound_is_the_quotient_of_the_squares(self):
        assert mistake_bound(9, Fraction(9, 4)) == 4
        assert mistake_bound(2.0, 0.5) == 4.0

    @pytest.mark.parametrize(("radius", "margin"), [(1, 0), (1, -1), (-1, 1), (1, float("nan"))])
    def test_a_margin_that_is_not_positive_is_refused(self, radius, margin):
        with pytest.raises(ValueError, match="separable"):
            mistake_bound(radius, margin)

    def test_ties_go_to_the_smaller_label(self):
        assert predict(np.zeros((3, 2)), np.ones((1, 2)))[0] == 0

    def test_gaps_against_the_definition(self):
        rng = np.random.default_rng(0)
        W, X, y = rng.normal(size=(4, 3)), rng.normal(size=(20, 3)), rng.integers(0, 4, 20)
        expected = [min((W[label] - W[z]) @ x for z in range(4) if z != label) for x, label in zip(X, y, strict=True)]
        assert gaps(W, X, y) == pytest.approx(expected)

    def test_margins_of_a_hand_computed_case(self):
        W = np.array([[1.0, 0.0], [0.0, 1.0]])
        assert margins(W, np.array([[3.0, 1.0]]), np.array([0])) == pytest.approx([2 / np.sqrt(4)])
        assert squared_margin(as_integers(np.eye(2, dtype=int)), [[3, 1]], [0]) == 1

    def test_no_margin_without_weights_or_separation(self):
        with pytest.raises(ValueError, match="W = 0"):
            margins(np.zeros((2, 2)), np.ones((1, 2)), np.array([0]))
        with pytest.raises(ValueError, match="separates"):
            squared_margin(np.eye(2), np.array([[1.0, 1.0]]), np.array([0]))

    def test_kesler_vectors_turn_gaps_into_products(self):
        rng = np.random.default_rng(1)
        W, X, y = rng.integers(-5, 6, (3, 2)), rng.integers(-5, 6, (6, 2)), rng.integers(0, 3, 6)
        products = kesler_vectors(X, y, 3) @ W.ravel()
        assert products.reshape(6, 2).min(axis=1).tolist() == gaps(W, X, y).tolist()

    def test_rays_of_three_symmetric_rows(self):
        assert decision_rays(as_integers(np.array([[2, 0], [-1, 1], [-1, -1]]))) == [(1, -3), (1, 3), (-1, 0)]

    def test_rays_need_integers(self):
        with pytest.raises(ValueError, match="integers"):
            decision_rays(np.array([[0.5, 0.0], [0.0, 0.0]]))


class TestSeparation:
    def test_the_margin_of_two_orthogonal_points(self):
        best = best_margin(np.eye(2), np.array([0, 1]), 2)
        assert best.squared.lower <= Fraction(1, 2) <= best.squared.upper
        assert best.value == pytest.approx(np.sqrt(0.5))

    def test_both_witnesses_are_what_they_say(self):
        X, y = separable_sample(np.random.default_rng(3), 3, 2, 12)
        best = best_margin(X, y, 3)
        assert squared_margin(best.W, X, y) == best.squared.lower
        assert min(best.multipliers) >= 0
        combination = best.multipliers @ kesler_vectors(X, y, 3)
        assert Fraction(combination @ combination) / (2 * best.multipliers.sum() ** 2) == best.squared.upper

    def test_inseparable_samples_come_with_multipliers(self):
        X, y = np.array([[1, 0], [-1, 0], [2, 0]]), np.array([0, 0, 1])
        with pytest.raises(NotSeparable) as caught:
            best_margin(X, y, 2)
        weights = np.array(caught.value.multipliers, dtype=object)
        assert not (weights @ kesler_vectors(as_integers(X), y, 2)).any()

    def test_of_the_pages_two_data_sets_the_digits_are_separable_and_the_irises_are_not(self):
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

    def test_floats_are_taken_for_the_fractions_they_are(self):
        assert separability(np.array([[0.1, 1.0], [0.1 + 1e-6, 1.0]]), np.array([0, 1]), 2).separable

    def test_whole_numbers_and_fractions_are_not_taken_for_floats(self):
        """A point between two others, which it is not exactly in floats; and thirds, of which both bounds are exact."""
        line = np.array([[0, 0, 1], [1, Fraction(1, 3), 1], [Fraction(3, 10), Fraction(1, 10), 1]], dtype=object)
        assert not separability(line, np.array([0, 0, 1]), 2).separable
        thirds = np.array([[Fraction(1, 3), Fraction(0)], [Fraction(0), Fraction(1, 3)]])
        assert best_margin(thirds, np.array([0, 1]), 2).squared.lower == Fraction(1, 18)

    def test_multipliers_are_rounded_in_units_of_the_largest(self):
        assert max(best_margin(3 * np.eye(2), np.array([0, 1]), 2).multipliers) == 2**40

    def test_a_margin_below_the_accuracy_of_the_programme_is_not_decided(self):
        with pytest.raises(NotDecided, match="scale the data"):
            separability(np.array([[0.1, 1.0], [0.1 + 1e-12, 1.0]]), np.array([0, 1]), 2)


class TestRun:
    @settings(max_examples=40)
    @given(seeds, st.integers(2, 6), st.sampled_from(["mistake", "first"]))
    def test_compiled_and_exact_runs_agree_update_by_update(self, seed, k, ties):
        X, y = separable_sample(np.random.default_rng(seed), k, 3, 12)
        exact, compiled = run_perceptron(X, y, k, ties=ties), run_perceptron(X.astype(float), y, k, ties=ties)
        assert exact.updates.tolist() == compiled.updates.tolist()
        assert exact.W.tolist() == compiled.W.tolist()
        assert exact.W_average.astype(float) == pytest.approx(compiled.W_average)

    @settings(max_examples=20)
    @given(seeds)
    def test_the_average_is_the_mean_over_all_steps(self, seed):
        X, y = separable_sample(np.random.default_rng(seed), 3, 2, 8)
        run, total, steps = run_perceptron(X, y, 3), 0, 0
        W = as_integers(np.zeros((3, 2), dtype=int))
        for _ in range(run.n_epochs):
            for x, label in zip(X, y, strict=True):
                table = W @ x
                rival = max((z for z in range(3) if z != label), key=lambda z: (table[z], -z))
                if table[label] <= table[rival]:
                    W[label] += x
                    W[rival] -= x
                total, steps = total + W, steps + 1
        assert (run.W == W).all()
        assert (run.W_average == total * Fraction(1, steps)).all()

    def test_a_run_may_go_on_from_another(self):
        X, y = separable_sample(np.random.default_rng(6), 4, 3, 30)
        whole, part = run_perceptron(X, y, 4), run_perceptron(X, y, 4, max_epochs=1)
        rest = run_perceptron(X, y, 4, start=part)
        assert (rest.W == whole.W).all()
        assert (rest.W_average == whole.W_average).all()
        assert part.n_updates + rest.n_updates == whole.n_updates

    def test_history_ends_at_the_weights_of_the_run(self):
        X, y = tight_sample(4)
        run = run_perceptron(X, y, 4)
        weights = list(history(run, X, y))
        assert len(weights) == run.n_updates + 1
        assert (weights[-1] == run.W).all()

    def test_the_slides_rule_may_stop_at_zero_weights(self):
        X, y = np.array([[1.0, 2.0], [3.0, 1.0]]), np.array([0, 0])
        assert not run_perceptron(X, y, 3, ties="first").W.any()
        assert (gaps(run_perceptron(X, y, 3).W, X, y) > 0).all()

    def test_a_run_that_cannot_end_says_so(self):
        run = run_perceptron(np.ones((2, 1)), np.array([0, 1]), 2, max_epochs=5)
        assert not run.converged
        assert run.n_epochs == 5

    @pytest.mark.parametrize(
        ("width", "padded"),
        [(9, 9), (60, 64), (64, 64), (65, 72), (54, 56), (47, 48), (46, 48), (44, 48), (43, 48), (42, 42)],
    )
    def test_rows_are_widened_to_whole_lines_where_that_adds_an_eighth_at_most(self, width, padded):
        rows = np.arange(3.0 * width).reshape(3, width) + 1
        wide = _in_whole_lines(rows)
        assert wide.shape == (3, padded)
        assert (wide[:, :width] == rows).all()
        assert not wide[:, width:].any()

    def test_passes_end_with_one_that_changes_nothing(self):
        run = run_perceptron(np.eye(2), np.array([0, 1]), 2)
        assert (run.n_epochs, run.converged, run.n_updates) == (2, True, 2)

    def test_the_order_decides_the_number_of_updates(self):
        X, y = separable_sample(np.random.default_rng(0), 3, 2, 20)
        counts = {run_perceptron(X, y, 3, order=random_orders(20, seed)).n_updates for seed in range(10)}
        assert len(counts) > 1

    @pytest.mark.parametrize(
        ("X", "y", "k", "says"),
        [
            (np.ones(3), np.zeros(3, int), 2, "n_samples, n_features"),
            (np.ones((3, 2)), np.zeros(2, int), 2, "same number of rows"),
            (np.ones((2, 1)), ["cat", "dog"], 2, "strings such as 'cat'"),
            (np.ones((2, 1)), np.array([0, 2]), 2, "labels 0 .. 1"),
            (np.ones((2, 1)), np.array([0.5, 1]), 2, "labels"),
            (np.ones((2, 1)), np.array([0, 1]), 1, "2 classes"),
            (np.array([[np.nan], [1.0]]), np.array([0, 1]), 2, "finite"),
        ],
    )
    def test_bad_input_is_named(self, X, y, k, says):
        with pytest.raises(ValueError, match=says):
            run_perceptron(X, y, k)

    def test_an_unknown_tie_rule_is_named(self):
        with pytest.raises(ValueError, match="first"):
            run_perceptron(np.ones((1, 1)), np.array([0]), 2, ties="coin")


class TestSamples:
    @pytest.mark.parametrize("k", [2, 5])
    def test_separable_samples_are_separable_with_every_class(self, k):
        X, y = separable_sample(np.random.default_rng(0), k, 3, 30)
        assert separability(X, y, k).separable
        assert set(y) == set(range(k))

    def test_points_of_the_tight_sample_have_length_k(self):
        X, _ = tight_sample(5)
        assert {frobenius_product(x, x) for x in X} == {25}

    def test_one_class_cannot_be_tight(self):
        with pytest.raises(ValueError, match="at least 2"):
            tight_sample(1)


NOT_OF_THE_PERCEPTRON = {
    "check_sample_weight_equivalence_on_dense_data": "a weight lengthens a step; an example seen twice may move W once",
    "check_class_weight_classifiers": "on noise the heavy class has as many as the order makes it: .84 for .87",
}


@parametrize_with_checks(
    [MulticlassPerceptron(), MulticlassPerceptron(average=False, fit_intercept=False)],
    expected_failed_checks=lambda estimator: NOT_OF_THE_PERCEPTRON,
)
def test_scikit_learn_accepts_the_estimator(estimator, check):
    with warnings.catch_warnings():
        # The data of some checks are not separable, on purpose.
        warnings.simplefilter("ignore", ConvergenceWarning)
        check(estimator)


class TestEstimator:
    def test_it_learns_the_digits(self):
        X, y = load_digits(return_X_y=True)
        model = MulticlassPerceptron(random_state=0).fit(X[:1300], y[:1300])
        assert model.score(X[1300:], y[1300:]) > 0.9

    def test_without_averaging_it_is_the_algorithm_of_the_theorem(self):
        X, y = tight_sample(4)
        model = MulticlassPerceptron(average=False, shuffle=False, fit_intercept=False).fit(X.astype(float), y)
        run = run_perceptron(X, y - 1, 3)
        assert model.coef_.tolist() == run.W.tolist()
        assert model.n_updates_ == run.n_updates
        assert model.converged_
        assert model.classes_.tolist() == [1, 2, 3]

    def test_partial_fit_in_pieces_is_one_pass(self):
        X, y = load_digits(return_X_y=True)
        pieces = MulticlassPerceptron()
        for part in np.array_split(np.arange(len(X)), 5):
            pieces.partial_fit(X[part], y[part], classes=range(10))
        whole = MulticlassPerceptron(max_iter=1, shuffle=False).fit(X, y)
        assert pieces.coef_ == pytest.approx(whole.coef_)
        assert pieces.n_updates_ == whole.n_updates_

    def test_passes_are_counted(self):
        X, y = separable_sample(np.random.default_rng(2), 3, 2, 15)
        model = MulticlassPerceptron(shuffle=False, fit_intercept=False, max_iter=1000)
        epochs = run_perceptron(X, y, 3).n_epochs
        assert model.fit(X.astype(float), y).n_iter_ == epochs > 2
        pieces = MulticlassPerceptron().partial_fit(X[:9], y[:9], classes=range(3))
        assert pieces.n_iter_ == 1
        assert pieces.partial_fit(X[9:], y[9:]).n_iter_ == 2

    def test_a_weight_multiplies_the_step(self):
        X, y = separable_sample(np.random.default_rng(2), 3, 2, 15)
        weights = np.random.default_rng(3).integers(1, 4, 15)
        model = MulticlassPerceptron(average=False, shuffle=False, fit_intercept=False, max_iter=1000)
        model.fit(X.astype(float), y, sample_weight=weights)
        run = run_perceptron(X * weights[:, None], y, 3)
        assert model.coef_.tolist() == run.W.tolist()
        assert model.n_updates_ == run.n_updates

    def test_weight_zero_leaves_an_example_out(self):
        X, y = load_digits(return_X_y=True)
        kept = np.random.default_rng(0).random(len(X)) < 0.5
        model = MulticlassPerceptron(random_state=0, max_iter=2)
        weighted = clone(model).fit(X, y, sample_weight=kept)
        assert (weighted.coef_ == clone(model).fit(X[kept], y[kept]).coef_).all()

    def test_class_weights_multiply_sample_weights(self):
        X, y = load_digits(return_X_y=True)
        weights = np.random.default_rng(0).random(len(X))
        model = MulticlassPerceptron(random_state=0, max_iter=2)
        by_class = clone(model).set_params(class_weight={3: 2.0}).fit(X, y, sample_weight=weights)
        by_example = clone(model).fit(X, y, sample_weight=weights * np.where(y == 3, 2.0, 1.0))
        assert (by_class.coef_ == by_example.coef_).all()

    def test_balanced_weights_need_the_whole_sample(self):
        with pytest.raises(ValueError, match="as a dict"):
            MulticlassPerceptron(class_weight="balanced").partial_fit([[0.0], [1.0]], [0, 1])

    def test_single_precision_is_computed_in_double(self):
        X, y = load_digits(return_X_y=True)
        model = MulticlassPerceptron(random_state=0, max_iter=2)
        assert (clone(model).fit(X.astype(np.float32), y).coef_ == clone(model).fit(X, y).coef_).all()

    def test_it_survives_pickling_and_goes_on_from_there(self):
        X, y = load_digits(return_X_y=True)
        model = MulticlassPerceptron(random_state=0, max_iter=2).fit(X, y)
        copy = pickle.loads(pickle.dumps(model))
        assert (copy.partial_fit(X, y).coef_ == model.partial_fit(X, y).coef_).all()

    def test_labels_that_come_late_are_named(self):
        model = MulticlassPerceptron().partial_fit([[0.0], [1.0]], ["a", "b"])
        with pytest.raises(ValueError, match="'c'"):
            model.partial_fit([[2.0]], ["c"])

    def test_sparse_pieces_are_refused(self):
        with pytest.raises(TypeError, match="Sparse data was passed"):
            MulticlassPerceptron().partial_fit(sp.csr_array(np.eye(2)), [0, 1])

    def test_the_warning_points_to_the_call_of_fit(self):
        with pytest.warns(ConvergenceWarning, match="last weights") as caught:
            MulticlassPerceptron(average=False, max_iter=1).fit([[1.0], [1.0]], [0, 1])
        assert [one.filename for one in caught] == [__file__]

    def test_not_converging_without_averaging_warns(self):
        X, y = np.ones((4, 1)), np.array([0, 1, 0, 1])
        with pytest.warns(ConvergenceWarning, match="average=True"):
            MulticlassPerceptron(average=False, max_iter=3).fit(X, y)

    def test_the_same_seed_gives_the_same_weights(self):
        X, y = load_digits(return_X_y=True)
        model = MulticlassPerceptron(random_state=7, max_iter=3)
        assert (clone(model).fit(X, y).coef_ == clone(model).fit(X, y).coef_).all()
