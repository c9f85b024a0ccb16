"""Pruning: formulas, prunings, paths, cross-validation, figures."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits, load_iris, make_classification
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from mcbook.foundation.numbers import ball
from mcbook.pruning import (
    CostedTree,
    CrossValidation,
    all_prunings,
    all_shapes,
    best_pruning,
    best_steps,
    best_under_penalty,
    between_the_means,
    chain_of_links,
    coprime_steps,
    cost_complexity_path,
    costed_tree,
    costs_of_nodes,
    count_prunings,
    cross_validation,
    errors_along_path,
    errors_of_nodes,
    geometric_means,
    held_out_counts,
    least_costs,
    link_price,
    most_optimal_prunings,
    noisy_room,
    occam_bound,
    occam_penalty,
    optimal_prunings_bound,
    prune_tree,
    pruning_code_length,
    random_costed_tree,
    random_counted_tree,
    tree_costs,
    two_equal_links,
    validated_path,
    with_leaf_counts,
    worked_tree,
)
from mcbook.pruning.figures import cells_of, lower_hull, places_of
from mcbook.trees import grow_tree, leaves_of

seeds = st.integers(0, 2**32 - 1)
LEAVES = [[-1, -1]]
SMALL = costed_tree([[1, 2], [3, 4], *3 * LEAVES], [9, 4, 3, 1, 2])


class TestTheory:
    def test_the_price_of_a_link(self):
        assert link_price(14, 2, 4) == 4
        assert link_price(7, 2, 3) == Fraction(5, 2)
        with pytest.raises(ValueError, match="n_leaves >= 2"):
            link_price(3, 1, 1)

    def test_the_bound_on_best_prunings(self):
        assert optimal_prunings_bound(2, 24) == pytest.approx(7)
        assert optimal_prunings_bound(0, 5) == optimal_prunings_bound(5, 0) == 1
        assert abs(float(optimal_prunings_bound(ball(2), ball(24)).mid()) - 7) < 1e-12
        with pytest.raises(ValueError, match="n_errors >= 0"):
            optimal_prunings_bound(1, -1)

    def test_the_most_best_prunings_by_hand_and_by_trying_all_sets(self):
        assert [most_optimal_prunings(n, n) for n in range(8)] == [1, 2, 2, 3, 4, 4, 4, 5]
        pairs = [(a, b) for a in range(1, 6) for b in range(1, 5) if math.gcd(a, b) == 1]
        most = max(
            chosen.bit_count()
            for chosen in range(1 << len(pairs))
            if sum(pair[0] for i, pair in enumerate(pairs) if chosen >> i & 1) <= 5
            and sum(pair[1] for i, pair in enumerate(pairs) if chosen >> i & 1) <= 4
        )
        assert len(best_steps(5, 4)) == most
        assert sum(a for a, _ in best_steps(5, 4)) <= 5
        assert sum(b for _, b in best_steps(5, 4)) <= 4

    def test_the_occam_bound(self):
        right = math.sqrt((59 * math.log(2) + math.log(20)) / 4000)
        assert occam_penalty(59, 2000, 0.05) == pytest.approx(right)
        assert occam_bound(0.25, 59, 2000, 0.05) == pytest.approx(0.25 + right)
        assert abs(float(occam_penalty(ball(59), 2000, ball(Fraction(1, 20))).mid()) - right) < 1e-14

    @pytest.mark.parametrize("delta", [0, 1, 1.5, float("nan")])
    def test_a_confidence_out_of_range_is_refused(self, delta):
        with pytest.raises(ValueError, match="0 < delta < 1"):
            occam_bound(0.1, 5, 10, delta)

    def test_bits_of_a_pruning(self):
        assert [pruning_code_length(n, 2) for n in (1, 2, 3)] == [2, 5, 8]
        assert pruning_code_length(10, 10) == 59
        assert pruning_code_length(1, 4) == 3
        assert pruning_code_length(1, 5) == 4


class TestPrunings:
    def test_shapes_and_their_prunings_are_counted(self):
        assert [len(list(all_shapes(n))) for n in range(1, 8)] == [1, 1, 2, 5, 14, 42, 132]
        for n in (1, 3, 5):
            for shape in all_shapes(n):
                tree = with_leaf_counts(shape, [[1]] * n).costed()
                every = list(all_prunings(tree))
                assert len(every) == count_prunings(tree) == len({one.leaves for one in every})

    def test_one_pruning_refines_another(self):
        full, half, root = (next(one for one in all_prunings(SMALL) if one.n_leaves == n) for n in (3, 2, 1))
        assert full.refines(half, SMALL)
        assert half.refines(root, SMALL)
        assert all(one.refines(one, SMALL) for one in (full, half, root))
        assert not half.refines(full, SMALL)

    @settings(max_examples=40, deadline=None)
    @given(seeds, st.integers(1, 8))
    def test_sizes_and_penalties_are_those_of_all_prunings(self, seed, n_leaves):
        tree = random_costed_tree(np.random.default_rng(seed), n_leaves)
        every = list(all_prunings(tree))
        assert least_costs(tree) == [
            min(one.cost for one in every if one.n_leaves == n) for n in range(1, n_leaves + 1)
        ]
        best = best_under_penalty(tree, lambda n: 2 * n)
        assert best_pruning(tree, 2).leaves in {one.leaves for one in best}
        assert min(one.n_leaves for one in best) == best_pruning(tree, 2).n_leaves

    @pytest.mark.parametrize(
        "children",
        [
            [[1, 1], [-1, -1]],
            [[0, 1], [-1, -1]],
            [[1, -1], [-1, -1]],
            [[2, 1], [-1, -1]],
            [[1, 2, 3]],
            [[-1, -1], [-1, -1]],
        ],
    )
    def test_what_is_no_tree_is_refused(self, children):
        with pytest.raises(ValueError, match="expected children"):
            costed_tree(children, [1] * len(children))

    def test_costs_have_to_be_there_and_finite(self):
        with pytest.raises(ValueError, match="same"):
            costed_tree(LEAVES, [1, 2])
        with pytest.raises(ValueError, match="finite"):
            costed_tree(LEAVES, [math.nan])

    def test_costs_of_counts(self):
        assert costs_of_nodes([[10, 4], [7, 1]]).tolist() == [4, 1]
        assert costs_of_nodes([[10, 4]], "gini").tolist() == [Fraction(40, 7)]
        assert costs_of_nodes(np.array([[10.0, 4.0]]), "gini") == pytest.approx([40 / 7])
        assert costs_of_nodes([[1, 1, 2]], "entropy").tolist() == [6]
        with pytest.raises(ValueError, match="impurity"):
            costs_of_nodes([[1, 2]], "variance")


class TestPath:
    def test_the_worked_case(self):
        path = cost_complexity_path(worked_tree().costed())
        assert path.thresholds.tolist() == [1, 3, 4, 7]
        assert path.costs.tolist() == [0, 1, 7, 11, 18]
        assert path.n_leaves.tolist() == [6, 5, 3, 2, 1]
        assert [path.place_of(lam) for lam in (-1, 0, 1, Fraction(7, 2), 7, math.inf)] == [0, 0, 1, 2, 4, 4]

    @settings(max_examples=40, deadline=None)
    @given(seeds, st.integers(1, 60))
    def test_compiled_and_exact_paths_agree(self, seed, n_leaves):
        rng = np.random.default_rng(seed)
        for impurity in ("misclassification", "gini"):
            tree = random_counted_tree(rng, n_leaves).costed(impurity)
            exact = cost_complexity_path(tree)
            compiled = cost_complexity_path(CostedTree(tree.children, tree.costs.astype(float)))
            assert compiled.thresholds == pytest.approx(exact.thresholds.astype(float), abs=1e-12)
            assert compiled.costs == pytest.approx(exact.costs.astype(float), abs=1e-11)
            assert compiled.n_leaves.tolist() == exact.n_leaves.tolist()
            assert compiled.steps.tolist() == exact.steps.tolist()

    @settings(max_examples=25, deadline=None)
    @given(seeds, st.integers(2, 40))
    def test_every_tree_of_the_path_is_the_smallest_best_at_its_threshold(self, seed, n_leaves):
        tree = random_costed_tree(np.random.default_rng(seed), n_leaves)
        path = cost_complexity_path(tree)
        for place in range(path.n_trees):
            pruned = path.pruning(place)
            assert pruned.n_leaves == path.n_leaves[place]
            assert pruned.cost == sum(tree.costs[t] for t in pruned.leaves)
            if place:
                assert best_pruning(tree, path.thresholds[place - 1]).leaves == pruned.leaves
                assert path.pruning(place - 1).refines(pruned, tree)
        assert (np.diff(path.thresholds) > 0).all()

    def test_a_single_node_is_a_path(self):
        path = cost_complexity_path(costed_tree(LEAVES, [3.0]))
        assert (path.n_trees, path.costs.tolist(), path.leaves_of(0).tolist()) == (1, [3.0], [True])
        assert path.place_of(5) == 0

    def test_a_place_beyond_the_path_is_refused(self):
        path = cost_complexity_path(SMALL)
        with pytest.raises(ValueError, match="one of the 3 trees"):
            path.leaves_of(3)

    def test_arrays_that_may_not_be_written_to_will_do(self):
        tree = CostedTree(SMALL.children.copy(), SMALL.costs.astype(float))
        for array in tree:
            array.flags.writeable = False
        assert cost_complexity_path(tree).thresholds.tolist() == [1.0, 2.0]

    def test_equally_weak_links_go_together_in_floats_too(self):
        # Tenths add up to different floats on the two sides; the links are equally weak all the same.
        costs = [0.8, 0.1 + 0.2, 0.1, 0.1, 0.3, 0.1, 0.1]
        path = cost_complexity_path(CostedTree(two_equal_links().children, np.array(costs)))
        assert path.n_leaves.tolist() == [4, 2, 1]

    def test_chains_have_as_many_trees_as_steps_and_one_more(self):
        for s in (2, 5, 9):
            path = cost_complexity_path(chain_of_links(coprime_steps(s)).costed())
            assert path.thresholds.tolist() == sorted(Fraction(b, a) for a, b in coprime_steps(s))

    def test_a_small_chain_by_hand(self):
        # From the deepest leaf upwards: one error in two leaves, the deeper one's, then two; three of the common class.
        chain = chain_of_links([(2, 1), (1, 2)])
        assert chain.children.tolist() == [[1, 2], [-1, -1], [3, 4], [-1, -1], [5, 6], [-1, -1], [-1, -1]]
        leaves = [[2, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 3]]
        assert chain.counts[[1, 3, 5, 6]].tolist() == leaves
        assert chain.counts[4].tolist() == [0, 0, 1, 3]
        assert chain_of_links([]).counts.tolist() == [[1]]

    @pytest.mark.parametrize("criterion", ["gini", "entropy"])
    def test_the_path_is_scikit_learns(self, criterion):
        samples = [load_iris(return_X_y=True), load_digits(return_X_y=True)]
        samples.append(make_classification(600, 8, n_informative=5, n_classes=4, flip_y=0.2, random_state=1))
        for X, y in samples:
            model = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)
            tree, theirs = model.tree_, model.cost_complexity_pruning_path(X, y)
            # Of prices that differ by rounding only, scikit-learn keeps all; the last has the tree after all of them.
            kept = np.r_[np.diff(theirs.ccp_alphas) > 1e-12, True]
            children = np.ascontiguousarray(np.c_[tree.children_left, tree.children_right])
            path = cost_complexity_path(CostedTree(children, tree.impurity * tree.weighted_n_node_samples))
            assert np.r_[0, path.thresholds] / len(X) == pytest.approx(theirs.ccp_alphas[kept], abs=1e-12)
            assert path.costs / len(X) == pytest.approx(theirs.impurities[kept], abs=1e-12)


class TestGrown:
    def test_a_pruned_tree_sends_examples_to_the_leaves_of_the_pruning(self):
        X, y = noisy_room(np.random.default_rng(3), 300, 0.2)
        tree = grow_tree(X, y, 2)
        path = cost_complexity_path(tree_costs(tree))
        for place in range(path.n_trees):
            leaves = path.leaves_of(place)
            small = prune_tree(tree, leaves)
            assert small.n_leaves == leaves.sum() == path.n_leaves[place]
            assert small.n_nodes == 2 * small.n_leaves - 1
            reached = leaves_of(small, X)
            wrong = (small.value[reached].argmax(axis=1) != y).sum()
            assert wrong == path.costs[place]
            assert np.bincount(reached, minlength=small.n_nodes)[small.is_leaf] == pytest.approx(
                small.weight[small.is_leaf]
            )

    def test_one_pass_is_pruning_fold_by_fold(self):
        X, y = make_classification(240, 5, n_informative=4, n_redundant=0, n_classes=3, flip_y=0.3, random_state=0)
        weight = np.random.default_rng(0).integers(1, 4, 240).astype(float)
        folds = list(StratifiedKFold(4).split(X, y))
        found = validated_path(X, y, 3, folds, weight=weight)
        for price in (0.0, 0.001, 0.004, 0.02, 0.2, np.inf):
            wrong = 0.0
            for inside, outside in folds:
                tree = grow_tree(X[inside], y[inside], 3, weight=weight[inside])
                path = cost_complexity_path(tree_costs(tree))
                small = prune_tree(tree, path.leaves_of(path.place_of(price * weight[inside].sum())))
                says = small.value[leaves_of(small, X[outside])].argmax(axis=1)
                wrong += weight[outside][says != y[outside]].sum()
            assert found.validation.at(price) == pytest.approx(wrong)
        assert found.validation.n_samples == weight.sum()

    def test_held_out_examples_are_counted_on_their_way(self):
        X, y = noisy_room(np.random.default_rng(4), 200, 0.2)
        tree, (fresh, truth) = grow_tree(X, y, 2), noisy_room(np.random.default_rng(5), 90, 0.2)
        counts = held_out_counts(tree.children, leaves_of(tree, fresh), truth, 2)
        assert counts[0].tolist() == np.bincount(truth, minlength=2).tolist()
        inner = np.flatnonzero(~tree.is_leaf)
        assert (counts[inner] == counts[tree.children[inner]].sum(axis=1)).all()
        errors = errors_of_nodes(counts, tree.value.argmax(axis=1))
        assert errors[0] == counts[0].min() if counts[0].argmin() != tree.value[0].argmax() else counts[0].max()


class TestCrossValidation:
    def test_steps_add_up(self):
        found = cross_validation([([1.0, 3.0], [4, 2, 5]), ([2.0, 3.0], [3, 1, 0])], 20)
        assert found.thresholds.tolist() == [1, 2, 3]
        assert found.errors.tolist() == [7, 5, 3, 5]
        assert found.at([0.5, 1, 2.5, 3, 99]).tolist() == [7, 5, 3, 5, 5]

    def test_rules(self):
        found = CrossValidation(np.array([1.0, 4.0, 9.0]), np.array([30, 20, 24, 60]), 100)
        assert (found.least, found.standard_error) == (20, pytest.approx(4))
        assert found.choice() == pytest.approx(2)
        assert found.choice("one standard error") == pytest.approx(6)
        with pytest.raises(ValueError, match="rule to be one of"):
            found.choice("best")

    def test_among_equals_the_largest_price(self):
        assert CrossValidation(np.array([1.0, 4.0]), np.array([3, 3, 5]), 9).choice() == pytest.approx(2)
        assert CrossValidation(np.array([1.0, 4.0]), np.array([3, 3, 3]), 9).choice() == math.inf
        assert CrossValidation(np.array([1.0]), np.array([3, 4]), 9).choice() == 0

    def test_prices_below_zero_are_no_choice(self):
        found = CrossValidation(np.array([0.0, 2.0]), np.array([1, 5, 4]), 9)
        assert (found.least, found.choice()) == (4, math.inf)
        assert CrossValidation(np.array([0.0, 2.0]), np.array([1, 3, 4]), 9).choice() == 0

    def test_geometric_means_of_a_sequence_may_miss_the_valley(self):
        for r, least, at_means in ((1, 3, 4), (6, 8, 14)):
            X, y, folds = between_the_means(r)
            found = validated_path(X, y, 2, folds)
            means = geometric_means(found.path.thresholds) / len(y)
            assert (found.validation.least, found.validation.at(means).min()) == (least, at_means)


class TestFigures:
    def test_cells_divide_the_box(self):
        X, y = noisy_room(np.random.default_rng(0), 100, 0.2)
        tree = grow_tree(X, y, 2)
        cells = cells_of(tree.children, tree.feature, tree.threshold, [(0.0, 1.0), (0.0, 1.0)])
        assert set(cells) == set(np.flatnonzero(tree.is_leaf).tolist())
        assert sum((b - a) * (d - c) for (a, b), (c, d) in cells.values()) == pytest.approx(1)

    def test_leaves_stand_side_by_side(self):
        places = places_of(worked_tree().children)
        leaves = places[np.flatnonzero(worked_tree().children[:, 0] < 0)]
        assert sorted(leaves[:, 0].tolist()) == list(range(6))
        assert places[0, 1] == 0

    def test_the_lower_hull_is_the_sequence(self):
        for seed in range(20):
            tree = random_counted_tree(np.random.default_rng(seed), 15).costed()
            path = cost_complexity_path(tree)
            least = np.array(least_costs(tree), dtype=float)
            hull = lower_hull(np.arange(1, 16), least)
            assert set(path.n_leaves.tolist()) == {n + 1 for n in hull.tolist()}

    def test_errors_along_a_path_are_costs_on_the_sample(self):
        path = cost_complexity_path(SMALL)
        assert errors_along_path(path, SMALL.costs).tolist() == path.costs.tolist()
