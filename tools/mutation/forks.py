"""Forked processes: each does one job on a copy of everything that is warm here, and hands back its result."""

from __future__ import annotations

import itertools
import os
import pickle
import selectors
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

TIMED_OUT, CRASHED, FAILED = "timed out", "crashed", "failed"


_ALARMS = {signal.ITIMER_PROF: signal.SIGPROF, signal.ITIMER_REAL: signal.SIGALRM}


def limit_time(seconds: float) -> None:
    """End this process after so much time of its own, or after ten times as much on the clock; 0 takes the limit away.

    A loop without end may stand in compiled code, which listens to nothing but the end of its process.  The clock alone
    would call slow what only waits for a busy machine; the process's time alone would wait for ever for what sleeps.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 10 * seconds)


def run_forked(jobs: Iterable[Any], work: Callable[[Any], Any], workers: int) -> Iterator[tuple[Any, str, Any]]:
    """``(job, "", result)`` for each job as it ends, or ``(job, how it ended, message)`` where it gave no result.

    A job that lets an alarm set by `limit_time` come, which ends its process, has timed out; another signal is a crash.
    """
    waiting = iter(jobs)
    running: dict[int, tuple[Any, int, bytearray]] = {}
    with selectors.DefaultSelector() as selector:
        while True:
            for job in itertools.islice(waiting, workers - len(running)):
                reader, pid = _start(job, work)
                running[reader] = (job, pid, bytearray())
                selector.register(reader, selectors.EVENT_READ)
            if not running:
                return
            for key, _ in selector.select():
                reader = key.fd
                job, pid, received = running[reader]
                block = os.read(reader, 1 << 16)
                received += block
                if not block:
                    selector.unregister(reader)
                    os.close(reader)
                    del running[reader]
                    yield job, *_ended(os.waitpid(pid, 0)[1], bytes(received))


def _start(job: Any, work: Callable[[Any], Any]) -> tuple[int, int]:
    reader, writer = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        # From Python 3.12 on, a fork beside other threads warns; none of ours holds a lock that the child needs.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid:
        os.close(writer)
        return reader, pid
    try:
        os.close(reader)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        for alarm in _ALARMS.values():
            signal.signal(alarm, signal.SIG_DFL)
        try:
            answer = ("", work(job))
        except BaseException:
            answer = (FAILED, traceback.format_exc())
        limit_time(0)
        with os.fdopen(writer, "wb") as pipe:
            pickle.dump(answer, pipe)
    finally:
        # Neither the clean-up of pytest nor that of the interpreter: they belong to the process that was forked.
        os._exit(0)


def _ended(status: int, received: bytes) -> tuple[str, Any]:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return (TIMED_OUT, "") if number in _ALARMS.values() else (CRASHED, signal.Signals(number).name)
    if not received:
        return CRASHED, "it ended without an answer"
    how, result = pickle.loads(received)
    return how, result
