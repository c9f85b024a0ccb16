"""Structured margins: rescalings, chains, listed problems, their duals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits
from structured_problems import float_problem

from benchmarks import structured_race
from mcbook.foundation.pages import measured
from mcbook.structured import Scores, chains, hamming_cost, margin_rescaled, score_of, structures
from mcbook.structured.algorithm.forest import rooted_trees
from mcbook.structured.algorithm.inference import all_labellings, every_score
from mcbook.structured_margins import (
    chain_problem,
    digit_sequences,
    distribution_from_marginals,
    enumerated_problem,
    frank_wolfe_bound,
    frank_wolfe_step,
    hidden_chain,
    kernel_planes,
    loss_multiples,
    marginals_of_distribution,
    mixed_difference,
    most_violated_margin,
    most_violated_slack,
    one_slack,
    planes_bound,
    planes_needed,
    ring_chains,
    rounds_bound,
    slack_rescaled,
    solve_enumerated,
    solve_enumerated_dual,
    solve_factored_dual,
    solve_gram_dual,
)
from mcbook.structured_margins.algorithm.chains import cost_levels
from mcbook.structured_margins.algorithm.enumerated import problem_of_labels
from mcbook.structured_margins.instances import random_problem
from mcbook.structured_margins.theory import planes_of

seeds = st.integers(0, 2**32 - 1)


class TestTheory:
    def test_both_rescalings_by_hand(self):
        losses, leads = np.array([1, 2, 3]), np.array([Fraction(1, 2), 1, 2])
        assert margin_rescaled(losses, leads) == 1
        assert slack_rescaled(losses, leads) == Fraction(1, 2)
        assert margin_rescaled(losses, 10 + leads) == slack_rescaled(losses, 10 + leads) == 0

    def test_planes_have_the_terms_as_values(self):
        rng = np.random.default_rng(0)
        losses, psi, w = rng.random(5), rng.normal(size=(5, 3)), rng.normal(size=3)
        for rescaling, value in (("margin", margin_rescaled), ("slack", slack_rescaled)):
            b, G = planes_of(losses, psi, rescaling)
            assert max(0, (b - G @ w).max()) == pytest.approx(value(losses, psi @ w))

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
            planes_of([1], [[0]], "both")
        with pytest.raises(ValueError, match="epsilon <= 4 C R"):
            planes_bound(1, 1, 1, 5)
        with pytest.raises(ValueError, match="rule"):
            planes_needed(1, 1, 1, "luck")


class TestInference:
    @settings(max_examples=40, deadline=None)
    @given(seeds, st.integers(1, 6), st.integers(2, 4))
    def test_both_maxima_are_those_of_the_enumeration(self, seed, length, k):
        rng = np.random.default_rng(seed)
        forest = rooted_trees([[-1, *(int(rng.integers(0, t)) for t in range(1, length))], [-1, 0]])
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

    @pytest.mark.parametrize("weight", [[1.0, -1.0], [1.0], [1.0, np.nan]])
    def test_weights_of_sequences_are_checked(self, weight):
        data = structures([[1.0], [-1.0]], chains([1, 1]))
        with pytest.raises(ValueError, match="weight"):
            chain_problem(data, np.array([0, 1]), 2, C=1.0, weight=np.array(weight))

    def test_weights_of_exact_sequences_stay_exact(self):
        data = structures(np.array([[1], [-1]], dtype=object), chains([1, 1]))
        weight = np.array([Fraction(1, 3), Fraction(2)])
        problem = chain_problem(data, np.array([0, 1]), 2, C=1, weight=weight)
        assert problem.primal(np.zeros(problem.n_features, dtype=int) + Fraction(0)) == Fraction(7, 3)

    def test_large_whole_costs_are_not_taken_for_floats(self):
        steps, unit = cost_levels(np.array([[0, 2**60 + 1], [2**61 + 2, 0]], dtype=object))
        assert (steps.tolist(), unit) == ([[0, 1], [2, 0]], 2**60 + 1)

    def test_an_asymmetric_cost_has_the_right_label_first(self):
        cost = np.array([[0.0, 5.0], [1.0, 0.0]])
        zero = Scores(np.zeros((1, 2)), np.zeros((2, 2)))
        assert most_violated_margin(zero, chains([1]), np.array([0]), cost).values.tolist() == [5]
        assert most_violated_margin(zero, chains([1]), np.array([1]), cost).values.tolist() == [1]


class TestEnumerated:
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
            enumerated_problem([np.array([1.0])], [np.array([[1.0]])], 1.0)
        with pytest.raises(ValueError, match="offsets >= 0"):
            enumerated_problem([np.array([0.0, -1.0])], [np.array([[0.0], [1.0]])], 1.0)
        with pytest.raises(ValueError, match="C > 0"):
            enumerated_problem([np.array([0.0])], [np.array([[0.0]])], 0)

    def test_joint_features_give_differences(self):
        listed = problem_of_labels([np.eye(3)], np.array([1]), [np.array([2.0, 0.0, 1.0])], 1.0, "slack")
        assert listed.gradients[0].tolist() == [[-2, 2, 0], [0, 0, 0], [0, 1, -1]]


class TestDuals:
    @pytest.mark.parametrize("shape", ["chains", "trees"])
    def test_four_problems_have_one_value(self, shape):
        rng = np.random.default_rng(3)
        forest = chains([3, 2, 1]) if shape == "chains" else rooted_trees([[-1, 0, 0], [-1, 0], [-1]])
        X, y = rng.normal(size=(6, 2)), rng.integers(0, 2, 6)
        problem = chain_problem(structures(X, forest), y, 2, 0.5)
        listed = problem.listed()
        value = solve_enumerated(listed).value.middle
        assert solve_enumerated_dual(listed).value.middle == pytest.approx(value, rel=1e-6)
        assert solve_factored_dual(problem).value.middle == pytest.approx(value, rel=1e-6)
        if shape == "chains":
            planes = kernel_planes(problem, lambda A, B: A @ B.T)
            by_kernel = solve_gram_dual(planes.gram, planes.offsets, planes.owners, 0.5)
            assert by_kernel.value.middle == pytest.approx(value, rel=1e-6)

    def test_a_kernel_scores_as_its_features_do(self):
        problem = float_problem(4, lengths=(2, 2), n_labels=2)
        planes = kernel_planes(problem, lambda A, B: A @ B.T)
        alpha = solve_gram_dual(planes.gram, planes.offsets, planes.owners, 0.5).point
        w = solve_enumerated(problem.listed()).point
        fresh = np.random.default_rng(5).normal(size=(4, 2))
        ours = planes.score(alpha, fresh @ problem.data.X.T, 2)
        W = problem.joint.parts(w).W
        assert ours == pytest.approx(fresh @ W, abs=1e-4)

    def test_distributions_and_marginals(self):
        distribution = np.array([Fraction(1, 4), 0, Fraction(1, 2), Fraction(1, 4)], dtype=object)
        P, pairs = marginals_of_distribution(distribution, 2, 2)
        assert P.tolist() == [[Fraction(1, 4), Fraction(3, 4)], [Fraction(3, 4), Fraction(1, 4)]]
        assert (distribution_from_marginals(P, pairs) == distribution).all()

    def test_two_rings_need_the_square(self):
        X, y, forest = ring_chains(np.random.default_rng(0), 5, 3)
        assert forest.n_sequences == 5
        assert ((np.linalg.norm(X, axis=1) > 1) == (y == 1)).all()

    def test_both_rings_are_drawn_as_often_and_in_all_directions(self):
        X, y, _ = ring_chains(np.random.default_rng(0), 2000, 4)
        assert np.linalg.norm(X, axis=1) == pytest.approx(np.where(y == 1, 1.5, 0.5))
        assert 0.45 < y.mean() < 0.55
        octant = np.floor(np.arctan2(X[:, 1], X[:, 0]) / (np.pi / 4)).astype(int) % 8
        assert np.bincount(octant, minlength=8) == pytest.approx(np.full(8, 1000), rel=0.1)


def test_sequences_of_digits_begin_with_any_digit_as_often():
    data = digit_sequences(np.random.default_rng(0), 4000, 1)
    assert np.bincount(data.y, minlength=10) == pytest.approx(np.full(10, 400), rel=0.2)
    images, labels = load_digits(return_X_y=True)
    assert data.data.X.max() == 1
    of_image = {image.tobytes(): label for image, label in zip(images[:898] / 16, labels[:898], strict=True)}
    assert [of_image[x.tobytes()] for x in data.data.X] == data.y.tolist()


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
    assert errors.dtype == object
    E, T = (np.asarray(table, dtype=float) for table in chain.scores)
    assert chain._replace(scores=Scores(E, T)).cloud()[1].dtype == int
    assert leads[3] == -score_of(chain.scores, chain.forest, Y[3])[0]


def test_the_race_is_recorded_for_the_chapter(tmp_path):
    target = tmp_path / "race.json"
    assert structured_race.record(target, 6, 0.2) == "race.json"
    kept = measured("structured_gap_against_time")["curves"]
    for curve in kept.values():
        assert curve["seconds"] == sorted(curve["seconds"])
        assert curve["gap"][-1] <= 1e-3 < curve["gap"][0]
