"""Forests: bootstraps, growth, votes, estimators, finite forests, formulas, pictures."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
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
from mcbook.trees import grow_tree


@parametrize_with_checks(
    [
        RandomForest(n_estimators=6),
        RandomForest(n_estimators=5, draw="tree", oob_score=True, voting="mean"),
        Bagging(n_estimators=5, oob_score=True),
        Bagging(KNeighborsClassifier(1), n_estimators=4, voting="mean"),
    ]
)
def test_estimators_are_those_of_scikit_learn(estimator, check):
    check(estimator)
