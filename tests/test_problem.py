"""The problem: scores and ties, risks, unbalanced classes, costs and hierarchies, tasks with many answers."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, zero_one_loss

from mcbook.foundation.distributions import probabilities_from_counts
from mcbook.problem import (
    answers,
    balanced_risk,
    best_prediction,
    class_errors,
    coherent_subsets,
    constant_balanced_risk,
    count_answers,
    count_coherent_subsets,
    expected_costs,
    margin_error_bounds,
    one_hot,
    predict_from_scores,
    risk,
    score_margins,
    tree_distances,
    zero_one_costs,
)


def test_shares_and_risks_are_exact_where_the_distribution_is():
    margins = np.array([-2, -1, 0, 1, 2])
    assert margin_error_bounds(margins) == (Fraction(2, 5), Fraction(3, 5))
    weighted = margin_error_bounds(margins, probabilities_from_counts([1, 1, 4, 1, 1]))
    assert weighted == (Fraction(1, 4), Fraction(3, 4))
    assert margin_error_bounds(np.array([-0.5, 0.0]), [0.25, 0.75]) == (0.25, 1.0)
    assert risk([0, 1], [1, 1], probabilities_from_counts([1, 3])) == Fraction(1, 4)
    assert risk(np.array(["cat", "dog"]), np.array(["cat", "cat"])) == Fraction(1, 2)
    assert risk([[1, 0, 1], [0, 0, 0]], [[0, 1, 1], [0, 0, 0]]) == 1
    assert constant_balanced_risk(1) == 0
    assert score_margins([[1, 3, 3], [5, 2, 4]], [1, 2]).tolist() == [0, -1]


@given(st.integers(0, 2**32 - 1))
def test_risks_agree_with_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    h, y = rng.integers(0, 3, 15), np.r_[0, 1, 2, rng.integers(0, 3, 12)]
    assert float(risk(h, y)) == pytest.approx(zero_one_loss(y, h))
    assert float(balanced_risk(class_errors(h, y, 3))) == pytest.approx(1 - balanced_accuracy_score(y, h))


def test_tree_distances_are_a_metric():
    D = tree_distances([("a", "b", "c"), ("a", "b", "d"), ("a", "e"), ("f",)])
    assert D.tolist() == [[0, 2, 3, 4], [2, 0, 3, 4], [3, 3, 0, 3], [4, 4, 3, 0]]
    assert (D[:, :, None] + D[None, :, :] >= D[:, None, :]).all()


def test_answers_are_listed_in_order_and_counted():
    assert list(answers("subset", 2)) == list(answers("sequence", 2, 2)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert list(answers("ranking", 3))[:2] == [(0, 1, 2), (0, 2, 1)]
    assert [count_answers(task, 5) for task in ("subset", "ranking", "sequence")] == [32, 120, 5]
    assert list(coherent_subsets([1, None])) == [(0, 0), (0, 1), (1, 1)]
    assert [count_coherent_subsets(parents) for parents in ([None, 0, 0, None], [1, 2, 3, None])] == [10, 5]


REFUSED = [
    (lambda: predict_from_scores(np.ones(3)), r"got shape \(3,\)"),
    (lambda: predict_from_scores(np.ones((3, 1))), "two classes"),
    (lambda: predict_from_scores(np.full((1, 2), np.nan)), "NaN"),
    (lambda: predict_from_scores(np.ones((1, 2)), "coin"), "'first', 'last'"),
    (lambda: score_margins(np.ones((2, 2)), np.array([0, 2])), r"0 \.\. 1"),
    (lambda: score_margins(np.ones((2, 2)), np.array([0])), "same number of rows"),
    (lambda: score_margins(np.ones((2, 2)), ["cat", "dog"]), "strings such as 'cat'"),
    (lambda: score_margins(np.ones((2, 2)), np.array([0, 0.5])), "encode them first"),
    (lambda: one_hot([2], 2), r"0 \.\. 1"),
    (lambda: risk(np.zeros(2), np.zeros(3)), "same shape"),
    (lambda: risk(np.zeros(2), np.zeros(2), [1.0]), "each of 2 atoms"),
    (lambda: risk(np.zeros(2), np.zeros(2), [1.5, -0.5]), "sum to 1"),
    (lambda: class_errors([0, 0], [0, 0], 2), "class 1 has prior 0"),
    (lambda: constant_balanced_risk(0), "at least 1"),
    (lambda: tree_distances([("a",), ("a",)]), "of its own"),
    (lambda: expected_costs([0.5, 0.5], zero_one_costs(3)), r"shape \(2, 2\)"),
    (lambda: best_prediction([]), "sum to 1"),
    (lambda: list(coherent_subsets([])), "at least one"),
    (lambda: list(coherent_subsets([1, 0, None])), "label 0 lies below itself"),
    (lambda: count_coherent_subsets([0]), "label 0 lies below itself"),
    (lambda: count_coherent_subsets([1]), r"parents among the labels 0 \.\. 0"),
    *((lambda f=f, a=a: f(*a), "expected") for f in (answers, count_answers) for a in (("tree", 2), ("subset", 0))),
    *((lambda f=f: f("sequence", 2, 0), "length >= 1") for f in (answers, count_answers)),
]


@pytest.mark.parametrize(("call", "says"), REFUSED)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_chapters_share_one_split_of_the_digits_and_some_have_another():
    """What the page says of the splits."""
    book = Path(__file__).resolve().parents[1] / "book"
    shown = {page.stem: page.read_text(encoding="utf-8") for page in book.glob("*.ipynb")}
    with_digits = {name for name, text in shown.items() if "load_digits(" in text}
    as_here = {name for name in with_digits if "test_size=0.4, random_state=0" in shown[name]}
    assert {"problem", "perceptron", "constraint_classification"} <= as_here
    assert {"margin_bounds", "binary_svm"} <= with_digits - as_here
