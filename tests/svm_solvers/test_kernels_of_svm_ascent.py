"""The kernels of ascent against their definitions in numpy: scores, the best flows of an example, lists of classes."""

import itertools

import numpy as np
import pytest
from new_arrays import fill_new_arrays_with_nan
from svm_samples import BOTH, best_flows, flows_of_an_example, hinges_of

from mcbook.svm_solvers.kernels import ascent, blocks

FORMS = ["dense", "gram", "sparse"]


@pytest.fixture(autouse=True)
def _new_arrays_hold_nothing(monkeypatch):
    fill_new_arrays_with_nan(monkeypatch)


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


@pytest.mark.parametrize("form", FORMS)
def test_scores_are_read_and_flows_added_for_the_listed_classes_alone(form):
    for n in (*range(1, 10), 19, 20):
        rng = np.random.default_rng(n)
        for draw in range(12):
            i = draw % 4
            rows, state, scores_of_all, added = rows_and_state(rng, form)
            mine, others = np.sort(rng.permutation(20)[:n]), rng.permutation(20)[:4]
            listed, begin, end = np.r_[others[:2], mine, others[2 : 2 if draw % 2 else 4]].astype(np.int32), 2, 2 + n
            before, scores = state.copy(), np.full(20, np.nan)
            ascent.read_scores(rows, state, i, listed, begin, end, scores)
            assert scores[:n].tolist() == scores_of_all[i, mine].tolist()
            # Where many are listed of sparse rows, those of all classes are read.
            assert np.isnan(scores[n:]).all() or (form == "sparse" and 3 * n >= 20)
            assert (state == before).all()
            change, flows = rng.choice([0.0, 0.0, 1.0, 1.0, 2.0, -3.0], n + 1), np.zeros(20)
            flows[mine] = change[:n]
            expected = np.outer(flows, added[i])
            ascent.add_flows(rows, state, i, listed, begin, end, change)
            assert (state == before + (expected.T if form == "sparse" else expected)).all()


def test_random_numbers_are_those_of_xorshift():
    """George Marsaglia's generator of 64 bits, with the shifts 13, 7 and 17."""
    state, mask = 0x9E3779B97F4A7C15, (1 << 64) - 1
    seed = np.array([state, 77], np.uint64)
    for n in (1, 2, 7, 1000, 2**31 + 12345, 2**32 - 1) * 5:
        state ^= (state << 13) & mask
        state ^= state >> 7
        state ^= (state << 17) & mask
        assert ascent.below(seed, n) == ((state >> 32) * n) >> 32
        assert seed.tolist() == [state, 77]


BLOCKS = [
    (ascent.duel, True, [2]),
    (ascent.contest, True, [3]),
    (blocks.crammer_singer_block, True, range(2, 9)),
    (blocks.weston_watkins_block, False, range(2, 9)),
]


@pytest.mark.parametrize(("block", "one_slack", "sizes"), BLOCKS)
def test_blocks_have_the_best_flows_of_their_example(block, one_slack, sizes):
    rng = np.random.default_rng(0)
    for scale in (1e-9, 1.0, 1e6):
        for n in list(sizes) * (8 if len(sizes) > 1 else 60):
            label, squared_norm = int(rng.integers(n)), rng.uniform(0.2, 4) / scale
            capacity = scale * rng.choice([0.02, 0.3, 1.0, 20.0])
            old = flows_of_an_example(rng, n, label, capacity, one_slack)
            scores = rng.normal(size=n) * rng.choice([0.3, 1, 3])
            padded_scores, padded_old, new = np.r_[scores, 90.0], np.r_[old, -90.0], np.full(n + 1, 7.0)
            arguments = label, capacity, squared_norm, padded_old, new
            gap = block(padded_scores, *(() if len(sizes) == 1 else (n,)), *arguments)
            best = best_flows(scores, label, capacity, squared_norm, old, one_slack)
            np.testing.assert_allclose(new[:n], best, rtol=1e-11, atol=1e-12 * scale)
            slack = hinges_of(scores[None], [label], one_slack)[0]
            assert gap == pytest.approx(capacity * slack - old[label] + old @ scores, rel=1e-11, abs=1e-12 * scale)
            assert (new[n], *padded_scores, *padded_old) == (7, *scores, 90, *old, -90)


def level_of(scores, label, capacity, squared_norm, old):
    """The excess above which a rival without flow gets some: the largest root of lines, times the squared norm."""
    rivals = np.arange(len(scores)) != label
    values = np.sort(((1.0 + scores - scores[label]) / squared_norm - old)[rivals])[::-1]
    sums, counts, demand = np.cumsum(values), np.arange(1, len(values) + 1), old[label]
    return squared_norm * max(-demand, ((sums - demand) / (counts + 1)).max(), ((sums - capacity) / counts).max())


