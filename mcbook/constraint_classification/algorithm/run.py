"""Perceptron and Winnow on constraints, in d dimensions, as runs that keep the evidence.

Shapes: ``X (n_samples, n_features)``, weights ``(n_classes, n_features)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np

from mcbook.constraint_classification.theory.constraints import Constraints
from mcbook.foundation.checks import require_at_least, require_matrix, require_one_of, require_weights, require_whole
from mcbook.foundation.types import Array, ArrayLike, Integers

UpdateRule: TypeAlias = Literal["each", "worst", "mean"]
Order: TypeAlias = Callable[[int], Integers]
_RULES = ("each", "worst", "mean")
_fractions = np.frompyfunc(Fraction, 1, 1)


@dataclass(frozen=True)
class ConstraintRun:
    """What a run of the Perceptron on constraints did.

    ``W (n_classes, n_features)`` are the last weights.  ``pairs`` are the pairs of the updates one after the other, and
    ``counts`` says how many each update used: one, or with the rule "mean" all that were violated.  ``delayed`` and
    ``n_steps`` are what `W_average` needs.

    >>> from mcbook.constraint_classification import constraints_from_rankings
    >>> run = run_constraints(np.array([[1]], dtype=object), constraints_from_rankings([[0, 1, 2]]), rule="mean")
    >>> run.updates, [str(w) for w in run.W.ravel()]  # one update with both pairs, half a step for each
    ([[0, 1]], ['1/2', '0', '-1/2'])
    """

    W: Array
    pairs: Integers
    counts: Integers
    n_epochs: int
    converged: bool
    delayed: Array
    n_steps: int

    @property
    def n_updates(self) -> int:
        return len(self.counts)

    @property
    def updates(self) -> list[list[int]]:
        """The pairs of every update, in order."""
        return [part.tolist() for part in np.split(self.pairs, np.cumsum(self.counts)[:-1])] if len(self.counts) else []

    @property
    def W_average(self) -> Array:
        """The mean of the weights after each visit of an example, as in `PerceptronRun.W_average`."""
        visits = max(self.n_steps, 1)
        exact = self.W.dtype == object
        return np.asarray(self.W - (self.delayed * Fraction(1, visits) if exact else self.delayed / visits))


def run_constraints(
    X: Array,
    constraints: Constraints,
    *,
    rule: UpdateRule = "each",
    order: Order | None = None,
    sample_weight: Array | None = None,
    start: ConstraintRun | None = None,
    max_epochs: int = 1000,
) -> ConstraintRun:
    """Passes over the examples until one of them changes nothing, or ``max_epochs`` passes were made.

    A pair (i, j) of an example x is violated if (w_i - w_j) . x <= 0; its update is w_i += x, w_j -= x, which is the
    Perceptron's on the Kesler vector.  ``rule="each"`` goes through the pairs of the example one after the other with
    the weights as they are then: the Perceptron on the lifted sample (Roth, "Perceptron in Kesler Construction").
    "worst" updates on the most violated pair alone, the first of equals: the conservative update, for classes the
    multi-class Perceptron.  "mean" makes one step, the mean over all violated pairs: the uniform update of Crammer and
    Singer (2003).  ``X (n_samples, n_features)`` of ints and fractions (dtype object) is processed exactly.

    >>> from mcbook.constraint_classification import constraints_from_rankings
    >>> run = run_constraints(np.array([[1], [-1]], dtype=object), constraints_from_rankings([[0, 1, 2], [2, 1, 0]]))
    >>> [[int(v) for v in row] for row in run.W], run.n_updates, run.converged
    ([[1], [0], [-1]], 2, True)
    """
    X, weight = _sample(X, constraints, sample_weight)
    visit = _kernel("perceptron_pass", X.dtype)
    rule_number = _RULES.index(require_one_of(rule, UpdateRule, "rule"))
    shape = (constraints.n_classes, X.shape[1])
    W, delayed, n_steps = _zeros(shape, X.dtype), _zeros(shape, X.dtype), 0
    if start is not None:
        W, delayed, n_steps = start.W.copy(), start.delayed.copy(), start.n_steps
    counts, log = np.empty(len(constraints), dtype=np.int64), np.empty(len(constraints), dtype=np.int64)
    used, sizes = [], []
    for epoch in range(require_whole(max_epochs, "max_epochs", at_least=1)):
        chosen = np.arange(len(X)) if order is None else np.ascontiguousarray(order(epoch), dtype=np.int64)
        arrays = (constraints.starts, constraints.preferred, constraints.rivals)
        n_updates, n_logged = visit(X, *arrays, chosen, weight, W, delayed, n_steps, rule_number, counts, log)
        n_steps += len(chosen)
        used.append(log[:n_logged].copy())
        sizes.append(counts[:n_updates].copy())
        if n_updates == 0:
            break
    return ConstraintRun(W, np.concatenate(used), np.concatenate(sizes), epoch + 1, n_updates == 0, delayed, n_steps)


def constraint_history(run: ConstraintRun, X: Array, constraints: Constraints) -> Iterator[Array]:
    """The weights before the first update and after each one, W_0, W_1, ..., as the log of the run tells them.

    >>> from mcbook.constraint_classification import constraints_from_rankings
    >>> X, constraints = np.array([[1]], dtype=object), constraints_from_rankings([[0, 1, 2]])
    >>> [[str(w) for w in W.ravel()] for W in constraint_history(run_constraints(X, constraints), X, constraints)]
    [['0', '0', '0'], ['1', '-1', '0'], ['1', '0', '-1']]
    """
    X = np.asarray(X)
    W = np.zeros_like(run.W)
    yield W.copy()
    for pairs in run.updates:
        for p in pairs:
            step = X[constraints.examples[p]] * (Fraction(1, len(pairs)) if W.dtype == object else 1 / len(pairs))
            W[constraints.preferred[p]] += step
            W[constraints.rivals[p]] -= step
        yield W.copy()


@dataclass(frozen=True)
class ConstraintWinnowRun:
    """What Balanced Winnow did on constraints: weights ``above`` and ``below``, the pair of each update, passes.

    >>> from mcbook.constraint_classification import constraints_from_classes
    >>> run = run_constraint_winnow(np.array([[1], [-1]], dtype=object), constraints_from_classes([0, 1], 2))
    >>> [str(w) for w in run.above.ravel()], [str(w) for w in run.below.ravel()], run.converged
    (['2', '1/2'], ['1/2', '2'], True)
    """

    above: Array
    below: Array
    updates: Integers
    n_epochs: int
    converged: bool

    @property
    def W(self) -> Array:
        """The weights that score, above - below."""
        return np.asarray(self.above - self.below)

    @property
    def n_updates(self) -> int:
        return len(self.updates)


def run_constraint_winnow(
    X: Array,
    constraints: Constraints,
    base: int | float | Fraction = 2,
    *,
    order: Order | None = None,
    sample_weight: Array | None = None,
    max_epochs: int = 1000,
) -> ConstraintWinnowRun:
    """Balanced Winnow on constraints: on a violated pair (i, j) row i is multiplied by base^x, row j by base^-x.

    Both hold for the weights ``above``; those ``below`` get the inverse.  All start at 1, and above - below scores.
    It is Balanced Winnow on the Kesler vectors with threshold 0, for ``base`` = e^eta exponentiated gradient.  ``base``
    of a fraction and X of whole numbers (dtype object) are processed exactly; floats are kept below 1e100.

    Source: Roth (2018), Kesler Perceptron and conservative update.

    >>> from mcbook.constraint_classification import constraints_from_classes
    >>> run = run_constraint_winnow(np.array([[1], [-1]], dtype=object), constraints_from_classes([0, 1], 2))
    >>> [[str(v) for v in row] for row in run.W], run.n_updates
    ([['3/2'], ['-3/2']], 1)
    """
    X, weight = _sample(X, constraints, sample_weight)
    require_at_least(base, 1, "base", "a mistake must raise what should have been higher")
    visit = _kernel("winnow_pass", X.dtype)
    exact = X.dtype == object
    factor = Fraction(base) if exact else float(base)
    shape = (constraints.n_classes, X.shape[1])
    above, below = (_zeros(shape, X.dtype) + 1 for _ in range(2))
    cap = Fraction(2) ** 10_000 if exact else 1e100
    log, updates = np.empty(len(constraints), dtype=np.int64), []
    for epoch in range(require_whole(max_epochs, "max_epochs", at_least=1)):
        chosen = np.arange(len(X)) if order is None else np.ascontiguousarray(order(epoch), dtype=np.int64)
        arrays = (constraints.starts, constraints.preferred, constraints.rivals)
        n_updates = visit(X, *arrays, chosen, weight, above, below, factor, cap, log)
        updates.append(log[:n_updates].copy())
        if n_updates == 0:
            break
    return ConstraintWinnowRun(above, below, np.concatenate(updates), epoch + 1, n_updates == 0)


def _sample(X: ArrayLike, constraints: Constraints, sample_weight: Array | None) -> tuple[Array, Array]:
    """Features that go with the constraints, and a weight for each example; fractions where X is exact."""
    X = require_matrix(X, exact=True)
    if len(X) != constraints.n_samples:
        raise ValueError(f"expected {constraints.n_samples} rows of X, as the constraints have examples, got {len(X)}")
    weight = require_weights(sample_weight, len(X))
    return (np.asarray(_fractions(X)), np.asarray(_fractions(weight))) if X.dtype == object else (X, weight)


def _zeros(shape: tuple[int, int], dtype: np.dtype) -> Array:
    zeros = np.zeros(shape, dtype=dtype)
    return np.asarray(_fractions(zeros) if dtype.hasobject else zeros)


def _kernel(name: str, dtype: np.dtype) -> Callable[..., Any]:
    """The pass over the data: compiled for floats, the same code uncompiled for exact numbers."""
    from mcbook.constraint_classification import kernels
    from mcbook.foundation.compiled import python_original

    kernel = getattr(kernels, name)
    return python_original(kernel) if dtype.hasobject else kernel
