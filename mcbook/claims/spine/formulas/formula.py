"""A formula of a page and the function that computes it: both are evaluated at random exact values and must agree.

Nothing is copied: the formula is read from the notebook's LaTeX, its symbols from the notation, and the function is
the one that the claim puts on trial.  A constant that is changed on the page alone, or in the function alone, is seen.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from mcbook.claims.spine.formulas.draws import Drawn, table
from mcbook.claims.spine.formulas.equations import find_equation, pieces, sides, without_each_term
from mcbook.claims.spine.formulas.notation import FILE, Reading, Scope, read_notation
from mcbook.claims.spine.formulas.syntax import Node, group_end, parse, walk
from mcbook.claims.spine.formulas.tokens import TexError, literals, tokens_of
from mcbook.claims.spine.formulas.values import NARROW, Surroundings, minus, true
from mcbook.foundation.proof import known
from mcbook.foundation.types import Values

_MOST_ATTEMPTS = 2000
# Digits beyond a float's, so that differences of nearly equal numbers stay narrow.
_PRECISION = 120

Side = Literal["right", "left", "excess"] | int
Numbers = Literal["exact", "balls", "floats"]
Tokens = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Formula:
    """Which equation of the page states the value of a function, and how its symbols are the function's parameters.

    ``equation``   the label of the equation, or ``label[row, column]`` for a cell of the table of a statement
    ``of``         the function; its parameters are matched to symbols by the notation
    ``side``       of the relation: right (also where there is none), left, its number in a chain, or the excess of the
                   left side over the right one; of an optimisation the objective is meant, and of an argmin over an
                   index as well if the index is in ``over``
    ``piece``      which part of a display that wide spaces, lines or commas divide
    ``arguments``  parameters that the notation does not match, as formulas; ``fixed``: as values
    ``given``      symbols that are not drawn at random but computed, by formulas; ``eq-label 1 2`` is side 2 of piece 1
                   of that equation of the page, and the right side if no side is named
    ``where``      a relation that the values must satisfy
    ``over``       the indices that run free, in the order of the axes of the function's array
    ``numbers``    what the function gets: exact numbers, balls or floats
    ``result``     from what the function returns to the value that is stated
    ``n_draws``    how many values are tried; more where a constant matters for few of them only
    """

    equation: str
    of: Callable[..., Values]
    side: Side = field(default="right", kw_only=True)
    piece: int = field(default=0, kw_only=True)
    arguments: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    fixed: Mapping[str, Values] = field(default_factory=dict, kw_only=True)
    given: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    where: str = field(default="", kw_only=True)
    over: str | None = field(default=None, kw_only=True)
    numbers: Numbers = field(default="exact", kw_only=True)
    result: Callable[[Values], Values] = field(default=lambda value: value, kw_only=True)
    n_draws: int = field(default=12, kw_only=True)

    @property
    def name(self) -> str:
        """What tells this formula from the others of its claim."""
        place = "" if (self.side, self.piece) == ("right", 0) else f" {self.piece}:{self.side}"
        called = getattr(self.of, "__name__", "") or getattr(self.of, "name", "")
        return f"{self.equation}{place} {called}"


@dataclass(frozen=True)
class BoundFormula:
    """A formula at its place in the book: chapter, statement, and the symbols of its own beside the book's notation."""

    formula: Formula
    chapter: str
    statement: str
    book: Path
    symbols: tuple[Reading, ...] = ()

    @property
    def read_from(self) -> tuple[Path, Path]:
        """The page, and the notation."""
        return self.book / f"{self.chapter}.ipynb", self.book / FILE

    @cached_property
    def scope(self) -> Scope:
        notation = read_notation(self.book, self.read_from[1].stat().st_mtime_ns)
        return Scope((*self.symbols, *notation.scope(self.chapter, self.statement).readings))

    @cached_property
    def given(self) -> dict[str, str]:
        """The formulas of the symbols that are computed, those that the page states read from it."""
        return {symbol: self._printed(tex) for symbol, tex in self.formula.given.items()}

    def _printed(self, tex: str) -> str:
        if not tex.startswith("eq-"):
            return tex
        label, piece, side = (*tex.split(), "-1")[:3]
        return " ".join(sides(self._pieces(label)[int(piece)])[int(side)])

    def _pieces(self, label: str) -> list[Tokens]:
        return pieces(tokens_of(find_equation(self.read_from[0], label)))

    def chosen(self) -> list[Tokens]:
        """The tokens of the side that is compared; of both, for an excess."""
        found = self._pieces(self.formula.equation)
        if self.formula.piece >= len(found):
            raise TexError(
                f"{self.formula.equation} has {len(found)} pieces, and piece {self.formula.piece} is asked for"
            )
        chain = sides(found[self.formula.piece])
        if self.formula.side == "excess":
            return chain[:2]
        place = {"right": len(chain) - 1, "left": 0}.get(str(self.formula.side), self.formula.side)
        return [self._objective(chain[int(place)])]

    def _objective(self, side: Tokens) -> Tokens:
        """Of an optimisation what is optimised, without the operator and its range, unless the best index is meant."""
        tree = parse(side, self.scope)
        is_left_free = tree.kind == "range" and tree.value[1] in (self.formula.over or "")
        if tree.kind != "optimum" and not is_left_free:
            return side
        return side[group_end(side, side.index("_") + 1) :]

    def trees(self, tokens: list[Tokens]) -> list[Node]:
        return [parse(side, self.scope) for side in tokens]

    @cached_property
    def samples(self) -> list[tuple[Drawn, Values]]:
        return list(self.draws())

    def draws(self) -> Iterator[tuple[Drawn, Values]]:
        """Values of the symbols, and what the function makes of them."""
        import flint

        trees, arguments = self.trees(self.chosen()), self._arguments()
        rng = random.Random(f"{self.statement} {self.formula.name}")
        condition = parse(tokens_of(self.formula.where), self.scope) if self.formula.where else None
        found = 0
        for _ in range(_MOST_ATTEMPTS):
            drawn = Drawn(self.scope, rng, self.given)
            for tree in trees:
                _symbols_of(tree, drawn)
            if condition is None or true(condition, Surroundings(drawn, {})):
                with flint.ctx.workprec(_PRECISION):
                    yield drawn, self._value(arguments, drawn)
                found += 1
            if found == self.formula.n_draws:
                return
        raise TexError(f"{self.formula.name}: no values with {self.formula.where!r} were found")

    def _arguments(self) -> dict[str, str]:
        """The formula of each parameter; one with a default is left out where its symbols do not occur."""
        names = {n.value for tree in self.trees(self.chosen()) for n in walk(tree) if n.kind in _NAMED}
        names |= set(self.formula.given)
        found: dict[str, str] = {}
        for parameter in inspect.signature(self.formula.of).parameters.values():
            if parameter.name in self.formula.fixed:
                continue
            tex = self.formula.arguments.get(parameter.name) or self.scope.argument(parameter.name)
            if parameter.default is not parameter.empty and parameter.name not in self.formula.arguments:
                used = {n.value for n in walk(parse(tokens_of(tex), self.scope)) if n.kind in _NAMED} if tex else set()
                if not used or not used <= names:
                    continue
            if tex is None:
                raise TexError(f"{self.formula.name}: no symbol is known for the parameter {parameter.name}")
            found[parameter.name] = tex
        return found

    def _value(self, arguments: Mapping[str, str], drawn: Drawn) -> Values:
        signature = inspect.signature(self.formula.of)
        values = {name: drawn.argument(tex, self.formula.numbers) for name, tex in arguments.items()}
        positional: list[Values] = []
        for name, parameter in signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                positional += list(values.pop(name))
        return self.formula.result(self.formula.of(*positional, **values, **self.formula.fixed))

    def on_page(self, trees: list[Node], drawn: Drawn) -> Values:
        """The value of the page's formula."""
        import flint

        over = None if self.formula.over is None else tuple(self.formula.over)
        with flint.ctx.workprec(_PRECISION):
            values = [table(tree, Surroundings(drawn, {}), over) for tree in trees]
            return minus(*values) if len(values) == 2 else values[0]

    def disagreement(self, tokens: list[Tokens] | None = None) -> str:
        """Where page and function differ, or ''; ``tokens`` may be a changed formula in the place of the page's."""
        try:
            trees = self.trees(tokens or self.chosen())
        except TexError as problem:
            return f"cannot be read: {problem}"
        for drawn, computed in self.samples:
            try:
                stated = self.on_page(trees, drawn)
                agree = same(stated, computed)
            except (ArithmeticError, ValueError, TypeError) as problem:
                return f"has no value that could be compared: {problem}"
            if not agree:
                return f"the page says {stated}, the function {computed}, at {dict(drawn.found)}"
        return ""

    def changed(self) -> Iterator[tuple[str, list[Tokens]]]:
        """The formula with each number enlarged by 1 in turn, without each term of its sum, and one per cent larger."""
        chosen = self.chosen()
        for which, side in enumerate(chosen):
            for what, other in _changed_side(side):
                yield what, [*chosen[:which], other, *chosen[which + 1 :]]


