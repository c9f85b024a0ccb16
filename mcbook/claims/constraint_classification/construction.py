"""Kesler's construction, the chain of separabilities, the two margins and the nearest centre."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.constraint_classification import (
    PINWHEEL_MULTIPLIERS,
    centre_scores,
    collinear_sample,
    constraint_gaps,
    constraint_programme,
    constraint_vectors,
    constraints_from_classes,
    cyclic_sample,
    kesler_embedding,
    kesler_sample,
    leading_margin,
    lifted_programme,
    nearest_centre,
    peeling_weights,
    pinwheel_sample,
    separability_chain,
    separation_of,
    voronoi_sample,
)
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


# --- S.voronoi: the nearest centre is an argmax ----------------------------------------------------------------------

voronoi = Claim(
    "S.voronoi",
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
        yield equal("wrong nearest centres", int((nearest_centre(centres, X) != first).sum()), 0)
        yield equal("wrong by scores", int((predict(centre_scores(centres), with_one(X)) != first).sum()), 0)
    yield at_least("ties among them", n_ties, 1)


@voronoi.check("Voronoi-labelled points off the boundaries are separated by those very scores")
def voronoi_points_are_separable(rng: np.random.Generator) -> Found:
    for _ in range(30):
        centres = integers(rng, (int(rng.integers(2, 6)), 2), 8)
        if len({tuple(c) for c in centres.tolist()}) < len(centres):
            continue
        X, y = voronoi_sample(rng, centres, 40)
        yield less_than("0, smallest gap", 0, int(gaps(centre_scores(centres), X, y).min()))


@voronoi.strengthened("the scores ⟨c, x⟩ − a |c|²/2, a = 1", by=Fraction(101, 100))
def a_larger_square(factor: Fraction) -> Found:
    centres, X = as_integers([[0, 0], [200, 0]]), as_integers([[99, 3], [101, 3]])
    rows = centre_scores(centres) * np.array([[1, 1, factor]], dtype=object)
    yield equal("wrong labels", int((predict(rows, with_one(X)) != nearest_centre(centres, X)).sum()), 0)


@voronoi.control("Voronoi-labelled points are separable class against rest")
def voronoi_one_vs_rest() -> Found:
    centres = as_integers([[-1], [0], [1]])
    y = nearest_centre(centres, centres)
    yield holds("every class from the rest", separability_chain(with_one(centres), y, 3).one_vs_rest, Tier.EXACT)


# --- K.kes: the embedding --------------------------------------------------------------------------------------------

embedding = Claim(
    "K.kes",
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
        yield equal("differs from kesler_vectors", int((vectors != kesler_vectors(X, y, k)).sum()), 0)
        wrong = vectors @ W.ravel() != constraint_gaps(W, X, constraints)
        yield equal("products w · x_ij that are not (w_i − w_j) · x", int(wrong.sum()), 0)
        for p, (e, i, j) in enumerate(
            zip(constraints.examples, constraints.preferred, constraints.rivals, strict=True)
        ):
            yield equal("|x_ij|², 2 |x|²", int(vectors[p] @ vectors[p]), 2 * int(X[e] @ X[e]))
            same = kesler_embedding(X[e], i, j, k) == vectors[p]
            yield equal("entries that are right", int(same.sum()), k * d)


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
        yield equal("R²/γ², lifted and direct", mistake_bound(squared_radius(vectors), lifted), direct)


@embedding.strengthened("the length 2 |x|²", by=Fraction(99, 100))
def a_shorter_vector(factor: Fraction) -> Found:
    x = as_integers([3, 4])
    v = kesler_embedding(x, 0, 1, 3)
    yield at_most("|x_ij|²", int(v @ v), factor * 2 * int(x @ x))


@embedding.control("x in block i alone, without −x in block j, has the same products")
def without_the_second_block() -> Found:
    W, x = as_integers([[1, 0], [0, 1]]), as_integers([2, 3])
    alone = np.concatenate([x, 0 * x])
    yield equal("product", int(alone @ W.ravel()), int(kesler_embedding(x, 0, 1, 2) @ W.ravel()))


# --- K.count: size and symmetry --------------------------------------------------------------------------------------


def size_of_sample(n_samples: int, n_classes: int) -> int:
    """The number of lifted examples of so many points of one class."""
    points = as_integers(np.ones((n_samples, 1), dtype=int))
    return len(kesler_sample(points, np.zeros(n_samples, dtype=int), n_classes)[0])


sample_size = Claim("K.count", implements=kesler_sample, formula=Formula("eq-kesler-size", size_of_sample))


@sample_size.check("2m(k − 1) examples, half of them positive, symmetric about 0 with opposite signs")
def size_and_symmetry(rng: np.random.Generator) -> Found:
    for m, k in itertools.product((1, 2, 5), (2, 3, 6)):
        X, y = integers(rng, (m, 3), 9), rng.integers(0, k, m)
        points, signs = kesler_sample(X, y, k)
        yield equal("size", len(points), 2 * m * (k - 1))
        yield equal("sum of the signs", int(signs.sum()), 0)
        pairs = sorted((*map(int, v), int(s)) for v, s in zip(points, signs, strict=True))
        mirrored = sorted((*map(int, -v), int(-s)) for v, s in zip(points, signs, strict=True))
        yield holds("the mirror image is the sample itself", pairs == mirrored, Tier.EXACT)


@sample_size.check("a bias separates it only if none does: both decided exactly")
def bias_is_useless(rng: np.random.Generator) -> Found:
    seen = set()
    for _ in range(25):
        k = int(rng.integers(2, 4))
        X, y = integers(rng, (5, 2)), rng.integers(0, k, 5)
        points, signs = kesler_sample(X, y, k)
        without = separation_of(points, signs).solvable
        yield equal("separable with a bias", separation_of(with_one(points), signs).solvable, without)
        seen.add(without)
    yield equal("both cases occur", len(seen), 2)


@sample_size.control("a bias is useless on the positive half alone")
def half_a_sample() -> Found:
    points, signs = kesler_sample(as_integers([[1], [-1]]), np.array([0, 0]), 2)
    half = points[signs > 0], signs[signs > 0]
    with_bias = separation_of(with_one(half[0]), half[1]).solvable
    yield equal("separable with a bias, without", with_bias, separation_of(*half).solvable)


@sample_size.strengthened("2m(k − 1)", by=Fraction(101, 100))
def one_percent_more(factor: Fraction) -> Found:
    points, _ = kesler_sample(as_integers([[1], [2]]), np.array([0, 1]), 3)
    yield at_least("size", len(points), factor * 8)


# --- K.equiv: separable here, separable there ------------------------------------------------------------------------

equivalence = Claim(
    "K.equiv", implements=(kesler_sample, separability), no_formula="an equivalence of two sets of inequalities"
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
        yield equal("separable, both ways", direct.separable, lifted.solvable)
        if lifted.solution is not None:
            W = np.array(lifted.solution, dtype=object).reshape(k, -1)
            yield less_than("0, smallest gap of the lifted solution", 0, int(gaps(W, X, y).min()))
        seen.append(direct.separable)
    yield at_least("separable, inseparable: the rarer", min(seen.count(True), seen.count(False)), 3)


@equivalence.check("by linear programme: the hard margin in d dimensions is the one in k d, certified")
def hard_margin_both_ways(rng: np.random.Generator) -> Found:
    for _ in range(4):
        X, y = separable_sample(rng, 3, 2, 6)
        constraints = constraints_from_classes(y, 3)
        direct = constraint_programme(X.astype(float), constraints, None)
        lifted = lifted_programme(constraint_vectors(X, constraints), None)
        scale = max(1.0, float(direct))
        yield equal("smallest |W|²/2, lifted and direct", direct.value, lifted.value, within=1e-4 * scale)


@equivalence.control("separability of every pair of classes is enough")
def pairs_are_not_enough() -> Found:
    X, y = pinwheel_sample()
    yield equal("lifted sample separable", separation_of(*kesler_sample(X, y, 3)).solvable, True)


# --- K.hier, K.expr: the chain ---------------------------------------------------------------------------------------

hierarchy = Claim(
    "K.hier",
    implements=(separability_chain, pinwheel_sample, collinear_sample),
    no_formula="implications between notions of separability, and two finite samples",
)


def combination(X: np.ndarray, y: np.ndarray, multipliers: dict[tuple[int, int], int]) -> np.ndarray:
    """The sum of the Kesler vectors of (point, rival), each times its multiplier."""
    total = np.zeros(3 * X.shape[1], dtype=object)
    for (point, rival), weight in multipliers.items():
        total = total + weight * kesler_embedding(X[point], int(y[point]), rival, 3)
    return total


@hierarchy.check("every sample is one of four kinds: none of the implications fails, and each kind occurs")
def implications(rng: np.random.Generator) -> Found:
    kinds = {separability_chain(X, y, 3).levels for X, y in (collinear_sample(), pinwheel_sample())}
    for _ in range(20):
        n = int(rng.integers(3, 9))
        X, y = with_one(integers(rng, (n, 2), 3)), rng.integers(0, 3, n)
        levels = separability_chain(X, y, 3).levels
        kinds.add(levels)
        yield at_most("one-vs-rest, argmax", levels[0], levels[1])
        yield at_most("argmax, pairwise", levels[1], levels[2])
    yield equal("kinds", len(kinds), 4)


@hierarchy.check("three points on a line: argmax yes, one-vs-rest no, by a multiplier certificate")
def three_on_a_line(rng: np.random.Generator) -> Found:
    X, y = collinear_sample()
    chain = separability_chain(X, y, 3)
    W = as_integers([[-2, -1], [0, 0], [2, -1]])
    yield less_than("0, smallest gap of the tent", 0, int(gaps(W, X, y).min()))
    middle = chain.from_rest[1]
    assert middle.multipliers is not None, "the middle class was called separable from the rest"
    signed = np.array([[-1], [1], [-1]], dtype=object) * X
    yield equal("|Σ a x|² of the middle class", squared_sum(middle.multipliers, signed), 0)
    yield holds("one-vs-rest, argmax, pairwise", chain.levels == (False, True, True), Tier.EXACT, str(chain.levels))


def squared_sum(multipliers: tuple[int, ...], rows: np.ndarray) -> int:
    total = np.array(multipliers, dtype=object) @ rows
    return int(total @ total)


@hierarchy.check("six points: every pair separable, and multipliers 1, 3, 12, 4, 24, 15, 12 that exclude an argmax")
def six_points(rng: np.random.Generator) -> Found:
    X, y = pinwheel_sample()
    chain = separability_chain(X, y, 3)
    for (a, b), found in chain.pairs.items():
        assert found.solution is not None, f"the classes {a} and {b} were called inseparable"
        values = X @ np.array(found.solution, dtype=object)
        yield less_than(
            f"classes {a + 1}, {b + 1}: 0, smallest value", 0, int(min(values[y == a].min(), -values[y == b].max()))
        )
    total = combination(X, y, PINWHEEL_MULTIPLIERS)
    yield equal("|Σ a x_ij|²", int(total @ total), 0)
    yield holds("separable by an argmax", not chain.by_argmax, Tier.EXACT, "no")


@hierarchy.control("argmax-separable implies one-vs-rest: three points on a line")
def backwards_first() -> Found:
    X, y = collinear_sample()
    levels = separability_chain(X, y, 3).levels
    yield at_most("argmax, one-vs-rest", levels[1], levels[0])


@hierarchy.control("pairwise implies argmax: the six points")
def backwards_second() -> Found:
    X, y = pinwheel_sample()
    levels = separability_chain(X, y, 3).levels
    yield at_most("pairwise, argmax", levels[2], levels[1])


@hierarchy.control("the multipliers with 13 in place of the first 12")
def a_wrong_multiplier() -> Found:
    X, y = pinwheel_sample()
    total = combination(X, y, PINWHEEL_MULTIPLIERS | {(1, 1): 13})
    yield equal("|Σ a x_ij|²", int(total @ total), 0)


expressive = Claim(
    "K.expr",
    implements=(separability_chain, collinear_sample),
    no_formula="an existence statement about finite samples",
)


@expressive.check("samples of an argmax with a class between two others, on a line and in the plane")
def a_class_in_between(rng: np.random.Generator) -> Found:
    X, y = collinear_sample()
    chain = separability_chain(X, y, 3)
    yield equal("the line: separable by an argmax", chain.by_argmax, True)
    yield equal("the line: middle class from the rest", chain.from_rest[1].solvable, False)
    for k in range(3, 6):
        points = as_integers([[z, int(rng.integers(-3, 4))] for z in range(k)])
        points = np.r_[points, points + as_integers([[0, 1]]), points - as_integers([[0, 1]])]
        labels = np.tile(np.arange(k), 3)
        chain = separability_chain(with_one(points), labels, k)
        yield equal(f"{k} columns: separable by an argmax", chain.by_argmax, True)
    points = as_integers([[-1, 0], [0, 0], [1, 0], [0, 5], [0, -5]])
    chain = separability_chain(with_one(points), np.array([0, 1, 2, 1, 1]), 3)
    yield equal("a strip between two classes: one-vs-rest", chain.one_vs_rest, False)
    yield equal("a strip between two classes: argmax", chain.by_argmax, True)


@expressive.control("two classes: the argmax separates and one-vs-rest does not")
def not_with_two_classes() -> Found:
    X, _ = collinear_sample()
    found = [separability_chain(X, np.array(labels), 2) for labels in itertools.product((0, 1), repeat=3)]
    difference = sum(one.by_argmax != one.one_vs_rest for one in found)
    yield at_least("labellings of the line that tell them apart", difference, 1)


# --- K.min: the smallest samples -------------------------------------------------------------------------------------

smallest = Claim(
    "K.min",
    implements=(peeling_weights, separability_chain, cyclic_sample),
    no_formula="existence of finite samples, and an order of the classes that is found by a procedure",
)

CYCLIC_MULTIPLIERS = {(0, 1): 1, (2, 2): 1, (4, 0): 1, (1, 2): 2, (3, 0): 2, (5, 1): 2}


@smallest.check("peeling gives an argmax rule, in integers")
def peeled_samples(rng: np.random.Generator) -> Found:
    n_peeled = 0
    k = 3
    for _ in range(12):
        X, y = with_one(integers(rng, (7, 2), 6)), rng.integers(0, k, 7)
        if len(set(y.tolist())) < k:
            continue
        for order in itertools.permutations(range(k)):
            W = peeling_weights(X, y, order)
            if W is not None:
                n_peeled += 1
                yield less_than("0, smallest gap of the peeled weights", 0, int(gaps(W, X, y).min()))
                break
    yield at_least("samples that peel", n_peeled, 1)


@smallest.check("no five points in two or three dimensions are pairwise separable and not by an argmax")
def five_points_never(rng: np.random.Generator) -> Found:
    n_pairwise = 0
    for _ in range(25):
        d, k = int(rng.integers(2, 4)), int(rng.integers(3, 5))
        X, y = with_one(integers(rng, (5, d), 4)), rng.permutation([0, 0, 1, 1, 2] if k == 3 else [0, 0, 1, 2, 3])
        chain = separability_chain(X, y, k)
        n_pairwise += chain.pairwise
        yield at_most("pairwise, argmax", chain.pairwise, chain.by_argmax)
    yield at_least("pairwise separable among them", n_pairwise, 8)


@smallest.check("six points that the map (a, b) → (−b, a − b) turns into each other: certificate 1, 1, 1, 2, 2, 2")
def six_cyclic_points(rng: np.random.Generator) -> Found:
    X, y = cyclic_sample()
    chain = separability_chain(X, y, 3)
    yield equal("pairwise, argmax", (int(chain.pairwise) - int(chain.by_argmax)), 1)
    turned = np.c_[-X[:, 1], X[:, 0] - X[:, 1], X[:, 2]]
    yield equal(
        "points that the map takes to the next class", int((turned == np.roll(X, -2, axis=0)).all(axis=1).sum()), 6
    )
    total = combination(X, y, CYCLIC_MULTIPLIERS)
    yield equal("|Σ a x_ij|²", int(total @ total), 0)


@smallest.check("two points are one against the rest whatever their labels; on a line, pairwise implies argmax")
def nothing_smaller(rng: np.random.Generator) -> Found:
    for a, b in ((-1, 0), (0, 1), (2, -3)):
        chain = separability_chain(with_one(as_integers([[a], [b]])), np.array([0, 1]), 2)
        yield equal("two points: one-vs-rest", chain.one_vs_rest, True)
    for _ in range(12):
        chain = separability_chain(with_one(integers(rng, (6, 1), 6)), rng.integers(0, 3, 6), 3)
        yield at_most("on a line: pairwise, argmax", chain.pairwise, chain.by_argmax)


@smallest.control("at least 7 points")
def seven_points() -> Found:
    X, y = cyclic_sample()
    chain = separability_chain(X, y, 3)
    counterexample = chain.pairwise and not chain.by_argmax
    yield at_least("points of a counterexample", len(X) if counterexample else 99, 7)


@smallest.control("peeling is necessary: three wedges, each with a point near the apex and two far along its sides")
def peeling_is_not_necessary() -> Found:
    X = as_integers([[2, 0], [10, 14], [10, -14], [-1, 2], [6, 16], [-18, 3], [-1, -2], [6, -16], [-18, -3]])
    y, W = np.repeat([0, 1, 2], 3), as_integers([[4, 0], [-2, 3], [-2, -3]])
    assert (gaps(W, X, y) > 0).all(), "the wedges do not separate the nine points"
    peels = any(peeling_weights(with_one(X), y, order) is not None for order in itertools.permutations(range(3)))
    yield holds("the nine points peel", peels, Tier.EXACT)


# --- K.marg: two margins ---------------------------------------------------------------------------------------------

two_margins = Claim(
    "K.marg",
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
        yield equal("examples where both agree exactly on top", int(((own == leading) == on_top).sum()), len(table))
        yield less_than("elsewhere: largest own margin, 0", int(own[~on_top].max()), 0)
        yield at_least("smallest leading margin", int(leading.min()), 0)


@two_margins.control("they agree on every example")
def agree_everywhere() -> Found:
    scores, y = as_integers([[1, 3, 2]]), np.array([0])
    yield equal("leading margin, own margin", int(leading_margin(scores)[0]), int(score_margins(scores, y)[0]))


@two_margins.strengthened("the leading margin of a right example is its own margin", by=Fraction(99, 100))
def shrunken_margin(factor: Fraction) -> Found:
    scores, y = as_integers([[5, 3, 2]]), np.array([0])
    yield equal("margins", factor * leading_margin(scores)[0], int(score_margins(scores, y)[0]))
