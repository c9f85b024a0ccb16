"""Questions about codes that are answered by going through all cases: errors corrected, dichotomies separated."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.foundation.checks import require_at_least, require_matrix, require_signs
from mcbook.foundation.numbers import rational
from mcbook.foundation.proof.exact import sign_vectors
from mcbook.foundation.types import Array, Exact, Signs
from mcbook.output_codes.algorithm.codes import Code
from mcbook.output_codes.algorithm.decoding import decode
from mcbook.output_codes.theory import least_columns

_MOST_CASES = 2**20


def binary_code(n_classes: int) -> Code:
    """The shortest code there is: the binary digits of the label as signs, ceil(log2 k) columns.

    >>> binary_code(4).tolist()
    [[1, 1], [-1, 1], [1, -1], [-1, -1]]
    """
    places = np.arange(least_columns(n_classes))
    return np.asarray(1 - 2 * (np.arange(n_classes)[:, None] >> places & 1), dtype=np.int64)


def corrected_errors(M: Array) -> int:
    """The largest r such that Hamming decoding is right, and not by a tie, whichever r outputs are wrong.

    They are (rho - 1) / 2, rounded down, with the minimal distance rho (Dietterich and Bakiri 1995):

    >>> from mcbook.output_codes import hadamard_code, minimal_distance
    >>> M = hadamard_code(8)
    >>> minimal_distance(M), corrected_errors(M)
    (Fraction(4, 1), 1)
    """
    M = np.asarray(M)
    for r in range(M.shape[1] + 1):
        if share_corrected(M, r) < 1:
            return r - 1
    return M.shape[1]


def spoiling_errors(M: Array, n_wrong: int) -> tuple[int, tuple[int, ...]] | None:
    """A label and columns whose wrong outputs make Hamming decoding tie or fail, or None if there is none.

    >>> spoiling_errors(np.array([[1, 1, 1], [-1, -1, -1]]), 1), spoiling_errors(np.array([[1, 1, 1], [-1, -1, -1]]), 2)
    (None, (0, (0, 1)))
    """
    for label, columns, outputs in _wrong_outputs(np.asarray(M), n_wrong):
        if decode(outputs[None, :], M, ties="mark")[0] != label:
            return label, columns
    return None


def share_corrected(M: Array, n_wrong: int) -> Fraction:
    """The share of all pairs of a label and n_wrong wrong outputs that Hamming decoding still gets right, alone.

    >>> share_corrected(np.array([[1, 1, 1], [-1, -1, 1]]), 1)
    Fraction(1, 3)
    """
    M = np.asarray(M)
    cases = list(_wrong_outputs(M, n_wrong))
    labels = np.array([label for label, _, _ in cases])
    right = decode(np.array([outputs for _, _, outputs in cases]), M, ties="mark") == labels
    return Fraction(int(right.sum()), len(right))


def _wrong_outputs(M: Array, n_wrong: int) -> Iterator[tuple[int, tuple[int, ...], Signs]]:
    # Where there is no side no output is wrong.
    M = require_signs(M, "entries of the code")
    if len(M) * math.comb(M.shape[1], n_wrong) > _MOST_CASES:
        raise ValueError(f"expected at most {_MOST_CASES} cases, got more for {n_wrong} of {M.shape[1]} columns")
    for label, columns in itertools.product(range(len(M)), itertools.combinations(range(M.shape[1]), n_wrong)):
        outputs = M[label].copy()
        outputs[list(columns)] *= -1
        yield label, columns, outputs


def separable_dichotomies(points: Array) -> Code:
    """The ways to split the points in two that some affine function makes, one column each, the first point at +1.

    Every answer has a certificate in integers, see `mcbook.foundation.proof.alternatives`.

    Of three points on a line the one in the middle is never alone:

    >>> separable_dichotomies([[0], [1], [2]]).T.tolist()
    [[1, -1, -1], [1, 1, -1]]
    """
    from mcbook.foundation.proof.alternatives import strict_alternative

    points = require_matrix(rational(points), "points", "(n_points, n_features)", exact=True)
    require_at_least(len(points), 2, "n_points")
    lifted = np.hstack([points, np.ones((len(points), 1), dtype=object)])
    columns = [
        (1, *rest)
        for rest in sign_vectors(len(points) - 1)
        if -1 in rest and strict_alternative(lifted * np.array([[1], *[[s] for s in rest]], dtype=object)).solvable
    ]
    return np.array(columns, dtype=np.int64).reshape(-1, len(points)).T


def curve_points(n_points: int, n_features: int) -> Exact:
    """Points (t, t^2, ..., t^n) of the moment curve, which are in general position.

    >>> curve_points(3, 2).tolist()
    [[-1, 1], [0, 0], [1, 1]]
    """
    times = [t - n_points // 2 for t in range(n_points)]
    return rational([[t**power for power in range(1, n_features + 1)] for t in times])


def random_code_tail(n_columns: int, rho: Fraction | int, n_classes: int = 3) -> Fraction:
    """Pr[minimal distance < rho] for rows of independent fair signs, by all counts of the kinds of columns.

    Up to its sign a column is one of 2^(n_classes - 1) vectors of signs, all with the same probability.

    >>> random_code_tail(1, 1, n_classes=2)
    Fraction(1, 2)
    """
    kinds = np.array([(1, *rest) for rest in sign_vectors(n_classes - 1)])
    pairs = itertools.combinations(range(n_classes), 2)
    # All the ways to put the columns into kinds, by the places of the bars that part the kinds.
    bars = np.array(list(itertools.combinations(range(n_columns + len(kinds) - 1), len(kinds) - 1)))
    ends = np.full((len(bars), 1), n_columns + len(kinds) - 1)
    counts = np.diff(np.hstack([np.full_like(ends, -1), bars, ends]), axis=1) - 1
    closest = np.min([counts[:, kinds[:, a] != kinds[:, b]].sum(axis=1) for a, b in pairs], axis=0)
    factorials = np.array([math.factorial(count) for count in range(n_columns + 1)], dtype=object)
    ways = sum(factorials[-1] // np.prod(factorials[counts[closest < rho]], axis=1))
    return Fraction(ways, len(kinds) ** n_columns)
