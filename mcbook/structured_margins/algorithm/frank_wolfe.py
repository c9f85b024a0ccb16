"""Block-coordinate Frank–Wolfe on a listed problem, as the text has it; exact on exact numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mcbook.foundation.checks import require_one_of
from mcbook.foundation.types import Array, Scalar
from mcbook.structured_margins.algorithm.enumerated import EnumeratedProblem
from mcbook.structured_margins.theory import frank_wolfe_step


@dataclass(frozen=True)
class FrankWolfeRun:
    """The weights ``alpha`` of all planes at the end, and the dual value before the first step and after each one.

    >>> import numpy as np
    >>> from mcbook.structured_margins import enumerated_problem
    >>> run = frank_wolfe(enumerated_problem([np.array([0.0, 1.0])], [np.array([[0.0], [2.0]])], C=1.0), [0])
    >>> [alpha.tolist() for alpha in run.alpha], [float(value) for value in run.duals]
    ([[0.75, 0.25]], [0.0, 0.125])
    """

    alpha: list[Array]
    duals: list[Scalar]


def frank_wolfe(problem: EnumeratedProblem, draws: Iterable[int], step: str = "search") -> FrankWolfeRun:
    """For each example drawn: find its most violated plane, and move its weights towards that plane.

    ``step`` is how far: "search" as far as is best, "full" the whole way.

    >>> import numpy as np
    >>> from mcbook.structured_margins import enumerated_problem
    >>> one = enumerated_problem([np.array([0.0, 1.0])], [np.array([[0.0], [2.0]])], C=1.0)
    >>> frank_wolfe(one, [0]).duals
    [np.float64(0.0), np.float64(0.125)]
    """
    require_one_of(step, ("search", "full"), "step")
    alpha = problem.start()
    w = problem.weights(alpha)
    duals = [problem.dual(alpha)]
    for i in draws:
        values = problem.offsets[i] - problem.gradients[i] @ w
        towards = 0 * alpha[i]
        towards[values.tolist().index(values.max())] = problem.C
        change = towards - alpha[i]
        direction = change @ problem.gradients[i]
        size = frank_wolfe_step(change @ values, direction @ direction) if step == "search" else 1
        alpha[i] = alpha[i] + size * change
        w = w + size * direction
        duals.append(problem.dual(alpha))
    return FrankWolfeRun(alpha, duals)
