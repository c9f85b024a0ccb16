"""Exercises 9.1 and 9.2 of the source: several labels at once, and rows bounded one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, holds
from mcbook.claims.margin_bounds.bounds import HALF, TENTH, TWENTIETH
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Tier, known
from mcbook.foundation.proof.exact import ball, rational
from mcbook.losses import margin_loss
from mcbook.margin_bounds import (
    MultiLabelLaw,
    free_complexity,
    infinity_norm_dual_value,
    infinity_norm_primal_value,
    multi_label_margin_bound,
    random_multi_label_law,
    rational_rows,
    recovered_rows,
    solve_infinity_norm_dual,
    solve_infinity_norm_primal,
)
from mcbook.rademacher import average_complexity, confidence_term, deviation_law, group_norm
from mcbook.svm import feasible_flows, noisy_sample

Found = Iterator[Evidence]

# Solutions of a cone programme are good to this, relative to values of the order of 1.
CLOSE = 1e-5

claim = Claim(
    "X9.1, X9.2",
    implements=(multi_label_margin_bound, solve_infinity_norm_dual, recovered_rows),
    formula=Formula("eq-bounds-multi-label", multi_label_margin_bound, numbers="balls"),
)


def bound(loss: Any, complexity: Any, rho: Any, n_classes: int, delta: Any, n_samples: int) -> Any:
    """The multi-label bound as a ball."""
    return multi_label_margin_bound(ball(loss), ball(complexity), ball(rho), n_classes, ball(delta), n_samples)


# --- several labels at once ------------------------------------------------------------------------------------------


@claim.check("several labels: failure probability on laws with two to four atoms, all samples enumerated")
def several_labels_failure_probability_on_laws(rng: np.random.Generator) -> Found:
    for n_atoms, k, m, count in ((2, 2, 40, 2), (2, 3, 20, 2), (3, 3, 7, 3), (4, 2, 5, 3)):
        for _ in range(count):
            law = random_multi_label_law(rng, int(rng.integers(1, 5)), n_atoms, k, largest=2)
            failure = law.failure(Fraction(1), m, bound(0, law.complexity(m), 1, k, TENTH, m))
            yield at_most(f"failure, δ ({n_atoms} atoms, m = {m})", failure, TENTH)


@claim.check("one coin decides all labels: the bound is below k, and its failure probability is not negligible")
def one_coin_decides_all_labels(rng: np.random.Generator) -> Found:
    for k in (1, 5):
        for m in (20, 60):
            law = one_coin(k)
            yield equal("R_m of one constant score", law.complexity(m), 0)
            for delta in (TENTH, TWENTIETH, HALF):
                failure = law.failure(Fraction(1), m, bound(0, 0, 1, k, delta, m))
                yield at_most(f"failure, δ; k = {k}, m = {m}", failure, delta)


def one_coin(n_classes: int) -> MultiLabelLaw:
    """The score 1 for every label; all labels are +1 together or -1 together, with probability one half each."""
    scores = np.ones((1, 2, n_classes), dtype=object)
    signs = np.array([[1] * n_classes, [-1] * n_classes], dtype=object)
    return MultiLabelLaw(scores, signs, np.array([HALF, HALF], dtype=object))


@claim.extremal("free scores on N atoms, m = 100: E sup (R - margin loss) = k (1 - 1/N)^m against the term 2k R_m/ρ")
def free_scores_on_n_atoms_m_100() -> Found:
    m, n_atoms = 100, 10**6
    complexity = free_complexity(m, n_atoms)
    for k in (1, 2, 5):
        needed = k * (1 - Fraction(1, n_atoms)) ** m
        said = bound(0, complexity, 1, k, 1, m)
        yield at_most(f"k (1 - 1/N)^m, bound at δ = 1; k = {k}", needed, said)
        yield at_most(f"bound, k; k = {k}", said, k + Fraction(1, 10**12))


@claim.extremal("the two terms by themselves: 2k R_m/ρ, and k √(ln(1/δ)/2m)")
def the_two_terms_by_themselves() -> Found:
    for k, rho, m in ((1, Fraction(1), 5), (3, HALF, 10), (7, Fraction(4), 100)):
        yield equal("complexity term", bound(0, Fraction(1, 3), rho, k, 1, m), 2 * k / rho / 3, within=1e-12)
        gap = bound(0, 0, rho, k, TENTH, m) / k
        yield equal("2m times the squared confidence term, by k²", gap * gap * 2 * m, ball(10).log(), within=1e-12)


@claim.extremal("free scores on two atoms, by enumeration: the complexity is the formula's")
def free_scores_on_two_atoms_by_enumeration() -> Found:
    table = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=object)
    for m in (1, 4, 9):
        yield equal(f"R_m, m = {m}", average_complexity(table, [HALF, HALF], m), free_complexity(m, 2))


@claim.trace("several labels: three inputs, two labels, three score functions, three draws; ρ = 1, δ = 1/10")
def several_labels_three_inputs_two_labels_three() -> Found:
    scores = [[[1, -1], [2, 0], [0, 1]], [[-1, 1], [1, 1], [-2, 1]], [[2, 2], [-1, 0], [1, -1]]]
    signs, rho, m, k = [[1, -1], [1, 1], [-1, 1]], Fraction(1), 3, 2
    law = MultiLabelLaw(rational(scores), rational(signs), np.array([HALF, HALF / 2, HALF / 2], dtype=object))
    losses = law.margin_losses(rho)
    for h, (risk, mean) in enumerate(zip(law.risks, losses @ law.probabilities, strict=True), 1):
        yield at_most(f"h{h}: R ≤ E Σ Φ_ρ(y_l h(x, l))", risk, mean)
    summed = law.mean_complexity(losses, m)
    mean = sum((d * p for d, p in deviation_law(losses, law.probabilities, m)), Fraction(0))
    yield at_most("symmetrisation: E sup (E g - mean of g) ≤ 2 R_m, g the sum of the losses", mean, 2 * summed)
    threshold = ball(mean) + k * confidence_term(ball(TENTH), m)
    yield at_most("bounded differences, a draw moves the mean by k/m at most", law.failure(rho, m, threshold), TENTH)
    parts = Fraction(0)
    for label in range(k):
        products, plain = law.margins[:, :, label], law.scores[:, :, label]
        part = law.mean_complexity(margin_loss(products, rho), m)
        signed, unsigned = law.mean_complexity(products, m), law.mean_complexity(plain, m)
        yield at_most(f"l = {label + 1}: contraction, R_m(Φ_ρ(y_l h)) ≤ R_m(y_l h)/ρ", part, signed / rho)
        yield equal(f"l = {label + 1}: σ_i y_i[l] ~ σ_i", signed, unsigned)
        yield at_most(f"l = {label + 1}: R_m(H(·, l)) ≤ R_m(Π₁)", unsigned, law.complexity(m))
        parts += part
    yield at_most("sup is sub-additive: R_m of the sum ≤ sum of the R_m", summed, parts)
    yield at_most("together: R_m of the sum ≤ (k/ρ) R_m(Π₁)", summed, k * law.complexity(m) / rho)
    failure = law.failure(rho, m, bound(0, law.complexity(m), rho, k, TENTH, m))
    yield at_most("the bound fails with probability at most δ", failure, TENTH)


@claim.control("1.99k in place of 2k: free scores, k = 5, m = 10⁵, N = 10⁹")
def control_1_99k_in_place_of_2k() -> Found:
    k, m, n_atoms = 5, 10**5, 10**9
    # Every sample leaves at least N - m atoms unseen; R_m is at most half of rho.
    shrunk = Fraction(199, 200) * HALF
    yield at_most("k (1 - m/N), bound", k * (1 - Fraction(m, n_atoms)), bound(0, shrunk, 1, k, TWENTIETH, m))


@claim.control("the confidence term without its factor k: one coin decides all five labels")
def the_confidence_term_without_its_factor_k() -> Found:
    k, m = 5, 100
    threshold = bound(0, 0, 1, k, TWENTIETH, m) / k
    yield at_most("failure, δ", one_coin(k).failure(Fraction(1), m, threshold), TWENTIETH)


# --- rows bounded one by one -----------------------------------------------------------------------------------------


@claim.check("group norms fall as p grows: p = ∞ admits the most, and is the longest row")
def group_norms_fall_as_p_grows(rng: np.random.Generator) -> Found:
    for _ in range(30):
        W = rational(rng.integers(-4, 5, (int(rng.integers(2, 6)), 1)))
        lengths = abs(W[:, 0])
        yield at_most("|W|_∞, |W|_2, squared", group_norm(lengths, math.inf) ** 2, (lengths * lengths).sum())
        yield at_most("|W|_2, |W|_1, squared", (lengths * lengths).sum(), lengths.sum() ** 2)
        yield at_most("|W|_1, k |W|_∞", lengths.sum(), len(lengths) * group_norm(lengths, math.inf))


@claim.check("the longest row: primal = dual, both certified, and each again from its point in fractions")
def the_longest_row(rng: np.random.Generator) -> Found:
    for _ in range(3):
        k, C = int(rng.integers(2, 5)), Fraction(1, int(rng.integers(1, 5)))
        X, y = noisy_sample(rng, k, 2, 8, largest=3)
        gram = X @ X.T
        primal = solve_infinity_norm_primal(X, y, k, float(C))
        dual = solve_infinity_norm_dual(gram, y, k, float(C))
        yield equal("primal, dual", primal.value, dual.value, within=CLOSE)
        W, flows = rational_rows(primal.point), feasible_flows(dual.point, y, C)
        value = infinity_norm_primal_value(W, X, y, C)
        yield equal("value of W, optimum", value, dual.value, within=CLOSE)
        exact = infinity_norm_dual_value(flows, gram, y)
        yield equal("value of α, optimum", exact, primal.value, within=CLOSE)
        yield at_most("weak duality: value of α, of W", exact, value)
        yield from _recovery(X, primal.point, dual.point)


def _recovery(X: np.ndarray, W: np.ndarray, alpha: np.ndarray) -> Found:
    """Rows with v_l != 0 are the recovered ones, all of the same length; the others are no longer."""
    rows = recovered_rows(alpha, X)
    active = np.flatnonzero((rows != 0).any(axis=1))
    longest = max(rational_rows(row) @ rational_rows(row) for row in W)
    for label in range(len(W)):
        row = rational_rows(W[label])
        if label in active:
            difference = row - rational_rows(rows[label])
            yield at_most(f"class {label}: |w - recovered w|", known(difference @ difference).upper, Fraction(1, 10**7))
            yield equal(f"class {label}: |w|², longest", row @ row, longest, within=1e-4)
        else:
            yield at_most(f"class {label} (v = 0): |w|², longest", row @ row, longest)


@claim.extremal("rows of equal length: |W|_1 = k |W|_∞; a single row: all norms agree")
def rows_of_equal_length() -> Found:
    for k in (2, 5):
        same, single = np.full(k, 3, dtype=object), np.array([3] + [0] * (k - 1), dtype=object)
        yield equal("|W|_1, k |W|_∞", same.sum(), k * group_norm(same, math.inf))
        yield equal("|W|_1, |W|_∞", single.sum(), group_norm(single, math.inf))


def cross() -> tuple[np.ndarray, np.ndarray, Fraction]:
    """Three classes on the line and off it, for which the rows found by the two norms differ."""
    X = rational([[2, 0], [1, 1], [-1, 2], [-2, 1], [0, -1], [1, -2]])
    return X, np.array([0, 0, 1, 1, 2, 2]), Fraction(1, 4)


@claim.control("the rows of the usual machine, w_l = v_l, from the dual of the longest row")
def the_rows_of_the_usual_machine_w_l_v_l() -> Found:
    X, y, C = cross()
    dual = solve_infinity_norm_dual(X @ X.T, y, 3, float(C))
    rows = rational_rows(dual.point.T @ X.astype(float))
    yield equal("primal value of w = v, optimum", infinity_norm_primal_value(rows, X, y, C), dual.value, within=CLOSE)


@claim.control("the usual quadratic term ½ Σ |v_l|² in place of ½ (Σ |v_l|)²")
def the_usual_quadratic_term_half_v_l_squared() -> Found:
    X, y, C = cross()
    dual = solve_infinity_norm_dual(X @ X.T, y, 3, float(C))
    flows = feasible_flows(dual.point, y, C)
    v = flows.T @ X
    usual = flows[np.arange(len(y)), y].sum() - Fraction((v * v).sum()) / 2
    yield at_most("value of α with the usual term, optimum of the primal", usual, dual.value)


@claim.control("p = 1 admits the largest class: a W with |W|_∞ ≤ 1 and |W|_1 > 1")
def p_1_admits_the_largest_class() -> Found:
    lengths = np.array([1, 1], dtype=object)
    assert group_norm(lengths, math.inf) == 1
    yield at_most("|W|_1, 1", lengths.sum(), 1)


@claim.control("equal lengths of all rows, those with v_l = 0 included")
def equal_lengths_of_all_rows_those_with_v_l_0() -> Found:
    # Class 2 never occurs, and the row of a class that never wins need not be long.
    X, y = rational([[1, 0], [-1, 0]]), np.array([0, 1])
    primal = solve_infinity_norm_primal(X, y, 3, 1.0)
    lengths = [row @ row for row in rational_rows(primal.point)]
    yield equal("shortest, longest |w|²", min(lengths), max(lengths), within=1e-2)


@claim.control("the certificate of a worse W")
def the_certificate_of_a_worse_w() -> Found:
    X, y, C = cross()
    found = solve_infinity_norm_primal(X, y, 3, float(C))
    worse = infinity_norm_primal_value(rational_rows(1.01 * found.point), X, y, C)
    yield holds("value below the certified optimum's upper end", bool(worse <= found.value.upper), Tier.EXACT)
    yield at_least("certified optimum, value of 1.01 W", found.value, worse)
