"""The lines of the ascent's kernels against their definitions, in numpy: scores, blocks of few classes, lists."""

from __future__ import annotations

import numpy as np
import pytest
from new_arrays import spoil_new_arrays

from mcbook.svm.theory import slacks_of_scores
from mcbook.svm_solvers.kernels import ascent

FORMS = ["dense", "gram", "sparse"]


@pytest.fixture(autouse=True)
def _new_arrays_hold_nothing(monkeypatch):
    spoil_new_arrays(monkeypatch)


def whole_numbers(rng, *shape):
    return rng.choice([-3.0, -2.0, -1.0, 1.0, 2.0, 4.0], shape)


def rows_and_state(rng, form):
    """Four examples, of which the last has no entries, and the state for 20 classes; all in whole numbers.

    Then the scores of all examples, a row each, and what a unit of flow of each adds to a class of the state.
    """
    X = whole_numbers(rng, 4, 5) * (rng.random((4, 5)) < 0.7)
    X[3] = 0.0
    if form == "gram":
        kept, scores, position = whole_numbers(rng, 3, 6), whole_numbers(rng, 20, 6), np.array([2, 0, 1, 1])
        return (kept, position), scores, scores.T, kept[position]
    W = whole_numbers(rng, 20, 5)
    if form == "dense":
        return (X,), W, X @ W.T, X
    indices = [np.flatnonzero(x) for x in X]
    rows = X[X != 0.0], np.concatenate(indices), np.cumsum([0, *map(len, indices)])
    return rows, np.ascontiguousarray(W.T), X @ W.T, X


def classes_in_order(rng, n, is_last):
    """So many of 20 classes, in order, from place 2 on, and others around them; where they begin and end."""
    mine, others = np.sort(rng.permutation(20)[:n]), rng.permutation(20)[:4]
    return np.r_[others[:2], mine, others[2 : 2 if is_last else 4]].astype(np.int32), 2, 2 + n


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n", [*range(1, 10), 19, 20])
def test_scores_of_the_listed_classes_are_read_in_their_order(form, n):
    rng = np.random.default_rng(n)
    for i in range(4):
        rows, state, scores_of_all, _ = rows_and_state(rng, form)
        listed, begin, end = classes_in_order(rng, n, is_last=i % 2)
        before, scores = state.copy(), np.full(20, np.nan)
        ascent.read_scores(rows, state, i, listed, begin, end, scores)
        assert scores[:n].tolist() == scores_of_all[i, listed[begin:end]].tolist()
        # Where many are listed of sparse rows, those of all classes are read.
        assert np.isnan(scores[n:]).all() or (form == "sparse" and 3 * n >= 20)
        assert (state == before).all()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n", [*range(1, 10), 19, 20])
def test_flows_reach_the_listed_classes_of_the_state_and_no_other(form, n):
    rng = np.random.default_rng(n)
    for draw in range(20):
        i = draw % 4
        rows, state, _, added = rows_and_state(rng, form)
        listed, begin, end = classes_in_order(rng, n, is_last=draw % 2)
        change = rng.choice([0.0, 0.0, 1.0, 1.0, 2.0, -3.0], n + 1)
        flows = np.zeros(20)
        flows[listed[begin:end]] = change[:n]
        expected = np.outer(flows, added[i])
        expected = state + (expected.T if form == "sparse" else expected)
        kept = change.copy()
        ascent.add_flows(rows, state, i, listed, begin, end, change)
        assert (state == expected).all()
        assert (change == kept).all()


def test_random_numbers_are_those_of_xorshift():
    state, mask = 0x9E3779B97F4A7C15, (1 << 64) - 1
    seed = np.array([state, 77], np.uint64)
    for n in (1, 2, 7, 1000, 2**31 + 12345, 2**32 - 1) * 5:
        state ^= (state << 13) & mask
        state ^= state >> 7
        state ^= (state << 17) & mask
        assert ascent.below(seed, n) == ((state >> 32) * n) >> 32
        assert seed.tolist() == [state, 77]


def threshold(values, demand, capacity):
    """The root of a convex function that falls: the largest root of the lines whose maximum it is."""
    sums, counts = np.cumsum(np.sort(values)[::-1]), np.arange(1, len(values) + 1)
    return max(-demand, ((sums - demand) / (counts + 1)).max(), ((sums - capacity) / counts).max())


