"""The formulas of the chapter on pruning, as pure functions of their symbols."""

from __future__ import annotations

import math

import numpy as np

from mcbook.foundation.checks import (
    require_at_least,
    require_classes,
    require_nonnegative,
    require_positive,
    require_share,
    require_whole,
)
from mcbook.foundation.numbers import logarithm, quotient, square_root
from mcbook.foundation.types import Scalar, Values


def pruning_objective(cost: Scalar, n_leaves: Scalar, lam: Scalar) -> Values:
    """G_lambda(T) = R(T) + lambda |T~|: what a pruning costs at the penalty lambda per leaf (Mohri et al., 9.15).

    ``cost`` R(T) is the sum over the leaves of |n| F(n), or of any other number that each node has.

    >>> pruning_objective(3, 4, 2)
    11
    """
    return cost + lam * n_leaves


def link_strength(cost: Scalar, branch_cost: Scalar, n_leaves: Scalar) -> Values:
    """r = (R(t) - R(T_t)) / (|T~_t| - 1): how much cost each leaf saves that a collapse of the node t would give up.

    ``cost`` is that of the node as a leaf, ``branch_cost`` that of the ``n_leaves`` leaves below it.

    Source: Mohri et al. (2018), section 9.3.3; Lecture 13, section 1.2.4.

    >>> link_strength(7, 2, 3)
    Fraction(5, 2)
    """
    require_at_least(n_leaves, 2, "n_leaves", "a leaf has no branch to give up")
    return quotient(cost - branch_cost, n_leaves - 1)


def optimal_prunings_bound(n_inner: Scalar, n_errors: Scalar) -> Values:
    """1 + (9 n E / 2)^(1/3): so many prunings at most are best at some penalty, if costs count errors.

    ``n_inner`` is the number n of inner nodes of the full tree, ``n_errors`` the number E of errors that it makes fewer
    than its root alone.

    Source: this book; Mohri et al. (2018), section 9.3.3, say that the sequence is finite.

    >>> float(optimal_prunings_bound(2, 24))
    7.0
    """
    require_nonnegative(n_inner, "n_inner")
    require_nonnegative(n_errors, "n_errors")
    product = quotient(9 * n_inner * n_errors, 2)
    if product == 0:
        return 1
    return 1 + (product.root(3) if hasattr(product, "root") else np.cbrt(float(product)))


def most_optimal_prunings(n_inner: int, n_errors: int) -> int:
    """1 + K(n, E), the most prunings that are best at some penalty, over all trees of at most n inner nodes and E errors.

    Source: this book; Mohri et al. (2018), section 9.3.3, say that the sequence is finite.

    >>> [most_optimal_prunings(n, n) for n in range(8)]
    [1, 2, 2, 3, 4, 4, 4, 5]
    """
    return 1 + len(best_steps(n_inner, n_errors))


def best_steps(n_inner: int, n_errors: int) -> list[tuple[int, int]]:
    """K(n, E) pairs (a, b) of coprime numbers >= 1, all different, with sums of the a at most n and of the b at most E.

    There is no larger set of such pairs: a knapsack with a pair for each item, all of them worth the same.

    >>> sorted(best_steps(4, 4))
    [(1, 1), (1, 2), (2, 1)]
    """
    n, most = require_whole(n_inner, "n_inner", at_least=0), require_whole(n_errors, "n_errors", at_least=0)
    pairs = [(a, b) for a in range(1, n + 1) for b in range(1, most + 1) if math.gcd(a, b) == 1]
    tables = [np.zeros((n + 1, most + 1), dtype=np.int64)]
    for a, b in pairs:
        taken = tables[-1].copy()
        taken[a:, b:] = np.maximum(taken[a:, b:], 1 + tables[-1][: n + 1 - a, : most + 1 - b])
        tables.append(taken)
    chosen = []
    for place in reversed(range(len(pairs))):
        if tables[place + 1][n, most] > tables[place][n, most]:
            chosen.append(pairs[place])
            n, most = n - pairs[place][0], most - pairs[place][1]
    return chosen


def occam_penalty(code_length: Scalar, n_samples: Scalar, delta: Scalar) -> Values:
    """sqrt((b ln 2 + ln(1/delta)) / (2 m)): by how much the error of a tree of b bits may exceed that on the sample.

    >>> round(float(occam_penalty(10, 100, 0.05)), 4)
    0.2228
    """
    require_nonnegative(code_length, "code_length")
    require_positive(n_samples, "n_samples")
    require_share(delta, "delta", zero=False, one=False)
    # The 2 as a number of the same kind as delta, so that its logarithm is as well known as the other.
    bits_and_confidence = code_length * logarithm(2 + 0 * delta) - logarithm(delta)
    return square_root(quotient(bits_and_confidence, 2 * n_samples))


def occam_bound(training_error: Scalar, code_length: Scalar, n_samples: Scalar, delta: Scalar) -> Values:
    """R(T) <= R_S(T) + sqrt((b(T) ln 2 + ln(1/delta)) / (2 m)), for all trees at once (Mohri et al., section 9.6).

    ``code_length`` b(T) is the length in bits of the tree's word in a prefix code that was fixed before the sample.

    >>> round(float(occam_bound(0.1, 10, 100, 0.05)), 4)
    0.3228
    """
    require_share(training_error, "training_error")
    return training_error + occam_penalty(code_length, n_samples, delta)


def pruning_code_length(n_leaves: Scalar, n_classes: int) -> Values:
    """b(T) = 2 |T~| - 1 + |T~| ceil(log2 k): bits for the shape of a pruning and for the labels of its leaves.

    Walk through the nodes of the pruning, parents first: 1 for "goes on", 0 for "leaf", which has its label behind it.

    Source: Mohri et al. (2018), section 9.6.

    >>> pruning_code_length(3, 10)
    17
    """
    bits = (require_classes(n_classes) - 1).bit_length()
    return 2 * n_leaves - 1 + n_leaves * bits
