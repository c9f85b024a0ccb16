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
    (mc.sloppy_cover_tail, (1, 0, 5), 2),
    (mc.printed_cover_tail, (1, 0, 5), 1),
    (mc.cover_sloppiness, (0, 3, 1), 6),
    (mc.memorised_share, (1, 1), 0),
    (mc.memorised_share, (3, 0), 1),
    (mc.memorised_share, (3, 2), Fraction(4, 9)),
    (mc.soft_average_growth, (2, 2, 5), 0),
    (mc.mistake_bound_with_zeros, (FIFTH, FIFTH, 2, 1), 0),
    (mc.mistake_bound_with_zeros, (1, FIFTH, 1, 1), 1),
    (mc.edge_margin_bound, (Fraction(1, 4), 0, 3, 1, HALF), 3),
    (mc.edge_margin_bound, (Fraction(1, 4), 2, 1, 1, 0), 0.75),
    (mc.rounds_for_margin, (1, 1, 1, Fraction(1, 4), 0), 0),
    (mc.separable_labellings, (1, 1), 2),
    (mc.worst_training_error, (Fraction(1, 4), 1), Fraction(1, 4)),
    (mc.binomial_error, (Fraction(1, 4), 1), Fraction(1, 4)),
    (mc.memorising_risk, (3, 3), 0),
    (mc.stump_cost, (1, 1, 1, 1), 1),
    (mc.one_vs_one_bound, (2, 1), 1),
    (mc.one_vs_one_bound, (2, 0), 0),
    (mc.evaluation_ratio, (2,), HALF),
    (mc.code_factor, (1, 1), 1),
    (mc.scaled_loss_bound, (0, 1), 0),
    (mc.sharp_loss_decoding_bound, (HALF, 1, 1), HALF),
    (mc.plotkin_bound, (6, 2), 6),
    (mc.correction_radius, (1,), 0),
    (mc.least_columns, (2,), 1),
    (mc.dichotomies, (2,), 1),
    (mc.separable_labellings_bound, (1, 1), 2),
    (mc.equal_rates_p_value, (0, 1, 1, 1), 1),
    (mc.sign_test_p_value, (0, 0), 1),
    (mc.counts_behind, (100, 1), [1]),
    (mc.counts_behind, (0, 1), [0]),
    (mc.distinct_columns_probability, (1, 0), 1),
    (mc.distinct_columns_probability, (1, 1), 1),
    (mc.speed_up_limit, ([2.0, 1.0], 1), 1),
    (mc.majority_value, (Fraction(1, 4), 1), Fraction(1, 4)),
    (mc.binomial_at_most, (0, HALF, 0), 1),
    (mc.lead_potential, (Fraction(1, 4), 0, 0), 1),
    (mc.unseen_error, (4, 0), Fraction(1, 8)),
    (mc.rounds_until_perfect, (FIFTH, 1), 1),
    (mc.rounds_by_product, (FIFTH, 1), 1),
    (mc.rounds_by_majority, (FIFTH, 1), 1),
    (mc.examples_for_strong, (FIFTH, 1, HALF, FIFTH), 4),
    (mc.examples_for_strong, (FIFTH, 1, Fraction(9, 10), FIFTH), 1),
    (mc.fewest_runs, (Fraction(99, 100), HALF), 1),
    (mc.fewest_runs, (HALF, Fraction(1, 8)), 4),
    (mc.fewest_runs, (Fraction(1, 100), Fraction(1, 20)), 368),
    (mc.validation_size, (1, 1, HALF), 5),
    (mc.simple_selection_size, (0, 1, 2, FIFTH), 3),
    (mc.selection_size, (0, HALF, 2, FIFTH), 4),
    (mc.all_runs_fail, (1, 3), 0),
    (mc.all_runs_fail, (0, 3), 1),
    (mc.runs_for_confidence, (1, Fraction(1, 20)), 4),
    (mc.subgradient_bound, (1, 1, 3, 1), 3),
    (mc.last_weights_bound, (1, 1, 3, 1), 12),
    (mc.planes_bound, (1, 1, 4, 1), 16),
    (mc.planes_bound, (1, 1, 16, HALF), 34),
    (mc.planes_bound, (1, 1, 16, HALF, "gap"), 18),
    (mc.standard_columns, ("one-vs-rest", 5), 5),
    (mc.standard_distance, ("one-vs-rest", 5), 2),
    (mc.fixed_eta_margin_excess, (4, 1, 1, 1.0, 1.0), 2 * math.sqrt(1 + math.log(4))),
]

