"""The instruments: exact numbers, strict alternatives, certificates, proofs for all inputs, binomial judgements."""

import math
from fractions import Fraction
from types import SimpleNamespace

import cvxpy as cp
import flint
import numpy as np
import pytest
import scipy.optimize
import sympy
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from mcbook.foundation.proof import Known, Tier, Verdict, alternatives, known, rigorous
from mcbook.foundation.proof import certified as certified_module
from mcbook.foundation.proof.alternatives import Alternative, NotDecided, strict_alternative
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


class TestExact:
    def test_a_ball_holds_its_number(self):
        third = ball(Fraction(1, 3))
        assert known(3 * third).lower <= 1 <= known(3 * third).upper
        assert known(third).upper - known(third).lower < 1e-15
        assert rational([0.1])[0] == Fraction(0.1) != Fraction(1, 10)

    @given(st.integers(0, 6), st.integers(1, 4))
    def test_multinomial_probabilities_sum_to_one(self, total, n_atoms):
        distribution = [Fraction(i + 1, n_atoms * (n_atoms + 1) // 2) for i in range(n_atoms)]
        assert sum(multinomial_probability(counts, distribution) for counts in count_vectors(total, n_atoms)) == 1
        assert len(set(sign_vectors(total))) == 2**total

    def test_enumerated_sum_allows_every_term_nine_units_in_the_last_place(self):
        unit = math.ulp(1.0)
        assert enumerated_sum([1.0]) == Known(1 - 9 * unit, 1 + 9 * unit, Tier.EXACT)
        # Terms of both signs, each off to the same side: the error does not cancel as the sum does.
        assert enumerated_sum([0.5, -0.5]) == Known(-9 * unit, 9 * unit, Tier.EXACT)
        found = enumerated_sum([math.sqrt(n) for n in range(1, 200)])
        with flint.ctx.workprec(200):
            true = sum((flint.arb(n).sqrt() for n in range(1, 200)), flint.arb(0))
        assert found.lower <= float(true) <= found.upper
        assert found.upper - found.lower < 1e-11

    def test_linear_equations_are_solved_in_fractions(self):
        A = [[Fraction(1, 2), 3], [-1, 0.25]]
        x = rational_solve(A, [[1, 0], [0, 1]])
        assert (rational(A) @ x == np.eye(2, dtype=int)).all()
        assert rational_solve(A, [1, 0]).tolist() == x[:, 0].tolist()
        assert rational_rank([[1, 1], [1, 1 + 2.0**-50]]) == 2
        assert rational_rank([[Fraction(1, 3), 1], [1, 3]]) == 1
        with pytest.raises(np.linalg.LinAlgError, match="full rank"):
            rational_solve([[1, 2], [2, 4]], [1, 2])
        with pytest.raises(ValueError, match="square"):
            rational_solve([[1, 2]], [1])
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

    def test_rows_are_taken_exactly_and_at_any_scale(self):
        thin = [[Fraction(1, 3), Fraction(-1, 7)], [Fraction(-1, 3), Fraction(1, 7) + Fraction(1, 1000)]]
        for rows in (thin, [[1, -1], [-1, 1 + Fraction(1, 10**6)]], [[10**20, 0], [0, 1]], [[10**20, 1], [1, -1]]):
            assert strict_alternative(rows).solvable

    @pytest.mark.parametrize(
        ("rows", "multipliers"),
        [
            ([[2, 0], [-4, 0], [0, 1]], (2, 1, 0)),
            ([[-2], [4]], (2, 1)),
            ([[0, 0]], (1,)),
            ([[0.5], [-1]], (2, 1)),
            ([[1, Fraction(1, 3)], [-1, 0], [0, Fraction(-1, 10)]], (3, 3, 10)),
        ],
    )
    def test_multipliers_are_the_smallest_integers_for_the_rows_as_given(self, rows, multipliers):
        found = strict_alternative(rows)
        assert found == Alternative(None, multipliers)
        assert {type(value) for value in found.multipliers} == {int}

    def test_nothing_is_believed_that_does_not_check(self, monkeypatch):
        """Whatever the linear program or the kernel returns, the certificate is checked in integers."""
        for candidate in ([1, 0], [0, 0], [2, -1]):
            monkeypatch.setattr(alternatives, "_solution", lambda A, one=candidate: np.array(one, dtype=object))
            with pytest.raises(NotDecided, match="neither"):
                strict_alternative([[1, 0], [0, 1]])
        monkeypatch.setattr(alternatives, "_solution", lambda A: np.array([1, 1], dtype=object))
        assert strict_alternative([[1, 0], [0, 1]]).solution == (1, 1)
        monkeypatch.undo()
        for kernel in ([2, -1], None):
            monkeypatch.setattr(alternatives, "_integer_kernel", lambda columns, one=kernel: one)
            with pytest.raises(NotDecided, match="neither"):
                strict_alternative([[1], [-2]])
        monkeypatch.undo()
        assert alternatives._integer_kernel(np.array([[0, 0]], dtype=object)) is None
        monkeypatch.setattr(scipy.optimize, "linprog", lambda **problem: SimpleNamespace(status=4, x=None))
        with pytest.raises(NotDecided, match="neither"):
            strict_alternative([[1]])
        with pytest.raises(ValueError, match="at least one row"):
            strict_alternative(np.zeros((0, 2)))


class TestCertified:
    def problem(self):
        x = cp.Variable(2)
        return cp.Problem(cp.Minimize(cp.sum_squares(x)), [x[0] + x[1] >= 2])

    def test_the_bracket_holds_the_optimum(self, capfd):
        found = certified_optimum(self.problem())
        assert found.value.lower <= 2 <= found.value.upper
        assert found.gap < 1e-7
        assert found.value.tier is Tier.CERTIFIED
        x = cp.Variable(3)
        found = certified_optimum(cp.Problem(cp.Maximize(cp.sum(x) + 5), [cp.norm(x, 2) <= 1]))
        assert found.value.lower <= 5 + math.sqrt(3) <= found.value.upper
        assert capfd.readouterr() == ("", "")

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

    def test_how_far_a_point_is_from_the_cones(self):
        """One equation, one inequality, and two second-order cones, of three entries each."""
        dims = SimpleNamespace(zero=1, nonneg=1, soc=[3, 3], psd=[], exp=0)
        inside = np.array([0, 1, 5, 3, 4, 2, 1, 0], dtype=float)
        for where, place, value, violation in (
            ("z", 0, -9, 0), ("s", 0, -2, 2), ("s", 1, -1, 1), ("z", 1, -3, 3), ("s", 2, 4, 1), ("z", 2, 2, 3),
            ("s", 6, 6, 4), ("z", 7, -7, math.sqrt(50) - 2),
        ):  # fmt: skip
            point = {"s": inside.copy(), "z": inside.copy()}
            point[where][place] = value
            assert certified_module._cone_violation(dims, point["s"], point["z"]) == pytest.approx(violation)

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

    def test_what_cannot_be_certified_is_refused(self):
        x = cp.Variable()
        for objective, constraints, message in (
            (x, [x >= 1, x <= 0], "optimal"),
            (x, [], "optimal"),
            (cp.exp(x) - x, [], "second-order"),
        ):
            with pytest.raises(NotCertified, match=message):
                certified_optimum(cp.Problem(cp.Minimize(objective), constraints))

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
        assert prove_nonnegative(lambda x: x * 0, [(0, 1)]).verdict is Verdict.HOLDS
        for value, verdict in (("0.5", Verdict.HOLDS), ("-0.5", Verdict.REFUTED)):
            assert prove_nonnegative(lambda x, v=value: flint.arb(v), [(0, 1)], max_boxes=1).verdict is verdict

    def test_identities(self):
        a, b = sympy.symbols("a b", real=True)
        assert prove_identity((a + b) ** 2, a**2 + 2 * a * b + b**2).verdict is Verdict.HOLDS
        assert prove_identity(sympy.sqrt(8), 2 * sympy.sqrt(2)).verdict is Verdict.HOLDS
        for left, right in (((a + b) ** 2, a**2 + b**2), (a + 1, a), (a - 1, a), (sympy.Integer(2), 3)):
            assert prove_identity(left, right).verdict is Verdict.REFUTED

    def test_what_differs_is_refuted_before_it_is_simplified(self, monkeypatch):
        """Simplifying may take minutes."""

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
        assert prove_sign(-t).verdict is prove_sign(-(z**2), strict=True).verdict is Verdict.REFUTED
        # What is at most 0 may be 0; what a form does not equal it does not prove.
        for undecided in (prove_sign(-(z**2)), prove_sign(z**2, strict=True), prove_sign(z), prove_sign(z - 1, z**2)):
            assert undecided.verdict is Verdict.UNDECIDED

    def test_without_a_proof_nothing_is_decided(self, monkeypatch):
        z = sympy.Symbol("z", real=True)
        monkeypatch.setattr(rigorous, "_disagreement", lambda difference, n_points: None)
        assert prove_identity(z, z + 1).verdict is Verdict.UNDECIDED
        for verdict in (Verdict.UNDECIDED, Verdict.REFUTED):
            proof = rigorous.Proof(verdict, "", "")
            monkeypatch.setattr(rigorous, "prove_identity", lambda left, right, proof=proof: proof)
            assert prove_sign(z**2, z**2).verdict is prove_sign(-(z**2) - 1).verdict is Verdict.UNDECIDED


class TestStatistical:
    def test_the_p_value_is_the_exact_binomial_tail(self):
        exact = sum(math.comb(20, j) * 0.1**j * 0.9 ** (20 - j) for j in range(5, 21))
        assert Coverage(5, 20, 0.1).p_value == pytest.approx(exact, rel=1e-12)
        assert Coverage(1, 1, 0.25).false_alarm == 1e-4

    def test_the_three_verdicts(self):
        assert Coverage(0, 1000, 0.05).verdict is Verdict.HOLDS
        assert Coverage(100, 1000, 0.05).verdict is Verdict.REFUTED
        assert Coverage(1, 20, 0.05).verdict is Verdict.UNDECIDED
        # At the border: a limit at the allowed rate holds, a p-value at the rate of false alarms refutes nothing.
        assert Coverage(0, 1, 0.75, false_alarm=0.25).verdict is Verdict.HOLDS
        assert Coverage(1, 1, 0.25, false_alarm=0.25).verdict is Verdict.UNDECIDED

    def test_false_alarms_are_as_rare_as_stated(self):
        delta, n, alarm = 0.1, 300, 1e-3
        rejected = [j for j in range(n + 1) if Coverage(j, n, delta, alarm).verdict is Verdict.REFUTED]
        assert 0 < sum(math.comb(n, j) * delta**j * (1 - delta) ** (n - j) for j in rejected) < alarm

    def test_at_a_confidence_limit_the_tail_is_what_confidence_leaves(self):
        for n_successes in (1, 3, 9):
            lower, upper = clopper_pearson(n_successes, 10, 0.95)
            assert binom.sf(n_successes - 1, 10, lower) == pytest.approx(0.05)
            assert binom.cdf(n_successes, 10, upper) == pytest.approx(0.05)
        assert clopper_pearson(10, 10, 0.95) == (pytest.approx(0.05 ** (1 / 10)), 1.0)
        assert clopper_pearson(0, 10, 0.95) == (0.0, pytest.approx(1 - 0.05 ** (1 / 10)))

    def test_bad_numbers_are_named(self):
        with pytest.raises(ValueError, match="delta"):
            Coverage(0, 10, 1.5)
        with pytest.raises(ValueError, match="failures"):
            Coverage(11, 10, 0.5)
