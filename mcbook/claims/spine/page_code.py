"""What the code of a notebook uses of the package, and which claims it puts on trial: read from its syntax."""

from __future__ import annotations

import ast
import pkgutil

VERIFY = ("mcbook.verify", "mcbook.claims.verify", "mcbook.claims.spine.trial.verify")


class PageCode(ast.NodeVisitor):
    """The code cells of one notebook, in their order.

    ``used``: the dotted names of the package that some line uses; importing a name is not using it.  ``verified``: the
    names of the claims whose trial ends a cell, so that the reader sees its outcome.
    """

    def __init__(self) -> None:
        self.used: set[str] = set()
        self.verified: set[str] = set()
        # What each name of the notebook stands for, as far as it comes from the package.
        self._names: dict[str, str] = {}

    def read(self, source: str) -> str:
        """Take in one more cell; what is wrong with it, or ''."""
        # Lines for IPython and not for Python.
        lines = ["" if line.lstrip().startswith(("%", "!")) else line for line in source.splitlines()]
        try:
            cell = ast.parse("\n".join(lines))
        except SyntaxError as error:
            return f"cannot be read as Python: {error.msg} in line {error.lineno}"
        self.visit(cell)
        last = cell.body[-1] if cell.body else None
        if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
            self._note_trial(last.value)
        return ""

    def objects(self) -> list[object]:
        """The objects of the package that the page uses."""
        found = map(find_object, sorted(self.used))
        return [one for one in found if one is not None]

    def _note_trial(self, call: ast.Call) -> None:
        name = call.args[0] if call.args else None
        if self._dotted(call.func) in VERIFY and isinstance(name, ast.Constant):
            self.verified.add(str(name.value))

    def _dotted(self, node: ast.AST) -> str:
        if isinstance(node, ast.Name):
            return self._names.get(node.id, "")
        if isinstance(node, ast.Attribute):
            owner = self._dotted(node.value)
            return f"{owner}.{node.attr}" if owner else ""
        return ""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self._bind(alias.asname or alias.name, f"{node.module}.{alias.name}")

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            first = alias.name.split(".")[0]
            self._bind(alias.asname or first, alias.name if alias.asname else first)

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._bind(node.id)
        elif node.id in self._names:
            self.used.add(self._names[node.id])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.used.update(filter(None, [self._dotted(node)]))
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._bind(node.name)
        self._within(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._within(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind(node.name)
        self.generic_visit(node)

    def _within(self, node: ast.FunctionDef | ast.Lambda) -> None:
        """A function, whose arguments and variables are other things than what has their names outside."""
        outside = dict(self._names)
        every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg)
        for argument in every:
            if argument is not None:
                self._bind(argument.arg)
        self.generic_visit(node)
        self._names = outside

    def _bind(self, name: str, dotted: str = "") -> None:
        self._names.pop(name, None)
        if dotted.split(".")[0] == "mcbook":
            self._names[name] = dotted


def find_object(dotted: str) -> object:
    """The object of that name; None where there is none."""
    try:
        return pkgutil.resolve_name(dotted)
    except (ImportError, AttributeError, ValueError):
        return None
