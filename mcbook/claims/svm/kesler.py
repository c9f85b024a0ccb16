"""Kesler's space: where the multi-class machines are binary ones, and what their weights and margins mean there."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, at_most, equal, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.svm.common import TINY, Found, agree, exactly, no_more, samples, squared, trade_offs
from mcbook.foundation.proof.exact import ball, rational_rank
from mcbook.perceptron import (
    as_integers,
    best_margin,
    frobenius,
    gaps,
    kesler_vectors,
    mistake_bound,
    predict,
    scores,
    separable_sample,
    squared_margin,
    squared_radius,
)
from mcbook.svm import (
    intrinsic_dimension,
    n_weights,
    primal_objective,
    rival_slacks,
    signed_squared_distance,
    slacks,
    solve_binary_primal,
    solve_multiclass_primal,
    weston_watkins_objective,
)


def kesler_machine(X: np.ndarray, y: np.ndarray, k: int, C: float | None) -> Any:
    """The binary machine on the Kesler vectors of all examples and rivals, every one of them positive."""
    D = kesler_vectors(X, y, k)
    return solve_binary_primal(D, np.ones(len(D)), C)


def strictly_separable(rng: np.random.Generator, count: int) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    for _ in range(count):
        k = int(rng.integers(2, 5))
        X, y = separable_sample(rng, k, int(rng.integers(2, 4)), int(rng.integers(6, 14)))
        yield X, y, k


# --- M.WW ------------------------------------------------------------------------------------------------------------

ww = Claim(
    "M.WW",
    implements=(rival_slacks, weston_watkins_objective),
    formula=Formula("eq-svm-ww", weston_watkins_objective, given={r"\xi_{iz}": r"\max(0,1-(w_{y_i}-w_z)\cdot x_i)"}),
)


@ww.check("Weston and Watkins is the soft binary machine on the Kesler vectors; Crammer and Singer costs no more")
def weston_and_watkins_is_the_soft_binary_machine(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 6):
        C = float(trade_offs(rng))
        found = solve_multiclass_primal(X, y, k, C, "weston-watkins")
        binary = kesler_machine(X, y, k, C)
        yield agree("value, binary value on Kesler vectors", found, binary)
        yield at_most("|W − binary W|²", squared(exactly(found.point) - exactly(binary.point).reshape(k, -1)), TINY)
        assert found.slack is not None
        yield equal("slacks, m (k − 1)", found.slack.size, len(X) * (k - 1))
        one_each = solve_multiclass_primal(X, y, k, C)
        yield no_more("Crammer–Singer, Weston–Watkins", one_each, found)


@ww.check("at any W, in rationals")
def at_any_w_in_rationals(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 40):
        C, W = trade_offs(rng), as_integers(rng.integers(-3, 4, (k, X.shape[1]))) * Fraction(1, 5)
        yield at_most("objectives", primal_objective(W, X, y, C), weston_watkins_objective(W, X, y, C))
        per_rival = rival_slacks(W, X, y)
        yield equal("largest slack of each example", squared(per_rival.max(axis=1) - slacks(W, X, y)), 0)
        yield equal("entries, m (k − 1)", per_rival.size, len(X) * (k - 1))


@ww.control("Crammer and Singer is the soft binary machine on the Kesler vectors")
def crammer_and_singer_is_the_soft_binary_machine() -> Found:
    X, y, k = next(samples(np.random.default_rng(2), 1, fewest=3))
    yield agree("optima", solve_multiclass_primal(X, y, k, 1.0), kesler_machine(X, y, k, 1.0))


@ww.control("k (k − 1) / 2 slacks, as printed")
def k_2_slacks_as_printed() -> Found:
    X, y, k = next(samples(np.random.default_rng(2), 1, fewest=3))
    yield equal("slacks", rival_slacks(as_integers(np.zeros((k, X.shape[1]), dtype=int)), X, y).size, k * (k - 1) // 2)


# --- M.kes -----------------------------------------------------------------------------------------------------------

kes = Claim(
    "M.kes",
    implements=(solve_multiclass_primal, solve_binary_primal),
    no_formula="an equivalence of two programmes, whose common value 1/(4γ²) is their optimum",
)


@kes.check("hard margin: one value and one matrix, and the value is 1 / (4 γ²)")
def hard_margin_one_value_and_one_matrix(rng: np.random.Generator) -> Found:
    for X, y, k in strictly_separable(rng, 8):
        found, binary = solve_multiclass_primal(X, y, k, None), kesler_machine(X, y, k, None)
        yield agree("value, binary value on Kesler vectors", found, binary)
        W = exactly(found.point)
        far = squared(W - exactly(binary.point).reshape(k, -1))
        yield at_most("|W − binary W|² / |W|²", far / squared(W), TINY)
        gamma = best_margin(X, y, k).squared
        yield agree("value, 1 / (4 γ²)", found, 1 / (4 * gamma), relative=1e-7)


@kes.check("soft margin: two violated rivals at the optimum and only then, the values differ; never for k = 2")
def soft_margin_two_violated_rivals_at_the_optimum(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 10):
        C = float(trade_offs(rng)) / 5
        found, binary = solve_multiclass_primal(X, y, k, C), kesler_machine(X, y, k, C)
        per_rival = np.sort(rival_slacks(exactly(found.point), X, y), axis=1)
        second = per_rival[:, -2].max() if k > 2 else 0
        if second > TINY:
            yield less_than("one slack each, one per rival", found.value, binary.value)
        else:
            yield agree("one slack each, one per rival", found, binary, relative=1e-5)


@kes.control("soft margin: always one value")
def soft_margin_always_one_value() -> Found:
    X, y, k = next(samples(np.random.default_rng(2), 1, fewest=3))
    yield agree("one slack each, one per rival", solve_multiclass_primal(X, y, k, 1.0), kesler_machine(X, y, k, 1.0))


@kes.control("hard margin: with one rival for each example left out")
def hard_margin_with_one_rival_for_each_example_left() -> Found:
    X, y = as_integers(np.eye(3, dtype=int)), np.arange(3)
    D = kesler_vectors(X, y, 3)[::2]
    yield agree("values", solve_multiclass_primal(X, y, 3, None), solve_binary_primal(D, np.ones(len(D)), None))


# --- M.nK ------------------------------------------------------------------------------------------------------------

weights = Claim(
    "M.nK",
    implements=(n_weights, intrinsic_dimension),
    formula=(Formula("eq-svm-stored-weights", n_weights), Formula("eq-svm-intrinsic-dimension", intrinsic_dimension)),
)


@weights.check("k d numbers are stored; the score differences have rank (k − 1) d, as integer matrices say")
def k_d_numbers_are_stored(rng: np.random.Generator) -> Found:
    for k in range(2, 7):
        for d in range(1, 6):
            W = as_integers(rng.integers(-9, 10, (k, d)))
            yield equal("entries of W", n_weights(k, d), W.size)
            # Differences with the first class at the d unit vectors: a linear map of W, as a matrix.
            axes = as_integers(np.eye(d, dtype=int))
            differences = kesler_vectors(axes, np.zeros(d, dtype=int), k)
            yield equal("rank of the score differences", intrinsic_dimension(k, d), rational_rank(differences))
            shift = as_integers(rng.integers(-9, 10, (1, d)))
            apart = scores(W + shift, axes) - scores(W, axes)
            yield equal("differences that a common shift changes", int((apart != apart[:, :1]).sum()), 0)
            yield equal("predictions that it changes", int((predict(W + shift, axes) != predict(W, axes)).sum()), 0)


@weights.control("all k d numbers matter")
def all_k_d_numbers_matter() -> Found:
    axes = as_integers(np.eye(3, dtype=int))
    yield equal("rank", rational_rank(kesler_vectors(axes, np.zeros(3, dtype=int), 4)), n_weights(4, 3))


@weights.control("one-vs-rest stores one row less, k − 1 of them")
def one_vs_rest_stores_one_row_less_k_1_of_them() -> Found:
    yield equal("weights for k = 4, d = 3", n_weights(4, 3), 3 * 3)


# --- M.just ----------------------------------------------------------------------------------------------------------


def signed_roots(signed_squares: Any) -> list[Any]:
    """d from d |d|, as balls."""
    return [(-1 if square < 0 else 1) * ball(abs(square)).sqrt() for square in signed_squares]


just = Claim(
    "M.just",
    implements=signed_squared_distance,
    formula=Formula("eq-svm-signed-distance", signed_squared_distance, over="i", result=signed_roots),
)


@just.check("gap / |W| is the signed distance of the worst Kesler vector, whatever the sign")
def gap_w_is_the_signed_distance_of_the_worst_kesler(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 30):
        W = as_integers(rng.integers(-3, 4, (k, X.shape[1])))
        W[0, 0] += 10
        for i, value in enumerate(signed_squared_distance(W, X, y)):
            D = kesler_vectors(X[i : i + 1], y[i : i + 1], k)
            worst = min(D, key=lambda row: row @ W.ravel())
            share = Fraction(int(worst @ W.ravel()), int(frobenius(W, W)))
            foot = worst - share * W.ravel()
            yield equal("⟨W, foot of the perpendicular⟩", foot @ W.ravel(), 0)
            side = 1 if share > 0 else -1 if share < 0 else 0
            yield equal("signed squared distance", value, side * squared(worst - foot))


@just.check("the mistake bound and the hard-margin value are the binary ones there")
def the_mistake_bound_and_the_hard_margin_value_are(rng: np.random.Generator) -> Found:
    for X, y, k in strictly_separable(rng, 20):
        W = best_margin(X, y, k).W
        nearest = signed_squared_distance(W, X, y).min()
        radius = squared_radius(kesler_vectors(X, y, k))
        here = mistake_bound(squared_radius(X), squared_margin(W, X, y))
        yield equal("binary bound on Kesler vectors, multi-class bound", mistake_bound(radius, nearest), here)
        scaled = W * Fraction(1, int(gaps(W, X, y).min()))
        yield equal("|W|² for gap 1, 1 / distance²", frobenius(scaled, scaled), 1 / Fraction(nearest))


@just.control("the best minus the second-best score, whichever class is right")
def the_best_minus_the_second_best_score_whichever() -> Found:
    W, X, y = as_integers(np.array([[3, 0], [0, 1], [1, 1]])), as_integers(np.array([[1, 0]])), np.array([1])
    top = sorted(int(v) for v in scores(W, X)[0])[::-1]
    best_two = Fraction((top[0] - top[1]) ** 2, int(frobenius(W, W)))
    yield equal("signed squared distance", signed_squared_distance(W, X, y)[0], best_two)


@just.control("it is the distance of x itself to the nearest point with another label")
def it_is_the_distance_of_x_itself_to_the_nearest() -> Found:
    W, X, y = as_integers(np.array([[2, 0], [0, 1], [1, 1]])), as_integers(np.array([[3, 1]])), np.array([0])
    apart = min(Fraction(int((W[0] - w) @ X[0]) ** 2, int(squared(W[0] - w))) for w in W[1:])
    yield equal("squared distance", signed_squared_distance(W, X, y)[0], apart)
