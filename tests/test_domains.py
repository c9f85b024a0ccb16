"""Where the functions of the theory begin and end: at the last argument they take they have a value, beyond it none."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import mcbook as mc

HALF, FIFTH, TINY = Fraction(1, 2), Fraction(1, 5), Fraction(1, 10**6)
INF = math.inf

# A function, arguments of which one at least is the last that is taken, and the value there.
AT_THE_EDGE = [
    (mc.compression_bound, (1, 0, HALF), math.log(2)),
    (mc.compression_bound, (2, 1, HALF), math.log(8)),
    (mc.risk_budget, (0, HALF), math.log(2)),
    (mc.risk_budget_limit, (0, 3), 6),
    (mc.risk_budget_limit, (7, 0), 7),
    (mc.log_growth_bound, (2, 3, 3), 9),
    (mc.growth_risk_bound, (1, 0, 4, 2), 1.5),
    (mc.growth_risk_bound, (0, 2, 4, 0), 1),
    (mc.ranking_count_bound, (1, 2, 1), 2),
    (mc.line_shattering_size, (2,), 2),
    (mc.entropy_bound, (HALF, 1), 1),
    (mc.largest_gini, (HALF, 2), HALF),
    (mc.largest_gini, (0, 2), 0),
    (mc.leaf_error, ([1, 3], 0), Fraction(3, 4)),
    (mc.leaf_error, ([1, 3], 1), Fraction(1, 4)),
    (mc.class_shares, ([0, 3],), [0, 1]),
    (mc.contraction_bound, (0, 3), 0),
    (mc.contraction_bound, (3, 0), 0),
    (mc.sauer_bound, (0, 0), 1),
    (mc.sauer_bound, (3, 0), 1),
    (mc.sauer_power_bound, (1, 1, 2), 2),
    (mc.hoeffding_exponent, (2, 0), 0),
    (mc.bounded_differences_tail, (0, [1]), 1),
    (mc.hoeffding_tail, (0, 1), 2),
    (mc.confidence_term, (1, 1), 0),
    (mc.confidence_term, (HALF, 1), math.sqrt(math.log(2) / 2)),
    (mc.generalisation_bound, (HALF, 0, 1, 7), HALF),
    (mc.projection_bound, (0, 3, 1, 1), 0),
    (mc.projection_bound, (2, 0, 3, 1), 2),
    (mc.kernel_complexity_bound, (0, 1, 1), 0),
    (mc.kernel_complexity_bound, (1, 0, 1), 0),
    (mc.group_norm, ([3, 4], 1), 7),
    (mc.group_norm, ([3, 4], 2), 5),
    (mc.group_norm, ([3, 4], INF), 4),
    (mc.separable_labellings, (1, 1), 2),
    (mc.out_of_bag_share, (1, 0), 1),
    (mc.out_of_bag_share, (2, 1), HALF),
    (mc.nearest_share, (1, 1, 1), 1),
    (mc.nearest_share, (3, 3, 1), Fraction(1, 3)),
    (mc.fewest_draws, (2,), 2),
    (mc.breiman_bound, (1, HALF), 0),
    (mc.breiman_bound, (HALF, 1), 3),
    (mc.breiman_bound, (HALF, 0), 0),
    (mc.constant_balanced_risk, (1,), 0),
    (mc.link_price, (3, 1, 2), 2),
    (mc.best_steps, (0, 0), []),
    (mc.best_steps, (1, 1), [(1, 1)]),
    (mc.occam_penalty, (0, 1, HALF), math.sqrt(math.log(2) / 2)),
    (mc.occam_bound, (0, 0, 2, HALF), math.sqrt(math.log(2) / 4)),
    (mc.occam_bound, (1, 0, 2, HALF), 1 + math.sqrt(math.log(2) / 4)),
    (mc.equal_rates_p_value, (0, 1, 1, 1), 1),
    (mc.sign_test_p_value, (0, 0), 1),
    (mc.counts_behind, (100, 1), [1]),
    (mc.counts_behind, (0, 1), [0]),
    (mc.distinct_columns_probability, (1, 0), 1),
    (mc.distinct_columns_probability, (1, 1), 1),
    (mc.speed_up_limit, ([2.0, 1.0], 1), 1),
    (mc.worst_potential, (0, 0, 0), 1),
    (mc.worst_potential, (1, 1, 1), 1),
    (mc.vc_of_boolean_stumps, (1,), 2),
    (mc.labellings_at_most, (0, 1, 1), 4),
    (mc.subgradient_bound, (1, 1, 3, 1), 3),
    (mc.last_weights_bound, (1, 1, 3, 1), 12),
    (mc.planes_bound, (1, 1, 4, 1), 16),
    (mc.planes_bound, (1, 1, 16, HALF), 34),
    (mc.planes_bound, (1, 1, 16, HALF, "gap"), 18),
    (mc.promotions_needed, (1, 2), 0),
    (mc.promotions_needed, (9, 3), 2),
    (mc.truncated_margins, ([[2, 0], [0, 2]], [0, 0], 1), [1, -2]),
    (mc.truncated_margins, ([[2, 0, 1]], [2], 1), [-1]),
    (mc.multi_label_margin_bound, (0, 1, 1, 1, 1, 1), 2),
]

# Arguments of which one lies just beyond.
BEYOND = [
    (mc.compression_bound, (0, 0, HALF), "n_samples"),
    (mc.compression_bound, (3, -1, HALF), "n_used"),
    (mc.compression_bound, (3, 3, HALF), "fewer examples"),
    (mc.compression_bound, (3, 1, 0), "delta"),
    (mc.compression_bound, (3, 1, 1), "delta"),
    (mc.risk_budget, (-TINY, HALF), "mistake_bound"),
    (mc.risk_budget, (1, 0), "delta"),
    (mc.risk_budget, (1, 1), "delta"),
    (mc.log_growth_bound, (1, 3, 2), "n_samples"),
    (mc.growth_risk_bound, (1 + TINY, 1, 4, 2), "training_error"),
    (mc.ranking_count_bound, (0, 2, 1), "n_samples"),
    (mc.ranking_count_bound, (1, 1, 1), "n_classes"),
    (mc.ranking_count_bound, (1, 2, 0), "n_features"),
    (mc.line_shattering_size, (1,), "n_classes"),
    (mc.entropy_bound, (HALF, 0), "n_points"),
    (mc.largest_gini, (HALF + TINY, 2), "error"),
    (mc.least_gini, (1,), "error"),
    (mc.gini_gain_bound, (HALF, 0), "share"),
    (mc.gini_gain_bound, (HALF, 1), "share"),
    (mc.leaf_error, ([1, 3], -1), "label"),
    (mc.sauer_bound, (-1, 0), "n_points"),
    (mc.sauer_bound, (1, -1), "dimension"),
    (mc.sauer_power_bound, (1, 0, 2), "dimension"),
    (mc.sauer_power_bound, (1, 2, 2), "n_points"),
    (mc.bounded_differences_tail, (1, [0]), "squares"),
    (mc.hoeffding_tail, (0, 0), "n_signs"),
    (mc.confidence_term, (0, 1), "delta"),
    (mc.confidence_term, (HALF, 0), "n_samples"),
    (mc.projection_bound, (0, 0, 0, 1), "n_classes"),
    (mc.projection_bound, (0, 0, 1, 0), "n_samples"),
    (mc.kernel_complexity_bound, (1, 1, 0), "n_samples"),
    (mc.group_norm, ([1], 1 - TINY), "p >= 1"),
    (mc.block_class, (0, [[1]]), "n_classes"),
    (mc.separable_labellings, (0, 1), "n_points"),
    (mc.separable_labellings, (1, 0), "n_features"),
    (mc.count_coherent_subsets, ([0],), "below itself"),
    (mc.count_coherent_subsets, ([1],), "parents among"),
    (mc.count_coherent_subsets, ([None, -1],), "parents among"),
    (mc.out_of_bag_share, (0, 1), "n_samples"),
    (mc.out_of_bag_share, (1, -1), "n_draws"),
    (mc.nearest_share, (0, 1, 1), "place"),
    (mc.nearest_share, (2, 1, 1), "place"),
    (mc.nearest_share, (1, 1, 0), "n_draws"),
    (mc.fewest_draws, (1,), "n_samples"),
    (mc.breiman_bound, (0, HALF), "strength"),
    (mc.breiman_bound, (1 + TINY, HALF), "strength"),
    (mc.breiman_bound, (HALF, 1 + TINY), "correlation"),
    (mc.scores_complexity_bound, (1, 1), "n_classes"),
    (mc.label_by_label_complexity_bound, (1, 1), "n_classes"),
    (mc.margin_bound, (1 + TINY, 1, 1, 2, HALF, 1), "empirical_margin_loss"),
    (mc.uniform_margin_bound, (HALF, 1, 1, 2, 0, 1), "delta"),
    (mc.informative_sample_size, (1, 1, 1, 2, HALF, 1), "empirical_margin_loss"),
    (mc.multi_label_margin_bound, (0, 1, 1, 0, HALF, 1), "n_classes"),
    (mc.multi_label_margin_bound, (2 + TINY, 1, 1, 2, HALF, 1), "empirical_margin_loss"),
    (mc.constant_balanced_risk, (0,), "classes"),
    (mc.link_price, (3, 1, 1), "n_leaves"),
    (mc.best_steps, (-1, 0), "n_inner"),
    (mc.best_steps, (0, -1), "n_errors"),
    (mc.occam_penalty, (0, 1, 0), "delta"),
    (mc.occam_penalty, (0, 1, 1), "delta"),
    (mc.equal_rates_p_value, (0, 0, 0, 1), "n >= 1"),
    (mc.sign_test_p_value, (-1, 0), "wins"),
    (mc.sign_test_p_value, (0, -1), "losses"),
    (mc.counts_behind, (0, 0), "n >= 1"),
    (mc.distinct_columns_probability, (0, 0), "n_classes"),
    (mc.distinct_columns_probability, (1, -1), "n_columns"),
    (mc.speed_up_limit, ([1.0], 0), "n_workers"),
    (mc.worst_potential, (-1, 0, HALF), "n_doublings"),
    (mc.worst_potential, (0, -1, HALF), "n_extra"),
    (mc.worst_potential, (1, 2, HALF), "n_extra"),
    (mc.vc_of_boolean_stumps, (0,), "n_features"),
    (mc.labellings_at_most, (0, 0, 1), "n_questions"),
    (mc.promotions_needed, (0, 2), "threshold"),
    (mc.promotions_needed, (1, 1), "factor"),
    (mc.subgradient_bound, (1, 1, 1, 0), "n_steps"),
    (mc.subgradient_bound, (1, 0, 1, 1), "n_samples"),
    (mc.last_weights_bound, (1, 1, 1, 0), "n_steps"),
    (mc.last_weights_bound, (1, 0, 1, 1), "n_samples"),
]


def names(rows):
    return [f"{function.__name__}{arguments}" for function, arguments, _ in rows]


@pytest.mark.parametrize(("function", "arguments", "value"), AT_THE_EDGE, ids=names(AT_THE_EDGE))
def test_the_last_arguments_that_are_taken_have_a_value(function, arguments, value):
    found = function(*arguments)
    if isinstance(value, float):
        assert float(found) == pytest.approx(value, rel=1e-12)
    else:
        assert np.array_equal(np.array(found, dtype=float), np.array(value, dtype=float))


@pytest.mark.parametrize(("function", "arguments", "word"), BEYOND, ids=names(BEYOND))
def test_just_beyond_there_is_none(function, arguments, word):
    with pytest.raises(ValueError, match=f"expected.*{word}"):
        function(*arguments)


def test_what_is_sure_costs_exactly_nothing():
    assert type(mc.confidence_term(1, 5)) is int
    assert mc.confidence_term(1, 5) == 0
