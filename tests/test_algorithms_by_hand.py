"""Steps of algorithms on cases small enough for a pencil, where a wrong step would cost no more than time later on."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from mcbook import best_mixture
from mcbook.boosting import FinitePool
from mcbook.boosting.algorithm.samme import run_samme
from mcbook.constraint_classification import (
    constraint_programme,
    constraints_from_classes,
    is_shattered,
    lifted_winnow,
    separable_rankings,
    voronoi_sample,
)
from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.compiled import python_original
from mcbook.foundation.proof.exact import ball
from mcbook.output_code_errors import worst_error
from mcbook.output_code_errors.algorithm.worst_case import _best_mixture
from mcbook.output_code_margins import ReluctantLearner, adaboost_mo, column_runs
from mcbook.output_codes import check_code, decoding_scores
from mcbook.perceptron import binary_perceptron
from mcbook.rademacher.kernels import walk_squared_norms


def test_a_mixture_of_thirds_is_exact():
    third = Fraction(1, 3)
    gamma = best_mixture([[third, 0], [0, third]], [0, 1], 2).gamma
    assert gamma.lower == gamma.upper == Fraction(1, 6)


@pytest.mark.parametrize(
    ("costs", "wrong", "budget", "error", "shares"),
    [
        ([0, 4], [False, True], 1, Fraction(1, 4), [Fraction(3, 4), Fraction(1, 4)]),
        ([0, 4], [True, True], 1, 1, [1, 0]),
        ([0, 4, 2], [False, True, True], 1, Fraction(1, 2), [Fraction(1, 2), 0, Fraction(1, 2)]),
        ([2, 3], [True, True], 1, -1, [0]),
    ],
)
def test_the_worst_mixture_within_a_budget(costs, wrong, budget, error, shares):
    found = _best_mixture([Fraction(cost) for cost in costs], np.array(wrong), Fraction(budget))
    assert found == (error, shares)


def test_the_smaller_and_the_larger_of_two_balls():
    arithmetic, (x, y) = arithmetic_of(ball(1), 2)
    assert arithmetic.minimum(x, y) == 1
    assert arithmetic.maximum(x, y) == 2
    assert arithmetic.minimum(3, y) == 2
    assert arithmetic.maximum(3, y) == 3


@pytest.mark.parametrize("n_signs", [2, 3, 4])
def test_a_walk_over_signs_ends_with_the_products_of_its_last_vector(n_signs):
    rng = np.random.default_rng(n_signs)
    K = rng.integers(-5, 6, (n_signs, n_signs))
    K = K + K.T
    s, norms = np.ones(n_signs, dtype=np.int64), np.zeros(2 ** (n_signs - 1), dtype=np.int64)
    expected = [s @ K @ s]
    for t in range(1, len(norms)):
        s[(t & -t).bit_length() - 1] *= -1
        expected.append(s @ K @ s)
    products = K.sum(axis=1)
    python_original(walk_squared_norms)(K, products, norms)
    assert norms.tolist() == expected
    assert products.tolist() == (K @ s).tolist()


def test_a_budget_that_only_pays_for_the_zeros_buys_no_mistake():
    M = [[1, 1, 0], [-1, 0, 1], [0, -1, -1]]
    worst = worst_error(M, Fraction(1, 3))
    assert worst.error.lower == 0
    assert sum(worst.shares) == 1


def test_entries_0_have_no_part_in_margins_that_break_ties():
    # Distances 1/2 and 2, margins 2 and -1 of 3, a fifth of which is added.
    scores = decoding_scores([[1.0, 1.0, 1.0]], [[1, 1, 0], [-1, 0, 0]], ties="margin")
    assert scores[0] == pytest.approx([-1 / 2 + 2 / 15, -2 - 1 / 15])


def test_codes_with_equal_columns_are_boosted():
    M, y, H = np.array([[1, 1], [-1, -1]]), np.array([0, 1]), np.array([[[1, 1], [-1, -1]]])
    assert adaboost_mo(FinitePool(H), M, y, 3).ending == "perfect"
    assert [run.ending for run in column_runs(lambda rows: FinitePool(H[:, rows, :1]), M, y, 3)] == ["perfect"] * 2


def test_a_code_of_fractions_stays_one():
    M = np.array([[Fraction(1, 2), Fraction(1)], [Fraction(-1), Fraction(-1, 3)]])
    assert check_code(M).tolist() == M.tolist()
    assert check_code(M).dtype == object
    assert check_code([[2, 1], [-1, -1]]).dtype == float


def test_the_programme_of_constraints_asks_for_differences_of_scores():
    # Both examples ask for w_0 - w_1 >= 1, which the weights 1/2 and -1/2 give at the cost 1/4.
    found = constraint_programme(np.array([[1.0], [-1.0]]), constraints_from_classes([0, 1], 2), C=1.0)
    assert float(found) == pytest.approx(0.25, abs=1e-6)


def test_points_that_are_equal_cannot_have_different_labels():
    # The same label for both is possible, so not every choice fails.
    assert not is_shattered(np.array([[1, 0], [1, 0]]), [(0, 1), (0, 1)], 2)


def test_lifted_winnow_goes_on_until_a_pass_without_mistakes_or_as_long_as_it_may():
    vectors = np.array([[3, -1], [-1, 2]], dtype=object)
    above, below, mistakes = lifted_winnow(vectors, Fraction(3, 2))
    assert (vectors @ (above - below) > 0).all()
    assert lifted_winnow(vectors, Fraction(3, 2), max_epochs=1)[2].tolist() == [0, 1]
    assert mistakes.tolist() == [0, 1, 1, 0, 1]


def test_the_binary_perceptron_needs_a_last_pass_without_mistakes():
    assert binary_perceptron([[1]], [1], max_epochs=2).updates == [0]
    with pytest.raises(RuntimeError, match="1 passes"):
        binary_perceptron([[1]], [1], max_epochs=1)


def test_where_two_scores_are_equal_there_is_no_ranking_and_no_nearest_centre():
    rng = np.random.default_rng(0)
    for _ in range(5):
        X, _ = separable_rankings(rng, 2, 1, 4, largest=1)
        assert (X != 0).all()
        X, _ = voronoi_sample(rng, [[-1], [1]], 10, largest=1)
        assert (X[:, 0] != 0).all()


def test_a_learner_that_may_just_be_wrong_once_is():
    outputs = ReluctantLearner(0.25).learn(np.full((1, 4), 0.25)).outputs
    assert outputs.tolist() == [[-1, 1, 1, 1]]
    outputs = ReluctantLearner(0.2).learn(np.array([[0.3, -0.3, 0.4]])).outputs
    assert outputs.tolist() == [[-1, -1, 1]]


def test_without_a_question_samme_makes_no_round():
    assert run_samme([[1.0], [1.0], [1.0]], [0, 0, 1], 2, 3).n_rounds == 0
