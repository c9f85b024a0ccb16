"""Dynamic programming on chains and trees, and the weights it learns, beside tables of all the labellings."""

import itertools

import numpy as np
import pytest
from scipy.special import logsumexp
from structured_problems import FORESTS, UNTOUCHED, Sequences, entries_apart

from mcbook.structured.kernels import (
    log_sum_product,
    perceptron_epoch,
    read_scores,
    read_sequences,
    sum_product,
    viterbi,
)


def along(values, n, *axes):
    """The numbers along these of n axes."""
    shape = np.ones(n, int)
    shape[list(axes)] = values.shape
    return values.reshape(shape)


def totals(E, T, parents, top=0):
    """Those of all labellings of the positions at and below ``top``, an axis for each; other axes have length 1."""
    n, below = len(parents), [top]
    table = along(E[top], n, top)
    for t in range(top + 1, n):
        if parents[t] in below:
            below.append(t)
            table = table + along(E[t], n, t) + along(T, n, parents[t], t)
    return table


def but(n, *axes):
    return tuple(t for t in range(n) if t not in axes)


def summed_below(E, T, parents):
    """The log-sum-exp of all totals at and below each position if it has each label."""
    n = len(parents)
    return np.array([logsumexp(totals(E, T, parents, t), axis=but(n, t)) for t in range(n)])


def distributions(E, T, parents):
    """Of the label of each position, and of each pair: None where nothing is above."""
    n, whole = len(parents), totals(E, T, parents)
    whole = np.exp(whole - logsumexp(whole))
    P = np.array([whole.sum(axis=but(n, t)) for t in range(n)])
    return P, [whole.sum(axis=but(n, p, t)) if p >= 0 else None for t, p in enumerate(parents)]


def laid_out(forest):
    """Where each sequence stands, and the parents among all positions."""
    offsets = np.concatenate([[0], np.cumsum([len(own) for own in forest])])
    parents = [p + a if p >= 0 else p for a, own in zip(offsets, forest, strict=False) for p in own]
    return [slice(a, b) for a, b in itertools.pairwise(offsets)], np.array(parents)


def turned(T):
    return np.ascontiguousarray(T.T)


# --- the best labelling ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", range(1, 11))
@pytest.mark.parametrize("spread", [3, 1000])
def test_the_best_labelling_is_the_first_of_the_best_of_all(k, spread):
    """Integers, so that totals are exact: few of them, so that many labellings are equally good, or many."""
    rng = np.random.default_rng(k)
    for forest in FORESTS:
        at, parents = laid_out(forest)
        E = rng.integers(-spread, 1, (len(parents), k)).astype(float)
        T = rng.integers(-spread, spread, (k, k)).astype(float)
        V, follows, labels = E.copy(), np.full(E.shape, UNTOUCHED), np.full(len(E), UNTOUCHED)
        viterbi(V, turned(T), parents, follows, labels)
        read = np.full(len(E), UNTOUCHED)
        read_scores(E.copy(), turned(T), parents, read)
        for own, above in zip(at, forest, strict=True):
            n = len(above)
            best = np.array([totals(E[own], T, above, t).max(axis=but(n, t)) for t in range(n)])
            assert V[own].tolist() == best.tolist()
            chosen = [(T + best[t]).argmax(axis=1) if p >= 0 else np.full(k, UNTOUCHED) for t, p in enumerate(above)]
            assert follows[own].tolist() == np.array(chosen).tolist()
            right = np.unravel_index(totals(E[own], T, above).argmax(), (k,) * n)
            assert labels[own].tolist() == read[own].tolist() == [*right]


# --- sums over all labellings ----------------------------------------------------------------------------------------


def forbid(E, T, forest):
    """After label 0 comes the last label alone, which no leaf may have: so no leaf is below label 0."""
    leaves = np.concatenate([[t not in own for t in range(len(own))] for own in forest])
    T[0, :-1] = -np.inf
    E[leaves, -1] = -np.inf


CASES = [(k, forbidden) for k in range(1, 11) for forbidden in (False, True) if k > 1 or not forbidden]


