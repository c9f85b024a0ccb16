"""The four steps of the proof of the margin bound."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, at_most, equal, holds, less_than
from mcbook.claims.margin_bounds.bounds import HALF, Found, capped, small_distribution
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import rational
from mcbook.foundation.proof import Tier
from mcbook.losses import margin_loss
from mcbook.margin_bounds import (
    ScoredDistribution,
    margins_complexity_bound,
    scores_complexity_bound,
    truncated_margins,
    two_block_complexity,
)
from mcbook.margin_bounds.algorithm.distributions import random_scored_distribution
from mcbook.margin_bounds.instances.blocks import block_distribution, block_scores
from mcbook.rademacher import (
    all_patterns,
    exact_complexity,
    projected_class,
)

# --- the four steps --------------------------------------------------------------------------------------------------

steps = Claim(
    "lem-margin-bound-proof-steps",
    "upper bound",
    "exact",
    source="mohri2018",
    where="proof of Theorem 9.2",
    errata=("E3",),
    implements=(truncated_margins, scores_complexity_bound, margins_complexity_bound),
    formula=(
        Formula("eq-bounds-own", scores_complexity_bound),
        Formula("eq-bounds-highest", scores_complexity_bound),
        Formula("eq-bounds-margins", margins_complexity_bound),
    ),
)


@steps.check("ρ_θ = min(ρ, θ) ≤ ρ, and Φ_ρ does not see the difference for θ = ρ and θ = 2ρ")
def rho_theta_min_at_most_rho_and_phi_rho_does(rng: np.random.Generator) -> Found:
    for _ in range(30):
        distribution = random_scored_distribution(rng, 6, 5, int(rng.integers(2, 6)))
        rho = Fraction(int(rng.integers(1, 9)), int(rng.integers(1, 4)))
        for theta in (rho, 2 * rho, rho / 3):
            cut = distribution.truncated(theta)
            yield holds("ρ_θ,h = min(ρ_h, θ)", bool((cut == capped(distribution.margins, theta)).all()), Tier.EXACT)
            yield holds("ρ_θ,h ≤ ρ_h", bool((cut <= distribution.margins).all()), Tier.EXACT)
            parts = distribution.own_scores - distribution.highest_scores(theta)
            yield holds("ρ_θ,h = own score less the highest", bool((cut == parts).all()), Tier.EXACT)
            if theta >= rho:
                same = distribution.margin_losses(rho)
                yield holds("Φ_ρ(ρ_θ,h) = Φ_ρ(ρ_h)", bool((margin_loss(cut, rho) == same).all()), Tier.EXACT)


@steps.check("the own scores and the highest scores have complexity at most k R_m(Π₁(H)), over all samples and signs")
def the_own_scores_and_the_highest_scores_have(rng: np.random.Generator) -> Found:
    for _ in range(25):
        k, n_atoms, m = int(rng.integers(2, 5)), int(rng.integers(1, 4)), int(rng.integers(1, 6))
        distribution = random_scored_distribution(rng, int(rng.integers(1, 7)), n_atoms, k)
        theta = Fraction(int(rng.integers(1, 9)), 2)
        limit = scores_complexity_bound(distribution.complexity(m), k)
        yield at_most("R_m(h(x, y)) ≤ k R_m(Π₁)", distribution.mean_complexity(distribution.own_scores, m), limit)
        yield at_most(
            "R_m(highest scores) ≤ k R_m(Π₁)",
            distribution.mean_complexity(distribution.highest_scores(theta), m),
            limit,
        )
        both = margins_complexity_bound(distribution.complexity(m), k)
        yield at_most("R_m(ρ_θ,h) ≤ 2k R_m(Π₁)", distribution.mean_complexity(distribution.truncated(theta), m), both)


def balanced_scores(n_classes: int, block: int) -> tuple[np.ndarray, np.ndarray]:
    """Every label has free scores ±1 on the inputs that bear it, and 0 on all others."""
    y = np.repeat(np.arange(n_classes), block)
    patterns = all_patterns(len(y)).astype(object)
    scores = np.zeros((len(patterns), len(y), n_classes), dtype=object)
    scores[:, np.arange(len(y)), y] = patterns
    return scores, y


@steps.extremal("own scores: equality on a balanced sample on which each label is free where it is the true one")
def own_scores_equality_on_a_balanced_sample() -> Found:
    for k, block in ((2, 1), (2, 3), (3, 2), (5, 1)):
        scores, y = balanced_scores(k, block)
        own = exact_complexity(scores[:, np.arange(len(y)), y].astype(int))
        limit = scores_complexity_bound(exact_complexity(projected_class(scores).astype(int)), k)
        yield equal("own scores = k times the complexity", own, limit, at=f"balanced sample, k = {k}")
        yield equal(
            "2k times the complexity = twice k times", margins_complexity_bound(own / k, k), 2 * limit, at=f"k = {k}"
        )


@steps.extremal("highest scores: on the block class the two differ by 2 binom(2m, m) / 4^m, for two classes")
def highest_scores_on_the_block_class_the_two_differ() -> Found:
    for m in (1, 2, 6, 200):
        limit = scores_complexity_bound(two_block_complexity(m), 2)
        excess = Fraction(2 * math.comb(2 * m, m), 4**m)
        yield equal("k R_m(Π₁) = ½ (1 + excess)", limit, HALF * (1 + excess), at=f"m = {m}")
        yield at_most("highest scores ½ ≤ k R_m(Π₁)", HALF, limit, at=f"k = 2, m = {m}", statement=True)
    # The highest score is the free one, 0 or -1 at every input, so its complexity is 1/2.
    for n_atoms, m in ((2, 3), (4, 3)):
        distribution = block_distribution(2, n_atoms // 2)
        free = all_patterns(n_atoms, (0, -1)).astype(object)
        highest = distribution.highest_scores(Fraction(2))
        same = distribution.mean_complexity(highest, m), distribution.mean_complexity(free, m)
        yield equal("R_m of highest scores = of free scores", *same, at=f"{n_atoms} atoms")
    scores, y = block_scores([0, 1, 0, 1], 2)
    distribution = ScoredDistribution(rational([HALF / 2] * 4), scores, y)
    yield equal(
        "R_m of highest scores = ½",
        exact_complexity(distribution.highest_scores(Fraction(2)).astype(int)),
        HALF,
        at="four inputs",
    )


@steps.strengthened(
    "The factor $k$ of the true labels' scores cannot be one thousandth smaller: on a balanced sample of "
    "three labels their complexity is {left}, above {right}.",
    by=Fraction(999, 1000),
)
def the_k_of_the_own_scores(factor: int | Fraction) -> Found:
    scores, y = balanced_scores(3, 2)
    own = exact_complexity(scores[:, np.arange(len(y)), y].astype(int))
    complexity = exact_complexity(projected_class(scores).astype(int))
    yield at_most("own scores ≤ k times the complexity", own, factor * scores_complexity_bound(complexity, 3))


@steps.strengthened(
    "The factor $k$ of the highest scores cannot be one per cent smaller: on the block class, with "
    "samples of 40 000, their complexity is {left}, above {right}.",
    by=Fraction(99, 100),
)
def the_k_of_the_highest_scores(factor: int | Fraction) -> Found:
    limit = factor * scores_complexity_bound(two_block_complexity(40_000), 2)
    yield at_most("highest scores ½ ≤ k R_m(Π₁)", HALF, limit)


@steps.control(
    r"Step 2 needs $\theta\ge\rho$: with $\rho=1$ and $\theta=0.999$ a margin of 2 has the loss {left} "
    "after truncation, not {right}."
)
def theta_a_little_below_rho() -> Found:
    distribution, rho = small_distribution(), Fraction(1)
    cut = distribution.truncated(Fraction(999, 1000))
    yield equal("loss of ρ_θ,h = loss of ρ_h", margin_loss(cut, rho)[0][0], distribution.margin_losses(rho)[0][0])


@steps.control(
    r"The factor $\frac1m$, which is missing from the last display of the printed proof, cannot be left "
    "out: without it the left side is {left}, above {right}."
)
def the_last_display_as_it_is_printed_without_1_m() -> Found:
    scores, y = balanced_scores(3, 2)
    sums = len(y) * exact_complexity(scores[:, np.arange(len(y)), y].astype(int))
    limit = scores_complexity_bound(exact_complexity(projected_class(scores).astype(int)), 3)
    yield at_most("E sup Σ σ_i h(x_i, y_i) ≤ k times the complexity", sums, limit)


@steps.control(
    "The inequality cannot be strict, as the printed proof has it: on a balanced sample of three labels "
    "the complexity of the true labels' scores is {left}, not less than {right}."
)
def the_strict_inequality_of_the_printed_proof() -> Found:
    scores, y = balanced_scores(3, 2)
    own = exact_complexity(scores[:, np.arange(len(y)), y].astype(int))
    limit = scores_complexity_bound(exact_complexity(projected_class(scores).astype(int)), 3)
    yield less_than("own scores < k times the complexity", own, limit)
