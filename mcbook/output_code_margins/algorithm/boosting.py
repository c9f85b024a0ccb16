"""AdaBoost.MO: AdaBoost on the pairs of an example and a column of the code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mcbook.boosting import run_adaboost
from mcbook.boosting.algorithm.adaboost import BoostingRun, WeakLearner
from mcbook.foundation.checks import require_labels
from mcbook.foundation.types import Array, Floats, Scalar
from mcbook.output_codes.algorithm.codes import check_code


def adaboost_mo(
    learner: WeakLearner,
    M: Array,
    y: Array,
    n_rounds: int,
    *,
    sample_weight: Array | None = None,
    keep_history: bool = False,
    on_round: Callable[[int, Scalar], None] | None = None,
) -> BoostingRun:
    """AdaBoost on the pairs (i, s), the sign that is wanted being M(y_i, s); a pair with a zero entry has no weight.

    One call of the learner serves all columns of a round, and they share its weight alpha_t.  The arguments are those
    of `mcbook.boosting.run_adaboost`; ``M (n_classes, n_columns)`` has entries -1, 0, +1, ``y (n_samples,)`` labels.
    Allwein, Schapire and Singer (2000), section 5; Schapire and Singer (1999), variant 2 of AdaBoost.MO.

    >>> from mcbook.boosting import StumpLearner
    >>> from mcbook.output_codes import decode
    >>> X, M = np.array([[0.0], [1.0], [2.0]]), np.array([[1, 1], [-1, 1], [-1, -1]])
    >>> decode(adaboost_mo(StumpLearner(X), M, np.array([0, 1, 2]), 5).votes, M, "exponential").tolist()
    [0, 1, 2]
    """
    signs = np.sign(check_code(M, repeated_columns=True)).astype(np.int64)[require_labels(y, len(np.asarray(M)))]
    return run_adaboost(learner, signs, n_rounds, weights=sample_weight, keep_history=keep_history, on_round=on_round)


def column_runs(
    learner_of: Callable[[Array], WeakLearner],
    M: Array,
    y: Array,
    n_rounds: int,
    *,
    sample_weight: Floats | None = None,
    on_round: Callable[[int, Scalar], None] | None = None,
) -> list[BoostingRun]:
    """A run of AdaBoost for each column by itself, on the examples that it asks for: the multi-call variant.

    ``learner_of(rows)`` is a learner for these examples.

    >>> from mcbook.boosting import StumpLearner
    >>> X, M = np.array([[0.0], [1.0], [2.0]]), np.array([[1, 1, 0], [-1, 0, 1], [0, -1, -1]])
    >>> runs = column_runs(lambda rows: StumpLearner(X[rows]), M, np.array([0, 1, 2]), 3)
    >>> [(run.n_rounds, run.ending, len(run.votes)) for run in runs]
    [(1, 'perfect', 2), (1, 'perfect', 2), (1, 'perfect', 2)]
    """
    signs = np.sign(check_code(M, repeated_columns=True)).astype(np.int64)[require_labels(y, len(np.asarray(M)))]
    runs = []
    for column in signs.T:
        rows = np.flatnonzero(column)
        weights = None if sample_weight is None else sample_weight[rows]
        runs.append(run_adaboost(learner_of(rows), column[rows], n_rounds, weights=weights, on_round=on_round))
    return runs
