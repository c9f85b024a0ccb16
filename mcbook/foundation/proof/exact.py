"""The exact tier: rational numbers and complete enumerations."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcbook.foundation.numbers import ball as ball
from mcbook.foundation.numbers import rational as rational
from mcbook.foundation.proof.known import Known, Tier
from mcbook.foundation.types import ArrayLike


def rational_solve(A: ArrayLike, b: ArrayLike) -> NDArray[np.object_]:
    """The exact solution of A x = b for a square matrix of rationals; b may have several columns.

    >>> rational_solve([[2, 1], [1, 1]], [1, 0])
    array([1, -1], dtype=object)
    """
    left, right = rational(A), rational(b)
    if left.ndim != 2 or left.shape[0] != left.shape[1] or right.shape[:1] != left.shape[:1]:
        raise ValueError(f"expected a square matrix and a right side of its height, got {left.shape} and {right.shape}")
    columns = right.reshape(len(right), -1)
    try:
        found = _flint_matrix(left).solve(_flint_matrix(columns))
    except ZeroDivisionError:
        message = "expected a matrix of full rank, got a singular one: it has no solution or more than one"
        raise np.linalg.LinAlgError(message) from None
    entries = [[Fraction(int(v.p), int(v.q)) for v in row] for row in found.tolist()]
    return rational(np.array(entries, dtype=object).reshape(columns.shape)).reshape(right.shape)


def rational_rank(A: ArrayLike) -> int:
    """The rank of a matrix of rationals.

    >>> rational_rank([[1, 2], [2, 4]])
    1
    """
    matrix = rational(A)
    if matrix.ndim != 2:
        raise ValueError(f"expected a matrix, got shape {matrix.shape}")
    return int(_flint_matrix(matrix).rank())


def _flint_matrix(array: NDArray[np.object_]) -> Any:
    import flint

    return flint.fmpq_mat([[flint.fmpq(Fraction(v).numerator, Fraction(v).denominator) for v in row] for row in array])


def enumerated_sum(terms: Iterable[float]) -> Known:
    """The sum of all the terms of a finite enumeration, with a bound on the rounding of terms and sum.

    Each term is taken to be right to 8 units in the last place (a square root or a short product of
    floats is); `math.fsum` adds them without further error but its one final rounding.
    """
    values = list(terms)
    total = math.fsum(values)
    error = 9 * math.ulp(1.0) * math.fsum(map(abs, values))
    return Known(total - error, total + error, Tier.EXACT)


def sign_vectors(length: int) -> Iterator[tuple[int, ...]]:
    """All the 2^length vectors of signs.

    >>> list(sign_vectors(2))
    [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    """
    return itertools.product((-1, 1), repeat=length)


def count_vectors(total: int, n_atoms: int) -> Iterator[tuple[int, ...]]:
    """All the ways in which a sample of the given size can fall on the atoms of a finite distribution.

    >>> list(count_vectors(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    if n_atoms == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in count_vectors(total - first, n_atoms - 1):
            yield (first, *rest)


def multinomial_probability(counts: tuple[int, ...], probabilities: Iterable[Fraction]) -> Fraction:
    """The exact probability that an iid sample has these counts on the atoms.

    >>> multinomial_probability((1, 1), [Fraction(1, 2), Fraction(1, 2)])
    Fraction(1, 2)
    """
    # One fraction at the end: in a walk through all samples, reducing every factor would take most of the time.
    above, below = math.factorial(sum(counts)), 1
    for count, probability in zip(counts, map(Fraction, probabilities), strict=True):
        above *= probability.numerator**count
        below *= probability.denominator**count * math.factorial(count)
    return Fraction(above, below)
