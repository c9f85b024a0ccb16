"""The multi-class machine: primal, optimality conditions, dual, two classes, and the bound it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.svm.common import TINY, Found, agree, exactly, paths, samples, squared, trade_offs
from mcbook.perceptron import as_integers, frobenius
from mcbook.svm import (
    binary_primal,
    class_weights,
    dual_objective,
    exact_bracket,
    feasible_flows,
    flow_violation,
    gap_parts,
    hinge_against_ramp,
    kkt_residuals,
    least_on_line,
    noisy_sample,
    polynomial_gram,
    primal_objective,
    slacks,
    soft_margin_path,
    solve_binary_primal,
    solve_least_slack,
    solve_multiclass_dual,
    solve_multiclass_primal,
    solve_single_sum_dual,
)
from mcbook.svm.theory import ramp

# One point of each class on an axis of its own: W = alpha' has entries (k - 1) / k and -1 / k, and the value is
# (k - 1) / 2, for every C >= (k - 1) / k.
AXES = as_integers(np.eye(3, dtype=int))
AXES_FLOWS = np.full((3, 3), Fraction(-1, 3)) + np.array(np.eye(3, dtype=int), dtype=object)


def crowd() -> tuple[np.ndarray, np.ndarray, int]:
    X, y = noisy_sample(np.random.default_rng(4), 3, 2, 12)
    return X, y, 3


# --- M.svmP ----------------------------------------------------------------------------------------------------------

primal = Claim(
    "M.svmP",
    implements=(primal_objective, solve_multiclass_primal, slacks),
    formula=(
        Formula("eq-svm-slack", slacks, over="i"),
        Formula(
            "eq-svm-primal", primal_objective, given={r"\xi_i": r"\max_{z\ne y_i}\max(0,1-(w_{y_i}-w_z)\cdot x_i)"}
        ),
    ),
)


@primal.check("the value meets the dual bracket; the rows of W sum to 0; each slack is its example's largest hinge")
def the_value_meets_the_dual_bracket(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 8):
        C = trade_offs(rng)
        found = solve_multiclass_primal(X, y, k, float(C))
        flows = solve_multiclass_dual(X @ X.T, y, k, float(C))
        W = exactly(found.point)
        yield agree("programme, bracket of exact primal and dual values", found, exact_bracket(W, flows.point, X, y, C))
        yield at_most("|Σ_z w_z|²", squared(W.sum(axis=0)), TINY)
        yield equal("constraints, m (k - 1) margins and m signs", found.n_constraints, len(y) * (k - 1) + len(y))
        yield at_most("largest |ξ_i − largest hinge|", np.abs(exactly(found.slack) - slacks(W, X, y)).max(), TINY)


@primal.check("a known optimum: one point of each class on its own axis, in rationals")
def a_known_optimum(rng: np.random.Generator) -> Found:
    y = np.arange(3)
    W = class_weights(AXES_FLOWS, AXES)
    for C in (Fraction(2, 3), 1, 5):
        yield equal("value at W", primal_objective(W, AXES, y, C), 1)
        yield agree("programme", solve_multiclass_primal(AXES, y, 3, float(C)), Fraction(1))
    yield equal("sum of the rows", squared(W.sum(axis=0)), 0)


@primal.control("the constraint is asked for the label itself too, as for rivals")
def the_constraint_is_asked_for_the_label_itself_too() -> Found:
    X, y, k = crowd()
    # 0 >= 1 - xi then makes every slack at least 1, and W = 0 with all slacks 1 is best: the value is C m.
    yield agree("C m, optimum", solve_multiclass_primal(X, y, k, 1.0), Fraction(len(X)))


@primal.control("the slack is the sum of the example's hinges")
def the_slack_is_the_sum_of_the_examples_hinges() -> Found:
    X, y, k = crowd()
    per_rival = solve_multiclass_primal(X, y, k, 1.0, "weston-watkins")
    yield agree("optima", per_rival, solve_multiclass_primal(X, y, k, 1.0))


# --- L13.R1 ----------------------------------------------------------------------------------------------------------

kkt = Claim(
    "L13.R1", implements=(kkt_residuals, gap_parts), no_formula="conditions that solutions of a programme satisfy"
)


def random_point(rng: np.random.Generator, X: np.ndarray, y: np.ndarray, k: int, C: Fraction) -> tuple[np.ndarray, ...]:
    """A W, feasible slacks above the least ones, and feasible flows, all in fractions."""
    W = as_integers(rng.integers(-3, 4, (k, X.shape[1]))) * Fraction(1, 7)
    slack = slacks(W, X, y) + as_integers(rng.integers(0, 2, (len(X), 1)))[:, 0] * Fraction(1, 3)
    return W, slack, feasible_flows(-rng.random((len(X), k)) * float(C) / k, y, C)


@kkt.check("the gap is the sum of what the conditions say is 0, at any W, slacks and flows, in rationals")
def the_gap_is_the_sum_of_what_the_conditions_say(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 25):
        C = trade_offs(rng)
        W, slack, alpha = random_point(rng, X, y, k, C)
        parts = gap_parts(W, slack, alpha, X, y, C)
        above = Fraction(frobenius(W, W)) / 2 + C * slack.sum()
        yield equal("primal − dual", above - dual_objective(alpha, X @ X.T, y), sum(parts))
        yield at_least("smallest part", min(parts), 0)


@kkt.check("residuals vanish at certified optima, and at the known optimum exactly")
def residuals_vanish_at_certified_optima(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 6):
        C = trade_offs(rng)
        found = solve_multiclass_primal(X, y, k, float(C))
        flows = solve_multiclass_dual(X @ X.T, y, k, float(C))
        worst = kkt_residuals(exactly(found.point), exactly(found.slack), exactly(flows.point), X, y, C).worst
        yield at_most("largest residual", worst, 10 * TINY)
    y, nothing = np.arange(3), as_integers(np.zeros((3, 1), dtype=int))[:, 0]
    known = kkt_residuals(class_weights(AXES_FLOWS, AXES), nothing, AXES_FLOWS, AXES, y, 1)
    yield equal("largest residual at the known optimum", known.worst, 0)


@kkt.control("stationarity and feasibility are enough, without complementarity")
def stationarity_and_feasibility_are_enough_without() -> Found:
    X, y, k = crowd()
    flows = feasible_flows(np.full((len(X), k), -0.25), y, 1)
    W = class_weights(flows, X)
    left = kkt_residuals(W, slacks(W, X, y), flows, X, y, 1)
    assert left.primal == left.dual == left.stationarity == 0, "the control should meet all other conditions"
    yield equal("primal, dual", primal_objective(W, X, y, 1), dual_objective(flows, X @ X.T, y))


@kkt.control("a point next to the optimum meets the conditions with the same multipliers")
def a_point_next_to_the_optimum_meets_the_conditions() -> Found:
    y, nothing = np.arange(3), as_integers(np.zeros((3, 1), dtype=int))[:, 0]
    longer = Fraction(101, 100) * class_weights(AXES_FLOWS, AXES)
    yield equal("largest residual", kkt_residuals(longer, nothing, AXES_FLOWS, AXES, y, 1).worst, 0)


# --- M.svmD ----------------------------------------------------------------------------------------------------------

dual = Claim(
    "M.svmD",
    implements=(dual_objective, solve_multiclass_dual, class_weights),
    formula=Formula("eq-svm-dual", dual_objective),
)


@dual.check("primal and dual optimum agree, for linear and polynomial kernels")
def primal_and_dual_optimum_agree_for_linear(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 5):
        C = float(trade_offs(rng))
        tensor = np.array([np.outer(x, x).ravel() for x in X], dtype=object) * Fraction(1, 16)
        for features, K in ((X, X @ X.T), (tensor, polynomial_gram(X, X, 2) * Fraction(1, 256))):
            found, flows = solve_multiclass_primal(features, y, k, C), solve_multiclass_dual(K, y, k, C)
            yield agree("primal, dual", found, flows)
            apart = exactly(found.point) - class_weights(exactly(flows.point), features)
            yield at_most("|W − Σ α_i φ(x_i)|²", squared(apart), 10 * TINY)


@dual.check("no flow has a dual value above any primal value, in rationals")
def no_flow_has_a_dual_value_above_any_primal_value(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 25):
        C = trade_offs(rng)
        W, _, alpha = random_point(rng, X, y, k, C)
        yield equal("violation of the flows", flow_violation(alpha, y, C), 0)
        for V in (W, class_weights(alpha, X)):
            value = primal_objective(V, X, y, C)
            yield at_most("dual, primal", dual_objective(alpha, X @ X.T, y), value)


@dual.trace("three points on three axes, C = 1, in rationals")
def three_points_on_three_axes_c_1_in_rationals() -> Found:
    yield from lagrange_lines(AXES, np.arange(3), AXES_FLOWS, Fraction(1))


def lagrange_lines(X: np.ndarray, y: np.ndarray, alpha: np.ndarray, C: Fraction) -> Iterator[Evidence]:
    """The derivation of the dual on one instance, with the flows that attain it."""
    W, K = class_weights(alpha, X), X @ X.T
    slack, own = slacks(W, X, y), alpha[np.arange(len(X)), y]
    yield equal("flows are feasible: violation", flow_violation(alpha, y, C), 0)
    yield at_most("multiplier of ξ_i ≥ 0: C − α_iy, at least", 0, (C - own).min())
    yield equal(
        "|W|² = Σ_ij ⟨α_i, α_j⟩ K_ij", frobenius(W, W), sum(alpha[i] @ alpha[j] * K[i, j] for i in y for j in y)
    )
    product = sum(alpha[i] @ (W @ X[i]) for i in y)
    yield equal("⟨W, Σ_i α_i x_i⟩ = |W|²", product, frobenius(W, W))
    apart, rivals, payers = gap_parts(W, slack, alpha, X, y, C)
    yield equal("stationarity: ½|W − Σ α_i x_i|²", apart, 0)
    yield equal("rivals: Σ −α_iz (surplus)", rivals, 0)
    yield equal("payers: Σ (C − α_iy) ξ_i", payers, 0)
    yield equal("so primal = dual", primal_objective(W, X, y, C), dual_objective(alpha, K, y))


@dual.control("the quadratic term with a single sum over i, as printed, has the primal's optimum")
def the_quadratic_term_with_a_single_sum_over_i() -> Found:
    X, y, k = crowd()
    yield agree("single sum, primal", solve_single_sum_dual(X @ X.T, y, k, 1.0), solve_multiclass_primal(X, y, k, 1.0))


@dual.control("the single sum is at least a lower bound: two equal points, in rationals")
def the_single_sum_is_at_least_a_lower_bound() -> Found:
    X, y, half = as_integers(np.array([[1], [1]])), np.array([0, 0]), Fraction(1, 2)
    flows = np.array([[half, -half], [half, -half]])
    printed = dual_objective(flows, np.diag(np.diag(X @ X.T)), y)
    yield at_most("single sum, primal value", printed, primal_objective(np.array([[half], [-half]]), X, y, 1))


@dual.control("rows of alpha need not sum to 0")
def rows_of_alpha_need_not_sum_to_0() -> Found:
    X, y, k = crowd()
    loose = solve_multiclass_dual(X @ X.T, y, k, 1.0, balanced=False)
    yield at_most("dual without the sums, primal", loose.value, solve_multiclass_primal(X, y, k, 1.0).value)


# --- M.svm2 ----------------------------------------------------------------------------------------------------------

two = Claim(
    "M.svm2", implements=(solve_multiclass_primal, solve_binary_primal), no_formula="an equivalence of two programmes"
)


@two.check("both programmes: half the value, and w_1 = −w_2 is half the binary w for twice the C")
def both_programmes(rng: np.random.Generator) -> Found:
    for path in paths(rng, 5):
        C = float(trade_offs(rng))
        both = solve_multiclass_primal(path.X, labels(path.signs), 2, C)
        binary = solve_binary_primal(path.X, path.signs, 2 * C)
        yield agree("multi-class value, half the binary value", both, binary.value / 2)
        W, w = exactly(both.point), exactly(binary.point)
        yield at_most("|w_1 + w_2|² + |w_1 − w_2 − w|²", squared(W[0] + W[1]) + squared(W[0] - W[1] - w), TINY)


@two.check("on the exact path, with flows that prove it")
def on_the_exact_path_with_flows_that_prove_it(rng: np.random.Generator) -> Found:
    for path in paths(rng, 12):
        X, y, C = path.X, labels(path.signs), trade_offs(rng)
        w, alpha = path.w(2 * C), path.alpha(2 * C) * path.signs * Fraction(1, 2)
        W, flows = np.array([w, -w]) * Fraction(1, 2), np.array([alpha, -alpha]).T
        value = primal_objective(W, X, y, C)
        yield equal("violation of the flows", flow_violation(flows, y, C), 0)
        yield equal("primal, dual", value, dual_objective(flows, X @ X.T, y))
        yield equal("twice the value, binary value for 2 C", 2 * value, binary_primal(w, X, path.signs, 2 * C))


def labels(signs: np.ndarray) -> np.ndarray:
    """The sign +1 is class 0, -1 class 1."""
    return np.where(signs.astype(int) > 0, 0, 1)


@two.control("with the same C")
def with_the_same_c() -> Found:
    X, y, _ = crowd()
    signs = np.where(y == 0, 1, -1).astype(object)
    w = soft_margin_path(X, signs).w(1)
    two_classes = solve_multiclass_primal(X, labels(signs), 2, 1.0)
    yield agree("multi-class, half the binary value", two_classes, binary_primal(w, X, signs, 1) / 2)


@two.control("with the same value")
def with_the_same_value() -> Found:
    X, y, _ = crowd()
    signs = np.where(y == 0, 1, -1).astype(object)
    w = soft_margin_path(X, signs).w(2)
    yield agree("values", solve_multiclass_primal(X, labels(signs), 2, 1.0), binary_primal(w, X, signs, 2))


# --- M.svmR ----------------------------------------------------------------------------------------------------------

bound = Claim(
    "M.svmR",
    implements=(solve_least_slack, least_on_line, ramp),
    no_formula="the solution of a programme, and one example",
)


@bound.check("no W as short as the optimum has a smaller sum of slacks")
def no_w_as_short_as_the_optimum_has_a_smaller_sum(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 6):
        # Small, so that some example pays: with none paying, the only W allowed is W_C, and no solver likes that.
        C = float(trade_offs(rng)) / 20
        W = exactly(solve_multiclass_primal(X, y, k, C).point)
        least = solve_least_slack(X, y, k, float(squared(W)) ** 0.5)
        yield equal("Σξ at W_C, least Σξ for |W| ≤ |W_C|", slacks(W, X, y).sum(), least.value, within=1e-4)


@bound.check("on x = (1, 1, 1, −4), C = ½: hinge −¼, ramp 1, in rationals")
def on_x_c_half(rng: np.random.Generator) -> Found:
    x, C = hinge_against_ramp(), Fraction(1, 2)
    yield equal("hinge chooses", least_on_line(x, C)[0], Fraction(-1, 4))
    yield equal("ramp chooses", least_on_line(x, C, "ramp")[0], 1)
    yield agree("programme, hinge", solve_binary_primal(x[:, None], np.ones(4), 0.5), least_on_line(x, C)[1])
    for _ in range(30):
        z, price = rng.integers(-5, 6, 5).astype(object), Fraction(int(rng.integers(1, 40)), 200)
        ones = np.ones(5, dtype=int)
        w = soft_margin_path(z[:, None], ones).w(price)
        yield equal(
            "hinge on other points, exact path", least_on_line(z, price)[1], binary_primal(w, z[:, None], ones, price)
        )


@bound.check("the ramp is never above the hinge, equal to it for scores of at least 0, and 1 for the others")
def the_ramp_is_never_above_the_hinge_equal_to_it(rng: np.random.Generator) -> Found:
    for u in (Fraction(n, 7) for n in range(-30, 31)):
        paid, capped = max(1 - u, Fraction(0)), Fraction(ramp(u))
        yield at_most("ramp, hinge", capped, paid)
        yield equal("ramp, hinge or 1", capped, paid if u >= 0 else 1)


@bound.control("the hinge's choice also has the smallest ramp objective")
def the_hinges_choice_also_has_the_smallest_ramp() -> Found:
    x, C = hinge_against_ramp(), Fraction(1, 2)
    w = least_on_line(x, C)[0]
    yield at_most("ramp objective", w * w / 2 + C * ramp(w * x).sum(), least_on_line(x, C, "ramp")[1])


@bound.control("W_C has the least sum of slacks also among W that are a hundredth longer")
def w_c_has_the_least_sum_of_slacks_also_among_w() -> Found:
    X, y, k = crowd()
    W = exactly(solve_multiclass_primal(X, y, k, 0.1).point)
    least = solve_least_slack(X, y, k, 1.01 * float(squared(W)) ** 0.5)
    yield equal("Σξ", slacks(W, X, y).sum(), least.value, within=1e-4)
