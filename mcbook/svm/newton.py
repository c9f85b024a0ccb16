"""A semismooth Newton augmented Lagrangian for the Crammer–Singer machine: many examples, few weights, high accuracy.

The dual is maximised by proximal steps: each adds -sum_i |u_i - centre_i|^2 / (2 sigma C_i) to it.  In terms of the
weights a proximal step minimises 1/2 |W|^2 + the hinge losses smoothed with sigma, which is piecewise quadratic, so
Newton's method needs few steps.  With the maximisers u(W) of the smoothed losses and the flows alpha = C_i e_y - u, its
gradient is W - W(alpha), and half the square of that is exactly the duality gap of the proximal step.  The next centre
is u; larger sigma mean fewer and harder proximal steps.

The products go through scipy's BLAS, like the factorisations, and on one thread: numpy's wheel carries a second pool of
threads, the two fight when they alternate, and the matrices are too small for threads to gain anything.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import dgemm
from scipy.linalg.lapack import dposv

from mcbook.blas import limited_blas
from mcbook.svm.ascent import ascend
from mcbook.svm.objective import Array, GapPoint, Problem, SVMSolution, relative_gap

# Ascent goes ahead for as many passes as cost about one Newton system, within these bounds.
_WARM_PASSES = 20, 50
_FIRST_SIGMA, _GROWTH, _LARGEST_SIGMA = 1.0, 2.0, 1e7
# A proximal step is solved until its own gap is this part of what the step moved.
_INNER = 0.1
_INNER_STEPS = 40
_ARMIJO, _SHORTEST = 1e-4, 1e-5
# Changes of the objective below this part of it may be rounding.
_ROUNDING = 1e-14
# Proximal steps in a row that may fail to halve the gap before coordinate ascent takes over.
_PATIENCE = 8


class Unsolved(ArithmeticError):
    """Newton's method came to a point from which it makes no progress in floating point."""


@dataclass(frozen=True)
class _Point:
    """Weights, and what the smoothed losses say there; what only kept points need is worked out when asked."""

    smooth: _Smoothed
    W: Array
    scores: Array
    smoothed: float
    primal: float
    u: Array
    alpha: Array
    support: NDArray[np.int64]

    @cached_property
    def W_alpha(self) -> Array:
        return np.ascontiguousarray(product(self.smooth.X_transposed, self.alpha).T)

    @cached_property
    def dual(self) -> float:
        own = self.alpha[self.smooth.samples, self.smooth.problem.y]
        return float(own.sum()) - 0.5 * float((self.W_alpha * self.W_alpha).sum())

    @cached_property
    def gradient(self) -> Array:
        return self.W - self.W_alpha

    @cached_property
    def inner_gap(self) -> float:
        return 0.5 * float((self.gradient**2).sum())


def solve_newton(problem: Problem, *, gap: float, max_iter: int, random_state: Any = 0) -> SVMSolution:
    """Solve to the relative gap, or stop after ``max_iter`` Newton steps; dense data and Crammer–Singer loss only."""
    if not problem.capacity.all():
        return _without_weightless(problem, gap=gap, max_iter=max_iter, random_state=random_state)
    with limited_blas(1):
        return _solve(problem, gap=gap, max_iter=max_iter, random_state=random_state)


