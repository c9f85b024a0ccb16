"""Dual block-coordinate ascent: pass after pass over the examples that still move, until the duality gap is small."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcbook.svm.algorithm.objective import Array, GapPoint, Problem, SVMSolution, relative_gap

# An example is left out once this many visits in a row have not moved it, until the next pass over all of them.
_PATIENCE = 2
# A pass over all examples is followed by this many over those that still move.
_SHORT_PASSES = 10
# The gap costs a pass without progress: it is computed when the gap seen in a pass over all has fallen by this factor.
_FALL = 0.1


def ascend(
    problem: Problem, *, gap: float, max_iter: int, random_state: Any = 0, alpha: Array | None = None
) -> SVMSolution:
    """Ascend on the weights of dense or sparse data, from zero flows or from copies of those given."""
    alpha = np.zeros((len(problem.y), problem.n_classes)) if alpha is None else alpha.copy()
    V = np.zeros((problem.X.shape[1], problem.n_classes))

    def certify() -> tuple[float, float]:
        W = problem.weights(alpha)
        V[:] = W.T
        return problem.values(W, alpha, problem.scores(W))

    rows = problem.rows
    run = Run(problem, alpha, problem.squared_norms, np.random.default_rng(random_state))
    history, n_iter = run.until(gap, max_iter, certify, lambda active: run.visit(rows, active, V))
    primal, dual = history[-1][2:]
    converged = relative_gap(primal, dual) <= gap
    return SVMSolution(problem.weights(alpha), alpha, primal, dual, n_iter, converged, "coordinate", tuple(history))


Certify = Callable[[], tuple[float, float]]
Visit = Callable[[NDArray[np.int64]], tuple[NDArray[np.int64], float]]


class Run:
    """The state of an ascent: its flows, and which examples still move."""

    def __init__(self, problem: Problem, alpha: Array, squared_norms: Array, rng: np.random.Generator) -> None:
        self.problem, self.alpha, self.rng = problem, alpha, rng
        self.squared_norms = _positive(squared_norms, problem)
        self.quiet = np.zeros(len(problem.y), dtype=np.int64)
        self.one_slack = problem.loss == "crammer-singer"

    def visit(self, rows: tuple[Array, ...], active: NDArray[np.int64], V: Array) -> tuple[NDArray[np.int64], float]:
        """One pass over the active examples; returns those that stay active and the gap that was seen in passing."""
        from mcbook.svm.kernels.ascent import ascent_pass

        n_active, seen = ascent_pass(
            rows,
            active,
            len(active),
            self.squared_norms,
            self.problem.y,
            self.problem.capacity,
            self.alpha,
            V,
            self.quiet,
            _PATIENCE,
            self.one_slack,
        )
        return active[:n_active], seen

    def until(self, gap: float, max_iter: int, certify: Certify, visit: Visit) -> tuple[list[GapPoint], int]:
        """Pass over the examples until the relative gap is reached or ``max_iter`` passes were made."""
        begun = time.perf_counter()
        history: list[GapPoint] = []
        n_iter = 0
        while True:
            primal, dual = certify()
            history.append(GapPoint(n_iter, time.perf_counter() - begun, primal, dual))
            if relative_gap(primal, dual) <= gap or n_iter >= max_iter:
                return history, n_iter
            goal = max(_FALL * (primal - dual), 0.7 * gap * primal)
            seen = np.inf
            while seen > goal and n_iter < max_iter:
                seen, n_passes = self._cycle(visit, max_iter - n_iter)
                n_iter += n_passes

    def _cycle(self, visit: Visit, most: int) -> tuple[float, int]:
        """A pass over all examples and short ones; the gap seen in the first, and how many passes were made."""
        everything = np.flatnonzero(self.problem.capacity > 0)
        active, seen = visit(self.rng.permutation(everything))
        for n_passes in range(1, min(1 + _SHORT_PASSES, most)):
            if not len(active):
                return seen, n_passes
            active, _ = visit(self.rng.permutation(active))
        return seen, min(1 + _SHORT_PASSES, most)


def _positive(squared_norms: Array, problem: Problem) -> NDArray[np.float64]:
    """An example at the origin, whose scores stay 0, has its flows decided by any norm this small."""
    smallest = 0.5 / (problem.n_classes * np.maximum(problem.capacity, 1e-300))
    return np.where(squared_norms > 0, squared_norms, smallest)
