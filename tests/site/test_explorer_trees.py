"""The mathematics of the explorers on trees and forests, beside that of the package, on random inputs."""

from fractions import Fraction
from typing import Any

import numpy as np
from explorer_book import Mathematics, close

from mcbook.forests import VoteDistribution, circular_forest, errors_as_trees_are_added, worst_forest_error
from mcbook.impurities import IMPURITIES, split_gain
from mcbook.impurities.theory.impurity import find_impurity
from mcbook.pruning import (
    all_prunings,
    cost_complexity_path,
    least_costs,
    random_counted_tree,
    tree_costs,
    validated_path,
)
from mcbook.pruning.instances import two_equal_links
from mcbook.trees import grow_tree
from mcbook.trees.algorithm.columns import sort_columns, sorted_entries
from mcbook.trees.algorithm.greedy import total_impurity
from mcbook.trees.algorithm.stumps import best_split


def powered(name: str, power: float) -> Any:
    """The impurity in units of its value for two equal classes, to a power, as a function of class weights."""
    measure = find_impurity(name)
    return lambda weights: (measure(weights) / float(measure([1, 1]))) ** power


def test_impurities_and_gains_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(7)
    for name in IMPURITIES:
        for p in (0.0, 0.5, 1.0, *rng.random(8)):
            shares = np.array([p, 1 - p])
            assert mathematics("impurities", "impurity", name, p) == close(float(find_impurity(name)(shares)))
        for _ in range(12):
            first, second, weight = (float(value) for value in rng.random(3))
            power = float(rng.uniform(1, 4))
            split = {"name": name, "first": first, "second": second, "weight": weight}
            sizes = np.array([[weight], [1 - weight]])
            children = sizes * np.array([[first, 1 - first], [second, 1 - second]])
            assert mathematics("impurities", "nodeShare", split) == close(children[:, 0].sum())
            assert mathematics("impurities", "splitGain", split) == close(
                float(split_gain(powered(name, 1.0), children))
            )
            gain = float(split_gain(powered(name, power), children))
            assert mathematics("impurities", "splitGain", split | {"power": power}) == close(gain)
    # Every power above 1 is broken by a halving.
    for name in IMPURITIES:
        assert mathematics("impurities", "worstHalving", name, 1)["rise"] <= 1e-12
        for power in (1.1, 1.5, 2.0, 4.0):
            found = mathematics("impurities", "worstHalving", name, power)
            children = np.array([[0, 0.5], [found["p"], 0.5 - found["p"]]])
            before = float(powered(name, power)(children.sum(axis=0)))
            rise = -float(split_gain(powered(name, power), children)) / before
            assert found["rise"] == close(rise)
            assert rise > 0.001


def test_questions_and_growth_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(8)
    for _ in range(12):
        X, y = rng.normal(size=(30, 2)), rng.integers(0, 3, 30)
        columns = sort_columns(X)
        best = best_split(columns, sorted_entries(columns, np.arange(30)), y.astype(np.int16), np.ones(30), 3)
        found = mathematics("trees", "bestQuestion", X, y, 3, list(range(30)))
        assert (found["feature"], found["threshold"]) == (best.feature, close(best.threshold))
        assert found["decrease"] == close(best.decrease)
        for exponent, growth in ((1, "largest-decrease"), (0, "largest-mean-decrease")):
            made = mathematics("trees", "grow", X, y, 3, 3, exponent)
            for n_splits, total in enumerate(made["totals"]):
                tree = grow_tree(X, y, 3, growth=growth, max_leaf_nodes=n_splits + 1)
                assert total == close(float((tree.weight * tree.impurity)[tree.is_leaf].sum()))


