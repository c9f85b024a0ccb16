"""What a mark says at the ends of what is taken for right, of parts made for these tests."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from mcbook.exercises import Part, guard, marking, parse_number, source
from mcbook.exercises.source import Wrong, find_part
from mcbook.foundation.answers import Case, as_numbers, close_to

PLAIN = Part("one-part", "number", "?", "2", (), (), 0.0, "", "", "", "perceptron")


@pytest.fixture
def mark(monkeypatch):
    """Marks of an answer to a part."""

    def marked(part, answer):
        monkeypatch.setattr(marking, "find_part", lambda _: part)
        return marking.check(part.id, answer)

    return marked


# Numbers.


def test_near_is_within_the_tolerance_or_what_floats_lose_both_ends_included():
    third, tenth = Fraction(1, 3), Fraction(1, 10)
    for wanted, allowed, tolerance in ((third, Fraction(1, 10**9), 0.0), (third, Fraction(1, 8), 0.125)):
        assert parse_number.is_near(wanted + allowed, wanted, tolerance)
        assert parse_number.is_near(wanted - allowed, wanted, tolerance)
        assert not parse_number.is_near(wanted + allowed * (1 + tenth), wanted, tolerance)
    assert parse_number.is_near(Fraction(10**9 + 1), Fraction(10**9), 0.0)
    assert not parse_number.is_near(Fraction(10**9 + 2), Fraction(10**9), 0.0)
    assert parse_number.is_near(-Fraction(10**9 + 1), -Fraction(10**9), 0.0)


def test_a_rounding_is_within_half_a_unit_of_its_last_place():
    for answer in ("0.188", "0.187", "18.8%", 0.188, 0.1875, 0.187):
        assert parse_number.rounds_to(answer, parse_number.parse_numbers(answer)[0], Fraction(3, 16)), answer
    for answer in ("0.186", "0.1875001", 0.189, "19%", "3", 1e13 + 0.5, "0.1875000000001"):
        assert not parse_number.rounds_to(answer, parse_number.parse_numbers(answer)[0], Fraction(3, 16)), answer


def test_readings_of_text():
    read = parse_number.parse_numbers
    assert read("-1 2/3") == [Fraction(-5, 3)]
    assert read("+1 2/3") == [Fraction(5, 3)]
    assert read("1.5/0.5%") == [Fraction(3, 100)]
    assert read("14,979") == [Fraction("14.979"), 14979]
    assert read("1,234,567") == [1234567]
    assert read("12 345") == [12345]
    assert read("0,979") == [Fraction("0.979")]
    assert read("1e99") == read(Decimal("1e99")) == [10**99]
    assert read("1e100") == read(Decimal("1e100")) == read(Decimal("1e-100")) == []
    assert read("½") == read("~ .5") == [Fraction(1, 2)]
    assert read("1 ½") == [Fraction(3, 2)]
    assert read("٣") == []
    assert read(np.array([[2]])) == read([2]) == read(2) == [2]
    assert read([1, 2]) == read(True) == read("") == []


def test_a_typical_wrong_number_has_its_reason_also_rounded(mark):
    part = replace(PLAIN, answer="3/16", wrong=(Wrong("1/7", "a seventh"), Wrong("2/11", "two of eleven")))
    for answer, says in (
        ("1/7", "a seventh"), (1 / 7, "a seventh"), ("0.143", "a seventh"), ("0.182", "two of eleven"),
        ("0.19", "That may be it, rounded: give a fraction, or three digits."), ("7", "Another number."),
    ):  # fmt: skip
        found = mark(part, answer)
        assert not found.right
        assert found.says.startswith(says)
    for answer in ("3/16", "0.188", 0.1875):
        assert mark(part, answer).right
        assert mark(part, answer).says == ""
    # Text with a comma is rounded as a decimal fraction.
    longer = replace(PLAIN, answer="14.9788", wrong=(Wrong("28.4792", "another"),))
    assert mark(longer, "14,979").right
    assert mark(longer, "28,479").says == "another"
    assert mark(part, "many").says == "Expected a number, such as 3, 0.75 or 3/4."
    assert "got list" in mark(part, [1, 2]).says
    assert mark(replace(part, tolerance=0.5), 0.6).right


def test_what_is_right_before_rounding_is_told_to_round(mark):
    up = replace(PLAIN, answer="5", unrounded="4.700439718141092", wrong=(Wrong("4", "four"), Wrong("4.5", "between")))
    for answer in ("4.7", "4,70", 4.7, "4.7004", np.log2(26), "470.04%"):
        assert mark(up, answer).says == "That is it before rounding: a whole number is asked for, so round it up."
        assert not mark(up, answer).right
    for answer in ("4.6", "4.8", "5.7", 4.701, "47/10"):
        assert mark(up, answer).says == "Another number. Look at the hint."
    assert mark(up, 5.0).right
    assert [mark(up, answer).says for answer in ("4", 4.5)] == ["four", "between"]
    assert mark(replace(up, answer="4", wrong=()), "4.7").says.endswith("round it down.")


def test_what_is_no_number_is_told_what_can_be_typed():
    value = "the value of the expression, a number such as 1.0986"
    for text in ("inf", "-Infinity", "∞", " +inf ", "−∞"):
        assert parse_number.expected_of(text) == "a finite number"
    for text in ("ln 3", "sqrt2", "√2", "2*3", "3·2", "e^-2", "2!", "(1+e)", "1 + 1", "pi"):
        assert parse_number.expected_of(text) == value
    for text in ("", "two", "1/0", "NaN", "1 2", "pixels", "infinite"):
        assert parse_number.expected_of(text) == "a number, such as 3, 0.75 or 3/4"


# Choices and orders.


def test_choices_are_counted_from_1_up_to_their_number(mark):
    part = replace(PLAIN, kind="choice", answer="Yes.", wrong=(Wrong("No.", "no"), Wrong("Maybe.", "why")))
    shown = marking.shown_choices(part)
    assert sorted(shown) == [("Maybe.", "why"), ("No.", "no"), ("Yes.", "")]
    for place, (text, why) in enumerate(shown, 1):
        for answer in (place, float(place), str(place), text, text.upper().removesuffix(".")):
            assert (mark(part, answer).right, mark(part, answer).says) == (not why, why)
    for answer in (0, 4, -1, 1.5, "none", 10**30):
        assert mark(part, answer).says == "Expected the number of a choice, 1 to 3."


def test_an_order_is_told_how_many_stand_in_their_place(mark):
    part = replace(PLAIN, kind="ordering", answer="2 0 1", items=("a", "b", "c"), wrong=(Wrong("0 1 2", "as shown"),))
    shown = marking.shown_items(part)
    assert tuple(shown) != part.order

    def answer(*order):
        return mark(part, [1 + shown.index(place) for place in order])

    assert answer(2, 0, 1).right
    assert answer(0, 1, 2).says == "as shown"
    assert answer(2, 1, 0).says == "1 of 3 stand in their place."
    assert not any(found.right for found in (answer(0, 1, 2), answer(2, 1, 0), mark(part, [1, 2])))
    for wrong in ([1, 2], [1, 2, 3, 1], [1, 2, 2], [0, 1, 2], 7, "1 2"):
        assert mark(part, wrong).says == "Expected the numbers 1 to 3, each once, in a list."
    # Where the mixed order is the right one its reverse is shown.
    mixed = marking.mixed(part.id, 3)
    assert marking.shown_items(replace(part, answer=" ".join(map(str, mixed)))) == mixed[::-1]
    assert all(marking.mixed(str(name), 2) == [1, 0] for name in range(20))


# Parts in code.


def test_instances_are_counted_and_named(mark, monkeypatch):
    part = replace(
        PLAIN, kind="function", grader="grader", stub="def one_part(): ...", answer="def one_part(x): return 2 * x"
    )

    def of(*expected):
        def grader(rng):
            seen.append(rng.integers(0, 2**40))
            yield from (Case(f"x = {x}", (x,), close_to(2.0 * x)) for x in expected)

        monkeypatch.setattr(Part, "helper", lambda self, name: grader)

    seen = []
    of(1, 2, 3)
    assert mark(part, lambda x: 2 * x).says == "All 3 instances agree."
    wrong = mark(part, lambda x: 2 * min(x, 2))
    assert wrong.says == "The smallest instance on which it fails (x = 3): the number is wrong."
    assert wrong.instance.split("\n") == ["x = 3", "your reply:  4", "a right one: 6"]
    assert wrong.arguments == (3,)
    assert len(set(seen)) == 1
    of(1, 2)
    assert mark(part, lambda x: 2 * x).says == "All 2 instances agree."
    of(1)
    assert mark(part, lambda x: 2 * x).says == ""
    assert mark(part, lambda x: 2 * x).right
    assert mark(part, 3).says == "Expected a function, got int."
    estimator = replace(part, kind="estimator")
    for wrong in (dict, 3, len):
        assert mark(estimator, wrong).says.startswith("Expected an estimator with fit and predict")
    assert "a function is expected" in mark(part, None).says


def test_numbers_are_close_relative_to_their_size_or_to_1():
    feedback = close_to([0.5, -1000.0], 1e-3)
    assert feedback([0.5005, -1000.9]) == ""
    assert feedback([0.502, -1000.0]) == feedback([0.5, -998.0]) == "1 of 2 numbers are wrong"
    assert close_to(1.0)(1 + 2e-9) == "the number is wrong"
    assert close_to(1.0)(1 + 5e-10) == ""
    for entry in ("1.5", 1j, None, [1]):
        assert as_numbers(np.array([entry, 2], dtype=object))[1].startswith("expected numbers")
    assert as_numbers([Fraction(1, 2), 10**30]) == (pytest.approx(np.array([0.5, 1e30])), "")


def test_only_what_is_the_same_in_kind_size_and_entries_is_unchanged():
    same = guard._same
    assert same(np.arange(3), np.arange(3))
    for other in (np.arange(4), np.arange(3.0), np.array([0, 1, 3]), [0, 1, 2], np.arange(3)[None]):
        assert not same(np.arange(3), other)
        assert not same(other, np.arange(3))
    assert same([1, (2, "a")], [1, (2, "a")])
    for other in ([1, (2, "b")], [1, (2, "a"), 3], [1]):
        assert not same([1, (2, "a")], other)
    assert same(object(), object())


# The data.


RAW = {"id": "one-part", "kind": "number", "prompt": "?", "answer": "2", "wrong": [{"answer": "1", "why": "no"}] * 3}


def test_parts_that_are_not_as_they_should_be_are_refused():
    for changed, message in (
        ({"wrong": RAW["wrong"][:2]}, "at least three typical wrong answers, got 2"),
        ({"kind": "essay"}, "kind must be one of"),
        ({"id": "other"}, "must begin with 'one'"),
        ({"grader": "j"}, "only parts in code"),
        ({"stub": "x = 1"}, "only parts in code"),
        ({"kind": "function", "grader": "j"}, "needs a grader and a stub"),
        ({"kind": "function", "stub": "x = 1"}, "needs a grader and a stub"),
        ({"kind": "array", "grader": "j", "answer": "one_part = 1", "stub": "x = 1"}, "must define one_part"),
        ({"kind": "array", "grader": "j", "answer": "x = 1", "stub": "one_part = 1"}, "must define one_part"),
        ({"kind": "ordering", "answer": "0 2", "items": ["a", "b"]}, r"places 0 .. 1"),
        ({"colour": "red"}, "expected"),
        ({"unrounded": "3"}, "less than 1 from the answer, got 3"),
    ):
        with pytest.raises(ValueError, match=message):
            source._part(RAW | changed, "ex-one", "perceptron")
    with pytest.raises(ValueError, match="expected"):
        source._part({key: RAW[key] for key in RAW if key != "prompt"}, "ex-one", "c")


def test_parts_as_they_should_be_are_read():
    assert source._part(RAW, "ex-one", "perceptron").tolerance == 0.0
    source._part(RAW | {"kind": "ordering", "answer": "1 0", "items": ["a", "b"]}, "ex-one", "c")
    for code in ("one_part = 1", "def one_part(): ...", "class one_part: ..."):
        part = source._part(RAW | {"kind": "array", "grader": "j", "answer": code, "stub": code}, "ex-one", "c")
        assert part.variable == "one_part"


def test_a_mistyped_id_is_answered_with_the_nearest_ones():
    for asked, meant in (
        ("perceptron-never-rain", "perceptron-never-rays"),
        ("percpetron-never-rays", "perceptron-never-rays"),
        ("never-rays", "perceptron-never-rays"),
        ("winnow_doubling_bound", "winnow-doubling-bound"),
        ("Problem-Coin-Tie", "problem-coin-tie"),
    ):
        with pytest.raises(KeyError) as caught:
            find_part(asked)
        said = caught.value.args[0]
        assert repr(asked) in said
        assert meant in said
        assert said.count(" or ") <= 3
    with pytest.raises(KeyError) as caught:
        find_part("zzz")
    assert caught.value.args[0].endswith("got 'zzz'")


def test_the_label_of_an_exercise_lists_its_questions():
    mark = marking.check("ex-problem-coin", 3)
    assert not mark
    assert [line.split(":")[0] for line in mark.instance.split("\n")] == ["problem-coin-tie", "problem-coin-risk"]
    assert repr(marking.check("ex-problem-coin")) == repr(mark)