@pytest.mark.parametrize("n_classes", range(2, 7))
def test_a_rival_without_flow_gets_some_once_its_excess_is_above_the_level(n_classes):
    rng = np.random.default_rng(n_classes)
    n_none, work = 0, np.full(n_classes, np.nan)
    for _ in range(150):
        label, capacity, squared_norm = int(rng.integers(n_classes)), rng.uniform(0.1, 3.0), rng.uniform(0.2, 4.0)
        old = flows_of_an_example(rng, n_classes, label, capacity, True)
        scores = rng.normal(size=n_classes) * rng.choice([0.3, 1.0, 3.0])
        found = ascent.excess_that_moves(scores, label, capacity, squared_norm, old, work)
        level = level_of(scores, label, capacity, squared_norm, old)
        if best_flows(scores, label, capacity, squared_norm, old, True).any() or n_classes > 3:
            assert found == pytest.approx(level, rel=1e-12, abs=1e-12)
        else:
            # With three classes or fewer it is too low where the step leaves no flow: more than need be is listed.
            assert found < level + 1e-12
            n_none += 1
        # Where one rival gives all that there is, the level is the slack, without rounding.
        other = (label + 1) % n_classes
        scores, old = np.full(n_classes, -9.0), np.zeros(n_classes)
        scores[label], scores[other] = rng.integers(-500, 0) / 1024, rng.integers(-900, 0) / 1024
        old[label], old[other] = capacity, -capacity
        found = ascent.excess_that_moves(scores, label, capacity, rng.uniform(0.01, 0.5), old, work)
        assert found == 1.0 + scores[other] - scores[label]
    assert n_none < 90


@BOTH
def test_slacks_are_paid_for_by_capacity(one_slack):
    rng = np.random.default_rng(0)
    for k in (2, 3, 5):
        scores, y, capacity = whole_numbers(rng, 8, k), rng.integers(0, k, 8), np.arange(8.0)
        found = ascent.weighted_slacks(scores, y, capacity, one_slack)
        assert found == capacity @ hinges_of(scores, y, one_slack) > 0


def test_the_largest_excess_is_that_of_the_best_rival():
    scores = np.array([[5.0, 2.0, 1.0], [-1.0, -4.0, -2.0], [0.0, 0.5, 3.0]])
    expected = [[-2.0, 4.0, 5.0], [0.0, 4.0, 2.0], [4.0, 3.5, -1.5]]
    assert [[ascent.largest_excess(scores, i, label) for label in range(3)] for i in range(3)] == expected
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


def flows_in_quarters(rng, label, capacity, n_classes, one_slack):
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


@BOTH
@pytest.mark.parametrize("n_classes", range(2, 6))
def test_the_classes_between_which_flows_may_move_are_listed(one_slack, n_classes):
    """Scores in quarters, so that some are exactly as far behind as they may move."""
    for shift in (0.0, 0.25, 0.5, np.inf):
        rng, m = np.random.default_rng([n_classes, one_slack]), 150
        y, capacity = rng.integers(0, n_classes, m), rng.choice([0.0, 0.5, 1.0, 1.0, 2.0], m)
        scores, squared_norms = rng.integers(-6, 7, (m, n_classes)) / 4.0, rng.choice([0.5, 1.0, 2.0], m)
        alpha = np.array([flows_in_quarters(rng, y[i], capacity[i], n_classes, one_slack) for i in range(m)])
        inputs = scores, y, capacity, alpha, squared_norms
        copies = [one.copy() for one in inputs]
        starts, listed, active = np.full(m + 1, -7), np.full(m * n_classes, -7, np.int32), np.full(m, -7)
        n_active, n_free, hinges = ascent.list_rivals(*inputs, shift, one_slack, starts, listed, active)
        found = [
            classes_between_which_flows_may_move(*one, shift, one_slack)
            for one in zip(scores, y, capacity, alpha, squared_norms, strict=True)
        ]
        assert [listed[starts[i] : starts[i + 1]].tolist() for i in range(m)] == [classes for classes, _ in found]
        assert active[:n_active].tolist() == [i for i in range(m) if found[i][0]]
        assert (active[n_active:] == -7).all()
        assert n_free == sum(free for _, free in found)
        assert hinges == pytest.approx(capacity @ hinges_of(scores, y, one_slack), rel=1e-12)
        assert all((one == copy).all() for one, copy in zip(inputs, copies, strict=True))


def test_all_classes_of_a_random_sample_are_listed():
    """Those whose draw is below the size: of 13, some draws are as large as that."""
    for size, draw in itertools.product((0, 1, 4, 12, 13, 20), (12345, 0x9E3779B97F4A7C15, 5, 6)):
        starts, listed, active = np.full(14, -7), np.full(39, -7, np.int32), np.full(13, -7)
        seed, same = np.array([draw], np.uint64), np.array([draw], np.uint64)
        drawn = [i for i in range(13) if size >= 13 or ascent.below(same, 13) < size]
        assert ascent.list_all(starts, listed, active, size, seed) == len(drawn)
        assert seed[0] == same[0]
        assert active.tolist() == drawn + [-7] * (13 - len(drawn))
        assert listed.tolist() == [0, 1, 2] * len(drawn) + [-7] * (39 - 3 * len(drawn))
        assert starts.tolist() == [3 * sum(i < place for i in drawn) for place in range(14)]


def test_scores_move_against_each_other_by_their_largest_change_less_their_smallest():
    rng = np.random.default_rng(0)
    for shape in [(1, 1), (1, 2), (4, 3), (3, 5), (2, 7)] * 5:
        before, change = rng.normal(size=shape), 0.2 * rng.normal(size=shape) - rng.choice([-1.0, 0.0, 1.0])
        found = ascent.largest_shift(before + change, before)
        assert found == pytest.approx(np.ptp(change, axis=1).max(), rel=1e-12, abs=1e-13)
