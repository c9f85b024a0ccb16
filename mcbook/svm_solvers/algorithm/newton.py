"""A semismooth Newton augmented Lagrangian for the multi-class SVMs: many examples, few weights, high accuracy.

The dual is maximised by proximal steps: each adds -sum_i |alpha_i - centre_i|^2 / (2 tau C_i) to it, and its
maximiser is the next centre.  In terms of the weights a proximal step minimises a smoothed problem, which is piecewise
quadratic, so Newton's method needs few steps (see `mcbook.svm_solvers.algorithm.smoothed`).  Larger tau mean fewer and
harder proximal steps: tau grows with every step that is solved, the faster the easier it was, and shrinks where one is
too hard.

Late proximal steps change little: most examples stay at the corner of their simplex where they are.  Newton's method
then moves the flows of the others only, and a look at all examples tells whether one left its corner after all.

The linear algebra is kept to one thread: most of its matrices are too small for threads to gain anything.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from mcbook.foundation.blas import limited_blas
from mcbook.svm_solvers.algorithm.ascent import WeightRun, ascend
from mcbook.svm_solvers.algorithm.large_C import largest_C, solve_by_path
from mcbook.svm_solvers.algorithm.objective import GapPoint, Problem, SVMSolution
from mcbook.svm_solvers.algorithm.smoothed import Fixed, Point, SmoothedLosses
from mcbook.svm_solvers.algorithm.solver_choice import GapHistory

# Ascent goes ahead for as many passes as cost about one Newton system, within these bounds.
_WARM_PASSES = 5, 50
# The first tau is the number of examples for each weight, within these bounds, and such that tau C |x|^2, how far
# a score of 1 moves the same example's scores, is on average at most the last number.
_FIRST_TAU, _FIRST_MOVE = (1.0, 8.0), 400.0
# Growth after a proximal step that took several Newton steps, and after one that took at most one; and how tau
# shrinks where one is not solved in so many Newton steps.
_GROWTH, _FAST_GROWTH, _SHRINKAGE, _LARGEST_TAU = 2.0, 8.0, 1 / 8, 1e7
_INNER_STEPS = 40
# Examples are left out of a proximal step if their scores may move by this part of what they moved in the one before.
_PART_OF_SHIFT = 0.6
# Proximal steps in a row that may stay unsolved before coordinate ascent takes over.
_PATIENCE = 3
# With fewer passes and steps than this there is no time for solutions at several costs.
_FEWEST_AT_LARGE_C = 100


def solve_newton(
    problem: Problem, *, tol: float, max_iter: int, random_state: Any = 0, switching: bool = False
) -> SVMSolution:
    """Solve to the relative gap, or stop after ``max_iter`` passes and Newton steps together.

    Ascent goes ahead for a few passes; with ``switching`` for as long as it is the shorter way (see
    `mcbook.svm_solvers.algorithm.solver_choice`).

    >>> problem = Problem.checked(np.eye(2), np.array([0, 1]), n_classes=2, C=1.0)
    >>> round(solve_newton(problem, tol=1e-8, max_iter=100).primal, 6)
    0.5
    """
    if not problem.capacity.all():
        return _without_weightless(problem, tol=tol, max_iter=max_iter, random_state=random_state, switching=switching)

    def solve(part: Problem, tol: float, most: int) -> SVMSolution:
        # Where C is large passes are slow, and what they leave is a bad place to begin.
        return _solve(part, tol, most, random_state, switching=False)

    if max_iter < _FEWEST_AT_LARGE_C or largest_C(problem) <= 1:
        return _solve(problem, tol, max_iter, random_state, switching)
    found = solve_by_path(problem, solve, tol, max_iter)
    return found if found.converged else _better(found, solve(problem, tol, max_iter - found.n_iter))


def _solve(problem: Problem, tol: float, max_iter: int, random_state: Any, switching: bool) -> SVMSolution:
    run, gap_history = WeightRun(problem, random_state), GapHistory()
    run.begin()
    gap_history.note(run)
    if switching and run.is_small:
        run.advance(tol, max_iter)
        if run.gap <= tol:
            return run.solution(tol)
        gap_history.note(run)
    with limited_blas(1):
        _run_to_tolerance(run, gap_history, tol, max_iter, switching)
        return _second_order(run, tol, max_iter, random_state)


def _run_to_tolerance(run: WeightRun, gap_history: GapHistory, tol: float, max_iter: int, switching: bool) -> None:
    """Ascend up to where Newton's method takes over."""
    passes = _warm_passes(run.problem)
    while run.gap > tol and run.n_iter < max_iter:
        if gap_history.newton_pays(run, tol, max_iter - run.n_iter) if switching else run.n_iter >= passes:
            break
        run.advance(tol, min(max_iter, max_iter if switching else passes) - run.n_iter)
        gap_history.note(run)


