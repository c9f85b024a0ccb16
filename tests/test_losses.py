"""Margin losses: four kinds of numbers, the condition, the margin loss, the learners behind them, best leaf values."""

from __future__ import annotations

import pickle
from fractions import Fraction

import flint
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from mcbook.losses import (
    CATALOGUE,
    best_leaf_value,
    empirical_margin_loss,
    excess_formula,
    exponential,
    find_loss,
    hinge,
    leaf_loss,
    least_slack,
    logistic,
    margin_loss,
    negative_log_likelihood,
    probability_of_plus,
    ramp,
    random_answer_error,
    rise_above_zero,
    share_of_small_margins,
    sigmoid,
    splitting_criterion,
    square,
    squared_error,
    symmetric_excess,
    zero_one,
)

LOSSES = [*CATALOGUE.values(), ramp(), ramp(Fraction(5, 2))]
GRID = np.linspace(-4, 4, 65)
margins = st.floats(-30, 30, allow_nan=False)
fractions = st.floats(0.01, 1, allow_nan=False)


@pytest.fixture(params=LOSSES, ids=lambda loss: f"{loss.name} {loss.formula}")
def loss(request):
    return request.param


class TestCatalogue:
    def test_values_at_a_point_computed_by_hand(self):
        assert hinge(Fraction(1, 4)) == Fraction(3, 4)
        assert square(Fraction(1, 4)) == Fraction(9, 16)
        assert exponential(1.0) == pytest.approx(np.exp(-1))
        assert logistic(1.0) == pytest.approx(np.log(1 + np.exp(-2)))
        assert sigmoid(1.0) == pytest.approx(1 / (1 + np.exp(2)))
        assert zero_one(np.array([-2.0, 0.0, 3.0])).tolist() == [1, 0.5, 0]
        assert ramp()(np.array([-1.0, 0.25, 2.0])).tolist() == [1, 0.75, 0]

    def test_values_at_zero(self):
        expected = {"hinge": 1, "exponential": 1, "square": 1, "zero-one": 0.5, "sigmoid": 0.5, "logistic": np.log(2)}
        assert {name: loss.at_zero for name, loss in CATALOGUE.items()} == pytest.approx(expected)
        assert zero_one.at_zero == Fraction(1, 2)

    def test_arrays_of_any_shape_and_plain_numbers(self, loss):
        table = GRID[:24].reshape(2, 3, 4)
        assert loss(table).shape == loss.derivative(table).shape == (2, 3, 4)
        assert loss(table)[1, 2, 3] == loss(float(table[1, 2, 3]))
        assert loss(np.array([1, -2])).tolist() == loss(np.array([1.0, -2.0])).tolist()
        assert isinstance(loss(0.5), float)

    def test_derivatives_against_differences(self, loss):
        z = GRID + 0.01  # away from the kinks
        step = 1e-6
        numerical = (loss(z + step) - loss(z - step)) / (2 * step)
        assert loss.derivative(z) == pytest.approx(numerical, rel=1e-6, abs=1e-8)

    @given(margins, margins)
    def test_the_slope_of_a_convex_loss_is_a_subgradient(self, z, w):
        for loss in CATALOGUE.values():
            if loss.convex:
                gap = loss(w) - loss(z) - loss.derivative(z) * (w - z)
                assert gap >= -1e-9 * max(1, loss(w), loss(z))

    def test_a_loss_that_is_called_convex_is_and_no_other(self, loss):
        values = loss(GRID)
        assert loss.convex == bool((values[2:] + values[:-2] - 2 * values[1:-1] >= -1e-12).all())

    def test_symbols_balls_fractions_and_floats_agree(self, loss):
        z = sympy.Symbol("z", real=True)
        of_symbols, slope_of_symbols = loss(z), loss.derivative(z)
        for value in (
            Fraction(-7, 4),
            Fraction(-1, 2),
            Fraction(0),
            Fraction(1, 2),
            Fraction(1),
            Fraction(5, 2),
            Fraction(3),
        ):
            exact = sympy.Rational(value.numerator, value.denominator)
            ball = flint.arb(value.numerator) / value.denominator
            for function, symbolic in ((loss, of_symbols), (loss.derivative, slope_of_symbols)):
                expected = float(symbolic.subs(z, exact))
                assert float(function(float(value))) == pytest.approx(expected, rel=1e-13, abs=1e-15)
                assert float(function(value)) == pytest.approx(expected, rel=1e-13, abs=1e-15)
                assert float(flint.arb(function(ball)).mid()) == pytest.approx(expected, rel=1e-13, abs=1e-13)

    def test_object_arrays_stay_exact(self):
        z = np.array([Fraction(1, 3), 2, -1], dtype=object)
        assert hinge(z).tolist() == [Fraction(2, 3), 0, 2]
        assert ramp(2)(z).tolist() == [Fraction(5, 6), 0, 1]
        assert ramp(2).derivative(z).tolist() == [Fraction(-1, 2), 0, 0]

    def test_far_margins_neither_warn_nor_lose_their_tail(self):
        assert exponential(-1000.0) == np.inf
        assert logistic(-1000.0) == 2000
        assert sigmoid(300.0) == pytest.approx(np.exp(-600), rel=1e-12)
        assert sigmoid.derivative(-300.0) == pytest.approx(-2 * np.exp(-600), rel=1e-12)

    def test_they_survive_pickling(self, loss):
        copy = pickle.loads(pickle.dumps(loss))
        assert copy(GRID).tolist() == loss(GRID).tolist()

    def test_names(self):
        assert find_loss("hinge") is hinge
        assert find_loss(hinge) is hinge
        assert find_loss("hamming") is find_loss("zero-one") is zero_one
        with pytest.raises(ValueError, match=r"'exponential'.* got 'hinged'"):
            find_loss("hinged")
        assert "e^{-z}" in repr(exponential)

    @pytest.mark.parametrize("rho", [0, -1, float("nan")])
    def test_a_width_that_is_none_is_named(self, rho):
        for asked in (lambda: ramp(rho), lambda: margin_loss(1, rho), lambda: share_of_small_margins([1.0], rho)):
            with pytest.raises(ValueError, match="rho > 0"):
                asked()


