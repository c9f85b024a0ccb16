"""What a parameter is for is seen in what was learnt: those that no other test sets."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import RidgeClassifier
from sklearn.tree import DecisionTreeClassifier

from mcbook import (
    AdaBoost,
    AdaBoostMH,
    AdaBoostMO,
    AdaBoostMR,
    Bagging,
    ConstraintClassifier,
    DecisionTree,
    DecisionTreeRegressor,
    KernelMulticlassSVM,
    KnockOut,
    LinearSVM,
    MulticlassSVM,
    MulticlassWinnow,
    PrunedTree,
    RandomForest,
)

RNG = np.random.default_rng(0)
X = np.round(RNG.normal(size=(90, 4)), 3)
Y = (X @ RNG.normal(size=(4, 3)) + RNG.normal(size=(90, 3))).argmax(axis=1)
TWO = (X[:, 0] + X[:, 1] > 0).astype(int)
RANDOM_STUMP = DecisionTreeClassifier(max_depth=1, max_features=1)


def leaf(tree):
    return tree.weight[tree.feature < 0]


def gain(tree):
    """By how much each split lowers the impurity, as a share of the whole weight."""
    inner = np.flatnonzero(tree.feature >= 0)
    total = tree.weight * tree.impurity / tree.weight[0]
    return total[inner] - total[tree.children[inner]].sum(axis=1)


RULES = [
    ({"max_depth": 2}, lambda tree: tree.depth.max() == 2),
    ({"min_samples_leaf": 9}, lambda tree: leaf(tree).min() >= 9),
    ({"min_samples_split": 30}, lambda tree: tree.weight[tree.feature >= 0].min() >= 30),
    ({"max_leaf_nodes": 4}, lambda tree: tree.n_leaves == 4),
    ({"min_weight_fraction_leaf": 0.2}, lambda tree: leaf(tree).min() >= 0.2 * tree.weight[0]),
    ({"min_impurity_decrease": 0.04}, lambda tree: gain(tree).min() >= 0.04 > gain(tree).min() / 10),
]


@pytest.mark.parametrize(("rule", "holds"), RULES, ids=lambda value: str(value) if isinstance(value, dict) else "")
def test_rules_of_growth_hold_in_every_tree(rule, holds):
    grown = [
        DecisionTree(**rule).fit(X, Y).tree_,
        DecisionTreeRegressor(**rule).fit(X, X[:, 0] + Y).tree_,
        *RandomForest(4, random_state=0, **rule).fit(X, Y).forest_.trees,
    ]
    if next(iter(rule)) in PrunedTree().get_params():
        grown.append(PrunedTree(cv=3, random_state=0, **rule).fit(X, Y).full_tree_)
    assert all(map(holds, grown))
    assert not holds(DecisionTree().fit(X, Y).tree_)


def test_a_tree_draws_features_with_its_seed():
    for tree in (DecisionTree(max_features=1), DecisionTreeRegressor(max_features=1)):
        grown = [tree.set_params(random_state=seed).fit(X, Y).tree_ for seed in (0, 0, 1)]
        first, again, other = (one.feature.tolist() for one in grown)
        assert first == again != other


def test_questions_and_leaves_have_their_own_impurity():
    forests = [RandomForest(4, criterion=one, random_state=0).fit(X, Y).forest_ for one in ("gini", "entropy")]
    gini, entropy = (forest.trees[0].impurity[0] for forest in forests)
    assert entropy > gini > 0
    grown = {one: PrunedTree(cv=3, criterion=one, random_state=0).fit(X, Y) for one in ("gini", "entropy")}
    assert grown["gini"].full_tree_.impurity[0] < grown["entropy"].full_tree_.impurity[0]
    share = np.bincount(Y) / len(Y)
    costs = {
        one: PrunedTree(cv=3, prune_by=one, random_state=0).fit(X, Y).path_ for one in ("gini", "misclassification")
    }
    assert costs["gini"].costs[-1] == pytest.approx(len(Y) * (1 - (share**2).sum()))
    assert costs["misclassification"].costs[-1] == pytest.approx(len(Y) * (1 - share.max()))


BINNED = [
    (AdaBoost(n_estimators=9, max_bins=2), TWO),
    (AdaBoostMH(n_estimators=9, max_bins=2), Y),
    (AdaBoostMO(n_estimators=9, max_bins=2), Y),
    (AdaBoostMR(n_estimators=9, max_bins=2), Y),
]


@pytest.mark.parametrize(("model", "y"), BINNED, ids=lambda value: type(value).__name__)
def test_two_bins_have_one_threshold(model, y):
    stumps = model.fit(X, y).estimators_
    asked = {(one.question.feature, one.question.threshold) for one in stumps}
    assert len(asked) == len({feature for feature, _ in asked})
    stumps = model.set_params(max_bins=None).fit(X, y).estimators_
    assert len({one.question.threshold for one in stumps}) > len({one.question.feature for one in stumps})


@pytest.mark.parametrize("boosted", [AdaBoostMH, AdaBoostMR])
def test_categories_are_no_numbers(boosted):
    """The middle one of three categories, which no threshold separates."""
    colour, y = [[0.0], [1.0], [2.0]], ["a", "b", "a"]
    models = {
        AdaBoostMH: AdaBoostMH(n_estimators=1, categorical_features=[0]),
        AdaBoostMR: AdaBoostMR(n_estimators=1, categorical_features=[0]),
    }
    assert models[boosted].fit(colour, y).predict(colour).tolist() == y
    assert boosted(n_estimators=1).fit(colour, y).predict(colour).tolist() != y


@pytest.mark.parametrize(
    "first", [AdaBoostMH(RANDOM_STUMP, 5, random_state=3), AdaBoostMR(RANDOM_STUMP, 5, random_state=3)]
)
def test_what_is_random_in_the_learner_has_the_seed(first):
    errors = [first.set_params(random_state=seed).fit(X, Y).estimator_errors_.tolist() for seed in (3, 3, 4)]
    assert errors[0] == errors[1] != errors[2]


@pytest.mark.parametrize(
    "model", [Bagging(n_estimators=4, n_jobs=2, random_state=0), KnockOut(RidgeClassifier(), n_jobs=2)]
)
def test_two_workers_learn_the_same(model):
    assert (model.fit(X, Y).predict(X) == model.set_params(n_jobs=None).fit(X, Y).predict(X)).all()


def test_ties_are_decided_as_asked():
    """At the start all scores of Winnow are equal; outputs that are all negative are at one Hamming distance."""
    for ties, updates in (("mistake", 1), ("first", 0)):
        model = MulticlassWinnow(ties=ties, fit_intercept=False, average=False, max_iter=1, shuffle=False)
        assert model.partial_fit([[1.0]], ["a"], classes=["a", "b"]).n_updates_ == updates
    rules = {"n_estimators": 20, "decoder": "hamming"}
    first = AdaBoostMO(ties="first", **rules).fit(X, Y).predict(X)
    by_margin = AdaBoostMO(ties="margin", **rules).fit(X, Y).predict(X)
    assert (first <= by_margin).all()
    assert (first < by_margin).any()


def test_the_step_of_winnow():
    steps = [ConstraintClassifier(method="winnow", eta=eta, max_iter=1, shuffle=False) for eta in (0.1, 0.2)]
    small, large = (np.abs(model.fit([[1.0], [-1.0]], ["a", "b"]).coef_).max() for model in steps)
    assert 0 < small < large


def test_polynomial_kernels_have_degree_and_constant():
    """x_1 x_2 needs degree 2, x_1 a constant beside the product of degree 2."""
    product, sign = (X[:, 0] * X[:, 1] > 0).astype(int), (X[:, 0] > 0).astype(int)
    line, parabola = (KernelMulticlassSVM(10, kernel="poly", degree=d, gamma=1.0, tol=1e-3) for d in (1, 2))
    assert line.fit(X, product).score(X, product) < 0.8 < parabola.fit(X, product).score(X, product)
    pure, mixed = (KernelMulticlassSVM(10, kernel="poly", degree=2, coef0=c, gamma=1.0, tol=1e-3) for c in (0, 1))
    assert pure.fit(X, sign).score(X, sign) < 0.8 < mixed.fit(X, sign).score(X, sign)


def test_one_slack_for_each_rival_costs_more():
    for model in (MulticlassSVM(loss="weston-watkins", tol=1e-4), KernelMulticlassSVM(loss="weston-watkins", tol=1e-4)):
        assert model.fit(X, Y).dual_ > model.set_params(loss="crammer-singer").fit(X, Y).primal_


def test_a_binary_svm_stops_at_max_iter():
    with pytest.warns(ConvergenceWarning, match="max_iter=1 "):
        model = LinearSVM(100.0, max_iter=1, tol=1e-12, random_state=0).fit(X, TWO)
    assert (model.n_iter_, model.converged_) == (1, False)
