"""Mutants that change nothing which anybody could notice, listed with the reason in equivalent_mutants/.

An entry names the module and any of the function, the text of the line and the change, never a line number; what it
does not name may be anything.  One that no longer stands in the package is an error, and so is one without a reason.
A whole function or line is listed only where it decides how soon a result is found and never which.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from tools.mutation.operators import Mutant, mutants

KEYS = ("path", "function", "line", "change")
# A module's path and a place among its changes.
Place = tuple[str, int]


def place_of(mutant: Mutant) -> Place:
    return mutant.path, mutant.serial


def read_equivalents(folder: Path, root: Path) -> set[Place]:
    """The changes listed, each of which must exist."""
    seen: set[tuple[str | None, ...]] = set()
    listed: set[Place] = set()
    for file in sorted(folder.glob("*.toml")):
        for entry in tomllib.loads(file.read_text(encoding="utf-8")).get("mutant", []):
            names = tuple(entry.get(key) for key in KEYS)
            known = {"path", "reason"} <= entry.keys() <= {*KEYS, "reason"} and ("line" in entry or "function" in entry)
            if not known or not entry["reason"].strip():
                raise ValueError(
                    f"{file.name}: expected path, function or line, at most a change, and a reason; got {entry}"
                )
            if names in seen:
                raise ValueError(f"{file.name}: this stands there twice: {names}")
            seen.add(names)
            module = root / entry["path"]
            source = module.read_text(encoding="utf-8") if module.exists() else ""
            found = {place_of(mutant) for mutant in mutants(source, entry["path"]) if is_meant(mutant, entry)}
            if not found:
                raise ValueError(
                    f"{file.name}: no such mutant exists any more, take it out or bring it up to date: {names}"
                )
            listed |= found
    return listed


def is_meant(mutant: Mutant, entry: dict[str, str]) -> bool:
    told = {"function": mutant.definition[1], "line": mutant.text, "change": f"{mutant.old} -> {mutant.new}"}
    return all(entry.get(key, value) == value for key, value in told.items())
