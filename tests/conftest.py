"""What every run of the suite reports at its end: how much of the ledger the book covers."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    from mcbook.claims.core.book import read_book
    from mcbook.claims.core.coverage import coverage, summary

    states = coverage(read_book(ROOT / "book"))
    terminalreporter.section("theorem coverage")
    chapters = dict.fromkeys(state.entry.chapter for state in states)
    for chapter in chapters:
        mine = [state for state in states if state.entry.chapter == chapter]
        done = sum(state.done for state in mine)
        terminalreporter.write_line(f"{chapter:28} {done:3} of {len(mine):3}")
    terminalreporter.write_line(summary(states))
