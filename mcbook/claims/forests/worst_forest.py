"""The exact worst error of a forest by strength and correlation."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_most, equal, holds
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.forests import (
    VoteDistribution,
    best_known_bound,
    breiman_bound,
    circular_forest,
    worst_forest_error,
    worst_vote_distribution,
)
from mcbook.forests.algorithm.finite import FiniteForest
from mcbook.forests.theory import worst_error_high, worst_error_low
from mcbook.foundation.distributions import probabilities_from_counts, random_probabilities
from mcbook.foundation.numbers import ball, rational, square_root
from mcbook.foundation.proof import Tier

Found = Iterator[Evidence]

# For the rounding of balls.
HAIR = Fraction(1, 10**12)

worst = Claim(
    "thm-worst-forest",
    "upper bound",
    "exact",
    source=("breiman2001", "lacasse2006"),
    where=(
        "this book; the first regime is the C-bound of Lacasse and others, the weaker bound is Theorem 2.3 of Breiman"
    ),
    implements=(worst_forest_error, best_known_bound, breiman_bound, FiniteForest),
    formula=(
        Formula("eq-worst-forest-low", worst_error_low),
        Formula("eq-worst-forest-high", worst_error_high),
    ),
    symbols=(
        Reading("s", "probability", arguments={"strength": "s"}),
        Reading(r"\bar\rho", "share", arguments={"correlation": r"\bar\rho"}),
    ),
)

GRID = [Fraction(i, 4) for i in range(-4, 5)]


def margin_distributions() -> Iterator[VoteDistribution]:
    """Distributions on three values of a grid in [-1, 1]; for given s and E mr² the extreme ones have no more."""
    for values in itertools.combinations(GRID, 3):
        for first, second in ((1, 1), (1, 2), (3, 1)):
            rest = 6 - first - second
            distribution = VoteDistribution(probabilities_from_counts([first, second, rest]), rational(values))
            if distribution.strength > 0:
                yield distribution


def largest_error(s: Fraction, rho: Fraction, values: list[Fraction]) -> Fraction:
    """The largest error of a distribution on the values, given strength and correlation: all basic solutions."""
    q, best = rho * (1 - s * s) + s * s, Fraction(-1)
    for a, b, c in itertools.combinations(values, 3):
        # Lagrange's polynomials, in which x stands for s and x² for q, are the probabilities.
        weights = [(q - (u + v) * s + u * v) / ((w - u) * (w - v)) for w, u, v in ((a, b, c), (b, a, c), (c, a, b))]
        if min(weights) >= 0:
            best = max(best, sum((w for w, x in zip(weights, (a, b, c), strict=True) if x <= 0), start=Fraction(0)))
    return best


@worst.check("distributions of the margin on three values of a grid: none has a larger error")
def distributions_of_the_margin(rng: np.random.Generator) -> Found:
    for distribution in itertools.islice(margin_distributions(), 0, None, 2):
        yield at_most(
            "error ≤ worst error",
            distribution.error,
            worst_forest_error(distribution.strength, distribution.correlation),
        )


@worst.check("all basic solutions on a grid that has the best values: the largest error is the formula, exactly")
def problem_on_a_grid(rng: np.random.Generator) -> Found:
    for s, rho in itertools.product((Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(4, 5)), GRID[5:]):
        distribution = worst_vote_distribution(s, rho)
        values = sorted({*GRID, *distribution.values.tolist()})
        yield equal(
            "largest error = formula",
            largest_error(s, rho, values),
            worst_forest_error(s, rho),
            at=f"s = {s}, ρ = {rho}",
        )


@worst.check("random finite forests with two to four classes: the bound for all forests, and Breiman's above it")
def random_forests(rng: np.random.Generator) -> Found:
    found = 0
    while found < 40:
        k, atoms, trees = int(rng.integers(2, 5)), int(rng.integers(2, 6)), int(rng.integers(2, 7))
        y = rng.integers(0, k, atoms)
        right = rng.random((trees, atoms)) < 0.7
        votes = np.where(right, y, rng.integers(0, k, (trees, atoms)))
        forest = FiniteForest(random_probabilities(rng, atoms), votes, y, k)
        constant = all((row == row[0]).all() for row in forest.raw_margins)
        if forest.strength <= 0 or constant:
            continue
        found += 1
        s, V = forest.strength, forest.variance
        yield at_most("error ≤ 1 − s", forest.error, 1 - s)
        # By the correlation in balls where deviations are roots.
        rho = forest.correlation
        kind = Fraction if isinstance(rho, Fraction) else ball
        square, allowed = kind(s * s), rho * kind(1 - s * s)
        limit = allowed / (allowed + square)
        yield at_most("error ≤ V / (V + s²)", forest.error, V / (V + s * s))
        yield at_most("error ≤ bound", forest.error, limit)
        yield at_most("bound ≤ Breiman's bound", limit, allowed / square)


def mean_covariance(forest: FiniteForest) -> Fraction:
    """The covariance of the raw margins of two trees, averaged over all pairs of trees."""
    centred = forest.raw_margins - forest.tree_strengths[:, None]
    return Fraction((centred @ (forest.probabilities * centred).T).mean())


def two_trees() -> FiniteForest:
    """Ten equally likely points; the first tree is right on eight of them, the second on five."""
    votes = np.array([[0] * 8 + [1] * 2, [0] * 5 + [1] * 5])
    return FiniteForest(probabilities_from_counts([1] * 10), votes, np.zeros(10, dtype=np.int64), 2)


@worst.check(
    "two trees by hand and random forests: the correlation is covariance by deviations, each averaged over pairs"
)
def correlation_of_the_trees(rng: np.random.Generator) -> Found:
    forest = two_trees()
    # Deviations 4/5 and 1, so the denominator is the square of 9/10.
    yield equal("covariance = 61/100", mean_covariance(forest), Fraction(61, 100), at="deviations 4/5 and 1")
    distance = abs(forest.correlation - ball(Fraction(61, 81)))
    yield at_most("|correlation − covariance / (9/10)²| ≤ 10⁻¹²", distance, HAIR, at="two trees")
    for _ in range(10):
        y = rng.integers(0, 3, 5)
        votes = np.where(rng.random((4, 5)) < 0.6, y, rng.integers(0, 3, (4, 5)))
        forest = FiniteForest(random_probabilities(rng, 5), votes, y, 3)
        yield equal("variance of the margin = mean covariance", forest.variance, mean_covariance(forest))
        deviations = [
            ball(Fraction(forest.expectation(row**2)) - strength**2).sqrt()
            for row, strength in zip(forest.raw_margins, forest.tree_strengths, strict=True)
        ]
        pairs = sum((a * b for a, b in itertools.product(deviations, repeat=2)), start=ball(0)) / len(deviations) ** 2
        if pairs > 0:
            rho = forest.correlation
            rho = ball(rho) if isinstance(rho, Fraction) else rho
            distance = abs(rho * pairs - ball(mean_covariance(forest)))
            yield at_most("|correlation × mean product of deviations − covariance| ≤ 10⁻¹²", distance, HAIR)


@worst.check("the bound for all forests is at least the exact worst case, and Breiman's is above both")
def order_of_the_bounds(rng: np.random.Generator) -> Found:
    for s, rho in itertools.product([Fraction(i, 10) for i in range(1, 10)], GRID[4:]):
        bound, where = best_known_bound(s, rho), f"s = {s}, ρ = {rho}"
        yield at_most("exact worst case ≤ bound for all forests", worst_forest_error(s, rho), bound, at=where)
        yield at_most("bound for all forests ≤ Breiman's bound", bound, breiman_bound(s, rho), at=where)


CASES = (
    (Fraction(1, 3), Fraction(1, 16), 8),
    (Fraction(1, 4), Fraction(11, 15), 2),
    (Fraction(1, 2), Fraction(1, 3), 2),
    (Fraction(1, 5), Fraction(1), 2),
)


@worst.extremal("forests of up to eight circular trees, in both regimes")
def circular_forests() -> Found:
    for s, rho, n_trees in CASES:
        forest = circular_forest(worst_vote_distribution(s, rho), n_trees)
        where = f"s = {s}, ρ = {rho}"
        yield equal("strength = s", forest.strength, s, at=where)
        yield equal("correlation = ρ", forest.correlation, rho, at=where)
        yield equal("error = worst error", forest.error, worst_forest_error(s, rho), at=where, statement=True)


@worst.trace("eight circular trees of strength 1/3 and correlation 1/16")
def proof_on_eight_trees() -> Found:
    s, rho = Fraction(1, 3), Fraction(1, 16)
    forest = circular_forest(worst_vote_distribution(s, rho), 8)
    yield equal("mean of the margin = s", forest.strength, s)
    yield equal("different strengths of the trees = 1", len(set(forest.tree_strengths.tolist())), 1)
    yield equal("variance = ρ (1 − s²)", forest.variance, rho * (1 - s * s))
    yield equal("deviation of a tree, squared, = 1 − s²", square_root((1 - s * s) ** 2), 1 - s * s)
    V = forest.variance
    yield at_most("(Pr[mr ≤ 0]) ≤ V / (V + s²)", forest.error, V / (V + s * s), at="Cantelli")
    yield at_most("(Pr[1 − mr ≥ 1]) ≤ 1 − s", forest.error, 1 - s, at="Markov")
    parabola = [1 - (x + x * x) / 2 for x in GRID]
    yield holds(
        "[x ≤ 0] ≤ 1 − (x + x²)/2 on the grid",
        all(value >= (x <= 0) for value, x in zip(parabola, GRID, strict=True)),
        Tier.EXACT,
    )


@worst.strengthened(
    "One per cent less is too little: eight circular trees with $s=\\frac13$ and "
    "$\\bar\\rho=\\frac1{16}$ err with probability {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
    story=True,
)
def one_per_cent_less(by: Fraction) -> Found:
    s, rho, n_trees = CASES[0]
    forest = circular_forest(worst_vote_distribution(s, rho), n_trees)
    yield at_most("error ≤ bound", forest.error, by * worst_forest_error(s, rho))


@worst.control(
    "The covariance is divided by the squared mean of the deviations, not by the mean of their squares: two trees with "
    "the deviations $\\frac45$ and 1 have the correlation {left}, and the mean variance would make it {right}.",
)
def mean_variance_below() -> Found:
    forest = two_trees()
    variances = [1 - strength**2 for strength in forest.tree_strengths]
    yield equal(
        "correlation = covariance / mean variance",
        forest.correlation,
        ball(mean_covariance(forest) / (sum(variances) / 2)),
    )


@worst.control(
    "The first formula is not the worst case for every correlation: for $s=\\frac14$ and "
    "$\\bar\\rho=\\frac{11}{15}$ the largest error is {left}, and the formula says {right}.",
)
def first_formula_everywhere() -> Found:
    s, rho = Fraction(1, 4), Fraction(11, 15)
    yield equal("largest error = formula", worst_forest_error(s, rho), best_known_bound(s, rho))


@worst.control(
    "The correlation has to be as promised: two trees with $s=\\frac12$ and $\\bar\\rho=\\frac13$ err with "
    "probability {left}, and for $\\bar\\rho=\\frac1{16}$ the bound would be {right}.",
)
def more_correlated_than_promised() -> Found:
    s = Fraction(1, 2)
    forest = circular_forest(worst_vote_distribution(s, Fraction(1, 3)), 2)
    yield at_most("error ≤ bound", forest.error, worst_forest_error(s, Fraction(1, 16)))
