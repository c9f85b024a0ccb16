"""The multi-class Perceptron as a run that keeps the evidence.

Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)`` with labels 0 .. n_classes - 1, ``signs (n_samples,)`` of -1
and +1, weights ``W (n_classes, n_features)``, and ``w (n_features,)`` for two classes.

Source of `binary_perceptron`: Tao, question on two classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mcbook.foundation.checks import require_one_of, require_sample, require_signed_sample, require_whole
from mcbook.foundation.numbers import exact_or_float
from mcbook.foundation.types import Array, Integers, Labels, Scalar
from mcbook.foundation.vocabulary import UpdateTies

# The number of floats in a line of the cache.
_LINE = 8


@dataclass(frozen=True)
class PerceptronRun:
    """What a run did.

    ``W (n_classes, n_features)`` are the last weights; ``updates (n_updates, 2)`` every update as (example, rival), in
    order.  ``n_steps`` counts the visits of examples and ``delayed``, of the shape of W, holds every update as many
    times as there were visits before it, both with those of the run that this one went on from.

    >>> run = run_perceptron(np.array([[2, 0], [0, 1]], dtype=object), np.array([0, 1]), n_classes=2)
    >>> run.n_updates, run.n_epochs, [[str(w) for w in row] for row in run.W_average]
    (2, 2, [['2', '-3/4'], ['-2', '3/4']])
    """

    W: Array
    updates: Integers
    n_epochs: int
    converged: bool
    delayed: Array
    n_steps: int

    @property
    def n_updates(self) -> int:
        return len(self.updates)

    @property
    def W_average(self) -> Array:
        """The mean of the weights after each visit of an example.

        An update made at visit s (from 0) is missing from the s weights before it, so the mean is W less the updates,
        each counted s times, over the number of visits.
        """
        visits = max(self.n_steps, 1)
        # Python's ints would turn into floats under /.
        exact = self.W.dtype == object
        return np.asarray(self.W - (self.delayed * Fraction(1, visits) if exact else self.delayed / visits))


def run_perceptron(
    X: Array,
    y: Labels,
    n_classes: int,
    *,
    ties: UpdateTies = "mistake",
    order: Callable[[int], Integers] | None = None,
    rate: Scalar = 1,
    start: Array | PerceptronRun | None = None,
    max_epochs: int = 1000,
) -> PerceptronRun:
    """Run passes over the sample until one of them changes nothing, or ``max_epochs`` passes were made.

    On a mistake the example is added to the row of its label and taken from that of the strongest rival, times
    ``rate``; the first of equally strong rivals is taken (Tao, the algorithm's slide).  ``ties="mistake"`` updates
    whenever the label does not win alone; ``ties="first"`` predicts the first of tied labels and updates only when that
    is wrong.  ``order(epoch)`` gives the examples of a pass; by default they come as they stand.  ``start`` are weights
    other than 0, or an earlier run to go on from.  ``X (n_samples, n_features)`` of ints and fractions (dtype object)
    is processed exactly; ``y (n_samples,)`` holds labels 0 .. n_classes - 1.

    >>> run = run_perceptron(np.array([[2, 0], [0, 1]], dtype=object), np.array([0, 1]), n_classes=2)
    >>> run.W.tolist(), run.updates.tolist(), run.converged
    ([[2, -1], [-2, 1]], [[0, 1], [1, 0]], True)
    """
    X, y = require_sample(X, y, n_classes, exact=True)
    n_features = X.shape[1]
    W, delayed, n_steps = _initial_state(start, (n_classes, n_features), X.dtype)
    if not X.dtype.hasobject:
        X, W, delayed = (_in_whole_lines(rows) for rows in (X, W, delayed))
    visit = _epoch_kernel(X.dtype)
    ties_violate = require_one_of(ties, UpdateTies, "ties") == "mistake"
    rate = rate if X.dtype.hasobject else float(rate)
    log: list[Integers] = []
    for epoch in range(require_whole(max_epochs, "max_epochs", at_least=1)):
        chosen = np.arange(len(X)) if order is None else np.ascontiguousarray(order(epoch), dtype=np.int64)
        updates = np.empty((len(chosen), 2), dtype=np.int64)
        n_updates = visit(X, y, chosen, W, delayed, n_steps, rate, ties_violate, updates)
        n_steps += len(chosen)
        log.append(updates[:n_updates].copy())
        if n_updates == 0:
            break
    W, delayed = (np.ascontiguousarray(rows[:, :n_features]) for rows in (W, delayed))
    return PerceptronRun(W, np.concatenate(log), len(log), len(log[-1]) == 0, delayed, n_steps)


def _in_whole_lines(rows: Array) -> Array:
    """The rows with zeros behind them up to whole lines of the cache, where that adds little: so they load faster."""
    missing = -rows.shape[1] % _LINE
    return np.pad(rows, ((0, 0), (0, missing))) if 0 < missing <= rows.shape[1] // _LINE else rows


def _initial_state(
    start: Array | PerceptronRun | None, shape: tuple[int, int], dtype: np.dtype
) -> tuple[Array, Array, int]:
    """Weights, updates delayed and visits before the first pass; copies, because the pass changes them in place."""
    if isinstance(start, PerceptronRun):
        return start.W.copy(), start.delayed.copy(), start.n_steps
    W = exact_or_float(np.array(np.zeros(shape) if start is None else start, dtype=dtype))
    if W.shape != shape:
        raise ValueError(f"expected weights of shape {shape} to start from, got {W.shape}")
    return W, np.zeros_like(W), 0


def random_orders(n_samples: int, seed: int) -> Callable[[int], Integers]:
    """A new random order for every pass, for `run_perceptron(order=...)`.

    >>> order = random_orders(4, seed=0)
    >>> sorted(order(7).tolist()), (order(7) == order(7)).all()
    ([0, 1, 2, 3], np.True_)
    """
    return lambda epoch: np.random.default_rng((seed, epoch)).permutation(n_samples)


def history(
    run: PerceptronRun, X: Array, y: Labels, *, rate: Scalar = 1, start: Array | None = None
) -> Iterator[Array]:
    """The weights before the first update and after each one, W_0, W_1, ..., as the log of the run tells them.

    Source: Tao, the algorithm's slide.

    >>> X, y = np.array([[2, 0], [0, 1]], dtype=object), np.array([0, 1])
    >>> [W.tolist() for W in history(run_perceptron(X, y, n_classes=2), X, y)]
    [[[0, 0], [0, 0]], [[2, 0], [-2, 0]], [[2, -1], [-2, 1]]]
    """
    X = np.asarray(X)
    W = np.zeros_like(run.W) if start is None else np.array(start, dtype=run.W.dtype)
    yield W.copy()
    for example, rival in run.updates:
        W[y[example]] += rate * X[example]
        W[rival] -= rate * X[example]
        yield W.copy()


class BinaryRun(NamedTuple):
    """The last weights of a binary run, and the examples of its updates in order.

    >>> binary_perceptron(np.array([[1], [-3]], dtype=object), [1, -1])
    BinaryRun(w=array([1], dtype=object), updates=[0])
    """

    w: Array
    updates: list[int]


def binary_perceptron(X: Array, signs: Array, *, ties: UpdateTies = "mistake", max_epochs: int = 1000) -> BinaryRun:
    """Rosenblatt's Perceptron: on a mistake, add sign * x.

    ``ties="mistake"`` takes a score of 0 for a mistake, ``ties="first"`` reads it as the sign +1.

    >>> w, updates = binary_perceptron([[2, 0], [0, 1]], [1, -1])
    >>> w.tolist(), updates
    ([2.0, -1.0], [0, 1])
    """
    X, signs = require_signed_sample(X, signs, exact=True)
    zero_is_mistake = require_one_of(ties, UpdateTies, "ties") == "mistake"
    w = np.zeros(X.shape[1], dtype=X.dtype)
    updates: list[int] = []
    for _ in range(max_epochs):
        before = len(updates)
        for i, (x, sign) in enumerate(zip(X, signs, strict=True)):
            value = sign * (w @ x)
            if value < 0 or (value == 0 and (zero_is_mistake or sign < 0)):
                w = w + sign * x
                updates.append(i)
        if len(updates) == before:
            return BinaryRun(w, updates)
    raise RuntimeError(f"no pass without a mistake in {max_epochs} passes: is the sample separable through the origin?")


def _epoch_kernel(dtype: np.dtype) -> Callable[..., int]:
    """The pass over the data: compiled for floats, the same code uncompiled for exact numbers."""
    from mcbook.foundation.compiled import python_original
    from mcbook.perceptron.kernels import perceptron_epoch

    return python_original(perceptron_epoch) if dtype.hasobject else perceptron_epoch
