"""Pruning: bad trees, paths in floats, cross-validation with weights, and the estimator."""

import math

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.pruning import (
    CostedTree,
    PrunedTree,
    between_the_means,
    cost_complexity_path,
    costs_of_nodes,
    link_strength,
    noisy_room,
    occam_bound,
    optimal_prunings_bound,
    tree_costs,
    validated_path,
)
from mcbook.pruning.algorithm.validation import CrossValidation
from mcbook.pruning.estimator import fold_numbers
from mcbook.pruning.instances import all_shapes, two_equal_links
from mcbook.pruning.theory import best_steps
from mcbook.trees import grow_tree, leaves_of
from mcbook.trees.algorithm.weakest_links import costed_tree, prune_tree

LEAVES = [[-1, -1]]
SMALL = costed_tree([[1, 2], [3, 4], *3 * LEAVES], [9, 4, 3, 1, 2])


@parametrize_with_checks([PrunedTree(cv=3, random_state=0)])
def test_estimators_keep_scikit_learns_contract(estimator, check):
    check(estimator)


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: link_strength(3, 1, 1), "n_leaves >= 2"),
        (lambda: optimal_prunings_bound(1, -1), "n_errors >= 0"),
        (lambda: best_steps(-1, 0), "n_inner"),
        (lambda: best_steps(0, -1), "n_errors"),
        *((lambda delta=delta: occam_bound(0.1, 5, 10, delta), "0 < delta < 1") for delta in (0, 1, float("nan"))),
        *(
            (lambda children=children: costed_tree(children, [1] * len(children)), "expected children")
            for children in (
                [[1, 1], [-1, -1]],
                [[0, 1], [-1, -1]],
                [[1, -1], [-1, -1]],
                [[2, 1], [-1, -1]],
                [[1, 2, 3]],
                [[-1, -1], [-1, -1]],
            )
        ),
        (lambda: costed_tree(LEAVES, [1, 2]), "same"),
        (lambda: costed_tree(LEAVES, [math.nan]), "finite"),
        (lambda: costs_of_nodes([[1, 2]], "variance"), "impurity"),
        (lambda: cost_complexity_path(SMALL).leaves_of(3), "one of the 3 trees"),
        (lambda: CrossValidation(np.array([1.0]), np.array([3, 2]), 9).choice("best"), "rule to be one of"),
        (lambda: list(all_shapes(0)), "at least 1|>= 1"),
        (lambda: between_the_means(0), "at least 1|>= 1"),
    ],
)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()


# --- paths -----------------------------------------------------------------------------------------------------------


def test_equally_weak_links_go_together_in_floats_too():
    # Tenths add up to different floats on the two sides; the links are equally weak all the same.
    costs = [0.8, 0.1 + 0.2, 0.1, 0.1, 0.3, 0.1, 0.1]
    path = cost_complexity_path(CostedTree(two_equal_links().children, np.array(costs)))
    assert path.n_leaves.tolist() == [4, 2, 1]


# --- cross-validation ------------------------------------------------------------------------------------------------


def test_one_pass_is_pruning_fold_by_fold():
    X, y = make_classification(240, 5, n_informative=4, n_redundant=0, n_classes=3, flip_y=0.3, random_state=0)
    weight = np.random.default_rng(0).integers(1, 4, 240).astype(float)
    folds = list(StratifiedKFold(4).split(X, y))
    found = validated_path(X, y, 3, folds, weight=weight)
    for penalty in (0.0, 0.001, 0.004, 0.02, 0.2, np.inf):
        wrong = 0.0
        for inside, outside in folds:
            tree = grow_tree(X[inside], y[inside], 3, weight=weight[inside])
            path = cost_complexity_path(tree_costs(tree))
            small = prune_tree(tree, path.leaves_of(path.place_of(penalty * weight[inside].sum())))
            says = small.value[leaves_of(small, X[outside])].argmax(axis=1)
            wrong += weight[outside][says != y[outside]].sum()
        assert found.validation.at(penalty) == pytest.approx(wrong)
    assert found.validation.n_samples == weight.sum()


def test_the_penalty_that_is_chosen():
    found = CrossValidation(np.array([1.0, 4.0, 9.0]), np.array([30, 20, 24, 60]), 100)
    assert (found.least, found.standard_error) == (20, pytest.approx(4))
    assert found.choice() == pytest.approx(2)
    assert found.choice("one standard error") == pytest.approx(6)
    # Among equals the largest penalty; penalties below zero are no choice.
    cases = [([1.0, 4.0], [3, 3, 5], 2), ([1.0, 4.0], [3, 3, 3], math.inf), ([1.0], [3, 4], 0)]
    cases += [([0.0, 2.0], [1, 5, 4], math.inf), ([0.0, 2.0], [1, 3, 4], 0)]
    for thresholds, errors, penalty in cases:
        assert CrossValidation(np.array(thresholds), np.array(errors), 9).choice() == pytest.approx(penalty)


def test_equal_examples_share_a_fold_and_order_does_not_matter():
    for seed, n_folds in enumerate((2, 3, 5, 7, 60)):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(0, 4, (50, 2)).astype(float), rng.integers(0, 3, 50)
        numbers = fold_numbers(X, y, n_folds, 7)
        table = {}
        for row, label, number in zip(X.tolist(), y.tolist(), numbers.tolist(), strict=True):
            assert table.setdefault((*row, label), number) == number
        order = rng.permutation(50)
        assert fold_numbers(X[order], y[order], n_folds, 7).tolist() == numbers[order].tolist()
        assert set(numbers.tolist()) == set(range(min(n_folds, len(table))))
    X, y = np.random.default_rng(0).normal(size=(100, 2)), np.repeat([0, 1, 2], [60, 30, 10])
    numbers = fold_numbers(X, y, 10, 0)
    assert all(np.bincount(y[numbers == fold]).tolist() == [6, 3, 1] for fold in range(10))
    # Zero has no sign, and missing values are values.
    numbers = fold_numbers(np.array([[0.0], [-0.0], [np.nan], [np.nan]]), np.zeros(4, dtype=int), 2, 0)
    assert numbers[0] == numbers[1] != numbers[2] == numbers[3]


# --- a tree that is grown, cross-validated and pruned ----------------------------------------------------------------


def test_pruning_removes_noise():
    X, y = noisy_room(np.random.default_rng(0), 400, 0.15)
    fresh, truth = noisy_room(np.random.default_rng(1), 2000, 0.15)
    model = PrunedTree(random_state=0).fit(X, y)
    full = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert model.tree_.n_leaves < 12 < model.full_tree_.n_leaves
    assert model.score(fresh, truth) > full.score(fresh, truth) + 0.05
    constant = PrunedTree(random_state=0).fit(np.zeros((60, 3)), np.r_[np.zeros(45), np.ones(15)])
    assert (constant.tree_.n_leaves, constant.ccp_alpha_) == (1, math.inf)


@pytest.mark.parametrize("parameters", [{"rule": "best"}, {"prune_by": "variance"}, {"min_samples_leaf": 0}], ids=str)
def test_bad_parameters_are_refused(parameters):
    X, y = noisy_room(np.random.default_rng(0), 30, 0.1)
    with pytest.raises(ValueError, match=next(iter(parameters))):
        PrunedTree(**parameters).fit(X, y)
