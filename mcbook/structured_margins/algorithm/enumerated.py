"""The structured problem with all its labels listed: what the theory speaks of, and what others are held against.

    minimise  1/2 |w|^2 + C sum_i max_j (b_ij - <w, g_ij>)

over w; an example i has one plane (b_ij, g_ij) for each label j, its own label the plane (0, 0).  The dual runs over
alpha_ij >= 0 with sum_j alpha_ij = C, w(alpha) = sum_ij alpha_ij g_ij:

    maximise  sum_ij alpha_ij b_ij - 1/2 |w(alpha)|^2.

Margin and slack rescaling differ in the planes alone (`mcbook.structured_margins.planes_of`).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from mcbook.foundation.checks import require_labels, require_positive, require_same_length
from mcbook.foundation.numbers import exact_or_float, is_exact, quotient
from mcbook.foundation.types import Array, Integers, Labels, Scalar
from mcbook.structured_margins.theory import Rescaling, planes_of


@dataclass(frozen=True)
class EnumeratedProblem:
    """Planes of every example: ``offsets[i] (n_labels_i,)`` and ``gradients[i] (n_labels_i, n_features)``.

    >>> one = enumerated_problem([np.array([0, 1], object)], [np.array([[0], [2]], object)], C=1)
    >>> one.largest_offset, one.squared_radius, one.primal(np.array([0])), one.most_violated(np.array([0])).tolist()
    (1, 4, Fraction(1, 1), [1])
    """

    offsets: tuple[Array, ...]
    gradients: tuple[Array, ...]
    C: Scalar

    @property
    def n_blocks(self) -> int:
        return len(self.offsets)

    @property
    def n_features(self) -> int:
        return int(self.gradients[0].shape[1])

    @property
    def largest_offset(self) -> Scalar:
        """Delta, the largest b of all planes."""
        return max(b.max() for b in self.offsets)

    @property
    def squared_radius(self) -> Scalar:
        """R^2, the largest |g|^2 of all planes."""
        return max((G * G).sum(axis=1).max() for G in self.gradients)

    @property
    def squared_diameters(self) -> list[Scalar]:
        """The largest |g - g'|^2 of two planes of each example."""
        return [max(((g - h) ** 2).sum() for g in G for h in G) for G in self.gradients]

    def as_floats(self) -> EnumeratedProblem:
        """The same in floats."""
        offsets, gradients = ([np.asarray(a, dtype=float) for a in part] for part in (self.offsets, self.gradients))
        return EnumeratedProblem(tuple(offsets), tuple(gradients), float(self.C))

    def with_offsets(self, offsets: Sequence[Array]) -> EnumeratedProblem:
        return replace(self, offsets=tuple(offsets))

    def with_gradients(self, gradients: Sequence[Array]) -> EnumeratedProblem:
        return replace(self, gradients=tuple(gradients))

    def values(self, w: Array) -> list[Array]:
        """b_ij - <w, g_ij>, an array for each example."""
        return [b - G @ w for b, G in zip(self.offsets, self.gradients, strict=True)]

    def most_violated(self, w: Array) -> Integers:
        """The plane with the largest value of each example, of equal ones the first."""
        return np.array([_first_largest(values) for values in self.values(w)])

    def planes(self, w: Array) -> tuple[Array, Array]:
        """The same planes themselves, ``(n_blocks,)`` and ``(n_blocks, n_features)``."""
        at = self.most_violated(w)
        offsets = np.array([b[j] for b, j in zip(self.offsets, at, strict=True)])
        return offsets, np.array([G[j] for G, j in zip(self.gradients, at, strict=True)])

    def total_plane(self, w: Array) -> tuple[Scalar, Array]:
        """Their sum."""
        offsets, gradients = self.planes(w)
        return offsets.sum(), gradients.sum(axis=0)

    def primal(self, w: Array) -> Scalar:
        """1/2 |w|^2 + C sum_i max_j (b_ij - <w, g_ij>)."""
        return quotient(w @ w, 2) + self.C * sum(values.max() for values in self.values(w))

    def weights(self, alpha: Sequence[Array]) -> Array:
        """w(alpha) = sum_ij alpha_ij g_ij."""
        return np.asarray(sum(a @ G for a, G in zip(alpha, self.gradients, strict=True)))

    def dual(self, alpha: Sequence[Array]) -> Scalar:
        """sum_ij alpha_ij b_ij - 1/2 |w(alpha)|^2."""
        w = self.weights(alpha)
        return sum(a @ b for a, b in zip(alpha, self.offsets, strict=True)) - quotient(w @ w, 2)

    def block_gaps(self, alpha: Sequence[Array]) -> list[Scalar]:
        """C max_j v_ij - sum_j alpha_ij v_ij at w(alpha), v the values: their sum is primal less dual."""
        values = self.values(self.weights(alpha))
        return [self.C * v.max() - a @ v for a, v in zip(alpha, values, strict=True)]

    def start(self) -> list[Array]:
        """The alpha with all weight on each example's own label, where w = 0."""
        alpha = [0 * b for b in self.offsets]
        for a, b, G in zip(alpha, self.offsets, self.gradients, strict=True):
            a[_own_plane(b, G)] = self.C
        return alpha


