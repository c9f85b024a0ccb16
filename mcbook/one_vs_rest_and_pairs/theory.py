"""One-vs-rest and all pairs: bounds on their errors, and their costs, as formulas.

The cost functions take floats and arrays, exact numbers, and sympy's symbols.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.numbers import as_scalar

Array = NDArray[Any]


def one_vs_rest_bound(binary_errors: Iterable[Any]) -> Any:
    """sum_l r_l: one-vs-rest errs no more often than all its binary classifiers together."""
    errors = list(binary_errors)
    if len(errors) < 2:
        raise ValueError(f"expected the errors of at least 2 binary classifiers, one for each class, got {len(errors)}")
    return sum(_probability(error, "binary error") for error in errors)


def one_vs_one_bound(n_classes: int, pairwise_error: Any) -> Any:
    """(k - 1) r: error of one-vs-one if each duel errs with at most r given its classes."""
    r = _probability(pairwise_error, "pairwise error")
    return (_classes(n_classes) - 1) * r


def one_vs_one_mass_bound(n_classes: int, pairwise_mass: Any) -> Any:
    """k (k - 1) / 2 r: the same if r bounds errors as masses under the full law."""
    r = _probability(pairwise_mass, "pairwise error mass")
    return math.comb(_classes(n_classes), 2) * r


def most_votes_of_a_rival(n_classes: int) -> int:
    """k - 2: what any other class can win at most where one class wins all its duels."""
    return _classes(n_classes) - 2


def training_cost_ratio(n_classes: Any, alpha: Any) -> Any:
    """(k - 1) / 2 (2 / k)^alpha: cost of training one-vs-one over that of one-vs-rest.

    For classes of equal size and a learner that needs time m^alpha for m examples.
    """
    _at_least(n_classes, 2, "number of classes")
    _, (k, power) = arithmetic_of(n_classes, alpha)
    return as_scalar((k - 1) / 2 * (2 / k) ** power)


def equal_cost_exponent(n_classes: Any) -> Any:
    """alpha* = ln((k - 1) / 2) / ln(k / 2), at which both reductions cost the same; one-vs-one is cheaper above it."""
    _at_least(n_classes, 3, "number of classes")
    arithmetic, (k,) = arithmetic_of(n_classes)
    return as_scalar(arithmetic.log((k - 1) / 2) / arithmetic.log(k / 2))


def evaluation_ratio(n_classes: Any) -> Any:
    """(k - 1) / 2: binary evaluations for a prediction of one-vs-one over those of one-vs-rest."""
    _at_least(n_classes, 2, "number of classes")
    _, (k,) = arithmetic_of(n_classes)
    return as_scalar((k - 1) / 2)


def problem_sizes(M: Array, class_sizes: Array) -> tuple[Array, Array]:
    """The numbers of positive and of negative examples of every column, for classes of these sizes."""
    M, sizes = np.asarray(M), np.asarray(class_sizes)
    if M.ndim != 2 or sizes.shape != (len(M),):
        raise ValueError(f"expected one size for each row of the code, got shapes {M.shape} and {sizes.shape}")
    return sizes @ (M > 0), sizes @ (M < 0)


def _classes(n_classes: int) -> int:
    _at_least(n_classes, 2, "number of classes")
    return n_classes


def _probability(value: Any, name: str) -> Any:
    if not 0 <= value <= 1:
        raise ValueError(f"expected a {name} between 0 and 1, got {value}: give a probability, not per cent")
    return value


def _at_least(value: Any, least: int, name: str) -> None:
    """Refuse what is known to be too small; of a symbol nothing is known."""
    try:
        too_small = bool(np.any(np.asarray(value) < least))
    except TypeError:
        return
    if too_small:
        raise ValueError(f"expected a {name} of at least {least}, got {value}")
