"""The least value of a number of rounds, steps or examples is taken, and one below is refused by name."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from mcbook.boosting import FinitePool
from mcbook.boosting.algorithm.coordinates import coordinate_descent
from mcbook.boosting.algorithm.samme import run_samme
from mcbook.boosting.instances import independent_errors, worst_sample
from mcbook.boosting_many_labels import one_label_wrong
from mcbook.boosting_many_labels.algorithm.mean_margin import run_mean_margin
from mcbook.boosting_many_labels.instances import label_blind_pool
from mcbook.output_code_errors.algorithm.worst_case import lagrangian_bound
from mcbook.output_code_margins.instances import close_functions
from mcbook.output_codes.algorithm.codes import random_dense_code, repetition_code
from mcbook.output_codes.algorithm.design import separable_dichotomies
from mcbook.structured import chains, structures
from mcbook.structured.algorithm.perceptron import run_structured_perceptron
from mcbook.structured.algorithm.training import fit_likelihood
from mcbook.structured_margins import chain_problem
from mcbook.structured_margins.algorithm.block_steps import solve_block_steps
from mcbook.structured_margins.algorithm.working_set import solve_working_set
from mcbook.weak_learning.algorithm.equal_votes import boost_by_majority, vote_with_constant_step
from mcbook.weak_learning.algorithm.filtering import boost_by_filtering
from mcbook.weak_learning.algorithm.selection import choice_fails, worse_is_kept
from mcbook.weak_learning.instances import mostly_plus_concepts, uniform_only_pool

HALF, QUARTER, SIXTH, NONE = Fraction(1, 2), Fraction(1, 4), Fraction(1, 6), Fraction(0)
A, ONES, Y = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]]), np.ones(3, dtype=int), np.array([0, 1])
POINTS, LABELS, SAMPLE = [[1.0, 0.0], [2.0, 1.0], [4.0, 0.0], [5.0, 1.0]], [0, 0, 1, 1], one_label_wrong(2, 3)
SEQUENCES = structures([[1.0], [-1.0]], chains([1, 1]))
TWO = chain_problem(SEQUENCES, Y, 2, C=1.0)


def filtered(edge, n_rounds, n_kept):
    return boost_by_filtering(itertools.cycle(range(3)), A, edge, n_rounds, n_kept, np.random.default_rng(0))


LEAST = [
    (1, lambda n: run_structured_perceptron(SEQUENCES, Y, 2, max_epochs=n)),
    (1, lambda n: fit_likelihood(SEQUENCES, Y, 2, 1.0, max_iter=n)),
    (1, lambda n: solve_block_steps(TWO, max_iter=n)),
    (1, lambda n: solve_working_set(TWO, max_iter=n)),
    (1, lambda n: run_samme(POINTS, LABELS, 2, n)),
    (1, lambda n: coordinate_descent(A, ONES, n)),
    (1, lambda n: run_mean_margin(FinitePool(SAMPLE.H), SAMPLE.Y, n)),
    (1, lambda n: independent_errors(QUARTER, n)),
    (1, lambda n: worst_sample(QUARTER, n)),
    (1, lambda n: label_blind_pool(n, 2)),
    (1, lambda n: boost_by_majority(FinitePool(A), ONES, SIXTH, n)),
    (1, lambda n: vote_with_constant_step(FinitePool(A), ONES, Fraction(2), n)),
    (1, lambda step: vote_with_constant_step(FinitePool(A), ONES, Fraction(step), 2)),
    (1, lambda n: filtered(SIXTH, n, 5)),
    (1, lambda n: filtered(SIXTH, 1, n)),
    (0, lambda n: worse_is_kept(n, HALF, NONE)),
    (0, lambda n: choice_fails(HALF, 1, n, NONE, HALF)),
    (1, lambda n: choice_fails(HALF, n, 2, NONE, HALF)),
    (2, uniform_only_pool),
    (4, mostly_plus_concepts),
    (1, lambda n: repetition_code(A, n)),
    (1, lambda n: random_dense_code(2, n, 3, 0)),
    (1, lambda n: random_dense_code(4, 5, n, 0)),
    (2, lambda n: close_functions(n, Fraction(1, 10), Fraction(5))),
    (2, lambda n: separable_dichotomies(np.arange(n)[:, None])),
    (0, lambda lam: lagrangian_bound([1, 1], [-1, 1], Fraction(lam))),
]
# What is called with a share for which neither end has a meaning.
OPEN = [
    lambda tol: solve_block_steps(TWO, tol=tol, max_iter=1),
    lambda tol: solve_working_set(TWO, tol=tol, max_iter=1),
    lambda share: boost_by_majority(FinitePool(A), ONES, share / 2, 1),
    lambda share: filtered(share / 2, 1, 1),
    lambda share: worst_sample(share / 2, 1),
]


def test_the_least_value_is_taken_and_none_below():
    for least, call in LEAST:
        call(least)
        with pytest.raises(ValueError, match=rf"^expected (.* >= {least}|at least {least} .*|{least} <= .*), got"):
            call(least - 1)


def test_neither_end_of_an_open_interval_is_taken():
    for call in OPEN:
        call(HALF)
        for end in (Fraction(0), Fraction(1)):
            with pytest.raises(ValueError, match=r"^expected 0 < .* < 1, got"):
                call(end)


def test_one_label_is_enough_for_the_perceptron_on_sequences():
    run = run_structured_perceptron(SEQUENCES, np.array([0, 0]), 1)
    assert (run.converged, run.n_updates) == (True, 0)
