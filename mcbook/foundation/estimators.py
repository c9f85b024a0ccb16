"""What the scikit-learn classifiers of all chapters share: what ``fit`` checks, and from scores to a class."""

from __future__ import annotations

import math
import sys
import warnings
from dataclasses import dataclass
from typing import ClassVar, NoReturn

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags, check_random_state
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from mcbook.foundation.checks import require_one_of, require_two_classes
from mcbook.foundation.types import Array, ArrayLike, ClassWeight, Floats, Integers, Labels, Matrix, RandomState
from mcbook.foundation.vocabulary import PredictionTies

# What estimators that compute in float64 themselves pass to `validate_data`; those over other estimators leave the
# type to them.
FLOAT64 = {"dtype": np.float64, "order": "C"}


@dataclass(frozen=True)
class TrainingData:
    """The examples of positive weight, as ``fit`` needs them.

    ``X`` with a last feature 1 where there is an intercept, ``labels`` counted from 0, ``weight`` > 0, and ``kept``,
    which examples of those given these are; ``n_given`` is how many were given.
    """

    X: Matrix
    labels: Labels
    weight: Floats
    kept: Integers
    n_given: int

    def spread(self, values: Array) -> Array:
        """Values for the examples kept as values for all that were given, 0 for the others."""
        table = np.zeros((self.n_given, *np.shape(values)[1:]), dtype=np.asarray(values).dtype)
        table[self.kept] = values
        return table


def training_data(
    estimator: BaseEstimator,
    X: Matrix,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    sparse: bool = False,
    binary: bool = False,
    intercept: bool | None = None,
) -> TrainingData:
    """Check parameters and data, set ``classes_`` and ``n_features_in_``, and give the examples to learn from.

    ``sparse`` says whether X may be; ``binary`` refuses more than two classes; ``intercept`` is the estimator's
    ``fit_intercept`` unless it is given.  ``class_weight`` is the estimator's, if it has one.
    """
    estimator._validate_params()
    X, y = validate_data(estimator, X, y, accept_sparse="csr" if sparse else False, **FLOAT64)
    weight = effective_weights(X, y, sample_weight, getattr(estimator, "class_weight", None))
    estimator.classes_, labels = encode_classes(y, weight, binary=binary)
    kept, n_given = np.flatnonzero(weight > 0), X.shape[0]
    if len(kept) < n_given:
        X, labels, weight = X[kept], labels[kept], weight[kept]
    with_constant = getattr(estimator, "fit_intercept", False) if intercept is None else intercept
    return TrainingData(with_constant_feature(X) if with_constant else X, labels, weight, kept, n_given)


def encode_classes(y: ArrayLike, weight: Floats | None = None, *, binary: bool = False) -> tuple[Array, Labels]:
    """The classes in sorted order and every example's label among them.

    Refuses targets of regression and fewer than two classes, counting those that have weight; with ``binary`` also
    more than two.
    """
    check_classification_targets(y)
    classes, labels = np.unique(y, return_inverse=True)  # type: ignore[call-overload]  # its ArrayLike has no fractions
    present = classes if weight is None else classes[np.unique(labels[weight > 0])]
    require_two_classes(classes if len(classes) > 2 and binary else present, exactly=binary)
    return classes, labels.astype(np.int64)


def effective_weights(
    X: Matrix, y: ArrayLike | None, sample_weight: ArrayLike | None = None, class_weight: ClassWeight = None
) -> Floats:
    """sample_weight times class_weight for each example, checked to be finite and not negative."""
    weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
    if not weight.any():
        raise ValueError("expected at least one sample_weight > 0, got only zeros: nothing is left to learn from")
    if class_weight is None:
        return weight
    require_class_weights(class_weight)
    weight = weight * compute_sample_weight(class_weight, y)
    if not weight.any():
        raise ValueError(
            "expected a class_weight > 0 for some class with weight, got only zeros: nothing is left to learn"
        )
    return np.asarray(weight)


def require_class_weights(class_weight: ClassWeight) -> None:
    """Refuse weights of classes that are negative or not finite, wherever the estimator multiplies by them."""
    for label, factor in class_weight.items() if isinstance(class_weight, dict) else ():
        if not 0 <= factor < math.inf:
            raise ValueError(
                f"expected class_weight to be finite numbers >= 0, got {factor} for the class {label!r}: take 0 to "
                "leave a class out"
            )


