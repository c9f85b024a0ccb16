"""What a code contributes to the bounds."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, at_least, at_most, equal, less_than
from mcbook.claims.output_code_errors.page_formulas import FACTORS
from mcbook.claims.output_codes.codes import MAKERS
from mcbook.claims.output_codes.samples import Found
from mcbook.foundation.proof.exact import ball
from mcbook.foundation.types import Ball
from mcbook.output_code_errors import code_factor, random_factor_bound
from mcbook.output_codes import (
    least_columns,
    minimal_distance,
    one_vs_rest_code,
    plotkin_bound,
    random_dense_code,
    standard_columns,
    standard_distance,
)
from mcbook.output_codes.algorithm.design import random_code_tail

code_factors = Claim(
    "prp-code-factor-growth",
    "growth rate",
    "exact",
    source="allwein2000",
    where="§1, §4",
    errata=("E41", "E42"),
    implements=(code_factor, random_factor_bound),
    formula=FACTORS,
)


@code_factors.check("the standard codes, 3 to 8 classes")
def factors_of_standard_codes(rng: np.random.Generator) -> Found:
    for name, make in MAKERS.items():
        for k in range(3, 9):
            M = make(k)
            value = code_factor(M.shape[1], minimal_distance(M))
            n = M.shape[1]
            stated = Fraction(k, 2) if name == "one-vs-rest" else Fraction(2 * n, n + 1)
            yield equal("factor = formula", value, stated, at=f"{name}, k = {k}")
            if name != "one-vs-rest":
                yield less_than("factor < 2", value, 2, at=f"{name}, k = {k}")


@code_factors.check(
    "three and four random rows: Pr[ℓ/ρ > 2/(1 − √(2 ln(C(k,2)/δ)/ℓ))] ≤ δ, the probability by enumeration"
)
def factor_of_random_codes(rng: np.random.Generator) -> Found:
    for k, lengths in ((3, (10, 16, 24, 32)), (4, (8, 12))):
        for n_columns, allowed in itertools.product(lengths, (Fraction(1, 2), Fraction(1, 10), Fraction(1, 100))):
            if n_columns <= 2 * math.log(math.comb(k, 2) / allowed):
                continue
            ceiling: Ball = random_factor_bound(n_columns, k, ball(allowed))
            # A factor above the ceiling means a distance, a multiple of 1/2, of at most this.
            smallest = Fraction(int((2 * n_columns / ceiling).floor().unique_fmpz()), 2)
            found = random_code_tail(n_columns, smallest, k)
            yield at_most("Pr[larger factor] ≤ δ", found, allowed, at=f"k = {k}, ℓ = {n_columns}, δ = {allowed}")


@code_factors.check(
    "at the ceiling Hoeffding's bound, summed over the pairs of rows, is δ; in ball arithmetic, 3 to 12 classes"
)
def hoeffding_at_the_ceiling(rng: np.random.Generator) -> Found:
    for k, n_columns, allowed in ((3, 40, "1/10"), (4, 60, "1/2"), (5, 90, "1/100"), (12, 400, "1/20")):
        ceiling = random_factor_bound(n_columns, k, ball(Fraction(allowed)))
        pairs = len(list(itertools.combinations(range(k), 2)))
        for relation, sign, room in ((at_most, "≤", Fraction(1, 10**9)), (at_least, "≥", -Fraction(1, 10**9))):
            t = ball(Fraction(n_columns, 2)) - n_columns / (ceiling * ball(1 + room))
            union = pairs * (-2 * t**2 / n_columns).exp()
            yield relation(f"sum over {pairs} pairs {sign} δ", union, Fraction(allowed), at=f"k = {k}, ℓ = {n_columns}")


@code_factors.check("for a fixed number of classes it falls to 2, and Plotkin keeps it above 2 (k − 1)/k")
def factor_falls_to_2(rng: np.random.Generator) -> Found:
    for k in (4, 10, 26):
        n_columns = 1000 * least_columns(k)
        ceiling = random_factor_bound(n_columns, k, ball(Fraction(1, 100)))
        yield at_most("bound on the factor ≤ 5/2", ceiling, Fraction(5, 2), at=f"k = {k}, ℓ = {n_columns}")
        floor = code_factor(n_columns, plotkin_bound(n_columns, k))
        yield equal("least factor = 2 (k − 1)/k", floor, Fraction(2 * (k - 1), k), at=f"k = {k}")


@code_factors.extremal("the limits: k/2 grows linearly, 2ℓ/(ℓ + 1) stays below 2 by 2/(ℓ + 1) exactly")
def growth_of_the_standard_codes() -> Found:
    for k in range(3, 40):
        rest = code_factor(standard_columns("one-vs-rest", k), standard_distance("one-vs-rest", k))
        yield equal("factor = k/2", rest, Fraction(k, 2), at=f"one-vs-rest, k = {k}", statement=True)
        for name in ("all-pairs", "complete"):
            n = standard_columns(name, k)
            yield equal(
                "2 − factor = 2/(ℓ + 1)",
                2 - code_factor(n, standard_distance(name, k)),
                Fraction(2, n + 1),
                at=f"{name}, k = {k}",
            )


@code_factors.control(
    r"Random codes of the length $\lceil10\log_2k\rceil$ are not long enough for a factor of 2: the "
    "best of 200 for 26 classes has {left}."
)
def codes_of_the_papers_length_have_a_factor_of_2() -> Found:
    M = random_dense_code(26, n_candidates=200, random_state=0)
    yield at_most("factor ≤ 2", code_factor(M.shape[1], minimal_distance(M)), 2, at="k = 26")


@code_factors.control("One-vs-rest does not stay below {right}: with five classes its factor is {left}.")
def one_vs_rest_stays_below_2_as_well() -> Found:
    yield less_than("factor < 2", code_factor(5, minimal_distance(one_vs_rest_code(5))), 2, at="k = 5")


# --- errors corrected ------------------------------------------------------------------------------------------------
