"""What one impurity says of another: entropy given Gini, and Gini given the error."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import sympy

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than, proved
from mcbook.claims.impurities.grids import balls, is_uniform_on, known_entropy, shown, simplex_points
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.rigorous import prove_identity
from mcbook.foundation.types import Number
from mcbook.impurities import entropy, entropy_bound, gini, largest_gini, least_entropy, least_gini, misclassification
from mcbook.impurities.instances import least_mixed_shares, most_mixed_shares
from mcbook.impurities.theory.impurity import Weights

Found = Iterator[Evidence]

chords = Claim(
    "thm-entropy-against-gini",
    "lower bound",
    "exact",
    source="harremoes-topsoe2001",
    where="known from there; the proof is this book's",
    implements=(entropy_bound, least_entropy),
    formula=Formula("eq-entropy-gini", entropy_bound, numbers="balls"),
    symbols=(
        Reading("j", "count", arguments={"n_points": "j"}),
        Reading("G", "probability", arguments={"gini_impurity": "G"}),
    ),
)


@chords.check("every point of the rational simplices and j = 1 … 6; equality only where the statement has it")
def bounds_on_simplices(rng: np.random.Generator) -> Found:
    for counts in simplex_points():
        impurity, uncertainty = ball(gini(counts)), known_entropy(counts)
        if not is_uniform_on(counts):
            yield less_than("largest bound < entropy", least_entropy(impurity), uncertainty)
        for j in range(1, 7):
            if not is_uniform_on(counts, j, j + 1):
                yield less_than("bound < entropy", entropy_bound(impurity, j), uncertainty, at=f"j = {j}")


@chords.check("equality for j and for j + 1 equal weights, j = 1 … 6")
def equality_at_uniform_vectors(rng: np.random.Generator) -> Found:
    weight = sympy.Symbol("a", positive=True)
    for j in range(1, 7):
        for size in (j, j + 1):
            even = [weight] * size
            yield proved(
                "entropy = bound",
                prove_identity(entropy(even), entropy_bound(gini(even), j)),
                at=f"j = {j}, uniform on {size}",
            )


@chords.check("the largest of the bounds is the one between whose ends Gini lies")
def largest_bound(rng: np.random.Generator) -> Found:
    for j in range(1, 6):
        left, right = 1 - Fraction(1, j), 1 - Fraction(1, j + 1)
        impurity = ball((left + right) / 2)
        for other in (i for i in range(1, 7) if i != j):
            yield less_than(
                "bound < largest bound",
                entropy_bound(impurity, other),
                least_entropy(impurity),
                at=f"j = {other}, largest for j = {j}",
            )


@chords.extremal("uniform on j and on j + 1 classes, j = 1 … 6")
def uniform_on_some() -> Found:
    for j in range(1, 7):
        for size in (j, j + 1):
            even = balls(np.array([1] * size, dtype=object))
            yield equal(
                "entropy ≈ bound",
                entropy(even),
                entropy_bound(ball(1 - Fraction(1, size)), j),
                within=1e-12,
                at=f"j = {j}, uniform on {size}",
                statement=True,
            )


def excess(shares: Weights) -> Number:
    """What the entropy is above the bound of j = 2."""
    return entropy(balls(np.array(shares, dtype=object))) - entropy_bound(ball(gini(np.array(shares, dtype=object))), 2)


@chords.trace("j = 2, from the shares (45, 35, 12, 8)/100 down to three equal classes")
def proof_on_four_shares() -> Found:
    beta = 6 * ball(Fraction(3, 2)).log()
    limit = 1 / (2 * beta)
    start, apart, level = (
        [Fraction(n, 100) for n in row] for row in ((45, 35, 12, 8), (45, 35, 20, 0), (40, 40, 20, 0))
    )
    for share in start[2:]:
        yield less_than("share < 1/2β", ball(share), limit, at=f"share {share}")
    for share in start[:2]:
        yield less_than("1/2β < share", limit, ball(share), at=f"share {share}")
    yield less_than("excess < excess before", excess(apart), excess(start), at="two small shares moved apart")
    yield less_than("excess < excess before", excess(level), excess(apart), at="two large shares made equal")
    curve = [[x, x, 1 - 2 * x] for x in (Fraction(n, 30) for n in range(10, 16))]
    heights = [excess(shares) for shares in curve]
    slopes = [after - before for before, after in itertools.pairwise(heights)]
    turns = sum(bool(x < 0) != bool(y < 0) for x, y in itertools.pairwise(slopes))
    yield at_most("changes of direction ≤ 1", turns, 1, at="along (x, x, 1 − 2x)")
    yield less_than("0 < first step of the excess", 0, slopes[0], at="along (x, x, 1 − 2x)")
    for end in (0, -1):
        yield equal("excess ≈ 0", heights[end], 0, within=1e-12, at=f"end {shown(curve[end])}")
    yield less_than("0 < excess", 0, excess(start), at="start")


@chords.strengthened(
    "A bound a thousandth larger is false: three equal classes have an entropy of {left} bits, and it "
    "would ask for {right}.",
    by=Fraction(1001, 1000),
    story=True,
)
def slightly_larger_bound(by: Fraction) -> Found:
    # At a factor 1 both sides are equal there, which balls cannot see; half a thousandth leaves them room.
    allowed = ball(Fraction(9999, 10000)) * ball(by) * entropy_bound(ball(Fraction(2, 3)), 2)
    yield at_least("entropy ≥ bound", entropy(balls(np.array([1, 1, 1], dtype=object))), allowed)


given_error = Claim(
    "prp-gini-given-the-error",
    "upper bound",
    "exact",
    source=("cover-hart1967", "ben-bassat-raviv1978"),
    where="the upper end from the nearest neighbour, the lower end from the entropies of order 2",
    implements=(least_gini, largest_gini),
    formula=(
        Formula("eq-gini-range", least_gini, side="left"),
        Formula("eq-gini-range", largest_gini, where=r"\varepsilon\le1-\frac1k"),
    ),
    symbols=(
        Reading(r"\varepsilon", "probability", arguments={"error": r"\varepsilon"}),
        Reading(r"\nu", means=r"\lfloor\frac{1}{1-\varepsilon}\rfloor"),
    ),
)


@given_error.check("every point of the rational simplices, k = 2 … 5")
def gini_within_its_range(rng: np.random.Generator) -> Found:
    for counts in simplex_points():
        error, found = misclassification(counts), gini(counts)
        yield at_least("Gini ≥ least", found, least_gini(error))
        yield at_most("Gini ≤ largest", found, largest_gini(error, len(counts)))


@given_error.extremal("both ends at random errors, k = 2 … 6")
def both_ends() -> Found:
    for k in range(2, 7):
        for n in range(13):
            error = Fraction(n, 12) * Fraction(k - 1, k)
            for shares, end in (
                (least_mixed_shares(error, k), least_gini(error)),
                (most_mixed_shares(error, k), largest_gini(error, k)),
            ):
                yield equal("error = ε", misclassification(shares), error, at=f"shares {shown(shares)}")
                yield equal("Gini = end of the range", gini(shares), end, at=f"shares {shown(shares)}", statement=True)


@given_error.strengthened(
    "One per cent below the upper end is too little: the node $(9,1)$ has the Gini impurity {left}, "
    "and {right} would be allowed.",
    by=Fraction(99, 100),
    story=True,
)
def upper_end_lower(by: Fraction) -> Found:
    yield at_most("Gini ≤ largest", gini([9, 1]), by * largest_gini(Fraction(1, 10), 2), at="node (9, 1)")


@given_error.strengthened(
    "One per cent above the lower end is too much: the node $(2,2,1)$ has the Gini impurity {left}, less than {right}.",
    by=Fraction(101, 100),
)
def lower_end_higher(by: Fraction) -> Found:
    yield at_least("Gini ≥ least", gini([2, 2, 1]), by * least_gini(Fraction(3, 5)), at="node (2, 2, 1)")
