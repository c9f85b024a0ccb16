"""Cutting planes: add the most violated plane of each example, solve the problem of those found so far, repeat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np

from mcbook.foundation.checks import require_one_of, require_positive, require_whole
from mcbook.foundation.numbers import quotient
from mcbook.foundation.types import Array, Scalar
from mcbook.structured_margins.algorithm.restricted import solve_restricted, solve_restricted_exactly

# "violation" and "gap" are those of the theory; "relative" measures the gap in units of the primal value.
TrainingRule: TypeAlias = Literal["violation", "gap", "relative"]

# The restricted optimum is computed to this part of the gap that is allowed.
_PART = 1e-3


class Oracle(Protocol):
    """What finds the most violated planes at w: offsets (n_blocks,) and gradients (n_blocks, n_features)."""

    @property
    def n_blocks(self) -> int: ...

    @property
    def n_features(self) -> int: ...

    @property
    def C(self) -> Scalar: ...

    def planes(self, w: Array) -> tuple[Array, Array]: ...


class TotalPlaneOracle(Oracle, Protocol):
    """One that also gives the sum of its planes."""

    def total_plane(self, w: Array) -> tuple[Scalar, Array]: ...


class CuttingPoint(NamedTuple):
    """After a round: planes so far, the largest violation, the primal value at w and the dual one, which is a bound.

    >>> from mcbook.structured_margins import enumerated_problem
    >>> one = enumerated_problem([np.array([0.0, 1.0])], [np.array([[0.0], [2.0]])], C=1.0)
    >>> first = cut_planes(one, 0.01).history[0]
    >>> first.n_planes, float(first.violation), float(first.primal), float(first.dual)
    (0, 1.0, 1.0, 0.0)
    """

    n_planes: int
    violation: Scalar
    primal: Scalar
    dual: Scalar


@dataclass(frozen=True)
class CuttingRun:
    """The weights with the least primal value seen, that value, the bound below the optimum, and what happened.

    ``last`` has the weights of the last round, which violate no plane by more than epsilon if the run ``converged``.

    >>> from mcbook.structured_margins import enumerated_problem
    >>> one = enumerated_problem([np.array([0.0, 1.0])], [np.array([[0.0], [2.0]])], C=1.0)
    >>> run = cut_planes(one, 0.01)
    >>> run.converged, run.n_rounds, round(float(run.primal - run.dual), 6)
    (True, 2, 0.0)
    """

    w: Array
    last: Array
    primal: Scalar
    dual: Scalar
    n_planes: int
    converged: bool
    history: tuple[CuttingPoint, ...]

    @property
    def n_rounds(self) -> int:
        return len(self.history)


@dataclass
class _Master:
    """The planes found so far, those of right labels first, and the optimum over them."""

    n_blocks: int
    n_features: int
    C: Scalar
    exact: bool
    offsets: list[Scalar] = field(default_factory=list)
    gradients: list[Array] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    gram: Array = field(default_factory=lambda: np.zeros((0, 0)))
    alpha: Array = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        kind = object if self.exact else float
        for i in range(self.n_blocks):
            self.add(i, 0, np.zeros(self.n_features, dtype=kind))
        self.alpha = np.full(self.n_blocks, self.C, dtype=kind)

    def add(self, owner: int, offset: Scalar, gradient: Array) -> None:
        self.owners.append(owner)
        self.offsets.append(offset)
        self.gradients.append(gradient)

    @property
    def n_planes(self) -> int:
        """Those that were added."""
        return len(self.offsets) - self.n_blocks

    def solve(self, tol: float) -> None:
        """The best weights, in floats with a dual value within ``tol`` of the best."""
        if self.exact:
            G, b = np.array(self.gradients), np.array(self.offsets, dtype=object)
            self.alpha, _ = solve_restricted_exactly(G, b, self.C, np.array(self.owners))
            return
        self._widen_gram()
        begin = np.concatenate([self.alpha, np.zeros(len(self.offsets) - len(self.alpha))])
        owners = np.array(self.owners, dtype=np.int64)
        b = np.array(self.offsets, dtype=float)
        self.alpha = solve_restricted(self.gram, b, owners, self.n_blocks, float(self.C), tol, begin)

    def _widen_gram(self) -> None:
        known = len(self.gram)
        G = np.array(self.gradients)
        fresh = G[known:] @ G.T
        wider = np.empty((len(G), len(G)))
        wider[:known, :known], wider[known:], wider[:known, known:] = self.gram, fresh, fresh[:, :known].T
        self.gram = wider

    def weights(self) -> Array:
        return np.asarray(self.alpha @ np.array(self.gradients))

    def dual(self, w: Array) -> Scalar:
        return self.alpha @ np.array(self.offsets) - quotient(w @ w, 2)

    def slacks(self, w: Array) -> Array:
        """The largest value of each example's planes found so far."""
        values = np.array(self.offsets) - np.array(self.gradients) @ w
        slack = 0 * values[: self.n_blocks]
        np.maximum.at(slack, self.owners, values)
        return slack


