"""Exercises 9.1 and 9.2 of the source: several labels at once, and group norms of W."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than
from mcbook.claims.margin_bounds.bounds import HALF, RARE, TENTH, TWENTIETH, rare_but_real
from mcbook.claims.rademacher.generalisation import THROWS, rare_failure
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.distributions import uniform_distribution
from mcbook.foundation.numbers import ball, nearby_fractions, rational
from mcbook.foundation.proof import Known, Tier, known
from mcbook.foundation.types import Ball, Number
from mcbook.losses import margin_loss
from mcbook.margin_bounds import (
    free_complexity,
    group_norm_primal_value,
    multi_label_margin_bound,
    recovered_rows,
    solve_group_norm_dual,
    solve_group_norm_primal,
)
from mcbook.margin_bounds.algorithm.distributions import MultiLabelDistribution, random_multi_label_distribution
from mcbook.margin_bounds.algorithm.programs import group_norm_dual_value
from mcbook.rademacher import all_patterns, confidence_term, deviation_distribution, group_norm
from mcbook.svm.algorithm.programs import feasible_flows

Found = Iterator[Evidence]

# Solutions of a cone program are good to this, relative to values of the order of 1.
CLOSE = 1e-5
LITTLE = Fraction(1, 10**7)

claim = Claim(
    "thm-multi-label-margin-bound",
    "upper bound",
    "certified",
    source="mohri2018",
    where="Exercises 9.1 and 9.2",
    implements=(
        multi_label_margin_bound,
        group_norm,
        solve_group_norm_primal,
        solve_group_norm_dual,
        recovered_rows,
    ),
    formula=Formula("eq-bounds-multi-label", multi_label_margin_bound, numbers="balls"),
)


def bound(loss: Number, complexity: Number, rho: Number, n_classes: int, delta: Number, n_samples: int) -> Number:
    """The multi-label bound as a ball."""
    return multi_label_margin_bound(ball(loss), ball(complexity), ball(rho), n_classes, ball(delta), n_samples)


# --- several labels at once ------------------------------------------------------------------------------------------


@claim.check("several labels: random laws on two atoms, all samples enumerated: bounds that do fail")
def several_labels_failure_probability_on_distributions(rng: np.random.Generator) -> Found:
    for k, m, delta in ((2, 60, TENTH), (2, 60, HALF), (3, 40, HALF)):
        distribution, limit = surprising_distribution(rng, k, m, delta)
        yield from rare_but_real(f"k = {k}, m = {m}", distribution.bound_failure(Fraction(1), m, limit), delta)


def surprising_distribution(
    rng: np.random.Generator, n_classes: int, m: int, delta: Fraction
) -> tuple[MultiLabelDistribution, Callable[[Fraction], Ball]]:
    """A random distribution on which some sample is so unlike the distribution that the bound at ρ = 1 fails, and the bound."""
    while True:
        distribution = random_multi_label_distribution(rng, 2, 2, n_classes, largest=1)
        limit = partial(
            bound, complexity=distribution.complexity(m), rho=1, n_classes=n_classes, delta=delta, n_samples=m
        )
        if max(deviation for deviation, _ in distribution.deviations(Fraction(1), m)) > known(limit(0)).upper:
            return distribution, limit


@claim.check("one coin decides all labels: bounds below the risk, which fail with a probability near δ for δ = 1/2")
def one_coin_decides_all_labels(rng: np.random.Generator) -> Found:
    for k, m in product((1, 5), (400, 600)):
        distribution = one_coin(k)
        yield equal("R_m of one constant score", distribution.complexity(m), 0)
        for delta in (HALF, TWENTIETH, RARE):
            limit = partial(bound, complexity=0, rho=1, n_classes=k, delta=delta, n_samples=m)
            yield less_than("bound at margin loss 0, risk", limit(0), distribution.risks[0])
            yield from rare_but_real(f"k = {k}, m = {m}", distribution.bound_failure(Fraction(1), m, limit), delta)


def one_coin(n_classes: int) -> MultiLabelDistribution:
    """The score 1 for every label; all labels are +1 together or -1 together, with probability one half each."""
    scores = np.ones((1, 2, n_classes), dtype=object)
    signs = np.array([[1] * n_classes, [-1] * n_classes])
    return MultiLabelDistribution(rational([HALF, HALF]), scores, signs)


@claim.extremal("free scores on N atoms, m = 100: E sup (R - margin loss) = k (1 - 1/N)^m against the term 2k R_m/ρ")
def free_scores_on_n_atoms_m_100() -> Found:
    m, n_atoms = 100, 10**6
    complexity = free_complexity(m, n_atoms)
    for k in (1, 2, 5):
        needed = k * (1 - Fraction(1, n_atoms)) ** m
        said = bound(0, complexity, 1, k, 1, m)
        yield at_most(f"k (1 - 1/N)^m, bound at δ = 1; k = {k}", needed, said)
        yield at_most(f"bound, k; k = {k}", said, k + Fraction(1, 10**12))


@claim.extremal("free scores on a few atoms: E sup (R - margin loss) = k (1 - 1/N)^m by enumeration")
def free_scores_on_a_few_atoms() -> Found:
    for k, n_atoms, m in ((1, 4, 3), (2, 3, 2), (2, 3, 3)):
        scores = all_patterns(n_atoms * k, (0, 1)).astype(object).reshape(-1, n_atoms, k)
        signs = np.ones((n_atoms, k), dtype=np.int64)
        distribution = MultiLabelDistribution(uniform_distribution(n_atoms).probabilities, scores, signs)
        mean = sum((d * p for d, p in distribution.deviations(Fraction(1), m)), Fraction(0))
        yield equal(f"E sup, k (1 - 1/N)^m; k = {k}, N = {n_atoms}", mean, k * (1 - Fraction(1, n_atoms)) ** m)
        yield equal("R_m, the formula's", distribution.complexity(m), free_complexity(m, n_atoms))


@claim.extremal("the two terms by themselves: 2k R_m/ρ, and k √(ln(1/δ)/2m)")
def the_two_terms_by_themselves() -> Found:
    for k, rho, m in ((1, Fraction(1), 5), (3, HALF, 10), (7, Fraction(4), 100)):
        yield equal("complexity term", bound(0, Fraction(1, 3), rho, k, 1, m), 2 * k / rho / 3, within=1e-12)
        gap = bound(0, 0, rho, k, TENTH, m) / k
        yield equal("2m times the squared confidence term, by k²", gap * gap * 2 * m, ball(10).log(), within=1e-12)


@claim.trace("several labels: three inputs, two labels, three score functions, three draws; ρ = 1, δ = 1/10")
def several_labels_three_inputs_two_labels_three() -> Found:
    scores = [[[1, -1], [2, 0], [0, 1]], [[-1, 1], [1, 1], [-2, 1]], [[2, 2], [-1, 0], [1, -1]]]
    signs, rho, m, k = [[1, -1], [1, 1], [-1, 1]], Fraction(1), 3, 2
    distribution = MultiLabelDistribution(rational([HALF, HALF / 2, HALF / 2]), rational(scores), np.array(signs))
    losses = distribution.margin_losses(rho)
    for h, (risk, mean) in enumerate(zip(distribution.risks, losses @ distribution.probabilities, strict=True), 1):
        yield at_most(f"h{h}: R ≤ E Σ Φ_ρ(y_l h(x, l))", risk, mean)
    summed = distribution.mean_complexity(losses, m)
    mean = sum((d * p for d, p in deviation_distribution(losses, distribution.probabilities, m)), Fraction(0))
    yield at_most("symmetrisation: E sup (E g - mean of g) ≤ 2 R_m, g the sum of the losses", mean, 2 * summed)
    threshold = ball(mean) + k * confidence_term(ball(TENTH), m)
    yield at_most(
        "bounded differences, a draw moves the mean by k/m at most", distribution.failure(rho, m, threshold), TENTH
    )
    parts = Fraction(0)
    for label in range(k):
        products, plain = distribution.margins[:, :, label], distribution.scores[:, :, label]
        part = distribution.mean_complexity(margin_loss(products, rho), m)
        signed, unsigned = distribution.mean_complexity(products, m), distribution.mean_complexity(plain, m)
        yield at_most(f"l = {label + 1}: contraction, R_m(Φ_ρ(y_l h)) ≤ R_m(y_l h)/ρ", part, signed / rho)
        yield equal(f"l = {label + 1}: σ_i y_i[l] ~ σ_i", signed, unsigned)
        yield at_most(f"l = {label + 1}: R_m(H(·, l)) ≤ R_m(Π₁)", unsigned, distribution.complexity(m))
        parts += part
    yield at_most("sup is sub-additive: R_m of the sum ≤ sum of the R_m", summed, parts)
    yield at_most("together: R_m of the sum ≤ (k/ρ) R_m(Π₁)", summed, k * distribution.complexity(m) / rho)
    failure = distribution.failure(rho, m, bound(0, distribution.complexity(m), rho, k, TENTH, m))
    yield at_most("the bound fails with probability at most δ", failure, TENTH)


@claim.strengthened("2k: free scores of five labels, m = 10⁸, N = 10¹⁶", by=Fraction(999, 1000))
def the_2k(factor: int | Fraction) -> Found:
    k, m, n_atoms = 5, 10**8, 10**16
    # Every sample leaves at least N - m atoms unseen; R_m is at most half of rho.
    yield at_most("k (1 - m/N), bound", k * (1 - Fraction(m, n_atoms)), bound(0, factor * HALF, 1, k, TWENTIETH, m))


@claim.strengthened("the confidence term: one coin decides all five labels, δ = exp(−200001)", by=Fraction(999, 1000))
def the_confidence_term(factor: int | Fraction) -> Found:
    # All five labels are wrong together, so the mean number of wrong labels is five times the coin's share.
    yield from rare_failure(lambda delta: multi_label_margin_bound(ball(0), ball(0), 1, 5, delta, THROWS) / 5, factor)


@claim.strengthened("the margin loss: a score of 0 for each of three labels", by=Fraction(99, 100))
def the_margin_loss(factor: int | Fraction) -> Found:
    yield at_most("risk 3, bound at margin loss 3", 3, bound(3 * factor, 0, 1, 3, TWENTIETH, 10**6))


@claim.control("the confidence term without its factor k: one coin decides all five labels")
def the_confidence_term_without_its_factor_k() -> Found:
    k, m = 5, 100
    threshold = bound(0, 0, 1, k, TWENTIETH, m) / k
    yield at_most("failure, δ", one_coin(k).failure(Fraction(1), m, threshold), TWENTIETH)


# --- group norms of W ------------------------------------------------------------------------------------------------

# Exponents whose norms are made of second-order cones; the usual SVM is p = 2.
EXPONENTS = (1, Fraction(3, 2), 2, 4, math.inf)


@claim.check("group norms fall as p grows: p = ∞ admits the most, and is the longest row")
def group_norms_fall_as_p_grows(rng: np.random.Generator) -> Found:
    for _ in range(30):
        lengths = rational(rng.integers(0, 5, int(rng.integers(2, 6))))
        first, last = group_norm(lengths, 1), group_norm(lengths, math.inf)
        yield equal("|W|_∞, longest row", last, max(lengths))
        yield at_most("|W|_∞, |W|_2, squared", last**2, (lengths * lengths).sum())
        yield at_most("|W|_2, |W|_1, squared", (lengths * lengths).sum(), first**2)
        yield at_most("|W|_1, k |W|_∞", first, len(lengths) * last)


def small_sample(rng: np.random.Generator, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Eight small integer points in the plane, not all 0, with labels drawn at random among all classes."""
    X, y = np.zeros((8, 2), dtype=int), np.arange(8) % n_classes
    while not X.any(axis=1).all():
        X = rng.integers(-3, 4, X.shape)
    return X.astype(object), rng.permutation(y)


