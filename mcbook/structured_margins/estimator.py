"""Estimators for sequences with a margin: maximum-margin Markov networks and structural support vector machines."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from mcbook.foundation.estimators import seed_of, warn_not_converged
from mcbook.foundation.types import Floats, Labels
from mcbook.foundation.vocabulary import LOOSE_TOL
from mcbook.structured.algorithm.features import Structures
from mcbook.structured.estimator.sequences import SequenceEstimator
from mcbook.structured_margins.algorithm.chains import ChainProblem, chain_problem
from mcbook.structured_margins.algorithm.cutting import SingleSlackOracle, cut_planes
from mcbook.structured_margins.algorithm.working_set import solve_working_set
from mcbook.structured_margins.theory import Rescaling


class _Certified(SequenceEstimator):
    """What both report of their solution."""

    C: float
    tol: float
    max_iter: int
    random_state: Any

    def fit(self, X: Any, y: Any, *, parents: Any = None, sample_weight: Any = None) -> Self:
        """Learn from sequences and their labels.

        ``X`` is a list with one array (n_positions, n_features) for each sequence, dense or sparse, or one list of
        dictionaries of features; ``y`` is a list with one label for each position of each sequence.
        """
        super().fit(X, y, parents=parents, sample_weight=sample_weight)
        if not self.converged_:
            warn_not_converged(f"max_iter={self.max_iter}", self.gap_, self.tol)
        return self

    def _keep(self, problem: ChainProblem) -> Floats:
        """Training that keeps labellings of each sequence."""
        seed = seed_of(self.random_state)
        found = solve_working_set(problem, tol=self.tol, max_iter=self.max_iter, random_state=seed)
        self._report(found.primal, found.dual, found.n_iter)
        return found.w

    def _report(self, primal: float, dual: float, n_iter: int) -> None:
        self.primal_, self.dual_, self.n_iter_ = primal, dual, n_iter
        self.gap_ = max(primal - dual, 0.0) / primal if primal > 0 else 0.0
        self.converged_ = self.gap_ <= self.tol


class MaxMarginMarkovNetwork(_Certified):
    """Maximum-margin Markov network: the right labels lead all others by their loss, min 1/2 |w|^2 + C sum_i slack_i.

    Trained by cutting planes that keep labellings (`solve_working_set`), with the gap as a certificate.

    The other attributes are those of `SequenceEstimator`.

    Parameters
    ----------
    C : float, default=1.0
        The trade-off: C multiplies the sum of the slacks, one for each sequence.
    cost : array-like of shape (n_classes, n_classes) or None, default=None
        What it costs to predict the class of a column where that of the row is right, in sorted order of the classes;
        None is 1 for each error.  The loss of a sequence is the sum over its positions.
    class_weight : dict, "balanced" or None, default=None
        Factors for the rows of ``cost``, so that errors cost more where some class is the right one; "balanced" makes
        them inversely proportional to the positions of each class.
    tol : float, default=0.0001
        The relative duality gap at which training stops.
    max_iter : int, default=1000
        The largest number of times that the most violated labels of all sequences are searched.
    random_state : int, RandomState or None, default=None
        Seed of the orders in which sequences are visited.

    Attributes
    ----------
    primal_, dual_ : float
        The primal and the dual value; the optimum lies between them.
    gap_ : float
        Their relative gap.
    n_iter_ : int
        The number of searches made.
    converged_ : bool
        Whether the gap was reached.

    Examples
    --------
    >>> model = MaxMarginMarkovNetwork(random_state=0).fit([[[1.0], [0.0]], [[0.0]]], [["a", "b"], ["b"]])
    >>> [labels.tolist() for labels in model.predict([[[1.0], [0.0]], [[0.0]]])], model.converged_
    ([['a', 'b'], ['b']], True)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "cost": ["array-like", None],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "tol": [Interval(Real, 0, 1, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        cost: Any = None,
        class_weight: dict[Any, float] | str | None = None,
        tol: float = LOOSE_TOL,
        max_iter: int = 1000,
        random_state: Any = None,
    ) -> None:
        self.C = C
        self.cost = cost
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _weights(self, data: Structures, y: Labels, weight: Floats | None) -> Floats:
        cost = self._costs(self.cost, data, y, weight)
        return self._keep(chain_problem(data, y, len(self.classes_), self.C, cost=cost, weight=weight))


class StructSVM(_Certified):
    """Structural support vector machine by cutting planes, with slack or margin rescaling.

    With slack rescaling the right labels lead all others by 1, and what is missing costs the loss.  The most violated
    labels are found exactly on chains and trees, by a Viterbi run that counts what the errors cost.

    The other attributes are those of `SequenceEstimator`.

    Parameters
    ----------
    C : float, default=1.0
        The trade-off: C multiplies the sum of the slacks, one for each sequence.
    rescaling : {"slack", "margin"}, default="slack"
        What the loss multiplies: the slack, or the margin that is asked for.
    cost : array-like of shape (n_classes, n_classes) or None, default=None
        What it costs to predict the class of a column where that of the row is right, as for `MaxMarginMarkovNetwork`;
        for slack rescaling, whole multiples of some unit.
    class_weight : dict, "balanced" or None, default=None
        Factors for the rows of ``cost``, so that errors cost more where some class is the right one; "balanced" makes
        them inversely proportional to the positions of each class.
    solver : {"n-slack", "one-slack"}, default="n-slack"
        "n-slack" keeps labellings for each sequence (`solve_working_set`); "one-slack" adds a single plane in each
        round, the sum of all most violated ones, and needs many more rounds (`cut_planes`).
    tol : float, default=0.0001
        The relative duality gap at which training stops.
    max_iter : int, default=2000
        The largest number of rounds.
    random_state : int, RandomState or None, default=None
        Seed of the orders in which the solver "n-slack" visits sequences.

    Attributes
    ----------
    primal_, dual_ : float
        The primal and the dual value; the optimum lies between them.
    gap_ : float
        Their relative gap.
    n_iter_ : int
        The number of rounds.
    converged_ : bool
        Whether the gap was reached.

    Examples
    --------
    >>> model = StructSVM(random_state=0).fit([[[1.0], [0.0]], [[0.0]]], [["a", "b"], ["b"]])
    >>> [labels.tolist() for labels in model.predict([[[1.0], [0.0]], [[0.0]]])], model.converged_
    ([['a', 'b'], ['b']], True)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "C": [Interval(Real, 0, None, closed="neither")],
        "rescaling": [StrOptions({"slack", "margin"})],
        "cost": ["array-like", None],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "solver": [StrOptions({"one-slack", "n-slack"})],
        "tol": [Interval(Real, 0, 1, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        rescaling: Rescaling = "slack",
        cost: Any = None,
        class_weight: dict[Any, float] | str | None = None,
        solver: Literal["one-slack", "n-slack"] = "n-slack",
        tol: float = LOOSE_TOL,
        max_iter: int = 2000,
        random_state: Any = None,
    ) -> None:
        self.C = C
        self.rescaling = rescaling
        self.cost = cost
        self.class_weight = class_weight
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def _weights(self, data: Structures, y: Labels, weight: Floats | None) -> Floats:
        k, cost = len(self.classes_), self._costs(self.cost, data, y, weight)
        problem = chain_problem(data, y, k, self.C, rescaling=self.rescaling, cost=cost, weight=weight)
        if self.solver == "n-slack":
            return self._keep(problem)
        found = cut_planes(SingleSlackOracle(problem), self.tol, rule="relative", max_rounds=self.max_iter)
        self._report(float(found.primal), float(found.dual), found.n_rounds)
        return np.asarray(found.w)