# Arguments of which one lies just beyond.
BEYOND = [
    (mc.sloppy_cover_tail, (1 - TINY, 0, 5), "cover_size"),
    (mc.printed_cover_tail, (1 - TINY, 0, 5), "cover_size"),
    (mc.cover_sloppiness, (1, 3, 0), "n_sampled"),
    (mc.cover_size, (HALF, 2, 4, 1, 0), "n_sampled"),
    (mc.excess_order, (4, 1, 1, HALF, HALF), "n_columns"),
    (mc.excess_order, (4, 2, 1 - TINY, HALF, HALF), "dimension"),
    (mc.excess_order, (4, 2, 9, HALF, HALF), "n_columns"),
    (mc.excess_order, (4, 2, 1, 0, HALF), "theta"),
    (mc.contraction_margin_excess, (4, 2, 1, HALF, HALF, 0), "share"),
    (mc.contraction_margin_excess, (4, 2, 1, HALF, HALF, 1), "share"),
    (mc.fixed_eta_margin_excess, (4, 0, 1, HALF, HALF), "n_columns"),
    (mc.grid_size, (0, 2), "theta"),
    (mc.grid_size, (HALF, 1), "n_columns"),
    (mc.memorised_share, (0, 1), "n_atoms"),
    (mc.memorised_share, (1, -1), "n_samples"),
    (mc.soft_average_growth, (2, 2 - TINY, 5), "larger"),
    (mc.round_factor, (0,), "error"),
    (mc.round_factor, (1,), "error"),
    (mc.mistake_bound_with_zeros, (1, 0, 2, 1), "faintest"),
    (mc.mistake_bound_with_zeros, (1, 1, 2, 1), "faintest"),
    (mc.mistake_bound_with_zeros, (FIFTH, HALF, 2, 1), "normaliser"),
    (mc.mistake_bound_with_zeros, (1, HALF, 2, 0), "n_opposite"),
    (mc.edge_margin_bound, (FIFTH, 1, 2, 1, -TINY), "theta"),
    (mc.edge_margin_bound, (FIFTH, 1, 2, 1, 2 * FIFTH + TINY), "theta"),
    (mc.edge_margin_bound, (FIFTH, -1, 2, 1, 0), "n_rounds"),
    (mc.edge_factor, (0, 0), "edge"),
    (mc.edge_factor, (HALF, 0), "edge"),
    (mc.rounds_for_margin, (0, 1, 1, FIFTH, 0), "n_samples"),
    (mc.separable_labellings, (0, 1), "n_points"),
    (mc.separable_labellings, (1, 0), "n_features"),
    (mc.vote_odds, (0,), "error"),
    (mc.vote_odds, (1,), "error"),
    (mc.worst_training_error, (FIFTH, 0), "n_rounds"),
    (mc.binomial_error, (FIFTH, 0), "n_rounds"),
    (mc.half_log_odds, (0,), "probability"),
    (mc.half_log_odds, (1,), "probability"),
    (mc.memorising_risk, (3, 4), "n_points"),
    (mc.start_weights, ([0], 2, 0), "share"),
    (mc.start_weights, ([0], 2, 1), "share"),
    (mc.stump_cost, (0, 1, 1, 1), "size"),
    (mc.one_vs_one_bound, (2, 1 + TINY), "r <= 1"),
    (mc.training_cost_ratio, (1, 1), "n_classes"),
    (mc.equal_cost_exponent, (2,), "n_classes"),
    (mc.evaluation_ratio, (1,), "n_classes"),
    (mc.code_factor, (1 - TINY, HALF), "n_columns"),
    (mc.code_factor, (1, 1 + TINY), "rho"),
    (mc.sharp_loss_decoding_bound, (0, 2, 0), "n_opposite"),
    (mc.sharp_loss_decoding_bound, (0, 1, 2), "n_opposite"),
    (mc.random_factor_bound, (9, 3, 0), "delta"),
    (mc.random_factor_bound, (9, 3, 1), "delta"),
    (mc.plotkin_bound, (3, 1), "n_classes"),
    (mc.correction_radius, (0,), "distance"),
    (mc.separable_labellings_bound, (0, 1), "n_points"),
    (mc.separable_labellings_bound, (1, 0), "n_features"),
    (mc.equal_rates_p_value, (0, 0, 0, 1), "n >= 1"),
    (mc.sign_test_p_value, (-1, 0), "wins"),
    (mc.sign_test_p_value, (0, -1), "losses"),
    (mc.counts_behind, (0, 0), "n >= 1"),
    (mc.distinct_columns_probability, (0, 0), "n_classes"),
    (mc.distinct_columns_probability, (1, -1), "n_columns"),
    (mc.speed_up_limit, ([1.0], 0), "n_workers"),
    (mc.majority_value, (Fraction(1, 4), 0), "n_rounds"),
    (mc.binomial_at_most, (-1, HALF, 0), "n_draws"),
    (mc.lead_potential, (Fraction(1, 4), -1, 0), "n_left"),
    (mc.lead_weight, (Fraction(1, 4), -1, 0), "n_left"),
    (mc.rounds_until_perfect, (0, 1), "edge"),
    (mc.rounds_until_perfect, (HALF, 1), "edge"),
    (mc.rounds_by_product, (FIFTH, 0), "n_samples"),
    (mc.rounds_by_majority, (FIFTH, 0), "n_samples"),
    (mc.examples_for_strong, (FIFTH, 0, HALF, HALF), "n_hypotheses"),
    (mc.examples_for_strong, (FIFTH, 1, 0, HALF), "epsilon"),
    (mc.examples_for_strong, (FIFTH, 1, 1, HALF), "epsilon"),
    (mc.examples_for_strong, (FIFTH, 1, HALF, 0), "delta"),
    (mc.examples_for_strong, (FIFTH, 1, HALF, 1), "delta"),
    (mc.unseen_error, (4 - TINY, 1), "n_points"),
    (mc.rounds_for_error, (FIFTH, 0), "epsilon"),
    (mc.rounds_for_error, (FIFTH, 1), "epsilon"),
    (mc.runs_for_confidence, (0, HALF), "success"),
    (mc.runs_for_confidence, (HALF, 0), "delta"),
    (mc.runs_for_confidence, (HALF, 1), "delta"),
    (mc.fewest_runs, (0, HALF), "success"),
    (mc.fewest_runs, (1, HALF), "success"),
    (mc.fewest_runs, (HALF, 0), "delta"),
    (mc.fewest_runs, (HALF, 1), "delta"),
    (mc.validation_size, (0, 1, HALF), "gamma"),
    (mc.validation_size, (HALF, 0, HALF), "n_runs"),
    (mc.validation_size, (HALF, 1, 0), "delta"),
    (mc.validation_size, (HALF, 1, 1), "delta"),
    (mc.selection_size, (HALF, FIFTH, 1, HALF), "n_runs"),
    (mc.simple_selection_size, (HALF, FIFTH, 1, HALF), "n_runs"),
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
