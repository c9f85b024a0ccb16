"""Margins of output codes: votes, bounds, instances, the learner that helps no more than it must."""

import math
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcbook.boosting import FinitePool, StumpLearner, run_adaboost
from mcbook.claims.output_code_margins.coverage import coverage_of
from mcbook.foundation.numbers import ball
from mcbook.output_code_margins import (
    ReluctantLearner,
    adaboost_mo,
    answers_of,
    close_functions,
    code_margin_excess,
    column_runs,
    contraction_margin_excess,
    cover_size,
    cover_sloppiness,
    decoding_margins,
    edge_factor,
    edge_margin_bound,
    eta_grid,
    excess_order,
    first_informative_size,
    fixed_eta_margin_excess,
    grid_size,
    margin_threshold,
    margins_by_round,
    memorised_share,
    mistake_bound_with_zeros,
    nearest_eta,
    printed_cover_tail,
    round_factor,
    rounds_for_margin,
    share_of_margins,
    sloppy_cover_tail,
    soft_average,
    soft_average_growth,
    soft_average_slope,
    soft_votes,
    source_margin_excess,
    sure_edge,
    training_margin_bound,
    training_margin_bound_with_zeros,
    two_round_sample,
)
from mcbook.output_codes import (
    all_pairs_code,
    complete_code,
    decode,
    hadamard_code,
    one_vs_rest_code,
    random_dense_code,
)

seeds = st.integers(0, 2**32 - 1)


class TestAverage:
    @settings(max_examples=40, deadline=None)
    @given(seeds)
    def test_floats_and_balls_agree_at_every_scale(self, seed):
        rng = np.random.default_rng(seed)
        z, eta = rng.integers(-10, 11, 6), float(10 ** rng.uniform(-4, 3))
        with flint.ctx.workprec(200):
            exact = soft_average(np.array([Fraction(int(v), 10) for v in z], dtype=object), ball(eta))
        assert soft_average(z / 10, eta) == pytest.approx(float(exact), abs=1e-12)

    def test_it_lies_between_the_mean_and_the_largest(self):
        z = np.array([0.9, -0.3, 0.0])
        assert soft_average(z, 1e-9) == pytest.approx(0.2)
        assert soft_average(z, 1e9) == pytest.approx(0.9)
        assert soft_average(z, 1e300) == 0.9

    def test_the_slope_is_the_derivative(self):
        z = [Fraction(1, 2), Fraction(-1), Fraction(0)]
        step = (soft_average(np.array([0.5, -1, 0]), 2 + 1e-5) - soft_average(np.array([0.5, -1, 0]), 2 - 1e-5)) / 2e-5
        assert float(soft_average_slope(z, Fraction(2))) == pytest.approx(step, rel=1e-6)

    def test_growth_needs_its_parameters_in_order(self):
        assert float(soft_average_growth(1, 2, 4)) == pytest.approx(math.log(4) / 2)
        with pytest.raises(ValueError, match="larger eta"):
            soft_average_growth(2, 1, 4)
        with pytest.raises(ValueError, match="eta > 0"):
            soft_average(np.array([1.0]), 0.0)

    def test_the_grid_and_who_stands_for_whom(self):
        assert grid_size(0.5, 3) == grid_size(Fraction(1, 2), 3) == 3
        grid = eta_grid(0.5, 3)
        assert grid == sorted(grid, reverse=True)
        assert nearest_eta(1e9, 0.5, 3) == grid[0]
        assert nearest_eta(1.2, 0.5, 3) == grid[1]
        assert nearest_eta(1e-9, 0.5, 3) == grid[-1]
        with pytest.raises(ValueError, match="theta"):
            grid_size(1.5, 3)
        with pytest.raises(ValueError, match="n_columns"):
            grid_size(0.5, 1)


