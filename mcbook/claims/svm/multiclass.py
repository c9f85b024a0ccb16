"""The multi-class SVM: primal, optimality conditions, dual, two classes, and the bound it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.binary_svm import binary_primal, polynomial_gram, soft_margin_path, solve_binary_primal
from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.claims.binary_svm.samples import TINY, Found, agree, close, paths, squared, trade_offs
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.svm.samples import samples
from mcbook.foundation.linear import gram_root
from mcbook.foundation.numbers import as_given, as_integers
from mcbook.foundation.programs import flow_constraints, solve_certified, solve_multiclass_svm
from mcbook.foundation.types import Array, Exact, Labels
from mcbook.svm import (
    class_weights,
    dual_objective,
    flow_violation,
    gap_parts,
    kkt_residuals,
    noisy_sample,
    primal_objective,
    slacks,
    solve_flows,
)
from mcbook.svm.algorithm.programs import exact_bracket, feasible_flows

# One point of each class on an axis of its own: W = alpha' has entries (k - 1) / k and -1 / k, and the value is
# (k - 1) / 2, for every C >= (k - 1) / k.
AXES = as_integers(np.eye(3, dtype=int))
AXES_FLOWS = np.full((3, 3), Fraction(-1, 3)) + np.array(np.eye(3, dtype=int), dtype=object)


def crowd() -> tuple[Exact, Labels, int]:
    X, y = noisy_sample(np.random.default_rng(4), 3, 2, 12)
    return X, y, 3


multiclass_primal = Claim(
    "thm-multiclass-svm-primal",
    "equivalence",
    "certified",
    source=("mohri2018", "lecture13", "roth-cis519"),
    where="§9.3.1; Problem 1; multi-class SVM slide",
    implements=(primal_objective, solve_multiclass_svm, slacks),
    formula=(
        Formula("eq-svm-slack", slacks, over="i"),
        Formula(
            "eq-svm-primal", primal_objective, given={r"\xi_i": r"\max_{z\ne y_i}\max(0,1-(w_{y_i}-w_z)\cdot x_i)"}
        ),
    ),
)


@multiclass_primal.check(
    "the value meets the dual bracket; the rows of W sum to 0; each slack is its example's largest hinge"
)
def value_rows_and_slacks(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 8):
        C = trade_offs(rng)
        found = solve_multiclass_svm(X, y, k, float(C))
        flows = solve_flows(X @ X.T, y, k, float(C))
        W = as_given(found.point)
        yield agree("optimum ≈ bracket of exact primal and dual values", found, exact_bracket(W, flows.point, X, y, C))
        yield close("Σ_z w_z", W.sum(axis=0), 0)
        yield equal("constraints = m (k − 1) margins and m signs", found.n_constraints, len(y) * (k - 1) + len(y))
        yield close("ξ − the largest hinges", as_given(found.slack), slacks(W, X, y))  # type: ignore[arg-type]  # it has slacks


@multiclass_primal.check("a known optimum: one point of each class on its own axis, in rationals")
def one_point_on_each_axis(rng: np.random.Generator) -> Found:
    y = np.arange(3)
    W = class_weights(AXES_FLOWS, AXES)
    for C in (Fraction(2, 3), 1, 5):
        yield equal("value at W = optimum", primal_objective(W, AXES, y, C), 1, at=f"C = {C}")
        yield agree("optimum found ≈ optimum", solve_multiclass_svm(AXES, y, 3, float(C)), Fraction(1))
    yield equal("|Σ_z w_z|²", squared(W.sum(axis=0)), 0)


@multiclass_primal.control(
    "The label must not count as its own rival: if it does, every example pays a slack of 1, and the "
    "optimum is $Cm$, here {left}, instead of {right}.",
    story=True,
)
def label_as_its_own_rival() -> Found:
    import cvxpy as cp

    X, y, k = crowd()
    W, xi = cp.Variable((k, X.shape[1])), cp.Variable(len(X), nonneg=True)
    table = X.astype(float) @ W.T
    # For the label it reads 0 >= 1 - xi: every example pays, and W = 0 is best.
    asked = [table[np.arange(len(X)), y][:, None] - table >= 1 - xi[:, None] @ np.ones((1, k))]
    altered = solve_certified(cp.Minimize(cp.sum_squares(W) / 2 + cp.sum(xi)), asked, W, xi)
    yield agree("optimum with the label as its own rival ≈ optimum", altered, solve_multiclass_svm(X, y, k, 1.0))


@multiclass_primal.control(
    "The slack of an example is not the sum of its hinges: with the sum the optimum is {left}, with the "
    "largest hinge only {right}."
)
def sum_of_the_hinges() -> Found:
    X, y, k = crowd()
    per_rival = solve_multiclass_svm(X, y, k, 1.0, loss="weston-watkins")
    yield agree("optimum for the sum of the hinges ≈ optimum", per_rival, solve_multiclass_svm(X, y, k, 1.0))


optimality = Claim(
    "prp-svm-kkt",
    "equivalence",
    "certified",
    source="lecture13",
    where="Remark 1",
    implements=(kkt_residuals, gap_parts),
    no_formula="conditions that solutions of a quadratic program satisfy",
)


def random_point(rng: np.random.Generator, X: Exact, y: Labels, k: int, C: Fraction) -> tuple[Exact, ...]:
    """A W, feasible slacks above the least ones, and feasible flows, all in fractions."""
    W = as_integers(rng.integers(-3, 4, (k, X.shape[1]))) * Fraction(1, 7)
    slack = slacks(W, X, y) + as_integers(rng.integers(0, 2, (len(X), 1)))[:, 0] * Fraction(1, 3)
    return W, slack, feasible_flows(-rng.random((len(X), k)) * float(C) / k, y, C)


@optimality.check("the gap is the sum of what the conditions say is 0, at any W, slacks and flows, in rationals")
def gap_is_a_sum_of_parts(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 25):
        C = trade_offs(rng)
        W, slack, alpha = random_point(rng, X, y, k, C)
        parts = gap_parts(W, slack, alpha, X, y, C)
        above = Fraction(squared(W)) / 2 + C * slack.sum()
        yield equal("primal − dual = sum of the parts", above - dual_objective(alpha, X @ X.T, y), sum(parts))
        yield at_least("smallest part ≥ 0", min(parts), 0)


@optimality.check("residuals vanish at certified optima, and at the known optimum exactly")
def no_residuals_at_optima(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 6):
        C = trade_offs(rng)
        found = solve_multiclass_svm(X, y, k, float(C))
        flows = solve_flows(X @ X.T, y, k, float(C))
        worst = kkt_residuals(as_given(found.point), as_given(found.slack), as_given(flows.point), X, y, C).worst  # type: ignore[arg-type]  # it has slacks
        yield equal("largest residual", worst, 0, within=float(10 * TINY))
    yield equal("largest residual at the known optimum", kkt_residuals(*KNOWN).worst, 0)


# W, slacks, flows, X, y and C of the optimum with one point on each axis.
KNOWN = (class_weights(AXES_FLOWS, AXES), as_integers(np.zeros(3, dtype=int)), AXES_FLOWS, AXES, np.arange(3), 1)


@optimality.check("each residual measures its condition, and no other: one change at a time of the known optimum")
def each_residual_its_condition(rng: np.random.Generator) -> Found:
    W, none, alpha, X, y, _ = KNOWN
    share = Fraction(int(rng.integers(1, 9)), 9)
    axes = as_integers(np.eye(3, dtype=int))
    # All leads are 1, and each label takes 2/3 of the C = 1 that it may.
    cases = (
        ("too short: the leads miss", (1 - share) * W, none, alpha, 1, "primal", share),
        ("a slack below 0, with leads that make up for it", (1 + share) * W, none - share, alpha, 1, "primal", share),
        ("more than C is taken", W, none, alpha, Fraction(2, 3) - share / 2, "dual", share / 2),
        ("W is not the sum, by more", W + share * axes, none, alpha, 1, "stationarity", share),
        ("W is not the sum, by less", W - share * axes, none + share, alpha, 1, "stationarity", share),
        ("a payer takes less than C", (1 - share) * W, none + share, alpha, 2, "complementarity", 4 * share / 3),
        ("a rival that is beaten by more gives", (1 + share) * W, none, alpha, 1, "complementarity", share / 3),
    )
    for what, moved, slack, flows, C, condition, size in cases:
        yield equal(
            f"{condition} residual", getattr(kkt_residuals(moved, slack, flows, X, y, C), condition), size, at=what
        )


@optimality.control(
    "Stationarity and feasibility alone do not make a solution: without complementarity some flows leave "
    "a primal value of {left} and a dual value of {right}."
)
def without_complementarity() -> Found:
    X, y, k = crowd()
    flows = feasible_flows(np.full((len(X), k), -0.25), y, 1)
    W = class_weights(flows, X)
    left = kkt_residuals(W, slacks(W, X, y), flows, X, y, 1)
    assert left.primal == left.dual == left.stationarity == 0, "the control should meet all other conditions"
    yield equal("primal = dual", primal_objective(W, X, y, 1), dual_objective(flows, X @ X.T, y))


@optimality.strengthened(
    "The conditions admit no other $W$: if the optimal $W$ is made one per cent longer, the largest "
    "residual is {left}, no longer {right}.",
    by=Fraction(101, 100),
)
def longer_weights(factor: Fraction) -> Found:
    yield equal("largest residual", kkt_residuals(factor * KNOWN[0], *KNOWN[1:]).worst, 0)


multiclass_duality = Claim(
    "thm-multiclass-svm-dual",
    "identity",
    "certified",
    source=("mohri2018", "lecture13"),
    where="§9.3.1; Problem 2",
    errata=("E1",),
    implements=(dual_objective, solve_flows, class_weights),
    formula=Formula("eq-svm-dual", dual_objective),
)


@multiclass_duality.check("primal and dual optimum agree, for linear and polynomial kernels")
def one_optimum(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 5):
        C = float(trade_offs(rng))
        tensor = np.array([np.outer(x, x).ravel() for x in X], dtype=object) * Fraction(1, 16)
        for features, K in ((X, X @ X.T), (tensor, polynomial_gram(X, X, 2) * Fraction(1, 256))):
            found, flows = solve_multiclass_svm(features, y, k, C), solve_flows(K, y, k, C)
            yield agree("primal ≈ dual", found, flows)
            sums = class_weights(as_given(flows.point), features)
            yield close("W − Σ α_i φ(x_i)", as_given(found.point), sums, within=10 * TINY)


@multiclass_duality.check("no flow has a dual value above any primal value, in rationals")
def weak_duality(rng: np.random.Generator) -> Found:
    for X, y, k in samples(rng, 25):
        C = trade_offs(rng)
        W, _, alpha = random_point(rng, X, y, k, C)
        yield equal("violation of the flows", flow_violation(alpha, y, C), 0)
        for V in (W, class_weights(alpha, X)):
            value = primal_objective(V, X, y, C)
            yield at_most("dual ≤ primal", dual_objective(alpha, X @ X.T, y), value)


@multiclass_duality.trace("three points on three axes, C = 1, in rationals")
def one_point_on_each_axis_traced() -> Found:
    yield from lagrange_lines(AXES, np.arange(3), AXES_FLOWS, Fraction(1))


def lagrange_lines(X: Exact, y: Labels, alpha: Exact, C: Fraction) -> Iterator[Evidence]:
    """The derivation of the dual on one instance, with the flows that attain it."""
    W, K = class_weights(alpha, X), X @ X.T
    slack, own = slacks(W, X, y), alpha[np.arange(len(X)), y]
    yield equal("violation of the constraints", flow_violation(alpha, y, C), 0, at="flows are feasible")
    yield at_most("0 ≤ smallest C − α_iy", 0, (C - own).min(), at="multiplier of ξ_i ≥ 0")
    yield equal("|W|² = Σ_ij ⟨α_i, α_j⟩ K_ij", squared(W), sum(alpha[i] @ alpha[j] * K[i, j] for i in y for j in y))
    product = sum(alpha[i] @ (W @ X[i]) for i in y)
    yield equal("⟨W, Σ_i α_i x_i⟩ = |W|²", product, squared(W))
    apart, rivals, payers = gap_parts(W, slack, alpha, X, y, C)
    yield equal("½|W − Σ α_i x_i|²", apart, 0, at="stationarity")
    yield equal("Σ −α_iz (surplus)", rivals, 0, at="rivals")
    yield equal("Σ (C − α_iy) ξ_i", payers, 0, at="payers")
    yield equal("primal = dual", primal_objective(W, X, y, C), dual_objective(alpha, K, y))


@multiclass_duality.control(
    "The double sum over $i$ and $j$ is essential: with a single sum over $i$, as printed in the source, "
    "the optimum is {left}, not the primal optimum {right}."
)
def single_sum() -> Found:
    X, y, k = crowd()
    diagonal = np.diag(np.diag((X @ X.T).astype(float)))
    yield agree(
        "optimum with a single sum ≈ primal optimum",
        solve_flows(diagonal, y, k, 1.0),
        solve_multiclass_svm(X, y, k, 1.0),
    )


@multiclass_duality.control(
    "With a single sum over $i$ not even weak duality is left: on two equal points some flows have the "
    "value {left}, above the primal value {right} of some $W$.",
    story=True,
)
def single_sum_as_a_lower_bound() -> Found:
    X, y, half = as_integers(np.array([[1], [1]])), np.array([0, 0]), Fraction(1, 2)
    flows = np.array([[half, -half], [half, -half]])
    printed = dual_objective(flows, np.diag(np.diag(X @ X.T)), y)
    yield at_most("single sum ≤ primal value", printed, primal_objective(np.array([[half], [-half]]), X, y, 1))


@multiclass_duality.control(
    r"The rows of $\alpha$ must sum to 0: without this constraint the dual optimum rises to {left}, above "
    "the true optimum {right}."
)
def unbalanced_rows() -> Found:
    import cvxpy as cp

    X, y, k = crowd()
    own, alpha = np.eye(k)[y], cp.Variable((len(X), k))
    value = cp.sum(cp.multiply(own, alpha)) - cp.sum_squares(gram_root((X @ X.T).astype(float)).T @ alpha) / 2
    *signs, _balance = flow_constraints(alpha, y, 1.0)
    loose = solve_certified(cp.Maximize(value), signs, alpha)
    yield at_most("optimum without the sums ≤ dual optimum", loose.value, solve_flows(X @ X.T, y, k, 1.0).value)


two_classes = Claim(
    "cor-two-class-svm",
    "equivalence",
    "certified",
    source="roth-cis519",
    where="multi-class SVM slide",
    implements=(solve_multiclass_svm, solve_binary_primal),
    no_formula="an equivalence of two problems",
)


@two_classes.check("both problems: half the value, and w_1 = −w_2 is half the binary w for twice the C")
def both_problems_of_two_classes(rng: np.random.Generator) -> Found:
    for path in paths(rng, 5):
        C = float(trade_offs(rng))
        both = solve_multiclass_svm(path.X, labels(path.signs), 2, C)
        binary = solve_binary_primal(path.X, path.signs, 2 * C)
        yield agree("multi-class value ≈ half the binary value for 2C", both, binary.value / 2)
        W, w = as_given(both.point), as_given(binary.point)
        yield close("w_1 + w_2", W[0] + W[1], 0)
        yield close("w_1 − w_2 − w", W[0] - W[1], w)


@two_classes.check("on the exact path, with flows that prove it")
def two_classes_along_the_path(rng: np.random.Generator) -> Found:
    for path in paths(rng, 12):
        X, y, C = path.X, labels(path.signs), trade_offs(rng)
        w, alpha = path.w(2 * C), path.alpha(2 * C) * path.signs * Fraction(1, 2)
        W, flows = np.array([w, -w]) * Fraction(1, 2), np.array([alpha, -alpha]).T
        value = primal_objective(W, X, y, C)
        yield equal("violation of the flows", flow_violation(flows, y, C), 0)
        yield equal("primal = dual", value, dual_objective(flows, X @ X.T, y))
        yield equal("twice the value = binary value for 2C", 2 * value, binary_primal(w, X, path.signs, 2 * C))


def labels(signs: Array) -> Labels:
    """The sign +1 is class 0, -1 class 1."""
    return np.where(signs.astype(int) > 0, 0, 1)


@two_classes.control(
    "The binary SVM needs twice the $C$: with the same $C$ half of its value is {right}, while the "
    "multi-class value is {left}."
)
def same_trade_off() -> Found:
    X, y, _ = crowd()
    signs = np.where(y == 0, 1, -1).astype(object)
    w = soft_margin_path(X, signs).w(1)
    two_classes = solve_multiclass_svm(X, labels(signs), 2, 1.0)
    yield agree("multi-class value ≈ half the binary value for C", two_classes, binary_primal(w, X, signs, 1) / 2)


@two_classes.control(
    "The two values are not equal: the multi-class value is {left}, and the binary value for $2C$ is "
    "{right}, twice as much."
)
def same_value() -> Found:
    X, y, _ = crowd()
    signs = np.where(y == 0, 1, -1).astype(object)
    w = soft_margin_path(X, signs).w(2)
    yield agree(
        "multi-class value ≈ binary value for 2C",
        solve_multiclass_svm(X, labels(signs), 2, 1.0),
        binary_primal(w, X, signs, 2),
    )