def with_constant_feature(X: Matrix) -> Matrix:
    """The examples with a last feature 1, whose weight is the intercept."""
    ones = np.ones((X.shape[0], 1))
    return sp.hstack([X, ones], format="csr") if sp.issparse(X) else np.hstack([X, ones])


def split_intercept(W: Floats, n_features: int) -> tuple[Floats, Floats]:
    """Coefficients, and the intercepts: the weights of a last, constant feature, or 0 where the rows have none."""
    return W[:, :n_features], W[:, n_features] if W.shape[1] > n_features else np.zeros(len(W))


def largest_score(scores: Array, ties: PredictionTies = "first") -> Labels:
    """The label with the largest score in each row; of equal scores the first, or the last.

    Scores without a second axis are those of two classes, second minus first.
    """
    first = require_one_of(ties, PredictionTies, "ties") == "first"
    if scores.ndim == 1:
        return np.asarray(scores > 0 if first else scores >= 0, dtype=np.int64)
    return np.asarray(scores.argmax(axis=1) if first else scores.shape[1] - 1 - scores[:, ::-1].argmax(axis=1))


def as_decision(scores: Array) -> Array:
    """Scores (n_samples, n_classes) as ``decision_function`` returns them: second minus first where there are two."""
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores


def seed_of(random_state: RandomState) -> int:
    """A seed from None, an int or a RandomState, as every function under an estimator takes it."""
    return int(check_random_state(random_state).randint(2**31 - 1))


def warn_unfinished(message: str) -> None:
    """A warning that training ended early, at the line outside the package that asked for it."""
    package, level, frame = __name__.partition(".")[0], 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, ConvergenceWarning, stacklevel=level)


def warn_not_converged(made: str, reached: float, wanted: float, advice: str = "") -> None:
    """One warning for every solver that stops early; ``made`` is as "max_iter=100"."""
    advice = advice or "raise max_iter, ask for a larger tol, scale the features or lower C"
    warn_unfinished(
        f"stopped by {made} at the relative duality gap {reached:.3g}, not the {wanted:g} asked for: {advice}"
    )


class NotDefined:
    """A method that scikit-learn's users may ask for and that has no meaning here: to ask for it gives the reason.

    ``hasattr`` says that it is not there, so that scikit-learn takes other ways.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type | None = None) -> NoReturn:
        estimator = type(instance) if owner is None else owner
        raise AttributeError(f"{estimator.__name__} has no {self.name}: {self.reason}", name=self.name, obj=instance)


CALIBRATION = "sklearn.calibration.CalibratedClassifierCV fits probabilities to scores of examples that were held out"


class ArgmaxMixin:
    """``predict`` from ``decision_function``: the class with the largest score, and of equal ones the first."""

    predict_proba = NotDefined(f"its scores are no probabilities; {CALIBRATION}")

    def predict(self, X: Matrix) -> Array:
        """The class with the largest score; among equal scores the first."""
        scores = self.decision_function(X)  # type: ignore[attr-defined]  # the class that this is mixed into has it
        return np.asarray(self.classes_[largest_score(scores)])  # type: ignore[attr-defined]  # so it has this


class LinearScoresMixin(ArgmaxMixin):
    """Scores from ``coef_`` and ``intercept_``, with a row for each class or, of two classes, one for their difference.

    A class that takes sparse input says so by ``accepts_sparse = True``, which also sets its tag.
    """

    accepts_sparse: ClassVar[bool] = False

    coef_: Floats
    intercept_: Floats
    n_features_in_: int

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()  # type: ignore[misc]  # BaseEstimator, which stands after this, has it
        tags.input_tags.sparse = self.accepts_sparse
        return tags

    def decision_function(self, X: Matrix) -> Array:
        """The scores of the classes; for two classes, as scikit-learn has it, second minus first."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr" if self.accepts_sparse else False, **FLOAT64, reset=False)
        scores = np.asarray(X @ self.coef_.T) + self.intercept_
        return scores[:, 0] if scores.shape[1] == 1 else as_decision(scores)

    def _publish_weights(self, W: Floats) -> None:
        """Set ``coef_`` and ``intercept_`` from rows of weights, whose last one may be that of the constant feature."""
        self.coef_, self.intercept_ = split_intercept(W, self.n_features_in_)
