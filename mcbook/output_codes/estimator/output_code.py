"""A code, a binary learner and a decoder, joined to a multi-class classifier."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any, Self

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import gen_batches, get_tags
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from mcbook.one_vs_rest_and_pairs.algorithm.reductions import binary_scores, one_learner_per_column
from mcbook.output_codes.algorithm.codes import (
    Array,
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

# Examples are decoded so many outputs at a time; all the outputs of a large sample never exist at once.
_BLOCK_ENTRIES = 2**22


class OutputCode(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Reduce a multi-class problem to binary ones by a code matrix, and decode their outputs.

    Parameters
    ----------
    learner : any binary classifier of scikit-learn's kind.  Its outputs are those of ``decision_function``, else twice
        the probability of the positive side less 1, else the predicted signs.  If it has ``fit_columns(X, signs)``, as
        `SquaredHingeClassifier` has, that trains the learners of all columns together.
    code : "one-vs-rest", "all-pairs", "complete", "hadamard", "dense" and "sparse" (the best of 10 000 random codes),
        or a matrix with one row for each class in sorted order.  A positive entry puts the class on the positive side
        of the column's problem, a negative one on the negative side, 0 leaves it out; of other numbers only the
        decoder sees the size.  With two classes every name means the one column that there is.
    decoder : "hamming", the name of a loss of `mcbook.losses`, or a function of the margins.
    ties : among classes at the same Hamming distance, "margin" takes the one with the largest sum of code entry times
        output, "smallest label" the first.
    multi_call : train one learner for each column, or one for all of them with the column as an attribute: every
        example then comes once for each column, with as many more features, 1 for its column and 0 for the others.
    n_jobs : columns trained at the same time, as in joblib.
    random_state : seed of the random codes.

    Attributes
    ----------
    classes_, n_features_in_ : as usual.
    code_ (n_classes, n_columns) : the code in use.
    learners_ : the trained learners, one for each column, or one for all of them.
    """

    _parameter_constraints = {  # noqa: RUF012 -- scikit-learn reads this from the class
        "learner": [HasMethods(["fit", "predict"])],
        "code": [StrOptions({*CODES, *RANDOM_CODES}), "array-like"],
        "decoder": [str, callable],
        "ties": [StrOptions({"margin", "smallest label"})],
        "multi_call": ["boolean"],
        "n_jobs": [Interval(Integral, None, None, closed="neither"), None],
        "random_state": [Interval(Integral, 0, None, closed="left"), None],
    }

    def __init__(
        self,
        learner: Any,
        code: Any = "one-vs-rest",
        decoder: Any = "hamming",
        *,
        ties: str = "margin",
        multi_call: bool = True,
        n_jobs: int | None = None,
        random_state: int | None = None,
    ) -> None:
        self.learner = learner
        self.code = code
        self.decoder = decoder
        self.ties = ties
        self.multi_call = multi_call
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Array, y: Array) -> Self:
        """Train the learners of all columns."""
        self._validate_params()
        find_decoder(self.decoder)
        X, y = validate_data(self, X, y, **self._accepted())
        check_classification_targets(y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"expected at least 2 classes, got 1 class only: {self.classes_.tolist()}")
        self.code_ = self._code(len(self.classes_))
        signs = np.sign(self.code_).astype(np.int64)[labels]
        if self.multi_call:
            self.learners_ = one_learner_per_column(self.learner, X, signs, self.n_jobs)
        else:
            self.learners_ = [_fit_all_columns(self.learner, X, signs)]
        return self

    def outputs(self, X: Array) -> Array:
        """The outputs of the binary problems, shape (n_samples, n_columns)."""
        check_is_fitted(self)
        return self._outputs(validate_data(self, X, reset=False, **self._accepted()))

    def decision_function(self, X: Array) -> Array:
        """Minus the decoding distances; for two classes, as scikit-learn has it, second minus first.

        Hamming scores whose ties the margin breaks hold the margin too, squeezed into less than half a flip.
        """
        scores = decoding_scores(self.outputs(X), self.code_, self.decoder, self.ties)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Array) -> Array:
        """The class whose row fits the outputs best."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **self._accepted())
        labels = [
            decode(self._outputs(X[part]), self.code_, self.decoder, self.ties)
            for part in gen_batches(X.shape[0], max(1, _BLOCK_ENTRIES // self.code_.shape[1]))
        ]
        return np.asarray(self.classes_[np.concatenate(labels)])

    def _accepted(self) -> dict[str, Any]:
        """What the learner is able to take, except that a sparse matrix is left for it to refuse."""
        allows_nan = get_tags(self.learner).input_tags.allow_nan
        return {"accept_sparse": "csr", "dtype": None, "ensure_all_finite": "allow-nan" if allows_nan else True}

    def _code(self, n_classes: int) -> Array:
        if not isinstance(self.code, str):
            return check_code(self.code, n_classes)
        if n_classes == 2:
            return _BINARY_CODE
        if self.code in RANDOM_CODES:
            return RANDOM_CODES[self.code](n_classes, random_state=self.random_state)
        return CODES[self.code](n_classes)

    def column_outputs(self, X: Array, column: int) -> Array:
        """The outputs of one column's problem, for examples that are checked already."""
        if self.multi_call:
            return binary_scores(self.learners_[column], X)
        return binary_scores(self.learners_[0], _with_column(X, column, self.code_.shape[1]))

    def _outputs(self, X: Array) -> Array:
        F = np.empty((X.shape[0], self.code_.shape[1]))
        for column in range(F.shape[1]):
            F[:, column] = self.column_outputs(X, column)
        return F

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        accepted = get_tags(self.learner).input_tags
        tags.input_tags.sparse, tags.input_tags.allow_nan = accepted.sparse, accepted.allow_nan
        return tags


def _fit_all_columns(learner: Any, X: Array, signs: Array) -> Any:
    """One learner for all the columns, on the examples that each of them uses."""
    n_columns = signs.shape[1]
    used = [column != 0 for column in signs.T]
    parts = [_with_column(X[rows], s, n_columns) for s, rows in enumerate(used)]
    targets = [column[rows] for column, rows in zip(signs.T, used, strict=True)]
    stacked = sp.vstack(parts, format="csr") if sp.issparse(X) else np.concatenate(parts)
    return clone(learner).fit(stacked, np.concatenate(targets))


def _with_column(X: Array, column: int, n_columns: int) -> Array:
    """The examples with the column as an attribute: 1 in its place, 0 in those of the other columns."""
    attribute = np.zeros((X.shape[0], n_columns))
    attribute[:, column] = 1
    return sp.hstack([X, attribute], format="csr") if sp.issparse(X) else np.hstack([X, attribute])
