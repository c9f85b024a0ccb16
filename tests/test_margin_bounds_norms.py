"""Rows of the machine of the longest row, and margin bounds on ordinary data."""

import math

import numpy as np
import pytest
from sklearn.datasets import load_digits

from mcbook.foundation.proof import Verdict
from mcbook.margin_bounds import (
    bound_coverage,
    means_weights,
    recovered_rows,
    solve_group_norm_dual,
    solve_group_norm_primal,
    unit_atoms,
)

EYE, PAIR = np.eye(2), np.array([0, 1])


def test_short_rows_are_kept_and_the_unit_of_the_features_does_not_matter():
    assert recovered_rows([[1, -0.99998, -0.00002]], [[1]], 2).ravel() == pytest.approx([1, -0.99998, -0.00002])
    # v = (1, -0.7, -0.3): all lengths count, the short one too.
    assert recovered_rows([[1.0, -0.7, -0.3]], [[1.0]]).ravel() == pytest.approx([2, -2, -2])
    assert recovered_rows([[1.0, -1.0, 0.0]], [[1.0]])[2, 0] == 0
    for p in (2, 4, math.inf):
        for scale in (1e-6, 1e6):
            rows = recovered_rows([[1.0, -0.7, -0.3]], [[scale]], p)
            assert rows == pytest.approx(scale * recovered_rows([[1.0, -0.7, -0.3]], [[1.0]], p))


def test_means_of_digits_stay_within_the_bound():
    """Without the complexity term the bound is refuted."""
    atoms = unit_atoms(*load_digits(return_X_y=True), 10)
    W = means_weights(atoms, atoms.draw(500, np.random.default_rng(0)))
    assert np.linalg.norm(atoms.X, axis=1) == pytest.approx(1)
    assert np.linalg.norm(W, axis=1).max() == pytest.approx(1)
    assert W.sum(axis=0) == pytest.approx(0, abs=1e-12)
    assert atoms.risk(W) < 0.2
    once = np.zeros(len(atoms.y), dtype=int)
    once[3] = 7
    assert atoms.empirical_margin_loss(W, once, 2.0) == pytest.approx(np.clip(1 - atoms.margins(W)[3] / 2, 0, 1))
    rng = np.random.default_rng(1)
    assert bound_coverage(atoms, 0.3, 10**6, 0.1, 100, rng).verdict is Verdict.HOLDS
    assert bound_coverage(atoms, 0.3, 10, 0.1, 100, rng, 0.0).verdict is Verdict.REFUTED


REFUSED = [
    ("p >= 1", lambda: solve_group_norm_dual(EYE, PAIR, 2, 1, p=0.5)),
    ("p > 1", lambda: recovered_rows(EYE, EYE, 1)),
    ("C > 0", lambda: solve_group_norm_primal(EYE, PAIR, 2, 0)),
    (r"labels 0 \.\. 1", lambda: solve_group_norm_primal(EYE, np.array([0, 2]), 2, 1)),
    ("semi-definite", lambda: solve_group_norm_dual(-EYE, PAIR, 2, 1)),
    ("all 3 classes", lambda: unit_atoms(EYE, [0, 1], 3)),
    ("same number of rows", lambda: unit_atoms(EYE, [0], 2)),
    ("mean of all", lambda: unit_atoms([[0.0], [1.0], [-1.0]], [0, 1, 0], 2)),
]


@pytest.mark.parametrize(("message", "call"), REFUSED)
def test_bad_input_is_named(message, call):
    with pytest.raises(ValueError, match=message):
        call()
