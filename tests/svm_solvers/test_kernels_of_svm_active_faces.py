"""The lines of Newton's steps on the faces of the dual against their definitions, in numpy."""

import numpy as np
import pytest
from new_arrays import fill_new_arrays_with_nan

from mcbook.svm_solvers.kernels import active_faces


@pytest.fixture(autouse=True)
def _new_arrays_hold_nothing(monkeypatch):
    fill_new_arrays_with_nan(monkeypatch)


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


def test_flows_and_weights_move_by_the_step_and_takers_are_put_within_their_bounds_in_the_end():
    """In eighths: takers leave their bounds on the way, and some of them for good."""
    for seed in range(8):
        face = Face(seed)
        step = np.maximum(face.rng.integers(-8, 17, face.n) / 8.0, face.alpha[face.examples, face.givers])
        alpha, rest = face.alpha.copy(), [one.copy() for one in (face.rows, face.y, face.capacity, step)]
        np.add.at(alpha, (face.examples, face.takers), step)
        np.add.at(alpha, (face.examples, face.givers), -step)
        for i, taker in set(zip(face.examples.tolist(), face.takers.tolist(), strict=True)):
            most = face.capacity[i] if taker == face.y[i] else 0.0
            alpha[i, taker] = min(max(alpha[i, taker], 0.0 if taker == face.y[i] else -np.inf), most)
        W = face.W + (step @ face.vectors()).reshape(face.W.shape)
        active_faces.move_flows(face.rows, face.y, face.capacity, face.alpha, face.W, *face.flow_arguments()[4:], step)
        assert (face.alpha == alpha).all()
        np.testing.assert_allclose(face.W, W, atol=1e-12)
        assert all((a == b).all() for a, b in zip((face.rows, face.y, face.capacity, step), rest, strict=True))


def climbed(face, n_active, budget, most):
    """The same step by step from the definitions: what is returned, flows, weights, and the kinds of steps."""
    kinds, spent, n_solved = [], 0.0, 0
    while n_solved < most:
        found = directions(face.alpha, face.y, face.capacity, face.active[:n_active])
        face.examples, face.takers, face.givers = found.T
        face.rows, face.n = face.X[face.examples], len(found)
        cost = active_faces.cost_of_climb(face.n, face.W)
        if face.n == 0 or spent + cost > budget:
            break
        n_solved, spent = n_solved + 1, spent + cost
        V, largest = face.vectors(), (face.rows**2).sum(axis=1).max()
        slopes = (face.takers == face.y[face.examples]) - V @ face.W.ravel()
        by_weights = face.n > face.W.size - face.W.shape[1]
        ridge = active_faces._RIDGE * largest
        if by_weights:
            ridge = max(active_faces._PULL / face.capacity[face.examples].max(), face.n * ridge)
        whole = np.linalg.solve(V @ V.T + ridge * np.eye(face.n), slopes)
        length, _ = face.within_bounds(whole)
        step, kind = length * whole, "whole" if length == 1.0 else "shortened"
        part = 1.0
        while length < 1.0 and part > max(length, active_faces._SHORTEST) and kind != "bent":
            _, bent = face.within_bounds(part * whole)
            if face.rise(bent, slopes) > face.rise(length * whole, slopes):
                step, kind = bent, "bent"
            part *= active_faces._SHORTER
        kinds.append((by_weights, kind))
        active_faces.move_flows(face.rows, *face.flow_arguments(), step)
        if kind == "whole" and not by_weights:
            break
    return (n_solved, spent), kinds


@pytest.mark.parametrize(("shape", "m", "n_active"), [((4, 3), 7, 3), ((3, 4), 6, 4), ((3, 2), 9, 8), ((4, 1), 6, 5)])
def test_a_climb_makes_the_steps_of_the_definition(shape, m, n_active):
    kinds = set()
    for scale, most in [(1.0, 0), (1.0, 1), (1.0, 2), (1.0, 6), (1e-4, 3), (1e5, 3)]:
        for seed in range(8):
            face, same = (Face(seed, shape, m, n_active, scale) for _ in range(2))
            arguments = (face.X,), face.y, face.capacity, face.alpha, face.W, face.active, n_active
            found = active_faces.climb_face(*arguments, 1e9, most)
            expected, seen = climbed(same, n_active, 1e9, most)
            kinds |= {kind for _, kind in seen}
            assert found == (expected[0], pytest.approx(expected[1], rel=1e-12))
            np.testing.assert_allclose(face.alpha, same.alpha, atol=1e-7)
            np.testing.assert_allclose(face.W, same.W, atol=1e-7 * scale)
    assert kinds == {"whole", "shortened", "bent"}


def test_a_climb_stays_within_its_budget():
    """Each step has as many directions as the one before, and so costs as much."""
    cost = active_faces.cost_of_climb(2, np.zeros((2, 1)))
    for budget, n_solved in ((0.0, 0), (cost - 1.0, 0), (cost, 1), (2.0 * cost, 2), (3.0 * cost - 1.0, 2)):
        X, alpha, W = np.ones((2, 1)), np.array([[0.1, -0.1]] * 2), np.array([[0.2], [-0.2]])
        found = active_faces.climb_face((X,), np.zeros(2, int), np.ones(2), alpha, W, np.arange(2), 2, budget, 9)
        assert found == (n_solved, n_solved * cost)
