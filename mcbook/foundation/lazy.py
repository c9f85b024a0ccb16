"""Packages whose names load on first use, and whose subpackages are found by walking them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lazy_loader

Attached = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]


def attach(package: str, file: str) -> Attached:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package: the names of its stub, and the modules inside it."""
    from_stub, _, names = lazy_loader.attach_stub(package, file)
    modules = submodules(file)

    def load(name: str) -> Any:
        return importlib.import_module(f"{package}.{name}") if name in modules else from_stub(name)

    return load, lambda: sorted({*names, *modules}), names


def submodules(file: str) -> list[str]:
    """The modules and packages that stand beside a package's ``__init__.py``."""
    return [found.name for found in pkgutil.iter_modules([str(Path(file).parent)])]
