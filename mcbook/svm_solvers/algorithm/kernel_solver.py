"""The multi-class SVM on a Gram matrix, held whole or computed row by row and kept in a cache.

Shapes: ``K (n_samples, n_samples)``, ``y (n_samples,)``, ``alpha (n_samples, n_classes)``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcbook.foundation.types import Array
from mcbook.foundation.vocabulary import DEFAULT_TOL, SlackLoss
from mcbook.svm_solvers.algorithm.ascent import Run
from mcbook.svm_solvers.algorithm.objective import Problem, SVMSolution


class GramRows:
    """Rows of a Gram matrix: ``compute(examples)`` gives them, the ``capacity`` last used ones are kept.

    >>> X = np.array([[1.0], [2.0], [3.0]])
    >>> rows = GramRows(3, lambda chosen: X[chosen] @ X.T, diagonal=(X * X).ravel(), capacity=2)
    >>> rows.times(np.eye(3)).tolist()
    [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [3.0, 6.0, 9.0]]
    """

    def __init__(self, n_samples: int, compute: Callable[[Array], Array], diagonal: Array, capacity: int) -> None:
        self.compute, self.diagonal = compute, np.asarray(diagonal, dtype=float)
        self.kept = np.empty((min(max(capacity, 1), n_samples), n_samples))
        self.position = np.full(n_samples, -1, dtype=np.int64)
        self.used: OrderedDict[int, None] = OrderedDict()

    @classmethod
    def whole(cls, K: Array) -> GramRows:
        """All rows, from a matrix that is there already."""
        rows = cls(len(K), lambda examples: K[examples], np.diag(K).copy(), 1)
        rows.kept, rows.position = K, np.arange(len(K))
        return rows

    def chunks(self, examples: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        """The examples in groups whose rows are in ``kept``, at ``position``, until the next group is asked for."""
        if len(self.kept) == len(self.position) and (self.position >= 0).all():
            yield examples
            return
        for start in range(0, len(examples), len(self.kept)):
            group = examples[start : start + len(self.kept)]
            self._load(group)
            yield group

    def _load(self, group: NDArray[np.int64]) -> None:
        for i in group:
            if self.position[i] >= 0:
                self.used.move_to_end(int(i))
        missing = group[self.position[group] < 0]
        if not len(missing):
            return
        for i, row in zip(missing, self.compute(missing), strict=True):
            place = len(self.used)
            if place == len(self.kept):
                oldest, _ = self.used.popitem(last=False)
                place, self.position[oldest] = int(self.position[oldest]), -1
            self.kept[place], self.position[i] = row, place
            self.used[int(i)] = None

    def times(self, alpha: Array) -> NDArray[np.float64]:
        """K @ alpha, from the rows of the examples that carry flows."""
        table = np.zeros(alpha.shape)
        for group in self.chunks(np.flatnonzero(alpha.any(axis=1))):
            table += self.kept[self.position[group]].T @ alpha[group]
        return table


def solve_rows(
    rows: GramRows,
    y: Array,
    n_classes: int,
    C: float = 1.0,
    *,
    loss: SlackLoss = "crammer-singer",
    tol: float = DEFAULT_TOL,
    max_iter: int = 10_000,
    sample_weight: Array | None = None,
    random_state: Any = 0,
) -> SVMSolution:
    """`solve_kernel` for rows that are computed when they are needed.

    >>> X = np.array([[1.0], [-1.0]])
    >>> rows = GramRows(2, lambda chosen: X[chosen] @ X.T, diagonal=np.ones(2), capacity=1)
    >>> round(solve_rows(rows, np.array([0, 1]), 2).primal, 6)  # (w_0 - w_1) x >= 1 with w_0 = 1/2 = -w_1
    0.25
    """
    problem = Problem.checked(rows.diagonal[:, None], y, n_classes, C, loss, sample_weight)
    run = GramRun(problem, rows, random_state)
    run.until(tol, max_iter)
    values, history = (run.primal, run.dual), tuple(run.history)
    return SVMSolution(None, run.alpha, *values, run.n_iter, run.gap <= tol, "coordinate", history)


class GramRun(Run):
    """An ascent that keeps the scores of all examples, and adds to them rows of the Gram matrix."""

    def __init__(self, problem: Problem, rows: GramRows, random_state: Any) -> None:
        super().__init__(problem, rows.diagonal, random_state, None)
        self.rows = rows
        self.state = np.zeros((problem.n_classes, len(problem.y)))

    def refresh(self) -> tuple[Array, float]:
        table = self.rows.times(self.alpha)
        self.state = np.ascontiguousarray(table.T)
        return table, 0.5 * float((self.alpha * table).sum())

    def passes(self, goal: float, most: int) -> int:
        active, rng, n_passes, seen = self.active[: self.n_active], np.random.default_rng(int(self.seed[0])), 0, np.inf
        while n_passes < most and len(active) and seen > goal:
            groups = self.rows.chunks(rng.permutation(active))
            visited = [(group, self._visit(group)) for group in groups]
            active = np.concatenate([group[:n_active] for group, (_, n_active, _) in visited])
            seen = sum(gap for _, (_, _, gap) in visited)
            n_passes += 1
        return n_passes

    def _visit(self, group: NDArray[np.int64]) -> Any:
        return self.run_passes((self.rows.kept, self.rows.position), group, self.state, 0.0, 1)
