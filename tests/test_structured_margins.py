"""Structured margins: rescalings, chains, solvers, estimators."""

from __future__ import annotations

import itertools
import pickle
import warnings
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from benchmarks import structured_race
from benchmarks.structured_margins import like_letters, numpy_passes
from mcbook.foundation.pages import measured
from mcbook.foundation.proof.certified import NotCertified
from mcbook.structured import (
    Scores,
    all_labellings,
    chains,
    every_score,
    hamming_cost,
    margin_rescaled,
    score_of,
    structures,
    trees,
)
from mcbook.structured_margins import (
    MaxMarginMarkovNetwork,
    StructSVM,
    Summed,
    chain_problem,
    cut_planes,
    digit_sequences,
    flat_blocks,
    frank_wolfe,
    frank_wolfe_bound,
    frank_wolfe_passes,
    frank_wolfe_step,
    hidden_chain,
    kernel_planes,
    law_of_marginals,
    laws_after_passes,
    listed_problem,
    loss_multiples,
    marginals_of_law,
    mixed_difference,
    most_violated_margin,
    most_violated_slack,
    multiclass_problem,
    one_slack,
    orthogonal_planes,
    planes_bound,
    planes_needed,
    planes_of,
    problem_of_labels,
    random_problem,
    rescaled,
    ring_chains,
    rounds_bound,
    slack_rescaled,
    solve_block_steps,
    solve_factored_dual,
    solve_gram_dual,
    solve_kept_labellings,
    solve_listed,
    solve_listed_dual,
    solve_restricted,
    solve_restricted_exactly,
)
from mcbook.svm_solvers import MulticlassSVM

seeds = st.integers(0, 2**32 - 1)
LENGTHS = (3, 1, 2, 3)


def float_problem(seed=0, *, rescaling="margin", lengths=LENGTHS, n_labels=3, C=0.5, cost=None):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(sum(lengths), 2)), rng.integers(0, n_labels, sum(lengths))
    return chain_problem(structures(X, chains(lengths)), y, n_labels, C, rescaling=rescaling, cost=cost)


class TestTheory:
    def test_both_rescalings_by_hand(self):
        losses, leads = np.array([1, 2, 3]), np.array([Fraction(1, 2), 1, 2])
        assert margin_rescaled(losses, leads) == rescaled(losses, leads, "margin") == 1
        assert slack_rescaled(losses, leads) == rescaled(losses, leads, "slack") == Fraction(1, 2)
        assert margin_rescaled(losses, 10 + leads) == slack_rescaled(losses, 10 + leads) == 0

    def test_planes_have_the_terms_as_values(self):
        rng = np.random.default_rng(0)
        losses, psi, w = rng.random(5), rng.normal(size=(5, 3)), rng.normal(size=3)
        for rescaling in ("margin", "slack"):
            b, G = planes_of(losses, psi, rescaling)
            assert max(0, (b - G @ w).max()) == pytest.approx(rescaled(losses, psi @ w, rescaling))

    def test_multiples_of_the_loss(self):
        _, errors, leads = hidden_chain().cloud()
        assert loss_multiples(errors, leads, 4) == (Fraction(-9, 10), Fraction(13, 20))
        least, largest = loss_multiples(errors, leads, 6)
        assert least > largest
        assert loss_multiples(errors, leads, 1) == (np.inf, -np.inf)

    def test_mixed_differences_of_sums_are_0(self):
        rng = np.random.default_rng(1)
        a, b = rng.integers(0, 9, (2, 2)), rng.integers(0, 9, (2, 2))
        table = a[:, :, None] + b[None]
        assert mixed_difference(table) == 0
        table[1, 0, 1] += 1
        assert mixed_difference(table) == 1

    def test_steps_and_bounds(self):
        assert frank_wolfe_step(1, 0) == 1
        assert frank_wolfe_step(1.0, 4.0) == 0.25
        assert frank_wolfe_bound(0, 3, 2, 1) == 3
        assert frank_wolfe_bound(6, 3, Fraction(1), Fraction(2)) == Fraction(3, 2)
        assert rounds_bound(1, 2, 3, 4, Fraction(1, 2)) == 768
        assert rounds_bound(Fraction(1, 100), 2, 3, 1, 1) == 12
        assert planes_bound(1, 1, 5, Fraction(1, 2)) == 33
        assert planes_bound(1, 1, 4, Fraction(1, 2), "gap") == 16
        assert planes_needed(1.0, 1.0, 0.3) == 4

    @pytest.mark.parametrize("epsilon", [0, -1, float("nan")])
    def test_an_epsilon_that_is_not_positive_is_refused(self, epsilon):
        for bound in (planes_bound, rounds_bound):
            arguments = (1, 1, 1) if bound is planes_bound else (1, 1, 1, 1)
            with pytest.raises(ValueError, match="epsilon > 0"):
                bound(*arguments, epsilon)

    def test_words_and_ranges_are_checked(self):
        with pytest.raises(ValueError, match="rescaling"):
            rescaled([1], [0], "both")
        with pytest.raises(ValueError, match="epsilon <= 4 C R"):
            planes_bound(1, 1, 1, 5)
        with pytest.raises(ValueError, match="rule"):
            planes_needed(1, 1, 1, "luck")


