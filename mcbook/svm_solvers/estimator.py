"""The support vector machines as scikit-learn classifiers."""

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
    LinearScoresMixin,
    as_decision,
    seed_of,
    training_data,
    warn_not_converged,
)
from mcbook.foundation.linear import require_gram
from mcbook.foundation.types import Array, ClassWeight, Floats, Matrix, RandomState
from mcbook.foundation.vocabulary import DEFAULT_TOL, SlackLoss
from mcbook.svm_solvers.algorithm.kernel_solver import GramRows, solve_rows
from mcbook.svm_solvers.algorithm.objective import SVMSolution
from mcbook.svm_solvers.algorithm.solver import BinarySVMSolution, Solver, solve_binary, solve_multiclass

Kernel = Literal["rbf", "linear", "poly", "precomputed"] | Callable[[Floats, Floats], Floats]

_COMMON_CONSTRAINTS = {
    "C": [Interval(Real, 0, None, closed="neither")],
    "tol": [Interval(Real, 0, 1, closed="neither")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "class_weight": [StrOptions({"balanced"}), dict, None],
    "random_state": ["random_state"],
}
_LOSSES = StrOptions({"crammer-singer", "weston-watkins"})


class _Certified:
    """What the SVMs report of their solution."""

    max_iter: int
    tol: float

    def _report(self, solution: SVMSolution | BinarySVMSolution) -> None:
        self.primal_, self.dual_, self.gap_ = solution.primal, solution.dual, solution.gap
        self.n_iter_, self.converged_ = max(solution.n_iter, 1), solution.converged
        if not solution.converged:
            warn_not_converged(f"max_iter={self.max_iter}", solution.gap, self.tol)


class MulticlassSVM(_Certified, LinearScoresMixin, ClassifierMixin, BaseEstimator):
    """Linear multi-class support vector machine: min 1/2 sum_l |w_l|^2 + C sum_i slack_i, with a certificate.

    There is no ``predict_proba``: a score is no probability.  `sklearn.calibration.CalibratedClassifierCV` fits
    probabilities to the scores of examples that were held out.

    Parameters
    ----------
    C : the cost of slack; it multiplies the sum of the slacks.
    loss : "crammer-singer", one slack for each example, or "weston-watkins", one for each example and rival.
    tol : the relative duality gap at which training stops.
    fit_intercept : learn an intercept for each class, as the weight of a constant feature 1 (so it is regularised).
    max_iter : at most so many passes and Newton steps together.
    solver : "auto", "coordinate" or "newton", see `mcbook.svm.solve_multiclass`.
    class_weight : None, "balanced" or a dict, as everywhere in scikit-learn; it multiplies ``sample_weight``.
    random_state : seed of the order in which examples are visited.

    Attributes
    ----------
    coef_ (n_classes, n_features), intercept_ (n_classes,) : the weights.
    dual_coef_ (n_samples, n_classes) : the flows; coef_ = dual_coef_.T @ X, up to rounding where C |x|^2 is huge
        (see `mcbook.svm.SVMSolution`).
    primal_, dual_, gap_ : both values, the optimum between them, and their relative gap.
    n_iter_, converged_, classes_, n_features_in_ : as usual.

    Examples
    --------
    >>> X, y = [[0, 0], [0, 2], [2, 0]], ["low", "high", "right"]
    >>> SVM = MulticlassSVM(C=10).fit(X, y)
    >>> SVM.predict([[0, 3]]).tolist(), bool(SVM.gap_ <= 1e-8)
    (['high'], True)
    """

    accepts_sparse = True
    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **_COMMON_CONSTRAINTS,
        "loss": [_LOSSES],
        "fit_intercept": ["boolean"],
        "solver": [StrOptions({"auto", "coordinate", "newton"})],
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        loss: SlackLoss = "crammer-singer",
        tol: float = DEFAULT_TOL,
        fit_intercept: bool = True,
        max_iter: int = 10_000,
        solver: Solver = "auto",
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
    ) -> None:
        self.C = C
        self.loss = loss
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.solver = solver
        self.class_weight = class_weight
        self.random_state = random_state

    def fit(self, X: Matrix, y: Array, sample_weight: Array | None = None) -> Self:
        """Train until the duality gap is small enough."""
        data = training_data(self, X, y, sample_weight, sparse=True)
        solution = solve_multiclass(
            data.X,
            data.labels,
            len(self.classes_),
            self.C,
            loss=self.loss,
            tol=self.tol,
            max_iter=self.max_iter,
            sample_weight=data.weight,
            solver=self.solver,
            random_state=seed_of(self.random_state),
        )
        assert solution.W is not None
        self._publish_weights(solution.W)
        self.dual_coef_ = data.spread(solution.alpha)
        self._report(solution)
        return self


