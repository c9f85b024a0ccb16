"""With what a part of a trial calls the book's functions, as far as that is the same on every machine.

The evidence often does not tell one instance from another: on three points or on four the same number of rules is
right.  What a part calls by name, and the helpers of the claims beneath it, is therefore heard.  Answers that something
remembers are heard as well, since it is the name in the part that hears, and not the function.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import hashlib
import inspect
import math
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from types import FunctionType
from typing import Any

import numpy as np
from flint import arb

from mcbook.foundation.proof import Known, Tier

# So many calls of a part are heard: among them are its first instances and its first sizes.
ENOUGH = 400

# Floats are short if they are multiples of one over the first and smaller than the second.
_FINE, _LARGE = 2**10, 2.0**20

_PACKAGE = __name__.split(".")[0]
_HELPERS, _SPINE = f"{_PACKAGE}.claims.", __name__.rpartition(".")[0]


class Heard:
    """The calls of one part, in their order."""

    def __init__(self) -> None:
        self.n_calls = 0
        # Of floats that are short, the sum of their sizes.
        self.size = 0.0
        self._digest = hashlib.sha256()
        self._versions: dict[int, Callable[..., Any]] = {}

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()[:16] if self.n_calls else ""

    def through(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function; of it, and of the helpers that it calls, the calls are heard."""
        if not isinstance(function, FunctionType):
            return function
        known = function.__globals__
        names = [name for name in _names_only_called(function) if _is_ours(known.get(name))]
        telling = {name: self._telling(name, known[name]) for name in names}
        version = FunctionType(
            function.__code__,
            {**known, **telling},
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        version.__kwdefaults__ = function.__kwdefaults__
        return version

    def _telling(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def called(*arguments: Any, **named: Any) -> Any:
            if self.n_calls < ENOUGH:
                self.n_calls += 1
                given = [] if _compares(function) else [*arguments, *named.items()]
                self._digest.update(f"{name}{''.join(_told(given))}\n".encode())
                self.size += _size(given)
            return self._version(function)(*arguments, **named)

        return called

    def _version(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A helper of the claims through which more is heard, made once; any other function as it is."""
        if not _is_helper(function) or _compares(function):
            return function
        if id(function) not in self._versions:
            self._versions[id(function)] = self.through(function)
        return self._versions[id(function)]


def _is_ours(value: object) -> bool:
    """A function, a compiled one, or one that remembers; a class is more than what is called."""
    home = getattr(value, "__module__", None) or ""
    return callable(value) and not isinstance(value, type) and home.split(".")[0] == _PACKAGE


def _is_helper(function: Callable[..., Any]) -> bool:
    home = function.__module__
    return isinstance(function, FunctionType) and home.startswith(_HELPERS) and not home.startswith(_SPINE)


def _compares(function: Callable[..., Any]) -> bool:
    """Whether it yields evidence: what it is given has come out of something, and the evidence tells it."""
    return "Evidence" in str(getattr(function, "__annotations__", {}).get("return", ""))


@functools.cache
def _names_only_called(function: FunctionType) -> frozenset[str]:
    """The names that it calls and never hands on: a function that is handed on has to be itself.

    None where its lines cannot be read alone, as of a lambda within a longer expression or of lines without a file.
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return frozenset()
    loaded = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    called = Counter(
        node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    )
    return frozenset(name for name in called if loaded[name] == called[name])


def _was_a_float(value: Fraction) -> bool:
    """Whether it looks like the exact value of a number that floating point has rounded."""
    return value.denominator.bit_count() == 1 and value.denominator >= 2**20


def _told(value: Any) -> Iterator[str]:
    """A value where it is exact; of floats, and of what may hold any, its type and shape only."""
    if isinstance(value, bool | np.bool_ | str | None):
        yield str(value)
    elif isinstance(value, int | np.integer):
        # Python writes no decimals of thousands of digits.
        yield f"{int(value):x}"
    elif isinstance(value, Fraction):
        yield "float" if _was_a_float(value) else f"{value.numerator:x}/{value.denominator:x}"
    elif isinstance(value, np.ndarray):
        if value.dtype.kind in "biu":
            yield f"integers{value.shape}{hashlib.sha256(value.astype(np.int64).tobytes()).hexdigest()[:16]}"
        elif value.dtype.kind == "f":
            yield f"floats{value.shape}"
        else:
            told = "".join(_told(value.tolist()))
            # Beside what was rounded a number that is short by chance need not be so elsewhere.
            yield f"floats{value.shape}" if "float" in told else f"array{value.shape}{told}"
    elif isinstance(value, list | tuple):
        yield "("
        for one in value:
            yield from _told(one)
            yield ","
        yield ")"
    elif isinstance(value, Known) and value.tier < Tier.EXACT:
        yield value.tier.word
    elif isinstance(value, Mapping):
        yield from _told(list(value.items()))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield type(value).__name__
        # What is left out of its comparison, such as a memory, is no part of what it says.
        names = [field.name for field in dataclasses.fields(value) if field.compare]
        told = "".join(_told([getattr(value, name) for name in names]))
        # Beside floats stand counts that may depend on them, such as how many steps a solver made.
        yield "" if "float" in told else told
    elif isinstance(value, arb) and value.is_exact():
        yield str(value)
    else:
        yield type(value).__name__


def _size(value: Any) -> float:
    """The sum of the sizes of the floats in it where they were written down: what is computed is hardly ever short."""
    if isinstance(value, float):
        value = np.array(value)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        short = np.abs(value) < _LARGE
        return math.fsum(np.abs(value).ravel()) if short.all() and not (value * _FINE % 1).any() else 0.0
    if isinstance(value, list | tuple):
        return math.fsum(_size(one) for one in value)
    return 0.0
