"""The walks through all signs, each called with small arrays, against enumeration."""

import itertools

import numpy as np
import pytest

from mcbook.rademacher import kernels


def in_gray_order(n_signs):
    """All sign vectors from (1, .., 1) on: entry j of vector t is -1 where bit j of t's Gray code is 1."""
    return [[-1 if (t ^ (t >> 1)) >> j & 1 else 1 for j in range(n_signs)] for t in range(2**n_signs)]


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_the_ranges_of_all_sign_vectors_are_summed(kind):
    rng = np.random.default_rng(0)
    for n_signs, n_functions, cut in itertools.product(range(1, 6), (1, 2, 5), range(4)):
        values, fixed = rng.integers(-9, 10, (n_signs, n_functions)), rng.integers(-9, 10, n_functions)
        n_vectors = (0, 1, 2**n_signs - 1, 2**n_signs)[cut]
        outputs = [np.array(signs) @ values + fixed for signs in in_gray_order(n_signs)[:n_vectors]]
        sums = (values.sum(axis=0) + fixed).astype(kind)
        total = kernels.sum_of_ranges((2 * values).astype(kind), sums, n_vectors)
        assert total == sum(output.max() - output.min() for output in outputs)
        assert sums.tolist() == (outputs[-1] if outputs else values.sum(axis=0) + fixed).tolist()


def test_the_squared_norms_of_all_sign_vectors_are_walked_through():
    """Of half of them too, as the others are their opposites: the walk is as long as its list of norms."""
    rng = np.random.default_rng(0)
    for n_signs, cut in itertools.product(range(1, 7), range(3)):
        n_vectors = (1, 2 ** (n_signs - 1), 2**n_signs)[cut]
        K = rng.integers(-9, 10, (n_signs, n_signs))
        K += K.T
        vectors = np.array(in_gray_order(n_signs)[:n_vectors])
        products, norms = K.sum(axis=1), np.full(n_vectors, 77)
        kernels.walk_squared_norms(K, products, norms)
        assert norms.tolist() == np.einsum("ti,ij,tj->t", vectors, K, vectors).tolist()
        assert products.tolist() == (K @ vectors[-1]).tolist()


def test_signed_sums_are_added_to_what_is_there():
    rng = np.random.default_rng(0)
    for n_points, (n_functions, n_draws) in itertools.product(range(10), ((1, 1), (3, 2), (2, 5))):
        values, signs = rng.integers(-9, 10, (n_functions, n_points)), rng.integers(-2, 3, (n_points, n_draws))
        sums = rng.integers(-9, 10, (n_functions, n_draws)).astype(float)
        expected = sums + values @ signs
        kernels.add_signed_sums(values.astype(float), signs.astype(float), sums)
        assert sums.tolist() == expected.tolist()