def test_leaves_that_the_reader_picks_are_split_by_their_best_question(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(10)
    for _ in range(6):
        X, y = rng.normal(size=(20, 2)), rng.integers(0, 3, 20)
        made = mathematics("trees", "grow", X, y, 3, 1)
        for picked in (0, 1):
            leaf = made["leaves"][picked]["members"]
            offer = mathematics("trees", "bestQuestion", X, y, 3, leaf)
            if offer is None:  # a pure leaf stays as it is, and the other one is split
                offer = mathematics("trees", "bestQuestion", X, y, 3, made["leaves"][1 - picked]["members"])
                leaf = made["leaves"][1 - picked]["members"]
            grown = mathematics("trees", "grow", X, y, 3, 2, 1, [None, picked])
            assert grown["totals"][:2] == made["totals"]
            assert grown["totals"][2] == close(made["totals"][1] - offer["decrease"])
            assert leaf not in [one["members"] for one in grown["leaves"]]


def test_the_impurity_of_the_trees_explorer_and_its_dial(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(9)
    for _ in range(10):
        y = rng.integers(0, 4, int(rng.integers(1, 20)))
        assert mathematics("trees", "impurity", y, 4, list(range(len(y)))) == close(float(total_impurity(y, 4)))
        assert mathematics("trees", "majority", y, 4, list(range(len(y)))) == int(np.bincount(y, minlength=4).argmax())
    # Found by search: the second split without the size takes a pair where more can be had.
    X = [[7, 2], [6, 5], [4, 7], [2, 6], [3, 0], [0, 1], [1, 3], [5, 4]]
    sample = {"X": X, "y": [2, 0, 2, 1, 1, 2, 1, 1], "classes": 3}
    assert mathematics("trees", "trial", sample) == {"lapse": -1, "broken": False}
    assert mathematics("trees", "trial", sample | {"exponent": 0}) == {"lapse": 1, "broken": True}
    steps = mathematics("trees", "grow", X, sample["y"], 3, 6, 0)["steps"]
    assert mathematics("trees", "firstLapse", steps) == 1


def test_the_pruning_explorer_grows_the_packages_trees(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(8)
    for whole in (False, True) * 10:
        k, m = int(rng.integers(2, 4)), int(rng.integers(6, 40))
        # Whole numbers have ties, of values and of questions.
        X = rng.integers(-7, 8, (m, 2)).astype(float) if whole else rng.normal(size=(m, 2))
        y = rng.integers(0, k, m)
        for most in (0, 1, 2, 3, 5, 8, m):
            ours = mathematics("pruning", "grow", X, y, k, most)
            tree = grow_tree(X, y, k, growth="largest-decrease", max_leaf_nodes=most + 1)
            assert ours["children"] == tree.children.tolist()
            assert ours["counts"] == tree.value.tolist()
            asked = [question["threshold"] for question in ours["questions"] if question]
            assert asked == close(tree.threshold[~tree.is_leaf])
            # The node that was split last has the youngest children.
            assert ours["last"] == (int(tree.children[:, 0].argmax()) if tree.n_leaves > 1 else -1)


def test_sizes_and_penalties_of_the_pruning_explorer_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(9)
    for _ in range(25):
        tree = random_counted_tree(rng, int(rng.integers(2, 14))).costed()
        least = mathematics("pruning", "leastCosts", tree.children, tree.costs)
        assert least == least_costs(tree)
        path, found = cost_complexity_path(tree), mathematics("pruning", "bestSizes", least, 1)
        starts = [max(float(penalty), 0) for penalty in path.thresholds]
        shown = [(n, a) for n, a in zip(path.n_leaves.tolist(), [0, *starts], strict=True)]
        kept = [pair for i, pair in enumerate(shown) if i == len(shown) - 1 or shown[i + 1][1] > 0]
        assert [each["size"] for each in found] == [n for n, _ in kept]
        assert [each["from"] for each in found] == close([a for _, a in kept])


def test_sizes_under_other_penalties_are_those_of_all_prunings(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(10)
    for exponent in (0.5, 1.5, 2):
        for _ in range(6):
            tree = random_counted_tree(rng, int(rng.integers(3, 9))).costed()
            found = mathematics("pruning", "bestSizes", least_costs(tree), exponent)
            for here, after in zip(found, [*found[1:], None], strict=True):
                lam = here["from"] + 1 if after is None else (here["from"] + after["from"]) / 2
                values = [one.cost + lam * one.n_leaves**exponent for one in all_prunings(tree)]
                least = min(values)
                sizes = {o.n_leaves for o, v in zip(all_prunings(tree), values, strict=True) if v <= least + 1e-9}
                assert min(sizes) == here["size"]


def test_the_held_out_errors_of_the_pruning_explorer(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(11)
    places = np.arange(24)
    folds = [(places[places % 6 != f], places[places % 6 == f]) for f in range(6)]
    for _ in range(12):
        X, y = rng.normal(size=(24, 2)), rng.integers(0, 2, 24)
        for most in (24, 4, 1):
            found = validated_path(X, y, 2, folds, growth="largest-decrease", max_leaf_nodes=most + 1).validation
            for penalty, errors in mathematics("pruning", "validation", X, y, 2, 1, 6, most):
                assert found.at((penalty + 1e-7) / 24) == errors


def test_the_samples_of_the_pruning_explorer(mathematics: Mathematics) -> None:
    noisy = mathematics("pruning", "noisy")
    X, y = np.array(noisy["X"], dtype=float), np.array(noisy["y"])
    tree = tree_costs(grow_tree(X, y, 2))
    assert mathematics("pruning", "study", X, y, 2)["least"] == least_costs(tree)
    for exponent, broken in ((0.5, False), (1, False), (1.2, True), (2, True)):
        assert mathematics("pruning", "trial", {"X": X, "y": y, "exponent": exponent})["broken"] is broken
    links = two_equal_links()
    sizes = mathematics("pruning", "bestSizes", least_costs(links), 1.05)
    assert [each["size"] for each in sizes] == [4, 3, 2, 1]


def test_votes_and_worst_errors_are_those_of_the_package(mathematics: Mathematics) -> None:
    rng = np.random.default_rng(11)
    for _ in range(20):
        s, rho = (float(value) for value in rng.uniform(0.05, 0.95, 2))
        assert mathematics("forests", "worstError", s, rho) == close(worst_forest_error(s, rho))
    for strength, reach in ((Fraction(3, 10), Fraction(5, 8)), (Fraction(1, 2), Fraction(7, 8)), (Fraction(1, 10), 1)):
        distribution = VoteDistribution([1 - strength / reach, strength / reach], [0, reach])
        found = mathematics("forests", "correlationOf", float(strength), float(reach))
        assert found == close(float(distribution.correlation))
        order = rng.permutation(16).tolist()
        errors = errors_as_trees_are_added(circular_forest(distribution, 16), order)
        setting = {"strength": float(strength), "reach": float(reach), "order": order}
        assert mathematics("forests", "errorsAsTreesAreAdded", setting) == close([float(error) for error in errors])
        assert errors[-1] == worst_forest_error(strength, distribution.correlation)