class TestVotes:
    @settings(max_examples=30, deadline=None)
    @given(seeds)
    def test_the_best_vote_is_what_decoding_finds(self, seed):
        rng = np.random.default_rng(seed)
        M = random_dense_code(4, 5, n_candidates=5, random_state=seed % 1000)
        F, eta = rng.uniform(-1, 1, (8, 5)), float(rng.uniform(0.1, 8))
        assert (soft_votes(F, M, eta).argmax(axis=1) == decode(eta * F, M, "exponential")).all()

    def test_zeros_count_as_answers_of_0_or_are_left_out(self):
        M = all_pairs_code(3)
        F, eta = np.array([[0.5, -0.2, 0.9]]), 2.0
        every = -np.log(np.exp(-eta * F * M).mean(axis=1)) / eta
        assert soft_votes(F, M, eta)[0] == pytest.approx(every)
        asked = [-np.log(np.exp(-eta * (F[0] * row)[row != 0]).mean()) / eta for row in M]
        assert soft_votes(F, M, eta, skip_zeros=True)[0] == pytest.approx(asked)

    def test_margins_by_hand(self):
        M = np.array([[1, 1], [-1, -1], [1, -1]])
        F = np.array([[1.0, 1.0], [1.0, -1.0]])
        # For eta -> 0 votes are means: 1, -1, 0 and 0, 0, 1.
        assert decoding_margins(F, M, [0, 1], 1e-9) == pytest.approx([0.5, -0.5])

    def test_two_classes_have_the_margin_of_the_sign(self):
        F = np.linspace(-1, 1, 9)[:, None]
        y = np.arange(9) % 2
        assert decoding_margins(F, [[-1], [1]], y, 3.0) == pytest.approx((2 * y - 1) * F[:, 0])

    @pytest.mark.parametrize(
        ("F", "M", "says"),
        [
            ([[0.5]], [[1, 1], [1, -1]], "as many columns"),
            ([[2.0, 0.0]], [[1, 1], [1, -1]], "divide them by eta"),
            ([[0.5, 0.5]], [[1, 2], [1, -1]], "entries of the code"),
        ],
    )
    def test_bad_input_is_named(self, F, M, says):
        with pytest.raises(ValueError, match=says):
            soft_votes(F, M, 1.0)

    def test_shares_count_equality_and_what_cannot_be_told_from_it(self):
        assert share_of_margins(np.array([0.1, 0.2, 0.3]), 0.2) == Fraction(2, 3)
        doubtful = (ball(2).sqrt() - 1) * (ball(2).sqrt() + 1) - 1
        assert share_of_margins(np.array([doubtful, ball(1)], dtype=object), Fraction(0)) == Fraction(1, 2)

    def test_answers_are_means(self):
        F, eta = answers_of(np.array([[[1, -1]], [[1, 1]]]), np.array([3.0, 1.0]))
        assert (F.tolist(), eta) == ([[1.0, -0.5]], 4.0)
        with pytest.raises(ValueError, match="positive weight"):
            answers_of(np.ones((1, 1, 1)), np.zeros(1))


class TestTrainingBounds:
    def test_the_factor_of_a_round_in_both_arithmetics(self):
        assert round_factor(0.25, 0.2) == pytest.approx(float(round_factor(Fraction(1, 4), Fraction(1, 5))))
        assert float(round_factor(Fraction(1, 5))) == pytest.approx(0.8)
        assert training_margin_bound([0.2, 0.1], 3, 2, 0) == pytest.approx(1.5 * 0.8 * 0.6)
        assert training_margin_bound_with_zeros([0.2], 4, 2, 0.0) == pytest.approx(1.6)

    def test_the_refined_bound_by_hand(self):
        assert mistake_bound_with_zeros(Fraction(7, 16), Fraction(1, 7), 2, 1) == Fraction(11, 16)
        for n_opposite, says in ((0, "opposite"), (3, "rho / n_columns")):
            with pytest.raises(ValueError, match=says):
                mistake_bound_with_zeros(0.5, 0.1, 2, n_opposite)
        with pytest.raises(ValueError, match="normaliser"):
            mistake_bound_with_zeros(0.05, 0.1, 2, 1)

    def test_the_threshold_divides_decay_from_growth(self):
        for edge in (0.05, 0.2, 0.45):
            star = margin_threshold(edge)
            assert edge < star < 2 * edge
            assert edge_factor(edge, 0.99 * star) < 1 < edge_factor(edge, 1.01 * star)
            assert edge_factor(edge, star) == pytest.approx(1)

    @pytest.mark.parametrize("edge", [0, 0.5, -0.1])
    def test_edges_lie_between_0_and_a_half(self, edge):
        with pytest.raises(ValueError, match="edge"):
            margin_threshold(edge)

    def test_the_bound_with_edges_refuses_margins_for_which_it_is_false(self):
        assert edge_margin_bound(0.25, 0, 3, 2, 0.1) == pytest.approx(1.5)
        with pytest.raises(ValueError, match="theta <= "):
            edge_margin_bound(0.25, 5, 3, 2, 0.51)
        with pytest.raises(ValueError, match="theta >= 0"):
            edge_margin_bound(0.25, 5, 3, 2, -0.1)

    def test_rounds_for_a_margin(self):
        assert rounds_for_margin(100, 4, 2, 0.25, 0.0) == pytest.approx(math.log(200) / (0.5 * math.log(4 / 3)))
        with pytest.raises(ValueError, match="below theta"):
            rounds_for_margin(100, 4, 2, 0.25, 0.3)


