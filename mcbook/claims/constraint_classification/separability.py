"""The chain of separabilities and its smallest samples."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than
from mcbook.constraint_classification import (
    collinear_sample,
    cyclic_sample,
    kesler_embedding,
    peeling_weights,
    pinwheel_sample,
    separability_chain,
)
from mcbook.constraint_classification.instances import PINWHEEL_MULTIPLIERS
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.proof import Tier
from mcbook.perceptron import (
    gaps,
)

Found = Iterator[Evidence]


def integers(rng: np.random.Generator, shape: tuple[int, ...], largest: int = 3) -> np.ndarray:
    """Small random integers; small, so that ties are common."""
    return as_integers(rng.integers(-largest, largest + 1, shape))


def with_one(points: np.ndarray) -> np.ndarray:
    """The points with a last feature 1, for affine scores."""
    return as_integers(np.c_[points, np.ones(len(points), dtype=int)])


# --- the chain -------------------------------------------------------------------------------------------------------

hierarchy = Claim(
    "thm-separability-hierarchy",
    "existence",
    "exact",
    source="roth-cis519",
    where="slides on expressiveness and the lift",
    errata=("E29",),
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
        yield at_most("one-vs-rest ≤ argmax", levels[0], levels[1])
        yield at_most("argmax ≤ pairwise", levels[1], levels[2])
    yield equal("kinds of samples = 4", len(kinds), 4)


@hierarchy.check("three points on a line: argmax yes, one-vs-rest no, by a multiplier certificate")
def three_on_a_line(rng: np.random.Generator) -> Found:
    X, y = collinear_sample()
    chain = separability_chain(X, y, 3)
    W = as_integers([[-2, -1], [0, 0], [2, -1]])
    yield less_than("0 < smallest gap of the tent", 0, int(gaps(W, X, y).min()))
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
            "0 < smallest distance from the line",
            0,
            int(min(values[y == a].min(), -values[y == b].max())),
            at=f"classes {a + 1} and {b + 1}",
        )
    total = combination(X, y, PINWHEEL_MULTIPLIERS)
    yield equal("|Σ a x_ij|²", int(total @ total), 0)
    yield holds("not separable by an argmax", not chain.by_argmax, Tier.EXACT)


@hierarchy.control(
    "An argmax does not imply one-vs-rest: it separates three points on a line, of which the middle one "
    "cannot be separated from the other two."
)
def backwards_first() -> Found:
    X, y = collinear_sample()
    levels = separability_chain(X, y, 3).levels
    yield at_most("argmax ≤ one-vs-rest", levels[1], levels[0])


@hierarchy.control(
    "Separable pairs do not imply an argmax: in the pinwheel of six points every two classes are "
    "separable, and no argmax separates all three."
)
def backwards_second() -> Found:
    X, y = pinwheel_sample()
    levels = separability_chain(X, y, 3).levels
    yield at_most("pairwise ≤ argmax", levels[2], levels[1])


@hierarchy.control(
    "The multipliers must be exact: with 13 in place of the first 12 the Kesler vectors no longer cancel,"
    " their sum has squared length {left} and not {right}."
)
def a_wrong_multiplier() -> Found:
    X, y = pinwheel_sample()
    total = combination(X, y, PINWHEEL_MULTIPLIERS | {(1, 1): 13})
    yield equal("|Σ a x_ij|²", int(total @ total), 0)


expressive = Claim(
    "prp-argmax-beyond-one-vs-rest",
    "existence",
    "exact",
    source="roth-cis519",
    where="slides on expressiveness",
    implements=(separability_chain, collinear_sample),
    no_formula="an existence statement about finite samples",
)


@expressive.check("samples of an argmax with a class between two others, on a line and in the plane")
def a_class_in_between(rng: np.random.Generator) -> Found:
    X, y = collinear_sample()
    chain = separability_chain(X, y, 3)
    yield equal("separable by an argmax", chain.by_argmax, True, at="the line")
    yield equal("middle class separable from the rest", chain.from_rest[1].solvable, False, at="the line")
    for k in range(3, 6):
        points = as_integers([[z, int(rng.integers(-3, 4))] for z in range(k)])
        points = np.r_[points, points + as_integers([[0, 1]]), points - as_integers([[0, 1]])]
        labels = np.tile(np.arange(k), 3)
        chain = separability_chain(with_one(points), labels, k)
        yield equal("separable by an argmax", chain.by_argmax, True, at=f"{k} columns")
    points = as_integers([[-1, 0], [0, 0], [1, 0], [0, 5], [0, -5]])
    chain = separability_chain(with_one(points), np.array([0, 1, 2, 1, 1]), 3)
    yield equal("separable by one-vs-rest", chain.one_vs_rest, False, at="a strip between two classes")
    yield equal("separable by an argmax", chain.by_argmax, True, at="a strip between two classes")


@expressive.control(
    "With two classes one-vs-rest misses nothing: of all labellings of three points on a line {left} are "
    "separable by an argmax alone, not at least {right}."
)
def not_with_two_classes() -> Found:
    X, _ = collinear_sample()
    found = [separability_chain(X, np.array(labels), 2) for labels in itertools.product((0, 1), repeat=3)]
    difference = sum(one.by_argmax != one.one_vs_rest for one in found)
    yield at_least("labellings that tell them apart ≥ 1", difference, 1)


# --- the smallest samples --------------------------------------------------------------------------------------------

smallest = Claim(
    "prp-minimal-separability-instances",
    "existence",
    "exact",
    source="roth-cis519",
    where="sharper than the slides on expressiveness, not in the source",
    errata=("E29",),
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
                yield less_than("0 < smallest gap of the peeled weights", 0, int(gaps(W, X, y).min()))
                break
    yield at_least("samples that peel ≥ 1", n_peeled, 1)


@smallest.check("no five points in two or three dimensions are pairwise separable and not by an argmax")
def five_points_never(rng: np.random.Generator) -> Found:
    n_pairwise = 0
    for _ in range(25):
        d, k = int(rng.integers(2, 4)), int(rng.integers(3, 5))
        X, y = with_one(integers(rng, (5, d), 4)), rng.permutation([0, 0, 1, 1, 2] if k == 3 else [0, 0, 1, 2, 3])
        chain = separability_chain(X, y, k)
        n_pairwise += chain.pairwise
        yield at_most("pairwise ≤ argmax", chain.pairwise, chain.by_argmax)
    yield at_least("pairwise separable among them ≥ 8", n_pairwise, 8)


@smallest.check("six points that the map (a, b) → (−b, a − b) turns into each other: certificate 1, 1, 1, 2, 2, 2")
def six_cyclic_points(rng: np.random.Generator) -> Found:
    X, y = cyclic_sample()
    chain = separability_chain(X, y, 3)
    yield equal("pairwise − argmax = 1", int(chain.pairwise) - int(chain.by_argmax), 1)
    turned = np.c_[-X[:, 1], X[:, 0] - X[:, 1], X[:, 2]]
    yield equal(
        "points that the map takes to the next class = 6", int((turned == np.roll(X, -2, axis=0)).all(axis=1).sum()), 6
    )
    total = combination(X, y, CYCLIC_MULTIPLIERS)
    yield equal("|Σ a x_ij|²", int(total @ total), 0)


@smallest.check("two points are one against the rest whatever their labels; on a line, pairwise implies argmax")
def nothing_smaller(rng: np.random.Generator) -> Found:
    for a, b in ((-1, 0), (0, 1), (2, -3)):
        chain = separability_chain(with_one(as_integers([[a], [b]])), np.array([0, 1]), 2)
        yield equal("separable by one-vs-rest", chain.one_vs_rest, True, at="two points")
    for _ in range(12):
        chain = separability_chain(with_one(integers(rng, (6, 1), 6)), rng.integers(0, 3, 6), 3)
        yield at_most("pairwise ≤ argmax", chain.pairwise, chain.by_argmax, at="on a line")


@smallest.control(
    "Seven points are not needed: {left} points of the plane, fewer than {right}, are pairwise separable "
    "and not separable by an argmax."
)
def seven_points() -> Found:
    X, y = cyclic_sample()
    chain = separability_chain(X, y, 3)
    counterexample = chain.pairwise and not chain.by_argmax
    yield at_least("points of a counterexample ≥ 7", len(X) if counterexample else 99, 7)


@smallest.control(
    "Peeling is enough but not necessary: nine points in three wedges, each with one near the apex and "
    "two far out, are separable by an argmax, and no order of the classes peels them."
)
def peeling_is_not_necessary() -> Found:
    X = as_integers([[2, 0], [10, 14], [10, -14], [-1, 2], [6, 16], [-18, 3], [-1, -2], [6, -16], [-18, -3]])
    y, W = np.repeat([0, 1, 2], 3), as_integers([[4, 0], [-2, 3], [-2, -3]])
    assert (gaps(W, X, y) > 0).all(), "the wedges do not separate the nine points"
    peels = any(peeling_weights(with_one(X), y, order) is not None for order in itertools.permutations(range(3)))
    yield holds("the nine points peel", peels, Tier.EXACT)
