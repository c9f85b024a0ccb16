"""Which functions of the book a part of a trial calls: evidence that never calls what is on trial is no evidence."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType
from typing import Any


class CallTracker:
    """One implementation, and how to see that it runs.

    A function runs when its code does; a class when a method of its own does, on an instance of it; any other object
    when a method of its class does, on that very object.  A function that remembers its answers runs no code for an
    answer that it remembers, but counts that it was asked.  Of a kernel only runs of its lines uncompiled are seen.
    """

    def __init__(self, implementation: object) -> None:
        self.memories, function = _memories_and_function(implementation)
        self.asked = self._times_asked()
        self.owner: Any = None
        if isinstance(function, FunctionType):
            self.codes = {function.__code__}
            return
        self.owner = function
        owner = function if isinstance(function, type) else type(function)
        # What is inherited from other libraries says nothing about this class.
        bases = [base for base in owner.__mro__ if base.__module__.split(".")[0] == owner.__module__.split(".")[0]]
        members = [value for base in bases for value in vars(base).values()]
        self.codes = {code for value in members for code in _codes(value)}
        self.without_owner = {code for value in members if isinstance(value, staticmethod) for code in _codes(value)}

    def runs_in(self, frame: FrameType) -> bool:
        return frame.f_code in self.codes and (self.owner is None or self._owns(frame))

    def was_asked(self) -> bool:
        return self._times_asked() != self.asked

    def _times_asked(self) -> list[int]:
        return [memory.cache_info().hits + memory.cache_info().misses for memory in self.memories]

    def _owns(self, frame: FrameType) -> bool:
        """Whether the first argument of a method is the object, or of the class, that is tracked."""
        code = frame.f_code
        if code in self.without_owner or not code.co_argcount:
            return True
        first = frame.f_locals.get(code.co_varnames[0])
        if isinstance(self.owner, type):
            return isinstance(first, self.owner) or (isinstance(first, type) and issubclass(first, self.owner))
        return first is self.owner


def _memories_and_function(implementation: object) -> tuple[list[Any], Any]:
    """The memories on the way to the function that does the work, and that function; else the object itself."""
    memories: list[Any] = []
    inner = implementation
    while True:
        if hasattr(inner, "cache_info"):
            memories.append(inner)
        for name in ("__func__", "__wrapped__", "py_func"):
            if hasattr(inner, name) and not isinstance(inner, type):
                inner = getattr(inner, name)
                break
        else:
            if isinstance(inner, functools.partial):
                inner = inner.func
                continue
            return memories, inner


def unwrapped(implementation: object) -> Any:
    """The function that does the work, under decorators, memories and compilers; else the object itself."""
    return _memories_and_function(implementation)[1]


def _codes(value: object) -> Iterator[CodeType]:
    """The code of what stands in a class: a method, a property, a class method, a static method."""
    for method in (value, *(getattr(value, name, None) for name in ("fget", "func", "__func__", "__wrapped__"))):
        if isinstance(method, FunctionType):
            yield method.__code__


@contextmanager
def tracked_calls(implementations: Iterable[object]) -> Iterator[set[int]]:
    """The places, counted from 0, of the implementations that are called within the block, known at its end.

    Python calls the watcher at every call of a function until the last of them has been seen.  A watcher or profiler
    that was there before goes on seeing what it saw.
    """
    missing = {place: CallTracker(one) for place, one in enumerate(implementations)}
    called: set[int] = set()
    before: Any = sys.getprofile()

    def watch(frame: FrameType, event: str, argument: object) -> None:
        if callable(before):
            before(frame, event, argument)
        if event == "call":
            for place in [place for place, one in missing.items() if one.runs_in(frame)]:
                called.add(place)
                del missing[place]
            # A watcher within this one hands its events on, and is not to be pushed aside.
            if not missing and sys.getprofile() is watch:
                _resume(before)

    sys.setprofile(watch)
    try:
        yield called
    finally:
        _resume(before)
        called.update(place for place, one in missing.items() if one.was_asked())


def _resume(profiler: Any) -> None:
    """Put back what was there; a profiler written in C, such as cProfile's, is not a function and starts itself."""
    if profiler is None or callable(profiler):
        sys.setprofile(profiler)
    else:
        sys.setprofile(None)
        profiler.enable()
