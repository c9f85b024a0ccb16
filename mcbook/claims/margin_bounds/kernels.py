"""The bound for kernel classes, and its form with slack variables."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than
from mcbook.claims.margin_bounds.bounds import HALF, TENTH, TWENTIETH
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.exact import ball, rational
from mcbook.losses import empirical_margin_loss, hinge, margin_loss
from mcbook.margin_bounds import (
    ScoredLaw,
    informative_sample_size,
    kernel_margin_bound,
    svm_margin_bound,
    two_class_margin_bound,
)
from mcbook.problem import score_margins
from mcbook.rademacher import failure_probability, kernel_complexity_bound

Found = Iterator[Evidence]


def bound(
    loss: Any, squared_radius: Any, squared_norm: Any, rho: Any, n_classes: int, delta: Any, n_samples: int
) -> Any:
    """The kernel bound as a ball."""
    return kernel_margin_bound(
        ball(loss), ball(squared_radius), ball(squared_norm), ball(rho), n_classes, ball(delta), n_samples
    )


def ramp(margins: Any) -> Any:
    """The margin loss at rho = 1."""
    return margin_loss(margins, Fraction(1))


def linear_law(rng: np.random.Generator, n_hypotheses: int, n_atoms: int, n_classes: int) -> tuple[ScoredLaw, int, int]:
    """Integer rows on integer inputs in the plane, with the largest squared lengths of inputs and of rows."""
    X, W = np.zeros((n_atoms, 2), dtype=int), np.zeros((n_hypotheses, n_classes, 2), dtype=int)
    while not ((W @ X.T) != 0).any():
        X, W = rng.integers(-2, 3, X.shape), rng.integers(-2, 3, W.shape)
    y, weights = rng.integers(0, n_classes, n_atoms), [int(w) for w in rng.integers(1, 6, n_atoms)]
    scores = np.moveaxis(W @ X.T, 1, 2)
    law = np.array([Fraction(w, sum(weights)) for w in weights], dtype=object)
    return ScoredLaw(rational(scores), y, law), int((X * X).sum(axis=1).max()), int((W * W).sum(axis=2).max())


# --- C9.4 ------------------------------------------------------------------------------------------------------------

corollary = Claim(
    "C9.4",
    implements=(kernel_margin_bound, informative_sample_size),
    formula=(
        Formula("eq-bounds-kernel", kernel_margin_bound, numbers="balls"),
        Formula("eq-bounds-kernel-size", informative_sample_size, numbers="balls"),
    ),
)


@corollary.check("finite sets of linear scores: exact complexity below r Λ/√m, exact failure probability below δ")
def finite_sets_of_linear_scores(rng: np.random.Generator) -> Found:
    for n_atoms, k, m, count in ((2, 2, 40, 3), (3, 3, 8, 4), (4, 2, 5, 4)):
        for _ in range(count):
            law, squared_radius, squared_norm = linear_law(rng, 4, n_atoms, k)
            limit = kernel_complexity_bound(ball(squared_radius), ball(squared_norm), m)
            yield at_most("R_m(Π₁), √(r²Λ²/m)", law.complexity(m), limit)
            for delta in (TENTH, HALF):
                failure = law.failure(Fraction(2), m, bound(0, squared_radius, squared_norm, 2, k, delta, m))
                yield at_most("failure, δ", failure, delta)


@corollary.check("one function with rows of length ½ on two unit inputs, ρ = 1: the bound is below 1")
def one_function_with_rows_of_length_half_on_two(rng: np.random.Generator) -> Found:
    for m in (150, 400):
        wrong = Fraction(int(rng.integers(2, 6)), 10)
        law = ScoredLaw(rational([[[HALF, -HALF]] * 2]), np.array([0, 1]), rational([1 - wrong, wrong]))
        value = bound(0, 1, Fraction(1, 4), 1, 2, TENTH, m)
        yield less_than("bound less margin loss, 1", value, 1)
        yield at_most("failure, δ", law.failure(Fraction(1), m, value), TENTH)


@corollary.check(
    "it says nothing for m ≤ 16 k² r² Λ²/ρ², and something above, if no loss and no confidence is paid for"
)
def it_says_nothing_for_m_at_most_16_k_squared_r(rng: np.random.Generator) -> Found:
    for _ in range(40):
        r2, norm2, rho, k = (int(v) for v in rng.integers((1, 1, 1, 2), (9, 9, 6, 12)))
        size = informative_sample_size(ball(r2), ball(norm2), ball(rho), k, ball(1), ball(0))
        yield equal("size, 16k² r²Λ²/ρ²", size, Fraction(16 * k * k * r2 * norm2, rho * rho), within=1e-8)
        least = int(Fraction(16 * k * k * r2 * norm2, rho * rho))
        if least >= 2:
            yield at_least("bound just below, 1", bound(0, r2, norm2, rho, k, 1, least - 1), 1)
        yield less_than("bound just above, 1", bound(0, r2, norm2, rho, k, 1, least + 1), 1)


@corollary.check("with margin loss and confidence: at the size given the bound is 1")
def with_margin_loss_and_confidence(rng: np.random.Generator) -> Found:
    for _ in range(20):
        loss, k = Fraction(int(rng.integers(0, 10)), 10), int(rng.integers(2, 12))
        size = informative_sample_size(ball(2), ball(3), ball(HALF), k, ball(TENTH), ball(loss))
        value = kernel_margin_bound(ball(loss), ball(2), ball(3), ball(HALF), k, ball(TENTH), size)
        yield equal("bound, 1", value, 1, within=1e-10)


@corollary.extremal("at m = 16 k² r² Λ²/ρ² the bound is exactly 1")
def at_m_16_k_squared_r_squared_lambda_squared_rho() -> Found:
    for k, r, norm, inverse in ((2, 1, 1, 1), (3, 2, 1, 1), (10, 1, 3, 4)):
        m = 16 * k * k * r * r * norm * norm * inverse * inverse
        value = bound(0, r * r, norm * norm, Fraction(1, inverse), k, 1, m)
        yield equal(f"bound at m = {m}, 1", value, 1, within=1e-12)


@corollary.extremal("orthogonal inputs, learnt by heart: 1 - m/N is needed, 2 rΛ/(ρ√m)·2 = 2 is said for two classes")
def orthogonal_inputs_learnt_by_heart() -> Found:
    for m, N in ((20, 2000), (100, 10**6)):
        needed, complexity = 1 - Fraction(m, N), kernel_complexity_bound(Fraction(1), Fraction(m, 4), m)
        said = two_class_margin_bound(ball(0), ball(complexity), ball(1), ball(1), m)
        yield equal(f"two-class bound at m = {m}", said, 2, within=1e-12)
        yield at_most(f"risk less margin loss, bound at m = {m}", needed, said)


def by_heart(n_samples: int, n_atoms: int, rho: Fraction) -> tuple[Fraction, Fraction]:
    """Risk and margin loss of two opposite rows that hold the sample's inputs, all atoms being orthonormal."""
    y = np.arange(n_atoms) % 2
    seen = np.where(np.arange(n_atoms) < n_samples, 1, 0)
    # The inputs are the unit vectors, so the scores are the entries of W.
    scores = rational(seen * (1 - 2 * y))[:, None] * np.array([rho / 2, -rho / 2], dtype=object)
    margins = score_margins(scores, y)
    return Fraction(int((margins <= 0).sum()), n_atoms), empirical_margin_loss(margins[:n_samples], rho)


