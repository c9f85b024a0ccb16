"""Forests: bootstraps, growth, votes, estimators, finite forests, formulas, pictures."""

from __future__ import annotations

from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from mcbook.forests import (
    Bagging,
    RandomForest,
)


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
