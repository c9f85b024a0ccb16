"""The bound for kernel classes, and its form with slack variables."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than
from mcbook.claims.margin_bounds.bounds import HALF, RARE, TENTH, TWENTIETH, rare_but_real
from mcbook.claims.rademacher.generalisation import THROWS, rare_failure
from mcbook.claims.rademacher.kernels import norm
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.distributions import probabilities_from_counts
from mcbook.foundation.numbers import ball, rational
from mcbook.foundation.proof import Tier
from mcbook.foundation.types import Function, Number, Values
from mcbook.losses import empirical_margin_loss, hinge, margin_loss
from mcbook.margin_bounds import (
    ScoredDistribution,
    informative_sample_size,
    kernel_margin_bound,
    svm_margin_bound,
    two_class_margin_bound,
)
from mcbook.problem import score_margins
from mcbook.rademacher import kernel_complexity_bound
from mcbook.rademacher.algorithm.distributions import bound_failure_probability

Found = Iterator[Evidence]


def bound(
    loss: Number,
    squared_radius: Number,
    squared_norm: Number,
    rho: Number,
    n_classes: int,
    delta: Number,
    n_samples: int,
) -> Number:
    """The kernel bound as a ball."""
    return kernel_margin_bound(
        ball(loss), ball(squared_radius), ball(squared_norm), ball(rho), n_classes, ball(delta), n_samples
    )


def ramp(margins: Values) -> Values:
    """The margin loss at rho = 1."""
    return margin_loss(margins, Fraction(1))


LOSSES: tuple[Function, ...] = (hinge, ramp)
# Just below the quarter of the middle term that learning by heart needs, for two classes.
QUARTER = Fraction(249, 1000)


def linear_distribution(
    rng: np.random.Generator, n_hypotheses: int, n_atoms: int, n_classes: int
) -> tuple[ScoredDistribution, int, int]:
    """Integer rows on integer inputs in the plane, with the largest squared lengths of inputs and of rows."""
    X, W = np.zeros((n_atoms, 2), dtype=int), np.zeros((n_hypotheses, n_classes, 2), dtype=int)
    while not ((W @ X.T) != 0).any():
        X, W = rng.integers(-2, 3, X.shape), rng.integers(-2, 3, W.shape)
    y, weights = rng.integers(0, n_classes, n_atoms), rng.integers(1, 6, n_atoms)
    scores = np.moveaxis(W @ X.T, 1, 2)
    distribution = ScoredDistribution(probabilities_from_counts(weights), rational(scores), y)
    return distribution, int((X * X).sum(axis=1).max()), int((W * W).sum(axis=2).max())


corollary = Claim(
    "cor-kernel-margin-bound",
    "upper bound",
    "exact",
    source="mohri2018",
    where="Corollary 9.4, (9.11)",
    implements=(kernel_margin_bound, informative_sample_size),
    formula=(
        Formula("eq-bounds-kernel", kernel_margin_bound, numbers="balls"),
        Formula("eq-bounds-kernel-size", informative_sample_size, numbers="balls"),
    ),
)


@corollary.check("finite sets of linear scores: exact complexity below r Λ/√m")
def finite_sets_of_linear_scores(rng: np.random.Generator) -> Found:
    for n_atoms, k, m, count in ((2, 2, 40, 2), (3, 3, 8, 2), (4, 2, 5, 2)):
        for _ in range(count):
            distribution, squared_radius, squared_norm = linear_distribution(rng, 4, n_atoms, k)
            limit = kernel_complexity_bound(ball(squared_radius), ball(squared_norm), m)
            yield at_most("R_m(Π₁) ≤ √(r²Λ²/m)", distribution.complexity(m), limit)


def opposite_rows(wrong: Fraction) -> ScoredDistribution:
    """Two opposite rows of length 1/2, and one input of length 1 along them, for which both labels occur."""
    return ScoredDistribution(rational([1 - wrong, wrong]), rational([[[HALF, -HALF]] * 2]), np.array([0, 1]))


@corollary.check("opposite rows of length ½, ρ = 1, Λ their norm for p = 1, 2, ∞: bounds below the risk, which fail")
def opposite_rows_of_length_half(rng: np.random.Generator) -> Found:
    m = 400
    for p, wrong in ((1, Fraction(4, 5)), (2, Fraction(int(rng.integers(8, 10)), 10)), (math.inf, Fraction(9, 10))):
        distribution, norm2 = opposite_rows(wrong), norm(np.array([ball(HALF)] * 2, dtype=object), p) ** 2
        for delta in (HALF, RARE):

            def limit(loss: Number, norm2: Number = norm2, delta: Fraction = delta) -> Number:
                return kernel_margin_bound(ball(loss), ball(1), norm2, ball(1), 2, ball(delta), m)

            yield less_than("bound at margin loss 0 < risk", limit(0), wrong, at=f"p = {p}")
            yield from rare_but_real(f"p = {p}, m = {m}", distribution.bound_failure(Fraction(1), m, limit), delta)


@corollary.check("it says nothing for m ≤ 16 k² r² Λ²/ρ², and something above, at margin loss 0 and δ = 1")
def it_says_nothing_for_m_at_most_16_k_squared_r(rng: np.random.Generator) -> Found:
    for _ in range(40):
        r, length, rho, k = (int(v) for v in rng.integers((1, 1, 1, 2), (4, 4, 6, 12)))
        size = informative_sample_size(r * r, length * length, rho, k, 1, 0)
        yield equal("size = 16k² r²Λ²/ρ²", size, Fraction(16 * k * k * r * r * length * length, rho * rho))
        least = int(size)
        if least >= 2:
            yield at_least("bound just below ≥ 1", bound(0, r * r, length * length, rho, k, 1, least - 1), 1)
        yield less_than("bound just above < 1", bound(0, r * r, length * length, rho, k, 1, least + 1), 1)


@corollary.extremal("with margin loss and confidence: at the size given the bound is 1")
def with_margin_loss_and_confidence() -> Found:
    for loss, k in product((Fraction(0), Fraction(3, 10), Fraction(9, 10)), (2, 11)):
        size = informative_sample_size(ball(2), ball(3), ball(HALF), k, ball(TENTH), ball(loss))
        value = kernel_margin_bound(ball(loss), ball(2), ball(3), ball(HALF), k, ball(TENTH), size)
        yield equal("bound ≈ 1", value, 1, within=1e-10, at=f"margin loss {loss}, k = {k}")


@corollary.extremal("at m = 16 k² r² Λ²/ρ² the bound is exactly 1")
def at_m_16_k_squared_r_squared_lambda_squared_rho() -> Found:
    for k, r, length, inverse in ((2, 1, 1, 1), (3, 2, 1, 1), (10, 1, 3, 4)):
        m = 16 * k * k * r * r * length * length * inverse * inverse
        value = bound(0, r * r, length * length, Fraction(1, inverse), k, 1, m)
        yield equal("bound ≈ 1", value, 1, within=1e-12, at=f"m = {m}")


@corollary.extremal(
    "orthogonal inputs, learnt by heart: 1 − m/N is needed, and the bound is 4. A factor of 2 is 4k where 2k is enough "
    "for two classes; whether the other 2 is needed is open, as no instance is known that uses more"
)
def orthogonal_inputs_learnt_by_heart() -> Found:
    for m, N in ((20, 2000), (100, 10**6)):
        needed, complexity = 1 - Fraction(m, N), kernel_complexity_bound(Fraction(1), Fraction(m, 4), m)
        said = two_class_margin_bound(ball(0), ball(complexity), ball(1), ball(1), m)
        yield equal("two-class bound ≈ 2", said, 2, within=1e-12, at=f"m = {m}")
        yield at_most("risk 1 − m/N ≤ two-class bound", needed, said, at=f"m = {m}")
        yield at_most(
            "risk 1 − m/N ≤ bound", needed, bound(0, 1, Fraction(m, 4), 1, 2, 1, m), at=f"m = {m}", statement=True
        )


def by_heart(n_samples: int, n_atoms: int, rho: Fraction) -> tuple[Fraction, Fraction]:
    """Risk and margin loss of two opposite rows that hold the sample's inputs, all atoms being orthonormal."""
    y = np.arange(n_atoms) % 2
    seen = np.where(np.arange(n_atoms) < n_samples, 1, 0)
    # The inputs are the unit vectors, so the scores are the entries of W.
    scores = rational(seen * (1 - 2 * y))[:, None] * np.array([rho / 2, -rho / 2], dtype=object)
    margins = score_margins(scores, y)
    return Fraction(int((margins <= 0).sum()), n_atoms), empirical_margin_loss(margins[:n_samples], rho)


