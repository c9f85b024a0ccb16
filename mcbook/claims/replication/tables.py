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
            yield at_least(
                f"counts of {n} that round to the entry ≥ 1", len(counts), 1, at=f"{entry.data} {float(error)}"
            )
            if counts:
                # Halves may have been rounded either way.
                off = abs(Fraction(100 * counts[0], n) - error)
                yield at_most(
                    f"distance from a multiple of 1/{n} ≤ 1/20", off, Fraction(1, 20), at=f"{entry.data} {float(error)}"
                )


@checksums.check("the tables hold as many numbers as the files, and the sizes of Table 1")
def nothing_is_lost(rng: np.random.Generator) -> Found:
    yield equal("entries = rows of the files", len(published_errors()), len(printed(2)) + len(printed(3)))
    yield equal("data sets = rows of Table 1", len(data_sets()), len(printed(1)))
    for row in printed(1):
        yield equal(
            "classes = classes in Table 1", data_sets()[row["problem"]].classes, int(row["classes"]), at=row["problem"]
        )


@checksums.control(
    "Audiology was not tested in folds of 22 examples: of the numbers of errors among 22, {left} round "
    "to an entry of its rows, and at least {right} would have to.",
    story=True,
)
def audiology_in_folds() -> Found:
    for error in (Fraction("26.9"), Fraction("19.2"), Fraction("23.1")):
        yield at_least(
            "counts of 22 that round to the entry ≥ 1", len(counts_behind(error, 22)), 1, at=f"{float(error)}"
        )


@checksums.control(
    "Glass was not tested on all its 214 examples: of the numbers of errors among 214, {left} round to "
    "its entries 26.7 and 28.6, and at least {right} would have to.",
)
def glass_with_its_remainder() -> Found:
    for error in (Fraction("26.7"), Fraction("28.6")):
        entries = [entry for entry, value in published_errors().items() if (entry.data, value) == ("glass", error)]
        size = data_sets()[entries[0].data].train
        what = f"counts of {size} that round to the entry ≥ 1"
        yield at_least(what, len(counts_behind(error, size)), 1, at=f"{float(error)}")


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
            yield equal("sigmoid = exponential", sigmoid, exponential, at=data)
    yield equal("data sets that agree = 12", len(one_vs_rest_columns()) - len(apart), 12)
    sigmoid, exponential = one_vs_rest_columns()["ecoli"]
    yield equal("sigmoid - exponential = 3/2", sigmoid - exponential, Fraction(3, 2), at="ecoli")
    for k in (2, 3, 7):
        M, F = one_vs_rest_code(k), rng.integers(-40, 41, (200, k)) / 8
        largest = F.argmax(axis=1)
        for loss in ("sigmoid", "exponential"):
            yield equal(
                "labels unlike the largest score = 0",
                int((decode(F, M, loss) != largest).sum()),
                0,
                at=f"k = {k}, {loss}",
            )


@columns_agree.check("the largest score is at one of the nearest rows by Hamming distance")
def among_the_nearest(rng: np.random.Generator) -> Found:
    for k in (2, 3, 7):
        M, F = one_vs_rest_code(k), rng.integers(-2, 3, (300, k))
        places = np.arange(len(F)), F.argmax(axis=1)
        # A score of 0 is half of an error for every row.
        distances = ((1 - np.sign(F)[:, None] * M) / 2).sum(axis=2)
        farther = distances[places] > distances.min(axis=1)
        yield equal("largest scores away from the nearest rows = 0", int(farther.sum()), 0, at=f"k = {k}")
        alone = decode(F, M, ties="mark") >= 0
        unlike = decode(F, M, "hinge")[alone] != decode(F, M)[alone]
        yield equal("labels that differ without a tie = 0", int(unlike.sum()), 0, at=f"k = {k}")
        by_margin = int((decode(F, M, ties="margin") != F.argmax(axis=1)).sum())
        yield equal("labels that differ where the margin decides ties = 0", by_margin, 0, at=f"k = {k}")


@columns_agree.control(
    "With all pairs it is false: for the scores 0.1, 0.1 and $-9$ class {left} wins its duels without a "
    "tie, and the hinge takes class {right}.",
    story=True,
)
def not_with_all_pairs() -> Found:
    M, F = all_pairs_code(3), np.array([[0.1, 0.1, -9.0]])
    yield equal(
        "class by Hamming distance = class by the hinge",
        1 + int(decode(F, M, ties="mark")[0]),
        1 + int(decode(F, M, "hinge")[0]),
    )


@columns_agree.control(
    "Floating point can break the agreement: with scores of 25 and 30 the sigmoid loss takes class "
    "{left}, not class {right}, because the distances differ by less than floats can hold.",
    story=True,
)
def saturated_scores() -> Found:
    M, F = one_vs_rest_code(3), np.array([[25.0, 30.0, -1.0]])
    yield equal(
        "class by the sigmoid = class by the exponential",
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
    yield equal("numbers of the text that are not the table's = 4", unlike, 4)
    yield equal("of these the table's with digits cut off = 3", explained, 3)
    entry = TableEntry("svm", "satimage", "all-pairs", "loss-based")
    yield equal("table - text = 3/10", table[entry] - text_numbers()[entry], Fraction(3, 10), at="satimage")


@text.control(
    "The numbers of the text are not always those of the tables: for yeast with the sparse code the "
    "text says 47.1 and the table 47.2.",
)
def the_text_is_the_table() -> Found:
    for entry, said in text_numbers().items():
        if (entry.data, entry.decoder) != ("satimage", "hamming"):
            yield equal("text = table", said, published_errors()[entry], at=f"{entry.data}, {entry.code}")


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
        yield equal("bars = entries", len(found), sum(way == first for _, _, way in errors), at=f"{learner}, {first}")
        for entry, height in found.items():
            key = entry.data, entry.code
            yield equal(
                "bar = difference of two entries",
                height,
                errors[*key, second] - errors[*key, first],
                at=f"{entry.data}, {entry.code}",
            )
    for learner, decoder in (("svm", "loss-based"), ("adaboost", "exp")):
        for code in PAPER_CODES:
            for other in PAPER_CODES:
                one, back = (bars_of(learner, decoder, *pair) for pair in ((code, other), (other, code)))
                yield equal(
                    f"{code} against {other} = minus {other} against {code}",
                    sum(one.values()),
                    -sum(back.values()),
                    at=learner,
                )


CODE_OF = {name: code for code, name in PAPER_CODES.items()}


def bars_of(learner: str, decoder: str, code: str, other: str) -> dict[TableEntry, Fraction]:
    way = {"learner": learner, "decoder": decoder}
    return differences(published_errors(), way | {"code": code}, way | {"code": other})


@bars.control(
    "Not every panel of Figure 7 has a bar for each of the thirteen data sets: that of one-vs-rest "
    "against all pairs has {left} bars, not {right}.",
)
def thirteen_bars() -> Found:
    for other in ("complete", "all-pairs"):
        yield equal(
            "bars = 13", len(bars_of("adaboost", "exp", "one-vs-rest", other)), 13, at=f"one-vs-rest against {other}"
        )
