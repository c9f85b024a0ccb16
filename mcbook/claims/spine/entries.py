"""The entries of the ledger: every result of the sources as data, from the ``ledger.toml`` of each chapter."""

from __future__ import annotations

import functools
import importlib.resources
import tomllib
from dataclasses import dataclass
from typing import Any

from mcbook.foundation.proof import Tier

NATURES = {
    "thm": "theorem",
    "lem": "lemma",
    "prp": "proposition",
    "cor": "corollary",
    "def": "definition",
    "alg": "algorithm",
    # What experiments show.
    "obs": "observation",
}
BOUNDS = ("upper bound", "lower bound", "growth rate")
KINDS = ("identity", "equivalence", "existence", *BOUNDS)


@dataclass(frozen=True)
class Entry:
    """One result of the sources."""

    id: str
    label: str
    title: str
    says: str
    kind: str
    tier: Tier
    tier_from: str
    source: tuple[str, ...]
    where: str
    errata: tuple[str, ...]
    chapter: str

    @property
    def nature(self) -> str:
        """What kind of statement the book makes of it, by the prefix of its label."""
        return NATURES[self.label.split("-")[0]]

    @property
    def owed(self) -> tuple[str, ...]:
        """The parts that its claim has to have.

        An identity or an existence has no slack whose smallest value could be shown; the proof of a bound that is a
        theorem is run line by line.  What follows here from kind and label is recorded with the evidence.
        """
        bound = self.kind in BOUNDS
        parts = {"check": True, "extremal instance": bound, "control": True}
        parts["trace of its proof"] = bound and self.nature == "theorem"
        return tuple(part for part, owed in parts.items() if owed)


@functools.cache
def ledger() -> dict[str, Entry]:
    """All entries by id, chapter by chapter."""
    folders = sorted(importlib.resources.files("mcbook.claims").iterdir(), key=lambda folder: folder.name)
    entries: dict[str, Entry] = {}
    for folder in folders:
        file, chapter = folder / "ledger.toml", folder.name
        if not file.is_file():
            continue
        for raw in tomllib.loads(file.read_text(encoding="utf-8"))["entry"]:
            entry = _entry(raw, chapter)
            if entry.id in entries or entry.label in {other.label for other in entries.values()}:
                raise ValueError(f"ledger of {chapter}: the id {entry.id} or the label {entry.label} is taken already")
            entries[entry.id] = entry
    return entries


def _entry(raw: dict[str, Any], chapter: str) -> Entry:
    expected = set(Entry.__annotations__) - {"chapter"}
    if set(raw) != expected:
        raise ValueError(f"ledger entry {raw.get('id')} of {chapter}: expected {sorted(expected)}, got {sorted(raw)}")
    if raw["kind"] not in KINDS:
        raise ValueError(f"ledger entry {raw['id']}: kind must be one of {', '.join(KINDS)}, got {raw['kind']!r}")
    if raw["label"].split("-")[0] not in NATURES:
        raise ValueError(
            f"ledger entry {raw['id']}: the label {raw['label']!r} must begin with one of {', '.join(NATURES)}"
        )
    source = raw["source"]
    fixed = {
        "tier": Tier.of(raw["tier"]),
        "source": (source,) if isinstance(source, str) else tuple(source),
        "errata": tuple(raw["errata"]),
        "chapter": chapter,
    }
    return Entry(**{**raw, **fixed})
