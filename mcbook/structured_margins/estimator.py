"""Estimators for sequences with a margin: maximum-margin Markov networks and structural support vector machines."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from mcbook.foundation.estimators import seed_of, warn_not_converged
from mcbook.foundation.types import Floats, Labels
from mcbook.structured import SequenceEstimator, Structures, require_cost
from mcbook.structured_margins.algorithm.block_steps import solve_block_steps
from mcbook.structured_margins.algorithm.chains import ChainProblem, chain_problem
from mcbook.structured_margins.algorithm.cutting import Summed, cut_planes
from mcbook.structured_margins.theory import Rescaling


class _Certified(SequenceEstimator):
    """What both report of their solution."""

    C: float
    tol: float
    max_iter: int

    def fit(self, X: Any, y: Any, *, parents: Any = None) -> Self:
        """Learn from sequences and their labels."""
        super().fit(X, y, parents=parents)
        if not self.converged_:
            warn_not_converged(f"max_iter={self.max_iter}", self.gap_, self.tol)
        return self

    def _report(self, primal: float, dual: float, n_iter: int) -> None:
        self.primal_, self.dual_, self.n_iter_ = primal, dual, n_iter
        self.gap_ = max(primal - dual, 0.0) / primal if primal > 0 else 0.0
        self.converged_ = self.gap_ <= self.tol


class MaxMarginMarkovNetwork(_Certified):
    """Maximum-margin Markov network: the right labels lead all others by their loss, min 1/2 |w|^2 + C sum_i slack_i.

    Trained by block-coordinate Frank–Wolfe on the marginals of the dual (the book's `thm-block-frank-wolfe`), whose gap
    is a certificate.  Its steps are cheap and its last digits dear, so ``tol`` is larger here than elsewhere.

    Parameters
    ----------
    C : the price of slack; it multiplies the sum of the slacks, one for each sequence.
    cost : what it costs to say the class of a column where that of the row is right, (n_classes, n_classes) in sorted
        order of the classes; None for 1 for each error.  The loss of a sequence is the sum over its positions.
    tol : the relative duality gap at which training stops.
    max_iter : passes over the sequences at most.
    random_state : seed of the orders.

    Attributes
    ----------
    primal_, dual_, gap_ : both values, the optimum between them, and their relative gap.
    n_iter_, converged_ : passes made, and whether the gap was reached.
    The others are those of `SequenceEstimator`.

    Examples
    --------
    >>> model = MaxMarginMarkovNetwork(random_state=0).fit([[[1.0], [0.0]], [[0.0]]], [["a", "b"], ["b"]])
    >>> [labels.tolist() for labels in model.predict([[[1.0], [0.0]], [[0.0]]])], model.converged_
    ([['a', 'b'], ['b']], True)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "cost": ["array-like", None],
        "tol": [Interval(Real, 0, 1, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self, *, C: float = 1.0, cost: Any = None, tol: float = 1e-2, max_iter: int = 1000, random_state: Any = None
    ) -> None:
        self.C = C
        self.cost = cost
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _weights(self, data: Structures, y: Labels) -> Floats:
        k = len(self.classes_)
        table = None if self.cost is None else require_cost(self.cost, k)
        problem = chain_problem(data, y, k, self.C, cost=table)
        seed = seed_of(self.random_state)
        found = solve_block_steps(problem, tol=self.tol, max_iter=self.max_iter, random_state=seed)
        self._report(found.primal, found.dual, found.n_iter)
        return found.w


class StructSVM(_Certified):
    """Structural support vector machine by cutting planes, with slack or margin rescaling.

    With slack rescaling the right labels lead all others by 1, and what is missing costs the number of errors.  The
    most violated labels are found exactly, by a Viterbi run that counts errors; so slack rescaling is for chains.

    Parameters
    ----------
    C : the price of slack; it multiplies the sum of the slacks, one for each sequence.
    rescaling : "slack" or "margin".
    solver : "one-slack" adds the sum of all most violated planes in each round, "n-slack" one for each sequence: fewer
        rounds, but larger programmes between them.
    tol : the relative duality gap at which training stops.
    max_iter : rounds at most.

    Attributes
    ----------
    primal_, dual_, gap_ : both values, the optimum between them, and their relative gap.
    n_iter_, n_planes_, converged_ : rounds made, planes added, and whether the gap was reached.
    The others are those of `SequenceEstimator`.

    Examples
    --------
    >>> model = StructSVM().fit([[[1.0], [0.0]], [[0.0]]], [["a", "b"], ["b"]])
    >>> [labels.tolist() for labels in model.predict([[[1.0], [0.0]], [[0.0]]])], model.converged_
    ([['a', 'b'], ['b']], True)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "rescaling": [StrOptions({"slack", "margin"})],
        "solver": [StrOptions({"one-slack", "n-slack"})],
        "tol": [Interval(Real, 0, 1, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        rescaling: Rescaling = "slack",
        solver: Literal["one-slack", "n-slack"] = "one-slack",
        tol: float = 1e-2,
        max_iter: int = 2000,
    ) -> None:
        self.C = C
        self.rescaling = rescaling
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter

    def _weights(self, data: Structures, y: Labels) -> Floats:
        problem = chain_problem(data, y, len(self.classes_), self.C, rescaling=self.rescaling)
        found = cut_planes(self._oracle(problem), self.tol, rule="relative", max_rounds=self.max_iter)
        self.n_planes_ = found.n_planes
        self._report(float(found.primal), float(found.dual), found.n_rounds)
        return np.asarray(found.w)

    def _oracle(self, problem: ChainProblem) -> Any:
        return Summed(problem) if self.solver == "one-slack" else problem
