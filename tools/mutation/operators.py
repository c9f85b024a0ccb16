"""What a mutant is: one small change of one expression, found in the syntax tree of a module.

Left out is what only speaks: messages, docstrings, representations, annotations, and guards that do nothing but raise.
"""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Iterator
from dataclasses import dataclass

ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div}
ARITHMETIC |= {ast.Pow: ast.Mult, ast.Mod: ast.FloorDiv}
COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
COMPARISONS |= {ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
_PAIRS = [("min", "max"), ("any", "all"), ("minimum", "maximum"), ("argmin", "argmax"), ("floor", "ceil")]
NAMES = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
NAMES |= {"at_most": "less_than", "less_than": "at_most", "amin": "amax", "amax": "amin"}
# A returned call of one of these is a number, so that a hundredth more or less of it means something.
NUMERIC_CALLS = {"sqrt", "log", "log2", "exp", "sum", "min", "max", "abs", "mean", "dot", "fsum", "float", "Fraction"}
NUMERIC_CALLS |= {"comb", "expit", "power", "norm", "prod"}
# Another axis ends in an error at once, an assurance that lengths agree is one more guard, and how much rounding is
# allowed has many good values: none of these says anything.
UNTOLD = ("axis", "strict", "keepdims", "dtype", "within", "relative")
SPEAKING = ("__repr__", "__str__", "_repr_html_")


@dataclass(frozen=True)
class Mutant:
    """One change: ``old`` becomes ``new`` in the line ``text`` of the module at ``path``."""

    path: str
    line: int
    text: str
    old: str
    new: str
    serial: int  # its place among all changes of the module
    definition: tuple[int, str]  # first line and name of the outermost function around it; (0, "") where there is none

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {_short(self.old)} -> {_short(self.new)}"


def _short(text: str) -> str:
    return text if len(text) <= 90 else f"{text[:87]}..."


@dataclass(frozen=True)
class _Change:
    parent: ast.AST
    field: str
    index: int | None
    old: ast.expr
    new: ast.expr
    definition: tuple[int, str]

    def make(self) -> None:
        ast.copy_location(self.new, self.old)
        if self.index is None:
            setattr(self.parent, self.field, self.new)
        else:
            getattr(self.parent, self.field)[self.index] = self.new


@functools.cache
def mutants(source: str, path: str) -> list[Mutant]:
    """All the mutants of a module."""
    lines = source.splitlines()
    return [
        Mutant(
            path, c.old.lineno, lines[c.old.lineno - 1].strip(), ast.unparse(c.old), ast.unparse(c.new), i, c.definition
        )
        for i, c in enumerate(_changes(ast.parse(source)))
    ]


def mutated(source: str, serial: int) -> ast.Module:
    """The module's tree with one change made."""
    tree = ast.parse(source)
    for i, change in enumerate(_changes(tree)):
        if i == serial:
            change.make()
            return ast.fix_missing_locations(tree)
    raise IndexError(f"expected a change below {i + 1}, got {serial}")


def _changes(tree: ast.Module) -> Iterator[_Change]:
    known = set(dir(builtins)) | {
        alias.name for node in ast.walk(tree) for alias in getattr(node, "names", ()) if isinstance(alias, ast.alias)
    }
    for change in (change for statement in tree.body for change in _of_statement(statement)):
        function = change.new.func if isinstance(change.new, ast.Call) else None
        # Another function that the module has not imported would end in a NameError, which says nothing.
        if not isinstance(function, ast.Name) or function.id in known or _called(change.old) == function.id:
            yield change


def _of_statement(statement: ast.stmt) -> Iterator[_Change]:
    """The changes in a statement of a module or class: in its functions, or in a constant made without any call."""
    if isinstance(statement, ast.FunctionDef):
        if statement.name not in SPEAKING:
            first_line = min([statement.lineno, *(decorator.lineno for decorator in statement.decorator_list)])
            for inner in statement.body:
                yield from _inside(inner, (first_line, statement.name))
    elif isinstance(statement, ast.ClassDef):
        for inner in statement.body:
            if isinstance(inner, ast.FunctionDef | ast.ClassDef):
                yield from _of_statement(inner)
    elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
        constant = not any(isinstance(node, ast.Call) for node in ast.walk(statement.value))
        yield from _outside(statement, constant)


def _outside(node: ast.AST, constant: bool) -> Iterator[_Change]:
    """Changes in a module's assignment: all of a constant, but of anything else only those inside a lambda."""
    if constant:
        yield from _inside(node, (0, ""))
        return
    for lambda_ in (inner for inner in ast.walk(node) if isinstance(inner, ast.Lambda)):
        yield from _inside(lambda_, (lambda_.lineno, "<lambda>"))


def _inside(node: ast.AST, definition: tuple[int, str]) -> Iterator[_Change]:
    if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
        return
    if isinstance(node, ast.FunctionDef) and node.name in SPEAKING:
        return
    if isinstance(node, ast.keyword) and node.arg in UNTOLD:
        return
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "args") and not isinstance(node, ast.Call):
            continue
        if _is_guard(node) and field in ("test", "body"):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.expr):
                for new in [*replacements(child), *_in_position(node, field, child)]:
                    yield _Change(node, field, index, child, new, definition)
            if isinstance(child, ast.AST):
                yield from _inside(child, definition)


