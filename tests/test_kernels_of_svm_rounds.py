"""The lines of the rounds that stay in compiled code, against the same passes, climbs and looks made one by one."""

import numpy as np
import pytest
from new_arrays import spoil_new_arrays
from svm_samples import BOTH

from mcbook.foundation.compiled import python_original as plain
from mcbook.svm_solvers.kernels import ascent, faces, passes, rounds

COSTS = (2000.0, 500.0, 60.0, 90.0)
HABITS = (0.03, 0.004, 3.0)
LIMITS = (2, 400, 10)


@pytest.fixture(autouse=True)
def _new_arrays_hold_nothing(monkeypatch):
    spoil_new_arrays(monkeypatch)


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


class Rounds:
    """The state of an ascent on a small sample, all of whose classes are listed, and its rounds one by one.

    Uncompiled, so that both ways have the same rounding: much later a last digit may decide what is listed.
    """

    def __init__(self, seed, one_slack):
        rng = np.random.default_rng(seed)
        m, k, d = 10, 3, 2
        self.one_slack, self.X, self.y = one_slack, rng.normal(size=(m, d)), rng.integers(0, k, m)
        self.capacity, self.squared_norms = rng.uniform(0.5, 2.0, m), (self.X**2).sum(axis=1)
        self.alpha, self.W, self.scores = np.zeros((m, k)), np.zeros((k, d)), np.zeros((m, k))
        self.starts, self.listed = np.arange(m + 1) * k, np.tile(np.arange(k, dtype=np.int32), m)
        self.active, self.seed = np.arange(m), np.array([seed + 1], np.uint64)
        self.n_active, self.n_looks = m, 1
        self.primal, self.dual = (1 if one_slack else k - 1) * self.capacity.sum(), 0.0

    def arguments(self):
        return (
            (self.X,), self.y, self.capacity, self.squared_norms, self.alpha, self.W, self.scores, self.starts,
            self.listed, self.active, self.n_active, self.n_looks, self.primal, self.dual, self.seed, self.one_slack,
        )  # fmt: skip

    def at_once(self, tol, most, budget, costs=COSTS, habits=HABITS, limits=LIMITS):
        return plain(rounds.ascent_rounds)(*self.arguments(), tol, most, budget, costs, habits, limits)

    def one_by_one(self, tol, most, budget, costs=COSTS, habits=HABITS, limits=LIMITS):
        """What is returned, and for each round how many passes, systems and quiet examples there were."""
        n_passes, n_free, shift, spent, saved, told = 0, 0, np.inf, 0.0, 0.0, []
        state, gap = self.W.copy(), self.primal - self.dual
        while gap > tol * self.primal and n_passes < most and spent < budget:
            cost = costs[1] + costs[2] * self.n_active + costs[3] * (self.starts[-1] - 2 * self.n_active)
            planned = plain(rounds.passes_until_look)(self.n_looks + 1, costs[0], cost, habits[2], limits[1])
            active = self.active[: self.n_active].copy()
            made, n_stay, _ = plain(passes.ascent_passes)(
                (self.X,), active, self.n_active, self.starts, self.listed, self.squared_norms, self.y, self.capacity,
                self.alpha, state, np.zeros(len(self.y), int), limits[0], self.one_slack, True,
                max(habits[1] * gap, tol * self.primal), min(planned, most - n_passes), self.seed,
            )  # fmt: skip
            n_passes, spent, saved = n_passes + made, spent + costs[0] + made * cost, saved + costs[0] + made * cost
            n_solved = 0
            if self.one_slack and n_passes < most:
                n_solved, price = plain(faces.climb_face)(
                    (self.X,), self.y, self.capacity, self.alpha, state, self.active, self.n_active, saved,
                    min(most - n_passes, limits[2]),
                )  # fmt: skip
                n_passes, spent, saved = n_passes + n_solved, spent + price, saved - price
            told.append((made, n_solved, self.n_active - n_stay))
            before, self.W, self.scores = self.scores, np.zeros(self.W.shape), np.zeros(self.scores.shape)
            half = plain(rounds.weights_and_scores)(self.X, self.alpha, self.W, self.scores)
            state, shift = self.W.copy(), plain(ascent.largest_shift)(self.scores, before)
            self.n_active, n_free, hinges = plain(ascent.list_rivals)(
                self.scores, self.y, self.capacity, self.alpha, self.squared_norms, habits[0] * shift, self.one_slack,
                self.starts, self.listed, self.active,
            )  # fmt: skip
            self.primal, self.dual = half + hinges, self.alpha[np.arange(len(self.y)), self.y].sum() - half
            self.n_looks, gap = self.n_looks + 1, self.primal - self.dual
        return (n_passes, self.n_looks, self.n_active, n_free, shift, self.primal, self.dual, spent), told


