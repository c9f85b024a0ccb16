"""Support vector machines in formulas: losses, primal and dual objectives, optimality conditions, the exact block step.

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
from numpy.typing import NDArray

from mcbook.perceptron.theory import frobenius, gaps, ratio, scores

Array = NDArray[Any]


def hinge(u: Any) -> Any:
    """max(0, 1 - u): what an example with score u pays."""
    return np.maximum(1 - np.asarray(u), 0)


def ramp(u: Any) -> Any:
    """min(1, max(0, 1 - u)): the hinge, but no example pays more than 1."""
    return np.minimum(hinge(u), 1)


# --- two classes -----------------------------------------------------------------------------------------------------


def binary_primal(w: Array, X: Array, signs: Array, C: Any) -> Any:
    """1/2 |w|^2 + C sum_i max(0, 1 - s_i w . x_i)."""
    w = np.asarray(w)
    return ratio(w @ w, 2) + trade_off(C) * hinge(signs * (np.asarray(X) @ w)).sum()


def signed_gram(K: Array, signs: Array) -> Array:
    """Q_ij = s_i s_j K(x_i, x_j)."""
    signs = np.asarray(signs)
    return np.asarray(K) * signs[:, None] * signs[None, :]


def binary_dual(alpha: Array, Q: Array) -> Any:
    """sum_i alpha_i - 1/2 alpha' Q alpha, which on 0 <= alpha <= C is at most the primal optimum."""
    alpha = np.asarray(alpha)
    return alpha.sum() - ratio(alpha @ np.asarray(Q) @ alpha, 2)


def binary_weights(alpha: Array, X: Array, signs: Array) -> Array:
    """w = sum_i alpha_i s_i x_i."""
    return np.asarray((np.asarray(alpha) * signs) @ np.asarray(X))


# --- many classes ----------------------------------------------------------------------------------------------------


def slacks(W: Array, X: Array, y: Array) -> Array:
    """xi_i = max over z != y_i of max(0, 1 - (w_y - w_z) . x_i): one slack for each example (Crammer and Singer)."""
    return np.asarray(hinge(gaps(W, X, y)))


def rival_slacks(W: Array, X: Array, y: Array) -> Array:
    """max(0, 1 - (w_y - w_z) . x_i) for every rival z, shape (n_samples, n_classes - 1) (Weston and Watkins)."""
    table = scores(W, X)
    rivals = np.arange(table.shape[1])[None, :] != np.asarray(y)[:, None]
    differences = table[np.arange(len(table)), y][:, None] - table
    return np.asarray(hinge(differences[rivals].reshape(len(table), -1)))


def primal_objective(W: Array, X: Array, y: Array, C: Any) -> Any:
    """1/2 |W|_F^2 + C sum_i xi_i."""
    return ratio(frobenius(W, W), 2) + trade_off(C) * slacks(W, X, y).sum()


def weston_watkins_objective(W: Array, X: Array, y: Array, C: Any) -> Any:
    """1/2 |W|_F^2 + C times the sum of the slacks of all examples and rivals."""
    return ratio(frobenius(W, W), 2) + trade_off(C) * rival_slacks(W, X, y).sum()


def dual_objective(alpha: Array, K: Array, y: Array) -> Any:
    """sum_i alpha_{i y_i} - 1/2 sum_ij <alpha_i, alpha_j> K_ij: the double sum runs over all pairs of examples."""
    alpha = np.asarray(alpha)
    received = alpha[np.arange(len(alpha)), y].sum()
    return received - ratio((section_norms(alpha, K)).sum(), 2)


def class_weights(alpha: Array, X: Array) -> Array:
    """w_z = sum_i alpha_iz x_i."""
    return np.asarray(np.asarray(alpha).T @ np.asarray(X))


def flow_violation(alpha: Array, y: Array, C: Any) -> Any:
    """How far alpha is from 0 <= alpha_iy <= C, alpha_iz <= 0 for z != y, sum_z alpha_iz = 0; 0 when it meets them."""
    alpha = np.asarray(alpha)
    own = np.arange(alpha.shape[1])[None, :] == np.asarray(y)[:, None]
    over = np.where(own, alpha - trade_off(C), alpha)
    return max(0, over.max(), np.abs(alpha.sum(axis=1)).max())


class KKT(NamedTuple):
    """How far a point and multipliers are from the optimality conditions; all 0 exactly at an optimum."""

    primal: Any
    dual: Any
    stationarity: Any
    complementarity: Any

    @property
    def worst(self) -> Any:
        return max(self)


