"""The lines of Newton's steps on the faces of the dual against their definitions, in numpy."""

from __future__ import annotations

import numpy as np
import pytest
from new_arrays import spoil_new_arrays

from mcbook.svm_solvers.kernels import faces

SEEDS = range(8)


@pytest.fixture(autouse=True)
def _new_arrays_hold_nothing(monkeypatch):
    spoil_new_arrays(monkeypatch)


def drawn_flows(rng, y, capacity, n_classes):
    """In eighths of the capacity: a label takes in nothing, something or all that it can."""
    alpha = np.zeros((len(y), n_classes))
    for i, label in enumerate(y):
        given = rng.choice(np.delete(np.arange(n_classes), label), rng.choice([0, 3, 5, 8, 8]))
        np.add.at(alpha[i], given, -capacity[i] / 8)
        alpha[i, label] = -alpha[i].sum()
    return alpha


def directions(alpha, y, capacity, active):
    """Example, taker and giver: the label takes while it can take more, otherwise the first rival that gives most."""
    found = []
    for i in active:
        rivals = [z for z in range(alpha.shape[1]) if z != y[i]]
        is_full = alpha[i, y[i]] >= (1.0 - 1e-12) * capacity[i]
        taker = min(rivals, key=lambda z: alpha[i, z]) if is_full else y[i]
        found += [(i, taker, z) for z in rivals if z != taker and alpha[i, z] < 0.0]
    return np.array(found, np.int64).reshape(-1, 3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_each_giver_that_has_flow_gives_to_the_taker_of_its_example(seed, n_classes):
    rng = np.random.default_rng(seed)
    y, capacity = rng.integers(0, n_classes, 12), rng.choice([0.5, 1.0, 4.0], 12)
    alpha, active = drawn_flows(rng, y, capacity, n_classes), rng.permutation(12)
    expected = directions(alpha, y, capacity, active[:10])
    for most in (len(expected), len(expected) + 3):
        *found, n = faces.list_directions(alpha, y, capacity, active, 10, most)
        assert np.stack(found, axis=1).tolist() == expected.tolist()
        assert n == len(expected)
    if len(expected):
        assert faces.list_directions(alpha, y, capacity, active, 10, len(expected) - 1)[3] == -1


@pytest.mark.parametrize("missing", [0.0, 1e-13, 1e-12, 1.005e-12, 1e-3])
@pytest.mark.parametrize("label", range(4))
def test_a_label_within_a_hair_of_its_capacity_takes_no_more(missing, label):
    """Two rivals that give as much: the first of them takes instead."""
    alpha = np.full((1, 4), -0.625)
    alpha[0, (label + 2) % 4], alpha[0, label] = -1.0, (1.0 - missing) * 2.5
    alpha[0, (label + 1) % 4] = alpha[0, (label + 3) % 4] = min(alpha[0]) - 0.125
    y, capacity = np.array([label]), np.array([2.5])
    *found, _ = faces.list_directions(alpha, y, capacity, np.array([0]), 1, 9)
    first, second = sorted([(label + 1) % 4, (label + 3) % 4])
    rest = [(label + 2) % 4]
    expected = (first, sorted([second, *rest])) if missing <= 1e-12 else (label, sorted([first, second, *rest]))
    assert (found[1] == expected[0]).all()
    assert found[2].tolist() == expected[1]


class Face:
    """A sample with flows of all kinds, and the directions of some of its examples."""

    def __init__(self, seed, shape=(4, 3), m=7, n_active=5, scale=1.0):
        self.rng = rng = np.random.default_rng(seed)
        k, d = shape
        self.X, self.y = scale * rng.normal(size=(m, d)), rng.integers(0, k, m)
        self.capacity = rng.choice([0.25, 0.5, 1.0], m)
        self.alpha = drawn_flows(rng, self.y, self.capacity, k)
        self.W = self.alpha.T @ self.X
        self.active = rng.permutation(m)
        self.examples, self.takers, self.givers = directions(
            self.alpha, self.y, self.capacity, self.active[:n_active]
        ).T.copy()
        self.rows, self.n = self.X[self.examples], len(self.examples)

    def vectors(self):
        """What a unit along each direction adds to the weights, flattened."""
        steps = np.eye(len(self.W))[self.takers] - np.eye(len(self.W))[self.givers]
        return np.einsum("rk,rd->rkd", steps, self.rows).reshape(self.n, self.W.size)

    def within_bounds(self, step):
        """How much of the step stays within them, and the step bent at those that it meets."""
        flows = self.alpha[self.examples, self.givers]
        bent, beyond = np.maximum(step, flows), step < flows
        lengths = [1.0, *(flows[beyond] / step[beyond])]
        for i in set(self.examples.tolist()):
            mine = self.examples == i
            taker = self.takers[mine][0]
            room = (self.capacity[i] if taker == self.y[i] else 0.0) - self.alpha[i, taker]
            taken, given = step[mine].sum(), np.maximum(step[mine], 0.0).sum()
            lengths += [room / taken] if taken > room else []
            lowered = np.minimum(bent[mine], 0.0).sum()
            if given + lowered > room:
                bent[mine & (bent > 0.0)] *= (room - lowered) / given
        return min(lengths), bent

    def rise(self, step, slopes):
        added = step @ self.vectors()
        return step @ slopes - 0.5 * added @ added

    def flow_arguments(self):
        return self.y, self.capacity, self.alpha, self.W, self.examples, self.takers, self.givers


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("shape", [(4, 3), (3, 5)])
def test_slopes_are_those_of_the_dual_along_the_directions(seed, shape):
    face = Face(seed, shape)
    rows, slopes = faces.face_slopes(face.X, face.y, face.W, face.examples, face.takers, face.givers)
    assert (rows == face.rows).all()
    expected = (face.takers == face.y[face.examples]) - face.vectors() @ face.W.ravel()
    np.testing.assert_allclose(slopes, expected, atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("shape", [(4, 3), (3, 5), (2, 1)])
def test_both_systems_have_the_step_of_their_ridge(seed, shape):
    face = Face(seed, shape)
    slopes, V = face.rng.normal(size=face.n), face.vectors()
    expected = np.linalg.solve(V @ V.T + 0.3 * np.eye(face.n), slopes)
    arguments = face.rows, face.takers, face.givers, slopes, 0.3
    np.testing.assert_allclose(faces.step_by_directions(*arguments), expected, atol=1e-10)
    np.testing.assert_allclose(faces.step_by_weights(*arguments, shape[0]), expected, atol=1e-10)


@pytest.mark.parametrize("seed", range(40))
def test_a_step_is_shortened_or_bent_at_the_bounds_that_it_meets(seed):
    face = Face(seed)
    step, bent = face.rng.choice([0.03, 0.3, 2.0]) * face.rng.normal(size=face.n), np.full(face.n, np.nan)
    step[face.rng.random(face.n) < 0.1] = 0.0
    length = faces.bounded(face.alpha, face.y, face.capacity, face.examples, face.takers, face.givers, step, bent)
    expected = face.within_bounds(step)
    assert length == pytest.approx(expected[0], rel=1e-13)
    np.testing.assert_allclose(bent, expected[1], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("shape", [(4, 3), (3, 5)])
def test_a_rise_is_slope_less_half_the_square(seed, shape):
    face = Face(seed, shape)
    step, slopes, V = face.rng.normal(size=face.n), face.rng.normal(size=face.n), np.full(shape, 7.0)
    found = faces.rise(face.rows, face.takers, face.givers, slopes, step, V)
    np.testing.assert_allclose(V.ravel(), step @ face.vectors(), atol=1e-12)
    assert found == pytest.approx(face.rise(step, slopes), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_flows_and_weights_move_by_the_step_and_takers_are_put_within_their_bounds_in_the_end(seed):
    """In eighths: takers leave their bounds on the way, and some of them for good."""
    face = Face(seed)
    step = face.rng.integers(-8, 17, face.n) / 8.0
    step = np.maximum(step, face.alpha[face.examples, face.givers])
    alpha, rest = face.alpha.copy(), [one.copy() for one in (face.rows, face.y, face.capacity, step)]
    np.add.at(alpha, (face.examples, face.takers), step)
    np.add.at(alpha, (face.examples, face.givers), -step)
    for i, taker in set(zip(face.examples.tolist(), face.takers.tolist(), strict=True)):
        alpha[i, taker] = min(max(alpha[i, taker], 0.0), face.capacity[i]) if taker == face.y[i] else alpha[i, taker]
        alpha[i, taker] = 0.0 if taker != face.y[i] and alpha[i, taker] > 0.0 else alpha[i, taker]
    W = face.W + (step @ face.vectors()).reshape(face.W.shape)
    faces.move_flows(face.rows, face.y, face.capacity, face.alpha, face.W, *face.flow_arguments()[4:], step)
    assert (face.alpha == alpha).all()
    np.testing.assert_allclose(face.W, W, atol=1e-12)
    assert all((one == copy).all() for one, copy in zip((face.rows, face.y, face.capacity, step), rest, strict=True))


def moved(alpha, capacity, takers, givers, step, X):
    """The flows and weights of one example of class 0 after these steps."""
    alpha, n = np.array([alpha]), len(step)
    W = np.zeros((alpha.shape[1], len(X)))
    faces.move_flows(
        np.tile(np.array(X), (n, 1)), np.array([0]), np.array([capacity]), alpha, W, np.zeros(n, int), np.array(takers),
        np.array(givers), np.array(step),
    )  # fmt: skip
    return alpha[0].tolist(), W.tolist()


def test_what_is_left_within_a_hair_of_a_bound_is_put_on_it():
    """A hair is 1e-15 of the capacity, which is 2 here; weights move by what the flows do."""
    hair, more = 2e-15, 2.01e-15
    # A giver keeps so much.
    assert moved([4e-15, -2 * hair], 2.0, [0], [1], [-hair], [3.0]) == ([0.0, 0.0], [[-6 * hair], [6 * hair]])
    kept = -4e-15 + (4e-15 - more)
    flows, W = moved([4e-15, -4e-15], 2.0, [0], [1], [more - 4e-15], [3.0])
    assert flows == [-kept, kept]
    assert W[1] == [3.0 * (4e-15 - more)]
    # The label takes more than it can, or less than nothing.
    assert moved([1.5, -1.5], 2.0, [0], [1], [1.0], [3.0])[0] == [2.0, -2.5]
    assert moved([0.25, -1.5], 2.0, [0], [1], [-1.0], [3.0])[0] == [0.0, -0.5]
    # A rival that takes keeps so much, or more, or gets more than it gave.
    for left, put in ((hair, 0.0), (hair / 2, 0.0), (0.0, 0.0), (-hair, 0.0), (more, -more), (1.0, -1.0)):
        flows, _ = moved([2.0, -1.0 - left, -1.0 + left], 2.0, [1], [2], [0.0], [3.0])
        assert flows[1] == -1.0 - left
        flows, _ = moved([2.0, -left, -1.0], 2.0, [1], [2], [0.0], [3.0])
        assert flows[1] == put


def test_a_taker_may_leave_its_bounds_before_the_last_of_its_directions():
    assert moved([1.0, -0.5, -0.5], 2.0, [0, 0], [1, 2], [4.0, -0.25], [0.0])[0] == [2.0, -4.5, -0.25]
    assert moved([1.0, -0.5, -0.5], 4.0, [0, 0], [1, 2], [3.5, -0.5], [0.0])[0] == [4.0, -4.0, 0.0]
    assert moved([4.0, -3.0, -0.5, -0.5], 4.0, [1, 1], [2, 3], [3.5, -0.25], [0.0])[0] == [4.0, 0.0, -4.0, -0.25]
    assert moved([4.0, -3.0, -0.5, -2.0], 4.0, [1, 1], [2, 3], [3.5, -1.5], [0.0])[0] == [4.0, -1.0, -4.0, -0.5]


def test_the_largest_square_is_that_of_the_longest_row():
    assert faces.largest_square(np.array([[1.0, 2.0], [0.0, 1.0], [-3.0, 4.0]])) == 25.0
    assert faces.largest_square(np.array([[-3.0, 4.0, 1.0], [1.0, 2.0, 5.0]])) == 30.0
    assert faces.largest_square(np.array([[1.0, 2.0, 3.0]])) == 14.0
    assert faces.largest_square(np.array([[0.25], [0.5]])) == 0.25
    assert faces.largest_square(np.empty((0, 2))) == 0.0


def test_so_many_directions_can_be_independent_and_no_more_are_put_into_one_system():
    shapes = [(4, 3), (2, 5), (3, 500), (3, 501), (5, 249), (100, 30)]
    found = [faces.most_independent(np.zeros(shape)) for shape in shapes]
    assert found == [9, 5, 1000, 1000, 996, 1000]


def test_climbs_that_would_take_too_large_a_system_cost_more_than_any_budget():
    costs = [faces.cost_of_climb(n, np.zeros((3, 4))) for n in (1, 2, 8, 9, 100, 20_000, 20_001)]
    assert (np.diff(costs) > 0).all()
    assert costs[0] > 0
    assert np.isfinite(costs).tolist() == [True] * 6 + [False]
    costs = [faces.cost_of_climb(n, np.zeros((2, d))) for n, d in ((501, 500), (501, 501), (502, 501))]
    assert np.isfinite(costs).tolist() == [True, True, False]


def climb(face, n_active, budget, most):
    return faces.climb_face((face.X,), face.y, face.capacity, face.alpha, face.W, face.active, n_active, budget, most)


def climbed(face, n_active, budget, most):
    """The same step by step from the definitions: what is returned, flows, weights, and the kinds of steps."""
    kinds, spent, n_solved = [], 0.0, 0
    while n_solved < most:
        found = directions(face.alpha, face.y, face.capacity, face.active[:n_active])
        face.examples, face.takers, face.givers = found.T
        face.rows, face.n = face.X[face.examples], len(found)
        cost = faces.cost_of_climb(face.n, face.W)
        if face.n == 0 or spent + cost > budget:
            break
        n_solved, spent = n_solved + 1, spent + cost
        V, largest = face.vectors(), (face.rows**2).sum(axis=1).max()
        slopes = (face.takers == face.y[face.examples]) - V @ face.W.ravel()
        by_weights = face.n > face.W.size - face.W.shape[1]
        ridge = faces._RIDGE * largest
        if by_weights:
            ridge = max(faces._PULL / face.capacity[face.examples].max(), face.n * ridge)
        whole = np.linalg.solve(V @ V.T + ridge * np.eye(face.n), slopes)
        length, _ = face.within_bounds(whole)
        step, kind = length * whole, "whole" if length == 1.0 else "shortened"
        part = 1.0
        while length < 1.0 and part > max(length, faces._SHORTEST) and kind != "bent":
            _, bent = face.within_bounds(part * whole)
            if face.rise(bent, slopes) > face.rise(length * whole, slopes):
                step, kind = bent, "bent"
            part *= faces._SHORTER
        kinds.append((by_weights, kind))
        faces.move_flows(face.rows, *face.flow_arguments(), step)
        if kind == "whole" and not by_weights:
            break
    return (n_solved, spent), kinds


CLIMBS = [((4, 3), 7, 3), ((3, 4), 6, 4), ((3, 2), 9, 8), ((4, 1), 6, 5), ((2, 3), 6, 5)]


@pytest.mark.parametrize(("shape", "m", "n_active"), CLIMBS)
@pytest.mark.parametrize("scale", [1.0, 1e-4, 1e5])
def test_a_climb_makes_the_steps_that_are_told(shape, m, n_active, scale):
    kinds = set()
    for seed in range(8):
        for most in (0, 1, 2, 6) if scale == 1.0 else (3,):
            face, same = (Face(seed, shape, m, n_active, scale) for _ in range(2))
            found = climb(face, n_active, 1e9, most)
            expected, seen = climbed(same, n_active, 1e9, most)
            kinds |= set(seen)
            assert found == (expected[0], pytest.approx(expected[1], rel=1e-12))
            np.testing.assert_allclose(face.alpha, same.alpha, atol=1e-7)
            np.testing.assert_allclose(face.W, same.W, atol=1e-7 * scale)
    if scale == 1.0:
        assert {kind for _, kind in kinds} == {"whole", "shortened", "bent"}


def one_direction(square, flow=-0.25):
    """The climb's arguments for one example of class 0 whose row has this square, with room to both sides."""
    X, alpha, W = np.array([[square**0.5]]), np.array([[-flow, flow]]), np.zeros((2, 1))
    return (X,), np.array([0]), np.array([1.0]), alpha, W, np.array([0])


def test_nothing_is_climbed_without_directions_or_rows_or_where_squares_would_overflow():
    for square, flow, expected in ((1.0, 0.0, 0), (0.0, -0.25, 0), (1.005e100, -0.25, 0), (1.2e100, -0.25, 0)):
        arguments = one_direction(square, flow)
        assert faces.climb_face(*arguments, 1, 1e9, 5) == (expected, 0.0)
        assert arguments[3].tolist() == [[-flow, flow]]
        assert not arguments[4].any()
    just_too_large = (np.array([[6e49, 8e49]]),), *one_direction(1.0)[1:4], np.zeros((2, 2)), np.array([0])
    assert faces.climb_face(*just_too_large, 1, 1e9, 5) == (0, 0.0)
    for square in (1e-100, 0.01, 1.0, 9e99):
        assert faces.climb_face(*one_direction(square), 1, 1e9, 5)[0] == 1
        assert faces.climb_face(*one_direction(square), 0, 1e9, 5) == (0, 0.0)


def test_a_climb_stays_within_its_budget():
    """Each step has as many directions as the one before, and so costs as much."""
    cost = faces.cost_of_climb(2, np.zeros((2, 1)))
    for budget, n_solved in ((0.0, 0), (cost - 1.0, 0), (cost, 1), (2.0 * cost, 2), (3.0 * cost - 1.0, 2)):
        X, alpha, W = np.ones((2, 1)), np.array([[0.1, -0.1]] * 2), np.array([[0.2], [-0.2]])
        found = faces.climb_face((X,), np.zeros(2, int), np.ones(2), alpha, W, np.arange(2), 2, budget, 9)
        assert found == (n_solved, n_solved * cost)
