"""The multi-class Perceptron as a run that keeps the evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mcbook.foundation.proof.exact import rational
from mcbook.perceptron.theory import Array

TieRule = Literal["violation", "smaller label"]


@dataclass(frozen=True)
class PerceptronRun:
    """What a run did: its weights, and every update as (example, rival), in order."""

    W: Array
    W_average: Array
    updates: NDArray[np.int64]
    n_epochs: int
    converged: bool

    @property
    def n_updates(self) -> int:
        return len(self.updates)


def run_perceptron(
    X: Array,
    y: Array,
    n_classes: int,
    *,
    ties: TieRule = "violation",
    order: Callable[[int], Array] | None = None,
    rate: Any = 1,
    start: Array | None = None,
    max_epochs: int = 1000,
) -> PerceptronRun:
    """Run passes over the sample until one of them changes nothing, or ``max_epochs`` passes were made.

    ``ties="violation"`` updates whenever the label does not win alone; ``ties="smaller label"`` predicts the smaller
    of tied labels and updates only when that is wrong.  ``order(epoch)`` gives the examples of a pass; by default they
    come as they stand.  Arrays of ints and fractions (dtype object) are processed exactly.
    """
    X, y = _checked(X, y, n_classes)
    W = np.zeros((n_classes, X.shape[1])) if start is None else np.array(start)
    W = rational(W) if X.dtype == object else np.ascontiguousarray(W, dtype=float)
    delayed = np.zeros_like(W)
    pass_over = epoch_kernel(X.dtype)
    rate = rate if X.dtype == object else float(rate)
    log: list[NDArray[np.int64]] = []
    step = 0
    for epoch in range(max_epochs):
        chosen = np.arange(len(X)) if order is None else np.ascontiguousarray(order(epoch), dtype=np.int64)
        updates = np.empty((len(chosen), 2), dtype=np.int64)
        n_updates = pass_over(X, y, chosen, W, delayed, step, rate, ties_violate(ties), updates)
        step += len(chosen)
        log.append(updates[:n_updates].copy())
        if n_updates == 0:
            break
    return PerceptronRun(W, average_weights(W, delayed, step), np.concatenate(log), len(log), len(log[-1]) == 0)


def random_orders(n_samples: int, seed: int) -> Callable[[int], NDArray[np.int64]]:
    """A new random order for every pass, for `perceptron(order=...)`."""
    return lambda epoch: np.random.default_rng((seed, epoch)).permutation(n_samples)


def history(run: PerceptronRun, X: Array, y: Array, *, rate: Any = 1, start: Array | None = None) -> Iterator[Array]:
    """The weights before the first update and after each one, W_0, W_1, ..., as the log of the run tells them."""
    X = np.asarray(X)
    W = np.zeros_like(run.W) if start is None else np.array(start, dtype=run.W.dtype)
    yield W.copy()
    for example, rival in run.updates:
        W[y[example]] += rate * X[example]
        W[rival] -= rate * X[example]
        yield W.copy()


def binary_perceptron(X: Array, signs: Array, *, zero_is_violation: bool = True, max_epochs: int = 1000) -> Any:
    """Rosenblatt's Perceptron: on a mistake, add sign * x.  Returns the weights and the examples of its updates.

    With ``zero_is_violation`` a score of 0 is a mistake; without it, 0 is read as the sign +1.
    """
    X, signs = np.asarray(X), np.asarray(signs)
    w = np.zeros(X.shape[1], dtype=X.dtype)
    updates: list[int] = []
    for _ in range(max_epochs):
        before = len(updates)
        for i, (x, sign) in enumerate(zip(X, signs, strict=True)):
            value = sign * (w @ x)
            if value < 0 or (value == 0 and (zero_is_violation or sign < 0)):
                w = w + sign * x
                updates.append(i)
        if len(updates) == before:
            return w, updates
    raise RuntimeError(f"no pass without a mistake in {max_epochs} passes: is the sample separable through the origin?")


def average_weights(W: Array, delayed: Array, n_steps: int) -> Array:
    """The mean of the weights after each of the steps.

    An update made at step s (from 0) is missing from the s weights before it, so the mean is W less the updates, each
    counted s times, over the number of steps.
    """
    if W.dtype == object:
        return W - delayed * Fraction(1, max(n_steps, 1))
    return np.asarray(W - delayed / max(n_steps, 1))


def epoch_kernel(dtype: np.dtype[Any]) -> Callable[..., int]:
    """The pass over the data: compiled for floats, the same code uncompiled for exact numbers."""
    from mcbook.foundation.compiled import python_original
    from mcbook.perceptron.kernels import perceptron_epoch

    return python_original(perceptron_epoch) if dtype.hasobject else perceptron_epoch


def ties_violate(ties: str) -> bool:
    """Whether a tie between the label and a rival counts as a mistake whatever their indices."""
    if ties not in ("violation", "smaller label"):
        raise ValueError(f"ties must be 'violation' or 'smaller label', got {ties!r}")
    return ties == "violation"


def _checked(X: Array, y: Array, n_classes: int) -> tuple[Array, NDArray[np.int64]]:
    X, y = np.asarray(X), np.asarray(y)
    if X.ndim != 2 or y.shape != X.shape[:1] or 0 in X.shape:
        raise ValueError(f"expected X (n_samples, n_features) and y (n_samples,), got shapes {X.shape} and {y.shape}")
    if n_classes < 2:
        raise ValueError(f"expected at least 2 classes, got {n_classes}")
    labels = y.astype(np.int64)
    if (labels != y).any() or labels.min() < 0 or labels.max() >= n_classes:
        raise ValueError(f"expected labels 0 .. {n_classes - 1}, got {sorted(set(y.tolist()))[:10]}: encode them first")
    if X.dtype == object:
        return rational(X), labels
    X = np.ascontiguousarray(X, dtype=float)
    if not np.isfinite(X).all():
        raise ValueError("expected finite features, got NaN or infinity: impute or drop those examples")
    return X, labels
