"""Records of finished parts: a file of JSON lines for each learner, which is whole at every moment.

A line of ``results/replication/LEARNER.jsonl`` has what the run of a cell depends on, and what each finished part
found.  It holds nothing that differs from machine to machine or from run to run: how long the parts took stands beside
it, in ``results/replication/seconds/LEARNER.jsonl``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mcbook.experiments.grid import Cell, Part, n_parts
from mcbook.foundation.pages import checkout
from mcbook.foundation.types import Json
from mcbook.replication.algorithm.published import RECORDS_PLACE

Lines = dict[Cell, Json]


class Records:
    """The records below a folder, by default that of the checkout."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else checkout() / RECORDS_PLACE

    def path(self, learner: str) -> Path:
        return self.folder / f"{learner}.jsonl"

    def seconds_path(self, learner: str) -> Path:
        return self.folder / "seconds" / f"{learner}.jsonl"

    def finished(self, cell: Cell, given: Json) -> set[int]:
        """The folds of a cell that need no run: those recorded with the same seeds, settings and data.

        A record that is not complete has to be of the same versions, too: none mixes two.
        """
        return _finished(_read(self.path(cell.learner)).get(cell, {}), cell, given)

    def add(self, part: Part, given: Json, found: Json, seconds: float) -> None:
        """Put what a part found beside the other parts of its cell."""
        cell, path, beside = part.cell, self.path(part.cell.learner), self.seconds_path(part.cell.learner)
        with _alone(path):
            records, times = _read(path), _times(beside)
            old = records.get(cell, {})
            same = bool(_finished(old, cell, given)) and old.get("versions") == given["versions"]
            parts = {one["fold"]: one for one in old["parts"]} if same else {}
            kept = times.get(cell, {}).get("seconds", {})
            took = {int(fold): time for fold, time in kept.items() if int(fold) in parts}
            parts[part.fold] = {"fold": part.fold} | found
            took[part.fold] = float(f"{seconds:.3g}")
            times[cell] = {"seconds": {str(fold): took[fold] for fold in sorted(took)}}
            records[cell] = given | {"parts": [parts[fold] for fold in sorted(parts)]}
            _write(beside, times)
            _write(path, records)

    def seconds(self) -> dict[Cell, list[float]]:
        """How long the parts of the recorded cells took."""
        files = sorted((self.folder / "seconds").glob("*.jsonl"))
        return {cell: list(line["seconds"].values()) for path in files for cell, line in _times(path).items()}


def _finished(kept: Json, cell: Cell, given: Json) -> set[int]:
    given = dict(json.loads(json.dumps(given)))  # what a record gives back of it: lists for tuples
    parts = {part["fold"] for part in kept.get("parts", ())}
    differ = {key for key in given if kept.get(key) != given[key]}
    return parts if not differ or (differ == {"versions"} and len(parts) == n_parts(cell)) else set()


def _read(path: Path) -> Lines:
    """The lines of a file by their cells."""
    if not path.is_file():
        return {}
    found: Lines = {}
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            line = json.loads(text)
            found[Cell(line.pop("learner"), line.pop("data"), line.pop("code"))] = line
        except (ValueError, KeyError, AttributeError) as error:
            raise ValueError(
                f"expected line {number} of {path} to be the record of a cell, but it does not read as one ({error}): "
                "delete the line, and its parts are run again"
            ) from error
    return found


def _times(path: Path) -> Lines:
    """The seconds by cell; they decide nothing, so a file of them that was spoilt is begun anew."""
    try:
        return _read(path)
    except ValueError:
        return {}


def _write(path: Path, lines: Lines) -> None:
    """The whole text or nothing: it is written beside and renamed, by a name of this process alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ordered = (cell._asdict() | lines[cell] for cell in sorted(lines))
    text = "".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in ordered)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """While another run adds to the same file this one waits; the system frees the lock of a run that was ended."""
    try:
        import fcntl
    except ImportError:  # Windows: two runs into one folder are then not safe
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path.with_suffix(".lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
