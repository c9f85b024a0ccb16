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


@claim.check("several labels: random distributions on two atoms, all samples enumerated: bounds that do fail")
def several_labels_failure_probability_on_distributions(rng: np.random.Generator) -> Found:
    for k, m, delta in ((2, 60, TENTH), (2, 60, HALF), (3, 40, HALF)):
        distribution, limit = surprising_distribution(rng, k, m, delta)
        yield from rare_but_real(f"k = {k}, m = {m}", distribution.bound_failure(Fraction(1), m, limit), delta)


def surprising_distribution(
    rng: np.random.Generator, n_classes: int, m: int, delta: Fraction
) -> tuple[MultiLabelDistribution, Callable[[Fraction], Ball]]:
    """A random distribution with a sample so unlike it that the bound at ρ = 1 fails, and the bound."""
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
        yield equal("R_m of one constant score = 0", distribution.complexity(m), 0, at=f"k = {k}")
        for delta in (HALF, TWENTIETH, RARE):
            limit = partial(bound, complexity=0, rho=1, n_classes=k, delta=delta, n_samples=m)
            yield less_than("bound at margin loss 0 < risk", limit(0), distribution.risks[0])
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
        yield at_most("mean supremum k (1 − 1/N)^m ≤ bound at δ = 1", needed, said, at=f"k = {k}")
        every_sample = k * (1 - Fraction(m, n_atoms))
        yield at_most("risk k (1 − m/N) ≤ bound at δ = 1", every_sample, said, at=f"k = {k}", statement=True)
        yield at_most("bound at δ = 1 ≤ k + 10⁻¹²", said, k + Fraction(1, 10**12), at=f"k = {k}")


@claim.extremal("free scores on a few atoms: E sup (R - margin loss) = k (1 - 1/N)^m by enumeration")
def free_scores_on_a_few_atoms() -> Found:
    for k, n_atoms, m in ((1, 4, 3), (2, 3, 2), (2, 3, 3)):
        scores = all_patterns(n_atoms * k, (0, 1)).astype(object).reshape(-1, n_atoms, k)
        signs = np.ones((n_atoms, k), dtype=np.int64)
        distribution = MultiLabelDistribution(uniform_distribution(n_atoms).probabilities, scores, signs)
        mean = sum((d * p for d, p in distribution.deviations(Fraction(1), m)), Fraction(0))
        yield equal("E sup = k (1 − 1/N)^m", mean, k * (1 - Fraction(1, n_atoms)) ** m, at=f"k = {k}, N = {n_atoms}")
        yield equal("R_m by enumeration = by the formula", distribution.complexity(m), free_complexity(m, n_atoms))


@claim.extremal("the two terms by themselves: 2k R_m/ρ, and k √(ln(1/δ)/2m)")
def the_two_terms_by_themselves() -> Found:
    for k, rho, m in ((1, Fraction(1), 5), (3, HALF, 10), (7, Fraction(4), 100)):
        yield equal(
            "complexity term ≈ 2k R_m/ρ",
            bound(0, Fraction(1, 3), rho, k, 1, m),
            2 * k / rho / 3,
            within=1e-12,
            at=f"k = {k}",
        )
        gap = bound(0, 0, rho, k, TENTH, m) / k
        yield equal(
            "2m (confidence term)²/k² ≈ ln(1/δ)", gap * gap * 2 * m, ball(10).log(), within=1e-12, at=f"k = {k}"
        )


