"""The multi-class SVM trained at once against one binary SVM for each class, on Gaussian classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mcbook.foundation.types import Array

# Where other classes surround one, its best weights among the rest are 0, which a solver gives as tiny ones: beyond so
# many digits of the scores these would decide ties at random.
_DIGITS = 4


@dataclass(frozen=True)
class Comparison:
    """Errors of the two on fresh points, and on how many points exactly one of them was wrong.

    >>> found = Comparison(100, joint_errors=5, one_vs_rest_errors=7, only_joint_wrong=1, only_one_vs_rest_wrong=3)
    >>> found.discordant
    4
    """

    n_points: int
    joint_errors: int
    one_vs_rest_errors: int
    only_joint_wrong: int
    only_one_vs_rest_wrong: int

    @property
    def discordant(self) -> int:
        return self.only_joint_wrong + self.only_one_vs_rest_wrong


def compare_on_gaussians(
    rng: np.random.Generator,
    n_features: int,
    *,
    n_classes: int = 6,
    distance: float = 6.0,
    n_train: int = 300,
    n_test: int = 2000,
    C: float = 0.1,
) -> Comparison:
    """Unit Gaussian classes around random points at a given distance from 0; a constant feature serves as intercept.

    Source: Roth (2018), slide on performance.

    >>> rng = np.random.default_rng(0)  # the classes are far apart: hardly a point is wrong
    >>> found = compare_on_gaussians(rng, 2, n_classes=2, distance=50.0, n_train=20, n_test=50)
    >>> found.joint_errors - found.only_joint_wrong == found.one_vs_rest_errors - found.only_one_vs_rest_wrong
    True
    """
    from mcbook.svm_solvers.algorithm.solver import solve_binary, solve_multiclass

    if n_features < 2 or n_classes < 2:
        raise ValueError(f"expected at least 2 features and 2 classes, got {n_features} and {n_classes}")
    centres = rng.normal(size=(n_classes, n_features))
    centres *= distance / np.linalg.norm(centres, axis=1, keepdims=True)
    X_train, y_train = _draw(rng, centres, n_train)
    X_test, y_test = _draw(rng, centres, n_test)
    joint = solve_multiclass(X_train, y_train, n_classes, C, tol=1e-8, solver="coordinate").W
    rows = [solve_binary(X_train, np.where(y_train == z, 1.0, -1.0), C, tol=1e-8).w for z in range(n_classes)]
    assert joint is not None
    return _count(X_test, y_test, joint, np.array(rows))


def _draw(rng: np.random.Generator, centres: Array, n_samples: int) -> tuple[Array, Array]:
    y = np.arange(n_samples) % len(centres)
    points = centres[y] + rng.normal(size=(n_samples, centres.shape[1]))
    return np.c_[points, np.ones(n_samples)], y


def _count(X: Array, y: Array, joint: Array, one_vs_rest: Array) -> Comparison:
    wrong, other = (np.round(X @ W.T, _DIGITS).argmax(axis=1) != y for W in (joint, one_vs_rest))
    return Comparison(
        len(y), int(wrong.sum()), int(other.sum()), int((wrong & ~other).sum()), int((other & ~wrong).sum())
    )
