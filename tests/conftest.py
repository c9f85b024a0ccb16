"""What every run of the suite reports at its end: how much of the ledger the book covers."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest

# Examples are searched anew in the weekly run only; elsewhere the same ones every time, and however slow the machine.
hypothesis.settings.register_profile("suite", deadline=None, derandomize="MCBOOK_SWEEP" not in os.environ)
hypothesis.settings.load_profile("suite")

ROOT = Path(__file__).resolve().parent.parent


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    from mcbook.claims.spine.book import read_book
    from mcbook.claims.spine.coverage import coverage, formula_lines, formula_summary, summary

    states = coverage(read_book(ROOT / "book"))
    terminalreporter.section("theorem coverage")
    chapters = dict.fromkeys(state.entry.chapter for state in states)
    for chapter in chapters:
        mine = [state for state in states if state.entry.chapter == chapter]
        done = sum(state.done for state in mine)
        terminalreporter.write_line(f"{chapter:28} {done:3} of {len(mine):3}")
    terminalreporter.write_line(summary(states))
    terminalreporter.section("formulas that are not tested as printed", sep="-")
    for line in formula_lines(states):
        terminalreporter.write_line(line)
    terminalreporter.write_line(formula_summary(states))
