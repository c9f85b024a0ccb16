"""What the checks let pass, what they refuse, and that they say what to do."""

from __future__ import annotations

from fractions import Fraction

import flint
import numpy as np
import pytest
import scipy.sparse as sp
import sympy

from mcbook.foundation import checks
from mcbook.foundation.proof import Known, Tier
from mcbook.foundation.vocabulary import PredictionTies

BALL = flint.arb(1).union(flint.arb(3))


class TestNumbers:
    @pytest.mark.parametrize(
        "value", [1, 0.5, Fraction(1, 2), np.array([1.0, 2.0]), [1, 2], BALL, Known(1, 3, Tier.EXACT)]
    )
    def test_every_kind_passes_and_comes_back(self, value):
        assert checks.require_positive(value, "x") is value

    @pytest.mark.parametrize(
        "value",
        [0, -1.0, np.nan, np.array([1.0, 0.0]), [1, 0], flint.arb(0).union(flint.arb(1)), Known(0, 1, Tier.EXACT)],
    )
    def test_what_is_not_known_to_be_positive_is_refused(self, value):
        with pytest.raises(ValueError, match=r"expected C > 0, got .*: it is a price"):
            checks.require_positive(value, "C", "it is a price")

    def test_the_limits_belong_to_the_range_or_not(self):
        assert checks.require_nonnegative(0, "x") == 0
        assert checks.require_at_least(2, 2, "x") == 2
        assert checks.require_at_most(2, 2, "x") == 2
        for refused in (
            lambda: checks.require_nonnegative(-1, "x"),
            lambda: checks.require_at_least(1.9, 2, "x"),
            lambda: checks.require_at_most(2.1, 2, "x"),
        ):
            with pytest.raises(ValueError, match="expected x"):
                refused()

    def test_shares_with_open_and_closed_ends(self):
        assert checks.require_share(0, "p") == 0
        assert checks.require_share(1, "p") == 1
        half = Fraction(1, 2)
        assert checks.require_share(half, "delta", zero=False, one=False) is half
        for value, open_ends in ((0, {"zero": False}), (1, {"one": False}), (-0.1, {}), (1.1, {}), (np.nan, {})):
            with pytest.raises(ValueError, match=r"0 <=? p <=? 1"):
                checks.require_share(value, "p", **open_ends)

    def test_of_a_symbol_only_what_it_excludes_is_refused(self):
        x, negative = sympy.Symbol("x"), sympy.Symbol("n", negative=True)
        assert checks.require_positive(x, "x") is x
        with pytest.raises(ValueError, match="expected x > 0, got n"):
            checks.require_positive(negative, "x")

    @pytest.mark.parametrize("value", ["a", None, ["a"]])
    def test_what_is_no_number_is_refused(self, value):
        with pytest.raises(ValueError, match="expected x > 0"):
            checks.require_positive(value, "x")

    def test_whole_numbers(self):
        assert type(checks.require_whole(np.int64(3), "m")) is int
        assert checks.require_whole(3.0, "m", at_least=3) == 3
        for value in (2.5, "3", None, np.inf, np.nan):
            with pytest.raises(ValueError, match="expected a whole number m"):
                checks.require_whole(value, "m")
        with pytest.raises(ValueError, match="m >= 1, got 0"):
            checks.require_whole(0, "m", at_least=1)

    def test_words_from_a_collection_or_a_type(self):
        assert checks.require_one_of("last", PredictionTies, "ties") == "last"
        for value in ("margin", None, np.array(["first"])):
            with pytest.raises(ValueError, match="ties to be one of 'first', 'last'; got"):
                checks.require_one_of(value, PredictionTies, "ties")


