"""The multi-class Perceptron as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import validate_data

from mcbook.foundation.estimators import (
    FLOAT64,
    LinearScoresMixin,
    effective_weights,
    encode_classes,
    training_data,
    warn_unfinished,
    with_constant_feature,
)
from mcbook.foundation.types import Array, ClassWeight, Floats, Integers, Labels, Matrix, RandomState
from mcbook.foundation.vocabulary import UpdateTies
from mcbook.perceptron.algorithm.run import PerceptronRun, run_perceptron

# Blocks of neighbours are visited together: examples far apart in memory would cost more to fetch than to score.
_BLOCK = 64


class OnlineClassifier(LinearScoresMixin, ClassifierMixin, BaseEstimator):
    """What classifiers share that learn from one example at a time: passes, orders, weights, going on with a run.

    A class says how it goes on with a run in ``_continue_run``, and in ``_scaled`` what it does to X before that.

    >>> model = MulticlassPerceptron(average=False, fit_intercept=False)
    >>> model = model.partial_fit([[1.0]], ["a"], classes=["a", "b"]).partial_fit([[-3.0]], ["b"])
    >>> model.coef_.tolist(), model.n_updates_  # the first update made the second example right
    ([[1.0], [-1.0]], 1)
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "average": ["boolean"],
        "ties": [StrOptions({"mistake", "first"})],
        "shuffle": ["boolean"],
        "fit_intercept": ["boolean"],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "random_state": ["random_state"],
    }

    def fit(self, X: Matrix, y: Array, sample_weight: Array | None = None) -> Self:
        """Train from the beginning; examples of weight 0 are left out."""
        data = training_data(self, X, y, sample_weight, sparse=self.accepts_sparse, intercept=False)
        self._begin()
        n_samples = data.X.shape[0]
        rng = check_random_state(self.random_state) if self.shuffle else None
        order = np.arange(n_samples) if rng is None else rng.permutation(n_samples)
        examples = self._examples(data.X, data.weight)[order]
        self._train(examples, data.labels[order], self.max_iter, lambda epoch: _pass_order(n_samples, rng))
        if not (self.average or self.converged_):
            warn_unfinished(
                f"{self.max_iter} passes ended with mistakes left, so the last weights are arbitrary: raise max_iter, "
                "or use average=True if the data are not linearly separable",
            )
        return self

    def partial_fit(
        self, X: Matrix, y: Array, classes: Array | None = None, sample_weight: Array | None = None
    ) -> Self:
        """Make one pass over the given examples, in their order, going on from the weights so far."""
        if self.class_weight == "balanced":
            raise ValueError(
                "expected class_weight to be a dict or None, got 'balanced': how frequent the classes will be is not "
                "known yet; give their weights as a dict"
            )
        first = not hasattr(self, "classes_")
        if first:
            self._validate_params()
        X, y = validate_data(self, X, y, accept_sparse="csr" if self.accepts_sparse else False, **FLOAT64, reset=first)
        weight = effective_weights(X, y, sample_weight, self.class_weight)
        if first:
            self.classes_, _ = encode_classes(y if classes is None else np.asarray(classes))
            self._begin()
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise ValueError(
                f"expected labels among {self.classes_.tolist()}, got also {unknown.tolist()}: "
                "give all classes to the first call of partial_fit"
            )
        kept = np.flatnonzero(weight > 0)
        self._train(self._examples(X[kept], weight[kept]), np.searchsorted(self.classes_, y[kept]), 1)
        return self

    def _begin(self) -> None:
        self._run: Any = None
        self.n_iter_, self.n_updates_ = 0, 0

    def _examples(self, X: Matrix, weight: Floats) -> Matrix:
        """The examples as the algorithm sees them, each multiplied by its weight."""
        X = self._scaled(X)
        X = with_constant_feature(X) if self.fit_intercept else X
        return X.multiply(weight[:, None]).tocsr() if sp.issparse(X) else weight[:, None] * X

    def _scaled(self, X: Matrix) -> Matrix:
        return X

    def _train(
        self, examples: Matrix, labels: Labels, n_passes: int, order: Callable[[int], Integers] | None = None
    ) -> None:
        """Go on with the run so far, and publish its weights."""
        self._run = self._continue_run(examples, labels, n_passes, order)
        self.n_iter_ += self._run.n_epochs
        self.n_updates_ += self._run.n_updates
        self.converged_ = self._run.converged
        self._publish_weights(self._run.W_average if self.average else self._run.W)

    def _continue_run(
        self, examples: Matrix, labels: Labels, n_passes: int, order: Callable[[int], Integers] | None
    ) -> Any:
        raise NotImplementedError


