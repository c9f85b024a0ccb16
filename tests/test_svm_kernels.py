"""The lines of the machines' kernels, uncompiled, against what they are said to be: optima and dense algebra."""

from __future__ import annotations

import numpy as np
import pytest
from svm_samples import flows_of_an_example

from mcbook.foundation.compiled import python_original
from mcbook.svm_solvers.kernels import ascent, blocks, faces, momentum, newton, passes

SEEDS = range(12)


def plain(kernel):
    return python_original(kernel)


@pytest.fixture(params=SEEDS)
def rng(request):
    return np.random.default_rng(request.param)


def assert_best(given, slopes, capacity, one_slack):
    """No flow that could rise has a slope above that of one that could fall: the conditions of a maximum."""
    if one_slack:
        assert given.sum() <= capacity * (1 + 1e-12)
        price = max(slopes[given > 0].max(initial=0.0), 0.0)
        assert slopes[given > 0] == pytest.approx(price, abs=1e-9)
        assert slopes.max() <= price + 1e-9
        if given.sum() < capacity * (1 - 1e-9):
            assert price == pytest.approx(0, abs=1e-9)
    else:
        assert (slopes[given < capacity] <= 1e-9).all()
        assert (slopes[given > 0] >= -1e-9).all()
        assert given.max() <= capacity


@pytest.mark.parametrize("one_slack", [True, False])
def test_a_block_has_the_best_flows_of_its_example(rng, one_slack):
    n_classes, capacity, squared_norm = int(rng.integers(2, 7)), rng.uniform(0.1, 3), rng.uniform(0.2, 4)
    label = int(rng.integers(n_classes))
    old = flows_of_an_example(rng, n_classes, label, capacity, one_slack)
    scores, new = rng.normal(size=n_classes) * rng.choice([0.3, 3]), np.full(n_classes + 1, np.inf)
    block = blocks.crammer_singer_block if one_slack else blocks.weston_watkins_block
    gap = plain(block)(np.r_[scores, 9.0], n_classes, label, capacity, squared_norm, np.r_[old, -9.0], new)
    excess = np.maximum(np.delete(1 + scores - scores[label], label), 0)
    slack = excess.max() if one_slack else excess.sum()
    assert gap == pytest.approx(capacity * slack - old[label] + old @ scores, rel=1e-9, abs=1e-12)
    assert new[n_classes] == np.inf
    new = new[:n_classes]
    then = scores + squared_norm * (new - old)
    rivals = np.arange(n_classes) != label
    assert new.sum() == pytest.approx(0, abs=1e-12)
    assert (new[rivals] <= 0).all()
    assert_best(-new[rivals], (1 + then - then[label])[rivals], capacity, one_slack)


def test_slacks_are_the_largest_and_the_sum():
    scores = np.array([0.5, 2.0, 1.0, -3.0])
    assert plain(blocks.hinge_slack)(scores, 4, 0) == 2.5
    assert plain(blocks.hinge_slacks)(scores, 4, 0) == 4.0
    assert plain(blocks.hinge_slack)(scores, 4, 1) == 0.0
    assert plain(blocks.hinge_slack)(scores, 1, 0) == 0.0
    assert plain(blocks.hinge_slack)(scores, 3, 2) == 2.0
    assert plain(blocks.hinge_slacks)(np.array([1.0, 1.0]), 2, 1) == 1.0
    assert plain(blocks.hinge_slacks)(scores, 3, 0) == 4.0
    assert plain(blocks.hinge_slacks)(scores, 2, 0) == 2.5
    assert plain(blocks.highest)(np.array([5.0, 1.0, 3.0, 2.0, 7.0]), 1, 4) == 3.0
    assert plain(blocks.highest)(np.array([5.0]), 0, 0) == -np.inf


