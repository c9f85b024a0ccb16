"""Complexities too large to enumerate: random signs, and a confidence interval that holds for every number of draws.

One draw of signs gives Z = (max_h - min_h) sum_i sigma_i h(x_i) / 2m, whose mean is the complexity because -sigma is
distributed as sigma.  Turning sign i moves Z by at most (max_h h(x_i) - min_h h(x_i)) / m =: d_i / m, so by McDiarmid's
inequality for the n m independent signs of n draws

    Pr[|mean of Z - complexity| >= t] <= 2 exp(-2 n m^2 t^2 / sum_i d_i^2).

>>> found = monte_carlo_complexity(np.eye(2), 4000, np.random.default_rng(0))  # the exact complexity is 1/4
>>> found.lower < 0.25 < found.upper, found.upper - found.lower < 0.1
(True, True)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mcbook.foundation.checks import require_finite, require_share, require_whole
from mcbook.foundation.types import Array
from mcbook.rademacher.theory.classes import values_matrix

# How many values are worked on at once, 64 MB of them, and how many signs are turned into floats at once: few enough
# to stay in the processor's cache.
_VALUES_PIECE = 2**23
_SIGNS_PIECE = 2**16


@dataclass(frozen=True)
class MonteCarloComplexity:
    """An estimate of a complexity with limits that contain it with probability at least ``confidence``.

    >>> monte_carlo_complexity(np.zeros((1, 3)), 10, np.random.default_rng(0))  # one function, always 0
    MonteCarloComplexity(estimate=0.0, lower=0.0, upper=0.0, confidence=0.99, n_draws=10)
    """

    estimate: float
    lower: float
    upper: float
    confidence: float
    n_draws: int


def monte_carlo_complexity(
    values: Array | Callable[[], Iterable[Array]],
    n_draws: int,
    rng: np.random.Generator,
    confidence: float = 0.99,
) -> MonteCarloComplexity:
    """Estimate E_sigma sup_h (1/m) sum_i sigma_i h(x_i) from the given number of sign vectors.

    ``values (n_functions, n_samples)``, or a function that starts a stream of them: it returns an iterable of arrays
    (any number of functions, n_samples), which is gone through once.  Memory: one such array, a byte for each sign
    (m n_draws of them), and pieces of 64 MB.  The interval is by bounded differences (see above), its half-width at
    most max_i d_i sqrt(ln(2 / (1 - confidence)) / (2 m n_draws)).
    """
    n_draws = require_whole(n_draws, "n_draws", at_least=1)
    require_share(confidence, "confidence", zero=False, one=False)
    draws: _Draws | None = None
    for block in _blocks(values, n_draws):
        draws = draws or _Draws(block.shape[1], n_draws, rng)
        draws.include(block)
    if draws is None:
        raise ValueError("expected at least one function, got an empty stream of values")
    estimate = float((draws.largest - draws.smallest).mean()) / (2 * draws.n_samples)
    spread = float(np.square(draws.highest - draws.lowest).sum())
    half_width = math.sqrt(spread * math.log(2 / (1 - confidence)) / (2 * n_draws)) / draws.n_samples
    # A complexity is never negative: the mean of each single function's sum is 0.
    return MonteCarloComplexity(estimate, max(0.0, estimate - half_width), estimate + half_width, confidence, n_draws)


class _Draws:
    """Random signs; the extreme sums under each draw of them, and the extreme values at each point, so far."""

    def __init__(self, n_samples: int, n_draws: int, rng: np.random.Generator) -> None:
        self.n_samples = n_samples
        self.signs = 2 * rng.integers(0, 2, (n_samples, n_draws), dtype=np.int8) - 1
        self.highest, self.lowest = np.full(n_samples, -np.inf), np.full(n_samples, np.inf)
        self.largest, self.smallest = np.full(n_draws, -np.inf), np.full(n_draws, np.inf)

    def include(self, block: Array) -> None:
        """Take more functions into account."""
        if block.shape[1] != self.n_samples:
            raise ValueError(f"expected values on {self.n_samples} points in every block, got shape {block.shape}")
        require_finite(block, "values", "drop those functions or points")
        sums = _signed_sums(block, self.signs)
        np.maximum(self.highest, block.max(axis=0), out=self.highest)
        np.minimum(self.lowest, block.min(axis=0), out=self.lowest)
        np.maximum(self.largest, sums.max(axis=0), out=self.largest)
        np.minimum(self.smallest, sums.min(axis=0), out=self.smallest)


def _blocks(values: Array | Callable[[], Iterable[Array]], n_draws: int) -> Iterator[Array]:
    """The values in arrays of floats of at most one piece, or single rows where a row is longer than that."""
    for block in values() if callable(values) else (values,):
        table = values_matrix(block)
        if table.dtype.kind not in "biuf":
            raise ValueError(
                f"expected values of a numeric type, got {table.dtype}: exact numbers are for exact_complexity"
            )
        n_rows = max(1, _VALUES_PIECE // max(table.shape[1], n_draws))
        for start in range(0, len(table), n_rows):
            yield table[start : start + n_rows].astype(float, copy=False)


def _signed_sums(block: Array, signs: NDArray[np.int8]) -> Array:
    """The sums of every function under every sign vector."""
    from mcbook.rademacher.kernels import add_signed_sums

    n_samples, n_draws = signs.shape
    step = max(1, _SIGNS_PIECE // n_draws)
    sums = np.zeros((len(block), n_draws))
    for start in range(0, n_samples, step):
        piece = np.ascontiguousarray(block[:, start : start + step])
        add_signed_sums(piece, signs[start : start + step].astype(float), sums)
    return sums
