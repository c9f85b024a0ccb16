"""L-BFGS: quasi-Newton steps from the last few changes of the gradient, for smooth functions of very many weights.

The approximation of the inverse Hessian is kept in its compact form (Byrd, Nocedal and Schnabel 1994): the products of
the kept vectors among themselves stand in small tables, so a step reads every kept vector twice and no more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from mcbook.foundation.types import Floats

# A step must gain this share of what the slope promises, and leave at most that share of the slope.
_GAIN, _SLOPE = 1e-4, 0.9
_MOST_TRIALS = 40
# Values this near to each other, as a share, may come in the wrong order.
_ROUNDING = 1e-14

ValueAndGradient = Callable[[Floats], tuple[float, Floats]]


class Minimum(NamedTuple):
    """Where the search ended: the point, value and gradient there, the steps made, and whether it was to stop there.

    >>> found = minimise(lambda w: (float(w @ w), 2 * w), np.ones(3), is_good=lambda f, g: f < 1e-12, max_iter=9)
    >>> found.w.round(6).tolist(), found.n_evaluations
    ([0.0, 0.0, 0.0], 3)
    """

    w: Floats
    value: float
    gradient: Floats
    n_steps: int
    n_evaluations: int
    converged: bool


def minimise(
    function: ValueAndGradient,
    start: Floats,
    *,
    is_good: Callable[[float, Floats], bool],
    max_iter: int,
    first: float = 1.0,
    memory: int = 20,
) -> Minimum:
    """Steps from ``start`` until ``is_good(value, gradient)``, at most ``max_iter`` of them.

    ``first`` times the gradient is what the first step tries, so it should be near the inverse of the curvature.

    >>> found = minimise(lambda w: (float(w @ w), 2 * w), np.ones(3), is_good=lambda f, g: f < 1e-12, max_iter=9)
    >>> found.converged, found.n_steps
    (True, 1)
    """
    w = np.array(start, dtype=float)
    value, gradient = function(w)
    history, evaluations = _History(len(w), memory, first), 1
    for step in range(max_iter + 1):
        if is_good(value, gradient):
            return Minimum(w, value, gradient, step, evaluations, True)
        if step == max_iter:
            break
        direction = history.direction(gradient)
        found = _line_search(function, w, value, gradient, direction)
        if found is None:
            # The numbers have no more digits to go down by.
            return Minimum(w, value, gradient, step, evaluations, False)
        length, new_value, new_gradient, trials = found
        evaluations += trials
        w += history.add(length, direction, gradient, new_gradient)
        value, gradient = new_value, new_gradient
    return Minimum(w, value, gradient, max_iter, evaluations, False)


def _line_search(
    function: ValueAndGradient, w: Floats, value: float, gradient: Floats, direction: Floats
) -> tuple[float, float, Floats, int] | None:
    """A length that gains enough and leaves not too much of the slope (the weak conditions of Wolfe), by bisection."""
    slope, rounding = float(gradient @ direction), _ROUNDING * abs(value)
    low, high, length = 0.0, np.inf, 1.0
    for trial in range(1, _MOST_TRIALS + 1):
        new_value, new_gradient = function(w + length * direction)
        if not new_value <= value + _GAIN * length * slope + rounding:
            high = length
        elif new_gradient @ direction < _SLOPE * slope:
            low = length
        else:
            return length, new_value, new_gradient, trial
        length = (low + high) / 2 if high < np.inf else 2 * low
    return None


class _History:
    """The last changes s of the point and y of the gradient, and the direction -H g that follows from them.

    With S and Y the matrices of these rows, R the upper triangle of S Y', D its diagonal and gamma = s.y / y.y of the
    newest pair, H = gamma I + [S' gamma Y'] [[R^-T (D + gamma Y Y') R^-1, -R^-T], [-R^-1, 0]] [S; gamma Y].
    """

    def __init__(self, size: int, memory: int, first: float) -> None:
        self.S, self.Y = np.empty((memory, size)), np.empty((memory, size))
        self.SY, self.YY = np.zeros((memory, memory)), np.zeros((memory, memory))
        self.order: list[int] = []
        self.gamma = first
        # S g and Y g of the last gradient: of its change they are differences.
        self.Sg, self.Yg = np.zeros(memory), np.zeros(memory)
        self.newest: int | None = None

    def add(self, length: float, direction: Floats, gradient: Floats, new_gradient: Floats) -> Floats:
        """Keep the step of this length and what it did to the gradient; returns the step."""
        curvature = length * float(new_gradient @ direction - gradient @ direction)
        if curvature <= 0:
            return length * direction
        slot = self.order.pop(0) if len(self.order) == len(self.S) else len(self.order)
        self.order.append(slot)
        # Into their rows at once: for very many weights every array that is made anew costs as much as the step.
        s, y = np.multiply(direction, length, out=self.S[slot]), np.subtract(new_gradient, gradient, out=self.Y[slot])
        self.SY[slot, slot], self.YY[slot, slot] = curvature, float(y @ y)
        self.gamma, self.newest = curvature / self.YY[slot, slot], slot
        return s

    def direction(self, gradient: Floats) -> Floats:
        used = len(self.order)
        if not used:
            return -self.gamma * gradient
        at = np.array(self.order)
        self._multiply(gradient)
        R = np.triu(self.SY[np.ix_(at, at)])
        Sg, Yg = self.Sg[at], self.Yg[at]
        u = solve_triangular(R, Sg)
        middle = R.diagonal() * u + self.gamma * (self.YY[np.ix_(at, at)] @ u - Yg)
        of_s, of_y = np.empty(used), np.empty(used)
        of_s[at], of_y[at] = solve_triangular(R, middle, trans="T"), -self.gamma * u
        return -(self.gamma * gradient + of_s @ self.S[:used] + of_y @ self.Y[:used])

    def _multiply(self, gradient: Floats) -> None:
        """The products with the gradient, and from their change those with the newest y."""
        used, new = len(self.order), self.newest
        Sg, Yg = self.S[:used] @ gradient, self.Y[:used] @ gradient
        if new is not None:
            others = [slot for slot in self.order if slot != new]
            self.SY[others, new] = (Sg - self.Sg[:used])[others]
            self.YY[others, new] = self.YY[new, others] = (Yg - self.Yg[:used])[others]
        self.Sg[:used], self.Yg[:used], self.newest = Sg, Yg, None
