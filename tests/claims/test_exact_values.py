"""No value of a floating-point formula is made into a fraction, which a trial would then take for exact."""

from __future__ import annotations

import ast
import builtins
import importlib
import pkgutil
import typing
from pathlib import Path
from types import ModuleType

import pytest

import mcbook.claims

MODULES = sorted(module.name for module in pkgutil.walk_packages(mcbook.claims.__path__, "mcbook.claims."))


def laundered(module: ModuleType, source: str) -> list[str]:
    """Calls of Fraction with what a function that gives floats has returned, but for those that choose one nearby."""
    tree = ast.parse(source)
    nearby = {
        node.value for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "limit_denominator"
    }
    return [
        f"line {call.lineno}: Fraction({ast.unparse(call.args[0])})"
        for call in ast.walk(tree)
        if call not in nearby
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "Fraction" and len(call.args) == 1
        if isinstance(call.args[0], ast.Call) and _gives_floats(module, call.args[0].func)
    ]


def _gives_floats(module: ModuleType, called: ast.expr) -> bool:
    function = getattr(module, called.id, getattr(builtins, called.id, None)) if isinstance(called, ast.Name) else None
    if function is float:
        return True
    try:
        return typing.get_type_hints(function).get("return") is float
    except (TypeError, NameError):
        return False


@pytest.mark.parametrize("name", MODULES)
def test_fractions_are_not_made_of_rounded_values(name: str) -> None:
    module = importlib.import_module(name)
    found = laundered(module, Path(str(module.__file__)).read_text("utf8"))
    remedy = "let the formula take balls; where the float itself is what is judged, say as_given or ball"
    assert not found, "\n".join(f"{name}, {line}: {remedy}" for line in found)


def test_a_rounded_value_is_noticed() -> None:
    def bound() -> float:
        return 0.1

    def exact() -> int:
        return 0

    module = ModuleType("sample")
    vars(module).update(bound=bound, exact=exact)
    source = "a = Fraction(bound())\nb = Fraction(exact())\nc = Fraction(float(b))\nd = Fraction('0.1')"
    assert laundered(module, source) == ["line 1: Fraction(bound())", "line 3: Fraction(float(b))"]