class TestSmoothedLoss:
    def found(self, rng, one_slack, centre=None, scores=None):
        n_classes, self.c, self.step = int(rng.integers(2, 7)), rng.uniform(0.1, 3), rng.uniform(0.2, 4)
        self.label = int(rng.integers(n_classes))
        drawn = flows_of_an_example(rng, n_classes, self.label, self.c, one_slack)
        self.centre = drawn if centre is None else centre(n_classes, self.label, self.c)
        self.scores = rng.normal(size=n_classes) * rng.choice([0.3, 3]) if scores is None else scores
        return self.at(self.scores, one_slack)

    def at(self, scores, one_slack):
        flows, free = np.empty(len(scores)), np.empty(len(scores), bool)
        arguments = scores, self.label, self.c, self.centre, self.step, flows, free
        if one_slack:
            loss, slack, *found = plain(newton.smoothed_slack)(*arguments, np.empty(len(scores)))
        else:
            loss, slack, *found = plain(newton.smoothed_slacks)(*arguments)
        excess = np.maximum(np.delete(1 + scores - scores[self.label], self.label), 0)
        assert slack == pytest.approx(excess.max() if one_slack else excess.sum(), abs=1e-12)
        return (loss, *found), flows, free

    @pytest.mark.parametrize("one_slack", [True, False])
    def test_it_is_the_maximum_over_the_flows(self, rng, one_slack):
        (loss, size, allowed), flows, free = self.found(rng, one_slack)
        rivals = np.arange(len(flows)) != self.label
        given, taken = -flows[rivals], flows[self.label]
        excess = (1 + self.scores - self.scores[self.label])[rivals]
        assert taken == pytest.approx(given.sum(), abs=1e-12)
        # With a slack for each rival the label's flow costs nothing of its own.
        counted = np.full(len(flows), True) if one_slack else rivals
        distance = ((flows - self.centre)[counted] ** 2).sum()
        assert loss == pytest.approx(given @ excess - distance / (2 * self.step), abs=1e-12)
        kept = taken - self.centre[self.label] if one_slack else 0
        if one_slack:
            slopes = excess - (given + self.centre[rivals] + kept) / self.step
            assert_best(given, slopes, self.c, one_slack)
            assert (free[rivals] == (given > 0)).all()
            assert free[self.label] == (taken < self.c * (1 - 1e-12))
            assert size == free.sum()
        else:
            assert_best(given, excess - (given + self.centre[rivals]) / self.step, self.c, one_slack)
            assert (free[rivals] == ((given > 0) & (given < self.c))).all()
            assert free[self.label] == (size > 1)
            assert size == 1 + free[rivals].sum()
        if size > 1 or np.abs(flows - self.centre).max() > 1e-9:
            assert allowed == -1

    @pytest.mark.parametrize("one_slack", [True, False])
    @pytest.mark.parametrize("full", [True, False])
    def test_in_a_corner_the_scores_may_move_so_far_and_no_farther(self, rng, one_slack, full):
        def corner(n_classes, label, c):
            centre = np.zeros(n_classes)
            if full and one_slack:
                centre[label], centre[(label + 1) % n_classes] = c, -c
            elif full:
                centre[:] = -c
                centre[label] = c * (n_classes - 1)
            return centre

        probe = np.random.default_rng(int(rng.integers(1 << 30)))
        (_, _, _), flows, _ = self.found(rng, one_slack, centre=corner)
        n_classes = len(flows)
        # Scores with which the flows stay at the centre: no excess, or the largest for those that give.
        scores = probe.uniform(0, 1, n_classes)
        scores[self.label] += 3 if not full else -3 - 2 * n_classes * self.c / self.step
        if full and one_slack:
            scores[(self.label + 1) % n_classes] += 2
        (_, size, allowed), flows, _ = self.at(scores, one_slack)
        np.testing.assert_allclose(flows, self.centre, atol=1e-12)
        assert size == 1
        assert allowed > 0
        pairs = [(a, b) for a in range(n_classes) for b in range(n_classes) if a != b]
        moved = []
        for a, b in pairs:
            near, far = scores.copy(), scores.copy()
            near[[a, b]] += np.array([0.5, -0.5]) * allowed * (1 - 1e-9)
            far[[a, b]] += np.array([0.5, -0.5]) * allowed * (1 + 1e-6)
            np.testing.assert_allclose(self.at(near, one_slack)[1], self.centre, atol=1e-12)
            moved.append(np.abs(self.at(far, one_slack)[1] - self.centre).max() > 1e-12)
        assert any(moved)


