"""The multi-class support vector machine in formulas: primal and dual objective, optimality conditions, kernel classes.

Every function takes floats as well as exact numbers (arrays of ints or fractions), and gives back the same kind.
Shapes: ``X (n_samples, n_features)``, ``y (n_samples,)`` with labels 0 .. n_classes - 1, ``W (n_classes, n_features)``,
``K (n_samples, n_samples)``, ``alpha (n_samples, n_classes)``.  ``C`` multiplies the sum of the slacks.

Sources: Mohri et al. (2018), section 9.3.1, for `slacks` and `class_weights`, section 9.6 for `rival_slacks`, footnote
13 of chapter 9 for `projected_section`; Lecture 13, Remark 1, for `kkt_residuals` and `gap_parts`; Roth (2018), the
comparison slide for `n_weights` and `intrinsic_dimension`, that which asks why this margin for
`signed_squared_distance`.

>>> slacks(np.array([[1, 0], [0, 1], [0, 0]]), np.array([[1, 1]]), np.array([0])).tolist()
[1.0]
>>> rival_slacks(np.array([[1, 0], [0, 1], [0, 0]]), np.array([[1, 1]]), np.array([0])).tolist()
[[1.0, 0.0]]
>>> dual_objective(np.array([[Fraction(1, 2), Fraction(-1, 2)]]), np.array([[1]]), np.array([0]))
Fraction(1, 4)
>>> class_weights(np.array([[1, -1], [0, 0]]), np.array([[2, 3], [5, 7]])).tolist()
[[2, 3], [-2, -3]]
>>> W, flows = np.array([[0.5], [-0.5]]), np.array([[0.5, -0.5]])
>>> float(kkt_residuals(W, np.array([0]), flows, np.array([[1]]), np.array([0]), 1).worst)
0.0
>>> W, flows, X, y = np.eye(2, dtype=int), np.array([[1, -1]]), np.array([[1, 0]]), np.array([0])
>>> [int(part) for part in gap_parts(W, np.array([0]), flows, X, y, 1)]
[1, 0, 0]
>>> section_norms(np.array([[1], [2]]), np.array([[1, 0], [0, 1]])).tolist()
[5]
>>> projected_section(np.array([[2, 0], [0, 1]], dtype=object), np.array([1, 3], dtype=object)).tolist()
[Fraction(1, 2), 3]
>>> n_weights(4, 10)
40
>>> intrinsic_dimension(4, 10)
30
>>> signed_squared_distance(np.array([[1, 0], [0, 1]]), np.array([[1, 3]]), np.array([0])).tolist()
[Fraction(-2, 1)]
>>> norm_octave(1, 5), round(float(any_norm_margin_bound(0.2, 2, n_classes=2, delta=0.05, n_samples=10**6)), 4)
(2, 0.2335)
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mcbook.binary_svm.theory import slack_cost
from mcbook.foundation.arithmetic import arithmetic_of
from mcbook.foundation.checks import require_labels, require_nonnegative, require_share, require_whole
from mcbook.foundation.numbers import as_fraction, quotient, rational
from mcbook.foundation.programs import has_one_slack_each
from mcbook.foundation.types import Array, Booleans, Exact, Labels, Scalar, Values
from mcbook.foundation.vocabulary import SlackLoss
from mcbook.losses import MarginLoss, hinge
from mcbook.margin_bounds import svm_margin_bound
from mcbook.perceptron.theory import frobenius_product, scores
from mcbook.problem import score_margins


def slacks(W: Array, X: Array, y: Labels, loss: SlackLoss = "crammer-singer") -> Array:
    """The largest of an example's slacks `rival_slacks` (Crammer and Singer), or their sum (Weston and Watkins)."""
    return slacks_of_scores(scores(W, X), y, loss)


