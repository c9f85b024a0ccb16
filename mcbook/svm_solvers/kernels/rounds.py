"""Looks and passes of an ascent in one compiled call, for data so small that a call costs more than what it does."""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.svm_solvers.kernels.active_faces import climb_face
from mcbook.svm_solvers.kernels.ascent import largest_shift, list_rivals
from mcbook.svm_solvers.kernels.passes import ascent_passes


@njit(cache=True)
def weights_and_scores(X, alpha, W, scores):
    """Fill ``W`` with sum_i alpha_i x_i and ``scores`` with X W'; return 1/2 |W|^2."""
    n_samples, n_features = X.shape
    W[:] = 0.0
    for i in range(n_samples):
        for z in range(alpha.shape[1]):
            if alpha[i, z] != 0.0:
                for j in range(n_features):
                    W[z, j] += alpha[i, z] * X[i, j]
    for i in range(n_samples):
        for z in range(alpha.shape[1]):
            score = 0.0
            for j in range(n_features):
                score += X[i, j] * W[z, j]
            scores[i, z] = score
    return 0.5 * (W * W).sum()


@njit(cache=True)
def cost_of_pass(costs, n_active, n_listed):
    """At least, for each active example with one rival, and for each further class that is listed."""
    return costs[0] + costs[1] * n_active + costs[2] * (n_listed - 2 * n_active)


@njit(cache=True)
def passes_until_look(n_looks, cost_of_look, cost_of_pass, worthwhile, most):
    """So many times as long as a look, within bounds that begin low: early looks find much to leave out."""
    return min(np.int64(worthwhile * max(cost_of_look / cost_of_pass, 2.0)), 2 ** min(n_looks, 30), most)


@njit(
    "Tuple((int64, int64, int64, int64, float64, float64, float64, float64))(UniTuple(float64[:, ::1], 1),"
    " int64[::1], float64[::1], float64[::1], float64[:, ::1], float64[:, ::1], float64[:, ::1], int64[::1],"
    " int32[::1], int64[::1], int64, int64, float64, float64, uint64[::1], boolean, float64, int64, float64,"
    " UniTuple(float64, 4), UniTuple(float64, 3), UniTuple(int64, 3))",
    cache=True,
)
def ascent_rounds(
    rows,
    y,
    capacity,
    squared_norms,
    alpha,
    W,
    scores,
    starts,
    listed,
    active,
    n_active,
    n_looks,
    primal,
    dual,
    seed,
    one_slack,
    tol,
    most,
    budget,
    costs,
    habits,
    limits,
):
    """Passes and looks in turn until the relative gap is reached, ``most`` passes are made or ``budget`` is spent.

    ``costs``: of a look, and the three of `cost_of_pass`.  ``habits``: what part of the last
    shift scores are taken to move by, the fall of the gap between looks, how many times as long as a look passes last.
    ``limits``: patience, most passes between looks.  Changes flows, weights, scores and lists.
    Returns the numbers of passes, looks, active examples and free flows, then shift, primal and dual
    value, and what was spent.
    """
    state, before = W.copy(), scores.copy()
    quiet = np.zeros(len(y), np.int64)
    n_passes, n_free, shift, spent, saved = 0, 0, np.inf, 0.0, 0.0
    while primal - dual > tol * primal and n_passes < most and spent < budget:
        cost = cost_of_pass(costs[1:], n_active, starts[-1])
        planned = min(passes_until_look(n_looks + 1, costs[0], cost, habits[2], limits[1]), most - n_passes)
        goal = max(habits[1] * (primal - dual), tol * primal)
        quiet[:] = 0
        made = ascent_passes(
            rows,
            active[:n_active].copy(),
            n_active,
            starts,
            listed,
            squared_norms,
            y,
            capacity,
            alpha,
            state,
            quiet,
            limits[0],
            one_slack,
            True,
            goal,
            planned,
            seed,
        )[0]
        n_passes += max(made, 1)
        spent += costs[0] + max(made, 1) * cost
        saved += costs[0] + max(made, 1) * cost
        if one_slack and n_passes < most:
            n_solved, climb_cost = climb_face(
                rows, y, capacity, alpha, state, active, n_active, saved, min(most - n_passes, limits[2])
            )
            n_passes, spent, saved = n_passes + n_solved, spent + climb_cost, saved - climb_cost
        before[:] = scores
        half = weights_and_scores(rows[0], alpha, W, scores)
        state[:] = W
        shift = largest_shift(scores, before)
        n_active, n_free, hinges = list_rivals(
            scores, y, capacity, alpha, squared_norms, habits[0] * shift, one_slack, starts, listed, active
        )
        own = 0.0
        for i in range(len(y)):
            own += alpha[i, y[i]]
        primal, dual = half + hinges, own - half
        n_looks += 1
    return n_passes, n_looks, n_active, n_free, shift, primal, dual, spent
