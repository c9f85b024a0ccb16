"""The threads of the linear algebra libraries that numpy and scipy bring along."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

from threadpoolctl import ThreadpoolController


class _Limit:
    """One limit for the whole process: the limit of a library's pool is the process's, not a thread's."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.asked: list[int] = []
        self.found: list[int] = []

    def enter(self, threads: int) -> None:
        """The first to come remembers what was set before; whoever asks for the fewest threads is served."""
        with self.lock:
            if not self.asked:
                self.found = [library.get_num_threads() for library in _pools()]
            if not self.asked or threads < min(self.asked):
                _set([threads] * len(_pools()))
            self.asked.append(threads)

    def leave(self, threads: int) -> None:
        """The last to leave puts back what the first had found."""
        with self.lock:
            self.asked.remove(threads)
            if not self.asked:
                _set(self.found)
            elif min(self.asked) > threads:
                _set([min(self.asked)] * len(_pools()))


_limit = _Limit()


@contextmanager
def limited_blas(threads: int | None) -> Iterator[None]:
    """At most so many threads within the block, or as many as before for None; blocks of several threads may overlap.

    Products of small matrices are over before a second thread has been woken, and the pools of the two libraries, one
    of numpy and one of scipy, take the cores from each other when both are in use.
    """
    if threads is None:
        yield
        return
    _limit.enter(threads)
    try:
        yield
    finally:
        _limit.leave(threads)


def _set(threads: list[int]) -> None:
    for library, number in zip(_pools(), threads, strict=True):
        library.set_num_threads(number)


@cache
def _pools() -> list[Any]:
    return list(ThreadpoolController().select(user_api="blas").lib_controllers)
