"""Linear systems by products and by factorisation, and Gram matrices that are none."""

import numpy as np
import pytest
from scipy import sparse

from mcbook.foundation.linear import (
    NotPositive,
    Unsolved,
    conjugate_gradients,
    gram_root,
    require_gram,
    row_products,
    solve_positive,
    times_transposed,
    transposed_times,
)

RNG = np.random.default_rng(5)
ROOTS = RNG.normal(size=(3, 6, 6))
SYSTEMS = ROOTS @ ROOTS.transpose(0, 2, 1) + np.eye(6)
RIGHT = RNG.normal(size=(3, 6)) * np.array([1.0, 1e-6, 1e6])[:, None]


def product(V):
    return np.einsum("sij,sj->si", SYSTEMS, V)


def test_products_without_copies_are_dense_and_c_ordered():
    A, B, right = RNG.normal(size=(4, 3)) * (RNG.random((4, 3)) < 0.5), RNG.normal(size=(5, 3)), RNG.normal(size=(4, 2))
    for rows in (A, sparse.csr_matrix(A)):
        pairs = [(times_transposed(rows, B), A @ B.T), (transposed_times(right, rows), right.T @ A)]
        if sparse.issparse(rows):
            pairs.append((times_transposed(rows, sparse.csr_matrix(B)), A @ B.T))
        for found, wanted in pairs:
            assert isinstance(found, np.ndarray)
            assert found.flags.c_contiguous or rows is A
            np.testing.assert_allclose(found, wanted, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(row_products(B, B), (B * B).sum(axis=1), rtol=1e-13)


def test_a_positive_system_is_solved_and_an_indefinite_one_refused():
    np.testing.assert_allclose(SYSTEMS[0] @ solve_positive(np.array(SYSTEMS[0], order="F"), RIGHT[0]), RIGHT[0])
    with pytest.raises(Unsolved, match="order 2"):
        solve_positive(np.array([[1.0, 2.0], [2.0, 1.0]], order="F"), np.ones(2))


def test_conjugate_gradients_reach_the_residual_and_no_system_waits_for_another():
    found = conjugate_gradients(product, RIGHT, 1e-9, 100, rows=True)
    rest = np.linalg.norm(product(found) - RIGHT, axis=1)
    assert (rest <= 2e-9 * np.linalg.norm(RIGHT, axis=1)).all()
    for system, right, together in zip(SYSTEMS, RIGHT, found, strict=True):
        alone = conjugate_gradients(lambda v, A=system: A @ v, right, 1e-9, 100)
        np.testing.assert_allclose(alone, together, rtol=1e-7)
    # One that has arrived stands still while others go on; a right side of zeros is solved by zeros.
    right = np.vstack([RIGHT[:1], np.zeros((1, 6)), RIGHT[2:]])
    found = conjugate_gradients(product, right, np.array([0.5, 1e-9, 1e-9]), 100, rows=True)
    alone = conjugate_gradients(lambda v: SYSTEMS[0] @ v, RIGHT[0], 0.5, 100)
    np.testing.assert_allclose(found[0], alone, rtol=1e-12)
    assert not found[1].any()
    assert np.isfinite(found).all()


def test_conjugate_gradients_stop_after_so_many_products():
    calls = []

    def counted(V):
        calls.append(1)
        return 2 * V + V.sum() * 0.1

    assert conjugate_gradients(counted, RIGHT[:2], 0.0, 1).shape == RIGHT[:2].shape
    assert len(calls) == 1
    exact = conjugate_gradients(counted, RIGHT[:2], 1e-12, 20)
    np.testing.assert_allclose(2 * exact + exact.sum() * 0.1, RIGHT[:2], rtol=1e-6)


def test_a_gram_matrix_is_given_back_as_floats_and_has_a_root():
    X = RNG.normal(size=(7, 3))
    assert require_gram((X @ X.T).astype(np.float32), tolerance=1e-5).dtype == np.float64
    root = gram_root(X @ X.T)
    assert root.shape == (7, 3)
    np.testing.assert_allclose(root @ root.T, X @ X.T, atol=1e-12)
    assert gram_root(np.zeros((2, 2))).tolist() == [[0], [0]]
    np.testing.assert_allclose(gram_root(1e-9 * X @ X.T), gram_root(X @ X.T) * np.sqrt(1e-9), rtol=1e-6, atol=1e-15)


def test_eigenvalues_may_be_below_0_by_the_tolerance_times_the_size():
    for n in (2, 10):
        assert require_gram(np.diag([3.0] * (n - 1) + [-2.7e-3 * n]), tolerance=1e-3) is not None
        with pytest.raises(NotPositive):
            require_gram(np.diag([3.0] * (n - 1) + [-3.3e-3 * n]), tolerance=1e-3)


@pytest.mark.parametrize("check", [require_gram, gram_root])
def test_what_is_no_gram_matrix_is_told_why(check):
    for K, message in (
        (np.ones((2, 3)), "square Gram matrix"),
        (np.full((2, 2), np.nan), "finite Gram matrix"),
        (np.array([[1.0, 0.5], [0.4, 1.0]]), "differ by 0.1"),
        # At any scale, since a kernel times a positive number is a kernel, and one that is none stays none.
        *((scale * np.array([[1.0, 2.0], [2.0, 1.0]]), "eigenvalue -1") for scale in (1e-12, 1, 1e12)),
    ):
        with pytest.raises(ValueError, match=message):
            check(K)
