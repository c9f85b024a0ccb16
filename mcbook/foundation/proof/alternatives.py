"""Strict linear inequalities: a solution, or integers that show there is none.

Gordan's theorem: either some x has Ax > 0 in every row, or some y >= 0, y != 0 has y'A = 0, and never both.
A linear program finds a candidate; what is returned has been checked in integers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mcbook.foundation.proof.exact import rational
from mcbook.foundation.types import ArrayLike

# How finely a solution found in floating point is rounded before it is checked exactly.
_GRID = 2**40


class NotDecided(RuntimeError):
    """Neither a solution nor multipliers survived the exact check."""


@dataclass(frozen=True)
class Alternative:
    """Exactly one of the two is there: ``solution`` with Ax > 0, or ``multipliers`` y >= 0, y != 0 with y'A = 0."""

    solution: tuple[int, ...] | None
    multipliers: tuple[int, ...] | None

    @property
    def solvable(self) -> bool:
        return self.solution is not None


def strict_alternative(A: ArrayLike) -> Alternative:
    """Decide whether Ax > 0 has a solution, with an exact certificate either way."""
    rows, scales = _integer_rows(A)
    floats = rows.astype(float)
    floats /= np.maximum(np.abs(floats).max(axis=1, keepdims=True), 1)
    candidate = _solution(floats)
    if candidate is not None and all(value > 0 for value in rows @ candidate):
        return Alternative(tuple(map(int, candidate)), None)
    multipliers = _multipliers(floats, rows)
    if multipliers is not None:
        of_given_rows = [value * scale for value, scale in zip(multipliers, scales, strict=True)]
        divisor = math.gcd(*of_given_rows)
        return Alternative(None, tuple(value // divisor for value in of_given_rows))
    raise NotDecided(
        "neither a solution nor exact multipliers were found; the margin, if any, is below the accuracy of the "
        "linear program: scale the data or give them as small integers"
    )


def _integer_rows(A: ArrayLike) -> tuple[NDArray[np.object_], list[int]]:
    """The rows with denominators cleared, and by which factors: they change nothing but the multipliers."""
    exact = rational(A)
    if exact.ndim != 2 or 0 in exact.shape:
        raise ValueError(f"expected a matrix with at least one row and column, got shape {exact.shape}")
    scales = [math.lcm(*(Fraction(value).denominator for value in row)) for row in exact]
    return np.array([[int(v * s) for v in row] for row, s in zip(exact, scales, strict=True)], dtype=object), scales


def _solution(A: NDArray[np.float64]) -> NDArray[np.object_] | None:
    """The x in the unit box with the largest smallest row of Ax, rounded to the grid."""
    from scipy.optimize import linprog

    n_rows, n_columns = A.shape
    found = linprog(
        c=np.r_[np.zeros(n_columns), -1.0],
        A_ub=np.c_[-A, np.ones(n_rows)],
        b_ub=np.zeros(n_rows),
        bounds=[(-1, 1)] * n_columns + [(0, None)],
        method="highs",
    )
    if found.status != 0 or not found.x[-1] > 0:
        return None
    return np.array([round(value * _GRID) for value in found.x[:-1]], dtype=object)


def _multipliers(floats: NDArray[np.float64], rows: NDArray[np.object_]) -> tuple[int, ...] | None:
    """Non-negative integers y, not all 0, with y'A = 0.

    A vertex of {y >= 0, y'A = 0, sum y = 1} is determined by its support, on which the solution is unique; solving
    there over the integers removes the rounding of the linear program.
    """
    from scipy.optimize import linprog

    n_rows, n_columns = floats.shape
    found = linprog(
        c=np.zeros(n_rows),
        A_eq=np.r_[floats.T, np.ones((1, n_rows))],
        b_eq=np.r_[np.zeros(n_columns), 1.0],
        method="highs-ds",
    )
    if found.status != 0:
        return None
    support = np.flatnonzero(found.x > 1e-9)
    kernel = _integer_kernel(rows[support].T)
    if kernel is None or not all(value >= 0 for value in kernel):
        return None
    multipliers = [0] * n_rows
    for row, value in zip(support, kernel, strict=True):
        multipliers[row] = value
    return tuple(multipliers)


def _integer_kernel(columns: NDArray[np.object_]) -> list[int] | None:
    """The integers, up to a common factor and sign, that combine the columns to 0; None unless they are unique."""
    import flint

    matrix = flint.fmpz_mat([[int(value) for value in row] for row in columns])
    basis, nullity = matrix.nullspace()
    if nullity != 1:
        return None
    kernel = [int(basis[i, 0]) for i in range(matrix.ncols())]
    divisor = math.gcd(*kernel) * (1 if sum(kernel) > 0 else -1)
    return [value // divisor for value in kernel]