def _second_order(run: WeightRun, tol: float, max_iter: int, random_state: Any) -> SVMSolution:
    """Proximal steps from where the ascent has come to, which gives the last word where these cannot go on."""
    problem, best = run.problem, run.solution(tol)
    history, n_iter, score_shift, failures = list(best.history), best.n_iter, run.shift, 0
    if best.gap <= tol or n_iter >= max_iter:
        return best
    start = first_point(problem, best, _first_tau(problem))
    while best.gap > tol and n_iter < max_iter and failures < _PATIENCE:
        n_before, point = n_iter, start
        for point, n_steps in proximal_step(start, score_shift, tol, min(max_iter - n_iter, _INNER_STEPS)):
            n_iter += n_steps
            history.append(GapPoint(n_iter, time.perf_counter() - run.begun, point.primal, point.dual))
        n_steps, n_iter = n_iter - n_before, max(n_iter, n_before + 1)
        found = _solution(problem, point, tol)
        history.append(GapPoint(n_iter, time.perf_counter() - run.begun, found.primal, found.dual))
        best = min(best, found, key=_gap)
        if np.array_equal(point.alpha, start.losses.centre):
            break
        if point.losses.solved(point, tol):
            failures = 0
            score_shift = _PART_OF_SHIFT * float(np.abs(point.scores - start.scores).max())
            start = _next_point(point, _FAST_GROWTH if n_steps <= 1 else _GROWTH)
        else:
            failures += 1
            start = _retried(start)
    best = replace(best, n_iter=n_iter, converged=best.gap <= tol, history=tuple(history))
    if best.gap > tol and n_iter < max_iter:
        # Coordinate ascent, which no rounding can stop, from the best flows that Newton's method reached.
        options: Any = {"tol": tol, "max_iter": max_iter - n_iter, "random_state": random_state}
        return _better(best, ascend(problem, alpha=best.alpha, **options))
    return best


def proximal_step(point: Point, score_shift: float, tol: float, most: int) -> Iterator[tuple[Point, int]]:
    """Points on the way to the solution of a smoothed problem, and the Newton steps, at most so many in all, to each.

    Examples are left out as long as their scores may move by more than ``score_shift`` and they keep their corner.
    """
    losses, near = point.losses, point.allowed_shift <= score_shift
    while most > 0 and not losses.solved(point, tol):
        start = losses.restricted(point, near)
        found, n_steps = start.losses.minimised(start, tol, most)
        most -= n_steps
        if found.losses is losses:
            yield found, n_steps
            return
        found = losses.at(found.W, losses.scores(found.W))
        left = ~near & (found.allowed_shift < 0)
        near |= left
        if found.above(point):
            yield point, n_steps
            if not left.any():
                return
            continue
        yield found, n_steps
        if found.within_rounding_of(point):
            return
        point = found


def first_point(problem: Problem, start: SVMSolution, tau: float) -> Point:
    """Where a first solution stands in the smoothed problem about it."""
    assert start.W is not None
    one_slack = problem.loss == "crammer-singer"
    losses = SmoothedLosses(problem.X, problem.y, problem.capacity, start.alpha, tau, Fixed.none(start.W), one_slack)
    return losses.at(start.W, losses.scores(start.W))


def _next_point(point: Point, growth: float) -> Point:
    """The same weights in the smoothed problem about the maximisers that were found, with a larger tau."""
    tau = min(point.losses.tau * growth, _LARGEST_TAU)
    return replace(point.losses, centre=point.alpha, tau=tau).at(point.W, point.scores)


def _retried(start: Point) -> Point:
    """The same weights and centre with a smaller tau, which makes an easier problem."""
    return replace(start.losses, tau=start.losses.tau * _SHRINKAGE).at(start.W, start.scores)


def _warm_passes(problem: Problem) -> int:
    """How many passes of ascent cost about as much as a Newton system."""
    n_weights = problem.X.shape[1] * problem.n_classes
    return int(np.clip(n_weights**2 / (6 * len(problem.y)), *_WARM_PASSES))


def _first_tau(problem: Problem) -> float:
    n_samples, n_weights = len(problem.y), problem.X.shape[1] * problem.n_classes
    largest = _FIRST_MOVE * n_samples / max(float(problem.capacity @ problem.squared_norms), 1e-300)
    return min(float(np.clip(n_samples / n_weights, *_FIRST_TAU)), largest)


def _solution(problem: Problem, point: Point, tol: float) -> SVMSolution:
    """The point's flows with their own weights, or with the point's where rounding keeps the former from the gap."""
    W = problem.weights(point.alpha)
    primal, dual = problem.values(W, point.alpha, problem.scores(W))
    found = SVMSolution(W, point.alpha, primal, dual, 0, False, "newton", ())
    if found.gap <= tol:
        return found
    primal = problem.primal(point.W, problem.scores(point.W))
    return found if found.primal <= primal else replace(found, W=point.W, primal=primal)


def _better(before: SVMSolution, after: SVMSolution) -> SVMSolution:
    """The one with the smaller gap, and what both have cost."""
    seconds = before.history[-1].seconds
    later = [h._replace(n_iter=before.n_iter + h.n_iter, seconds=seconds + h.seconds) for h in after.history]
    best = min(before, after, key=_gap)
    return replace(best, n_iter=before.n_iter + after.n_iter, history=(*before.history, *later))


def _gap(solution: SVMSolution) -> float:
    return solution.gap


def _without_weightless(problem: Problem, **options: Any) -> SVMSolution:
    """Examples of weight 0 carry no flow and have no say."""
    kept = problem.capacity > 0
    part = replace(problem, X=problem.X[kept], y=problem.y[kept], capacity=problem.capacity[kept])
    found = solve_newton(part, **options)
    alpha = np.zeros((len(kept), problem.n_classes))
    alpha[kept] = found.alpha
    return replace(found, alpha=alpha)
