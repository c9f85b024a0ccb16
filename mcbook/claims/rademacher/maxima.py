"""The lemma on maxima, the identities of its proof, and the projected class."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import flint
import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than
from mcbook.claims.rademacher.tools import random_class
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Ball, Scalar
from mcbook.rademacher import (
    all_patterns,
    block_class,
    combined_class,
    exact_complexity,
    maxima_bound,
    maxima_class,
    maximum_by_absolute_value,
    minima_class,
    products_class,
    projected_class,
    projection_bound,
)

Found = Iterator[Evidence]
Table = np.ndarray


def complexities(families: list[Table]) -> list[Scalar]:
    return [exact_complexity(family) for family in families]


def random_families(rng: np.random.Generator, count: int) -> Iterator[list[Table]]:
    for _ in range(count):
        n_samples = int(rng.integers(2, 9))
        yield [random_class(rng, int(rng.integers(2, 5)), n_samples) for _ in range(int(rng.integers(2, 5)))]


maxima = Claim(
    "lem-rademacher-of-maxima",
    "upper bound",
    "exact",
    source="mohri2018",
    where="Lemma 9.1",
    implements=(maxima_bound, maxima_class),
    formula=Formula("eq-maxima", maxima_bound),
    symbols=(
        Reading("l", "count"),
        Reading(
            r"\widehat{\mathfrak R}_S(\mathcal F_j)",
            "nonnegative",
            slots=("j",),
            shape=("l",),
            arguments={"complexities": r"\widehat{\mathfrak R}_S(\mathcal F_j)"},
        ),
    ),
)


@maxima.check("random families of integers: maxima and minima, all signs, the whole class of combinations")
def random_families_of_integers(rng: np.random.Generator) -> Found:
    for families in random_families(rng, 80):
        limit = maxima_bound(*complexities(families))
        yield at_most("complexity of the maxima ≤ sum", exact_complexity(maxima_class(*families)), limit)
        minima = minima_class(*families)
        yield at_most("complexity of the minima ≤ sum", exact_complexity(minima), limit)
        negatives = -maxima_class(*(-family for family in families))
        yield holds("minima are negatives of maxima of negatives", bool((minima == negatives).all()), Tier.EXACT)


@maxima.check("when not all combinations are allowed, the class is smaller still")
def when_not_all_combinations_are_allowed_the_class(rng: np.random.Generator) -> Found:
    for _ in range(60):
        scores = rng.integers(-4, 5, (4, 6, 3))
        families = [scores[:, :, label] for label in range(3)]
        yield at_most(
            "complexity of the best scores ≤ sum",
            exact_complexity(scores.max(axis=2)),
            maxima_bound(*complexities(families)),
        )


@maxima.extremal("the block class: equality with all terms positive, for one to four families")
def the_block_class() -> Found:
    for n_families, block in ((1, 3), (2, 1), (2, 3), (3, 2), (4, 2)):
        families = block_class(n_families, block)
        parts = complexities(families)
        whole = exact_complexity(maxima_class(*families))
        at = f"l = {n_families}, blocks of {block}"
        yield equal("complexity of the maxima = sum", whole, maxima_bound(*parts), at=at, statement=True)
        yield equal("complexity of the maxima = 1", whole, 1, at=at)
        yield equal("complexity of each family = 1/l", parts[0], Fraction(1, n_families), at=at)


@maxima.trace("two families of two functions on three points, then a third family")
def two_families_of_two_functions_on_three_points() -> Found:
    F, G = np.array([[2, -1, 0], [-1, 1, 1]]), np.array([[0, 1, -2], [1, -2, 2]])
    yield from lines_of_the_proof(F, G)
    H = np.array([[1, 0, 0], [-1, 2, -1]])
    nested = maxima_class(F, maxima_class(G, H))
    yield equal(
        "R(max(f, g, h)) = R(max(f, max(g, h)))",
        exact_complexity(maxima_class(F, G, H)),
        exact_complexity(nested),
        at="three families",
    )
    step = maxima_bound(exact_complexity(F), exact_complexity(maxima_class(G, H)))
    yield at_most(
        "R(max(f, max(g, h))) ≤ R(F) + R(max(g, h))", exact_complexity(nested), step, at="two families at a time"
    )
    yield at_most(
        "R(F) + R(max(g, h)) ≤ R(F) + R(G) + R(H)", step, maxima_bound(*complexities([F, G, H])), at="and again"
    )


@maxima.control(
    "The largest complexity cannot replace the sum: on the block class of two families the maxima have "
    "the complexity {left}, and each of the families has {right}.",
    story=True,
)
def the_largest_complexity_in_place_of_the_sum() -> Found:
    families = block_class(2, 1)
    yield at_most(
        "complexity of the maxima ≤ largest", exact_complexity(maxima_class(*families)), max(complexities(families))
    )


@maxima.strengthened(
    "The sum cannot be a thousandth smaller: for three families on blocks of two points the maxima have "
    "the complexity {left}, more than {right}.",
    by=Fraction(999, 1000),
)
def the_sum(factor: int | Fraction) -> Found:
    families = block_class(3, 2)
    limit = maxima_bound(*complexities(families)) * factor
    yield at_most("complexity of the maxima ≤ sum", exact_complexity(maxima_class(*families)), limit)


@maxima.control(
    "Products do not obey the lemma: two families, each with the values −3 and 3 on one point, have "
    "products of complexity {left}, more than the sum {right}."
)
def products_in_place_of_maxima() -> Found:
    families = [np.array([[-3], [3]]), np.array([[-3], [3]])]
    yield at_most(
        "complexity of the products ≤ sum",
        exact_complexity(products_class(*families)),
        maxima_bound(*complexities(families)),
    )


# --- the identities of the proof -------------------------------------------------------------------------------------

identities = Claim(
    "prp-maxima-proof-identities",
    "identity",
    "exact",
    source="mohri2018",
    where="§9.2, (9.7)–(9.9)",
    implements=(maximum_by_absolute_value, combined_class),
    formula=(
        Formula("eq-maximum", maximum_by_absolute_value, side="left"),
        Formula("eq-maximum", maximum_by_absolute_value),
    ),
    symbols=(
        Reading("a", "real", arguments={"a": "a"}),
        Reading("b", "real", arguments={"b": "b"}),
    ),
)


def lines_of_the_proof(F: Table, G: Table) -> Found:
    """The chain from the complexity of the maxima to the sum, each line at most the next."""
    first, second = exact_complexity(F), exact_complexity(G)
    halves = combined_class(lambda f, g: 2 * maximum_by_absolute_value(f, g), F, G)
    distances = exact_complexity(combined_class(lambda f, g: abs(f - g), F, G))
    differences = exact_complexity(combined_class(lambda f, g: f - g, F, G))
    half = Fraction(1, 2)
    line_1 = exact_complexity(maxima_class(F, G))
    line_2 = half * exact_complexity(halves.astype(int))
    line_3 = half * first + half * second + half * distances
    line_4 = half * first + half * second + half * differences
    line_5 = half * first + half * second + half * first + half * exact_complexity(-G)
    yield equal("R(max(f, g)) = ½ R(f + g + |f − g|)", line_1, line_2)
    yield at_most("½ R(f + g + |f − g|) ≤ ½ R(F) + ½ R(G) + ½ R(|f − g|)", line_2, line_3, at="sub-additivity")
    yield at_most(
        "½ R(F) + ½ R(G) + ½ R(|f − g|) ≤ ½ R(F) + ½ R(G) + ½ R(f − g)", line_3, line_4, at="contraction by |·|"
    )
    yield at_most("½ R(F) + ½ R(G) + ½ R(f − g) ≤ R(F) + ½ R(G) + ½ R(−G)", line_4, line_5, at="sub-additivity")
    yield equal(
        "R(F) + ½ R(G) + ½ R(−G) = R(F) + R(G)", line_5, maxima_bound(first, second), at="−σ is distributed as σ"
    )


@identities.check("max(a, b) = ½(a + b + |a − b|) in integers and fractions")
def max_half_in_integers_and_fractions(rng: np.random.Generator) -> Found:
    for _ in range(200):
        a, b = (Fraction(int(rng.integers(-99, 100)), int(rng.integers(1, 9))) for _ in range(2))
        yield equal("max(a, b) = ½(a + b + |a − b|)", max(a, b), maximum_by_absolute_value(a, b))


@identities.check("every line of the proof on random families")
def every_line_of_the_proof_on_random_families(rng: np.random.Generator) -> Found:
    for families in random_families(rng, 60):
        yield from lines_of_the_proof(families[0], families[1])


@identities.control(
    "The term |a − b| is needed: for a = 0 and b = 1 the maximum is {left}, and without the term one finds {right}."
)
def the_absolute_value_taken_away() -> Found:
    yield equal("max(0, 1) = ½(0 + 1)", max(0, 1), maximum_by_absolute_value(0, 1) - Fraction(1, 2) * abs(0 - 1))


@identities.control(
    "Contraction goes one way only: for f = ±1 on one point, and g = 0, R(f − g) is {left}, more than "
    "R(|f − g|), which is {right}."
)
def contraction_read_backwards() -> Found:
    F, G = np.array([[-1], [1]]), np.array([[0]])
    distances = exact_complexity(combined_class(lambda f, g: abs(f - g), F, G))
    yield at_most("R(f − g) ≤ R(|f − g|)", exact_complexity(combined_class(lambda f, g: f - g, F, G)), distances)


@identities.control(
    "The last line needs symmetric signs: if all signs are +1, the largest sum of the constants 0 and 1 "
    "over two points is {right}, and that of their negatives is {left}."
)
def the_last_line_for_signs_that_are_not_symmetric() -> Found:
    G = np.array([[0, 0], [1, 1]])
    negatives = combined_class(lambda f, g: f - g, np.zeros((1, 2), dtype=int), G)
    yield equal("sup Σ −g(xᵢ) = sup Σ g(xᵢ)", int(negatives.sum(axis=1).max()), int(G.sum(axis=1).max()))


# --- the projected class ---------------------------------------------------------------------------------------------

projection = Claim(
    "prp-projected-class-complexity",
    "upper bound",
    "exact",
    source="mohri2018",
    where="§9.2",
    implements=(projected_class, projection_bound),
    formula=Formula("eq-projection-bound", projection_bound, numbers="balls"),
    symbols=(
        Reading(
            r"\max_y\widehat{\mathfrak R}_S(\mathcal H(\cdot,y))",
            "nonnegative",
            arguments={"largest_complexity": r"\max_y\widehat{\mathfrak R}_S(\mathcal H(\cdot,y))"},
        ),
        Reading("B", "nonnegative", arguments={"size": "B"}),
    ),
)


@projection.check("random integer scores: between the largest class and the bound")
def random_integer_scores(rng: np.random.Generator) -> Found:
    for _ in range(100):
        size, k, m = int(rng.integers(1, 6)), int(rng.integers(2, 6)), int(rng.integers(1, 9))
        scores = rng.integers(-size, size + 1, (int(rng.integers(1, 4)), m, k))
        whole = exact_complexity(projected_class(scores))
        largest = max(exact_complexity(scores[:, :, label]) for label in range(k))
        yield at_most("largest R(H(·, y)) ≤ R(Π₁(H))", largest, whole)
        limit = projection_bound(ball(largest), ball(size), ball(k), m)
        yield at_most("R(Π₁(H)) ≤ largest + B √(2 ln k / m)", whole, limit)


def many_walks() -> tuple[Ball, int, int]:
    """A lower bound on the complexity of the best class of k = 2^3000 sign patterns on m = 10^7 points, with k and m.

    Draw the k patterns at random.  For any signs the k sums are then independent fair walks of m steps.  Their largest
    is at least s unless all miss it, which has probability at most exp(-k p) for p = Pr[sum = s], and it is never less
    than -m.  Some class is at least as good as the mean over all classes.
    """
    k, m = 2**3000, 10**7
    s = 2 * int(math.sqrt(2 * m * (3000 * math.log(2) - 11)) / 2)
    heads = (m + s) // 2
    logarithm = _log_factorial(m) - _log_factorial(heads) - _log_factorial(m - heads) - m * flint.arb(2).log()
    missed = (-(logarithm + flint.arb(k).log()).exp()).exp()
    return (s * (1 - missed) - m * missed) / m, k, m


def _log_factorial(n: int) -> Ball:
    return flint.arb(n + 1).lgamma()


def patterns_beside_zeros(m: int) -> Table:
    """Scores for two labels: all patterns of signs for the first, 0 for the second."""
    patterns = all_patterns(m)
    return np.stack([patterns, np.zeros_like(patterns)], axis=2)


@projection.extremal("patterns of signs beside zeros: the lower bound is attained, beyond the term with ln k")
def patterns_of_signs_beside_zeros() -> Found:
    for m in (3, 6):
        scores = patterns_beside_zeros(m)
        whole, largest = exact_complexity(projected_class(scores)), exact_complexity(scores[:, :, 0])
        yield equal("R(Π₁(H)) = largest R(H(·, y))", whole, largest, at=f"m = {m}")
        yield less_than("B √(2 ln k / m) < R(Π₁(H))", projection_bound(0, ball(1), ball(2), m), whole, at=f"m = {m}")
        yield at_most("R(Π₁(H)) ≤ bound", whole, projection_bound(ball(largest), ball(1), ball(2), m), at=f"m = {m}")


@projection.extremal("one hypothesis with k = 2³⁰⁰⁰ random scores ±1 on 10⁷ points: within half a hundredth")
def one_hypothesis_with_k_23000_random_scores_1() -> Found:
    value, k, m = many_walks()
    limit = projection_bound(ball(0), ball(1), ball(k), m)
    yield at_most("R(Π₁(H)) ≤ bound", value, limit, at="k = 2³⁰⁰⁰, m = 10⁷", statement=True)
    yield at_least("R(Π₁(H)) ≥ 0.995 of the bound", value, limit * 199 / 200, at="k = 2³⁰⁰⁰, m = 10⁷")


@projection.strengthened(
    "The term with ln k cannot be one per cent smaller: one hypothesis with scores ±1 for 2³⁰⁰⁰ labels on "
    "10⁷ points can have a complexity of at least {left}, more than {right}.",
    by=Fraction(99, 100),
)
def the_term_with_ln_k(factor: int | Fraction) -> Found:
    value, k, m = many_walks()
    yield at_most("R(Π₁(H)) of some class ≤ bound", value, projection_bound(ball(0), ball(factor), ball(k), m))


@projection.strengthened(
    "The largest complexity needs its factor 1: all patterns of signs on 10⁷ points, beside a label of "
    "zeros, have the complexity {left}, and 0.999 of it would allow {right}.",
    by=Fraction(999, 1000),
)
def the_largest_class(factor: int | Fraction) -> Found:
    # On any number of points some pattern agrees with every sign: R(H(·, 1)) = R(Π₁(H)) = 1.
    yield at_most("R(Π₁(H)) ≤ bound", 1, projection_bound(ball(factor), ball(1), ball(2), 10**7))


@projection.control(
    "The term with ln k is needed: one hypothesis with the scores (1, −1) and (−1, 1) on two points has a "
    "projected class of complexity {left}, and each label alone has {right}."
)
def the_largest_class_alone() -> Found:
    scores = np.array([[[1, -1], [-1, 1]]])
    largest = max(exact_complexity(scores[:, :, label]) for label in range(2))
    yield at_most("R(Π₁(H)) ≤ largest R(H(·, y))", exact_complexity(projected_class(scores)), largest)