@claim.trace("several labels: three inputs, two labels, three score functions, three draws; ρ = 1, δ = 1/10")
def several_labels_three_inputs_two_labels_three() -> Found:
    scores = [[[1, -1], [2, 0], [0, 1]], [[-1, 1], [1, 1], [-2, 1]], [[2, 2], [-1, 0], [1, -1]]]
    signs, rho, m, k = [[1, -1], [1, 1], [-1, 1]], Fraction(1), 3, 2
    distribution = MultiLabelDistribution(rational([HALF, HALF / 2, HALF / 2]), rational(scores), np.array(signs))
    losses = distribution.margin_losses(rho)
    for h, (risk, mean) in enumerate(zip(distribution.risks, losses @ distribution.probabilities, strict=True), 1):
        yield at_most("R ≤ E Σ Φ_ρ(y_l h(x, l))", risk, mean, at=f"h{h}")
    summed = distribution.mean_complexity(losses, m)
    mean = sum((d * p for d, p in deviation_distribution(losses, distribution.probabilities, m)), Fraction(0))
    yield at_most("E sup (E g − mean of g) ≤ 2 R_m", mean, 2 * summed, at="symmetrisation, g the sum of the losses")
    threshold = ball(mean) + k * confidence_term(ball(TENTH), m)
    failure = distribution.failure(rho, m, threshold)
    yield at_most("Pr[sup > E sup + k √(ln(1/δ)/2m)] ≤ δ", failure, TENTH, at="bounded differences")
    parts = Fraction(0)
    for label in range(k):
        products, plain = distribution.margins[:, :, label], distribution.scores[:, :, label]
        part = distribution.mean_complexity(margin_loss(products, rho), m)
        signed, unsigned = distribution.mean_complexity(products, m), distribution.mean_complexity(plain, m)
        yield at_most("R_m(Φ_ρ(y_l h)) ≤ R_m(y_l h)/ρ", part, signed / rho, at=f"contraction, l = {label + 1}")
        yield equal("R_m with σ_i y_i[l] = with σ_i", signed, unsigned, at=f"l = {label + 1}")
        yield at_most("R_m(H(·, l)) ≤ R_m(Π₁)", unsigned, distribution.complexity(m), at=f"l = {label + 1}")
        parts += part
    yield at_most("R_m of the sum ≤ sum of the R_m", summed, parts, at="sup is sub-additive")
    yield at_most("R_m of the sum ≤ (k/ρ) R_m(Π₁)", summed, k * distribution.complexity(m) / rho, at="together")
    failure = distribution.failure(rho, m, bound(0, distribution.complexity(m), rho, k, TENTH, m))
    yield at_most("failure ≤ δ", failure, TENTH, at="together")


@claim.strengthened(
    "One thousandth less than $2k$ is too little: with free scores of five labels some function has a "
    "risk of nearly 5 and margin loss 0, and the bound would be {right}.",
    by=Fraction(999, 1000),
)
def the_2k(factor: int | Fraction) -> Found:
    k, m, n_atoms = 5, 10**8, 10**16
    # Every sample leaves at least N - m atoms unseen; R_m is at most half of rho.
    yield at_most(
        "risk k (1 − m/N) ≤ bound", k * (1 - Fraction(m, n_atoms)), bound(0, factor * HALF, 1, k, TWENTIETH, m)
    )


@claim.strengthened(
    "The confidence term cannot be one thousandth smaller: if one coin decides all five labels, the "
    "logarithm of the failure probability would be {left}, above the {right} allowed.",
    by=Fraction(999, 1000),
)
def the_confidence_term(factor: int | Fraction) -> Found:
    # All five labels are wrong together, so the mean number of wrong labels is five times the coin's share.
    yield from rare_failure(lambda delta: multi_label_margin_bound(ball(0), ball(0), 1, 5, delta, THROWS) / 5, factor)


@claim.strengthened(
    "One per cent less than the margin loss is too little: with a score of 0 for each of three labels the"
    " risk is {left}, and the bound would be {right}.",
    by=Fraction(99, 100),
)
def the_margin_loss(factor: int | Fraction) -> Found:
    yield at_most("risk 3 ≤ bound at margin loss 3", 3, bound(3 * factor, 0, 1, 3, TWENTIETH, 10**6))


