"""Forests: bootstraps, growth, votes, estimators, finite forests, formulas."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.forests import (
    Bagging,
    FiniteForest,
    RandomForest,
    VoteLaw,
    all_bootstraps,
    bagged_nearest_neighbour,
    best_known_bound,
    bootstrap_counts,
    breiman_bound,
    circular_forest,
    errors_as_trees_are_added,
    fewest_draws,
    grow_forest,
    label_votes,
    mean_vote_correlation,
    nearest_share,
    out_of_bag_votes,
    seen_share,
    tree_labels,
    worst_forest_error,
    worst_vote_law,
)
from mcbook.forests.kernels import count_drawn, fingerprints
from mcbook.trees import grow_tree

# A copy is one more draw, and only the proportions of the weights count: weights of 10 are no ten copies.
NOT_OF_BOOTSTRAPS = {
    "check_sample_weight_equivalence_on_dense_data": "a bootstrap draws as often as there are examples",
}


@parametrize_with_checks(
    [
        RandomForest(n_estimators=6),
        RandomForest(n_estimators=5, draw="tree", oob_score=True, voting="mean"),
        Bagging(n_estimators=5, oob_score=True),
        Bagging(KNeighborsClassifier(1), n_estimators=4, voting="mean"),
    ],
    expected_failed_checks=lambda estimator: NOT_OF_BOOTSTRAPS,
)
def test_estimators_are_those_of_scikit_learn(estimator, check):
    check(estimator)


def sample(rng, n_samples=150, n_features=6, n_classes=3):
    X = rng.normal(size=(n_samples, n_features))
    return X, np.digitize(X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=n_samples), [-0.7, 0.7])


class TestBootstraps:
    def test_all_of_them_have_the_multinomial_law(self):
        assert sum(p for _, p in all_bootstraps(3, 5)) == 1
        assert dict(all_bootstraps(3))[1, 1, 1] == Fraction(6, 27)
        assert len(dict(all_bootstraps(4, 2))) == 10

    def test_counts_are_drawn_in_proportion_to_the_weights(self):
        X = np.arange(4.0)[:, None]
        counts = bootstrap_counts(X, np.zeros(4, int), np.array([1.0, 2.0, 0.0, 5.0]), np.random.default_rng(0), 4000)
        assert (counts.sum(axis=1) == 3).all()
        np.testing.assert_allclose(counts.mean(axis=0), np.array([1, 2, 0, 5]) * 3 / 8, atol=0.05)
        share = (counts[:, 0] > 0).mean()
        assert share == pytest.approx(1 - (7 / 8) ** 3, abs=0.03)

    @pytest.mark.parametrize("factor", [2.0, 10.0, 0.1, 1.5, 1e12, 1e-12, 1e300])
    def test_only_the_proportions_of_the_weights_matter(self, factor):
        """Whether a weight is whole says nothing, and no sum overflows."""
        X, y = sample(np.random.default_rng(1), 40)
        for weight in (np.ones(40), np.random.default_rng(4).integers(0, 5, 40).astype(float)):
            plain, scaled = (
                bootstrap_counts(X, y, one, np.random.default_rng(3), 20) for one in (weight, weight * factor)
            )
            np.testing.assert_array_equal(plain, scaled)
            assert (plain.sum(axis=1) == (weight > 0).sum()).all()

    def test_the_order_of_the_examples_does_not_matter(self):
        rng = np.random.default_rng(1)
        X, y = sample(rng, 30)
        order = rng.permutation(30)
        first = bootstrap_counts(X, y, np.ones(30), np.random.default_rng(3), 5)
        second = bootstrap_counts(X[order], y[order], np.ones(30), np.random.default_rng(3), 5)
        np.testing.assert_array_equal(first[:, order], second)

    def test_examples_that_differ_by_little_are_told_apart_and_zeros_of_both_signs_are_one(self):
        def counts(*values):
            return bootstrap_counts(np.array(values)[:, None], y, np.ones(len(y)), np.random.default_rng(0), 50)

        y = np.zeros(2, int)
        np.testing.assert_array_equal(counts(1e-20, 2e-20), counts(2e-20, 1e-20)[:, ::-1])
        y = np.array([0, 1])
        np.testing.assert_array_equal(counts(0.0, 0.0), counts(-0.0, 0.0))

    def test_a_place_behind_the_last_example_counts_for_it(self):
        for kind in (int, float):
            counts = np.zeros((2, 3))
            count_drawn(np.array([[0, 2, 3], [1, 1, 0]], kind), np.array([2, 0, 1]), counts)
            assert counts.tolist() == [[0, 2, 1], [2, 0, 1]]

    def test_examples_are_told_apart_by_the_feature_that_differs_and_by_their_labels(self):
        X = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [1.0, 2.0, 0.0]])
        bits, labels = X.view(np.uint64), np.array([0, 0, 1, 0], np.uint64)
        first, swapped, other, same = fingerprints(bits, labels).tolist()
        assert first == same
        assert len({first, swapped, other}) == 3


class TestGrowth:
    def test_without_draws_every_tree_is_the_tree(self):
        X, y = sample(np.random.default_rng(0))
        forest, tree = grow_forest(X, y, 3, n_trees=3, bootstrap=False), grow_tree(X, y, 3)
        for grown in forest.trees:
            np.testing.assert_array_equal(grown.feature, tree.feature)
            np.testing.assert_array_equal(grown.threshold, tree.threshold)

    def test_a_tree_is_the_tree_of_its_counts(self):
        X, y = sample(np.random.default_rng(0))
        forest = grow_forest(X, y, 3, n_trees=4)
        for grown, count in zip(forest.trees, forest.counts, strict=True):
            alone = grow_tree(np.repeat(X, count.astype(int), axis=0), np.repeat(y, count.astype(int)), 3)
            np.testing.assert_array_equal(grown.value, alone.value)
            np.testing.assert_array_equal(grown.feature, alone.feature)

    def test_features_drawn_for_a_tree_are_the_same_in_all_its_splits(self):
        X, y = sample(np.random.default_rng(0))
        forest = grow_forest(X, y, 3, n_trees=30, max_features=2, draw="tree")
        asked = [tuple(np.unique(tree.feature[tree.feature >= 0])) for tree in forest.trees]
        assert max(map(len, asked)) == 2
        assert {j for pair in asked for j in pair} == set(range(6))
        # A tree is right on its own bootstrap, so its features stand for the columns of X and not of its own.
        for tree, count in zip(forest.trees, forest.counts, strict=True):
            assert tree.weight[0] == count.sum()
        seen = tree_labels(forest, X) == y
        assert all(seen[t, forest.counts[t] > 0].all() for t in range(30))

    def test_seeds_and_jobs(self):
        X, y = sample(np.random.default_rng(0))
        one, two = (grow_forest(X, y, 3, n_trees=8, max_features=2, seed=5, n_jobs=n) for n in (1, 2))
        for a, b in zip(one.trees, two.trees, strict=True):
            np.testing.assert_array_equal(a.threshold, b.threshold)
        other = grow_forest(X, y, 3, n_trees=8, max_features=2, seed=6)
        assert not np.array_equal(one.counts, other.counts)

    def test_bad_input(self):
        X, y = sample(np.random.default_rng(0), 20)
        with pytest.raises(ValueError, match="max_features <= 6, got 7: no more features"):
            grow_forest(X, y, max_features=7)
        with pytest.raises(ValueError, match="expected draw to be one of 'split', 'tree'; got 'node'"):
            grow_forest(X, y, draw="node")
        with pytest.raises(ValueError, match="n_trees >= 1"):
            grow_forest(X, y, n_trees=0)
        with pytest.raises(ValueError, match="two trees that are right on some"):
            mean_vote_correlation(np.zeros((3, 4), int), np.zeros(4, int))


class TestVotes:
    def test_votes_out_of_the_bag_are_those_of_trees_without_the_example(self):
        X, y = sample(np.random.default_rng(0), 40)
        forest = grow_forest(X, y, 3, n_trees=10, max_features=2)
        outside, labels = out_of_bag_votes(forest, X), tree_labels(forest, X)
        for i, c in itertools.product(range(40), range(3)):
            assert outside[i, c] == ((labels[:, i] == c) & (forest.counts[:, i] == 0)).sum()
        np.testing.assert_array_equal(outside.sum(axis=1), (forest.counts == 0).sum(axis=0))

    def test_the_correlation_is_that_of_numpy(self):
        rng = np.random.default_rng(0)
        labels, y = rng.integers(0, 3, (6, 50)), rng.integers(0, 3, 50)
        table = np.corrcoef((labels == y).astype(float))
        expected = table[np.triu_indices(6, 1)].mean()
        assert mean_vote_correlation(labels, y) == pytest.approx(expected, rel=1e-12)
        constant = np.vstack([labels, y])
        assert mean_vote_correlation(constant, y) == pytest.approx(expected, rel=1e-12)


class TestRandomForest:
    def test_it_learns_as_well_as_the_peer(self):
        X, y = load_iris(return_X_y=True)
        ours = RandomForest(oob_score=True, random_state=0).fit(X, y)
        peer = RandomForestClassifier(oob_score=True, random_state=0).fit(X, y)
        assert abs(ours.oob_score_ - peer.oob_score_) < 0.03
        np.testing.assert_allclose(ours.feature_importances_, peer.feature_importances_, atol=0.12)
        assert ours.feature_importances_.sum() == pytest.approx(1)

    def test_the_vote_is_the_vote_of_its_trees(self):
        X, y = sample(np.random.default_rng(0))
        model = RandomForest(15, max_depth=2, random_state=0).fit(X, y)
        votes = label_votes(tree_labels(model.forest_, X), 3)
        np.testing.assert_allclose(model.predict_proba(X), votes / 15)
        mean = RandomForest(15, max_depth=2, random_state=0, voting="mean").fit(X, y)
        assert len(np.unique(mean.predict_proba(X))) > len(np.unique(model.predict_proba(X)))

    def test_a_bag_may_hold_one_example_only(self):
        model = Bagging(n_estimators=20, random_state=0).fit([[0.0], [1.0]], ["a", "b"])
        assert set(model.predict_proba([[0.0]]).ravel() * 20) <= set(range(21))

    def test_the_out_of_bag_score_is_counted_from_the_votes(self):
        X, y = sample(np.random.default_rng(0), 60)
        model = RandomForest(4, oob_score=True, random_state=0).fit(X, y)
        votes = out_of_bag_votes(model.forest_, X)
        voted = votes.sum(axis=1) > 0
        assert 0 < voted.sum() < 60
        assert model.oob_score_ == pytest.approx((votes[voted].argmax(axis=1) == y[voted]).mean())
        np.testing.assert_array_equal(np.isnan(model.oob_decision_function_[:, 0]), ~voted)
        shares = votes[voted] / votes[voted].sum(axis=1, keepdims=True)
        np.testing.assert_allclose(model.oob_decision_function_[voted], shares)

    @pytest.mark.parametrize(
        ("asked", "drawn"), [("sqrt", 3), ("log2", 3), (None, 9), (4, 4), (40, 9), (0.5, 4), (0.01, 1)]
    )
    def test_how_many_features_are_drawn(self, asked, drawn):
        X, y = sample(np.random.default_rng(0), 30, 9)
        assert RandomForest(2, max_features=asked).fit(X, y)._n_drawn() == drawn

    def test_class_weights_change_what_is_drawn(self):
        X, y = sample(np.random.default_rng(0))
        y = (y == 2).astype(int)
        y[:100] = 0
        plain = RandomForest(40, random_state=0).fit(X, y)
        balanced = RandomForest(40, class_weight="balanced", random_state=0).fit(X, y)
        share = [model.forest_.counts[:, y == 1].sum() / model.forest_.counts.sum() for model in (plain, balanced)]
        assert share[0] == pytest.approx(y.mean(), abs=0.03)
        assert share[1] == pytest.approx(0.5, abs=0.03)

    def test_missing_values_and_categories_of_a_frame(self):
        rng = np.random.default_rng(0)
        colour = rng.choice(["red", "green", "blue"], 120)
        frame = pd.DataFrame({"size": rng.normal(size=120), "colour": pd.Categorical(colour)})
        frame.loc[::7, "size"] = np.nan
        model = RandomForest(20, max_features=None, random_state=0).fit(frame, colour == "red")
        assert model.score(frame, colour == "red") == 1

    def test_examples_of_weight_0_are_left_out(self):
        X, y = sample(np.random.default_rng(0))
        weight = (np.arange(len(y)) % 3 > 0).astype(float)
        some = RandomForest(5, oob_score=True, random_state=0).fit(X, y, sample_weight=weight)
        only = RandomForest(5, oob_score=True, random_state=0).fit(X[weight > 0], y[weight > 0])
        np.testing.assert_array_equal(some.predict_proba(X), only.predict_proba(X))
        np.testing.assert_array_equal(some.oob_decision_function_, only.oob_decision_function_)

    def test_bad_input(self):
        X, y = sample(np.random.default_rng(0), 20)
        with pytest.raises(ValueError, match="expected bootstrap=True with oob_score=True"):
            RandomForest(bootstrap=False, oob_score=True).fit(X, y)
        with pytest.raises(ValueError, match="at least one non-zero"):
            RandomForest().fit(X, y, sample_weight=np.zeros(20))
        # Of two examples, half of all bootstraps hold both.
        with pytest.raises(ValueError, match="out of some bag"):
            [RandomForest(1, oob_score=True, random_state=state).fit([[0.0], [1.0]], [0, 1]) for state in range(20)]


@pytest.mark.parametrize("factor", [10.0, 0.1, 1e12])
@pytest.mark.parametrize(
    "model",
    [
        RandomForest(10, oob_score=True, random_state=0),
        RandomForest(10, bootstrap=False, min_impurity_decrease=0.01, random_state=0),
        RandomForest(10, class_weight="balanced", oob_score=True, random_state=0),
        RandomForest(10, class_weight={0: 2.0, 1: 1.0, 2: 0.5}, oob_score=True, random_state=0),
        Bagging(n_estimators=10, oob_score=True, random_state=0),
        Bagging(KNeighborsClassifier(1), 10, oob_score=True, random_state=0),
    ],
    ids=["forest", "without bootstrap", "balanced", "weights of classes", "bagged trees", "bagged neighbours"],
)
def test_a_constant_weight_changes_nothing(model, factor):
    X, y = sample(np.random.default_rng(0), 120)
    plain, weighted = clone(model).fit(X, y), clone(model).fit(X, y, sample_weight=np.full(120, factor))
    np.testing.assert_array_equal(plain.predict_proba(X), weighted.predict_proba(X))
    if model.oob_score:
        np.testing.assert_array_equal(plain.oob_decision_function_, weighted.oob_decision_function_)


class TestBagging:
    def test_bagged_nearest_neighbours_agree_with_one(self):
        X, y = sample(np.random.default_rng(0))
        new = np.random.default_rng(1).normal(size=(200, 6))
        bagged = Bagging(KNeighborsClassifier(1), 200, random_state=0).fit(X, y)
        assert (bagged.predict(new) == KNeighborsClassifier(1).fit(X, y).predict(new)).mean() > 0.99

    def test_counts_are_weights_or_copies(self):
        """A logistic regression takes both, and they are the same to it."""
        X, y = sample(np.random.default_rng(0), 60)

        class Unweighted(LogisticRegression):
            def fit(self, X, y):
                return super().fit(X, y)

        weighted, copies = (
            Bagging(kind(tol=1e-10, max_iter=1000), 5, voting="mean", random_state=0).fit(X, y)
            for kind in (LogisticRegression, Unweighted)
        )
        np.testing.assert_allclose(weighted.predict_proba(X), copies.predict_proba(X), atol=1e-6)

    def test_other_features_than_those_of_training_are_refused(self):
        X, y = sample(np.random.default_rng(0), 60)
        for estimator in (None, KNeighborsClassifier(1)):
            model = Bagging(estimator, 2, random_state=0).fit(X, y)
            with pytest.raises(ValueError, match="expecting 6 features"):
                model.predict(X[:, :5])
            assert model.n_features_in_ == 6

    def test_votes_out_of_the_bag_are_counted_where_they_are_asked_for(self):
        X, y = sample(np.random.default_rng(0), 60)
        assert not hasattr(Bagging(n_estimators=4, random_state=0).fit(X, y), "oob_score_")
        model = Bagging(n_estimators=4, oob_score=True, random_state=0).fit(X, y)
        votes = np.zeros((60, 3))
        for copy, count in zip(model.estimators_, model.counts_, strict=True):
            outside = np.flatnonzero(count == 0)
            votes[outside, copy.predict(X[outside])] += 1
        voted = votes.any(axis=1)
        assert model.oob_score_ == (votes.argmax(axis=1) == y)[voted].mean()

    def test_a_bootstrap_may_lack_classes(self):
        X, y = np.arange(5.0)[:, None], np.array(["a", "a", "a", "b", "c"])
        for voting in ("plurality", "mean"):
            model = Bagging(LogisticRegression(), 80, voting=voting, random_state=0).fit(X, y)
            assert any(len(np.unique(y[count > 0])) == 1 for count in model.counts_)
            np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)

    def test_bad_input(self):
        X, y = sample(np.random.default_rng(0), 20)

        class Silent(LogisticRegression):
            predict_proba = property()

        with pytest.raises(ValueError, match="expected an estimator with predict_proba for voting='mean', got Silent"):
            Bagging(Silent(), voting="mean").fit(X, y)


class TestFiniteForests:
    def test_circular_forests_have_the_margins_asked_for(self):
        law = VoteLaw([Fraction(1, 4), Fraction(3, 4)], [Fraction(-1, 2), Fraction(1)])
        forest = circular_forest(law, 4)
        assert forest.margins.tolist() == [Fraction(-1, 2)] * 4 + [1] * 4
        assert set(forest.tree_strengths.tolist()) == {law.strength}
        assert (forest.correlation, forest.error) == (law.correlation, law.error)
        with pytest.raises(ValueError, match="got 3"):
            circular_forest(law, 3)

    def test_margins_against_the_strongest_rival(self):
        forest = FiniteForest([Fraction(1)], [[0], [1], [1], [2]], [0], 3)
        assert (forest.margins.tolist(), forest.error) == ([Fraction(-1, 4)], 1)
        assert forest.mean_tree_error == Fraction(3, 4)

    def test_correlation_of_unequal_trees_is_a_ball(self):
        votes = [[0, 0, 1], [0, 1, 1], [0, 0, 0]]
        forest = FiniteForest([Fraction(1, 3)] * 3, votes, [0, 0, 0], 2)
        raw = np.array([[1, 1, -1], [1, -1, -1], [1, 1, 1]])
        expected = raw.mean(axis=0).var() / raw.std(axis=1).mean() ** 2
        assert float(forest.correlation) == pytest.approx(expected)
        with pytest.raises(ValueError, match="neither always right nor always wrong"):
            FiniteForest([Fraction(1)], [[0]], [0], 2).correlation  # noqa: B018 -- the property is what raises

    def test_adding_trees_ends_with_the_forest(self):
        forest = circular_forest(worst_vote_law(Fraction(1, 3), Fraction(1, 16)), 8)
        errors = errors_as_trees_are_added(forest)
        assert errors[0] == forest.mean_tree_error == Fraction(1, 3)
        assert errors[-1] == forest.error

    def test_shapes(self):
        with pytest.raises(ValueError, match="on 2 atoms, got shape"):
            FiniteForest([Fraction(1, 2)] * 2, [[0, 1, 1]], [0, 1], 2)


class TestFormulas:
    def test_the_two_regimes_meet(self):
        for s in (Fraction(1, 5), Fraction(1, 2), Fraction(9, 10)):
            assert worst_forest_error(s, s / (1 + s)) == 1 - s
            assert worst_forest_error(s, Fraction(1)) == (1 - s) / 2
            assert best_known_bound(s, 1) == 1 - s

    def test_printed_values(self):
        assert breiman_bound(Fraction(1, 4), Fraction(11, 15)) == 11
        assert worst_forest_error(0.2, 0.5) == pytest.approx(0.64)
        assert [fewest_draws(m) for m in (10, 100, 1000)] == [7, 69, 693]
        assert float(seen_share(100)) == pytest.approx(0.6340, abs=5e-5)

    def test_neighbours_share_all_votes(self):
        assert sum(nearest_share(j, 6, 4) for j in range(1, 7)) == 1
        assert bagged_nearest_neighbour([0, 1, 2], 2).tolist() == [nearest_share(j, 3, 2) for j in (1, 2, 3)]

    def test_bad_input(self):
        with pytest.raises(ValueError, match="strength > 0"):
            worst_forest_error(0, Fraction(1, 2))
        with pytest.raises(ValueError, match="correlation"):
            best_known_bound(Fraction(1, 2), 2)
        with pytest.raises(ValueError, match="place <= 3"):
            nearest_share(4, 3, 3)


def test_a_negative_weight_is_refused():
    X, y = np.arange(4.0)[:, None], [0, 0, 1, 1]
    for model in (RandomForest(2), Bagging(n_estimators=2)):
        with pytest.raises(ValueError, match="Negative"):
            model.fit(X, y, sample_weight=[1, 1, 1, -1])
