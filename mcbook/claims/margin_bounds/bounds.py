"""The margin bound for a fixed margin, and the four steps of its proof."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than
from mcbook.claims.rademacher.generalisation import THROWS, rare_failure
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.numbers import ball, rational
from mcbook.foundation.proof import Tier, known
from mcbook.foundation.types import Array, Ball, Number, Scalar
from mcbook.losses import margin_loss
from mcbook.margin_bounds import (
    ScoredDistribution,
    block_complexity,
    block_complexity_limits,
    fixed_margin_failure,
    margin_bound,
    margins_complexity_bound,
    scores_complexity_bound,
    two_block_complexity,
    two_class_margin_bound,
)
from mcbook.margin_bounds.algorithm.distributions import random_scored_distribution
from mcbook.rademacher import (
    confidence_term,
    deviation_distribution,
    failure_probability,
    kernel_complexity_bound,
)

Found = Iterator[Evidence]
HALF, TENTH, TWENTIETH = Fraction(1, 2), Fraction(1, 10), Fraction(1, 20)


def bound(loss: Number, complexity: Number, rho: Number, n_classes: int, delta: Number, n_samples: int) -> Number:
    """The margin bound as a ball."""
    return margin_bound(ball(loss), ball(complexity), ball(rho), n_classes, ball(delta), n_samples)


def two_class_bound(loss: Number, complexity: Number, rho: Number, delta: Number, n_samples: int) -> Number:
    return two_class_margin_bound(ball(loss), ball(complexity), ball(rho), ball(delta), n_samples)


def small_distribution() -> ScoredDistribution:
    """Three inputs, three labels, four score functions: from all right to all wrong."""
    scores = [
        [[2, 0, -1], [0, 2, 0], [-1, 0, 2]],
        [[1, 0, 0], [1, 0, -1], [0, 1, 1]],
        [[0, 1, 2], [0, 1, 0], [2, 0, 1]],
        [[-2, 0, 1], [0, -2, 0], [1, 0, -2]],
    ]
    return ScoredDistribution(rational([HALF, HALF / 2, HALF / 2]), rational(scores), np.array([0, 1, 2]))


def capped(margins: Array, theta: Number) -> Array:
    """min(margin, theta) entry by entry."""
    return np.frompyfunc(lambda margin: min(margin, theta), 1, 1)(margins)


theorem = Claim(
    "thm-multiclass-margin-bound",
    "upper bound",
    "exact",
    source="mohri2018",
    where="Theorem 9.2, (9.10)",
    errata=("E3", "E16"),
    implements=(margin_bound, two_class_margin_bound),
    formula=(
        Formula("eq-bounds-theorem", margin_bound, numbers="balls"),
        Formula("eq-bounds-two-classes", two_class_margin_bound, numbers="balls"),
    ),
)


# So rare that the bounds would fail more often without their confidence term, however generous the rest is.
RARE = Fraction(1, 10**40)


def rare_but_real(name: str, failure: Scalar, delta: Fraction) -> Found:
    """The bound may fail and does, but not too often: a bound that cannot fail would prove nothing."""
    yield less_than("0 < failure", 0, failure, at=name)
    yield at_most("failure ≤ δ", failure, delta, at=name)


@theorem.check("random distributions with two and three atoms, ρ = 2, all samples enumerated: bounds that do fail")
def failure_probability_on_random_distributions(rng: np.random.Generator) -> Found:
    for n_atoms, k, m, delta in ((2, 2, 60, HALF), (2, 2, 80, TWENTIETH), (2, 3, 100, HALF), (3, 2, 30, HALF)):
        distribution = surprising_distribution(rng, n_atoms, k, m, delta)
        failure = fixed_margin_failure(distribution, Fraction(2), m, delta)
        yield from rare_but_real(f"{n_atoms} atoms, k = {k}, m = {m}", failure, delta)


def surprising_distribution(
    rng: np.random.Generator, n_atoms: int, n_classes: int, m: int, delta: Fraction
) -> ScoredDistribution:
    """A random distribution on which some sample is so unlike the distribution that the margin bound at ρ = 2 fails."""
    while True:
        distribution = random_scored_distribution(rng, 2, n_atoms, n_classes, largest=1)
        largest = max(deviation for deviation, _ in distribution.deviations(Fraction(2), m))
        # Scores ±1 and 0 can err with margin 0 and loss 1, so most distributions surprise nobody; these may.
        if largest > HALF and largest > known(bound(0, distribution.complexity(m), 2, n_classes, delta, m)).upper:
            return distribution


@theorem.check("coins with scores ±1/2, ρ = 1: bounds below the risk, with 4k and with 2k for two classes")
def coins_with_scores_half(rng: np.random.Generator) -> Found:
    for error, m in ((Fraction(4, 5), 400), (Fraction(int(rng.integers(7, 10)), 10), 250)):
        distribution = coin(error)
        for delta in (HALF, RARE):
            for name, limit in coin_bounds(distribution.complexity(m), delta, m).items():
                yield less_than(f"bound with {name} at margin loss 0 < risk", limit(Fraction(0)), error, at=f"m = {m}")
                yield from rare_but_real(f"{name}, m = {m}", distribution.bound_failure(Fraction(1), m, limit), delta)


def coin_bounds(complexity: Number, delta: Fraction, m: int) -> dict[str, Callable[[Fraction], Ball]]:
    """The two bounds for two classes at ρ = 1, as functions of the margin loss on the sample."""
    return {
        "4k": lambda loss: bound(loss, complexity, 1, 2, delta, m),
        "2k": lambda loss: two_class_bound(loss, complexity, 1, delta, m),
    }


def coin(error: Fraction) -> ScoredDistribution:
    """A constant score function for two classes, with margin 1 on one atom and -1 on the other, and its negative."""
    scores = [[[HALF, -HALF]] * 2, [[-HALF, HALF]] * 2]
    return ScoredDistribution(rational([1 - error, error]), rational(scores), np.array([0, 1]))


@theorem.extremal("block class: the supremum of R - margin loss is 1, the bound 2 (1 + 2 binom(2m, m) / 4^m), k = 2")
def block_class_the_supremum_of_r_margin_loss_is_1() -> Found:
    for rho in (Fraction(1), Fraction(1, 3)):
        for m in (1, 4, 7, 1000):
            complexity = block_complexity(2, m, rho) if m < 10 else two_block_complexity(m, rho)
            excess = Fraction(2 * math.comb(2 * m, m), 4**m)
            value = bound(0, complexity, rho, 2, 1, m)
            yield equal("bound ≈ 2 (1 + excess)", value, 2 * (1 + excess), within=1e-12, at=f"δ = 1, m = {m}")
            halved = two_class_bound(0, complexity, rho, 1, m)
            yield equal("bound for two classes ≈ 1 + excess", halved, 1 + excess, within=1e-12, at=f"δ = 1, m = {m}")
            yield at_most("supremum 1 ≤ bound for two classes", 1, halved, at=f"δ = 1, m = {m}", statement=True)
    for m, delta in ((50, TWENTIETH), (1000, TENTH)):
        gap = bound(0, 0, 1, 3, delta, m)
        yield equal(
            "2m (confidence term)² ≈ ln(1/δ)", gap * gap * 2 * m, ball(1 / delta).log(), within=1e-10, at=f"m = {m}"
        )


@theorem.extremal("a constant of 4k is at most twice too large, for every k: the bound tends to 2 where 1 is needed")
def a_constant_of_4k_is_at_most_twice_too_large() -> Found:
    for k, m in ((3, 10**6), (5, 10**6), (10, 10**7), (50, 10**8)):
        limits = block_complexity_limits(k, m)
        yield at_most(
            "half the bound ≤ 1.02", bound(0, limits.upper, 1, k, 1, m) / 2, Fraction(102, 100), at=f"k = {k}"
        )
        yield at_least(
            "half the bound ≥ 1 − 10⁻¹²", bound(0, limits.lower, 1, k, 1, m) / 2, 1 - Fraction(1, 10**12), at=f"k = {k}"
        )


@theorem.trace("three inputs, three labels, four score functions, three draws; ρ = 1, θ = 2, δ = 1/10")
def three_inputs_three_labels_four_score_functions() -> Found:
    distribution, rho, m, k = small_distribution(), Fraction(1), 3, 3
    theta = 2 * rho
    cut = distribution.truncated(theta)
    losses, weights = margin_loss(cut, rho), distribution.probabilities
    for h, (risk, mean) in enumerate(zip(distribution.risks, losses @ weights, strict=True), 1):
        yield equal("Pr[ρ_θ ≤ 0] = R", (cut[h - 1] <= 0).astype(int).astype(object) @ weights, risk, at=f"h{h}")
        yield at_most("R ≤ E Φ_ρ(ρ_θ)", risk, mean, at=f"h{h}")
    yield holds(
        "Φ_ρ(ρ_θ) = Φ_ρ(ρ_h) at every atom", bool((losses == distribution.margin_losses(rho)).all()), Tier.EXACT
    )
    yield from _deviation_lines(distribution, losses, m)
    margins = distribution.mean_complexity(cut, m)
    yield at_most("R_m(Φ_ρ∘H̃) ≤ R_m(H̃)/ρ", distribution.mean_complexity(losses, m), margins / rho, at="contraction")
    own, highest = (
        distribution.mean_complexity(distribution.own_scores, m),
        distribution.mean_complexity(distribution.highest_scores(theta), m),
    )
    yield at_most("R_m(H̃) ≤ own + highest scores", margins, own + highest, at="sup is sub-additive, −σ ~ σ")
    yield from _own_score_lines(distribution, own, m)
    yield from _highest_score_lines(distribution, highest, theta, m)
    complexity = distribution.complexity(m)
    yield at_most("R_m(H̃) ≤ 2k R_m(Π₁)", margins, margins_complexity_bound(complexity, k), at="together")
    failure = distribution.failure(rho, m, bound(0, complexity, rho, k, TENTH, m))
    yield at_most("failure ≤ δ", failure, TENTH, at="together")


def _deviation_lines(distribution: ScoredDistribution, losses: Array, m: int) -> Found:
    """The generalisation bound of the class of losses: symmetrisation, and bounded differences."""
    mean = sum((d * p for d, p in deviation_distribution(losses, distribution.probabilities, m)), Fraction(0))
    yield at_most(
        "E sup (E g − mean of g) ≤ 2 R_m", mean, 2 * distribution.mean_complexity(losses, m), at="symmetrisation"
    )
    threshold = ball(mean) + confidence_term(ball(TENTH), m)
    tail = failure_probability(losses, distribution.probabilities, m, threshold)
    yield at_most("Pr[sup > E sup + √(ln(1/δ)/2m)] ≤ δ", tail, TENTH, at="bounded differences")


def _own_score_lines(distribution: ScoredDistribution, own: Fraction, m: int) -> Found:
    """The first of the two terms: one summand for each label, then [y_i = y] = (1 + ε_i) / 2."""
    complexity, total = distribution.complexity(m), Fraction(0)
    for label in range(distribution.n_classes):
        mine = (distribution.y == label).astype(int).astype(object)
        column = distribution.scores[:, :, label]
        masked = distribution.mean_complexity(column * mine, m)
        signed, plain = (
            distribution.mean_complexity(column * (2 * mine - 1), m),
            distribution.mean_complexity(column, m),
        )
        yield at_most(
            "masked scores ≤ mean of scores with and without ε_i", masked, (signed + plain) / 2, at=f"y = {label + 1}"
        )
        yield equal("R_m with σ_i ε_i = with σ_i", signed, plain, at=f"y = {label + 1}")
        yield at_most("R_m(H(·, y)) ≤ R_m(Π₁)", plain, complexity, at=f"y = {label + 1}")
        total += masked
    yield at_most("own scores ≤ sum over y", own, total)
    yield at_most("own scores ≤ k R_m(Π₁)", own, scores_complexity_bound(complexity, distribution.n_classes))


def _highest_score_lines(distribution: ScoredDistribution, highest: Fraction, theta: Fraction, m: int) -> Found:
    """The second term: the lemma on maxima, and signs of mean 0."""
    complexity, total = distribution.complexity(m), Fraction(0)
    for label in range(distribution.n_classes):
        mine = (distribution.y == label).astype(int).astype(object)
        shifted = distribution.mean_complexity(distribution.scores[:, :, label] - theta * mine, m)
        plain = distribution.mean_complexity(distribution.scores[:, :, label], m)
        yield equal("R_m with the shift θ[y_i = y] = without it", shifted, plain, at=f"y = {label + 1}")
        total += shifted
    yield at_most("highest scores ≤ sum over y", highest, total, at="lemma on maxima")
    yield at_most("highest scores ≤ k R_m(Π₁)", highest, scores_complexity_bound(complexity, distribution.n_classes))


# On the block class the supremum of R - margin loss is 1 for every sample, so a bound below 1 fails always.
DRAWS = 10**10


@theorem.strengthened(
    "Less than half of $4k$ is not enough: on the block class some function has risk {left} and margin "
    r"loss 0, and with $0.499\cdot4k$ the bound would be {right}.",
    by=Fraction(499, 1000),
    story=True,
)
def less_than_half_of_4k(factor: int | Fraction) -> Found:
    for k in (2, 3, 5, 50):
        complexity = factor * block_complexity_limits(k, DRAWS * k).upper
        yield at_most("supremum 1 ≤ bound", 1, bound(0, complexity, 1, k, TWENTIETH, DRAWS * k), at=f"k = {k}")


@theorem.strengthened(
    "One thousandth less than $2k$ is too little for two classes: on the block class some function has "
    "risk {left} and margin loss 0, and the bound would be {right}.",
    by=Fraction(999, 1000),
)
def the_2k_for_two_classes(factor: int | Fraction) -> Found:
    complexity = factor * block_complexity_limits(2, DRAWS).upper
    yield at_most("supremum 1 ≤ bound", 1, two_class_bound(0, complexity, 1, TWENTIETH, DRAWS))


@theorem.strengthened(
    "The confidence term cannot be two per cent smaller: for a fair coin the logarithm of the failure "
    "probability would be {left}, above the {right} allowed.",
    by=Fraction(98, 100),
)
def the_confidence_term(factor: int | Fraction) -> Found:
    # The complexity of the two constants ±1/2 is at most 1/2 √m, by Khinchine's inequality.
    complexity = kernel_complexity_bound(ball(HALF) ** 2, ball(1), THROWS)
    yield from rare_failure(lambda delta: margin_bound(ball(0), complexity, ball(1), 2, delta, THROWS), factor)


@theorem.strengthened(
    "One per cent less than the margin loss is too little: a function that is always wrong has risk "
    "{left}, and the bound would be {right}.",
    by=Fraction(99, 100),
)
def the_margin_loss(factor: int | Fraction) -> Found:
    m = 10**6
    yield at_most("risk 1 ≤ bound at margin loss 1", 1, bound(factor, 0, 1, 2, TWENTIETH, m))


@theorem.control(
    "The complexity term cannot be left out: on the block class, for a sample of ten, some function has "
    "risk {left} and margin loss 0, and the bound would be {right}."
)
def without_the_complexity_term() -> Found:
    yield at_most("supremum 1 ≤ confidence term", 1, bound(0, 0, 1, 2, TWENTIETH, 10), at="m = 10")


@theorem.control(
    "The share of training errors cannot replace the margin loss: with scores a hundred times smaller "
    r"than $\rho$ some function has risk {left} and no training error, and the bound would be {right}."
)
def the_share_of_training_errors_in_place() -> Found:
    m = 10_000
    complexity = two_block_complexity(m, Fraction(1, 100))
    yield at_most("supremum 1 ≤ bound", 1, bound(0, complexity, 1, 2, TWENTIETH, m), at="ρ = 1")


@theorem.control(
    "The margin must be that of the true label: with the best score minus the second best a confident "
    "error costs nothing, so the bound would be {right}, where the risk is {left}."
)
def the_margin_taken_as_the_best_score_less() -> Found:
    distribution, m = ScoredDistribution(rational([1]), rational([[[2, 0]]]), np.array([1])), 200
    table = np.sort(distribution.scores[0], axis=1)
    loss = margin_loss(table[:, -1] - table[:, -2], Fraction(2))[0]
    yield at_most(
        "risk of one function ≤ bound",
        distribution.risks[0],
        bound(loss, distribution.complexity(m), 2, 2, TWENTIETH, m),
    )


@theorem.control(
    "The examples must be independent: if a single draw is repeated 100 times, the bound fails with "
    "probability {left}, not at most {right}."
)
def draws_that_are_not_independent() -> Found:
    distribution, m = coin(HALF), 100
    limit = known(bound(0, distribution.complexity(m), 1, 2, TWENTIETH, m))
    losses = distribution.margin_losses(Fraction(1))[0]
    fails = [
        p
        for loss, p in zip(losses, distribution.probabilities, strict=True)
        if distribution.risks[0] - loss > limit.upper
    ]
    yield at_most("failure ≤ δ", sum(fails, Fraction(0)), TWENTIETH)


@theorem.control(
    "The margin must be taken over all rivals: over the first alone, a label that beats it and loses to "
    "another costs nothing, while the risk is {left} and the bound would be {right}."
)
def rho_h_read_as_the_margin_over_the_first_rival() -> Found:
    m = 200
    distribution = ScoredDistribution(rational([1]), rational([[[1, 0, 2]]]), np.array([0]))
    loss = margin_loss(distribution.scores[0, 0, 0] - distribution.scores[0, 0, 1], Fraction(1))
    yield at_most("risk of one function ≤ bound", distribution.risks[0], bound(loss, 0, 1, 3, TWENTIETH, m))