@claim.control(
    "The confidence term needs its factor $k$: without it, if one coin decides all five labels, the bound"
    " fails with probability {left}, not at most {right}."
)
def the_confidence_term_without_its_factor_k() -> Found:
    k, m = 5, 100
    threshold = bound(0, 0, 1, k, TWENTIETH, m) / k
    yield at_most("failure ≤ δ", one_coin(k).failure(Fraction(1), m, threshold), TWENTIETH)


# --- group norms of W ------------------------------------------------------------------------------------------------

# Exponents whose norms are made of second-order cones; the usual SVM is p = 2.
EXPONENTS = (1, Fraction(3, 2), 2, 4, math.inf)


@claim.check("group norms fall as p grows: p = ∞ admits the most, and is the longest row")
def group_norms_fall_as_p_grows(rng: np.random.Generator) -> Found:
    for _ in range(30):
        lengths = rational(rng.integers(0, 5, int(rng.integers(2, 6))))
        first, last = group_norm(lengths, 1), group_norm(lengths, math.inf)
        yield equal("|W|_∞ = length of the longest row", last, max(lengths))
        yield at_most("|W|_∞^2 ≤ |W|_2^2", last**2, (lengths * lengths).sum())
        yield at_most("|W|_2^2 ≤ |W|_1^2", (lengths * lengths).sum(), first**2)
        yield at_most("|W|_1 ≤ k |W|_∞", first, len(lengths) * last)


