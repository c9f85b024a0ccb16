"""Passes in single precision: they only lead the way, and give way where they cannot."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from svm_samples import LOSSES, assert_certified, overlapping

import mcbook.svm_solvers.algorithm.ascent as ascent
from mcbook.svm_solvers import Problem, solve_multiclass

N_CLASSES = 8


@pytest.fixture
def rng():
    return np.random.default_rng(11)


@pytest.fixture
def kinds(monkeypatch):
    """The precision of the state in the passes that are made, in order; any weights count as too many."""
    monkeypatch.setattr(ascent, "_WIDE", 0)
    monkeypatch.setattr(ascent, "_SMALL", 0)
    seen = []
    passes = ascent.WeightRun.run_passes

    def noted(self, rows, active, state, goal, most):
        assert rows[0].dtype == state.dtype
        seen.append(str(state.dtype))
        return passes(self, rows, active, state, goal, most)

    monkeypatch.setattr(ascent.WeightRun, "run_passes", noted)
    return seen


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("tol", [1e-4, 1e-9])
def test_the_certificate_is_that_of_double_precision(rng, kinds, loss, tol):
    X, y = overlapping(rng, n_samples=80, n_features=60, n_classes=N_CLASSES)
    found = ascent.ascend(Problem.checked(X, y, N_CLASSES, 0.5, loss), tol=tol, max_iter=100_000)
    assert_certified(found, X, y, N_CLASSES, 0.5, loss, tol)
    assert found.W.dtype == found.alpha.dtype == np.float64
    first, *_, last = kinds
    assert (first, last) == ("float32", "float32" if tol > ascent._SINGLE_GOAL else "float64")
    assert kinds == sorted(kinds)  # and never back


def test_few_weights_and_sparse_data_stay_in_double_precision(rng, kinds, monkeypatch):
    X, y = overlapping(rng, n_samples=80, n_features=60, n_classes=N_CLASSES)
    ascent.ascend(Problem.checked(sparse.random_array((80, 60), density=0.1, rng=rng), y, N_CLASSES, 1.0), **LOOSE)
    monkeypatch.setattr(ascent, "_WIDE", N_CLASSES * 60 + 1)
    ascent.ascend(Problem.checked(X, y, N_CLASSES, 1.0), **LOOSE)
    assert set(kinds) == {"float64"}


LOOSE = {"tol": 1e-3, "max_iter": 1000}


@pytest.mark.parametrize("scale", [1e-25, 1e-12, 1e12, 1e60])
def test_norms_whose_products_might_leave_the_range_stay_in_double_precision(rng, kinds, scale):
    X, y = overlapping(rng, n_samples=40, n_features=60, n_classes=N_CLASSES)
    problem = Problem.checked(X * scale, y, N_CLASSES, scale**-2)
    found = ascent.ascend(problem, **LOOSE)
    assert found.converged
    assert set(kinds) == {"float64"}


@pytest.mark.parametrize("offset", [10.0, 1e3, 1e5, 1e7])
def test_where_scores_cancel_double_precision_takes_over(rng, kinds, offset):
    X, y = overlapping(rng, n_samples=60, n_features=30, n_classes=N_CLASSES)
    found = solve_multiclass(X + offset, y, N_CLASSES, 1 / (1 + offset**2), tol=1e-8)
    assert found.converged
    assert kinds[0] == "float32"
    assert set(kinds[1:]) == {"float64"}


def test_a_look_that_finds_little_gained_ends_single_precision(rng, kinds, monkeypatch):
    monkeypatch.setattr(ascent, "_SINGLE_FALL", 0.0)
    X, y = overlapping(rng, n_samples=80, n_features=60, n_classes=N_CLASSES)
    found = ascent.ascend(Problem.checked(X, y, N_CLASSES, 0.5), tol=1e-9, max_iter=10_000)
    assert kinds[0] == "float32"
    assert set(kinds[1:]) == {"float64"}
    assert found.converged
