"""What all classifiers share, tried on the smallest one: the least-squares classifier on signs."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator

from mcbook.foundation.estimators import (
    LinearScoresMixin,
    as_decision,
    effective_weights,
    encode_classes,
    largest_score,
    seed_of,
    split_intercept,
    training_data,
    warn_not_converged,
    with_constant_feature,
)


class Ridge(LinearScoresMixin, ClassifierMixin, BaseEstimator):
    """One least-squares regression for each class."""

    accepts_sparse = True
    _parameter_constraints = {"fit_intercept": ["boolean"], "class_weight": [dict, str, None]}  # noqa: RUF012 - a test's

    def __init__(self, *, fit_intercept=True, class_weight=None):
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight

    def fit(self, X, y, sample_weight=None):
        self.data_ = data = training_data(self, X, y, sample_weight, sparse=True)
        A = data.X.toarray() if sp.issparse(data.X) else data.X
        targets = 2.0 * np.eye(len(self.classes_))[data.labels] - 1
        gram = (A * data.weight[:, None]).T @ A + 1e-3 * np.eye(A.shape[1])
        self._publish_weights(np.linalg.solve(gram, (A * data.weight[:, None]).T @ targets).T)
        return self


RNG = np.random.default_rng(2)
X = RNG.normal(size=(40, 3))
Y = np.array(["b", "a", "c"])[X.argmax(axis=1)]


def test_a_classifier_of_these_parts_is_one_of_scikit_learns():
    for outcome in check_estimator(Ridge(), on_skip=None, on_fail="raise"):
        assert outcome["status"] in ("passed", "skipped")


def test_labels_are_counted_in_sorted_order_and_what_cannot_be_told_apart_is_refused():
    classes, labels = encode_classes(["b", "a", "b"])
    assert (classes.tolist(), labels.tolist(), labels.dtype) == (["a", "b"], [1, 0, 1], np.int64)
    for y, weight, binary, message in (
        (["a", "a"], None, False, r"1 class only: \['a'\]"),
        (["a", "b"], np.array([1.0, 0.0]), False, r"1 class only: \['a'\]"),
        ([0, 1, 2], None, True, "Only binary classification is supported"),
        ([0.5, 1.5], None, False, "Unknown label type"),
    ):
        with pytest.raises(ValueError, match=message):
            encode_classes(y, weight, binary=binary)


def test_weights_multiply_and_are_checked():
    y = np.array([0, 0, 0, 1])
    assert effective_weights(X[:4], y, None, {0: 2.0}).tolist() == [2, 2, 2, 1]
    balanced = effective_weights(X[:4], y, [1, 1, 1, 3], "balanced")
    np.testing.assert_allclose(balanced, [2 / 3, 2 / 3, 2 / 3, 6])
    with pytest.raises(ValueError, match=r"[Nn]egative"):
        effective_weights(X[:4], y, [-1, 1, 1, 1])
    with pytest.raises(ValueError, match="zero"):
        effective_weights(X[:4], y, np.zeros(4))


@pytest.mark.parametrize("container", [np.asarray, sp.csr_array])
def test_weight_0_is_as_if_left_out(container):
    weight = np.where(np.arange(40) % 4 == 0, 0.0, 1.5)
    kept = np.flatnonzero(weight)
    model = Ridge().fit(container(X), Y, weight)
    np.testing.assert_allclose(model.coef_, Ridge().fit(container(X[kept]), Y[kept], weight[kept]).coef_)
    assert model.data_.X.shape == (len(kept), 4)
    np.testing.assert_array_equal(model.data_.spread(model.data_.weight), weight)


def test_the_intercept_is_the_weight_of_the_last_feature():
    for data in (X, sp.csr_array(X)):
        table = with_constant_feature(data)
        assert np.asarray(table[:, [3]].sum()) == 40
        assert table.shape == (40, 4)
    coef, intercept = split_intercept(np.arange(8.0).reshape(2, 4), 3)
    assert (coef.tolist(), intercept.tolist()) == ([[0, 1, 2], [4, 5, 6]], [3, 7])
    assert split_intercept(np.ones((2, 3)), 3)[1].tolist() == [0, 0]
    assert not Ridge(fit_intercept=False).fit(X, Y).intercept_.any()


def test_of_equal_scores_the_first_wins_also_among_two():
    tied = np.array([[1.0, 1.0, 0.0], [0.0, 2.0, 2.0]])
    assert largest_score(tied).tolist() == [0, 1]
    assert largest_score(tied, "last").tolist() == [1, 2]
    pairs = np.array([[1.0, 1.0], [0.0, 5e-324], [1.0, 0.0]])
    for ties in ("first", "last"):
        assert largest_score(as_decision(pairs), ties).tolist() == largest_score(pairs, ties).tolist()
    assert largest_score(as_decision(pairs)).tolist() == [0, 1, 0]
    with pytest.raises(ValueError, match="ties to be one of"):
        largest_score(tied, "smaller label")


def test_two_classes_have_one_score_whatever_the_rows_of_coef():
    y = Y == "a"
    model = Ridge().fit(X, y)
    scores = model.decision_function(X)
    assert scores.shape == (40,)
    np.testing.assert_array_equal(model.predict(X), scores > 0)
    model.coef_, model.intercept_ = np.diff(model.coef_, axis=0), np.diff(model.intercept_)
    np.testing.assert_allclose(model.decision_function(X), scores)


def test_seeds_come_from_everything_that_scikit_learn_takes():
    assert seed_of(3) == seed_of(3) == seed_of(np.random.RandomState(3))
    state = np.random.RandomState(3)
    assert seed_of(state) != seed_of(state)
    assert isinstance(seed_of(None), int)


def test_a_solver_that_stops_early_says_how_far_it_came():
    with pytest.warns(ConvergenceWarning, match=r"stopped by max_iter=5 at .* 0.01, not the 1e-08 asked for: raise"):
        warn_not_converged("max_iter=5", 0.01, 1e-8)


def test_what_has_no_probabilities_says_why():
    fitted = Ridge().fit([[0.0], [1.0]], ["a", "b"])
    assert not hasattr(fitted, "predict_proba")
    for asked in (fitted, Ridge):
        with pytest.raises(AttributeError, match=r"Ridge has no predict_proba: its scores are no prob.*Calibrated"):
            asked.predict_proba([[0.0]])
