"""Block-coordinate Frank–Wolfe on many chains and trees, until its gap is small enough."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from mcbook.foundation.checks import require_share, require_whole
from mcbook.foundation.types import Floats, Integers, Labels
from mcbook.foundation.vocabulary import LOOSE_TOL
from mcbook.structured.algorithm.features import indicators, pair_counts
from mcbook.structured.algorithm.forest import Forest
from mcbook.structured_margins.algorithm.chains import ChainProblem
from mcbook.svm_solvers.algorithm.objective import GapPoint


@dataclass(frozen=True)
class StructuredSolution:
    """Weights w, and the certificate dual <= optimum <= primal.

    >>> from mcbook.structured import chains, structures
    >>> from mcbook.structured_margins import chain_problem
    >>> data = structures([[1.0], [-1.0], [2.0]], chains([2, 1]))
    >>> found = solve_block_steps(chain_problem(data, np.array([0, 1, 0]), 2, C=1.0), tol=0.01)
    >>> found.converged, found.dual <= found.primal, found.gap <= 0.01
    (True, True, True)
    """

    w: Floats
    primal: float
    dual: float
    n_iter: int
    converged: bool
    history: tuple[GapPoint, ...]

    @property
    def gap(self) -> float:
        """(primal - dual) / primal."""
        return max(self.primal - self.dual, 0.0) / self.primal if self.primal > 0 else 0.0


@dataclass
class _State:
    """The distributions of all blocks by their marginals, the mean loss of each, and the weights that they give."""

    w: Floats
    P: Floats
    pairs: Floats
    losses: Floats

    def dual(self, slack_costs: Floats) -> float:
        return float((slack_costs * self.losses).sum()) - 0.5 * float(self.w.ravel() @ self.w.ravel())


@dataclass(frozen=True)
class _Layout:
    """The data of a problem as the kernel takes it."""

    problem: ChainProblem

    @cached_property
    def rows(self) -> tuple[Floats, Integers, Integers]:
        # Dense rows too: zeros are left out, and one kernel serves both.
        X = sp.csr_array(self.problem.data.X)
        return X.data.astype(float), X.indices.astype(np.int64), X.indptr.astype(np.int64)

    @cached_property
    def slack_costs(self) -> Floats:
        """What the slack of each sequence costs."""
        return float(self.problem.C) * np.asarray(self.problem.each, dtype=float)

    def start(self) -> _State:
        """All weight on the right labels, where w = 0."""
        problem = self.problem
        joint, forest = problem.joint, problem.data.forest
        k = joint.n_labels
        pairs = np.array([pair_counts(y, own, k) for y, own in self._each()], dtype=float)
        return _State(np.zeros(joint.shape), indicators(problem.y, k), pairs, np.zeros(forest.n_sequences))

    def _each(self) -> Iterator[tuple[Labels, Forest]]:
        forest = self.problem.data.forest
        for i, y in enumerate(forest.split(self.problem.y)):
            yield y, forest.only(np.array([i]))[0]

    def run_pass(self, state: _State, order: Integers) -> None:
        from mcbook.structured_margins.kernels.frank_wolfe import frank_wolfe_pass

        problem, forest = self.problem, self.problem.data.forest
        frank_wolfe_pass(
            *self.rows,
            forest.offsets,
            forest.within,
            forest.n_children == 0,
            problem.y,
            problem.cost,
            self.slack_costs,
            state.w,
            state.P,
            state.pairs,
            state.losses,
            order,
        )


def solve_block_steps(
    problem: ChainProblem,
    *,
    tol: float = LOOSE_TOL,
    max_iter: int = 1000,
    random_state: int | np.random.Generator = 0,
    look: float = 0.25,
) -> StructuredSolution:
    """Passes over the sequences in random orders, until (primal - dual) / primal is at most ``tol``.

    The primal value needs a pass of its own, at weights that stand still: it is looked at so seldom that this takes
    about the share ``look`` of all passes.  The weights with the least primal value are kept.

    >>> from mcbook.structured import chains, structures
    >>> from mcbook.structured_margins import chain_problem
    >>> problem = chain_problem(structures([[1.0], [-1.0]], chains([1, 1])), np.array([0, 1]), 2, C=1.0)
    >>> found = solve_block_steps(problem)
    >>> problem.joint.scores(found.w, problem.data).E.argmax(axis=1).tolist(), found.converged
    ([0, 1], True)
    """
    if problem.rescaling != "margin":
        raise ValueError("expected margin rescaling, got slack rescaling: use cutting planes for it")
    require_share(tol, "tol", zero=False, one=False)
    most = require_whole(max_iter, "max_iter", at_least=1)
    rng, layout = np.random.default_rng(random_state), _Layout(problem)
    state = layout.start()
    best, begun, history = (np.inf, state.w.ravel()), time.perf_counter(), list[GapPoint]()
    dual, n_looks, made = 0.0, 0, 0
    for made in range(1, most + 1):
        layout.run_pass(state, rng.permutation(problem.n_blocks))
        if n_looks > look * made and made < most:
            continue
        n_looks += 1
        primal, dual = problem.primal(state.w.ravel()), state.dual(layout.slack_costs)
        if primal < best[0]:
            best = primal, state.w.ravel().copy()
        history.append(GapPoint(made, time.perf_counter() - begun, best[0], dual))
        if best[0] - dual <= tol * best[0]:
            break
    converged = bool(best[0] - dual <= tol * best[0])
    return StructuredSolution(best[1], float(best[0]), dual, made, converged, tuple(history))


def distributions_after_passes(
    problem: ChainProblem, passes: Sequence[int], sequence: int, random_state: int | np.random.Generator = 0
) -> dict[int, Floats]:
    """The marginals (n_positions_of_it, n_labels) of one sequence's distribution after these numbers of passes.

    >>> from mcbook.structured import chains, structures
    >>> from mcbook.structured_margins import chain_problem
    >>> problem = chain_problem(structures([[1.0], [-1.0]], chains([2])), np.array([0, 1]), 2, C=1.0)
    >>> distributions = distributions_after_passes(problem, [0, 5], 0)
    >>> distributions[0].tolist(), distributions[5].sum(axis=1).round(6).tolist()
    ([[1.0, 0.0], [0.0, 1.0]], [1.0, 1.0])
    """
    rng, layout = np.random.default_rng(random_state), _Layout(problem)
    state, found = layout.start(), dict[int, Floats]()
    own = slice(*problem.data.forest.offsets[sequence : sequence + 2])
    for made in range(max(passes) + 1):
        if made in passes:
            found[made] = state.P[own].copy()
        if made == max(passes):
            break
        layout.run_pass(state, rng.permutation(problem.n_blocks))
    return found


def frank_wolfe_passes(
    problem: ChainProblem, n_passes: int, random_state: int | np.random.Generator = 0
) -> tuple[Floats, float]:
    """The weights and the dual value after so many passes, and no look at the primal value.

    >>> from mcbook.structured import chains, structures
    >>> from mcbook.structured_margins import chain_problem
    >>> problem = chain_problem(structures([[1.0], [-1.0]], chains([2])), np.array([0, 1]), 2, C=1.0)
    >>> w, dual = frank_wolfe_passes(problem, 20)
    >>> bool(0 < dual <= problem.primal(w))
    True
    """
    rng, layout = np.random.default_rng(random_state), _Layout(problem)
    state = layout.start()
    for _ in range(n_passes):
        layout.run_pass(state, rng.permutation(problem.n_blocks))
    return state.w.ravel(), state.dual(layout.slack_costs)
