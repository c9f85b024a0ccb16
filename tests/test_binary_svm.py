"""The binary SVM: its exact path, labellings counted, samples."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from sklearn.svm import SVC

from mcbook.binary_svm import (
    binary_dual,
    binary_primal,
    binary_sample,
    binary_weights,
    separable_labellings,
    signed_gram,
    soft_margin_path,
    solve_binary_dual,
)
from mcbook.binary_svm.algorithm.path import Degenerate


def test_no_gap_anywhere_on_the_path():
    for seed, d in itertools.product(range(5), (1, 2, 3)):
        X, signs = binary_sample(np.random.default_rng(seed), d, 7, separable=seed % 2 == 0)
        path, Q = soft_margin_path(X, signs), signed_gram(X @ X.T, signs)
        for C in (Fraction(1, 1000), *path.knots[::3], Fraction(7, 5), 50):
            alpha = path.alpha(C)
            assert 0 <= alpha.min() <= alpha.max() <= C
            assert binary_primal(path.w(C), X, signs, C) == binary_dual(alpha, Q)
        if seed % 2 == 0:
            w, alpha = path.hard_margin()
            assert (signs * (X @ w)).min() == 1
            assert w.tolist() == binary_weights(alpha, X, signs).tolist()


def test_the_dual_with_a_bias_is_that_of_scikit_learn():
    X, signs = binary_sample(np.random.default_rng(4), 2, 12)
    K = (X @ X.T).astype(float)
    for C in (0.01, 0.3):
        # The SVM without a bias never has a lower value.
        reference = solve_binary_dual(K, signs, C, with_bias=True)
        svm = SVC(kernel="precomputed", C=C, tol=1e-8).fit(K, signs.astype(int))
        alpha = svm.dual_coef_[0]
        value = np.abs(alpha).sum() - alpha @ K[np.ix_(svm.support_, svm.support_)] @ alpha / 2
        assert value == pytest.approx(float(reference), rel=1e-5)
        without = binary_primal(soft_margin_path(X, signs).w(Fraction(C)), X, signs, Fraction(C))
        assert float(reference) <= float(without) + 1e-9


def test_equal_points_do_not_confuse_the_path():
    X, signs = np.array([[1, 2], [1, 2], [1, 2], [-1, 0]]), np.array([1, 1, 1, -1])
    path = soft_margin_path(X, signs)
    assert binary_primal(path.w(3), X, signs, 3) == binary_dual(path.alpha(3), signed_gram(X @ X.T, signs))


def test_a_path_may_have_as_many_pieces_as_are_allowed_and_no_more(monkeypatch):
    most = "mcbook.binary_svm.algorithm.path._MOST_PIECES"
    monkeypatch.setattr(most, 4)
    assert len(soft_margin_path([[1], [-2]], [1, -1]).pieces) == 4
    monkeypatch.setattr(most, 3)
    with pytest.raises(Degenerate, match="more than 3 pieces"):
        soft_margin_path([[1], [-2]], [1, -1])


REFUSED = [
    ("signs", lambda: soft_margin_path([[1]], [2])),
    ("n_features", lambda: soft_margin_path([1, 2], [1, -1])),
    ("not separable", lambda: soft_margin_path([[1], [2]], [1, -1]).hard_margin()),
    ("n_points", lambda: separable_labellings(0, 3)),
    ("n_features", lambda: separable_labellings(3, 0)),
]


@pytest.mark.parametrize(("message", "call"), REFUSED)
def test_bad_input_is_named(message, call):
    with pytest.raises(ValueError, match=message):
        call()
