"""How much faster two workers run cells of the grid than one: processes of this machine, and workers of Dask.

A run is the whole command, on cells of short and of longer parts.  Starting Python and the workers takes seconds, which
count in a sample of a third of a minute and not in hours: the same command on the tiny data set tells how many, and
both efficiencies are kept.

The clock of a machine that does other things tells of those as well: so the CPU seconds of all processes stand beside
it, which hardly do, and the load before each run.  On a quiet machine of two cores all of it takes about two minutes.
"""

from __future__ import annotations

import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.report import machine

RECORD = Path(__file__).parents[1] / "results" / "two_workers.json"
NAME = "workers of the grid"
SETS, CODES = ("glass", "segmentation", "ecoli"), ("one-vs-rest", "all-pairs", "dense")
_START = ("tiny",)
_ROUNDS = 2
_KINDS = ("processes", "Dask workers")


def record(path: Path = RECORD, rounds: int = _ROUNDS, sets: tuple[str, ...] = SETS) -> str:
    """Run cells of Table 2 on these sets with one worker and with two, in turns; returns the name of the file."""
    times: dict[str, dict[int, list[dict[str, float]]]] = {kind: {1: [], 2: []} for kind in _KINDS}
    starts = {kind: {n: _run(kind, n, _START)["clock"] for n in of_kind} for kind, of_kind in times.items()}
    for _ in range(rounds):
        for kind, of_kind in times.items():
            for n_workers, runs in of_kind.items():
                runs.append(_run(kind, n_workers, sets) | {"start": starts[kind][n_workers]})
    found = {kind: _summary(of_kind) for kind, of_kind in times.items()}
    sample = {"rounds": rounds, "sets": sets, "codes": CODES, "cores": os.cpu_count()}
    entry = {"machine": machine()} | sample | {"workers": found}
    path.write_text(json.dumps(entry, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path.name


def _summary(runs: dict[int, list[dict[str, float]]]) -> dict[str, Any]:
    """Medians; the efficiencies are those of the pairs of runs that followed each other."""
    medians = {
        what: {str(n): _rounded(statistics.median(run[what] for run in of_n)) for n, of_n in runs.items()}
        for what in ("clock", "start", "cpu", "load")
    }
    pairs = list(zip(runs[1], runs[2], strict=True))

    def efficiency(of_run: Callable[[dict[str, float]], float], workers: int) -> float:
        return _rounded(statistics.median(of_run(one) / (workers * of_run(two)) for one, two in pairs))

    efficiencies = {
        "of the whole command": efficiency(lambda run: run["clock"], 2),
        "without the start": efficiency(lambda run: run["clock"] - run["start"], 2),
        "by CPU seconds": efficiency(lambda run: run["cpu"], 1),
    }
    return medians | {"efficiency": efficiencies}


def _run(kind: str, n_workers: int, sets: tuple[str, ...]) -> dict[str, float]:
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, _workers(kind, n_workers) as options:
        command = [sys.executable, "-m", "mcbook", "replicate", "table2", "--datasets", *sets, "--codes", *CODES]
        before, begun = _cpu(), time.perf_counter()
        subprocess.run([*command, "--results", folder, *options], check=True, stdout=subprocess.DEVNULL)
        clock = time.perf_counter() - begun
    # Of the workers it is known when they have ended.
    return {"clock": clock, "cpu": _cpu() - before, "load": load}


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def _workers(kind: str, n_workers: int) -> Iterator[list[str]]:
    """What to say to the command so that it has so many workers."""
    if kind == "processes":
        yield ["--jobs", str(n_workers)]
        return
    scheduler = _start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    started = [scheduler]
    try:
        address = _printed(scheduler, r"Scheduler at: +(tcp://\S+)")
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
        started += [_start("dask_worker", address, *options) for _ in range(n_workers)]
        for worker in started[1:]:
            _printed(worker, r"(Registered to)")
        yield ["--scheduler", address]
    finally:
        for process in reversed(started):
            process.terminate()
            process.communicate()


def _start(module: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def _printed(process: subprocess.Popen[str], pattern: str) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(pattern, line):
            return found[1]
    raise RuntimeError(f"expected {pattern!r} from {process.args!r}, which ended without it")


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")
