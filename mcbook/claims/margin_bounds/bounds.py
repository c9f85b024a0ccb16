"""The margin bound for a fixed margin, and the four steps of its proof."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Tier, known
from mcbook.foundation.proof.exact import ball, rational
from mcbook.losses import margin_loss
from mcbook.margin_bounds import (
    ScoredLaw,
    block_complexity,
    block_complexity_limits,
    block_scores,
    fixed_margin_failure,
    margin_bound,
    margins_complexity_bound,
    random_scored_law,
    scores_complexity_bound,
    truncated_margins,
    two_block_complexity,
    two_class_margin_bound,
)
from mcbook.problem import score_margins
from mcbook.rademacher import (
    all_patterns,
    confidence_term,
    deviation_law,
    exact_complexity,
    failure_probability,
    projected_class,
)

Found = Iterator[Evidence]
HALF, TENTH, TWENTIETH = Fraction(1, 2), Fraction(1, 10), Fraction(1, 20)


def bound(loss: Any, complexity: Any, rho: Any, n_classes: int, delta: Any, n_samples: int) -> Any:
    """The margin bound as a ball."""
    return margin_bound(ball(loss), ball(complexity), ball(rho), n_classes, ball(delta), n_samples)


def two_class_bound(loss: Any, complexity: Any, rho: Any, delta: Any, n_samples: int) -> Any:
    return two_class_margin_bound(ball(loss), ball(complexity), ball(rho), ball(delta), n_samples)


def small_law() -> ScoredLaw:
    """Three inputs, three labels, four score functions: from all right to all wrong."""
    scores = [
        [[2, 0, -1], [0, 2, 0], [-1, 0, 2]],
        [[1, 0, 0], [1, 0, -1], [0, 1, 1]],
        [[0, 1, 2], [0, 1, 0], [2, 0, 1]],
        [[-2, 0, 1], [0, -2, 0], [1, 0, -2]],
    ]
    law = np.array([HALF, HALF / 2, HALF / 2], dtype=object)
    return ScoredLaw(rational(scores), np.array([0, 1, 2]), law)


def capped(margins: Any, theta: Any) -> Any:
    """min(margin, theta) entry by entry."""
    return np.frompyfunc(lambda margin: min(margin, theta), 1, 1)(margins)


# --- T9.2a-T9.2d: the four steps -------------------------------------------------------------------------------------

steps = Claim(
    "T9.2a-T9.2d",
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
        law = random_scored_law(rng, 6, 5, int(rng.integers(2, 6)))
        rho = Fraction(int(rng.integers(1, 9)), int(rng.integers(1, 4)))
        for theta in (rho, 2 * rho, rho / 3):
            cut = law.truncated(theta)
            yield holds("ρ_θ,h = min(ρ_h, θ)", bool((cut == capped(law.margins, theta)).all()), Tier.EXACT)
            yield holds("ρ_θ,h ≤ ρ_h", bool((cut <= law.margins).all()), Tier.EXACT)
            if theta >= rho:
                same = law.margin_losses(rho)
                yield holds("Φ_ρ(ρ_θ,h) = Φ_ρ(ρ_h)", bool((margin_loss(cut, rho) == same).all()), Tier.EXACT)


@steps.check("the own scores and the highest scores have complexity at most k R_m(Π₁(H)), over all samples and signs")
def the_own_scores_and_the_highest_scores_have(rng: np.random.Generator) -> Found:
    for _ in range(25):
        k, n_atoms, m = int(rng.integers(2, 5)), int(rng.integers(1, 4)), int(rng.integers(1, 6))
        law = random_scored_law(rng, int(rng.integers(1, 7)), n_atoms, k)
        theta = Fraction(int(rng.integers(1, 9)), 2)
        limit = scores_complexity_bound(law.complexity(m), k)
        yield at_most("h(x, y), k R_m", law.mean_complexity(law.own_scores, m), limit)
        yield at_most("max h(x, y′) - θ[y′ = y], k R_m", law.mean_complexity(law.highest_scores(theta), m), limit)
        both = margins_complexity_bound(law.complexity(m), k)
        yield at_most("ρ_θ,h, 2k R_m", law.mean_complexity(law.truncated(theta), m), both)


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
        yield equal(f"h(x_i, y_i), k times the complexity, k = {k}", own, limit)
        yield equal(f"2k times the complexity, twice that, k = {k}", margins_complexity_bound(own / k, k), 2 * limit)


@steps.extremal("highest scores: on the block class the two differ by 2 binom(2m, m) / 4^m, for two classes")
def highest_scores_on_the_block_class_the_two_differ() -> Found:
    for m in (1, 2, 6, 200):
        limit = scores_complexity_bound(two_block_complexity(m), 2)
        excess = Fraction(2 * math.comb(2 * m, m), 4**m)
        # The highest score is the free one, 0 or -1 at every input, so its complexity is 1/2.
        yield equal(f"k R_m = 1/2 (1 + excess), m = {m}", limit, HALF * (1 + excess))
        yield at_most(f"1/2, k R_m, m = {m}", HALF, limit)
    scores, y = block_scores([0, 1, 0, 1], 2)
    highest = np.array([(s - np.eye(2, dtype=int)[y]).max(axis=1) for s in scores])
    yield equal("complexity of the highest scores", exact_complexity(highest.astype(int)), HALF)


@steps.control("θ a little below ρ")
def theta_a_little_below_rho() -> Found:
    law, rho = small_law(), Fraction(1)
    cut = law.truncated(Fraction(99, 100))
    yield equal("loss of ρ_θ, of ρ_h", margin_loss(cut, rho)[0][0], law.margin_losses(rho)[0][0])


@steps.control("the last display as it is printed, without 1/m")
def the_last_display_as_it_is_printed_without_1_m() -> Found:
    law, m = small_law(), 3
    yield at_most("E sup Σ σ_i h(x_i, 1), R_m", m * law.mean_complexity(law.scores[:, :, 0], m), law.complexity(m))


@steps.control("the strict inequality of the printed proof")
def the_strict_inequality_of_the_printed_proof() -> Found:
    scores, y = balanced_scores(3, 2)
    own = exact_complexity(scores[:, np.arange(len(y)), y].astype(int))
    yield less_than(
        "own scores, k times the complexity", own, 3 * exact_complexity(projected_class(scores).astype(int))
    )


@steps.control("k - 1 in place of k")
def k_1_in_place_of_k() -> Found:
    scores, y = balanced_scores(3, 2)
    own = exact_complexity(scores[:, np.arange(len(y)), y].astype(int))
    yield at_most("own scores", own, 2 * exact_complexity(projected_class(scores).astype(int)))


# --- T9.2 ------------------------------------------------------------------------------------------------------------

theorem = Claim(
    "T9.2",
    implements=(margin_bound, two_class_margin_bound),
    formula=(
        Formula("eq-bounds-theorem", margin_bound, numbers="balls"),
        Formula("eq-bounds-two-classes", two_class_margin_bound, numbers="balls"),
    ),
)


@theorem.check("failure probability on laws with two to four atoms, all samples enumerated")
def failure_probability_on_laws_with_two_to_four(rng: np.random.Generator) -> Found:
    for n_atoms, k, m, count in ((2, 2, 60, 2), (2, 3, 30, 4), (3, 3, 8, 4), (4, 4, 5, 3)):
        for _ in range(count):
            law = random_scored_law(rng, int(rng.integers(1, 5)), n_atoms, k, largest=1)
            failure = fixed_margin_failure(law, Fraction(1), m, TENTH)
            yield at_most(f"failure, δ ({n_atoms} atoms, m = {m})", failure, TENTH)


@theorem.check("single functions with scores ±1/2, ρ = 1: bounds well below 1, and failures of known tiny probability")
def single_functions_with_scores_1_2_rho_1(rng: np.random.Generator) -> Found:
    for m in (50, 100):
        law = coin(Fraction(int(rng.integers(7, 10)), 10))
        complexity = law.complexity(m)
        yield less_than("bound less margin loss, 1", bound(0, complexity, 1, 2, TWENTIETH, m), 1)
        failure = law.failure(Fraction(1), m, bound(0, complexity, 1, 2, TWENTIETH, m))
        yield less_than("0, failure", 0, failure)
        yield at_most("failure, δ", failure, TWENTIETH)
        halved = law.failure(Fraction(1), m, two_class_bound(0, complexity, 1, TWENTIETH, m))
        yield at_most("failure with 2k for two classes, δ", halved, TWENTIETH)


def coin(error: Fraction) -> ScoredLaw:
    """One score function for two classes, with margin 1 on one atom and -1 on the other."""
    scores = [[[HALF, -HALF], [HALF, -HALF]]]
    return ScoredLaw(rational(scores), np.array([0, 1]), np.array([1 - error, error], dtype=object))


@theorem.extremal("block class: the supremum of R - margin loss is 1, the bound 2 (1 + 2 binom(2m, m) / 4^m), k = 2")
def block_class_the_supremum_of_r_margin_loss_is_1() -> Found:
    for rho in (Fraction(1), Fraction(1, 3)):
        for m in (1, 4, 7, 1000):
            complexity = block_complexity(2, m, rho) if m < 10 else two_block_complexity(m, rho)
            excess = Fraction(2 * math.comb(2 * m, m), 4**m)
            value = bound(0, complexity, rho, 2, 1, m)
            yield equal(f"bound at δ = 1, m = {m}", value, 2 * (1 + excess), within=1e-12)
            halved = two_class_bound(0, complexity, rho, 1, m)
            yield equal(f"with 2k for two classes, m = {m}", halved, 1 + excess, within=1e-12)
            yield at_most(f"supremum 1, bound with 2k, m = {m}", 1, halved)
    for m, delta in ((50, TWENTIETH), (1000, TENTH)):
        gap = bound(0, 0, 1, 3, delta, m)
        yield equal("confidence term", gap * gap * 2 * m, ball(1 / delta).log(), within=1e-10)


@theorem.extremal("a constant of 4k is at most twice too large, for every k: the bound tends to 2 where 1 is needed")
def a_constant_of_4k_is_at_most_twice_too_large() -> Found:
    for k, m in ((3, 10**6), (5, 10**6), (10, 10**7), (50, 10**8)):
        limits = block_complexity_limits(k, m)
        yield at_most(f"half the bound, 1.02; k = {k}", bound(0, limits.upper, 1, k, 1, m) / 2, Fraction(102, 100))
        yield at_least(f"half the bound, 1; k = {k}", bound(0, limits.lower, 1, k, 1, m) / 2, 1 - Fraction(1, 10**12))


@theorem.trace("three inputs, three labels, four score functions, three draws; ρ = 1, θ = 2, δ = 1/10")
def three_inputs_three_labels_four_score_functions() -> Found:
    law, rho, m, k = small_law(), Fraction(1), 3, 3
    theta = 2 * rho
    cut = law.truncated(theta)
    losses, weights = margin_loss(cut, rho), law.probabilities
    for h, (risk, mean) in enumerate(zip(law.risks, losses @ weights, strict=True), 1):
        yield equal(f"h{h}: Pr[ρ_θ ≤ 0] = R", (cut[h - 1] <= 0).astype(int).astype(object) @ weights, risk)
        yield at_most(f"h{h}: R ≤ E Φ_ρ(ρ_θ)", risk, mean)
    yield holds("Φ_ρ(ρ_θ) = Φ_ρ(ρ_h) at every atom", bool((losses == law.margin_losses(rho)).all()), Tier.EXACT)
    yield from _deviation_lines(law, losses, m)
    margins = law.mean_complexity(cut, m)
    yield at_most("contraction: R_m(Φ_ρ∘H̃) ≤ R_m(H̃)/ρ", law.mean_complexity(losses, m), margins / rho)
    own, highest = law.mean_complexity(law.own_scores, m), law.mean_complexity(law.highest_scores(theta), m)
    yield at_most("sup is sub-additive, -σ ~ σ: R_m(H̃) ≤ own + highest scores", margins, own + highest)
    yield from _own_score_lines(law, own, m)
    yield from _highest_score_lines(law, highest, theta, m)
    complexity = law.complexity(m)
    yield at_most("together: R_m(H̃) ≤ 2k R_m(Π₁)", margins, margins_complexity_bound(complexity, k))
    failure = law.failure(rho, m, bound(0, complexity, rho, k, TENTH, m))
    yield at_most("the bound fails with probability at most δ", failure, TENTH)


def _deviation_lines(law: ScoredLaw, losses: Any, m: int) -> Found:
    """The generalisation bound of the class of losses: symmetrisation, and bounded differences."""
    mean = sum((d * p for d, p in deviation_law(losses, law.probabilities, m)), Fraction(0))
    yield at_most("symmetrisation: E sup (E g - mean of g) ≤ 2 R_m", mean, 2 * law.mean_complexity(losses, m))
    threshold = ball(mean) + confidence_term(ball(TENTH), m)
    tail = failure_probability(losses, law.probabilities, m, threshold)
    yield at_most("bounded differences: Pr[sup > E sup + √(ln(1/δ)/2m)] ≤ δ", tail, TENTH)


def _own_score_lines(law: ScoredLaw, own: Fraction, m: int) -> Found:
    """The first of the two terms: one summand for each label, then [y_i = y] = (1 + ε_i) / 2."""
    complexity, total = law.complexity(m), Fraction(0)
    for label in range(law.n_classes):
        mine = (law.y == label).astype(int).astype(object)
        column = law.scores[:, :, label]
        masked = law.mean_complexity(column * mine, m)
        signed, plain = law.mean_complexity(column * (2 * mine - 1), m), law.mean_complexity(column, m)
        yield at_most(f"y = {label + 1}: with [y_i = y] ≤ ½ with ε_i + ½ without", masked, (signed + plain) / 2)
        yield equal(f"y = {label + 1}: σ_i ε_i ~ σ_i", signed, plain)
        yield at_most(f"y = {label + 1}: R_m(H(·, y)) ≤ R_m(Π₁)", plain, complexity)
        total += masked
    yield at_most("own scores ≤ sum over y", own, total)
    yield at_most("own scores ≤ k R_m(Π₁)", own, scores_complexity_bound(complexity, law.n_classes))


def _highest_score_lines(law: ScoredLaw, highest: Fraction, theta: Fraction, m: int) -> Found:
    """The second term: the lemma on maxima, and signs of mean 0."""
    complexity, total = law.complexity(m), Fraction(0)
    for label in range(law.n_classes):
        mine = (law.y == label).astype(int).astype(object)
        shifted = law.mean_complexity(law.scores[:, :, label] - theta * mine, m)
        plain = law.mean_complexity(law.scores[:, :, label], m)
        yield equal(f"y = {label + 1}: θ[y_i = y] has mean 0 under the signs", shifted, plain)
        total += shifted
    yield at_most("lemma on maxima: highest scores ≤ sum over y", highest, total)
    yield at_most("highest scores ≤ k R_m(Π₁)", highest, scores_complexity_bound(complexity, law.n_classes))


@theorem.control("1.9k in place of 4k: on the block class the statement then fails for every sample")
def control_1_9k_in_place_of_4k() -> Found:
    for k, m in ((2, 10**4), (3, 10**5), (5, 10**5), (10, 10**6), (50, 10**6)):
        complexity = two_block_complexity(m) if k == 2 else block_complexity_limits(k, m).upper
        shrunk = Fraction(19, 40) * Fraction(complexity)
        yield at_most(f"supremum 1, bound with 1.9k; k = {k}, m = {m}", 1, bound(0, shrunk, 1, k, TWENTIETH, m))


@theorem.control("1.98k in place of 2k for two classes")
def control_1_98k_in_place_of_2k_for_two_classes() -> Found:
    m = 40_000
    shrunk = Fraction(99, 100) * two_block_complexity(m)
    yield at_most(f"supremum 1, bound, m = {m}", 1, two_class_bound(0, shrunk, 1, HALF, m))


@theorem.control("without the complexity term")
def without_the_complexity_term() -> Found:
    yield at_most("supremum 1, confidence term, m = 10", 1, bound(0, 0, 1, 2, TWENTIETH, 10))


@theorem.control("the share of training errors in place of the margin loss: scores a hundred times smaller than ρ")
def the_share_of_training_errors_in_place() -> Found:
    m = 10_000
    complexity = two_block_complexity(m, Fraction(1, 100))
    yield at_most("supremum 1, bound, ρ = 1", 1, bound(0, complexity, 1, 2, TWENTIETH, m))


@theorem.control("the margin taken as the best score less the second best")
def the_margin_taken_as_the_best_score_less() -> Found:
    law, m = ScoredLaw(rational([[[2, 0]]]), np.array([1]), np.array([Fraction(1)], dtype=object)), 200
    table = np.sort(law.scores[0], axis=1)
    loss = margin_loss(table[:, -1] - table[:, -2], Fraction(2))[0]
    yield at_most("risk of one function, bound", law.risks[0], bound(loss, law.complexity(m), 2, 2, TWENTIETH, m))


@theorem.control("draws that are not independent: one draw, repeated 100 times")
def draws_that_are_not_independent() -> Found:
    law, m = coin(HALF), 100
    limit = known(bound(0, law.complexity(m), 1, 2, TWENTIETH, m))
    losses = law.margin_losses(Fraction(1))[0]
    fails = [p for loss, p in zip(losses, law.probabilities, strict=True) if law.risks[0] - loss > limit.upper]
    yield at_most("failure, δ", sum(fails, Fraction(0)), TWENTIETH)


@theorem.control("ρ_h read as the margin over the first rival only")
def rho_h_read_as_the_margin_over_the_first_rival() -> Found:
    scores, y = np.array([[1, 0, 2]], dtype=object), np.array([0])
    yield equal("margin over label 2, margin", scores[0, 0] - scores[0, 1], score_margins(scores, y)[0])