def _solve(problem: Problem, *, gap: float, max_iter: int, random_state: Any) -> SVMSolution:
    begun = time.perf_counter()
    smooth = _Smoothed(problem)
    start = ascend(problem, gap=gap, max_iter=_warm_passes(problem), random_state=random_state)
    history = list(start.history)
    if start.converged:
        return start
    assert start.W is not None
    W, centre, sigma, n_iter = start.W, smooth.maximisers(start.alpha), _FIRST_SIGMA, 0
    best, failures = start, 0
    while n_iter < max_iter and failures < _PATIENCE:
        for point in smooth.proximal_step(W, centre, sigma, gap):
            n_iter += 1
            history.append(GapPoint(n_iter, time.perf_counter() - begun, point.primal, point.dual))
            if n_iter >= max_iter:
                break
        exact = smooth.at_flows(point)
        history.append(GapPoint(n_iter, time.perf_counter() - begun, exact.primal, exact.dual))
        failures = 0 if exact.gap < 0.5 * best.gap else failures + 1
        if exact.gap < best.gap:
            best = exact
        if best.gap <= gap:
            break
        sigma = min(sigma * _GROWTH, _LARGEST_SIGMA)
        W, centre = point.W, point.u
    if best.gap > gap and n_iter < max_iter:
        return _handed_over(problem, best, history, n_iter, gap=gap, max_iter=max_iter, random_state=random_state)
    return replace(best, n_iter=n_iter, converged=best.gap <= gap, history=tuple(history))


def _warm_passes(problem: Problem) -> int:
    n_samples, n_weights = len(problem.y), problem.X.shape[1] * problem.n_classes
    return int(np.clip(n_weights**2 / (6 * n_samples), *_WARM_PASSES))


def _handed_over(
    problem: Problem, best: SVMSolution, history: list[GapPoint], n_iter: int, *, max_iter: int, **options: Any
) -> SVMSolution:
    """Coordinate ascent, which no rounding can stop, from the best flows that Newton's method reached."""
    rest = ascend(problem, max_iter=max_iter - n_iter, alpha=best.alpha, **options)
    seconds = history[-1].seconds
    later = [h._replace(n_iter=n_iter + h.n_iter, seconds=seconds + h.seconds) for h in rest.history]
    return replace(rest, n_iter=n_iter + rest.n_iter, history=(*history, *later))


def _without_weightless(problem: Problem, **options: Any) -> SVMSolution:
    """Examples of weight 0 carry no flow and have no say."""
    kept = problem.capacity > 0
    part = replace(problem, X=problem.X[kept], y=problem.y[kept], capacity=problem.capacity[kept])
    found = solve_newton(part, **options)
    alpha = np.zeros((len(kept), problem.n_classes))
    alpha[kept] = found.alpha
    return replace(found, alpha=alpha)


