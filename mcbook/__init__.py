"""mcbook: the implementations of an executable book on multi-class classification.

Every public name of a chapter is a public name here, and every chapter is a subpackage; both load on first use, so that
``import mcbook`` stays fast.
"""

from __future__ import annotations

import importlib
from typing import Any

from mcbook.foundation.lazy import submodules

__version__ = "0.1.0"

_TRIALS = ("ledger", "trace", "verify")
_NO_CHAPTERS = ("__main__", "claims", "commands", "exercises", "experiments", "foundation")


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    modules = submodules(__file__)
    if name in modules:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _TRIALS:
        return getattr(importlib.import_module(f"{__name__}.claims"), name)
    if name == "check":
        return importlib.import_module(f"{__name__}.exercises").check
    for module in modules:
        if module not in _NO_CHAPTERS:
            chapter = importlib.import_module(f"{__name__}.{module}")
            if name in chapter.__all__:
                return getattr(chapter, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}: no chapter has a public name like that")


def __dir__() -> list[str]:
    modules = submodules(__file__)
    chapters = [importlib.import_module(f"{__name__}.{module}") for module in modules if module not in _NO_CHAPTERS]
    found = {*modules, *_TRIALS, "check", "__version__", *(name for chapter in chapters for name in chapter.__all__)}
    return sorted(found - {"__main__"})
