"""Dual block-coordinate ascent: passes over the examples and classes that still move, until the duality gap is small.

A look at all examples certifies the gap and lists, for each example, the classes between which its flows may move
before the next look: those that the block step would touch if scores moved some part as far as since the last look.
Passes read and change the listed scores only.  A class that was left out by mistake costs time, not accuracy: the next
look finds it.  Nor does it cost accuracy that the first passes over wide data keep their weights in single precision:
they change flows, and weights are worked out from these anew.

Shapes: ``alpha (n_samples, n_classes)``, ``W (n_classes, n_features)``.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mcbook.foundation.types import Array
from mcbook.svm_solvers.algorithm.objective import GapPoint, Problem, SVMSolution, relative_gap

# Until the next look, scores are taken to move by this part of the largest shift between the last two, at most; by the
# second in small data, where a further class costs less than a further look.
_PART_OF_SHIFT, _PART_OF_SMALL_SHIFT = 0.02, 0.03
# With so many examples a first pass tries one in so many, and is kept where this part of them at most carry flows.
_LARGE, _SHARE, _FEW_CARRY = 5000, 10, 0.5
# With so many classes a first look tells soonest which of them matter.
_MANY_CLASSES = 16
# An example is left out once this many visits in a row have not moved it, until the next look at all of them.
_PATIENCE = 2
# Passes go on until the gap expected after one has fallen by this factor since the look before ...
_FALL = 0.004
# ... or they have taken so many times as long as a look, within bounds that begin low: early looks find much to drop.
_PASSES_FOR_A_LOOK, _PASSES_FOR_A_SMALL_LOOK, _MOST_PASSES = 8.0, 3.0, 400
# Passes go on in the plane of their last steps where all weights are at most so many times the products of a pass.
_LIGHT = 1.0
# Passes go through dense data in single precision, half the memory, while the gap they are to leave is above this part
# of the value and the weights are more than fast memory holds; norms are within bounds whose products stay finite, and
# a look finds less than this part of the gap left that the look before has found.
_SINGLE_GOAL, _WIDE, _SINGLE_SQUARES, _SINGLE_FALL = 1e-5, 10_000, (1e-20, 1e20), 0.5
# On the face that the flows stand on so many Newton systems are solved in a row, as far as passes and looks have cost
# as much before; with larger data once this part of what can be independent is free, and soon where so many times that
# is: passes are the quicker in finding out what is not.
_MOST_SYSTEMS, _SMALL_SYSTEM, _FEW, _SOON = 10, 200, 0.75, 5.0
# Data with so many products of flows and features at most stay in compiled code until so much is spent, or this part
# of the passes that are left; a look is cheap there.
_SMALL, _BUDGET, _PART, _COMPILED_LOOK = 50_000, 5e5, 0.1, 2e3


def ascend(
    problem: Problem, *, tol: float, max_iter: int, random_state: Any = 0, alpha: Array | None = None
) -> SVMSolution:
    """Ascend on the weights of dense or sparse data, from zero flows or from copies of those given.

    >>> problem = Problem.checked(np.eye(2), np.array([0, 1]), n_classes=2, C=1.0)
    >>> ascend(problem, tol=1e-8, max_iter=100).alpha.round(6).tolist()
    [[0.5, -0.5], [-0.5, 0.5]]
    """
    run = WeightRun(problem, random_state, alpha)
    run.until(tol, max_iter)
    return run.solution(tol)


class Run(ABC):
    """The state of an ascent: its flows, what they give, and which of them may still move."""

    def __init__(self, problem: Problem, squared_norms: Array, random_state: Any, alpha: Array | None) -> None:
        shape = len(problem.y), problem.n_classes
        self.problem, self.alpha = problem, np.zeros(shape) if alpha is None else alpha.copy()
        self.squared_norms = _positive(squared_norms, problem)
        self.seed = np.array([_seed(random_state)], dtype=np.uint64)
        self.one_slack = problem.loss == "crammer-singer"
        self.starts, self.listed = np.zeros(shape[0] + 1, dtype=np.int64), np.empty(shape[0] * shape[1], dtype=np.int32)
        self.active, self.n_active, self.n_free = np.empty(shape[0], dtype=np.int64), shape[0], 0
        self.shift, self.cost, self.saved, self.seen = np.inf, 0.0, 0.0, np.inf
        self.certified = True
        self.scores: Array | None = None
        self.n_iter, self.n_looks, self.begun = 0, 0, time.perf_counter()
        self.primal, self.dual = np.inf, -np.inf
        self.history: list[GapPoint] = []

    @abstractmethod
    def refresh(self) -> tuple[Array, float]:
        """The scores of all examples and 1/2 |W|^2, from the flows alone; sets the state that passes read to agree."""

    @abstractmethod
    def passes(self, goal: float, most: int) -> int:
        """At most so many passes over the active examples until the gap expected after one is at the goal; how many."""

    @property
    def has_momentum(self) -> bool:
        """Whether passes go on in the plane of their last steps: not where the state is no weights."""
        return False

    @property
    def gap(self) -> float:
        return relative_gap(self.primal, self.dual)

    def begin(self) -> None:
        """The first look; from no flows at all everything may move, and nothing has to be worked out."""
        problem = self.problem
        if self.alpha.any() or not problem.capacity.all():
            self.look()
            return
        self.scores = np.zeros(self.alpha.shape)
        slack = 1 if self.one_slack else problem.n_classes - 1
        self.primal, self.dual = slack * float(problem.capacity.sum()), 0.0
        self._looked()
        self.list_all(len(problem.y))

    def list_all(self, size: int) -> None:
        """All classes of about so many examples drawn at random, or of all examples."""
        from mcbook.svm_solvers.kernels.ascent import list_all

        self.n_active = list_all(self.starts, self.listed, self.active, size, self.seed)

    def until(self, tol: float, max_iter: int) -> None:
        """Look and pass until the relative gap is reached or ``max_iter`` passes were made."""
        self.begin()
        while self.gap > tol and self.n_iter < max_iter:
            self.advance(tol, max_iter - self.n_iter)

    def look(self) -> None:
        """Certify the gap, by the flows alone, and list what may move."""
        self.certified = True
        self._list(*self.refresh())

    def glance(self) -> None:
        """The same, where it is cheaper by what passes have left: that differs from what the flows give by rounding."""
        self.look()

    def _list(self, scores: Array, half: float) -> None:
        from mcbook.svm_solvers.kernels.ascent import largest_shift, list_rivals

        problem = self.problem
        self.shift = np.inf if self.scores is None else largest_shift(scores, self.scores)
        self.scores = scores
        self.n_active, self.n_free, hinges = list_rivals(
            scores,
            problem.y,
            problem.capacity,
            self.alpha,
            self.squared_norms,
            _PART_OF_SHIFT * self.shift,
            self.one_slack,
            self.starts,
            self.listed,
            self.active,
        )
        own_flows = self.alpha[np.arange(len(problem.y)), problem.y]
        self.primal, self.dual = half + hinges, float(own_flows.sum()) - half
        self._looked()

    def _looked(self) -> None:
        self.n_looks += 1
        self.history.append(GapPoint(self.n_iter, time.perf_counter() - self.begun, self.primal, self.dual))

    def advance(self, tol: float, most: int) -> None:
        """At most so many passes, and the next look."""
        from mcbook.svm_solvers.kernels.rounds import passes_until_look

        goal = max(_FALL * (self.primal - self.dual), tol * self.primal)
        look, cost = self.cost_of_look(), self.cost_of_pass()
        n_looks = self.n_looks - (self.problem.n_classes >= _MANY_CLASSES)
        limit = passes_until_look(n_looks, look, cost, _PASSES_FOR_A_LOOK, _MOST_PASSES)
        n_passes = max(self.passes(goal, min(most, limit)), 1)
        self.cost += look + n_passes * cost
        self.saved += look + n_passes * cost
        self.n_iter += n_passes
        if self.one_slack and most > n_passes:
            self.climb(min(most - n_passes, _MOST_SYSTEMS))
        if self.seen > tol * self.primal and n_passes < most:
            self.glance()
            if self.certified or self.gap > tol:
                return
        self.look()

    def cost_of_climb(self) -> float:
        """Of one Newton step on the face that the flows stand on."""
        return np.inf

    def climb(self, most: int) -> None:  # noqa: B027 - a run that knows no faces has nothing to do
        """At most so many Newton steps on the face that the flows stand on, where the run can make them."""

    def cost_of_look(self) -> float:
        """In nanoseconds of a common machine, as all costs: only their ratios matter."""
        problem = self.problem
        product = (0.25 if sparse.issparse(problem.X) else 0.08) * problem.features_each
        return 1e5 + len(problem.y) * problem.n_classes * (6.0 + product)

    def cost_of_pass(self) -> float:
        """Of one over the active examples as they are listed now."""
        from mcbook.svm_solvers.kernels.rounds import cost_of_pass

        return float(cost_of_pass(self.costs_of_pass(), self.n_active, self.starts[-1]))

    def costs_of_pass(self) -> tuple[float, float, float]:
        """At least, for an active example with one rival, and for each further class that is listed for one."""
        d = self.problem.features_each
        return 5e2, 60.0 + 1.2 * d, 90.0 + 0.6 * d

    def run_passes(self, rows: tuple[Array, ...], active: Array, state: Array, goal: float, most: int) -> Any:
        """The compiled passes: how many were made, how many examples stay active, and the gap expected after them."""
        from mcbook.svm_solvers.kernels.passes import ascent_passes

        quiet = np.zeros(len(self.problem.y), dtype=np.int64)
        return ascent_passes(
            rows,
            active,
            len(active),
            self.starts,
            self.listed,
            self.squared_norms,
            self.problem.y,
            self.problem.capacity,
            self.alpha,
            state,
            quiet,
            _PATIENCE,
            self.one_slack,
            self.has_momentum,
            goal,
            most,
            self.seed,
        )


class WeightRun(Run):
    """An ascent that keeps the weights of dense or sparse data."""

    def __init__(self, problem: Problem, random_state: Any = 0, alpha: Array | None = None) -> None:
        super().__init__(problem, problem.squared_norms, random_state, alpha)
        self.W = np.zeros((problem.n_classes, problem.X.shape[1]))
        self.state = np.zeros(self.W.shape[::-1]) if sparse.issparse(problem.X) else self.W.copy()
        (low, high), squares = _SINGLE_SQUARES, self.squared_norms
        is_wide = not sparse.issparse(problem.X) and self.W.size >= _WIDE
        self.may_be_single = is_wide and bool(low < squares.min() and squares.max() < high)

    @property
    def has_momentum(self) -> bool:
        """Whether going on in the plane of the last steps costs little beside a pass."""
        return self.W.size <= _LIGHT * self.starts[-1] * self.problem.features_each

    def begin(self) -> None:
        """Without flows, look and list after a pass over a sample, if few of its examples keep flows."""
        super().begin()
        m = len(self.problem.y)
        if self.n_active == m >= _LARGE and self.dual == 0.0:
            untouched = self.seed.copy()
            self.list_all(m // _SHARE)
            sample = self.active[: self.n_active].copy()
            self.passes(0.0, 1)
            if (self.alpha[sample, self.problem.y[sample]] > 0).mean() <= _FEW_CARRY:
                self.n_iter = 1
                self.look()
                self.n_looks -= 1
            else:
                self.alpha[sample], self.state[:], self.seed[:] = 0.0, 0.0, untouched
                self.list_all(m)

    @property
    def is_small(self) -> bool:
        """Whether looks and passes are made in compiled code."""
        return not sparse.issparse(self.problem.X) and self.alpha.size * self.problem.X.shape[1] <= _SMALL

    def advance(self, tol: float, most: int) -> None:
        """Small dense data stay in compiled code for many looks, of which the last is kept."""
        if not self.is_small or self.scores is None:
            super().advance(tol, most)
            return
        from mcbook.svm_solvers.kernels.rounds import ascent_rounds

        problem = self.problem
        n_passes, self.n_looks, self.n_active, self.n_free, self.shift, self.primal, self.dual, spent = ascent_rounds(
            problem.rows,
            problem.y,
            problem.capacity,
            self.squared_norms,
            self.alpha,
            self.W,
            self.scores,
            self.starts,
            self.listed,
            self.active,
            self.n_active,
            self.n_looks,
            self.primal,
            self.dual,
            self.seed,
            self.one_slack,
            tol,
            min(most, max(int(_PART * most), 8)),
            _BUDGET,
            (_COMPILED_LOOK + 8.0 * self.alpha.size * self.problem.X.shape[1], *self.costs_of_pass()),
            (_PART_OF_SMALL_SHIFT, _FALL, _PASSES_FOR_A_SMALL_LOOK),
            (_PATIENCE, _MOST_PASSES, _MOST_SYSTEMS),
        )
        self.cost += spent
        self.n_iter += n_passes
        self.history.append(GapPoint(self.n_iter, time.perf_counter() - self.begun, self.primal, self.dual))

    @property
    def is_single(self) -> bool:
        """Whether the state is of single precision, as the last passes were."""
        return self.state.dtype == np.float32

    @cached_property
    def single_X(self) -> NDArray[np.float32]:
        return self.problem.X.astype(np.float32)

    def single_does(self, goal: float) -> bool:
        """Whether passes down to this gap may be made in single precision."""
        return self.may_be_single and goal > _SINGLE_GOAL * self.primal

    def glance(self) -> None:
        if self.is_single and not self.single_does(_FALL * self.seen):
            self.look()
            return
        self.certified, gap = False, self.primal - self.dual
        W = self.state.T if sparse.issparse(self.problem.X) else self.state
        scores = (self.single_X @ W.T).astype(float) if self.is_single else self.problem.scores(W)
        self._list(scores, 0.5 * float((W * W).sum(dtype=float)))
        self.may_be_single &= self.primal - self.dual < _SINGLE_FALL * gap

    def refresh(self) -> tuple[Array, float]:
        carries = self.alpha[np.arange(len(self.alpha)), self.problem.y] > 0
        self.W = self.problem.weights(self.alpha, carries)
        self.state = np.ascontiguousarray(self.W.T) if sparse.issparse(self.problem.X) else self.W.copy()
        return self.problem.scores(self.W), 0.5 * float((self.W * self.W).sum())

    def passes(self, goal: float, most: int) -> int:
        active, rows = self.active[: self.n_active], self.problem.rows
        if self.single_does(goal):
            self.state, rows = self.state.astype(np.float32, copy=False), (self.single_X,)
        elif self.is_single:
            self.refresh()
        n_passes, _, self.seen = self.run_passes(rows, active, self.state, goal, most)
        return int(n_passes)

    def cost_of_climb(self) -> float:
        from mcbook.svm_solvers.kernels.active_faces import cost_of_climb

        n = self.n_independent
        return float(cost_of_climb(min(self.n_free, n), self.W)) if 0 < self.n_free <= _SOON * n else np.inf

    @property
    def n_independent(self) -> int:
        """So many directions can be independent, where systems of as many rows are small beside a pass; otherwise 0."""
        n = (self.problem.n_classes - 1) * self.W.shape[1]
        return n if n <= _SMALL_SYSTEM and self.one_slack and not sparse.issparse(self.problem.X) else 0

    def climb(self, most: int) -> None:
        from mcbook.svm_solvers.kernels.active_faces import climb_face

        problem = self.problem
        if 0 < self.n_free <= _FEW * self.n_independent:
            n_solved, spent = climb_face(
                problem.rows,
                problem.y,
                problem.capacity,
                self.alpha,
                self.state,
                self.active,
                self.n_active,
                self.saved,
                most,
            )
            self.n_iter, self.cost, self.saved = self.n_iter + n_solved, self.cost + spent, self.saved - spent

    def solution(self, tol: float) -> SVMSolution:
        """What a look has certified."""
        if not self.certified:
            self.look()
        values, history = (self.primal, self.dual), tuple(self.history)
        return SVMSolution(self.W, self.alpha, *values, self.n_iter, self.gap <= tol, "coordinate", history)


def _seed(random_state: Any) -> int:
    """The first state of the kernels' generator, which must not be 0."""
    return _seed_of_number(random_state) if type(random_state) is int else _drawn(random_state)


def _drawn(random_state: Any) -> int:
    return int(np.random.default_rng(random_state).integers(1, 2**63))


# Setting up numpy's generator takes longer than several passes over a small sample.
_seed_of_number = lru_cache(maxsize=256)(_drawn)


def _positive(squared_norms: Array, problem: Problem) -> NDArray[np.float64]:
    """An example at the origin, whose scores stay 0, has its flows decided by any norm this small."""
    if squared_norms.min() > 0:
        return squared_norms
    smallest = 0.5 / (problem.n_classes * np.maximum(problem.capacity, 1e-300))
    return np.where(squared_norms > 0, squared_norms, smallest)
