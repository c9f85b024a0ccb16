"""Linear multi-class classifiers: their ties, their decision regions, linear separability."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.alternatives import strict_alternative
from mcbook.foundation.types import Array
from mcbook.perceptron import (
    decision_rays,
    frobenius_product,
    gaps,
    kesler_vectors,
    predict,
    scores,
    separability,
    separable_sample,
)

Found = Iterator[Evidence]


def integers(rng: np.random.Generator, shape: tuple[int, int], largest: int = 3) -> np.ndarray:
    """A matrix of small random integers; small, so that ties are common."""
    return as_integers(rng.integers(-largest, largest + 1, shape))


# --- what leaves the prediction alone --------------------------------------------------------------------------------


def label_of_one(W: Array, x: Array) -> int:
    """The label that is predicted at one point, counted from 1."""
    return int(predict(W, x[None, :])[0]) + 1


linear_classifier = Claim(
    "prp-linear-classifier-invariances",
    "identity",
    "exact",
    source=("tao-perceptron", "roth-cis519"),
    where="definition of a linear classifier; winner-take-all",
    errata=("E30",),
    implements=(predict, scores),
    formula=Formula("eq-linear-classifier", label_of_one),
    symbols=(Reading("x", "real", shape=("d",), arguments={"x": "x"}),),
)


@linear_classifier.check("one vector added to every row, a positive factor: no prediction changes, ties included")
def shift_and_positive_factor(rng: np.random.Generator) -> Found:
    for _ in range(200):
        W, X = integers(rng, (int(rng.integers(2, 7)), 3)), integers(rng, (20, 3))
        shift, factor = integers(rng, (1, 3), 50), int(rng.integers(1, 50))
        same = predict(factor * (W + shift), X) == predict(W, X)
        yield equal("predictions that stay the same, of 20", int(same.sum()), 20)


@linear_classifier.check("the prediction is the first label whose score no other exceeds, by its definition")
def first_of_the_largest_scores(rng: np.random.Generator) -> Found:
    n_ties = 0
    for _ in range(60):
        W, X = integers(rng, (int(rng.integers(2, 7)), 3), 1), integers(rng, (20, 3), 1)
        table = [[sum(w * v for w, v in zip(row, x, strict=True)) for row in W] for x in X]
        best = [[z for z, score in enumerate(line) if score == max(line)] for line in table]
        n_ties += sum(len(labels) > 1 for labels in best)
        yield equal("wrong scores", int((scores(W, X) != np.array(table, dtype=object)).sum()), 0)
        yield equal("wrong predictions", int((predict(W, X) != [labels[0] for labels in best]).sum()), 0)
    yield at_least("ties among them", n_ties, 1)


@linear_classifier.strengthened(
    "The factor has to be the same for every row: when the second row of the identity matrix alone is "
    "multiplied by 3, the point (2, 1) changes from the first label to the second.",
    by=3,
)
def factor_on_one_row(factor: int) -> Found:
    W, X = as_integers(np.array([[1, 0], [0, 1]])), as_integers(np.array([[2, 1]]))
    yield equal(
        "prediction after = before the change",
        int(predict(W * np.array([[1], [factor]], dtype=object), X)[0]),
        int(predict(W, X)[0]),
    )


@linear_classifier.control(
    "The vector has to be added to every row: when (5, 0) is added to the second row of the identity "
    "matrix alone, the point (2, 1) changes from the first label to the second."
)
def a_vector_added_to_one_row_only() -> Found:
    W, X = as_integers(np.array([[1, 0], [0, 1]])), as_integers(np.array([[2, 1]]))
    moved = W + as_integers(np.array([[0, 0], [5, 0]]))
    yield equal("prediction after = before the change", int(predict(moved, X)[0]), int(predict(W, X)[0]))


@linear_classifier.control(
    "The factor has to be positive: with −W in place of W the lowest score wins, so the point (2, 1) "
    "changes from the first label to the second."
)
def a_negative_factor() -> Found:
    W, X = as_integers(np.array([[1, 0], [0, 1]])), as_integers(np.array([[2, 1]]))
    yield equal("prediction after = before the change", int(predict(-W, X)[0]), int(predict(W, X)[0]))


# --- cones and rays --------------------------------------------------------------------------------------------------

regions = Claim(
    "thm-decision-regions-are-cones",
    "equivalence",
    "certified",
    source=("tao-perceptron", "roth-cis519"),
    where="figure with three rays; Voronoi slide",
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
def wins_or_inside_the_hull(rng: np.random.Generator) -> Found:
    for _ in range(60):
        W = integers(rng, (int(rng.integers(2, 7)), int(rng.integers(1, 4))))
        for label in range(len(W)):
            wins, inside = owns_a_region(W, label)
            yield holds(
                "exactly one of: wins alone somewhere, inside the hull",
                wins != inside,
                Tier.EXACT,
                f"wins {wins}, inside {inside}",
            )


@regions.check("regions are convex cones: sums and multiples of points stay in the region")
def regions_are_convex_cones(rng: np.random.Generator) -> Found:
    for _ in range(100):
        W, X = integers(rng, (4, 3)), integers(rng, (30, 3))
        labels = np.argmax(scores(W, X), axis=1)
        strict = gaps(W, X, labels) > 0
        for label in set(labels[strict].tolist()):
            inside = X[strict & (labels == label)]
            sums = np.array([2 * a + 3 * b for a in inside for b in inside], dtype=object)
            smallest = gaps(W, sums, np.full(len(sums), label)).min()
            yield less_than("0 < smallest gap", 0, int(smallest), at=f"{len(sums)} combinations")


@regions.check("in the plane there are at most k rays")
def rays_in_the_plane(rng: np.random.Generator) -> Found:
    for _ in range(200):
        W = integers(rng, (int(rng.integers(2, 9)), 2))
        yield at_most("rays ≤ k", len(decision_rays(W)), len(W))


@regions.extremal("rows in convex position have exactly k rays")
def rows_in_convex_position() -> Found:
    for k in range(3, 13):
        parabola = as_integers(np.array([[i, i * i] for i in range(k)]))
        yield equal("rays = k", len(decision_rays(parabola)), k, at=f"k = {k}", statement=True)


@regions.control(
    "Not every class owns a region: a row halfway between two others lies in their convex hull, so its "
    "class wins alone nowhere."
)
def every_class_owns_a_region() -> Found:
    W = as_integers(np.array([[2, 0], [0, 2], [1, 1]]))
    yield holds("the class whose row is half way between the others wins somewhere", owns_a_region(W, 2)[0], Tier.EXACT)


@regions.control(
    "One ray fewer would be too strong: the three rows (0, 0), (1, 1) and (2, 4) have {left} rays, more than {right}."
)
def one_ray_less() -> Found:
    W = as_integers(np.array([[0, 0], [1, 1], [2, 4]]))
    yield at_most("rays ≤ k - 1", len(decision_rays(W)), 2)


# --- separable, or a combination of Kesler vectors that vanishes -----------------------------------------------------

separable = Claim(
    "prp-separability-certificates",
    "equivalence",
    "exact",
    source="tao-perceptron",
    where="definition of linear separability",
    implements=(separability, kesler_vectors),
    no_formula="an equivalence of two sets of linear inequalities",
)


@separable.check("one of the two certificates is there and is right, in integers")
def one_of_two_certificates(rng: np.random.Generator) -> Found:
    for _ in range(80):
        k, n = int(rng.integers(2, 5)), int(rng.integers(2, 9))
        X, y = integers(rng, (n, 2)), rng.integers(0, k, n)
        found = separability(X, y, k)
        if found.W is not None:
            yield holds("W separates strictly", bool((gaps(found.W, X, y) > 0).all()), Tier.EXACT, "separable")
        else:
            weights = np.array(found.multipliers, dtype=object)
            combination = weights @ kesler_vectors(X, y, k)
            yield equal("|Σ a D|²", int(combination @ combination), 0, at="not separable")
            yield at_least("smallest multiplier", int(weights.min()), 0)
            yield less_than("0 < sum of the multipliers", 0, int(weights.sum()))


@separable.control(
    "Gaps of at least 0 are not enough: when one point carries two labels, a W with two equal rows has "
    "only gaps of 0, and yet no W separates the sample."
)
def weak_separation_is_enough() -> Found:
    X, y = as_integers(np.array([[1, 0], [1, 0]])), np.array([0, 1])
    W = as_integers(np.array([[0, 1], [0, 1]]))
    assert gaps(W, X, y).min() == 0, "the W of the weak separation has other gaps"
    assert frobenius_product(W, W) == 2, "the W of the weak separation has another length"
    yield equal("separable = has a W with gaps of at least 0", separability(X, y, 2).separable, True)


@separable.check("separable exactly when the gaps can be made 1: dividing an integer W by its smallest gap")
def gaps_of_at_least_1(rng: np.random.Generator) -> Found:
    for _ in range(40):
        k = int(rng.integers(2, 5))
        X, y = separable_sample(rng, k, 2, 8)
        W = separability(X, y, k).W
        assert W is not None, "a sample with a separating W was called not separable"
        scaled = W * Fraction(1, int(gaps(W, X, y).min()))
        products = kesler_vectors(X, y, k) @ scaled.ravel()
        yield equal("smallest ⟨W, D⟩ after the division = 1", Fraction(products.min()), 1)


@separable.strengthened(
    "For a W that was divided by its smallest gap, the right-hand side 1 is as large as it can be: the "
    "smallest ⟨W, D⟩ is {left}, less than {right}.",
    by=Fraction(101, 100),
)
def larger_right_hand_side(factor: Fraction) -> Found:
    X, y = as_integers(np.eye(2, dtype=int)), np.array([0, 1])
    W = separability(X, y, 2).W
    assert W is not None, "two axes of two classes were called not separable"
    products = kesler_vectors(X, y, 2) @ (W.ravel() * Fraction(1, int(gaps(W, X, y).min())))
    yield at_least("smallest ⟨W, D⟩ ≥ 1", Fraction(products.min()), factor)


# --- the Frobenius product is the inner product of the flattened matrices --------------------------------------------

frobenius_norm = Claim(
    "prp-frobenius-is-euclidean",
    "identity",
    "exact",
    source="tao-perceptron",
    where="Frobenius norm slide",
    implements=frobenius_product,
    formula=Formula("eq-frobenius", frobenius_product),
)


@frobenius_norm.check("matrix product and product of flattened matrices agree")
def product_of_flattened_matrices(rng: np.random.Generator) -> Found:
    for _ in range(50):
        A, B = integers(rng, (3, 4), 99), integers(rng, (3, 4), 99)
        yield equal("⟨A, B⟩ = product of the vectors", frobenius_product(A, B), int(A.ravel() @ B.ravel()))
        yield equal("‖A‖² = sum of the squares", frobenius_product(A, A), sum(int(v) ** 2 for v in A.ravel()))


@frobenius_norm.strengthened(
    "Cauchy and Schwarz leave no room when B = 3 A: there ⟨A, B⟩² is {left}, more than {right}, which is "
    "one per cent less than ‖A‖² ‖B‖².",
    by=Fraction(99, 100),
)
def smaller_lengths(factor: Fraction) -> Found:
    A = as_integers(np.array([[1, 2], [3, 4]]))
    B = 3 * A
    yield at_most(
        "⟨A, B⟩² ≤ ‖A‖² ‖B‖²", frobenius_product(A, B) ** 2, factor * frobenius_product(A, A) * frobenius_product(B, B)
    )


@frobenius_norm.control(
    r"The Frobenius product is the trace of $AB^\top$, not of $AB$: for A = B with a single 1, off the "
    "diagonal, ⟨A, B⟩ is {left} and the trace of AB is {right}."
)
def trace_of_the_product() -> Found:
    A, B = as_integers(np.array([[0, 1], [0, 0]])), as_integers(np.array([[0, 1], [0, 0]]))
    yield equal("⟨A, B⟩ = trace AB", frobenius_product(A, B), int(np.trace(A @ B)))
