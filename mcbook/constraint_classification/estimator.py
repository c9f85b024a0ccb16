"""Constraint classification as a scikit-learn classifier of classes, label sets and rankings."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from mcbook.constraint_classification.algorithm.run import UpdateRule, run_constraint_winnow, run_constraints
from mcbook.constraint_classification.algorithm.svm import solve_constraint_svm
from mcbook.constraint_classification.theory.constraints import (
    Constraints,
    constraints_from_classes,
    constraints_from_label_sets,
    constraints_from_rankings,
    require_label_sets,
    require_rankings,
)
from mcbook.foundation.estimators import (
    FLOAT64,
    LinearScoresMixin,
    effective_weights,
    encode_classes,
    warn_not_converged,
    warn_unfinished,
    with_constant_feature,
)
from mcbook.foundation.types import Array, ArrayLike, ClassWeight, Floats, Matrix, RandomState
from mcbook.foundation.vocabulary import LOOSE_TOL

Task: TypeAlias = Literal["auto", "classes", "label sets", "rankings"]


class ConstraintClassifier(LinearScoresMixin, ClassifierMixin, BaseEstimator):
    """Linear scores learnt from preferences between labels (Har-Peled, Roth and Zimak 2003).

    ``y`` says what is preferred: a class for each example, an indicator matrix of label sets, or rankings, rows of
    the labels 0 .. k - 1 from best to worst.  Every example becomes pairs of labels; the learner works on these in d
    dimensions: a violated pair costs O(d), no lifted vector is built.  The pairs of a label set fix no cut-off, so a
    further row of weights is learnt that the labels of the set shall outscore and the others shall not; scores are then
    relative to it.  The scores are no probabilities, so there is no ``predict_proba``.  ``X`` is dense: a pass reads
    whole rows.  A weight multiplies the step on an example, or the cost C of its slacks; Winnow's steps take it in
    proportion to the largest, and its features are divided by their largest absolute values.

    Parameters
    ----------
    method : {"perceptron", "winnow", "svm"}, default="perceptron"
        The learner: "perceptron", "winnow" (Balanced Winnow, multiplicative) or "svm" (a slack for each pair).
    update : {"each", "worst", "mean"}, default="each"
        For the Perceptron: update on each violated pair in turn, on the worst one, or on the mean of all.
    task : {"auto", "classes", "label sets", "rankings"}, default="auto"
        What ``y`` is.  With "auto", vectors are classes, matrices of 0 and 1 label sets, and other matrices rankings.
    C : float, default=1.0
        For the SVM: the trade-off, which multiplies the sum of the slacks.
    eta : float, default=0.1
        For Winnow: the logarithm of its base.
    tol : float, default=0.0001
        For the SVM: the relative duality gap at which training stops.
    max_iter : int, default=20
        The largest number of passes over the data.
    average : bool, default=True
        For the Perceptron: use the mean of the weights over all steps.
    shuffle : bool, default=True
        Visit the examples in a new random order in every pass.
    fit_intercept : bool, default=True
        Learn an intercept for each label, as the weight of a constant feature 1.
    class_weight : dict, "balanced" or None, default=None
        For classes: their weights, multiplied with ``sample_weight``.
    random_state : int, RandomState or None, default=None
        Seed of the order.

    Attributes
    ----------
    coef_ : ndarray of shape (n_labels, n_features)
        The weights that score.
    intercept_ : ndarray of shape (n_labels,)
        The intercepts.
    classes_ : ndarray of shape (n_labels,)
        The classes in sorted order; of label sets and rankings 0 .. k - 1.
    n_features_in_ : int
        The number of features.
    n_iter_ : int
        The number of passes.
    n_constraints_ : int
        The number of pairs learnt from.
    converged_ : bool
        Whether the last pass changed nothing, or the gap was reached.

    Examples
    --------
    >>> model = ConstraintClassifier(random_state=0).fit([[1.0], [2.0], [-1.0]], [[0, 1, 2], [0, 1, 2], [2, 1, 0]])
    >>> model.predict([[3.0], [-5.0]]).tolist()
    [[0, 1, 2], [2, 1, 0]]
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        "method": [StrOptions({"perceptron", "winnow", "svm"})],
        "update": [StrOptions({"each", "worst", "mean"})],
        "task": [StrOptions({"auto", "classes", "label sets", "rankings"})],
        "C": [Interval(Real, 0, None, closed="neither")],
        "eta": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "average": ["boolean"],
        "shuffle": ["boolean"],
        "fit_intercept": ["boolean"],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        method: str = "perceptron",
        update: UpdateRule = "each",
        task: Task = "auto",
        C: float = 1.0,
        eta: float = 0.1,
        tol: float = LOOSE_TOL,
        max_iter: int = 20,
        average: bool = True,
        shuffle: bool = True,
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
    ) -> None:
        self.method = method
        self.update = update
        self.task = task
        self.C = C
        self.eta = eta
        self.tol = tol
        self.max_iter = max_iter
        self.average = average
        self.shuffle = shuffle
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.random_state = random_state

    def fit(self, X: Array, y: Array, sample_weight: Array | None = None) -> Self:
        """Train on the preferences that ``y`` states; examples of weight 0 are left out."""
        self._validate_params()
        X, y = validate_data(self, X, y, **FLOAT64, multi_output=True)
        if y.ndim == 2 and y.shape[1] == 1:
            y = column_or_1d(y, warn=True)
        self.task_ = self._task_of(y)
        class_weight = self.class_weight if self.task_ == "classes" else None
        weight = effective_weights(X, y, sample_weight, class_weight)
        kept = np.flatnonzero(weight > 0)
        constraints = self._constraints(y, weight, kept)
        examples = with_constant_feature(X) if self.fit_intercept else X
        W = self._learnt(examples[kept], constraints, weight[kept])
        self.n_constraints_ = len(constraints)
        self._publish_weights(W - W[-1] if self.task_ == "label sets" else W)
        if self.task_ == "label sets":
            self.coef_, self.intercept_ = self.coef_[:-1], self.intercept_[:-1]
        return self

    def _task_of(self, y: Array) -> str:
        if self.task != "auto":
            return self.task
        if y.ndim == 1:
            return "classes"
        return "label sets" if y.dtype.kind in "biuf" and np.isin(y, (0, 1)).all() else "rankings"

    def _constraints(self, y: Array, weight: Floats, kept: Array) -> Constraints:
        """The preferences of the examples that have weight; sets ``classes_``."""
        if self.task_ == "classes":
            self.classes_, labels = encode_classes(y, weight)
            return constraints_from_classes(labels[kept], len(self.classes_))
        if self.task_ == "rankings":
            rankings = require_rankings(y)
            self.classes_ = np.arange(rankings.shape[1])
            return constraints_from_rankings(rankings[kept])
        inside = require_label_sets(y)[kept]
        self.classes_ = np.arange(inside.shape[1])
        return _with_cut_off(inside)

    def _learnt(self, X: Floats, constraints: Constraints, weight: Floats) -> Floats:
        rng = check_random_state(self.random_state) if self.shuffle else None
        order = None if rng is None else lambda epoch: rng.permutation(len(X))
        options: dict[str, Any] = {"order": order, "sample_weight": weight, "max_epochs": self.max_iter}
        if self.method == "svm":
            found = solve_constraint_svm(X, constraints, self.C, tol=self.tol, **options)
            self.n_iter_, self.converged_ = found.n_epochs, found.gap <= self.tol
            if not self.converged_:
                warn_not_converged(f"max_iter={self.max_iter}", found.gap, self.tol)
            return np.asarray(found.W)
        if self.method == "winnow":
            largest = np.maximum(np.abs(X).max(axis=0), np.finfo(float).tiny)
            options["sample_weight"] = weight / weight.max()
            winnow = run_constraint_winnow(X / largest, constraints, float(np.exp(self.eta)), **options)
            self.n_iter_, self.converged_ = winnow.n_epochs, winnow.converged
            return winnow.W / largest
        run = run_constraints(X, constraints, rule=self.update, **options)
        self.n_iter_, self.converged_ = run.n_epochs, run.converged
        if not (self.average or run.converged):
            warn_unfinished(
                f"{self.max_iter} passes ended with violated pairs left, so the last weights are arbitrary: raise "
                "max_iter, or use average=True if the preferences cannot all be met",
            )
        return run.W_average if self.average else np.asarray(run.W)

    def decision_function(self, X: Matrix) -> Array:
        """The scores of the labels; of two classes second minus first, of label sets relative to the cut-off."""
        if getattr(self, "task_", "classes") == "classes":
            return super().decision_function(X)
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, **FLOAT64, reset=False) @ self.coef_.T) + self.intercept_

    def predict(self, X: Matrix) -> Array:
        """Classes, indicator rows of label sets, or rankings, as ``y`` was in ``fit``; of equal scores the first."""
        if getattr(self, "task_", "classes") == "classes":
            return super().predict(X)
        scores = self.decision_function(X)
        if self.task_ == "rankings":
            return np.argsort(-scores, axis=1, kind="stable")
        return (scores > 0).astype(np.int64)

    def score(self, X: Matrix, y: ArrayLike, sample_weight: Floats | Sequence[float] | None = None) -> float:
        """The share of examples whose class, whole label set or whole ranking is right."""
        predicted, truth = self.predict(X), np.asarray(y)
        right = predicted == truth if truth.ndim == 1 else (predicted == truth).all(axis=1)
        return float(np.average(right, weights=sample_weight))


def _with_cut_off(inside: Array) -> Constraints:
    """Label sets with a last label, the cut-off, between those inside and those outside."""
    n_samples, n_classes = inside.shape
    table = constraints_from_label_sets(inside)
    examples, labels = np.nonzero(np.ones_like(inside))
    member = inside[examples, labels]
    cut = np.full(len(examples), n_classes)
    return Constraints(
        np.r_[table.examples, examples],
        np.r_[table.preferred, np.where(member, labels, cut)],
        np.r_[table.rivals, np.where(member, cut, labels)],
        n_samples,
        n_classes + 1,
    )
