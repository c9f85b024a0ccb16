"""Steps of algorithms on cases small enough for a pencil, where a wrong step would cost no more than time later on."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from mcbook import best_mixture
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
from mcbook.perceptron import binary_perceptron
from mcbook.rademacher.kernels import walk_squared_norms
from mcbook.structured.algorithm.lbfgs import _MOST_TRIALS, _line_search
from mcbook.svm_solvers import Problem
from mcbook.svm_solvers.algorithm.ascent import WeightRun


def test_a_step_that_is_too_long_is_halved_until_it_gains():
    """25 w^2 from w = 1 along the steepest descent: the best length is 1/50, and only lengths below 1/25 gain."""
    length, value, gradient, trials = _line_search(
        lambda w: (25.0 * float(w @ w), 50.0 * w), np.array([1.0]), 25.0, np.array([50.0]), np.array([-50.0])
    )
    assert (length, trials) == (1 / 32, 6)
    assert value == pytest.approx(25 * (1 - 50 / 32) ** 2)
    assert gradient == pytest.approx([50 * (1 - 50 / 32)])


def test_a_step_that_is_too_short_is_doubled():
    length, _, _, trials = _line_search(
        lambda w: (0.005 * float(w @ w), 0.01 * w), np.array([1.0]), 0.005, np.array([0.01]), np.array([-0.01])
    )
    assert length == 2.0 ** (trials - 1) > 1


def test_where_no_length_gains_the_search_is_given_up_after_its_trials():
    tried = []

    def rising(w):
        tried.append(float(w[0]))
        return 1.0 + abs(float(w[0])), np.sign(w)

    assert _line_search(rising, np.array([0.0]), 1.0, np.array([1.0]), np.array([-1.0])) is None
    assert tried == [-(0.5**n) for n in range(_MOST_TRIALS)]


def test_a_mixture_of_thirds_is_exact():
    third = Fraction(1, 3)
    gamma = best_mixture([[third, 0], [0, third]], [0, 1], 2).gamma
    assert gamma.lower == gamma.upper == Fraction(1, 6)


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


def test_an_ascent_begins_with_all_classes_of_all_examples_listed():
    rng = np.random.default_rng(0)
    run = WeightRun(Problem.checked(rng.normal(size=(5, 2)), rng.integers(0, 3, 5), 3, 1.0))
    run.begin()
    assert run.starts.tolist() == [0, 3, 6, 9, 12, 15]
    assert run.listed.tolist() == 5 * [0, 1, 2]
    assert (run.primal, run.dual) == (5, 0)


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
