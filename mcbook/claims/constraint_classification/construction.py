"""Kesler's construction, the two margins and the nearest centre."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, equal, holds, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.constraint_classification import (
    centre_scores,
    constraint_gaps,
    constraint_vectors,
    constraints_from_classes,
    kesler_embedding,
    kesler_sample,
    leading_margin,
    nearest_centre,
    pinwheel_sample,
    separability_chain,
    voronoi_sample,
)
from mcbook.constraint_classification.algorithm.separation import separation_of
from mcbook.constraint_classification.algorithm.svm import solve_constraint_program, solve_lifted_program
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.proof import Tier
from mcbook.perceptron import (
    frobenius_product,
    gaps,
    kesler_vectors,
    mistake_bound,
    predict,
    separability,
    separable_sample,
    squared_margin,
    squared_radius,
)
from mcbook.problem import score_margins

Found = Iterator[Evidence]


def integers(rng: np.random.Generator, shape: tuple[int, ...], largest: int = 3) -> np.ndarray:
    """Small random integers; small, so that ties are common."""
    return as_integers(rng.integers(-largest, largest + 1, shape))


def with_one(points: np.ndarray) -> np.ndarray:
    """The points with a last feature 1, for affine scores."""
    return as_integers(np.c_[points, np.ones(len(points), dtype=int)])


# --- the nearest centre is an argmax ---------------------------------------------------------------------------------

voronoi = Claim(
    "prp-nearest-centre-is-linear",
    "identity",
    "exact",
    source="roth-cis519",
    where="Voronoi slide",
    implements=(nearest_centre, centre_scores),
    no_formula="an equality of two argmax rules, labels and not numbers",
)


@voronoi.check("the nearest centre, found by distances, is the argmax of the affine scores, ties included")
def nearest_is_argmax(rng: np.random.Generator) -> Found:
    n_ties = 0
    for _ in range(60):
        centres, X = integers(rng, (int(rng.integers(2, 7)), 2), 4), integers(rng, (30, 2), 5)
        away = [[sum((a - c) ** 2 for a, c in zip(x, centre, strict=True)) for centre in centres] for x in X]
        first = [line.index(min(line)) for line in away]
        n_ties += sum(line.count(min(line)) > 1 for line in away)
        yield equal("wrong labels of nearest_centre", int((nearest_centre(centres, X) != first).sum()), 0)
        yield equal("wrong labels by the scores", int((predict(centre_scores(centres), with_one(X)) != first).sum()), 0)
    yield at_least("ties among them ≥ 1", n_ties, 1)


@voronoi.check("Voronoi-labelled points off the boundaries are separated by those very scores")
def voronoi_points_are_separable(rng: np.random.Generator) -> Found:
    for _ in range(30):
        centres = integers(rng, (int(rng.integers(2, 6)), 2), 8)
        if len({tuple(c) for c in centres.tolist()}) < len(centres):
            continue
        X, y = voronoi_sample(rng, centres, 40)
        yield less_than("0 < smallest gap", 0, int(gaps(centre_scores(centres), X, y).min()))


@voronoi.strengthened(
    r"The $\frac12$ in $-\frac12\lVert c\rVert^2$ is needed: without it the boundary between two centres moves, "
    "and of two points near the middle {left} gets the wrong label, instead of {right}.",
    by=2,
)
def the_square_without_a_half(factor: int) -> Found:
    centres, X = as_integers([[0, 0], [200, 0]]), as_integers([[99, 3], [101, 3]])
    rows = centre_scores(centres) * np.array([[1, 1, factor]], dtype=object)
    yield equal(
        "labels other than the nearest centre", int((predict(rows, with_one(X)) != nearest_centre(centres, X)).sum()), 0
    )


@voronoi.control(
    "Voronoi-labelled points need not be separable class against rest: of the centres $-1$, 0 and 1, "
    "taken as points, the middle one is not separable from the other two."
)
def voronoi_one_vs_rest() -> Found:
    centres = as_integers([[-1], [0], [1]])
    y = nearest_centre(centres, centres)
    yield holds(
        "every class is separable from the rest", separability_chain(with_one(centres), y, 3).one_vs_rest, Tier.EXACT
    )


# --- the embedding ---------------------------------------------------------------------------------------------------

embedding = Claim(
    "prp-kesler-embedding",
    "identity",
    "exact",
    source="roth-cis519",
    where="Kesler's construction",
    implements=(kesler_embedding, constraint_vectors, constraint_gaps),
    no_formula="a vector put together from blocks; its products and its length are compared in the trial",
)


@embedding.check("products and lengths, on integers; the order is that of the Perceptron's chapter")
def products_and_lengths(rng: np.random.Generator) -> Found:
    for _ in range(40):
        k, d, m = int(rng.integers(2, 6)), int(rng.integers(1, 5)), int(rng.integers(1, 6))
        W, X, y = integers(rng, (k, d), 9), integers(rng, (m, d), 9), rng.integers(0, k, m)
        constraints = constraints_from_classes(y, k)
        vectors = constraint_vectors(X, constraints)
        yield equal("entries other than in kesler_vectors", int((vectors != kesler_vectors(X, y, k)).sum()), 0)
        wrong = vectors @ W.ravel() != constraint_gaps(W, X, constraints)
        yield equal("products w · x_ij other than (w_i − w_j) · x", int(wrong.sum()), 0)
        for p, (e, i, j) in enumerate(
            zip(constraints.examples, constraints.preferred, constraints.rivals, strict=True)
        ):
            yield equal("|x_ij|² = 2 |x|²", int(vectors[p] @ vectors[p]), 2 * int(X[e] @ X[e]))
            same = kesler_embedding(X[e], i, j, k) == vectors[p]
            yield equal("right entries = k d", int(same.sum()), k * d)


@embedding.check("R² / γ² of every separating W is the binary quotient of the vectors, on integers")
def the_same_quotient(rng: np.random.Generator) -> Found:
    for _ in range(20):
        k = int(rng.integers(2, 5))
        X, y = separable_sample(rng, k, 2, 8)
        W = separability(X, y, k).W
        assert W is not None, "a sample with a separating W was called inseparable"
        vectors = constraint_vectors(X, constraints_from_classes(y, k))
        lifted = Fraction(int((vectors @ W.ravel()).min()) ** 2, int(frobenius_product(W, W)))
        direct = mistake_bound(squared_radius(X), squared_margin(W, X, y))
        yield equal("R²/γ² of the Kesler vectors = R²/γ²", mistake_bound(squared_radius(vectors), lifted), direct)


@embedding.strengthened(
    r"The point stands in two blocks: with $\lVert x\rVert^2$ in place of $2\lVert x\rVert^2$ the squared length "
    "of the Kesler vector of $x=(3,4)$ would be {right}, and it is {left}.",
    by=Fraction(1, 2),
)
def one_block_alone(factor: Fraction) -> Found:
    x = as_integers([3, 4])
    v = kesler_embedding(x, 0, 1, 3)
    yield equal("|x_ij|² = 2 |x|²", int(v @ v), factor * 2 * int(x @ x))


@embedding.control(
    "The second block is needed: with $x$ in block $i$ and 0 in block $j$ the product with $w$ would be "
    "{left}, not {right}."
)
def without_the_second_block() -> Found:
    W, x = as_integers([[1, 0], [0, 1]]), as_integers([2, 3])
    alone = np.concatenate([x, 0 * x])
    yield equal(
        "product with one block = with both", int(alone @ W.ravel()), int(kesler_embedding(x, 0, 1, 2) @ W.ravel())
    )


# --- size and symmetry -----------------------------------------------------------------------------------------------


def size_of_sample(n_samples: int, n_classes: int) -> int:
    """The number of lifted examples of so many points of one class."""
    points = as_integers(np.ones((n_samples, 1), dtype=int))
    return len(kesler_sample(points, np.zeros(n_samples, dtype=int), n_classes)[0])


sample_size = Claim(
    "prp-kesler-sample-size",
    "identity",
    "exact",
    source="roth-cis519",
    where="Kesler's construction",
    implements=kesler_sample,
    formula=Formula("eq-kesler-size", size_of_sample),
)


@sample_size.check("2m(k − 1) examples, half of them positive, symmetric about 0 with opposite signs")
def size_and_symmetry(rng: np.random.Generator) -> Found:
    for m, k in itertools.product((1, 2, 5), (2, 3, 6)):
        X, y = integers(rng, (m, 3), 9), rng.integers(0, k, m)
        points, signs = kesler_sample(X, y, k)
        yield equal("size = 2m(k − 1)", len(points), 2 * m * (k - 1), at=f"m = {m}, k = {k}")
        yield equal("sum of the signs", int(signs.sum()), 0, at=f"m = {m}, k = {k}")
        pairs = sorted((*map(int, v), int(s)) for v, s in zip(points, signs, strict=True))
        mirrored = sorted((*map(int, -v), int(-s)) for v, s in zip(points, signs, strict=True))
        yield holds("the mirror image is the sample itself", pairs == mirrored, Tier.EXACT, at=f"m = {m}, k = {k}")


@sample_size.check("a bias separates it only if none does: both decided exactly")
def bias_is_useless(rng: np.random.Generator) -> Found:
    seen = set()
    for _ in range(25):
        k = int(rng.integers(2, 4))
        X, y = integers(rng, (5, 2)), rng.integers(0, k, 5)
        points, signs = kesler_sample(X, y, k)
        without = separation_of(points, signs).solvable
        yield equal("separable with a bias = without", separation_of(with_one(points), signs).solvable, without)
        seen.add(without)
    yield equal("separable or not: cases seen", len(seen), 2)


@sample_size.control(
    "A bias is useless only because the sample is symmetric: two opposite vectors that are both positive "
    "are on one side of a hyperplane with a bias, but of none through the origin."
)
def half_a_sample() -> Found:
    points, signs = kesler_sample(as_integers([[1], [-1]]), np.array([0, 0]), 2)
    points, signs = points[signs > 0], signs[signs > 0]
    with_bias = separation_of(with_one(points), signs).solvable
    yield equal("separable with a bias = without", with_bias, separation_of(points, signs).solvable)


@sample_size.strengthened(
    "A label is not compared with itself: with $2mk$ in place of $2m(k-1)$ two points with three labels would give "
    "{right} examples, and they give {left}.",
    by=Fraction(3, 2),
)
def own_label_among_the_rivals(factor: Fraction) -> Found:
    points, _ = kesler_sample(as_integers([[1], [2]]), np.array([0, 1]), 3)
    yield equal("size = 2m(k − 1)", len(points), factor * 2 * 2 * (3 - 1), at="m = 2, k = 3")


# --- separable here, separable there ---------------------------------------------------------------------------------

equivalence = Claim(
    "thm-kesler-equivalence",
    "equivalence",
    "certified",
    source="roth-cis519",
    where="Kesler's construction",
    errata=("E29",),
    implements=(kesler_sample, separability),
    no_formula="an equivalence of two sets of inequalities",
)


@equivalence.check("argmax-separable exactly when the lifted sample is: separators and multipliers, all in integers")
def both_or_none(rng: np.random.Generator) -> Found:
    seen = []
    for _ in range(25):
        k = int(rng.integers(2, 5))
        X = integers(rng, (int(rng.integers(2, 8)), 2))
        y = rng.integers(0, k, len(X))
        points, signs = kesler_sample(X, y, k)
        lifted, direct = separation_of(points, signs), separability(X, y, k)
        yield equal("separable by an argmax = Kesler sample separable", direct.separable, lifted.solvable)
        if lifted.solution is not None:
            W = np.array(lifted.solution, dtype=object).reshape(k, -1)
            yield less_than("0 < smallest gap of the lifted solution", 0, int(gaps(W, X, y).min()))
        seen.append(direct.separable)
    yield at_least("samples of the rarer kind ≥ 3", min(seen.count(True), seen.count(False)), 3, at="separable or not")


@equivalence.check("by linear program: the hard margin in d dimensions is the one in k d, certified")
def hard_margin_both_ways(rng: np.random.Generator) -> Found:
    for _ in range(4):
        X, y = separable_sample(rng, 3, 2, 6)
        constraints = constraints_from_classes(y, 3)
        direct = solve_constraint_program(X.astype(float), constraints, None)
        lifted = solve_lifted_program(constraint_vectors(X, constraints), None)
        scale = max(1.0, float(direct))
        yield equal("smallest |W|²/2 ≈ the lifted one", direct.value, lifted.value, within=1e-4 * scale)


@equivalence.control(
    "It is not enough that every two classes are separable: they are in the pinwheel of six points, but "
    "its Kesler sample cannot be separated."
)
def pairs_are_not_enough() -> Found:
    X, y = pinwheel_sample()
    yield equal(
        "Kesler sample separable = every two classes separable", separation_of(*kesler_sample(X, y, 3)).solvable, True
    )


# --- two margins -----------------------------------------------------------------------------------------------------

two_margins = Claim(
    "prp-two-multiclass-margins",
    "equivalence",
    "exact",
    source="roth-cis519",
    where="slides on the multi-class margin",
    errata=("E28",),
    implements=(leading_margin, score_margins),
    no_formula="an equality that holds on some examples and not on others; both margins are sorted scores",
)


@two_margins.check("all scores of three labels from 0 to 3, ties included: equal exactly where the label is on top")
def all_small_scores(rng: np.random.Generator) -> Found:
    table = as_integers(list(itertools.product(range(4), repeat=3)))
    for label in range(3):
        y = np.full(len(table), label)
        own, leading = score_margins(table, y), leading_margin(table)
        on_top = np.array([row[label] == max(row) for row in table])
        yield equal(
            "margins agree exactly where the label is on top", int(((own == leading) == on_top).sum()), len(table)
        )
        yield less_than("largest own margin < 0", int(own[~on_top].max()), 0, at="the label is not on top")
        yield at_least("smallest leading margin ≥ 0", int(leading.min()), 0)


@two_margins.control(
    "The two margins differ on an example that is misclassified: for the scores 1, 3, 2 and the first "
    "label the leading margin is {left}, the label's own margin {right}."
)
def agree_everywhere() -> Found:
    scores, y = as_integers([[1, 3, 2]]), np.array([0])
    yield equal("leading margin = own margin", int(leading_margin(scores)[0]), int(score_margins(scores, y)[0]))


@two_margins.control(
    "The margin is over the strongest rival: for the scores 5, 3, 2 the leading margin is {left}, and over the mean of "
    "the other scores it would be {right}."
)
def over_the_mean_of_the_rivals() -> Found:
    scores = as_integers([[5, 3, 2]])
    yield equal("leading margin = best − mean of the others", int(leading_margin(scores)[0]), 5 - Fraction(3 + 2, 2))
