"""The sets of data that the comparisons share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits, make_classification
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


class Sample(NamedTuple):
    """Features, labels 0 .. n_classes - 1 and the number of classes."""

    X: NDArray[np.float64]
    y: NDArray[np.int64]
    n_classes: int


def digits() -> Sample:
    """1347 handwritten digits of 8 x 8 grey values between 0 and 1."""
    X, y = load_digits(return_X_y=True)
    X, _, y, _ = train_test_split(X / 16, y, random_state=0, stratify=y)
    return Sample(np.ascontiguousarray(X), y.astype(np.int64), 10)


def letter_like(n_samples: int = 12_800, n_classes: int = 26) -> Sample:
    """As many letters as the letter-recognition set trains on: 16 features, 26 classes."""
    return _made(n_samples, 16, n_classes, n_informative=12, n_redundant=2, n_clusters_per_class=1, class_sep=1.4)


def mkcl(n_samples: int = 15_000, n_classes: int = 10) -> Sample:
    """50 features, 20 of them informative, 10 classes of two clusters each."""
    return _made(n_samples, 50, n_classes, n_informative=20, n_redundant=0, n_clusters_per_class=2, class_sep=1.6)


def tiny() -> Sample:
    """Small enough for the tests."""
    return _made(90, 6, 3, n_informative=4, n_redundant=0, n_clusters_per_class=1, class_sep=1.0)


def _made(n_samples: int, n_features: int, n_classes: int, **options: float) -> Sample:
    X, y = make_classification(n_samples, n_features, n_classes=n_classes, random_state=0, **options)
    X = StandardScaler().fit_transform(X)
    return Sample(np.ascontiguousarray(X), y.astype(np.int64), n_classes)
