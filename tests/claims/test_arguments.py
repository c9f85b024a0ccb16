"""With what a part calls the book's functions: what is heard of it, what is told of a value, and what is left alone."""

from __future__ import annotations

import dataclasses
import functools
import sys
from fractions import Fraction
from types import ModuleType

import numpy as np
import pytest
from flint import arb

from mcbook.claims import Evidence, at_most
from mcbook.claims.spine.arguments import ENOUGH, Heard, _size, _told
from mcbook.foundation.proof import Known, Tier

HELPERS = '''
import functools
from mcbook.claims import Evidence, at_most

@functools.cache
def remembered(n):
    return plain(n)

def plain(n):
    """A helper, beneath which is another."""
    return inner(n + 1)

def another(n):
    return inner(n + 2)

def inner(n):
    return n

def compared(n) -> Evidence:
    return at_most("x", inner(n), inner(9))

class Made:
    def __init__(self, n):
        self.n = n

def handed_on(function):
    return function
'''


@pytest.fixture
def helpers(monkeypatch, tmp_path):
    """A module of helpers that looks like one of the claims."""
    path = tmp_path / "helpers.py"
    path.write_text(HELPERS, encoding="utf-8")
    module = ModuleType("mcbook.claims.helpers")
    module.__file__ = str(path)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(HELPERS, str(path), "exec"), vars(module))
    return module


@pytest.fixture
def digest_of(helpers, tmp_path):
    """The digest of what is heard of a part with these lines, which sees the helpers."""

    def digest(lines, name):
        path = tmp_path / f"{name}.py"
        path.write_text(f"def part():\n    {lines}\n", encoding="utf-8")
        names = dict(vars(helpers))
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
        heard = Heard()
        heard.through(names["part"])()
        return heard.digest

    return digest


class TestWhatIsHeard:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("plain(1)", "plain(2)"),
            ("plain(1)", "inner(1)"),
            ("plain(1)", "plain(n=1)"),
            ("remembered(1)", "remembered(2)"),
            ("inner(1)", "inner(1); inner(1)"),
            ("at_most('x', 1, 2)", "compared(1)"),
        ],
    )
    def test_another_call_is_another_digest(self, digest_of, one, other):
        assert len(digest_of(one, "one")) == 16
        assert digest_of(one, "one") != digest_of(other, "other")

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("plain(1)", "plain(1)"),
            # What comes out is told by the evidence; rounding may have made it.
            ("at_most('x', 1, 2)", "at_most('y', 1, 3)"),
            ("compared(1)", "compared(2)"),
        ],
    )
    def test_what_is_compared_is_not_told(self, digest_of, one, other):
        assert digest_of(one, "one") == digest_of(other, "other")

    @pytest.mark.parametrize("lines", ["Made(1)", "len('x')", "f = inner; f(1)", "handed = [inner]; inner(1)"])
    def test_nothing_of_classes_of_others_and_of_functions_that_are_handed_on(self, digest_of, lines):
        assert digest_of(lines, "one") == ""

    def test_an_answer_that_is_remembered_is_heard_all_the_same(self, digest_of, helpers):
        fresh = digest_of("remembered(5)", "one")
        assert helpers.remembered.cache_info().hits == 0
        assert digest_of("remembered(5)", "other") == fresh
        assert helpers.remembered.cache_info().hits == 1

    def test_a_function_that_is_handed_on_is_itself(self, helpers):
        heard, seen = Heard(), []
        part = _function_in(helpers, "def part(seen):\n    seen.append(handed_on(plain))\n")
        heard.through(part)(seen)
        assert seen == [helpers.plain]

    def test_helpers_beneath_are_heard(self, digest_of, helpers):
        before = digest_of("plain(1)", "one")
        helpers.plain.__code__ = helpers.another.__code__
        assert digest_of("plain(1)", "one") != before

    def test_only_so_many(self, digest_of):
        many = digest_of(f"for n in range({ENOUGH}): inner(n)", "one")
        assert digest_of(f"for n in range({ENOUGH + 1}): inner(n)", "other") == many
        assert digest_of(f"for n in range({ENOUGH - 1}): inner(n)", "third") != many

    def test_the_function_answers_as_it_does(self, helpers):
        part = _function_in(helpers, "def part(n, *, more=3):\n    return plain(n) + more\n")
        assert Heard().through(part)(1) == 5
        assert Heard().through(part)(1, more=0) == 2

    def test_of_lines_that_cannot_be_read_alone_nothing(self, helpers):
        names = dict(vars(helpers))
        exec("def part():\n    return inner(1)\n", names)
        broken = _function_in(helpers, "part = [\n    lambda: [\n        inner(1),\n    ], 0][0]\n")
        for part, answer in ((names["part"], 1), (broken, [1])):
            heard = Heard()
            assert heard.through(part)() == answer
            assert heard.digest == ""

    def test_of_what_is_no_function_of_python_nothing(self):
        partial = functools.partial(at_most, "x", 1)
        assert Heard().through(partial) is partial

    def test_evidence_comes_out_as_without(self, helpers):
        part = _function_in(helpers, "def part():\n    yield compared(1)\n")
        found = list(Heard().through(part)())
        assert found == list(part())
        assert isinstance(found[0], Evidence)


