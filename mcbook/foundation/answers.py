"""What a checker of an exercise asks: cases, each with a question to the answer and what is wrong with the reply."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from mcbook.foundation.types import ArrayLike

Feedback = Callable[[Any], str]
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Case:
    """One seeded instance.

    ``description`` names the instance to the reader.  ``ask`` puts it to the answer: with ``inputs`` it calls the
    answer on them, and the answer must leave them as they are.  ``feedback`` says what is wrong with the reply, or
    nothing. ``parts`` names the parts of a reply that is a tuple.
    """

    description: str
    inputs: tuple[object, ...]
    feedback: Feedback
    ask: Callable[..., Any] = lambda answer, *inputs: answer(*inputs)
    parts: tuple[str, ...] = ()


Grader = Callable[[np.random.Generator], Iterator[Case]]


def itself(answer: Answer) -> Answer:
    """The question to an answer that is not called but looked at."""
    return answer


def close_to(expected: ArrayLike, tolerance: float = 1e-9) -> Feedback:
    """The feedback on a reply that has another shape than ``expected``, is not finite, or is further away."""
    right = np.asarray(expected)

    def feedback(reply: object) -> str:
        given, complaint = as_numbers(reply)
        if complaint:
            return complaint
        if given.shape != right.shape:
            return f"expected the shape {right.shape}, got {given.shape}"
        distance = np.abs(given.astype(float) - right.astype(float))
        allowed = tolerance * np.maximum(1.0, np.abs(right.astype(float)))
        wrong = int((distance > allowed).sum())
        return (
            "" if not wrong else f"{wrong} of {right.size} numbers are wrong" if right.ndim else "the number is wrong"
        )

    return feedback


def as_numbers(reply: object) -> tuple[Any, str]:
    """The reply as an array, and what stands against reading it as finite real numbers."""
    if reply is None:
        return None, "expected numbers, got None: does it return its result?"
    try:
        given = np.asarray(reply)
        kind = given.dtype.kind
        if kind not in "iufbO" or (
            kind == "O" and any(isinstance(x, complex) or not hasattr(x, "__float__") for x in given.ravel())
        ):
            return None, f"expected numbers, got {type(reply).__name__} of {given.dtype}"
        finite = bool(np.isfinite(given.astype(float)).all())
    except (TypeError, ValueError, OverflowError) as error:
        return None, f"expected numbers, got {type(reply).__name__} ({error})"
    return given, "" if finite else "not every number is finite"
