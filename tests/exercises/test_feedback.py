"""What is said of a wrong program: the smallest instance on which it fails, and a typical mistake by its name."""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mcbook import check
from mcbook.exercises import Part, exercises, feedback, guard, shown
from mcbook.exercises.source import IN_CODE, Wrong
from mcbook.foundation.answers import Case, close_to

PARTS = [part for exercise in exercises().values() for part in exercise.parts if part.kind in IN_CODE]


class Fails:
    """Neither learns nor computes."""

    def fit(self, *_: Any, **__: Any) -> None:
        raise ArithmeticError("too hard")

    predict = fit


@pytest.mark.parametrize("chapter", sorted({part.chapter for part in PARTS}))
def test_each_typical_wrong_program_has_a_sentence_of_its_own(chapter: str) -> None:
    """One that never ends is told so by the guard: nothing else of it can be known."""
    typical = [(part, wrong) for part in PARTS if part.chapter == chapter for wrong in part.wrong]
    for part, wrong in typical:
        if wrong.why in guard.NEVER_ENDS:
            continue
        assert wrong.why[0].isupper() or wrong.why[0] in "`$"
        assert wrong.why.endswith(".")
        answer, cases = feedback.program(part, wrong.answer), feedback.cases_of(part)
        found, failed = next((outcome, case) for case in cases if (outcome := guard.outcome(case, answer)).complaint)
        assert wrong.why not in found.complaint
        assert feedback.known_mistake(part, cases, failed, answer, found) == wrong.why, part.id


@pytest.mark.parametrize("chapter", sorted({part.chapter for part in PARTS}))
def test_a_wrong_program_is_shown_what_it_was_given_and_what_was_wanted(chapter: str) -> None:
    for part in (part for part in PARTS if part.chapter == chapter):
        if part.kind == "array":
            assert check(part.id, np.zeros((3, 7))).instance == "", "a wrong array is not shown a right one"
            continue
        mark = check(part.id, Fails() if part.kind == "estimator" else Fails.fit)
        smallest = feedback.cases_of(part)[0]
        assert "it stops with ArithmeticError: too hard" in mark.says
        assert feedback.singular(smallest.description) in mark.says
        *given, right = [line for line in mark.instance.split("\n") if not line.startswith("All of it")]
        assert len(given) == len(smallest.inputs) == len(mark.arguments)
        assert right.startswith("a right one: ")
        assert max(map(len, [*given, right])) < 700


# A part made for these tests: twice the sum.

CODE = "def twice(x): return 2 * sum(x)"
PART = Part("twice", "function", "?", CODE, (), (), 0.0, "", "grader", "", "perceptron")


def graded(monkeypatch: pytest.MonkeyPatch, *inputs: Any) -> None:
    cases = [Case(f"{len(x)} numbers", (x,), close_to(2 * sum(x))) for x in inputs]
    monkeypatch.setattr(Part, "helper", lambda self, name: lambda rng: iter(cases))


def test_the_smallest_instance_on_which_it_fails_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    graded(monkeypatch, [1.0, 2.0, 3.0], [0.0], [5.0, 6.0], [7.0, 8.0])
    cases = feedback.cases_of(PART)
    assert [len(case.inputs[0]) for case in cases] == [1, 2, 2, 3]
    found = guard.outcome(cases[1], sum)
    assert feedback.instance(PART, cases[1], found).split("\n") == ["x = [5, 6]", "your reply:  11", "a right one: 22"]


def test_a_mistake_is_known_only_if_every_instance_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    graded(monkeypatch, [2.0], [1.0, 2.0, 3.0])
    wrong = (Wrong("def twice(x): return sum(x)", "Half."), Wrong("def twice(x): return x[0]", "First."))
    part = Part("twice", "function", "?", CODE, wrong, (), 0.0, "", "grader", "", "perceptron")
    cases = feedback.cases_of(part)

    def known(answer: Any) -> str:
        return feedback.known_mistake(part, cases, cases[0], answer, guard.outcome(cases[0], answer))

    assert known(sum) == "Half."
    assert known(lambda x: x[0]) == "First."
    assert known(lambda x: x[-1] if len(x) < 2 else 0) == ""
    assert known(lambda x: -x[0]) == ""


def test_the_place_of_a_changed_argument_is_told() -> None:
    case = Case("two lists", ([1.0], [2.0]), close_to(3.0))

    def changes(one: Any, other: Any) -> float:
        other.append(0)
        return 3.0

    assert "changes the arguments that it is given, here the one in place 2" in guard.complaint(case, changes)


# Arguments and replies in words.


