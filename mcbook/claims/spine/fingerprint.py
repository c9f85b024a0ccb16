"""Short hashes of what a trial rests on, so that a silent change of it is seen: texts of the page and code."""

from __future__ import annotations

import ast
import hashlib
import inspect
import textwrap
from collections.abc import Iterator

from mcbook.claims.spine.calls import unwrapped

# What differs between versions of Python, and what no computation depends on.
_LEFT_OUT = {"ctx", "kind", "type_comment", "type_params", "returns", "annotation"}


def of_text(text: str) -> str:
    """Of a text of the page; where its lines are broken does not matter."""
    return _short(" ".join(text.split()))


def of_code(implementation: object) -> str:
    """Of the lines of a function or class; comments, docstrings, annotations and layout do not matter."""
    function = unwrapped(implementation)
    if not inspect.isclass(function) and not inspect.isfunction(function):
        function = type(function)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return _short(repr(list(_code(tree))))


def _code(node: ast.AST) -> Iterator[object]:
    """The syntax tree as nested tuples; written here because ``ast.dump`` differs between versions of Python."""
    yield type(node).__name__
    for name, value in ast.iter_fields(node):
        if name == "body" and isinstance(value, list):
            value = [one for one in value if not _is_text(one)]
        if name not in _LEFT_OUT and value is not None and value != []:
            values = value if isinstance(value, list) else [value]
            yield name, [list(_code(one)) if isinstance(one, ast.AST) else repr(one) for one in values]


def _is_text(statement: ast.stmt) -> bool:
    """A docstring, or any other string that stands alone: it does nothing."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