def small_sample(rng: np.random.Generator, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Eight small integer points in the plane, not all 0, with labels drawn at random among all classes."""
    X, y = np.zeros((8, 2), dtype=int), np.arange(8) % n_classes
    while not X.any(axis=1).all():
        X = rng.integers(-3, 4, X.shape)
    return X.astype(object), rng.permutation(y)


@claim.check("the SVM of the norm p: primal = dual, both certified, and each again from its point in fractions")
def the_svm_of_the_norm(rng: np.random.Generator) -> Found:
    for p in EXPONENTS:
        k, C = int(rng.integers(2, 5)), Fraction(1, int(rng.integers(1, 5)))
        X, y = small_sample(rng, k)
        gram = X @ X.T
        primal = solve_group_norm_primal(X, y, k, float(C), p)
        dual = solve_group_norm_dual(gram, y, k, float(C), p)
        yield equal("primal ≈ dual", primal.value, dual.value, within=CLOSE, at=f"p = {p}")
        W, flows = nearby_fractions(primal.point), feasible_flows(dual.point, y, C)
        value, exact = group_norm_primal_value(W, X, y, C, p), group_norm_dual_value(flows, gram, y, p)
        yield equal("value of W ≈ optimum", value, dual.value, within=CLOSE, at=f"p = {p}")
        yield equal("value of α ≈ optimum", exact, primal.value, within=CLOSE, at=f"p = {p}")
        yield at_most("value of α ≤ value of W", exact, value, at=f"weak duality, p = {p}")


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
            yield at_most(
                "|w − recovered w|² ≤ 10⁻⁷", Known(apart, apart, Tier.CERTIFIED), LITTLE, at=f"class {label}, p = {p}"
            )


@claim.check("the longest row: rows with v_l ≠ 0 are equally long, the others no longer")
def the_longest_row(rng: np.random.Generator) -> Found:
    for _ in range(2):
        k, C = int(rng.integers(2, 5)), 0.5
        X, y = small_sample(rng, k)
        lengths = [row @ row for row in nearby_fractions(solve_group_norm_primal(X, y, k, C).point)]
        active = (recovered_rows(solve_group_norm_dual(X @ X.T, y, k, C).point, X) != 0).any(axis=1)
        for label in range(k):
            if active[label]:
                yield equal("|w|² ≈ longest |w|²", lengths[label], max(lengths), within=1e-4, at=f"class {label}")
            else:
                yield at_most("|w|² ≤ longest |w|²", lengths[label], max(lengths), at=f"class {label}, v = 0")


@claim.extremal("rows of equal length: |W|_1 = k |W|_∞; a single row: all norms agree")
def rows_of_equal_length() -> Found:
    for k in (2, 5):
        same, single = np.full(k, 3, dtype=object), np.array([3] + [0] * (k - 1), dtype=object)
        yield equal("|W|_1 = k |W|_∞", group_norm(same, 1), k * group_norm(same, math.inf))
        yield equal("|W|_1 = |W|_∞", group_norm(single, 1), group_norm(single, math.inf))


def cross() -> tuple[np.ndarray, np.ndarray, Fraction]:
    """Three classes on the line and off it, for which the rows found by the norms differ."""
    X = rational([[2, 0], [1, 1], [-1, 2], [-2, 1], [0, -1], [1, -2]])
    return X, np.array([0, 0, 1, 1, 2, 2]), Fraction(1, 4)


@claim.control(
    "The rows $w_l=v_l$ of the usual SVM do not solve the problem of the longest row: their primal value "
    "is {left}, not the optimum {right}."
)
def the_rows_of_the_usual_svm_w_l_v_l() -> Found:
    X, y, C = cross()
    dual = solve_group_norm_dual(X @ X.T, y, 3, float(C))
    rows = nearby_fractions(dual.point.T @ X.astype(float))
    yield equal("primal value of w = v ≈ optimum", group_norm_primal_value(rows, X, y, C), dual.value, within=CLOSE)


@claim.control(
    "The dual has the conjugate exponent: with the exponent $p$ of the primal in its place the dual value"
    " is {left}, above the optimum {right}."
)
def the_same_norm_in_the_dual() -> Found:
    X, y, C = cross()
    for p in (4, math.inf):
        flows = feasible_flows(solve_group_norm_dual(X @ X.T, y, 3, float(C), p).point, y, C)
        # The dual of p = 4/3 has the norm 4, that of p = 1 the norm ∞.
        conjugate = Fraction(4, 3) if p == 4 else 1
        value = group_norm_dual_value(flows, X @ X.T, y, conjugate)
        optimum = solve_group_norm_primal(X, y, 3, float(C), p).value
        yield at_most("value of α with the norm p ≤ optimum of the primal", value, optimum, at=f"p = {p}")


@claim.control(
    "The class for $p=1$ is not the largest: two rows of length 1 have a norm of {left} for $p=1$ and "
    r"only {right} for $p=\infty$."
)
def p_1_admits_the_largest_class() -> Found:
    lengths = np.array([1, 1], dtype=object)
    yield at_most("|W|_1 ≤ |W|_∞", group_norm(lengths, 1), group_norm(lengths, math.inf))


@claim.control(
    r"Only rows with $v_l\ne0$ must be equally long: a class without examples has a row of squared length "
    "{left}, and the longest row has {right}."
)
def equal_lengths_of_all_rows_those_with_v_l_0() -> Found:
    # Class 2 never occurs, and the row of a class that never wins need not be long.
    X, y = rational([[1, 0], [-1, 0]]), np.array([0, 1])
    primal = solve_group_norm_primal(X, y, 3, 1.0)
    lengths = [row @ row for row in nearby_fractions(primal.point)]
    yield equal("shortest ≈ longest |w|²", min(lengths), max(lengths), within=1e-2)


@claim.strengthened(
    "The optimum for the longest row cannot be one thousandth larger: a feasible $W$ has the value "
    "{left}, which is less than {right}.",
    by=Fraction(1001, 1000),
)
def the_optimum(factor: int | Fraction) -> Found:
    X, y, C = cross()
    found = solve_group_norm_primal(X, y, 3, float(C))
    value = group_norm_primal_value(nearby_fractions(found.point), X, y, C)
    yield at_least("value of W ≥ optimum", value + Fraction(1, 10**7), factor * Fraction(found.value.lower))
