"""Impurities: formulas, gains, bounds, splits by thresholds."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import entropy as scipy_entropy
from sklearn.datasets import load_digits
from sklearn.tree import DecisionTreeClassifier

from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.exact import count_vectors
from mcbook.impurities import (
    IMPURITIES,
    class_shares,
    entropy,
    entropy_bound,
    entropy_gain_bound,
    entropy_slope,
    find_impurity,
    gini,
    gini_gain_bound,
    gini_slope,
    integer_splits,
    largest_gini,
    leaf_error,
    least_entropy,
    least_gini,
    least_mixed_shares,
    majority_label,
    misclassification,
    most_mixed_shares,
    split_gain,
    threshold_splits,
    uniform_shares,
    xor_sample,
)
from mcbook.losses import splitting_criterion

seeds = st.integers(0, 2**32 - 1)


class TestNodes:
    def test_a_node_worked_by_hand(self):
        assert class_shares([4, 2, 2]).tolist() == [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)]
        assert misclassification([4, 2, 2]) == Fraction(1, 2)
        assert gini([4, 2, 2]) == Fraction(5, 8)
        assert entropy([4, 2, 2]) == Fraction(3, 2)
        assert isinstance(entropy([4, 2, 2]), Fraction)

    @pytest.mark.parametrize("measure", IMPURITIES.values())
    def test_only_proportions_matter_and_order_does_not(self, measure):
        assert measure([6, 3, 9]) == measure([Fraction(1, 3), Fraction(1, 6), Fraction(1, 2)]) == measure([9, 6, 3])
        assert measure([5, 0, 0]) == 0

    @settings(max_examples=30, deadline=None)
    @given(seeds)
    def test_floats_fractions_and_balls_agree(self, seed):
        counts = np.random.default_rng(seed).integers(0, 9, (4, 5)) + np.eye(4, 5, dtype=int)
        for measure in IMPURITIES.values():
            floats = measure(counts.astype(float))
            assert floats.shape == (4,)
            for row, value in zip(counts, floats, strict=True):
                assert float(measure(row)) == pytest.approx(value, abs=1e-14)
                assert abs(float(measure([ball(int(count)) for count in row])) - value) < 1e-13
            assert measure(counts).tolist() == [measure(row) for row in counts]

    def test_entropy_is_that_of_scipy(self):
        weights = np.random.default_rng(0).random((7, 4))
        assert entropy(weights) == pytest.approx(scipy_entropy(weights, base=2, axis=-1))
        assert entropy(np.array([3.0, 0.0])) == 0

    @pytest.mark.parametrize(("counts", "bits"), [([1, 1], 1), ([2, 1, 1], Fraction(3, 2)), ([1] * 8, 3)])
    def test_powers_of_two_have_exact_entropies(self, counts, bits):
        assert entropy(counts) == bits
        assert isinstance(entropy(counts), int | Fraction)

    def test_other_entropies_are_floats_near_the_truth(self):
        assert entropy([2, 1]) == pytest.approx(math.log2(3) - 2 / 3)
        assert entropy([7, 1]) == pytest.approx(3 - 7 / 8 * math.log2(7))

    def test_symbols_stay_symbols(self):
        a, b = sympy.symbols("a b", positive=True)
        assert sympy.simplify(gini([a, b]) - 2 * a * b / (a + b) ** 2) == 0
        assert sympy.simplify(entropy([a, a]) - 1) == 0

    def test_the_majority_label_errs_least(self):
        counts = [3, 5, 5, 2]
        errors = [leaf_error(counts, label) for label in range(4)]
        assert errors == [Fraction(4, 5), Fraction(2, 3), Fraction(2, 3), Fraction(13, 15)]
        assert majority_label(counts) == 1
        assert type(majority_label(counts)) is int
        assert majority_label(np.array([[1.0, 2.0], [4.0, 3.0]])).tolist() == [1, 0]
        assert leaf_error(np.array([[1.0, 3.0], [4.0, 0.0]]), 1).tolist() == [0.25, 1.0]

    def test_two_classes_are_splitting_criteria_of_losses(self):
        for p in (Fraction(1, 3), Fraction(4, 5)):
            assert splitting_criterion("square", p, 1 - p) == 2 * gini([p, 1 - p])
            assert splitting_criterion("hinge", p, 1 - p) == 2 * misclassification([p, 1 - p])
            logistic = float(splitting_criterion("logistic", p, 1 - p))
            assert logistic == pytest.approx(math.log(2) * float(entropy([p, 1 - p])))

    @pytest.mark.parametrize(
        ("weights", "says"),
        [
            ([], "a number for each class"),
            (3, "a number for each class"),
            ([0, 0], "empty node"),
            ([[1, 2], [0, 0]], "empty node"),
            ([1, -1, 3], ">= 0, got -1"),
            (np.array([0.5, -0.5]), ">= 0"),
            ([Fraction(-1, 2), 1], ">= 0"),
            (np.array([np.nan, 1.0]), "finite"),
            (np.array([np.inf, 1.0]), "finite"),
        ],
    )
    def test_bad_weights_are_named(self, weights, says):
        for measure in (*IMPURITIES.values(), class_shares, majority_label):
            with pytest.raises(ValueError, match=says):
                measure(weights)

    def test_an_unknown_impurity_or_label_is_named(self):
        with pytest.raises(ValueError, match="'misclassification', 'gini', 'entropy'; got 'log_loss'"):
            find_impurity("log_loss")
        with pytest.raises(ValueError, match=r"label 0 \.\. 1, got 2"):
            leaf_error([1, 1], 2)
        assert find_impurity("gini") is find_impurity(gini) is gini


class TestSlopes:
    @pytest.mark.parametrize(("measure", "slope"), [(gini, gini_slope), (entropy, entropy_slope)])
    def test_slopes_are_limits_of_quotients(self, measure, slope):
        p, step = np.array([0.2, 0.5, 0.3]), 1e-6
        for i, j in itertools.permutations(range(3), 2):
            way = step * (np.eye(3)[i] - np.eye(3)[j])
            quotient = (measure(p + way) - measure(p - way)) / (2 * step)
            assert float(slope(p[i], p[j])) == pytest.approx(quotient, abs=1e-6)

    def test_slopes_of_exact_shares(self):
        assert gini_slope(Fraction(1, 8), Fraction(1, 2)) == Fraction(3, 4)
        assert entropy_slope(Fraction(1, 8), Fraction(1, 2)) == 2
        assert entropy_slope(np.array([0.25, 0.5]), 0.5).tolist() == [1, 0]


class TestGains:
    def test_the_example_of_the_page(self):
        children = [[7, 1], [3, 3]]
        assert split_gain("gini", children) == Fraction(27, 392)
        assert split_gain("misclassification", children) == 0
        assert split_gain(misclassification, [[10, 0], [0, 4]]) == Fraction(2, 7)

    def test_pure_children_gain_all(self):
        for k in (2, 4):
            for measure in IMPURITIES.values():
                assert split_gain(measure, np.eye(k, dtype=int)) == measure([1] * k)

    def test_one_child_gains_nothing(self):
        assert split_gain("gini", [[3, 4]]) == 0

    @settings(max_examples=30, deadline=None)
    @given(seeds)
    def test_the_gain_word_by_word(self, seed):
        rng = np.random.default_rng(seed)
        children = rng.integers(1, 9, (3, rng.integers(2, 5), 4))
        for name, measure in IMPURITIES.items():
            many = split_gain(name, children.astype(float))
            for node, gain in zip(children, many, strict=True):
                left = sum(measure(child) * Fraction(int(child.sum()), int(node.sum())) for child in node)
                assert float(measure(node.sum(axis=0)) - left) == pytest.approx(gain, abs=1e-12)
                assert float(split_gain(name, node)) == pytest.approx(gain, abs=1e-12)

    def test_it_takes_no_flat_list_and_no_empty_child(self):
        with pytest.raises(ValueError, match="a row for each child"):
            split_gain("gini", [3, 4])
        with pytest.raises(ValueError, match="empty node"):
            split_gain("gini", [[3, 4], [0, 0]])

    def test_all_splits_of_a_node_each_once(self):
        found = list(integer_splits([2, 2]))
        assert len(found) == len({frozenset(pair) for pair in found}) == 4
        assert all(tuple(np.add(*pair)) == (2, 2) and all(map(sum, pair)) for pair in found)
        assert ((1, 1), (1, 1)) in found


class TestBounds:
    def test_the_first_linear_bound_is_twice_gini(self):
        for impurity in (Fraction(0), Fraction(1, 3), Fraction(9, 10)):
            assert entropy_bound(impurity, 1) == 2 * impurity
        assert entropy_bound(np.array([0.1, 0.4]), 1).tolist() == pytest.approx([0.2, 0.8])

    @pytest.mark.parametrize("j", [1, 2, 3, 7])
    def test_each_bound_is_exact_at_two_uniform_vectors(self, j):
        for size in (j, j + 1):
            assert float(entropy_bound(1 - Fraction(1, size), j)) == pytest.approx(math.log2(size), abs=1e-12)

    def test_the_least_entropy_is_the_largest_bound(self):
        for impurity in np.linspace(0, 0.94, 95):
            bounds = [float(entropy_bound(impurity, j)) for j in range(1, 30)]
            assert float(least_entropy(impurity)) == pytest.approx(max(bounds), abs=1e-9)
        assert float(least_entropy(Fraction(7, 8))) == pytest.approx(3)

    def test_no_random_node_is_below_it(self):
        rng = np.random.default_rng(1)
        for k in (2, 3, 6):
            points = rng.dirichlet(np.full(k, 0.4), 300)
            least = np.array([float(least_entropy(impurity)) for impurity in gini(points)])
            assert (entropy(points) >= least - 1e-9).all()

    def test_the_range_of_gini_by_enumeration(self):
        ends: dict[Fraction, list[Fraction]] = {}
        for counts in count_vectors(12, 3):
            ends.setdefault(misclassification(counts), []).append(gini(counts))
        for error, found in ends.items():
            assert least_gini(error) <= min(found)
            assert max(found) <= largest_gini(error, 3)
        # With the denominator 12 both ends are met at these errors.
        assert min(ends[Fraction(1, 2)]) == least_gini(Fraction(1, 2)) == Fraction(1, 2)
        assert max(ends[Fraction(1, 2)]) == largest_gini(Fraction(1, 2), 3) == Fraction(5, 8)

    @pytest.mark.parametrize("k", [2, 3, 5])
    def test_both_ends_are_attained(self, k):
        for error in (Fraction(0), Fraction(1, 7), Fraction(k - 1, k)):
            least, most = least_mixed_shares(error, k), most_mixed_shares(error, k)
            for shares in (least, most):
                assert len(shares) == k
                assert shares.sum() == 1
                assert misclassification(shares) == error
            assert (gini(least), gini(most)) == (least_gini(error), largest_gini(error, k))

    def test_gains_bound_one_another(self):
        assert gini_gain_bound(Fraction(1, 4), Fraction(1, 2)) == Fraction(1, 8)
        assert gini_gain_bound(Fraction(1, 4), Fraction(1, 4)) == Fraction(1, 6)
        assert float(entropy_gain_bound(Fraction(1, 2))) == pytest.approx(0.5 / math.log(2))
        assert entropy_gain_bound(np.array([1.0, 2.0])) == pytest.approx([1 / math.log(2), 2 / math.log(2)])

    @pytest.mark.parametrize(
        ("call", "says"),
        [
            (lambda: entropy_bound(0.5, 0), "n_points >= 1"),
            (lambda: least_entropy(1), "gini_impurity < 1, got 1"),
            (lambda: least_entropy(-0.1), "gini_impurity >= 0"),
            (lambda: least_gini(1), "error < 1"),
            (lambda: largest_gini(Fraction(2, 3), 2), "error <= 1/2"),
            (lambda: largest_gini(0.1, 1), "at least 2 classes"),
            (lambda: gini_gain_bound(0.1, 1), "share < 1"),
            (lambda: most_mixed_shares(Fraction(3, 4), 3), "error <= 2/3"),
            (lambda: least_mixed_shares(Fraction(-1, 4), 3), "0 <= error"),
            (lambda: uniform_shares(0), "at least 1 classes"),
        ],
    )
    def test_what_is_no_node_is_named(self, call, says):
        with pytest.raises(ValueError, match=says):
            call()


class TestThresholds:
    def test_a_feature_by_hand(self):
        found = threshold_splits([5.0, 1.0, 3.0, 3.0], [1, 0, 0, 1], 2)
        assert found.thresholds.tolist() == [2.0, 4.0]
        assert found.children.tolist() == [[[1, 0], [1, 2]], [[2, 1], [0, 1]]]

    def test_a_constant_feature_offers_no_split(self):
        found = threshold_splits(np.ones(4), [0, 1, 2, 0], 3)
        assert found.thresholds.shape == (0,)
        assert found.children.shape == (0, 2, 3)

    @settings(max_examples=20, deadline=None)
    @given(seeds)
    def test_counts_are_those_of_the_comparison(self, seed):
        rng = np.random.default_rng(seed)
        values, y = rng.integers(0, 6, 25) / 2, rng.integers(0, 4, 25)
        for threshold, (below, above) in zip(*threshold_splits(values, y, 4), strict=True):
            assert below.tolist() == np.bincount(y[values <= threshold], minlength=4).tolist()
            assert above.tolist() == np.bincount(y[values > threshold], minlength=4).tolist()

    @pytest.mark.parametrize("criterion", ["gini", "entropy"])
    def test_the_best_split_of_the_digits_is_scikit_learns(self, criterion):
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

    def test_xor_offers_no_gain(self):
        X, y = xor_sample()
        assert sorted(map(tuple, X)) == sorted(itertools.product((-1, 1), repeat=2))
        for feature, name in itertools.product(X.T, IMPURITIES):
            assert split_gain(name, threshold_splits(feature, y, 2).children).tolist() == [0]

    @pytest.mark.parametrize(
        ("values", "y", "says"),
        [
            ([1.0, np.nan], [0, 1], "finite values"),
            ([1.0, 2.0], [0], "same number of rows"),
            ([1.0, 2.0], [0, 2], r"labels 0 \.\. 1"),
        ],
    )
    def test_bad_samples_are_named(self, values, y, says):
        with pytest.raises(ValueError, match=says):
            threshold_splits(values, y, 2)
