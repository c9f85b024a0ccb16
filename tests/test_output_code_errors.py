"""Errors of output codes: measures, worst cases, learned codes."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
import sympy

from mcbook import output_code_errors as errors
from mcbook.foundation.programs import solve_multiclass_svm
from mcbook.output_code_errors.algorithm.worst_case import row_overlap
from mcbook.output_codes import (
    all_pairs_code,
    average_loss,
    decode,
    decoding_distances,
    hadamard_code,
    one_vs_rest_code,
    random_sparse_code,
)

HALF = Fraction(1, 2)
REFUSED = [
    (lambda: errors.scaled_loss_bound(-1, 1), "average_loss >= 0"),
    (lambda: errors.scaled_loss_bound(1, 0), "L\\(0\\) > 0"),
    (lambda: errors.code_factor(1 - 1e-6, HALF), "n_columns"),
    (lambda: errors.code_factor(4, 0), "rho > 0"),
    (lambda: errors.loss_decoding_bound(0.1, 0, 1), "n_columns >= 1"),
    (lambda: errors.sharp_loss_decoding_bound(0, 2, 0), "n_opposite"),
    (lambda: errors.ignored_contribution(1.5, 4, 2), "0 <= ignored <= 1"),
    (lambda: errors.hamming_bound_with_ignored(0, 2, 4, 2), "0 <= restricted_error <= 1"),
    (lambda: errors.random_factor_bound(9, 3, 0), "0 < delta < 1"),
    (lambda: errors.random_factor_bound(9, 3, 1), "0 < delta < 1"),
    (lambda: errors.brownboost_potential(-1, 1), "s >= 0"),
    (lambda: errors.brownboost_potential(1, 0), "c > 0"),
    (lambda: errors.brownboost_potential(sympy.Symbol("s", negative=True), 1), "s >= 0"),
    (lambda: average_loss(np.zeros((2, 2)), all_pairs_code(3), np.array([0, 1]), "hinge"), "output for each example"),
    (lambda: errors.equal_nonzeros(np.array([[0, -1], [1, 1]])), "equally many non-zero"),
    (
        lambda: errors.restricted_loss(np.zeros((1, 2)), np.zeros((2, 2), int), np.array([0]), "hinge"),
        "at least one pair",
    ),
    (lambda: errors.lagrangian_bound([1, 1], [-1, 0], 2), "0 <= lam <= 1"),
    (lambda: row_overlap([1, 1], [2, 0]), "entries of the rows -1, 0, \\+1"),
    (lambda: errors.worst_error(all_pairs_code(4), Fraction(1, 4)), "zero entries cost"),
    (lambda: errors.sample_with_error(hadamard_code(6), 3, 2), "n_wrong"),
    (lambda: errors.learn_code(np.eye(4), np.arange(4), 4, 0), "C > 0"),
    (lambda: errors.learn_code(np.eye(4), np.full(4, 4), 4, 1.0), "labels 0 .. 3"),
    (lambda: errors.learn_code(np.eye(4), np.zeros(3, dtype=int), 4, 1.0), "same number of rows"),
]


@pytest.mark.parametrize(("call", "names"), REFUSED)
def test_what_is_refused(call, names):
    with pytest.raises(ValueError, match=names):
        call()


class TestWorstCase:
    def test_the_problem_finds_the_closed_form_with_an_exact_instance(self):
        for seed in range(8):
            M = random_sparse_code(4, 7, 20, seed)
            found = errors.cheapest_mistake(M)
            assert found.cost == min(
                errors.hinge_mistake_cost(M[a], M[b]) for a, b in itertools.permutations(range(4), 2)
            )
            assert float(found.value.upper - found.value.lower) < 1e-6
            costs = decoding_distances(found.outputs[None, :], M, "hinge")[0]
            assert costs[found.label] == found.cost >= costs[found.rival]

    def test_the_cost_is_the_closed_form_however_the_rows_overlap(self):
        # One opposite column and three that only the label uses: the optimum of the problem is not unique.
        for opposite, rival_zero, own_zero in itertools.product(range(4), range(5), range(5)):
            if opposite + rival_zero + own_zero:
                u = np.repeat([1, -1, 0, 0], [opposite, rival_zero, own_zero, 1])
                v = np.repeat([-1, 0, 1, 0], [opposite, rival_zero, own_zero, 1])
                found = errors.cheapest_mistake(np.array([u, v]), 0)
                own, rival = decoding_distances(found.outputs[None, :], np.array([u, v]), "hinge")[0]
                assert found.cost == own == errors.hinge_mistake_cost(u, v) >= rival
                assert 0 <= float(own) - found.value.lower < 1e-6

    def test_the_lagrangian_bound_is_concave_and_below(self):
        u, v = np.array([1, 1, 0, 0, -1]), np.array([-1, 0, 1, 0, 0])
        assert row_overlap(u, v) == row_overlap(-u, -v)
        assert max(errors.lagrangian_bound(u, v, Fraction(i, 10)) for i in range(11)) == errors.hinge_mistake_cost(u, v)

    @pytest.mark.parametrize("make", [one_vs_rest_code, all_pairs_code, hadamard_code])
    def test_the_worst_sample_has_the_error_and_the_loss_that_are_claimed(self, make):
        M = make(4)
        level = errors.ignored_share(M, np.arange(4)) + Fraction(1, 20)
        worst = errors.worst_error(M, level)
        labels = decode(worst.outputs, M, "hinge", ties="mark")
        paid = decoding_distances(worst.outputs, M, "hinge")[np.arange(len(labels)), worst.labels]
        assert sum(worst.shares) == 1
        assert sum(m for m, a, b in zip(worst.shares, labels, worst.labels, strict=True) if a != b) == worst.error.lower
        assert sum(m * p for m, p in zip(worst.shares, paid, strict=True)) <= level * M.shape[1]
        assert worst.error.lower <= worst.error.upper <= float(worst.error.lower) + 1e-6

    def test_a_budget_that_only_pays_for_the_zeros_buys_no_mistake(self):
        M = [[1, 1, 0], [-1, 0, 1], [0, -1, -1]]
        worst = errors.worst_error(M, Fraction(1, 3))
        assert worst.error.lower == 0
        assert sum(worst.shares) == 1


class TestLearnedCode:
    def sample(self):
        rng = np.random.default_rng(3)
        y = np.arange(20) % 4
        return rng.normal(size=(4, 3))[y] + 0.3 * rng.normal(size=(20, 3)), y

    def test_it_is_the_multiclass_machine_on_the_outputs(self):
        F, y = self.sample()
        assert errors.learn_code(F, y, 4, 2.0).value.middle == pytest.approx(
            float(solve_multiclass_svm(F, y, 4, 2.0)), rel=1e-6
        )
