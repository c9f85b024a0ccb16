"""The kernels of passes and of the momentum between them, against a few lines of numpy."""

from itertools import pairwise

import numpy as np
import pytest
from svm_samples import BOTH, best_flows, flows_of_an_example, hinges_of

from mcbook.svm_solvers.kernels import momentum, passes


def seed_of(draw):
    return np.array([draw + 1], np.uint64)


def test_items_are_shuffled_by_xorshift():
    items, seed = np.arange(50), np.array([88172645463325252], np.uint64)
    expected, state, mask = list(range(50)), 88172645463325252, (1 << 64) - 1
    for last in range(29, 0, -1):
        state = state ^ (state << 13) & mask
        state ^= state >> 7
        state = state ^ (state << 17) & mask
        other = (state >> 32) * (last + 1) >> 32
        expected[last], expected[other] = expected[other], expected[last]
    passes.shuffle(items, 30, seed)
    assert items.tolist() == expected
    assert int(seed[0]) == state


class Run:
    """Examples with the classes listed of each, those with none not active, and the weights that their flows make."""

    def __init__(self, X, y, capacity, lists, alpha, one_slack, patience=2):
        self.X, self.y, self.capacity, self.alpha = X, y, capacity, alpha
        self.one_slack, self.patience = one_slack, patience
        self.m, self.k = alpha.shape
        self.lists = [np.array(one, int) for one in lists]
        self.starts, self.listed = np.cumsum([0, *map(len, lists)]), np.concatenate(self.lists).astype(np.int32)
        self.squared_norms, self.W = (X**2).sum(axis=1), alpha.T @ X
        self.active, self.quiet = np.flatnonzero(np.diff(self.starts)), np.zeros(self.m, int)
        self.moved = np.full(self.starts[-1], 7.0)
        self.work = np.empty(self.k), np.empty(self.k), np.empty(self.k)

    @classmethod
    def of_all_kinds(cls, rng, one_slack, patience=2):
        """Lists of two to five classes, in random order; an example without any."""
        sizes, k = [2, 3, 4, 5, 0, 2, 3, 5], 5
        m = len(sizes)
        X, y, capacity = rng.normal(size=(m, 3)) * rng.choice([0.5, 1.5]), rng.integers(0, k, m), rng.uniform(0.3, 2, m)
        alpha, lists = np.zeros((m, k)), []
        for i, (n, label) in enumerate(zip(sizes, y, strict=True)):
            others = rng.permutation(np.delete(np.arange(k), label))
            lists.append(sorted([label, *others[: n - 1]]) if n else [])
            if n:
                place = lists[i].index(label)
                alpha[i, lists[i]] = flows_of_an_example(rng, n, place, capacity[i], one_slack)
        run = cls(X, y, capacity, lists, alpha, one_slack, patience)
        run.active = rng.permutation(run.active)
        return run

    def make_a_pass(self, n_active):
        return passes.ascent_pass(
            (self.X,), self.active, n_active, self.starts, self.listed, self.squared_norms, self.y, self.capacity,
            self.alpha, self.W, self.quiet, self.patience, self.one_slack, self.moved, self.work,
        )  # fmt: skip

    def go_on(self, visited, n_visited, last, way, last_way, slope, squares, rest):
        return momentum.go_on(
            (self.X,), visited, n_visited, self.starts, self.listed, self.y, self.capacity, self.alpha, self.W,
            self.quiet, self.patience, self.one_slack, self.moved, last, way, last_way, slope, squares, rest, self.work,
        )  # fmt: skip

    def make_passes(self, has_momentum, goal, most, seed):
        return passes.ascent_passes(
            (self.X,), self.active, len(self.active), self.starts, self.listed, self.squared_norms, self.y,
            self.capacity, self.alpha, self.W, self.quiet, self.patience, self.one_slack, has_momentum, goal, most,
            seed,
        )  # fmt: skip

    def gradient(self):
        """The dual's derivatives by the flows."""
        return np.eye(self.k)[self.y] - self.X @ self.W.T

    def steps_of(self, flat):
        """Steps in the order of the lists, as a table."""
        table = np.zeros_like(self.alpha)
        for i, mine in enumerate(self.lists):
            table[i, mine] = flat[self.starts[i] : self.starts[i + 1]]
        return table


@BOTH
@pytest.mark.parametrize("seed", range(5))
def test_a_pass_makes_one_example_after_another_the_best_that_it_can_be(seed, one_slack):
    rng = np.random.default_rng(seed)
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


def one_by_one(run, has_momentum, most, seed):
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
            n_visited, rest = run.go_on(visited, n_visited, last, way, last_way, slope, squares, rest)
    return found, gaps


@BOTH
@pytest.mark.parametrize("has_momentum", [True, False])
@pytest.mark.parametrize("draw", range(4))
def test_passes_in_one_call_are_those_one_by_one(draw, one_slack, has_momentum):
    """Shuffles, single passes and momentum."""

    def many(goal, most):
        run, seed = Run.of_all_kinds(np.random.default_rng(draw), one_slack), seed_of(draw)
        return run, seed, run.make_passes(has_momentum, goal, most, seed)

    one, seed = Run.of_all_kinds(np.random.default_rng(draw), one_slack), seed_of(draw)
    expected, _ = one_by_one(one, has_momentum, 6, seed)
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


def test_momentum_needs_no_second_feature():
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
    return alpha, W, whole, S + length * D, rest


@BOTH
@pytest.mark.parametrize("seed", range(6))
def test_flows_go_on_to_the_best_of_the_plane_that_all_can_reach(one_slack, seed):
    rng = np.random.default_rng(seed)
    run = Run.of_all_kinds(rng, one_slack)
    visited = np.sort(run.active)
    n_visited, last, last_way, rest = len(visited), np.zeros(run.starts[-1]), np.zeros_like(run.W), 0.0
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
        alpha, W, whole, whole_way, ahead = gone_on(run, n_visited, visited, last, way, last_way)
        awake = [i for i in visited[:n_visited] if run.quiet[i] < 2]
        n_visited, rest = run.go_on(visited, n_visited, last, way, last_way, slope, squares, rest)
        assert visited[:n_visited].tolist() == awake
        np.testing.assert_allclose(run.alpha, alpha, atol=1e-8)
        np.testing.assert_allclose(run.W, W, atol=1e-8)
        np.testing.assert_allclose(run.steps_of(last)[awake], whole[awake], atol=1e-8)
        np.testing.assert_allclose(last_way, whole_way, atol=1e-8)
        assert rest == pytest.approx(ahead, abs=1e-8)
        if one_slack:
            assert (run.alpha.max(axis=1) <= run.capacity).all()


def test_steps_are_parallel_below_a_small_angle():
    for s, p in ((1.0, 1.0), (8.0, 0.5), (0.25, 64.0)):
        for square_of_sine, is_a_plane in ((0.75e-8, False), (1.005e-8, True), (2e-8, True)):
            a, b = momentum.best_in_plane(s * s, np.sqrt(1 - square_of_sine) * s * p, p * p, 3.0, 5.0)
            assert (b != 0) == is_a_plane
            assert is_a_plane or a == 3 / (s * s)