def kkt_residuals(W: Array, slack: Array, alpha: Array, X: Array, y: Array, C: Any) -> KKT:
    """The four groups of conditions of the multi-class machine at (W, slack) with the multipliers in alpha.

    -alpha_iz is the multiplier of rival z's constraint on example i, and C - alpha_iy that of slack_i >= 0.
    """
    X, y, alpha, slack = np.asarray(X), np.asarray(y), np.asarray(alpha), np.asarray(slack)
    table, rows = scores(W, X), np.arange(len(X))
    rivals = np.arange(table.shape[1])[None, :] != y[:, None]
    surplus = table[rows, y][:, None] - table - 1 + slack[:, None]
    paid = (trade_off(C) - alpha[rows, y]) * slack
    return KKT(
        primal=max(0, (-surplus[rivals]).max(), (-slack).max()),
        dual=flow_violation(alpha, y, C),
        stationarity=np.abs(np.asarray(W) - class_weights(alpha, X)).max(),
        complementarity=max(np.abs(alpha[rivals] * surplus[rivals]).max(), np.abs(paid).max()),
    )


def gap_parts(W: Array, slack: Array, alpha: Array, X: Array, y: Array, C: Any) -> tuple[Any, Any, Any]:
    """What separates 1/2 |W|^2 + C sum slack from the dual value of alpha, for rows of alpha that sum to 0.

    1/2 |W - sum_i alpha_i x_i|^2, the rivals' part sum -alpha_iz ((w_y - w_z) . x_i - 1 + slack_i), and the payers'
    part sum (C - alpha_iy) slack_i.  For feasible points none is negative, and the optimality conditions say all are 0.
    """
    X, y, alpha, slack = np.asarray(X), np.asarray(y), np.asarray(alpha), np.asarray(slack)
    table, rows = scores(W, X), np.arange(len(X))
    rivals = np.arange(table.shape[1])[None, :] != y[:, None]
    surplus = table[rows, y][:, None] - table - 1 + slack[:, None]
    apart = np.asarray(W) - class_weights(alpha, X)
    own = alpha[rows, y]
    return ratio(frobenius(apart, apart), 2), -(alpha * surplus)[rivals].sum(), ((trade_off(C) - own) * slack).sum()


# --- one block of the dual -------------------------------------------------------------------------------------------


def simplex_projection(v: Array, total: Any) -> Array:
    """The point nearest to v among those with non-negative entries that sum to ``total``.

    It is max(v - theta, 0), with theta so that the sum is right: sort, and find how many entries stay positive.
    """
    v = np.asarray(v)
    if v.ndim != 1 or len(v) == 0 or not total > 0:
        raise ValueError(f"expected a vector and a total > 0, got shape {v.shape} and {total}")
    ordered = np.sort(v)[::-1]
    # theta when the j + 1 largest entries stay positive; the last j for which the j-th largest exceeds it is the one.
    thresholds = [ratio(partial - total, j + 1) for j, partial in enumerate(np.cumsum(ordered))]
    theta = next(t for u, t in zip(ordered[::-1], thresholds[::-1], strict=True) if u > t)
    return np.maximum(v - theta, 0)


def block_step(others: Array, label: int, C: Any, squared_norm: Any) -> Array:
    """The flow of one example that maximises the dual while all other flows stay.

    ``others[z]`` is the score that the other examples give class z here, sum_{j != i} alpha_jz K_ij, and
    ``squared_norm`` is K_ii.  With alpha_i = C e_y - p the constraints say that p lies in the simplex of total C, and
    the dual is, up to a constant, -K_ii / 2 times the squared distance of p from C e_y - (e_y - others) / K_ii.
    """
    if not squared_norm > 0:
        raise ValueError(
            f"expected K(x, x) > 0, got {squared_norm}: an example without length pays C whatever W is; leave it out"
        )
    own = np.zeros(len(others), dtype=np.asarray(others).dtype)
    own[label] = 1
    wanted = np.array([ratio(u, squared_norm) for u in own - others], dtype=own.dtype)
    return trade_off(C) * own - simplex_projection(trade_off(C) * own - wanted, C)


# --- kernels ---------------------------------------------------------------------------------------------------------


def polynomial_gram(X: Array, Z: Array, degree: int = 2, constant: Any = 0) -> Array:
    """(x . z + constant)^degree for all pairs."""
    return np.asarray((np.asarray(X) @ np.asarray(Z).T + constant) ** degree)


