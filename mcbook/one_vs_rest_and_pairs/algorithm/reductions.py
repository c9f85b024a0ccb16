"""Many classes as binary problems: which classes a problem sets against which, and one classifier for each problem.

A reduction is a matrix with a row for each class and a column for each problem; +1 puts a class on the positive side,
-1 on the negative side, 0 leaves its examples out.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import _check_method_params

from mcbook.foundation.checks import require_classes
from mcbook.foundation.types import Array, Integers, Matrix, Signs

# Entries -1, 0 and +1.
Code = Integers


def one_vs_rest_code(n_classes: int) -> Code:
    """+1 on the diagonal, -1 elsewhere: each class against the union of the others.

    >>> one_vs_rest_code(3).tolist()
    [[1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
    """
    n_classes = require_classes(n_classes)
    return 2 * np.eye(n_classes, dtype=np.int64) - 1


def all_pairs_code(n_classes: int) -> Code:
    """One column for each pair i < j, with +1 for i, -1 for j and 0 for the rest; pairs in lexicographic order.

    >>> all_pairs_code(3).tolist()
    [[1, 1, 0], [-1, 0, 1], [0, -1, -1]]
    """
    n_classes = require_classes(n_classes)
    first, second = np.triu_indices(n_classes, 1)
    M = np.zeros((n_classes, len(first)), dtype=np.int64)
    columns = np.arange(len(first))
    M[first, columns], M[second, columns] = 1, -1
    return M


def one_estimator_per_column(
    estimator: BaseEstimator,
    X: Matrix,
    signs: Signs,
    n_jobs: int | None = None,
    fit_params: Mapping[str, Any] | None = None,
) -> list[BaseEstimator]:
    """Copies of the estimator trained on the columns of ``signs (n_samples, n_columns)``, each without its zeros.

    ``fit_params`` are passed to every ``fit``, of those with an entry for each example the column's part.  An estimator
    that knows how to train many columns together gets as many at a time as there are columns for each job.
    """
    params = fit_params or {}
    if not hasattr(estimator, "fit_columns") or params.keys() - {"sample_weight"}:
        untrained = clone(estimator)
        tasks = (delayed(_fit_column)(untrained, X, column, params) for column in signs.T)
        return list(Parallel(n_jobs=n_jobs)(tasks))
    parts = np.array_split(signs, min(effective_n_jobs(n_jobs), signs.shape[1]), axis=1)
    trained = Parallel(n_jobs=n_jobs)(delayed(clone(estimator).fit_columns)(X, part, **params) for part in parts)
    return [one for part in trained for one in part]


def _fit_column(untrained: BaseEstimator, X: Matrix, signs: Signs, params: Mapping[str, Any]) -> BaseEstimator:
    """A copy trained on one column; copies of a clone are as good as clones, and far cheaper to make."""
    used = np.flatnonzero(signs)
    if len(used) == len(signs):
        return deepcopy(untrained).fit(X, signs, **params)
    return deepcopy(untrained).fit(X[used], signs[used], **_check_method_params(X, params, used))


def binary_scores(estimator: BaseEstimator, X: Matrix) -> Array:
    """The estimator's opinion (n_samples,): its sign is the side it chooses, its size how sure it is, if it says so.

    The decision function, else twice the probability of the positive side less 1, else the predicted sign.
    """
    if hasattr(estimator, "decision_function"):
        scores = np.asarray(estimator.decision_function(X))
    elif hasattr(estimator, "predict_proba"):
        scores = 2 * np.asarray(estimator.predict_proba(X))[:, 1] - 1
    else:
        scores = np.asarray(estimator.predict(X))
    # Some say it in one column, some in a vector.
    if scores.size != X.shape[0]:
        raise ValueError(
            f"expected one score for each of {X.shape[0]} examples from {type(estimator).__name__}, got shape "
            f"{scores.shape}: a binary classifier's decision_function gives that of its second class only"
        )
    return scores.reshape(-1)
