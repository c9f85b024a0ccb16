"""The estimators of trees: scikit-learn's contract, data frames, weights, text, and the path of their prunings."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree import DecisionTreeRegressor as PeerRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook import DecisionTree, DecisionTreeRegressor
from mcbook.pruning import export_text
from mcbook.trees.figures import tree_figure


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
    assert export_text(model, ["size", "colour"]).startswith("colour in {")
    unseen = pd.DataFrame({"size": [0.0, 1.0], "colour": pd.Categorical(["violet", "blue"])})
    assert model.predict(unseen).tolist() == ["no", "yes"]
    np.testing.assert_array_equal(model.feature_importances_, [0, 1])


def test_probabilities_weights_and_missing_values():
    rng = np.random.default_rng(10)
    X, y = rng.normal(size=(240, 5)), rng.integers(0, 4, 240)
    X[rng.random(X.shape) < 0.2] = np.nan
    model = DecisionTree(max_depth=4).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    doubled = DecisionTree(max_depth=4).fit(X, y, sample_weight=np.full(len(y), 2.0))
    np.testing.assert_array_equal(model.tree_.feature, doubled.tree_.feature)
    kept = np.arange(len(y)) < 200
    part = DecisionTree(max_depth=4).fit(X, y, sample_weight=kept.astype(float))
    np.testing.assert_array_equal(part.tree_.value, DecisionTree(max_depth=4).fit(X[kept], y[kept]).tree_.value)
    heavy = DecisionTree(min_weight_fraction_leaf=0.2).fit(X, y)
    assert heavy.tree_.weight.min() >= 0.2 * len(y)
    assert model.get_depth() == 4
    with pytest.raises(ValueError, match="expected 5 feature_names"):
        export_text(model, ["a"])


def test_importances_are_the_shares_of_what_splits_gain():
    # Of 4 * 5/8 the first split, on the second feature, leaves 2 * 1/2, and the other one nothing.
    model = DecisionTree().fit([[0, 0], [1, 0], [1, 1], [1, 1]], [0, 1, 2, 2])
    np.testing.assert_allclose(model.feature_importances_, [0.4, 0.6])


def test_a_regressor_draws_features_and_tells_its_means():
    rng = np.random.default_rng(11)
    X, y = rng.normal(size=(80, 3)), rng.normal(size=80)
    model = DecisionTreeRegressor(max_leaf_nodes=3).fit(X, y)
    assert model.get_n_leaves() == 3
    assert export_text(model).count("<=") == 2
    drawn = [DecisionTreeRegressor(max_features=1, random_state=s).fit(X, y).tree_.feature[0] for s in range(12)]
    assert len(set(drawn)) > 1


# --- pruning at a price ----------------------------------------------------------------------------------------------

LOADERS = {"iris": load_iris, "digits": load_digits, "cancer": load_breast_cancer, "diabetes": load_diabetes}
CASES = [(name, criterion) for name in ("iris", "digits", "cancer") for criterion in ("gini", "entropy")]


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
    """The peer collapses equally weak links one by one, at prices that differ by rounding; the last of them counts."""
    last = np.append(np.diff(path.ccp_alphas) > 1e-12 * max(path.ccp_alphas.max(), 1), True)
    return path.ccp_alphas[last], path.impurities[last]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("name", "criterion"), [*CASES, ("diabetes", "squared_error")])
def test_the_path_is_that_of_scikit_learn(name, criterion, weighted):
    X, y = jittered(name)
    weight = np.random.default_rng(1).integers(0, 4, len(y)).astype(float) if weighted else None
    ours, peer = pair(name, criterion)
    path = ours.cost_complexity_path(X, y, weight)
    alphas, impurities = without_duplicates(peer.cost_complexity_pruning_path(X, y, weight))
    np.testing.assert_allclose(path.ccp_alphas, alphas, rtol=1e-12, atol=1e-12 * impurities[-1])
    np.testing.assert_allclose(path.impurities, impurities, rtol=1e-12, atol=1e-12 * impurities[-1])
    assert (np.diff(path.ccp_alphas) > 0).all()


@pytest.mark.parametrize(("name", "criterion"), [*CASES, ("diabetes", "squared_error")])
def test_pruned_trees_are_those_of_scikit_learn(name, criterion):
    X, y = jittered(name)
    alphas = pair(name, criterion)[0].cost_complexity_path(X, y).ccp_alphas
    for between in [*(alphas[1:-1:3] + alphas[2::3]) / 2, 2 * alphas[-1]]:
        ours, peer = (model.fit(X, y) for model in pair(name, criterion, ccp_alpha=between))
        assert (ours.get_n_leaves(), ours.get_depth()) == (peer.get_n_leaves(), peer.get_depth())
        np.testing.assert_allclose(ours.predict(X), peer.predict(X), rtol=1e-12)
    assert ours.get_n_leaves() == 1


def test_each_price_of_the_path_gives_its_tree():
    X, y = load_iris(return_X_y=True)
    path = DecisionTree().cost_complexity_path(X, y)
    for alpha, impurity in zip(path.ccp_alphas[1:], path.impurities[1:], strict=True):
        tree = DecisionTree(ccp_alpha=alpha).fit(X, y).tree_
        assert (tree.weight * tree.impurity)[tree.is_leaf].sum() / len(y) == pytest.approx(impurity, rel=1e-12)
        just_below = DecisionTree(ccp_alpha=alpha * (1 - 1e-9)).fit(X, y).tree_
        assert just_below.n_leaves > tree.n_leaves


@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_the_unit_of_the_labels_does_not_matter_to_the_path(unit):
    rng = np.random.default_rng(12)
    X, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    path, scaled = (DecisionTreeRegressor().cost_complexity_path(X, labels) for labels in (y, unit * y))
    np.testing.assert_allclose(scaled.ccp_alphas, unit**2 * path.ccp_alphas, rtol=1e-9)


def test_splits_that_gain_nothing_are_pruned_at_any_price():
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


def test_categories_and_missing_values_survive_pruning():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"size": rng.normal(size=90), "colour": pd.Categorical(rng.choice(["red", "blue"], 90))})
    y = np.where((frame["colour"] == "blue") ^ (rng.random(90) < 0.1), "yes", "no")
    frame.loc[::7, "size"] = np.nan
    pruned = DecisionTree(ccp_alpha=0.02).fit(frame, y)
    assert export_text(pruned).count("x2 in {") == 1
    assert pruned.get_n_leaves() == 2
    assert (pruned.predict(frame) == np.where(frame["colour"] == "blue", "yes", "no")).all()


# --- pictures --------------------------------------------------------------------------------------------------------


def test_a_picture_tells_categories_by_name_and_means_of_numbers():
    colour = pd.Categorical(["red", "blue", "green", "blue"] * 6)
    frame = pd.DataFrame({"size": np.arange(24.0), "colour": colour})
    model = DecisionTree().fit(frame, np.where(colour == "blue", "yes", "no"))
    figure = tree_figure(model.tree_, list(frame.columns), model.classes_, model.categories_)
    words = [text.get_text() for text in figure.axes[0].texts]
    assert {"colour in {blue}", "colour in {green, red}"} & set(words)
    assert {"yes\n12", "no\n12"} <= set(words)
    coded = tree_figure(model.tree_, list(frame.columns), model.classes_)
    assert any("colour in {" in text.get_text() and "blue" not in text.get_text() for text in coded.axes[0].texts)
    steps = DecisionTreeRegressor(max_leaf_nodes=2).fit([[1.0], [2.0], [3.0]], [0.0, 0.0, 1.5])
    words = [text.get_text() for text in tree_figure(steps.tree_, ["x"]).axes[0].texts]
    assert {"x ≤ 2.5", "0\n2", "1.5\n1"} <= set(words)
    plt.close("all")
