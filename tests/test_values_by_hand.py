"""Values of the theory computed a second time from the printed formula, where other tests compare functions only."""

from __future__ import annotations

import math

import pytest

import mcbook as mc


@pytest.mark.parametrize(
    ("m", "l", "d", "theta", "delta", "c"), [(5000, 6, 3, 0.4, 0.05, 0.25), (900, 2, 1, 1, 0.2, 0.5)]
)
def test_the_excess_by_rademacher_complexity(m, l, d, theta, delta, c):  # noqa: E741 - the letters of the formula
    size = math.ceil(math.log(l) / (2 * c**2 * theta**2))
    expected = 4 / ((1 - c) * theta) * math.sqrt(l * d * math.log(math.e * l * m / d) / m)
    expected += math.sqrt(math.log(size / delta) / (2 * m))
    assert float(mc.contraction_margin_excess(m, l, d, theta, delta, c)) == pytest.approx(expected, rel=1e-12)