def cut_planes(
    oracle: Oracle,
    epsilon: Scalar,
    *,
    rule: TrainingRule = "violation",
    exact: bool = False,
    max_rounds: int = 10_000,
    watch: Callable[[CuttingPoint], None] | None = None,
) -> CuttingRun:
    """Train until no plane is violated by more than epsilon, or until the values are near each other.

    With the rule "gap" they are within C epsilon, with "relative" within epsilon times the primal value.  The oracle
    decides how many slacks there are: one for each of its blocks.  ``exact`` solves the restricted problems in
    fractions; ``watch`` is called after every round.

    >>> from mcbook.structured_margins import enumerated_problem
    >>> one = enumerated_problem([np.array([0.0, 1.0])], [np.array([[0.0], [2.0]])], C=1.0)
    >>> run = cut_planes(one, 0.01)
    >>> run.n_planes, round(float(run.primal), 6), run.w.round(6).tolist()
    (1, 0.125, [0.5])
    """
    epsilon = require_positive(epsilon, "epsilon", "it is the violation at which training stops")
    by_violation = require_one_of(rule, TrainingRule, "rule") == "violation"
    master = _Master(oracle.n_blocks, oracle.n_features, oracle.C, exact)
    best: Any = None
    allowed: Scalar = 0
    history: list[CuttingPoint] = []
    w = best_w = master.weights()
    dual, done = master.dual(w), False
    for _ in range(require_whole(max_rounds, "max_rounds", at_least=1)):
        if history:
            master.solve(_PART * float(allowed))
        w = master.weights()
        offsets, gradients = oracle.planes(w)
        values = offsets - (gradients * w).sum(axis=1)
        excess = values - master.slacks(w)
        primal, dual = quotient(w @ w, 2) + oracle.C * values.sum(), master.dual(w)
        if best is None or primal < best:
            best, best_w = primal, w
        history.append(CuttingPoint(master.n_planes, excess.max(), primal, dual))
        if watch is not None:
            watch(history[-1])
        allowed = epsilon * (best if rule == "relative" else oracle.C)
        violated = np.flatnonzero(excess > (epsilon if by_violation else 0))
        done = not len(violated) or (not by_violation and bool(best - dual <= allowed))
        if done:
            break
        for i in violated.tolist():
            master.add(i, offsets[i], gradients[i])
    return CuttingRun(best_w, w, best, dual, history[-1].n_planes, done, tuple(history))


@dataclass(frozen=True)
class SingleSlackOracle:
    """The oracle with a single slack: its plane is the sum of those of all examples, which are never listed.

    >>> from mcbook.structured_margins import enumerated_problem
    >>> planes = [np.array([0.0, 1.0])] * 2, [np.array([[0.0], [2.0]]), np.array([[0.0], [1.0]])]
    >>> [plane.tolist() for plane in SingleSlackOracle(enumerated_problem(*planes, C=1.0)).planes(np.zeros(1))]
    [[2.0], [[3.0]]]
    """

    each: TotalPlaneOracle

    n_blocks = 1

    @property
    def n_features(self) -> int:
        return self.each.n_features

    @property
    def C(self) -> Scalar:
        return self.each.C

    def planes(self, w: Array) -> tuple[Array, Array]:
        """The sum of the most violated planes, as the only one."""
        offset, gradient = self.each.total_plane(w)
        return np.array([offset], dtype=gradient.dtype), gradient[None, :]
