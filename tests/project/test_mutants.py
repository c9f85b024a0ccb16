"""The mutants of tools/mutants.py: they are what they say, the tests that bite notice them, and the list is kept."""

import importlib
import json
import os
import sys
import time
from pathlib import Path

import pytest

from mcbook.claims.spine import session
from tools.mutation import kept, run
from tools.mutation.equivalents import read_equivalents
from tools.mutation.forks import run_forked
from tools.mutation.kept import Kept
from tools.mutation.killers import Killer, claim_killers, measure
from tools.mutation.operators import mutants
from tools.mutation.parts import TARGETS, part_of, sample
from tools.mutation.place import Package
from tools.mutation.report import Outcome, Score, scores, summary, write_record

ROOT = Path(__file__).resolve().parents[2]
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the mutants are tried in forked processes")


def changes(source):
    return {f"{mutant.old} -> {mutant.new}" for mutant in mutants(source, "toy.py")}


class TestOperators:
    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("x = 3", {"3 -> 4", "3 -> 2"}),
            ("x = 0.5", {"0.5 -> 0.505", "0.5 -> 0.25"}),
            ("x = a * b", {"a * b -> a / b"}),
            ("x = a <= b", {"a <= b -> a < b"}),
            ("x = a == b", {"a == b -> a != b"}),
            ("x = a and b", {"a and b -> a or b"}),
            ("x = -a", {"-a -> a"}),
            ("x = min(a, b)", {"min(a, b) -> max(a, b)"}),
            ("x = rows.any()", {"rows.any() -> rows.all()"}),
            ("x = range(a)", {"range(a) -> range(a + 1)", "range(a) -> range(a - 1)", "range(a) -> range(1, a)"}),
            ("if ready: x = a", {"ready -> not ready"}),
            (
                "return a - b",  # a term dropped, the sign changed, a hundredth more and less
                {
                    "a - b -> a + b",
                    "a - b -> a",
                    "a - b -> -b",
                    "a - b -> (a - b) * 99 / 100",
                    "a - b -> (a - b) * 101 / 100",
                },
            ),
            ("yield at_most('why', a, b); from x import less_than", {"at_most('why', a, b) -> less_than('why', a, b)"}),
        ],
    )
    def test_each_makes_the_change_it_says(self, line, expected):
        assert changes(f"def f(a, b, rows, ready):\n    {line}\n") == expected

    @pytest.mark.parametrize(
        "source",
        [
            'def f():\n    """Returns 1."""\n    raise ValueError(1)',
            "def f(a):\n    if a < 0:\n        raise ValueError",
            "def f(a):\n    x = f'{a + 1}'",
            "def f(a: x[1]) -> y[2]:\n    pass",
            "class A:\n    def __repr__(self):\n        return 1",
            "A = made(1)",
            "def f(a):\n    yield equal('a', a, a, within=1e-9, relative=1e-9)",
        ],
        ids=["messages", "guards", "text", "annotations", "representations", "what is registered once", "tolerances"],
    )
    def test_what_only_speaks_is_left_alone(self, source):
        assert changes(source) == set()

    def test_constants_and_lambdas_of_a_module_are_changed(self):
        assert "3 -> 4" in changes("A = 3")
        assert "u + v -> u - v" in changes("A = made(1, lambda u, v: u + v)")


def test_parts_are_told_by_the_path():
    told = {
        path: part_of(f"mcbook/{path}")
        for path in (
            "svm/theory.py",
            "svm/theory/dual.py",
            "svm/kernels/newton.py",
            "structured/kernels/__init__.py",
            "foundation/proof/exact.py",
            "foundation/laws.py",
            "claims/spine/trial.py",
            "claims/svm/kesler.py",
            "svm/estimator.py",
            "svm/figures.py",
            "claims/__init__.py",
        )
    }
    assert list(told.values()) == [
        "theory", "theory", "kernels", "kernels", "spine", "estimators", "spine", "claims", "estimators", None, None
    ]  # fmt: skip


