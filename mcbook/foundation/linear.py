"""Linear algebra that several solvers and problems share.

Numpy's wheel and scipy's each carry a library for linear algebra with threads of its own, and where both are used in
turn their threads take the cores from each other.  The one rule for all solvers: a solver that calls both, or that has
many small products, runs inside ``limited_blas(1)`` (see `mcbook.foundation.blas`), where nothing fights and either may
be used; one that lets products have threads keeps to one of the two in its loop.

The functions here that name no library go through scipy's, because its routines take the order of a matrix as it
stands and overwrite what they may, where numpy copies.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse
from scipy.linalg.blas import dgemm
from scipy.linalg.lapack import dposv

from mcbook.foundation.types import ArrayLike, Floats, Matrix

# How far rounding may take a Gram matrix from symmetry, and its eigenvalues below 0, relative to its largest entry
# on the diagonal and for eigenvalues for each example.
GRAM_TOLERANCE = 1e-8
# Eigenvalues below this part of the largest are rounding.
_NEGLIGIBLE = 1e-13


class Unsolved(ArithmeticError):
    """A linear system that is positive definite, but not in floating point."""


class NotPositive(ValueError):
    """A matrix that should be positive semi-definite, and is not."""


# Products and systems, without copies.


def times_transposed(A: Matrix, B: Matrix) -> Floats:
    """A @ B.T for C-ordered or sparse matrices."""
    if sparse.issparse(A):
        product = A @ B.T
        return np.ascontiguousarray(product.toarray() if sparse.issparse(product) else product)
    return np.asarray(dgemm(1.0, B.T, A.T, trans_a=True).T)


def transposed_times(A: Floats, B: Matrix) -> Floats:
    """A.T @ B for C-ordered A, and B the same or sparse."""
    if sparse.issparse(B):
        return np.ascontiguousarray((B.T @ A).T)
    return np.asarray(dgemm(1.0, B.T, A.T, trans_b=True).T)


def solve_positive(matrix: Floats, right: Floats) -> Floats:
    """The solution of a positive definite system given in Fortran order; the matrix is overwritten."""
    _, solution, failed = dposv(matrix, right, lower=0, overwrite_a=1)
    if failed:
        raise Unsolved(f"the Newton system has a leading minor of order {failed} that is not positive")
    return np.asarray(solution)


def conjugate_gradients(
    product: Callable[[Floats], Floats], right: Floats, residual: float | Floats, most: int, *, rows: bool = False
) -> Floats:
    """The solution of a positive definite system, given by its product, to that part of the right hand side's length.

    After ``most`` products it is what was reached.  With ``rows`` every row of ``right`` is the right hand side of a
    system of its own; ``product`` takes one vector for each, and ``residual`` may be an array with a part for each.
    """
    inner = row_products if rows else _inner
    solution, rest = np.zeros_like(right), np.array(right)
    direction, square = rest, inner(rest, rest)
    goal = np.asarray(residual) ** 2 * square
    for _ in range(most):
        going = square > goal
        if not np.any(going):
            break
        image = product(direction)
        # A row that has arrived stands still, so that no result depends on the company it was computed in.
        length = np.where(going, square / np.maximum(inner(direction, image), np.finfo(float).tiny), 0.0)
        solution, rest = solution + length[..., None] * direction, rest - length[..., None] * image
        before, square = square, inner(rest, rest)
        turn = np.divide(square, before, out=np.zeros_like(square), where=before > 0)
        direction = rest + turn[..., None] * direction
    return solution


def row_products(A: Floats, B: Floats) -> Floats:
    """The inner product of each row of A with the same row of B."""
    return np.asarray(np.einsum("sj,sj->s", A, B))


def _inner(A: Floats, B: Floats) -> Floats:
    return np.asarray(np.vdot(A, B), dtype=float)


# Gram matrices.


def require_gram(K: ArrayLike, tolerance: float = GRAM_TOLERANCE) -> Floats:
    """K as a C-ordered float matrix that may be written to, or what is wrong: its shape, its symmetry, its sign."""
    K = np.require(K, dtype=float, requirements=["C", "W"])
    if K.ndim != 2 or K.shape[0] != K.shape[1] or 0 in K.shape:
        raise ValueError(f"expected a square Gram matrix (n_samples, n_samples), got shape {K.shape}")
    if not np.isfinite(K).all():
        raise ValueError("expected a finite Gram matrix, got NaN or infinity")
    scale = max(float(np.abs(np.diag(K)).max()), 1e-300)
    skew = float(np.abs(K - K.T).max())
    if skew > tolerance * scale:
        raise ValueError(f"expected a symmetric Gram matrix, got entries that differ by {skew:.3g} from their mirror")
    try:
        np.linalg.cholesky(K + tolerance * len(K) * scale * np.eye(len(K)))
    except np.linalg.LinAlgError:
        least = float(np.linalg.eigvalsh(K)[0])
        raise NotPositive(
            f"expected a positive semi-definite Gram matrix, got one with the eigenvalue {least:.3g}: use a PDS "
            "kernel, or make the matrix one by clipping its negative eigenvalues"
        ) from None
    return K


def gram_root(K: ArrayLike, tolerance: float = GRAM_TOLERANCE) -> Floats:
    """A matrix with K = root @ root.T, a row for each example and a column for each direction that is not 0.

    Eigenvalues that rounding may have taken below 0 count as 0.
    """
    values, vectors = np.linalg.eigh(require_gram(K, tolerance))
    kept = values > _NEGLIGIBLE * values[-1]
    # Of a matrix of zeros one column stays, so that there is something to multiply with.
    kept[-1] = True
    return np.asarray(vectors[:, kept] * np.sqrt(np.maximum(values[kept], 0)))
