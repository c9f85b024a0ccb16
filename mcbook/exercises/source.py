"""The exercises that answer, as data: ``mcbook/claims/CHAPTER/exercises.toml``, the source of check, page and edition.

An exercise belongs to the ``{exercise}`` block with its label and asks one or more parts.  Each part has an id, its
kind, a prompt, the right answer, and typical wrong ones with the reason against each.  Parts in code name a grader in
``mcbook/claims/CHAPTER/graders.py``, which asks the answer on seeded instances.
"""

from __future__ import annotations

import ast
import difflib
import functools
import importlib
import importlib.resources
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

IN_CODE = ("array", "function", "estimator")
KINDS = ("number", "choice", "ordering", *IN_CODE)
LEVELS = {1: "easy", 2: "medium", 3: "hard"}


@dataclass(frozen=True)
class Wrong:
    """A typical wrong answer and the reason against it; in code, the reason is what the checker must say."""

    answer: str
    why: str


@dataclass(frozen=True)
class Part:
    """One question of an exercise; ``unrounded`` is what a whole number was before it was rounded up or down."""

    id: str
    kind: str
    prompt: str
    answer: str
    wrong: tuple[Wrong, ...]
    items: tuple[str, ...]
    tolerance: float
    value: str
    grader: str
    stub: str
    chapter: str
    unrounded: str = ""

    @property
    def variable(self) -> str:
        """What a notebook calls the answer."""
        return self.id.replace("-", "_")

    @property
    def number(self) -> Fraction:
        return Fraction(self.answer)

    @property
    def order(self) -> tuple[int, ...]:
        """The places of the items in the right order."""
        return tuple(map(int, self.answer.split()))

    def helper(self, name: str) -> Callable[..., Any]:
        """A function of the chapter's graders."""
        function: Callable[..., Any] = getattr(importlib.import_module(f"mcbook.claims.{self.chapter}.graders"), name)
        return function


@dataclass(frozen=True)
class Exercise:
    """The data of one ``{exercise}`` block."""

    label: str
    level: int
    hint: str
    parts: tuple[Part, ...]
    chapter: str


@functools.cache
def exercises() -> dict[str, Exercise]:
    """All exercises by the label of their block."""
    found: dict[str, Exercise] = {}
    ids: set[str] = set()
    for folder in sorted(importlib.resources.files("mcbook.claims").iterdir(), key=lambda folder: folder.name):
        file = folder / "exercises.toml"
        if not file.is_file():
            continue
        for raw in tomllib.loads(file.read_text(encoding="utf-8"))["exercise"]:
            exercise = _exercise(raw, folder.name)
            taken = ids & {part.id for part in exercise.parts}
            if taken or exercise.label in found:
                raise ValueError(f"exercises of {folder.name}: {exercise.label} or {sorted(taken)} is taken already")
            found[exercise.label] = exercise
            ids |= {part.id for part in exercise.parts}
    return found


def find_part(part_id: str) -> Part:
    """The part that ``check`` is asked about."""
    parts = {part.id: part for exercise in exercises().values() for part in exercise.parts}
    if part_id not in parts:
        near = difflib.get_close_matches(str(part_id).lower(), parts, n=3)
        raise KeyError(
            "expected the id of a question, which stands below it on the page, or the label of an exercise, "
            f"for the ids of its questions; got {part_id!r}" + (f": is it {' or '.join(near)}?" if near else "")
        )
    return parts[part_id]


def _exercise(raw: dict[str, Any], chapter: str) -> Exercise:
    label = raw.get("label", "")
    _expect(raw, {"label", "level", "hint", "part"}, set(), f"{chapter}: exercise {label!r}")
    if not label.startswith("ex-") or raw["level"] not in LEVELS or not raw["hint"].strip():
        raise ValueError(f"{chapter}: exercise {label!r} needs a label ex-..., a level from 1 to 3 and a hint")
    parts = tuple(_part(each, label, chapter) for each in raw["part"])
    return Exercise(label, raw["level"], raw["hint"], parts, chapter)


def _part(raw: dict[str, Any], label: str, chapter: str) -> Part:
    where = f"{chapter}: part {raw.get('id')!r} of {label}"
    allowed = {"items", "tolerance", "unrounded", "value", "grader", "stub"}
    _expect(raw, {"id", "kind", "prompt", "answer", "wrong"}, allowed, where)
    if raw["kind"] not in KINDS:
        raise ValueError(f"{where}: kind must be one of {', '.join(KINDS)}, got {raw['kind']!r}")
    if not raw["id"].startswith(label.removeprefix("ex-")):
        raise ValueError(f"{where}: the id must begin with {label.removeprefix('ex-')!r}")
    if len(raw["wrong"]) < 3:
        raise ValueError(f"{where}: expected at least three typical wrong answers, got {len(raw['wrong'])}")
    part = Part(
        id=raw["id"],
        kind=raw["kind"],
        prompt=raw["prompt"],
        answer=raw["answer"],
        wrong=tuple(Wrong(each["answer"], each["why"]) for each in raw["wrong"]),
        items=tuple(raw.get("items", ())),
        tolerance=raw.get("tolerance", 0.0),
        unrounded=raw.get("unrounded", ""),
        value=raw.get("value", ""),
        grader=raw.get("grader", ""),
        stub=raw.get("stub", ""),
        chapter=chapter,
    )
    _check_kind(part, where)
    return part


def _check_kind(part: Part, where: str) -> None:
    if part.kind in IN_CODE:
        if not (part.grader and part.stub):
            raise ValueError(f"{where}: a part in code needs a grader and a stub")
        for code in (part.answer, part.stub):
            if part.variable not in _assigned(code):
                raise ValueError(f"{where}: answer and stub must define {part.variable}")
    elif part.grader or part.stub:
        raise ValueError(f"{where}: only parts in code have a grader and a stub")
    elif part.kind == "number":
        if part.unrounded and abs(Fraction(part.unrounded) - part.number) >= 1:
            raise ValueError(f"{where}: expected an unrounded number less than 1 from the answer, got {part.unrounded}")
    elif part.kind == "ordering" and sorted(part.order) != list(range(len(part.items))):
        raise ValueError(f"{where}: answer must name the places 0 .. {len(part.items) - 1} of the items in their order")


def _assigned(code: str) -> set[str]:
    names = set()
    for node in ast.parse(code).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


def _expect(raw: dict[str, Any], needed: set[str], allowed: set[str], where: str) -> None:
    if not needed <= set(raw) <= needed | allowed:
        raise ValueError(f"{where}: expected {sorted(needed)} and maybe {sorted(allowed)}, got {sorted(raw)}")
