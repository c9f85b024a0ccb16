"""What the argmax of binary scores can do and what it cannot."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.foundation.proof.alternatives import Alternative, strict_alternative
from mcbook.foundation.types import Array, Labels, Scalar


def highest_score(F: Array) -> Labels:
    """argmax_l f_l, the rule of one-vs-rest; among equal scores the smallest label.

    >>> highest_score([[1, 3, 2], [2, 2, 0]]).tolist()
    [1, 0]
    """
    F = np.asarray(F)
    if F.ndim != 2 or F.shape[1] < 2:
        raise ValueError(f"expected scores (n_samples, n_classes) of at least 2 classes, got shape {F.shape}")
    return F.argmax(axis=1)


def changing_scales(scores: Array) -> list[Fraction] | None:
    """Factors c_l > 0 that keep every sign and change the argmax of c_l f_l; None where no factors do.

    ``scores (n_classes,)``, none of them 0.

    >>> [str(factor) for factor in changing_scales([3, 1, -1])], changing_scales([3, -1, -1])
    (['1', '6', '1'], None)
    """
    if any(score == 0 for score in scores):
        raise ValueError("a score of 0 has no sign: expected scores that are not 0")
    predicted = int(highest_score(np.asarray(scores)[None, :])[0])
    rivals = [
        label for label, score in enumerate(scores) if label != predicted and (score > 0) == (scores[predicted] > 0)
    ]
    n_positive = sum(score > 0 for score in scores)
    if n_positive == 1:
        return None
    # Where several scores are positive, one of them is raised above the largest; where none is, one is brought near 0.
    rival, factors = rivals[0], [Fraction(1)] * len(scores)
    quotient = Fraction(scores[predicted]) / Fraction(scores[rival])
    factors[rival] = 2 * quotient if n_positive else quotient / 2
    return factors


def rescaling_interval(F: Array, labels: Array) -> tuple[Fraction, Fraction | None]:
    """The open interval of the c = c_1 / c_2 > 0 for which the argmax of (c_1 f_1, c_2 f_2) is right on all points.

    The upper end is None where nothing bounds c; if the interval is empty, the lower end is not below the upper one.

    The first point asks for 1 c > 2, the second for 3 c < 9.

    >>> rescaling_interval([[1, 2], [3, 9]], [0, 1])
    (Fraction(2, 1), Fraction(3, 1))
    """
    lower, upper = Fraction(0), None
    for (first, second), label in zip(F, labels, strict=True):
        if first == 0 or (first > 0) != (second > 0):
            # The signs decide alone: a right point allows every c, a wrong one none.
            right = (first > second) if label == 0 else (second > first)
            if not right:
                return Fraction(1), Fraction(1)
            continue
        ratio = Fraction(second) / Fraction(first)
        if (first > 0) == (label == 0):
            lower = max(lower, ratio)
        else:
            upper = ratio if upper is None else min(upper, ratio)
    return lower, upper


def error_of_scores(joint: Array, F: Array) -> Scalar:
    """The probability of error of the argmax of the scores under a finite distribution.

    ``joint (n_classes, n_points)`` holds Pr[l, x], ``F (n_points, n_classes)`` the scores f_l(x).

    >>> joint = np.array([[Fraction(1, 2), Fraction(1, 8)], [Fraction(1, 8), Fraction(1, 4)]])
    >>> error_of_scores(joint, [[1, 0], [1, 0]]), error_of_scores(joint, [[1, 0], [0, 1]])
    (Fraction(3, 8), Fraction(1, 4))
    """
    joint = np.asarray(joint)
    return joint.sum() - joint[highest_score(F), np.arange(joint.shape[1])].sum()


def bayes_error(joint: Array) -> Scalar:
    """The smallest probability of error that any rule has, 1 - sum_x max_l Pr[l, x].

    >>> bayes_error(np.array([[Fraction(1, 2), Fraction(1, 8)], [Fraction(1, 8), Fraction(1, 4)]]))
    Fraction(1, 4)
    """
    joint = np.asarray(joint)
    return joint.sum() - joint.max(axis=0).sum()


def separable_from_rest(X: Array, y: Array, label: int) -> Alternative:
    """Whether some w . x + b is positive on the class and negative on all others, with an exact certificate.

    >>> X, y = collinear_classes(3)
    >>> [separable_from_rest(X, y, label).solvable for label in range(3)]
    [True, False, True]
    """
    X, y = np.asarray(X), np.asarray(y)
    signs = np.where(y == label, 1, -1)
    return strict_alternative(signs[:, None] * np.c_[X, np.ones(len(X), dtype=int)].astype(object))


def collinear_classes(n_classes: int) -> tuple[Array, Labels]:
    """Classes in a row on the line: two points for each, at 3 l and 3 l + 1.

    >>> X, y = collinear_classes(2)
    >>> X.ravel().tolist(), y.tolist()
    ([0, 1, 3, 4], [0, 0, 1, 1])
    """
    points = [[3 * label + step] for label in range(n_classes) for step in (0, 1)]
    return np.array(points, dtype=object), np.repeat(np.arange(n_classes), 2)


def least_squares_scores(X: Array, y: Array, n_classes: int) -> Array:
    """The scores of one-vs-rest by least squares on one feature, at the points of the sample, exactly.

    The line fitted to the signs s has the slope cov(x, s) / var(x) and passes through the means.

    The class in the middle never has the highest score:

    >>> X, y = collinear_classes(3)
    >>> least_squares_scores(X, y, 3).argmax(axis=1).tolist()
    [0, 0, 0, 2, 2, 2]
    """
    x = np.asarray(X)[:, 0]
    n = Fraction(len(x))
    centred = x - x.sum() / n
    signs = np.where(np.asarray(y)[:, None] == np.arange(n_classes), 1, -1).astype(object)
    slopes = centred @ signs / (centred @ centred)
    return np.asarray(signs.sum(axis=0) / n + centred[:, None] * slopes)
