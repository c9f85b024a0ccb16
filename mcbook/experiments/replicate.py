"""What ``python -m mcbook replicate`` does: run the cells of a table, and say what came of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from mcbook.experiments.grid import Cell, Part, cells_of, n_parts
from mcbook.experiments.records import Records
from mcbook.experiments.runner import Summary, Workers, local_workers, replicate


def run(
    table: str,
    datasets: Sequence[str] = (),
    codes: Sequence[str] = (),
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    folder: Path | None = None,
) -> int:
    """Run what is not recorded yet; the number that it returns is that of the command: 0 if nothing is missing."""
    if jobs < 1:
        raise ValueError(f"expected --jobs with 1 or more processes, got {jobs}: 1 runs all parts in this process")
    cells = cells_of(table, datasets, codes)
    records = Records(folder)
    try:
        with _workers(jobs, scheduler) as workers:
            summary = replicate(cells, workers, n_workers=jobs, records=records)
    except KeyboardInterrupt:
        print("interrupted: what was finished is recorded, and the same command goes on from there", file=sys.stderr)
        return 130
    return _say(table, summary, records)


def _workers(jobs: int, scheduler: str | None) -> AbstractContextManager[Workers]:
    if scheduler is None:
        return local_workers(jobs)
    from mcbook.experiments.cluster import cluster_workers

    return cluster_workers(scheduler)


def _say(table: str, summary: Summary, records: Records) -> int:
    faults = summary.faults
    missing = f", {len(faults)} left out" if faults else ""
    print(f"{table}: {summary.run} parts run, {summary.before} recorded before{missing}; records in {records.folder}")
    for fault in dict.fromkeys(faults.values()):
        parts = sorted(part for part, of_part in faults.items() if of_part == fault)
        print(f"left out, {len(parts)} parts: {_named(parts)}\n  {fault}", file=sys.stderr)
    if faults:
        print(
            f"{table} is not complete: mend what is said above, and give the same command again, which runs no more "
            "than what is missing",
            file=sys.stderr,
        )
    return 1 if faults else 0


def _named(parts: Sequence[Part]) -> str:
    """The cells of the parts, with the folds where these are not all of them."""
    folds: dict[Cell, list[int]] = {}
    for part in parts:
        folds.setdefault(part.cell, []).append(part.fold)
    return "; ".join(
        str(cell) if len(of_cell) == n_parts(cell) else f"{cell} (fold {', '.join(map(str, of_cell))})"
        for cell, of_cell in folds.items()
    )
