"""The worst sample for a code when outputs are judged by the hinge: found by a linear program, and certified.

A mistake on an example with row u needs a rival's row v with  sum_s L(v_s f_s) <= sum_s L(u_s f_s).  What it costs
at least depends only on how often the two rows are opposite, have a zero in one of them, or in both.  Outputs that
make the mistake at that cost are written down in fractions; the problem over the two losses of each column is linear,
and its dual bounds the cost from below.

>>> hinge_mistake_cost([1, 1, 0], [-1, 0, 1])
Fraction(2, 1)
>>> [str(lagrangian_bound([1, 1, 0], [-1, 0, 1], lam)) for lam in (Fraction(0), Fraction(1, 2), Fraction(1))]
['1', '2', '1']
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.foundation.checks import require_share, require_signs
from mcbook.foundation.programs import solve_certified
from mcbook.foundation.proof import Known, Tier
from mcbook.foundation.types import Array, Labels
from mcbook.output_codes.algorithm.decoding import decode, decoding_distances


@dataclass(frozen=True)
class RowOverlap:
    """In how many columns two rows are opposite, only the second has a zero, only the first has one, both have one.

    >>> RowOverlap(opposite=1, rival_zero=0, own_zero=1, both_zero=0) == row_overlap([1, 0], [-1, 1])
    True
    """

    opposite: int
    rival_zero: int
    own_zero: int
    both_zero: int


@dataclass(frozen=True)
class CheapestMistake:
    """The least hinge loss, summed over the columns, at which an example with this label can be mistaken.

    ``value.upper`` is the exact cost of ``outputs``, ``value.lower`` the dual bound of the problem.

    >>> mistake = cheapest_mistake([[1, 1, 1], [1, -1, -1]])
    >>> mistake.label, mistake.rival, [str(output) for output in mistake.outputs], str(mistake.cost)
    (0, 1, ['1', '0', '0'], '2')
    """

    label: int
    rival: int
    outputs: Array
    value: Known

    @property
    def cost(self) -> Fraction:
        return Fraction(self.value.upper)


@dataclass(frozen=True)
class WorstCase:
    """The largest training error at a given average hinge loss, and a sample that has it.

    Each atom is an example with its ``outputs``, ``labels`` and share ``shares``, all exact; ``error.lower`` is the
    error on that sample and ``error.upper`` the dual bound.

    >>> worst = worst_error([[1, 1], [-1, -1]], Fraction(1, 4))
    >>> worst.error.tier.word, [str(share) for share in worst.shares], worst.labels.tolist()
    ('certified', ['1/4', '3/4'], [0, 0])
    """

    error: Known
    outputs: Array
    labels: Labels
    shares: tuple[Fraction, ...]


def row_overlap(u: Array, v: Array) -> RowOverlap:
    """How two rows with entries -1, 0, +1 stand to each other.

    >>> row_overlap([1, 1, 0, 0], [-1, 0, 1, 0])
    RowOverlap(opposite=1, rival_zero=1, own_zero=1, both_zero=1)
    """
    u, v = np.asarray(u), np.asarray(v)
    if u.shape != v.shape or u.ndim != 1:
        raise ValueError(f"expected two rows of the same length, got shapes {u.shape} and {v.shape}")
    require_signs((u, v), "entries of the rows", zero=True)
    counts = (u * v < 0, (u != 0) & (v == 0), (u == 0) & (v != 0), (u == 0) & (v == 0))
    return RowOverlap(*(int(where.sum()) for where in counts))


def hinge_mistake_cost(u: Array, v: Array) -> Fraction:
    """The least sum of hinge losses of row u when row v is no worse, in closed form."""
    return max(lagrangian_bound(u, v, lam) for lam in (Fraction(0), Fraction(1, 2), Fraction(1)))


def lagrangian_bound(u: Array, v: Array, lam: Fraction) -> Fraction:
    """The Lagrangian bound on that cost with the multiplier 0 <= lam <= 1: true for every lam, best at 0, 1/2 or 1.

    Column by column it is the minimum of (1 - lam) L(u f) + lam L(v f) over the output f.
    """
    require_share(lam, "lam", "outside, the bound is minus infinity")
    rows = row_overlap(u, v)
    opposite = 2 * min(lam, 1 - lam)
    return rows.opposite * opposite + rows.rival_zero * lam + rows.own_zero * (1 - lam) + rows.both_zero


def cheapest_mistake(M: Array, label: int | None = None) -> CheapestMistake:
    """The cheapest mistake of the code, or of one label: outputs that make it, and a dual bound that none is cheaper.

    >>> cheapest_mistake([[1, 1, 0], [-1, 0, 1], [0, -1, -1]]).cost
    Fraction(2, 1)
    """
    M = np.asarray(M)
    labels = range(len(M)) if label is None else (label,)
    pairs = [(y, r) for y in labels for r in range(len(M)) if r != y]
    y, r = min(pairs, key=lambda pair: hinge_mistake_cost(M[pair[0]], M[pair[1]]))
    outputs = _mistaken_outputs(M[y], M[r])
    cost = decoding_distances(outputs[None, :], M, "hinge")[0][y]
    lower = min(_dual_bound(row_overlap(M[a], M[b])) for a, b in pairs)
    return CheapestMistake(y, r, outputs, Known(min(lower, cost), cost, Tier.CERTIFIED))


def _mistaken_outputs(u: Array, v: Array) -> Array:
    """Outputs on which row v pays no more than row u, at the least cost for u.

    A loss on opposite entries helps twice, for the rival pays less as the label pays more; so these pay first, up to 2
    each, where the rival's loss is 0.  What is missing then is paid on the entries that only the label uses.
    """
    rows = row_overlap(u, v)
    lead = rows.rival_zero - rows.own_zero
    paid = Fraction(0)
    if rows.opposite:
        paid = min(max(1 + Fraction(lead, 2 * rows.opposite), Fraction(0)), Fraction(2))
    missing = max(lead - 2 * rows.opposite, 0)
    outputs = np.array([Fraction(int(own or other)) for own, other in zip(u, v, strict=True)], dtype=object)
    outputs[u * v < 0] *= 1 - paid
    if missing:
        outputs[(u != 0) & (v == 0)] *= 1 - Fraction(missing, rows.rival_zero)
    return outputs


@functools.cache
def _dual_bound(rows: RowOverlap) -> float:
    """The certified lower end of the problem for two rows.

    Columns of one kind may share one pair of losses, since means of feasible losses are feasible.  Opposite entries
    have a + b >= 2 because (L(z) + L(-z)) / 2 >= 1; with larger b than need be the mistake is only harder to make.
    """
    import cvxpy as cp

    a, b, own, other = (cp.Variable(nonneg=True) for _ in range(4))
    cost = rows.opposite * a + rows.rival_zero * own + rows.own_zero + rows.both_zero
    rivals = rows.opposite * b + rows.rival_zero + rows.own_zero * other + rows.both_zero
    found = solve_certified(cp.Minimize(cost), [cost >= rivals, a + b >= 2, other <= 1, b <= 2], a)
    return float(found.value.lower)


def worst_error(M: Array, average_loss: Fraction) -> WorstCase:
    """The largest share of mistakes that samples of any size can have at this average hinge loss, ties being mistakes.

    A linear program over shares of mistaken and of perfect examples of each label, the mistaken ones at their
    cheapest.  Its vertices mix two kinds of examples at most, and all of them are compared exactly.

    >>> str(worst_error([[1, 1], [-1, -1]], Fraction(1, 4)).error.lower)
    '1/4'
    """
    M = np.asarray(M)
    budget = Fraction(average_loss) * M.shape[1]
    mistakes = [cheapest_mistake(M, label) for label in range(len(M))]
    rows = [mistake.outputs for mistake in mistakes] + [np.array([Fraction(int(e)) for e in row]) for row in M]
    outputs, labels = np.array(rows, dtype=object), np.tile(np.arange(len(M)), 2)
    costs = [mistake.cost for mistake in mistakes] + [Fraction(int(zeros)) for zeros in (M == 0).sum(axis=1)]
    wrong = decode(outputs, M, "hinge", ties="mark") != labels
    if min(costs) > budget:
        raise ValueError(
            f"expected an average loss of at least {min(costs) / M.shape[1]}, got {average_loss}: "
            "zero entries cost that much even where nothing is mistaken"
        )
    lower, shares = _best_mixture(costs, wrong, budget)
    upper = _mixture_bound([float(m.value.lower) for m in mistakes] + costs[len(M) :], wrong, budget)
    used = [i for i, mass in enumerate(shares) if mass]
    return WorstCase(
        Known(lower, upper if upper > lower else lower, Tier.CERTIFIED),
        outputs[used],
        labels[used],
        tuple(shares[i] for i in used),
    )


def _best_mixture(costs: list[Fraction], wrong: Array, budget: Fraction) -> tuple[Fraction, list[Fraction]]:
    """The mixture of two atoms at most, of an expected cost within the budget, with the largest share of mistakes."""
    best, chosen = Fraction(-1), [Fraction(0)]
    for cheap, cheap_cost in enumerate(costs):
        for costly, costly_cost in enumerate(costs):
            if cheap_cost > budget:
                continue
            share = Fraction(1)
            if costly_cost > budget:
                share = (budget - cheap_cost) / (costly_cost - cheap_cost)
            error = share * int(wrong[costly]) + (1 - share) * int(wrong[cheap])
            if error > best:
                shares = [Fraction(0)] * len(costs)
                shares[cheap] += 1 - share
                shares[costly] += share
                best, chosen = error, shares
    return best, chosen


def _mixture_bound(costs: list[Any], wrong: Array, budget: Fraction) -> float:
    import cvxpy as cp

    shares = cp.Variable(len(costs), nonneg=True)
    constraints = [cp.sum(shares) == 1, np.array(costs, dtype=float) @ shares <= float(budget)]
    found = solve_certified(cp.Maximize(wrong.astype(float) @ shares), constraints, shares)
    return float(found.value.upper)
