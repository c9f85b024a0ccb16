"""One-vs-rest and all pairs: bounds on their errors, and their costs, as formulas.

The cost functions take floats and arrays, exact numbers, and sympy's symbols.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.checks import require_at_least, require_classes, require_positive, require_share
from mcbook.foundation.numbers import as_scalar
from mcbook.foundation.types import Array, Scalar


def one_vs_rest_bound(binary_errors: Iterable[Scalar]) -> Scalar:
    """sum_l r_l: one-vs-rest errs no more often than all its binary classifiers together.

    Mohri, Rostamizadeh and Talwalkar (2018), implied in section 9.4.1.

    >>> one_vs_rest_bound([0.1, 0.2, 0.1])
    0.4
    """
    errors = list(binary_errors)
    if len(errors) < 2:
        raise ValueError(f"expected the errors of at least 2 binary classifiers, one for each class, got {len(errors)}")
    return sum(require_share(error, "r_l") for error in errors)


def one_vs_one_bound(n_classes: int, pairwise_error: Scalar) -> Scalar:
    """(k - 1) r: error of one-vs-one if each duel errs with at most r given its classes.

    Mohri, Rostamizadeh and Talwalkar (2018), section 9.4.2 and Exercise 9.6.

    >>> one_vs_one_bound(5, 0.125)
    0.5
    """
    r = require_share(pairwise_error, "r")
    return (require_classes(n_classes) - 1) * r


def one_vs_one_mass_bound(n_classes: int, pairwise_mass: Scalar) -> Scalar:
    """k (k - 1) / 2 r: the same if r bounds errors as masses under the full distribution.

    >>> from fractions import Fraction
    >>> one_vs_one_mass_bound(4, Fraction(1, 100))
    Fraction(3, 50)
    """
    r = require_share(pairwise_mass, "r")
    return math.comb(require_classes(n_classes), 2) * r


def most_votes_of_a_rival(n_classes: int) -> int:
    """k - 2: what any other class can win at most where one class wins all its duels.

    >>> most_votes_of_a_rival(5)
    3
    """
    return require_classes(n_classes) - 2


def training_cost_ratio(n_classes: Scalar | Array, alpha: Scalar | Array) -> Scalar:
    """(k - 1) / 2 (2 / k)^alpha: cost of training one-vs-one over that of one-vs-rest.

    For classes of equal size and a learner that needs time m^alpha for m examples.  Mohri, Rostamizadeh and Talwalkar
    (2018), Table 9.1.

    >>> training_cost_ratio(4, 2)
    Fraction(3, 8)
    """
    require_at_least(n_classes, 2, "n_classes")
    _, (k, power) = arithmetic_of(n_classes, alpha)
    return as_scalar((k - 1) / 2 * (2 / k) ** power)


def equal_cost_exponent(n_classes: Scalar | Array) -> Scalar:
    """alpha* = ln((k - 1) / 2) / ln(k / 2), at which both reductions cost the same; one-vs-one is cheaper above it.

    >>> round(float(equal_cost_exponent(10)), 4)
    0.9345
    """
    require_positive(n_classes - 2, "n_classes - 2", "two classes are one problem either way")
    arithmetic, (k,) = arithmetic_of(n_classes)
    return as_scalar(arithmetic.log((k - 1) / 2) / arithmetic.log(k / 2))


def evaluation_ratio(n_classes: Scalar | Array) -> Scalar:
    """(k - 1) / 2: binary evaluations for a prediction of one-vs-one over those of one-vs-rest.

    >>> float(evaluation_ratio(10))
    4.5
    """
    require_at_least(n_classes, 2, "n_classes")
    _, (k,) = arithmetic_of(n_classes)
    return as_scalar((k - 1) / 2)


def problem_sizes(M: Array, class_sizes: Array) -> tuple[Array, Array]:
    """The numbers of positive and of negative examples of every column, for classes of these sizes.

    >>> [sizes.tolist() for sizes in problem_sizes(np.array([[1, 1], [-1, 0], [-1, -1]]), np.array([5, 7, 9]))]
    [[5, 5], [16, 9]]
    """
    M, sizes = np.asarray(M), np.asarray(class_sizes)
    if M.ndim != 2 or sizes.shape != (len(M),):
        raise ValueError(f"expected one size for each row of the code, got shapes {M.shape} and {sizes.shape}")
    return sizes @ (M > 0), sizes @ (M < 0)
