"""What the tests of the support vector machines share."""

from __future__ import annotations

import numpy as np
import pytest

LOSSES = ["crammer-singer", "weston-watkins"]


def overlapping(rng, n_samples=60, n_features=4, n_classes=3):
    y = rng.integers(0, n_classes, n_samples)
    return rng.normal(size=(n_samples, n_features)) + 0.7 * rng.normal(size=(n_classes, n_features))[y], y


def assert_certified(solution, X, y, n_classes, C, loss, gap, weights_of_flows=True):
    """The flows are feasible, they make the weights, and both values are what the definitions say.

    Where Newton's directions are inexact a solution may have weights beside those of its flows: within the gap.
    """
    rows = np.arange(len(y))
    capacity = np.broadcast_to(C, len(y))
    alpha = solution.alpha
    own, others = alpha[rows, y], np.delete(alpha.ravel(), rows * n_classes + y)
    np.testing.assert_allclose(alpha.sum(axis=1), 0, atol=1e-11 * max(capacity))
    assert (own >= 0).all()
    assert (others <= 0).all()
    if loss == "crammer-singer":
        assert (own <= capacity * (1 + 1e-12)).all()
    else:
        assert (alpha >= -capacity[:, None]).all()
    made = alpha.T @ X
    if weights_of_flows:
        np.testing.assert_allclose(solution.W, made, atol=1e-10)
    assert 0.5 * ((solution.W - made) ** 2).sum() <= solution.primal - solution.dual + 1e-15 * solution.primal
    scores = X @ solution.W.T
    excess = np.maximum(scores - scores[rows, y][:, None] + 1, 0)
    excess[rows, y] = 0
    slack = excess.max(axis=1) if loss == "crammer-singer" else excess.sum(axis=1)
    half = 0.5 * (solution.W**2).sum()
    assert solution.primal == pytest.approx(half + capacity @ slack, rel=1e-12)
    assert solution.dual == pytest.approx(own.sum() - 0.5 * (made**2).sum(), rel=1e-11)
    assert 0 <= solution.gap <= gap
    assert solution.converged
