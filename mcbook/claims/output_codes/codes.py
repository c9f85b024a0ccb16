"""Distances of codes, errors they correct, columns they need."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, at_least, at_most, equal, holds, less_than
from mcbook.claims.output_codes.page_formulas import DISTANCES, distance_of_two
from mcbook.claims.output_codes.samples import Found, random_code, sign_codes
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.proof import Tier
from mcbook.foundation.proof.exact import sign_vectors
from mcbook.foundation.types import Array
from mcbook.output_codes import (
    all_pairs_code,
    binary_code,
    complete_code,
    corrected_errors,
    correction_radius,
    decoding_distances,
    hadamard_code,
    least_columns,
    minimal_distance,
    one_vs_rest_code,
    plotkin_bound,
    random_dense_code,
    repetition_code,
    row_distances,
    standard_columns,
    standard_distance,
)
from mcbook.output_codes.algorithm.design import random_code_tail, spoiling_errors

MAKERS = {"one-vs-rest": one_vs_rest_code, "all-pairs": all_pairs_code, "complete": complete_code}


# --- distance between rows -------------------------------------------------------------------------------------------


row_distance = Claim(
    "prp-code-row-distance",
    "identity",
    "exact",
    source="allwein2000",
    where="§4, definition of the distance",
    implements=row_distances,
    formula=(Formula("eq-code-distance", distance_of_two, side=1), Formula("eq-code-distance", distance_of_two)),
    symbols=(
        Reading("u", "code entry", shape=(r"\ell",), arguments={"u": "u"}),
        Reading("u_s", slots=("s",), part_of="u"),
        Reading("v", "code entry", shape=(r"\ell",), arguments={"v": "v"}),
        Reading("v_s", slots=("s",), part_of="v"),
    ),
)


def distance(u: Array, v: Array) -> Fraction:
    """The sum over columns, counted case by case."""
    cases = {1: Fraction(0), 0: Fraction(1, 2), -1: Fraction(1)}
    return sum((cases[int(a * b)] for a, b in zip(u, v, strict=True)), Fraction(0))


@row_distance.check("all nine pairs of entries: opposite 1, equal and not zero 0, a zero 1/2")
def all_nine_pairs_of_entries(rng: np.random.Generator) -> Found:
    expected = {(1, -1): 1, (-1, 1): 1, (1, 1): 0, (-1, -1): 0}
    for a, b in itertools.product((-1, 0, 1), repeat=2):
        found = Fraction(row_distances(np.array([[a], [b]]))[0, 1])
        yield equal(f"Δ({a}, {b})".replace("-", "−"), found, expected.get((a, b), Fraction(1, 2)))


@row_distance.check("random codes: the product formula, the count, and half the zeros on the diagonal")
def distance_in_three_ways(rng: np.random.Generator) -> Found:
    for _ in range(40):
        M = random_code(rng)
        table = row_distances(M)
        for (i, u), (j, v) in itertools.product(enumerate(M), repeat=2):
            yield equal("Δ(u, v) = sum over the columns", Fraction(table[i, j]), distance(u, v))
        yield equal("Δ(u, u) = zeros / 2", Fraction(table[0, 0]), Fraction(int((M[0] == 0).sum()), 2))


@row_distance.control(
    "A row with zeros is not at distance 0 from itself: in the all-pairs code of four classes Δ(u, u) is "
    "{left}, not {right}."
)
def a_row_has_the_distance_0_from_itself() -> Found:
    yield equal("Δ(u, u) = 0", Fraction(row_distances(all_pairs_code(4))[0, 0]), 0, at="all pairs, k = 4")


# --- the standard codes ----------------------------------------------------------------------------------------------


distances = Claim(
    "prp-distances-of-standard-codes",
    "identity",
    "exact",
    source="allwein2000",
    where="§4",
    errata=("E41",),
    implements=standard_distance,
    formula=DISTANCES,
)


@distances.check("all pairs of rows of the standard codes, 2 to 8 classes")
def distances_of_standard_codes(rng: np.random.Generator) -> Found:
    for name, make in MAKERS.items():
        for k in range(2, 9):
            M = make(k)
            yield equal("columns = stated number", M.shape[1], standard_columns(name, k), at=f"{name}, k = {k}")
            smallest = min(distance(u, v) for i, u in enumerate(M) for v in M[:i])
            yield equal("ρ = stated ρ", smallest, standard_distance(name, k), at=f"{name}, k = {k}")
            yield equal("minimal_distance = ρ", minimal_distance(M), smallest, at=f"{name}, k = {k}")
    for k in range(2, 9):
        yield equal(
            "stated ρ = 2^(k−2)", standard_distance("complete", k), Fraction(2) ** (k - 2), at=f"complete, k = {k}"
        )


@distances.control(
    "The smallest distance is not ℓ/2, the mean distance of random rows: one-vs-rest with five classes has ρ = {left}, "
    "not {right}."
)
def half_of_the_columns() -> Found:
    yield equal("ρ = ℓ/2", standard_distance("one-vs-rest", 5), Fraction(standard_columns("one-vs-rest", 5), 2))


@distances.control("All pairs need the + 1: with four classes ρ is {left}, not {right}.")
def all_pairs_without_the_1() -> Found:
    yield equal("ρ = (ℓ − 1)/2", minimal_distance(all_pairs_code(4)), standard_distance("all-pairs", 4) - 1)


# --- random codes and Plotkin's ceiling ------------------------------------------------------------------------------


random_codes = Claim(
    "prp-distance-of-random-codes",
    "identity",
    "exact",
    source="allwein2000",
    where="§4",
    errata=("E42",),
    implements=(plotkin_bound, minimal_distance),
    formula=Formula("eq-code-plotkin", plotkin_bound),
)


# Each distribution by its probability of a zero; the signs share the rest.
ZERO_SHARES = (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10))


def mean_of_a_column(distribution: dict[int, Fraction]) -> Fraction:
    """The mean distance of two entries that are drawn independently."""
    pairs = itertools.product(distribution, repeat=2)
    return sum(
        (distribution[a] * distribution[b] * minimal_distance(np.array([[a], [b]])) for a, b in pairs), Fraction(0)
    )


def mean_minimum(zero: Fraction, n_classes: int, n_columns: int) -> Fraction:
    """E min Δ, by going through all the codes."""
    size = n_classes * n_columns
    codes = np.array(list(itertools.product((-1, 0, 1), repeat=size))).reshape(-1, n_classes, n_columns)
    products = (codes @ codes.transpose(0, 2, 1))[:, *np.triu_indices(n_classes, 1)]
    doubled, zeros = n_columns - products.max(axis=1), (codes == 0).sum(axis=(1, 2))
    shares = [zero**n * ((1 - zero) / 2) ** (size - n) for n in range(size + 1)]
    return sum((shares[n] * Fraction(int(doubled[zeros == n].sum()), 2) for n in range(size + 1)), Fraction(0))


@random_codes.check("the mean of one column is 1/2 for symmetric distributions on {−1, 0, 1}, exactly")
def mean_of_a_column_under_symmetric_distributions(rng: np.random.Generator) -> Found:
    for zero in (*ZERO_SHARES, Fraction(1)):
        distribution = {0: zero, 1: (1 - zero) / 2, -1: (1 - zero) / 2}
        yield equal("mean of (1 − ab)/2 = 1/2", mean_of_a_column(distribution), Fraction(1, 2), at=f"Pr[0] = {zero}")


@random_codes.check("the minimum over three rows of signs has a smaller mean, for every length up to 10")
def minimum_over_three_rows_of_signs(rng: np.random.Generator) -> Found:
    for n_columns in range(1, 11):
        steps = range(1, n_columns + 1)
        mean = sum((1 - random_code_tail(n_columns, step) for step in steps), Fraction(0))
        yield less_than("E min Δ < ℓ/2", mean, Fraction(n_columns, 2), at=f"ℓ = {n_columns}")


@random_codes.check("with zeros and with four rows too, by all the codes; two rows, or zeros only, have ℓ/2")
def minimum_over_rows_with_zeros(rng: np.random.Generator) -> Found:
    for zero, (k, n_columns) in itertools.product(ZERO_SHARES, ((3, 1), (3, 2), (4, 1))):
        mean = mean_minimum(zero, k, n_columns)
        yield less_than("E min Δ < ℓ/2", mean, Fraction(n_columns, 2), at=f"Pr[0] = {zero}, k = {k}, ℓ = {n_columns}")
    yield equal("E min Δ = ℓ/2", mean_minimum(Fraction(1, 3), 2, 2), 1, at="two rows")
    yield equal("E min Δ = ℓ/2", mean_minimum(Fraction(1), 3, 1), Fraction(1, 2), at="zeros only")


@random_codes.check("Plotkin: random codes, the best of many, and all codes with 3 rows and 3 columns")
def no_code_above_the_ceiling(rng: np.random.Generator) -> Found:
    for _ in range(100):
        M = random_code(rng)
        yield at_most("ρ ≤ bound", minimal_distance(M), plotkin_bound(M.shape[1], len(M)))
    for k in (4, 6, 10):
        M = random_dense_code(k, n_candidates=200, random_state=int(rng.integers(2**31)), repeated_columns=True)
        yield at_most("ρ ≤ bound", minimal_distance(M), plotkin_bound(M.shape[1], k), at=f"best of 200, k = {k}")
    for entries in itertools.product((-1, 0, 1), repeat=9):
        if entries[0] == 1:
            M = np.array(entries).reshape(3, 3)
            yield at_most("ρ ≤ bound", minimal_distance(M), plotkin_bound(3, 3), at="3 rows, 3 columns")


@random_codes.check("equality: Hadamard codes of full order, all balanced columns")
def codes_at_the_ceiling(rng: np.random.Generator) -> Found:
    for k in (2, 4, 8, 16):
        yield equal("ρ = bound", minimal_distance(hadamard_code(k)), plotkin_bound(k - 1, k), at=f"Hadamard, k = {k}")
    balanced = np.array([row for row in sign_vectors(6) if sum(row) == 0 and row[0] == 1]).T
    yield equal(
        "ρ = bound", minimal_distance(balanced), plotkin_bound(balanced.shape[1], 6), at="all balanced columns, k = 6"
    )


@random_codes.strengthened(
    "Plotkin's ceiling cannot be one per cent lower: the Hadamard code of four classes has ρ = {left}, "
    "more than {right}.",
    by=Fraction(99, 100),
)
def ceiling_on_hadamard_codes(factor: Fraction) -> Found:
    for k in (4, 8):
        yield at_most("ρ ≤ bound", minimal_distance(hadamard_code(k)), factor * plotkin_bound(k - 1, k), at=f"k = {k}")


@random_codes.control(
    "The entries need a symmetric distribution: with Pr[1] = 2/3 and Pr[−1] = 1/3 a column adds {left} to "
    "the mean distance, not {right}."
)
def distribution_that_is_not_symmetric() -> Found:
    yield equal("mean of (1 − ab)/2 = 1/2", mean_of_a_column({1: Fraction(2, 3), -1: Fraction(1, 3)}), Fraction(1, 2))


# --- the factor of the bound -----------------------------------------------------------------------------------------


radius = Claim(
    "thm-error-correction-radius",
    "upper bound",
    "exact",
    source=("mohri2018", "lecture13"),
    where="§9.4.3; Remark 21",
    errata=("E11",),
    implements=correction_radius,
    formula=Formula("eq-code-radius", correction_radius),
    symbols=(Reading(r"\rho", "count", arguments={"distance": r"\rho"}),),
)


@radius.check("all patterns of wrong outputs of the standard codes: r₀ are corrected")
def standard_codes_correct_r0(rng: np.random.Generator) -> Found:
    for name, M in sign_codes(5):
        yield at_least(
            "always corrected ≥ r₀", corrected_errors(M), correction_radius(int(minimal_distance(M))), at=name
        )


@radius.check("random codes of signs")
def random_codes_of_signs(rng: np.random.Generator) -> Found:
    for _ in range(30):
        M = random_code(rng, (-1, 1))
        yield equal("always corrected = r₀", corrected_errors(M), correction_radius(int(minimal_distance(M))))


@radius.extremal("some pattern of r₀ + 1 wrong outputs ties or loses, for every code")
def one_more_wrong_output_spoils() -> Found:
    for name, M in sign_codes(5):
        reach = correction_radius(int(minimal_distance(M)))
        yield holds("spoilt by r₀ + 1 wrong outputs", spoiling_errors(M, reach + 1) is not None, Tier.EXACT, at=name)
        yield equal("always corrected = r₀", corrected_errors(M), reach, at=name, statement=True)
    for times in range(1, 8):
        M = repetition_code(np.array([[1], [-1]]), times)
        what = "always corrected = r₀"
        yield equal(what, corrected_errors(M), correction_radius(times), at=f"one column, ℓ = {times}", statement=True)


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
        yield equal("distance from the own row = wrong outputs", own, wrong, at=f"{wrong} wrong")
        for rival, far in enumerate(others, 1):
            yield at_least(f"distance from row {rival + 1} ≥ ρ − {wrong}", far, d - wrong, at=f"{wrong} wrong")
    yield less_than("r₀ < ρ − r₀", reach, d - reach)
    yield at_least("own distance ≥ the rival's", reach + 1, d - reach - 1, at="r₀ + 1 wrong where two rows differ")


@radius.control(
    "One wrong output more would be too many: the complete code of four classes always corrects {left}, not {right}."
)
def one_more_wrong_output_is_corrected() -> Found:
    for M in (complete_code(4), hadamard_code(8), repetition_code(np.array([[1], [-1]]), 5)):
        yield at_least(
            "always corrected ≥ r₀ + 1", corrected_errors(M), correction_radius(int(minimal_distance(M))) + 1
        )


@radius.control(
    "The number of corrected errors is about half of ρ: the complete code of four classes always corrects "
    "{left}, while ρ − 1 is {right}."
)
def distance_less_one_corrected() -> Found:
    M = complete_code(4)
    whole = correction_radius(2 * int(minimal_distance(M)) - 1)
    yield at_least("always corrected ≥ ρ − 1", corrected_errors(M), whole, at="complete, k = 4")


# --- the least number of columns -------------------------------------------------------------------------------------


shortest = Claim(
    "prp-logarithmically-many-columns",
    "lower bound",
    "exact",
    source="roth-cis519",
    where="error-correcting codes slide",
    implements=(least_columns, binary_code),
    formula=Formula("eq-code-least-columns", least_columns),
)


@shortest.check("all codes of signs with fewer columns have equal rows, up to five classes")
def fewer_columns_give_equal_rows(rng: np.random.Generator) -> Found:
    for k in range(2, 6):
        words = list(sign_vectors(least_columns(k) - 1))
        distinct = sum(len(set(rows)) == k for rows in itertools.product(words, repeat=k))
        yield equal("codes with distinct rows = 0", distinct, 0, at=f"k = {k}")


@shortest.check("with exactly log₂ k columns the distance is 1 and nothing is corrected")
def shortest_codes_correct_nothing(rng: np.random.Generator) -> Found:
    for c in range(1, 5):
        M = np.array(list(sign_vectors(c)))[rng.permutation(2**c)]
        yield equal("columns = ⌈log₂ k⌉", c, least_columns(2**c), at=f"k = {2**c}")
        yield equal("minimal distance = 1", minimal_distance(M), 1, at=f"k = {2**c}")
        yield equal("errors corrected = 0", corrected_errors(M), 0, at=f"k = {2**c}")


@shortest.extremal("the binary digits of the label attain it, 2 to 64 classes")
def binary_digits_suffice() -> Found:
    for k in range(2, 65):
        M = binary_code(k)
        yield equal("columns = ⌈log₂ k⌉", M.shape[1], least_columns(k), at=f"k = {k}", statement=True)
        yield equal("distinct rows = k", len({tuple(row) for row in M.tolist()}), k, at=f"k = {k}")
        yield less_than("rows of one column fewer < k", 2 ** (M.shape[1] - 1), k, at=f"k = {k}")


@shortest.control("One column fewer is not enough: it leaves only {left} different rows for {right} classes.")
def one_column_less_is_enough() -> Found:
    yield at_least(
        "different rows of one column fewer ≥ k", len(list(sign_vectors(least_columns(5) - 1))), 5, at="k = 5"
    )


@shortest.control(
    "The logarithm has to be rounded up: five classes need {left} columns, and rounding down would give {right}."
)
def logarithm_rounded_down() -> Found:
    yield at_most("least columns ≤ ⌊log₂ k⌋", least_columns(5), 2, at="k = 5")