class TestInference:
    @settings(max_examples=40, deadline=None)
    @given(seeds, st.integers(1, 6), st.integers(2, 4))
    def test_both_maxima_are_those_of_the_enumeration(self, seed, length, k):
        rng = np.random.default_rng(seed)
        forest = trees([[-1, *(int(rng.integers(0, t)) for t in range(1, length))], [-1, 0]])
        scores = Scores(rng.normal(size=(length + 2, k)), rng.normal(size=(k, k)))
        y = rng.integers(0, k, length + 2)
        cost = rng.integers(0, 7, (k, k)) / 4 * (1 - np.eye(k))
        slack = most_violated_slack(scores, forest, y, cost)
        margin = most_violated_margin(scores, forest, y, cost)
        for i, (Y, totals) in enumerate(every_score(scores, forest)):
            own = forest.split(y)[i]
            leads = totals[(own == Y).all(axis=1)][0] - totals
            costs = np.array([cost[own, z].sum() for z in Y])
            assert slack.values[i] == pytest.approx(slack_rescaled(costs, leads))
            assert margin.values[i] == pytest.approx(margin_rescaled(costs, leads))
            found = (forest.split(slack.labels)[i] == Y).all(axis=1)
            assert costs[found] == slack.losses[i]
            assert costs[found] * (1 - leads[found]) == pytest.approx(slack.values[i])

    def test_where_nothing_is_violated_the_right_labels_are_found(self):
        forest, y = chains([3]), np.array([0, 1, 0])
        E = 10.0 * np.eye(2)[y]
        found = most_violated_slack(Scores(E, np.zeros((2, 2))), forest, y, hamming_cost(2))
        assert found.labels.tolist() == y.tolist()
        assert found.values.tolist() == found.losses.tolist() == [0]

    def test_an_asymmetric_cost_has_the_right_label_first(self):
        cost = np.array([[0.0, 5.0], [1.0, 0.0]])
        zero = Scores(np.zeros((1, 2)), np.zeros((2, 2)))
        assert most_violated_margin(zero, chains([1]), np.array([0]), cost).values.tolist() == [5]
        assert most_violated_margin(zero, chains([1]), np.array([1]), cost).values.tolist() == [1]


