"""The trial of a sample of mutants, inside one pytest session: collected once, and then every mutant in a fork.

What a test computes while it is collected, in the values of its parameters, was computed before any change and notices
none; nor does a default that was taken when a function or a dataclass was made.  A survivor may be one for that reason.
"""

from __future__ import annotations

import itertools
import resource
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tools.mutation.equivalents import Place, place_of, read_equivalents
from tools.mutation.forks import TIMED_OUT, limit_time, run_forked
from tools.mutation.kept import Kept
from tools.mutation.killers import Killer, claim_killers, measure, test_killers, warm_up
from tools.mutation.operators import Mutant, mutated
from tools.mutation.parts import sample
from tools.mutation.place import Package
from tools.mutation.report import Outcome, progress, scores, summary, write_record

# A killer may take this many times its own time, and this many seconds in any case, before it counts as hanging.
SLOWER, AT_LEAST = 10, 20.0
# What a mutant may cost: killers are taken until their times, unmutated, add up to this many seconds.
PATIENCE = 30.0
# The same where kernels are plain Python.
PLAIN_PATIENCE = 10.0
# A test that takes longer than this has no say: to measure the slowest few would take longer than all the others.
SLOWEST = 4.0
# What it takes to compile a mutated kernel and those that call it.
COMPILING = 200.0
MEMORY = 8 << 30
EQUIVALENTS = "tools/equivalent_mutants"
# Tests of pages, of the project but for the examples of docstrings, and of what is left out of the sample: others meet
# the rest of the package sooner.
NO_KILLERS = ("book", "project/test_[!d]*", "site")
NO_KILLERS += ("test_benchmarks", "test_commands", "test_experiments*", "test_replicate")


@dataclass(frozen=True)
class Settings:
    root: Path
    parts: tuple[str, ...]
    share: int  # how many mutants of each part
    seed: int
    workers: int
    keep: Path | None = None  # the file of measurements
    record: Path | None = None  # where to write the scores
    under: tuple[str, ...] = ()  # only of these modules and folders
    tests: tuple[str, ...] = ()  # only these, and no claims; otherwise all that speak of the package

    @property
    def plain(self) -> bool:
        """Whether kernels are plain Python in this process."""
        import numba

        return bool(numba.config.DISABLE_JIT)


