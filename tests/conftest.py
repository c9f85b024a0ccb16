"""What holds for every run of the suite: its seeds, who tries a claim, what it reports at its end."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import hypothesis
import pytest
from xdist.scheduler import LoadScopeScheduling

from mcbook.claims.spine.session import VARIABLE

# Examples are searched anew in the weekly run only; elsewhere the same ones every time, and however slow the machine.
hypothesis.settings.register_profile("suite", deadline=None, derandomize="MCBOOK_SWEEP" not in os.environ)
hypothesis.settings.load_profile("suite")

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure(config: pytest.Config) -> None:
    """The folder in which the trials of this run are kept, so that a notebook and a test try a claim once."""
    if not hasattr(config, "workerinput"):
        folder = tempfile.mkdtemp(prefix="mcbook-trials-")
        os.environ[VARIABLE] = folder
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        config.add_cleanup(lambda: os.environ.pop(VARIABLE, None))


@pytest.fixture(autouse=True)
def trials_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test may put something else in the place of a function: it neither takes nor leaves trials."""
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.fixture
def sparse_stays_sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Full matrices in sparse form are solved in that form, not as dense ones: small ones serve to test it."""
    from mcbook.svm_solvers.algorithm import objective

    monkeypatch.setattr(objective, "_DENSE", 1.0)


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Bytes are named by their number: packed ones hold the time, and workers must name each test alike."""
    return f"{argname}-of-{len(val)}-bytes" if isinstance(val, bytes) else None


class Scopes(LoadScopeScheduling):
    """A module or a notebook for one worker, but the trials of the claims one by one."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid if "/test_trials.py::" in nodeid else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> LoadScopeScheduling | None:
    return Scopes(config, log) if config.getvalue("dist") == "loadscope" else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """A run of the whole suite ends with how far the claims cover the book; the run of a part says only what it ran."""
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    from mcbook.claims.spine.book import read_book
    from mcbook.claims.spine.coverage import coverage, formula_summary, summary

    states = coverage(read_book(ROOT / "book"))
    terminalreporter.section("theorem coverage")
    terminalreporter.write_line(summary(states))
    terminalreporter.write_line(formula_summary(states))
