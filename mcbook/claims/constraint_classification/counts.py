"""How many rankings linear scores produce, and how many points they shatter."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from math import factorial

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.constraint_classification import (
    is_shattered,
    is_shattered_on_a_line,
    line_shattering_size,
    line_shatterings,
    plane_ranking_count,
    plane_shattering,
    ranking_count_bound,
    realised_patterns,
)
from mcbook.foundation.numbers import as_integers
from mcbook.foundation.proof import Tier
from mcbook.perceptron import gaps

Found = Iterator[Evidence]


def n_rankings(X: np.ndarray, n_classes: int) -> int:
    return len(realised_patterns(X, n_classes, "rankings"))


# --- rankings --------------------------------------------------------------------------------------------------------

rankings = Claim(
    "prp-number-of-rankings",
    "upper bound",
    "exact",
    source=("roth-cis519", "cover1965"),
    where="sharper than the VC bound slide, not in the sources",
    implements=(ranking_count_bound, plane_ranking_count, realised_patterns),
    formula=Formula("eq-plane-rankings", plane_ranking_count),
)


@rankings.check("complete counts against the bound, on random integer points")
def counts_and_bound(rng: np.random.Generator) -> Found:
    for k, d, m in ((2, 2, 4), (2, 3, 5), (3, 1, 3), (3, 2, 2)):
        X = as_integers(rng.integers(-5, 6, (m, d)))
        X[~X.any(axis=1)] = 1
        yield at_most("tuples ≤ bound", n_rankings(X, k), ranking_count_bound(m, k, d), at=f"k = {k}, d = {d}, m = {m}")


@rankings.check("three labels in the plane: 6, 36, 102 tuples, and never more than the bound")
def three_labels_in_the_plane(rng: np.random.Generator) -> Found:
    points = as_integers([[1, 0], [int(rng.integers(-3, 4)), 1], [5, int(rng.integers(3, 6))]])
    for m in (1, 2, 3):
        yield equal("tuples = 2m(m² + 3m − 1)", n_rankings(points[:m], 3), plane_ranking_count(m), at=f"m = {m}")
    for m in range(1, 60):
        yield at_most("2m(m² + 3m − 1) ≤ bound", plane_ranking_count(m), ranking_count_bound(m, 3, 2), at=f"m = {m}")


@rankings.check("two labels: Cover's count for points in general position")
def cover(rng: np.random.Generator) -> Found:
    for m in range(1, 6):
        X = as_integers([[1, t] for t in range(m)])
        yield equal("tuples = 2m", n_rankings(X, 2), 2 * m, at=f"m = {m}")
        yield equal("bound = 2m", ranking_count_bound(m, 2, 2), 2 * m, at=f"m = {m}")


@rankings.extremal("linearly independent points: (k!)^m, the bound itself")
def independent_points() -> Found:
    for k, m in ((2, 1), (2, 3), (3, 1), (3, 2)):
        X = as_integers(np.eye(m, dtype=int))
        yield equal(
            "tuples = bound", n_rankings(X, k), ranking_count_bound(m, k, m), at=f"k = {k}, m = {m}", statement=True
        )
        yield equal("(k!)^m = bound", factorial(k) ** m, ranking_count_bound(m, k, m), at=f"k = {k}, m = {m}")


@rankings.strengthened(
    "The bound cannot be one less: two independent points with three labels have {left} pairs of "
    "rankings, more than {right}.",
    by=Fraction(35, 36),
)
def one_less(factor: Fraction) -> Found:
    X = as_integers(np.eye(2, dtype=int))
    yield at_most("tuples ≤ bound", n_rankings(X, 3), factor * ranking_count_bound(2, 3, 2))


@rankings.control(
    "The number in the plane is not that of any two points: with three labels $x$ and $2x$ have {left} "
    "pairs of rankings, not {right}."
)
def collinear_points() -> Found:
    X = as_integers([[1, 2], [2, 4]])
    yield equal("tuples = 2m(m² + 3m − 1)", n_rankings(X, 3), plane_ranking_count(2), at="m = 2")


# --- shattered points ------------------------------------------------------------------------------------------------

dimensions = Claim(
    "prp-natarajan-dimensions",
    "upper bound",
    "exact",
    source=("roth-cis519", "natarajan1989"),
    where="sharper than the VC bound slide, exact values not in the sources",
    implements=(line_shattering_size, is_shattered, is_shattered_on_a_line, line_shatterings, plane_shattering),
    formula=Formula("eq-line-shattering", line_shattering_size),
)


@dimensions.check("on the line: a complete search over all options finds 2⌊k/2⌋ points and no more, k = 2 … 5")
def on_the_line(rng: np.random.Generator) -> Found:
    for k in range(2, 6):
        size = line_shattering_size(k)
        found = next(line_shatterings(size, k), None)
        yield holds(f"{size} points are shattered", found is not None, Tier.EXACT, str(found), at=f"k = {k}")
        yield equal(f"ways to shatter {size + 1}", sum(1 for _ in line_shatterings(size + 1, k)), 0, at=f"k = {k}")


@dimensions.check("blocks of labels are what affine scores can do: all labellings of four points by three labels")
def blocks(rng: np.random.Generator) -> Found:
    X = as_integers([[t, 1] for t in (-2, -1, 1, 3)])
    realised = {tuple(z for (z,) in pattern) for pattern in realised_patterns(X, 3)}
    for labels in itertools.product(range(3), repeat=4):
        in_blocks = is_shattered_on_a_line([(z, z) for z in labels])
        yield equal("realised = in blocks", int(labels in realised), int(in_blocks))


@dimensions.check("in the plane: all 2^k choices on k points, in integers, k = 3 … 7")
def in_the_plane(rng: np.random.Generator) -> Found:
    for k in range(3, 8):
        n_right = 0
        for first in itertools.product((True, False), repeat=k):
            X, W, options = plane_shattering(first)
            wanted = np.array([pair[0 if wins else 1] for pair, wins in zip(options, first, strict=True)])
            n_right += int((gaps(W, X, wanted) > 0).sum())
        yield equal("points that come out as chosen = points of all choices", n_right, k * 2**k, at=f"k = {k}")


@dimensions.check("in the plane: not k + 1 points, for k = 2 and 3, whatever the options")
def not_more_in_the_plane(rng: np.random.Generator) -> Found:
    for k, directions in ((2, [[1, 0], [0, 1], [2, -3]]), (3, [[1, 0], [1, 2], [-2, 1], [-1, -3]])):
        pairs = list(itertools.combinations(range(k), 2))
        X = as_integers(directions)
        # The labels may be renamed, so that the first point has the first pair.
        shattered = [o for o in itertools.product(pairs, repeat=k) if is_shattered(X, [(0, 1), *o], k)]
        yield equal(f"options that shatter {k + 1} points", len(shattered), 0, at=f"k = {k}")


@dimensions.extremal("two labels: d = (k − 1) d independent points of R^d are shattered")
def two_labels() -> Found:
    for d in (1, 2, 3):
        X = as_integers(np.eye(d, dtype=int))
        shattered = is_shattered(X, [(0, 1)] * d, 2)
        yield equal(
            "points shattered = (k − 1) d", d if shattered else 0, (2 - 1) * d, at=f"k = 2, d = {d}", statement=True
        )
    yield equal(
        "points shattered = 2⌊k/2⌋",
        len(next(line_shatterings(4, 4))),
        line_shattering_size(4),
        at="the line, k = 4",
        statement=True,
    )


@dimensions.control(
    r"One point more than $2\lfloor k/2\rfloor$ is too many on the line: for four labels a complete search"
    " finds {left} ways to shatter five points, not at least {right}."
)
def one_more_on_the_line() -> Found:
    yield at_least(
        "ways to shatter 2⌊k/2⌋ + 1 points ≥ 1",
        sum(1 for _ in line_shatterings(line_shattering_size(4) + 1, 4)),
        1,
        at="k = 4",
    )


@dimensions.control(
    "The two labels of a point must be different: if they could be the same, {left} points would count as"
    " shattered by two labels, more than {right}."
)
def the_same_label_twice() -> Found:
    shattered = is_shattered_on_a_line([(0, 0)] * 4)
    yield at_most("points that count as shattered ≤ 2⌊k/2⌋", 4 if shattered else 0, line_shattering_size(2))


@dimensions.control(
    "The bound $(k-1)d$ is not always attained: three labels on the line, where $d=2$ with the bias, "
    "shatter {left} points, not {right}."
)
def always_attained() -> Found:
    yield at_least("points ≥ (k − 1) d", line_shattering_size(3), (3 - 1) * 2, at="k = 3, d = 2")
