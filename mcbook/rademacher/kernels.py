"""Walks through all sign vectors, one changed sign at a time."""

from __future__ import annotations

from numba import njit


@njit(
    [
        "int64(int32[:, ::1], int32[::1], int64)",
        "int64(int64[:, ::1], int64[::1], int64)",
    ],
    cache=True,
)
def sum_of_ranges(twice, sums, n_vectors):
    """Add up, over the first ``n_vectors`` sign vectors in Gray-code order, the largest less the smallest sum.

    ``twice (n_signs, n_functions)`` holds the values times 2, and ``sums (n_functions,)`` what the functions add up to
    when all these signs are +1.  In Gray-code order vector t differs from the one before in the sign whose index is the
    number of zeros at the end of t, and whether that sign goes down or up is told by the bit of t above them.  Changes
    ``sums`` to those of the last vector.
    """
    n_functions = len(sums)
    total = 0
    for t in range(n_vectors):
        if t > 0:
            changed, rest = 0, t
            while rest & 1 == 0:
                rest >>= 1
                changed += 1
            change = twice[changed]
            if rest & 2 == 0:
                for f in range(n_functions):
                    sums[f] -= change[f]
            else:
                for f in range(n_functions):
                    sums[f] += change[f]
        largest = smallest = sums[0]
        for f in range(1, n_functions):
            value = sums[f]
            largest = max(largest, value)
            smallest = min(smallest, value)
        total += largest - smallest
    return total


@njit(["void(int64[:, ::1], int64[::1], int64[::1])"], cache=True)
def walk_squared_norms(K, products, norms):
    """Fill ``norms`` with s'Ks for the sign vectors s in Gray-code order, starting at all signs +1.

    ``products (n_signs,)`` holds K times the vector of ones.  Turning the sign of entry j changes s'Ks by
    4 (K_jj - s_j (Ks)_j).  Changes ``products`` to those of the last vector.
    """
    n_signs = len(K)
    current = 0
    for i in range(n_signs):
        current += products[i]
    norms[0] = current
    for t in range(1, len(norms)):
        changed, rest = 0, t
        while rest & 1 == 0:
            rest >>= 1
            changed += 1
        before = 1 if rest & 2 == 0 else -1
        current += 4 * (K[changed, changed] - before * products[changed])
        for i in range(n_signs):
            products[i] -= 2 * before * K[i, changed]
        norms[t] = current


@njit(["void(float64[:, ::1], float64[:, ::1], float64[:, ::1])"], cache=True, fastmath={"contract", "reassoc"})
def add_signed_sums(values, signs, sums):
    """Add values @ signs to ``sums``, four points at a time, so that a sum is fetched once for the four.

    Shapes: ``values (n_functions, n_points)``, ``signs (n_points, n_draws)``, ``sums (n_functions, n_draws)``.  On one
    core, which a busy machine makes faster than a matrix product on all of them.
    """
    n_functions, n_points = values.shape
    n_draws = signs.shape[1]
    for f in range(n_functions):
        i = 0
        while i + 4 <= n_points:
            a, b, c, d = values[f, i], values[f, i + 1], values[f, i + 2], values[f, i + 3]
            for draw in range(n_draws):
                sums[f, draw] += (
                    a * signs[i, draw] + b * signs[i + 1, draw] + c * signs[i + 2, draw] + d * signs[i + 3, draw]
                )
            i += 4
        while i < n_points:
            for draw in range(n_draws):
                sums[f, draw] += values[f, i] * signs[i, draw]
            i += 1
