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

import mcbook
from mcbook import check
from mcbook.exercises import Exercise, Part, exercises
from mcbook.exercises import guard as guarding
from mcbook.exercises.marking import mixed, shown_choices, shown_items
from mcbook.exercises.reading import read_numbers
from mcbook.exercises.source import IN_CODE
from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.typesetting import inline_html

BOOK = Path(__file__).resolve().parents[2] / "book"
EXERCISES = list(exercises().values())
PARTS = [part for exercise in EXERCISES for part in exercise.parts]
every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.label)
every_part = pytest.mark.parametrize("part", PARTS, ids=lambda part: part.id)


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """What the answers call is compiled before anybody looks at the clock."""
    X, y = mcbook.perceptron.tight_sample(3)
    mcbook.perceptron.run_perceptron(X.astype(float), y, 3)
    mcbook.MulticlassPerceptron(max_iter=2).fit(X.astype(float), y)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Endless loops are among the wrong answers; nobody waits ten seconds for each."""
    monkeypatch.setattr(guarding, "SECONDS", 1.5)


def markdown(chapter: str) -> str:
    cells = json.loads((BOOK / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def given(part: Part, answer: str) -> Any:
    """An answer of the data as a reader gives it to ``check``."""
    if part.kind in IN_CODE:
        scope: dict[str, Any] = {"np": np, "run_perceptron": mcbook.perceptron.run_perceptron}
        exec(answer, scope)
        return scope[part.variable]
    if part.kind == "choice":
        return 1 + [text for text, _ in shown_choices(part)].index(answer)
    if part.kind == "ordering":
        return [1 + shown_items(part).index(int(place)) for place in answer.split()]
    return Fraction(answer)


@every_exercise
def test_has_a_block_and_a_solution(exercise: Exercise) -> None:
    text = markdown(exercise.chapter)
    assert f":label: {exercise.label}\n" in text, f"no exercise block of {exercise.chapter} has this label"
    assert re.search(rf"\{{solution(-start)?\}} {exercise.label}\n", text), "the exercise has no solution"


@every_part
def test_the_right_answer_passes(part: Part) -> None:
    mark = check(part.id, given(part, part.answer))
    assert mark.right, mark
    assert mark.require() is mark


@every_part
def test_typical_wrong_answers_are_refused_with_their_reason(part: Part) -> None:
    assert len({wrong.answer for wrong in part.wrong} | {part.answer}) == len(part.wrong) + 1
    for wrong in part.wrong:
        mark = check(part.id, given(part, wrong.answer))
        assert not mark.right, f"{wrong.answer} passes"
        assert wrong.why in mark.says, f"{wrong.answer}: {mark.says}"
        with pytest.raises(AssertionError, match="not yet"):
            mark.require()


@every_part
def test_the_stub_and_what_is_no_answer_are_refused(part: Part) -> None:
    nonsense = [None, "many", object(), float("nan"), np.full((2, 2), np.nan), [], lambda *inputs: None]
    for answer in [given(part, part.stub), *nonsense] if part.stub else nonsense:
        mark = check(part.id, answer)
        assert not mark.right
        assert mark.says


@every_part
def test_the_answer_is_what_the_package_computes(part: Part) -> None:
    if part.kind == "number":
        assert abs(Fraction(part.helper(part.value)()) - part.number) <= Fraction(1, 10**6)
    elif part.kind == "ordering":
        assert tuple(part.helper(part.value)()) == part.order


@every_part
def test_what_is_shown_is_mixed(part: Part) -> None:
    if part.kind == "ordering":
        assert tuple(shown_items(part)) != part.order
    assert sorted(mixed(part.id, 4)) == [0, 1, 2, 3]


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


def texts(exercise: Exercise) -> Iterator[str]:
    """All that a reader is shown of an exercise."""
    yield exercise.hint
    for part in exercise.parts:
        yield from (part.prompt, *part.items, *(wrong.why for wrong in part.wrong))
        if part.kind == "choice":
            yield from (part.answer, *(wrong.answer for wrong in part.wrong))


@every_exercise
def test_no_markup_is_left_in_what_is_shown(exercise: Exercise) -> None:
    for text in texts(exercise):
        shown = re.sub(r"<code>.*?</code>|<span.*?</span>", "", inline_html(text))
        assert not re.search(r"[*`$\\]|\[.*\]\(|\{(ref|prf|cite)", shown), text


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


def test_an_import_is_not_left_by_halves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slowly_imported.py").write_text("import time\ntime.sleep(0.4)\nlast = 1.0\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    def imports() -> float:
        module = importlib.import_module("slowly_imported")
        return float(module.last)

    assert asked(imports, seconds=0.1) == ""


def test_inputs_are_copies() -> None:
    array = np.zeros(3)
    asked(lambda given: given.fill(1), array)
    assert not array.any()


def test_marks_show_themselves() -> None:
    right, wrong = check("perceptron-never-rays", 2), check("perceptron-never-rays", 3)
    assert right
    assert not wrong
    assert repr(right).startswith("perceptron-never-rays: right")
    assert "mcbook-mark-wrong" in wrong._repr_html_()
    assert "<" not in check("perceptron-never-rays", "<b>").says


WRITTEN = ["2", "4/2", "2,0", " 200% ", "2e0", "200 %", "= 2", "≈ 2,00", "1 2/2", "4 / 2", "2.000", "+2", "2.", "02"]
KINDS = [2, 2.0, np.int64(2), np.float32(2), Fraction(4, 2), Decimal("2.0"), sympy.sqrt(4), flint.arb(2)]


@pytest.mark.parametrize("answer", [*KINDS, np.array(2), [2], np.array([2.0]), *WRITTEN])
def test_a_number_may_be_of_any_kind(answer: Any) -> None:
    assert check("perceptron-never-rays", answer)


NO_NUMBERS = ["two", "", "1/0", "2 rays", "nan", "--2", "2/", "1 2", "2 2/0", "1e999999999", "2,0,0", "−2", "1½"]
COMPLEX = [2 + 0j, np.complex128(2 + 5j), np.array([2 + 5j])]


@pytest.mark.parametrize(
    "answer", [True, [True], *COMPLEX, [2, 2], [[]], float("inf"), Decimal("1e999999999"), 2.1, 10**400, *NO_NUMBERS]
)
def test_what_is_no_such_number_is_refused(answer: Any) -> None:
    assert not check("perceptron-never-rays", answer)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        *((answer, True) for answer in (0.188, 0.1875, "0,188", ".188", "18.8 %", "18,75%", "3/16")),
        *((answer, False) for answer in (0.19, "19 %", ".19")),
    ],
)
def test_a_rounding_to_three_digits_is_the_number(answer: Any, right: bool) -> None:
    # The answer is 3/16; with two digits it might be another number.
    mark = check("errors-by-hand-loss", answer)
    assert mark.right == right
    assert right or "three digits" in mark.says


@pytest.mark.parametrize("answer", [1.31, 1.313, 1.31326, np.log(1 + np.e), "1.3133"])
def test_a_number_without_an_end_may_be_given_to_any_digit_from_the_third(answer: Any) -> None:
    assert check("structured-factor-soft", answer)
    assert not check("structured-factor-soft", 1.314)


@pytest.mark.parametrize("answer", ["0.1880", "18.80 %", "1.88", "−0.188", "188%"])
def test_digits_that_are_written_count(answer: str) -> None:
    assert "Another number" in check("errors-by-hand-loss", answer).says


@pytest.mark.parametrize("answer", ["14,979", "14 979", "14.979", "14'979"])
def test_thousands_may_be_set_apart(answer: str) -> None:
    assert check("rademacher-confidence-size", answer)


def test_what_was_computed_wrongly_is_no_rounding() -> None:
    assert not check("errors-by-hand-loss", 3 / 16 + 1e-6)


def test_a_choice_may_be_given_by_its_words_and_an_order_as_text() -> None:
    assert check("perceptron-never-winners", "the first and the second")
    assert "For no" in check("perceptron-never-winners", "All three.").says
    assert check("bounds-order-lines", "3, 1, 4, 2")
    assert check("bounds-order-lines", iter([3, 1, 4, 2]))
    assert "each once" in check("bounds-order-lines", itertools.count(1)).says
    assert "each once" in check("bounds-order-lines", "3142").says


def test_a_pair_may_be_a_list() -> None:
    assert check("perceptron-early-sample", [[[1, 0], [0, 1]], [0, 1]])


def test_decimals_are_read_up_to_a_hundred_digits():
    assert read_numbers(Decimal("1e99")) == [10**99]
    assert read_numbers(Decimal("-1e-99")) == [Fraction(-1, 10**99)]
    assert read_numbers(Decimal("1e100")) == read_numbers(Decimal("1e-100")) == []
