"""`python -m benchmarks [words]`: run the comparisons whose names contain one of the words, or all of them."""

from __future__ import annotations

import argparse
import importlib
import json
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import benchmarks
from benchmarks import cold_start, memory, methods, race, report, structured_growth, structured_race, svm_grid, workers
from benchmarks.harness import Case, Growth, Timing, compare, measure_growth, ratios

_START = "start-up"
_RECORDS = {module.NAME: module for module in (race, methods, structured_growth, structured_race, workers)}
_OTHERS = (_START, svm_grid.NAME, *_RECORDS)
_ESTIMATORS = (("mcbook", "MulticlassPerceptron"), ("mcbook.svm_solvers", "MulticlassSVM"))


def chapters() -> Iterator[Any]:
    """The modules of this package that hold comparisons."""
    for module in pkgutil.iter_modules(benchmarks.__path__):
        found = importlib.import_module(f"benchmarks.{module.name}") if module.name != "__main__" else None
        if hasattr(found, "cases"):
            yield found


def all_cases() -> dict[str, Case]:
    return {case.name: case for chapter in chapters() for case in chapter.cases()}


def all_growths() -> dict[str, Growth]:
    return {
        growth.name: growth for chapter in chapters() if hasattr(chapter, "growths") for growth in chapter.growths()
    }


def run_case(case: Case, rounds: int) -> dict[str, Any]:
    """Times, memory and ratios of one case."""
    timings = compare(case, case.data(), rounds)
    for timing in timings:
        if case.passes is None or timing.setting is not None:
            timing.peak_megabytes = peak_memory(case, timing)
    kinds = 1 if case.passes is None else 2
    compared = [
        {
            "peer": peer.contender,
            "ratio": ratios(timings[i % kinds], peer),
            # Other programs of ours are listed beside the first, which is asked to beat the peers.
            "target": None if i % kinds or peer.contender.startswith("mcbook") else case.target,
        }
        for i, peer in enumerate(timings)
        if i >= kinds
    ]
    return {"missing": case.missing, "timings": [timing.summary for timing in timings], "ratios": compared}


def peak_memory(case: Case, timing: Timing) -> float:
    """Megabytes that the work adds to the largest size of a fresh process that holds the data and has warmed up."""
    arguments = [case.name, timing.contender.removesuffix(", fit"), json.dumps(timing.setting)]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--peak-memory", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"measuring the memory of {timing.contender} failed:\n{done.stderr}")
    return float(done.stdout.split()[-1])


def _own_peak_memory(name: str, contender: str, setting: str) -> float:
    case = all_cases()[name]
    chosen = next(c for c in case.contenders if c.name == contender)
    chosen.run(case.smoke(), json.loads(setting))
    data = case.data()
    before = memory.start()
    chosen.run(data, json.loads(setting))
    return memory.peak() - before


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("words", nargs="*", help="parts of names; without any, everything is run")
    parser.add_argument("--rounds", type=int, default=5, help="how often each contender runs (default 5)")
    parser.add_argument("--list", action="store_true", help="list the names and stop")
    parser.add_argument("--peak-memory", nargs=3, metavar=("CASE", "CONTENDER", "SETTING"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.peak_memory:
        print(_own_peak_memory(*options.peak_memory))
        return
    cases, growths = all_cases(), all_growths()
    names = [n for n in (*cases, *growths, *_OTHERS) if not options.words or any(word in n for word in options.words)]
    if options.list or not names:
        print("\n".join(names or (*cases, *growths, *_OTHERS)))
        if not names:
            parser.error(f"no name contains {' or '.join(options.words)}; the names are above")
        return
    for name in names:
        try:
            report.wait_until_quiet()
        except RuntimeError as error:
            parser.exit(1, f"{error}\n")
        if name in _RECORDS:
            print(f"\n{name}\n  written to {_RECORDS[name].record()}: execute the notebook of the chapter again")
            continue
        entry = {"machine": report.machine()}
        if name in cases:
            entry |= run_case(cases[name], options.rounds)
        elif name in growths:
            growth = growths[name]
            measured = measure_growth(growth, min(3, options.rounds))
            entry |= {"sizes": growth.sizes, "growth": measured, "stated_exponent": growth.stated}
        elif name == svm_grid.NAME:
            known = {row["name"]: row["tolerance"] for row in report.saved(name).get("grid", [])}
            entry |= {"grid": svm_grid.measure(min(3, options.rounds), known=known)}
        else:
            entry |= {"start": cold_start.measure(options.rounds, _ESTIMATORS)}
        print("\n".join(report.lines(name, entry)), flush=True)
        report.save({name: entry})
    print(f"\nwritten to results/{report.RESULTS.name}")


if __name__ == "__main__":
    main()
