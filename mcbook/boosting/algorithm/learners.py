"""The weak learners of the book: finite pools, given sequences, and any classifier of scikit-learn that takes weights.

Decision stumps are in `mcbook.boosting.algorithm.stumps`; what a weak learner is, says
`mcbook.boosting.algorithm.adaboost`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.base import BaseEstimator, clone

from mcbook.boosting.algorithm.adaboost import WeakFit, WeakLearner
from mcbook.foundation.checks import require_signs
from mcbook.foundation.estimators import seed_of
from mcbook.foundation.types import Array, Floats, Matrix, RandomState, Signs


class FinitePool:
    """The hypothesis with the largest edge in a finite pool, the first of equals; a hypothesis is known by its index.

    ``H (n_hypotheses, n_samples)`` or ``(n_hypotheses, n_samples, n_columns)`` has the outputs -1 and +1 on the sample.
    With weights that are fractions so are the edges.

    >>> pool = FinitePool(np.array([[1, 1, -1], [-1, 1, 1]]))
    >>> pool.learn(np.array([0.2, 0.3, 0.5]))
    WeakFit(hypothesis=1, outputs=array([-1,  1,  1]))
    """

    real_valued = False

    def __init__(self, H: Signs) -> None:
        self.H = require_signs(H, "H")
        if self.H.ndim not in (2, 3) or self.H.size == 0:
            raise ValueError(
                "expected H (n_hypotheses, n_samples) or (n_hypotheses, n_samples, n_columns), "
                f"got shape {self.H.shape}"
            )
        self._rows = self.H.reshape(len(self.H), -1)
        self._exact_rows = self._rows.astype(object)

    def learn(self, S: Array) -> WeakFit:
        """The member with the largest sum S * h."""
        if S.size != self._rows.shape[1]:
            raise ValueError(f"expected {self._rows.shape[1]} signed weights, as many as outputs, got {S.size}")
        rows = self._exact_rows if S.dtype == object else self._rows
        best = int(np.argmax(rows @ S.ravel()))
        return WeakFit(best, self.H[best].reshape(S.shape))


class GivenSequence:
    """A learner that returns given hypotheses in their order, whatever the weights: for instances made by hand.

    >>> learner = GivenSequence(np.array([[1, -1], [-1, 1]]))
    >>> [learner.learn(np.array([0.5, 0.5])).outputs.tolist() for _ in range(2)]
    [[1, -1], [-1, 1]]
    """

    real_valued = False

    def __init__(self, H: Signs) -> None:
        self.H = require_signs(H, "H")
        self._next = 0

    def learn(self, S: Array) -> WeakFit:
        """The next of the hypotheses."""
        if self._next == len(self.H):
            raise ValueError(f"expected at most {len(self.H)} rounds, as many as hypotheses, got one more")
        self._next += 1
        return WeakFit(self._next - 1, self.H[self._next - 1].reshape(S.shape))


@dataclass(frozen=True)
class OnPairs:
    """A learner for columns as one for the single column of all pairs, row by row: MH and MO as plain AdaBoost.

    >>> pool = FinitePool(np.array([[[1, -1], [1, -1]], [[1, 1], [-1, -1]]]))
    >>> OnPairs(pool, n_columns=2).learn(np.array([[0.25], [0.25], [-0.25], [-0.25]])).outputs.ravel().tolist()
    [1, 1, -1, -1]
    """

    learner: WeakLearner
    n_columns: int

    @property
    def real_valued(self) -> bool:
        return self.learner.real_valued

    def learn(self, S: Array) -> WeakFit:
        """The learner's hypothesis, with its outputs on all pairs in one column."""
        hypothesis, outputs = self.learner.learn(S.reshape(-1, self.n_columns))
        return WeakFit(hypothesis, outputs.reshape(S.shape))


@dataclass(frozen=True)
class ColumnClassifiers:
    """A classifier for each column, or a sign where a column asks for only one."""

    estimators: tuple[BaseEstimator | int, ...]

    def outputs(self, X: Matrix) -> Floats:
        """Signs -1 and +1, ``(n_samples, n_columns)``."""
        n_samples = X.shape[0]
        columns = [
            np.full(n_samples, each) if isinstance(each, int) else np.where(each.predict(X) > 0, 1, -1)
            for each in self.estimators
        ]
        return np.stack(columns, axis=1).astype(float)


class ClassifierLearner:
    """Any classifier of scikit-learn whose ``fit`` takes ``sample_weight``; a column of its own classifier each.

    ``X`` is the sample, dense or sparse.  Every fit gets a seed of its own where the classifier has a
    ``random_state``.  Pairs of weight 0 are left out.  The weights of a column sum to ``total``, the number of examples
    if None, as learners with a scale of their own expect.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> learner = ClassifierLearner(DecisionTreeClassifier(max_depth=1), np.array([[0.0], [1.0], [2.0]]), 0)
    >>> hypothesis, outputs = learner.learn(np.array([[0.3], [0.3], [-0.4]]))
    >>> outputs.ravel().tolist(), hypothesis.outputs(np.array([[9.0]])).tolist()
    ([1.0, 1.0, -1.0], [[-1.0]])
    """

    real_valued = False

    def __init__(
        self, estimator: BaseEstimator, X: Matrix, random_state: RandomState = None, *, total: float | None = None
    ) -> None:
        self.estimator = estimator
        self.X = X
        self.total = float(X.shape[0]) if total is None else total
        self._seeds = np.random.RandomState(seed_of(random_state))

    def learn(self, S: Array) -> WeakFit:
        """A copy of the classifier, trained on the signs of S with its sizes as weights."""
        found = ColumnClassifiers(tuple(self._fitted(column) for column in S.T))
        return WeakFit(found, found.outputs(self.X))

    def _fitted(self, signed: Floats) -> BaseEstimator | int:
        used = np.flatnonzero(signed)
        signs = np.where(signed[used] > 0, 1, -1)
        if len(set(signs.tolist())) < 2:
            return int(signs[0]) if len(signs) else 1
        estimator = clone(self.estimator)
        if "random_state" in estimator.get_params(deep=False):
            estimator.set_params(random_state=self._seeds.randint(2**31 - 1))
        weights = np.abs(signed[used])
        return estimator.fit(self.X[used], signs, sample_weight=weights * (self.total / weights.sum()))
