"""Training margins for codes with zeros."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, at_least, at_most, equal
from mcbook.claims.output_code_margins.samples import (
    THETAS,
    Found,
    exact_run,
    half_log,
    mistaken_share,
    random_run,
    replayed,
)
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.claims.spine.formulas.notation import Reading
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Array
from mcbook.output_code_errors import equal_nonzeros, opposite_columns
from mcbook.output_code_margins import (
    decoding_margins,
    mistake_bound_with_zeros,
    training_margin_bound,
    training_margin_bound_with_zeros,
    two_round_sample,
)
from mcbook.output_code_margins.algorithm.votes import share_of_margins
from mcbook.output_codes import (
    all_pairs_code,
    complete_code,
    hadamard_code,
    minimal_distance,
    one_vs_rest_code,
)

# --- codes with zeros ------------------------------------------------------------------------------------------------

zeros = Claim(
    "thm-code-margin-training-bound-with-zeros",
    "upper bound",
    "exact",
    source="allwein2000",
    where="this book; Theorem 6 there is the first bound for codes without zeros",
    errata=("E44",),
    implements=(training_margin_bound_with_zeros, mistake_bound_with_zeros),
    formula=(
        Formula(
            "eq-code-training-margins-zeros",
            training_margin_bound_with_zeros,
            where=r"\delta\le N_{\mathrm{nz}}",
            numbers="balls",
        ),
        Formula(
            "eq-code-mistakes-zeros",
            mistake_bound_with_zeros,
            given={"Z": r"e^{-\eta}+c(1-e^{-\eta})"},
            where=r"\delta\le N_{\mathrm{nz}}",
            numbers="balls",
        ),
    ),
    symbols=(
        Reading("Z", "probability", arguments={"normaliser": "Z", "faintest": r"e^{-\eta}"}),
        Reading(r"\delta", "count", arguments={"n_opposite": r"\delta"}),
        Reading(r"N_{\mathrm{nz}}", "count", arguments={"n_nonzero": r"N_{\mathrm{nz}}"}),
    ),
)


def codes_with_equal_zeros(rng: np.random.Generator) -> list[Array]:
    """All pairs, and codes of signs to which columns of all pairs are joined."""
    codes = [all_pairs_code(k) for k in (3, 4, 5)]
    return [*codes, *(np.hstack([M, complete_code(len(M))[:, : int(rng.integers(1, 3))]]) for M in codes)]


@zeros.check("exact runs: all pairs of 3 to 5 classes alone and joined with columns of signs, seven margins θ")
def runs_with_zeros_within_both_bounds(rng: np.random.Generator) -> Found:
    for M in codes_with_equal_zeros(rng) * 6:
        run = random_run(rng, M, int(rng.integers(1, 5)))
        if run is None:
            continue
        n_nonzero, delta = equal_nonzeros(M), opposite_columns(M)
        margins = decoding_margins(run.F, M, run.y, run.eta, skip_zeros=True)
        errors = [ball(e) for e in run.errors]
        for theta in THETAS:
            bound = training_margin_bound_with_zeros(errors, n_nonzero, delta, theta)
            yield at_most("(share of margins ≤ θ) ≤ bound", share_of_margins(margins, theta), bound, at=f"θ = {theta}")
        product = training_margin_bound(errors, 1, 1)
        refined = mistake_bound_with_zeros(product, (-run.eta).exp(), n_nonzero, delta)
        yield at_most("(share of margins ≤ 0) ≤ refined bound", share_of_margins(margins, 0), refined)


def two_rounds(M: Array, error: Fraction) -> tuple[Fraction, Fraction]:
    """The share of mistakes on the sample of two rounds, and the refined bound, both as fractions."""
    sample = two_round_sample(M, error)
    errors = exact_run(sample.M, sample.y, sample.pool, 2).errors
    for found in errors:
        if found != error:
            raise ValueError(f"expected two rounds of error {error}, got {errors}")
    bound = mistake_bound_with_zeros(
        4 * error * (1 - error), error / (1 - error), equal_nonzeros(M), opposite_columns(M)
    )
    return mistaken_share(sample, error), Fraction(bound)


@zeros.extremal(
    "two rounds: equality for all pairs of 3 to 6 classes, for one-vs-rest, Hadamard's and the complete code",
)
def equality_after_two_rounds() -> Found:
    cases = [(all_pairs_code(k), Fraction(1, n)) for k, n in ((3, 8), (4, 10), (5, 16), (6, 20))]
    cases += [
        (one_vs_rest_code(3), Fraction(1, 8)),
        (hadamard_code(4), Fraction(1, 4)),
        (complete_code(4), Fraction(1, 5)),
    ]
    for M, error in cases:
        share, bound = two_rounds(M, error)
        yield equal("share of mistakes = refined bound", share, bound, at=f"ε = {error}, k = {len(M)}", statement=True)


@zeros.trace("all pairs of three classes, two rounds of error 1/8")
def proof_with_zeros() -> Found:
    error = Fraction(1, 8)
    M = all_pairs_code(3)
    sample = two_round_sample(M, error)
    faintest, F = error / (1 - error), sample.pool.sum(axis=0) // 2
    label = int(sample.y[0])
    own = [sum((faintest ** int(v) for v in (f * M[label])[M[label] != 0]), Fraction(0)) for f in F]
    yield equal("Σ over non-zero pairs of e^(−η M f) = m N Z₁Z₂", sum(own), len(F) * 2 * 4 * error * (1 - error))
    share = mistaken_share(sample, error)
    n_wrong = int(share * len(F))
    for what, value in (
        ("sum of a mistaken example ≥ δ + (N − δ) e^−η", own[0]),
        ("sum of any other ≥ N e^−η", own[-1]),
    ):
        least = 1 + faintest if value == own[0] else 2 * faintest
        yield at_least(what, value, least)
    yield equal(
        "P m (δ + (N − δ) e^−η) + (1 − P) m N e^−η = the sum over all",
        n_wrong * (1 + faintest) + (len(F) - n_wrong) * 2 * faintest,
        sum(own),
    )
    yield equal("P = (N/δ)(Z₁Z₂ − e^−η)/(1 − e^−η)", share, two_rounds(M, error)[1])
    yield at_most("P ≤ (N/δ) Z₁Z₂", share, training_margin_bound_with_zeros([ball(error)] * 2, 2, 1, Fraction(0)))


@zeros.strengthened(
    "One per cent less is too little: for all pairs of three classes and two rounds of error $\\frac18$ "
    "a share of {left} is mistaken, and {right} would be allowed.",
    by=Fraction(99, 100),
    story=True,
)
def one_per_cent_less(factor: Fraction) -> Found:
    share, bound = two_rounds(all_pairs_code(3), Fraction(1, 8))
    yield at_most("share of mistakes ≤ refined bound", share, factor * bound)


@zeros.control(
    "$\\ell/\\rho$ cannot take the place of $N_{\\mathrm{nz}}/\\delta$: if each example of all pairs of "
    "sixteen classes loses one duel, the share of mistakes after one round is {left}, and {right} would "
    "be allowed.",
)
def distance_in_place_of_opposite_columns() -> Found:
    M = all_pairs_code(16)
    F = np.array([np.where(M[1] != 0, M[1], M[0])]).astype(object)
    margins = decoding_margins(F, M, np.array([0]), half_log(Fraction(1, 15)), skip_zeros=True)
    bound = training_margin_bound_with_zeros([ball(Fraction(1, 15))], 120, minimal_distance(M), Fraction(0))
    yield at_most("(share of margins ≤ 0) ≤ bound", share_of_margins(margins, 0), bound)


@zeros.control(
    "The rows need equally many non-zero entries: with the rows $(0,-1)$, $(1,1)$ and $(-1,1)$ two rounds leave a "
    "share of {left} mistaken, and with the first row's $N_{\\mathrm{nz}}=1$ {right} would be allowed.",
)
def rows_with_unequal_zeros() -> Found:
    M, y = np.array([[0, -1], [1, 1], [-1, 1]]), np.zeros(20, dtype=int)
    # Only the second column is asked; each round is wrong on other examples, and answers 1 in the first column.
    wrong = np.arange(20) < 5, (np.arange(20) >= 5) & (np.arange(20) < 14)
    pool = np.array([np.column_stack([np.ones(20, dtype=int), np.where(flipped, 1, -1)]) for flipped in wrong])
    made = exact_run(M, y, pool, 2)
    run = replayed(pool, tuple(made.hypotheses), tuple(made.errors), y)
    margins = decoding_margins(run.F, M, y, run.eta, skip_zeros=True)
    product = training_margin_bound([ball(e) for e in run.errors], 1, 1)
    allowed = mistake_bound_with_zeros(product, (-run.eta).exp(), 1, opposite_columns(M))
    yield at_most("share of mistakes ≤ refined bound", share_of_margins(margins, 0), allowed)
