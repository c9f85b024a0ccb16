"""Values of the theory computed a second time from the printed formula, where other tests compare functions only."""

from __future__ import annotations

from fractions import Fraction

import sympy

import mcbook as mc


def test_the_adversary_of_winnow_needs_so_many_attributes():
    # s (q (theta - 1) - 2^q + 2) with q = ceil(log2 theta)
    assert [mc.attributes_for_worst_case(1, theta) for theta in (2, 4, 8, 16)] == [1, 4, 15, 46]
    assert mc.attributes_for_worst_case(3, 8) == 45


def test_some_instances_need_so_many_planes():
    # C R^2 / epsilon = 10, half as many for the gap
    assert [mc.planes_needed(2, Fraction(1, 2), Fraction(1, 10), rule) for rule in ("violation", "gap")] == [10, 5]


def test_without_errors_there_is_exactly_one_best_pruning():
    for found in (mc.optimal_prunings_bound(3, 0), mc.optimal_prunings_bound(0, 3)):
        assert type(found) is int
        assert found == 1


def test_symbols_stay_in_the_sum_that_was_written():
    x, y = sympy.symbols("x y")
    assert mc.log_sum_exp([x, y]) == sympy.log(sympy.exp(x) + sympy.exp(y))
    assert mc.log_sum_exp([x]) == sympy.log(sympy.exp(x))
