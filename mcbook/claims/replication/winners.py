"""Who wins in the published tables: decoder against decoder, and code against code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import numpy as np

from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.claims.replication.tables import printed
from mcbook.replication import (
    PAPER_CODES,
    WinScore,
    always_best,
    data_sets,
    differences,
    equal_rates_p_value,
    examples_tested,
    pooled_score,
    published_errors,
    sign_test_p_value,
    win_score,
)
from mcbook.replication.algorithm.comparison import SIGNIFICANCE
from mcbook.replication.algorithm.published import TableEntry

Found = Iterator[Evidence]

# --- decoders --------------------------------------------------------------------------------------------------------

WITH_SVM = {"learner": "svm", "decoder": "loss-based"}
loss_based = Claim(
    "prp-loss-based-against-hamming",
    "identity",
    "exact",
    source="allwein2000",
    where="§6",
    errata=("E38",),
    implements=win_score,
    no_formula="counts from a table",
)

DECODED = {
    ("adaboost", "L_y", "hamming"): (37, 12, 9),
    ("adaboost", "exp", "hamming"): (49, 5, 4),
    ("adaboost", "exp", "L_y"): (31, 19, 8),
    ("svm", "loss-based", "hamming"): (22, 5, 12),
}
# Of each code with the SVM: loss-based against Hamming decoding.
DECODED_BY_CODE = {
    "one-vs-rest": (4, 1, 3),
    "complete": (5, 1, 1),
    "all-pairs": (4, 0, 4),
    "dense": (6, 1, 1),
    "sparse": (3, 2, 3),
}


def by_decoder(learner: str, first: str, second: str) -> WinScore:
    return win_score(
        published_errors(), {"learner": learner, "decoder": first}, {"learner": learner, "decoder": second}
    )


def counted_in_file(table: int, first: str, second: str) -> list[int]:
    """Wins, ties and losses counted from the file, row by row."""
    errors = {(row["problem"], row["code"], row["decoding"]): Fraction(row["error"]) for row in printed(table)}
    pairs = [(value, errors[data, code, second]) for (data, code, way), value in errors.items() if way == first]
    return [sum(a < b for a, b in pairs), sum(a == b for a, b in pairs), sum(a > b for a, b in pairs)]


@loss_based.check("the four comparisons of decoders, counted twice")
def wins_of_decoders(rng: np.random.Generator) -> Found:
    for (learner, first, second), counts in DECODED.items():
        found = by_decoder(learner, first, second)
        again = counted_in_file(2 if learner == "adaboost" else 3, first, second)
        for what, n, expected, other in zip(("wins", "ties", "losses"), found, counts, again, strict=True):
            yield equal(f"{what} = as stated", n, expected, at=f"{learner}, {first} over {second}")
            yield equal(f"{what} = from the file", n, other, at=f"{learner}, {first} over {second}")


def with_the_svm(code: str) -> WinScore:
    return win_score(published_errors(), WITH_SVM | {"code": code}, {"decoder": "hamming"})


@loss_based.check("with the SVM, code by code")
def wins_of_decoders_by_code(rng: np.random.Generator) -> Found:
    for code, counts in DECODED_BY_CODE.items():
        for what, n, expected in zip(("wins", "ties", "losses"), with_the_svm(code), counts, strict=True):
            yield equal(f"{what} = as stated", n, expected, at=code)
    for place, what in enumerate(("wins", "ties", "losses")):
        total = sum(counts[place] for counts in DECODED_BY_CODE.values())
        yield equal(
            "sum over the codes = number in the table", total, DECODED["svm", "loss-based", "hamming"][place], at=what
        )


@loss_based.control(
    "With the SVM the advantage is not every code's: with the sparse code loss-based decoding wins "
    "{left} times, and {right} wins would be needed to win more often than it loses.",
    story=True,
)
def better_with_every_code() -> Found:
    for code in ("all-pairs", "sparse"):
        found = with_the_svm(code)
        yield at_least("wins ≥ losses + 1", found.wins, found.losses + 1, at=code)


@loss_based.control(
    "With the SVM loss-based decoding wins fewer than three quarters of the 39 comparisons: it wins {left}.",
    story=True,
)
def almost_always_with_the_svm() -> Found:
    found = by_decoder("svm", "loss-based", "hamming")
    yield at_least("wins ≥ 3/4 of the comparisons", found.wins, Fraction(3 * sum(found), 4))


one_vs_rest_worst = Claim(
    "prp-one-vs-rest-with-svm",
    "identity",
    "exact",
    source="allwein2000",
    where="§6",
    implements=(win_score, differences, pooled_score, sign_test_p_value, equal_rates_p_value),
    no_formula="counts from a table",
)

BETTER_THAN = {"complete": (2, 7), "all-pairs": (2, 8), "dense": (2, 8), "sparse": (1, 8)}


def one_vs_rest_against(code: str) -> tuple[WinScore, dict[TableEntry, Fraction]]:
    ways: tuple[dict[str, str], dict[str, str]] = (WITH_SVM | {"code": "one-vs-rest"}, WITH_SVM | {"code": code})
    return win_score(published_errors(), *ways), differences(published_errors(), *ways)


@one_vs_rest_worst.check("one-vs-rest against the four other codes, and by how much it ever wins")
def one_vs_rest_seldom_wins(rng: np.random.Generator) -> Found:
    for code, (wins, of) in BETTER_THAN.items():
        found, apart = one_vs_rest_against(code)
        yield equal("data sets on which it is better = as stated", found.wins, wins, at=f"than {code}")
        yield equal("data sets compared = as stated", sum(found), of, at=f"with {code}")
        yield at_most("largest advantage ≤ 4/5", max(apart.values()), Fraction(4, 5), at=f"over {code}")


@one_vs_rest_worst.check("all four comparisons together, and each entry by the exact test")
def beyond_chance(rng: np.random.Generator) -> Found:
    others = [one_vs_rest_against(code)[0] for code in BETTER_THAN]
    found = pooled_score(published_errors(), [(WITH_SVM | {"code": code}, OWN) for code in BETTER_THAN])
    yield equal("one-vs-rest is worse = as stated", found.wins, 24, at="all comparisons")
    yield equal("one-vs-rest is better = as stated", found.losses, 7, at="all comparisons")
    yield equal("losses of one-vs-rest, code by code = all together", sum(score.losses for score in others), found.wins)
    yield at_most("p-value of 24 against 7 ≤ 1/300", sign_test_p_value(found.wins, found.losses), Fraction(1, 300))
    clear = clear_differences(published_errors(), SIGNIFICANCE)
    yield equal("one-vs-rest is worse = as stated", sum(gain > 0 for gain in clear.values()), 12, at="beyond 5 %")
    yield equal("one-vs-rest is better = as stated", sum(gain < 0 for gain in clear.values()), 0, at="beyond 5 %")
    sets = ("satimage", "yeast", "soybean", "vowel")
    yield equal("data sets of these comparisons = as stated", len({entry.data for entry in clear}), len(sets))
    yield equal("other data sets than the four that are named = 0", len({entry.data for entry in clear} - set(sets)), 0)


OWN = {"code": "one-vs-rest"}


def clear_differences(errors: Mapping[TableEntry, Fraction], level: Fraction) -> dict[TableEntry, Fraction]:
    """How much larger one-vs-rest's error is than another code's, where equal rates are rejected at the level."""

    def p_value(entry: TableEntry) -> Fraction:
        n = examples_tested(entry.data)
        wrong = [round(errors[each] * n / 100) for each in (entry, entry._replace(**OWN))]
        return equal_rates_p_value(wrong[0], n, wrong[1], n)

    apart: dict[TableEntry, Fraction] = {}
    for code in BETTER_THAN:
        apart |= differences(errors, WITH_SVM | {"code": code}, OWN)
    return {entry: gain for entry, gain in apart.items() if p_value(entry) <= level}


@one_vs_rest_worst.control(
    "Eight data sets are too few to show it of a single code: even seven wins and one loss have the "
    "p-value {left}, more than {right}.",
    story=True,
)
def each_code_alone() -> Found:
    yield at_most("p-value of 7 against 1 ≤ 5 %", sign_test_p_value(7, 1), SIGNIFICANCE)


@one_vs_rest_worst.control(
    "One-vs-rest does win sometimes: against the complete code it is better on {left} data sets, not "
    "{right}, and against each other code on some.",
)
def never_better() -> Found:
    for code in BETTER_THAN:
        yield at_most("wins ≤ 0", one_vs_rest_against(code)[0].wins, 0, at=f"against {code}")


@one_vs_rest_worst.control(
    "Half a point is too little for its largest advantage: that is {left} of a point, more than {right}.",
)
def never_by_half_a_point() -> Found:
    apart = [max(one_vs_rest_against(code)[1].values()) for code in BETTER_THAN]
    yield at_most("largest advantage ≤ 1/2", max(apart), Fraction(1, 2))


# --- no code for everything ------------------------------------------------------------------------------------------

no_best_code = Claim(
    "prp-no-uniformly-best-code",
    "existence",
    "exact",
    source="allwein2000",
    where="§6",
    implements=always_best,
    no_formula="an existence statement",
    no_extremal="an existence has no slack",
)


@no_best_code.check("for each decoder and each code a data set on which another code is better")
def another_code_is_better(rng: np.random.Generator) -> Found:
    for decoder in ("hamming", "L_y", "exp"):
        yield equal(
            "codes that are best everywhere = 0",
            len(always_best(published_errors(), "adaboost", decoder)),
            0,
            at=decoder,
        )
        for code in PAPER_CODES:
            lost = [
                data
                for data in data_sets()
                if (own := published_errors().get(TableEntry("adaboost", data, code, decoder))) is not None
                and own
                > min(published_errors().get(TableEntry("adaboost", data, c, decoder), own) for c in PAPER_CODES)
            ]
            yield at_least("data sets on which it is beaten ≥ 1", len(lost), 1, at=f"{decoder}, {code}")


@no_best_code.control(
    "On a few data sets a code can be best everywhere: on satimage, pendigits and letter the number of "
    "such codes is {left}, not {right}; all pairs have the smallest error on each.",
)
def three_data_sets() -> Found:
    few = {
        entry: error for entry, error in published_errors().items() if entry.data in ("satimage", "pendigits", "letter")
    }
    for decoder in ("hamming", "exp"):
        yield equal("codes that are best everywhere = 0", len(always_best(few, "adaboost", decoder)), 0, at=decoder)
