"""L-BFGS: its direction is that of the updates written out, its lengths are those of the two conditions."""

import numpy as np
import pytest

from mcbook.structured.algorithm.lbfgs import _History, _line_search, minimise

NEVER = {"is_good": lambda value, gradient: False}


@pytest.fixture
def rng():
    return np.random.default_rng(4)


def inverse_hessian(pairs, size):
    """By the formula of Broyden, Fletcher, Goldfarb and Shanno, from the scale that the newest pair has."""
    s, y = pairs[-1]
    H = np.eye(size) * (s @ y) / (y @ y)
    for s, y in pairs:
        rho = 1 / (s @ y)
        left = np.eye(size) - rho * np.outer(s, y)
        H = left @ H @ left.T + rho * np.outer(s, s)
    return H


@pytest.mark.parametrize("memory", [1, 3, 20])
def test_the_direction_is_that_of_the_last_updates(rng, memory):
    size = 6
    history, pairs, gradient = _History(size, memory, 0.25), [], rng.normal(size=size)
    np.testing.assert_allclose(history.direction(gradient), -0.25 * gradient)
    A = rng.normal(size=(size, size))
    A = A @ A.T + np.eye(size)
    for _ in range(8):
        direction, length = rng.normal(size=size), rng.uniform(0.5, 2)
        after = gradient + A @ (length * direction)
        np.testing.assert_allclose(history.add(length, direction, gradient, after), length * direction)
        pairs = [*pairs, (length * direction, after - gradient)][-memory:]
        gradient = after
        np.testing.assert_allclose(
            history.direction(gradient), -inverse_hessian(pairs, size) @ gradient, rtol=1e-7, atol=1e-9
        )


@pytest.mark.parametrize("bend", [0.0, -1.0])
def test_a_step_without_curvature_is_made_and_not_kept(bend):
    history = _History(2, 3, 0.5)
    gradient, direction = np.array([1.0, 0.0]), np.array([-1.0, 0.0])
    np.testing.assert_array_equal(history.add(2.0, direction, gradient, gradient - bend * direction * -1), [-2, 0])
    np.testing.assert_array_equal(history.direction(gradient), -0.5 * gradient)


def squares(w):
    return float(w @ w), 2 * w


def test_a_length_gains_enough_and_leaves_not_too_much_of_the_slope():
    """Halved where the value is too high, doubled where the slope still falls."""
    w = np.array([1.0])
    for direction, length, trials in ((-2.0, 0.5, 2), (-1.0, 1.0, 1), (-0.01, 16.0, 5), (-6.0, 0.25, 3)):
        found, value, gradient, made = _line_search(squares, w, *squares(w), np.array([direction]))
        assert (found, made) == (length, trials)
        assert value == (1 + length * direction) ** 2
        assert gradient == 2 * (1 + length * direction)

    def kinked(w):
        return float(np.maximum(3 - w, 50 * (w - 3))[0]), np.where(w < 2.9, -1.0, np.where(w <= 3.2, 0.0, 50.0))

    # 1 and 2 are too short, 4 is too long, and 3, in their middle, is good.
    found, *_, made = _line_search(kinked, 0 * w, *kinked(0 * w), np.array([1.0]))
    assert (found, made) == (3.0, 4)


def test_steps_and_evaluations_are_counted():
    calls = []

    def bowl(w):
        calls.append(w.copy())
        return float(w @ (np.arange(1, 5) * w)) / 2, np.arange(1, 5) * w

    start = np.ones(4)
    for most in (0, 1, 3):
        calls.clear()
        found = minimise(bowl, start, **NEVER, max_iter=most, first=0.125)
        assert (found.n_steps, found.converged, found.n_evaluations) == (most, False, len(calls))
        assert found.value == bowl(found.w)[0]
        np.testing.assert_array_equal(found.gradient, bowl(found.w)[1])
        if most:  # what the first step tries is an eighth of the gradient
            np.testing.assert_allclose(calls[1], 1 - np.arange(1, 5) / 8)
    np.testing.assert_array_equal(start, np.ones(4))
    calls.clear()
    found = minimise(bowl, start, is_good=lambda value, gradient: value < 1e-20, max_iter=50)
    assert found.converged
    assert found.n_steps <= 20
    assert found.n_evaluations == len(calls)
    assert found.value < 1e-20
    again = minimise(bowl, start, is_good=lambda value, gradient: value < 1e-20, max_iter=found.n_steps)
    assert again.converged
