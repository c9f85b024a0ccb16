"""A linear learner for reductions, which trains all the columns of a code together."""

from __future__ import annotations

import copy
import warnings
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from mcbook.output_codes.algorithm.column_newton import ColumnSolutions, solve_columns

Array = NDArray[Any]


class SquaredHingeClassifier(ClassifierMixin, BaseEstimator):
    """Linear classifier for two classes, or for all columns of a code: min 1/2 |w|^2 + C sum_i max(0, 1 - y_i f_i)^2.

    The objective of scikit-learn's ``LinearSVC``, with a certificate: the weights are optimal up to the gap.  A learner
    for `OutputCode`, which trains all columns by one call of `fit_columns`.

    Parameters
    ----------
    C : the price of the squared slacks; it multiplies their sum.
    gap : the relative duality gap at which training stops.
    fit_intercept : learn an intercept, as the weight of a constant feature 1 (so it is regularised, as in LinearSVC).
    max_iter : at most so many Newton steps.

    Attributes
    ----------
    coef_ (1, n_features), intercept_ (1,) : the weights.
    primal_, dual_, gap_ : both values, the optimum between them, and their relative gap.
    n_iter_, converged_, classes_, n_features_in_ : as usual.
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        "C": [Interval(Real, 0, None, closed="neither")],
        "gap": [Interval(Real, 0, 1, closed="neither")],
        "fit_intercept": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, C: float = 1.0, *, gap: float = 1e-8, fit_intercept: bool = True, max_iter: int = 100) -> None:
        self.C = C
        self.gap = gap
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags

    def fit(self, X: Any, y: Array, sample_weight: Array | None = None) -> Self:
        """Train until the duality gap is small enough; the second class in sorted order is the positive side."""
        self._validate_params()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=float, order="C")
        check_classification_targets(y)
        weight = _check_sample_weight(sample_weight, X, dtype=float, ensure_non_negative=True)
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) > 2:
            raise ValueError(
                f"Only binary classification is supported: expected 2 classes, got {len(self.classes_)}; "
                "put it into OutputCode, or use MulticlassSVM"
            )
        present = np.unique(labels[weight > 0])
        if len(present) < 2:
            raise ValueError(
                f"expected 2 classes with weight > 0, got 1 class only: {self.classes_[present].tolist()}; "
                "nothing to tell apart"
            )
        solutions = self._solve(X, 2 * labels[:, None] - 1, weight)
        self._publish(solutions, 0)
        return self

    def fit_columns(self, X: Any, Y: Array, sample_weight: Array | None = None) -> list[Self]:
        """A trained copy for every column of ``Y (n_samples, n_columns)``, whose entries are +1, -1, or 0 for left out.

        The same weights as those of `fit` on the column's examples, for much less work.
        """
        self._validate_params()
        model = clone(self)
        X = validate_data(model, X, accept_sparse="csr", dtype=float, order="C")
        weight = _check_sample_weight(sample_weight, X, dtype=float, ensure_non_negative=True)
        Y = _checked_columns(Y, weight)
        model.classes_ = np.array([-1, 1])
        solutions = self._solve(X, Y, weight)
        return [copy.copy(model)._publish(solutions, s) for s in range(Y.shape[1])]

    def decision_function(self, X: Any) -> Array:
        """The score, positive on the side of the second class."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=float, reset=False)
        return np.asarray(X @ self.coef_[0] + self.intercept_[0])

    def predict(self, X: Any) -> Array:
        """The second class where the score is positive, else the first."""
        winners = (self.decision_function(X) > 0).astype(int)
        return np.asarray(self.classes_[winners])

    def _solve(self, X: Any, signs: Array, weight: Array) -> ColumnSolutions:
        if self.fit_intercept:
            ones = np.ones((X.shape[0], 1))
            X = sp.hstack([X, ones], format="csr") if sp.issparse(X) else np.hstack([X, ones])
        found = solve_columns(X, signs, self.C, gap=self.gap, max_iter=self.max_iter, sample_weight=weight)
        late = np.flatnonzero(~found.converged)
        if len(late):
            reached = ((found.primal - found.dual) / found.primal)[late].max()
            warnings.warn(
                f"stopped by max_iter={self.max_iter} in {len(late)} of {len(found.W)} columns at relative duality "
                f"gaps up to {reached:.3g}, not the {self.gap:g} asked for: raise max_iter, ask for a larger gap, "
                "scale the features or lower C",
                ConvergenceWarning,
                stacklevel=3,
            )
        return found

    def _publish(self, found: ColumnSolutions, column: int) -> Self:
        n_features = self.n_features_in_
        self.coef_ = found.W[column : column + 1, :n_features]
        self.intercept_ = found.W[column, n_features:] if self.fit_intercept else np.zeros(1)
        self.primal_, self.dual_ = float(found.primal[column]), float(found.dual[column])
        self.gap_ = (self.primal_ - self.dual_) / self.primal_
        self.n_iter_, self.converged_ = max(int(found.n_iter[column]), 1), bool(found.converged[column])
        return self


def _checked_columns(Y: Any, weight: Array) -> Array:
    Y = check_array(Y, dtype=float, input_name="Y", ensure_min_samples=0)
    if len(Y) != len(weight):
        raise ValueError(f"expected one row of Y for each of the {len(weight)} examples, got {len(Y)} rows")
    odd = np.setdiff1d(Y, (-1, 0, 1))
    if len(odd):
        raise ValueError(f"expected entries +1, -1 or 0 in Y, got {odd[:5].tolist()}: give the signs of the code")
    for sign, name in ((1, "positive"), (-1, "negative")):
        without = np.flatnonzero(~(Y[weight > 0] == sign).any(axis=0))
        if len(without):
            raise ValueError(
                f"expected both signs in every column of Y, got no {name} example with weight > 0 in column "
                f"{without[0]}: leave the column out"
            )
    return Y.astype(np.int8)
