"""Winnow's kernels, each called with small arrays, against what they are said to do."""

import numpy as np
import pytest

from mcbook.winnow import kernels


def whole(rng, *shape):
    return rng.integers(-2, 3, shape).astype(float)


def epoch_by_definition(examples, y, order, E, delayed, step, period, ties_violate):
    """The same pass with the factor 2 and examples as rows; returns the weights and the updates."""
    updates, top = [], E.max()
    for late, i in enumerate(order, start=step):
        scores, label = examples[i] @ 2.0 ** (E - top), y[i]
        rival = max((z for z in range(E.shape[1]) if z != label), key=scores.__getitem__)
        lost = scores[label] == scores[rival] and (ties_violate or rival < label)
        if scores[label] < scores[rival] or lost:
            for z, sign in ((label, 1), (rival, -1)):
                E[:, z] += sign * examples[i]
                delayed[:, z] += late * sign * examples[i]
            updates.append([int(i), rival])
            top = E.max() if len(updates) % period == 0 else top
    return 2.0 ** (E - top), updates


@pytest.mark.parametrize("dense", [True, False])
def test_an_epoch_makes_the_updates_of_the_definition(dense):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n_features, n_classes, n_samples = int(rng.integers(1, 7)), int(rng.integers(2, 6)), int(rng.integers(1, 7))
        examples = whole(rng, n_samples, n_features)
        if dense:
            columns, place = rng.permutation(n_features), np.zeros(n_samples, dtype=np.int64)
            begin, values = n_features * np.arange(n_samples + 1), examples[:, columns].ravel()
        else:
            parts = [rng.permutation(np.flatnonzero(row)) for row in examples]
            begin = np.cumsum([0, *map(len, parts)])
            values = np.concatenate([row[part] for row, part in zip(examples, parts, strict=True)])
            # The columns stand one place further on than the values.
            columns, place = np.concatenate([[0], *parts]).astype(np.int64), begin[:-1] + 1
        y, order = rng.integers(0, n_classes, n_samples), rng.integers(0, n_samples, n_samples + 5)
        E, delayed = whole(rng, n_features, n_classes) * (seed % 2), whole(rng, n_features, n_classes)
        W, updates = np.full(E.shape, 99.0), np.full((len(order), 2), -5)
        step, period, ties_violate = int(rng.integers(0, 4)), int(rng.integers(1, 5)), bool(rng.integers(0, 2))
        expected, later = E.copy(), delayed.copy()
        powers, made = epoch_by_definition(examples, y, order, expected, later, step, period, ties_violate)
        n_updates = kernels.winnow_epoch(
            *(values, columns, begin, place, y, order, W, E, delayed, step, 2.0, period, ties_violate, updates)
        )
        assert (n_updates, updates[:n_updates].tolist()) == (len(made), made)
        assert (updates[n_updates:] == -5).all()
        assert E.tolist() == expected.tolist()
        assert delayed.tolist() == later.tolist()
        assert W.tolist() == powers.tolist()
