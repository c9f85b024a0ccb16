"""The compiled loops of structured prediction, each beside a few plain lines that do the same."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from structured_problems import UNTOUCHED, entries_apart

from mcbook.structured.kernels import side_by_side
from mcbook.structured.kernels.batched_chains import sum_batched_chains
from mcbook.structured.kernels.side_by_side import (
    add_ends,
    begin_places,
    group_size,
    longest_first,
    put_back,
    read_chains,
    read_group,
    score_place,
)

# Chains of these lengths, in their order: the longest first, last and in the middle, ties, a single one.
LENGTHS = [(3, 1, 3, 2), (1, 1, 2, 4), (2, 5, 1), (1,), (4, 4), (2, 2, 2)]


def offsets_of(lengths):
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def first_best(E, T):
    """The best labelling of one chain, of equally good ones the first in dictionary order: all of them are tried."""
    n, k = E.shape
    total = {
        z: sum(E[t, z[t]] for t in range(n)) + sum(T[a, b] for a, b in itertools.pairwise(z))
        for z in itertools.product(range(k), repeat=n)
    }
    return list(max(total, key=total.__getitem__))


def best_by_steps(E, T):
    """The same for chains too long or labels too many for that: from the last position to the first, and back."""
    V = E.copy()
    for t in range(len(E) - 2, -1, -1):
        V[t] += (T + V[t + 1]).max(axis=1)
    z = [int(V[0].argmax())]
    for t in range(1, len(E)):
        z.append(int((T[z[-1]] + V[t]).argmax()))
    return z


# --- sums in step ----------------------------------------------------------------------------------------------------


def chain_alone(B, M):
    """What is to be filled in for one chain: B, ratios, P and scales, by all labellings of it and of its ends."""
    n, k = B.shape

    def table(t):
        """The factors of all labellings of the positions t .. n - 1."""
        parts = np.ones((k,) * (n - t))
        for z in itertools.product(range(k), repeat=n - t):
            parts[z] = np.prod(B[range(t, n), z]) * np.prod([M[pair] for pair in itertools.pairwise(z)])
        return parts

    totals = [table(t).sum() for t in range(n)] + [1.0]
    distributions = np.array([table(t).reshape(k, -1).sum(axis=1) / totals[t] for t in range(n)])
    whole = table(0) / totals[0]
    P = np.array([whole.sum(axis=tuple(s for s in range(n) if s != t)) for t in range(n)])
    ratios = np.zeros((n, k))
    for t, i in itertools.product(range(1, n), range(k)):
        message = M[i] @ distributions[t]
        ratios[t, i] = P[t - 1, i] / message if message > 0 else 0
    return distributions, ratios, P, np.array(totals[:-1]) / totals[1:]


@pytest.mark.parametrize("lengths", [(1,), (4,), (3, 3, 2, 1), (2, 1, 1), (3, 2, 2)])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_sums_in_step_are_those_over_all_labellings(lengths, k):
    rng = np.random.default_rng(k)
    # The places one after the other, at each of them the longer chains first.
    rows = [[sum(n > s for s in range(t) for n in lengths) + c for t in range(lengths[c])] for c in range(len(lengths))]
    starts = offsets_of([sum(n > t for n in lengths) for t in range(lengths[0])])
    factors, M = rng.uniform(0.5, 2, (sum(lengths), k)), rng.uniform(0.5, 2, (k, k))
    if k == 3:
        # After label 0 comes label 1 alone, which the last positions may not have: the message to label 0 is 0.
        M[0] = [0, 1, 0]
        for own in rows:
            factors[own[-1], 1] = 0
    B, ratios, P = factors.copy(), np.full_like(factors, UNTOUCHED), np.full_like(factors, UNTOUCHED)
    scales = np.full(len(factors), float(UNTOUCHED))
    sum_batched_chains(B, M, np.ascontiguousarray(M.T), starts, ratios, P, scales)
    for own in rows:
        for found, right in zip((B, ratios, P, scales), chain_alone(factors[own], M), strict=True):
            assert found[own] == pytest.approx(right)


# --- groups of chains side by side -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lengths", [*LENGTHS, (2, 0, 3, 0)])
def test_the_longer_chains_come_first_and_equals_in_their_order(lengths):
    offsets = offsets_of(lengths)
    for first, last in itertools.combinations(range(len(lengths) + 1), 2):
        right = sorted(range(first, last), key=lambda i: -lengths[i])
        assert longest_first(offsets, first, last).tolist() == right


def test_groups_have_as_many_chains_as_fit_and_neither_few_nor_many():
    most, fewest, scores = side_by_side._MOST, side_by_side._FEWEST, side_by_side._SCORES
    assert 1 <= fewest < most

    def size(length, n_labels):
        # The first of the order is the longest, which is neither the first nor the last of the sequences.
        return group_size(offsets_of([1, length, 2]), np.array([1, 2, 0]), n_labels)

    assert size(3, 2) == most
    assert size(scores, 2) == fewest
    between = (fewest + most) // 2
    for n_labels in (1, 4):
        longest = scores // (n_labels * between)
        assert fewest < size(longest, n_labels) == scores // (n_labels * longest) < most


@pytest.mark.parametrize("lengths", LENGTHS)
def test_a_place_has_the_chains_that_reach_it(lengths):
    group = np.array(sorted(range(len(lengths)), key=lambda i: -lengths[i]))
    longest = max(lengths)
    starts = np.full(longest + 3, UNTOUCHED)
    assert begin_places(offsets_of(lengths), group, starts) == longest
    assert starts.tolist() == [*offsets_of([sum(n > t for n in lengths) for t in range(longest)]), *[UNTOUCHED] * 2]


class Group:
    """Chains with the scores of their labels, laid out side by side; ``extra`` numbers stand before and behind."""

    def __init__(self, rng, lengths, k, d=2):
        self.lengths, self.k, self.offsets = lengths, k, offsets_of(lengths)
        self.order = np.array(sorted(range(len(lengths)), key=lambda i: -lengths[i]))
        self.n_places = max(lengths)
        self.starts = np.zeros(self.n_places + 1, np.int64)
        begin_places(self.offsets, self.order, self.starts)
        # Few different numbers, so that many labellings are equally good.
        self.E = rng.integers(-3, 1, (sum(lengths), k)).astype(float)
        self.table = rng.integers(-2, 2, (d + k + 2, k)).astype(float)
        self.T = self.table[d : d + k]

    def spread(self, E):
        """The scores place by place, label by label, chain by chain."""
        parts = []
        for t in range(self.n_places):
            own = [i for i in self.order if self.lengths[i] > t]
            parts.append(E[[self.offsets[i] + t for i in own]].T.ravel())
        return np.concatenate(parts)

    def with_ends(self, table=None):
        E, table = self.E.copy(), self.table if table is None else table
        for i in range(len(self.lengths)):
            E[self.offsets[i]] += table[-2]
            E[self.offsets[i + 1] - 1] += table[-1]
        return E


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("k", [1, 3])
def test_first_and_last_labels_have_scores_of_their_own(lengths, k):
    group = Group(np.random.default_rng(k), lengths, k)
    V = group.spread(group.E)
    add_ends(V, group.table, group.offsets, group.order, group.starts)
    assert V.tolist() == group.spread(group.with_ends()).tolist()


@pytest.mark.parametrize("k", range(1, 10))
def test_a_group_is_read_as_each_chain_by_itself_and_ties_by_the_first(k):
    assert first_best(np.array([[0.0, 1], [1, 0]]), np.array([[1.0, 0], [0, 0]])) == [0, 0]
    for seed, lengths in enumerate([*LENGTHS, *LENGTHS]):
        group = Group(np.random.default_rng(seed), lengths, k)
        if seed >= len(LENGTHS):
            group.E += np.random.default_rng(seed).normal(size=group.E.shape)
        # Nothing may be read here before it is written: labels so large would be out of bounds.
        found = np.full(sum(lengths), UNTOUCHED)
        V = group.spread(group.E)
        read_group(V, group.T, np.ascontiguousarray(group.T.T), group.starts, group.n_places, found)
        right = np.empty(sum(lengths))
        for a, b in itertools.pairwise(group.offsets):
            right[a:b] = best_by_steps(group.E[a:b], group.T)
            if k ** (b - a) <= 100:
                assert right[a:b].tolist() == first_best(group.E[a:b], group.T)
        assert found.tolist() == group.spread(right[:, None]).tolist()


@pytest.mark.parametrize("lengths", LENGTHS)
def test_labels_are_put_back_in_the_order_of_the_positions(lengths):
    group = Group(np.random.default_rng(0), lengths, 2)
    right = np.arange(sum(lengths))
    labels = np.full(sum(lengths) + 1, UNTOUCHED)
    found = group.spread(right[:, None]).astype(np.int64)
    put_back(found, group.offsets, group.order, group.starts, group.n_places, labels)
    assert labels.tolist() == [*right, UNTOUCHED]


@pytest.mark.parametrize("k", range(1, 10))
def test_scores_of_a_place_from_tables_and_from_few_entries(k):
    rng = np.random.default_rng(k)
    group = Group(rng, (2, 3, 1, 3), k, d=5)
    X = rng.integers(-2, 3, (9, 5)) * rng.integers(0, 2, (9, 5))
    E = (X @ group.table[:5]).astype(float)
    for rows in ((E,), entries_apart(X)):
        for t in range(group.n_places):
            own = np.full((k, group.starts[t + 1] - group.starts[t]), float(UNTOUCHED))
            score_place(rows, group.offsets, group.order, t, group.table, own)
            a, b = k * group.starts[t : t + 2]
            assert own.ravel().tolist() == group.spread(E)[a:b].tolist()


def check_read(rng, lengths, k, d, first, last):
    """Chains first .. last - 1 are read, and the labels of the others stay."""
    offsets, table = offsets_of(lengths), rng.integers(-2, 2, (d + k + 2, k)).astype(float)
    X, T = rng.integers(-1, 2, (sum(lengths), d)), table[d : d + k]
    E = (X @ table[:d]).astype(float)
    right = np.full(sum(lengths), UNTOUCHED)
    for i in range(first, last):
        a, b = offsets[i], offsets[i + 1]
        own = E[a:b].copy()
        own[0] += table[-2]
        own[-1] += table[-1]
        right[a:b] = best_by_steps(own, T)
    for rows in ((E,), entries_apart(X)):
        labels = np.full(sum(lengths), UNTOUCHED)
        read_chains(rows, offsets, first, last, table, np.ascontiguousarray(T.T), labels)
        assert labels.tolist() == right.tolist()


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("k", [1, 2, 4, 6])
def test_chains_are_read_from_the_first_to_before_the_last_that_are_asked(lengths, k):
    rng = np.random.default_rng(k)
    for first, last in itertools.combinations(range(len(lengths) + 1), 2):
        check_read(rng, lengths, k, 3, first, last)


@pytest.mark.parametrize("too_many", [-1, 0, 1])
def test_one_chain_more_than_a_group_has_is_read_as_well(too_many):
    rng = np.random.default_rng(too_many + 1)
    n = side_by_side._MOST + too_many
    check_read(rng, rng.integers(1, 3, n).tolist(), 2, 1, 0, n)
