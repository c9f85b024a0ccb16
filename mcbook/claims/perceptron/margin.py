"""The margin of a point, and the best margin of a sample."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than
from mcbook.claims.perceptron.linear import integers
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.types import Array
from mcbook.perceptron import (
    best_margin,
    frobenius_product,
    gaps,
    kesler_vectors,
    margins,
    random_orders,
    run_perceptron,
    separable_sample,
    squared_margin,
    squared_radius,
    tight_sample,
)

Found = Iterator[Evidence]


def squared_robustness(W: np.ndarray, x: np.ndarray, label: int) -> Fraction:
    """Squared distance from x to the nearest point that some rival wins or shares."""
    others = np.delete(W, label, axis=0)
    return min(
        Fraction(((W[label] - w) @ x) ** 2, ((W[label] - w) @ (W[label] - w))) for w in others if (w != W[label]).any()
    )


def margin_of_one(W: Array, x: Array, y: int) -> float:
    """The margin of a single example."""
    return float(margins(W, x[None, :], np.array([y]))[0])


point_margin = Claim(
    "prp-multiclass-margin",
    "upper bound",
    "exact",
    source="tao-perceptron",
    where="definition of the margin",
    implements=(margins, squared_margin),
    formula=Formula("eq-margin", margin_of_one),
    symbols=(
        Reading("x", "real", shape=("d",), arguments={"x": "x"}),
        Reading("y", "label", arguments={"y": "y"}),
    ),
)


def _points(rng: np.random.Generator, count: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Random integer W with a point that it classifies strictly."""
    while count:
        W, x = integers(rng, (int(rng.integers(2, 6)), 3), 9), integers(rng, (1, 3), 9)
        label = np.array([np.argmax(W @ x[0])])
        if gaps(W, x, label)[0] > 0:
            count -= 1
            yield W, x, label


@point_margin.check("scale-free; a distance in Kesler's space; at most ‖x‖ and the distance to another label")
def bounds_of_the_margin(rng: np.random.Generator) -> Found:
    for W, x, label in _points(rng, 200):
        value = squared_margin(W, x, label)
        yield equal("margin² of 7 W = margin² of W", squared_margin(7 * W, x, label), value)
        products = kesler_vectors(x, label, len(W)) @ W.ravel()
        distance = Fraction(int(products.min()) ** 2, 2 * int(frobenius_product(W, W)))
        yield equal("margin² = squared distance of D / √2 to the hyperplane", value, distance)
        yield at_most("margin² ≤ ‖x‖²", value, squared_radius(x))
        yield at_most("margin² ≤ squared distance", value, squared_robustness(W, x[0], int(label[0])))


@point_margin.check("margins against their definition, the sign included, and their squares")
def margins_against_their_definition(rng: np.random.Generator) -> Found:
    for _ in range(60):
        # The length of each of these W is rational, √2 ‖W‖ = 2 a √(n_rows / 2) with 2 or 8 rows of length a.
        k, a = int(rng.choice([2, 8])), int(rng.choice([5, 13]))
        directions = np.array([[3, 4], [4, 3], [-3, 4], [0, 5]] if a == 5 else [[5, 12], [12, -5], [-5, 12], [13, 0]])
        W, x = as_integers(directions[rng.integers(0, 4, k)]), integers(rng, (1, 2), 9)
        label = int(rng.integers(0, k))
        smallest = min(int((W[label] - W[z]) @ x[0]) for z in range(k) if z != label)
        length = 2 * a * (1 if k == 2 else 2)
        (found,) = margins(W, x, np.array([label]))
        yield equal("margin = gap / (√2 ‖W‖)", found, Fraction(smallest, length))


OPPOSITE = as_integers(np.array([[3, 1], [-3, -1]])), as_integers(np.array([[2, 5]])), np.array([0])


@point_margin.extremal("two classes with opposite rows: margin and distance to the boundary agree")
def two_classes_with_opposite_rows() -> Found:
    W, x, label = OPPOSITE
    distance = squared_robustness(W, x[0], 0)
    yield equal("margin² = squared distance", squared_margin(W, x, label), distance, statement=True)


@point_margin.extremal("a third row of 0: as near as the opposite row, with half its gap, so that the margin is half")
def opposite_rows_and_a_third_of_zero() -> Found:
    (W, x, label), zero = OPPOSITE, as_integers(np.zeros((1, 2), dtype=int))
    apart = [squared_robustness(np.r_[W[:1], other], x[0], 0) for other in (W[1:], zero)]
    yield equal("squared distance to label 2 = to label 3", apart[0], apart[1])
    gap, half = (int(gaps(np.r_[W[:1], other], x, label)[0]) for other in (W[1:], zero))
    yield equal("half the gap to label 2 = gap to label 3", Fraction(gap, 2), half)
    yield equal(
        "margin² over squared distance = 1/4", squared_margin(np.r_[W, zero], x, label) / apart[0], Fraction(1, 4)
    )