def drawn_example(rng, n_classes, one_slack=True):
    """Scores, label, capacity, squared norm and feasible flows: none, all that may be, or something in between."""
    label, capacity = int(rng.integers(n_classes)), rng.uniform(0.1, 3.0)
    given = rng.uniform(0.1, 1.0, n_classes) * (rng.random(n_classes) < 0.6)
    given[label] = 0.0
    if given.sum() > 0.0:
        given *= capacity * rng.choice([0.6, 1.0]) / given.sum()
    flows = -given
    flows[label] = given.sum()
    return rng.normal(size=n_classes) * rng.choice([0.3, 1.0, 3.0]), label, capacity, rng.uniform(0.2, 4.0), flows


def best_flows(scores, label, capacity, squared_norm, old):
    """The flows that are best for the example while all others stay, and their threshold."""
    rivals = np.arange(len(scores)) != label
    values = ((1.0 + scores - scores[label]) / squared_norm - old)[rivals]
    p = threshold(values, old[label], capacity)
    new = np.zeros(len(scores))
    new[rivals] = -np.maximum(values - p, 0.0)
    new[label] = -new.sum()
    return new, p


def slack_of(scores, label, one_slack=True):
    excess = np.maximum(np.delete(1.0 + scores - scores[label], label), 0.0)
    return excess.max() if one_slack else excess.sum()


@pytest.mark.parametrize(("block", "n_classes"), [(ascent.duel, 2), (ascent.contest, 3)])
def test_blocks_of_two_and_of_three_classes_have_the_best_flows(block, n_classes):
    rng = np.random.default_rng(n_classes)
    for _ in range(300):
        scores, label, capacity, squared_norm, old = drawn_example(rng, n_classes)
        new = np.full(n_classes + 1, np.inf)
        gap = block(np.r_[scores, 50.0], label, capacity, squared_norm, np.r_[old, -50.0], new)
        expected, _ = best_flows(scores, label, capacity, squared_norm, old)
        np.testing.assert_allclose(new[:n_classes], expected, rtol=0, atol=1e-13)
        assert new[n_classes] == np.inf
        assert (new[:n_classes] * np.where(np.arange(n_classes) == label, 1, -1) >= 0).all()
        expected = capacity * slack_of(scores, label) - old[label] + old @ scores
        assert gap == pytest.approx(expected, rel=1e-12, abs=1e-13)


def test_the_threshold_of_two_rivals_balances_what_they_give_and_what_is_taken():
    rng = np.random.default_rng(0)
    for _ in range(300):
        v, w, demand, capacity = *rng.normal(size=2), rng.normal(), rng.uniform(0.1, 3.0)
        demand = max(demand, -max(v, w))  # one of the two gives something
        found = ascent.threshold_of_two(v, w, demand, capacity)
        assert found == pytest.approx(threshold([v, w], demand, capacity), rel=1e-13, abs=1e-13)


@pytest.mark.parametrize("n_classes", range(2, 7))
def test_a_rival_without_flow_gets_some_once_its_excess_is_above_the_level(n_classes):
    rng = np.random.default_rng(n_classes)
    n_none = 0
    for _ in range(150):
        scores, label, capacity, squared_norm, old = drawn_example(rng, n_classes)
        new, p = best_flows(scores, label, capacity, squared_norm, old)
        values = np.full(n_classes, np.nan)
        found = ascent.excess_that_moves(scores, label, capacity, squared_norm, old, values)
        if new.any() or n_classes > 3:
            assert found == pytest.approx(squared_norm * p, rel=1e-12, abs=1e-12)
        else:
            # With three classes or fewer it is too low where the step leaves no flow: more than need be is listed.
            assert found < squared_norm * p + 1e-12
            n_none += 1
    assert n_none < 75