class TestCondition:
    @pytest.mark.parametrize("name", CATALOGUE)
    def test_the_form_that_shows_the_sign_is_the_excess(self, name):
        assert excess_formula(name, GRID) == pytest.approx(symmetric_excess(name, GRID), rel=1e-9, abs=1e-12)

    def test_a_slope_of_0_has_no_sign(self):
        assert [np.signbit(loss.derivative(5.0)) for loss in (hinge, ramp(), zero_one)] == [False] * 3

    def test_the_ramp_is_written_with_its_margin_and_is_not_convex(self):
        written = [ramp(rho).formula for rho in (1, 2, Fraction(1, 2))]
        assert written == [rf"\min(1,\,\max(0,\,1-{margin}))" for margin in ("z", "z/2", "z/(1/2)")]
        assert not ramp(2).convex

    def test_the_ramp_falls_short_by_up_to_one_half(self):
        z = [Fraction(n, 4) for n in range(-12, 13)]
        assert [symmetric_excess(ramp(), v) for v in z] == [-min(abs(v), 1) / 2 for v in z]

    def test_a_loss_outside_of_the_catalogue_has_no_form(self):
        with pytest.raises(ValueError, match="got 'ramp'"):
            excess_formula(ramp(), 1)

    def test_the_rise_above_zero(self):
        assert rise_above_zero(square, -2) == 8
        assert rise_above_zero("hinge", Fraction(1, 2)) == Fraction(-1, 2)