def _function_in(module, text):
    path = f"{module.__file__}.part.py"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    names = dict(vars(module))
    exec(compile(text, path, "exec"), names)
    return names["part"]


@dataclasses.dataclass
class Made:
    value: float
    memory: int = dataclasses.field(default=0, compare=False)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (30, "1e"),
        pytest.param(10**5000, f"{10**5000:x}", id="of many digits"),
        (True, "True"),
        (None, "None"),
        ("words", "words"),
        (Fraction(1, 3), "1/3"),
        (np.int64(4), "4"),
        (0.1, "float"),
        (np.float64(0.1), "float64"),
        ((1, [2, 0.5]), "(1,(2,float,),)"),
        ({"a": 1}, "((a,1,),)"),
        (np.array([Fraction(1, 2), 3], dtype=object), "array(2,)(1/2,3,)"),
        (np.array([Fraction(1, 2), 0.5], dtype=object), "floats(2,)"),
        (np.array([Fraction(1, 2), Fraction(0.1)], dtype=object), "floats(2,)"),
        (np.ones((2, 3)), "floats(2, 3)"),
        (Fraction(0.1), "float"),
        (Fraction(1, 2**19), "1/80000"),
        (Fraction(1, 2**20), "float"),
        (Made(5), "Made(5,)"),
        (Made(0.5), "Made"),
        (arb(2), "2.00000000000000"),
        (arb(2).log(), "arb"),
        (Known(1, 2, Tier.EXACT), "Known(1,2,4,)"),
        (Known(1, 2, Tier.CERTIFIED), "certified"),
        (np.random.default_rng(0), "Generator"),
    ],
)
def test_what_is_exact_is_told(value, said):
    assert "".join(_told(value)) == said


def test_arrays_of_integers_are_told_apart_by_shape_and_content():
    arrays = [np.arange(4), np.arange(4).reshape(2, 2), np.arange(1, 5)]
    assert len({"".join(_told(one)) for one in arrays}) == 3
    assert "".join(_told(np.array([True, False]))) == "".join(_told(np.array([1, 0])))


@pytest.mark.parametrize(
    ("value", "size"),
    [
        (0.5, 0.5),
        (np.float64(-0.25), 0.25),
        (2.0**-10, 2.0**-10),
        (2.0**-11, 0.0),
        (2.0**20, 0.0),
        (2.0**20 - 1, 2.0**20 - 1),
        (0.1, 0.0),
        (np.nan, 0.0),
        (np.inf, 0.0),
        (7, 0.0),
        ("words", 0.0),
        (np.array([[1.0, -2.0]]), 3.0),
        # One that is not short spoils the others beside it.
        (np.array([1.0, 0.1]), 0.0),
        (np.array([1.0, np.nan]), 0.0),
        (np.array([1, 2]), 0.0),
        ([1.0, (0.5, [np.array([-4.0])]), 0.1], 5.5),
    ],
)
def test_floats_that_are_short_are_added_up(value, size):
    assert _size(value) == size


def test_sums_are_those_of_all_calls_that_are_heard(helpers):
    heard = Heard()
    heard.through(
        _function_in(helpers, "def part():\n    inner(1.5)\n    plain(n=2.0)\n    at_most('x', 1.0, 8.0)\n")
    )()
    # The helper calls another with 3.0.
    assert heard.size == 1.5 + 2.0 + 3.0
