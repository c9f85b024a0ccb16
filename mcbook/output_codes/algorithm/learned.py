"""A continuous code, fitted to the outputs of binary problems by a quadratic programme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcbook.foundation.proof import Known
from mcbook.foundation.proof.certified import certified_optimum

Array = NDArray[Any]


@dataclass(frozen=True)
class LearnedCode:
    """The code ``M (n_classes, n_columns)`` with the slacks and the certified optimum of its programme."""

    M: Array
    slack: Array
    value: Known


def learn_code(
    F: Array,
    y: Array,
    n_classes: int,
    C: float,
    *,
    rivals: str = "others",
    slack_may_be_negative: bool = False,
) -> LearnedCode:
    """min 1/2 |M|^2 + C sum_i xi_i under f(x_i) . M_y - f(x_i) . M_l >= 1 - xi_i for l != y_i, and xi_i >= 0.

    Decoding is argmax_l f(x) . M_l, that is `decode` with the loss `negative_margin`.  The two options are the slips
    that make the programme useless: ``rivals="all"`` asks the constraint for l = y_i as well, which forces xi_i >= 1;
    ``slack_may_be_negative`` pays for margins beyond 1.
    """
    import cvxpy as cp

    F, y = _checked(F, y, n_classes, C)
    if rivals not in ("others", "all"):
        raise ValueError(f"rivals must be 'others' or 'all', got {rivals!r}")
    M, xi = cp.Variable((n_classes, F.shape[1])), cp.Variable(len(F), nonneg=not slack_may_be_negative)
    examples, labels = np.nonzero(np.ones((len(F), n_classes)) if rivals == "all" else np.eye(n_classes)[y] == 0)
    scores = F @ M.T
    gaps = scores[examples, y[examples]] - scores[examples, labels]
    problem = cp.Problem(cp.Minimize(cp.sum_squares(M) / 2 + C * cp.sum(xi)), [gaps >= 1 - xi[examples]])
    certificate = certified_optimum(problem)
    return LearnedCode(np.asarray(M.value), np.asarray(xi.value), certificate.value)


def negative_margin(z: Any) -> Any:
    """L(z) = -z, with which the nearest row is the one with the largest inner product."""
    return -z


def _checked(F: Array, y: Array, n_classes: int, C: float) -> tuple[Array, Array]:
    F, y = np.asarray(F, dtype=float), np.asarray(y)
    if F.ndim != 2 or y.shape != F.shape[:1] or 0 in F.shape:
        raise ValueError(f"expected F (n_samples, n_columns) and y (n_samples,), got shapes {F.shape} and {y.shape}")
    if not np.isin(y, np.arange(n_classes)).all():
        raise ValueError(f"expected labels 0 .. {n_classes - 1}, got {sorted(set(y.tolist()))[:10]}: encode them first")
    if not C > 0:
        raise ValueError(f"expected a trade-off C > 0, got {C}")
    return F, y.astype(np.int64)