@pytest.mark.parametrize("one_slack", [True, False])
def test_the_directions_make_the_curvature(rng, one_slack):
    free, y = rng.random((6, 4)) < 0.6, rng.integers(0, 4, 6)
    free[free.sum(axis=1) == 0, 1] = True
    if not one_slack:
        free[np.arange(6), y] = free.sum(axis=1) > free[np.arange(6), y]
        free[free.sum(axis=1) == 0, :] = True
    support = free.sum(axis=1)
    examples, Q = plain(newton.flow_directions)(free, support, y, one_slack)
    assert len(examples) == len(Q) == (support - 1).sum()
    assert (np.diff(examples) >= 0).all()
    for i, (mask, label) in enumerate(zip(free, y, strict=True)):
        J = np.diag(mask.astype(float)) - np.outer(mask, mask) / mask.sum()
        if not one_slack:
            differences = np.eye(4)[mask & (np.arange(4) != label)] - np.eye(4)[label]
            J = differences.T @ differences
        mine = Q[examples == i]
        np.testing.assert_allclose(mine.T @ mine, J, atol=1e-12)


class TestFaces:
    """Newton's step on a face, for one sample with flows of all kinds."""

    @pytest.fixture
    def face(self, rng):
        k, d, m = 4, 3, 7
        self.X, self.y, self.capacity = rng.normal(size=(m, d)), rng.integers(0, k, m), rng.uniform(0.5, 2, m)
        self.alpha = np.array(
            [flows_of_an_example(rng, k, label, c, True) for label, c in zip(self.y, self.capacity, strict=True)]
        )
        self.W = self.alpha.T @ self.X
        active = rng.permutation(m)[:5]
        found = plain(faces.list_directions)(self.alpha, self.y, self.capacity, active, len(active), 50)
        self.examples, self.takers, self.givers, n = found
        assert len(self.examples) == n
        self.active, self.rng = active, rng
        return self

    def vectors(self):
        """What a unit along each direction adds to the weights, flattened."""
        steps = np.eye(len(self.W))[self.takers] - np.eye(len(self.W))[self.givers]
        return np.einsum("rk,rd->rkd", steps, self.X[self.examples]).reshape(len(steps), -1)

    def step(self):
        return self.rng.normal(size=len(self.examples)) * self.rng.choice([0.05, 1.0])

    def test_each_giver_gives_and_each_taker_has_room(self, face):
        expected = []
        for i in face.active:
            flows, label = face.alpha[i], face.y[i]
            rivals = [z for z in range(4) if z != label]
            is_full = flows[label] >= (1 - 1e-12) * face.capacity[i]
            taker = min(rivals, key=lambda z: flows[z]) if is_full else label
            expected += [(i, taker, z) for z in rivals if z != taker and flows[z] < 0]
        assert list(zip(face.examples, face.takers, face.givers, strict=True)) == expected

    def test_more_directions_than_there_is_room_for_are_not_listed(self, face):
        n = len(face.examples)
        listed = [
            plain(faces.list_directions)(face.alpha, face.y, face.capacity, face.active, 5, most)[3]
            for most in (n - 1, n)
        ]
        assert listed == [-1, n]

    def test_slopes_are_those_of_the_dual(self, face):
        rows, slopes = plain(faces.face_slopes)(face.X, face.y, face.W, face.examples, face.takers, face.givers)
        np.testing.assert_array_equal(rows, face.X[face.examples])
        towards_label = (face.takers == face.y[face.examples]).astype(float)
        np.testing.assert_allclose(slopes, towards_label - face.vectors() @ face.W.ravel(), atol=1e-12)

    def test_both_systems_have_the_step_of_the_ridge(self, face):
        V, slopes = face.vectors(), face.rng.normal(size=len(face.examples))
        expected = np.linalg.solve(V @ V.T + 0.3 * np.eye(len(V)), slopes)
        rows = face.X[face.examples]
        arguments = (rows, face.takers, face.givers, slopes, 0.3)
        np.testing.assert_allclose(plain(faces.step_by_directions)(*arguments), expected, atol=1e-10)
        np.testing.assert_allclose(plain(faces.step_by_weights)(*arguments, 4), expected, atol=1e-10)

    def rooms(self, steps):
        """Of each example with directions: its directions, the sum of the steps, and how much its taker can take."""
        for i in dict.fromkeys(self.examples.tolist()):
            mine = self.examples == i
            taker = self.takers[mine][0]
            most = self.capacity[i] if taker == self.y[i] else 0.0
            yield mine, steps[mine].sum(), max(most - self.alpha[i, taker], 0.0)

    def is_feasible(self, steps, hair):
        givers_hold = (self.alpha[self.examples, self.givers] - steps <= hair).all()
        return givers_hold and all(total <= room + hair for _, total, room in self.rooms(steps))

    def test_a_step_is_shortened_or_bent_until_it_stays_within_the_bounds(self, face):
        steps, bent = face.step(), np.empty(len(face.examples))
        length = plain(faces.bounded)(
            face.alpha, face.y, face.capacity, face.examples, face.takers, face.givers, steps, bent
        )
        assert 0 <= length <= 1
        assert face.is_feasible(length * steps, 1e-12)
        assert length == 1 or not face.is_feasible(length * (1 + 1e-6) * steps, 1e-9 * length)
        assert face.is_feasible(bent, 1e-12)
        cut = np.maximum(steps, face.alpha[face.examples, face.givers])
        for mine, _, room in face.rooms(steps):
            gives = np.maximum(steps[mine], 0).sum()
            lowered = np.minimum(cut[mine], 0).sum()
            part = 1.0 if gives + lowered <= room else (room - lowered) / gives
            expected = np.where(cut[mine] > 0, cut[mine] * part, cut[mine])
            np.testing.assert_allclose(bent[mine], expected, atol=1e-12)

    def test_a_rise_is_slope_less_half_the_square(self, face):
        steps, slopes, V = face.step(), face.rng.normal(size=len(face.examples)), np.ones((4, 3))
        found = plain(faces.rise)(face.X[face.examples], face.takers, face.givers, slopes, steps, V)
        added = face.vectors().T @ steps
        np.testing.assert_allclose(V.ravel(), added, atol=1e-12)
        assert found == pytest.approx(steps @ slopes - added @ added / 2, abs=1e-12)

    def test_flows_and_weights_move_together(self, face):
        steps, bent = face.step(), np.empty(len(face.examples))
        arguments = (face.alpha, face.y, face.capacity, face.examples, face.takers, face.givers)
        plain(faces.bounded)(*arguments, steps, bent)
        before = face.alpha.copy()
        plain(faces.move_flows)(
            face.X[face.examples], face.y, face.capacity, face.alpha, face.W, face.examples, face.takers, face.givers,
            bent,
        )  # fmt: skip
        moved = np.zeros_like(before)
        np.add.at(moved, (face.examples, face.takers), bent)
        np.add.at(moved, (face.examples, face.givers), -bent)
        np.testing.assert_allclose(face.alpha - before, moved, atol=1e-12)
        np.testing.assert_allclose(face.W, face.alpha.T @ face.X, atol=1e-12)
        rivals = np.arange(4) != face.y[:, None]
        assert (face.alpha[rivals] <= 0).all()
        assert (face.alpha.max(axis=1) <= face.capacity + 1e-12).all()
        emptied = np.isclose(before + moved, 0, atol=1e-16) & (before < 0)
        assert (face.alpha[emptied] == 0).all()

    def test_the_largest_square(self):
        assert plain(faces.largest_square)(np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]])) == 25

    def test_so_many_directions_can_be_independent(self):
        assert plain(faces.most_independent)(np.zeros((4, 3))) == 9
        assert plain(faces.most_independent)(np.zeros((100, 30))) == 1000


