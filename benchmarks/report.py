"""The table on the terminal and the file in results/."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

RESULTS = Path(__file__).resolve().parent.parent / "results" / "benchmarks.json"
_PACKAGES = ("mcbook", "numpy", "scipy", "numba", "scikit-learn", "liblinear-official", "python-crfsuite")

# Times of a loaded machine are no comparison: the load average of a minute above which nothing is recorded.
MOST_LOAD = 1.5


def wait_until_quiet(patience: float = 180.0) -> None:
    """Wait until the load has fallen to ``MOST_LOAD``: what a run before this one caused goes away by itself.

    Raises a ``RuntimeError`` when it is still higher after ``patience`` seconds.
    """
    until = time.monotonic() + patience
    while (load := _load()) > MOST_LOAD:
        if time.monotonic() > until:
            raise RuntimeError(
                f"expected a quiet machine, with a load average of at most {MOST_LOAD}, got {load:.2f}: "
                "end the other work and run this again"
            )
        time.sleep(2)


def _load() -> float:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def machine() -> dict[str, Any]:
    """What the times depend on: processor, cores, system, Python and the versions of the packages that took part."""
    versions = {}
    for package in _PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "missing"
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load_before": round(_load(), 2),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": versions,
    }


def save(entries: dict[str, Any], path: Path = RESULTS) -> None:
    """Put the entries, by name, into the file; others that it holds stay, and it is never half-written."""
    held = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.parent.mkdir(exist_ok=True)
    draft = path.with_suffix(".tmp")
    draft.write_text(json.dumps({**held, **entries}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    draft.replace(path)


def saved(name: str, path: Path = RESULTS) -> dict[str, Any]:
    """The entry of that name as the file holds it; an empty one where there is none."""
    return dict(json.loads(path.read_text(encoding="utf-8")).get(name, {})) if path.exists() else {}


def lines(name: str, entry: dict[str, Any]) -> Iterator[str]:
    """The entry as the terminal shows it."""
    yield ""
    yield name
    for missing in entry.get("missing", []):
        yield f"  {missing:32} not installed: left out"
    for row in entry.get("timings", []):
        memory = "" if row["peak_megabytes"] is None else f"{row['peak_megabytes']:8.1f} MB"
        reached = "" if row["quality_reached"] else f"   quality {row['quality']:.2g}: NOT REACHED"
        yield f"  {row['contender']:32} {_seconds(row)}  cpu {row['cpu_seconds']:9.4f} s {memory}{reached}"
    for row in entry.get("ratios", []):
        low, median, high = row["ratio"]
        target = "" if row["target"] is None else f"   target {row['target']:g}: {_met(median >= row['target'])}"
        yield f"  {row['peer'] + ' / ours':32} {median:9.2f}    [{low:.2f}, {high:.2f}]{target}"
    stated = entry.get("stated_exponent")
    for row in entry.get("growth", []):
        low, high = row["interval"]
        formula = "" if stated is None else f"   formula {stated:.2f}"
        yield f"  {row['contender']:32} grows with exponent {row['exponent']:.2f}  [{low:.2f}, {high:.2f}]{formula}"
    yield from _grid(entry.get("grid", []))
    for row in entry.get("start", []):
        most = "" if row["most"] is None else f"   at most {row['most']:g} s: {_met(row['seconds'] <= row['most'])}"
        yield f"  {row['name']:44} {_seconds(row)}{most}"


def _grid(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Every set of data with the ratio of the processor times, and how the ratios are spread."""
    if not rows:
        return
    for row in rows:
        least = ">" if row["at_least"] else " "
        times = f"{row['seconds']:9.4f} s {least}{row['peer_seconds']:9.4f} s"
        yield f"  {row['name']:38} {times} {least}{row['ratio']:8.2f}"
    for part, held_out in (("the grid", False), ("sets held out", True)):
        ratios = sorted(row["ratio"] for row in rows if row["held_out"] == held_out)
        if ratios:
            spread = ", ".join(f"{q:.2f}" for q in np.quantile(ratios, [0, 0.25, 0.5, 0.75, 1]))
            targets = f"targets least 1: {_met(ratios[0] >= 1)}, median 10: {_met(np.median(ratios) >= 10)}"
            yield f"  peer / ours, {part}: least, quartiles, most  {spread}   {targets}"


def _seconds(row: dict[str, Any]) -> str:
    low, high = row["quartiles"]
    return f"{row['seconds']:9.4f} s  [{low:.4f}, {high:.4f}]"


def _met(yes: bool) -> str:
    return "met" if yes else "not met"


def _processor() -> str:
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