class LinearSVM(_Certified, LinearScoresMixin, ClassifierMixin, BaseEstimator):
    """Binary linear support vector machine: min 1/2 |w|^2 + C sum_i max(0, 1 - sign_i w.x_i), with a certificate.

    The margin-based classifier of the reductions.  Parameters and attributes are those of `MulticlassSVM` where it has
    them; ``coef_`` is (1, n_features) and ``dual_coef_`` (1, n_samples) holds alpha_i sign_i.  The SVM of the text,
    without a bias, is ``fit_intercept=False``.  As there, no probability is defined.

    Examples
    --------
    >>> SVM = LinearSVM(C=10, fit_intercept=False).fit([[-1.0, 0.0], [0.0, 2.0]], ["no", "yes"])
    >>> SVM.coef_.round(6).tolist(), SVM.predict([[0.0, 1.0]]).tolist()
    ([[1.0, 0.5]], ['yes'])
    """

    accepts_sparse = True
    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **_COMMON_CONSTRAINTS,
        "fit_intercept": ["boolean"],
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        tol: float = DEFAULT_TOL,
        fit_intercept: bool = True,
        max_iter: int = 10_000,
        class_weight: ClassWeight = None,
        random_state: RandomState = None,
    ) -> None:
        self.C = C
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Matrix, y: Array, sample_weight: Array | None = None) -> Self:
        """Train until the duality gap is small enough."""
        data = training_data(self, X, y, sample_weight, sparse=True, binary=True)
        signs = 2 * data.labels - 1
        solution = solve_binary(
            data.X,
            signs,
            self.C,
            tol=self.tol,
            max_iter=self.max_iter,
            sample_weight=data.weight,
            random_state=seed_of(self.random_state),
        )
        self._publish_weights(solution.w[None, :])
        self.dual_coef_ = data.spread(solution.alpha * signs)[None, :]
        self._report(solution)
        return self


class KernelMulticlassSVM(_Certified, ArgmaxMixin, ClassifierMixin, BaseEstimator):
    """Multi-class support vector machine with a kernel: scores sum_i alpha_il K(x_i, x), with a certificate.

    Parameters
    ----------
    kernel : "rbf", "linear", "poly", "precomputed" (fit takes the Gram matrix) or a function of two matrices that gives
        theirs.  The last two are checked to be positive semi-definite; "poly" asks for coef0 >= 0 for the same reason.
    gamma, degree, coef0 : of the kernel, as in scikit-learn; gamma "scale" is 1 / (n_features * variance of X),
        in which examples count with their weight.
    cache_size : megabytes for rows of the Gram matrix, which are computed when needed.
    C, loss, tol, max_iter, class_weight, random_state : as in `MulticlassSVM`.  There is no intercept, and no
        probability either.

    Attributes
    ----------
    support_ : the examples that carry flows; dual_coef_ (n_support, n_classes) : their flows.
    gamma_ : the gamma in use; None where the kernel has none.
    primal_, dual_, gap_, n_iter_, converged_, classes_, n_features_in_ : as in `MulticlassSVM`.

    Examples
    --------
    >>> corners, labels = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], ["same", "same", "other", "other"]
    >>> SVM = KernelMulticlassSVM(gamma=2.0, C=10).fit(corners, labels)
    >>> SVM.predict([[0.1, 0.0], [0.9, 0.1]]).tolist(), SVM.support_.tolist()
    (['same', 'other'], [0, 1, 2, 3])
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **_COMMON_CONSTRAINTS,
        "loss": [_LOSSES],
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
