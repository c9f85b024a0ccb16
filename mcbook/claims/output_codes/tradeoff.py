"""Distance between rows against difficulty of columns."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, at_least, at_most, equal, less_than
from mcbook.claims.output_codes.samples import Found
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.proof.exact import rational, sign_vectors
from mcbook.foundation.types import Array
from mcbook.output_codes import (
    complete_code,
    curve_points,
    dichotomies,
    minimal_distance,
    separable_dichotomies,
    separable_labellings_bound,
)

# --- distance against difficulty -------------------------------------------------------------------------------------

tradeoff = Claim(
    "prp-distance-against-difficulty",
    "existence",
    "certified",
    source=("mohri2018", "lecture13", "roth-cis519"),
    where="§9.4.3; §2.3; slide on dichotomies",
    implements=(separable_labellings_bound, separable_dichotomies, dichotomies),
    formula=(Formula("eq-code-cover", separable_labellings_bound), Formula("eq-code-dichotomies", dichotomies)),
    symbols=(
        Reading("k", "count from 2", arguments={"n_classes": "k", "n_points": "k"}),
        Reading("n", "count", arguments={"n_features": "n"}),
    ),
)


def labellings(columns: Array) -> int:
    """All the vectors of signs: each dichotomy twice, and the two constant ones."""
    return 2 * columns.shape[1] + 2


@tradeoff.check("points in general position: the number of separable labellings, each with a certificate, is the bound")
def points_in_general_position(rng: np.random.Generator) -> Found:
    for k, n in ((4, 1), (4, 2), (5, 2), (6, 2), (6, 3)):
        found = labellings(separable_dichotomies(curve_points(k, n)))
        yield equal(f"{k} points in ℝ^{n}", found, separable_labellings_bound(k, n))


@tradeoff.check("any points: no more than that")
def any_points_no_more_than(rng: np.random.Generator) -> Found:
    for k, n in ((4, 2), (5, 2), (5, 3)):
        points = rational(rng.integers(-2, 3, (k, n)))
        found = labellings(separable_dichotomies(points))
        yield at_most(f"{k} points in ℝ^{n}", found, separable_labellings_bound(k, n))


@tradeoff.check("the separable columns alone fall short of the complete code's distance; and a distance needs columns")
def separable_columns_fall_short(rng: np.random.Generator) -> Found:
    for k in (4, 5, 6):
        M = separable_dichotomies(curve_points(k, 2))
        yield less_than(f"k = {k}: ρ of all separable columns", minimal_distance(M), minimal_distance(complete_code(k)))
        yield at_least(f"k = {k}: columns, 2 ρ (k − 1)/k", M.shape[1], Fraction(2 * (k - 1), k) * minimal_distance(M))


@tradeoff.check("the ways to split k classes in two, counted")
def ways_to_split_in_two(rng: np.random.Generator) -> Found:
    for k in range(2, 9):
        sides = {frozenset((signs, tuple(-s for s in signs))) for signs in sign_vectors(k) if len(set(signs)) == 2}
        yield equal(f"k = {k}", len(sides), dichotomies(k))


@tradeoff.control("every dichotomy of five points of the plane is separable")
def every_dichotomy_is_separable() -> Found:
    columns = separable_dichotomies(curve_points(5, 2))
    yield equal("separable, all", columns.shape[1], dichotomies(5))


@tradeoff.control("the bound with the sum up to n − 1")
def sum_up_to_n_less_1() -> Found:
    found = labellings(separable_dichotomies(curve_points(5, 2)))
    yield at_most("labellings", found, separable_labellings_bound(5, 1))


@tradeoff.control("points on a line have as many as points in general position")
def points_on_a_line() -> Found:
    line = rational([[t, 2 * t] for t in range(4)])
    yield equal("labellings, bound", labellings(separable_dichotomies(line)), separable_labellings_bound(4, 2))
