"""Margin bounds: formulas, finite laws, the block class, coverage."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcbook.foundation.numbers import ball
from mcbook.margin_bounds import (
    MultiLabelLaw,
    ScoredLaw,
    block_complexity,
    block_complexity_limits,
    block_law,
    block_scores,
    drawn_block_complexity,
    fixed_margin_failure,
    free_complexity,
    informative_sample_size,
    kernel_margin_bound,
    margin_bound,
    margins_complexity_bound,
    multi_label_margin_bound,
    random_multi_label_law,
    random_scored_law,
    scores_complexity_bound,
    svm_margin_bound,
    truncated_margins,
    two_block_complexity,
    two_class_margin_bound,
    uniform_failure_limit,
    uniform_margin_bound,
)
from mcbook.margin_bounds.figures import looseness_figure
from mcbook.problem import score_margins

seeds = st.integers(0, 2**32 - 1)
HALF = Fraction(1, 2)


class TestFormulas:
    def test_the_margin_bound_by_hand(self):
        confidence = math.sqrt(math.log(20) / 200)
        assert margin_bound(0.1, 0.02, 0.5, 3, 0.05, 100) == pytest.approx(0.1 + 12 / 0.5 * 0.02 + confidence)
        assert two_class_margin_bound(0.1, 0.02, 0.5, 0.05, 100) == pytest.approx(0.1 + 4 / 0.5 * 0.02 + confidence)

    def test_the_uniform_bound_by_hand(self):
        third, fourth = math.sqrt(math.log(math.log2(8)) / 100), math.sqrt(math.log(40) / 200)
        expected = 0.1 + 24 / 0.25 * 0.02 + third + fourth
        assert uniform_margin_bound(0.1, 0.02, 0.25, 3, 0.05, 100) == pytest.approx(expected)
        assert uniform_margin_bound(0.1, 0.04, 0.5, 3, 0.05, 100, largest_rho=2) == pytest.approx(expected)

    def test_the_kernel_bound_and_its_form_with_slacks_by_hand(self):
        confidence = math.sqrt(math.log(10) / 800)
        assert kernel_margin_bound(0.2, 4, 9, 2, 5, 0.1, 400) == pytest.approx(0.2 + 20 * 6 / (2 * 20) + confidence)
        assert svm_margin_bound(1.7, 4, 9, 5, 0.1, 400) == pytest.approx(1.7 + 20 * 6 / 20 + confidence)

    def test_the_multi_label_bound_by_hand(self):
        expected = 1.3 + 8 / 0.5 * 0.02 + 4 * math.sqrt(math.log(20) / 200)
        assert multi_label_margin_bound(1.3, 0.02, 0.5, 4, 0.05, 100) == pytest.approx(expected)

    def test_the_sample_size_at_which_the_kernel_bound_is_one(self):
        size = informative_sample_size(2, 3, 0.5, 4, 0.05, 0.25)
        assert kernel_margin_bound(0.25, 2, 3, 0.5, 4, 0.05, size) == pytest.approx(1)
        assert informative_sample_size(1, 1, 1, 5) == pytest.approx(16 * 25)

    def test_arrays_broadcast(self):
        sizes, classes = np.array([100, 1000, 10_000]), np.array([[2], [5]])
        values = margin_bound(0.1, 1 / np.sqrt(sizes), 0.5, classes, 0.05, sizes)
        assert values.shape == (2, 3)
        assert values[1, 2] == pytest.approx(margin_bound(0.1, 0.01, 0.5, 5, 0.05, 10_000))
        rhos = np.array([0.25, 0.5, 1.0])
        uniform = uniform_margin_bound(0.1, 0.02, rhos, 3, 0.05, 100)
        assert uniform[2] == pytest.approx(uniform_margin_bound(0.1, 0.02, 1, 3, 0.05, 100))
        assert multi_label_margin_bound(1, 0.1, rhos, 2, 0.05, 100).shape == (3,)
        assert informative_sample_size(1, 1, rhos, classes).shape == (2, 3)

    def test_fractions_are_taken(self):
        whole = margin_bound(Fraction(1, 10), Fraction(1, 50), HALF, 3, Fraction(1, 20), 100)
        assert whole == pytest.approx(margin_bound(0.1, 0.02, 0.5, 3, 0.05, 100))
        uniform = uniform_margin_bound(0, Fraction(1, 50), Fraction(1, 3), 3, Fraction(1, 20), 100)
        assert uniform == pytest.approx(uniform_margin_bound(0.0, 0.02, 1 / 3, 3, 0.05, 100))
        assert scores_complexity_bound(Fraction(1, 3), 4) == Fraction(4, 3)
        assert margins_complexity_bound(Fraction(1, 3), 4) == Fraction(8, 3)

    @pytest.mark.parametrize(
        ("changed", "says"),
        [
            ({"rho": 0}, "rho > 0"),
            ({"rho": np.array([0.5, -1])}, "rho > 0"),
            ({"rho": float("nan")}, "rho > 0"),
            ({"delta": 0}, "0 < delta <= 1"),
            ({"delta": 1.5}, "0 < delta <= 1"),
            ({"n_classes": 1}, "n_classes >= 2"),
            ({"n_samples": 0}, "n_samples >= 1"),
            ({"complexity": -0.1}, "complexity >= 0"),
            ({"empirical_margin_loss": 1.1}, "empirical_margin_loss"),
            ({"empirical_margin_loss": float("nan")}, "empirical_margin_loss"),
        ],
    )
    def test_what_is_outside_the_domain_is_named(self, changed, says):
        arguments = {
            "empirical_margin_loss": 0.1,
            "complexity": 0.1,
            "rho": 0.5,
            "n_classes": 3,
            "delta": 0.05,
            "n_samples": 100,
        }
        with pytest.raises(ValueError, match=says):
            margin_bound(**(arguments | changed))
        with pytest.raises(ValueError, match=says):
            uniform_margin_bound(**(arguments | changed))

    def test_other_domains(self):
        with pytest.raises(ValueError, match="rho <= 1"):
            uniform_margin_bound(0, 0.1, 1.01, 2, 0.1, 10)
        with pytest.raises(ValueError, match="largest_rho > 0"):
            uniform_margin_bound(0, 0.1, 0.5, 2, 0.1, 10, largest_rho=0)
        with pytest.raises(ValueError, match="empirical_margin_loss"):
            informative_sample_size(1, 1, 1, 2, 0.1, 1.0)
        with pytest.raises(ValueError, match="squared_radius >= 0"):
            kernel_margin_bound(0, -1, 1, 1, 2, 0.1, 10)
        with pytest.raises(ValueError, match="mean_slack >= 0"):
            svm_margin_bound(-1, 1, 1, 2, 0.1, 10)
        with pytest.raises(ValueError, match="3 labels"):
            multi_label_margin_bound(3.5, 0.1, 1, 3, 0.1, 10)
        with pytest.raises(ValueError, match="complexity >= 0"):
            multi_label_margin_bound(0, -0.1, 1, 3, 0.1, 10)
        with pytest.raises(ValueError, match="rho > 0"):
            multi_label_margin_bound(0, 0.1, 0, 3, 0.1, 10)


class TestFigures:
    def test_the_bound_the_risk_and_the_loss_are_named(self):
        figure = looseness_figure([1, 10], bound=[2, 0.5], risk=[0.2, 0.2], loss=[0.3, 0.3], xlabel="m", mark=5)
        labels = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        assert labels[:3] == ["margin bound", "true risk", "margin loss on the sample"]
        plt.close(figure)
        with pytest.raises(TypeError, match="risks"):
            looseness_figure([1], bound=[1], risks=[1], loss=[1], xlabel="m")


class TestTruncation:
    @settings(deadline=None, max_examples=40)
    @given(seeds, st.integers(2, 6), st.integers(1, 8))
    def test_it_is_the_minimum_of_margin_and_theta(self, seed, k, theta):
        rng = np.random.default_rng(seed)
        scores, y = rng.integers(-4, 5, (7, k)), rng.integers(0, k, 7)
        assert truncated_margins(scores, y, theta).tolist() == np.minimum(score_margins(scores, y), theta).tolist()

    @pytest.mark.parametrize(
        ("scores", "y", "theta", "says"),
        [
            (np.zeros(3), [0], 1, "n_classes"),
            (np.zeros((2, 3)), [0], 1, "same number of rows"),
            (np.zeros((1, 3)), [3], 1, "labels 0"),
            (np.zeros((1, 3)), [0], 0, "theta > 0"),
        ],
    )
    def test_bad_input_is_named(self, scores, y, theta, says):
        with pytest.raises(ValueError, match=says):
            truncated_margins(scores, y, theta)


class TestLaws:
    def law(self):
        scores = np.array([[[2, 0], [1, 0]], [[0, 1], [0, 0]]], dtype=object)
        return ScoredLaw([Fraction(1, 4), Fraction(3, 4)], scores, [0, 1])

    def test_margins_risks_and_losses_by_hand(self):
        law = self.law()
        assert law.margins.tolist() == [[2, -1], [-1, 0]]
        assert law.risks.tolist() == [Fraction(3, 4), 1]
        assert law.margin_losses(4).tolist() == [[HALF, 1], [1, 1]]
        assert law.own_scores.tolist() == [[2, 0], [0, 0]]
        assert law.highest_scores(1).tolist() == [[1, 1], [1, 0]]
        assert (law.own_scores - law.highest_scores(1) == law.truncated(1)).all()

    def test_the_failure_probability_of_one_function_is_a_binomial_tail(self):
        scores = np.array([[[HALF, -HALF], [HALF, -HALF]]], dtype=object)
        law = ScoredLaw([HALF, HALF], scores, [0, 1])
        m, threshold = 10, Fraction(1, 4)
        tail = sum(Fraction(math.comb(m, errors), 2**m) for errors in range(3))
        assert law.failure(Fraction(1), m, threshold) == tail

    def test_a_bound_that_is_too_small_fails(self):
        law = block_law(2, 2)
        assert law.failure(Fraction(1), 2, Fraction(1, 4)) == 1
        assert law.bound_failure(Fraction(1), 2, lambda loss: loss + Fraction(1, 4)) == 1

    def test_the_bound_is_asked_about_the_loss_of_each_sample(self):
        law = self.law()
        # Losses at rho = 4: (1/2, 1) and (1, 1), risks 3/4 and 1; with two draws the first loss is 1/2, 3/4 or 1.
        for limit, chance in ((HALF, Fraction(1, 16)), (Fraction(3, 4), Fraction(7, 16))):
            found = law.bound_failure(4, 2, lambda loss, limit=limit: 0 if loss <= limit else 2)
            assert found == chance

    def test_a_coin_fails_the_fixed_bound_with_its_binomial_probability(self):
        scores = np.array([[[HALF, -HALF]] * 2], dtype=object)
        law = ScoredLaw([Fraction(1, 10), Fraction(9, 10)], scores, [0, 1])
        m = 100
        limit = margin_bound(0, float(law.complexity(m)), 1, 2, 0.5, m)
        wrong = [n for n in range(m + 1) if 0.9 - n / m > limit]
        chance = sum(math.comb(m, n) * Fraction(9, 10) ** n * Fraction(1, 10) ** (m - n) for n in wrong)
        assert fixed_margin_failure(law, Fraction(1), m, HALF) == chance > 0

    def test_between_two_margins_of_the_grid_the_smaller_loss_counts(self, monkeypatch):
        # A margin of 3/4: no loss at rho = 1/2, a loss of 1/4 at rho = 1; a wrong atom beside it.
        scores = np.array([[[Fraction(3, 4), 0], [1, 0]]], dtype=object)
        law = ScoredLaw([HALF, HALF], scores, [0, 1])
        bound = "mcbook.margin_bounds.algorithm.laws.uniform_margin_bound"
        monkeypatch.setattr(bound, lambda loss, *_: loss + ball(Fraction(3, 10)))
        assert uniform_failure_limit(law, 2, HALF, [HALF, Fraction(1)]) == Fraction(1, 4)
        # Above 1/2 the bound allows more, so only rho up to 1/2 counts, with the share of errors for the loss.
        monkeypatch.setattr(bound, lambda loss, c, rho, *_: loss + ball(1 if float(rho) > 0.5 else Fraction(3, 10)))
        assert uniform_failure_limit(law, 2, HALF, [HALF, Fraction(1)]) == Fraction(1, 4)
        # Up to 1/2 it allows everything, so only rho above 1/2 counts, with the loss at 1/2, which is 0, and not at 1.
        monkeypatch.setattr(bound, lambda loss, c, rho, *_: loss + ball(1 if float(rho) <= 0.5 else Fraction(3, 10)))
        assert uniform_failure_limit(law, 2, HALF, [HALF, Fraction(1)]) == Fraction(1, 4)
        monkeypatch.setattr(bound, lambda loss, *_: loss + ball(Fraction(51, 100)))
        assert uniform_failure_limit(law, 2, HALF, [HALF, Fraction(1)]) == 0

    def test_multi_label_risks_and_losses_by_hand(self):
        scores = np.array([[[2, 1], [1, -3]]], dtype=object)
        signs = np.array([[1, -1], [1, 1]], dtype=object)
        law = MultiLabelLaw([HALF, HALF], scores, signs)
        assert law.risks.tolist() == [1]
        assert law.margin_losses(4).tolist() == [[HALF + 1, Fraction(3, 4) + 1]]

    def test_a_score_of_0_is_a_wrong_label(self):
        law = MultiLabelLaw([1], np.zeros((1, 1, 2), dtype=int), [[1, -1]])
        assert law.risks.tolist() == [2]

    @pytest.mark.parametrize(
        ("make", "says"),
        [
            (lambda: ScoredLaw([1], [[[0, 1]]], [2]), "labels 0 .. 1"),
            (lambda: ScoredLaw([1], [[[0, 1]]], [0, 1]), "same number of rows"),
            (lambda: ScoredLaw([HALF, HALF], [[[0, 1]]], [0, 1]), "same number of rows"),
            (lambda: ScoredLaw([HALF, 1], [[[0, 1]] * 2], [0, 1]), "sum to 1"),
            (lambda: ScoredLaw([1], [[0, 1]], [0]), "n_hypotheses, n_atoms, n_classes"),
            (lambda: MultiLabelLaw([1], [[[0, 1]]], [[1, 0]]), "signs"),
            (lambda: MultiLabelLaw([1], [[[0, 1]]], [[1]]), "each of 2 labels"),
        ],
    )
    def test_what_is_no_law_is_named(self, make, says):
        with pytest.raises(ValueError, match=says):
            make()

    @settings(deadline=None, max_examples=10)
    @given(seeds)
    def test_random_laws_are_laws(self, seed):
        rng = np.random.default_rng(seed)
        for law in (random_scored_law(rng, 2, 3, 4), random_multi_label_law(rng, 2, 3, 4)):
            assert law.probabilities.sum() == 1
            assert law.scores.shape == (2, 3, 4)
            assert law.n_classes == 4


class TestBlocks:
    def test_margins_are_nothing_or_rho(self):
        scores, y = block_scores([0, 1, 2], 3, Fraction(1, 5))
        assert len(scores) == 8
        margins = {m for table in scores for m in score_margins(table, y)}
        assert margins == {0, Fraction(1, 5)}

    def test_the_class_learns_by_heart(self):
        law = block_law(3, 1)
        assert max(law.risks) == 1
        assert max(d for d, _ in law.deviations(Fraction(1), 2)) == Fraction(2, 3)

    def test_closed_form_and_enumeration_agree_and_scale(self):
        assert two_block_complexity(5) == block_complexity(2, 5)
        assert block_complexity(3, 3, Fraction(1, 2)) == block_complexity(3, 3) / 2

    @pytest.mark.parametrize(("k", "m"), [(2, 50), (3, 6), (4, 4)])
    def test_limits_enclose_the_exact_value(self, k, m):
        limits = block_complexity_limits(k, m)
        exact = two_block_complexity(m) if k == 2 else block_complexity(k, m)
        assert Fraction(limits.lower) < exact < Fraction(limits.upper)

    def test_free_scores_on_one_and_on_many_atoms(self):
        assert free_complexity(4, 1) == Fraction(3, 16)
        assert free_complexity(1, 5) == HALF

    def test_drawing_comes_near_the_exact_value(self):
        drawn = drawn_block_complexity(2, 100, 20_000, Random(0))
        assert drawn == pytest.approx(float(two_block_complexity(100)), abs=2e-3)
        drawn = drawn_block_complexity(3, 6, 20_000, Random(0))
        assert drawn == pytest.approx(float(block_complexity(3, 6)), abs=4e-3)

    def test_too_much_to_enumerate_is_named(self):
        with pytest.raises(ValueError, match="block_complexity_limits"):
            block_complexity(5, 100)
        with pytest.raises(ValueError, match="at least 2 classes"):
            block_complexity(1, 3)
