"""Cutting planes with a slack for each sequence, for many chains and trees: labellings are kept in place of planes.

What is found is the same as by `cut_planes`.  But a plane of a sequence is the difference of two labellings, which
agree at most positions, so it is written down in a few numbers whatever the number of features; and the problem over
the planes is solved by steps on one sequence at a time, which never compare planes of different sequences.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from mcbook.foundation.checks import require_share, require_whole
from mcbook.foundation.types import Array, Floats, Integers, Labels
from mcbook.foundation.vocabulary import LOOSE_TOL
from mcbook.structured_margins.algorithm.block_steps import StructuredSolution
from mcbook.structured_margins.algorithm.chains import ChainProblem
from mcbook.svm_solvers.algorithm.objective import GapPoint

# Between two searches shares are moved until the gap is this part of that of the last search, in so many passes at
# most.  A sequence is left when its values differ by this part of what they did, and not touched where its part of the
# gap that is allowed is far from used up.
_PART, _PASSES, _WITHIN, _LITTLE = 0.4, 30, 0.1, 0.3
# A labelling is kept if it exceeds the slack of its sequence by more than this part of what the tolerance allows.
_VIOLATED = 0.1


class _Exchanges(NamedTuple):
    """Labels that are exchanged for others: how many by each owner, and for each one where, what and for what."""

    counts: Integers
    where: Integers
    ours: Integers
    theirs: Integers


@dataclass
class _WorkingSet:
    """The labellings of the working set, by where they differ from the right ones, and their shares."""

    problem: ChainProblem
    owners: list[Integers] = field(default_factory=list)
    losses: list[Floats] = field(default_factory=list)
    observed: list[_Exchanges] = field(default_factory=list)
    placed: list[_Exchanges] = field(default_factory=list)
    shares: Floats = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        n = self.problem.n_blocks
        self.add(np.arange(n), self.problem.y, np.zeros(n))
        self.shares[:] = 1.0

    def add(self, which: Integers, labels: Labels, losses: Floats) -> None:
        """Keep what the ``labels (n_positions,)`` say of these sequences, as yet without a share."""
        problem, forest = self.problem, self.problem.data.forest
        place = np.full(problem.n_blocks, -1)
        place[which] = np.arange(len(which))
        owner = place[np.repeat(np.arange(problem.n_blocks), forest.lengths)]
        everywhere = np.arange(forest.n_positions)
        self.observed.append(_exchanges(owner, everywhere, problem.y, labels, len(which)))
        at = np.concatenate([forest.children, forest.roots, forest.leaves])
        self.placed.append(_exchanges(owner, at, self._places(problem.y), self._places(labels), len(which)))
        self.owners.append(which)
        self.losses.append(losses)
        self.shares = np.concatenate([self.shares, np.zeros(len(which))])

    def _places(self, labels: Labels) -> Integers:
        """Where in the weights the pairs, the first and the last labels stand."""
        joint, forest = self.problem.joint, self.problem.data.forest
        d, k = joint.n_features, joint.n_labels
        pairs = (d + labels[forest.parents[forest.children]]) * k + labels[forest.children]
        return np.concatenate([pairs, (d + k) * k + labels[forest.roots], (d + k + 1) * k + labels[forest.leaves]])

    @property
    def offsets(self) -> Floats:
        """Their losses, times the weights of their sequences."""
        return np.concatenate(self.losses) * self.problem.each[np.concatenate(self.owners)]

    def arrays(self) -> tuple[Array, ...]:
        """All of them as the kernel takes them, with their scales."""
        observed, placed = (
            _Exchanges(*map(np.concatenate, zip(*each, strict=True))) for each in (self.observed, self.placed)
        )
        owners = np.concatenate(self.owners)
        scale = self.offsets if self.problem.rescaling == "slack" else self.problem.each[owners]
        first, first_place = (np.concatenate([[0], np.cumsum(each.counts)]) for each in (observed, placed))
        return first, *observed[1:], first_place, *placed[2:], scale


def _exchanges(owner: Integers, at: Integers, ours: Integers, theirs: Integers, n_owners: int) -> _Exchanges:
    """Those among all, sorted by their owners; -1 is nobody."""
    chosen = np.flatnonzero((ours != theirs) & (owner[at] >= 0))
    chosen = chosen[np.argsort(owner[at[chosen]], kind="stable")]
    counts = np.bincount(owner[at[chosen]], minlength=n_owners)
    return _Exchanges(counts, at[chosen], ours[chosen], theirs[chosen])


@dataclass
class _Master:
    """The problem over the working set: the weights ``w``, and the ``slacks`` that the sequences have there."""

    problem: ChainProblem
    rng: np.random.Generator

    def __post_init__(self) -> None:
        self.working_set = _WorkingSet(self.problem)
        self.w, self.slacks = np.zeros(self.problem.n_features), np.zeros(self.problem.n_blocks)

    @cached_property
    def rows(self) -> tuple[Floats, Integers, Integers, int]:
        X = sp.csr_array(self.problem.data.X, dtype=float)
        X.sum_duplicates()
        return X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64), self.problem.joint.n_labels

    def improve(self, allowed: float) -> None:
        """Passes over the sequences until their gaps sum to at most what is allowed."""
        from mcbook.structured_margins.kernels.working_set import add_working_set, ascend_working_set

        C, n, working_set = float(self.problem.C), self.problem.n_blocks, self.working_set
        arrays, owners = working_set.arrays(), np.concatenate(working_set.owners)
        listed = np.argsort(owners, kind="stable")
        starts = np.searchsorted(owners[listed], np.arange(n + 1))
        losses, bounds = working_set.offsets, self.problem.data.forest.offsets

        def visit(order: Integers, little: float) -> float:
            of_sequences = losses, listed, starts, bounds, order, C, working_set.shares, self.w, self.slacks
            return float(ascend_working_set(*self.rows, *arrays, *of_sequences, _WITHIN, little))

        # Anew from the shares, so that errors of rounding do not add up.
        self.w[:] = 0
        add_working_set(*self.rows, *arrays, C * working_set.shares, self.w)
        for _ in range(_PASSES):
            if visit(self.rng.permutation(n), _LITTLE * allowed / n) <= allowed:
                break
        visit(np.arange(n), np.inf)

    def dual(self) -> float:
        losses = float(self.working_set.offsets @ self.working_set.shares)
        return float(self.problem.C) * losses - 0.5 * float(self.w @ self.w)


def solve_working_set(
    problem: ChainProblem, *, tol: float = LOOSE_TOL, max_iter: int = 1000, random_state: int | np.random.Generator = 0
) -> StructuredSolution:
    """Cutting planes for either rescaling, until (primal - dual) / primal is at most ``tol``.

    Every round searches the most violated labelling of every sequence, which also gives the primal value.

    >>> from mcbook.structured import chains, structures
    >>> from mcbook.structured_margins import chain_problem
    >>> one = chain_problem(structures([[1.0], [-1.0]], chains([1, 1])), np.array([0, 1]), 2, C=1.0)
    >>> found = solve_working_set(one, tol=1e-9)
    >>> round(found.primal, 6), found.w.reshape(-1, 2)[0].round(6).tolist()
    (0.25, [0.5, -0.5])
    """
    require_share(tol, "tol", zero=False, one=False)
    most, master = (
        require_whole(max_iter, "max_iter", at_least=1),
        _Master(problem, np.random.default_rng(random_state)),
    )
    begun, history, C = time.perf_counter(), list[GapPoint](), float(problem.C)
    best, dual = (np.inf, master.w), 0.0
    while True:
        found = problem.most_violated(master.w)
        values = problem.each * found.values
        primal = float(master.w @ master.w) / 2 + C * float(values.sum())
        dual = max(dual, master.dual())
        if primal < best[0]:
            best = primal, master.w.copy()
        allowed = tol * best[0]
        history.append(GapPoint(len(history) + 1, time.perf_counter() - begun, best[0], dual))
        if best[0] - dual <= allowed or len(history) == most:
            break
        worse = values - master.slacks > _VIOLATED * allowed / (C * problem.n_blocks)
        master.working_set.add(np.flatnonzero(worse), found.labels, found.losses[worse])
        master.improve(_PART * (primal - dual))
    return StructuredSolution(best[1], best[0], dual, len(history), best[0] - dual <= allowed, tuple(history))
