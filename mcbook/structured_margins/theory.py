"""The formulas of the chapter: both ways of rescaling, the step of Frank–Wolfe, and the numbers of cutting planes.

Every function takes floats as well as exact numbers (ints, fractions, arrays of them), and gives back the same kind.
Of one example the ``losses (n_labels,)`` are L(y_i, y), and the ``leads (n_labels,)`` are by how much the score of the
right label exceeds that of y, <w, Psi(x_i, y_i) - Psi(x_i, y)>.  The right label has loss 0 and lead 0, and may be
among the labels or left out.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np

from mcbook.foundation.checks import require_one_of, require_positive
from mcbook.foundation.numbers import quotient
from mcbook.foundation.types import Array, Scalar

# What the loss of a rival scales: the lead that is asked for, or the cost of what is missing of the lead 1.
Rescaling: TypeAlias = Literal["margin", "slack"]
# When no plane is violated by more than epsilon, or when the values are within C epsilon of each other.
StoppingRule: TypeAlias = Literal["violation", "gap"]


def slack_rescaled(losses: Array, leads: Array) -> Scalar:
    """max_y L_y max(0, 1 - m_y): the lead asked for is 1, and what is missing costs the loss (there, (9.23)).

    >>> slack_rescaled(np.array([1, 2]), np.array([1, -1]))
    np.int64(4)
    """
    return (np.asarray(losses) * np.maximum(1 - np.asarray(leads), 0)).max()


def planes_of(losses: Array, differences: Array, rescaling: Rescaling) -> tuple[Array, Array]:
    """Offsets b and gradients g with b_y - <w, g_y> the term of label y in either maximum.

    (L, psi) for margin and (L, L psi) for slack rescaling, ``differences (n_labels, n_features)`` being the rows
    psi_y = Psi(x_i, y_i) - Psi(x_i, y).  What is proved of planes holds for both.

    >>> [part.tolist() for part in planes_of(np.array([0, 2]), np.array([[0, 0], [1, -1]]), "slack")]
    [[0, 2], [[0, 0], [2, -2]]]
    """
    losses, differences = np.asarray(losses), np.asarray(differences)
    return losses, differences if _of_margin(rescaling) else losses[:, None] * differences


def _of_margin(rescaling: Rescaling) -> bool:
    return require_one_of(rescaling, Rescaling, "rescaling") == "margin"


def mixed_difference(table: Array) -> Scalar:
    """f(1, 1) - f(1, 0) - f(0, 1) + f(0, 0) in the first and last position of a table of three, the middle one being 0.

    It is 0 for every sum over positions and neighbours, because no term sees both ends.

    >>> int(mixed_difference(np.arange(8).reshape(2, 2, 2)))
    0
    """
    ends = np.asarray(table)[:, 0, :]
    return ends[1, 1] - ends[1, 0] - ends[0, 1] + ends[0, 0]


def loss_multiples(losses: Array, leads: Array, label: int) -> tuple[Scalar, Scalar]:
    """The least and the largest multiple c for which the label has the largest c L_y - m_y; none if least > largest.

    This is what a Viterbi run with c times the loss added can find.

    >>> loss_multiples(np.array([0, 1, 2]), np.array([0, 1, 3]), 1)
    (Fraction(1, 1), Fraction(2, 1))
    """
    L, m = np.asarray(losses), np.asarray(leads)
    if (m[L[label] == L] < m[label]).any():
        return np.inf, -np.inf
    less, more = L[label] > L, L[label] < L
    least = max((quotient(m[label] - b, L[label] - a) for a, b in zip(L[less], m[less], strict=True)), default=-np.inf)
    largest = min((quotient(b - m[label], a - L[label]) for a, b in zip(L[more], m[more], strict=True)), default=np.inf)
    return least, largest


# Frank–Wolfe.


def frank_wolfe_step(gap: Scalar, squared_length: Scalar) -> Scalar:
    """min(1, G / |d|^2): how far to go towards a vertex, for the gap G of the step and the length of its direction.

    >>> frank_wolfe_step(Fraction(1, 2), 2), frank_wolfe_step(3, 2)
    (Fraction(1, 4), 1)
    """
    if squared_length == 0:
        return 1
    return min(1, quotient(gap, squared_length))


def frank_wolfe_bound(n_steps: int, n_samples: int, curvature: Scalar, start: Scalar) -> Scalar:
    """2m / (t + 2m) (h_0 + Q): the expected distance from the optimum after t steps on random blocks.

    >>> frank_wolfe_bound(6, 1, 1, Fraction(1, 2))
    Fraction(3, 8)
    """
    return quotient(2 * n_samples, n_steps + 2 * n_samples) * (start + curvature)


# Cutting planes.


def rounds_bound(C: Scalar, n_samples: int, largest_loss: Scalar, squared_radius: Scalar, epsilon: Scalar) -> Scalar:
    """max(2 m Delta / epsilon, 8 C m Delta R^2 / epsilon^2) rounds at most with a slack for each example.

    (Tsochantaridis et al. 2005, Theorem 18, for a sum of slacks with the cost C.)

    >>> rounds_bound(1, 10, 1, 1, Fraction(1, 10))
    Fraction(8000, 1)
    """
    epsilon = require_positive(epsilon, "epsilon", "it is the violation at which training stops")
    large = quotient(2 * n_samples * largest_loss, epsilon)
    return max(large, quotient(8 * C * n_samples * largest_loss * squared_radius, epsilon**2))


def fewer_rounds_bound(
    C: Scalar, n_samples: int, largest_loss: Scalar, squared_radius: Scalar, epsilon: Scalar
) -> Scalar:
    """16 C m R^2 / epsilon + 2 m ceil(log2(Delta / (4 C R^2)))_+ rounds at most: of the first order in 1 / epsilon.

    >>> fewer_rounds_bound(1, 2, 16, 1, Fraction(1, 2))
    Fraction(72, 1)
    """
    epsilon = require_positive(epsilon, "epsilon", "it is the violation at which training stops")
    curved = _curved(C, squared_radius, epsilon)
    return quotient(4 * n_samples * curved, epsilon) + 2 * n_samples * _halvings(quotient(largest_loss, curved))


def planes_bound(
    C: Scalar, squared_radius: Scalar, largest_loss: Scalar, epsilon: Scalar, rule: StoppingRule = "violation"
) -> Scalar:
    """16 C R^2 / epsilon + ceil(log2(Delta / (4 C R^2)))_+ planes at most with one slack; 8 with the rule "gap".

    >>> planes_bound(1, 1, 16, Fraction(1, 2))
    Fraction(34, 1)
    """
    epsilon = require_positive(epsilon, "epsilon", "it is the violation at which training stops")
    curved = _curved(C, squared_radius, epsilon)
    factor = 16 if _by_violation(rule) else 8
    return quotient(factor * C * squared_radius, epsilon) + _halvings(quotient(largest_loss, curved))


def planes_needed(C: Scalar, squared_radius: Scalar, epsilon: Scalar, rule: StoppingRule = "violation") -> int:
    """ceil(C R^2 / epsilon) planes, or half as many with the rule "gap": so many some instances need.

    >>> planes_needed(1, 1, Fraction(3, 10)), planes_needed(1, 1, Fraction(3, 10), "gap")
    (4, 2)
    """
    epsilon = require_positive(epsilon, "epsilon", "it is the violation at which training stops")
    each = 1 if _by_violation(rule) else 2
    return math.ceil(quotient(C * squared_radius, each * epsilon))


def _curved(C: Scalar, squared_radius: Scalar, epsilon: Scalar) -> Scalar:
    """4 C R^2, where epsilon is not larger."""
    curved = 4 * C * squared_radius
    if not epsilon <= curved:
        raise ValueError(f"expected epsilon <= 4 C R^2 = {curved}, got {epsilon}: the bound is for small ones")
    return curved


def _by_violation(rule: StoppingRule) -> bool:
    return require_one_of(rule, StoppingRule, "rule") == "violation"


def _halvings(share: Scalar) -> int:
    """max(0, ceil(log2(share))), of a fraction exactly."""
    count, value = 0, Fraction(share) if isinstance(share, int | Fraction) else share
    while value > 1:
        count, value = count + 1, value / 2
    return count