def assert_same(seed, one_slack, *limits, **more):
    """Returns what both gave, and what the rounds were."""
    at_once, one_by_one = Rounds(seed, one_slack), Rounds(seed, one_slack)
    found = at_once.at_once(*limits, **more)
    expected, told = one_by_one.one_by_one(*limits, **more)
    assert found[:4] == expected[:4]
    assert found[4:] == pytest.approx(expected[4:], rel=1e-9, abs=1e-9)
    for name in ("alpha", "W", "scores"):
        np.testing.assert_allclose(getattr(at_once, name), getattr(one_by_one, name), atol=1e-9)
    for name in ("starts", "seed"):
        assert (getattr(at_once, name) == getattr(one_by_one, name)).all()
    n, end = at_once.n_active, at_once.starts[-1]
    assert (at_once.active[:n] == one_by_one.active[:n]).all()
    assert (at_once.listed[:end] == one_by_one.listed[:end]).all()
    return expected, told


@BOTH
def test_rounds_at_once_are_passes_climbs_and_looks_one_by_one(one_slack):
    for seed in range(2):
        found, told = assert_same(seed, one_slack, 1e-6, 500, 1e9)
        assert found[5] - found[6] <= 1e-6 * found[5]
        assert len(told) > 1
        assert sum(n_solved for _, n_solved, _ in told) > 0 or not one_slack
    # No more passes and systems are made than may be; patience, lengths and systems in a row have their limits.
    for most in (0, 1, 2, 3, 4, 6, 9, 13):
        found, _ = assert_same(1, one_slack, 1e-12, most, 1e9)
        assert found[0] == most or found[5] - found[6] <= 1e-12 * found[5]
    for limits in [(1, 400, 10), (2, 1, 10), (2, 3, 1), (3, 400, 0), (2, 2, 2)]:
        _, told = assert_same(2, one_slack, 1e-9, 40, 1e9, limits=limits)
        assert max(made for made, _, _ in told) <= limits[1]
        assert max(n_solved for _, n_solved, _ in told) <= limits[2]
    for habits in [(0.5, 0.004, 3.0), (0.0, 0.3, 3.0), (0.03, 0.004, 0.7), (0.03, 0.0, 40.0)]:
        assert_same(0, one_slack, 1e-3, 60, 1e9, habits=habits)
    for costs in [(10.0, 3.0, 2.0, 1.0), (40_000.0, 500.0, 60.0, 90.0), (900.0, 100.0, 10.0, 70.0)]:
        assert_same(3, one_slack, 1e-6, 200, 1e9, costs=costs)


@BOTH
def test_compiled_rounds_reach_the_gap(one_slack):
    run = Rounds(1, one_slack)
    found = rounds.ascent_rounds(*run.arguments(), 1e-9, 500, 1e9, COSTS, HABITS, LIMITS)
    rest = Rounds(1, one_slack)
    expected, _ = rest.one_by_one(1e-9, 500, 1e9)
    assert 0.0 <= found[5] - found[6] <= 1e-9 * found[5]
    assert found[5] == pytest.approx(expected[5], rel=1e-8)
    np.testing.assert_allclose(run.W, run.alpha.T @ run.X, atol=1e-12)
    np.testing.assert_allclose(run.scores, run.X @ run.W.T, atol=1e-12)
