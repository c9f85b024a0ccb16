"""Running the grid: on this machine or on a cluster, part by part, each kept as soon as it is finished."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, TextIO

from mcbook.experiments.costs import as_time, expected_seconds
from mcbook.experiments.grid import Cell, Part, parts_of
from mcbook.experiments.part import Outcome, depends_on, run_part, table_of
from mcbook.experiments.records import Records
from mcbook.foundation.types import Json


class Result(NamedTuple):
    """A part with its outcome, or with what went wrong instead."""

    part: Part
    outcome: Outcome | None
    fault: str = ""


# Takes parts, gives their results in any order.
Workers = Callable[[list[Part]], Iterator[Result]]


class Plan(NamedTuple):
    """What is known of the cells before a run.

    What each depends on, its folds that are recorded, and the cells that cannot be run, with the reason.
    """

    given: dict[Cell, Json]
    done: dict[Cell, set[int]]
    faults: dict[Cell, str]


class Summary(NamedTuple):
    """How many parts were there before, how many are new, and what went wrong with the others."""

    before: int
    run: int
    faults: dict[Part, str]


def attempt(part: Part) -> Result:
    """Run a part; what goes wrong with it must not end the run of the others."""
    try:
        return Result(part, run_part(part))
    except Exception as fault:
        return Result(part, None, _error_text(fault))


def _error_text(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}"


@contextmanager
def local_workers(jobs: int) -> Iterator[Workers]:
    """So many processes on this machine, each with a part in hand and one in waiting; for one job this very process."""
    if jobs == 1:
        yield lambda parts: map(attempt, parts)
        return
    from joblib import Parallel, delayed

    pool = Parallel(n_jobs=jobs, return_as="generator_unordered", pre_dispatch=2 * jobs, batch_size=1)
    yield lambda parts: pool(delayed(attempt)(part) for part in parts)


def replicate(
    cells: Iterable[Cell],
    workers: Workers,
    *,
    n_workers: int = 1,
    records: Records | None = None,
    stream: TextIO | None = None,
) -> Summary:
    """Run the parts that are not recorded yet, the quickest data sets first, and record each as it is finished.

    The one process that reads the results writes the records, so an interrupted run has lost no more than the parts
    that were under way.  A data set or a record that cannot be read costs its own cells and no others.
    """
    records = Records() if records is None else records
    stream = sys.stderr if stream is None else stream
    measured = records.seconds()
    cells = sorted(cells, key=lambda cell: expected_seconds(cell, measured))
    given, done, unfit = plan(cells, records)
    for fault in dict.fromkeys(unfit.values()):
        print(f"left out, the rest is run: {fault}", file=stream, flush=True)
    faults = {part: unfit[part.cell] for part in parts_of(unfit)}
    every = list(parts_of(cell for cell in cells if cell not in unfit))
    todo = [part for part in every if part.fold not in done[part.cell]]
    n_run = 0
    with Progress(todo, measured, n_workers, stream) as progress:
        for result in workers(todo):
            if result.outcome is None:
                faults[result.part] = result.fault
            else:
                records.add(result.part, given[result.part.cell], *result.outcome)
                n_run += 1
            progress.finished(result)
    return Summary(len(every) - len(todo), n_run, faults)


def plan(cells: Iterable[Cell], records: Records) -> Plan:
    """Read every data set and every record once, and find the cells for which that fails."""
    by_data: dict[str, list[Cell]] = {}
    for cell in cells:
        by_data.setdefault(cell.data, []).append(cell)
    found = Plan({}, {}, {})
    for name, of_set in by_data.items():
        try:
            table_of(name)
        except OSError as fault:
            found.faults.update(dict.fromkeys(of_set, _error_text(fault)))
            continue
        for cell in of_set:
            found.given[cell] = depends_on(cell)
            try:
                found.done[cell] = records.finished(cell, found.given[cell])
            except (OSError, ValueError) as fault:
                found.faults[cell] = _error_text(fault)
    return found


class Progress:
    """A bar over the expected seconds of all parts, with an estimate of the time that is left.

    The estimate is what the parts that are left cost by the records, at the pace of this run by the clock: so it knows
    how many workers there are, also of a cluster where they come and go.
    """

    def __init__(self, todo: list[Part], measured: dict[Cell, list[float]], n_workers: int, stream: TextIO) -> None:
        self.expected = {part: expected_seconds(part.cell, measured) for part in todo}
        self.n_workers, self.stream = n_workers, stream
        self.n_done, self.begun = 0, time.perf_counter()

    def __enter__(self) -> Progress:
        from tqdm import tqdm

        layout = "{l_bar}{bar}| {postfix}"
        total = sum(self.expected.values())
        self.bar: tqdm = tqdm(total=total, file=self.stream, bar_format=layout, disable=None if total else True)
        self._say("")
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.close()

    def finished(self, result: Result) -> None:
        self.n_done += 1
        self.bar.update(self.expected[result.part])
        self._say(f": {result.part.cell}")

    def seconds_left(self) -> float:
        """By the clock; before anything is finished, as if all workers were busy at the pace of the records."""
        left = max(sum(self.expected.values()) - self.bar.n, 0.0)
        if not self.bar.n:
            return float(left / self.n_workers)
        return float(left * (time.perf_counter() - self.begun) / self.bar.n)

    def _say(self, last: str) -> None:
        self.bar.set_postfix_str(
            f"{self.n_done} of {len(self.expected)}, about {as_time(self.seconds_left())} left{last}"
        )
