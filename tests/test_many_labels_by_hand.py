"""Boosting many labels on cases small enough for a pencil: steps, endings, and the bounds that estimators print."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.sparse as sp

from mcbook import AdaBoostMH, AdaBoostMR
from mcbook.boosting import StumpLearner
from mcbook.boosting_many_labels import (
    LabelStumps,
    argmax_error_bound,
    boost_pairs,
    boost_rankings,
    run_adaboost_mr,
    started_error_bound,
    tied_rival,
)

LINE, THREE = np.array([[0.0], [1.0], [2.0]]), np.array([0, 1, 2])
ROWS = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0], [4.0, 3.0], [5.0, 0.0]]


@pytest.mark.parametrize(("weight", "longest"), [(1.0, 7), (2.0, 13)])
def test_where_nothing_is_put_wrong_the_step_is_that_of_all_pairs_against_one(weight, longest):
    """One stump tells the first label from the others: of six pairs it puts four right, and says nothing of two."""
    weights = np.full(3, weight)
    by_stumps = boost_rankings(LabelStumps(LINE), THREE, 3, 1, weights=weights)
    by_outputs = run_adaboost_mr(StumpLearner(LINE), THREE, 3, 1, weights=weights)
    for run in (by_stumps, by_outputs):
        assert (run.right[0], run.wrong[0]) == (pytest.approx(4 / 6), 0)
        assert run.steps[0] == pytest.approx(math.log(longest) / 4)


def test_a_learner_is_given_what_each_output_is_worth():
    """Half of the weight lies on labels, half on rivals: the edge is the weight put right less that put wrong."""
    seen = []

    class Watched(StumpLearner):
        def learn(self, S):
            seen.append(S.copy())
            return super().learn(S)

    run_adaboost_mr(Watched(LINE), THREE, 3, 2)
    assert seen[0] == pytest.approx(np.where(np.eye(3) == 1, 1 / 6, -1 / 12))
    for S in seen:
        assert (S.diagonal().sum(), S.sum()) == (pytest.approx(0.5), pytest.approx(0))


def test_an_edge_that_is_rounding_is_none():
    """0.1 + 0.2 + 0.3 is not 0.6 in floats, so a constant answer puts a hair more right than wrong."""
    X, y, weights = np.zeros((4, 1)), np.array([0, 0, 0, 1]), np.array([0.1, 0.2, 0.3, 0.6])
    for run in (
        boost_rankings(LabelStumps(X), y, 2, 3, weights=weights),
        run_adaboost_mr(StumpLearner(X), y, 2, 3, weights=weights),
    ):
        assert (run.ending, run.n_rounds) == ("useless", 0)


def test_a_stump_without_error_has_the_error_0():
    run = boost_pairs(LabelStumps(LINE), np.array([[1, -1], [1, -1], [-1, 1]]), 5)
    assert (run.ending, run.steps.tolist()) == ("perfect", [1.0])
    assert (run.errors.tolist(), run.normalisers.tolist()) == ([0.0], [0.0])
    ranked = boost_rankings(LabelStumps(LINE), np.array([0, 0, 1]), 2, 5)
    assert (ranked.ending, ranked.right.tolist()) == ("perfect", [pytest.approx(1)])
    assert (ranked.wrong.tolist(), ranked.normalisers.tolist()) == ([0.0], [0.0])


def test_the_rival_that_ties_is_of_an_example_of_label_0():
    y, H = tied_rival(4)
    assert y.tolist() == [0]
    assert H.tolist() == [[[1, 1, -1, -1]]]


class TestBounds:
    def normalisers(self, model):
        return 2 * np.sqrt(model.estimator_errors_ * (1 - model.estimator_errors_))

    def test_of_single_labels(self):
        y = [0, 1, 2, 2, 1, 0]
        model = AdaBoostMH(n_estimators=3).fit(ROWS, y)
        bound = float(argmax_error_bound(3, self.normalisers(model)))
        assert model.training_error_bound_ == pytest.approx(bound, rel=1e-12)
        model = AdaBoostMH(n_estimators=3, label_share=0.4).fit(ROWS, y)
        bound = float(started_error_bound(3, 0.4, self.normalisers(model)))
        assert model.training_error_bound_ == pytest.approx(bound, rel=1e-12)

    def test_of_indicator_matrices(self):
        Y = np.array([[1, 0], [1, 1], [0, 1], [0, 0], [1, 1], [0, 1]])
        model = AdaBoostMH(n_estimators=3).fit(ROWS, Y)
        assert model.training_error_bound_ == pytest.approx(self.normalisers(model).prod(), rel=1e-12)
        assert np.abs(model.decision_function(ROWS)).min() < 1
        assert (model.predict(ROWS) == (model.decision_function(ROWS) > 0)).all()
        sparse = AdaBoostMH(n_estimators=3).fit(ROWS, sp.csr_array(Y))
        assert sparse.estimator_errors_.tolist() == model.estimator_errors_.tolist()

    def test_of_rankings(self):
        y = np.array([0, 1, 2, 2, 1, 0])
        model = AdaBoostMR(n_estimators=3).fit(ROWS, y)
        run = run_adaboost_mr(StumpLearner(np.array(ROWS)), y, 3, 3)
        assert model.estimator_errors_ == pytest.approx(run.wrong, abs=1e-12)
        assert model.training_error_bound_ == pytest.approx(2 * run.normalisers.prod())


def test_examples_of_weight_0_are_left_out_of_an_indicator_matrix():
    """The third example would move the threshold to its own half."""
    X, Y = [[0.0], [1.0], [0.6]], np.array([[1, 0], [0, 1], [1, 1]])
    kept = AdaBoostMH(n_estimators=2).fit(X[:2], Y[:2])
    model = AdaBoostMH(n_estimators=2).fit(X, Y, sample_weight=[1, 1, 0])
    assert model.decision_function(X).tolist() == kept.decision_function(X).tolist()
    assert model.estimators_[0].question.threshold == 0.5