@corollary.control("without the middle term: a sample learnt by heart")
def without_the_middle_term() -> Found:
    risk, loss = by_heart(20, 1000, Fraction(1))
    yield at_most("risk, margin loss and confidence", risk, bound(loss, 0, 0, 1, 2, TWENTIETH, 20))


@corollary.control("without ρ in the middle term: the same, with ρ = 1/100")
def without_rho_in_the_middle_term() -> Found:
    m, rho = 20, Fraction(1, 100)
    risk, loss = by_heart(m, 1000, rho)
    yield at_most("risk, bound", risk, bound(loss, 1, rho * rho * m / 4, 1, 2, TWENTIETH, m))


@corollary.control("0.9k in place of 4k")
def control_0_9k_in_place_of_4k() -> Found:
    m = 1000
    shrunk = Fraction(9, 40) ** 2
    yield at_most("1 - m/N, bound", 1 - Fraction(m, 10**6), bound(0, 1, shrunk * m / 4, 1, 2, TWENTIETH, m))


# --- B9.12 -----------------------------------------------------------------------------------------------------------

svm = Claim(
    "B9.12", implements=svm_margin_bound, formula=Formula("eq-bounds-slacks", svm_margin_bound, numbers="balls")
)


@svm.check("the ramp is at most the slack, with equality exactly where ρ_h ≥ 0, on a grid of fractions")
def the_ramp_is_at_most_the_slack_with_equality(rng: np.random.Generator) -> Found:
    margins = np.array([Fraction(i, 12) for i in range(-40, 41)], dtype=object)
    slacks, ramps = hinge(margins), ramp(margins)
    for u, slack, capped in zip(margins, slacks, ramps, strict=True):
        yield at_most(f"ζ, ξ at ρ_h = {u}", capped, slack)
        yield holds("equal exactly if ρ_h ≥ 0", (slack == capped) == (u >= 0), Tier.EXACT)


