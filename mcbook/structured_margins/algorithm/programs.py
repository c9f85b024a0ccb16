"""The structured problem and its duals by a generic solver, certified: labels listed, by a kernel, and factored."""

from __future__ import annotations

import numpy as np

from mcbook.foundation.linear import gram_root
from mcbook.foundation.programs import Optimum, solve_certified
from mcbook.foundation.types import Floats, Integers
from mcbook.structured_margins.algorithm.chains import ChainProblem
from mcbook.structured_margins.algorithm.enumerated import EnumeratedProblem


def solve_enumerated(problem: EnumeratedProblem) -> Optimum:
    """min 1/2 |w|^2 + C sum_i xi_i with every plane as a constraint; ``multipliers[i]`` are example i's.

    >>> from mcbook.structured_margins import enumerated_problem
    >>> found = solve_enumerated(enumerated_problem([np.array([0.0, 1.0])], [np.array([[0.0], [2.0]])], C=1.0))
    >>> found.point.round(3).tolist(), round(float(found.value), 4)
    ([0.5], 0.125)
    """
    import cvxpy as cp

    w, xi = cp.Variable(problem.n_features), cp.Variable(problem.n_blocks)
    met = [
        np.asarray(G, dtype=float) @ w + xi[i] >= np.asarray(b, dtype=float)
        for i, (b, G) in enumerate(zip(problem.offsets, problem.gradients, strict=True))
    ]
    return solve_certified(cp.Minimize(cp.sum_squares(w) / 2 + float(problem.C) * cp.sum(xi)), met, w, xi)


def solve_enumerated_dual(problem: EnumeratedProblem) -> Optimum:
    """Its dual over the weights alpha of all planes, those of each example with the sum C.

    >>> from mcbook.structured_margins import enumerated_problem
    >>> found = solve_enumerated_dual(enumerated_problem([np.array([0.0, 1.0])], [np.array([[0.0], [2.0]])], C=1.0))
    >>> found.point.round(3).tolist(), round(float(found.value), 4)
    ([0.75, 0.25], 0.125)
    """
    owners = np.repeat(np.arange(problem.n_blocks), [len(b) for b in problem.offsets])
    G = np.concatenate([np.asarray(G, dtype=float) for G in problem.gradients])
    b = np.concatenate([np.asarray(b, dtype=float) for b in problem.offsets])
    return _solve_weights(G, b, owners, float(problem.C))


def solve_gram_dual(gram: Floats, offsets: Floats, owners: Integers, C: float) -> Optimum:
    """The same from the inner products of all planes alone, ``gram (n_planes, n_planes)``.

    >>> G = np.array([[0.0], [2.0]])
    >>> round(float(solve_gram_dual(G @ G.T, np.array([0.0, 1.0]), np.array([0, 0]), 1.0).value), 4)
    0.125
    """
    return _solve_weights(gram_root(gram), offsets, owners, C)


def _solve_weights(G: Floats, b: Floats, owners: Integers, C: float) -> Optimum:
    import cvxpy as cp

    alpha = cp.Variable(len(b))
    sums = (np.arange(owners.max() + 1)[:, None] == owners).astype(float)
    value = b @ alpha - cp.sum_squares(G.T @ alpha) / 2
    return solve_certified(cp.Maximize(value), [alpha >= 0, sums @ alpha == C], alpha)


def solve_factored_dual(problem: ChainProblem) -> Optimum:
    """The dual over marginals ``P (n_positions, n_labels)``, and those of the pairs on every edge that agree with them.

    Maximise C sum_t <P_t, cost of y_t> - 1/2 |w|^2 with w = C (Psi(x, y) - expected Psi under the marginals).

    >>> from mcbook.structured import chains, structures
    >>> from mcbook.structured_margins import chain_problem
    >>> problem = chain_problem(structures([[1.0], [-1.0]], chains([2])), np.array([0, 1]), 2, C=0.1)
    >>> found, listed = solve_factored_dual(problem).value, solve_enumerated_dual(problem.listed()).value
    >>> abs(float(found) - float(listed)) < 1e-5
    True
    """
    import cvxpy as cp

    data, joint, y = problem.data, problem.joint, problem.y
    forest, k, C = data.forest, joint.n_labels, float(problem.C)
    at = forest.children
    P = cp.Variable((forest.n_positions, k), nonneg=True)
    agree = [cp.sum(P, axis=1) == 1]
    total = np.zeros((k, k))
    if len(at):
        # Row e holds the distribution of the pair on edge e, the parent's label running slowly.
        pairs = cp.Variable((len(at), k * k), nonneg=True)
        agree += [pairs @ np.kron(np.eye(k), np.ones((k, 1))) == P[forest.parents[at]]]
        agree += [pairs @ np.kron(np.ones((k, 1)), np.eye(k)) == P[at]]
        total = cp.reshape(cp.sum(pairs, axis=0), (k, k), order="C")
    X = data.X.toarray() if hasattr(data.X, "toarray") else np.asarray(data.X, dtype=float)
    ends = [cp.sum(P[rows], axis=0, keepdims=True) for rows in (forest.roots, forest.leaves)]
    own = np.asarray(joint.vector(data, y), dtype=float).reshape(joint.shape)
    w = C * (own - cp.vstack([X.T @ P, total, *ends]))
    losses = C * cp.sum(cp.multiply(np.asarray(problem.cost, dtype=float)[y], P))
    return solve_certified(cp.Maximize(losses - cp.sum_squares(w) / 2), agree, P)
