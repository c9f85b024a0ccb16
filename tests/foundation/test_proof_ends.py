"""Ends and thresholds of the instruments: where a number is exactly on the border, and by how much it is widened."""

from __future__ import annotations

import math
from fractions import Fraction
from types import SimpleNamespace

import cvxpy as cp
import flint
import numpy as np
import pytest
import scipy.optimize
import sympy
from scipy.stats import binom

from mcbook.foundation.proof import Known, Tier, Verdict, alternatives, known, rigorous
from mcbook.foundation.proof import certified as certified_module
from mcbook.foundation.proof.alternatives import Alternative, NotDecided, strict_alternative
from mcbook.foundation.proof.certified import Certificate, certified_optimum
from mcbook.foundation.proof.exact import count_vectors, enumerated_sum
from mcbook.foundation.proof.rigorous import prove_identity, prove_nonnegative, prove_sign
from mcbook.foundation.proof.statistical import Coverage, clopper_pearson

HALF = Fraction(1, 2)


def exactly(lower, upper):
    return Known(lower, upper, Tier.EXACT)


class TestIntervals:
    @pytest.mark.parametrize(
        ("number", "size"),
        [
            ((-2, 1), (0, 2)),
            ((-1, 2), (0, 2)),
            ((-HALF, 2), (0, 2)),
            ((-2, HALF), (0, 2)),
            ((HALF, 2), (HALF, 2)),
            ((-2, -HALF), (HALF, 2)),
            ((1, 3), (1, 3)),
            ((-3, -1), (1, 3)),
            ((0, 3), (0, 3)),
        ],
    )
    def test_the_size_of_a_number(self, number, size):
        assert abs(exactly(*number)) == exactly(*size)

    @pytest.mark.parametrize(
        ("number", "square"),
        [
            ((-2, HALF), (0, 4)),
            ((-HALF, 1), (0, 1)),
            ((HALF, 2), (Fraction(1, 4), 4)),
            ((-2, -HALF), (Fraction(1, 4), 4)),
        ],
    )
    def test_the_square_of_a_number(self, number, square):
        assert exactly(*number) ** 2 == exactly(*square)

    def test_a_product_with_one_and_with_minus_one(self):
        for sign in (-1, 1):
            assert known(sign) * known(3) == known(3) * known(sign) == known(3 * sign)

    def test_a_root_that_is_not_rational_has_64_digits(self):
        root = known(2).sqrt()
        assert root.upper - root.lower == Fraction(1, 2**64)

    def test_a_ball_is_widened_by_one_place_on_each_side(self):
        assert known(flint.arb(1)) == exactly(math.nextafter(1, 0), math.nextafter(1, 2))

    def test_infinite_ends_of_both_signs(self):
        far = Known(-math.inf, math.inf, Tier.CERTIFIED)
        assert far.exp() == Known(0.0, math.inf, Tier.CERTIFIED)
        assert (Known(-1e308, 1e308, Tier.CERTIFIED) * 1000).ends == (-math.inf, math.inf)

    def test_a_float_and_a_fraction_make_floats(self):
        total = Known(0.5, 0.5, Tier.CERTIFIED) + Fraction(1, 3)
        assert [type(end) for end in total.ends] == [float, float]


class TestExact:
    def test_nine_units_in_the_last_place_are_allowed(self):
        unit = math.ulp(1.0)
        assert enumerated_sum([1.0]) == exactly(1 - 9 * unit, 1 + 9 * unit)
        assert enumerated_sum([0.5, -0.5]) == exactly(-9 * unit, 9 * unit)

    def test_one_atom_has_all(self):
        assert list(count_vectors(3, 1)) == [(3,)]
        assert list(count_vectors(0, 3)) == [(0, 0, 0)]
        assert len(list(count_vectors(3, 3))) == 10


