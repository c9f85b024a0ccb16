"""The compiled loops that move weight from one plane or kept labelling to another, beside plain ones."""

import itertools

import numpy as np
import pytest
from structured_problems import FORESTS, Sequences

from mcbook.structured_margins.kernels.master import ascend_restricted
from mcbook.structured_margins.kernels.working_set import add_working_set, ascend_simplex, ascend_working_set

# --- weight that moves from one plane to another ---------------------------------------------------------------------


def exchange(gram, values, weights, which, slack_cost):
    """The planes with the largest value and, of those with weight, the least; their excess, and the best step."""
    # Of equals the first.
    up = max(which, key=values.__getitem__)
    down = min((a for a in which if weights[a] > 0), key=values.__getitem__)
    excess = values[up] - values[down]
    length = slack_cost * (gram[up, up] - 2.0 * gram[up, down] + gram[down, down])
    return up, down, excess, min(weights[down], excess / length) if length > 0 else weights[down]


def give(gram, values, weights, up, down, step, slack_cost):
    weights[up] += step
    weights[down] -= step
    values -= slack_cost * step * (gram[:, up] - gram[:, down])


def plain_simplex(gram, values, shares, capacity, within):
    for _ in range(20 * len(shares)):
        up, down, excess, step = exchange(gram, values, shares, range(len(shares)), capacity)
        if excess <= within:
            return
        give(gram, values, shares, up, down, step, capacity)


def plain_restricted(gram, offsets, order, starts, alpha, capacity, tol, most):
    values = offsets - gram @ alpha
    for _ in range(most):
        gap = 0.0
        for a, b in itertools.pairwise(starts):
            up, down, excess, step = exchange(gram, values, alpha, order[a:b], 1.0)
            gap += capacity * excess
            if excess > 0:
                give(gram, values, alpha, up, down, step, 1.0)
        if gap <= tol:
            return


def shares_of(rng, m):
    """Shares with the sum 1, in eighths; some are 0, and now and then all but one."""
    return np.eye(m)[rng.integers(m)] if rng.random() < 0.3 else rng.multinomial(8, np.full(m, 1 / m)) / 8


def gram_of(rng, m, size=2):
    planes = rng.integers(-size, size + 1, (m, 3)).astype(float)
    return planes @ planes.T


