"""The linear multi-class and binary SVMs: which solver to use, and the exact sub-problem of one example.

Shapes: ``X (n_samples, n_features)`` dense or sparse, ``y`` and ``signs (n_samples,)``, ``W (n_classes, n_features)``,
``alpha (n_samples, n_classes)``; for two signs ``w (n_features,)`` and ``alpha (n_samples,)``; the ``scores`` of one
example and its flows ``(n_classes,)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from mcbook.foundation.checks import require_one_of
from mcbook.foundation.types import Array
from mcbook.foundation.vocabulary import DEFAULT_TOL, SlackLoss
from mcbook.svm_solvers.algorithm.ascent import ascend
from mcbook.svm_solvers.algorithm.objective import GapPoint, Problem, SVMSolution, checked_labels, relative_gap

Solver = Literal["auto", "coordinate", "newton"]


def solve_multiclass(
    X: Any,
    y: Array,
    n_classes: int,
    C: float = 1.0,
    *,
    loss: SlackLoss = "crammer-singer",
    tol: float = DEFAULT_TOL,
    max_iter: int = 10_000,
    sample_weight: Array | None = None,
    solver: Solver = "auto",
    random_state: Any = 0,
) -> SVMSolution:
    """Minimise 1/2 sum_l |w_l|^2 + sum_i C_i slack_i, C_i = C * sample_weight_i, to the relative duality gap ``tol``.

    ``solver="coordinate"`` ascends the dual example by example; ``"newton"`` takes second-order steps after a few
    passes of that; ``"auto"`` begins with passes and goes over to second-order steps where these are the shorter way,
    judged by how the gap falls.
    Where the iteration limit ends the search, the solution says so in ``converged`` and ``gap``.

    Source: Roth (2018), slides on optimisation.

    >>> found = solve_multiclass(np.eye(2), np.array([0, 1]), 2)
    >>> found.W.round(6).tolist(), round(found.primal, 6), found.converged
    ([[0.5, -0.5], [-0.5, 0.5]], 0.5, True)
    """
    problem = Problem.checked(X, y, n_classes, C, loss, sample_weight)
    if not 0 < tol < 1:
        raise ValueError(f"expected a relative gap between 0 and 1, got {tol}")
    require_one_of(solver, Solver, "solver")
    if max_iter < 1:
        raise ValueError(f"expected max_iter >= 1, got {max_iter}")
    if solver == "coordinate":
        return ascend(problem, tol=tol, max_iter=max_iter, random_state=random_state)
    from mcbook.svm_solvers.algorithm.newton import solve_newton

    return solve_newton(problem, tol=tol, max_iter=max_iter, random_state=random_state, switching=solver == "auto")


@dataclass(frozen=True)
class BinarySVMSolution:
    """Weights w = sum_i alpha_i sign_i x_i of the binary SVM, 0 <= alpha_i <= C_i, and the certificate.

    >>> found = solve_binary(np.array([[1.0], [-1.0]]), np.array([1, -1]), C=0.25)
    >>> found.alpha.round(6).tolist(), found.gap <= 1e-8
    ([0.25, 0.25], True)
    """

    w: Array
    alpha: Array
    primal: float
    dual: float
    n_iter: int
    converged: bool
    history: tuple[GapPoint, ...]

    @property
    def gap(self) -> float:
        return relative_gap(self.primal, self.dual)


def solve_binary(X: Any, signs: Array, C: float = 1.0, **options: Any) -> BinarySVMSolution:
    """Minimise 1/2 |w|^2 + sum_i C_i max(0, 1 - sign_i w.x_i), signs -1 and +1, without a bias.

    With two classes w_1 = -w_0, so the multi-class SVM with C / 2 is the binary one: w = w_1 - w_0, and all values
    are doubled.  ``options`` are those of `solve_multiclass`.

    >>> solve_binary(np.array([[1.0], [-1.0]]), np.array([1, -1]), C=0.25).w.round(6).tolist()
    [0.5]
    """
    signs = np.asarray(signs)
    if not np.isin(signs, (-1, 1)).all():
        raise ValueError(f"expected signs -1 and +1, got {np.unique(signs)[:10].tolist()}: encode the labels first")
    found = solve_multiclass(X, (signs > 0).astype(np.int64), 2, C / 2, **options)
    assert found.W is not None
    history = tuple(GapPoint(h.n_iter, h.seconds, 2 * h.primal, 2 * h.dual) for h in found.history)
    flows = 2 * np.abs(found.alpha[:, 1])
    values = 2 * found.primal, 2 * found.dual
    return BinarySVMSolution(found.W[1] - found.W[0], flows, *values, found.n_iter, found.converged, history)


def crammer_singer_step(scores: Array, label: int, capacity: float, squared_norm: float) -> Array:
    """The flows of one example that maximise the dual, given its scores under the weights without its own part.

    They maximise alpha[label] - <alpha, scores> - squared_norm / 2 |alpha|^2 over rows that sum to 0 with
    alpha[label] <= capacity and no other entry above 0.

    >>> crammer_singer_step(np.zeros(3), label=0, capacity=1.0, squared_norm=1.0).round(6).tolist()  # 2/3 and -1/3 each
    [0.666667, -0.333333, -0.333333]
    """
    from mcbook.svm_solvers.kernels.blocks import crammer_singer_block

    return _block_step(crammer_singer_block, scores, label, capacity, squared_norm)


def _block_step(block: Any, scores: Array, label: int, capacity: float, squared_norm: float) -> Array:
    scores = np.ascontiguousarray(scores, dtype=float)
    checked_labels(np.array([label]), len(scores))
    if not (capacity > 0 and squared_norm > 0):
        raise ValueError(f"expected capacity > 0 and squared_norm > 0, got {capacity} and {squared_norm}")
    flows = np.empty(len(scores))
    block(scores, len(scores), int(label), float(capacity), float(squared_norm), np.zeros(len(scores)), flows)
    return flows
