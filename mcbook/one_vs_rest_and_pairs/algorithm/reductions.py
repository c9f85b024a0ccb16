"""Many classes as binary problems: which classes a problem sets against which, and one learner for each problem.

A reduction is a matrix with a row for each class and a column for each problem; +1 puts a class on the positive side,
-1 on the negative side, 0 leaves its examples out.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import clone

Array = NDArray[Any]
Code = NDArray[np.int64]


def one_vs_rest_code(n_classes: int) -> Code:
    """+1 on the diagonal, -1 elsewhere: each class against the union of the others."""
    expect_classes(n_classes)
    return 2 * np.eye(n_classes, dtype=np.int64) - 1


def all_pairs_code(n_classes: int) -> Code:
    """One column for each pair i < j, with +1 for i, -1 for j and 0 for the rest; pairs in lexicographic order."""
    expect_classes(n_classes)
    first, second = np.triu_indices(n_classes, 1)
    M = np.zeros((n_classes, len(first)), dtype=np.int64)
    columns = np.arange(len(first))
    M[first, columns], M[second, columns] = 1, -1
    return M


def expect_classes(n_classes: int) -> None:
    if n_classes < 2:
        raise ValueError(f"expected at least 2 classes, got {n_classes}")


def one_learner_per_column(learner: Any, X: Array, signs: Array, n_jobs: int | None = None) -> list[Any]:
    """Copies of the learner trained on the columns of ``signs (n_samples, n_columns)``, each without its zeros.

    A learner that knows how to train many columns together gets as many at a time as there are columns for each job.
    """
    if not hasattr(learner, "fit_columns"):
        untrained = clone(learner)
        tasks = (delayed(_fit_column)(untrained, X, column) for column in signs.T)
        return list(Parallel(n_jobs=n_jobs)(tasks))
    parts = np.array_split(signs, min(effective_n_jobs(n_jobs), signs.shape[1]), axis=1)
    trained = Parallel(n_jobs=n_jobs)(delayed(clone(learner).fit_columns)(X, part) for part in parts)
    return [learner for part in trained for learner in part]


def _fit_column(untrained: Any, X: Array, signs: Array) -> Any:
    """A copy trained on one column; copies of a clone are as good as clones, and far cheaper to make."""
    used = signs != 0
    if used.all():
        return deepcopy(untrained).fit(X, signs)
    return deepcopy(untrained).fit(X[used], signs[used])


def binary_scores(learner: Any, X: Array) -> Array:
    """The learner's opinion: its sign is the side it chooses, its size how sure it is, as far as the learner says."""
    if hasattr(learner, "decision_function"):
        return learner.decision_function(X)
    if hasattr(learner, "predict_proba"):
        return 2 * learner.predict_proba(X)[:, 1] - 1
    return learner.predict(X)
