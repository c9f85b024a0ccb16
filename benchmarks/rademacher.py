"""Rademacher complexities at the sizes the chapter promises; no other program does this, so only time and memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import Case, Contender
from mcbook.rademacher import exact_complexity, monte_carlo_complexity
from mcbook.rademacher.algorithm.monte_carlo import MonteCarloComplexity

_N_DRAWS = 10
_BLOCK = 100

Stream = Callable[[], Iterable[NDArray[np.int8]]]


def cases() -> list[Case]:
    """All 2^24 sign vectors for 1000 functions; 10 000 functions on 100 000 points, streamed."""
    return [
        Case(
            "rademacher: exact, 24 points, 1000 functions",
            partial(_table, 1000, 24),
            partial(_table, 20, 8),
            (Contender("mcbook", lambda values, setting: exact_complexity(values)),),
            outside_limits,
            0,
        ),
        Case(
            f"rademacher: Monte Carlo, 100000 points, 10000 functions, {_N_DRAWS} draws",
            partial(_stream, 10_000, 100_000),
            partial(_stream, 200, 500),
            (Contender("mcbook", _estimate),),
            width_over_bound,
            1,
        ),
    ]


def outside_limits(values: NDArray[np.int8], complexity: Any) -> float:
    """Whether the complexity is outside what a class of so many signs can have: one sup, and Massart's bound."""
    n_functions, n_samples = values.shape
    massart = math.sqrt(2 * math.log(n_functions) / n_samples)
    return float(not 0 < complexity <= massart)


def width_over_bound(stream: Stream, found: MonteCarloComplexity) -> float:
    """The width of the interval over that of bounded differences with values of one range, 2 for signs."""
    n_samples = next(iter(stream())).shape[1]
    widest = 2 * 2 * math.sqrt(math.log(2 / (1 - found.confidence)) / (2 * n_samples * found.n_draws))
    return (found.upper - found.lower) / widest - 1e-9


def _estimate(stream: Stream, setting: None) -> MonteCarloComplexity:
    return monte_carlo_complexity(stream, _N_DRAWS, np.random.default_rng(1))


def _table(n_functions: int, n_samples: int) -> NDArray[np.int8]:
    return np.random.default_rng(0).choice(np.array([-1, 1], dtype=np.int8), (n_functions, n_samples))


def _stream(n_functions: int, n_samples: int) -> Stream:
    """Random signs, a few functions at a time, made anew in every pass; a byte for eight of them is drawn."""

    def blocks() -> Iterable[NDArray[np.int8]]:
        rng = np.random.default_rng(0)
        for _ in range(n_functions // _BLOCK):
            drawn = np.frombuffer(rng.bytes(_BLOCK * n_samples // 8 + 1), dtype=np.uint8)
            bits = np.unpackbits(drawn, count=_BLOCK * n_samples).reshape(_BLOCK, n_samples)
            yield 2 * bits.astype(np.int8) - 1

    return blocks
