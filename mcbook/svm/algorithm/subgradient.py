"""Stochastic sub-gradient steps for the soft-margin machine, with the evidence that they leave behind.

The objective here has the mean of the slacks, 1/2 |w|^2 + (C / m) sum_i xi_i, so C is m times the C of the programmes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.foundation.compiled import python_original
from mcbook.foundation.proof.exact import rational
from mcbook.perceptron.theory import ratio
from mcbook.svm.theory import Array, binary_primal, trade_off


@dataclass(frozen=True)
class SubgradientRun:
    """The last weights, the mean of the weights that the steps met, and that mean after every pass."""

    last: Array
    mean: Array
    means: tuple[Array, ...]
    n_steps: int


def step_direction(w: Array, x: Array, sign: Any, C: Any, threshold: Any = 1) -> Array:
    """w - C s x if s w . x is at most the threshold, else w.

    With threshold 1 it is a sub-gradient of 1/2 |w|^2 + C max(0, 1 - s w . x).
    """
    w, x = np.asarray(w), np.asarray(x)
    return np.asarray(w - C * sign * x) if sign * (w @ x) <= threshold else w


def mean_objective(w: Array, X: Array, signs: Array, C: Any) -> Any:
    """1/2 |w|^2 + (C / m) sum_i max(0, 1 - s_i w . x_i)."""
    return binary_primal(w, X, signs, ratio(C, len(X)))


def run_subgradient(X: Array, signs: Array, C: Any, draws: Array) -> SubgradientRun:
    """Steps of rate 1/t on the drawn examples, one pass for every row of ``draws (n_passes, n_draws)``.

    Arrays of ints and fractions (dtype object) are processed exactly.
    """
    from mcbook.svm.kernels.subgradient import subgradient_steps

    X, signs, C, exact = _prepared(X, signs, C)
    w = rational(np.zeros(X.shape[1], dtype=int)) if exact else np.zeros(X.shape[1])
    return _run(python_original(subgradient_steps) if exact else subgradient_steps, X, signs, draws, w, C, exact)


def multiclass_subgradient(X: Array, y: Array, n_classes: int, C: Any, draws: Array) -> SubgradientRun:
    """The same for the multi-class machine with one slack for each example."""
    from mcbook.svm.kernels.subgradient import multiclass_subgradient_steps

    X, _, C, exact = _prepared(X, np.ones(len(X), dtype=int), C)
    shape = (n_classes, X.shape[1])
    W = rational(np.zeros(shape, dtype=int)) if exact else np.zeros(shape)
    labels = np.ascontiguousarray(y, dtype=np.int64)
    if labels.shape != X.shape[:1] or labels.min() < 0 or labels.max() >= n_classes:
        raise ValueError(f"expected {len(X)} labels 0 .. {n_classes - 1}, got shape {labels.shape}")
    kernel = python_original(multiclass_subgradient_steps) if exact else multiclass_subgradient_steps
    return _run(kernel, X, labels, draws, W, C, exact)


def random_draws(rng: np.random.Generator, n_samples: int, n_passes: int) -> Array:
    """Examples drawn uniformly, as many in a pass as there are."""
    return rng.integers(0, n_samples, (n_passes, n_samples))


def _run(kernel: Any, X: Array, targets: Array, draws: Array, weights: Array, C: Any, exact: bool) -> SubgradientRun:
    draws = np.atleast_2d(np.asarray(draws, dtype=np.int64))
    if draws.size == 0 or draws.min() < 0 or draws.max() >= len(X):
        raise ValueError(f"expected draws of examples 0 .. {len(X) - 1}, got shape {draws.shape}")
    total, means = np.zeros_like(weights), []
    step: Any = Fraction(0) if exact else 0.0
    for drawn in draws:
        step = kernel(X, targets, np.ascontiguousarray(drawn), weights, total, step, C)
        means.append(total / step)
    return SubgradientRun(weights, means[-1], tuple(means), int(step))


def _prepared(X: Array, signs: Array, C: Any) -> tuple[Array, Array, Any, bool]:
    X, signs = np.asarray(X), np.asarray(signs)
    if X.ndim != 2 or signs.shape != X.shape[:1] or 0 in X.shape:
        raise ValueError(f"expected X (n_samples, n_features) and one sign for each, got {X.shape} and {signs.shape}")
    if X.dtype == object:
        return rational(X), rational(signs), Fraction(trade_off(C)), True
    return np.ascontiguousarray(X, dtype=float), np.ascontiguousarray(signs, dtype=float), float(trade_off(C)), False
