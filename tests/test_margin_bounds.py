"""Margin bounds: kinds of numbers, finite distributions, the block class, coverage."""

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from sklearn.datasets import load_digits

from mcbook.foundation.numbers import ball
from mcbook.foundation.proof import Verdict
from mcbook.margin_bounds import (
    ScoredDistribution,
    block_complexity,
    block_complexity_limits,
    bound_coverage,
    drawn_block_complexity,
    fixed_margin_failure,
    free_complexity,
    informative_sample_size,
    kernel_margin_bound,
    label_by_label_complexity_bound,
    labels_margin_bound,
    margin_bound,
    means_weights,
    multi_label_margin_bound,
    recovered_rows,
    scores_complexity_bound,
    solve_group_norm_dual,
    solve_group_norm_primal,
    svm_margin_bound,
    truncated_margins,
    two_block_complexity,
    two_class_margin_bound,
    uniform_margin_bound,
    unit_atoms,
    vector_contraction_bound,
)
from mcbook.margin_bounds.algorithm.distributions import MultiLabelDistribution, uniform_failure_limit
from mcbook.margin_bounds.instances.blocks import block_distribution

HALF = Fraction(1, 2)
EYE, PAIR = np.eye(2), np.array([0, 1])


# Formulas.


GOOD = {"empirical_margin_loss": 0.1, "complexity": 0.1, "rho": 0.5, "n_classes": 3, "delta": 0.05, "n_samples": 100}
CHANGES = [
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
]
REFUSED = [
    *((lambda b=b, c=c: b(**(GOOD | c)), says) for b in (margin_bound, uniform_margin_bound) for c, says in CHANGES),
    (lambda: two_class_margin_bound(1.1, 0.1, 1, 0.1, 10), "empirical_margin_loss"),
    (lambda: labels_margin_bound(0, 0.1, 1, 1, 0.1, 10), "n_classes >= 2"),
    *((lambda b=b: b(1, 1), "n_classes >= 2") for b in (scores_complexity_bound, label_by_label_complexity_bound)),
    (lambda: vector_contraction_bound(1, -1), "lipschitz >= 0"),
    (lambda: uniform_margin_bound(0, 0.1, 1.01, 2, 0.1, 10), "rho <= 1"),
    (lambda: uniform_margin_bound(0, 0.1, 0.5, 2, 0.1, 10, largest_rho=0), "largest_rho > 0"),
    (lambda: informative_sample_size(1, 1, 1, 2, 0.1, 1.0), "empirical_margin_loss"),
    (lambda: kernel_margin_bound(0, -1, 1, 1, 2, 0.1, 10), "squared_radius >= 0"),
    (lambda: svm_margin_bound(-1, 1, 1, 2, 0.1, 10), "mean_slack >= 0"),
    (lambda: multi_label_margin_bound(3.5, 0.1, 1, 3, 0.1, 10), "3 labels"),
    (lambda: multi_label_margin_bound(0, -0.1, 1, 3, 0.1, 10), "complexity >= 0"),
    (lambda: multi_label_margin_bound(0, 0.1, 0, 3, 0.1, 10), "rho > 0"),
    (lambda: multi_label_margin_bound(0, 1, 1, 0, HALF, 1), "n_classes >= 1"),
    (lambda: truncated_margins(np.zeros(3), [0], 1), "n_classes"),
    (lambda: truncated_margins(np.zeros((2, 3)), [0], 1), "same number of rows"),
    (lambda: truncated_margins(np.zeros((1, 3)), [3], 1), "labels 0"),
    (lambda: truncated_margins(np.zeros((1, 3)), [0], 0), "theta > 0"),
    (lambda: ScoredDistribution([1], [[[0, 1]]], [2]), r"labels 0 \.\. 1"),
    (lambda: ScoredDistribution([1], [[[0, 1]]], [0, 1]), "same number of rows"),
    (lambda: ScoredDistribution([HALF, 1], [[[0, 1]] * 2], [0, 1]), "sum to 1"),
    (lambda: ScoredDistribution([1], [[0, 1]], [0]), "n_hypotheses, n_atoms, n_classes"),
    (lambda: MultiLabelDistribution([1], [[[0, 1]]], [[1, 0]]), "signs"),
    (lambda: MultiLabelDistribution([1], [[[0, 1]]], [[1]]), "each of 2 labels"),
    (lambda: block_complexity(5, 100), "block_complexity_limits"),
    (lambda: block_complexity(1, 3), "at least 2 classes"),
    (lambda: solve_group_norm_dual(EYE, PAIR, 2, 1, p=0.5), "p >= 1"),
    (lambda: recovered_rows(EYE, EYE, 1), "p > 1"),
    (lambda: solve_group_norm_primal(EYE, PAIR, 2, 0), "C > 0"),
    (lambda: solve_group_norm_primal(EYE, np.array([0, 2]), 2, 1), r"labels 0 \.\. 1"),
    (lambda: solve_group_norm_dual(-EYE, PAIR, 2, 1), "semi-definite"),
    (lambda: unit_atoms(EYE, [0, 1], 3), "all 3 classes"),
    (lambda: unit_atoms(EYE, [0], 2), "same number of rows"),
    (lambda: unit_atoms([[0.0], [1.0], [-1.0]], [0, 1, 0], 2), "mean of all"),
]


@pytest.mark.parametrize(("call", "says"), REFUSED)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()


# Finite distributions.


def small_distribution():
    scores = np.array([[[2, 0], [1, 0]], [[0, 1], [0, 0]]], dtype=object)
    return ScoredDistribution([Fraction(1, 4), Fraction(3, 4)], scores, [0, 1])


