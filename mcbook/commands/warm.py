"""Compile every kernel ahead of use."""

from __future__ import annotations

import importlib
import pkgutil
import time
from collections.abc import Iterator


def warm() -> Iterator[tuple[str, float]]:
    """Import every kernel module, which compiles its kernels with explicit signatures or loads them from disk."""
    import mcbook.kernels as kernels

    for module in pkgutil.iter_modules(kernels.__path__):
        begun = time.perf_counter()
        importlib.import_module(f"{kernels.__name__}.{module.name}")
        yield module.name, time.perf_counter() - begun
