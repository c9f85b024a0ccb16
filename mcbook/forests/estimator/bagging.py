"""Bagging of any classifier, as a scikit-learn classifier."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import Tags, get_tags
from sklearn.utils._param_validation import HasMethods
from sklearn.utils.validation import has_fit_parameter, validate_data

from mcbook.forests.algorithm.bootstrap import bootstrap_counts
from mcbook.forests.estimator.voting import VOTING, Voters, positive
from mcbook.foundation.estimators import encode_classes, seed_of
from mcbook.foundation.progress import progress
from mcbook.foundation.types import Array, ArrayLike, ClassWeight, Floats, Labels, Matrix, RandomState
from mcbook.trees import DecisionTree


class Bagging(Voters, MetaEstimatorMixin, BaseEstimator):
    """Copies of a classifier, each trained on its own bootstrap sample; a new point gets the plurality of their votes.

    A classifier whose ``fit`` takes ``sample_weight`` gets a bootstrap as counts, another one as repeated examples.

    Parameters
    ----------
    estimator : estimator or None, default=None
        Any classifier of scikit-learn's kind; None is a `DecisionTree`.
    n_estimators : int, default=50
        The number of copies.
    voting : {"plurality", "mean"}, default="plurality"
        "plurality" counts the labels of the copies, "mean" averages their ``predict_proba``.
    oob_score : bool, default=False
        Whether to estimate the accuracy by the votes out of the bag.
    class_weight : dict, "balanced" or None, default=None
        Examples are drawn in proportion to ``sample_weight`` times this, as in `RandomForest`.
    n_jobs : int or None, default=None
        Copies trained at the same time; None is 1, and -1 is all cores.
    random_state : int, RandomState or None, default=None
        Seed of the bootstraps and of what is random in ``estimator``.
    verbose : int, default=0
        1 shows a progress bar; 0 shows nothing.

    Attributes
    ----------
    estimators_ : list
        The trained copies.
    counts_ : ndarray of shape (n_estimators, n_samples)
        How often each copy had each example that had weight.
    oob_score_ : float
        The accuracy of the votes out of the bag, among the examples that have one.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        The shares of these votes for the examples that had weight, NaN where there are none.
    classes_ : ndarray of shape (n_classes,)
        The classes in sorted order.
    n_features_in_ : int
        The number of features.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> model = Bagging(KNeighborsClassifier(1), random_state=0).fit([[1.0], [2.0], [7.0], [8.0]], [0, 0, 1, 1])
    >>> model.predict([[0.0], [9.0]]).tolist()
    [0, 1]
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **VOTING,
        "estimator": [HasMethods(["fit", "predict"]), None],
    }

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        n_estimators: int = 50,
        *,
        voting: str = "plurality",
        oob_score: bool = False,
        class_weight: ClassWeight = None,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.voting = voting
        self.oob_score = oob_score
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = get_tags(self._base()).input_tags.allow_nan
        return tags

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train the copies; examples of weight 0 are left out."""
        self._validate_params()
        X, y = validate_data(self, X, y, **self._accepted())
        base = self._base()
        if self.voting == "mean" and not hasattr(base, "predict_proba"):
            raise ValueError(
                f"expected an estimator with predict_proba for voting='mean', got {type(base).__name__}: "
                "take voting='plurality'"
            )
        weight = self._weights(X, y, sample_weight)  # type: ignore[arg-type]  # y is an array now
        weighted = has_fit_parameter(base, "sample_weight")
        self.classes_, labels = encode_classes(y, weight)
        X, labels, weight = positive(weight > 0, X, labels, weight)
        rng = np.random.default_rng(seed_of(self.random_state))
        self.counts_ = bootstrap_counts(X, labels, weight, rng, self.n_estimators)
        seeds = rng.integers(0, 2**31, self.n_estimators).tolist()
        tasks = [
            delayed(_fit_copy)(_seeded(base, seed), X, labels, count, weighted)
            for count, seed in zip(self.counts_, seeds, strict=True)
        ]
        with progress(self.n_estimators, "copy", verbose=self.verbose) as step:
            self.estimators_ = []
            # As a list comes all at once, a bar needs them one by one, which not every backend of joblib does.
            for copy in Parallel(n_jobs=self.n_jobs, return_as="generator" if self.verbose else "list")(tasks):
                self.estimators_.append(copy)
                step()
        if self.oob_score:
            self._count_out_of_bag(X, labels, self.counts_)
        return self

    def _base(self) -> BaseEstimator:
        return DecisionTree() if self.estimator is None else self.estimator

    def _accepted(self) -> dict[str, Any]:
        allows_nan = get_tags(self._base()).input_tags.allow_nan
        return {"dtype": np.float64, "order": "C", "ensure_all_finite": "allow-nan" if allows_nan else True}

    def _numbers(self, X: Matrix) -> Floats:
        return np.asarray(validate_data(self, X, reset=False, **self._accepted()))

    def _votes_of(self, member: int, X: Matrix) -> Floats:
        model, votes = self.estimators_[member], np.zeros((len(X), len(self.classes_)))
        if isinstance(model, _Constant):
            votes[:, model.label] = 1
        elif self.voting == "mean":
            # A bootstrap may lack a class.
            votes[:, model.classes_] = model.predict_proba(X)
        else:
            votes[np.arange(len(X)), model.predict(X)] = 1
        return votes


class _Constant:
    """Stands for the classifier of a bootstrap with one class only, which many classifiers refuse."""

    def __init__(self, label: int) -> None:
        self.label = label


def _fit_copy(
    model: BaseEstimator, X: Floats, labels: Labels, count: Array, weighted: bool
) -> BaseEstimator | _Constant:
    times = count.astype(np.int64)
    drawn = np.flatnonzero(times) if weighted else np.repeat(np.arange(len(times)), times)
    if (labels[drawn] == labels[drawn[0]]).all():
        return _Constant(int(labels[drawn[0]]))
    if weighted:
        return model.fit(X[drawn], labels[drawn], sample_weight=count[drawn])
    return model.fit(X[drawn], labels[drawn])


def _seeded(base: BaseEstimator, seed: int) -> BaseEstimator:
    model = clone(base)
    if "random_state" in model.get_params(deep=False):
        model.set_params(random_state=seed)
    return model
