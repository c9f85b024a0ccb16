"""Where the functions of the theory begin and end: at the last argument they take they have a value, beyond it none."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from mcbook.binary_svm import separable_labellings
from mcbook.replication import (
    counts_behind,
    distinct_columns_probability,
    equal_rates_p_value,
    sign_test_p_value,
    speed_up_limit,
)
from mcbook.structured_margins import planes_bound
from mcbook.svm_solvers import last_weights_bound, subgradient_bound

HALF, FIFTH, TINY = Fraction(1, 2), Fraction(1, 5), Fraction(1, 10**6)
INF = math.inf

# A function, arguments of which one at least is the last that is taken, and the value there.
AT_THE_EDGE = [
    (separable_labellings, (1, 1), 2),
    (equal_rates_p_value, (0, 1, 1, 1), 1),
    (sign_test_p_value, (0, 0), 1),
    (counts_behind, (100, 1), [1]),
    (counts_behind, (0, 1), [0]),
    (distinct_columns_probability, (1, 0), 1),
    (distinct_columns_probability, (1, 1), 1),
    (speed_up_limit, ([2.0, 1.0], 1), 1),
    (subgradient_bound, (1, 1, 3, 1), 3),
    (last_weights_bound, (1, 1, 3, 1), 12),
    (planes_bound, (1, 1, 4, 1), 16),
    (planes_bound, (1, 1, 16, HALF), 34),
    (planes_bound, (1, 1, 16, HALF, "gap"), 18),
]

# Arguments of which one lies just beyond.
BEYOND = [
    (separable_labellings, (0, 1), "n_points"),
    (separable_labellings, (1, 0), "n_features"),
    (equal_rates_p_value, (0, 0, 0, 1), "n >= 1"),
    (sign_test_p_value, (-1, 0), "wins"),
    (sign_test_p_value, (0, -1), "losses"),
    (counts_behind, (0, 0), "n >= 1"),
    (distinct_columns_probability, (0, 0), "n_classes"),
    (distinct_columns_probability, (1, -1), "n_columns"),
    (speed_up_limit, ([1.0], 0), "n_workers"),
    (subgradient_bound, (1, 1, 1, 0), "n_steps"),
    (subgradient_bound, (1, 0, 1, 1), "n_samples"),
    (last_weights_bound, (1, 1, 1, 0), "n_steps"),
    (last_weights_bound, (1, 0, 1, 1), "n_samples"),
]


def names(rows):
    return [f"{function.__name__}{arguments}" for function, arguments, _ in rows]


@pytest.mark.parametrize(("function", "arguments", "value"), AT_THE_EDGE, ids=names(AT_THE_EDGE))
def test_the_last_arguments_that_are_taken_have_a_value(function, arguments, value):
    found = function(*arguments)
    if isinstance(value, float):
        assert float(found) == pytest.approx(value, rel=1e-12)
    else:
        assert np.array_equal(np.array(found, dtype=float), np.array(value, dtype=float))


@pytest.mark.parametrize(("function", "arguments", "word"), BEYOND, ids=names(BEYOND))
def test_just_beyond_there_is_none(function, arguments, word):
    with pytest.raises(ValueError, match=f"expected.*{word}"):
        function(*arguments)
