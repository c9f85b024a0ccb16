"""The kernels of single blocks, compiled as they are used, against a few lines of numpy."""

from __future__ import annotations

import numpy as np
import pytest
from svm_runs import BOTH
from svm_samples import best_flows, flows_of_an_example, hinges_of

from mcbook.svm_solvers.kernels import blocks


@pytest.fixture(params=range(8))
def rng(request):
    return np.random.default_rng(request.param)


class TestBlocks:
    def test_a_row_is_copied_and_nothing_else(self):
        table = np.arange(12.0).reshape(3, 4)
        row = np.full(2, np.nan)
        blocks.copy_row(table, 1, row)
        assert row.tolist() == [4, 5]
        copy = np.full((3, 4), np.nan)
        blocks.copy_table(table, copy)
        np.testing.assert_array_equal(copy, table)

    def test_the_highest_of_a_part(self):
        values = np.array([-1.0, -7.0, -3.0, -5.0, -2.0])
        assert blocks.highest(values, 1, 4) == -3
        assert blocks.highest(values, 1, 2) == -7
        assert blocks.highest(values, 2, 2) == -np.inf

    @pytest.mark.parametrize("label", range(4))
    def test_slacks_look_at_the_first_classes_alone(self, rng, label):
        scores = rng.integers(-8, 8, 4) / 4.0
        excess = np.maximum(np.delete(1 + scores - scores[label], label), 0)
        padded = np.r_[scores, 50.0, 60.0]
        assert blocks.hinge_slack(padded, 4, label) == excess.max()
        assert blocks.hinge_slacks(padded, 4, label) == excess.sum()

    def test_what_rivals_give_at_the_threshold_0(self):
        values = np.full(4, 7.0)
        scores, old = np.array([0.5, -1.0, 2.0, 9.0]), np.array([-0.25, 1.0, -0.75, 9.0])
        blocks.rival_values(scores, 3, 1, 4.0, 0.5, old, values)
        assert values.tolist() == [0.5 * (1.5 + 1 - 4) + 0.25, -np.inf, 0.5 * (3 + 1 - 4) + 0.75, 7]

    @pytest.mark.parametrize(
        ("values", "demand", "capacity", "threshold"),
        [
            ([1, 2, 3], 6, 10, 0),  # all three give, 1 + 2 + 3, and the label takes 6 + 0
            ([1, 3, 5], 2, 10, 2),  # two give, 1 + 3 = 2 + 2
            ([1, 3, 5], 2, 3, 2.5),  # the label takes all that it can: 0.5 + 2.5 = 3
            ([1, 3, 5], 2, 1, 4),
            ([1, 3, 5], -10, 4, 10),  # nobody gives anything: the label begins to take at 10
            ([-7, -3, -5], 5.5, 10, -4.25),
            ([1, 3, 5], 1, 0, 5),
            ([1, 3, 5], -9, 0, 9),
            ([1e3, 0, 0], 1, 1e-20, 1e3),  # a capacity that the threshold does not show
            ([], 3, 5, -3),
        ],
    )
    def test_a_threshold_worked_by_hand(self, values, demand, capacity, threshold):
        padded = np.array([*values, -np.inf, 40.0])
        found = blocks.balancing_threshold(padded, len(values) + 1, float(demand), float(capacity))
        assert found == pytest.approx(threshold, abs=1e-14)
        assert np.isneginf(padded[-2])

    @BOTH
    @pytest.mark.parametrize("scale", [1e-9, 1.0, 1e6])
    def test_blocks_are_the_best_flows_at_every_scale(self, rng, one_slack, scale):
        block = blocks.crammer_singer_block if one_slack else blocks.weston_watkins_block
        for n in range(2, 9):
            label, squared_norm = int(rng.integers(n)), rng.uniform(0.2, 4) / scale
            capacity = scale * rng.choice([0.02, 0.3, 1.0, 20.0])
            old = flows_of_an_example(rng, n, label, capacity, one_slack)
            scores = rng.normal(size=n) * rng.choice([0.3, 1, 3])
            padded_scores, padded_old, new = np.r_[scores, 90.0], np.r_[old, -90.0], np.full(n + 1, 7.0)
            gap = block(padded_scores, n, label, capacity, squared_norm, padded_old, new)
            best = best_flows(scores, label, capacity, squared_norm, old, one_slack)
            np.testing.assert_allclose(new[:n], best, rtol=1e-11, atol=1e-12 * scale)
            assert new[n] == 7
            slack = hinges_of(scores[None], [label], one_slack)[0]
            assert gap == pytest.approx(capacity * slack - old[label] + old @ scores, rel=1e-11, abs=1e-12 * scale)
            assert padded_scores.tolist() == [*scores, 90]
            assert padded_old.tolist() == [*old, -90]

    def test_a_rival_for_each_of_whose_slacks_there_is_no_more_gives_its_capacity(self):
        """With steep scores all rivals are at the capacity, with scores far behind none gives anything."""
        for label in range(3):
            scores, new = np.full(3, 100.0), np.empty(3)
            scores[label] = 0
            gap = blocks.weston_watkins_block(scores, 3, label, 0.25, 1.0, np.zeros(3), new)
            assert new.tolist() == [0.5 if z == label else -0.25 for z in range(3)]
            assert gap == 0.25 * 202
            old = new.copy()
            gap = blocks.weston_watkins_block(-scores, 3, label, 0.25, 1.0, old, new)
            assert new.tolist() == [0, 0, 0]
            assert gap == -0.5 + 2 * 0.25 * 100

    def test_the_search_for_the_flows_of_many_rivals_goes_in_no_circle(self):
        """From the lowest sum at which all give their capacity to the highest at which two do, and back."""
        scores, old, new = np.array([6.5, 9.25, 7.0, 6.5, 1.0]), np.zeros(5), np.empty(5)
        blocks.weston_watkins_block(scores, 5, 4, 1.75, 1.0, old, new)
        np.testing.assert_allclose(new, best_flows(scores, 4, 1.75, 1.0, old, False), atol=1e-14)

    @pytest.mark.parametrize(
        ("scores", "old"),
        [
            ([1, 3, -3.25, 3], [0, 0, 0, 0]),
            ([1, 3.5, 4.25, 3.75, 3.75], [0, 0, 0, 0, 0]),
            ([0.75, -1], [1.75, -1.75]),
            ([5.25, -7.75, -0.5, 3, 4], [1.75, 0, 0, -1.75, 0]),
        ],
    )
    def test_where_a_step_of_the_search_leaves_its_bracket_the_bracket_is_halved(self, scores, old):
        scores, old, n = np.array(scores, float), np.array(old, float), len(scores)
        new = np.empty(n)
        blocks.weston_watkins_block(scores, n, 0, 1.75, 1.0, old, new)
        np.testing.assert_allclose(new, best_flows(scores, 0, 1.75, 1.0, old, False), atol=1e-14)

    def test_what_an_example_adds_to_the_gap(self):
        scores, flows = np.array([2.0, -1.0, 0.5, 70.0]), np.array([-0.5, 0.75, -0.25, 80.0])
        assert blocks.example_gap(scores, 3, 1, 4.0, flows) == 4 - 0.75 - 1 - 0.75 - 0.125