def _changed_side(side: Tokens) -> Iterator[tuple[str, Tokens]]:
    for place in literals(side):
        number = str(Fraction(side[place]) + 1)
        what = f"{' '.join(side[:place])} [{number}] {' '.join(side[place + 1 :])}"
        yield what, (*side[:place], number, *side[place + 1 :])
    for shorter in without_each_term(side):
        yield f"without a term: {' '.join(shorter)}", shorter
    yield "one per cent larger", (*tokens_of(r"\frac{101}{100}\cdot("), *side, ")")


_NAMED = ("symbol", "entry", "applied")


def _symbols_of(tree: Node, drawn: Drawn) -> None:
    """Draw all symbols of a formula, in the order in which they stand in it."""
    for node in walk(tree):
        if node.kind in _NAMED:
            drawn[node.value]


def same(stated: Values, computed: Values) -> bool:
    """Whether two numbers, or two arrays of them, are equal as far as they are known, and known well."""
    left, right = np.asarray(stated, dtype=object), np.asarray(computed, dtype=object)
    if left.shape != right.shape:
        return False
    return all(_same_number(a, b) for a, b in zip(left.ravel().tolist(), right.ravel().tolist(), strict=True))


def _same_number(a: Values, b: Values) -> bool:
    first, second = known(a), known(b)
    for number in (first, second):
        if number.upper - number.lower > 2 * NARROW * max(abs(number.middle), 1e-3):
            return False
    return first.lower <= second.upper and second.lower <= first.upper
