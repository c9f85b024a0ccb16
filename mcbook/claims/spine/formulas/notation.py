"""The notation as data: what the book's page of symbols shows, and what its formulas mean by them.

``book/notation.toml`` has a ``row`` for every line of the page.  Its ``reads`` say how formulas write the symbol:
``tex`` (letters in ``slots`` stand for indices), what kind of number it is, the extents (``shape``) of an array, the
formula that it abbreviates (``means``, with ``of`` the variables of a function), and which parameter of the code takes
it.  ``only`` names the chapters or statements in which the reading holds; the most special one goes first.  What one
statement alone uses stands in its claim.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from mcbook.claims.spine.formulas.syntax import Match
from mcbook.claims.spine.formulas.tokens import TexError, tokens_of

FILE = "notation.toml"
KINDS = {
    "count": "1, 2, 3, …",
    "count from 2": "2, 3, …",
    "count from 3": "3, 4, …",
    "real": "any number",
    "positive": "above 0",
    "nonnegative": "at least 0",
    "share": "from 0 to 1",
    "probability": "between 0 and 1",
    "sign": "-1 or +1",
    "code entry": "-1, 0 or +1",
    "label": "1 … k",
    "distribution": "shares that sum to 1",
    "symmetric": "a symmetric matrix",
    "loss": "any margin loss",
    "catalogued loss": "a loss of the catalogue",
}


@dataclass(frozen=True)
class Reading:
    """One way in which formulas write a symbol."""

    tex: str
    kind: str = ""
    shape: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    part_of: str = ""
    means: str = ""
    of: tuple[str, ...] = ()
    arguments: Mapping[str, str] = field(default_factory=dict)
    only: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS and not (self.part_of or self.means):
            raise ValueError(f"{self.tex} needs a kind ({', '.join(KINDS)}), part_of or means; got {self.kind!r}")

    @property
    def name(self) -> str:
        """What has the value: the symbol itself, or the array of which it is a part."""
        return self.part_of or self.tex

    @cached_property
    def pattern(self) -> tuple[str, ...]:
        return tokens_of(self.tex)

    def match(self, tokens: Sequence[str], start: int) -> Match | None:
        """The symbol at this place, with what stands in its slots, in the order in which the slots are listed."""
        found: dict[str, tuple[str, ...]] = {}
        place = start
        for expected in self.pattern:
            end = place + 1
            if expected in self.slots:
                end = _index_end(tokens, place)
                found[expected] = tuple(tokens[place:end])
            elif place >= len(tokens) or tokens[place] != expected:
                return None
            if end == place:
                return None
            place = end
        is_function = bool(self.of) or self.kind in ("loss", "catalogued loss")
        if is_function and tokens[place : place + 1] != ("(",):
            return None
        return Match(self.name, tuple(found[slot] for slot in self.slots), place, is_function)


def _index_end(tokens: Sequence[str], place: int) -> int:
    """Where the index ends that begins here: a letter, a number or a dot for all, perhaps with an index of its own."""
    if place >= len(tokens) or not (tokens[place].isalnum() or tokens[place] == r"\cdot"):
        return place
    end = place + 1
    if tokens[end : end + 2] == ("_", "{"):
        end = tokens.index("}", end) + 1
    return end


@dataclass(frozen=True)
class Row:
    """One line of the page: symbol, meaning and name in the code, as MyST writes them."""

    section: str
    symbol: str
    meaning: str
    code: str


@dataclass(frozen=True)
class Scope:
    """The readings that hold in one statement, the most special first."""

    readings: tuple[Reading, ...]

    def match(self, tokens: Sequence[str], start: int) -> Match | None:
        """The longest symbol at this place; among equally long ones, the most special."""
        tokens = tuple(tokens)
        found = [match for reading in self.readings if (match := reading.match(tokens, start))]
        return max(found, key=lambda match: match.end, default=None)

    def reading(self, name: str) -> Reading:
        """The reading of what has the value."""
        for reading in self.readings:
            if reading.tex == name and not reading.part_of:
                return reading
        raise TexError(f"the notation has no symbol {name}: add it to {FILE}")

    def names(self, tex: str) -> Reading | None:
        """The reading that is written just so: its argument is the whole of it, not one entry."""
        return next((reading for reading in self.readings if reading.tex == tex), None)

    def argument(self, parameter: str) -> str | None:
        """The formula for the parameter of a function."""
        for reading in self.readings:
            if parameter in reading.arguments:
                return reading.arguments[parameter]
        return None


@dataclass(frozen=True)
class Notation:
    """The rows of the page and all readings, in the order of the file."""

    rows: tuple[Row, ...]
    readings: tuple[Reading, ...]

    def scope(self, chapter: str, statement: str) -> Scope:
        def rank(reading: Reading) -> int:
            return 0 if statement in reading.only else 1 if reading.only else 2

        valid = (r for r in self.readings if not r.only or chapter in r.only or statement in r.only)
        return Scope(tuple(sorted(valid, key=rank)))


@functools.lru_cache(maxsize=8)
def read_notation(folder: Path, changed: int = 0) -> Notation:
    """The notation of the book whose notebooks are in the folder; ``changed`` tells states of the file apart."""
    path = folder / FILE
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    rows = tuple(Row(row["section"], row["symbol"], row["meaning"], row["code"]) for row in data["row"])
    raw = [reading for row in data["row"] for reading in row.get("reads", ())] + data.get("unlisted", [])
    return Notation(rows, tuple(_reading(path, entry) for entry in raw))


def _reading(path: Path, raw: dict[str, Any]) -> Reading:
    known = set(Reading.__annotations__)
    if not set(raw) <= known or "tex" not in raw:
        raise ValueError(f"{path}: a reading has {sorted(known)} and at least tex, got {raw}")
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()}
    return Reading(**values)
