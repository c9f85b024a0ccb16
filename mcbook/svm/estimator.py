"""The support vector machines as scikit-learn classifiers."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from mcbook.svm.algorithm.kernel_solver import GramRows, checked_gram, solve_rows
from mcbook.svm.algorithm.objective import Array
from mcbook.svm.algorithm.solver import solve_binary, solve_multiclass

_COMMON_CONSTRAINTS = {
    "C": [Interval(Real, 0, None, closed="neither")],
    "gap": [Interval(Real, 0, 1, closed="neither")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "class_weight": [StrOptions({"balanced"}), dict, None],
    "random_state": ["random_state"],
}
_LOSSES = StrOptions({"crammer-singer", "weston-watkins"})


class _Machine(ClassifierMixin, BaseEstimator):
    """What the machines share: encoding labels, weighing examples, reporting the gap, choosing a class."""

    def _encode(self, y: Array, sample_weight: Array | None, X: Any) -> tuple[Array, Array]:
        check_classification_targets(y)
        weight = _check_sample_weight(sample_weight, X, dtype=float, ensure_non_negative=True)
        weight = weight * compute_sample_weight(self.class_weight, y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        present = np.unique(labels[weight > 0])
        if len(present) < 2:
            raise ValueError(
                f"expected at least 2 classes with weight > 0, got 1 class only: {self.classes_[present].tolist()}; "
                "nothing to tell apart"
            )
        return labels.astype(np.int64), weight

    def _report(self, solution: Any) -> None:
        self.primal_, self.dual_, self.gap_ = solution.primal, solution.dual, solution.gap
        self.n_iter_, self.converged_ = max(solution.n_iter, 1), solution.converged
        if not solution.converged:
            warnings.warn(
                f"stopped by max_iter={self.max_iter} at the relative duality gap {solution.gap:.3g}, not the "
                f"{self.gap:g} asked for: raise max_iter, ask for a larger gap, scale the features or lower C",
                ConvergenceWarning,
                stacklevel=3,
            )

    def predict(self, X: Any) -> Array:
        """The class with the largest score; among equal scores the first."""
        scores = self.decision_function(X)
        winners = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return np.asarray(self.classes_[winners])

    def _seed(self) -> int:
        from sklearn.utils import check_random_state

        return int(check_random_state(self.random_state).randint(2**31 - 1))


class _LinearMachine(_Machine):
    """What the linear machines share: dense or sparse input, and the intercept as the weight of a constant feature."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _training_data(self, X: Any, y: Array, sample_weight: Array | None) -> tuple[Any, Array, Array]:
        self._validate_params()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=float, order="C")
        labels, weight = self._encode(y, sample_weight, X)
        if not self.fit_intercept:
            return X, labels, weight
        ones = np.ones((X.shape[0], 1))
        return (sparse.hstack([X, ones], format="csr") if sparse.issparse(X) else np.hstack([X, ones])), labels, weight

    def _publish(self, W: Array) -> None:
        """Split rows of weights into coefficients and intercepts."""
        self.coef_ = W[:, : self.n_features_in_]
        self.intercept_ = W[:, -1] if self.fit_intercept else np.zeros(len(W))


