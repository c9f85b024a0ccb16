"""Trees: the compiled core against scikit-learn, plain searches and its own other ways."""

import itertools

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier
from sklearn.tree import DecisionTreeRegressor as PeerRegressor

from mcbook.boosting.algorithm.samme import run_samme
from mcbook.boosting_many_labels import LabelStumps, boost_pairs, label_signs
from mcbook.forests import grow_forest
from mcbook.trees import grow_regression_tree, grow_tree, leaves_of
from mcbook.trees.algorithm.columns import Columns, sort_columns, sorted_entries
from mcbook.trees.algorithm.stumps import best_split, best_stump, sides_of, sides_of_values

GROWTH, STUMPS = "mcbook.trees.algorithm.growth", "mcbook.trees.algorithm.stumps"
SMALL = {"max_depth": 3}
# Of few examples, several features part the classes equally well; so few are not split, or there is but one feature.
RULES = (
    SMALL,
    {"min_samples_leaf": 12},
    {"min_samples_split": 60},
    {"min_impurity_decrease": 0.02, "min_samples_leaf": 5},
)


def sample(rng, n_samples=240, n_features=5, n_classes=4, missing=0.0):
    """Values that float32 holds, as the peer keeps no others."""
    X = rng.normal(size=(n_samples, n_features)).astype(np.float32).astype(float)
    y = (
        X[:, :1] * np.arange(n_classes)
        + X[:, -1:] * (np.arange(n_classes) == 1)
        + rng.normal(size=(n_samples, n_classes))
    ).argmax(axis=1)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y


def assert_same(tree, peer, X):
    """The nodes of ours are those of the peer, and so is what every row of X gets."""
    theirs, value = peer.tree_, tree.value[leaves_of(tree, X)]
    inner, peers_inner = ~tree.is_leaf, theirs.feature >= 0
    assert sorted(tree.feature[inner]) == sorted(theirs.feature[peers_inner])
    np.testing.assert_allclose(
        np.sort(tree.threshold[inner]), np.sort(theirs.threshold[peers_inner]), rtol=1e-15, atol=0
    )
    np.testing.assert_allclose(np.sort(tree.weight), np.sort(theirs.weighted_n_node_samples), rtol=1e-12)
    np.testing.assert_allclose(np.sort(tree.impurity), np.sort(theirs.impurity), rtol=1e-9, atol=1e-12)
    if isinstance(peer, PeerRegressor):
        np.testing.assert_allclose(value[:, 0], peer.predict(X), rtol=1e-9)
    else:
        np.testing.assert_allclose(value / value.sum(axis=1, keepdims=True), peer.predict_proba(X), atol=1e-9)


def has_ties(*given):
    """Whether the peer itself gives another tree when it looks at the features in another order."""
    return len({fit_peer(*given, state).tree_.feature.tobytes() for state in range(4)}) > 1


def fit_peer(X, y, weight, rules, criterion, state=0):
    kind = PeerRegressor if criterion == "squared_error" else DecisionTreeClassifier
    return kind(criterion=criterion, random_state=state, **rules).fit(X, y, sample_weight=weight)


# --- against scikit-learn --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [*RULES, {"max_leaf_nodes": 9}], ids=str)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_trees_are_those_of_scikit_learn(rules, criterion):
    rng, compared = np.random.default_rng(0), 0
    for weighted in [False, True] * 4:
        X, y = sample(rng)
        weight = rng.random(len(y)) * (rng.random(len(y)) < 0.9) if weighted else None
        if has_ties(X, y, weight, rules, criterion):
            continue
        growth = "largest-decrease" if "max_leaf_nodes" in rules else "depth-first"
        tree = grow_tree(X, y, 4, criterion=criterion, weight=weight, growth=growth, **rules)
        assert_same(tree, fit_peer(X, y, weight, rules, criterion), X)
        compared += 1
    assert compared >= 3