def slacks_of_scores(table: Array, y: Labels, loss: SlackLoss = "crammer-singer") -> Array:
    """The same from a table of scores (n_samples, n_classes).

    >>> slacks_of_scores(np.array([[2.0, 1.5, 1.75]]), np.array([0]), "weston-watkins")
    array([1.25])
    """
    own = _own(np.asarray(table), y)
    paid = hinge(np.asarray(table)[own][:, None] - table)
    paid[own] = 0
    return np.asarray(paid.max(axis=1) if has_one_slack_each(loss) else paid.sum(axis=1))


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
    return quotient(frobenius_product(W, W), 2) + slack_cost(C) * slacks(W, X, y, loss).sum()


def dual_objective(alpha: Array, K: Array, y: Labels) -> Scalar:
    """sum_i alpha_{i y_i} - 1/2 sum_ij <alpha_i, alpha_j> K_ij over all pairs of examples (section 9.3.1 there).

    For flows it is at most `primal_objective`, for either loss with its own limits on the flows.
    """
    alpha = np.asarray(alpha)
    received = alpha[_own(alpha, y)].sum()
    return received - quotient(section_norms(alpha, K).sum(), 2)


def class_weights(alpha: Array, X: Array) -> Array:
    """w_z = sum_i alpha_iz x_i."""
    return np.asarray(np.asarray(alpha).T @ np.asarray(X))


def flow_violation(alpha: Array, y: Labels, C: Scalar) -> Scalar:
    """How far alpha is from 0 <= alpha_iy <= C, alpha_iz <= 0 for z != y, sum_z alpha_iz = 0; 0 when it meets them.

    >>> int(flow_violation(np.array([[3, -3]]), np.array([0]), 1))
    2
    """
    alpha = np.asarray(alpha)
    over = np.where(_own(alpha, y), alpha - slack_cost(C), alpha)
    return max(0, over.max(), np.abs(alpha.sum(axis=1)).max())


class KKT(NamedTuple):
    """How far a point and multipliers are from the optimality conditions; all 0 exactly at an optimum.

    >>> KKT(primal=0, dual=0, stationarity=Fraction(1, 3), complementarity=0).worst
    Fraction(1, 3)
    """

    primal: Scalar
    dual: Scalar
    stationarity: Scalar
    complementarity: Scalar

    @property
    def worst(self) -> Scalar:
        return max(self)


def kkt_residuals(W: Array, slack: Array, alpha: Array, X: Array, y: Labels, C: Scalar) -> KKT:
    """The four groups of conditions of the multi-class SVM at (W, slack) with the multipliers in alpha.

    -alpha_iz is the multiplier of rival z's constraint on example i, and C - alpha_iy that of slack_i >= 0.
    """
    alpha, slack = np.asarray(alpha), np.asarray(slack)
    own, surplus = _own(alpha, y), _surplus(W, slack, X, y)
    return KKT(
        primal=max(0, (-surplus[~own]).max(), (-slack).max()),
        dual=flow_violation(alpha, y, C),
        stationarity=np.abs(np.asarray(W) - class_weights(alpha, X)).max(),
        complementarity=max(np.abs((alpha * surplus)[~own]).max(), np.abs((slack_cost(C) - alpha[own]) * slack).max()),
    )