@pytest.mark.parametrize("n_classes", range(2, 6))
def test_where_one_rival_gives_all_that_there_is_the_level_is_the_slack_without_rounding(n_classes):
    rng = np.random.default_rng(n_classes)
    for _ in range(60):
        label, other = rng.permutation(n_classes)[:2].tolist()
        scores, old, capacity = np.full(n_classes, -9.0), np.zeros(n_classes), rng.uniform(0.1, 3.0)
        scores[label], scores[other] = rng.integers(-500, 0) / 1024, rng.integers(-900, 0) / 1024
        old[label], old[other] = capacity, -capacity
        slack = 1.0 + scores[other] - scores[label]
        found = ascent.excess_that_moves(
            scores, label, capacity, rng.uniform(0.01, 0.5), old, np.full(n_classes, np.nan)
        )
        assert found == slack


@pytest.mark.parametrize("loss", ["crammer-singer", "weston-watkins"])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_slacks_are_paid_for_by_capacity(loss, n_classes):
    rng = np.random.default_rng(n_classes)
    scores, y, capacity = whole_numbers(rng, 8, n_classes), rng.integers(0, n_classes, 8), np.arange(8.0)
    found = ascent.priced_slacks(scores, y, capacity, loss == "crammer-singer")
    assert found == capacity @ slacks_of_scores(scores, y, loss) > 0


def test_the_largest_excess_is_that_of_the_best_rival():
    scores = np.array([[5.0, 2.0, 1.0], [-1.0, -4.0, -2.0], [0.0, 0.5, 3.0]])
    expected = [[-2.0, 4.0, 5.0], [0.0, 4.0, 2.0], [4.0, 3.5, -1.5]]
    found = [[ascent.largest_excess(scores, i, label) for label in range(3)] for i in range(3)]
    assert found == expected
    assert ascent.largest_excess(scores[:, :1].copy(), 0, 0) == -np.inf


def classes_between_which_flows_may_move(scores, label, capacity, flows, squared_norm, shift, one_slack):
    """Those classes in order, and how many flows are free to move either way."""
    excess, given, n_classes = 1.0 + scores - scores[label], -flows, len(scores)
    rivals = [z for z in range(n_classes) if z != label]
    if capacity == 0.0 or (flows[label] == 0.0 and max(excess[rivals]) <= -shift):
        return [], 0
    level = 0.0
    if one_slack:
        level = ascent.excess_that_moves(scores, label, capacity, squared_norm, flows, np.full(n_classes, np.nan))
    listed = [z for z in rivals if given[z] > 0.0 or excess[z] > level - shift]
    stay = all(given[z] == capacity and excess[z] > shift for z in listed)
    if not listed or (stay and (len(listed) == 1 or not one_slack)):
        return [], 0
    n_free = sum(given[z] > 0.0 and (one_slack or given[z] < capacity) for z in listed)
    return sorted([label, *listed]), n_free - (one_slack and flows[label] == capacity)


def drawn_flows(rng, label, capacity, n_classes, one_slack):
    """In quarters of the capacity."""
    given, rivals = np.zeros(n_classes), np.delete(np.arange(n_classes), label)
    if one_slack:
        quarters = rng.choice([0, 0, 1, 2, 4, 4])
        np.add.at(given, rng.choice(rivals, quarters) if rng.random() < 0.6 else [rng.choice(rivals)] * quarters, 0.25)
    else:
        given[rivals] = rng.choice([0.0, 0.0, 0.25, 1.0, 1.0], n_classes - 1)
        if rng.random() < 0.3:
            given[rivals] = rng.choice([0.0, 1.0])
    flows = -capacity * given
    flows[label] = capacity * given.sum()
    return flows


