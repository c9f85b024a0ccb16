"""Support vector machines in formulas: primal and dual objectives, optimality conditions, the exact block step.

Every function takes floats as well as exact numbers (arrays of ints or fractions), and gives back the same kind.
Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)`` with labels 0 .. n_classes - 1, ``signs (n_samples,)`` with
entries -1 and +1, ``W (n_classes, n_features)``, ``K (n_samples, n_samples)``, ``alpha (n_samples, n_classes)``, or
``(n_samples,)`` for the binary machine.  ``C`` multiplies the sum of the slacks.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from mcbook.foundation.checks import require_nonnegative, require_positive, require_whole
from mcbook.foundation.numbers import as_fraction, quotient, rational
from mcbook.foundation.programmes import has_one_slack_each
from mcbook.foundation.proof.known import Known
from mcbook.foundation.types import Array, Booleans, Exact, Labels, Scalar
from mcbook.foundation.vocabulary import SlackLoss
from mcbook.losses import MarginLoss, hinge
from mcbook.perceptron.theory import scores
from mcbook.problem import score_margins

# Harmonic sums of more terms have denominators that fill pages.
_MOST_EXACT_TERMS = 300


def price(C: Scalar) -> Any:
    """C as it came, if it is positive."""
    return require_positive(C, "C", "it is the price of a slack")


# --- two classes -----------------------------------------------------------------------------------------------------


def binary_primal(w: Array, X: Array, signs: Array, C: Scalar) -> Scalar:
    """1/2 |w|^2 + C sum_i max(0, 1 - s_i w . x_i), the soft-margin machine (Roth, CIS 519, slide on soft SVM).

    >>> binary_primal(np.array([1.0]), np.array([[2.0], [-1.0]]), np.array([1, 1]), 3)
    np.float64(6.5)
    """
    return quotient(_squared_length(w), 2) + price(C) * hinge(np.asarray(signs) * (np.asarray(X) @ w)).sum()


def signed_gram(K: Array, signs: Array) -> Array:
    """Q_ij = s_i s_j K(x_i, x_j)."""
    signs = np.asarray(signs)
    return np.asarray(K) * signs[:, None] * signs[None, :]


def binary_dual(alpha: Array, Q: Array) -> Scalar:
    """sum_i alpha_i - 1/2 alpha' Q alpha, which on 0 <= alpha <= C is at most the primal optimum."""
    alpha = np.asarray(alpha)
    return alpha.sum() - quotient(alpha @ np.asarray(Q) @ alpha, 2)


def binary_weights(alpha: Array, X: Array, signs: Array) -> Array:
    """w = sum_i alpha_i s_i x_i."""
    return np.asarray((np.asarray(alpha) * signs) @ np.asarray(X))


# --- many classes ----------------------------------------------------------------------------------------------------


def slacks(W: Array, X: Array, y: Labels, loss: SlackLoss = "crammer-singer") -> Array:
    """The largest of an example's slacks `rival_slacks` (Crammer and Singer), or their sum (Weston and Watkins)."""
    table = rival_slacks(W, X, y)
    return np.asarray(table.max(axis=1) if has_one_slack_each(loss) else table.sum(axis=1))


def rival_slacks(W: Array, X: Array, y: Labels) -> Array:
    """max(0, 1 - (w_y - w_z) . x_i) for every rival z, shape (n_samples, n_classes - 1)."""
    table = scores(W, X)
    own = _own(table, y)
    return np.asarray(hinge((table[own][:, None] - table)[~own].reshape(len(table), -1)))


def primal_objective(W: Array, X: Array, y: Labels, C: Scalar, loss: SlackLoss = "crammer-singer") -> Scalar:
    """1/2 |W|_F^2 + C sum_i xi_i, with the slacks of that loss (Mohri et al. 2018, section 9.3.1).

    >>> W, X = np.array([[1, 0], [0, 1]], dtype=object), np.array([[1, 0], [1, 1]], dtype=object)
    >>> primal_objective(W, X, np.array([0, 1]), Fraction(1, 2))
    Fraction(3, 2)
    """
    return quotient(_squared_length(W), 2) + price(C) * slacks(W, X, y, loss).sum()


def dual_objective(alpha: Array, K: Array, y: Labels) -> Scalar:
    """sum_i alpha_{i y_i} - 1/2 sum_ij <alpha_i, alpha_j> K_ij over all pairs of examples (section 9.3.1 there).

    For flows it is at most `primal_objective`, for either loss with its own limits on the flows.
    """
    alpha = np.asarray(alpha)
    received = alpha[np.arange(len(alpha)), y].sum()
    return received - quotient(section_norms(alpha, K).sum(), 2)


