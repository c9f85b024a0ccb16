"""The estimators of single trees: scikit-learn's contract, categories, importances, and its paths of prunings."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree import DecisionTreeRegressor as PeerRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.trees import DecisionTree, DecisionTreeRegressor
from mcbook.trees.estimator.rules import question_in_words


@parametrize_with_checks(
    [DecisionTree(), DecisionTreeRegressor(), DecisionTree(ccp_alpha=0.01), DecisionTreeRegressor(ccp_alpha=1e-4)]
)
def test_estimators_keep_scikit_learns_contract(estimator, check):
    check(estimator)


def test_categories_of_a_data_frame_are_asked_for():
    colour = pd.Categorical(["red", "blue", "green", "blue", "red", "green"] * 4)
    frame = pd.DataFrame({"size": np.arange(24.0), "colour": colour})
    y = np.where(frame["colour"] == "blue", "yes", "no")
    model = DecisionTree().fit(frame, y)
    assert model.get_n_leaves() == 2
    assert model.predict(frame).tolist() == y.tolist()
    assert question_in_words(model.tree_, 0, "colour", model.categories_[1]).startswith("colour in {")
    unseen = pd.DataFrame({"size": [0.0, 1.0], "colour": pd.Categorical(["violet", "blue"])})
    assert model.predict(unseen).tolist() == ["no", "yes"]
    np.testing.assert_array_equal(model.feature_importances_, [0, 1])


def test_importances_are_the_shares_of_what_splits_gain():
    # Of 4 * 5/8 the first split, on the second feature, leaves 2 * 1/2, and the other one nothing.
    model = DecisionTree().fit([[0, 0], [1, 0], [1, 1], [1, 1]], [0, 1, 2, 2])
    np.testing.assert_allclose(model.feature_importances_, [0.4, 0.6])


LOADERS = {"iris": load_iris, "digits": load_digits, "cancer": load_breast_cancer, "diabetes": load_diabetes}
CASES = [("iris", "gini"), ("digits", "gini"), ("cancer", "entropy"), ("diabetes", "squared_error")]


def pair(name, criterion, **rules):
    """Ours, and the peer with the same rules; both grow by the same splits where no two are equally good."""
    rules = {"max_depth": 4, **rules}
    if criterion == "squared_error":
        return DecisionTreeRegressor(**rules), PeerRegressor(random_state=0, **rules)
    return DecisionTree(criterion=criterion, **rules), DecisionTreeClassifier(
        criterion=criterion, random_state=0, **rules
    )


def jittered(name):
    """A sample without ties among its values, in numbers that float32 holds, as the peer keeps no others."""
    X, y = LOADERS[name](return_X_y=True)
    X = X + np.random.default_rng(0).normal(size=X.shape) * 1e-2 * X.std(axis=0)
    return X.astype(np.float32).astype(float), y


def without_duplicates(path):
    """The peer collapses equally weak links one by one, at penalties that differ by rounding; the last one counts."""
    last = np.append(np.diff(path.ccp_alphas) > 1e-12 * max(path.ccp_alphas.max(), 1), True)
    return path.ccp_alphas[last], path.impurities[last]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("name", "criterion"), CASES)
def test_the_path_is_that_of_scikit_learn(name, criterion, weighted):
    X, y = jittered(name)
    weight = np.random.default_rng(1).integers(0, 4, len(y)).astype(float) if weighted else None
    ours, peer = pair(name, criterion)
    path = ours.cost_complexity_path(X, y, weight)
    alphas, impurities = without_duplicates(peer.cost_complexity_pruning_path(X, y, weight))
    np.testing.assert_allclose(path.ccp_alphas, alphas, rtol=1e-12, atol=1e-12 * impurities[-1])
    np.testing.assert_allclose(path.impurities, impurities, rtol=1e-12, atol=1e-12 * impurities[-1])
    assert (np.diff(path.ccp_alphas) > 0).all()


@pytest.mark.parametrize(("name", "criterion"), CASES)
def test_pruned_trees_are_those_of_scikit_learn(name, criterion):
    X, y = jittered(name)
    alphas = pair(name, criterion)[0].cost_complexity_path(X, y).ccp_alphas
    for between in [*(alphas[1:-1:3] + alphas[2::3]) / 2, 2 * alphas[-1]]:
        ours, peer = (model.fit(X, y) for model in pair(name, criterion, ccp_alpha=between))
        assert (ours.get_n_leaves(), ours.get_depth()) == (peer.get_n_leaves(), peer.get_depth())
        np.testing.assert_allclose(ours.predict(X), peer.predict(X), rtol=1e-12)
    assert ours.get_n_leaves() == 1


def test_splits_that_gain_nothing_are_pruned_at_any_penalty():
    square, crosswise = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0]
    path = DecisionTree().cost_complexity_path(square, crosswise)
    assert path.ccp_alphas == pytest.approx([0, 1 / 6])
    # The first split of XOR gains nothing, but those below it gain all; with labels of one kind nothing is to be had.
    assert DecisionTree(ccp_alpha=1e-6).fit(square, crosswise).get_n_leaves() == 4
    X, y = np.repeat(np.eye(2), 50, axis=0), np.arange(100) % 2
    assert DecisionTree().fit(X, y).get_n_leaves() == 2
    flat = DecisionTree().cost_complexity_path(X, y)
    assert (flat.ccp_alphas.tolist(), flat.impurities.tolist()) == ([0.0], [0.5])
    assert DecisionTree(ccp_alpha=1e-9).fit(X, y).get_n_leaves() == 1
