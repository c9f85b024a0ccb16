"""The growth of trees: the kernels on few examples against trees that are grown the long way."""

import numpy as np
import pytest
from plain_trees import CRITERIA, content_of, plain_tree, random_data

from mcbook.trees.kernels.columns import SHIFT
from mcbook.trees.kernels.growth import (
    AFTER,
    BEGIN,
    CUT,
    DEPTH_FIRST,
    FEATURE,
    LARGEST_DECREASE,
    LARGEST_MEAN_DECREASE,
    LEFT,
    RIGHT,
    grow,
    threshold_between,
    thresholds_of,
)
from mcbook.trees.kernels.scores import ENTROPY, GINI, ROOT, SQUARES

UNLIMITED = 2**31 - 1
FIELDS = 11
each_criterion = pytest.mark.parametrize("criterion", CRITERIA.values(), ids=CRITERIA)
each_order = pytest.mark.parametrize("order", [DEPTH_FIRST, LARGEST_DECREASE, LARGEST_MEAN_DECREASE])


def test_thresholds_are_in_the_middle_as_far_as_floats_go():
    n_values, large, e = np.array([3, 2, 2]), 2.0**1023, 2.0**-52
    low = np.array([[0.0, 2.0, 5.0], [1 + e, 1 + 2 * e, 0.0], [large, 1.5 * large, 0.0]])
    high = np.array([[1.0, 3.0, 7.0], [1 + e, 1 + 2 * e, 0.0], [large, 1.5 * large, 0.0]])
    # Feature, cut, rank after it, and threshold; where a leaf or a category has no cut there is none.
    wanted = [(0, 0, 1, 1.5), (0, 1, 2, 4.0), (0, 0, 2, 3.0), (0, 1, 3, np.inf), (0, 2, 3, np.inf)]
    wanted += [(1, -1, 0, np.nan), (-1, -1, 0, np.nan), (2, 0, 1, 1.25 * large), (1, 0, 1, 1 + e)]
    nodes = np.zeros((len(wanted), FIELDS), np.int64)
    for node, (j, cut, after, threshold) in enumerate(wanted):
        nodes[node, [FEATURE, CUT, AFTER]] = j, cut, after
        if cut >= 0:
            assert threshold_between(n_values, low, high, j, cut, after) == threshold
    np.testing.assert_array_equal(thresholds_of(nodes, n_values, low, high), [one[3] for one in wanted])


def grown(ranks, examples, n_values, categorical, data, size, rules, least_decrease=0.0, least_weight=0.0, **options):
    """The tree of the kernel, and the examples in the order of its leaves; by tables with ``n_ranks``."""
    n_ranks, drawing = options.get("n_ranks", 0), rules[-1] < len(ranks)
    kept = np.array([np.sort(row[examples].astype(np.int64) << SHIFT | examples) for row in ranks])
    cells = (ranks.T * len(ranks) + np.arange(len(ranks))).astype(np.uint32)
    if drawing or n_ranks:
        kept = np.empty((0, 0), np.int64)
    if drawing or not n_ranks:
        cells = np.empty((0, 0), np.uint32)
    examples = examples.copy()
    found = grow(
        kept, np.ascontiguousarray(cells), n_ranks, ranks, examples, n_values, categorical, data, size, rules,
        least_decrease, least_weight, np.uint64(options.get("seed", 0)),
    )  # fmt: skip
    return (*found, examples)


def assert_grows(*arguments, n_ranks=0, seed=0, **least):
    """The kernel's tree is the plain one; returns how many nodes it has."""
    given = {"least_decrease": 0.0, "least_weight": 0.0} | least
    found = grown(*arguments, **given, n_ranks=n_ranks, seed=seed)
    wanted = plain_tree(*arguments, **given, seed=seed)
    for nodes in (found[0], wanted[0]):
        # What is behind the cut says nothing where there is none.
        nodes[nodes[:, CUT] < 0, AFTER] = 0
    np.testing.assert_array_equal(found[0], wanted[0])
    np.testing.assert_allclose(found[1], wanted[1], atol=1e-12)
    np.testing.assert_allclose(found[2], wanted[2], atol=1e-12)
    np.testing.assert_array_equal(found[3], wanted[3])
    return len(found[0])


