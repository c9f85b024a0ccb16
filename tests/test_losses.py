"""Margin losses: four kinds of numbers, the condition, the margin loss, the learners behind them, best leaf values."""

import pickle
from fractions import Fraction

import flint
import numpy as np
import pytest
import sympy

from mcbook.losses import (
    CATALOGUE,
    best_leaf_value,
    empirical_margin_loss,
    excess_formula,
    hinge,
    least_slack,
    logistic,
    margin_loss,
    negative_log_likelihood,
    ramp,
    random_answer_error,
    share_of_small_margins,
    splitting_criterion,
    squared_error,
)
from mcbook.losses.theory.catalogue import exponential, find_loss, sigmoid, zero_one

LOSSES = [*CATALOGUE.values(), ramp(), ramp(Fraction(5, 2))]
GRID = np.linspace(-4, 4, 65)


@pytest.fixture(params=LOSSES, ids=lambda loss: f"{loss.name} {loss.formula}")
def loss(request):
    return request.param


def test_arrays_of_any_shape_plain_numbers_and_copies(loss):
    table = GRID[:24].reshape(2, 3, 4)
    assert loss(table).shape == loss.derivative(table).shape == (2, 3, 4)
    assert loss(table)[1, 2, 3] == loss(float(table[1, 2, 3]))
    assert loss(np.array([1, -2])).tolist() == loss(np.array([1.0, -2.0])).tolist()
    assert isinstance(loss(0.5), float)
    assert pickle.loads(pickle.dumps(loss))(GRID).tolist() == loss(GRID).tolist()


def test_derivatives_against_differences(loss):
    z, step = GRID + 0.01, 1e-6  # away from the kinks
    numerical = (loss(z + step) - loss(z - step)) / (2 * step)
    assert loss.derivative(z) == pytest.approx(numerical, rel=1e-6, abs=1e-8)


def test_a_loss_that_is_called_convex_is_and_no_other(loss):
    values = loss(GRID)
    assert loss.convex == bool((values[2:] + values[:-2] - 2 * values[1:-1] >= -1e-12).all())
    if loss.convex:  # the slope is a subgradient, at the kinks too
        chords = values[None, :] - values[:, None] - loss.derivative(GRID)[:, None] * (GRID[None, :] - GRID[:, None])
        assert chords.min() >= -1e-9


def test_symbols_balls_fractions_and_floats_agree(loss):
    z = sympy.Symbol("z", real=True)
    for function, symbolic in ((loss, loss(z)), (loss.derivative, loss.derivative(z))):
        for n in (-7, -2, 0, 2, 4, 10, 12):
            expected = float(symbolic.subs(z, sympy.Rational(n, 4)))
            assert float(function(n / 4)) == pytest.approx(expected, rel=1e-13, abs=1e-15)
            assert float(function(Fraction(n, 4))) == pytest.approx(expected, rel=1e-13, abs=1e-15)
            assert float(flint.arb(function(flint.arb(n) / 4)).mid()) == pytest.approx(expected, rel=1e-13, abs=1e-13)


def test_far_margins_neither_warn_nor_lose_their_tail():
    assert exponential(-1000.0) == np.inf
    assert logistic(-1000.0) == 2000
    assert sigmoid(300.0) == pytest.approx(np.exp(-600), rel=1e-12)
    assert sigmoid.derivative(-300.0) == pytest.approx(-2 * np.exp(-600), rel=1e-12)
    assert not any(np.signbit(one.derivative(5.0)) for one in (hinge, ramp(), zero_one))


ORIGINS = (least_slack, squared_error, random_answer_error, negative_log_likelihood)
REFUSED = [
    (lambda: find_loss("hinged"), r"'exponential'.* got 'hinged'"),
    (lambda: excess_formula(ramp(), 1), "got 'ramp'"),
    (lambda: empirical_margin_loss([], 1), "at least one example"),
    (lambda: empirical_margin_loss(1.0, 1), "at least one example"),
    (lambda: splitting_criterion(sigmoid, 0.5, 0.5), "sigmoid"),
    (lambda: best_leaf_value("logistic", 0.5, float("nan")), "one class only"),
    (lambda: splitting_criterion("logistic", np.array([0.5, 0.0]), 0.5), "one class only"),
    (lambda: share_of_small_margins([1.0], 0), "rho > 0"),
    *((lambda rho=rho: margin_loss(1, rho), "rho > 0") for rho in (0, -1, float("nan"))),
    *((lambda f=f: f(0, 1.0), "got 0") for f in ORIGINS),
]


@pytest.mark.parametrize(("call", "says"), REFUSED)
def test_bad_input_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()
