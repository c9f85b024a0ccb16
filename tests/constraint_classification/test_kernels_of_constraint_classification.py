"""The kernels of constraint classification, each called with small arrays, against what they are said to do."""

from fractions import Fraction

import numpy as np
import pytest

from mcbook.constraint_classification import kernels
from mcbook.foundation.compiled import python_original

EACH, WORST, MEAN = RULES = (0, 1, 2)


def whole(rng, *shape):
    return rng.integers(-3, 4, shape).astype(float)


def pairs_of(rng, n_samples, n_classes):
    """Where the pairs of each example begin, some examples having none, and the two classes of each pair."""
    starts = np.cumsum([0, *rng.integers(0, 5, n_samples)])
    preferred = rng.integers(0, n_classes, starts[-1])
    return starts, preferred, (preferred + rng.integers(1, n_classes, starts[-1])) % n_classes


def shape_of(rng):
    return int(rng.integers(1, 5)), int(rng.integers(1, 4)), int(rng.integers(2, 6))


def perceptron_by_definition(X, starts, preferred, rivals, order, weight, W, delayed, step, rule):
    """The same pass, the scores computed anew for every pair; returns the pairs of each update."""
    updates = []

    def update(pairs, e, late):
        for p in pairs:
            for z, sign in ((preferred[p], 1), (rivals[p], -1)):
                W[z] += sign * weight[e] / len(pairs) * X[e]
                delayed[z] += late * sign * weight[e] / len(pairs) * X[e]
        updates.extend([pairs] if pairs else [])

    for late, e in enumerate(order, start=step):
        pairs = range(starts[e], starts[e + 1])
        gaps = {p: (W[preferred[p]] - W[rivals[p]]) @ X[e] for p in pairs}
        violated = [p for p in pairs if gaps[p] <= 0]
        if rule == EACH:
            for p in pairs:
                if (W[preferred[p]] - W[rivals[p]]) @ X[e] <= 0:
                    update([p], e, late)
        else:
            update(sorted(violated, key=gaps.__getitem__)[:1] if rule == WORST else violated, e, late)
    return updates


@pytest.mark.parametrize("rule", RULES)
def test_a_pass_makes_the_updates_of_its_rule(rule):
    for seed in range(25):
        rng = np.random.default_rng(seed)
        n_samples, n_features, n_classes = shape_of(rng)
        X, W, delayed = (
            whole(rng, n_samples, n_features),
            whole(rng, n_classes, n_features),
            np.ones((n_classes, n_features)),
        )
        # Shares of one, two and four pairs, and of three for this weight, are exact.
        weight, pairs = rng.choice([1.5, 3.0, 6.0], n_samples), pairs_of(rng, n_samples, n_classes)
        order, step = rng.permutation(n_samples), int(rng.integers(0, 4))
        counts, log = np.full(len(pairs[1]) + 1, -7), np.full(len(pairs[1]) + 1, -7)
        expected, later = W.copy(), delayed.copy()
        updates = perceptron_by_definition(X, *pairs, order, weight, expected, later, step, rule)
        used = [p for update in updates for p in update]
        made = kernels.perceptron_pass(X, *pairs, order, weight, W, delayed, step, rule, counts, log)
        assert made == (len(updates), len(used))
        assert counts[: made[0]].tolist() == list(map(len, updates))
        assert log[: made[1]].tolist() == used
        assert (counts[made[0] :] == -7).all()
        assert W.tolist() == expected.tolist()
        assert delayed.tolist() == later.tolist()


def winnow_by_definition(X, starts, preferred, rivals, order, weight, above, below, base, cap):
    """The same pass, the scores computed anew for every pair; returns the pair of each update."""
    updates = []
    for e in order:
        for p in range(starts[e], starts[e + 1]):
            i, j = preferred[p], rivals[p]
            if (above[i] - below[i] - above[j] + below[j]) @ X[e] <= 0:
                factor = np.clip(base ** (weight[e] * X[e]), 1 / cap, cap)
                for table, risen, fallen in ((above, i, j), (below, j, i)):
                    table[risen] = np.clip(table[risen] * factor, 1 / cap, cap)
                    table[fallen] = np.clip(table[fallen] / factor, 1 / cap, cap)
                updates.append(p)
    return updates


@pytest.mark.parametrize("cap", [4.0, 2.0**20])
def test_a_pass_multiplies_where_a_pair_is_violated_and_stops_at_the_cap(cap):
    """With 2 as base and powers of 2 as weights nothing is rounded."""
    for seed in range(25):
        rng = np.random.default_rng(seed)
        n_samples, n_features, n_classes = shape_of(rng)
        X, pairs = whole(rng, n_samples, n_features), pairs_of(rng, n_samples, n_classes)
        above, below = (2.0 ** rng.integers(-2, 3, (n_classes, n_features)) for _ in range(2))
        weight, order, log = (
            rng.choice([1.0, 2.0], n_samples),
            rng.permutation(n_samples),
            np.full(len(pairs[1]) + 1, -7),
        )
        highs, lows = above.copy(), below.copy()
        updates = winnow_by_definition(X, *pairs, order, weight, highs, lows, 2.0, cap)
        assert kernels.winnow_pass(X, *pairs, order, weight, above, below, 2.0, cap, log) == len(updates)
        assert log.tolist() == updates + [-7] * (len(log) - len(updates))
        assert above.tolist() == highs.tolist()
        assert below.tolist() == lows.tolist()


def ascent_by_definition(X, starts, preferred, rivals, order, limits, W, alpha):
    n_moved = 0
    for e in order:
        for p in range(starts[e], starts[e + 1]) if X[e].any() else ():
            direction = X[e] / (2 * X[e] @ X[e])
            wanted = alpha[p] + Fraction(1, 2) / (X[e] @ X[e]) - (W[preferred[p]] - W[rivals[p]]) @ direction
            move = min(max(wanted, 0), limits[p]) - alpha[p]
            alpha[p] += move
            W[preferred[p]] += move * X[e]
            W[rivals[p]] -= move * X[e]
            n_moved += move != 0
    return n_moved


def test_every_multiplier_goes_to_its_best_place_between_the_limits():
    """With exact fractions, where a multiplier that wants to be 0 is seen to be; and compiled."""
    for seed in range(25):
        rng = np.random.default_rng(seed)
        n_samples, n_features, n_classes = shape_of(rng)
        X, pairs = rng.integers(-1, 2, (n_samples, n_features)), pairs_of(rng, n_samples, n_classes)
        fractions = np.frompyfunc(Fraction, 1, 1)
        limits = fractions(rng.integers(1, 3, len(pairs[1])))
        alpha = limits * fractions(rng.integers(0, 3, len(pairs[1]))) / 2
        X, W, order = fractions(X), fractions(rng.integers(-1, 2, (n_classes, n_features))), rng.permutation(n_samples)
        floats = [np.ascontiguousarray(array, dtype=float) for array in (X, limits, W, alpha)]
        expected, multipliers = W.copy(), alpha.copy()
        n_moved = ascent_by_definition(X, *pairs, order, limits, expected, multipliers)
        assert python_original(kernels.ascent_pass)(X, *pairs, order, limits, W, alpha) == n_moved
        assert (W.tolist(), alpha.tolist()) == (expected.tolist(), multipliers.tolist())
        kernels.ascent_pass(floats[0], *pairs, order, *floats[1:])
        np.testing.assert_allclose(floats[2], W.astype(float), atol=1e-12)
        np.testing.assert_allclose(floats[3], alpha.astype(float), atol=1e-12)
