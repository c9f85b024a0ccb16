"""Newton's method for the squared hinge, for all the columns of a code together.

For a column with the signs y (0: the example is left out) the weights minimise

    P(w) = 1/2 |w|^2 + C sum_i c_i max(0, 1 - y_i w.x_i)^2        (c_i: the example's weight),

which is piecewise quadratic: with the examples of positive slack as rows of X_A the Hessian is I + 2C X_A' diag(c) X_A,
and once these active examples stay the same one Newton step ends the search.  The multipliers alpha_i = 2C c_i slack_i
are feasible for the dual, and P - D = 1/2 |gradient|^2: a short gradient is a certificate.

All the columns share X, so their scores and gradients are matrix products.  The Hessians differ, but only by the
examples that are active in one and not in the other: each is brought up to date from whichever is nearest of the
Hessian before, that of all examples and that of none.  Sparse and wide features take conjugate gradients instead.

Only numpy's products and factorisations are used: scipy's wheel carries a second pool of threads, and the two fight
when they alternate.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from mcbook.foundation.blas import limited_blas
from mcbook.foundation.linear import conjugate_gradients, row_products
from mcbook.foundation.types import Array, Booleans, Integers, Matrix
from mcbook.svm_solvers.kernels.columns import squared_hinges

# Above this many features a Hessian costs more than the products of conjugate gradients.
_MOST_FEATURES = 1000
# Products of matrices with fewer features gain nothing from threads, and lose where the cores are busy.
_FEATURES_FOR_THREADS = 256
# Columns are trained so many at a time that no table of theirs has more entries than this.
_BLOCK_ENTRIES = 2**20
_ARMIJO, _HALVINGS = 1e-4, 40
# Changes of the objective below this part of it may be rounding.
_ROUNDING = 1e-14
_FORCING, _MOST_PRODUCTS = 0.1, 250


@dataclass(frozen=True)
class ColumnSolutions:
    """One row of weights for each column, and how far each objective can be from its optimum."""

    W: Array
    primal: Array
    dual: Array
    n_iter: Integers
    converged: Booleans


def solve_columns(
    X: Matrix, signs: Array, C: float, *, tol: float, max_iter: int, sample_weight: Array | None = None
) -> ColumnSolutions:
    """Minimise P for every column of ``signs (n_samples, n_columns)`` until (P - D) / P is at most ``tol``."""
    weight = np.ones(X.shape[0]) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    features = _Features(X, 2 * C * weight)
    rows = np.ascontiguousarray(signs.T, dtype=np.int8)
    largest = max(X.shape[0], X.shape[1] ** 2 if features.has_hessians else X.shape[1])
    size = max(1, _BLOCK_ENTRIES // largest)
    blocks = [rows[start : start + size] for start in range(0, len(rows), size)]
    with limited_blas(1 if X.shape[1] < _FEATURES_FOR_THREADS else None):
        parts = [_Search(features, block).run(tol, max_iter) for block in blocks]
    names = [field.name for field in fields(ColumnSolutions)]
    return ColumnSolutions(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


class _Features:
    """The products with X that the search needs, for dense and sparse X; ``cost`` = 2C times the weights."""

    def __init__(self, X: Matrix, slack_cost: Array) -> None:
        self.X, self.slack_cost = X, slack_cost
        self.has_hessians = not sp.issparse(X) and X.shape[1] <= _MOST_FEATURES

    def scores(self, W: Array) -> Array:
        """w.x for all rows of W and examples x."""
        return np.ascontiguousarray((self.X @ W.T).T) if sp.issparse(self.X) else W @ self.X.T

    def sums(self, multipliers: Array) -> Array:
        """sum_i multiplier_i x_i for every row of multipliers."""
        return (self.X.T @ multipliers.T).T if sp.issparse(self.X) else multipliers @ self.X

    @cached_property
    def _scaled(self) -> Array:
        return self.X * np.sqrt(self.slack_cost)[:, None]

    @cached_property
    def whole_gram(self) -> Array:
        return self._scaled.T @ self._scaled

    def gram(self, chosen: Array) -> Array:
        """sum of price_i x_i x_i' over the chosen examples."""
        part = self._scaled[np.flatnonzero(chosen)]
        return part.T @ part


@dataclass
class _Points:
    """Weights of several columns, one a row, and what the loss says there; scores belong to the weights."""

    features: _Features
    signs: Array
    W: Array
    scores: Array

    def __post_init__(self) -> None:
        self.pull, self.active = np.empty(self.scores.shape), np.empty(self.scores.shape, dtype=np.bool_)
        losses = np.empty(len(self.W))
        squared_hinges(self.scores, self.signs, self.features.slack_cost, self.pull, self.active, losses)
        self.primal = 0.5 * (row_products(self.W, self.W) + losses)

    @cached_property
    def gradient(self) -> Array:
        return self.W - self.features.sums(self.pull)

    @property
    def gap(self) -> Array:
        """Primal less dual value of the multipliers that go with the slacks."""
        return 0.5 * row_products(self.gradient, self.gradient)

    def moved(self, columns: Integers | slice, W: Array, scores: Array) -> _Points:
        return _Points(self.features, self.signs[columns], W, scores)

    def replace(self, columns: Array, others: _Points) -> None:
        for name in ("W", "scores", "pull", "active", "primal"):
            getattr(self, name)[columns] = getattr(others, name)

    def keep(self, columns: Array) -> None:
        for name in ("signs", "W", "scores", "pull", "active", "primal", "gradient"):
            setattr(self, name, getattr(self, name)[columns])


