"""Learned codes, and what binary errors do not say."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, at_least, at_most, equal, holds, less_than
from mcbook.claims.output_codes.samples import Found
from mcbook.foundation.programs import Optimum, frobenius, margins_over_rivals, solve_certified
from mcbook.foundation.proof import Known, Tier
from mcbook.foundation.types import Array
from mcbook.one_vs_rest_and_pairs import all_tournaments, majority
from mcbook.output_code_errors import learn_code, misleading_distributions
from mcbook.output_codes import (
    all_pairs_code,
)

# --- coding matrices and the average binary loss ---------------------------------------------------------------------


learned = Claim(
    "prp-continuous-code-program",
    "existence",
    "certified",
    source="mohri2018",
    where="§9.4.3, continuous codes",
    errata=("E14",),
    implements=learn_code,
    no_formula="the optimum of an optimisation problem, stated for the case in which it is trivial",
)


def outputs_and_labels(rng: np.random.Generator, n_samples: int = 12) -> tuple[Array, Array]:
    """Outputs that a code can learn: each class has a centre."""
    y = np.arange(n_samples) % 3
    return rng.integers(-3, 4, (3, 4))[y] + rng.integers(-1, 2, (n_samples, 4)), y


def slipped_problem(F: Array, y: Array, n_classes: int, C: float, slip: str) -> Optimum:
    """The problem with one of the two slips: "l = y" among the rivals, or slacks of "any sign"."""
    import cvxpy as cp

    M = cp.Variable((n_classes, F.shape[1]))
    cost, _ = frobenius(M)
    margins = margins_over_rivals(F, y, M)
    xi = cp.Variable(len(F), nonneg=slip == "l = y")
    constraints = [margins.gaps >= 1 - xi[margins.examples]]
    if slip == "l = y":
        # The margin over the own row is 0.
        constraints.append(xi >= 1)
    return solve_certified(cp.Minimize(cost + C * cp.sum(xi)), constraints, M, xi)


def as_it_should_be(F: Array, y: Array, C: float) -> Known:
    return learn_code(F, y, 3, C).value


@learned.check("with l = y among the rivals every slack is 1, the code 0 and the value C m")
def with_the_label_among_the_rivals(rng: np.random.Generator) -> Found:
    for C in (0.5, 2.0):
        F, y = outputs_and_labels(rng)
        printed = slipped_problem(F, y, 3, C, "l = y")
        yield equal("value ≈ C m", printed.value, Fraction(C) * len(F), within=1e-6)
        # 1/2 |M|² + C Σ ξ with ξ ≥ 1 is at least 1/2 |M|² + C m, so that the code is this near to 0.
        longest = (2 * (printed.value.upper - Fraction(C) * len(F))) ** 0.5
        yield at_most("|M| ≤ 1/1000", Known(0, max(longest, 0.0), Tier.CERTIFIED), Fraction(1, 1000))
        yield less_than("value with rivals only < C m", as_it_should_be(F, y, C), Fraction(C) * len(F))


@learned.check("with rivals only the value is between 0 and C m, and below it unless the centres coincide")
def with_rivals_only(rng: np.random.Generator) -> Found:
    for C in (0.5, 2.0):
        F, y = outputs_and_labels(rng)
        yield less_than("value < C m", as_it_should_be(F, y, C), Fraction(C) * len(F))
        yield less_than("0 < value", 0, as_it_should_be(F, y, C))
    same = np.ones((6, 2))
    yield equal("value ≈ C m", as_it_should_be(same, np.arange(6) % 3, 2.0), 12, within=1e-6, at="all outputs equal")


@learned.check("with rivals only but slacks of any sign the value can be negative, and is never above the right one")
def with_slacks_of_any_sign(rng: np.random.Generator) -> Found:
    F, y = outputs_and_labels(rng)
    loose = slipped_problem(F, y, 3, 5.0, "any sign")
    yield less_than("value < 0", loose.value, 0)
    yield at_most("value ≤ value with ξ ≥ 0", loose.value, as_it_should_be(F, y, 5.0))


@learned.control(
    "With $l=y_i$ among the rivals the value is another: on one sample it is {left}, and with rivals "
    "only it is {right}."
)
def value_with_the_label_among_the_rivals() -> Found:
    F, y = outputs_and_labels(np.random.default_rng(0))
    printed = slipped_problem(F, y, 3, 1.0, "l = y")
    yield at_most("value ≤ value with rivals only", printed.value, as_it_should_be(F, y, 1.0))


@learned.control(
    r"The constraint $\xi_i\ge0$ is not superfluous: without it the value on one sample falls to "
    "{left}, and with it the value is {right}."
)
def value_with_slacks_of_any_sign() -> Found:
    F, y = outputs_and_labels(np.random.default_rng(0))
    loose = slipped_problem(F, y, 3, 5.0, "any sign")
    yield at_least("value ≥ value with ξ ≥ 0", loose.value, as_it_should_be(F, y, 5.0))


@learned.control(
    "Where all outputs are equal nothing can be learned, so the value does not stay one per cent below "
    "$Cm$: it is {left}, and {right} would be allowed."
)
def value_where_nothing_can_be_learned() -> Found:
    yield at_most("value ≤ 0.99 C m", as_it_should_be(np.ones((6, 2)), np.arange(6) % 3, 2.0), Fraction(99 * 12, 100))


# --- binary errors do not tell ---------------------------------------------------------------------------------------


local = Claim(
    "prp-local-metrics-mislead",
    "existence",
    "exact",
    source="roth-cis519",
    where="slide on local metrics",
    errata=("E13",),
    implements=misleading_distributions,
    no_formula="distributions are exhibited; the value $(k-1)r$ is that of the theorem on one-vs-one",
)


@local.check("5 to 8 classes, in fractions: the same binary errors, multi-class errors 0 and (k − 1) r, ties as errors")
def check_5_to_8_classes_in_fractions(rng: np.random.Generator) -> Found:
    for k, part in itertools.product(range(5, 9), (1, 2, 10)):
        r, M = Fraction(1, part * (k - 1)), all_pairs_code(k)
        good, bad = misleading_distributions(k, r)
        for name, distribution, error in (("first", good, 0), ("second", bad, (k - 1) * r)):
            yield holds(
                "every binary error is r",
                set(distribution.binary_errors(M)) == {r},
                Tier.EXACT,
                at=f"{name} distribution, k = {k}",
            )
            yield equal(
                f"error = {error}",
                distribution.error(majority(distribution.outputs.astype(int), k, "mark")),
                error,
                at=f"{name} distribution, k = {k}",
            )


@local.check("3 and 4 classes, all tournaments: a class that loses a duel is nowhere the only winner")
def check_3_and_4_classes_all_tournaments(rng: np.random.Generator) -> Found:
    for k in (3, 4):
        outcomes, M = all_tournaments(k), all_pairs_code(k)
        winners = majority(outcomes, k, "mark")
        lost = np.array([(outcome * M[w] < 0).any() for outcome, w in zip(outcomes, winners, strict=True)])
        yield equal(
            "tournaments whose only winner lost a duel = 0", int((lost & (winners >= 0)).sum()), 0, at=f"k = {k}"
        )


@local.control(
    "Four classes are too few for error {right} with ties as errors: there one-vs-one errs with "
    "probability {left} on the first distribution."
)
def four_classes_error_0_with_ties_as_errors() -> Found:
    good, _ = misleading_distributions(4, Fraction(1, 3))
    yield equal("error = 0", good.error(majority(good.outputs.astype(int), 4, "mark")), 0)


@local.control(
    r"Equal binary errors do not tell the error: with five classes and $r=\frac14$ one-vs-one errs with "
    "probability {left} on the first distribution, and {right} on the second."
)
def the_binary_errors_tell() -> Found:
    good, bad = misleading_distributions(5, Fraction(1, 4))
    first, second = (
        distribution.error(majority(distribution.outputs.astype(int), 5, "mark")) for distribution in (good, bad)
    )
    yield equal("error on the first distribution = error on the second", first, second)
