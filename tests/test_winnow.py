"""Winnow: formulas, runs, machines, mixtures, instances."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from mcbook.foundation.numbers import as_integers, ball
from mcbook.perceptron import NotSeparable, kesler_vectors
from mcbook.winnow import (
    attributes_for_worst_case,
    balanced_winnow,
    best_mixture,
    disjunction_adversary,
    disjunction_bound,
    disjunction_worst_case,
    entropy_of_weights,
    exponentiated_gradient_step,
    gain_of_an_update,
    gain_with_factor,
    hadamard_rows,
    hadamard_sample,
    majority_stream,
    multiplicative_run,
    promotions_needed,
    relative_entropy,
    run_winnow,
    winnow_bound,
    winnow_history,
    winnow_on_disjunction,
    winnow_tight_mixture,
    winnow_tight_sample,
)
from mcbook.winnow.algorithm.run import _factor_and_period, as_law
from mcbook.winnow.kernels import winnow_epoch
from mcbook.winnow.theory import powers

seeds = st.integers(0, 2**32 - 1)


def signed_sample(rng, n_classes, n_features, n_samples):
    """Rows of -1, 0 and 1 with labels at random."""
    X = rng.integers(-1, 2, (n_samples, n_features))
    return as_integers(X), rng.integers(0, n_classes, n_samples)


def plain_winnow(X, y, k, factor, n_epochs, ties="mistake"):
    """The algorithm word by word, in fractions, without entries, exponents or rescaling."""
    W = np.full((k, X.shape[1]), Fraction(1), dtype=object)
    updates, logs, weights = [], [], []
    for _ in range(n_epochs):
        before = len(updates)
        for i, (x, label) in enumerate(zip(X, y.tolist(), strict=True)):
            bids = (W @ x).tolist()
            rival = max((z for z in range(k) if z != label), key=lambda z: (bids[z], -z))
            wrong = bids[label] <= bids[rival] if ties == "mistake" else bids.index(max(bids)) != label
            if wrong:
                step = np.array([Fraction(factor) ** int(v) for v in x], dtype=object)
                W[label], W[rival] = W[label] * step, W[rival] / step
                updates.append([i, rival])
            logs.append(np.array([[math.log(w) for w in row] for row in W]))
            weights.append(W.copy())
        if len(updates) == before:
            break
    return W * (1 / W.sum()), updates, np.mean(logs, axis=0)


class TestTheory:
    def test_the_gain_of_an_update_at_its_ends_and_between(self):
        assert gain_of_an_update(1) == pytest.approx(math.log(2))
        for beyond in (0, 2):
            with pytest.raises(ValueError, match="gamma"):
                gain_of_an_update(beyond)
        assert gain_of_an_update(0.6) == pytest.approx(0.8 * math.log(1.6) + 0.2 * math.log(0.4))
        for gamma in (0.01, 0.3, 0.9):
            assert gamma**2 / 2 < gain_of_an_update(gamma) < gamma**2

    def test_the_gain_with_a_factor_is_largest_at_the_best_one(self):
        gamma = Fraction(5, 13)
        best = gain_with_factor(gamma, Fraction(3, 2))
        assert best == pytest.approx(gain_of_an_update(gamma))
        assert gain_with_factor(gamma, Fraction(7, 5)) < best > gain_with_factor(gamma, Fraction(8, 5))

    @pytest.mark.parametrize("gamma", [0, -0.5, 1.5, float("nan"), Fraction(-1, 2)])
    def test_a_margin_out_of_range_is_refused(self, gamma):
        with pytest.raises(ValueError, match=r"0 < gamma <= 1"):
            winnow_bound(2, 8, gamma)

    def test_the_bound_takes_balls(self):
        bound = winnow_bound(ball(2), ball(512), ball(1))
        assert abs(float(bound.mid()) - 10) < 1e-12
        assert winnow_bound(3, 7, 0.25, uncertainty=1.0) == pytest.approx((math.log(21) - 1) / gain_of_an_update(0.25))

    def test_entropies(self):
        uniform = np.full((2, 3), Fraction(1, 6), dtype=object)
        assert entropy_of_weights(uniform) == pytest.approx(math.log(6))
        assert entropy_of_weights(np.array([[1, 0]])) == 0
        U = np.array([[Fraction(1, 2), Fraction(1, 2), 0], [0, 0, 0]], dtype=object)
        assert relative_entropy(U, uniform) == pytest.approx(math.log(6) - entropy_of_weights(U))

    def test_an_exponentiated_gradient_step_is_a_law(self):
        W = np.full((2, 2), Fraction(1, 4), dtype=object)
        step = exponentiated_gradient_step(W, np.array([[1, 0], [-1, 0]], dtype=object), 3)
        assert step.sum() == 1
        assert step.tolist() == [[Fraction(9, 16), Fraction(3, 16)], [Fraction(1, 16), Fraction(3, 16)]]

    def test_powers_are_exact_where_they_can_be(self):
        assert powers(np.array([[2, -2]], dtype=object), Fraction(3, 2)).tolist() == [[Fraction(9, 4), Fraction(4, 9)]]
        assert powers(np.array([0.5]), Fraction(9, 4)) == pytest.approx([1.5])

    @pytest.mark.parametrize(
        "step",
        [
            lambda half: exponentiated_gradient_step(np.array([half, half]), np.array([half, -half]), 4),
            lambda half: balanced_winnow(np.array([[1, half]], dtype=object), [1], 4),
            lambda half: multiplicative_run(np.array([[half, -half]], dtype=object), 4),
        ],
        ids=["gradient step", "balanced", "in Kesler's space"],
    )
    def test_fractions_as_exponents_are_refused(self, step):
        with pytest.raises(ValueError, match=r"expected whole numbers as features.*got -?1/2.*give floats"):
            step(Fraction(1, 2))

    def test_bounds_on_disjunctions(self):
        assert disjunction_bound(3, 200, 16, 2) == pytest.approx(2 * 3 * 5 + 200 / 16)
        assert disjunction_bound(1, 27, 9, 3) == pytest.approx(3 * 3 + 3)
        assert disjunction_worst_case(5, 500, 20) == 65
        assert disjunction_worst_case(2, 30, 7, factor=3) == 2 * 2 + (30 + 2 * 2 * 6 * 2 - 2 * 9) // 7
        assert [attributes_for_worst_case(s, 4) for s in (1, 2, 3)] == [4, 8, 12]
        assert promotions_needed(10, 3) == 3

    @pytest.mark.parametrize(("threshold", "factor"), [(0, 2), (1.5, 2), (4, 1), (4, 2.5)])
    def test_promotions_are_counted_for_whole_numbers(self, threshold, factor):
        with pytest.raises(ValueError, match="whole number"):
            promotions_needed(threshold, factor)


class TestRun:
    @settings(max_examples=40, deadline=None)
    @given(seeds, st.integers(2, 5), st.sampled_from(["mistake", "first"]))
    def test_exact_runs_are_the_algorithm_word_by_word(self, seed, k, ties):
        X, y = signed_sample(np.random.default_rng(seed), k, 4, 9)
        factor = Fraction(3, 2)
        run = run_winnow(X, y, k, factor=factor, ties=ties, max_epochs=4)
        W, updates, log_mean = plain_winnow(X, y, k, factor, 4, ties)
        assert run.updates.tolist() == updates
        assert (run.W == W).all()
        mean = np.exp(log_mean)
        assert run.W_average == pytest.approx(mean / mean.sum())

    @settings(max_examples=40, deadline=None)
    @given(seeds, st.integers(2, 5), st.sampled_from(["mistake", "first"]))
    def test_compiled_and_exact_runs_agree_update_by_update(self, seed, k, ties):
        X, y = signed_sample(np.random.default_rng(seed), k, 5, 12)
        # Powers of 2 are floats without rounding, so ties break alike.
        exact = run_winnow(X, y, k, factor=2, ties=ties, max_epochs=3)
        compiled = run_winnow(X.astype(float), y, k, factor=2, ties=ties, max_epochs=3)
        assert exact.updates.tolist() == compiled.updates.tolist()
        assert exact.exponents.tolist() == compiled.exponents.tolist()
        assert exact.W.astype(float) == pytest.approx(compiled.W)
        assert exact.W_average == pytest.approx(compiled.W_average)

    @settings(max_examples=20, deadline=None)
    @given(seeds)
    def test_sparse_and_dense_runs_agree(self, seed):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(30, 6)) * (rng.random((30, 6)) < 0.4)
        y = rng.integers(0, 3, 30)
        dense = run_winnow(X, y, 3, factor=1.3, max_epochs=5)
        for made in (sp.csr_matrix, sp.csc_matrix, sp.coo_array):
            sparse = run_winnow(made(X), y, 3, factor=1.3, max_epochs=5)
            assert sparse.updates.tolist() == dense.updates.tolist()
            assert (sparse.exponents == dense.exponents).all()

    def test_a_run_may_go_on_from_another(self):
        X, y = signed_sample(np.random.default_rng(5), 3, 4, 20)
        for points in (X, X.astype(float)):
            whole = run_winnow(points, y, 3, factor=2, max_epochs=3)
            part = run_winnow(points, y, 3, factor=2, max_epochs=1)
            kept = part.exponents.copy()
            rest = run_winnow(points, y, 3, factor=2, start=part, max_epochs=2)
            assert (rest.exponents == whole.exponents).all()
            assert (rest.delayed == whole.delayed).all()
            assert rest.n_steps == whole.n_steps == 60
            assert (part.exponents == kept).all()

    def test_the_order_is_followed(self):
        X, y = signed_sample(np.random.default_rng(2), 3, 4, 12)
        order = np.random.default_rng(0).permutation(12)
        ordered = run_winnow(X, y, 3, factor=2, order=lambda epoch: order, max_epochs=2)
        moved = run_winnow(X[order], y[order], 3, factor=2, max_epochs=2)
        assert (ordered.exponents == moved.exponents).all()
        assert ordered.updates[:, 0].tolist() == order[moved.updates[:, 0]].tolist()

    def test_history_ends_at_the_weights_of_the_run(self):
        X, y = signed_sample(np.random.default_rng(3), 3, 4, 10)
        run = run_winnow(X, y, 3, factor=2, max_epochs=2)
        weights = list(winnow_history(run, X, y))
        assert len(weights) == run.n_updates + 1
        assert (weights[0] == Fraction(1, 12)).all()
        assert (weights[-1] == run.W).all()
        assert all(W.sum() == 1 for W in weights)

    def test_weights_far_beyond_the_range_of_floats(self):
        # One point that can never be right: the exponents run away, and the weights stay numbers.
        X, y = np.array([[1.0, 0.5], [1.0, 0.5]]), np.array([0, 1])
        run = run_winnow(X, y, 2, factor=math.e**40, max_epochs=2)
        assert run.exponents.tolist() == [[0.0, 0.0], [0.0, 0.0]]
        drift = np.array([[1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]])
        far = run_winnow(np.tile(drift, (200, 1)), np.tile([0, 0, 1], 200), 2, factor=math.e**40, max_epochs=3)
        assert np.isfinite(far.W).all()
        assert far.W.sum() == pytest.approx(1)

    def test_weights_too_small_for_a_float_come_back(self):
        # The first feature falls by 2000 powers of e and climbs again; without exponents it would be 0 for good.
        down = np.tile([[-1.0, 1.0]], (1, 1))
        X, y = np.r_[np.tile(down, (1, 1)), [[1.0, 0.0]]], np.array([0, 0])
        run = run_winnow(X, y, 2, factor=math.e**100, max_epochs=60)
        assert np.isfinite(run.W).all()
        exact = run_winnow(as_integers(X), y, 2, factor=3, max_epochs=60)
        assert exact.converged == run.converged

    def test_rescaling_changes_no_prediction(self, monkeypatch):
        X, y = signed_sample(np.random.default_rng(8), 4, 6, 25)
        plain = run_winnow(X, y, 4, factor=2, max_epochs=4)
        for size in (0.7, 1.5, 10):
            monkeypatch.setattr("mcbook.winnow.algorithm.run.LARGEST_STEP", size)
            for points in (X, X.astype(float)):
                assert run_winnow(points, y, 4, factor=2, max_epochs=4).updates.tolist() == plain.updates.tolist()

    @pytest.mark.parametrize("period", [1, 2])
    def test_the_largest_weight_is_1_after_every_period(self, period):
        D = np.array([[1.0, 1.0], [1.0, -1.0]])
        W, E, delayed = np.ones((2, 2)), np.zeros((2, 2)), np.zeros((2, 2))
        begin, place, order = 2 * np.arange(3), np.zeros(2, dtype=np.int64), np.arange(2)
        updates = np.empty((2, 2), dtype=np.int64)
        settings = (0, 2.0, period, True, updates)
        made = winnow_epoch(D.ravel(), order, begin, place, np.array([0, 1]), order, W, E, delayed, *settings)
        assert made == 2
        assert E.T.tolist() == [[0.0, 2.0], [0.0, -2.0]]
        assert W.tolist() == (2.0 ** (E - 2)).tolist()

    @pytest.mark.parametrize(("factor", "largest"), [(2.0, 3.0), (math.exp(400), 1e-3), (1.5, 0.0)])
    def test_between_two_rescalings_no_weight_leaves_its_range(self, factor, largest):
        _, period = _factor_and_period(factor, np.array([largest, -largest / 2]))
        growth = max(largest * math.log(factor), 1e-6)
        assert period * growth <= 300 < (period + 1) * growth

    def test_laws_of_large_exponents(self):
        law = as_law(np.array([[1e6, 1e6 - 1], [-1e6, 0.0]]), math.e)
        assert law[0, 0] == pytest.approx(1 / (1 + math.exp(-1)))
        assert law.sum() == pytest.approx(1)

    @pytest.mark.parametrize(
        ("X", "y", "factor", "says"),
        [
            (np.ones(3), np.zeros(3, int), 2, "n_samples, n_features"),
            (np.ones((3, 2)), np.zeros(2, int), 2, "same number of rows"),
            (np.ones((2, 1)), ["cat", "dog"], 2, "strings such as 'cat'"),
            (np.ones((2, 1)), np.array([0, 2]), 2, "labels 0 .. 1"),
            (np.array([[np.nan], [1.0]]), np.array([0, 1]), 2, "finite"),
            (sp.csr_matrix([[np.inf], [1.0]]), np.array([0, 1]), 2, "finite"),
            (np.ones((2, 1)), np.array([0, 1]), 1, "factor > 1"),
            (np.ones((2, 1)), np.array([0, 1]), np.inf, "factor > 1"),
            (np.ones((2, 1)), np.array([0, 1]), np.nan, "factor > 1"),
            (1000 * np.ones((2, 1)), np.array([0, 1]), 2, "largest entry"),
            (np.array([[Fraction(1, 2)]], dtype=object), np.array([0]), 2, "whole numbers"),
        ],
    )
    def test_bad_input_is_named(self, X, y, factor, says):
        with pytest.raises(ValueError, match=says):
            run_winnow(X, y, 2, factor=factor)

    def test_going_on_needs_the_same_shape_and_factor(self):
        X, y = np.eye(2), np.array([0, 1])
        run = run_winnow(X, y, 2, factor=2)
        for k, factor in ((3, 2), (2, 3)):
            with pytest.raises(ValueError, match="go on from"):
                run_winnow(X, y, k, factor=factor, start=run)


class TestMachines:
    def test_winnow_on_a_disjunction_step_by_step(self):
        X = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 1, 0], [1, 0, 0, 1]])
        run = winnow_on_disjunction(X, [1, 0, 1, 1], threshold=2, factor=2)
        assert run.weights.tolist() == [[1, 1, 1, 1], [1, 1, 0, 0], [1, 2, 0, 0], [2, 2, 0, 0]]
        assert (run.promotions.tolist(), run.eliminations.tolist(), run.n_mistakes) == ([2, 3], [1], 3)

    def test_attributes_are_on_or_off(self):
        with pytest.raises(ValueError, match="on or off"):
            winnow_on_disjunction([[0.5]], [1], threshold=1)
        with pytest.raises(ValueError, match="rows"):
            winnow_on_disjunction([[1]], [1, 0], threshold=1)

    @settings(max_examples=25, deadline=None)
    @given(seeds)
    def test_balanced_winnow_reads_signs_and_its_threshold(self, seed):
        rng = np.random.default_rng(seed)
        X, signs = as_integers(rng.integers(-1, 2, (8, 3))), rng.choice([-1, 1], 8)
        run = balanced_winnow(X, signs, 2, threshold=Fraction(1, 3), max_epochs=2)
        up, down, made = np.full(3, Fraction(1)), np.full(3, Fraction(1)), []
        for i in [*range(8), *range(8)]:
            if signs[i] * ((up - down) @ X[i] - Fraction(1, 3)) <= 0:
                up = np.array([u * Fraction(2) ** int(signs[i] * v) for u, v in zip(up, X[i], strict=True)])
                down = np.array([u * Fraction(2) ** int(-signs[i] * v) for u, v in zip(down, X[i], strict=True)])
                made.append(i)
        assert run.updates == made
        assert (run.positive[-1] == up).all()
        assert (run.negative[-1] == down).all()

    def test_a_value_of_0_is_a_mistake_of_balanced_winnow(self):
        assert balanced_winnow(as_integers([[1, -1]]), [1], 2).updates == [0]

    def test_a_multiplicative_run_visits_rows_one_after_the_other(self):
        D = as_integers(np.array([[1, -1, 0], [0, 1, -1]]))
        run = multiplicative_run(D, 2)
        # Row 1: (2, 1/2, 1) over 7/2; row 2: 1/2 < 1, an update to (2, 1, 1/2).
        assert run.updates == [0, 1]
        assert run.weights[-1].tolist() == [Fraction(4, 7), Fraction(2, 7), Fraction(1, 7)]
        assert multiplicative_run(as_integers([[1], [-1]]), 2, max_epochs=5).n_updates == 5


class TestMixture:
    def test_both_witnesses_are_what_they_say(self):
        X = as_integers(np.array([[1, 0, 1], [0, 1, 1], [-1, -1, 1], [1, -1, 0]]))
        y = np.array([0, 1, 2, 0])
        best = best_mixture(X, y, 3)
        D = kesler_vectors(X, y, 3)
        assert best.U.sum() == best.multipliers.sum() == 1
        assert best.U.min() >= 0 <= best.multipliers.min()
        assert (D @ best.U.ravel()).min() == best.gamma.lower
        assert (best.multipliers @ D).max() == best.gamma.upper
        assert 0 <= best.gamma.upper - best.gamma.lower < 1e-9

    def test_a_game_that_is_solved_by_hand(self):
        # One attribute decides and the row of the label is enough: half of the weight in each class.
        assert best_mixture([[1, 1], [-1, 1]], [0, 1], 2).gamma.middle == pytest.approx(1)
        assert best_mixture([[2, 1]], [0], 2).gamma.middle == pytest.approx(2)

    def test_inseparable_samples_come_with_multipliers(self):
        X, y = as_integers([[1, 0], [1, 0]]), np.array([0, 1])
        with pytest.raises(NotSeparable) as caught:
            best_mixture(X, y, 2)
        assert not (np.array(caught.value.multipliers) @ kesler_vectors(X, y, 2)).any()


class TestInstances:
    def test_the_adversary_is_never_answered_rightly(self):
        for s, theta, extra in ((1, 2, 0), (1, 4, 3), (2, 4, 0), (3, 6, 5), (2, 16, 40)):
            d = attributes_for_worst_case(s, theta) + extra
            X, y = disjunction_adversary(s, d, theta)
            assert (y == X[:, :s].any(axis=1)).all()
            run = winnow_on_disjunction(X, y, threshold=theta)
            assert run.n_mistakes == len(X) == disjunction_worst_case(s, d, theta)

    @pytest.mark.parametrize(("s", "d", "theta"), [(2, 7, 4), (1, 50, 5)])
    def test_where_the_worst_case_need_not_be_attained_there_is_no_adversary(self, s, d, theta):
        with pytest.raises(ValueError, match="even threshold"):
            disjunction_adversary(s, d, theta)

    def test_the_tight_mixture_has_its_margin_everywhere(self):
        X, y = winnow_tight_sample(4)
        U = winnow_tight_mixture(4, Fraction(3, 5))
        assert U.sum() == 1
        assert (kesler_vectors(X, y, 2) @ U.ravel() == Fraction(3, 5)).all()

    def test_hadamard_rows_are_orthogonal(self):
        H = hadamard_rows(4)
        assert (16 * np.eye(16) == H @ H.T).all()
        X, y = hadamard_sample(3)
        assert (np.where(y == 0, 1, -1) == X[:, -1]).all()
        assert set(y) == {0, 1}

    def test_a_stream_comes_in_blocks_with_the_majority_as_label(self):
        blocks = list(majority_stream(np.random.default_rng(0), 3, 11, 150, block=64))
        assert [X.shape for X, _ in blocks] == [(64, 11), (64, 11), (22, 11)]
        for X, y in blocks:
            assert set(X.ravel()) == {-1.0, 1.0}
            assert (y == (np.sign(X[:, :3].sum(axis=1)) < 0)).all()
        assert abs(np.concatenate([X for X, _ in blocks]).mean()) < 0.1
        assert len(list(majority_stream(np.random.default_rng(0), 1, 2, 128, block=64))) == 2
        rows = np.concatenate([X for X, _ in majority_stream(np.random.default_rng(1), 1, 8, 6000)])
        assert len({row.tobytes() for row in rows}) == 256

    @pytest.mark.parametrize(("s", "d"), [(2, 5), (7, 5), (-1, 5)])
    def test_an_even_vote_is_refused(self, s, d):
        with pytest.raises(ValueError, match="odd number"):
            next(majority_stream(np.random.default_rng(0), s, d, 5))
