"""Bounds on Rademacher complexity, concentration, and classes of labellings."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from mcbook.foundation.proof.exact import ball
from mcbook.rademacher import (
    all_patterns,
    block_class,
    bounded_differences_exponent,
    bounded_differences_tail,
    combined_class,
    confidence_term,
    contraction_bound,
    generalisation_bound,
    group_norm,
    half_line_labellings,
    hoeffding_exponent,
    hoeffding_tail,
    interval_labellings,
    kernel_complexity_bound,
    khinchine_bounds,
    lipschitz_constant,
    maxima_bound,
    maxima_class,
    maximum_by_absolute_value,
    minima_class,
    products_class,
    projected_class,
    projection_bound,
    sauer_bound,
    sauer_power_bound,
    vc_dimension,
)


class TestClasses:
    def test_combinations_are_all_there(self):
        F, G = np.array([[0, 5], [2, 1]]), np.array([[1, 1]])
        assert maxima_class(F, G).tolist() == [[1, 5], [2, 1]]
        assert minima_class(F, G).tolist() == [[0, 1], [1, 1]]
        assert products_class(F, G, F).tolist() == [[0, 25], [0, 5], [0, 5], [4, 1]]
        assert len(combined_class(np.add, all_patterns(2), all_patterns(2))) == 16

    def test_families_must_share_the_sample(self):
        with pytest.raises(ValueError, match="same sample"):
            maxima_class(np.ones((1, 2)), np.ones((1, 3)))

    def test_the_block_class_as_described(self):
        first, second = block_class(2, 1)
        assert first.tolist() == [[-1, -1], [1, -1]]
        assert second.tolist() == [[-1, -1], [-1, 1]]
        with pytest.raises(ValueError, match="n_classes >= 1"):
            block_class(0, 1)

    def test_projection_lists_every_score_as_a_function(self):
        scores = np.arange(12).reshape(2, 3, 2)
        assert projected_class(scores).tolist() == [[0, 2, 4], [1, 3, 5], [6, 8, 10], [7, 9, 11]]
        with pytest.raises(ValueError, match="n_hypotheses"):
            projected_class(np.ones((2, 3)))

    def test_labellings_are_all_there_and_once(self):
        for m in (1, 4):
            assert len(np.unique(half_line_labellings(m), axis=0)) == len(half_line_labellings(m)) == m + 1
            assert len(np.unique(interval_labellings(m), axis=0)) == len(interval_labellings(m)) == 1 + m * (m + 1) // 2

    def test_dimensions(self):
        assert vc_dimension(half_line_labellings(5)) == 1
        assert vc_dimension(interval_labellings(5)) == 2
        assert vc_dimension(all_patterns(3)) == 3
        assert vc_dimension([[0, 0]]) == 0
        with pytest.raises(ValueError, match="two symbols"):
            vc_dimension([[0, 1, 2]])


class TestConcentration:
    def test_by_hand(self):
        assert hoeffding_exponent(2, 3) == Fraction(36, 8)
        assert bounded_differences_exponent(2, [3]) == hoeffding_exponent(2, 3)
        assert bounded_differences_exponent(Fraction(1, 2), np.array([1, 2])) == Fraction(5, 32)
        assert bounded_differences_tail(3.0, [2, 2]) == pytest.approx(math.exp(-9 / 4))
        assert hoeffding_tail(0.5, 8) == pytest.approx(2 * math.exp(-1))

    def test_a_mean_of_signs_is_a_sum_with_bounded_differences(self):
        n, theta = 12, Fraction(1, 3)
        one_sided = bounded_differences_tail(ball(theta), np.array([ball(Fraction(2, n))] * n))
        assert abs(float(2 * one_sided - hoeffding_tail(ball(theta), n))) < 1e-14


class TestBounds:
    def test_values_by_hand(self):
        assert maxima_bound(Fraction(1, 2), Fraction(1, 3)) == Fraction(5, 6)
        assert contraction_bound(Fraction(1, 3), 6) == 2
        assert khinchine_bounds([3, 4]) == (Fraction(25, 2), 25)
        assert sauer_bound(5, 2) == 16
        assert sauer_power_bound(4, 2) == pytest.approx((2 * math.e) ** 2)
        assert confidence_term(math.exp(-2), 4) == pytest.approx(0.5)
        assert generalisation_bound(0.1, 0.2, math.exp(-2), 4) == pytest.approx(1.0)
        assert projection_bound(0.5, 3, math.e**2, 16) == pytest.approx(2.0)
        assert kernel_complexity_bound(9, 4, 16) == Fraction(3, 2)
        assert group_norm([3.0, 4.0], 2) == pytest.approx(5.0)
        assert group_norm([3.0, 4.0], 1) == 7
        assert group_norm([3.0, 4.0], math.inf) == 4
        assert maximum_by_absolute_value(2, -5) == 2

    def test_certainty_costs_nothing_and_stays_exact(self):
        assert generalisation_bound(Fraction(1, 3), Fraction(1, 4), 1, 7) == Fraction(5, 6)

    def test_arrays_broadcast(self):
        deltas, sizes = np.array([0.1, 0.01])[:, None], np.array([10, 100, 1000])
        assert generalisation_bound(0.0, 0.1, deltas, sizes).shape == (2, 3)
        assert kernel_complexity_bound(1.0, 1.0, sizes) == pytest.approx(1 / np.sqrt(sizes))
        assert projection_bound(0.0, 1.0, sizes, 10).shape == (3,)

    def test_balls_contain_the_floats(self):
        enclosed = generalisation_bound(ball(Fraction(1, 10)), ball(Fraction(1, 5)), ball(Fraction(1, 20)), 100)
        assert float(enclosed) == pytest.approx(generalisation_bound(0.1, 0.2, 0.05, 100), rel=1e-14)

    def test_lipschitz_constants(self):
        assert lipschitz_constant([[0, 1], [2, 1], [1, 1]], [[0, 9], [1, 9], [3, 9]]) == 3
        with pytest.raises(ValueError, match="two images"):
            lipschitz_constant([[0], [0]], [[1], [2]])
        with pytest.raises(ValueError, match="image for every value"):
            lipschitz_constant([[0]], [[1, 2]])

    @pytest.mark.parametrize(
        ("function", "arguments", "says"),
        [
            (maxima_bound, (), "at least one"),
            (maxima_bound, (-1,), ">= 0"),
            (contraction_bound, (1, -1), "lipschitz"),
            (khinchine_bounds, ([],), "coefficient"),
            (sauer_bound, (-1, 1), "n_points >= 0"),
            (sauer_bound, (1, -1), "dimension >= 0"),
            (sauer_power_bound, (1, 2), "n_points >= 2"),
            (sauer_power_bound, (1, 0), "dimension >= 1"),
            (hoeffding_exponent, (1, -1), "width"),
            (hoeffding_tail, (-1, 10), "deviation"),
            (hoeffding_tail, (1, 0), "n_signs"),
            (bounded_differences_tail, (-1, [1]), "excess"),
            (bounded_differences_tail, (1, [0, 0]), "sum of squares"),
            (confidence_term, (0, 5), "delta"),
            (confidence_term, (1.5, 5), "delta"),
            (confidence_term, (float("nan"), 5), "delta"),
            (confidence_term, (0.5, 0), "samples"),
            (generalisation_bound, (0.5, -0.1, 0.5, 5), "complexity"),
            (projection_bound, (0, 1, 0, 5), "n_classes"),
            (projection_bound, (0, -1, 2, 5), "size"),
            (kernel_complexity_bound, (-1, 1, 5), "radius"),
            (kernel_complexity_bound, (1, -1, 5), "norm"),
            (group_norm, ([1.0], 0.5), "p >= 1"),
            (group_norm, ([-1.0], 2), "length"),
        ],
    )
    def test_outside_its_domain_a_bound_says_so(self, function, arguments, says):
        with pytest.raises(ValueError, match=says):
            function(*arguments)