class _Search:
    """Newton's method with a line search, for some columns; those that arrive leave the search."""

    def __init__(self, features: _Features, signs: Array) -> None:
        self.features = features
        n_columns, n_features = len(signs), features.X.shape[1]
        self.points = _Points(features, signs, np.zeros((n_columns, n_features)), np.zeros(signs.shape))
        self.left = np.arange(n_columns)
        self.directions = _Hessians(features, n_columns) if features.has_hessians else _ConjugateGradients(features)
        self.found = ColumnSolutions(
            np.zeros((n_columns, n_features)),
            np.zeros(n_columns),
            np.zeros(n_columns),
            np.zeros(n_columns, dtype=np.int64),
            np.zeros(n_columns, dtype=np.bool_),
        )

    def run(self, tol: float, max_iter: int) -> ColumnSolutions:
        for n_iter in range(max_iter + 1):
            arrived = self.points.gap <= tol * self.points.primal
            self._record(n_iter, arrived)
            if n_iter == max_iter or arrived.all():
                break
            if arrived.any():
                self.left = self.left[~arrived]
                self.points.keep(~arrived)
                self.directions.keep(~arrived)
            self._step()
        return self.found

    def _record(self, n_iter: int, arrived: Array) -> None:
        found, points = self.found, self.points
        found.W[self.left], found.primal[self.left] = points.W, points.primal
        found.dual[self.left], found.n_iter[self.left] = points.primal - points.gap, n_iter
        found.converged[self.left] = arrived

    def _step(self) -> None:
        """As far along Newton's direction as Armijo's rule allows, halving from 1."""
        points = self.points
        P = self.directions(points)
        Q = self.features.scores(P)
        slope, length = row_products(P, points.gradient), np.ones(len(P))
        after = points.moved(slice(None), points.W + P, points.scores + Q)
        for _ in range(_HALVINGS):
            allowed = points.primal * (1 + _ROUNDING) + _ARMIJO * length * slope
            far = np.flatnonzero(after.primal > allowed)
            if not len(far):
                break
            length[far] /= 2
            t = length[far, None]
            after.replace(far, points.moved(far, points.W[far] + t * P[far], points.scores[far] + t * Q[far]))
        self.points = after


class _Hessians:
    """Newton's directions from the Hessians themselves, which are kept and brought up to date."""

    def __init__(self, features: _Features, n_columns: int) -> None:
        self.features = features
        n_samples, n_features = features.X.shape
        self.grams = np.zeros((n_columns, n_features, n_features))
        self.counted = np.zeros((n_columns, n_samples), dtype=np.bool_)

    def keep(self, columns: Array) -> None:
        self.grams, self.counted = self.grams[columns], self.counted[columns]

    def __call__(self, points: _Points) -> Array:
        for s, active in enumerate(points.active):
            self._update(s, active)
        self.counted = points.active
        hessians = self.grams + np.eye(self.grams.shape[1])
        try:
            return -np.linalg.solve(hessians, points.gradient[:, :, None])[:, :, 0]
        except np.linalg.LinAlgError as error:
            raise ValueError(
                "expected features of moderate size, got some whose squares leave nothing of the regulariser in "
                "float64, so that Newton's equations are singular: divide X by its largest entry"
            ) from error

    def _update(self, s: int, active: Array) -> None:
        entered, gone = active & ~self.counted[s], self.counted[s] & ~active
        n_active = np.count_nonzero(active)
        n_idle, n_changed = len(active) - n_active, np.count_nonzero(entered) + np.count_nonzero(gone)
        if n_changed < min(n_active, n_idle):
            self.grams[s] += self.features.gram(entered) - self.features.gram(gone)
        elif n_active <= n_idle:
            self.grams[s] = self.features.gram(active)
        else:
            self.grams[s] = self.features.whole_gram - self.features.gram(~active)


class _ConjugateGradients:
    """Newton's directions, nearly, from products with the Hessians only."""

    def __init__(self, features: _Features) -> None:
        self.features = features

    def keep(self, columns: Array) -> None:
        pass

    def __call__(self, points: _Points) -> Array:
        slack_cost = points.active * self.features.slack_cost

        def times_hessians(P: Array) -> Array:
            return P + self.features.sums(slack_cost * self.features.scores(P))

        # Closer to the optimum the directions are better, so that the last steps are as good as Newton's.
        gradient = points.gradient
        relative = np.sqrt(row_products(gradient, gradient) / np.maximum(2 * points.primal, np.finfo(float).tiny))
        wanted = np.minimum(_FORCING, relative)
        return conjugate_gradients(times_hessians, -gradient, wanted, _MOST_PRODUCTS, rows=True)
