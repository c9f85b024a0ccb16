"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.boosting import FinitePool, normaliser, run_adaboost
from mcbook.boosting_many_labels import (
    LabelStumps,
    argmax_error_bound,
    best_shift,
    half_start_square,
    label_signs,
    mean_margin_objective,
    ranking_normaliser,
    start_weights,
    started_error_bound,
    stump_cost,
    three_by_three,
    wrong_pairs,
)
from mcbook.foundation.answers import Case, close_to
from mcbook.foundation.types import Exact, Scalar


def pairs_of_photographs() -> int:
    return label_signs(np.zeros(1000, dtype=int), 20).size


def answers_about_one() -> int:
    return label_signs(np.array([0]), 20).size


def _after_a_round() -> Exact:
    Y, H = three_by_three()
    ones = np.full(Y.shape, Fraction(1), dtype=object)
    return run_adaboost(FinitePool(H), Y, 1, weights=ones).D


def weight_of_missed() -> Fraction:
    return _after_a_round().max()


def weight_of_right() -> Fraction:
    return _after_a_round().min()


def normaliser_of_no() -> Scalar:
    return normaliser(error_of_no(Fraction(1, 10)))


def error_of_no(share: Fraction = Fraction(1, 2)) -> Fraction:
    return start_weights(np.array([0]), 10, share)[0, 0]


def constant_of_equal() -> Scalar:
    return argmax_error_bound(26, [1])


def constant_of_half() -> Scalar:
    return started_error_bound(26, Fraction(1, 2), [1])


def order_of_the_proof() -> tuple[int, ...]:
    return (0, 1, 2, 3, 4)


def square_after_three() -> Scalar:
    return half_start_square(3, 3)


def limit_of_the_square() -> float:
    return round(float(half_start_square(3, 10**12)), 9)


_MARGINS = np.array([[-2.0, 4.0, 4.0]])


def share_of_wrong() -> Fraction:
    return wrong_pairs(_MARGINS, np.ones((1, 3), dtype=int))


def exponent_of_the_mean() -> float:
    return round(-float(np.log(mean_margin_objective(_MARGINS, np.ones((1, 3), dtype=int)))), 9)


def normaliser_of_the_round() -> Scalar:
    return ranking_normaliser(Fraction(4, 9), Fraction(1, 9))


def factor_of_the_rest() -> Scalar:
    return 1 / normaliser_of_the_round()


def additions_for_a_comparison() -> Fraction:
    scan = stump_cost(1024, 10, 64, 101) - stump_cost(1024, 10, 64, 1)
    return Fraction(scan, stump_cost(1024, 10, 64, 100) - scan)


def new_weights(rng: np.random.Generator) -> Iterator[Case]:
    for m, k in ((3, 2), (5, 4), (20, 6)):
        Y = rng.choice([-1, 1], (m, k))
        h = np.where(rng.random((m, k)) < 0.7, Y, -Y)
        h[0, 0], h[-1, -1] = Y[0, 0], -Y[-1, -1]
        D = rng.random((m, k))
        D /= D.sum()
        error = D[h != Y].sum()
        right = np.where(h != Y, D / (2 * error), D / (2 * (1 - error)))
        yield Case(f"{m} examples with {k} labels", (D, Y, h), close_to(right))


def best_shifts(rng: np.random.Generator) -> Iterator[Case]:
    for size, moved in ((1, 0), (5, 100), (5, 2000)):
        f = size * rng.normal(size=5)
        # A constant in all scores is taken back by the shift.
        yield Case(f"scores near {moved}", (f + moved, 2), close_to(float(best_shift(f, 2)) - moved))


def best_edges(rng: np.random.Generator) -> Iterator[Case]:
    # With a single value there is only the question that leaves all on one side.
    for m, k, n_values in ((3, 2, 1), (6, 2, 3), (30, 4, 5), (60, 3, 60)):
        x = rng.permutation(np.arange(m) % n_values).astype(float)
        A = rng.normal(size=(m, k))
        A /= np.abs(A).sum()
        _, outputs = LabelStumps(x[:, None]).learn(A)
        values = f"{n_values} value{'s' if n_values > 1 else ''}"
        yield Case(f"{m} examples, {k} labels, {values}", (x, A), close_to((A * outputs).sum()))