class TestGeneralisation:
    SETTING = (3, 2, 0.5, 0.05)

    def test_floats_and_exact_numbers_agree(self):
        exact = (3, 2, Fraction(1, 2), Fraction(1, 20))
        for excess in (code_margin_excess, source_margin_excess, excess_order):
            assert excess(1000, *self.SETTING) == pytest.approx(float(excess(1000, *exact)))
        assert contraction_margin_excess(1000, *self.SETTING, 0.1) == pytest.approx(
            float(contraction_margin_excess(1000, *exact, Fraction(1, 10)))
        )
        assert fixed_eta_margin_excess(1000, *self.SETTING) == pytest.approx(
            float(fixed_eta_margin_excess(1000, *exact))
        )

    def test_where_the_sources_constants_begin_to_say_something(self):
        first = first_informative_size(lambda m: source_margin_excess(m, *self.SETTING))
        assert first == 1_073_383
        assert source_margin_excess(first - 1, *self.SETTING) >= 1

    def test_bounds_fall_with_the_examples(self):
        sizes = (10, 100, 10**4, 10**7)
        for excess in (code_margin_excess, source_margin_excess, lambda m, *a: contraction_margin_excess(m, *a, 0.1)):
            values = [excess(m, *self.SETTING) for m in sizes]
            assert values == sorted(values, reverse=True)

    def test_sizes_are_looked_for_up_to_the_largest(self):
        assert first_informative_size(lambda m: Fraction(2**60 - 1, m)) == 2**60
        assert first_informative_size(lambda m: Fraction(1, 2), least=3) == 3
        # The last number that is looked at need not be the first doubled over and over.
        assert first_informative_size(lambda m: Fraction(7, 2 * m), least=3, most=4) == 4
        assert [first_informative_size(lambda m, n=n: Fraction(n, m)) for n in range(40)] == [
            max(n + 1, 1) for n in range(40)
        ]
        with pytest.raises(ValueError, match="falls below 1"):
            first_informative_size(lambda m: Fraction(2**60, m))

    def test_an_excess_that_does_not_fall_is_told(self):
        with pytest.raises(ValueError, match="falls below 1"):
            first_informative_size(lambda m: 2.0)

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            ((10, 1, 2, 0.5, 0.05), "n_columns"),
            ((10, 3, 0, 0.5, 0.05), "dimension"),
            ((1, 3, 4, 0.5, 0.05), "there have to be d points"),
            ((10, 3, 2, 1.5, 0.05), "theta"),
            ((10, 3, 2, 0.5, 0.0), "delta"),
        ],
    )
    def test_bad_settings_are_named(self, arguments, says):
        for excess in (code_margin_excess, source_margin_excess):
            with pytest.raises(ValueError, match=says):
                excess(*arguments)

    def test_tails_and_covers_by_hand(self):
        assert float(sloppy_cover_tail(3, 1, 8)) == pytest.approx(6 * math.exp(-1))
        assert float(printed_cover_tail(3, 1, 32)) == pytest.approx(3 * math.exp(-1))
        assert float(cover_sloppiness(1, 3, 2)) == pytest.approx(6 * math.exp(-1))
        assert float(cover_size(Fraction(1, 2), 2, 3, 2, 2)) == pytest.approx(2 * (3 * math.e) ** 4)
        assert memorised_share(2, 3) == Fraction(1, 8)


