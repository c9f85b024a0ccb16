"""The game of weights against hypotheses: its value, the best weights and the best vote, as fractions.

One player spreads weight over the examples to make every hypothesis look bad, the other spreads votes over the
hypotheses to have a margin on every example.  A linear program in floating point proposes the two; the places where
they are positive and the constraints that are tight then say what the fractions are, and both are checked exactly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mcbook.foundation.checks import require_matrix, require_signs
from mcbook.foundation.proof.certified import NotCertified
from mcbook.foundation.types import Exact, Floats, Signs
from mcbook.weak_learning.theory import best_correlation, least_margin

# What the solver leaves of a number that is 0.
_ROUNDING = 1e-9


class GameSolution(NamedTuple):
    """``value``, the weights ``D (n_samples,)`` under which no hypothesis has a larger correlation, and the shares
    ``w (n_hypotheses,)`` of the vote whose margins are nowhere smaller: all of them fractions, and each proves the
    other.

    >>> value, D, w = solve_game(np.array([[1, 1, -1], [1, -1, 1]]))
    >>> str(value), [str(weight) for weight in D], [str(share) for share in w]
    ('0', ['0', '1/2', '1/2'], ['1/2', '1/2'])
    """

    value: Fraction
    D: Exact
    w: Exact


def solve_game(A: Signs) -> GameSolution:
    """The value of the game with the agreements ``A (n_hypotheses, n_samples)`` of -1 and +1.

    >>> found = solve_game(np.array([[1, 1, -1], [1, -1, 1], [-1, 1, 1]]))
    >>> str(found.value), [str(weight) for weight in found.D]
    ('1/3', ['1/3', '1/3', '1/3'])
    """
    agreements = require_signs(require_matrix(A, "A", "(n_hypotheses, n_samples)"), "A")
    D, upper = _least_maximum(agreements)
    # Margins are correlations with the roles exchanged and the signs turned.
    w, lower = _least_maximum(-agreements.T)
    exact = agreements.astype(object)
    if not best_correlation(exact, D) == upper == -lower == least_margin(exact, w):
        raise NotCertified(
            f"expected weights and votes that prove each other, got {float(upper):.6g} above {-float(lower):.6g}: "
            "the solver stopped too far from a vertex; give a smaller game"
        )
    return GameSolution(upper, D, w)


def _least_maximum(rows: Signs) -> tuple[Exact, Fraction]:
    """The p >= 0 with sum 1 whose largest row of ``rows @ p`` is least, and that row, as fractions."""
    point, value = _in_floats(rows.astype(float))
    used = np.flatnonzero(point > _ROUNDING)
    tight = np.flatnonzero(rows @ point > value - _ROUNDING)
    p = np.full(rows.shape[1], Fraction(0), dtype=object)
    *p[used], exact = _vertex(rows[np.ix_(tight, used)])
    if min(p) < 0:
        raise NotCertified(f"expected weights >= 0, got {float(min(p)):.3g}: the solver stopped too far from a vertex")
    return p, exact


def _in_floats(rows: Floats) -> tuple[Floats, float]:
    from scipy.optimize import linprog

    n_rows, n_columns = rows.shape
    found = linprog(
        c=np.r_[np.zeros(n_columns), 1.0],
        A_ub=np.c_[rows, -np.ones(n_rows)],
        b_ub=np.zeros(n_rows),
        A_eq=[np.r_[np.ones(n_columns), 0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * n_columns + [(None, None)],
        method="highs-ds",
    )
    if found.status != 0:
        raise NotCertified(f"expected an optimum, but the solver says: {found.message}")
    return found.x[:-1], float(found.x[-1])


def _vertex(tight: Signs) -> list[Fraction]:
    """The one p and v with ``tight @ p = v`` in every row and sum p = 1."""
    import flint

    n_rows, n_columns = tight.shape
    equations = [[*map(int, row), -1, 0] for row in tight] + [[1] * n_columns + [0, 1]]
    reduced, rank = flint.fmpq_mat(flint.fmpz_mat(equations)).rref()
    solution: list[flint.fmpq] = (
        [reduced[i, n_columns + 1] for i in range(n_columns + 1)] if rank == n_columns + 1 else []
    )
    if not solution or any(reduced[i, i] != 1 for i in range(n_columns + 1)):
        raise NotCertified(
            f"expected {n_rows} tight hypotheses that fix {n_columns} weights, got rank {rank}: "
            "the solver did not end at a vertex"
        )
    return [Fraction(int(value.p), int(value.q)) for value in solution]
