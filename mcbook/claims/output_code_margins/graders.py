"""What the chapter's exercises are marked against."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.boosting.algorithm.adaboost import BoostingRun
from mcbook.boosting.algorithm.learners import GivenSequence
from mcbook.foundation.answers import Case, close_to
from mcbook.output_code_margins import (
    adaboost_mo,
    fixed_eta_margin_excess,
    margin_threshold,
    mistake_bound_with_zeros,
    rounds_for_margin,
    soft_votes,
    training_margin_bound,
)
from mcbook.output_codes import all_pairs_code, hadamard_code, one_vs_rest_code


def _one_round(n_pairs: int = 5) -> BoostingRun:
    """The run of one round over so many pairs of one column, wrong on one of them."""
    y = np.arange(n_pairs) % 2
    answers = np.where(y == 0, -1, 1)[None, :, None].copy()
    answers[0, 0, 0] *= -1
    weights = np.array([Fraction(1)] * n_pairs, dtype=object)
    return adaboost_mo(GivenSequence(answers), np.array([[-1], [1]]), y, 1, sample_weight=weights)


def factor_of_a_fifth() -> Fraction:
    return Fraction(_one_round().D[0, 0] * 5)


def error_after_a_round() -> Fraction:
    return Fraction(_one_round().D[0, 0])


_ANSWERS = np.array([[0.8, 0.8, 0.8, -0.4]])


def mean_of_answers() -> float:
    return round(float(soft_votes(_ANSWERS, np.array([[1] * 4, [-1] * 4]), 1e-7)[0, 0]), 6)


def smallest_of_answers() -> float:
    return round(float(soft_votes(_ANSWERS, np.array([[1] * 4, [-1] * 4]), 1e7)[0, 0]), 6)


def first_bound_by_hand() -> float:
    return round(float(training_margin_bound([Fraction(1, 10)] * 2, 3, 2)), 12)


def refined_bound_by_hand() -> Fraction:
    return Fraction(mistake_bound_with_zeros(Fraction(9, 25), Fraction(1, 9), 3, 2))


def threshold_at_small_edges() -> float:
    return round(margin_threshold(1e-4) / 1e-4, 6)


def threshold_at_large_edges() -> int:
    """The quotient climbs to its limit as slowly as a logarithm: from 1.7 to 1.9 as the rest shrinks a thousandfold."""
    near = [float(margin_threshold(0.5 - rest)) / (0.5 - rest) for rest in (1e-2, 1e-5, 1e-8)]
    return round(near[-1]) if near == sorted(near) else 0


def order_of_the_proof() -> tuple[int, ...]:
    return (0, 1, 2, 3, 4, 5)


def fall_of_the_excess() -> int:
    few, many = (float(fixed_eta_margin_excess(m, 1, 1, 1.0, 0.05)) for m in (10**12, 4 * 10**12))
    return round(few / many)


def growth_for_half_the_margin() -> int:
    """At the delta where the second term vanishes the excess is in proportion to 1 / (theta sqrt(m))."""
    whole = float(fixed_eta_margin_excess(10**12, 1, 1, 1.0, 1 - 1e-12))
    half = float(fixed_eta_margin_excess(10**12, 1, 1, 0.5, 1 - 1e-12))
    return round(half / whole) ** 2


def rounds_by_hand() -> int:
    return math.floor(rounds_for_margin(100, 4, 2, 0.25, 0.0)) + 1


def votes_of_answers(rng: np.random.Generator) -> Iterator[Case]:
    for M, eta in ((one_vs_rest_code(3), 0.5), (hadamard_code(4), 3.0), (one_vs_rest_code(5), 2000.0)):
        F = rng.uniform(-1, 1, (6, M.shape[1]))
        F[0] = -M[0]
        yield Case(f"{len(M)} classes, eta = {eta:g}", (F, M, eta), close_to(soft_votes(F, M, eta)))


def weights_after_a_round(rng: np.random.Generator) -> Iterator[Case]:
    for M in (one_vs_rest_code(3), all_pairs_code(4)):
        y = np.arange(8) % len(M)
        signs = M[y]
        for _ in range(2):
            h = np.where(signs == 0, 1, signs) * np.where(rng.random(signs.shape) < 0.15, -1, 1)
            h[0] = np.where(signs[0] == 0, 1, -signs[0])
            weight = rng.uniform(0.5, 1.5, len(y))
            D = np.where(signs != 0, weight[:, None], 0.0)
            right = adaboost_mo(GivenSequence(h[None]), M, y, 1, sample_weight=weight).D
            yield Case(f"{len(M)} classes, {M.shape[1]} columns", (D / D.sum(), signs, h), close_to(right))