class TestSureEdge:
    def test_the_sure_edge_and_its_witnesses(self):
        A = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])
        found = sure_edge(A)
        assert found.gamma.middle == pytest.approx(1 / 6)
        assert found.mixture.sum() == found.weights.sum() == 1
        assert (found.mixture @ A).min() == 2 * found.gamma.lower
        assert (A @ found.weights).max() == 2 * found.gamma.upper
        with pytest.raises(ValueError, match="agreements"):
            sure_edge([[0, 1]])

    def test_a_pool_may_be_sure_to_be_right_or_wrong(self):
        for agreements, edge in (([[1, 1], [1, -1]], Fraction(1, 2)), ([[-1, -1]], -Fraction(1, 2))):
            found = sure_edge(agreements)
            assert found.gamma.lower == found.gamma.upper == edge
            assert found.mixture[0] == 1


class TestInstances:
    @pytest.mark.parametrize("M", [one_vs_rest_code(3), all_pairs_code(4), hadamard_code(4), complete_code(4)])
    def test_two_rounds_have_their_error(self, M):
        error = Fraction(1, 10)
        sample = two_round_sample(M, error)
        weights = np.array([Fraction(1)] * len(sample.y), dtype=object)
        run = adaboost_mo(FinitePool(sample.pool), M, sample.y, 2, sample_weight=weights)
        assert run.errors.tolist() == [error, error]

    def test_two_rounds_refuse_an_error_for_which_there_are_too_few_examples(self):
        with pytest.raises(ValueError, match="so small"):
            two_round_sample(all_pairs_code(6), Fraction(1, 4))

    def test_two_rounds_have_errors_between_0_and_1(self):
        for error in (0, 1):
            with pytest.raises(ValueError, match="0 < error < 1"):
                two_round_sample(np.array([[-1], [1]]), Fraction(error))

    def test_close_functions_are_close(self):
        made = close_functions(15, Fraction(1, 5), Fraction(1000))
        assert set((made.f - made.g).ravel()) == {Fraction(1, 5)}
        assert max(abs(made.f).max(), abs(made.g).max()) <= 1

    @pytest.mark.parametrize("edge", [0.1, 0.25, 0.4])
    def test_the_reluctant_learner_keeps_its_edge_and_no_more(self, edge):
        M, y = hadamard_code(4), np.arange(20) % 4
        run = adaboost_mo(ReluctantLearner(edge), M, y, 150, keep_history=True)
        assert run.errors.max() <= 0.5 - edge + 1e-9
        last = margins_by_round(run.history, run.steps.astype(float), M, y)[-1]
        assert (np.abs(last - margin_threshold(edge)) < 0.04).all()
        for edge_of_nobody in (0.0, 0.5):
            with pytest.raises(ValueError, match="edge"):
                ReluctantLearner(edge_of_nobody)


class TestRuns:
    def test_columns_by_themselves_are_runs_of_adaboost(self):
        rng = np.random.default_rng(0)
        X, y, M = rng.normal(size=(40, 3)), rng.integers(0, 4, 40), all_pairs_code(4)
        runs = column_runs(lambda rows: StumpLearner(X[rows]), M, y, 5, sample_weight=np.ones(40))
        for s, run in enumerate(runs):
            rows = np.flatnonzero(M[y, s])
            alone = run_adaboost(StumpLearner(X[rows]), M[y, s][rows], 5)
            assert run.errors.tolist() == alone.errors.tolist()

    def test_margins_by_round_are_those_of_the_answers(self):
        rng = np.random.default_rng(1)
        rounds, weights, y = rng.choice([-1, 1], (4, 6, 3)), rng.uniform(0.1, 1, 4), np.arange(6) % 4
        M = hadamard_code(4)
        for t, row in enumerate(margins_by_round(rounds, weights, M, y), start=1):
            F, eta = answers_of(rounds[:t], weights[:t])
            assert row == pytest.approx(decoding_margins(F, M, y, eta))


def test_a_sample_counts_against_a_bound_if_any_function_of_the_class_breaks_it():
    setting = {"theta": Fraction(1, 10), "delta": Fraction(1, 10)}
    breaks, holds = (
        coverage_of(lambda m, excess=excess: ball(excess), setting, 50, np.random.default_rng(0)) for excess in (0, 1)
    )
    assert breaks.refuted
    assert holds.holds
