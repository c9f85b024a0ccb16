"""Which of two ways to the optimum is the shorter: passes of coordinate ascent, or Newton's steps.

Both are counted in nanoseconds of a common machine, from the numbers of operations, not by a clock: the choice, and
with it the solution, is the same on every machine and in every run.
"""

from __future__ import annotations

import math

from scipy import sparse

from mcbook.svm_solvers.algorithm.ascent import Run
from mcbook.svm_solvers.algorithm.objective import Problem, relative_gap
from mcbook.svm_solvers.algorithm.smoothed import MOST_ROWS

# A multiplication and addition of dense matrix products, the same with sparse matrices, an entry of a table of scores.
_DENSE, _SPARSE, _ENTRY = 0.1, 0.5, 8.0
# What a Newton step costs at least, how often it works out the losses of the examples that it moves and those of all
# examples, and how many products stand for a system too large.
_OVERHEAD, _EVALUATIONS, _LOOKS, _PRODUCTS = 6e5, 2.5, 2.5, 400
# Of the products that build the curvature so many are left for each free flow: examples of one kind share theirs, and
# there are fewer free flows with every step.
_SHARED = 0.5
# Newton steps: so many in any case, and so many for each power of ten by which the gap has to fall.
_STEPS, _STEPS_FOR_A_DIGIT = 4.0, 5.0
# Ascent is left where what it would still cost, times what it has cost, both in units of what Newton's method would,
# exceeds the first number; the second where a system of the face costs less than the third of that unit: the gap then
# falls at once when the face is found.  Its pace is taken from so many looks, as the first say little; where most
# examples are still active so many are enough.
_RISK, _HIGH_RISK, _CHEAP = 1.2, 3.0, 0.03
_WINDOW, _ENOUGH_LOOKS = 4, 3
# Ascent that would need more than this part of the passes that are left is not relied on, once it has used that part.
_ENOUGH, _USED = 0.3, 0.1


class GapHistory:
    """The gap of an ascent against its cost, look by look."""

    def __init__(self) -> None:
        self.looks: list[tuple[float, int, float]] = []
        self.primal = math.inf

    def note(self, run: Run) -> None:
        """The gap to the least primal value so far: only the dual value never turns back on the way."""
        self.primal = min(self.primal, run.primal)
        self.looks.append((run.cost, run.n_iter, math.log10(max(relative_gap(self.primal, run.dual), 1e-300))))

    def rest(self, tol: float) -> tuple[float, float]:
        """What ascent would cost from here to the gap, and its passes, at the pace of its last looks."""
        if len(self.looks) < 2:
            return math.inf, math.inf
        before, now = self.looks[max(-_WINDOW, -len(self.looks))], self.looks[-1]
        fallen = before[2] - now[2]
        share = (now[2] - math.log10(tol)) / fallen if fallen > 0 else math.inf
        return share * (now[0] - before[0]), share * (now[1] - before[1])

    def newton_pays(self, run: Run, tol: float, passes_left: int) -> bool:
        """Whether Newton's method would be the cheaper from here, or the passes that are left would not do."""
        newton = newton_steps(run.gap, tol) * cost_of_newton_step(run.problem, run.n_free, run.n_active)
        cost, passes = self.rest(tol)
        used = run.n_iter / (run.n_iter + passes_left)
        too_many = used > _USED and passes > _ENOUGH * passes_left
        risk = _HIGH_RISK if run.cost_of_climb() < _CHEAP * newton else _RISK
        is_wide = 2 * run.n_active > len(run.problem.y)
        known = len(self.looks) >= (_ENOUGH_LOOKS if is_wide else _WINDOW)
        return too_many or (known and cost > newton and run.cost * cost > risk * newton**2)


def newton_steps(start: float, tol: float) -> float:
    """How many steps of Newton's method it takes from one relative gap to another, by experience."""
    return _STEPS + _STEPS_FOR_A_DIGIT * max(math.log10(start / tol), 0.0)


def cost_of_newton_step(problem: Problem, n_rows: int, n_active: int) -> float:
    """Of one with so many free flows, which moves those of so many examples."""
    d, k = problem.features_each, problem.n_classes
    product = _SPARSE if sparse.issparse(problem.X) else _DENSE
    losses = (_EVALUATIONS * n_active + _LOOKS * len(problem.y)) * k * (d * product + _ENTRY)
    return _OVERHEAD + losses + _cost_of_system(n_rows, problem.X.shape[1], k, d, product)


def _cost_of_system(n_rows: int, n_features: int, n_classes: int, d: float, product: float) -> float:
    n_weights = n_features * n_classes
    if min(n_rows, n_weights) > MOST_ROWS:
        return _PRODUCTS * n_rows * n_classes * (2 * d * product + _ENTRY)
    if n_rows < n_weights:
        return n_rows**2 * (d * product + n_classes * _DENSE + 2.0) + n_rows**3 * _DENSE / 3
    return _SHARED * n_rows * n_features**2 * _DENSE + n_weights**2 * (2.0 + n_weights * _DENSE / 3)
