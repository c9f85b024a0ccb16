"""How a mutant gets into the running package: the code of live functions is replaced, compiled kernels are made anew.

Nothing is imported again, and nothing is put back: it happens in a forked process that ends after its one mutant.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib
import itertools
import pkgutil
import sys
import types
from collections import defaultdict
from pathlib import Path
from typing import Any

from tools.mutation.operators import Mutant, mutated

# File, first line and qualified name: what a function object and the code compiled from its source have in common.
Key = tuple[str, int, str]


class NotPlaced(RuntimeError):
    """No live function runs the code that the mutant changes."""


def key_of(code: types.CodeType) -> Key:
    return code.co_filename, code.co_firstlineno, code.co_qualname


class Package:
    """A package with all of its modules imported: its functions, constants, caches and compiled kernels."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.folder = Path(importlib.import_module(name).__path__[0]).resolve()
        for module in pkgutil.walk_packages([str(self.folder)], f"{name}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
        self.collect()

    def collect(self) -> None:
        """Look through everything that lives for what belongs to the package."""
        self.functions: dict[Key, list[Any]] = defaultdict(list)
        self.caches: list[Any] = []
        self.kernels: list[Any] = []
        for thing in gc.get_objects():
            if type(thing) is types.FunctionType and thing.__code__.co_filename.startswith(str(self.folder)):
                self.functions[key_of(thing.__code__)].append(thing)
            elif type(thing) is functools._lru_cache_wrapper and self._owns(thing.__wrapped__):
                self.caches.append(thing)
            elif type(thing).__name__ == "CPUDispatcher" and self._owns(thing.py_func):
                self.kernels.append(thing)

    def running(self, code: types.CodeType) -> list[Any]:
        """The live functions made of this code; two lambdas of one line have the same key, and other columns."""
        return [one for one in self.functions.get(key_of(code), ()) if one.__code__ == code]

    def _owns(self, function: Any) -> bool:
        return getattr(function, "__module__", "").split(".")[0] == self.name

    def modules(self) -> list[types.ModuleType]:
        owned = (name for name in list(sys.modules) if name == self.name or name.startswith(f"{self.name}."))
        return [sys.modules[name] for name in owned if hasattr(sys.modules[name], "__file__")]

    def owns(self, module: types.ModuleType) -> bool:
        return module.__name__.split(".")[0] == self.name

    def source(self, path: str) -> Path:
        return self.folder.parent / path

    def forget(self) -> None:
        """Empty what the package's functions remember: it may come from before the change."""
        for cache in self.caches:
            cache.cache_clear()

    def put(self, mutant: Mutant) -> None:
        """Make the change in the running package."""
        file = self.source(mutant.path)
        source = file.read_text(encoding="utf-8")
        tree = mutated(source, mutant.serial)
        if mutant.definition == (0, ""):
            self._put_constant(file, mutant.line, tree)
        else:
            self._put_code(code_of(source, str(file)), code_of(tree, str(file)), mutant)
        self.forget()

    def _put_code(self, old: types.CodeType, new: types.CodeType, mutant: Mutant) -> None:
        replaced = []
        for before, after in changed_codes(old, new):
            for function in self.running(before):
                if before.co_freevars != after.co_freevars:
                    raise NotPlaced(f"{mutant}: it changes which variables of the function around it are used")
                function.__code__ = after
                replaced.append(function)
        if not replaced:
            raise NotPlaced(f"{mutant}: no live function runs that code")
        affected = callers(self.kernels, replaced)
        for kernel in affected:
            compile_anew(kernel)

    def _put_constant(self, file: Path, line: int, tree: ast.Module) -> None:
        """Assign again, and hand the new value to every module that imported the name."""
        statement = next(one for one in tree.body if one.lineno <= line <= (one.end_lineno or one.lineno))
        (module,) = (one for one in self.modules() if Path(str(one.__file__)).resolve() == file)
        before = dict(vars(module))
        exec(compile(ast.Module([statement], []), str(file), "exec"), vars(module))
        changed = [name for name, value in vars(module).items() if before.get(name) is not value]
        for other, name in itertools.product(self.modules(), changed):
            if other is not module and name in vars(other) and vars(other)[name] is before[name]:
                setattr(other, name, vars(module)[name])
        uses = [k for k in self.kernels if set(changed) & set(all_names(k.py_func.__code__))]
        for kernel in callers(self.kernels, [kernel.py_func for kernel in uses]):
            compile_anew(kernel)


def code_of(module: str | ast.Module, file: str) -> types.CodeType:
    """A module's code as an import makes it: of what this module imports from the future nothing is passed on."""
    return compile(module, file, "exec", dont_inherit=True)


def changed_codes(old: types.CodeType, new: types.CodeType) -> list[tuple[types.CodeType, types.CodeType]]:
    """The pairs of code objects inside of these two that differ."""
    inner_old, inner_new = ([c for c in code.co_consts if isinstance(c, types.CodeType)] for code in (old, new))
    if len(inner_old) != len(inner_new):
        return []
    pairs = [pair for pair in zip(inner_old, inner_new, strict=True) if pair[0] != pair[1]]
    return [*pairs, *(inner for pair in pairs for inner in changed_codes(*pair))]


def all_names(code: types.CodeType) -> set[str]:
    inner = (c for c in code.co_consts if isinstance(c, types.CodeType))
    return set(code.co_names).union(*map(all_names, inner))


def callers(kernels: list[Any], functions: list[Any]) -> list[Any]:
    """The compiled kernels made of these functions, and those that call them, callees first."""
    found = [kernel for kernel in kernels if any(kernel.py_func is function for function in functions)]
    for callee in found:  # grows while it is walked through
        for kernel in kernels:
            function = kernel.py_func
            called = (function.__globals__.get(name) for name in all_names(function.__code__))
            if kernel not in found and any(value is callee for value in called):
                found.append(kernel)
    return found


def compile_anew(kernel: Any) -> None:
    """Compile all signatures from the function's present code; what numba keeps on disk is neither read nor written."""
    from numba.core.caching import NullCache

    kernel._cache = NullCache()
    kernel.recompile()
