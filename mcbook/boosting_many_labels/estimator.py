"""AdaBoost.MH and AdaBoost.MR as scikit-learn classifiers."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import validate_data

from mcbook.boosting import run_adaboost
from mcbook.boosting.estimator import BoostingClassifier
from mcbook.boosting_many_labels.algorithm.ranking import run_adaboost_mr
from mcbook.boosting_many_labels.algorithm.stump_rounds import LabelStumps, boost_pairs, boost_rankings
from mcbook.boosting_many_labels.theory import (
    argmax_error_bound,
    label_signs,
    ranking_error_bound,
    start_weights,
    started_error_bound,
)
from mcbook.foundation.estimators import as_decision, effective_weights, encode_classes, largest_score
from mcbook.foundation.types import Array, ArrayLike, ClassWeight, Floats, Labels, Matrix, RandomState, Signs


class ManyLabelsBooster(BoostingClassifier):
    """What AdaBoost.MH and AdaBoost.MR share: scores for all classes, and the largest of them wins."""

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Boost the weak learner; examples of weight 0 are left out."""
        self._validate_params()
        X, y = validate_data(self, X, y, **self._conversion())
        weight = effective_weights(X, y, sample_weight, self.class_weight)
        self.classes_, labels = encode_classes(y, weight)
        kept = np.flatnonzero(weight > 0)
        return self._boost(X[kept], labels[kept], weight[kept])

    def _boost(self, X: Floats, labels: Labels, weight: Floats) -> Self:
        raise NotImplementedError

    def _stumps(self, X: Floats) -> LabelStumps:
        return LabelStumps(X, categorical=self._category_mask(X.shape[1]), max_bins=self.max_bins)

    def _scores(self, votes: Floats) -> Array:
        return as_decision(votes)

    def _named(self, scores: Array) -> Array:
        return np.asarray(self.classes_[largest_score(scores)])


class AdaBoostMH(ManyLabelsBooster):
    """AdaBoost.MH: AdaBoost on all pairs of an example and a label, each with the answer yes or no.

    ``y`` may hold one label for each example, or be an indicator matrix ``(n_samples, n_classes)`` of 0 and 1.  The
    scores f(x, l) are votes of hypotheses that answer for all labels at once.  With single labels the one with the
    largest score is predicted; with a matrix, all whose score is positive.  After T rounds the share of wrong pairs is
    at most prod_t Z_t, and with single labels the error of the arg max at most sqrt((k - 1) / (a (1 - a))) / 2 times
    that (the book's `thm-mh-half-start`): ``training_error_bound_``.  A run ends early when a hypothesis answers all
    pairs rightly, and, with a warning, when the weak learner has no edge.

    Parameters
    ----------
    estimator : "stump", "real stump" or estimator, default="stump"
        "stump" learns one question about a feature and an answer for every label on each of its sides, "real stump" the
        same with votes of any size; or any classifier whose ``fit`` takes ``sample_weight``, of which a copy is trained
        for each label.
    n_estimators : int, default=100
        The largest number of rounds.
    label_share : float or None, default=None
        The share a of an example's weight that its own label begins with, 0 < a < 1; one half has the best bound.  None
        gives all pairs the same weight, a = 1 / n_classes, and is the only choice for a matrix.
    categorical_features : array-like or None, default=None
        For stumps: a mask or the indices of the features that are categories, coded 0, 1, ...; a stump asks whether the
        feature is one of them.
    max_bins : int or None, default=None
        For stumps: merge the values of every feature into at most this many bins; None tries every threshold.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with ``sample_weight``; not for a matrix.
    random_state : int, RandomState or None, default=None
        Seed of what is random in ``estimator``.
    verbose : int, default=0
        1 shows a progress bar with the error of the last hypothesis; 0 shows nothing.

    Attributes
    ----------
    estimators_ : list
        The hypotheses.
    estimator_weights_ : ndarray of shape (n_iter_,)
        The steps alpha_t.
    estimator_errors_ : ndarray of shape (n_iter_,)
        The errors under the weights.
    training_error_bound_ : float
        What the theorem allows on the sample.
    multilabel_ : bool
        Whether ``y`` was a matrix.
    ending_ : str
        Why the run ended: "rounds", "perfect" or "useless".
    classes_ : ndarray of shape (n_classes,)
        The classes in sorted order.
    n_features_in_ : int
        The number of features.
    n_iter_ : int
        The number of rounds.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> AdaBoostMH(n_estimators=5).fit(X, ["a", "b", "c", "c"]).predict([[0.2], [1.2], [9.0]]).tolist()
    ['a', 'b', 'c']
    >>> AdaBoostMH(n_estimators=5).fit(X, [[1, 0], [1, 1], [0, 1], [0, 0]]).predict([[1.2]]).tolist()
    [[1, 1]]
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **BoostingClassifier._parameter_constraints,
        "label_share": [Interval(Real, 0, 1, closed="neither"), None],
    }

    def __init__(
        self,
        estimator: BaseEstimator | str = "stump",
        n_estimators: int = 100,
        *,
        label_share: float | None = None,
        categorical_features: ArrayLike | None = None,
        max_bins: int | None = None,
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            estimator,
            n_estimators,
            categorical_features=categorical_features,
            max_bins=max_bins,
            class_weight=class_weight,
            random_state=random_state,
            verbose=verbose,
        )
        self.label_share = label_share

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Boost the weak learner on all pairs; examples of weight 0 are left out."""
        # Of what is no number the checks below complain.
        with np.errstate(invalid="ignore"):
            self.multilabel_ = type_of_target(y) == "multilabel-indicator"
        return self._fit_matrix(X, y, sample_weight) if self.multilabel_ else super().fit(X, y, sample_weight)

    def _fit_matrix(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None) -> Self:
        self._validate_params()
        if self.label_share is not None or self.class_weight is not None:
            raise ValueError(
                "expected label_share=None and class_weight=None for an indicator matrix, whose examples have no label "
                f"of their own, got {self.label_share!r} and {self.class_weight!r}"
            )
        X, y = validate_data(self, X, y, multi_output=True, **self._conversion())
        weight = effective_weights(X, None, sample_weight)
        kept = np.flatnonzero(weight > 0)
        dense = y.toarray() if hasattr(y, "toarray") else np.asarray(y)
        self.classes_ = np.arange(dense.shape[1])
        Y = np.where(dense[kept] > 0, 1, -1)
        return self._boost_signs(X[kept], Y, np.repeat(weight[kept][:, None], Y.shape[1], axis=1), weight[kept])

    def _boost(self, X: Floats, labels: Labels, weight: Floats) -> Self:
        Y = label_signs(labels, len(self.classes_))
        exact = start_weights(labels, len(self.classes_), self.label_share)
        # There are two weights, and to make floats of m k fractions takes longer than many rounds.
        own, other = float(exact[0, labels[0]]), float(exact[0, labels[0] - 1])
        return self._boost_signs(X, Y, np.where(Y > 0, own, other) * len(labels) * weight[:, None], weight)

    def _boost_signs(self, X: Floats, Y: Signs, start: Floats, weight: Floats) -> Self:
        self._run: Any
        with self._progress() as on_round:
            rounds: dict[str, Any] = {"weights": start, "on_round": on_round}
            if self.estimator == "stump":
                self._run = boost_pairs(self._stumps(X), Y, self.n_estimators, **rounds)
            else:
                self._run = run_adaboost(self._learner(X, weight), Y, self.n_estimators, **rounds)
        self._publish(self._run)
        self.training_error_bound_ = self._bound(self._run.normalisers.astype(float))
        return self

    def _bound(self, normalisers: Floats) -> float:
        if self.multilabel_:
            return float(np.prod(normalisers))
        k = len(self.classes_)
        if self.label_share is None:
            return float(argmax_error_bound(k, normalisers))
        return float(started_error_bound(k, self.label_share, normalisers))

    def staged_score(self, X: Matrix, y: ArrayLike) -> Iterator[float]:
        """The accuracy after each round; for a matrix the share of examples with all answers right, as in `score`."""
        y = np.asarray(y)
        for predicted in self.staged_predict(X):
            right = predicted == y
            yield float((right.all(axis=1) if self.multilabel_ else right).mean())

    def _scores(self, votes: Floats) -> Array:
        return votes if self.multilabel_ else super()._scores(votes)

    def _named(self, scores: Array) -> Array:
        return (scores > 0).astype(np.int64) if self.multilabel_ else super()._named(scores)


