"""The programme over the planes found so far: its dual in floats, and in fractions where a claim needs it exactly."""

from __future__ import annotations

from typing import Any

import numpy as np

from mcbook.foundation.numbers import rational
from mcbook.foundation.proof.certified import NotCertified
from mcbook.foundation.types import Array, Exact, Floats, Integers, Scalar

# Steps of the restricted dual at most: so many are a bug, or data of hopelessly different sizes.
_MOST = 2_000_000
# Planes with less than this part of the weight are taken for such without.
_NOTHING = 1e-7


def solve_restricted(
    gram: Floats, offsets: Floats, owners: Integers, n_blocks: int, C: float, tol: float, alpha: Floats | None = None
) -> Floats:
    """Weights alpha of the planes with a dual value within ``tol`` of the best: those of each owner sum to C.

    ``gram (n_planes, n_planes)`` has the inner products of the gradients; ``alpha`` is where to begin.
    """
    from mcbook.structured_margins.kernels.master import ascend_restricted

    order = np.argsort(owners, kind="stable").astype(np.int64)
    starts = np.searchsorted(owners[order], np.arange(n_blocks + 1)).astype(np.int64)
    if alpha is None:
        alpha = np.zeros(len(offsets))
        alpha[order[starts[:-1]]] = C
    found = alpha.copy()
    ascend_restricted(np.ascontiguousarray(gram), offsets.astype(float), order, starts, found, float(C), tol, _MOST)
    return found


def solve_restricted_exactly(gradients: Exact, offsets: Exact, C: Scalar) -> tuple[Exact, Any]:
    """The exact optimum for one example: alpha >= 0 with the sum C, and the value; all in fractions.

    Floats propose which planes carry weight; their weights then solve linear equations exactly, and both the signs and
    the values of all other planes are checked.
    """
    G, b = np.asarray(gradients), np.asarray(offsets)
    gram = G @ G.T
    guess = solve_restricted(gram.astype(float), b.astype(float), np.zeros(len(b), dtype=np.int64), 1, float(C), 1e-15)
    support = _independent(gram, np.flatnonzero(guess > _NOTHING * float(C)), guess)
    alpha = _weights_on(gram, b, support, C)
    values = b - gram @ alpha
    if (alpha < 0).any() or values.max() != values[support[0]]:
        raise NotCertified("expected the planes that floats propose to be right, and they are not: scale the data")
    return alpha, alpha @ b - rational([alpha @ gram @ alpha])[0] * rational([1])[0] / 2


def _weights_on(gram: Exact, b: Exact, support: Integers, C: Scalar) -> Exact:
    """The weights of these planes, of sum C, at which they all have the same value."""
    from mcbook.foundation.proof.exact import rational_solve

    n = len(support)
    system = np.zeros((n + 1, n + 1), dtype=object)
    system[:n, :n], system[:n, n], system[n, :n] = gram[np.ix_(support, support)], 1, 1
    solution = rational_solve(system, [*b[support], C])
    alpha = np.zeros(len(b), dtype=object)
    alpha[support] = solution[:n]
    return alpha


def _independent(gram: Exact, support: Integers, weights: Array) -> Integers:
    """Of these planes, the heaviest first, those whose gradients are affinely independent of the ones before."""
    from mcbook.foundation.proof.exact import rational_rank

    chosen: list[int] = []
    for j in support[np.argsort(-weights[support], kind="stable")]:
        tried = [*chosen, int(j)]
        bordered = np.ones((len(tried) + 1, len(tried) + 1), dtype=object)
        bordered[:-1, :-1], bordered[-1, -1] = gram[np.ix_(tried, tried)], 0
        if rational_rank(bordered) == len(tried) + 1:
            chosen = tried
    return np.array(chosen)
