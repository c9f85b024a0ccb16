"""Trees grown question by question in exact numbers, surrogates, and the pictures of trees."""

import itertools

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from mcbook.trees import (
    DecisionTree,
    DecisionTreeRegressor,
    labellings_at_most,
    vc_at_least,
    vc_of_boolean_stumps,
    with_surrogates,
    worst_potential,
)
from mcbook.trees.figures import tree_figure


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: worst_potential(-1, 0, 0.5), "n_doublings"),
        (lambda: worst_potential(0, -1, 0.5), "n_extra"),
        (lambda: vc_at_least(2, 2), "n_levels < n_features"),
        (lambda: vc_of_boolean_stumps(0), "n_features"),
        (lambda: labellings_at_most(0, 0, 1), "n_questions"),
    ],
)
def test_what_the_formulas_do_not_take(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def surrogate_of(column, goes_left):
    """The first of the best questions, by trying all of them both ways; None where the larger side is as good."""
    best, most = None, max(goes_left.sum(), (~goes_left).sum())
    for low, high in itertools.pairwise(sorted(set(column.tolist()))):
        for flipped in (False, True):
            agree = sum(((x <= (low + high) / 2) != flipped) == side for x, side in zip(column, goes_left, strict=True))
            if agree > most:
                best, most = ((low + high) / 2, flipped, agree), agree
    return best


def test_nodes_have_the_surrogates_of_their_own_examples_the_best_first():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (24, 4)).astype(float)
    y = (X[:, 0] + rng.integers(0, 3, 24) > 3).astype(int) + (X[:, 1] > 3)
    model = with_surrogates(X, y, 3, max_depth=3)
    tree, inside = model.tree, {0: np.arange(24)}
    for node in range(tree.n_nodes):
        j = tree.feature[node]
        if j < 0:
            assert model.surrogates[node] == []
            continue
        left = X[inside[node], j] <= tree.threshold[node]
        for child, side in zip(tree.children[node], (left, ~left), strict=True):
            inside[child] = inside[node][side]
        wanted = {i: surrogate_of(X[inside[node], i], left) for i in range(4) if i != j}
        found = model.surrogates[node]
        assert {s.feature: (s.threshold, s.flipped, s.n_agree) for s in found} == {
            i: one for i, one in wanted.items() if one is not None
        }
        assert [s.n_agree for s in found] == sorted((s.n_agree for s in found), reverse=True)
        assert model.default_left[node] == (left.sum() >= (~left).sum())


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
