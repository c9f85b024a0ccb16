"""The losses of some examples, smoothed about a centre, and Newton's method on 1/2 |W|^2 plus their sum.

The loss of example i is the largest of alpha_y - <alpha, scores> over its flows; smoothed, |alpha - centre|^2 /
(2 tau C_i) is subtracted; with Weston–Watkins the label's flow, which is the sum of the others, is left out of this
distance, so that each rival has an interval of its own.  With the maximisers alpha and W(alpha) = sum_i alpha_i x_i,
the gradient is W - W(alpha), and half the square of that is exactly the gap between the smoothed problem's primal and
dual value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mcbook.foundation.linear import (
    Unsolved,
    conjugate_gradients,
    solve_positive,
    times_transposed,
    transposed_times,
)
from mcbook.foundation.types import Array
from mcbook.svm_solvers.algorithm.objective import relative_gap

# The smoothed problem is solved once its gap is this part of what its centre has moved it by ...
_INNER = 0.1
# ... and, when the gap of the problem itself is small enough, so well that W and W(alpha) give the same value.
_SAME_VALUE = 1e-4
_ARMIJO, _SHORTEST = 1e-4, 1e-5
# Changes of the objective below this part of it may be rounding.
_ROUNDING = 1e-14
# Newton systems with more rows than this are solved by conjugate gradients, to this part of the right hand side.
MOST_ROWS = 3000
_RESIDUAL, _MOST_PRODUCTS = 1e-2, 500
# Examples are left out only where that leaves out this part of them.
_WORTHWHILE = 0.3


@dataclass(frozen=True)
class Fixed:
    """Examples whose flows stay, with one free class each: they add value - <weights, W> to the objective.

    In exact arithmetic the value is the sum of their own flows; each is kept as the difference that it makes, so that
    the restricted problem agrees with the whole one to rounding.
    """

    weights: Array
    value: float
    own_flows: float

    @classmethod
    def none(cls, W: Array) -> Fixed:
        """No example at all, for weights of this shape."""
        return cls(np.zeros_like(W), 0.0, 0.0)


@dataclass(frozen=True)
class Point:
    """Weights, and what the losses say there; what only kept points need is worked out when asked."""

    losses: SmoothedLosses
    W: Array
    scores: Array
    smoothed: float
    primal: float
    alpha: Array
    free: NDArray[np.bool_]
    support: NDArray[np.int64]
    allowed_shift: Array

    @cached_property
    def own_flows(self) -> float:
        return self.losses.fixed.own_flows + float(self.alpha[np.arange(len(self.alpha)), self.losses.y].sum())

    @cached_property
    def W_alpha(self) -> Array:
        return self.losses.fixed.weights + transposed_times(self.alpha, self.losses.X)

    @cached_property
    def dual(self) -> float:
        return self.own_flows - 0.5 * float((self.W_alpha * self.W_alpha).sum())

    @cached_property
    def gradient(self) -> Array:
        return self.W - self.W_alpha

    @cached_property
    def smoothed_gap(self) -> float:
        return 0.5 * float((self.gradient**2).sum())

    def above(self, earlier: Point) -> bool:
        """Whether the objective is larger than it was, by more than rounding."""
        return self.smoothed > earlier.smoothed + _ROUNDING * abs(earlier.smoothed)

    def within_rounding_of(self, earlier: Point) -> bool:
        """Whether the way here from an earlier point has come to nothing."""
        change = abs(self.smoothed - earlier.smoothed)
        return change <= _ROUNDING * abs(earlier.smoothed) and self.smoothed_gap >= 0.5 * earlier.smoothed_gap


@dataclass(frozen=True)
class SmoothedLosses:
    """The examples, the centre and the tau of one smoothed problem."""

    X: Any
    y: NDArray[np.int64]
    capacity: Array
    centre: Array
    tau: float
    fixed: Fixed
    one_slack: bool = True

    def at(self, W: Array, scores: Array) -> Point:
        """The point at weights with these scores."""
        from mcbook.svm_solvers.kernels.newton import smoothed_losses

        flows, free = np.empty_like(self.centre), np.empty(self.centre.shape, dtype=bool)
        support, allowed_shift = np.empty(len(self.y), dtype=np.int64), np.empty(len(self.y))
        smoothed, hinges = smoothed_losses(
            scores, self.y, self.capacity, self.centre, self.tau, self.one_slack, flows, free, support, allowed_shift
        )
        rest = 0.5 * float((W * W).sum()) + self.fixed.value - float(np.vdot(self.fixed.weights, W))
        return Point(self, W, scores, rest + smoothed, rest + hinges, flows, free, support, allowed_shift)

    def scores(self, W: Array) -> Array:
        return times_transposed(self.X, W)

    def restricted(self, point: Point, near: NDArray[np.bool_]) -> Point:
        """The same point of the problem that moves the flows of the near examples only.

        The others must have one free class, the same as their centre: there smoothed loss and loss agree.
        """
        if (point.allowed_shift[~near] < 0).any():
            raise ValueError(
                "expected all examples with several free classes, or another than at the centre, to be near"
            )
        if near.mean() > 1 - _WORTHWHILE:
            return point
        rows = self.X[near], self.y[near], self.capacity[near], self.centre[near]
        part = SmoothedLosses(*rows, self.tau, Fixed.none(point.W), self.one_slack)
        alone = part.at(point.W, point.scores[near])
        weights = point.W_alpha - alone.W_alpha
        value = point.smoothed - alone.smoothed + float(np.vdot(weights, point.W))
        fixed = Fixed(weights, value, point.own_flows - alone.own_flows)
        return replace(part, fixed=fixed).at(point.W, alone.scores)

    def solved(self, point: Point, tol: float) -> bool:
        """Whether the smoothed problem is solved well enough to move its centre on."""
        goal = _INNER * self.distance(point.alpha)
        if relative_gap(point.primal, point.dual) <= tol:
            goal = min(goal, _SAME_VALUE * tol * point.primal)
        return point.smoothed_gap <= goal

    def distance(self, alpha: Array) -> float:
        """What smoothing takes off at these flows."""
        squares = (alpha - self.centre) ** 2
        if not self.one_slack:
            squares[np.arange(len(self.y)), self.y] = 0
        return float(squares.sum(axis=1) @ (0.5 / (self.tau * self.capacity)))

    def minimised(self, point: Point, tol: float, most: int) -> tuple[Point, int]:
        """At most so many Newton steps from the point until it is solved or rounding hides all progress."""
        for n_steps in range(most):
            if self.solved(point, tol):
                return point, n_steps
            try:
                direction = self.direction(point)
            except Unsolved:
                return point, n_steps
            found = self.search(point, direction)
            if found.above(point) or found.within_rounding_of(point):
                return point, n_steps + 1
            point = found
        return point, most

    def search(self, point: Point, direction: Array) -> Point:
        """A step that lowers the objective enough: 1, or shorter ones aimed at where its slope is 0.

        Where rounding hides the slope there is none; then a step so short that it does no harm is returned.
        """
        slope = float((point.gradient * direction).sum())
        ceiling = point.smoothed + _ROUNDING * abs(point.smoothed)
        scores = self.scores(direction)
        length = 1.0
        while True:
            found = self.at(point.W + length * direction, point.scores + length * scores)
            if found.smoothed <= ceiling + _ARMIJO * length * slope or length < _SHORTEST:
                return found
            W_part = float(((found.W - self.fixed.weights) * direction).sum())
            steepness = W_part - float(np.vdot(found.alpha, scores))
            length *= float(np.clip(slope / (slope - steepness), 0.1, 0.7)) if steepness > slope else 0.5

    def direction(self, point: Point) -> Array:
        """Newton's direction -H^-1 gradient with H = I + tau sum_i C_i J_i (x) x_i x_i'.

        J_i = Q_i Q_i' has rank support_i - 1: it centres vectors on the free classes (Crammer–Singer), or sums the
        squares of the differences between free rivals and the label (Weston–Watkins).  With all rows q (x) x in a
        matrix A and tau C_i in a diagonal one D, H = I + A'D A; whichever of H and D^-1 + A A' is smaller is
        factorised, and if both are large, H is only multiplied with.
        """
        n_rows = int((point.support - 1).sum())
        if min(n_rows, point.W.size) > MOST_ROWS:
            return self.by_products(point)
        return self.by_examples(point) if n_rows < point.W.size else self.by_weights(point)

    def by_weights(self, point: Point) -> Array:
        from mcbook.svm_solvers.kernels.newton import curvature, kinds

        split = point.support > 1
        X = self.X[split].toarray() if sparse.issparse(self.X) else self.X[split]
        y, free, taus = self.y[split], point.free[split], self.tau * self.capacity[split]
        order = np.argsort(kinds(free, y, self.one_slack), kind="stable")
        H = curvature(X, y, free, point.support[split], taus, order, self.one_slack)
        return solve_positive(H.T, -point.gradient.ravel()).reshape(point.W.shape)

    def by_examples(self, point: Point) -> Array:
        from mcbook.svm_solvers.kernels.newton import flow_directions

        examples, Q = flow_directions(point.free, point.support, self.y, self.one_slack)
        if not len(examples):
            return -point.gradient
        X = self.X[examples]
        A_gradient = (times_transposed(X, point.gradient) * Q).sum(axis=1)
        AA = times_transposed(X, X) * times_transposed(Q, Q)
        AA[np.diag_indices(len(AA))] += 1 / (self.tau * self.capacity[examples])
        multipliers = solve_positive(AA.T, A_gradient)
        return transposed_times(Q * multipliers[:, None], X) - point.gradient

    def by_products(self, point: Point) -> Array:
        """Conjugate gradients on H d = -gradient."""
        split = point.support > 1
        X, free, size = self.X[split], point.free[split], point.support[split][:, None]
        taus, label = (self.tau * self.capacity[split])[:, None], (np.arange(split.sum()), self.y[split])

        def curved(V: Array) -> Array:
            scores = times_transposed(X, V)
            if self.one_slack:
                moved = free * (scores - (scores * free).sum(axis=1, keepdims=True) / size)
            else:
                moved = free * (scores - scores[label][:, None])
                moved[label] = -moved.sum(axis=1)
            return V + transposed_times(taus * moved, X)

        return conjugate_gradients(curved, -point.gradient, _RESIDUAL, _MOST_PRODUCTS)
