"""What ``python -m mcbook replicate`` does: run the cells of a table, and say what came of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from mcbook.experiments.grid import cells_of
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
    """Run what is not recorded yet; the number that it returns is that of the command: 0 if nothing went wrong."""
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
    print(f"{table}: {summary.run} parts run, {summary.before} recorded before; records in {records.folder}")
    by_fault: dict[str, list[str]] = {}
    for part, fault in summary.faults.items():
        by_fault.setdefault(fault, []).append(f"{part.cell}, fold {part.fold}")
    for fault, parts in by_fault.items():
        more = f" and {len(parts) - 1} more" if len(parts) > 1 else ""
        print(f"not run: {parts[0]}{more}: {fault}", file=sys.stderr)
    return 1 if summary.faults else 0
