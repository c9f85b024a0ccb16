"""Stochastic sub-gradient steps for the soft-margin SVM, with the evidence that they leave behind.

The objective 1/2 |w|^2 + C sum_i xi_i is the mean of 1/2 |w|^2 + C m xi_i over the m examples, of which each step sees
one: C m is what an example pulls with.

Source: Roth (2018), slides on SGD for SVM.

The step of an example that pays, and of one that does not:

>>> step_direction([1, 1], [2, 0], -1, C=1, n_samples=3).tolist(), step_direction([1, 1], [2, 0], 1, 1, 3).tolist()
([7, 1], [1, 1])
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.binary_svm.theory import slack_cost
from mcbook.foundation.checks import require_sample, require_signed_sample
from mcbook.foundation.compiled import python_original
from mcbook.foundation.numbers import rational
from mcbook.foundation.types import Array, Integers, Labels, Scalar

Kernel = Callable[..., Any]


@dataclass(frozen=True)
class SubgradientRun:
    """The last weights, the mean of the weights that the steps met, and that mean after every pass.

    >>> run = run_subgradient(np.array([[1], [1]], dtype=object), [1, -1], Fraction(1, 2), [[0, 1], [0, 1]])
    >>> run.n_steps, len(run.means), (run.means[-1] == run.mean).all()
    (4, 2, np.True_)
    """

    last: Array
    mean: Array
    means: tuple[Array, ...]
    n_steps: int


def step_direction(w: Array, x: Array, sign: int, C: Scalar, n_samples: int, threshold: Scalar = 1) -> Array:
    """w - C m s x if s w . x is at most the threshold, else w.

    With threshold 1 it is a sub-gradient of 1/2 |w|^2 + C m max(0, 1 - s w . x).
    """
    w, x = np.asarray(w), np.asarray(x)
    return np.asarray(w - C * n_samples * sign * x) if sign * (w @ x) <= threshold else w


def run_subgradient(X: Array, signs: Array, C: Scalar, draws: Integers) -> SubgradientRun:
    """Steps of rate 1/t on the drawn examples, one pass for every row of ``draws (n_passes, n_draws)``.

    Arrays of ints and fractions (dtype object) are processed exactly.

    >>> run_subgradient(np.array([[1], [1]], dtype=object), [1, -1], Fraction(1, 2), [[0, 1]]).mean
    array([Fraction(1, 2)], dtype=object)
    """
    from mcbook.svm_solvers.kernels.subgradient import subgradient_steps

    X, signs = require_signed_sample(X, signs, exact=True)
    return _run(subgradient_steps, X, signs.astype(X.dtype), draws, X.shape[1:], C)


def multiclass_subgradient(X: Array, y: Labels, n_classes: int, C: Scalar, draws: Integers) -> SubgradientRun:
    """The same for the multi-class SVM with one slack for each example.

    Source: Roth (2018), slides on optimisation.

    >>> X, y = np.array([[1, 0], [0, 1]], dtype=object), np.array([0, 1])
    >>> run = multiclass_subgradient(X, y, 2, Fraction(1, 2), np.array([[0]]))  # of the one example that is drawn
    >>> [[str(w) for w in row] for row in run.last]
    [['1', '0'], ['-1', '0']]
    """
    from mcbook.svm_solvers.kernels.subgradient import multiclass_subgradient_steps

    X, labels = require_sample(X, y, n_classes, exact=True)
    return _run(multiclass_subgradient_steps, X, labels, draws, (n_classes, X.shape[1]), C)


def random_draws(rng: np.random.Generator, n_samples: int, n_passes: int) -> Integers:
    """Examples drawn uniformly, as many in a pass as there are.

    >>> draws = random_draws(np.random.default_rng(0), n_samples=5, n_passes=3)
    >>> draws.shape, bool((draws >= 0).all() and (draws < 5).all())
    ((3, 5), True)
    """
    return rng.integers(0, n_samples, (n_passes, n_samples))


def _run(
    kernel: Kernel, X: Array, targets: Array, draws: Integers, shape: tuple[int, ...], C: Scalar
) -> SubgradientRun:
    draws = np.atleast_2d(np.asarray(draws, dtype=np.int64))
    if draws.size == 0 or draws.min() < 0 or draws.max() >= len(X):
        raise ValueError(f"expected draws of examples 0 .. {len(X) - 1}, got shape {draws.shape}")
    exact = X.dtype == object
    number: Any = Fraction if exact else float
    steps = python_original(kernel) if exact else kernel
    weights = rational(np.zeros(shape, dtype=int)) if exact else np.zeros(shape)
    total, means, pull, step = np.zeros_like(weights), [], number(slack_cost(C) * len(X)), number(0)
    for drawn in draws:
        step = steps(X, targets, np.ascontiguousarray(drawn), weights, total, step, pull)
        means.append(total / step)
    return SubgradientRun(weights, means[-1], tuple(means), int(step))
