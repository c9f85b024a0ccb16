"""Rademacher complexity: enumeration, laws, estimates."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcbook.foundation.proof import Known, Tier
from mcbook.rademacher import (
    all_patterns,
    average_complexity,
    bound_failure_probability,
    deviation_law,
    exact_complexity,
    failure_probability,
    kernel_ball_complexity,
    linear_ball_complexity,
    monte_carlo_complexity,
    squared_sums,
)
from mcbook.rademacher.algorithm.enumeration import on_grid

seeds = st.integers(0, 2**32 - 1)


def by_definition(values):
    """The mean over all sign vectors of the largest mean, in fractions."""
    m = values.shape[1]
    exact = np.frompyfunc(Fraction, 1, 1)(values)
    suprema = (max(exact @ np.array(signs)) for signs in itertools.product((-1, 1), repeat=m))
    return Fraction(sum(suprema)) / m / 2**m


class TestExactComplexity:
    @settings(deadline=None, max_examples=40)
    @given(seeds, st.integers(1, 6), st.integers(1, 7))
    def test_integers_agree_with_the_definition(self, seed, n_functions, n_samples):
        values = np.random.default_rng(seed).integers(-9, 10, (n_functions, n_samples))
        expected = by_definition(values.astype(object))
        for same in (values, values.astype(np.int8), values.astype(object)):
            assert exact_complexity(same) == expected

    @settings(deadline=None, max_examples=20)
    @given(seeds)
    def test_fractions_and_numbers_beyond_64_bits(self, seed):
        values = np.random.default_rng(seed).integers(-9, 10, (4, 5)).astype(object)
        thirds = values * Fraction(1, 3)
        assert exact_complexity(thirds) == by_definition(thirds)
        assert exact_complexity(values * 10**30 + 1) == by_definition(values) * 10**30

    @settings(deadline=None, max_examples=30)
    @given(seeds)
    def test_floats_are_bracketed_narrowly(self, seed):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=(5, 6)) * 10.0 ** rng.integers(-200, 200)
        found, truth = exact_complexity(values), by_definition(values)
        assert isinstance(found, Known)
        assert found.tier is Tier.EXACT
        assert found.lower <= truth <= found.upper
        assert found.upper - found.lower <= truth * Fraction(1, 10**10)

    def test_floats_that_are_whole_are_exact(self):
        found = exact_complexity(np.array([[1.0, -1.0], [-1.0, 1.0]]))
        assert found.lower == found.upper == Fraction(1, 2)

    @pytest.mark.parametrize("n_samples", [17, 18, 20])
    def test_more_signs_than_one_walk_of_the_kernel(self, n_samples):
        # All signs of the first point free, the others fixed: E max = 1 / m.
        pair = np.ones((2, n_samples), dtype=int)
        pair[1, 0] = -1
        assert exact_complexity(pair) == Fraction(1, n_samples)
        assert exact_complexity(all_patterns(3).repeat(7, axis=1)[:, :n_samples]) == of_runs(n_samples)

    def test_all_widths_of_integers_agree(self):
        values = np.random.default_rng(0).integers(-9, 10, (3, 11)).astype(object)
        for factor in (2**20, 2**35, 2**60):
            assert exact_complexity(values * factor) == exact_complexity(values) * factor

    def test_one_function_and_all_functions(self):
        assert exact_complexity(np.arange(5)[None]) == 0
        assert exact_complexity(all_patterns(6)) == 1

    @pytest.mark.parametrize(
        ("values", "says"),
        [
            (np.ones(3), "shape"),
            (np.ones((0, 3)), "at least one function"),
            (np.ones((2, 31)), "monte_carlo_complexity"),
            (np.array([[np.nan, 1.0]]), "NaN"),
        ],
    )
    def test_bad_input_is_named(self, values, says):
        with pytest.raises(ValueError, match=says):
            exact_complexity(values)


def of_runs(n_samples):
    """Complexity of all patterns that are constant on runs of seven points: the mean lengths of the runs' walks."""
    lengths = [min(7, n_samples - start) for start in range(0, n_samples, 7)]
    return sum(Fraction(sum(math.comb(n, j) * abs(2 * j - n) for j in range(n + 1)), 2**n) for n in lengths) / n_samples