@svm.check("failure probability with slacks and with the ramp, every sample enumerated")
def failure_probability_with_slacks(rng: np.random.Generator) -> Found:
    for n_atoms, k, m, count in ((2, 2, 40, 3), (3, 3, 8, 3), (4, 2, 5, 3)):
        for _ in range(count):
            law, squared_radius, squared_norm = linear_law(rng, 4, n_atoms, k)
            limit = svm_margin_bound(ball(0), ball(squared_radius), ball(squared_norm), k, ball(TENTH), m)
            for name, loss in (("ξ", hinge), ("ζ", ramp)):
                failure = failure_probability(loss(law.margins), law.probabilities, m, limit, law.risks)
                yield at_most(f"failure with {name}, δ", failure, TENTH)


@svm.extremal("at m = 16 k² r² Λ² it is the mean slack plus 1; slack and ramp agree on correct answers")
def at_m_16_k_squared_r_squared_lambda_squared_it() -> Found:
    for k, slack in ((2, Fraction(0)), (3, Fraction(1, 3)), (5, Fraction(7, 2))):
        value = svm_margin_bound(ball(slack), ball(1), ball(4), k, ball(1), 64 * k * k)
        yield equal(f"bound, k = {k}", value, slack + 1, within=1e-12)
    margins = np.array([Fraction(0), HALF, Fraction(1), Fraction(3)], dtype=object)
    yield equal("mean slack, mean ramp", hinge(margins).sum() / 4, ramp(margins).sum() / 4)


@svm.control("ramp and slack are the same: an example with margin -3")
def ramp_and_slack_are_the_same() -> Found:
    yield equal("ζ, ξ", ramp(Fraction(-3)), hinge(Fraction(-3)))


@svm.control("the weight that minimises the bound with slacks minimises the one with the ramp")
def the_weight_that_minimises_the_bound_with_slacks() -> Found:
    # x = (1, 1, 1, -4), all labels +, w²/2 + the losses/2: the slacks are least at w = -1/4, the ramps at w = 1.
    x, weights = np.array([1, 1, 1, -4], dtype=object), (Fraction(-1, 4), Fraction(1))
    of_slacks, of_ramps = ([w * w / 2 + loss(w * x).sum() / 2 for w in weights] for loss in (hinge, ramp))
    assert of_slacks[0] < of_slacks[1], "the slacks prefer -1/4"
    yield at_most("ramp objective at -1/4, at 1", of_ramps[0], of_ramps[1])
