"""The kernels of conjugate directions, compiled as they are used, against a few lines of numpy."""

from __future__ import annotations

import numpy as np
import pytest
from svm_runs import BOTH, Run

from mcbook.svm_solvers.kernels import momentum


@pytest.fixture(params=range(8))
def rng(request):
    return np.random.default_rng(request.param)


class TestPlanes:
    def test_products_of_the_ways_of_weights(self, rng):
        state, before, last = rng.normal(size=(3, 2, 4))
        way = before.copy()
        found = momentum.pass_products(state, way, last)
        s = state - before
        assert found == pytest.approx(((s * s).sum(), (s * last).sum(), (last * last).sum()), rel=1e-12)
        np.testing.assert_allclose(way, s, atol=1e-15)
        V, S = s.copy(), last.copy()
        assert momentum.square_and_product(V, S) == pytest.approx(((s * s).sum(), (s * last).sum()), rel=1e-12)
        momentum.combined(0.75, V, -2.0, S)
        np.testing.assert_allclose(S, 0.75 * s - 2 * last, atol=1e-14)
        np.testing.assert_array_equal(V, s)

    def test_the_best_point_of_a_plane_is_where_both_slopes_end(self):
        # [[4, 2], [2, 9]] (a, b) = (slopes), whose determinant is 32.
        assert momentum.best_in_plane(4.0, 2.0, 9.0, 8.0, 16.0) == (1.25, 1.5)
        assert momentum.best_in_plane(4.0, -2.0, 9.0, 8.0, 16.0) == (3.25, 2.5)

    @pytest.mark.parametrize(("s", "p"), [(1.0, 1.0), (8.0, 0.5), (0.25, 64.0)])
    @pytest.mark.parametrize(("square_of_sine", "is_a_plane"), [(0.75e-8, False), (1.005e-8, True), (2e-8, True)])
    def test_steps_are_parallel_below_a_small_angle(self, s, p, square_of_sine, is_a_plane):
        """Two steps of lengths s and p."""
        product = np.sqrt(1 - square_of_sine) * s * p
        a, b = momentum.best_in_plane(s * s, product, p * p, 3.0, 5.0)
        assert (b != 0) == is_a_plane
        if not is_a_plane:
            assert a == 3 / (s * s)

    def test_without_a_step_there_is_nowhere_to_go(self):
        assert momentum.best_in_plane(0.0, 0.0, 4.0, 3.0, 5.0) == (0, 0)
        assert momentum.best_in_plane(0.5, 0.0, 0.0, 3.0, 5.0) == (6, 0)

    @pytest.mark.parametrize(
        ("flows", "steps", "one_slack", "stays"),
        [
            ((-0.5, 1.0, -0.5), (-0.25, 0.5, -0.25), True, True),
            ((-0.5, 1.0, -0.5), (0.5, 0.0, -0.5), True, False),  # a rival may not come to 0 in the plane
            ((-0.5, 1.0, -0.5), (0.75, 0.0, -0.75), True, False),
            ((0.0, 1.0, -1.0), (0.0, 0.5, -0.5), True, True),  # but one at 0 may stay there
            ((-1.0, 1.5, -0.5), (-1.0, 1.0, 0.0), True, False),  # the label takes 2.5 of 2
            ((-1.0, 1.5, -0.5), (-0.5, 0.5, 0.0), True, True),
            ((0.0, 0.0, 0.0), (-1.0, 2 * (1 + 0.75e-12), -1.0), True, True),  # rounding
            ((0.0, 0.0, 0.0), (-1.0, 2 * (1 + 1.005e-12), -1.0), True, False),
            ((0.0, 0.0, 0.0), (-1.0, 2 * (1.0 + 1e-12), -1.0), True, True),
            ((-3.0, 4.0, -1.0), (-1.0, 1.0, 0.0), False, False),  # a rival gives more than 2
            ((-1.0, 2.5, -1.5), (-1.0, 1.5, -0.5), False, True),  # just 2, and the label more
            ((-1.0, 2.5, -1.5), (-1.5, 1.5, 0.0), False, False),
            ((-1.0, 2.5, -1.5), (1.0, -1.0, 0.0), False, False),
            ((-2.0, 2.0, 0.0), (0.0, 0.0, 0.0), False, True),
        ],
    )
    def test_a_planned_step_stays_within_the_bounds_or_not(self, flows, steps, one_slack, stays):
        """The label is the class 3, the rivals are 4 and 1; the step is twice the one and half the other."""
        alpha, listed = np.zeros((2, 5)), np.array([0, 4, 3, 1, 2], np.int32)
        alpha[1, listed[1:4]] = flows
        moved, last = np.array([9.0, 0.25, 0.5, -0.75, 9.0]), np.full(5, 9.0)
        # Halves and doubles are exact, and so are differences of what is close.
        last[1:4] = 2 * (np.array(steps) - 2 * moved[1:4])
        rounded = (0.5 * last + 2 * moved)[1:4]
        before = alpha.copy()
        found = momentum.planned(1, listed, 1, 4, 3, 2.0, alpha, one_slack, 2.0, 0.5, moved, last)
        assert found == stays
        assert last.tolist() == [9, *rounded, 9]
        assert moved.tolist() == [9, 0.25, 0.5, -0.75, 9]
        np.testing.assert_array_equal(alpha, before)

    def test_the_slope_along_the_step_of_an_example(self):
        scores, listed = np.array([2.0, -1.0, 0.5, 9.0]), np.array([7, 4, 3, 1, 7], np.int32)
        step = np.array([50.0, -0.25, 1.0, -0.75, 60.0])
        for label, own, rivals in ((3, 1, (0, 2)), (4, 0, (1, 2)), (1, 2, (0, 1))):
            expected = -sum(step[1 + z] * (1 + scores[z] - scores[own]) for z in rivals)
            assert momentum.slope_of_example(scores, listed, 1, 4, label, step) == expected


