"""The rounds that stay in compiled code: what they return is what the definitions say of the flows."""

import numpy as np
import pytest
from new_arrays import fill_new_arrays_with_nan
from svm_samples import BOTH, hinges_of

from mcbook.svm_solvers.kernels import rounds

COSTS = (2000.0, 500.0, 60.0, 90.0)
HABITS = (0.03, 0.004, 3.0)
LIMITS = (2, 400, 10)


@pytest.fixture(autouse=True)
def _new_arrays_hold_nothing(monkeypatch):
    fill_new_arrays_with_nan(monkeypatch)


def test_costs_and_lengths_of_passes():
    """A pass costs for each active example with one rival and for each further class; early ones are fewer."""
    assert rounds.cost_of_pass((5.0, 7.0, 11.0), 3, 10) == 5.0 + 7.0 * 3 + 11.0 * 4
    # Looks made, cost of a look, cost of a pass, how many times as long, most.
    for arguments, expected in (
        ((20, 600.0, 50.0, 8.0, 400), 96),
        ((20, 600.0, 50.0, 8.0, 95), 95),
        ((20, 130.0, 50.0, 8.0, 400), 20),
        ((20, 50.0, 50.0, 8.0, 400), 16),
        ((0, 600.0, 50.0, 8.0, 400), 1),
        ((3, 600.0, 50.0, 8.0, 400), 8),
        ((6, 600.0, 50.0, 8.0, 400), 64),
        ((7, 600.0, 50.0, 8.0, 400), 96),
        ((30, 1e12, 1.0, 8.0, 2**40), 2**30),
        ((60, 1e12, 1.0, 8.0, 2**40), 2**30),
    ):
        assert rounds.passes_until_look(*arguments) == expected


class Sample:
    """A small sample, all of whose classes are listed, and the state of an ascent on it."""

    def __init__(self, seed, one_slack):
        rng = np.random.default_rng(seed)
        m, k, d = 10, 3, 2
        self.one_slack, self.X, self.y = one_slack, rng.normal(size=(m, d)), rng.integers(0, k, m)
        self.capacity = rng.uniform(0.5, 2.0, m)
        self.alpha, self.W, self.scores = np.zeros((m, k)), np.zeros((k, d)), np.zeros((m, k))
        self.primal, self.dual = (1 if one_slack else k - 1) * self.capacity.sum(), 0.0
        self.starts, self.listed = np.arange(m + 1) * k, np.tile(np.arange(k, dtype=np.int32), m)

    def ascend(self, tol, most, budget=1e9, costs=COSTS, habits=HABITS, limits=LIMITS):
        m, seed = len(self.y), np.array([1], np.uint64)
        return rounds.ascent_rounds(
            (self.X,), self.y, self.capacity, (self.X**2).sum(axis=1), self.alpha, self.W, self.scores, self.starts,
            self.listed, np.arange(m), m, 1, self.primal, self.dual, seed, self.one_slack, tol, most, budget, costs,
            habits, limits,
        )  # fmt: skip


SETTINGS = [
    *({"most": most} for most in (0, 1, 2, 3, 6, 13)),
    *({"limits": limits} for limits in [(1, 400, 10), (2, 1, 10), (3, 400, 0), (2, 2, 2)]),
    *({"habits": habits} for habits in [(0.5, 0.004, 3.0), (0.0, 0.3, 3.0), (0.03, 0.0, 40.0)]),
    *({"costs": costs} for costs in [(10.0, 3.0, 2.0, 1.0), (40_000.0, 500.0, 60.0, 90.0)]),
]


@BOTH
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_rounds_end_at_a_certified_gap_or_at_their_limits(one_slack, setting):
    for seed in range(3):
        run, given = Sample(seed, one_slack), {"most": 500} | setting
        n_passes, n_looks, _, _, _, primal, dual, spent = run.ascend(1e-9, **given)
        half = 0.5 * (run.W**2).sum()
        np.testing.assert_allclose(run.W, run.alpha.T @ run.X, atol=1e-12)
        np.testing.assert_allclose(run.scores, run.X @ run.W.T, atol=1e-12)
        assert primal == pytest.approx(half + run.capacity @ hinges_of(run.scores, run.y, one_slack), rel=1e-12)
        assert dual == pytest.approx(run.alpha[np.arange(10), run.y].sum() - half, rel=1e-12, abs=1e-12)
        assert run.alpha.sum(axis=1) == pytest.approx(0, abs=1e-12)
        assert (run.alpha.max(axis=1) <= run.capacity * (1 + 1e-12)).all() or not one_slack
        assert n_passes <= given["most"]
        assert primal - dual <= 1e-9 * primal or n_passes == given["most"]
        assert (spent > 0, n_looks > 1) == (given["most"] > 0,) * 2


def test_rounds_end_where_the_budget_is_spent():
    looks = [Sample(0, True).ascend(1e-12, 12, budget, limits=(2, 2, 1))[1] for budget in (0.0, 1.0, 1e5)]
    assert looks[:2] == [1, 2] < looks[1:]
