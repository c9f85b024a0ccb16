"""Newton's step of the dual on the face that the flows stand on: all flows strictly between their bounds move at once.

A direction is (example, taker, giver): one unit of flow less for the giver, one more for the taker.  The taker is the
label while it can take more, and otherwise the rival that gives the most, so that the label's flow stays.  On a face
the dual is a quadratic, and its best point solves one linear system with a row for each direction.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mcbook.svm_solvers.kernels.blocks import REORDERED_SUMS

# A label this close to its capacity, relative to it, takes no more; flows this small are rounding.
_FULL, _NOTHING = 1e-12, 1e-15
# A face with more directions than weights has flat ones, along which this part of the largest square is the curvature.
_RIDGE = 1e-9
# Where the whole step leaves the face, shorter ones bent at the bounds are tried, down to this part of it.
_SHORTER, _SHORTEST = 0.35, 1e-3


@njit(cache=True)
def cost_of_face(n, n_features):
    """Nanoseconds of a common machine for one system with so many directions."""
    return 3e3 + n * (40.0 + 2.0 * n_features) + n * n * (0.1 * n_features + 12.0) + 0.06 * n**3


@njit(cache=True)
def list_directions(alpha, y, capacity, active, n_active, most):
    """The directions of the active examples: example, taker and giver of each, and their number; -1 if above most."""
    examples, takers, givers = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.int64)
    n = 0
    for place in range(n_active):
        i = active[place]
        taker = y[i]
        if alpha[i, taker] >= (1.0 - _FULL) * capacity[i]:
            taker = 1 if y[i] == 0 else 0
            for z in range(alpha.shape[1]):
                if z != y[i] and alpha[i, z] < alpha[i, taker]:
                    taker = z
        for z in range(alpha.shape[1]):
            if z != taker and alpha[i, z] < 0.0 and z != y[i]:
                if n == most:
                    return examples, takers, givers, -1
                examples[n], takers[n], givers[n] = i, taker, z
                n += 1
    return examples[:n], takers[:n], givers[:n], n


@njit(cache=True)
def face_system(X, y, W, examples, takers, givers):
    """The examples' rows, minus the dual's second derivatives along the directions, and its first."""
    n, n_features = examples.shape[0], X.shape[1]
    rows, slopes = np.empty((n, n_features)), np.empty(n)
    for r in range(n):
        i, a, z = examples[r], takers[r], givers[r]
        slope = 1.0 if a == y[i] else 0.0
        for j in range(n_features):
            rows[r, j] = X[i, j]
            slope += X[i, j] * (W[z, j] - W[a, j])
        slopes[r] = slope
    curvature, largest = np.dot(rows, rows.T), 0.0
    for r in range(n):
        a, z = takers[r], givers[r]
        for s in range(n):
            b, v = takers[s], givers[s]
            shared = (1.0 if a == b else 0.0) + (1.0 if z == v else 0.0)
            shared -= (1.0 if a == v else 0.0) + (1.0 if z == b else 0.0)
            curvature[r, s] *= shared
        largest = max(largest, curvature[r, r])
    for r in range(n):
        curvature[r, r] += _RIDGE * largest
    return rows, curvature, slopes


@njit(cache=True, fastmath=REORDERED_SUMS)
def solved_by_cholesky(matrix, right):
    """The solution of a positive definite system."""
    n, solution = right.shape[0], right.copy()
    root = np.linalg.cholesky(matrix)
    for r in range(n):
        rest = solution[r]
        for s in range(r):
            rest -= root[r, s] * solution[s]
        solution[r] = rest / root[r, r]
    for r in range(n - 1, -1, -1):
        solution[r] /= root[r, r]
        value = solution[r]
        for s in range(r):
            solution[s] -= root[r, s] * value
    return solution


@njit(cache=True)
def bounded(alpha, y, capacity, examples, takers, givers, step, bent):
    """How much of a step stays within the bounds, at most 1; fills ``bent`` with it, bent at the bounds it meets."""
    length, n, begin = 1.0, step.shape[0], 0
    while begin < n:
        i, taker, end, taken, given = examples[begin], takers[begin], begin, 0.0, 0.0
        while end < n and examples[end] == i:
            flow = alpha[i, givers[end]]
            if step[end] < flow:
                length = min(length, flow / step[end])
            bent[end] = max(step[end], flow)
            taken += step[end]
            given += max(step[end], 0.0)
            end += 1
        room = capacity[i] - alpha[i, taker] if taker == y[i] else -alpha[i, taker]
        if taken > room:
            length = min(length, max(room, 0.0) / taken)
        lowered = 0.0
        for r in range(begin, end):
            lowered += min(bent[r], 0.0)
        if given + lowered > room:
            for r in range(begin, end):
                if bent[r] > 0.0:
                    bent[r] *= max(room - lowered, 0.0) / given
        begin = end
    return length


@njit(cache=True, fastmath=REORDERED_SUMS)
def rise(curvature, slopes, step):
    """What a step adds to the dual."""
    n, total = step.shape[0], 0.0
    for r in range(n):
        if step[r] != 0.0:
            bend = 0.0
            for s in range(n):
                bend += curvature[r, s] * step[s]
            total += step[r] * (slopes[r] - 0.5 * bend)
    return total


@njit(cache=True)
def move_flows(rows, y, capacity, alpha, W, examples, takers, givers, step):
    """Change flows and weights by the step; what rounding leaves within a hair of a bound is put on it."""
    for r in range(step.shape[0]):
        i, a, z, flow = examples[r], takers[r], givers[r], step[r]
        if flow - alpha[i, z] <= _NOTHING * capacity[i]:
            flow = alpha[i, z]
            alpha[i, z] = 0.0
        else:
            alpha[i, z] -= flow
        alpha[i, a] += flow
        if a == y[i]:
            alpha[i, a] = min(alpha[i, a], capacity[i])
        elif alpha[i, a] >= -_NOTHING * capacity[i]:
            alpha[i, a] = 0.0
        for j in range(rows.shape[1]):
            W[a, j] += flow * rows[r, j]
            W[z, j] -= flow * rows[r, j]


@njit(
    "Tuple((int64, float64, boolean))(UniTuple(float64[:, ::1], 1), int64[::1], float64[::1], float64[:, ::1],"
    " float64[:, ::1], int64[::1], int64, float64, int64)",
    cache=True,
)
def climb_face(data, y, capacity, alpha, W, active, n_active, budget, most):
    """Newton steps on the faces met until one stays within its face, for ``most`` systems and the budget at most.

    Returns how many systems were solved, what they cost, and whether the last step stayed; each raises the dual.
    """
    X, n_solved, spent, stayed = data[0], 0, 0.0, False
    # No more directions than this can be independent; a few more may have to leave the face one by one.
    widest = 8 + 3 * (alpha.shape[1] - 1) * X.shape[1] // 2
    while cost_of_face(widest, X.shape[1]) > 2.0 * budget:
        widest //= 2
    while n_solved < most and not stayed:
        examples, takers, givers, n = list_directions(alpha, y, capacity, active, n_active, widest)
        if n <= 0 or spent + cost_of_face(n, X.shape[1]) > budget:
            break
        rows, curvature, slopes = face_system(X, y, W, examples, takers, givers)
        try:
            whole = solved_by_cholesky(curvature, slopes)
        except Exception:
            break
        spent += cost_of_face(n, X.shape[1])
        n_solved += 1
        bent = np.empty(n)
        length = bounded(alpha, y, capacity, examples, takers, givers, whole, bent)
        step, stayed = length * whole, length == 1.0
        if not stayed:
            found, goal, part = False, rise(curvature, slopes, step), 1.0
            while part > max(length, _SHORTEST) and not found:
                bounded(alpha, y, capacity, examples, takers, givers, part * whole, bent)
                found = rise(curvature, slopes, bent) > goal
                part *= _SHORTER
            if found:
                step = bent
        move_flows(rows, y, capacity, alpha, W, examples, takers, givers, step)
    return n_solved, spent, stayed
