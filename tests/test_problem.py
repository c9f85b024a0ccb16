"""The problem: scores and ties, risks, unbalanced classes, costs and hierarchies, tasks with many answers."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, zero_one_loss

from mcbook.foundation.laws import probabilities_from_counts
from mcbook.perceptron import gaps
from mcbook.problem import (
    answers,
    balanced_risk,
    best_labels,
    best_prediction,
    class_errors,
    coherent_subsets,
    constant_balanced_risk,
    count_answers,
    count_coherent_subsets,
    expected_costs,
    hamming_distances,
    majority_risk,
    margin_error_bounds,
    one_hot,
    predict_from_scores,
    risk,
    score_margins,
    tree_distances,
    zero_one_costs,
)

seeds = st.integers(0, 2**32 - 1)


class TestScores:
    def test_ties_go_to_the_first_or_the_last(self):
        scores = np.array([[1, 3, 3], [2, 2, 2], [0, 1, 5]])
        assert best_labels(scores).sum(axis=1).tolist() == [2, 3, 1]
        assert predict_from_scores(scores).tolist() == [1, 0, 2]
        assert predict_from_scores(scores, ties="last").tolist() == [2, 2, 2]
        assert predict_from_scores([[3, 1, 1], [3, 3, 1]], ties="last").tolist() == [0, 1]

    def test_margins_by_hand(self):
        assert score_margins(np.array([[1, 3, 3], [5, 2, 4]]), np.array([1, 2])).tolist() == [0, -1]

    def test_linear_scores_have_the_gaps_of_the_perceptron_chapter(self):
        rng = np.random.default_rng(0)
        W, X, y = rng.normal(size=(4, 3)), rng.normal(size=(20, 3)), rng.integers(0, 4, 20)
        assert score_margins(X @ W.T, y) == pytest.approx(gaps(W, X, y))

    def test_the_two_shares_by_hand(self):
        margins = np.array([-2, -1, 0, 1, 2])
        assert margin_error_bounds(margins) == (Fraction(2, 5), Fraction(3, 5))
        assert margin_error_bounds(margins, probabilities_from_counts([1, 1, 4, 1, 1])) == (
            Fraction(1, 4),
            Fraction(3, 4),
        )
        assert margin_error_bounds(np.array([-0.5, 0.0]), [0.25, 0.75]) == (0.25, 1.0)

    @pytest.mark.parametrize(
        ("call", "says"),
        [
            (lambda: predict_from_scores(np.ones(3)), r"got shape \(3,\)"),
            (lambda: predict_from_scores(np.ones((3, 1))), "two classes"),
            (lambda: predict_from_scores(np.full((1, 2), np.nan)), "NaN"),
            (lambda: predict_from_scores(np.ones((1, 2)), "coin"), "'first', 'last'"),
            (lambda: score_margins(np.ones((2, 2)), np.array([0, 2])), r"0 \.\. 1"),
            (lambda: score_margins(np.ones((2, 2)), np.array([0])), "same number of rows"),
            (lambda: score_margins(np.ones((2, 2)), ["cat", "dog"]), "strings such as 'cat'"),
            (lambda: score_margins(np.ones((2, 2)), np.array([0, -1])), "encode them first"),
            (lambda: score_margins(np.ones((2, 2)), np.array([0, 0.5])), "encode them first"),
        ],
    )
    def test_bad_scores_and_labels_are_named(self, call, says):
        with pytest.raises(ValueError, match=says):
            call()


class TestRisk:
    def test_single_labels(self):
        assert risk(np.array([0, 1, 2]), np.array([0, 2, 2])) == Fraction(1, 3)
        assert risk(np.array([0, 1]), np.array([1, 1]), probabilities_from_counts([1, 3])) == Fraction(1, 4)
        assert risk(np.array([0, 1]), np.array([1, 1]), np.array([0.25, 0.75])) == 0.25

    def test_several_labels(self):
        assert hamming_distances([[1, 0, 1], [0, 0, 0]], [[0, 1, 1], [0, 0, 0]]).tolist() == [2, 0]
        assert risk([[1, 0, 1], [0, 0, 0]], [[0, 1, 1], [0, 0, 0]]) == 1

    def test_single_labels_may_be_words(self):
        assert risk(np.array(["cat", "dog"]), np.array(["cat", "cat"])) == Fraction(1, 2)

    def test_codes(self):
        assert one_hot([2, 0], 3).tolist() == [[0, 0, 1], [1, 0, 0]]
        with pytest.raises(ValueError, match=r"0 \.\. 1"):
            one_hot([2], 2)

    @given(seeds)
    def test_against_scikit_learn(self, seed):
        rng = np.random.default_rng(seed)
        h, y = rng.integers(0, 3, 15), np.r_[0, 1, 2, rng.integers(0, 3, 12)]
        assert float(risk(h, y)) == pytest.approx(zero_one_loss(y, h))
        assert float(balanced_risk(class_errors(h, y, 3))) == pytest.approx(1 - balanced_accuracy_score(y, h))

    @pytest.mark.parametrize(
        ("h", "y", "weights", "says"),
        [
            (np.zeros(2), np.zeros(3), None, "same shape"),
            (np.zeros((2, 3)), np.zeros((3, 2)), None, "same shape"),
            (np.zeros(0), np.zeros(0), None, "same shape"),
            (np.zeros(2), np.zeros(2), [1.0], "each of 2 atoms"),
            (np.zeros(2), np.zeros(2), [0.5, 0.6], "sum to 1"),
            (np.zeros(2), np.zeros(2), [1.5, -0.5], "sum to 1"),
        ],
    )
    def test_what_cannot_be_compared_is_named(self, h, y, weights, says):
        with pytest.raises(ValueError, match=says):
            risk(h, y, weights)


class TestImbalance:
    def test_by_hand(self):
        assert majority_risk(probabilities_from_counts([95, 5])) == Fraction(1, 20)
        assert constant_balanced_risk(4) == Fraction(3, 4)
        assert class_errors([0, 0, 1], [0, 1, 1], 2) == [0, Fraction(1, 2)]

    def test_a_class_that_never_occurs_has_no_error(self):
        with pytest.raises(ValueError, match="class 1 has prior 0"):
            class_errors([0, 0], [0, 0], 2)
        with pytest.raises(ValueError, match="at least 1"):
            constant_balanced_risk(0)


class TestCosts:
    def test_expected_costs_by_hand(self):
        law = probabilities_from_counts([1, 3])
        assert expected_costs(law, np.array([[0, 4], [8, 0]])).tolist() == [6, 1]
        assert best_prediction(law, np.array([[0, 40], [8, 0]])) == 0

    def test_without_costs_the_most_probable_label(self):
        assert best_prediction([0.2, 0.5, 0.3]) == 1
        assert best_prediction([0.5, 0.5]) == 0

    def test_tree_distances_are_a_metric(self):
        paths = [("a", "b", "c"), ("a", "b", "d"), ("a", "e"), ("f",)]
        D = tree_distances(paths)
        assert D.tolist() == [[0, 2, 3, 4], [2, 0, 3, 4], [3, 3, 0, 3], [4, 4, 3, 0]]
        assert (D[:, :, None] + D[None, :, :] >= D[:, None, :]).all()

    @pytest.mark.parametrize(
        ("call", "says"),
        [
            (lambda: tree_distances([("a",), ("a",)]), "of its own"),
            (lambda: expected_costs([0.5, 0.5], zero_one_costs(3)), r"shape \(2, 2\)"),
            (lambda: best_prediction([0.5, 0.4]), "sum to 1"),
            (lambda: best_prediction([]), "sum to 1"),
        ],
    )
    def test_bad_costs_are_named(self, call, says):
        with pytest.raises(ValueError, match=says):
            call()


class TestTasks:
    def test_small_cases(self):
        assert list(answers("subset", 2)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
        assert list(answers("ranking", 3))[:2] == [(0, 1, 2), (0, 2, 1)]
        assert list(answers("sequence", 2, 2)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
        assert [count_answers("subset", k) for k in (1, 2, 5)] == [2, 4, 32]
        assert [count_answers("ranking", k) for k in (1, 2, 5)] == [1, 2, 120]
        assert count_answers("sequence", 26, 5) == 26**5

    @pytest.mark.parametrize(("task", "k", "length"), [("tree", 2, 1), ("subset", 0, 1), ("sequence", 2, 0)])
    def test_what_is_not_a_task_is_named(self, task, k, length):
        for function in (answers, count_answers):
            with pytest.raises(ValueError, match="expected"):
                function(task, k, length)

    def test_a_hierarchy_by_hand(self):
        assert list(coherent_subsets([1, None])) == [(0, 0), (0, 1), (1, 1)]
        assert count_coherent_subsets([None, 0, 0, None]) == 10
        assert count_coherent_subsets([1, 2, 3, None]) == 5

    @pytest.mark.parametrize(
        ("parents", "says"),
        [
            ([], "at least one"),
            ([0], "below itself"),
            ([1, 0, None], "label 0 lies below itself"),
            ([2, None], "0 .. 1"),
        ],
    )
    def test_what_is_no_hierarchy_is_named(self, parents, says):
        for function in (lambda: list(coherent_subsets(parents)), lambda: count_coherent_subsets(parents)):
            with pytest.raises(ValueError, match=says):
                function()


def test_chapters_share_one_split_of_the_digits_and_some_have_another():
    """What the page says of the splits."""
    book = Path(__file__).resolve().parents[1] / "book"
    shown = {page.stem: page.read_text(encoding="utf-8") for page in book.glob("*.ipynb")}
    with_digits = {name for name, text in shown.items() if "load_digits(" in text}
    as_here = {name for name in with_digits if "test_size=0.4, random_state=0" in shown[name]}
    assert {"problem", "perceptron", "constraint_classification"} <= as_here
    assert {"margin_bounds", "binary_svm"} <= with_digits - as_here
