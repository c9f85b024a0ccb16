"""The kernels of passes, compiled as they are used, against a few lines of numpy."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from svm_runs import BOTH, Run, seed_of
from svm_samples import best_flows, hinges_of

from mcbook.svm_solvers.kernels import momentum, passes


@pytest.fixture(params=range(9))
def rng(request):
    return np.random.default_rng(request.param)


class TestPasses:
    @BOTH
    def test_a_pass_makes_one_example_after_another_the_best_that_it_can_be(self, rng, one_slack):
        run = Run.of_all_kinds(rng, one_slack, patience=9)
        n_active = len(run.active) - 1  # the last one has its turn at another time
        run.quiet[:] = rng.integers(0, 2, run.m)
        order, before, quiet = run.active.copy(), run.alpha.copy(), run.quiet.copy()
        W, alpha = run.W.copy(), run.alpha.copy()
        gap = slope = squares = 0.0
        for i in order[:n_active]:
            mine, x = run.lists[i], run.X[i]
            label = int(np.flatnonzero(mine == run.y[i])[0])
            scores, old = W[mine] @ x, alpha[i, mine].copy()
            alpha[i, mine] = best_flows(scores, label, run.capacity[i], x @ x, old, one_slack)
            step = alpha[i, mine] - old
            W[mine] += np.outer(step, x)
            gap += run.capacity[i] * hinges_of(scores[None], [label], one_slack)[0] - old[label] + old @ scores
            slope += step[label] - step @ scores
            squares += step @ step * (x @ x)
        found = run.make_a_pass(n_active)
        assert found[0] == n_active
        assert found[1:] == pytest.approx((gap, slope, squares), rel=1e-10, abs=1e-11)
        np.testing.assert_allclose(run.alpha, alpha, atol=1e-11)
        np.testing.assert_allclose(run.W, W, atol=1e-11)
        assert run.active.tolist() == order.tolist()
        visited = np.isin(np.arange(run.m), order[:n_active])
        has_moved = np.abs(alpha - before).max(axis=1) > 1e-9
        np.testing.assert_array_equal(run.quiet, np.where(visited, np.where(has_moved, 0, quiet + 1), quiet))
        for i in range(run.m):
            kept = run.moved[run.starts[i] : run.starts[i + 1]]
            expected = alpha[i, run.lists[i]] - before[i, run.lists[i]] if visited[i] else np.full(len(kept), 7.0)
            np.testing.assert_allclose(kept, expected, atol=1e-11)

    def quiet_run(self, capacity, steps):
        """Two classes, label 0, an example for each step that the flows have to make, each of a feature of its own."""
        m = len(steps)
        X, alpha, W = np.eye(m), np.zeros((m, 2)), np.zeros((2, m))
        # The best flow is half of 1 + the rival's score - the label's: the step.
        W[1] = 2 * np.asarray(steps) - 1
        active, quiet, y = np.arange(m), np.zeros(m, int), np.zeros(m, int)
        quiet[:] = 1
        starts, listed, moved = np.arange(m + 1) * 2, np.tile(np.arange(2, dtype=np.int32), m), np.zeros(2 * m)
        work = np.empty(2), np.empty(2), np.empty(2)
        found = passes.ascent_pass(
            (X,), active, m, starts, listed, np.ones(m), y, np.full(m, capacity), alpha, W, quiet, 2, True, moved, work
        )
        return found, active, quiet, alpha, W

    def test_examples_that_rest_are_moved_behind_the_active_ones(self):
        (n_active, *_), active, quiet, alpha, _ = self.quiet_run(9.0, [0.0, 0.5, 0.0, 0.0, 0.25])
        assert n_active == 2
        assert active.tolist() == [4, 1, 3, 2, 0]
        assert quiet.tolist() == [2, 0, 2, 2, 0]
        assert alpha[:, 0].tolist() == [0, 0.5, 0, 0, 0.25]

    @pytest.mark.parametrize(("capacity", "is_quiet"), [(0.995e14, False), (1e14, True), (1.5e14, True)])
    def test_a_step_is_one_where_it_exceeds_the_rounding_of_the_capacity(self, capacity, is_quiet):
        (n_active, *_), _, quiet, alpha, W = self.quiet_run(capacity, [1.0, 2.5])
        assert quiet.tolist() == [2 * is_quiet, 0]
        assert n_active == 2 - is_quiet
        assert alpha[:, 0].tolist() == [1, 2.5]
        # What is too small to be a step is not told to the weights.
        assert W[0].tolist() == [0 if is_quiet else 1, 2.5]

    def test_fewer_quiet_visits_than_the_patience_change_nothing(self):
        run = Run.of_all_kinds(np.random.default_rng(0), True, patience=3)
        for _ in range(200):
            run.make_a_pass(len(run.active))
        run.quiet[:], order = 1, run.active.copy()
        assert run.make_a_pass(len(order))[0] == len(order)
        assert run.active.tolist() == order.tolist()
        assert (run.quiet[order] == 2).all()
        assert run.make_a_pass(len(order))[0] == 0


class TestRuns:
    """Passes in one call, against shuffles, single passes and momentum one by one."""

    def arguments(self, run, has_momentum, goal, most, seed):
        return (
            (run.X,), run.active, len(run.active), run.starts, run.listed, run.squared_norms, run.y, run.capacity,
            run.alpha, run.W, run.quiet, run.patience, run.one_slack, has_momentum, goal, most, seed,
        )  # fmt: skip

    def one_by_one(self, run, has_momentum, most, seed):
        """What `ascent_passes` has to return and change with at most 1, 2 .. passes, and the gaps seen by them."""
        n_active, visited, n_visited, rest = len(run.active), run.active.copy(), len(run.active), 0.0
        last, last_way, gaps, found = np.zeros(run.starts[-1]), np.zeros_like(run.W), [], []
        for n_passes in range(1, most + 1):
            passes.shuffle(run.active, n_active, seed)
            way = run.W.copy()
            n_active, gap, slope, squares = run.make_a_pass(n_active)
            gaps.append(gap)
            falls = [min(now / before, 1) for before, now in pairwise(gaps)][-2:]
            expected = gap * (1 if len(falls) < 2 else max(falls))
            found.append((n_passes, n_active, expected, run.alpha.copy(), run.W.copy(), run.active.copy(), seed.copy()))
            if n_active == 0:
                return found, gaps
            if has_momentum:
                n_visited, rest = momentum.go_on(
                    (run.X,), visited, n_visited, run.starts, run.listed, run.y, run.capacity, run.alpha, run.W,
                    run.quiet, run.patience, run.one_slack, run.moved, last, way, last_way, slope, squares, rest,
                    run.work,
                )  # fmt: skip
        return found, gaps

    @BOTH
    @pytest.mark.parametrize("has_momentum", [True, False])
    def test_passes_in_one_call_are_those_one_by_one(self, rng, one_slack, has_momentum):
        draw = int(rng.integers(1 << 30))

        def many(goal, most):
            run, seed = Run.of_all_kinds(np.random.default_rng(draw), one_slack), seed_of(draw)
            return run, seed, passes.ascent_passes(*self.arguments(run, has_momentum, goal, most, seed))

        one, seed = Run.of_all_kinds(np.random.default_rng(draw), one_slack), seed_of(draw)
        expected, _ = self.one_by_one(one, has_momentum, 6, seed)
        gaps = []
        for n_passes, n_active, gap, *arrays in expected:
            run, seed, found = many(-1.0, n_passes)
            assert found == (n_passes, n_active, pytest.approx(gap, rel=1e-9, abs=1e-12))
            for mine, theirs in zip((run.alpha, run.W, run.active, seed), arrays, strict=True):
                np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-11)
            gaps.append(found[2])
        # A goal is reached where the gap expected stands at it.
        for goal in gaps:
            first = next(n for n, gap in enumerate(gaps, 1) if gap <= goal)
            assert many(goal, 50)[2] == (first, expected[first - 1][1], gaps[first - 1])

    @pytest.mark.parametrize("seed", range(4))
    def test_a_gap_that_rises_is_not_expected_to_rise_further(self, seed):
        """The same example with both labels: what the one gains the other loses, by more at a time than at first."""

        def new_run():
            lists, y = [[0, 1], [0, 1]], np.array([0, 1])
            return Run(np.ones((2, 1)), y, np.full(2, 20.0), lists, np.zeros((2, 2)), True, 9), seed_of(seed)

        expected, gaps = self.one_by_one(new_run()[0], False, 8, seed_of(seed))
        assert max(gaps) > gaps[0]
        for n_passes, _, gap, *_ in expected:
            run, state = new_run()
            assert passes.ascent_passes(*self.arguments(run, False, -1.0, n_passes, state))[2] == pytest.approx(gap)

    def test_passes_end_where_all_examples_rest(self):
        """Capacities beside which all steps are rounding: one example rests after a pass and the other after two."""
        run = Run(np.eye(2), np.zeros(2, int), np.full(2, 1e15), [[0, 1]] * 2, np.zeros((2, 2)), True)
        run.quiet[0] = 1
        found = passes.ascent_passes(*self.arguments(run, False, -1.0, 50, seed_of(0)))
        assert found == (2, 0, 1e15 - 0.5)
        assert run.quiet.tolist() == [2, 2]

    def test_fewer_examples_than_classes(self):
        run = Run(np.eye(2), np.array([3, 1]), np.ones(2), [[0, 1, 2, 3]] * 2, np.zeros((2, 4)), True)
        assert passes.ascent_passes(*self.arguments(run, True, 1e-9, 50, seed_of(0)))[1] == 2
        # The gap of each is closed by a third from each rival of what the label takes: 1 = 4/3 of that.
        np.testing.assert_allclose(run.alpha, [[-0.25, -0.25, -0.25, 0.75], [-0.25, 0.75, -0.25, -0.25]], atol=1e-9)

    def test_momentum_needs_no_second_feature(self):
        """Sparse data have weights of a row for each feature; one is enough."""
        data, places, ends = np.array([1.0, 2.0, -1.5]), np.zeros(3, int), np.arange(4)
        sparse, dense = (data, places, ends), (data[:, None].copy(),)
        found = []
        for rows, shape in ((sparse, (1, 2)), (dense, (2, 1))):
            alpha, W, quiet, seed = np.zeros((3, 2)), np.zeros(shape), np.zeros(3, int), seed_of(3)
            result = passes.ascent_passes(
                rows, np.arange(3), 3, np.arange(4) * 2, np.array([0, 1] * 3, np.int32), data**2, np.array([0, 1, 1]),
                np.full(3, 0.7), alpha, W, quiet, 9, True, True, -1.0, 3, seed,
            )  # fmt: skip
            found.append((result, alpha.tolist(), W.ravel().tolist()))
        assert found[0][0] == pytest.approx(found[1][0], abs=1e-12)
        np.testing.assert_allclose(found[0][1], found[1][1], atol=1e-12)
        np.testing.assert_allclose(found[0][2], found[1][2], atol=1e-12)
