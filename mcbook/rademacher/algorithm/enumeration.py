"""Complexities over all sign vectors: finite classes, and balls of linear functions.

The numbers are brought to a grid of integers, on which the walk over the sign vectors makes no error.  Ints and
fractions lie on such a grid.  Floats lie on one or are rounded to one, and what the rounding may change is then part of
the answer, a `Known`.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mcbook.foundation.checks import require_finite, require_matrix, require_nonnegative
from mcbook.foundation.numbers import rational
from mcbook.foundation.proof import Known, Tier
from mcbook.foundation.proof.exact import enumerated_sum
from mcbook.foundation.types import Array, ArrayLike, Integers, Number, Values
from mcbook.rademacher.theory.classes import values_matrix

# Above this the number of sign vectors, 2^(m - 1) by symmetry, is a matter of minutes, and of gigabytes for the ball.
LARGEST_SAMPLE = 30
LARGEST_BALL_SAMPLE = 26

# Signs walked by one call of the kernel; the sum over 2^16 vectors then fits 64 bits if each term fits 47.
_LOW_SIGNS = 16
_TERM_BITS = 45


@dataclass(frozen=True)
class Grid:
    """Numbers as integers times ``unit``, each of them off by at most ``error``."""

    integers: Array
    unit: Fraction
    error: Fraction


def exact_complexity(values: ArrayLike) -> Values:
    """E_sigma sup_h (1/m) sum_i sigma_i h(x_i) for the functions whose values are the rows, over all 2^m sign vectors.

    ``values (n_functions, n_samples)``.  Ints and fractions give a `Fraction`; floats give a `Known` of the exact tier,
    as narrow as the integers of the walk allow.

    >>> exact_complexity([[1, 0], [0, 1]]), exact_complexity([[1, 1]])  # one function follows no signs
    (Fraction(1, 4), Fraction(0, 1))
    """
    table = values_matrix(values)
    n_samples = table.shape[1]
    if n_samples > LARGEST_SAMPLE:
        raise ValueError(
            f"expected at most {LARGEST_SAMPLE} points for an enumeration of their signs, got {n_samples}: "
            "use monte_carlo_complexity, or average_complexity where points repeat"
        )
    grid = on_grid(table, n_samples)
    complexity = Fraction(_total_range(grid.integers), n_samples * 2**n_samples) * grid.unit
    if table.dtype.kind == "f":
        return Known(complexity - grid.error, complexity + grid.error, Tier.EXACT)
    return complexity


def linear_ball_complexity(X: ArrayLike, radius: Number = 1) -> Known:
    """The complexity of {x -> w . x: |w| <= radius} on the rows of X, (radius / m) E_sigma |sum_i sigma_i x_i|.

    Source: Mohri et al. (2018), Proposition 9.3.

    >>> print(linear_ball_complexity([[3, 0], [0, 4]]))  # every signed sum has the length 5
    5/2
    """
    floating = np.asarray(X).dtype.kind == "f"
    exact = rational(require_matrix(X if floating else rational(X), exact=True))
    return _ball_complexity(squared_sums(exact @ exact.T, rounding=floating), len(exact), radius)


def kernel_ball_complexity(gram: ArrayLike, radius: Number = 1) -> Known:
    """The complexity of {x -> <w, Phi(x)>: |w| <= radius}, (radius / m) E_sigma sqrt(sigma' K sigma).

    For each sign vector the supremum over w is radius times the length of sum_i sigma_i Phi(x_i), whose square is
    sigma' K sigma.  The value is exact where all these lengths are rational, else it is known to some 12 digits.

    Source: Mohri et al. (2018), Proposition 9.3.

    >>> print(kernel_ball_complexity([[9, 0], [0, 16]], radius=2))
    5
    """
    return _ball_complexity(squared_sums(gram), len(np.asarray(gram)), radius)


@dataclass(frozen=True)
class SquaredSums:
    """sigma' K sigma for all sign vectors with last sign +1: ``integers`` times scale^2, each right to ``error``.

    >>> found = squared_sums([[Fraction(1, 4)]])
    >>> found.integers.tolist(), found.scale, found.error
    ([4], Fraction(1, 4), 0)
    """

    integers: Array
    scale: Fraction
    error: int


def squared_sums(gram: ArrayLike, rounding: bool | None = None) -> SquaredSums:
    """sigma' K sigma for the 2^(m-1) sign vectors with last sign +1; without error for ints and fractions.

    With ``rounding``, which is the default for floats, the entries are rounded to 45 binary digits or so first.

    >>> sorted(squared_sums([[2, 1], [1, 2]]).integers.tolist())  # |x_1 - x_2|^2 and |x_1 + x_2|^2
    [2, 6]
    """
    from mcbook.foundation.compiled import python_original
    from mcbook.rademacher.kernels import walk_squared_norms

    K = np.asarray(gram)
    if K.ndim != 2 or K.shape[0] != K.shape[1] or K.shape[0] == 0 or (K != K.T).any():
        raise ValueError(f"expected a symmetric Gram matrix (n_samples, n_samples), got shape {K.shape}")
    n_samples = len(K)
    if n_samples > LARGEST_BALL_SAMPLE:
        raise ValueError(
            f"expected at most {LARGEST_BALL_SAMPLE} points for an enumeration of their signs, got {n_samples}: "
            "bound the complexity with kernel_complexity_bound"
        )
    grid = on_grid(K, n_samples**2, square=True, rounding=rounding)
    exceeds = grid.integers.dtype == object
    integers = grid.integers if exceeds else np.ascontiguousarray(grid.integers, dtype=np.int64)
    norms = np.zeros(2 ** (n_samples - 1), dtype=integers.dtype)
    walk = python_original(walk_squared_norms) if exceeds else walk_squared_norms
    walk(integers, integers.sum(axis=0), norms)
    error = math.ceil(grid.error / grid.unit * n_samples**2)
    if norms.min() < -error:
        raise ValueError("expected a positive semidefinite Gram matrix, got sigma' K sigma < 0: check the kernel")
    return SquaredSums(norms, _root(grid.unit), error)


def _ball_complexity(sums: SquaredSums, n_samples: int, radius: Number) -> Known:
    require_nonnegative(radius, "radius")
    squares, counts = np.unique(sums.integers, return_counts=True)
    factor = Fraction(radius) * sums.scale / (n_samples * len(sums.integers))
    lower = _sum_of_roots(np.maximum(squares - sums.error, 0), counts).lower
    upper = _sum_of_roots(squares + sums.error, counts).upper
    return Known(Fraction(lower) * factor, Fraction(upper) * factor, Tier.EXACT)


def on_grid(table: Array, n_terms: int, square: bool = False, rounding: bool | None = None) -> Grid:
    """The table as integers times a unit; with ``square`` the unit is the square of a rational number.

    With ``rounding``, which is the default for floats, sums of ``n_terms`` of the integers fit 64 bits, at the cost of
    an error; without it there is no error, and the integers may be Python's own.
    """
    if table.dtype.kind in "biu":
        return Grid(_narrowed(table.astype(object), n_terms), Fraction(1), Fraction(0))
    require_finite(table, "values", "drop those functions or points")
    exact = rational(table)
    if rounding or (rounding is None and table.dtype.kind == "f"):
        return _rounded_grid(exact, n_terms, square)
    denominator = math.lcm(*{Fraction(value).denominator for value in exact.ravel()})
    scale = denominator**2 if square else denominator
    integers = np.frompyfunc(lambda value: int(value * scale), 1, 1)(exact)
    return Grid(_narrowed(integers, n_terms), Fraction(1, scale), Fraction(0))


def _rounded_grid(exact: Array, n_terms: int, square: bool) -> Grid:
    """Rounded to a unit that is a power of two, unless the numbers are whole and small already."""
    largest = max(abs(value) for value in exact.ravel())
    power = 0
    if largest * n_terms >= 2**_TERM_BITS or any(value != int(value) for value in exact.ravel()):
        power = _TERM_BITS - math.ceil(math.log2(largest * n_terms))
        power -= power % 2 if square else 0
    unit = Fraction(2) ** -power
    integers = np.frompyfunc(lambda value: round(value / unit), 1, 1)(exact)
    off = bool((integers * unit != exact).any())
    return Grid(_narrowed(integers, n_terms), unit, unit / 2 if off else Fraction(0))


def _narrowed(integers: Array, n_terms: int) -> Array:
    """The integers in the narrowest type in which twice a sum of ``n_terms`` of them fits: 32 bits, 64, or Python's."""
    largest = 2 * n_terms * max(abs(int(integers.max())), abs(int(integers.min())))
    if largest < 2**31:
        return integers.astype(np.int32)
    return integers.astype(np.int64 if largest <= 2 ** (_TERM_BITS + 2) else object)


def _total_range(integers: Array) -> int:
    """The sum over all sign vectors with last sign +1 of the largest less the smallest sum of a row.

    The largest sum for -sigma is minus the smallest for sigma, so half of the sign vectors tell about all.
    """
    from mcbook.foundation.compiled import python_original
    from mcbook.rademacher.kernels import sum_of_ranges

    walk = python_original(sum_of_ranges) if integers.dtype == object else sum_of_ranges
    distinct = integers if integers.dtype == object else np.unique(integers, axis=0)
    columns = np.ascontiguousarray(distinct.T)
    n_low = min(len(columns) - 1, _LOW_SIGNS)
    twice = np.ascontiguousarray(2 * columns[:n_low])
    start = columns[:n_low].sum(axis=0, dtype=columns.dtype) + columns[-1]
    middle = columns[n_low:-1]
    total = 0
    for signs in itertools.product((-1, 1), repeat=len(middle)):
        sums = start + sum((sign * column for sign, column in zip(signs, middle, strict=True)), np.zeros_like(start))
        total += int(walk(twice, np.ascontiguousarray(sums), 2**n_low))
    return total


def _sum_of_roots(squares: Array, counts: Integers) -> Known:
    """The sum of counts times roots, exact if all the squares are squares of integers."""
    roots = [math.isqrt(int(value)) for value in squares] if len(squares) <= 4096 else []
    if roots and all(root * root == value for root, value in zip(roots, squares, strict=True)):
        total = sum(int(count) * root for count, root in zip(counts, roots, strict=True))
        return Known(total, total, Tier.EXACT)
    return enumerated_sum((counts * np.sqrt(squares.astype(float))).tolist())


def _root(unit: Fraction) -> Fraction:
    """The root of a unit, which is the square of a rational number."""
    return Fraction(math.isqrt(unit.numerator), math.isqrt(unit.denominator))
