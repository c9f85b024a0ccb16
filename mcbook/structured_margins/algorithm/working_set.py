"""Cutting planes with a slack for each sequence, for many chains and trees: labellings are kept in place of planes.

What is found is the same as by `cut_planes`.  But a plane of a sequence is the difference of two labellings, which
agree at most positions, so it is written down in a few numbers whatever the number of features; and the problem over
the planes is solved by steps on one sequence at a time, which never compare planes of different sequences.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from mcbook.foundation.checks import require_share, require_whole
from mcbook.foundation.types import Array, Booleans, Floats, Integers, Labels
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

    def and_(self, others: _Exchanges) -> _Exchanges:
        return _Exchanges(*map(np.concatenate, zip(self, others, strict=True)))

    def of(self, owners: Booleans) -> _Exchanges:
        chosen = np.repeat(owners, self.counts)
        return _Exchanges(self.counts[owners], *(each[chosen] for each in self[1:]))


@dataclass(frozen=True)
class _WorkingSet:
    """Some labellings of the sequences ``owners``, by where they differ from the right ones, and their shares."""

    problem: ChainProblem
    owners: Integers
    losses: Floats
    observed: _Exchanges
    placed: _Exchanges
    shares: Floats

    def and_(self, others: _WorkingSet) -> _WorkingSet:
        return _WorkingSet(
            self.problem,
            np.concatenate([self.owners, others.owners]),
            np.concatenate([self.losses, others.losses]),
            self.observed.and_(others.observed),
            self.placed.and_(others.placed),
            np.concatenate([self.shares, others.shares]),
        )

    def in_use(self) -> _WorkingSet:
        """Those with a share: the dual's value is theirs alone, and a search finds the others again."""
        used = self.shares > 0
        return _WorkingSet(
            self.problem,
            self.owners[used],
            self.losses[used],
            self.observed.of(used),
            self.placed.of(used),
            self.shares[used],
        )

    @cached_property
    def offsets(self) -> Floats:
        """Their losses, times the weights of their sequences."""
        return self.losses * self.problem.each[self.owners]

    @cached_property
    def planes(self) -> tuple[Array, ...]:
        """All of them as the kernel takes them, with their scales."""
        scale = self.offsets if self.problem.rescaling == "slack" else self.problem.each[self.owners]
        first, first_place = (np.concatenate([[0], np.cumsum(each.counts)]) for each in (self.observed, self.placed))
        return first, *self.observed[1:], first_place, *self.placed[2:], scale

    @cached_property
    def sequences(self) -> tuple[Array, ...]:
        """The values of the labellings at w = 0, and those of each sequence, listed."""
        listed = np.argsort(self.owners, kind="stable")
        return self.offsets, listed, np.searchsorted(self.owners[listed], np.arange(self.problem.n_blocks + 1))


def _labellings(problem: ChainProblem, which: Integers, labels: Labels, losses: Floats, share: float) -> _WorkingSet:
    """What the ``labels (n_positions,)`` say of the sequences ``which``, each with this share."""
    forest = problem.data.forest
    place = np.full(problem.n_blocks, -1)
    place[which] = np.arange(len(which))
    owner = place[np.repeat(np.arange(problem.n_blocks), forest.lengths)]
    observed = _exchanges(owner, np.arange(forest.n_positions), problem.y, labels, len(which))
    at = np.concatenate([forest.children, forest.roots, forest.leaves])
    placed = _exchanges(owner, at, _places(problem, problem.y), _places(problem, labels), len(which))
    return _WorkingSet(problem, which, losses, observed, placed, np.full(len(which), share))


def _places(problem: ChainProblem, labels: Labels) -> Integers:
    """Where in the weights the pairs, the first and the last labels stand."""
    joint, forest = problem.joint, problem.data.forest
    d, k = joint.n_features, joint.n_labels
    pairs = (d + labels[forest.parents[forest.children]]) * k + labels[forest.children]
    return np.concatenate([pairs, (d + k) * k + labels[forest.roots], (d + k + 1) * k + labels[forest.leaves]])


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
        n = self.problem.n_blocks
        # The right labellings: no loss, and all of the shares.
        self.working_set = _labellings(self.problem, np.arange(n), self.problem.y, np.zeros(n), 1.0)
        self.w, self.slacks = np.zeros(self.problem.n_features), np.zeros(n)

    @cached_property
    def rows(self) -> tuple[Floats, Integers, Integers, int]:
        X = sp.csr_array(self.problem.data.X, dtype=float)
        X.sum_duplicates()
        return X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64), self.problem.joint.n_labels

    def add(self, which: Integers, labels: Labels, losses: Floats) -> None:
        """Keep these labellings of the sequences ``which``, as yet without a share."""
        self.working_set = self.working_set.and_(_labellings(self.problem, which, labels, losses, 0.0))

    def improve(self, allowed: float) -> None:
        """Passes over the sequences until their gaps sum to at most what is allowed; what has no share then goes."""
        from mcbook.structured_margins.kernels.working_set import add_working_set

        C, n = float(self.problem.C), self.problem.n_blocks
        # Anew from the shares, so that errors of rounding do not add up.
        self.w[:] = 0
        add_working_set(*self.rows, *self.working_set.planes, C * self.working_set.shares, self.w)
        for _ in range(_PASSES):
            if self._visit(self.rng.permutation(n), _LITTLE * allowed / n) <= allowed:
                break
        self.working_set = self.working_set.in_use()
        self._visit(np.arange(n), np.inf)

    def _visit(self, order: Integers, little: float) -> float:
        """The sum of the gaps that were met; sequences with at most a ``little`` one are left as they are."""
        from mcbook.structured_margins.kernels.working_set import ascend_working_set

        now, bounds, C = self.working_set, self.problem.data.forest.offsets, float(self.problem.C)
        where = *self.rows, *now.planes, *now.sequences, bounds, order
        return float(ascend_working_set(*where, C, now.shares, self.w, self.slacks, _WITHIN, little))

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
        master.add(np.flatnonzero(worse), found.labels, found.losses[worse])
        master.improve(_PART * (primal - dual))
    return StructuredSolution(best[1], best[0], dual, len(history), best[0] - dual <= allowed, tuple(history))
