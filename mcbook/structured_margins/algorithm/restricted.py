"""The problem over the planes found so far: its dual in floats, and in fractions where a claim needs it exactly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.foundation.numbers import quotient
from mcbook.foundation.proof.certified import NotCertified
from mcbook.foundation.types import Array, Exact, Floats, Integers, Scalar

# The most steps of the restricted dual: more than this is a bug, or data of hopelessly different sizes.
_MOST = 2_000_000
# Planes with less than this part of the weight are taken for such without.
_NEGLIGIBLE = 1e-7


def solve_restricted(
    gram: Floats, offsets: Floats, owners: Integers, n_blocks: int, C: float, tol: float, alpha: Floats | None = None
) -> Floats:
    """Weights alpha of the planes with a dual value within ``tol`` of the best: those of each owner sum to C.

    ``gram (n_planes, n_planes)`` has the inner products of the gradients; ``alpha`` is where to begin.

    >>> G = np.array([[0.0], [2.0]])
    >>> solve_restricted(G @ G.T, np.array([0.0, 1.0]), np.array([0, 0]), 1, 1.0, 1e-12).round(6).tolist()
    [0.75, 0.25]
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


def solve_restricted_exactly(
    gradients: Exact, offsets: Exact, C: Scalar, owners: Integers | None = None
) -> tuple[Exact, Fraction]:
    """The exact optimum: alpha >= 0, those of each owner with the sum C, and the value; all in fractions.

    Floats propose which planes carry weight; their weights then solve linear equations exactly, and both the signs and
    the values of all other planes are checked.

    >>> alpha, value = solve_restricted_exactly(np.array([[0], [2]], object), np.array([0, 1], object), 1)
    >>> alpha.tolist(), value
    ([Fraction(3, 4), Fraction(1, 4)], Fraction(1, 8))
    """
    G, b = np.asarray(gradients), np.asarray(offsets)
    own = np.zeros(len(b), dtype=np.int64) if owners is None else np.asarray(owners)
    gram, n_blocks = G @ G.T, int(own.max()) + 1
    guess = solve_restricted(gram.astype(float), b.astype(float), own, n_blocks, float(C), 1e-15)
    support = _independent(gram, own, np.flatnonzero(guess > _NEGLIGIBLE * float(C)), guess)
    alpha = _weights_on(gram, b, own, support, C)
    values = b - gram @ alpha
    best = np.array([values[own == i].max() for i in range(n_blocks)], dtype=object)
    if (alpha < 0).any() or (values[support] != best[own[support]]).any():
        raise NotCertified("expected the planes that floats propose to be right, and they are not: scale the data")
    return alpha, alpha @ b - quotient(alpha @ gram @ alpha, 2)


def _bordered(gram: Exact, own: Integers, planes: Integers) -> Exact:
    """The equations of these planes: equal values for those of one owner, and sums of weights."""
    blocks = np.unique(own[planes])
    member = (own[planes][:, None] == blocks).astype(object)
    n = len(planes)
    system = np.zeros((n + len(blocks), n + len(blocks)), dtype=object)
    system[:n, :n], system[:n, n:], system[n:, :n] = gram[np.ix_(planes, planes)], member, member.T
    return system


def _weights_on(gram: Exact, b: Exact, own: Integers, support: Integers, C: Scalar) -> Exact:
    """The weights of these planes, of sum C for each owner, at which they all have its largest value."""
    from mcbook.foundation.proof.exact import rational_solve

    n_blocks = len(np.unique(own))
    solution = rational_solve(_bordered(gram, own, support), [*b[support], *[C] * n_blocks])
    alpha = np.zeros(len(b), dtype=object)
    alpha[support] = solution[: len(support)]
    return alpha


def _independent(gram: Exact, own: Integers, support: Integers, weights: Array) -> Integers:
    """Of these planes, the heaviest first, those that leave the equations with one solution."""
    from mcbook.foundation.proof.exact import rational_rank

    chosen: list[int] = []
    for j in support[np.argsort(-weights[support], kind="stable")]:
        system = _bordered(gram, own, np.array([*chosen, int(j)]))
        if rational_rank(system) == len(system):
            chosen.append(int(j))
    return np.array(chosen)