def test_failures_have_the_probability_of_the_samples_that_show_them():
    coin = ScoredDistribution([HALF, HALF], [[[HALF, -HALF], [HALF, -HALF]]], [0, 1])
    assert coin.failure(Fraction(1), 10, Fraction(1, 4)) == sum(Fraction(math.comb(10, n), 2**10) for n in range(3))
    blocks = block_distribution(2, 2)
    assert blocks.failure(Fraction(1), 2, Fraction(1, 4)) == 1
    assert blocks.bound_failure(Fraction(1), 2, lambda loss: loss + Fraction(1, 4)) == 1
    # Losses at rho = 4: (1/2, 1) and (1, 1), risks 3/4 and 1; with two draws the first loss is 1/2, 3/4 or 1.
    for limit, chance in ((HALF, Fraction(1, 16)), (Fraction(3, 4), Fraction(7, 16))):
        assert small_distribution().bound_failure(4, 2, lambda loss, limit=limit: 0 if loss <= limit else 2) == chance


def test_a_coin_fails_the_fixed_bound_with_its_binomial_probability():
    distribution, m = ScoredDistribution([Fraction(1, 10), Fraction(9, 10)], [[[HALF, -HALF]] * 2], [0, 1]), 100
    limit = margin_bound(0, float(distribution.complexity(m)), 1, 2, 0.5, m)
    wrong = [n for n in range(m + 1) if 0.9 - n / m > limit]
    chance = sum(math.comb(m, n) * Fraction(9, 10) ** n * Fraction(1, 10) ** (m - n) for n in wrong)
    assert fixed_margin_failure(distribution, Fraction(1), m, HALF) == chance > 0


def test_between_two_margins_of_the_grid_the_smaller_loss_counts(monkeypatch):
    # A margin of 3/4: no loss at rho = 1/2, a loss of 1/4 at rho = 1; a wrong atom beside it.
    distribution = ScoredDistribution([HALF, HALF], np.array([[[Fraction(3, 4), 0], [1, 0]]], dtype=object), [0, 1])
    # Where the bound allows everything on one side of 1/2, only the other side counts: up to 1/2 with the share of
    # errors for the loss, above it with the loss at 1/2, which is 0, and not with that at 1.
    for excess, failure in (
        (lambda rho: Fraction(3, 10), Fraction(1, 4)),
        (lambda rho: 1 if rho > 0.5 else Fraction(3, 10), Fraction(1, 4)),
        (lambda rho: 1 if rho <= 0.5 else Fraction(3, 10), Fraction(1, 4)),
        (lambda rho: Fraction(51, 100), 0),
    ):
        monkeypatch.setattr(
            "mcbook.margin_bounds.algorithm.distributions.uniform_margin_bound",
            lambda loss, c, rho, *_, excess=excess: loss + ball(excess(float(rho))),
        )
        assert uniform_failure_limit(distribution, 2, HALF, [HALF, Fraction(1)]) == failure


# The block class.


def test_complexities_of_blocks_in_closed_form_enumerated_enclosed_and_drawn():
    assert two_block_complexity(5) == block_complexity(2, 5)
    assert block_complexity(3, 3, HALF) == block_complexity(3, 3) / 2
    assert free_complexity(4, 1) == Fraction(3, 16)
    for k, m in ((2, 50), (3, 6), (4, 4)):
        limits, exact = block_complexity_limits(k, m), two_block_complexity(m) if k == 2 else block_complexity(k, m)
        assert Fraction(limits.lower) < exact < Fraction(limits.upper)
    assert drawn_block_complexity(2, 100, 20_000, Random(0)) == pytest.approx(
        float(two_block_complexity(100)), abs=2e-3
    )
    assert drawn_block_complexity(3, 6, 20_000, Random(0)) == pytest.approx(float(block_complexity(3, 6)), abs=4e-3)


# Rows of the SVM of the longest row, and bounds on ordinary data.


def test_short_rows_are_kept_and_the_unit_of_the_features_does_not_matter():
    assert recovered_rows([[1, -0.99998, -0.00002]], [[1]], 2).ravel() == pytest.approx([1, -0.99998, -0.00002])
    # v = (1, -0.7, -0.3): all lengths count, the short one too.
    assert recovered_rows([[1.0, -0.7, -0.3]], [[1.0]]).ravel() == pytest.approx([2, -2, -2])
    assert recovered_rows([[1.0, -1.0, 0.0]], [[1.0]])[2, 0] == 0
    for p in (2, 4, math.inf):
        for scale in (1e-6, 1e6):
            rows = recovered_rows([[1.0, -0.7, -0.3]], [[scale]], p)
            assert rows == pytest.approx(scale * recovered_rows([[1.0, -0.7, -0.3]], [[1.0]], p))


def test_means_of_digits_stay_within_the_bound():
    """Without the complexity term the bound is refuted."""
    atoms = unit_atoms(*load_digits(return_X_y=True), 10)
    W = means_weights(atoms, atoms.draw(500, np.random.default_rng(0)))
    assert np.linalg.norm(atoms.X, axis=1) == pytest.approx(1)
    assert np.linalg.norm(W, axis=1).max() == pytest.approx(1)
    assert W.sum(axis=0) == pytest.approx(0, abs=1e-12)
    assert atoms.risk(W) < 0.2
    once = np.zeros(len(atoms.y), dtype=int)
    once[3] = 7
    assert atoms.empirical_margin_loss(W, once, 2.0) == pytest.approx(np.clip(1 - atoms.margins(W)[3] / 2, 0, 1))
    rng = np.random.default_rng(1)
    assert bound_coverage(atoms, 0.3, 10**6, 0.1, 100, rng).verdict is Verdict.HOLDS
    assert bound_coverage(atoms, 0.3, 10, 0.1, 100, rng, 0.0).verdict is Verdict.REFUTED
