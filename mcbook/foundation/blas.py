"""The threads of the linear algebra libraries that numpy and scipy bring along."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


def limited_blas(threads: int | None) -> AbstractContextManager[Any]:
    """At most so many threads within the block, or as many as before for None.

    Products of small matrices are over before a second thread has been woken, and the pools of the two libraries, one
    of numpy and one of scipy, take the cores from each other when both are in use.
    """
    return _pools().limit(limits=threads, user_api="blas")


@cache
def _pools() -> ThreadpoolController:
    return ThreadpoolController()