def class_weights(alpha: Array, X: Array) -> Array:
    """w_z = sum_i alpha_iz x_i."""
    return np.asarray(np.asarray(alpha).T @ np.asarray(X))


def flow_violation(alpha: Array, y: Labels, C: Scalar) -> Scalar:
    """How far alpha is from 0 <= alpha_iy <= C, alpha_iz <= 0 for z != y, sum_z alpha_iz = 0; 0 when it meets them."""
    alpha = np.asarray(alpha)
    over = np.where(_own(alpha, y), alpha - price(C), alpha)
    return max(0, over.max(), np.abs(alpha.sum(axis=1)).max())


class KKT(NamedTuple):
    """How far a point and multipliers are from the optimality conditions; all 0 exactly at an optimum."""

    primal: Scalar
    dual: Scalar
    stationarity: Scalar
    complementarity: Scalar

    @property
    def worst(self) -> Scalar:
        return max(self)


def kkt_residuals(W: Array, slack: Array, alpha: Array, X: Array, y: Labels, C: Scalar) -> KKT:
    """The four groups of conditions of the multi-class machine at (W, slack) with the multipliers in alpha.

    -alpha_iz is the multiplier of rival z's constraint on example i, and C - alpha_iy that of slack_i >= 0.
    """
    alpha, slack = np.asarray(alpha), np.asarray(slack)
    own, surplus = _own(alpha, y), _surplus(W, slack, X, y)
    return KKT(
        primal=max(0, (-surplus[~own]).max(), (-slack).max()),
        dual=flow_violation(alpha, y, C),
        stationarity=np.abs(np.asarray(W) - class_weights(alpha, X)).max(),
        complementarity=max(np.abs((alpha * surplus)[~own]).max(), np.abs((price(C) - alpha[own]) * slack).max()),
    )


