"""Compiled loops: how to run their lines uncompiled, and how to compile them all ahead of use.

Kernels are compiled on first use and kept on disk.  The same code also runs uncompiled on arrays of exact fractions
(`python_original`), which is how the claims check the very lines that the estimators use.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any


def python_original(kernel: Any) -> Callable[..., Any]:
    """The kernel as plain Python, with the kernels that it calls as plain Python too.

    Where numba is switched off by its ``NUMBA_DISABLE_JIT`` a kernel is that already.
    """
    function = getattr(kernel, "py_func", kernel)
    names = {
        name: python_original(value) if hasattr(value, "py_func") and value is not kernel else value
        for name, value in function.__globals__.items()
        if name in function.__code__.co_names or name == "__builtins__"
    }
    return types.FunctionType(function.__code__, names, function.__name__, function.__defaults__)