def section_norms(alpha: Array, K: Array) -> Array:
    """|h_z|^2 = alpha_z' K alpha_z for h_z = sum_i alpha_iz K(x_i, .), one number for each class."""
    alpha = np.asarray(alpha)
    return np.asarray((alpha * (np.asarray(K) @ alpha)).sum(axis=0))


def projected_section(K: Array, values: Array) -> Array:
    """The coefficients of the function in the span of the K(x_i, .) that takes these values on the sample.

    It is the projection of any function of the space with these values.  K must be positive definite and exact.
    """
    from mcbook.foundation.proof.exact import rational_solve

    return rational_solve(K, values)


# --- counting --------------------------------------------------------------------------------------------------------


def n_weights(n_classes: int, n_features: int) -> int:
    """k d: what one-vs-rest and the multi-class machine both store."""
    return n_classes * n_features


def intrinsic_dimension(n_classes: int, n_features: int) -> int:
    """(k - 1) d: what is left of W when only the differences of its rows matter."""
    return (n_classes - 1) * n_features


def separable_labellings(n_points: int, n_features: int) -> int:
    """2 sum_{i < d} binom(m - 1, i): labellings of m points in general position that a plane through 0 separates."""
    if n_points < 1 or n_features < 1:
        raise ValueError(f"expected at least 1 point and 1 feature, got {n_points} and {n_features}")
    return 2 * sum(math.comb(n_points - 1, i) for i in range(n_features))


def signed_squared_distance(W: Array, X: Array, y: Array) -> Array:
    """gap |gap| / |W|_F^2 for each example: its worst Kesler vector's squared distance, with the sign of its side."""
    squared_norm = frobenius(W, W)
    if squared_norm == 0:
        raise ValueError("W = 0 has no hyperplane: fit first")
    return np.array([ratio(gap * abs(gap), squared_norm) for gap in gaps(W, X, y)])


# --- stochastic sub-gradient steps -----------------------------------------------------------------------------------


def subgradient_bound(C: Any, squared_radius: Any, n_steps: int) -> Any:
    """C^2 R^2 (1/2 + 2 (H_T - 1)) / T, with H_T = 1 + 1/2 + ... + 1/T.

    The mean excess over T steps of rate 1/t on 1/2 |w|^2 + (C/m) sum_i hinge, and so the expected excess of the mean
    of w_1 .. w_T.
    """
    if n_steps < 1 or not squared_radius >= 0:
        raise ValueError(f"expected at least 1 step and R^2 >= 0, got {n_steps} and {squared_radius}")
    harmonic = sum(Fraction(1, t) for t in range(2, n_steps + 1)) if n_steps <= 300 else _harmonic_tail(n_steps)
    return trade_off(C) ** 2 * squared_radius * ((Fraction(1, 2) + 2 * harmonic) / n_steps)


def _harmonic_tail(n: int) -> Fraction:
    """1/2 + ... + 1/n, the float sum as a fraction: exact denominators would fill pages."""
    return Fraction(math.fsum(1 / t for t in range(2, n + 1)))


def trade_off(C: Any) -> Any:
    """C, if it is positive."""
    if not C > 0:
        raise ValueError(f"expected C > 0, got {C}: it is the price of a slack")
    return C


def least_on_line(z: Array, C: Any, loss: str = "hinge") -> tuple[Fraction, Fraction]:
    """The w and the value of min 1/2 w^2 + C sum_i loss(w z_i) over numbers w, exactly; loss is hinge or ramp.

    Between the places where some w z_i is 0 or 1 the objective is a parabola; its lowest point, or an end, is least.
    """
    losses = {"hinge": hinge, "ramp": ramp}
    if loss not in losses:
        raise ValueError(f"loss must be 'hinge' or 'ramp', got {loss!r}")
    from mcbook.foundation.proof.exact import rational

    # Fractions of Python's own integers: numpy's know no arbitrary size.
    values = [Fraction(value) for value in rational(z)]
    knots = sorted({Fraction(0), *(1 / value for value in values if value)})
    C = Fraction(rational([trade_off(C)])[0])

    def objective(w: Fraction) -> Fraction:
        paid = losses[loss](np.array([w * value for value in values], dtype=object))
        return Fraction(w * w / 2 + C * paid.sum())

    inner = [*((a + b) / 2 for a, b in itertools.pairwise(knots)), knots[0] - 1, knots[-1] + 1]
    candidates = set(knots)
    for w in inner:
        sloping = [v for v in values if w * v < 1 and (loss == "hinge" or w * v > 0)]
        candidates.add(C * sum(sloping, Fraction(0)))
    best = min(candidates, key=lambda w: (objective(w), abs(w)))
    return best, objective(best)