@corollary.control(
    "The middle term cannot be left out: 20 of 1000 inputs learnt by heart leave the risk {left} at "
    "margin loss 0, and the bound would be {right}."
)
def without_the_middle_term() -> Found:
    risk, loss = by_heart(20, 1000, Fraction(1))
    yield at_most("risk ≤ margin loss and confidence", risk, bound(loss, 0, 0, 1, 2, TWENTIETH, 20))


@corollary.control(
    r"The middle term must be divided by $\rho$: a sample learnt by heart with $\rho=\frac1{100}$ leaves "
    r"the risk {left} at margin loss 0, and without $\rho$ the bound would be {right}."
)
def without_rho_in_the_middle_term() -> Found:
    m, rho = 20, Fraction(1, 100)
    risk, loss = by_heart(m, 1000, rho)
    yield at_most("risk ≤ bound", risk, bound(loss, 1, rho * rho * m / 4, 1, 2, TWENTIETH, m))


@corollary.control(
    "The length of the shortest row cannot replace the norm: if one row learns the sample and the other "
    "is 0, the risk is {left}, and the bound would be {right}."
)
def the_length_of_the_shortest_row() -> Found:
    m, n_atoms = 20, 1000
    # The one row holds the sample's inputs with their signs: margins ρ on the sample and 0 elsewhere.
    yield at_most("risk 1 − m/N ≤ bound", 1 - Fraction(m, n_atoms), bound(0, 1, 0, 1, 2, TWENTIETH, m))


