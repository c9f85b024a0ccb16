"""The margin of a point, and the best margin of a sample."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.claims.perceptron.linear import integers
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.perceptron import (
    as_integers,
    best_margin,
    frobenius,
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


# --- P.margin --------------------------------------------------------------------------------------------------------


def margin_of_one(W: Any, x: Any, y: int) -> float:
    """The margin of a single example."""
    return float(margins(W, x[None, :], np.array([y]))[0])


point = Claim("P.margin", implements=(margins, squared_margin), formula=Formula("eq-margin", margin_of_one))


def _points(rng: np.random.Generator, count: int) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Random integer W with a point that it classifies strictly."""
    while count:
        W, x = integers(rng, (int(rng.integers(2, 6)), 3), 9), integers(rng, (1, 3), 9)
        label = np.array([np.argmax(W @ x[0])])
        if gaps(W, x, label)[0] > 0:
            count -= 1
            yield W, x, label


@point.check("scale-free; a distance in Kesler's space; at most ‖x‖; at most the distance to the nearest other label")
def scale_free_a_distance_in_keslers_space_at_most_x(rng: np.random.Generator) -> Found:
    for W, x, label in _points(rng, 200):
        value = squared_margin(W, x, label)
        yield equal("margin² of 7 W", squared_margin(7 * W, x, label), value)
        products = kesler_vectors(x, label, len(W)) @ W.ravel()
        distance = Fraction(int(products.min()) ** 2, 2 * int(frobenius(W, W)))
        yield equal("margin², squared distance of D / √2 to the hyperplane", value, distance)
        yield at_most("margin², ‖x‖²", value, squared_radius(x))
        yield at_most("margin², squared robustness", value, squared_robustness(W, x[0], int(label[0])))


@point.extremal("two classes with opposite rows: margin and distance to the boundary agree")
def two_classes_with_opposite_rows() -> Found:
    W, x, label = as_integers(np.array([[3, 1], [-3, -1]])), as_integers(np.array([[2, 5]])), np.array([0])
    yield equal("margin²", squared_margin(W, x, label), squared_robustness(W, x[0], 0))


@point.extremal("three classes come as near as one likes, and never arrive")
def three_classes_come_as_near_as_one_likes() -> Found:
    x, label = as_integers(np.array([[1, 0]])), np.array([0])
    for size in (10, 100, 1000):
        # The rows (2/3, M), (-1/3, -M), (-1/3, 0), times 3.
        W = as_integers(np.array([[2, 3 * size], [-1, -3 * size], [-1, 0]]))
        part = squared_margin(W, x, label) / squared_robustness(W, x[0], 0)
        yield at_least(f"margin² over squared distance, M = {size}", part, 1 - Fraction(1, 10 * size))


@point.control("unchanged when one vector is added to every row")
def unchanged_when_one_vector_is_added_to_every_row() -> Found:
    W, x, label = as_integers(np.array([[3, 1], [-3, -1]])), as_integers(np.array([[2, 5]])), np.array([0])
    yield equal("margin²", squared_margin(W + W[0], x, label), squared_margin(W, x, label))


@point.control("a hundredth larger and still at most the distance to the nearest other label")
def a_hundredth_larger_and_still_at_most() -> Found:
    W, x, label = as_integers(np.array([[3, 1], [-3, -1]])), as_integers(np.array([[2, 5]])), np.array([0])
    larger = squared_margin(W, x, label) * Fraction(101, 100) ** 2
    yield at_most("margin², larger", larger, squared_robustness(W, x[0], 0))


# --- P.gamma ---------------------------------------------------------------------------------------------------------

gamma = Claim("P.gamma", implements=best_margin, no_formula="the optimum of a quadratic programme")


@gamma.check("primal and dual witness meet, and no other separating W has a larger margin")
def primal_and_dual_witness_meet_and_no_other(rng: np.random.Generator) -> Found:
    for _ in range(60):
        k = int(rng.integers(2, 5))
        X, y = separable_sample(rng, k, int(rng.integers(2, 4)), int(rng.integers(6, 20)))
        best = best_margin(X, y, k)
        yield at_most("upper over lower bound of γ²", best.squared.upper / best.squared.lower, 1 + Fraction(1, 10**8))
        yield equal("γ², margin² of the witness", best.squared, squared_margin(best.W, X, y), within=1e-6)
        for order in range(3):
            other = run_perceptron(X, y, k, order=random_orders(len(X), order)).W
            yield at_most("margin² of a run's last W, dual bound", squared_margin(other, X, y), best.squared.upper)


@gamma.extremal("γ² = k² / (2 (k - 1)) on the tight sample, by two exact witnesses")
def gamma_squared_k_squared_on_the_tight_sample() -> Found:
    for k in range(2, 13):
        X, y = tight_sample(k)
        run = run_perceptron(X, y, k)
        # The sum of all updates is W itself: equal weights on the Kesler vectors used are the dual witness.
        upper = Fraction(int(frobenius(run.W, run.W)), 2 * run.n_updates**2)
        yield equal(f"lower and upper bound, k = {k}", squared_margin(run.W, X, y), upper)
        yield equal(f"γ², k = {k}", upper, Fraction(k * k, 2 * (k - 1)))


@gamma.control("without the factor 2: γ^-2 = min ‖W‖²")
def without_the_factor_2() -> Found:
    X, y = tight_sample(3)
    yield equal("γ², doubled", Fraction(9, 4) * 2, best_margin(X, y, 3).squared, within=1e-6)


@gamma.control("the Perceptron's last W has the best margin")
def the_perceptrons_last_w_has_the_best_margin() -> Found:
    X, y = as_integers(np.array([[4, 1], [1, 2]])), np.array([0, 1])
    yield at_least("margin² of W, γ²", squared_margin(run_perceptron(X, y, 2).W, X, y), best_margin(X, y, 2).squared)
