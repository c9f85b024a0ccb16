"""The support vector machine with a kernel as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real
from typing import Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from mcbook.foundation.estimators import (
    FLOAT64,
    ArgmaxMixin,
    as_decision,
    seed_of,
    training_data,
)
from mcbook.foundation.linear import require_gram
from mcbook.foundation.types import Array, ClassWeight, Floats, RandomState
from mcbook.foundation.vocabulary import DEFAULT_TOL, SlackLoss
from mcbook.svm_solvers.algorithm.kernel_solver import GramRows, solve_rows
from mcbook.svm_solvers.estimator.linear import CONSTRAINTS, LOSSES, Certified

Kernel = Literal["rbf", "linear", "poly", "precomputed"] | Callable[[Floats, Floats], Floats]


class KernelMulticlassSVM(Certified, ArgmaxMixin, ClassifierMixin, BaseEstimator):
    """Multi-class support vector machine with a kernel: scores sum_i alpha_il K(x_i, x), with a certificate.

    There is no intercept, and there are no probabilities.

    Parameters
    ----------
    C : float, default=1.0
        The trade-off: C multiplies the sum of the slacks, so a large C regularises little.
    kernel : {"rbf", "linear", "poly", "precomputed"} or callable, default="rbf"
        The kernel.  With "precomputed", ``fit`` takes the Gram matrix; a callable gives that of two matrices.  Both are
        checked to be positive semi-definite.
    gamma : "scale" or float, default="scale"
        Of the kernels "rbf" and "poly", as in scikit-learn; "scale" is 1 / (n_features * variance of X), in which
        examples count with their weight.
    degree : int, default=3
        Of the kernel "poly".
    coef0 : float, default=1.0
        Of the kernel "poly"; at least 0, because the kernel is not positive semi-definite otherwise.
    loss : {"crammer-singer", "weston-watkins"}, default="crammer-singer"
        "crammer-singer" has one slack for each example, "weston-watkins" one for each example and rival.
    tol : float, default=1e-08
        The relative duality gap at which training stops.
    max_iter : int, default=10000
        The largest number of passes and Newton steps together.
    cache_size : float, default=500
        Megabytes for rows of the Gram matrix, which are computed when needed.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with ``sample_weight``; "balanced" gives every class the same total weight.
    random_state : int, RandomState or None, default=None
        Seed of the order in which examples are visited.

    Attributes
    ----------
    support_ : ndarray of shape (n_support,)
        The indices of the support vectors.
    dual_coef_ : ndarray of shape (n_support, n_classes)
        Their dual variables.
    gamma_ : float or None
        The gamma in use; None where the kernel has none.
    primal_, dual_ : float
        The primal and the dual value; the optimum lies between them.
    gap_ : float
        Their relative gap.
    n_iter_ : int
        The number of passes and steps.
    converged_ : bool
        Whether the gap was reached.
    classes_ : ndarray of shape (n_classes,)
        The classes in sorted order.
    n_features_in_ : int
        The number of features.

    Examples
    --------
    >>> corners, labels = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], ["same", "same", "other", "other"]
    >>> SVM = KernelMulticlassSVM(gamma=2.0, C=10).fit(corners, labels)
    >>> SVM.predict([[0.1, 0.0], [0.9, 0.1]]).tolist(), SVM.support_.tolist()
    (['same', 'other'], [0, 1, 2, 3])
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **CONSTRAINTS,
        "loss": [LOSSES],
        "kernel": [StrOptions({"rbf", "linear", "poly", "precomputed"}), callable],
        "gamma": [StrOptions({"scale"}), Interval(Real, 0, None, closed="neither")],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "coef0": [Interval(Real, 0, None, closed="left")],
        "cache_size": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        kernel: Kernel = "rbf",
        gamma: Literal["scale"] | float = "scale",
        degree: int = 3,
        coef0: float = 1.0,
        loss: SlackLoss = "crammer-singer",
        tol: float = DEFAULT_TOL,
        max_iter: int = 10_000,
        cache_size: float = 500,
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.loss = loss
        self.tol = tol
        self.max_iter = max_iter
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def fit(self, X: Array, y: Array, sample_weight: Array | None = None) -> Self:
        """Train until the duality gap is small enough."""
        data = training_data(self, X, y, sample_weight, intercept=False)
        # Of a Gram matrix the columns go with the rows.
        points = data.X[:, data.kept] if self.kernel == "precomputed" and len(data.kept) < data.n_given else data.X
        self.gamma_ = self._gamma(points, data.weight)
        solution = solve_rows(
            self._rows(points),
            data.labels,
            len(self.classes_),
            self.C,
            loss=self.loss,
            tol=self.tol,
            max_iter=self.max_iter,
            sample_weight=data.weight,
            random_state=seed_of(self.random_state),
        )
        carries = np.flatnonzero(solution.alpha.any(axis=1))
        self.support_, self.dual_coef_ = data.kept[carries], solution.alpha[carries]
        self._support_vectors = None if self.kernel == "precomputed" else points[carries]
        self._report(solution)
        return self

    def decision_function(self, X: Array) -> Array:
        """The scores of the classes; for two classes, as scikit-learn has it, second minus first."""
        check_is_fitted(self)
        X = validate_data(self, X, **FLOAT64, reset=False)
        K = X[:, self.support_] if self._support_vectors is None else self._kernel(X, self._support_vectors)
        return as_decision(K @ self.dual_coef_)

    def _gamma(self, X: Floats, weight: Floats) -> float | None:
        if self.kernel == "precomputed" or callable(self.kernel):
            return None
        return _scale_gamma(X, weight) if self.gamma == "scale" else float(self.gamma)

    def _rows(self, X: Floats) -> GramRows:
        if self.kernel == "precomputed":
            return GramRows.whole(require_gram(X))
        if callable(self.kernel):
            return GramRows.whole(require_gram(self._kernel(X, X)))
        capacity = int(self.cache_size * 2**20 / (8 * len(X)))
        diagonal = np.concatenate([np.diag(self._kernel(part, part)) for part in _parts(X)])
        return GramRows(len(X), lambda examples: self._kernel(X[examples], X), diagonal, capacity)

    def _kernel(self, X: Floats, others: Floats) -> Floats:
        if callable(self.kernel):
            return np.asarray(self.kernel(X, others), dtype=float)
        options = {"gamma": self.gamma_, "degree": self.degree, "coef0": self.coef0}
        return np.asarray(pairwise_kernels(X, others, metric=self.kernel, filter_params=True, **options))


def _scale_gamma(X: Floats, weight: Floats) -> float:
    """1 / (n_features * variance of X), in which an example counts as often as its weight says."""
    share = weight[:, None] / (weight.sum() * X.shape[1])
    variance = float((share * (X - (share * X).sum()) ** 2).sum())
    return 1 / (X.shape[1] * variance) if variance > 0 else 1.0


def _parts(X: Floats, size: int = 64) -> list[Floats]:
    return [X[start : start + size] for start in range(0, len(X), size)]