@corollary.control(
    r"The inputs need $K(x,x)\le r^2$: a sample of inputs of length 100 is learnt by heart with rows a hundred times "
    "shorter, which leaves the risk {left} at margin loss 0, and with $r=1$ the bound would be {right}."
)
def inputs_longer_than_the_radius() -> Found:
    m = 20
    # Scores are products, so long inputs and short rows give those of unit inputs.
    risk, loss = by_heart(m, 1000, Fraction(1))
    yield at_most("risk ≤ bound", risk, bound(loss, 1, Fraction(m, 4 * 100**2), 1, 2, TWENTIETH, m))


@corollary.strengthened(
    "Less than a quarter of $4k$ is not enough: a sample of two classes learnt by heart leaves a risk of "
    "nearly 1 at margin loss 0, and the bound would be {right}.",
    by=QUARTER,
)
def less_than_a_quarter_of_4k(factor: int | Fraction) -> Found:
    m, n_atoms = 10**6, 10**12
    limit = bound(0, factor**2, Fraction(m, 4), 1, 2, TWENTIETH, m)
    yield at_most("risk 1 − m/N ≤ bound", 1 - Fraction(m, n_atoms), limit)


@corollary.strengthened(
    "The confidence term cannot be two per cent smaller: for two opposite rows on one input the logarithm"
    " of the failure probability would be {left}, above the {right} allowed.",
    by=Fraction(98, 100),
)
def the_confidence_term(factor: int | Fraction) -> Found:
    def threshold(delta: Number) -> Number:
        return kernel_margin_bound(ball(0), ball(1), ball(HALF) ** 2, ball(1), 2, delta, THROWS)

    yield from rare_failure(threshold, factor)


@corollary.strengthened(
    "One per cent less than the margin loss is too little: for $W=0$ the risk is {left}, and the bound "
    "would be {right}.",
    by=Fraction(99, 100),
)
def the_margin_loss(factor: int | Fraction) -> Found:
    yield at_most("risk 1 ≤ bound at margin loss 1", 1, bound(factor, 1, 0, 1, 2, TWENTIETH, 10**6))


svm = Claim(
    "cor-svm-margin-bound",
    "upper bound",
    "exact",
    source=("mohri2018", "lecture13"),
    where="(9.12); §1.1",
    errata=("E2", "E16"),
    implements=svm_margin_bound,
    formula=Formula("eq-bounds-slacks", svm_margin_bound, numbers="balls"),
)


@svm.check("the ramp is at most the slack, with equality exactly where ρ_h ≥ 0, on a grid of fractions")
def the_ramp_is_at_most_the_slack_with_equality(rng: np.random.Generator) -> Found:
    margins = np.array([Fraction(i, 12) for i in range(-40, 41)], dtype=object)
    slacks, ramps = hinge(margins), ramp(margins)
    for u, slack, capped in zip(margins, slacks, ramps, strict=True):
        yield at_most("ζ ≤ ξ", capped, slack, at=f"ρ_h = {u}")
        yield holds("ζ = ξ exactly if ρ_h ≥ 0", (slack == capped) == (u >= 0), Tier.EXACT, at=f"ρ_h = {u}")


@svm.check("failure probability with slacks and with the ramp: bounds below the risk, which fail")
def failure_probability_with_slacks(rng: np.random.Generator) -> Found:
    m = 400
    for wrong, delta in product((Fraction(4, 5), Fraction(int(rng.integers(7, 10)), 10)), (HALF, RARE)):
        distribution = opposite_rows(wrong)

        def limit(loss: Number, delta: Fraction = delta) -> Number:
            return svm_margin_bound(ball(loss), ball(1), ball(HALF) ** 2, 2, ball(delta), m)

        yield less_than("bound at slack 0 < risk", limit(0), wrong)
        for name, loss in zip(("ξ", "ζ"), LOSSES, strict=True):
            failure = bound_failure_probability(
                loss(distribution.margins), distribution.probabilities, m, limit, distribution.risks
            )
            yield from rare_but_real(f"{name}, risk {wrong}", failure, delta)


