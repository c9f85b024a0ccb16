"""What can be said of the published tables alone: every number is compared exactly."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

import mcbook.replication
from mcbook.claims import Claim, Evidence, at_least, at_most, equal
from mcbook.output_codes import decode, one_vs_rest_code
from mcbook.replication import (
    PAPER_CODES,
    TableEntry,
    WinScore,
    always_best,
    counts_behind,
    data_sets,
    differences,
    examples_tested,
    one_vs_rest_columns,
    published_errors,
    text_numbers,
    win_score,
)

Found = Iterator[Evidence]

# Test sizes so small that not every percentage with one digit is possible.
TELLING = ("vowel", "soybean", "dermatology", "glass", "ecoli", "audiology")


def printed(table: int) -> list[dict[str, str]]:
    """The rows of a table as the file has them, read here without the package's help."""
    file = Path(str(mcbook.replication.__file__)).parent / "published" / f"table{table}.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        return [row for row in csv.DictReader(lines) if row.get("error", "1")]


# --- checksums -------------------------------------------------------------------------------------------------------

checksums = Claim(
    "prp-table-checksums",
    "identity",
    "exact",
    source="allwein2000",
    where="Tables 1–3",
    errata=("E38", "E39", "E40"),
    implements=(counts_behind, examples_tested, published_errors, data_sets),
    no_formula="a property of printed numbers",
)


@checksums.check("every entry of the six data sets whose test sets are small enough to tell")
def a_count_behind_every_entry(rng: np.random.Generator) -> Found:
    for entry, error in published_errors().items():
        if entry.data in TELLING:
            n = examples_tested(entry.data)
            counts = counts_behind(error, n)
            yield at_least(f"{entry.data} {float(error)}: numbers of errors of {n}, 1", len(counts), 1)
            if counts:
                # Halves may have been rounded either way.
                off = abs(Fraction(100 * counts[0], n) - error)
                yield at_most(
                    f"{entry.data} {float(error)}: distance from a multiple of 1/{n}, 1/20", off, Fraction(1, 20)
                )


@checksums.check("the tables hold as many numbers as the files, and the sizes of Table 1")
def nothing_is_lost(rng: np.random.Generator) -> Found:
    yield equal("entries, rows of the files", len(published_errors()), len(printed(2)) + len(printed(3)))
    yield equal("data sets, rows of Table 1", len(data_sets()), len(printed(1)))
    for row in printed(1):
        yield equal(f"{row['problem']}: classes", data_sets()[row["problem"]].classes, int(row["classes"]))


@checksums.control(
    "audiology tested by ten folds of 22, as Table 1 lets one think",
    told="Ten folds of audiology would have 220 test examples or 22 each; {left} numbers of errors of 22 round to an "
    "entry of its rows.",
)
def audiology_in_folds() -> Found:
    for error in (Fraction("26.9"), Fraction("19.2"), Fraction("23.1")):
        yield at_least("numbers of errors of 22, 1", len(counts_behind(error, 22)), 1)


@checksums.control("glass tested on all 214 examples instead of ten folds of 21")
def glass_with_its_remainder() -> Found:
    for error in (Fraction("26.7"), Fraction("28.6")):
        entries = [entry for entry, value in published_errors().items() if (entry.data, value) == ("glass", error)]
        size = data_sets()[entries[0].data].train
        yield at_least(f"numbers of errors of {size}, 1", len(counts_behind(error, size)), 1)


# --- two columns that must agree -------------------------------------------------------------------------------------

columns_agree = Claim(
    "prp-one-vs-rest-columns-agree",
    "equivalence",
    "exact",
    source="allwein2000",
    where="Table 2",
    errata=("E39",),
    implements=(one_vs_rest_columns, decode),
    no_formula="an equivalence of two rules for decoding",
)