class MulticlassSVM(_LinearMachine):
    """Linear multi-class support vector machine: min 1/2 sum_l |w_l|^2 + C sum_i slack_i, with a certificate.

    Parameters
    ----------
    C : the price of slack; it multiplies the sum of the slacks.
    loss : "crammer-singer", one slack for each example, or "weston-watkins", one for each example and rival.
    gap : the relative duality gap at which training stops.
    fit_intercept : learn an intercept for each class, as the weight of a constant feature 1 (so it is regularised).
    max_iter : at most so many passes and Newton steps together.
    solver : "auto", "coordinate" or "newton", see `mcbook.svm.solve_multiclass`.
    class_weight : None, "balanced" or a dict, as everywhere in scikit-learn.
    random_state : seed of the order in which examples are visited.

    Attributes
    ----------
    coef_ (n_classes, n_features), intercept_ (n_classes,) : the weights.
    dual_coef_ (n_samples, n_classes) : the flows; coef_ = dual_coef_.T @ X, up to rounding where C |x|^2 is huge
        (see `mcbook.svm.SVMSolution`).
    primal_, dual_, gap_ : both values, the optimum between them, and their relative gap.
    n_iter_, converged_, classes_, n_features_in_ : as usual.
    """

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
        loss: str = "crammer-singer",
        gap: float = 1e-8,
        fit_intercept: bool = True,
        max_iter: int = 10_000,
        solver: str = "auto",
        class_weight: Any = None,
        random_state: Any = None,
    ) -> None:
        self.C = C
        self.loss = loss
        self.gap = gap
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.solver = solver
        self.class_weight = class_weight
        self.random_state = random_state

    def fit(self, X: Any, y: Array, sample_weight: Array | None = None) -> Self:
        """Train until the duality gap is small enough."""
        X, labels, weight = self._training_data(X, y, sample_weight)
        solution = solve_multiclass(
            X,
            labels,
            len(self.classes_),
            self.C,
            loss=self.loss,  # type: ignore[arg-type]  # checked against the allowed words in fit
            gap=self.gap,
            max_iter=self.max_iter,
            sample_weight=weight,
            method=self.solver,  # type: ignore[arg-type]  # checked against the allowed words in fit
            random_state=self._seed(),
        )
        assert solution.W is not None
        self._publish(solution.W)
        self.dual_coef_ = solution.alpha
        self._report(solution)
        return self

    def decision_function(self, X: Any) -> Array:
        """The scores of the classes; for two classes, as scikit-learn has it, second minus first."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=float, reset=False)
        scores: Array = np.asarray(X @ self.coef_.T) + self.intercept_
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores


class LinearSVM(_LinearMachine):
    """Binary linear support vector machine: min 1/2 |w|^2 + C sum_i max(0, 1 - sign_i w.x_i), with a certificate.

    The margin-based learner of the reductions.  Parameters and attributes are those of `MulticlassSVM` where it has
    them; ``coef_`` is (1, n_features) and ``dual_coef_`` (1, n_samples) holds alpha_i sign_i.  The machine of the text,
    without a bias, is ``fit_intercept=False``.
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **_COMMON_CONSTRAINTS,
        "fit_intercept": ["boolean"],
    }

    def __init__(
        self,
        C: float = 1.0,
        *,
        gap: float = 1e-8,
        fit_intercept: bool = True,
        max_iter: int = 10_000,
        class_weight: Any = None,
        random_state: Any = None,
    ) -> None:
        self.C = C
        self.gap = gap
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Any, y: Array, sample_weight: Array | None = None) -> Self:
        """Train until the duality gap is small enough."""
        X, labels, weight = self._training_data(X, y, sample_weight)
        if len(self.classes_) != 2:
            raise ValueError(
                f"Only binary classification is supported: expected 2 classes, got {len(self.classes_)}; "
                "use MulticlassSVM, or a reduction to binary problems"
            )
        signs = 2 * labels - 1
        solution = solve_binary(
            X,
            signs,
            self.C,
            gap=self.gap,
            max_iter=self.max_iter,
            sample_weight=weight,
            random_state=self._seed(),
        )
        self._publish(solution.w[None, :])
        self.dual_coef_ = (solution.alpha * signs)[None, :]
        self._report(solution)
        return self

    def decision_function(self, X: Any) -> Array:
        """The score, positive on the side of the second class."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=float, reset=False)
        return np.asarray(X @ self.coef_[0] + self.intercept_[0])


class KernelMulticlassSVM(_Machine):
    """Multi-class support vector machine with a kernel: scores sum_i alpha_il K(x_i, x), with a certificate.

    Parameters
    ----------
    kernel : "rbf", "linear", "poly", "precomputed" (fit takes the Gram matrix) or a function of two matrices that gives
        theirs.  The last two are checked to be positive semi-definite; "poly" asks for coef0 >= 0 for the same reason.
    gamma, degree, coef0 : of the kernel, as in scikit-learn; gamma "scale" is 1 / (n_features * variance of X),
        in which examples count with their sample_weight.
    cache_size : megabytes for rows of the Gram matrix, which are computed when needed.
    C, loss, gap, max_iter, class_weight, random_state : as in `MulticlassSVM`.  There is no intercept.

    Attributes
    ----------
    support_ : the examples that carry flows; dual_coef_ (n_support, n_classes) : their flows.
    gamma_ : the gamma in use; None where the kernel has none.
    primal_, dual_, gap_, n_iter_, converged_, classes_, n_features_in_ : as in `MulticlassSVM`.
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
        kernel: Any = "rbf",
        gamma: Any = "scale",
        degree: int = 3,
        coef0: float = 1.0,
        loss: str = "crammer-singer",
        gap: float = 1e-8,
        max_iter: int = 10_000,
        cache_size: float = 500,
        class_weight: Any = None,
        random_state: Any = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.loss = loss
        self.gap = gap
        self.max_iter = max_iter
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def fit(self, X: Array, y: Array, sample_weight: Array | None = None) -> Self:
        """Train until the duality gap is small enough."""
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=float, order="C")
        labels, weight = self._encode(y, sample_weight, X)
        self.gamma_ = self._gamma(X, sample_weight)
        solution = solve_rows(
            self._rows(X),
            labels,
            len(self.classes_),
            self.C,
            loss=self.loss,  # type: ignore[arg-type]  # checked against the allowed words in fit
            gap=self.gap,
            max_iter=self.max_iter,
            sample_weight=weight,
            random_state=self._seed(),
        )
        self.support_ = np.flatnonzero(solution.alpha.any(axis=1))
        self.dual_coef_ = solution.alpha[self.support_]
        self._support_vectors = None if self.kernel == "precomputed" else X[self.support_]
        self._report(solution)
        return self

    def decision_function(self, X: Array) -> Array:
        """The scores of the classes; for two classes, as scikit-learn has it, second minus first."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        K = X[:, self.support_] if self._support_vectors is None else self._kernel(X, self._support_vectors)
        scores: Array = K @ self.dual_coef_
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def _gamma(self, X: Array, sample_weight: Array | None) -> float | None:
        if self.kernel == "precomputed" or callable(self.kernel):
            return None
        if self.gamma != "scale":
            return float(self.gamma)
        return _scale_gamma(X, _check_sample_weight(sample_weight, X, dtype=float))

    def _rows(self, X: Array) -> GramRows:
        if self.kernel == "precomputed":
            return GramRows.whole(checked_gram(X))
        if callable(self.kernel):
            return GramRows.whole(checked_gram(self._kernel(X, X)))
        capacity = int(self.cache_size * 2**20 / (8 * len(X)))
        diagonal = np.concatenate([np.diag(self._kernel(part, part)) for part in _parts(X)])
        return GramRows(len(X), lambda examples: self._kernel(X[examples], X), diagonal, capacity)

    def _kernel(self, X: Array, others: Array) -> Array:
        if callable(self.kernel):
            return np.asarray(self.kernel(X, others), dtype=float)
        options = {"gamma": self.gamma_, "degree": self.degree, "coef0": self.coef0}
        return np.asarray(pairwise_kernels(X, others, metric=self.kernel, filter_params=True, **options))


def _scale_gamma(X: Array, weight: Array) -> float:
    """1 / (n_features * variance of X), in which an example counts as often as its weight says."""
    share = weight[:, None] / (weight.sum() * X.shape[1])
    variance = float((share * (X - (share * X).sum()) ** 2).sum())
    return 1 / (X.shape[1] * variance) if variance > 0 else 1.0


def _parts(X: Array, size: int = 64) -> list[Array]:
    return [X[start : start + size] for start in range(0, len(X), size)]