@point_margin.extremal("three classes come as near as one likes, and never arrive")
def three_classes_come_near() -> Found:
    x, label = as_integers(np.array([[1, 0]])), np.array([0])
    for size in (10, 100, 1000):
        # The rows (2/3, M), (-1/3, -M), (-1/3, 0), times 3.
        W = as_integers(np.array([[2, 3 * size], [-1, -3 * size], [-1, 0]]))
        part = squared_margin(W, x, label) / squared_robustness(W, x[0], 0)
        yield at_least(
            "margin² over squared distance ≥ 1 - 1/(10 M)", part, 1 - Fraction(1, 10 * size), at=f"M = {size}"
        )
        yield less_than("0 < 1 - margin² over squared distance", 0, 1 - part, at=f"M = {size}")


@point_margin.check("with three or more classes the margin is less than the distance")
def never_equal_with_three_classes(rng: np.random.Generator) -> Found:
    for W, x, label in _points(rng, 200):
        if len(W) > 2:
            distance = squared_robustness(W, x[0], int(label[0]))
            yield less_than("margin² < squared distance", squared_margin(W, x, label), distance)


@point_margin.control(
    "Unlike the predictions, the margin changes when one vector is added to every row: adding w₁ to two "
    "opposite rows turns the squared margin from {right} into {left}."
)
def unchanged_by_a_shift() -> Found:
    W, x, label = OPPOSITE
    yield equal("margin² after = before the shift", squared_margin(W + W[0], x, label), squared_margin(W, x, label))


@point_margin.strengthened(
    "A margin one per cent larger would exceed the distance to the other label: with two opposite rows "
    "its square is {left}, and the squared distance is {right}.",
    by=Fraction(101, 100),
)
def larger_margin(factor: Fraction) -> Found:
    W, x, label = OPPOSITE
    yield at_most("margin² ≤ squared distance", factor**2 * squared_margin(W, x, label), squared_robustness(W, x[0], 0))


@point_margin.strengthened(
    "A margin one per cent larger would exceed ‖x‖: with two opposite rows along x its square is {left}, "
    "and ‖x‖² is {right}.",
    by=Fraction(101, 100),
)
def larger_margin_along_x(factor: Fraction) -> Found:
    W, x, label = as_integers(np.array([[2, 5], [-2, -5]])), as_integers(np.array([[2, 5]])), np.array([0])
    yield at_most("margin² ≤ ‖x‖²", factor**2 * squared_margin(W, x, label), squared_radius(x))


gamma = Claim(
    "prp-best-margin-program",
    "identity",
    "certified",
    source="tao-perceptron",
    where="definition of gamma",
    implements=best_margin,
    no_formula="the optimum of a quadratic program",
)


@gamma.check("primal and dual witness meet, and no other separating W has a larger margin")
def witnesses_meet(rng: np.random.Generator) -> Found:
    for _ in range(60):
        k = int(rng.integers(2, 5))
        X, y = separable_sample(rng, k, int(rng.integers(2, 4)), int(rng.integers(6, 20)))
        best = best_margin(X, y, k)
        yield at_most(
            "upper bound of γ² over lower bound ≤ 1 + 10⁻⁸",
            best.squared.upper / best.squared.lower,
            1 + Fraction(1, 10**8),
        )
        yield equal("γ² ≈ margin² of the witness", best.squared, squared_margin(best.W, X, y), within=1e-6)
        for order in range(3):
            other = run_perceptron(X, y, k, order=random_orders(len(X), order)).W
            yield at_most("margin² of a run's last W ≤ dual bound", squared_margin(other, X, y), best.squared.upper)


@gamma.extremal("γ² = k² / (2 (k - 1)) on the tight sample, by two exact witnesses")
def best_margin_of_the_tight_sample() -> Found:
    for k in range(2, 13):
        X, y = tight_sample(k)
        run = run_perceptron(X, y, k)
        # The sum of all updates is W itself: equal weights on the Kesler vectors used are the dual witness.
        upper = Fraction(int(frobenius_product(run.W, run.W)), 2 * run.n_updates**2)
        yield equal("margin² of W = dual bound", squared_margin(run.W, X, y), upper, at=f"k = {k}", statement=True)
        yield equal("γ² = k² / (2 (k - 1))", upper, Fraction(k * k, 2 * (k - 1)), at=f"k = {k}")


@gamma.strengthened(
    "The 2 is needed, as two rows meet in every gap: the tight sample of three classes has γ² = {left}, and without "
    "the 2 the formula would give {right}.",
    by=Fraction(1, 2),
)
def formula_without_the_2(factor: Fraction) -> Found:
    for k in (3, 5):
        X, y = tight_sample(k)
        # By hand, with centred rows: min ‖W‖² = (k - 1) / k².
        least = Fraction(k - 1, k * k)
        yield equal(
            "γ² ≈ 1 / (2 min ‖W‖²)", best_margin(X, y, k).squared, 1 / (2 * factor * least), within=1e-6, at=f"k = {k}"
        )


@gamma.control(
    "The Perceptron does not maximise the margin: on the points (4, 1) and (1, 2) of two classes its last "
    "W has a squared margin of {left}, less than γ² = {right}."
)
def last_weights_have_the_best_margin() -> Found:
    X, y = as_integers(np.array([[4, 1], [1, 2]])), np.array([0, 1])
    yield at_least("margin² of W ≥ γ²", squared_margin(run_perceptron(X, y, 2).W, X, y), best_margin(X, y, 2).squared)
