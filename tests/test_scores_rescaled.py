"""Factors of scores, against all of those that could be told apart."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from mcbook.one_vs_rest_and_pairs.algorithm.scores import changing_scales, highest_score, rescaling_interval


def is_right(F, labels, c):
    scaled = np.array([[c * first, second] for first, second in F], dtype=object)
    return all(pair[label] > pair[1 - label] for pair, label in zip(scaled, labels, strict=True))


@pytest.mark.parametrize("seed", range(40))
def test_inside_of_the_interval_all_points_are_right_and_outside_some_are_not(seed):
    rng = np.random.default_rng(seed)
    F, labels = rng.integers(-3, 4, (2, 2)).tolist(), rng.integers(0, 2, 2).tolist()
    lower, upper = rescaling_interval(F, labels)
    # The right factors begin and end only at quotients of scores, so one between any two of them tells of all.
    ends = sorted({Fraction(0), *(abs(Fraction(b, a)) for a, b in F if a)})
    tried = [*((a + b) / 2 for a, b in itertools.pairwise(ends)), ends[-1] + 1, *ends[1:]]
    for c in tried:
        assert is_right(F, labels, c) == (lower < c and (upper is None or c < upper))


@pytest.mark.parametrize("scores", list(itertools.product((-3, -1, 2, 5), repeat=3)))
def test_factors_keep_the_signs_and_change_the_argmax(scores):
    factors = changing_scales(list(scores))
    positive = sum(score > 0 for score in scores)
    assert (factors is None) == (positive == 1)
    if factors is not None:
        assert min(factors) > 0
        scaled = np.array([[c * s for c, s in zip(factors, scores, strict=True)]], dtype=object)
        assert highest_score(scaled)[0] != highest_score([scores])[0]
        assert sum(factor != 1 for factor in factors) <= 1


def test_two_scores_have_an_argmax_and_one_has_none():
    assert highest_score([[1, 2]]).tolist() == [1]
    with pytest.raises(ValueError, match="at least 2 classes"):
        highest_score([[1]])


@pytest.mark.parametrize("seed", range(10))
def test_only_quotients_of_scores_matter(seed):
    rng = np.random.default_rng(seed)
    F, labels = rng.integers(-3, 4, (2, 2)).tolist(), rng.integers(0, 2, 2).tolist()
    small = [[Fraction(score, 7) for score in row] for row in F]
    assert rescaling_interval(small, labels) == rescaling_interval(F, labels)
    scores = rng.choice([-3, -2, -1, 1, 2, 3], 4).tolist()
    assert changing_scales([Fraction(score, 7) for score in scores]) == changing_scales(scores)
