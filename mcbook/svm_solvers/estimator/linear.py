"""The linear support vector machines as scikit-learn classifiers."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Self

from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions

from mcbook.foundation.estimators import (
    LinearScoresMixin,
    seed_of,
    training_data,
    warn_not_converged,
)
from mcbook.foundation.types import Array, ClassWeight, Matrix, RandomState
from mcbook.foundation.vocabulary import DEFAULT_TOL, SlackLoss
from mcbook.svm_solvers.algorithm.objective import SVMSolution
from mcbook.svm_solvers.algorithm.solver import BinarySVMSolution, Solver, solve_binary, solve_multiclass

CONSTRAINTS = {
    "C": [Interval(Real, 0, None, closed="neither")],
    "tol": [Interval(Real, 0, 1, closed="neither")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
    "class_weight": [StrOptions({"balanced"}), dict, None],
    "random_state": ["random_state"],
}
LOSSES = StrOptions({"crammer-singer", "weston-watkins"})


class Certified:
    """What the SVMs report of their solution."""

    max_iter: int
    tol: float

    def _report(self, solution: SVMSolution | BinarySVMSolution) -> None:
        self.primal_, self.dual_, self.gap_ = solution.primal, solution.dual, solution.gap
        self.n_iter_, self.converged_ = max(solution.n_iter, 1), solution.converged
        if not solution.converged:
            warn_not_converged(f"max_iter={self.max_iter}", solution.gap, self.tol)


class MulticlassSVM(Certified, LinearScoresMixin, ClassifierMixin, BaseEstimator):
    """Linear multi-class support vector machine: min 1/2 sum_l |w_l|^2 + C sum_i slack_i, with a certificate.

    There is no ``predict_proba``: a score is no probability.  `sklearn.calibration.CalibratedClassifierCV` fits
    probabilities to the scores of examples that were held out.

    Parameters
    ----------
    C : float, default=1.0
        The trade-off: C multiplies the sum of the slacks, so a large C regularises little.
    loss : {"crammer-singer", "weston-watkins"}, default="crammer-singer"
        "crammer-singer" has one slack for each example, "weston-watkins" one for each example and rival.
    tol : float, default=1e-08
        The relative duality gap at which training stops.
    fit_intercept : bool, default=True
        Learn an intercept for each class, as the weight of a constant feature 1 (so it is regularised).
    max_iter : int, default=10000
        The largest number of passes and Newton steps together.
    solver : {"auto", "coordinate", "newton"}, default="auto"
        How the problem is solved, see `mcbook.svm_solvers.solve_multiclass`.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with ``sample_weight``; "balanced" gives every class the same total weight.
    random_state : int, RandomState or None, default=None
        Seed of the order in which examples are visited.

    Attributes
    ----------
    coef_ : ndarray of shape (n_classes, n_features)
        The weights that predict.
    intercept_ : ndarray of shape (n_classes,)
        The intercepts.
    dual_coef_ : ndarray of shape (n_samples, n_classes)
        The dual variables; coef_ = dual_coef_.T @ X, up to rounding where C |x|^2 is huge (see
        `mcbook.svm_solvers.SVMSolution`).
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
    >>> X, y = [[0, 0], [0, 2], [2, 0]], ["low", "high", "right"]
    >>> SVM = MulticlassSVM(C=10).fit(X, y)
    >>> SVM.predict([[0, 3]]).tolist(), bool(SVM.gap_ <= 1e-8)
    (['high'], True)
    """

    accepts_sparse = True
    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **CONSTRAINTS,
        "loss": [LOSSES],
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


class LinearSVM(Certified, LinearScoresMixin, ClassifierMixin, BaseEstimator):
    """Binary linear support vector machine: min 1/2 |w|^2 + C sum_i max(0, 1 - sign_i w.x_i), with a certificate.

    The margin-based classifier of the reductions.  There is no ``predict_proba``: a score is no probability.

    Parameters
    ----------
    C : float, default=1.0
        The trade-off: C multiplies the sum of the slacks, so a large C regularises little.
    tol : float, default=1e-08
        The relative duality gap at which training stops.
    fit_intercept : bool, default=True
        Learn an intercept, as the weight of a constant feature 1 (so it is regularised).  The SVM of the book, without
        one, is ``fit_intercept=False``.
    max_iter : int, default=10000
        The largest number of passes and Newton steps together.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with ``sample_weight``; "balanced" gives every class the same total weight.
    random_state : int, RandomState or None, default=None
        Seed of the order in which examples are visited.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features)
        The weights.
    intercept_ : ndarray of shape (1,)
        The intercept.
    dual_coef_ : ndarray of shape (1, n_samples)
        The dual variables with their signs, alpha_i sign_i.
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
    >>> SVM = LinearSVM(C=10, fit_intercept=False).fit([[-1.0, 0.0], [0.0, 2.0]], ["no", "yes"])
    >>> SVM.coef_.round(6).tolist(), SVM.predict([[0.0, 1.0]]).tolist()
    ([[1.0, 0.5]], ['yes'])
    """

    accepts_sparse = True
    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **CONSTRAINTS,
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
