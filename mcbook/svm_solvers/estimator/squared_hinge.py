"""A linear classifier for reductions, which trains all the columns of a code together."""

from __future__ import annotations

import copy
from numbers import Integral, Real
from typing import Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import Tags, check_array
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_sample_weight, validate_data

from mcbook.foundation.estimators import (
    FLOAT64,
    LinearScoresMixin,
    training_data,
    warn_not_converged,
    with_constant_feature,
)
from mcbook.foundation.types import Array, ArrayLike, ClassWeight, Floats, Matrix, Signs
from mcbook.foundation.vocabulary import DEFAULT_TOL
from mcbook.svm_solvers.algorithm.column_newton import ColumnSolutions, solve_columns


class SquaredHingeClassifier(LinearScoresMixin, ClassifierMixin, BaseEstimator):
    """Linear classifier for two classes, or for all columns of a code: min 1/2 |w|^2 + C sum_i max(0, 1 - y_i f_i)^2.

    The objective of scikit-learn's ``LinearSVC``, with a certificate: the weights are optimal up to the gap.
    `OutputCode` trains all its columns by one call of `fit_columns`.  A slack is no probability, so there is no
    ``predict_proba``.

    Parameters
    ----------
    C : float, default=1.0
        The trade-off: C multiplies the sum of the squared slacks.
    tol : float, default=1e-08
        The relative duality gap (primal - dual) / primal at which training stops.
    fit_intercept : bool, default=True
        Learn an intercept, as the weight of a constant feature 1 (so it is regularised, as in LinearSVC).
    max_iter : int, default=100
        The largest number of Newton steps.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with ``sample_weight``; "balanced" gives every class the same total weight.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features)
        The weights.
    intercept_ : ndarray of shape (1,)
        The intercept.
    primal_, dual_ : float
        The primal and the dual value; the optimum lies between them.
    gap_ : float
        Their relative gap.
    n_iter_ : int
        The number of steps.
    converged_ : bool
        Whether the gap was reached.
    classes_ : ndarray of shape (n_classes,)
        The classes in sorted order.
    n_features_in_ : int
        The number of features.

    Examples
    --------
    >>> SVM = SquaredHingeClassifier(C=1, fit_intercept=False).fit([[-1.0], [1.0]], ["no", "yes"])
    >>> SVM.coef_.round(6).tolist(), SVM.predict([[3.0]]).tolist()  # 4 / (4 + 1), as w + 4 (w - 1) = 0
    ([[0.8]], ['yes'])
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        "C": [Interval(Real, 0, None, closed="neither")],
        "tol": [Interval(Real, 0, 1, closed="neither")],
        "fit_intercept": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "class_weight": [dict, StrOptions({"balanced"}), None],
    }

    accepts_sparse = True

    def __init__(
        self,
        C: float = 1.0,
        *,
        tol: float = DEFAULT_TOL,
        fit_intercept: bool = True,
        max_iter: int = 100,
        class_weight: ClassWeight = None,
    ) -> None:
        self.C = C
        self.tol = tol
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.class_weight = class_weight

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train until the duality gap is small enough; the second class in sorted order is the positive side."""
        data = training_data(self, X, y, sample_weight, sparse=True, binary=True)
        return self._publish(self._solve(data.X, 2 * data.labels[:, None] - 1, data.weight), 0)

    def fit_columns(self, X: Matrix, Y: Array, sample_weight: ArrayLike | None = None) -> list[Self]:
        """A trained copy for every column of ``Y (n_samples, n_columns)``, whose entries are +1, -1, or 0 for left out.

        The same weights as those of `fit` on the column's examples, for much less work.
        """
        self._validate_params()
        model = clone(self)
        X = validate_data(model, X, accept_sparse="csr", **FLOAT64)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        Y = _checked_columns(Y, weight)
        if self.class_weight is not None:
            # The weights differ from column to column, so that nothing is gained by training them together.
            used = [np.flatnonzero(column) for column in Y.T]
            return [clone(self).fit(X[i], Y[i, s], weight[i]) for s, i in enumerate(used)]
        model.classes_ = np.array([-1, 1])
        solutions = self._solve(with_constant_feature(X) if self.fit_intercept else X, Y, weight)
        return [copy.copy(model)._publish(solutions, s) for s in range(Y.shape[1])]

    def _solve(self, X: Matrix, signs: Signs, weight: Floats) -> ColumnSolutions:
        found = solve_columns(X, signs, self.C, tol=self.tol, max_iter=self.max_iter, sample_weight=weight)
        late = np.flatnonzero(~found.converged)
        if len(late):
            reached = ((found.primal - found.dual) / found.primal)[late].max()
            made = f"max_iter={self.max_iter} in {len(late)} of {len(found.W)} columns"
            warn_not_converged(made, float(reached), self.tol)
        return found

    def _publish(self, found: ColumnSolutions, column: int) -> Self:
        self._publish_weights(found.W[column : column + 1])
        self.primal_, self.dual_ = float(found.primal[column]), float(found.dual[column])
        self.gap_ = (self.primal_ - self.dual_) / self.primal_
        self.n_iter_, self.converged_ = max(int(found.n_iter[column]), 1), bool(found.converged[column])
        return self


def _checked_columns(Y: Array, weight: Floats) -> Array:
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
