"""Code matrices: one row for each class, one column for each binary problem.

An entry +1 puts the class on the positive side of the column's problem, -1 on the negative side, 0 leaves its examples
out.  ``M (n_classes, n_columns)``; the distance of two rows counts 1 for opposite entries, 1/2 where one of them is 0,
and 0 for equal ones that are not 0:  Delta(u, v) = (n_columns - u . v) / 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mcbook.foundation.checks import require_classes, require_finite, require_whole
from mcbook.foundation.types import Array, ArrayLike, Booleans, Floats, Integers
from mcbook.one_vs_rest_and_pairs.algorithm.reductions import Code as Code
from mcbook.one_vs_rest_and_pairs.algorithm.reductions import all_pairs_code as all_pairs_code
from mcbook.one_vs_rest_and_pairs.algorithm.reductions import one_vs_rest_code as one_vs_rest_code

_MOST_COLUMNS = 2**20
# Random candidates are drawn and measured this many numbers at a time, which bounds the memory.
_BLOCK_ENTRIES = 2**21


def complete_code(n_classes: int) -> Code:
    """Every way to split the classes in two, once: 2^(k-1) - 1 columns, the first class always on the side +1.

    >>> complete_code(3).tolist()
    [[1, 1, 1], [-1, 1, -1], [1, -1, -1]]
    """
    n_classes = require_classes(n_classes)
    if 2 ** (n_classes - 1) > _MOST_COLUMNS:
        raise ValueError(
            f"the complete code for {n_classes} classes has 2^{n_classes - 1} - 1 columns: use random_dense_code, or "
            'code="dense" of OutputCode'
        )
    patterns = np.arange(1, 2 ** (n_classes - 1))
    rest = 1 - 2 * (patterns[None, :] >> np.arange(n_classes - 1)[:, None] & 1)
    return np.vstack([np.ones((1, len(patterns)), dtype=np.int64), rest])


def hadamard_code(n_classes: int) -> Code:
    """The first rows of Sylvester's Hadamard matrix of order n = 2^p >= k without its constant column.

    Any two rows differ in n / 2 of the n - 1 columns.

    >>> hadamard_code(3)
    array([[ 1,  1,  1],
           [-1,  1, -1],
           [ 1, -1, -1]])
    """
    n_classes = require_classes(n_classes)
    H = np.ones((1, 1), dtype=np.int64)
    while len(H) < n_classes:
        H = np.block([[H, H], [H, -H]])
    return H[:n_classes, 1:]


def repetition_code(M: Array, times: int) -> Array:
    """The code with every column repeated.  Good for theory only: a learner answers equal questions equally.

    >>> repetition_code(np.array([[1, -1], [-1, -1]]), 2).tolist()
    [[1, 1, -1, -1], [-1, -1, -1, -1]]
    """
    return np.repeat(np.asarray(M), require_whole(times, "times", at_least=1), axis=1)


def random_dense_code(
    n_classes: int,
    n_columns: int | None = None,
    n_candidates: int = 10_000,
    random_state: int | None = None,
    *,
    repeated_columns: bool = False,
) -> Code:
    """The best by minimal distance of random codes with entries +1 and -1.

    By default ceil(10 log2 k) columns, or 2^(k-1) - 1 where there are not so many ways to split the classes in two.

    >>> M = random_dense_code(4, 6, n_candidates=50, random_state=0)
    >>> M.shape, sorted(set(M.ravel().tolist()))
    ((4, 6), [-1, 1])
    """
    n_classes = require_classes(n_classes)
    n_different = 2**n_classes - 2
    if n_columns is None:
        n_columns = min(math.ceil(10 * math.log2(n_classes)), n_different // 2)
    draw = _Draw(np.array([-1, 1], dtype=np.int8), n_classes, n_columns, n_different, repeated_columns)
    return _best_of(draw, n_candidates, random_state)


def random_sparse_code(
    n_classes: int,
    n_columns: int | None = None,
    n_candidates: int = 10_000,
    random_state: int | None = None,
    *,
    repeated_columns: bool = False,
) -> Code:
    """The same with entries 0 with probability 1/2, +1 and -1 with 1/4 each.

    By default ceil(15 log2 k) columns, or half the number of different columns that k classes have.

    >>> M = random_sparse_code(4, 8, n_candidates=50, random_state=0)
    >>> M.shape, sorted(set(M.ravel().tolist()))
    ((4, 8), [-1, 0, 1])
    """
    n_classes = require_classes(n_classes)
    n_different = 3**n_classes - 2 ** (n_classes + 1) + 1
    if n_columns is None:
        n_columns = min(math.ceil(15 * math.log2(n_classes)), n_different // 2)
    draw = _Draw(np.array([0, 0, 1, -1], dtype=np.int8), n_classes, n_columns, n_different, repeated_columns)
    return _best_of(draw, n_candidates, random_state)


def row_distances(M: Array) -> Floats:
    """Delta of all pairs of rows, shape (k, k); multiples of 1/2, which floats hold exactly.

    >>> row_distances([[1, 1, 0], [1, -1, 1]]).tolist()
    [[0.5, 1.5], [1.5, 0.0]]
    """
    M = np.asarray(M, dtype=float)
    return (M.shape[1] - M @ M.T) / 2


def minimal_distance(M: Array) -> Fraction:
    """rho = min_{r != q} Delta(M_r, M_q) for ``M (n_classes, n_columns)``, exactly.

    >>> minimal_distance(all_pairs_code(4))
    Fraction(7, 2)
    """
    M = np.asarray(M).astype(np.int64)
    products = M @ M.T
    return Fraction(int(M.shape[1] - products[np.triu_indices(len(M), 1)].max()), 2)


def check_code(M: ArrayLike, n_classes: int | None = None, *, repeated_columns: bool = False) -> Array:
    """The code as an array, integers where its entries are -1, 0 and +1; a code that cannot serve is refused.

    With ``repeated_columns`` columns may be equal, which theory allows and training wastes time on.  Opposite columns
    are let pass: they pose one problem twice only to a learner that treats both signs alike.

    >>> check_code([[1.0, 1.0], [-1.0, 1.0], [0.0, -1.0]]).dtype == np.int64
    True
    >>> try:
    ...     check_code([[1, 1], [-1, 1]])
    ... except ValueError as fault:
    ...     print(fault)
    this code cannot serve: column 1 has no negative entry, so there is nothing to learn: drop the column
    """
    M = _numbers(M)
    if n_classes is not None and len(M) != n_classes:
        raise ValueError(f"the code has {len(M)} rows and there are {n_classes} classes: expected a row for each")
    faults = _faults(M, repeated_columns)
    if faults:
        more = f" (and {len(faults) - 1} more faults)" if len(faults) > 1 else ""
        raise ValueError(f"this code cannot serve: {faults[0]}{more}")
    return M


def _numbers(M: ArrayLike) -> Array:
    try:
        M = np.asarray(M)
        values = M.astype(float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"expected a code matrix of numbers, got {M!r}") from error
    if M.ndim != 2 or M.shape[0] < 2 or M.shape[1] < 1:
        raise ValueError(
            f"expected a code matrix (n_classes, n_columns) with at least 2 rows and 1 column, got shape {M.shape}"
        )
    require_finite(values, "entries in the code matrix", "choose numbers")
    if np.isin(values, (-1, 0, 1)).all():
        return values.astype(np.int64)
    return M if M.dtype == object else values


def _faults(M: Array, repeated_columns: bool = False) -> list[str]:
    """All that is wrong with a code matrix, in words."""
    empty = np.flatnonzero(~(M != 0).any(axis=1))
    faults = [f"row {row} is empty, so its class takes part in no problem: give it a non-zero entry" for row in empty]
    for name, present in (("positive", (M > 0).any(axis=0)), ("negative", (M < 0).any(axis=0))):
        faults += [
            f"column {column} has no {name} entry, so there is nothing to learn: drop the column"
            for column in np.flatnonzero(~present)
        ]
    faults += [f"rows {a} and {b} are equal, so no decoder can tell their classes apart" for a, b in _equals(M)]
    if not repeated_columns:
        faults += [f"columns {a} and {b} are equal, so they pose the same problem: drop one" for a, b in _equals(M.T)]
    return faults


def _equals(rows: Array) -> list[tuple[int, int]]:
    """Each row that repeats an earlier one, with that one first."""
    first: dict[tuple[float, ...], int] = {}
    pairs = []
    for index, row in enumerate(rows.tolist()):
        seen = first.setdefault(tuple(row), index)
        if seen != index:
            pairs.append((seen, index))
    return pairs


@dataclass(frozen=True)
class _Draw:
    """Random codes whose entries are drawn from ``values``, given that every column has both signs.

    Columns that do not, and columns that repeat another one unless that is allowed, are drawn again.
    """

    values: NDArray[np.int8]
    n_classes: int
    n_columns: int
    n_different: int
    repeated_columns: bool

    def __post_init__(self) -> None:
        require_whole(self.n_columns, "n_columns", at_least=1)
        if self.n_columns > self.n_different and not self.repeated_columns:
            raise ValueError(
                f"{self.n_classes} classes have {self.n_different} different columns of this kind, "
                f"{self.n_columns} were asked for: ask for fewer, or pass repeated_columns=True"
            )

    def __call__(self, rng: np.random.Generator, count: int) -> NDArray[np.int8]:
        """That many codes, shape (count, n_classes, n_columns)."""
        columns = self._entries(rng, count * self.n_columns).reshape(count, self.n_columns, self.n_classes)
        # Equal columns have equal keys; different ones that share a key by accident are only drawn once too often.
        weights = rng.integers(-(2**62), 2**62, self.n_classes)
        unfinished = np.arange(count)
        while len(unfinished):
            codes = columns[unfinished]
            bad = self._bad(codes, weights)
            codes[bad] = self._entries(rng, int(bad.sum()))
            columns[unfinished] = codes
            unfinished = unfinished[bad.any(axis=1)]
        return columns.transpose(0, 2, 1)

    def _entries(self, rng: np.random.Generator, n_columns: int) -> NDArray[np.int8]:
        return self.values[rng.integers(0, len(self.values), (n_columns, self.n_classes), dtype=np.int8)]

    def _bad(self, columns: NDArray[np.int8], weights: Integers) -> Booleans:
        bad: Booleans = (columns.max(axis=2) < 1) | (columns.min(axis=2) > -1)
        if not self.repeated_columns:
            keys = columns @ weights
            order = np.argsort(keys, axis=1, kind="stable")
            keys = np.take_along_axis(keys, order, axis=1)
            repeats = np.zeros_like(bad)
            np.put_along_axis(repeats, order[:, 1:], keys[:, 1:] == keys[:, :-1], axis=1)
            bad |= repeats
        return bad


def _best_of(draw: _Draw, n_candidates: int, random_state: int | None) -> Code:
    """The drawn code with the largest minimal distance among those that can serve."""
    require_whole(n_candidates, "n_candidates", at_least=1)
    rng = np.random.default_rng(random_state)
    best, smallest_product = None, np.inf
    block = max(1, _BLOCK_ENTRIES // (draw.n_classes * max(draw.n_columns, draw.n_classes)))
    for start in range(0, n_candidates, block):
        candidates = draw(rng, min(block, n_candidates - start))
        largest = _largest_products(candidates)
        for index in np.argsort(largest, kind="stable"):
            if largest[index] >= smallest_product:
                break
            M = candidates[index].astype(np.int64)
            if not _faults(M, draw.repeated_columns):
                best, smallest_product = M, largest[index]
                break
    if best is None:
        raise ValueError(
            f"none of {n_candidates} random codes with {draw.n_classes} rows and {draw.n_columns} columns can serve: "
            f"{_faults(candidates[0].astype(np.int64), draw.repeated_columns)[0]}; ask for more columns"
        )
    return best


def _largest_products(candidates: NDArray[np.int8]) -> NDArray[np.float32]:
    """max u . v over the pairs of rows of each candidate; sums of so few signs are exact in single precision."""
    M = candidates.astype(np.float32)
    products = M @ M.transpose(0, 2, 1)
    first, second = np.triu_indices(M.shape[1], 1)
    largest: NDArray[np.float32] = products[:, first, second].max(axis=1)
    return largest
