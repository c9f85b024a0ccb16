"""Growing a full Gini tree beside scikit-learn, and how the time grows with the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks.data import Sample, digits, letter_like, mkcl, tiny
from benchmarks.harness import Case, Contender, Growth
from mcbook import DecisionTree

# A full tree makes no error on these samples; far less than one error in all of them.
_NONE = 1e-9


def cases() -> list[Case]:
    """The whole fit, from the matrix to the tree."""
    samples = (
        ("digits", digits, 3),
        ("letter-like 12800x16x26", letter_like, 5),
        ("mkcl 15000x50x10", mkcl, 10),
    )
    return [
        Case(f"trees: full Gini tree, {name}", data, tiny, _contenders(), training_error, _NONE, target)
        for name, data, target in samples
    ]


def growths() -> list[Growth]:
    """The exponents of the time in the number of examples, of features and of classes."""
    return [
        Growth("trees: examples", mkcl, (2000, 4000, 8000, 16000, 32000), _contenders(), training_error, _NONE),
        Growth("trees: features", _features, (10, 20, 40, 80, 160), _contenders(), training_error, _NONE),
        Growth("trees: classes", _classes, (4, 8, 16, 32, 64), _contenders(), training_error, _NONE),
    ]


def training_error(data: Sample, model: Any) -> float:
    """A full tree makes none."""
    return float(np.mean(model.predict(data.X) != data.y))


def _contenders() -> tuple[Contender, ...]:
    return (Contender("mcbook", _ours), Contender("scikit-learn", _peer))


def _ours(data: Sample, setting: None) -> DecisionTree:
    return DecisionTree().fit(data.X, data.y)


def _peer(data: Sample, setting: None) -> DecisionTreeClassifier:
    return DecisionTreeClassifier(random_state=0).fit(data.X, data.y)


def _features(n_features: int) -> Sample:
    rng = np.random.default_rng(0)
    return Sample(rng.normal(size=(4000, n_features)), rng.integers(0, 5, 4000), 5)


def _classes(n_classes: int) -> Sample:
    rng = np.random.default_rng(0)
    return Sample(rng.normal(size=(4000, 16)), rng.integers(0, n_classes, 4000), n_classes)