def test_regression_trees_are_those_of_scikit_learn():
    rng = np.random.default_rng(1)
    for rules, weighted in itertools.product(RULES, (False, True)):
        X = rng.normal(size=(150, 4)).astype(np.float32).astype(float)
        y = X[:, 0] + 5 + rng.normal(size=150)
        weight = rng.random(150) if weighted else None
        tree = grow_regression_tree(X, y, weight=weight, **{"min_samples_leaf": 3, **rules})
        assert_same(tree, fit_peer(X, y, weight, {"min_samples_leaf": 3, **rules}, "squared_error"), X)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_missing_values_go_where_scikit_learn_sends_them(criterion):
    rng, rules = np.random.default_rng(2), {"max_depth": 2, "min_samples_leaf": 12}
    for _ in range(4):
        X, y = sample(rng, missing=0.1)
        tree, peer = grow_tree(X, y, 4, criterion=criterion, **rules), fit_peer(X, y, None, rules, criterion)
        for one in (X, sample(rng, missing=0.3)[0]):
            assert_same(tree, peer, one)


# --- the first split -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification", "root"])
@pytest.mark.parametrize("categorical", [False, True])
def test_the_best_split_is_that_of_the_root(criterion, categorical):
    rng, k = np.random.default_rng(3), 2 if criterion == "root" else 3
    for _ in range(6):
        X = rng.integers(0, 5, (40, 3)).astype(float)
        X[rng.random(X.shape) < 0.1] = np.nan
        y, weight = rng.integers(0, k, 40), rng.integers(1, 10, 40).astype(float)
        columns = sort_columns(X, categorical=np.full(3, categorical))
        tree = grow_tree(columns, y, k, criterion=criterion, weight=weight, max_depth=1)
        p = np.bincount(y, weight) / weight.sum()
        impurities = {"gini": 1 - p @ p, "entropy": -p @ np.log2(p), "misclassification": 1 - p.max()}
        assert tree.impurity[0] == pytest.approx((impurities | {"root": 2 * np.sqrt(p[0] * p[1])})[criterion])
        entries = sorted_entries(columns, np.arange(40))
        split = best_split(columns, entries, y.astype(np.int16), weight, k, criterion)
        totals = tree.impurity * tree.weight
        assert split.decrease == pytest.approx(totals[0] - totals[1:].sum(), abs=1e-12)
        assert split.feature == tree.feature[0]
        np.testing.assert_array_equal(split.threshold, tree.threshold[0])
        if np.isnan(X[:, split.feature]).any():
            assert (split.categories, split.missing_left) == (tree.categories[0], tree.missing_left[0])


# --- options, limits and refusals ------------------------------------------------------------------------------------


def test_a_cut_that_is_better_by_little_is_better():
    # The cuts are worth 2 + e/2 and 2 + e.
    tree = grow_tree([[0.0], [1.0], [2.0]], [0, 1, 0], weight=[1, 1, 1 + 2.0**-43], max_depth=1)
    assert tree.threshold[0] == 1.5


def test_categories_that_no_mask_has_a_bit_for_go_where_missing_values_go():
    X, y = np.r_[np.arange(4.0), np.nan, np.nan][:, None], np.array([0, 1, 0, 1, 1, 1])
    tree = grow_tree(sort_columns(X, categorical=[True]), y)
    assert leaves_of(tree, [[64.0], [65.0], [2.0**32]]).tolist() == [int(leaves_of(tree, X)[4])] * 3


def test_more_classes_than_16_bits_can_number_are_refused():
    y = np.arange(2**15 + 1)
    with pytest.raises(ValueError, match="at most 32768 classes, got 32769"):
        grow_tree(y[:, None].astype(float), y, max_depth=1)
    assert (grow_tree(y[:-1, None].astype(float), y[:-1], max_depth=1).value[0] == 1).all()


def test_cells_that_have_no_room_in_32_bits_are_refused():
    """Without the refusal the cell of the first feature would be 2^32 - 3 instead of 3 (2^31 - 1)."""
    ranks, n_values = np.array([[2**31 - 1], [0], [0]], np.int32), np.array([2**31, 1, 1])
    columns = Columns(ranks, n_values, np.zeros((3, 1)), np.zeros((3, 1)), np.zeros(3, bool))
    with pytest.raises(ValueError, match=r"at most 2\^32 cells, ranks times features, got 6442450947"):
        columns.cells  # noqa: B018 - a property that refuses