def gone_on(run, n_visited, visited, last, way, last_way):
    """What `go_on` has to make of a run: by definition, from the flows and the dual's derivatives."""
    s, p, S = run.steps_of(run.moved), run.steps_of(last), run.W - way
    idle = ~np.isin(np.arange(run.m), visited[:n_visited])
    s[idle], p[idle] = 0, 0
    gradient = run.gradient()
    gram = np.array([[(S * S).sum(), (S * last_way).sum()], [(S * last_way).sum(), (last_way * last_way).sum()]])
    slopes = np.array([(gradient * s).sum(), (gradient * p).sum()])
    a, b = np.linalg.lstsq(gram, slopes, rcond=1e-12)[0]
    t = a * s + b * p
    flows = run.alpha + t
    rivals = np.arange(run.k) != run.y[:, None]
    for i in range(run.m):
        moves = rivals[i] & (t[i] != 0)
        within = (flows[i, moves] < 0).all()
        if run.one_slack:
            within &= flows[i, run.y[i]] <= run.capacity[i] * (1 + 1e-12)
        else:
            within &= (flows[i, moves] >= -run.capacity[i]).all()
        if not within or run.quiet[i] >= run.patience:
            t[i] = 0
    D = t.T @ run.X
    length = np.clip((gradient * t).sum() / (D * D).sum(), 0, 1) if D.any() else 0.0
    alpha, W = run.alpha + length * t, run.W + length * D
    whole = s + length * t
    rest = ((np.eye(run.k)[run.y] - run.X @ W.T) * whole).sum()
    return alpha, W, whole, S + length * D, rest, length