class TestBalls:
    @settings(deadline=None, max_examples=25)
    @given(seeds, st.integers(1, 7), st.integers(1, 3))
    def test_agrees_with_the_definition(self, seed, n_samples, n_features):
        X = np.random.default_rng(seed).normal(size=(n_samples, n_features))
        lengths = [np.linalg.norm(np.array(s) @ X) for s in itertools.product((-1, 1), repeat=n_samples)]
        found = linear_ball_complexity(X, 3)
        assert found.middle == pytest.approx(3 * np.mean(lengths) / n_samples, rel=1e-9)
        assert float(found.upper - found.lower) <= 1e-4 * found.middle

    def test_the_rounding_of_floats_is_inside_the_bracket(self):
        # One point, whose complexity is its length; the grid rounds its square by up to half of its last digit.
        for seed in range(40):
            t = np.random.default_rng(seed).random() + 1e-3
            found = kernel_ball_complexity(np.array([[t]]))
            assert Fraction(found.lower) ** 2 <= Fraction(t) <= Fraction(found.upper) ** 2
        # Halves of the last digit on either side of a square: 2^44 and a little more or less.
        for offset in (2.0**-45, -(2.0**-46)):
            t = 1.0 + offset * 0.75
            found = kernel_ball_complexity(np.array([[t]]))
            assert Fraction(found.lower) ** 2 <= Fraction(t) <= Fraction(found.upper) ** 2

    def test_rational_lengths_are_exact(self):
        assert kernel_ball_complexity(np.eye(4, dtype=int) * 9, 2) == Known(Fraction(3), Fraction(3), Tier.EXACT)
        scaled = kernel_ball_complexity(np.eye(4, dtype=object) * Fraction(1, 9), Fraction(1, 2))
        assert scaled.lower == scaled.upper == Fraction(1, 12)

    def test_squares_in_the_order_of_the_walk(self):
        K = np.array([[2, 1, 0], [1, 3, -1], [0, -1, 5]])
        expected = sorted(int(np.array([*s, 1]) @ K @ np.array([*s, 1])) for s in itertools.product((-1, 1), repeat=2))
        for gram in (K, K.astype(object) * 10**20):
            found = sorted(Fraction(int(q)) * squared_sums(gram).scale ** 2 for q in squared_sums(gram).integers)
            assert found == [value * (1 if gram is K else 10**20) for value in expected]

    @pytest.mark.parametrize(
        ("gram", "radius", "says"),
        [
            (np.ones((2, 3)), 1, "symmetric"),
            (np.array([[1.0, 2.0], [0.0, 1.0]]), 1, "symmetric"),
            (np.array([[1, 2], [2, 1]]), 1, "semidefinite"),
            (np.eye(2), -1, "radius"),
            (np.eye(27), 1, "kernel_complexity_bound"),
        ],
    )
    def test_bad_input_is_named(self, gram, radius, says):
        with pytest.raises(ValueError, match=says):
            kernel_ball_complexity(gram, radius)

    @pytest.mark.parametrize("X", [np.ones(3), np.array([[np.inf]])])
    def test_bad_features_are_named(self, X):
        with pytest.raises(ValueError, match=r"shape|finite"):
            linear_ball_complexity(X)


