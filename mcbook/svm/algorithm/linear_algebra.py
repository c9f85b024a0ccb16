"""Products and solutions of linear systems, all through scipy's BLAS and LAPACK and without copies.

Matrices of examples may be sparse.  numpy's wheel carries a second pool of threads, and the two fight when they
alternate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg.blas import dgemm
from scipy.linalg.lapack import dposv

from mcbook.svm.algorithm.objective import Array


class Unsolved(ArithmeticError):
    """A linear system that is positive definite, but not in floating point."""


def times_transposed(A: Any, B: Any) -> Array:
    """A @ B.T for C-ordered or sparse matrices."""
    if sparse.issparse(A):
        product = A @ B.T
        return np.ascontiguousarray(product.toarray() if sparse.issparse(product) else product)
    return np.asarray(dgemm(1.0, B.T, A.T, trans_a=True).T)


def transposed_times(A: Array, B: Any) -> Array:
    """A.T @ B for C-ordered A, and B the same or sparse."""
    if sparse.issparse(B):
        return np.ascontiguousarray((B.T @ A).T)
    return np.asarray(dgemm(1.0, B.T, A.T, trans_b=True).T)


def solve_positive(matrix: Array, right: Array) -> Array:
    """The solution of a positive definite system given in Fortran order; the matrix is overwritten."""
    _, solution, failed = dposv(matrix, right, lower=0, overwrite_a=1)
    if failed:
        raise Unsolved(f"the Newton system has a leading minor of order {failed} that is not positive")
    return np.asarray(solution)


def conjugate_gradients(product: Callable[[Array], Array], right: Array, residual: float, most: int) -> Array:
    """The solution of a positive definite system, given by its product, to that part of the right hand side."""
    x, rest = np.zeros_like(right), right.copy()
    direction, square = rest, float(np.vdot(rest, rest))
    goal = residual**2 * square
    for _ in range(most):
        if square <= goal:
            break
        image = product(direction)
        length = square / float(np.vdot(direction, image))
        x, rest = x + length * direction, rest - length * image
        before, square = square, float(np.vdot(rest, rest))
        direction = rest + square / before * direction
    return x
