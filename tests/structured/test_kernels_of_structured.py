"""The compiled loops of structured prediction, each beside a few plain lines that do the same."""

import itertools

import numpy as np
import pytest
from structured_problems import UNTOUCHED, entries_apart

from mcbook.structured.kernels import side_by_side
from mcbook.structured.kernels.batched_chains import sum_batched_chains
from mcbook.structured.kernels.side_by_side import (
    read_chains,
)

# Chains of these lengths, in their order: the longest first, last and in the middle, ties, a single one.
LENGTHS = [(3, 1, 3, 2), (1, 1, 2, 4), (2, 5, 1), (1,), (4, 4), (2, 2, 2)]


def offsets_of(lengths):
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


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
@pytest.mark.parametrize("k", [1, 2, 4, 6, 9])
def test_chains_are_read_from_the_first_to_before_the_last_that_are_asked(lengths, k):
    rng = np.random.default_rng(k)
    for first, last in itertools.combinations(range(len(lengths) + 1), 2):
        check_read(rng, lengths, k, 3, first, last)


@pytest.mark.parametrize("too_many", [-1, 0, 1])
def test_one_chain_more_than_a_group_has_is_read_as_well(too_many):
    rng = np.random.default_rng(too_many + 1)
    n = side_by_side._MOST + too_many
    check_read(rng, rng.integers(1, 3, n).tolist(), 2, 1, 0, n)