def test_items_are_shuffled_by_xorshift():
    """George Marsaglia's generator of 64 bits, with the shifts 13, 7 and 17, in Python's whole numbers."""
    items, seed = np.arange(50), np.array([88172645463325252], np.uint64)
    expected, state, mask = list(range(50)), 88172645463325252, (1 << 64) - 1
    for last in range(29, 0, -1):
        state = state ^ (state << 13) & mask
        state ^= state >> 7
        state = state ^ (state << 17) & mask
        other = (state >> 32) * (last + 1) >> 32
        expected[last], expected[other] = expected[other], expected[last]
    plain(passes.shuffle)(items, 30, seed)
    assert items.tolist() == expected
    assert int(seed[0]) == state


def test_a_random_sample_is_listed_with_all_its_classes_or_all_examples_are():
    starts, listed, active = np.zeros(1001, int), np.zeros(3000, int), np.zeros(1000, int)
    n = plain(ascent.list_all)(starts, listed, active, 100, np.array([5], np.uint64))
    # Binomial with mean 100 and variance 90: five deviations.
    assert 52 < n < 148
    assert (np.diff(active[:n]) > 0).all()
    sizes = np.diff(starts)
    assert (np.flatnonzero(sizes) == active[:n]).all()
    assert set(sizes) == {0, 3}
    assert (listed[: starts[-1]].reshape(-1, 3) == np.arange(3)).all()
    seed = np.array([5], np.uint64)
    assert plain(ascent.list_all)(starts, listed, active, 1000, seed) == 1000
    assert (starts == 3 * np.arange(1001)).all()
    assert seed[0] == 5


