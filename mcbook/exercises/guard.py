"""Asking an answer that is not trusted: it may raise, change what it is given, or never come back."""

from __future__ import annotations

import copy
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np

from mcbook.exercises.shown import Plain, plain
from mcbook.foundation.answers import Case

# Long enough for a loop that an answer has compiled first.
SECONDS = 20.0
NEVER_ENDS = "does a loop never end?"


class _TimeIsUp(BaseException):
    """Not an Exception, so that an answer which catches those does not catch this."""


@dataclass(frozen=True)
class Outcome:
    """What an answer did on a case: what is wrong with it, or nothing, and a wrong reply in plain data."""

    complaint: str
    reply: Plain = None
    replied: bool = False
    in_time: bool = True


def complaint(case: Case, answer: Any, seconds: float | None = None) -> str:
    """What is wrong with the answer on this case, or nothing."""
    return outcome(case, answer, seconds).complaint


def outcome(case: Case, answer: Any, seconds: float | None = None) -> Outcome:
    """What the answer did on this case."""
    given, seconds = copy.deepcopy(case.inputs), seconds or SECONDS
    try:
        with _time_limit(seconds):
            reply = case.ask(answer, *given)
            feedback = case.feedback(reply)
            # A reply may do anything while it is read, so that it is read here.
            read = plain(reply) if feedback else None
    except _TimeIsUp:
        return Outcome(f"no reply within {seconds:g} seconds: {NEVER_ENDS}", in_time=False)
    # An answer may leave by any door; only the reader's own Ctrl-C is let through.
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Outcome(f"it stops with {type(error).__name__}: {str(error)[:200]}")
    changed = [place for place, pair in enumerate(zip(given, case.inputs, strict=True), 1) if not _same(*pair)]
    if changed:
        return Outcome(f"it changes the arguments that it is given, here the one in place {changed[0]}: work on copies")
    return Outcome(feedback, read, replied=bool(feedback))


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """A limit where the system has one: on POSIX, in the main thread, where notebooks run their cells."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    # Rings again every second, for an answer that catches everything once.
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(signum: int, frame: FrameType | None) -> None:
    # A module imported by halves would be broken for the rest of the session: it may come to its end.
    if not _is_importing(frame):
        raise _TimeIsUp


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        alike = isinstance(one, np.ndarray) and isinstance(other, np.ndarray) and one.shape == other.shape
        return alike and one.dtype == other.dtype and bool((one == other).all())
    if isinstance(one, list | tuple) and type(one) is type(other):
        return len(one) == len(other) and all(map(_same, one, other))
    return not isinstance(one, int | float | str) or bool(one == other)