@pytest.mark.parametrize(
    ("X", "y", "options", "words"),
    [
        ([[np.inf]], [0], {}, "got infinity"),
        ([[1.0], [2.0]], [0, 5], {"n_classes": 2}, "expected labels 0 .. 1"),
        ([[1.0], [2.0]], [0, 2], {"criterion": "root"}, "expected two classes"),
        ([[1.0], [2.0]], [0, 1], {"max_depth": 0}, "max_depth >= 1"),
        ([[1.0], [2.0]], [0, 1], {"max_features": 0}, "max_features >= 1"),
        ([[1.0], [2.0]], [0, 1], {"criterion": "ginny"}, "expected criterion"),
    ],
)
def test_bad_arguments_are_refused(X, y, options, words):
    with pytest.raises(ValueError, match=words):
        grow_tree(X, y, **options)


def test_as_many_values_as_bins_are_not_merged():
    # Most examples have the last value: bins of about equal size would join all.
    X = np.array([[0.0], [1.0], [2.0]] + [[3.0]] * 20 + [[np.nan]])
    plain = sort_columns(X)
    for max_bins in (4, 5):
        assert_equal(sort_columns(X, max_bins=max_bins), plain._replace(high=plain.low))
    merged = sort_columns(X, max_bins=3)
    assert (merged.n_values[0], merged.ranks[0, [0, 2, 3, -1]].tolist()) == (1, [0, 0, 0, 1])


# --- several ways to the same tree -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"max_depth": 5, "min_impurity_decrease": 0.002},
        {"min_weight_fraction_leaf": 0.01},
        {"max_leaf_nodes": 12},
        {"max_leaf_nodes": 12, "growth": "largest-decrease"},
    ],
    ids=str,
)
def test_parts_grown_in_threads_make_the_same_tree(monkeypatch, rules):
    rng = np.random.default_rng(13)
    X, y = sample(rng, n_samples=500, missing=0.05)
    weight = rng.integers(0, 4, 500)
    found = []
    for least in (0, 10**9):
        monkeypatch.setattr("mcbook.trees.algorithm.growth._WORTH_SHARING", least)
        found.append(grow_tree(X, y, 4, weight=weight, **rules))
    shared, alone = found
    for name in ("feature", "threshold", "missing_left", "depth", "n_samples", "weight", "impurity"):
        np.testing.assert_array_equal(*(np.sort(getattr(tree, name)) for tree in found))
    assert (shared.children[~shared.is_leaf].min(axis=1) > np.flatnonzero(~shared.is_leaf)).all()
    np.testing.assert_array_equal(shared.value[leaves_of(shared, X)], alone.value[leaves_of(alone, X)])


def few_values(rng, m=300, d=9, k=5):
    X, y = rng.integers(0, 8, (m, d)).astype(float), rng.integers(0, k, m)
    # A column that is constant, and one that says a little about the label.
    X[:, 2], X[:, 5] = 3.0, (y + rng.integers(0, 3, m)) % 8
    return X, y


def assert_equal(one, other):
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"min_impurity_decrease": 0.004, "max_leaf_nodes": 9, "growth": "largest-decrease"},
        {"max_features": 3, "seed": 4},
        {"min_samples_leaf": 20},
        {"min_weight_fraction_leaf": 0.1},
        {"criterion": "entropy", "max_depth": 4},
    ],
    ids=str,
)
def test_a_table_finds_the_cuts_that_a_scan_finds(monkeypatch, rules):
    for seed, weighted in enumerate([False, True] * 3):
        rng = np.random.default_rng(seed)
        X, y = few_values(rng)
        weight = rng.integers(0, 4, len(y)) if weighted else None
        tables = grow_tree(X, y, 5, weight=weight, **rules)
        with monkeypatch.context() as patch:
            patch.setattr(f"{GROWTH}._FEW_CELLS", 0)
            scans = grow_tree(X, y, 5, weight=weight, **rules)
        assert tables.n_leaves > 2
        assert_equal(tables, scans)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_the_first_split_in_tables_is_that_in_order(monkeypatch, n_threads):
    rng = np.random.default_rng(8)
    monkeypatch.setattr("mcbook.foundation.threads.n_threads", lambda: n_threads)
    monkeypatch.setattr(f"{STUMPS}._WORTH_A_THREAD_OF_TABLES", 0)
    for _ in range(8):
        X, y = few_values(rng)
        columns, weight = sort_columns(X), rng.random(len(y))
        entries, short = sorted_entries(columns, np.arange(len(y))), y.astype(np.int16)
        found = best_split(columns, entries, short, weight, 5)
        columns.__dict__["only_numbers"] = False
        wanted = best_split(columns, entries, short, weight, 5)
        assert found[:5] == wanted[:5]
        assert found.decrease == pytest.approx(wanted.decrease, rel=1e-12)