@pytest.mark.parametrize("n_classes", range(1, 10))
def test_scores_of_some_classes_are_the_products(n_classes):
    rng = np.random.default_rng(n_classes)
    X, state, listed = rng.normal(size=(3, 4)), rng.normal(size=(12, 4)), rng.permutation(12)
    scores = np.full(n_classes, np.nan)
    ascent._dense_scores((X,), state, 1, listed, 2, 2 + n_classes, scores)
    np.testing.assert_allclose(scores, state[listed[2 : 2 + n_classes]] @ X[1], atol=1e-12)


@pytest.mark.parametrize("n_classes", range(1, 13))
def test_scores_and_flows_of_sparse_rows_are_the_products(n_classes):
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(3, 6)) * (rng.random((3, 6)) < 0.6)
    indices = [np.flatnonzero(row) for row in X]
    rows = X[X != 0], np.concatenate(indices), np.cumsum([0, *map(len, indices)])
    state, listed = rng.normal(size=(6, 12)), np.sort(rng.permutation(12)[:n_classes])
    scores, change = np.full(12, np.nan), rng.normal(size=n_classes) * (rng.random(n_classes) < 0.7)
    listed, begin = np.r_[99, 99, listed], 2
    ascent._sparse_scores(rows, state, 1, listed, begin, begin + n_classes, scores)
    np.testing.assert_allclose(scores[:n_classes], X[1] @ state[:, listed[2:]], atol=1e-12)
    expected = state.copy()
    expected[:, listed[2:]] += np.outer(X[1], change)
    ascent._sparse_flows(rows, state, 1, listed, begin, begin + n_classes, change)
    np.testing.assert_allclose(state, expected, atol=1e-12)


def test_the_best_point_of_a_plane_and_of_a_line(rng):
    s, p, slopes = rng.normal(size=4), rng.normal(size=4), rng.normal(size=2)
    found = plain(momentum.best_in_plane)(s @ s, s @ p, p @ p, *slopes)
    gram = np.array([[s @ s, s @ p], [s @ p, p @ p]])
    np.testing.assert_allclose(gram @ found, slopes, atol=1e-9)
    on_a_line = plain(momentum.best_in_plane)(s @ s, 2 * s @ s, 4 * s @ s, *slopes)
    assert on_a_line == pytest.approx((slopes[0] / (s @ s), 0))
    assert plain(momentum.best_in_plane)(0.0, 0.0, 0.0, 0.0, 0.0) == (0, 0)