@claim.check("the machine of the norm p: primal = dual, both certified, and each again from its point in fractions")
def the_svm_of_the_norm(rng: np.random.Generator) -> Found:
    for p in EXPONENTS:
        k, C = int(rng.integers(2, 5)), Fraction(1, int(rng.integers(1, 5)))
        X, y = small_sample(rng, k)
        gram = X @ X.T
        primal = solve_group_norm_primal(X, y, k, float(C), p)
        dual = solve_group_norm_dual(gram, y, k, float(C), p)
        yield equal(f"primal, dual; p = {p}", primal.value, dual.value, within=CLOSE)
        W, flows = nearby_fractions(primal.point), feasible_flows(dual.point, y, C)
        value, exact = group_norm_primal_value(W, X, y, C, p), group_norm_dual_value(flows, gram, y, p)
        yield equal(f"value of W, optimum; p = {p}", value, dual.value, within=CLOSE)
        yield equal(f"value of α, optimum; p = {p}", exact, primal.value, within=CLOSE)
        yield at_most(f"weak duality: value of α, of W; p = {p}", exact, value)


@claim.check("the rows from the dual: those of the primal, for p = 3/2, 2, 4, and for p = ∞ where v_l ≠ 0")
def the_rows_from_the_dual(rng: np.random.Generator) -> Found:
    X, y, C = cross()
    for p in EXPONENTS[1:]:
        primal = solve_group_norm_primal(X, y, 3, float(C), p)
        rows = recovered_rows(solve_group_norm_dual(X @ X.T, y, 3, float(C), p).point, X, p)
        for label in np.flatnonzero((rows != 0).any(axis=1)):
            difference = nearby_fractions(primal.point[label]) - nearby_fractions(rows[label])
            apart = difference @ difference
            # Fractions they are, but of points that a solver found.
            yield at_most(f"class {label}, p = {p}: |w - recovered w|²", Known(apart, apart, Tier.CERTIFIED), LITTLE)