class TestMarginLoss:
    def test_by_hand(self):
        assert margin_loss(Fraction(1, 2), 2) == Fraction(3, 4)
        margins = np.array([-1, 0, 1, 2, 3], dtype=object)
        assert empirical_margin_loss(margins, 2) == Fraction(5, 10)
        assert share_of_small_margins(margins, 2) == Fraction(4, 5)
        assert empirical_margin_loss([-1.0, 0.0, 1.0, 2.0, 3.0], 2) == 0.5

    def test_the_threshold_is_sharp(self):
        margins = np.array([Fraction(999, 1000), 1, Fraction(1001, 1000)], dtype=object)
        assert share_of_small_margins(margins, 1) == Fraction(2, 3)
        assert share_of_small_margins(margins.astype(float), 1.0) == pytest.approx(2 / 3)

    def test_several_samples_at_once(self):
        table = np.array([[-1.0, 1.0], [0.5, 3.0]])
        assert empirical_margin_loss(table, 1).tolist() == [0.5, 0.25]
        assert share_of_small_margins(table, 1).tolist() == [1, 0.5]

    @pytest.mark.parametrize("margins", [[], 3.0, np.empty((2, 0))])
    def test_no_margins_are_refused(self, margins):
        with pytest.raises(ValueError, match="at least one example"):
            empirical_margin_loss(margins, 1)


class TestOrigins:
    @given(st.floats(-15, 15, allow_nan=False), st.sampled_from([-1, 1]))
    def test_what_a_learner_minimises_is_its_loss(self, f, y):
        assert least_slack(y, f) == pytest.approx(hinge(y * f))
        assert squared_error(y, f) == pytest.approx(square(y * f))
        assert random_answer_error(y, f) == pytest.approx(sigmoid(y * f), abs=1e-15)
        assert negative_log_likelihood(y, f) == pytest.approx(logistic(y * f), rel=1e-2, abs=1e-12)

    def test_the_model(self):
        assert probability_of_plus(0.0) == 0.5
        assert probability_of_plus(np.log(3) / 2) == pytest.approx(0.75)

    def test_signs_are_asked_for(self):
        for function in (least_slack, squared_error, random_answer_error, negative_log_likelihood):
            with pytest.raises(ValueError, match="got 0"):
                function(0, 1.0)


class TestLeaves:
    @pytest.mark.parametrize("name", ["logistic", "square", "exponential", "hinge"])
    @given(fractions, fractions)
    def test_no_search_finds_a_better_value(self, name, p, q):
        found = minimize_scalar(lambda f: leaf_loss(name, p, q, f), bounds=(-4, 4), method="bounded")
        criterion = splitting_criterion(name, p, q)
        assert criterion <= found.fun + 1e-9
        assert leaf_loss(name, p, q, best_leaf_value(name, p, q)) == pytest.approx(criterion)

    def test_arrays_of_leaves(self):
        p, q = np.array([0.1, 0.4]), np.array([0.3, 0.2])
        assert splitting_criterion("square", p, q) == pytest.approx(4 * p * q / (p + q))
        assert best_leaf_value("hinge", p, q).tolist() == [-1, 1]

    def test_an_even_leaf_of_the_hinge_stays_undecided(self):
        assert best_leaf_value("hinge", 0.5, 0.5) == 0
        assert best_leaf_value("hinge", Fraction(1, 3), Fraction(1, 3)) == 0

    def test_exact_leaves(self):
        assert splitting_criterion("square", Fraction(1, 2), Fraction(1, 8)) == Fraction(2, 5)
        assert splitting_criterion("hinge", Fraction(1, 2), Fraction(1, 8)) == Fraction(1, 4)

    @pytest.mark.parametrize("p", [0, -0.1, np.array([0.5, 0.0]), float("nan")])
    def test_a_leaf_of_one_class_is_refused(self, p):
        with pytest.raises(ValueError, match="one class only"):
            splitting_criterion("logistic", p, 0.5)
        with pytest.raises(ValueError, match="one class only"):
            best_leaf_value("logistic", 0.5, p)

    @pytest.mark.parametrize("loss", [sigmoid, ramp()])
    def test_a_loss_without_a_formula_is_named(self, loss):
        with pytest.raises(ValueError, match=loss.name):
            splitting_criterion(loss, 0.5, 0.5)
