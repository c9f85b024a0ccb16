"""The published tables, and where the records of our runs are.

The numbers are those of Tables 1 to 3 of Allwein, Schapire and Singer (2000), Journal of Machine Learning Research 1.
"""

from __future__ import annotations

import csv
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import NamedTuple

RECORDS_PLACE = "results/replication"
_FOLDER = Path(__file__).parents[1] / "published"

# The codes by the names that the package has for them, in the order of the tables.
PAPER_CODES = {
    "one-vs-rest": "one-vs-all",
    "complete": "complete",
    "all-pairs": "all-pairs",
    "dense": "dense",
    "sparse": "sparse",
}
# The decoders of a learner: what the tables call them, and the loss.
PAPER_DECODERS = {
    "adaboost": {"hamming": "hamming", "L_y": "sigmoid", "exp": "exponential"},
    "svm": {"hamming": "hamming", "loss-based": "hinge"},
}
# What is decoded with where one loss is compared with Hamming decoding.
LOSS_BASED = {"adaboost": "exp", "svm": "loss-based"}


class DataSize(NamedTuple):
    """A row of Table 1: examples to train and, where there is an official set of them, to test; attributes, classes.

    >>> data_sets()["glass"]
    DataSize(train=214, test=None, attributes=9, classes=7)
    """

    train: int
    test: int | None
    attributes: int
    classes: int


class TableEntry(NamedTuple):
    """Where a published number stands.

    >>> published_errors()[TableEntry("svm", "glass", "dense", "hamming")]
    Fraction(174, 5)
    """

    learner: str
    data: str
    code: str
    decoder: str


def _rows(table: int) -> list[dict[str, str]]:
    with (_FOLDER / f"table{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def data_sets() -> dict[str, DataSize]:
    """Table 1 as it is printed."""
    return {
        row["problem"]: DataSize(
            int(row["train"]), int(row["test"]) if row["test"] else None, int(row["attributes"]), int(row["classes"])
        )
        for row in _rows(1)
    }


@cache
def published_errors() -> dict[TableEntry, Fraction]:
    """The errors of Tables 2 and 3 in per cent, exactly as they are printed."""
    names = {printed: code for code, printed in PAPER_CODES.items()}
    return {
        TableEntry(learner, row["problem"], names[row["code"]], row["decoding"]): Fraction(row["error"])
        for table, learner in ((2, "adaboost"), (3, "svm"))
        for row in _rows(table)
        if row["error"]
    }


@cache
def sizes_in_use() -> dict[str, DataSize]:
    """Table 1 with the 26 test examples of audiology, which it does not list; its percentages tell (erratum E40)."""
    return data_sets() | {"audiology": data_sets()["audiology"]._replace(train=200, test=26)}


def examples_tested(data: str) -> int:
    """How many test examples a published number of this data set counts.

    >>> examples_tested("glass"), examples_tested("audiology"), examples_tested("vowel")
    (210, 26, 462)
    """
    size = sizes_in_use()[data]
    # Without an official test set there are ten equal folds, and what is left over is not tested.
    return size.test or 10 * (size.train // 10)


def one_vs_rest_columns() -> dict[str, tuple[Fraction, Fraction]]:
    """The two columns of Table 2 that must agree: one-vs-rest, decoded with the sigmoid and the exponential loss.

    >>> columns = one_vs_rest_columns()
    >>> [data for data, (sigmoid, exponential) in columns.items() if sigmoid != exponential]
    ['ecoli']
    """
    table = published_errors()
    return {
        data: (
            table[TableEntry("adaboost", data, "one-vs-rest", "L_y")],
            table[TableEntry("adaboost", data, "one-vs-rest", "exp")],
        )
        for data in data_sets()
    }


def text_numbers() -> dict[TableEntry, Fraction]:
    """Numbers that the text of section 6 gives, by the entries of the tables that they stand for.

    >>> table = published_errors()
    >>> [f"{entry.data}, {entry.code}" for entry, value in text_numbers().items() if table[entry] != value]
    ['satimage, all-pairs', 'yeast, one-vs-rest', 'yeast, sparse', 'yeast, dense']
    """
    return {
        TableEntry("svm", "satimage", "all-pairs", "loss-based"): Fraction("27.5"),
        TableEntry("svm", "satimage", "all-pairs", "hamming"): Fraction("50.4"),
        TableEntry("svm", "yeast", "one-vs-rest", "loss-based"): Fraction(72),
        TableEntry("svm", "yeast", "sparse", "loss-based"): Fraction("47.1"),
        TableEntry("svm", "yeast", "dense", "loss-based"): Fraction("39.6"),
    }
