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
from mcbook.output_codes import all_pairs_code, decode, one_vs_rest_code
from mcbook.replication import (
    PAPER_CODES,
    counts_behind,
    data_sets,
    differences,
    examples_tested,
    one_vs_rest_columns,
    published_errors,
    text_numbers,
)
from mcbook.replication.algorithm.published import TableEntry

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


@columns_agree.check("the largest score is at one of the nearest rows by Hamming distance")
def among_the_nearest(rng: np.random.Generator) -> Found:
    for k in (2, 3, 7):
        M, F = one_vs_rest_code(k), rng.integers(-2, 3, (300, k))
        places = np.arange(len(F)), F.argmax(axis=1)
        # A score of 0 is half of an error for every row.
        distances = ((1 - np.sign(F)[:, None] * M) / 2).sum(axis=2)
        farther = distances[places] > distances.min(axis=1)
        yield equal(f"k = {k}: largest scores away from the nearest rows, 0", int(farther.sum()), 0)
        alone = decode(F, M, ties="mark") >= 0
        unlike = decode(F, M, "hinge")[alone] != decode(F, M)[alone]
        yield equal(f"k = {k}: labels that differ without a tie, 0", int(unlike.sum()), 0)
        by_margin = int((decode(F, M, ties="margin") != F.argmax(axis=1)).sum())
        yield equal(f"k = {k}: that differ where the margin decides ties, 0", by_margin, 0)


@columns_agree.control(
    "with all pairs, too, the decoders differ only where Hamming decoding has a tie",
    told="With all pairs it is false: with the scores 0.1, 0.1 and −9 class {left} wins its duels without a tie, and "
    "the hinge takes class {right}.",
)
def not_with_all_pairs() -> Found:
    M, F = all_pairs_code(3), np.array([[0.1, 0.1, -9.0]])
    yield equal(
        "by Hamming distance, by the hinge", 1 + int(decode(F, M, ties="mark")[0]), 1 + int(decode(F, M, "hinge")[0])
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
