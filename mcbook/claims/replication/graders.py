"""What the chapter's exercises are marked against."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mcbook.foundation.answers import Case, close_to
from mcbook.output_code_errors import sharp_loss_decoding_bound
from mcbook.replication import counts_behind, equal_rates_p_value, paper_columns, sign_test_p_value
from mcbook.replication.algorithm.synthetic import DiscLearner


def wrong_of_26() -> int:
    (count,) = counts_behind(Fraction("19.2"), 26)
    return count


def dense_columns_of_eleven() -> int:
    return paper_columns(10, 11)


def six_against_two() -> Fraction:
    return sign_test_p_value(6, 2)


def one_of_four_against_four() -> Fraction:
    return equal_rates_p_value(1, 4, 4, 4)


def letters_by_all_pairs() -> Fraction:
    return Fraction(str(sharp_loss_decoding_bound(Fraction(1, 100), 25, 1)))


def order_of_the_proof() -> tuple[int, ...]:
    return (0, 1, 2, 3, 4)


def middle_ring() -> Fraction:
    """The error of the best disc for the middle one of three rings with one point each."""
    best = DiscLearner(np.array([0.5, 1.5, 2.5])).learn(np.array([[-1.0], [1.0], [-1.0]]) / 3)
    wrong = best.outputs[:, 0] != [-1, 1, -1]
    return Fraction(int(wrong.sum()), 3)


def sign_tests(rng: np.random.Generator) -> Iterator[Case]:
    for wins, losses in ((5, 0), (3, 3), (22, 12), (int(rng.integers(1, 20)), int(rng.integers(1, 20)))):
        right = float(sign_test_p_value(wins, losses))
        yield Case(f"{wins} wins and {losses} losses", (wins, losses), close_to(right))


def exact_tests(rng: np.random.Generator) -> Iterator[Case]:
    for n, other_n in ((3, 3), (12, 7), (26, 26)):
        wrong, other = int(rng.integers(0, n + 1)), int(rng.integers(1, other_n + 1))
        right = float(equal_rates_p_value(wrong, n, other, other_n))
        yield Case(f"{wrong} of {n} and {other} of {other_n}", (wrong, n, other, other_n), close_to(right))
    yield Case("2 of 10 and 8 of 10", (2, 10, 8, 10), close_to(float(equal_rates_p_value(2, 10, 8, 10))))
