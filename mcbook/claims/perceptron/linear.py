"""Linear multi-class classifiers: their ties, their decision regions, linear separability."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mcbook.claims import Claim, Evidence, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.alternatives import strict_alternative
from mcbook.perceptron import (
    as_integers,
    decision_rays,
    frobenius,
    gaps,
    kesler_vectors,
    predict,
    scores,
    separability,
)

Found = Iterator[Evidence]


def integers(rng: np.random.Generator, shape: tuple[int, int], largest: int = 3) -> np.ndarray:
    """A matrix of small random integers; small, so that ties are common."""
    return as_integers(rng.integers(-largest, largest + 1, shape))


# --- S.lin: what leaves the prediction alone -------------------------------------------------------------------------


def label_of_one(W: Any, x: Any) -> int:
    """The label that is predicted at one point, counted from 1."""
    return int(predict(W, x[None, :])[0]) + 1


lin = Claim("S.lin", implements=(predict, scores), formula=Formula("eq-linear-classifier", label_of_one))


@lin.check("one vector added to every row, a positive factor: no prediction changes, ties included")
def one_vector_added_to_every_row_a_positive_factor(rng: np.random.Generator) -> Found:
    for _ in range(200):
        W, X = integers(rng, (int(rng.integers(2, 7)), 3)), integers(rng, (20, 3))
        shift, factor = integers(rng, (1, 3), 50), int(rng.integers(1, 50))
        same = predict(factor * (W + shift), X) == predict(W, X)
        yield equal("predictions that stay the same, of 20", int(same.sum()), 20)


@lin.control("a vector added to one row only")
def a_vector_added_to_one_row_only() -> Found:
    W, X = as_integers(np.array([[1, 0], [0, 1]])), as_integers(np.array([[2, 1]]))
    moved = W + as_integers(np.array([[0, 0], [5, 0]]))
    yield equal("prediction", int(predict(moved, X)[0]), int(predict(W, X)[0]))


@lin.control("a negative factor")
def a_negative_factor() -> Found:
    W, X = as_integers(np.array([[1, 0], [0, 1]])), as_integers(np.array([[2, 1]]))
    yield equal("prediction", int(predict(-W, X)[0]), int(predict(W, X)[0]))


# --- S.regions: cones and rays ---------------------------------------------------------------------------------------

regions = Claim(
    "S.regions",
    implements=(decision_rays, strict_alternative),
    no_formula="a geometric statement: convexity, and a count of rays that is found by a procedure",
)


def owns_a_region(W: np.ndarray, label: int) -> tuple[bool, bool]:
    """Whether the class wins alone somewhere, and whether its row is a convex combination of the others, exactly."""
    others = np.delete(W, label, axis=0)
    found = strict_alternative(W[label] - others)
    if found.solution is not None:
        x = np.array(found.solution, dtype=object)
        return all(value > 0 for value in (W[label] - others) @ x), False
    weights = np.array(found.multipliers, dtype=object)
    return False, bool((weights @ others == weights.sum() * W[label]).all() and weights.sum() > 0)


@regions.check("a class wins alone somewhere exactly when its row is outside the convex hull of the others")
def a_class_wins_alone_somewhere_exactly_when(rng: np.random.Generator) -> Found:
    for _ in range(60):
        W = integers(rng, (int(rng.integers(2, 7)), int(rng.integers(1, 4))))
        for label in range(len(W)):
            wins, inside = owns_a_region(W, label)
            yield holds("one and only one of the two", wins != inside, Tier.EXACT, f"wins {wins}, inside {inside}")


@regions.check("regions are convex cones: sums and multiples of points stay in the region")
def regions_are_convex_cones(rng: np.random.Generator) -> Found:
    for _ in range(100):
        W, X = integers(rng, (4, 3)), integers(rng, (30, 3))
        labels = np.argmax(scores(W, X), axis=1)
        strict = gaps(W, X, labels) > 0
        for label in range(4):
            inside = X[strict & (labels == label)]
            sums = np.array([2 * a + 3 * b for a in inside for b in inside], dtype=object).reshape(-1, 3)
            stay = gaps(W, sums, np.full(len(sums), label)) > 0 if len(sums) else np.array([True])
            yield holds(f"all {len(sums)} combinations stay", bool(np.all(stay)), Tier.EXACT)


@regions.check("in the plane there are at most k rays")
def in_the_plane_there_are_at_most_k_rays(rng: np.random.Generator) -> Found:
    for _ in range(200):
        W = integers(rng, (int(rng.integers(2, 9)), 2))
        yield at_most("rays, classes", len(decision_rays(W)), len(W))


@regions.extremal("rows in convex position have exactly k rays")
def rows_in_convex_position_have_exactly_k_rays() -> Found:
    for k in range(3, 13):
        parabola = as_integers(np.array([[i, i * i] for i in range(k)]))
        yield equal(f"rays for k = {k}", len(decision_rays(parabola)), k)


@regions.control("every class owns a region")
def every_class_owns_a_region() -> Found:
    W = as_integers(np.array([[2, 0], [0, 2], [1, 1]]))
    yield holds("the class whose row is half way between the others wins somewhere", owns_a_region(W, 2)[0], Tier.EXACT)


@regions.control("at most k - 1 rays")
def at_most_k_1_rays() -> Found:
    W = as_integers(np.array([[0, 0], [1, 1], [2, 4]]))
    yield at_most("rays, k - 1", len(decision_rays(W)), 2)


# --- P.sep: separable, or a combination of Kesler vectors that vanishes ----------------------------------------------

sep = Claim(
    "P.sep", implements=(separability, kesler_vectors), no_formula="an equivalence of two sets of linear inequalities"
)


@sep.check("one of the two certificates is there and is right, in integers")
def one_of_the_two_certificates_is_there(rng: np.random.Generator) -> Found:
    for _ in range(80):
        k, n = int(rng.integers(2, 5)), int(rng.integers(2, 9))
        X, y = integers(rng, (n, 2)), rng.integers(0, k, n)
        found = separability(X, y, k)
        if found.W is not None:
            yield holds("W separates strictly", bool((gaps(found.W, X, y) > 0).all()), Tier.EXACT, "separable")
        else:
            weights = np.array(found.multipliers, dtype=object)
            vanishes = bool((weights @ kesler_vectors(X, y, k) == 0).all())
            yield holds(
                "weights of Kesler vectors",
                vanishes and weights.min() >= 0 and weights.sum() > 0,
                Tier.EXACT,
                "not separable",
            )


@sep.control("gaps of at least 0, for some W other than 0, are enough")
def gaps_of_at_least_0_for_some_w_other_than_0_are() -> Found:
    X, y = as_integers(np.array([[1, 0], [1, 0]])), np.array([0, 1])
    W = as_integers(np.array([[0, 1], [0, 1]]))
    weakly = bool((gaps(W, X, y) >= 0).all() and (W != 0).any())
    yield equal("separable, weakly separated", separability(X, y, 2).separable, weakly)


# --- P.norm: the Frobenius product is the inner product of the flattened matrices ------------------------------------

norm = Claim("P.norm", implements=frobenius, formula=Formula("eq-frobenius", frobenius))


@norm.check("matrix product and product of flattened matrices agree")
def matrix_product_and_product_of_flattened_matrices(rng: np.random.Generator) -> Found:
    for _ in range(50):
        A, B = integers(rng, (3, 4), 99), integers(rng, (3, 4), 99)
        yield equal("⟨A, B⟩", frobenius(A, B), int(A.ravel() @ B.ravel()))
        yield equal("‖A‖²", frobenius(A, A), sum(int(v) ** 2 for v in A.ravel()))


@norm.control("⟨A, B⟩ is the trace of AB")
def a_b_is_the_trace_of_ab() -> Found:
    A, B = as_integers(np.array([[0, 1], [0, 0]])), as_integers(np.array([[0, 1], [0, 0]]))
    yield equal("⟨A, B⟩, trace AB", frobenius(A, B), int(np.trace(A @ B)))
