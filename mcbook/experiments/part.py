"""One part of a cell: train the columns of the code once, decode in every way, and count."""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
import time
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mcbook.experiments.grid import SEED, Cell, Part, n_parts, training_rows
from mcbook.foundation.blas import limited_blas
from mcbook.foundation.types import Array, Booleans, Json, Labels
from mcbook.foundation.vocabulary import MARKED
from mcbook.losses.theory.catalogue import find_loss
from mcbook.output_codes import decode, minimal_distance
from mcbook.output_codes.algorithm.measures import code_margins

if TYPE_CHECKING:
    from mcbook.experiments.learners import Learner
    from mcbook.experiments.tables import Table

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")
_DIGITS = 6
_loading = Lock()


class Outcome(NamedTuple):
    """The result of a part, and how long it took."""

    found: Json
    seconds: float


def run_part(part: Part) -> Outcome:
    """Train on the part's training rows, and count errors on them and on the others.

    Everything is drawn from seeds, and products of matrices run in one thread: the outcome hangs on nothing but the
    part and the versions of the libraries.
    """
    cell = part.cell
    learner = learner_of(cell)
    table, M = table_of(cell.data), code_of(cell)
    training = training_rows(len(table.labels), table.test, part.fold)
    begun = time.process_time()
    with limited_blas(1):
        F, chosen = learner.fit_columns(table, training, M)
    seconds = time.process_time() - begun
    return Outcome({"chosen": chosen} | measure(F, M, table.labels, training, learner.decoders), seconds)


def depends_on(cell: Cell) -> Json:
    """What the run of a cell depends on: seeds, settings, versions, the data's checksums and the code."""
    M = code_of(cell)
    return {
        "seed": SEED,
        "folds": n_parts(cell),
        "settings": learner_of(cell).settings,
        "checksums": checksums_of(cell.data),
        "matrix": {
            "columns": M.shape[1],
            "rho": str(minimal_distance(M)),
            "sha256": hashlib.sha256(np.ascontiguousarray(M, dtype=np.int8).tobytes()).hexdigest()[:16],
        },
        "versions": versions(),
    }


def learner_of(cell: Cell) -> Learner:
    """The learner of a cell, imported when it is asked for: what runs no cell needs no library of learners."""
    from mcbook.experiments.variants import find_learner

    return find_learner(cell.learner)


def versions() -> dict[str, str]:
    return {"python": platform.python_version()} | {name: importlib.metadata.version(name) for name in _LIBRARIES}


def measure(F: Array, M: Array, y: Labels, training: Booleans, decoders: dict[str, str]) -> Json:
    """Errors and losses of outputs ``F (n_samples, n_columns)`` on the rows that trained and on the others.

    An error is a label that is not decoded, the first of several nearest classes being taken; "tied" are those wrong or
    tied, as the theorems count.  "asked" are pairs of an example and a column with a non-zero entry, "failed" those of
    them whose output is not on the label's side, and "columns" the quartiles of the columns' shares of failures.
    """
    found: Json = {}
    for name, rows in (("train", training), ("test", ~training)):
        G, labels = F[rows], y[rows]
        margins, asked = code_margins(G, M, labels), M[labels] != 0
        found[name] = {"n": len(labels), "wrong": {}, "tied": {}, "asked": int(asked.sum())}
        for decoder, loss in decoders.items():
            marked = decode(G, M, loss, ties="mark")
            found[name]["wrong"][decoder] = int((decode(G, M, loss) != labels).sum())
            found[name]["tied"][decoder] = int(((marked == MARKED) | (marked != labels)).sum())
        failed = asked & (margins <= 0)
        found[name]["failed"] = int(failed.sum())
        found[name]["columns"] = _quartiles(failed.sum(axis=0), asked.sum(axis=0))
        if name == "train":
            found[name]["loss"] = {
                decoder: _rounded(find_loss(loss)(margins).mean()) for decoder, loss in decoders.items()
            }
            found[name]["asked_loss"] = {
                decoder: _rounded(find_loss(loss)(margins[asked]).mean()) for decoder, loss in decoders.items()
            }
    return found


def _quartiles(failed: Array, asked: Array) -> list[float]:
    """Smallest, quartiles and largest of the shares; columns that nobody was asked have none."""
    shares = failed[asked > 0] / asked[asked > 0]
    return [_rounded(value) for value in np.quantile(shares, (0, 0.25, 0.5, 0.75, 1))]


def _rounded(value: float) -> float:
    return float(f"{float(value):.{_DIGITS}g}")


def table_of(name: str) -> Table:
    """The data set, read once in a process, however many threads ask for it."""
    with _loading:
        return _table(name)


@lru_cache(maxsize=2)
def _table(name: str) -> Table:
    from mcbook.experiments.data import load
    from mcbook.experiments.tiny import NAME, tiny_table

    return tiny_table() if name == NAME else load(name)


def code_of(cell: Cell) -> Array:
    with _loading:
        return _code(cell.data, cell.code)


@lru_cache(maxsize=64)
def _code(data: str, code: str) -> Array:
    from mcbook.experiments.codes import code_matrix

    return code_matrix(code, len(_table(data).classes))


def checksums_of(name: str) -> dict[str, str]:
    from mcbook.experiments.sources import DATASETS

    return {source.path: source.sha256[:16] for source in DATASETS[name].files} if name in DATASETS else {}
