"""Impurities: kinds of numbers, gains, bounds, splits by thresholds; claims and formulas hold the values."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.tree import DecisionTreeClassifier

from mcbook.foundation.numbers import ball
from mcbook.impurities import (
    IMPURITIES,
    entropy_bound,
    gini_gain_bound,
    largest_gini,
    leaf_error,
    least_entropy,
    least_gini,
    majority_label,
    split_gain,
    threshold_splits,
)
from mcbook.impurities.instances import least_mixed_shares, most_mixed_shares, uniform_shares
from mcbook.impurities.theory.impurity import class_shares, entropy_slope, find_impurity, gini_slope

HALF = Fraction(1, 2)


def test_floats_fractions_and_balls_agree():
    for counts in np.random.default_rng(0).integers(0, 9, (10, 4, 5)) + np.eye(4, 5, dtype=int):
        for measure in IMPURITIES.values():
            floats = measure(counts.astype(float))
            assert floats.shape == (4,)
            for row, value in zip(counts, floats, strict=True):
                assert float(measure(row)) == pytest.approx(value, abs=1e-14)
                assert abs(float(measure([ball(int(count)) for count in row])) - value) < 1e-13
            assert measure(counts).tolist() == [measure(row) for row in counts]


def test_the_gain_of_any_number_of_children():
    rng = np.random.default_rng(1)
    for n_children in (1, 2, 3, 4):
        children = rng.integers(1, 9, (3, n_children, 4))
        for name, measure in IMPURITIES.items():
            many = split_gain(name, children.astype(float))
            for node, gain in zip(children, many, strict=True):
                left = sum(measure(child) * Fraction(int(child.sum()), int(node.sum())) for child in node)
                assert float(measure(node.sum(axis=0)) - left) == pytest.approx(gain, abs=1e-12)
                assert float(split_gain(measure, node)) == pytest.approx(gain, abs=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_best_split_of_the_digits_is_scikit_learns(criterion):
    X, y = load_digits(return_X_y=True)
    peer = DecisionTreeClassifier(criterion=criterion, max_depth=1).fit(X, y).tree_
    best = (-1.0, 0, 0.0)
    for feature, values in enumerate(X.T):
        thresholds, children = threshold_splits(values, y, 10)
        if len(thresholds):
            gains = split_gain(criterion, children.astype(float))
            best = max(best, (float(gains.max()), feature, float(thresholds[gains.argmax()])))
    assert best[1:] == (peer.feature[0], pytest.approx(peer.threshold[0]))
    sizes = peer.weighted_n_node_samples / len(X)
    assert best[0] == pytest.approx(peer.impurity[0] - sizes[1:] @ peer.impurity[1:])


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ([], "a number for each class"),
        (3, "a number for each class"),
        ([[1, 2], [0, 0]], "empty node"),
        ([1, -1, 3], ">= 0, got -1"),
        (np.array([0.5, -0.5]), ">= 0"),
        (np.array([np.nan, 1.0]), "finite"),
        (np.array([np.inf, 1.0]), "finite"),
    ],
)
def test_bad_weights_are_named(weights, says):
    for measure in (*IMPURITIES.values(), class_shares, majority_label):
        with pytest.raises(ValueError, match=says):
            measure(weights)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: find_impurity("log_loss"), "'misclassification', 'gini', 'entropy'; got 'log_loss'"),
        (lambda: leaf_error([1, 1], -1), "label"),
        (lambda: split_gain("gini", [3, 4]), "a row for each child"),
        (lambda: split_gain("gini", [[3, 4], [0, 0]]), "empty node"),
        (lambda: entropy_bound(0.5, 0), "n_points >= 1"),
        (lambda: least_entropy(1), "gini_impurity < 1, got 1"),
        (lambda: least_gini(1), "error < 1"),
        (lambda: largest_gini(HALF + Fraction(1, 1000), 2), "error <= 1/2"),
        (lambda: largest_gini(0.1, 1), "at least 2 classes"),
        (lambda: gini_gain_bound(HALF, 0), "share"),
        (lambda: most_mixed_shares(Fraction(3, 4), 3), "error <= 2/3"),
        (lambda: least_mixed_shares(Fraction(-1, 4), 3), "0 <= error"),
        (lambda: uniform_shares(0), "at least 1 classes"),
        (lambda: threshold_splits([1.0, np.nan], [0, 1], 2), "finite values"),
        (lambda: threshold_splits([1.0, 2.0], [0], 2), "same number of rows"),
        (lambda: threshold_splits([1.0, 2.0], [0, 2], 2), r"labels 0 \.\. 1"),
    ],
)
def test_what_is_no_node_or_no_split_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_slopes_of_exact_shares():
    assert gini_slope(Fraction(1, 8), Fraction(1, 2)) == Fraction(3, 4)
    assert entropy_slope(Fraction(1, 8), Fraction(1, 2)) == 2
    assert entropy_slope(np.array([0.25, 0.5]), 0.5).tolist() == [1, 0]
