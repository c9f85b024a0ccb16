"""The compiled loops of structured margins, each beside a few plain lines that do the same with vectors written out."""

import numpy as np
import pytest
from structured_problems import FORESTS, Sequences

from mcbook.structured_margins.kernels.frank_wolfe import frank_wolfe_pass
from mcbook.structured_margins.kernels.slack import slack_viterbi

# --- Frank–Wolfe -----------------------------------------------------------------------------------------------------


def distribution_start(seqs, rng):
    """Distributions to begin with: the right labelling, or one half each on two others; mean losses are added later."""
    P, pairs = np.zeros((len(seqs.y), seqs.k)), np.zeros((len(seqs.parents), seqs.k, seqs.k))
    for i in range(len(seqs.parents)):
        some = [seqs.y[seqs.at(i)]]
        if rng.random() < 0.6:
            some = [seqs.labellings(i)[j] for j in rng.choice(seqs.k ** len(seqs.parents[i]), 2, replace=False)]
        for z in some:
            own, between = seqs.marginals(i, z)
            P[seqs.at(i)] += own / len(some)
            pairs[i] += between / len(some)
    return P, pairs


def plain_pass(seqs, cost, slack_costs, w, P, pairs, losses, order):
    """Towards the labelling that violates most, by the best step of at most 1."""
    for i in order:
        at, y = seqs.at(i), seqs.y[seqs.at(i)]
        z = max(seqs.labellings(i), key=lambda z: (w * seqs.features(i, z)).sum() + cost[y, z].sum())
        own, between = seqs.marginals(i, z)
        loss = cost[y, z].sum()
        move = seqs.joint(i, own, between) - seqs.joint(i, P[at], pairs[i])
        gap = (w * move).sum() + loss - losses[i]
        length = slack_costs[i] * (move**2).sum()
        step = 0.0 if gap <= 0 else 1.0 if length == 0 else min(1.0, gap / length)
        w -= slack_costs[i] * step * move
        P[at] += step * (own - P[at])
        pairs[i] += step * (between - pairs[i])
        losses[i] += step * (loss - losses[i])


def both_passes(seqs, cost, slack_costs, w, P, pairs, losses, order):
    """What the kernel makes of copies, and the plain loop of others, must agree; the kernel's are given back."""
    ours, plain = ([part.copy() for part in (w, P, pairs, losses)] for _ in range(2))
    frank_wolfe_pass(*seqs.rows, seqs.offsets, seqs.within, seqs.leaves, seqs.y, cost, slack_costs, *ours, order)
    plain_pass(seqs, cost, slack_costs, *plain, order)
    for one, other in zip(ours, plain, strict=True):
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9)
    return ours


@pytest.mark.parametrize("parents", FORESTS)
@pytest.mark.parametrize(("k", "d"), [(2, 3), (3, 10)])
def test_a_pass_of_frank_wolfe_takes_the_best_step_of_each_block(parents, k, d):
    rng = np.random.default_rng(k)
    for trial in range(6):
        seqs = Sequences.drawn(rng, parents, k, d)
        n = len(parents)
        cost = rng.integers(1, 5, (k, k)) / 4 * (1 - np.eye(k))
        P, pairs = distribution_start(seqs, rng)
        losses = np.array([(P[seqs.at(i)] * cost[seqs.y[seqs.at(i)]]).sum() for i in range(n)])
        # One cost may be 0: then the step is whole.
        slack_costs = rng.choice([0.0, 0.01, 0.1, 0.5], n, p=[0.1, 0.3, 0.3, 0.3])
        w = rng.normal(size=seqs.shape) * (0.1, 1)[trial % 2]
        # Some are visited twice, others not at all.
        order = np.r_[rng.permutation(n), rng.integers(0, n, n)][rng.integers(0, 2) :]
        both_passes(seqs, cost, slack_costs, w, P, pairs, losses, order)


def test_labellings_with_the_same_features_are_exchanged_all_the_way():
    # Both begin and end with 0 and have the pairs 00, 01 and 10; only the order of the pairs differs, which costs 2.
    y, z = np.array([0, 0, 1, 0]), [0, 1, 0, 0]
    seqs = Sequences([[-1, 0, 1, 2]], np.zeros((4, 1)), y, 2)
    P, pairs = seqs.marginals(0, y)
    w = np.zeros(seqs.shape)
    w[-2:, 0] = 9
    # Nothing may be divided by a length of 0.
    with np.errstate(all="raise"):
        found = both_passes(seqs, 1 - np.eye(2), np.ones(1), w, P, pairs[None], np.zeros(1), np.array([0]))
    assert found[0].tolist() == w.tolist()
    assert found[1].argmax(axis=1).tolist() == z
    assert found[3].tolist() == [2]


# --- slack rescaling -------------------------------------------------------------------------------------------------


def most_violated(seqs, E, T, steps, unit, i):
    """The largest L(y, z) (1 - score(y) + score(z)), of equals the least loss and then the first in the dictionary."""

    def score(z):
        pairs = sum(T[z[p], z[t]] for t, p in enumerate(seqs.parents[i]) if p >= 0)
        return E[seqs.at(i)][np.arange(len(z)), z].sum() + pairs

    y = seqs.y[seqs.at(i)]
    best = max(0.0, *(unit * steps[y, z].sum() * (1 - score(y) + score(z)) for z in seqs.labellings(i)))
    if best == 0:
        return [y.tolist()], 0.0
    equal = [z for z in seqs.labellings(i) if unit * steps[y, z].sum() * (1 - score(y) + score(z)) >= best - 1e-9]
    return [z.tolist() for z in sorted(equal, key=lambda z: steps[y, z].sum())], best


def run_slack(seqs, E, T, steps, unit):
    labels, values = np.full(len(seqs.y), -9), np.full(len(seqs.parents), -9.0)
    offsets = seqs.offsets
    parents = np.concatenate([[p if p < 0 else p + offsets[i] for p in own] for i, own in enumerate(seqs.parents)])
    slack_viterbi(E, np.ascontiguousarray(T.T), seqs.y, steps, unit, parents, offsets, labels, values)
    return labels, values


@pytest.mark.parametrize("parents", [*FORESTS, [[-1, 0], [-1, 0, 1, 2]]])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_slack_rescaling_finds_the_most_violated_labelling_of_all(parents, k):
    rng = np.random.default_rng(k)
    for trial in range(8):
        seqs = Sequences.drawn(rng, parents, k, 1)
        steps = rng.integers(1, 4, (k, k)) * (1 - np.eye(k, dtype=np.int64))
        # Integers have ties, and scores of 0.
        E, T = rng.integers(-2, 3, (len(seqs.y), k)).astype(float), rng.integers(-1, 2, (k, k)).astype(float)
        if trial % 2:
            E, T = E + rng.normal(size=E.shape), T + rng.normal(size=T.shape)
        labels, values = run_slack(seqs, E, T, steps, 0.5)
        for i, own in enumerate(parents):
            right, best = most_violated(seqs, E, T, steps, 0.5, i)
            assert values[i] == pytest.approx(best)
            assert labels[seqs.at(i)].tolist() in right
            if max(np.bincount(np.array(own) + 1)[1:], default=0) <= 1:
                assert labels[seqs.at(i)].tolist() == right[0]
