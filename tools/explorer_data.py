"""Compute what explorers cannot compute in a browser, and write it as modules below book/explorers/data.

    python tools/explorer_data.py

svm-c.js: the multi-class SVM on one sample for a grid of C, each solution with its flows.  The flows are rounded,
and what they prove is checked by the tests: their duality gap, not their digits.

replication.js: the published errors of the output-code experiments, and those of the records of our runs.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from mcbook.binary_svm import blobs
from mcbook.replication import data_sets, errors_of, published_errors, read_runs
from mcbook.replication.algorithm.published import TableEntry
from mcbook.svm_solvers import solve_multiclass

FOLDER = Path(__file__).resolve().parents[1] / "book" / "explorers" / "data"
N_CLASSES = 3
# Of the flows as shares of C: what rounding takes from the duality gap is then far below what the solver leaves.
DIGITS = 13
GRID = np.round(np.geomspace(0.001, 100, 41), 12)


def sample() -> tuple[Any, Any]:
    """Three overlapping clouds, on a grid of tenths, with the constant feature that makes a bias."""
    X, y = blobs(np.random.default_rng(3), N_CLASSES, 24, spread=0.75)
    return np.c_[np.round(X, 1), np.ones(len(X))], y


def flows(X: Any, y: Any, C: float) -> Any:
    """The flows of the SVM, rounded so that each example still hands on what it draws."""
    found = solve_multiclass(X, y, N_CLASSES, C, tol=1e-10)
    drawn = np.round(np.minimum(found.alpha / C, 0), DIGITS)
    drawn[np.arange(len(y)), y] = 0
    drawn[np.arange(len(y)), y] = -drawn.sum(axis=1)
    return np.round(drawn, DIGITS)


def svm_c() -> str:
    X, y = sample()
    solutions = [{"C": float(C), "shares": flows(X, y, float(C)).tolist()} for C in GRID]
    data = {"X": X.tolist(), "y": y.tolist(), "solutions": solutions}
    return (
        "// Written by tools/explorer_data.py: a sample, and for each C its flows as shares of C.\n"
        f"export const SVMs = {json.dumps(data, separators=(',', ':'))};\n"
    )


def nested(errors: dict[TableEntry, Any]) -> dict[str, Any]:
    """Errors in per cent by learner, data set, code and decoder."""
    found: dict[str, Any] = {}
    for entry, error in errors.items():
        of_code = found.setdefault(entry.learner, {}).setdefault(entry.data, {}).setdefault(entry.code, {})
        of_code[entry.decoder] = round(float(error), 9)
    return found


def replication() -> str:
    ours = {
        entry: error for entry, error in errors_of(read_runs().values()).items() if entry.learner in ("adaboost", "svm")
    }
    parts = {"sets": list(data_sets()), "published": nested(published_errors()), "test": nested(ours)}
    lines = [f"export const {name} = {json.dumps(value, separators=(',', ':'))};" for name, value in parts.items()]
    head = (
        "// Written by tools/explorer_data.py: test errors in per cent, as they were published and as in our records."
    )
    return "\n".join([head, *lines]) + "\n"


WRITTEN = {"svm-c.js": svm_c, "replication.js": replication}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, write in WRITTEN.items():
        target = FOLDER / name
        target.write_text(write(), encoding="utf-8")
        print(f"wrote {target.name}: {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