class TestLabels:
    @pytest.mark.parametrize("y", [["a", "b"], np.array(["a", "b"], dtype=object), np.array([b"a"])])
    def test_strings_are_told_how_to_be_encoded(self, y):
        message = r"expected labels 0 .. 1 as integers, got strings such as b?'a': encode them first \(numpy.unique"
        with pytest.raises(ValueError, match=message):
            checks.require_labels(y, 2)

    @pytest.mark.parametrize("y", [[0, 1, 1], [0.0, 1.0], np.array([True, False]), np.array([0, 1], dtype=object)])
    def test_whole_numbers_of_any_type_become_int64(self, y):
        labels = checks.require_labels(y, 2)
        assert labels.dtype == np.int64
        assert labels.tolist() == [int(label) for label in y]

    @pytest.mark.parametrize("y", [[0, 2], [-1, 0], [0.5], [np.nan], [None], [1e30]])
    def test_others_are_refused(self, y):
        with pytest.raises(ValueError, match=r"expected labels 0 .. 1 as integers, got \["):
            checks.require_labels(y, 2)

    def test_without_a_number_of_classes_every_label_from_0_passes(self):
        assert checks.require_labels([7]).tolist() == [7]
        with pytest.raises(ValueError, match="integers from 0"):
            checks.require_labels([-1])
        with pytest.raises(ValueError, match="shape"):
            checks.require_labels([[0]])

    def test_signs(self):
        assert checks.require_signs([1.0, -1.0]).dtype == np.int64
        assert checks.require_signs([[1, 0]], zero=True).tolist() == [[1, 0]]
        for bad in ([0, 1], [2], ["a"], [0.5], [np.nan]):
            with pytest.raises(ValueError, match=r"expected signs -1, \+1, got"):
                checks.require_signs(bad)

    def test_of_many_entries_the_first_ten_are_shown(self):
        for n, end in ((10, "2]"), (11, "2, ...]")):
            with pytest.raises(ValueError, match="got") as caught:
                checks.require_signs(np.full(n, 2))
            assert str(caught.value).split("got ")[1].startswith("[" + "2, " * 9 + end)

    def test_classes(self):
        assert checks.require_classes(np.int64(2)) == 2
        for bad in (1, 2.5):
            with pytest.raises(ValueError, match=r"at least 2 classes|whole number n_classes"):
                checks.require_classes(bad)
        with pytest.raises(ValueError, match=r"1 class only: \['a'\]"):
            checks.require_two_classes(np.array(["a"]))
        checks.require_two_classes([0, 1], exactly=True)
        with pytest.raises(ValueError, match="Only binary classification is supported"):
            checks.require_two_classes([0, 1, 2], exactly=True)


class TestArrays:
    def test_a_matrix_is_float64_in_c_order_or_exact(self):
        given = np.asfortranarray(np.ones((2, 3), dtype=np.float32))
        matrix = checks.require_matrix(given)
        assert matrix.dtype == np.float64
        assert matrix.flags.c_contiguous
        exact = checks.require_matrix(np.array([[1, Fraction(1, 2)]], dtype=object), exact=True)
        assert exact.tolist() == [[1, Fraction(1, 2)]]

    @pytest.mark.parametrize("X", [[1, 2], [[]], np.ones((2, 2, 1)), 3.0])
    def test_other_shapes_are_refused(self, X):
        with pytest.raises(ValueError, match=r"expected X \(n_samples, n_features\)"):
            checks.require_matrix(X)

    @pytest.mark.parametrize("X", [[["a"]], sp.eye_array(2), [[1], [2, 3]]])
    def test_what_is_no_matrix_of_numbers_is_refused(self, X):
        with pytest.raises(ValueError, match=r"expected X \(n_samples, n_features\)"):
            checks.require_matrix(X)

    def test_infinite_entries_are_refused_unless_allowed(self):
        with pytest.raises(ValueError, match="expected finite entries of X, got NaN or infinity: impute"):
            checks.require_matrix([[np.nan]])
        assert np.isnan(checks.require_matrix([[np.nan]], finite=False)).all()

    def test_samples_go_together(self):
        X, y = checks.require_sample([[1, 2], [3, 4]], [0.0, 1.0], 2)
        assert (X.dtype, y.dtype) == (np.float64, np.int64)
        assert checks.require_signed_sample([[1.0]], [-1])[1].tolist() == [-1]
        with pytest.raises(ValueError, match="rows in X and y, got 1 and 2"):
            checks.require_sample([[1.0]], [0, 1], 2)
        with pytest.raises(ValueError, match="rows in X and signs, got 1 and 2"):
            checks.require_signed_sample([[1.0]], [-1, 1])
        checks.require_same_length(X=sp.csr_array(np.ones((2, 1))), y=[0, 1])

    def test_weights(self):
        assert checks.require_weights(None, 2).tolist() == [1, 1]
        assert checks.require_weights([0, 2], 2).tolist() == [0, 2]
        for bad in ([1], [-1, 1], [np.nan, 1], [np.inf, 1]):
            with pytest.raises(ValueError, match="2 finite numbers >= 0"):
                checks.require_weights(bad, 2)
        with pytest.raises(ValueError, match="only zeros"):
            checks.require_weights([0, 0], 2)

    def test_probabilities(self):
        assert checks.require_probabilities([0.1] * 10).sum() == pytest.approx(1)
        halves = checks.require_exact_probabilities([Fraction(1, 2), Fraction(1, 2)], 2)
        assert halves.tolist() == [Fraction(1, 2), Fraction(1, 2)]
        for bad in ([0.5, 0.6], [-0.5, 1.5], [], [[1.0]], [np.nan, 1], ["a"]):
            with pytest.raises(ValueError, match="sum to 1"):
                checks.require_probabilities(bad)
        with pytest.raises(ValueError, match="sum to 1"):
            checks.require_exact_probabilities([0.1] * 10)
        with pytest.raises(ValueError, match="each of 3 atoms, got 1"):
            checks.require_probabilities([1], 3)