@pytest.mark.parametrize("one_slack", [True, False])
@pytest.mark.parametrize("n_classes", range(2, 6))
@pytest.mark.parametrize("shift", [0.0, 0.25, 0.5, np.inf])
def test_the_classes_between_which_flows_may_move_are_listed(one_slack, n_classes, shift):
    """Scores in quarters, so that some are exactly as far behind as they may move."""
    rng, m = np.random.default_rng([n_classes, one_slack]), 150
    y, capacity = rng.integers(0, n_classes, m), rng.choice([0.0, 0.5, 1.0, 1.0, 2.0], m)
    scores, squared_norms = rng.integers(-6, 7, (m, n_classes)) / 4.0, rng.choice([0.5, 1.0, 2.0], m)
    alpha = np.array([drawn_flows(rng, y[i], capacity[i], n_classes, one_slack) for i in range(m)])
    inputs = scores, y, capacity, alpha, squared_norms
    copies = [one.copy() for one in inputs]
    starts, listed, active = np.full(m + 1, -7), np.full(m * n_classes, -7, np.int32), np.full(m, -7)
    n_active, n_free, hinges = ascent.list_rivals(*inputs, shift, one_slack, starts, listed, active)
    found = [
        classes_between_which_flows_may_move(scores[i], y[i], capacity[i], alpha[i], squared_norms[i], shift, one_slack)
        for i in range(m)
    ]
    assert [listed[starts[i] : starts[i + 1]].tolist() for i in range(m)] == [classes for classes, _ in found]
    assert active[:n_active].tolist() == [i for i in range(m) if found[i][0]]
    assert (active[n_active:] == -7).all()
    assert n_free == sum(free for _, free in found)
    slacks = [slack_of(scores[i], y[i], one_slack) for i in range(m)]
    assert hinges == pytest.approx(capacity @ slacks, rel=1e-12)
    assert all((one == copy).all() for one, copy in zip(inputs, copies, strict=True))


def test_nothing_is_listed_of_what_is_settled_or_far_behind_or_has_no_capacity():
    """One example of each kind, and one that is free."""
    scores = np.array([[0.0, 1.0, -9.0], [0.0, -0.75, 1.0], [5.0, 0.0, 0.0], [0.0, 9.0, 9.0]])
    alpha = np.array([[0.5, -0.5, 0.0], [0.5, -0.25, -0.25], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    starts, listed, active = np.zeros(5, int), np.zeros(12, np.int32), np.zeros(4, int)
    found = ascent.list_rivals(
        scores, np.zeros(4, int), np.array([0.5, 0.5, 0.5, 0.0]), alpha, np.ones(4), 0.125, True, starts, listed, active
    )
    assert found == (1, 1, 0.5 * 2.0 + 0.5 * 2.0)
    assert starts.tolist() == [0, 0, 3, 3, 3]
    assert listed[:3].tolist() == [0, 1, 2]
    assert active[0] == 1


@pytest.mark.parametrize("size", [0, 1, 4, 12, 13, 20])
def test_all_classes_of_a_random_sample_are_listed(size):
    starts, listed, active = np.full(14, -7), np.full(39, -7, np.int32), np.full(13, -7)
    seed, same = np.array([12345], np.uint64), np.array([12345], np.uint64)
    drawn = [i for i in range(13) if size >= 13 or ascent.below(same, 13) < size]
    assert ascent.list_all(starts, listed, active, size, seed) == len(drawn)
    assert seed[0] == same[0]
    assert active.tolist() == drawn + [-7] * (13 - len(drawn))
    assert listed.tolist() == [0, 1, 2] * len(drawn) + [-7] * (39 - 3 * len(drawn))
    assert starts.tolist() == [3 * sum(i < place for i in drawn) for place in range(14)]


def test_a_draw_that_equals_the_size_of_a_sample_is_not_in_it():
    """Of two examples one at a time: half of the draws are as large as that."""
    sizes = []
    for state in range(1, 9):
        starts, listed, active = np.zeros(3, int), np.zeros(4, np.int32), np.zeros(2, int)
        seed, same = (np.array([state * 0x9E3779B97F4A7C15 % 2**64], np.uint64) for _ in range(2))
        sizes.append(ascent.list_all(starts, listed, active, 1, seed))
        assert sizes[-1] == sum(ascent.below(same, 2) == 0 for _ in range(2))
    assert len(set(sizes)) > 1


def test_scores_move_against_each_other_by_their_largest_change_less_their_smallest():
    rng = np.random.default_rng(0)
    for shape in [(1, 1), (1, 2), (4, 3), (3, 5), (2, 7)] * 5:
        before, change = rng.normal(size=shape), 0.2 * rng.normal(size=shape)
        change -= rng.choice([-1.0, 0.0, 1.0])
        found = ascent.largest_shift(before + change, before)
        assert found == pytest.approx(np.ptp(change, axis=1).max(), rel=1e-12, abs=1e-13)
