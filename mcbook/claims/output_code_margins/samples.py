"""Samples, codes and runs that several claims of the chapter try."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mcbook.boosting import FinitePool
from mcbook.boosting.algorithm.adaboost import BoostingRun
from mcbook.claims import Evidence
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Array, Ball
from mcbook.output_code_margins import adaboost_mo
from mcbook.output_code_margins.instances import TwoRounds
from mcbook.output_codes import boost

Found = Iterator[Evidence]

THETAS = tuple(Fraction(n, 10) for n in (-5, -2, 0, 1, 2, 4, 8))


class Run(NamedTuple):
    """A run of AdaBoost over the pairs of a code: answers f, eta, the errors of the rounds, all known as balls."""

    F: Array
    eta: Ball
    errors: tuple[Fraction, ...]
    y: Array


def random_sign_code(rng: np.random.Generator) -> Array:
    """A code of signs with different rows, of two to five classes; every column has both signs."""
    while True:
        M = rng.choice([-1, 1], (int(rng.integers(2, 6)), int(rng.integers(1, 7))))
        if len({tuple(row) for row in M.tolist()}) == len(M) and (M.max(axis=0) > M.min(axis=0)).all():
            return np.asarray(M)


def random_run(rng: np.random.Generator, M: Array, n_rounds: int) -> Run | None:
    """An exact run over a random pool on a random sample, pairs with a zero entry left out; None without an edge."""
    m = int(rng.integers(2, 7))
    y = rng.integers(0, len(M), m)
    signs = M[y]
    asked = (signs != 0).ravel()
    flipped = rng.random((8, *signs.shape)) < rng.choice([0.15, 0.3, 0.45])
    answers = np.where(signs == 0, rng.choice([-1, 1], (8, *signs.shape)), signs) * np.where(flipped, -1, 1)
    made = boost(answers.reshape(8, -1)[:, asked], signs.ravel()[asked], n_rounds)
    return replayed(answers, made.chosen, made.errors, y) if made.chosen else None


def replayed(answers: Array, chosen: tuple[int, ...], errors: tuple[Fraction, ...], y: Array) -> Run:
    """f and eta of the hypotheses that a run chose, whose weights follow from their errors."""
    weights = np.array([(ball(1 - error) / ball(error)).log() / 2 for error in errors], dtype=object)
    eta = weights.sum()
    F = (weights[:, None, None] * answers[list(chosen)]).sum(axis=0) / eta
    # What is 1 up to the rounding of the balls is 1.
    return Run(np.frompyfunc(_within_one, 1, 1)(F), eta, errors, y)


def _within_one(value: Ball) -> Ball:
    return value.max(ball(-1)).min(ball(1))


def random_fractions(rng: np.random.Generator, shape: tuple[int, ...], size: int = 12) -> Array:
    """Fractions from -1 to 1."""
    whole = rng.integers(-size, size + 1, shape)
    return np.frompyfunc(lambda n: Fraction(int(n), size), 1, 1)(whole)


def exact_run(M: Array, y: Array, pool: Array, n_rounds: int) -> BoostingRun:
    weights = np.array([Fraction(1)] * len(y), dtype=object)
    return adaboost_mo(FinitePool(pool), M, y, n_rounds, sample_weight=weights)


def mistaken_share(sample: TwoRounds, error: Fraction) -> Fraction:
    """The share of margins <= 0 after two rounds of equal weight, in fractions: e^-eta is error / (1 - error)."""
    F = sample.pool.sum(axis=0) // 2
    faintest = error / (1 - error)
    wrong = 0
    for f, label in zip(F, sample.y, strict=True):
        costs = [sum((faintest ** int(v) for v in (f * row)[row != 0]), Fraction(0)) for row in sample.M]
        wrong += min(cost for r, cost in enumerate(costs) if r != label) <= costs[label]
    return Fraction(wrong, len(F))


def half_log(error: Fraction) -> Ball:
    return ball((1 - error) / error).log() / 2
