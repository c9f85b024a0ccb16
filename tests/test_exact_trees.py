"""Trees grown question by question in exact numbers, the theory's values, and the pictures."""

from __future__ import annotations

from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
import pytest

from mcbook.trees import (
    Ball,
    Halfspace,
    Subset,
    ball_of_halfspace,
    fewest_errors,
    grow_greedily,
    grow_tree,
    helpful_bit,
    label_of,
    labellings_at_most,
    least_impurity,
    parity_cube,
    spirals,
    subset_questions,
    threshold_questions,
    total_impurity,
    variance_decrease,
    vc_at_least,
    vc_at_most,
    with_surrogates,
    worst_potential,
)
from mcbook.trees.algorithm.greedy import n_errors
from mcbook.trees.figures import partitions_figure, tree_figure
from mcbook.trees.kernels.shattering import shattered


def test_errors_of_the_most_frequent_label_and_of_no_labels_at_all():
    assert [n_errors(np.array(y, dtype=int)) for y in ([], [3], [0, 2, 2, 1])] == [0, 0, 2]


def test_subset_questions_contain_the_best_partition_of_categories():
    X = np.array([[c] for c in "aabbccdd"], dtype=object)
    y = np.array([0, 0, 1, 1, 1, 1, 0, 0])
    questions = list(subset_questions(X, 0))
    assert len(questions) == 7
    grown = grow_greedily(X, y, 2, questions)
    assert [step.question for step in grown.steps] == [Subset(0, frozenset("ad"))]
    assert grown.totals == [4, 0]


def test_greedy_growth_stops_where_nothing_gains_and_goes_on_when_told():
    X, y = parity_cube(2, 2)
    questions = threshold_questions(X)
    assert grow_greedily(X, y, 2, questions).steps == []
    assert len(grow_greedily(X, y, 2, questions, only_gains=False).steps) == 3
    X, y = helpful_bit(Fraction(1, 10))
    assert [step.gain for step in grow_greedily(X, y, 2, threshold_questions(X)).steps] == [Fraction(1, 50)]


def test_searches_agree_with_each_other():
    rng = np.random.default_rng(12)
    X, y = rng.integers(0, 4, (9, 2)), rng.integers(0, 2, 9)
    questions = threshold_questions(X)
    by_splits = [fewest_errors(X, y, questions, n) for n in range(8)]
    assert by_splits == sorted(by_splits, reverse=True)
    deep = least_impurity(X, y, 2, questions, 3, "misclassification")
    assert by_splits[7] <= deep <= by_splits[3]


def test_balls_hold_what_half_spaces_hold_even_nothing():
    X = np.array([[0, 0], [2, 1]], dtype=object)
    nothing = Halfspace(np.array([1, 0], dtype=object), -1)
    assert not ball_of_halfspace(nothing, X).left(X).any()
    everything = Halfspace(np.array([1, 0], dtype=object), 9)
    assert ball_of_halfspace(everything, X).left(X).all()
    # The origin, which every such ball comes closest to, lies above.
    points = np.array([[0, 0], [-2, 0]], dtype=object)
    assert ball_of_halfspace(nothing, points).left(points).tolist() == [False, True]
    assert Ball(X[0], 5).left(X).tolist() == [True, True]


def test_surrogates_follow_the_question_and_turn_around():
    X = np.column_stack([np.arange(10.0), -np.arange(10.0), np.zeros(10)])
    machine = with_surrogates(X, (np.arange(10) > 4).astype(int), 2)
    (surrogate,) = machine.surrogates[0]
    assert (surrogate.feature, surrogate.flipped, surrogate.n_agree) == (1, True, 10)
    assert [label_of(machine, np.array([np.nan, z, 0.0])) for z in (-1.0, -8.0)] == [0, 1]


def test_a_split_that_gains_very_little_still_gains():
    # 50 and 50 on the left, 50 and 51 on the right.
    X, y = np.repeat([[0], [1]], [100, 101], axis=0), np.array([0, 1] * 100 + [1])
    (step,) = grow_greedily(X, y, 2, threshold_questions(X)).steps
    assert step.decrease == Fraction(50, 20301)
    same = grow_greedily(X[:200], y[:200], 2, threshold_questions(X))
    assert same.steps == []


# --- theory ----------------------------------------------------------------------------------------------------------


def test_values_of_the_theory():
    assert variance_decrease(Fraction(1, 4), 0, 8) == 12
    assert [worst_potential(2, i, Fraction(1, 2)) for i in range(4)] == [
        Fraction(1, 4), Fraction(7, 32), Fraction(3, 16), Fraction(5, 32)
    ]  # fmt: skip
    with pytest.raises(ValueError, match="n_extra < 2"):
        worst_potential(1, 2, 0.5)
    assert labellings_at_most(3, 2, 2) == 2 * 4 * 10 * 8
    # Five shapes of three questions.
    assert labellings_at_most(1, 3, 1) == 5 * 1 * 4 * 16
    assert [vc_at_least(a, 4) for a in range(4)] == [3, 6, 8, 16]
    with pytest.raises(ValueError, match="n_levels < n_features"):
        vc_at_least(2, 2)
    assert labellings_at_most(vc_at_most(3, 2), 3, 2) >= 2 ** vc_at_most(3, 2)
    assert labellings_at_most(vc_at_most(3, 2) + 1, 3, 2) < 2 ** (vc_at_most(3, 2) + 1)
    assert total_impurity(np.array([0, 1, 2, 2]), 3) == 4 - Fraction(6, 4)


def test_shattered_orders():
    assert shattered(np.array([0, 6, 2, 4, 7, 3, 1, 5]), 3)
    assert not shattered(np.arange(8), 3)
    assert shattered(np.array([0]), 3)


# --- pictures --------------------------------------------------------------------------------------------------------


def test_pictures_show_cells_and_questions():
    X, y = spirals(np.random.default_rng(0), 60)
    tree = grow_tree(X, y, 3, max_depth=2)
    figure = tree_figure(tree, ["a", "b"], ["u", "v", "w"])
    words = " ".join(text.get_text() for text in figure.axes[0].texts)
    assert words.count("yes") == words.count("no") == tree.n_leaves - 1
    assert words.count("≤") == tree.n_leaves - 1
    pair = partitions_figure([tree, tree], X, y, ["one", "two"])
    assert [axes.get_title() for axes in pair.axes] == ["one", "two"]
    plt.close("all")
