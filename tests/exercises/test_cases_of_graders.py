"""What the graders ask, and what a right answer replies, as kept in ``cases.json``.

``python tests/exercises/test_cases_of_graders.py`` writes the file; a change to it is looked at like one to a claim's
record.  A right answer passes whatever is asked, so that nothing else would tell that a grader has begun to ask less.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mcbook.exercises import Part, exercises
from mcbook.exercises.feedback import SEED
from mcbook.exercises.source import IN_CODE
from mcbook.foundation.answers import Case
from mcbook.perceptron import run_perceptron

PLACE = Path(__file__).with_name("cases.json")
PARTS = [part for exercise in exercises().values() for part in exercise.parts if part.kind in IN_CODE]


def right_answer(part: Part) -> Any:
    scope: dict[str, Any] = {"np": np, "run_perceptron": run_perceptron}
    exec(part.answer, scope)
    return scope[part.variable]


def cases_with_replies(part: Part) -> Iterator[tuple[Case, Any]]:
    answer = right_answer(part)
    for case in part.helper(part.grader)(np.random.default_rng(SEED)):
        yield case, case.ask(answer, *copy.deepcopy(case.inputs))


def kept_of(part: Part) -> list[str]:
    """A line for each case: its name, the forms of inputs and reply, and a digest of both."""
    found = []
    for case, reply in cases_with_replies(part):
        both = "|".join(",".join(numbers(one)) for one in (case.inputs, reply))
        digest = hashlib.sha256(both.encode()).hexdigest()[:12]
        found.append(f"{case.description}: {form(case.inputs)} -> {form(reply)}, {digest}")
    return found


def form(value: Any) -> str:
    """Its shape or type; of a long list how many there are of each."""
    if isinstance(value, tuple | list):
        inner = [form(one) for one in value]
        if len(inner) > 5:
            inner = sorted(f"{inner.count(one)} x {one}" for one in set(inner))
        return f"[{', '.join(inner)}]"
    return str(np.shape(value)) if isinstance(value, np.ndarray) else type(value).__name__


def numbers(value: Any) -> Iterator[str]:
    """The numbers in it to six digits, those half way between two always up: whatever a processor makes of the last."""
    if isinstance(value, set):
        yield from numbers(sorted(value))
    elif isinstance(value, tuple | list | np.ndarray):
        for one in value:
            yield from numbers(one)
    elif isinstance(value, float):
        yield f"{value * (1 + 1e-7):.6g}" if abs(value) > 1e-6 else "0"
    else:
        yield str(value)


@pytest.mark.parametrize("chapter", sorted({part.chapter for part in PARTS}))
def test_graders_ask_what_is_kept(chapter: str) -> None:
    kept = json.loads(PLACE.read_text(encoding="utf-8"))
    assert list(kept) == [part.id for part in PARTS]
    for part in PARTS:
        if part.chapter == chapter:
            assert kept_of(part) == kept[part.id], f"run {Path(__file__).name} anew"


def main() -> None:
    kept = {part.id: kept_of(part) for part in PARTS}
    PLACE.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
