"""Arguments and replies as a reader sees them: short, in plain data, whatever an answer has returned."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

# Numbers, texts, arrays of them, and lists, tuples and sets of such: nothing that an answer could have programmed.
Plain = Any

ENTRIES_SHOWN = 60
ENTRIES_READ = 2000
DIGITS = 6
SHORTENED = "that begins with"


class Unread:
    """Stands for a reply that is neither numbers nor text nor made of them."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"an object of the type {self.name}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unread) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


def plain(value: Any, depth: int = 4) -> Plain:
    """The value in types whose methods are Python's and numpy's own."""
    kind = type(value)
    if value is None or kind is Fraction or (kind in np.ScalarType and kind not in (int, memoryview, np.object_)):
        return value
    if kind is int and value.bit_length() < 1000:
        return value
    if kind is np.ndarray and value.dtype.kind in "biufcUS" and value.size <= 500 * ENTRIES_READ:
        return value.copy()
    if kind is np.ndarray and value.dtype.kind == "O" and value.size <= ENTRIES_READ:
        return plain(value.tolist(), depth)
    if kind in (list, tuple, set, frozenset) and depth and len(value) <= ENTRIES_READ:
        entries = [plain(one, depth - 1) for one in value]
        return entries if kind is list else tuple(entries) if kind is tuple else frozenset(entries)
    return Unread(kind.__name__)


def alike(one: Plain, other: Plain) -> bool:
    """Whether two replies are the same but for what floating point loses."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(alike, one, other))
    if one is None or other is None or isinstance(one, frozenset):
        return bool(one is other or one == other)
    try:
        same_shape = np.shape(one) == np.shape(other)
        return same_shape and bool(np.allclose(one, other, rtol=1e-9, atol=1e-9, equal_nan=True))
    except (TypeError, ValueError):
        return bool(np.all(np.asarray(one == other)))


def size(value: Any) -> int:
    """How many numbers there are in it."""
    if isinstance(value, list | tuple | frozenset):
        return sum(map(size, value))
    return int(np.size(value)) if isinstance(value, np.ndarray) else 1


def line(name: str, value: Plain) -> str:
    """``X = [[1, 2], [3, 4]]``; of what is long its shape or length and how it begins."""
    return f"{name} = {text(value)}"


def text(value: Plain) -> str:
    """The value on one line."""
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, list | tuple | frozenset):
        return _listed(value)
    if isinstance(value, float | np.floating):
        return f"{float(value):.{DIGITS}g}"
    return str(value) if isinstance(value, np.generic | Fraction) else repr(value)[:200]


def _array(value: Plain) -> str:
    if value.size <= ENTRIES_SHOWN:
        return text(value.tolist())
    first = value[:10] if value.ndim == 1 else value[0].ravel()[:10]
    return f"an array of the shape {value.shape} {SHORTENED} {text(first.tolist())}"


def _listed(value: Plain) -> str:
    if size(value) > ENTRIES_SHOWN:
        kind = "set" if isinstance(value, frozenset) else type(value).__name__
        return f"a {kind} of {len(value)} {SHORTENED} {text(next(iter(value)))}"
    shown = list(map(text, value))
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(shown))}}}"
    return f"({', '.join(shown)})" if isinstance(value, tuple) else f"[{', '.join(shown)}]"


def both(came: Plain, wanted: Plain) -> list[str]:
    """The reader's reply and a right one; of long ones the first entries that differ."""
    place: list[int] = []
    while size(came) + size(wanted) > ENTRIES_SHOWN and _has_entries(came) and _has_entries(wanted):
        differ = [i for i, pair in enumerate(zip(came, wanted, strict=False)) if not alike(*pair)]
        if len(came) != len(wanted) or not differ:
            break
        place.append(differ[0])
        came, wanted = came[differ[0]], wanted[differ[0]]
    mine, right = text(came), text(wanted)
    # Where six digits do not tell two numbers apart, all do.
    if mine == right and isinstance(came, float) and isinstance(wanted, float):
        mine, right = repr(float(came)), repr(float(wanted))
    where = [f"first difference, at [{', '.join(map(str, place))}]:"] if place else []
    return [*where, f"your reply:  {mine}", f"a right one: {right}"]


def _has_entries(value: Plain) -> bool:
    return isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim > 0)