def problem(rng, criterion, *, n=14, missing=False, categorical=False, kind="whole", n_features=3):
    if criterion == ENTROPY:
        # Logarithms round: which of two questions that part alike is a rounding better depends on the order of sums.
        kind, n_features = "real", n_features // 3
    n_values = rng.integers(2, 5, n_features)
    ranks = np.array([rng.integers(0, v + missing, n) for v in n_values], np.int32)
    data, size = random_data(rng, criterion, n, 2 if criterion == ROOT else 3, kind)
    # Some of the examples are not in the tree.
    examples = np.sort(rng.permutation(n)[: n - 2])
    which = rng.random(n_features) < 0.6 if categorical else np.zeros(n_features, bool)
    return ranks, examples, n_values, which, data, size


@each_criterion
@each_order
@pytest.mark.parametrize("kind", ["numeric", "missing", "categorical", "missing, categorical"])
def test_trees_are_those_grown_the_long_way(criterion, order, kind):
    rng = np.random.default_rng(3)
    options = {"missing": "missing" in kind, "categorical": "categorical" in kind}
    sizes = []
    for trial in range(9):
        arguments = problem(rng, criterion, kind=("none", "whole", "broken")[trial // 3], **options)
        # Most depth, least examples to split, least of a leaf, most leaves, columns drawn: all.
        rules = [(UNLIMITED, 2, 1, UNLIMITED), (3, 3, 2, 5), (4, 5, 2, 4)][trial % 3]
        rules = (*rules, len(arguments[0]))
        least = {"least_decrease": [0.0, 0.05][trial % 2], "least_weight": float(trial % 4)}
        sizes.append(assert_grows(*arguments, (criterion, order, *rules), **least))
    assert max(sizes) > 4


@each_criterion
@pytest.mark.parametrize("n_drawn", [1, 2])
def test_trees_of_drawn_columns_are_those_grown_the_long_way(criterion, n_drawn):
    rng = np.random.default_rng(4)
    for seed in range(8):
        arguments = problem(rng, criterion, missing=seed % 2 == 0, categorical=seed % 4 > 1, n_features=4)
        order = (DEPTH_FIRST, LARGEST_DECREASE)[seed % 2]
        assert_grows(*arguments, (criterion, order, UNLIMITED, 2, 1, UNLIMITED, n_drawn), seed=seed)


@pytest.mark.parametrize("n_drawn", [1, 2, 4])
def test_trees_by_tables_are_those_grown_the_long_way(n_drawn):
    rng = np.random.default_rng(5)
    for seed in range(12):
        arguments = problem(rng, GINI, n_features=4, n=24, kind=("none", "whole")[seed % 4 // 2])
        rules = (GINI, seed % 3, UNLIMITED, 2, 1, 6 if seed % 2 else UNLIMITED, n_drawn)
        assert_grows(*arguments, rules, n_ranks=int(arguments[2].max()), seed=seed)


@pytest.mark.parametrize("n_drawn", [1, 2])
def test_a_tree_with_many_leaves_finds_room_for_them(n_drawn):
    rng, n = np.random.default_rng(6), 260
    ranks = np.array([rng.permutation(n), rng.permutation(n) % 200], np.int32)
    # Every example has a target of its own, and a leaf.
    data = (np.zeros(n, np.int16), rng.permutation(n) * 1.0, np.zeros(0))
    rules = (SQUARES, DEPTH_FIRST, UNLIMITED, 2, 1, UNLIMITED, n_drawn)
    arguments = (ranks, np.arange(n), np.array([n, 200]), np.zeros(2, bool), data, 3)
    nodes, content, impurity, order = grown(*arguments, rules, seed=3)
    assert len(nodes) == 2 * n - 1
    leaves = np.flatnonzero(nodes[:, LEFT] < 0)
    assert (impurity[leaves] == 0).all()
    np.testing.assert_array_equal(np.sort(nodes[nodes[:, LEFT] >= 0][:, [LEFT, RIGHT]], axis=None), np.arange(1, 519))
    for node in leaves:
        np.testing.assert_array_equal(content[node], content_of(SQUARES, [order[nodes[node, BEGIN]]], data, 3))