def _first_largest(values: Array) -> int:
    return values.tolist().index(values.max())


def _own_plane(b: Array, G: Array) -> int:
    return int(np.flatnonzero((b == 0) & (G == 0).all(axis=1))[0])


def enumerated_problem(offsets: Sequence[Array], gradients: Sequence[Array], C: Scalar) -> EnumeratedProblem:
    """The problem of these planes, checked; exact numbers stay exact.

    >>> one = enumerated_problem([np.array([0, 1])], [np.array([[0], [2]])], C=1)
    >>> one.n_blocks, one.n_features, [alpha.tolist() for alpha in one.start()]
    (1, 1, [[1.0, 0.0]])
    """
    require_same_length(offsets=offsets, gradients=gradients)
    B, Gs = [exact_or_float(b) for b in offsets], [exact_or_float(G) for G in gradients]
    for i, (b, G) in enumerate(zip(B, Gs, strict=True)):
        if b.ndim != 1 or G.ndim != 2 or len(b) != len(G) or G.shape[1] != Gs[0].shape[1]:
            raise ValueError(
                f"expected offsets (n,) and gradients (n, n_features) of example {i}, got {b.shape}, {G.shape}"
            )
        if (b < 0).any() or not ((b == 0) & (G == 0).all(axis=1)).any():
            raise ValueError(f"expected offsets >= 0 and the plane (0, 0) of the right label in example {i}: add it")
    return EnumeratedProblem(tuple(B), tuple(Gs), require_positive(C, "C", "it is the cost of a slack"))


def problem_of_labels(
    joint: Sequence[Array], labels: Labels, losses: Sequence[Array], C: Scalar, rescaling: Rescaling = "margin"
) -> EnumeratedProblem:
    """From joint features ``joint[i] (n_labels_i, n_features)``, the places of the right labels, and losses.

    >>> two = problem_of_labels([np.eye(2)], np.array([0]), [np.array([0.0, 1.0])], C=1.0)
    >>> two.gradients[0].tolist()
    [[0.0, 0.0], [1.0, -1.0]]
    """
    planes = [
        planes_of(loss, Psi[label] - Psi, rescaling) for Psi, label, loss in zip(joint, labels, losses, strict=True)
    ]
    return enumerated_problem([b for b, _ in planes], [G for _, G in planes], C)


def one_slack(problem: EnumeratedProblem) -> EnumeratedProblem:
    """The same problem with a single slack: a plane is the sum of one plane of each example, in every combination.

    >>> two = enumerated_problem([np.array([0, 1])] * 2, [np.array([[0], [2]]), np.array([[0], [1]])], C=1)
    >>> one_slack(two).offsets[0].tolist(), one_slack(two).gradients[0].ravel().tolist()
    ([0.0, 1.0, 1.0, 2.0], [0.0, 1.0, 2.0, 3.0])
    """
    chosen = list(itertools.product(*(range(len(b)) for b in problem.offsets)))
    offsets = [sum(b[j] for b, j in zip(problem.offsets, js, strict=True)) for js in chosen]
    gradients = [sum(G[j] for G, j in zip(problem.gradients, js, strict=True)) for js in chosen]
    kind = object if is_exact(problem.offsets[0]) else float
    return EnumeratedProblem((np.array(offsets, dtype=kind),), (np.array(gradients, dtype=kind),), problem.C)


def multiclass_problem(
    X: Array, y: Labels, n_classes: int, C: Scalar, rescaling: Rescaling = "margin"
) -> EnumeratedProblem:
    """Labels without structure: Psi(x, y) has x in the block of y, and every error costs 1.

    >>> multiclass_problem(np.array([[2.0]]), np.array([1]), 3, 1.0).gradients[0].tolist()
    [[-2.0, 2.0, 0.0], [0.0, 0.0, 0.0], [0.0, 2.0, -2.0]]
    """
    X = exact_or_float(X)
    one = np.eye(n_classes, dtype=int).astype(X.dtype)
    joint = [np.array([np.kron(row, x) for row in one]) for x in X]
    y = require_labels(y, n_classes)
    return problem_of_labels(joint, y, [1 - one[label] for label in y], C, rescaling)
