"""Forests: bootstraps, growth, votes, estimators, finite forests; claims and formulas hold the values."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.forests import (
    Bagging,
    RandomForest,
    VoteDistribution,
    all_bootstraps,
    best_known_bound,
    bootstrap_counts,
    breiman_bound,
    circular_forest,
    fewest_draws,
    grow_forest,
    label_votes,
    mean_vote_correlation,
    nearest_share,
    out_of_bag_votes,
    tree_labels,
    worst_forest_error,
    worst_vote_distribution,
)
from mcbook.forests.algorithm.finite import FiniteForest
from mcbook.forests.theory import out_of_bag_share
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


# --- bootstraps ------------------------------------------------------------------------------------------------------


def test_counts_are_drawn_in_proportion_to_the_weights():
    X = np.arange(4.0)[:, None]
    counts = bootstrap_counts(X, np.zeros(4, int), np.array([1.0, 2.0, 0.0, 5.0]), np.random.default_rng(0), 4000)
    assert (counts.sum(axis=1) == 3).all()
    np.testing.assert_allclose(counts.mean(axis=0), np.array([1, 2, 0, 5]) * 3 / 8, atol=0.05)
    share = (counts[:, 0] > 0).mean()
    assert share == pytest.approx(1 - (7 / 8) ** 3, abs=0.03)


@pytest.mark.parametrize("factor", [2.0, 10.0, 0.1, 1.5, 1e12, 1e-12, 1e300])
def test_only_the_proportions_of_the_weights_matter(factor):
    """Whether a weight is whole says nothing, and no sum overflows."""
    X, y = sample(np.random.default_rng(1), 40)
    for weight in (np.ones(40), np.random.default_rng(4).integers(0, 5, 40).astype(float)):
        plain, scaled = (bootstrap_counts(X, y, one, np.random.default_rng(3), 20) for one in (weight, weight * factor))
        np.testing.assert_array_equal(plain, scaled)
        assert (plain.sum(axis=1) == (weight > 0).sum()).all()


def test_the_order_of_the_examples_does_not_matter():
    rng = np.random.default_rng(1)
    X, y = sample(rng, 30)
    order = rng.permutation(30)
    first = bootstrap_counts(X, y, np.ones(30), np.random.default_rng(3), 5)
    second = bootstrap_counts(X[order], y[order], np.ones(30), np.random.default_rng(3), 5)
    np.testing.assert_array_equal(first[:, order], second)


def test_examples_that_differ_by_little_are_told_apart_and_zeros_of_both_signs_are_one():
    def counts(*values):
        return bootstrap_counts(np.array(values)[:, None], y, np.ones(len(y)), np.random.default_rng(0), 50)

    y = np.zeros(2, int)
    np.testing.assert_array_equal(counts(1e-20, 2e-20), counts(2e-20, 1e-20)[:, ::-1])
    y = np.array([0, 1])
    np.testing.assert_array_equal(counts(0.0, 0.0), counts(-0.0, 0.0))


# --- growth and votes ------------------------------------------------------------------------------------------------


def test_a_tree_is_the_tree_of_its_counts():
    X, y = sample(np.random.default_rng(0))
    forest = grow_forest(X, y, 3, n_trees=4)
    for grown, count in zip(forest.trees, forest.counts, strict=True):
        alone = grow_tree(np.repeat(X, count.astype(int), axis=0), np.repeat(y, count.astype(int)), 3)
        np.testing.assert_array_equal(grown.value, alone.value)
        np.testing.assert_array_equal(grown.feature, alone.feature)


# --- RandomForest ----------------------------------------------------------------------------------------------------


def test_it_learns_as_well_as_the_peer():
    X, y = load_iris(return_X_y=True)
    ours = RandomForest(oob_score=True, random_state=0).fit(X, y)
    peer = RandomForestClassifier(oob_score=True, random_state=0).fit(X, y)
    assert abs(ours.oob_score_ - peer.oob_score_) < 0.03
    np.testing.assert_allclose(ours.feature_importances_, peer.feature_importances_, atol=0.12)
    assert ours.feature_importances_.sum() == pytest.approx(1)


def test_the_vote_is_the_vote_of_its_trees():
    X, y = sample(np.random.default_rng(0))
    model = RandomForest(15, max_depth=2, random_state=0).fit(X, y)
    votes = label_votes(tree_labels(model.forest_, X), 3)
    np.testing.assert_allclose(model.predict_proba(X), votes / 15)
    mean = RandomForest(15, max_depth=2, random_state=0, voting="mean").fit(X, y)
    assert len(np.unique(mean.predict_proba(X))) > len(np.unique(model.predict_proba(X)))


def test_the_out_of_bag_score_is_counted_from_the_votes():
    X, y = sample(np.random.default_rng(0), 60)
    model = RandomForest(4, oob_score=True, random_state=0).fit(X, y)
    votes = out_of_bag_votes(model.forest_, X)
    voted = votes.sum(axis=1) > 0
    assert 0 < voted.sum() < 60
    assert model.oob_score_ == pytest.approx((votes[voted].argmax(axis=1) == y[voted]).mean())
    np.testing.assert_array_equal(np.isnan(model.oob_decision_function_[:, 0]), ~voted)
    shares = votes[voted] / votes[voted].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.oob_decision_function_[voted], shares)


def test_how_many_features_are_drawn():
    X, y = sample(np.random.default_rng(0), 30, 9)
    for asked, drawn in (("sqrt", 3), ("log2", 3), (None, 9), (4, 4), (40, 9), (0.5, 4), (0.01, 1)):
        assert RandomForest(2, max_features=asked).fit(X, y)._n_drawn() == drawn


@pytest.mark.parametrize(
    "model",
    [
        RandomForest(10, bootstrap=False, min_impurity_decrease=0.01, random_state=0),
        RandomForest(10, class_weight="balanced", oob_score=True, random_state=0),
        RandomForest(10, class_weight={0: 2.0, 1: 1.0, 2: 0.5}, oob_score=True, random_state=0),
        Bagging(KNeighborsClassifier(1), 10, oob_score=True, random_state=0),
    ],
    ids=["without bootstrap", "balanced", "weights of classes", "bagged neighbours"],
)
def test_a_constant_weight_changes_nothing(model):
    X, y = sample(np.random.default_rng(0), 120)
    plain = clone(model).fit(X, y)
    for factor in (10.0, 0.1, 1e12):
        weighted = clone(model).fit(X, y, sample_weight=np.full(120, factor))
        np.testing.assert_array_equal(plain.predict_proba(X), weighted.predict_proba(X))
        if model.oob_score:
            np.testing.assert_array_equal(plain.oob_decision_function_, weighted.oob_decision_function_)


# --- Bagging ---------------------------------------------------------------------------------------------------------


def test_a_bootstrap_may_lack_classes():
    X, y = np.arange(5.0)[:, None], np.array(["a", "a", "a", "b", "c"])
    for voting in ("plurality", "mean"):
        model = Bagging(LogisticRegression(), 80, voting=voting, random_state=0).fit(X, y)
        assert any(len(np.unique(y[count > 0])) == 1 for count in model.counts_)
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


# --- finite forests --------------------------------------------------------------------------------------------------


# --- what is refused -------------------------------------------------------------------------------------------------


class Silent(LogisticRegression):
    predict_proba = property()


X, Y = sample(np.random.default_rng(0), 20)
HALF = Fraction(1, 2)
TIES = [[0.0], [1.0]]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: grow_forest(X, Y, max_features=7), "max_features <= 6, got 7: no more features"),
        (lambda: grow_forest(X, Y, draw="node"), "expected draw to be one of 'split', 'tree'; got 'node'"),
        (lambda: grow_forest(X, Y, n_trees=0), "n_trees >= 1"),
        (lambda: list(all_bootstraps(0)), ">= 1|at least 1"),
        (lambda: mean_vote_correlation(np.zeros((3, 4), int), np.zeros(4, int)), "two trees that are right on some"),
        (
            lambda: RandomForest(bootstrap=False, oob_score=True).fit(X, Y),
            "expected bootstrap=True with oob_score=True",
        ),
        (lambda: RandomForest().fit(X, Y, sample_weight=np.zeros(20)), "at least one non-zero"),
        (lambda: RandomForest(2).fit(X, Y, sample_weight=-np.ones(20)), "Negative"),
        (lambda: Bagging(n_estimators=2).fit(X, Y, sample_weight=-np.ones(20)), "Negative"),
        # Of two examples, half of all bootstraps hold both.
        (
            lambda: [RandomForest(1, oob_score=True, random_state=s).fit(TIES, [0, 1]) for s in range(20)],
            "out of some bag",
        ),
        (
            lambda: Bagging(Silent(), voting="mean").fit(X, Y),
            "expected an estimator with predict_proba for voting='mean', got Silent",
        ),
        (lambda: circular_forest(VoteDistribution([HALF / 2, 3 * HALF / 2], [-HALF, Fraction(1)]), 3), "got 3"),
        (lambda: worst_vote_distribution(Fraction(991, 1000), Fraction(1, 100)), "strength <= 99/100"),
        (lambda: FiniteForest([Fraction(1)], [[0]], [0], 2).correlation, "neither always right nor always wrong"),
        (lambda: FiniteForest([HALF] * 2, [[0, 1, 1]], [0, 1], 2), "on 2 atoms, got shape"),
        (lambda: worst_forest_error(0, HALF), "strength > 0"),
        (lambda: breiman_bound(Fraction(11, 10), HALF), "strength"),
        (lambda: best_known_bound(HALF, Fraction(11, 10)), "correlation"),
        (lambda: nearest_share(4, 3, 3), "place <= 3"),
        (lambda: nearest_share(1, 1, 0), "n_draws"),
        (lambda: out_of_bag_share(0, 1), "n_samples"),
        (lambda: out_of_bag_share(1, -1), "n_draws"),
        (lambda: fewest_draws(1), "n_samples"),
    ],
)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()
