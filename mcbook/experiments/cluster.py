"""The grid on a Dask cluster: parts are tasks, and the tasks of a worker that is lost are done again by another.

A worker reads a data set once, from its own `MCBOOK_DATA` or its own cache, and keeps it for its next parts.  One with
other versions of the libraries runs nothing: records say what they were found with.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mcbook.experiments.grid import Part
from mcbook.experiments.part import versions
from mcbook.experiments.runner import Result, Workers, attempt

if TYPE_CHECKING:
    import distributed

# A part whose worker was lost more often than this is given up: it may be what kills them.
_MOST_LOSSES = 5
_TIMEOUT = "15s"
# Workers come and go; after this many seconds without any, nobody will run what is left.
_PATIENCE = 60.0
_PAUSE = 0.05


@contextmanager
def cluster_workers(address: str) -> Iterator[Workers]:
    """The workers of the scheduler at this address, however many come and go."""
    try:
        import distributed
    except ImportError as error:
        raise ValueError(
            "expected the package distributed for --scheduler, which is not installed: pip install mcbook[cluster]"
        ) from error
    try:
        # A client that cannot read its address is never closed properly.
        distributed.comm.get_address_host_port(address)
        client: distributed.Client = distributed.Client(address, timeout=_TIMEOUT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise ValueError(
            f"expected a Dask scheduler at {address}, and none answered ({error}): start one by `dask scheduler`, with "
            "workers that have mcbook installed, and give the address that it prints"
        ) from error
    with client:
        yield lambda parts: _results(client, parts, address)


def _results(client: distributed.Client, parts: list[Part], address: str) -> Iterator[Result]:
    from distributed import KilledWorker, as_completed

    # Parts depend on nothing but themselves; a key of their own keeps results of earlier code out.
    lost = dict.fromkeys(parts, 0)
    waiting = {_submit(client, part): part for part in parts}
    queue = as_completed(list(waiting), loop=client.loop)
    while waiting:
        _wait_for_the_next(queue, client, address)
        future = next(queue)
        part = waiting.pop(future)
        try:
            yield future.result()
        except CancelledError as end:
            raise ConnectionError(
                f"expected the scheduler at {address} to answer until all is done, but it is gone ({end}): start one "
                "again; what was finished is recorded, and the same command goes on from there"
            ) from end
        except KilledWorker as death:
            lost[part] += 1
            if lost[part] > _MOST_LOSSES:
                yield Result(part, None, f"its workers died, {death}")
                continue
            again = _submit(client, part)
            waiting[again] = part
            queue.add(again)


def _wait_for_the_next(queue: distributed.as_completed, client: distributed.Client, address: str) -> None:
    """Until a part is finished, or lost; there has to be a worker every now and then."""
    alone = asked = time.monotonic()
    while not queue.has_ready():
        time.sleep(_PAUSE)
        now = time.monotonic()
        if now - asked > _PATIENCE / 20:
            asked = now
            alone = now if _has_workers(client) else alone
        if now - alone > _PATIENCE:
            raise ConnectionError(
                f"expected workers at the scheduler {address}, and for {_PATIENCE:g} seconds there were none: start "
                f"some by `dask worker {address}` where mcbook is installed; what was finished is recorded, and the "
                "same command goes on from there"
            )


def _has_workers(client: distributed.Client) -> bool:
    try:
        return bool(client.nthreads())
    except OSError:  # the scheduler is gone, which the futures will tell
        return False


def _submit(client: distributed.Client, part: Part) -> distributed.Future:
    return client.submit(attempt_with, part, versions(), pure=False)


def attempt_with(part: Part, expected: dict[str, str]) -> Result:
    """Run a part if the libraries of this worker are those of the process that writes the records."""
    if versions() != expected:
        return Result(
            part,
            None,
            f"expected a worker with {expected}, got one with {versions()}: give all workers the same environment",
        )
    return attempt(part)
