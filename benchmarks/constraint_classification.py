"""A pass over preference pairs in d dimensions beside the same pass over lifted vectors, built as a sparse matrix."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron

from benchmarks.harness import Case, Contender
from mcbook.constraint_classification import (
    constraint_gaps,
    constraints_from_rankings,
    noisy_rankings,
    run_constraint_winnow,
    run_constraints,
    solve_constraint_svm,
)
from mcbook.constraint_classification.theory.constraints import Constraints

N_CLASSES, N_FEATURES = 11, 50
# Of the pairs, after one pass; without any learning nearly all are violated, as at W = 0 all scores tie.
_VIOLATED = 0.3


class Rankings(NamedTuple):
    """Features and the adjacent pairs of noisy rankings."""

    X: NDArray[np.float64]
    constraints: Constraints


def cases() -> list[Case]:
    """One pass, the lifted matrix and its building included; Winnow and the SVM in d dimensions beside it."""
    contenders = (
        Contender("mcbook", lambda data, _: run_constraints(*data, max_epochs=1).W),
        Contender("mcbook, Winnow", lambda data, _: run_constraint_winnow(*data, 1.1, max_epochs=1).W),
        Contender("mcbook, dual coordinate ascent", lambda data, _: solve_constraint_svm(*data, 0.01, max_epochs=1).W),
        Contender("scikit-learn, lifted", _lifted),
    )
    name = "constraints: a pass over 10^6 pairs x50x11"
    return [Case(name, million_pairs, few_pairs, contenders, violated_share, _VIOLATED)]


def million_pairs() -> Rankings:
    return rankings(100_000)


def few_pairs() -> Rankings:
    return rankings(3_000)


def rankings(n_samples: int) -> Rankings:
    rng = np.random.default_rng(0)
    X, learnt = noisy_rankings(rng, rng.normal(size=(N_CLASSES, N_FEATURES)), n_samples, 0.5)
    return Rankings(X, constraints_from_rankings(learnt))


def violated_share(data: Rankings, W: Any) -> float:
    return float((constraint_gaps(W, *data) <= 0).mean())


def _lifted(data: Rankings, setting: Any) -> NDArray[np.float64]:
    """Every other vector mirrored and negative, as scikit-learn wants to see two classes."""
    X, constraints = data
    n_pairs = len(constraints)
    signs = np.where(np.arange(n_pairs) % 2 == 0, 1.0, -1.0)
    rows = signs[:, None] * X[constraints.examples]
    features = np.arange(N_FEATURES)
    columns = np.c_[
        constraints.preferred[:, None] * N_FEATURES + features, constraints.rivals[:, None] * N_FEATURES + features
    ]
    begin = 2 * N_FEATURES * np.arange(n_pairs + 1)
    shape = (n_pairs, N_CLASSES * N_FEATURES)
    vectors = sp.csr_matrix((np.c_[rows, -rows].ravel(), columns.ravel().astype(np.int32), begin), shape=shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        learner = Perceptron(max_iter=1, tol=None, fit_intercept=False, shuffle=False)
        return np.asarray(learner.fit(vectors, signs).coef_.reshape(N_CLASSES, N_FEATURES))
