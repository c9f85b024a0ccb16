"""Distances of codes, errors they correct, columns they need."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, at_least, at_most, equal, holds, less_than
from mcbook.claims.output_codes.common import Array, Found, random_code, sign_codes
from mcbook.claims.output_codes.stated import DISTANCES, FACTORS, distance_of_two
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.exact import rational, sign_vectors
from mcbook.output_codes import (
    all_pairs_code,
    binary_code,
    code_factor,
    complete_code,
    corrected_errors,
    correction_radius,
    curve_points,
    decoding_distances,
    dichotomies,
    hadamard_code,
    least_columns,
    minimal_distance,
    one_vs_rest_code,
    plotkin_bound,
    random_code_tail,
    random_dense_code,
    random_factor_bound,
    repetition_code,
    row_distances,
    separable_dichotomies,
    separable_labellings_bound,
    spoiling_errors,
    standard_columns,
    standard_distance,
)

MAKERS = {"one-vs-rest": one_vs_rest_code, "all-pairs": all_pairs_code, "complete": complete_code}


# --- A.Delta: distance between rows ----------------------------------------------------------------------------------


delta = Claim(
    "A.Delta",
    implements=row_distances,
    formula=(Formula("eq-code-distance", distance_of_two, side=1), Formula("eq-code-distance", distance_of_two)),
)


def distance(u: Array, v: Array) -> Fraction:
    """The sum over columns, counted case by case."""
    cases = {1: Fraction(0), 0: Fraction(1, 2), -1: Fraction(1)}
    return sum((cases[int(a * b)] for a, b in zip(u, v, strict=True)), Fraction(0))


@delta.check("all nine pairs of entries: opposite 1, equal and not zero 0, a zero 1/2")
def all_nine_pairs_of_entries(rng: np.random.Generator) -> Found:
    expected = {(1, -1): 1, (-1, 1): 1, (1, 1): 0, (-1, -1): 0}
    for a, b in itertools.product((-1, 0, 1), repeat=2):
        found = Fraction(row_distances(np.array([[a], [b]]))[0, 1])
        yield equal(f"Δ({a}, {b})".replace("-", "−"), found, expected.get((a, b), Fraction(1, 2)))


@delta.check("random codes: the product formula, the count, and half the zeros on the diagonal")
def random_codes_the_product_formula_the_count(rng: np.random.Generator) -> Found:
    for _ in range(40):
        M = random_code(rng)
        table = row_distances(M)
        for (i, u), (j, v) in itertools.product(enumerate(M), repeat=2):
            yield equal("Δ(u, v)", Fraction(table[i, j]), distance(u, v))
        yield equal("Δ(u, u), zeros / 2", Fraction(table[0, 0]), Fraction(int((M[0] == 0).sum()), 2))


@delta.control("a row has the distance 0 from itself")
def a_row_has_the_distance_0_from_itself() -> Found:
    yield equal("Δ(u, u) for all pairs of 4 classes", Fraction(row_distances(all_pairs_code(4))[0, 0]), 0)


# --- A.rho: the standard codes ---------------------------------------------------------------------------------------

rho = Claim("A.rho", implements=standard_distance, formula=DISTANCES)


@rho.check("all pairs of rows of the standard codes, 2 to 8 classes")
def all_pairs_of_rows_of_the_standard_codes_2_to_8(rng: np.random.Generator) -> Found:
    for name, make in MAKERS.items():
        for k in range(2, 9):
            M = make(k)
            yield equal(f"{name}, k = {k}: columns", M.shape[1], standard_columns(name, k))
            smallest = min(distance(u, v) for i, u in enumerate(M) for v in M[:i])
            yield equal(f"{name}, k = {k}: ρ", smallest, standard_distance(name, k))
            yield equal(f"{name}, k = {k}: minimal_distance", minimal_distance(M), smallest)
    for k in range(2, 9):
        yield equal(f"complete, k = {k}: 2^(k−2)", standard_distance("complete", k), Fraction(2) ** (k - 2))


@rho.control("half a step more for the complete code")
def half_a_step_more_for_the_complete_code() -> Found:
    yield equal("ρ, (ℓ + 2)/2", minimal_distance(complete_code(4)), Fraction(9, 2))


@rho.control("all pairs without the + 1")
def all_pairs_without_the_1() -> Found:
    yield equal("ρ, (ℓ − 1)/2", minimal_distance(all_pairs_code(4)), Fraction(5, 2))


# --- A.rand-rho: random codes and Plotkin's ceiling ------------------------------------------------------------------

random = Claim("A.rand-rho", implements=plotkin_bound, formula=Formula("eq-code-plotkin", plotkin_bound))


@random.check("the mean of one column is 1/2 for symmetric laws on {−1, 0, 1}, exactly")
def the_mean_of_one_column_is_1_2_for_symmetric_laws(rng: np.random.Generator) -> Found:
    for zero in (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10)):
        law = {0: zero, 1: (1 - zero) / 2, -1: (1 - zero) / 2}
        mean = sum(law[a] * law[b] * Fraction(1 - a * b, 2) for a, b in itertools.product(law, repeat=2))
        yield equal(f"Pr[0] = {zero}: mean of (1 − ab)/2", mean, Fraction(1, 2))


@random.check("the minimum over three rows has a smaller mean, for every length up to 10")
def the_minimum_over_three_rows_has_a_smaller_mean(rng: np.random.Generator) -> Found:
    for n_columns in range(1, 11):
        steps = range(1, n_columns + 1)
        mean = sum((1 - random_code_tail(n_columns, step) for step in steps), Fraction(0))
        yield less_than(f"ℓ = {n_columns}: E min Δ, ℓ/2", mean, Fraction(n_columns, 2))


@random.check("Plotkin: random codes, the best of many, and all codes with 3 rows and 3 columns")
def plotkin_random_codes_the_best_of_many_and_all(rng: np.random.Generator) -> Found:
    for _ in range(100):
        M = random_code(rng)
        yield at_most("ρ, bound", minimal_distance(M), plotkin_bound(M.shape[1], len(M)))
    for k in (4, 6, 10):
        M = random_dense_code(k, n_candidates=200, random_state=int(rng.integers(2**31)), repeated_columns=True)
        yield at_most(f"best of 200, k = {k}", minimal_distance(M), plotkin_bound(M.shape[1], k))
    for entries in itertools.product((-1, 0, 1), repeat=9):
        if entries[0] == 1:
            M = np.array(entries).reshape(3, 3)
            yield at_most("3 rows, 3 columns: ρ", minimal_distance(M), plotkin_bound(3, 3))


@random.check("equality: Hadamard codes of full order, all balanced columns")
def equality_hadamard_codes_of_full_order_all(rng: np.random.Generator) -> Found:
    for k in (2, 4, 8, 16):
        yield equal(f"Hadamard, k = {k}", minimal_distance(hadamard_code(k)), plotkin_bound(k - 1, k))
    balanced = np.array([row for row in sign_vectors(6) if sum(row) == 0 and row[0] == 1]).T
    yield equal("all balanced columns, k = 6", minimal_distance(balanced), plotkin_bound(balanced.shape[1], 6))


@random.control("the ceiling ℓ/2, that of the mean")
def the_ceiling_ell_2_that_of_the_mean() -> Found:
    yield at_most("Hadamard, k = 8: ρ", minimal_distance(hadamard_code(8)), Fraction(7, 2))


@random.control("a law that is not symmetric: Pr[1] = 2/3")
def a_law_that_is_not_symmetric() -> Found:
    law = {1: Fraction(2, 3), -1: Fraction(1, 3)}
    mean = sum(law[a] * law[b] * Fraction(1 - a * b, 2) for a, b in itertools.product(law, repeat=2))
    yield equal("mean of a column", mean, Fraction(1, 2))


# --- A.lin: the factor of the bound ----------------------------------------------------------------------------------

factor = Claim("A.lin", implements=(code_factor, random_factor_bound), formula=FACTORS)


@factor.check("the standard codes, 3 to 8 classes")
def the_standard_codes_3_to_8_classes(rng: np.random.Generator) -> Found:
    for name, make in MAKERS.items():
        for k in range(3, 9):
            M = make(k)
            value = code_factor(M.shape[1], minimal_distance(M))
            n = M.shape[1]
            yield equal(f"{name}, k = {k}", value, Fraction(k, 2) if name == "one-vs-rest" else Fraction(2 * n, n + 1))
            if name != "one-vs-rest":
                yield less_than(f"{name}, k = {k}", value, 2)


@factor.check("three random rows: Pr[ℓ/ρ > 2/(1 − √(2 ln(3/δ)/ℓ))] ≤ δ, the probability by enumeration")
def three_random_rows(rng: np.random.Generator) -> Found:
    for n_columns, allowed in itertools.product((10, 16, 24, 32), (Fraction(1, 2), Fraction(1, 10), Fraction(1, 100))):
        ceiling = random_factor_bound(n_columns, 3, float(allowed))
        # A factor above the ceiling means a distance below this; the next multiple of 1/2 is free of rounding.
        smallest = Fraction(math.floor(2 * n_columns / ceiling), 2)
        yield at_most(f"ℓ = {n_columns}, δ = {allowed}", random_code_tail(n_columns, smallest), allowed)


@factor.check("for a fixed number of classes it falls to 2, and Plotkin keeps it above 2 (k − 1)/k")
def for_a_fixed_number_of_classes_it_falls_to_2(rng: np.random.Generator) -> Found:
    for k in (4, 10, 26):
        n_columns = 1000 * least_columns(k)
        ceiling = Fraction(random_factor_bound(n_columns, k, 0.01))
        yield at_most(f"k = {k}, ℓ = {n_columns}: factor", ceiling, Fraction(5, 2))
        floor = code_factor(n_columns, plotkin_bound(n_columns, k))
        yield equal(f"k = {k}: least factor", floor, Fraction(2 * (k - 1), k))


@factor.extremal("the limits: k/2 grows linearly, 2ℓ/(ℓ + 1) stays below 2 by 2/(ℓ + 1) exactly")
def the_limits_k_2_grows_linearly_2ell_stays_below_2() -> Found:
    for k in range(3, 40):
        rest = code_factor(standard_columns("one-vs-rest", k), standard_distance("one-vs-rest", k))
        yield equal(f"one-vs-rest, k = {k}: factor / k", rest / k, Fraction(1, 2))
        for name in ("all-pairs", "complete"):
            n = standard_columns(name, k)
            yield equal(
                f"{name}, k = {k}: 2 − factor", 2 - code_factor(n, standard_distance(name, k)), Fraction(2, n + 1)
            )


@factor.control("random codes of the paper's length ⌈10 log₂ k⌉ have a factor of at most 2")
def random_codes_of_the_papers_length_10_log2_k_have() -> Found:
    M = random_dense_code(26, n_candidates=200, random_state=0)
    yield at_most("ℓ/ρ, k = 26", code_factor(M.shape[1], minimal_distance(M)), 2)


@factor.control("one-vs-rest stays below 2 as well")
def one_vs_rest_stays_below_2_as_well() -> Found:
    yield less_than("factor, k = 5", code_factor(5, minimal_distance(one_vs_rest_code(5))), 2)


# --- C.r0: errors corrected ------------------------------------------------------------------------------------------

radius = Claim("C.r0", implements=correction_radius, formula=Formula("eq-code-radius", correction_radius))


@radius.check("all patterns of wrong outputs of the standard codes: r₀ are corrected")
def all_patterns_of_wrong_outputs_of_the_standard(rng: np.random.Generator) -> Found:
    for name, M in sign_codes(5):
        yield at_least(
            f"{name}: always corrected, r₀", corrected_errors(M), correction_radius(int(minimal_distance(M)))
        )


@radius.check("random codes of signs")
def random_codes_of_signs(rng: np.random.Generator) -> Found:
    for _ in range(30):
        M = random_code(rng, (-1, 1))
        yield equal("always corrected, r₀", corrected_errors(M), correction_radius(int(minimal_distance(M))))


@radius.extremal("some pattern of r₀ + 1 wrong outputs ties or loses, for every code")
def some_pattern_of_r0_1_wrong_outputs_ties_or_loses() -> Found:
    for name, M in sign_codes(5):
        reach = correction_radius(int(minimal_distance(M)))
        yield holds(f"{name}: spoilt by {reach + 1}", spoiling_errors(M, reach + 1) is not None, Tier.EXACT)
        yield equal(f"{name}: always corrected, r₀", corrected_errors(M), reach)
    for times in range(1, 8):
        M = repetition_code(np.array([[1], [-1]]), times)
        yield equal(f"one column {times} times", corrected_errors(M), correction_radius(times))


@radius.trace("the Hadamard code of eight classes: one wrong output, then two")
def the_hadamard_code_of_eight_classes() -> Found:
    M = hadamard_code(8)
    d = int(minimal_distance(M))
    reach = correction_radius(d)
    for wrong in (reach, reach + 1):
        label, columns = 0, tuple(np.flatnonzero(M[0] != M[1])[:wrong])
        outputs = M[label].copy()
        outputs[list(columns)] *= -1
        own, *others = decoding_distances(outputs[None, :], M)[0].astype(int).tolist()
        yield equal(f"{wrong} wrong: distance from the own row", own, wrong)
        for rival, far in enumerate(others, 1):
            yield at_least(f"distance from row {rival + 1}, d − {wrong}", far, d - wrong)
    yield less_than("r₀, d − r₀", reach, d - reach)
    yield at_least("r₀ + 1 wrong where two rows differ: own distance, the rival's", reach + 1, d - reach - 1)


@radius.control("r₀ + 1 wrong outputs are corrected too")
def r0_1_wrong_outputs_are_corrected_too() -> Found:
    for M in (complete_code(4), hadamard_code(8), repetition_code(np.array([[1], [-1]]), 5)):
        yield at_least("always corrected", corrected_errors(M), correction_radius(int(minimal_distance(M))) + 1)


@radius.control("d − 1 in place of half of it")
def d_1_in_place_of_half_of_it() -> Found:
    yield at_least("complete, k = 4: always corrected, d − 1", corrected_errors(complete_code(4)), 3)


# --- C.log: the least number of columns ------------------------------------------------------------------------------

shortest = Claim(
    "C.log", implements=(least_columns, binary_code), formula=Formula("eq-code-least-columns", least_columns)
)


@shortest.check("all codes of signs with fewer columns have equal rows, up to five classes")
def all_codes_of_signs_with_fewer_columns_have_equal(rng: np.random.Generator) -> Found:
    for k in range(2, 6):
        words = list(sign_vectors(least_columns(k) - 1))
        distinct = sum(len(set(rows)) == k for rows in itertools.product(words, repeat=k))
        yield equal(f"k = {k}: codes with distinct rows", distinct, 0)


@shortest.check("with exactly log₂ k columns the distance is 1 and nothing is corrected")
def with_exactly_log2_k_columns_the_distance_is_1(rng: np.random.Generator) -> Found:
    for c in range(1, 5):
        M = np.array(list(sign_vectors(c)))[rng.permutation(2**c)]
        yield equal(f"k = {2**c}: columns", c, least_columns(2**c))
        yield equal(f"k = {2**c}: distance", minimal_distance(M), 1)
        yield equal(f"k = {2**c}: errors corrected", corrected_errors(M), 0)


@shortest.extremal("the binary digits of the label attain it, 2 to 64 classes")
def the_binary_digits_of_the_label_attain_it_2_to_64() -> Found:
    for k in range(2, 65):
        M = binary_code(k)
        yield equal(f"k = {k}: columns", M.shape[1], least_columns(k))
        yield equal(f"k = {k}: distinct rows", len({tuple(row) for row in M.tolist()}), k)
        yield less_than(f"k = {k}: words of one column less, k", 2 ** (M.shape[1] - 1), k)


@shortest.control("one column less is enough")
def one_column_less_is_enough() -> Found:
    yield at_least("different rows, k = 5 in 2 columns", len(list(sign_vectors(2))), 5)


@shortest.control("⌊log₂ k⌋ in place of ⌈log₂ k⌉")
def log2_k_in_place_of_log2_k() -> Found:
    yield at_most("least columns of 5 classes, ⌊log₂ 5⌋", least_columns(5), 2)


# --- C.tradeoff: distance against difficulty -------------------------------------------------------------------------

tradeoff = Claim(
    "C.tradeoff",
    implements=(separable_labellings_bound, separable_dichotomies, dichotomies),
    formula=(Formula("eq-code-cover", separable_labellings_bound), Formula("eq-code-dichotomies", dichotomies)),
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
def the_separable_columns_alone_fall_short(rng: np.random.Generator) -> Found:
    for k in (4, 5, 6):
        M = separable_dichotomies(curve_points(k, 2))
        yield less_than(f"k = {k}: ρ of all separable columns", minimal_distance(M), minimal_distance(complete_code(k)))
        yield at_least(f"k = {k}: columns, 2 ρ (k − 1)/k", M.shape[1], Fraction(2 * (k - 1), k) * minimal_distance(M))


@tradeoff.check("the ways to split k classes in two, counted")
def the_ways_to_split_k_classes_in_two_counted(rng: np.random.Generator) -> Found:
    for k in range(2, 9):
        sides = {frozenset((signs, tuple(-s for s in signs))) for signs in sign_vectors(k) if len(set(signs)) == 2}
        yield equal(f"k = {k}", len(sides), dichotomies(k))


@tradeoff.control("every dichotomy of five points of the plane is separable")
def every_dichotomy_of_five_points_of_the_plane() -> Found:
    columns = separable_dichotomies(curve_points(5, 2))
    yield equal("separable, all", columns.shape[1], dichotomies(5))


@tradeoff.control("the bound with the sum up to n − 1")
def the_bound_with_the_sum_up_to_n_1() -> Found:
    found = labellings(separable_dichotomies(curve_points(5, 2)))
    yield at_most("labellings", found, separable_labellings_bound(5, 1))


@tradeoff.control("points on a line have as many as points in general position")
def points_on_a_line_have_as_many_as_points() -> Found:
    line = rational([[t, 2 * t] for t in range(4)])
    yield equal("labellings, bound", labellings(separable_dichotomies(line)), separable_labellings_bound(4, 2))
