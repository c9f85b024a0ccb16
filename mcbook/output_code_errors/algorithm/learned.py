"""A continuous code, fitted to the outputs of binary problems by a quadratic program."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mcbook.foundation.programs import solve_multiclass_svm
from mcbook.foundation.proof import Known
from mcbook.foundation.types import Array, Floats, Values


@dataclass(frozen=True)
class LearnedCode:
    """The code ``M (n_classes, n_columns)`` with the slacks and the certified optimum of its problem.

    >>> found = learn_code(np.array([[1.0], [-1.0]]), np.array([0, 1]), 2, C=1.0)
    >>> found.M.round(2).tolist(), round(float(found.value), 4)
    ([[0.5], [-0.5]], 0.25)
    """

    M: Floats
    slack: Floats
    value: Known


def learn_code(F: Array, y: Array, n_classes: int, C: float) -> LearnedCode:
    """min 1/2 |M|^2 + C sum_i xi_i under f(x_i) . M_y - f(x_i) . M_l >= 1 - xi_i for l != y_i, and xi_i >= 0.

    It is the problem of the multi-class SVM with the outputs ``F (n_samples, n_columns)`` as features.  Decoding
    is argmax_l f(x) . M_l, that is `decode` with the loss `negative_margin`.  Mohri, Rostamizadeh and Talwalkar (2018),
    section 9.4.3, with l != y_i and xi_i >= 0, which are missing there.

    >>> from mcbook.output_codes import decode
    >>> F = np.array([[2.0, 0.0], [0.0, 2.0], [-2.0, -2.0]])
    >>> decode(F, learn_code(F, np.array([0, 1, 2]), 3, C=10.0).M, negative_margin).tolist()
    [0, 1, 2]
    """
    found = solve_multiclass_svm(F, y, n_classes, C)
    assert found.slack is not None, "with a cost C there are slacks"
    return LearnedCode(found.point, np.asarray(found.slack), found.value)


def negative_margin(z: Values) -> Values:
    """L(z) = -z, with which the nearest row is the one with the largest inner product.

    >>> negative_margin(np.array([2.0, -1.0])).tolist()
    [-2.0, 1.0]
    """
    return -z
