"""A continuous code, fitted to the outputs of binary problems by a quadratic programme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mcbook.foundation.programmes import solve_multiclass_machine
from mcbook.foundation.proof import Known
from mcbook.foundation.types import Array, Floats


@dataclass(frozen=True)
class LearnedCode:
    """The code ``M (n_classes, n_columns)`` with the slacks and the certified optimum of its programme."""

    M: Floats
    slack: Floats
    value: Known


def learn_code(F: Array, y: Array, n_classes: int, C: float) -> LearnedCode:
    """min 1/2 |M|^2 + C sum_i xi_i under f(x_i) . M_y - f(x_i) . M_l >= 1 - xi_i for l != y_i, and xi_i >= 0.

    It is the programme of the multi-class machine with the outputs ``F (n_samples, n_columns)`` as features.  Decoding
    is argmax_l f(x) . M_l, that is `decode` with the loss `negative_margin`.  Mohri, Rostamizadeh and Talwalkar (2018),
    section 9.4.3, with l != y_i and xi_i >= 0, which are missing there.
    """
    found = solve_multiclass_machine(F, y, n_classes, C)
    assert found.slack is not None, "with a price C there are slacks"
    return LearnedCode(found.point, np.asarray(found.slack), found.value)


def negative_margin(z: Any) -> Any:
    """L(z) = -z, with which the nearest row is the one with the largest inner product."""
    return -z
