"""Compile every kernel ahead of use."""

from __future__ import annotations

import importlib
import pkgutil
import time
from collections.abc import Iterator

import mcbook


def warm() -> Iterator[tuple[str, float]]:
    """Import every kernel module, which compiles its kernels with explicit signatures or loads them from disk."""
    for name in kernel_modules():
        begun = time.perf_counter()
        importlib.import_module(name)
        yield name.removeprefix("mcbook."), time.perf_counter() - begun


def kernel_modules() -> list[str]:
    """The chapters' rooms called ``kernels``, and the modules inside them."""
    found = [module.name for module in pkgutil.walk_packages(mcbook.__path__, "mcbook.")]
    return [name for name in found if "kernels" in name.split(".") and not name.startswith("mcbook.claims")]
