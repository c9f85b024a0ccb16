"""What the checker says of a wrong program: the smallest instance on which it fails, and the mistake if it is known.

A typical wrong program of the data is recognised by what it does: if it replies like the reader's on every instance,
its reason is the reader's too.  Right replies come from the right answer of the data.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np

from mcbook.exercises.guard import NEVER_ENDS, Outcome, outcome
from mcbook.exercises.shown import SHORTENED, Plain, alike, both, line, plain, size, text
from mcbook.exercises.source import Part
from mcbook.foundation.answers import Case

SEED = 20
# Of programs that are run for a comparison only.
PATIENCE = 2.0
ONE_OF = re.compile(
    r"(?<![\d.]\s)\b1 (error|example|feature|function|pair|point|position|round|row|sign|tree)s\b( are)?"
)
NO_SELF = "'NoneType' object has no attribute 'predict'"


def cases_of(part: Part) -> list[Case]:
    """The instances of a part, the smallest first."""
    drawn = part.helper(part.grader)(np.random.default_rng(SEED))
    return sorted(drawn, key=lambda case: sum(map(size, case.inputs)))


def program(part: Part, code: str) -> Any:
    """What code of the data defines."""
    scope: dict[str, Any] = {"np": np}
    exec(code, scope)
    return scope[part.variable]


def known_mistake(part: Part, cases: list[Case], failed: Case, answer: Any, found: Outcome) -> str:
    """The reason against the typical wrong answer that does what the reader's does, or nothing."""
    if not found.in_time:
        return ""
    others = [case for case in cases if case is not failed]
    for wrong in part.wrong:
        # It would never come back where nothing rings: in a thread, or on Windows.
        if wrong.why in NEVER_ENDS:
            continue
        typical = program(part, wrong.answer)
        if _same(outcome(failed, typical, PATIENCE), found) and all(
            _same(outcome(case, typical, PATIENCE), outcome(case, answer, PATIENCE)) for case in others
        ):
            return wrong.why
    return ""


def _same(one: Outcome, other: Outcome) -> bool:
    return one.in_time and other.in_time and one.complaint == other.complaint and alike(one.reply, other.reply)


def sentence(case: Case, found: Outcome, mistake: str) -> str:
    """On which instance the answer fails, how, and why."""
    complaint = found.complaint if found.complaint.endswith("?") else f"{found.complaint}."
    where = f"The smallest instance on which it fails ({case.description}): " if case.inputs else ""
    if NO_SELF in complaint:
        mistake = "`fit` has to return the estimator: `return self` is missing."
    said = " ".join(filter(None, [where + complaint if where else complaint[:1].upper() + complaint[1:], mistake]))
    return singular(said)


def singular(said: str) -> str:
    """One example, not "1 examples": the texts of cases and faults count what may be one."""
    return ONE_OF.sub(lambda match: f"1 {match[1]}{' is' if match[2] else ''}", said)


def instance(part: Part, case: Case, found: Outcome) -> str:
    """The arguments, the reply and a right one, a line for each; nothing for an array, which has no arguments."""
    if not case.inputs:
        return ""
    right = program(part, part.answer)
    given = [line(name, value) for name, value in zip(_names(right, case), map(plain, case.inputs), strict=True)]
    if any(SHORTENED in shown for shown in given):
        given.append("All of it is in check(...).arguments.")
    return "\n".join([*given, *_replies(case, found, plain(case.ask(right, *case.inputs)))])


def _replies(case: Case, found: Outcome, wanted: Plain) -> list[str]:
    """The reader's reply and a right one; of tuples with names for their parts the parts that differ."""
    if not found.replied:
        named = zip(case.parts, wanted, strict=True) if case.parts else [("", wanted)]
        return [f"a right one: {', '.join(f'{name} {text(one)}'.strip() for name, one in named)}"]
    if not case.parts:
        return both(found.reply, wanted)
    differ = [
        [f"{name}:", *both(mine, right)]
        for name, mine, right in zip(case.parts, found.reply, wanted, strict=True)
        if not alike(mine, right)
    ]
    return [shown for lines in differ for shown in lines]


def _names(right: Any, case: Case) -> list[str]:
    """What the right answer calls its arguments."""
    asked = getattr(right, "fit", right)
    names = list(inspect.signature(asked).parameters) if callable(asked) else []
    return names if len(names) == len(case.inputs) else [f"argument {i + 1}" for i in range(len(case.inputs))]
