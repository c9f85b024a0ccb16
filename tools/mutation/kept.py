"""Measurements of the killers, kept in a file between runs: they are much of the work where a part is tried again."""

from __future__ import annotations

import functools
import hashlib
import pickle
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools.mutation.killers import Killer

SECONDS_BETWEEN = 30.0


class Kept:
    """What was measured of each killer, found again while its test and what it runs of the package stay as they are."""

    def __init__(self, root: Path, file: Path | None) -> None:
        self.root, self.file = root, file
        self._helpers = _digest(sorted(path for path in root.glob("tests/**/*.py") if path.name[:5] != "test_"))
        self._found: dict[str, Any] = {}
        self._written = time.monotonic()
        if file is not None and file.exists():
            self._found = pickle.loads(file.read_bytes())

    def take(self, killers: Iterable[Killer]) -> list[Killer]:
        """Give each what is known of it; give back those of which nothing is."""
        unknown = []
        for killer in killers:
            state, seconds, outcome, reach = self._found.get(killer.name, (None, 0.0, None, frozenset()))
            if state is not None and state == self._state(killer.name, reach):
                killer.seconds, killer.outcome, killer.reach, killer.measured = seconds, outcome, reach, True
            else:
                unknown.append(killer)
        return unknown

    def keep(self, killers: Iterable[Killer], *, at_once: bool = False) -> None:
        """Write what is known; in the middle of a run not more often than worth its time."""
        if self.file is None or not (at_once or time.monotonic() - self._written > SECONDS_BETWEEN):
            return
        for one in killers:
            if one.measured:
                self._found[one.name] = (self._state(one.name, one.reach), one.seconds, one.outcome, one.reach)
        self.file.write_bytes(pickle.dumps(self._found))
        self._written = time.monotonic()

    def _state(self, name: str, reach: Iterable[tuple[str, int, str]]) -> tuple[str, ...]:
        test = self.root / name.split("::")[0]
        files = sorted({Path(file) for file, _, _ in reach} | ({test} if test.is_file() else set()))
        return self._helpers, *map(_digest_of, files)


def _digest(files: Iterable[Path]) -> str:
    return hashlib.sha256("".join(map(_digest_of, files)).encode()).hexdigest()


@functools.cache
def _digest_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else ""