class TestMomentum:
    def test_where_a_pass_made_no_step_nothing_goes_on(self):
        """The step before it leads nowhere either, as nothing is left of its slope."""
        run = Run(np.eye(2), np.array([0, 1]), np.ones(2), [[0, 1], [0, 1]], np.array([[0.5, -0.5], [0.0, 0.0]]), True)
        run.moved[:], visited, W = 0, np.arange(2), run.W.copy()
        last, last_way = np.array([0.25, -0.25, 0.0, 0.0]), np.array([[0.25, 0.0], [-0.25, 0.0]])
        found = momentum.go_on(
            (run.X,), visited, 2, run.starts, run.listed, run.y, run.capacity, run.alpha, run.W, run.quiet, 2, True,
            run.moved, last, run.W.copy(), last_way, 0.0, 0.0, 0.0, run.work,
        )  # fmt: skip
        assert found == (2, 0)
        assert run.alpha.tolist() == [[0.5, -0.5], [0, 0]]
        np.testing.assert_array_equal(run.W, W)
        assert last.tolist() == [0] * 4
        assert last_way.tolist() == [[0, 0], [0, 0]]

    def test_steps_that_leave_the_weights_as_they_are_are_not_taken(self):
        """The same example three times: two steps undo each other, and the third would leave its bounds."""
        alpha = np.array([[0.5, -0.5], [0.5, -0.5], [1.0, -1.0]])
        run = Run(np.ones((3, 1)), np.zeros(3, int), np.ones(3), [[0, 1]] * 3, alpha.copy(), True)
        run.moved[:] = 0.25, -0.25, -0.25, 0.25, 0.5, -0.5
        last, last_way, way = np.zeros(6), np.zeros((2, 1)), run.W - np.array([[0.5], [-0.5]])
        # |s|^2 is 0.5, each step alone adds 0.75 in sum, and with the slope left of 0.5 the pass would be made again.
        found = momentum.go_on(
            (run.X,), np.arange(3), 3, run.starts, run.listed, run.y, run.capacity, run.alpha, run.W, run.quiet, 2,
            True, run.moved, last, way, last_way, 1.125, 0.75, 0.0, run.work,
        )  # fmt: skip
        assert found == (3, 0.5)
        assert run.alpha.tolist() == alpha.tolist()
        assert last.tolist() == run.moved.tolist()
        assert last_way.tolist() == [[0.5], [-0.5]]

    @BOTH
    @pytest.mark.parametrize("seed", range(12))
    def test_flows_go_on_to_the_best_of_the_plane_that_all_can_reach(self, one_slack, seed):
        rng = np.random.default_rng(seed)
        run = Run.of_all_kinds(rng, one_slack)
        visited = np.sort(run.active)
        n_visited, last, last_way, rest = len(visited), np.zeros(run.starts[-1]), np.zeros_like(run.W), 0.0
        lengths = []
        for n_passes in range(5):
            if n_passes == 2:  # one rests from now on: the passes do not come to it
                at_rest = visited[1]
                run.active = run.active[run.active != at_rest]
                run.moved[run.starts[at_rest] : run.starts[at_rest + 1]] = 0
            way = run.W.copy()
            _, _, slope, squares = run.make_a_pass(len(run.active))
            run.quiet[:] = rng.integers(0, 2, run.m)
            if n_passes >= 2:
                run.quiet[at_rest] = 2
            alpha, W, whole, whole_way, ahead, length = gone_on(run, n_visited, visited, last, way, last_way)
            awake = [i for i in visited[:n_visited] if run.quiet[i] < 2]
            lengths.append(length)
            n_visited, rest = momentum.go_on(
                (run.X,), visited, n_visited, run.starts, run.listed, run.y, run.capacity, run.alpha, run.W, run.quiet,
                run.patience, one_slack, run.moved, last, way, last_way, slope, squares, rest, run.work,
            )  # fmt: skip
            assert visited[:n_visited].tolist() == awake
            np.testing.assert_allclose(run.alpha, alpha, atol=1e-8)
            np.testing.assert_allclose(run.W, W, atol=1e-8)
            np.testing.assert_allclose(run.steps_of(last)[awake], whole[awake], atol=1e-8)
            np.testing.assert_allclose(last_way, whole_way, atol=1e-8)
            assert rest == pytest.approx(ahead, abs=1e-8)
            if one_slack:
                assert (run.alpha.max(axis=1) <= run.capacity).all()