class MulticlassPerceptron(OnlineClassifier):
    """Multi-class Perceptron: on a mistake, add the example to its class and take it from the strongest rival.

    At most R^2 / gamma^2 updates are made on a separable sample of radius R and best margin gamma (Tao's theorem; the
    book's `thm-perceptron-mistake-bound`).  A weight multiplies the step made on the example, which is what the
    algorithm does with the example multiplied by it; the bound is then that of the multiplied sample.  The scores are
    no probabilities, nor do they estimate any, so there is no ``predict_proba``; wrap the classifier in scikit-learn's
    ``CalibratedClassifierCV`` for that.  ``X`` is dense: a pass reads whole rows.

    Parameters
    ----------
    max_iter : int, default=20
        The largest number of passes over the data; training stops after a pass without a mistake.
    average : bool, default=True
        Use the mean of the weights over all steps, which is better in practice; if False, the last weights, of which
        the mistake bound speaks.  The last weights are arbitrary where mistakes are left, so only they come with a
        warning.
    ties : {"mistake", "first"}, default="mistake"
        "mistake" counts a tie with a rival as a mistake; "first" predicts the first of tied classes.
    shuffle : bool, default=True
        Put the examples in a random order first, and visit blocks of them in a new random order in every pass.
    fit_intercept : bool, default=True
        Learn an intercept for each class, as the weight of a constant feature 1.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with ``sample_weight``; "balanced" gives every class the same total weight.
    random_state : int, RandomState or None, default=None
        Seed of the order.

    Attributes
    ----------
    coef_ : ndarray of shape (n_classes, n_features)
        The weights that predict.
    intercept_ : ndarray of shape (n_classes,)
        The intercepts.
    classes_ : ndarray of shape (n_classes,)
        The classes in sorted order.
    n_features_in_ : int
        The number of features.
    n_iter_ : int
        The number of passes.
    n_updates_ : int
        The number of mistakes made, which is the left side of the mistake bound.
    converged_ : bool
        Whether the last pass was without a mistake.

    Examples
    --------
    >>> model = MulticlassPerceptron(random_state=0).fit([[2.0, 1.0], [1.0, 3.0], [-3.0, -1.0]], ["a", "b", "c"])
    >>> model.predict([[5.0, 1.0]]).tolist(), model.converged_
    (['a'], True)
    """

    def __init__(
        self,
        *,
        max_iter: int = 20,
        average: bool = True,
        ties: UpdateTies = "mistake",
        shuffle: bool = True,
        fit_intercept: bool = True,
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
    ) -> None:
        self.max_iter = max_iter
        self.average = average
        self.ties = ties
        self.shuffle = shuffle
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.random_state = random_state

    def _continue_run(
        self, examples: Matrix, labels: Labels, n_passes: int, order: Callable[[int], Integers] | None
    ) -> PerceptronRun:
        return run_perceptron(
            examples, labels, len(self.classes_), ties=self.ties, order=order, start=self._run, max_epochs=n_passes
        )


def _pass_order(n_samples: int, rng: np.random.RandomState | None) -> Integers:
    """The order of one pass: as it stands, or with its blocks shuffled; a short sample is shuffled one by one."""
    if rng is None:
        return np.arange(n_samples)
    if n_samples <= 16 * _BLOCK:
        return np.asarray(rng.permutation(n_samples))
    starts = _BLOCK * rng.permutation(-(-n_samples // _BLOCK))
    order = (starts[:, None] + np.arange(_BLOCK)).ravel()
    return np.asarray(order[order < n_samples])
