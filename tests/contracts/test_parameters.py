"""Every parameter of every estimator is constrained, documented and set by name where something is tried with it."""

from __future__ import annotations

import ast
import inspect
import json
import re
from pathlib import Path

import pytest
from sklearn.base import BaseEstimator

import mcbook

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = [getattr(mcbook, name) for name in mcbook.__all__]
ESTIMATORS = [one for one in PUBLIC if inspect.isclass(one) and issubclass(one, BaseEstimator)]
EMPTY = inspect.Parameter.empty

every_estimator = pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)


def parameters(kind):
    """The parameters of an estimator with their defaults."""
    return {name: one.default for name, one in inspect.signature(kind).parameters.items()}


def undocumented(kind):
    """Parameters without an entry `name : type, default=value` and a description below it, and entries of no parameter.

    >>> undocumented(mcbook.MulticlassPerceptron)
    []
    """
    section = re.search(r"\nParameters\n-+\n(.*?)(\n\n|\Z)", inspect.cleandoc(kind.__doc__ or ""), re.DOTALL)
    entries = re.findall(r"^(\w+) : (.+)\n {4}\S", section[1] if section else "", re.MULTILINE)
    wanted = {
        name: "" if default is EMPTY else f", default={default!r}".replace("'", '"')
        for name, default in parameters(kind).items()
    }
    found = dict(entries)
    wrong = [name for name, default in wanted.items() if not found.get(name, "").endswith(default or found[name])]
    return sorted({*wrong, *(found.keys() - wanted.keys())})


def set_in_calls():
    """The parameters that tests, claims and notebooks set in calls of each estimator.

    What stands in ``set_params`` or in a dictionary of rules in this folder is set for every estimator that has it.
    """
    sources = [path.read_text(encoding="utf-8") for folder in ("tests", "mcbook/claims") for path in python(folder)]
    for path in sorted(ROOT.glob("book/*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources += ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    found = {kind.__name__: set() for kind in ESTIMATORS}
    for call in (node for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        name, keywords = name_of(call.func), {keyword.arg for keyword in call.keywords}
        if name == "partial" and call.args:
            found.get(name_of(call.args[0]), set()).update(keywords)
        if name in found:
            found[name].update(keywords, list(parameters(getattr(mcbook, name)))[: len(call.args)])
    contracts = "".join(path.read_text(encoding="utf-8") for path in python("tests/contracts"))
    on_each = re.findall(r'(?:set_params\(|^    \({")(\w+)"?[=:]', contracts, re.MULTILINE)
    return {name: {*keywords, *on_each} for name, keywords in found.items()}


def name_of(node):
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def python(folder):
    return sorted((ROOT / folder).rglob("*.py"))


@every_estimator
def test_parameters_are_constrained(kind):
    assert sorted(kind._parameter_constraints) == sorted(parameters(kind))


@every_estimator
def test_parameters_are_documented(kind):
    assert undocumented(kind) == []


def test_parameters_are_set():
    found = set_in_calls()
    unset = {kind.__name__: sorted(parameters(kind).keys() - found[kind.__name__]) for kind in ESTIMATORS}
    assert {name: missing for name, missing in unset.items() if missing} == {}
