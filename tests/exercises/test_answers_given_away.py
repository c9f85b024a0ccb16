"""No page gives the answer to one of its exercises away: an answer in an example is a wrong one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import mcbook
from mcbook import check
from mcbook.exercises import exercises
from tools import editions, notebooks

BOOK = Path(__file__).resolve().parents[2] / "book"
IDS = {part.id for exercise in exercises().values() for part in exercise.parts}
CALL = re.compile(r"""check\(\s*["']([\w-]+)["']\s*,\s*""")


def examples(source: str) -> Iterator[tuple[str, str]]:
    """Each call of ``check`` with an id and the source of its answer."""
    for match in CALL.finditer(source):
        depth, end = 1, match.end()
        while depth and end < len(source):
            depth += (source[end] in "([{") - (source[end] in ")]}")
            end += 1
        yield match[1], source[match.end() : end - 1]


def is_right(name: str, expression: str) -> bool:
    """Whether the marker accepts it; of what only its own cell can evaluate the printed mark speaks."""
    try:
        answer = eval(expression, {"np": np, "Fraction": Fraction, "mcbook": mcbook})
    except (NameError, SyntaxError):
        return False
    return check(name, answer).right


def given_away(cells: list[Any]) -> list[str]:
    """The ids whose right answer a call has, and those that an output calls right."""
    called = [call for cell in cells for call in examples(cell.source)]
    printed = json.dumps([cell.get("outputs", []) for cell in cells], ensure_ascii=False)
    said = {name for name in re.findall(r"([\w-]+): right\.", printed) if name in IDS}
    return sorted(said | {name for name, expression in called if name in IDS and is_right(name, expression)})


def test_no_answer_is_printed_beside_its_exercise() -> None:
    """Where one is found, show a wrong answer, so that its reason is seen."""
    found = {
        path.stem: given_away(editions.without_solutions(editions.split_at_solutions(notebooks.read(path).cells)))
        for path in sorted(BOOK.glob("*.ipynb"))
    }
    assert {name: ids for name, ids in found.items() if ids} == {}


def test_an_answer_is_found_in_prose_in_code_and_in_outputs() -> None:
    prose = editions.markdown_cell("a", 'for example `check("winnow-doubling-bound", 45)`, or `check("x", y)`')
    code = editions.code_cell("b", 'a = 3\ncheck("errors-by-hand-loss", Fraction(3, 16))', {})
    wrong = editions.code_cell("c", 'check("winnow-doubling-bound", 44)\ncheck("losses-clip-height", (1))', {})
    known = editions.code_cell("d", 'check("problem-coin-tie", value)', {})
    known["outputs"] = [{"output_type": "execute_result", "data": {"text/plain": ["problem-coin-tie: right. "]}}]
    assert given_away([wrong]) == []
    assert given_away([code, prose]) == ["errors-by-hand-loss", "winnow-doubling-bound"]
    assert given_away([known]) == ["problem-coin-tie"]