class _Smoothed:
    """The smoothed problem: its values, its proximal steps, its Newton directions."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.X, self.X_transposed = problem.X, np.ascontiguousarray(problem.X.T)
        self.samples = np.arange(len(problem.y))

    def maximisers(self, alpha: Array) -> Array:
        """The point of each simplex that flows stand for: u = capacity e_y - alpha; and the flows for such points."""
        u = -alpha
        u[self.samples, self.problem.y] += self.problem.capacity
        return u

    def at(self, W: Array, scores: Array, centre: Array, sigma: float) -> _Point:
        """What the smoothed losses say at weights with these scores."""
        from mcbook.kernels.svm_newton import smoothed_losses

        p = self.problem
        u, flows, support = np.empty_like(centre), np.empty_like(centre), np.empty(len(p.y), dtype=np.int64)
        smoothed, hinges = smoothed_losses(scores, p.y, p.capacity, centre, sigma, u, flows, support)
        half = 0.5 * float((W * W).sum())
        return _Point(self, W, scores, half + smoothed, half + hinges, u, flows, support)

    def scores(self, W: Array) -> Array:
        return product(self.X, np.ascontiguousarray(W.T))

    def at_flows(self, point: _Point) -> SVMSolution:
        """The point's flows with their own weights, which is what a solution consists of."""
        W = self.problem.weights(point.alpha)
        primal, dual = self.problem.values(W, point.alpha, self.problem.scores(W))
        return SVMSolution(W, point.alpha, primal, dual, 0, False, "newton", ())

    def proximal_step(self, W: Array, centre: Array, sigma: float, gap: float) -> Iterator[_Point]:
        """Newton steps until the proximal step is solved well enough, or rounding hides all progress."""
        point = self.at(W, self.scores(W), centre, sigma)
        yield point
        for _ in range(_INNER_STEPS):
            goal = _INNER * self.moved(point, centre, sigma)
            if relative_gap(point.primal, point.dual) <= gap:
                goal = min(goal, 0.01 * gap * point.primal)
            if point.inner_gap <= goal:
                return
            found = self.search(point, self.direction(point, sigma), centre, sigma)
            if abs(found.smoothed - point.smoothed) <= _ROUNDING * abs(point.smoothed) and (
                found.inner_gap >= 0.5 * point.inner_gap
            ):
                return
            point = found
            yield point

    def moved(self, point: _Point, centre: Array, sigma: float) -> float:
        """What the proximal term is at the point."""
        return float(((point.u - centre) ** 2).sum(axis=1) @ (0.5 / (sigma * self.problem.capacity)))

    def search(self, point: _Point, direction: Array, centre: Array, sigma: float) -> _Point:
        """A step that lowers the smoothed objective enough: 1, or shorter ones aimed at where its slope is 0."""
        slope = float((point.gradient * direction).sum())
        ceiling = point.smoothed + _ROUNDING * abs(point.smoothed)
        scores = self.scores(direction)
        length = 1.0
        while True:
            W, length_scores = point.W + length * direction, point.scores + length * scores
            found = self.at(W, length_scores, centre, sigma)
            if found.smoothed <= ceiling + _ARMIJO * length * slope or length < _SHORTEST:
                return found
            steepness = float((W * direction).sum()) - float(np.vdot(found.alpha, scores))
            length *= float(np.clip(slope / (slope - steepness), 0.1, 0.7)) if steepness > slope else 0.5

    def direction(self, point: _Point, sigma: float) -> Array:
        """Newton's direction -H^-1 gradient with H = I + sigma sum_i C_i J_i (x) x_i x_i'.

        J_i = Q_i Q_i' has rank support_i - 1, so with all its rows q (x) x in a matrix A and sigma C_i in a diagonal
        one D, H = I + A'D A; whichever of H and D^-1 + A A' is smaller is factorised.
        """
        if int((point.support - 1).sum()) < point.W.size:
            return self._by_examples(point, sigma)
        return self._by_weights(point, sigma)

    def _by_weights(self, point: _Point, sigma: float) -> Array:
        from mcbook.kernels.svm_newton import curvature

        H = curvature(self.X, point.u, point.support, sigma * self.problem.capacity)
        return solve_positive(H.T, -point.gradient.ravel()).reshape(point.W.shape)

    def _by_examples(self, point: _Point, sigma: float) -> Array:
        from mcbook.kernels.svm_newton import centred_bases

        examples, Q = centred_bases(point.u, point.support)
        if not len(examples):
            return -point.gradient
        X = self.X[examples]
        A_gradient = (product(X, np.ascontiguousarray(point.gradient.T)) * Q).sum(axis=1)
        AA = product(X, np.ascontiguousarray(X.T)) * product(Q, np.ascontiguousarray(Q.T))
        AA[np.diag_indices(len(AA))] += 1 / (sigma * self.problem.capacity[examples])
        multipliers = solve_positive(AA.T, A_gradient)
        return product(np.ascontiguousarray((Q * multipliers[:, None]).T), X) - point.gradient


def product(A: Array, B: Array) -> Array:
    """A @ B for C-ordered matrices, through scipy's BLAS and without copies."""
    return np.asarray(dgemm(1.0, B.T, A.T).T)


def solve_positive(matrix: Array, right: Array) -> Array:
    """The solution of a positive definite system given in Fortran order; the matrix is overwritten."""
    _, solution, failed = dposv(matrix, right, lower=0, overwrite_a=1)
    if failed:
        raise Unsolved(f"the Newton system has a leading minor of order {failed} that is not positive")
    return np.asarray(solution)
