"""The chapter's functions in the shape in which its page states their values."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.foundation.types import Array
from mcbook.one_vs_rest_and_pairs import highest_score, problem_sizes
from mcbook.output_codes import all_pairs_code, one_vs_rest_code


def winner_of_one(f: Array) -> int:
    """The label with the highest score at one point, counted from 1."""
    return int(highest_score(f[None, :])[0]) + 1


def pair_size(n_classes: int, n_samples: int) -> Fraction:
    """The examples of one pair, where every class has the same share of all examples."""
    positives, negatives = problem_sizes(all_pairs_code(n_classes), np.full(n_classes, Fraction(n_samples, n_classes)))
    return Fraction(positives[0] + negatives[0])


def positives_of_rest(n_classes: int, n_samples: int) -> Fraction:
    """The positive examples of a one-vs-rest problem, where all classes are of one size."""
    sizes = np.full(n_classes, Fraction(n_samples, n_classes))
    return Fraction(problem_sizes(one_vs_rest_code(n_classes), sizes)[0][0])


def negatives_of_rest(n_classes: int, n_samples: int) -> Fraction:
    """Its negative examples."""
    sizes = np.full(n_classes, Fraction(n_samples, n_classes))
    return Fraction(problem_sizes(one_vs_rest_code(n_classes), sizes)[1][0])