@pytest.mark.parametrize("m", [1, 2, 3, 6])
def test_shares_go_from_the_least_value_to_the_largest(m):
    rng = np.random.default_rng(m)
    for trial in range(40):
        gram, values, shares = gram_of(rng, m + 2), rng.integers(-3, 4, m + 2) / (1, 8)[trial % 2], np.full(m + 2, 0.5)
        shares[:m] = shares_of(rng, m)
        # What stands behind the first m is not theirs, however large or small it is.
        values[m:] = 50, -50
        capacity, within = (0.5, 2.0)[trial // 2 % 2], (0.0, 0.125, 1.0)[trial % 3]
        begun, before = values.copy(), shares.copy()
        right_values, right = values[:m].copy(), shares[:m].copy()
        plain_simplex(gram[:m, :m], right_values, right, capacity, within)
        with np.errstate(all="raise"):
            ascend_simplex(gram, values, shares, m, capacity, within)
        assert shares[:m] == pytest.approx(right)
        assert values[:m] == pytest.approx(right_values)
        assert shares[m:].tolist() == [0.5, 0.5]
        assert values[m:].tolist() == [50, -50]
        # Whatever the steps were: a distribution, and values that belong to it.
        assert (shares >= 0).all()
        assert shares[:m].sum() == pytest.approx(1)
        assert values[:m] == pytest.approx((begun - capacity * gram @ (shares - before))[:m])


@pytest.mark.parametrize("sizes", [(1,), (3,), (2, 3, 1), (1, 4, 2)])
def test_restricted_steps_are_those_of_the_text_and_end_where_they_are_told(sizes):
    rng = np.random.default_rng(len(sizes))
    n, starts = sum(sizes), np.concatenate([[0], np.cumsum(sizes)])
    for trial in range(25):
        gram, offsets = gram_of(rng, n) / (1, 4)[trial % 2], rng.integers(-2, 5, n) / (1, 8)[trial % 2]
        order, capacity = rng.permutation(n), (0.5, 2.0)[trial // 2 % 2]
        alpha = np.empty(n)
        for a, b in itertools.pairwise(starts):
            alpha[order[a:b]] = capacity * shares_of(rng, b - a)
        tol, most = (1e-9, 0.5, 1.0)[trial % 3], (1, 2, 500)[trial % 5 % 3]
        right = alpha.copy()
        plain_restricted(gram, offsets, order, starts, right, capacity, tol, most)
        with np.errstate(all="raise"):
            ascend_restricted(gram, offsets, order, starts, alpha, capacity, tol, most)
        assert alpha == pytest.approx(right)
        assert (alpha >= 0).all()
        for a, b in itertools.pairwise(starts):
            assert alpha[order[a:b]].sum() == pytest.approx(capacity)


# --- labellings that are kept ----------------------------------------------------------------------------------------


class WorkingSet:
    """Labellings kept of each sequence, in no order, as the kernels take them, and their gradients written out."""

    def __init__(self, rng, parents, k, d, most=5, slack=False):
        self.seqs = seqs = Sequences.drawn(rng, parents, k, d)
        n = len(parents)
        listed = [(i, z) for i in range(n) for z in self._some(rng, i, int(rng.integers(1, most + 1)))]
        planes = [listed[j] for j in rng.permutation(len(listed))]
        owners = np.array([i for i, _ in planes])
        self.listed = np.argsort(owners, kind="stable")
        self.starts = np.searchsorted(owners[self.listed], np.arange(n + 1))
        self.gradients = np.array(
            [(seqs.features(i, seqs.y[seqs.at(i)]) - seqs.features(i, z)).ravel() for i, z in planes]
        )
        self.offsets = np.array([2.0 * (z != seqs.y[seqs.at(i)]).sum() for i, z in planes])
        self.scale = self.offsets.copy() if slack else rng.integers(1, 3, n)[owners].astype(float)
        self.alpha = np.empty(len(planes))
        for i in range(n):
            self.alpha[self.of(i)] = shares_of(rng, len(self.of(i)))
        self.arrays = self._arrays(planes)

    def of(self, i):
        return self.listed[self.starts[i] : self.starts[i + 1]]

    def _some(self, rng, i, most):
        every = self.seqs.labellings(i)
        return [every[j] for j in rng.permutation(len(every))[:most]]

    def _arrays(self, planes):
        seqs, k = self.seqs, self.seqs.k
        d = seqs.X.shape[1]
        observed, placed, first, first_place = [], [], [0], [0]
        for i, z in planes:
            y, a = seqs.y[seqs.at(i)], seqs.offsets[i]
            observed += [(a + t, y[t], z[t]) for t in range(len(z)) if y[t] != z[t]]
            of_y, of_z = ([((d + k) * k + labels[0])] for labels in (y, z))
            for t, p in enumerate(seqs.parents[i]):
                for places, labels in ((of_y, y), (of_z, z)):
                    if p >= 0:
                        places.append((d + labels[p]) * k + labels[t])
                    if seqs.leaves[a + t]:
                        places.append((d + k + 1) * k + labels[t])
            placed += [pair for pair in zip(of_y, of_z, strict=True) if pair[0] != pair[1]]
            first.append(len(observed))
            first_place.append(len(placed))
        position, ours, theirs = np.array(observed, dtype=np.int64).reshape(-1, 3).T.copy()
        given, taken = np.array(placed, dtype=np.int64).reshape(-1, 2).T.copy()
        return np.array(first), position, ours, theirs, np.array(first_place), given, taken, self.scale

    def ascend(self, order, capacity, w, alpha, slacks, share, least):
        return ascend_working_set(
            *self.seqs.rows, self.seqs.k, *self.arrays, self.offsets, self.listed, self.starts, self.seqs.offsets,
            np.array(order), capacity, alpha, w, slacks, share, least,
        )  # fmt: skip

    def plain(self, order, capacity, w, alpha, slacks, share, least):
        total = 0.0
        for i in order:
            own = self.of(i)
            values = self.offsets[own] - self.scale[own] * (self.gradients[own] @ w)
            low, top = values[alpha[own] > 0].min(), values.max()
            slacks[i], gap = top, capacity * (top - alpha[own] @ values)
            total += gap
            if gap > least:
                chosen = (alpha[own] > 0) | (values > low)
                own, values = own[chosen], values[chosen]
                scaled, shares = self.scale[own, None] * self.gradients[own], alpha[own]
                plain_simplex(scaled @ scaled.T, values, shares, capacity, share * (top - low))
                w += capacity * (shares - alpha[own]) @ scaled
                alpha[own] = shares
        return total

    def both(self, order, capacity, w, share, least):
        """What the kernel makes of copies, and the plain loop of others, must agree; the kernel's are given back."""
        ours, plain = ((w.copy(), self.alpha.copy(), np.full(len(self.seqs.parents), -9.0)) for _ in range(2))
        total = self.ascend(order, capacity, *ours, share, least)
        assert total == pytest.approx(self.plain(order, capacity, *plain, share, least), rel=1e-9, abs=1e-9)
        for one, other in zip(ours, plain, strict=True):
            assert one == pytest.approx(other, rel=1e-9, abs=1e-9)
        return total, *ours


@pytest.mark.parametrize("parents", FORESTS)
@pytest.mark.parametrize("slack", [False, True])
def test_visits_make_the_weights_nearly_the_best_for_what_is_kept(parents, slack):
    rng = np.random.default_rng(len(parents) + 10 * slack)
    for trial in range(12):
        capacity, share = (0.125, 1.0, 0.5)[trial % 3], (0.0, 0.1, 0.5)[trial % 4 % 3]
        least = (0.0, 0.0, 1.0, np.inf)[trial % 4]
        # Steps make values equal, and then a rounding decides which is taken: integers have none before the first step.
        working_set = WorkingSet(rng, parents, 2 + trial % 2, 3, most=5, slack=slack)
        w = rng.integers(-1, 2, working_set.gradients.shape[1]).astype(float)
        for i in range(len(parents)):
            working_set.both([i], capacity, w, share, least)
        # Of two there is nothing to choose. Those that are not visited stay as they are.
        pairs = WorkingSet(rng, parents, 2 + trial % 2, 3, most=2, slack=slack)
        order = rng.permutation(len(parents))[: 1 + trial % len(parents)]
        pairs.both(order, capacity, rng.normal(size=pairs.gradients.shape[1]), share, least)


@pytest.mark.parametrize("parents", FORESTS)
@pytest.mark.parametrize("slack", [False, True])
def test_the_gradients_of_what_is_kept_are_added(parents, slack):
    rng = np.random.default_rng(len(parents))
    working_set = WorkingSet(rng, parents, 3, 4, slack=slack)
    w = rng.normal(size=working_set.gradients.shape[1])
    for coefficients in (
        rng.normal(size=len(working_set.alpha)),
        1 / np.maximum(working_set.scale, 1),
        working_set.alpha,
    ):
        found = w.copy()
        add_working_set(*working_set.seqs.rows, working_set.seqs.k, *working_set.arrays, coefficients, found)
        assert found == pytest.approx(w + (coefficients * working_set.scale) @ working_set.gradients)
