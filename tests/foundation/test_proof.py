"""The instruments: exact numbers, strict alternatives, certificates, proofs for all inputs, binomial judgements."""

from __future__ import annotations

import math
from fractions import Fraction
from types import SimpleNamespace

import cvxpy as cp
import flint
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from mcbook.foundation.proof import Known, Tier, Verdict, alternatives, known, rigorous
from mcbook.foundation.proof import certified as certified_module
from mcbook.foundation.proof.alternatives import strict_alternative
from mcbook.foundation.proof.certified import NotCertified, certified_optimum
from mcbook.foundation.proof.exact import (
    ball,
    count_vectors,
    enumerated_sum,
    multinomial_probability,
    rational,
    rational_rank,
    rational_solve,
    sign_vectors,
)
from mcbook.foundation.proof.rigorous import prove_identity, prove_nonnegative, prove_sign
from mcbook.foundation.proof.statistical import Coverage, clopper_pearson


class TestKnown:
    def test_rationals_are_exact(self):
        assert known(Fraction(1, 3)) == Known(Fraction(1, 3), Fraction(1, 3), Tier.EXACT)
        assert known(np.int64(7)).tier is Tier.EXACT

    def test_floats_are_only_samples_and_not_known_to_the_last_bit(self):
        value = known(0.1)
        assert value.tier is Tier.SAMPLED
        assert value.lower < 0.1 < value.upper

    def test_a_float_is_taken_to_forty_bits(self):
        assert known(-4.0) == Known(-4 - 2.0**-38, -4 + 2.0**-38, Tier.SAMPLED)

    def test_balls_keep_their_radius(self):
        root = known(flint.arb(2).sqrt())
        assert root.lower < math.sqrt(2) < root.upper
        assert root.upper - root.lower < 1e-14

    def test_a_fraction_of_many_digits_is_shown_as_a_decimal(self):
        assert str(known(Fraction(7, 3))) == "7/3"
        assert str(known(Fraction(10**5000 + 1, 10**5000))) == "1"
        assert str(known(Fraction(10**20 + 1, 3))) == "3.33333e+19"

    @pytest.mark.parametrize("bad", [math.nan, "1", None])
    def test_anything_else_is_refused(self, bad):
        with pytest.raises((TypeError, ValueError), match=r"number|NaN"):
            known(bad)

    def test_bounds_in_the_wrong_order_are_refused(self):
        with pytest.raises(ValueError, match="lower <= upper"):
            Known(2, 1, Tier.EXACT)

    def test_an_unknown_tier_names_the_known_ones(self):
        with pytest.raises(ValueError, match="rigorous"):
            Tier.of("certain")


