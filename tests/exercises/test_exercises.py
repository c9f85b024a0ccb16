"""Exercises that answer: right answers pass, typical wrong ones are refused with their reason, nothing is trusted."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import json
import math
import re
import time
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import numpy as np
import pytest
import sympy

from mcbook import MulticlassPerceptron, check
from mcbook.exercises import Exercise, Part, exercises
from mcbook.exercises import guard as guarding
from mcbook.exercises.marking import mixed, shown_choices, shown_items
from mcbook.exercises.source import IN_CODE
from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.typesetting import inline_html
from mcbook.perceptron import run_perceptron, tight_sample

BOOK = Path(__file__).resolve().parents[2] / "book"
EXERCISES = list(exercises().values())
PARTS = [part for exercise in EXERCISES for part in exercise.parts]
CHAPTERS = sorted({exercise.chapter for exercise in EXERCISES})
every_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


def parts_of(chapter: str) -> list[Part]:
    return [part for part in PARTS if part.chapter == chapter]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What the answers call is compiled before anybody looks at the clock."""
    X, y = tight_sample(3)
    run_perceptron(X.astype(float), y, 3)
    MulticlassPerceptron(max_iter=2).fit(X.astype(float), y)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Endless loops are among the wrong answers; nobody waits ten seconds for each."""
    monkeypatch.setattr(guarding, "SECONDS", 1.5)


def given(part: Part, answer: str) -> Any:
    """An answer of the data as a reader gives it to ``check``."""
    if part.kind in IN_CODE:
        scope: dict[str, Any] = {"np": np, "run_perceptron": run_perceptron}
        exec(answer, scope)
        return scope[part.variable]
    if part.kind == "choice":
        return 1 + [text for text, _ in shown_choices(part)].index(answer)
    if part.kind == "ordering":
        return [1 + shown_items(part).index(int(place)) for place in answer.split()]
    return Fraction(answer)


def texts(exercise: Exercise) -> Iterator[str]:
    """All that a reader is shown of an exercise."""
    yield exercise.hint
    for part in exercise.parts:
        yield from (part.prompt, *part.items, *(wrong.why for wrong in part.wrong))
        if part.kind == "choice":
            yield from (part.answer, *(wrong.answer for wrong in part.wrong))


@every_chapter
def test_an_exercise_has_a_block_and_a_solution_and_no_markup_is_shown(chapter: str) -> None:
    cells = json.loads((BOOK / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
    page = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    for exercise in (one for one in EXERCISES if one.chapter == chapter):
        assert f":label: {exercise.label}\n" in page, f"no exercise block of {chapter} has the label {exercise.label}"
        assert re.search(rf"\{{solution(-start)?\}} {exercise.label}\n", page), f"{exercise.label} has no solution"
        for text in texts(exercise):
            shown = re.sub(r"<code>.*?</code>|<span.*?</span>", "", inline_html(text))
            assert not re.search(r"[*`$\\]|\[.*\]\(|\{(ref|prf|cite)", shown), text


@every_chapter
def test_right_answers_pass_and_are_what_the_package_computes(chapter: str) -> None:
    for part in parts_of(chapter):
        mark = check(part.id, given(part, part.answer))
        assert mark.right, mark
        assert mark.require() is mark
        if part.kind == "number":
            assert abs(Fraction(part.helper(part.value)()) - part.number) <= Fraction(1, 10**6), part.id
        elif part.kind == "ordering":
            assert tuple(part.helper(part.value)()) == part.order, part.id
            assert tuple(shown_items(part)) != part.order, part.id
        assert sorted(mixed(part.id, 4)) == [0, 1, 2, 3]


@every_chapter
def test_typical_wrong_answers_are_refused_with_their_reason(chapter: str) -> None:
    for part in parts_of(chapter):
        assert len({wrong.answer for wrong in part.wrong} | {part.answer}) == len(part.wrong) + 1
        for wrong in part.wrong:
            mark = check(part.id, given(part, wrong.answer))
            assert not mark.right, f"{part.id}: {wrong.answer} passes"
            assert wrong.why in mark.says, f"{part.id}: {wrong.answer}: {mark.says}"
            with pytest.raises(AssertionError, match="not yet"):
                mark.require()


@every_chapter
def test_the_stub_and_what_is_no_answer_are_refused(chapter: str) -> None:
    nonsense = [None, "many", object(), float("nan"), np.full((2, 2), np.nan), [], lambda *inputs: None]
    for part in parts_of(chapter):
        for answer in [given(part, part.stub), *nonsense] if part.stub else nonsense:
            mark = check(part.id, answer)
            assert not mark.right, f"{part.id}: {answer!r}"
            assert mark.says


UNROUNDED = {
    "boosting-rounds-number": 50 * math.log(100),
    "bounds-grid-place": math.log(5) / math.log(1.5),
    "codes-alphabet-columns": math.log2(26),
    "margins-rounds-least": 2 * math.log(200) / math.log(4 / 3),
    "rademacher-confidence-size": math.log(20) / (2 * 0.01**2),
    "replication-columns-dense": 10 * math.log2(11),
    "weak-learning-fresh-first": 200 * math.log(4000),
    "weak-learning-fresh-second": -math.log(1960) / math.log1p(-((math.sqrt(0.2) - math.sqrt(0.1)) ** 2)),
    "weak-learning-runs-fewest": math.log(20) / math.log(4 / 3),
    "weak-learning-runs-formula": 4 * math.log(20),
    "weak-learning-store-items": 500 + 50 * math.log(100),
    "weak-learning-store-rounds": 50 * math.log(100),
}


def test_numbers_before_rounding_are_those_of_the_formulas() -> None:
    assert {part.id for part in PARTS if part.unrounded} == set(UNROUNDED)
    for part in PARTS:
        if part.unrounded:
            assert float(part.unrounded) == pytest.approx(UNROUNDED[part.id], rel=1e-12)
            assert part.number == math.ceil(UNROUNDED[part.id])
            assert "round it up" in check(part.id, UNROUNDED[part.id]).says


def asked(answer: Any, *inputs: Any, seconds: float = 0.3) -> str:
    return guarding.complaint(Case("a case", inputs, close_to(1.0)), answer, seconds)


def test_the_guard_refuses_what_is_not_to_be_trusted() -> None:
    def endless() -> float:
        while True:
            with contextlib.suppress(Exception):
                time.sleep(0.01)

    def leaves() -> float:
        raise SystemExit

    def changes(array: Any) -> float:
        array[0] = 7
        return 1.0

    class Hostile:
        def __array__(self, *_: Any) -> Any:
            raise RuntimeError("no")

    assert "never end" in asked(endless)
    assert "SystemExit" in asked(leaves)
    assert "changes the arguments" in asked(changes, np.zeros(3))
    assert "changes the arguments" in asked(changes, [1, 2])
    assert "stops with" in asked(lambda: 1 / 0)
    assert "stops with TypeError" in asked(lambda _: 1.0)
    assert "RuntimeError" in asked(lambda: Hostile())
    assert "not every number is finite" in asked(lambda: float("inf"))
    assert "expected the shape" in asked(lambda: [1.0])
    assert "expected numbers" in asked(lambda: "1")
    assert "expected numbers" in asked(lambda: 1j)
    assert asked(lambda: True) == asked(lambda: 1.0) == ""
    array = np.zeros(3)
    asked(lambda given: given.fill(1), array)
    assert not array.any(), "inputs are copies"


def test_an_import_is_not_left_by_halves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slowly_imported.py").write_text("import time\ntime.sleep(0.4)\nlast = 1.0\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    def imports() -> float:
        module = importlib.import_module("slowly_imported")
        return float(module.last)

    assert asked(imports, seconds=0.1) == ""


def test_marks_show_themselves() -> None:
    right, wrong = check("perceptron-never-rays", 2), check("perceptron-never-rays", 3)
    assert right
    assert not wrong
    assert repr(right).startswith("perceptron-never-rays: right")
    assert "mcbook-mark-wrong" in wrong._repr_html_()
    assert "<" not in check("perceptron-never-rays", "<b>").says


WRITTEN = ["2", "4/2", "2,0", " 200% ", "2e0", "200 %", "4 / 2", "2.000", "+2", "2.", "02"]
KINDS = [2, 2.0, np.int64(2), np.float32(2), Fraction(4, 2), Decimal("2.0"), sympy.sqrt(4), flint.arb(2)]
NO_NUMBERS = ["two", "", "1/0", "2 rays", "nan", "--2", "2/", "1 2", "2 2/0", "1e999999999", "2,0,0", "−2", "1½"]
OTHERS = [True, [True], [2, 2], [[]], float("inf"), Decimal("1e999999999"), 2.1, 10**400, 2 + 0j, np.array([2 + 5j])]


def test_a_number_may_be_of_any_kind() -> None:
    accepted = [*KINDS, np.array(2), [2], np.array([2.0]), *WRITTEN]
    assert [answer for answer in accepted if not check("perceptron-never-rays", answer)] == []
    assert [answer for answer in [*OTHERS, *NO_NUMBERS] if check("perceptron-never-rays", answer)] == []


def test_a_rounding_to_three_digits_is_the_number() -> None:
    """The answer is 3/16; with two digits it might be another number. Digits that are written count."""
    for answer in (0.188, 0.1875, "0,188", ".188", "18.8 %", "18,75%", "3/16"):
        assert check("errors-by-hand-loss", answer), answer
    for answer in (0.19, "19 %", ".19"):
        assert "three digits" in check("errors-by-hand-loss", answer).says
    for answer in ("0.1880", "18.80 %", "1.88", "−0.188", "188%", 3 / 16 + 1e-6):
        assert "Another number" in check("errors-by-hand-loss", answer).says


def test_a_number_without_an_end_may_be_given_to_any_digit_from_the_third() -> None:
    for answer in (1.31, 1.313, 1.31326, np.log(1 + np.e), "1.3133"):
        assert check("structured-factor-soft", answer), answer
    assert not check("structured-factor-soft", 1.314)


def test_a_choice_may_be_given_by_its_words_and_an_order_as_text() -> None:
    assert check("perceptron-never-winners", "the first and the second")
    assert "For no" in check("perceptron-never-winners", "All three.").says
    assert check("bounds-order-lines", "3, 1, 4, 2")
    assert check("bounds-order-lines", iter([3, 1, 4, 2]))
    assert "each once" in check("bounds-order-lines", itertools.count(1)).says
    assert "each once" in check("bounds-order-lines", "3142").says
    assert check("perceptron-early-sample", [[[1, 0], [0, 1]], [0, 1]])
