"""The multi-class Winnow as a run that keeps the evidence.

Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)``, weights and exponents ``(n_classes, n_features)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import scipy.sparse as sp

from mcbook.foundation.checks import (
    require_classes,
    require_finite,
    require_labels,
    require_matrix,
    require_one_of,
    require_same_length,
    require_whole,
)
from mcbook.foundation.numbers import quotient
from mcbook.foundation.types import Array, Integers, Labels, Matrix, Scalar
from mcbook.foundation.vocabulary import UpdateTies
from mcbook.winnow.theory import powers

# Weights stay within e^-300 .. e^300 of the largest one between two rescalings, where floats have digits for all of
# them and sums of millions of products do not overflow.
LARGEST_STEP = 300.0


@dataclass(frozen=True)
class WinnowRun:
    """What a run did.

    ``exponents (n_classes, n_features)`` say that the weights are factor^exponents; ``updates (n_updates, 2)`` is every
    update as (example, rival), in order.  ``n_steps`` counts the visits of examples and ``delayed``, of the shape of
    the exponents, holds every update as many times as there were visits before it.

    >>> run = run_winnow(np.array([[1, 0], [0, 1]], dtype=object), np.array([0, 1]), n_classes=2, factor=2)
    >>> run.n_updates, [[str(w) for w in row] for row in run.W]
    (2, [['2/5', '1/10'], ['1/10', '2/5']])
    """

    exponents: Array
    factor: Scalar
    updates: Integers
    n_epochs: int
    converged: bool
    delayed: Array
    n_steps: int

    @property
    def n_updates(self) -> int:
        return len(self.updates)

    @property
    def W(self) -> Array:
        """The last weights, divided by their sum."""
        return as_distribution(self.exponents, self.factor)

    @property
    def W_average(self) -> Array:
        """The geometric mean of the weights after each visit of an example, divided by its sum; always of floats."""
        visits = max(self.n_steps, 1)
        return as_distribution((self.exponents - self.delayed / visits).astype(float), self.factor)


def as_distribution(exponents: Array, factor: Scalar) -> Array:
    """factor^exponents divided by its sum, whatever the size of the exponents."""
    grown = powers(exponents - exponents.max(), factor)
    return np.asarray(grown * quotient(1, grown.sum()))


def run_winnow(
    X: Matrix,
    y: Labels,
    n_classes: int,
    *,
    factor: Scalar,
    ties: UpdateTies = "mistake",
    order: Callable[[int], Integers] | None = None,
    start: WinnowRun | None = None,
    max_epochs: int = 1000,
) -> WinnowRun:
    """Run passes over the sample from equal weights until one changes nothing, or ``max_epochs`` passes were made.

    On a mistake the weights of the label are multiplied by factor^x, entry by entry, and those of the strongest rival
    are divided by it; of equally strong rivals the first is taken.  ``factor`` is e^eta > 1.  ``ties="mistake"``
    updates whenever the label does not win alone, ``ties="first"`` only where the first of the tied labels is wrong.
    ``order(epoch)`` gives the examples of a pass; ``start`` is an earlier run to go on from.

    ``X (n_samples, n_features)`` is dense or sparse; whole numbers of dtype object with a rational factor are processed
    exactly.  ``y (n_samples,)`` holds labels 0 .. n_classes - 1.  The cost of an example is that of its entries other
    than 0, times the number of classes.  With floats a tie may be broken by rounding, unless powers of the factor are
    exact, as those of 2 are.

    Source: a special case of the lower bound of Kivinen, Warmuth and Auer (1997).

    >>> run = run_winnow(np.array([[1, 1], [1, 0]], dtype=object), np.array([0, 1]), n_classes=2, factor=2)
    >>> run.exponents.tolist(), run.updates.tolist(), run.converged
    ([[-1, 2], [1, -2]], [[0, 1], [1, 0], [1, 0], [0, 1], [1, 0]], True)
    """
    values, columns, begin, place, shape = _entries(X)
    labels = require_labels(y, require_classes(n_classes))
    require_same_length(X=begin[:-1], y=labels)
    ties_violate = require_one_of(ties, UpdateTies, "ties") == "mistake"
    factor, period = _factor_and_period(factor, values)
    E, delayed, n_steps = _initial_state(start, (n_classes, shape[1]), factor, values.dtype)
    W, visit = np.ones_like(E), _epoch_kernel(values.dtype)
    log: list[Integers] = []
    for epoch in range(require_whole(max_epochs, "max_epochs", at_least=1)):
        chosen = np.arange(shape[0]) if order is None else np.ascontiguousarray(order(epoch), dtype=np.int64)
        updates = np.empty((len(chosen), 2), dtype=np.int64)
        n_updates = visit(
            *(values, columns, begin, place, labels, chosen),
            *(W, E, delayed, n_steps, factor, period, ties_violate, updates),
        )
        n_steps += len(chosen)
        log.append(updates[:n_updates].copy())
        if n_updates == 0:
            break
    return WinnowRun(E.T.copy(), factor, np.concatenate(log), len(log), len(log[-1]) == 0, delayed.T.copy(), n_steps)


def winnow_history(run: WinnowRun, X: Array, y: Labels) -> Iterator[Array]:
    """The weights, as distributions, before the first update and after each one, W_0, W_1, ..., as the log of the run tells.

    Source: Kivinen and Warmuth (1997), section 3.

    >>> X, y = np.array([[1, 0], [0, 1]], dtype=object), np.array([0, 1])
    >>> run = run_winnow(X, y, n_classes=2, factor=2)
    >>> [[str(w) for w in W.ravel()] for W in winnow_history(run, X, y)][:2]
    [['1/4', '1/4', '1/4', '1/4'], ['4/9', '2/9', '1/9', '2/9']]
    """
    X = np.asarray(X)
    E = np.zeros_like(run.exponents)
    yield as_distribution(E, run.factor)
    for example, rival in run.updates:
        E[y[example]] += X[example]
        E[rival] -= X[example]
        yield as_distribution(E, run.factor)


def _entries(X: Matrix) -> tuple[Array, Integers, Integers, Integers, tuple[int, int]]:
    """The entries of X row by row: values, columns, where those of each row begin, and the shape of X.

    A dense X is not copied: its rows share one list of columns.
    """
    if sp.issparse(X):
        X = sp.csr_array(X, dtype=float)
        require_finite(X.data, "entries of X")
        begin = X.indptr.astype(np.int64)
        return X.data, X.indices.astype(np.int64), begin, begin[:-1], X.shape
    X = require_matrix(X, exact=True)
    n_samples, n_features = X.shape
    begin = n_features * np.arange(n_samples + 1)
    return X.ravel(), np.arange(n_features), begin, np.zeros(n_samples, dtype=np.int64), X.shape


def _factor_and_period(factor: Scalar, values: Array) -> tuple[Scalar, int]:
    """The factor in the arithmetic of the values, and how many updates may go between two rescalings."""
    # Written so that a NaN fails.
    if not 1 < factor < math.inf:
        raise ValueError(f"expected a finite factor > 1, e^eta for the step eta, got {factor}")
    largest = float(np.abs(values).max(initial=0))
    growth = largest * math.log(factor)
    if growth > LARGEST_STEP:
        raise ValueError(
            f"expected steps that multiply a weight by at most e^{LARGEST_STEP:g}, got the factor {float(factor):g} "
            f"and features up to {largest:g}: divide X by its largest entry, or take a smaller factor"
        )
    period = int(LARGEST_STEP / max(growth, 1e-6))
    if not values.dtype.hasobject:
        return float(factor), period
    if any(value != int(value) for value in values.tolist()):
        raise ValueError("expected whole numbers in X, so that powers of the factor are fractions; or give floats")
    return Fraction(factor), period  # type: ignore[arg-type]  # a Known is no factor: its log above has failed


def _initial_state(
    start: WinnowRun | None, shape: tuple[int, int], factor: Scalar, dtype: np.dtype
) -> tuple[Array, Array, int]:
    """Exponents, updates delayed and visits before the first pass, by features; copies, as the pass changes them."""
    if start is None:
        zeros = np.zeros(shape[::-1], dtype=dtype)
        return zeros, zeros.copy(), 0
    if start.exponents.shape != shape or start.factor != factor:
        raise ValueError(
            f"expected to go on from weights of shape {shape} with the factor {factor}, "
            f"got {start.exponents.shape} and {start.factor}"
        )
    return (
        np.ascontiguousarray(start.exponents.T, dtype=dtype).copy(),
        np.ascontiguousarray(start.delayed.T, dtype=dtype).copy(),
        start.n_steps,
    )


def _epoch_kernel(dtype: np.dtype) -> Callable[..., int]:
    """The pass over the data: compiled for floats, the same code uncompiled for exact numbers."""
    from mcbook.foundation.compiled import python_original
    from mcbook.winnow.kernels import winnow_epoch

    return python_original(winnow_epoch) if dtype.hasobject else winnow_epoch