@pytest.mark.parametrize(("k", "forbidden"), CASES)
def test_marginals_from_factors_are_those_of_the_distribution_of_all_labellings(k, forbidden):
    rng = np.random.default_rng(k)
    for forest in FORESTS:
        at, parents = laid_out(forest)
        E, T = rng.normal(size=(len(parents), k)), rng.normal(size=(k, k))
        if forbidden:
            forbid(E, T, forest)
        B, M = np.exp(E), np.exp(T)
        ratios, P, scales = np.full_like(E, UNTOUCHED), np.full_like(E, UNTOUCHED), np.full(len(E), float(UNTOUCHED))
        sum_product(B, M, turned(M), parents, ratios, P, scales)
        for own, above in zip(at, forest, strict=True):
            below = summed_below(E[own], T, above)
            assert B[own] == pytest.approx(np.exp(below - logsumexp(below, axis=1, keepdims=True)))
            assert scales[own].prod() == pytest.approx(np.exp(logsumexp(below[0])))
            marginals, pairs = distributions(E[own], T, above)
            assert P[own] == pytest.approx(marginals)
            for t, pair in enumerate(pairs, own.start):
                found = ratios[t][:, None] * M * B[t]
                assert found == pytest.approx(np.zeros((k, k)) if pair is None else pair)


@pytest.mark.parametrize("far", [1, 1000])
@pytest.mark.parametrize(("k", "forbidden"), [case for case in CASES if case[0] < 5])
def test_marginals_from_scores_far_apart_are_those_of_the_distribution_of_all_labellings(k, forbidden, far):
    rng = np.random.default_rng(k)
    for forest in FORESTS:
        at, parents = laid_out(forest)
        E, T = far * rng.normal(size=(len(parents), k)), far * rng.normal(size=(k, k))
        if forbidden:
            forbid(E, T, forest)
        weight, start = rng.uniform(0.5, 3, len(E)), rng.normal(size=(k, k))
        V, messages, P, right = E.copy(), np.full_like(E, UNTOUCHED), np.full_like(E, UNTOUCHED), start.copy()
        log_sum_product(V, T, parents, weight, messages, P, start)
        for own, above in zip(at, forest, strict=True):
            below = summed_below(E[own], T, above)
            assert V[own] == pytest.approx(below)
            marginals, pairs = distributions(E[own], T, above)
            assert P[own] == pytest.approx(marginals)
            for t, pair in enumerate(pairs):
                up = np.full(k, UNTOUCHED) if pair is None else logsumexp(T + below[t], axis=1)
                assert messages[own][t] == pytest.approx(up)
                right += 0 if pair is None else weight[own][t] * pair
        assert start == pytest.approx(right)


# --- scores of sequences, and their weights --------------------------------------------------------------------------


def table_of(rng, seqs, wide=2):
    return rng.integers(-wide, wide + 1, seqs.shape).astype(float)


def scored(seqs, table):
    """The scores of all labels of all positions, those of first and last labels included."""
    E = seqs.X @ table[: seqs.X.shape[1]]
    E[seqs.within < 0] += table[-2]
    E[seqs.leaves] += table[-1]
    return E


@pytest.mark.parametrize("k", [1, 2, 3, 6])
@pytest.mark.parametrize("forest", FORESTS)
def test_sequences_are_read_from_the_first_to_before_the_last_that_are_asked(forest, k):
    rng = np.random.default_rng(k)
    seqs = Sequences.drawn(rng, forest, k, 3)
    table = table_of(rng, seqs)
    T, E = table[3 : 3 + k], scored(seqs, table)
    for first, last in itertools.combinations_with_replacement(range(len(forest) + 1), 2):
        right = np.full(len(E), UNTOUCHED)
        for i in range(first, last):
            best = totals(E[seqs.at(i)], T, forest[i]).argmax()
            right[seqs.at(i)] = np.unravel_index(best, (k,) * len(forest[i]))
        labels = np.full(len(E), UNTOUCHED)
        read_sequences(*entries_apart(seqs.X), seqs.offsets, seqs.within, table, turned(T), first, last, labels)
        assert labels.tolist() == right.tolist()


@pytest.mark.parametrize("k", range(1, 5))
@pytest.mark.parametrize("forest", FORESTS)
def test_an_epoch_updates_after_every_mistake_and_delays_by_the_visits_before(forest, k):
    rng = np.random.default_rng(k)
    seqs = Sequences.drawn(rng, forest, k, 3)
    table, delayed, step = table_of(rng, seqs), table_of(rng, seqs), 3
    weight, order = rng.integers(1, 4, len(forest)).astype(float), rng.integers(0, len(forest), 8)
    w, late, wrong = table.copy(), delayed.copy(), 0
    for visits, i in enumerate(order, step):
        y = seqs.y[seqs.at(i)]
        z = max(seqs.labellings(i), key=lambda z, i=i: (w * seqs.features(i, z)).sum())
        move = weight[i] * (seqs.features(i, y) - seqs.features(i, z))
        w, late, wrong = w + move, late + visits * move, wrong + (z != y).any()
    sequences = seqs.offsets, seqs.within, seqs.y, weight, order
    assert perceptron_epoch(*entries_apart(seqs.X), *sequences, table, delayed, step) == wrong
    assert table.tolist() == w.tolist()
    assert delayed.tolist() == late.tolist()