class TestMomentum:
    """Passes over one sample, uncompiled, each followed by a step in the plane of the last two."""

    @pytest.fixture(params=[True, False])
    def run(self, rng, request, monkeypatch):
        self.one_slack, self.rng, k, d, m = request.param, rng, 4, 3, 9
        self.X, self.y, self.capacity = rng.normal(size=(m, d)), rng.integers(0, k, m), rng.uniform(0.5, 2, m)
        self.alpha, self.W = np.zeros((m, k)), np.zeros((k, d))
        self.visited, self.n_visited, self.starts = np.arange(m), m, np.arange(m + 1) * k
        self.listed, self.quiet, self.work = np.tile(np.arange(k), m), np.zeros(m, int), [np.empty(k) for _ in "abc"]
        self.moved, self.last = np.empty(m * k), np.zeros(m * k)
        self.last_way, self.rest = np.zeros((k, d)), 0.0
        for module in (passes, momentum):
            monkeypatch.setattr(module, "read_scores", ascent.read_scores)
            monkeypatch.setattr(module, "add_flows", ascent.add_flows)
        return self

    def dual(self):
        return self.alpha[np.arange(9), self.y].sum() - 0.5 * (self.W**2).sum()

    def gradient(self):
        return np.eye(4)[self.y] - self.X @ self.W.T

    def make_a_pass(self):
        """A pass, after which what it returned is checked against the definition."""
        flows, W, order = self.alpha.copy(), self.W.copy(), self.rng.permutation(self.visited[: self.n_visited])
        squared_norms = (self.X**2).sum(axis=1)
        _, gap, slope, squares = plain(passes.ascent_pass)(
            (self.X,), order, len(order), self.starts, self.listed, squared_norms, self.y, self.capacity, self.alpha,
            self.W, self.quiet, 2, self.one_slack, self.moved, self.work,
        )  # fmt: skip
        steps = self.alpha - flows
        active = self.visited[: self.n_visited]
        np.testing.assert_allclose(self.moved.reshape(9, 4)[active], steps[active], rtol=1e-12, atol=1e-14)
        assert gap >= -1e-12
        assert squares == pytest.approx(((steps**2).sum(axis=1) * squared_norms).sum(), rel=1e-9, abs=1e-12)
        # Half of what the steps add to |W|^2 together stands between the slopes seen on the way and that at the end.
        at_the_end = (self.gradient() * steps).sum()
        assert slope - 0.5 * (((self.W - W) ** 2).sum() + squares) == pytest.approx(at_the_end, rel=1e-9, abs=1e-10)
        return W, slope, squares

    def go_on(self, way, slope, squares):
        self.n_visited, self.rest = plain(momentum.go_on)(
            (self.X,), self.visited, self.n_visited, self.starts, self.listed, self.y, self.capacity, self.alpha,
            self.W, self.quiet, 2, self.one_slack, self.moved, self.last, way, self.last_way, slope, squares,
            self.rest, self.work,
        )  # fmt: skip

    def test_the_dual_rises_within_the_bounds(self, run):
        for _ in range(5):
            before = run.alpha.copy()
            found = run.make_a_pass()
            value = run.dual()
            run.go_on(*found)
            assert run.dual() >= value - 1e-12
            np.testing.assert_allclose(run.W, run.alpha.T @ run.X, atol=1e-10)
            np.testing.assert_allclose(run.alpha.sum(axis=1), 0, atol=1e-12)
            rivals = np.arange(4) != run.y[:, None]
            assert (run.alpha[rivals] <= 0).all()
            if run.one_slack:
                assert (run.alpha.max(axis=1) <= run.capacity).all()
            else:
                assert (run.alpha >= -run.capacity[:, None]).all()
            whole = (run.alpha - before)[run.visited[: run.n_visited]]
            np.testing.assert_allclose(run.last.reshape(9, 4)[run.visited[: run.n_visited]], whole, atol=1e-12)
            np.testing.assert_allclose(run.last_way, whole.T @ run.X[run.visited[: run.n_visited]], atol=1e-10)
            assert run.rest == pytest.approx((run.gradient() * (run.alpha - before)).sum(), abs=1e-9)

    def test_inside_the_bounds_nothing_in_the_plane_is_better(self, run):
        run.capacity *= 1e4
        run.X *= 0.1
        for _ in range(3):
            before, earlier = run.alpha.copy(), run.last.reshape(9, 4).copy()
            found = run.make_a_pass()
            swept, inside = run.alpha.copy(), run.alpha[np.arange(4) != run.y[:, None]]
            run.go_on(*found)
            if (inside < 0).all():
                for way in (swept - before, earlier):
                    slope = (run.gradient() * way).sum()
                    assert abs(slope) <= 1e-6 * (1 + np.abs(way).sum())

    def test_an_example_that_rests_stays_and_is_seen_no_more(self, run):
        found = run.make_a_pass()
        run.go_on(*found)
        found = run.make_a_pass()
        run.quiet[3] = 2
        flows = run.alpha[3].copy()
        run.go_on(*found)
        np.testing.assert_array_equal(run.alpha[3], flows)
        assert 3 not in run.visited[: run.n_visited]
        np.testing.assert_allclose(run.W, run.alpha.T @ run.X, atol=1e-10)


def test_an_example_far_from_its_rivals_is_not_listed_and_one_within_the_shift_is():
    """Label 0, no flows: the best rival stands 0.5 behind what would cost slack."""
    scores, alpha, y = np.array([[1.5, 0.0, -1.0]] * 2), np.zeros((2, 3)), np.zeros(2, int)
    alpha[1, :2] = 0.25, -0.25
    for shift, listed in ((0.4, [[], [0, 1]]), (0.6, [[0, 1], [0, 1]]), (2.0, [[0, 1, 2], [0, 1, 2]])):
        starts, classes, active = np.zeros(3, int), np.zeros(6, int), np.zeros(2, int)
        n_active, _, hinges = plain(ascent.list_rivals)(
            scores, y, np.ones(2), alpha, np.ones(2), shift, True, starts, classes, active
        )
        assert [classes[starts[i] : starts[i + 1]].tolist() for i in range(2)] == listed
        assert active[:n_active].tolist() == [i for i in range(2) if listed[i]]
        assert hinges == 0