@columns_agree.check("the two columns of Table 2, and scores on a grid decoded in both ways")
def both_columns(rng: np.random.Generator) -> Found:
    apart = []
    for data, (sigmoid, exponential) in one_vs_rest_columns().items():
        if sigmoid != exponential:
            apart.append(data)
        else:
            yield equal(f"{data}: sigmoid and exponential", sigmoid, exponential)
    yield equal("data sets that agree, 12", len(one_vs_rest_columns()) - len(apart), 12)
    sigmoid, exponential = one_vs_rest_columns()["ecoli"]
    yield equal("ecoli: the difference, 3/2", sigmoid - exponential, Fraction(3, 2))
    for k in (2, 3, 7):
        M, F = one_vs_rest_code(k), rng.integers(-40, 41, (200, k)) / 8
        largest = F.argmax(axis=1)
        for loss in ("sigmoid", "exponential"):
            yield equal(
                f"k = {k}, {loss}: labels unlike the largest score, 0", int((decode(F, M, loss) != largest).sum()), 0
            )


@columns_agree.control(
    "the same in floating point with scores of 25 and 30",
    told="With scores of 25 and 30 the sigmoid loss in floating point takes class {left} and not class {right}: the "
    "distances differ by less than floats can hold.",
)
def saturated_scores() -> Found:
    M, F = one_vs_rest_code(3), np.array([[25.0, 30.0, -1.0]])
    yield equal(
        "by the sigmoid, by the exponential",
        1 + int(decode(F, M, "sigmoid")[0]),
        1 + int(decode(F, M, "exponential")[0]),
    )


# --- who wins --------------------------------------------------------------------------------------------------------

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
            yield equal(f"{learner}, {first} over {second}: {what}, as stated", n, expected)
            yield equal(f"{learner}, {first} over {second}: {what}, from the file", n, other)


@loss_based.control(
    "almost always better with the SVM, too: three comparisons of four won",
    told="With the SVM loss-based decoding wins {left} of 39 comparisons, three quarters would be {right}.",
)
def almost_always_with_the_svm() -> Found:
    found = by_decoder("svm", "loss-based", "hamming")
    yield at_least("won, three quarters", found.wins, Fraction(3 * sum(found), 4))


one_vs_rest_worst = Claim(
    "prp-one-vs-rest-with-svm",
    "identity",
    "exact",
    source="allwein2000",
    where="§6",
    implements=(win_score, differences),
    no_formula="counts from a table",
)

BETTER_THAN = {"complete": (2, 7), "all-pairs": (2, 8), "dense": (2, 8), "sparse": (1, 8)}
WITH_SVM = {"learner": "svm", "decoder": "loss-based"}


def one_vs_rest_against(code: str) -> tuple[WinScore, dict[TableEntry, Fraction]]:
    ways: tuple[dict[str, str], dict[str, str]] = (WITH_SVM | {"code": "one-vs-rest"}, WITH_SVM | {"code": code})
    return win_score(published_errors(), *ways), differences(published_errors(), *ways)


@one_vs_rest_worst.check("one-vs-rest against the four other codes, and by how much it ever wins")
def one_vs_rest_seldom_wins(rng: np.random.Generator) -> Found:
    for code, (wins, of) in BETTER_THAN.items():
        found, apart = one_vs_rest_against(code)
        yield equal(f"better than {code}: data sets, as stated", found.wins, wins)
        yield equal(f"compared with {code}: data sets, as stated", sum(found), of)
        yield at_most(f"largest advantage over {code}, 4/5", max(apart.values()), Fraction(4, 5))


@one_vs_rest_worst.control("never better than any other code")
def never_better() -> Found:
    for code in BETTER_THAN:
        yield at_most(f"wins over {code}, 0", one_vs_rest_against(code)[0].wins, 0)


@one_vs_rest_worst.control("never by more than half a point")
def never_by_half_a_point() -> Found:
    apart = [max(one_vs_rest_against(code)[1].values()) for code in BETTER_THAN]
    yield at_most("largest advantage, 1/2", max(apart), Fraction(1, 2))


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
            f"{decoder}: codes that are best everywhere, 0",
            len(always_best(published_errors(), "adaboost", decoder)),
            0,
        )
        for code in PAPER_CODES:
            lost = [
                data
                for data in data_sets()
                if (own := published_errors().get(TableEntry("adaboost", data, code, decoder))) is not None
                and own
                > min(published_errors().get(TableEntry("adaboost", data, c, decoder), own) for c in PAPER_CODES)
            ]
            yield at_least(f"{decoder}, {code}: data sets on which it is beaten, 1", len(lost), 1)


