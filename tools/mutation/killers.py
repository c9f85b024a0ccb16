"""What may notice a mutant: the claims of the book and the tests of the package, each with the functions it runs."""

from __future__ import annotations

import ast
import contextlib
import importlib
import sys
import threading
import time
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tools.mutation.forks import run_forked
from tools.mutation.place import Key, Package, key_of


@dataclass
class Killer:
    """A claim or a test.  ``run`` gives its outcome, and whether all is well; the rest is measured once, unmutated."""

    name: str
    home: frozenset[str]  # words of its name or of its file's, to tell what it was written for
    run: Callable[[], tuple[Any, bool]]
    seconds: float = 0.0
    outcome: Any = None
    reach: frozenset[Key] = field(default_factory=frozenset)


def claim_killers() -> list[Killer]:
    from mcbook.claims import claims, verify
    from mcbook.claims.spine.record import record_part

    def trial_of(claim: Any) -> Callable[[], tuple[Any, bool]]:
        def run() -> tuple[Any, bool]:
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
        found.append(Killer(item.nodeid, frozenset(words), report_of(item)))
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


def measure(killers: list[Killer], package: Package, workers: int) -> list[str]:
    """Run each once on the package as it is; give back the names of those that are red."""
    shares = [list(range(i, len(killers), 8 * workers)) for i in range(min(8 * workers, len(killers)))]

    def work(share: list[int]) -> list[tuple[int, float, Any, bool, frozenset[Key]]]:
        found = []
        for i in share:
            package.forget()
            with recorded_calls(package) as reach:
                start = time.perf_counter()
                outcome, well = killers[i].run()
                seconds = time.perf_counter() - start
            # What watches calls itself cannot be watched meanwhile, and is believed without.
            outcome, well = (outcome, well) if well else killers[i].run()
            found.append((i, seconds, outcome, well, frozenset(reach)))
        return found

    red = []
    for share, how, result in run_forked(shares, work, workers):
        if how:
            raise RuntimeError(f"{', '.join(killers[i].name for i in share)}: {how}: {result}")
        for i, seconds, outcome, well, reach in result:
            killers[i].seconds, killers[i].outcome, killers[i].reach = seconds, outcome, with_kernels(reach, package)
            if not well:
                red.append(killers[i].name)
    return red


@contextlib.contextmanager
def recorded_calls(package: Package) -> Iterator[set[Key]]:
    """The package's functions that are called meanwhile."""
    codes: set[types.CodeType] = set()
    found: set[Key] = set()

    def note(frame: types.FrameType, event: str, _: Any) -> None:
        if event == "call":
            codes.add(frame.f_code)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        found.update(key_of(code) for code in codes if code.co_filename.startswith(str(package.folder)))


def with_kernels(reach: Iterable[Key], package: Package) -> frozenset[Key]:
    """The functions, and the compiled kernels that they name, which no profiler sees being called."""
    found = set(reach)
    waiting = [function for key in found for function in package.functions.get(key, ())]
    kernels = {id(kernel): kernel for kernel in package.kernels}
    for function in waiting:  # grows while it is walked through
        names = set(function.__code__.co_names)
        for name in names & function.__globals__.keys():
            kernel = kernels.get(id(function.__globals__[name]))
            if kernel is not None and key_of(kernel.py_func.__code__) not in found:
                found.add(key_of(kernel.py_func.__code__))
                waiting.append(kernel.py_func)
    return frozenset(found)
