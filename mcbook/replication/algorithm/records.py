"""Reading the records of our runs: one `CellRun` for each cell of a table, its parts added up."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from mcbook.foundation.pages import results_folder
from mcbook.foundation.types import Json
from mcbook.replication.algorithm.published import PAPER_CODES, PAPER_DECODERS, RECORDS_PLACE, data_sets, sizes_in_use

_FOLDS = 10


@dataclass(frozen=True)
class CellRun:
    """What was counted in all parts of a cell.

    ``wrong`` and ``tied`` are errors on test examples by decoder, ties decided for the first class or counted as wrong;
    ``trained_tied`` are those on training examples, of all folds together, ``losses`` and ``asked_losses`` the average
    loss over all pairs of a training example and a column, and over those with a non-zero entry; ``binary`` is the
    share of test pairs whose output is not on the label's side, ``columns`` the quartiles of it over the columns.

    >>> run = read_runs()["svm", "glass", "dense"]
    >>> run.key, run.decoders, run.is_complete, run.n_parts
    (('svm', 'glass', 'dense'), ('hamming', 'loss-based'), True, 10)
    """

    learner: str
    data: str
    code: str
    n_columns: int
    rho: Fraction
    n_test: int
    wrong: dict[str, int]
    tied: dict[str, int]
    n_train: int
    trained_tied: dict[str, int]
    losses: dict[str, float]
    asked_losses: dict[str, float]
    binary: float
    columns: tuple[float, ...]
    n_parts: int
    settings: Json

    @property
    def key(self) -> tuple[str, str, str]:
        return self.learner, self.data, self.code

    @property
    def decoders(self) -> tuple[str, ...]:
        return tuple(self.wrong)

    @property
    def is_complete(self) -> bool:
        """Whether all folds were run, or the official test set."""
        size = sizes_in_use().get(self.data)
        return self.n_parts == (1 if size is not None and size.test else _FOLDS)

    def error(self, decoder: str) -> float:
        return self.wrong[decoder] / self.n_test


def read_runs(folder: Path | None = None) -> dict[tuple[str, str, str], CellRun]:
    """The complete cells below a folder of records, by learner, data set and code; a cell half run is left out.

    >>> run = read_runs()["svm", "glass", "dense"]
    >>> run.n_test, run.error("hamming") == run.wrong["hamming"] / 210
    (210, True)
    """
    folder = folder if folder is not None else results_folder().parent / RECORDS_PLACE
    order = {name: place for place, name in enumerate((*PAPER_DECODERS, *data_sets(), *PAPER_CODES))}
    runs = (_run(line) for path in sorted(folder.glob("*.jsonl")) for line in _lines(path))
    complete = [run for run in runs if run.is_complete and run.data in data_sets()]
    return {run.key: run for run in sorted(complete, key=lambda run: [order.get(name, 99) for name in run.key])}


def read_seconds(folder: Path | None = None) -> dict[tuple[str, str, str], list[float]]:
    """How long the parts of each cell took, by learner, data set and code.

    >>> len(read_seconds()["svm", "glass", "dense"])
    10
    """
    folder = (folder if folder is not None else results_folder().parent / RECORDS_PLACE) / "seconds"
    return {
        (line["learner"], line["data"], line["code"]): list(line["seconds"].values())
        for path in sorted(folder.glob("*.jsonl"))
        for line in _lines(path)
    }


def _lines(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _run(kept: Json) -> CellRun:
    parts = kept["parts"]
    train, test = ([part[name] for part in parts] for name in ("train", "test"))

    def added(rows: list[Json], what: str) -> dict[str, int]:
        return {decoder: sum(row[what][decoder] for row in rows) for decoder in rows[0][what]}

    def averaged(what: str, weight: str) -> dict[str, float]:
        total = sum(row[weight] for row in train)
        return {name: sum(row[what][name] * row[weight] for row in train) / total for name in train[0][what]}

    return CellRun(
        learner=kept["learner"],
        data=kept["data"],
        code=kept["code"],
        n_columns=kept["matrix"]["columns"],
        rho=Fraction(kept["matrix"]["rho"]),
        n_test=sum(row["n"] for row in test),
        wrong=added(test, "wrong"),
        tied=added(test, "tied"),
        n_train=sum(row["n"] for row in train),
        trained_tied=added(train, "tied"),
        losses=averaged("loss", "n"),
        asked_losses=averaged("asked_loss", "asked"),
        binary=sum(row["failed"] for row in test) / sum(row["asked"] for row in test),
        columns=tuple(sum(row["columns"][i] for row in test) / len(test) for i in range(5)),
        n_parts=len(parts),
        settings=kept["settings"],
    )
