"""From the tokens of a formula to a tree, by recursive descent, for the part of LaTeX that the book's formulas use.

What can be read in two ways is refused, not guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from mcbook.claims.spine.formulas.tokens import TexError

RELATIONS = ("=", r"\le", r"\ge", "<", ">", r"\ne", r"\to")
FUNCTIONS = (r"\ln", r"\log", r"\exp", r"\sign", r"\erf")
BIG = (r"\sum", r"\prod", r"\max", r"\min", r"\arg")
_PAIRS = {"(": ")", r"\lfloor": r"\rfloor", r"\lceil": r"\rceil", "{": "}", "|": "|", r"\Vert": r"\Vert"}
_NO_FACTOR = {*RELATIONS, "+", "-", "/", r"\cdot", ",", ";", ".", ")", "]", "}", "^", "_", "!", r"\rfloor", r"\rceil"}
_NO_FACTOR |= {r"\rangle", r"\text", r"\quad", r"\qquad", "\\\\", r"\}", ":", r"\mid", r"\end", r"\hline"}


@dataclass(frozen=True)
class Node:
    """An operation, a number (``value``), a symbol or a part of one (``value`` its name), with what it works on."""

    kind: str
    parts: tuple[Node, ...] = ()
    value: Any = None


@dataclass(frozen=True)
class Match:
    """A symbol found in a row of tokens: its name, the tokens of its indices, where it ends, whether it is applied."""

    name: str
    indices: tuple[tuple[str, ...], ...]
    end: int
    is_function: bool


class Symbols(Protocol):
    """What may be called a symbol: the notation answers."""

    def match(self, tokens: Sequence[str], start: int) -> Match | None: ...


def parse(tokens: Sequence[str], symbols: Symbols, indices: Sequence[str] = ()) -> Node:
    """The tree of an expression or a chain of relations; ``indices`` are letters that run over something outside."""
    parser = _Parser(tuple(tokens), symbols, list(indices))
    tree = parser.chain()
    if parser.place < len(parser.tokens):
        raise parser.error("expected the end")
    return tree


@dataclass
class _Parser:
    tokens: tuple[str, ...]
    symbols: Symbols
    scope: list[str]
    place: int = 0
    open_bars: list[str] = field(default_factory=list)

    # --- the row of tokens

    @property
    def now(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.now
        if not token or (expected and token != expected):
            raise self.error(f"expected {expected or 'something'}")
        self.place += 1
        return token

    def error(self, complaint: str) -> TexError:
        before, after = " ".join(self.tokens[: self.place]), " ".join(self.tokens[self.place :])
        return TexError(f"{complaint}, got {after[:60] or 'the end'!r} after {before[-60:]!r}")

    # --- relations, sums, products

    def chain(self) -> Node:
        sides, signs = [self.sum()], []
        while self.now in RELATIONS:
            signs.append(self.take())
            sides.append(self.sum())
        return Node("chain", tuple(sides), tuple(signs)) if signs else sides[0]

    def sum(self) -> Node:
        total = self.signed_product()
        while self.now in ("+", "-"):
            kind = "plus" if self.take() == "+" else "minus"
            total = Node(kind, (total, self.product()))
        return total

    def signed_product(self) -> Node:
        if self.now in ("+", "-"):
            sign = self.take()
            product = self.product()
            return Node("negative", (product,)) if sign == "-" else product
        return self.product()

    def product(self) -> Node:
        total = self.factor()
        while True:
            if self.now == "/":
                self.take()
                total = Node("over", (total, self.factor()))
                if self.starts_factor():
                    raise self.error("a/bc can be read in two ways: use a fraction or parentheses")
            elif self.now == r"\cdot":
                self.take()
                total = Node("dot", (total, self.factor()))
            elif self.starts_factor():
                total = Node("times", (total, self.factor()))
            else:
                return total

    def starts_factor(self) -> bool:
        if self.now in ("|", r"\Vert"):
            return not (self.open_bars and self.open_bars[-1] == self.now)
        return bool(self.now) and self.now not in _NO_FACTOR

    # --- factors

    def factor(self) -> Node:
        base = self.primary()
        while self.now in ("^", "!"):
            if self.take() == "!":
                base = Node("factorial", (base,))
            elif self.tokens[self.place : self.place + 3] == ("{", r"\top", "}"):
                self.place += 3
                base = Node("transposed", (base,))
            else:
                base = Node("power", (base, self.group()))
        return base

    def primary(self) -> Node:
        token = self.now
        if token in BIG and not self.symbols.match(self.tokens, self.place):
            return self.big_operator()
        if token in FUNCTIONS:
            return self.function()
        if token in ("(", "{"):
            return self.enclosed(self.take())
        if token in (r"\lfloor", r"\lceil", "|", r"\Vert"):
            return self.delimited(self.take())
        if token in (r"\frac", r"\binom", r"\sqrt"):
            self.take()
            parts = (self.group(),) if token == r"\sqrt" else (self.group(), self.group())
            return Node(token, parts)
        if token == r"\langle":
            return self.inner_product()
        if token == r"\#":
            return self.count()
        if self.tokens[self.place : self.place + 2] == ("[", "["):
            self.place += 2
            return self.indicator("]", "]")
        if self.tokens[self.place : self.place + 5] == (r"\mathbf", "{", "1", "}", "["):
            self.place += 5
            return self.indicator("]")
        if token[:1].isdigit():
            return Node("number", value=Fraction(self.take()))
        return self.symbol()

    def group(self) -> Node:
        self.take("{")
        return self.enclosed("{")

    def enclosed(self, opener: str) -> Node:
        bars, self.open_bars = self.open_bars, []
        inner = self.sum()
        self.open_bars = bars
        self.take(_PAIRS[opener])
        return inner

    def delimited(self, opener: str) -> Node:
        self.open_bars.append(_PAIRS[opener])
        inner = self.sum()
        self.open_bars.pop()
        self.take(_PAIRS[opener])
        if opener == r"\Vert" and self.tokens[self.place : self.place + 4] == ("_", "{", "F", "}"):
            self.place += 4
        return Node({"|": "absolute", r"\Vert": "norm"}.get(opener, opener), (inner,))

    def inner_product(self) -> Node:
        self.take(r"\langle")
        left = self.sum()
        self.take(",")
        right = self.sum()
        self.take(r"\rangle")
        return Node("dot", (left, right))

    def indicator(self, *closers: str) -> Node:
        relation = self.chain()
        for closer in closers:
            self.take(closer)
        if relation.kind != "chain":
            raise self.error("expected a relation between the brackets")
        return Node("indicator", (relation,))

    def count(self) -> Node:
        """How many values of an index satisfy a relation."""
        self.take(r"\#")
        self.take(r"\{")
        letter = self.take()
        self.take(":")
        self.scope.append(letter)
        counted = self.indicator(r"\}")
        self.scope.pop()
        return Node("range", (counted,), (r"\sum", letter, False, False))

    def arguments(self) -> tuple[Node, ...]:
        self.take("(")
        bars, self.open_bars = self.open_bars, []
        found = [self.sum()]
        while self.now == ",":
            self.take()
            found.append(self.sum())
        self.open_bars = bars
        self.take(")")
        return tuple(found)

    def function(self) -> Node:
        """A function of one number; without parentheses its argument is one factor, with nothing behind it."""
        name = self.take()
        base: tuple[Node, ...] = ()
        if name == r"\log":
            if self.now != "_":
                raise self.error(r"expected the base of \log")
            self.take()
            base = (self.group(),)
        if self.now == "(":
            argument = self.enclosed(self.take())
        else:
            argument = self.factor()
            if self.starts_factor() and self.now not in FUNCTIONS:
                raise self.error(f"where does the argument of {name} end? use parentheses")
        return Node(name, (argument, *base))

    # --- operators with a range

    def big_operator(self) -> Node:
        name = self.take()
        if name == r"\arg":
            name += self.take()
        if name in (r"\max", r"\min") and self.now == "(":
            return Node(name, self.arguments())
        if self.now != "_":
            raise self.error(f"expected a range below {name}")
        self.take()
        start = self.place + 1
        end = group_end(self.tokens, self.place)
        below, self.place = self.tokens[start : end - 1], end
        letters, ends, condition = self.range_below(name, below)
        if self.now == "^":
            self.take()
            ends = (*ends, self.group())
        if len(ends) not in (0, 2):
            raise self.error(f"expected both ends of the range of {name}, or none")
        body = self.body(letters, name)
        for letter in reversed(letters):
            # The condition stands where all letters are known.
            inside = (condition,) if condition is not None and letter == letters[-1] else ()
            body = Node("range", (body, *ends, *inside), (name, letter, bool(ends), bool(inside)))
        return body if letters else Node("optimum", (body,), name)

    def body(self, letters: tuple[str, ...], name: str) -> Node:
        self.scope += letters
        found = self.product() if letters or name in (r"\sum", r"\prod") else self.sum()
        del self.scope[len(self.scope) - len(letters) :]
        return found

    def range_below(self, name: str, below: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[Node, ...], Node | None]:
        """The letters that run, the ends that stand here, what they must satisfy; no letters for an optimisation."""
        if len(below) > 2 and below[1] == "=" and below[0].isalpha():
            return (below[0],), (self.within(below[2:], ()),), None
        if len(below) > 2 and below[1] == r"\ne" and below[0].isalpha():
            return (below[0],), (), self.within(below, (below[0],))
        if len(below) > 4 and below[1] == below[3] == r"\le" and below[2].isalpha():
            return (below[2],), (self.within(below[:1], ()), self.within(below[4:], ())), None
        letters = tuple(token for token in below if token != ",")
        running = all(len(token) == 1 and token.isalpha() and token.islower() for token in letters)
        if running and not self.is_vector(letters):
            return letters, (), None
        if name not in (r"\sum", r"\prod"):
            return (), (), None
        raise self.error(f"expected an index below {name}, got {' '.join(below)}")

    def is_vector(self, letters: tuple[str, ...]) -> bool:
        """Whether these letters are known symbols, so that the operator optimises over them."""
        return any(letter not in self.scope and self.symbols.match((letter,), 0) for letter in letters)

    def within(self, tokens: tuple[str, ...], letters: tuple[str, ...]) -> Node:
        return parse(tokens, self.symbols, [*self.scope, *letters])

    # --- symbols

    def symbol(self) -> Node:
        if self.now in self.scope and self.tokens[self.place + 1 : self.place + 2] != ("_",):
            return Node("index", value=self.take())
        found = self.symbols.match(self.tokens, self.place)
        if found is None:
            raise self.error("expected a symbol that the notation lists")
        self.place = found.end
        if found.is_function:
            return Node("applied", self.arguments(), found.name)
        if not found.indices:
            return Node("symbol", value=found.name)
        return Node("entry", tuple(self.index(tokens) for tokens in found.indices), found.name)

    def index(self, tokens: tuple[str, ...]) -> Node:
        """What stands in the place of an index: a letter that runs, a number, an entry such as y_i, or all of them."""
        if tokens == (r"\cdot",):
            return Node("all")
        if len(tokens) == 1 and (tokens[0] in self.scope or not (tokens[0].isdigit() or self.is_known(tokens))):
            return Node("index", value=tokens[0])
        return self.within(tokens, ())

    def is_known(self, tokens: tuple[str, ...]) -> bool:
        return self.symbols.match(tokens, 0) is not None


def group_end(tokens: Sequence[str], start: int) -> int:
    """The place behind the group that begins at this brace."""
    depth = 0
    for place in range(start, len(tokens)):
        depth += {"{": 1, "}": -1}.get(tokens[place], 0)
        if depth == 0:
            return place + 1
    raise TexError(f"a brace is not closed in {' '.join(tokens)}")


def walk(node: Node) -> list[Node]:
    """The node and all below it."""
    return [node, *(inner for part in node.parts for inner in walk(part))]