class TestListed:
    def test_planes_of_a_chain_are_those_of_its_listed_problem(self):
        rng = np.random.default_rng(2)
        for rescaling in ("margin", "slack"):
            problem = float_problem(rescaling=rescaling)
            listed = problem.listed()
            for _ in range(5):
                w = rng.normal(size=problem.n_features)
                (b, G), (c, H) = problem.planes(w), listed.planes(w)
                assert b - G @ w == pytest.approx(c - H @ w)
                assert problem.primal(w) == pytest.approx(listed.primal(w))
                total, gradient = problem.total_plane(w)
                assert total == pytest.approx(b.sum())
                assert gradient == pytest.approx(G.sum(axis=0))

    def test_one_slack_has_every_combination(self):
        listed = random_problem(np.random.default_rng(0), (2, 1), 2, Fraction(1, 2)).listed()
        single = one_slack(listed)
        assert len(single.offsets[0]) == 4 * 2
        w = np.array([Fraction(1, 3)] * listed.n_features, dtype=object)
        assert single.primal(w) == listed.primal(w)

    def test_the_own_plane_is_needed_and_offsets_are_not_negative(self):
        with pytest.raises(ValueError, match=r"plane \(0, 0\)"):
            listed_problem([np.array([1.0])], [np.array([[1.0]])], 1.0)
        with pytest.raises(ValueError, match="offsets >= 0"):
            listed_problem([np.array([0.0, -1.0])], [np.array([[0.0], [1.0]])], 1.0)
        with pytest.raises(ValueError, match="C > 0"):
            listed_problem([np.array([0.0])], [np.array([[0.0]])], 0)

    def test_joint_features_give_differences(self):
        listed = problem_of_labels([np.eye(3)], np.array([1]), [np.array([2.0, 0.0, 1.0])], 1.0, "slack")
        assert listed.gradients[0].tolist() == [[-2, 2, 0], [0, 0, 0], [0, 1, -1]]


class TestDuals:
    @pytest.mark.parametrize("shape", ["chains", "trees"])
    def test_four_programmes_have_one_value(self, shape):
        rng = np.random.default_rng(3)
        forest = chains([3, 2, 1]) if shape == "chains" else trees([[-1, 0, 0], [-1, 0], [-1]])
        X, y = rng.normal(size=(6, 2)), rng.integers(0, 2, 6)
        problem = chain_problem(structures(X, forest), y, 2, 0.5)
        listed = problem.listed()
        value = solve_listed(listed).value.middle
        assert solve_listed_dual(listed).value.middle == pytest.approx(value, rel=1e-6)
        assert solve_factored_dual(problem).value.middle == pytest.approx(value, rel=1e-6)
        if shape == "chains":
            planes = kernel_planes(problem, lambda A, B: A @ B.T)
            by_kernel = solve_gram_dual(planes.gram, planes.offsets, planes.owners, 0.5)
            assert by_kernel.value.middle == pytest.approx(value, rel=1e-6)

    def test_a_kernel_scores_as_its_features_do(self):
        problem = float_problem(4, lengths=(2, 2), n_labels=2)
        planes = kernel_planes(problem, lambda A, B: A @ B.T)
        alpha = solve_gram_dual(planes.gram, planes.offsets, planes.owners, 0.5).point
        w = solve_listed(problem.listed()).point
        fresh = np.random.default_rng(5).normal(size=(4, 2))
        ours = planes.score(alpha, fresh @ problem.data.X.T, 2)
        W = problem.joint.parts(w).W
        assert ours == pytest.approx(fresh @ W, abs=1e-4)

    def test_laws_and_marginals(self):
        law = np.array([Fraction(1, 4), 0, Fraction(1, 2), Fraction(1, 4)], dtype=object)
        P, pairs = marginals_of_law(law, 2, 2)
        assert P.tolist() == [[Fraction(1, 4), Fraction(3, 4)], [Fraction(3, 4), Fraction(1, 4)]]
        assert (law_of_marginals(P, pairs) == law).all()

    def test_two_rings_need_the_square(self):
        X, y, forest = ring_chains(np.random.default_rng(0), 5, 3)
        assert forest.n_sequences == 5
        assert ((np.linalg.norm(X, axis=1) > 1) == (y == 1)).all()


