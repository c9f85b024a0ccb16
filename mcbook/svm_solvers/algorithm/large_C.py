"""Features so large, or slack so costly, that the solution has reached the last piece of its path.

Divide the features by s: as s falls, which is the same as to make slack costlier, the flows move along a path of
finitely many pieces, each of them straight in s^2.  On the last one, which goes on to s = 0, scores stand still: they
are those of the shortest weights with the least sum of slacks, with data that can be separated those of the hard
margin.  So the flows at the features as they are lie on the line through those at two larger s.  (Columns that are
small already, such as the constant 1 of an intercept, stay as they are; then the pieces are curved, but the last one
ends as straight.) For features as they are, rounding keeps other methods from the gap: weights are a small difference
of huge terms.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from mcbook.foundation.types import Array
from mcbook.svm_solvers.algorithm.objective import GapPoint, Problem, SVMSolution

# Above this largest C_i |x_i|^2, how far the scores of an example can be moved by its own flows, C is large.
# Columns stay as they are where their squares are at most this part of the largest.
_HIGH, _SMALL_COLUMN = 1e9, 1e-10
# The path is looked at from where the largest is this; from one point to the next s^2 falls by a factor, so many times
# at most, ...
_START, _FACTOR, _MOST_POINTS = 1e7, 10.0, 5
# ... and the gap there is this part of the one that is asked for, as errors grow with the distance.
_CLOSER = 1e-3
# Weights are tried so much longer, in parts of the tolerance: so that no margin falls short of 1 by rounding.
_LONGER = 0.25

Solve = Callable[[Problem, float, int], SVMSolution]


def largest_C(problem: Problem) -> float:
    """The largest C_i |x_i|^2, in units of the one above which C is large."""
    return float((problem.capacity * problem.squared_norms).max()) / _HIGH


def solve_by_path(problem: Problem, solve: Solve, tol: float, max_iter: int) -> SVMSolution:
    """What the solutions with smaller features say of this one; the best found, in half of the iterations at most."""
    begun, square, n_iter = time.perf_counter(), largest_C(problem) * _HIGH / _START, 0
    columns, best, before = _large_columns(problem.X), _at_rest(problem), None
    history = [GapPoint(0, 0.0, best.primal, best.dual)]
    for number in range(_MOST_POINTS):
        factors = np.where(columns, square**-0.5, 1.0)
        most = (max_iter // 2 - n_iter) // (_MOST_POINTS - number)
        found = solve(replace(problem, X=_scaled(problem.X, factors)), _CLOSER * tol, most)
        n_iter += found.n_iter
        point = found.W * factors, found.alpha
        if before is not None:
            further = (square - 1) / (square * (_FACTOR - 1))
            W, flows = (now + further * (now - then) for now, then in zip(point, before, strict=True))
            weights = [length * V for V in (W, point[0]) for length in (1, 1 + _LONGER * tol)]
            # Where no slack is paid the line goes through 0, which is told better without a difference.
            best = min(best, _best(problem, weights, [flows, point[1] / square]), key=lambda solution: solution.gap)
            history.append(GapPoint(n_iter, time.perf_counter() - begun, best.primal, best.dual))
        if best.gap <= tol or square <= _FACTOR:
            break
        before, square = point, square / _FACTOR
    return replace(best, n_iter=n_iter, converged=best.gap <= tol, history=tuple(history))


def _large_columns(X: Any) -> Any:
    largest = abs(X).max(axis=0)
    squares = (largest.toarray().ravel() if sparse.issparse(largest) else largest) ** 2
    return squares > _SMALL_COLUMN * squares.max()


def _scaled(X: Any, factors: Array) -> Any:
    return sparse.csr_matrix(X @ sparse.diags(factors)) if sparse.issparse(X) else X * factors


def _at_rest(problem: Problem) -> SVMSolution:
    """No weights and no flows."""
    W, flows = np.zeros((problem.n_classes, problem.X.shape[1])), np.zeros((len(problem.y), problem.n_classes))
    return SVMSolution(W, flows, problem.primal(W), 0.0, 0, False, "newton", ())


def _best(problem: Problem, weights: list[Array], flows: list[Array]) -> SVMSolution:
    """The weights with the lowest and the flows with the highest value: the optimum lies between any two."""

    def dual(feasible: Array) -> float:
        own = feasible[np.arange(len(problem.y)), problem.y]
        return float(own.sum()) - 0.5 * float((problem.weights(feasible) ** 2).sum())

    W, alpha = min(weights, key=problem.primal), max((_feasible(problem, given) for given in flows), key=dual)
    return SVMSolution(W, alpha, problem.primal(W), dual(alpha), 0, False, "newton", ())


def _feasible(problem: Problem, flows: Array) -> Array:
    """The flows with what rounding or a bend of the path has put out of bounds put back."""
    label = np.arange(len(problem.y)), problem.y
    one_slack = problem.loss == "crammer-singer"
    given = np.clip(-flows, 0.0, None if one_slack else problem.capacity[:, None])
    given[label] = 0.0
    if one_slack:
        total = given.sum(axis=1)
        given *= (problem.capacity / np.maximum(total, problem.capacity))[:, None]
    found = -given
    found[label] = given.sum(axis=1)
    return found