class TestAlternatives:
    def test_a_row_of_noughts_is_its_own_certificate(self):
        assert strict_alternative([[0, 0]]) == Alternative(None, (1,))

    @pytest.mark.parametrize("rows", [[[2], [-4]], [[-2], [4]], [[6, -2], [-12, 4]]])
    def test_multipliers_are_positive_whatever_sign_the_kernel_has(self, rows):
        assert strict_alternative(rows) == Alternative(None, (2, 1))

    @pytest.mark.parametrize(
        ("rows", "multipliers"),
        [
            ([[0.5], [-1]], (2, 1)),
            ([[Fraction(1, 3)], [Fraction(-1, 2)]], (3, 2)),
            ([[1, Fraction(1, 3)], [-1, 0], [0, Fraction(-1, 10)]], (3, 3, 10)),
        ],
    )
    def test_multipliers_are_those_of_the_rows_as_they_are_given(self, rows, multipliers):
        assert strict_alternative(rows).multipliers == multipliers

    def test_one_is_above_nought(self, monkeypatch):
        monkeypatch.setattr(alternatives, "_solution", lambda A: np.array([1, 1], dtype=object))
        assert strict_alternative([[1, 0], [0, 1]]).solution == (1, 1)

    def test_a_thin_cone_has_a_solution(self):
        assert strict_alternative([[1, -1], [-1, 1 + Fraction(1, 10**6)]]).solvable

    def test_rows_of_any_size_are_scaled(self):
        assert strict_alternative([[10**20, 0], [0, 1]]).solvable
        assert strict_alternative([[10**20, 1], [1, -1]]).solvable

    def test_without_a_solution_no_candidate_is_returned(self):
        assert alternatives._solution(np.array([[1.0], [-1.0]])) is None
        assert alternatives._solution(np.array([[1.0], [2.0]])).tolist() == [2**40]

    def test_a_multiplier_may_be_nought(self, monkeypatch):
        monkeypatch.setattr(alternatives, "_integer_kernel", lambda columns: [1, 0])
        assert strict_alternative([[1], [-1]]).multipliers == (1, 0)

    def test_a_programme_that_ends_without_an_answer_decides_nothing(self, monkeypatch):
        monkeypatch.setattr(scipy.optimize, "linprog", lambda **problem: SimpleNamespace(status=4, x=None))
        with pytest.raises(NotDecided, match="neither"):
            strict_alternative([[1]])

    def test_a_kernel_that_is_not_unique_decides_nothing(self, monkeypatch):
        monkeypatch.setattr(alternatives, "_integer_kernel", lambda columns: None)
        with pytest.raises(NotDecided, match="neither"):
            strict_alternative([[1], [-1]])
        monkeypatch.undo()
        assert alternatives._integer_kernel(np.array([[0, 0]], dtype=object)) is None
        assert alternatives._integer_kernel(np.array([[1]], dtype=object)) is None


class TestCertified:
    def test_the_gap_is_relative_to_what_is_larger_than_one(self):
        def gap(value):
            return Certificate(value, value, 0, 0, 0, Known(0.25, 0.5, Tier.CERTIFIED)).gap

        assert [gap(0.5), gap(-0.5), gap(1.0), gap(-4.0)] == [0.25, 0.25, 0.25, 0.0625]

    def test_rounding_is_charged_where_nothing_else_is(self):
        dims = SimpleNamespace(zero=2, nonneg=0, soc=[], psd=[], exp=0)
        large = np.array([1e15, -1e15])
        data = {"A": np.eye(2), "b": np.ones(2), "c": large, "P": None, "dims": dims}
        found = certified_module._check(data, SimpleNamespace(x=[1.0, 1.0], s=[0.0, 0.0], z=-large))
        assert (found.primal_value, found.dual_value, found.cone_violation) == (0, 0, 0)
        assert found.value == Known(-4.0, 4.0, Tier.CERTIFIED)

    def test_the_bracket_is_moved_and_turned_as_a_whole(self):
        found = Certificate(2.0, 3.0, 0.25, 0.5, 0.125, Known(1.0, 4.0, Tier.CERTIFIED))
        kept = (0.25, 0.5, 0.125)
        assert certified_module._mapped(found, 7.0, -1.0) == Certificate(
            5.0, 4.0, *kept, Known(3.0, 6.0, Tier.CERTIFIED)
        )
        assert certified_module._mapped(found, 7.0, 1.0) == Certificate(
            9.0, 10.0, *kept, Known(8.0, 11.0, Tier.CERTIFIED)
        )

    @pytest.mark.parametrize(("kind", "offset", "sign"), [(cp.Minimize, 3.0, 1.0), (cp.Maximize, 7.0, -1.0)])
    def test_what_is_between_a_problem_and_its_cone_form(self, kind, offset, sign):
        problem = SimpleNamespace(objective=kind(cp.Variable()), value=5.0)
        assert certified_module._objective_map(problem, 2.0) == (offset, sign)

    def test_the_solver_says_nothing(self, capfd):
        x = cp.Variable()
        certified_optimum(cp.Problem(cp.Minimize(x), [x >= 1]))
        assert capfd.readouterr() == ("", "")