class TestSolvers:
    def test_all_ways_lead_to_the_same_optimum(self):
        for rescaling in ("margin", "slack"):
            problem = float_problem(1, rescaling=rescaling)
            best = solve_listed(problem.listed()).value.middle
            for oracle in (problem, Summed(problem), problem.listed(), Summed(problem.listed())):
                run = cut_planes(oracle, 1e-7)
                assert run.converged
                assert run.dual - 1e-9 <= best <= run.primal + 1e-7
                assert problem.primal(run.w) == pytest.approx(run.primal)
                assert run.primal == pytest.approx(best, rel=1e-5)

    def test_steps_on_chains_and_trees_are_certified(self):
        rng = np.random.default_rng(6)
        for forest in (chains([3, 2, 1]), trees([[-1, 0, 0], [-1, 0], [-1]])):
            problem = chain_problem(structures(rng.normal(size=(6, 2)), forest), rng.integers(0, 3, 6), 3, 0.1)
            found = solve_block_steps(problem, tol=1e-3)
            best = solve_listed(problem.listed()).value.middle
            assert found.converged
            assert found.gap <= 1e-3
            assert found.dual <= best * (1 + 1e-6)
            assert found.primal == pytest.approx(problem.primal(found.w))
            assert found.primal >= best * (1 - 1e-6)
            assert all(a.dual <= b.dual + 1e-12 for a, b in zip(found.history, found.history[1:], strict=False))

    def test_kept_labellings_reach_the_certified_optimum(self):
        rng = np.random.default_rng(11)
        cost = np.array([[0, 1, 4], [2, 0, 1], [0.5, 3, 0]])
        for forest in (chains([3, 2, 1]), trees([[-1, 0, 0], [-1, 0], [-1]])):
            X, y = rng.normal(size=(6, 2)), rng.integers(0, 3, 6)
            for rescaling, table in itertools.product(("margin", "slack"), (None, cost)):
                problem = chain_problem(structures(X, forest), y, 3, 0.3, rescaling=rescaling, cost=table)
                found = solve_kept_labellings(problem, tol=1e-8)
                best = solve_listed(problem.listed()).value.middle
                assert found.converged
                assert found.gap <= 1e-8
                assert found.primal == pytest.approx(problem.primal(found.w))
                assert found.primal == pytest.approx(best, rel=1e-6)
                sparse = chain_problem(structures(sp.csr_array(X), forest), y, 3, 0.3, rescaling=rescaling, cost=table)
                assert solve_kept_labellings(sparse, tol=1e-8).w == pytest.approx(found.w, abs=1e-3)

    def test_kept_labellings_stop_where_they_are_told(self):
        short = solve_kept_labellings(float_problem(12), tol=1e-9, max_iter=3)
        assert (short.n_iter, short.converged) == (3, False)
        assert short.gap > 1e-9
        assert all(a.dual <= b.dual and a.primal >= b.primal for a, b in itertools.pairwise(short.history))

    def test_steps_with_a_table_of_costs(self):
        cost = np.array([[0, 1, 4], [2, 0, 1], [0.5, 3, 0]])
        problem = float_problem(7, C=0.1, cost=cost)
        found = solve_block_steps(problem, tol=1e-3)
        assert found.primal == pytest.approx(solve_listed(problem.listed()).value.middle, rel=2e-3)

    def test_the_compiled_pass_takes_the_steps_of_the_text(self):
        problem = float_problem(8, lengths=(2, 2, 1), n_labels=2)
        draws = np.random.default_rng(0)
        listed_draws = [i for _ in range(3) for i in draws.permutation(3)]
        by_list = frank_wolfe(problem.listed(), listed_draws)
        w, dual = frank_wolfe_passes(problem, 3, 0)
        assert dual == pytest.approx(by_list.duals[-1])
        assert w == pytest.approx(problem.listed().weights(by_list.alpha))

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
        assert cut_planes(Summed(problem), 1e-3).primal == pytest.approx(cut_planes(Summed(sparse), 1e-3).primal)

    def test_marginals_are_laws_and_begin_at_the_right_labels(self):
        sequences = digit_sequences(np.random.default_rng(0), 5, 4)
        problem = chain_problem(sequences.data, sequences.y, 10, 0.1)
        tables = laws_after_passes(problem, (0, 3), sequence=1)
        assert (tables[0].argmax(axis=1) == sequences.y[4:8]).all()
        for table in tables.values():
            assert table.sum(axis=1) == pytest.approx(1)
            assert (table >= 0).all()
        assert (tables[3] != tables[0]).any()

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

    def test_planes_are_counted(self):
        run = cut_planes(orthogonal_planes(1, 1, 1, 7), Fraction(1, 6), exact=True)
        assert (run.n_planes, run.n_rounds, run.converged) == (6, 7, True)
        short = cut_planes(orthogonal_planes(1, 1, 1, 7), Fraction(1, 6), exact=True, max_rounds=3)
        assert (short.n_planes, short.converged) == (2, False)
        assert flat_blocks(3, 2).squared_diameters == [4, 4, 4]

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


