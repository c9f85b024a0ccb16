"""Mutants that change nothing which anybody could notice, listed with the reason in equivalent_mutants.toml.

An entry is found by its file, the text of its line and the change, never by a line number; one that no longer stands in
the package is an error, and so is one without a reason.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from tools.mutation.operators import Mutant, mutants

Change = tuple[str, str, str]


def change_of(mutant: Mutant) -> Change:
    return mutant.path, mutant.text, f"{mutant.old} -> {mutant.new}"


def read_equivalents(file: Path, root: Path) -> set[Change]:
    """The changes listed, each of which must exist."""
    entries = tomllib.loads(file.read_text(encoding="utf-8")).get("mutant", [])
    existing: dict[str, set[Change]] = {}
    listed: set[Change] = set()
    for entry in entries:
        if set(entry) != {"path", "line", "change", "reason"} or not entry["reason"].strip():
            raise ValueError(f"{file.name}: expected path, line, change and a reason, got {entry}")
        change = (entry["path"], entry["line"], entry["change"])
        if change in listed:
            raise ValueError(f"{file.name}: this stands there twice: {change}")
        if entry["path"] not in existing:
            module = root / entry["path"]
            source = module.read_text(encoding="utf-8") if module.exists() else ""
            existing[entry["path"]] = {change_of(mutant) for mutant in mutants(source, entry["path"])}
        if change not in existing[entry["path"]]:
            raise ValueError(
                f"{file.name}: no such mutant exists any more, take it out or bring it up to date: {change}"
            )
        listed.add(change)
    return listed
