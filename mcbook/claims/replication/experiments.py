"""What is claimed of experiments: the test that compares them, the random codes, the synthetic rings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, covered, equal, less_than
from mcbook.claims.spine.formulas.formula import Formula
from mcbook.foundation.proof.statistical import Coverage
from mcbook.output_codes import complete_code, minimal_distance, one_vs_rest_code, random_dense_code, random_sparse_code
from mcbook.replication import (
    distinct_columns_probability,
    equal_rates_p_value,
    false_alarm_rate,
    paper_columns,
    synthetic_errors,
)

Found = Iterator[Evidence]

# --- the exact test --------------------------------------------------------------------------------------------------

exact_test = Claim(
    "thm-exact-comparison",
    "upper bound",
    "exact",
    source="fisher1935",
    where="this book; the test is his",
    implements=(equal_rates_p_value, false_alarm_rate),
    no_formula="a sum over those outcomes that are no more probable than the one seen",
)


@exact_test.check("all outcomes of samples of up to six and five, seven rates, every p-value as the level")
def false_alarms_within_the_level(rng: np.random.Generator) -> Found:
    rates = [
        Fraction(0),
        Fraction(1, 20),
        Fraction(1, 4),
        Fraction(1, 2),
        Fraction(9, 10),
        Fraction(int(rng.integers(1, 60)), 60),
    ]
    for n, other_n in ((1, 1), (3, 2), (4, 4), (6, 5)):
        levels = {equal_rates_p_value(a, n, b, other_n) for a in range(n + 1) for b in range(other_n + 1)}
        for rate, level in itertools.product(rates, sorted(levels)):
            alarms = false_alarm_rate(n, other_n, rate, level)
            yield at_most("false alarms ≤ level", alarms, level, at=f"n = {n}, {other_n}, rate {rate}")


@exact_test.check("given the number of errors, p-values are those of all choices of the wrong examples")
def every_choice_of_the_wrong_ones(rng: np.random.Generator) -> Found:
    for n, other_n, total in ((3, 2, 2), (4, 3, 3), (5, 4, 4)):
        counts = [sum(i < n for i in chosen) for chosen in itertools.combinations(range(n + other_n), total)]
        for wrong in range(max(0, total - other_n), min(n, total) + 1):
            often = counts.count(wrong)
            share = Fraction(sum(counts.count(c) <= often for c in counts), len(counts))
            p_value = equal_rates_p_value(wrong, n, total - wrong, other_n)
            yield equal("p-value = share of the choices", p_value, share, at=f"{wrong} of {total} errors")


# The level of a test that comes within two per cent of it, with samples of 7 and 6 at the rate 1/2.
TIGHT = Fraction(254, 429)


@exact_test.extremal("samples of 7 and 6 at rate 1/2; equality would need a level that every number of errors attains")
def nearly_the_level() -> Found:
    yield at_most("false alarms ≤ level", false_alarm_rate(7, 6, Fraction(1, 2), TIGHT), TIGHT, statement=True)


@exact_test.trace("samples of 3 and 2 at rate 1/4 and level 2/5: outcome by outcome")
def sum_by_sum() -> Found:
    n, other_n, rate, level = 3, 2, Fraction(1, 4), Fraction(2, 5)
    total = Fraction(0)
    for w in range(n + other_n + 1):
        p_w = math.comb(n + other_n, w) * rate**w * (1 - rate) ** (n + other_n - w)
        outcomes = range(max(0, w - other_n), min(n, w) + 1)
        shares = {a: Fraction(math.comb(n, a) * math.comb(other_n, w - a), math.comb(n + other_n, w)) for a in outcomes}
        yield equal("sum of the shares of the outcomes = 1", sum(shares.values()), 1, at=f"{w} errors")
        rejected = sum(share for a, share in shares.items() if equal_rates_p_value(a, n, w - a, other_n) <= level)
        yield at_most("(share of outcomes with p-value ≤ α) ≤ α", rejected, level, at=f"{w} errors")
        total += p_w * rejected
    yield equal("sum over the numbers of errors = false alarms", total, false_alarm_rate(n, other_n, rate, level))
    yield at_most("false alarms ≤ α", total, level)


@exact_test.strengthened(
    "Two per cent less is too little: samples of 7 and 6 examples, both of the rate $\\frac12$, raise a "
    "false alarm with probability {left}, and {right} would be allowed.",
    by=Fraction(49, 50),
    story=True,
)
def two_per_cent_less(factor: Fraction) -> Found:
    yield at_most("false alarms ≤ level", false_alarm_rate(7, 6, Fraction(1, 2), TIGHT), factor * TIGHT)


@exact_test.control(
    "The mid-p value, which counts the outcome itself by half, is too small: samples of 7 and 6 "
    "examples of the rate $\\frac12$ raise a false alarm with probability {left} at the level {right}.",
)
def mid_p_value() -> Found:
    level = Fraction(1, 5)
    yield at_most("false alarms ≤ level", false_alarm_rate(7, 6, Fraction(1, 2), level, mid=True), level, at="n = 7, 6")


random_codes = Claim(
    "alg-random-code-design",
    "identity",
    "exact",
    source="allwein2000",
    where="§6",
    errata=("E42",),
    implements=(paper_columns, distinct_columns_probability, random_dense_code, random_sparse_code),
    formula=(
        Formula("eq-replication-dense-columns", paper_columns, fixed={"factor": 10}),
        Formula("eq-replication-sparse-columns", paper_columns, fixed={"factor": 15}),
        Formula("eq-replication-distinct-columns", distinct_columns_probability, where=r"\ell\le 2^k", n_draws=40),
    ),
)


@random_codes.check("column counts of the paper's sizes, and probabilities against enumeration")
def lengths_and_chances(rng: np.random.Generator) -> Found:
    for k, dense, sparse in zip((4, 6, 10, 19, 26), (20, 26, 34, 43, 48), (30, 39, 50, 64, 71), strict=True):
        yield equal("dense columns = as stated", paper_columns(10, k), dense, at=f"k = {k}")
        yield equal("sparse columns = as stated", paper_columns(15, k), sparse, at=f"k = {k}")
    for k, n_columns in ((1, 2), (2, 3), (3, 4), (2, 5)):
        columns = itertools.product(range(2**k), repeat=n_columns)
        share = Fraction(sum(len(set(chosen)) == n_columns for chosen in columns), 2 ** (k * n_columns))
        yield equal(
            "probability of different columns = by enumeration",
            distinct_columns_probability(k, n_columns),
            share,
            at=f"k = {k}, {n_columns} columns",
        )
    yield equal("probability of different columns = 0", distinct_columns_probability(4, 20), 0, at="k = 4, 20 columns")
    yield at_most(
        "probability of different columns ≤ 3/1000",
        distinct_columns_probability(6, 26),
        Fraction(3, 1000),
        at="k = 6, 26 columns",
    )


@random_codes.check("the best of twenty and of two hundred, with a seed")
def seeds_make_codes(rng: np.random.Generator) -> Found:
    seed = int(rng.integers(2**31))
    for draw, factor in ((random_dense_code, 10), (random_sparse_code, 15)):
        few, again, more = (draw(8, paper_columns(factor, 8), n, random_state=seed) for n in (20, 20, 200))
        yield equal("entries that differ when drawn again = 0", int((few != again).sum()), 0)
        yield at_least("ρ of more candidates ≥ ρ of the first of them", minimal_distance(more), minimal_distance(few))
        yield equal("repeated columns = 0", paper_columns(factor, 8) - len(np.unique(more, axis=1).T), 0)


@random_codes.control(
    "Twenty columns for four classes cannot all be different: the probability that they are is {right}.",
    story=True,
)
def four_classes() -> Found:
    yield less_than(
        "0 < probability of twenty different columns", 0, distinct_columns_probability(4, paper_columns(10, 4))
    )


rings = Claim(
    "obs-synthetic-experiment",
    "growth rate",
    "statistical",
    source="allwein2000",
    where="Figure 3",
    errata=("E45",),
    implements=synthetic_errors,
    no_formula="an experiment",
    no_extremal="a tendency, with no smallest slack",
    no_trace="an experiment",
)

RUNS = 40


def failures(rng: np.random.Generator, *, both_signs: bool = False) -> dict[str, int]:
    """In how many of the runs each part of the pattern is missing, from three classes to six."""
    parts = ("Hamming error of one-vs-rest", "its binary errors", "binary errors of the complete code", "loss-based")
    missing = dict.fromkeys(parts, 0)
    for _ in range(RUNS):
        seed = int(rng.integers(2**31))
        few, many = (synthetic_errors(k, one_vs_rest_code(k), seed, both_signs=both_signs) for k in (3, 6))
        complete = [synthetic_errors(k, complete_code(k), seed, both_signs=both_signs) for k in (3, 5)]
        missing[parts[0]] += not many.hamming > few.hamming + 0.1
        missing[parts[1]] += not many.binary < few.binary
        missing[parts[2]] += not complete[1].binary > complete[0].binary
        missing[parts[3]] += not max(few.loss_based, many.loss_based, complete[1].loss_based) < 0.05
    return missing


@rings.check("forty seeded runs with three and six classes: each part of the pattern in two of three draws at least")
def the_pattern(rng: np.random.Generator) -> Found:
    for part, missing in failures(rng).items():
        yield covered(f"runs without it: {part}", Coverage(missing, RUNS, 1 / 3))


@rings.control(
    "With discs and their complements the pattern is gone: the share of runs in which the Hamming error "
    "of one-vs-rest does not rise is {left}, and {right} would be allowed.",
)
def discs_and_complements() -> Found:
    missing = failures(np.random.default_rng(0), both_signs=True)
    part = next(iter(missing))
    yield covered(f"runs without it: {part}", Coverage(missing[part], RUNS, 1 / 3))
