"""Numbers on a grid of integers: how fine it is, how wrong, and in which type the integers stand."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

import mcbook.rademacher.algorithm.enumeration as enumeration
from mcbook.foundation.numbers import rational
from mcbook.rademacher.algorithm.enumeration import exact_complexity, linear_ball_complexity, on_grid, squared_sums


def test_whole_numbers_are_their_own_grid():
    for table in (np.array([[3, -4]]), np.array([[3.0, -4.0]]), np.array([[True, False]])):
        grid = on_grid(table, 2)
        assert (grid.unit, grid.error) == (1, 0)
        assert grid.integers.tolist() == [[int(value) for value in table[0]]]


def test_fractions_have_the_grid_of_their_common_denominator():
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


def test_floats_on_a_grid_of_their_own_are_not_rounded():
    grid = on_grid(np.array([[0.5, 0.75]]), 2)
    assert grid.error == 0
    assert (grid.integers * grid.unit).tolist() == [[0.5, 0.75]]
    large = on_grid(np.array([[2.0**44]]), 1)
    assert (large.unit, large.error) == (1, 0)
    assert on_grid(np.array([[2.0**45]]), 1).unit == 1


@pytest.mark.parametrize(
    ("largest", "n_terms", "dtype"),
    [
        (2**29 - 1, 2, np.int32), (2**29, 2, np.int64), (-(2**29), 2, np.int64), (2**45, 2, np.int64),
        (2**45 + 1, 2, object), (-(2**45) - 1, 2, object),
    ],
)  # fmt: skip
def test_integers_stand_in_the_narrowest_type_that_holds_twice_their_sums(largest, n_terms, dtype):
    found = on_grid(np.array([[largest, 0]]), n_terms).integers
    assert found.dtype == dtype
    assert found.tolist() == [[largest, 0]]


def complexity(values):
    table, (_, m) = rational(values), np.shape(values)
    return sum(max(table @ np.array(signs)) for signs in itertools.product((-1, 1), repeat=m)) / Fraction(m * 2**m)


@pytest.mark.parametrize("n_low", [0, 1, 3, 16])
@pytest.mark.parametrize("size", [9, 2**46])
def test_the_walk_in_parts_meets_every_sign_vector_once(monkeypatch, n_low, size):
    monkeypatch.setattr(enumeration, "_LOW_SIGNS", n_low)
    rng = np.random.default_rng(n_low)
    values = rng.integers(-size, size, (4, 5))
    assert exact_complexity(values) == complexity(values)
    halves = rational(values) / 2
    assert exact_complexity(halves) == complexity(halves)


def test_the_complexity_of_floats_is_known_to_half_a_unit_on_both_sides():
    values = np.array([[0.1, 0.7, -0.3], [0.2, 0.0, 0.5]])
    found, grid = exact_complexity(values), on_grid(values, 3)
    assert found.lower <= complexity(values) <= found.upper
    assert found.upper - found.lower == grid.unit
    middle = complexity(grid.integers * grid.unit)
    assert found.lower == middle - grid.error


def test_squared_sums_of_floats_are_right_to_their_error():
    X = np.random.default_rng(0).normal(size=(4, 2))
    K = X @ X.T
    K = (K + K.T) / 2
    found, exact = squared_sums(K), rational(K)
    signs = [np.array([*rest, 1]) for rest in itertools.product((-1, 1), repeat=3)]
    true = sorted(s @ exact @ s for s in signs)
    near = sorted(int(value) * found.scale**2 for value in found.integers)
    allowed = found.error * found.scale**2
    assert all(abs(a - b) <= allowed for a, b in zip(true, near, strict=True))
    # Each of 16 entries is off by half a unit.
    assert found.error == 8
    assert squared_sums(K, rounding=False).error == 0
    # As fine as a sum of 16 entries allows, by a unit that is a power of 4.
    most = abs(exact).max() * 16 / found.scale**2
    assert 2 ** (enumeration._TERM_BITS - 2) < most <= 2**enumeration._TERM_BITS
    # Of 9 entries half a unit each is rounded up.
    assert squared_sums(np.diag([0.1, 0.2, 0.3])).error == 5


def test_a_matrix_that_is_negative_by_more_than_rounding_is_refused():
    with pytest.raises(ValueError, match="positive semidefinite"):
        squared_sums([[1, 2], [2, 1]])
    with pytest.raises(ValueError, match="positive semidefinite"):
        squared_sums([[1.0, 1.0 + 1e-9], [1.0 + 1e-9, 1.0]])
    nearly = np.array([[1 / 3, 1 / 3 + 1e-17], [1 / 3 + 1e-17, 1 / 3]])
    assert squared_sums(nearly).integers.min() >= -squared_sums(nearly).error


def test_points_of_fractions_are_measured_exactly():
    for point in (Fraction(1, 3), 2):
        found = linear_ball_complexity([[point]], Fraction(3, 2))
        assert found.lower == found.upper == point * Fraction(3, 2)
