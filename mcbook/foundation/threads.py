"""Threads for compiled loops that let go of the interpreter's lock: a range of work in pieces, one for each core.

Plain threads, and no parallel loops of the compiler's: those may not be entered by two threads at the same time, nor
after a fork, and an estimator must bear both.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from threading import local
from typing import TypeVar

Result = TypeVar("Result")

_here = local()


def n_threads() -> int:
    """As many as this process may use cores; one within work that is already shared out."""
    if getattr(_here, "at_work", False):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def one_thread() -> Iterator[None]:
    """Within the block work is not shared out, so that sums of floats are the same on any number of cores.

    >>> with one_thread():
    ...     n_threads()
    1
    """
    before = getattr(_here, "at_work", False)
    _here.at_work = True
    try:
        yield
    finally:
        _here.at_work = before


def in_pieces(task: Callable[[int, int], Result], size: int, least: int = 1) -> list[Result]:
    """What ``task(begin, end)`` returns for consecutive pieces of ``range(size)``, each at least ``least`` long.

    There are at most as many pieces as threads, and a single piece is done in the thread that asks.

    >>> in_pieces(lambda begin, end: list(range(begin, end)), 3, least=3)
    [[0, 1, 2]]
    """
    most = size // max(least, 1)
    # To ask for the cores takes as long as many a short piece of work.
    n_pieces = 1 if most < 2 else min(n_threads(), most)
    cuts = [size * piece // n_pieces for piece in range(n_pieces + 1)]
    first, *others = pairwise(cuts)
    later = [_pool(os.getpid()).submit(_work, task, *piece) for piece in others]
    return [task(*first), *(piece.result() for piece in later)]


def at_the_same_time(
    tasks: Sequence[Callable[[], Result]], n_jobs: int | None = None, on_each: Callable[[], None] = lambda: None
) -> list[Result]:
    """What the tasks return, each run by the next thread that is free, of ``n_jobs`` or of all cores.

    ``on_each`` is called in the thread that asks, once for each task that is done.

    >>> at_the_same_time([lambda: 1, lambda: 2])
    [1, 2]
    """
    n_workers = min(n_threads(), len(tasks) if n_jobs is None else n_jobs)
    if n_workers <= 1:
        return list(_reporting((task() for task in tasks), on_each))
    with ThreadPoolExecutor(n_workers) as pool:
        return list(_reporting(pool.map(_work, tasks), on_each))


def _reporting(results: Iterable[Result], on_each: Callable[[], None]) -> Iterator[Result]:
    for result in results:
        on_each()
        yield result


def _work(task: Callable[..., Result], *piece: int) -> Result:
    _here.at_work = True
    return task(*piece)


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    # One for each process, as threads do not outlive a fork.
    return ThreadPoolExecutor(n_threads(), thread_name_prefix="mcbook")