@pytest.mark.parametrize("real_votes", [False, True])
@pytest.mark.parametrize("n_threads", [1, 2])
def test_stumps_from_a_table_are_those_from_columns(monkeypatch, real_votes, n_threads):
    rng = np.random.default_rng(9)
    monkeypatch.setattr("mcbook.foundation.threads.n_threads", lambda: n_threads)
    monkeypatch.setattr(f"{STUMPS}._WORTH_A_THREAD_OF_TABLES", 0)
    cases = [(0, None), (0.1, np.arange(9) % 2 == 0)]
    for n_columns, (missing, categorical) in itertools.product((1, 3, 4, 10), cases):
        X, _ = few_values(rng)
        X[rng.random(X.shape) < missing] = np.nan
        columns, A = sort_columns(X, categorical=categorical), rng.normal(size=(len(X), n_columns))
        table = best_stump(columns, A, real_votes=real_votes)
        np.testing.assert_array_equal(sides_of(table, columns), sides_of_values(table, X))
        with monkeypatch.context() as patch:
            patch.setattr(f"{STUMPS}._MOST_OF_A_TABLE", 0)
            assert best_stump(columns, A, real_votes=real_votes) == table


def test_many_threads_find_what_one_finds(monkeypatch):
    rng = np.random.default_rng(13)
    for few in (True, False):
        # So many examples and columns that there are fewer pieces than threads.
        X, y = few_values(rng, m=7000, d=100)
        X = X if few else X + rng.normal(size=X.shape)
        A, weight, found = rng.normal(size=(len(y), 1)), rng.random(len(y)), []
        for n_threads in (1, 64):
            monkeypatch.setattr("mcbook.foundation.threads.n_threads", lambda n_threads=n_threads: n_threads)
            columns = sort_columns(X)
            entries = sorted_entries(columns, np.arange(len(y)))
            split = best_split(columns, entries, y.astype(np.int16), weight, 5)
            found.append((*columns, entries, best_stump(columns, A), split))
        assert_equal(*found)


@pytest.mark.parametrize("few", [True, False])
def test_columns_that_may_only_be_read_are_taken(few):
    rng = np.random.default_rng(12)
    X, y = few_values(rng)
    X = X if few else X + rng.normal(size=X.shape)
    columns, A, weight = sort_columns(X), rng.normal(size=(len(y), 2)), rng.random(len(y))
    fixed = Columns(*(array.copy() for array in columns))
    for array in (*fixed, A, weight):
        array.flags.writeable = False
    entries, short = sorted_entries(columns, np.arange(len(y))), y.astype(np.int16)
    assert_equal(sorted_entries(fixed, np.arange(len(y))), entries)
    entries.flags.writeable = short.flags.writeable = False
    assert_equal(grow_tree(fixed, y, 5, weight=weight), grow_tree(columns, y, 5, weight=weight.copy()))
    assert_equal(grow_tree(fixed, y, 5), grow_tree(columns, y, 5))
    assert best_stump(fixed, A) == best_stump(columns, A.copy())
    split = best_split(columns, entries.copy(), short.copy(), weight.copy(), 5)
    assert best_split(fixed, entries, short, weight, 5) == split
    assert_equal(run_samme(fixed, y, 5, 4), run_samme(columns, y, 5, 4))
    run = boost_pairs(LabelStumps(fixed), label_signs(y, 5), 4)
    assert run.hypotheses[0].question == boost_pairs(LabelStumps(columns), label_signs(y, 5), 4).hypotheses[0].question
    forest = grow_forest(X, y, 5, n_trees=2, bootstrap=False, weight=weight)
    assert_equal(forest.trees[0], grow_tree(columns, y, 5, weight=weight.copy()))
