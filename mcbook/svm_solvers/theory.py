"""What the solvers rest on, in formulas: the exact step of one block of the dual, and how fast stochastic steps go.

Every function takes floats as well as exact numbers (arrays of ints or fractions), and gives back the same kind.

Sources: Roth (2018), slides on SGD for SVM, for `subgradient_bound`; `block_step` and `simplex_projection` are from the
dual of Mohri et al. (2018), section 9.3.1.

>>> block_step(np.array([Fraction(0), Fraction(0)]), 0, Fraction(1), Fraction(1)).tolist()
[Fraction(1, 2), Fraction(-1, 2)]
>>> subgradient_bound(Fraction(1, 2), 2, 1, 3)
Fraction(7, 12)
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from mcbook.binary_svm.theory import slack_cost
from mcbook.foundation.checks import require_nonnegative, require_positive, require_whole
from mcbook.foundation.numbers import quotient
from mcbook.foundation.proof.known import Known
from mcbook.foundation.types import Array, Scalar

# Harmonic sums of more terms have denominators that fill pages.
_MOST_EXACT_TERMS = 300


def simplex_projection(v: Array, total: Scalar) -> Array:
    """The point nearest to v among those with non-negative entries that sum to ``total``.

    It is max(v - theta, 0), with theta so that the sum is right: sort, and find how many entries stay positive.

    >>> simplex_projection(np.array([3, 0, 2], dtype=object), 2)
    array([Fraction(3, 2), 0, Fraction(1, 2)], dtype=object)
    """
    v = np.asarray(v)
    if v.ndim != 1 or len(v) == 0 or not total > 0:
        raise ValueError(f"expected a vector and a total > 0, got shape {v.shape} and {total}")
    ordered = np.sort(v)[::-1]
    # theta when the j + 1 largest entries stay positive; the last j for which the j-th largest exceeds it is the one.
    thresholds = [quotient(partial - total, j + 1) for j, partial in enumerate(np.cumsum(ordered))]
    theta = next(t for u, t in zip(ordered[::-1], thresholds[::-1], strict=True) if u > t)
    return np.maximum(v - theta, 0)


def block_step(others: Array, label: int, C: Scalar, squared_norm: Scalar) -> Array:
    """The flow of one example that maximises the dual while all other flows stay.

    ``others[z]`` is the score that the other examples give class z here, sum_{j != i} alpha_jz K_ij, and
    ``squared_norm`` is K_ii.  With alpha_i = C e_y - p the constraints say that p lies in the simplex of total C, and
    the dual is, up to a constant, -K_ii / 2 times the squared distance of p from C e_y - (e_y - others) / K_ii.
    """
    require_positive(squared_norm, "K(x, x)", "an example without length pays C whatever W is; leave it out")
    own = np.zeros(len(others), dtype=np.asarray(others).dtype)
    own[label] = 1
    wanted = np.array([quotient(u, squared_norm) for u in own - others], dtype=own.dtype)
    return slack_cost(C) * own - simplex_projection(slack_cost(C) * own - wanted, C)


def subgradient_bound(C: Scalar, n_samples: int, squared_radius: Scalar, n_steps: int) -> Scalar:
    """(C m R)^2 (1 + H_{T-1} / 2) / T, with H_{T-1} = 1 + 1/2 + ... + 1/(T-1).

    The mean excess over T steps of rate 1/t on 1/2 |w|^2 + C sum_i hinge, and so the expected excess of the mean of
    w_1 .. w_T.  The harmonic sum is a fraction for up to 300 steps; beyond it is known as well as floats can say.
    """
    require_whole(n_steps, "n_steps", at_least=1)
    require_nonnegative(squared_radius, "squared_radius")
    longest = slack_cost(C) * require_whole(n_samples, "n_samples", at_least=1)
    return longest**2 * squared_radius * ((1 + _harmonic(n_steps - 1) / 2) / n_steps)


def last_weights_bound(C: Scalar, n_samples: int, squared_radius: Scalar, n_steps: int) -> Scalar:
    """4 (C m R)^2 / T, which the mean of |w_{T+1} - w*|^2 does not exceed after T steps on uniform draws.

    Source: Roth (2018), slides on optimisation.

    >>> last_weights_bound(Fraction(1, 2), 2, 1, 100)
    Fraction(1, 25)
    """
    require_whole(n_steps, "n_steps", at_least=1)
    require_nonnegative(squared_radius, "squared_radius")
    longest = slack_cost(C) * require_whole(n_samples, "n_samples", at_least=1)
    return 4 * longest**2 * squared_radius * Fraction(1, n_steps)


def _harmonic(n: int) -> Fraction | Known:
    """1 + 1/2 + ... + 1/n; of many terms exact denominators would fill pages."""
    if n <= _MOST_EXACT_TERMS:
        return sum((Fraction(1, t) for t in range(1, n + 1)), Fraction(0))
    from mcbook.foundation.proof.exact import enumerated_sum

    return enumerated_sum(1 / t for t in range(1, n + 1))
