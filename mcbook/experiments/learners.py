"""What learns the columns of a code: AdaBoost with stumps, the kernel SVM, and two learners of today.

A learner is given a table, the mask of the rows that train, and a code.  It returns the outputs ``F (n_samples,
n_columns)`` on all rows of the table, of which those that trained give the training errors and the others the test
errors: one training serves every decoder.  ``decoders`` names the losses that fit the learner, ``settings`` says what
its choices are.  What its source leaves open is settled by a rule that looks at training rows alone.

Everything runs in one thread, with seeds: the same table, rows and code give the same bytes on any number of cores.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from sklearn import config_context
from sklearn.base import BaseEstimator, clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from mcbook.boosting_many_labels import LabelStumps, boost_pairs
from mcbook.boosting_many_labels.algorithm.stump_rounds import StumpRun
from mcbook.experiments.features import as_vectors
from mcbook.experiments.tables import Table
from mcbook.foundation.blas import limited_blas
from mcbook.foundation.threads import one_thread
from mcbook.foundation.types import Array, Booleans, Floats, Integers, Json, Labels, Signs
from mcbook.output_codes import decode
from mcbook.trees.algorithm.stumps import sides_of_values

_CHOICE_SEED = 2000
# Megabytes for rows of the Gram matrix in the precision that the library computes with.
_CACHE = 1000


class ColumnOutputs(NamedTuple):
    """The outputs ``F (n_samples, n_columns)``, and what was chosen on the way, by name.

    >>> ColumnOutputs(np.zeros((3, 2)), {"rounds": 7}).chosen
    {'rounds': 7}
    """

    F: Floats
    chosen: Json


class Learner(ABC):
    """A learner of all columns of a code; the module says what it is given and returns.

    >>> sorted(LEARNERS), LEARNERS["svm"].decoders
    (['adaboost', 'logistic', 'svm', 'trees'], {'hamming': 'hamming', 'loss-based': 'hinge'})
    """

    decoders: ClassVar[dict[str, str]]

    @property
    def settings(self) -> Json:
        """What decides the outputs beside table, rows and code."""
        return asdict(self)  # type: ignore[call-overload]  # every learner is a dataclass

    def outputs(self, table: Table, training: Booleans, M: Array) -> Floats:
        """``F (n_samples, n_columns)`` on all rows, learnt from those in the mask ``training``."""
        return self.fit_columns(table, training, M).F

    def fit_columns(self, table: Table, training: Booleans, M: Array) -> ColumnOutputs:
        """The same, with what was chosen."""
        with _single_threads():
            return self._fit(table, np.asarray(training, dtype=bool), np.asarray(M))

    @abstractmethod
    def _fit(self, table: Table, training: Booleans, M: Array) -> ColumnOutputs: ...


@dataclass(frozen=True)
class BoostedStumps(Learner):
    """AdaBoost.MO in a single call: each round has one question about one attribute, and on each side all columns vote.

    The stumps are those of `mcbook.output_code_margins.AdaBoostMO`, and so are the votes, up to rounding: a threshold
    for a number, "is it this category" for a nominal attribute, and a missing value is a side of its own.  The votes
    are sum_t alpha_t h_t, not divided by anything.  The source does not say how many rounds it made.

    >>> from mcbook.experiments.tiny import tiny_table
    >>> table = tiny_table()
    >>> M = 2 * np.eye(4, dtype=int) - 1
    >>> found = BoostedStumps(rounds=5).fit_columns(table, np.arange(len(table.X)) % 3 > 0, M)
    >>> found.F.shape, found.chosen
    ((84, 4), {'rounds': 5, 'ending': 'rounds'})
    """

    rounds: int = 1000
    decoders: ClassVar[dict[str, str]] = {"hamming": "hamming", "L_y": "sigmoid", "exp": "exponential"}

    def _fit(self, table: Table, training: Booleans, M: Array) -> ColumnOutputs:
        learner = LabelStumps(table.X[training], categorical=table.nominal)
        run = boost_pairs(learner, M[table.labels[training]], self.rounds)
        return ColumnOutputs(_votes(run, table.X), {"rounds": run.n_rounds, "ending": run.ending})


def _votes(run: StumpRun, X: Floats) -> Floats:
    """sum_t alpha_t h_t(x) on the rows of X: a product of matrices for each of the three sides of the stumps."""
    sides = np.stack([sides_of_values(stump.question, X).astype(np.int8) for stump in run.hypotheses], axis=1)
    votes = np.stack([step * stump.votes for step, stump in zip(run.steps, run.hypotheses, strict=True)])
    return np.asarray(sum((sides == side).astype(float) @ votes[:, side] for side in range(3) if (sides == side).any()))


@dataclass(frozen=True)
class KernelSVM(Learner):
    """A support-vector machine for each column, with the kernel (<x, x'> + 1)^degree on the vectors of `as_vectors`.

    One Gram matrix serves all columns; examples that a column does not ask about get weight 0.  The source has degree
    4, and does not say how slacks are priced, how attributes are scaled, or what nominal ones become.  Here the cost
    is C = cost / mean of K(x, x) over the training rows, the cost being chosen by `chosen_cost` with the hinge loss.

    At large C the library's steps can become smaller than its precision, and go on for ever without moving the
    outputs: they end after ``max_steps``.

    >>> from mcbook.experiments.tiny import tiny_table
    >>> table = tiny_table()
    >>> training = np.arange(len(table.X)) % 3 > 0
    >>> KernelSVM(costs=(1.0,)).outputs(table, training, 2 * np.eye(4, dtype=int) - 1).shape
    (84, 4)
    """

    degree: int = 4
    costs: tuple[float, ...] = (1.0, 10.0, 100.0, 1000.0)
    choice_rows: int = 1500
    choice_columns: int = 64
    max_steps: int = 1_000_000
    decoders: ClassVar[dict[str, str]] = {"hamming": "hamming", "loss-based": "hinge"}

    def _fit(self, table: Table, training: Booleans, M: Array) -> ColumnOutputs:
        X, y = self._vectors(table, training), table.labels[training]
        seen, unseen = X[training], X[~training]
        K = self._gram(seen, seen)
        unit = float(np.diag(K).mean())

        def predicted(fit: Labels, held: Labels, M: Array, cost: float) -> Floats:
            models = _column_svms(K[np.ix_(fit, fit)], M[y[fit]], cost / unit, self.max_steps)
            return models.outputs(K[np.ix_(held, fit)])

        cost = chosen_cost(self, predicted, y, M, "hinge")
        models = _column_svms(K, M[y], cost / unit, self.max_steps)
        F = _joined(training, models.outputs(K), models.outputs(self._gram(unseen, seen)))
        return ColumnOutputs(F, {"cost": cost, "stopped": int((models.steps >= self.max_steps).sum())})

    def _vectors(self, table: Table, training: Booleans) -> Floats:
        return as_vectors(table, training)

    def _gram(self, X: Floats, other: Floats) -> Floats:
        """Exact up to the power, as the entries of both are multiples of 2^-20."""
        K = X @ other.T
        K += 1.0
        return np.asarray(np.square(np.square(K, out=K), out=K) if self.degree == 4 else K**self.degree)


class _QuietSVC(SVC):
    """The library's, which does not warn of having been stopped: its steps are counted.

    A filter of warnings would be the whole process's, of which other threads run other parts.
    """

    def _warn_from_fit_status(self) -> None: ...


class _ColumnSVMs(NamedTuple):
    """The SVMs of all columns: what kernels are multiplied with (n_training, n_columns), what is added, steps."""

    duals: Floats
    offsets: Floats
    steps: Integers

    def outputs(self, K: Floats) -> Floats:
        return np.asarray(K @ self.duals + self.offsets)


def _column_svms(K: Floats, signs: Signs, C: float, max_steps: int) -> _ColumnSVMs:
    n_columns = signs.shape[1]
    models = _ColumnSVMs(np.zeros(signs.shape), np.zeros(n_columns), np.zeros(n_columns, dtype=np.int64))
    model = _QuietSVC(C=C, kernel="precomputed", cache_size=_CACHE, max_iter=max_steps)
    for s, column in enumerate(signs.T):
        asked = np.flatnonzero(column)
        if is_one_signed(column):
            models.offsets[s] = _only_sign(column)
            continue
        weight = None if len(asked) == len(column) else np.abs(column).astype(float)
        # The library leaves out what has no weight, without a copy of the matrix.
        model.fit(K, np.where(column < 0, -1, 1), weight)
        models.duals[asked[model.support_], s] = model.dual_coef_[0]
        models.offsets[s], models.steps[s] = model.intercept_[0], model.n_iter_[0]
    return models


@dataclass(frozen=True)
class Logistic(Learner):
    """Logistic regression for each column, on the vectors of `as_vectors`; the cost C is chosen by `chosen_cost`.

    >>> from mcbook.experiments.tiny import tiny_table
    >>> table = tiny_table()
    >>> F = Logistic(costs=(10.0,)).outputs(table, np.arange(len(table.X)) % 3 > 0, 2 * np.eye(4, dtype=int) - 1)
    >>> F.shape, bool((F.argmax(axis=1) == table.labels).mean() > 0.5)
    ((84, 4), True)
    """

    costs: tuple[float, ...] = (1.0, 10.0, 100.0, 1000.0)
    choice_rows: int = 1500
    choice_columns: int = 64
    decoders: ClassVar[dict[str, str]] = {"hamming": "hamming", "loss-based": "logistic"}

    def _fit(self, table: Table, training: Booleans, M: Array) -> ColumnOutputs:
        X, y = as_vectors(table, training), table.labels[training]
        seen = X[training]

        def predicted(fit: Labels, held: Labels, M: Array, cost: float) -> Floats:
            return _one_by_one(_regression(cost), seen[fit], M[y[fit]], seen[held])

        cost = chosen_cost(self, predicted, y, M, "logistic")
        return ColumnOutputs(_one_by_one(_regression(cost), seen, M[y], X), {"cost": cost})


@dataclass(frozen=True)
class BoostedTrees(Learner):
    """Histogram gradient boosting for each column, as the library has it by default, without early stopping.

    It splits on missing values and on categories as they are.

    >>> from mcbook.experiments.tiny import tiny_table
    >>> table = tiny_table()
    >>> training = np.arange(len(table.X)) % 3 > 0
    >>> BoostedTrees(rounds=2).outputs(table, training, 2 * np.eye(4, dtype=int) - 1).shape
    (84, 4)
    """

    rounds: int = 100
    decoders: ClassVar[dict[str, str]] = {"hamming": "hamming", "loss-based": "logistic"}

    def _fit(self, table: Table, training: Booleans, M: Array) -> ColumnOutputs:
        categories = table.nominal if table.nominal.any() else None
        model = HistGradientBoostingClassifier(
            max_iter=self.rounds, categorical_features=categories, early_stopping=False, random_state=0
        )
        return ColumnOutputs(_one_by_one(model, table.X[training], M[table.labels[training]], table.X), {})


def chosen_cost(
    learner: KernelSVM | Logistic, predicted: Callable[..., Floats], y: Labels, M: Array, loss: str
) -> float:
    """The cost with the fewest errors of loss-based decoding in threefold cross-validation, of equals the smallest.

    It is done on the training rows, or on ``choice_rows`` of them, drawn from a seed; and with the columns of the code,
    or with ``choice_columns`` of them, drawn likewise, where a code without zeros has more.  ``predicted(fit, held, M,
    cost)`` gives the outputs on the rows ``held`` after training on the rows ``fit``, both as indices.
    """
    if len(learner.costs) == 1:
        return learner.costs[0]
    rng = np.random.default_rng(_CHOICE_SEED)
    order = rng.permutation(len(y))[: learner.choice_rows]
    thirds = [np.sort(order[third::3]) for third in range(3)]
    if M.all() and M.shape[1] > learner.choice_columns:
        M = M[:, np.sort(rng.permutation(M.shape[1])[: learner.choice_columns])]

    def errors(cost: float) -> int:
        outputs = ((held, predicted(np.setdiff1d(order, held), held, M, cost)) for held in thirds)
        return sum(int((decode(F, M, loss) != y[held]).sum()) for held, F in outputs)

    return min(learner.costs, key=lambda cost: (errors(cost), cost))


def is_one_signed(column: Signs) -> bool:
    """Whether the examples of a column are all on one side, as when a class has none among those that train."""
    return not ((column > 0).any() and (column < 0).any())


def _only_sign(column: Signs) -> float:
    """What is then answered everywhere; 0 where nothing was asked."""
    return float(np.sign(column.sum()))


def _one_by_one(model: BaseEstimator, X: Floats, signs: Signs, X_new: Floats) -> Floats:
    """The outputs on new rows of a copy of the model for each column, each trained on the rows that it asks about."""
    F = np.empty((len(X_new), signs.shape[1]))
    for s, column in enumerate(signs.T):
        asked = np.flatnonzero(column)
        if is_one_signed(column):
            F[:, s] = _only_sign(column)
        else:
            F[:, s] = clone(model).fit(_known(X[asked]), column[asked]).decision_function(X_new)
    return F


def _known(X: Floats) -> Floats:
    """The rows, with 0 for attributes of which none of them has a value: trees do not split there, but want one."""
    unknown = np.isnan(X).all(axis=0)
    return np.where(unknown, 0.0, X) if unknown.any() else X


def _regression(cost: float) -> LogisticRegression:
    return LogisticRegression(C=cost, solver="newton-cholesky")


def _joined(training: Booleans, seen: Floats, unseen: Floats) -> Floats:
    F = np.empty((len(training), seen.shape[1]))
    F[training], F[~training] = seen, unseen
    return F


@contextmanager
def _single_threads() -> Iterator[None]:
    """One thread everywhere; and the libraries need not look for what is not finite in matrices made here."""
    with one_thread(), limited_blas(1), threadpool_limits(1, user_api="openmp"), config_context(assume_finite=True):
        yield


LEARNERS: dict[str, Learner] = {
    "adaboost": BoostedStumps(),
    "svm": KernelSVM(),
    "logistic": Logistic(),
    "trees": BoostedTrees(),
}