class TestExact:
    def test_a_ball_holds_its_number(self):
        third = ball(Fraction(1, 3))
        assert known(3 * third).lower <= 1 <= known(3 * third).upper
        assert known(third).upper - known(third).lower < 1e-15
        assert known(ball(2).sqrt() ** 2 - 2).lower <= 0 <= known(ball(2).sqrt() ** 2 - 2).upper

    def test_floats_become_the_fraction_they_are(self):
        assert rational([0.1])[0] == Fraction(0.1) != Fraction(1, 10)

    def test_sign_vectors_are_all_there(self):
        assert len(set(sign_vectors(5))) == 32

    @given(st.integers(0, 6), st.integers(1, 4))
    def test_multinomial_probabilities_sum_to_one(self, total, n_atoms):
        law = [Fraction(i + 1, n_atoms * (n_atoms + 1) // 2) for i in range(n_atoms)]
        assert sum(multinomial_probability(counts, law) for counts in count_vectors(total, n_atoms)) == 1

    def test_enumerated_sum_encloses_the_true_sum(self):
        terms = [math.sqrt(n) for n in range(1, 200)]
        with flint.ctx.workprec(200):
            true = sum((flint.arb(n).sqrt() for n in range(1, 200)), flint.arb(0))
        found = enumerated_sum(terms)
        assert found.lower <= float(true) <= found.upper
        assert found.upper - found.lower < 1e-11

    def test_enumerated_sum_allows_every_term_its_rounding(self):
        unit = math.ulp(1.0)
        found = enumerated_sum([1 + 8 * unit] * 100)
        assert found.lower <= 100 < found.upper
        assert found.upper - found.lower <= 20 * 100 * unit
        # Terms of both signs, each off to the same side: the error does not cancel as the sum does.
        cancelled = enumerated_sum([1 + 8 * unit, -(1 - 8 * unit)])
        assert cancelled.lower <= 0 < cancelled.upper
        assert enumerated_sum([1.0]).tier is Tier.EXACT

    def test_linear_equations_are_solved_in_fractions(self):
        A = [[Fraction(1, 2), 3], [-1, 0.25]]
        x = rational_solve(A, [[1, 0], [0, 1]])
        assert (rational(A) @ x == np.eye(2, dtype=int)).all()
        assert rational_solve(A, [1, 0]).tolist() == x[:, 0].tolist()

    def test_equations_without_one_solution_are_refused(self):
        with pytest.raises(np.linalg.LinAlgError, match="full rank"):
            rational_solve([[1, 2], [2, 4]], [1, 2])
        with pytest.raises(ValueError, match="square"):
            rational_solve([[1, 2]], [1])

    def test_ranks_are_not_a_matter_of_tolerance(self):
        assert rational_rank([[1, 1], [1, 1 + 2.0**-50]]) == 2
        assert rational_rank([[Fraction(1, 3), 1], [1, 3]]) == 1
        with pytest.raises(ValueError, match="matrix"):
            rational_rank([1, 2])


class TestAlternatives:
    @given(st.lists(st.tuples(*[st.integers(-4, 4)] * 3), min_size=1, max_size=8))
    def test_exactly_one_certificate_and_it_is_right(self, rows):
        A = np.array(rows, dtype=object)
        found = strict_alternative(A)
        if found.solution is not None:
            assert all(value > 0 for value in A @ np.array(found.solution, dtype=object))
        else:
            weights = np.array(found.multipliers, dtype=object)
            assert weights.min() >= 0
            assert weights.sum() > 0
            assert not (weights @ A).any()

    def test_fractions_are_taken_exactly(self):
        thin = [[Fraction(1, 3), Fraction(-1, 7)], [Fraction(-1, 3), Fraction(1, 7) + Fraction(1, 1000)]]
        assert strict_alternative(thin).solvable

    @pytest.mark.parametrize("candidate", [[1, 0], [0, 0], [2, -1]])
    def test_a_candidate_that_does_not_solve_every_row_strictly_is_turned_away(self, monkeypatch, candidate):
        monkeypatch.setattr(alternatives, "_solution", lambda A: np.array(candidate, dtype=object))
        with pytest.raises(alternatives.NotDecided, match="neither"):
            strict_alternative([[1, 0], [0, 1]])

    def test_multipliers_of_both_signs_are_turned_away(self, monkeypatch):
        monkeypatch.setattr(alternatives, "_integer_kernel", lambda columns: [2, -1])
        with pytest.raises(alternatives.NotDecided, match="neither"):
            strict_alternative([[1], [-2]])

    def test_multipliers_are_the_smallest_integers(self):
        found = strict_alternative([[2, 0], [-4, 0], [0, 1]])
        assert found == alternatives.Alternative(None, (2, 1, 0))
        assert [type(value) for value in found.multipliers] == [int, int, int]
        assert not found.solvable

    def test_the_shape_is_named(self):
        with pytest.raises(ValueError, match="at least one row"):
            strict_alternative(np.zeros((0, 2)))


class TestCertified:
    def problem(self):
        x = cp.Variable(2)
        return cp.Problem(cp.Minimize(cp.sum_squares(x)), [x[0] + x[1] >= 2])

    def test_the_bracket_holds_the_optimum(self):
        found = certified_optimum(self.problem())
        assert found.value.lower <= 2 <= found.value.upper
        assert found.gap < 1e-7
        assert found.value.tier is Tier.CERTIFIED

    def test_the_residuals_are_charged_to_the_bracket(self):
        dims = SimpleNamespace(zero=1, nonneg=1, soc=[], psd=[], exp=0)
        data = {"A": np.eye(2), "b": np.array([1.0, 2.0]), "c": np.array([3.0, -1.0]), "P": 2 * np.eye(2), "dims": dims}
        found = certified_module._check(data, SimpleNamespace(x=[1.0, -2.0], s=[0.5, -0.25], z=[4.0, -0.125]))
        assert found.primal_value == 1 + 4 + 3 + 2
        assert found.dual_value == -(1 + 4) - (4 - 0.25)
        # A x + s - b = (0.5, -4.25), P x + A'z + c = (9, -5.125), the cone is missed by 0.5, 0.25 and 0.125.
        assert (found.primal_residual, found.dual_residual, found.cone_violation) == (4.75, 14.125, 0.5)
        charge = 4.75 * 4 + 2 * 14.125 * 2 + 2 * 0.5 * (4.125 + 0.75)
        assert float(found.value.lower) == pytest.approx(-8.75 - charge, abs=1e-12)
        assert float(found.value.upper) == pytest.approx(10 + charge, abs=1e-12)
        assert found.gap == pytest.approx((18.75 + 2 * charge) / 10)
        turned = certified_module._mapped(found, 7.0, -1.0)
        assert (turned.primal_value, turned.dual_value) == (7 - 10, 7 + 8.75)
        assert turned.value.lower == 7 - found.value.upper

    @pytest.mark.parametrize(
        ("s", "z", "violation"),
        [
            ([0, 1, 5, 3, 4, 2, 1, 0], [-9, 1, 5, 3, 4, 2, 1, 0], 0),
            ([-2, 1, 5, 3, 4, 2, 1, 0], [0, 1, 5, 3, 4, 2, 1, 0], 2),
            ([0, -1, 5, 3, 4, 2, 1, 0], [0, 1, 5, 3, 4, 2, 1, 0], 1),
            ([0, 1, 5, 3, 4, 2, 1, 0], [0, -3, 5, 3, 4, 2, 1, 0], 3),
            ([0, 1, 4, 3, 4, 2, 1, 0], [0, 1, 5, 3, 4, 2, 1, 0], 1),
            ([0, 1, 5, 3, 4, 2, 1, 0], [0, 1, 2, 3, 4, 2, 1, 0], 3),
            ([0, 1, 5, 3, 4, 2, 6, 0], [0, 1, 5, 3, 4, 2, 1, 0], 4),
            ([0, 1, 5, 3, 4, 2, 1, 0], [0, 1, 5, 3, 4, 2, 0, -7], 5),
        ],
    )
    def test_how_far_a_point_is_from_the_cones(self, s, z, violation):
        """One equation, one inequality, and two second-order cones, of three entries each."""
        dims = SimpleNamespace(zero=1, nonneg=1, soc=[3, 3], psd=[], exp=0)
        found = certified_module._cone_violation(dims, np.array(s, dtype=float), np.array(z, dtype=float))
        assert found == violation

    def test_maximisation_with_a_constant(self):
        x = cp.Variable(3)
        found = certified_optimum(cp.Problem(cp.Maximize(cp.sum(x) + 5), [cp.norm(x, 2) <= 1]))
        assert found.value.lower <= 5 + math.sqrt(3) <= found.value.upper

    def test_infeasible_and_unbounded_are_refused(self):
        x = cp.Variable()
        for constraints in ([x >= 1, x <= 0], []):
            with pytest.raises(NotCertified, match="optimal"):
                certified_optimum(cp.Problem(cp.Minimize(x), constraints))

    @pytest.mark.parametrize("part", ["x", "s", "z"])
    def test_a_solution_that_was_tampered_with_is_refused(self, monkeypatch, part):
        honest = certified_module._check

        def tampered(data, raw):
            values = {name: np.array(getattr(raw, name), dtype=float) for name in "xsz"}
            values[part] = values[part] + 1e-3
            return honest(data, type("Raw", (), values))

        monkeypatch.setattr(certified_module, "_check", tampered)
        with pytest.raises(NotCertified, match="bracket"):
            certified_optimum(self.problem())

    def test_cones_that_cannot_be_checked_are_refused(self):
        x = cp.Variable()
        with pytest.raises(NotCertified, match="second-order"):
            certified_optimum(cp.Problem(cp.Minimize(cp.exp(x) - x)))

    def test_a_larger_tolerance_widens_the_bracket_and_not_what_is_believed(self):
        x = cp.Variable(3)
        problem = cp.Problem(cp.Minimize(cp.sum_squares(x - 1)), [cp.sum(x) <= 1, x >= 0])
        fine, coarse = certified_optimum(problem), certified_optimum(problem, accuracy=1e-2, tolerance=1e-3)
        assert fine.gap < coarse.gap
        assert coarse.value.lower <= 4 / 3 <= coarse.value.upper


class TestRigorous:
    def test_the_three_answers(self):
        def parabola(constant):
            return lambda x: x * x - x + flint.arb(constant)

        assert prove_nonnegative(parabola("0.26"), [(-3, 3)]).verdict is Verdict.HOLDS
        assert prove_nonnegative(parabola("0.249"), [(-3, 3)]).verdict is Verdict.REFUTED
        touching = prove_nonnegative(parabola("0.25"), [(-3, 3)], max_boxes=300)
        assert touching.verdict is Verdict.UNDECIDED
        assert "not decided near [0.4" in touching.detail

    def test_boxes_are_counted(self):
        certain = prove_nonnegative(lambda x: x + 1, [(0, 1)], max_boxes=1)
        assert (certain.verdict, certain.detail) == (Verdict.HOLDS, "1 boxes cover the domain")
        assert prove_nonnegative(lambda x: x * 0, [(0, 1)]).verdict is Verdict.HOLDS
        halved = prove_nonnegative(lambda x: (x - flint.arb("0.4")) * (x + 1), [(0.375, 1.375)], max_boxes=1)
        assert halved.verdict is Verdict.UNDECIDED

    def test_two_variables(self):
        proof = prove_nonnegative(lambda x, y: x * x + y * y - x * y + flint.arb("0.01"), [(-1, 1), (-1, 1)])
        assert proof.verdict is Verdict.HOLDS

    def test_identities(self):
        a, b = sympy.symbols("a b", real=True)
        assert prove_identity((a + b) ** 2, a**2 + 2 * a * b + b**2).verdict is Verdict.HOLDS
        assert prove_identity((a + b) ** 2, a**2 + b**2).verdict is Verdict.REFUTED

    def test_numbers_without_symbols(self):
        assert prove_identity(sympy.sqrt(8), 2 * sympy.sqrt(2)).verdict is Verdict.HOLDS
        assert prove_identity(sympy.Integer(2), 3).verdict is Verdict.REFUTED

    def test_the_point_that_refutes_is_one_that_its_symbol_may_be(self):
        def point(**assumed):
            x = sympy.Symbol("x", **assumed)
            return prove_identity(x, x + sympy.KroneckerDelta(x, 0) + sympy.KroneckerDelta(x, 2)).detail

        assert point(real=True) == point(integer=True) == "the sides differ at {x: 2}"
        n, m = sympy.Symbol("n", integer=True), sympy.Symbol("m", nonnegative=True)
        assert prove_identity(n, 2 * n).detail == "the sides differ at {n: 2}"
        assert prove_identity(sympy.KroneckerDelta(m, 0), 0).detail == "the sides differ at {m: 0}"

    def test_what_differs_is_refuted_before_it_is_simplified(self, monkeypatch):
        def forbidden(*args, **options):
            raise AssertionError("simplified what a point refutes")

        z = sympy.Symbol("z", real=True)
        monkeypatch.setattr(sympy, "simplify", forbidden)
        assert prove_identity(sympy.log(1 + sympy.exp(z)), sympy.log(1 + sympy.exp(2 * z))).verdict is Verdict.REFUTED

    def test_signs_are_read_from_a_form(self):
        z, t = sympy.Symbol("z", real=True), sympy.Symbol("t", positive=True)
        assert prove_sign(z**2 - 2 * z + 1, (z - 1) ** 2).verdict is Verdict.HOLDS
        assert prove_sign(z**2).detail == "equal to z**2, which is >= 0"
        assert prove_sign(t, strict=True).detail == "equal to t, which is > 0"
        assert prove_sign(z**2 - 2 * z + 1).verdict is Verdict.HOLDS
        assert prove_sign(t**2 + t, strict=True).verdict is Verdict.HOLDS
        assert prove_sign(-t).verdict is Verdict.REFUTED
        assert prove_sign(-(z**2), strict=True).verdict is Verdict.REFUTED
        assert prove_sign(z**2, strict=True).verdict is Verdict.UNDECIDED
        assert prove_sign(z).verdict is Verdict.UNDECIDED

    @pytest.mark.parametrize("verdict", [Verdict.UNDECIDED, Verdict.REFUTED])
    def test_a_form_that_is_not_proved_equal_proves_nothing(self, monkeypatch, verdict):
        z = sympy.Symbol("z", real=True)
        monkeypatch.setattr(rigorous, "prove_identity", lambda left, right: rigorous.Proof(verdict, "", ""))
        assert prove_sign(z**2, z**2).verdict is Verdict.UNDECIDED
        assert prove_sign(-(z**2) - 1).verdict is Verdict.UNDECIDED

    def test_an_identity_without_proof_or_point_is_undecided(self, monkeypatch):
        z = sympy.Symbol("z", real=True)
        monkeypatch.setattr(rigorous, "_disagreement", lambda difference, n_points: None)
        assert prove_identity(z, z + 1).verdict is Verdict.UNDECIDED

    def test_a_form_that_differs_from_the_expression_proves_nothing(self):
        z = sympy.Symbol("z", real=True)
        assert prove_sign(z - 1, z**2).verdict is Verdict.UNDECIDED


class TestStatistical:
    def test_the_p_value_is_the_exact_binomial_tail(self):
        exact = sum(math.comb(20, j) * 0.1**j * 0.9 ** (20 - j) for j in range(5, 21))
        assert Coverage(5, 20, 0.1).p_value == pytest.approx(exact, rel=1e-12)

    def test_the_three_verdicts(self):
        assert Coverage(0, 1000, 0.05).verdict is Verdict.HOLDS
        assert Coverage(100, 1000, 0.05).verdict is Verdict.REFUTED
        assert Coverage(1, 20, 0.05).verdict is Verdict.UNDECIDED

    def test_at_the_rate_of_false_alarms_itself_nothing_is_refuted(self):
        assert Coverage(1, 1, 0.25, false_alarm=0.25).verdict is Verdict.UNDECIDED
        assert Coverage(1, 1, 0.25).false_alarm == 1e-4

    def test_false_alarms_are_as_rare_as_stated(self):
        delta, n, alarm = 0.1, 300, 1e-3
        rejected = [j for j in range(n + 1) if Coverage(j, n, delta, alarm).verdict is Verdict.REFUTED]
        chance = sum(math.comb(n, j) * delta**j * (1 - delta) ** (n - j) for j in rejected)
        assert 0 < chance < alarm

    def test_confidence_limits(self):
        lower, upper = clopper_pearson(0, 10, 0.95)
        assert lower == 0
        assert upper == pytest.approx(1 - 0.05 ** (1 / 10))

    def test_bad_numbers_are_named(self):
        with pytest.raises(ValueError, match="delta"):
            Coverage(0, 10, 1.5)
        with pytest.raises(ValueError, match="failures"):
            Coverage(11, 10, 0.5)
