"""``check("perceptron-never-rays", answer)``: an answer marked, with a reason where it is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from itertools import islice
from textwrap import indent
from typing import Any

import numpy as np

from mcbook.exercises.feedback import cases_of, instance, known_mistake, sentence
from mcbook.exercises.guard import outcome
from mcbook.exercises.parse_number import (
    DIGITS_BEFORE_ROUNDING,
    DIGITS_OF_A_ROUNDING,
    expected_of,
    is_near,
    parse_numbers,
    rounds_to,
)
from mcbook.exercises.source import IN_CODE, Part, exercises, find_part
from mcbook.foundation.typesetting import inline_html


@dataclass(frozen=True)
class Mark:
    """Right or wrong, and what to look at: of a program the smallest instance on which it fails, and its arguments."""

    exercise: str
    right: bool
    says: str
    instance: str = ""
    arguments: tuple[Any, ...] = field(default=(), compare=False)

    def __bool__(self) -> bool:
        return self.right

    def __repr__(self) -> str:
        said = f"{self.exercise}: {'right' if self.right else 'not yet'}. {self.says}"
        return f"{said}\n{indent(self.instance, '    ')}" if self.instance else said

    def _repr_html_(self) -> str:
        word, style = ("Right.", "right") if self.right else ("Not yet.", "wrong")
        text = f"<strong>{word}</strong> {inline_html(self.says)}"
        shown = f"<pre>{escape(self.instance)}</pre>" if self.instance else ""
        return f'<p class="mcbook-mark mcbook-mark-{style}">{text}</p>{shown}'

    def require(self) -> Mark:
        """The mark itself if it is right; otherwise an error, as a grader of notebooks needs it."""
        if not self.right:
            raise AssertionError(repr(self))
        return self


def check(exercise: str, answer: Any = None) -> Mark:
    """Mark an answer: a number, the number of a choice (from 1), an order, an array, a function or an estimator.

    The label of a whole exercise, such as "ex-perceptron-never", is answered with the ids of its questions.
    """
    if exercise in exercises():
        parts = exercises()[exercise].parts
        listed = "\n".join(f"{part.id}: {part.prompt}" for part in parts)
        return Mark(exercise, False, "Answer one of its questions, by the id of the question:", listed)
    part = find_part(exercise)
    if answer is None:
        return Mark(part.id, False, f"No answer yet: {EXPECTED[part.kind]} is expected.")
    if part.kind in IN_CODE:
        return _marked_by_grader(part, answer)
    return {"number": _marked_number, "choice": _marked_choice, "ordering": _marked_order}[part.kind](part, answer)


EXPECTED = {
    "number": "a number",
    "choice": "the number of one of the choices, counted from 1,",
    "ordering": "a list of the numbers of all items, counted from 1, in their order",
    "array": "an array, or a tuple of arrays as the question says,",
    "function": "a function",
    "estimator": "an estimator that is not fitted yet",
}


def shown_choices(part: Part) -> list[tuple[str, str]]:
    """Text and reason of the choices in the order in which they are shown, the right one without a reason."""
    listed = [(part.answer, ""), *((wrong.answer, wrong.why) for wrong in part.wrong)]
    return [listed[place] for place in mixed(part.id, len(listed))]


def mixed(name: str, count: int) -> list[int]:
    """A fixed order that depends on nothing but the name, and is never the plain one."""
    rng = np.random.default_rng(list(name.encode()))
    while True:
        order: list[int] = rng.permutation(count).tolist()
        if order != list(range(count)):
            return order


def shown_items(part: Part) -> list[int]:
    """The places of the items in the order in which they are shown, which is not the right one."""
    order = mixed(part.id, len(part.items))
    return order if tuple(order) != part.order else order[::-1]


def _marked_number(part: Part, answer: Any) -> Mark:
    given = parse_numbers(answer)
    if not given and isinstance(answer, str):
        return Mark(part.id, False, f"Expected {expected_of(answer)}.")
    if not given:
        return Mark(part.id, False, f"Expected a finite number, got {type(answer).__name__}.")

    def means(wanted: Fraction) -> bool:
        return any(is_near(each, wanted, part.tolerance) for each in given)

    if means(part.number):
        return Mark(part.id, True, "")
    for wrong in part.wrong:
        if means(Fraction(wrong.answer)):
            return Mark(part.id, False, wrong.why)
    if part.unrounded:
        before = Fraction(part.unrounded)
        if means(before) or rounds_to(answer, given[0], before, DIGITS_BEFORE_ROUNDING):
            return Mark(part.id, False, rounding(part))
    if rounds_to(answer, given[0], part.number):
        return Mark(part.id, True, "")
    for wrong in part.wrong:
        if rounds_to(answer, given[0], Fraction(wrong.answer)):
            return Mark(part.id, False, wrong.why)
    if rounds_to(answer, given[0], part.number, range(1, DIGITS_OF_A_ROUNDING.start)):
        return Mark(part.id, False, "That may be it, rounded: give a fraction, or three digits.")
    return Mark(part.id, False, "Another number. Look at the hint.")


def rounding(part: Part) -> str:
    """What to do with the right number that is not rounded yet."""
    way = "up" if part.number > Fraction(part.unrounded) else "down"
    return f"That is it before rounding: a whole number is asked for, so round it {way}."


def _marked_choice(part: Part, answer: Any) -> Mark:
    choices = shown_choices(part)
    texts = [_plain(text) for text, _ in choices]
    if isinstance(answer, str) and _plain(answer) in texts:
        answer = 1 + texts.index(_plain(answer))
    place = _counted(answer)
    if not 1 <= place <= len(choices):
        return Mark(part.id, False, f"Expected the number of a choice, 1 to {len(choices)}.")
    why = choices[place - 1][1]
    return Mark(part.id, not why, why)


def _counted(answer: Any) -> int:
    """A number that counts, and 0 for what is none."""
    given = parse_numbers(answer)
    return int(given[0]) if given and given[0].denominator == 1 else 0


def _plain(text: str) -> str:
    """A choice without its point, its capitals and its spaces."""
    return "".join(text.casefold().split()).removesuffix(".")


def _marked_order(part: Part, answer: Any) -> Mark:
    shown = shown_items(part)
    listed = re.findall(r"\d+", answer) if isinstance(answer, str) else answer
    # An answer may go on for ever.
    numbers = [_counted(each) for each in islice(listed, len(shown) + 1)] if isinstance(listed, Iterable) else []
    if sorted(numbers) != list(range(1, len(shown) + 1)):
        return Mark(part.id, False, f"Expected the numbers 1 to {len(shown)}, each once, in a list.")
    given = tuple(shown[number - 1] for number in numbers)
    if given == part.order:
        return Mark(part.id, True, "")
    for wrong in part.wrong:
        if given == tuple(map(int, wrong.answer.split())):
            return Mark(part.id, False, wrong.why)
    return Mark(part.id, False, in_place(given, part.order))


def in_place(given: tuple[int, ...], right: tuple[int, ...]) -> str:
    placed = sum(one == other for one, other in zip(given, right, strict=True))
    return f"{placed} of {len(right)} stand in their place."


def _marked_by_grader(part: Part, answer: Any) -> Mark:
    if part.kind == "function" and not callable(answer):
        return Mark(part.id, False, f"Expected a function, got {type(answer).__name__}.")
    if part.kind == "estimator" and (isinstance(answer, type) or not hasattr(answer, "fit")):
        return Mark(part.id, False, "Expected an estimator with fit and predict, such as Estimator().")
    cases = cases_of(part)
    for case in cases:
        found = outcome(case, answer)
        if found.complaint:
            says = sentence(case, found, known_mistake(part, cases, case, answer, found))
            return Mark(part.id, False, says, instance(part, case, found), case.inputs)
    return Mark(part.id, True, f"All {len(cases)} instances agree." if len(cases) > 1 else "")
