"""What the checks let pass, what they refuse, and that they say what to do."""

from fractions import Fraction

import flint
import numpy as np
import pytest
import scipy.sparse as sp
import sympy

from mcbook.foundation import checks
from mcbook.foundation.proof import Known, Tier
from mcbook.foundation.vocabulary import PredictionTies


def refused(message, check, values, *arguments, **options):
    for value in values:
        with pytest.raises(ValueError, match=message):
            check(value, *arguments, **options)


def test_every_kind_of_number_passes_and_comes_back():
    ball = flint.arb(1).union(flint.arb(3))
    symbol = sympy.Symbol("x")
    for value in (1, 0.5, Fraction(1, 2), np.array([1.0, 2.0]), [1, 2], ball, Known(1, 3, Tier.EXACT), symbol):
        assert checks.require_positive(value, "x") is value
    over_0 = flint.arb(0).union(flint.arb(1))
    bad = [0, -1.0, np.nan, np.array([1.0, 0.0]), [1, 0], over_0, Known(0, 1, Tier.EXACT), "a", None, ["a"]]
    negative = sympy.Symbol("n", negative=True)
    refused("expected C > 0, got .*: it is a cost", checks.require_positive, [*bad, negative], "C", "it is a cost")


def test_limits_of_ranges():
    assert checks.require_nonnegative(0, "x") == 0
    assert checks.require_at_least(2, 2, "x") == checks.require_at_most(2, 2, "x") == 2
    refused("expected x", checks.require_nonnegative, [-1], "x")
    refused("expected x", checks.require_at_least, [1.9], 2, "x")
    refused("expected x", checks.require_at_most, [2.1], 2, "x")
    half = Fraction(1, 2)
    assert [checks.require_share(p, "p") for p in (0, 1)] == [0, 1]
    assert checks.require_share(half, "delta", zero=False, one=False) is half
    for value, open_ends in ((0, {"zero": False}), (1, {"one": False}), (-0.1, {}), (1.1, {}), (np.nan, {})):
        refused(r"0 <=? p <=? 1", checks.require_share, [value], "p", **open_ends)


def test_whole_numbers_and_words():
    assert type(checks.require_whole(np.int64(3), "m")) is int
    assert checks.require_whole(3.0, "m", at_least=3) == 3
    refused("expected a whole number m", checks.require_whole, [2.5, "3", None, np.inf, np.nan], "m")
    refused("m >= 1, got 0", checks.require_whole, [0], "m", at_least=1)
    assert checks.require_one_of("last", PredictionTies, "ties") == "last"
    words = ["margin", None, np.array(["first"])]
    refused("ties to be one of 'first', 'last'; got", checks.require_one_of, words, PredictionTies, "ties")


def test_labels():
    for y in ([0, 1, 1], [0.0, 1.0], np.array([True, False]), np.array([0, 1], dtype=object)):
        labels = checks.require_labels(y, 2)
        assert labels.dtype == np.int64
        assert labels.tolist() == [int(label) for label in y]
    assert checks.require_labels([7]).tolist() == [7]
    refused(
        r"expected labels 0 .. 1 as integers, got strings such as b?'a': encode them first \(numpy.unique",
        checks.require_labels,
        [["a", "b"], np.array(["a", "b"], dtype=object), np.array([b"a"])],
        2,
    )
    bad = [[0, 2], [-1, 0], [0.5], [np.nan], [None], [1e30]]
    refused(r"expected labels 0 .. 1 as integers, got \[", checks.require_labels, bad, 2)
    refused("integers from 0", checks.require_labels, [[-1]])
    refused("shape", checks.require_labels, [[[0]]])


def test_signs():
    assert checks.require_signs([1.0, -1.0]).dtype == np.int64
    assert checks.require_signs([[1, 0]], zero=True).tolist() == [[1, 0]]
    refused(r"expected signs -1, \+1, got", checks.require_signs, [[0, 1], [2], ["a"], [0.5], [np.nan]])
    # Of many entries the first ten are shown.
    for n, end in ((10, r"2\]"), (11, r"2, \.\.\.\]")):
        refused(r"got \[" + "2, " * 9 + end, checks.require_signs, [np.full(n, 2)])


def test_classes():
    assert checks.require_classes(np.int64(2)) == 2
    refused(r"at least 2 classes|whole number n_classes", checks.require_classes, [1, 2.5])
    checks.require_two_classes([0, 1], exactly=True)
    refused(r"1 class only: \['a'\]", checks.require_two_classes, [np.array(["a"])])
    refused("Only binary classification is supported", checks.require_two_classes, [[0, 1, 2]], exactly=True)


def test_a_matrix_is_float64_in_c_order_or_exact():
    matrix = checks.require_matrix(np.asfortranarray(np.ones((2, 3), dtype=np.float32)))
    assert matrix.dtype == np.float64
    assert matrix.flags.c_contiguous
    exact = checks.require_matrix(np.array([[1, Fraction(1, 2)]], dtype=object), exact=True)
    assert exact.tolist() == [[1, Fraction(1, 2)]]
    bad = [[1, 2], [[]], np.ones((2, 2, 1)), 3.0, [["a"]], sp.eye_array(2), [[1], [2, 3]]]
    refused(r"expected X \(n_samples, n_features\)", checks.require_matrix, bad)
    refused("expected finite entries of X, got NaN or infinity: impute", checks.require_matrix, [[[np.nan]]])
    assert np.isnan(checks.require_matrix([[np.nan]], finite=False)).all()


def test_samples_go_together():
    X, y = checks.require_sample([[1, 2], [3, 4]], [0.0, 1.0], 2)
    assert (X.dtype, y.dtype) == (np.float64, np.int64)
    assert checks.require_signed_sample([[1.0]], [-1])[1].tolist() == [-1]
    refused("rows in X and y, got 1 and 2", checks.require_sample, [[[1.0]]], [0, 1], 2)
    refused("rows in X and signs, got 1 and 2", checks.require_signed_sample, [[[1.0]]], [-1, 1])
    checks.require_same_length(X=sp.csr_array(np.ones((2, 1))), y=[0, 1])


def test_weights_and_probabilities():
    assert checks.require_weights(None, 2).tolist() == [1, 1]
    assert checks.require_weights([0, 2], 2).tolist() == [0, 2]
    refused("2 finite numbers >= 0", checks.require_weights, [[1], [-1, 1], [np.nan, 1], [np.inf, 1]], 2)
    refused("only zeros", checks.require_weights, [[0, 0]], 2)
    assert checks.require_probabilities([0.1] * 10).sum() == pytest.approx(1)
    halves = [Fraction(1, 2)] * 2
    assert checks.require_exact_probabilities(halves, 2).tolist() == halves
    bad = [[0.5, 0.6], [-0.5, 1.5], [], [[1.0]], [np.nan, 1], ["a"]]
    refused("sum to 1", checks.require_probabilities, bad)
    refused("sum to 1", checks.require_exact_probabilities, [[0.1] * 10])
    refused("each of 3 atoms, got 1", checks.require_probabilities, [[1]], 3)
