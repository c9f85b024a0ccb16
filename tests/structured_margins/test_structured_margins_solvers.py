"""Solvers of structured margins: one optimum by all ways, certified, and counted."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from structured_problems import float_problem

from benchmarks.structured_margins import like_letters, numpy_passes
from mcbook.foundation.proof.certified import NotCertified
from mcbook.structured import chains, hamming_cost, structures
from mcbook.structured.algorithm.forest import rooted_trees
from mcbook.structured_margins import (
    chain_problem,
    cut_planes,
    enumerated_problem,
    frank_wolfe,
    solve_enumerated,
    solve_restricted_exactly,
)
from mcbook.structured_margins.algorithm.block_steps import frank_wolfe_passes, solve_block_steps
from mcbook.structured_margins.algorithm.cutting import SingleSlackOracle
from mcbook.structured_margins.algorithm.restricted import solve_restricted
from mcbook.structured_margins.algorithm.working_set import solve_working_set
from mcbook.structured_margins.instances import flat_blocks


class TestSolvers:
    def test_all_ways_lead_to_the_same_optimum(self):
        for rescaling in ("margin", "slack"):
            problem = float_problem(1, rescaling=rescaling)
            best = solve_enumerated(problem.listed()).value.middle
            for oracle in (problem, SingleSlackOracle(problem), problem.listed(), SingleSlackOracle(problem.listed())):
                run = cut_planes(oracle, 1e-7)
                assert run.converged
                assert run.dual - 1e-9 <= best <= run.primal + 1e-7
                assert problem.primal(run.w) == pytest.approx(run.primal)
                assert run.primal == pytest.approx(best, rel=1e-5)

    def test_steps_on_chains_and_trees_are_certified(self):
        rng = np.random.default_rng(6)
        for forest in (chains([3, 2, 1]), rooted_trees([[-1, 0, 0], [-1, 0], [-1]])):
            problem = chain_problem(structures(rng.normal(size=(6, 2)), forest), rng.integers(0, 3, 6), 3, 0.1)
            found = solve_block_steps(problem, tol=1e-3)
            best = solve_enumerated(problem.listed()).value.middle
            assert found.converged
            assert found.gap <= 1e-3
            assert found.dual <= best * (1 + 1e-6)
            assert found.primal == pytest.approx(problem.primal(found.w))
            assert found.primal >= best * (1 - 1e-6)
            assert all(a.dual <= b.dual + 1e-12 for a, b in zip(found.history, found.history[1:], strict=False))

    @pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int32, np.uint64, list])
    def test_labels_of_few_bits_count_places_in_64(self, kind):
        """Places in the weights are made of labels: with 26 letters they exceed 8 bits, with many words 32."""
        rng = np.random.default_rng(3)
        data, y = structures(rng.normal(size=(8, 2)), chains([5, 3])), rng.integers(0, 26, 8)
        given = y.tolist() if kind is list else y.astype(kind)
        for rescaling in ("margin", "slack"):
            wide, narrow = (chain_problem(data, each, 26, 0.5, rescaling=rescaling) for each in (y, given))
            assert narrow.y.dtype == np.int64
            assert (solve_working_set(narrow).w == solve_working_set(wide).w).all()
        assert (
            solve_block_steps(chain_problem(data, given, 26, 0.5)).w
            == solve_block_steps(chain_problem(data, y, 26, 0.5)).w
        ).all()

    def test_labels_that_are_none_are_refused(self):
        data = structures(np.ones((3, 1)), chains([2, 1]))
        for wrong in ([0, 1], [0, 1, 2], [0, 1, -1], [0, 0.5, 1]):
            with pytest.raises(ValueError, match="expected"):
                chain_problem(data, wrong, 2, 1.0)

    def test_kept_labellings_reach_the_certified_optimum(self):
        rng = np.random.default_rng(11)
        cost = np.array([[0, 1, 4], [2, 0, 1], [0.5, 3, 0]])
        for forest in (chains([3, 2, 1]), rooted_trees([[-1, 0, 0], [-1, 0], [-1]])):
            X, y = rng.normal(size=(6, 2)), rng.integers(0, 3, 6)
            for rescaling, table in itertools.product(("margin", "slack"), (None, cost)):
                problem = chain_problem(structures(X, forest), y, 3, 0.3, rescaling=rescaling, cost=table)
                found = solve_working_set(problem, tol=1e-8)
                best = solve_enumerated(problem.listed()).value.middle
                assert found.converged
                assert found.gap <= 1e-8
                assert found.primal == pytest.approx(problem.primal(found.w))
                assert found.primal == pytest.approx(best, rel=1e-6)
                sparse = chain_problem(structures(sp.csr_array(X), forest), y, 3, 0.3, rescaling=rescaling, cost=table)
                assert solve_working_set(sparse, tol=1e-8).w == pytest.approx(found.w, abs=1e-3)

    def test_passes_and_searches_are_counted_from_one(self):
        problem = float_problem(5)
        one = solve_block_steps(problem, tol=1e-9, max_iter=1)
        assert (one.n_iter, one.converged, [point.n_iter for point in one.history]) == (1, False, [1])
        assert one.w == pytest.approx(frank_wolfe_passes(problem, 1)[0])
        soon = solve_block_steps(problem, tol=0.1)
        assert soon.converged
        assert soon.n_iter < 1000
        short = solve_working_set(problem, tol=1e-9, max_iter=3)
        assert [point.n_iter for point in short.history] == [1, 2, 3]

    def test_the_largest_violation_is_told(self):
        planes = [np.array([0.0, 1.0]), np.array([0.0, 3.0])], [np.array([[0.0], [2.0]]), np.array([[0.0], [1.0]])]
        assert cut_planes(enumerated_problem(*planes, C=1.0), 0.01).history[0].violation == 3

    def test_the_loop_of_the_benchmark_takes_the_same_steps(self):
        problem = like_letters(4)
        ours, theirs = frank_wolfe_passes(problem, 3, 0), numpy_passes(problem, 3)
        assert ours[0] == pytest.approx(theirs[0])
        assert ours[1] == pytest.approx(theirs[1])

    def test_sparse_rows_are_the_same_data(self):
        problem = float_problem(9)
        sparse = chain_problem(structures(sp.csr_array(problem.data.X), problem.data.forest), problem.y, 3, 0.5)
        for a, b in zip(frank_wolfe_passes(problem, 4, 1), frank_wolfe_passes(sparse, 4, 1), strict=True):
            assert a == pytest.approx(b)
        assert cut_planes(SingleSlackOracle(problem), 1e-3).primal == pytest.approx(
            cut_planes(SingleSlackOracle(sparse), 1e-3).primal
        )

    def test_the_restricted_optimum_in_floats_and_fractions(self):
        rng = np.random.default_rng(10)
        for _ in range(10):
            b = np.r_[0, rng.integers(1, 5, 6)].astype(object)
            G = np.vstack([np.zeros((1, 3), int), rng.integers(-3, 4, (6, 3))]).astype(object)
            alpha, value = solve_restricted_exactly(G, b, Fraction(1, 2))
            assert alpha.sum() == Fraction(1, 2)
            floats = solve_restricted((G @ G.T).astype(float), b.astype(float), np.zeros(7, dtype=int), 1, 0.5, 1e-12)
            w = floats @ G.astype(float)
            assert floats @ b.astype(float) - w @ w / 2 == pytest.approx(float(value), rel=1e-9)

    def test_floats_that_cannot_be_confirmed_are_not_believed(self, monkeypatch):
        from mcbook.structured_margins.algorithm import restricted

        monkeypatch.setattr(restricted, "solve_restricted", lambda *_, **__: np.array([0.5, 0.5, 0.0]))
        planes = np.array([[0], [1], [2]], dtype=object), np.array([0, 1, 9], dtype=object)
        with pytest.raises(NotCertified, match="scale the data"):
            solve_restricted_exactly(*planes, 1)

    @pytest.mark.parametrize("rule", ["gap", "relative"])
    def test_by_the_gap_planes_violated_by_less_than_1_are_found_too(self, rule):
        run = cut_planes(enumerated_problem([[0, 1]], [[[0], [2]]], C=1), Fraction(1, 100), rule=rule, exact=True)
        assert (run.n_planes, run.w.tolist(), run.primal, run.converged) == (1, [Fraction(1, 2)], Fraction(1, 8), True)

    def test_every_round_is_watched(self):
        seen = []
        run = cut_planes(float_problem(2), 1e-3, rule="relative", watch=seen.append)
        assert tuple(seen) == run.history
        assert run.primal - run.dual <= 1e-3 * run.primal

    def test_wrong_words_and_numbers_are_refused(self):
        with pytest.raises(ValueError, match="rule"):
            cut_planes(float_problem(), 0.1, rule="never")
        with pytest.raises(ValueError, match="epsilon > 0"):
            cut_planes(float_problem(), 0)
        with pytest.raises(ValueError, match="margin rescaling"):
            solve_block_steps(float_problem(rescaling="slack"))
        for cost in (np.pi * hamming_cost(3) + 1 - np.eye(3) - np.eye(3)[::-1], np.diag([1.0, 2000.0], 1)):
            with pytest.raises(ValueError, match="times a unit"):
                float_problem(rescaling="slack", cost=cost)
        with pytest.raises(ValueError, match="step"):
            frank_wolfe(flat_blocks(1, 1), [0], step="giant")
