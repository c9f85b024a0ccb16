"""Kernels on chains: inner products of joint features that nobody writes down.

The observations enter the joint features of a chain only through inner products, so a kernel may take their place:

    <Psi(x, y), Psi(x', y')> = sum over t, t' with y_t = y'_t' of k(x_t, x'_t')  +  the pairs and ends that agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mcbook.foundation.types import Floats, Integers, Labels
from mcbook.structured.algorithm.features import Structures, indicators
from mcbook.structured.algorithm.inference import all_labellings, loss_of
from mcbook.structured_margins.algorithm.chains import ChainProblem

# From two arrays of observations to the table of their inner products.
Kernel = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True)
class KernelPlanes:
    """All planes of a problem by their inner products ``gram``; ``offsets`` and ``owners`` have one entry for each.

    ``columns (n_positions * n_labels, n_planes)`` say what of psi belongs to whose observation and label, ``others``
    the part that counts pairs and ends.

    >>> from mcbook.structured import chains, structures
    >>> from mcbook.structured_margins import chain_problem
    >>> problem = chain_problem(structures([[1.0], [-1.0]], chains([1, 1])), np.array([0, 1]), 2, C=1.0)
    >>> planes = kernel_planes(problem, lambda X, Z: X @ Z.T)
    >>> planes.owners.tolist(), planes.offsets.tolist(), planes.gram.shape
    ([0, 0, 1, 1], [0.0, 1.0, 1.0, 0.0], (4, 4))
    """

    gram: Floats
    offsets: Floats
    owners: Integers
    columns: Floats
    others: Floats

    def score(self, alpha: Floats, cross: Floats, n_labels: int) -> Floats:
        """Scores of labels for new observations, from their products ``cross (n_new, n_positions)`` with the old."""
        spread = (self.columns @ alpha).reshape(-1, n_labels)
        return np.asarray(cross @ spread)


def kernel_planes(problem: ChainProblem, kernel: Kernel) -> KernelPlanes:
    """List all labellings of short sequences, and their planes by the kernel; margin rescaling.

    With the linear kernel they are the inner products of the planes that can be written down:

    >>> from mcbook.structured import chains, structures
    >>> from mcbook.structured_margins import chain_problem
    >>> problem = chain_problem(structures([[1.0], [-1.0]], chains([2])), np.array([0, 1]), 2, C=1.0)
    >>> G = problem.listed().gradients[0]
    >>> bool(np.allclose(kernel_planes(problem, lambda X, Z: X @ Z.T).gram, G @ G.T))
    True
    """
    forest, k = problem.data.forest, problem.joint.n_labels
    blind = Structures(np.zeros((forest.n_positions, 1)), forest)
    columns, others, offsets, owners = [], [], [], []
    for i, y in enumerate(forest.split(problem.y)):
        one, positions = forest.only(np.array([i]))
        for z in all_labellings(k, len(y)):
            column = np.zeros((forest.n_positions, k))
            column[positions] = indicators(y, k) - indicators(z, k)
            columns.append(column.ravel())
            others.append(_pairs_and_ends(problem, blind, i, y) - _pairs_and_ends(problem, blind, i, z))
            offsets.append(float(loss_of(y, z, problem.cost, one)[0]))
            owners.append(i)
    D, R = np.array(columns).T, np.array(others).T
    X = np.asarray(problem.data.X, dtype=float)
    table = np.kron(kernel(X, X), np.eye(k))
    return KernelPlanes(D.T @ table @ D + R.T @ R, np.array(offsets), np.array(owners), D, R)


def _pairs_and_ends(problem: ChainProblem, blind: Structures, i: int, z: Labels) -> Floats:
    from mcbook.structured.algorithm.features import JointFeatures

    return np.asarray(JointFeatures(1, problem.joint.n_labels).vector(blind.only([i]), z), dtype=float)
