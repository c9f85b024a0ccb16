"""Distributions on which the statements 'with probability 1 - delta' are tried."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from mcbook.claims import Evidence, at_least, at_most, equal, less_than
from mcbook.claims.output_code_margins.samples import Found
from mcbook.claims.rademacher.generalisation import LOG_DELTA, THROWS, log_fair_tail
from mcbook.foundation.numbers import ball
from mcbook.foundation.types import Array, Ball, Scalar
from mcbook.output_code_margins import decoding_margins
from mcbook.rademacher import vc_dimension

HALF = Fraction(1, 2)
# As near to the largest margin, 1, as is needed: at 1 itself every margin counts as small, and no bound can fail.
THETA = Fraction(999, 1000)
ETAS = (Fraction(1, 10), Fraction(3), Fraction(100))


def two_opposite_rows(n_columns: int) -> Array:
    """The code of two classes that are opposite in every column."""
    return np.array([[1] * n_columns, [-1] * n_columns])


def a_fair_coin_for_labels(excess: Callable[[Ball], Ball], n_columns: int, factor: Fraction) -> Found:
    """One function and labels by a fair coin: the bound fails where the coin shows the wrong label too seldom.

    ``excess`` is the bound's, as a function of delta, for `THROWS` examples.
    """
    allowed = ball(factor) * excess(ball(LOG_DELTA).exp())
    right, wrong = margins_of_both_labels(n_columns)
    yield at_most("margin where the label is wrong ≤ 0", wrong, 0)
    yield at_least("margin where the label is right ≥ θ", right, THETA)
    yield less_than("excess < risk", allowed, HALF)
    yield at_most("ln of the failure probability ≤ ln δ", log_fair_tail(allowed, THROWS)[1], LOG_DELTA)


def margins_of_both_labels(n_columns: int) -> tuple[Ball, Ball]:
    """The margins of the answers 1 in all columns, for the label whose row has them and for the other."""
    answers = np.ones((2, n_columns), dtype=int).astype(object)
    right, wrong = decoding_margins(answers, two_opposite_rows(n_columns), np.array([0, 1]), Fraction(3))
    return right, wrong


def falls_on_memorisers(allowed: Scalar, name: str) -> Evidence:
    """All functions that are right on as many pairs as the sample has, and wrong on every other pair.

    There are 10^6 inputs for each example.  Whatever the sample, the function that is right on it has risk 1 - 10^-6
    at least, and no small margin on the sample: an excess below this risk fails with probability 1.
    """
    return at_most(f"risk without a small margin ≤ {name}", 1 - Fraction(1, 10**6), allowed, statement=True)


def memorisers_are_what_they_are_said_to_be(n_columns: int) -> Found:
    """Their dimension is the number of pairs on which they may be right, and their margins are 1 and -1 for every η."""
    for d in (1, 2, 3):
        pairs = itertools.product((0, 1), repeat=d + 2)
        labellings = np.array([right for right in pairs if sum(right) <= d])
        yield equal("VC-dimension = pairs that may be right", vc_dimension(labellings), d, at=f"d = {d}")
    M = two_opposite_rows(n_columns)
    answers = np.array([M[0], -M[0]]).astype(object)
    for eta in ETAS:
        seen, unseen = decoding_margins(answers, M, np.array([0, 0]), eta)
        yield less_than("θ < margin on the sample", THETA, seen, at=f"η = {eta}")
        yield at_most("margin on other inputs ≤ 0", unseen, 0, at=f"η = {eta}")
