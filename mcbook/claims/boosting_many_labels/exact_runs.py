"""Runs of AdaBoost.MH in fractions, and what is read from them; the claims on pairs and on starts share them."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from mcbook.boosting import FinitePool, normaliser, run_adaboost, squared_training_error_bound, squared_votes
from mcbook.boosting.algorithm.adaboost import BoostingRun
from mcbook.boosting_many_labels import half_start_sample, start_weights
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Array, Ball, Scalar
from mcbook.problem import score_margins

balls = np.frompyfunc(ball, 1, 1)
# For the rounding of balls where both sides may be equal.
HAIR = Fraction(1, 10**10)


def same(A: Any, B: Any) -> bool:
    return bool(np.shape(A) == np.shape(B) and (np.asarray(A) == np.asarray(B)).all())


def random_task(rng: np.random.Generator, n_hypotheses: int = 10) -> tuple[np.ndarray, np.ndarray]:
    """Answers (m, k) and a pool of hypotheses that are right somewhat more often than wrong."""
    m, k = (int(n) for n in rng.integers(2, 5, 2))
    Y = rng.choice([-1, 1], (m, k))
    return Y, np.where(rng.random((n_hypotheses, m, k)) < 0.6, Y, -Y)


def exact_run(Y: np.ndarray, H: np.ndarray, n_rounds: int, weights: Array | None = None) -> BoostingRun:
    ones = np.full(Y.shape, Fraction(1), dtype=object)
    return run_adaboost(FinitePool(H), Y, n_rounds, weights=ones if weights is None else weights, keep_history=True)


def exact_normalisers(run: BoostingRun) -> list[Ball]:
    """The Z_t as balls, from errors that are fractions."""
    return [normaliser(ball(error)) for error in run.errors]


def squared_product(run: BoostingRun) -> Fraction:
    return Fraction(squared_training_error_bound(list(run.errors)))


def scores_of(run: BoostingRun) -> np.ndarray:
    """e^(2 f(x_i, l)), which is rational and orders the labels as f does."""
    return squared_votes(list(run.odds), np.asarray(run.history))


def argmax_error(run: BoostingRun, y: np.ndarray) -> Fraction:
    return Fraction(int((score_margins(scores_of(run), y) <= 0).sum()), len(y))


def product(factors: Iterable[Scalar]) -> Scalar:
    return functools.reduce(operator.mul, list(factors), 1)


@functools.cache
def usual_start(n_classes: int, n_rounds: int, share: Fraction | None = None) -> BoostingRun:
    Y, H = half_start_sample(n_classes)
    return exact_run(Y, H, n_rounds, start_weights(np.array([0]), n_classes, share))


def log_two(whole: Array) -> np.ndarray:
    """Whole numbers times ln 2, as balls: their exponentials are powers of two."""
    return balls(whole) * ball(2).log()
