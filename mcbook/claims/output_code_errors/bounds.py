"""Training error: the theorem of loss-based decoding, its corollary, refined and sharper forms."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal, less_than, proved
from mcbook.claims.output_codes.samples import (
    EXACT_LOSSES,
    Found,
    Loss,
    at_zero,
    not_positive,
    power_of_two,
    random_code,
    random_sample,
    sign_codes,
    standard_codes,
    unsafe_line,
)
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.proof.exact import ball, rational
from mcbook.foundation.proof.rigorous import prove_identity, prove_sign
from mcbook.foundation.types import Array
from mcbook.losses import hinge, logistic, ramp
from mcbook.losses.theory.catalogue import exponential, sigmoid
from mcbook.output_code_errors import (
    all_pairs_contribution,
    cheapest_mistake,
    hinge_mistake_cost,
    ignored_contribution,
    ignored_share,
    loss_decoding_bound,
    sample_with_error,
    scaled_loss_bound,
    training_error,
    worst_error,
)
from mcbook.output_code_errors.instances import tied_outputs
from mcbook.output_codes import (
    all_pairs_code,
    average_loss,
    complete_code,
    minimal_distance,
    one_vs_rest_code,
)

# --- one binary problem ----------------------------------------------------------------------------------------------

error_below_loss = Claim(
    "prp-training-error-below-loss",
    "upper bound",
    "exact",
    source="allwein2000",
    where="§2, (1)",
    errata=("E15",),
    implements=scaled_loss_bound,
    formula=Formula(
        "eq-code-binary-bound", scaled_loss_bound, arguments={"average_loss": r"\frac1m\sum_{i=1}^mL(y_if(x_i))"}
    ),
    symbols=(
        Reading("y_i", "sign", slots=("i",), shape=("m",)),
        Reading("f(x_i)", "real", slots=("i",), shape=("m",)),
    ),
)


@error_below_loss.check("random margins and the losses of the catalogue, in fractions")
def errors_below_losses(rng: np.random.Generator) -> Found:
    for name, loss in {**EXACT_LOSSES, "1 where z ≤ 0": not_positive}.items():
        if name == "zero-one":
            continue
        for _ in range(30):
            margins = rational(rng.integers(-3, 4, 10))
            error = Fraction(int((margins <= 0).sum()), 10)
            bound = scaled_loss_bound(Fraction(loss(margins).sum()) / 10, at_zero(loss))
            yield at_most("errors ≤ loss / L(0)", error, bound, at=name)


@error_below_loss.extremal("hinge, margins 0 and 1: equality")
def margins_0_and_1() -> Found:
    for n_zero in range(6):
        margins = rational([0] * n_zero + [1] * (5 - n_zero))
        yield equal(
            "errors = loss / L(0)",
            Fraction(n_zero, 5),
            scaled_loss_bound(hinge(margins).sum() / 5, 1),
            at=f"{n_zero} of 5 margins are 0",
            statement=True,
        )


@error_below_loss.check("the exponential, logistic and sigmoid losses in ball arithmetic")
def errors_below_losses_in_balls(rng: np.random.Generator) -> Found:
    for loss in (exponential, logistic, sigmoid):
        for _ in range(10):
            margins = rng.integers(-3, 4, 10).tolist()
            error = Fraction(sum(z <= 0 for z in margins), 10)
            mean = sum((loss(ball(Fraction(z, 2))) for z in margins), ball(0)) / 10
            yield at_most("errors ≤ loss / L(0)", error, scaled_loss_bound(mean, loss(ball(0))), at=loss.name)


@error_below_loss.strengthened(
    "One per cent less is too little: with the hinge loss and the margins 0, 0 and 1 the share of "
    "errors is {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def bound_on_margins_0_and_1(factor: Fraction) -> Found:
    margins = rational([0, 0, 1])
    yield at_most("errors ≤ bound", Fraction(2, 3), factor * scaled_loss_bound(hinge(margins).sum() / 3, 1))


@error_below_loss.control(
    r"The condition $L(z)\ge L(0)$ for $z\le0$ is needed: with $L(z)=2^z$ and all margins $-3$ the "
    "share of errors is {left}, and the bound would be {right}."
)
def a_loss_that_forgives_mistakes() -> Found:
    yield at_most("errors ≤ loss / L(0)", 1, scaled_loss_bound(power_of_two(3), 1))


@error_below_loss.control(
    r"The condition $L\ge0$ is needed: with $L(z)=1-z$ and the margins 0 and 2 the share of errors is "
    "{left}, and the bound would be {right}."
)
def a_loss_that_pays_for_large_margins() -> Found:
    bound = scaled_loss_bound(Fraction(unsafe_line(rational([0, 2])).sum()) / 2, 1)
    yield at_most("errors ≤ loss / L(0)", Fraction(1, 2), bound)


# --- loss-based decoding ---------------------------------------------------------------------------------------------

# Its rows are 1, 3 and 4 columns apart; those of a standard code are equally far apart, all of them.
UNEVEN_CODE = np.array([[1, 1, 1, 1], [1, 1, 1, -1], [-1, -1, -1, 1]])

theorem = Claim(
    "thm-loss-based-decoding",
    "upper bound",
    "exact",
    source="allwein2000",
    where="Theorem 1, (8)–(9)",
    errata=("E2", "E15"),
    implements=loss_decoding_bound,
    formula=Formula("eq-code-theorem", loss_decoding_bound, where=r"\rho\le\ell"),
)


def against_bound(F: Array, M: Array, y: Array, loss: Loss, what: str) -> Evidence:
    bound = loss_decoding_bound(average_loss(F, M, y, loss), M.shape[1], minimal_distance(M), at_zero(loss))
    return at_most("training error ≤ bound", training_error(F, M, y, loss), bound, at=what)


@theorem.check("random codes with zeros, random outputs, five losses, in fractions")
def random_samples_within_the_bound(rng: np.random.Generator) -> Found:
    for _ in range(40):
        M = random_code(rng)
        F, y = random_sample(rng, M)
        for name, loss in EXACT_LOSSES.items():
            yield against_bound(F, M, y, loss, name)


@theorem.check("one column: all pairs of entries, five losses, in fractions")
def two_entries_of_a_column(rng: np.random.Generator) -> Found:
    for name, loss in EXACT_LOSSES.items():
        for u, v in itertools.product((-1, 0, 1), repeat=2):
            z = rational(rng.integers(-6, 7, 10)) / 2
            mean, least = (loss(u * z) + loss(v * z)) / 2, Fraction(1 - u * v, 2) * at_zero(loss)
            yield at_least("mean of the losses ≥ (1 − uv)/2 L(0)", mean.min(), least, at=f"{name}, entries {u} and {v}")


@theorem.check("the exponential, logistic and sigmoid losses in ball arithmetic: a mistake costs ρ L(0)")
def mistakes_cost_rho_in_balls(rng: np.random.Generator) -> Found:
    for _ in range(25):
        M = random_code(rng)
        F, y = random_sample(rng, M, 4)
        for loss in (exponential, logistic, sigmoid):
            for f, label in zip(F, y, strict=True):
                costs = [sum((loss(ball(z)) for z in row * f), ball(0)) for row in M]
                if any(costs[r] < costs[label] for r in range(len(M))):
                    floor = ball(minimal_distance(M)) * loss(ball(0))
                    yield at_least("cost of a mistake ≥ ρ L(0)", costs[label], floor, at=loss.name)


@theorem.check(
    "the worst samples that linear programs find are within it; their mistakes cost what a Lagrangian bound says"
)
def worst_samples_within_the_bound(rng: np.random.Generator) -> Found:
    for name, M in (*standard_codes(4), ("rows 1, 3 and 4 columns apart", UNEVEN_CODE)):
        level = ignored_share(M, np.arange(len(M))) + Fraction(1, 20)
        worst = worst_error(M, level)
        bound = loss_decoding_bound(level, M.shape[1], minimal_distance(M))
        yield at_most("worst error ≤ bound", worst.error.lower, bound, at=name)
        cost = min(hinge_mistake_cost(u, v) for i, u in enumerate(M) for j, v in enumerate(M) if i != j)
        cheapest = cheapest_mistake(M)
        yield equal("cheapest mistake found = Lagrangian bound", cheapest.cost, cost, at=name)
        yield at_most("dual bound of the problem ≤ Lagrangian bound", Fraction(cheapest.value.lower), cost, at=name)


@theorem.extremal("hinge, codes of signs: equality at every level of error")
def equality_at_every_level() -> Found:
    for name, M in sign_codes():
        for n_wrong in range(0, 8, 1 if len(M) == 4 else 3):
            F, y = sample_with_error(M, n_wrong, 7)
            bound = loss_decoding_bound(average_loss(F, M, y, hinge), M.shape[1], minimal_distance(M))
            yield equal(
                "error = level", training_error(F, M, y, "hinge"), Fraction(n_wrong, 7), at=f"{name}, level {n_wrong}/7"
            )
            yield equal("error = bound", Fraction(n_wrong, 7), bound, at=f"{name}, level {n_wrong}/7", statement=True)


@theorem.extremal("hinge, all pairs of three classes, every example tied: equality with zeros")
def equality_with_zeros() -> Found:
    M, y = all_pairs_code(3), np.array([0])
    F = rational([[0, 1, 1]])
    bound = loss_decoding_bound(average_loss(F, M, y, hinge), 3, minimal_distance(M))
    yield equal("error = bound", training_error(F, M, y, "hinge"), bound, statement=True)


def lines_of_theorem(M: Array, f: Array, y: int, r: int, loss: Loss, name: str) -> Found:
    """The proof for one mistake: label y, rival r at no larger a cost."""
    own, rival, zero = loss(M[y] * f), loss(M[r] * f), at_zero(loss)
    yield at_least("Σ L(M_y f) ≥ Σ L(M_r f)", own.sum(), rival.sum(), at=f"{name}: r costs no more")
    yield at_least("Σ L(M_y f) ≥ mean of both sums", own.sum(), (own.sum() + rival.sum()) / 2)
    for s, (u, v) in enumerate(zip(M[y].tolist(), M[r].tolist(), strict=True)):
        mean, share = (own[s] + rival[s]) / 2, Fraction(1 - u * v, 2)
        yield at_least("(L(uz) + L(vz))/2 ≥ (1 − uv)/2 L(0)", mean, share * zero, at=f"column {s + 1}")
    distance = Fraction(int((1 - M[y] * M[r]).sum()), 2)
    yield at_least("mean of both sums ≥ Δ(M_y, M_r) L(0)", (own.sum() + rival.sum()) / 2, distance * zero)
    yield at_least("Δ(M_y, M_r) ≥ ρ", distance, minimal_distance(M))
    yield at_least("Σ L(M_y f) ≥ ρ L(0)", own.sum(), minimal_distance(M) * zero, at="together")


@theorem.trace("a code with zeros, four classes, hinge; then the equality case")
def proof_line_by_line() -> Found:
    M = np.array([[1, 1, 0, -1, 1], [1, -1, 1, -1, 0], [-1, 1, 1, 1, -1], [0, -1, -1, 1, 1]])
    f = rational([1, "-1/2", 2, "-1/4", 0])
    yield from lines_of_theorem(M, f, 0, 1, hinge, "four classes")
    OVR = one_vs_rest_code(4)
    yield from lines_of_theorem(OVR, tied_outputs(OVR, 0, 1), 0, 1, hinge, "equality")
    F, y = sample_with_error(OVR, 3, 7)
    loss = average_loss(F, OVR, y, hinge)
    yield at_most("3 ρ L(0) ≤ m ℓ ε", 3 * 2, 7 * 4 * loss, at="summed over 7 examples, 3 mistaken")
    yield equal("3/7 = ℓ ε / (ρ L(0))", Fraction(3, 7), loss_decoding_bound(loss, 4, 2), at="divided by m ρ L(0)")


@theorem.strengthened(
    "One per cent less is too little: when one-vs-rest with four classes ties on two of three "
    "examples, the training error with the hinge loss is {left}, and {right} would be allowed.",
    by=Fraction(99, 100),
)
def bound_on_a_tie(factor: Fraction) -> Found:
    for M in (one_vs_rest_code(4), complete_code(3)):
        F, y = sample_with_error(M, 2, 3)
        bound = loss_decoding_bound(average_loss(F, M, y, hinge), M.shape[1], minimal_distance(M))
        yield at_most("error ≤ bound", training_error(F, M, y, "hinge"), factor * bound)


@theorem.control(
    r"With $\rho+\frac12$ in place of $\rho$ it is false: on an example that ties for the one-vs-rest "
    "code of four classes the training error is {left}, where {right} would be allowed.",
    story=True,
)
def a_distance_half_a_step_larger() -> Found:
    M = one_vs_rest_code(4)
    F, y = sample_with_error(M, 1, 1)
    larger = minimal_distance(M) + Fraction(1, 2)
    yield at_most("error ≤ bound with ρ + ½", 1, loss_decoding_bound(average_loss(F, M, y, hinge), 4, larger))


@theorem.control(
    "The symmetric condition is needed: with the ramp loss, one-vs-rest on three classes and all "
    "outputs $-9$ the training error is {left}, and the bound would be {right}."
)
def the_symmetric_condition_dropped() -> Found:
    M, F, y = one_vs_rest_code(3), rational([[-9, -9, -9]]), np.array([0])
    yield against_bound(F, M, y, ramp(1), "ramp")


@theorem.control(
    r"The condition $L\ge0$ is needed: $L(z)=1-z$ meets the symmetric condition with equality, but on "
    "the outputs $0,0,-2$ of one-vs-rest the training error is {left}, and the bound would be {right}."
)
def a_loss_that_pays_for_right_answers() -> Found:
    M, F, y = one_vs_rest_code(3), rational([[0, 0, -2]]), np.array([0])
    yield against_bound(F, M, y, unsafe_line, "1 − z")


# --- what zeros contribute -------------------------------------------------------------------------------------------

vacuous = Claim(
    "cor-vacuous-for-all-pairs",
    "identity",
    "exact",
    source="allwein2000",
    where="§4, discussion of Theorem 1",
    errata=("E41",),
    implements=(all_pairs_contribution, ignored_contribution),
    formula=(
        Formula("eq-code-vacuous", all_pairs_contribution, side="left", given={r"\ell": r"\binom k2"}),
        *(
            Formula("eq-code-vacuous", all_pairs_contribution, piece=k - 3, fixed={"n_classes": k})
            for k in (3, 4, 5, 6)
        ),
    ),
)


@vacuous.check("perfect binary learners: the bound of all pairs equals the formula, k = 3, …, 12")
def perfect_binary_learners(rng: np.random.Generator) -> Found:
    for k in range(3, 13):
        M, y = all_pairs_code(k), np.arange(k)
        F = rational(M)
        yield equal("training error = 0", training_error(F, M, y, "hinge"), 0, at=f"k = {k}")
        bound = loss_decoding_bound(average_loss(F, M, y, hinge), M.shape[1], minimal_distance(M))
        yield equal(
            "bound = (ℓ/ρ) q",
            bound,
            ignored_contribution(1 - Fraction(2, k), M.shape[1], minimal_distance(M)),
            at=f"k = {k}",
        )
        yield equal("bound = formula", bound, all_pairs_contribution(k), at=f"k = {k}")
    for k, value in zip((3, 4, 5, 6), ("1/2", "6/7", "12/11", "5/4"), strict=True):
        yield equal(f"contribution = {value}", all_pairs_contribution(k), Fraction(value), at=f"k = {k}")


@vacuous.check("at least 1 for every k ≥ 5, by algebra")
def at_least_1_from_five_classes_on(rng: np.random.Generator) -> Found:
    import sympy

    n = sympy.Symbol("n", integer=True, nonnegative=True)
    k = n + 5
    columns = k * (k - 1) / 2
    formula = 2 * columns / (columns + 1) * (1 - 2 / k)
    excess = (k**2 - 5 * k + 2) / (k**2 - k + 2)
    yield proved("formula − 1 = (k² − 5k + 2)/(k² − k + 2)", prove_identity(formula - 1, excess))
    yield proved(
        "(k² − 5k + 2)/(k² − k + 2) > 0 for k ≥ 5",
        prove_sign(excess, (n**2 + 5 * n + 2) / (n**2 + 9 * n + 22), strict=True),
    )


@vacuous.control(
    "Five is the first number of classes for which this is so: with four classes the zeros contribute "
    "{left}, less than {right}."
)
def at_least_1_for_k_4_already() -> Found:
    yield at_least("contribution ≥ 1", all_pairs_contribution(4), 1, at="k = 4")


@vacuous.control("A code without zeros has no such contribution: for the complete code of five classes it is {right}.")
def codes_without_zeros_suffer() -> Found:
    M = complete_code(5)
    share = ignored_share(M, np.arange(5))
    yield less_than("0 < contribution", 0, ignored_contribution(share, M.shape[1], minimal_distance(M)))
