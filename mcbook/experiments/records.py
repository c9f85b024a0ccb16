"""Records of finished parts: small files that appear whole or not at all.

``results/replication/LEARNER/DATA/CODE.json`` has what the run of a cell depends on, and a line for each finished part.
It holds nothing that differs from machine to machine or from run to run: how long a part took stands beside it, in
``results/replication/seconds/LEARNER/DATA/CODE.json``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from mcbook.experiments.grid import Cell, Part, n_parts
from mcbook.foundation.pages import checkout
from mcbook.foundation.types import Json
from mcbook.replication import RECORDS_PLACE


class Records:
    """The records below a folder, by default that of the checkout."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else checkout() / RECORDS_PLACE

    def path(self, cell: Cell) -> Path:
        return self.folder / cell.learner / cell.data / f"{cell.code}.json"

    def seconds_path(self, cell: Cell) -> Path:
        return self.folder / "seconds" / cell.learner / cell.data / f"{cell.code}.json"

    def finished(self, cell: Cell, given: Json) -> set[int]:
        """The folds of a cell that need no run: those recorded with the same seeds, settings and data.

        A record that is not complete has to be of the same versions, too: none mixes two.
        """
        kept, given = _read(self.path(cell)), _as_read(given)
        parts = {part["fold"] for part in kept.get("parts", ())}
        differ = {key for key in given if kept.get(key) != given[key]}
        return parts if not differ or (differ == {"versions"} and len(parts) == n_parts(cell)) else set()

    def add(self, part: Part, given: Json, found: Json, seconds: float) -> None:
        """Put what a part found beside the other parts of its cell."""
        path, beside = self.path(part.cell), self.seconds_path(part.cell)
        old = _read(path) if self.finished(part.cell, given) else {}
        same = old.get("versions") == given["versions"]
        parts = {one["fold"]: one for one in old.get("parts", ())} if same else {}
        times = {fold: time for fold, time in _times(beside).items() if int(fold) in parts}
        parts[part.fold] = {"fold": part.fold} | found
        times[str(part.fold)] = float(f"{seconds:.3g}")
        _write(beside, json.dumps(dict(sorted(times.items(), key=lambda item: int(item[0])))) + "\n")
        _write(path, as_text(part.cell._asdict() | given, [parts[fold] for fold in sorted(parts)]))

    def seconds(self) -> dict[Cell, list[float]]:
        """How long the parts of the recorded cells took."""
        found = sorted((self.folder / "seconds").glob("*/*/*.json"))
        return {Cell(*path.with_suffix("").parts[-3:]): list(_times(path).values()) for path in found}


def as_text(given: Json, parts: list[Json]) -> str:
    """The record as JSON: a line for each thing that it depends on, and a line for each part."""
    head = [f" {json.dumps(key)}: {_compact(value)}" for key, value in given.items()]
    lines = ",\n".join("  " + _compact(part) for part in parts)
    return "{\n" + ",\n".join([*head, f' "parts": [\n{lines}\n ]']) + "\n}\n"


def _as_read(value: Json) -> Json:
    """What a record gives back of it: lists for tuples."""
    return dict(json.loads(json.dumps(value)))


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


def _read(path: Path) -> Json:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ValueError(
            f"expected {path} to be a record, but it does not read as JSON ({error}): delete it, and its parts are run "
            "again"
        ) from error


def _times(path: Path) -> dict[str, float]:
    """The seconds by fold; they decide nothing, so a file of them that was spoilt is begun anew."""
    try:
        return _read(path)
    except ValueError:
        return {}


def _write(path: Path, text: str) -> None:
    """The whole text or nothing: it is written beside and renamed, by a name of this process alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
