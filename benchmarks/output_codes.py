"""Linear reductions beside scikit-learn's, decoding a million examples, and what the protocol costs on top of learners.

Both sides minimise 1/2 |w|^2 + C sum slack^2 in every column, with the intercept as the weight of a constant feature.
The quality is how far the sum of these objectives is above a certified lower bound, whoever made the weights.
"""

from __future__ import annotations

import warnings
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import pairwise_distances_argmin
from sklearn.multiclass import OneVsRestClassifier, OutputCodeClassifier
from sklearn.svm import LinearSVC

from benchmarks.data import Sample, digits, letter_like, mkcl
from benchmarks.harness import Case, Contender
from mcbook import OutputCode, SquaredHingeClassifier
from mcbook.output_codes import decode, decoding_distances, one_vs_rest_code, random_dense_code
from mcbook.svm_solvers.algorithm.column_newton import solve_columns

Array = NDArray[Any]

_EXCESS = 1e-6
# Their tolerances, from loose to strict; theirs by default is 1e-4.
_TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
# Their codes are random, twice as many columns as classes; of this seed no column is constant and no two are equal.
_CODE_SIZE, _CODE_SEED = 2, 1


def cases() -> list[Case]:
    """Training to the same objective, decoding, and the overhead over the bare learners."""
    samples = [
        ("digits", digits, 1),
        ("letter-like 12800x16x26", letter_like, 3),
        ("mkcl 15000x50x10", mkcl, 4),
    ]
    return [
        *(_training(f"output codes: {kind}, {name}", kind, *rest) for kind in _PEERS for name, *rest in samples),
        *(_decoding(loss) for loss in ("hamming", "hinge", "square")),
        _overhead("LinearSVC, mkcl 15000x50x10", LinearSVC(dual=False), mkcl),
        _overhead("logistic regression, digits", LogisticRegression(), digits),
        _overhead("the learner of all columns, mkcl 15000x50x10", SquaredHingeClassifier(), mkcl),
    ]


def _training(name: str, kind: str, data: Any, target: float) -> Case:
    ours = Contender("mcbook", partial(_ours, kind=kind))
    peer = Contender(f"scikit-learn {_PEERS[kind].__name__}", partial(_theirs, kind=kind), _TOLERANCES)
    return Case(name, data, _small, (ours, peer), partial(excess, kind=kind), _EXCESS, target)


def _ours(data: Sample, setting: None, kind: str) -> OutputCode:
    return OutputCode(SquaredHingeClassifier(), code_of(kind, data.n_classes), "square").fit(data.X, data.y)


def _theirs(data: Sample, tolerance: float, kind: str) -> Any:
    learner = LinearSVC(dual=False, tol=tolerance, max_iter=100_000)
    options = {} if kind == "one-vs-rest" else {"code_size": _CODE_SIZE, "random_state": _CODE_SEED}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return _PEERS[kind](learner, **options).fit(data.X, data.y)


_PEERS = {"one-vs-rest": OneVsRestClassifier, "random dense code": OutputCodeClassifier}


@cache
def code_of(kind: str, n_classes: int) -> Array:
    """The code that the peer uses."""
    if kind == "one-vs-rest":
        return one_vs_rest_code(n_classes)
    y = np.repeat(np.arange(n_classes), 3)
    drawn = OutputCodeClassifier(LinearSVC(), code_size=_CODE_SIZE, random_state=_CODE_SEED).fit(
        np.eye(n_classes)[y], y
    )
    return np.where(drawn.code_book_ > 0, 1, -1)


def excess(data: Sample, model: Any, kind: str) -> float:
    """How far the objectives of all columns together are above their lower bound, relative to it."""
    learners = model.estimators_
    W = np.array([np.append(learner.coef_[0], learner.intercept_) for learner in learners])
    X, signs = _with_constant(data.X), code_of(kind, data.n_classes)[data.y]
    slack = np.maximum(0, 1 - signs * (X @ W.T))
    return float(0.5 * (W**2).sum() + (slack**2).sum()) / _lower_bound(_Key(data, kind)) - 1


class _Key:
    """A sample and a code; the same object is the same data."""

    def __init__(self, data: Sample, kind: str) -> None:
        self.data, self.kind = data, kind

    def __hash__(self) -> int:
        return hash((id(self.data.X), self.kind))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.data.X is self.data.X and other.kind == self.kind


@cache
def _lower_bound(key: _Key) -> float:
    signs = code_of(key.kind, key.data.n_classes)[key.data.y]
    return float(solve_columns(_with_constant(key.data.X), signs, 1.0, tol=1e-12, max_iter=200).dual.sum())


def _with_constant(X: Array) -> Array:
    return np.hstack([X, np.ones((len(X), 1))])


def _small() -> Sample:
    return mkcl(400)


def _decoding(loss: str) -> Case:
    """With the square loss, what their nearest row in Euclidean distance is."""
    contenders = [Contender("mcbook", lambda data, setting: decode(*data, loss, ties="margin"))]
    if loss == "square":
        contenders.append(Contender("scikit-learn", lambda data, setting: pairwise_distances_argmin(*data)))
    name = f"output codes: decoding 1000000x26x48, {loss}"
    data, smoke = partial(_outputs, 10**6), partial(_outputs, 100)
    return Case(name, data, smoke, tuple(contenders), partial(wrongly_decoded, loss=loss), 0)


def _outputs(n_samples: int) -> tuple[Array, Array]:
    """Rows of a code with noise."""
    rng = np.random.default_rng(0)
    M = random_dense_code(26, 48, 100, random_state=0)
    return M[rng.integers(0, 26, n_samples)] + rng.normal(size=(n_samples, 48)), M


def wrongly_decoded(data: tuple[Array, Array], labels: Array, loss: str) -> float:
    """The share, among the first ten thousand examples, of labels whose distance is not the smallest."""
    F, M = data[0][:10_000], data[1]
    distances = decoding_distances(F, M, loss) if loss != "square" else ((F[:, None] - M[None]) ** 2).sum(axis=2)
    chosen = np.take_along_axis(distances, np.asarray(labels)[:10_000, None], axis=1)[:, 0]
    return float((chosen > distances.min(axis=1) * (1 + 1e-12)).mean())


def _overhead(name: str, learner: Any, data: Any) -> Case:
    """One-vs-rest by the protocol against a loop over the columns; 5 % more time is a ratio of 1 / 1.05."""
    contenders = (
        Contender("mcbook", lambda data, setting: _learners(OutputCode(learner).fit(data.X, data.y).estimators_)),
        Contender("the learners alone", partial(_bare, learner)),
    )
    return Case(f"output codes: overhead over {name}", data, _small, contenders, _difference(learner), 0, 1 / 1.05)


def _bare(learner: Any, data: Sample, setting: None) -> Array:
    signs = one_vs_rest_code(data.n_classes)[data.y]
    if hasattr(learner, "fit_columns"):
        return _learners(learner.fit_columns(data.X, signs))
    return _learners([clone(learner).fit(data.X, column) for column in signs.T])


def _learners(learners: list[Any]) -> Array:
    return np.array([learner.coef_[0] for learner in learners])


def _difference(learner: Any) -> Any:
    """The largest difference of weights from those of the learners alone."""
    return lambda data, coef: float(np.abs(coef - _bare(learner, data, None)).max())
