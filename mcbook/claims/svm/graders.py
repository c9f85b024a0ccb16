"""What the exercises on the multi-class SVM are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.binary_svm import polynomial_gram
from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.proof.exact import rational_rank
from mcbook.foundation.types import Scalar
from mcbook.svm import class_weights, dual_objective, primal_objective, slacks
from mcbook.svm.theory import slacks_of_scores

SCORES = np.array([[Fraction(4, 10), Fraction(9, 10), Fraction(13, 10), Fraction(-5, 10)]], dtype=object)
FIRST = np.array([0])


def largest_slack_by_hand() -> Scalar:
    return slacks_of_scores(SCORES, FIRST)[0]


def sum_of_slacks_by_hand() -> Scalar:
    return slacks_of_scores(SCORES, FIRST, "weston-watkins")[0]


def binary_cost() -> Scalar:
    """The cost of the binary objective that is twice the multi-class one, on one example and one w."""
    half = np.array([[Fraction(1, 4)], [Fraction(-1, 4)]], dtype=object)
    value: Scalar = primal_objective(half, np.array([[1]], dtype=object), FIRST, Fraction(3, 10))
    # 2 value = 1/2 w^2 + C (1 - w), with w = 1/2.
    return (2 * value - Fraction(1, 8)) / Fraction(1, 2)


def value_on_axes() -> Scalar:
    X, y = as_integers(np.eye(4, dtype=int)), np.arange(4)
    flows = X - Fraction(1, 4)
    W = class_weights(flows, X)
    value = primal_objective(W, X, y, 1)
    assert value == dual_objective(flows, X @ X.T, y), "the flows should prove that W is optimal"
    return value


def single_sum_of_eight() -> Scalar:
    flows = np.array([[Fraction(1, 2), Fraction(-1, 2)]] * 8, dtype=object)
    return dual_objective(flows, as_integers(np.eye(8, dtype=int)), np.zeros(8, dtype=int))


def quadratic_rank() -> int:
    X = as_integers(np.array([[a, b] for a in range(-2, 3) for b in range(-2, 3)]))
    return rational_rank(polynomial_gram(X, X, 2, 1))


def quotient_of_six() -> Fraction:
    """At W = 0, to which both SVMs tend."""
    X, y = as_integers(np.ones((4, 2), dtype=int)), np.arange(4)
    zero = as_integers(np.zeros((6, 2), dtype=int))
    each, one = slacks(zero, X, y, "weston-watkins").sum(), slacks(zero, X, y).sum()
    return Fraction(each) / Fraction(one)


def slack_cases(rng: np.random.Generator) -> Iterator[Case]:
    for k, d, m in ((2, 1, 3), (3, 2, 6), (6, 4, 11)):
        W, X, y = rng.normal(size=(k, d)), rng.normal(size=(m, d)), rng.integers(0, k, m)
        # A first example whose label leads by far: its slack is 0.
        X[0] = 0
        W[0, 0], X[0, 0], y[0] = 9.0, 2.0, 0
        yield Case(f"{m} examples of {k} classes", (W, X, y), close_to(slacks(W, X, y)))


def dual_cases(rng: np.random.Generator) -> Iterator[Case]:
    for k, m in ((2, 3), (3, 6), (5, 10)):
        X, y = rng.normal(size=(m, 2)), rng.integers(0, k, m)
        flows = -rng.random((m, k))
        flows[np.arange(m), y] = 0
        flows[np.arange(m), y] = -flows.sum(axis=1)
        K = X @ X.T
        yield Case(f"{m} examples of {k} classes", (flows, K, y), close_to(dual_objective(flows, K, y)))
