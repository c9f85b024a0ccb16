"""AdaBoost for two classes as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from mcbook.boosting.algorithm.adaboost import BoostingRun, WeakLearner, run_adaboost, staged_votes, votes_on
from mcbook.boosting.algorithm.learners import ClassifierLearner
from mcbook.boosting.algorithm.stumps import StumpLearner
from mcbook.foundation.estimators import CALIBRATION, NotDefined, effective_weights, encode_classes, warn_unfinished
from mcbook.foundation.progress import progress
from mcbook.foundation.types import Array, ArrayLike, Booleans, ClassWeight, Floats, Matrix, RandomState, Scalar

_FLOATS = {"dtype": np.float64, "order": "C", "ensure_all_finite": "allow-nan"}


class BoostingClassifier(ClassifierMixin, BaseEstimator):
    """What the boosting classifiers share: checked data, a weak learner, rounds, and their votes.

    A class says which signs are wanted in which column, in ``_signs(labels)``, and how votes become scores, in
    ``_scores(votes)``.

    >>> model = AdaBoost(n_estimators=3).fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 1, 0])
    >>> list(model.staged_score([[0.0], [1.0], [2.0], [3.0]], [0, 1, 1, 0]))
    [0.75, 0.75, 1.0]
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        "estimator": [HasMethods(["fit", "predict"]), StrOptions({"stump", "real stump"})],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "categorical_features": ["array-like", None],
        "max_bins": [Interval(Integral, 2, None, closed="left"), None],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    _binary = False
    predict_proba = NotDefined(f"votes of weak hypotheses are no probabilities; {CALIBRATION}")

    def __init__(
        self,
        estimator: BaseEstimator | str = "stump",
        n_estimators: int = 100,
        *,
        categorical_features: ArrayLike | None = None,
        max_bins: int | None = None,
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.categorical_features = categorical_features
        self.max_bins = max_bins
        self.class_weight = class_weight
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = isinstance(self.estimator, str)
        tags.classifier_tags.multi_class = not self._binary
        return tags

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Boost the weak learner; examples of weight 0 are left out."""
        self._validate_params()
        X, y = validate_data(self, X, y, **self._conversion())
        weight = effective_weights(X, y, sample_weight, self.class_weight)
        self.classes_, labels = encode_classes(y, weight, binary=self._binary)
        kept = np.flatnonzero(weight > 0)
        X, labels, weight = X[kept], labels[kept], weight[kept]
        learner, signs = self._learner(X, weight), self._signs(labels)
        with self._progress() as on_round:
            self._run = run_adaboost(learner, signs, self.n_estimators, weights=weight, on_round=on_round)
        self._publish(self._run)
        return self

    @contextmanager
    def _progress(self, n_runs: int = 1) -> Iterator[Callable[[int, Scalar], None]]:
        """What a run calls after each round: it moves the progress bar of ``n_runs`` runs."""
        with progress(n_runs * self.n_estimators, "round", verbose=self.verbose) as step:
            yield lambda t, error: step(error=float(error))

    def _publish(self, run: BoostingRun) -> None:
        self.estimators_ = list(run.hypotheses)
        self.estimator_weights_ = np.asarray(run.steps, dtype=float)
        self.estimator_errors_ = np.asarray(run.errors, dtype=float)
        self.n_iter_, self.ending_ = run.n_rounds, run.ending
        if run.ending == "useless":
            warn_unfinished(run.message)

    def _conversion(self) -> dict[str, Any]:
        return _FLOATS if isinstance(self.estimator, str) else _FLOATS | {"ensure_all_finite": True}

    def _learner(self, X: Floats, weight: Floats) -> WeakLearner:
        if not isinstance(self.estimator, str):
            return ClassifierLearner(self.estimator, X, self.random_state, total=float(weight.sum()))
        return StumpLearner(
            X,
            categorical=self._category_mask(X.shape[1]),
            real_valued=self.estimator == "real stump",
            max_bins=self.max_bins,
        )

    def _category_mask(self, n_features: int) -> Booleans | None:
        """A mask from a mask or from indices."""
        if self.categorical_features is None:
            return None
        given = np.asarray(self.categorical_features)
        if given.dtype == bool:
            return given
        mask = np.zeros(n_features, dtype=bool)
        if given.dtype.kind not in "iu" or (given < 0).any() or (given >= n_features).any():
            raise ValueError(
                f"expected categorical_features: a mask or indices from 0 to {n_features - 1}, got {given.tolist()}"
            )
        mask[given] = True
        return mask

    def _checked(self, X: Matrix) -> Floats:
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, **self._conversion(), reset=False))

    def decision_function(self, X: Matrix) -> Array:
        """The scores; for two classes the vote sum_t alpha_t h_t, positive for the second class."""
        X = self._checked(X)
        return self._scores(votes_on(self._run, X))

    def staged_decision_function(self, X: Matrix) -> Iterator[Array]:
        """The scores after each round."""
        X = self._checked(X)
        for votes in staged_votes(self._run, X):
            yield self._scores(votes)

    def predict(self, X: Matrix) -> Array:
        """The class that the vote names."""
        return self._named(self.decision_function(X))

    def staged_predict(self, X: Matrix) -> Iterator[Array]:
        """The predictions after each round."""
        for scores in self.staged_decision_function(X):
            yield self._named(scores)

    def staged_score(self, X: Matrix, y: ArrayLike) -> Iterator[float]:
        """The accuracy after each round."""
        y = np.asarray(y)
        for predicted in self.staged_predict(X):
            yield float((predicted == y).mean())

    def _signs(self, labels: Array) -> Array:
        raise NotImplementedError

    def _scores(self, votes: Floats) -> Array:
        raise NotImplementedError

    def _named(self, scores: Array) -> Array:
        raise NotImplementedError


class AdaBoost(BoostingClassifier):
    """AdaBoost for two classes: reweight the examples, train a weak learner, let the hypotheses vote.

    After T rounds with the errors epsilon_t the training error is at most prod_t 2 sqrt(epsilon_t (1 - epsilon_t))
    (the book's `thm-adaboost-training-error`); ``training_error_bound_`` is that number.  The run ends early when a
    hypothesis makes no error, which then has the last word, and, with a warning, when the weak learner has no edge.
    The scores are half the log-odds only of real-valued stumps with one leaf for each distribution, so there is no
    ``predict_proba``.  Missing values, as NaN, are a side of their own of every stump.

    Parameters
    ----------
    estimator : "stump", "real stump" or estimator, default="stump"
        "stump" learns decision stumps that vote -1 or +1, "real stump" stumps whose votes are half the log-odds of
        their sides; or any classifier whose ``fit`` takes ``sample_weight``.
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
        The hypotheses; ``outputs(X)`` gives their votes.
    estimator_weights_ : ndarray of shape (n_iter_,)
        The steps alpha_t.
    estimator_errors_ : ndarray of shape (n_iter_,)
        The errors epsilon_t.
    training_error_bound_ : float
        The product of the normalisers Z_t.
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
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
    >>> model = AdaBoost(n_estimators=3).fit(X, ["a", "b", "b", "a", "a"])
    >>> model.predict([[0.2], [1.4], [9.0]]).tolist(), model.n_iter_
    (['a', 'b', 'a'], 3)
    """

    _binary = True

    def _publish(self, run: BoostingRun) -> None:
        super()._publish(run)
        self.training_error_bound_ = float(np.prod(run.normalisers.astype(float)))

    def _signs(self, labels: Array) -> Array:
        return np.where(labels == len(self.classes_) - 1, 1, -1)

    def _scores(self, votes: Floats) -> Array:
        return votes[:, 0]

    def _named(self, scores: Array) -> Array:
        return np.asarray(self.classes_[(scores > 0).astype(np.int64)])
