"""The grid of the output-code experiments: which cells there are, and in which parts a cell is run.

A cell is a data set, a learner and a code: one entry of a table with its three decoders.  It is run in parts, ten folds
or the one official test set, and a part is what a worker does at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from mcbook.experiments.tiny import N_CLASSES, N_FEATURES, N_SAMPLES, NAME
from mcbook.foundation.checks import require_one_of
from mcbook.foundation.types import Booleans
from mcbook.output_codes import standard_columns
from mcbook.replication import PAPER_CODES, data_sets
from mcbook.replication.algorithm.published import DataSize, sizes_in_use

TABLES = {
    "table2": ("adaboost",),
    "table3": ("svm",),
    "modern": ("trees", "logistic"),
    # What the source leaves open, settled otherwise: see `variants`.
    "sensitivity": (
        *("adaboost-10", "adaboost-100", "adaboost-10000", "adaboost-numbers"),
        *("svm-1", "svm-1000", "svm-numbers", "svm-deviation"),
        *("svm-unscaled", "svm-unscaled-1", "svm-unscaled-hard"),
        *("svm-numbers-unscaled", "svm-numbers-hard", "svm-numbers-next"),
    ),
}
N_FOLDS = 10
# The complete code of twelve classes has 2047 columns, of nineteen 262143: it is run up to eleven.
MOST_COLUMNS = 1100
SEED = 2000

SIZES = {**sizes_in_use(), NAME: DataSize(N_SAMPLES, None, N_FEATURES, N_CLASSES)}


class Cell(NamedTuple):
    """One entry of a table: a learner on a data set with a code."""

    learner: str
    data: str
    code: str

    def __str__(self) -> str:
        return f"{self.learner}, {self.data}, {self.code}"


class Part(NamedTuple):
    """What is run at a time: a cell on one fold, or on the official test set, where the fold is 0 of 1."""

    cell: Cell
    fold: int


def cells_of(table: str, datasets: Iterable[str] = (), codes: Iterable[str] = ()) -> list[Cell]:
    """The cells of a table that can be run, of all data sets but the tiny one unless some are named."""
    learners = TABLES[require_one_of(table, list(TABLES), "table")]
    chosen = [require_one_of(name, list(SIZES), "--datasets") for name in datasets] or list(data_sets())
    kinds = [require_one_of(code, list(PAPER_CODES), "--codes") for code in codes] or list(PAPER_CODES)
    every = [Cell(learner, data, code) for learner in learners for data in chosen for code in kinds]
    return [cell for cell in every if is_feasible(cell)]


def is_feasible(cell: Cell) -> bool:
    """Whether the code of the cell has few enough columns to be run."""
    return cell.code != "complete" or standard_columns("complete", SIZES[cell.data].classes) <= MOST_COLUMNS


def n_parts(cell: Cell) -> int:
    return 1 if SIZES[cell.data].test else N_FOLDS


def parts_of(cells: Iterable[Cell]) -> Iterator[Part]:
    for cell in cells:
        for fold in range(n_parts(cell)):
            yield Part(cell, fold)


def training_rows(n_samples: int, test: Booleans | None, fold: int) -> Booleans:
    """Which rows train; the others are tested on.

    Without an official test set: ten folds of floor(n / 10) rows each, of a permutation that hangs on nothing but n;
    the up to nine rows that are left over always train.  The published numbers are multiples of one over ten times
    floor(n / 10) (erratum E40).
    """
    training = np.ones(n_samples, dtype=bool)
    if test is not None:
        training[test] = False
        return training
    size = n_samples // N_FOLDS
    order = np.random.default_rng(SEED).permutation(n_samples)
    training[order[fold * size : (fold + 1) * size]] = False
    return training