class AdaBoostMR(ManyLabelsBooster):
    """AdaBoost.MR: lift the score of the label above that of every rival, pair by pair.

    After T rounds the training error, ties being errors, is at most (k - 1) prod_t Z_t (the book's
    `thm-mr-training-error`): ``training_error_bound_``.  It is RankBoost on the pairs of an example and a label.
    A run ends early when a hypothesis puts all pairs right, and, with a warning, when none puts more right than wrong.

    Parameters
    ----------
    estimator : "stump" or estimator, default="stump"
        "stump", or any classifier whose ``fit`` takes ``sample_weight``, of which a copy is trained for each label.
    n_estimators : int, default=100
        The largest number of rounds.
    categorical_features : array-like or None, default=None
        For stumps: a mask or the indices of the features that are categories, coded 0, 1, ...; a stump asks whether the
        feature is one of them.
    max_bins : int or None, default=None
        For stumps: merge the values of every feature into at most this many bins; None tries every threshold.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with ``sample_weight``; "balanced" gives every class the same total weight.
    random_state : int, RandomState or None, default=None
        Seed of what is random in ``estimator``.
    verbose : int, default=0
        1 shows a progress bar with the error of the last hypothesis; 0 shows nothing.

    Attributes
    ----------
    estimators_ : list
        The hypotheses.
    estimator_weights_ : ndarray of shape (n_iter_,)
        The steps alpha_t.
    estimator_errors_ : ndarray of shape (n_iter_,)
        The weight of the pairs that each hypothesis put in the wrong order.
    training_error_bound_ : float
        What the theorem allows on the sample.
    ending_ : str
        Why the run ended: "rounds", "perfect" or "useless".
    classes_ : ndarray of shape (n_classes,)
        The classes in sorted order.
    n_features_in_ : int
        The number of features.
    n_iter_ : int
        The number of rounds.

    Examples
    --------
    >>> model = AdaBoostMR(n_estimators=5).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "b", "c", "c"])
    >>> model.predict([[0.2], [1.2], [9.0]]).tolist()
    ['a', 'b', 'c']
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **BoostingClassifier._parameter_constraints,
        "estimator": [HasMethods(["fit", "predict"]), StrOptions({"stump"})],
    }

    def _boost(self, X: Floats, labels: Labels, weight: Floats) -> Self:
        k = len(self.classes_)
        self._run: Any
        with self._progress() as on_round:
            rounds: dict[str, Any] = {"weights": weight, "on_round": on_round}
            if self.estimator == "stump":
                self._run = boost_rankings(self._stumps(X), labels, k, self.n_estimators, **rounds)
            else:
                self._run = run_adaboost_mr(self._learner(X, weight), labels, k, self.n_estimators, **rounds)
        self._publish(self._run)
        self.training_error_bound_ = float(ranking_error_bound(k, self._run.normalisers.astype(float)))
        return self
