"""The value of a formula's tree: fractions as long as it is rational, balls of python-flint from there on.

Arrays hold such numbers in an object array; what is drawn at random and what a page's formula makes of it are then
exact, and two formulas that differ by a constant never meet.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Rational

import numpy as np

from mcbook.claims.spine.formulas.syntax import Node, walk
from mcbook.claims.spine.formulas.tokens import TexError
from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.proof.exact import ball
from mcbook.foundation.types import Values

# A ball that is wider than this, in relation to its middle, says too little to tell two formulas apart.
NARROW = 1e-12


@dataclass(frozen=True)
class Surroundings:
    """What the symbols stand for, and where the running indices are; labels and indices count from 1."""

    symbols: Mapping[str, Values]
    indices: Mapping[str, Values]

    def at(self, letter: str, index: int) -> Surroundings:
        return replace(self, indices={**self.indices, letter: Fraction(index)})


def evaluate(node: Node, around: Surroundings) -> Values:
    """The number or array that the tree stands for."""
    if node.kind in _SPECIAL:
        return _SPECIAL[node.kind](node, around)
    return _OPERATIONS[node.kind](*(evaluate(part, around) for part in node.parts))


def extent(letter: str, node: Node, around: Surroundings) -> int:
    """How far an index runs that stands without its ends: to the end of the array whose entries it picks."""
    found = {
        np.asarray(around.symbols[part.value]).shape[axis]
        for part in walk(node)
        if part.kind == "entry"
        for axis, index in enumerate(part.parts)
        if index.kind == "index" and index.value == letter and np.ndim(around.symbols[part.value])
    }
    if len(found) != 1:
        raise TexError(f"expected one array that says how far {letter} runs, got {len(found)} lengths {sorted(found)}")
    return found.pop()


def free_indices(node: Node, bound: frozenset[str] = frozenset()) -> set[str]:
    """The letters that run over something outside of the tree."""
    if node.kind == "index":
        return set() if node.value in bound else {node.value}
    inner = bound | {node.value[1]} if node.kind == "range" else bound
    return set().union(*(free_indices(part, inner) for part in node.parts))


# --- numbers ----------------------------------------------------------------------------------------------------------


def is_exact(value: Values) -> bool:
    return isinstance(value, Rational)


def _ball(value: Values) -> Values:
    return ball(value) if is_exact(value) else value


def _with_both(
    exact: Callable[[Values, Values], Values], of_balls: Callable[[Values, Values], Values]
) -> Callable[[Values, Values], Values]:
    """An operation on two numbers, on arrays of them entry by entry."""

    def of_numbers(a: Values, b: Values) -> Values:
        return exact(Fraction(a), Fraction(b)) if is_exact(a) and is_exact(b) else of_balls(_ball(a), _ball(b))

    entrywise = np.frompyfunc(of_numbers, 2, 1)
    return lambda a, b: entrywise(a, b) if np.ndim(a) or np.ndim(b) else of_numbers(a, b)


plus = _with_both(lambda a, b: a + b, lambda a, b: a + b)
minus = _with_both(lambda a, b: a - b, lambda a, b: a - b)
over = _with_both(lambda a, b: a / b, lambda a, b: a / b)
_entry_times = _with_both(lambda a, b: a * b, lambda a, b: a * b)
larger = _with_both(max, lambda a, b: arithmetic_of(a)[0].maximum(a, b))
smaller = _with_both(min, lambda a, b: arithmetic_of(a)[0].minimum(a, b))


def times(a: Values, b: Values) -> Values:
    """The product of numbers, or of matrices and vectors that stand side by side."""
    if np.ndim(a) and np.ndim(b):
        return _matrix_product(np.asarray(a), np.asarray(b))
    return _entry_times(a, b)


def dot(a: Values, b: Values) -> Values:
    """The inner product of two arrays of one shape, or the product of two numbers."""
    if np.shape(a) != np.shape(b):
        return times(a, b)
    return total(_entry_times(a, b).ravel()) if np.ndim(a) else _entry_times(a, b)


def _matrix_product(a: Values, b: Values) -> Values:
    if a.ndim == 1 and b.ndim == 1:
        return dot(a, b)
    columns = [b] if b.ndim == 1 else list(b.T)
    rows = [a] if a.ndim == 1 else list(a)
    table = np.array([[dot(row, column) for column in columns] for row in rows], dtype=object)
    return table.reshape(a.shape[:-1] + b.shape[1:])


def total(values: Iterable[Values]) -> Values:
    result: Values = Fraction(0)
    for value in values:
        result = plus(result, value)
    return result


def power(base: Values, exponent: Values) -> Values:
    if is_exact(exponent) and exponent == Fraction(1, 2):
        return square_root(base)
    if is_exact(exponent) and Fraction(exponent).denominator == 1:
        whole = int(exponent)
        return Fraction(base) ** whole if is_exact(base) else base**whole
    return _ball(base) ** _ball(exponent)


def square_root(value: Values) -> Values:
    if is_exact(value):
        value = Fraction(value)
        if value < 0:
            raise TexError(f"the root of {value} is asked for")
        root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
        if root * root == value:
            return root
    return arithmetic_of(_ball(value))[0].sqrt(_ball(value))


def logarithm(value: Values, base: Values = None) -> Values:
    if is_exact(value) and value == 1:
        return Fraction(0)
    if base is None:
        return arithmetic_of(_ball(value))[0].log(_ball(value))
    if is_exact(value) and is_exact(base):
        # Whole logarithms are exact, so that their ceiling can be asked for.
        whole = round(math.log(value, base))
        if Fraction(base) ** whole == value:
            return Fraction(whole)
    return logarithm(value) / logarithm(base)


def sign(value: Values) -> Values:
    return Fraction((value > 0) - (value < 0)) if is_exact(value) else arithmetic_of(value)[0].sign(value)


def whole(value: Values) -> int:
    if not (is_exact(value) and Fraction(value).denominator == 1):
        raise TexError(f"expected a whole number, got {value}")
    return int(value)


def rounded(value: Values, towards: str) -> Values:
    if is_exact(value):
        return Fraction(math.floor(value) if towards == "down" else math.ceil(value))
    found = (value.floor() if towards == "down" else value.ceil()).unique_fmpz()
    if found is None:
        raise TexError(f"{value} is too near to a whole number to be rounded")
    return Fraction(int(found))


def binomial(n: Values, k: Values) -> Fraction:
    return Fraction(math.comb(whole(n), whole(k)))


def norm(value: Values) -> Values:
    return square_root(dot(value, value)) if np.ndim(value) else abs(value)


def exponential(value: Values) -> Values:
    return Fraction(1) if is_exact(value) and value == 0 else arithmetic_of(_ball(value))[0].exp(_ball(value))


_COMPARISONS: dict[str, Callable[[Values, Values], bool]] = {
    "=": lambda a, b: bool(a == b),
    r"\le": lambda a, b: bool(a <= b),
    r"\ge": lambda a, b: bool(a >= b),
    "<": lambda a, b: bool(a < b),
    ">": lambda a, b: bool(a > b),
    r"\ne": lambda a, b: bool(a != b),
}


def true(node: Node, around: Surroundings) -> bool:
    """Whether a chain of relations holds."""
    values = [evaluate(part, around) for part in node.parts]
    values = values if all(map(is_exact, values)) else [_ball(value) for value in values]
    return all(_COMPARISONS[sign](a, b) for sign, a, b in zip(node.value, values, values[1:], strict=False))


# --- what needs its surroundings --------------------------------------------------------------------------------------


def _number(node: Node, around: Surroundings) -> Values:
    return node.value


def _index(node: Node, around: Surroundings) -> Values:
    if node.value not in around.indices:
        raise TexError(f"the index {node.value} runs over nothing")
    return around.indices[node.value]


def _symbol(node: Node, around: Surroundings) -> Values:
    if node.value not in around.symbols:
        raise TexError(f"the symbol {node.value} has no value")
    return around.symbols[node.value]


def _entry(node: Node, around: Surroundings) -> Values:
    array = np.asarray(_symbol(node, around))
    if len(node.parts) > array.ndim:
        raise TexError(f"{node.value} has {array.ndim} indices, and is given {len(node.parts)}")
    places: list[Values] = []
    for part, length in zip(node.parts, array.shape, strict=False):
        if part.kind == "all":
            places.append(slice(None))
            continue
        index = whole(evaluate(part, around))
        if not 1 <= index <= length:
            raise TexError(f"{node.value} has the indices 1 .. {length}, and is given {index}")
        places.append(index - 1)
    return array[tuple(places)]


def _applied(node: Node, around: Surroundings) -> Values:
    return _symbol(node, around)(*(evaluate(part, around) for part in node.parts))


def _range(node: Node, around: Surroundings) -> Values:
    name, letter, has_ends, has_condition = node.value
    body, *rest = node.parts
    if has_ends:
        first, last = (whole(evaluate(end, around)) for end in rest[:2])
    else:
        first, last = 1, extent(letter, body, around)
    everywhere = [around.at(letter, index) for index in range(first, last + 1)]
    places = [place for place in everywhere if not has_condition or true(rest[-1], place)]
    values = [evaluate(body, place) for place in places]
    if name in (r"\arg\max", r"\arg\min"):
        # Where several are best, the book means the smallest.
        best = _GATHERED[name.removeprefix(r"\arg")](values)
        return next(place.indices[letter] for place, value in zip(places, values, strict=True) if value == best)
    return _GATHERED[name](values)


def _largest(values: list[Values], chosen: Callable[[Values, Values], Values]) -> Values:
    if not values:
        raise TexError("the largest or smallest of no numbers is asked for")
    result = values[0]
    for value in values[1:]:
        result = chosen(result, value)
    return result


def _product(values: list[Values]) -> Values:
    result: Values = Fraction(1)
    for value in values:
        result = times(result, value)
    return result


_GATHERED: dict[str, Callable[[list[Values]], Values]] = {
    r"\sum": total,
    r"\prod": _product,
    r"\max": lambda values: _largest(values, larger),
    r"\min": lambda values: _largest(values, smaller),
}

_SPECIAL: dict[str, Callable[[Node, Surroundings], Values]] = {
    "number": _number,
    "index": _index,
    "symbol": _symbol,
    "entry": _entry,
    "applied": _applied,
    "range": _range,
    "indicator": lambda node, around: Fraction(int(true(node.parts[0], around))),
}

_OPERATIONS: dict[str, Callable[..., Values]] = {
    "plus": plus,
    "minus": minus,
    "negative": lambda a: times(Fraction(-1), a),
    "times": times,
    "dot": dot,
    "over": over,
    r"\frac": over,
    "power": power,
    "transposed": lambda a: np.asarray(a).T,
    "factorial": lambda n: Fraction(math.factorial(whole(n))),
    r"\binom": binomial,
    r"\sqrt": square_root,
    r"\lfloor": lambda a: rounded(a, "down"),
    r"\lceil": lambda a: rounded(a, "up"),
    "absolute": abs,
    "norm": norm,
    r"\ln": logarithm,
    r"\log": logarithm,
    r"\exp": exponential,
    r"\sign": sign,
    r"\erf": lambda a: _ball(a).erf(),
    r"\max": lambda *values: _largest(list(values), larger),
    r"\min": lambda *values: _largest(list(values), smaller),
}