@no_best_code.control("the same of satimage, pendigits and letter alone, where all pairs are best")
def three_data_sets() -> Found:
    few = {
        entry: error for entry, error in published_errors().items() if entry.data in ("satimage", "pendigits", "letter")
    }
    for decoder in ("hamming", "exp"):
        yield equal(f"{decoder}: codes that are best everywhere, 0", len(always_best(few, "adaboost", decoder)), 0)


# --- the text and the tables -----------------------------------------------------------------------------------------

text = Claim(
    "prp-text-against-tables",
    "identity",
    "exact",
    source="allwein2000",
    where="§6, Table 3",
    errata=("E38",),
    implements=(text_numbers, counts_behind),
    no_formula="a comparison of printed numbers",
)


@text.check("five numbers of the text beside the tables' entries, and what truncation explains")
def the_text_beside_the_tables(rng: np.random.Generator) -> Found:
    table, unlike, explained = published_errors(), 0, 0
    for entry, said in text_numbers().items():
        unlike += said != table[entry]
        digits = 10 if said.denominator > 1 else 1
        counts = counts_behind(table[entry], examples_tested(entry.data))
        explained += said != table[entry] and any(
            Fraction(math.floor(Fraction(100 * j * digits, examples_tested(entry.data))), digits) == said
            for j in counts
        )
    yield equal("numbers of the text that are not the table's, 4", unlike, 4)
    yield equal("of them those that are the table's with digits cut off, 3", explained, 3)
    entry = TableEntry("svm", "satimage", "all-pairs", "loss-based")
    yield equal("satimage: table less text, 3/10", table[entry] - text_numbers()[entry], Fraction(3, 10))


@text.control("the numbers of the text are those of the tables")
def the_text_is_the_table() -> Found:
    for entry, said in text_numbers().items():
        if (entry.data, entry.decoder) != ("satimage", "hamming"):
            yield equal(f"{entry.data}, {entry.code}: text, table", said, published_errors()[entry])


# --- bars ------------------------------------------------------------------------------------------------------------

bars = Claim(
    "prp-figures-from-tables",
    "identity",
    "exact",
    source="allwein2000",
    where="Figures 4–7",
    implements=differences,
    no_formula="differences of printed numbers",
)


@bars.check("all bars of the four figures, from the files")
def every_bar(rng: np.random.Generator) -> Found:
    for table, learner, first, second in (
        (2, "adaboost", "exp", "hamming"),
        (2, "adaboost", "L_y", "hamming"),
        (3, "svm", "loss-based", "hamming"),
    ):
        found = differences(
            published_errors(), {"learner": learner, "decoder": first}, {"learner": learner, "decoder": second}
        )
        errors = {(r["problem"], CODE_OF[r["code"]], r["decoding"]): Fraction(r["error"]) for r in printed(table)}
        yield equal(f"{learner}, {first}: bars, entries", len(found), sum(way == first for _, _, way in errors))
        for entry, height in found.items():
            key = entry.data, entry.code
            yield equal(f"{entry.data}, {entry.code}: bar", height, errors[*key, second] - errors[*key, first])
    for learner, decoder in (("svm", "loss-based"), ("adaboost", "exp")):
        for code in PAPER_CODES:
            for other in PAPER_CODES:
                one, back = (bars_of(learner, decoder, *pair) for pair in ((code, other), (other, code)))
                yield equal(
                    f"{learner}: {code} less {other}, and turned around", sum(one.values()), -sum(back.values())
                )


CODE_OF = {name: code for code, name in PAPER_CODES.items()}


def bars_of(learner: str, decoder: str, code: str, other: str) -> dict[TableEntry, Fraction]:
    way = {"learner": learner, "decoder": decoder}
    return differences(published_errors(), way | {"code": code}, way | {"code": other})


@bars.control("thirteen bars in every panel of Figure 7, one for each data set")
def thirteen_bars() -> Found:
    for other in ("complete", "all-pairs"):
        yield equal(f"one-vs-rest against {other}: bars, 13", len(bars_of("adaboost", "exp", "one-vs-rest", other)), 13)
