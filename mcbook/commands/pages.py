"""Saying what a chapter's page still lacks for its reader: exercises, an explorer, its budgets."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from mcbook.exercises.source import IN_CODE, LEVELS, exercises

LEAST_EXERCISES, LEAST_CODING, LEAST_WITHOUT_PYTHON = 10, 2, 3
CODING = ("function", "estimator")


def page_problems(name: str, root: Path) -> list[str]:
    """What the page of a chapter lacks, one sentence each; the budgets are those of the page as it was built last."""
    notebook = root / "book" / f"{name}.ipynb"
    if not notebook.is_file():
        return []
    found = list(exercise_problems(name))
    if "{explorer}" not in notebook.read_text(encoding="utf-8"):
        found.append(f"book/{name}.ipynb has no explorer: CONTRIBUTING.md, 'Pages'")
    return [*found, *_budget_problems(name, root)]


def exercise_problems(name: str) -> Iterator[str]:
    """What is missing of the exercises of a chapter."""
    own = [exercise for exercise in exercises().values() if exercise.chapter == name]
    kinds = [[part.kind for part in exercise.parts] for exercise in own]
    coding = sum(kind in CODING for parts in kinds for kind in parts)
    without_python = sum(not set(parts) & set(IN_CODE) for parts in kinds)
    wanted = (
        (len(own), LEAST_EXERCISES, "exercises that answer"),
        (coding, LEAST_CODING, "coding tasks (kind function or estimator)"),
        (without_python, LEAST_WITHOUT_PYTHON, "exercises without Python (kinds number, choice, ordering)"),
    )
    place = f"mcbook/claims/{name}/exercises.toml"
    for n, least, what in wanted:
        if n < least:
            yield f"{place} has {n} {what}, expected at least {least}"
    if missing := sorted(set(LEVELS) - {exercise.level for exercise in own}):
        yield f"{place} has no exercise of level {' and '.join(map(str, missing))}, expected all of {sorted(LEVELS)}"


def _budget_problems(name: str, root: Path) -> list[str]:
    if not (root / "_build" / "html" / "book" / f"{name}.html").is_file():
        return [
            f"the page is not built, so its budgets are not known: `make book`, then `python tools/budgets.py {name}`"
        ]
    command = [sys.executable, "tools/budgets.py", name]
    measured = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if measured.returncode == 0:
        return []
    lines = (measured.stdout or measured.stderr).strip().splitlines()
    # The first line has the figures of the page, each of the others one complaint.
    return [f"the page {line.strip()}" for line in lines[1:]] or lines