@claim.check("the longest row: rows with v_l ≠ 0 are equally long, the others no longer")
def the_longest_row(rng: np.random.Generator) -> Found:
    for _ in range(2):
        k, C = int(rng.integers(2, 5)), 0.5
        X, y = small_sample(rng, k)
        lengths = [row @ row for row in nearby_fractions(solve_group_norm_primal(X, y, k, C).point)]
        active = (recovered_rows(solve_group_norm_dual(X @ X.T, y, k, C).point, X) != 0).any(axis=1)
        for label in range(k):
            what = f"class {label}: |w|², longest"
            if active[label]:
                yield equal(what, lengths[label], max(lengths), within=1e-4)
            else:
                yield at_most(f"{what} (v = 0)", lengths[label], max(lengths))


@claim.extremal("rows of equal length: |W|_1 = k |W|_∞; a single row: all norms agree")
def rows_of_equal_length() -> Found:
    for k in (2, 5):
        same, single = np.full(k, 3, dtype=object), np.array([3] + [0] * (k - 1), dtype=object)
        yield equal("|W|_1, k |W|_∞", group_norm(same, 1), k * group_norm(same, math.inf))
        yield equal("|W|_1, |W|_∞", group_norm(single, 1), group_norm(single, math.inf))


def cross() -> tuple[np.ndarray, np.ndarray, Fraction]:
    """Three classes on the line and off it, for which the rows found by the norms differ."""
    X = rational([[2, 0], [1, 1], [-1, 2], [-2, 1], [0, -1], [1, -2]])
    return X, np.array([0, 0, 1, 1, 2, 2]), Fraction(1, 4)


