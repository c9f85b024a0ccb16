"""The least and the largest value that a parameter may have is taken, and what lies beyond is refused by name."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from mcbook.boosting import FinitePool
from mcbook.boosting.algorithm.coordinates import coordinate_descent
from mcbook.boosting.algorithm.samme import run_samme
from mcbook.boosting.algorithm.worst_case import _checked
from mcbook.boosting.instances import independent_errors, worst_sample
from mcbook.boosting_many_labels import one_label_wrong
from mcbook.boosting_many_labels.algorithm.mean_margin import run_mean_margin
from mcbook.boosting_many_labels.instances import label_blind_pool
from mcbook.constraint_classification import constraints_from_classes
from mcbook.constraint_classification.algorithm.machine import solve_constraint_machine
from mcbook.constraint_classification.algorithm.run import run_constraint_winnow, run_constraints
from mcbook.forests.algorithm.bootstrap import all_bootstraps
from mcbook.forests.algorithm.growth import grow_forest
from mcbook.forests.instances import worst_vote_law
from mcbook.impurities.instances import uniform_shares
from mcbook.output_code_errors.algorithm.worst_case import lagrangian_bound
from mcbook.output_code_margins.instances import close_functions
from mcbook.output_codes.algorithm.codes import random_dense_code, repetition_code
from mcbook.output_codes.algorithm.design import separable_dichotomies
from mcbook.perceptron import run_perceptron
from mcbook.pruning.instances import all_shapes, between_the_means
from mcbook.rademacher import monte_carlo_complexity
from mcbook.structured import chains, structures
from mcbook.structured.algorithm.perceptron import run_structured_perceptron
from mcbook.structured.algorithm.training import fit_likelihood
from mcbook.structured_margins import chain_problem, solve_block_steps
from mcbook.structured_margins.algorithm.kept import solve_kept_labellings
from mcbook.trees import grow_tree
from mcbook.weak_learning.algorithm.equal_votes import boost_by_majority, vote_with_constant_step
from mcbook.weak_learning.algorithm.filtering import boost_by_filtering
from mcbook.weak_learning.algorithm.selection import choice_fails, worse_is_kept
from mcbook.weak_learning.instances import mostly_plus_concepts, uniform_only_pool
from mcbook.winnow.algorithm.machines import balanced_winnow, multiplicative_run
from mcbook.winnow.algorithm.run import run_winnow

HALF, SIXTH = Fraction(1, 2), Fraction(1, 6)
X, Y = np.array([[1, 0], [0, 1]], dtype=object), np.array([0, 1])
A = np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]])
ONES = np.ones(3, dtype=int)
POINTS, LABELS = [[1.0, 0.0], [2.0, 1.0], [4.0, 0.0], [5.0, 1.0]], [0, 0, 1, 1]
SAMPLE = one_label_wrong(2, 3)
PAIRS = constraints_from_classes([0, 1], 2)
SEQUENCES = structures([[1.0], [-1.0]], chains([1, 1]))
TWO = chain_problem(SEQUENCES, Y, 2, C=1.0)


def filtered(n_rounds, n_kept):
    return boost_by_filtering(itertools.cycle(range(3)), A, SIXTH, n_rounds, n_kept, np.random.default_rng(0))


# The least value of each, and what is called with it.
LEAST = {
    "winnow's epochs": (1, lambda n: run_winnow(X, Y, 2, factor=2, max_epochs=n)),
    "multiplicative epochs": (1, lambda n: multiplicative_run(np.array([[1, 1]], dtype=object), 2, max_epochs=n)),
    "balanced epochs": (1, lambda n: balanced_winnow(np.array([[1, 0]], dtype=object), [1], 2, max_epochs=n)),
    "the Perceptron's epochs": (1, lambda n: run_perceptron(X, Y, 2, max_epochs=n)),
    "epochs of constraints": (1, lambda n: run_constraints(X, PAIRS, max_epochs=n)),
    "epochs of constraints by Winnow": (1, lambda n: run_constraint_winnow(X, PAIRS, max_epochs=n)),
    "epochs of the machine": (1, lambda n: solve_constraint_machine(np.eye(2), PAIRS, max_epochs=n)),
    "epochs on sequences": (1, lambda n: run_structured_perceptron(SEQUENCES, Y, 2, max_epochs=n)),
    "steps of a random field": (1, lambda n: fit_likelihood(SEQUENCES, Y, 2, 1.0, max_iter=n)),
    "block steps": (1, lambda n: solve_block_steps(TWO, max_iter=n)),
    "rounds of kept labellings": (1, lambda n: solve_kept_labellings(TWO, max_iter=n)),
    "trees": (1, lambda n: grow_forest(POINTS, LABELS, n_trees=n)),
    "features of a forest": (1, lambda n: grow_forest(POINTS, LABELS, n_trees=1, max_features=n)),
    "features of a tree": (1, lambda n: grow_tree(POINTS, LABELS, max_features=n)),
    "examples of a bootstrap": (1, lambda n: list(all_bootstraps(n))),
    "rounds of SAMME": (1, lambda n: run_samme(POINTS, LABELS, 2, n)),
    "steps of descent": (1, lambda n: coordinate_descent(A, ONES, n)),
    "rounds of mean margins": (1, lambda n: run_mean_margin(FinitePool(SAMPLE.H), SAMPLE.Y, n)),
    "independent rounds": (1, lambda n: independent_errors(Fraction(1, 4), n)),
    "worst rounds": (1, lambda n: worst_sample(Fraction(1, 4), n)),
    "rounds of the worst case": (1, lambda n: _checked(Fraction(1, 4), n, 0)),
    "the margin of the worst case": (-1, lambda theta: _checked(Fraction(1, 4), 3, theta)),
    "examples without labels": (1, lambda n: label_blind_pool(n, 2)),
    "rounds by majority": (1, lambda n: boost_by_majority(FinitePool(A), ONES, SIXTH, n)),
    "rounds of a constant step": (1, lambda n: vote_with_constant_step(FinitePool(A), ONES, Fraction(2), n)),
    "the constant step": (1, lambda step: vote_with_constant_step(FinitePool(A), ONES, Fraction(step), 2)),
    "rounds by filtering": (1, lambda n: filtered(n, 5)),
    "what filtering keeps": (1, lambda n: filtered(1, n)),
    "fresh examples": (0, lambda n: worse_is_kept(n, HALF, Fraction(0))),
    "fresh examples of a choice": (0, lambda n: choice_fails(HALF, 1, n, Fraction(0), HALF)),
    "runs to choose from": (1, lambda n: choice_fails(HALF, n, 2, Fraction(0), HALF)),
    "bits": (2, uniform_only_pool),
    "points of concepts": (4, mostly_plus_concepts),
    "times": (1, lambda n: repetition_code(A, n)),
    "columns": (1, lambda n: random_dense_code(2, n, 3, 0)),
    "candidates": (1, lambda n: random_dense_code(4, 5, n, 0)),
    "columns of close functions": (2, lambda n: close_functions(n, Fraction(1, 10), Fraction(5))),
    "points to split": (2, lambda n: separable_dichotomies(np.arange(n)[:, None])),
    "leaves": (1, lambda n: list(all_shapes(n))),
    "steps between the means": (1, between_the_means),
    "classes of shares": (1, uniform_shares),
    "draws": (1, lambda n: monte_carlo_complexity(np.eye(2), n, np.random.default_rng(0))),
    "a multiplier": (0, lambda lam: lagrangian_bound([1, 1], [-1, 1], Fraction(lam))),
}


@pytest.mark.parametrize("what", LEAST)
def test_the_least_value_is_taken_and_none_below(what):
    least, call = LEAST[what]
    call(least)
    with pytest.raises(ValueError, match=rf"^expected (.* >= {least}|at least {least} .*|{least} <= .*), got"):
        call(least - 1)


# What is called with a share for which neither end has a meaning.
OPEN = {
    "the gap of block steps": lambda tol: solve_block_steps(TWO, tol=tol, max_iter=1),
    "the gap of kept labellings": lambda tol: solve_kept_labellings(TWO, tol=tol, max_iter=1),
    "twice the edge by majority": lambda share: boost_by_majority(FinitePool(A), ONES, share / 2, 1),
    "twice the edge by filtering": lambda share: boost_by_filtering(
        itertools.cycle(range(3)), A, share / 2, 1, 1, np.random.default_rng(0)
    ),
    "twice the error of the worst sample": lambda share: worst_sample(share / 2, 1),
    "twice the error of the worst case": lambda share: _checked(share / 2, 3, 0),
}


@pytest.mark.parametrize("what", OPEN)
def test_neither_end_of_an_open_interval_is_taken(what):
    OPEN[what](HALF)
    for end in (Fraction(0), Fraction(1)):
        with pytest.raises(ValueError, match=r"^expected 0 < .* < 1, got"):
            OPEN[what](end)


def test_the_largest_value_is_taken_and_none_above():
    assert 0.98 < worst_vote_law(Fraction(99, 100), Fraction(1, 100)).strength < 1
    with pytest.raises(ValueError, match="strength <= 99/100"):
        worst_vote_law(Fraction(991, 1000), Fraction(1, 100))
    grow_forest(POINTS, LABELS, n_trees=1, max_features=2)
    with pytest.raises(ValueError, match="max_features <= 2, got 3: no more features"):
        grow_forest(POINTS, LABELS, n_trees=1, max_features=3)
    assert worse_is_kept(1, Fraction(1, 4), Fraction(3, 4)) >= 0
    with pytest.raises(ValueError, match="they exclude each other"):
        worse_is_kept(1, Fraction(1, 2), Fraction(3, 4))


def test_one_label_is_enough_for_the_perceptron_on_sequences():
    run = run_structured_perceptron(SEQUENCES, np.array([0, 0]), 1)
    assert (run.converged, run.n_updates) == (True, 0)
