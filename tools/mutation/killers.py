"""What may notice a mutant: the claims of the book and the tests of the package, each with the functions it runs."""

from __future__ import annotations

import ast
import contextlib
import importlib
import os
import signal
import time
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tools.mutation.forks import run_forked
from tools.mutation.place import Key, Package
from tools.mutation.reach import kernels_at_hand, make_functions_tell, recorded_calls, telling_codes, with_kernels

# So many are measured in one process: they share what they import and load.
SHARE = 40


@dataclass
class Killer:
    """A claim or a test.  ``run`` gives its outcome, and whether all is well; the rest is measured once, unmutated."""

    name: str
    home: frozenset[str]  # words of its name or of its file's, to tell what it was written for
    run: Callable[[], tuple[Any, bool]]
    module: types.ModuleType | None = None  # of a test
    seconds: float = 0.0
    outcome: Any = None
    reach: frozenset[Key] = field(default_factory=frozenset)
    measured: bool = False


def claim_killers() -> list[Killer]:
    from mcbook.claims import claims, verify
    from mcbook.claims.spine.record import record_part
    from mcbook.claims.spine.session import VARIABLE

    def trial_of(claim: Any) -> Callable[[], tuple[Any, bool]]:
        def run() -> tuple[Any, bool]:
            # The suite keeps what a trial yields; here that would be what it yielded before the change.
            os.environ.pop(VARIABLE, None)
            trial = verify(claim)
            # The suite compares these with the stored record; its hashes of code would notice every mutant.
            return [record_part(part) for part in trial.parts], trial.stands

        return run

    return [Killer(f"claim {c.id}", frozenset({c.entry.chapter, "claims"}), trial_of(c)) for c in claims().values()]


def test_killers(items: Iterable[pytest.Item], root: Path) -> list[Killer]:
    """The tests, but for those that only put one claim on trial: the claim itself stands in their place."""

    def report_of(item: pytest.Item) -> Callable[[], tuple[Any, bool]]:
        def run() -> tuple[Any, bool]:
            reports = Reports()
            item.config.pluginmanager.register(reports)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            item.config.pluginmanager.unregister(reports)
            return None, not reports.failed

        return run

    found = []
    for item in items:
        if "entry_id" in getattr(getattr(item, "callspec", None), "params", {}):
            continue
        path = item.path.relative_to(root).with_suffix("")
        words = {word.removeprefix("test_") for word in path.parts}
        found.append(Killer(item.nodeid, frozenset(words), report_of(item), getattr(item, "module", None)))
    return found


class Reports:
    """A plug-in that sees whether anything failed."""

    def __init__(self) -> None:
        self.failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed


def warm_up(package: Package) -> None:
    """Import what the package's functions import when they are called, so that no fork has to."""
    names = set()
    for file in package.folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module)
    for name in sorted(names):
        with contextlib.suppress(ImportError):  # what is optional here is optional to the claims and tests too
            importlib.import_module(name)


def measure(
    killers: list[Killer],
    package: Package,
    workers: int,
    keep: Callable[[], None] = lambda: None,
    slowest: float | None = None,
) -> dict[str, str]:
    """Run each once on the package as it is, and ``keep`` what is known ever so often; those that are red, and how.

    A test that takes longer than the ``slowest`` may is interrupted and reaches nothing from then on.
    """
    shares = [list(range(i, min(i + SHARE, len(killers)))) for i in range(0, len(killers), SHARE)]
    codes = telling_codes(package)

    def work(share: list[int]) -> list[tuple[int, float, Any, bool, set[Key] | None]]:
        make_functions_tell(codes)
        found = []
        for i in share:
            package.forget()
            limit = None if killers[i].module is None else slowest
            start, outcome, well = time.process_time(), None, True
            with recorded_calls() as reach, interrupted_after(limit) as is_slow:
                outcome, well = killers[i].run()
            seconds = time.process_time() - start
            found.append((i, seconds, None, True, None) if is_slow() else (i, seconds, outcome, well, reach))
        return found

    doubtful = []
    for share, how, result in run_forked(shares, work, workers):
        if how:
            doubtful += share
            continue
        for i, seconds, outcome, well, reach in result:
            killers[i].seconds, killers[i].outcome, killers[i].measured = seconds, outcome, well
            if reach is not None:
                killers[i].reach = with_kernels(reach | kernels_at_hand(killers[i].module, package), package)
            doubtful += [] if well else [i]
        keep()
    return red_alone([killers[i] for i in doubtful], workers)


class TooSlow(BaseException):
    """Ends a test that has taken its time; no test catches it by catching errors."""


@contextlib.contextmanager
def interrupted_after(seconds: float | None) -> Iterator[Callable[[], bool]]:
    """Interrupt what runs, in plain Python, after so much of the process's time; tells whether that has happened."""
    happened = False

    def interrupt(*_: object) -> None:
        nonlocal happened
        happened = True
        raise TooSlow

    before = signal.signal(signal.SIGPROF, interrupt)
    signal.setitimer(signal.ITIMER_PROF, seconds or 0.0)
    try:
        with contextlib.suppress(TooSlow):
            yield lambda: happened
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def red_alone(killers: list[Killer], workers: int) -> dict[str, str]:
    """Those that are red in a process of their own, where nothing in the package tells: the others are believed."""
    red = {}
    for killer, how, result in run_forked(killers, lambda killer: killer.run(), workers):
        outcome, well = (None, False) if how else result
        killer.outcome, killer.measured = outcome, well
        if not well:
            red[killer.name] = how or "red"
    return red