@claim.control("the rows of the usual machine, w_l = v_l, from the dual of the longest row")
def the_rows_of_the_usual_svm_w_l_v_l() -> Found:
    X, y, C = cross()
    dual = solve_group_norm_dual(X @ X.T, y, 3, float(C))
    rows = nearby_fractions(dual.point.T @ X.astype(float))
    yield equal("primal value of w = v, optimum", group_norm_primal_value(rows, X, y, C), dual.value, within=CLOSE)


@claim.control("the norm p in the dual of the norm p, in place of its conjugate: p = 4 and p = ∞")
def the_same_norm_in_the_dual() -> Found:
    X, y, C = cross()
    for p in (4, math.inf):
        flows = feasible_flows(solve_group_norm_dual(X @ X.T, y, 3, float(C), p).point, y, C)
        # The dual of p = 4/3 has the norm 4, that of p = 1 the norm ∞.
        conjugate = Fraction(4, 3) if p == 4 else 1
        value = group_norm_dual_value(flows, X @ X.T, y, conjugate)
        optimum = solve_group_norm_primal(X, y, 3, float(C), p).value
        yield at_most(f"value of α with the norm p = {p}, optimum of the primal", value, optimum)


@claim.control("p = 1 admits the largest class: a W with |W|_∞ ≤ 1 and |W|_1 > 1")
def p_1_admits_the_largest_class() -> Found:
    lengths = np.array([1, 1], dtype=object)
    yield at_most("|W|_1, |W|_∞", group_norm(lengths, 1), group_norm(lengths, math.inf))


@claim.control("equal lengths of all rows, those with v_l = 0 included")
def equal_lengths_of_all_rows_those_with_v_l_0() -> Found:
    # Class 2 never occurs, and the row of a class that never wins need not be long.
    X, y = rational([[1, 0], [-1, 0]]), np.array([0, 1])
    primal = solve_group_norm_primal(X, y, 3, 1.0)
    lengths = [row @ row for row in nearby_fractions(primal.point)]
    yield equal("shortest, longest |w|²", min(lengths), max(lengths), within=1e-2)


@claim.strengthened("the optimum of the longest row, by the value of a feasible W", by=Fraction(1001, 1000))
def the_optimum(factor: int | Fraction) -> Found:
    X, y, C = cross()
    found = solve_group_norm_primal(X, y, 3, float(C))
    value = group_norm_primal_value(nearby_fractions(found.point), X, y, C)
    yield at_least("value of W, optimum", value + Fraction(1, 10**7), factor * Fraction(found.value.lower))