class Number(float):
    """Prints what it likes."""

    def __repr__(self) -> str:
        raise RuntimeError("never asked")

    __str__ = __format__ = __repr__


def test_only_plain_data_are_kept_of_a_reply() -> None:
    made = shown.plain([Number(1.0), {1, 2}, (np.float64(0.5), "a", None), np.array([1, Number(2)], dtype=object)])
    assert repr(made[0]) == "an object of the type Number"
    assert made[1:3] == [frozenset({1, 2}), (0.5, "a", None)]
    assert repr(made[3]) == "[1, an object of the type Number]"
    assert repr(shown.plain(10**400)) == "an object of the type int"
    nested: list[Any] = []
    nested.append(nested)
    assert "list" in repr(shown.plain(nested))


def test_replies_are_alike_but_for_rounding() -> None:
    alike, nan = shown.alike, np.array([np.nan, 1.0])
    assert alike(1.0, 1 + 1e-12)
    assert alike([1.0, nan, frozenset({(0, 1)}), None], (1.0, nan.copy(), frozenset({(0, 1)}), None))
    for one, other in ((1.0, 1.001), ([1], [1, 2]), (None, 0), (np.zeros(2), np.zeros(3)), ("a", "b"), ("a", 1.0)):
        assert not alike(one, other)
    assert not alike(frozenset({1}), frozenset({2}))


def test_short_values_are_shown_whole_and_long_ones_by_their_beginning() -> None:
    assert shown.line("X", np.array([[1.0, 0.25], [1 / 3, -2]])) == "X = [[1, 0.25], [0.333333, -2]]"
    assert shown.text((np.int64(3), "b", True, Fraction(1, 3), frozenset({(0, 1)}))) == "(3, 'b', True, 1/3, {(0, 1)})"
    assert shown.text(np.zeros((13, 5))) == "an array of the shape (13, 5) that begins with [0, 0, 0, 0, 0]"
    assert shown.text([[0] * 20, [1] * 50]) == f"a list of 2 that begins with {[0] * 20}"
    assert shown.size([np.zeros((2, 3)), 1, (2, 3)]) == 9
    assert feedback.singular("1 rows, 1 features and 21 rows: 1 pairs are missing") == (
        "1 row, 1 feature and 21 rows: 1 pair is missing"
    )


def test_a_fit_that_returns_nothing_is_told_so() -> None:
    class Forgets:
        def fit(self, X: Any, y: Any) -> None:
            self.label = y[0]

        def predict(self, X: Any) -> Any:
            return np.full(len(X), self.label)

    assert "`fit` has to return the estimator" in check("trees-stump-estimator", Forgets()).says


def test_a_program_is_marked_where_nothing_rings() -> None:
    """In a thread nothing stops a program, so that the typical one that never ends must not be run."""
    marks: list[Any] = []
    thread = threading.Thread(target=lambda: marks.append(check("winnow-learner-estimator", Fails())), daemon=True)
    thread.start()
    thread.join(60)
    assert len(marks) == 1


def test_the_parts_of_a_reply_are_named_where_they_differ() -> None:
    case = Case("one", (1,), lambda reply: "wrong", lambda answer, x: answer, ("labels", "count"))
    part = Part("one", "function", "?", "one = ([0, 1], 7)", (), (), 0.0, "", "", "", "perceptron")
    for reply, named in ((([0, 1], 8), ["count:"]), (([1, 1], 8), ["labels:", "count:"]), (([1, 1], 7), ["labels:"])):
        lines = feedback.instance(part, case, guard.outcome(case, reply)).split("\n")
        assert [line for line in lines if line.endswith(":")] == named


def test_of_long_replies_the_first_difference_is_shown() -> None:
    one, other = np.zeros((10, 5)), np.zeros((10, 5))
    other[7, 3] = 0.5
    place, mine, right = shown.both(one, other)
    assert (place, mine, right) == (
        "first difference, at [7]:",
        "your reply:  [0, 0, 0, 0, 0]",
        "a right one: [0, 0, 0, 0.5, 0]",
    )
    assert shown.both(list(one), list(other))[0] == "first difference, at [7]:"
    assert shown.both(np.zeros(60), np.arange(60))[0] == "first difference, at [1]:"
    assert shown.both(np.zeros(70), np.zeros(80))[0].startswith("your reply:  an array of the shape (70,)")
    assert shown.both(1.0, 1 + 1e-9) == ["your reply:  1.0", "a right one: 1.000000001"]
    assert shown.both(None, 2.0) == ["your reply:  None", "a right one: 2"]