class TestLaws:
    @settings(deadline=None, max_examples=20)
    @given(seeds, st.integers(1, 4))
    def test_the_average_is_that_over_ordered_samples(self, seed, n_samples):
        rng = np.random.default_rng(seed)
        values = rng.integers(-3, 4, (3, 3)) * Fraction(1, 2)
        law = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
        expected = sum(
            math.prod((law[a] for a in sample), start=Fraction(1)) * exact_complexity(values[:, list(sample)])
            for sample in itertools.product(range(3), repeat=n_samples)
        )
        assert average_complexity(values, law, n_samples) == expected

    def test_one_fair_indicator_deviates_like_a_binomial(self):
        law = deviation_law([[0, 1]], [Fraction(1, 2)] * 2, 3)
        assert sorted(law) == [
            (Fraction(-1, 2), Fraction(1, 8)),
            (Fraction(-1, 6), Fraction(3, 8)),
            (Fraction(1, 6), Fraction(3, 8)),
            (Fraction(1, 2), Fraction(1, 8)),
        ]

    def test_repeated_atoms_and_functions_change_nothing(self):
        values, law = np.array([[0, 1, 1], [2, 0, 0], [0, 1, 1]]), [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
        assert average_complexity(values, law, 3) == average_complexity([[0, 1], [2, 0]], [Fraction(1, 2)] * 2, 3)

    def test_a_bound_fails_where_its_value_at_the_average_is_exceeded(self):
        fair = [Fraction(1, 2)] * 2
        # Means 1/2 and averages 0, 1/3, 2/3, 1 with weights 1, 3, 3, 1 of 8; the second function's mean is always 1.
        assert bound_failure_probability([[0, 1]], fair, 3, lambda average: 2 * average) == Fraction(1, 8)
        assert bound_failure_probability([[0, 1]], fair, 3, lambda average: average) == Fraction(1, 2)
        assert bound_failure_probability([[0, 1], [1, 1]], fair, 3, lambda average: average / 2) == 1
        unclear = bound_failure_probability([[0, 1]], fair, 3, lambda average: 1.5 * float(average))
        assert (unclear.lower, unclear.upper) == (Fraction(1, 8), Fraction(1, 2))

    def test_failure_is_strictly_above_the_threshold(self):
        fair = [Fraction(1, 2)] * 2
        assert failure_probability([[0, 1]], fair, 3, Fraction(1, 6)) == Fraction(1, 8)
        assert failure_probability([[0, 1]], fair, 3, Fraction(1, 7)) == Fraction(1, 2)
        assert failure_probability([[0, 1]], fair, 3, Fraction(0), means=[Fraction(2)]) == 1

    def test_a_threshold_that_cannot_be_told_apart_gives_a_bracket(self):
        found = failure_probability([[0, 1]], [Fraction(1, 2)] * 2, 3, 1 / 6)
        assert (found.lower, found.upper) == (Fraction(1, 8), Fraction(1, 2))

    @pytest.mark.parametrize(
        ("probabilities", "m", "says"),
        [
            ([0.1, 0.2], 1, "sum to 1"),
            ([Fraction(1)], 1, "each of 2 atoms"),
            ([Fraction(1, 2)] * 2, 0, "n_samples >= 1"),
        ],
    )
    def test_bad_laws_are_named(self, probabilities, m, says):
        with pytest.raises(ValueError, match=says):
            average_complexity([[0, 1]], probabilities, m)

    def test_means_must_fit_the_functions(self):
        with pytest.raises(ValueError, match="one mean"):
            deviation_law([[0, 1]], [Fraction(1, 2)] * 2, 1, means=[1, 2])


class TestMonteCarlo:
    def test_the_interval_covers_the_truth_at_its_level(self):
        values = np.random.default_rng(0).integers(0, 2, (30, 10)) * 2 - 1
        truth = float(exact_complexity(values))
        found = [monte_carlo_complexity(values, 20, np.random.default_rng(s), 0.9) for s in range(300)]
        missed = sum(not one.lower <= truth <= one.upper for one in found)
        assert missed <= 30
        # Not because the interval is wide: the estimates are spread over a good part of it.
        spread = np.std([one.estimate for one in found])
        assert found[0].upper - found[0].lower <= 16 * spread

    def test_the_estimate_is_the_mean_over_the_draws(self):
        found = monte_carlo_complexity(np.array([[3.0], [-3.0]]), 5, np.random.default_rng(0))
        assert found.estimate == 3.0
        half_width = 6 * math.sqrt(math.log(2 / 0.01) / 10)
        assert found.upper == pytest.approx(3 + half_width)
        assert found.lower == 0.0

    def test_a_stream_gives_what_the_matrix_gives(self):
        values = np.random.default_rng(1).normal(size=(50, 700))
        whole = monte_carlo_complexity(values, 33, np.random.default_rng(2))
        parts = monte_carlo_complexity(lambda: np.array_split(values, 7), 33, np.random.default_rng(2))
        assert parts.estimate == pytest.approx(whole.estimate, rel=1e-12)
        assert parts.upper == pytest.approx(whole.upper, rel=1e-12)

    @pytest.mark.parametrize(("piece", "n_draws"), [("_VALUES_PIECE", 40), ("_SIGNS_PIECE", 40)])
    def test_rows_longer_than_a_piece_are_worked_on_all_the_same(self, piece, n_draws, monkeypatch):
        values = np.random.default_rng(1).normal(size=(6, 11))
        whole = monte_carlo_complexity(values, n_draws, np.random.default_rng(2))
        monkeypatch.setattr(f"mcbook.rademacher.algorithm.monte_carlo.{piece}", 3)
        cut = monte_carlo_complexity(values, n_draws, np.random.default_rng(2))
        assert cut.estimate == pytest.approx(whole.estimate, rel=1e-12)
        assert cut.upper == pytest.approx(whole.upper, rel=1e-12)

    def test_the_memory_does_not_grow_with_the_class(self):
        import tracemalloc

        def blocks(count):
            return lambda: (np.ones((20, 3000), dtype=np.int8) for _ in range(count))

        peaks = []
        for count in (2, 40):
            tracemalloc.start()
            monte_carlo_complexity(blocks(count), 50, np.random.default_rng(0))
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        assert peaks[1] <= 1.2 * peaks[0]

    @pytest.mark.parametrize(
        ("values", "options", "says"),
        [
            (np.ones((1, 2)), {"n_draws": 0}, "n_draws"),
            (np.ones((1, 2)), {"n_draws": 5, "confidence": 1.0}, "confidence"),
            (np.array([[np.inf, 0.0]]), {"n_draws": 5}, "finite"),
            (np.array([[Fraction(1)]]), {"n_draws": 5}, "exact_complexity"),
            (lambda: iter(()), {"n_draws": 5}, "empty stream"),
            (lambda: iter((np.ones((1, 2)), np.ones((1, 3)))), {"n_draws": 5}, "every block"),
        ],
    )
    def test_bad_input_is_named(self, values, options, says):
        with pytest.raises(ValueError, match=says):
            monte_carlo_complexity(values, rng=np.random.default_rng(0), **options)


def test_floats_are_rounded_only_where_sums_of_them_would_not_fit():
    few, many = (on_grid(np.array([2.0**40 + 1, -3.0]), n_terms) for n_terms in (16, 64))
    assert (few.integers.tolist(), few.unit, few.error) == ([2**40 + 1, -3], 1, 0)
    # 64 times as much does not fit 45 bits: the unit is 4, and rounding is off by at most half of it.
    assert (many.integers.tolist(), many.unit, many.error) == ([2**38, -1], 4, 2)
    assert few.integers.dtype == many.integers.dtype == np.int64
