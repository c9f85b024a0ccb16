"""How the bound depends on the number of classes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.claims.margin_bounds.bounds import bound
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.exact import count_vectors, multinomial_probability
from mcbook.margin_bounds import (
    ScoredDistribution,
    block_complexity,
    block_complexity_limits,
    label_by_label_complexity_bound,
    margin_bound,
    margins_complexity_bound,
    two_block_complexity,
)
from mcbook.margin_bounds.algorithm.distributions import random_scored_distribution
from mcbook.margin_bounds.instances.blocks import block_distribution, block_scores
from mcbook.rademacher import exact_complexity, projected_class

Found = Iterator[Evidence]

growth = Claim(
    "prp-linear-dependence-on-classes",
    "growth rate",
    "exact",
    source="mohri2018",
    where="§9.6",
    implements=(block_complexity, block_complexity_limits, margin_bound, label_by_label_complexity_bound),
    formula=Formula("eq-bounds-two-blocks", block_complexity, fixed={"n_classes": 2}),
)


@growth.check("one label after the other: the margins without truncation cost k² R_m, k/2 times as much")
def one_label_after_the_other(rng: np.random.Generator) -> Found:
    for k, m in ((2, 4), (3, 3), (4, 3)):
        distribution = random_scored_distribution(rng, 4, 3, k)
        complexity = distribution.complexity(m)
        limit = label_by_label_complexity_bound(complexity, k)
        yield at_most("margins ≤ k² R_m", distribution.mean_complexity(distribution.margins, m), limit, at=f"k = {k}")
        parts = [distribution.mean_complexity(part, m) for part in label_by_label(distribution)]
        yield at_most(
            "margins ≤ sum over the labels",
            distribution.mean_complexity(distribution.margins, m),
            sum(parts),
            at=f"k = {k}",
        )
        yield at_most("each label ≤ k R_m", max(parts), k * complexity, at=f"k = {k}")
        truncated = margins_complexity_bound(complexity, k)
        yield equal("2/k of the bound = bound with truncation", Fraction(2, k) * limit, truncated, at=f"k = {k}")


def label_by_label(distribution: ScoredDistribution) -> list[np.ndarray]:
    """The margins on the atoms that bear a label, and 0 elsewhere, for one label after the other."""
    return [distribution.margins * (distribution.y == label).astype(int) for label in range(distribution.n_classes)]


@growth.check("the complexity of the block class by its formula, and by enumerating class, blocks and signs")
def the_complexity_of_the_block_class_by_its_formula(rng: np.random.Generator) -> Found:
    for k, m in ((2, 1), (2, 3), (2, 5), (3, 3), (3, 4), (4, 3)):
        total = Fraction(0)
        for counts in count_vectors(m, k):
            scores, _ = block_scores(np.repeat(np.arange(k), counts).tolist(), k)
            share = multinomial_probability(counts, [Fraction(1, k)] * k)
            total += share * exact_complexity(projected_class(scores).astype(int))
        yield equal("R_m(Π₁) by the formula = by enumeration", block_complexity(k, m), total, at=f"k = {k}, m = {m}")
    for m in (1, 2, 5, 9):
        yield equal(
            "closed form for two classes = the formula for k classes",
            two_block_complexity(m),
            block_complexity(2, m),
            at=f"m = {m}",
        )


@growth.check("the exact complexity lies between the limits that hold for every m")
def the_exact_complexity_lies_between_the_limits(rng: np.random.Generator) -> Found:
    for k, m in ((2, 4), (2, 200), (2, 10**4), (3, 6), (4, 4), (5, 3)):
        limits = block_complexity_limits(k, m)
        exact = ball(two_block_complexity(m) if k == 2 else block_complexity(k, m))
        yield at_least("R_m ≥ 1/(2k)", exact, limits.lower, at=f"k = {k}, m = {m}")
        yield at_most("R_m ≤ upper limit", exact, limits.upper, at=f"k = {k}, m = {m}")


@growth.check("learning by heart, with N atoms for infinitely many inputs: the supremum is the share of atoms not seen")
def learning_by_heart_with_n_atoms_for_infinitely(rng: np.random.Generator) -> Found:
    for k, block, m in ((2, 1, 2), (2, 2, 3), (3, 2, 2), (2, 3, 2)):
        distribution, n_atoms = block_distribution(k, block), k * block
        for seen in range(1, m + 1):
            missed = 1 - Fraction(seen, n_atoms)
            more = sum(
                multinomial_probability(c, distribution.probabilities)
                for c in count_vectors(m, n_atoms)
                if np.count_nonzero(c) < seen
            )
            yield equal(
                f"Pr[sup > {missed}] = Pr[fewer than {seen} atoms seen]",
                distribution.failure(Fraction(1), m, missed),
                more,
                at=f"k = {k}, N = {n_atoms}",
            )


@growth.check("the complexity term lies between 2 and 2.1 at m = 10⁷, from 2 to 100 classes")
def the_complexity_term_lies_between_2_and_2_1_at_m(rng: np.random.Generator) -> Found:
    for k in (2, 3, 5, 10, 20, 50, 100):
        limits = block_complexity_limits(k, 10**7)
        yield at_least("4k R_m/ρ ≥ 2", 4 * k * limits.lower, 2, at=f"k = {k}")
        yield at_most("4k R_m/ρ ≤ 2.1", bound(0, limits.upper, 1, k, 1, 10**7), Fraction(21, 10), at=f"k = {k}")


@growth.extremal("as m grows the term comes down to 2, twice what is needed")
def as_m_grows_the_term_comes_down_to_2_twice_what() -> Found:
    for k in (2, 5, 20):
        yield equal(
            "complexity term ≈ 2",
            bound(0, Fraction(1, 2 * k), 1, k, 1, 10),
            2,
            within=1e-12,
            at=f"R_m = 1/(2k), k = {k}",
        )
        for m, share in ((10**6, "0.97"), (10**8, "0.997"), (10**10, "0.9997")):
            term = bound(0, block_complexity_limits(k, m).upper, 1, k, 1, m)
            yield at_least(f"2/term ≥ {share}", 2 / term, Fraction(share), at=f"k = {k}, m = {m}")
    for m in (100, 10_000):
        yield at_most("limit 2 ≤ 4k R_m/ρ", 2, 8 * two_block_complexity(m), at=f"k = 2, m = {m}", statement=True)


@growth.strengthened(
    "Less than half of $4k$ is not enough for fifty classes: on the block class some function has risk "
    r"{left} and margin loss 0, and with $0.499\cdot4k$ the bound would be {right}.",
    by=Fraction(499, 1000),
)
def less_than_half_of_4k(factor: int | Fraction) -> Found:
    k, m = 50, 10**12
    yield at_most("supremum 1 ≤ bound", 1, bound(0, factor * block_complexity_limits(k, m).upper, 1, k, 1, m))


@growth.control(
    r"Growth like $\sqrt k$ is too slow: for fifty classes some function of the block class has risk "
    r"{left} and margin loss 0, and with $4\sqrt{2k}$ in place of $4k$ the bound would be {right}.",
    story=True,
)
def a_bound_that_grows_like_root_k_with_the_constant() -> Found:
    k, m = 50, 10**6
    shrunk = block_complexity_limits(k, m).upper / 5  # 4√(2k) = 40 = 4k/5
    yield at_most("supremum 1 ≤ bound", 1, bound(0, shrunk, 1, k, 1, m))


@growth.control(
    "Even growth like $k^{0.9}$ is too slow, with the constant that serves two classes: for a million "
    "classes some function of the block class has risk {left}, and the bound would be at most {right}."
)
def a_bound_that_grows_like_k_with_a_constant() -> Found:
    # The limit of the bound for k classes is 2 (k/2)^(-1/10); what it exceeds the limit by at m = 10^12 is below 1/100.
    k, m = 2**20, 10**12
    limits = block_complexity_limits(k, m)
    shrunk = limits.upper * Fraction(1, 3)  # (k/2)^(-1/10) = 2^(-1.9) < 1/3
    yield at_most("supremum 1 ≤ bound", 1, bound(0, shrunk, 1, k, 1, m))