class Session:
    """The pytest plug-in that does the work where pytest would run its tests."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.error = ""
        self.outcomes: list[Outcome] = []
        self.n_equivalent = 0
        self.left_out: dict[str, str] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        # Examples are looked for as in the suite, but one that fails need not be made small.
        import hypothesis

        phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)
        hypothesis.settings.register_profile("mutants", hypothesis.settings.default, phases=phases)
        hypothesis.settings.load_profile("mutants")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.error = f"{report.nodeid} cannot be collected:\n{report.longreprtext}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if not self.error:
            self._run(session.items)
        return True

    def _run(self, items: list[pytest.Item]) -> None:
        settings, start = self.settings, time.perf_counter()
        equivalents = read_equivalents(settings.root / EQUIVALENTS, settings.root)
        self.n_equivalent = len(equivalents)
        usable = usable_in(settings.root, equivalents)
        drawn = sample(settings.root, settings.parts, settings.share, settings.seed, usable, settings.under)
        package = Package("mcbook")
        warm_up(package)
        claims = [] if settings.tests or settings.plain else claim_killers()
        killers = [*claims, *test_killers(items, settings.root)]
        package.collect()
        kept = Kept(settings.root, settings.keep)
        unknown = kept.take(killers)
        self.left_out = measure(unknown, package, settings.workers, lambda: kept.keep(killers), SLOWEST)
        kept.keep(killers, at_once=True)
        killers = [killer for killer in killers if killer.name not in self.left_out]
        jobs = [(part, mutant) for part, mutants in drawn.items() for mutant in mutants]
        seconds = time.perf_counter() - start
        print(f"{len(unknown)} of {len(killers)} claims and tests measured in {seconds:.0f} s", flush=True)
        patience = PLAIN_PATIENCE if settings.plain else PATIENCE
        for job, how, result in run_forked(
            jobs, lambda job: try_mutant(job[1], package, killers, patience), settings.workers
        ):
            self.outcomes.append(outcome_of(*job, how, result))
            progress(self.outcomes[-1], len(self.outcomes), len(jobs))
        print(f"{time.perf_counter() - start:.0f} s in all", flush=True)


def usable_in(root: Path, equivalents: set[Place]) -> Any:
    def usable(mutant: Mutant) -> bool:
        """Whether it changes the compiled code at all, and is not known to be equivalent."""
        source = (root / mutant.path).read_text(encoding="utf-8")
        same = compile(source, "", "exec") == compile(mutated(source, mutant.serial), "", "exec")
        return not same and place_of(mutant) not in equivalents

    return usable


def reaching(mutant: Mutant, package: Package, killers: Iterable[Killer], patience: float = PATIENCE) -> list[Killer]:
    """Those that run the changed function: first what was written for it, and the fastest first."""
    file, line = str(package.source(mutant.path)), mutant.definition[0]
    words = set(Path(mutant.path).with_suffix("").parts) - {"mcbook"}
    if "spine" not in words:
        words -= {"claims"}
    runs = [k for k in killers if any(key[0] == file and line in (0, key[1]) for key in k.reach)]
    runs.sort(key=lambda killer: (not killer.home & words, killer.seconds))
    spent = itertools.accumulate(killer.seconds for killer in runs)
    return [killer for killer, total in zip(runs, spent, strict=True) if total - killer.seconds < patience]


def try_mutant(mutant: Mutant, package: Package, killers: list[Killer], patience: float = PATIENCE) -> str:
    """Who noticed it and how; empty where nobody did.  Runs in a process of its own."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    chosen = reaching(mutant, package, killers, patience)
    if not chosen:
        return ""
    limit_time(COMPILING)
    package.put(mutant)
    for killer in chosen:
        limit_time(max(SLOWER * killer.seconds, AT_LEAST))
        try:
            outcome, well = killer.run()
        except Exception as error:
            return f"{killer.name} raised {type(error).__name__}"
        if not well:
            return killer.name
        # The suite compares each claim's evidence with what is recorded of it, so that another one is noticed.
        if outcome != killer.outcome:
            return f"{killer.name} by its evidence"
    return ""


def outcome_of(part: str, mutant: Mutant, how: str, result: Any) -> Outcome:
    if how == TIMED_OUT:
        return Outcome(part, mutant, "the time limit")
    if how:
        # That a change cannot be put in place, or compiled by numba, is not the merit of a test; it says so.
        last = str(result).strip().splitlines()[-1]
        return Outcome(
            part, mutant, "" if "NotPlaced" in last else f"{how}: {last[:120]}", unplaced="NotPlaced" in last
        )
    return Outcome(part, mutant, result)


def all_tests(settings: Settings) -> list[str]:
    """Kernels have tests of their own, small enough for plain Python; all others may notice anything else."""
    tests = settings.root / "tests"
    if settings.plain:
        return [str(file) for file in sorted(tests.glob("test_kernels_of_*.py"))]
    ignored = [f"--ignore-glob={tests / name}{end}" for name in NO_KILLERS for end in ("", ".py")]
    return [*ignored, "tests"]


def run(settings: Settings) -> int:
    """Try a sample: 0 where all is well, 1 where a part misses its target or a test was red, 2 if nothing was tried."""
    plugin = Session(settings)
    without = [f"-pno:{name}" for name in ("cacheprovider", "terminal", "faulthandler")]
    arguments = ["-o", "addopts=", *without, "-s", "--rootdir", str(settings.root)]
    if settings.plain:
        # What overflows on purpose, or divides by 0 with a meaning, warns where it is not compiled.
        arguments += ["-W", "ignore::RuntimeWarning"]
    pytest.main([*arguments, *(settings.tests or all_tests(settings))], plugins=[plugin])
    if plugin.error or not plugin.outcomes:
        print(plugin.error or "nothing was tried: no mutants were drawn or no tests collected")
        return 2
    print(summary(plugin.outcomes))
    for name, how in () if settings.plain else plugin.left_out.items():
        print(f"Left out, as it is {how} before anything is changed: {name}")
    if settings.record:
        write_record(settings.record, plugin.outcomes, settings.seed, plugin.n_equivalent)
    well = (settings.plain or not plugin.left_out) and all(score.reached for score in scores(plugin.outcomes))
    return 0 if well else 1