def gap_parts(W: Array, slack: Array, alpha: Array, X: Array, y: Labels, C: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """What separates 1/2 |W|^2 + C sum slack from the dual value of alpha, for rows of alpha that sum to 0.

    1/2 |W - sum_i alpha_i x_i|^2, the rivals' part sum -alpha_iz ((w_y - w_z) . x_i - 1 + slack_i), and the payers'
    part sum (C - alpha_iy) slack_i.  For feasible points none is negative, and the optimality conditions say all are 0.
    """
    alpha, slack = np.asarray(alpha), np.asarray(slack)
    own, surplus = _own(alpha, y), _surplus(W, slack, X, y)
    apart = np.asarray(W) - class_weights(alpha, X)
    payers = ((slack_cost(C) - alpha[own]) * slack).sum()
    return quotient(frobenius_product(apart, apart), 2), -(alpha * surplus)[~own].sum(), payers


def _own(table: Array, y: Labels) -> Booleans:
    """Where a table (n_samples, n_classes) has the entry of the label."""
    return require_labels(y, table.shape[1])[:, None] == np.arange(table.shape[1])


def _surplus(W: Array, slack: Array, X: Array, y: Labels) -> Array:
    """(w_y - w_z) . x_i - 1 + slack_i, by how much each constraint is met; what stands at the label means nothing."""
    table = scores(W, X)
    return np.asarray(table[_own(table, y)][:, None] - table - 1 + slack[:, None])


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


def n_weights(n_classes: int, n_features: int) -> int:
    """k d: what one-vs-rest and the multi-class SVM both store, for k >= 3."""
    return n_classes * n_features


def intrinsic_dimension(n_classes: int, n_features: int) -> int:
    """(k - 1) d: what is left of W when only the differences of its rows matter."""
    return (n_classes - 1) * n_features


def signed_squared_distance(W: Array, X: Array, y: Labels) -> Array:
    """gap |gap| / |W|_F^2 for each example: its worst Kesler vector's squared distance, with the sign of its side."""
    squared_norm = frobenius_product(W, W)
    if squared_norm == 0:
        raise ValueError("W = 0 has no hyperplane: fit first")
    return np.array([quotient(gap * abs(gap), squared_norm) for gap in score_margins(scores(W, X), y)])


def least_on_line(z: Array, C: Scalar, loss: MarginLoss = hinge) -> tuple[Fraction, Fraction]:
    """The w and the value of min 1/2 w^2 + C sum_i loss(w z_i) over numbers w, exactly; loss is the hinge or the ramp.

    Between the places where some w z_i is 0 or 1 the objective is a parabola; its lowest point, or an end, is least.

    Source: Mohri et al. (2018), section 9.3.1.

    >>> least_on_line(np.array([Fraction(1), Fraction(2)], dtype=object), Fraction(1))
    (Fraction(1, 1), Fraction(1, 2))
    """
    values = [as_fraction(value) for value in rational(z)]
    knots = sorted({Fraction(0), *(1 / value for value in values if value)})
    weight = Fraction(slack_cost(C))

    def objective(w: Fraction) -> Fraction:
        return w * w / 2 + weight * sum((loss(w * value) for value in values), Fraction(0))

    inner = [*((a + b) / 2 for a, b in itertools.pairwise(knots)), knots[0] - 1, knots[-1] + 1]
    candidates = set(knots)
    for w in inner:
        # Where the loss is affine the parabola's lowest point is minus C times the sum of the slopes.
        candidates.add(-weight * sum((loss.derivative(w * value) * value for value in values), Fraction(0)))
    best = min(candidates, key=lambda w: (objective(w), abs(w)))
    return best, objective(best)


def norm_octave(squared_radius: Scalar, squared_norm: Scalar) -> int:
    """The first j of 1, 2, ... with r |W| <= 2^j, from the squares of both."""
    squared = require_nonnegative(squared_radius, "squared_radius") * require_nonnegative(squared_norm, "squared_norm")
    return next(j for j in itertools.count(1) if squared <= 4**j)


def any_norm_margin_bound(
    mean_slack: Values, octave: int, n_classes: Values, delta: Values, n_samples: Values
) -> Values:
    """mean of the slacks + 4k 2^j / sqrt(m) + sqrt(ln(j (j + 1) / delta) / (2m)), with j = ``octave`` of the weights.

    With probability at least 1 - delta over the sample it is at least the risk, for all W at once: `svm_margin_bound`
    for r Lambda = 2, 4, 8, ... with parts of delta that sum to delta.
    """
    require_whole(octave, "octave", at_least=1)
    require_share(delta, "delta", "it is the probability with which the bound may fail", zero=False)
    part = quotient(delta, octave * (octave + 1))
    _, (slack, radius, norm, part) = arithmetic_of(mean_slack, 1, 4**octave, part)
    return svm_margin_bound(slack, radius, norm, n_classes, part, n_samples)
