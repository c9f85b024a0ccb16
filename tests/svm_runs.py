"""A run of ascent over a few examples, one pass at a time, for the tests of its kernels."""

from __future__ import annotations

import numpy as np
import pytest
from svm_samples import flows_of_an_example

from mcbook.svm_solvers.kernels import passes

BOTH = pytest.mark.parametrize("one_slack", [True, False])


def seed_of(draw):
    return np.array([draw + 1], np.uint64)


class Run:
    """Examples with the classes listed of each, those with none not active, and the weights that their flows make."""

    def __init__(self, X, y, capacity, lists, alpha, one_slack, patience=2):
        self.X, self.y, self.capacity, self.alpha, self.one_slack, self.patience = (
            X,
            y,
            capacity,
            alpha,
            one_slack,
            patience,
        )
        self.m, self.k = alpha.shape
        self.lists = [np.array(one, int) for one in lists]
        self.starts, self.listed = np.cumsum([0, *map(len, lists)]), np.concatenate(self.lists).astype(np.int32)
        self.squared_norms, self.W = (X**2).sum(axis=1), alpha.T @ X
        self.active, self.quiet = np.flatnonzero(np.diff(self.starts)), np.zeros(self.m, int)
        self.moved = np.full(self.starts[-1], 7.0)
        self.work = np.empty(self.k), np.empty(self.k), np.empty(self.k)

    @classmethod
    def of_all_kinds(cls, rng, one_slack, patience=2):
        """Lists of two to five classes, in random order; an example without any."""
        sizes, k = [2, 3, 4, 5, 0, 2, 3, 5], 5
        m = len(sizes)
        X, y, capacity = rng.normal(size=(m, 3)) * rng.choice([0.5, 1.5]), rng.integers(0, k, m), rng.uniform(0.3, 2, m)
        alpha, lists = np.zeros((m, k)), []
        for i, (n, label) in enumerate(zip(sizes, y, strict=True)):
            others = rng.permutation(np.delete(np.arange(k), label))
            lists.append(sorted([label, *others[: n - 1]]) if n else [])
            if n:
                place = lists[i].index(label)
                alpha[i, lists[i]] = flows_of_an_example(rng, n, place, capacity[i], one_slack)
        run = cls(X, y, capacity, lists, alpha, one_slack, patience)
        run.active = rng.permutation(run.active)
        return run

    def make_a_pass(self, n_active):
        return passes.ascent_pass(
            (self.X,), self.active, n_active, self.starts, self.listed, self.squared_norms, self.y, self.capacity,
            self.alpha, self.W, self.quiet, self.patience, self.one_slack, self.moved, self.work,
        )  # fmt: skip

    def gradient(self):
        """The dual's derivatives by the flows."""
        return np.eye(self.k)[self.y] - self.X @ self.W.T

    def steps_of(self, flat):
        """Steps in the order of the lists, as a table."""
        table = np.zeros_like(self.alpha)
        for i, mine in enumerate(self.lists):
            table[i, mine] = flat[self.starts[i] : self.starts[i + 1]]
        return table
