"""A code, a binary classifier and a decoder, joined to a multi-class classifier."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, clone
from sklearn.utils import gen_batches
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.validation import _check_method_params

from mcbook.foundation.checks import require_one_of
from mcbook.foundation.estimators import CALIBRATION, NotDefined, as_decision, seed_of
from mcbook.foundation.types import Array, ArrayLike, ClassWeight, Floats, Function, Matrix, RandomState, Signs
from mcbook.one_vs_rest_and_pairs.algorithm.reductions import binary_scores, one_estimator_per_column
from mcbook.one_vs_rest_and_pairs.estimator import Reduction
from mcbook.output_codes.algorithm.codes import (
    all_pairs_code,
    check_code,
    complete_code,
    hadamard_code,
    one_vs_rest_code,
    random_dense_code,
    random_sparse_code,
)
from mcbook.output_codes.algorithm.decoding import decode, decoding_scores, find_decoder

_BINARY_CODE = np.array([[-1], [1]])

CODES: dict[str, Callable[[int], Array]] = {
    "one-vs-rest": one_vs_rest_code,
    "all-pairs": all_pairs_code,
    "complete": complete_code,
    "hadamard": hadamard_code,
}
RANDOM_CODES: dict[str, Callable[..., Array]] = {"dense": random_dense_code, "sparse": random_sparse_code}

# Examples are decoded this many outputs at a time; all the outputs of a large sample never exist at once.
_BLOCK_ENTRIES = 2**22


def find_code(code: str | ArrayLike, n_classes: int, random_state: RandomState = None) -> Array:
    """The code with this name for so many classes, or the matrix that is given, checked.

    With two classes every name means the one column that there is.

    >>> find_code("one-vs-rest", 2).tolist()
    [[-1], [1]]
    """
    if not isinstance(code, str):
        return check_code(code, n_classes)
    if n_classes == 2:
        return _BINARY_CODE
    if code in RANDOM_CODES:
        # A seed is handed on as it is, so that the code is the one which the function makes of it.
        seeded = random_state is None or isinstance(random_state, Integral)
        return RANDOM_CODES[code](n_classes, random_state=random_state if seeded else seed_of(random_state))
    return CODES[require_one_of(code, CODES, "code")](n_classes)


class OutputCode(Reduction):
    """Reduce a multi-class problem to binary ones by a code matrix, and decode their outputs.

    There is no ``predict_proba``: a distance is a sum of losses, and the outputs of binary problems need not be
    probabilities of anything.  Where they are half the log-odds of independent answers, the ``decision_function`` of
    the decoder "logistic" is a log-likelihood; nothing makes them so.

    Parameters
    ----------
    estimator : estimator
        Any binary classifier of scikit-learn's kind.  Its outputs are those of ``decision_function``, else twice the
        probability of the positive side less 1, else the predicted signs.  If it has ``fit_columns(X, signs)``, as
        `SquaredHingeClassifier` has, that trains the classifiers of all columns together.
    code : str or array-like of shape (n_classes, n_columns), default="one-vs-rest"
        "one-vs-rest", "all-pairs", "complete", "hadamard", "dense" or "sparse" (the best of 10 000 random codes); or a
        matrix with one row for each class in sorted order.  A positive entry puts the class on the positive side of the
        column's problem, a negative one on the negative side, and 0 leaves it out; of other numbers only the decoder
        sees the size.  With two classes every name means the one column that there is.
    decoder : str or callable, default="hamming"
        "hamming", the name of a loss of `mcbook.losses`, or a function of the margins.
    ties : {"margin", "first"}, default="margin"
        "margin" takes, among classes at the same Hamming distance, the one with the largest sum of code entry times
        output; "first" takes the first.
    column_as_feature : bool, default=False
        Train one classifier for all columns, with the column as a feature, instead of one for each.  Every example then
        comes once for each column, with that many more features: 1 for its column and 0 for the others.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with ``sample_weight``; "balanced" gives every class the same total weight.
    n_jobs : int or None, default=None
        Columns trained at the same time; None is 1, and -1 is all cores.
    random_state : int, RandomState or None, default=None
        Seed of the random codes.

    Attributes
    ----------
    code_ : ndarray of shape (n_classes, n_columns)
        The code in use.
    estimators_ : list
        The trained classifiers, one for each column, or one for all of them.
    classes_ : ndarray of shape (n_classes,)
        The classes in sorted order.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features, if ``X`` has some.

    References
    ----------
    Allwein, Schapire and Singer (2000), Reducing multiclass to binary, sections 2 and 3.

    Examples
    --------
    >>> from sklearn.linear_model import RidgeClassifier
    >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]], ["a", "b", "c"]
    >>> OutputCode(RidgeClassifier(alpha=0.1), "all-pairs", "hinge").fit(X, y).predict([[0.1, 0.9]])
    array(['b'], dtype='<U1')
    """

    predict_proba = NotDefined(f"a distance to the rows of a code is no probability; {CALIBRATION}")
    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        **Reduction._parameter_constraints,
        "code": [StrOptions({*CODES, *RANDOM_CODES}), "array-like"],
        "decoder": [str, callable],
        "ties": [StrOptions({"margin", "first"})],
        "column_as_feature": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: BaseEstimator,
        code: str | ArrayLike = "one-vs-rest",
        decoder: str | Function = "hamming",
        *,
        ties: str = "margin",
        column_as_feature: bool = False,
        class_weight: ClassWeight = None,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.code = code
        self.decoder = decoder
        self.ties = ties
        self.column_as_feature = column_as_feature
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any) -> Self:
        """Train the classifiers of all columns.

        ``sample_weight`` goes to them, so their ``fit`` must take it; with metadata routing enabled so do
        ``fit_params``.
        """
        find_decoder(self.decoder)
        X, labels, params = self._examples(X, y, sample_weight, fit_params)
        self.code_ = find_code(self.code, len(self.classes_), self.random_state)
        signs = np.sign(self.code_).astype(np.int64)[labels]
        if self.column_as_feature:
            self.estimators_ = [_fit_all_columns(self.estimator, X, signs, params)]
        else:
            self.estimators_ = one_estimator_per_column(self.estimator, X, signs, self.n_jobs, params)
        return self

    def outputs(self, X: Matrix) -> Floats:
        """The outputs of the binary problems, shape (n_samples, n_columns)."""
        return self._outputs(self._checked(X))

    def decision_function(self, X: Matrix) -> Array:
        """Minus the decoding distances; for two classes, as scikit-learn has it, second minus first.

        Hamming scores whose ties the margin breaks hold the margin too, as a part of the largest that it can be.
        """
        return as_decision(decoding_scores(self.outputs(X), self.code_, self.decoder, self.ties))  # type: ignore[arg-type]  # a word that fit has checked

    def predict(self, X: Matrix) -> Array:
        """The class whose row fits the outputs best."""
        X = self._checked(X)
        labels = [
            decode(self._outputs(X[part]), self.code_, self.decoder, self.ties)  # type: ignore[arg-type]  # a word that fit has checked
            for part in gen_batches(X.shape[0], max(1, _BLOCK_ENTRIES // self.code_.shape[1]))
        ]
        return np.asarray(self.classes_[np.concatenate(labels)])

    def column_outputs(self, X: Matrix, column: int) -> Floats:
        """The outputs of one column's problem, for examples that are checked already."""
        if not self.column_as_feature:
            return binary_scores(self.estimators_[column], X)
        return binary_scores(self.estimators_[0], _with_column(X, column, self.code_.shape[1]))

    def _outputs(self, X: Matrix) -> Floats:
        F = np.empty((X.shape[0], self.code_.shape[1]))
        for column in range(F.shape[1]):
            F[:, column] = self.column_outputs(X, column)
        return F


def _fit_all_columns(estimator: BaseEstimator, X: Matrix, signs: Signs, params: dict[str, Any]) -> BaseEstimator:
    """One classifier for all the columns, on the examples that each of them uses."""
    used = [np.flatnonzero(column) for column in signs.T]
    parts = [_with_column(X[rows], s, signs.shape[1]) for s, rows in enumerate(used)]
    stacked = sp.vstack(parts, format="csr") if sp.issparse(X) else np.concatenate(parts)
    targets = np.concatenate([column[rows] for column, rows in zip(signs.T, used, strict=True)])
    return clone(estimator).fit(stacked, targets, **_check_method_params(X, params, np.concatenate(used)))


def _with_column(X: Matrix, column: int, n_columns: int) -> Matrix:
    """The examples with the column as a feature: 1 in its place, 0 in those of the other columns."""
    indicator = np.zeros((X.shape[0], n_columns))
    indicator[:, column] = 1
    return sp.hstack([X, indicator], format="csr") if sp.issparse(X) else np.hstack([X, indicator])
