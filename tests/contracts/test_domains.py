"""Where the functions of the theory begin and end: at the last argument they take they have a value, beyond it none."""

import pytest

from mcbook.binary_svm import separable_labellings
from mcbook.replication import (
    counts_behind,
    distinct_columns_probability,
    equal_rates_p_value,
    sign_test_p_value,
    speed_up_limit,
)
from mcbook.svm_solvers import last_weights_bound, subgradient_bound

# A function, arguments of which one at least is the last that is taken, and the value there.

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


@pytest.mark.parametrize(("function", "arguments", "word"), BEYOND, ids=names(BEYOND))
def test_just_beyond_there_is_none(function, arguments, word):
    with pytest.raises(ValueError, match=f"expected.*{word}"):
        function(*arguments)