def test_a_sample_is_the_same_for_a_seed_and_has_something_of_every_part():
    first, again, other = (sample(ROOT, TARGETS, 5, seed, lambda mutant: True) for seed in (1, 1, 2))
    assert first == again != other
    assert {part: len(found) for part, found in first.items()} == dict.fromkeys(TARGETS, 5)
    assert sample(ROOT, ["theory"], 5, 1, lambda mutant: True)["theory"] == first["theory"]
    below = sample(
        ROOT, ["theory", "kernels"], 40, 1, lambda mutant: True, under=["mcbook/trees/", "mcbook/svm/theory"]
    )
    assert {mutant.path.split("/")[1] for mutant in below["theory"]} == {"trees", "svm"}
    assert {mutant.path.split("/")[1] for mutant in below["kernels"]} == {"trees"}


TOY = """
import functools
OFFSET = 5
@functools.cache
def shifted(a):
    return a + OFFSET
class Counter:
    def up_to(self, n):
        total = 0
        while total < n:
            total += 1
        return total
def unused(a):
    return a * 2
PAIR = {"more": lambda a: a + 9, "less": lambda a: a - 9}
"""
KERNEL = """
import numba
@numba.njit
def square(a):
    return a * a
@numba.njit
def fourth(a):
    return square(a) * square(a)
"""


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A package of two modules, one of which imports from the other."""
    folder = tmp_path / "toybook"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "sums.py").write_text(TOY, encoding="utf-8")
    (folder / "powers.py").write_text(KERNEL, encoding="utf-8")
    (folder / "user.py").write_text(
        "from toybook.sums import OFFSET\n"
        "def offset():\n    return OFFSET\n"
        "def fourth_power(x):\n    from toybook.powers import fourth\n    return fourth(x)\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield Package("toybook")
    for name in [name for name in sys.modules if name.startswith("toybook")]:
        del sys.modules[name]


def verdicts(package, module, old, check, monkeypatch):
    """Who notices each change of an expression, where the one test there is checks this."""
    monkeypatch.setattr(run, "AT_LEAST", 5.0)
    path = f"toybook/{module}.py"
    functions = importlib.import_module(f"toybook.{module}")
    killers = [Killer("the test", frozenset(), lambda: (None, bool(check(functions))), functions)]
    assert measure(killers, package, 1) == {}
    found = [mutant for mutant in mutants(package.source(path).read_text(encoding="utf-8"), path) if mutant.old == old]
    done = run_forked(found, lambda mutant: run.try_mutant(mutant, package, killers), 1)
    return {mutant.new: run.outcome_of("theory", mutant, how, result).noticed_by for mutant, how, result in done}


@needs_fork
class TestTrial:
    def test_a_test_that_bites_notices_every_change_although_results_are_cached(self, toy, monkeypatch):
        sums = importlib.import_module("toybook.sums")
        assert sums.shifted(7) == 12
        found = verdicts(toy, "sums", "a + OFFSET", lambda sums: sums.shifted(7) == 12, monkeypatch)
        assert len(found) == 5
        assert set(found.values()) == {"the test"}
        assert sums.shifted(7) == 12

    def test_a_weak_test_lets_changes_survive(self, toy, monkeypatch):
        found = verdicts(toy, "sums", "a + OFFSET", lambda sums: sums.shifted(7) > 7, monkeypatch)
        assert found["a - OFFSET"] == "the test"
        assert found["(a + OFFSET) * 101 / 100"] == ""

    def test_what_no_test_runs_survives(self, toy, monkeypatch):
        found = verdicts(toy, "sums", "a * 2", lambda sums: sums.shifted(7) == 12, monkeypatch)
        assert set(found.values()) == {""}

    def test_a_constant_reaches_the_modules_that_imported_it(self, toy, monkeypatch):
        user = importlib.import_module("toybook.user")
        found = verdicts(toy, "sums", "5", lambda sums: sums.shifted(7) == 7 + user.offset(), monkeypatch)
        assert found["6"] == ""
        found = verdicts(toy, "sums", "5", lambda sums: sums.shifted(7) == 12 and user.offset() == 5, monkeypatch)
        assert found["6"] == "the test"

    def test_of_two_lambdas_on_one_line_only_the_one_that_is_meant_is_changed(self, toy, monkeypatch):
        found = verdicts(toy, "sums", "a + 9", lambda sums: sums.PAIR["less"](9) == 0, monkeypatch)
        assert found == {"a - 9": ""}
        found = verdicts(toy, "sums", "a + 9", lambda sums: sums.PAIR["more"](9) == 18, monkeypatch)
        assert found == {"a - 9": "the test"}

    def test_a_claim_is_tried_anew_although_the_suite_keeps_its_trials(self, monkeypatch, tmp_path):
        monkeypatch.setenv(session.VARIABLE, str(tmp_path))
        (killer,) = (killer for killer in claim_killers() if killer.name == "claim A.rho")
        assert killer.run()[1]
        assert not list(tmp_path.iterdir())

    def test_an_endless_loop_is_noticed_by_its_time(self, toy, monkeypatch):
        monkeypatch.setattr(run, "SLOWER", 1)
        source = toy.source("toybook/sums.py")
        found = [
            m for m in mutants(source.read_text(encoding="utf-8"), "toybook/sums.py") if (m.old, m.new) == ("1", "0")
        ]
        killers = [Killer("the test", frozenset(), lambda: (None, sys.modules["toybook.sums"].Counter().up_to(3) == 3))]
        assert measure(killers, toy, 1) == {}
        monkeypatch.setattr(run, "AT_LEAST", 0.5)
        (done,) = run_forked(found[-1:], lambda m: run.try_mutant(m, toy, killers), 1)
        assert run.outcome_of("theory", *done).noticed_by == "the time limit"

    def test_what_is_red_before_anything_is_changed_is_left_out(self, toy):
        killers = [
            Killer("green", frozenset(), lambda: (None, True)),
            Killer("bad", frozenset(), lambda: (None, False)),
        ]
        assert measure(killers, toy, 1) == {"bad": "red"}
        assert [killer.measured for killer in killers] == [True, False]

    def test_a_slow_test_has_no_say_and_a_slow_claim_has(self, toy):
        sums = importlib.import_module("toybook.sums")

        def count_for_a_while():
            end = time.process_time() + 0.3
            while time.process_time() < end:
                sums.Counter().up_to(3)
            return None, True

        killers = [
            Killer("a test", frozenset(), count_for_a_while, sums),
            Killer("a claim", frozenset(), count_for_a_while),
        ]
        assert measure(killers, toy, 1, slowest=0.1) == {}
        assert [len(killer.reach) for killer in killers] == [0, 1]
        assert killers[0].seconds < 0.2 < killers[1].seconds

    def test_the_functions_that_run_are_known_and_the_kernels_at_hand(self, toy):
        powers, sums = (importlib.import_module(f"toybook.{name}") for name in ("powers", "sums"))
        toy.collect()
        killers = [
            Killer("sums", frozenset(), lambda: (None, sums.Counter().up_to(sums.shifted(-4)) == 1)),
            Killer("kernels", frozenset(), lambda: (None, powers.fourth(2.0) == 16), powers),
        ]
        assert measure(killers, toy, 1) == {}
        reached = [sorted(name for _, _, name in killer.reach) for killer in killers]
        assert reached == [["Counter.up_to", "shifted"], ["fourth", "square"]]

    def test_a_kernel_that_is_imported_where_it_is_called_is_reached(self, toy):
        user = importlib.import_module("toybook.user")
        importlib.import_module("toybook.powers")
        toy.collect()
        killer = Killer("user", frozenset(), lambda: (None, user.fourth_power(2.0) == 16))
        assert measure([killer], toy, 1) == {}
        assert sorted(name for _, _, name in killer.reach) == ["fourth", "fourth_power", "square"]

    def test_what_was_measured_is_kept_until_the_code_changes(self, toy, tmp_path):
        sums = importlib.import_module("toybook.sums")
        killer = Killer("the test", frozenset(), lambda: (None, sums.shifted(1) == 6))
        measure([killer], toy, 1)
        Kept(tmp_path, tmp_path / "kept").keep([killer], at_once=True)
        known = Killer("the test", frozenset(), killer.run)
        assert Kept(tmp_path, tmp_path / "kept").take([known]) == []
        assert known.reach == killer.reach
        file = tmp_path / "toybook" / "sums.py"
        file.write_text(TOY.replace("OFFSET = 5", "OFFSET = 6"), encoding="utf-8")
        kept._digest_of.cache_clear()
        assert Kept(tmp_path, tmp_path / "kept").take([known]) == [known]

    def test_a_kernel_is_compiled_anew_with_those_that_call_it(self, toy, monkeypatch):
        powers = importlib.import_module("toybook.powers")
        assert powers.fourth(3.0) == 81
        toy.collect()
        found = verdicts(toy, "powers", "a * a", lambda powers: powers.fourth(3.0) == 81, monkeypatch)
        assert found["a / a"] == "the test"
        found = verdicts(toy, "powers", "a * a", lambda powers: powers.fourth(1.0) >= 0, monkeypatch)
        assert found["a / a"] == ""


class TestEquivalents:
    ENTRY = '[[mutant]]\npath = "toy.py"\nline = "return a + 1"\nchange = "a + 1 -> a - 1"\nreason = "{}"\n'

    def listed(self, folder, entry, source="def f(a):\n    return a + 1\n"):
        (folder / "toy.py").write_text(source, encoding="utf-8")
        (folder / "list.toml").write_text(entry, encoding="utf-8")
        return read_equivalents(folder, folder)

    def test_an_entry_is_found_by_its_text(self, tmp_path):
        (one,) = self.listed(tmp_path, self.ENTRY.format("why"))
        source = "X = 1\n\ndef f(a):\n    return a + 1\n"
        (moved,) = self.listed(tmp_path, self.ENTRY.format("why"), source=source)
        for (path, serial), text in ((one, "def f(a):\n    return a + 1\n"), (moved, source)):
            mutant = mutants(text, path)[serial]
            assert (mutant.text, mutant.old, mutant.new) == ("return a + 1", "a + 1", "a - 1")

    def test_an_entry_may_mean_a_line_or_a_function(self, tmp_path):
        source = "def f(a):\n    return a + 1\n\ndef g(a):\n    b = 2 * a\n    return a + 1\n"
        entry = '[[mutant]]\npath = "toy.py"\n{}\nreason = "why"\n'
        of_line = self.listed(tmp_path, entry.format('line = "return a + 1"'), source)
        of_g = self.listed(tmp_path, entry.format('function = "g"'), source)
        both = self.listed(tmp_path, entry.format('function = "g"\nline = "return a + 1"'), source)
        assert both == of_line & of_g != of_line != of_g
        assert {mutants(source, "toy.py")[serial].definition[1] for _, serial in of_g} == {"g"}
        with pytest.raises(ValueError, match="function or line"):
            self.listed(tmp_path, entry.format(""), source)

    def test_an_entry_that_no_longer_exists_is_an_error(self, tmp_path):
        with pytest.raises(ValueError, match="no such mutant"):
            self.listed(tmp_path, self.ENTRY.format("why"), source="def f(a):\n    return a + 2\n")

    def test_an_entry_without_a_reason_or_twice_is_an_error(self, tmp_path):
        with pytest.raises(ValueError, match="reason"):
            self.listed(tmp_path, self.ENTRY.format(" "))
        with pytest.raises(ValueError, match="twice"):
            self.listed(tmp_path, 2 * self.ENTRY.format("why"))

    def test_the_list_of_the_project_is_up_to_date(self):
        read_equivalents(ROOT / run.EQUIVALENTS, ROOT)


def outcomes(noticed_by, *, part="theory", unplaced=False):
    (mutant, *_) = mutants("def f(a):\n    return a + 1\n", "toy.py")
    return [Outcome(part, mutant, name, unplaced) for name in noticed_by]


def test_the_summary_shows_survivors_and_what_is_below_the_target():
    found = outcomes(["", *(98 * ["a test"])])
    assert [score.reached for score in scores(found)] == [True]
    assert "toy.py:2" in summary(found)
    found = outcomes(3 * [""] + 20 * ["x by its evidence"], part="claims")
    assert scores(found) == [Score("claims", 23, 20, 20)]
    assert not scores(found)[0].reached
    assert "below" in summary(found)


def test_what_was_not_placed_counts_for_nothing():
    found = [*outcomes(["a test"]), *outcomes([""], unplaced=True)]
    assert scores(found) == [Score("theory", 1, 1, 0)]
    assert "No survivors." in summary(found)


def test_the_record_has_the_last_scores_of_each_part(tmp_path):
    file = tmp_path / "kept.json"
    write_record(file, [*outcomes(["a", ""]), *outcomes(["b"], part="claims")], 3, 7)
    write_record(file, [*outcomes(["b", ""], part="claims")], 4, 8)
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert kept["equivalent"] == 8
    assert list(kept["parts"]) == ["theory", "claims"]
    assert kept["parts"]["theory"] == {"seed": 3, "mutants": 2, "noticed": 1, "by_evidence": 0, "target": 0.98}
    assert kept["parts"]["claims"] == {"seed": 4, "mutants": 2, "noticed": 1, "by_evidence": 0, "target": 0.9}
