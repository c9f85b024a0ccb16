"""What of the arguments of a call is the same on every machine, as one text."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import FrameType
from typing import Any

import numpy as np

from mcbook.foundation.proof import Known, Tier


def told_exactly(frame: FrameType) -> str:
    """The arguments of the call that has just begun, by their names."""
    names, rest, more, values = inspect.getargvalues(frame)
    return " ".join(f"{name}={''.join(_told(values[name]))}" for name in (*names, rest, more) if name)


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
        if value.dtype.kind == "f":
            yield f"floats{value.shape}"
        else:
            yield f"array{value.shape}"
            yield from _told(value.tolist())
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
        # While it is being made it has none of them.
        told = "".join(_told([getattr(value, name, "") for name in names]))
        # Beside floats stand counts that may depend on them, such as how many steps a solver made.
        yield "" if "float" in told else told
    elif type(value).__module__.split(".")[0] == "flint":
        yield str(value)
    else:
        yield type(value).__name__
