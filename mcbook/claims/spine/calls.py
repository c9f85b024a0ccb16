"""Which functions of the book a part of a trial calls: evidence that never calls what is on trial is no evidence."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any


def code_objects(implementation: Any) -> set[CodeType]:
    """The code that runs when the implementation is used: of a function its own, of a class or object its methods'."""
    function = getattr(implementation, "py_func", getattr(implementation, "__wrapped__", implementation))
    if hasattr(function, "__code__"):
        return {function.__code__}
    owner = implementation if isinstance(implementation, type) else type(implementation)
    methods = (getattr(value, "fget", value) for base in owner.__mro__[:-1] for value in vars(base).values())
    return {method.__code__ for method in methods if hasattr(method, "__code__")}


@contextmanager
def watched(implementations: Iterable[Any]) -> Iterator[set[int]]:
    """The places, counted from 0, of the implementations that are called within the block.

    Python calls the watcher at every call of a function until the last of them has been seen.
    """
    missing = dict(enumerate(map(code_objects, implementations)))
    called: set[int] = set()
    before = sys.getprofile()

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            for place in [place for place, codes in missing.items() if frame.f_code in codes]:
                called.add(place)
                del missing[place]
            if not missing:
                sys.setprofile(before)

    sys.setprofile(watch)
    try:
        yield called
    finally:
        sys.setprofile(before)
