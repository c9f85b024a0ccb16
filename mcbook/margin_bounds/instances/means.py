"""An ordinary classifier on a distribution with known risk: how loose are the bounds where nothing was made up for them?

The distribution is uniform on labelled atoms of length 1, so a sample of any size is a vector of counts, and risks are
known. The classifier scores an input by its product with the mean of each class, centred and scaled to rows of length
at most 1: r = Lambda = 1 in the kernel bound.

Shapes: ``X (n_atoms, n_features)``, ``y`` and ``counts (n_atoms,)``, ``W (n_classes, n_features)``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mcbook.foundation.checks import require_labels, require_matrix, require_same_length
from mcbook.foundation.proof.statistical import Coverage
from mcbook.foundation.types import Array, ArrayLike, Floats, Integers, Scalar
from mcbook.losses import margin_loss
from mcbook.margin_bounds.theory import kernel_margin_bound
from mcbook.problem import score_margins


@dataclass(frozen=True)
class LabelledAtoms:
    """Inputs of length 1 with labels 0 .. n_classes - 1, all equally likely.

    >>> atoms = LabelledAtoms(np.eye(2), np.array([0, 1]))
    >>> atoms.margins(np.eye(2)).tolist(), atoms.risk(np.zeros((2, 2)))  # without weights both are ties
    ([1.0, 1.0], 1.0)
    """

    X: Floats
    y: Integers

    def draw(self, n_samples: int, rng: np.random.Generator) -> Integers:
        """How often each atom occurs in a sample of this size."""
        return rng.multinomial(n_samples, np.full(len(self.y), 1 / len(self.y)))

    def margins(self, W: Array) -> Array:
        return score_margins(self.X @ np.asarray(W).T, self.y)

    def risk(self, W: Array) -> float:
        """The probability of a margin that is not positive."""
        return float((self.margins(W) <= 0).mean())

    def empirical_margin_loss(self, W: Array, counts: Array, rho: Scalar) -> float:
        """The mean of Phi_rho over a sample with these counts."""
        return float(counts @ margin_loss(self.margins(W), rho) / counts.sum())


def unit_atoms(X: ArrayLike, y: ArrayLike, n_classes: int) -> LabelledAtoms:
    """The examples with labels below ``n_classes``, their inputs centred and scaled to length 1.

    >>> unit_atoms([[1.0], [5.0]], [0, 1], 2).X.tolist()
    [[-1.0], [1.0]]
    """
    X, y = require_matrix(X), require_labels(y)
    require_same_length(X=X, y=y)
    X, y = X[y < n_classes], y[y < n_classes]
    if len(np.unique(y)) < n_classes:
        raise ValueError(f"expected examples of all {n_classes} classes, got labels {np.unique(y).tolist()}")
    centred = X - X.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=1)
    if not lengths.min() > 0:
        raise ValueError("expected no input equal to the mean of all: it cannot be scaled to length 1")
    return LabelledAtoms(centred / lengths[:, None], y)


def means_weights(atoms: LabelledAtoms, counts: Array) -> Floats:
    """One row for each class: the mean of its examples less the mean of all rows, the longest scaled to length 1.

    >>> means_weights(LabelledAtoms(np.eye(2), np.array([0, 1])), np.array([3, 1])).round(3).tolist()
    [[0.707, -0.707], [-0.707, 0.707]]
    """
    n_classes = int(atoms.y.max()) + 1
    weights = np.asarray(counts, dtype=float)
    sums = np.zeros((n_classes, atoms.X.shape[1]))
    np.add.at(sums, atoms.y, weights[:, None] * atoms.X)
    means = sums / np.maximum(np.bincount(atoms.y, weights, n_classes), 1)[:, None]
    centred = means - means.mean(axis=0)
    return np.asarray(centred / np.linalg.norm(centred, axis=1).max())


def bound_coverage(
    atoms: LabelledAtoms,
    rho: float,
    n_samples: int,
    delta: float,
    n_trials: int,
    rng: np.random.Generator,
    squared_norm: float = 1.0,
) -> Coverage:
    """How often the kernel bound fails for the classifier of the means, each time trained on a sample of its own.

    With ``squared_norm`` 0 the complexity term is left out, although the rows have length 1.

    >>> atoms = LabelledAtoms(np.eye(2), np.array([0, 1]))
    >>> bound_coverage(atoms, 0.5, n_samples=20, delta=0.1, n_trials=5, rng=np.random.default_rng(0)).n_failures
    0
    """
    n_classes, n_failures = int(atoms.y.max()) + 1, 0
    for _ in range(n_trials):
        counts = atoms.draw(n_samples, rng)
        W = means_weights(atoms, counts)
        loss = atoms.empirical_margin_loss(W, counts, rho)
        limit = kernel_margin_bound(loss, 1.0, squared_norm, rho, n_classes, delta, n_samples)
        n_failures += bool(atoms.risk(W) > limit)
    return Coverage(n_failures, n_trials, delta)
