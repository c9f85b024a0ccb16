"""Counting what training and prediction really cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from mcbook.foundation.types import Array, Floats, Labels


@dataclass
class Meter:
    """What has been counted so far; copies of an estimator that carries it share it.

    >>> Meter(fits=[(2, 3), (1, 3)]).examples
    9
    """

    fits: list[tuple[int, int]] = field(default_factory=list)
    evaluations: int = 0
    kernel_values: int = 0

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    @property
    def examples(self) -> int:
        """Examples trained on, over all fits."""
        return sum(positive + negative for positive, negative in self.fits)


class Metered(ClassifierMixin, BaseEstimator):
    """A binary classifier that tells a meter how large its problems are and how often it is asked.

    >>> from sklearn.linear_model import RidgeClassifier
    >>> meter = Meter()
    >>> model = Metered(RidgeClassifier(), meter).fit(np.array([[0.0], [1.0], [2.0]]), np.array([-1, 1, 1]))
    >>> model.predict(np.array([[0.0], [5.0]])).tolist(), meter.fits, meter.evaluations
    ([-1, 1], [(2, 1)], 2)
    """

    def __init__(self, estimator: BaseEstimator, meter: Meter) -> None:
        self.estimator = estimator
        self.meter = meter

    def fit(self, X: Array, y: Array) -> Self:
        self.meter.fits.append((int((y > 0).sum()), int((y < 0).sum())))
        self.classes_ = np.unique(y)
        self.estimator_ = clone(self.estimator).fit(X, y)
        return self

    def decision_function(self, X: Array) -> Array:
        self.meter.evaluations += X.shape[0]
        return np.asarray(self.estimator_.decision_function(X))

    def predict(self, X: Array) -> Array:
        return np.where(self.decision_function(X) > 0, 1, -1)


@dataclass(frozen=True)
class MeteredKernel:
    """The linear kernel, counting the values it computes.

    >>> kernel = MeteredKernel(Meter())
    >>> kernel(np.eye(2), np.ones((3, 2))).shape, kernel.meter.kernel_values
    ((2, 3), 6)
    """

    meter: Meter

    def __call__(self, X: Array, Z: Array) -> Array:
        self.meter.kernel_values += len(X) * len(Z)
        return X @ Z.T


def balanced_sample(n_classes: int, per_class: int, seed: int = 0) -> tuple[Floats, Labels]:
    """Clouds of points around the corners of a regular polygon, the same number for each class.

    >>> X, y = balanced_sample(3, 2)
    >>> X.shape, y.tolist()
    ((6, 2), [0, 0, 1, 1, 2, 2])
    """
    angles = 2 * np.pi * np.arange(n_classes) / n_classes
    centres = 3 * np.c_[np.cos(angles), np.sin(angles)]
    y = np.repeat(np.arange(n_classes), per_class)
    return centres[y] + np.random.default_rng(seed).normal(size=(len(y), 2)), y
