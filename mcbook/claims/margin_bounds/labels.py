"""The margin bound with the complexity of every label: 2k in place of 4k for three classes, always less than 4k."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_most, equal, less_than
from mcbook.claims.margin_bounds.bounds import HALF, RARE, TWENTIETH, coin, rare_but_real
from mcbook.claims.rademacher.generalisation import THROWS, rare_failure
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.proof.exact import count_vectors, multinomial_probability
from mcbook.foundation.types import Array, Number
from mcbook.margin_bounds import ScoredDistribution, labels_factor, labels_margin_bound
from mcbook.margin_bounds.algorithm.distributions import random_scored_distribution
from mcbook.margin_bounds.instances.blocks import block_distribution, block_scores
from mcbook.problem import score_margins
from mcbook.rademacher import exact_complexity, kernel_complexity_bound

Found = Iterator[Evidence]

claim = Claim(
    "prp-margin-bound-by-labels",
    "upper bound",
    "exact",
    source="mohri2018",
    where="this book; what it sharpens is Theorem 9.2 there",
    implements=(labels_margin_bound, labels_factor),
    formula=Formula(
        "eq-bounds-labels", labels_margin_bound, arguments={"n_classes": r"3\cdot2^n"}, where=r"n\le4", numbers="balls"
    ),
    symbols=(
        Reading(
            r"\sum_{y=1}^k\mathfrak R_m(\mathcal H(\cdot,y))",
            "nonnegative",
            arguments={"total_complexity": r"\sum_{y=1}^k\mathfrak R_m(\mathcal H(\cdot,y))"},
        ),
        Reading("n", "count"),
    ),
)


def bound(loss: Number, total: Number, rho: Number, n_classes: int, delta: Number, n_samples: int) -> Number:
    """The bound as a ball."""
    return labels_margin_bound(ball(loss), ball(total), ball(rho), n_classes, ball(delta), n_samples)


def scored_sample(rng: np.random.Generator, n_classes: int, n_samples: int) -> tuple[Array, Array]:
    """Small integer scores (n_hypotheses, n_samples, n_classes) and labels."""
    scores = rng.integers(-3, 4, (int(rng.integers(2, 7)), n_samples, n_classes))
    return scores, rng.integers(0, n_classes, n_samples)


def margins_of(scores: Array, y: Array) -> Array:
    return np.array([score_margins(table, y) for table in scores])


def total_of(scores: Array) -> Fraction:
    """The sum over the labels of the complexities of their scores on the sample."""
    return sum((exact_complexity(scores[:, :, label]) for label in range(scores.shape[2])), Fraction(0))


def best_of(scores: Array, taken: Array) -> Array:
    """The largest score among the labels that are taken at each point; ``taken`` (n_samples, n_classes)."""
    return np.where(taken, scores, -99).max(axis=2)


@claim.check("up to three labels: twice the margin is a sum over the pairs, and on random samples margins cost c = 1")
def up_to_three_labels(rng: np.random.Generator) -> Found:
    for k in (2, 3):
        for _ in range(40):
            scores, y = scored_sample(rng, k, int(rng.integers(1, 7)))
            margins, total = margins_of(scores, y), Fraction(0)
            pairs = np.zeros_like(margins)
            for a in range(k):
                for b in range(a):
                    apart = scores[:, :, a] - scores[:, :, b]
                    mapped = np.where(y == a, apart, np.where(y == b, -apart, -np.abs(apart)))
                    pairs = pairs + mapped
                    total += exact_complexity(mapped)
                    yield at_most(
                        "Ψ(h_a − h_b) ≤ h_a − h_b", exact_complexity(mapped), exact_complexity(apart), at=f"k = {k}"
                    )
            yield equal(
                "|(k − 1) ρ_h − sum over the pairs|", int(np.abs((k - 1) * margins - pairs).max()), 0, at=f"k = {k}"
            )
            yield at_most(
                "(k − 1) R(margins) ≤ sum over the pairs", (k - 1) * exact_complexity(margins), total, at=f"k = {k}"
            )
            yield at_most("R(margins) ≤ Σ R(H_y)", exact_complexity(margins), total_of(scores), at=f"k = {k}")


@claim.check("four to seven labels, halved: the three parts of the margin, and on random samples margins cost c_k")
def four_to_seven_labels(rng: np.random.Generator) -> Found:
    for k in (4, 5, 6, 7):
        first = np.arange(k) < k // 2
        for _ in range(12):
            scores, y = scored_sample(rng, k, int(rng.integers(1, 6)))
            own_half = first[None, :] == first[y][:, None]
            own = np.eye(k, dtype=bool)[y]
            true = np.take_along_axis(scores, np.broadcast_to(y[:, None], (*scores.shape[:2], 1)), axis=2)[:, :, 0]
            here, there = best_of(scores, own_half & ~own), best_of(scores, ~own_half)
            parts = true - here, true - there, -np.abs(here - there)
            margins, total = margins_of(scores, y), total_of(scores)
            yield equal(
                "|2 ρ_h − sum of the three parts|", int(np.abs(2 * margins - sum(parts)).max()), 0, at=f"k = {k}"
            )
            inner = labels_factor(max(k // 2, k - k // 2))
            yield at_most(
                "margins in the own half ≤ c Σ R(H_y)", exact_complexity(parts[0]), inner * total, at=f"k = {k}"
            )
            yield at_most("against the other half ≤ Σ R(H_y)", exact_complexity(parts[1]), total, at=f"k = {k}")
            yield at_most("distance of the halves' best ≤ Σ R(H_y)", exact_complexity(parts[2]), total, at=f"k = {k}")
            yield at_most(
                "R(margins) ≤ c_k Σ R(H_y)", exact_complexity(margins), labels_factor(k) * total, at=f"k = {k}"
            )


@claim.check("c_k = 1 + c_⌈k/2⌉ / 2 from four labels on, below 2, and c_k = 1 up to three")
def the_factor_by_halving(rng: np.random.Generator) -> Found:
    for k in (2, 3):
        yield equal("c_k = 1", labels_factor(k), 1, at=f"k = {k}")
    for k in range(4, 200):
        yield equal("c_k = 1 + c_⌈k/2⌉/2", labels_factor(k), 1 + labels_factor(-(-k // 2)) / 2, at=f"k = {k}")
        yield less_than("c_k < 2", labels_factor(k), 2, at=f"k = {k}")


@claim.check("random distributions and coins, all samples enumerated: bounds below the risk, which do fail")
def bounds_that_do_fail(rng: np.random.Generator) -> Found:
    for k, m in ((2, 60), (3, 60), (4, 60)):
        distribution, limit = surprising_distribution(rng, k, m)
        yield from rare_but_real(f"k = {k}, m = {m}", distribution.bound_failure(Fraction(2), m, limit), HALF)
    for error, m in ((Fraction(4, 5), 400), (Fraction(9, 10), 250)):
        distribution = coin(error)
        total = 2 * distribution.complexity(m)
        for delta in (HALF, RARE):

            def coins(loss: Number, total: Number = total, delta: Number = delta, m: int = m) -> Number:
                return bound(loss, total, 1, 2, delta, m)

            yield less_than("bound at margin loss 0 < risk", coins(0), error, at=f"coin, m = {m}")
            yield from rare_but_real(f"coin, m = {m}", distribution.bound_failure(Fraction(1), m, coins), delta)


def surprising_distribution(
    rng: np.random.Generator, n_classes: int, m: int
) -> tuple[ScoredDistribution, Callable[[Fraction], Number]]:
    """A random distribution with a sample so unlike it that the bound at ρ = 2 and δ = 1/2 fails, and the bound."""
    while True:
        distribution = random_scored_distribution(rng, 2, 2, n_classes, largest=1)
        total = sum(
            (distribution.mean_complexity(distribution.scores[:, :, y], m) for y in range(n_classes)), Fraction(0)
        )

        def limit(loss: Number, total: Fraction = total) -> Number:
            return bound(loss, total, 2, n_classes, HALF, m)

        if max(deviation for deviation, _ in distribution.deviations(Fraction(2), m)) > HALF:
            failure = distribution.bound_failure(Fraction(2), m, limit)
            if failure > 0:
                return distribution, limit


def block_total(n_classes: int, n_samples: int) -> Fraction:
    """Σ_y R_m(H(., y)) of the block class for ρ = 1, by enumeration of blocks and signs."""
    total = Fraction(0)
    for counts in count_vectors(n_samples, n_classes):
        scores, _ = block_scores(np.repeat(np.arange(n_classes), counts).tolist(), n_classes)
        share = multinomial_probability(counts, [Fraction(1, n_classes)] * n_classes)
        total += share * total_of(scores.astype(int))
    return total


@claim.extremal("block class: Σ_y R_m(H(., y)) = ρ/2 for every m; up to three labels the bound is 1, as needed")
def block_class() -> Found:
    for k, m in ((2, 1), (2, 4), (3, 1), (3, 2), (3, 4), (4, 3), (5, 2)):
        total = block_total(k, m)
        said = bound(0, total, 1, k, 1, m)
        yield equal("Σ_y R_m(H(., y)) = ρ/2", total, HALF, at=f"k = {k}, m = {m}")
        yield equal(
            "bound ≈ c_k",
            said,
            labels_factor(k),
            within=1e-12,
            at=f"δ = 1, k = {k}, m = {m}",
        )
        if k <= 3:
            yield equal("supremum 1 ≈ bound", 1, said, within=1e-12, at=f"δ = 1, k = {k}, m = {m}", statement=True)
        distribution = block_distribution(k, 2)
        yield equal("largest risk = 1", max(distribution.risks.tolist()), 1, at=f"k = {k}")


@claim.strengthened(
    "One per cent less than $2$ before the sum is too little for three labels: on the block class some "
    "function has risk {left} and margin loss 0, and the bound would be {right}.",
    by=Fraction(99, 100),
    story=True,
)
def two_for_three_labels(factor: int | Fraction) -> Found:
    yield at_most("supremum 1 ≤ bound", 1, bound(0, factor * HALF, 1, 3, TWENTIETH, 10**6))


@claim.control(
    "For four labels half of the constant before the sum is too little: on the block class some function "
    "has risk {left} and margin loss 0, and the bound would be {right}."
)
def half_of_it_for_four_labels() -> Found:
    yield at_most("supremum 1 ≤ bound", 1, bound(0, HALF / 2, 1, 4, TWENTIETH, 10**6))


@claim.control(
    "The largest of three complexities cannot replace their sum: on the block class some function has "
    "risk {left} and margin loss 0, and the bound would be {right}."
)
def the_largest_in_place_of_the_sum() -> Found:
    yield at_most("supremum 1 ≤ bound", 1, bound(0, HALF / 3, 1, 3, TWENTIETH, 10**6))


@claim.strengthened(
    "The confidence term cannot be two per cent smaller: for a fair coin the logarithm of the failure "
    "probability would be {left}, above the {right} allowed.",
    by=Fraction(98, 100),
)
def the_confidence_term(factor: int | Fraction) -> Found:
    # Each of the two labels has the constants ±1/2, of complexity at most 1/2 √m by Khinchine's inequality.
    total = 2 * kernel_complexity_bound(ball(HALF) ** 2, ball(1), THROWS)
    yield from rare_failure(lambda delta: labels_margin_bound(ball(0), total, ball(1), 2, delta, THROWS), factor)


@claim.strengthened(
    "One per cent less than the margin loss is too little: a function that is always wrong has risk "
    "{left}, and the bound would be {right}.",
    by=Fraction(99, 100),
)
def the_margin_loss(factor: int | Fraction) -> Found:
    yield at_most("risk 1 ≤ bound at margin loss 1", 1, bound(factor, 0, 1, 3, TWENTIETH, 10**6))