class TestEstimators:
    def sequences(self, rng, n=12, length=4):
        data = digit_sequences(rng, n, length)
        return data.inputs, [np.array([f"d{label}" for label in labels]) for labels in data.labels]

    @pytest.mark.parametrize("model", [MaxMarginMarkovNetwork(C=0.1, random_state=0), StructSVM(C=0.1, random_state=0)])
    def test_they_learn_words_are_copied_and_saved(self, model):
        X, y = self.sequences(np.random.default_rng(0))
        fitted = clone(model).fit(X, y)
        assert fitted.converged_
        assert fitted.gap_ == pytest.approx((fitted.primal_ - fitted.dual_) / fitted.primal_)
        assert fitted.gap_ <= fitted.tol
        assert fitted.score(X, y) > 0.95
        again = pickle.loads(pickle.dumps(fitted))
        assert all((a == b).all() for a, b in zip(fitted.predict(X), again.predict(X), strict=True))
        assert set(np.concatenate(fitted.predict(X))) <= set(fitted.classes_)

    def test_solvers_and_rescalings_of_the_structural_machine(self):
        X, y = self.sequences(np.random.default_rng(1), n=5, length=3)
        for rescaling in ("slack", "margin"):
            fits = [
                StructSVM(C=0.1, rescaling=rescaling, solver=s, tol=1e-4).fit(X, y) for s in ("one-slack", "n-slack")
            ]
            assert fits[0].primal_ == pytest.approx(fits[1].primal_, rel=2e-4)
        network = MaxMarginMarkovNetwork(C=0.1, random_state=0).fit(X, y)
        assert network.primal_ == pytest.approx(fits[0].primal_, rel=2e-4)

    def test_sequences_of_length_one_are_the_multi_class_machine(self):
        rng = np.random.default_rng(2)
        X, y = rng.normal(size=(30, 2)), rng.integers(0, 3, 30)
        model = StructSVM(C=0.3, tol=1e-9, rescaling="margin", solver="n-slack").fit(X[:, None], y[:, None])
        # First and last label each have a weight of their own: together a constant feature of length sqrt 2.
        machine = MulticlassSVM(C=0.3, fit_intercept=False, tol=1e-11).fit(np.c_[X, np.full(30, np.sqrt(2))], y)
        assert model.primal_ == pytest.approx(machine.primal_, rel=1e-8)
        assert model.coef_ == pytest.approx(machine.coef_[:, :2], abs=1e-4)

    def test_the_listed_problem_is_the_multi_class_machine_to_nine_digits(self):
        rng = np.random.default_rng(3)
        X, y = rng.normal(size=(15, 3)), rng.integers(0, 4, 15)
        machine = MulticlassSVM(C=0.2, fit_intercept=False, tol=1e-12).fit(X, y)
        run = cut_planes(multiclass_problem(X, y, 4, 0.2), 1e-11)
        assert run.primal == pytest.approx(machine.primal_, rel=1e-9)

    def test_costs_change_what_is_learnt(self):
        X, y = [[[0.0], [0.0]], [[1.0]]], [["a", "b"], ["b"]]
        plain = MaxMarginMarkovNetwork(random_state=0).fit(X, y)
        dear = MaxMarginMarkovNetwork(random_state=0, cost=[[0, 9], [1, 0]]).fit(X, y)
        assert dear.primal_ > plain.primal_
        with pytest.raises(ValueError, match="zeros on its diagonal"):
            MaxMarginMarkovNetwork(cost=[[1, 1], [1, 0]]).fit(X, y)

    def test_dictionaries_trees_and_clear_errors(self):
        words = [[{"w": "the"}, {"w": "dog"}], [{"w": "runs"}]]
        tags = [["D", "N"], ["V"]]
        for model in (MaxMarginMarkovNetwork(random_state=0), StructSVM()):
            fitted = model.fit(words, tags)
            assert fitted.predict([[{"w": "dog"}]])[0].tolist() in (["D"], ["N"], ["V"])
            with pytest.raises(ValueError, match="empty"):
                fitted.predict([[]])
            with pytest.raises(ValueError, match="dictionaries of features throughout, sequence 1"):
                fitted.predict([[{"w": "dog"}], np.eye(2)])
        tree = MaxMarginMarkovNetwork(random_state=0).fit([np.eye(3)], [[0, 1, 1]], parents=[[-1, 0, 0]])
        assert tree.predict([np.eye(3)], parents=[[-1, 0, 0]])[0].shape == (3,)
        plain, dear = (
            StructSVM(random_state=0, cost=cost).fit([np.eye(3)], [[0, 1, 1]], parents=[[-1, 0, 0]])
            for cost in (None, [[0, 4], [1, 0]])
        )
        assert dear.primal_ > plain.primal_

    def test_training_that_stops_early_says_so(self):
        X, y = self.sequences(np.random.default_rng(4))
        for model in (MaxMarginMarkovNetwork(max_iter=1, random_state=0), StructSVM(max_iter=1)):
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                assert not model.fit(X, y).converged_
            assert [w.category for w in seen] == [ConvergenceWarning]

    @pytest.mark.parametrize("options", [{"C": 0}, {"tol": 0}, {"max_iter": 0}])
    def test_parameters_out_of_range_are_refused(self, options):
        for kind in (MaxMarginMarkovNetwork, StructSVM):
            with pytest.raises(ValueError, match=next(iter(options))):
                kind(**options).fit([[[1.0]], [[0.0]]], [[0], [1]])


def test_sequences_of_digits_follow_their_rule():
    data = digit_sequences(np.random.default_rng(0), 20, 5)
    steps = np.diff(np.array(data.labels), axis=1) % 10
    assert set(np.unique(steps)) == {1, 2, 5}
    assert [len(x) for x in data.apart().inputs] == [1] * 100
    test = digit_sequences(np.random.default_rng(0), 20, 5, test=True)
    assert not {x.tobytes() for x in data.data.X} & {x.tobytes() for x in test.data.X}


def test_the_cloud_lists_every_labelling():
    chain = hidden_chain()
    Y, errors, leads = chain.cloud()
    assert (all_labellings(2, 3) == Y).all()
    assert errors.tolist() == Y.sum(axis=1).tolist()
    assert leads[3] == -score_of(chain.scores, chain.forest, Y[3])[0]


def test_the_race_is_recorded_for_the_chapter(tmp_path):
    target = tmp_path / "race.json"
    assert structured_race.record(target, 6, 0.2) == "race.json"
    kept = measured("structured_gap_against_time")["curves"]
    for curve in kept.values():
        assert curve["seconds"] == sorted(curve["seconds"])
        assert curve["gap"][-1] <= 1e-3 < curve["gap"][0]