def _is_guard(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and all(isinstance(inner, ast.Raise) for inner in node.body)


def replacements(node: ast.expr) -> list[ast.expr]:
    """What may stand in the place of an expression, wherever it stands."""
    if isinstance(node, ast.Constant):
        return [ast.Constant(value) for value in _other_constants(node.value)]
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        return [ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        return [node.operand]
    if isinstance(node, ast.BoolOp):
        return [ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)]
    if isinstance(node, ast.Compare):
        return [_other_comparison(node, i) for i, op in enumerate(node.ops) if type(op) in COMPARISONS]
    if isinstance(node, ast.Call):
        return [*_other_function(node), *_other_range(node)]
    return []


def _in_position(parent: ast.AST, field: str, child: ast.expr) -> list[ast.expr]:
    """What may stand there because of where it stands: in a condition, or as the value of a function."""
    if field == "test" and isinstance(parent, ast.If | ast.IfExp):
        return [] if isinstance(child, ast.Compare | ast.UnaryOp) else [ast.UnaryOp(ast.Not(), child)]
    if isinstance(parent, ast.Return):
        return [*_without_a_term(child), *_scaled(child)]
    return []


def _other_constants(value: object) -> list[object]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, float):
        return [value * 1.01, value / 2] if value else [1.0]
    return []


def _other_comparison(node: ast.Compare, i: int) -> ast.Compare:
    changed = COMPARISONS[type(node.ops[i])]()
    return ast.Compare(node.left, [*node.ops[:i], changed, *node.ops[i + 1 :]], node.comparators)


def _called(node: ast.expr) -> str:
    function = getattr(node, "func", None)
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _other_function(node: ast.Call) -> list[ast.expr]:
    name = NAMES.get(_called(node))
    if name is None:
        return []
    function = node.func
    other = ast.Attribute(function.value, name, ast.Load()) if isinstance(function, ast.Attribute) else None
    return [ast.Call(other or ast.Name(name, ast.Load()), node.args, node.keywords)]


def _other_range(node: ast.Call) -> list[ast.expr]:
    if _called(node) != "range" or not isinstance(node.func, ast.Name):
        return []
    one = ast.Constant(1)
    if len(node.args) == 1:
        (stop,) = node.args
        ends = [[ast.BinOp(stop, op, one)] for op in (ast.Add(), ast.Sub())]
        return [ast.Call(node.func, args, []) for args in [*ends, [one, stop]]]
    start, stop, *step = node.args
    ends = [[start, ast.BinOp(stop, op, one)] for op in (ast.Add(), ast.Sub())]
    return [ast.Call(node.func, [*args, *step], []) for args in [*ends, [ast.BinOp(start, ast.Add(), one), stop]]]


def _without_a_term(node: ast.expr) -> list[ast.expr]:
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)):
        return []
    kept = [ast.BinOp(left, node.op, node.right) for left in _without_a_term(node.left)]
    return [*kept, node.left, node.right if isinstance(node.op, ast.Add) else ast.UnaryOp(ast.USub(), node.right)]


def _scaled(node: ast.expr) -> list[ast.expr]:
    arithmetic = isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC
    if not arithmetic and not (isinstance(node, ast.Call) and _called(node) in NUMERIC_CALLS):
        return []
    # Multiplied and divided by integers, a fraction stays a fraction.
    return [ast.BinOp(ast.BinOp(node, ast.Mult(), ast.Constant(n)), ast.Div(), ast.Constant(100)) for n in (99, 101)]