class TestRigorous:
    def test_a_difference_of_one_is_a_difference(self):
        x = sympy.Symbol("x", real=True)
        assert prove_identity(x + 1, x).verdict is Verdict.REFUTED
        assert prove_identity(x - 1, x).verdict is Verdict.REFUTED

    def test_a_point_that_is_looked_at_late_refutes_as_well(self):
        x, y = sympy.symbols("x y", real=True)
        found = prove_identity(y * sympy.KroneckerDelta(x, -4), 0)
        assert found.detail == "the sides differ at {x: -4, y: 1/3}"

    @pytest.mark.parametrize(
        ("assumed", "allowed"),
        [
            ("real", ["1/3", "2", "-3/5", "-1", "0"]),
            ("positive", ["1/3", "2"]),
            ("nonnegative", ["1/3", "2", "0"]),
            ("integer", ["2", "-1", "0"]),
        ],
    )
    def test_which_values_a_symbol_may_have(self, assumed, allowed):
        symbol = sympy.Symbol("x", **{assumed: True})
        assert [value for value in ("1/3", "2", "-3/5", "-1", "0") if rigorous._allowed(symbol, value)] == allowed

    def test_what_is_at_most_nought_may_be_nought(self):
        z = sympy.Symbol("z", real=True)
        assert prove_sign(-(z**2)).verdict is Verdict.UNDECIDED

    @pytest.mark.parametrize(("value", "verdict"), [("0.5", Verdict.HOLDS), ("-0.5", Verdict.REFUTED)])
    def test_half_is_above_nought_and_minus_half_is_below(self, value, verdict):
        assert prove_nonnegative(lambda x: flint.arb(value), [(0, 1)], max_boxes=1).verdict is verdict

    def test_as_many_boxes_as_are_needed(self):
        def function(x):
            return x - x + flint.arb("0.6")

        assert prove_nonnegative(function, [(0, 1)], max_boxes=3).detail == "3 boxes cover the domain"
        assert prove_nonnegative(function, [(0, 1)], max_boxes=2).detail == "not decided near [0.5, 1] after 2 boxes"

    @pytest.mark.parametrize(
        ("box", "n_boxes", "near"),
        [
            ([(0, 1)], 1, "[0, 0.5]"),
            ([(0, 1)], 3, "[0, 0.25]"),
            ([(0, 1), (5, 5.5)], 1, "[0, 0.5] × [5, 5.5]"),
            # What is still four wide goes before what is three wide, along whichever side.
            ([(0, 8), (0, 3)], 2, "[4, 8] × [0, 3]"),
        ],
    )
    def test_the_widest_box_is_halved_first_and_the_first_among_equals(self, box, n_boxes, near):
        found = prove_nonnegative(lambda *sides: flint.arb(0, 1), box, max_boxes=n_boxes)
        assert found.detail.startswith(f"not decided near {near} after {n_boxes} ")


class TestStatistical:
    @pytest.mark.parametrize(("n_successes", "n_trials"), [(1, 10), (3, 10), (9, 10)])
    def test_at_a_confidence_limit_the_tail_is_what_confidence_leaves(self, n_successes, n_trials):
        lower, upper = clopper_pearson(n_successes, n_trials, 0.95)
        assert binom.sf(n_successes - 1, n_trials, lower) == pytest.approx(0.05)
        assert binom.cdf(n_successes, n_trials, upper) == pytest.approx(0.05)

    def test_where_every_trial_is_a_success_there_is_no_upper_limit(self):
        assert clopper_pearson(10, 10, 0.95) == (pytest.approx(0.05 ** (1 / 10)), 1.0)

    def test_a_limit_at_the_allowed_rate_holds(self):
        assert Coverage(0, 1, 0.75, false_alarm=0.25).verdict is Verdict.HOLDS
