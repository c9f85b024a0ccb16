"""The multi-class Perceptron as a scikit-learn classifier."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted, validate_data

from mcbook.perceptron.algorithm.run import average_weights, epoch_kernel, ties_violate
from mcbook.perceptron.theory import Array

# Blocks of neighbours are visited together: examples far apart in memory would cost more to fetch than to score.
_BLOCK = 128


class MulticlassPerceptron(ClassifierMixin, BaseEstimator):
    """Multi-class Perceptron: on a mistake, add the example to its class and take it from the strongest rival.

    Parameters
    ----------
    max_iter : passes over the data at most; training stops after a pass without a mistake.
    average : use the mean of the weights over all steps, which is what one wants in practice, or the last weights,
        about which the mistake bound speaks.
    ties : "violation" counts a tie with a rival as a mistake; "smaller label" predicts the smaller of tied labels.
    shuffle : put the examples in a random order first, and visit blocks of them in a new random order in every pass.
    fit_intercept : learn an intercept for each class, as the weight of a constant feature 1.
    random_state : seed of the order.

    Attributes
    ----------
    coef_ (n_classes, n_features), intercept_ (n_classes,) : the weights that predict.
    classes_, n_features_in_, n_iter_ : as usual.
    n_updates_ : the number of mistakes made, the left side of the mistake bound.
    converged_ : whether the last pass was without a mistake.
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "average": ["boolean"],
        "ties": [StrOptions({"violation", "smaller label"})],
        "shuffle": ["boolean"],
        "fit_intercept": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        max_iter: int = 20,
        average: bool = True,
        ties: str = "violation",
        shuffle: bool = True,
        fit_intercept: bool = True,
        random_state: Any = None,
    ) -> None:
        self.max_iter = max_iter
        self.average = average
        self.ties = ties
        self.shuffle = shuffle
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def fit(self, X: Array, y: Array) -> Self:
        """Train from zero weights."""
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=float, order="C")
        check_classification_targets(y)
        self._begin(unique_labels(y))
        rng = check_random_state(self.random_state)
        start = rng.permutation(len(X)) if self.shuffle else np.arange(len(X))
        X, labels = self._prepared(X, start), np.searchsorted(self.classes_, y[start])
        for passes in range(1, self.max_iter + 1):
            self.n_iter_ = passes
            if self._visit(X, labels, _pass_order(len(X), rng if self.shuffle else None)) == 0:
                self.converged_ = True
                break
        if not (self.average or self.converged_):
            warnings.warn(
                f"{self.max_iter} passes ended with mistakes left, so the last weights are arbitrary: raise max_iter, "
                "or use average=True if the data are not linearly separable",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self._publish()

    def partial_fit(self, X: Array, y: Array, classes: Array | None = None) -> Self:
        """Make one pass over the given examples, in their order, going on from the weights so far."""
        first = not hasattr(self, "classes_")
        if first:
            self._validate_params()
        X, y = validate_data(self, X, y, dtype=float, order="C", reset=first)
        check_classification_targets(y)
        if first:
            self._begin(unique_labels(y) if classes is None else unique_labels(classes))
            self.n_iter_ = 0
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise ValueError(
                f"expected labels among {self.classes_.tolist()}, got also {unknown.tolist()}: "
                "give all classes to the first call of partial_fit"
            )
        n_updates = self._visit(
            self._prepared(X, np.arange(len(X))), np.searchsorted(self.classes_, y), np.arange(len(X))
        )
        self.n_iter_ += 1
        self.converged_ = n_updates == 0
        return self._publish()

    def decision_function(self, X: Array) -> Array:
        """The scores of the classes; for two classes, as scikit-learn has it, second minus first."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        scores: Array = X @ self.coef_.T + self.intercept_
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Array) -> Array:
        """The class with the largest score; among equal scores the first."""
        scores = self.decision_function(X)
        winners = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return np.asarray(self.classes_[winners])

    def _begin(self, classes: Array) -> None:
        if len(classes) < 2:
            raise ValueError(
                f"expected at least 2 classes, got 1 class only: {classes.tolist()}; nothing to tell apart"
            )
        self.classes_ = classes
        shape = (len(classes), self.n_features_in_ + self.fit_intercept)
        self._weights, self._delayed = np.zeros(shape), np.zeros(shape)
        self.n_steps_, self.n_updates_, self.converged_ = 0, 0, False

    def _prepared(self, X: Array, order: Array) -> Array:
        """A copy with the examples in the given order and, for the intercept, a last feature 1."""
        prepared = np.ones((len(X), self.n_features_in_ + self.fit_intercept))
        prepared[:, : self.n_features_in_] = X[order]
        return prepared

    def _visit(self, X: Array, labels: Array, order: Array) -> int:
        updates = np.empty((len(order), 2), dtype=np.int64)
        visit = epoch_kernel(X.dtype)
        n_updates = visit(
            X, labels, order, self._weights, self._delayed, self.n_steps_, 1.0, ties_violate(self.ties), updates
        )
        self.n_steps_ += len(order)
        self.n_updates_ += n_updates
        return n_updates

    def _publish(self) -> Self:
        weights = average_weights(self._weights, self._delayed, self.n_steps_) if self.average else self._weights.copy()
        self.coef_ = weights[:, : self.n_features_in_]
        self.intercept_ = weights[:, -1] if self.fit_intercept else np.zeros(len(weights))
        return self


def _pass_order(n_samples: int, rng: Any) -> Array:
    """The order of one pass: as it stands, or with its blocks shuffled; a short sample is shuffled one by one."""
    if rng is None:
        return np.arange(n_samples)
    if n_samples <= 16 * _BLOCK:
        return np.asarray(rng.permutation(n_samples))
    starts = _BLOCK * rng.permutation(-(-n_samples // _BLOCK))
    order = (starts[:, None] + np.arange(_BLOCK)).ravel()
    return np.asarray(order[order < n_samples])
