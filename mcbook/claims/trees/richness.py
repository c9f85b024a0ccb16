"""How rich trees are: their VC-dimension, and how many labellings they give."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Array
from mcbook.trees import (
    fewest_errors,
    labellings_at_most,
    threshold_questions,
    vc_at_least,
    vc_at_most,
    vc_of_boolean_stumps,
)
from mcbook.trees.kernels.shattering import shattered

Found = Iterator[Evidence]

richness = Claim(
    "thm-vc-dimension-of-trees",
    "growth rate",
    "exact",
    source=("mohri2018", "lecture13"),
    where="Exercise 9.5; Remark 7",
    errata=("E21",),
    implements=(vc_of_boolean_stumps, vc_at_least, vc_at_most, labellings_at_most),
    formula=(
        Formula("eq-vc-boolean-stumps", vc_of_boolean_stumps),
        Formula("eq-vc-at-least", vc_at_least, where="a<d"),
        Formula("eq-tree-labellings", labellings_at_most),
    ),
    symbols=(
        Reading("a", "count", arguments={"n_levels": "a"}),
        Reading("n", "count", arguments={"n_questions": "n"}),
        Reading("m", "count", arguments={"n_points": "m"}),
    ),
)


def boolean_stumps_shatter(n_points: int, n_features: int) -> bool:
    """Whether some points of {0, 1}^d get every labelling from one question; features are columns, up to complement."""
    columns = [column for column in itertools.product((0, 1), repeat=n_points) if column[0] == 0 and any(column)]
    needed = len(columns)
    return any(len(set(chosen)) == needed for chosen in itertools.combinations_with_replacement(columns, n_features))


@richness.check("one question on d binary features, d to 4 and d = 7: all sets of points")
def boolean_stumps(rng: np.random.Generator) -> Found:
    for d in (1, 2, 3, 4):
        largest = max(m for m in range(1, 5) if boolean_stumps_shatter(m, d))
        yield equal("most points shattered = ⌊log₂(d + 1)⌋ + 1", largest, vc_of_boolean_stumps(d), at=f"d = {d}")
    yield holds("seven features shatter four points", boolean_stumps_shatter(4, 7), Tier.EXACT)
    yield equal("⌊log₂ 8⌋ + 1 = 4", vc_of_boolean_stumps(7), 4)


def addressed_points(n_levels: int, n_features: int) -> Array:
    """For each address in the first a bits a group of points that one question on the other bits shatters."""
    rest = n_features - n_levels
    size = vc_of_boolean_stumps(rest)
    columns = [c for c in itertools.product((0, 1), repeat=size) if c[0] == 0 and any(c)][:rest]
    group = np.array(columns + [(0,) * size] * (rest - len(columns))).T
    return np.array([[*address, *x] for address in itertools.product((0, 1), repeat=n_levels) for x in group])


def are_shattered(X: Array, n_questions: int) -> bool:
    """Whether trees with so many thresholds give the points every labelling; turned around, a labelling is as easy."""
    questions = threshold_questions(X)
    labellings = itertools.product((0, 1), repeat=len(X) - 1)
    return all(fewest_errors(X, np.array([0, *rest]), questions, n_questions) == 0 for rest in labellings)


@richness.check("2^(a + 1) − 1 questions on d binary features: the points with addresses get every labelling")
def groups_with_addresses(rng: np.random.Generator) -> Found:
    for a, d in ((0, 3), (1, 2), (1, 3), (1, 4), (2, 3)):
        X = addressed_points(a, d)
        yield equal("points = 2^a (⌊log₂(d − a + 1)⌋ + 1)", len(X), vc_at_least(a, d), at=f"a = {a}, d = {d}")
        yield holds("trees give them every labelling", are_shattered(X, 2 ** (a + 1) - 1), Tier.EXACT)


@functools.cache
def most_shattered(n_questions: int) -> int:
    """How many of the eight points with three binary features trees with that many questions shatter at most."""
    cube = np.array(list(itertools.product((0, 1), repeat=3)))
    subsets = {m: itertools.combinations(range(8), m) for m in range(1, 9)}
    # Points of a set that is shattered are shattered.
    shattering = (any(are_shattered(cube[list(some)], n_questions) for some in of_size) for of_size in subsets.values())
    return sum(itertools.takewhile(bool, shattering))


@richness.check("two and three questions on three binary features: all sets of points")
def trees_on_three_bits(rng: np.random.Generator) -> Found:
    for n, dimension in ((2, 4), (3, 5)):
        yield equal(f"most points shattered = {dimension}", most_shattered(n), dimension, at=f"n = {n}")


@richness.check(
    "shapes, features, sizes and labels counted one question after another, and true labellings of few points"
)
def labellings_are_counted(rng: np.random.Generator) -> Found:
    @functools.cache
    def trees(n: int, m: int, d: int) -> int:
        """Of n questions on d features, by the number of questions and points on the left of the first."""
        below = (trees(i, s, d) * trees(n - 1 - i, m - s, d) for i in range(n) for s in range(m + 1))
        return d * sum(below) if n else 2

    for n, m, d in itertools.product((1, 2, 3, 4), (1, 4, 7), (1, 2, 3)):
        yield equal("trees = the bound", trees(n, m, d), labellings_at_most(m, n, d), at=f"n = {n}, m = {m}, d = {d}")
    for n, m in ((1, 5), (2, 6), (3, 7)):
        X = np.stack([np.arange(m), rng.permutation(m)], axis=1)
        labels = (np.array([0, *rest]) for rest in itertools.product((0, 1), repeat=m - 1))
        found = 2 * sum(fewest_errors(X, y, threshold_questions(X), n) == 0 for y in labels)
        yield at_most("labellings ≤ the bound", found, labellings_at_most(m, n, 2), at=f"n = {n}, m = {m}")


@richness.check("n thresholds on a line, n to 5: every labelling of n + 1 points, and not the alternating one of n + 2")
def thresholds_on_a_line(rng: np.random.Generator) -> Found:
    for n in range(1, 6):
        more = np.arange(n + 2)[:, None]
        yield holds("trees give n + 1 points every labelling", are_shattered(more[1:], n), Tier.EXACT, at=f"n = {n}")
        errors = fewest_errors(more, np.arange(n + 2) % 2, threshold_questions(more), n)
        yield at_least("errors on the alternating labels of n + 2 points ≥ 1", errors, 1, at=f"n = {n}")
        yield at_most("VC-dimension n + 1 ≤ the counted bound", n + 1, vc_at_most(n, 1))


def shattered_orders(n_questions: int) -> list[int]:
    """How many orders of 1, 2, ... points of the plane are shattered, until none is; each extends one that is."""
    level: list[tuple[int, ...]] = [()]
    found: list[int] = []
    while level:
        m = len(found)
        longer = [(*(h + (h >= top) for h in order), top) for order in level for top in range(m + 1)]
        level = [order for order in longer if shattered(np.array(order), n_questions)]
        found.append(len(level))
    return found[:-1]


@richness.check("trees in the plane with one, two and three questions: all orders of points, up to the first that fail")
def trees_in_the_plane(rng: np.random.Generator) -> Found:
    for n, dimension in ((1, 3), (2, 5), (3, 8)):
        found = shattered_orders(n)
        yield equal(f"VC-dimension = {dimension}", len(found), dimension, at=f"n = {n}")
        yield at_most("VC-dimension ≤ the counted bound", len(found), vc_at_most(n, 2))
    yield equal("orders of eight points that three questions shatter = 34", found[-1], 34)


@richness.extremal("boolean stumps attain the bound by their number: ⌊log₂(2d + 2)⌋ for every d")
def as_many_as_their_number_allows() -> Found:
    for d in (1, 2, 3, 7, 15, 100):
        yield equal(
            "⌊log₂(d + 1)⌋ + 1 = ⌊log₂(2d + 2)⌋", vc_of_boolean_stumps(d), (2 * d + 2).bit_length() - 1, at=f"d = {d}"
        )
    for d in (1, 2, 3):
        most = max(m for m in range(1, 5) if boolean_stumps_shatter(m, d))
        yield at_least("points shattered ≥ ⌊log₂(d + 1)⌋ + 1", most, vc_at_least(0, d), at=f"d = {d}", statement=True)


@richness.trace("five points of the plane and two questions")
def counting_five_points() -> Found:
    labellings = sum(1 for _ in itertools.product((0, 1), repeat=5))
    yield at_most("labellings of five points ≤ Cat(2) 2² C(7, 2) 2³", labellings, labellings_at_most(5, 2, 2))
    m = vc_at_most(2, 2)
    yield at_least(
        "labellings allowed of the most points m that the bound permits ≥ 2^m", labellings_at_most(m, 2, 2), 2**m
    )
    yield at_most(
        "labellings allowed of m + 1 points ≤ 2^(m + 1) − 1", labellings_at_most(m + 1, 2, 2), 2 ** (m + 1) - 1
    )


@richness.control(
    "The condition $d\\ge2$ is needed: with a single feature $n\\log d$ is {right}, and yet one question "
    "shatters {left} points."
)
def one_feature() -> Found:
    yield at_most("VC-dimension of a stump on one feature ≤ n log₂ d", vc_of_boolean_stumps(1), 0)


@richness.control(
    "The address takes a feature of its own: if it took none, three questions on three binary features "
    "would shatter {right} points, and they shatter only {left}.",
)
def addresses_for_nothing() -> Found:
    yield at_least("points shattered ≥ 2 (⌊log₂ 4⌋ + 1)", most_shattered(3), 2 * vc_of_boolean_stumps(3))
