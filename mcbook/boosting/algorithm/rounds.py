"""The loop that all boosting algorithms share, whatever one of their rounds is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar, cast

import numpy as np

from mcbook.foundation.checks import require_whole
from mcbook.foundation.types import Array

Ending: TypeAlias = Literal["rounds", "perfect", "useless"]

# Edges of floats below this are rounding.
NO_EDGE = 1e-12


class Round(Protocol):
    """The record of a round, a named tuple; its step is None where it would be infinite."""

    @property
    def hypothesis(self) -> Any: ...

    @property
    def step(self) -> Any: ...


R = TypeVar("R", bound=Round)


class Rounds(Generic[R]):
    """At most ``n_rounds`` rounds: to the first perfect one, or up to the first that is useless.

    ``make_round()`` boosts once and returns the record of it, or None where no hypothesis has an edge: that is no
    round, and the ``ending`` is "useless".  A record whose step is None made no error; its vote would be infinite and
    is one larger than all before it together, and the ending is "perfect".  Iterating makes the rounds, one by one;
    ``made`` are those made so far.

    >>> from typing import NamedTuple
    >>> class Vote(NamedTuple):
    ...     hypothesis: str
    ...     step: float | None
    >>> votes = iter([Vote("a", 0.5), Vote("b", 0.25), Vote("c", None), Vote("d", 9.0)])
    >>> rounds = Rounds(lambda: next(votes), 10)
    >>> [vote.step for vote in rounds], rounds.hypotheses, rounds.ending
    ([0.5, 0.25, 1.75], ('a', 'b', 'c'), 'perfect')
    """

    def __init__(self, make_round: Callable[[], R | None], n_rounds: int) -> None:
        self.n_rounds = require_whole(n_rounds, "n_rounds", at_least=1)
        self.make_round = make_round
        self.made: list[R] = []
        self.ending: Ending = "rounds"

    def __iter__(self) -> Iterator[R]:
        while len(self.made) < self.n_rounds and self.ending == "rounds":
            now = self.make_round()
            if now is None:
                self.ending = "useless"
                return
            if now.step is None:
                self.ending = "perfect"
                last_word = 1.0 + sum(float(each.step) for each in self.made)
                now = cast(R, cast(Any, now)._replace(step=last_word))
            self.made.append(now)
            yield now

    def columns(self, *names: str) -> list[Array]:
        """Fields of all rounds, ``(T,)`` each."""
        return [np.array([getattr(each, name) for each in self.made]) for name in names]

    @property
    def hypotheses(self) -> tuple[Any, ...]:
        return tuple(each.hypothesis for each in self.made)
