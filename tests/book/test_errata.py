"""The small instances of the page of errata that no claim has on trial, computed again."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from tools import notebooks

PAGE = (notebooks.ROOT / "book" / "errata.md").read_text(encoding="utf-8")


def entry(name):
    """The text of an entry, its lines joined."""
    return " ".join(PAGE.split(f"(erratum-{name})=")[1].split("\n(err")[0].split())


def least(objective):
    return minimize_scalar(objective, bounds=(-5, 5), method="bounded", options={"xatol": 1e-10})


def test_the_constant_scores_lack_the_factor():
    suprema = [abs(sum(signs)) for signs in itertools.product((-1, 1), repeat=4)]
    assert (np.mean(suprema), np.mean(suprema) / 4) == (3 / 2, 3 / 8)
    assert r"$\frac32$ and the right side $\frac38$" in entry("margin-bound-proof")


def test_the_single_sum_is_no_dual():
    # Of two equal points and two classes v = w_1 - w_2 is the lead, and each point takes a from its rival.
    primal = least(lambda v: v**2 / 4 + 2 * max(0, 1 - v)).fun
    single = max(2 * (a - a**2) for a in np.linspace(0, 1, 1001))
    assert (primal, single) == pytest.approx((1 / 4, 1 / 2), abs=1e-6)
    assert r"optimum is $\frac14$, and the single sum reaches $\frac12$" in entry("dual-sum")


def test_the_slack_and_the_ramp_prefer_different_weights():
    points = (1, 1, 1, -4)
    slack = least(lambda w: w**2 / 2 + sum(max(0, 1 - w * x) for x in points) / 2)
    ramp = min(np.linspace(-5, 5, 10001), key=lambda w: w**2 / 2 + sum(min(1, max(0, 1 - w * x)) for x in points) / 2)
    assert (slack.x, slack.fun) == pytest.approx((-1 / 4, 61 / 32), abs=1e-6)
    assert ramp == pytest.approx(1)
    assert r"$w=-\frac14$ with the objective $\frac{61}{32}$, and the ramp prefers $w=1$" in entry("ramp-for-slack")


def test_the_random_field_and_the_softmax_margin_differ():
    field = least(lambda w: w**2 / 2 + math.log1p(math.exp(-w))).x
    softmax = least(lambda w: w**2 / 2 + math.log1p(math.exp(1 - w))).x
    assert f"{field:.3f} for the conditional random field and {softmax:.3f} for (9.24)" in entry("crf")


def test_gains_without_weights_choose_the_smaller_fall():
    def gini(*counts):
        return 1 - sum((n / sum(counts)) ** 2 for n in counts)

    small, large = gini(1, 1), gini(900, 100)
    assert f"can gain {small} and a leaf with counts $(900,100)$ only {large:.2f}" in entry("greedy-weight")
    assert f"by {1000 * large:.0f}, the first by {2 * small:.0f}" in entry("greedy-weight")


def test_the_factors_of_two_rounds():
    low, high = (2 * math.sqrt(error**0.1 * (1 - error) ** 1.9) for error in (0.05, 0.45))
    assert f"has the factor {low:.2f}, and one of error 0.45 only {high:.2f}" in entry("margin-threshold")


def test_the_certificate_against_one_set_of_scores():
    points = [(-3, 3, 1), (-2, -2, 1), (-3, -3, 1), (0, -1, 1), (1, -1, 1), (-2, 0, 1)]
    rows = [(1, 1, 3), (2, 1, 2), (3, 2, 1), (4, 2, 3), (5, 3, 1), (5, 3, 2), (6, 3, 1)]
    total = np.zeros((3, 3), dtype=int)
    for times, (point, i, j) in zip((1, 8, 4, 8, 1, 4, 4), rows, strict=True):
        total[i - 1] += np.multiply(times, points[point - 1])
        total[j - 1] -= np.multiply(times, points[point - 1])
    assert not total.any()
    assert "taken $1,8,4,8,1,4$ and 4 times, add up to 0" in entry("pairwise-separability")
