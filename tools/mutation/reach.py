"""Which functions of the package a claim or a test runs: each of them says so itself, by a first line of its own.

A tracer or a profiler would slow down everything that runs, also what is not the package's, and some claims and tests
set profilers themselves.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import itertools
import sys
import types
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tools.mutation.place import Key, Package, all_names, changed_codes, code_of, key_of

SAY = "__reached__"  # a builtin where something is measured


def telling_codes(package: Package) -> list[tuple[Any, types.CodeType]]:
    """Every live function of the package but for what numba compiles, and its code with such a line."""
    compiled = {id(kernel.py_func) for kernel in package.kernels}
    found = []
    for file in sorted({file for file, _, _ in package.functions}):
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
        before = code_of(tree, file)
        after = code_of(ast.fix_missing_locations(_Telling(file).visit(tree)), file)
        for old, new in changed_codes(before, after):
            functions = [one for one in package.running(old) if id(one) not in compiled]
            found += [(one, new) for one in functions if one.__code__.co_freevars == new.co_freevars]
    return found


def make_functions_tell(codes: Iterable[tuple[Any, types.CodeType]]) -> None:
    """Put the codes in place in this process, for good."""
    setattr(builtins, SAY, _say_nothing)
    for function, code in codes:
        function.__code__ = code


def _say_nothing(*_: object) -> None:
    """What the lines call while nobody records them."""


class _Telling(ast.NodeTransformer):
    """Puts in the lines; a function within another one speaks for the outermost, as mutants do."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.classes: list[str] = []
        self.outermost: Key | None = None

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.classes.append(node.name)
        self.generic_visit(node)
        self.classes.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        with self._inside(first, node.name) as line:
            node.body = [self.visit(statement) for statement in node.body]
            has_docstring = ast.get_docstring(node, clean=False) is not None
            node.body.insert(int(has_docstring), ast.copy_location(ast.Expr(line), node.body[0]))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        with self._inside(node.lineno, "<lambda>") as line:
            node.body = ast.copy_location(ast.BoolOp(ast.Or(), [line, self.visit(node.body)]), node.body)
        return node

    @contextlib.contextmanager
    def _inside(self, first_line: int, name: str) -> Iterator[ast.expr]:
        before = self.outermost
        self.outermost = before or (self.file, first_line, ".".join([*self.classes, name]))
        yield ast.parse(f"{SAY}{self.outermost!r}", mode="eval").body
        self.outermost = before


@contextlib.contextmanager
def recorded_calls() -> Iterator[set[Key]]:
    """The functions that say meanwhile that they run: file, first line, name."""
    found: set[Key] = set()

    def say(file: str, first_line: int, name: str) -> None:
        found.add((file, first_line, name))

    setattr(builtins, SAY, say)
    try:
        yield found
    finally:
        setattr(builtins, SAY, _say_nothing)


def kernels_at_hand(module: types.ModuleType | None, package: Package) -> frozenset[Key]:
    """The compiled kernels that a test's module names, itself or in a module of the package that it names."""
    kernels = {id(kernel): kernel for kernel in package.kernels}
    values = list(vars(module).values()) if module else []
    inner = (vars(one).values() for one in values if isinstance(one, types.ModuleType) and package.owns(one))
    found = (kernels.get(id(value)) for value in itertools.chain(values, *inner))
    return frozenset(key_of(kernel.py_func.__code__) for kernel in found if kernel is not None)


def with_kernels(reach: Iterable[Key], package: Package) -> frozenset[Key]:
    """The functions, and the compiled kernels that they name, which say nothing."""
    found = set(reach)
    waiting = [function for key in found for function in package.functions.get(key, ())]
    kernels = {id(kernel): kernel for kernel in package.kernels}
    for function in waiting:  # grows while it is walked through
        names = all_names(function.__code__)
        # What a function imports where it is called is not among its globals.
        imported = [vars(sys.modules[name]) for name in names & sys.modules.keys()]
        for name, known in itertools.product(names, (function.__globals__, *imported)):
            kernel = kernels.get(id(known.get(name)))
            if kernel is not None and key_of(kernel.py_func.__code__) not in found:
                found.add(key_of(kernel.py_func.__code__))
                waiting.append(kernel.py_func)
    return frozenset(found)
