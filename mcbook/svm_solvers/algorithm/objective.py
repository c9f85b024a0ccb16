"""What the solvers of the multi-class support vector machine share: input, objective, solution.

The objective is 1/2 sum_l |w_l|^2 + sum_i C_i slack_i with C_i = C * sample_weight_i; C multiplies the sum of the
slacks, not their mean, and there is no bias.  Shapes: ``X (n_samples, n_features)`` dense or scipy sparse,
``y (n_samples,)`` with labels 0 .. n_classes - 1, ``W (n_classes, n_features)``, and flows
``alpha (n_samples, n_classes)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from mcbook.foundation.checks import require_labels, require_one_of
from mcbook.foundation.programs import has_one_slack_each
from mcbook.foundation.types import Array
from mcbook.foundation.vocabulary import SlackLoss

# Where at most this part of the examples carries flows, copies of their features are made to leave out the others.
_FEW = 0.3
# A sparse matrix filled by more than this part is solved as a dense one, which takes twice its memory at most.
_DENSE = 1 / 3


class GapPoint(NamedTuple):
    """Primal and dual value after so many iterations and seconds.

    >>> GapPoint(n_iter=3, seconds=0.0, primal=0.5, dual=0.25).primal
    0.5
    """

    n_iter: int
    seconds: float
    primal: float
    dual: float


@dataclass(frozen=True)
class SVMSolution:
    """Weights W, flows alpha, and the certificate dual <= optimum <= primal.

    W is alpha.T @ X, which only with C |x|^2 of many orders of magnitude may lose the gap to rounding: then W is what
    has the lower primal value.  In any case 1/2 |W - alpha.T @ X|^2 <= primal - dual.  With a Gram matrix W is None.
    ``solver`` is the one that the flows come from: Newton's method begins, and may end, with coordinate ascent.

    >>> from mcbook.svm_solvers import solve_multiclass
    >>> found = solve_multiclass(np.eye(2), np.array([0, 1]), 2)
    >>> bool(found.dual <= 0.5 + 1e-12 and 0.5 <= found.primal + 1e-12), found.gap <= 1e-8
    (True, True)
    """

    W: Array | None
    alpha: Array
    primal: float
    dual: float
    n_iter: int
    converged: bool
    solver: str
    history: tuple[GapPoint, ...]

    @property
    def gap(self) -> float:
        return relative_gap(self.primal, self.dual)


@dataclass(frozen=True)
class Problem:
    """Checked training data; ``capacity`` holds C_i, which bounds the flow into the class of example i.

    >>> problem = Problem.checked(np.eye(2), np.array([0, 1]), n_classes=2, C=3.0, sample_weight=np.array([1.0, 0.5]))
    >>> problem.capacity.tolist(), problem.primal(np.zeros((2, 2)))  # without weights each slack is 1
    ([3.0, 1.5], 4.5)
    """

    X: Any
    y: NDArray[np.int64]
    n_classes: int
    capacity: NDArray[np.float64]
    loss: SlackLoss

    @classmethod
    def checked(
        cls,
        X: Any,
        y: Array,
        n_classes: int,
        C: float,
        loss: SlackLoss = "crammer-singer",
        sample_weight: Array | None = None,
    ) -> Problem:
        X = _sparse_or_dense(X) if sparse.issparse(X) else _writable(X)
        if X.ndim != 2 or 0 in X.shape or np.shape(y) != X.shape[:1]:
            raise ValueError(f"expected X (n_samples, n_features) and y (n_samples,), got {X.shape} and {np.shape(y)}")
        require_one_of(loss, SlackLoss, "loss")
        problem = cls(X, checked_labels(y, n_classes), n_classes, _capacities(C, sample_weight, len(y)), loss)
        # A feature that is not finite leaves no finite norm; a second look at all features is as long as a pass.
        if not np.isfinite(problem.squared_norms).all() and not np.isfinite(X.data if sparse.issparse(X) else X).all():
            raise ValueError("expected finite features, got NaN or infinity: impute or drop those examples")
        return problem

    @cached_property
    def features_each(self) -> float:
        """How many features of an example take part in a product, on average."""
        return self.X.nnz / len(self.y) if sparse.issparse(self.X) else float(self.X.shape[1])

    @cached_property
    def rows(self) -> tuple[Array, ...]:
        """The data in the form that the kernels take."""
        if sparse.issparse(self.X):
            return _writable(self.X.data), self.X.indices.astype(np.int64), self.X.indptr.astype(np.int64)
        return (self.X,)

    @cached_property
    def squared_norms(self) -> NDArray[np.float64]:
        if sparse.issparse(self.X):
            with np.errstate(over="ignore"):
                squares = sparse.csr_matrix((self.X.data**2, self.X.indices, self.X.indptr), self.X.shape)
            return np.asarray(squares @ np.ones(self.X.shape[1]))
        return np.einsum("ij,ij->i", self.X, self.X)

    def weights(self, alpha: Array, carries: Array | None = None) -> NDArray[np.float64]:
        """W = sum_i alpha_i x_i; where it is known which examples carry flows, and they are few, from these alone."""
        X = self.X
        if carries is not None and carries.mean() <= _FEW:
            X, alpha = X[carries], alpha[carries]
        return np.ascontiguousarray((X.T @ alpha).T)

    def scores(self, W: Array) -> NDArray[np.float64]:
        return np.asarray(self.X @ W.T)

    def primal(self, W: Array, scores: Array | None = None) -> float:
        """Primal value at any weights, whoever made them; their scores are computed where they are not given."""
        from mcbook.svm_solvers.kernels.ascent import weighted_slacks

        table = np.ascontiguousarray(self.scores(W) if scores is None else scores)
        return 0.5 * float(np.vdot(W, W)) + weighted_slacks(table, self.y, self.capacity, has_one_slack_each(self.loss))

    def values(self, W: Array, alpha: Array, scores: Array) -> tuple[float, float]:
        """Primal and dual value at W = W(alpha), given its scores."""
        own = alpha[np.arange(len(self.y)), self.y]
        return self.primal(W, scores), float(own.sum()) - 0.5 * float(np.vdot(W, W))


def relative_gap(primal: float, dual: float) -> float:
    """(primal - dual) / primal; 0 where both are 0, as when there is nothing to lose."""
    return max(primal - dual, 0.0) / primal if primal > 0 else 0.0


def checked_labels(y: Array, n_classes: int) -> NDArray[np.int64]:
    """Labels as int64, or a sentence saying what is wrong with them."""
    if n_classes < 2:
        raise ValueError(f"expected at least 2 classes, got {n_classes}")
    # The kernels write to no labels, but their signatures do not know it.
    return np.array(require_labels(y, n_classes))


def _sparse_or_dense(X: Any) -> Any:
    """Rows of a sparse matrix, or all its entries where most work on them would be the quicker."""
    return _writable(X.toarray()) if X.nnz > _DENSE * np.prod(X.shape) else sparse.csr_matrix(X, dtype=float)


def _writable(X: Array) -> NDArray[np.float64]:
    """C-ordered floats, copied if they are read-only, which the signatures of the kernels do not know."""
    return np.require(X, dtype=float, requirements=["C", "W"])


def _capacities(C: Any, sample_weight: Array | None, n_samples: int) -> NDArray[np.float64]:
    if not (isinstance(C, Real) and 0 < float(C) < np.inf):
        raise ValueError(f"expected a finite C > 0, got {C!r}")
    weight = np.ones(n_samples) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if weight.shape != (n_samples,) or not np.isfinite(weight).all() or (weight < 0).any():
        raise ValueError(f"expected {n_samples} finite sample weights >= 0, got {weight!r}")
    if not weight.any():
        raise ValueError("expected at least one sample weight > 0, got only zeros: nothing is left to learn from")
    return np.asarray(C * weight, dtype=float)
