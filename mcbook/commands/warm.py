"""Compile every kernel ahead of use."""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from pathlib import Path

from joblib import Parallel, cpu_count, delayed

import mcbook

_PACKAGE = Path(mcbook.__file__).parent
# The longest room takes a third of the time: more processes than this would wait for it, and only take memory.
_MOST_PROCESSES = 3


def warm() -> Iterator[tuple[str, float]]:
    """Have every kernel module imported, which compiles its kernels with explicit signatures or loads them from disk.

    Processes take one chapter after the other, those with most to compile first.  Chapters call few kernels of other
    chapters; what two processes need at the same time each of them compiles.
    """
    run = Parallel(n_jobs=min(cpu_count(), _MOST_PROCESSES), batch_size=1, return_as="generator")
    for modules in run(delayed(_import_timed)(names) for names in kernel_modules()):
        yield from modules


def kernel_modules() -> list[list[str]]:
    """The chapters' rooms called ``kernels`` with the modules inside them, the longest rooms first."""
    packages = [
        sorted(package.rglob("*.py")) if package.is_dir() else [package]
        for package in _PACKAGE.glob("*/kernels*")
        if package.is_dir() or package.suffix == ".py"
    ]
    packages.sort(key=lambda files: sum(file.stat().st_size for file in files), reverse=True)
    return [[_name(file) for file in files] for files in packages]


def _name(file: Path) -> str:
    return ".".join(file.relative_to(_PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def _import_timed(names: list[str]) -> list[tuple[str, float]]:
    timed = []
    for name in names:
        begun = time.perf_counter()
        importlib.import_module(f"{mcbook.__name__}.{name}")
        timed.append((name, time.perf_counter() - begun))
    return timed
