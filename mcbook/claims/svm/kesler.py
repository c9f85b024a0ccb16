"""Kesler's space: where the multi-class SVMs are binary ones, and what their weights and margins mean there."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from sklearn.multiclass import OneVsRestClassifier

from mcbook.binary_svm import binary_primal, solve_binary_primal
from mcbook.claims import Claim, at_most, equal, less_than
from mcbook.claims.binary_svm.samples import TINY, Found, agree, close, no_more, squared, trade_offs
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.claims.svm.samples import samples
from mcbook.foundation.numbers import as_given, as_integers, ball
from mcbook.foundation.programs import Optimum, solve_multiclass_svm
from mcbook.foundation.proof.exact import rational_rank
from mcbook.foundation.types import Array, Exact, Labels, Number
from mcbook.perceptron import (
    best_margin,
    kesler_vectors,
    mistake_bound,
    predict,
    scores,
    separable_sample,
    squared_margin,
    squared_radius,
)
from mcbook.problem import score_margins
from mcbook.svm import intrinsic_dimension, n_weights, primal_objective, rival_slacks, signed_squared_distance, slacks
from mcbook.svm_solvers import LinearSVM, MulticlassSVM


def kesler_svm(X: Exact, y: Labels, k: int, C: float | None) -> Optimum:
    """The binary SVM on the Kesler vectors of all examples and rivals, every one of them positive."""
    D = kesler_vectors(X, y, k)
    return solve_binary_primal(D, np.ones(len(D)), C)


def strictly_separable(rng: np.random.Generator, count: int) -> Iterator[tuple[Exact, Labels, int]]:
    for _ in range(count):
        k = int(rng.integers(2, 5))
        X, y = separable_sample(rng, k, int(rng.integers(2, 4)), int(rng.integers(6, 14)))
        yield X, y, k


one_slack_per_rival = Claim(
    "prp-weston-watkins-and-crammer-singer",
    "equivalence",
    "certified",
    source="mohri2018",
    where="§9.6",
    errata=("E10",),
    implements=(rival_slacks, primal_objective),
    formula=Formula(
        "eq-svm-ww",
        primal_objective,
        fixed={"loss": "weston-watkins"},
        given={r"\xi_{iz}": r"\max(0,1-(w_{y_i}-w_z)\cdot x_i)"},
    ),
    symbols=(Reading(r"\xi_{iz}", "nonnegative", slots=("i", "z"), shape=("m", "k")),),
)


@one_slack_per_rival.check(
    "Weston and Watkins is the soft binary SVM on the Kesler vectors; Crammer and Singer costs no more"
)
def optima_of_both(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 6):
        C = float(trade_offs(rng))
        found = solve_multiclass_svm(X, y, k, C, loss="weston-watkins")
        binary = kesler_svm(X, y, k, C)
        yield agree("value ≈ binary value on Kesler vectors", found, binary)
        yield close("W − binary W", as_given(found.point), as_given(binary.point).reshape(k, -1))
        assert found.slack is not None
        yield equal("slacks = m (k − 1)", found.slack.size, len(X) * (k - 1))
        one_each = solve_multiclass_svm(X, y, k, C)
        yield no_more("value of Crammer and Singer ≤ of Weston and Watkins", one_each, found)


@one_slack_per_rival.check("at any W, in rationals")
def objectives_at_any_weights(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 40):
        C, W = trade_offs(rng), as_integers(rng.integers(-3, 4, (k, X.shape[1]))) * Fraction(1, 5)
        per_rival, D = rival_slacks(W, X, y), kesler_vectors(X, y, k)
        each = primal_objective(W, X, y, C, "weston-watkins")
        yield equal(
            "objective = binary objective on Kesler vectors", each, binary_primal(W.ravel(), D, np.ones(len(D), int), C)
        )
        yield at_most("objective of Crammer and Singer ≤ of Weston and Watkins", primal_objective(W, X, y, C), each)
        yield equal(
            "|largest slacks per rival − slacks per example|²", squared(per_rival.max(axis=1) - slacks(W, X, y)), 0
        )
        yield equal("slacks = m (k − 1)", per_rival.size, len(X) * (k - 1))


@one_slack_per_rival.control(
    "Crammer and Singer's SVM is not the binary one on the Kesler vectors: for nine examples of five "
    "classes and $W=0$ its objective is {left}, the binary one {right}."
)
def crammer_and_singer_in_keslers_space() -> Found:
    X, y, k = next(samples(np.random.default_rng(2), 1, fewest=3))
    W, D = as_integers(np.zeros((k, X.shape[1]), dtype=int)), kesler_vectors(X, y, k)
    yield equal(
        "objective = binary objective on Kesler vectors",
        primal_objective(W, X, y, 1),
        binary_primal(W.ravel(), D, np.ones(len(D), int), 1),
    )


@one_slack_per_rival.control(
    "The number of slacks is not $k(k-1)/2$, as the source has it: for nine examples of five classes "
    "Weston and Watkins need {left}, not {right}."
)
def printed_number_of_slacks() -> Found:
    X, y, k = next(samples(np.random.default_rng(2), 1, fewest=3))
    yield equal(
        "slacks = k (k − 1)/2",
        rival_slacks(as_integers(np.zeros((k, X.shape[1]), dtype=int)), X, y).size,
        k * (k - 1) // 2,
    )


hard_margin_in_keslers_space = Claim(
    "thm-hard-svm-in-kesler-space",
    "equivalence",
    "certified",
    source="roth-cis519",
    where="significance of Kesler's construction",
    implements=(solve_multiclass_svm, solve_binary_primal),
    no_formula="an equivalence of two problems, whose common value 1/(4γ²) is their optimum",
)


@hard_margin_in_keslers_space.check("hard margin: one value and one matrix, and the value is 1 / (4 γ²)")
def one_value_and_one_matrix(rng: np.random.Generator) -> Found:
    for X, y, k in strictly_separable(rng, 8):
        found, binary = solve_multiclass_svm(X, y, k, None), kesler_svm(X, y, k, None)
        yield agree("value ≈ binary value on Kesler vectors", found, binary)
        W = as_given(found.point)
        yield close("W − binary W", W, as_given(binary.point).reshape(k, -1), within=TINY * squared(W))
        gamma = best_margin(X, y, k).squared
        yield agree("value ≈ 1/(4γ²)", found, 1 / (4 * gamma), relative=1e-7)


@hard_margin_in_keslers_space.check(
    "soft margin: two violated rivals at the optimum and only then, the values differ; never for k = 2"
)
def values_differ_with_two_violated_rivals(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 10):
        C = float(trade_offs(rng)) / 5
        found, binary = solve_multiclass_svm(X, y, k, C), kesler_svm(X, y, k, C)
        per_rival = np.sort(rival_slacks(as_given(found.point), X, y), axis=1)
        second = per_rival[:, -2].max() if k > 2 else 0
        if second > TINY:
            yield less_than("one slack each < one per rival", found.value, binary.value)
        else:
            yield agree("one slack each ≈ one per rival", found, binary, relative=1e-5)


@hard_margin_in_keslers_space.control(
    "The soft versions can differ: where some example has two violated rivals, the value is {left} with "
    "one slack for each example and {right} with one slack for each rival."
)
def always_one_value() -> Found:
    X, y, k = next(samples(np.random.default_rng(2), 1, fewest=3))
    yield agree("one slack each ≈ one per rival", solve_multiclass_svm(X, y, k, 1.0), kesler_svm(X, y, k, 1.0))


@hard_margin_in_keslers_space.control(
    "Every rival counts: if the binary SVM leaves out one rival of each example, its value is {right} and"
    " no longer that of the multi-class SVM, {left}.",
    story=True,
)
def one_rival_left_out() -> Found:
    X, y = as_integers(np.eye(3, dtype=int)), np.arange(3)
    D = kesler_vectors(X, y, 3)[::2]
    yield agree(
        "value ≈ binary value with a rival left out",
        solve_multiclass_svm(X, y, 3, None),
        solve_binary_primal(D, np.ones(len(D)), None),
    )


number_of_weights = Claim(
    "prp-number-of-weights",
    "identity",
    "exact",
    source="roth-cis519",
    where="comparison slide",
    implements=(n_weights, intrinsic_dimension),
    formula=(Formula("eq-svm-stored-weights", n_weights), Formula("eq-svm-intrinsic-dimension", intrinsic_dimension)),
)


def fitted(k: int, d: int, rng: np.random.Generator) -> tuple[Array, int]:
    """The weights of the SVM trained at once, and how many one-vs-rest has trained."""
    X, y = rng.normal(size=(8 * k, d)), np.arange(8 * k) % k
    at_once = MulticlassSVM(fit_intercept=False, tol=0.1).fit(X, y)
    apart = OneVsRestClassifier(LinearSVM(fit_intercept=False, tol=0.1)).fit(X, y)
    return at_once.coef_, sum(svm.coef_.size for svm in apart.estimators_)


@number_of_weights.check("what is stored, counted in fitted SVMs; the score differences have rank (k − 1) d")
def stored_weights_and_rank_of_differences(rng: np.random.Generator) -> Found:
    for k in range(3, 7):
        for d in range(1, 6):
            coef, apart = fitted(k, d, rng)
            yield equal("weights of the SVM trained at once = k d", coef.size, n_weights(k, d))
            yield equal("weights of one-vs-rest = k d", apart, n_weights(k, d))
            # Differences with the first class at the d unit vectors: a linear map of W, as a matrix.
            axes = as_integers(np.eye(d, dtype=int))
            differences = kesler_vectors(axes, np.zeros(d, dtype=int), k)
            yield equal(
                "(k − 1) d = rank of the score differences", intrinsic_dimension(k, d), rational_rank(differences)
            )
            W, shift = as_given(coef), as_integers(rng.integers(-9, 10, (1, d)))
            apart_by = scores(W + shift, axes) - scores(W, axes)
            yield equal("differences that a common shift changes", int((apart_by != apart_by[:, :1]).sum()), 0)
            yield equal("predictions that it changes", int((predict(W + shift, axes) != predict(W, axes)).sum()), 0)


@number_of_weights.control(
    "Not all $kd$ numbers matter for the predictions: with four classes and three features the score "
    "differences form a space of dimension {left}, not {right}."
)
def all_weights_matter() -> Found:
    axes = as_integers(np.eye(3, dtype=int))
    yield equal(
        "rank of the score differences = k d",
        rational_rank(kesler_vectors(axes, np.zeros(3, dtype=int), 4)),
        n_weights(4, 3),
    )


@number_of_weights.control(
    r"The count $kd$ needs $k\ge3$: for two classes and three features the single classifier of "
    "one-vs-rest stores {left} weights, not {right}."
)
def two_classes() -> Found:
    _, apart = fitted(2, 3, np.random.default_rng(0))
    yield equal("weights of one-vs-rest = k d", apart, n_weights(2, 3), at="k = 2, d = 3")


def signed_roots(signed_squares: Array) -> list[Number]:
    """d from d |d|, as balls."""
    return [(-1 if square < 0 else 1) * ball(abs(square)).sqrt() for square in signed_squares]


multiclass_margin = Claim(
    "prp-why-this-margin",
    "identity",
    "exact",
    source="roth-cis519",
    where="slide asking why this margin",
    implements=signed_squared_distance,
    formula=Formula("eq-svm-signed-distance", signed_squared_distance, over="i", result=signed_roots),
)


@multiclass_margin.check("gap / |W| is the signed distance of the worst Kesler vector, whatever the sign")
def distance_of_the_worst_kesler_vector(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 30):
        W = as_integers(rng.integers(-3, 4, (k, X.shape[1])))
        W[0, 0] += 10
        for i, value in enumerate(signed_squared_distance(W, X, y)):
            D = kesler_vectors(X[i : i + 1], y[i : i + 1], k)
            worst = min(D, key=lambda row: row @ W.ravel())
            share = Fraction(int(worst @ W.ravel()), int(squared(W)))
            foot = worst - share * W.ravel()
            yield equal("⟨W, foot of the perpendicular⟩", foot @ W.ravel(), 0)
            side = 1 if share > 0 else -1 if share < 0 else 0
            yield equal("signed squared distance = that of the foot", value, side * squared(worst - foot))


@multiclass_margin.check("the mistake bound and the hard-margin value are the binary ones there")
def mistake_bound_and_hard_margin_there(rng: np.random.Generator) -> Found:
    for X, y, k in strictly_separable(rng, 20):
        W = best_margin(X, y, k).W
        nearest = signed_squared_distance(W, X, y).min()
        there = mistake_bound(squared_radius(kesler_vectors(X, y, k)), nearest)
        here = mistake_bound(squared_radius(X), squared_margin(W, X, y))
        yield equal("binary bound on Kesler vectors = multi-class bound", there, here)
        scaled = W * Fraction(1, int(score_margins(scores(W, X), y).min()))
        yield equal("|W|² = 1/distance²", squared(scaled), 1 / Fraction(nearest), at="scaled to gap 1")


@multiclass_margin.control(
    "The best score minus the second best is not this margin: for an example that is misclassified the "
    "signed squared distance is {left}, and that difference would give {right}."
)
def best_minus_second_best() -> Found:
    W, X, y = as_integers(np.array([[3, 0], [0, 1], [1, 1]])), as_integers(np.array([[1, 0]])), np.array([1])
    top = sorted(int(v) for v in scores(W, X)[0])[::-1]
    best_two = Fraction((top[0] - top[1]) ** 2, int(squared(W)))
    yield equal("signed squared distance = (best − second best)²/|W|²", signed_squared_distance(W, X, y)[0], best_two)


@multiclass_margin.control(
    "The margin is not the distance from $x$ to the nearest point with another prediction: for one "
    "example in the plane the squared margin is {left}, and the square of that distance {right}."
)
def distance_of_the_example_itself() -> Found:
    W, X, y = as_integers(np.array([[2, 0], [0, 1], [1, 1]])), as_integers(np.array([[3, 1]])), np.array([0])
    apart = min(Fraction(int((W[0] - w) @ X[0]) ** 2, int(squared(W[0] - w))) for w in W[1:])
    yield equal("squared margin = squared distance of x", signed_squared_distance(W, X, y)[0], apart)