@svm.extremal(
    "at m = 16 k² r² Λ² it is the mean slack plus 1; slack and ramp agree on correct answers; learnt by heart, a "
    "quarter is used, as of the bound for kernel classes"
)
def at_m_16_k_squared_r_squared_lambda_squared_it() -> Found:
    for k, slack in ((2, Fraction(0)), (3, Fraction(1, 3)), (5, Fraction(7, 2))):
        value = svm_margin_bound(ball(slack), ball(1), ball(4), k, ball(1), 64 * k * k)
        yield equal("bound ≈ mean slack + 1", value, slack + 1, within=1e-12, at=f"k = {k}")
    margins = np.array([Fraction(0), HALF, Fraction(1), Fraction(3)], dtype=object)
    yield equal("mean slack = mean ramp", hinge(margins).sum() / 4, ramp(margins).sum() / 4)
    m, n_atoms = 100, 10**6
    by_heart_bound = svm_margin_bound(ball(0), ball(1), ball(Fraction(m, 4)), 2, ball(1), m)
    learnt = f"learnt by heart, m = {m}"
    yield at_most("risk 1 − m/N ≤ bound", 1 - Fraction(m, n_atoms), by_heart_bound, at=learnt, statement=True)


@svm.strengthened(
    "Less than a quarter of $4k$ is not enough: a sample of two classes learnt by heart leaves a risk of "
    "nearly 1 without any slack, and the bound would be {right}.",
    by=QUARTER,
)
def less_than_a_quarter_of_4k_with_slacks(factor: int | Fraction) -> Found:
    m, n_atoms = 10**6, 10**12
    limit = svm_margin_bound(ball(0), ball(factor) ** 2, ball(Fraction(m, 4)), 2, ball(TWENTIETH), m)
    yield at_most("risk 1 − m/N ≤ bound", 1 - Fraction(m, n_atoms), limit)


@svm.strengthened(
    "One per cent less than the mean slack or ramp is too little: for $W=0$ every example is a tie, so "
    "the risk is {left}, and the bound would be {right}.",
    by=Fraction(99, 100),
)
def the_mean_of_the_slacks(factor: int | Fraction) -> Found:
    for name, loss in zip(("ξ", "ζ"), LOSSES, strict=True):
        limit = svm_margin_bound(ball(factor * loss(Fraction(0))), ball(1), ball(0), 2, ball(TWENTIETH), 10**6)
        yield at_most(f"risk 1 ≤ bound with {name}", 1, limit)


@svm.strengthened(
    "The confidence term cannot be two per cent smaller: for two opposite rows on one input the logarithm"
    " of the failure probability would be {left}, above the {right} allowed.",
    by=Fraction(98, 100),
)
def the_confidence_term_with_slacks(factor: int | Fraction) -> Found:
    def threshold(delta: Number) -> Number:
        return svm_margin_bound(ball(0), ball(1), ball(HALF) ** 2, 2, delta, THROWS)

    # With the ramp, which is 1 for an error and 0 for an example with margin 1.
    yield from rare_failure(threshold, factor)


@svm.control(
    "Ramp and slack do not give the same bound: for an example with margin $-3$ it is {left} with the "
    "ramp and {right} with the slack."
)
def ramp_and_slack_give_the_same_bound() -> Found:
    of_ramp, of_slack = (svm_margin_bound(loss(Fraction(-3)), 1, 1, 2, 1, 100) for loss in (ramp, hinge))
    yield equal("bound with ζ = with ξ", of_ramp, of_slack)


@svm.control(
    r"Slacks and ramp can rank weights differently: $-\frac14$ has a smaller bound by slacks than 1, but "
    "by the ramp its bound is {left}, above the {right} of 1."
)
def the_weight_with_the_smaller_bound_by_slacks() -> Found:
    # x = (1, 1, 1, -4), each a million times, all labels +, rows ±w/2: slacks prefer w = -1/4 to 1, ramps do not.
    x, m = np.array([1, 1, 1, -4], dtype=object), 4 * 10**6
    gentle, steep = (
        [svm_margin_bound(ball(loss(w * x).sum() / 4), 16, ball(w / 2) ** 2, 2, ball(TWENTIETH), m) for loss in LOSSES]
        for w in (Fraction(-1, 4), Fraction(1))
    )
    assert gentle[0] < steep[0], "the slacks prefer -1/4"
    yield at_most("bound with ζ at −1/4 ≤ at 1", gentle[1], steep[1])
