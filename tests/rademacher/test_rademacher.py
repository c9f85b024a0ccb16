"""Rademacher complexity: enumeration, grids of integers, finite distributions, estimates, bounds."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mcbook.rademacher.algorithm.enumeration as enumeration
from mcbook.foundation.numbers import rational
from mcbook.foundation.proof import Known, Tier
from mcbook.rademacher import (
    average_complexity,
    block_class,
    bounded_differences_tail,
    confidence_term,
    contraction_bound,
    deviation_distribution,
    exact_complexity,
    failure_probability,
    generalisation_bound,
    group_norm,
    hoeffding_exponent,
    hoeffding_tail,
    kernel_ball_complexity,
    kernel_complexity_bound,
    khinchine_bounds,
    linear_ball_complexity,
    lipschitz_constant,
    maxima_bound,
    maxima_class,
    monte_carlo_complexity,
    projected_class,
    projection_bound,
    sauer_bound,
    sauer_power_bound,
    squared_sums,
    vc_dimension,
)
from mcbook.rademacher.algorithm.distributions import bound_failure_probability
from mcbook.rademacher.algorithm.enumeration import on_grid

seeds = st.integers(0, 2**32 - 1)
FAIR, HALF = [Fraction(1, 2)] * 2, Fraction(1, 2)


def signs_of(m):
    return (np.array(signs) for signs in itertools.product((-1, 1), repeat=m))


def by_definition(values):
    """The mean over all sign vectors of the largest mean, in fractions."""
    m, exact = values.shape[1], rational(values)
    return Fraction(sum(max(exact @ signs) for signs in signs_of(m))) / m / 2**m


# Enumeration.


@settings(deadline=None, max_examples=40)
@given(seeds, st.integers(1, 6), st.integers(1, 7))
def test_complexities_of_integers_and_fractions_agree_with_the_definition(seed, n_functions, n_samples):
    values = np.random.default_rng(seed).integers(-9, 10, (n_functions, n_samples))
    expected, exact = by_definition(values), values.astype(object)
    for same in (values, values.astype(np.int8), exact):
        assert exact_complexity(same) == expected
    for factor in (Fraction(1, 3), 2**20, 2**35, 2**60):  # all widths of integers
        assert exact_complexity(exact * factor) == expected * factor
    assert exact_complexity(exact * 10**30 + 1) == expected * 10**30


@settings(deadline=None, max_examples=30)
@given(seeds)
def test_complexities_of_floats_are_bracketed_narrowly(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(5, 6)) * 10.0 ** rng.integers(-200, 200)
    found, truth = exact_complexity(values), by_definition(values)
    assert isinstance(found, Known)
    assert found.tier is Tier.EXACT
    assert found.lower <= truth <= found.upper
    grid = on_grid(values, 6)
    assert found.lower == by_definition(grid.integers * grid.unit) - grid.error
    assert found.upper - found.lower == grid.unit <= truth * Fraction(1, 10**10)


def test_more_signs_than_one_walk_of_the_kernel(monkeypatch):
    for n_samples in (17, 18, 20):
        # The first point tells the two functions apart: E max = 1 / m.
        pair = np.ones((2, n_samples), dtype=int)
        pair[1, 0] = -1
        assert exact_complexity(pair) == Fraction(1, n_samples)
    rng = np.random.default_rng(0)
    for n_low, size in itertools.product((0, 1, 3), (9, 2**46)):
        monkeypatch.setattr(enumeration, "_LOW_SIGNS", n_low)
        values = rng.integers(-size, size, (4, 5))
        assert exact_complexity(values) == by_definition(values)


@settings(deadline=None, max_examples=25)
@given(seeds, st.integers(1, 7), st.integers(1, 3))
def test_complexities_of_balls_agree_with_the_definition(seed, n_samples, n_features):
    X = np.random.default_rng(seed).normal(size=(n_samples, n_features))
    found = linear_ball_complexity(X, 3)
    assert found.middle == pytest.approx(
        3 * np.mean([np.linalg.norm(s @ X) for s in signs_of(n_samples)]) / n_samples, rel=1e-9
    )
    assert float(found.upper - found.lower) <= 1e-4 * found.middle


def test_squared_sums_are_right_to_their_error():
    K = np.array([[2, 1, 0], [1, 3, -1], [0, -1, 5]])
    expected = sorted(int(np.array([*s, 1]) @ K @ np.array([*s, 1])) for s in signs_of(2))
    for factor in (1, Fraction(1, 9), 10**20):
        found = squared_sums(K.astype(object) * factor)
        assert sorted(Fraction(int(q)) * found.scale**2 for q in found.integers) == [v * factor for v in expected]
    X = np.random.default_rng(0).normal(size=(4, 2))
    K = (X @ X.T + (X @ X.T).T) / 2
    found, exact = squared_sums(K), rational(K)
    true = sorted(np.array([*s, 1]) @ exact @ np.array([*s, 1]) for s in signs_of(3))
    near = sorted(int(value) * found.scale**2 for value in found.integers)
    assert all(abs(a - b) <= found.error * found.scale**2 for a, b in zip(true, near, strict=True))
    # Each of 16 entries is off by half a unit; of 9 entries half a unit each is rounded up.
    assert found.error == 8
    assert squared_sums(np.diag([0.1, 0.2, 0.3])).error == 5
    assert squared_sums(K, rounding=False).error == 0
    nearly = np.array([[1 / 3, 1 / 3 + 1e-17], [1 / 3 + 1e-17, 1 / 3]])
    assert squared_sums(nearly).integers.min() >= -squared_sums(nearly).error


# Grids.


def test_whole_numbers_and_fractions_have_the_grid_of_their_common_denominator():
    for table in (np.array([[3, -4]]), np.array([[3.0, -4.0]]), np.array([[True, False]])):
        grid = on_grid(table, 2)
        assert (grid.unit, grid.error) == (1, 0)
        assert grid.integers.tolist() == [[int(value) for value in table[0]]]
    table = np.array([[Fraction(1, 4), Fraction(-5, 6)]], dtype=object)
    grid, squared = on_grid(table, 2), on_grid(table, 2, square=True)
    assert (grid.integers.tolist(), grid.unit, grid.error) == ([[3, -10]], Fraction(1, 12), 0)
    assert (squared.integers.tolist(), squared.unit, squared.error) == ([[36, -120]], Fraction(1, 144), 0)


@pytest.mark.parametrize("square", [False, True])
@pytest.mark.parametrize(("largest", "n_terms"), [(0.1, 3), (0.3, 1), (7.7, 10), (1e-9, 4), (1.3 * 2.0**60, 2)])
def test_floats_are_rounded_as_finely_as_sums_of_them_fit(largest, n_terms, square):
    table = np.array([[largest, -largest / 3, 0.0]])
    grid = on_grid(table, n_terms, square=square)
    off = [abs(i * grid.unit - Fraction(v)) for i, v in zip(grid.integers[0].tolist(), table[0], strict=True)]
    assert max(off) <= grid.error == grid.unit / 2
    most = n_terms * Fraction(largest) / grid.unit
    # One binary digit more would not fit; with a square root of the unit it may be one less.
    assert 2 ** (43 if square else 44) <= most <= 2**45
    power = grid.unit.denominator.bit_length() - grid.unit.numerator.bit_length()
    assert Fraction(2) ** -power == grid.unit
    assert not (square and power % 2)


# Finite distributions.


@settings(deadline=None, max_examples=20)
@given(seeds, st.integers(1, 4))
def test_the_average_is_that_over_ordered_samples(seed, n_samples):
    values = np.random.default_rng(seed).integers(-3, 4, (3, 3)) * HALF
    distribution = [HALF, Fraction(1, 3), Fraction(1, 6)]
    expected = sum(
        math.prod((distribution[a] for a in sample), start=Fraction(1)) * exact_complexity(values[:, list(sample)])
        for sample in itertools.product(range(3), repeat=n_samples)
    )
    assert average_complexity(values, distribution, n_samples) == expected


def test_one_fair_indicator_deviates_like_a_binomial():
    distribution = sorted(deviation_distribution([[0, 1]], FAIR, 3))
    assert distribution == [(Fraction(n, 6), Fraction(w, 8)) for n, w in ((-3, 1), (-1, 3), (1, 3), (3, 1))]
    # Failure is strictly above the threshold, and one that cannot be told apart from a value gives a bracket.
    assert failure_probability([[0, 1]], FAIR, 3, Fraction(1, 6)) == Fraction(1, 8)
    assert failure_probability([[0, 1]], FAIR, 3, Fraction(1, 7)) == HALF
    assert failure_probability([[0, 1]], FAIR, 3, Fraction(0), means=[Fraction(2)]) == 1
    unclear = failure_probability([[0, 1]], FAIR, 3, 1 / 6)
    assert (unclear.lower, unclear.upper) == (Fraction(1, 8), HALF)


def test_a_bound_fails_where_its_value_at_the_average_is_exceeded():
    # Means 1/2 and averages 0, 1/3, 2/3, 1 with weights 1, 3, 3, 1 of 8; the second function's mean is always 1.
    assert bound_failure_probability([[0, 1]], FAIR, 3, lambda average: 2 * average) == Fraction(1, 8)
    assert bound_failure_probability([[0, 1]], FAIR, 3, lambda average: average) == HALF
    assert bound_failure_probability([[0, 1], [1, 1]], FAIR, 3, lambda average: average / 2) == 1
    unclear = bound_failure_probability([[0, 1]], FAIR, 3, lambda average: 1.5 * float(average))
    assert (unclear.lower, unclear.upper) == (Fraction(1, 8), HALF)


# Estimates.


def test_the_limits_of_an_estimate_are_those_of_bounded_differences():
    values = np.array([[0.0, 1.0, -2.0], [1.0, 1.0, 0.0], [0.5, 3.0, 0.0]])
    found = monte_carlo_complexity(values, 50, np.random.default_rng(0), confidence=0.9)
    sums = values @ (2 * np.random.default_rng(0).integers(0, 2, (3, 50), dtype=np.int8) - 1.0)
    assert found.estimate == pytest.approx((sums.max(axis=0) - sums.min(axis=0)).mean() / 6)
    half = math.sqrt((1 + 4 + 4) * math.log(2 / 0.1) / (2 * 50)) / 3
    assert found.upper == pytest.approx(found.estimate + half)
    assert found.lower == pytest.approx(max(0, found.estimate - half))
    assert monte_carlo_complexity(values, 5000, np.random.default_rng(0)).lower > 0


def test_a_stream_and_pieces_give_what_the_matrix_gives(monkeypatch):
    values = np.random.default_rng(1).normal(size=(50, 70))
    whole = monte_carlo_complexity(values, 33, np.random.default_rng(2))
    parts = [monte_carlo_complexity(lambda: np.array_split(values, 7), 33, np.random.default_rng(2))]
    for piece in ("_VALUES_PIECE", "_SIGNS_PIECE"):
        for size in (3, 150):  # rows longer than a piece, and pieces of some rows
            with monkeypatch.context() as changed:
                changed.setattr(f"mcbook.rademacher.algorithm.monte_carlo.{piece}", size)
                parts.append(monte_carlo_complexity(values, 33, np.random.default_rng(2)))
    for part in parts:
        assert (part.estimate, part.upper) == pytest.approx((whole.estimate, whole.upper), rel=1e-12)


# Classes and bounds.


def estimated(values, n_draws=5, confidence=0.9):
    return monte_carlo_complexity(values, n_draws, np.random.default_rng(0), confidence)


NAN, POINT = float("nan"), np.ones((1, 2))
# A function, and what it says of each of some arguments.
REFUSED = [
    (exact_complexity, {"shape": [np.ones(3)], "at least one function": [np.ones((0, 3))], "NaN": [[[np.nan, 1.0]]]}),
    (exact_complexity, {"monte_carlo_complexity": [np.ones((2, 31))]}),
    (kernel_ball_complexity, {"symmetric": [np.ones((2, 3))], "kernel_complexity_bound": [np.eye(27)]}),
    (kernel_ball_complexity, {"symmetric Gram": [[[1.0, 2.0], [0.0, 1.0]]], "semidefinite": [[[1, 2], [2, 1]]]}),
    (kernel_ball_complexity, {"positive semi": [[[1.0, 1.0 + 1e-9], [1.0 + 1e-9, 1.0]]], "radius": [np.eye(2), -1]}),
    (linear_ball_complexity, {"shape": [np.ones(3)], "finite": [np.array([[np.inf]])]}),
    (average_complexity, {"sum to 1": [[[0, 1]], [0.1, 0.2], 1], "each of 2 atoms": [[[0, 1]], [Fraction(1)], 1]}),
    (average_complexity, {"n_samples >= 1": [[[0, 1]], FAIR, 0]}),
    (deviation_distribution, {"one mean": [[[0, 1]], FAIR, 1, [1, 2]]}),
    (estimated, {"n_draws >= 1": [POINT, 0], "confidence < 1": [POINT, 5, 1.0], "0 < confidence": [POINT, 5, 0]}),
    (estimated, {"finite": [np.array([[np.inf, 0.0]])], "exact_complexity": [np.array([[Fraction(1)]])]}),
    (estimated, {"empty stream": [lambda: iter(())], "every block": [lambda: iter((POINT, np.ones((1, 3))))]}),
    (maxima_class, {"same sample": [POINT, np.ones((1, 3))]}),
    (block_class, {"n_classes >= 1": [0, 1], "block >= 1": [1, 0]}),
    (projected_class, {"n_hypotheses": [np.ones((2, 3))]}),
    (vc_dimension, {"two symbols": [[[0, 1, 2]]]}),
    (lipschitz_constant, {"two images": [[[0], [0]], [[1], [2]]], "image for every value": [[[0]], [[1, 2]]]}),
    (maxima_bound, {"at least one": [], ">= 0": [-1]}),
    (contraction_bound, {"complexity": [-1, 1], "lipschitz": [1, -1]}),
    (khinchine_bounds, {"coefficient": [[]]}),
    (sauer_bound, {"n_points >= 0": [-1, 1], "dimension >= 0": [1, -1]}),
    (sauer_power_bound, {"n_points >= 2": [1, 2], "dimension >= 1": [1, 0]}),
    (hoeffding_exponent, {"width": [1, -1]}),
    (hoeffding_tail, {"deviation": [-1, 10], "n_signs": [1, 0]}),
    (bounded_differences_tail, {"excess": [-1, [1]], "sum of squares": [1, [0, 0]]}),
    (confidence_term, {"delta": [0, 5], "delta <= 1": [1.5, 5], "0 < delta": [NAN, 5], "samples": [0.5, 0]}),
    (generalisation_bound, {"complexity": [0.5, -0.1, 0.5, 5]}),
    (projection_bound, {"largest_complexity": [-1, 1, 2, 5], "size": [0, -1, 2, 5]}),
    (projection_bound, {"n_classes": [0, 1, 0, 5], "n_samples": [0, 1, 1, 0]}),
    (kernel_complexity_bound, {"radius": [-1, 1, 5], "norm": [1, -1, 5], "n_samples": [1, 1, 0]}),
    (group_norm, {"p >= 1": [[1.0], 0.5], "length": [[-1.0], 2]}),
]


@pytest.mark.parametrize(("function", "cases"), REFUSED)
def test_bad_input_is_named(function, cases):
    for says, arguments in cases.items():
        with pytest.raises(ValueError, match=says):
            function(*arguments)


def test_projection_lists_every_score_as_a_function():
    scores = np.arange(12).reshape(2, 3, 2)
    assert projected_class(scores).tolist() == [[0, 2, 4], [1, 3, 5], [6, 8, 10], [7, 9, 11]]
