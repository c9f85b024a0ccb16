"""The kernels of pruning, each called with small trees, against what they are said to do."""

from fractions import Fraction

import numpy as np

from mcbook.foundation.compiled import python_original
from mcbook.pruning.kernels import sum_counts
from mcbook.trees.kernels import pruning as kernels

LEAF = [-1, -1]


def random_tree(rng, n_inner):
    """Children of a tree whose leaves are split at random, again and again."""
    children = [LEAF]
    for _ in range(n_inner):
        leaf = rng.choice([t for t, (left, _) in enumerate(children) if left < 0])
        children[leaf] = [len(children), len(children) + 1][:: int(rng.choice([-1, 1]))]
        children += [LEAF, LEAF]
    return np.array(children)


def below(children, t):
    """The inner nodes and the leaves of the branch at t."""
    if children[t, 0] < 0:
        return [], [t]
    (inner, leaves), (more_inner, more_leaves) = (below(children, child) for child in children[t])
    return [t, *inner, *more_inner], [*leaves, *more_leaves]


def test_an_inner_node_counts_what_its_leaves_count():
    rng = np.random.default_rng(0)
    for children in (random_tree(rng, n_inner) for n_inner in (0, 1, 2, 3, 5, 8)):
        leaves = children[:, 0] < 0
        counts = np.where(leaves[:, None], np.arange(3.0 * len(children)).reshape(-1, 3), 99)
        expected = [counts[below(children, t)[1]].sum(axis=0).tolist() for t in range(len(children))]
        sum_counts(children, counts)
        assert counts.tolist() == expected


def path_by_definition(children, costs, rounding):
    """The same sequence, the penalties of all links computed anew before each: steps, thresholds, costs, sizes."""
    inner = {t: below(children, t)[0] for t in range(len(children)) if children[t, 0] >= 0}
    steps = {t: -1 if t in inner else 0 for t in range(len(children))}

    def leaves_of(t):
        return [t] if steps[t] >= 0 else leaves_of(children[t, 0]) + leaves_of(children[t, 1])

    def whole_tree():
        leaves = leaves_of(0)
        return costs[leaves].sum(), len(leaves)

    thresholds, trees = [], [whole_tree()]
    while steps[0] < 0:
        links = []
        for t in (t for t in inner if steps[t] < 0):
            leaves = leaves_of(t)
            links.append(((costs[t] - costs[leaves].sum()) / (len(leaves) - 1), t, len(leaves) - 1))
        penalty, t, saved = min(links)
        if not thresholds or (penalty - thresholds[-1]) * saved > rounding * abs(costs[t]):
            thresholds.append(penalty)
            trees.append(())
        for node in inner[t]:
            steps[node] = len(thresholds) if steps[node] < 0 else steps[node]
        trees[-1] = whole_tree()
    return list(steps.values()), thresholds, *map(list, zip(*trees, strict=True))


def assert_path(kernel, children, costs, rounding):
    n_nodes = len(children)
    parents, given = kernels.parents_of(children), (children.copy(), costs.copy())
    steps, leaves = np.full(n_nodes, 55), np.full(n_nodes, 55)
    thresholds, path_costs = np.full(n_nodes, 55, costs.dtype), np.full(n_nodes, 55, costs.dtype)
    n_trees = kernel(children, parents, costs, rounding, steps, thresholds, path_costs, leaves)
    found = (steps.tolist(), thresholds[1:n_trees].tolist(), path_costs[:n_trees].tolist(), leaves[:n_trees].tolist())
    assert found == path_by_definition(*given, rounding)
    assert thresholds[0] == 55
    assert all((array[n_trees:] == 55).all() for array in (thresholds, path_costs, leaves))
    assert all((now == before).all() for now, before in zip((children, costs), given, strict=True))


def random_costs(rng, children, largest):
    """Whole numbers, so that sums are exact: any, or such that no node costs less than its children together."""
    costs = rng.integers(-largest, largest, len(children))
    if rng.integers(2):
        return costs.astype(float)
    for t in reversed(range(len(children))):
        costs[t] = abs(costs[t]) + (costs[children[t]].sum() if children[t, 0] >= 0 else 0)
    return costs.astype(float)


def test_the_weakest_links_collapse_one_after_the_other():
    for seed in range(25):
        rng = np.random.default_rng(seed)
        children = random_tree(rng, int(rng.integers(0, 9)))
        costs = random_costs(rng, children, int(rng.choice([2, 5, 30])))
        # By a rounding so coarse links of different penalties become equally weak; at its border they do not part.
        for rounding in (0.0, 0.125, 0.25, 0.5):
            assert_path(kernels.weakest_links, children, costs.copy(), rounding)
        exact = np.array([Fraction(cost) / 3 for cost in costs.tolist()], dtype=object)
        assert_path(python_original(kernels.weakest_links), children, exact, 0)