def gap_parts(W: Array, slack: Array, alpha: Array, X: Array, y: Labels, C: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """What separates 1/2 |W|^2 + C sum slack from the dual value of alpha, for rows of alpha that sum to 0.

    1/2 |W - sum_i alpha_i x_i|^2, the rivals' part sum -alpha_iz ((w_y - w_z) . x_i - 1 + slack_i), and the payers'
    part sum (C - alpha_iy) slack_i.  For feasible points none is negative, and the optimality conditions say all are 0.
    """
    alpha, slack = np.asarray(alpha), np.asarray(slack)
    own, surplus = _own(alpha, y), _surplus(W, slack, X, y)
    apart = np.asarray(W) - class_weights(alpha, X)
    payers = ((price(C) - alpha[own]) * slack).sum()
    return quotient(_squared_length(apart), 2), -(alpha * surplus)[~own].sum(), payers


def _own(table: Array, y: Labels) -> Booleans:
    """Where a table (n_samples, n_classes) has the entry of the label."""
    return np.asarray(y)[:, None] == np.arange(table.shape[1])


def _surplus(W: Array, slack: Array, X: Array, y: Labels) -> Array:
    """(w_y - w_z) . x_i - 1 + slack_i, by how much each constraint is met; what stands at the label means nothing."""
    table = scores(W, X)
    return np.asarray(table[_own(table, y)][:, None] - table - 1 + slack[:, None])


def _squared_length(A: Array) -> Scalar:
    return (np.asarray(A) * np.asarray(A)).sum()


# --- one block of the dual -------------------------------------------------------------------------------------------


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
    return price(C) * own - simplex_projection(price(C) * own - wanted, C)


# --- kernels ---------------------------------------------------------------------------------------------------------


def polynomial_gram(X: Array, Z: Array, degree: int = 2, constant: Scalar = 0) -> Array:
    """(x . z + constant)^degree for all pairs."""
    return np.asarray((np.asarray(X) @ np.asarray(Z).T + constant) ** degree)


def section_norms(alpha: Array, K: Array) -> Array:
    """|h_z|^2 = alpha_z' K alpha_z for h_z = sum_i alpha_iz K(x_i, .), one number for each class.

    (Mohri et al. 2018, chapter 9, footnote 13.)
    """
    alpha = np.asarray(alpha)
    return np.asarray((alpha * (np.asarray(K) @ alpha)).sum(axis=0))


def projected_section(K: Array, values: Array) -> Exact:
    """The coefficients of the function in the span of the K(x_i, .) that takes these values on the sample.

    It is the projection of any function of the space with these values.  K must be positive definite and exact.
    """
    from mcbook.foundation.proof.exact import rational_solve

    return rational_solve(K, values)


# --- counting --------------------------------------------------------------------------------------------------------


def n_weights(n_classes: int, n_features: int) -> int:
    """k d: what one-vs-rest and the multi-class machine both store, for k >= 3."""
    return n_classes * n_features


def intrinsic_dimension(n_classes: int, n_features: int) -> int:
    """(k - 1) d: what is left of W when only the differences of its rows matter."""
    return (n_classes - 1) * n_features


def separable_labellings(n_points: int, n_features: int) -> int:
    """2 sum_{i < d} binom(m - 1, i): labellings of m points in general position that a plane through 0 separates.

    Any min(m, d) of the points have to be linearly independent (Cover 1965, theorem 1).

    >>> [separable_labellings(m, 3) for m in (1, 2, 3, 4, 6)]
    [2, 4, 8, 14, 32]
    """
    require_whole(n_points, "n_points", at_least=1)
    require_whole(n_features, "n_features", at_least=1)
    return 2 * sum(math.comb(n_points - 1, i) for i in range(n_features))


def signed_squared_distance(W: Array, X: Array, y: Labels) -> Array:
    """gap |gap| / |W|_F^2 for each example: its worst Kesler vector's squared distance, with the sign of its side."""
    squared_norm = _squared_length(W)
    if squared_norm == 0:
        raise ValueError("W = 0 has no hyperplane: fit first")
    return np.array([quotient(gap * abs(gap), squared_norm) for gap in score_margins(scores(W, X), y)])


# --- stochastic sub-gradient steps -----------------------------------------------------------------------------------


def subgradient_bound(C: Scalar, n_samples: int, squared_radius: Scalar, n_steps: int) -> Scalar:
    """(C m R)^2 (1 + H_{T-1} / 2) / T, with H_{T-1} = 1 + 1/2 + ... + 1/(T-1).

    The mean excess over T steps of rate 1/t on 1/2 |w|^2 + C sum_i hinge, and so the expected excess of the mean of
    w_1 .. w_T.  The harmonic sum is a fraction for up to 300 steps; beyond it is known as well as floats can say.
    """
    require_whole(n_steps, "n_steps", at_least=1)
    require_nonnegative(squared_radius, "squared_radius")
    longest = price(C) * require_whole(n_samples, "n_samples", at_least=1)
    return longest**2 * squared_radius * ((1 + _harmonic(n_steps - 1) / 2) / n_steps)


def last_weights_bound(C: Scalar, n_samples: int, squared_radius: Scalar, n_steps: int) -> Scalar:
    """4 (C m R)^2 / T, which the mean of |w_{T+1} - w*|^2 does not exceed after T steps on uniform draws."""
    require_whole(n_steps, "n_steps", at_least=1)
    require_nonnegative(squared_radius, "squared_radius")
    longest = price(C) * require_whole(n_samples, "n_samples", at_least=1)
    return 4 * longest**2 * squared_radius * Fraction(1, n_steps)


def _harmonic(n: int) -> Fraction | Known:
    """1 + 1/2 + ... + 1/n; of many terms exact denominators would fill pages."""
    if n <= _MOST_EXACT_TERMS:
        return sum((Fraction(1, t) for t in range(1, n + 1)), Fraction(0))
    from mcbook.foundation.proof.exact import enumerated_sum

    return enumerated_sum(1 / t for t in range(1, n + 1))


def least_on_line(z: Array, C: Scalar, loss: MarginLoss = hinge) -> tuple[Fraction, Fraction]:
    """The w and the value of min 1/2 w^2 + C sum_i loss(w z_i) over numbers w, exactly; loss is the hinge or the ramp.

    Between the places where some w z_i is 0 or 1 the objective is a parabola; its lowest point, or an end, is least.
    """
    values = [as_fraction(value) for value in rational(z)]
    knots = sorted({Fraction(0), *(1 / value for value in values if value)})
    weight = Fraction(price(C))

    def objective(w: Fraction) -> Fraction:
        return w * w / 2 + weight * sum((loss(w * value) for value in values), Fraction(0))

    inner = [*((a + b) / 2 for a, b in itertools.pairwise(knots)), knots[0] - 1, knots[-1] + 1]
    candidates = set(knots)
    for w in inner:
        # Where the loss is affine the parabola's lowest point is minus C times the sum of the slopes.
        candidates.add(-weight * sum((loss.derivative(w * value) * value for value in values), Fraction(0)))
    best = min(candidates, key=lambda w: (objective(w), abs(w)))
    return best, objective(best)
